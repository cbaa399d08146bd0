"""Paints a chart: in its window, in a panel, into a picture or a file."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPolygonF

from inexview.core.evaluation.charts import Axis, Chart, ChartSeries, Form
from inexview.core.text.spans import Floats
from inexview.gui.look.theme import DASHES, Theme, paint_run_shape, run_color
from inexview.gui.look.widgets import LEFT, RIGHT, derived

LEAST = 3
"""With fewer numbers than these no value can be read off an axis."""
_STEPS = (5.0, 2.0, 1.0)
_WITHIN = (1, 2, 5)  # of a power of ten, along a logarithmic axis of few powers


def ticks(high: float, *, about: int = 4) -> tuple[float, ...]:
    """Return round numbers from 0 up to at most ``high``, some ``about`` of them.

    Their steps are 1, 2 or 5 times a power of ten.
    """
    if not high > 0 or not math.isfinite(high):
        return (0.0,)
    return ticks_between(0.0, high, about=about)


def ticks_between(low: float, high: float, *, about: int = 4) -> tuple[float, ...]:
    """Return round numbers from ``low`` to ``high``, some ``about`` of them; of a single value, that.

    >>> ticks_between(0.31, 0.47)
    (0.35, 0.4, 0.45)
    >>> ticks_between(0, 0.72, about=3)
    (0.0, 0.2, 0.4, 0.6)
    """
    if high <= low:
        return (low,)
    rough = (high - low) / about
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * (1 - 1e-9))
    found = _multiples(low, high, step)
    while len(found) < LEAST:
        step = _finer(step)
        found = _multiples(low, high, step)
    return found


def log_ticks(low: float, high: float) -> tuple[float, ...]:
    """Return powers of ten from ``low`` (above 0) to ``high``, with 2 and 5 times these where there are few.

    >>> log_ticks(1, 40)
    (1.0, 2.0, 5.0, 10.0, 20.0)
    >>> log_ticks(0.5, 20000)
    (1.0, 10.0, 100.0, 1000.0, 10000.0)
    """
    if not 0 < low < high:
        return (low,)
    powers = [10.0**at for at in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)]
    for factors in ((1,), _WITHIN):
        numbers = (round(power * factor, 12) for power in powers for factor in factors)
        found = tuple(one for one in numbers if low * (1 - 1e-9) <= one <= high * (1 + 1e-9))
        if len(found) >= LEAST:
            return found
    return ticks_between(low, high)


def _multiples(low: float, high: float, step: float) -> tuple[float, ...]:
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return tuple(round(at * step, 12) for at in range(first, last + 1))


def _finer(step: float) -> float:
    """Return the next smaller step of 1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(step * (1 + 1e-9)))
    smaller = next((factor * power for factor in _STEPS if factor * power < step * (1 - 1e-9)), None)
    return power / 2 if smaller is None else smaller


def kept_ends(matters: Sequence[bool], room: int) -> list[int]:
    """Return which of the names are written where there is room for so many: first those that matter.

    >>> kept_ends([False, True, False, False], 2)
    [0, 1]
    """
    order = sorted(range(len(matters)), key=lambda at: not matters[at])
    return sorted(order[: max(room, 0)])


def named_ends(matters: Sequence[bool], room: int) -> tuple[list[int], int]:
    """Return which names are written, and how many are not; a line is left to say that there are more.

    >>> named_ends([False, True, False], 3)
    ([0, 1, 2], 0)
    >>> named_ends([False, True, False], 2)
    ([1], 2)
    """
    kept = kept_ends(matters, room if len(matters) <= room else room - 1)
    return kept, len(matters) - len(kept)


def left_out(more: int, room: float, width: Callable[[str], float]) -> str:
    """Return how many names are not written, in the longest words for which there is room.

    >>> [left_out(56, room, len) for room in (11, 8, 3)]
    ['and 56 more', '56 more', '+56']
    """
    said = (f"and {more} more", f"{more} more", f"+{more}")
    return next((words for words in said if width(words) <= room), said[-1])


