"""How what A marked and what B marked are drawn: A solid with a square, B hatched with a triangle."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPen, QPolygonF

from inexview.gui.look.theme import Theme

SIGN = 8.0  # pixels of a square or a triangle


def paint_bar(painter: QPainter, rect: QRectF, theme: Theme, token: str, *, hatched: bool = False) -> None:
    """Paint a bar in a colour, full or hatched within an outline."""
    if rect.width() <= 0:
        return
    color = theme.color(token)
    painter.save()
    painter.setPen(QPen(color, 1) if hatched else Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(color, Qt.BrushStyle.BDiagPattern) if hatched else color)
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5) if hatched else rect, 1.5, 1.5)
    painter.restore()


def paint_sign(painter: QPainter, centre: QPointF, theme: Theme, *, second: bool) -> None:
    """Paint the square of A or the triangle of B."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    half = SIGN / 2
    if second:
        painter.setBrush(theme.color("layer_b"))
        corners = [QPointF(0, -half), QPointF(half, half - 0.5), QPointF(-half, half - 0.5)]
        painter.drawPolygon(QPolygonF([centre + corner for corner in corners]))
    else:
        painter.setBrush(theme.color("layer_a"))
        painter.drawRect(QRectF(centre.x() - half + 0.5, centre.y() - half + 0.5, SIGN - 1, SIGN - 1))
    painter.restore()
