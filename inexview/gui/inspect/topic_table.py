"""The table of topics and runs: a row for each judged topic, a column for each run, and a difference."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache

from PySide6.QtCore import QModelIndex, QObject, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView

from inexview.core.evaluation.run_derivations import TOPICS
from inexview.core.open_runs.scoring import (
    DIFFERENCE,
    SHARES,
    TOPIC,
    TopicColumn,
    TopicOrder,
    TopicRow,
    TopicSheet,
)
from inexview.core.report import difference_text
from inexview.core.wording import counted
from inexview.gui.inspect.run_scoring import FigureAsked, FigureClicks, FigureLevel, FigureOf
from inexview.gui.look.panels import Index, PaintedPlaces, PaintedTable, RowCells, RowHeader, RowTableModel
from inexview.gui.look.theme import Theme, paint_run_shape, run_color
from inexview.gui.look.widgets import CUT, LEFT, RIGHT, derived, write


class TopicModel(RowTableModel):
    """The rows of the table: topic, a value for each run, the difference."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.sheet = TopicSheet()
        self.order = TopicOrder.LARGEST
        self.by: tuple[str, bool] | None = None
        """Key of the column that sorts, and whether it descends; None for the order of the menu."""
        self.filter = ""
        self._unordered = self.sheet
        self.largest = 0.0
        """The largest absolute difference."""

    def set_sheet(self, sheet: TopicSheet) -> None:
        if sheet != self._unordered:
            self._unordered = sheet
            self._put_in_order()

    def _put_in_order(self) -> None:
        self.beginResetModel()
        self.sheet = self.arranged(self._unordered).filtered(self.filter)
        known = (abs(row.difference) for row in self.all_rows if not math.isnan(row.difference))
        self.largest = max(known, default=0.0)
        self.endResetModel()

    @property
    def all_rows(self) -> tuple[TopicRow, ...]:
        """The topics, including those that the filter hides."""
        return self._unordered.rows

    def arranged(self, sheet: TopicSheet) -> TopicSheet:
        """Return a sheet with its topics in the order of the rows."""
        if self.by is None or self.by[0] not in sheet.keys:
            return sheet.ordered(self.order)
        return sheet.sorted_by(self.by[0], descending=self.by[1])

    def set_order(self, order: TopicOrder) -> None:
        self.order, self.by = order, None
        self._put_in_order()

    def sort_by(self, section: int) -> None:
        """Sort by a column, values descending and topics ascending; reverse the order if sorted by it."""
        key = self.sheet.keys[section]
        falling = not self.by[1] if self.by is not None and self.by[0] == key else key != TOPIC
        self.by = key, falling
        self._put_in_order()

    def set_filter(self, typed: str) -> None:
        self.filter = typed
        self._put_in_order()

    def row_of(self, topic: str | None) -> int:
        """Return the row of a topic, -1 if it is not shown."""
        return next((at for at, row in enumerate(self.sheet.rows) if row.topic == topic), -1)

    @property
    def rows(self) -> tuple[TopicRow, ...]:
        return self.sheet.rows

    @property
    def headings(self) -> tuple[str, ...]:
        return self.sheet.keys

    def value(self, row: int, column: int) -> float:
        """Return the value of a topic in a column, NaN if there is none."""
        return self.sheet.every[column - 1].values.get(self.sheet.rows[row].topic, math.nan)

    @property
    def counts_differ(self) -> bool:
        """Whether a mean is over fewer topics than are judged, so that numbers of topics are shown."""
        sheet = self.sheet
        return sheet.lacks_topics or any(map(self.lacks, sheet.columns))

    def lacks(self, run: TopicColumn) -> bool:
        """Return whether the mean of a run is over fewer topics than are judged."""
        return run.topics < self.sheet.total

    def is_best(self, row: int, column: int) -> bool:
        """Return whether a run has the highest value of a topic, if there are several runs."""
        best = self.sheet.best.get(self.sheet.rows[row].topic, 0.0)
        return self.value(row, column) == best > 0

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        column = index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(index.row(), column)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self.name(column)} {self.text(index.row(), column)}".strip()
        if role == Qt.ItemDataRole.ToolTipRole and 0 < column <= len(self.sheet.columns):
            value, name = self.value(index.row(), column), self.name(column)
            return f"{name} has no result" if math.isnan(value) else f"{name}: {value:.6f}"
        return None

    def name(self, column: int) -> str:
        return self.sheet.every[column - 1].name if column else TOPIC

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Return the heading of a column, or its tooltip with the topics of the mean."""
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return (
                f"{self.name(section)}, mean {self.sheet.every[section - 1].mean_text}" if section else TOPIC
            )
        if role != Qt.ItemDataRole.ToolTipRole:
            return None
        if self.sheet.keys[section] in SHARES:
            return SHARES[self.sheet.keys[section]].replace("in front", f"by {self.sheet.columns[0].name}")
        if section > len(self.sheet.columns):
            over = f"{self.sheet.compared} of {counted(self.sheet.total, 'topic')}, which both runs have"
            return f"Δ mean over {over}" if self.sheet.lacks_topics else None
        if section:
            run = self.sheet.columns[section - 1]
            over = f"{run.topics} of {counted(self.sheet.total, 'topic')}"
            return f"{run.name}: mean over {over}" if self.lacks(run) else run.name
        topics, hidden = counted(self.sheet.total, "judged topic"), self.sheet.hidden
        said = f"{topics}: the rows below; each mean is over those that the run has"
        some = f"\n{counted(hidden, 'further run')} in the list on the left: click one to show it"
        return said + (some if hidden else "")

    def text(self, row: int, column: int) -> str:
        topic = self.sheet.rows[row]
        return (
            self.sheet.every[column - 1].text(topic.topic)
            if column
            else f"{topic.topic} {topic.title}".strip()
        )


FIGURE = 52  # of the last column, for the number
BARS_LEFT, BARS_RIGHT = 14, 4  # pixels around the bars, before the figures on both sides
PAIR_GAP = 7  # between the columns of the pair and those of other runs
LEAST_BAR = 14  # pixels on each side of zero
STRONGEST = 0.30  # opacity of the shade of the highest value
CENTER = Qt.AlignmentFlag.AlignCenter


class TopicCells(RowCells):
    """Paints topics, values, and differences with their bars."""

    def __init__(self, model: TopicModel) -> None:
        super().__init__()
        self._model = model

    def paint(self, painter: QPainter, places: PaintedPlaces) -> None:
        sheet = self._model.sheet
        places.paint_selected(painter, self.theme)
        self._paint_topics(painter, places)
        self._paint_values(painter, places)
        if sheet.paired:
            self._paint_differences(painter, places)
        self._paint_shares(painter, places)
        places.paint_lines(painter, self.theme)

    def _paint_topics(self, painter: QPainter, places: PaintedPlaces) -> None:
        small = derived(places.font, factor=0.92)
        plain, bold = (derived(places.font, factor=0.95, bold=bold) for bold in (False, True))
        rows, measured, titled = self._model.sheet.rows, QFontMetricsF(small), QFontMetricsF(plain)
        rooms = [places.cell(row, 0).adjusted(8, 0, -6, 0) for row in places.rows]
        painter.setFont(small)
        painter.setPen(self.theme.color("muted"))
        for row, room in zip(places.rows, rooms, strict=True):
            painter.drawText(room, LEFT, rows[row].topic)
            room.setLeft(room.left() + measured.horizontalAdvance(rows[row].topic) + 7)
        painter.setPen(self.theme.color("text"))
        for row, room in zip(places.rows, rooms, strict=True):
            selected = row in places.selected
            painter.setFont(bold if selected else plain)
            metrics = QFontMetricsF(bold) if selected else titled
            painter.drawText(room, LEFT, metrics.elidedText(rows[row].title, CUT, room.width()))

    def _paint_values(self, painter: QPainter, places: PaintedPlaces) -> None:
        """Paint first all shades and then all figures, grouped by font and colour."""
        sheet = self._model.sheet
        figures: dict[tuple[bool, bool], list[tuple[QRectF, str]]] = defaultdict(list)
        hatched = QBrush(self.theme.color("line"), Qt.BrushStyle.BDiagPattern)
        for column in range(1, len(sheet.columns) + 1):
            gap = after_pair(sheet, column)
            for row in places.rows:
                value = self._model.value(row, column)
                cell = places.cell(row, column).adjusted(gap, 0, 0, 0)
                known = not math.isnan(value)
                if not known:
                    painter.fillRect(cell, hatched)
                elif row not in places.selected:
                    painter.fillRect(cell, shade(self.theme, value / sheet.highest))
                look = self._model.is_best(row, column), known and not self.stale
                figures[look].append((cell, self._model.text(row, column)))
        for (best, fresh), cells in figures.items():
            painter.setFont(derived(places.font, factor=0.95, bold=best))
            painter.setPen(self.theme.color("text" if fresh else "muted"))
            for cell, said in cells:
                painter.drawText(cell, CENTER, said)

    def _paint_differences(self, painter: QPainter, places: PaintedPlaces) -> None:
        sheet, column = self._model.sheet, len(self._model.sheet.columns) + 1
        painter.setFont(derived(places.font, factor=0.95))
        painter.setPen(self.theme.color("muted" if self.stale else "text"))
        cells = [(places.cell(row, column), sheet.rows[row].difference) for row in places.rows]
        for cell, value in cells:
            painter.drawText(cell.adjusted(0, 0, -6, 0), RIGHT, difference_text(value))
        half = half_of_bars(places.columns[column][1])
        largest, handle = self._model.largest, self.theme.color("handle")
        if half < LEAST_BAR or not largest:  # there is space for the figures only
            return
        for cell, value in cells:
            if math.isnan(value):
                continue
            middle = cell.left() + BARS_LEFT + half
            painter.fillRect(QRectF(middle, cell.top(), 1, cell.height()), handle)
            width = abs(value) / largest * half
            bar = QRectF(middle if value >= 0 else middle - width, cell.center().y() - 5, width, 10)
            fill_difference(painter, bar, value, self.theme, sheet.columns[0].style, sheet.columns[1].style)

    def _paint_shares(self, painter: QPainter, places: PaintedPlaces) -> None:
        """Paint the shares of judged documents muted: they show how reliable the figures are."""
        sheet = self._model.sheet
        painter.setFont(derived(places.font, factor=0.95))
        painter.setPen(self.theme.color("muted"))
        for column in range(1, len(sheet.keys)):
            for row in places.rows if sheet.keys[column] in SHARES else ():
                room = places.cell(row, column).adjusted(0, 0, -6, 0)
                painter.drawText(room, RIGHT, self._model.text(row, column))


def after_pair(sheet: TopicSheet, column: int) -> int:
    """Return the gap to the left of a column, which the first run after the pair has."""
    return PAIR_GAP if sheet.paired and column == 3 and column <= len(sheet.columns) else 0


def half_of_bars(width: float) -> float:
    """Return the width of bars on each side of zero in a column of differences."""
    return (width - FIGURE - BARS_LEFT - BARS_RIGHT) / 2


def shade(theme: Theme, share: float) -> QColor:
    """Return the grey-blue behind a value, stronger for values nearer to the highest."""
    return _shade(theme.accent, theme.muted, round(255 * STRONGEST * min(max(share, 0.0), 1.0)))


@lru_cache(maxsize=256)
def _shade(one: str, other: str, alpha: int) -> QColor:
    """Return the colour half way between two, with an opacity."""
    red, green, blue = ((a + b) // 2 for a, b in zip(_rgb(QColor(one)), _rgb(QColor(other)), strict=True))
    return QColor(red, green, blue, alpha)


def _rgb(color: QColor) -> tuple[int, int, int]:
    return color.red(), color.green(), color.blue()


def fill_difference(
    painter: QPainter, bar: QRectF, value: float, theme: Theme, first: int, second: int
) -> None:
    """Fill the bar of a difference: solid in the first run's colour, hatched in the second's."""
    if value >= 0:
        painter.fillRect(bar, run_color(theme, first))
        return
    light = run_color(theme, second)
    light.setAlphaF(0.35)
    painter.fillRect(bar, light)
    painter.fillRect(bar, QBrush(run_color(theme, second), Qt.BrushStyle.BDiagPattern))


WORD_END = re.compile(r"[-_./ ]|(?<=[a-z0-9])(?=[A-Z])")  # within the name of a run
VALUE_WIDTH, WIDEST_VALUE = 54, 100  # with this space, names of runs fit into one line
DIFFERENCE_WIDTH, LEAST_DIFFERENCE = 156, 62  # minimum for the bold mean, without bars
BETTER_THERE = "better"
SIGN, SIGN_GAP = 8, 3  # pixels: the shape of a run, and the gap after it
LEAST_TOPIC = 66  # pixels, in the narrowest window
TOPIC_WIDTH, COMFORTABLE_TOPIC = 190, 300  # minimum, and the width before runs get more space
TOPIC_SHARE = 0.3  # of the width, up to the comfortable width
BAR = 12  # pixels at the right for the scroll bar, even if there is none
SHARE_WIDTH = 56  # of a share of judged documents
FALLING, RISING, ARROW = "▾", "▴", 12
ROW = 25
HEAD = 86
NAME_LINES = 3
COUNTS = 14  # pixels of the line with the number of topics of each mean, if these differ


class TopicHeader(RowHeader):
    """Shape, name and mean of each run; a click sorts, Shift+click makes a run the baseline."""

    def __init__(self, table: TopicTable) -> None:
        super().__init__(table)
        self._table = table
        self.shifted = False
        self.setFixedHeight(HEAD)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Note whether Shift is held; a click on a mean selects no run."""
        if self.figure_at(event.position().toPoint()) is not None:
            return
        self.shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        super().mousePressEvent(event)

    def figure_at(self, at: QPoint) -> FigureAsked | None:
        """Return the mean at a point, or the difference of the two runs' means."""
        model, section = self._table.model(), self.logicalIndexAt(at)
        if at.y() < self.height() - ROW - self.counts_height or section < 0:
            return None
        if section == 0:
            return FigureAsked(FigureLevel.RUN, TOPICS)
        if model.sheet.keys[section] in SHARES:
            return None
        if section > len(model.sheet.columns):
            return FigureAsked(FigureLevel.RUN, of=FigureOf.LEAD)
        return FigureAsked(FigureLevel.RUN, run=model.sheet.columns[section - 1].key)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        model = self._table.model()
        painter.save()
        theme, columns = self.theme, model.sheet.columns
        rect = rect.adjusted(after_pair(model.sheet, section), 0, 0, 0)
        high = ROW + self.counts_height
        foot = QRect(rect.left(), rect.bottom() - high, rect.width(), high)
        painter.fillRect(rect.left(), foot.top() - 1, rect.width(), 1, theme.color("line"))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme.color("handle"))
        small, bold = derived(self.font(), factor=0.88), derived(self.font(), factor=0.95, bold=True)
        head = rect.adjusted(0, 2, 0, -high - 3)
        counts, foot = foot.adjusted(0, ROW - 3, 0, -2), foot.adjusted(0, 0, 0, -self.counts_height)
        muted, text = theme.color("muted"), theme.color("text")
        if section == 0:
            self._paint_topics(painter, head, foot, small, bold)
            if self.counts_height:
                write(painter, counts.adjusted(8, 0, -2, 0), "topics of each mean", small, muted)
            painter.restore()
            return
        column = model.sheet.every[section - 1]
        side, right = (CENTER, 0) if section <= len(columns) else (RIGHT, -6)
        if section <= len(columns):
            self._paint_run(painter, head, column, pair=section <= 2 and model.sheet.paired)
        elif column.key == DIFFERENCE:
            self._paint_sides(painter, head, small)
        else:
            brief, fit = derived(self.font(), factor=0.85), Qt.AlignmentFlag.AlignBottom
            wide = QFontMetrics(brief).horizontalAdvance(column.key)
            words = column.key.replace("@", "\n@") if wide > head.width() else column.key
            painter.setFont(brief)
            painter.setPen(muted)
            room = head.adjusted(0, 0, -6, -2)
            painter.drawText(room, int(Qt.AlignmentFlag.AlignRight | fit), f"{words}{self._arrow(section)}")
        share = column.key in SHARES
        mean_font = derived(self.font(), factor=0.95) if share else bold
        write(
            painter,
            foot.adjusted(0, 0, right, 0),
            column.mean_text,
            mean_font,
            muted if share else text,
            side,
        )
        if self.counts_height and not share:
            token = "warning" if column.topics < model.sheet.total else "muted"
            room = counts.adjusted(0, 0, right, 0)
            write(painter, room, str(column.topics), small, theme.color(token), side)
        painter.restore()

    def _paint_topics(self, painter: QPainter, head: QRect, foot: QRect, small: QFont, bold: QFont) -> None:
        """Paint what the table shows, and over how many topics, as fully as fits."""
        sheet, theme = self._table.model().sheet, self.theme
        room = head.adjusted(8, 0, -2, -2)
        named = longest(QFontMetrics(small), sheet.named, room.width() - ARROW)
        bottom = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom
        write(painter, room, f"{named}{self._arrow(0)}", small, theme.color("muted"), bottom)
        topics = "" if self.counts_height else counted(sheet.total, "topic")
        if len(sheet.rows) < sheet.total:
            topics = f"{topics}, {len(sheet.rows):,} shown".removeprefix(", ")
        room = foot.adjusted(8, 0, -2, 0)
        texts = (f"mean  {topics}".rstrip(), *filter(None, (topics, "mean")))
        write(painter, room, longest(QFontMetrics(bold), texts, room.width()), bold, theme.color("text"))

    def _arrow(self, section: int) -> str:
        """Return the arrow of the column that sorts, "" for other columns."""
        model = self._table.model()
        if model.by is None or model.by[0] != model.sheet.keys[section]:
            return ""
        return FALLING if model.by[1] else RISING

    def _paint_run(self, painter: QPainter, head: QRect, run: TopicColumn, *, pair: bool) -> None:
        """Paint shape and name, those of the pair in their colours."""
        model = self._table.model()
        if model.by is not None and model.by[0] == run.key:
            painter.setFont(derived(self.font(), factor=0.85))
            painter.setPen(self.theme.color("text"))
            side = QRect(head.center().x() + 5, head.top(), head.width() // 2, 13)
            painter.drawText(side, LEFT, FALLING if model.by[1] else RISING)
        color = run_color(self.theme, run.style)
        paint_run_shape(painter, run.style, QRectF(head.center().x() - 4, head.top() + 2, 9, 9), color)
        painter.setFont(derived(self.font(), factor=0.85, bold=pair))
        painter.setPen(color if pair else self.theme.color("muted"))
        words = head.adjusted(1, 13, -1, 0)
        lines = name_lines(painter.fontMetrics(), run.name, words.width())
        painter.drawText(words, CENTER, "\n".join(lines))

    def _paint_sides(self, painter: QPainter, head: QRect, font: QFont) -> None:
        """Paint the name of the difference, and on which side of zero each run of the pair is better."""
        muted, bottom = self.theme.color("muted"), Qt.AlignmentFlag.AlignBottom
        sorts = self._arrow(len(self._table.model().sheet.columns) + 1)
        side = Qt.AlignmentFlag.AlignRight | bottom
        write(painter, head.adjusted(0, 0, -6, -2), f"Δ{sorts}", font, muted, side)
        half = half_of_bars(head.width())
        wide = QFontMetricsF(font).horizontalAdvance(BETTER_THERE)
        if half + BARS_LEFT < wide + SIGN + 3 * SIGN_GAP:
            return
        middle = head.left() + BARS_LEFT + half
        first, second = (column.style for column in self._table.model().sheet.columns[:2])
        line = QFontMetricsF(font).height()
        for style, left in ((second, middle - SIGN_GAP - wide - SIGN - SIGN_GAP), (first, middle + SIGN_GAP)):
            top = head.bottom() - 2 - (line + SIGN) / 2
            paint_run_shape(painter, style, QRectF(left, top, SIGN, SIGN), run_color(self.theme, style))
            room = QRectF(left + SIGN + SIGN_GAP, head.top(), wide + 1, head.height() - 2)
            write(painter, room, BETTER_THERE, font, muted, Qt.AlignmentFlag.AlignLeft | bottom)

    @property
    def counts_height(self) -> int:
        return COUNTS if self._table.model().counts_differ else 0

    def fit_height(self) -> None:
        """Make space for the numbers of topics if there are any."""
        self.setFixedHeight(HEAD + self.counts_height)


def longest(metrics: QFontMetrics, texts: Sequence[str], room: int) -> str:
    """Return the first of some texts, in order of decreasing length, that fits."""
    return next((text for text in texts if metrics.horizontalAdvance(text) <= room), texts[-1])


def name_lines(metrics: QFontMetrics, name: str, room: int, most: int = NAME_LINES) -> tuple[str, ...]:
    """Return the lines of a run's name, broken only at ends of words; if cut, its end stays."""
    if metrics.horizontalAdvance(name) <= room:
        return (name,)
    for end in reversed([found.end() for found in WORD_END.finditer(name)]) if most > 1 else ():
        if metrics.horizontalAdvance(name[:end].rstrip()) <= room:
            return name[:end].rstrip(), *name_lines(metrics, name[end:], room, most - 1)
    return (metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, room),)


