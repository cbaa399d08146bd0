"""The interval of a difference over an axis with zero on it, which it holds or does not."""

from __future__ import annotations

import math

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy

from inexview.core.report import MINUS, difference_text
from inexview.gui.charts.ticks import ticks_between
from inexview.gui.look.painted_chart import PaintedChart
from inexview.gui.look.panel_parts import derived, write
from inexview.gui.look.symbols import paint_run_shape, run_color

HIGH, END, SHAPE = 24, 5, 11  # pixels: above the axis, half of an end's stroke, the mean's shape
CENTER = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop


class IntervalBar(PaintedChart):
    """A line from end to end with the mean on it, and round numbers below."""

    def __init__(self) -> None:
        super().__init__()
        self._values = (0.0, 0.0, 0.0)  # low, mean, high
        self._style = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("95 % interval")
        self.hide()  # until there is one

    def show_interval(self, low: float, mean: float, high: float, style: int) -> None:
        """Show an interval in the colour of a run; one without ends is not drawn."""
        self._values, self._style = (low, mean, high), style
        self.setVisible(math.isfinite(high - low) and high > low)
        self.update()

    def _small(self) -> QFont:
        return derived(self.font(), factor=0.85)

    def sizeHint(self) -> QSize:
        return QSize(240, HIGH + round(QFontMetricsF(self._small()).height()) + 6)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme, small = QPainter(self), self.theme, self._small()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        least, most = min(self._values[0], 0.0), max(self._values[2], 0.0)
        edge = QFontMetricsF(small).horizontalAdvance(difference_text(least, 3)) / 2 + 2
        unit = (self.width() - 2 * edge) / (most - least)

        def at(value: float) -> float:
            return edge + (value - least) * unit

        painter.setPen(QPen(theme.color("line"), 1))
        painter.drawLine(QLineF(0, HIGH + 0.5, self.width(), HIGH + 0.5))
        for value in ticks_between(least, most, about=4):
            text = f"{value:+g}".replace("-", MINUS) if value else "0"
            room = QRectF(at(value) - 40, HIGH + 4, 80, self.height() - HIGH - 4)
            write(painter, room, text, small, theme.color("muted"), CENTER)
        painter.fillRect(QRectF(round(at(0.0)), 0, 1, HIGH), theme.color("muted"))
        low, mean, high = map(at, self._values)
        middle, color = HIGH / 2, run_color(theme, self._style)
        painter.setPen(QPen(color, 2))
        painter.drawLine(QPointF(low, middle), QPointF(high, middle))
        for end in (low, high):
            painter.drawLine(QPointF(end, middle - END), QPointF(end, middle + END))
        shape = QRectF(mean - SHAPE / 2, middle - SHAPE / 2, SHAPE, SHAPE)
        paint_run_shape(painter, self._style, shape, color)
