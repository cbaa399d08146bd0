"""Sweeps: runs that differ by parameters, which of them differ from the best, and difficulty of topics.

The best run of a sweep was selected on these very topics. The default test corrects for that: Tukey's HSD by
randomisation over all runs (Carterette, ACM TOIS 30, 2012). A difference that is not significant does not
show that runs are equal.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import NormalDist

import numpy as np

from inexview.core.errors import InexviewError
from inexview.core.evaluation.charts import Axis, Chart, ChartSeries, Form
from inexview.core.evaluation.comparison import Comparison, compare
from inexview.core.evaluation.evaluate import spread
from inexview.core.evaluation.run_parameters import (
    RunParameters,
    Setting,
    with_parameters,
    written,
)
from inexview.core.evaluation.scores import RunScores, logarithms
from inexview.core.evaluation.significance import (
    LEVEL,
    SEED,
    Correction,
    holm,
    honest_differences,
    written_p,
)
from inexview.core.evaluation.testing import Testing
from inexview.core.progress import Progress, unwatched
from inexview.core.report import ValueCell, ValueTable, difference_text, figure_text, parameter
from inexview.core.text.spans import Floats, Ints
from inexview.core.wording import counted, percent

# Runs that differ from the best.

FEWEST = 3  # runs; two are compared as a pair
TOO_FEW = "a sweep needs at least three runs"
WAYS = ("hsd", "holm", "best", "each")
"""The names of the ways of counting, in the order of ``Sweep.countings``."""


@dataclass(frozen=True, slots=True)
class Counting:
    """One way of counting the runs that are significantly worse than the best; ``worse`` has their indices.

    ``p`` (R,) is that of each run against the best, corrected in this way; NaN for the best itself.
    """

    name: str
    allows: str
    worse: frozenset[int]
    p: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Picked:
    """The runs selected on random halves of the topics, and their lead over the baseline.

    ``lead`` is that of the selected run on the half that selected it, ``lead_elsewhere`` on the other half;
    NaN without a baseline.
    """

    halves: int
    counts: tuple[tuple[int, int], ...]
    """Indices of runs with the number of halves that selected them, most often first."""
    lead: float
    lead_elsewhere: float


@dataclass(frozen=True, slots=True, eq=False)
class TopicDifficulty:
    """The scores of all runs on a topic: mean, standard deviation, least, quartiles and largest."""

    topic: str
    mean: float
    deviation: float
    least: float
    lower: float
    upper: float
    largest: float
    best: int
    """The index of the run that is best on it."""
    of_best: float
    """The score of the run that is best over all topics; NaN if it lacks the topic."""
    queries: int = 1
    """Number of queries whose scores are averaged."""
    inside: float = 0.0
    """The standard deviation between these queries, averaged over the runs."""


@dataclass(frozen=True, eq=False)
class Sweep:
    """R runs compared with the best of them by one measure."""

    comparison: Comparison
    parameters: RunParameters
    best: int
    """The index of the best run, which has as many topics as any."""
    baseline: int | None
    least: float
    """The difference of means from which Tukey's HSD shows a run to be worse; ∞ if there is none."""
    countings: tuple[Counting, ...]
    picked: Picked
    difficulty: tuple[TopicDifficulty, ...]
    """Topics, hardest first."""
    way: int = 0
    """The index of the counting that is used."""

    @property
    def counting(self) -> Counting:
        return self.countings[self.way]

    def named(self, run: int) -> str:
        """Return the parameters of a run, or its name if it has none."""
        return self.parameters.said(run) or self.comparison.runs[run]

    @property
    def named_worse(self) -> set[str]:
        """The runs that are significantly worse."""
        return {self.comparison.runs[run] for run in self.counting.worse}

    @property
    def line(self) -> float:
        """The mean below which a run with all topics is significantly worse than the best.

        −∞ if there is none, and for ways other than Tukey's HSD, which have no single line.
        """
        if WAYS[self.way] != "hsd":
            return -math.inf
        mean = float(self.comparison.means[self.best])
        return mean * math.exp(-self.least) if self.comparison.geometric else mean - self.least

    @property
    def said(self) -> str:
        """The summary: how many runs are significantly worse than the best, and how many are not."""
        others = len(self.comparison.runs) - 1
        worse = self.counting.worse
        best = self.comparison.runs[self.best]
        rest = others - len(worse)
        if not worse:
            return f"No run is significantly worse than {best}, which does not show that they are equal."
        how_many = f"{len(worse)} of {counted(others, 'other run')} are"
        if len(worse) == 1:
            how_many = f"One of {counted(others, 'other run')} is"
        answer = f"{how_many} significantly worse than {best}."
        if not rest:
            return answer
        baseline = self.baseline is not None and self.baseline not in worse and self.baseline != self.best
        which = f"{counted(rest, 'run')}{', including the baseline' if baseline else ''}"
        return f"{answer} No significant difference for {which}; this does not show that they are equal."


