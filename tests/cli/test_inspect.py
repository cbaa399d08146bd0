"""`inexview inspect`: files in the window without a project, scored as `inexview eval` scores them."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from inexview.cli import explain, main
from inexview.core.collection.collection import Collection
from inexview.core.evaluation.evaluate import score_run
from inexview.core.evaluation.scores import ScoringSettings
from inexview.core.files import resource
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Task
from inexview.core.project.inspection import NOT_HERE, ONLY_READ, Inspection, known_lengths, read_again
from inexview.core.project.project import Project
from inexview.core.project.recovery import copies_folder

SAMPLE = resource("sample")
ARTICLES, RUN = str(SAMPLE / "articles"), str(SAMPLE / "runs" / "LM-passages.txt")


def test_a_preset_that_has_not_the_task_is_refused(
    shown: Callable[..., object], capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["-C", ARTICLES, "-R", RUN, "--task", "focused", "--preset", "trec"]
    assert shown(*given) == (2, [], [])
    assert "preset trec has no task focused; it has documents. Try inex2007" in capsys.readouterr().err


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, list[Inspection], list[Project]]]:
    """Run the command with a window that only notes what it is given, while its project is there."""

    def inspect(*arguments: str) -> tuple[int, list[Inspection], list[Project]]:
        given: list[Inspection] = []
        projects: list[Project] = []

        def open_window(*, inspection: Inspection) -> int:
            given.append(inspection)
            with Project.open(inspection.project, read_only=ONLY_READ) as project:
                for topic in project.topics:
                    _ = [project.state(topic.id, document) for document in project.pool(topic.id)]
            projects.append(project)
            return 0

        monkeypatch.setattr(explain, "require_window", lambda: None)
        monkeypatch.setattr(explain, "open_window", open_window)
        return main(["inspect", *arguments]), given, projects

    return inspect


def test_qrels_and_runs_are_shown_as_their_files_have_them(shown, tmp_path: Path) -> None:
    qrels = tmp_path / "judged.txt"
    lines = [
        "7 Q0 2041 100 7734 2876 2876:100",
        "7 Q0 3301 0 500 ",
        "8 Q0 2077 50 2234 -1 90:50",
        "8 Q0 9 5 9",
    ]
    qrels.write_text("\n".join(lines) + "\n", encoding="utf-8")
    status, (inspection,), (project,) = shown(
        "-C", ARTICLES, "-Q", str(qrels), "-R", RUN, "--task", "focused"
    )
    assert status == 0
    assert not inspection.project.exists()  # nothing is left behind
    assert not copies_folder().exists()
    assert [(topic.id, topic.title) for topic in project.topics][:2] == [("7", ""), ("8", "")]
    assert {"2026001", "2026002"} < {topic.id for topic in project.topics}
    assert project.pool("7") == ("2041", "3301")
    assert project.state("7", "2041").edges == (2876, 2976)
    assert project.state("8", "2077").finished  # although no assessor could finish it without an entry point
    assert not project.state("8", "9").finished  # relevant, and no passage is marked
    assert project.read_only_reason == ONLY_READ
    assert inspection.qrels is not None
    assert inspection.task is Task.FOCUSED
    nowhere, no_entry, elsewhere = inspection.lacking
    assert "1 document without a best entry point: shown at the start of the first passage" in no_entry
    assert nowhere.endswith("1 document relevant without a passage: scored, but not marked in the text.")
    assert "LM-passages.txt: no topic of the run is judged: the run has '2026001'" in elsewhere


def test_without_articles_everything_that_offsets_decide_is_there(shown, tmp_path: Path) -> None:
    qrels, run = tmp_path / "judged.txt", tmp_path / "run.txt"
    qrels.write_text("7 Q0 clueweb/a 100 7734 2876 2876:100\n7 Q0 b 50 0 -1 90:50\n", encoding="utf-8")
    run.write_text(
        "7 Q0 clueweb/a 1 9 r 2900 9000\n7 Q0 b 2 8 r 100 25\n7 Q0 c 3 7 r X X\n", encoding="utf-8"
    )
    status, (inspection,), (project,) = shown("-Q", str(qrels), "-R", str(run), "--task", "focused")
    assert status == 0
    assert inspection.lacking[0] == NOT_HERE
    assert project.state("7", "clueweb/a").edges == (2876, 2976)
    assert known_lengths(inspection.qrels, inspection.runs) == {"clueweb/a": 7734, "b": 140, "c": 0}


def test_judgements_are_named_without_an_option_and_texts_next_to_are_shown(shown, tmp_path: Path) -> None:
    qrels, run = tmp_path / "judged.txt", tmp_path / "run.txt"
    qrels.write_text("7 Q0 moon 4 20 4 4:4\n", encoding="utf-8")
    run.write_text("7 Q0 moon 1 9 r 4 4\n", encoding="utf-8")
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "sun.txt").write_text("The sun is hot.", encoding="utf-8")
    _, (without,), _ = shown(str(qrels), "-R", str(run), "--task", "focused")
    assert without.lacking[0] == NOT_HERE
    (tmp_path / "texts" / "moon.txt").write_text("The moon has no air.", encoding="utf-8")
    status, (inspection,), (project,) = shown(str(qrels), "-R", str(run), "--task", "focused")
    assert status == 0
    assert inspection.lacking == ()
    assert inspection.qrels_path == qrels
    assert project.state("7", "moon").edges == (4, 8)


def test_judgements_that_are_named_twice_are_refused(shown, tmp_path: Path, capsys) -> None:
    qrels = tmp_path / "judged.txt"
    qrels.write_text("7 Q0 moon 4 20 4 4:4\n", encoding="utf-8")
    assert shown(str(qrels), "-Q", str(qrels))[0] == 2
    assert "-Q gives another file: omit one" in capsys.readouterr().err


def test_a_run_of_elements_says_that_it_needs_the_articles(shown, tmp_path: Path, capsys) -> None:
    run = tmp_path / "run.txt"
    run.write_text("7 Q0 2041 1 9 r /article[1]/bdy[1]\n", encoding="utf-8")
    assert shown("-R", str(run))[0] == 2
    assert "names elements: give the articles with --collection" in capsys.readouterr().err


def test_inspected_runs_score_as_eval_prints(shown, capsys: pytest.CaptureFixture[str]) -> None:
    qrels = str(SAMPLE / "judgements.txt")
    _, (inspection,), _ = shown(
        "-C", ARTICLES, "-Q", qrels, "-R", RUN, "--topics", str(SAMPLE / "topics.xml")
    )
    assert inspection.lacking == ()
    (run,) = inspection.runs
    settings = ScoringSettings(task=Task.RELEVANT_IN_CONTEXT)
    scores = score_run(inspection.qrels, run, settings)
    capsys.readouterr()
    assert main(["eval", qrels, RUN, "--task", "relevant-in-context", "--format", "csv"]) == 0
    printed = capsys.readouterr().out
    assert all(f",{name},{value!r}" in printed for name, value in scores.mean.items())


@pytest.mark.parametrize("said", [(), ("--preset", "genomics2007"), ("--run-format", "genomics-run")])
def test_runs_of_the_genomics_track_are_read_as_eval_reads_them(shown, tmp_path: Path, said) -> None:
    gold, run = tmp_path / "gold.txt", tmp_path / "run.txt"
    gold.write_text("200\t2041\t5\t10\tGENE|cell\n201\t2077\t0\t7\tGENE\n", encoding="utf-8")
    run.write_text("200 2041 1 5.5 5 10 mine\n201 2077 1 4 0 9 mine\n", encoding="utf-8")
    _, (inspection,), _ = shown("-C", ARTICLES, "-Q", str(gold), "-R", str(run), *said)
    (read,) = inspection.runs
    assert (read.id, read.task) == ("mine", Task.ASPECTS)
    scores = score_run(inspection.qrels, read, ScoringSettings(preset="genomics2007"))
    assert scores.mean["DOCUMENT"] == 1
    assert inspection.preset == (None if "--run-format" in said else "genomics2007")


def test_ends_of_passages_are_read_as_such_with_an_option(shown, tmp_path: Path) -> None:
    run = tmp_path / "run.txt"
    run.write_text("1 Q0 2041 1 5.5 mine 10 40\n", encoding="utf-8")
    _, (inspection,), _ = shown("-C", ARTICLES, "-R", str(run), "--fol-end")
    assert inspection.runs[0].size.tolist() == [30]


def test_missing_parts_are_reported_in_a_sentence(shown, tmp_path: Path, capsys) -> None:
    assert shown("-C", ARTICLES)[0] == 2
    assert "name qrels (-Q) or runs (-R)" in capsys.readouterr().err
    assert shown("-C", ARTICLES, "-Q", str(tmp_path / "none.txt"))[0] == 2
    assert "none.txt" in capsys.readouterr().err
    empty = tmp_path / "empty.txt"
    empty.write_text("", encoding="utf-8")
    assert shown("-C", str(tmp_path / "nowhere"), "-R", RUN)[0] == 2
    assert "nowhere" in capsys.readouterr().err
    status, (inspection,), _ = shown("-C", ARTICLES, "-R", RUN)
    assert status == 0
    assert inspection.lacking == ("Without qrels, runs are shown but not scored.",)


def test_differing_ids_are_reported_and_joined_on_request(shown, tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("051 0 2041 1\n051 0 3301 0\n", encoding="utf-8")
    (tmp_path / "run").write_text("51 Q0 2041.xml 1 3 r\n51 Q0 3301.xml 2 2 r\n", encoding="utf-8")
    (tmp_path / "topics").write_text("051\tgreen tea\n", encoding="utf-8")
    given = ["-Q", str(tmp_path / "qrels"), "-R", str(tmp_path / "run"), "-T", str(tmp_path / "topics")]
    _, (apart,), _ = shown(*given)
    assert any("--join-ids topics=zeros joins 1 of 1" in sentence for sentence in apart.lacking)
    _, (joined,), (project,) = shown(
        *given, "--join-ids", "topics=zeros", "--join-ids", "documents=extension"
    )
    assert not any("--join-ids" in sentence for sentence in joined.lacking)
    assert [(topic.id, topic.title) for topic in project.topics] == [("51", "green tea")]
    assert joined.runs[0].documents("51", 2) == ["2041", "3301"]
    with closing(Collection.open(ARTICLES)) as articles:
        again = read_again(joined, articles)
    assert isinstance(again, Qrels)
    assert again.topics == ("51",)


def test_a_chunkers_whole_list_is_handed_out_to_the_questions(shown, tmp_path: Path) -> None:
    text = "Oil is pressed from fruit. The fruit is crushed within a day. It is kept in the dark."
    for name in ("corpus", "benchmarks"):
        (tmp_path / "law" / name).mkdir(parents=True)
    (tmp_path / "law" / "corpus" / "a.txt").write_text(text, encoding="utf-8")
    snippet = {"file_path": "a.txt", "span": [27, 61], "answer": text[27:61]}
    tests = {"tests": [{"query": "How is oil pressed?", "snippets": [snippet]}]}
    (tmp_path / "law" / "benchmarks" / "cuad.json").write_text(json.dumps(tests), encoding="utf-8")
    starts = range(0, len(text), 20)
    chunks = [{"file_path": "a.txt", "text": text[at : at + 20], "start_index": at} for at in starts]
    (tmp_path / "chunks.json").write_text(json.dumps(chunks), encoding="utf-8")
    status, (inspection,), _ = shown(str(tmp_path / "law"), "-R", str(tmp_path / "chunks.json"))
    (run,) = inspection.runs
    assert (status, run.topics) == (0, ("cuad-0",))
    assert [result.start for result in run.results("cuad-0")] == [20, 40, 60]
