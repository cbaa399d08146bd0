"""How far three assessors agree on the topic: each pair, and Fleiss' κ of all of them."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from inexview.core.evaluation.several_assessors import SeveralAgreement
from inexview.gui.adjudicate.agreement_view import WHAT, figure
from inexview.gui.look.layer_looks import LAYER_LOOKS, paint_layer_sign
from inexview.gui.look.panel_parts import derived
from inexview.gui.look.theme import LIGHT, Theme

ROW, COLUMNS = 20, (0.42, 0.58, 0.84, 1.0)  # the right ends of ∩/∪ and κ of documents and of characters
ALL = "Fleiss’ κ"


class AgreementTable(QWidget):
    """A row of figures for each pair, and one for all; they are those that `inexview agree` prints."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.theme: Theme = LIGHT
        self._agreement: SeveralAgreement | None = None

    def sizeHint(self) -> QSize:
        return QSize(240, 6 * ROW + 4)

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
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        right = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        small, bold = derived(self.font(), factor=0.92), derived(self.font(), factor=0.96, bold=True)
        ends = [share * self.width() for share in COLUMNS]
        painter.setFont(small)
        painter.setPen(self.theme.color("muted"))
        for at, what in enumerate(WHAT):
            painter.drawText(QRectF(0, 0, ends[2 * at + 1], ROW), right, what)
        for end, heading in zip(ends, ("∩/∪", "κ") * 2, strict=True):
            painter.drawText(QRectF(0, ROW, end, ROW), right, heading)
        for number, (whose, *figures) in enumerate(self.rows(), 2):
            row = QRectF(0, number * ROW, self.width(), ROW)
            self._paint_whose(painter, whose, row)
            painter.setFont(bold if whose == ALL else small)
            for end, told in zip(ends, figures, strict=False):
                painter.drawText(QRectF(0, row.top(), end, ROW), right, told)

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
