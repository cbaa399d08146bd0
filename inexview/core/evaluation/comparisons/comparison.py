"""Runs against runs, each pair on the topics that both have: differences, and how sure they are."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import combinations
from typing import overload

import numpy as np

from inexview.core.errors import InexviewError
from inexview.core.evaluation.comparisons import significance
from inexview.core.evaluation.comparisons.bca import bca_interval, bca_interval_of_geometric_means
from inexview.core.evaluation.comparisons.corrections import (
    Correction,
    benjamini_hochberg,
    holm,
    honest_differences,
)
from inexview.core.evaluation.comparisons.significance import LEVEL, Tested, by_topics
from inexview.core.evaluation.comparisons.testing import NO_DIFFERENCE, IntervalKind, Testing
from inexview.core.evaluation.run_scores import RunScores
from inexview.core.evaluation.topic_means import best_first, logarithms
from inexview.core.progress import Progress, unwatched
from inexview.core.text.spans import Floats, Ints, Mask
from inexview.core.wording import counted, told_apart

FEW_TOPICS = 10
"""Below so many topics no test can say much."""
SMALL_SAMPLE = 25
"""Below so many topics the smallest difference is given that could have been shown."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two runs compared by one measure; ``better`` and ``worse`` are their places among the runs.

    All figures are of the topics that both have.  Of runs with equal means the one given first is called
    better.  What was not tested, or cannot be, is NaN.
    """

    better: int
    worse: int
    topics: int
    """How many topics both runs have."""
    better_mean: float
    """The mean of the better run over these topics."""
    worse_mean: float
    difference: float
    """Mean of the better less mean of the worse run."""
    improvement: float
    """The difference in percent of the worse one's mean; NaN over a mean of 0."""
    wins: int
    """Topics on which the better run scores more; ``ties`` alike, ``losses`` less."""
    ties: int
    losses: int
    effect: float
    """Cohen's d_z: the mean of the topics' differences over their standard deviation."""
    low: float = math.nan
    """The ends of the 95 % interval, that of the test unless another was asked for."""
    high: float = math.nan
    estimate: float = math.nan
    """What the test's interval is of: the difference, the Hodges-Lehmann estimate, or a median."""
    detectable: float = math.nan
    """The smallest such estimate that the test would have shown on these topics; ∞ where none could be."""
    p: float = math.nan
    p_corrected: float = math.nan
    """p corrected for all pairs of the comparison."""
    t: float = math.nan
    """The statistic of the t-test, with one degree of freedom less than there are topics."""
    bias: float = math.nan
    """What moved the ends of a BCa interval, of better less worse; and the ``acceleration``."""
    acceleration: float = math.nan

    @property
    def significant(self) -> bool:
        """Whether p is below 0.05 after the correction."""
        return self.p_corrected < LEVEL

    @property
    def mark(self) -> str:
        """† where p is below 0.05 after the correction, (†) where only before it."""
        if self.significant:
            return "†"
        return "(†)" if self.p < LEVEL else ""


_COLUMNS = tuple(field.name for field in fields(Pair))


class Pairs(Sequence[Pair]):
    """The pairs of a comparison as columns; each is made when it is asked for: 100 runs have 4,950."""

    def __init__(self, columns: Mapping[str, Ints | Floats]) -> None:
        self.columns = columns
        """Values of the fields of Pair by their names, shape (pairs,) each."""
        self._made: dict[int, Pair] = {}

    def __len__(self) -> int:
        return len(self.columns["better"])

    @overload
    def __getitem__(self, at: int) -> Pair: ...
    @overload
    def __getitem__(self, at: slice) -> list[Pair]: ...
    def __getitem__(self, at: int | slice) -> Pair | list[Pair]:
        if isinstance(at, slice):
            return [self[each] for each in range(len(self))[at]]
        at = range(len(self))[at]
        if at not in self._made:
            self._made[at] = Pair(**{name: column[at].item() for name, column in self.columns.items()})
        return self._made[at]

    def with_columns(self, columns: Mapping[str, Ints | Floats]) -> Pairs:
        return Pairs({**self.columns, **columns})

    def number_below(self, column: str, level: float = LEVEL) -> int:
        """Return how many pairs have a value in a column that is below a level; none if it is missing."""
        return int((self.columns[column] < level).sum()) if column in self.columns else 0