def sweep_of(
    runs: Sequence[RunScores],
    measure: str,
    *,
    parameters: RunParameters | None = None,
    baseline: int | None = None,
    seed: int = SEED,
    compared: Comparison | None = None,
    progress: Progress = unwatched,
) -> Sweep:
    """Compare the runs of a sweep with the best of them.

    ``parameters`` are by default those in the runs' names. ``compared`` are tested pairs of these runs by the
    measure, if available; otherwise paired randomisation is used. Raises InexviewError if runs cannot be
    compared, and Cancelled.
    """
    if len(runs) < FEWEST:
        raise InexviewError(f"{TOO_FEW}: use `inexview compare` for two")
    plain = compared or compare(
        runs, measure, Testing(correction=Correction.NONE, seed=seed), progress=progress
    )
    best = int(plain.order[0])
    better = plain.pairs.columns["better"].astype(np.int64)
    worse = plain.pairs.columns["worse"].astype(np.int64)
    honest = honest_differences(plain.tested, better, worse, seed=seed, progress=progress)
    p = plain.pairs.columns["p"].astype(np.float64)
    with_best = np.flatnonzero((better == best) | (worse == best))
    others = np.where(better == best, worse, better)[with_best]
    leads = better[with_best] == best
    count = len(runs)

    def way(name: str, allows: str, corrected: Floats) -> Counting:
        """``corrected`` has the p of the pairs with the best, shape (R − 1,)."""
        own = np.full(count, math.nan)
        own[others] = corrected
        return Counting(name, allows, frozenset(others[leads & (corrected < LEVEL)].tolist()), own)

    countings = (
        way(f"Tukey’s HSD, {count} runs", "corrects for choosing the best run", honest.p[with_best]),
        way(f"Holm, all {len(p):,} pairs", "corrects for choosing the best run, too", holm(p)[with_best]),
        way(
            f"Holm, {count - 1:,} with the best",
            "valid only if the best run was named in advance",
            holm(p[with_best]),
        ),
        way("no correction", "some are significant by chance", p[with_best]),
    )
    return Sweep(
        plain,
        parameters or plain.parameters,
        best,
        baseline,
        honest.least,
        countings,
        _picked(plain, baseline, seed),
        _difficulty(plain, best, *_inside(runs, plain)),
    )


HALVES = 1000


def _picked(comparison: Comparison, baseline: int | None, seed: int) -> Picked:
    """Select the best run on random halves of the topics that all runs have."""
    scores = comparison.shared_scores
    topics = scores.shape[1]
    if topics < 2:
        return Picked(0, (), math.nan, math.nan)
    values = logarithms(scores) if comparison.geometric else scores
    rng = np.random.default_rng([seed, topics])
    first = np.argsort(rng.random((HALVES, topics)), axis=1) < topics // 2
    sums = first.astype(np.float64) @ values.T
    on_first, on_second = (
        sums / first.sum(axis=1)[:, None],
        (values.sum(axis=1) - sums) / (~first).sum(axis=1)[:, None],
    )
    if comparison.geometric:
        on_first, on_second = np.exp(on_first), np.exp(on_second)
    chosen = np.argmax(on_first, axis=1)
    counts = Counter(chosen.tolist()).most_common()
    if baseline is None:
        return Picked(HALVES, tuple(counts), math.nan, math.nan)
    every = np.arange(HALVES)
    lead = float((on_first[every, chosen] - on_first[:, baseline]).mean())
    elsewhere = float((on_second[every, chosen] - on_second[:, baseline]).mean())
    return Picked(HALVES, tuple(counts), lead, elsewhere)


