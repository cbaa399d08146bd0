"""What the focused measures of a topic would be without each of its parts.

The measures change only at ranks that retrieve relevant text, so all parts are weighed at once in a table of
parts × such ranks, by the formulas of :mod:`inexview.core.measures.focused`.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from inexview.core.evaluation.changes.topic_parts import TopicParts
from inexview.core.measures.focused import LEVELS, interpolate
from inexview.core.measures.joined import ratio
from inexview.core.measures.measure import Cutoff
from inexview.core.text.spans import Floats, Ints

CELLS = 2_000_000
"""How many cells of the table are held at a time."""


class FocusedParts:
    """The focused measures without each of the k parts of a topic."""

    def __init__(self, parts: TopicParts) -> None:
        self.parts = parts
        self.size: Ints = parts.joined.size[parts.rows]
        self.rsize: Ints = parts.joined.rsize[parts.rows]
        self.trel = int(parts.joined.trel[parts.at])
        self.found: Ints = np.flatnonzero(self.rsize)

    def measure(self, name: str, cutoff: Cutoff | None) -> Floats | None:
        """Return a measure without each part, shape (k,); None for one that is not known here."""
        if name == "iP" and cutoff is not None:
            return self.curves[:, round(cutoff * 100)]
        if name == "AiP":
            average: Floats = self.curves.mean(axis=1)
            return average
        if name == "AP":
            return self.average_precision
        if name in ("P", "R") and cutoff is not None:
            hits, retrieved = self._until(int(cutoff))
            return ratio(hits, retrieved if name == "P" else np.full(len(hits), self.trel))
        return None

    @property
    def curves(self) -> Floats:
        """iP[0.00] … iP[1.00] without each part, shape (k, 101)."""
        return self._weighed[0]

    @property
    def average_precision(self) -> Floats:
        """AP without each part, shape (k,)."""
        kept = len(self.found) - np.bincount(self.parts.part[self.found], minlength=self.parts.count)
        hits = self.rsize.sum() - np.bincount(self.parts.part, weights=self.rsize, minlength=self.parts.count)
        return ratio(self._weighed[1], kept) * ratio(hits, np.full(len(hits), self.trel))

    @cached_property
    def _weighed(self) -> tuple[Floats, Floats]:
        """The curves, shape (k, 101), and Σ P[r] over the ranks that are left, shape (k,)."""
        count, h = self.parts.count, len(self.found)
        curves, sums = np.zeros((count, LEVELS)), np.zeros(count)
        if not h or not count:
            return curves, sums
        step = max(1, CELLS // h)
        for begin in range(0, count, step):
            end = min(begin + step, count)
            precision, recall = self._table(begin, end)
            sums[begin:end] = precision.sum(axis=1)
            if self.trel:
                topic = np.repeat(np.arange(end - begin), h)
                curves[begin:end] = interpolate(precision.ravel(), recall.ravel(), topic, end - begin)
        return curves, sums

    def _table(self, begin: int, end: int) -> tuple[Floats, Floats]:
        """Return P[r] and R[r] at the ranks of ``found`` without each of some parts, shape (parts, h).

        At a rank that goes with the part, P is 0, which is never the highest.
        """
        part, h = self.parts.part, len(self.found)
        own = np.flatnonzero((part >= begin) & (part < end))
        cell = (part[own] - begin, np.searchsorted(self.found, own))  # from this rank on the part is missed
        tables = []
        for values in (self.rsize, self.size):
            missed = np.zeros((end - begin, h + 1), np.int64)
            np.add.at(missed, cell, values[own])
            tables.append(np.cumsum(values)[self.found] - np.cumsum(missed[:, :h], axis=1))
        hits, retrieved = tables
        gone = part[self.found][None, :] == np.arange(begin, end)[:, None]
        precision = np.where(gone, 0.0, ratio(hits, retrieved))
        return precision, ratio(hits, np.full(1, self.trel))

    def _until(self, rank: int) -> tuple[Ints, Ints]:
        """Return Σ rsize and Σ size of the first ``rank`` results without each part, shape (k,) each."""
        last = self.parts.last_kept(rank)
        hits, retrieved = (
            np.append(0, np.cumsum(values))[last + 1] - self.parts.within(last, values)
            for values in (self.rsize, self.size)
        )
        return hits, retrieved
