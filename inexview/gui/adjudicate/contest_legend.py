"""The line above the text while one adjudicates: whose lane is whose, and what the underlines mean."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from inexview.gui.article.mark_looks import MarkLooks, SignLine
from inexview.gui.look.layer_looks import LAYER_LOOKS, paint_layer_sign
from inexview.gui.look.panel_parts import derived
from inexview.gui.look.theme import LIGHT, Theme

HEIGHT, EDGE, SAMPLE, GAP = 36, 22, 18, 16


class ContestLegend(QWidget):
    """Names A at the left, B and C at the right, and between them the ways of marking."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.theme: Theme = LIGHT
        self._names: tuple[str, ...] = ()
        self.hide()

    def show_names(self, names: Sequence[str]) -> None:
        self._names = tuple(names)
        told = (
            f"{look.letter} is {name}, {'right' if at else 'left'}"
            for at, (look, name) in enumerate(zip(LAYER_LOOKS, names, strict=False))
        )
        self.setAccessibleName("; ".join(told))
        self.update()

    @property
    def _words(self) -> list[str]:
        only = [f"only {look.letter}, open" for look, _ in zip(LAYER_LOOKS, self._names, strict=False)]
        if len(self._names) <= 2:
            return ["third layer", *only]
        return ["settled", *(word.removesuffix(", open") for word in only), "two of them"]

    def sizeHint(self) -> QSize:
        return QSize(400, HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = self.theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), theme.color("page"))
        painter.setPen(QPen(theme.color("line"), 1))
        painter.drawLine(0, HEIGHT - 1, self.width(), HEIGHT - 1)
        plain = QFontMetricsF(derived(self.font(), factor=0.9))
        samples = sum(SAMPLE + 6 + plain.horizontalAdvance(word) for word in self._words)
        samples += (len(self._words) - 1) * GAP
        bold = QFontMetricsF(derived(self.font(), factor=0.94, bold=True))
        shown = [f"{look.letter} · {name}" for look, name in zip(LAYER_LOOKS, self._names, strict=False)]
        wide = [bold.horizontalAdvance(name) + 12 + GAP for name in shown]
        room = self.width() - 2 * EDGE
        beside = max(wide[0], sum(wide[1:])) if wide else 0.0
        fits = samples + 2 * beside <= room
        if not fits:
            wide = [min(own, room / max(len(wide), 1)) for own in wide]
        self._paint_names(painter, shown, wide)
        if fits:
            painter.setFont(derived(self.font(), factor=0.9))
            self._paint_samples(painter, (self.width() - samples) / 2, plain)

    def _paint_names(self, painter: QPainter, shown: Sequence[str], wide: Sequence[float]) -> None:
        """Paint A from the left, and the others to the right end."""
        bold = derived(self.font(), factor=0.94, bold=True)
        painter.setFont(bold)
        x = float(EDGE)
        for layer, (name, own) in enumerate(zip(shown, wide, strict=True)):
            if layer == 1:
                x = self.width() - EDGE - sum(wide[1:]) + GAP
            paint_layer_sign(painter, QPointF(x, HEIGHT / 2), self.theme, layer)
            painter.setPen(self.theme.color(LAYER_LOOKS[layer].token))
            text = QFontMetricsF(bold).elidedText(name, Qt.TextElideMode.ElideRight, own - GAP - 10)
            painter.drawText(QRectF(x + 12, 0, own, HEIGHT), int(Qt.AlignmentFlag.AlignVCenter), text)
            x += own

    def _paint_samples(self, painter: QPainter, x: float, metrics: QFontMetricsF) -> None:
        theme, middle = self.theme, HEIGHT / 2
        looks = MarkLooks(painter, theme, 1)
        for at, word in enumerate(self._words):
            painter.translate(x, 0)  # each begins with a whole dash
            box, line = SignLine(middle - 7, middle + 5), SignLine(middle, middle)
            if at == 0:
                looks.marked([(box, 0, SAMPLE)])
            elif at <= len(self._names):
                looks.layer([(line, 0, SAMPLE)], at - 1)
            else:
                looks.double([(line, 0, SAMPLE)], "muted")
            painter.translate(-x, 0)
            painter.setPen(theme.color("muted"))
            wide = metrics.horizontalAdvance(word)
            painter.drawText(
                QRectF(x + SAMPLE + 6, 0, wide + 2, HEIGHT), int(Qt.AlignmentFlag.AlignVCenter), word
            )
            x += SAMPLE + 6 + wide + GAP
