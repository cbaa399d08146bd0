"""Comparisons of runs, each pair on the topics that both have: differences, their significance, and tables.

``Testing`` sets how they are tested, for command line, window, experiments and Python alike.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import combinations
from typing import Any, overload

import numpy as np

from inexview.core.errors import InexviewError
from inexview.core.evaluation.run_parameters import RunParameters, Setting, parameters_of, with_parameters
from inexview.core.evaluation.scores import RunScores, best_first, logarithms, mean_cells
from inexview.core.evaluation.significance import (
    LEVEL,
    Correction,
    Tested,
    bca_interval,
    bca_interval_of_geometric_means,
    benjamini_hochberg,
    by_topics,
    effect_sizes,
    holm,
    honest_differences,
    improvement,
    written_p,
)
from inexview.core.evaluation.testing import NO_DIFFERENCE, IntervalKind, Testing
from inexview.core.judgements.tables import Coded, frame_of
from inexview.core.progress import Progress, unwatched
from inexview.core.report import NOTHING, PrintedLine, ValueCell, ValueTable, difference_text, figure_text
from inexview.core.text.spans import Floats, Ints, Mask
from inexview.core.wording import counted, distinct_names

FEW_TOPICS = 10
"""With fewer topics tests are of little use."""
SMALL_SAMPLE = 25
"""With fewer topics the smallest difference that the test could show is given."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two runs compared by one measure; ``better`` and ``worse`` are their indices among the runs.

    All figures are for the topics that both have.  Of runs with equal means the one given first is the
    better. Figures that were not tested, or cannot be, are NaN.
    """

    better: int
    worse: int
    topics: int
    """Number of topics that both runs have."""
    better_mean: float
    """The mean of the better run over these topics."""
    worse_mean: float
    difference: float
    """Mean of the better less mean of the worse run."""
    improvement: float
    """The difference in percent of the worse one's mean; NaN over a mean of 0."""
    wins: int
    """Topics on which the better run scores more; ``ties`` the same, ``losses`` less."""
    ties: int
    losses: int
    effect: float
    """Cohen's d_z: the mean of the topics' differences over their standard deviation."""
    low: float = math.nan
    """The ends of the 95 % interval, by default that of the test."""
    high: float = math.nan
    estimate: float = math.nan
    """The centre of the test's interval: the difference, the Hodges-Lehmann estimate, or a median."""
    detectable: float = math.nan
    """The smallest estimate that would have been significant on these topics; ∞ if there is none."""
    p: float = math.nan
    p_corrected: float = math.nan
    """p corrected for all pairs of the comparison."""
    t: float = math.nan
    """The statistic of the t-test, with one degree of freedom less than the number of topics."""
    bias: float = math.nan
    """The corrections of the ends of a BCa interval, of better less worse; and the ``acceleration``."""
    acceleration: float = math.nan

    @property
    def significant(self) -> bool:
        """Whether p is below 0.05 after the correction."""
        return self.p_corrected < LEVEL

    @property
    def mark(self) -> str:
        """† if p is below 0.05 after the correction, (†) if only before it."""
        if self.significant:
            return "†"
        return "(†)" if self.p < LEVEL else ""


_COLUMNS = tuple(field.name for field in fields(Pair))


class Pairs(Sequence[Pair]):
    """The pairs of a comparison as columns; Pair objects are made on demand, because 100 runs have 4,950."""

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
        """Return the number of pairs whose value in a column is below a level; 0 if it is missing."""
        return int((self.columns[column] < level).sum()) if column in self.columns else 0


