"""How two runs stand against one another: a pair of a comparison, seen from one of the two."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from inexview.core.evaluation.comparisons import significance
from inexview.core.evaluation.comparisons.comparison import Comparison, Pair, Testing
from inexview.core.text.offset_arrays import Floats


@dataclass(frozen=True, eq=False)
class RunDifference:
    """One run minus another, as a comparison of runs on the same T topics has it."""

    topics: tuple[str, ...]
    first: Floats
    """The scores of the run, shape (T,)."""
    second: Floats
    """The scores of the other, shape (T,)."""
    pair: Pair
    turned: bool
    """Whether the other run is the pair's better one."""

    @property
    def differences(self) -> Floats:
        """The difference of each topic, shape (T,)."""
        gains: Floats = self.first - self.second
        return gains

    @property
    def mean(self) -> float:
        return -self.pair.difference if self.turned else self.pair.difference

    @property
    def interval(self) -> tuple[float, float]:
        """The ends of the 95 % interval of the difference; NaN as long as it was not tested."""
        low, high = self.pair.low, self.pair.high
        return (-high, -low) if self.turned else (low, high)

    @property
    def tested(self) -> bool:
        """Whether the test was made by now."""
        return not math.isnan(self.pair.p)

    @property
    def mark(self) -> str:
        """† where it holds among all pairs of the comparison, (†) where it would alone, nothing else."""
        if self.pair.significant:
            return "†"
        return "(†)" if self.pair.p < significance.LEVEL else ""

    def largest(self, most: int) -> list[int]:
        """Return the places of the topics that differ most."""
        order: list[int] = np.argsort(-np.abs(self.differences), kind="stable")[:most].tolist()
        return order


def marks_meaning(baseline: str, topics: int) -> str:
    """Say what the marks mean of runs that are compared with this one."""
    return (
        f"† differs from {baseline} with p < 0.05 after Holm's correction for all pairs of the runs, "
        f"(†) only without it ({Testing().described(topics)})"
    )


def between(comparison: Comparison, first: int, second: int) -> RunDifference:
    """Return one run of a comparison minus another, by their places in it."""
    pair = comparison.between(first, second)
    scores = comparison.scores
    return RunDifference(comparison.topics, scores[first], scores[second], pair, pair.better == second)
