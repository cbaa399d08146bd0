"""Words coloured in the text: their letters, and a dotted line under them, for the visible lines only.

Neither the document nor its layout knows of them: Qt draws the letters of visible words as selections without
a background, so that a word is added to 2,000,000 characters in the time of one painting.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject
from PySide6.QtGui import QColor, QTextCursor
from PySide6.QtWidgets import QTextEdit

from inexview.core.article.blocks import BlockKind
from inexview.core.text.spans import EMPTY, Offsets, Spans
from inexview.gui.article.typesetting.lines import Line
from inexview.gui.article.typesetting.reading_edit import ReadingEdit
from inexview.gui.article.typesetting.text_builder import Builder
from inexview.gui.look.theme import Theme, mixed

MOST_SEEN = 80  # words on one screen whose letters are coloured, each as dear as a line; all have the dots
_HEADINGS = (BlockKind.TITLE, BlockKind.HEADING)  # only the line under a word is coloured there


@dataclass(frozen=True, slots=True, eq=False)
class WordPlaces:
    """All places of one word: ``starts`` and ``ends`` of shape (n,); ``style`` picks colour and shape."""

    style: int
    starts: Offsets
    ends: Offsets


class WordLayer(QObject):
    """Colours words in a text area, and again whenever other lines are seen."""

    def __init__(self, area: ReadingEdit) -> None:
        super().__init__(area)
        self._area = area
        self._marks: Spans = EMPTY
        self.words: tuple[WordPlaces, ...] = ()
        self._shown: tuple[object, ...] = ()  # what the selections say now

    def set_words(self, words: Sequence[WordPlaces]) -> None:
        self.words = tuple(words)

    def set_marks(self, marks: Spans) -> None:
        """Know where the background is that of a mark: a word's colour gives way to the text's a little."""
        self._marks = marks

    def show(self, lines: Sequence[Line], builder: Builder | None, theme: Theme) -> None:
        if not self.words or builder is None or not lines:
            self._shown = ()
            if self._area.extraSelections():
                self._area.setExtraSelections([])
            return
        seen = [
            (word.style, start, end, start in self._marks)
            for word, start, end in self._seen(lines[0].start, lines[-1].end)
        ]
        shown = (builder, theme, seen)
        if shown == self._shown:  # a mark elsewhere, mostly
            return
        self._shown = shown
        colors = [(QColor(color), mixed(color, theme.text, theme.word_in_mark)) for color in theme.words]
        selections = []
        for style, start, end, marked in seen:
            if builder.pieces[builder.map.piece_at(start)].kind in _HEADINGS:
                continue
            cursor = QTextCursor(self._area.document())
            cursor.setPosition(builder.map.to_position(start))
            cursor.setPosition(builder.map.to_position(end, at_end=True), QTextCursor.MoveMode.KeepAnchor)
            selection = QTextEdit.ExtraSelection()
            selection.cursor = cursor
            selection.format.setForeground(colors[style % len(colors)][marked])
            selections.append(selection)
        self._area.setExtraSelections(selections)

    def _seen(self, start: int, end: int) -> Iterator[tuple[WordPlaces, int, int]]:
        """Yield the places of words between two offsets, the first of each word before its others."""
        room = MOST_SEEN
        for word in self.words:
            first = int(word.ends.searchsorted(start, side="right"))
            behind = min(int(word.starts.searchsorted(end, side="left")), first + room)
            room -= max(behind - first, 0)
            for at in range(first, behind):
                yield word, int(word.starts[at]), int(word.ends[at])