@dataclass(frozen=True, eq=False)
class Comparison:
    """R runs compared by one measure, over the T topics that any of them was scored on.

    ``scores`` has shape (R, T), NaN if a run lacks a topic; ``means`` (R,) are over each run's own topics,
    ``counts`` (R,) their number.  ``order`` (R,) are the indices of the runs, the best first; runs with fewer
    topics than others come last.
    """

    measure: str
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    scores: Floats
    means: Floats
    counts: Ints
    order: Ints
    pairs: Pairs
    """All pairs in the order of the runs, or those with the baseline."""
    testing: Testing
    warnings: tuple[str, ...]
    geometric: bool = False
    """Whether the means are geometric; then logarithms are tested, whose means order runs in the same way."""
    baseline: int | None = None
    """The index of the run with which the others are compared; None for all pairs."""
    settings: tuple[Mapping[str, Setting] | None, ...] = ()
    """The parameters of each run in a table; None if they are read from its id."""

    def __repr__(self) -> str:
        return f"<Comparison of {len(self.runs)} runs by {self.measure}: {counted(len(self.pairs), 'pair')}>"

    def _repr_html_(self) -> str:
        return pairs_table(self).html

    def frame(self, library: str = "") -> Any:
        """Return the pairs as a data frame, a row each, with the fields of :class:`Pair` as columns.

        ``better`` and ``worse`` are the ids of the runs.  ``library`` is ``"pandas"`` or ``"polars"``; by
        default the first that is installed.
        """
        named = {
            name: Coded(self.runs, column.astype(np.int64)) if name in ("better", "worse") else column
            for name, column in self.pairs.columns.items()
        }
        return frame_of(named, library)

    @property
    def tested(self) -> Floats:
        """The tested values, shape (R, T): the scores, or their logarithms."""
        return logarithms(self.scores) if self.geometric else self.scores

    @property
    def is_tested(self) -> bool:
        """Whether its pairs have p; those of ``side_by_side`` have none yet."""
        return "p" in self.pairs.columns

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

    @cached_property
    def parameters(self) -> RunParameters:
        """The parameters that differ between the runs."""
        return parameters_of(self.runs, self.settings)

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
        """The number of topics in words: ``120 topics``, ``99 to 120 topics a pair``."""
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
        """Return the pair of two runs, given by their indices in any order.

        Raises KeyError for two runs that are not compared.
        """
        return self.pairs[self.place(first, second)]

    def place(self, first: int, second: int) -> int:
        """Return the index of the pair of two runs among the pairs.  Raises KeyError if it is missing."""
        return self._places[min(first, second), max(first, second)]

    @cached_property
    def _places(self) -> dict[tuple[int, int], int]:
        ends = np.sort(np.stack((self.pairs.columns["better"], self.pairs.columns["worse"])), axis=0)
        return {pair: at for at, pair in enumerate(zip(*ends.tolist(), strict=True))}

    @cached_property
    def at_once(self) -> Floats | None:
        """The simultaneous intervals of few pairs, from ``intervals_at_once``.

        None for more pairs than MOST_AT_ONCE, and if ``Testing.at_once`` is false.
        """
        few = len(self.pairs) <= MOST_AT_ONCE and self.is_tested
        return intervals_at_once(self, np.arange(len(self.pairs))) if few else None

    def difference(self, first: int, second: int) -> RunDifference:
        """Return one run less another, by their indices.  Raises KeyError for two that are not compared."""
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
    """Return which topics all runs have, shape (T,), from scores (R, T)."""
    present: Mask = ~np.isnan(scores)
    there: Mask = present.sum(axis=0) == len(scores)
    return there


