"""A flash around a passage that one has just gone to: seen for a moment, and in no one's way.

Where less motion is wanted it stays until the caret goes elsewhere.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from inexview.gui.article.column.outline_painter import outline
from inexview.gui.article.column.text_area import TextArea
from inexview.gui.look.theme import LIGHT, Theme
from inexview.gui.look.timers import timer

SHOWN = 900  # milliseconds
AROUND = 2.0  # pixels
LEAST = 1  # characters: what is only a place flashes with the character behind it


class Flash(QWidget):
    """Lies over the text, lets the mouse through, and outlines a passage for a moment."""

    def __init__(self, text_area: TextArea) -> None:
        super().__init__(text_area.viewport())
        self.theme: Theme = LIGHT
        self.span: tuple[int, int] | None = None
        self.still = False
        self._text_area = text_area
        self._over = timer(self, self.stop, SHOWN)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        text_area.viewport_moved.connect(lambda _: self._fit())
        text_area.cursorPositionChanged.connect(self._leave)

    @property
    def passing(self) -> bool:
        """Whether it goes by itself."""
        return self._over.isActive()

    def begin(self, start: int, end: int) -> None:
        self.span = start, max(end, start + LEAST)
        self._fit()
        self.show()
        self.raise_()
        if not self.still:
            self._over.start()

    def stop(self) -> None:
        self.span = None
        self._over.stop()
        self.hide()

    def set_still(self, still: bool) -> None:
        self.still = still

    def _leave(self) -> None:
        if self.still:
            self.stop()

    def _fit(self) -> None:
        if self.span is not None:
            self.setGeometry(self._text_area.viewport().rect())
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        lines = self._text_area.lines()
        if self.span is None or not lines:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        shape = outline(lines, *self.span, self._text_area.column_width, AROUND)
        painter.strokePath(shape, QPen(self.theme.color("accent"), 2.5))
