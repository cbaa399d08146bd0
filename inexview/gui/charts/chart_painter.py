"""Draws a chart anywhere: in its window, into a picture, into an SVG file."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPolygonF

from inexview.core.text.spans import Floats
from inexview.gui.charts.chart import Axis, Chart, ChartSeries, Form
from inexview.gui.charts.curve_chart import DASHES
from inexview.gui.charts.line_ends import apart, left_out, named_ends
from inexview.gui.charts.ticks import log_ticks, ticks, ticks_between
from inexview.gui.look.panel_parts import LEFT, RIGHT
from inexview.gui.look.symbols import paint_run_shape, run_color
from inexview.gui.look.theme import Theme

LABELS = 0.4  # of the width at most, right of the plot, for the names at the line ends
BESIDE = 34.0  # pixels of the sign and the air beside such a name
NAMES = 0.3  # of the height at most, below the plot, for names that stand upright
HATCH = 4.0  # pixels between two lines of a hatching
POINT, LEAST_POINT, ROOMY = (
    9.0,
    4.0,
    760.0,
)  # pixels of a point, in a chart as wide as that and in a small one
REACH = 24.0  # pixels between the pointer and the value that it means, at most
CENTER = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop


class ChartPainter:
    """A chart laid out in a rectangle, with a font and a theme."""

    def __init__(self, chart: Chart, rect: QRectF, theme: Theme, font: QFont, *, titled: bool = True) -> None:
        """``titled`` writes above it what it is; a figure in a paper has a caption instead."""
        self.chart = chart
        self.theme = theme
        self.font = font
        self.small = QFont(font)
        self.small.setPixelSize(max(font.pixelSize() - 2, 9))
        self._titled = titled
        self.rect = rect
        metrics, line = QFontMetricsF(self.small), QFontMetricsF(font).height()
        names = () if chart.form is Form.BARS else [one.name for one in self._listed()]
        longest = max(map(metrics.horizontalAdvance, names), default=0.0)
        right = min(longest + BESIDE, LABELS * rect.width()) if longest else 12.0
        numbers = [metrics.horizontalAdvance(_text(chart.y, value)) for value in _marks(chart.y)]
        left = max(numbers, default=0.0) + 20
        self.plot = rect.adjusted(left, (4.2 if titled else 1.7) * line, -right, -2.6 * line)
        self._named = self._room_for_names(metrics)
        if self._named:
            self.plot.setBottom(self.plot.bottom() - self._named)

    def _listed(self) -> list[ChartSeries]:
        """Return the series that are named."""
        return [one for one in self.chart.series if len(one.x) and not one.faint]

    def _room_for_names(self, metrics: QFontMetricsF) -> float:
        """Return how high the names of the places along the axis are, upright; 0 where not all have room."""
        names = self.chart.x.names
        if not names or self.plot.width() / (len(names) + 1) < metrics.height() * 0.9:
            return 0.0
        return min(max(map(metrics.horizontalAdvance, names)) + 4, NAMES * self.rect.height())

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
        if self._titled:
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
                QRectF(self.rect.left(), y - height / 2, plot.left() - self.rect.left() - 6, height),
                RIGHT,
                _text(self.chart.y, value),
            )
        for value in _marks(self.chart.x):
            x = self.at(value, self.chart.y.low).x()
            painter.setPen(QPen(theme.color("handle"), 1))
            painter.drawLine(QPointF(x, plot.bottom()), QPointF(x, plot.bottom() + 3))
            painter.setPen(theme.color("muted"))
            text = _text(self.chart.x, value)
            painter.drawText(QRectF(x - 60, plot.bottom() + 4, 120, height), CENTER, text)
        self._paint_names(painter)
        below = QRectF(plot.left(), plot.bottom() + 4 + (self._named or height), plot.width(), height)
        painter.drawText(below, CENTER, self._fitted(self.chart.x.title, self.small, below.width()))
        painter.drawText(
            QRectF(self.rect.left() + 14, plot.top() - 1.5 * height - 3, 200, height),
            LEFT,
            self.chart.y.title,
        )

    def _paint_names(self, painter: QPainter) -> None:
        """Write the names of the places along the axis upright, where all of them have room."""
        if not self._named:
            return
        metrics = QFontMetricsF(self.small)
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
            size = max(POINT * min(self.rect.width() / ROOMY, 1.0), LEAST_POINT)
            half = (size if not quiet or len(points) == 1 else size * 2 / 3) / 2
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
        """Name the highest and the lowest where not all have room, beside their bars."""
        painter.setFont(self.small)
        painter.setPen(self.theme.color("muted"))
        height, beside = QFontMetricsF(self.small).height(), self.plot.width() / 2
        for at, side in ((0, LEFT), (-1, RIGHT)):
            point, value = points[at], float(series.y[at])
            if (value > 0) is (at == 0) and value:
                left = point.x() + wide if at == 0 else point.x() - wide - beside
                top = point.y() if at == 0 else point.y() - height
                painter.drawText(QRectF(left + 3, top, beside - 6, height), side, series.names[at])

    def _paint_labels(self, painter: QPainter) -> None:
        """Write the runs' names at the ends of their lines, moved apart where they would meet."""
        if self.chart.form is Form.BARS:
            return
        metrics = QFontMetricsF(self.small)
        height = metrics.height()
        listed = self._listed()
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
            room = QRectF(x, self.plot.bottom() + 4, self.rect.right() - x, height)
            painter.drawText(room, LEFT, left_out(more, room.width(), metrics.horizontalAdvance))

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
        yield from log_ticks(axis.low, axis.high)
        return
    if axis.low > 0:
        yield from ticks_between(axis.low, axis.high)
        return
    about = 2 if axis.low < 0 else 4  # on each side
    numbers = ticks(axis.high, about=about)
    found = [value for value in numbers if not axis.whole or value.is_integer()]
    yield from (-value for value in reversed(found) if value and -value >= axis.low)
    yield from (value for value in found if value >= axis.low)


def _text(axis: Axis, value: float) -> str:
    """Return what is written at a place of an axis."""
    return axis.labels[round(value) - 1] if axis.labels else written(value)


def _light(color: QColor) -> QColor:
    """Return what is behind the hatching of a bar."""
    light = QColor(color)
    light.setAlphaF(0.3)
    return light


def _hatch(painter: QPainter, bar: QRectF) -> None:
    """Hatch a bar with lines: a pattern would be a picture in a drawing."""
    painter.save()
    painter.setClipRect(bar, Qt.ClipOperation.IntersectClip)
    reach = bar.width() + bar.height()
    for at in np.arange(HATCH, reach, HATCH).tolist():
        painter.drawLine(QPointF(bar.left(), bar.top() + at), QPointF(bar.left() + at, bar.top()))
    painter.restore()


def written(value: float) -> str:
    """Write a number as it is read along an axis."""
    return (f"{value:,.0f}" if abs(value) >= 1000 else f"{value:g}").replace("-", "−")
