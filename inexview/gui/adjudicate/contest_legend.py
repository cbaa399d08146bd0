"""The line above the text while one adjudicates: whose lane is whose, and what the underlines mean."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from inexview.gui.adjudicate.hatching import paint_sign
from inexview.gui.look.panel_parts import derived
from inexview.gui.look.theme import LIGHT, Theme

HEIGHT, EDGE, SAMPLE, GAP = 36, 22, 18, 16
WORDS = ("third layer", "only A, open", "only B, open")


class ContestLegend(QWidget):
    """Names A at the left and B at the right, and between them the three ways of marking."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.theme: Theme = LIGHT
        self._names = ("", "")
        self.hide()

    def show_names(self, first: str, second: str) -> None:
        self._names = first, second
        self.setAccessibleName(f"A is {first}, left; B is {second}, right")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(400, HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = self.theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), theme.color("page"))
        painter.setPen(QPen(theme.color("line"), 1))
        painter.drawLine(0, HEIGHT - 1, self.width(), HEIGHT - 1)
        bold, plain = derived(self.font(), factor=0.94, bold=True), derived(self.font(), factor=0.9)
        metrics, middle = QFontMetricsF(plain), HEIGHT / 2
        samples = sum(SAMPLE + 6 + metrics.horizontalAdvance(word) for word in WORDS) + 2 * GAP
        room = max((self.width() - samples) / 2 - EDGE - GAP, 60)
        painter.setFont(bold)
        for second, (letter, name) in enumerate(zip("AB", self._names, strict=True)):
            at = self.width() - EDGE if second else EDGE
            paint_sign(painter, QPointF(at, middle), theme, second=bool(second))
            painter.setPen(theme.color("layer_b" if second else "layer_a"))
            text = QFontMetricsF(bold).elidedText(
                f"{letter} · {name}", Qt.TextElideMode.ElideRight, room - 12
            )
            side = Qt.AlignmentFlag.AlignRight if second else Qt.AlignmentFlag.AlignLeft
            box = QRectF(at - 12 - room if second else at + 12, 0, room, HEIGHT)
            painter.drawText(box, int(side | Qt.AlignmentFlag.AlignVCenter), text)
        if self.width() >= samples + 2 * EDGE + 160:
            painter.setFont(plain)
            self._paint_samples(painter, (self.width() - samples) / 2, metrics)

    def _paint_samples(self, painter: QPainter, x: float, metrics: QFontMetricsF) -> None:
        theme, middle = self.theme, HEIGHT / 2
        for at, word in enumerate(WORDS):
            if at == 0:
                box = QRectF(x, middle - 7, SAMPLE, 12)
                painter.fillRect(box, theme.color("mark"))
                painter.fillRect(QRectF(x, middle + 5, SAMPLE, 2), theme.color("mark_edge"))
            else:
                pen = QPen(theme.color("layer_a" if at == 1 else "layer_b"), 2, Qt.PenStyle.CustomDashLine)
                pen.setDashPattern([3, 2] if at == 2 else [100, 1])
                pen.setCapStyle(Qt.PenCapStyle.FlatCap)
                painter.setPen(pen)
                painter.drawLine(QPointF(x, middle), QPointF(x + SAMPLE, middle))
            painter.setPen(theme.color("muted"))
            wide = metrics.horizontalAdvance(word)
            painter.drawText(
                QRectF(x + SAMPLE + 6, 0, wide + 2, HEIGHT), int(Qt.AlignmentFlag.AlignVCenter), word
            )
            x += SAMPLE + 6 + wide + GAP
