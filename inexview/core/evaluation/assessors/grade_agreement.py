"""Agreement on grades: weighted κ of two assessors, and Fleiss' κ of more.

Sources: Cohen, *Weighted kappa*, Psychological Bulletin 70(4) 1968; Fleiss, *Measuring nominal scale
agreement among many raters*, Psychological Bulletin 76(5) 1971.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from inexview.core.text.spans import Floats


@dataclass(frozen=True, slots=True)
class GradePairs:
    """How often the first assessor gave one grade and the second another to the same item."""

    counts: tuple[tuple[tuple[int, int], int], ...]

    @classmethod
    def of(cls, pairs: Iterable[tuple[int, int]]) -> GradePairs:
        return cls(tuple(sorted(Counter(pairs).items())))

    def __add__(self, other: GradePairs) -> GradePairs:
        together = Counter(dict(self.counts)) + Counter(dict(other.counts))
        return GradePairs(tuple(sorted(together.items())))

    @property
    def items(self) -> int:
        return sum(count for _, count in self.counts)

    def kappa(self, power: int) -> float:
        """Return weighted κ, a disagreement weighing |difference|^power: 1 linear, 2 quadratic, 0 plain κ.

        NaN where both assessors gave one grade to all.
        """
        grades = sorted({grade for pair, _ in self.counts for grade in pair})
        place = {grade: at for at, grade in enumerate(grades)}
        table = np.zeros((len(grades), len(grades)))
        for (first, second), count in self.counts:
            table[place[first], place[second]] = count
        values = np.array(grades, dtype=np.float64)
        apart = np.abs(values[:, None] - values[None, :])
        weights = (apart > 0).astype(np.float64) if power == 0 else apart**power
        expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / max(table.sum(), 1)
        by_chance = float((weights * expected).sum())
        return 1 - float((weights * table).sum()) / by_chance if by_chance else math.nan


def fleiss_kappa(counts: ArrayLike, weights: ArrayLike | None = None) -> float:
    """Return Fleiss' κ; NaN where nothing varies.

    ``counts`` (items, categories) says how many of the assessors, as many for each item, chose each category;
    ``weights`` (items,) says how many items each row stands for, one if left out.
    """
    table = np.asarray(counts, np.float64)
    if not len(table):
        return math.nan
    weight: Floats = np.ones(len(table)) if weights is None else np.asarray(weights, np.float64)
    assessors = table[0].sum()
    if assessors < 2 or not weight.sum():
        return math.nan
    agreed = (table * (table - 1)).sum(axis=1) / (assessors * (assessors - 1))
    observed = float((agreed * weight).sum() / weight.sum())
    shares = (table * weight[:, None]).sum(axis=0) / (assessors * weight.sum())
    by_chance = float((shares**2).sum())
    return (observed - by_chance) / (1 - by_chance) if by_chance < 1 else math.nan
