"""Shapes that tell what colour tells too: one per run, one per state of a document."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from enum import Enum
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from inexview.gui.look.theme import LIGHT, Theme, mixed

COLORS = len(LIGHT.runs)

SHAPE_NAMES = ("square", "triangle", "diamond", "circle", "inverted triangle", "star", "cross")
"""One more than there are colours, so that 42 runs have a look of their own.

Of the first eight, the circle is far in colour from the disc of a relevant document.
"""

_CORNERS: dict[int, tuple[tuple[float, float], ...]] = {
    0: ((0.08, 0.08), (0.92, 0.08), (0.92, 0.92), (0.08, 0.92)),
    1: ((0.5, 0.06), (1.0, 0.94), (0.0, 0.94)),
    2: ((0.5, 0.0), (1.0, 0.5), (0.5, 1.0), (0.0, 0.5)),
    4: ((0.0, 0.06), (1.0, 0.06), (0.5, 0.94)),
    5: tuple(
        (0.5 + reach * math.sin(turn * math.pi / 5), 0.52 - reach * math.cos(turn * math.pi / 5))
        for turn, reach in enumerate((0.55, 0.24) * 5)
    ),
    6: (
        *((0.34, 0.0), (0.66, 0.0), (0.66, 0.34), (1.0, 0.34), (1.0, 0.66), (0.66, 0.66)),
        *((0.66, 1.0), (0.34, 1.0), (0.34, 0.66), (0.0, 0.66), (0.0, 0.34), (0.34, 0.34)),
    ),
}


class RelevanceState(Enum):
    """What is known of a document's relevance to the topic."""

    RELEVANT = "relevant"
    NOT_RELEVANT = "not relevant"
    BEGUN = "begun"
    UNJUDGED = "unjudged"
    ABSENT = "not in the collection"


def run_color(theme: Theme, style: int) -> QColor:
    """Return the colour of the run with this number; after the last one the first is used again."""
    return QColor(theme.runs[style % len(theme.runs)])


def lane_color(theme: Theme, style: int) -> QColor:
    """Return the colour of a run's lane beside the text, quieter than its sign where the page is dark."""
    return mixed(theme.runs[style % len(theme.runs)], theme.page, theme.lane)


def alike(one: int, other: int) -> bool:
    """Tell whether the runs with these numbers have the same colour."""
    return (one - other) % COLORS == 0


def recolored(style: int, taken: Collection[int]) -> int:
    """Return a number with the same shape in another colour, where possible a look that none has taken."""
    shapes, looks = len(SHAPE_NAMES), {number % (COLORS * len(SHAPE_NAMES)) for number in taken}
    others = [(style + turn * shapes) % (COLORS * shapes) for turn in range(1, COLORS)]
    return next((other for other in others if other not in looks), others[0])


@lru_cache(maxsize=256)
def _polygon(shape: int, width: float, height: float) -> QPolygonF:
    """Return a shape with corners as large as this at the origin."""
    return QPolygonF([QPointF(x * width, y * height) for x, y in _CORNERS[shape]])


def paint_run_shape(
    painter: QPainter, style: int, rect: QRectF, color: QColor, *, hollow: bool = False
) -> None:
    """Draw the filled shape of the run with this number: ■ ▲ ◆ ● ▼ ★ ✚; that of a scratch copy is hollow."""
    paint_run_shapes(painter, style, (rect,), color, hollow=hollow)


def paint_run_shapes(
    painter: QPainter, style: int, rects: Iterable[QRectF], color: QColor, *, hollow: bool = False
) -> None:
    """Draw the shape of one run in each of several places."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(color, 1.6) if hollow else Qt.PenStyle.NoPen)
    painter.setBrush(Qt.BrushStyle.NoBrush if hollow else color)
    shape = style % len(SHAPE_NAMES)
    for rect in rects:
        if shape in _CORNERS:
            painter.drawPolygon(_polygon(shape, rect.width(), rect.height()).translated(rect.topLeft()))
        else:
            painter.drawEllipse(rect)
    painter.restore()


def dot_under(painter: QPainter, right: float, middle: float, text: str, theme: Theme) -> None:
    """Underline a figure that lacks something with dots; it ends at ``right``, in the painter's font."""
    pen = QPen(theme.color("warning"), 1.4)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)  # a square one would fill the room between the dots
    pen.setDashPattern([1.2, 1.8])
    painter.setPen(pen)
    low = middle + 8
    painter.drawLine(QPointF(right - painter.fontMetrics().horizontalAdvance(text), low), QPointF(right, low))


def paint_judged(painter: QPainter, state: RelevanceState, rect: QRectF, theme: Theme) -> None:
    """Draw a document's state: a full disc, a barred disc, a half disc, a dashed ring, a cross."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if state is RelevanceState.RELEVANT:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("finished"))
        painter.drawEllipse(rect)
    elif state is RelevanceState.NOT_RELEVANT:
        disc, middle = QPainterPath(), rect.center()
        disc.addEllipse(rect)
        disc.addRect(QRectF(rect.left() + 2, middle.y() - 1, rect.width() - 4, 2))  # inside: it stays empty
        painter.fillPath(disc, theme.color("muted"))
    elif state is RelevanceState.BEGUN:
        painter.setPen(QPen(theme.color("accent"), 1.5))
        ring = rect.adjusted(0.75, 0.75, -0.75, -0.75)
        painter.drawEllipse(ring)
        painter.setBrush(theme.color("accent"))
        painter.drawPie(ring, 90 * 16, 180 * 16)
    elif state is RelevanceState.ABSENT:
        painter.setPen(QPen(theme.color("muted"), 1.5))
        inside = rect.adjusted(1.5, 1.5, -1.5, -1.5)
        painter.drawLine(inside.topLeft(), inside.bottomRight())
        painter.drawLine(inside.topRight(), inside.bottomLeft())
    else:
        pen = QPen(theme.color("muted"), 1.5)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        ring = rect.adjusted(0.75, 0.75, -0.75, -0.75)
        dash = math.pi * ring.width() / 12 / pen.widthF()
        pen.setDashPattern([dash, dash])
        painter.setPen(pen)
        painter.drawEllipse(ring)
    painter.restore()


def paint_number(
    painter: QPainter, rect: QRectF, number: int, font: QFont, theme: Theme, *, current: bool
) -> None:
    """Draw the number of a place in a ring; the current one in a full disc."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("text" if current else "muted"), 1))
    painter.setBrush(theme.color("text") if current else Qt.BrushStyle.NoBrush)
    painter.drawEllipse(rect.adjusted(0.5, 0.5, -0.5, -0.5))
    painter.setPen(theme.color("page" if current else "text"))
    painter.setFont(font)
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, str(number))
    painter.restore()


def key_width(font: QFont, key: str) -> float:
    """Return how wide the sign of a key is."""
    return QFontMetricsF(font).horizontalAdvance(key) + 10


def paint_key(painter: QPainter, left: QPointF, key: str, font: QFont, theme: Theme) -> None:
    """Draw the sign of a key; ``left`` is the middle of its left edge."""
    painter.save()
    high = QFontMetricsF(font).height() + 2
    sign = QRectF(left.x(), left.y() - high / 2, key_width(font, key), high)
    painter.setPen(QPen(theme.color("line"), 1))
    painter.setBrush(theme.color("window"))
    painter.drawRoundedRect(sign, 4, 4)
    painter.setPen(theme.color("muted"))
    painter.setFont(font)
    painter.drawText(sign, Qt.AlignmentFlag.AlignCenter, key)
    painter.restore()
