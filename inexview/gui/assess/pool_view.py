"""The list of a pool's documents: what a key or a click does in it, and which rows are on the screen."""

from __future__ import annotations

from itertools import chain

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QItemSelectionRange,
    QModelIndex,
    QPoint,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemDelegate, QHeaderView, QStyleOptionViewItem, QTableView

from inexview.gui.assess.pool_model import PoolModel, PoolRow, RowRole
from inexview.gui.look.row_table import set_up_rows
from inexview.gui.look.timers import timer

LOOK_AFTER = 80  # milliseconds without scrolling before the titles on the screen are asked for
REST = 120  # milliseconds without an arrow before the row's document is opened
AROUND = 30  # rows above and below those on the screen
_MOVES = {
    Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Home, Qt.Key.Key_End,
}  # fmt: skip
_SELECTS = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier


class PoolView(QTableView):
    """The list itself: Return or a click opens, so do arrows that rest, Shift and Ctrl select several.

    A table of one column: it places equal rows by counting, where QListView asks the model for each of them
    (659,388 rows: 2 ms against 2,200).
    """

    chosen = Signal(object)  # document id
    rested = Signal(object)  # document id: the arrows came to rest on it
    several = Signal(object)  # how many documents are selected
    seen = Signal(object)  # Sequence[str]: the documents that are on the screen, and some around them

    def __init__(self, model: PoolModel) -> None:
        super().__init__()
        self._documents = model
        self._look_soon = timer(self, self._look, LOOK_AFTER)
        self._rest_soon = timer(self, self._rest, REST)
        self.setModel(model)
        set_up_rows(self, "Documents of the pool", several=True)
        self.setMouseTracking(True)
        self._selecting = False
        self._picked = False  # what is selected was, by Shift or Ctrl
        self._empty_text = ""
        self.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.horizontalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.clicked.connect(self._choose)

    def let_go(self) -> bool:
        """Let go of the selected documents, and be at the open one; False where no others are selected."""
        if not self.acted_on:
            return False
        only = QItemSelectionModel.SelectionFlag.ClearAndSelect
        current = self._documents.current
        row = -1 if current is None else self._documents.row_of(current)
        here = self._documents.index(row) if row >= 0 else self.currentIndex()
        self.selectionModel().setCurrentIndex(here, only)  # there may be none: then nothing
        return True

    @property
    def acted_on(self) -> int:
        """How many selected documents the next key acts on; 0 where it acts on the open one."""
        count = self.selected_count()
        if count == 1 and self._picked:
            (part,) = self._ranges()
            return int(self._documents.document_at(part.top()) != self._documents.current)
        return count if count > 1 else 0

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open with Return; letters stay free for the window's keys."""
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
        """The document of the row that the keyboard is at."""
        row: PoolRow | None = self.currentIndex().data(RowRole) if self.currentIndex().isValid() else None
        return None if row is None else row.document_id

    def moveCursor(self, action: QTableView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """Go to the first row with Home and to the last with End, as in any list."""
        ends = {QTableView.CursorAction.MoveHome: 0, QTableView.CursorAction.MoveEnd: -1}
        if action in ends and (count := self._documents.rowCount()):
            return self._documents.index(ends[action] % count)
        return super().moveCursor(action, modifiers)

    def set_delegate(self, delegate: QAbstractItemDelegate) -> None:
        """Paint rows with a delegate, each as high as it says."""
        self.setItemDelegate(delegate)
        height = delegate.sizeHint(QStyleOptionViewItem(), QModelIndex()).height()
        self.verticalHeader().setDefaultSectionSize(height)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open with a plain click; with Shift or Ctrl only select."""
        self._selecting = self._picked = bool(event.modifiers() & _SELECTS)
        super().mouseReleaseEvent(event)
        self._selecting = False

    def selected(self) -> tuple[str, ...]:
        """Return the selected documents that the next key acts on, in the order of the list."""
        if not self.acted_on:
            return ()
        ranges = sorted((part.top(), part.bottom() + 1) for part in self._ranges())
        return tuple(chain.from_iterable(self._documents.documents_at(slice(*part)) for part in ranges))

    def selected_count(self) -> int:
        """Return how many documents are selected, without asking which."""
        return sum(part.height() for part in self._ranges())

    def _ranges(self) -> list[QItemSelectionRange]:
        selection = self.selectionModel().selection()
        return [selection.at(at) for at in range(selection.count())]

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        self.several.emit(self.acted_on)
        self.viewport().update()  # the open document looks otherwise while others are selected

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

    # -- what is on the screen -----------------------------------------------------------------------

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
        # What is on the screen is read first, then what a turn of the wheel would show.
        order = sorted(rows, key=lambda row: max(top - row, row - bottom, 0))
        self.seen.emit([self._documents.document_at(row) for row in order])

    def _choose(self, index: QModelIndex) -> None:
        self._rest_soon.stop()
        if index.isValid() and not self._selecting:
            row: PoolRow = index.data(RowRole)
            self.chosen.emit(row.document_id)
