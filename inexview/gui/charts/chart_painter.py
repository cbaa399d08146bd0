"""Painting of charts: in a window, a panel, a picture or a file."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
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
    QPolygonF,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip

from inexview.core.evaluation.charts import Axis, Chart, ChartSeries, Form, ticks_between, values_over_ranks
from inexview.core.report import MINUS, difference_text
from inexview.core.text.spans import Floats
from inexview.core.wording import counted
from inexview.gui.look.theme import DASH_NAMES, DASHES, Theme, paint_run_shape, run_color
from inexview.gui.look.widgets import LEFT, RIGHT, PaintedChart, derived, paint_focus, write


def kept_ends(matters: Sequence[bool], room: int) -> list[int]:
    """Return the indices of the names to write if ``room`` names fit, important ones first.

    >>> kept_ends([False, True, False, False], 2)
    [0, 1]
    """
    order = sorted(range(len(matters)), key=lambda at: not matters[at])
    return sorted(order[: max(room, 0)])


def named_ends(matters: Sequence[bool], room: int) -> tuple[list[int], int]:
    """Return the names to write, and the number of others; one line is reserved for that number.

    >>> named_ends([False, True, False], 3)
    ([0, 1, 2], 0)
    >>> named_ends([False, True, False], 2)
    ([1], 2)
    """
    kept = kept_ends(matters, room if len(matters) <= room else room - 1)
    return kept, len(matters) - len(kept)


def left_out(more: int, room: float, width: Callable[[str], float]) -> str:
    """Return the number of omitted names in the longest wording that fits.

    >>> [left_out(56, room, len) for room in (11, 8, 3)]
    ['and 56 more', '56 more', '+56']
    """
    said = (f"and {more} more", f"{more} more", f"+{more}")
    return next((words for words in said if width(words) <= room), said[-1])


def apart(places: Sequence[float], height: float, low: float) -> list[float]:
    """Return positions at least a height apart from the top down, none below ``low`` if they fit.

    >>> apart([10.0, 12.0, 40.0], 10.0, 100.0)
    [10.0, 20.0, 40.0]
    >>> apart([95.0, 99.0], 10.0, 100.0)
    [90.0, 100.0]
    """
    moved: list[float] = []
    for place in places:
        moved.append(max(place, moved[-1] + height) if moved else place)
    for at in reversed(range(len(moved))):
        moved[at] = min(moved[at], low)
        low = moved[at] - height
    return moved


LABELS = 0.45  # maximum share of the width to the right of the plot, for the names at the ends of lines
AIR = 10.0  # pixels on both sides of such a name
SMALLER = 0.85  # size of the letters of a small chart, relative to the font
NAMES = 0.3  # maximum share of the height below the plot, for vertical names
HATCH = 4.0  # pixels between two lines of a hatching
# pixels of a point and minimum; width of a chart from which points have full size
POINT, LEAST_POINT, ROOMY = 9.0, 4.0, 760.0
REACH = 24.0  # maximum distance in pixels between the pointer and the value that it selects
CENTER = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop


class ChartPainter:
    """A chart, laid out in a rectangle with a font and a theme."""

    def __init__(
        self,
        chart: Chart,
        rect: QRectF,
        theme: Theme,
        font: QFont,
        *,
        titled: bool = True,
        small: bool = False,
    ) -> None:
        """``titled`` writes the title above; a figure in a paper has a caption instead.

        A ``small`` chart is part of a panel: it has no titles, no background, and fewer numbers.
        """
        self.chart, self.theme, self.font, self.rect = chart, theme, font, rect
        self._titled, self._small, self._about = titled, small, 3 if small else 4
        self.small_font = derived(font, factor=SMALLER) if small else QFont(font)
        if not small:
            self.small_font.setPixelSize(max(font.pixelSize() - 2, 9))
        metrics, line = QFontMetricsF(self.small_font), QFontMetricsF(font).height()
        top, bottom, air = (8.0, metrics.height() + 8, 10) if small else (1.7 * line, 2.6 * line, 20)
        if titled and not small:
            top = 4.2 * line
        left = (
            max(
                (metrics.horizontalAdvance(text) for _, text in chart.y.named_places(self._about)),
                default=0.0,
            )
            + air
        )
        names = () if chart.form is Form.BARS else [one.name for one in self._listed()]
        longest = max(map(metrics.horizontalAdvance, names), default=0.0)
        if names and small and len(names) > int((rect.height() - top - bottom) / metrics.height()):
            longest = max(longest, metrics.horizontalAdvance(f"and {len(names)} more"))
        self._gap, self._sign = (12.0, 7.0) if small else (16.0, 8.0)  # at the plot, and of a run's shape
        right = min(longest + self._gap + self._sign + AIR, LABELS * rect.width()) if longest else 12.0
        self.plot = rect.adjusted(left, top, -right, -bottom)
        self._named = self._room_for_names(metrics)
        if self._named:
            self.plot.setBottom(self.plot.bottom() - self._named)

    def _listed(self) -> list[ChartSeries]:
        return [one for one in self.chart.series if len(one.x) and not one.faint]

    def _room_for_names(self, metrics: QFontMetricsF) -> float:
        """Return the height of the vertical names along the axis; 0 if not all of them fit."""
        names = self.chart.x.names
        if not names or self.plot.width() / (len(names) + 1) < metrics.height() * 0.9:
            return 0.0
        return min(max(map(metrics.horizontalAdvance, names)) + 4, NAMES * self.rect.height())

    def at(self, x: float, y: float) -> QPointF:
        across, up = self._places(np.array([x]), np.array([y]))
        return QPointF(float(across[0]), float(up[0]))

    def _places(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Return the positions of values in pixels, shape (n,) each."""
        across = self.plot.left() + self.chart.x.share(x) * self.plot.width()
        up = self.plot.bottom() - self.chart.y.share(y) * self.plot.height()
        return across, up

    def points(self, series: ChartSeries) -> list[QPointF]:
        across, up = self._places(series.x, series.y)
        return list(map(QPointF, across.tolist(), up.tolist()))

    def nearest(self, place: QPointF) -> tuple[ChartSeries, int] | None:
        """Return the value nearest to a point, None if none is within reach."""
        best: tuple[ChartSeries, int] | None = None
        reach = REACH
        for series in self.chart.series:
            if series.faint or not len(series.x):
                continue
            across, up = self._places(series.x, series.y)
            bars = self.chart.form is Form.BARS
            far = np.abs(across - place.x()) if bars else np.hypot(across - place.x(), up - place.y())
            at = int(far.argmin())
            if far[at] < reach:
                best, reach = (series, at), float(far[at])
        return best

    def color(self, series: ChartSeries) -> QColor:
        """Return the colour of a run; grey for the other runs."""
        quiet = series.style < 0 or self.chart.is_quiet(series)
        return self.theme.color("rest") if quiet else run_color(self.theme, series.style)

    def paint(self, painter: QPainter) -> None:
        painter.save()
        painter.fillRect(self.rect, self.theme.color("page"))
        if self._titled:
            self._paint_titles(painter)
        self.paint_axes(painter)
        self.paint_curves(painter)
        self.paint_labels(painter)
        painter.restore()

    def paint_curves(self, painter: QPainter) -> None:
        """Paint the values of all series, grey ones first."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for series in sorted(self.chart.series, key=lambda series: not self.chart.is_quiet(series)):
            self._paint_series(painter, series)

    def _paint_titles(self, painter: QPainter) -> None:
        bold = QFont(self.font)
        bold.setWeight(QFont.Weight.DemiBold)
        line = QFontMetricsF(self.font).height()
        painter.setFont(bold)
        painter.setPen(self.theme.color("text"))
        top = QRectF(self.rect.left() + 14, self.rect.top() + 6, self.rect.width() - 28, line)
        painter.drawText(top, LEFT, self._fitted(self.chart.title, bold, top.width()))
        painter.setFont(self.small_font)
        painter.setPen(self.theme.color("muted"))
        said = self._fitted(self.chart.caption, self.small_font, top.width())
        painter.drawText(top.translated(0, line), LEFT, said)

    def _fitted(self, text: str, font: QFont, room: float) -> str:
        """Return a text shortened to a width: names of runs are shortened first."""
        metrics, middle = QFontMetricsF(font), Qt.TextElideMode.ElideMiddle
        names = [name for name in self.chart.named if name in text]
        if names and metrics.horizontalAdvance(text) > room:
            wide = sum(map(metrics.horizontalAdvance, names))
            share = (room - (metrics.horizontalAdvance(text) - wide)) / len(names)
            for name in names:
                text = text.replace(name, metrics.elidedText(name, middle, max(share, 0.0)), 1)
        return metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)

    def paint_axes(self, painter: QPainter) -> None:
        plot, theme = self.plot, self.theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self.small_font)
        height = QFontMetricsF(self.small_font).height()
        grid = QPen(theme.color("line"), 1)
        for value, text in self.chart.y.named_places(self._about):
            y = self.at(self.chart.x.low, value).y()
            grid.setColor(theme.color("line" if value or self._small else "handle"))
            if self._small:
                grid.setDashPattern([3, 3] if value else [1, 0])
            painter.setPen(grid)
            painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))
            painter.setPen(theme.color("muted"))
            room = QRectF(self.rect.left(), y - height / 2, plot.left() - self.rect.left() - 6, height)
            painter.drawText(room, RIGHT, text)
        for value, text in self.chart.x.named_places():
            x = self.at(value, self.chart.y.low).x()
            if not self._small:
                painter.setPen(QPen(theme.color("handle"), 1))
                painter.drawLine(QPointF(x, plot.bottom()), QPointF(x, plot.bottom() + 3))
            painter.setPen(theme.color("muted"))
            painter.drawText(QRectF(x - 60, plot.bottom() + 4, 120, height), CENTER, text)
        self._paint_names(painter)
        if self._small:
            return
        below = QRectF(plot.left(), plot.bottom() + 4 + (self._named or height), plot.width(), height)
        painter.drawText(below, CENTER, self._fitted(self.chart.x.title, self.small_font, below.width()))
        above = QRectF(self.rect.left() + 14, plot.top() - 1.5 * height - 3, 200, height)
        painter.drawText(above, LEFT, self.chart.y.title)

    def _paint_names(self, painter: QPainter) -> None:
        """Write the names along the axis vertically, if all of them fit."""
        if not self._named:
            return
        metrics = QFontMetricsF(self.small_font)
        painter.setPen(self.theme.color("muted"))
        for at, name in enumerate(self.chart.x.names, 1):
            place = self.at(at, self.chart.y.low)
            painter.save()
            painter.translate(place.x(), place.y() + 4)
            painter.rotate(-90)
            shown = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, self._named)
            room = QRectF(-self._named, -metrics.height() / 2, self._named, metrics.height())
            painter.drawText(room, RIGHT, shown)
            painter.restore()

    def pen(self, series: ChartSeries) -> QPen:
        """Return the pen of a line; in a small chart the last line, which is on top, is the strongest."""
        plain = series.faint or self.chart.is_quiet(series)
        strong = not self._small or series is self.chart.series[-1]
        pen = QPen(self.color(series), 1.0 if plain else 2.0 if strong else 1.5)
        if self._small:
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        if not plain and (dashes := DASHES[series.style % len(DASHES)]):
            pen.setDashPattern(list(dashes))
        return pen

    def _paint_series(self, painter: QPainter, series: ChartSeries) -> None:
        color, quiet, points = self.color(series), self.chart.is_quiet(series), self.points(series)
        lined = series.faint or self.chart.form is Form.LINES
        if lined:
            painter.setPen(self.pen(series))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPolyline(QPolygonF(points))
        if self.chart.form is Form.BARS:
            self._paint_bars(painter, series, points)
        elif not lined or len(points) == 1:  # a line with a single value is a point
            size = max(POINT * min(self.rect.width() / ROOMY, 1.0), LEAST_POINT)
            half = (size if not quiet or len(points) == 1 else size * 2 / 3) / 2
            for point in points:
                square = QRectF(point.x() - half, point.y() - half, 2 * half, 2 * half)
                paint_run_shape(painter, series.style, square, color)

    def _paint_bars(self, painter: QPainter, series: ChartSeries, points: list[QPointF]) -> None:
        """Draw bars from 0: solid if the first run is better, hatched in the other's colour below."""
        zero = self.at(0, 0).y()
        wide = min(self.plot.width() / (len(points) + 1) - 1.5, 26.0)
        other = next((style for style in self.chart.emphasised if style != series.style), series.style)
        for point, value in zip(points, series.y.tolist(), strict=True):
            bar = QRectF(point.x() - wide / 2, min(point.y(), zero), wide, abs(zero - point.y()))
            color = run_color(self.theme, series.style if value >= 0 else other)
            painter.setPen(QPen(color, min(wide / 3, 1)))
            painter.setBrush(color if value >= 0 else _light(color))
            painter.drawRect(bar)
            if value < 0 and wide >= HATCH:
                _hatch(painter, bar)
        if series.names and not self._named:
            self._name_extremes(painter, series, points, wide)

    def _name_extremes(
        self, painter: QPainter, series: ChartSeries, points: list[QPointF], wide: float
    ) -> None:
        """Write the highest and the lowest name at the ends of their bars, or next to them."""
        painter.setFont(self.small_font)
        painter.setPen(self.theme.color("muted"))
        height, beside = QFontMetricsF(self.small_font).height(), self.plot.width() / 2
        for at, side in ((0, LEFT), (-1, RIGHT)):
            point, value = points[at], float(series.y[at])
            if (value > 0) is (at == 0) and value:
                top = point.y() - height if at == 0 else point.y()
                fits = self.plot.top() <= top <= self.plot.bottom() - height
                reach = -wide / 2 - 3 if fits else wide  # from the middle of the bar
                left = point.x() + reach if at == 0 else point.x() - reach - beside
                top = top if fits else 2 * point.y() - height - top
                painter.drawText(QRectF(left + 3, top, beside - 6, height), side, series.names[at])

    def paint_labels(self, painter: QPainter) -> None:
        """Write the runs' names at the ends of their lines, moved apart if they would overlap."""
        if self.chart.form is Form.BARS:
            return
        metrics = QFontMetricsF(self.small_font)
        height = metrics.height()
        listed = self._listed()
        kept, more = named_ends(
            [not self.chart.is_quiet(one) for one in listed], int(self.plot.height() / height)
        )
        ends = sorted(
            ((self.at(float(listed[at].x[-1]), float(listed[at].y[-1])), listed[at]) for at in kept),
            key=lambda end: end[0].y(),
        )
        painter.setFont(self.small_font)
        places = apart([end.y() for end, _ in ends], height, self.plot.bottom())
        for y, (end, series) in zip(places, ends, strict=True):
            self._paint_label(painter, series, end, y)
        if more:
            painter.setPen(self.theme.color("muted"))
            x = self.plot.right() + self._gap + self._sign + AIR / 2
            room = QRectF(x, self.plot.bottom() + 4, self.rect.right() - x, height)
            painter.drawText(room, LEFT, left_out(more, room.width(), metrics.horizontalAdvance))

    def _paint_label(self, painter: QPainter, series: ChartSeries, end: QPointF, y: float) -> None:
        x, height = self.plot.right() + self._gap, QFontMetricsF(self.small_font).height()
        color = self.theme.color("muted") if self.chart.is_quiet(series) else self.color(series)
        if self.chart.form is Form.LINES or len(series.x) == 1:
            painter.setPen(QPen(self.theme.color("line"), 1))
            beside = 2 if self.chart.form is Form.LINES else POINT / 2 + 1
            painter.drawLine(QPointF(end.x() + beside, end.y()), QPointF(x - 3, y))
        paint_run_shape(painter, series.style, QRectF(x, y - self._sign / 2, self._sign, self._sign), color)
        painter.setPen(color)
        room = self.rect.right() - x - self._sign - AIR
        name = QFontMetricsF(self.small_font).elidedText(series.name, Qt.TextElideMode.ElideMiddle, room)
        painter.drawText(QRectF(x + self._sign + AIR / 2, y - height / 2, room, height), LEFT, name)

    def paint_pointed(self, painter: QPainter, series: ChartSeries, at: int) -> None:
        place = self.at(float(series.x[at]), float(series.y[at]))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self.theme.color("line"), 1))
        painter.drawLine(QPointF(place.x(), self.plot.top()), QPointF(place.x(), self.plot.bottom()))
        painter.setPen(QPen(self.theme.color("page"), 1.5))
        painter.setBrush(run_color(self.theme, series.style))
        painter.drawEllipse(place, 5, 5)