@dataclass(frozen=True, eq=False)
class Comparison:
    """R runs compared by one measure, over the T topics that any of them was scored on.

    ``scores`` has shape (R, T), NaN where a run lacks a topic; ``means`` (R,) are over each run's own topics,
    of which there are ``counts`` (R,).  ``order`` (R,) are the runs' places, the best first: runs whose means
    are over fewer topics than others' come last.
    """

    measure: str
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    scores: Floats
    means: Floats
    counts: Ints
    order: Ints
    pairs: Pairs
    """All pairs in the order of the runs; those with the baseline where there is one."""
    testing: Testing
    warnings: tuple[str, ...]
    geometric: bool = False
    """Whether the means are geometric; then logarithms are tested, whose mean orders runs alike."""
    baseline: int | None = None
    """The place of the run with which alone the others are compared; None: all pairs are."""

    @property
    def tested(self) -> Floats:
        """What the tests are of, shape (R, T): the scores, or their logarithms."""
        return logarithms(self.scores) if self.geometric else self.scores

    @property
    def shared(self) -> tuple[str, ...]:
        """The topics that all the runs have."""
        return tuple(np.array(self.topics, dtype=object)[self._shared].tolist())

    @property
    def shared_scores(self) -> Floats:
        """The scores on the topics that all the runs have, shape (R, topics)."""
        return self.scores[:, self._shared]

    @cached_property
    def _shared(self) -> Mask:
        return has_all(self.scores)

    @property
    def most_topics(self) -> int:
        """The largest number of topics that a pair has."""
        return int(self.pairs.columns["topics"].max(initial=0))

    @property
    def alike(self) -> bool:
        """Whether all pairs have equally many topics."""
        return bool((self.pairs.columns["topics"] == self.most_topics).all())

    @property
    def topics_said(self) -> str:
        """On how many topics the pairs are compared: ``120 topics``, ``99 to 120 topics a pair``."""
        least, most = int(self.pairs.columns["topics"].min(initial=self.most_topics)), self.most_topics
        return counted(most, "topic") if least == most else f"{least:,} to {counted(most, 'topic')} a pair"

    @property
    def family(self) -> str:
        """The family of tests that p is corrected for."""
        pairs = len(self.pairs)
        if self.baseline is None:
            return "the one pair" if pairs == 1 else f"all {counted(pairs, 'pair')}"
        with_base = f"comparison{'' if pairs == 1 else 's'} with {self.runs[self.baseline]}"
        return f"the one {with_base}" if pairs == 1 else f"the {pairs:,} {with_base}"

    def between(self, first: int, second: int) -> Pair:
        """Return the pair of two runs, by their places, whichever of them is better.

        Raises KeyError for two runs that are not compared.
        """
        return self.pairs[self._places[min(first, second), max(first, second)]]

    @cached_property
    def _places(self) -> dict[tuple[int, int], int]:
        ends = np.sort(np.stack((self.pairs.columns["better"], self.pairs.columns["worse"])), axis=0)
        return {pair: at for at, pair in enumerate(zip(*ends.tolist(), strict=True))}

    def difference(self, first: int, second: int) -> RunDifference:
        """Return one run less another, by their places.  Raises KeyError for two that are not compared."""
        return RunDifference(self, first, second)

    @property
    def significant(self) -> int:
        """How many pairs differ significantly after the correction."""
        return self.pairs.number_below("p_corrected")

    @property
    def uncorrected(self) -> int:
        """How many pairs have a p below 0.05 before the correction."""
        return self.pairs.number_below("p")


def has_all(scores: Floats) -> Mask:
    """Return which topics no run lacks, shape (T,), of scores (R, T)."""
    present: Mask = ~np.isnan(scores)
    there: Mask = present.sum(axis=0) == len(scores)
    return there