@dataclass(frozen=True, eq=False)
class RunDifference:
    """One run less another, by their indices in a comparison, on the topics that both have."""

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
        """The tested differences, of scores or of their logarithms, shape (topics,)."""
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
        return improvement(*self.means)

    @property
    def estimate(self) -> float:
        """The estimate at the centre of the interval."""
        return self._signed(self.pair.estimate)

    @property
    def effect(self) -> float:
        """Cohen's d_z."""
        return self._signed(self.pair.effect)

    def _signed(self, value: float) -> float:
        return 0.0 - value if self.turned else value  # no −0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The ends of the 95 % interval of the difference; NaN before the test."""
        low, high = self.pair.low, self.pair.high
        return (-high, -low) if self.turned else (low, high)

    @property
    def outcome(self) -> tuple[int, int, int]:
        """The numbers of topics on which the first run wins, ties and loses."""
        outcome = self.pair.wins, self.pair.ties, self.pair.losses
        return outcome[::-1] if self.turned else outcome

    @property
    def tested(self) -> bool:
        return not math.isnan(self.pair.p)

    @property
    def mark(self) -> str:
        return self.pair.mark

    @property
    def shared(self) -> str:
        """The number of topics of the comparison, if others have more: ``(65)``."""
        return topics_count(self.pair, self.comparison)

    def largest(self, most: int) -> list[int]:
        """Return the indices of the ``most`` topics with the largest differences."""
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

    ``runs`` are results of :func:`~inexview.core.evaluation.evaluate.evaluate`; a pair is compared on the
    topics that both have, or on those of them that are in ``topics``.  With ``baseline``, the index of a run,
    only the pairs with it are compared.  ``testing`` is by paired randomisation if None.

    Raises InexviewError without runs, if no two share a topic, or if one lacks the measure, and Cancelled.
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
    """Return the comparison before the differences are tested: p and the interval are NaN."""
    if not runs:
        raise InexviewError("there are no runs to compare: give two or more")
    lacking = next((run for run in runs if measure not in (*run.names, *run.mean_names)), None)
    if lacking is not None:
        known = ", ".join(lacking.mean_names)
        raise InexviewError(f"{lacking.id} has no scores for {measure!r}; it has {known}")
    testing = testing or Testing()
    every = tuple(dict.fromkeys(topic for run in runs for topic in run.topics))
    chosen = every if topics is None else tuple(topic for topic in every if topic in {*topics})
    scores = np.array([_on(run, measure, chosen) for run in runs]).reshape(len(runs), len(chosen))
    geometric = runs[0].is_geometric(measure)
    present = ~np.isnan(scores)
    counts = present.sum(axis=1)
    if topics is None:  # equal to the output of eval in every digit
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
        raise InexviewError("the runs have no judged topic in common, so they cannot be compared")
    pairs = _pairs(scores, better, worse, testing, geometric=geometric)
    return Comparison(
        measure,
        tuple(distinct_names([run.id for run in runs], [run.path for run in runs])),
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
        tuple(run.settings for run in runs),
    )


def _on(run: RunScores, measure: str, topics: tuple[str, ...]) -> Floats:
    """Return the values of a run on some topics, NaN for topics that it lacks."""
    values = run.per_topic(measure)
    if run.topics == topics:
        return values
    there = dict(zip(run.topics, values.tolist(), strict=True))
    return np.array([there.get(topic, math.nan) for topic in topics])


def _means(scores: Floats, present: Mask, *, geometric: bool) -> Floats:
    """Return the means over the topics that are ``present``, NaN without any."""
    values = logarithms(scores) if geometric else scores
    total, count = np.where(present, values, 0.0).sum(axis=-1), present.sum(axis=-1)
    with np.errstate(invalid="ignore"):
        means: Floats = total / np.where(count, count, math.nan)
    return np.exp(means) if geometric else means


def _pairs(scores: Floats, first: Ints, second: Ints, testing: Testing, *, geometric: bool) -> Pairs:
    """Return the figures of the pairs before any test, the better run of each first."""
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
    effect = effect_sizes(differences) if differences.size else np.full(len(better), math.nan)
    columns = (better, worse, topics, higher, lower, np.abs(lead), improvement)
    return Pairs(dict(zip(_COLUMNS, (*columns, wins, topics - wins - losses, losses, effect), strict=False)))


def _differences(scores: Floats, better: Ints, worse: Ints) -> Floats:
    """Return the better less the worse run of each pair, shape (pairs, T); noise counts as 0."""
    differences: Floats = scores[better] - scores[worse]
    differences[np.abs(differences) < NO_DIFFERENCE] = 0.0
    return differences


