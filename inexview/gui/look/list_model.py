"""A list of rows for Qt's views: each row as it is for who paints it, and in words for who hears it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import QAbstractListModel, QModelIndex, Qt

from inexview.gui.look.model_index import Index

Row = TypeVar("Row")
RowRole = int(Qt.ItemDataRole.UserRole)
_WORDS = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole)


class ListModel(QAbstractListModel, Generic[Row]):
    """Gives a delegate the row (RowRole), and a screen reader ``str`` of it."""

    rows: Sequence[Row] = ()

    def set_rows(self, rows: Sequence[Row]) -> None:
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def add_rows(self, rows: Sequence[Row]) -> None:
        """Add rows behind the others; what is chosen and seen stays."""
        if rows:
            self.beginInsertRows(QModelIndex(), len(self.rows), len(self.rows) + len(rows) - 1)
            self.rows = (*self.rows, *rows)
            self.endInsertRows()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        return row if role == RowRole else str(row) if role in _WORDS else None
