"""How topics × runs look: shaded values, the best in bold, and a bar that says for whom a topic speaks."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import cache

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
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from inexview.core.evaluation.pair_derivations import TOPICS
from inexview.gui.inspect.figure_asked import FigureAsked, FigureLevel, FigureOf
from inexview.gui.inspect.figure_clicks import FigureClicks
from inexview.gui.inspect.topic_model import RunColumn, TopicModel, difference_text
from inexview.gui.look.model_index import Index
from inexview.gui.look.panel_parts import CUT, LEFT, RIGHT, derived, write
from inexview.gui.look.row_table import set_up_rows
from inexview.gui.look.symbols import dot_under, paint_run_shape, run_color
from inexview.gui.look.theme import LIGHT, Theme

WORD_END = re.compile(r"[-_./ ]|(?<=[a-z0-9])(?=[A-Z])")  # within the name of a run
VALUE_WIDTH, WIDEST_VALUE = 56, 100  # with room, the names of runs stand in one line
DIFFERENCE_WIDTH = 156
FIGURE = 58  # of it, for the number
BETTER_THERE = "better"
SIGN, SIGN_GAP = 8, 3  # pixels: the shape of a run, and between it and what it is of
SIGN_ROOM = 6  # left of the bars
LEAST_BAR = 14  # pixels to each side of zero
LEAST_TOPIC = 66  # pixels: in the narrowest window
TOPIC_WIDTH, COMFORTABLE_TOPIC = 190, 300  # at least, and before the runs get more room
ROW = 25
HEAD = 74
STRONGEST = 0.30  # how much of its shade the highest value takes
CENTER = Qt.AlignmentFlag.AlignCenter


class TopicDelegate(QStyledItemDelegate):
    """Paints a topic, a value, or a difference with its bar."""

    def __init__(self, model: TopicModel, parent: QObject) -> None:
        super().__init__(parent)
        self._model = model
        self.theme: Theme = LIGHT
        self.stale = False
        self._fonts: tuple[QFont, tuple[QFont, QFont]] | None = None

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        rect, column = QRectF(option.rect), index.column()
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if selected:
            painter.fillRect(rect, self.theme.color("selected"))
        if column == 0:
            self._paint_topic(painter, rect, option, index, selected=selected)
        elif column <= len(self._model.sheet.columns):
            self._paint_value(painter, rect, option, index, selected=selected)
        else:
            self._paint_difference(painter, rect, option, index)
        painter.fillRect(QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1), self.theme.color("line"))
        painter.restore()

    def _paint_topic(
        self, painter: QPainter, rect: QRectF, option: QStyleOptionViewItem, index: Index, *, selected: bool
    ) -> None:
        row = self._model.sheet.rows[index.row()]
        if selected:
            painter.fillRect(QRectF(rect.left(), rect.top(), 3, rect.height()), self.theme.color("accent"))
        room = rect.adjusted(8, 0, -6, 0)
        small = derived(option.font, factor=0.92)
        write(painter, room, row.topic, small, self.theme.color("muted"))
        room.setLeft(room.left() + QFontMetricsF(small).horizontalAdvance(row.topic) + 7)
        font = derived(option.font, factor=0.95, bold=selected)
        write(painter, room, row.title, font, self.theme.color("text"), shorten=CUT)

    def _paint_value(
        self, painter: QPainter, rect: QRectF, option: QStyleOptionViewItem, index: Index, *, selected: bool
    ) -> None:
        row, column = index.row(), index.column()
        value = self._model.value(row, column)
        if math.isnan(value):
            painter.fillRect(rect, QBrush(self.theme.color("line"), Qt.BrushStyle.BDiagPattern))
        elif not selected:
            painter.fillRect(rect, shade(self.theme, value / self._model.sheet.highest))
        figure, best = self._fonts_of(option.font)
        painter.setFont(best if self._model.is_best(row, column) else figure)
        painter.setPen(self.theme.color("muted" if self.stale or math.isnan(value) else "text"))
        painter.drawText(rect, CENTER, str(index.data()))

    def _fonts_of(self, font: QFont) -> tuple[QFont, QFont]:
        """Return the fonts of a figure and of the best of a row, which hundreds of cells ask for."""
        if self._fonts is None or self._fonts[0] != font:
            made = derived(font, factor=0.95), derived(font, factor=0.95, bold=True)
            self._fonts = QFont(font), made
        return self._fonts[1]

    def _paint_difference(
        self, painter: QPainter, rect: QRectF, option: QStyleOptionViewItem, index: Index
    ) -> None:
        sheet = self._model.sheet
        value = sheet.rows[index.row()].difference
        font, color = derived(option.font, factor=0.95), self.theme.color("muted" if self.stale else "text")
        write(painter, rect.adjusted(0, 0, -6, 0), str(index.data()), font, color, RIGHT)
        largest = self._model.largest
        if math.isnan(value) or not largest:
            return
        half = half_of_bars(rect.width())
        if half < LEAST_BAR:  # there is room for the figure only
            return
        middle = rect.left() + 6 + half
        painter.fillRect(QRectF(middle, rect.top(), 1, rect.height()), self.theme.color("handle"))
        width = abs(value) / largest * half
        bar = QRectF(middle if value >= 0 else middle - width, rect.center().y() - 5, width, 10)
        fill_difference(painter, bar, value, self.theme, sheet.columns[0].style, sheet.columns[1].style)


def half_of_bars(width: float) -> float:
    """Return the room for bars to each side of zero in a column of differences."""
    return (width - FIGURE - 12) / 2


def shade(theme: Theme, share: float) -> QColor:
    """Return the quiet grey-blue behind a value: the stronger, the nearer it is to the highest."""
    return QColor(*_between(theme.accent, theme.muted), round(255 * STRONGEST * min(max(share, 0.0), 1.0)))


@cache
def _between(one: str, other: str) -> tuple[int, int, int]:
    """Return red, green and blue half way between two colours."""
    halves = ((a + b) // 2 for a, b in zip(_rgb(QColor(one)), _rgb(QColor(other)), strict=True))
    red, green, blue = halves
    return red, green, blue


def _rgb(color: QColor) -> tuple[int, int, int]:
    return color.red(), color.green(), color.blue()


def fill_difference(
    painter: QPainter, bar: QRectF, value: float, theme: Theme, first: int, second: int
) -> None:
    """Fill the bar of a difference: solid in the first run's colour, or hatched in the other's."""
    if value >= 0:
        painter.fillRect(bar, run_color(theme, first))
        return
    light = run_color(theme, second)
    light.setAlphaF(0.35)
    painter.fillRect(bar, light)
    painter.fillRect(bar, QBrush(run_color(theme, second), Qt.BrushStyle.BDiagPattern))


class TopicHeader(QHeaderView):
    """Shape, name and mean of each run; a click brings a run forward, Shift+click makes it the baseline."""

    def __init__(self, table: TopicTable) -> None:
        super().__init__(Qt.Orientation.Horizontal, table)
        self._table = table
        self.theme = LIGHT
        self.shifted = False
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.setFixedHeight(HEAD)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Note whether Shift is held; a click on a mean brings nothing forward."""
        if self.figure_at(event.position().toPoint()) is not None:
            return
        self.shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        super().mousePressEvent(event)

    def figure_at(self, at: QPoint) -> FigureAsked | None:
        """Return the mean at a point, or the difference of the two runs' means."""
        model, section = self._table.model(), self.logicalIndexAt(at)
        if at.y() < self.height() - ROW or section < 0:
            return None
        if section == 0:
            return FigureAsked(FigureLevel.RUN, TOPICS)
        if section > len(model.sheet.columns):
            return FigureAsked(FigureLevel.RUN, of=FigureOf.LEAD)
        return FigureAsked(FigureLevel.RUN, run=model.sheet.columns[section - 1].key)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        model = self._table.model()
        painter.save()
        theme, columns = self.theme, model.sheet.columns
        foot = QRect(rect.left(), rect.bottom() - ROW, rect.width(), ROW)
        painter.fillRect(rect.left(), foot.top() - 1, rect.width(), 1, theme.color("line"))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme.color("handle"))
        small, bold = derived(self.font(), factor=0.88), derived(self.font(), factor=0.95, bold=True)
        head = rect.adjusted(0, 2, 0, -ROW - 3)
        if 0 < section <= len(columns):
            self._paint_run(painter, head, columns[section - 1], pair=section <= 2 and model.sheet.paired)
            painter.setFont(bold)
            self._paint_mean(painter, foot, columns[section - 1])
        elif section == 0:
            painter.setFont(small)
            painter.setPen(theme.color("muted"))
            bottom = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom)
            room = head.adjusted(8, 0, -2, -2)
            painter.drawText(room, bottom, longest(painter.fontMetrics(), model.sheet.named, room.width()))
            painter.setFont(bold)
            painter.setPen(theme.color("text"))
            topics = f"{len(model.sheet.rows)} topics"
            room = foot.adjusted(8, 0, -2, 0)
            mean = longest(painter.fontMetrics(), (f"mean  {topics}", topics, "mean"), room.width())
            painter.drawText(room, LEFT, mean)
        else:
            self._paint_sides(painter, head, small)
            mean = difference_text(model.sheet.mean_difference, 4)
            write(painter, foot.adjusted(0, 0, -6, 0), mean, bold, theme.color("text"), RIGHT)
            if model.sheet.lacks_topics:
                painter.setFont(bold)
                dot_under(painter, foot.right() - 6, foot.center().y(), mean, theme)
        painter.restore()

    def _paint_run(self, painter: QPainter, head: QRect, run: RunColumn, *, pair: bool) -> None:
        """Paint shape and name, those of the pair in their colours."""
        color = run_color(self.theme, run.style)
        paint_run_shape(painter, run.style, QRectF(head.center().x() - 4, head.top() + 2, 9, 9), color)
        painter.setFont(derived(self.font(), factor=0.85, bold=pair))
        painter.setPen(color if pair else self.theme.color("muted"))
        words = head.adjusted(1, 13, -1, 0)
        lines = name_lines(painter.fontMetrics(), run.name, words.width())
        painter.drawText(words, CENTER, "\n".join(lines))

    def _paint_sides(self, painter: QPainter, head: QRect, font: QFont) -> None:
        """Name the difference, and the side of zero on which each of the pair is better."""
        muted, bottom = self.theme.color("muted"), Qt.AlignmentFlag.AlignBottom
        write(painter, head.adjusted(0, 0, -6, -2), "Δ", font, muted, Qt.AlignmentFlag.AlignRight | bottom)
        half = half_of_bars(head.width())
        wide = QFontMetricsF(font).horizontalAdvance(BETTER_THERE)
        if half + SIGN_ROOM < wide + SIGN + 3 * SIGN_GAP:
            return
        middle = head.left() + SIGN_GAP + half
        first, second = (column.style for column in self._table.model().sheet.columns[:2])
        line = QFontMetricsF(font).height()
        for style, left in ((second, middle - SIGN_GAP - wide - SIGN - SIGN_GAP), (first, middle + SIGN_GAP)):
            top = head.bottom() - 2 - (line + SIGN) / 2
            paint_run_shape(painter, style, QRectF(left, top, SIGN, SIGN), run_color(self.theme, style))
            room = QRectF(left + SIGN + SIGN_GAP, head.top(), wide + 1, head.height() - 2)
            write(painter, room, BETTER_THERE, font, muted, Qt.AlignmentFlag.AlignLeft | bottom)

    def _paint_mean(self, painter: QPainter, foot: QRect, run: RunColumn) -> None:
        painter.setPen(self.theme.color("text"))
        mean, middle = f"{run.mean:.4f}", foot.toRectF().center()
        painter.drawText(foot, CENTER, mean)
        if self._table.model().lacks(run):
            right = middle.x() + painter.fontMetrics().horizontalAdvance(mean) / 2
            dot_under(painter, right, middle.y(), mean, self.theme)


