"""A list over the window that narrows as one types: the command palette and the topic chooser."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPointF,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QFont, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QGraphicsDropShadowEffect,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)
from shiboken6 import isValid

from inexview.gui.look.layouts import in_column
from inexview.gui.look.list_model import ListModel, RowRole
from inexview.gui.look.model_index import Index
from inexview.gui.look.panel_parts import CUT, RIGHT, derived, write
from inexview.gui.look.theme import LIGHT, Theme
from inexview.gui.look.widgets import label

ROW_HEIGHT = 34
TOP, BELOW = 52, 12  # pixels of the window over the list and, at least, under it
MOST_ROWS = 200  # no one reads further; typing narrows the list


@dataclass(frozen=True, slots=True)
class PopupEntry:
    """One thing to choose: what it is, a note at the right, and what choosing it does."""

    text: str
    note: str
    choose: Callable[[], object]
    words: str = ""  # further words that find it

    def __str__(self) -> str:
        """Say it in one line, for who hears the list."""
        return self.text


Further = Callable[[Sequence[str]], Iterable[PopupEntry]]


class _Model(ListModel[PopupEntry]):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._all: Sequence[PopupEntry] = ()
        self._further: Further = lambda _words: ()

    def set_entries(self, entries: Sequence[PopupEntry], further: Further) -> None:
        self._all, self._further = entries, further
        self.narrow("")

    def narrow(self, typed: str) -> None:
        """Keep entries that hold every word, then further ones.

        First comes what begins with what was typed, then what has a word that does.
        """
        words = typed.casefold().split()
        fitting = [
            entry
            for entry in self._all
            if all(word in f"{entry.text} {entry.words}".casefold() for word in words)
        ]
        fitting += islice(self._further(words), MOST_ROWS)
        begins = typed.casefold().strip()

        def rank(entry: PopupEntry) -> int:
            text = f" {entry.text.casefold()}"
            return 0 if text.startswith(begins, 1) else 1 if f" {begins}" in text else 2

        fitting.sort(key=rank)
        self.set_rows(fitting[:MOST_ROWS])


class _Delegate(QStyledItemDelegate):
    theme: Theme = LIGHT

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(100, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        entry: PopupEntry = index.data(RowRole)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setBrush(self.theme.color("selected"))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.drawRoundedRect(option.rect.adjusted(4, 1, -4, -1), 6, 6)
        inside = option.rect.adjusted(14, 0, -14, 0)
        small = QFont(option.font)
        small.setPixelSize(11)
        write(painter, inside, entry.note, small, self.theme.color("muted"), RIGHT)
        width = painter.fontMetrics().horizontalAdvance(entry.note) + 16 if entry.note else 0
        room = inside.adjusted(0, 0, -width, 0)
        write(painter, room, entry.text, derived(option.font), self.theme.color("text"), shorten=CUT)
        painter.restore()


class Popup(QFrame):
    """Opens at the top centre of the window; typing narrows, Return chooses, Esc closes."""

    WIDTH, ROWS = 580, 12

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("popup")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        shadow = QGraphicsDropShadowEffect(self, blurRadius=40, offset=QPointF(0, 8))
        shadow.setColor(QColor(0, 0, 0, 70))
        self.setGraphicsEffect(shadow)
        self._window = window
        self._before: QWidget | None = None
        self._remark: Callable[[], str] = lambda: ""
        self._below = label("", "note")  # that nothing was found, or may be found later
        self.field = QLineEdit()
        self.view = QListView()
        self._model = _Model(self)
        self._delegate = _Delegate(self.view)
        self.view.setModel(self._model)
        self.view.setItemDelegate(self._delegate)
        self.view.setUniformItemSizes(True)
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.view.clicked.connect(self._choose)
        self.field.textChanged.connect(self._narrow)
        self.field.installEventFilter(self)
        in_column(self.field, self.view, self._below, on=self, margins=10)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        self._delegate.theme = theme

    def open(
        self,
        prompt: str,
        entries: Sequence[PopupEntry],
        current: int = 0,
        further: Further = lambda _words: (),
        remark: Callable[[], str] = lambda: "",
    ) -> None:
        """Offer entries, and after them further ones that are made only for the words that are typed.

        ``current`` is the entry that Return would choose; ``remark`` says what may be found later.
        """
        self._remark = remark
        self._before = self._window.focusWidget()
        self.field.clear()
        self.field.setPlaceholderText(prompt)
        self.field.setAccessibleName(prompt)
        self._model.set_entries(entries, further)
        self._fit()
        self._select(current)
        self.show()
        self.raise_()
        self.field.setFocus()

    def let_go(self) -> bool:
        """Close it; False where it is not open."""
        open_ = self.isVisible()
        if open_:
            self.dismiss()
        return open_

    def dismiss(self) -> None:
        """Close, and give the keyboard back to where it was."""
        self.hide()
        if self._before is not None and isValid(self._before):  # it may have gone meanwhile
            self._before.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Move with the arrows, choose with Return, close with Esc or when the keyboard goes elsewhere."""
        if watched is self.field and event.type() == QEvent.Type.FocusOut and self.isVisible():
            self.hide()
        if watched is self.field and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 10, Qt.Key.Key_PageUp: -10}
            if event.key() in steps:
                self._select(self.view.currentIndex().row() + steps[Qt.Key(event.key())])
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._choose(self.view.currentIndex())
                return True
            if event.key() == Qt.Key.Key_Escape:  # where no window has a shortcut for it
                return self.let_go()
        return super().eventFilter(watched, event)

    def _narrow(self, typed: str) -> None:
        self._model.narrow(typed)
        self._fit()
        self._select(0)

    def _fit(self) -> None:
        width = min(self.WIDTH, self._window.width() - 40)
        around = self.field.sizeHint().height() + 32
        around += self._below.sizeHint().height() + 6 if self._tell() else 0
        room = self._window.height() - TOP - BELOW - around
        rows = min(self._model.rowCount(), self.ROWS, max(room // ROW_HEIGHT, 1))
        self.setGeometry((self._window.width() - width) // 2, TOP, width, around + ROW_HEIGHT * rows)

    def _tell(self) -> bool:
        """Say under the list that nothing was found, and what is not known yet to be found."""
        nothing = "" if self._model.rowCount() else "Nothing found"
        remark = self._remark() if self.field.text().strip() else ""
        told = " · ".join(part for part in (nothing, remark) if part)
        self._below.setText(told)
        self._below.setVisible(bool(told))
        self.view.setVisible(bool(self._model.rowCount()))
        return bool(told)

    def _select(self, row: int) -> None:
        last = self._model.rowCount() - 1
        if last >= 0:
            self.view.setCurrentIndex(self._model.index(min(max(row, 0), last)))

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid():
            entry = self._model.rows[index.row()]
            self.dismiss()
            entry.choose()
