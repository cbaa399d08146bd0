"""The words of a text, and where each of them lies.

Where words begin and end is Unicode's annex 29 as far as it matters for search, but each ideograph is a word
of its own.  Columns of code points take a tenth of the time of a regular expression that says the same.
Words are compared in lower case and in Unicode's form NFC.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from inexview.core.article.document import Scan
from inexview.core.article.element_roles import PARENT_DECIDES, Role, plain_role
from inexview.core.text.spans import Ints

_LETTER, _DIGIT, _MARK, _APOSTROPHE, _POINT = 1, 2, 4, 8, 16
_LAST_ASCII = 0x7F
_MARKS_BEFORE = 0x1F000  # no script beyond has marks
_PLANE = 0x10000

Kinds = NDArray[np.uint8]


def word_spans(text: str) -> tuple[Ints, Ints]:
    """Return where words start and end, shape (n,) both.

    A word is a run of letters and digits with the marks that follow them; an apostrophe or a middle dot
    between letters, and a point or a comma between digits, belong to it.
    """
    kinds = _kinds(text)
    within = np.zeros(len(kinds) + 2, bool)
    within[1:-1] = (kinds & (_LETTER | _DIGIT | _MARK)) > 0
    for joiner, joined in ((_APOSTROPHE, _LETTER), (_POINT, _DIGIT)):
        places = np.flatnonzero(kinds == joiner)
        places = places[(places > 0) & (places < len(kinds) - 1)]
        between = (kinds[places - 1] == joined) & (kinds[places + 1] == joined)
        within[places[between] + 1] = True
    edges = np.flatnonzero(within[1:] != within[:-1])
    starts, ends = edges[0::2], edges[1::2]
    return (starts, ends) if text.isascii() else _without_marks_before(kinds, starts, ends)


def _without_marks_before(kinds: Kinds, starts: Ints, ends: Ints) -> tuple[Ints, Ints]:
    """Begin words at their first letter or digit: marks before it belong to none."""
    if not (kinds[starts] == _MARK).any():
        return starts, ends
    others = np.append(np.flatnonzero(kinds != _MARK), len(kinds))
    begins = others[others.searchsorted(starts)]
    words = begins < ends
    return begins[words], ends[words]


def _kinds(text: str) -> Kinds:
    """Return what each character is for a word, shape (characters,)."""
    if text.isascii():
        return _table()[np.frombuffer(text.encode("ascii"), np.uint8)]
    codes = _codes(text)
    kinds: Kinds = _table()[np.minimum(codes, _PLANE - 1)]
    beyond = np.flatnonzero(codes >= _PLANE)
    if len(beyond):
        different, which = np.unique(codes[beyond], return_inverse=True)
        kinds[beyond] = np.array([_kind(code) for code in different.tolist()], np.uint8)[which]
    return kinds


def _codes(text: str) -> NDArray[np.uint32]:
    """Return the code points of a text, shape (characters,)."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


@cache
def _table() -> Kinds:
    """Return the kinds of the characters of Unicode's first plane."""
    return np.array([_kind(code) for code in range(_PLANE)], np.uint8)


def _kind(code: int) -> int:
    character = chr(code)
    if character.isalnum():
        return _DIGIT if character.isdecimal() else _LETTER
    if character in "'\u2019\u00b7":
        return _APOSTROPHE
    if character in ".,":
        return _POINT
    return _MARK if code < _MARKS_BEFORE and unicodedata.category(character).startswith("M") else 0


LONGEST = 250  # characters: a longer word is cut into pieces, so that no file makes the index large

_IDEOGRAPH = "\u3040-\u309f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_FIRST_IDEOGRAPH = 0x3040
_PIECE = re.compile(f"[{_IDEOGRAPH}]|[^{_IDEOGRAPH}]{{1,{LONGEST}}}")


class TextWords(NamedTuple):
    """Words in the order of the text: as they are compared, and the characters ``[start, end)`` of each."""

    words: list[str]
    starts: Ints
    ends: Ints


def text_words(text: str, edges: Ints | None = None) -> TextWords:
    """Return the words of a text; none goes across one of the ``edges``, which are sorted offsets.

    Takes time in proportion to the text.
    """
    starts, ends = word_spans(text)
    if edges is not None and len(edges):
        starts, ends = _cut(starts, ends, edges)
    starts, ends = _pieces(text, starts, ends)
    return TextWords(_compared(text, starts, ends), starts, ends)