def _tested(untested: Comparison, progress: Progress) -> Comparison:
    testing, columns = untested.testing, untested.pairs.columns
    better, worse = columns["better"].astype(np.int64), columns["worse"].astype(np.int64)
    differences = _differences(untested.tested, better, worse)
    outcome = testing.tested(
        differences,
        np.where(better < worse, 1, -1),
        pairs=math.comb(len(untested.runs), 2),
        topics=untested.topics,
        progress=progress,
        level=LEVEL,
    )
    if untested.geometric:
        outcome = _as_ratios(outcome, columns["worse_mean"].astype(np.float64))
    nearer = np.where(np.isinf(outcome.low), outcome.high, outcome.low)  # a one-tailed interval has one end
    with np.errstate(invalid="ignore"):
        detectable = np.abs(outcome.estimate - nearer)
    tested: dict[str, Floats] = {
        "estimate": outcome.estimate,
        "low": outcome.low,
        "high": outcome.high,
        "detectable": detectable,
        "p": outcome.p,
        "t": outcome.statistic,
        "p_corrected": _corrected(untested, outcome.p, better, worse, progress),
    }
    if testing.interval is IntervalKind.BCA:
        tested |= _bca(untested, differences, better, worse, progress)
    return replace(untested, pairs=untested.pairs.with_columns(tested))


def intervals_at_once(comparison: Comparison, rows: Ints, progress: Progress = unwatched) -> Floats | None:
    """Return the ends of simultaneous intervals of pairs, by their rows, shape (n, 2).

    Each is the interval of its test at 1 − 0.05/pairs (Bonferroni), of the better less the worse run. Holm's
    correction is a little stronger, so that it may show a pair whose interval reaches 0.  None if
    ``Testing.at_once`` is false.
    """
    pairs, testing = comparison.pairs, comparison.testing
    if not testing.at_once(len(pairs)):
        return None
    better, worse = (pairs.columns[name].astype(np.int64)[rows] for name in ("better", "worse"))
    outcome = testing.tested(
        _differences(comparison.tested, better, worse),
        np.where(better < worse, 1, -1),
        pairs=len(pairs),
        topics=comparison.topics,
        progress=progress,
        level=LEVEL / len(pairs),
    )
    if comparison.geometric:
        outcome = _as_ratios(outcome, pairs.columns["worse_mean"].astype(np.float64)[rows])
    return np.stack((outcome.low, outcome.high), axis=1)


def apart_from_holm(comparison: Comparison, rows: Ints, ends: Floats) -> str:
    """Return how many pairs Holm's correction shows that the simultaneous intervals do not."""
    shown = comparison.pairs.columns["p_corrected"][rows] < LEVEL
    number = int((shown & (ends[:, 0] <= 0) & (ends[:, 1] >= 0)).sum())
    if not number:
        return ""
    which = "one pair whose interval reaches" if number == 1 else f"{number} pairs whose intervals reach"
    return f"Holm’s correction, which is a little stronger, shows {which} 0"


def _as_ratios(tested: Tested, worse_mean: Floats) -> Tested:
    """Return results of logarithms as differences of geometric means: the worse times (ratio − 1)."""
    ends = (tested.estimate, tested.low, tested.high)
    estimate, low, high = (worse_mean * np.expm1(column) for column in ends)
    return tested._replace(estimate=estimate, low=low, high=high)


def _corrected(untested: Comparison, p: Floats, better: Ints, worse: Ints, progress: Progress) -> Floats:
    correction = untested.testing.correction
    if correction is Correction.HSD:
        honest = honest_differences(
            untested.tested, better, worse, seed=untested.testing.seed, progress=progress
        )
        return np.where(np.isnan(p), math.nan, honest.p)
    plain: Mapping[Correction, Callable[[Floats], Floats]] = {
        Correction.HOLM: holm,
        Correction.BH: benjamini_hochberg,
    }
    return plain[correction](p) if correction in plain else p


