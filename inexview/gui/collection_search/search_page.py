"""The page on which the collection is searched: a field, and what was found."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLineEdit,
    QListView,
    QPushButton,
    QWidget,
)

from inexview.gui.collection_search.result_list import ResultDelegate, ResultRow
from inexview.gui.look.layouts import Filler, in_column, in_row, timer
from inexview.gui.look.lists import ListModel, RowRole
from inexview.gui.look.theme import Theme
from inexview.gui.look.widgets import Caption, label

TYPING_PAUSE = 180  # milliseconds
WIDEST = 860
HOW = 'Words that a document must hold; "a phrase", begin*, NEAR(two words, 5), -without'


class SearchPage(QWidget):
    """Tells what is typed and what is chosen; shows what it is given."""

    typed = Signal(object)  # str
    chosen = Signal(object)  # ResultRow
    index_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.field = QLineEdit(placeholderText=HOW, clearButtonEnabled=True)
        self.field.setAccessibleName("Find in the collection")
        self.field.setAccessibleDescription(HOW)
        self.field.installEventFilter(self)
        self._pause = timer(self, lambda: self.typed.emit(self.field.text()), TYPING_PAUSE)
        self._stands = True  # whether what is listed was found by what is typed
        self.opens_best = False
        """Whether the best is opened as soon as it is found: Enter was faster than the search."""
        self.field.textChanged.connect(self._on_typed)
        self._title = label("Find in the collection", "title")
        self._told = label("", "muted", wrap=True)
        self.make_index = QPushButton("Index the words of the collection")
        self.make_index.clicked.connect(self.index_wanted)
        self.model = ListModel[ResultRow](self)
        self.view = QListView()
        self._delegate = ResultDelegate(self.view)
        self.view.setModel(self.model)
        self.view.setItemDelegate(self._delegate)
        self.view.setUniformItemSizes(True)
        self.view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setAccessibleName("Documents found")
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the field has the keyboard, and moves in it
        self.view.clicked.connect(lambda index: self.chosen.emit(index.data(RowRole)))
        inside = QWidget()
        inside.setMaximumWidth(WIDEST)
        in_column(
            Caption("The whole collection"),
            self._title,
            self.field,
            self._told,
            (self.make_index, 0, Qt.AlignmentFlag.AlignLeft),
            (self.view, 1),
            on=inside,
            margins=(24, 20, 24, 10),
            spacing=10,
        )
        in_row(Filler(1), (inside, 100), Filler(1), on=self, margins=0)

    def set_theme(self, theme: Theme) -> None:
        self._delegate.theme = theme
        self.view.viewport().update()

    def tell(self, text: str, *, lacks_index: bool = False) -> None:
        """Say what was found, or why nothing can be; one may type all the same."""
        self._told.setText(text)
        self.make_index.setVisible(lacks_index)

    @property
    def told(self) -> str:
        return self._told.text()

    def _on_typed(self, _text: str) -> None:
        self._stands = self.opens_best = False
        self._pause.start()

    def show_found(self, rows: Sequence[ResultRow]) -> None:
        """List what was found by what is typed, the best highlighted; open that one if Enter was pressed."""
        wanted, self.opens_best = self.opens_best, False
        self._stands = not self._pause.isActive()
        self.model.set_rows(rows)
        if rows:
            self.view.setCurrentIndex(self.model.index(0))
            if wanted:
                self._choose()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.field and event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 6, Qt.Key.Key_PageUp: -6}
            if event.key() in steps:
                row = self.view.currentIndex().row() + steps[Qt.Key(event.key())]
                last = self.model.rowCount() - 1
                self.view.setCurrentIndex(self.model.index(min(max(row, 0), last)))
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._choose()
                return True
        return super().eventFilter(watched, event)

    def _choose(self) -> None:
        """Open the document that is highlighted; without an index, have one made."""
        if self.make_index.isVisible():
            self.make_index.click()
            return
        if not self._stands:
            self.opens_best = True
            if self._pause.isActive():
                self._pause.stop()
                self.typed.emit(self.field.text())
            return
        row: ResultRow | None = self.view.currentIndex().data(RowRole)
        if row is not None:
            self.chosen.emit(row)