def longest(metrics: QFontMetrics, texts: Sequence[str], room: int) -> str:
    """Return the first of some texts, each shorter than the one before, that there is room for."""
    return next((text for text in texts if metrics.horizontalAdvance(text) <= room), texts[-1])


def name_lines(metrics: QFontMetrics, name: str, room: int) -> tuple[str, ...]:
    """Return the one or two lines of a run's name, broken only where a word of it ends; ends stay."""
    middle = Qt.TextElideMode.ElideMiddle
    if metrics.horizontalAdvance(name) <= room:
        return (name,)
    for end in reversed([found.end() for found in WORD_END.finditer(name)]):
        if metrics.horizontalAdvance(name[:end]) <= room:
            return name[:end], metrics.elidedText(name[end:], middle, room)
    return (metrics.elidedText(name, middle, room),)


class TopicTable(QTableView):
    """The table: arrows go from topic to topic, Enter or a click opens one; a click on a value derives it."""

    opened = Signal(object)  # topic
    went_to = Signal(object)  # topic, with the keyboard
    seen = Signal()  # other rows are in sight
    room_changed = Signal()  # for another number of runs

    def __init__(self, model: TopicModel) -> None:
        super().__init__()
        self._model = model
        self._room = 0
        set_up_rows(self, "Topics and runs", height=ROW)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.header = TopicHeader(self)
        self.setHorizontalHeader(self.header)
        self.setModel(model)
        self.delegate = TopicDelegate(model, self)
        self.setItemDelegate(self.delegate)
        self.clicked.connect(self._open)
        self.selectionModel().currentRowChanged.connect(self._tell)
        self.verticalScrollBar().valueChanged.connect(lambda _value: self.seen.emit())
        model.modelReset.connect(self.fit)

    def model(self) -> TopicModel:
        return self._model

    def set_theme(self, theme: Theme) -> None:
        self.delegate.theme = self.header.theme = theme
        self.header.viewport().update()
        self.viewport().update()

    def set_stale(self, stale: bool) -> None:
        """Show the figures as those of before, while others are computed, or as those of now."""
        if stale is not self.delegate.stale:
            self.delegate.stale = stale
            self.viewport().update()

    def room_for_runs(self) -> int:
        """Return how many runs find room beside topic and difference."""
        return max((self.viewport().width() - TOPIC_WIDTH - DIFFERENCE_WIDTH) // VALUE_WIDTH, 2)

    def fit(self) -> None:
        """Give each column its width; what is left is the topic's."""
        columns = self._model.columnCount()
        runs = len(self._model.sheet.columns)
        beside = self.viewport().width() - TOPIC_WIDTH - VALUE_WIDTH * runs
        last = min(max(beside, FIGURE), DIFFERENCE_WIDTH) if self._model.sheet.paired else 0
        spare = (self.viewport().width() - COMFORTABLE_TOPIC - last) // max(runs, 1)
        value = min(max(spare, VALUE_WIDTH), WIDEST_VALUE)
        for column in range(1, columns):
            self.setColumnWidth(column, value if column <= runs else last)
        if columns:
            self.setColumnWidth(0, max(self.viewport().width() - value * runs - last, LEAST_TOPIC))
        self.seen.emit()

    def rows_seen(self) -> tuple[int, int]:
        """Return the first row that is in sight, and the one after the last."""
        first = self.rowAt(1)
        last = self.rowAt(self.viewport().height() - 1)
        count = self.model().rowCount()
        return max(first, 0), count if last < 0 else last + 1

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        room = self.room_for_runs()
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
        """Open a topic, where there is no figure, which would open it too."""
        if self._figure_of(index) is None:
            self.opened.emit(self._model.sheet.rows[index.row()].topic)

    def offer_figures(self, clicks: FigureClicks) -> None:
        """Let values, differences and means be asked for."""
        clicks.watch(self.viewport(), lambda at: self._figure_of(self.indexAt(at)), menu=False)
        clicks.watch(self.header.viewport(), self.header.figure_at)

    def _figure_of(self, index: QModelIndex) -> FigureAsked | None:
        sheet, column = self._model.sheet, index.column()
        if column < 1:
            return None
        topic = sheet.rows[index.row()].topic
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
