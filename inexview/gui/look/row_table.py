"""Tables of rows under headings: what their models share, and how their views are set up."""

from __future__ import annotations

from collections.abc import Sequence, Sized

from PySide6.QtCore import QAbstractTableModel, Qt
from PySide6.QtWidgets import QAbstractItemView, QTableView

from inexview.gui.look.model_index import Index


class RowTableModel(QAbstractTableModel):
    """Counts rows and columns, and names the columns; there are none until a model says what they are."""

    @property
    def rows(self) -> Sized:
        return ()

    @property
    def headings(self) -> Sequence[str]:
        return ()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.headings)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        across = orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole
        return self.headings[section] if across else None


def set_up_rows(table: QTableView, name: str, *, height: int = 0, several: bool = False) -> None:
    """Have whole rows chosen, one or ``several``, and Tab leave the table; its rows are ``height`` pixels."""
    modes = QAbstractItemView.SelectionMode
    table.setAccessibleName(name)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(modes.ExtendedSelection if several else modes.SingleSelection)
    table.setTabKeyNavigation(False)
    table.setShowGrid(False)
    table.verticalHeader().hide()
    if height:
        table.verticalHeader().setDefaultSectionSize(height)
