"""The charts there are, and what each of them needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import isnan

import numpy as np

from inexview.core.evaluation.comparisons.assessor_variation import (
    JUDGED_BY,
    JUDGED_HEAD,
    judged_lines,
    orders_alike,
)
from inexview.core.evaluation.comparisons.stability import Stability
from inexview.core.evaluation.curves import CurveKind
from inexview.core.text.spans import Floats
from inexview.core.wording import counted
from inexview.gui.charts.chart import (
    Axis,
    Chart,
    ChartedRun,
    ChartMarks,
    ChartSeries,
    Form,
    difference_by_topic,
    presets_of,
    runs_by_two_measures,
    stability_by_halves,
    top,
    values_by_topic,
)
from inexview.gui.charts.entry_chart import EntryView, entry_points
from inexview.gui.charts.ranking_charts import ELEVEN, precision_over_recall, ranking_curve


@dataclass(frozen=True, slots=True, eq=False)
class Charted:
    """What there is to be charted: the runs, best first, and the styles of foreground and baseline.

    ``measure`` decides, ``topic`` is open.  ``waiting`` says that more is being computed, ``problem`` why
    something cannot be.
    """

    runs: Sequence[ChartedRun]
    measure: str
    pair: tuple[int, ...] = ()
    topic: str = ""
    mean_measure: str = ""
    """What the measure that decides is called for the mean."""
    marks: ChartMarks | None = None
    stability: Sequence[Stability] = ()
    entries: EntryView | None = None
    judged: Mapping[int, Floats] = field(default_factory=dict)
    """The means of each style by whose judgements, over ``judged_topics``."""
    judged_topics: int = 0
    judged_by: str = ""
    """By which other judgements the runs are scored; empty where by their own."""
    waiting: bool = False
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """What somebody asked a chart of: measures, and a topic (empty: all)."""

    measure: str = ""
    other: str = ""
    topic: str = ""
    curve: CurveKind = CurveKind.INTERPOLATED
    stability: bool = False
    entries: bool = False
    judged: bool = False


@dataclass(frozen=True, slots=True)
class ChartChoice:
    """A chart that can be chosen; ``measures`` is how many are asked for."""

    title: str
    draw: Callable[[Charted, Asked], Chart | None]
    curve: CurveKind = CurveKind.INTERPOLATED
    measures: int = 0
    of_topics: bool = False
    """Whether it can be of one topic."""
    of_all: bool = True
    """Whether it can be of all topics."""
    stability: bool = False
    entries: bool = False
    judged: bool = False
    thins: bool = False
    """Whether it is another one with fewer levels."""

    def make(self, charted: Charted, asked: Asked) -> Chart | None:
        """Return the chart, which says by whose judgements it is where by others; None where it cannot be."""
        chart = self.draw(charted, asked)
        if chart is None or self.judged or not charted.judged_by:
            return chart
        return replace(chart, said=f"{chart.said} · judgements: {charted.judged_by}")


def _curve(kind: CurveKind, charted: Charted, asked: Asked) -> Chart:
    return ranking_curve(charted.runs, kind, charted.pair, asked.topic)


def _interpolated(charted: Charted, asked: Asked, *, eleven: bool) -> Chart:
    return precision_over_recall(charted.runs, charted.pair, asked.topic, eleven=eleven)


def _values(charted: Charted, asked: Asked) -> Chart:
    return _marked(charted, values_by_topic(charted.runs, asked.measure, charted.pair))


def _differences(charted: Charted, asked: Asked) -> Chart | None:
    of = {run.style: run for run in charted.runs if asked.measure in run.scores.names}
    chosen = [of[style] for style in charted.pair if style in of]
    chosen += [run for run in of.values() if run not in chosen]
    if len(chosen) < 2:
        return None
    return _marked(charted, difference_by_topic(chosen[0], chosen[1], asked.measure))


def _two(charted: Charted, asked: Asked) -> Chart:
    chart = runs_by_two_measures(charted.runs, asked.other, asked.measure, charted.pair)
    return _marked(charted, chart)


def _stability(charted: Charted, asked: Asked) -> Chart | None:
    if not charted.stability:
        return None
    topics = charted.stability[0].topics
    presets = presets_of(charted.runs)
    return stability_by_halves(charted.stability, len(charted.runs), topics, presets)


def _entries(charted: Charted, asked: Asked) -> Chart | None:
    if charted.entries is None:
        return None
    chart = entry_points(charted.runs, charted.entries, charted.pair, asked.topic)
    presets = " and ".join(dict.fromkeys(run.scores.preset.name for run in charted.runs))
    return replace(chart, said=f"{chart.said} · {presets}")  # it says itself which A or n it is of


def _judged(charted: Charted, asked: Asked) -> Chart | None:
    if not charted.judged:
        return None
    measure, topics = charted.mean_measure, charted.judged_topics
    chart = runs_by_judgements(charted.runs, charted.judged, measure, topics, charted.pair)
    return _with_preset(charted, chart)


def _with_preset(charted: Charted, chart: Chart) -> Chart:
    return replace(chart, said=f"{chart.said} · {presets_of(charted.runs)}")


def _marked(charted: Charted, chart: Chart) -> Chart:
    return replace(chart, marks=charted.marks)


def _of_kind(kind: CurveKind, title: str, *, of_all: bool = True) -> ChartChoice:
    return ChartChoice(title, partial(_curve, kind), curve=kind, of_topics=True, of_all=of_all)


CHOICES: tuple[ChartChoice, ...] = (
    ChartChoice("Precision over recall", partial(_interpolated, eleven=False), of_topics=True),
    ChartChoice(
        "Precision over recall, 11 levels", partial(_interpolated, eleven=True), of_topics=True, thins=True
    ),
    _of_kind(CurveKind.SAW_TOOTH, "Saw-tooth", of_all=False),
    _of_kind(CurveKind.PRECISION, "Precision over ranks"),
    _of_kind(CurveKind.RECALL, "Recall over ranks"),
    _of_kind(CurveKind.ROC, "ROC", of_all=False),
    _of_kind(CurveKind.EFFORT, "Effort"),
    ChartChoice("Entry points", _entries, of_topics=True, of_all=False, entries=True),
    ChartChoice("Every topic", _values, measures=1),
    ChartChoice("Differences", _differences, measures=1),
    ChartChoice("Two measures", _two, measures=2),
    ChartChoice("Stability", _stability, measures=2, stability=True),
    ChartChoice("Whose judgements", _judged, judged=True),
)


def offered(charted: Charted) -> tuple[ChartChoice, ...]:
    """Return the charts to choose from; of one of fewer levels only where there are more to thin out."""
    levels = [len(run.scores.levels) for run in charted.runs if run.scores.levels is not None]
    return tuple(choice for choice in CHOICES if not choice.thins or max(levels, default=101) > ELEVEN)


NEEDS_TWO = "This needs two runs with figures, and topics that both have."


def runs_by_judgements(
    runs: Sequence[ChartedRun],
    means: Mapping[int, Floats],
    measure: str,
    topics: int,
    emphasised: Sequence[int],
) -> Chart:
    """Return the means of runs by each of JUDGED_BY, with τ between their orders.

    ``means`` are those of each style, shape (4,), over the ``topics`` that both judged.
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
        said=f"{alike if len(shown) > 1 else 'one run'} · {counted(topics, 'topic')} that both judged",
        form=Form.LINES,
        x=Axis("a click scores all by these", 0.7, len(JUDGED_BY) + 0.3, labels=JUDGED_BY),
        y=Axis(measure, 0.0, top(series)),
        series=series,
        emphasised=tuple(emphasised),
        head=JUDGED_HEAD,
        lines=tuple(judged_lines([run.scores for run in shown], table, measure)),
    )
