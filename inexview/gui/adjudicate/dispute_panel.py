"""The left panel of Adjudicate: how far the two agree, how far one is, and the documents, largest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QHBoxLayout,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QWidget,
)

from inexview.core.evaluation.assessors.agreement import TopicAgreement
from inexview.core.evaluation.assessors.several_assessors import SeveralAgreement
from inexview.core.wording import counted, percent
from inexview.gui.adjudicate.agreement_view import AgreementTable, AgreementView
from inexview.gui.adjudicate.dispute_list import (
    FIGURE,
    DisputeDelegate,
    DisputeHeadings,
    DisputeModel,
    DisputeRow,
    figure_wide,
)
from inexview.gui.adjudicate.layer_comparison import DisputeStage
from inexview.gui.look.buttons import chip_button
from inexview.gui.look.flow import FlowLayout
from inexview.gui.look.layer_looks import LAYER_LOOKS
from inexview.gui.look.layouts import in_column, in_row
from inexview.gui.look.list_model import RowRole
from inexview.gui.look.panel_parts import MARGIN, ChoosingView
from inexview.gui.look.still_fields import still
from inexview.gui.look.theme import Theme
from inexview.gui.look.thin_bar import ThinBar
from inexview.gui.look.widgets import Caption, ElidedLabel, KeyButton, label
from inexview.gui.services.actions import ActionBook


class LayerBox(QComboBox):
    """A choice of an assessor, whose name is shortened where it is narrow: Qt cuts it within a letter."""

    def shown_text(self) -> str:
        """Return the name as there is room for it."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        part = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, self)
        return self.fontMetrics().elidedText(
            self.currentText(), Qt.TextElideMode.ElideRight, room.width() - 2
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, option = QStylePainter(self), QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        option.currentText = self.shown_text()
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)


