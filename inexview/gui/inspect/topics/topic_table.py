"""The table of topics × runs: its head, and what mouse and keys do in it."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
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
)

from inexview.core.evaluation.run_derivations import TOPICS
from inexview.core.report import NOTHING, difference_text
from inexview.core.wording import counted
from inexview.gui.inspect.figures.figure_asked import FigureAsked, FigureLevel, FigureOf
from inexview.gui.inspect.figures.figure_clicks import FigureClicks
from inexview.gui.inspect.topics.topic_cells import (
    BARS_LEFT,
    CENTER,
    PAIR_GAP,
    TopicCells,
    after_pair,
    half_of_bars,
)
from inexview.gui.inspect.topics.topic_model import SHARES, RunColumn, TopicModel
from inexview.gui.look.lists import PaintedTable, RowHeader
from inexview.gui.look.theme import paint_run_shape, run_color
from inexview.gui.look.widgets import LEFT, RIGHT, derived, write

WORD_END = re.compile(r"[-_./ ]|(?<=[a-z0-9])(?=[A-Z])")  # within the name of a run
VALUE_WIDTH, WIDEST_VALUE = 54, 100  # with room, the names of runs stand in one line
DIFFERENCE_WIDTH, LEAST_DIFFERENCE = 156, 62  # the least for the mean in strong figures, without bars
BETTER_THERE = "better"
SIGN, SIGN_GAP = 8, 3  # pixels: the shape of a run, and between it and what it is of
LEAST_TOPIC = 66  # pixels: in the narrowest window
TOPIC_WIDTH, COMFORTABLE_TOPIC = 190, 300  # at least, and before the runs get more room
TOPIC_SHARE = 0.3  # of the width, up to what is comfortable
BAR = 12  # pixels at the right for the scroll bar, whether there is one or not
SHARE_WIDTH = 56  # of a share of judged documents
FALLING, RISING, ARROW = "▾", "▴", 12
ROW = 25
HEAD = 86
NAME_LINES = 3
COUNTS = 14  # pixels of the line with the number of topics of each mean, where these differ


class TopicHeader(RowHeader):
    """Shape, name and mean of each run; a click sorts by a column, Shift+click makes a run the baseline."""

    def __init__(self, table: TopicTable) -> None:
        super().__init__(table)
        self._table = table
        self.shifted = False
        self.setFixedHeight(HEAD)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Note whether Shift is held; a click on a mean brings nothing forward."""
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
        if 0 < section <= len(columns):
            self._paint_run(painter, head, columns[section - 1], pair=section <= 2 and model.sheet.paired)
            painter.setFont(bold)
            self._paint_mean(painter, foot, columns[section - 1])
            self._paint_count(painter, counts, small, columns[section - 1].topics, CENTER)
        elif section == 0:
            painter.setFont(small)
            painter.setPen(theme.color("muted"))
            bottom = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom)
            room = head.adjusted(8, 0, -2, -2)
            named = longest(painter.fontMetrics(), model.sheet.named, room.width() - ARROW)
            painter.drawText(room, bottom, f"{named}{self._arrow(section)}")
            painter.setFont(bold)
            painter.setPen(theme.color("text"))
            topics = "" if self.counts_height else counted(model.sheet.total, "topic")
            if len(model.sheet.rows) < model.sheet.total:
                topics = f"{topics}, {len(model.sheet.rows):,} shown".removeprefix(", ")
            room = foot.adjusted(8, 0, -2, 0)
            if self.counts_height:
                of = "topics of each mean"
                write(painter, counts.adjusted(8, 0, -2, 0), of, small, theme.color("muted"), LEFT)
            texts = (f"mean  {topics}".rstrip(), *filter(None, (topics, "mean")))
            mean = longest(painter.fontMetrics(), texts, room.width())
            painter.drawText(room, LEFT, mean)
        elif model.sheet.keys[section] in SHARES:
            self._paint_share(painter, head, foot, section)
        else:
            self._paint_sides(painter, head, small)
            mean = difference_text(model.sheet.mean_difference, 4)
            write(painter, foot.adjusted(0, 0, -6, 0), mean, bold, theme.color("text"), RIGHT)
            self._paint_count(painter, counts.adjusted(0, 0, -6, 0), small, model.sheet.compared, RIGHT)
        painter.restore()

    def _arrow(self, section: int) -> str:
        """Return the sign of the column that sorts, and nothing of another."""
        model = self._table.model()
        if model.by is None or model.by[0] != model.sheet.keys[section]:
            return ""
        return FALLING if model.by[1] else RISING

    def _paint_share(self, painter: QPainter, head: QRect, foot: QRect, section: int) -> None:
        """Name a share of judged documents in one or two lines, and give its mean."""
        model, theme = self._table.model(), self.theme
        key = model.sheet.keys[section]
        painter.setFont(derived(self.font(), factor=0.85))
        painter.setPen(theme.color("muted"))
        words = (
            key.replace("@", "\n@") if painter.fontMetrics().horizontalAdvance(key) > head.width() else key
        )
        bottom = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom)
        painter.drawText(head.adjusted(0, 0, -6, -2), bottom, f"{words}{self._arrow(section)}")
        painter.setFont(derived(self.font(), factor=0.95))
        share = model.mean_share(key)
        painter.drawText(foot.adjusted(0, 0, -6, 0), RIGHT, NOTHING if math.isnan(share) else f"{share:.2f}")

    def _paint_run(self, painter: QPainter, head: QRect, run: RunColumn, *, pair: bool) -> None:
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
        """Name the difference, and the side of zero on which each of the pair is better."""
        muted, bottom = self.theme.color("muted"), Qt.AlignmentFlag.AlignBottom
        sorts = self._arrow(len(self._table.model().sheet.columns) + 1)
        write(
            painter,
            head.adjusted(0, 0, -6, -2),
            f"Δ{sorts}",
            font,
            muted,
            Qt.AlignmentFlag.AlignRight | bottom,
        )
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

    def _paint_count(
        self, painter: QPainter, room: QRect, font: QFont, topics: int, side: Qt.AlignmentFlag
    ) -> None:
        """Paint how many topics a mean is over, where not all are over as many."""
        if self.counts_height:
            fewer = topics < self._table.model().sheet.total
            write(painter, room, str(topics), font, self.theme.color("warning" if fewer else "muted"), side)

    @property
    def counts_height(self) -> int:
        return COUNTS if self._table.model().counts_differ else 0

    def fit_height(self) -> None:
        """Make room for the numbers of topics, where there are any."""
        self.setFixedHeight(HEAD + self.counts_height)

    def _paint_mean(self, painter: QPainter, foot: QRect, run: RunColumn) -> None:
        painter.setPen(self.theme.color("text"))
        painter.drawText(foot, CENTER, f"{run.mean:.4f}")


