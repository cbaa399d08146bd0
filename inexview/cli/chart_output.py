"""Charts of comparisons as files: the charts that the window shows, drawn without one."""

from __future__ import annotations

import os
from argparse import ArgumentTypeError
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from inexview.core.errors import InexviewError
from inexview.core.evaluation.comparison import Comparison
from inexview.core.evaluation.stability import Stability
from inexview.core.wording import counted
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


def write_scatter(across: Comparison, up: Comparison, preset: str, path: Path) -> None:
    """Draw the runs at their means of two measures.  Raises InexviewError where that cannot be."""
    from inexview.gui.charts.chart import two_orderings

    runs = [(name, style) for style, name in enumerate(across.runs)]
    about = f"{counted(len(across.topics), 'topic')} · {preset}"
    chart = two_orderings(
        runs, (across.measure, across.means), (up.measure, up.means), lambda what: f"{what} · {about}"
    )
    _write(chart, path)


def write_stability(found: Sequence[Stability], compared: Comparison, preset: str, path: Path) -> None:
    """Draw how often halves of the topics swap runs.  Raises InexviewError where that cannot be."""
    from inexview.gui.charts.chart import stability_by_halves

    _write(stability_by_halves(found, len(compared.runs), len(compared.topics), preset), path)


def _write(chart: Chart, path: Path) -> None:
    if path.suffix.lower() == ".csv":  # needs no drawing, and not what that needs
        chart.save_values(path)
        return
    if (problem := why_no_window({**os.environ, **_OFFSCREEN})) is not None:
        raise InexviewError(problem)
    os.environ.update(_OFFSCREEN)  # nothing is shown, and there may be no screen
    from PySide6.QtGui import QGuiApplication

    from inexview.gui.charts.chart_files import save_chart
    from inexview.gui.look.style import load_fonts
    from inexview.gui.look.theme import LIGHT

    application = QGuiApplication.instance()
    if application is None:
        application = QGuiApplication([])
        load_fonts(application)
    save_chart(chart, path, LIGHT, QGuiApplication.font())