def _inside(runs: Sequence[RunScores], comparison: Comparison) -> tuple[Ints, Floats]:
    """Return the maximum number of queries of each topic, and their mean deviation, (T,) both."""
    places = {topic: at for at, topic in enumerate(comparison.topics)}
    queries = np.ones(len(places), np.int64)
    inside = np.full((len(runs), len(places)), math.nan)
    for row, run in zip(inside, runs, strict=True):
        own = [places[topic] for topic in run.topics]
        names = run.names if comparison.measure in run.names else run.mean_names
        row[own] = 0.0 if run.inside is None else run.inside[names.index(comparison.measure)]
        if run.queries:
            queries[own] = np.maximum(queries[own], run.queries)
    return queries, np.nanmean(inside, axis=0)


def difficulty_by_topic(sweep: Sweep, groups: Mapping[str, Sequence[int]]) -> tuple[TopicDifficulty, ...]:
    """Return the difficulty of topics over their queries; ``groups`` are indices of the sweep's topics."""
    comparison = sweep.comparison
    columns = [comparison.scores[:, own] for own in groups.values()]
    scores = np.stack([own.mean(axis=1) for own in columns], axis=1)
    inside = np.nanmean(np.stack([spread(own) for own in columns], axis=1), axis=0)
    queries = np.array([len(own) for own in groups.values()])
    return _difficulty(replace(comparison, topics=tuple(groups), scores=scores), sweep.best, queries, inside)


def _difficulty(
    comparison: Comparison, best: int, queries: Ints, inside: Floats
) -> tuple[TopicDifficulty, ...]:
    found = []
    for at, topic in enumerate(comparison.topics):
        column = comparison.scores[:, at]
        own = column[~np.isnan(column)]
        if not len(own):
            continue
        lower, upper = np.quantile(own, [0.25, 0.75]).tolist()
        found.append(
            TopicDifficulty(
                topic,
                float(own.mean()),
                float(own.std(ddof=1)) if len(own) > 1 else math.nan,
                float(own.min()),
                lower,
                upper,
                float(own.max()),
                int(np.nanargmax(column)),
                float(column[best]),
                int(queries[at]),
                float(inside[at]),
            )
        )
    return tuple(sorted(found, key=lambda one: one.mean))


# The number of topics needed to show a difference.

POWER = 0.8


def topics_needed(effect: float, power: float = POWER) -> float:
    """Return how many topics show an effect d_z in a paired two-sided test at 0.05 with this power.

    By the normal approximation with Guenther's correction for the t-test (The American Statistician 35,
    1981); ∞ for no effect, NaN if the effect is unknown.
    """
    if not effect:
        return math.inf
    normal = NormalDist()
    level, wanted = normal.inv_cdf(1 - LEVEL / 2), normal.inv_cdf(power)
    return math.ceil(((level + wanted) / effect) ** 2 + level**2 / 2) if math.isfinite(effect) else math.nan


def lead_said(sweep: Sweep) -> str:
    """Return a text on the best run's lead over the baseline, and the topics needed; "" without one."""
    if sweep.baseline is None or sweep.baseline == sweep.best:
        return ""
    lead = sweep.comparison.difference(sweep.best, sweep.baseline)
    low, high = lead.interval
    ends = (
        "" if math.isnan(low) else f", 95 % interval {difference_text(low, 4)} to {difference_text(high, 4)}"
    )
    said = f"{lead.names[0]} minus {lead.names[1]}: {difference_text(lead.mean, 4)}{ends}, "
    said += f"p {written_p(lead.pair.p)} for this pair alone."
    needed = topics_needed(lead.effect)
    if math.isfinite(needed):
        said += f" To show such a lead with a chance of {percent(POWER)}, {needed:,} topics are needed."
    return said


# Tables and charts.


def sweep_tables(
    sweep: Sweep, shown: Sequence[int] | None = None, titles: Mapping[str, str] | None = None
) -> list[ValueTable]:
    """Return tables of the runs with parameters, the ways of counting, the halves, and the topics.

    ``shown`` are the indices of the listed runs, by default all; tests count all runs.
    """
    return [
        _runs_table(sweep, range(len(sweep.comparison.runs)) if shown is None else shown),
        _counted_table(sweep),
        *_picked_table(sweep),
        _topics_table(sweep, titles or {}),
    ]


