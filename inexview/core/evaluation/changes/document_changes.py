"""A topic in each of whose k variants one document is retrieved otherwise, all else as it is.

The measures of the in-context tasks, and the precision and recall of the focused and the thorough task over
text, follow from what that document then scores and from sums over the rest of the ranking.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

import numpy as np

from inexview.core.evaluation.changes.result_edits import PlacedResult
from inexview.core.evaluation.changes.topic_parts import TopicParts
from inexview.core.judgements.runs import UNKNOWN
from inexview.core.measures.joined import UNKNOWN_ENTRY, UNKNOWN_SIZE, Joined, ranges
from inexview.core.text.id_columns import Keys
from inexview.core.text.spans import Ints


@dataclass(frozen=True, eq=False)
class DocumentChanges:
    """k changes of what a topic's ranking retrieves of a document.

    ``joined`` are the topic's n results as they are.  Of each change, shape (k,): ``first``, the first result
    of its document (n: it has none), and ``row``, the document's row in the qrels.  The r results of these
    documents that are there instead come change by change in rank order, shape (r,) each: ``change``, of
    which one; ``place``, the result of ``joined`` at which it stands (n: after all others); ``start`` and
    ``size``.
    """

    joined: Joined
    first: Ints
    row: Ints
    change: Ints
    place: Ints
    start: Ints
    size: Ints

    @classmethod
    def of(
        cls, joined: Joined, rows: Sequence[int], results: Sequence[Sequence[PlacedResult]]
    ) -> DocumentChanges:
        """Take k documents by their rows in the qrels, and the results that each has instead of its own."""
        numbers = chain.from_iterable(chain.from_iterable(results))
        placed = np.fromiter(numbers, np.int64).reshape(-1, 3)  # an array of records takes thrice as long
        row = np.array(rows, np.int64)
        first = np.full(len(joined.qrels), len(joined))
        there = np.flatnonzero(joined.row >= 0)
        np.minimum.at(first, joined.row[there], there)
        return cls(
            joined,
            first[row],
            row,
            np.repeat(np.arange(len(row)), [len(own) for own in results]),
            np.searchsorted(joined.source, placed[:, 0]),
            placed[:, 1],
            placed[:, 2],
        )

    @classmethod
    def without(cls, parts: TopicParts) -> DocumentChanges:
        """Take the documents of k parts of a topic, a part left out of each: it has the rest of its results.

        The parts are those of ``joined`` with that one topic, and each of them is of one document.
        """
        joined = parts.joined
        leading = np.full(parts.count, len(joined))
        np.minimum.at(leading, parts.part, np.arange(len(joined)))
        first, order = joined.document[leading], np.argsort(joined.document, kind="stable")
        begins, ends = (np.searchsorted(joined.document[order], first, side) for side in ("left", "right"))
        change, place = np.repeat(np.arange(parts.count), ends - begins), order[ranges(begins, ends)]
        left = parts.part[place] != change
        change, place = change[left], place[left]
        start = np.where(joined.known[place], joined.start[place], UNKNOWN)
        return cls(joined, first, joined.row[first], change, place, start, joined.size[place])

    def __len__(self) -> int:
        return len(self.first)

    @cached_property
    def own(self) -> Joined:
        """The r results alone, laid over the judgements: those of each change as of a topic of its own."""
        joined, count = self.joined, len(self)
        known = self.start != UNKNOWN
        start = np.where(known, self.start, UNKNOWN_ENTRY)
        size = np.where(known, np.maximum(self.size, 0), UNKNOWN_SIZE)
        row, qrels = self.row[self.change], joined.qrels
        relevant = (row >= 0) & (qrels.rsize[row] > 0)
        return replace(
            joined,
            topics=tuple(map(str, range(count))),
            code=np.repeat(joined.code, count),
            ptr=np.searchsorted(self.change, np.arange(count + 1)),
            row=row,
            start=start,
            end=start + size,
            size=size,
            rsize=qrels.highlights.overlap(np.where(relevant, row, -1), start, start + size),
            known=known,
            source=np.full(len(row), -1),
            keys=Keys(self.change, qrels.document.take(row)),  # a topic has one document, whatever its name
            trel=np.repeat(joined.trel, count),
            nrel=np.repeat(joined.nrel, count),
            passages=np.repeat(joined.passages, count),
        )