def _light(color: QColor) -> QColor:
    """Return the colour behind the hatching of a bar."""
    light = QColor(color)
    light.setAlphaF(0.3)
    return light


def _hatch(painter: QPainter, bar: QRectF) -> None:
    """Hatch a bar with lines that end at its edges.

    In an SVG drawing, a brush pattern would become a picture, and nothing is clipped.
    """
    for at in np.arange(HATCH, bar.width() + bar.height(), HATCH).tolist():
        down, across = min(at, bar.height()), min(at, bar.width())
        painter.drawLine(
            QPointF(bar.left() + at - down, bar.top() + down),
            QPointF(bar.left() + across, bar.top() + at - across),
        )


# Charts in panels: curves over recall, differences of topics, precision over ranks, an interval.

HEADROOM = 1.06  # so that the highest point of a curve does not touch the names above
NO_CURVE = "No curve: no run is scored yet"
NO_CURVE_OF_TASK = "No curve: the measures of this task have none"
DESCRIBED = (0, 0.25, 0.5, 0.75, 1)  # positions that are described for screen readers
RECALL = ((0.0, "0"), (0.5, "recall 0.5"), (1.0, "1"))
OVER_RECALL = Axis("recall", 0.0, 1.0, marks=RECALL)
FADED = 0.42  # opacity of the bars of topics that are not visible in the table
IN_VIEW = "full colour: in view below"
WIDEST, GAP = 40.0, 1.5  # maximum width of a bar, and gap between two, in pixels
LINES = 6  # height of the curve over ranks in lines of text
DOT, CURRENT = 2.5, 4.5  # radius in pixels
HIGH, END, SHAPE = 24, 5, 11  # pixels of an interval: above the axis, half of an end, shape of the mean

