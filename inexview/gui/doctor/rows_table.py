"""The lines of a file that do not fit a convention, or, where all fit, all of them to look at."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QTableView

from inexview.core.conventions import CODE_POINTS, Convention
from inexview.core.diagnosis import Diagnosis
from inexview.core.findings import Checked, Problem
from inexview.core.offset_table import Ints
from inexview.core.verdict import fitting_names, told

Index = QModelIndex | QPersistentModelIndex
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_COLUMNS = {  # heading: width in pixels
    "Line": 56,
    "Topic": 76,
    "Document": 104,
    "File says": 96,
    "Article has": 92,
    "Would fit": 150,
}
_NUMBERS = (0, 3, 4)
_UNREAD = {Problem.MISSING: "missing", Problem.UNREADABLE: "unreadable"}


def cells(row: Checked) -> tuple[str, ...]:
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
        "–" if unread else fitting_names(row),
    )


class RowsModel(QAbstractTableModel):
    """Rows are looked at when they are shown: a run may have a million that do not fit."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._diagnosis: Diagnosis | None = None
        self._convention = CODE_POINTS
        self._rows: Ints = np.empty(0, np.int64)

    def show_rows(self, diagnosis: Diagnosis, convention: Convention, rows: Ints) -> None:
        """Show these rows, held against a convention."""
        self.beginResetModel()
        self._diagnosis, self._convention, self._rows = diagnosis, convention, rows
        self.endResetModel()

    def at(self, row: int) -> Checked:
        """Return what there is to say about a row of the table."""
        assert self._diagnosis is not None
        return self._diagnosis.check(int(self._rows[row]), self._convention)

    def rowCount(self, parent: Index | None = None) -> int:
        """Return how many rows there are."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index | None = None) -> int:
        """Return how many columns there are."""
        return 0 if parent is not None and parent.isValid() else len(_COLUMNS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Return a heading, or how it is aligned: as its column."""
        if orientation == Qt.Orientation.Horizontal:
            if role == Qt.ItemDataRole.DisplayRole:
                return list(_COLUMNS)[section]
            if role == Qt.ItemDataRole.TextAlignmentRole and section in _NUMBERS:
                return _RIGHT
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return a cell's text, how it is aligned, or what is wrong with its row."""
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() in _NUMBERS:
            return _RIGHT
        if role == Qt.ItemDataRole.DisplayRole:
            return cells(self.at(index.row()))[index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            row = self.at(index.row())
            fits = "" if row.problem in _UNREAD else f"\nWould fit: {fitting_names(row)}"
            return f"Document {row.document}: {told(row)}{fits}"
        return None


class RowsTable(QTableView):
    """Shows the rows; the selected one is read under every convention beside them."""

    chosen = Signal(object)  # Checked

    def __init__(self) -> None:
        super().__init__()
        self.rows = RowsModel(self)
        self.setModel(self.rows)
        self.setAccessibleName("Lines of the file")
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(26)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = self.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        for column, width in enumerate(_COLUMNS.values()):
            header.resizeSection(column, width)
        header.setStretchLastSection(True)
        self.selectionModel().currentRowChanged.connect(self._tell)

    def show_rows(self, diagnosis: Diagnosis, convention: Convention, rows: Ints) -> None:
        """Show rows, the first one chosen."""
        self.rows.show_rows(diagnosis, convention, rows)
        if len(rows):
            self.selectRow(0)

    def _tell(self, current: QModelIndex, _before: QModelIndex) -> None:
        if current.isValid():
            self.chosen.emit(self.rows.at(current.row()))
