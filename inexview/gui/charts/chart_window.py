"""The chart window: choose a chart, read values, open their topics or documents, save it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from html import escape, unescape
from itertools import pairwise
from pathlib import Path

from PySide6.QtCore import (
    QBuffer,
    QByteArray,
    QEvent,
    QMarginsF,
    QPointF,
    QRect,
    QRectF,
    QSize,
    QSizeF,
    Qt,
    QUrl,
    Signal,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QFont,
    QFontMetricsF,
    QGuiApplication,
    QImage,
    QImageWriter,
    QKeyEvent,
    QMouseEvent,
    QPageLayout,
    QPageSize,
    QPainter,
    QPaintEvent,
    QPdfWriter,
    QTextBlock,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrame,
    QTextOption,
)
from PySide6.QtSvg import QSvgGenerator, QSvgRenderer
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QMenu, QPushButton, QWidget

from inexview.core.errors import DataError, InexviewError
from inexview.core.evaluation.charts import (
    CHART_SUFFIXES,
    CHOICES,
    NEEDS_TWO,
    Asked,
    Chart,
    ChartChoice,
    Charted,
    ChartSeries,
    Form,
    Shown,
    latex,
    offered,
    written,
)
from inexview.core.evaluation.run_report import REPORT_SUFFIXES, Report
from inexview.core.files import write_complete
from inexview.core.report import FIGURE, ValueTable, save_lines
from inexview.gui.charts.chart_painter import ChartPainter
from inexview.gui.look.theme import LIGHT, Theme
from inexview.gui.look.widgets import ElidedLabel, PaintedChart, SideWindow, in_column, paint_focus, still
from inexview.gui.services.messages import sentence
from inexview.gui.services.settings import choose_new_file, file_name

# Pages, tables and charts as files: HTML, PDF, PNG, SVG, CSV and LaTeX.

PAGE_SUFFIXES = (".html", ".pdf", ".png", ".svg")
PAGE_FILTER = "Page (*.html);;PDF (*.pdf);;Picture (*.png);;Drawing (*.svg)"
WIDTH, MARGIN = 900, 40
SLIGHTLY = 1.15  # times wider than paper, a text is printed smaller; a wider one is on larger paper
PAPER = 720  # pixels over the width of an A4 page: a font of 16 is 11 points then
SCALE = 2  # pixels of a PNG for each that is painted
HIGHEST = 16_000  # pixels of a page drawn as one picture
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
    """Address of the place that the page shows; empty without one."""


def save_page(shown: HtmlPage, path: Path, theme: Theme, font: QFont) -> None:
    """Write a page by its suffix.  Raises DataError (unknown suffix, page too long), OSError."""
    suffix = path.suffix.lower()
    if suffix not in PAGE_SUFFIXES:
        raise DataError(f"evidence is saved as {', '.join(PAGE_SUFFIXES)}: name the file so", path=path)
    if suffix == ".html":
        drawn = page(shown.title, shown.body, theme, shown.link, shown.style).encode()
    else:
        drawn = _drawn(shown, path, theme, font)
    write_complete(path, lambda part: part.write_bytes(drawn))


def png(image: QImage) -> bytes:
    buffer = QBuffer()
    QImageWriter(buffer, b"PNG").write(image)
    return bytes(buffer.data().data())


def _drawn(shown: HtmlPage, path: Path, theme: Theme, font: QFont) -> bytes:
    """Return a page as the bytes of a picture; raises DataError if it is too long."""
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
    """Lay a page out as Qt rich text, at least ``width`` pixels wide; nothing is loaded for it."""
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
    """Return a painting as a picture with ``scale`` pixels for each, and its size on paper."""
    image = QImage(size * scale, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(scale)
    image.setDotsPerMeterX(round(DOTS * scale / METRES_PER_INCH))
    image.setDotsPerMeterY(round(DOTS * scale / METRES_PER_INCH))
    painter = QPainter(image)
    paint(painter)
    painter.end()
    return image


def svg(size: QSize, title: str, paint: Paint, about: str = "") -> bytes:
    """Return an SVG drawing whose texts keep their width if a viewer substitutes the font."""
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
    if wide > SLIGHTLY:
        page = QPageSize(page.size(QPageSize.Unit.Point) * wide, QPageSize.Unit.Point)
    writer.setPageSize(page)
    writer.setPageMargins(QMarginsF(15, 15, 15, 15))
    in_pages(text, writer.pageLayout().paintRect(QPageLayout.Unit.Point).size())
    text.print_(writer)
    return bytes(buffer.data().data())


TABLE_FILTER = f"{PAGE_FILTER};;Values (*.csv);;LaTeX table (*.tex)"
TABLE_SUFFIXES = (*PAGE_SUFFIXES, ".csv", ".tex")


def page_of(table: ValueTable) -> HtmlPage:
    return HtmlPage(table.title, table.html, link=table.link)


def save_table(table: ValueTable, path: Path, theme: Theme, font: QFont) -> None:
    """Write a table by its suffix.  Raises DataError (unknown suffix, picture too long), OSError."""
    suffix = path.suffix.lower()
    if suffix not in TABLE_SUFFIXES:
        raise DataError(f"a table is saved as {', '.join(TABLE_SUFFIXES)}: name the file so", path=path)
    if suffix == ".csv":
        save_lines(path, table.value_head, table.values)
    elif suffix == ".tex":
        write_complete(path, lambda part: part.write_text(table.latex, encoding="utf-8"))
    else:
        save_page(page_of(table), path, theme, font)


# A report: charts are drawn into its page; on paper Qt's rich text takes them as pictures.

REPORT_FILTER = "Page (*.html);;PDF (*.pdf);;Markdown (*.md);;LaTeX (*.tex)"
_SVG = re.compile(r"<svg.*?</svg>", re.DOTALL)
_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)
_CHARTS = re.compile(r"<div class='charts'>(.*?)</div>", re.DOTALL)
_FIGURE = re.compile(r"<figure>(.*?)</figure>", re.DOTALL)
_TITLE = re.compile(r"<figcaption>(.*?)</figcaption>", re.DOTALL)
_WIDTH = re.compile(r'(?<=align="left" )width="(\d+)"')
FINER = 3  # pixels of a picture on paper for each of the drawing
SMALL, SMALLER = 200, 0.6  # pixels of the widest drawing beside figures, and its size on paper
NARROWER = 0.9  # columns of names on paper, whose letters are smaller
FIRST = 2  # paragraphs that have to be on the page of their heading
_PRINTED = (
    "body{font-size:14px;color:#1b1f24}.muted{color:#59636e}p{margin:6px 0}"
    "h1,h2,.answer{font-family:'Noto Serif',Georgia,serif}h1{font-size:25px}.answer{font-size:17px}"
    "h2{font-size:18px;margin:22px 0 2px 0}table{border-collapse:collapse;margin:6px 0}"
    "td,th{font-size:10px;padding:2px 5px 2px 0;border-bottom:1px solid #d8dde3;vertical-align:middle}"
    ".number{white-space:nowrap}.figure{border:none;padding:0 10px 8px 0}"
    "pre{font-size:11px;white-space:pre-wrap}"
)


def save_drawn_report(report: Report, path: Path, font: QFont) -> None:
    """Write a report with its charts by its suffix.  Raises DataError (unknown suffix), OSError."""
    suffix = path.suffix.lower()
    if suffix not in REPORT_SUFFIXES:
        raise DataError(f"a report is saved as {', '.join(REPORT_SUFFIXES)}: name the file so", path=path)
    if suffix == ".md":
        drawn = report.markdown.encode()
    elif suffix == ".tex":
        drawn = report.latex.encode()
    elif suffix == ".html":
        drawn = _page_of(report, font).encode()
    else:
        drawn = _pdf(report_on_paper(report, font), report.title)
    write_complete(path, lambda part: part.write_bytes(drawn))


def report_on_paper(report: Report, font: QFont) -> QTextDocument:
    """Return a report with its charts, laid out for paper."""
    return _on_paper(_page_of(report, font), font)


def _page_of(report: Report, font: QFont) -> str:
    return report.html(lambda chart: _inline(Figure(chart, font, TEXT_WIDTH if _is_wide(chart) else COLUMN)))


def _is_wide(chart: Chart) -> bool:
    return chart.form is Form.LINES


def _inline(figure: Figure) -> str:
    """Return a chart as an element of a page; several side by side have titles."""
    drawing = _chart_svg(figure).decode("utf-8")
    drawing = drawing[drawing.index("<svg") :]
    name = escape(figure.chart.title)
    named = "" if _is_wide(figure.chart) else f"<figcaption>{name}</figcaption>"
    return f"<figure>{named}{drawing}</figure>"


def _on_paper(page: str, font: QFont) -> QTextDocument:
    """Lay a page out as rich text of the width of paper; each drawing in it is a picture.

    Qt's rich text knows neither figures nor rules for paper: charts are in rows, and looks are its own.
    """
    text, drawings = QTextDocument(), list[str]()
    text.setDefaultFont(font)
    text.setDocumentMargin(0)
    text.setDefaultStyleSheet(_PRINTED)
    wrapping = text.defaultTextOption()
    wrapping.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    text.setDefaultTextOption(wrapping)

    def picture_of(drawing: re.Match[str]) -> str:
        renderer = QSvgRenderer(QByteArray(drawing.group().encode()))
        size, before = renderer.defaultSize(), ""
        if size.width() < SMALL:
            size, before = size * SMALLER, "&nbsp;"
        image = QImage(size * FINER, QImage.Format.Format_ARGB32)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        renderer.render(painter)
        painter.end()
        name = f"drawing:{len(drawings)}"
        drawings.append(name)
        text.addResource(QTextDocument.ResourceType.ImageResource, QUrl(name), image)
        return f'{before}<img src="{name}" width="{size.width()}" height="{size.height()}">'

    page = _STYLE.sub("", _CHARTS.sub(_in_rows, page))
    page = _WIDTH.sub(lambda wide: f'width="{round(int(wide[1]) * NARROWER)}"', page)
    page = page.replace(f'<th class="long"{FIGURE}>', '<th align="right">')
    page = page.replace(FIGURE, ' align="right" class="number"')  # an attribute hides the looks of a cell
    text.setHtml(_SVG.sub(picture_of, page))
    text.setTextWidth(PAPER)
    text.setTextWidth(max(PAPER, math.ceil(text.size().width())))  # a wide table is not cut
    return text


def _in_rows(charts: re.Match[str]) -> str:
    """Return the charts of a section in rows of two, each under its title."""
    titled = _TITLE.sub(r"<b>\1</b><br>", charts[1])
    figures = [f'<td class="figure">{figure}</td>' for figure in _FIGURE.findall(titled)]
    rows = ("".join(figures[at : at + 2]) for at in range(0, len(figures), 2))
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


def in_pages(text: QTextDocument, paper: QSizeF) -> None:
    """Divide rich text into pages of this form, and keep each heading with its table, chart or list."""
    layout, high = text.documentLayout(), text.textWidth() * paper.height() / paper.width()
    text.setPageSize(QSizeF(text.textWidth(), high))  # fonts keep to it, in pixels too
    parts: list[QTextBlock | QTextFrame] = []
    place = text.rootFrame().begin()
    while not place.atEnd():
        parts.append(place.currentFrame() or place.currentBlock())
        place += 1

    def ends(part: QTextBlock | QTextFrame) -> tuple[float, float]:
        rect = (
            layout.frameBoundingRect(part) if isinstance(part, QTextFrame) else layout.blockBoundingRect(part)
        )
        return rect.top(), rect.bottom()

    headings = [
        at
        for at, part in enumerate(parts)
        if isinstance(part, QTextBlock) and part.blockFormat().headingLevel()
    ]
    for at, after in pairwise([*headings, len(parts)]):
        begin = ends(parts[at])[0]
        under = parts[at + 1 : after]
        tables = (part for part in under if isinstance(part, QTextFrame))
        end = ends(next(tables, under[min(len(under), FIRST) - 1] if under else parts[at]))[1]
        if begin % high and begin // high < (end - 1) // high and end - begin < high:
            cursor = QTextCursor(parts[at])
            format = cursor.blockFormat()
            format.setPageBreakPolicy(QTextFormat.PageBreakFlag.PageBreak_AlwaysBefore)
            cursor.setBlockFormat(format)


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
    """Write a chart in light colours; with a ``width`` in millimetres, as a figure.

    A figure has no drawn title: the caption and the metadata of the file have it.
    Raises DataError for an unknown suffix, and OSError.
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
    """A chart for a paper, ``width`` millimetres wide."""

    chart: Chart
    font: QFont
    width: float = COLUMN

    @property
    def size(self) -> QSize:
        """The size in pixels."""
        wide = min(max(self.width, NARROWEST), WIDEST) / MILLIMETRES_PER_INCH * DOTS
        return QSize(round(wide), round(wide * HIGH))

    def paint(self, painter: QPainter) -> None:
        font = QFont(self.font)
        font.setPixelSize(LETTERS)
        room = QRectF(0, 0, self.size.width(), self.size.height())
        ChartPainter(self.chart, room, LIGHT, font, titled=False).paint(painter)


