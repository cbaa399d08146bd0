"""The charts of scored runs: axes, series, emphasis, and the values that are saved.

The window and the command line draw them; nothing here draws.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import partial
from math import ceil, floor, isinf, isnan, log10
from pathlib import Path

import numpy as np

from inexview.core.evaluation.agreement import (
    JUDGED_BY,
    JUDGED_HEAD,
    Stability,
    judged_lines,
    kendall_tau,
    orders_alike,
    spearman_rho,
)
from inexview.core.evaluation.derivations import Derivation
from inexview.core.evaluation.evaluate import ENTRY_HEAD, EntryDistances, entry_lines
from inexview.core.evaluation.run_derivations import derive_orderings
from inexview.core.evaluation.scores import (
    ALL,
    HEAD,
    CurveKind,
    RunScores,
    curve_head,
    curve_lines,
    head_of,
    score_head,
    score_lines,
)
from inexview.core.judgements.runs import Task
from inexview.core.measures.in_context import entry_score
from inexview.core.measures.measure import Parameters
from inexview.core.report import PAGE, PrintedLine, ValueCell, escaped, latex_table, save_lines
from inexview.core.text.spans import Floats, Ints
from inexview.core.wording import counted, distinct_names

CHART_SUFFIXES = (".png", ".svg", ".pdf", ".html", ".csv", ".tex")
"""Suffixes of saved charts: pictures, a page, the values, and a table for LaTeX."""


class Form(Enum):
    """How the values of a chart are drawn."""

    LINES = "lines"
    POINTS = "points"
    BARS = "bars"


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis of a chart, from ``low`` to ``high``; ``ticks`` False shows no ticks.

    A ``logarithmic`` axis begins above 0; values below ``low`` are drawn at ``low``.  ``labels`` replace the
    numbers 1, 2, …; ``names`` do the same if all of them have room.  A ``whole`` axis labels whole numbers
    only.  ``marks`` are labelled places that replace the round numbers.
    """

    title: str
    low: float
    high: float
    ticks: bool = True
    logarithmic: bool = False
    labels: tuple[str, ...] = ()
    whole: bool = False
    names: tuple[str, ...] = ()
    marks: tuple[tuple[float, str], ...] = ()

    def share(self, value: Floats) -> Floats:
        """Return the positions of values along the axis, 0 to 1."""
        if self.high <= self.low:
            return np.zeros_like(value)
        if self.logarithmic:
            found: Floats = np.log(np.maximum(value, self.low) / self.low) / np.log(self.high / self.low)
            return found
        return (value - self.low) / (self.high - self.low)

    def named_places(self, about: int = 4) -> Sequence[tuple[float, str]]:
        """Return the labelled values: round numbers on both sides of 0, or powers of ten."""
        if self.marks or not self.ticks:
            return self.marks
        if self.labels:
            return list(enumerate(self.labels, 1))
        if self.logarithmic:
            values = log_ticks(self.low, self.high)
        elif self.low > 0:
            values = ticks_between(self.low, self.high)
        else:
            above = ticks_between(0.0, self.high, about=2 if self.low < 0 else about)
            above = tuple(value for value in above if not self.whole or value.is_integer())
            below = tuple(-value for value in reversed(above) if value and -value >= self.low)
            values = *below, *(value for value in above if value >= self.low)
        return [(value, written(value)) for value in values]


LEAST = 3
"""The fewest labels from which a value can be read off an axis."""


def ticks_between(low: float, high: float, *, about: int = 4) -> tuple[float, ...]:
    """Return about ``about`` round numbers from ``low`` to ``high``; only ``low`` if they are equal.

    Their steps are 1, 2 or 5 times a power of ten.

    >>> ticks_between(0.31, 0.47)
    (0.35, 0.4, 0.45)
    >>> ticks_between(0, 0.72, about=3)
    (0.0, 0.2, 0.4, 0.6)
    """
    if not high > low or isinf(high):
        return (low,)
    rough = (high - low) / about
    power = floor(log10(rough))
    steps = [factor * 10.0**at for at in (power, power - 1, power - 2) for factor in (10, 5, 2)]
    first = max(at for at, step in enumerate(steps) if step >= rough * (1 - 1e-9))
    made = (_multiples(low, high, step) for step in steps[first:])
    return next(found for found in made if len(found) >= LEAST)


def _multiples(low: float, high: float, step: float) -> tuple[float, ...]:
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    return tuple(round(at * step, 12) for at in range(first, last + 1))


def log_ticks(low: float, high: float) -> tuple[float, ...]:
    """Return powers of ten from ``low`` (above 0) to ``high``; if these are few, also 2 and 5 times each.

    >>> log_ticks(1, 40)
    (1.0, 2.0, 5.0, 10.0, 20.0)
    >>> log_ticks(0.5, 20000)
    (1.0, 10.0, 100.0, 1000.0, 10000.0)
    """
    if not 0 < low < high:
        return (low,)
    powers = [10.0**at for at in range(floor(log10(low)), ceil(log10(high)) + 1)]
    for factors in ((1,), (1, 2, 5)):
        numbers = (round(power * factor, 12) for power in powers for factor in factors)
        found = tuple(one for one in numbers if low * (1 - 1e-9) <= one <= high * (1 + 1e-9))
        if len(found) >= LEAST:
            return found
    return ticks_between(low, high)


