"""The topic as an assessor reads it."""

from __future__ import annotations

import math
from html import escape

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QLabel

from inexview.core.judgements.topics import Topic, told_castitle
from inexview.gui.article.lines import begins_leftward
from inexview.gui.look.theme import LIGHT, Theme
from inexview.gui.look.widgets import breakable


class TopicText(QLabel):
    """The topic as an assessor needs it: narrative first, then description, then the rest."""

    def __init__(self) -> None:
        super().__init__(wordWrap=True, textFormat=Qt.TextFormat.RichText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.topic: Topic | None = None
        self._theme = LIGHT

    def set_topic(self, topic: Topic) -> None:
        self.topic = topic
        self._show()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._show()

    def _show(self) -> None:
        topic = self.topic
        if topic is None:
            return
        muted = f"color:{self._theme.muted}"
        first, *others = topic.narrative.split("\n\n")
        named, relevant = "<b>What is relevant.</b>", escape(breakable(first))
        if begins_leftward(first):  # a paragraph has one direction of writing
            told = [(named, ""), (relevant, "")]
        else:
            told = [(f"{named} {relevant}", "")] if first else []
        told += [(escape(breakable(paragraph)), "") for paragraph in others]
        if topic.description:
            told.append((escape(breakable(topic.description)), muted))
        if asked := told_castitle(topic.castitle or ""):
            told.append((f"Asks for {escape(breakable(asked))}.", muted))
        further = " · ".join(text for text in (topic.phrasetitle, topic.castitle, topic.keywords) if text)
        if further:
            told.append((escape(breakable(further)), f"{muted}; font-size:11px"))
        if not told and not topic.title:  # of a file whose texts have names of their own
            texts = [f"{name}: {text}" for name, text in topic.others] or ["This topic has no text."]
            told = [(escape(breakable(text)), muted) for text in texts]
        self.setText("".join(f'<p style="line-height:130%; {style}">{text}</p>' for text, style in told))

    def whole_lines(self, room: int, width: int) -> int:
        """Return the height of the lines that are whole in so much room: a label does not tell that."""
        told = QTextDocument()
        told.setDocumentMargin(0)
        told.setDefaultFont(self.font())
        told.setHtml(self.text())
        told.setTextWidth(width)
        ends, block = [0.0], told.begin()
        while block.isValid():
            lines, top = block.layout(), told.documentLayout().blockBoundingRect(block).top()
            rects = (lines.lineAt(at).rect() for at in range(lines.lineCount()))
            ends += [top + rect.bottom() for rect in rects]
            block = block.next()
        return math.ceil(max(end for end in ends if end <= room))
