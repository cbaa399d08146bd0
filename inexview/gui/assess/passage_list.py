"""The marked passages of the open document, as a list to jump from."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPointF,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHeaderView, QSizePolicy, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from inexview.core.article.document import Document
from inexview.core.text.spans import EMPTY, Spans
from inexview.core.text.text_quotes import Quote, Span
from inexview.gui.look.model_index import Index
from inexview.gui.look.theme import LIGHT, Theme
from inexview.gui.look.tinted_icons import tinted

DRIFTED = "⚠"  # before a passage that reads differently now
SHOWN = 60  # characters of a passage that are shown
NOTE_ROLE = int(Qt.ItemDataRole.UserRole)
SIGN = 13  # pixels of the sign at a passage with a note
BETWEEN = 4  # pixels that a row is higher than its letters


class PassagesModel(QAbstractListModel):
    """Rows ``1 · 1,712  Evidence from …`` made of the marks when they are shown.

    A passage that reads differently than when it was marked begins with a sign, and tells what it said.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document: Document | None = None
        self.marks: Spans = EMPTY
        self._drifted: Mapping[Span, Quote] = {}
        self._notes: Mapping[int, str] = {}
        self._grades: Mapping[int, str] = {}

    def set_marks(
        self, document: Document | None, marks: Spans, drifted: Mapping[Span, Quote] | None = None
    ) -> None:
        """Show the passages of a document, and of those that drifted what they said."""
        drifted = drifted or {}
        if document is self._document and marks == self.marks and drifted == self._drifted:
            return
        if document is self._document and drifted == self._drifted:
            self._change(marks)
            return
        self.beginResetModel()
        self._document, self.marks, self._drifted = document, marks, drifted
        self.endResetModel()

    def _change(self, marks: Spans) -> None:
        """Put in and take out only the rows that changed: those above are not painted again."""
        before = list(self.marks)
        after = list(marks)
        fewer = min(len(before), len(after))
        first = next((row for row in range(fewer) if before[row] != after[row]), fewer)
        more = len(after) - len(before)
        if more < 0:
            self.beginRemoveRows(QModelIndex(), first, first - more - 1)
            self.marks = marks
            self.endRemoveRows()
        elif more > 0:
            self.beginInsertRows(QModelIndex(), first, first + more - 1)
            self.marks = marks
            self.endInsertRows()
        self.marks = marks
        if first < len(after):
            self.dataChanged.emit(self.index(first), self.index(len(after) - 1))

    def set_notes(self, notes: Mapping[int, str]) -> None:
        """Show which rows have a note."""
        if notes == self._notes:
            return
        self._notes = notes
        if count := self.rowCount():
            self.dataChanged.emit(self.index(0), self.index(count - 1))

    def set_grades(self, grades: Mapping[int, str]) -> None:
        """Show the grades of rows."""
        if grades == self._grades:
            return
        self._grades = grades
        if count := self.rowCount():
            self.dataChanged.emit(self.index(0), self.index(count - 1))

    def rowCount(self, parent: Index | None = None) -> int:
        """Return the number of passages."""
        return 0 if parent is not None and parent.isValid() else len(self.marks)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the text of a row."""
        if role == NOTE_ROLE:
            return self._notes.get(index.row(), "")
        if self._document is None or role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        start, end = int(self.marks.starts[index.row()]), int(self.marks.ends[index.row()])
        said = self._drifted.get((start, end))
        if role == Qt.ItemDataRole.ToolTipRole:
            told = f"{end - start:,} characters from {start:,} to {end:,}"
            drifted = "" if said is None else f"\nWhen it was marked, it said “{said.text}”"
            note = self._notes.get(index.row(), "")
            return told + drifted + (f"\nNote: {note}" if note else "")
        begin = " ".join(self._document.text[start : min(end, start + SHOWN)].split())
        sign = "" if said is None else f"{DRIFTED} "
        grade = self._grades.get(index.row())
        return f"{sign}{index.row() + 1} · {start:,}{f' · {grade}' if grade else ''}   {begin}"


class NoteSigns(QStyledItemDelegate):
    """Paints a sign at the right of passages with a note."""

    theme: Theme = LIGHT

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint the row, and the sign if there is a note."""
        if not index.data(NOTE_ROLE):
            super().paint(painter, option, index)
            return
        rect = QRect(option.rect)
        option.rect = rect.adjusted(0, 0, -SIGN - 4, 0)
        super().paint(painter, option, index)
        place = QPointF(rect.right() - SIGN, rect.center().y() - SIGN / 2 + 1)
        painter.drawImage(place, tinted("note", self.theme.muted, SIGN))


class PassagesView(QTableView):
    """A click or Return shows a passage in the article.

    A table of one column: it places equal rows by counting, where QListView asks the model for each of them
    again after every mark.
    """

    chosen = Signal(object)  # (start, end)

    def __init__(self) -> None:
        super().__init__()
        self.passages = PassagesModel(self)
        self.setModel(self.passages)
        self._signs = NoteSigns(self)
        self.setItemDelegate(self._signs)
        self.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.horizontalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setMinimumSectionSize(1)
        self._fit_rows()
        self.setAccessibleName("Marked passages")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        for changed in (self.passages.modelReset, self.passages.rowsInserted, self.passages.rowsRemoved):
            changed.connect(self.updateGeometry)
        self.clicked.connect(self._choose)
        self.activated.connect(self._choose)

    def changeEvent(self, event: QEvent) -> None:
        """Take on the height of another font."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit_rows()

    def _fit_rows(self) -> None:
        self.verticalHeader().setDefaultSectionSize(self.row_height)

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of a theme."""
        self._signs.theme = theme
        self.viewport().update()

    def sizeHint(self) -> QSize:
        """Ask for the height of the rows, and no more."""
        return QSize(super().sizeHint().width(), len(self.passages.marks) * self.row_height + 4)

    def minimumSizeHint(self) -> QSize:
        """Give way to a single row."""
        return QSize(60, self.row_height)

    @property
    def row_height(self) -> int:
        """The pixels of one passage."""
        return self.fontMetrics().height() + BETWEEN

    def _choose(self, index: QModelIndex) -> None:
        marks = self.passages.marks
        if index.isValid() and index.row() < len(marks):
            self.chosen.emit((int(marks.starts[index.row()]), int(marks.ends[index.row()])))
