"""Tolerance to irrelevance, T2I: what a reader reads of an article until patience ends (INEX 2010).

Source: Arvola, Kekäläinen, Junkkari, *Expected reading effort in focused retrieval evaluation*, Information
Retrieval 13, 2010.  The reader reads the retrieved passages of the article in document order, then all the
rest of the article in document order, and stops at the t-th irrelevant character.

>>> judged, retrieved = Spans([(0, 10), (30, 40)]), Spans([(25, 35)])
>>> effort = reading_effort(judged, retrieved, length=100, tolerance=12)
>>> list(effort.read), effort.relevant, effort.irrelevant, round(effort.score, 6)
([(0, 17), (25, 35)], 15, 12, 0.555556)
>>> effort.stop
17
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from inexview.core.measures.segments import ratio, running, totals
from inexview.core.text.offset_arrays import Floats, Ints
from inexview.core.text.spans import EMPTY, Spans

ARVOLA = "Arvola, Kekäläinen, Junkkari, Expected reading effort in focused retrieval evaluation, IR 13, 2010"


@dataclass(frozen=True, slots=True)
class ReadingEffort:
    """What was read of one article: ``read`` holds ``relevant`` and ``irrelevant`` characters."""

    read: Spans
    relevant: int
    irrelevant: int
    stop: int | None = None
    """Behind the character at which patience ended; None where all of the article was read."""

    @property
    def score(self) -> float:
        """The relevant share of what was read; 0 where nothing relevant was."""
        return self.relevant / (self.relevant + self.irrelevant) if self.relevant else 0.0


def reading_effort(
    judged: Spans, retrieved: Spans, *, length: int, tolerance: int, already: int = 0
) -> ReadingEffort:
    """Return what is read of an article of so many characters with so much patience, from 1.

    ``already`` is how many irrelevant characters were read before.
    """
    whole = max(length, *(int(spans.ends[-1]) for spans in (judged, retrieved) if spans), 0)
    rest = retrieved.complement(0, whole)
    pieces = _Pieces(
        judged,
        np.concatenate((retrieved.starts, rest.starts)),
        np.concatenate((retrieved.ends, rest.ends)),
        np.array([0, len(retrieved) + len(rest)]),
    )
    ends = pieces.read_until(np.array([max(tolerance - already, 0)]))
    read = Spans.from_arrays(pieces.starts, ends) if len(ends) else EMPTY
    relevant = int(judged.overlap(pieces.starts, ends).sum())
    irrelevant = already + read.size - relevant
    last = np.flatnonzero(ends > pieces.starts)[-1:]
    stop = int(ends[last[0]]) if irrelevant >= tolerance and len(last) else None
    return ReadingEffort(read, relevant, irrelevant, stop)


def tolerance_scores(
    marked: Spans,
    base: Ints,
    length: Ints,
    starts: Ints,
    ends: Ints,
    *,
    tolerance: int,
    already: Ints,
) -> Floats:
    """Return T2I of D articles at once, shape (D,).

    The articles lie on one axis, article d at ``base[d]``, ``length[d]`` characters long, and do not touch;
    ``marked`` is the relevant text there.  The retrieved passages are ``[starts, ends)`` on the axis, each
    within an article, in any order, and may overlap.  ``already`` (D,) is how many irrelevant characters
    were read of each article before.
    """
    count = len(base)
    retrieved = Spans.from_arrays(starts, ends)
    own = np.searchsorted(base, retrieved.starts, side="right") - 1
    # The rest of each article is what lies between its passages, its beginning and its end.
    edges = np.sort(np.concatenate((retrieved.starts, retrieved.ends, base, base + length)))
    rest_starts, rest_ends = edges[0::2], edges[1::2]
    rest_own = np.searchsorted(base, rest_starts, side="right") - 1
    document = np.concatenate((own, rest_own))
    order = np.argsort(document, kind="stable")  # of each article the passages first, then the rest
    pieces = _Pieces(
        marked,
        np.concatenate((retrieved.starts, rest_starts))[order],
        np.concatenate((retrieved.ends, rest_ends))[order],
        np.searchsorted(document[order], np.arange(count + 1)),
    )
    stops = pieces.read_until(np.maximum(tolerance - already, 0))
    relevant = totals(marked.overlap(pieces.starts, stops), pieces.ptr)
    return ratio(relevant, totals(stops - pieces.starts, pieces.ptr) + already)


class _Pieces:
    """The text of D articles in the order in which it is read, those of article d at ``ptr[d]:ptr[d+1]``."""

    def __init__(self, marked: Spans, starts: Ints, ends: Ints, ptr: Ints) -> None:
        self.marked = marked
        self.starts = starts
        self.ends = ends
        self.ptr = ptr

    def read_until(self, tolerance: Ints) -> Ints:
        """Return where reading stops in each piece, shape (pieces,); at its start if it is not read."""
        irrelevant = self.ends - self.starts - self.marked.overlap(self.starts, self.ends)
        before = running(irrelevant, self.ptr) - irrelevant
        left = np.repeat(tolerance, np.diff(self.ptr)) - before
        stops = np.where(left > 0, self.ends, self.starts)
        within = np.flatnonzero((left > 0) & (left <= irrelevant))
        stops[within] = self._after_irrelevant(self.starts[within], left[within])
        return stops

    def _after_irrelevant(self, starts: Ints, count: Ints) -> Ints:
        """Return the place after so many irrelevant characters from each start on."""
        below = self.marked.below(starts)
        wanted = starts - below + count  # so many irrelevant characters of the axis lie before the place
        sizes = self.marked.ends - self.marked.starts
        relevant = np.append(0, np.cumsum(sizes))
        irrelevant_before = self.marked.starts - relevant[:-1]
        places: Ints = wanted + relevant[np.searchsorted(irrelevant_before, wanted, side="left")]
        return places