def written(value: float) -> str:
    """Return a number as an axis label."""
    return (f"{value:,.0f}" if 1000 <= abs(value) < 1e12 else f"{value:g}").replace("-", "−")


@dataclass(frozen=True, slots=True, eq=False)
class ChartSeries:
    """The n values of one run: ``x`` and ``y`` (n,), and the ``names`` of the topics, documents or levels.

    A ``faint`` series is a thin line without label and readout.  ``notes`` replace the numbers of each value
    in the readout; ``places`` are the positions to open in the named documents.
    """

    name: str
    style: int
    x: Floats
    y: Floats
    names: tuple[str, ...] = ()
    faint: bool = False
    notes: tuple[str, ...] = ()
    places: tuple[int, ...] = ()

    def value_at(self, x: float) -> float:
        """Return the value at x, interpolated linearly."""
        return float(np.interp(x, self.x, self.y))


@dataclass(frozen=True, slots=True)
class ChartMarks:
    """Significance marks of runs against the baseline, by id and file, and the meaning of the marks."""

    measure: str
    runs: Mapping[tuple[str, str], str]
    meaning: str


@dataclass(frozen=True, slots=True, eq=False)
class Chart:
    """A chart.  ``caption`` names measure, number of topics and preset.

    The series of the styles in ``emphasised`` have their runs' colours, all others are grey; if it is empty,
    all series are coloured.  ``head`` and ``lines`` are the saved table; a ``listing`` does not put lines of
    several runs side by side.  ``topic`` is the topic of the values and their documents; empty if they
    belong to several topics.
    """

    title: str
    form: Form
    x: Axis
    y: Axis
    series: tuple[ChartSeries, ...]
    caption: str = ""
    emphasised: tuple[int, ...] = ()
    head: tuple[str, ...] = ()
    lines: tuple[PrintedLine, ...] = ()
    topic: str = ""
    lower_is_better: bool = False
    marks: ChartMarks | None = None
    listing: bool = False
    named: tuple[str, ...] = ()
    """The runs named in the title and on the axes; their names are shortened first."""

    def is_quiet(self, series: ChartSeries) -> bool:
        """Return whether a series is drawn in grey."""
        return bool(self.emphasised) and series.style not in self.emphasised

    def save_values(self, path: Path, *, safe: bool = False) -> None:
        """Write the values as CSV, ``safe`` for spreadsheets.  Raises DataError and OSError."""
        save_lines(path, self.head, self.lines, safe=safe)


@dataclass(frozen=True, slots=True, eq=False)
class ChartedRun:
    """A run with its scores and style; ``documents`` are the documents at the ranks of a topic, if known."""

    name: str
    style: int
    scores: RunScores
    documents: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def values_by_topic(runs: Sequence[ChartedRun], measure: str, emphasised: Sequence[int]) -> Chart:
    """Return a measure per topic, sorted by the first emphasised run, best first."""
    shown = [run for run in runs if measure in run.scores.names]
    leading = next((run for run in shown if run.style in emphasised), shown[0] if shown else None)
    by = leading.name if leading else "run"
    topics = _topics_by_value(leading, shown, measure)
    place = {topic: at for at, topic in enumerate(topics)}
    series = []
    for run in shown:
        at = np.array([place[topic] + 1.0 for topic in run.scores.topics])
        order = np.argsort(at)
        names = tuple(run.scores.topics[one] for one in order.tolist())
        series.append(
            ChartSeries(run.name, run.style, at[order], run.scores.per_topic(measure)[order], names)
        )
    return Chart(
        title=f"{measure} of every topic",
        named=(by,),
        caption=caption(shown, measure),
        form=Form.POINTS,
        x=Axis(
            f"{counted(len(topics), 'topic')}, by {by}", 0.0, len(topics) + 1.0, False, names=tuple(topics)
        ),
        y=Axis(measure, 0.0, top(series)),
        series=tuple(series),
        emphasised=tuple(emphasised),
        head=score_head([run.scores for run in shown]),
        lines=tuple(score_lines([run.scores for run in shown], per_topic=True, names=[measure])),
    )


def difference_by_topic(first: ChartedRun, second: ChartedRun, measure: str) -> Chart:
    """Return the differences (first − second) on their common topics, largest first."""
    there = {*second.scores.topics}
    topics = [topic for topic in first.scores.topics if topic in there]
    values = {
        topic: first.scores.topic(topic)[measure] - second.scores.topic(topic)[measure] for topic in topics
    }
    ordered = sorted(topics, key=lambda topic: -values[topic])
    y = np.array([values[topic] for topic in ordered])
    reach = float(np.abs(y).max(initial=0.0)) * 1.08 or 1.0
    return Chart(
        title=f"{first.name} minus {second.name}",
        named=(first.name, second.name),
        caption=caption([first, second], measure, len(topics)),
        form=Form.BARS,
        x=Axis(
            f"{counted(len(topics), 'topic')}, largest difference first",
            0.0,
            len(topics) + 1.0,
            False,
            names=tuple(ordered),
        ),
        y=Axis(f"difference in {measure}", -reach, reach),
        series=(ChartSeries(first.name, first.style, np.arange(1.0, len(topics) + 1), y, tuple(ordered)),),
        emphasised=(first.style, second.style),
        head=score_head([first.scores, second.scores]),
        lines=tuple(score_lines([first.scores, second.scores], per_topic=True, names=[measure])),
    )


