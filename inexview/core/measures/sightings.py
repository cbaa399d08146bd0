"""Which result of a run shows which relevant text first: what novelty in HiXEval and [WA] is counted from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from inexview.core.measures.joined import Joined
from inexview.core.text.offset_arrays import Ints


@dataclass(frozen=True, slots=True)
class Sightings:
    """The relevant text that a run shows, in k pieces, in the order in which its characters are met.

    Columns of shape (k,): ``result``, the result (of n) that shows the piece first, not falling; ``before``,
    how many characters of that result come before it; ``size``, its characters.  A character that a topic's
    results show again is in no further piece.
    """

    result: Ints
    before: Ints
    size: Ints


def first_sightings(joined: Joined) -> Sightings:
    """Find the pieces; O(n log n) but for one slice assignment per result that shows relevant text.

    A topic's relevant characters are numbered through (those of all its documents, and of all topics, one
    after another), so that each result shows one range of numbers; the results' and passages' edges cut the
    numbers into pieces that are shown as a whole or not at all.
    """
    highlights = joined.qrels.highlights
    marked = highlights.spans
    first_numbers = np.cumsum(marked.ends - marked.starts) - (marked.ends - marked.starts)
    showing = np.flatnonzero(joined.rsize > 0)
    row = joined.row[showing]
    base = highlights.base[row]
    low = marked.below(base + np.clip(joined.start[showing], 0, highlights.extent[row]))
    high = low + joined.rsize[showing]
    edges = np.unique(np.concatenate((low, high, first_numbers)))
    piece = np.flatnonzero((shower := first_to_cover(edges, low, high)) >= 0)
    piece = piece[np.argsort(shower[piece], kind="stable")]
    result = showing[shower[piece]]
    passage = np.searchsorted(first_numbers, edges[piece], side="right") - 1
    offset = marked.starts[passage] + edges[piece] - first_numbers[passage]
    before = offset - highlights.base[joined.row[result]] - joined.start[result]
    return Sightings(result, before, edges[piece + 1] - edges[piece])


def seen_in_each(joined: Joined) -> Ints:
    """Return the relevant characters of each result that earlier ones hold, summed over these, shape (n,).

    A result that lies within an earlier one was fully seen: all of it, once.
    """
    seen = np.zeros(len(joined), dtype=np.int64)
    order, new = joined.by_document
    begins = np.flatnonzero(np.append(new, True))
    shown = joined.known & (joined.rsize > 0)
    for begin, end in zip(begins[:-1].tolist(), begins[1:].tolist(), strict=True):
        rows = order[begin:end][shown[order[begin:end]]]
        start, stop = joined.start[rows], joined.end[rows]
        for at in range(1, len(rows)):
            row = rows[at]
            low, high = np.maximum(start[:at], start[at]), np.minimum(stop[:at], stop[at])
            if np.any((start[:at] <= start[at]) & (stop[at] <= stop[:at])):
                seen[row] = joined.rsize[row]
                continue
            meets = np.flatnonzero(low < high)
            judged = np.full(len(meets), joined.row[row])
            seen[row] = joined.qrels.highlights.overlap(judged, low[meets], high[meets]).sum()
    return seen


def first_to_cover(edges: Ints, low: Ints, high: Ints) -> Ints:
    """Return which of m ranges, in rank order, covers each piece between two edges first; −1: none.

    ``edges`` (k,) rise and hold the ends of all ranges; piece i lies between edge i and the next.
    """
    first = np.full(len(edges), -1, dtype=np.int64)
    ranges = zip(np.searchsorted(edges, low).tolist(), np.searchsorted(edges, high).tolist(), strict=True)
    # Painted from the last rank to the first, so that the first one's colour stays.
    for rank, (begin, end) in reversed(list(enumerate(ranges))):
        first[begin:end] = rank
    return first
