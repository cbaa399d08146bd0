"""How differences of runs are tested: one record for command line, window, experiments and Python."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from inexview.core.errors import InexviewError
from inexview.core.evaluation.comparisons import significance
from inexview.core.evaluation.comparisons.corrections import Correction
from inexview.core.evaluation.comparisons.significance import Tested
from inexview.core.progress import Progress
from inexview.core.text.spans import Floats, Ints, Mask

NO_DIFFERENCE = 1e-12
"""Differences below are noise of rounding."""
MOST_DRAWS = 1_000_000
DRAWN_SEVERAL = (10_000, 100_000, MOST_DRAWS)
"""Numbers of draws that a menu offers."""


class PairTest(StrEnum):
    """The tests of a difference, by name."""

    RANDOMISATION = "randomisation"
    T_TEST = "t-test"
    WILCOXON = "wilcoxon"
    SIGN = "sign"
    BOOTSTRAP = "bootstrap"

    @property
    def draws(self) -> bool:
        """Whether the test draws."""
        return self in (PairTest.RANDOMISATION, PairTest.BOOTSTRAP)

    @property
    def named(self) -> str:
        """Its name in a sentence."""
        return _NAMED[self]

    @property
    def estimate(self) -> str:
        """What its interval is of."""
        if self is PairTest.WILCOXON:
            return "Hodges–Lehmann estimate"
        return "median of the topics that differ" if self is PairTest.SIGN else "difference of the means"


_NAMED = {
    PairTest.RANDOMISATION: "paired randomisation",
    PairTest.T_TEST: "paired t-test",
    PairTest.WILCOXON: "Wilcoxon’s signed ranks",
    PairTest.SIGN: "sign test",
    PairTest.BOOTSTRAP: "paired bootstrap",
}


class IntervalKind(StrEnum):
    """Which interval is shown: that of the test, or the one by this name."""

    TEST = "test"
    BCA = "bca"


@dataclass(frozen=True, slots=True)
class Testing:
    """How differences are tested."""

    test: PairTest = PairTest.RANDOMISATION
    draws: int | None = None
    """Randomisations or resamples; None takes as many as the number of pairs needs."""
    seed: int = significance.SEED
    first_is_better: bool = True
    """What the one-tailed bootstrap tests: that of two runs the one given first is better, or the other."""
    tie: float = 0.0
    """Topics on which two runs differ by less count as ties, also in the sign test; other tests take them."""
    correction: Correction = Correction.HOLM
    interval: IntervalKind = IntervalKind.TEST

    def __post_init__(self) -> None:
        if self.test is PairTest.BOOTSTRAP and self.correction is Correction.HSD:
            raise InexviewError("Tukey's HSD is two-sided, the bootstrap one-tailed: choose another of them")

    @property
    def usual_draws(self) -> int:
        """How many randomisations or resamples are drawn of every pair where none are asked for."""
        boot = self.test is PairTest.BOOTSTRAP
        return significance.RESAMPLES if boot else significance.RANDOMISATIONS

    @property
    def drawn(self) -> int:
        """How many randomisations or resamples are drawn of every pair where the test draws."""
        return self.usual_draws if self.draws is None else self.draws

    def ties(self, differences: Floats) -> Mask:
        """Return which differences of topics, of any shape, are ties; a topic that is missing is none."""
        even: Mask = np.abs(differences) < max(self.tie, NO_DIFFERENCE)
        return even

    def least_p(self, topics: int, pairs: int) -> float:
        """Return the smallest p that the test can give on so many topics, one of so many pairs."""
        if self.test is PairTest.T_TEST:
            return 0.0 if topics > 1 else math.nan
        if self.test is PairTest.BOOTSTRAP:
            return 1 / ((significance.resamples_for(pairs) if self.draws is None else self.draws) + 1)
        draws = self.draws if self.test is PairTest.RANDOMISATION else None
        return significance.least_p(topics, draws)

    def tested(
        self,
        differences: Floats,
        as_given: Ints,
        *,
        pairs: int,
        topics: tuple[str, ...],
        progress: Progress,
    ) -> Tested:
        """Test differences of pairs (pairs, topics), NaN for topics that one of two runs lacks.

        ``as_given`` (pairs,) is 1 where the first of the two runs was given first, else −1; ``pairs`` is
        how many all the runs make, on which the number of draws depends.
        """
        if self.test is PairTest.T_TEST:
            return significance.t_test(differences)
        if self.test is PairTest.WILCOXON:
            return significance.wilcoxon(differences)
        if self.test is PairTest.SIGN:
            return significance.sign_test(differences, tie=self.tie)
        if self.test is PairTest.BOOTSTRAP:
            turned = as_given if self.first_is_better else -as_given
            found = significance.bootstrap(
                differences * turned[:, None],
                resamples=self.draws,
                pairs=pairs,
                seed=self.seed,
                progress=progress,
            )
            low, high = np.where(turned > 0, (found.low, found.high), (-found.high, -found.low))
            return found._replace(estimate=found.estimate * turned, low=low, high=high)
        keys = [significance.topic_key(topic) for topic in topics]
        return significance.randomisation(
            differences, draws=self.draws, seed=self.seed, keys=keys, progress=progress
        )

    def described(self, topics: int) -> str:
        """Return in a line which test this is on so many topics."""
        if self.test is PairTest.T_TEST:
            return "paired t-test, two-tailed"
        if self.test is PairTest.WILCOXON:
            exact = significance.EXACT_RANKS
            how = "exact" if topics <= exact else f"exact up to {exact} topics that differ"
            return f"Wilcoxon’s signed ranks, two-sided, {how}"
        if self.test is PairTest.SIGN:
            return "sign test, two-sided, exact"
        if self.test is PairTest.BOOTSTRAP:
            direction = "first" if self.first_is_better else "second"
            more = "" if self.draws is not None else ", more in the tail"
            return (
                f"paired bootstrap of {self.drawn:,} resamples{more}, one-tailed: "
                f"that of two runs the one given {direction} is better; seed {self.seed}"
            )
        if significance.is_exact(topics):
            return "paired randomisation, two-sided, exact"
        tail = "" if self.draws is not None else " (weighted draws in the tail)"
        return f"paired randomisation, two-sided, {self.drawn:,} draws{tail}, seed {self.seed}"

    @property
    def interval_named(self) -> str:
        """How the interval was found, in a few words."""
        if self.interval is IntervalKind.BCA:
            return "BCa bootstrap"
        if self.test is PairTest.BOOTSTRAP:
            return "one-sided, of the bootstrap"
        if self.test in (PairTest.WILCOXON, PairTest.SIGN):
            return f"of the {self.test.estimate}"
        return f"of the {self.test.value}" + (" test" if self.test is PairTest.RANDOMISATION else "")

    def kept(self) -> dict[str, Any]:
        """Return what JSON can keep."""
        return {
            "test": self.test.value,
            "draws": self.draws,
            "seed": self.seed,
            "first_is_better": self.first_is_better,
            "tie": self.tie,
            "correction": self.correction.value,
            "interval": self.interval.value,
        }

    @classmethod
    def from_kept(cls, kept: object) -> Testing:
        """Return what was kept; the usual testing where that is not understood."""
        if not isinstance(kept, Mapping):
            return cls()
        try:
            return cls(
                PairTest(kept["test"]),
                None if kept["draws"] is None else min(max(int(kept["draws"]), 1), MOST_DRAWS),
                int(kept["seed"]),
                first_is_better=kept["first_is_better"] is not False,
                tie=float(kept["tie"]),
                correction=Correction(kept["correction"]),
                interval=IntervalKind(kept["interval"]),
            )
        except (KeyError, TypeError, ValueError, InexviewError):
            return cls()
