"""What JSON lines say of a project's documents is there again in the project that takes them over."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from inexview.core.errors import JudgementError
from inexview.core.formats.jsonl import read_jsonl, write_jsonl
from inexview.core.judgements.qrels import JudgementRecord, Origin
from inexview.core.judgements.topics import Topic
from inexview.core.project import reviews
from inexview.core.project.document_state import ActionKind, JudgingAction, Ruling, Settled, Suggestion
from inexview.core.project.import_judgements import import_judgements
from inexview.core.project.judgement_export import judgements_of, records_of
from inexview.core.project.project import Project
from inexview.core.project.reviews import listed_origins, refusing, taking
from inexview.core.text.spans import Spans
from tests.projects import article, project_of

TOPIC = Topic("7", "foxes")
WORDS = {
    "latin": "Ein Fuchs. Zwei Füchse",
    "hebrew": "שלום עולם, \u200fזה טקסט",
    "astral": "a🦊b𝔘c👩\u200d🚀 e\u0301n\u0303",
    "outside": "no pool has it",
}
LENGTHS = {name: len(name) + len(text) for name, text in WORDS.items()}
SCALE = ["okay", "vital 🦊"]
DOING = (
    "mark", "erase", "bep", "finish", "reopen", "none", "clear", "undo", "redo", "take", "change", "refuse",
    "settle", "note", "noted", "flag", "grade", "graded",
)  # fmt: skip
SOURCES = ["bm25", "ראשון", "a model 🦊"]


def make_project(folder: Path) -> Project:
    folder.mkdir(parents=True)
    articles = {name: article(name, text) for name, text in WORDS.items()}
    project = Project.open(project_of(folder, articles, TOPIC, pool=["hebrew", "latin", "astral"]))
    reviews.set_scale(project, SCALE)
    return project


def known(project: Project) -> list[JudgementRecord]:
    """Return what is known of the documents but for who did it, and when."""
    return [replace(one, assessor="", begun="", changed="", seconds=0.0) for one in records_of(project)]


def assert_carried(project: Project, folder: Path) -> None:
    """Take the JSON lines of a project over into a new one, and compare the two."""
    write_jsonl(records_of(project), folder / "judged.jsonl")
    records = read_jsonl(folder / "judged.jsonl")
    assert records.warnings == ()
    with make_project(folder / "other") as other:
        assert import_judgements(other, records).warnings == ()
        assert known(other) == known(project)
        for suggested in (True, False):
            there = judgements_of(other, suggested=suggested).judgements
            assert there == judgements_of(project, suggested=suggested).judgements
        rows = len(list(other.journal.rows()))
        for again in (False, True):
            assert import_judgements(other, records, replace=again).warnings == ()
        assert len(list(other.journal.rows())) == rows, "what is known already is not written again"


@st.composite
def steps(draw: st.DrawFn) -> tuple[str, ...]:
    """Draw a document, what is done to it, a passage of it, and a text or a number."""
    document = draw(st.sampled_from(list(WORDS)))
    doing = draw(st.sampled_from(DOING))
    first, last = sorted(draw(st.tuples(*[st.integers(0, LENGTHS[document])] * 2)))
    return document, doing, (first, last), draw(st.integers(0, 5))


def do(project: Project, document: str, doing: str, span: tuple[int, int], number: int) -> None:
    topic, (start, end) = TOPIC.id, span
    suggestion = Suggestion(start, end, SOURCES[number % 3], number / 7 if number % 2 else None)
    settled = Settled(list(Ruling)[number], "ada", "grace 🦊", "third", places=(span,))
    said = ["", "a note", "\u202eright to left\u202c", "e\u0301 🦊\nnext line\ttab", '"\\/', "\u2028"][number]
    grade = ["", *SCALE][number % 3]
    match doing:
        case "mark":
            project.mark(topic, document, start, end)
        case "erase":
            project.erase(topic, document, start, end)
        case "bep":
            project.set_bep(topic, document, None if number == 0 else min(start, LENGTHS[document] - 1))
        case "finish":
            project.finish(topic, document)
        case "reopen":
            project.reopen(topic, document)
        case "none":
            project.not_relevant(topic, document)
        case "clear":
            project.clear(topic, document)
        case "undo":
            project.undo(topic, document)
        case "redo":
            project.redo(topic, document)
        case "take" if start < end:
            project.do(topic, document, taking(suggestion))
        case "change" if start < end:
            project.do(topic, document, taking(suggestion, (max(start - 1, 0), end)))
        case "refuse":
            project.do(topic, document, refusing(suggestion))
        case "settle":
            action = JudgingAction(ActionKind.SETTLE, tuple(Spans([span])), start or None, settled=settled)
            project.do(topic, document, action)
        case "note" | "noted":
            reviews.set_note(project, topic, document, said, span if doing == "noted" else None)
        case "flag":
            reviews.set_flag(project, topic, document, on=bool(number))
        case "grade" | "graded":
            reviews.set_grade(project, topic, document, grade, span if doing == "graded" else None)


@settings(max_examples=10)
@given(st.lists(steps(), max_size=25))
def test_whatever_was_done_is_there_again(done: list[tuple]) -> None:
    with TemporaryDirectory() as folder, make_project(Path(folder) / "one") as project:
        for step in done:
            try:
                do(project, *step)
            except JudgementError:
                continue
        if not known(project):
            return
        assert_carried(project, Path(folder))


def test_marks_from_suggestions_are_still_those_of_the_suggestions(tmp_path: Path) -> None:
    with make_project(tmp_path / "one") as project:
        project.do(TOPIC.id, "latin", taking(Suggestion(0, 5, "bm25", 0.5)))
        project.mark(TOPIC.id, "latin", 10, 12)
        project.do(TOPIC.id, "astral", refusing(Suggestion(2, 4, "bm25")))
        assert_carried(project, tmp_path)
    with Project.open(tmp_path / "other" / "small.inexview") as other:
        assert listed_origins(other.histories.of(TOPIC.id, "latin")) == (((0, 5), Origin("bm25", True)),)
        other.mark(TOPIC.id, "latin", 5, 7)
        other.erase(TOPIC.id, "latin", 0, 2)
        assert listed_origins(other.histories.of(TOPIC.id, "latin")) == (((2, 5), Origin("bm25", True)),)
        other.undo(TOPIC.id, "latin")
        other.undo(TOPIC.id, "latin")
        other.undo(TOPIC.id, "latin")
        assert listed_origins(other.histories.of(TOPIC.id, "latin")) == ()


def test_marks_that_were_drawn_here_stay_ones_own(tmp_path: Path) -> None:
    with make_project(tmp_path / "one") as project:
        project.do(TOPIC.id, "latin", taking(Suggestion(0, 5, "bm25")))
        write_jsonl(records_of(project), tmp_path / "judged.jsonl")
    records = read_jsonl(tmp_path / "judged.jsonl")
    with make_project(tmp_path / "other") as other:
        other.mark(TOPIC.id, "latin", 0, 5)
        assert import_judgements(other, records).unchanged == 1
        assert listed_origins(other.histories.of(TOPIC.id, "latin")) == ()
        assert import_judgements(other, records, replace=True).documents == 1
        assert listed_origins(other.histories.of(TOPIC.id, "latin")) == (((0, 5), Origin("bm25", True)),)
