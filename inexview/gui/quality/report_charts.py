"""Charts of how documents were judged: time per document, passages, and times in the order of judging."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby, pairwise
from statistics import median

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy

from inexview.core.project.judging.quality_report import QualityReport, TimeBins
from inexview.core.wording import counted, duration
from inexview.gui.look.theme import Theme
from inexview.gui.look.widgets import PaintedChart, derived

HEIGHT, LOWEST, FOOT = 132, 84, 18
LABELLED = (5.0, 20.0, 60.0, 300.0)  # seconds at which the axis of times has a number
BINS = 14
BETWEEN = 8  # pixels between two labels of an axis, at least
MOST_PASSAGES = 8  # that have a bar of their own


def apart(places: Sequence[float], least: float) -> list[int]:
    """Return which of these places, in their order, are so far from each other that each has a label."""
    kept: list[int] = []
    for at, place in enumerate(places):
        if not kept or abs(places[kept[-1]] - place) >= least:
            kept.append(at)
    return kept


class ReportChart(PaintedChart):
    """A chart as wide as its panel."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setMaximumHeight(HEIGHT)

    def sizeHint(self) -> QSize:
        return QSize(260, HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, LOWEST)

    def _axis(self, painter: QPainter, room: float = 0.0) -> QRectF:
        """Draw the foot, and return where bars are; ``room`` pixels are left at the right."""
        area = QRectF(0, 20, self.width() - room, self.height() - 20 - FOOT)
        painter.setPen(QPen(self.theme.color("muted"), 1))
        painter.drawLine(area.bottomLeft(), area.bottomRight())
        painter.setFont(derived(self.font(), factor=0.85))
        return area

    def _number(self, painter: QPainter, x: float, y: float, text: str) -> None:
        wide = painter.fontMetrics().horizontalAdvance(text) + 1
        left = min(max(x - wide / 2, 0.0), self.width() - wide)
        painter.drawText(QRectF(left, y, wide, FOOT), int(Qt.AlignmentFlag.AlignTop), text)


