"""Shapes that tell what colour tells too: of runs, of layers, of a document's state; and icons."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetricsF,
    QIcon,
    QImage,
    QLinearGradient,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QPolygonF,
)

from inexview.core.resources import resource
from inexview.gui.look.theme import LIGHT, Theme, mixed

COLORS = len(LIGHT.runs)


SHAPE_NAMES = ("square", "triangle", "diamond", "circle", "inverted triangle", "star", "cross")
"""One more than there are colours, so that 42 runs have a look of their own.

Of the first eight, the circle is far in colour from the disc of a relevant document.
"""


DASHES: tuple[tuple[float, ...], ...] = (
    (), (5, 2.5), (1.2, 1.8), (6, 2, 1.2, 2), (9, 3), (3, 1.5, 1.2, 1.5, 1.2, 1.5), (9, 2, 1.2, 2),
)  # fmt: skip


DASH_NAMES = (
    "solid",
    "dashed",
    "dotted",
    "dash-dotted",
    "long-dashed",
    "dash-dot-dotted",
    "long-dash-dotted",
)


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


FINE = 3  # pixels of the picture for each of the window


@lru_cache(maxsize=64)
def tinted(name: str, color: str, size: int) -> QImage:
    """Return an icon of ``resources/icons`` in one colour, ``size`` pixels wide and high."""
    whole = size * FINE
    image = QIcon(str(resource("icons") / f"{name}.svg")).pixmap(QSize(whole, whole), 1.0).toImage()
    image = image.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)
    painter = QPainter(image)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
    painter.fillRect(image.rect(), QColor(color))
    painter.end()
    image.setDevicePixelRatio(FINE)
    return image


def chip_icon(name: str, theme: Theme, token: str, size: int) -> QIcon:
    """Return an icon for a button that can be chosen, and then has another colour behind it."""
    icon = QIcon()
    for color, state in ((getattr(theme, token), QIcon.State.Off), (theme.on_accent, QIcon.State.On)):
        image = tinted(name, color, size)
        icon.addPixmap(QPixmap.fromImage(image, Qt.ImageConversionFlag.AutoColor), QIcon.Mode.Normal, state)
    return icon
