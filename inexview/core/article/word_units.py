"""The words of an article, as the pen takes them.

A word is a run of letters and digits with the marks that belong to them; what is neither is a word by itself,
as it is seen: a flag made of two letters, people joined to one picture (Unicode's grapheme clusters).
Chinese and Japanese put no space between words: each of their characters stands for itself.  Nor do Thai,
Lao, Khmer and Burmese, where only a dictionary could part them: what stands between two spaces is a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from unicodedata import category

from inexview.core.article.blocks import Blocks

_JOINERS = "'’·-‐‑״׳\u00ad\u200c\u200d"  # between two letters these do not end a word
_POINTS = ".,"  # nor these between two digits
_LETTER = re.compile(r"\w")
_HEBREW = re.compile("[\u05d0-\u05ea]")
_FIRST_MARK = "\u0300"
_LONGEST = 200  # characters looked at on either side
_LONGEST_CLUSTER = 40


class WordUnits:
    """The words of a text in blocks, found where somebody asks."""

    def __init__(self, text: str, blocks: Blocks) -> None:
        self._text = text
        self._blocks = blocks

    def at(self, offset: int) -> tuple[int, int]:
        """Return the word that holds a character; a mark of punctuation, or a CJK character, is its own.

        No word goes on in another block, though there may be no white space between a title and its text.
        """
        if not 0 <= offset < len(self._text):
            return offset, offset
        if self._text[offset].isspace():
            return offset, offset + 1
        block = self._blocks.at(offset)
        first, last = int(self._blocks.starts[block]), int(self._blocks.ends[block])
        if not self._in_word(offset, first, last):
            return self._cluster(offset, first, last)
        low, high = max(offset - _LONGEST, first), min(offset + _LONGEST, last)
        start, end = offset, offset + 1
        while start > low and self._in_word(start - 1, first, last):
            start -= 1
        while end < high and self._in_word(end, first, last):
            end += 1
        return start, end

    def starts_from(self, offset: int, end: int | None = None) -> Iterator[int]:
        """Yield where words of letters or digits begin, from an offset on."""
        end = len(self._text) if end is None else end
        while found := _LETTER.search(self._text, offset, end):
            start, offset = self.at(found.start())
            if start == found.start():  # else it began before
                yield start

    def starts_back_from(self, offset: int) -> Iterator[int]:
        """Yield where such words begin, from before an offset back."""
        while offset > 0:
            before = max(offset - _LONGEST, 0)
            yield from reversed(list(self.starts_from(before, offset)))
            offset = before

    def _in_word(self, offset: int, first: int, last: int) -> bool:
        """Tell whether a character of the block ``[first, last)`` is of a word."""
        text = self._text
        character = text[offset]
        inside = first < offset < last - 1
        if character in _JOINERS:
            return inside and _is_letter(text[offset - 1]) and _is_letter(text[offset + 1])
        if character in _POINTS:
            return inside and text[offset - 1].isdecimal() and text[offset + 1].isdecimal()
        if character == '"':  # of Hebrew abbreviations
            return inside and all(map(_HEBREW.match, (text[offset - 1], text[offset + 1])))
        first = max(first, offset - _LONGEST)
        while offset > first and _is_mark(text[offset]):  # it belongs to what it stands on
            offset -= 1
        return _is_letter(text[offset])

    def _cluster(self, offset: int, first: int, last: int) -> tuple[int, int]:
        """Return what is seen as one with a character that is of no word."""
        low, high = max(offset - _LONGEST_CLUSTER, first), min(offset + _LONGEST_CLUSTER, last)
        if all(character < _FIRST_MARK for character in self._text[offset : offset + 2]):
            return offset, offset + 1
        import regex  # here: 20 ms that nothing else takes of a start

        seen = regex.finditer(r"\X", self._text, pos=low, endpos=high)
        start, end = next(one.span() for one in seen if one.end() > offset)
        return int(start), int(end)


def _is_letter(character: str) -> bool:
    if "\u2e80" <= character <= "\u9fff" or "\U00020000" <= character <= "\U0003ffff":
        return False  # Chinese and Japanese
    return character.isalnum() or character == "_" or _is_mark(character)


def _is_mark(character: str) -> bool:
    return character >= _FIRST_MARK and category(character)[0] == "M"
