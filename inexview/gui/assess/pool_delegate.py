"""How one document of the pool is painted: how it is judged, its title, a figure, and where its marks lie."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from inexview.core.project.judging.standing import Standing
from inexview.core.text.spans import Spans
from inexview.gui.assess.pool_model import PoolRow, RowRole
from inexview.gui.assess.pool_view import PoolView
from inexview.gui.look.panel_parts import beside_scroll_bar, paint_focus
from inexview.gui.look.theme import LIGHT, Theme
from inexview.gui.look.tinted_icons import tinted

LEAST_HEIGHT, LEFT, RIGHT = 31, 34, 14
AROUND_TEXT = 13  # pixels of a row above and below its title
SIGN, BESIDE = 13, 6  # pixels of a flag, and of the room before it


class PoolDelegate(QStyledItemDelegate):
    """Paints a :class:`PoolRow`."""

    theme: Theme = LIGHT

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(120, max(LEAST_HEIGHT, QFontMetrics(option.font).height() + AROUND_TEXT))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row: PoolRow = index.data(RowRole)
        theme, rect = self.theme, option.rect
        painter.save()
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # titles in their own direction
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if selected or (row.current and not (isinstance(option.widget, PoolView) and option.widget.acted_on)):
            painter.fillRect(rect, theme.color("selected"))
        if row.current:
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), theme.color("accent"))
        if selected and option.state & QStyle.StateFlag.State_HasFocus:
            paint_focus(painter, QRectF(rect), theme)
        marked = row.state.relevant
        right = beside_scroll_bar(option.widget, RIGHT)
        text = rect.adjusted(LEFT, 0, -right, -4 if marked else 0)
        paint_standing(painter, QPointF(rect.left() + 18, text.center().y() + 1), row.standing, theme)
        self._paint_texts(painter, option, row, text)
        if marked:
            strip = QRectF(rect.left() + LEFT, rect.bottom() - 5, rect.width() - LEFT - right, 3)
            paint_strip(painter, strip, row.state.marks, row.about.length, theme)
        painter.restore()

    def _paint_texts(
        self, painter: QPainter, option: QStyleOptionViewItem, row: PoolRow, room: QRect
    ) -> None:
        theme = self.theme
        small = QFont(option.font)
        small.setPixelSize(max(round(option.font.pixelSize() * 0.9), 11))
        painter.setFont(small)
        figure = row.problem or row.figure
        width = painter.fontMetrics().horizontalAdvance(figure) + 12 if figure else 0
        painter.setPen(theme.color("warning" if row.problem else "muted"))
        painter.drawText(room, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), figure)
        font = QFont(option.font)
        font.setWeight(QFont.Weight.DemiBold if row.current else QFont.Weight.Normal)
        painter.setFont(font)
        painter.setPen(theme.color("muted" if row.about.missing else "text"))
        inside = self._paint_signs(painter, row, room.adjusted(0, 0, -width, 0))
        title = painter.fontMetrics().elidedText(row.about.title, Qt.TextElideMode.ElideRight, inside.width())
        painter.drawText(inside, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), title)

    def _paint_signs(self, painter: QPainter, row: PoolRow, room: QRect) -> QRect:
        """Paint the flag, and the sign of what was added, at the right; return the room that is left."""
        signs = (("flag", self.theme.warning, row.come_back), ("plus", self.theme.muted, row.added))
        for name, color, there in signs:
            if there:
                at = QPointF(room.right() - SIGN, room.center().y() - SIGN / 2 + 1)
                painter.drawImage(at, tinted(name, color, SIGN))
                room = room.adjusted(0, 0, -SIGN - BESIDE, 0)
        if row.suggested:
            room = self._paint_suggested(painter, f"[{row.suggested:,}]", room)
        return self._paint_grade(painter, row.grade, room) if row.grade else room

    def _paint_suggested(self, painter: QPainter, told: str, room: QRect) -> QRect:
        """Paint how many passages are suggested, in brackets as in the text; return the room that is left."""
        painter.save()
        painter.setPen(self.theme.color("suggested"))
        painter.drawText(room, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), told)
        wide = painter.fontMetrics().horizontalAdvance(told)
        painter.restore()
        return room.adjusted(0, 0, -wide - BESIDE, 0)

    def _paint_grade(self, painter: QPainter, grade: str, room: QRect) -> QRect:
        """Paint a document's grade in a frame at the right; return the room that is left."""
        painter.save()
        metrics = painter.fontMetrics()
        shown = metrics.elidedText(grade, Qt.TextElideMode.ElideRight, room.width() // 3)
        wide = metrics.horizontalAdvance(shown) + 2 * BESIDE
        frame = QRect(room.right() - wide, room.center().y() - metrics.height() // 2, wide, metrics.height())
        painter.setPen(QPen(self.theme.color("muted"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(frame, 4, 4)
        painter.drawText(frame, int(Qt.AlignmentFlag.AlignCenter), shown)
        painter.restore()
        return room.adjusted(0, 0, -wide - BESIDE, 0)


def paint_standing(painter: QPainter, centre: QPointF, where: Standing, theme: Theme) -> None:
    """Paint what became of a document: ○ to do, ◐ begun, ● with a tick relevant, ⊖ not relevant."""
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
    for left, right in _bars(marks, strip.width() / length):
        painter.drawRoundedRect(QRectF(strip.left() + left, strip.top(), right - left, strip.height()), 2, 2)


def _bars(marks: Spans, scale: float) -> list[tuple[float, float]]:
    """Return where marks lie in pixels, two wide at least; what meets there is one."""
    lefts = marks.starts * scale
    reached = np.maximum.accumulate(np.maximum(marks.ends * scale, lefts + 2.0))
    apart = np.flatnonzero(lefts[1:] > reached[:-1])
    firsts, lasts = np.append(0, apart + 1), np.append(apart, len(lefts) - 1)
    return list(zip(lefts[firsts].tolist(), reached[lasts].tolist(), strict=True))
