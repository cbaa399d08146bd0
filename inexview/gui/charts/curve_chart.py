"""Curves over [0, 1], one per run: precision over recall.  Told apart by line style as well as by colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
)
from PySide6.QtWidgets import QSizePolicy

from inexview.gui.charts.line_ends import apart, kept_ends, left_out, named_ends
from inexview.gui.charts.ticks import ticks
from inexview.gui.look.painted_chart import PaintedChart
from inexview.gui.look.panel_parts import LEFT, RIGHT, derived, paint_focus
from inexview.gui.look.symbols import paint_run_shape, run_color

DASHES: tuple[tuple[float, ...], ...] = (
    (), (5, 2.5), (1.2, 1.8), (6, 2, 1.2, 2), (9, 3), (3, 1.5, 1.2, 1.5, 1.2, 1.5), (9, 2, 1.2, 2),
)  # fmt: skip
DASH_NAMES = (
    "solid",
    "dashed",
    "dotted",
    "dash-dotted",
    "long-dashed",
    "dash-dot-dotted",
    "long-dash-dotted",
)
HEADROOM = 1.06  # the highest point stays clear of the names above
NO_CURVE = "No curve: no run is scored yet"
NO_CURVE_OF_TASK = "No curve: what this task is scored by has none"
DESCRIBED = (0, 0.25, 0.5, 0.75, 1)  # places of which a screen reader is told
NAMED = 26.0  # pixels to the right of the plot, besides the longest name
COUNTED = 16.0  # the same beside the count of the names that find no room
MOST_NAMED = 0.4  # of the width at most for the names


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """One run's curve: ``x`` ascending in [0, 1] and ``y`` of the same shape (n,); ``style`` its number."""

    name: str
    style: int
    x: NDArray[np.float64]
    y: NDArray[np.float64]

    def at(self, x: float) -> float:
        """Return the value at x, on the straight line between its neighbours."""
        return float(np.interp(x, self.x, self.y))

    @property
    def described(self) -> str:
        """Say its values for a screen reader."""
        values = zip(np.interp(DESCRIBED, self.x, self.y).tolist(), DESCRIBED, strict=True)
        return ", ".join(f"{value:.3f} at {x:g}" for value, x in values)


