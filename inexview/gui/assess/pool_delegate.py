"""How one document of the pool is painted: where it stands, its title, and where its marks lie."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from inexview.core.text.spans import Spans
from inexview.gui.assess.pool_model import PoolRow, RowRole
from inexview.gui.assess.pool_progress import Standing
from inexview.gui.look.theme import LIGHT, Theme

HEIGHT, LEFT, RIGHT = 43, 34, 14


class PoolDelegate(QStyledItemDelegate):
    """Paints a :class:`PoolRow`."""

    theme: Theme = LIGHT

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Every row is equally high."""
        return QSize(120, HEIGHT)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint symbol, title, document id and the strip of marks."""
        row: PoolRow = index.data(RowRole)
        theme, rect = self.theme, option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if row.current or selected:
            painter.fillRect(rect, theme.color("selected"))
        if row.current:
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), theme.color("accent"))
        if selected and option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(theme.color("accent"), 1))
            painter.drawRect(rect.adjusted(0, 0, -1, -1))
        painter.setPen(QPen(theme.color("line"), 1))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        paint_standing(painter, QPointF(rect.left() + 18, rect.top() + 17), row.standing, theme)
        self._paint_texts(painter, option, row)
        strip = QRectF(rect.left() + LEFT, rect.bottom() - 11, rect.width() - LEFT - RIGHT, 4)
        paint_strip(painter, strip, row.state.marks, row.about.length, theme)
        painter.restore()

    def _paint_texts(self, painter: QPainter, option: QStyleOptionViewItem, row: PoolRow) -> None:
        rect, theme = option.rect, self.theme
        small = QFont(option.font)
        small.setPixelSize(11)
        painter.setFont(small)
        note = "not in the collection" if row.about.missing else row.document_id
        if note == row.about.title:
            note = ""
        width = min(painter.fontMetrics().horizontalAdvance(note) + 2, rect.width() // 3)
        line = QRect(rect.left() + LEFT, rect.top() + 6, rect.width() - LEFT - RIGHT, 20)
        painter.setPen(theme.color("warning" if row.about.missing else "muted"))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        shown = painter.fontMetrics().elidedText(note, Qt.TextElideMode.ElideMiddle, width)
        painter.drawText(line, int(right), shown)
        font = QFont(option.font)
        font.setWeight(QFont.Weight.DemiBold if row.current else QFont.Weight.Normal)
        painter.setFont(font)
        painter.setPen(theme.color("muted" if row.about.missing else "text"))
        line.setRight(line.right() - width - 10)
        title = painter.fontMetrics().elidedText(row.about.title, Qt.TextElideMode.ElideRight, line.width())
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(line, int(left), title)


def paint_standing(painter: QPainter, centre: QPointF, where: Standing, theme: Theme) -> None:
    """Paint where a document stands: ○ to do, ◐ begun, ● with a tick relevant, ⊖ not relevant."""
    radius = 5.0
    circle = QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius)
    token = {Standing.RELEVANT: "finished", Standing.BEGUN: "accent"}.get(where, "muted")
    color = theme.color(token)
    painter.setPen(QPen(color, 1.7))
    painter.setBrush(color if where is Standing.RELEVANT else Qt.BrushStyle.NoBrush)
    painter.drawEllipse(circle)
    if where is Standing.BEGUN:
        painter.setBrush(color)
        painter.drawPie(circle, 90 * 16, 180 * 16)
    elif where is Standing.NOT_RELEVANT:
        painter.drawLine(centre - QPointF(2.2, 0), centre + QPointF(2.2, 0))
    elif where is Standing.RELEVANT:
        painter.setPen(QPen(theme.color("window"), 1.5))
        tick = [centre + QPointF(-2.4, 0.2), centre + QPointF(-0.6, 2.0), centre + QPointF(2.6, -1.9)]
        painter.drawPolyline(tick)


def paint_strip(painter: QPainter, strip: QRectF, marks: Spans, length: int, theme: Theme) -> None:
    """Paint a document as a strip, and on it where its marks lie; nothing is marked where length is 0."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("track"))
    painter.drawRoundedRect(strip, 2, 2)
    if not length:
        return
    painter.setBrush(theme.color("mark_edge"))
    scale = strip.width() / length
    for start, end in marks:
        width = max((end - start) * scale, 2.0)
        painter.drawRoundedRect(
            QRectF(strip.left() + start * scale, strip.top(), width, strip.height()), 2, 2
        )
