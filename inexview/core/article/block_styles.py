"""How text looks that is directly in a block-level element, and the marks of list items.

An element has its look from its role and from what it is in: the sections around it, its list, its table,
its box.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache

from inexview.core.article.blocks import BlockKind, Look
from inexview.core.article.elements import Elements
from inexview.core.article.table_grid import Grid
from inexview.core.article.vocabulary import Role, field_label, is_box

# As plain numbers: a long article has thousands of block-level elements, and those compare fastest.
_PARAGRAPH, _ITEM, _CELL, _HEADER_CELL, _ROW, _HEADING, _SECTION = map(
    int,
    (Role.PARAGRAPH, Role.ITEM, Role.CELL, Role.HEADER_CELL, Role.ROW, Role.HEADING, Role.SECTION),
)
_CELLS = (_CELL, _HEADER_CELL)
_NUMBERED = (Role.NUMBERED_LIST, Role.REFERENCES)

_BULLETS = "•◦▪"
_UNMARKED_ENTRIES = {"indent", "definition", "none", "plain"}
_NUMBERED_TYPES = ("num", "ordered", "arabic", "decimal")
# What a paragraph within looks like itself; within anything else it looks like that.
_ALOOF = (BlockKind.TITLE, BlockKind.HEADING, BlockKind.MATH, BlockKind.PREFORMATTED)
_DEEPEST = 9  # an indentation that a tag or an attribute may ask for

PLAIN = Look(BlockKind.PARAGRAPH)
_FIXED_LOOKS = {
    int(role): look
    for role, look in {
        Role.TITLE: Look(BlockKind.TITLE),
        Role.CAPTION: Look(BlockKind.CAPTION),
        Role.PICTURE: Look(BlockKind.CAPTION),
        Role.LABEL: Look(BlockKind.CAPTION, header=True),
        Role.BYLINE: Look(BlockKind.BYLINE),
        Role.AFFILIATION: Look(BlockKind.BYLINE, 1),
        Role.ABSTRACT: Look(BlockKind.ABSTRACT),
        Role.NOTE: Look(BlockKind.NOTE),
        Role.META: Look(BlockKind.META),
        Role.PREFORMATTED: Look(BlockKind.PREFORMATTED),
    }.items()
}


@dataclass(slots=True)
class _List:
    level: int
    numbered: bool
    counters: dict[int, int] = field(default_factory=dict)


@dataclass(slots=True)
class Around:
    """What an element is in; elements that change none of it share one."""

    sections: int = 0
    list: _List | None = None
    table: Grid | None = None
    box: int = -1


class Looks:
    """The looks of the block-level elements of an article, which are entered in document order.

    ``mark`` is what a reader sees before the last item, reference or fact that was entered ("•", "3.", "[7]",
    "born", "" for nothing).
    """

    def __init__(self, elements: Elements) -> None:
        self.mark = ""
        self._elements = elements
        self._attributes = elements.attributes
        self._tables = 0
        self._boxes = 0
        self._last_fact: tuple[int, str] = (-1, "")  # the element around it and its label

    def enter(self, look: Look, around: Around, index: int, role: int) -> tuple[Look, Around]:
        """Return the look of what is directly in an element, and what the elements within are in.

        ``look`` and ``around`` are those of the block-level element around it, or of the page.
        """
        if role == _PARAGRAPH:
            if look is not PLAIN and look.kind in _ALOOF:
                look = PLAIN
        elif role in _CELLS:
            look = self._cell(around, index, header=role == _HEADER_CELL)
        elif role == _ITEM:
            look = self._item(around.list or _List(1, numbered=False), index)
        elif role == _HEADING:
            look = _heading(max(around.sections, 1))
        elif role == _ROW:
            if around.table:
                around.table.begin_row()
        elif role == _SECTION:
            look = PLAIN
            around = Around(around.sections + 1, around.list, around.table, around.box)
        elif role in _FIXED_LOOKS:
            look = _FIXED_LOOKS[role]
        elif (enter := _RARE.get(role)) is not None:
            look, around = enter(self, look, around, index, role)
        if around.box != look.box and look.kind is not BlockKind.TITLE:
            look = replace(look, box=around.box)
        return look, around

    # -- lists ---------------------------------------------------------------------------------------

    def _list(self, look: Look, around: Around, index: int, role: int) -> tuple[Look, Around]:
        outer = around.list
        kind = self._attributes.get(index, {}).get("type", "").lower()
        numbered = role in _NUMBERED or kind.startswith(_NUMBERED_TYPES)
        inner = _List(outer.level + 1 if outer else 1, numbered)
        return look, Around(around.sections, inner, around.table, around.box)

    def _item(self, holder: _List, index: int) -> Look:
        attributes = self._attributes.get(index, {})
        # 2009 gives the level, whether or not the lists are nested as well.
        level = max(holder.level, _small_number(attributes.get("level", ""), 99))
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
        self.mark = mark
        return Look(BlockKind.ITEM, level, marked=True)

    def _reference(self, look: Look, around: Around, index: int, role: int) -> tuple[Look, Around]:
        counters = around.list.counters if around.list else {}
        counters[0] = counters.get(0, 0) + 1
        self.mark = f"[{counters[0]}]"
        return Look(BlockKind.REFERENCE, marked=True), around

    def _term(self, look: Look, around: Around, index: int, role: int) -> tuple[Look, Around]:
        return Look(BlockKind.TERM, around.list.level if around.list else 1), around

    def _definition(self, look: Look, around: Around, index: int, role: int) -> tuple[Look, Around]:
        return Look(BlockKind.DEFINITION, around.list.level if around.list else 1), around

    def _indented(self, look: Look, around: Around, index: int, role: int) -> tuple[Look, Around]:
        said = self._attributes.get(index, {}).get("level", "") or self._elements.tags[index][-1:]
        deeper = max(_small_number(said, _DEEPEST), 1)
        level = look.level if look.kind is BlockKind.PARAGRAPH else 0
        if look.kind in (BlockKind.PARAGRAPH, *_ALOOF):
            look = Look(BlockKind.PARAGRAPH, min(level + deeper, _DEEPEST))
        return look, around

    # -- tables --------------------------------------------------------------------------------------

    def _table(self, look: Look, around: Around, index: int, role: int) -> tuple[Look, Around]:
        # IEEE: tgroup within tbl is one table.
        if around.table is None or look.kind is BlockKind.CELL:
            around = replace(around, table=self._new_table())
            if around.box < 0 and is_box(self._attributes.get(index, {}).get("class", "")):
                around.box = self._new_box()
        return look, around

    def _group(self, look: Look, around: Around, index: int, role: int) -> tuple[Look, Around]:
        if around.table:
            around.table.begin_group(head=role == Role.TABLE_HEAD)
        return look, around

    def _column_name(self, look: Look, around: Around, index: int, role: int) -> tuple[Look, Around]:
        if around.table:
            around.table.name_column(self._attributes.get(index, {}))
        return look, around

    def _span_name(self, look: Look, around: Around, index: int, role: int) -> tuple[Look, Around]:
        if around.table:
            around.table.name_span(self._attributes.get(index, {}))
        return look, around

    def _cell(self, around: Around, index: int, *, header: bool) -> Look:
        table = around.table
        if table is None:
            return Look(BlockKind.CELL, 0, 0, 0, -1, header, box=around.box)
        row, column, rows, columns = table.place(self._attributes.get(index))
        is_header = header or table.in_head
        return Look(BlockKind.CELL, 0, row, column, table.number, is_header, rows, columns, around.box)

    def _new_table(self) -> Grid:
        self._tables += 1
        return Grid(self._tables - 1)

    # -- boxes ---------------------------------------------------------------------------------------

    def _box(self, look: Look, around: Around, index: int, role: int) -> tuple[Look, Around]:
        box = around.box if around.box >= 0 else self._new_box()
        return replace(PLAIN, box=box), replace(around, box=box, table=self._new_table())

    def _new_box(self) -> int:
        self._boxes += 1
        return self._boxes - 1

    def _field(self, look: Look, around: Around, index: int, role: int) -> tuple[Look, Around]:
        tags, parent = self._elements.tags, int(self._elements.parents[index])
        label = field_label(tags[index], tags[parent] if parent >= 0 else "", self._attributes.get(index, {}))
        fact = (parent, label)
        self.mark = "" if fact == self._last_fact else label
        self._last_fact = fact
        return Look(BlockKind.FIELD, marked=True), around

    def _math(self, look: Look, around: Around, index: int, role: int) -> tuple[Look, Around]:
        if look.kind in (BlockKind.PARAGRAPH, BlockKind.ITEM, BlockKind.DEFINITION):
            look = Look(BlockKind.MATH, look.level)
        return look, around


_RARE = {
    **dict.fromkeys(map(int, (Role.LIST, Role.NUMBERED_LIST, Role.REFERENCES)), Looks._list),
    **dict.fromkeys(map(int, (Role.TABLE_HEAD, Role.TABLE_BODY)), Looks._group),
    int(Role.INDENTED): Looks._indented,
    int(Role.TERM): Looks._term,
    int(Role.DEFINITION): Looks._definition,
    int(Role.REFERENCE): Looks._reference,
    int(Role.TABLE): Looks._table,
    int(Role.COLUMN_NAME): Looks._column_name,
    int(Role.SPAN_NAME): Looks._span_name,
    int(Role.BOX): Looks._box,
    int(Role.FIELD): Looks._field,
    int(Role.MATH): Looks._math,
}


@cache
def _heading(level: int) -> Look:
    return Look(BlockKind.HEADING, level)


def _small_number(said: str, most: int) -> int:
    """Return a number that an attribute or a tag says, 1 where it says none."""
    return min(int(said), most) if said.isdecimal() and len(said) < 3 else 1
