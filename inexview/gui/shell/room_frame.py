"""A frame and a band around the window while dragging changes numbers: no one takes it for plain reading."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from inexview.gui.look.buttons import button
from inexview.gui.look.layouts import in_column, in_row
from inexview.gui.look.widgets import ElidedLabel, KeyButton, PaintedWidget, label

EDGE = 3  # pixels


class RoomFrame(PaintedWidget):
    """Holds the panels; with a title it draws the band above and the frame around them."""

    left = Signal()  # Esc, or the button: one wants out

    def __init__(self, inside: QWidget, let_go: QAction) -> None:
        super().__init__()
        self.band = QWidget()
        self.band.setProperty("role", "band")
        self.band.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._title = label("", "band-title")
        self._said = ElidedLabel(role="band-text")
        self.offer = button("", "small")
        self.leave = KeyButton("Leave", let_go, small=True)
        in_row(
            self._title,
            (self._said, 1),
            self.offer,
            self.leave,
            on=self.band,
            margins=(14, 6, 14, 6),
            spacing=12,
        )
        self._column = in_column(self.band, (inside, 1), on=self, margins=0, spacing=0)
        self.leave.clicked.connect(self.left)
        self.show_room("", "")

    @property
    def framed(self) -> bool:
        return self.band.isVisibleTo(self)

    def show_room(self, title: str, said: str, offer: str = "") -> None:
        """Draw frame and band with these words, or none without a title; ``offer`` names a further button."""
        self._title.setText(title)
        self._said.set_text(said)
        self.offer.setText(offer)
        self.offer.setVisible(bool(offer))
        self.band.setVisible(bool(title))
        edge = EDGE if title else 0
        self._column.setContentsMargins(edge, edge, edge, edge)
        self.update()

    def let_go(self) -> bool:
        """Ask to leave the room; False where one is in no frame."""
        framed = self.framed
        if framed:
            self.left.emit()
        return framed

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.framed:
            painter = QPainter(self)
            pen = QPen(self.theme.color("accent"), EDGE)
            pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
            painter.setPen(pen)
            inset = EDGE // 2
            painter.drawRect(self.rect().adjusted(inset, inset, -inset - 1, -inset - 1))