def runs_by_two_measures(
    runs: Sequence[ChartedRun], across: str, up: str, emphasised: Sequence[int]
) -> Chart:
    """Return the means of two measures over runs, with their rank correlation (τ and ρ)."""
    shown = [run for run in runs if across in run.scores.names and up in run.scores.names]
    x, y = (np.array([run.scores.mean_of(name) for run in shown]) for name in (across, up))
    named = [(run.name, run.style) for run in shown]
    chart = two_orderings(named, (across, x), (up, y), partial(caption, shown))
    scores = [run.scores for run in shown]
    lines = tuple(score_lines(scores, per_topic=False, names=[across, up]))
    return replace(chart, emphasised=tuple(emphasised), head=score_head(scores), lines=lines)


def two_orderings(
    runs: Sequence[tuple[str, int]],
    across: tuple[str, Floats],
    up: tuple[str, Floats],
    caption_of: Callable[[str], str],
) -> Chart:
    """Return runs, by name and style, at their means (R,) of two measures and a caption by ``caption_of``."""
    (x_name, x), (y_name, y) = across, up
    tau = kendall_tau(x, y)  # NaN where one measure orders nothing
    alike = "" if isnan(tau) else f", τ = {tau:.3f}, ρ = {spearman_rho(x, y):.3f}".replace("-", "−")
    series = tuple(
        ChartSeries(name, style, x[at : at + 1], y[at : at + 1], (name,))
        for at, (name, style) in enumerate(runs)
    )
    lines: list[PrintedLine] = [
        [name, ALL, measure, float(means[at])]
        for at, (name, _) in enumerate(runs)
        for measure, means in (across, up)
    ]
    return Chart(
        title=f"{y_name} over {x_name}",
        caption=caption_of(f"means of {counted(len(runs), 'run')}{alike}"),
        form=Form.POINTS,
        x=_around(x_name, x),
        y=_around(y_name, y),
        series=series,
        head=("run", "topic", "measure", "value"),
        lines=tuple(lines),
    )


def _around(title: str, values: Floats) -> Axis:
    """Return an axis around values (R,); it starts at 0 if that is near."""
    low, high = float(values.min(initial=np.inf)), float(values.max(initial=0.0))
    margin = (high - low) * 0.15
    if not margin > 0 or low - margin < high / 4:
        return Axis(title, 0.0, high * 1.08 or 1.0)
    return Axis(title, low - margin, high + margin)


def _topics_by_value(leading: ChartedRun | None, runs: Sequence[ChartedRun], measure: str) -> list[str]:
    """Return all topics: first the topics of the leading run, best value first."""
    if leading is None:
        return []
    values = dict(zip(leading.scores.topics, leading.scores.per_topic(measure).tolist(), strict=True))
    others = dict.fromkeys(topic for run in runs for topic in run.scores.topics if topic not in values)
    return [*sorted(values, key=lambda topic: -values[topic]), *others]


def top(series: Sequence[ChartSeries]) -> float:
    """Return the upper end of an axis for these values."""
    return max((float(one.y.max(initial=0.0)) for one in series), default=0.0) * 1.08 or 1.0


def caption(runs: Sequence[ChartedRun], what: str, shared: int | None = None) -> str:
    """Return the caption: values, number of topics (``shared`` by all runs if given), and preset."""
    counts = sorted({len(run.scores.topics) if shared is None else shared for run in runs})
    topics = " to ".join(str(count) for count in (counts if len(counts) < 2 else (counts[0], counts[-1])))
    return f"{what} · {topics or 0} topic{'' if counts == [1] else 's'} · {presets_of(runs)}"


def presets_of(runs: Sequence[ChartedRun]) -> str:
    """Return the presets of the runs, with parameters that differ from these presets."""
    named = (one.preset.named_with(one.parameters, one.task) for one in (run.scores for run in runs))
    return " and ".join(dict.fromkeys(named)) or "no run"


FEW = 20  # ranks with equal distances; more ranks are spaced by their logarithm
RANKS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
BEFORE_NAME = 0.88  # of the axis: its name is drawn beyond


def values_over_ranks(ranks: Sequence[float], values: Sequence[float], column: str, style: int) -> Chart:
    """Return the values of a column over the ranks of its rows, in the colour of a run."""
    x, y = np.array(ranks, float), np.array(values, float)
    axis = Axis("rank", 1.0, float(x[-1]), logarithmic=x[-1] > FEW)
    near = axis.share(np.array(RANKS, float)) < BEFORE_NAME
    marks = tuple((rank, str(rank)) for rank, shown in zip(RANKS, near, strict=True) if shown)
    return Chart(
        title=f"{column} over the ranks",
        form=Form.LINES,
        x=replace(axis, marks=marks),
        y=Axis(column, 0.0, float(y.max()) or 1.0),
        series=(ChartSeries(column, style, x, y, faint=True),),
    )


