"""From elements to display blocks: one walk over those elements that mean more than text within a line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from inexview.core.blocks import BlockKind, Blocks, Look
from inexview.core.elements import Elements
from inexview.core.lines import LONGEST_BLOCK, bounded, line_starts, preformatted_starts, wrapping_width
from inexview.core.markup import INLINE_STYLES, PARENT_DECIDES, ROLES, Role, role_of

# Members by name: on Python 3.11 ``Role.CELL`` costs as much as a call, and hashing a member costs one.
(
    _CONTAINER, _SECTION, _TITLE, _HEADING, _PARAGRAPH, _LIST, _NUMBERED_LIST, _ITEM, _TERM, _TABLE,
    _TABLE_HEAD, _TABLE_BODY, _ROW, _CELL, _HEADER_CELL, _CAPTION, _META, _PREFORMATTED, _TEXT,
) = Role  # fmt: skip

_BULLETS = "•◦▪"
# An item whose own text says how it is listed gets no second mark.
_OWN_MARKER = re.compile(r"[\[(]?[0-9A-Za-z]{1,3}[.)\]]\s|[•·*–—-]\s")
_UNMARKED_ENTRIES = {"indent", "definition", "none", "plain"}
_NUMBERED_TYPES = ("number", "ordered", "arabic")
# Blocks whose text may hold several lines or paragraphs; the others (titles, headings …) are one line.
_MANY_LINES = (BlockKind.PARAGRAPH, BlockKind.ITEM, BlockKind.CELL)
# A paragraph within one of these looks like it.
_LENDS_ITS_LOOK = (BlockKind.ITEM, BlockKind.CELL, BlockKind.CAPTION, BlockKind.META, BlockKind.TERM)


_PLAIN = Look(BlockKind.PARAGRAPH)
_FIXED_LOOKS = {
    _TITLE: Look(BlockKind.TITLE),
    _CAPTION: Look(BlockKind.CAPTION),
    _META: Look(BlockKind.META),
    _PREFORMATTED: Look(BlockKind.PREFORMATTED),
}


@dataclass(slots=True)
class _Table:
    number: int
    row: int = -1
    column: int = 0
    in_head: bool = False


@dataclass(slots=True)
class _List:
    level: int
    numbered: bool
    counters: dict[int, int] = field(default_factory=dict)


@dataclass(slots=True)
class _Frame:
    """An open element: where it ends, and how text looks that stands directly in it."""

    next: int  # index of the first element behind it
    end: int
    look: Look
    sections: int
    list: _List | None
    table: _Table | None


def build_blocks(text: str, elements: Elements) -> Blocks:
    """Lay an article out in blocks that tile its text."""
    return _Builder(text, elements).build()


def title_element(elements: Elements) -> int | None:
    """Return the index of the element that names the article, or else of its first heading, if any."""
    heading = None
    candidates = elements.having(lambda tag: tag in PARENT_DECIDES or ROLES.get(tag) is Role.HEADING)
    for index in np.flatnonzero(candidates & (elements.ends > elements.starts)).tolist():
        role = _role(elements, index)
        if role is Role.TITLE:
            return index
        if role is Role.HEADING and heading is None:
            heading = index
    return heading


def _role(elements: Elements, index: int) -> Role:
    parent = int(elements.parents[index])
    return role_of(elements.tags[index], elements.tags[parent] if parent >= 0 else "")


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
        self.headings = [Look(BlockKind.HEADING, level) for level in range(int(elements.depths.max()) + 1)]

    def build(self) -> Blocks:
        text = self.text
        frame = _Frame(len(self.elements), len(text), _PLAIN, 0, None, None)
        stack = [frame]
        position = 0
        for index, role, start, end, next_ in self._block_elements():
            while index >= frame.next:  # it has ended before this one starts
                # White space between edges, the most frequent case by far, is left to the block before.
                if position < frame.end and not text[position : frame.end].isspace():
                    self._emit(position, frame.end, frame.look)
                position = frame.end
                stack.pop()
                frame = stack[-1]
            if position < start and not text[position:start].isspace():
                self._emit(position, start, frame.look)
            position = start
            frame = self._enter(frame, index, role, end, next_)
            stack.append(frame)
        for frame in reversed(stack):
            if text[position : frame.end].strip():
                self._emit(position, frame.end, frame.look)
            position = frame.end
        if not self.starts and text:  # nothing but white space
            self._add(0, _PLAIN, tight=False)
        if self.starts:
            self.starts[0] = 0
        return Blocks(self.starts, len(text), self.looks, self.tights, self.markers)

    def _block_elements(self) -> Iterator[tuple[int, Role, int, int, int]]:
        """Yield (index, role, start, end, next index) of each element that is more than text in a line."""
        elements = self.elements
        promoted = _unknown_blocks(self.text, elements)
        listed = elements.having(lambda tag: tag in ROLES or tag in PARENT_DECIDES)
        chosen = np.flatnonzero(listed | promoted)
        columns = (chosen, elements.starts[chosen], elements.ends[chosen], elements.nexts[chosen])
        tags = elements.tags
        for index, start, end, next_ in zip(*(column.tolist() for column in columns), strict=True):
            tag = tags[index]
            role = _role(elements, index) if tag in PARENT_DECIDES else ROLES.get(tag, _PARAGRAPH)
            if role is _TEXT and promoted[index]:
                role = _PARAGRAPH
            if role is not _TEXT:
                yield index, role, start, end, next_

    # -- what an element does ------------------------------------------------------------------------

    def _enter(self, outer: _Frame, index: int, role: Role, end: int, next_: int) -> _Frame:
        look, sections, list_, table = outer.look, outer.sections, outer.list, outer.table
        if role is _PARAGRAPH:
            look = look if look.kind in _LENDS_ITS_LOOK else _PLAIN
        elif role is _CELL or role is _HEADER_CELL:
            look = self._cell(table, index, header=role is _HEADER_CELL)
        elif role is _ROW:
            if table:
                table.row += 1
                table.column = 0
        elif role is _HEADING:
            look = self.headings[max(sections, 1)]
        elif role is _ITEM:
            look = self._item(list_ or _List(1, numbered=False), index)
        elif role is _SECTION:
            sections += 1
            look = _PLAIN
        elif role is _LIST or role is _NUMBERED_LIST:
            kind = self.elements.attributes.get(index, {}).get("type", "").lower()
            numbered = role is _NUMBERED_LIST or kind.startswith(_NUMBERED_TYPES)
            list_ = _List(list_.level + 1 if list_ else 1, numbered)
        elif role is _TABLE:
            if table is None or look.kind is BlockKind.CELL:  # IEEE: tgroup within tbl is one table
                table = _Table(self.tables)
                self.tables += 1
        elif role is _TABLE_HEAD or role is _TABLE_BODY:
            if table:
                table.in_head = role is _TABLE_HEAD
        elif role is _TERM:
            look = Look(BlockKind.TERM, list_.level if list_ else 1)
        else:
            look = _FIXED_LOOKS.get(role, look)
        return _Frame(next_, end, look, sections, list_, table)

    def _item(self, holder: _List, index: int) -> Look:
        attributes = self.elements.attributes.get(index, {})
        said = attributes.get("level", "")
        # 2009 gives the level, whether or not the lists are nested as well.
        level = max(holder.level, int(said) if said.isdecimal() and len(said) < 3 else 1)
        kind = attributes.get("type", "").lower()
        if kind in _UNMARKED_ENTRIES:
            self.marker = ""
        elif holder.numbered or kind.startswith(_NUMBERED_TYPES):
            counters = holder.counters
            counters[level] = counters.get(level, 0) + 1
            for deeper in [other for other in counters if other > level]:
                del counters[deeper]
            self.marker = f"{counters[level]}."
        else:
            self.marker = _BULLETS[(level - 1) % len(_BULLETS)]
        return Look(BlockKind.ITEM, level)

    def _cell(self, table: _Table | None, index: int, *, header: bool) -> Look:
        if table is None:
            return Look(BlockKind.CELL, 0, 0, 0, -1, header)
        column = table.column
        span = self.elements.attributes.get(index, {}).get("colspan", "1")
        table.column += max(int(span), 1) if span.isdecimal() and len(span) < 4 else 1
        return Look(BlockKind.CELL, 0, max(table.row, 0), column, table.number, header or table.in_head)

    # -- text ------------------------------------------------------------------------------------------

    def _emit(self, start: int, end: int, look: Look) -> None:
        """Make blocks of the text between two edges, which holds something to see."""
        body = self.text[start:end].lstrip()
        first = end - len(body)
        body = body.rstrip()
        if "\n" not in body and len(body) <= LONGEST_BLOCK:
            self._add(first, look, tight=False)
            return
        pieces = [(first, False)]
        pieces.extend((first + offset, tight) for offset, tight in self._breaks(body, look.kind))
        if len(body) > LONGEST_BLOCK:
            pieces = self._bounded(pieces, end)
        for piece, tight in pieces:
            self._add(piece, look, tight=tight)

    def _breaks(self, body: str, kind: BlockKind) -> Iterable[tuple[int, bool]]:
        if kind is BlockKind.PREFORMATTED:
            return preformatted_starts(body)
        return line_starts(body, self.width) if kind in _MANY_LINES else ()

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


def _unknown_blocks(text: str, elements: Elements) -> NDArray[np.bool_]:
    """Find elements without a listed meaning that stand among blocks and must be blocks themselves.

    Such an element has a container for its parent and no text beside it: an unknown tag (2009's semantic
    wrappers, other vocabularies), or a link or emphasis on a line of its own.
    """
    promoted = np.zeros(len(elements), bool)
    containers = {_CONTAINER, _SECTION}
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
