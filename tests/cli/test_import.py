"""`inexview import`: judgements of any format into a project, with what was left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from inexview.cli import main
from inexview.core.project.project import Project
from tests.projects import TEXT, TOPIC, make_project


@pytest.fixture
def judged(tmp_path: Path) -> Path:
    """Return a project with one relevant, one empty and one open document, to export from."""
    (tmp_path / "from").mkdir()
    path = make_project(tmp_path / "from")
    with Project.open(path) as project:
        project.mark(TOPIC, "d1", 2, 9)
        project.set_bep(TOPIC, "d1", 3)
        project.finish(TOPIC, "d1")
        project.not_relevant(TOPIC, "d3")
        project.mark(TOPIC, "d2", 0, 4)
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "to").mkdir()
    return make_project(tmp_path / "to")


def exported(judged: Path, name: str, *more: str) -> Path:
    file = judged.with_name(name)
    main(["export", str(judged), "-o", f"{file}{'/' if not file.suffix else ''}", *more])
    return file


@pytest.mark.parametrize(
    ("name", "more"),
    [("qrels.txt", ()), ("judged.jsonl", ()), ("assessments", ("--to", "assessments-2007", "--lossy"))],
)
def test_exported_judgements_can_be_imported_by_another_project(
    judged: Path, path: Path, name: str, more: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    file = exported(judged, name, *more)
    capsys.readouterr()
    assert main(["import", str(path), str(file)]) == 0
    out, err = capsys.readouterr()
    assert (out.split(": ", 1)[0], err) == (str(file), "")
    with Project.open(path) as project:
        state = project.state(TOPIC, "d1")
        assert (list(state.marks), state.bep, state.finished) == ([(2, 9)], 3, True)
        opened = project.state(TOPIC, "d2")
        assert (list(opened.marks), opened.finished) == (
            ([(0, 4)], False) if name.endswith("jsonl") else ([], False)
        )


def test_skipped_documents_are_reported_with_status_1(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "qrels.txt"
    length = len(TEXT)
    file.write_text(f"{TOPIC} Q0 d1 7 {length} 2 2:7\n9999 Q0 d1 7 {length} 2 2:7\n")
    assert main(["import", str(path), str(file)]) == 1
    out, err = capsys.readouterr()
    assert out == f"{file}: 1 document imported, 0 were judged the same already\n"
    assert "9999" in err


def test_topics_that_the_project_lacks_are_named_in_one_warning(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "qrels.txt"
    file.write_text("".join(f"900{i} Q0 d1 7 {len(TEXT)} 2 2:7\n" for i in range(8)))
    assert main(["import", str(path), str(file)]) == 1
    left_out = (
        "8 topics are not in the project: their judgements were skipped: 9000, 9001, 9002, 9003, 9004, …"
    )
    assert capsys.readouterr().err == f"inexview: warning: {left_out}\n"


def test_documents_missing_from_the_collection_are_skipped_with_a_message(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "qrels.txt"
    file.write_text(f"{TOPIC} Q0 d1 0 {len(TEXT)}\n{TOPIC} Q0 elsewhere 0 9\n9999 Q0 nowhere 0 9\n")
    assert main(["import", str(path), str(file)]) == 1
    out, err = capsys.readouterr()
    assert out == f"{file}: 1 document imported, 0 were judged the same already\n"
    assert "1 judged document is not in the collection and was left out: elsewhere" in err
    assert "nowhere" not in err  # no one here judges its topic


def test_other_judgements_stay_unless_they_are_to_be_replaced(
    judged: Path, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = exported(judged, "qrels.txt")
    with Project.open(path) as project:
        project.not_relevant(TOPIC, "d1")
    assert main(["import", str(path), str(file)]) == 1
    with Project.open(path) as project:
        assert not project.state(TOPIC, "d1").marks
    assert main(["import", str(path), str(file), "--replace"]) == 0
    with Project.open(path) as project:
        assert list(project.state(TOPIC, "d1").marks) == [(2, 9)]
    assert "2 were judged the same already" not in capsys.readouterr().out


def test_assessments_in_which_nothing_is_relevant_are_taken_over(tmp_path: Path, path: Path) -> None:
    """They look alike whether passages were judged, or elements as before 2006."""
    (tmp_path / "from").mkdir()
    judged = make_project(tmp_path / "from")
    with Project.open(judged) as project:
        project.not_relevant(TOPIC, "d3", "d1")
    file = exported(judged, "nothing.xml", "--to", "assessments-2007")
    assert main(["import", str(path), str(file)]) == 0
    with Project.open(path) as project:
        assert project.state(TOPIC, "d1").finished
        assert not project.state(TOPIC, "d2").finished


def test_remarks_alone_judge_no_document(
    judged: Path, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["note", str(judged), TOPIC, "d3", "Ask Ada."]) == 0
    capsys.readouterr()
    assert main(["note", str(judged)]) == 0
    notes = judged.with_name("notes.jsonl")
    notes.write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["import", str(path), str(notes)]) == 0
    with Project.open(path) as project:
        assert project.histories.log(TOPIC, "d3").remarks.note == "Ask Ada."
        assert project.state(TOPIC, "d3").untouched


def test_suggestions_are_no_judgements(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bm25.jsonl").write_text(
        f'{{"topic": "{TOPIC}", "document": "d1", "start": 0, "end": 4, "score": 0.5}}\n'
    )
    assert main(["import", str(path), str(tmp_path / "bm25.jsonl")]) == 2
    assert "bm25.jsonl:1: contains no judgement of the document: expected" in capsys.readouterr().err
    with Project.open(path) as project:
        assert project.state(TOPIC, "d1").untouched


def test_a_run_is_refused(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = tmp_path / "run.txt"
    run.write_text(f"{TOPIC} Q0 d1 1 0.9 mine 2 7\n")
    assert main(["import", str(path), str(run)]) == 2
    assert "only judgements can be imported" in capsys.readouterr().err


def test_where_one_of_the_files_cannot_be_read_none_is_taken_over(
    judged: Path, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, broken = exported(judged, "qrels.txt"), judged.with_name("broken.txt")
    broken.write_text("1 Q0 d1 many 9\n", encoding="utf-8")
    for bad in (judged.with_name("missing.txt"), broken):
        capsys.readouterr()
        assert main(["import", str(path), str(good), str(bad)]) == 2
        assert "imported" not in capsys.readouterr().out
        with Project.open(path) as project:
            assert project.state(TOPIC, "d1").untouched
    assert main(["import", str(path), str(good), str(good)]) == 0
