"""An article: its text, its elements, the blocks in which a reader sees it, and their inline styles.

Offsets are half-open spans of code points in ``Document.text``, which is all text below the root element
("INEX counts in Unicode characters excluding XML tags").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import overload

import numpy as np
from numpy.typing import NDArray

from inexview.core.article.block_builder import build_blocks
from inexview.core.article.blocks import Blocks
from inexview.core.article.element_roles import element_roles, title_element
from inexview.core.article.elements import Elements
from inexview.core.article.scan import scan
from inexview.core.article.vocabulary import INLINE_STYLES, InlineStyle
from inexview.core.text.spans import Offsets
from inexview.core.xml.parser import read_bytes

LONGEST_NUMBER = 4  # characters of the number of a footnote
_PARTS_NUMBERS = ("", *" \t\n\r\u00a0[(,–-")  # a number behind one of these is part of the text

_STYLES = list(InlineStyle)
_NUMBERS = {style: number for number, style in enumerate(_STYLES)}


@lru_cache(maxsize=4096)
def _two_styles(tag: str) -> tuple[int, int]:
    """Return the styles of a tag as indices in ``list(InlineStyle)``, -1 for none; no tag has three."""
    first, second, *_ = *(_NUMBERS[style] for style in INLINE_STYLES.get(tag, ())), -1, -1
    return first, second


@dataclass(frozen=True, slots=True)
class Inline:
    """Characters ``[start, end)`` that look a certain way; may cross blocks, and nest."""

    start: int
    end: int
    style: InlineStyle


class Inlines(Sequence[Inline]):
    """The inline styles of an article, sorted by start.

    ``starts``, ``ends`` (int64) and ``styles`` (indices in ``list(InlineStyle)``), all of shape (n,).
    """

    def __init__(self, text: str, elements: Elements) -> None:
        codes, vocabulary = elements.coded
        filled = elements.ends > elements.starts
        firsts, seconds = zip(*map(_two_styles, vocabulary), strict=True)
        styles = np.array(firsts, np.int8)[codes]
        chosen = (filled & (styles >= 0)).nonzero()[0]
        styles = styles[chosen]
        if max(seconds) >= 0:
            more = np.array(seconds, np.int8)[codes]
            twice = (filled & (more >= 0)).nonzero()[0]
            chosen = np.concatenate((chosen, twice))
            order = chosen.argsort(kind="stable")
            chosen, styles = chosen[order], np.concatenate((styles, more[twice]))[order]
        self.starts: Offsets = elements.starts[chosen]
        self.ends: Offsets = elements.ends[chosen]
        self.styles: NDArray[np.int8] = styles
        if "ref" in vocabulary:
            self._settle_references(text, ieee="fm" in vocabulary)

    def _settle_references(self, text: str, *, ieee: bool) -> None:
        """Tell footnotes within a sentence from their numbers, and from the citations of IEEE ("in [3]")."""
        references = self.styles == _NUMBERS[InlineStyle.REFERENCE]
        if ieee:
            self.styles[references] = _NUMBERS[InlineStyle.LINK]
            return
        for at in np.flatnonzero(references).tolist():
            start, end = int(self.starts[at]), int(self.ends[at])
            if end - start <= LONGEST_NUMBER and text[start - 1 : start] not in _PARTS_NUMBERS:
                self.styles[at] = _NUMBERS[InlineStyle.SUPERSCRIPT]

    def __len__(self) -> int:
        return len(self.starts)

    @overload
    def __getitem__(self, index: int) -> Inline: ...
    @overload
    def __getitem__(self, index: slice) -> list[Inline]: ...
    def __getitem__(self, index: int | slice) -> Inline | list[Inline]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        return Inline(int(self.starts[index]), int(self.ends[index]), _STYLES[self.styles[index]])


class Document:
    """One article, read once and never changed.

    ``id`` is its name in the collection, ``title`` what a person would call it, ``text`` its characters;
    ``elements`` (document order), ``blocks`` (they tile the text) and ``inlines`` are sequences over
    columns; ``warnings`` are sentences about what was read but is not as it should be.
    """

    __slots__ = ("blocks", "elements", "id", "inlines", "text", "title", "warnings")

    def __init__(self, id: str, text: str, elements: Elements, warnings: tuple[str, ...]) -> None:
        self.id = id
        self.text = text
        self.elements = elements
        roles = element_roles(text, elements)
        self.blocks: Blocks = build_blocks(text, elements, roles)
        self.inlines = Inlines(text, elements)
        self.warnings = warnings
        named = title_element(elements, roles)
        words = [] if named is None else text[elements.starts[named] : elements.ends[named]].split()
        self.title = " ".join(words) or id

    @classmethod
    def from_file(cls, path: str | Path, *, id: str | None = None) -> Document:
        """Read an article; its id is the file's name without ``.xml`` unless given.

        Raises DocumentError with file, line and column.
        """
        path = Path(path)
        name = path.name.removesuffix(".xml") if id is None else id
        found = scan(read_bytes(path), str(path))
        return cls(name, found.text, found.elements, found.warnings)

    @classmethod
    def from_bytes(cls, data: bytes, *, name: str = "document", id: str | None = None) -> Document:
        """Read an article from memory; ``name`` is what errors call it, and its id unless that is given.

        Raises DocumentError with line and column.
        """
        found = scan(data, name)
        return cls(name if id is None else id, found.text, found.elements, found.warnings)

    @property
    def length(self) -> int:
        """The number of code points of the text."""
        return len(self.text)

    def __repr__(self) -> str:
        return f"<Document {self.id!r}: {self.length} characters, {len(self.elements)} elements>"
