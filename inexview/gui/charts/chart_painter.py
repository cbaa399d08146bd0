"""Draws a chart anywhere: in its window, into a picture, into an SVG file."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPen, QPolygonF

from inexview.gui.charts.chart import Axis, Chart, ChartSeries, Form
from inexview.gui.charts.curve_chart import DASHES
from inexview.gui.charts.ticks import ticks
from inexview.gui.look.symbols import paint_run_shape, run_color
from inexview.gui.look.theme import Theme

LABELS = 170.0  # pixels to the right of the plot, for the names at the line ends
POINT = 9.0
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
SOLID, HATCHED = Qt.BrushStyle.SolidPattern, Qt.BrushStyle.BDiagPattern
CENTER = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop


class ChartPainter:
    """A chart laid out in a rectangle, with a font and a theme."""

    def __init__(self, chart: Chart, rect: QRectF, theme: Theme, font: QFont) -> None:
        self.chart = chart
        self.theme = theme
        self.font = font
        self.small = QFont(font)
        self.small.setPixelSize(max(font.pixelSize() - 2, 9))
        line = QFontMetricsF(font).height()
        named = LABELS if len(chart.series) > 1 or chart.form is Form.LINES else 12.0
        self.rect = rect
        self.plot = rect.adjusted(58, 4.2 * line, -named, -2.6 * line)

    def at(self, x: float, y: float) -> QPointF:
        """Return where a value stands."""
        return QPointF(
            self.plot.left() + _share(self.chart.x, x) * self.plot.width(),
            self.plot.bottom() - _share(self.chart.y, y) * self.plot.height(),
        )

    def nearest(self, place: QPointF, reach: float = 24.0) -> tuple[ChartSeries, int] | None:
        """Return the value that is nearest to a place, None where none is within reach."""
        best: tuple[ChartSeries, int] | None = None
        for series in self.chart.series:
            for at, (x, y) in enumerate(zip(series.x.tolist(), series.y.tolist(), strict=True)):
                away = self.at(x, y) - place
                far = (
                    abs(away.x()) if self.chart.form is Form.BARS else (away.x() ** 2 + away.y() ** 2) ** 0.5
                )
                if far < reach:
                    best, reach = (series, at), far
        return best

    def color(self, series: ChartSeries) -> QColor:
        """Return the colour of a run, or grey where it is one of the rest."""
        return (
            self.theme.color("handle") if self.chart.is_quiet(series) else run_color(self.theme, series.style)
        )

    def paint(self, painter: QPainter) -> None:
        """Draw all of it."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect, self.theme.color("page"))
        self._paint_titles(painter)
        self._paint_axes(painter)
        quiet_first = sorted(self.chart.series, key=lambda one: not self.chart.is_quiet(one))
        for series in quiet_first:
            self._paint_series(painter, series)
        self._paint_labels(painter)
        painter.restore()

    def _paint_titles(self, painter: QPainter) -> None:
        bold = QFont(self.font)
        bold.setWeight(QFont.Weight.DemiBold)
        line = QFontMetricsF(self.font).height()
        painter.setFont(bold)
        painter.setPen(self.theme.color("text"))
        top = QRectF(self.rect.left() + 14, self.rect.top() + 6, self.rect.width() - 28, line)
        painter.drawText(top, LEFT, self.chart.title)
        painter.setFont(self.small)
        painter.setPen(self.theme.color("muted"))
        painter.drawText(top.translated(0, line), LEFT, self.chart.said)

    def _paint_axes(self, painter: QPainter) -> None:
        plot, theme = self.plot, self.theme
        painter.setFont(self.small)
        height = QFontMetricsF(self.small).height()
        for value in _marks(self.chart.y):
            y = self.at(self.chart.x.low, value).y()
            painter.setPen(QPen(theme.color("handle" if value == 0 else "line"), 1))
            painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))
            painter.setPen(theme.color("muted"))
            painter.drawText(QRectF(self.rect.left(), y - height / 2, 52, height), RIGHT, f"{value:g}")
        for value in _marks(self.chart.x):
            x = self.at(value, self.chart.y.low).x()
            painter.setPen(theme.color("muted"))
            painter.drawText(QRectF(x - 40, plot.bottom() + 4, 80, height), CENTER, f"{value:g}")
        below = QRectF(plot.left(), plot.bottom() + 4 + height, plot.width(), height)
        painter.drawText(below, CENTER, self.chart.x.title)
        painter.drawText(
            QRectF(self.rect.left() + 14, plot.top() - height - 4, 200, height), LEFT, self.chart.y.title
        )

    def _paint_series(self, painter: QPainter, series: ChartSeries) -> None:
        color, quiet = self.color(series), self.chart.is_quiet(series)
        points = [self.at(x, y) for x, y in zip(series.x.tolist(), series.y.tolist(), strict=True)]
        if self.chart.form is Form.LINES:
            pen = QPen(color, 1.2 if quiet else 2.0)
            if not quiet and (dashes := DASHES[series.style % len(DASHES)]):
                pen.setDashPattern(list(dashes))
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPolyline(QPolygonF(points))
        elif self.chart.form is Form.POINTS:
            half = (POINT if not quiet else POINT - 3) / 2
            for point in points:
                square = QRectF(point.x() - half, point.y() - half, 2 * half, 2 * half)
                paint_run_shape(painter, series.style, square, color)
        else:
            self._paint_bars(painter, series, points)

    def _paint_bars(self, painter: QPainter, series: ChartSeries, points: list[QPointF]) -> None:
        """Draw bars from 0: solid where the first run is better, hatched in the other's colour below."""
        zero = self.at(0, 0).y()
        wide = min(self.plot.width() / (len(points) + 1) - 1.5, 26.0)
        other = next((style for style in self.chart.emphasised if style != series.style), series.style)
        for point, value in zip(points, series.y.tolist(), strict=True):
            bar = QRectF(point.x() - wide / 2, min(point.y(), zero), wide, abs(zero - point.y()))
            color = run_color(self.theme, series.style if value >= 0 else other)
            painter.setPen(QPen(color, 1))
            painter.setBrush(QBrush(color, SOLID if value >= 0 else HATCHED))
            painter.drawRect(bar)

    def _paint_labels(self, painter: QPainter) -> None:
        """Write the runs' names at the ends of their lines, moved apart where they would meet."""
        if self.chart.form is Form.BARS:
            return
        metrics = QFontMetricsF(self.small)
        height = metrics.height()
        listed = [one for one in self.chart.series if len(one.x)]
        ends = sorted(
            ((self.at(float(one.x[-1]), float(one.y[-1])).y(), one) for one in listed), key=lambda end: end[0]
        )
        painter.setFont(self.small)
        x = self.plot.right() + 16
        for y, (end, series) in zip(_apart([end for end, _ in ends], height, self.plot), ends, strict=True):
            color = self.theme.color("muted") if self.chart.is_quiet(series) else self.color(series)
            if self.chart.form is Form.LINES:
                painter.setPen(QPen(self.theme.color("line"), 1))
                painter.drawLine(QPointF(self.plot.right() + 2, end), QPointF(x - 3, y))
            paint_run_shape(painter, series.style, QRectF(x, y - 4, 8, 8), color)
            painter.setPen(color)
            room = self.rect.right() - x - 18
            name = metrics.elidedText(series.name, Qt.TextElideMode.ElideMiddle, room)
            painter.drawText(QRectF(x + 13, y - height / 2, room, height), LEFT, name)


def _share(axis: Axis, value: float) -> float:
    return (value - axis.low) / (axis.high - axis.low) if axis.high > axis.low else 0.0


def _marks(axis: Axis) -> Iterator[float]:
    """Yield round numbers along an axis, on both sides of 0."""
    if axis.ticks:
        found = ticks(axis.high)
        yield from (-value for value in reversed(found) if value and -value >= axis.low)
        yield from found


def _apart(places: list[float], height: float, plot: QRectF) -> list[float]:
    """Return places from the top at least a height apart, and none below the plot if they fit above it.

    >>> _apart([10.0, 12.0, 40.0], 10.0, QRectF(0, 0, 9, 100))
    [10.0, 20.0, 40.0]
    >>> _apart([95.0, 99.0], 10.0, QRectF(0, 0, 9, 100))
    [90.0, 100.0]
    """
    moved: list[float] = []
    for place in places:
        moved.append(max(place, moved[-1] + height) if moved else place)
    low = plot.bottom()
    for at in reversed(range(len(moved))):
        moved[at] = min(moved[at], low)
        low = moved[at] - height
    return moved
