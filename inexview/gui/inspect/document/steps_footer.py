"""At the foot of a panel beside the text: to the next miss and false alarm, and which of how many it is."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from inexview.gui.look.layouts import Margins, SideBySide, in_column
from inexview.gui.look.widgets import ElidedLabel, KeyButton
from inexview.gui.services.actions import ActionBook

STEPS = ("next-miss", "next-false-alarm")


class StepsFooter(QWidget):
    """Two buttons, and above them what the last step came to."""

    def __init__(self, book: ActionBook, margins: Margins = 0) -> None:
        super().__init__()
        self.said = ElidedLabel(role="note")
        self.said.tip = "Which passage of its kind in this document, of how many"
        steps = SideBySide(*(KeyButton(book[name].text(), book[name]) for name in STEPS))
        in_column(self.said, steps, on=self, margins=margins)
