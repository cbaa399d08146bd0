"""Charts that commands draw, as the window draws them, without a screen."""

from __future__ import annotations

import os
from argparse import ArgumentTypeError
from pathlib import Path
from typing import TYPE_CHECKING

from inexview.core.errors import DataError, InexviewError
from inexview.core.evaluation.curves import CurveKind
from inexview.core.evaluation.run_scores import RunScores
from inexview.core.wording import counted, told_apart
from inexview.system_libraries import why_no_window

if TYPE_CHECKING:
    from inexview.gui.charts.chart import Chart

# The window's modules are asked for where they are used: no command needs them otherwise.
_OFFSCREEN = {"QT_QPA_PLATFORM": "offscreen"}


def chart_file(text: str) -> Path:
    """Read the name of a file as which a chart can be saved, for argparse."""
    from inexview.gui.charts.chart import CHART_SUFFIXES

    path = Path(text)
    if path.suffix.lower() not in CHART_SUFFIXES:
        raise ArgumentTypeError(f"{text!r}: a chart is saved as {', '.join(CHART_SUFFIXES)}")
    return path


def draw_curves(runs: list[RunScores], kind: CurveKind, path: Path) -> None:
    """Draw a curve of each run: the mean over topics or, where they are scored on one topic, of that.

    Raises DataError where there is nothing to draw.
    """
    from inexview.gui.charts.chart import ChartedRun
    from inexview.gui.charts.ranking_charts import precision_over_recall, ranking_curve

    names = told_apart([scores.id for scores in runs], [str(scores.path) for scores in runs])
    named = enumerate(zip(names, runs, strict=True))
    charted = [ChartedRun(name, style, scores) for style, (name, scores) in named]
    topics = {topic for scores in runs for topic in scores.topics}
    if not kind.averages and len(topics) > 1:
        problem = f"{kind.value} has no mean over topics, and these are {counted(len(topics), 'topic')}"
        raise DataError(f"{problem}: write them as .csv", path=path)
    topic = next(iter(topics), "") if len(topics) == 1 else ""
    if kind is CurveKind.INTERPOLATED:
        chart = precision_over_recall(charted, (), topic)
    else:
        chart = ranking_curve(charted, kind, (), topic)
    if not any(len(series.x) for series in chart.series):
        raise DataError("nothing to draw: none of these measures has such a curve", path=path)
    draw_chart(chart, path)


def draw_chart(chart: Chart, path: Path) -> None:
    """Write a chart as its suffix says.  Raises InexviewError where nothing can be drawn, OSError."""
    if path.suffix.lower() == ".csv":  # needs no drawing, and not what that needs
        chart.save_values(path)
        return
    if (problem := why_no_window({**os.environ, **_OFFSCREEN})) is not None:
        raise InexviewError(problem)
    os.environ.update(_OFFSCREEN)  # nothing is shown, and there may be no screen
    from PySide6.QtGui import QGuiApplication

    from inexview.gui.charts.chart_files import save_chart
    from inexview.gui.look.style import load_fonts

    application = QGuiApplication.instance()
    if application is None:
        application = QGuiApplication([])
        load_fonts(application)
    save_chart(chart, path, QGuiApplication.font())
