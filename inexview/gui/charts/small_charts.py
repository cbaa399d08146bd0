"""Charts in panels: curves over recall, differences of topics, precision over ranks, an interval."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip

from inexview.core.evaluation.charts import Axis, Chart, ChartSeries, Form
from inexview.core.report import MINUS, difference_text
from inexview.core.wording import counted
from inexview.gui.charts.chart_painter import SMALLER, ChartPainter, kept_ends, ticks_between
from inexview.gui.look.theme import DASH_NAMES, DASHES, paint_run_shape, run_color
from inexview.gui.look.widgets import LEFT, RIGHT, PaintedChart, derived, paint_focus, write

HEADROOM = 1.06  # the highest point of a curve stays clear of the names above
NO_CURVE = "No curve: no run is scored yet"
NO_CURVE_OF_TASK = "No curve: what this task is scored by has none"
DESCRIBED = (0, 0.25, 0.5, 0.75, 1)  # places of which a screen reader is told
RECALL = ((0.0, "0"), (0.5, "recall 0.5"), (1.0, "1"))
FADED = 0.42  # how strong the bars of topics are that the table does not show now
IN_VIEW = "full colour: in view below"
WIDEST, GAP = 40.0, 1.5  # pixels of a bar and between two
LINES = 6  # of text is the curve over ranks high
FEW = 20  # ranks that lie equally far apart; more do so by their logarithm
DOT, CURRENT = 2.5, 4.5  # pixels of radius
BEFORE_NAME = 0.88  # of the axis: beyond it stands its name
RANKS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
HIGH, END, SHAPE = 24, 5, 11  # pixels of an interval: above the axis, half of an end, the mean's shape
CENTER = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop

Fill = Callable[[QPainter, QRectF, float], None]


class SmallChart(PaintedChart):
    """A chart in a panel, as wide as that; a click chooses the value at the mouse, whose tooltip reads it."""

    chosen = Signal(int)  # place among the values

    def __init__(self, name: str = "") -> None:
        super().__init__()
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(name)

    def small_font(self) -> QFont:
        return derived(self.font(), factor=SMALLER)

    def painter(self) -> QPainter:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self.small_font())
        return painter

    def place_at(self, x: float) -> int | None:
        """Return which value is at a pixel across, None if none is."""
        return None

    def text_of(self, place: int) -> str:
        """Return the tooltip of a value."""
        return ""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self.place_at(event.position().x())
        if place is not None and event.button() is Qt.MouseButton.LeftButton:
            self.chosen.emit(place)
        else:
            super().mousePressEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            place = self.place_at(event.pos().x())
            if place is not None:
                QToolTip.showText(event.globalPos(), self.text_of(place), self)
                return True
        return super().event(event)


def value_at(curve: ChartSeries, x: float) -> float:
    """Return the value of a curve at x, on the straight line between its neighbours."""
    return float(np.interp(x, curve.x, curve.y))


class CurveChart(SmallChart):
    """Curves over recall: hover or arrow keys read their values off at one place."""

    def __init__(self) -> None:
        super().__init__("precision over recall")
        self.nothing = NO_CURVE
        self._read_at: float | None = None
        self._drawn: tuple[object, QPixmap] | None = None  # the curves as drawn last, and of what
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.set_curves(())

    def set_curves(
        self,
        curves: Sequence[ChartSeries],
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
        pair = [style for style in (other, current) if style is not None]
        ordered = sorted(curves, key=lambda one: pair.index(one.style) if one.style in pair else -1)
        highest = max((float(curve.y.max()) for curve in curves if len(curve.y)), default=0.0)
        self.chart = Chart(
            title=self.accessibleName(),
            caption="",
            form=Form.LINES,
            x=Axis("recall", 0.0, 1.0, marks=RECALL),
            y=Axis("precision", 0.0, min(highest * HEADROOM, 1.0) or 1.0),
            series=tuple(ordered),
            emphasised=tuple(pair) if len(curves) > 2 else (),
            head=(),
            lines=(),
        )
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
        values = (f"{value_at(curve, self._read_at):.3f}  {curve.name}" for curve in self._read_curves())
        return (f"recall {self._read_at:.2f}", *values)

    def _read_curves(self) -> list[ChartSeries]:
        """Return the curves that are read off, in the order of the runs: as many as there is room for."""
        room = max(int((self.height() - 20) / QFontMetricsF(self.small_font()).lineSpacing()) - 1, 2)
        curves = self.chart.series
        kept = kept_ends([not self.chart.is_quiet(curve) for curve in curves], room)
        return sorted((curves[at] for at in kept), key=lambda curve: curve.style)

    def _described(self) -> str:
        told = []
        for curve in sorted(self.chart.series, key=lambda curve: curve.style):
            values = ", ".join(f"{value_at(curve, x):.3f} at {x:g}" for x in DESCRIBED)
            told.append(f"{curve.name}, {DASH_NAMES[curve.style % len(DASHES)]} line: {values}")
        return ". ".join(told) or self.nothing

    def sizeHint(self) -> QSize:
        return QSize(300, 8 * self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(180, 5 * self.fontMetrics().height())

    def chart_painter(self) -> ChartPainter:
        return ChartPainter(self.chart, QRectF(self.rect()), self.theme, self.font(), small=True)

    # -- reading off ---------------------------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        plot = self.chart_painter().plot
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
        rounded = None if at is None or not self.chart.series else round(at, 2)
        if rounded != self._read_at:
            self._read_at = rounded
            self.setAccessibleDescription(". ".join(self.read_out()) or self._described())
            self.update()

    # -- painting ------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = self.painter()
        if not self.chart.series:
            painter.setPen(self.theme.color("muted"))
            middle = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(self.rect(), middle, self.nothing)
            return
        chart = self.chart_painter()
        chart.paint_axes(painter)
        painter.drawPixmap(0, 0, self._drawn_curves(chart))
        chart.paint_labels(painter)
        if self._read_at is not None:
            self._paint_read_out(painter, chart, self._read_at)
        if self.hasFocus():
            paint_focus(painter, QRectF(self.rect()), self.theme)

    def _drawn_curves(self, chart: ChartPainter) -> QPixmap:
        """Return the curves, drawn once: a hundred of them take longer than a hand moves on."""
        scale = self.devicePixelRatioF()
        made_of = self.chart, self.theme, chart.plot, self.size(), scale
        if self._drawn is None or self._drawn[0] != made_of:
            pixmap = QPixmap(self.size() * scale)
            pixmap.setDevicePixelRatio(scale)
            pixmap.fill(Qt.GlobalColor.transparent)
            painter = QPainter(pixmap)
            chart.paint_curves(painter)
            painter.end()
            self._drawn = made_of, pixmap
        return self._drawn[1]

    def _paint_read_out(self, painter: QPainter, chart: ChartPainter, at: float) -> None:
        """Draw a hair line with a dot on each curve, and the values in a box beside it."""
        plot, x = chart.plot, chart.at(at, 0.0).x()
        painter.setPen(QPen(self.theme.color("muted"), 1))
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))
        ordered = self._read_curves()
        for curve in ordered:
            painter.setPen(QPen(self.theme.color("window"), 1.5))
            painter.setBrush(run_color(self.theme, curve.style))
            painter.drawEllipse(chart.at(at, value_at(curve, at)), 4, 4)
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


class DifferenceBars(SmallChart):
    """The differences of two runs, one bar a topic, sorted; bars of topics in sight are in full colour.

    The two topics that differ most are named, above the first bar and below the last.
    """

    def __init__(self) -> None:
        super().__init__()
        self._values: tuple[float, ...] = ()
        self._names: tuple[str, ...] = ()
        self._seen: frozenset[int] = frozenset()
        self._fill: Fill = lambda painter, bar, _value: painter.fillRect(bar, Qt.GlobalColor.gray)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

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

    def small_font(self) -> QFont:
        return derived(self.font(), factor=0.9)

    def _around(self) -> tuple[float, float]:
        """Return the pixels above and below the bars, where the names are."""
        line = QFontMetricsF(self.small_font()).height()
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
        painter.setFont(self.small_font())
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

    def place_at(self, x: float) -> int | None:
        place = math.floor(x / self._step())
        return place if 0 <= place < len(self._values) else None

    def text_of(self, place: int) -> str:
        return f"{self._names[place]}  {self._values[place]:+.4f}"


class RankCurve(SmallChart):
    """Precision over the ranks of a run, with a stem where a row adds to the figure; hidden for few rows."""

    def __init__(self, text_of: Callable[[int], str]) -> None:
        """``text_of`` is the tooltip of a row, above its value."""
        super().__init__()
        self._text_of = text_of
        self.chart: Chart | None = None
        self._adds: tuple[int, ...] = ()  # the rows that add to the figure
        self._current: int | None = None
        self.hide()

    def set_values(
        self, ranks: Sequence[float], values: Sequence[float], adds: Sequence[int], column: str, style: int
    ) -> None:
        """Draw the values of a column over the ranks of its rows, in the colour of a run."""
        x, y = np.array(ranks, float), np.array(values, float)
        self._adds, self._current, self.chart = tuple(adds), None, None
        if len(x):
            axis = Axis("rank", 1.0, float(x[-1]), logarithmic=x[-1] > FEW)
            near = axis.share(np.array(RANKS, float)) < BEFORE_NAME
            marks = tuple((rank, str(rank)) for rank, shown in zip(RANKS, near, strict=True) if shown)
            self.chart = Chart(
                title=f"{column} over the ranks",
                caption="",
                form=Form.LINES,
                x=replace(axis, marks=marks),
                y=Axis(column, 0.0, float(y.max()) or 1.0),
                series=(ChartSeries(column, style, x, y, faint=True),),
                emphasised=(),
                head=(),
                lines=(),
            )
            self.setAccessibleName(self.chart.title)
        self.setVisible(len(x) > 1 and bool(np.all(np.diff(x) > 0)))
        self.update()

    def set_current(self, row: int | None) -> None:
        """Show which row is of the open document."""
        self._current = row
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(240, LINES * self.fontMetrics().height())

    def place(self, row: int) -> QPointF:
        """Return where the value of a row is."""
        return self._places()[row]

    def _painter_of(self, chart: Chart) -> ChartPainter:
        return ChartPainter(chart, QRectF(self.rect()), self.theme, self.font(), small=True)

    def _places(self) -> list[QPointF]:
        return [] if self.chart is None else self._painter_of(self.chart).points(self.chart.series[0])

    def place_at(self, x: float) -> int | None:
        """Return the row that is nearest across, of those that add one where there are any."""
        places = self._places()
        return min(self._adds or range(len(places)), key=lambda row: abs(places[row].x() - x), default=None)

    def text_of(self, place: int) -> str:
        value = "" if self.chart is None else f"{self.chart.y.title} {self.chart.series[0].y[place]:.4f}"
        return f"{self._text_of(place)}\n{value}"

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.chart is None:
            return
        painter, chart, series = self.painter(), self._painter_of(self.chart), self.chart.series[0]
        chart.paint_axes(painter)
        plot, points = chart.plot, chart.points(series)
        foot = QRectF(0, plot.bottom() + 4, self.width() - 2, painter.fontMetrics().height())
        painter.drawText(foot, RIGHT, self.chart.x.title)
        chart.paint_curves(painter)
        painter.setBrush(run_color(self.theme, series.style))
        crowded = len(self._adds) * 2 * DOT > plot.width()
        for row in self._adds:
            painter.drawLine(points[row], QPointF(points[row].x(), plot.bottom()))
            if not crowded:
                painter.drawEllipse(points[row], DOT, DOT)
        if self._current is not None and self._current < len(points):
            point, text = points[self._current], self.theme.color("text")
            painter.setPen(QPen(text, 2))
            painter.drawLine(point, QPointF(point.x(), plot.bottom()))
            painter.setBrush(text)
            painter.drawEllipse(point, CURRENT - 1, CURRENT - 1)


class IntervalBar(SmallChart):
    """The interval of a difference over an axis with zero on it: a line from end to end, the mean on it."""

    def __init__(self) -> None:
        super().__init__("95 % interval")
        self._values = (0.0, 0.0, 0.0)  # low, mean, high
        self._style = 0
        self.hide()  # until there is one

    def show_interval(self, low: float, mean: float, high: float, style: int) -> None:
        """Show an interval in the colour of a run; one without ends is not drawn."""
        self._values, self._style = (low, mean, high), style
        self.setVisible(math.isfinite(high - low) and high > low)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(240, HIGH + round(QFontMetricsF(self.small_font()).height()) + 6)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme, small = self.painter(), self.theme, self.small_font()
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
