"""Gold passages with aspects, as the TREC Genomics track judged: which sides of an answer a passage tells."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import NamedTuple

from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.text.offset_arrays import Ints
from inexview.core.text.spans import Spans


class GoldPassage(NamedTuple):
    """A passage ``[start, end)`` in the file's own unit, and the aspects that it tells."""

    topic: str
    document: str
    start: int
    end: int
    aspects: frozenset[str]


@dataclass(frozen=True, eq=False)
class AspectQrels(Qrels):
    """Qrels whose passages have aspects; the passages of a document are kept in the order of the file too."""

    gold: tuple[tuple[GoldPassage, ...], ...] = ()
    """The gold passages of each row of the qrels."""

    @property
    def aspects(self) -> int:
        """How many aspects the passages tell, those of each counted."""
        return sum(len(passage.aspects) for own in self.gold for passage in own)

    @classmethod
    def of(cls, passages: Iterable[GoldPassage], **about: object) -> AspectQrels:
        """Make qrels of gold passages; ``about`` gives path and warnings."""
        by_document: dict[tuple[str, str], list[GoldPassage]] = {}
        for passage in passages:
            by_document.setdefault((passage.topic, passage.document), []).append(passage)
        qrels = Qrels.from_judgements(
            Judgement(topic, document, spans.size, 0, None, spans)
            for (topic, document), own in by_document.items()
            for spans in [Spans((passage.start, passage.end) for passage in own)]
        )
        columns = {field.name: getattr(qrels, field.name) for field in fields(Qrels)}
        return cls(**{**columns, **about}, gold=tuple(map(tuple, by_document.values())))

    def take(self, rows: Ints) -> AspectQrels:
        taken = Qrels.take(self, rows)
        columns = {field.name: getattr(taken, field.name) for field in fields(Qrels)}
        return AspectQrels(**columns, gold=tuple(self.gold[row] for row in rows.tolist()))
