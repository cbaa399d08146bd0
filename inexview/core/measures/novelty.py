"""What of each result no earlier result of its topic has shown: the characters that it adds."""

from __future__ import annotations

import numpy as np

from inexview.core.measures.joined import Joined
from inexview.core.measures.rules import overlapping
from inexview.core.measures.sightings import first_to_cover
from inexview.core.text.offset_arrays import Ints


def new_characters(joined: Joined) -> tuple[Ints, Ints]:
    """Return how many characters of each of n results are new, and how many of these are relevant.

    Both have shape (n,).  Passages that the collection does not hold never overlap anything.  Only documents
    in which results overlap are looked into.
    """
    size, rsize = joined.size.copy(), joined.rsize.copy()
    _, later = overlapping(joined)
    if not len(later):
        return size, rsize
    concerned = np.isin(joined.document, np.unique(joined.document[later])) & joined.known & (size > 0)
    rows = np.flatnonzero(concerned)
    places, place = np.unique(joined.document[rows], return_inverse=True)
    # The documents laid end to end, so that one sweep sees them all.
    reach = np.zeros(len(places), np.int64)
    np.maximum.at(reach, place, joined.end[rows])
    base = np.cumsum(reach) - reach
    low, high = base[place] + joined.start[rows], base[place] + joined.end[rows]
    edges = np.unique(np.concatenate((low, high)))
    shower = first_to_cover(edges, low, high)
    piece = np.flatnonzero(shower >= 0)
    result = rows[shower[piece]]
    start = edges[piece] - base[place[shower[piece]]]
    end = start + edges[piece + 1] - edges[piece]
    size[rows] = rsize[rows] = 0
    np.add.at(size, result, end - start)
    judged = np.where(joined.relevant[result], joined.row[result], -1)
    np.add.at(rsize, result, joined.qrels.highlights.overlap(judged, start, end))
    return size, rsize
