"""What a chart shows, in one vocabulary for all: axes, series, which two matter, and what is saved."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import partial
from math import isnan
from pathlib import Path

import numpy as np

from inexview.core.evaluation.comparisons.orderings import kendall_tau, spearman_rho
from inexview.core.evaluation.comparisons.stability import Stability
from inexview.core.evaluation.run_scores import RunScores
from inexview.core.evaluation.score_lines import ALL, SCORE_HEAD, score_lines
from inexview.core.report import PrintedLine, save_lines
from inexview.core.text.spans import Floats
from inexview.core.wording import counted

CHART_SUFFIXES = (".png", ".svg", ".pdf", ".html", ".csv", ".tex")
"""Of the files as which a chart is saved: pictures, a page, its values, and a table for LaTeX."""


class Form(Enum):
    """How the values of a chart are drawn."""

    LINES = "lines"
    POINTS = "points"
    BARS = "bars"


@dataclass(frozen=True, slots=True)
class Axis:
    """What is measured along a side of the chart, from ``low`` to ``high``; ``ticks`` False shows none.

    A ``logarithmic`` one begins above 0, and what is lower than ``low`` is drawn there; ``labels`` name the
    places 1, 2, … instead of numbers, ``names`` do where all of them have room; of a ``whole`` one whole
    numbers are named.
    """

    title: str
    low: float
    high: float
    ticks: bool = True
    logarithmic: bool = False
    labels: tuple[str, ...] = ()
    whole: bool = False
    names: tuple[str, ...] = ()

    def share(self, value: Floats) -> Floats:
        """Return how far along the axis values are, 0 to 1."""
        if self.high <= self.low:
            return np.zeros_like(value)
        if self.logarithmic:
            found: Floats = np.log(np.maximum(value, self.low) / self.low) / np.log(self.high / self.low)
            return found
        return (value - self.low) / (self.high - self.low)


@dataclass(frozen=True, slots=True, eq=False)
class ChartSeries:
    """The n values of one run: ``x`` and ``y`` (n,), and ``names`` of what each stands for, for people.

    A ``faint`` one accompanies others: it is a thin line, has no label and is not read off.  ``notes`` are
    read off after the name of each value, in place of its numbers; ``places`` are where one looks in the
    documents that are named.
    """

    name: str
    style: int
    x: Floats
    y: Floats
    names: tuple[str, ...] = ()
    faint: bool = False
    notes: tuple[str, ...] = ()
    places: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ChartMarks:
    """Which runs differ from the baseline in the mean of a measure, by id and file, and what that means."""

    measure: str
    runs: Mapping[tuple[str, str], str]
    meaning: str


@dataclass(frozen=True, slots=True, eq=False)
class Chart:
    """A chart.  ``said`` names measure, number of topics and preset.

    The series of the two styles in ``emphasised`` are in their runs' colours, all others grey; where it is
    empty, all are.  ``head`` and ``lines`` are what is saved as a table; in a ``listing`` no lines of several
    runs belong side by side.  ``topic`` is that of which the values are, whose documents they stand for;
    empty where they are of several.
    """

    title: str
    said: str
    form: Form
    x: Axis
    y: Axis
    series: tuple[ChartSeries, ...]
    emphasised: tuple[int, ...]
    head: tuple[str, ...]
    lines: tuple[PrintedLine, ...]
    topic: str = ""
    lower_is_better: bool = False
    marks: ChartMarks | None = None
    listing: bool = False
    named: tuple[str, ...] = ()
    """The runs in its title and on its axes: their names are shortened before all else is."""

    def is_quiet(self, series: ChartSeries) -> bool:
        """Tell whether a series is one of the rest."""
        return bool(self.emphasised) and series.style not in self.emphasised

    def save_values(self, path: Path) -> None:
        """Write the values as CSV.  Raises DataError and OSError."""
        save_lines(path, self.head, self.lines)


@dataclass(frozen=True, slots=True, eq=False)
class ChartedRun:
    """A run with its scores and its look; ``documents`` are those of a topic's ranks, where known."""

    name: str
    style: int
    scores: RunScores
    documents: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def values_by_topic(runs: Sequence[ChartedRun], measure: str, emphasised: Sequence[int]) -> Chart:
    """Return a measure of every topic, topics sorted by the first emphasised run, best first."""
    shown = [run for run in runs if measure in run.scores.names]
    leading = next((run for run in shown if run.style in emphasised), shown[0] if shown else None)
    by = leading.name if leading else "run"
    topics = _topics(leading, shown, measure)
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
        said=said(shown, measure),
        form=Form.POINTS,
        x=Axis(
            f"{counted(len(topics), 'topic')}, by {by}", 0.0, len(topics) + 1.0, False, names=tuple(topics)
        ),
        y=Axis(measure, 0.0, top(series)),
        series=tuple(series),
        emphasised=tuple(emphasised),
        head=SCORE_HEAD,
        lines=tuple(score_lines([run.scores for run in shown], per_topic=True, names=[measure])),
    )


