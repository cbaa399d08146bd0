"""The lines of a file that do not fit a convention, or, where all fit, all of them to look at."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QTableView

from inexview.core.offset_check.diagnosis import CheckedRow, Diagnosis, Problem, fitting_names, told
from inexview.core.text.counting import CODE_POINTS, Convention
from inexview.core.text.spans import Ints
from inexview.gui.look.lists import Index, RowTableModel, set_up_rows
from inexview.gui.look.widgets import LEFT, RIGHT

_COLUMNS = {  # heading: what it tells
    "Line": "Its number in the file",
    "Topic": "",
    "Document": "",
    "Said": "The document's length in the file, or how far its passages reach",
    "Found": "The document's length, counted so",
    "Would fit": "The ways of counting under which the line would be right",
}
_NUMBERS = (0, 3, 4)
_DOCUMENT, _WOULD_FIT = 2, 5  # the columns that may hold more than there is room for
_FITTING = 100  # pixels for what a line would fit, before a document's name gets more than its heading needs
_MEASURED = 40  # rows by which columns are as wide as they are
_UNREAD = {Problem.MISSING: "missing", Problem.UNREADABLE: "unreadable"}


def cells(row: CheckedRow) -> tuple[str, ...]:
    """Return what the columns show of a row: a length, or how far its passages reach where that is wrong."""
    said = "–" if row.said is None else f"{row.said:,}"
    if row.reach is not None and (row.said is None or row.problem is Problem.PAST_END):
        said = f"up to {row.reach:,}"
    unread = _UNREAD.get(row.problem) if row.problem else None
    return (
        f"{row.line:,}" if row.line else "–",
        row.topic,
        row.document,
        said,
        unread or f"{row.found:,}",
        "–" if unread else _shortly(row),
    )


def _shortly(row: CheckedRow) -> str:
    """Return the first convention that a row would fit, and how many more there are."""
    if not row.fits:
        return "none"
    more = len(row.fits) - 1
    return f"{row.fits[0]} +{more}" if more else str(row.fits[0])


class RowsModel(RowTableModel):
    """Rows are looked at when they are shown: a run may have a million that do not fit."""

    rows: Ints = np.empty(0, np.int64)  # of the file, those that are shown
    headings = tuple(_COLUMNS)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._diagnosis: Diagnosis | None = None
        self._convention = CODE_POINTS

    def show_rows(self, diagnosis: Diagnosis, convention: Convention, rows: Ints) -> None:
        self.beginResetModel()
        self._diagnosis, self._convention, self.rows = diagnosis, convention, rows
        self.endResetModel()

    def at(self, row: int) -> CheckedRow:
        assert self._diagnosis is not None
        return self._diagnosis.check(int(self.rows[row]), self._convention)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation == Qt.Orientation.Horizontal:
            if role == Qt.ItemDataRole.ToolTipRole:
                return list(_COLUMNS.values())[section] or None
            if role == Qt.ItemDataRole.TextAlignmentRole and section in _NUMBERS:
                return int(RIGHT)
        return super().headerData(section, orientation, role)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() in _NUMBERS:
            return int(RIGHT)
        if role == Qt.ItemDataRole.DisplayRole:
            return cells(self.at(index.row()))[index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            row = self.at(index.row())
            fits = "" if row.problem in _UNREAD else f"\nWould fit: {fitting_names(row)}"
            return f"Document {row.document}: {told(row)}{fits}"
        return None


class RowsTable(QTableView):
    """Shows the rows; the selected one is read under every convention beside them."""

    chosen = Signal(object)  # CheckedRow
    copy_wanted = Signal(object)  # Ints: the rows that are selected

    def __init__(self) -> None:
        super().__init__()
        self.lines = RowsModel(self)
        self.setModel(self.lines)
        set_up_rows(self, "Lines of the file", height=26, several=True)
        self.setWordWrap(False)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setMinimumSize(450, 120)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = self.horizontalHeader()
        header.setDefaultAlignment(LEFT)
        header.setHighlightSections(False)
        header.setResizeContentsPrecision(_MEASURED)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(_DOCUMENT, QHeaderView.ResizeMode.Interactive)
        header.setSectionResizeMode(_WOULD_FIT, QHeaderView.ResizeMode.Stretch)
        self.selectionModel().currentRowChanged.connect(self._tell)

    def show_rows(self, diagnosis: Diagnosis, convention: Convention, rows: Ints) -> None:
        """Show rows, the first one chosen."""
        self.lines.show_rows(diagnosis, convention, rows)
        self._make_room()
        if len(rows):
            self.selectRow(0)
            self.scrollToTop()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        header = self.horizontalHeader()
        others = sum(self.columnWidth(at) for at in range(len(_COLUMNS)) if at not in (_DOCUMENT, _WOULD_FIT))
        room = self.viewport().width() - others - _FITTING
        least = header.sectionSizeHint(_DOCUMENT)
        self.setColumnWidth(_DOCUMENT, max(least, min(self.sizeHintForColumn(_DOCUMENT), room)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy whole lines: of a cell alone no one knows where it is."""
        if event.matches(QKeySequence.StandardKey.Copy):
            chosen = sorted(index.row() for index in self.selectionModel().selectedRows())
            self.copy_wanted.emit(self.lines.rows[chosen])
        else:
            super().keyPressEvent(event)

    def _tell(self, current: QModelIndex, _before: QModelIndex) -> None:
        if current.isValid():
            self.chosen.emit(self.lines.at(current.row()))
