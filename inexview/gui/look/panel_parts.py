"""Small parts that the panels share: fonts, captions, lists, and a mark for the keyboard's place."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QPainter,
    QPen,
)
from PySide6.QtWidgets import QAbstractItemView, QListView, QScrollArea, QWidget

from inexview.core.wording import with_whole_numbers
from inexview.gui.look.theme import Theme

MARGIN = 14  # between a panel's edge and what it holds
LEAST_RIGHT = 3  # pixels between a row's figure and a scroll bar
INSET = 4  # of this, the room that a row's focus ring takes
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
CUT = Qt.TextElideMode.ElideRight


def derived(font: QFont, *, factor: float = 1.0, bold: bool = False) -> QFont:
    """Return a font with tabular figures, in proportion to another, whichever way that one is sized.

    Rows ask for the same few fonts at every repaint, so these are kept; no one may change them.
    """
    known = _fonts.setdefault((factor, bold), [])
    for own, made in known:  # few, and compared in a tenth of the time in which a font's key is written
        if own == font:
            return made
    made = QFont(font)
    if font.pixelSize() > 0:
        made.setPixelSize(max(round(font.pixelSize() * factor), 9))
    else:
        made.setPointSizeF(font.pointSizeF() * factor)
    made.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    made.setFeature(QFont.Tag("tnum"), 1)
    if not any(_fonts.values()) and (application := QGuiApplication.instance()) is not None:
        application.aboutToQuit.connect(_fonts.clear)  # none outlives it
    known.append((QFont(font), made))
    return made


_fonts: dict[tuple[float, bool], list[tuple[QFont, QFont]]] = {}


def paint_focus(painter: QPainter, rect: QRectF, theme: Theme) -> None:
    """Draw the ring that shows where the keyboard is, inside the rectangle."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("accent"), 2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), 4, 4)
    painter.restore()


def write(
    painter: QPainter,
    room: QRect | QRectF,
    text: str,
    font: QFont,
    color: QColor,
    side: Qt.AlignmentFlag = LEFT,
    shorten: Qt.TextElideMode = Qt.TextElideMode.ElideNone,
) -> None:
    """Write a line in a rectangle; with ``shorten`` where there is no room for all of it."""
    painter.setFont(font)
    painter.setPen(color)
    shown = QFontMetricsF(font).elidedText(text, shorten, room.width())
    painter.drawText(QRectF(room), side, with_whole_numbers(text, shown))


def beside_scroll_bar(view: QWidget, margin: int) -> int:
    """Return the margin that is left at the right of a row, where a scroll bar may take some of it.

    So figures end where all above the list does, and do not move when the scroll bar comes.
    """
    taken = view.width() - view.viewport().width() if isinstance(view, QAbstractItemView) else 0
    return max(margin - taken, LEAST_RIGHT)


def fair_share(widths: Sequence[float], at: int, room: float) -> float:
    """Return the room for one of some texts side by side: its part, and what the others leave of theirs."""
    others = sum(widths) - widths[at]
    return max(room - others, room / len(widths))


class ChoosingView(QListView):
    """A list of painted rows: arrows only move, a click or Enter chooses, and the keyboard lands on a row."""

    chosen = Signal(object)  # QModelIndex

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.clicked.connect(lambda index: self.chosen.emit(index))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() is Qt.FocusReason.MouseFocusReason:
            return  # the click lands on a row itself: the first one would scroll that away from under it
        if not self.currentIndex().isValid() and self.model().rowCount():
            self.setCurrentIndex(self.model().index(0, 0))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.chosen.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)


class ScrollingPanel(QScrollArea):
    """Gives what it holds its new height before that is laid out, so that no line is painted cut in half."""

    def __init__(self, inside: QWidget) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(inside)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest and watched is self.widget():
            self.event(QEvent(QEvent.Type.LayoutRequest))
        return super().eventFilter(watched, event)


def scrolling(inside: QWidget) -> QScrollArea:
    """Let a widget scroll where there is no room for it."""
    return ScrollingPanel(inside)
