"""Reading with nothing around: the text alone on the screen, and back again."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from inexview.gui.services.actions import ActionBook
from inexview.gui.services.messages import Messages
from inexview.gui.shell.panels import Panels


class TextAlone:
    """Takes panels and bars away; every key stays, and so does the line under the text."""

    def __init__(self, panels: Panels, bars: Sequence[QWidget], messages: Messages, book: ActionBook) -> None:
        self._panels = panels
        self._bars = tuple(bars)
        self._messages = messages
        self._book = book

    def toggle(self) -> None:
        """Leave the text alone, or show what is around it."""
        alone = self._book["toggle-panels"].isChecked()
        self._panels.show_sides(not alone)
        for bar in self._bars:
            bar.setVisible(not alone)
        key = self._book.key_text("toggle-panels")
        if alone and key:
            self._messages.info(f"{key} brings panels and bars back.")
