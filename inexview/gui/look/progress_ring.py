"""How much of a pool is finished, as a ring with the share in it."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy

from inexview.core.wording import percent
from inexview.gui.look.widgets import PaintedWidget

SIZE, THICK = 38, 5.0
FULL = 360 * 16  # Qt counts sixteenths of a degree


class ProgressRing(PaintedWidget):
    """A ring of two parts, finished relevant and finished not relevant, and the rest."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._parts = (0.0, 0.0)

    def sizeHint(self) -> QSize:
        return QSize(SIZE, SIZE)

    def set_parts(self, relevant: float, not_relevant: float) -> None:
        """Show these shares of the whole, each between 0 and 1."""
        if (relevant, not_relevant) == self._parts:
            return
        self._parts = (relevant, not_relevant)
        self.setAccessibleName(f"{percent(relevant + not_relevant)} finished, {percent(relevant)} relevant")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ring = QRectF(self.rect()).adjusted(THICK / 2, THICK / 2, -THICK / 2, -THICK / 2)
        begun = 0.0
        whole = ((1.0, "track"), *zip(self._parts, ("finished", "muted"), strict=True))
        for share, token in whole:
            start = 0.0 if token == "track" else begun
            pen = QPen(self.theme.color(token), THICK)
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            painter.setPen(pen)
            painter.drawArc(ring, round(FULL / 4 - start * FULL), -round(share * FULL))
            begun = start + share if token != "track" else 0.0
        font = QFont(self.font())
        font.setPixelSize(10)
        font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(self.theme.color("text"))
        share = sum(self._parts)
        told = "✓" if share >= 1 else percent(share)
        painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignCenter), told)
