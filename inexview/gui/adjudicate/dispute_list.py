"""The documents that assessors judged, as a list: how far each is, its title, and what is disputed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import (
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from inexview.gui.look.layer_looks import LAYER_LOOKS, paint_layer_bar
from inexview.gui.look.list_model import ListModel, RowRole
from inexview.gui.look.model_index import Index
from inexview.gui.look.panel_parts import CUT, RIGHT, beside_scroll_bar, derived, paint_focus, write
from inexview.gui.look.theme import LIGHT, Theme
from inexview.gui.look.widgets import PaintedWidget

HEIGHT, LEFT, EDGE, FIGURE, BARS = 31, 34, 14, 46, 78


@dataclass(frozen=True, slots=True)
class DisputeRow:
    """One document: its title, of each layer the characters that not all marked, and how far it is."""

    document: str
    title: str
    disputed_of: tuple[int, ...]
    told: str
    """What is at the right: the disputed characters, or what else differs."""
    settled: bool
    begun: bool
    current: bool

    def __str__(self) -> str:
        """Say it in one line, for who hears the list."""
        state = "settled" if self.settled else "begun" if self.begun else "open"
        only = "only " if len(self.disputed_of) == 2 else ""
        sizes = (
            f"{size:,} {only}{look.letter}" for size, look in zip(self.disputed_of, LAYER_LOOKS, strict=False)
        )
        return ", ".join((self.title, state, *sizes, self.told))


class DisputeModel(ListModel[DisputeRow]):
    """The rows of one list."""

    def set_rows(self, rows: Sequence[DisputeRow]) -> None:
        """Show other rows; where the same documents are listed, the view stays where it is."""
        same = [one.document for one in rows] == [one.document for one in self.rows]
        if same and rows:
            self.rows = rows
            self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))
        else:
            super().set_rows(rows)

    def row_of(self, document: str | None) -> int:
        """Return where a document is, -1 where it is not listed."""
        return next((at for at, row in enumerate(self.rows) if row.document == document), -1)


class DisputeHeadings(PaintedWidget):
    """What the bars and the figures are, over the rows that a :class:`DisputeDelegate` paints."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(16)
        self.layers, self.figure = 2, FIGURE

    def show_columns(self, layers: int, figure: int) -> None:
        """Head rows whose figures are so wide; three layers lie below each other, and need no letters."""
        self.layers, self.figure = layers, figure
        self.setFixedWidth(figure + BARS)
        self.setAccessibleName("Only A, only B, characters that differ" if layers == 2 else "")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, small = QPainter(self), derived(self.font(), factor=0.92)
        muted, room = self.theme.color("muted"), QRectF(self.rect())
        write(painter, room, "differ", small, muted, RIGHT)
        if self.layers == 2:
            zero = BARS / 2
            write(painter, room.adjusted(0, 0, zero - room.width() - 5, 0), "A", small, muted, RIGHT)
            write(painter, room.adjusted(zero + 6, 0, 0, 0), "B", small, muted)


class DisputeDelegate(QStyledItemDelegate):
    """Paints a :class:`DisputeRow`; half of a bar's room stands for ``largest`` characters."""

    theme: Theme = LIGHT
    largest = 1
    figure = FIGURE  # pixels of a figure beside bars: in all rows the same, or the bars would not be in line

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: DisputeRow = index.data(RowRole)
        theme, rect = self.theme, option.rect
        painter.save()
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # titles in their own direction
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if row.current:
            painter.fillRect(rect, theme.color("selected"))
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), theme.color("accent"))
        if option.state & QStyle.StateFlag.State_HasFocus:
            paint_focus(painter, QRectF(rect), theme)
        middle = rect.center().y() + 1
        at = QPointF(rect.left() + 18, middle)
        paint_progress(painter, at, theme, settled=row.settled, begun=row.begun)
        inside = rect.adjusted(LEFT, 0, -beside_scroll_bar(option.widget, EDGE), 0)
        color = theme.color("muted" if row.settled else "text")
        write(painter, inside, row.told, derived(option.font, factor=0.96), color, RIGHT)
        bars = BARS if any(row.disputed_of) else 0
        wide = self.figure if bars else figure_wide(option.font, row)
        if bars:
            self._paint_bars(painter, QPointF(inside.right() - wide - BARS / 2, middle), row)
        title = inside.adjusted(0, 0, -wide - bars - 8, 0)
        write(painter, title, row.title, derived(option.font, bold=row.current), color, shorten=CUT)
        painter.restore()

    def _paint_bars(self, painter: QPainter, zero: QPointF, row: DisputeRow) -> None:
        """Paint what is disputed: of two to the left and the right of a line, of three below each other."""
        painter.setOpacity(0.5 if row.settled else 1.0)
        if len(row.disputed_of) > 2:
            self._paint_stack(painter, zero, row.disputed_of)
            painter.setOpacity(1.0)
            return
        scale = (BARS / 2 - 2) / max(self.largest, 1)
        left, right = (size * scale for size in row.disputed_of)
        top = zero.y() - 3
        paint_layer_bar(painter, QRectF(zero.x() - left, top, left, 6), self.theme, 0)
        paint_layer_bar(painter, QRectF(zero.x() + 1, top, right, 6), self.theme, 1)
        painter.setOpacity(1.0)
        painter.setPen(QPen(self.theme.color("muted"), 1))
        painter.drawLine(QPointF(zero.x(), top - 2), QPointF(zero.x(), top + 8))

    def _paint_stack(self, painter: QPainter, middle: QPointF, sizes: Sequence[int]) -> None:
        left, scale = middle.x() - BARS / 2 + 12, (BARS - 14) / max(self.largest, 1)
        for layer, size in enumerate(sizes):
            top = middle.y() - 10 + 7 * layer
            paint_layer_bar(painter, QRectF(left, top, size * scale, 5), self.theme, layer)
        painter.setPen(QPen(self.theme.color("muted"), 1))
        painter.drawLine(QPointF(left - 1, middle.y() - 11), QPointF(left - 1, middle.y() + 10))


def figure_wide(font: QFont, row: DisputeRow) -> int:
    """Return the pixels that what is at the right of a row needs, and a gap."""
    return QFontMetrics(derived(font, factor=0.96)).horizontalAdvance(row.told) + 6


def paint_progress(
    painter: QPainter, centre: QPointF, theme: Theme, *, settled: bool, begun: bool = False
) -> None:
    """Paint how far something is: a ring, a half-filled ring, a tick."""
    if settled:
        painter.setPen(QPen(theme.color("finished"), 1.7))
        painter.drawPolyline([centre + QPointF(-4, 0), centre + QPointF(-1, 3), centre + QPointF(4, -3.5)])
        return
    ring = QRectF(centre.x() - 4.5, centre.y() - 4.5, 9, 9)
    color = theme.color("accent" if begun else "muted")
    painter.setPen(QPen(color, 1.5))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(ring)
    if begun:
        painter.setBrush(color)
        painter.drawPie(ring, 90 * 16, 180 * 16)
