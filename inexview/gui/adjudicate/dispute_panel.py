"""The left panel of Adjudicate: how far the two agree, how far one is, and the documents, largest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QComboBox, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from inexview.core.evaluation.agreement import TopicAgreement
from inexview.core.wording import counted
from inexview.gui.adjudicate.agreement_view import AgreementView
from inexview.gui.adjudicate.dispute_list import DisputeDelegate, DisputeModel, DisputeRow
from inexview.gui.adjudicate.layer_comparison import DisputeStage
from inexview.gui.look.flow import FlowLayout
from inexview.gui.look.list_model import RowRole
from inexview.gui.look.panel_parts import MARGIN, ChoosingView
from inexview.gui.look.theme import Theme
from inexview.gui.look.thin_bar import ThinBar
from inexview.gui.look.widgets import Caption, KeyButton, label
from inexview.gui.services.actions import ActionBook


class DisputePanel(QWidget):
    """Agreement, progress, and one of four lists of documents."""

    document_chosen = Signal(object)  # document id
    pair_chosen = Signal(object)  # (place of the first layer, place of the second)
    list_chosen = Signal(object)  # DisputeStage

    def __init__(self, book: ActionBook) -> None:
        super().__init__()
        self.setProperty("role", "chrome")
        self.shown = DisputeStage.TO_SETTLE
        self._agreed_on = Caption("Agreement")
        self.agreement = AgreementView()
        self._pair = QWidget()
        self.first, self.second = QComboBox(), QComboBox()
        self._disputed = Caption("Disputed")
        self._bar = ThinBar()
        self.told = label("", "", wrap=True)
        self._chips = QButtonGroup(self)
        self.model = DisputeModel(self)
        self.view = ChoosingView("Documents in which the two differ")
        self._delegate = DisputeDelegate(self.view)
        self._head = label("", "note")
        self.take_over = KeyButton("Take over all of these", book["take-over"])
        self._build()
        self.view.setModel(self.model)
        self.view.setItemDelegate(self._delegate)
        self.view.setUniformItemSizes(True)
        self.view.chosen.connect(lambda index: self.document_chosen.emit(index.data(RowRole).document))
        self._chips.buttonClicked.connect(lambda chip: self.list_chosen.emit(chip.property("shown")))
        for box, name in ((self.first, "First assessor, A"), (self.second, "Second assessor, B")):
            box.setAccessibleName(name)
            box.activated.connect(lambda _at: self.pair_chosen.emit(self._indexes()))

    def _build(self) -> None:
        chips = FlowLayout()
        for stage in DisputeStage:
            chip = QPushButton(stage.value)
            chip.setCheckable(True)
            chip.setProperty("role", "chip")
            chip.setProperty("shown", stage)
            self._chips.addButton(chip)
            chips.addWidget(chip)
        pair = QHBoxLayout(self._pair)
        pair.setContentsMargins(0, 0, 0, 0)
        for sign, box in (("■", self.first), ("▲", self.second)):
            pair.addWidget(label(sign, "muted"))
            pair.addWidget(box, 1)
        head = QVBoxLayout()
        head.setContentsMargins(MARGIN, MARGIN, MARGIN, 4)
        head.setSpacing(7)
        for widget in (self._agreed_on, self._pair, self.agreement):
            head.addWidget(widget)
        head.addSpacing(6)
        for widget in (self._disputed, self._bar, self.told):
            head.addWidget(widget)
        head.addLayout(chips)
        head.addWidget(self._head)
        foot = QVBoxLayout()
        foot.setContentsMargins(MARGIN, 6, MARGIN, MARGIN)
        foot.addWidget(self.take_over)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.view, 1)
        column.addLayout(foot)

    def set_theme(self, theme: Theme) -> None:
        self.agreement.theme = self._delegate.theme = theme
        self.agreement.update()
        self.view.viewport().update()

    def _indexes(self) -> tuple[int, int]:
        return self.first.currentIndex(), self.second.currentIndex()

    def show_layers(self, names: Sequence[str], first: int, second: int) -> None:
        """Offer more than two layers to choose from; two need no choice."""
        self._pair.setVisible(len(names) > 2)
        for box, at in ((self.first, first), (self.second, second)):
            box.clear()
            box.addItems(list(names))
            box.setCurrentIndex(at)

    def show_agreement(self, agreement: TopicAgreement | None) -> None:
        """Show how far the two agree."""
        both = 0 if agreement is None else agreement.judged.both
        self._agreed_on.set_text(f"Agreement · {counted(both, 'document')}")
        self.agreement.show_agreement(agreement)

    def show_progress(self, counts: Mapping[DisputeStage, int], share: float) -> None:
        """Show how many documents are in each list, and which share of the disputed characters is settled."""
        settled, open_ = counts[DisputeStage.SETTLED], counts[DisputeStage.TO_SETTLE]
        disputed = settled + open_
        self._disputed.set_text(f"Disputed · {counted(disputed, 'document')}")
        self._bar.show_share(settled / disputed if disputed else 1.0)
        self.told.setText(
            f"{settled:,} settled, {open_:,} to go · {share:.0%} of the characters"
            if disputed
            else "The two do not differ."
        )
        for chip in self._chips.buttons():
            stage = chip.property("shown")
            chip.setText(f"{stage.value} {counts[stage]:,}")
            chip.setChecked(stage is self.shown)
            chip.setVisible(stage is not DisputeStage.ALONE or counts[stage] > 0)

    def show_rows(self, rows: Sequence[DisputeRow]) -> None:
        self._delegate.largest = max((max(row.only_a, row.only_b) for row in rows), default=1)
        self.model.set_rows(rows)
        taking = self.shown in (DisputeStage.AGREED, DisputeStage.ALONE)
        left = sum(not row.settled for row in rows)
        self.take_over.setVisible(taking and left > 0)
        self.take_over.set_text(f"Take over {left:,} as they are" if left > 1 else "Take it over as it is")
        heads = {
            DisputeStage.AGREED: "Both say the same",
            DisputeStage.ALONE: "Only one of the two judged these",
        }
        self._head.setText(heads.get(self.shown, "Most disputed characters first"))
        at = next((at for at, row in enumerate(rows) if row.current), -1)
        if at >= 0:
            self.view.scrollTo(self.model.index(at))
