"""From elements to display blocks: the text is cut at the edges of all block-level elements.

Pictures are places in it: the collections name their files, but do not hold them.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

import numpy as np

from inexview.core.article.block_styles import PLAIN, Around, Looks
from inexview.core.article.blocks import BlockKind, Blocks, Look, Picture
from inexview.core.article.element_roles import Roles, amid_text
from inexview.core.article.elements import Elements
from inexview.core.article.line_breaks import (
    LONGEST_BLOCK,
    bounded,
    line_starts,
    preformatted_starts,
    wrapping_width,
)
from inexview.core.article.vocabulary import PARENT_DECIDES, ROLES, Role, role_of

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
_MARKED_ROLES = frozenset(map(int, (Role.ITEM, Role.REFERENCE, Role.FIELD)))
_TEXT = int(Role.TEXT)  # numpy asks a member of an enumeration what it is for longer than it compares
_NAMED_BY = ("file", "src", "source", "href", "name", "entity", "alt")
LONGEST_NAME = 120


def build_blocks(text: str, elements: Elements, roles: Roles) -> Blocks:
    """Lay an article out in blocks that tile its text; ``roles`` are those of its elements."""
    chosen = (roles != _TEXT).nonzero()[0]
    columns = (chosen, roles[chosen], elements.starts[chosen], elements.ends[chosen], elements.nexts[chosen])
    looks = Looks(elements)
    builder = _Builder(text, looks)
    builder.lay_out(_stretches(len(text), looks, zip(*(column.tolist() for column in columns), strict=True)))
    return builder.blocks(pictures_of(text, elements))


def _stretches(
    length: int, looks: Looks, entries: Iterable[tuple[int, int, int, int, int]]
) -> Iterator[tuple[int, int, Look, int]]:
    """Yield what text there is between each edge of a block-level element and the next.

    As (start, end, its look, how many items there are so far).  ``entries``: of each block-level element, in
    document order, its index, its role, where it starts and ends, and the index behind its last descendant.
    """
    place = items = 0
    around_it: list[tuple[int, int, Look, Around]] = []
    behind, end, look, around = sys.maxsize, length, PLAIN, Around()
    for index, role, start, its_end, its_behind in entries:
        while behind <= index:
            if place < end:
                yield place, end, look, items
                place = end
            behind, end, look, around = around_it.pop()
        if place < start:
            yield place, start, look, items
            place = start
        around_it.append((behind, end, look, around))
        behind, end = its_behind, its_end
        look, around = looks.enter(look, around, index, role)
        if role in _MARKED_ROLES:
            items += 1
    around_it.append((behind, end, look, around))
    for _, end, look, _ in reversed(around_it):
        if place < end:
            yield place, end, look, items
            place = end


class _Builder:
    """Makes blocks of the stretches of text between the edges of block-level elements."""

    def __init__(self, text: str, looks: Looks) -> None:
        self._text = text
        self._width = wrapping_width(text)
        self._within = looks
        self._places: list[tuple[int, bool]] = []  # where each block begins, and whether it is tight
        self._looks: list[Look] = []
        self._markers: dict[int, str] = {}

    def lay_out(self, stretches: Iterable[tuple[int, int, Look, int]]) -> None:
        """Make blocks of all stretches; white space between edges is left to the block before."""
        text = self._text
        add_place, add_look = self._places.append, self._looks.append
        marked = 0  # how many items there were when one has shown its mark
        for edge, end, look, items in stretches:
            start = edge
            if text[edge].isspace():
                start = end - len(text[edge:end].lstrip())
                if start == end:
                    continue
            if items != marked and look.marked:
                marked = items
                self._mark(start, look.kind)
            add_place((start, False))
            add_look(look)
            if end - start > LONGEST_BLOCK or text.find("\n", start, end) >= 0:
                further = self._further(start, end, look.kind)
                self._places += further
                self._looks += [look] * len(further)

    def _mark(self, start: int, kind: BlockKind) -> None:
        """Mark the next block, the first of an item."""
        mark = self._within.mark
        own = _OWN_MARKS.get(kind)
        if mark and not (own and own.match(self._text, start)):
            self._markers[len(self._looks)] = mark

    def blocks(self, pictures: Iterable[Picture]) -> Blocks:
        """Return the blocks of what was added, the first of which begins where the text begins.

        Each of the pictures belongs to the first block that begins where it is, or behind it.  Where
        none does in its row of a table, it belongs to the first one of that row.
        """
        starts = [start for start, _ in self._places]
        tights = [tight for _, tight in self._places]
        followed: dict[int, list[Picture]] = {}
        for picture in pictures:
            followed.setdefault(self._at(picture, starts), []).append(picture)
        if not starts and self._text:  # nothing but white space
            starts, tights, self._looks = [0], [False], [PLAIN]
        if starts:
            starts[0] = 0
        return Blocks(starts, len(self._text), self._looks, tights, self._markers, followed)

    def _at(self, picture: Picture, starts: list[int]) -> int:
        at = bisect_left(starts, picture.offset)
        if picture.row is None or (at < len(starts) and starts[at] < picture.row[1]):
            return at
        first = bisect_left(starts, picture.row[0])
        return min(first, at) if first < len(starts) and self._looks[first].kind is BlockKind.CELL else at

    def _further(self, start: int, end: int, kind: BlockKind) -> list[tuple[int, bool]]:
        """Return (start, tight) of the blocks of a stretch after its first."""
        text = self._text
        pieces: list[tuple[int, bool]] = []
        if kind in _MANY_LINES:
            pieces = line_starts(text, start, end, self._width)
        elif kind is BlockKind.PREFORMATTED:
            pieces = preformatted_starts(text, start, end)
        if end - start <= LONGEST_BLOCK:
            return pieces
        cut: list[tuple[int, bool]] = []
        ends = [piece for piece, _ in pieces] + [end]
        for (piece, tight), piece_end in zip([(start, False), *pieces], ends, strict=True):
            cut.append((piece, tight))
            cut.extend((further, True) for further in bounded(text, piece, piece_end))
        return cut[1:]


def pictures_of(text: str, elements: Elements) -> Iterator[Picture]:
    """Yield the pictures of an article, in document order."""
    if not any(map(_may_be_picture, elements.coded[1])):
        return
    tags, parents = elements.tags, elements.parents
    for index in np.flatnonzero(elements.having(_may_be_picture)).tolist():
        if role_of(tags[index], tags[parents[index]] if index else "") == Role.PICTURE:
            name = _file_name(elements.attributes.get(index, {}))
            small = amid_text(text, elements, index)
            yield Picture(name, int(elements.starts[index]), small, _row_around(elements, index))


def _row_around(elements: Elements, index: int) -> tuple[int, int] | None:
    """Return the span of the innermost row of a table that holds an element, None where none does."""
    while index >= 0:
        if ROLES.get(elements.tags[index]) == Role.ROW:
            return int(elements.starts[index]), int(elements.ends[index])
        index = int(elements.parents[index])
    return None


@lru_cache(maxsize=4096)
def _may_be_picture(tag: str) -> bool:
    return ROLES.get(tag.rpartition(":")[2]) == Role.PICTURE or (tag == "art" and tag in PARENT_DECIDES)


def _file_name(attributes: Mapping[str, str]) -> str:
    """Return the name of the file without its folder, "" where no attribute says it."""
    local = {name.rpartition(":")[2]: value for name, value in attributes.items()}
    for attribute in _NAMED_BY:
        if said := local.get(attribute, "").strip():
            return re.split(r"[/\\]", said.rstrip("/\\"))[-1][:LONGEST_NAME]
    return ""
