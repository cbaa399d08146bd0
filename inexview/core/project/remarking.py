"""What is noted beside the judgements: remarks, when no one looked, and that a run was looked at."""

from __future__ import annotations

from collections.abc import Sequence

from inexview.core.errors import JudgementError
from inexview.core.project.contents import scale_entry
from inexview.core.project.journal import JournalEntry
from inexview.core.project.project import Project
from inexview.core.project.reading_place import AWAY, BACK, INSPECTED
from inexview.core.project.remarks import FLAG, GRADE, NOTE, remark_content
from inexview.core.text.text_quotes import Span


def set_note(project: Project, topic: str, document: str, note: str, span: Span | None = None) -> None:
    """Note something about a document, or about one of its passages; an empty note takes it away."""
    project.append([JournalEntry(NOTE, remark_content(note, span), topic, document)])


def set_flag(project: Project, topic: str, document: str, *, on: bool) -> None:
    """Note that one wants to come back to a document, or no longer."""
    project.append([JournalEntry(FLAG, {"on": on}, topic, document)])


def set_grade(project: Project, topic: str, document: str, grade: str, span: Span | None = None) -> None:
    """Grade a document, or one of its passages, on the project's scale; an empty grade takes it away.

    Raises JudgementError for a grade that the scale has not.
    """
    if grade and grade not in project.scale:
        known = ", ".join(project.scale) or "none; declare them first"
        raise JudgementError(f"the project has no grade {grade!r}; its grades are {known}")
    project.append([JournalEntry(GRADE, remark_content(grade, span), topic, document)])


def set_scale(project: Project, grades: Sequence[str]) -> None:
    """Declare the grades of a project, lowest first.

    Raises JudgementError for names that are empty or not all different.
    """
    if len(set(grades)) < len(grades) or not all(grade.strip() for grade in grades):
        raise JudgementError("grades need names, each of them another")
    project.append([scale_entry(grades)])


def note_away(project: Project, topic: str, document: str, idle: float) -> None:
    """Note that no one has looked at a document for so many seconds: they are no time spent on it."""
    project.append([JournalEntry(AWAY, {"idle": round(idle, 3)}, topic, document)])


def note_back(project: Project, topic: str, document: str) -> None:
    """Note that somebody looks at a document again."""
    project.append([JournalEntry(BACK, {}, topic, document)])


def note_inspected(project: Project, topic: str, document: str, runs: Sequence[str]) -> None:
    """Note that runs were looked at over a document that was not finished, and so judged no longer blind."""
    project.append([JournalEntry(INSPECTED, {"runs": list(runs)}, topic, document)])