Fill = Callable[[QPainter, QRectF, float], None]


class SmallChart(PaintedChart):
    """A chart in a panel; a click chooses the value under the mouse, whose tooltip shows it."""

    chosen = Signal(int)  # index of a value

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
        """Return the index of the value at an x in pixels, None if none."""
        return None

    def text_of(self, place: int) -> str:
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


class CurveChart(SmallChart):
    """Curves over recall: the mouse or arrow keys read their values at one position."""

    def __init__(self) -> None:
        super().__init__("precision over recall")
        self.nothing = NO_CURVE
        self._read_at: float | None = None
        self._drawn: tuple[object, QPixmap] | None = None  # the last drawn curves, with their key
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.set_curves(())

    def set_curves(
        self,
        curves: Sequence[ChartSeries],
        *,
        current: int | None = None,
        other: int | None = None,
        nothing: str = "",
        across: Axis = OVER_RECALL,
        up: str = "precision",
    ) -> None:
        """Show these curves; that of the run with the style ``current`` is on top and stronger.

        With more than two curves, those that are neither ``current`` nor ``other`` are grey. ``nothing`` is
        the reason if there are none; ``across`` and ``up`` name the axes, by default recall and precision.
        """
        self.nothing = nothing or NO_CURVE
        pair = [style for style in (other, current) if style is not None]
        ordered = sorted(curves, key=lambda one: pair.index(one.style) if one.style in pair else -1)
        highest = max((float(curve.y.max()) for curve in curves if len(curve.y)), default=0.0)
        self.chart = Chart(
            title=self.accessibleName(),
            form=Form.LINES,
            x=across,
            y=Axis(up, 0.0, min(highest * HEADROOM, 1.0) or 1.0),
            series=tuple(ordered),
            emphasised=tuple(pair) if len(curves) > 2 else (),
        )
        self.setAccessibleDescription(self._described())
        self.update()

    @property
    def read_at(self) -> float | None:
        """The position on the x axis at which values are read, 0 to 1; None if none."""
        return self._read_at

    def read_out(self) -> tuple[str, ...]:
        """Return the values at that position: a line for the position, one for each curve that fits."""
        if self._read_at is None:
            return ()
        across = self.chart.x
        at = self._read_at * across.high
        values = (f"{curve.value_at(at):.3f}  {curve.name}" for curve in self._read_curves())
        place = f"{across.title} {at:.2f}" if across.high <= 1 else f"{at:,.0f} {across.title}"
        return (place, *values)

    def _read_curves(self) -> list[ChartSeries]:
        """Return the curves whose values are shown, in the order of the runs, as many as fit."""
        room = max(int((self.height() - 20) / QFontMetricsF(self.small_font()).lineSpacing()) - 1, 2)
        curves = self.chart.series
        kept = kept_ends([not self.chart.is_quiet(curve) for curve in curves], room)
        return sorted((curves[at] for at in kept), key=lambda curve: curve.style)

    def _described(self) -> str:
        told = []
        for curve in sorted(self.chart.series, key=lambda curve: curve.style):
            places = [share * self.chart.x.high for share in DESCRIBED]
            values = ", ".join(f"{curve.value_at(x):.3f} at {x:g}" for x in places)
            told.append(f"{curve.name}, {DASH_NAMES[curve.style % len(DASHES)]} line: {values}")
        return ". ".join(told) or self.nothing

    def sizeHint(self) -> QSize:
        return QSize(300, 8 * self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(180, 5 * self.fontMetrics().height())

    def chart_painter(self) -> ChartPainter:
        return ChartPainter(self.chart, QRectF(self.rect()), self.theme, self.font(), small=True)

    # -- reading values ------------------------------------------------------------------------------

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
        """Move the position with the arrow keys by a hundredth, with Shift by a tenth."""
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
        elif event.key() != Qt.Key.Key_Escape or not self.dismiss():  # if the window has no shortcut for it
            super().keyPressEvent(event)

    def dismiss(self) -> bool:
        """Stop reading values; return False if none were read."""
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
            self._paint_read_out(painter, chart, self._read_at * self.chart.x.high)
        if self.hasFocus():
            paint_focus(painter, QRectF(self.rect()), self.theme)

    def _drawn_curves(self, chart: ChartPainter) -> QPixmap:
        """Return the drawn curves from a cache, because a hundred of them draw slowly."""
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
        """Draw a vertical line with a dot on each curve, and the values in a box next to it."""
        plot, x = chart.plot, chart.at(at, 0.0).x()
        painter.setPen(QPen(self.theme.color("muted"), 1))
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))
        ordered = self._read_curves()
        for curve in ordered:
            painter.setPen(QPen(self.theme.color("window"), 1.5))
            painter.setBrush(run_color(self.theme, curve.style))
            painter.drawEllipse(chart.at(at, curve.value_at(at)), 4, 4)
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
    """The differences of two runs, one bar per topic, sorted; topics visible in the table are in full colour.

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
        """Show these differences, highest first, with their names."""
        self._values, self._names, self._fill = tuple(values), tuple(names), fill
        wins = sum(value > 0 for value in values)
        self.setAccessibleName(f"Differences of {counted(len(values), 'topic')}, {wins} above zero")
        self.update()

    def set_seen(self, places: frozenset[int]) -> None:
        """Set which of them are visible in the table."""
        if places != self._seen:
            self._seen = places
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(500, 110)

    def small_font(self) -> QFont:
        return derived(self.font(), factor=0.9)

    def _around(self) -> tuple[float, float]:
        """Return the pixels above and below the bars for the names."""
        line = QFontMetricsF(self.small_font()).height()
        best, worst = (self._values[0], self._values[-1]) if self._values else (0.0, 0.0)
        return line + 2 if best > 0 else 2.0, line + 2 if worst < 0 else 2.0

    def _step(self) -> float:
        return min(self.width() / max(len(self._values), 1), WIDEST)

    def _zero(self, height: float) -> tuple[float, float]:
        """Return the y of zero, and the pixels per unit."""
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
        """Write the names of the two topics that differ most at the ends of their bars."""
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
        """Write the name and value of a topic, and return their width in pixels."""
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
    """Precision over the ranks of a run, with stems at rows that contribute; hidden for few rows."""

    def __init__(self, text_of: Callable[[int], str]) -> None:
        """``text_of`` returns the first line of a row's tooltip."""
        super().__init__()
        self._text_of = text_of
        self.chart: Chart | None = None
        self._adds: tuple[int, ...] = ()  # rows that contribute to the figure
        self._current: int | None = None
        self.hide()

    def set_values(
        self, ranks: Sequence[float], values: Sequence[float], adds: Sequence[int], column: str, style: int
    ) -> None:
        """Draw the values of a column over the ranks of its rows, in the colour of a run."""
        self._adds, self._current, self.chart = tuple(adds), None, None
        if ranks:
            self.chart = values_over_ranks(ranks, values, column, style)
            self.setAccessibleName(self.chart.title)
        self.setVisible(len(ranks) > 1 and all(one < other for one, other in pairwise(ranks)))
        self.update()

    def set_current(self, row: int | None) -> None:
        """Highlight the row of the open document."""
        self._current = row
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(240, LINES * self.fontMetrics().height())

    def place(self, row: int) -> QPointF:
        return self._places()[row]

    def _painter_of(self, chart: Chart) -> ChartPainter:
        return ChartPainter(chart, QRectF(self.rect()), self.theme, self.font(), small=True)

    def _places(self) -> list[QPointF]:
        return [] if self.chart is None else self._painter_of(self.chart).points(self.chart.series[0])

    def place_at(self, x: float) -> int | None:
        """Return the row nearest to an x, preferring rows that contribute."""
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
    """The interval of a difference over an axis with zero: a line between its ends, with the mean on it."""

    def __init__(self) -> None:
        super().__init__("95 % interval")
        self._values = (0.0, 0.0, 0.0)  # low, mean, high
        self._style = 0
        self.hide()  # hidden until there is an interval

    def show_interval(self, low: float, mean: float, high: float, style: int) -> None:
        """Show an interval in the colour of a run; hide it if its ends are unknown."""
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
