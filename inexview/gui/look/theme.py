"""The theme of the window: colours and fonts, the style sheet, shapes of runs and layers, icons.

Colours with a meaning (mark, hit, miss, false alarm) come from the Okabe–Ito palette. They and the colours of
runs always come with a shape or line style, so that no information is in colour alone.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from PySide6.QtCore import QLoggingCategory, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontDatabase,
    QFontMetricsF,
    QGuiApplication,
    QIcon,
    QImage,
    QLinearGradient,
    QPainter,
    QPainterPath,
    QPalette,
    QPen,
    QPixmap,
    QPolygonF,
)
from PySide6.QtWidgets import QWidget

from inexview.core.files import resource


@dataclass(frozen=True, slots=True)
class Theme:
    """Every colour that the window uses, as ``#rrggbb`` (or ``#aarrggbb``)."""

    name: str
    window: str  # side panels and bars
    page: str  # the reading column
    raised: str  # buttons, fields
    line: str  # thin lines between areas
    track: str  # empty part of bars
    handle: str  # handles of scroll bars
    rest: str  # in charts, runs that are not highlighted
    text: str
    muted: str  # secondary text
    accent: str  # the colour of actions
    on_accent: str
    selected: str  # the current row
    selection: str  # text selected with the keyboard
    mark: str  # background of judged text
    mark_edge: str  # underline and bars of judged text
    preview: str  # background of text that the pen would mark
    preview_edge: str
    erase: str  # background of text that the eraser would erase
    erase_edge: str
    bep: str
    hit: str
    miss: str
    false_alarm: str
    layer_a: str  # the first of two or three assessors
    layer_b: str
    layer_c: str
    suggested: str  # undecided suggestions
    finished: str
    found: str  # background of text found with Find
    warning: str
    runs: tuple[str, ...]  # distinct for colour-blind people, too, and from the colours above
    words: tuple[str, ...]  # letters of coloured words, with shapes in the same order
    lane: float  # opacity of a run's colour in its lane next to the text: weaker than marks
    word_in_mark: float  # share of a word's colour on a mark, so that it is readable there

    def color(self, token: str) -> QColor:
        """Return the colour of a token, e.g. ``color("mark")``."""
        return QColor(getattr(self, token))


def mixed(color: str, other: str, share: float) -> QColor:
    """Return a mixture with ``share`` of the first colour."""
    one, two = QColor(color), QColor(other)
    pairs = ((one.red(), two.red()), (one.green(), two.green()), (one.blue(), two.blue()))
    return QColor(*(round(share * a + (1 - share) * b) for a, b in pairs))


LIGHT = Theme(
    name="light",
    window="#fbfbf9",
    page="#ffffff",
    raised="#ffffff",
    line="#e3e3df",
    track="#ecece8",
    handle="#b4b7b6",
    rest="#898d91",
    text="#1d1f21",
    muted="#62666b",
    accent="#2a6bb0",
    on_accent="#ffffff",
    selected="#e7effa",
    selection="#b9d4f3",
    mark="#ffe7a3",
    mark_edge="#a87a00",
    preview="#e3ecf8",
    preview_edge="#2a6bb0",
    erase="#f6e1dc",
    erase_edge="#b4481f",
    bep="#b01f24",
    hit="#0072b2",
    miss="#b84700",
    false_alarm="#666a70",
    layer_a="#0072b2",
    layer_b="#a03d7e",
    layer_c="#00705a",
    suggested="#6a4fb3",
    finished="#23784a",
    found="#c9efdd",
    warning="#8a5a00",
    runs=("#0b62e2", "#a34982", "#05442e", "#63139f", "#1d0753", "#606b0f"),
    words=("#00795a", "#7a5195", "#a8447f", "#0b6aa8", "#556b00", "#5c6670"),
    lane=1.0,
    word_in_mark=0.86,
)

DARK = Theme(
    name="dark",
    window="#1b1e21",
    page="#202427",
    raised="#25292d",
    line="#33383d",
    track="#2c3136",
    handle="#555c63",
    rest="#6e757c",
    text="#e7e6e1",
    muted="#a1a6ab",
    accent="#6aa7ea",
    on_accent="#0d1216",
    selected="#243242",
    selection="#33557d",
    mark="#594611",
    mark_edge="#e6b93c",
    preview="#243447",
    preview_edge="#6aa7ea",
    erase="#49291f",
    erase_edge="#f0936b",
    bep="#ff857f",
    hit="#56b4e9",
    miss="#f28b46",
    false_alarm="#a1a6ab",
    layer_a="#56b4e9",
    layer_b="#e38bc8",
    layer_c="#4fd0b0",
    suggested="#b9a3f2",
    finished="#62c48d",
    found="#1f4d3b",
    warning="#e0b050",
    runs=("#6397fe", "#fd59bc", "#42d76f", "#c9b5fe", "#53fcef", "#bff707"),
    words=("#3cc79a", "#c3a9e8", "#e79bca", "#6dbdea", "#b9cf6a", "#b8bec4"),
    lane=0.65,
    word_in_mark=0.7,
)


