"""A chart as a file: a picture (PNG, SVG, PDF), a page (HTML), or its values (CSV, LaTeX)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QBuffer, QMarginsF, QRectF, QSize, QSizeF
from PySide6.QtGui import QFont, QImage, QPageSize, QPainter, QPdfWriter

from inexview.core.durable import write_complete
from inexview.core.errors import DataError
from inexview.core.evaluation.score_lines import ALL, HEAD
from inexview.core.latex import escaped, latex_table
from inexview.core.report import PAGE, PrintedLine, ValueCell
from inexview.core.wording import told_apart
from inexview.gui.charts.chart import CHART_SUFFIXES, Chart
from inexview.gui.charts.chart_painter import ChartPainter
from inexview.gui.look.page_files import html_table, page, picture, png, svg
from inexview.gui.look.theme import LIGHT

FILTER = "PDF (*.pdf);;Drawing (*.svg);;Picture (*.png);;Page (*.html);;Values (*.csv);;LaTeX table (*.tex)"
SIZE = QSize(900, 520)  # pixels of a chart in its window
COLUMN, TEXT_WIDTH = 84.0, 174.0  # millimetres: of one column, and of both
NARROWEST, WIDEST = 50.0, 400.0
LETTERS = 11  # pixels of the letters in a figure, which is 8 points
HIGH = 0.62  # of the width of a figure
DOTS, POINTS_PER_INCH, MILLIMETRES_PER_INCH = 96, 72, 25.4
FINE = 300 / DOTS  # pixels of a PNG for each that is painted
RunOfLine = tuple[str, str]
"""A run by its id and its file, as several may have one id."""


def save_chart(chart: Chart, path: Path, font: QFont, *, width: float = COLUMN) -> None:
    """Write a chart as its suffix says, light, and as a figure of a ``width`` in millimetres.

    A figure has no title inside: its caption has it, and the file's own title does.
    Raises DataError for another suffix, OSError.
    """
    suffix = path.suffix.lower()
    if suffix not in CHART_SUFFIXES:
        raise DataError(f"a chart is saved as {', '.join(CHART_SUFFIXES)}: name the file so", path=path)
    if suffix == ".csv":
        chart.save_values(path)
    else:
        drawn = _DRAWN[suffix](Figure(chart, font, width))
        write_complete(path, lambda part: part.write_bytes(drawn))


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart as it is drawn in a paper, ``width`` millimetres wide."""

    chart: Chart
    font: QFont
    width: float = COLUMN

    @property
    def size(self) -> QSize:
        """How many pixels it has."""
        wide = min(max(self.width, NARROWEST), WIDEST) / MILLIMETRES_PER_INCH * DOTS
        return QSize(round(wide), round(wide * HIGH))

    def paint(self, painter: QPainter) -> None:
        font = QFont(self.font)
        font.setPixelSize(LETTERS)
        room = QRectF(0, 0, self.size.width(), self.size.height())
        ChartPainter(self.chart, room, LIGHT, font, titled=False).paint(painter)


def chart_picture(chart: Chart, font: QFont, width: float) -> QImage:
    """Return a chart as a picture."""
    figure = Figure(chart, font, width)
    return picture(figure.size, figure.paint, FINE)


def _svg(figure: Figure) -> bytes:
    return svg(figure.size, figure.chart.title, figure.paint, figure.chart.said)


def _png(figure: Figure) -> bytes:
    return png(chart_picture(figure.chart, figure.font, figure.width))


def _pdf(figure: Figure) -> bytes:
    """Draw a chart on a page of its own size."""
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(f"{figure.chart.title} · {figure.chart.said}")
    writer.setResolution(DOTS)
    writer.setPageSize(QPageSize(QSizeF(figure.size) * POINTS_PER_INCH / DOTS, QPageSize.Unit.Point))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    painter = QPainter(writer)
    figure.paint(painter)
    painter.end()
    return bytes(buffer.data().data())


def _page(figure: Figure) -> bytes:
    """Return a page that needs nothing else: the drawing, and its values below."""
    chart = figure.chart
    drawing = _svg(replace(figure, width=max(figure.width, TEXT_WIDTH))).decode("utf-8")
    drawing = drawing[drawing.index("<svg") :]
    table = html_table(chart.head, chart.lines)
    return page(
        f"{chart.title} · {chart.said}",
        f"{drawing}\n<details><summary>Values</summary>\n{table}</details>\n",
        LIGHT,
    ).encode()


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
    caption = f"{chart.title}: {chart.said}. The best of each row is bold."
    if chart.marks is not None and any(
        line[at] == ALL and line[at + 1] == chart.marks.measure for line in chart.lines
    ):
        caption += f" {chart.marks.meaning}."
    head = [*chart.head[at : at + 2], *runs.values()]
    return latex_table(caption, "ll" + "r" * len(runs), head, body)


def _run_of(chart: Chart, line: PrintedLine) -> RunOfLine:
    """Return whose a line is: a run's id and file; of stability, a measure."""
    named = chart.head.index("run") if "run" in chart.head else 0
    filed = chart.head.index("file") if "file" in chart.head else named
    return str(line[named]), str(line[filed])


def _names_of_runs(chart: Chart) -> dict[RunOfLine, str]:
    """Return what the runs of a chart are called, no two the same."""
    runs = list(dict.fromkeys(_run_of(chart, line) for line in chart.lines))
    names = told_apart([name for name, _ in runs], [file for _, file in runs])
    return dict(zip(runs, names, strict=True))


def _listed(chart: Chart) -> str:
    """Return the lines as they are, without what is the same in all of them and the caption says."""
    shown = [at for at, name in enumerate(chart.head) if name not in (*HEAD[1:], "topic")]
    names = _names_of_runs(chart)
    named = [(names[_run_of(chart, line)], *line[1:]) for line in chart.lines]
    body = [[_written(line[at]) for at in shown] for line in named]
    columns = "".join("l" if any(isinstance(line[at], str) for line in chart.lines) else "r" for at in shown)
    head = [chart.head[at] for at in shown]
    return latex_table(f"{chart.title}: {chart.said}.", columns, head, body, long=len(body) > PAGE)


def _written(value: str | float) -> str:
    if isinstance(value, str):
        return escaped(value)
    return escaped(f"{value:.4f}" if isinstance(value, float) else f"{value:d}".replace("-", "−"))


def _latex(figure: Figure) -> bytes:
    return latex(figure.chart).encode()


def _cell(value: float, *, best: bool, mark: str) -> str:
    """Return a value, bold where it is the best, with its mark."""
    return ValueCell("∞" if math.isinf(value) else f"{value:.4f}", best=best, mark=mark).latex


_DRAWN = {".tex": _latex, ".svg": _svg, ".pdf": _pdf, ".html": _page, ".png": _png}
"""What makes the bytes of a file, by its suffix."""
