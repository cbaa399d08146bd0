"""The part of the strip under the article that tells what is in the hand: pen or eraser, and the unit."""

from __future__ import annotations

import math
from collections.abc import Mapping

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QAction, QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from inexview.core.article.granularity import Granularity
from inexview.gui.article.column.hand import Hand
from inexview.gui.article.overlays import Tool
from inexview.gui.look.layouts import in_row
from inexview.gui.look.panel_parts import write
from inexview.gui.look.theme import LIGHT, Theme
from inexview.gui.look.tinted_icons import tinted
from inexview.gui.look.widgets import key_text, with_key

_FONT = 12  # pixels
_ROOM = 7  # pixels left and right of the text
_ICON, _GAP = 14, 5  # pixels of a tool's icon, and between icon, word and key
_WIDE = 760  # pixels of strip, from which on all units have their names
_BESIDE = 60  # pixels of gaps, and of the strip's margins


class StripButton(QAbstractButton):
    """A unit: its key and its name; over the one in the hand is a bar of the accent."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.setText(text)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCheckable(True)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self._key = ""
        self._short = self._least = False
        self._widths: dict[tuple[str, bool, str], int] = {}  # of a word or a key, in a font
        self.theme = LIGHT
        self.accent = "accent"  # a token of the theme

    def bind(self, action: QAction) -> None:
        """Do what an action does, and show its key, whatever it is now."""
        self.clicked.connect(action.trigger)
        action.changed.connect(lambda: self._show(action))
        self._show(action)

    def _show(self, action: QAction) -> None:
        key = key_text(action)
        self._key = key if action.isVisible() else ""  # elsewhere the key does something else
        self.setToolTip(action.toolTip() if self._key else action.statusTip())
        self.setAccessibleName(with_key(self.text(), self._key))
        self.updateGeometry()
        self.update()

    def say(self, text: str) -> None:
        if text != self.text():
            self.setText(text)
            self.setAccessibleName(with_key(text, self._key))
            self.updateGeometry()

    def shorten(self, *, short: bool, least: bool = False) -> None:
        """Show only the key where there is little room; with ``least`` also of what is in the hand."""
        if (short, least) != (self._short, self._least):
            self._short, self._least = short, least
            self.updateGeometry()
            self.update()

    def _font(self, *, key: bool) -> QFont:
        font = QFont(self.font())
        font.setPixelSize(_FONT - 1 if key else _FONT)
        font.setBold(self.isChecked() and not key)
        return font

    def _words(self) -> str:
        brief = self._short and (self._least or not self.isChecked())
        return "" if brief and self._key else self.text()

    def _width(self, text: str, *, key: bool) -> int:
        asked = text, key, self.font().key()
        if asked not in self._widths:  # each element that is outlined asks for the same few
            font = self._font(key=key)
            font.setBold(not key)  # so that nothing moves when another is chosen
            self._widths[asked] = math.ceil(QFontMetricsF(font).horizontalAdvance(text)) if text else 0
        return self._widths[asked]

    def sizeHint(self) -> QSize:
        word, key = self._width(self._words(), key=False), self._width(self._key, key=True)
        return QSize(word + key + 2 * _ROOM + (_GAP if key and word else 0), 22)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self.theme
        color = theme.color(self.accent if self.isChecked() or self.underMouse() else "muted")
        at = self.rect().adjusted(_ROOM, 0, 0, 0)
        write(painter, at, self._key, self._font(key=True), theme.color("muted"))
        if self._key:
            at.setLeft(at.left() + self._width(self._key, key=True) + _GAP)
        write(painter, at, self._words(), self._font(key=False), color)
        if self.isChecked():
            painter.fillRect(QRectF(2, 0, self.width() - 4, 2), color)


class ToolButton(StripButton):
    """A tool: its icon, name and key; the one in the hand is on a ground of what it does to the text."""

    def __init__(self, text: str, icon: str, *, ground: str, edge: str, ink: str) -> None:
        """``icon`` is one of ``resources/icons``; the rest are colours, as tokens, while in the hand."""
        super().__init__(text)
        self._icon, self._ground, self._edge, self._ink = icon, ground, edge, ink

    def _words(self) -> str:
        return "" if self._least else self.text()

    def sizeHint(self) -> QSize:
        parts = self._width(self._words(), key=False), self._width(self._key, key=True)
        return QSize(_ICON + sum(_GAP + part for part in parts if part) + 2 * _ROOM, 22)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self.theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ink = self._ink if self.isChecked() else self._edge if self.underMouse() else "muted"
        if self.isChecked():
            self._draw_ground(painter)
        at = QRectF(self.rect()).adjusted(_ROOM, 0, 0, 0)
        icon = tinted(self._icon, getattr(theme, ink), _ICON)
        painter.drawImage(QPointF(at.left(), round(at.center().y() - _ICON / 2)), icon)
        at.setLeft(at.left() + _ICON + _GAP)
        if words := self._words():
            write(painter, at, words, self._font(key=False), theme.color(ink))
            at.setLeft(at.left() + self._width(words, key=False) + _GAP)
        write(painter, at, self._key, self._font(key=True), theme.color(ink))

    def _draw_ground(self, painter: QPainter) -> None:
        """Draw the ground, with an edge below it like that of a mark."""
        box = QRectF(self.rect()).adjusted(0, 2, 0, -2)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.theme.color(self._edge))
        painter.drawRoundedRect(box, 5, 5)
        painter.setBrush(self.theme.color(self._ground))
        painter.drawRoundedRect(box.adjusted(0, 0, 0, -2), 5, 5)


class HandStrip(QWidget):
    """Two tools and five units; a click chooses, as do their keys."""

    def __init__(self, hand: Hand, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName("In the hand")
        self._hand = hand
        self._theme = LIGHT
        self._selected = False
        self._room: int | None = None  # that it was fitted to
        edge = "erase_edge"
        self.tools = {
            Tool.MARK: ToolButton("Pen", "pen", ground="mark", edge="mark_edge", ink="text"),
            Tool.ERASE: ToolButton("Eraser", "eraser", ground=edge, edge=edge, ink="page"),
        }
        self.units = {unit: StripButton(unit.value) for unit in Granularity}
        in_row(*self.tools.values(), 10, *self.units.values(), on=self, margins=0, spacing=2)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        hand.changed.connect(self._show)
        self._show()

    def bind(self, tools: Mapping[Tool, QAction], units: Mapping[Granularity, QAction]) -> None:
        """Let the buttons do what actions do."""
        for tool, action in tools.items():
            self.tools[tool].bind(action)
        for unit, action in units.items():
            self.units[unit].bind(action)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._show()

    def set_selected(self, selected: bool) -> None:
        """Say what the tools' keys do: with something selected they do it to that."""
        if selected is not self._selected:
            self._selected = selected
            self._show()

    def fit(self, width: int) -> None:
        self._room = width
        buttons: list[StripButton] = [*self.tools.values(), *self.units.values()]
        for button in buttons:
            button.shorten(short=button in self.units.values() and width < _WIDE)
        needed = sum(button.sizeHint().width() for button in buttons)
        for unit, button in self.units.items():
            button.setVisible(needed + _BESIDE <= width or unit is self._hand.unit)
        if sum(button.sizeHint().width() for button in buttons if not button.isHidden()) > width:
            for button in buttons:
                button.shorten(short=True, least=True)
        self.updateGeometry()  # now, not when its own layout comes to it

    def _show(self, _: object = None) -> None:
        theme, hand = self._theme, self._hand
        button: StripButton
        words = ("Mark selection", "Erase selection") if self._selected else ("Pen", "Eraser")
        for (tool, button), word in zip(self.tools.items(), words, strict=True):
            button.say(word)
            button.setChecked(tool is hand.tool and not self._selected)
        for unit, button in self.units.items():
            button.accent = "erase_edge" if hand.tool is Tool.ERASE else "accent"
            button.setChecked(unit is hand.unit)
        for button in (*self.tools.values(), *self.units.values()):
            button.theme = theme
            button.updateGeometry()
            button.update()
        self.setVisible(hand.live)
        if self._room is not None:
            self.fit(self._room)
