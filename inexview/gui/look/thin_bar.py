"""A thin bar that shows how far work is."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QSizePolicy, QWidget

STEP = 0.04  # of the bar: how far a piece moves with each piece of news, where no one knows the end
SEGMENT = 0.22  # of the bar: how wide that piece is


class ThinBar(QWidget):
    """A thin bar: a share of the whole, or a piece that moves on with the work where the whole is unknown."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(4)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._share: float | None = None
        self._at = 0.0

    def show_share(self, share: float | None) -> None:
        """Show a share between 0 and 1; without one, that the work goes on."""
        self._share = share
        if share is None:
            self._at = (self._at + STEP) % 1
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.palette().color(QPalette.ColorRole.Mid))
        painter.drawRoundedRect(self.rect(), 2, 2)
        painter.setBrush(self.palette().color(QPalette.ColorRole.Accent))
        width = self.width()
        if self._share is None:
            left = self._at * (1 + SEGMENT) - SEGMENT
            start, end = max(left, 0.0) * width, min(left + SEGMENT, 1.0) * width
        else:
            start, end = 0.0, self._share * width
        painter.drawRoundedRect(QRectF(start, 0, end - start, self.height()), 2, 2)