BEFORE_END = 0.95  # of an axis: beyond it, labels have no room
RECALL_MARKS = ((0.0, "0"), (0.5, "0.5"), (1.0, "1"))


def recall_while_reading(runs: Sequence[tuple[str, int, Ints, Floats]], far: int) -> Chart:
    """Return recall over the number of characters read, up to ``far``; runs are (name, style, x, y).

    Recall is interpolated linearly between the points, and constant after the last one.
    """
    series, axis = [], Axis("characters read", 0.0, float(max(far, 1)), whole=True)
    for name, style, read, recall in runs:
        within = read <= far
        last = float(np.interp(far, read, recall)) if len(read) else 0.0
        x, y = np.append(read[within], far).astype(float), np.append(recall[within], last)
        series.append(ChartSeries(name, style, x, y))
    return Chart(
        title="recall over the characters read",
        form=Form.LINES,
        x=replace(axis, marks=tuple(one for one in axis.named_places() if one[0] < BEFORE_END * far)),
        y=Axis("recall", 0.0, 1.0, marks=RECALL_MARKS),
        series=tuple(series),
    )


def stability_by_halves(stabilities: Sequence[Stability], runs: int, topics: int, preset: str) -> Chart:
    """Return the swap rate of each measure: how often two halves of the topics order two runs differently."""
    series = tuple(
        ChartSeries(one.measure, style, one.sizes.astype(np.float64), one.rates)
        for style, one in enumerate(stabilities)
    )
    lines: list[PrintedLine] = [
        [one.measure, "pairs of runs swapped", size, rate]
        for one in stabilities
        for size, rate in zip(one.sizes.tolist(), one.rates.tolist(), strict=True)
    ]
    last = max((float(one.x[-1]) for one in series), default=1.0)
    splits = stabilities[0].splits if stabilities else 0
    return Chart(
        title="Stability: pairs of runs that two halves of the topics swap",
        caption=f"{counted(runs, 'run')}, {splits:,} draws · {counted(topics, 'topic')} · {preset}",
        form=Form.LINES,
        x=Axis("topics in each half", 0.0, last, whole=True),
        y=Axis("share of pairs swapped", 0.0, top(series)),
        series=series,
        head=("measure", "what", "topics", "share"),
        lines=tuple(lines),
        lower_is_better=True,
    )


TITLES = {
    CurveKind.INTERPOLATED: "Precision over recall",
    CurveKind.SAW_TOOTH: "Saw-tooth: precision over recall at each rank",
    CurveKind.ROC: "ROC curve",
    CurveKind.PRECISION: "Precision over ranks",
    CurveKind.RECALL: "Recall over ranks",
    CurveKind.EFFORT: "Text read until relevant text is found",
}
ELEVEN = 11  # levels of recall
GENERALISED = (Task.RELEVANT_IN_CONTEXT, Task.BEST_IN_CONTEXT, Task.RESTRICTED_RELEVANT_IN_CONTEXT)
GENERALISED_NAMES = {"precision": "gP", "recall": "gR"}


def precision_over_recall(
    runs: Sequence[ChartedRun], emphasised: Sequence[int], topic: str = "", *, eleven: bool = False
) -> Chart:
    """Return the interpolated precision at levels of recall, for a topic or on average.

    ``eleven`` takes every tenth of 101 levels.
    """
    shown = [run for run in runs if run.scores.curve is not None and _has(run, topic)]
    series, lines, levels = [], [], 0
    for run in shown:
        x, y = _interpolated(run.scores, topic)
        step = 10 if eleven and len(x) > ELEVEN else 1
        series.append(ChartSeries(run.name, run.style, x[::step], y[::step]))
        lines += _of_topic(run.scores, topic)[::step]
        levels = max(levels, len(x[::step]))
    across, up = _axes(CurveKind.INTERPOLATED, shown)
    return Chart(
        title=TITLES[CurveKind.INTERPOLATED],
        caption=_curve_caption(shown, f"interpolated, {levels} levels", topic),
        form=Form.LINES,
        x=Axis(across, 0.0, 1.0),
        y=Axis(up, 0.0, top(series)),
        series=tuple(series),
        emphasised=tuple(emphasised),
        head=curve_head(CurveKind.INTERPOLATED),
        lines=tuple(lines),
    )


def ranking_curve(
    runs: Sequence[ChartedRun], kind: CurveKind, emphasised: Sequence[int], topic: str = ""
) -> Chart:
    """Return a curve of another kind for a topic, or over all topics if the kind can be averaged.

    Its points come from the scores of the runs.  A saw-tooth curve also shows the interpolated one.
    """
    shown = [run for run in runs if run.scores.kind is kind and _has(run, topic)]
    series: list[ChartSeries] = []
    for run in shown:
        x, y = run.scores.points[topic] if topic else run.scores.mean_points
        there = np.isfinite(y)
        ranked = () if kind is CurveKind.EFFORT else run.documents.get(topic, ())  # its points are shares
        names = _names(ranked, len(x))
        series.append(ChartSeries(run.name, run.style, x[there], y[there], names if there.all() else ()))
        accompanied = run.style in emphasised if emphasised else len(shown) < 3
        if kind is CurveKind.SAW_TOOTH and topic and accompanied and run.scores.curve is not None:
            level, precision = _interpolated(run.scores, topic)
            series.append(ChartSeries(run.name, run.style, level, precision, faint=True))
    lines = [line for run in shown for line in _of_topic(run.scores, topic)]
    average = "" if topic else "median" if kind is CurveKind.EFFORT else "mean"
    what = "with the interpolated curve" if kind is CurveKind.SAW_TOOTH else average
    return Chart(
        title=TITLES[kind],
        caption=_curve_caption(shown, what, topic),
        form=Form.LINES,
        x=_across(kind, series, shown),
        y=_up(kind, series, shown),
        series=tuple(series),
        emphasised=tuple(emphasised),
        head=curve_head(kind),
        lines=tuple(lines),
        topic=topic,
        lower_is_better=kind is CurveKind.EFFORT,
    )