def _bca(
    untested: Comparison, differences: Floats, better: Ints, worse: Ints, progress: Progress
) -> dict[str, Floats]:
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
    topics = int(pairs.columns["topics"].max(initial=0))
    if not len(pairs):
        return ()
    warnings = []
    if topics < FEW_TOPICS:
        warnings.append(f"only {counted(topics, 'topic')}: a difference may well be chance, whatever p says")
    least = testing.least_p(topics, math.comb(runs, 2))
    one_by_one = testing.correction in (Correction.HSD, Correction.BH, Correction.NONE)
    corrected = least if one_by_one else least * len(pairs)
    if least >= LEVEL:
        warnings.append(f"p cannot fall below {least:.3g} here: no difference can be significant")
    elif corrected >= LEVEL:
        more = "" if testing.draws is None else "draw more, "
        warnings.append(
            f"p cannot fall below {least:.3g}, nor the best of {counted(len(pairs), 'pair')} below "
            f"{min(1.0, corrected):.3g} after Holm's correction: {more}compare fewer runs or choose "
            "another correction"
        )
    return tuple(warnings)


# Tables: every pair row by column, the list of the pairs, and lines of values for programs.

PAIR_HEAD = (
    "task", "preset", "parameters", "measure", "better", "worse", "topics", "better mean", "worse mean",
    "difference", "interval", "low", "high", "%", "wins", "ties", "losses", "d_z", "detectable", "test", "p",
    "family", "correction", "p (corrected)", "t",
)  # fmt: skip
EFFECT = "d_z"
AT_ONCE = "95 %, all {:,} pairs"
DETECTABLE = "detectable"
MOST_AT_ONCE = 190  # pairs for which tables have simultaneous intervals: those of 20 runs take 2 s
# runs that are named over their columns; with more, columns are numbered and a note has the names
MOST_NAMES = 8


def pair_lines(scores: RunScores, comparison: Comparison) -> Iterator[PrintedLine]:
    """Yield a line for each pair, under PAIR_HEAD; ``scores`` are those of one of the runs."""
    settings = scores.task.value, scores.preset.name, scores.parameters.said_for(scores.task)
    testing = comparison.testing
    for pair in comparison.pairs:
        line = (
            *settings,
            comparison.measure,
            comparison.runs[pair.better],
            comparison.runs[pair.worse],
            pair.topics,
            pair.better_mean,
            pair.worse_mean,
            pair.difference,
            testing.interval_named,
            pair.low,
            pair.high,
            pair.improvement,
            pair.wins,
            pair.ties,
            pair.losses,
            pair.effect,
            pair.detectable if pair.topics < SMALL_SAMPLE else math.nan,
            testing.test.value,
            pair.p,
            comparison.family,
            testing.correction.value,
            pair.p_corrected,
            pair.t,
        )
        yield ["" if isinstance(cell, float) and math.isnan(cell) else cell for cell in line]


# -- cells ---------------------------------------------------------------------------------------------


def difference_cell(comparison: Comparison, pair: Pair, first: int, decimals: int = 4) -> ValueCell:
    """Return the difference of a pair, from the view of one run, with its mark; bold if significant.

    The number of topics is added if another pair has more.
    """
    value = pair.difference if pair.better == first else 0.0 - pair.difference  # no −0.0000
    count = topics_count(pair, comparison)
    return ValueCell(difference_text(value, decimals), best=pair.significant, mark=pair.mark, count=count)


def topics_count(pair: Pair, comparison: Comparison) -> str:
    """Return the number of topics of a pair, if another pair has more: ``(65)``."""
    return f"({pair.topics})" if pair.topics < comparison.most_topics else ""


