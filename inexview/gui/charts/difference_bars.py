"""The differences of two runs, one bar a topic, sorted: how often, and how strongly, each is better.

The two that differ most are named, above the first bar and below the last.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetricsF, QHelpEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip

from inexview.core.wording import counted
from inexview.gui.look.painted_chart import PaintedChart
from inexview.gui.look.panel_parts import LEFT, RIGHT, derived

FADED = 0.42  # how strong the bars of topics are that the table does not show now
IN_VIEW = "full colour: in view below"
WIDEST = 40.0
GAP = 1.5

Fill = Callable[[QPainter, QRectF, float], None]


class DifferenceBars(PaintedChart):
    """The bars; those of the topics in sight are in full colour.  A click goes to a topic."""

    wanted = Signal(object)  # place among the values

    def __init__(self) -> None:
        super().__init__()
        self._values: tuple[float, ...] = ()
        self._names: tuple[str, ...] = ()
        self._seen: frozenset[int] = frozenset()
        self._fill: Fill = lambda painter, bar, _value: painter.fillRect(bar, Qt.GlobalColor.gray)
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_values(self, values: Sequence[float], names: Sequence[str], fill: Fill) -> None:
        """Show these differences, highest first, each under its name."""
        self._values, self._names, self._fill = tuple(values), tuple(names), fill
        wins = sum(value > 0 for value in values)
        self.setAccessibleName(f"Differences of {counted(len(values), 'topic')}, {wins} above zero")
        self.update()

    def set_seen(self, places: frozenset[int]) -> None:
        """Say which of them are in sight in the table."""
        if places != self._seen:
            self._seen = places
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(500, 110)

    def _small(self) -> QFont:
        return derived(self.font(), factor=0.9)

    def _around(self) -> tuple[float, float]:
        """Return the pixels above and below the bars, where the names are."""
        line = QFontMetricsF(self._small()).height()
        best, worst = (self._values[0], self._values[-1]) if self._values else (0.0, 0.0)
        return line + 2 if best > 0 else 2.0, line + 2 if worst < 0 else 2.0

    def _step(self) -> float:
        return min(self.width() / max(len(self._values), 1), WIDEST)

    def _zero(self, height: float) -> tuple[float, float]:
        """Return where zero is, and how many pixels one unit takes."""
        high = max((*self._values, 0.0))
        low = min((*self._values, 0.0))
        reach = (high - low) or 1.0
        return high / reach * height, height / reach

    def bar(self, place: int) -> QRectF:
        above, below = self._around()
        zero, unit = self._zero(self.height() - above - below)
        step, value = self._step(), self._values[place]
        top = above + zero - max(value, 0.0) * unit
        return QRectF(place * step, top, max(step - GAP, 1.0), max(abs(value) * unit, 1.0))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        for place, value in enumerate(self._values):
            painter.setOpacity(1.0 if place in self._seen or not self._seen else FADED)
            self._fill(painter, self.bar(place), value)
        painter.setOpacity(1.0)
        above, below = self._around()
        zero, _ = self._zero(self.height() - above - below)
        painter.fillRect(QRectF(0, above + zero - 0.5, self.width(), 1), self.theme.color("handle"))
        self._paint_names(painter, above, below)

    def _paint_names(self, painter: QPainter, above: float, below: float) -> None:
        """Name the two topics that differ most, each where its bar ends."""
        painter.setFont(self._small())
        painter.setPen(self.theme.color("muted"))
        wide, last = float(self.width()), len(self._values) - 1
        if self._values and self._values[0] > 0:
            self._paint_name(painter, 0, QRectF(0, 0, wide, above - 2), LEFT)
        if self._values and self._values[last] < 0:
            end = max(self.bar(last).right(), wide / 2)
            room = QRectF(0, self.height() - below + 2, end, below - 2)
            left = end - self._paint_name(painter, last, room, RIGHT)
            faded = 0 < len(self._seen) < len(self._values)
            if faded and painter.fontMetrics().horizontalAdvance(IN_VIEW) < left:
                painter.drawText(room, LEFT, IN_VIEW)

    def _paint_name(self, painter: QPainter, place: int, room: QRectF, side: Qt.AlignmentFlag) -> float:
        """Name a topic with its value, and return the pixels that this takes."""
        metrics, value = QFontMetricsF(painter.font()), f"{self._values[place]:+.3f}".replace("-", "−")
        width = room.width() - metrics.horizontalAdvance(f"  {value}")
        name = metrics.elidedText(self._names[place], Qt.TextElideMode.ElideRight, width)
        painter.drawText(room, side, f"{name}  {value}")
        return metrics.horizontalAdvance(f"{name}  {value}") + GAP

    def place_at(self, x: float) -> int:
        """Return which value is at a pixel, -1 for none."""
        place = math.floor(x / self._step()) if self._values else -1
        return place if 0 <= place < len(self._values) else -1

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self.place_at(event.position().x())
        if place >= 0 and event.button() is Qt.MouseButton.LeftButton:
            self.wanted.emit(place)

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            place = self.place_at(event.pos().x())
            if place >= 0:
                QToolTip.showText(
                    event.globalPos(), f"{self._names[place]}  {self._values[place]:+.4f}", self
                )
            return True
        return super().event(event)
