"""Pages, tables and charts as files: HTML, PDF, PNG, SVG, CSV and LaTeX."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from html import escape, unescape
from pathlib import Path

from PySide6.QtCore import QBuffer, QMarginsF, QPointF, QRect, QRectF, QSize, QSizeF
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QImage,
    QImageWriter,
    QPageLayout,
    QPageSize,
    QPainter,
    QPdfWriter,
    QTextDocument,
)
from PySide6.QtSvg import QSvgGenerator

from inexview.core.durable import write_complete
from inexview.core.errors import DataError
from inexview.core.evaluation.charts import CHART_SUFFIXES, Chart, latex
from inexview.core.report import ValueTable, save_lines
from inexview.gui.charts.chart_painter import ChartPainter
from inexview.gui.look.theme import LIGHT, Theme

PAGE_SUFFIXES = (".html", ".pdf", ".png", ".svg")
PAGE_FILTER = "Page (*.html);;PDF (*.pdf);;Picture (*.png);;Drawing (*.svg)"
WIDTH, MARGIN = 900, 40
PAPER = 720  # pixels over the width of an A4 page: a font of 16 is 11 points then
SCALE = 2  # pixels of a PNG for each that is painted
HIGHEST = 16_000  # pixels of a page that is drawn in one piece
DOTS, METRES_PER_INCH = 96, 0.0254
Paint = Callable[[QPainter], object]
"""Paints all of a picture."""
_TEXT = re.compile(r"<text ([^>]*)>([^<]*)</text>")
_ATTRIBUTE = re.compile(r'(?<![a-z-])([a-z-]+)="([^"]*)"')


def page(title: str, body: str, theme: Theme, link: str = "", looks: str = "") -> str:
    """Return a page; ``body`` is HTML, ``link`` leads back to the place it shows, ``looks`` are CSS."""
    back = f'<p><a href="{escape(link)}">Open this place in inexview</a></p>\n' if link else ""
    style = (
        f"body{{font:16px/1.6 Inter,system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;"
        f"background:{theme.page};color:{theme.text}}}"
        f"a{{color:{theme.accent}}}svg{{max-width:100%;height:auto}}table{{border-collapse:collapse;"
        f"font-variant-numeric:tabular-nums;font-size:.85rem}}td,th{{padding:.1rem .6rem;text-align:left;"
        f"border-bottom:1px solid {theme.line}}}"
    )
    return (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8">\n'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'; img-src data:\">\n"
        f"<title>{escape(title)}</title>\n<style>{style}{looks}</style>\n<h1>{escape(title)}</h1>\n{back}{body}</html>\n"
    )


def html_table(head: Sequence[str], lines: Iterable[Sequence[object]]) -> str:
    """Return a table of text; nothing in it is taken for HTML."""
    above = "".join(f"<th>{escape(name)}</th>" for name in head)
    rows = ("".join(f"<td>{escape(str(cell))}</td>" for cell in line) for line in lines)
    return f"<table><tr>{above}</tr>\n" + "".join(f"<tr>{row}</tr>\n" for row in rows) + "</table>\n"


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """A page: its body is HTML in which all text is escaped; ``style`` are the looks of its classes."""

    title: str
    body: str
    style: str = ""
    link: str = ""
    """Leads back to the place that it shows; empty where there is none."""


def save_page(shown: HtmlPage, path: Path, theme: Theme, font: QFont) -> None:
    """Write a page as its suffix says.  Raises DataError for another suffix or too long a page, OSError."""
    suffix = path.suffix.lower()
    if suffix not in PAGE_SUFFIXES:
        raise DataError(f"evidence is saved as {', '.join(PAGE_SUFFIXES)}: name the file so", path=path)
    if suffix == ".html":
        drawn = page(shown.title, shown.body, theme, shown.link, shown.style).encode()
    else:
        drawn = _drawn(shown, path, theme, font)
    write_complete(path, lambda part: part.write_bytes(drawn))


def png(image: QImage) -> bytes:
    """Return a picture as the bytes of its file."""
    buffer = QBuffer()
    QImageWriter(buffer, b"PNG").write(image)
    return bytes(buffer.data().data())


def _drawn(shown: HtmlPage, path: Path, theme: Theme, font: QFont) -> bytes:
    """Return the bytes of a page as a picture; raises DataError where it is too long for one."""
    suffix = path.suffix.lower()
    if suffix == ".pdf":
        return _pdf(_laid_out(shown, theme, font, PAPER), shown.title)
    text = _laid_out(shown, theme, font, WIDTH - 2 * MARGIN)
    size = QSize(int(text.textWidth()) + 2 * MARGIN, int(text.size().height()) + 2 * MARGIN)
    if size.height() > HIGHEST:
        raise DataError("this is too long for one picture: save it as .pdf or .html", path=path)
    paint = partial(_paint, text, size, theme)
    return svg(size, shown.title, paint) if suffix == ".svg" else png(picture(size, paint))


def _laid_out(shown: HtmlPage, theme: Theme, font: QFont, width: int) -> QTextDocument:
    """Lay a page out as Qt's rich text, so many pixels wide or more; nothing is loaded for it."""
    text = QTextDocument()
    text.setDefaultFont(font)
    text.setDocumentMargin(0)
    text.setDefaultStyleSheet(
        f"body{{color:{theme.text}}}table{{margin-top:12px}}td,th{{padding:1px 10px 1px 0}}{shown.style}"
    )
    link = f'<p class="muted">{escape(shown.link)}</p>' if shown.link else ""
    text.setHtml(f"<body><h2>{escape(shown.title)}</h2>{link}{shown.body}</body>")
    text.setTextWidth(width)
    text.setTextWidth(max(text.textWidth(), math.ceil(text.size().width())))  # a wide table is not cut
    return text


