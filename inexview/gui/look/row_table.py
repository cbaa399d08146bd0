"""Tables of rows under headings: what their models share, and how their views are set up."""

from __future__ import annotations

from collections.abc import Collection, Sequence, Sized
from dataclasses import dataclass

from PySide6.QtCore import QAbstractTableModel, QRectF, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QTableView

from inexview.gui.look.model_index import Index
from inexview.gui.look.theme import Theme


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


@dataclass(frozen=True, slots=True)
class PaintedPlaces:
    """Which rows of a table are to be painted, and where the cells of each are.

    They are painted together, all shades, all figures …, since a delegate's cell costs four times as much: Qt
    asks Python for each, and goes from fills to fonts to texts and back.
    """

    rows: Sequence[int]
    selected: Collection[int]
    tops: dict[int, int]
    columns: Sequence[tuple[int, int]]
    """Of each column its left edge and its width, 0 where it is hidden."""
    height: int
    font: QFont

    def cell(self, row: int, column: int) -> QRectF:
        left, width = self.columns[column]
        return QRectF(left, self.tops[row], width, self.height)

    @property
    def right(self) -> int:
        """Where the last column ends."""
        return max((left + width for left, width in self.columns), default=0)

    def paint_selected(self, painter: QPainter, theme: Theme) -> None:
        """Paint what is under the rows that are selected."""
        for row in self.selected:
            top, selected, accent = self.tops[row], theme.color("selected"), theme.color("accent")
            painter.fillRect(QRectF(0, top, self.right, self.height), selected)
            painter.fillRect(QRectF(0, top, 3, self.height), accent)

    def paint_lines(self, painter: QPainter, theme: Theme) -> None:
        """Paint the line that is the foot of each row."""
        line = theme.color("line")
        for top in self.tops.values():
            painter.fillRect(QRectF(0, top + self.height - 1, self.right, 1), line)


def painted_places(table: QTableView, event: QPaintEvent) -> PaintedPlaces:
    """Return the places of the rows that a paint event of a table asks for."""
    rect, count = event.rect(), table.model().rowCount()
    first, last = table.rowAt(rect.top()), table.rowAt(rect.bottom())
    rows = range(max(first, 0), count if last < 0 else last + 1) if count else range(0)
    selected = {index.row() for index in table.selectionModel().selectedRows()}
    return PaintedPlaces(
        rows,
        selected.intersection(rows),
        {row: table.rowViewportPosition(row) for row in rows},
        [
            (table.columnViewportPosition(column), table.columnWidth(column))
            for column in range(table.model().columnCount())
        ],
        table.verticalHeader().defaultSectionSize(),
        table.font(),
    )
