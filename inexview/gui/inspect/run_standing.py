"""How runs stand against one another: differences by topic, and whether they are shown to be any."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

import numpy as np

from inexview.core.evaluation import significance
from inexview.core.evaluation.evaluate import RunScores
from inexview.core.text.offset_arrays import Floats

Key = TypeVar("Key")


class Tested(NamedTuple):
    """What is shown of a difference: p by paired randomisation, and its 95 % interval (BCa)."""

    p: float = math.nan
    low: float = math.nan
    high: float = math.nan


UNTESTED = Tested()


@dataclass(frozen=True, eq=False)
class RunDifference:
    """One run minus another on the T topics that both have; values are NaN as long as nothing was tested."""

    topics: tuple[str, ...]
    first: Floats
    second: Floats
    tested: Tested = UNTESTED
    p_holm: float = math.nan
    """p corrected for all comparisons that are shown with it."""

    @property
    def differences(self) -> Floats:
        """The difference of each topic, shape (T,)."""
        gains: Floats = self.first - self.second
        return gains

    @property
    def mean(self) -> float:
        """The mean difference."""
        return float(self.differences.mean()) if self.topics else math.nan

    @property
    def mark(self) -> str:
        """† where it holds among all comparisons shown, (†) where it would alone, nothing else."""
        if self.p_holm < significance.LEVEL:
            return "†"
        return "(†)" if self.tested.p < significance.LEVEL else ""

    def without(self, at: int) -> RunDifference:
        """Return it with one topic left out."""
        kept = np.arange(len(self.topics)) != at
        topics = (*self.topics[:at], *self.topics[at + 1 :])
        return RunDifference(topics, self.first[kept], self.second[kept])

    def largest(self, most: int) -> list[int]:
        """Return the places of the topics that differ most."""
        order: list[int] = np.argsort(-np.abs(self.differences), kind="stable")[:most].tolist()
        return order


def difference(first: RunScores, second: RunScores, measure: str) -> RunDifference:
    """Compare two runs by a measure on the topics that both were scored on."""
    others = {topic: at for at, topic in enumerate(second.topics)}
    shared = [(at, others[topic]) for at, topic in enumerate(first.topics) if topic in others]
    left = first.per_topic(measure)[[at for at, _ in shared]]
    right = second.per_topic(measure)[[at for _, at in shared]]
    return RunDifference(tuple(first.topics[at] for at, _ in shared), left, right)


def tested_differences(compared: Sequence[RunDifference]) -> list[Tested]:
    """Test differences; slow, for a worker thread.  Those on as many topics are tested at once."""
    results = [UNTESTED] * len(compared)
    by_size: dict[int, list[int]] = {}
    for at, one in enumerate(compared):
        by_size.setdefault(len(one.topics), []).append(at)
    for size, places in by_size.items():
        if size < 2:
            continue
        table = np.array([compared[at].differences for at in places])
        p, (low, high) = significance.randomisation(table), significance.bca_interval(table)
        for row, at in enumerate(places):
            results[at] = Tested(float(p[row]), float(low[row]), float(high[row]))
    return results


def corrected(compared: Mapping[Key, RunDifference]) -> dict[Key, RunDifference]:
    """Return comparisons corrected by Holm for as many; nothing is said until all of them are tested."""
    p = np.array([one.tested.p for one in compared.values()])
    waiting = any(math.isnan(one.tested.p) and len(one.topics) > 1 for one in compared.values())
    holm = np.full(len(p), math.nan) if waiting else significance.holm(p)
    return {
        key: replace(one, p_holm=float(by_holm))
        for (key, one), by_holm in zip(compared.items(), holm, strict=True)
    }
