"""All highlighted text of some qrels on one axis, so that a whole run is laid over it at once."""

from __future__ import annotations

import numpy as np

from inexview.core.text.offset_arrays import Ints
from inexview.core.text.spans import Spans


class Highlights:
    """The documents of n qrels rows, laid end to end with a gap of one character between them.

    ``base`` (n,) is where each row's document starts on the axis, ``extent`` (n,) where its last passage
    ends within the document, and ``spans`` the highlighted text.
    """

    def __init__(self, ptr: Ints, starts: Ints, ends: Ints) -> None:
        """Take n documents' passages, those of document i at ``ptr[i]:ptr[i + 1]``."""
        row = np.repeat(np.arange(len(ptr) - 1), np.diff(ptr))
        self.extent: Ints = np.zeros(len(ptr) - 1, dtype=np.int64)
        np.maximum.at(self.extent, row, ends)
        self.base: Ints = np.cumsum(self.extent + 1) - self.extent - 1
        self.spans = Spans.from_arrays(self.base[row] + starts, self.base[row] + ends)

    def overlap(self, row: Ints, start: Ints, end: Ints) -> Ints:
        """Count the highlighted characters in each of m passages of the rows' documents (−1: none)."""
        counted = np.zeros(len(row), dtype=np.int64)
        marked = np.flatnonzero(row >= 0)
        marked = marked[self.extent[row[marked]] > 0]
        own = row[marked]
        base, extent = self.base[own], self.extent[own]
        counted[marked] = self.spans.overlap(
            base + np.clip(start[marked], 0, extent), base + np.clip(end[marked], 0, extent)
        )
        return counted