def theme_now() -> Theme:
    return _theme_of(QGuiApplication.palette().cacheKey())


@lru_cache(maxsize=4)  # painters request it constantly
def _theme_of(_key: int) -> Theme:
    return DARK if QGuiApplication.palette().window().color() == QColor(DARK.window) else LIGHT


class Themed:
    """Base of widgets that paint in the current theme."""

    @property
    def theme(self) -> Theme:
        return theme_now()


READING_FAMILIES = ("Noto Serif", "DejaVu Serif", "Noto Color Emoji", "Droid Sans Fallback")
INTERFACE_FAMILIES = ("Inter", "DejaVu Sans", "Noto Color Emoji", "Droid Sans Fallback")


INTERFACE_PIXELS = 13
KEY_SHADE = 0.07  # opacity of the background of a key on an accent button, on which the key must be readable


def load_fonts(application: QGuiApplication) -> None:
    """Load the bundled fonts, and make the interface font the default.

    For scripts that they lack, Qt uses other fonts, and reports each in the terminal.
    """
    QLoggingCategory.setFilterRules("qt.text.font.db.info=false")
    for path in sorted(resource("fonts").glob("*.[ot]tf")):
        QFontDatabase.addApplicationFont(str(path))
    font = QFont()
    font.setFamilies(list(INTERFACE_FAMILIES))
    font.setPixelSize(INTERFACE_PIXELS)
    application.setFont(font)


def palette(theme: Theme) -> QPalette:
    """Return the Qt palette of a theme, for what the style sheet does not style."""
    result = QPalette()
    roles = {
        QPalette.ColorRole.Window: theme.window,
        QPalette.ColorRole.WindowText: theme.text,
        QPalette.ColorRole.Base: theme.page,
        QPalette.ColorRole.AlternateBase: theme.window,
        QPalette.ColorRole.Text: theme.text,
        QPalette.ColorRole.PlaceholderText: theme.muted,
        QPalette.ColorRole.Button: theme.raised,
        QPalette.ColorRole.ButtonText: theme.text,
        QPalette.ColorRole.Highlight: theme.selection,
        QPalette.ColorRole.HighlightedText: theme.text,
        QPalette.ColorRole.ToolTipBase: theme.raised,
        QPalette.ColorRole.ToolTipText: theme.text,
        QPalette.ColorRole.Link: theme.accent,
        QPalette.ColorRole.Accent: theme.accent,
        QPalette.ColorRole.Mid: theme.line,
        QPalette.ColorRole.Dark: theme.line,
        QPalette.ColorRole.Light: theme.raised,
    }
    for role, color in roles.items():
        result.setColor(role, QColor(color))
    for role in (QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText, QPalette.ColorRole.WindowText):
        result.setColor(QPalette.ColorGroup.Disabled, role, QColor(theme.muted))
    return result


def set_role(widget: QWidget, role: str) -> None:
    set_look(widget, "role", role)


def set_look(widget: QWidget, name: str, value: object, *within: QWidget) -> None:
    """Set a property that the style sheet uses, and restyle the widget and those ``within`` it."""
    if widget.property(name) == value:
        return
    widget.setProperty(name, value)
    for one in (widget, *within):
        one.style().unpolish(one)
        one.style().polish(one)


def style_sheet(theme: Theme) -> str:
    """Return the style sheet of a theme. Widgets choose a style by their ``role`` property."""
    themes = resource("themes")
    values = {name: getattr(theme, name) for name in theme.__slots__ if name not in ("runs", "words")}
    values["primary_key"] = mixed(theme.on_accent, theme.accent, KEY_SHADE).name()
    return (themes / "window.qss").read_text(encoding="utf-8") % {**values, "themes": themes.as_posix()}


# Shapes that repeat the information of colours: of runs, of layers, of a document's state; and icons.

COLORS = len(LIGHT.runs)


SHAPE_NAMES = ("square", "triangle", "diamond", "circle", "inverted triangle", "star", "cross")
"""One more than the number of colours, so that 42 runs have distinct styles.

Of the first eight, the colour of the circle is far from that of the disc of a relevant document.
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
    """The state of a document with regard to the topic."""

    RELEVANT = "relevant"
    NOT_RELEVANT = "not relevant"
    BEGUN = "begun"
    UNJUDGED = "unjudged"
    ABSENT = "not in the collection"


def run_color(theme: Theme, style: int) -> QColor:
    """Return the colour of a run by style; colours repeat after the last one."""
    return QColor(theme.runs[style % len(theme.runs)])


def lane_color(theme: Theme, style: int) -> QColor:
    """Return the colour of a run's lane next to the text, weaker than its sign if the page is dark."""
    return mixed(theme.runs[style % len(theme.runs)], theme.page, theme.lane)


def alike(one: int, other: int) -> bool:
    return (one - other) % COLORS == 0


def recolored(style: int, taken: Collection[int]) -> int:
    """Return a style with the same shape in another colour, one that is not taken if possible."""
    shapes, looks = len(SHAPE_NAMES), {number % (COLORS * len(SHAPE_NAMES)) for number in taken}
    others = [(style + turn * shapes) % (COLORS * shapes) for turn in range(1, COLORS)]
    return next((other for other in others if other not in looks), others[0])