@dataclass(frozen=True, eq=False)
class RunDifference:
    """One run less another, by their places in a comparison, on the topics that both have."""

    comparison: Comparison
    first: int
    second: int

    @cached_property
    def pair(self) -> Pair:
        return self.comparison.between(self.first, self.second)

    @cached_property
    def _there(self) -> Mask:
        return has_all(self.comparison.scores[[self.first, self.second]])

    @cached_property
    def topics(self) -> tuple[str, ...]:
        return tuple(np.array(self.comparison.topics, dtype=object)[self._there].tolist())

    @property
    def names(self) -> tuple[str, str]:
        return self.comparison.runs[self.first], self.comparison.runs[self.second]

    @property
    def turned(self) -> bool:
        """Whether the second run is the pair's better one."""
        return self.pair.better == self.second

    @property
    def scores(self) -> Floats:
        """The scores of both runs, shape (2, topics)."""
        return self.comparison.scores[[self.first, self.second]][:, self._there]

    @property
    def differences(self) -> Floats:
        """The difference of each topic, shape (topics,)."""
        first, second = self.scores
        differences: Floats = first - second
        return differences

    @property
    def tested_differences(self) -> Floats:
        """What is tested of each topic: the difference, or that of the logarithms, shape (topics,)."""
        first, second = self.comparison.tested[[self.first, self.second]][:, self._there]
        differences: Floats = first - second
        return differences

    @property
    def means(self) -> tuple[float, float]:
        """The means of both runs over these topics."""
        means = self.pair.better_mean, self.pair.worse_mean
        return means[::-1] if self.turned else means

    @property
    def mean(self) -> float:
        """The difference of the means."""
        return self._signed(self.pair.difference)

    @property
    def improvement(self) -> float:
        """The difference in percent of the second run's mean; NaN over a mean of 0."""
        return significance.improvement(*self.means)

    @property
    def estimate(self) -> float:
        """What the interval is of."""
        return self._signed(self.pair.estimate)

    @property
    def effect(self) -> float:
        """Cohen's d_z."""
        return self._signed(self.pair.effect)

    def _signed(self, value: float) -> float:
        return 0.0 - value if self.turned else value  # no −0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The ends of the 95 % interval of the difference; NaN as long as it was not tested."""
        low, high = self.pair.low, self.pair.high
        return (-high, -low) if self.turned else (low, high)

    @property
    def outcome(self) -> tuple[int, int, int]:
        """On how many topics the first run wins, ties and loses."""
        outcome = self.pair.wins, self.pair.ties, self.pair.losses
        return outcome[::-1] if self.turned else outcome

    @property
    def tested(self) -> bool:
        """Whether the test was made by now."""
        return not math.isnan(self.pair.p)

    @property
    def mark(self) -> str:
        return self.pair.mark

    def largest(self, most: int) -> list[int]:
        """Return the places of the topics that differ most."""
        order: list[int] = np.argsort(-np.abs(self.differences), kind="stable")[:most].tolist()
        return order


def compare(
    runs: Sequence[RunScores],
    measure: str,
    testing: Testing | None = None,
    *,
    topics: Sequence[str] | None = None,
    baseline: int | None = None,
    progress: Progress = unwatched,
) -> Comparison:
    """Compare every pair of runs by a measure, named as for a topic or as for the mean.

    ``runs`` are what :func:`~inexview.core.evaluation.evaluate.evaluate` returns of each; a pair is compared
    on the topics that both have, or on those of them that are in ``topics``.  With ``baseline``, the place of
    a run, only the pairs with it are compared.  ``testing`` is by paired randomisation when None.  Raises
    InexviewError where there is no run, where no two runs share a topic or one lacks the measure, Cancelled
    where it is given up.
    """
    untested = side_by_side(runs, measure, testing, topics=topics, baseline=baseline)
    if not len(untested.pairs):
        return untested
    return _tested(untested, progress)


