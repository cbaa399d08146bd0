"""The text of an article as a list shows it: with a blank between blocks, where the text has none."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from inexview.core.article.scan import Scan
from inexview.core.text.offset_arrays import Ints
from inexview.core.word_index.words import block_edges


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
