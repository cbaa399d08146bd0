"""Runs against runs on the topics that they share: differences, how sure they are, and who is best."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from itertools import combinations
from typing import overload

import numpy as np

from inexview.core.errors import InexviewError
from inexview.core.evaluation.comparisons import significance
from inexview.core.evaluation.run_scores import RunScores
from inexview.core.evaluation.topic_means import logarithms, topic_means
from inexview.core.progress import Progress, unwatched
from inexview.core.text.offset_arrays import Floats, Ints, Mask
from inexview.core.wording import counted, told_apart

FEW_TOPICS = 10
_TIE = 1e-12
UNTESTED = dict.fromkeys(("p", "p_holm", "low", "high"), math.nan)
"""What is known of a pair that is not tested."""


class PairTest(StrEnum):
    """The tests of a difference, by name."""

    RANDOMISATION = "randomisation"
    BOOTSTRAP = "bootstrap"
    T_TEST = "t-test"


@dataclass(frozen=True, slots=True)
class Testing:
    """How differences are tested."""

    test: PairTest = PairTest.RANDOMISATION
    draws: int | None = None
    """Randomisations or resamples; None takes 10,000 or, of the bootstrap, 1,000 as its paper."""
    seed: int = significance.SEED
    first_is_better: bool = True
    """What the one-tailed bootstrap tests: that of two runs the one given first is better, or the other."""
    tie: float = 0.0
    """Topics on which two runs differ by less count as ties; the tests take them as they are."""

    @property
    def drawn(self) -> int:
        """How many randomisations or resamples are drawn where the test draws."""
        usual = significance.RESAMPLES if self.test is PairTest.BOOTSTRAP else significance.RANDOMISATIONS
        return usual if self.draws is None else self.draws

    def ties(self, differences: Floats) -> Mask:
        """Tell of the differences of topics, of any shape, which are ties."""
        even: Mask = np.abs(differences) < max(self.tie, _TIE)
        return even

    def described(self, topics: int) -> str:
        """Say which test this is on so many topics, in a line."""
        if self.test is PairTest.T_TEST:
            return "paired t-test, two-tailed"
        if self.test is PairTest.BOOTSTRAP:
            direction = "first" if self.first_is_better else "second"
            return (
                f"paired bootstrap of {self.drawn:,} resamples, one-tailed: "
                f"that of two runs the one given {direction} is better; seed {self.seed}"
            )
        if significance.is_exact(topics):
            return "paired randomisation, two-sided, exact"
        return f"paired randomisation, two-sided, {self.drawn:,} draws, seed {self.seed}"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two runs compared by one measure; ``better`` and ``worse`` are their places among the runs.

    Of runs with equal means the one given first is called better.
    """

    better: int
    worse: int
    difference: float
    """Mean of the better less mean of the worse run."""
    low: float
    high: float
    """The 95 % interval of the difference (BCa); NaN below two topics."""
    improvement: float
    """The difference in percent of the worse one's mean; NaN over a mean of 0."""
    wins: int
    """Topics on which the better run scores more; ``ties`` alike, ``losses`` less."""
    ties: int
    losses: int
    p: float
    p_holm: float
    """p with Holm's correction for all pairs of the comparison."""
    t: float = math.nan
    """The statistic of the t-test, with one degree of freedom less than there are topics."""
    bias: float = math.nan
    """What moved the ends of the interval (BCa), of better less worse; and the ``acceleration``."""
    acceleration: float = math.nan

    @property
    def significant(self) -> bool:
        """Whether p is below 0.05 after the correction."""
        return self.p_holm < significance.LEVEL


@dataclass(frozen=True, eq=False)
class Comparison:
    """All pairs of R runs by one measure, over the T topics that all the runs were scored on.

    ``means`` has shape (R,), ``scores`` (R, T); ``order`` (R,) are the runs' places, the best first.
    """

    measure: str
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    scores: Floats
    means: Floats
    order: Ints
    pairs: Sequence[Pair]
    """In the order of the runs' scores: that of the best two first."""
    testing: Testing
    warnings: tuple[str, ...]
    geometric: bool = False
    """Whether the means are geometric; then logarithms are tested, whose mean orders runs alike."""

    @property
    def tested(self) -> Floats:
        """What the tests are of, shape (R, T): the scores, or their logarithms."""
        return logarithms(self.scores) if self.geometric else self.scores

    def between(self, first: int, second: int) -> Pair:
        """Return the pair of two runs, by their places, whichever of them is better."""
        better, worse = sorted((self._ranks[first], self._ranks[second]))
        before = better * (2 * len(self.runs) - better - 1) // 2  # pairs of the runs that are better still
        return self.pairs[before + worse - better - 1]

    @cached_property
    def _ranks(self) -> list[int]:
        ranks: list[int] = np.argsort(self.order).tolist()
        return ranks

    @property
    def significant(self) -> int:
        """How many pairs differ significantly after the correction."""
        return sum(pair.significant for pair in self.pairs)

    @property
    def uncorrected(self) -> int:
        """How many pairs have a p below 0.05 before the correction."""
        return sum(pair.p < significance.LEVEL for pair in self.pairs)


