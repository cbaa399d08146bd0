"""The edge of the list of documents that is left of it in a narrow window; a click opens the list."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QAction, QKeySequence, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from inexview.gui.look.panel_parts import RIGHT
from inexview.gui.look.widgets import explain

_FONT = 12  # pixels


class ListEdge(QAbstractButton):
    """Says from below to above what is behind it, and its key."""

    WIDTH = 26  # pixels

    def __init__(self) -> None:
        super().__init__()
        self.setText("Documents")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        font = self.font()
        font.setPixelSize(_FONT)
        self.setFont(font)
        self._key = ""

    def bind(self, action: QAction) -> None:
        """Do what an action does, and show its key, whatever it is now."""
        self.clicked.connect(action.trigger)
        explain(self, action)
        action.changed.connect(lambda: self._name(action))
        self._name(action)

    def _name(self, action: QAction) -> None:
        self._key = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        self.setAccessibleName(f"{self.text()} ({self._key})")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self.WIDTH, 120)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, palette = QPainter(self), self.palette()
        if self.hasFocus() or self.underMouse():
            painter.fillRect(self.rect(), palette.color(QPalette.ColorRole.AlternateBase))
        if self.hasFocus():
            painter.setPen(palette.color(QPalette.ColorRole.Highlight))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.translate(0, self.height())
        painter.rotate(-90)
        room = QRect(0, 0, self.height() - 14, self.width())
        painter.setPen(palette.color(QPalette.ColorRole.PlaceholderText))
        words = f"{self._key}   {self.text()}" if self._key else self.text()
        painter.drawText(room, int(RIGHT), words)
