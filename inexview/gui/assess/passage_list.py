"""The marked passages of the open document, as a list to jump from."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPointF,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QListView, QSizePolicy, QStyledItemDelegate, QStyleOptionViewItem

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
        self.beginResetModel()
        self._document, self.marks, self._drifted = document, marks, drifted
        self.endResetModel()

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


class PassagesView(QListView):
    """A click or Return shows a passage in the article."""

    chosen = Signal(object)  # (start, end)

    def __init__(self) -> None:
        super().__init__()
        self.passages = PassagesModel(self)
        self.setModel(self.passages)
        self._signs = NoteSigns(self)
        self.setItemDelegate(self._signs)
        self.setUniformItemSizes(True)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSpacing(2)
        self.setAccessibleName("Marked passages")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.passages.modelReset.connect(self.updateGeometry)
        self.clicked.connect(self._choose)
        self.activated.connect(self._choose)

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
        return self.fontMetrics().height() + 2 * self.spacing()

    def _choose(self, index: QModelIndex) -> None:
        marks = self.passages.marks
        if index.isValid() and index.row() < len(marks):
            self.chosen.emit((int(marks.starts[index.row()]), int(marks.ends[index.row()])))