def article_words(article: Scan) -> TextWords:
    """Return the words of an article: what lies in two blocks is two words, whatever is between them."""
    return text_words(article.text, block_edges(article))


def block_edges(article: Scan) -> Ints:
    """Return where blocks of an article start or end, rising."""
    elements = article.elements
    blocks = elements.having(lambda tag: plain_role(tag) is not Role.TEXT or tag in PARENT_DECIDES)
    return np.unique(np.concatenate((elements.starts[blocks], elements.ends[blocks])))


def as_compared(word: str) -> str:
    """Return a word in the form in which words are compared."""
    word = word.lower()
    return word if word.isascii() else unicodedata.normalize("NFC", word).replace("\u2019", "'")


def _compared(text: str, starts: Ints, ends: Ints) -> list[str]:
    places = zip(starts.tolist(), ends.tolist(), strict=True)
    if text.isascii():
        lower = text.lower()
        return [lower[start:end] for start, end in places]
    lower = text.lower()
    if len(lower) != len(text):  # a letter became two
        return [as_compared(text[start:end]) for start, end in places]
    words = [lower[start:end] for start, end in places]
    foreign = np.append(0, np.cumsum(_codes(text) > _LAST_ASCII))
    for number in np.flatnonzero(foreign[ends] > foreign[starts]).tolist():
        words[number] = as_compared(text[starts[number] : ends[number]])
    return words


def _cut(starts: Ints, ends: Ints, edges: Ints) -> tuple[Ints, Ints]:
    """Cut the words that go across an edge."""
    first, behind = edges.searchsorted(starts, side="right"), edges.searchsorted(ends, side="left")
    crossing = first < behind
    if not crossing.any():
        return starts, ends
    inner = [
        edges[low:high] for low, high in zip(first[crossing].tolist(), behind[crossing].tolist(), strict=True)
    ]
    return np.sort(np.concatenate((starts, *inner))), np.sort(np.concatenate((ends, *inner)))


def _pieces(text: str, starts: Ints, ends: Ints) -> tuple[Ints, Ints]:
    """Part ideographs from one another and cut what is too long."""
    parted = ends - starts > LONGEST
    if not text.isascii() and (beyond := _codes(text) >= _FIRST_IDEOGRAPH).any():
        before = np.append(0, np.cumsum(beyond))
        parted |= before[ends] > before[starts]
    if not parted.any():
        return starts, ends
    found = [
        (start + piece.start(), start + piece.end())
        for start, end in zip(starts[parted].tolist(), ends[parted].tolist(), strict=True)
        for piece in _PIECE.finditer(text[start:end])
    ]
    pieces = np.array(found, np.int64).reshape(-1, 2)
    return (
        np.sort(np.concatenate((starts[~parted], pieces[:, 0]))),
        np.sort(np.concatenate((ends[~parted], pieces[:, 1]))),
    )


# The text of an article as a list shows it: with a blank between blocks, where the text has none.


class SpacedText(NamedTuple):
    """A text with a blank inserted at each of the ``edges``, which are offsets in the article's own text."""

    text: str
    edges: Ints

    def starts(self, offsets: Ints) -> Ints:
        """Return where stretches that start at offsets of the article start here."""
        moved: Ints = offsets + self.edges.searchsorted(offsets, side="right")
        return moved

    def ends(self, offsets: Ints) -> Ints:
        """Return where stretches that end at offsets of the article end here."""
        moved: Ints = offsets + self.edges.searchsorted(offsets, side="left")
        return moved

    def between(self, start: int, end: int) -> str:
        """Return what the characters ``[start, end)`` of the article read here."""
        first, last = self.starts(np.array([start])), self.ends(np.array([end]))
        return self.text[int(first[0]) : int(last[0])]


def spaced_text(article: Scan) -> SpacedText:
    text, edges = article.text, block_edges(article)
    inner = edges[(edges > 0) & (edges < len(text))]
    pieces = pairwise([0, *inner.tolist(), len(text)])
    return SpacedText(" ".join(text[start:end] for start, end in pieces), inner)
