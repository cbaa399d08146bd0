"""Tables of rows under headings: what their models and their views share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence, Sized
from dataclasses import dataclass

from PySide6.QtCore import QAbstractTableModel, QRectF, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from inexview.gui.look.model_index import Index
from inexview.gui.look.theme import LIGHT, Theme


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


class RowCells(ABC):
    """Paints the cells of a table."""

    def __init__(self) -> None:
        self.theme: Theme = LIGHT
        self.stale = False
        """Whether the figures are those of before, while others are computed."""

    @abstractmethod
    def paint(self, painter: QPainter, places: PaintedPlaces) -> None:
        """Paint these rows."""


class RowHeader(QHeaderView):
    """The headings of a table, each of which can be clicked."""

    def __init__(self, table: QTableView) -> None:
        super().__init__(Qt.Orientation.Horizontal, table)
        self.theme: Theme = LIGHT
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.setCursor(Qt.CursorShape.PointingHandCursor)


class PaintedTable(QTableView):
    """A table of rows that are painted together."""

    header: RowHeader

    def __init__(self, name: str, cells: RowCells, *, height: int = 0) -> None:
        super().__init__()
        self.cells = cells
        set_up_rows(self, name, height=height)

    def paintEvent(self, event: QPaintEvent) -> None:
        self.cells.paint(QPainter(self.viewport()), self._painted_places(event))

    def set_theme(self, theme: Theme) -> None:
        self.cells.theme = self.header.theme = theme
        self.header.viewport().update()
        self.viewport().update()

    def set_stale(self, stale: bool) -> None:
        """Show the figures as those of before, while others are computed, or as those of now."""
        if stale is not self.cells.stale:
            self.cells.stale = stale
            self.viewport().update()

    def _painted_places(self, event: QPaintEvent) -> PaintedPlaces:
        """Return the places of the rows that a paint event asks for."""
        rect, count = event.rect(), self.model().rowCount()
        first, last = self.rowAt(rect.top()), self.rowAt(rect.bottom())
        rows = range(max(first, 0), count if last < 0 else last + 1) if count else range(0)
        selected = {index.row() for index in self.selectionModel().selectedRows()}
        return PaintedPlaces(
            rows,
            selected.intersection(rows),
            {row: self.rowViewportPosition(row) for row in rows},
            [
                (self.columnViewportPosition(column), self.columnWidth(column))
                for column in range(self.model().columnCount())
            ],
            self.verticalHeader().defaultSectionSize(),
            self.font(),
        )