class TimeChart(ReportChart):
    """How many documents took how long, relevant ones below the others; listed ones have a ring."""

    def __init__(self) -> None:
        super().__init__("Time per document")
        self._bins = TimeBins.empty(BINS, 600.0)
        self._median: float | None = None
        self._listed: list[float] = []

    def show_report(self, report: QualityReport, listed: Sequence[str]) -> None:
        times = report.times
        self._bins = report.times_in(BINS)
        relevant = [time for id, time in times.items() if id in report.relevant]
        others = [time for id, time in times.items() if id not in report.relevant]
        self._median = report.median_time
        self._listed = [times[id] for id in dict.fromkeys(listed) if id in times]
        told = "" if self._median is None else f", median {duration(self._median)}"
        groups = [f"{counted(len(times), 'document')}{told}", *in_groups(relevant, others)]
        self.setAccessibleDescription("; ".join([*groups, f"{len(self._listed):,} listed"]))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area, theme = self._axis(painter), self.theme
        painter.setPen(theme.color("muted"))
        labelled = [seconds for seconds in LABELLED if seconds < self._bins.edges[-1]]
        places = [self._x(area, seconds) for seconds in labelled]
        widest = max(painter.fontMetrics().horizontalAdvance(duration(seconds)) for seconds in labelled)
        for at in apart(places, widest + BETWEEN):
            self._number(painter, places[at], area.bottom() + 4, duration(labelled[at]))
        bins, both = self._bins, self._bins.both
        highest = max(*both, 1)
        width = area.width() / BINS
        for at in range(BINS):
            bottom = area.bottom()
            for count, token in ((bins.relevant[at], "finished"), (bins.others[at], "track")):
                height = area.height() * count / highest
                if height:
                    bar = QRectF(at * width + 1, bottom - height, width - 2, height)
                    painter.fillRect(bar, theme.color(token))
                    painter.setPen(QPen(theme.color("handle"), 1))
                    painter.drawRect(bar)
                bottom -= height
        self._draw_median(painter, area)
        stacked = dict.fromkeys(range(BINS), 0)
        for seconds in self._listed:
            at = bins.bin_of(seconds)
            top = area.height() * both[at] / highest
            stacked[at] += 1
            height = min(top - 4 + 10 * stacked[at], area.height())
            paint_ring(painter, QPointF((at + 0.5) * width, area.bottom() - height), theme)

    def _draw_median(self, painter: QPainter, area: QRectF) -> None:
        if self._median is None:
            return
        x = self._x(area, self._median)
        painter.setPen(QPen(self.theme.color("text"), 1.4, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(x, 4), QPointF(x, area.bottom()))
        painter.setFont(derived(self.font(), factor=0.85, bold=True))
        painter.setPen(self.theme.color("text"))
        text = f"median {duration(self._median)}"
        room = painter.fontMetrics().horizontalAdvance(text)
        painter.drawText(QPointF(x + 5 if x + 5 + room < area.right() else x - 5 - room, 13), text)

    def _x(self, area: QRectF, seconds: float) -> float:
        low, high = math.log(self._bins.edges[0]), math.log(self._bins.edges[-1])
        return area.left() + area.width() * (math.log(max(seconds, 1.0)) - low) / (high - low)


def in_groups(relevant: Sequence[float], others: Sequence[float]) -> list[str]:
    """Say in words how many documents took how many seconds, and how many of them are relevant."""
    told = []
    for low, high in pairwise((0.0, *LABELLED, math.inf)):
        both = [sum(low <= time < high for time in times) for times in (relevant, others)]
        until = f"under {duration(high)}" if high < math.inf else f"{duration(low)} or more"
        name = until if not low or high == math.inf else f"{duration(low)} to {duration(high)}"
        if any(both):
            told.append(f"{name}: {sum(both):,}, {both[0]:,} relevant")
    return told


def paint_ring(painter: QPainter, middle: QPointF, theme: Theme) -> None:
    """Draw the ring of a document that the report lists."""
    painter.setPen(QPen(theme.color("accent"), 1.6))
    painter.setBrush(theme.color("window"))
    painter.drawEllipse(middle, 3.5, 3.5)


class PassageChart(ReportChart):
    """How many relevant documents have one passage, two, and so on."""

    def __init__(self) -> None:
        super().__init__("Passages per relevant document")
        self._counts = [0] * (MOST_PASSAGES + 1)

    def show_report(self, report: QualityReport) -> None:
        self._counts = report.passage_counts(MOST_PASSAGES)
        last = f"{MOST_PASSAGES} or more passages"
        told = [
            f"{last if passages == MOST_PASSAGES else counted(passages, 'passage')}: {count:,}"
            for passages, count in enumerate(self._counts)
            if passages and count
        ]
        whole = counted(len(report.passages), "relevant document")
        self.setAccessibleDescription("; ".join([whole, *told]))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area, theme = self._axis(painter), self.theme
        width = area.width() / MOST_PASSAGES
        highest = max(*self._counts[1:], 1)
        for passages in range(1, MOST_PASSAGES + 1):
            count = self._counts[passages]
            middle = (passages - 0.5) * width
            height = area.height() * count / highest
            bar = QRectF(middle - width * 0.36, area.bottom() - height, width * 0.72, height)
            painter.fillRect(bar, theme.color("mark_edge"))
            painter.setPen(theme.color("muted"))
            name = f"{passages}+" if passages == MOST_PASSAGES else str(passages)
            self._number(painter, middle, area.bottom() + 4, name)
            if count:
                painter.setPen(theme.color("text"))
                self._number(painter, middle, bar.top() - 16, f"{count:,}")


AROUND = 7  # documents before and behind one that its median takes in
RIGHT = 38  # pixels for the numbers of the axis


DAY_FORMS = ("{0:%a} {0.day} {0:%b}", "{0:%a} {0.day}", "{0:%a}")  # as there is room below the days


def day_names(day: date) -> list[str]:
    """Return what a day is called, the longest first: Mon 23 Nov, Mon 23, Mon."""
    return [form.format(day) for form in DAY_FORMS]


@dataclass(frozen=True, slots=True)
class JudgedPoint:
    """A document in the order of judging."""

    seconds: float
    relevant: bool
    listed: bool
    day: date | None


class JudgingOrder(ReportChart):
    """One point for each document whose time is known; the time goes up, by its logarithm."""

    def __init__(self) -> None:
        super().__init__("In the order judged")
        self._points: list[JudgedPoint] = []
        self._medians: list[float] = []

    def show_report(self, report: QualityReport, listed: Sequence[str]) -> None:
        """Show other times; the documents that are ``listed`` get a ring."""
        rings = frozenset(listed)
        self._points = [
            JudgedPoint(seconds, id in report.relevant, id in rings, report.days.get(id))
            for id, seconds in report.times.items()
        ]
        self._medians = running_medians([point.seconds for point in self._points])
        self.setAccessibleDescription(self._in_words())
        self.update()

    def _in_words(self) -> str:
        """Say how the median went, and how long documents took each day."""
        if not self._points:
            return ""
        told = [f"your median went from {duration(self._medians[0])} to {duration(self._medians[-1])}"]
        for day, points in groupby(self._points, lambda point: point.day):
            times = [point.seconds for point in points]
            when = "at an unknown time" if day is None else day_names(day)[0]
            told.append(f"{when}: {counted(len(times), 'document')}, median {duration(median(times))}")
        listed = sum(point.listed for point in self._points)
        return "; ".join([*told, f"{listed:,} listed"])

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area, theme = self._axis(painter, RIGHT), self.theme
        highest = max([320.0, *(point.seconds for point in self._points)])
        self._paint_times(painter, area, highest)
        self._paint_days(painter, area)
        places = [
            QPointF(self._x(area, at), _y(area, point.seconds, highest))
            for at, point in enumerate(self._points)
        ]
        for place, point in zip(places, self._points, strict=True):
            painter.setPen(QPen(theme.color("finished" if point.relevant else "handle"), 1))
            painter.setBrush(painter.pen().color())
            if point.relevant:
                painter.drawEllipse(place, 1.5, 1.5)
            else:
                painter.drawRect(QRectF(place.x() - 1, place.y() - 1, 2, 2))
        line = [
            QPointF(place.x(), _y(area, middle, highest))
            for place, middle in zip(places, self._medians, strict=True)
        ]
        painter.setPen(QPen(theme.color("text"), 1.4))
        painter.drawPolyline(QPolygonF(line))
        for place, point in zip(places, self._points, strict=True):
            if point.listed:
                paint_ring(painter, place, theme)

    def _paint_times(self, painter: QPainter, area: QRectF, highest: float) -> None:
        painter.setPen(self.theme.color("muted"))
        heights = [_y(area, seconds, highest) for seconds in LABELLED]
        for at in apart(heights, painter.fontMetrics().height()):
            y = heights[at]  # the tick ends at the frame: beside a number it would be a minus sign
            painter.drawLine(QPointF(area.right() - 3, y), QPointF(area.right(), y))
            painter.drawText(QPointF(area.right() + 5, y + 4), duration(LABELLED[at]))

    def _paint_days(self, painter: QPainter, area: QRectF) -> None:
        """Part the days by lines, and name each below its own points, where there is room."""
        days = [point.day for point in self._points]
        cuts = [0, *(at for at, (one, other) in enumerate(pairwise(days), 1) if one != other), len(days)]
        spans = [(begin, end, days[begin]) for begin, end in pairwise(cuts) if begin < end]
        form = self._form(painter, area, spans)
        for begin, end, day in spans:
            left, right = self._x(area, begin - 0.5), self._x(area, end - 0.5)
            if begin:
                painter.setPen(QPen(self.theme.color("line"), 1))
                painter.drawLine(QPointF(left, area.top()), QPointF(left, area.bottom()))
            if day is not None and self._fits(painter, area, day_names(day)[form], end - begin):
                painter.setPen(self.theme.color("muted"))
                self._number(painter, (left + right) / 2, self.height() - FOOT + 4, day_names(day)[form])

    def _form(self, painter: QPainter, area: QRectF, spans: Sequence[tuple[int, int, date | None]]) -> int:
        """Return which of a day's names fits below every day, or is the shortest."""
        for form in range(len(DAY_FORMS)):
            names = ((end - begin, day_names(day)[form]) for begin, end, day in spans if day is not None)
            if all(self._fits(painter, area, name, count) for count, name in names):
                return form
        return len(DAY_FORMS) - 1

    def _fits(self, painter: QPainter, area: QRectF, name: str, count: int) -> bool:
        """Tell whether a name has room below so many documents."""
        room = self._x(area, count) - self._x(area, 0)
        return painter.fontMetrics().horizontalAdvance(name) + BETWEEN < room

    def _x(self, area: QRectF, at: float) -> float:
        return area.left() + area.width() * (at + 0.5) / max(len(self._points), 1)


def running_medians(times: Sequence[float]) -> list[float]:
    """Return for each time the median of the times around it."""
    return [median(times[max(at - AROUND, 0) : at + AROUND + 1]) for at in range(len(times))]


def _y(area: QRectF, seconds: float, highest: float) -> float:
    """Return how far down a time is, from one second at the foot to the longest at the top."""
    return area.bottom() - area.height() * math.log(max(seconds, 1.0)) / math.log(highest)
