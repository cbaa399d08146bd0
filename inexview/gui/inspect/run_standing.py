"""How runs stand against a baseline: the difference of their means, and whether it is shown to be one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from inexview.core.evaluation import significance
from inexview.core.evaluation.evaluate import RunScores
from inexview.core.text.offset_arrays import Floats

Key = TypeVar("Key")
FEW = 10  # topics; with fewer no test says much


@dataclass(frozen=True, eq=False)
class RunDifference:
    """One run minus another on the T topics that both have; p is two-tailed, NaN where nothing was tested."""

    topics: tuple[str, ...]
    first: Floats
    second: Floats
    p: float
    p_holm: float = math.nan
    """Corrected for all comparisons that are shown with it."""

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
        return "(†)" if self.p < significance.LEVEL else ""


def difference(first: RunScores, second: RunScores, measure: str) -> RunDifference:
    """Compare two runs by a measure on the topics that both were scored on."""
    others = {topic: at for at, topic in enumerate(second.topics)}
    shared = [(at, others[topic]) for at, topic in enumerate(first.topics) if topic in others]
    left = first.per_topic(measure)[[at for at, _ in shared]]
    right = second.per_topic(measure)[[at for _, at in shared]]
    topics = tuple(first.topics[at] for at, _ in shared)
    p = float(significance.t_test([left - right])[1][0]) if len(shared) > 1 else math.nan
    return RunDifference(topics, left, right, p)


def differences(
    scores: Mapping[int, RunScores], baseline: RunScores, measure: str
) -> dict[int, RunDifference]:
    """Compare each run with the baseline, corrected for as many comparisons."""
    compared = {at: difference(one, baseline, measure) for at, one in scores.items() if one is not baseline}
    return _corrected(compared)


def every_pair(scores: Sequence[RunScores], measure: str) -> dict[tuple[int, int], RunDifference]:
    """Compare each run with each that comes after it, corrected for all pairs."""
    compared = {
        (i, j): difference(scores[i], scores[j], measure)
        for i in range(len(scores))
        for j in range(i + 1, len(scores))
    }
    return _corrected(compared)


def _corrected(compared: dict[Key, RunDifference]) -> dict[Key, RunDifference]:
    corrected = significance.holm(np.array([one.p for one in compared.values()]))
    return {
        key: replace(one, p_holm=float(p)) for (key, one), p in zip(compared.items(), corrected, strict=True)
    }
