"""`inexview answers`: judged support, citation hits and nuggets, and answers as runs."""

from __future__ import annotations

import json

import pytest

from inexview.cli import main

ANSWERS = [
    {
        "run_id": "r", "topic_id": "q1", "topic": "oil", "references": ["d1", "d2"],
        "answer": [{"text": "Pressed.", "citations": [0, 1]}, {"text": "Dark.", "citations": [1]}],
    },
    {
        "run_id": "r", "topic_id": "q2", "topic": "eels", "references": ["d3"],
        "answer": [{"text": "So.", "citations": []}],
    },
]  # fmt: skip
SUPPORT = [
    {"run_id": "r", "topic_id": "q1", "sentence": 1, "citation": "d1", "support": 1},
    {"run_id": "r", "topic_id": "q1", "sentence": 1, "citation": "d2", "support": "partial"},
    {"run_id": "r", "topic_id": "q2", "sentence": 1, "needs_citation": False},
    {"run_id": "another", "topic_id": "q2", "sentence": 9, "needs_citation": False},
]
NUGGETS = [{"qid": "q1", "nuggets": [{"text": "a", "importance": "okay", "assignment": "support"}]}]


@pytest.fixture
def files(tmp_path):
    def write(name, values):
        path = tmp_path / name
        path.write_text("\n".join(map(json.dumps, values)), encoding="utf-8")
        return str(path)

    (tmp_path / "qrels").write_text("q1 0 d1 2\nq1 0 d2 0\nq2 0 d3 1\n", encoding="utf-8")
    return {
        "answers": write("answers.jsonl", ANSWERS),
        "support": write("support.jsonl", SUPPORT),
        "nuggets": write("nuggets.jsonl", NUGGETS),
        "qrels": str(tmp_path / "qrels"),
    }


def asked(files, *more):
    return main(["answers", files["answers"], *more])


def test_every_figure_that_something_is_judged_for_is_printed(files, capsys):
    given = ["--support", files["support"], "-Q", files["qrels"], "--nuggets", files["nuggets"]]
    assert asked(files, *given, "--format", "json", "--per-topic") == 0
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    of_q1 = {name: one["value"] for name, one in run["topics"]["q1"].items()}
    assert of_q1["support_prec"] == 0.75  # 1.5 of two, the third is not judged
    assert of_q1["citation_hits"] == pytest.approx(1 / 3)
    assert of_q1["nugget_strict"] == 1.0
    assert of_q1["nugget_vital_strict"] == 0.0
    assert run["topics"]["q1"]["support_prec"]["low"] == 0.5
    assert run["unjudged"]["support_prec"] == 1
    assert run["mean"]["support_prec"] == (0.75 + 0.0) / 2  # q2 cites nothing
    assert asked(files, *given) == 0
    printed = capsys.readouterr().out
    assert "r: 2 answers, 3 sentences, 3 citations; not judged: support_prec 1" in printed
    assert asked(files, *given, "--format", "csv", "--per-topic") == 0
    assert "r,q1,support_prec,0.75,1,1,0.5," in capsys.readouterr().out


def test_answers_are_scored_as_runs_too(files, capsys):
    assert main(["eval", files["qrels"], files["answers"], "-m", "P@1", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["runs"][0]["mean"] == {"P@1": 1.0}


def test_what_cites_nothing_that_is_listed_is_a_problem(tmp_path, capsys):
    path = tmp_path / "a.jsonl"
    broken = {**ANSWERS[0], "answer": [{"text": "a", "citations": [7]}]}
    path.write_text(json.dumps(broken), encoding="utf-8")
    assert main(["answers", str(path)]) == 1
    assert "1 citation of what the answer does not list" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ({"sentence": 3, "citation": "d1", "support": 1}, "not a sentence from 1 to 2"),
        ({"sentence": 1, "citation": "d9", "support": 1}, "not cited by the answer"),
        ({"sentence": 1, "citation": "d1", "support": 0.7}, "not one of 1, 0.5, 0"),
        ({"sentence": 1}, "is missing"),
    ],
)
def test_errors_in_judged_support_are_named(files, tmp_path, capsys, line, problem):
    path = tmp_path / "wrong.jsonl"
    path.write_text(json.dumps({"run_id": "r", "topic_id": "q1", **line}), encoding="utf-8")
    assert asked(files, "--support", str(path)) == 2
    error = capsys.readouterr().err
    assert problem in error
    assert "wrong.jsonl:1" in error


def test_a_run_that_answers_twice_is_refused(files, capsys):
    assert main(["answers", files["answers"], files["answers"]]) == 2
    assert "run r answers topic q1 in" in capsys.readouterr().err


def test_a_share_is_from_0_to_1(files, capsys):
    with pytest.raises(SystemExit):
        asked(files, "--share", "2")
    assert "--share" in capsys.readouterr().err
