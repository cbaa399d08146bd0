"""Steps over so many documents that they are written in parts: one step all the same."""

from __future__ import annotations

from inexview.core.project.history import REDO, UNDO
from inexview.core.project.journal_rows import BulkStep
from inexview.core.project.project import Project, not_relevant_too, turn_too
from tests.projects import TOPIC

DOCUMENTS = ("d1", "d2", "d3", "d4")


def finished(project: Project) -> list[str]:
    return [name for name in DOCUMENTS if project.state(TOPIC, name).finished]


def in_parts(project: Project) -> BulkStep:
    step = BulkStep(len(DOCUMENTS))
    project.not_relevant(TOPIC, "d2")
    assert not_relevant_too(project, TOPIC, step, ("d2",)) == []
    assert not_relevant_too(project, TOPIC, step, ("d1", "d2")) == ["d1"]
    assert not_relevant_too(project, TOPIC, step, ("d3", "d4")) == ["d3", "d4"]
    return step


def test_all_parts_have_the_id_of_the_first_row(project: Project) -> None:
    step = in_parts(project)
    two, one, three, four = (row for row in project.journal.rows() if row.action == "not-relevant")
    assert two.step is None
    assert [row.document for row in (one, three, four)] == ["d1", "d3", "d4"]
    assert {row.step for row in (one, three, four)} == {one.id} == {step.id}
    assert {row.values()["documents"] for row in (one, three, four)} == {4}


def test_parts_are_taken_back_and_done_again_together(project: Project) -> None:
    in_parts(project)
    project.undo(TOPIC, "d3")
    assert finished(project) == ["d2"]
    project.redo(TOPIC, "d4")
    assert finished(project) == list(DOCUMENTS)


def test_a_step_is_undone_and_done_again_in_parts_where_it_is_the_next_one(project: Project) -> None:
    of = in_parts(project).id
    project.mark(TOPIC, "d4", 0, 5)
    undone = BulkStep(3)
    assert turn_too(project, TOPIC, undone, UNDO, of, ("d4", "d2")) == []
    assert turn_too(project, TOPIC, undone, UNDO, of, ("d1", "d4")) == ["d1"]
    assert turn_too(project, TOPIC, undone, UNDO, of, ("d3",)) == ["d3"]
    assert finished(project) == ["d2"]
    assert {row.step for row in project.journal.rows() if row.action == UNDO} == {undone.id}
    assert turn_too(project, TOPIC, BulkStep(2), REDO, of, ("d1", "d2")) == ["d1"]
    assert finished(project) == ["d1", "d2"]


def test_a_step_of_one_document_has_no_name(project: Project) -> None:
    assert not_relevant_too(project, TOPIC, BulkStep(1), ("d1",)) == ["d1"]
    *_, row = project.journal.rows()
    assert (row.step, "documents" in row.values()) == (None, False)


def test_a_step_of_two_documents_has_the_name_of_the_first(project: Project) -> None:
    project.not_relevant(TOPIC, "d1", "d2")
    *_, one, two = project.journal.rows()
    assert one.step == two.step == one.id
