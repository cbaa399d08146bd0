"""The focused task: precision of the characters retrieved, at levels of recall.

Source: [M07] equations 1–3, and INEX's own tool for when a level of recall has been reached.
"""

from __future__ import annotations

from functools import cached_property, partial

import numpy as np

from inexview.core.measures import segments
from inexview.core.measures.joined import Joined
from inexview.core.measures.measure import RANKS, Level, Rank
from inexview.core.measures.parameters import Parameters
from inexview.core.measures.registry import M07, measure
from inexview.core.text.offset_arrays import Floats, Ints

LEVELS = 101


class Ranks:
    """Precision and recall after each of the n results of a run, over T topics."""

    def __init__(self, joined: Joined, parameters: Parameters) -> None:
        self.joined = joined
        self.ptr = joined.ptr
        self.size, self.rsize = self.counted(joined)
        self.retrieved: Ints = segments.running(self.size, joined.ptr)
        self.hits: Ints = segments.running(self.rsize, joined.ptr)

    def counted(self, joined: Joined) -> tuple[Ints, Ints]:
        """Return what counts of each result: its characters and the relevant ones of them, (n,) each."""
        return joined.size, joined.rsize

    @cached_property
    def found(self) -> Ints:
        """The results that retrieve relevant text: only there do P and R rise, shape (h,)."""
        return np.flatnonzero(self.rsize)

    @cached_property
    def topic(self) -> Ints:
        """The index of the topic of each of ``found``, shape (h,)."""
        return np.searchsorted(self.ptr, self.found, side="right") - 1

    @cached_property
    def precision(self) -> Floats:
        """P[r] (equation 1) at each of ``found``, shape (h,)."""
        return self.hits[self.found] / self.retrieved[self.found]

    @cached_property
    def recall(self) -> Floats:
        """R[r] (equation 2) at each of ``found``, shape (h,)."""
        return segments.ratio(self.hits[self.found], self.joined.trel[self.topic])

    @cached_property
    def interpolated(self) -> Floats:
        """iP[0.00] … iP[1.00], shape (T, 101)."""
        return interpolate(self.precision, self.recall, self.topic, len(self.joined.topics))


def interpolate(precision: Floats, recall: Floats, topic: Ints, topics: int) -> Floats:
    """Return the highest precision where recall has reached 0.00, 0.01, … 1.00, shape (topics, 101).

    ``precision``, ``recall`` and ``topic`` are those of h ranks, topic by topic; within a topic recall does
    not fall.  The level that a rank has reached is computed as INEX's tool does: floor(100 * (rel / Trel)).
    """
    best = np.zeros(topics * LEVELS)
    level = np.minimum(np.floor(100 * recall).astype(np.int64), LEVELS - 1)
    cell = topic * LEVELS + level  # rises with rank
    first = np.flatnonzero(np.append(True, cell[1:] != cell[:-1])[: len(cell)])
    if len(first):
        best[cell[first]] = np.maximum.reduceat(precision, first)
    by_level = best.reshape(-1, LEVELS)
    return np.maximum.accumulate(by_level[:, ::-1], axis=1)[:, ::-1]


_measure = partial(measure, citation=M07, view=Ranks)


@_measure(
    "iP",
    title="interpolated precision at a level of recall",
    formula="iP[x] = max { P[r] : R[r] ≥ x }, 0 where no rank reaches x",
    at=Level((0.0, 0.01, 0.05, 0.10)),
)
def interpolated_precision(ranks: Ranks, level: float) -> Floats:
    return ranks.interpolated[:, round(level * 100)]


@_measure(
    "AiP",
    title="average interpolated precision",
    formula="AiP = (1/101) Σ iP[x] over x = 0.00, 0.01, … 1.00",
    mean="MAiP",
)
def average_interpolated_precision(ranks: Ranks) -> Floats:
    average: Floats = ranks.interpolated.mean(axis=1)
    return average


@_measure(
    "AP",
    title="average precision over the ranks that retrieve relevant text",
    citation=f"{M07}, eq. 3",
    formula="AP = R[|R|] · mean P[r], over the ranks r with relevant text",
    mean="MAP",
)
def average_precision(ranks: Ranks) -> Floats:
    """Return AP of each topic (equation 3)."""
    bounds = np.searchsorted(ranks.found, ranks.ptr)
    mean = segments.ratio(segments.totals(ranks.precision, bounds), np.diff(bounds))
    recall = segments.ratio(segments.totals(ranks.rsize, ranks.ptr), ranks.joined.trel)
    return mean * recall


@_measure(
    "P",
    title="precision after r results",
    citation=f"{M07}, eq. 1",
    formula="P[r] = Σ rsize / Σ size, over the first r results",
    at=Rank(RANKS),
)
def precision_at(ranks: Ranks, rank: int) -> Floats:
    """Return P[r] of each topic; past the last rank its last value."""
    hits = segments.at_rank(ranks.hits, ranks.ptr, rank)
    return segments.ratio(hits, segments.at_rank(ranks.retrieved, ranks.ptr, rank))


@_measure(
    "R",
    title="recall after r results",
    citation=f"{M07}, eq. 2",
    formula="R[r] = Σ rsize / Trel, over the first r results",
    at=Rank(RANKS),
)
def recall_at(ranks: Ranks, rank: int) -> Floats:
    """Return R[r] of each topic; past the last rank its last value."""
    return segments.ratio(segments.at_rank(ranks.hits, ranks.ptr, rank), ranks.joined.trel)
