"""Draws a chart anywhere: in its window, into a picture, into an SVG file."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPen, QPolygonF

from inexview.core.text.offset_arrays import Floats
from inexview.gui.charts.chart import Axis, Chart, ChartSeries, Form
from inexview.gui.charts.curve_chart import DASHES
from inexview.gui.charts.line_ends import apart, named_ends
from inexview.gui.charts.ticks import ticks, ticks_between
from inexview.gui.look.panel_parts import LEFT, RIGHT
from inexview.gui.look.symbols import paint_run_shape, run_color
from inexview.gui.look.theme import Theme

LABELS = 170.0  # pixels to the right of the plot, for the names at the line ends
GUTTER = 64.0  # pixels to the left of it, for the numbers
POINT = 9.0
REACH = 24.0  # pixels between the pointer and the value that it means, at most
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
        named = 12.0 if chart.form is Form.BARS else LABELS
        self.rect = rect
        self.plot = rect.adjusted(GUTTER, 4.2 * line, -named, -2.6 * line)

    def at(self, x: float, y: float) -> QPointF:
        """Return where a value is."""
        across, up = self._places(np.array([x]), np.array([y]))
        return QPointF(float(across[0]), float(up[0]))

    def _places(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Return where values are, in pixels, shape (n,) each."""
        across = self.plot.left() + self.chart.x.share(x) * self.plot.width()
        up = self.plot.bottom() - self.chart.y.share(y) * self.plot.height()
        return across, up

    def nearest(self, place: QPointF) -> tuple[ChartSeries, int] | None:
        """Return the value that is nearest to a place, None where none is within reach."""
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
        """Return the colour of a run, or grey where it is one of the rest or of none."""
        quiet = series.style < 0 or self.chart.is_quiet(series)
        return self.theme.color("rest") if quiet else run_color(self.theme, series.style)

    def paint(self, painter: QPainter) -> None:
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
        painter.drawText(top, LEFT, self._fitted(self.chart.title, bold, top.width()))
        painter.setFont(self.small)
        painter.setPen(self.theme.color("muted"))
        said = self._fitted(self.chart.said, self.small, top.width())
        painter.drawText(top.translated(0, line), LEFT, said)

    def _fitted(self, text: str, font: QFont, room: float) -> str:
        """Return a text that is no wider than its room: names of runs are shortened before the rest is."""
        metrics, middle = QFontMetricsF(font), Qt.TextElideMode.ElideMiddle
        names = [name for name in self.chart.named if name in text]
        if names and metrics.horizontalAdvance(text) > room:
            wide = sum(map(metrics.horizontalAdvance, names))
            share = (room - (metrics.horizontalAdvance(text) - wide)) / len(names)
            for name in names:
                text = text.replace(name, metrics.elidedText(name, middle, max(share, 0.0)), 1)
        return metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)

    def _paint_axes(self, painter: QPainter) -> None:
        plot, theme = self.plot, self.theme
        painter.setFont(self.small)
        height = QFontMetricsF(self.small).height()
        for value in _marks(self.chart.y):
            y = self.at(self.chart.x.low, value).y()
            painter.setPen(QPen(theme.color("handle" if value == 0 else "line"), 1))
            painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))
            painter.setPen(theme.color("muted"))
            painter.drawText(
                QRectF(self.rect.left(), y - height / 2, GUTTER - 6, height), RIGHT, written(value)
            )
        for value in _marks(self.chart.x):
            x = self.at(value, self.chart.y.low).x()
            painter.setPen(theme.color("muted"))
            named = self.chart.x.labels
            text = named[round(value) - 1] if named else written(value)
            painter.drawText(QRectF(x - 60, plot.bottom() + 4, 120, height), CENTER, text)
        below = QRectF(plot.left(), plot.bottom() + 4 + height, plot.width(), height)
        painter.drawText(below, CENTER, self._fitted(self.chart.x.title, self.small, below.width()))
        painter.drawText(
            QRectF(self.rect.left() + 14, plot.top() - 1.5 * height - 3, 200, height),
            LEFT,
            self.chart.y.title,
        )

    def _paint_series(self, painter: QPainter, series: ChartSeries) -> None:
        color, quiet = self.color(series), self.chart.is_quiet(series)
        across, up = self._places(series.x, series.y)
        points = [QPointF(x, y) for x, y in zip(across.tolist(), up.tolist(), strict=True)]
        lined = series.faint or self.chart.form is Form.LINES
        if lined:
            pen = QPen(color, 1.0 if series.faint or quiet else 2.0)
            if not quiet and not series.faint and (dashes := DASHES[series.style % len(DASHES)]):
                pen.setDashPattern(list(dashes))
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPolyline(QPolygonF(points))
        if self.chart.form is Form.BARS:
            self._paint_bars(painter, series, points)
        elif not lined or len(points) == 1:  # a line of one value is a point
            half = (POINT if not quiet or len(points) == 1 else POINT - 3) / 2
            for point in points:
                square = QRectF(point.x() - half, point.y() - half, 2 * half, 2 * half)
                paint_run_shape(painter, series.style, square, color)

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
        height = QFontMetricsF(self.small).height()
        listed = [one for one in self.chart.series if len(one.x) and not one.faint]
        kept, more = named_ends(
            [not self.chart.is_quiet(one) for one in listed], int(self.plot.height() / height)
        )
        ends = sorted(
            ((self.at(float(listed[at].x[-1]), float(listed[at].y[-1])), listed[at]) for at in kept),
            key=lambda end: end[0].y(),
        )
        painter.setFont(self.small)
        places = apart([end.y() for end, _ in ends], height, self.plot.bottom())
        for y, (end, series) in zip(places, ends, strict=True):
            self._paint_label(painter, series, end, y)
        if more:
            painter.setPen(self.theme.color("muted"))
            x = self.plot.right() + 29
            painter.drawText(QRectF(x, self.plot.bottom() + 4, LABELS, height), LEFT, f"and {more} more")

    def _paint_label(self, painter: QPainter, series: ChartSeries, end: QPointF, y: float) -> None:
        x, height = self.plot.right() + 16, QFontMetricsF(self.small).height()
        color = self.theme.color("muted") if self.chart.is_quiet(series) else self.color(series)
        if self.chart.form is Form.LINES or len(series.x) == 1:
            painter.setPen(QPen(self.theme.color("line"), 1))
            beside = 2 if self.chart.form is Form.LINES else POINT / 2 + 1
            painter.drawLine(QPointF(end.x() + beside, end.y()), QPointF(x - 3, y))
        paint_run_shape(painter, series.style, QRectF(x, y - 4, 8, 8), color)
        painter.setPen(color)
        room = self.rect.right() - x - 18
        name = QFontMetricsF(self.small).elidedText(series.name, Qt.TextElideMode.ElideMiddle, room)
        painter.drawText(QRectF(x + 13, y - height / 2, room, height), LEFT, name)

    def paint_pointed(self, painter: QPainter, series: ChartSeries, at: int) -> None:
        """Mark the value that is read off."""
        place = self.at(float(series.x[at]), float(series.y[at]))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self.theme.color("line"), 1))
        painter.drawLine(QPointF(place.x(), self.plot.top()), QPointF(place.x(), self.plot.bottom()))
        painter.setPen(QPen(self.theme.color("page"), 1.5))
        painter.setBrush(run_color(self.theme, series.style))
        painter.drawEllipse(place, 5, 5)


def _marks(axis: Axis) -> Iterator[float]:
    """Yield round numbers along an axis, on both sides of 0; powers of ten along a logarithmic one."""
    if not axis.ticks:
        return
    if axis.labels:
        yield from range(1, len(axis.labels) + 1)
        return
    if axis.logarithmic:
        power = 10.0 ** math.floor(math.log10(axis.low))
        while power <= axis.high:
            if power >= axis.low:
                yield power
            power *= 10
        return
    if axis.low > 0:
        yield from ticks_between(axis.low, axis.high)
        return
    found = [value for value in ticks(axis.high) if not axis.whole or value.is_integer()]
    yield from (-value for value in reversed(found) if value and -value >= axis.low)
    yield from (value for value in found if value >= axis.low)


def written(value: float) -> str:
    """Write a number as it is read along an axis."""
    return (f"{value:,.0f}" if abs(value) >= 1000 else f"{value:g}").replace("-", "−")