def _runs_table(sweep: Sweep, shown: Sequence[int]) -> ValueTable:
    comparison = sweep.comparison
    order, worse = comparison.order.tolist(), sweep.counting.worse
    best = float(comparison.means[sweep.best])
    listed = [(place, run) for place, run in enumerate(order, 1) if run in shown]
    rows = []
    for place, run in listed:
        mean, count = float(comparison.means[run]), int(comparison.counts[run])
        told = difference_text(mean - best, 4) if run != sweep.best else f"best of {len(order)}"
        rows.append(
            (
                ValueCell(comparison.runs[run]),
                ValueCell(str(place)),
                ValueCell(
                    figure_text(mean),
                    best=run == sweep.best,
                    count="" if count == comparison.counts.max() else f"({count})",
                ),
                ValueCell(told, best=run in worse, mark="†" if run in worse else ""),
            )
        )
    part = "" if len(rows) == len(order) else f", {len(rows)} listed"
    least = "" if math.isinf(sweep.line) else f"; below {figure_text(sweep.line)}"
    note = f"† significantly worse than the best: {sweep.counting.name}{least}"
    table = ValueTable(
        "Runs",
        f"{comparison.measure} on {comparison.topics_said}; {counted(len(order), 'run')}{part}",
        ("run", "#", comparison.measure, "vs best"),
        tuple(rows),
        notes=(note,),
    )
    return with_parameters(table, sweep.parameters.of([run for _, run in listed]))


def _counted_table(sweep: Sweep) -> ValueTable:
    based = sweep.baseline is not None and sweep.baseline != sweep.best
    rows = tuple(
        (
            ValueCell(way.name, best=way is sweep.counting),
            ValueCell(way.allows),
            ValueCell(str(len(way.worse))),
            *([ValueCell(written_p(float(way.p[sweep.baseline or 0])))] if based else []),
        )
        for way in sweep.countings
    )
    head = ("correction", "note", "worse", *(["p, baseline"] if based else []))
    return ValueTable(
        "Runs that differ from the best",
        sweep.said,
        head,
        rows,
        names=2,
        notes=tuple(filter(None, [lead_said(sweep)])),
    )


def _picked_table(sweep: Sweep) -> list[ValueTable]:
    picked, names = sweep.picked, sweep.comparison.runs
    if not picked.halves:
        return []
    most = picked.counts[:3]
    rest = picked.halves - sum(count for _, count in most)
    rows = [(ValueCell(names[run]), ValueCell(percent(count / picked.halves, 1))) for run, count in most]
    if rest:
        others = counted(len(picked.counts) - len(most), "other")
        rows.append((ValueCell(others), ValueCell(percent(rest / picked.halves, 1))))
    here, elsewhere = (difference_text(lead, 4) for lead in (picked.lead, picked.lead_elsewhere))
    lead = f"The lead over the baseline is {here} on the half that chooses, and {elsewhere} on the other. "
    notes = () if math.isnan(picked.lead) else (f"{lead}Report the latter.",)
    said = f"Share of {picked.halves:,} random halves of the topics on which each run is best"
    return [ValueTable("Best run on half of the topics", said, ("run", "best on"), tuple(rows), notes=notes)]


def _topics_table(sweep: Sweep, titles: Mapping[str, str]) -> ValueTable:
    asked = any(one.queries > 1 for one in sweep.difficulty)
    rows = tuple(
        (
            ValueCell(one.topic),
            *([ValueCell(titles.get(one.topic, ""))] if titles else []),
            *([ValueCell(str(one.queries)), ValueCell(figure_text(one.inside))] if asked else []),
            *(
                ValueCell(figure_text(value))
                for value in (
                    one.mean,
                    one.deviation,
                    one.least,
                    one.lower,
                    one.upper,
                    one.largest,
                    one.of_best,
                )
            ),
            ValueCell(sweep.named(one.best)),
        )
        for one in sweep.difficulty
    )
    head = (
        "topic",
        *(["title"] if titles else []),
        *(["queries", "s.d. inside"] if asked else []),
        "mean",
        "s.d.",
        "least",
        "25 %",
        "75 %",
        "largest",
        "best run",
        "best with",
    )
    comparison = sweep.comparison
    said = f"{comparison.measure} of {counted(len(comparison.runs), 'run')}, hardest first"
    notes = (INSIDE,) if asked else ()
    return ValueTable("Topics by difficulty", said, head, rows, names=1 + bool(titles), notes=notes)