class CurveChart(PaintedChart):
    """The chart: hover or arrow keys read the values off at one place."""

    def __init__(self) -> None:
        super().__init__()
        self.curves: tuple[Curve, ...] = ()
        self.current: int | None = None
        self.nothing = NO_CURVE
        self._pair: set[int | None] = set()
        self._read_at: float | None = None
        self._high = 1.0
        self._ticks: tuple[float, ...] = ()
        self._drawn: tuple[object, QPixmap] | None = None  # the curves as drawn last, and of what
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.set_curves(())

    def set_curves(
        self,
        curves: Sequence[Curve],
        *,
        current: int | None = None,
        other: int | None = None,
        nothing: str = "",
    ) -> None:
        """Show these curves; that of the run with the style number ``current`` lies on top, stronger.

        Of more than two, those that are neither ``current`` nor ``other`` are grey.  ``nothing`` says why
        there is none.
        """
        self.nothing = nothing or NO_CURVE
        pair = [other, current]
        self.curves = tuple(
            sorted(curves, key=lambda one: pair.index(one.style) if one.style in pair else -1)
        )
        self.current = current
        self._pair = {other, current} if len(curves) > 2 else {one.style for one in curves}
        highest = max((float(curve.y.max()) for curve in curves if len(curve.y)), default=0.0)
        self._high = min(highest * HEADROOM, 1.0) or 1.0
        self._ticks = ticks(self._high, about=3)
        self.setAccessibleName("precision over recall")
        self.setAccessibleDescription(self._described())
        self.update()

    @property
    def read_at(self) -> float | None:
        """Where values are read off, None where no one asks."""
        return self._read_at

    def read_out(self) -> tuple[str, ...]:
        """Return what is read off: a line for the place, one for each curve that there is room for."""
        if self._read_at is None:
            return ()
        values = (f"{curve.at(self._read_at):.3f}  {curve.name}" for curve in self._read_curves())
        return (f"recall {self._read_at:.2f}", *values)

    def _read_curves(self) -> list[Curve]:
        """Return the curves that are read off, in the order of the runs: as many as there is room for."""
        room = max(int((self.height() - 20) / QFontMetricsF(self._small()).lineSpacing()) - 1, 2)
        kept = kept_ends([curve.style in self._pair for curve in self.curves], room)
        return sorted((self.curves[at] for at in kept), key=lambda curve: curve.style)

    def _described(self) -> str:
        if not self.curves:
            return self.nothing
        ordered = sorted(self.curves, key=lambda curve: curve.style)
        return ". ".join(
            f"{curve.name}, {DASH_NAMES[curve.style % len(DASHES)]} line: {curve.described}"
            for curve in ordered
        )

    # -- geometry ------------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        return QSize(300, 8 * self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(180, 5 * self.fontMetrics().height())

    def _plot(self) -> QRectF:
        metrics = QFontMetricsF(self._small())
        left = max(metrics.horizontalAdvance(_label(tick)) for tick in self._ticks) + 10
        named = max((metrics.horizontalAdvance(curve.name) for curve in self.curves), default=0.0) + NAMED
        plot = QRectF(self.rect()).adjusted(left, 8, 0, -metrics.height() - 8)
        if len(self.curves) > int(plot.height() / metrics.height()):  # then the last line counts the others
            named = max(named, metrics.horizontalAdvance(f"and {len(self.curves)} more") + COUNTED)
        return plot.adjusted(0, 0, -min(named, self.width() * MOST_NAMED), 0)

    def _small(self) -> QFont:
        return derived(self.font(), factor=0.85)

    def _point(self, plot: QRectF, x: float, y: float) -> QPointF:
        return QPointF(plot.left() + x * plot.width(), plot.bottom() - y / self._high * plot.height())

    # -- reading off ---------------------------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        plot = self._plot()
        part = (event.position().x() - plot.left()) / max(plot.width(), 1)
        self._read(min(max(part, 0.0), 1.0))

    def leaveEvent(self, event: QEvent) -> None:
        self._read(None)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._read(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Read off with the arrow keys, a hundredth at a time, with Shift a tenth."""
        step = 0.1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 0.01
        at = self._read_at or 0.0
        moves = {
            Qt.Key.Key_Left: at - step,
            Qt.Key.Key_Right: at + step,
            Qt.Key.Key_Home: 0.0,
            Qt.Key.Key_End: 1.0,
        }
        if event.key() in moves:
            self._read(min(max(moves[Qt.Key(event.key())], 0.0), 1.0))
        elif event.key() != Qt.Key.Key_Escape or not self.let_go():  # where no window has a shortcut for it
            super().keyPressEvent(event)

    def let_go(self) -> bool:
        """Read nothing off; False where nothing was."""
        reading = self._read_at is not None
        self._read(None)
        return reading

    def _read(self, at: float | None) -> None:
        rounded = None if at is None or not self.curves else round(at, 2)
        if rounded != self._read_at:
            self._read_at = rounded
            self.setAccessibleDescription(". ".join(self.read_out()) or self._described())
            self.update()

    # -- painting ------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._small())
        plot = self._plot()
        if not self.curves:
            painter.setPen(self.theme.color("muted"))
            painter.drawText(
                self.rect(), Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self.nothing
            )
            return
        self._paint_axes(painter, plot)
        painter.drawPixmap(0, 0, self._drawn_curves(plot))
        self._paint_names(painter, plot)
        if self._read_at is not None:
            self._paint_read_out(painter, plot, self._read_at)
        if self.hasFocus():
            paint_focus(painter, QRectF(self.rect()), self.theme)

    def _paint_axes(self, painter: QPainter, plot: QRectF) -> None:
        grid = QPen(self.theme.color("line"), 1)
        height = painter.fontMetrics().height()
        for tick in self._ticks:
            y = self._point(plot, 0, tick).y()
            grid.setDashPattern([3, 3] if tick else [1, 0])
            painter.setPen(grid)
            painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))
            painter.setPen(self.theme.color("muted"))
            painter.drawText(QRectF(0, y - height / 2, plot.left() - 6, height), RIGHT, _label(tick))
        for x, text in ((0, "0"), (0.5, "recall 0.5"), (1, "1")):
            middle = plot.left() + x * plot.width()
            painter.drawText(
                QRectF(middle - 60, plot.bottom() + 4, 120, height), Qt.AlignmentFlag.AlignHCenter, text
            )

    def _pen(self, curve: Curve) -> QPen:
        if curve.style not in self._pair:
            return QPen(self.theme.color("rest"), 1)
        pen = QPen(run_color(self.theme, curve.style), 2 if curve.style == self.current else 1.5)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        if dashes := DASHES[curve.style % len(DASHES)]:
            pen.setDashPattern(list(dashes))
        return pen

    def _drawn_curves(self, plot: QRectF) -> QPixmap:
        """Return the curves, drawn once: a hundred of them take longer than a hand moves on."""
        scale = self.devicePixelRatioF()
        made_of = self.curves, self._pair, self.current, self._high, self.theme, plot, self.size(), scale
        if self._drawn is None or self._drawn[0] != made_of:
            pixmap = QPixmap(self.size() * scale)
            pixmap.setDevicePixelRatio(scale)
            pixmap.fill(Qt.GlobalColor.transparent)
            painter = QPainter(pixmap)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for curve in self.curves:
                self._paint_curve(painter, plot, curve)
            painter.end()
            self._drawn = made_of, pixmap
        return self._drawn[1]

    def _paint_curve(self, painter: QPainter, plot: QRectF, curve: Curve) -> None:
        painter.setPen(self._pen(curve))
        across = (plot.left() + curve.x * plot.width()).tolist()
        up = (plot.bottom() - curve.y / self._high * plot.height()).tolist()
        painter.drawPolyline(QPolygonF(list(map(QPointF, across, up))))

    def _paint_names(self, painter: QPainter, plot: QRectF) -> None:
        """Name the curves at their ends, as far as there is room; the pair first."""
        metrics = QFontMetricsF(painter.font())
        height = metrics.height()
        kept, more = named_ends(
            [curve.style in self._pair for curve in self.curves], int(plot.height() / height)
        )
        ends = sorted(
            ((self._point(plot, 1, curve.at(1)).y(), curve) for curve in (self.curves[at] for at in kept)),
            key=lambda end: end[0],
        )
        x = plot.right() + 12
        lowest = plot.bottom() - (height if more else 0)
        for y, (end, curve) in zip(apart([y for y, _ in ends], height, lowest), ends, strict=True):
            own = curve.style in self._pair
            color = run_color(self.theme, curve.style) if own else self.theme.color("muted")
            painter.setPen(QPen(self.theme.color("line"), 1))
            painter.drawLine(QPointF(plot.right() + 1, end), QPointF(x - 2, y))
            paint_run_shape(painter, curve.style, QRectF(x, y - 3.5, 7, 7), color)
            painter.setPen(color)
            room = QRectF(x + 11, y - height / 2, self.width() - x - 12, height)
            name = metrics.elidedText(curve.name, Qt.TextElideMode.ElideMiddle, room.width())
            painter.drawText(room, LEFT, name)
        if more:
            painter.setPen(self.theme.color("muted"))
            room = QRectF(x, plot.bottom() - height / 2, self.width() - x - 2, height)
            painter.drawText(room, LEFT, left_out(more, room.width(), metrics.horizontalAdvance))

    def _paint_read_out(self, painter: QPainter, plot: QRectF, at: float) -> None:
        """Draw a hair line with a dot on each curve, and the values in a box beside it."""
        x = plot.left() + at * plot.width()
        painter.setPen(QPen(self.theme.color("muted"), 1))
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))
        ordered = self._read_curves()
        for curve in ordered:
            painter.setPen(QPen(self.theme.color("window"), 1.5))
            painter.setBrush(run_color(self.theme, curve.style))
            painter.drawEllipse(self._point(plot, at, curve.at(at)), 4, 4)
        lines = self.read_out()
        metrics = QFontMetricsF(painter.font())
        width = min(max(metrics.horizontalAdvance(line) for line in lines) + 18, self.width() - 4)
        box = QRectF(0, 2, width, len(lines) * metrics.lineSpacing() + 10)
        box.moveLeft(x + 8 if x + 8 + width < self.width() else max(x - 8 - width, 2))
        painter.setPen(QPen(self.theme.color("line"), 1))
        painter.setBrush(self.theme.color("raised"))
        painter.drawRoundedRect(box, 6, 6)
        for number, line in enumerate(lines):
            color = run_color(self.theme, ordered[number - 1].style) if number else self.theme.color("muted")
            painter.setPen(color)
            room = QRectF(
                box.left() + 9, box.top() + 5 + number * metrics.lineSpacing(), width - 18, metrics.height()
            )
            painter.drawText(room, LEFT, metrics.elidedText(line, Qt.TextElideMode.ElideRight, room.width()))


def _label(tick: float) -> str:
    return f"{tick:g}"