class UntestedPairs(Sequence[Pair]):
    """The pairs before they are tested, each made when it is asked for: of a hundred runs there are 4,950."""

    def __init__(
        self, scores: Floats, means: Floats, places: Sequence[tuple[int, int]], testing: Testing
    ) -> None:
        self._scores = scores
        self._testing = testing
        self._means = means.tolist()
        self._places = places
        self._made: dict[int, Pair] = {}

    def __len__(self) -> int:
        return len(self._places)

    @property
    def places(self) -> tuple[Ints, Ints]:
        """The places of the better and the worse run of each pair, shape (pairs,) both."""
        better, worse = np.array(self._places).T
        return better, worse

    @overload
    def __getitem__(self, at: int) -> Pair: ...
    @overload
    def __getitem__(self, at: slice) -> list[Pair]: ...
    def __getitem__(self, at: int | slice) -> Pair | list[Pair]:
        if isinstance(at, slice):
            return [self[each] for each in range(len(self))[at]]
        if at not in self._made:
            self._made[at] = self._make(at)
        return self._made[at]

    def _make(self, at: int) -> Pair:
        wins, losses = self._outcomes(*self._places[at])
        return self._pair(at, int(wins), int(losses), UNTESTED)

    def tested(self, found: Mapping[str, Floats]) -> tuple[Pair, ...]:
        """Return all of them with what the tests ``found``: columns of shape (pairs,)."""
        outcomes = (column.tolist() for column in self._outcomes(*self.places))
        rows = zip(*(column.tolist() for column in found.values()), strict=True)
        return tuple(
            self._pair(at, wins, losses, dict(zip(found, row, strict=True)))
            for at, (wins, losses, row) in enumerate(zip(*outcomes, rows, strict=True))
        )

    def _outcomes(self, better: int | Ints, worse: int | Ints) -> tuple[Ints, Ints]:
        """Return on how many topics the better run of each pair scores more, and on how many less."""
        differences = self._scores[better] - self._scores[worse]
        uneven = ~self._testing.ties(differences)
        return ((differences > 0) & uneven).sum(axis=-1), ((differences < 0) & uneven).sum(axis=-1)

    def _pair(self, at: int, wins: int, losses: int, found: Mapping[str, float]) -> Pair:
        better, worse = self._places[at]
        higher, lower = self._means[better], self._means[worse]
        return Pair(
            better=better,
            worse=worse,
            difference=higher - lower,
            improvement=significance.improvement(higher, lower),
            wins=wins,
            ties=self._scores.shape[1] - wins - losses,
            losses=losses,
            **found,
        )


def common_topics(runs: Sequence[RunScores]) -> tuple[str, ...]:
    """Return the topics that all the runs were scored on, in the order of the first.

    Raises InexviewError where there is none.
    """
    shared = set(runs[0].topics).intersection(*(run.topics for run in runs))
    if not shared:
        raise InexviewError("the runs have no judged topic in common: there is nothing to compare")
    return tuple(topic for topic in runs[0].topics if topic in shared)