def _interpolated(scores: RunScores, topic: str) -> tuple[Floats, Floats]:
    assert scores.curve is not None
    assert scores.levels is not None
    return scores.levels, scores.curve[scores.topics.index(topic)] if topic else scores.mean_curve


def _names(documents: Sequence[str], points: int) -> tuple[str, ...]:
    """Return the document of each point: one point for each result, or for each ranked document."""
    for names in (documents, tuple(dict.fromkeys(documents))):
        if len(names) == points:
            return tuple(names)
    return ()


def _has(run: ChartedRun, topic: str) -> bool:
    return not topic or topic in run.scores.topics


def _of_topic(scores: RunScores, topic: str) -> list[PrintedLine]:
    """Return the points of the curve as ``inexview eval`` writes them, for one topic or all."""
    place = curve_head(scores.kind).index("topic")
    wanted = topic or ALL
    return [line for line in curve_lines([scores], per_topic=bool(topic)) if line[place] == wanted]


def _curve_caption(runs: Sequence[ChartedRun], what: str, topic: str) -> str:
    """Return the caption of a curve: its kind, topics and preset."""
    if not topic:
        return caption(runs, what)
    return " · ".join(part for part in (what, f"topic {topic}", presets_of(runs)) if part)


def _axes(kind: CurveKind, runs: Sequence[ChartedRun]) -> tuple[str, str]:
    """Return the names of both axes; in-context tasks use generalised precision and recall."""
    across, up = kind.axes
    if runs and runs[0].scores.task in GENERALISED:
        across, up = (GENERALISED_NAMES.get(title, title) for title in (across, up))
    return across, up


def _across(kind: CurveKind, series: Sequence[ChartSeries], runs: Sequence[ChartedRun]) -> Axis:
    if kind in (CurveKind.PRECISION, CurveKind.RECALL):
        last = max((float(one.x.max(initial=1.0)) for one in series), default=1.0)
        return Axis("rank", 1.0, last, logarithmic=last > 20)
    title, _ = _axes(kind, runs)
    return Axis("share of the relevant text" if kind is CurveKind.EFFORT else title, 0.0, 1.0)


def _up(kind: CurveKind, series: Sequence[ChartSeries], runs: Sequence[ChartedRun]) -> Axis:
    if kind is CurveKind.EFFORT:
        low = min((float(one.y.min(initial=np.inf)) for one in series), default=1.0)
        high = max((float(one.y.max(initial=1.0)) for one in series), default=10.0)
        low = 10 ** np.floor(np.log10(max(low, 1.0))) if np.isfinite(low) else 1.0
        return Axis("characters read", float(low), max(high * 1.2, float(low) * 10), logarithmic=True)
    _, title = _axes(kind, runs)
    share = kind in (CurveKind.RECALL, CurveKind.ROC)
    return Axis(title, 0.0, 1.0 if share else min(top(series), 1.02))


CURVE = 201  # points
LONG = 100_000  # characters of the document of this curve; only shares matter


@dataclass(frozen=True, slots=True, eq=False)
class EntryView:
    """Entry-point distances by run style, their scoring, and the number of characters on a screen."""

    found: Mapping[int, EntryDistances]
    parameters: Parameters
    screen: int


