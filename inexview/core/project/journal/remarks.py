"""What an assessor remarks about a document and its passages: notes, grades, the flag "come back", answers.

They are no steps of judging: undo passes them by, and a document that has only remarks is not judged.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from inexview.core.project.journal.journal_rows import Row
from inexview.core.project.journal.reading_place import READING
from inexview.core.project.journal.row_values import spans_from, text, truth
from inexview.core.text.spans import Spans
from inexview.core.text.text_quotes import Span

NOTE, FLAG, GRADE, ANSWER = "note", "flag", "grade", "answer"
REMARKS = frozenset((NOTE, FLAG, GRADE, ANSWER))
NOT_JUDGING = READING | REMARKS
"""Actions that are no steps of judging."""


@dataclass(frozen=True, slots=True)
class Remarks:
    """The remarks about one document for one topic; those about passages by their span."""

    note: str = ""
    come_back: bool = False
    grade: str = ""
    notes: Mapping[Span, str] = field(default_factory=dict)
    grades: Mapping[Span, str] = field(default_factory=dict)
    answered: frozenset[str] = frozenset()
    """The questions of the quality report that were answered with "right as it is"."""

    def noted_in(self, passage: Span) -> tuple[Span, ...]:
        """Return, in order, the spans noted about that share characters with a passage."""
        start, end = passage
        return tuple(sorted(span for span in self.notes if span[0] < end and start < span[1]))

    def note_in(self, passage: Span) -> str:
        """Return what is noted about a passage, a line for each note; empty where nothing is."""
        return "\n".join(self.notes[span] for span in self.noted_in(passage))

    def grade_in(self, passage: Span) -> str:
        """Return the grade of a passage, of the first where it grew over several; empty where it has none."""
        start, end = passage
        shared = (span for span in sorted(self.grades) if span[0] < end and start < span[1])
        return next((self.grades[span] for span in shared), "")

    def of_passages(self, passages: Spans) -> Remarks:
        """Return the remarks as they belong to passages, which may have grown or shrunk since.

        Only passages that something was remarked about are looked at: there may be a thousand.
        """
        if not self.notes and not self.grades:
            return self
        noted, graded = _sharing(passages, self.notes), _sharing(passages, self.grades)
        notes = {passage: "\n".join(map(self.notes.__getitem__, spans)) for passage, spans in noted.items()}
        grades = {passage: self.grades[spans[0]] for passage, spans in graded.items()}
        return replace(self, notes=notes, grades=grades)

    def after(self, row: Row) -> Remarks:
        """Return the remarks after a row; raises ProjectError where it makes no sense."""
        content = row.values()
        try:
            if row.action == FLAG:
                return replace(self, come_back=truth(content["on"], "on"))
            if row.action == ANSWER:
                question = frozenset((text(content["question"], "question"),))
                on = truth(content["on"], "on")
                return replace(self, answered=self.answered | question if on else self.answered - question)
            said = text(content["text"], "text")
            span = spans_from([content["span"]])[0] if "span" in content else None
        except (KeyError, TypeError, ValueError) as error:
            raise row.damaged(str(error)) from error
        if span is None:
            return replace(self, note=said) if row.action == NOTE else replace(self, grade=said)
        if row.action == NOTE:
            return replace(self, notes=_with(self.notes, span, said))
        return replace(self, grades=_with(self.grades, span, said))


def _sharing(passages: Spans, spans: Iterable[Span]) -> dict[Span, list[Span]]:
    """Return, in order, the passages that share characters with some spans, and with which."""
    sharing = defaultdict[int, list[Span]](list)
    for span in sorted(spans):
        for row in passages.sharing(*span):
            sharing[row].append(span)
    return {(int(passages.starts[row]), int(passages.ends[row])): sharing[row] for row in sorted(sharing)}


NO_REMARKS = Remarks()


def remark_content(said: str, span: Span | None) -> dict[str, Any]:
    """Return what a row holds of a note or a grade; an empty one takes the one before away."""
    whole = said.encode(errors="replace").decode()  # halves of characters cannot be written
    return {"text": whole} if span is None else {"text": whole, "span": list(span)}


def _with(known: Mapping[Span, str], span: Span, said: str) -> dict[Span, str]:
    left = {other: text for other, text in known.items() if other != span}
    return {**left, span: said} if said else left
