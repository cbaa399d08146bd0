"""From elements to display blocks: the text is cut at the edges of all block-level elements."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from inexview.core.blocks import BlockKind, Blocks, Look, Picture
from inexview.core.elements import Elements, parents_of
from inexview.core.lines import LONGEST_BLOCK, bounded, line_starts, preformatted_starts, wrapping_width
from inexview.core.looks import PLAIN, Looks
from inexview.core.markup import Role, roles_mask
from inexview.core.pictures import pictures_of
from inexview.core.roles import Roles

# What says by its own text how it is listed gets no second mark; a reference may begin with initials.
_OWN_MARKS = {
    BlockKind.ITEM: re.compile(r"[\[(]?[0-9A-Za-z]{1,3}[.)\]]\s|[•·*–—-]\s"),
    BlockKind.REFERENCE: re.compile(r"\[[^\]\s]{1,12}\]|[(]?[0-9]{1,3}[.)]\s"),
}
# Blocks whose text may hold several lines or paragraphs; the others (titles, headings …) are one line.
_MANY_LINES = (
    BlockKind.PARAGRAPH, BlockKind.ITEM, BlockKind.CELL, BlockKind.DEFINITION, BlockKind.NOTE,
    BlockKind.ABSTRACT,
)  # fmt: skip
_MARKED_ROLES = roles_mask(Role.ITEM, Role.REFERENCE, Role.FIELD)


def build_blocks(text: str, elements: Elements, roles: Roles) -> Blocks:
    """Lay an article out in blocks that tile its text; ``roles`` are those of its elements."""
    chosen = np.flatnonzero(roles != Role.TEXT)
    chosen_roles = roles[chosen]
    outline = _Outline(elements, chosen)
    looks = Looks(elements, zip(chosen.tolist(), chosen_roles.tolist(), outline.outer.tolist(), strict=True))
    builder = _Builder(text, looks)
    builder.lay_out(outline.stretches(len(text), _MARKED_ROLES[chosen_roles]))
    return builder.blocks(pictures_of(text, elements))


class _Outline:
    """Block-level elements among themselves, numbered from 1; 0 is the page around them.

    ``outer``, of shape (m,): the number of the block-level element around each.
    """

    def __init__(self, elements: Elements, chosen: NDArray[np.intp]) -> None:
        self._starts, self._ends = elements.starts[chosen], elements.ends[chosen]
        nexts = elements.nexts[chosen]
        opened = np.bincount(chosen, minlength=len(elements) + 1)
        opened -= np.bincount(nexts, minlength=len(elements) + 1)
        depths = opened.cumsum(dtype=np.int32)[chosen]
        self.outer = parents_of(depths) + 1
        # The place of each edge among all edges, the first of which is the start of the text.  What has begun
        # before an edge has ended as well, but for the elements that are open there.
        self._start_edges = 2 * np.arange(1, len(chosen) + 1) - depths
        self._end_edges = 2 * np.searchsorted(chosen, nexts) - depths + 1

    def stretches(self, length: int, items: NDArray[np.bool_]) -> Iterator[tuple[int, int, int, int]]:
        """Yield what text there is between each edge and the next.

        As (start, end, number of the innermost element around it, number of the last of ``items`` that has
        begun before it).
        """
        count = 2 * len(self.outer) + 1
        numbers = np.arange(1, len(self.outer) + 1)
        edges, holders, begun = np.zeros((3, count + 1), np.int64)
        edges[self._start_edges] = self._starts
        edges[self._end_edges] = self._ends
        edges[count] = length
        holders[self._start_edges] = numbers
        holders[self._end_edges] = self.outer
        begun[self._start_edges] = numbers * items
        begun = np.maximum.accumulate(begun)
        filled = np.flatnonzero(edges[1:] > edges[:-1])
        columns = (edges[filled], edges[filled + 1], holders[filled], begun[filled])
        return zip(*(column.tolist() for column in columns), strict=True)


class _Builder:
    """Makes blocks of the stretches of text between the edges of block-level elements."""

    def __init__(self, text: str, looks: Looks) -> None:
        self._text = text
        self._width = wrapping_width(text)
        self._within = looks
        self._starts: list[int] = []
        self._looks: list[Look] = []
        self._tights: list[bool] = []
        self._markers: dict[int, str] = {}

    def lay_out(self, stretches: Iterable[tuple[int, int, int, int]]) -> None:
        """Make blocks of all stretches; white space between edges is left to the block before."""
        text, looks = self._text, self._within.looks
        add_start, add_look, add_tight = self._starts.append, self._looks.append, self._tights.append
        marked = 0  # the last item that has shown its mark
        for start, end, holder, item in stretches:
            body = text[start:end].lstrip()
            if not body:
                continue
            first = end - len(body)
            look = looks[holder]
            if item != marked and look.marked:
                marked = item
                self._mark(item, first, look.kind)
            add_start(first)
            add_look(look)
            add_tight(False)
            if "\n" in body or len(body) > LONGEST_BLOCK:
                for further, tight in self._further(first, end, body.rstrip(), look.kind):
                    add_start(further)
                    add_look(look)
                    add_tight(tight)

    def _mark(self, item: int, start: int, kind: BlockKind) -> None:
        """Mark the next block, the first of an item."""
        mark = self._within.marks[item]
        own = _OWN_MARKS.get(kind)
        if mark and not (own and own.match(self._text, start)):
            self._markers[len(self._starts)] = mark

    def blocks(self, pictures: Iterable[Picture]) -> Blocks:
        """Return the blocks of what was added, the first of which begins where the text begins.

        Each of the pictures belongs to the first block that begins where it stands, or behind it.
        """
        followed: dict[int, list[Picture]] = {}
        for picture in pictures:
            followed.setdefault(bisect_left(self._starts, picture.offset), []).append(picture)
        if not self._starts and self._text:  # nothing but white space
            self._starts, self._looks, self._tights = [0], [PLAIN], [False]
        if self._starts:
            self._starts[0] = 0
        return Blocks(self._starts, len(self._text), self._looks, self._tights, self._markers, followed)

    def _further(self, start: int, end: int, body: str, kind: BlockKind) -> list[tuple[int, bool]]:
        """Return (start, tight) of the blocks of a stretch after its first."""
        pieces = [(start + offset, tight) for offset, tight in self._breaks(body, kind)]
        if len(body) <= LONGEST_BLOCK:
            return pieces
        cut: list[tuple[int, bool]] = []
        ends = [piece for piece, _ in pieces] + [end]
        for (piece, tight), piece_end in zip([(start, False), *pieces], ends, strict=True):
            cut.append((piece, tight))
            cut.extend((further, True) for further in bounded(self._text, piece, piece_end))
        return cut[1:]

    def _breaks(self, body: str, kind: BlockKind) -> Iterable[tuple[int, bool]]:
        if kind is BlockKind.PREFORMATTED:
            return preformatted_starts(body)
        return line_starts(body, self._width) if kind in _MANY_LINES else ()