def entry_points(runs: Sequence[ChartedRun], view: EntryView, emphasised: Sequence[int], topic: str) -> Chart:
    """Return the curve s(x,b) with the entry points of the runs in a topic.

    With A, the distance is a share of the document; with n, it is in characters.
    """
    parameters, windowed = view.parameters, view.parameters.n is not None
    series, lines, reach = [], list[PrintedLine](), 1.0 if windowed else 0.2
    nearest = reach  # entry points at the BEP itself are drawn at the start of the axis
    for run in runs:
        distances = view.found.get(run.style)
        if distances is None:
            continue
        scores, away = distances.scores(parameters), np.abs(distances.distance)
        x = away.astype(np.float64) if windowed else away / np.maximum(distances.length, 1)
        reach = max(reach, float(x.max(initial=0.0)))
        nearest = min(nearest, float(x[x > 0].min(initial=reach)))
        notes, places = _notes(distances, scores, view.screen), tuple(distances.entry.tolist())
        series.append(
            ChartSeries(run.name, run.style, x, scores, distances.documents, notes=notes, places=places)
        )
        head = head_of(replace(run.scores, parameters=parameters))
        lines += entry_lines(head, topic, distances, parameters, view.screen)
    if windowed:
        reach = max(reach, (parameters.n or 1) * 1.2)
    low = max(1.0 if windowed else 1 / LONG, 10.0 ** np.floor(np.log10(nearest)))
    across = np.geomspace(low, reach * 1.02, CURVE)
    if windowed:
        curve = entry_score(np.round(across).astype(np.int64), np.zeros(CURVE, np.int64), parameters)
    else:
        distance = np.round(across * LONG).astype(np.int64)
        curve = entry_score(distance, np.full(CURVE, LONG, np.int64), parameters)
    form = f"n = {parameters.n:,}" if parameters.n is not None else f"A = {parameters.a:g}"
    points = sum(len(one.x) for one in series)
    return Chart(
        title="Entry points and s(x,b)",
        caption=f"{form} · {counted(points, 'entry point')} of {counted(len(series), 'run')} · topic {topic}"
        f" · a screen is {view.screen:,} characters",
        form=Form.POINTS,
        x=Axis(
            "characters from the best entry point" if windowed else "share of the document from it",
            float(low),
            reach * 1.02,
            logarithmic=True,
        ),
        y=Axis("s(x,b)", 0.0, 1.04),
        series=(ChartSeries("s(x,b)", -1, across, np.asarray(curve, np.float64), faint=True), *series),
        emphasised=tuple(emphasised),
        head=ENTRY_HEAD,
        lines=tuple(lines),
        topic=topic,
        listing=True,
    )


def _notes(distances: EntryDistances, scores: Floats, screen: int) -> tuple[str, ...]:
    """Return a note for each document: the distance in characters and screens, and the score."""
    return tuple(
        f"rank {rank}: {_distance_in_words(distance)}, {abs(distance) / screen:.1f} screens, s = {score:.4f}"
        for rank, distance, score in zip(
            distances.rank.tolist(), distances.distance.tolist(), scores.tolist(), strict=True
        )
    )


def _distance_in_words(distance: int) -> str:
    if not distance:
        return "at the best entry point"
    return f"{counted(abs(distance), 'character')} {'after' if distance > 0 else 'before'} the best one"


@dataclass(frozen=True, slots=True, eq=False)
class Charted:
    """The data for charts: the runs, best first, and the styles of the current run and the baseline.

    ``measure`` is the deciding measure, ``topic`` the open topic.  ``waiting`` is true while values are being
    computed; ``problem`` explains why they cannot be.
    """

    runs: Sequence[ChartedRun]
    measure: str
    pair: tuple[int, ...] = ()
    topic: str = ""
    mean_measure: str = ""
    """The name of the mean of the deciding measure."""
    marks: ChartMarks | None = None
    stability: Sequence[Stability] = ()
    entries: EntryView | None = None
    judged: Mapping[int, Floats] = field(default_factory=dict)
    """The means by each of JUDGED_BY over ``judged_topics``, keyed by run style."""
    judged_topics: int = 0
    judged_by: str = ""
    """The other judgements that score the runs; empty for the project's own."""
    waiting: bool = False
    problem: str = ""


class Shown(Enum):
    """The values that a chart shows."""

    CURVES = "curves"
    ENTRIES = "entry points"
    TOPICS = "values of topics"
    MEANS = "means by two measures"
    SWAPS = "stability"
    JUDGES = "means by whose judgements"


MEASURES = {Shown.TOPICS: 1, Shown.MEANS: 2, Shown.SWAPS: 2}
"""The number of measures to choose; 0 if not listed."""


@dataclass(frozen=True, slots=True)
class ChartChoice:
    """An entry in the list of charts."""

    title: str
    draw: Callable[[Charted, Asked], Chart | None]
    shown: Shown = Shown.CURVES
    curve: CurveKind = CurveKind.INTERPOLATED
    of_all: bool = True
    """Whether the chart can show all topics."""
    thins: bool = False
    """Whether the chart repeats another one with fewer recall levels."""

    @property
    def measures(self) -> int:
        return MEASURES.get(self.shown, 0)

    @property
    def of_topics(self) -> bool:
        """Whether the chart can show a single topic."""
        return self.shown in (Shown.CURVES, Shown.ENTRIES)


def _differences(charted: Charted, asked: Asked) -> Chart | None:
    of = {run.style: run for run in charted.runs if asked.measure in run.scores.names}
    chosen = [of[style] for style in charted.pair if style in of]
    chosen += [run for run in of.values() if run not in chosen]
    return None if len(chosen) < 2 else difference_by_topic(chosen[0], chosen[1], asked.measure)


def _stability(charted: Charted, _asked: Asked) -> Chart | None:
    if not charted.stability:
        return None
    topics, presets = charted.stability[0].topics, presets_of(charted.runs)
    return stability_by_halves(charted.stability, len(charted.runs), topics, presets)


def _entries(charted: Charted, asked: Asked) -> Chart | None:
    if charted.entries is None:
        return None
    chart = entry_points(charted.runs, charted.entries, charted.pair, asked.topic)
    presets = " and ".join(dict.fromkeys(run.scores.preset.name for run in charted.runs))
    return replace(chart, caption=f"{chart.caption} · {presets}")  # its caption already names A or n


