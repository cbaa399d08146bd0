"""The rows of a derivation: what each is, adds and changes above, its figures below, within the width."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QObject, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from inexview.gui.inspect.derivation.derivation_model import DerivationModel
from inexview.gui.look.lists import Index, set_up_rows
from inexview.gui.look.theme import LIGHT, Theme
from inexview.gui.look.widgets import LEFT, RIGHT, derived

LINE, SECOND = 26, 17  # pixels of the line of a row, and of the one below it
SIDE, BETWEEN, NAMED = 6, 7, 3  # beside cells, between two figures, and between a name and its number
MEASURED = 500  # rows by whose numbers columns are as wide as they are
WIDEST = "+0.0000"
INDEX = re.compile(r"[(\[].*")  # of a name: gP[r], S(d)


class FigurePlace(NamedTuple):
    """A further figure of each row: its name, where that begins, and where the number ends."""

    name: str
    left: int
    right: int


def figure_places(
    metrics: QFontMetrics, names: Sequence[str], rows: Sequence[Sequence[str]], room: int
) -> list[FigurePlace]:
    """Return where the further figures of rows are: names are shortened, and then cut, before numbers."""
    numbers = [max(map(metrics.horizontalAdvance, column)) + NAMED for column in zip(*rows, strict=True)]
    taken = sum(numbers) + BETWEEN * (len(names) - 1)
    for shown in (names, [INDEX.sub("", name) for name in names]):
        widths = [metrics.horizontalAdvance(name) + 2 for name in shown]
        if taken + sum(widths) <= room:
            break
    while taken + sum(widths) > room and max(widths):
        widths[widths.index(max(widths))] -= 1  # the longest name is cut first
    places, left = list[FigurePlace](), 0
    for name, wide, number in zip(shown, widths, numbers, strict=True):
        cut = metrics.elidedText(name, Qt.TextElideMode.ElideRight, wide)
        cut = cut if metrics.horizontalAdvance(cut) <= wide else ""
        places.append(FigurePlace(cut, left, left + wide + number))
        left += wide + number + BETWEEN
    return places


class DerivationDelegate(QStyledItemDelegate):
    """Paints a cell, and below it its part of the line of figures."""

    def __init__(self, table: DerivationTable, parent: QObject) -> None:
        super().__init__(parent)
        self._table = table

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        table, cell = self._table, option.rect
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(cell, table.theme.color("selected"))
        painter.fillRect(QRect(cell.left(), cell.bottom(), cell.width(), 1), table.theme.color("line"))
        first = QRect(cell.left(), cell.top(), cell.width(), LINE).adjusted(SIDE, 0, -SIDE, 0)
        painter.setFont(derived(option.font, factor=0.95))
        painter.setPen(table.theme.color("muted" if index.column() == 0 else "text"))
        text = str(index.data())
        if index.column() == 1:
            self._paint_place(painter, table.model().place(index.row()), first)
        elided = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, first.width())
        painter.drawText(first, LEFT if index.column() == 1 else RIGHT, elided)
        if table.lines > 1:
            painter.setFont(derived(option.font, factor=0.85))
            self._paint_figures(painter, table.model().figures(index.row()), cell)
        painter.restore()

    def _paint_figures(self, painter: QPainter, figures: Sequence[str], cell: QRect) -> None:
        """Paint the line of figures, which goes through all cells, as far as it is in this one."""
        table = self._table
        painter.setClipRect(cell)
        line = QRect(table.columnWidth(0) + SIDE, cell.top() + LINE - 4, 0, SECOND)
        for place, figure in zip(table.figure_places(painter.fontMetrics()), figures, strict=True):
            room = line.adjusted(place.left, 0, place.right, 0)
            painter.setPen(table.theme.color("muted"))
            painter.drawText(room, LEFT, place.name)
            painter.setPen(table.theme.color("text"))
            painter.drawText(room, RIGHT, figure)

    def _paint_place(self, painter: QPainter, place: str, room: QRect) -> None:
        """Tell rows of one document apart at the right; the title has the room that is left."""
        if not place:
            return
        pen = painter.pen()
        painter.setPen(self._table.theme.color("muted"))
        shown = painter.fontMetrics().elidedText(place, Qt.TextElideMode.ElideLeft, room.width() * 2 // 3)
        painter.drawText(room, RIGHT, shown)
        painter.setPen(pen)
        room.setRight(room.right() - painter.fontMetrics().horizontalAdvance(shown) - SIDE)


class DerivationHeader(QHeaderView):
    """Names the columns of the first line of each row; a second line names its figures itself."""

    def __init__(self, table: DerivationTable) -> None:
        super().__init__(Qt.Orientation.Horizontal, table)
        self._table = table
        self.setHighlightSections(False)
        self.setMinimumSectionSize(20)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), LINE)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        table, model = self._table, self._table.model()
        painter.save()
        painter.setPen(table.theme.color("muted"))
        painter.setFont(derived(self.font(), factor=0.92))
        first = QRect(rect.left(), rect.top(), rect.width(), LINE).adjusted(SIDE, 0, -SIDE, 0)
        mode = Qt.TextElideMode.ElideRight
        heading = painter.fontMetrics().elidedText(model.headings[section], mode, first.width())
        painter.drawText(first, LEFT if section == 1 else RIGHT, heading)
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), table.theme.color("line"))
        painter.restore()


class DerivationTable(QTableView):
    """The table: never wider than there is room for, each row in one line, or two where it has figures."""

    def __init__(self, model: DerivationModel) -> None:
        super().__init__()
        self.theme: Theme = LIGHT
        self._model = model
        self._placed_for: tuple[object, ...] = ()
        self._placed: list[FigurePlace] = []
        set_up_rows(self, "What went into the figure")
        self.setModel(model)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalHeader(DerivationHeader(self))
        self.setItemDelegate(DerivationDelegate(self, self))

    def model(self) -> DerivationModel:
        return self._model

    def figure_places(self, metrics: QFontMetrics) -> list[FigurePlace]:
        """Return where the further figures of the rows are, as wide as the table is now."""
        model, room = self._model, self.viewport().width() - self.columnWidth(0) - 2 * SIDE
        key = model.derivation, room, metrics.height()
        if key != self._placed_for:
            rows = [model.figures(at) for at in range(min(model.rowCount(), MEASURED))]
            self._placed_for, self._placed = key, figure_places(metrics, model.columns, rows, room)
        return self._placed

    @property
    def lines(self) -> int:
        return 2 if self._model.columns else 1

    def fit(self, *, left_out: bool) -> None:
        """Give rows and columns their sizes; the title has what is left."""
        self.ensurePolished()  # so that its font is the one of the style sheet
        header, metrics = self.horizontalHeader(), self.fontMetrics()
        self.verticalHeader().setDefaultSectionSize(LINE + (SECOND if self.lines > 1 else 0))
        self.setColumnHidden(3, not left_out)
        header.setVisible(self._model.rowCount() > 0)
        if not self._model.columnCount():
            return
        number = metrics.horizontalAdvance(WIDEST) + 2 * SIDE
        rank = metrics.horizontalAdvance("0" * len(str(self._model.rowCount()))) + 2 * SIDE + 2
        for column, width in ((0, rank), (2, number), (3, number)):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            header.resizeSection(column, width)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        self.viewport().update()
        self.horizontalHeader().viewport().update()
