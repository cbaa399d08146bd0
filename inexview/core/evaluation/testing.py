"""The tests of differences between runs: one record for command line, window, experiments and Python."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from inexview.core.errors import InexviewError
from inexview.core.evaluation.significance import (
    EXACT_RANKS,
    LEVEL,
    RANDOMISATIONS,
    RESAMPLES,
    SEED,
    Correction,
    Tested,
    bootstrap,
    is_exact,
    least_p,
    randomisation,
    resamples_for,
    sign_test,
    t_test,
    topic_key,
    wilcoxon,
)
from inexview.core.progress import Progress
from inexview.core.text.spans import Floats, Ints, Mask

NO_DIFFERENCE = 1e-12
"""Smaller differences are rounding errors."""
MOST_DRAWS = 1_000_000
IN_TAILS = 50  # draws
DRAWN_SEVERAL = (10_000, 100_000, MOST_DRAWS)
"""Numbers of draws in menus."""


class PairTest(StrEnum):
    """The tests of a difference, by name."""

    RANDOMISATION = "randomisation"
    T_TEST = "t-test"
    WILCOXON = "wilcoxon"
    SIGN = "sign"
    BOOTSTRAP = "bootstrap"

    @property
    def draws(self) -> bool:
        return self in (PairTest.RANDOMISATION, PairTest.BOOTSTRAP)

    @property
    def named(self) -> str:
        """Its name in a sentence."""
        return _NAMED[self]

    @property
    def estimate(self) -> str:
        """The estimate that its interval is of."""
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
    """The interval that is shown: that of the test, or BCa."""

    TEST = "test"
    BCA = "bca"


@dataclass(frozen=True, slots=True)
class Testing:
    """How differences are tested."""

    test: PairTest = PairTest.RANDOMISATION
    draws: int | None = None
    """Randomisations or resamples; None takes as many as the number of pairs needs."""
    seed: int = SEED
    first_is_better: bool = True
    """Whether the one-tailed bootstrap tests that the run given first is better, or the other one."""
    tie: float = 0.0
    """Smaller differences of a topic are ties, also in the sign test; the other tests use them."""
    correction: Correction = Correction.HOLM
    interval: IntervalKind = IntervalKind.TEST

    def __post_init__(self) -> None:
        if self.test is PairTest.BOOTSTRAP and self.correction is Correction.HSD:
            raise InexviewError(
                "Tukey's HSD is two-sided, but the bootstrap is one-tailed: change one of them"
            )

    @property
    def usual_draws(self) -> int:
        """The default number of randomisations or resamples of a pair."""
        boot = self.test is PairTest.BOOTSTRAP
        return RESAMPLES if boot else RANDOMISATIONS

    @property
    def drawn(self) -> int:
        """The number of randomisations or resamples of a pair."""
        return self.usual_draws if self.draws is None else self.draws

    def ties(self, differences: Floats) -> Mask:
        """Return which differences of topics are ties, in their shape; missing topics are not ties."""
        even: Mask = np.abs(differences) < max(self.tie, NO_DIFFERENCE)
        return even

    def least_p(self, topics: int, pairs: int) -> float:
        """Return the smallest p that the test can give on ``topics`` topics for one of ``pairs`` pairs."""
        if self.test is PairTest.T_TEST:
            return 0.0 if topics > 1 else math.nan
        if self.test is PairTest.BOOTSTRAP:
            return 1 / ((resamples_for(pairs) if self.draws is None else self.draws) + 1)
        draws = self.draws if self.test is PairTest.RANDOMISATION else None
        return least_p(topics, draws)

    def tested(
        self,
        differences: Floats,
        as_given: Ints,
        *,
        pairs: int,
        topics: tuple[str, ...],
        progress: Progress,
        level: float,
    ) -> Tested:
        """Test differences of pairs (pairs, topics), NaN for topics that one of two runs lacks.

        ``as_given`` (pairs,) is 1 if the first of the two runs was given first, else −1; ``pairs`` is the
        number of pairs of all runs, which affects the number of draws.  The interval is that at 1 −
        ``level``, which the bootstrap does not have.
        """
        if self.test is PairTest.T_TEST:
            return t_test(differences, level=level)
        if self.test is PairTest.WILCOXON:
            return wilcoxon(differences, level=level)
        if self.test is PairTest.SIGN:
            return sign_test(differences, tie=self.tie, level=level)
        if self.test is PairTest.BOOTSTRAP:
            turned = as_given if self.first_is_better else -as_given
            result = bootstrap(
                differences * turned[:, None],
                resamples=self.draws,
                pairs=pairs,
                seed=self.seed,
                progress=progress,
            )
            low, high = np.where(turned > 0, (result.low, result.high), (-result.high, -result.low))
            return result._replace(estimate=result.estimate * turned, low=low, high=high)
        keys = [topic_key(topic) for topic in topics]
        draws = self.draws if level == LEVEL else self._draws_at(level)
        return randomisation(
            differences, draws=draws, seed=self.seed, keys=keys, level=level, progress=progress
        )

    def _draws_at(self, level: float) -> int:
        """Return how many draws are enough for the tails of an interval at 1 − ``level``."""
        return max(self.drawn, min(math.ceil(IN_TAILS / level), MOST_DRAWS))

    def at_once(self, pairs: int) -> bool:
        """Return whether so many pairs have simultaneous intervals."""
        of_test = self.test is not PairTest.BOOTSTRAP and self.interval is IntervalKind.TEST
        return of_test and self.correction is Correction.HOLM and pairs > 1

    def described(self, topics: int) -> str:
        """Describe the test on ``topics`` topics in a line."""
        if self.test is PairTest.T_TEST:
            return "paired t-test, two-tailed"
        if self.test is PairTest.WILCOXON:
            exact = EXACT_RANKS
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
        if is_exact(topics):
            return "paired randomisation, two-sided, exact"
        tail = "" if self.draws is not None else " (weighted draws in the tail)"
        return f"paired randomisation, two-sided, {self.drawn:,} draws{tail}, seed {self.seed}"

    @property
    def interval_named(self) -> str:
        """How the interval was computed, in a few words."""
        if self.interval is IntervalKind.BCA:
            return "BCa bootstrap"
        if self.test is PairTest.BOOTSTRAP:
            return "one-sided, of the bootstrap"
        if self.test in (PairTest.WILCOXON, PairTest.SIGN):
            return f"of the {self.test.estimate}"
        return f"of the {self.test.value}" + (" test" if self.test is PairTest.RANDOMISATION else "")

    def kept(self) -> dict[str, Any]:
        """Return the fields as JSON can hold them."""
        return asdict(self)

    @classmethod
    def from_kept(cls, kept: object) -> Testing:
        """Return the stored testing; the default if it cannot be read."""
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
