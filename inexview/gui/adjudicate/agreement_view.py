"""How far two assessors agree on the topic: documents, characters, ∩/∪, κ, and a bar of the characters."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from inexview.core.evaluation.agreement import Contingency, TopicAgreement
from inexview.gui.look.layer_looks import paint_layer_bar, paint_layer_sign
from inexview.gui.look.panel_parts import derived
from inexview.gui.look.theme import LIGHT, Theme

ROW, BAR, COLUMNS = 21, 8, (0.44, 0.66, 0.83, 1.0)  # the right ends of A, B, ∩/∪ and κ
WHAT = ("documents", "characters")


def figure(value: float) -> str:
    """Return a share or a κ as it is shown."""
    return "–" if math.isnan(value) else f"{value:.3f}"


class AgreementView(QWidget):
    """Two rows of figures and a bar; every figure is the one that `inexview agree` prints."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.theme: Theme = LIGHT
        self._agreement: TopicAgreement | None = None

    def sizeHint(self) -> QSize:
        return QSize(240, 3 * ROW + BAR + 30)

    def show_agreement(self, agreement: TopicAgreement | None) -> None:
        """Show the figures of a topic, or that there are none."""
        self._agreement = agreement
        rows = "" if agreement is None else "; ".join(" ".join(row) for row in self.rows())
        self.setAccessibleName(f"Agreement: {rows or 'no document was judged by both'}")
        self.update()

    def rows(self) -> list[tuple[str, str, str, str, str]]:
        """Return what is shown: of what, A's number, B's number, ∩/∪, κ."""
        found = []
        for what in WHAT:
            counted = self._counted(what)
            if counted is not None:
                a, b = counted.both + counted.only_a, counted.both + counted.only_b
                found.append((what, f"{a:,}", f"{b:,}", figure(counted.overlap), figure(counted.kappa)))
        return found

    def _counted(self, what: str) -> Contingency | None:
        return None if self._agreement is None else self._agreement.compared.get(what)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        right = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        small, bold = derived(self.font(), factor=0.92), derived(self.font(), factor=0.96, bold=True)
        ends = [share * self.width() for share in COLUMNS]
        painter.setFont(small)
        painter.setPen(self.theme.color("muted"))
        for at, heading in enumerate(("A", "B", "∩/∪", "κ")):
            painter.drawText(QRectF(0, 0, ends[at], ROW), right, heading)
            if at < 2:
                paint_layer_sign(painter, QPointF(ends[at] - 17, ROW / 2), self.theme, at)
        for number, (what, *figures) in enumerate(self.rows(), 1):
            top = number * ROW
            painter.setFont(small)
            painter.setPen(self.theme.color("text"))
            painter.drawText(QRectF(0, top, 90, ROW), int(Qt.AlignmentFlag.AlignVCenter), what)
            for at, told in enumerate(figures):
                painter.setFont(bold if at > 1 else small)
                painter.drawText(QRectF(0, top, ends[at], ROW), right, told)
        self._paint_shares(painter)

    def _paint_shares(self, painter: QPainter) -> None:
        counted = self._counted("characters")
        if counted is None or not counted.either:
            return
        top, width = 3.0 * ROW + 5, float(self.width())
        only_a, both = (width * part / counted.either for part in (counted.only_a, counted.both))
        paint_layer_bar(painter, QRectF(0, top, only_a, BAR), self.theme, 0)
        painter.fillRect(QRectF(only_a, top, both, BAR), self.theme.color("mark_edge"))
        rest = QRectF(only_a + both, top, width - only_a - both, BAR)
        paint_layer_bar(painter, rest, self.theme, 1)
        painter.setFont(derived(self.font(), factor=0.86))
        painter.setPen(self.theme.color("muted"))
        below = QRectF(0, top + BAR, width, ROW)
        middle = Qt.AlignmentFlag.AlignVCenter
        for side, told in (
            (Qt.AlignmentFlag.AlignLeft, f"{counted.only_a:,} only A"),
            (Qt.AlignmentFlag.AlignHCenter, f"{counted.both:,} both"),
            (Qt.AlignmentFlag.AlignRight, f"{counted.only_b:,} only B"),
        ):
            painter.drawText(below, int(side | middle), told)