def interval_text(low: float, high: float) -> str:
    """Format an interval; a dash if there is none."""
    return NOTHING if math.isnan(low) else f"{difference_text(low, 4)} … {difference_text(high, 4)}"


# -- explanations of signs ------------------------------------------------------------------------------


def marks_meaning(comparison: Comparison) -> str:
    """Return the meaning of † and (†), with the family of tests."""
    correction = comparison.testing.correction
    if len(comparison.pairs) == 1:
        return f"† p < {LEVEL}"
    if correction is Correction.NONE:
        return f"† p < {LEVEL}, not corrected for {comparison.family}"
    return f"† p < {LEVEL} after {correction.named} for {comparison.family}, (†) only without it"


def counts_meaning(comparison: Comparison) -> str:
    """Return the meaning of the counts in parentheses, if there are any."""
    if comparison.alike and len({*comparison.counts.tolist()}) < 2:
        return ""
    return (
        "Each mean is over the topics of its run, each difference over those that both runs have: "
        f"{comparison.most_topics:,}, or the number in parentheses"
    )


def _notes(comparison: Comparison, *first: str) -> tuple[str, ...]:
    return tuple(filter(None, (*first, marks_meaning(comparison), counts_meaning(comparison))))


def about(comparison: Comparison) -> str:
    """Return measure, topics, test and the threshold of ties, in a line."""
    testing = comparison.testing
    tie = f"; ties below {testing.tie:g}" if testing.tie else ""
    how = testing.described(comparison.most_topics)
    return f"{comparison.measure} on {comparison.topics_said}; {how}{tie}"


def outcome_said(comparison: Comparison) -> str:
    """Return how many pairs differ significantly."""
    pairs = counted(len(comparison.pairs), "pair")
    if comparison.testing.correction is Correction.NONE:
        return f"{comparison.uncorrected} of {pairs} significant, uncorrected"
    before = comparison.uncorrected
    return f"{comparison.significant} of {pairs} significant after the correction, {before} before"


# -- tables --------------------------------------------------------------------------------------------


def matrix_table(comparison: Comparison, said: str = "", scores: RunScores | None = None) -> ValueTable:
    """Return the differences row less column, best run first; with a baseline, each run less the baseline.

    ``said`` is printed above the table; ``scores`` are those of one of the runs, for lines of values.
    """
    order = comparison.order.tolist()
    means = mean_cells(
        [float(comparison.means[at]) for at in order], [int(comparison.counts[at]) for at in order]
    )
    baseline = comparison.baseline
    columns = order if baseline is None else [baseline]
    names = [comparison.runs[at] for at in order]
    if baseline is not None:
        head, rows_named = [f"less {comparison.runs[baseline]}"], names
    elif len(order) <= MOST_NAMES:
        head, rows_named = names, names
    else:
        head = [str(place) for place in range(1, len(order) + 1)]
        rows_named = [f"{place} {name}" for place, name in enumerate(names, 1)]
    rows = tuple(
        (
            ValueCell(name),
            mean,
            *(
                ValueCell("") if i == j else difference_cell(comparison, comparison.between(i, j), i)
                for j in columns
            ),
        )
        for name, mean, i in zip(rows_named, means, order, strict=True)
    )
    less = "Row less column" if baseline is None else ""
    table = ValueTable(
        "Every pair of runs" if baseline is None else f"Runs against {comparison.runs[baseline]}",
        said or about(comparison),
        ("run", comparison.measure, *head),
        rows,
        PAIR_HEAD,
        () if scores is None else list(pair_lines(scores, comparison)),
        notes=_notes(comparison, less),
    )
    return with_parameters(table, comparison.parameters.of(order))