def side_by_side(
    runs: Sequence[RunScores],
    measure: str,
    testing: Testing | None = None,
    *,
    topics: Sequence[str] | None = None,
    baseline: int | None = None,
) -> Comparison:
    """Return the comparison as it is before the differences are tested: p and the interval are NaN."""
    if not runs:
        raise InexviewError("there is no run to compare: give two or more")
    lacking = next((run for run in runs if measure not in (*run.names, *run.mean_names)), None)
    if lacking is not None:
        known = ", ".join(lacking.mean_names)
        raise InexviewError(f"{lacking.id} is not scored by {measure!r}; it has {known}")
    testing = testing or Testing()
    every = tuple(dict.fromkeys(topic for run in runs for topic in run.topics))
    chosen = every if topics is None else tuple(topic for topic in every if topic in {*topics})
    scores = np.array([_on(run, measure, chosen) for run in runs]).reshape(len(runs), len(chosen))
    geometric = runs[0].is_geometric(measure)
    present = ~np.isnan(scores)
    counts = present.sum(axis=1)
    if topics is None:  # to the last digit what eval prints
        means = np.array([run.mean_of(measure) for run in runs])
    else:
        means = _means(scores, present, geometric=geometric)
    order = best_first(means, counts)
    ranked = order.tolist()
    if baseline is None:
        places = list(combinations(ranked, 2))
    else:
        places = [(baseline, other) for other in ranked if other != baseline]
    better, worse = np.array(places, dtype=np.int64).reshape(-1, 2).T
    if len(places) and not (present[better] & present[worse]).any():
        raise InexviewError("the runs have no judged topic in common: there is nothing to compare")
    pairs = _pairs(scores, better, worse, testing, geometric=geometric)
    return Comparison(
        measure,
        tuple(told_apart([run.id for run in runs], [run.path for run in runs])),
        chosen,
        scores,
        means,
        counts,
        order,
        pairs,
        testing,
        _warnings(pairs, len(runs), testing),
        geometric,
        baseline,
    )


def _on(run: RunScores, measure: str, topics: tuple[str, ...]) -> Floats:
    """Return the values of a run on some topics, NaN where it has none."""
    values = run.per_topic(measure)
    if run.topics == topics:
        return values
    there = dict(zip(run.topics, values.tolist(), strict=True))
    return np.array([there.get(topic, math.nan) for topic in topics])


def _means(scores: Floats, present: Mask, *, geometric: bool) -> Floats:
    """Return the means over the topics that are ``present``, NaN where none is."""
    values = logarithms(scores) if geometric else scores
    total, count = np.where(present, values, 0.0).sum(axis=-1), present.sum(axis=-1)
    with np.errstate(invalid="ignore"):
        means: Floats = total / np.where(count, count, math.nan)
    return np.exp(means) if geometric else means


def _pairs(scores: Floats, first: Ints, second: Ints, testing: Testing, *, geometric: bool) -> Pairs:
    """Return what is known of the pairs before any test, the better of each first."""
    both = ~np.isnan(scores[first]) & ~np.isnan(scores[second])
    topics = both.sum(axis=1)
    means = [_means(scores[some], both, geometric=geometric) for some in (first, second)]
    lead = means[0] - means[1]
    lead[np.abs(lead) < NO_DIFFERENCE] = 0.0
    turned = (lead < 0) | ((lead == 0) & (second < first))
    better, worse = np.where(turned, (second, first), (first, second))
    higher, lower = np.where(turned, means[::-1], means)
    gained = scores[better] - scores[worse]
    uneven = ~testing.ties(gained)
    wins, losses = ((gained > 0) & uneven).sum(axis=1), ((gained < 0) & uneven).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        improvement = np.where(lower > 0, 100 * (higher - lower) / lower, math.nan)
    differences = _differences(logarithms(scores) if geometric else scores, better, worse)
    effect = significance.effect_sizes(differences) if differences.size else np.full(len(better), math.nan)
    columns = (better, worse, topics, higher, lower, np.abs(lead), improvement)
    return Pairs(dict(zip(_COLUMNS, (*columns, wins, topics - wins - losses, losses, effect), strict=False)))


def _differences(scores: Floats, better: Ints, worse: Ints) -> Floats:
    """Return the better less the worse run of each pair, shape (pairs, T); noise counts as 0."""
    differences: Floats = scores[better] - scores[worse]
    differences[np.abs(differences) < NO_DIFFERENCE] = 0.0
    return differences


