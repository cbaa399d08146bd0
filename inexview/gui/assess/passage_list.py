"""The marked passages of the open document, as a list to jump from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFocusEvent, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QHeaderView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from inexview.core.article.document import Document
from inexview.core.text.spans import EMPTY, Spans
from inexview.core.text.text_quotes import Quote, Span
from inexview.core.wording import counted
from inexview.gui.look.model_index import Index
from inexview.gui.look.panel_parts import CUT, LEFT, RIGHT, paint_focus, write
from inexview.gui.look.row_table import set_up_rows
from inexview.gui.look.theme import LIGHT, Theme
from inexview.gui.look.tinted_icons import tinted

DRIFTED = "⚠"  # before a passage that reads differently now
SHOWN = 60  # characters of a passage that are shown
SIGN = 13  # pixels of the sign at a passage with a note
BETWEEN = 4  # pixels that a row is higher than its letters
GAP = 9  # pixels between the columns
MOST_SEEN = 200  # rows
_TOLD_APART = (
    QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver | QStyle.StateFlag.State_HasFocus
)
"""Rows that have a ground or a frame; the style need not be asked about the others."""


class PassageParts(NamedTuple):
    """What a row shows, column by column."""

    number: str
    start: str
    said: str
    """The grade, where there is one, and how the passage begins."""
    size: str


class PassagesModel(QAbstractListModel):
    """Rows ``1  1,712  Evidence from …  379``: number, offset, beginning and size of each mark.

    A passage that reads differently than when it was marked begins with a sign, and tells what it said.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document: Document | None = None
        self.marks: Spans = EMPTY
        self._drifted: Mapping[Span, Quote] = {}
        self._notes: Mapping[Span, str] = {}
        self._grades: Mapping[Span, str] = {}

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
        before, fewer = self.marks, min(len(self.marks), len(marks))
        changed = before.starts[:fewer] != marks.starts[:fewer]
        changed |= before.ends[:fewer] != marks.ends[:fewer]
        first = int(changed.argmax()) if changed.any() else fewer
        more = len(marks) - len(before)
        if more < 0:
            self.beginRemoveRows(QModelIndex(), first, first - more - 1)
            self.marks = marks
            self.endRemoveRows()
        elif more > 0:
            self.beginInsertRows(QModelIndex(), first, first + more - 1)
            self.marks = marks
            self.endInsertRows()
        self.marks = marks
        last = len(marks) - 1 if more else fewer - 1 - int(changed[::-1].argmax())
        if first <= last:
            self.dataChanged.emit(self.index(first), self.index(last))

    def set_notes(self, notes: Mapping[Span, str]) -> None:
        before, self._notes = self._notes, notes
        self._show_again(before, notes)

    def set_grades(self, grades: Mapping[Span, str]) -> None:
        before, self._grades = self._grades, grades
        self._show_again(before, grades)

    def _show_again(self, before: Mapping[Span, str], after: Mapping[Span, str]) -> None:
        """Have only those passages painted again of which something else is said."""
        for start, end in {span for span, _ in before.items() ^ after.items()}:
            for row in self.marks.sharing(start, end):
                self.dataChanged.emit(self.index(row), self.index(row))

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.marks)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == Qt.ItemDataRole.DisplayRole:
            parts = self.parts(index.row())
            start, end = self.passage(index.row())
            return f"{parts.number} · {parts.start}, {counted(end - start, 'character')}   {parts.said}"
        if role != Qt.ItemDataRole.ToolTipRole:
            return None
        start, end = self.passage(index.row())
        said, note = self._drifted.get((start, end)), self._notes.get((start, end))
        told = f"{counted(end - start, 'character')} from {start:,} to {end:,}"
        drifted = "" if said is None else f"\nWhen it was marked, it said “{said.text}”"
        return told + drifted + (f"\nNote: {note}" if note else "")

    def passage(self, row: int) -> Span:
        return int(self.marks.starts[row]), int(self.marks.ends[row])

    def note(self, row: int) -> str:
        return self._notes.get(self.passage(row), "")

    def parts(self, row: int) -> PassageParts:
        start, end = self.passage(row)
        text = self._document.text if self._document is not None else ""
        begin = " ".join(text[start : min(end, start + SHOWN)].split())
        grade = self._grades.get((start, end))
        said = f"{grade} · {begin}" if grade else begin
        shown = f"{DRIFTED} {said}" if (start, end) in self._drifted else said
        return PassageParts(f"{row + 1}", f"{start:,}", shown, f"{end - start:,}")


