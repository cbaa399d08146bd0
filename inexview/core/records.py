"""A judged document with all that a project knows of it: more than any of the field's formats can say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from inexview.core.qrels import Judgement, Qrels
from inexview.core.quotes import Quote, Span


@dataclass(frozen=True, slots=True)
class Record:
    """One document as it stands judged for one topic; offsets are code points.

    ``quotes`` say how passages read when they were marked, as far as that is known.  ``begun`` and
    ``changed`` are times (ISO 8601, UTC) of the first and the last step, empty where nobody knows;
    ``seconds`` is how long the document was open.
    """

    judgement: Judgement
    finished: bool = True
    quotes: Mapping[Span, Quote] = field(default_factory=dict)
    assessor: str = ""
    begun: str = ""
    changed: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Records:
    """The records of a file, in its order, and what was odd about it."""

    records: tuple[Record, ...]
    path: Path | None = None
    warnings: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.records)

    def __iter__(self) -> Iterator[Record]:
        return iter(self.records)

    def qrels(self) -> Qrels:
        """Return what is judged completely, as qrels; open documents are no judgements yet."""
        made = Qrels.from_judgements(record.judgement for record in self.records if record.finished)
        return replace(made, path=self.path, warnings=self.warnings)


def unfinished(records: Iterable[Record]) -> list[tuple[str, str]]:
    """Return topic and document of the records that are still open."""
    return [(record.judgement.topic, record.judgement.document) for record in records if not record.finished]
