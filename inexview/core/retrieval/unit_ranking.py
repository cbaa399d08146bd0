"""Rankings of units: the best of a shard, and of all shards, in one order whatever the shards are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from inexview.core.retrieval.shard import Shard, ShardScores
from inexview.core.retrieval.units import Units, tagged
from inexview.core.text.spans import Floats, Ints, Mask


@dataclass(frozen=True, eq=False)
class UnitRanking:
    """Units in the order of their ranking: columns of shape (k,).

    ``number`` is the number of each unit's document in the collection, ``id`` its name; ``start`` and ``end``
    are characters of the document.
    """

    scores: Floats
    number: Ints
    id: list[str]
    start: Ints
    end: Ints

    def __len__(self) -> int:
        return len(self.id)

    def take(self, rows: Ints) -> UnitRanking:
        ids = [self.id[row] for row in rows.tolist()]
        return UnitRanking(self.scores[rows], self.number[rows], ids, self.start[rows], self.end[rows])


def best_units(shard: Shard, found: ShardScores, depth: int, targets: tuple[str, ...] = ()) -> UnitRanking:
    """Return the best ``depth`` units of a shard; with ``targets`` those within elements of these tags.

    Of equal scores the document that comes first in the collection comes first, then the unit that starts
    first, then the longer one.
    """
    retrieved = found.retrieved & within(shard, found.units, targets) if targets else found.retrieved
    chosen = np.flatnonzero(retrieved)
    if len(chosen) > depth:
        scores = found.scores[chosen]
        least = np.partition(scores, len(scores) - depth)[len(scores) - depth]
        chosen = chosen[scores >= least]
    spans = found.units.characters(shard.segment, chosen)
    documents = found.units.document[chosen]
    order = np.lexsort((-spans[:, 1], spans[:, 0], documents, -found.scores[chosen]))[:depth]
    ids = shard.segment.ids
    return UnitRanking(
        found.scores[chosen][order],
        documents[order] + shard.first_document,
        [ids[document] for document in documents[order].tolist()],
        spans[order, 0],
        spans[order, 1],
    )


def merged(rankings: Sequence[UnitRanking], depth: int) -> UnitRanking:
    """Return the best ``depth`` units of the rankings of all shards, in the order of ``best_units``."""
    scores = np.concatenate([np.empty(0), *(one.scores for one in rankings)])
    none = np.empty(0, np.int64)
    number, start, end = (
        np.concatenate([none, *(getattr(one, name) for one in rankings)])
        for name in ("number", "start", "end")
    )
    ids = [id for one in rankings for id in one.id]
    order = np.lexsort((-end, start, number, -scores))[:depth]
    return UnitRanking(
        scores[order], number[order], [ids[at] for at in order.tolist()], start[order], end[order]
    )


def within(shard: Shard, units: Units, tags: tuple[str, ...]) -> Mask:
    """Return which units lie within an element of one of these tags, or are one; shape (u,)."""
    segment = shard.segment
    spans = segment.element_spans[tagged(segment, tags)]
    order = np.lexsort((-spans[:, 1], spans[:, 0]))
    first, reach = spans[order, 0], np.maximum.accumulate(spans[order, 1])
    before = first.searchsorted(units.first, side="right") - 1
    inside: Mask = before >= 0
    inside[inside] = reach[before[inside]] >= units.stop[inside]
    return inside