def compare(
    runs: Sequence[RunScores],
    measure: str,
    testing: Testing | None = None,
    *,
    topics: Sequence[str] | None = None,
    progress: Progress = unwatched,
) -> Comparison:
    """Compare every pair of runs by a measure, named as for a topic or as for the mean.

    ``runs`` are what :func:`~inexview.core.evaluation.evaluate.evaluate` returns of each; pairs come in the
    order of their scores, best first.  ``testing`` is by paired randomisation when None; ``topics`` are some
    of those that the runs share, all of them when None.  Raises InexviewError where there is no run, where
    the runs share no topic or one lacks the measure, Cancelled where it is given up.
    """
    laid = lay_side_by_side(runs, measure, testing, topics=topics)
    untested = laid.pairs
    if not untested:
        return laid
    assert isinstance(untested, UntestedPairs)
    better, worse = untested.places
    differences = _differences(laid.tested, better, worse)
    p, t = _tested(differences, better, worse, laid.testing, progress)
    seed = laid.testing.seed
    if laid.geometric:
        ends = significance.bca_interval_of_geometric_means(
            laid.tested[better], laid.tested[worse], seed=seed, progress=progress
        )
    else:
        ends = significance.bca_interval(differences, seed=seed, progress=progress)
    found = {"p": p, "t": t, "p_holm": significance.holm(p), **ends._asdict()}
    return replace(laid, pairs=untested.tested(found))


def lay_side_by_side(
    runs: Sequence[RunScores],
    measure: str,
    testing: Testing | None = None,
    *,
    topics: Sequence[str] | None = None,
) -> Comparison:
    """Return the comparison as it is before the differences are tested: p and the interval are NaN."""
    if not runs:
        raise InexviewError("there is no run to compare: give two or more")
    lacking = next((run for run in runs if measure not in (*run.names, *run.mean_names)), None)
    if lacking is not None:
        known = ", ".join(lacking.mean_names)
        raise InexviewError(f"{lacking.id} is not scored by {measure!r}; it has {known}")
    testing = testing or Testing()
    shared = common_topics(runs) if topics is None else tuple(topics)
    scores = np.array([_on(run, measure, shared) for run in runs])
    geometric = runs[0].is_geometric(measure)
    means = topic_means(scores, geometric=geometric)
    order = np.argsort(-means, kind="stable")
    places = list(combinations(order.tolist(), 2))
    return Comparison(
        measure,
        tuple(told_apart([run.id for run in runs], [run.path for run in runs])),
        shared,
        scores,
        means,
        order,
        UntestedPairs(scores, means, places, testing),
        testing,
        _warnings(len(shared), len(places), testing),
        geometric,
    )


def _differences(scores: Floats, better: Ints, worse: Ints) -> Floats:
    """Return the better less the worse run of each pair, shape (pairs, T); noise counts as 0."""
    differences: Floats = scores[better] - scores[worse]
    differences[np.abs(differences) < _TIE] = 0.0
    return differences


def _tested(
    differences: Floats, better: Ints, worse: Ints, testing: Testing, progress: Progress
) -> tuple[Floats, Floats]:
    """Return p of each pair, and t of the t-test (NaN in the others)."""
    if testing.test is PairTest.T_TEST:
        t, p = significance.t_test(differences)
        return p, t
    nothing = np.full(len(differences), math.nan)
    if testing.test is PairTest.BOOTSTRAP:
        as_given = np.where((better < worse) == testing.first_is_better, 1.0, -1.0)
        turned = differences * as_given[:, None]
        return significance.bootstrap(turned, resamples=testing.drawn, seed=testing.seed), nothing
    p = significance.randomisation(differences, draws=testing.drawn, seed=testing.seed, progress=progress)
    return p, nothing


def _warnings(topics: int, pairs: int, testing: Testing) -> tuple[str, ...]:
    """Say why a comparison can tell less than it seems to."""
    said = []
    if topics < FEW_TOPICS:
        said.append(f"only {counted(topics, 'topic')}: a difference may well be chance, whatever p says")
    if testing.test is PairTest.RANDOMISATION:
        least = significance.least_p(topics, testing.drawn)
    else:
        least = 1 / (testing.drawn + 1) if testing.test is PairTest.BOOTSTRAP else 0.0
    if least >= significance.LEVEL:
        said.append(f"p cannot fall below {least:.3g} here: no difference can be significant")
    elif least * pairs >= significance.LEVEL:
        said.append(
            f"p cannot fall below {least:.3g}, nor the best of {counted(pairs, 'pair')} below "
            f"{min(1.0, least * pairs):.3g} after Holm's correction: take more --draws or fewer runs"
        )
    return tuple(said)


def _on(run: RunScores, measure: str, topics: tuple[str, ...]) -> Floats:
    values = run.per_topic(measure)
    if run.topics == topics:
        return values
    place = {topic: at for at, topic in enumerate(run.topics)}
    return values[[place[topic] for topic in topics]]
