"""The line above the text that says that suggestions are on, and which one a key takes."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from inexview.core.project.decisions import Suggestion
from inexview.gui.look.buttons import button
from inexview.gui.look.layouts import in_row
from inexview.gui.look.widgets import ElidedLabel, KeySign, label
from inexview.gui.services.actions import ActionBook

KEYS = (("take-suggestion", "take"), ("change-suggestion", "change"), ("refuse-suggestion", "refuse"),
        ("next-suggestion", "next"))  # fmt: skip
ONE_LINE, ROOM_FOR_WORDS = 720, 440  # pixels from which all is in one line, and from which keys have words


class SuggestionBar(QWidget):
    """Never hidden while suggestions are seen, so that no one forgets that they are on."""

    def __init__(self, book: ActionBook) -> None:
        super().__init__()
        self.setProperty("role", "band")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.title = label("Suggestions on", "band-title")
        self.said = ElidedLabel(role="band-text")
        self.off = button("Turn off", "small")
        self.off.clicked.connect(book["close-suggestions"].trigger)
        said = in_row(self.title, (self.said, 1), spacing=14)
        keys = in_row(spacing=6)
        self._words = [label(words, "band-text") for _, words in KEYS]
        for (action, _), words in zip(KEYS, self._words, strict=True):
            keys.addWidget(KeySign(book[action]))
            keys.addWidget(words)
        keys.addStretch(1)
        keys.addWidget(self.off)
        self._parts = parts = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        parts.setContentsMargins(14, 5, 14, 5)
        parts.setSpacing(6)
        parts.addLayout(said, 1)
        parts.addLayout(keys)
        self.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Have the keys in a second line, and then without words, where there is less room."""
        super().resizeEvent(event)
        one = self.width() >= ONE_LINE
        directions = QBoxLayout.Direction
        self._parts.setDirection(directions.LeftToRight if one else directions.TopToBottom)
        for words in self._words:
            words.setVisible(self.width() >= ROOM_FOR_WORDS)

    def show_current(self, source: str, current: Suggestion | None, at: int, left: int) -> None:
        """Tell of the suggestion that a key takes, ``at`` of those ``left``."""
        if current is None:
            self.said.set_text(f"{source} · none left here")
            return
        score = "" if current.score is None else f" · score {current.score:.4g}"
        size = current.end - current.start
        self.said.set_text(f"{source} · {at} of {left} here{score} · {size:,} characters")
