"""Query-weighted document expansion: stretches of text around the words of the query are the passages.

Wade and Allan, Passage Retrieval and Evaluation, CIIR IR-396, 2005, section 3.6.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from inexview.core.retrieval.shard import Shard
from inexview.core.retrieval.units import DisjointUnits, Units
from inexview.core.text.offset_arrays import Ints


def marked_stretches(shard: Shard, query: Mapping[str, float], window: int, shortest: int) -> Units:
    """Return the stretches that the words of a query mark, of at least ``shortest`` characters.

    Each occurrence of a word marks itself and so many words to either side as its weight says, scaled so that
    the heaviest word marks ``window``; stretches end with their documents, and those that touch are one.
    """
    segment = shard.segment
    heaviest = max(query.values())
    firsts, stops = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for term, weight in query.items():
        words, documents = shard.places(term)
        reach = round(window * weight / heaviest)
        firsts.append(np.maximum(words.astype(np.int64) - reach, segment.documents[documents]))
        stops.append(np.minimum(words.astype(np.int64) + reach + 1, segment.documents[documents + 1]))
    first, stop = _joined(np.concatenate(firsts), np.concatenate(stops), shard)
    documents_of = shard.documents_of(first).astype(np.int64)
    stretches = DisjointUnits(documents_of, first.astype(np.int32), stop.astype(np.int32))
    spans = stretches.characters(segment, np.arange(len(stretches)))
    long = spans[:, 1] - spans[:, 0] >= shortest
    return DisjointUnits(stretches.document[long], stretches.first[long], stretches.stop[long])


def _sorted_together(first: Ints, stop: Ints) -> tuple[Ints, Ints]:
    """Sort stretches by where they begin: as one number each, which is several times as fast."""
    bits = int((stop - first).max(initial=0)).bit_length()
    packed = first << bits | (stop - first)
    packed.sort()
    first = packed >> bits
    return first, first + (packed & ((1 << bits) - 1))


def _joined(first: Ints, stop: Ints, shard: Shard) -> tuple[Ints, Ints]:
    """Join stretches that overlap or touch, but not across the border of two documents."""
    first, stop = _sorted_together(first, stop)
    reach = np.maximum.accumulate(stop)
    of = shard.documents_of(first)
    new = np.ones(len(first), bool)
    new[1:] = (first[1:] > reach[:-1]) | (of[1:] != of[:-1])
    return first[new], reach[np.append(new[1:], True)[: len(first)]]
