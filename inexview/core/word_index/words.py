"""The words of a text, and where each of them lies.

A word is a run of letters, marks and digits; an apostrophe or a middle dot between letters and a point or a
comma between digits belong to it, and each ideograph is a word of its own.  These are the word boundaries of
Unicode's annex 29 as far as they matter for search.  Words are compared in lower case and in Unicode's form
NFC.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from itertools import chain
from typing import NamedTuple

import numpy as np

from inexview.core.article.scan import Scan
from inexview.core.article.vocabulary import PARENT_DECIDES, Role, plain_role
from inexview.core.text.offset_arrays import Ints

LONGEST = 250  # characters: a longer word is cut into pieces, so that no file makes the index large

_RUN = r"[^\W_]"
_JOINED = (
    rf"(?<=[^\W\d_])['\u2019\u00b7](?=[^\W\d_]){_RUN}+",
    rf"(?<=\d)[.,](?=\d){_RUN}+",
)
_MARKS_BEFORE = 0x1F000  # no script beyond has marks
_IDEOGRAPH = "\u3040-\u309f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_FIRST_IDEOGRAPH = "\u3040"
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
    pattern = _pattern(marks=not text.isascii())
    found = chain.from_iterable(map(re.Match.span, pattern.finditer(text)))
    spans = np.fromiter(found, np.int64).reshape(-1, 2)
    starts, ends = spans[:, 0], spans[:, 1]
    if edges is not None and len(edges):
        starts, ends = _cut(starts, ends, edges)
    if (not text.isascii() and max(text) >= _FIRST_IDEOGRAPH) or (
        len(starts) and int((ends - starts).max()) > LONGEST
    ):
        starts, ends = _pieces(text, starts, ends)
    return TextWords(_compared(text, starts, ends), starts, ends)


def article_words(article: Scan) -> TextWords:
    """Return the words of an article: what lies in two blocks is two words, whatever is between them."""
    elements = article.elements
    blocks = elements.having(lambda tag: plain_role(tag) is not Role.TEXT or tag in PARENT_DECIDES)
    edges = np.unique(np.concatenate((elements.starts[blocks], elements.ends[blocks])))
    return text_words(article.text, edges)


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
    return [
        word if (word := lower[start:end]).isascii() else as_compared(text[start:end])
        for start, end in places
    ]


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
    found: list[tuple[int, int]] = []
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        word = text[start:end]
        if len(word) <= LONGEST and (word.isascii() or max(word) < _FIRST_IDEOGRAPH):
            found.append((start, end))
        else:
            found += [(start + piece.start(), start + piece.end()) for piece in _PIECE.finditer(word)]
    spans = np.array(found, np.int64).reshape(-1, 2)
    return spans[:, 0], spans[:, 1]


@cache
def _pattern(*, marks: bool) -> re.Pattern[str]:
    """Return the pattern of words; what Python calls a letter does not include the marks that follow it."""
    joined = [*_JOINED, f"[{_mark_ranges()}]+{_RUN}*"] if marks else _JOINED
    return re.compile(f"{_RUN}+(?:{'|'.join(joined)})*", 0 if marks else re.ASCII)


def _mark_ranges() -> str:
    """Return the combining marks of all scripts as ranges of a character class."""
    marks = [unicodedata.category(chr(code)).startswith("M") for code in range(_MARKS_BEFORE)]
    edges = np.flatnonzero(np.diff(marks, prepend=False, append=False)).reshape(-1, 2)
    return "".join(f"\\U{low:08x}-\\U{high - 1:08x}" for low, high in edges.tolist())
