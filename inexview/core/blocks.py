"""Display blocks: what a person reading the article would call a title, a heading, a paragraph, an item.

The blocks tile the text: put together they give it once, in order, and none of them looks empty.  White
space between two blocks belongs to the block before it, so that a block begins with something to see (the
first block of a text may begin with white space, having none before it).

A view shows one block per line or paragraph.  Tables are cells in reading order, each with its row and
column; empty cells have no text and therefore no block, but they count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import overload

import numpy as np

from inexview.core.spans import Offsets


class BlockKind(Enum):
    """What a block is to a reader."""

    TITLE = auto()
    HEADING = auto()
    PARAGRAPH = auto()
    ITEM = auto()
    TERM = auto()
    CAPTION = auto()
    CELL = auto()
    META = auto()
    PREFORMATTED = auto()


@dataclass(frozen=True, slots=True)
class Block:
    """One block, the characters ``[start, end)``, of which the last ones are often white space.

    ``level``: depth of a heading (1 …), nesting of an item or of a paragraph within one (1 …), else 0.
    ``marker``: what a reader sees before an item ("•", "3."), decoration and not text.
    ``tight``: a line that follows the block before it without the space of a new paragraph.
    ``row``, ``column``, ``table`` (0-based): of a CELL, else -1.
    ``header``: a heading cell.
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


@dataclass(slots=True)  # not frozen: a long article makes thousands, and a frozen one costs thrice
class Look:
    """What all blocks of one block-level element have in common, whatever their number."""

    kind: BlockKind
    level: int = 0
    row: int = -1
    column: int = -1
    table: int = -1
    header: bool = False


class Blocks(Sequence[Block]):
    """The blocks of an article; Block objects are made when they are first asked for.

    ``starts`` and ``ends`` are int64 of shape (n,), for binary search.
    """

    def __init__(
        self, starts: list[int], length: int, looks: list[Look], tights: list[bool], markers: dict[int, str]
    ) -> None:
        self.starts: Offsets = np.array(starts, np.int64)
        self.ends: Offsets = np.append(self.starts[1:], length) if starts else self.starts
        self._looks = looks
        self._tights = tights
        self._markers = markers
        self._made: dict[int, Block] = {}

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
        )
