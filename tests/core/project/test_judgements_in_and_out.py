"""Judgements taken out of a project and into it."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from inexview.core.errors import ProjectError
from inexview.core.judgements.qrels import Judgement, JudgementRecord, PooledDocument, Qrels, Records
from inexview.core.project.contents import pool_entry
from inexview.core.project.document_state import UNTOUCHED, DocumentState
from inexview.core.project.import_judgements import CHECKED, Ready, import_judgements, make_ready
from inexview.core.project.judgement_export import judgements_of
from inexview.core.project.project import Project
from inexview.core.text.counting import CODE_POINTS, CONVENTIONS, UTF8_BYTES, Convention, Scale
from inexview.core.text.search import Quote, quotes_of
from inexview.core.text.spans import EMPTY, Spans
from tests.projects import OTHER_TOPIC, TEXT, TOPIC, make_project

LENGTH = len(TEXT)


def judge_some(project: Project) -> None:
    project.mark(TOPIC, "d1", 2, 9)
    project.set_bep(TOPIC, "d1", 2)
    project.finish(TOPIC, "d1")
    project.not_relevant(TOPIC, "d3")
    project.mark(TOPIC, "d5", 0, 4)
    project.set_bep(TOPIC, "d5", 0)
    project.finish(TOPIC, "d5")
    project.mark(TOPIC, "d2", 0, 4)


def test_judgements_are_those_of_finished_documents_in_pool_order_then_the_others(project: Project) -> None:
    judge_some(project)
    judgements, left_out = judgements_of(project)
    assert judgements == [
        Judgement(TOPIC, "d3", 0, LENGTH, None, EMPTY),
        Judgement(TOPIC, "d1", 7, LENGTH, 2, Spans([(2, 9)])),
        Judgement(TOPIC, "d5", 4, LENGTH, 0, Spans([(0, 4)])),
    ]
    assert left_out == [(TOPIC, "d2"), (OTHER_TOPIC, "d1")]


def test_without_a_pool_only_documents_worked_on_are_left_out(tmp_path: Path) -> None:
    with Project.open(make_project(tmp_path, pooled=False)) as project:
        judge_some(project)
        project.mark(TOPIC, "d4", 0, 1)
        project.undo(TOPIC, "d4")
        judgements, left_out = judgements_of(project)
        assert [judgement.document for judgement in judgements] == ["d1", "d3", "d5"]
        assert left_out == [(TOPIC, "d2")]


def test_judgements_need_no_collection_where_the_documents_were_finished_one_by_one(path: Path) -> None:
    with Project.open(path) as project:
        judge_some(project)
        expected = judgements_of(project)
    shutil.rmtree(path.parent / "articles")
    with Project.open(path, read_only=True) as project:
        assert judgements_of(project) == expected


def test_what_cannot_be_read_and_is_not_relevant_is_judged_without_a_length(path: Path) -> None:
    (path.parent / "articles" / "d1.xml").write_text("<article>no end", encoding="utf-8")
    with Project.open(path) as project:
        project.not_relevant(TOPIC, "d3", "d1", "d2")
        lengths = [(one.document, one.length) for one in judgements_of(project).judgements]
        assert lengths == [("d3", len(TEXT)), ("d1", 0), ("d2", len(TEXT))]
    with Project.open(path) as project:
        unread = judgements_of(project, read_lengths=False).judgements
        assert [one.length for one in unread] == [0, 0, 0]


def test_exported_judgements_come_back_as_the_same_states(path: Path, tmp_path: Path) -> None:
    with Project.open(path) as project:
        judge_some(project)
        judgements, _ = judgements_of(project)
    with Project.open(make_project(tmp_path / "again")) as project:
        imported = import_judgements(project, Qrels.from_judgements(judgements))
        assert (imported.documents, imported.unchanged, imported.warnings) == (3, 0, ())
        assert judgements_of(project).judgements == judgements
        assert project.can_undo(TOPIC, "d1") == "import judgement"
        assert project.pool(TOPIC) == ("d3", "d1", "d2", "d5")
        assert project.undo(TOPIC, "d1") == UNTOUCHED
        assert project.state(TOPIC, "d3").finished
        assert import_judgements(project, Qrels.from_judgements(judgements)).unchanged == 2


@pytest.mark.parametrize("convention", CONVENTIONS, ids=str)
def test_judgements_go_out_and_come_back_by_the_projects_way_of_counting(
    tmp_path: Path, convention: Convention
) -> None:
    scale = Scale(TEXT, convention)
    start, end, bep = 15, 30, 22  # around and behind the fox
    with Project.open(make_project(tmp_path / "one")) as project:
        project.set_convention(convention)
        project.mark(TOPIC, "d1", start, end)
        project.set_bep(TOPIC, "d1", bep)
        project.finish(TOPIC, "d1")
        project.not_relevant(TOPIC, "d3")
        in_code_points = judgements_of(project, code_points=True).judgements
        written, _ = judgements_of(project)
    starts, ends, entry = (int(scale.from_code_points(at)) for at in (start, end, bep))
    assert written == [
        Judgement(TOPIC, "d3", 0, scale.length, None, EMPTY),
        Judgement(TOPIC, "d1", ends - starts, scale.length, entry, Spans([(starts, ends)])),
    ]
    assert in_code_points[1] == Judgement(TOPIC, "d1", 15, LENGTH, bep, Spans([(start, end)]))
    with Project.open(make_project(tmp_path / "another")) as project:
        project.set_convention(convention)
        assert import_judgements(project, Qrels.from_judgements(written)).warnings == ()
        assert judgements_of(project, code_points=True).judgements == in_code_points


def imported(project: Project, *judgements: Judgement, replace: bool = False) -> tuple[str, ...]:
    return import_judgements(project, Qrels.from_judgements(judgements), replace=replace).warnings


def test_an_import_keeps_own_judgements_by_default(project: Project) -> None:
    project.mark(TOPIC, "d1", 0, 3)
    theirs = Judgement(TOPIC, "d1", 4, LENGTH, 1, Spans([(1, 5)]))
    (warning,) = imported(project, theirs)
    assert "judged differently here" in warning
    assert project.state(TOPIC, "d1").marks.size == 3
    assert imported(project, theirs, replace=True) == ()
    assert project.state(TOPIC, "d1") == DocumentState((1, 5), 1, finished=True)
    assert project.undo(TOPIC, "d1").marks.size == 3


def of_unknown_length(rsize: int, length: int, bep: int | None, passages: Spans) -> Judgement:
    """Judge a document that the collection does not have, so that only the qrels say how long it is."""
    return Judgement(TOPIC, "elsewhere", rsize, length, bep, passages)


@pytest.mark.parametrize(
    ("judgement", "state", "said"),
    [
        (of_unknown_length(4, 10, None, Spans([(1, 5)])), DocumentState((1, 5)), ["without a best entry"]),
        (of_unknown_length(12, 10, 3, Spans([(1, 13)])), DocumentState((1, 10), 3, True), ["cut off"]),
        (
            of_unknown_length(4, 10, 10, Spans([(1, 5)])),
            DocumentState((1, 5)),
            ["past the document's end", "without a best entry"],
        ),
        (of_unknown_length(4, 10, None, EMPTY), UNTOUCHED, ["no passage is marked"]),
        (
            of_unknown_length(0, 10, 3, EMPTY),
            DocumentState(finished=True),
            ["without relevant text was dropped"],
        ),
        (of_unknown_length(4, 0, 3, Spans([(1, 5)])), DocumentState((1, 5), 3, True), []),
    ],
)
def test_odd_judgements_are_taken_as_far_as_they_go_with_a_warning(
    project: Project, judgement: Judgement, state: DocumentState, said: list[str]
) -> None:
    project.append([pool_entry(TOPIC, [PooledDocument("elsewhere")])])
    warnings = imported(project, judgement)
    assert len(warnings) == len(said)
    assert all(f"topic {TOPIC}, document elsewhere" in warning for warning in warnings)
    assert all(part in warning for part, warning in zip(said, warnings, strict=True))
    assert project.state(TOPIC, "elsewhere") == state


def test_documents_that_neither_collection_nor_pool_has_are_left_out(project: Project) -> None:
    before = project.journal.last
    (warning,) = imported(project, Judgement(TOPIC, "elsewhere", 0, LENGTH, None, EMPTY))
    assert warning == "1 judged document is not in the collection and was left out: elsewhere"
    assert project.journal.last == before


def test_judgements_of_topics_that_are_not_in_the_project_are_left_out(project: Project) -> None:
    before = project.journal.last
    (warning,) = imported(project, Judgement("9", "d1", 0, LENGTH, None, EMPTY))
    assert "topic 9 is not in the project" in warning
    assert project.journal.last == before


def test_only_documents_outside_the_pool_are_added_to_it(project: Project) -> None:
    for document, actions in (("d1", ["session", "import"]), ("d5", ["pool", "import"])):
        before = len(list(project.journal.rows()))
        assert imported(project, Judgement(TOPIC, document, 0, LENGTH, None, EMPTY)) == ()
        assert [row.action for row in list(project.journal.rows())[before:]] == actions
    assert project.pool(TOPIC) == ("d3", "d1", "d2", "d5")


def test_qrels_without_lengths_are_not_compared_with_the_documents(project: Project) -> None:
    assert imported(project, Judgement(TOPIC, "d1", 4, 0, 1, Spans([(1, 5)]))) == ()
    (warning,) = imported(project, Judgement(TOPIC, "d2", 4, 1, 1, Spans([(1, 5)])))
    assert "the qrels count 1 character, the document" in warning


def test_qrels_that_count_otherwise_are_warned_of_and_nothing_is_marked_past_the_end(
    project: Project,
) -> None:
    in_bytes = len(TEXT.encode())
    theirs = Judgement(TOPIC, "d1", in_bytes - 30, in_bytes, 30, Spans([(30, in_bytes)]))
    shifted, cut = imported(project, theirs)
    assert f"the qrels count {in_bytes} characters, the document has {LENGTH}" in shifted
    assert "cut off" in cut
    assert project.state(TOPIC, "d1") == DocumentState((30, LENGTH), 30, finished=True)


def test_a_passage_without_an_entry_point_is_counted_by_the_projects_way_too(project: Project) -> None:
    project.set_convention(UTF8_BYTES)
    start, end = (len(TEXT[:at].encode()) for at in (15, 30))
    theirs = Judgement(TOPIC, "d1", end - start, len(TEXT.encode()), None, Spans([(start, end)]))
    (warning,) = imported(project, theirs)
    assert "without a best entry point: it stays open" in warning
    assert project.state(TOPIC, "d1") == DocumentState((15, 30))


def ready_of(judged: Qrels | Records, read: list[str]) -> Ready:
    """Make judgements ready, and note which documents are read for it."""
    return make_ready(judged, {TOPIC}, CODE_POINTS, lambda document: read.append(document) or TEXT)


def test_imported_passages_without_quotes_are_quoted() -> None:
    judgement = Judgement(TOPIC, "d1", 4, LENGTH, 1, Spans([(1, 5), (9, 12)]))
    (taken,) = ready_of(Qrels.from_judgements([judgement]), []).taken
    assert taken.quotes == quotes_of(TEXT, [(1, 5), (9, 12), (1, 1)])
    assert taken.actual == LENGTH
    brought = {(1, 5): Quote("what it", "said then")}
    (taken,) = ready_of(Records((JudgementRecord(judgement, quotes=brought),)), []).taken
    assert taken.quotes == {**quotes_of(TEXT, [(9, 12), (1, 1)]), **brought}


def test_only_the_first_documents_of_the_projects_topics_are_read_and_each_once() -> None:
    names = [f"d{number}" for number in range(CHECKED + 9)]
    judged = [Judgement("9", "other", 0, 0, None, EMPTY)]
    judged += [Judgement(TOPIC, name, 0, 0, None, EMPTY) for name in names]
    read: list[str] = []
    ready = ready_of(Records(tuple(map(JudgementRecord, (*judged, *judged)))), read)
    assert read == names[:CHECKED]
    assert sum(one.actual is not None for one in ready.taken) == 2 * CHECKED
    assert [one.judgement for one in ready.taken] == [*judged, *judged]


def test_grades_of_whole_documents_are_no_judgements_of_passages(project: Project) -> None:
    graded = replace(Qrels.from_judgements([Judgement(TOPIC, "d1", 2, 0, None, EMPTY)]), graded=True)
    with pytest.raises(ProjectError, match="grade whole documents"):
        import_judgements(project, graded)
