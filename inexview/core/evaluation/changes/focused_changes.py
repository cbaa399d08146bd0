"""What the measures of precision and recall of characters would be with each of k changes of a document.

They change only at ranks that retrieve relevant text.  Those of the other documents are weighed in a table of
changes × such ranks, those of the changed document one by one, by the formulas of
:mod:`inexview.core.measures.focused`.  A result counts only what its own document's results show, so that the
others keep what they count.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from inexview.core.evaluation.changes.document_changes import DocumentChanges
from inexview.core.evaluation.changes.focused_parts import CELLS
from inexview.core.measures.focused import Ranks, interpolate
from inexview.core.measures.joined import ranges, ratio, running, totals
from inexview.core.measures.measure import Cutoff, Parameters
from inexview.core.text.spans import Floats, Ints, Mask


class FocusedChanges:
    """Weighs the changes by what a view counts of each result: of the task focused or thorough."""

    def __init__(self, changes: DocumentChanges, view: type[Ranks], parameters: Parameters) -> None:
        joined, own = changes.joined, view(changes.own, parameters)
        ranks = view(joined, parameters)
        self._changes = changes
        self._own_ptr: Ints = changes.own.ptr
        self._trel = np.array(int(joined.trel[0]))
        self._values = (ranks.rsize, own.rsize), (ranks.size, own.size)  # as it is, and instead of that
        self._found: Ints = np.flatnonzero(ranks.rsize)
        order = np.argsort(joined.document, kind="stable")
        begins, ends = (
            np.searchsorted(joined.document[order], changes.first, side) for side in ("left", "right")
        )
        self._old_ptr: Ints = np.append(0, np.cumsum(ends - begins))
        self._old_change: Ints = np.repeat(np.arange(len(changes)), ends - begins)
        self._old: Ints = order[ranges(begins, ends)]
        """The results that each change takes out, change by change in rank order."""

    def measure(self, name: str, cutoff: Cutoff | None) -> Floats | None:
        """Return a measure with each change, shape (k,); None for one that is not known here."""
        if name == "iP" and cutoff is not None:
            return self._weighed[0][:, round(cutoff * 100)]
        if name == "AiP":
            average: Floats = self._weighed[0].mean(axis=1)
            return average
        return self._average_precision if name == "AP" else None

    @property
    def _average_precision(self) -> Floats:
        before, own = self._values[0]
        found = self._left(before > 0, own > 0)
        return ratio(self._weighed[1], found) * ratio(self._left(before, own), self._trel)

    def _left(self, before: Ints | Mask, own: Ints | Mask) -> Ints:
        """Sum a column of the results over the ranking with each change, shape (k,)."""
        out = totals(before[self._old].astype(np.int64), self._old_ptr)
        left: Ints = before.sum() - out + totals(own.astype(np.int64), self._own_ptr)
        return left

    @cached_property
    def _weighed(self) -> tuple[Floats, Floats]:
        """The curves, shape (k, 101), and Σ P[r] over the ranks that retrieve relevant text, shape (k,)."""
        count, h = len(self._changes), len(self._found)
        precision, recall = (below.ravel() for below in self._own_ranks())
        change = self._changes.change[self._own_found]
        sums: Floats = np.bincount(change, weights=precision, minlength=count).astype(np.float64)
        curves = interpolate(precision, recall, change, count)
        step = max(1, CELLS // max(h, 1))
        for begin in range(0, count if h else 0, step):
            end = min(begin + step, count)
            precision, recall = self._other_ranks(begin, end)
            sums[begin:end] += precision.sum(axis=1)
            topic = np.repeat(np.arange(end - begin), h)
            others = interpolate(precision.ravel(), recall.ravel(), topic, end - begin)
            np.maximum(curves[begin:end], others, out=curves[begin:end])
        return (curves if self._trel else np.zeros_like(curves)), sums

    @property
    def _own_found(self) -> Ints:
        """The results of the changed documents that retrieve relevant text."""
        return np.flatnonzero(self._values[0][1])

    def _own_ranks(self) -> tuple[Floats, Floats]:
        """Return P[r] and R[r] at each of them."""
        changes, found = self._changes, self._own_found
        change, place, n = changes.change[found], changes.place[found], len(changes.joined)
        above = np.searchsorted(self._old_change * (n + 1) + self._old, change * (n + 1) + place)
        sums = []
        for before, own in self._values:
            taken = np.append(0, np.cumsum(before[self._old]))
            others = np.append(0, np.cumsum(before))[place] - (taken[above] - taken[self._old_ptr[change]])
            sums.append(others + running(own, self._own_ptr)[found])
        return ratio(sums[0], sums[1]), ratio(sums[0], self._trel)

    def _other_ranks(self, begin: int, end: int) -> tuple[Floats, Floats]:
        """Return P[r] and R[r] at the ranks of ``found`` with some of the changes, shape (changes, h).

        At a rank that is taken out P is 0, which is never the highest.
        """
        h, found, changes = len(self._found), self._found, self._changes
        old = slice(int(self._old_ptr[begin]), int(self._old_ptr[end]))
        new = slice(int(self._own_ptr[begin]), int(self._own_ptr[end]))
        out = self._old_change[old] - begin, np.searchsorted(found, self._old[old])
        put = changes.change[new] - begin, np.searchsorted(found, changes.place[new])
        sums = []
        for before, own in self._values:
            moved = np.zeros((end - begin, h + 1), np.int64)
            np.subtract.at(moved, out, before[self._old[old]])
            np.add.at(moved, put, own[new])
            sums.append(np.cumsum(before)[found] + np.cumsum(moved[:, :h], axis=1))
        precision = ratio(sums[0], sums[1])
        gone = self._values[0][0][self._old[old]] > 0
        precision[out[0][gone], out[1][gone]] = 0.0
        return precision, ratio(sums[0], self._trel)
