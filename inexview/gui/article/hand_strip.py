"""The part of the strip under the article that tells what is in the hand: pen or eraser, and the unit."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QAction, QColor, QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QWidget

from inexview.core.article.granularity import Granularity
from inexview.gui.article.hand import Hand
from inexview.gui.article.overlays import Tool
from inexview.gui.look.panel_parts import write
from inexview.gui.look.theme import LIGHT, Theme
from inexview.gui.look.widgets import key_text, with_key

_FONT = 12  # pixels
_ROOM = 7  # pixels left and right of the text
_WIDE = 760  # pixels of strip, from which on all units have their names
_BESIDE = 60  # pixels of gaps, and of the strip's margins


class StripButton(QAbstractButton):
    """A word and its key; what is in the hand is on a ground of its colour."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.setText(text)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCheckable(True)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self._key = ""
        self._short = False
        self.filled = False  # a ground of the accent, not only its colour
        self.accent, self.ground, self.muted = QColor(), QColor(), QColor()

    def bind(self, action: QAction) -> None:
        """Do what an action does, and show its key, whatever it is now."""
        self.clicked.connect(action.trigger)
        action.changed.connect(lambda: self._show(action))
        self._show(action)

    def _show(self, action: QAction) -> None:
        key = key_text(action)
        self._key = key if action.isVisible() else ""  # elsewhere the key does something else
        self.setToolTip(action.toolTip())
        self.setAccessibleName(with_key(self.text(), self._key))
        self.updateGeometry()
        self.update()

    def say(self, text: str) -> None:
        if text != self.text():
            self.setText(text)
            self.setAccessibleName(with_key(text, self._key))
            self.updateGeometry()

    def shorten(self, short: bool) -> None:
        """Show only the key, where there is little room."""
        if short is not self._short:
            self._short = short
            self.updateGeometry()
            self.update()

    def _font(self, *, key: bool) -> QFont:
        font = QFont(self.font())
        font.setPixelSize(_FONT - 1 if key else _FONT)
        font.setBold(self.isChecked() and not key)
        return font

    def _words(self) -> str:
        return "" if self._short and not self.isChecked() and self._key else self.text()

    def sizeHint(self) -> QSize:
        bold = self._font(key=False)
        bold.setBold(bool(self._words()))
        width = QFontMetricsF(bold).horizontalAdvance(self._words())
        key = QFontMetricsF(self._font(key=True)).horizontalAdvance(self._key)
        return QSize(round(width + key + 2 * _ROOM + (5 if self._key and width else 0)), 22)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        color = self.accent if self.isChecked() else self.muted
        key_color = QColor(self.muted)
        if self.isChecked() and self.filled:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self.accent)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 2.5, -0.5, -2.5), 5, 5)
            color = key_color = self.ground
        elif self.underMouse():
            color = self.accent
        word = self._words()
        at = self.rect().adjusted(_ROOM, 0, 0, 0)
        write(painter, at, word, self._font(key=False), color)
        if word:
            at.setLeft(at.left() + round(painter.fontMetrics().horizontalAdvance(word)) + 5)
        write(painter, at, self._key, self._font(key=True), key_color)


class HandStrip(QWidget):
    """Two tools and five units; a click chooses, as do their keys."""

    def __init__(self, hand: Hand, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName("In the hand")
        self._hand = hand
        self._theme = LIGHT
        self._selected = False
        self.tools = {Tool.MARK: StripButton("Pen"), Tool.ERASE: StripButton("Eraser")}
        self.units = {unit: StripButton(unit.value) for unit in Granularity}
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        for tool in self.tools.values():
            tool.filled = True
            row.addWidget(tool)
        row.addSpacing(10)
        for unit in self.units.values():
            row.addWidget(unit)
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
        for button in self.units.values():
            button.shorten(width < _WIDE)
        needed = sum(button.sizeHint().width() for button in (*self.tools.values(), *self.units.values()))
        for unit, button in self.units.items():
            button.setVisible(needed + _BESIDE <= width or unit is self._hand.unit)

    def _show(self, _: object = None) -> None:
        theme, hand = self._theme, self._hand
        words = ("Mark selection", "Erase selection") if self._selected else ("Pen", "Eraser")
        for (tool, button), word in zip(self.tools.items(), words, strict=True):
            button.accent = theme.color("erase_edge" if tool is Tool.ERASE else "accent")
            button.say(word)
            button.setChecked(tool is hand.tool and not self._selected)
        for unit, button in self.units.items():
            button.accent = theme.color("erase_edge" if hand.tool is Tool.ERASE else "accent")
            button.setChecked(unit is hand.unit)
        for button in (*self.tools.values(), *self.units.values()):
            button.ground, button.muted = theme.color("page"), theme.color("muted")
            button.updateGeometry()
            button.update()
        self.setVisible(hand.live)
