"""A chart as a file: a picture (PNG, SVG), or its values (CSV, LaTeX)."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QBuffer, QRect, QRectF, QSize
from PySide6.QtGui import QFont, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator

from inexview.core.errors import DataError
from inexview.core.evaluation.score_lines import write_lines
from inexview.gui.charts.chart import Chart
from inexview.gui.charts.chart_painter import ChartPainter
from inexview.gui.look.theme import Theme

SUFFIXES = (".png", ".svg", ".csv", ".tex")
SIZE = QSize(900, 520)
SCALE = 2  # pixels of a PNG for each of the chart


def save_chart(chart: Chart, path: Path, theme: Theme, font: QFont) -> None:
    """Write a chart as its suffix says.  Raises DataError for another suffix, OSError."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise DataError(f"a chart is saved as {', '.join(SUFFIXES)}: name the file so", path=path)
    if suffix == ".csv":
        with path.open("w", encoding="utf-8", newline="") as file:
            write_lines(file, chart.head, chart.lines)
    elif suffix == ".tex":
        path.write_text(latex(chart), encoding="utf-8")
    elif suffix == ".svg":
        path.write_bytes(_svg(chart, theme, font))
    elif not picture(chart, theme, font).save(str(path)):
        raise DataError("the picture could not be written there", path=path)


def picture(chart: Chart, theme: Theme, font: QFont) -> QImage:
    """Return a chart as a picture."""
    image = QImage(SIZE * SCALE, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(SCALE)
    painter = QPainter(image)
    ChartPainter(chart, QRectF(0, 0, SIZE.width(), SIZE.height()), theme, font).paint(painter)
    painter.end()
    return image


def _svg(chart: Chart, theme: Theme, font: QFont) -> bytes:
    buffer = QBuffer()
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(SIZE)
    generator.setViewBox(QRect(0, 0, SIZE.width(), SIZE.height()))
    generator.setTitle(chart.title)
    generator.setDescription(chart.said)
    painter = QPainter(generator)
    ChartPainter(chart, QRectF(0, 0, SIZE.width(), SIZE.height()), theme, font).paint(painter)
    painter.end()
    return bytes(buffer.data().data())


def latex(chart: Chart) -> str:
    """Return the values as a table of booktabs with a caption, the best of each row in bold."""
    columns = chart.head.index("run"), len(chart.head) - 3, len(chart.head) - 2, len(chart.head) - 1
    runs = list(dict.fromkeys(str(line[columns[0]]) for line in chart.lines))
    rows: dict[tuple[str, str], dict[str, float]] = {}
    for line in chart.lines:
        run, topic, what, value = (line[at] for at in columns)
        rows.setdefault((str(topic), str(what)), {})[str(run)] = float(value)
    body = []
    for (topic, what), values in rows.items():
        best = max(values.values())
        cells = [
            (rf"\textbf{{{values[run]:.4f}}}" if values[run] == best else f"{values[run]:.4f}")
            if run in values
            else "--"
            for run in runs
        ]
        body.append(" & ".join([_escaped(topic), _escaped(what), *cells]) + r" \\")
    head = " & ".join([*map(_escaped, chart.head[columns[1] : columns[3]]), *map(_escaped, runs)]) + r" \\"
    return "\n".join(
        [
            "% needs \\usepackage{booktabs}",
            r"\begin{table}",
            rf"\caption{{{_escaped(f'{chart.title}: {chart.said}. The best of each row is bold.')}}}",
            rf"\begin{{tabular}}{{ll{'r' * len(runs)}}}",
            r"\toprule",
            head,
            r"\midrule",
            *body,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )


_LATEX = str.maketrans(
    {one: f"\\{one}" for one in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"τ": r"$\tau$", "ρ": r"$\rho$", "·": r"$\cdot$", "−": "$-$"}
)


def _escaped(text: str) -> str:
    return text.translate(_LATEX)
