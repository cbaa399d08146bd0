"""`inexview agree QRELS --model FILE`: whether a model may judge."""

from __future__ import annotations

import json

import pytest

from inexview.cli import main


@pytest.fixture
def files(tmp_path):
    person, labels, runs = [], [], {"a": [], "b": []}
    for topic in range(4):
        for at in range(10):
            grade = at % 4
            person.append(f"q{topic} 0 d{at} {grade}")
            labels.append({"model": "m", "qid": f"q{topic}", "docid": f"d{at}", "judgment": grade})
            runs["a"].append(f"q{topic} Q0 d{at} 1 {grade * 10 + at} a")
            runs["b"].append(f"q{topic} Q0 d{at} 1 {at} b")
    labels[0]["judgment"] = 2
    (tmp_path / "person.qrels").write_text("\n".join(person) + "\n", encoding="utf-8")
    (tmp_path / "model.jsonl").write_text("\n".join(map(json.dumps, labels)), encoding="utf-8")
    for name, lines in runs.items():
        (tmp_path / f"{name}.run").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


def test_the_verdict_comes_first_with_its_figures(files, capsys):
    given = ["agree", str(files / "person.qrels"), "--model", str(files / "model.jsonl")]
    assert main([*given, "--runs", str(files / "a.run"), str(files / "b.run")]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("m: May this model judge these 4 topics? Yes: weighted κ 0.9")
    assert "its 0 in 11 of 11" in printed
    assert "two grades apart or more: 1 document" in printed
    assert main([*given, "--format", "json"]) == 0
    said = json.loads(capsys.readouterr().out)["m"]
    assert said["same"] == 39
    assert said["verdict"] == "Yes"
    assert sum(map(sum, said["matrix"])) == 40
    assert main([*given, "--format", "csv"]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("m,Yes,40,0.9")


def test_the_order_of_runs_is_by_what_both_judged(files, capsys):
    given = ["agree", str(files / "person.qrels"), "--model", str(files / "model.jsonl"), "--format", "json"]
    assert main([*given, "--runs", str(files / "a.run"), str(files / "b.run"), "-m", "nDCG@5"]) == 0
    said = json.loads(capsys.readouterr().out)["m"]
    assert [one["run"] for one in said["order"]] == ["a", "b"]
    assert said["τ"] == 1.0
    assert (
        main(["eval", str(files / "person.qrels"), str(files / "a.run"), "-m", "nDCG@5", "--format", "json"])
        == 0
    )
    own = json.loads(capsys.readouterr().out)["runs"][0]["mean"]["nDCG@5"]
    assert said["order"][0]["person"] == pytest.approx(own)


def test_a_model_is_compared_with_one_person(files, capsys):
    person = str(files / "person.qrels")
    assert main(["agree", person, person, "--model", str(files / "model.jsonl")]) == 2
    assert "one person" in capsys.readouterr().err


def test_too_few_documents_are_reported(files, capsys):
    given = ["agree", str(files / "person.qrels"), "--model", str(files / "model.jsonl")]
    assert main([*given, "--topics", "q1"]) == 1
    assert "Too few to say: 10 documents judged by both, 30 are needed." in capsys.readouterr().out


def test_higher_grades_of_the_model_are_listed_by_best_rank(files, capsys):
    given = ["agree", str(files / "person.qrels"), "--model", str(files / "model.jsonl")]
    given += ["--runs", str(files / "a.run"), str(files / "b.run")]
    assert main(given) == 0
    last = "first third +0.00 (13), middle third +0.00 (14), last third +0.15 (13)"  # d0 is tenth in both
    assert f"model minus person, best to worst rank in a run: {last}" in capsys.readouterr().out
    assert main([*given, "--format", "json"]) == 0
    thirds = json.loads(capsys.readouterr().out)["m"]["bias"]["best to worst rank in a run"]
    assert [one["mean"] for one in thirds] == pytest.approx([0, 0, 2 / 13])


def test_quotes_are_counted_for_each_model_and_every_passage(files, capsys):
    (files / "texts").mkdir()
    (files / "texts" / "d0.txt").write_text("Oil is  pressed. 😀 Oil keeps dark.", encoding="utf-8")
    labels = [
        {"model": model, "qid": "q0", "docid": "d0", "judgment": 1, "quotes": quotes}
        for model, quotes in (
            ("m", ["Oil keeps"]), ("m", ["oil is pressed", "Oil is pressed"]), ("n", ["never"]),
        )
    ]  # fmt: skip
    path = files / "quoting.jsonl"
    path.write_text("\n".join(map(json.dumps, labels)), encoding="utf-8")
    given = ["agree", str(files / "person.qrels"), "--model", str(path), "-C", str(files / "texts")]
    assert main([*given, "--format", "json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert [*said["m"]["quotes"].values()] == [1, 1, 1, 0]
    assert [*said["n"]["quotes"].values()] == [0, 0, 0, 1]
