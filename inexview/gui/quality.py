"""The quality report of a topic: charts of how it was judged, its questions, and the place of each."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from html import escape
from itertools import groupby, pairwise
from statistics import median

from PySide6.QtCore import QObject, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QFontMetrics,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLabel,
    QListView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from inexview.core.collection.collection import Collection
from inexview.core.errors import InexviewError
from inexview.core.progress import Progress
from inexview.core.project.document_state import DocumentState
from inexview.core.project.quality_report import (
    JudgedDocument,
    QualityFinding,
    QualityQuestion,
    QualityReport,
    TimeBins,
    report_quality,
)
from inexview.core.text.search import Span
from inexview.core.text.spans import Offsets, Spans
from inexview.core.wording import counted, duration, percent
from inexview.gui.look.panels import FittingArea, Index, ListModel, ProgressRing, RowRole, ScrollingPanel
from inexview.gui.look.theme import READING_FAMILIES, Theme, Themed
from inexview.gui.look.widgets import (
    CUT,
    RIGHT,
    Caption,
    ElidedLabel,
    Filler,
    KeyButton,
    PaintedChart,
    Recolored,
    breakable,
    derived,
    in_column,
    in_row,
    label,
    paint_focus,
    rule,
    write,
)
from inexview.gui.services.actions import ActionBook, Room
from inexview.gui.services.session import Session
from inexview.gui.services.tasks import LongTask, Tasks

HEIGHT, LOWEST, FOOT = 132, 84, 18
LABELLED = (5.0, 20.0, 60.0, 300.0)  # seconds at which the axis of times has a number
BINS = 14
BETWEEN = 8  # pixels between two labels of an axis, at least
MOST_PASSAGES = 8  # that have a bar of their own


def apart(places: Sequence[float], least: float) -> list[int]:
    """Return the places, in order, that are far enough apart to be labelled."""
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
        """Draw the bottom axis, and return the area of the bars; ``room`` pixels stay free at the right."""
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
    """Histogram of judging times, relevant documents at the bottom; listed documents have a ring."""

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
    """Return in words how many documents took how long, and how many of them are relevant."""
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
    """The number of relevant documents with one passage, two passages, and so on."""

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
        self.setAccessibleDescription("; ".join([counted(len(report.passages), "relevant document"), *told]))
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


NEIGHBOURS = 7  # documents before and behind one that its median takes in
NUMBERS = 38  # pixels for the numbers of the axis


DAY_FORMS = ("{0:%a} {0.day} {0:%b}", "{0:%a} {0.day}", "{0:%a}")  # by the space below the days


def day_names(day: date) -> list[str]:
    """Return the labels of a day, longest first: Mon 23 Nov, Mon 23, Mon."""
    return [form.format(day) for form in DAY_FORMS]


@dataclass(frozen=True, slots=True)
class JudgedPoint:
    """A document in the order of judging."""

    seconds: float
    relevant: bool
    listed: bool
    day: date | None


class JudgingOrder(ReportChart):
    """One point for each document with a known time, on a logarithmic axis."""

    def __init__(self) -> None:
        super().__init__("In the order judged")
        self._points: list[JudgedPoint] = []
        self._medians: list[float] = []

    def show_report(self, report: QualityReport, listed: Sequence[str]) -> None:
        """Show times; ``listed`` documents get a ring."""
        rings = frozenset(listed)
        self._points = [
            JudgedPoint(seconds, id in report.relevant, id in rings, report.days.get(id))
            for id, seconds in report.times.items()
        ]
        self._medians = running_medians([point.seconds for point in self._points])
        self.setAccessibleDescription(self._in_words())
        self.update()

    def _in_words(self) -> str:
        """Return the medians and the times of each day in words."""
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
        area, theme = self._axis(painter, NUMBERS), self.theme
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
            y = heights[at]  # the tick ends at the frame: next to a number it would look like a minus sign
            painter.drawLine(QPointF(area.right() - 3, y), QPointF(area.right(), y))
            painter.drawText(QPointF(area.right() + 5, y + 4), duration(LABELLED[at]))

    def _paint_days(self, painter: QPainter, area: QRectF) -> None:
        """Separate the days by lines, and label each below its points if there is room."""
        days = [point.day for point in self._points]
        cuts = [0, *(at for at, (one, other) in enumerate(pairwise(days), 1) if one != other), len(days)]
        spans = [(begin, end, days[begin]) for begin, end in pairwise(cuts) if begin < end]
        forms = range(len(DAY_FORMS))
        form = next((one for one in forms if self._all_fit(painter, area, spans, one)), forms[-1])
        for begin, end, day in spans:
            left, right = self._x(area, begin - 0.5), self._x(area, end - 0.5)
            if begin:
                painter.setPen(QPen(self.theme.color("line"), 1))
                painter.drawLine(QPointF(left, area.top()), QPointF(left, area.bottom()))
            if day is not None and self._fits(painter, area, day_names(day)[form], end - begin):
                painter.setPen(self.theme.color("muted"))
                self._number(painter, (left + right) / 2, self.height() - FOOT + 4, day_names(day)[form])

    def _all_fit(
        self, painter: QPainter, area: QRectF, spans: Sequence[tuple[int, int, date | None]], form: int
    ) -> bool:
        named = ((end - begin, day_names(day)[form]) for begin, end, day in spans if day is not None)
        return all(self._fits(painter, area, name, count) for count, name in named)

    def _fits(self, painter: QPainter, area: QRectF, name: str, count: int) -> bool:
        """Return whether a name fits below this many documents."""
        room = self._x(area, count) - self._x(area, 0)
        return painter.fontMetrics().horizontalAdvance(name) + BETWEEN < room

    def _x(self, area: QRectF, at: float) -> float:
        return area.left() + area.width() * (at + 0.5) / max(len(self._points), 1)


def running_medians(times: Sequence[float]) -> list[float]:
    """Return the running median of the times."""
    return [median(times[max(at - NEIGHBOURS, 0) : at + NEIGHBOURS + 1]) for at in range(len(times))]


def _y(area: QRectF, seconds: float, highest: float) -> float:
    """Return the y position of a time: one second at the bottom, the longest at the top."""
    return area.bottom() - area.height() * math.log(max(seconds, 1.0)) / math.log(highest)


HEADING, LINE, SIGN, TITLE_SHARE = 46, 31, 24, 0.32
LEAST_TITLE = 190  # pixels, where that is not more than half
LEAST_TOLD = 90  # pixels of width below which the title replaces the question

HINTS = {
    QualityQuestion.SECONDS: "more than 3,000 characters in under 5 s",
    QualityQuestion.FAST: "under a quarter of what relevant ones take you",
    QualityQuestion.SLOW: "over four times what relevant ones take you",
    QualityQuestion.ENTRY_POINT: "allowed, and seldom meant",
    QualityQuestion.SLIP: "mostly a slip of the pen",
    QualityQuestion.WHOLE: "often right when it is short",
    QualityQuestion.SENTENCES: "the context may make the difference",
}


@dataclass(frozen=True, slots=True)
class ReportLine:
    """A heading with the number of its lines, or one finding."""

    question: QualityQuestion
    count: int = 0
    finding: QualityFinding | None = None
    title: str = ""
    settled: bool = False

    def __str__(self) -> str:
        """Return the finding in one line, for screen readers."""
        if self.finding is None:
            return f"{self.question.value}, {self.count}"
        told = f"{self.title}: {self.finding.told}, {self.finding.figure}"
        return f"{told}, right as it is" if self.settled else told


class FindingModel(ListModel[ReportLine]):
    """All lines; headings cannot be selected."""

    def set_findings(
        self, findings: Sequence[QualityFinding], title: Callable[[str], str], settled: Callable[[str], bool]
    ) -> None:
        """Show findings, or update which of them are settled."""
        lines = []
        for question in QualityQuestion:
            asked = [finding for finding in findings if finding.question is question]
            if asked:
                lines.append(ReportLine(question, len(asked)))
            lines += [ReportLine(question, 0, one, title(one.document), settled(one.key)) for one in asked]
        self.set_rows(lines)

    def next_open(self, row: int) -> int:
        """Return the row of the next open finding after a row, wrapping around; -1 if there is none."""
        places = [*range(row, len(self.rows)), *range(row)]
        asked = (at for at in places if self.rows[at].finding is not None and not self.rows[at].settled)
        return next(asked, -1)

    def flags(self, index: Index) -> Qt.ItemFlag:
        heading = self.rows[index.row()].finding is None
        return Qt.ItemFlag.NoItemFlags if heading else super().flags(index)


class FindingDelegate(Themed, QStyledItemDelegate):
    """Paints a :class:`ReportLine`."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Headings have space above."""
        line: ReportLine = index.data(RowRole)
        return QSize(200, HEADING if line.finding is None else LINE)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line: ReportLine = index.data(RowRole)
        painter.save()
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # titles in their own direction
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if line.finding is None:
            self._heading(painter, option, line)
        else:
            self._finding(painter, option, line, line.finding)
        painter.restore()

    def _heading(self, painter: QPainter, option: QStyleOptionViewItem, line: ReportLine) -> None:
        rect = option.rect.adjusted(10, 14, -10, 0)
        painter.setPen(QPen(self.theme.color("line"), 1))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        bold, text, count = derived(option.font, bold=True), self.theme.color("text"), f"{line.count:,}"
        write(painter, rect, count, bold, text, RIGHT)
        metrics = painter.fontMetrics()
        free = rect.adjusted(0, 0, -metrics.horizontalAdvance(count) - 10, 0)
        write(painter, free, line.question.value, bold, text, shorten=CUT)
        begin = metrics.horizontalAdvance(line.question.value) + 10
        small = derived(option.font, factor=0.92)
        room, hint = rect.adjusted(begin, 0, -30, 0), HINTS[line.question]
        if QFontMetrics(small).horizontalAdvance(hint) <= room.width():
            write(painter, room, hint, small, self.theme.color("muted"))

    def _finding(
        self, painter: QPainter, option: QStyleOptionViewItem, line: ReportLine, finding: QualityFinding
    ) -> None:
        theme, rect = self.theme, option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.color("selected"))
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), theme.color("accent"))
        if option.state & QStyle.StateFlag.State_HasFocus:
            paint_focus(painter, QRectF(rect), theme)
        inside = rect.adjusted(12, 0, -10, 0)
        self._sign(painter, inside, settled=line.settled)
        color = theme.color("muted" if line.settled else "text")
        write(painter, inside, finding.figure, derived(option.font, bold=not line.settled), color, RIGHT)
        right = painter.fontMetrics().horizontalAdvance(finding.figure) + 14
        width = min(max(round(TITLE_SHARE * inside.width()), LEAST_TITLE), inside.width() // 2)
        if inside.width() - right - width < LEAST_TOLD:  # the panel beside the list shows it
            width = inside.width() - right
        title = inside.adjusted(SIGN, 0, 0, 0)
        title.setWidth(width - SIGN - 10)
        plain = derived(option.font)
        write(painter, title, line.title, plain, color, shorten=CUT)
        told = inside.adjusted(width, 0, -right, 0)
        if told.width() >= LEAST_TOLD:
            write(painter, told, finding.told, plain, theme.color("muted"), shorten=CUT)

    def _sign(self, painter: QPainter, inside: QRect, *, settled: bool) -> None:
        """Draw a ring for a question, a tick for an answer."""
        at, middle = inside.left() + 6, inside.center().y()
        if settled:
            painter.setPen(QPen(self.theme.color("finished"), 1.6))
            painter.drawLine(at - 4, middle, at - 1, middle + 3)
            painter.drawLine(at - 1, middle + 3, at + 4, middle - 3)
        else:
            painter.setPen(QPen(self.theme.color("muted"), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QRect(at - 5, middle - 5, 10, 10))


AROUND = 90  # characters shown before and after a place
LONGEST = 420  # characters of a place that are shown
APART = 18  # pixels between two excerpts
RULE = "The guide says: judge each fragment on its own merit, also the twentieth time."


@dataclass(frozen=True, slots=True)
class Excerpt:
    """An excerpt to show: the text of the document, its marks, and the place.

    ``lines`` are the offsets, int64, of visible line starts; the text may have no line break there.
    """

    document: str
    title: str
    text: str
    lines: Offsets
    marks: Spans
    start: int
    end: int


class PlacePanel(Recolored, QWidget):
    """The excerpts of a question, and its two answer buttons."""

    opened = Signal(object)  # (document id, start, end)

    def __init__(self, open_there: QAction, settle: QAction) -> None:
        super().__init__()
        self.setProperty("role", "chrome")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._excerpts: Sequence[Excerpt] = ()
        self._caption = Caption("This place")
        self._told = label("", "", wrap=True)
        self._text = QLabel(wordWrap=True, textFormat=Qt.TextFormat.RichText)
        self._text.linkActivated.connect(self._open)
        self._rule = label(RULE, "muted", wrap=True)
        self._left = label("", "note", wrap=True)
        inside = QWidget()
        inside.setProperty("role", "chrome")
        in_column(self._told, self._text, self._rule, Filler(1), on=inside, margins=(0, 0, 4, 0), spacing=10)
        outer = in_column(
            self._caption, (FittingArea(inside), 1000), Filler(1), self._left, on=self, margins=14, spacing=9
        )
        self._answers = (
            KeyButton("Open there", open_there, primary=True, key="Enter"),
            KeyButton("Correct, next", settle),
        )
        for answer in self._answers:
            outer.addWidget(answer)
        self.wear()

    def show_place(self, told: str, excerpts: Sequence[Excerpt], *, shared: bool) -> None:
        self._told.setText(told)
        self._excerpts = excerpts
        among = f"This place · {counted(len(excerpts), 'document')}" if shared else "This place"
        self._caption.set_text(among)
        self._rule.setVisible(shared)
        self.recolor()

    def show_left(self, count: int, found: int) -> None:
        """Show the number of open questions; hide the answer buttons without any."""
        for answer in self._answers:
            answer.setVisible(found > 0)
        self._left.setText(f"{count:,} to review; you can export at any time" if count else "")

    def recolor(self) -> None:
        self._text.setText("".join(self._paragraph(at, one) for at, one in enumerate(self._excerpts)))

    def _paragraph(self, at: int, one: Excerpt) -> str:
        theme = self.theme
        end = min(one.end, one.start + LONGEST)
        low, high = _at_words(one.text, max(one.start - AROUND, 0), one.start, end)
        begins = "… " if low else ""
        ends = " …" if high < len(one.text) else ""
        body = _marked(one, low, high, theme)
        marked = bool(one.marks.clip(one.start, max(one.end, one.start + 1)))
        stands = "marked" if marked else "not marked"
        color, shape = (theme.finished, "●") if marked else (theme.muted, "○")
        sign = f'<span style="color:{color}">{shape}</span>'
        look = f"color:{theme.text}; text-decoration:none"
        above = APART if at else 0
        head = (
            f'<table width="100%" cellspacing="0" cellpadding="0" style="margin-top:{above}px">'
            f"<tr><td>{sign} "
            f'<a href="{at}" style="{look}"><b>{escape(breakable(one.title))}</b></a>'
            f' <span style="color:{theme.muted}">{stands}</span></td>'
            f'<td align="right" style="color:{theme.muted}; padding-left:8px">{one.start:,}</td></tr></table>'
        )
        read = (
            f"<span style=\"font-family:'{READING_FAMILIES[0]}'; font-size:14px\">{begins}{body}{ends}</span>"
        )
        return f'{head}<p style="margin-top:6px; margin-bottom:0; line-height:130%">{read}</p>'

    def _open(self, link: str) -> None:
        one = self._excerpts[int(link)]
        self.opened.emit((one.document, one.start, one.end))


def _at_words(text: str, low: int, start: int, end: int) -> tuple[int, int]:
    """Return the start and end of an excerpt from ``low`` that cuts no word around the place.

    Without spaces, as in Chinese, the excerpt has its maximum length.
    """
    high = min(end + AROUND, len(text))
    if low:
        low = text.find(" ", low, start) + 1 or low
    if high < len(text):
        space = text.rfind(" ", end, high)
        high = high if space < 0 else space
    return low, high


def _marked(one: Excerpt, low: int, high: int, theme: Theme) -> str:
    """Return an excerpt as rich text, with its marks."""
    lines = [int(at) for at in one.lines[bisect_right(one.lines, low) :] if at < high]
    parts, at = [], low
    for start, end in one.marks.clip(low, high):
        look = f"background:{theme.mark}; text-decoration:underline"  # not by colour alone
        marked = f'<span style="{look}">{_in_lines(one.text, lines, start, end)}</span>'
        parts += [_in_lines(one.text, lines, at, start), marked]
        at = end
    return "".join([*parts, _in_lines(one.text, lines, at, high)])


def _in_lines(text: str, lines: Sequence[int], low: int, high: int) -> str:
    """Return text with the line breaks that the reader sees, so that titles stand on their own lines."""
    inside = [at for at in lines if low <= at < high]
    return "<br>".join(escape(breakable(text[start:end])) for start, end in pairwise([low, *inside, high]))


UNTIMED = "How long they took is not known: they were not judged here."
SIDES = ((220, 318), (240, 328))  # pixels, least and most of left and right
SHARES = (3, 4, 3)  # of the width, if it is smaller
INSIDE = 10  # pixels from the edge of the list to its words: the heading is in line with them
ROOM_FOR_EXPORT = 1000  # pixels from which the button is beside the title


class FindingView(QListView):
    """The list; Return opens the place, arrows go from line to line."""

    moved = Signal(object)  # ReportLine | None
    chosen = Signal(object)  # ReportLine

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self.moved.emit(current.data(RowRole) if current.isValid() else None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the current line visible."""
        super().resizeEvent(event)
        self.scrollTo(self.currentIndex())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return opens the place; letters stay shortcuts of the window."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.chosen.emit(self.currentIndex().data(RowRole))
        elif event.text().isprintable() and event.text():
            event.ignore()
        else:
            super().keyPressEvent(event)


class QualityPage(Recolored, QWidget):
    """Shows a report; the controller answers its questions."""

    def __init__(self, book: ActionBook) -> None:
        super().__init__()
        self.setProperty("role", "page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._ring = ProgressRing()
        self._finished, self._pace = ElidedLabel(role="value"), ElidedLabel(role="muted")
        self._times, self._order, self._passages = TimeChart(), JudgingOrder(), PassageChart()
        self._legends = {self._times: label("", "note"), self._order: label("", "note")}
        self._figures = {name: label("", "value") for name in ("Passages", "Marked", "Median passage")}
        self._parts: dict[QWidget, QWidget] = {}  # each chart's, with its heading
        self._untimed = label(UNTIMED, "note", wrap=True)
        self._pool = Caption("Pool")
        self._over, self._title = Caption("Quality report"), label("", "report-title", wrap=True)
        self._told, self._unread = label("", "lead", wrap=True), ""
        self.model = FindingModel(self)
        self.view = FindingView()
        self._delegate = FindingDelegate(self.view)
        self.view.setModel(self.model)
        self.view.setItemDelegate(self._delegate)
        self.view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setAccessibleName("Places that may be worth a second look")
        self.place = PlacePanel(book["open-finding"], book["right-as-it-is"])
        self._build(book)
        self.wear()

    def _build(self, book: ActionBook) -> None:
        left = ScrollingPanel(self._left())
        for widget, (least, most) in zip((left, self.place), SIDES, strict=True):
            widget.setMinimumWidth(least)
            widget.setMaximumWidth(most)
        in_row(
            (left, SHARES[0]),
            rule(upright=True),
            (self._middle(book), SHARES[1]),
            rule(upright=True),
            (self.place, SHARES[2]),
            on=self,
            margins=0,
            spacing=0,
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the export button if the title needs its space."""
        super().resizeEvent(event)
        self._export.setVisible(self.width() >= ROOM_FOR_EXPORT)

    def _left(self) -> QWidget:
        """Return the figures of the pool."""
        left = QWidget()
        left.setProperty("role", "chrome")
        left.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        far = in_row(self._ring, (in_column(self._finished, self._pace, spacing=1), 1))
        column = in_column(self._pool, far, on=left, margins=14, spacing=9)
        charts = (self._times, self._order, self._passages)
        for chart, brief in zip(charts, ("Times", "In order", "Passages"), strict=True):
            legend = (self._legends[chart],) if chart in self._legends else ()
            heading = Caption(chart.accessibleName(), briefer=(brief,))
            part = self._parts[chart] = QWidget()
            in_column(in_row((heading, 1), *legend), chart, on=part, margins=(0, 10, 0, 0), spacing=9)
            column.addWidget(part)
            if chart is self._order:
                column.addWidget(self._untimed)
        column.addSpacing(10)
        for name, value in self._figures.items():
            column.addLayout(in_row((label(name), 1), value))
        column.addStretch(1)
        return left

    def _middle(self, book: ActionBook) -> QVBoxLayout:
        """Return the findings under their heading."""
        self._export = KeyButton("Export qrels…", book["export-qrels"])
        self._export.setMaximumWidth(190)
        above = in_row(
            (in_column(self._over, self._title), 1), (self._export, 0, Qt.AlignmentFlag.AlignBottom)
        )
        return in_column(
            in_column(above, self._told, margins=(INSIDE, 0, INSIDE, 0), spacing=12),
            (self.view, 1),
            margins=(34, 16, 34, 10),
            spacing=12,
        )

    def recolor(self) -> None:
        ring = f'<span style="color:{self.theme.accent}">○</span>'
        relevant = f'<span style="color:{self.theme.finished}">■</span> relevant'
        for chart, text in (
            (self._times, f"{relevant} &nbsp;□ not"),
            (self._order, f"— median &nbsp;{ring} listed"),
        ):
            self._legends[chart].setTextFormat(Qt.TextFormat.RichText)
            self._legends[chart].setText(text)

    def show_reading(self, topic: str) -> None:
        self._over.set_text(f"Quality report · topic {topic}")
        self._title.setText("Reading what is judged…")
        self._told.setText("")

    def show_report(self, report: QualityReport, documents: int, unread: int) -> None:
        """Show the report of a pool; ``unread`` finished documents are not in it."""
        relevant, finished = len(report.relevant), report.finished
        whole = max(documents, 1)
        self._ring.set_parts(relevant / whole, (finished - relevant) / whole)
        self._finished.set_text(f"{relevant:,} relevant, {finished - relevant:,} not")
        middle = report.median_time
        spent = sum(report.times.values())
        days = len({*report.days.values()})
        over = f" in {days} days" if days > 1 else ""
        self._pace.set_text("" if middle is None else f"{duration(spent)}{over} · {duration(middle)} each")
        self._pool.set_text(f"Pool · {counted(documents, 'document')}")
        every = "The document is finished" if documents == 1 else f"All {documents:,} documents are finished"
        some = f"{finished:,} of {documents:,} documents are finished"
        self._title.setText(every if finished == documents else some)
        lacking = f" {counted(unread, 'finished document')} cannot be read: not in these figures."
        self._unread = lacking if unread else ""
        for chart in (self._times, self._order):
            self._parts[chart].setVisible(bool(report.times))
        self._parts[self._passages].setVisible(bool(report.sizes))
        self._untimed.setVisible(bool(finished) and not report.times)
        listed = [finding.document for finding in report.findings]
        self._times.show_report(report, listed)
        self._order.show_report(report, listed)
        self._passages.show_report(report)
        marked = sum(report.sizes)
        share = marked / report.characters if report.characters else 0.0
        passages = f"{len(report.sizes):,} in {counted(relevant, 'document')}"
        size = f"{median(report.sizes):,.0f} characters" if report.sizes else "–"
        told = passages, f"{marked:,} characters ({percent(share, 1)})", size
        for value, text in zip(self._figures.values(), told, strict=True):
            value.setText(text)
        self._figures["Marked"].setToolTip(f"of the {report.characters:,} in relevant documents")

    def show_left(self, left: int, found: int) -> None:
        """Show the number of open questions."""
        seen = f" You have answered {found - left:,}." if found > left else ""
        asked = (
            f"{counted(found, 'place')} may need a second look. Each is a question: change the judgement, or "
            f"confirm that it is right.{seen}"
            if found
            else "No judgement needs a second look."
        )
        self._told.setText(asked + self._unread)
        self.place.show_left(left, found)

    def finding(self) -> QualityFinding | None:
        index = self.view.currentIndex()
        line: ReportLine | None = index.data(RowRole) if index.isValid() else None
        return None if line is None else line.finding

    def go_to(self, row: int) -> None:
        """Highlight a line; the first one if the row does not exist."""
        row = row if row >= 0 else self.model.next_open(0)
        if row >= 0:
            self.view.setCurrentIndex(self.model.index(row))


@dataclass(frozen=True, slots=True)
class FinishedDocument:
    """The judgement of a document, its time in seconds, and its date."""

    id: str
    state: DocumentState
    seconds: float
    time: datetime


class QualityController(QObject):
    """Shows the quality report; it is made again each time the page opens."""

    room = Room.REPORT
    wanted = Signal(object)  # bool: open the page, or close it
    place_wanted = Signal(object)  # (document id, (start, end))

    def __init__(self, session: Session, tasks: Tasks, book: ActionBook) -> None:
        super().__init__(session)
        self._session = session
        self._tasks = tasks
        self.active = False
        self._making: LongTask | None = None
        self._report: QualityReport | None = None
        self._documents: dict[str, JudgedDocument] = {}
        self._book = book
        session.topic_changed.connect(lambda _topic: self._make() if self.active else None)

    @cached_property
    def page(self) -> QualityPage:
        page = QualityPage(self._book)
        page.view.moved.connect(self._show_place)
        page.view.chosen.connect(lambda _line: self.open())
        page.view.clicked.connect(lambda _index: page.view.setFocus())
        page.view.doubleClicked.connect(lambda _index: self.open())
        page.place.opened.connect(lambda place: self._go_to(place[0], place[1:]))
        return page

    def toggle(self) -> None:
        """Open the page, or close it."""
        self.wanted.emit(not self.active)

    def set_active(self, active: bool) -> None:
        self.active = active
        if active:
            self._make()
            self.page.view.setFocus()
        elif self._making is not None:
            self._making.cancel()
            self._making = None

    def dismiss(self) -> bool:
        """Close the page if it is open; return whether it was."""
        active = self.active
        if active:
            self.wanted.emit(False)
        return active

    # -- making --------------------------------------------------------------------------------------

    def _make(self) -> None:
        session, topic = self._session, self._session.topic
        if topic is None:
            return
        if self._making is not None:
            self._making.cancel()
        project = session.project
        finished = []
        for name in project.touched(topic.id):
            state, last = project.state(topic.id, name), project.histories.of(topic.id, name).to_undo
            if state.finished and last is not None:
                seconds = project.histories.log(topic.id, name).reading.seconds
                finished.append(FinishedDocument(name, state, seconds, datetime.fromisoformat(last.time)))
        finished.sort(key=lambda one: one.time)
        self._show_place(None)
        self.page.show_reading(topic.id)
        self._making = self._tasks.run_long(
            "Reading what is judged",
            lambda progress: read_and_report(project.collection, finished, progress),
            lambda made: self._take(made, len(finished)),
            given_up=lambda: self.wanted.emit(False),
        )

    def _take(self, made: tuple[Sequence[JudgedDocument], QualityReport], finished: int) -> None:
        self._making = None
        judged, self._report = made
        self._documents = {one.document.id: one for one in judged}
        self.page.show_report(self._report, len(self._session.pool), finished - len(judged))
        self._show_findings(0)

    def _show_findings(self, row: int) -> None:
        """Show which questions are answered, and go to the next open one."""
        if self._report is None:
            return
        findings = self._report.findings
        answered = {finding.key for finding in findings if self._is_answered(finding)}
        self.page.model.set_findings(findings, self._title, answered.__contains__)
        left = sum(finding.key not in answered for finding in findings)
        self.page.show_left(left, len(findings))
        self.page.go_to(self.page.model.next_open(row) if left else min(row, self.page.model.rowCount() - 1))

    def _title(self, document: str) -> str:
        return self._documents[document].document.title or document

    # -- answering -----------------------------------------------------------------------------------

    def _is_answered(self, finding: QualityFinding) -> bool:
        topic, histories = self._session.topic, self._session.project.histories
        return topic is not None and finding.key in histories.log(topic.id, finding.document).remarks.answered

    def settle(self) -> None:
        """Answer a question, or remove its answer."""
        finding = self.page.finding()
        if finding is None:
            return
        on = not self._is_answered(finding)
        self._session.record.answer(finding.document, finding.key, on=on)
        row = self.page.view.currentIndex().row()
        self._show_findings(row)
        if not on:
            self.page.go_to(row)
        self.page.view.setFocus()

    def open(self) -> None:
        if (finding := self.page.finding()) is not None:
            self._go_to(finding.document, finding.span)

    def _go_to(self, document: str, span: Span) -> None:
        self.wanted.emit(False)
        self.place_wanted.emit((document, span))

    # -- the place -----------------------------------------------------------------------------------

    def _show_place(self, line: ReportLine | None) -> None:
        finding = None if line is None else line.finding
        for name in ("open-finding", "right-as-it-is"):
            self._book[name].setEnabled(finding is not None)
        if finding is None:
            self.page.place.show_place("", (), shared=False)
            return
        if finding.sentence is None:
            excerpts = [self._excerpt(finding.document, *finding.span)]
            told = f"{finding.told}, {finding.figure}."
        else:
            places = finding.sentence.places
            excerpts = [self._excerpt(place.document, place.start, place.end) for place in places]
            told = f"The same sentence is {finding.figure} places."
        self.page.place.show_place(told, excerpts, shared=finding.sentence is not None)

    def _excerpt(self, document: str, start: int, end: int) -> Excerpt:
        one = self._documents[document]
        text, lines = one.document.text, one.document.blocks.starts
        return Excerpt(document, self._title(document), text, lines, one.state.marks, start, end)


def read_and_report(
    collection: Collection, finished: Sequence[FinishedDocument], progress: Progress
) -> tuple[list[JudgedDocument], QualityReport]:
    """Report on finished documents; those that cannot be read are skipped.  Raises Cancelled."""
    judged = []
    for at, one in enumerate(finished):
        progress("documents", at, len(finished))
        try:
            document = collection.load(one.id)
        except InexviewError:
            continue
        judged.append(JudgedDocument(document, one.state, one.seconds, one.time.astimezone().date()))
    return judged, report_quality(judged)
