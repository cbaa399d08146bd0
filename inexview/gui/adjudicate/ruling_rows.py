"""The choices for a place, each drawn to scale on one axis, and the list of a document's places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from inexview.core.text.spans import EMPTY, Spans
from inexview.core.text.text_quotes import Span
from inexview.gui.adjudicate.dispute_list import paint_progress
from inexview.gui.look.layer_looks import LAYER_LOOKS, paint_layer_bar, paint_layer_sign
from inexview.gui.look.panel_parts import CUT, RIGHT, ScrollingPanel, derived, paint_focus, write
from inexview.gui.look.theme import LIGHT, Theme
from inexview.gui.look.widgets import key_text, with_key

ROW, KEY, WORDS, NUMBER = 33, 20, 126, 48
LEAST_PLACES = 4  # lines of the list of places


class RulingButton(QAbstractButton):
    """One choice: its key, its words, what it marks within the place, and how many characters that are."""

    def __init__(self, action: QAction, words: str, symbol: str = "", *, layer: int | None = None) -> None:
        """``layer`` is the one whose marks it takes; what is made of several has a ``symbol``."""
        super().__init__()
        self.setText(words)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._action, self._symbol, self._layer = action, symbol, layer
        self._spans, self._place, self._told = EMPTY, (0, 1), ""
        self.taken = False
        self.theme: Theme = LIGHT
        self.clicked.connect(action.trigger)
        action.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(220, ROW)

    def show_choice(self, spans: Spans, place: Span, told: str, *, taken: bool, possible: bool) -> None:
        """Show what the choice would mark of a place, and whether it was made."""
        self._spans, self._place, self._told = spans, place, told
        self.taken = taken
        self.setEnabled(possible)
        said = ", ".join(filter(None, (self.text(), told, "taken" if taken else "")))
        self.setAccessibleName(with_key(said, self._key))
        self.update()

    @property
    def _key(self) -> str:
        return key_text(self._action)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = self.theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.underMouse() and self.isEnabled():
            painter.fillRect(self.rect(), theme.color("selected"))
        painter.setPen(QPen(theme.color("line"), 1))
        painter.drawLine(0, self.height() - 1, self.width(), self.height() - 1)
        middle, wide = self.height() / 2, float(self.width())
        painter.drawRoundedRect(QRectF(0.5, middle - 10, KEY, 20), 4, 4)
        painter.setOpacity(1.0 if self.isEnabled() else 0.4)
        key = QRectF(0.5, middle - 10, KEY, 20)
        small = derived(self.font(), factor=0.88)
        write(painter, key, self._key, small, theme.color("muted"), Qt.AlignmentFlag.AlignCenter)
        if self._layer is not None:
            paint_layer_sign(painter, QPointF(KEY + 15, middle), theme, self._layer)
        else:
            room = QRectF(KEY + 8, 0, 14, self.height())
            painter.drawText(room, int(Qt.AlignmentFlag.AlignCenter), self._symbol)
        words = QRectF(KEY + 26, 0, WORDS - KEY - 26, self.height())
        write(painter, words, self.text(), derived(self.font(), bold=self.taken), theme.color("text"))
        told = f"✓ {self._told}" if self.taken else self._told
        write(painter, self.rect(), told, derived(self.font(), bold=True), theme.color("text"), RIGHT)
        self._paint_scale(painter, QRectF(WORDS, middle - 5, wide - WORDS - NUMBER - 8, 10))
        if self.hasFocus():
            paint_focus(painter, QRectF(self.rect()), theme)

    def _paint_scale(self, painter: QPainter, room: QRectF) -> None:
        start, end = self._place
        if room.width() < 20 or start >= end:
            return
        painter.setPen(QPen(self.theme.color("line"), 1))
        painter.drawLine(QPointF(room.left(), room.center().y()), QPointF(room.right(), room.center().y()))
        scale = room.width() / (end - start)
        for first, last in self._spans:
            box = QRectF(room.left() + (first - start) * scale, room.top(), (last - first) * scale, 10)
            if self._layer is not None:
                paint_layer_bar(painter, box, self.theme, self._layer)
            else:
                painter.setPen(QPen(self.theme.color("mark_edge"), 1))
                painter.setBrush(self.theme.color("mark"))
                painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 1.5, 1.5)


@dataclass(frozen=True, slots=True)
class PlaceLine:
    """A place of the list; of the entry points, ``span`` is None."""

    span: Span | None
    words: str
    signs: str
    """The letters of those who marked there."""
    size: int | None
    """The characters that differ, or between entry points; None where only one has set any."""
    settled: bool
    current: bool

    @property
    def told(self) -> str:
        return "–" if self.size is None else f"{self.size:,}"


class PlaceList(QWidget):
    """The places of the document; a click goes to one, and so do the arrows, which keep the keyboard."""

    chosen = Signal(object)  # PlaceLine
    walked = Signal(object)  # PlaceLine

    LINE = 26

    def __init__(self) -> None:
        super().__init__()
        self.theme: Theme = LIGHT
        self.lines: tuple[PlaceLine, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def sizeHint(self) -> QSize:
        return QSize(200, max(len(self.lines), 1) * self.LINE)

    def set_lines(self, lines: Sequence[PlaceLine]) -> None:
        self.lines = tuple(lines)
        self.setFixedHeight(self.sizeHint().height())
        told = "; ".join(
            f"{'settled' if one.settled else 'open'}, {one.words}, {one.told}" for one in self.lines
        )
        self.setAccessibleName(f"Places of this document: {told}")
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go up and down the list; with Enter to the text."""
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        current = next((at for at, line in enumerate(self.lines) if line.current), -1)
        if event.key() in steps and self.lines:
            at = min(max(current + steps[Qt.Key(event.key())], 0), len(self.lines) - 1)
            self.walked.emit(self.lines[at])
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and current >= 0:
            self.chosen.emit(self.lines[current])
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = int(event.position().y()) // self.LINE
        if event.button() is Qt.MouseButton.LeftButton and 0 <= row < len(self.lines):
            self.chosen.emit(self.lines[row])

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # words in their own direction
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for at, line in enumerate(self.lines):
            self._paint_line(painter, line, QRectF(0, at * self.LINE, self.width(), self.LINE))
        if self.hasFocus():
            paint_focus(painter, QRectF(self.rect()), self.theme)

    def _paint_line(self, painter: QPainter, line: PlaceLine, rect: QRectF) -> None:
        theme, middle = self.theme, rect.center().y()
        if line.current:
            painter.fillRect(rect, theme.color("selected"))
            painter.fillRect(QRectF(rect.left(), rect.top(), 3, rect.height()), theme.color("accent"))
        paint_progress(painter, QPointF(rect.left() + 11, middle), theme, settled=line.settled)
        font = derived(self.font(), factor=0.94, bold=not line.settled)
        color = theme.color("muted" if line.settled else "text")
        write(painter, rect.adjusted(0, 0, -4, 0), line.told, font, color, RIGHT)
        number = QRectF(22, rect.top(), 46, rect.height())
        if line.span is None:
            write(painter, number, "▶", font, theme.color("muted" if line.settled else "bep"), RIGHT)
        else:
            write(painter, number, f"{line.span[0]:,}", font, color, RIGHT)
        most = 3 if any(LAYER_LOOKS[2].letter in one.signs for one in self.lines) else 2
        signs = rect.right() - 44 - 14 * most
        room = rect.adjusted(78, 0, signs - rect.right() - 12, 0)
        plain = derived(self.font(), factor=0.94)
        write(painter, room, line.words, plain, theme.color("muted"), shorten=CUT)
        for layer, look in enumerate(LAYER_LOOKS):
            if look.letter in line.signs:
                paint_layer_sign(painter, QPointF(signs + 14 * layer, middle), theme, layer)


class WholeLines(ScrollingPanel):
    """Scrolls the list of places; no line is cut at its foot before one scrolls."""

    def __init__(self, inside: QWidget) -> None:
        super().__init__(inside)
        self.setMinimumHeight(LEAST_PLACES * PlaceList.LINE)

    def show_line(self, at: int) -> None:
        """Bring a line into sight, also of a list that has just become longer."""
        if (inside := self.widget()) is not None and (column := inside.layout()) is not None:
            column.activate()
        self.event(QEvent(QEvent.Type.LayoutRequest))
        self.ensureVisible(0, int((at + 0.5) * PlaceList.LINE), 0, PlaceList.LINE // 2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.setViewportMargins(0, 0, 0, self.height() % PlaceList.LINE)
