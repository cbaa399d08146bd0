"""Passages that differ from their quotes: superfluous text is filled, missing text dashed."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy

from inexview.core.benchmarks.bundle import Misfit
from inexview.core.offset_check.quotes import Difference, Line, Piece, difference
from inexview.gui.look.theme import READING_FAMILIES, Theme
from inexview.gui.look.widgets import PaintedWidget, derived, write

HIGH = 86  # height of a difference in pixels: its place, its quote, and the text
LABELS = 50  # width of the labels of both lines in pixels
READING_PIXELS = 14
SIGN = 18  # pixels of the sign before a checked item
NO_PLACE = "nothing: the text ends before it"


def reading_font() -> QFont:
    font = QFont()
    font.setFamilies(list(READING_FAMILIES))
    font.setPixelSize(READING_PIXELS)
    return font


def paint_pieces(
    painter: QPainter, left: float, room: QRectF, line: Line, font: QFont, theme: Theme
) -> float:
    """Paint a line of a difference from x ``left`` on, and return the x of its end."""
    metrics, muted = QFontMetricsF(font), theme.color("muted")
    for piece, text in line:
        width = metrics.horizontalAdvance(text)
        place = QRectF(left, room.top() + 2, width, room.height() - 4)
        if piece is Piece.READ:
            painter.fillRect(place, theme.color("erase"))
            painter.fillRect(QRectF(left, place.bottom() - 2, width, 2), theme.color("erase_edge"))
        elif piece is Piece.MISSING:
            pen = QPen(theme.color("erase_edge"), 1)
            pen.setDashPattern([3, 2])
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(place.adjusted(-0.5, 0.5, 0.5, -0.5), 3, 3)
        gap = 4.0 if piece is Piece.LEFT_OUT else 0.0
        color = muted if piece is Piece.LEFT_OUT else theme.color("text")
        write(painter, QRectF(left + gap, room.top(), width + 2, room.height()), text, font, color)
        left += width + 2 * gap
    return left


class DifferenceLegend(PaintedWidget):
    """The legend of the two signs of a difference."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(22)
        self.setAccessibleName("Filled: read, but not in the answer. Dashed: in the answer, but not read.")

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font, room = derived(self.font(), factor=0.93), QRectF(self.rect())
        metrics, muted, at = QFontMetricsF(font), self.theme.color("muted"), 1.0
        for piece, sign, meaning in (
            (Piece.READ, " read ", "but not in the answer"),
            (Piece.MISSING, " in the answer ", "but not read"),
        ):
            at = paint_pieces(painter, at, room, ((piece, sign),), font, self.theme) + 5
            width = metrics.horizontalAdvance(meaning)
            write(painter, QRectF(at, 0, width + 2, room.height()), meaning, font, muted)
            at += width + 14


class DifferenceRow(PaintedWidget):
    """A passage: its place, its quote, and its text."""

    pressed = Signal()

    def __init__(self, misfit: Misfit) -> None:
        super().__init__()
        self.misfit = misfit
        self.difference: Difference = difference(misfit)
        self.current = False
        self.setFixedHeight(HIGH)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        passage = misfit.passage
        self.place = f"{passage.start:,}–{passage.end:,}"
        self.setToolTip(passage.document)
        read = "".join(text for _, text in self.difference.read) or NO_PLACE
        quoted = "".join(text for _, text in self.difference.quoted)
        self.setAccessibleName(f"{passage.topic}, {self.place}: answer {quoted}; reads {read}")

    def sizeHint(self) -> QSize:
        return QSize(200, HIGH)

    def show_current(self, *, current: bool) -> None:
        if current != self.current:
            self.current = current
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.pressed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self.theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.current:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("selected"))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0, 1, 0, -2), 6, 6)
        right = QRectF(self.rect()).adjusted(8, 6, -8, 0)
        small, bold = derived(self.font(), factor=0.93), derived(self.font(), bold=True)
        muted = theme.color("muted")
        head = QRectF(right.left(), right.top(), right.width(), 22)
        taken = QFontMetricsF(small).horizontalAdvance(self.place) + 12
        write(
            painter,
            head,
            self.place,
            small,
            muted,
            Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
        )
        title = head.adjusted(0, 0, -taken, 0)
        write(
            painter,
            title,
            self.misfit.passage.topic,
            bold,
            theme.color("text"),
            shorten=Qt.TextElideMode.ElideMiddle,
        )
        lines = (("answer", self.difference.quoted), ("reads", self.difference.read))
        for at, (name, line) in enumerate(lines):
            room = QRectF(right.left(), right.top() + 24 + 25 * at, right.width(), 24)
            write(painter, room, name, small, muted)
            painter.save()
            painter.setClipRect(room)
            if line:
                paint_pieces(painter, room.left() + LABELS, room, line, reading_font(), theme)
            else:
                write(painter, room.adjusted(LABELS, 0, 0, 0), NO_PLACE, small, muted)
            painter.restore()
        painter.setPen(QPen(theme.color("line"), 1))
        painter.drawLine(0, self.height() - 1, self.width(), self.height() - 1)


class CheckSign(PaintedWidget):
    """A tick in a disc, a warning triangle, or a ring if unknown."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(SIGN, SIGN)
        self._fine: bool | None = None

    def show_fine(self, fine: bool | None) -> None:
        self._fine = fine
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self.theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        disc = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        if self._fine is None:
            painter.setPen(QPen(theme.color("muted"), 1.5))
            painter.drawEllipse(disc.adjusted(1, 1, -1, -1))
        elif self._fine:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("finished"))
            painter.drawEllipse(disc)
            self._polyline(painter, theme.color("page"), disc, ((0.28, 0.52), (0.44, 0.68), (0.73, 0.34)))
        else:
            corners = ((0.5, 0.06), (0.98, 0.94), (0.02, 0.94), (0.5, 0.06), (0.98, 0.94))
            color = theme.color("warning")
            self._polyline(painter, color, disc, corners)
            self._polyline(painter, color, disc, ((0.5, 0.38), (0.5, 0.62)))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(color)
            painter.drawEllipse(
                QRectF(disc.left() + 0.5 * disc.width() - 1.1, disc.top() + 0.73 * disc.height(), 2.2, 2.2)
            )

    @staticmethod
    def _polyline(
        painter: QPainter, color: QColor, disc: QRectF, corners: tuple[tuple[float, float], ...]
    ) -> None:
        pen = QPen(color, 1.7)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        points = [QPointF(disc.left() + x * disc.width(), disc.top() + y * disc.height()) for x, y in corners]
        painter.drawPolyline(QPolygonF(points))
