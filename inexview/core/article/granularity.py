"""What the pen takes when a drag ends somewhere within a word or a sentence.

Growing is always outward: what was dragged over stays marked, and marks begin and end with something to see.
"""

from __future__ import annotations

import re
from enum import Enum
from unicodedata import category

from inexview.core.article.document import Document
from inexview.core.article.sentences import Sentences

_JOINERS = "'’-‐‑\u00ad\u200d"  # between two letters these do not end a word
_VISIBLE = re.compile(r"\S")
_LONGEST_WORD = 200  # characters looked at on either side


class Granularity(Enum):
    """How far a drag grows."""

    CHARACTER = "character"
    WORD = "word"
    SENTENCE = "sentence"
    PARAGRAPH = "paragraph"
    ELEMENT = "element"


class Snapper:
    """Grows drags over one article; answers in some ten microseconds once a block has been touched."""

    def __init__(self, document: Document) -> None:
        self._text = document.text
        self._document = document
        self.sentences = Sentences(document.text, document.blocks)

    def grow(self, start: int, end: int, granularity: Granularity) -> tuple[int, int]:
        """Return the span that a drag over ``[start, end)`` takes; the two may come in either order.

        CHARACTER gives what was dragged over.  The others hold at least its visible characters; a drag over
        nothing but white space (or over nothing) takes the unit that it touches: the one before it.
        """
        start, end = sorted(min(max(offset, 0), len(self._text)) for offset in (start, end))
        if granularity is Granularity.CHARACTER:
            return start, end
        first, last = self._visible(start, end)
        if granularity is Granularity.ELEMENT:
            index = self._document.elements.around(first, last + 1)
            return int(self._document.elements.starts[index]), int(self._document.elements.ends[index])
        unit = _UNITS[granularity]
        return unit(self, first)[0], unit(self, last)[1]

    def sentence_at(self, offset: int) -> tuple[int, int]:
        """Return the sentence that holds a character; of white space, the sentence before it."""
        return self.sentences.at(offset)

    def entry_point_at(self, offset: int) -> int:
        """Return where reading would begin if somebody pointed here: the start of the sentence."""
        return self.sentences.at(offset)[0]

    def paragraph_at(self, offset: int) -> tuple[int, int]:
        """Return the visible part of the display block that holds a character."""
        blocks = self._document.blocks
        if not len(blocks):
            return offset, offset
        index = blocks.at(offset)
        start, end = int(blocks.starts[index]), int(blocks.ends[index])
        shown = self._text[start:end]
        lead = len(shown) - len(shown.lstrip())
        return (start, start) if lead == len(shown) else (start + lead, start + len(shown.rstrip()))

    def word_at(self, offset: int) -> tuple[int, int]:
        """Return the word that holds a character; a mark of punctuation, or a CJK character, is its own."""
        text = self._text
        if not 0 <= offset < len(text):
            return offset, offset
        start, end = offset, offset + 1
        if not self._in_word(offset):
            return start, end
        while start > offset - _LONGEST_WORD and self._in_word(start - 1):
            start -= 1
        while end < offset + _LONGEST_WORD and self._in_word(end):
            end += 1
        return start, end

    def _visible(self, start: int, end: int) -> tuple[int, int]:
        """Return the first and the last visible character of a span; if none, the one before, twice."""
        text = self._text
        if (visible := _VISIBLE.search(text, start, end)) is not None:
            last = end - 1
            while text[last].isspace():
                last -= 1
            return visible.start(), last
        here = max(min(start, len(text) - 1), 0)
        while here > 0 and text[here].isspace():
            here -= 1
        return here, here

    def _in_word(self, offset: int) -> bool:
        text = self._text
        if not 0 <= offset < len(text):
            return False
        if text[offset] in _JOINERS:
            return (
                0 < offset < len(text) - 1 and _is_letter(text[offset - 1]) and _is_letter(text[offset + 1])
            )
        return _is_letter(text[offset])


_UNITS = {
    Granularity.WORD: Snapper.word_at,
    Granularity.SENTENCE: Snapper.sentence_at,
    Granularity.PARAGRAPH: Snapper.paragraph_at,
}


def _is_letter(character: str) -> bool:
    if "\u2e80" <= character <= "\u9fff" or "\U00020000" <= character <= "\U0003ffff":
        return False  # Chinese and Japanese have no spaces: each character stands for itself
    return character.isalnum() or character == "_" or category(character)[0] == "M"
