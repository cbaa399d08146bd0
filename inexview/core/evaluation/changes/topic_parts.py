"""The results of one topic, grouped into the parts that are left out one at a time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from inexview.core.measures.joined import Joined
from inexview.core.text.spans import Ints


@dataclass(frozen=True, eq=False)
class TopicParts:
    """The n results of the topic at index ``at`` of a run, in k parts.

    ``part`` (n,) numbers the part of each result; parts come in the order of their first result.
    """

    joined: Joined
    at: int
    part: Ints
    count: int

    @classmethod
    def results(cls, joined: Joined, at: int) -> TopicParts:
        n = int(joined.ptr[at + 1] - joined.ptr[at])
        return cls(joined, at, np.arange(n), n)

    @classmethod
    def documents(cls, joined: Joined, at: int) -> TopicParts:
        first, part = np.unique(joined.document[joined.ptr[at] : joined.ptr[at + 1]], return_inverse=True)
        return cls(joined, at, part.astype(np.int64), len(first))

    @property
    def rows(self) -> slice:
        """The topic's results among those of the run."""
        return slice(int(self.joined.ptr[self.at]), int(self.joined.ptr[self.at + 1]))

    @cached_property
    def sizes(self) -> Ints:
        """How many results each part has, shape (k,)."""
        return np.bincount(self.part, minlength=self.count)

    @cached_property
    def _by_part(self) -> tuple[Ints, Ints, Ints]:
        """The results sorted by part and rank, the key of each in that order, and where each part begins."""
        order = np.argsort(self.part, kind="stable")
        keys = self.part[order] * (len(self.part) + 1) + order
        return order, keys, np.cumsum(self.sizes) - self.sizes

    def within(self, last: Ints, values: Ints) -> Ints:
        """Sum ``values`` (n,) over each part's results up to the 0-based rank ``last`` (k,), shape (k,)."""
        order, keys, begins = self._by_part
        reach = np.searchsorted(keys, np.arange(self.count) * (len(self.part) + 1) + last, side="right")
        sums = np.append(0, np.cumsum(values[order]))
        within: Ints = sums[reach] - sums[begins]
        return within

    def last_kept(self, rank: int) -> Ints:
        """Return the 0-based rank of the ``rank``-th result that is kept without each part, shape (k,).

        Where fewer are kept it is the last one; −1 where none is.
        """
        ones = np.ones(len(self.part), np.int64)
        wanted = np.minimum(rank, len(self.part) - self.sizes) - 1
        last = wanted
        while True:  # each round takes in the part's results passed in the one before
            moved = np.where(wanted < 0, -1, wanted + self.within(last, ones))
            if np.array_equal(moved, last):
                return moved
            last = moved