def chart_picture(chart: Chart, font: QFont, width: float) -> QImage:
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
    """Return a self-contained page: the drawing, and its values below."""
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
"""The function that makes the bytes of a file, by suffix."""


# A chart on the screen: hover shows a value, a click opens its place, arrow keys step through values.

POINT_AT = "Point at a value, or use the arrow keys. A click or Enter goes there, Y derives the value."
ChartedValue = tuple[ChartSeries, int] | None


Reasons = Callable[[ChartedValue], Mapping[str, Callable[[], object]]]
"""The derivations offered for a value, keyed by menu text; for None, those of the whole chart."""


class ChartView(PaintedChart):
    """The chart; ``name_of`` maps the id of a topic or document to its name."""

    told = Signal(object)  # str
    wanted = Signal(object, object)  # the name of a topic, a document or a run; the place in it, or None

    def __init__(self, reasons: Reasons, name_of: Callable[[str], str]) -> None:
        super().__init__()
        self.chart: Chart | None = None
        self.nothing = ""
        """Why nothing is drawn; empty if a chart is."""
        self.reasons, self.name_of = reasons, name_of
        self._pointed: ChartedValue = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(420, 280)

    def sizeHint(self) -> QSize:
        return SIZE

    def show_chart(self, chart: Chart | None, nothing: str = "") -> None:
        """Show a chart, or the reason why there is none."""
        self.chart, self.nothing = chart, nothing
        self._pointed = None
        self.setAccessibleName(nothing if chart is None else f"{chart.title}. {chart.caption}")
        self.update()

    def painter_of(self) -> ChartPainter | None:
        if self.chart is None:
            return None
        return ChartPainter(self.chart, QRectF(self.rect()), self.theme, self.font())

    def paintEvent(self, event: QPaintEvent) -> None:
        laid, painter = self.painter_of(), QPainter(self)
        if laid is not None:
            laid.paint(painter)
            if self._pointed is not None:
                laid.paint_pointed(painter, *self._pointed)
        if self.nothing:
            painter.setPen(self.theme.color("muted"))
            middle = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(self.rect().adjusted(40, 0, -40, 0), middle, self.nothing)
        if self.hasFocus():
            paint_focus(painter, QRectF(self.rect()), self.theme)
        painter.end()

    def _point(self, found: ChartedValue) -> None:
        if found != self._pointed:
            self._pointed = found
            self.update()
        told = "" if self.nothing else POINT_AT
        said = told if found is None else self.read_off(*found)
        self.setAccessibleDescription(said)
        self.told.emit(said)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        laid = self.painter_of()
        self._point(None if laid is None else laid.nearest(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        self._point(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Open the topic, document or run of the value under the mouse."""
        laid = self.painter_of()
        if laid is not None and event.button() == Qt.MouseButton.LeftButton:
            self._point(laid.nearest(event.position()))
            if self._pointed is None and event.position().y() < laid.plot.top():
                self._say_why()
            self._go()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Show the menu of derivations for a value and for the whole chart."""
        laid = self.painter_of()
        pointed = None if laid is None else laid.nearest(QPointF(event.pos()))
        there = {} if pointed is None else {**self.reasons(pointed)}
        there |= self.reasons(None)
        if not there:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for text, ask in there.items():
            menu.addAction(text).triggered.connect(lambda _on=False, ask=ask: ask())
        menu.popup(event.globalPos())

    def _say_why(self) -> None:
        """Show the derivation of the value under the pointer, else that of the whole chart."""
        ask = next(iter(self.reasons(self._pointed).values()), None)
        if ask is not None:
            ask()

    def event(self, event: QEvent) -> bool:
        """Keep Y from the main window, where it derives another figure."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.ShortcutOverride:
            event.setAccepted(event.key() == Qt.Key.Key_Y)
            return event.isAccepted()
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and right step along a line, up and down change the line, Enter opens the place."""
        steps = {Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1), Qt.Key.Key_Up: (-1, 0),
                 Qt.Key.Key_Down: (1, 0)}  # fmt: skip
        if event.key() in steps and self.chart is not None:
            self._step(*steps[Qt.Key(event.key())])
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._go()
        elif event.key() == Qt.Key.Key_Y:
            self._say_why()
        else:
            super().keyPressEvent(event)

    def _step(self, lines: int, values: int) -> None:
        assert self.chart is not None
        listed = [one for one in self.chart.series if not one.faint and len(one.x)]
        if not listed:
            return
        if self._pointed is None:
            self._point((listed[0], 0))
            return
        series, at = self._pointed
        series = listed[(listed.index(series) + lines) % len(listed)]
        self._point((series, min(max(at + values, 0), len(series.x) - 1)))

    def _go(self) -> None:
        if self._pointed is not None:
            series, at = self._pointed
            if series.names and series.names[at]:
                self.wanted.emit(series.names[at], series.places[at] if series.places else None)

    def read_off(self, series: ChartSeries, at: int) -> str:
        chart, x, y = self.chart, float(series.x[at]), float(series.y[at])
        if chart is None:
            return ""
        named = self.name_of(series.names[at]) if series.names and not chart.x.labels else ""
        if series.notes:
            return f"{series.name}: {named}, {series.notes[at]}"
        figure = written(y) if chart.y.logarithmic else f"{y:.4f}".replace("-", "−")
        up = f"{chart.y.title} {figure}"
        if series.names and chart.form is not Form.LINES:
            across = f"{chart.x.title} {x:.4f}, " if chart.x.ticks else ""
            whose = "" if chart.form is Form.BARS or series.names[at] == series.name else f"{series.name}, "
            return f"{whose}{named}: {across}{up}"
        if chart.x.labels:
            return f"{series.name}: {up} by {series.names[at]}"
        place = f"{x:.0f}" if x >= 1 and x == int(x) else f"{x:.2f}"
        return f"{series.name}: {up} at {chart.x.title} {place}{named and f', {named}'}"


EVERY_TOPIC = "All topics"
COMPUTING = "Computing…"
NOTHING = "Nothing to draw: no run has this curve."


class ChartWindow(SideWindow):
    """Draws charts from ``charted``, which is called again whenever the choice changes."""

    topic_wanted = Signal(object)  # the name of a topic, or of a run or judgements
    document_wanted = Signal(object, object, object)  # topic, document, the place in it or None

    def __init__(
        self,
        charted: Callable[[Asked], Charted],
        parent: QWidget | None,
        entry_control: QWidget | None = None,
        reasons: Reasons = lambda _pointed: {},
        name_of: Callable[[str], str] = str,
    ) -> None:
        """``entry_control`` changes the scoring of entry points and is shown below their chart."""
        super().__init__(parent)
        self._entry_control = entry_control
        self.setWindowTitle("Charts")
        self._charted = charted
        self.kinds, self.measure, self.other, self.topic = (still(QComboBox()) for _ in range(4))
        self.kinds.addItems([choice.title for choice in CHOICES])
        self.view = ChartView(reasons, name_of)
        self.readout = ElidedLabel(POINT_AT, role="muted")
        self.width_chosen = still(QComboBox())
        self.width_chosen.setEditable(True)
        self.width_chosen.addItems([f"{wide:g} mm" for wide in (COLUMN, TEXT_WIDTH)])
        self.width_chosen.setToolTip("Width of a saved figure in millimetres: one column, both, or another")
        self.width_chosen.setAccessibleName("Width of a saved figure")
        self.save = QPushButton("Save…")
        self.copy = QPushButton("Copy")
        self._lay_out()
        self.view.told.connect(self.readout.set_text)
        self.view.wanted.connect(self._want)
        self.save.clicked.connect(self._ask)
        self.copy.clicked.connect(self._copy)
        self._offer(charted(Asked()))
        self.refresh()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        named = ((self.kinds, "Chart"), (self.measure, "Measure"), (self.other, "Other measure"),
                 (self.topic, "Topic"))  # fmt: skip
        for chooser, name in named:
            chooser.setAccessibleName(name)
            head.addWidget(chooser)
            chooser.currentIndexChanged.connect(self.refresh)
        head.addStretch(1)
        head.addWidget(self.width_chosen)
        head.addWidget(self.copy)
        head.addWidget(self.save)
        body = QWidget()
        column = in_column(head, (self.view, 1), self.readout, on=body, margins=(16, 14, 16, 12))
        if self._entry_control is not None:
            column.addWidget(self._entry_control)
        self.setCentralWidget(body)

    @property
    def choice(self) -> ChartChoice:
        return next(choice for choice in CHOICES if choice.title == self.kinds.currentText())

    def show_kind(self, title: str) -> None:
        self.kinds.setCurrentText(title)

    def _offer(self, charted: Charted) -> None:
        """Update the lists of measures and topics; keep the choice if it still exists."""
        names = list(dict.fromkeys(name for run in charted.runs for name in run.scores.names))
        other = next((name for name in names if name != charted.measure), "")
        for chooser, usual in ((self.measure, charted.measure), (self.other, other)):
            _fill(chooser, names, usual)
        topics = list(dict.fromkeys(topic for run in charted.runs for topic in run.scores.topics))
        every = [EVERY_TOPIC] if self.choice.of_all else []
        if every and self.topic.findText(EVERY_TOPIC) < 0:
            _fill(self.topic, [], "")  # the previous chart needed a topic
        _fill(self.topic, [*every, *topics], EVERY_TOPIC if every else charted.topic)

    def asked(self) -> Asked:
        choice, topic = self.choice, self.topic.currentText()
        of = topic if choice.of_topics and topic != EVERY_TOPIC else ""
        return Asked(choice, self.measure.currentText(), self.other.currentText(), of)

    def refresh(self) -> None:
        there = self._charted(Asked())
        _fill(self.kinds, [one.title for one in offered(there)], CHOICES[0].title)
        choice = self.choice
        self.measure.setVisible(choice.measures > 0)
        self.other.setVisible(choice.measures > 1)
        self.topic.setVisible(choice.of_topics)
        if self._entry_control is not None:
            self._entry_control.setVisible(choice.shown is Shown.ENTRIES)
        self._offer(there)
        charted = self._charted(self.asked())
        chart = self.asked().chart(charted)
        nothing = "" if chart is None or chart.series else NOTHING
        if chart is None:
            nothing = charted.problem or (COMPUTING if charted.waiting else NEEDS_TWO)
        self.view.show_chart(chart, nothing)
        for button in (self.save, self.copy):
            button.setEnabled(chart is not None)
        self.readout.set_text("" if nothing else POINT_AT)

    def _want(self, name: str, place: int | None) -> None:
        topic = "" if self.view.chart is None else self.view.chart.topic
        if topic:
            self.document_wanted.emit(topic, name, place)
        else:
            self.topic_wanted.emit(name)

    def _ask(self) -> None:
        chart = self.view.chart
        if chart is None:
            return
        path = choose_new_file(self, "Save chart", Path(f"{file_name(chart.title)}.pdf"), CHART_FILTER)
        if path is not None:
            self.save_as(path)

    def save_as(self, path: Path) -> None:
        if self.view.chart is None:
            return
        try:
            save_chart(self.view.chart, path, self.font(), width=self.figure_width)
        except (InexviewError, OSError) as error:
            self.readout.set_text(sentence(error))
        else:
            self.readout.set_text(f"{path.name} is written.")

    @property
    def figure_width(self) -> float:
        """The width of a saved figure in millimetres; one column if the input is no number."""
        found = re.match(r"\s*(\d+(?:[.,]\d+)?)", self.width_chosen.currentText())
        return COLUMN if found is None else float(found[1].replace(",", "."))

    def _copy(self) -> None:
        if self.view.chart is not None:
            shown = chart_picture(self.view.chart, self.font(), self.figure_width)
            QGuiApplication.clipboard().setImage(shown)
            self.readout.set_text("The chart is copied.")


def _fill(chooser: QComboBox, names: list[str], usual: str) -> None:
    """Update the list of names if it changed."""
    if [chooser.itemText(at) for at in range(chooser.count())] == names:
        return
    before = chooser.currentText()
    chooser.blockSignals(True)
    chooser.clear()
    chooser.addItems(names)
    chooser.setCurrentText(before if before in names else usual if usual in names else (names or [""])[0])
    chooser.blockSignals(False)
