"""Suggestions: read, taken, changed, refused, and left out of what is exported."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview import cli
from inexview.core.errors import DataError
from inexview.core.formats.jsonl import read_jsonl
from inexview.core.formats.passage_lines import write_fol_run
from inexview.core.judgements.runs import Result, Run
from inexview.core.project.document_state import ActionKind, JudgingAction, Suggestion
from inexview.core.project.history import History, Step
from inexview.core.project.project import Project
from inexview.core.project.reviews import (
    listed_suggestions,
    read_suggestions,
    refusing,
    taking,
    undecided,
    without_suggested,
)
from inexview.core.text.spans import Spans
from tests.projects import TOPIC, make_project

ONE, TWO = Suggestion(0, 8, "bm25", 0.5), Suggestion(20, 30, "bm25", 0.25)


@pytest.fixture
def project(tmp_path: Path):
    with Project.open(make_project(tmp_path / "study")) as project:
        yield project


def test_a_run_is_read_with_its_scores(project: Project, tmp_path: Path) -> None:
    results = [Result(TOPIC, "d1", 1, 0.9, 20, 30), Result(TOPIC, "d1", 2, 0.5, 0, 8)]
    write_fol_run(Run.from_results(results, id="bm25"), tmp_path / "run.txt")
    read = read_suggestions(tmp_path / "run.txt", project.collection)
    assert [(one.span, one.score) for one in read.of(TOPIC, "d1")] == [((0, 8), 0.5), ((20, 30), 0.9)]
    assert (read.source, len(read)) == ("bm25", 2)
    assert read.of(TOPIC, "d2") == ()


def test_json_lines_hold_one_passage_or_several(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "model.jsonl"
    path.write_text(
        f'{{"topic": "{TOPIC}", "document": "d1", "start": 20, "end": 30, "score": -2}}\n'
        f'{{"topic": "{TOPIC}", "document": "d1", "passages": [{{"start": 0, "end": 8}}]}}\n'
    )
    read = read_suggestions(path, project.collection)
    assert [(one.span, one.score) for one in read.of(TOPIC, "d1")] == [((0, 8), None), ((20, 30), -2.0)]
    path.write_text(f'{{"topic": "{TOPIC}", "document": "d1", "start": 9, "end": 9, "score": "high"}}\n')
    with pytest.raises(DataError, match=r"model\.jsonl:1: field 'score' = 'high': is not a number"):
        read_suggestions(path, project.collection)


def test_documents_missing_from_the_collection_are_reported(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "model.jsonl"
    line = f'{{"topic": "{TOPIC}", "document": "%s", "start": 0, "end": 8}}\n'
    path.write_text(line % "d1" + line % "elsewhere")
    read = read_suggestions(path, project.collection)
    assert read.warnings == ("1 document not in the collection: elsewhere",)
    path.write_text(line % "d1")
    assert read_suggestions(path, project.collection).warnings == ()


def test_qrels_suggest_nothing(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "qrels.txt"
    path.write_text(f"{TOPIC} Q0 d1 0 42 -1\n")
    with pytest.raises(DataError):
        read_suggestions(path, project.collection)


def test_decisions_are_steps_that_the_journal_keeps(project: Project) -> None:
    project.do(TOPIC, "d1", taking(ONE))
    project.do(TOPIC, "d1", refusing(TWO))
    project.do(TOPIC, "d2", taking(TWO, (18, 30)))
    with Project.open(project.path, read_only=True) as again:
        first, other = (listed_suggestions(again.histories.of(TOPIC, name)) for name in ("d1", "d2"))
        assert [(one.decision, one.taken, one.score) for one in first] == [
            ("taken", (0, 8), 0.5),
            ("refused", None, 0.25),
        ]
        assert [(one.decision, one.taken) for one in other] == [("changed", (18, 30))]
        assert again.state(TOPIC, "d1").marks == Spans([(0, 8)])
    assert undecided([ONE, TWO], project.histories.of(TOPIC, "d1")) == ()
    project.undo(TOPIC, "d1")
    assert undecided([ONE, TWO], project.histories.of(TOPIC, "d1")) == (TWO,)


def test_an_export_includes_or_omits_suggestions(
    project: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("d1", "d2"):
        project.do(TOPIC, name, taking(ONE))
        project.set_bep(TOPIC, name, 0)
    project.mark(TOPIC, "d1", 12, 15)
    for name in ("d1", "d2"):
        project.finish(TOPIC, name)
    project.not_relevant(TOPIC, "d3")
    out = tmp_path / "out.jsonl"
    assert cli.main(["export", str(project.path), "-o", str(out)]) == 1
    first = next(one for one in read_jsonl(out) if one.judgement.document == "d1")
    assert first.judgement.passages == Spans([(0, 8), (12, 15)])
    assert [(span, origin.name, origin.suggested) for span, origin in first.origins] == [
        ((0, 8), "bm25", True)
    ]
    assert [(one.decision, one.score) for one in first.suggestions] == [("taken", 0.5)]
    options = ["-o", str(out), "--overwrite", "--without-suggested"]
    assert cli.main(["export", str(project.path), *options]) == 1
    assert f"left out: topic {TOPIC}, document d2: all its marks come from suggestions" in (
        capsys.readouterr().err
    )
    left = {one.judgement.document: one for one in read_jsonl(out)}
    assert sorted(left) == ["d1", "d3"]
    assert left["d1"].judgement.passages == Spans([(12, 15)])
    assert left["d1"].suggestions == ()


SPAN = st.tuples(st.integers(0, 20), st.integers(0, 20)).map(lambda pair: tuple(sorted(pair)))
KINDS = st.sampled_from([ActionKind.MARK, ActionKind.ERASE, ActionKind.TAKE_SUGGESTION])


@given(st.lists(st.tuples(KINDS, SPAN), max_size=8))
def test_without_suggestions_only_manual_marks_remain(steps) -> None:
    """A character is suggested if a suggestion marked it while it was not marked."""
    history, pen_state, machine = History(), set(), set()
    for kind, span in steps:
        suggestion = Suggestion(*span, "bm25") if kind is ActionKind.TAKE_SUGGESTION else None
        action = JudgingAction(kind, (span,), suggestion=suggestion)
        history.do(Step(str(len(history.done)), action))
        inside = set(range(*span))
        if kind is ActionKind.ERASE:
            pen_state, machine = pen_state - inside, machine - inside
        elif suggestion is not None:
            machine |= inside - pen_state
        else:
            pen_state |= inside - machine
    left = without_suggested(history)
    if machine and not pen_state:
        assert left is None
    else:
        assert {at for start, end in left.marks for at in range(start, end)} == pen_state
