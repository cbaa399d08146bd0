"""Display blocks: the titles, headings, paragraphs and items that a reader sees in an article.

The blocks cover the text: concatenated they give it once, in order, and none of them looks empty.  White
space between two blocks belongs to the first, so that a block begins with a visible character (the first
block of a text may begin with white space).

A view shows one block per line or paragraph.  Tables are cells in reading order, each with its row and
column; empty cells have no text and therefore no block, but they count.  Pictures have no text either: each
belongs to the block that follows it.
"""

from __future__ import annotations

import itertools
import re
import sys
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from functools import cache, lru_cache

import numpy as np

from inexview.core.article.element_roles import (
    PARENT_DECIDES,
    ROLES,
    Role,
    Roles,
    amid_text,
    field_label,
    is_box,
    role_of,
)
from inexview.core.article.elements import Elements, MadeSequence
from inexview.core.errors import DocumentError
from inexview.core.text.spans import Offsets
from inexview.core.text.xml import Scanner


class BlockKind(Enum):
    """The role of a block for a reader."""

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
    """A picture of the article, missing from the collection; ``name`` is its file's, or "".

    ``offset`` is its place in the text; ``small`` marks one within a sentence, such as an icon; ``row`` is
    the span of its row, if it is in a table.
    """

    name: str
    offset: int
    small: bool = False
    row: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """One block, the characters ``[start, end)``, of which the last ones are often white space.

    ``level``: depth of a heading (1 …), nesting of an item or of a paragraph within one (1 …), 1 for a
    BYLINE with an author's institution, else 0.
    ``marker``: the mark shown before an item ("•", "3.", "[7]") or a field, which is not text.
    ``tight``: a line that follows the previous block without the space of a new paragraph.
    ``row``, ``column``, ``table`` (0-based): of a CELL, else -1.
    ``header``: a heading cell, or the "Figure 1." of a caption.
    ``row_span``, ``column_span``: the numbers of rows and columns of a CELL.
    ``box`` (0-based): the panel of facts that it belongs to, else -1.
    ``pictures``: those before it, in order.
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
    """The properties common to all blocks of one block-level element."""

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


class Blocks(MadeSequence[Block]):
    """The blocks of an article; Block objects are made when first used.

    ``starts`` and ``ends`` are int64 of shape (n,), for binary search.  ``pictures_after`` are those after
    the start of the last block.
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

    def at(self, offset: int) -> int:
        """Return the index of the block that contains a character; the last one for the end of the text."""
        return max(int(np.searchsorted(self.starts, offset, side="right")) - 1, 0)

    def made(self, index: int) -> Block:
        block = self._made.get(index)
        if block is not None:
            return block
        look = self._looks[index]
        block = self._made[index] = Block(
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
        return block


# Where the cells of a table are when some extend over several rows or columns.
#
# HTML's `rowspan` and `colspan` and the CALS tables of IEEE (`colspec`, `namest`, `nameend`, `morerows`) are
# handled alike: a cell takes the first column that no cell from above occupies.

WIDEST, TALLEST = 1_000, 65_534  # the same bounds as in HTML
MOST_MINDED = 200  # columns beyond are not kept free for cells from above, to bound the time for any table
_NUMBER_AT_END = re.compile(r"[0-9]{1,4}$")


@dataclass(slots=True)
class Grid:
    """One table while its cells are read in order; ``number`` counts the tables of an article."""

    number: int
    row: int = -1
    in_head: bool = False
    _column: int = 0
    _taken: dict[int, int] = field(default_factory=dict)  # column -> first free row
    _columns: dict[str, int] = field(default_factory=dict)  # CALS: name -> column
    _spans: dict[str, tuple[str, str]] = field(default_factory=dict)  # CALS: name -> first and last column
    _last_named: int = -1

    def begin_row(self) -> None:
        self.row += 1
        self._column = 0

    def begin_group(self, *, head: bool) -> None:
        """Begin a head, body or foot: no cell extends from one into another."""
        self.in_head = head
        self._taken.clear()

    def name_column(self, attributes: Mapping[str, str]) -> None:
        """Record a ``colspec``; without a ``colnum`` it follows the previous one."""
        number = _number(attributes.get("colnum", ""), WIDEST, 0)
        self._last_named = number - 1 if number else self._last_named + 1
        if name := attributes.get("colname"):
            self._columns[name] = self._last_named

    def name_span(self, attributes: Mapping[str, str]) -> None:
        if name := attributes.get("spanname"):
            self._spans[name] = attributes.get("namest", ""), attributes.get("nameend", "")

    def place(self, attributes: Mapping[str, str] | None) -> tuple[int, int, int, int]:
        """Return the place and extent of the next cell of the row.

        As (row, column, rows, columns), with the place counted from 0.
        """
        if self.row < 0:
            self.row = 0  # a cell without a row begins one
        if not attributes:  # the usual case
            column = self._free(self._column) if self._taken else self._column
            self._column = column + 1
            return self.row, column, 1, 1
        column, width = self._across(attributes)
        height = self._down(attributes)
        if height > 1:
            behind = self.row + height
            for taken in range(column, min(column + width, MOST_MINDED)):
                self._taken[taken] = max(behind, self._taken.get(taken, 0))  # two cells may overlap
        self._column = column + width
        return self.row, column, height, width

    def _free(self, column: int) -> int:
        while self._taken.get(column, 0) > self.row:
            column += 1
        return column

    def _across(self, attributes: Mapping[str, str]) -> tuple[int, int]:
        """Return the column of a cell and the number of its columns."""
        first, last = attributes.get("namest"), attributes.get("nameend")
        if (span := self._spans.get(attributes.get("spanname", ""))) is not None:
            first, last = span
        column = self._named(attributes.get("colname", first))
        if column is None or column < self._column:
            column = self._free(self._column)
        end = None if first is None else self._named(last)
        if end is not None and end >= column:
            return column, min(end - column + 1, WIDEST)
        return column, max(_number(attributes.get("colspan", ""), WIDEST, 1), 1)

    def _named(self, name: str | None) -> int | None:
        """Return the column of a name; a name without a ``colspec`` may end in its number ("col3", "c3")."""
        if not name:
            return None
        if name in self._columns:
            return self._columns[name]
        number = None if self._columns else _NUMBER_AT_END.search(name)
        return int(number[0]) - 1 if number and 0 < int(number[0]) <= WIDEST else None

    def _down(self, attributes: Mapping[str, str]) -> int:
        if "morerows" in attributes:
            return _number(attributes["morerows"], TALLEST, 0) + 1
        height = _number(attributes.get("rowspan", ""), TALLEST, 1)
        return height or TALLEST  # 0: to the end of the group


def _number(said: str, most: int, otherwise: int) -> int:
    """Return the number in an attribute, bounded, or a default if there is none."""
    said = said.strip()
    return min(int(said), most) if said.isdecimal() and len(said) < 6 else otherwise


# The look of text directly within a block-level element, and the marks of list items.
#
# An element has its look from its role and its context: the sections around it, its list, its table, its box.

# Plain numbers: a long article has thousands of block-level elements, and those compare fastest.
_PARAGRAPH, _ITEM, _CELL, _HEADER_CELL, _ROW, _HEADING, _SECTION = map(
    int, (Role.PARAGRAPH, Role.ITEM, Role.CELL, Role.HEADER_CELL, Role.ROW, Role.HEADING, Role.SECTION)
)
_CELLS = (_CELL, _HEADER_CELL)
_NUMBERED = (Role.NUMBERED_LIST, Role.REFERENCES)

_BULLETS = "•◦▪"
_UNMARKED_ENTRIES = {"indent", "definition", "none", "plain"}
_NUMBERED_TYPES = ("num", "ordered", "arabic", "decimal")
# Looks that a nested paragraph keeps; within anything else it takes the outer look.
_ALOOF = (BlockKind.TITLE, BlockKind.HEADING, BlockKind.MATH, BlockKind.PREFORMATTED)
_DEEPEST = 9  # levels of indentation by a tag or an attribute

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
    """The context of an element; elements that do not change it share it."""

    sections: int = 0
    list: _List | None = None
    table: Grid | None = None
    box: int = -1


class Looks:
    """The looks of the block-level elements of an article, which are entered in document order.

    ``mark`` is the mark of the last entered item, reference or fact ("•", "3.", "[7]", "born", "" for none).
    """

    def __init__(self, elements: Elements) -> None:
        self.mark = ""
        self._elements = elements
        self._attributes = elements.attributes
        self._tables = 0
        self._boxes = 0
        self._last_fact: tuple[int, str] = (-1, "")  # the element around it and its label

    def enter(self, look: Look, around: Around, index: int, role: int) -> tuple[Look, Around]:
        """Return the look of the content directly in an element, and the context of the elements within.

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
        # 2009 gives the level, with or without nested lists.
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

    def _definition(self, look: Look, around: Around, index: int, role: int) -> tuple[Look, Around]:
        kind = BlockKind.TERM if role == Role.TERM else BlockKind.DEFINITION
        return Look(kind, around.list.level if around.list else 1), around

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

    def _part_of_table(self, look: Look, around: Around, index: int, role: int) -> tuple[Look, Around]:
        if around.table and role == Role.COLUMN_NAME:
            around.table.name_column(self._attributes.get(index, {}))
        elif around.table and role == Role.SPAN_NAME:
            around.table.name_span(self._attributes.get(index, {}))
        elif around.table:
            around.table.begin_group(head=role == Role.TABLE_HEAD)
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
    **dict.fromkeys(
        map(int, (Role.TABLE_HEAD, Role.TABLE_BODY, Role.COLUMN_NAME, Role.SPAN_NAME)), Looks._part_of_table
    ),
    **dict.fromkeys(map(int, (Role.TERM, Role.DEFINITION)), Looks._definition),
    int(Role.INDENTED): Looks._indented,
    int(Role.REFERENCE): Looks._reference,
    int(Role.TABLE): Looks._table,
    int(Role.BOX): Looks._box,
    int(Role.FIELD): Looks._field,
    int(Role.MATH): Looks._math,
}


@cache
def _heading(level: int) -> Look:
    return Look(BlockKind.HEADING, level)


def _small_number(said: str, most: int) -> int:
    """Return the number in an attribute or a tag, 1 if there is none."""
    return min(int(said), most) if said.isdecimal() and len(said) < 3 else 1


# How the text of one block-level element is divided into display blocks.
#
# A blank line inside a `<p>` separates two paragraphs (the 2006 articles have many). A single line feed is
# either intended by the author (a list of links whose bullets were lost) or the wrapping of an editor; they
# differ in whether the next word would have fitted on the line.

LONGEST_BLOCK = 20_000  # characters: a longer one repaints slowly (design.md: 2,000,000 in one took 114 ms)

_WRAPPED_AT_LEAST, _WRAPPED_AT_MOST = 30, 200  # the range of widths at which editors wrap
_UNWRAPPED_LINE = re.compile(rf"[^\n]{{{_WRAPPED_AT_MOST}}}")
# share of the lines of wrapped prose that begin with a small letter, headings included
_SMALL_BEGINNINGS = 0.3
_FULL = 0.6  # a line is full if the next word would extend it beyond this share of the longest
_MOSTLY = 2 / 3
_GAP = re.compile(r"\n(\s*\n)?\s*")  # with a group where there is a blank line
_VISIBLE = re.compile(r"\S")
_SENTENCE_END = re.compile(r"[.!?।…][\"'”’)\]]*\s+|[。！？][”’)\]」』）]*\s*")


def wrapping_width(text: str) -> int:
    """Return the length of the longest line if an editor may have wrapped the text, else 0."""
    if "\n" not in text or _UNWRAPPED_LINE.search(text):
        return 0
    lines = text.split("\n")
    beginnings = [line[0] for line in lines[1:] if line and not line[0].isspace()]
    if sum(map(str.islower, beginnings)) < _SMALL_BEGINNINGS * len(beginnings):
        return 0  # wrapped prose continues in small letters; lists of names do not
    longest = max(map(len, lines))
    return longest if longest >= _WRAPPED_AT_LEAST else 0


def line_starts(text: str, start: int, end: int, width: int) -> list[tuple[int, bool]]:
    """Return (offset, tight) of each display line of the paragraph ``[start, end)`` after its first.

    ``width`` is the article's :func:`wrapping_width`.  ``tight`` is False after a blank line.
    """
    found = [(gap.end(), gap.lastindex is None) for gap in _GAP.finditer(text, start, end)]
    if found and found[-1][0] == end:  # nothing follows
        del found[-1]
    if found and width > 0 and _is_wrapped(text[start:end].strip(), width):
        return [(line, tight) for line, tight in found if not tight]
    return found


def preformatted_starts(text: str, start: int, end: int) -> list[tuple[int, bool]]:
    """Return (offset, True) of each non-blank line of ``[start, end)`` but the first, with indentation."""
    found = re.finditer(r"\n([^\n]*\S)", text[start:end])
    return [(start + line.start(1), True) for line in found]


def bounded(text: str, start: int, end: int) -> Iterator[int]:
    """Yield the offsets that cut ``[start, end)`` into pieces of at most LONGEST_BLOCK characters.

    A cut is made after a sentence, else after a word, else anywhere, and always before a visible character if
    there is one left.
    """
    while end - start > LONGEST_BLOCK:
        limit = start + LONGEST_BLOCK
        window = text[start + LONGEST_BLOCK // 2 : limit]
        ends = (sentence.end() for sentence in _SENTENCE_END.finditer(window))
        # white space may continue after it
        cut = max((end for end in ends if end < len(window)), default=None)
        if cut is None:
            words = window.rstrip().rfind(" ")
            cut = words + 1 if words >= 0 else len(window)
        start += LONGEST_BLOCK // 2 + cut
        if not _VISIBLE.search(text, start, end):
            return
        yield start


def _is_wrapped(body: str, width: int) -> bool:
    """Return whether most line feeds of a paragraph look like an editor's."""
    lines = [line.strip() for line in body.split("\n")]
    breaks = [(line, after) for line, after in itertools.pairwise(lines) if line and after]
    if not breaks:
        return False
    soft = sum(
        after[0].islower() or len(line) + 1 + len(after.split(None, 1)[0]) > _FULL * width
        for line, after in breaks
    )
    return soft >= _MOSTLY * len(breaks)


# From elements to display blocks: the text is cut at the edges of all block-level elements.
#
# Pictures are places in the text: the collections name their files, but do not contain them.

# Text that begins with its own mark gets no second one; a reference may begin with initials.
_OWN_MARKS = {
    BlockKind.ITEM: re.compile(r"[\[(]?[0-9A-Za-z]{1,3}[.)\]]\s|[•·*–—-]\s"),
    BlockKind.REFERENCE: re.compile(r"\[[^\]\s]{1,12}\]|[(]?[0-9]{1,3}[.)]\s"),
}
# Blocks whose text may have several lines or paragraphs; the others (titles, headings …) are one line.
_MANY_LINES = (
    BlockKind.PARAGRAPH, BlockKind.ITEM, BlockKind.CELL, BlockKind.DEFINITION, BlockKind.NOTE,
    BlockKind.ABSTRACT,
)  # fmt: skip
_MARKED_ROLES = frozenset(map(int, (Role.ITEM, Role.REFERENCE, Role.FIELD)))
_TEXT = int(Role.TEXT)  # numpy takes longer to convert a member of an enumeration than to compare
_NAMED_BY = ("file", "src", "source", "href", "name", "entity", "alt")
LONGEST_NAME = 120


def build_blocks(text: str, elements: Elements, roles: Roles) -> Blocks:
    """Divide an article into blocks that cover its text; ``roles`` are those of its elements."""
    chosen = (roles != _TEXT).nonzero()[0]
    columns = (chosen, roles[chosen], elements.starts[chosen], elements.ends[chosen], elements.nexts[chosen])
    looks = Looks(elements)
    builder = _Builder(text, looks)
    builder.lay_out(_stretches(len(text), looks, zip(*(column.tolist() for column in columns), strict=True)))
    return builder.blocks(pictures_of(text, elements))


def _stretches(
    length: int, looks: Looks, entries: Iterable[tuple[int, int, int, int, int]]
) -> Iterator[tuple[int, int, Look, int]]:
    """Yield the text between each edge of a block-level element and the next.

    As (start, end, its look, number of items so far).  ``entries``: of each block-level element, in document
    order, its index, its role, its start and end, and the index after its last descendant.
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
    """Makes blocks from the stretches of text between the edges of block-level elements."""

    def __init__(self, text: str, looks: Looks) -> None:
        self._text = text
        self._width = wrapping_width(text)
        self._within = looks
        self._places: list[tuple[int, bool]] = []  # where each block begins, and whether it is tight
        self._looks: list[Look] = []
        self._markers: dict[int, str] = {}

    def lay_out(self, stretches: Iterable[tuple[int, int, Look, int]]) -> None:
        """Make blocks from all stretches; white space between edges stays with the previous block."""
        text = self._text
        add_place, add_look = self._places.append, self._looks.append
        marked = 0  # the number of items when a mark was last shown
        for edge, end, look, items in stretches:
            start = edge
            if text[edge].isspace():
                start = end - len(text[edge:end].lstrip())
                if start == end:
                    continue
            if items != marked and look.marked:  # the first block of an item
                marked, mark, own = items, self._within.mark, _OWN_MARKS.get(look.kind)
                if mark and not (own and own.match(text, start)):
                    self._markers[len(self._looks)] = mark
            add_place((start, False))
            add_look(look)
            if end - start > LONGEST_BLOCK or text.find("\n", start, end) >= 0:
                further = self._further(start, end, look.kind)
                self._places += further
                self._looks += [look] * len(further)

    def blocks(self, pictures: Iterable[Picture]) -> Blocks:
        """Return the blocks of the added stretches, the first of which begins where the text begins.

        Each picture belongs to the first block that begins at its place or later. If there is none in its row
        of a table, it belongs to the first block of that row, or to that of the row's previous picture.
        """
        starts = [start for start, _ in self._places]
        tights = [tight for _, tight in self._places]
        followed: dict[int, list[Picture]] = {}
        at = 0
        for picture in pictures:
            at = max(at, self._at(picture, starts))
            followed.setdefault(at, []).append(picture)
        if not starts and self._text:  # only white space
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
    if not any(map(_may_be_picture, elements.coded[1])):
        return
    tags, parents = elements.tags, elements.parents
    for index in np.flatnonzero(elements.having(_may_be_picture)).tolist():
        if role_of(tags[index], tags[parents[index]] if index else "") == Role.PICTURE:
            name = _file_name(elements.attributes.get(index, {}))
            around = index
            while around >= 0 and ROLES.get(tags[around]) != Role.ROW:
                around = int(parents[around])
            row = None if around < 0 else (int(elements.starts[around]), int(elements.ends[around]))
            yield Picture(name, int(elements.starts[index]), amid_text(text, elements, index), row)


@lru_cache(maxsize=4096)
def _may_be_picture(tag: str) -> bool:
    return ROLES.get(tag.rpartition(":")[2]) == Role.PICTURE or (tag == "art" and tag in PARENT_DECIDES)


def _file_name(attributes: Mapping[str, str]) -> str:
    """Return the name of the file without its folder, "" if no attribute gives it."""
    local = {name.rpartition(":")[2]: value for name, value in attributes.items()}
    for attribute in _NAMED_BY:
        if said := local.get(attribute, "").strip():
            return re.split(r"[/\\]", said.rstrip("/\\"))[-1][:LONGEST_NAME]
    return ""


# The title of an article from its first few kilobytes, for lists of thousands.

BEGINNING = 8192  # bytes; the titles of all three markups come well before


class _Enough(Exception):  # noqa: N818  # not an error: stops expat
    """The title has been read."""


def peek_title(beginning: bytes, name: str) -> str:
    """Return the title in an article's beginning, else its first heading, else "".

    A beginning that is not XML gives "": opening the article reports the error.
    """
    try:
        scanner = Scanner(beginning, name, whole=False)
    except DocumentError:
        return ""
    tell, parser = scanner.tell, scanner.parser
    open_tags = [""]
    begun: list[tuple[Role, int]] = []  # roles of the open elements, and where their text begins
    headings: list[str] = []
    titles: list[str] = []

    def start(tag: str, _attributes: dict[str, str]) -> None:
        begun.append((role_of(tag, open_tags[-1]), tell()))
        open_tags.append(tag)

    def end(_tag: str) -> None:
        open_tags.pop()
        role, first = begun.pop()
        if role is Role.TITLE or (role is Role.HEADING and not headings):
            words = " ".join(scanner.text()[first:].split())
            if words and role is Role.TITLE:
                titles.append(words)
                raise _Enough
            headings.extend([words] if words else [])

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    with suppress(_Enough, DocumentError):
        scanner.run()
    return next(iter(titles + headings), "")