class PassageDelegate(QStyledItemDelegate):
    """Paints number, offset, beginning and size in columns, and a sign at passages with a note."""

    theme: Theme = LIGHT
    columns = (0, 0)
    """How wide number and offset are: in all rows as in the last one, which has the greatest."""

    def fit_columns(self, font: QFont, passages: PassagesModel) -> bool:
        """Give number and offset the room they need; True where that is another than before."""
        before, rows = self.columns, passages.rowCount()
        if rows:
            last = passages.parts(rows - 1)
            wide = QFontMetrics(font).horizontalAdvance(last.number)
            self.columns = wide, QFontMetrics(_bold(font)).horizontalAdvance(last.start)
        return self.columns != before

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        if option.state & _TOLD_APART:
            self.initStyleOption(option, index)
            option.text = ""
            option.widget.style().drawControl(
                QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget
            )
        if option.state & QStyle.StateFlag.State_HasFocus:
            paint_focus(painter, QRectF(option.rect), self.theme)
        passages = index.model()
        assert isinstance(passages, PassagesModel)
        parts, plain = passages.parts(index.row()), QFontMetrics(option.font)
        at = option.rect.adjusted(5, 0, -3, 0)
        muted, text = self.theme.color("muted"), self.theme.color("text")
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # as the text is read
        columns = (
            (parts.number, option.font, muted, LEFT),
            (parts.start, _bold(option.font), text, RIGHT),
        )
        for width, (written, font, color, side) in zip(self.columns, columns, strict=True):
            write(painter, QRect(at.left(), at.top(), width, at.height()), written, font, color, side)
            at.setLeft(at.left() + width + GAP)
        write(painter, at, parts.size, option.font, muted, RIGHT)
        at.setRight(at.right() - plain.horizontalAdvance(parts.size) - GAP)
        if passages.note(index.row()):
            place = QPointF(at.right() - SIGN, at.center().y() - SIGN / 2 + 1)
            painter.drawImage(place, tinted("note", self.theme.muted, SIGN))
            at.setRight(at.right() - SIGN - 4)
        write(painter, at, parts.said, option.font, muted, shorten=CUT)


def _bold(font: QFont) -> QFont:
    bold = QFont(font)
    bold.setWeight(QFont.Weight.DemiBold)
    return bold


class PassagesView(QTableView):
    """A click or Return shows a passage in the article.

    A table of one column: it places equal rows by counting, where QListView asks the model for each of them
    again after every mark.
    """

    chosen = Signal(object)  # (start, end)

    def __init__(self) -> None:
        super().__init__()
        self._changed: int | None = None  # the first row that came or went since the last layout
        self.passages = PassagesModel(self)
        self.setModel(self.passages)
        self._delegate = PassageDelegate(self)
        self.setItemDelegate(self._delegate)
        set_up_rows(self, "Marked passages")
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrap(False)
        self.horizontalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setMinimumSectionSize(1)
        self._fit_rows()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self._wanted = self.sizeHint()
        listed = self.passages
        for changed in (listed.rowsInserted, listed.rowsRemoved):
            changed.connect(self._note_change)
        listed.modelReset.connect(self._ask_room)
        for changed in (listed.rowsInserted, listed.rowsRemoved, listed.modelReset, listed.dataChanged):
            changed.connect(self._fit_columns)
        self.clicked.connect(self._choose)
        self.activated.connect(self._choose)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Let the keyboard land on a row; the mouse does so by itself, on one that must not scroll away."""
        super().focusInEvent(event)
        clicked = event.reason() is Qt.FocusReason.MouseFocusReason
        if not clicked and not self.currentIndex().isValid():
            self.setCurrentIndex(self.passages.index(0, 0))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit_rows()

    def _fit_rows(self) -> None:
        self.verticalHeader().setDefaultSectionSize(self.row_height)
        self._fit_columns()

    def _fit_columns(self, *_: object) -> None:
        """Paint every row again where the columns are as wide as another last row wants them."""
        if self._delegate.fit_columns(self.font(), self.passages):
            self.viewport().update()

    def set_theme(self, theme: Theme) -> None:
        self._delegate.theme = theme
        self.viewport().update()

    def sizeHint(self) -> QSize:
        rows = min(len(self.passages.marks), MOST_SEEN)
        return QSize(super().sizeHint().width(), rows * self.row_height + 4)

    def doItemsLayout(self) -> None:
        """Paint again the rows from the first that came or went; Qt would paint those above it too."""
        first, self._changed = self._changed, None
        if first is None:
            super().doItemsLayout()
            return
        self.updateGeometries()
        shown = self.viewport().rect()
        self.viewport().update(shown.adjusted(0, first * self.row_height - self.verticalOffset(), 0, 0))

    def _note_change(self, _parent: QModelIndex, first: int, _last: int) -> None:
        self._changed = first if self._changed is None else min(first, self._changed)
        self._ask_room()

    def _ask_room(self) -> None:
        if (wanted := self.sizeHint()) != self._wanted:
            self._wanted = wanted
            self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self.row_height)

    @property
    def row_height(self) -> int:
        return self.fontMetrics().height() + BETWEEN

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid() and index.row() < len(self.passages.marks):
            self.chosen.emit(self.passages.passage(index.row()))
