"""The line above the text that says that suggestions are on, and which one a key takes."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from inexview.core.project.decisions import Suggestion
from inexview.gui.look.widgets import ElidedLabel, KeySign, label
from inexview.gui.services.actions import ActionBook

KEYS = (("take-suggestion", "take"), ("change-suggestion", "change"), ("refuse-suggestion", "refuse"),
        ("next-suggestion", "next"))  # fmt: skip
ROOM_FOR_KEYS = (400, 900, 580, 760)  # pixels of the bar, from which on each of them is shown


class SuggestionBar(QWidget):
    """Never hidden while suggestions are seen, so that no one forgets that they are on."""

    def __init__(self, book: ActionBook) -> None:
        super().__init__()
        self.setProperty("role", "band")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.title = label("Suggestions on", "band-title")
        self.said = ElidedLabel(role="band-text")
        self.off = QPushButton("Turn off")
        self.off.setProperty("role", "small")
        self.off.clicked.connect(book["close-suggestions"].trigger)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 5, 14, 5)
        row.setSpacing(6)
        row.addWidget(self.title)
        row.addSpacing(8)
        row.addWidget(self.said, 1)
        self._hints = [(KeySign(book[action]), label(words, "band-text")) for action, words in KEYS]
        for hint in self._hints:
            for part in hint:
                row.addWidget(part)
        row.addWidget(self.off)
        self.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave keys out where there is no room for them: the menus have them."""
        super().resizeEvent(event)
        for (key, words), least in zip(self._hints, ROOM_FOR_KEYS, strict=True):
            words.setVisible(self.width() >= least)
            key.setVisible(self.width() >= least and bool(key.text()))

    def show_current(self, source: str, current: Suggestion | None, at: int, left: int) -> None:
        """Tell of the suggestion that a key takes, ``at`` of those ``left``."""
        if current is None:
            self.said.set_text(f"{source} · none left here")
            return
        score = "" if current.score is None else f" · score {current.score:.4g}"
        size = current.end - current.start
        self.said.set_text(f"{source} · {at} of {left} here{score} · {size:,} characters")
