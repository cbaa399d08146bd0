"""How the layers of assessors are told apart, without colour too: A solid, B hatched, C dotted."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QLinearGradient, QPainter, QPen, QPolygonF

from inexview.gui.look.theme import Theme

SIGN = 8.0  # pixels of a square, a triangle or a disc
HATCH = 2.6  # pixels across and down from one stripe to the next


@dataclass(frozen=True, slots=True)
class LayerLook:
    """Letter, colour and patterns of one layer; ``dashes`` of a line are in its thickness."""

    letter: str
    token: str
    brush: Qt.BrushStyle
    dashes: tuple[float, float]

    def lay(self, painter: QPainter, color: QColor) -> None:
        solid = self.brush is Qt.BrushStyle.SolidPattern
        painter.setPen(Qt.PenStyle.NoPen if solid else QPen(color, 1))
        hatched = self.brush is Qt.BrushStyle.BDiagPattern
        painter.setBrush(_hatching(color) if hatched else QBrush(color, self.brush))


def _hatching(color: QColor) -> QBrush:
    """Return stripes as wide as the gaps between them: Qt's own are hairlines, pale in a low bar."""
    clear = QColor(color)
    clear.setAlpha(0)
    stripes = QLinearGradient(0, 0, HATCH, HATCH)
    stripes.setSpread(QLinearGradient.Spread.RepeatSpread)
    for at, shade in ((0.0, color), (0.45, color), (0.55, clear), (0.9, clear), (1.0, color)):
        stripes.setColorAt(at, shade)
    return QBrush(stripes)


LAYER_LOOKS = (
    LayerLook("A", "layer_a", Qt.BrushStyle.SolidPattern, (100, 1)),
    LayerLook("B", "layer_b", Qt.BrushStyle.BDiagPattern, (3, 2)),
    LayerLook("C", "layer_c", Qt.BrushStyle.Dense5Pattern, (1, 1)),
)


def paint_layer_bar(painter: QPainter, rect: QRectF, theme: Theme, layer: int) -> None:
    if rect.width() <= 0:
        return
    look = LAYER_LOOKS[layer]
    painter.save()
    look.lay(painter, theme.color(look.token))
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5) if layer else rect, 1.5, 1.5)
    painter.restore()


def paint_layer_sign(painter: QPainter, centre: QPointF, theme: Theme, layer: int) -> None:
    """Paint the square of A, the triangle of B or the disc of C."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color(LAYER_LOOKS[layer].token))
    half = SIGN / 2
    match layer:
        case 0:
            painter.drawRect(QRectF(centre.x() - half + 0.5, centre.y() - half + 0.5, SIGN - 1, SIGN - 1))
        case 1:
            corners = [QPointF(0, -half), QPointF(half, half - 0.5), QPointF(-half, half - 0.5)]
            painter.drawPolygon(QPolygonF([centre + corner for corner in corners]))
        case _:
            painter.drawEllipse(centre, half, half)
    painter.restore()
