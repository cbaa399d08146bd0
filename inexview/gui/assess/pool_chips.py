"""The chips above the pool: which documents are shown, and how many there are; always on one line."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QWidget

from inexview.gui.assess.pool_columns import Shown
from inexview.gui.look.buttons import chip_button
from inexview.gui.look.theme import Theme
from inexview.gui.look.tinted_icons import chip_icon

GAP, FLAG, LEAST = 1, 12, 24  # pixels
GIVE_WAY = (Shown.ALL, Shown.NOT_RELEVANT, Shown.RELEVANT, Shown.TO_DO)
"""Whose numbers go first where there is no room for all; the caption and the line above have some of them."""
SHORT = {Shown.RELEVANT: "Rel.", Shown.COME_BACK: ""}
"""What those say, after the numbers, that have other words or a sign."""


class PoolChips(QWidget):
    """One chip is chosen."""

    chosen = Signal(object)  # Shown

    def __init__(self) -> None:
        super().__init__()
        self._chips: dict[Shown, QPushButton] = {}
        self._counts: Mapping[Shown, int] | None = None
        self._group = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GAP)
        for shown in Shown:
            made = self._chips[shown] = chip_button(shown.value)
            made.setProperty("shown", shown)
            made.setMinimumWidth(LEAST)
            self._group.addButton(made)
            row.addWidget(made)
        row.addStretch(1)
        self.choose(Shown.TO_DO)
        self._group.buttonClicked.connect(lambda chip: self.chosen.emit(chip.property("shown")))

    def buttons(self) -> list[QPushButton]:
        """Return the chips, in the order of :class:`Shown`."""
        return list(self._chips.values())

    @property
    def current(self) -> Shown:
        return next(shown for shown, chip in self._chips.items() if chip.isChecked())

    def choose(self, shown: Shown) -> None:
        """Choose a chip without telling anybody."""
        self._chips[shown].setChecked(True)

    def set_theme(self, theme: Theme) -> None:
        flag = self._chips[Shown.COME_BACK]
        flag.setIcon(chip_icon("flag", theme, "warning", FLAG))
        flag.setIconSize(QSize(FLAG, FLAG))

    def show_counts(self, counts: Mapping[Shown, int] | None) -> None:
        """Show how many documents each chip has; None: that is not known yet."""
        if counts != self._counts:
            self._counts = counts
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _fit(self) -> None:
        for shown, chip in self._chips.items():
            number = "" if self._counts is None else f"{self._counts[shown]:,}"
            told = f"{shown.value} {number}".rstrip()
            chip.setAccessibleName(told)
            chip.setToolTip("Flagged to come back" if shown is Shown.COME_BACK else told)
            chip.setText(number if shown is Shown.COME_BACK else told)
        for shown, text in (*((shown, shown.value) for shown in GIVE_WAY), *SHORT.items()):
            if sum(chip.sizeHint().width() + GAP for chip in self._chips.values()) - GAP <= self.width():
                break
            self._chips[shown].setText(text)