@lru_cache(maxsize=256)
def _polygon(shape: int, width: float, height: float) -> QPolygonF:
    return QPolygonF([QPointF(x * width, y * height) for x, y in _CORNERS[shape]])


def paint_run_shape(
    painter: QPainter, style: int, rect: QRectF, color: QColor, *, hollow: bool = False
) -> None:
    """Draw the shape of a run's style, ■ ▲ ◆ ● ▼ ★ ✚; ``hollow`` for a scratch copy."""
    paint_run_shapes(painter, style, (rect,), color, hollow=hollow)


def paint_run_shapes(
    painter: QPainter, style: int, rects: Iterable[QRectF], color: QColor, *, hollow: bool = False
) -> None:
    """Draw the shape of a run's style at several places."""
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
    """Underline an incomplete figure with dots; its right end is at ``right``, in the painter's font."""
    pen = QPen(theme.color("warning"), 1.4)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)  # a square cap would fill the gaps between the dots
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
        disc.addRect(QRectF(rect.left() + 2, middle.y() - 1, rect.width() - 4, 2))  # the bar is left empty
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
    """Draw the number of a place in a ring; the current one in a filled disc."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("text" if current else "muted"), 1))
    painter.setBrush(theme.color("text") if current else Qt.BrushStyle.NoBrush)
    painter.drawEllipse(rect.adjusted(0.5, 0.5, -0.5, -0.5))
    painter.setPen(theme.color("page" if current else "text"))
    painter.setFont(font)
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, str(number))
    painter.restore()


def paint_nugget(
    painter: QPainter,
    rect: QRectF,
    key: str,
    font: QFont,
    theme: Theme,
    *,
    vital: bool,
    current: bool,
    layer: int | None = None,
) -> None:
    """Draw the key of a nugget in a ring, thick if it is vital; in a filled disc if it is selected.

    For another assessor's ``layer`` the ring has that layer's colour and dashes.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    color = theme.color(nugget_color(layer, current=current))
    ring = QPen(color, 1.8 if vital else 1)
    if layer:
        ring.setDashPattern([part / ring.widthF() for part in LAYER_LOOKS[layer].dashes])
    painter.setPen(ring)
    painter.setBrush(color if current else Qt.BrushStyle.NoBrush)
    painter.drawEllipse(rect.adjusted(1, 1, -1, -1))
    painter.setPen(theme.color("on_accent" if current else "text"))
    painter.setFont(font)
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, key)
    painter.restore()


def nugget_color(layer: int | None, *, current: bool) -> str:
    """Return the colour of a nugget's ring and words: for another assessor's, that of the layer."""
    return ("accent" if current else "mark_edge") if layer is None else LAYER_LOOKS[layer].token


def paint_waiting(painter: QPainter, rect: QRectF, font: QFont, theme: Theme) -> None:
    """Draw a question mark in a dashed ring, for a mark without a nugget."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = QPen(theme.color("accent"), 1.4, Qt.PenStyle.CustomDashLine)
    pen.setDashPattern([2.4, 1.8])
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(rect.adjusted(1, 1, -1, -1))
    painter.setFont(font)
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, "?")
    painter.restore()


def paint_importance(painter: QPainter, centre: QPointF, theme: Theme, *, vital: bool) -> None:
    """Draw ◆ for a vital nugget, ◇ for an okay one."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("text" if vital else "muted"), 1.2))
    painter.setBrush(theme.color("text") if vital else Qt.BrushStyle.NoBrush)
    across = QPointF(DIAMOND, 0), QPointF(0, DIAMOND), QPointF(-DIAMOND, 0), QPointF(0, -DIAMOND)
    painter.drawPolygon(QPolygonF([centre + corner for corner in across]))
    painter.restore()


DIAMOND = 4.5  # pixels from the centre to a corner


def key_width(font: QFont, key: str) -> float:
    return QFontMetricsF(font).horizontalAdvance(key) + 10


def paint_key(painter: QPainter, left: QPointF, key: str, font: QFont, theme: Theme) -> None:
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


SIGN = 8.0  # pixels of a square, triangle or disc


HATCH = 2.6  # distance between stripes in pixels


@dataclass(frozen=True, slots=True)
class LayerLook:
    """Letter, colour and patterns of a layer; ``dashes`` are in units of the line's thickness."""

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
    """Return a brush of stripes as wide as their gaps: Qt's own are thin, and pale in a low bar."""
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


FINE = 3  # pixels of the picture per pixel of the window


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
    """Return an icon for a checkable button, in another colour when checked."""
    icon = QIcon()
    for color, state in ((getattr(theme, token), QIcon.State.Off), (theme.on_accent, QIcon.State.On)):
        image = tinted(name, color, size)
        icon.addPixmap(QPixmap.fromImage(image, Qt.ImageConversionFlag.AutoColor), QIcon.Mode.Normal, state)
    return icon
