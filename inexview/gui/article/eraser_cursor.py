"""The mouse's cursor while the eraser is in the hand; its tip is the corner that erases."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QCursor, QPainter, QPen, QPixmap, QPolygonF

from inexview.gui.look.theme import Theme

SIZE = 24  # pixels
TIP = (3, 17)  # pixels from the upper left corner
_WHOLE = ((3, 15), (14, 3), (21, 9), (10, 21), (6, 21), (3, 18))
_RUBBER = ((3, 15), (6.5, 11.2), (13.5, 17.2), (10, 21), (6, 21), (3, 18))


@cache
def eraser_cursor(theme: Theme) -> QCursor:
    picture = QPixmap(SIZE, SIZE)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("text"), 1.6, j=Qt.PenJoinStyle.RoundJoin))
    for corners, token in ((_WHOLE, "page"), (_RUBBER, "erase_edge")):
        painter.setBrush(theme.color(token))
        painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in corners]))
    painter.end()
    return QCursor(picture, *TIP)
