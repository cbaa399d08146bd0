"""Display blocks: what a person reading the article would call a title, a heading, a paragraph, an item.

The blocks tile the text: put together they give it once, in order, and none of them looks empty.  White
space between two blocks belongs to the block before it, so that a block begins with something to see (the
first block of a text may begin with white space, having none before it).

A view shows one block per line or paragraph.  Tables are cells in reading order, each with its row and
column; empty cells have no text and therefore no block, but they count.  Pictures have no text either: each
belongs to the block that follows it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import overload

import numpy as np

from inexview.core.text.spans import Offsets


class BlockKind(Enum):
    """What a block is to a reader."""

    TITLE = auto()
    HEADING = auto()
    PARAGRAPH = auto()
    ITEM = auto()
    TERM = auto()
    DEFINITION = auto()
    REFERENCE = auto()
    CAPTION = auto()
    CELL = auto()
    FIELD = auto()  # one fact of a box, whose marker is its name
    MATH = auto()  # a formula on a line of its own
    BYLINE = auto()
    ABSTRACT = auto()
    NOTE = auto()
    META = auto()
    PREFORMATTED = auto()


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that the article shows but the collection lacks; ``name`` is its file's, or "".

    ``offset`` is its place in the text; ``small`` tells that it is within a sentence, as an icon does;
    ``row`` is the span of the row that it is in, of a table.
    """

    name: str
    offset: int
    small: bool = False
    row: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """One block, the characters ``[start, end)``, of which the last ones are often white space.

    ``level``: depth of a heading (1 …), nesting of an item or of a paragraph within one (1 …), 1 where a
    BYLINE says where an author works, else 0.
    ``marker``: what a reader sees before an item ("•", "3.", "[7]") or a field, decoration and not text.
    ``tight``: a line that follows the block before it without the space of a new paragraph.
    ``row``, ``column``, ``table`` (0-based): of a CELL, else -1.
    ``header``: a heading cell, or the "Figure 1." of a caption.
    ``row_span``, ``column_span``: over how many rows and columns a CELL reaches.
    ``box`` (0-based): the panel of facts that it belongs to, else -1.
    ``pictures``: those that are before it, in order.
    """

    kind: BlockKind
    level: int
    start: int
    end: int
    marker: str = ""
    tight: bool = False
    row: int = -1
    column: int = -1
    table: int = -1
    header: bool = False
    row_span: int = 1
    column_span: int = 1
    box: int = -1
    pictures: tuple[Picture, ...] = ()


@dataclass(slots=True)  # not frozen: a long article makes thousands, and a frozen one costs thrice
class Look:
    """What all blocks of one block-level element have in common, whatever their number."""

    kind: BlockKind
    level: int = 0
    row: int = -1
    column: int = -1
    table: int = -1
    header: bool = False
    row_span: int = 1
    column_span: int = 1
    box: int = -1
    marked: bool = False  # the first of its blocks has a mark


class Blocks(Sequence[Block]):
    """The blocks of an article; Block objects are made when they are first asked for.

    ``starts`` and ``ends`` are int64 of shape (n,), for binary search.  ``pictures_after`` are those behind
    which no block begins.
    """

    def __init__(
        self,
        starts: list[int],
        length: int,
        looks: list[Look],
        tights: list[bool],
        markers: dict[int, str],
        pictures: dict[int, list[Picture]],
    ) -> None:
        edges: Offsets = np.array([*starts, length], np.int64)
        self.starts = edges[:-1]
        self.ends = edges[1:]
        self._looks = looks
        self._tights = tights
        self._markers = markers
        self._made: dict[int, Block] = {}
        self._pictures = pictures
        self.pictures_after = tuple(pictures.get(len(looks), ()))

    def __len__(self) -> int:
        return len(self._looks)

    @overload
    def __getitem__(self, index: int) -> Block: ...
    @overload
    def __getitem__(self, index: slice) -> list[Block]: ...
    def __getitem__(self, index: int | slice) -> Block | list[Block]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError("block index out of range")
        block = self._made.get(index)
        if block is None:
            block = self._made[index] = self._make(index)
        return block

    def at(self, offset: int) -> int:
        """Return the index of the block that holds a character; the last one for the end of the text."""
        return max(int(np.searchsorted(self.starts, offset, side="right")) - 1, 0)

    def _make(self, index: int) -> Block:
        look = self._looks[index]
        return Block(
            kind=look.kind,
            level=look.level,
            start=int(self.starts[index]),
            end=int(self.ends[index]),
            marker=self._markers.get(index, ""),
            tight=self._tights[index],
            row=look.row,
            column=look.column,
            table=look.table,
            header=look.header,
            row_span=look.row_span,
            column_span=look.column_span,
            box=look.box,
            pictures=tuple(self._pictures.get(index, ())),
        )