def _paint(text: QTextDocument, size: QSize, theme: Theme, painter: QPainter) -> None:
    painter.fillRect(QRect(0, 0, size.width(), size.height()), theme.color("page"))
    painter.translate(QPointF(MARGIN, MARGIN))
    text.drawContents(painter)


def picture(size: QSize, paint: Paint, scale: float = SCALE) -> QImage:
    """Return what is painted as a picture, ``scale`` pixels for each; it says how large it is on paper."""
    image = QImage(size * scale, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(scale)
    image.setDotsPerMeterX(round(DOTS * scale / METRES_PER_INCH))
    image.setDotsPerMeterY(round(DOTS * scale / METRES_PER_INCH))
    painter = QPainter(image)
    paint(painter)
    painter.end()
    return image


def svg(size: QSize, title: str, paint: Paint, about: str = "") -> bytes:
    """Return an SVG drawing whose texts are as wide as here where another font stands in for theirs."""
    buffer = QBuffer()
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(size)
    generator.setResolution(DOTS)
    generator.setViewBox(QRect(0, 0, size.width(), size.height()))
    generator.setTitle(title)
    generator.setDescription(about)
    painter = QPainter(generator)
    paint(painter)
    painter.end()
    return _TEXT.sub(_as_wide, bytes(buffer.data().data()).decode("utf-8")).encode("utf-8")


def _as_wide(text: re.Match[str]) -> str:
    attributes, said = text.groups()
    own = dict(_ATTRIBUTE.findall(attributes))
    font = QFont(own["font-family"].split(","))
    font.setPixelSize(max(round(float(own["font-size"])), 1))
    font.setWeight(QFont.Weight(int(own["font-weight"])))
    font.setItalic(own["font-style"] == "italic")
    wide = QFontMetricsF(font).horizontalAdvance(unescape(said))
    if not wide:
        return text.group()
    length = f'textLength="{wide:.2f}" lengthAdjust="spacingAndGlyphs"'
    return f"<text {attributes.rstrip()} {length}>{said}</text>"


def _pdf(text: QTextDocument, title: str) -> bytes:
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(title)
    page = QPageSize(QPageSize.PageSizeId.A4)
    wide = text.textWidth() / PAPER
    if wide > 1:
        page = QPageSize(page.size(QPageSize.Unit.Point) * wide, QPageSize.Unit.Point)
    writer.setPageSize(page)
    writer.setPageMargins(QMarginsF(15, 15, 15, 15))
    room = writer.pageLayout().paintRect(QPageLayout.Unit.Point)
    width = text.textWidth()
    text.setPageSize(QSizeF(width, width * room.height() / room.width()))  # fonts keep to it, in pixels too
    text.print_(writer)
    return bytes(buffer.data().data())


TABLE_FILTER = f"{PAGE_FILTER};;Values (*.csv);;LaTeX table (*.tex)"
TABLE_SUFFIXES = (*PAGE_SUFFIXES, ".csv", ".tex")


def page_of(table: ValueTable) -> HtmlPage:
    return HtmlPage(table.title, table.html, link=table.link)


def save_table(table: ValueTable, path: Path, theme: Theme, font: QFont) -> None:
    """Write a table as the suffix says.  Raises DataError (another suffix, too long a picture), OSError."""
    suffix = path.suffix.lower()
    if suffix not in TABLE_SUFFIXES:
        raise DataError(f"a table is saved as {', '.join(TABLE_SUFFIXES)}: name the file so", path=path)
    if suffix == ".csv":
        save_lines(path, table.value_head, table.values)
    elif suffix == ".tex":
        write_complete(path, lambda part: part.write_text(table.latex, encoding="utf-8"))
    else:
        save_page(page_of(table), path, theme, font)


CHART_FILTER = (
    "PDF (*.pdf);;Drawing (*.svg);;Picture (*.png);;Page (*.html);;Values (*.csv);;LaTeX table (*.tex)"
)
SIZE = QSize(900, 520)  # pixels of a chart in its window
COLUMN, TEXT_WIDTH = 84.0, 174.0  # millimetres: of one column, and of both
NARROWEST, WIDEST = 50.0, 400.0
LETTERS = 11  # pixels of the letters in a figure, which is 8 points
HIGH = 0.62  # of the width of a figure
POINTS_PER_INCH, MILLIMETRES_PER_INCH = 72, 25.4
FINE = 300 / DOTS  # pixels of a PNG for each that is painted


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


def _chart_svg(figure: Figure) -> bytes:
    return svg(figure.size, figure.chart.title, figure.paint, figure.chart.caption)


def _chart_pdf(figure: Figure) -> bytes:
    """Draw a chart on a page of its own size."""
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(f"{figure.chart.title} · {figure.chart.caption}")
    writer.setResolution(DOTS)
    writer.setPageSize(QPageSize(QSizeF(figure.size) * POINTS_PER_INCH / DOTS, QPageSize.Unit.Point))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    painter = QPainter(writer)
    figure.paint(painter)
    painter.end()
    return bytes(buffer.data().data())


def _chart_page(figure: Figure) -> bytes:
    """Return a page that needs nothing else: the drawing, and its values below."""
    chart = figure.chart
    drawing = _chart_svg(replace(figure, width=max(figure.width, TEXT_WIDTH))).decode("utf-8")
    drawing = drawing[drawing.index("<svg") :]
    table = html_table(chart.head, chart.lines)
    return page(
        f"{chart.title} · {chart.caption}",
        f"{drawing}\n<details><summary>Values</summary>\n{table}</details>\n",
        LIGHT,
    ).encode()


_DRAWN: dict[str, Callable[[Figure], bytes]] = {
    ".tex": lambda figure: latex(figure.chart).encode(),
    ".svg": _chart_svg,
    ".pdf": _chart_pdf,
    ".html": _chart_page,
    ".png": lambda figure: png(chart_picture(figure.chart, figure.font, figure.width)),
}
"""What makes the bytes of a file, by its suffix."""