def longest(metrics: QFontMetrics, texts: Sequence[str], room: int) -> str:
    """Return the first of some texts, each shorter than the one before, that there is room for."""
    return next((text for text in texts if metrics.horizontalAdvance(text) <= room), texts[-1])


def name_lines(metrics: QFontMetrics, name: str, room: int, most: int = NAME_LINES) -> tuple[str, ...]:
    """Return the lines of a run's name, at most so many, broken only where a word of it ends; ends stay."""
    if metrics.horizontalAdvance(name) <= room:
        return (name,)
    for end in reversed([found.end() for found in WORD_END.finditer(name)]) if most > 1 else ():
        if metrics.horizontalAdvance(name[:end].rstrip()) <= room:
            return name[:end].rstrip(), *name_lines(metrics, name[end:], room, most - 1)
    return (metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, room),)


class TopicTable(PaintedTable):
    """The table: arrows go from topic to topic, Enter or a click opens one; a click on a value derives it."""

    header: TopicHeader
    opened = Signal(object)  # topic
    went_to = Signal(object)  # topic, with the keyboard
    seen = Signal()  # other rows are in sight
    room_changed = Signal()  # for another number of runs

    def __init__(self, model: TopicModel) -> None:
        super().__init__("Topics and runs", TopicCells(model), height=ROW)
        self._model = model
        self._room: tuple[int, tuple[str, ...]] = 0, ()
        self.shares: tuple[str, ...] = tuple(SHARES)
        """Which shares of judged documents are wanted."""
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
        """Return how many runs find room beside topic and difference."""
        topic = min(max(int(self._wide() * TOPIC_SHARE), TOPIC_WIDTH), COMFORTABLE_TOPIC)
        beside = topic + PAIR_GAP + DIFFERENCE_WIDTH + SHARE_WIDTH * len(self.shares_shown)
        return max((self._wide() - beside) // VALUE_WIDTH, 2)

    @property
    def shares_shown(self) -> tuple[str, ...]:
        """The shares of judged documents that are wanted, where four runs have room beside them."""
        beside = TOPIC_WIDTH + PAIR_GAP + DIFFERENCE_WIDTH + 4 * VALUE_WIDTH
        return self.shares if self._wide() >= beside + SHARE_WIDTH * len(self.shares) else ()

    def _wide(self) -> int:
        return self.width() - BAR

    def fit(self) -> None:
        """Give each column its width; what is left is the topic's."""
        sheet, columns = self._model.sheet, self._model.columnCount()
        runs, gaps = len(sheet.columns), [after_pair(sheet, column) for column in range(columns)]
        width = self._wide() - sum(gaps) - SHARE_WIDTH * len(sheet.shares)
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

    def rows_seen(self) -> tuple[int, int]:
        """Return the first row that is in sight, and the one after the last."""
        first = self.rowAt(1)
        last = self.rowAt(self.viewport().height() - 1)
        count = self.model().rowCount()
        return max(first, 0), count if last < 0 else last + 1

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
