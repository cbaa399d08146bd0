"""A fact of a comparison in words: its figures strong, and how each was found beside it."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

from inexview.gui.look.theme import paint_run_shape, run_color
from inexview.gui.look.widgets import PaintedWidget, derived, write

MINUS_WORD = "minus"
SIGN, BESIDE = 9, 5  # pixels: a run's shape, and between it and the word


class PairFact(QLabel):
    """Lines of a figure and what is said of it."""

    def __init__(self, *, large: bool = False) -> None:
        super().__init__(wordWrap=True, textFormat=Qt.TextFormat.RichText)
        self.setMinimumWidth(1)  # rich text asks for more than it needs
        self._size = "font-size: large; " if large else ""
        self.said = ""

    def say(self, *lines: tuple[str, str]) -> None:
        """Show these figures, each in a line with its words."""
        self.said = "\n".join("   ".join(filter(None, line)) for line in lines)
        self.setAccessibleName(self.said)
        strong = f'<span style="{self._size}font-weight: 600">'
        shown = [f"{strong}{escape(figure)}</span>&nbsp;&nbsp; {escape(words)}" for figure, words in lines]
        self.setText("<br>".join(shown))


class PairSides(PaintedWidget):
    """■ minus ▲: which run's figure is taken from which."""

    def __init__(self) -> None:
        super().__init__()
        self._styles = (0, 0)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_pair(self, first: int, second: int) -> None:
        self._styles = first, second
        self.update()

    def _font(self) -> QFont:
        return derived(self.font(), factor=0.92)

    def sizeHint(self) -> QSize:
        wide = QFontMetricsF(self._font()).horizontalAdvance(MINUS_WORD)
        return QSize(round(wide) + 2 * (SIGN + BESIDE), self.fontMetrics().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, (first, second), top = QPainter(self), self._styles, (self.height() - SIGN) / 2
        for style, left in ((first, 0.0), (second, self.width() - SIGN)):
            paint_run_shape(painter, style, QRectF(left, top, SIGN, SIGN), run_color(self.theme, style))
        room = self.rect().toRectF()
        muted, center = self.theme.color("muted"), Qt.AlignmentFlag.AlignCenter
        write(painter, room, MINUS_WORD, self._font(), muted, center)
