"""Charts of curves: precision over recall, over ranks, ROC, and what has to be read."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from inexview.core.evaluation.curves import CurveKind
from inexview.core.evaluation.run_scores import RunScores
from inexview.core.evaluation.score_lines import ALL, curve_head, curve_lines
from inexview.core.judgements.runs import Task
from inexview.core.report import PrintedLine
from inexview.core.text.spans import Floats
from inexview.gui.charts.chart import Axis, Chart, ChartedRun, ChartSeries, Form, presets_of, said, top

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
    """Return the interpolated precision at levels of recall, of a topic or the mean.

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
        said=_told(shown, f"interpolated, {levels} levels", topic),
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
    """Return a curve of another kind, of a topic or, of a kind that averages, over all of them.

    The scores of the runs carry its points; beside a saw-tooth is the interpolated curve.
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
    what = "with the interpolated curve" if kind is CurveKind.SAW_TOOTH else _average(kind, topic)
    return Chart(
        title=TITLES[kind],
        said=_told(shown, what, topic),
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
    """Return the document of each point: of each result, or where documents are ranked of each document."""
    for names in (documents, tuple(dict.fromkeys(documents))):
        if len(names) == points:
            return tuple(names)
    return ()


def _has(run: ChartedRun, topic: str) -> bool:
    return not topic or topic in run.scores.topics


def _of_topic(scores: RunScores, topic: str) -> list[PrintedLine]:
    """Return what eval writes of the curve, of one topic or over all."""
    place = curve_head(scores.kind).index("topic")
    wanted = topic or ALL
    return [line for line in curve_lines([scores], per_topic=bool(topic)) if line[place] == wanted]


def _average(kind: CurveKind, topic: str) -> str:
    if topic:
        return ""
    return "median" if kind is CurveKind.EFFORT else "mean"


def _told(runs: Sequence[ChartedRun], what: str, topic: str) -> str:
    """Say what is shown, of which topics, and by which preset."""
    if not topic:
        return said(runs, what)
    return " · ".join(part for part in (what, f"topic {topic}", presets_of(runs)) if part)


def _axes(kind: CurveKind, runs: Sequence[ChartedRun]) -> tuple[str, str]:
    """Return what is measured across and up: in context precision and recall are the generalised ones."""
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