def difference_by_topic(first: ChartedRun, second: ChartedRun, measure: str) -> Chart:
    """Return first minus second on every topic that both have, largest first."""
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
        said=said([first, second], measure, len(topics)),
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
        head=SCORE_HEAD,
        lines=tuple(score_lines([first.scores, second.scores], per_topic=True, names=[measure])),
    )


def runs_by_two_measures(
    runs: Sequence[ChartedRun], across: str, up: str, emphasised: Sequence[int]
) -> Chart:
    """Return the means of two measures over runs, with how alike they order these (τ and ρ)."""
    shown = [run for run in runs if across in run.scores.names and up in run.scores.names]
    x, y = (np.array([run.scores.mean_of(name) for run in shown]) for name in (across, up))
    named = [(run.name, run.style) for run in shown]
    chart = two_orderings(named, (across, x), (up, y), partial(said, shown))
    lines = tuple(score_lines([run.scores for run in shown], per_topic=False, names=[across, up]))
    return replace(chart, emphasised=tuple(emphasised), head=SCORE_HEAD, lines=lines)


def two_orderings(
    runs: Sequence[tuple[str, int]],
    across: tuple[str, Floats],
    up: tuple[str, Floats],
    said_of: Callable[[str], str],
) -> Chart:
    """Return runs, by name and style, at their means (R,) of two measures; ``said_of`` ends what is said."""
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
        said=said_of(f"means of {counted(len(runs), 'run')}{alike}"),
        form=Form.POINTS,
        x=_around(x_name, x),
        y=_around(y_name, y),
        series=series,
        emphasised=(),
        head=("run", "topic", "measure", "value"),
        lines=tuple(lines),
    )


def _around(title: str, values: Floats) -> Axis:
    """Return an axis around values (R,), from 0 where that is near."""
    low, high = float(values.min(initial=np.inf)), float(values.max(initial=0.0))
    beside = (high - low) * 0.15
    if not beside > 0 or low - beside < high / 4:
        return Axis(title, 0.0, high * 1.08 or 1.0)
    return Axis(title, low - beside, high + beside)


def _topics(leading: ChartedRun | None, runs: Sequence[ChartedRun], measure: str) -> list[str]:
    """Return all topics, those of the leading run first, by its values, best first."""
    if leading is None:
        return []
    values = dict(zip(leading.scores.topics, leading.scores.per_topic(measure).tolist(), strict=True))
    others = dict.fromkeys(topic for run in runs for topic in run.scores.topics if topic not in values)
    return [*sorted(values, key=lambda topic: -values[topic]), *others]


def top(series: Sequence[ChartSeries]) -> float:
    """Return how far up an axis goes that holds these values."""
    return max((float(one.y.max(initial=0.0)) for one in series), default=0.0) * 1.08 or 1.0


def said(runs: Sequence[ChartedRun], what: str, shared: int | None = None) -> str:
    """Say what is shown, over how many topics (``shared`` by all where given), and with which preset."""
    counts = sorted({len(run.scores.topics) if shared is None else shared for run in runs})
    topics = " to ".join(str(count) for count in (counts if len(counts) < 2 else (counts[0], counts[-1])))
    return f"{what} · {topics or 0} topic{'' if counts == [1] else 's'} · {presets_of(runs)}"


def presets_of(runs: Sequence[ChartedRun]) -> str:
    """Name the presets that runs were scored by, and parameters where they are others than theirs."""
    named = (one.preset.named_with(one.parameters, one.task) for one in (run.scores for run in runs))
    return " and ".join(dict.fromkeys(named)) or "no run"


def stability_by_halves(found: Sequence[Stability], runs: int, topics: int, preset: str) -> Chart:
    """Return how often two halves of the topics swap two runs, for each measure."""
    series = tuple(
        ChartSeries(one.measure, style, one.sizes.astype(np.float64), one.rates)
        for style, one in enumerate(found)
    )
    lines: list[PrintedLine] = [
        [one.measure, "pairs of runs swapped", size, rate]
        for one in found
        for size, rate in zip(one.sizes.tolist(), one.rates.tolist(), strict=True)
    ]
    last = max((float(one.x[-1]) for one in series), default=1.0)
    splits = found[0].splits if found else 0
    return Chart(
        title="Stability: pairs of runs that two halves of the topics swap",
        said=f"{counted(runs, 'run')}, {splits:,} draws · {counted(topics, 'topic')} · {preset}",
        form=Form.LINES,
        x=Axis("topics in each half", 0.0, last, whole=True),
        y=Axis("share of pairs swapped", 0.0, top(series)),
        series=series,
        emphasised=(),
        head=("measure", "what", "topics", "share"),
        lines=tuple(lines),
        lower_is_better=True,
    )