class DisputePanel(QWidget):
    """Agreement, progress, and one of four lists of documents."""

    document_chosen = Signal(object)  # document id
    layers_chosen = Signal(object)  # tuple of the places of those to be compared among all layers
    list_chosen = Signal(object)  # DisputeStage

    def __init__(self, book: ActionBook) -> None:
        super().__init__()
        self.setProperty("role", "chrome")
        self.shown = DisputeStage.TO_SETTLE
        self._agreed_on = Caption("Agreement")
        self.agreement = AgreementView()
        self.among = AgreementTable()
        self._choice = QWidget()
        self.boxes = tuple(still(LayerBox()) for _ in LAYER_LOOKS)
        self._disputed = Caption("Disputed")
        self._bar = ThinBar()
        self.told = label("", "", wrap=True)
        self._chips = QButtonGroup(self)
        self.model = DisputeModel(self)
        self.view = ChoosingView("Documents in which the layers differ")
        self._delegate = DisputeDelegate(self.view)
        self._head = ElidedLabel(role="note")
        self._columns = DisputeHeadings()
        self.take_over = KeyButton("Take over all of these", book["take-over"])
        self._build()
        self.show_layers((), ())
        self.show_agreement(None)
        self.view.setModel(self.model)
        self.view.setItemDelegate(self._delegate)
        self.view.setUniformItemSizes(True)
        self.view.chosen.connect(lambda index: self.document_chosen.emit(index.data(RowRole).document))
        self._chips.buttonClicked.connect(lambda chip: self.list_chosen.emit(chip.property("shown")))
        for box, look in zip(self.boxes, LAYER_LOOKS, strict=True):
            box.setAccessibleName(f"Assessor {look.letter}")
            box.activated.connect(lambda _at: self.layers_chosen.emit(self._places()))

    def _build(self) -> None:
        chips = FlowLayout()
        for stage in DisputeStage:
            made = chip_button(stage.value)
            made.setProperty("shown", stage)
            self._chips.addButton(made)
            chips.addWidget(made)
        choice = QHBoxLayout(self._choice)
        choice.setContentsMargins(0, 0, 0, 0)
        choice.setSpacing(4)
        for box, look in zip(self.boxes, LAYER_LOOKS, strict=True):
            choice.addWidget(label(look.letter, "muted"))
            choice.addWidget(box, 1)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(3)
        head = in_column(
            self._agreed_on,
            self._choice,
            self.agreement,
            self.among,
            6,
            self._disputed,
            self._bar,
            self.told,
            chips,
            in_row((self._head, 1), self._columns, spacing=4),
            margins=(MARGIN, MARGIN, MARGIN, 4),
            spacing=7,
        )
        in_column(
            head,
            (self.view, 1),
            in_column(self.take_over, margins=(MARGIN, 6, MARGIN, MARGIN)),
            on=self,
            margins=0,
            spacing=0,
        )

    def set_theme(self, theme: Theme) -> None:
        self.agreement.theme = self.among.theme = self._delegate.theme = theme
        self.agreement.update()
        self._columns.set_theme(theme)
        self.among.update()
        self.view.viewport().update()

    def _places(self) -> tuple[int, ...]:
        return tuple(place for box in self.boxes if (place := box.currentData()) is not None)

    def show_layers(self, names: Sequence[str], chosen: Sequence[int]) -> None:
        """Offer more than two layers to choose from, one of them not to be compared; two need no choice."""
        self._choice.setVisible(len(names) > 2)
        for at, box in enumerate(self.boxes):
            box.clear()
            for place, name in enumerate(names):
                box.addItem(name, place)
            if at > 1:
                box.addItem("–", None)
            box.setCurrentIndex(chosen[at] if at < len(chosen) else box.count() - 1)
            box.setToolTip(box.currentText())

    def show_agreement(self, agreement: TopicAgreement | SeveralAgreement | None) -> None:
        """Show how far the layers agree, of three each pair."""
        several = isinstance(agreement, SeveralAgreement)
        self.agreement.setVisible(not several)
        self.among.setVisible(several)
        if isinstance(agreement, SeveralAgreement):
            judged = agreement.documents
            self.among.show_agreement(agreement)
        else:
            judged = 0 if agreement is None else agreement.judged.both
            self.agreement.show_agreement(agreement)
        self._agreed_on.set_text(f"Agreement · {counted(judged, 'document')}")

    def show_progress(self, counts: Mapping[DisputeStage, int], share: float) -> None:
        """Show how many documents are in each list, and which share of the disputed characters is settled."""
        settled, open_ = counts[DisputeStage.SETTLED], counts[DisputeStage.TO_SETTLE]
        disputed = settled + open_
        self._disputed.set_text(f"Disputed · {counted(disputed, 'document')}")
        self._bar.show_share(settled / disputed if disputed else 1.0)
        self.told.setText(
            f"{settled:,} settled, {open_:,} to go · {percent(share)} of the characters"
            if disputed
            else "They do not differ."
        )
        for chip in self._chips.buttons():
            stage = chip.property("shown")
            chip.setText(f"{stage.value} {counts[stage]:,}")
            chip.setChecked(stage is self.shown)
            chip.setVisible(stage is not DisputeStage.ALONE or counts[stage] > 0)

    def show_rows(self, rows: Sequence[DisputeRow]) -> None:
        barred = [row for row in rows if any(row.disputed_of)]
        self._delegate.largest = max((max(row.disputed_of) for row in barred), default=1)
        wide = max((figure_wide(self.view.font(), row) for row in barred), default=0)
        self._delegate.figure = max(FIGURE, wide)
        layers = len(barred[0].disputed_of) if barred else 0
        self._columns.show_columns(layers, self._delegate.figure)
        self._columns.setVisible(bool(barred))
        self.model.set_rows(rows)
        taking = self.shown in (DisputeStage.AGREED, DisputeStage.ALONE)
        left = sum(not row.settled for row in rows)
        self.take_over.setVisible(taking and left > 0)
        self.take_over.set_text(f"Take over {left:,} as they are" if left > 1 else "Take it over as it is")
        heads = {
            DisputeStage.AGREED: "All say the same",
            DisputeStage.ALONE: "Only one judged these",
        }
        self._head.set_text(heads.get(self.shown, "Largest first"))
        at = next((at for at, row in enumerate(rows) if row.current), -1)
        if at >= 0:
            self.view.scrollTo(self.model.index(at))
