"""What is where an article would be, when there is none to be shown, or nothing of it."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QAbstractScrollArea, QLabel

from inexview.core.article.document import Document

TOP = 60  # pixels above it


class Notice(QLabel):
    """A heading and a sentence, as wide as the column; it can be selected and copied."""

    def __init__(self, area: QAbstractScrollArea) -> None:
        super().__init__(area)  # what is in its viewport is scrolled out of sight with an article
        self._column = area.viewport()
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self._column.installEventFilter(self)
        self.hide()

    def tell_of(self, document: Document | None) -> None:
        """Leave the column to an article, but where it holds no text."""
        self.hide()
        if document is not None and not document.text.strip():
            self.tell("No text", "This article is empty: nothing can be marked in it.")

    def tell(self, heading: str, text: str) -> None:
        paragraphs = "".join(f'<p style="line-height:145%">{escape(line)}</p>' for line in text.splitlines())
        self.setText(f'<p style="font-size:20px; font-weight:600">{escape(heading)}</p>{paragraphs}')
        self.setAccessibleName(f"{heading}. {text}")
        self._place()
        self.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._place()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        room = self._column.geometry().adjusted(0, TOP, 0, 0)
        room.setHeight(min(self.heightForWidth(room.width()), room.height()))
        self.setGeometry(room)