def _tested(untested: Comparison, progress: Progress) -> Comparison:
    """Return a comparison with its differences tested, in the family that it is of."""
    testing, columns = untested.testing, untested.pairs.columns
    better, worse = columns["better"].astype(np.int64), columns["worse"].astype(np.int64)
    differences = _differences(untested.tested, better, worse)
    found = testing.tested(
        differences,
        np.where(better < worse, 1, -1),
        pairs=math.comb(len(untested.runs), 2),
        topics=untested.topics,
        progress=progress,
    )
    if untested.geometric:
        found = _as_ratios(found, columns["worse_mean"].astype(np.float64))
    nearer = np.where(np.isinf(found.low), found.high, found.low)  # a one-tailed interval has one end
    with np.errstate(invalid="ignore"):
        detectable = np.abs(found.estimate - nearer)
    tested: dict[str, Floats] = {
        "estimate": found.estimate,
        "low": found.low,
        "high": found.high,
        "detectable": detectable,
        "p": found.p,
        "t": found.statistic,
        "p_corrected": _corrected(untested, found.p, better, worse, progress),
    }
    if testing.interval is IntervalKind.BCA:
        tested |= _bca(untested, differences, better, worse, progress)
    return replace(untested, pairs=untested.pairs.with_columns(tested))


def _as_ratios(found: Tested, worse_mean: Floats) -> Tested:
    """Return results of logarithms as differences of geometric means: the worse times (ratio − 1)."""
    ends = (found.estimate, found.low, found.high)
    estimate, low, high = (worse_mean * np.expm1(column) for column in ends)
    return found._replace(estimate=estimate, low=low, high=high)


def _corrected(untested: Comparison, p: Floats, better: Ints, worse: Ints, progress: Progress) -> Floats:
    """Return p corrected for all pairs of the comparison."""
    correction = untested.testing.correction
    if correction is Correction.HSD:
        honest = honest_differences(
            untested.tested, better, worse, seed=untested.testing.seed, progress=progress
        )
        return np.where(np.isnan(p), math.nan, honest)
    plain: Mapping[Correction, Callable[[Floats], Floats]] = {
        Correction.HOLM: holm,
        Correction.BH: benjamini_hochberg,
    }
    return plain[correction](p) if correction in plain else p


def _bca(
    untested: Comparison, differences: Floats, better: Ints, worse: Ints, progress: Progress
) -> dict[str, Floats]:
    """Return the columns of BCa intervals."""
    names = ("low", "high", "bias", "acceleration")
    columns = {name: np.full(len(better), math.nan) for name in names}
    seed, tested = untested.testing.seed, untested.tested
    for rows, own in by_topics(differences):
        if untested.geometric:
            there = ~np.isnan(differences[rows[0]])
            ends = bca_interval_of_geometric_means(
                tested[better[rows]][:, there], tested[worse[rows]][:, there], seed=seed, progress=progress
            )
        else:
            ends = bca_interval(own, seed=seed, progress=progress)
        for name, column in ends._asdict().items():
            columns[name][rows] = column
    return columns


def _warnings(pairs: Pairs, runs: int, testing: Testing) -> tuple[str, ...]:
    """Return why a comparison can tell less than it seems to."""
    topics = int(pairs.columns["topics"].max(initial=0))
    if not len(pairs):
        return ()
    said = []
    if topics < FEW_TOPICS:
        said.append(f"only {counted(topics, 'topic')}: a difference may well be chance, whatever p says")
    least = testing.least_p(topics, math.comb(runs, 2))
    one_by_one = testing.correction in (Correction.HSD, Correction.BH, Correction.NONE)
    corrected = least if one_by_one else least * len(pairs)
    if least >= LEVEL:
        said.append(f"p cannot fall below {least:.3g} here: no difference can be significant")
    elif corrected >= LEVEL:
        more = "" if testing.draws is None else "draw more, "
        said.append(
            f"p cannot fall below {least:.3g}, nor the best of {counted(len(pairs), 'pair')} below "
            f"{min(1.0, corrected):.3g} after Holm's correction: {more}compare fewer runs or choose "
            "another correction"
        )
    return tuple(said)
