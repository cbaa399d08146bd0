"""What is noted beside the judgements: remarks, how a document was read, and that a run was looked at."""

from __future__ import annotations

from collections.abc import Sequence

from inexview.core.errors import JudgementError
from inexview.core.project.contents import scale_entry
from inexview.core.project.journal.journal import JournalEntry
from inexview.core.project.journal.journal_rows import (
    ANSWER,
    AWAY,
    BACK,
    FLAG,
    GRADE,
    INSPECTED,
    LEFT,
    NO_REMARKS,
    NOTE,
    OPENED,
    SUGGESTED,
    Remarks,
    remark_content,
)
from inexview.core.project.judging.history import entries, late_quotes
from inexview.core.project.judging.suggestions import Suggestions
from inexview.core.project.project import Project
from inexview.core.text.search import Span, text_digest

SUGGESTIONS = "suggestions"


def set_note(project: Project, topic: str, document: str, note: str, span: Span | None = None) -> None:
    """Note something about a document, or about one of its passages; an empty note takes it away."""
    project.append([JournalEntry(NOTE, remark_content(note, span), topic, document)])


def set_flag(project: Project, topic: str, document: str, *, on: bool) -> None:
    """Note that one wants to come back to a document, or no longer."""
    project.append([JournalEntry(FLAG, {"on": on}, topic, document)])


def set_answer(project: Project, topic: str, document: str, question: str, *, on: bool) -> None:
    """Note that what the quality report asks about a document is right as it is, or take that back."""
    project.append([JournalEntry(ANSWER, {"question": question, "on": on}, topic, document)])


def set_grade(project: Project, topic: str, document: str, grade: str, span: Span | None = None) -> None:
    """Grade a document, or one of its passages, on the project's scale; an empty grade takes it away.

    Raises JudgementError for a grade that the scale has not.
    """
    if grade and grade not in project.contents.scale:
        known = ", ".join(project.contents.scale) or "none; declare them first"
        raise JudgementError(f"the project has no grade {grade!r}; its grades are {known}")
    project.append([JournalEntry(GRADE, remark_content(grade, span), topic, document)])


def restore_remarks(project: Project, topic: str, document: str, wanted: Remarks) -> None:
    """Write what makes the notes, grades and flag of a document those that are wanted; answers stay."""
    here = project.histories.log(topic, document).remarks
    said: list[tuple[str, Span | None, str, str]] = [
        (NOTE, None, here.note, wanted.note),
        (GRADE, None, here.grade, wanted.grade),
    ]
    for kind, known, sought in ((NOTE, here.notes, wanted.notes), (GRADE, here.grades, wanted.grades)):
        said += [
            (kind, span, known.get(span, ""), sought.get(span, "")) for span in sorted({*known, *sought})
        ]
    entries = [
        JournalEntry(kind, remark_content(text, span), topic, document)
        for kind, span, before, text in said
        if text != before
    ]
    if wanted.come_back != here.come_back:
        entries.append(JournalEntry(FLAG, {"on": wanted.come_back}, topic, document))
    project.append(entries)


def remark_entries(
    project: Project, topic: str, document: str, remarks: Remarks, *, replace: bool
) -> tuple[list[JournalEntry], list[str]]:
    """Return what to write so that remarks from elsewhere are kept here too, and what is left out.

    Where something else is remarked here, that stays, unless ``replace``.
    """
    here = project.histories.log(topic, document).remarks
    said: list[tuple[str, str, Span | None, str]] = [
        (NOTE, remarks.note, None, here.note),
        *((NOTE, note, span, here.notes.get(span, "")) for span, note in remarks.notes.items()),
        (GRADE, remarks.grade, None, here.grade),
        *((GRADE, grade, span, here.grades.get(span, "")) for span, grade in remarks.grades.items()),
    ]
    entries, left_out = [], []
    for kind, text, span, known in said:
        if kind == GRADE and text and text not in project.contents.scale:
            left_out.append(f"the grade {text!r} is none of this project's, and left out")
        elif text and text != known:
            if known and not replace:
                left_out.append(f"another {kind} is here, which is kept")
            else:
                entries.append(JournalEntry(kind, remark_content(text, span), topic, document))
    if remarks.come_back and not here.come_back:
        entries.append(JournalEntry(FLAG, {"on": True}, topic, document))
    return entries, left_out


def set_scale(project: Project, grades: Sequence[str]) -> None:
    """Declare the grades of a project, lowest first; raises what ``scale_entry`` does."""
    project.append([scale_entry(grades)])


def remarked(project: Project, topic: str) -> tuple[str, ...]:
    """Return the documents of a topic that have a note, a grade or a flag."""
    listed = [document for of, document in project.journal.remarked() if of == topic]
    logs = ((document, project.histories.log(topic, document)) for document in listed)
    return tuple(document for document, log in logs if log.remarks != NO_REMARKS)


def note_opened(
    project: Project,
    topic: str,
    document: str,
    *,
    text: str | None = None,
    soon: bool = False,
) -> None:
    """Note that a document is on the screen now; ``soon``: with what is written next.

    Its text spares the project loading it to check offsets and to quote what is marked in it; the row says
    by length and digest which text it was.
    """
    noted: list[JournalEntry] = []
    read: dict[str, object] = {}
    if text is not None:
        read = {"length": len(text), "digest": text_digest(text)}
        project.documents.note_text(document, text)
        late = late_quotes(project.histories.quoted(topic, document), text)
        noted = entries([late] if late is not None else [])
    opened = JournalEntry(OPENED, read, topic, document)
    project.append([*noted, opened], soon=soon and (project.untouched or not noted))


def note_left(project: Project, topic: str, document: str, offset: int, *, soon: bool = False) -> None:
    """Note where reading stopped, a code-point offset; ``soon``: with what is written next."""
    project.append([JournalEntry(LEFT, {"offset": offset}, topic, document)], soon=soon)


def last_opened(project: Project) -> tuple[str, str] | None:
    row = project.journal.newest(OPENED)
    return None if row is None or row.topic is None or row.document is None else (row.topic, row.document)


def note_away(project: Project, topic: str, document: str, idle: float) -> None:
    """Note that no one has looked at a document for so many seconds: they are no time spent on it."""
    project.append([JournalEntry(AWAY, {"idle": round(idle, 3)}, topic, document)], soon=project.untouched)


def note_back(project: Project, topic: str, document: str) -> None:
    project.append([JournalEntry(BACK, {}, topic, document)], soon=project.untouched)


def note_inspected(
    project: Project, topic: str, document: str, runs: Sequence[str], *, soon: bool = False
) -> None:
    """Note that runs were looked at over a document that was not finished, and so judged no longer blind.

    Where that is written ``soon`` it still comes before any judgement of what was seen.
    """
    project.append([JournalEntry(INSPECTED, {"runs": list(runs)}, topic, document)], soon=soon)


def note_suggestions(project: Project, suggestions: Suggestions, *, on: bool) -> None:
    content = {"source": suggestions.source, "on": on, "passages": len(suggestions)}
    project.append([JournalEntry(SUGGESTIONS, content)])


def note_suggested(project: Project, topic: str, document: str, source: str, passages: int) -> None:
    """Note that a document that is not finished was seen with so many suggestions."""
    content = {"source": source, "passages": passages}
    project.append([JournalEntry(SUGGESTED, content, topic, document)])