def apart(places: Sequence[float], height: float, low: float) -> list[float]:
    """Return places from the top at least a height apart, and none below ``low`` if they fit above it.

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


LABELS = 0.4  # of the width at most, right of the plot, for the names at the line ends
AIR = 10.0  # pixels on both sides of such a name
SMALLER = 0.85  # of the font: the letters of a small chart
NAMES = 0.3  # of the height at most, below the plot, for names that stand upright
HATCH = 4.0  # pixels between two lines of a hatching
POINT, LEAST_POINT, ROOMY = 9.0, 4.0, 760.0  # pixels of a point, at the least, and of a chart that has room
REACH = 24.0  # pixels between the pointer and the value that it means, at most
CENTER = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop


class ChartPainter:
    """A chart laid out in a rectangle, with a font and a theme."""

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

        A ``small`` chart is part of a panel: it has no titles and no page behind it, and fewer numbers.
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
                (metrics.horizontalAdvance(text) for _, text in _marks(chart.y, 3 if small else 4)),
                default=0.0,
            )
            + air
        )
        names = () if chart.form is Form.BARS else [one.name for one in self._listed()]
        longest = max(map(metrics.horizontalAdvance, names), default=0.0)
        if names and small and len(names) > int((rect.height() - top - bottom) / metrics.height()):
            longest = max(longest, metrics.horizontalAdvance(f"and {len(names)} more"))
        self._gap, self._sign = (12.0, 7.0) if small else (16.0, 8.0)  # beside the plot, and of a run's shape
        right = min(longest + self._gap + self._sign + AIR, LABELS * rect.width()) if longest else 12.0
        self.plot = rect.adjusted(left, top, -right, -bottom)
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

    def points(self, series: ChartSeries) -> list[QPointF]:
        """Return where the values of a series are."""
        across, up = self._places(series.x, series.y)
        return list(map(QPointF, across.tolist(), up.tolist()))

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
        painter.fillRect(self.rect, self.theme.color("page"))
        if self._titled:
            self._paint_titles(painter)
        self.paint_axes(painter)
        self.paint_curves(painter)
        self.paint_labels(painter)
        painter.restore()

    def paint_curves(self, painter: QPainter) -> None:
        """Paint the values of all series, quiet ones first."""
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
        """Return a text that is no wider than its room: names of runs are shortened before the rest is."""
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
        for value, text in _marks(self.chart.y, self._about):
            y = self.at(self.chart.x.low, value).y()
            grid.setColor(theme.color("line" if value or self._small else "handle"))
            if self._small:
                grid.setDashPattern([3, 3] if value else [1, 0])
            painter.setPen(grid)
            painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))
            painter.setPen(theme.color("muted"))
            room = QRectF(self.rect.left(), y - height / 2, plot.left() - self.rect.left() - 6, height)
            painter.drawText(room, RIGHT, text)
        for value, text in _marks(self.chart.x):
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
        """Write the names of the places along the axis upright, where all of them have room."""
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
        """Return the pen of a line: in a small chart the last one, which lies on top, is the strongest."""
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
        painter.setFont(self.small_font)
        painter.setPen(self.theme.color("muted"))
        height, beside = QFontMetricsF(self.small_font).height(), self.plot.width() / 2
        for at, side in ((0, LEFT), (-1, RIGHT)):
            point, value = points[at], float(series.y[at])
            if (value > 0) is (at == 0) and value:
                left = point.x() + wide if at == 0 else point.x() - wide - beside
                top = point.y() if at == 0 else point.y() - height
                painter.drawText(QRectF(left + 3, top, beside - 6, height), side, series.names[at])

    def paint_labels(self, painter: QPainter) -> None:
        """Write the runs' names at the ends of their lines, moved apart where they would meet."""
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
        """Mark the value that is read off."""
        place = self.at(float(series.x[at]), float(series.y[at]))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self.theme.color("line"), 1))
        painter.drawLine(QPointF(place.x(), self.plot.top()), QPointF(place.x(), self.plot.bottom()))
        painter.setPen(QPen(self.theme.color("page"), 1.5))
        painter.setBrush(run_color(self.theme, series.style))
        painter.drawEllipse(place, 5, 5)


def _marks(axis: Axis, about: int = 4) -> Sequence[tuple[float, str]]:
    """Return the places along an axis that are named: round numbers on both sides of 0, or powers of ten."""
    if axis.marks or not axis.ticks:
        return axis.marks
    if axis.labels:
        return list(enumerate(axis.labels, 1))
    if axis.logarithmic:
        values: Sequence[float] = log_ticks(axis.low, axis.high)
    elif axis.low > 0:
        values = ticks_between(axis.low, axis.high)
    else:
        above = ticks(axis.high, about=2 if axis.low < 0 else about)
        above = tuple(value for value in above if not axis.whole or value.is_integer())
        values = [-value for value in reversed(above) if value and -value >= axis.low]
        values += [value for value in above if value >= axis.low]
    return [(value, written(value)) for value in values]


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