INSIDE = "s.d. inside: between the queries of a topic, averaged over the runs; s.d.: between the runs"


def sweep_chart(sweep: Sweep, across: str = "", apart: str | None = None) -> Chart:
    """Return the measure over a parameter, a line for each value of another; other parameters at their best.

    By default the parameters with most values are used. Raises InexviewError if there is no numeric
    parameter, or an unknown one is named.
    """
    parameters, comparison = sweep.parameters, sweep.comparison
    numeric = parameters.numeric
    if not numeric:
        raise InexviewError(
            "no two run ids differ only by a number: give the parameters as a table with "
            "--parameters (run,k1,b)"
        )
    across = across or numeric[0]
    rest = [name for name in parameters.names if name != across]
    apart = (
        apart
        if apart is not None
        else next((name for name in numeric if name != across), next(iter(rest), ""))
    )
    for name in filter(None, (across, apart)):
        if name not in parameters.names:
            raise InexviewError(
                f"{name!r} is not a parameter of the runs; the runs have {', '.join(parameters.names)}"
            )
    if across not in numeric:
        raise InexviewError(f"{across!r} is not numeric, so it cannot be the x-axis")
    lines = parameters.values(apart) if apart else [""]
    series = [
        one
        for style, value in enumerate(lines)
        if (one := _line(sweep, across, apart, value, style)) is not None
    ]
    values = [value for one in series for value in one.y.tolist()]
    reach = (max(values) - min(values)) * 0.06 or 0.01
    best = next((one.style for one in series if comparison.runs[sweep.best] in one.names), series[0].style)
    said = f"{counted(len(comparison.runs), 'run')} · {comparison.topics_said}"
    if not math.isinf(sweep.line):
        said += f" · below {figure_text(sweep.line)}: significantly worse than the best (HSD)"
    head = ("run", across, *([apart] if apart else []), comparison.measure)
    saved = [
        [name, x, *([one.name] if apart else []), y]
        for one in series
        for name, x, y in zip(one.names, one.x.tolist(), one.y.tolist(), strict=True)
    ]
    return Chart(
        title=f"{comparison.measure} over {across}" + (f", one line per {apart}" if apart else ""),
        form=Form.LINES,
        x=_axis(across, sorted({x for one in series for x in one.x.tolist()})),
        y=Axis(comparison.measure, min(values) - reach, max(values) + reach),
        series=tuple(series),
        caption=said,
        emphasised=(best,) if len(series) > 6 else (),
        head=head,
        lines=tuple(saved),
        listing=True,
    )


MOST_NAMED = 12  # values along an axis


def _axis(name: str, values: Sequence[float]) -> Axis:
    """Return the axis of a parameter, with its values named if they are few and apart."""
    low, high = values[0], values[-1]
    apart = min((second - first for first, second in pairwise(values)), default=0.0)
    named = len(values) <= MOST_NAMED and apart >= (high - low) / (2 * MOST_NAMED)
    return Axis(name, low, high, marks=tuple((value, parameter(value)) for value in values) if named else ())


def _line(sweep: Sweep, across: str, apart: str, value: Setting, style: int) -> ChartSeries | None:
    """Return the best run at each value of the axis, among those whose ``apart`` has a value."""
    comparison, parameters = sweep.comparison, sweep.parameters
    best: dict[float, int] = {}
    for run in comparison.order.tolist():  # the best first
        own = parameters.settings[run]
        if across in own and (not apart or own.get(apart) == value):
            best.setdefault(float(own[across]), run)
    if not best:
        return None
    at = sorted(best)
    means = np.array([float(comparison.means[best[x]]) for x in at])
    name = f"{apart} = {written(value)}" if apart else comparison.measure
    return ChartSeries(name, style, np.array(at), means, tuple(comparison.runs[best[x]] for x in at))