class TopicTable(PaintedTable):
    """The table: arrow keys change the topic, Enter or a click opens it; a click on a value derives it."""

    header: TopicHeader
    opened = Signal(object)  # topic
    went_to = Signal(object)  # the topic selected by the keyboard
    seen = Signal()  # the visible rows changed
    room_changed = Signal()  # the number of runs that fit changed

    def __init__(self, model: TopicModel) -> None:
        super().__init__("Topics and runs", TopicCells(model), height=ROW)
        self._model = model
        self._room: tuple[int, tuple[str, ...]] = 0, ()
        self.shares: tuple[str, ...] = tuple(SHARES)
        """The shares of judged documents to show."""
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.header = TopicHeader(self)
        self.setHorizontalHeader(self.header)
        self.setModel(model)
        self.clicked.connect(self._open)
        self.selectionModel().currentRowChanged.connect(self._tell)
        self.verticalScrollBar().valueChanged.connect(lambda _value: self.seen.emit())
        model.modelReset.connect(self.header.fit_height)
        model.modelReset.connect(self.fit)

    def model(self) -> TopicModel:
        return self._model

    def room_for_runs(self) -> int:
        """Return how many runs fit next to topic and difference."""
        topic = min(max(int(self._wide() * TOPIC_SHARE), TOPIC_WIDTH), COMFORTABLE_TOPIC)
        beside = topic + PAIR_GAP + DIFFERENCE_WIDTH + SHARE_WIDTH * len(self.shares_shown)
        return max((self._wide() - beside) // VALUE_WIDTH, 2)

    @property
    def shares_shown(self) -> tuple[str, ...]:
        """The shares of judged documents to show, if four runs fit next to them."""
        beside = TOPIC_WIDTH + PAIR_GAP + DIFFERENCE_WIDTH + 4 * VALUE_WIDTH
        return self.shares if self._wide() >= beside + SHARE_WIDTH * len(self.shares) else ()

    def _wide(self) -> int:
        return self.width() - BAR

    def fit(self) -> None:
        """Set the widths of the columns; the topic gets the rest."""
        sheet, columns = self._model.sheet, self._model.columnCount()
        runs, gaps = len(sheet.columns), [after_pair(sheet, column) for column in range(columns)]
        width = self._wide() - sum(gaps) - SHARE_WIDTH * (len(sheet.others) - sheet.paired)
        beside = width - TOPIC_WIDTH - VALUE_WIDTH * runs
        last = min(max(beside, LEAST_DIFFERENCE), DIFFERENCE_WIDTH) if sheet.paired else 0
        spare = (width - COMFORTABLE_TOPIC - last) // max(runs, 1)
        value = min(max(spare, VALUE_WIDTH), WIDEST_VALUE)
        for column in range(1, columns):
            share = sheet.keys[column] in SHARES
            wide = value if column <= runs else SHARE_WIDTH if share else last
            self.setColumnWidth(column, gaps[column] + wide)
        if columns:
            self.setColumnWidth(0, max(width - value * runs - last, LEAST_TOPIC))
        self.seen.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        room = self.room_for_runs(), self.shares_shown
        if room != self._room:
            self._room = room
            self.room_changed.emit()
        self.fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.opened.emit(self._model.sheet.rows[self.currentIndex().row()].topic)
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        return QSize(700, 600)

    def _open(self, index: QModelIndex) -> None:
        """Open a topic; not from a figure, which a click derives."""
        if self._figure_of(index) is None:
            self.opened.emit(self._model.sheet.rows[index.row()].topic)

    def offer_figures(self, clicks: FigureClicks) -> None:
        clicks.watch(self.viewport(), lambda at: self._figure_of(self.indexAt(at)), menu=False)
        clicks.watch(self.header.viewport(), self.header.figure_at)

    def _figure_of(self, index: QModelIndex) -> FigureAsked | None:
        sheet, column = self._model.sheet, index.column()
        if column < 1:
            return None
        topic = sheet.rows[index.row()].topic
        if sheet.keys[column] in SHARES:
            return None
        if column > len(sheet.columns):
            lead = FigureAsked(FigureLevel.TOPIC, of=FigureOf.LEAD, topic=topic)
            return None if math.isnan(sheet.rows[index.row()].difference) else lead
        known = not math.isnan(self._model.value(index.row(), column))
        return (
            FigureAsked(FigureLevel.TOPIC, run=sheet.columns[column - 1].key, topic=topic) if known else None
        )

    def _tell(self, current: QModelIndex) -> None:
        if current.isValid():
            self.went_to.emit(self._model.sheet.rows[current.row()].topic)