def _judged(charted: Charted, _asked: Asked) -> Chart | None:
    if not charted.judged:
        return None
    measure, topics = charted.mean_measure, charted.judged_topics
    chart = runs_by_judgements(charted.runs, charted.judged, measure, topics, charted.pair)
    return replace(chart, caption=f"{chart.caption} · {presets_of(charted.runs)}")


def _of_kind(kind: CurveKind, title: str, *, of_all: bool = True) -> ChartChoice:
    def draw(charted: Charted, asked: Asked) -> Chart:
        return ranking_curve(charted.runs, kind, charted.pair, asked.topic)

    return ChartChoice(title, draw, curve=kind, of_all=of_all)


ENTRY_POINTS = ChartChoice("Entry points", _entries, Shown.ENTRIES, of_all=False)
JUDGED_CHOICE = ChartChoice("Whose judgements", _judged, Shown.JUDGES)
CHOICES: tuple[ChartChoice, ...] = (
    ChartChoice(
        "Precision over recall",
        lambda charted, asked: precision_over_recall(charted.runs, charted.pair, asked.topic),
    ),
    ChartChoice(
        "Precision over recall, 11 levels",
        lambda charted, asked: precision_over_recall(charted.runs, charted.pair, asked.topic, eleven=True),
        thins=True,
    ),
    _of_kind(CurveKind.SAW_TOOTH, "Saw-tooth", of_all=False),
    _of_kind(CurveKind.PRECISION, "Precision over ranks"),
    _of_kind(CurveKind.RECALL, "Recall over ranks"),
    _of_kind(CurveKind.ROC, "ROC", of_all=False),
    _of_kind(CurveKind.EFFORT, "Effort"),
    ENTRY_POINTS,
    ChartChoice(
        "Every topic",
        lambda charted, asked: values_by_topic(charted.runs, asked.measure, charted.pair),
        Shown.TOPICS,
    ),
    ChartChoice("Differences", _differences, Shown.TOPICS),
    ChartChoice(
        "Two measures",
        lambda charted, asked: runs_by_two_measures(charted.runs, asked.other, asked.measure, charted.pair),
        Shown.MEANS,
    ),
    ChartChoice("Stability", _stability, Shown.SWAPS),
    JUDGED_CHOICE,
)


@dataclass(frozen=True, slots=True)
class Asked:
    """The chart, measures and topic that the user chose; an empty topic means all."""

    choice: ChartChoice = CHOICES[0]
    measure: str = ""
    other: str = ""
    topic: str = ""

    def chart(self, charted: Charted) -> Chart | None:
        """Return the chart, naming any other judgements that score the runs; None without values."""
        choice = self.choice
        chart = None if charted.waiting or charted.problem else choice.draw(charted, self)
        if chart is None or choice.shown is Shown.JUDGES:
            return chart
        judged_by = f" · judgements: {charted.judged_by}" if charted.judged_by else ""
        marks = charted.marks if choice.shown in (Shown.TOPICS, Shown.MEANS) else None
        return replace(chart, caption=f"{chart.caption}{judged_by}", marks=marks)


NEEDS_TWO = "This needs two runs with figures, and topics that both have."


def offered(charted: Charted) -> tuple[ChartChoice, ...]:
    """Return the charts to choose from; thinned ones only if a curve has more levels."""
    levels = [len(run.scores.levels) for run in charted.runs if run.scores.levels is not None]
    return tuple(choice for choice in CHOICES if not choice.thins or max(levels, default=101) > ELEVEN)


def runs_by_judgements(
    runs: Sequence[ChartedRun],
    means: Mapping[int, Floats],
    measure: str,
    topics: int,
    emphasised: Sequence[int],
) -> Chart:
    """Return the means of runs under each of JUDGED_BY, with τ between their orders.

    ``means`` maps a style to its means, shape (4,), over the ``topics`` that both assessors judged.
    """
    places = np.arange(1.0, len(JUDGED_BY) + 1)
    shown = [run for run in runs if run.style in means]
    series = tuple(ChartSeries(run.name, run.style, places, means[run.style], JUDGED_BY) for run in shown)
    table = np.array([means[run.style] for run in shown]).reshape(-1, len(JUDGED_BY))
    alike = ", ".join(
        f"τ({JUDGED_BY[0]}, {name}) = {'–' if isnan(tau) else f'{tau:.3f}'.replace('-', '−')}"
        for name, tau in orders_alike(table).items()
    )
    return Chart(
        title=f"{measure} by whose judgements",
        caption=f"{alike if len(shown) > 1 else 'one run'} · {counted(topics, 'topic')} that both judged",
        form=Form.LINES,
        x=Axis("a click scores all by these", 0.7, len(JUDGED_BY) + 0.3, labels=JUDGED_BY),
        y=Axis(measure, 0.0, top(series)),
        series=series,
        emphasised=tuple(emphasised),
        head=JUDGED_HEAD,
        lines=tuple(judged_lines([run.scores for run in shown], table, measure)),
    )


RunOfLine = tuple[str, str]
"""A run's id and file; several runs may share an id."""


