"""How long documents took in the order in which they were judged: points, and one's median as it went."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby, pairwise
from statistics import median

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF

from inexview.core.project.judging.quality_report import QualityReport
from inexview.core.wording import counted, duration
from inexview.gui.quality.distributions import BETWEEN, FOOT, LABELLED, ReportChart, apart, paint_ring

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
    return area.bottom() - area.height() * float(np.log(max(seconds, 1.0)) / np.log(highest))
