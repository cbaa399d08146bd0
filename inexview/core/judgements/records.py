"""A judged document with all that a project knows of it: more than any of the field's formats can say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.text.spans import Ints
from inexview.core.text.text_quotes import Quote, Span

DECISIONS = ("taken", "changed", "refused")
"""What an assessor does with a suggestion: marks it, marks it with other ends, or not at all."""


class Origin(NamedTuple):
    """From whom marks are that the assessor did not draw: another's layer, or who suggested them."""

    name: str
    suggested: bool = False


class SuggestedPassage(NamedTuple):
    """A passage ``[start, end)`` that was suggested, and the decision about it.

    ``taken`` is what was marked, None where it was refused; ``score`` is None where the source gave none.
    """

    source: str
    start: int
    end: int
    score: float | None
    decision: str
    taken: Span | None


@dataclass(frozen=True, slots=True)
class JudgementRecord:
    """One document as it is judged for one topic; offsets are code points.

    ``quotes`` say how passages read when they were marked, and under its empty span the best entry point, as
    far as that is known.  ``begun`` and
    ``changed`` are times (ISO 8601, UTC) of the first and the last step, empty where no one knows;
    ``seconds`` is how long the document was open.
    """

    judgement: Judgement
    finished: bool = True
    quotes: Mapping[Span, Quote] = field(default_factory=dict)
    assessor: str = ""
    begun: str = ""
    changed: str = ""
    seconds: float = 0.0
    written: tuple[Span, ...] = ()
    """The passages as their file has them, where they overlap, touch or are unsorted; else nothing."""
    added: bool = False
    """Whether an assessor found the document, which no pool had."""

    note: str = ""
    come_back: bool = False
    """Whether somebody wants to look at it again."""
    grade: str = ""
    notes: Mapping[Span, str] = field(default_factory=dict)
    grades: Mapping[Span, str] = field(default_factory=dict)
    """Notes and grades of passages."""
    texts: Mapping[Span, str] = field(default_factory=dict)
    """The text of passages, where it is to be written; it is not read again."""
    origins: tuple[tuple[Span, Origin], ...] = ()
    """Marks that are not the assessor's own, in the order of the text."""
    suggestions: tuple[SuggestedPassage, ...] = ()
    """What was suggested, and decided."""

    @property
    def passages(self) -> Sequence[Span]:
        return self.written or tuple(self.judgement.passages)


@dataclass(frozen=True, slots=True)
class Records:
    """The records of a file, in its order, and what looked wrong about it."""

    records: tuple[JudgementRecord, ...]
    lines: tuple[int, ...] = ()
    """Where each is in the file; empty where they come from none."""
    path: Path | None = None
    warnings: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.records)

    def __iter__(self) -> Iterator[JudgementRecord]:
        return iter(self.records)

    def qrels(self) -> RecordedQrels:
        """Return what is judged completely, as qrels; open documents are no judgements yet, and are told."""
        finished = [at for at, record in enumerate(self.records) if record.finished]
        made = Qrels.from_judgements(self.records[at].judgement for at in finished)
        made = made.as_written([self.records[at].passages for at in finished])
        line = np.array([self.lines[at] for at in finished], np.int64) if self.lines else made.line
        warnings = self.warnings
        if left := len(self.records) - len(finished):
            are = "document is" if left == 1 else "documents are"
            warnings += (f"{self.path}: {left:,} {are} not finished, and left out",)
        columns = {field.name: getattr(made, field.name) for field in fields(made)}
        told = {"line": line, "path": self.path, "warnings": warnings, "records": self.records}
        return RecordedQrels(**{**columns, **told})


@dataclass(frozen=True, eq=False)
class RecordedQrels(Qrels):
    """Qrels that keep the records they come from, those of open documents too."""

    records: tuple[JudgementRecord, ...] = ()

    def take(self, rows: Ints) -> Qrels:
        """Return the qrels of these rows only, without records."""
        return replace(self, records=())._rows(rows)

    def _rows(self, rows: Ints) -> Qrels:
        return super().take(rows)

    @property
    def quotes(self) -> int:
        return sum(start < end for record in self.records for start, end in record.quotes)

    @property
    def signed(self) -> int:
        """How many documents it is known of who judged them, or when."""
        return sum(bool(one.assessor or one.begun or one.changed or one.seconds) for one in self.records)

    @property
    def graded_documents(self) -> int:
        return sum(bool(record.grade) for record in self.records)

    @property
    def graded_passages(self) -> int:
        return sum(len(record.grades) for record in self.records)

    @property
    def noted(self) -> int:
        """How many notes and flags there are, of documents and passages."""
        return sum(bool(one.note) + len(one.notes) + one.come_back for one in self.records)

    @property
    def decided(self) -> int:
        """How many marks it is known of whose they are, and how many suggestions that were decided."""
        return sum(len(record.origins) + len(record.suggestions) for record in self.records)

    @property
    def added(self) -> int:
        return sum(record.added for record in self.records)

    @property
    def unfinished(self) -> int:
        """How many documents are still open."""
        return sum(not record.finished for record in self.records)