def latex(chart: Chart) -> str:
    """Return the values as a table of booktabs with a caption, the best of each row in bold."""
    if chart.listing:
        return _listed(chart)
    rows: dict[tuple[str, str], dict[RunOfLine, float]] = {}
    at = chart.head.index("topic") if "topic" in chart.head else len(chart.head) - 3
    for line in chart.lines:
        topic, what, value = str(line[at]), str(line[at + 1]), float(line[at + 2])
        rows.setdefault((topic, what), {})[_run_of(chart, line)] = value
    runs = _names_of_runs(chart)
    body = []
    for (topic, what), values in rows.items():
        best = (min if chart.lower_is_better else max)(values.values())
        marks = {} if chart.marks is None or (topic, what) != (ALL, chart.marks.measure) else chart.marks.runs
        cells = [
            _cell(values[run], best=values[run] == best, mark=marks.get(run, "")) if run in values else "--"
            for run in runs
        ]
        body.append([escaped(topic), escaped(what), *cells])
    caption = f"{chart.title}: {chart.caption}. The best of each row is bold."
    if chart.marks is not None and any(
        line[at] == ALL and line[at + 1] == chart.marks.measure for line in chart.lines
    ):
        caption += f" {chart.marks.meaning}."
    head = [*chart.head[at : at + 2], *runs.values()]
    return latex_table(caption, "ll" + "r" * len(runs), head, body)


def figure_latex(chart: Chart) -> str:
    """Return the chart as a pgfplots figure."""
    form = {Form.BARS: "ybar, bar width=1.5pt, ", Form.POINTS: "only marks, ", Form.LINES: "no marks, "}
    limits = (
        f"xmin={chart.x.low:.6g}, xmax={chart.x.high:.6g}, ymin={chart.y.low:.6g}, ymax={chart.y.high:.6g}"
    )
    ticks = "" if chart.x.ticks else r", xtick=\empty"
    logarithmic = ", xmode=log" if chart.x.logarithmic else ""
    labels = f"xlabel={{{escaped(chart.x.title)}}}, ylabel={{{escaped(chart.y.title)}}}"
    options = f"{form[chart.form]}{limits}{ticks}{logarithmic}, {labels}, legend pos=outer north east"
    drawn = []
    for series in chart.series:
        points = " ".join(
            f"({x:.6g},{y:.6g})" for x, y in zip(series.x.tolist(), series.y.tolist(), strict=True)
        )
        drawn += [rf"\addplot coordinates {{{points}}};", rf"\addlegendentry{{{escaped(series.name)}}}"]
    return "\n".join(
        (
            r"\begin{figure}",
            r"\begin{tikzpicture}",
            rf"\begin{{axis}}[{options}]",
            *drawn,
            r"\end{axis}",
            r"\end{tikzpicture}",
            rf"\caption{{{escaped(f'{chart.title}: {chart.caption}.')}}}",
            r"\end{figure}",
            "",
        )
    )


def _run_of(chart: Chart, line: PrintedLine) -> RunOfLine:
    """Return the owner of a line: a run's id and file, or a measure in the chart of stability."""
    named = chart.head.index("run") if "run" in chart.head else 0
    filed = chart.head.index("file") if "file" in chart.head else named
    return str(line[named]), str(line[filed])


def _names_of_runs(chart: Chart) -> dict[RunOfLine, str]:
    """Return unique names for the runs of a chart."""
    runs = list(dict.fromkeys(_run_of(chart, line) for line in chart.lines))
    names = distinct_names([name for name, _ in runs], [file for _, file in runs])
    return dict(zip(runs, names, strict=True))


def _listed(chart: Chart) -> str:
    """Return the values as a LaTeX table without the columns that the caption names."""
    shown = [at for at, name in enumerate(chart.head) if name not in (*HEAD[1:], "topic")]
    names = _names_of_runs(chart)
    named = [(names[_run_of(chart, line)], *line[1:]) for line in chart.lines]
    body = [[_written(line[at]) for at in shown] for line in named]
    columns = "".join("l" if any(isinstance(line[at], str) for line in chart.lines) else "r" for at in shown)
    head = [chart.head[at] for at in shown]
    return latex_table(f"{chart.title}: {chart.caption}.", columns, head, body, long=len(body) > PAGE)


def _written(value: str | float) -> str:
    if isinstance(value, str):
        return escaped(value)
    return escaped(f"{value:.4f}" if isinstance(value, float) else f"{value:d}".replace("-", "−"))


def _cell(value: float, *, best: bool, mark: str) -> str:
    """Return a value with its mark, in bold if it is the best."""
    return ValueCell("∞" if isinf(value) else f"{value:.4f}", best=best, mark=mark).latex


def ordering_derivations(chart: Chart) -> dict[str, Derivation]:
    """Derive the rank correlation of a chart's runs between two measures or two sets of judgements."""
    names, y = [series.name for series in chart.series], np.array([series.y for series in chart.series])
    if len(names) < 2:
        return {}
    if chart.form is Form.POINTS:
        x = np.array([series.x for series in chart.series])
        return derive_orderings(names, (chart.x.title, x[:, 0]), (chart.y.title, y[:, 0]))
    derived: dict[str, Derivation] = {}
    for at, by in enumerate(JUDGED_BY[1:], 1):
        first, other = (JUDGED_BY[0], y[:, 0]), (by, y[:, at])
        derived |= derive_orderings(names, first, other, f"({JUDGED_BY[0]}, {by})")
    return derived
