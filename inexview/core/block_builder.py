"""From elements to display blocks: one walk over those elements that mean more than text within a line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from inexview.core.blocks import BlockKind, Blocks, Look
from inexview.core.elements import Elements
from inexview.core.lines import LONGEST_BLOCK, bounded, line_starts, preformatted_starts, wrapping_width
from inexview.core.markup import INLINE_STYLES, PARENT_DECIDES, ROLES, ROLES_IN, Role

_BULLETS = "•◦▪"
# An item whose own text says how it is listed gets no second mark.
_OWN_MARKER = re.compile(r"[\[(]?[0-9A-Za-z]{1,3}[.)\]]\s|[•·*–—-]\s")
_UNMARKED_ENTRIES = {"indent", "definition", "none", "plain"}
# Blocks whose text may hold several lines or paragraphs; the others (titles, headings …) are one line.
_MANY_LINES = {BlockKind.PARAGRAPH, BlockKind.ITEM, BlockKind.CELL}
# A paragraph within one of these looks like it.
_LENDS_ITS_LOOK = {BlockKind.ITEM, BlockKind.CELL, BlockKind.CAPTION, BlockKind.META, BlockKind.TERM}


@dataclass(slots=True)
class _Table:
    number: int
    row: int = -1
    column: int = 0


@dataclass(slots=True)
class _List:
    level: int
    numbered: bool
    marked: bool
    counters: dict[int, int] = field(default_factory=dict)


@dataclass(slots=True)
class _Frame:
    """What is known where the walk stands; a child frame begins as a copy of its parent."""

    look: Look
    depth: int = 0  # in the element tree
    end: int = 0
    sections: int = 0
    list: _List | None = None
    table: _Table | None = None
    preformatted: bool = False


def build_blocks(text: str, elements: Elements) -> Blocks:
    """Lay an article out in blocks that tile its text."""
    return _Builder(text, elements).build()


def title_element(elements: Elements) -> int | None:
    """Return the index of the element that names the article, or else of its first heading, if any."""
    heading = None
    candidates = np.flatnonzero(
        elements.having(lambda tag: tag in PARENT_DECIDES or ROLES.get(tag) is Role.HEADING)
    )
    for index in candidates.tolist():
        if elements.starts[index] == elements.ends[index]:
            continue
        role = role_of(elements, index)
        if role is Role.TITLE:
            return index
        if role is Role.HEADING and heading is None:
            heading = index
    return heading


def role_of(elements: Elements, index: int) -> Role:
    """Return what an element does to the page, its parent considered."""
    tag = elements.tags[index]
    if tag in PARENT_DECIDES:
        parent = int(elements.parents[index])
        within = elements.tags[parent] if parent >= 0 else ""
        role = ROLES_IN.get((within, tag))
        if role is not None:
            return role
    return ROLES.get(tag, Role.TEXT)


class _Builder:
    def __init__(self, text: str, elements: Elements) -> None:
        self.text = text
        self.elements = elements
        self.width = wrapping_width(text)
        self.tables = 0
        self.marker = ""  # waits for the first text of its item
        self.starts: list[int] = []
        self.looks: list[Look] = []
        self.tights: list[bool] = []
        self.markers: dict[int, str] = {}

    def build(self) -> Blocks:
        elements = self.elements
        promoted = _unknown_blocks(self.text, elements)
        chosen = np.flatnonzero(elements.having(lambda tag: tag in ROLES or tag in PARENT_DECIDES) | promoted)
        stack = [_Frame(Look(BlockKind.PARAGRAPH), end=len(self.text))]
        position = 0
        columns = (chosen, elements.starts[chosen], elements.ends[chosen], elements.depths[chosen])
        for index, start, end, depth in zip(*(column.tolist() for column in columns), strict=True):
            role = Role.PARAGRAPH if promoted[index] else role_of(elements, index)
            if role is Role.TEXT:
                continue
            while stack[-1].depth >= depth:
                closed = stack.pop()
                self._emit(position, closed.end, closed)
                position = closed.end
            self._emit(position, start, stack[-1])
            position = start
            frame = self._enter(stack[-1], role, elements.attributes.get(index, {}))
            frame.depth, frame.end = depth, end
            stack.append(frame)
        while stack:
            closed = stack.pop()
            self._emit(position, closed.end, closed)
            position = closed.end
        if not self.starts and self.text:  # nothing but white space
            self._add(0, Look(BlockKind.PARAGRAPH), tight=False)
        if self.starts:
            self.starts[0] = 0
        return Blocks(self.starts, len(self.text), self.looks, self.tights, self.markers)

    # -- what an element does ------------------------------------------------------------------------

    def _enter(self, outer: _Frame, role: Role, attributes: Mapping[str, str]) -> _Frame:
        frame = replace(outer)
        nested = outer.look.level if outer.look.kind is BlockKind.ITEM else 0
        if role is Role.SECTION:
            frame.sections += 1
            frame.look = Look(BlockKind.PARAGRAPH)
        elif role is Role.TITLE:
            frame.look = Look(BlockKind.TITLE)
        elif role is Role.HEADING:
            frame.look = Look(BlockKind.HEADING, max(frame.sections, 1))
        elif role is Role.PARAGRAPH:
            if outer.look.kind not in _LENDS_ITS_LOOK:
                frame.look = Look(BlockKind.PARAGRAPH)
        elif role in (Role.LIST, Role.NUMBERED_LIST):
            level = outer.list.level + 1 if outer.list else 1
            frame.list = _List(level, role is Role.NUMBERED_LIST, marked=True)
        elif role is Role.ITEM:
            frame.look, self.marker = self._item(outer, attributes)
        elif role is Role.TERM:
            frame.look = Look(BlockKind.TERM, outer.list.level if outer.list else 1)
        elif role is Role.TABLE:
            if outer.table is None or outer.look.kind is BlockKind.CELL:
                frame.table = _Table(self.tables)
                self.tables += 1
        elif role is Role.ROW:
            if frame.table:
                frame.table.row += 1
                frame.table.column = 0
        elif role in (Role.CELL, Role.HEADER_CELL):
            frame.look = _cell(frame.table, attributes, header=role is Role.HEADER_CELL)
        elif role is Role.CAPTION:
            frame.look = Look(BlockKind.CAPTION)
        elif role is Role.META:
            frame.look = Look(BlockKind.META)
        elif role is Role.PREFORMATTED:
            frame.look = Look(BlockKind.PREFORMATTED, nested)
            frame.preformatted = True
        return frame

    def _item(self, outer: _Frame, attributes: Mapping[str, str]) -> tuple[Look, str]:
        holder = outer.list or _List(1, numbered=False, marked=False)
        said = attributes.get("level", "")
        level = holder.level + (int(said) - 1 if said.isdecimal() and 0 < int(said) < 20 else 0)
        kind = attributes.get("type", "").lower()
        numbered = holder.numbered or kind.startswith(("number", "ordered"))
        look = Look(BlockKind.ITEM, level)
        if kind in _UNMARKED_ENTRIES or not holder.marked:
            return look, ""
        if not numbered:
            return look, _BULLETS[(level - 1) % len(_BULLETS)]
        counters = holder.counters
        counters[level] = counters.get(level, 0) + 1
        for deeper in [other for other in counters if other > level]:
            del counters[deeper]
        return look, f"{counters[level]}."

    # -- text ------------------------------------------------------------------------------------------

    def _emit(self, start: int, end: int, frame: _Frame) -> None:
        """Make blocks of the text between two edges; white space alone goes to the block before."""
        if start >= end:
            return
        segment = self.text[start:end]
        body = segment.lstrip()
        if not body:
            return
        first = end - len(body)
        body = body.rstrip()
        look = frame.look
        pieces = [(first, False)]
        if "\n" in body:
            pieces.extend((first + offset, tight) for offset, tight in self._breaks(body, frame))
        if len(body) > LONGEST_BLOCK:
            pieces = self._bounded(pieces, end)
        for piece, tight in pieces:
            self._add(piece, look, tight=tight)

    def _breaks(self, body: str, frame: _Frame) -> Iterable[tuple[int, bool]]:
        if frame.preformatted:
            return preformatted_starts(body)
        return line_starts(body, self.width) if frame.look.kind in _MANY_LINES else ()

    def _bounded(self, pieces: list[tuple[int, bool]], end: int) -> list[tuple[int, bool]]:
        ends = [start for start, _ in pieces[1:]] + [end]
        cut: list[tuple[int, bool]] = []
        for (start, tight), piece_end in zip(pieces, ends, strict=True):
            cut.append((start, tight))
            cut.extend((further, True) for further in bounded(self.text, start, piece_end))
        return cut

    def _add(self, start: int, look: Look, *, tight: bool) -> None:
        if self.marker and look.kind is BlockKind.ITEM:
            if not _OWN_MARKER.match(self.text, start):
                self.markers[len(self.starts)] = self.marker
            self.marker = ""
        self.starts.append(start)
        self.looks.append(look)
        self.tights.append(tight)


def _cell(table: _Table | None, attributes: Mapping[str, str], *, header: bool) -> Look:
    if table is None:
        return Look(BlockKind.CELL, row=0, column=0, table=-1, header=header)
    column = table.column
    span = attributes.get("colspan", "1")
    table.column += int(span) if span.isdecimal() and 0 < int(span) < 1000 else 1
    return Look(BlockKind.CELL, row=max(table.row, 0), column=column, table=table.number, header=header)


def _unknown_blocks(text: str, elements: Elements) -> NDArray[np.bool_]:
    """Find elements without a listed meaning that stand among blocks and must be blocks themselves.

    Such an element has a container for its parent and no text beside it: an unknown tag (2009's semantic
    wrappers, other vocabularies), or a link or emphasis on a line of its own.
    """
    promoted = np.zeros(len(elements), bool)
    containers = {Role.CONTAINER, Role.SECTION}
    holds_blocks = elements.having(lambda tag: ROLES.get(tag) in containers)
    holds_blocks[0] = True
    inner = np.maximum(elements.parents, 0)
    plain = elements.having(lambda tag: tag not in ROLES and tag not in PARENT_DECIDES)
    plain[0] = False
    styled = elements.having(lambda tag: tag in INLINE_STYLES)
    candidates = np.flatnonzero(plain & (~styled | holds_blocks[inner]))
    if not len(candidates):
        return promoted
    before, after = elements.gaps
    rows = zip(
        candidates.tolist(),
        elements.parents[candidates].tolist(),
        before[candidates].tolist(),
        elements.starts[candidates].tolist(),
        elements.ends[candidates].tolist(),
        after[candidates].tolist(),
        styled[candidates].tolist(),
        strict=True,
    )
    for index, parent, gap_start, start, end, gap_end, is_styled in rows:
        if not holds_blocks[parent]:
            continue
        left, right = text[gap_start:start], text[end:gap_end]
        if left.strip() or right.strip() or (is_styled and not ("\n" in left and "\n" in right)):
            continue
        promoted[index] = holds_blocks[index] = True
    return promoted
