"""Finding words in the text of one article, whatever their case and the white space between them."""

from __future__ import annotations

import re

import numpy as np

from inexview.core.text.spans import EMPTY, Offsets


class Search:
    """Searches one text; its lower-case form is made at the first search, once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._folded: str | None = None

    def find(self, words: str) -> tuple[Offsets, Offsets]:
        """Return starts and ends, shape (n,), of all places of the words, in order, none overlapping."""
        parts = _fold(words).split()
        if not parts:
            return EMPTY.starts, EMPTY.ends
        if self._folded is None:
            self._folded = _fold(self._text)
        pattern = re.compile(r"\s+".join(map(re.escape, parts)))
        spans = np.array([found.span() for found in pattern.finditer(self._folded)], np.int64).reshape(-1, 2)
        return spans[:, 0], spans[:, 1]


def _fold(text: str) -> str:
    """Return the text in lower case, each character at its place: some would become two characters."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(small if len(small := character.lower()) == 1 else character for character in text)