def pairs_table(comparison: Comparison, said: str = "", scores: RunScores | None = None) -> ValueTable:
    """Return the list of the pairs: means, difference, interval, topics, outcome, effect size, and p."""
    corrected = comparison.testing.correction is not Correction.NONE
    small = bool((comparison.pairs.columns["topics"] < SMALL_SAMPLE).any())
    head = [
        "better",
        "worse",
        "means",
        "difference",
        "95 % interval",
        "%",
        "topics",
        "wins/ties/losses",
        EFFECT,
    ]
    ends = comparison.at_once
    if ends is not None:
        head.insert(head.index("95 % interval") + 1, AT_ONCE.format(len(ends)))
    head += [DETECTABLE] * small + ["p"] + [f"p ({comparison.testing.correction.label})"] * corrected
    rows = tuple(
        tuple(pair_cells(comparison, at, small=small, corrected=corrected))
        for at in range(len(comparison.pairs))
    )
    notes = [f"95 % interval {comparison.testing.interval_named}", f"{EFFECT}: Cohen’s, paired"]
    if small:
        of = comparison.testing.test.estimate
        notes.append(f"{DETECTABLE}: the smallest {of} that would have been significant on these topics")
    apart = "" if ends is None else apart_from_holm(comparison, np.arange(len(ends)), ends)
    return ValueTable(
        "Pairs of runs",
        said or about(comparison),
        tuple(head),
        rows,
        PAIR_HEAD,
        () if scores is None else list(pair_lines(scores, comparison)),
        names=2,
        notes=tuple(filter(None, ("; ".join(notes), marks_meaning(comparison), apart))),
    )


def topics_table(comparison: Comparison) -> ValueTable:
    """Return the topics that the best runs have, those with the largest range of values first."""
    order = comparison.order.tolist()[:MOST_NAMES]
    scores = comparison.scores[order]
    there = np.flatnonzero(has_all(scores))
    ranges = np.ptp(scores[:, there], axis=0) if len(there) else np.empty(0)
    rows = []
    for at in there[np.argsort(-ranges, kind="stable")].tolist():
        values = scores[:, at]
        figures = [ValueCell(figure_text(value), best=value == values.max()) for value in values.tolist()]
        rows.append(
            (ValueCell(comparison.topics[at]), *figures, ValueCell(figure_text(np.ptp(values).item())))
        )
    runs = "the runs" if len(order) == len(comparison.runs) else f"the {len(order)} best runs"
    return ValueTable(
        "Topics where they differ most",
        f"{comparison.measure}: the largest ranges over {runs}. Bold: best.",
        ("topic", *(comparison.runs[at] for at in order), "range"),
        tuple(rows),
    )


def pair_cells(comparison: Comparison, at: int, *, small: bool, corrected: bool) -> Iterator[ValueCell]:
    """Yield the cells of a pair, by its index, under the headings of ``pairs_table``."""
    pair, ends = comparison.pairs[at], comparison.at_once
    yield from (ValueCell(comparison.runs[at]) for at in (pair.better, pair.worse))
    yield ValueCell(f"{figure_text(pair.better_mean)}, {figure_text(pair.worse_mean)}")
    yield ValueCell(difference_text(pair.difference, 4), best=pair.significant, mark=pair.mark)
    yield ValueCell(interval_text(pair.low, pair.high))
    if ends is not None:
        yield ValueCell(interval_text(*ends[at].tolist()))
    yield ValueCell(difference_text(pair.improvement, 1))
    yield ValueCell(str(pair.topics))
    yield ValueCell(f"{pair.wins}/{pair.ties}/{pair.losses}")
    yield ValueCell(difference_text(pair.effect, 2))
    if small:
        yield ValueCell(detectable_text(pair))
    yield ValueCell(written_p(pair.p))
    if corrected:
        yield ValueCell(written_p(pair.p_corrected))


def detectable_text(pair: Pair) -> str:
    """Format the smallest difference that a pair with few topics could have shown."""
    if pair.topics >= SMALL_SAMPLE or math.isnan(pair.detectable):
        return NOTHING
    return "none" if math.isinf(pair.detectable) else figure_text(pair.detectable)
