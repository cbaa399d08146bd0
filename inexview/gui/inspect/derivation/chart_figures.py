"""What the values of a chart ask for when somebody wants to know why they are what they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from PySide6.QtCore import QObject, QPoint, Signal

from inexview.core.evaluation.charts import Asked, Chart, ChartChoice, Charted, ChartSeries, Form
from inexview.core.evaluation.derivations import Derivation
from inexview.core.evaluation.orderings import JUDGED_BY
from inexview.core.evaluation.run_derivations import (
    derive_mean_point,
    derive_orderings,
    derive_swaps,
    measure_of_point,
    name_of_point,
    swapped_by,
)
from inexview.core.evaluation.scores import CurveKind, RunScores
from inexview.gui.charts.chart_window import ChartedValue, ChartReason
from inexview.gui.charts.small_charts import CurveChart
from inexview.gui.inspect.figures.explained_figures import Explained, ExplainedAlone, ExplainedRun
from inexview.gui.inspect.figures.figure_asked import CurvePoint, FigureAsked, FigureLevel, FigureOf
from inexview.gui.inspect.scoring.run_board import RunBoard
from inexview.gui.inspect.scoring.run_keys import key_of

THINNED = (CurveKind.INTERPOLATED, CurveKind.EFFORT)  # curves of which not every point is drawn


class ChartFigures(QObject):
    """Tells which figure is meant by a value of a chart."""

    asked = Signal(object)  # FigureAsked

    def __init__(self, board: RunBoard, charted: Callable[[Asked], Charted], parent: QObject) -> None:
        super().__init__(parent)
        self._board = board
        self._charted = charted

    def reasons(
        self, choice: ChartChoice, asked: Asked, chart: Chart | None, pointed: ChartedValue
    ) -> list[ChartReason]:
        """Return what can be asked of a value, or of a chart."""
        if chart is None:
            return []
        figures = self._of_all(choice, asked) if pointed is None else self._of(choice, asked, chart, *pointed)
        return [
            ChartReason(f"Why this figure: {one.measure}", partial(self.asked.emit, one)) for one in figures
        ]

    def read_off(self, chart: CurveChart, _at: QPoint) -> FigureAsked | None:
        """Return the mean precision at the level of recall that is read off a chart of curves."""
        run = self._board.current
        scores = self._board.scores(run)
        if run is None or chart.read_at is None or scores is None or scores.levels is None:
            return None
        at = round(chart.read_at * (len(scores.levels) - 1))
        return self._mean(key_of(run), scores, Asked(), at, float(scores.levels[at]))

    def _of(
        self, choice: ChartChoice, asked: Asked, chart: Chart, series: ChartSeries, at: int
    ) -> Sequence[FigureAsked]:
        if choice.stability:
            return [FigureAsked(FigureLevel.RUN, swapped_by(series.name, int(series.x[at])),
                                made=partial(self._swaps, asked, series.name, at))]  # fmt: skip
        run = next((one for one in self._board.scored() if self._board.style(one) == series.style), None)
        scores = self._board.scores(run)
        if run is None or scores is None or choice.judged:
            return []
        key = key_of(run)
        if choice.entries:
            entered = series.names[at]
            return [FigureAsked(FigureLevel.DOCUMENT, "s(x,b)", entered, run=key, topic=asked.topic)]
        if choice.measures == 2:
            means = (scores.mean_names[scores.names.index(name)] for name in (asked.measure, asked.other))
            return [FigureAsked(FigureLevel.RUN, name, run=key) for name in dict.fromkeys(means)]
        if choice.measures:
            topic = series.names[at]
            if chart.form is not Form.BARS:
                return [FigureAsked(FigureLevel.TOPIC, asked.measure, run=key, topic=topic)]
            other = next(one for one in self._board.scored() if self._board.style(one) == chart.emphasised[1])
            lead = FigureOf.LEAD
            return [
                FigureAsked(
                    FigureLevel.TOPIC, asked.measure, of=lead, run=key, baseline=key_of(other), topic=topic
                )
            ]
        return [self._of_curve(key, scores, choice.curve, asked, at, float(series.x[at]))]

    def _of_curve(
        self, key: str, scores: RunScores, kind: CurveKind, asked: Asked, at: int, x: float
    ) -> FigureAsked:
        if kind in THINNED:
            last = 10 if kind is CurveKind.EFFORT or scores.levels is None else len(scores.levels) - 1
            at = round(x * last)
        if not asked.topic:
            return self._mean(key, scores, asked, at, x)
        measure = measure_of_point(scores, kind, at, x)
        name = measure or name_of_point(scores, kind, at, x)
        point = None if measure else CurvePoint(kind, at)
        return FigureAsked(FigureLevel.TOPIC, name, run=key, topic=asked.topic, point=point)

    def _mean(self, key: str, scores: RunScores, asked: Asked, at: int, x: float) -> FigureAsked:
        name = name_of_point(scores, asked.curve, at, x)
        return FigureAsked(FigureLevel.RUN, name, run=key, made=partial(self._mean_point, key, asked, at, x))

    def _mean_point(self, key: str, asked: Asked, at: int, x: float) -> Explained | None:
        """Derive a point over all topics from the scores that are charted now, which may lack it by now.

        Another task may have other levels of recall, or no curve; another run of the same file fewer ranks.
        """
        run, charted = self._board.by_key(key), self._charted(asked)
        if run is None or charted.waiting:
            return None
        style = self._board.style(run)
        scores = next((one.scores for one in charted.runs if one.style == style), None)
        if scores is None or scores.kind is not asked.curve:
            return None
        if scores.kind is CurveKind.INTERPOLATED:
            if scores.levels is None or scores.curve is None:
                return None
            at = round(x * (len(scores.levels) - 1))
        elif at >= len(scores.mean_points[0]):
            return None
        told, without = derive_mean_point(scores, at)
        return ExplainedRun({told.measure: told}, (told.measure,), without[None, :])

    def _of_all(self, choice: ChartChoice, asked: Asked) -> list[FigureAsked]:
        """Return τ and ρ, where the chart says them."""
        told = self._orderings(choice, asked)
        return [FigureAsked(FigureLevel.RUN, name, made=partial(self._alike, choice, asked)) for name in told]

    def _alike(self, choice: ChartChoice, asked: Asked) -> Explained | None:
        told = self._orderings(choice, asked)
        return ExplainedAlone(told) if told else None

    def _orderings(self, choice: ChartChoice, asked: Asked) -> dict[str, Derivation]:
        """Derive how alike the orders of a chart's runs are."""
        if not choice.judged and (choice.measures < 2 or choice.stability):
            return {}
        charted = self._charted(asked)
        chart = None if charted.waiting or charted.problem else choice.make(charted, asked)
        if chart is None or len(chart.series) < 2:
            return {}
        names = [series.name for series in chart.series]
        if not choice.judged:
            x, y = (np.array([float(axis[0]) for axis in axes]) for axes in
                    ([one.x for one in chart.series], [one.y for one in chart.series]))  # fmt: skip
            return derive_orderings(names, (chart.x.title, x), (chart.y.title, y))
        means = np.array([series.y for series in chart.series])
        told: dict[str, Derivation] = {}
        for at, by in enumerate(JUDGED_BY[1:], 1):
            first, other = (JUDGED_BY[0], means[:, 0]), (by, means[:, at])
            told |= derive_orderings(names, first, other, f"({JUDGED_BY[0]}, {by})")
        return told

    def _swaps(self, asked: Asked, measure: str, at: int) -> Explained | None:
        charted = self._charted(asked)
        found = next((one for one in charted.stability if one.measure == measure), None)
        if found is None or at >= len(found.sizes):
            return None
        told = derive_swaps(found, at, len(charted.runs))
        return ExplainedAlone({told.measure: told})
