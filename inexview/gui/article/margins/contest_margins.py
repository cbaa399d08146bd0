"""The margins while assessors are compared: a lane for each, the places' numbers, their entry points."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from inexview.gui.article.column.painter import band_of
from inexview.gui.article.column.text_area import TextArea
from inexview.gui.article.margins.margin_signs import right_margin
from inexview.gui.article.margins.run_lanes import line_bars
from inexview.gui.article.overlays import Contest, ContestedPlace
from inexview.gui.article.typesetting.lines import Line, line_of
from inexview.gui.article.typesetting.styles import Styles
from inexview.gui.look.layer_looks import LAYER_LOOKS

WIDE = 6.0  # pixels of a lane
TEXT_TO_A = 21.0  # between the text and the left side of a lane
TEXT_TO_OTHERS = (8.0, 16.5)  # between the text and the left sides of the lanes of B and C
NUMBER_RIGHT = 74.0  # between the text and the right end of a place's number
FADED = 0.42  # of a lane's colour, where nothing is left to settle
ROOM_FOR_NAME = 26  # pixels of right margin, from the lanes on
NAME_PIXELS, NUMBER_PIXELS = 11.0, 12.0


class FirstMargin:
    """Paints the left margin: numbers of places, the lane of A, and where A begins."""

    def __init__(self, painter: QPainter, styles: Styles, lines: Sequence[Line], width: float) -> None:
        self._painter, self._styles, self._lines, self._width = painter, styles, lines, width

    def paint(self, contest: Contest) -> None:
        x = self._width - TEXT_TO_A
        paint_lane(self._painter, self._styles, self._lines, contest, 0, x)
        begin_in: dict[int, list[ContestedPlace]] = {}  # several places may begin in one line
        for place in contest.places:
            line = line_of(self._lines, place.span[0])
            if line is not None:
                begin_in.setdefault(self._lines.index(line), []).append(place)
        for at, places in begin_in.items():
            numbers = ", ".join(str(place.number) for place in places)  # not "16" where 1 and 6 begin
            taken = places[0].taken if all(place.taken for place in places) else ""
            current = any(place.span == contest.current for place in places)
            self._number(self._lines[at], numbers, taken, current=current)
        entry = contest.entries[0] if contest.entries else None
        line = None if entry is None else line_of(self._lines, entry)
        if line is not None:
            paint_entry(self._painter, self._styles, line, x - 6, "A", leftward=False)

    def _number(self, line: Line, number: str, taken: str, *, current: bool) -> None:
        theme = self._styles.theme
        font = self._styles.interface_font(NUMBER_PIXELS, bold=True)
        metrics = QFontMetricsF(font)
        right = max(self._width - NUMBER_RIGHT, metrics.horizontalAdvance(number) + 2)  # several are wider
        self._painter.setFont(font)
        self._painter.setPen(theme.color("accent" if current and not taken else "muted"))
        self._painter.drawText(QPointF(right - metrics.horizontalAdvance(number), line.baseline), number)
        if taken:
            paint_check(self._painter, QPointF(right + 9, line.baseline - 4), theme.color("finished"))
            small = self._styles.interface_font(NAME_PIXELS)
            shown = QFontMetricsF(small).elidedText(taken, Qt.TextElideMode.ElideRight, NUMBER_RIGHT - 32)
            self._painter.setFont(small)
            self._painter.setPen(theme.color("muted"))
            left = right - metrics.horizontalAdvance(number)
            self._painter.drawText(QPointF(left, line.baseline + 15), shown)


class SecondMargin(QWidget):
    """Lies in the right margin and follows its lines: the lanes of B and C, and where they begin."""

    def __init__(self, text_area: TextArea, styles: Styles) -> None:
        super().__init__(text_area)
        self.setObjectName("article-second-lane")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._text_area = text_area
        self._styles = styles
        self.contest: Contest | None = None
        text_area.viewport_moved.connect(self._follow)
        self.hide()

    def set_styles(self, styles: Styles) -> None:
        self._styles = styles
        self._follow()

    def set_contest(self, contest: Contest | None) -> None:
        if contest is None and self.contest is None:
            return
        self.contest = contest
        self.setVisible(contest is not None)
        self._follow()

    def paintEvent(self, event: QPaintEvent) -> None:
        contest, lines = self.contest, self._text_area.lines()
        if contest is None or not lines:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_ground(painter, self._styles, lines, contest, self.width())
        others = range(1, len(contest.layers))
        for layer in others:
            paint_lane(painter, self._styles, lines, contest, layer, TEXT_TO_OTHERS[layer - 1])
        x = TEXT_TO_OTHERS[len(others) - 1] + WIDE + (6 if len(others) == 1 else 3)
        for offset in {entry for entry in contest.entries[1:] if entry is not None}:
            line = line_of(lines, offset)
            whose = (LAYER_LOOKS[layer].letter for layer in others if contest.entries[layer] == offset)
            if line is not None:
                below = self.width() < x + ROOM_FOR_NAME
                paint_entry(painter, self._styles, line, x, " ".join(whose), leftward=True, below=below)

    def _follow(self, _: object = None) -> None:
        self.setGeometry(right_margin(self._text_area))
        self.update()


def paint_ground(
    painter: QPainter, styles: Styles, lines: Sequence[Line], contest: Contest, width: int
) -> None:
    """Go on with the band of the current place in a margin."""
    band = None if contest.current is None else band_of(lines, contest.current)
    if band is not None:
        painter.fillRect(QRect(0, band[0], width, band[1] - band[0]), styles.theme.color("selected"))


def paint_lane(
    painter: QPainter,
    styles: Styles,
    lines: Sequence[Line],
    contest: Contest,
    layer: int,
    x: float,
) -> None:
    """Paint what one assessor marked; where nothing is left to settle it steps back."""
    look, marks = LAYER_LOOKS[layer], contest.layers[layer]
    color = styles.theme.color(look.token)
    starts, ends = [line.start for line in lines], [line.end for line in lines]
    for spans, alpha in ((marks - contest.open, FADED), (marks & contest.open, 1.0)):
        shown = QColor(color)
        shown.setAlphaF(alpha)
        look.lay(painter, shown)
        for top, bottom in line_bars(lines, spans, starts, ends):
            painter.drawRoundedRect(QRectF(x + 0.5, top + 0.5, WIDE - 1, bottom - top - 1), 2.5, 2.5)


def paint_entry(
    painter: QPainter,
    styles: Styles,
    line: Line,
    x: float,
    name: str,
    *,
    leftward: bool,
    below: bool = False,
) -> None:
    """Paint a hollow flag that points to the text, and whose it is: beside it, or ``below`` it."""
    font = styles.interface_font(NAME_PIXELS, bold=True)
    metrics = QFontMetricsF(font)
    color = styles.theme.color("bep")
    half = metrics.capHeight() * 0.62
    middle = (line.top + line.bottom) / 2
    side = 1.0 if leftward else -1.0
    tip = QPointF(x, middle)
    corners = [
        tip,
        QPointF(x + side * 1.7 * half, middle - half),
        QPointF(x + side * 1.7 * half, middle + half),
    ]
    painter.setPen(QPen(color, 1.2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolygon(QPolygonF(corners))
    painter.setPen(color)
    painter.setFont(font)
    far = x + side * (1.7 * half + 5)
    left = far if leftward else far - metrics.horizontalAdvance(name)
    if below:
        painter.drawText(QPointF(x, middle + half + metrics.capHeight() + 2), name)
    else:
        painter.drawText(QPointF(left, middle + metrics.capHeight() / 2), name)


def paint_check(painter: QPainter, at: QPointF, color: QColor) -> None:
    painter.setPen(QPen(color, 1.6))
    painter.drawPolyline([at + QPointF(-4, 0), at + QPointF(-1, 3), at + QPointF(4, -3.5)])
