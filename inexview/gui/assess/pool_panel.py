"""The panel on the left of Assess: the pool of the topic, progress, filters and the list of documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain

import numpy as np
from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QItemSelectionRange,
    QModelIndex,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QContextMenuEvent,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QButtonGroup,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QMenu,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from inexview.core.judgements.runs import RunFindings
from inexview.core.project.document_list import CatalogueEntry, Order, PoolProgress, Shown, Signs
from inexview.core.project.document_state import DocumentState, Standing
from inexview.core.text.spans import Spans
from inexview.core.wording import counted
from inexview.gui.assess.pool_model import PoolModel, PoolRow, RowRole
from inexview.gui.look.panels import (
    BriefButton,
    Index,
    ProgressRing,
    asked_row,
    chip_button,
    set_up_rows,
)
from inexview.gui.look.theme import Theme, Themed, chip_icon, tinted
from inexview.gui.look.widgets import (
    Caption,
    ElidedLabel,
    Filler,
    KeySign,
    Recolored,
    beside_scroll_bar,
    in_column,
    in_row,
    label,
    paint_focus,
    rule,
    timer,
)

# The order of the list: a button above it, and the name of the column of figures.

SHOW_RUNS = "Show what runs found"
BLIND = "Hidden by default: the runs that retrieved a document would influence your judgement."


class OrderButton(QPushButton):
    """Opens a menu of orders; those by runs are enabled once the assessor asks to see counts of runs."""

    chosen = Signal(object)  # Order
    runs_allowed = Signal(object)  # bool

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "plain")
        self._nuggets = False
        self.figure = label("marked", "note")
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        group = QActionGroup(self)
        self._orders = {order: menu.addAction(order.value) for order in Order}
        for order, action in self._orders.items():
            action.setCheckable(True)
            group.addAction(action)
            action.triggered.connect(partial(self._choose, order))
        menu.addSeparator()
        self._runs = menu.addAction(SHOW_RUNS)
        self._runs.setCheckable(True)
        self._runs.setToolTip(BLIND)
        self._runs.toggled.connect(lambda shown: self.runs_allowed.emit(shown))
        self.setMenu(menu)
        self.set_runs(there=False)
        self.show_order(Order.POOL)

    @property
    def shows_runs(self) -> bool:
        return self._runs.isChecked()

    def set_runs(self, *, there: bool) -> None:
        """Offer the orders by runs if runs are open or the pool names them."""
        self._runs.setEnabled(there)
        if not there:
            self._runs.setChecked(False)

    def show_order(self, order: Order, *, nuggets: bool = False) -> None:
        """Show the order and the name of its figures; with ``nuggets`` also the column of nuggets."""
        self._orders[order].setChecked(True)
        self.setText(order.value)
        self.setAccessibleName(f"Sorted by: {order.value}")
        self._nuggets = nuggets
        self.figure.setText(f"nuggets · {order.figure}" if nuggets else order.figure)
        for other, action in self._orders.items():
            there = self.shows_runs if other.of_runs else nuggets or other is not Order.NUGGETS
            action.setVisible(there)

    def _choose(self, order: Order, _checked: bool = False) -> None:
        self.show_order(order, nuggets=self._nuggets)
        self.chosen.emit(order)


# The filters above the pool, each with its number of documents, always on one line.

GAP, FLAG, LEAST = 1, 12, 24  # pixels
GIVE_WAY = (Shown.ALL, Shown.NOT_RELEVANT, Shown.RELEVANT, Shown.TO_DO)
"""Filters whose counts are dropped first if space is short; other parts show some of them."""
SHORT = {Shown.RELEVANT: "Rel.", Shown.COME_BACK: ""}
"""Labels behind the counts that are shorter than the names; "" for a sign."""


class PoolChips(Recolored, QWidget):
    """The row of filters, of which one is chosen."""

    chosen = Signal(object)  # Shown

    def __init__(self) -> None:
        super().__init__()
        self._chips: dict[Shown, QPushButton] = {}
        self._counts: Mapping[Shown, int] | None = None
        self._group = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GAP)
        for shown in Shown:
            made = self._chips[shown] = chip_button(shown.value)
            made.setProperty("shown", shown)
            made.setMinimumWidth(LEAST)
            self._group.addButton(made)
            row.addWidget(made)
        row.addStretch(1)
        self.choose(Shown.TO_DO)
        self._group.buttonClicked.connect(lambda chip: self.chosen.emit(chip.property("shown")))
        self.wear()

    def buttons(self) -> list[QPushButton]:
        return list(self._chips.values())

    @property
    def current(self) -> Shown:
        return next(shown for shown, chip in self._chips.items() if chip.isChecked())

    def choose(self, shown: Shown) -> None:
        """Choose a filter without emitting a signal."""
        self._chips[shown].setChecked(True)

    def recolor(self) -> None:
        flag = self._chips[Shown.COME_BACK]
        flag.setIcon(chip_icon("flag", self.theme, "warning", FLAG))
        flag.setIconSize(QSize(FLAG, FLAG))

    def show_counts(self, counts: Mapping[Shown, int] | None) -> None:
        """Show the count of each filter; None if the counts are not known yet."""
        if counts != self._counts:
            self._counts = counts
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _fit(self) -> None:
        for shown, chip in self._chips.items():
            number = "" if self._counts is None else f"{self._counts[shown]:,}"
            told = f"{shown.value} {number}".rstrip()
            chip.setAccessibleName(told)
            chip.setToolTip("Flagged to come back" if shown is Shown.COME_BACK else told)
            chip.setText(number if shown is Shown.COME_BACK else told)
        for shown, text in (*((shown, shown.value) for shown in GIVE_WAY), *SHORT.items()):
            if sum(chip.sizeHint().width() + GAP for chip in self._chips.values()) - GAP <= self.width():
                break
            self._chips[shown].setText(text)


# The list of the pool's documents: keys, clicks, and the titles to read first.

LOOK_AFTER = 80  # milliseconds without scrolling before the titles of the visible rows are requested
REST = 120  # milliseconds without an arrow key before the row's document is opened
AROUND = 30  # rows read above and below the visible ones
_MOVES = {
    Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Home, Qt.Key.Key_End,
}  # fmt: skip
_SELECTS = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier


class PoolView(QTableView):
    """The list: Return, a click or resting on a row opens it; Shift and Ctrl select several.

    A table of one column: it places equal rows by counting, where QListView asks the model for each of them
    (659,388 rows: 2 ms against 2,200).
    """

    chosen = Signal(object)  # document id
    rested = Signal(object)  # document id: the selection rested on it
    several = Signal(object)  # number of selected documents
    menu_wanted = Signal(object)  # QPoint on the screen
    seen = Signal(object)  # Sequence[str]: the visible documents and some around them

    def __init__(self, model: PoolModel) -> None:
        super().__init__()
        self._documents = model
        self._look_soon = timer(self, self._look, LOOK_AFTER)
        self._rest_soon = timer(self, self._rest, REST)
        self.setModel(model)
        delegate = PoolDelegate(self)
        self.setItemDelegate(delegate)
        height = delegate.sizeHint(QStyleOptionViewItem(), QModelIndex()).height()
        set_up_rows(self, "Documents of the pool", height=height, several=True)
        self.setMouseTracking(True)
        self._selecting = False
        self._picked = False  # whether the selection was made with Shift or Ctrl
        self._empty_text = ""
        self.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.horizontalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.clicked.connect(self._choose)

    def dismiss(self) -> bool:
        """Clear a selection of several documents and return to the open one; return whether there was one."""
        if not self.acted_on:
            return False
        only = QItemSelectionModel.SelectionFlag.ClearAndSelect
        current = self._documents.current
        row = -1 if current is None else self._documents.row_of(current)
        here = self._documents.index(row) if row >= 0 else self.currentIndex()
        # an invalid index if the open document is not listed
        self.selectionModel().setCurrentIndex(here, only)
        return True

    @property
    def acted_on(self) -> int:
        """Number of selected documents on which the next key acts; 0 if it acts on the open one."""
        count = self.selected_count()
        if count == 1 and self._picked:
            (part,) = self._ranges()
            return int(self._documents.document_at(part.top()) != self._documents.current)
        return count if count > 1 else 0

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open with Return; letters are left to the window's shortcuts."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(self.currentIndex())
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self.selectAll()
        elif event.text().isprintable() and event.text():
            event.ignore()
        else:
            if event.key() in _MOVES:
                self._picked = bool(event.modifiers() & _SELECTS)
            super().keyPressEvent(event)
            if event.key() in _MOVES and not event.modifiers() & _SELECTS:
                self._rest_soon.start()

    def _rest(self) -> None:
        if self.currentIndex().isValid() and self.selected_count() == 1:
            self.rested.emit(self.highlighted)

    @property
    def highlighted(self) -> str | None:
        row: PoolRow | None = self.currentIndex().data(RowRole) if self.currentIndex().isValid() else None
        return None if row is None else row.document_id

    def moveCursor(self, action: QTableView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """Go to the first row with Home and to the last with End, as in any list."""
        ends = {QTableView.CursorAction.MoveHome: 0, QTableView.CursorAction.MoveEnd: -1}
        if action in ends and (count := self._documents.rowCount()):
            return self._documents.index(ends[action] % count)
        return super().moveCursor(action, modifiers)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open on a plain click; Shift, Ctrl and the right button only select."""
        right = event.button() is Qt.MouseButton.RightButton
        self._selecting = self._picked = right or bool(event.modifiers() & _SELECTS)
        super().mouseReleaseEvent(event)
        self._selecting = False

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Select the row unless it is selected already, and request its menu."""
        row, at = asked_row(self, event)
        if not row.isValid():
            event.ignore()
            return
        if not self.selectionModel().isSelected(row):
            self.setCurrentIndex(row)
        self._picked = True
        self.several.emit(self.acted_on)
        self.viewport().update()
        self.menu_wanted.emit(at)

    def selected(self) -> tuple[str, ...]:
        """Return the selected documents on which the next key acts, in the order of the list."""
        if not self.acted_on:
            return ()
        ranges = sorted((part.top(), part.bottom() + 1) for part in self._ranges())
        return tuple(chain.from_iterable(self._documents.documents_at(slice(*part)) for part in ranges))

    def selected_count(self) -> int:
        return sum(part.height() for part in self._ranges())

    def _ranges(self) -> list[QItemSelectionRange]:
        selection = self.selectionModel().selection()
        return [selection.at(at) for at in range(selection.count())]

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        self.several.emit(self.acted_on)
        self.viewport().update()  # the row of the open document looks different while others are selected

    def set_empty_text(self, text: str) -> None:
        if text != self._empty_text:
            self._empty_text = text
            self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._empty_text and not self._documents.rowCount():
            painter = QPainter(self.viewport())
            painter.setPen(self.palette().placeholderText().color())
            inside = self.viewport().rect().adjusted(20, 14, -20, 0)
            painter.drawText(
                inside, int(Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap), self._empty_text
            )

    # -- visible rows --------------------------------------------------------------------------------

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        super().scrollContentsBy(dx, dy)
        self._look_soon.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._look_soon.start()

    def reset(self) -> None:
        super().reset()
        self._look_soon.start()

    def _look(self) -> None:
        count = self._documents.rowCount()
        if not count or not self.isVisible():
            return
        top = max(self.indexAt(QPoint(1, 1)).row(), 0)
        last = self.indexAt(QPoint(1, self.viewport().height() - 2)).row()
        bottom = last if last >= 0 else count - 1
        rows = range(max(top - AROUND, 0), min(bottom + AROUND, count - 1) + 1)
        # The visible rows first, then those that a turn of the wheel would show.
        order = sorted(rows, key=lambda row: max(top - row, row - bottom, 0))
        self.seen.emit([self._documents.document_at(row) for row in order])

    def _choose(self, index: QModelIndex) -> None:
        self._rest_soon.stop()
        if index.isValid() and not self._selecting:
            row: PoolRow = index.data(RowRole)
            self.chosen.emit(row.document_id)


# Painting of a row: state, title, figure, and a strip of its marks.

LEAST_HEIGHT, LEFT, RIGHT = 31, 34, 14
AROUND_TEXT = 13  # pixels of a row above and below its title
FIGURES = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
SIGN, BESIDE = 13, 6  # pixels of a flag, and of the gap before it


class PoolDelegate(Themed, QStyledItemDelegate):
    """Paints a :class:`PoolRow`."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, max(LEAST_HEIGHT, QFontMetrics(option.font).height() + AROUND_TEXT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: PoolRow = index.data(RowRole)
        theme, rect = self.theme, option.rect
        painter.save()
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # each title in its own direction
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if selected or (row.current and not (isinstance(option.widget, PoolView) and option.widget.acted_on)):
            painter.fillRect(rect, theme.color("selected"))
        if row.current:
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), theme.color("accent"))
        if selected and option.state & QStyle.StateFlag.State_HasFocus:
            paint_focus(painter, QRectF(rect), theme)
        marked = row.state.relevant
        right = beside_scroll_bar(option.widget, RIGHT)
        text = rect.adjusted(LEFT, 0, -right, -4 if marked else 0)
        paint_standing(painter, QPointF(rect.left() + 18, text.center().y() + 1), row.standing, theme)
        self._paint_texts(painter, option, row, text)
        if marked:
            strip = QRectF(rect.left() + LEFT, rect.bottom() - 5, rect.width() - LEFT - right, 3)
            paint_strip(painter, strip, row.state.marks, row.about.length, theme)
        painter.restore()

    def _paint_texts(
        self, painter: QPainter, option: QStyleOptionViewItem, row: PoolRow, room: QRect
    ) -> None:
        theme = self.theme
        small = QFont(option.font)
        small.setPixelSize(max(round(option.font.pixelSize() * 0.9), 11))
        painter.setFont(small)
        figure = row.problem or row.figure
        width = painter.fontMetrics().horizontalAdvance(figure) + 12 if figure else 0
        if row.nuggets > 0 and not row.problem:
            column = max(painter.fontMetrics().horizontalAdvance("00,000"), width - 12) + 10
            painter.setPen(theme.color("muted"))
            painter.drawText(room.adjusted(0, 0, -column, 0), int(FIGURES), f"{row.nuggets:,}")
            width = column + painter.fontMetrics().horizontalAdvance(f"{row.nuggets:,}") + 12
        painter.setPen(theme.color("warning" if row.problem else "muted"))
        painter.drawText(room, int(FIGURES), figure)
        font = QFont(option.font)
        font.setWeight(QFont.Weight.DemiBold if row.current else QFont.Weight.Normal)
        painter.setFont(font)
        painter.setPen(theme.color("muted" if row.about.missing else "text"))
        inside = self._paint_signs(painter, row, room.adjusted(0, 0, -width, 0))
        title = painter.fontMetrics().elidedText(row.about.title, Qt.TextElideMode.ElideRight, inside.width())
        painter.drawText(inside, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), title)

    def _paint_signs(self, painter: QPainter, row: PoolRow, room: QRect) -> QRect:
        """Paint the flag and the sign of an added document at the right; return the space that is left."""
        signs = (("flag", self.theme.warning, row.come_back), ("plus", self.theme.muted, row.added))
        for name, color, there in signs:
            if there:
                at = QPointF(room.right() - SIGN, room.center().y() - SIGN / 2 + 1)
                painter.drawImage(at, tinted(name, color, SIGN))
                room = room.adjusted(0, 0, -SIGN - BESIDE, 0)
        if row.suggested:
            told = f"[{row.suggested:,}]"
            painter.save()
            painter.setPen(self.theme.color("suggested"))
            painter.drawText(room, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), told)
            wide = painter.fontMetrics().horizontalAdvance(told)
            painter.restore()
            room = room.adjusted(0, 0, -wide - BESIDE, 0)
        return self._paint_grade(painter, row.grade, room) if row.grade else room

    def _paint_grade(self, painter: QPainter, grade: str, room: QRect) -> QRect:
        """Paint a document's grade in a frame at the right; return the space that is left."""
        painter.save()
        metrics = painter.fontMetrics()
        shown = metrics.elidedText(grade, Qt.TextElideMode.ElideRight, room.width() // 3)
        wide = metrics.horizontalAdvance(shown) + 2 * BESIDE
        frame = QRect(room.right() - wide, room.center().y() - metrics.height() // 2, wide, metrics.height())
        painter.setPen(QPen(self.theme.color("muted"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(frame, 4, 4)
        painter.drawText(frame, int(Qt.AlignmentFlag.AlignCenter), shown)
        painter.restore()
        return room.adjusted(0, 0, -wide - BESIDE, 0)


def paint_standing(painter: QPainter, centre: QPointF, where: Standing, theme: Theme) -> None:
    """Paint the state of a document: ○ to do, ◐ begun, ● with a tick relevant, ⊖ not relevant."""
    radius = 5.0
    circle = QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius)
    token = {Standing.RELEVANT: "finished", Standing.BEGUN: "accent"}.get(where, "muted")
    color = theme.color(token)
    painter.setPen(QPen(color, 1.7))
    painter.setBrush(color if where is Standing.RELEVANT else Qt.BrushStyle.NoBrush)
    painter.drawEllipse(circle)
    if where is Standing.BEGUN:
        painter.setBrush(color)
        painter.drawPie(circle, 90 * 16, 180 * 16)
    elif where is Standing.NOT_RELEVANT:
        painter.drawLine(centre - QPointF(2.2, 0), centre + QPointF(2.2, 0))
    elif where is Standing.RELEVANT:
        painter.setPen(QPen(theme.color("window"), 1.5))
        tick = [centre + QPointF(-2.4, 0.2), centre + QPointF(-0.6, 2.0), centre + QPointF(2.6, -1.9)]
        painter.drawPolyline(tick)


def paint_strip(painter: QPainter, strip: QRectF, marks: Spans, length: int, theme: Theme) -> None:
    """Paint a document as a strip with its marks; without marks if its length is 0."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("track"))
    painter.drawRoundedRect(strip, 2, 2)
    if not length:
        return
    painter.setBrush(theme.color("mark_edge"))
    for left, right in _bars(marks, strip.width() / length):
        painter.drawRoundedRect(QRectF(strip.left() + left, strip.top(), right - left, strip.height()), 2, 2)


def _bars(marks: Spans, scale: float) -> list[tuple[float, float]]:
    """Return the bars of marks in pixels, each at least two wide; touching bars are joined."""
    lefts = marks.starts * scale
    reached = np.maximum.accumulate(np.maximum(marks.ends * scale, lefts + 2.0))
    apart = np.flatnonzero(lefts[1:] > reached[:-1])
    firsts, lasts = np.append(0, apart + 1), np.append(apart, len(lefts) - 1)
    return list(zip(lefts[firsts].tolist(), reached[lasts].tolist(), strict=True))


TYPED_AFTER = 150  # milliseconds without a key press before a long list is filtered


class PoolPanel(QWidget):
    """Progress in the pool, its filters, and the list of its documents."""

    document_chosen = Signal(object)  # document id
    more_wanted = Signal()  # documents from outside the pool

    def __init__(
        self, not_relevant_key: Callable[[], str] = lambda: "N", untitled: Callable[[], int] = lambda: 0
    ) -> None:
        """``untitled`` returns the number of titles that are not read yet."""
        super().__init__()
        self.setProperty("role", "chrome")
        self._not_relevant_key = not_relevant_key
        self._known = True
        self._wanted = Shown.TO_DO  # the filter chosen last
        self._count_untitled = untitled
        self.model = PoolModel(self)
        self.view = PoolView(self.model)
        self.view.chosen.connect(self.document_chosen)
        self.view.several.connect(lambda _count: self._tell())
        self.model.refilled.connect(self._on_refilled)
        self.model.unreadable_noted.connect(self._count)
        self._caption = Caption("Pool")
        self._ring = ProgressRing()
        self._status = label("", "value", wrap=True)
        self._pace = ElidedLabel(role="muted")
        self.filter = QLineEdit(placeholderText="Filter titles", clearButtonEnabled=True)
        self.filter.setAccessibleName("Filter titles")
        self._refilter_soon = timer(self, self._refilter, TYPED_AFTER)
        self.filter.textChanged.connect(self._type)
        self.filter.returnPressed.connect(self._open_first)
        self._untitled = label("", "note")
        self._unread = 0
        self._chips = PoolChips()
        self.order = OrderButton()
        self.order.chosen.connect(self._sort)
        self._seconds: Callable[[], Sequence[float]] = lambda: ()
        self._build()

    def show_filter_key(self, action: QAction) -> None:
        """Show the key that focuses the filter in the empty field."""
        sign = KeySign(action)
        in_row(Filler(0), (sign, 0, Qt.AlignmentFlag.AlignVCenter), on=self.filter, margins=(0, 0, 8, 0))
        self.filter.textChanged.connect(lambda text: sign.setVisible(not text and bool(sign.text())))

    def _build(self) -> None:
        self.model.shown = self._chips.current
        self._chips.chosen.connect(self._choose_chip)
        far = QGridLayout()
        far.setHorizontalSpacing(10)
        far.setVerticalSpacing(1)
        far.setColumnStretch(1, 1)
        far.addWidget(self._ring, 0, 0, 2, 1, Qt.AlignmentFlag.AlignVCenter)
        far.addWidget(self._status, 0, 1, Qt.AlignmentFlag.AlignBottom)
        far.addWidget(self._pace, 1, 1, Qt.AlignmentFlag.AlignTop)
        head = in_column(
            self._caption,
            far,
            self._chips,
            self.filter,
            self._untitled,
            margins=(14, 14, 14, 9),
            spacing=9,
        )
        self._untitled.hide()
        # Aligned with the text above by the padding of a button; so is the button below the list.
        order = in_row(self.order, Filler(1), self.order.figure, margins=(8, 0, 14, 4))
        more = BriefButton("+  Add a document from the collection…", "+  Add a document…")
        more.setProperty("role", "plain")
        more.clicked.connect(self.more_wanted)
        foot = in_row(more, Filler(1), margins=(8, 2, 8, 4))
        in_column(head, order, (self.view, 1), rule(), foot, on=self, margins=0, spacing=0)

    def dismiss(self) -> bool:
        """Clear a selection of several documents, else the filter; return whether there was one."""
        if not self.isVisible():
            return False
        if self.view.dismiss():
            return True
        filtered = bool(self.filter.text())
        self.filter.clear()
        return filtered

    # -- contents ------------------------------------------------------------------------------------

    def set_pool(
        self,
        pool: Sequence[str],
        state: Callable[[str], DocumentState],
        seconds: Callable[[], Sequence[float]],
        touched: Callable[[], Iterable[str]] | None = None,
        *,
        time_of: Callable[[str], float] = lambda _document: 0.0,
        signs: Signs | None = None,
        known: bool = True,
        read: bool = True,
    ) -> None:
        """Show the pool of another topic; not ``known`` means that the collection is not indexed yet.

        Until its states are ``read``, nothing is counted (see ``count``). ``seconds`` returns the times of
        finished documents, ``time_of`` the time of one document; :class:`PoolModel` has the rest.
        """
        self._seconds = seconds
        self.model.set_pool(pool, state, touched, time_of, signs=signs, read=read)
        self._known = known
        self._show_wanted()
        self._caption.set_text(f"Pool · {counted(len(pool), 'document')}" if known else "Pool")
        self._count()

    def count(self) -> None:
        """Count and filter the documents by state, because all states are known now."""
        self.model.set_read()
        self._show_wanted()
        self._count()

    def set_about(self, about: Mapping[str, CatalogueEntry]) -> None:
        self.model.set_about(about)
        self._tell_untitled()

    def set_current(self, document_id: str | None) -> None:
        """Select the row of the open document and scroll to it."""
        self.model.set_current(document_id)
        if document_id is not None and (row := self.model.row_of(document_id)) >= 0:
            following = self.model.index(min(row + 1, self.model.rowCount() - 1))
            self.view.scrollTo(following)  # so that the next document is visible
            # Not the view's own setCurrentIndex, which extends the selection while Ctrl is held (Ctrl+J).
            only = QItemSelectionModel.SelectionFlag.ClearAndSelect
            self.view.selectionModel().setCurrentIndex(self.model.index(row), only)
        else:
            # the filter may hide it, or a run has led to a document outside the pool
            self.view.clearSelection()

    def step(self, step: int, start: str | None = None) -> None:
        """Open the document after (1) or before (-1) the one being opened, else the open one."""
        if (document := self.model.neighbour(step, start)) is not None:
            self.document_chosen.emit(document)

    def update_states(self, documents: Iterable[str]) -> None:
        # most marks change no count, and a pool may be a whole collection
        if self.model.update_states(documents):
            self._count()

    def _count(self) -> None:
        progress = self.model.progress() if self.model.read else PoolProgress(0, 0, 0)
        whole = max(progress.documents, 1)
        self._ring.set_parts(progress.relevant / whole, progress.not_relevant / whole)
        self._tell()
        self._chips.show_counts(self.model.counts() if self.model.read else None)

    def _tell(self) -> None:
        """Show the progress or, while several documents are selected, what keys do with them."""
        several = self.view.acted_on
        told, pace = "", ""
        if several:
            told = f"{counted(several, 'document')} selected"
            pace = f"{self._not_relevant_key()} not relevant"
        elif not self._known:
            told = "The documents appear once the collection is listed."
        elif not self.model.read:
            told = "Reading what is judged…"
        else:
            progress = self.model.progress()
            told = progress.sentence()
            # a pool may be a whole collection
            pace = progress.pace(self._seconds() if progress.finished else ())
        self._status.setText(told)
        self._pace.set_text(pace)

    def _why_empty(self) -> str:
        if not self._known or not self.model.read:
            return ""
        if self.filter.text().strip():
            if not self.model.rowCount() and (elsewhere := self.model.counts()[Shown.ALL]):
                return f"None here; {Shown.ALL.value} has {elsewhere:,}."
            return f"No title{' read so far' if self._unread else ''} or id holds these words."
        return {Shown.TO_DO: "Nothing is left to do.", Shown.ALL: ""}.get(self.model.shown, "None so far.")

    def _tell_untitled(self) -> None:
        """Show how many titles the filter or the order is still waiting for."""
        self._unread = self._count_untitled() if self.model.needs_titles else 0
        self._untitled.setText(f"{counted(self._unread, 'title')} not read yet")
        self._untitled.setVisible(self._unread > 0)
        self.view.set_empty_text(self._why_empty())

    def show_findings(self, found: RunFindings) -> None:
        self.model.set_findings(found)
        self.show_nuggets()
        self._keep_current()

    def show_nuggets(self) -> None:
        """Show the number of nuggets of each document if the topic has any."""
        there = self.model.has_nuggets
        if not there and self.model.order is Order.NUGGETS:
            self.model.set_order(Order.POOL)
        self.order.show_order(self.model.order, nuggets=there)
        self.model.touch_all()

    def _sort(self, order: Order) -> None:
        self.model.set_order(order)
        self._tell_untitled()

    def titles_read(self) -> None:
        """Apply filter and order again, because all titles are known now."""
        self._sort(self.model.order)

    def _choose_chip(self, shown: Shown) -> None:
        self._wanted = shown
        self._refilter()

    def _show_wanted(self) -> None:
        """Apply the filter chosen last, or show all documents if nothing is left to do."""
        finished = self.model.read and not self.model.progress().to_do
        shown = Shown.ALL if self._wanted is Shown.TO_DO and finished else self._wanted
        self._chips.choose(shown)
        if shown is not self.model.shown:
            self._refilter()

    def _type(self) -> None:
        if self.model.long:
            self._refilter_soon.start()
        else:
            self._refilter()

    def _refilter(self) -> None:
        self._refilter_soon.stop()
        self.model.set_filter(self._chips.current, self.filter.text())
        self._tell_untitled()

    def _on_refilled(self) -> None:
        """Count the rows of each filter again, and keep the open document selected."""
        self.view.set_empty_text(self._why_empty())
        self._keep_current()
        self._count()

    def _keep_current(self) -> None:
        current = self.model.current
        if current is not None and (row := self.model.row_of(current)) >= 0:
            self.view.setCurrentIndex(self.model.index(row))

    def _open_first(self) -> None:
        if self._refilter_soon.isActive():
            self._refilter()
        if self.model.rowCount():
            self.document_chosen.emit(self.model.document_at(0))
