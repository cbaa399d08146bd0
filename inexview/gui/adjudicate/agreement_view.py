"""How far assessors agree on the topic: two with a bar of the characters, three pair by pair."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy

from inexview.core.evaluation.assessors.agreement import Contingency, TopicAgreement
from inexview.core.evaluation.assessors.several_assessors import SeveralAgreement
from inexview.gui.look.layer_looks import LAYER_LOOKS, paint_layer_bar, paint_layer_sign
from inexview.gui.look.panel_parts import CUT, LEFT, derived, write
from inexview.gui.look.widgets import PaintedWidget

ROW, BAR, COLUMNS = 21, 8, (0.44, 0.66, 0.83, 1.0)  # the right ends of A, B, ∩/∪ and κ
TABLE_ROW, TABLE_COLUMNS = 20, (0.42, 0.58, 0.84, 1.0)  # of ∩/∪ and κ of documents and of characters
APART = 7  # pixels at least between figures
ALL = "Fleiss’ κ"
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
WHAT = ("documents", "characters")


def figure(value: float) -> str:
    """Return a share or a κ as it is shown."""
    return "–" if math.isnan(value) else f"{value:.3f}".replace("-", "−")


class AgreementFigures(PaintedWidget):
    """A row of figures for each thing compared; they are those that `inexview agree` prints."""

    def __init__(self, height: int) -> None:
        super().__init__()
        self._height = height
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(240, self._height)

    def _painter(self) -> tuple[QPainter, QFont, QFont]:
        """Return a painter, and the fonts of figures and of those that tell most."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        small, bold = derived(self.font(), factor=0.92), derived(self.font(), factor=0.96, bold=True)
        painter.setFont(small)
        painter.setPen(self.theme.color("muted"))
        return painter, small, bold


class AgreementView(AgreementFigures):
    """Two rows of figures and a bar."""

    def __init__(self) -> None:
        super().__init__(3 * ROW + BAR + 30)
        self._agreement: TopicAgreement | None = None

    def show_agreement(self, agreement: TopicAgreement | None) -> None:
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
        painter, small, bold = self._painter()
        rows, text = self.rows(), self.theme.color("text")
        plain = QFontMetricsF(small)
        ends = self._columns(rows, plain, QFontMetricsF(bold))
        for at, heading in enumerate(("A", "B", "∩/∪", "κ")):
            painter.drawText(QRectF(0, 0, ends[at], ROW), RIGHT, heading)
            if at < 2:
                paint_layer_sign(painter, QPointF(ends[at] - 17, ROW / 2), self.theme, at)
        for number, (what, *figures) in enumerate(rows, 1):
            top = number * ROW
            named = QRectF(0, top, ends[0] - plain.horizontalAdvance(figures[0]) - APART, ROW)
            write(painter, named, what, small, text, LEFT, CUT)
            for at, told in enumerate(figures):
                painter.setFont(bold if at > 1 else small)
                painter.drawText(QRectF(0, top, ends[at], ROW), RIGHT, told)
        self._paint_shares(painter)

    def _columns(
        self, rows: Sequence[tuple[str, ...]], plain: QFontMetricsF, bold: QFontMetricsF
    ) -> list[float]:
        """Return the right ends of the columns, which are closer together where figures are long."""
        fonts = (plain, plain, bold, bold)
        widths = [
            max((font.horizontalAdvance(row[at]) for row in rows), default=0.0)
            for at, font in enumerate(fonts, 1)
        ]
        named = max(map(plain.horizontalAdvance, WHAT))
        ends = [share * self.width() for share in COLUMNS]
        before = [named, *ends[:-1]]
        if any(end - width < edge + APART for end, width, edge in zip(ends, widths, before, strict=True)):
            ends = [self.width() - sum(APART + width for width in widths[at:]) for at in range(1, 5)]
        return ends

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


class AgreementTable(AgreementFigures):
    """A row of figures for each pair, and one for all."""

    def __init__(self) -> None:
        super().__init__(6 * TABLE_ROW + 4)
        self._agreement: SeveralAgreement | None = None

    def show_agreement(self, agreement: SeveralAgreement | None) -> None:
        self._agreement = agreement
        told = "; ".join(f"{who}: {', '.join(filter(None, figures))}" for who, *figures in self.rows())
        self.setAccessibleName(f"Agreement, ∩/∪ and κ of documents, of characters: {told}")
        self.update()

    def rows(self) -> list[tuple[str, ...]]:
        """Return what is shown: whose, ∩/∪ and κ of documents, ∩/∪ and κ of characters."""
        found = self._agreement
        if found is None:
            return []
        rows: list[tuple[str, ...]] = []
        for pair, own in found.pairs.items():
            compared = [own.overall.compared.get(what) for what in WHAT]
            figures = [
                figure(value) for one in compared if one is not None for value in (one.overlap, one.kappa)
            ]
            rows.append((" ".join(LAYER_LOOKS[at].letter for at in pair), *figures))
        rows.append((ALL, "", figure(found.fleiss_documents), "", figure(found.fleiss_characters)))
        return rows

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, small, bold = self._painter()
        ends = [share * self.width() for share in TABLE_COLUMNS]
        for at, what in enumerate(WHAT):
            painter.drawText(QRectF(0, 0, ends[2 * at + 1], TABLE_ROW), RIGHT, what)
        for end, heading in zip(ends, ("∩/∪", "κ") * 2, strict=True):
            painter.drawText(QRectF(0, TABLE_ROW, end, TABLE_ROW), RIGHT, heading)
        for number, (whose, *figures) in enumerate(self.rows(), 2):
            row = QRectF(0, number * TABLE_ROW, self.width(), TABLE_ROW)
            self._paint_whose(painter, whose, row)
            painter.setFont(bold if whose == ALL else small)
            for end, told in zip(ends, figures, strict=False):
                painter.drawText(QRectF(0, row.top(), end, TABLE_ROW), RIGHT, told)

    def _paint_whose(self, painter: QPainter, whose: str, row: QRectF) -> None:
        painter.setPen(self.theme.color("text"))
        painter.setFont(derived(self.font(), factor=0.92))
        middle = int(Qt.AlignmentFlag.AlignVCenter)
        if whose == ALL:
            painter.drawText(row, middle, whose)
            return
        x = row.left() + 5
        for layer, look in enumerate(LAYER_LOOKS):
            if look.letter in whose:
                paint_layer_sign(painter, QPointF(x, row.center().y()), self.theme, layer)
                painter.setPen(self.theme.color("text"))
                painter.drawText(row.adjusted(x + 8, 0, 0, 0), middle, look.letter)
                x += 30
