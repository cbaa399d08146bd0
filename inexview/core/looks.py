"""How text looks that stands directly in a block-level element, and the marks of list items.

An element has its look from its role and from what it stands in: the sections around it, its list, its table.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from inexview.core.blocks import BlockKind, Look
from inexview.core.elements import Elements
from inexview.core.markup import Role

# As plain numbers: a long article has thousands of block-level elements, and those compare fastest.
(
    _CONTAINER, _SECTION, _TITLE, _HEADING, _PARAGRAPH, _LIST, _NUMBERED_LIST, _ITEM, _TERM, _TABLE,
    _TABLE_HEAD, _TABLE_BODY, _ROW, _CELL, _HEADER_CELL, _CAPTION, _META, _PREFORMATTED, _TEXT,
) = map(int, Role)  # fmt: skip
_CELLS = (_CELL, _HEADER_CELL)
_LISTS = (_LIST, _NUMBERED_LIST)
_TABLE_PARTS = (_TABLE_HEAD, _TABLE_BODY)

_BULLETS = "•◦▪"
_UNMARKED_ENTRIES = {"indent", "definition", "none", "plain"}
_NUMBERED_TYPES = ("number", "ordered", "arabic")
# A paragraph within one of these looks like it.
_LENDS_ITS_LOOK = (BlockKind.ITEM, BlockKind.CELL, BlockKind.CAPTION, BlockKind.META, BlockKind.TERM)

PLAIN = Look(BlockKind.PARAGRAPH)
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
class _Around:
    """What an element stands in; elements that change none of it share one."""

    sections: int = 0
    list: _List | None = None
    table: _Table | None = None


class Looks:
    """The looks of the block-level elements of an article.

    ``entries``: of each, in document order, its index, its role and the number of the block-level element
    around it.  Numbers count from 1; 0 is the page around all of them.

    ``looks`` are by number; ``marks`` has, by the number of each item, what a reader sees before it ("•",
    "3.", "" for nothing).
    """

    def __init__(self, elements: Elements, entries: Iterable[tuple[int, int, int]]) -> None:
        self.looks = [PLAIN]
        self.marks: dict[int, str] = {}
        self._attributes = elements.attributes
        self._tables = 0
        self._headings = [Look(BlockKind.HEADING, level) for level in range(int(elements.depths.max()) + 1)]
        self._enter(entries)

    def _enter(self, entries: Iterable[tuple[int, int, int]]) -> None:
        looks, arounds = self.looks, [_Around()]
        for index, role, outer in entries:
            look, around = looks[outer], arounds[outer]
            if role == _PARAGRAPH:
                look = look if look.kind in _LENDS_ITS_LOOK else PLAIN
            elif role in _CELLS:
                look = self._cell(around.table, index, header=role == _HEADER_CELL)
            elif role == _ITEM:
                look = self._item(around.list or _List(1, numbered=False), index)
            elif role == _HEADING:
                look = self._headings[max(around.sections, 1)]
            elif role == _SECTION:
                look = PLAIN
                around = _Around(around.sections + 1, around.list, around.table)
            elif role in _LISTS:
                around = _Around(around.sections, self._list(around.list, role, index), around.table)
            elif role == _TABLE:
                # IEEE: tgroup within tbl is one table.
                if around.table is None or look.kind is BlockKind.CELL:
                    around = _Around(around.sections, around.list, _Table(self._tables))
                    self._tables += 1
            elif role == _TERM:
                look = Look(BlockKind.TERM, around.list.level if around.list else 1)
            elif role in _FIXED_LOOKS:
                look = _FIXED_LOOKS[role]
            elif around.table:
                self._within_table(around.table, role)
            looks.append(look)
            arounds.append(around)

    def _within_table(self, table: _Table, role: int) -> None:
        if role == _ROW:
            table.row += 1
            table.column = 0
        elif role in _TABLE_PARTS:
            table.in_head = role == _TABLE_HEAD

    def _list(self, outer: _List | None, role: int, index: int) -> _List:
        kind = self._attributes.get(index, {}).get("type", "").lower()
        numbered = role == _NUMBERED_LIST or kind.startswith(_NUMBERED_TYPES)
        return _List(outer.level + 1 if outer else 1, numbered)

    def _item(self, holder: _List, index: int) -> Look:
        attributes = self._attributes.get(index, {})
        said = attributes.get("level", "")
        # 2009 gives the level, whether or not the lists are nested as well.
        level = max(holder.level, int(said) if said.isdecimal() and len(said) < 3 else 1)
        kind = attributes.get("type", "").lower()
        if kind in _UNMARKED_ENTRIES:
            mark = ""
        elif holder.numbered or kind.startswith(_NUMBERED_TYPES):
            counters = holder.counters
            counters[level] = counters.get(level, 0) + 1
            for deeper in [other for other in counters if other > level]:
                del counters[deeper]
            mark = f"{counters[level]}."
        else:
            mark = _BULLETS[(level - 1) % len(_BULLETS)]
        self.marks[len(self.looks)] = mark
        return Look(BlockKind.ITEM, level)

    def _cell(self, table: _Table | None, index: int, *, header: bool) -> Look:
        if table is None:
            return Look(BlockKind.CELL, 0, 0, 0, -1, header)
        column = table.column
        span = self._attributes.get(index, {}).get("colspan", "1")
        table.column += max(int(span), 1) if span.isdecimal() and len(span) < 4 else 1
        return Look(BlockKind.CELL, 0, max(table.row, 0), column, table.number, header or table.in_head)
