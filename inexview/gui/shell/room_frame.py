"""A frame and a band around the window while dragging changes numbers: no one takes it for plain reading."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QAction, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from inexview.gui.look.layouts import in_column, in_row
from inexview.gui.look.theme import Theme, paint_run_shape, run_color
from inexview.gui.look.widgets import ElidedLabel, KeyButton, PaintedWidget, button, label

EDGE = 3  # pixels
SIGN = 9


class CopySign(PaintedWidget):
    """The hollow shape of the run of which there is a scratch copy."""

    def __init__(self) -> None:
        super().__init__()
        self.style_shown: int | None = None
        self.setFixedSize(SIGN + 2, SIGN + 2)  # the line is painted half outside

    def show_run(self, style: int | None) -> None:
        """Show the shape of a run, or take no room."""
        self.style_shown = style
        self.setVisible(style is not None)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.style_shown is not None:
            color = run_color(self.theme, self.style_shown)
            place = QRectF(1, 1, SIGN, SIGN)
            paint_run_shape(QPainter(self), self.style_shown, place, color, hollow=True)


class RoomFrame(PaintedWidget):
    """Holds the panels; with a title it draws the band above and the frame around them."""

    left = Signal()  # Esc, or the button: one wants out

    def __init__(self, inside: QWidget, let_go: QAction) -> None:
        super().__init__()
        self.band = QWidget()
        self.band.setProperty("role", "band")
        self.band.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._title = label("", "band-title")
        self.sign = CopySign()
        self._said = ElidedLabel(role="band-text")
        self.offer = button("", "small")
        self.leave = KeyButton("Leave", let_go, small=True)
        in_row(
            self._title,
            self.sign,
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

    def set_theme(self, theme: Theme) -> None:
        self.sign.set_theme(theme)
        super().set_theme(theme)

    @property
    def framed(self) -> bool:
        return self.band.isVisibleTo(self)

    def show_room(self, title: str, said: str, offer: str = "", *, style: int | None = None) -> None:
        """Draw frame and band with these words, or none without a title; ``offer`` names a further button.

        ``style`` is that of the run which the words are about.
        """
        self.sign.show_run(style)
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
