"""The typography of an article: sizes, weights and positions of each kind of block, as Qt formats."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import TypeVar
from unicodedata import bidirectional

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QTextBlockFormat, QTextCharFormat, QTextOption

from inexview.core.article.blocks import Block, BlockKind, Picture
from inexview.core.article.document import Document
from inexview.core.article.element_roles import InlineStyle
from inexview.gui.look.theme import INTERFACE_FAMILIES, READING_FAMILIES, Theme, mixed
from inexview.gui.services.settings import LINE_SPACING, LINE_WIDTH, TYPEFACE, Settings

# From the blocks of a document to the pieces that Qt shows, including the cells of tables.

# Long work is split into steps of about a millisecond, between which other work can run.

T = TypeVar("T")

Steps = Generator[None, None, T]
"""Yields None after each step, and returns the result."""


def stepwise(things: Iterable[T], step: int) -> Iterator[T | None]:
    """Yield things, with a None after each ``step`` of them."""
    for number, thing in enumerate(things, 1):
        yield thing
        if number % step == 0:
            yield None


# The layout of tables: the positions of columns, and the cells that share a line.
#
# A QTextTable is laid out as a whole, which blocks the window for a long table, and inserts characters
# between the cells. Instead, a row is one paragraph whose cells are separated by one tab each, with tab stops
# at the columns. The last cell of a row may wrap, and is indented under its start. A cell that spans columns
# keeps their stops free; below a cell that spans rows, the rows start further right. If the columns do not
# fit, the table scrolls sideways if its cells are short; otherwise each cell gets a line of its own, behind
# the label of its column.
#
# All cells of a table must be measured before its first row can be placed; this is done in steps.

TextMeasure = Callable[[str, bool], float]  # (text, bold) -> pixels
Stretch = tuple[int, int]  # left and right, in pixels

GAP = "mm"  # text whose width separates two columns
BETWEEN_HEADINGS = "\u2003"  # em space, between headings on one line if the columns do not fit
DENSE = 0.85  # scale of the letters of a table that would not fit otherwise
LAST_COLUMN_AT_LEAST = 0.35  # share of the width for the last column if it has to wrap
SEEN_OF_A_TABLE = 2_000  # characters read to find the writing direction of a table
# of the width: the limits of a table that scrolls sideways and of its columns
WIDEST, WIDEST_COLUMN = 4.0, 0.6
LONGEST_MEASURED = 300  # characters; a longer cell wraps at any width
LABEL_SHARE = 0.3  # share of the width for the labels of columns if each cell has a line of its own
MOST_REACHING = 64  # maximum number of cells that span down into one row
MEASURED, SEEN = 25, 150  # cells per step that are measured, or only counted


@dataclass(frozen=True, slots=True)
class Cell:
    """The layout of a block of a table in its row; lengths in pixels.

    ``join`` is the text between it and the piece before, "" if it starts a line. For the first cell of a
    line, ``tabs`` are the tab stops of the line, ``left`` its start and ``hanging`` the start of its further
    lines. ``wide`` lines extend beyond the reading column without wrapping. ``label`` is the label of its
    column if the cell has a line of its own. ``rules`` are the stretches of the rule above the row, for its
    first cell; ``opening`` marks the rule above the table. ``closing`` is the rule below the table, for the
    last cell.
    """

    join: str
    left: int = 0
    hanging: int = 0
    tabs: tuple[int, ...] = ()
    dense: bool = False
    wide: bool = False
    label: str = ""
    rules: tuple[Stretch, ...] = ()
    opening: bool = False
    closing: Stretch | None = None


def set_tables(
    cells: Sequence[Block], text: str, width: int, measure: TextMeasure, inset: int = 0
) -> Iterator[Cell | None]:
    """Yield the layout of each block of tables that follow each other or are nested.

    Nones come between, one after each step of the preparation. ``width`` is the available width, ``inset``
    the indentation of the whole table; in a panel, which has an inset, letters are small.
    """
    segments = [list(group) for _, group in groupby(cells, key=lambda cell: cell.table)]
    parts: dict[int, list[Block]] = {}
    last: dict[int, int] = {}
    for number, segment in enumerate(segments):
        parts.setdefault(segment[0].table, []).extend(segment)
        last[segment[0].table] = number
    tables: dict[int, _Table] = {}
    around: list[int] = []  # enclosing tables, which continue after the nested one
    for number, segment in enumerate(segments):
        name = segment[0].table
        while around and (around[-1] == name or last[around[-1]] < number):
            around.pop()
        if name not in tables:
            shift = round(len(around) * measure(GAP, False))
            room = max(width - shift, width // 2)
            tables[name] = _Table(parts[name], text, room, measure, inset + shift)
            yield from tables[name].prepare(small=inset > 0)
        around.append(name)
        yield from tables[name].set(segment, closes=last[name] == number)


class _Table:
    """One table: positions and labels of its columns, and rules between rows."""

    def __init__(self, cells: list[Block], text: str, width: int, measure: TextMeasure, inset: int) -> None:
        self._cells, self._text = cells, text
        self._inset, self._width = inset, width
        self._measure = measure
        self._first = cells[0]
        self._columns = sorted({cell.column for cell in cells})
        self._starts: dict[int, int] = {}
        self._dense = False
        self._right = inset + width  # right end of the rules between rows
        self._alone = _alone_in_row(cells)
        self._labels: dict[int, str] = {}
        self._above = _stretches_above(cells, self._columns)
        self._free = next(self._above)  # of the last requested row

    def prepare(self, *, small: bool) -> Steps[None]:
        """Compute the positions of the columns, before any cell is laid out."""
        widths = yield from _widths(self._cells, self._text, self._width, self._measure)
        self._dense = small
        for scale in (DENSE,) if small else (1.0, DENSE):
            self._starts = yield from self._fit(widths, scale)
            if self._starts:
                self._dense = scale < 1
                return
        if not small and not self._leftward():
            self._starts = yield from self._fit(widths, DENSE, sideways=True)
            self._dense = bool(self._starts)
        if not self._starts:
            self._labels = _labels(self._cells, self._text)

    def _leftward(self) -> bool:
        """Return whether some text is written from right to left, and starts at the right edge."""
        words = self._text[self._first.start : self._cells[-1].end][:SEEN_OF_A_TABLE]
        return any(bidirectional(character) in ("R", "AL") for character in words)

    def set(self, cells: Sequence[Block], *, closes: bool) -> Iterator[Cell]:
        """Yield the layout of each block of an uninterrupted part of the table."""
        for _, group in groupby(cells, key=lambda cell: cell.row):
            row = list(group)
            before: Block | None = None
            for cell in row:
                closing = self._across if closes and cell is cells[-1] else None
                if before is not None and before.column == cell.column:
                    yield Cell(" ", dense=self._dense, closing=closing)
                elif before is not None and self._starts:
                    yield Cell("\t", dense=self._dense, closing=closing)
                elif before is not None and before.header and cell.header:
                    yield Cell(BETWEEN_HEADINGS, dense=self._dense, closing=closing)
                else:
                    yield replace(self._beginning(cell, row, before), closing=closing)
                before = cell

    def _beginning(self, cell: Block, row: Sequence[Block], before: Block | None) -> Cell:
        """Return the layout of a cell that starts a line: the row's, or its own if columns do not fit."""
        opening = cell is self._first
        rules = self._rules(cell.row) if before is None else ()
        if self._starts:
            left, *tabs = (self._starts[column] for column in sorted({each.column for each in row}))
            hanging = tabs[-1] if tabs else left
            wide = self._right > self._inset + self._width and cell.row not in self._alone
            return Cell("", left, hanging, tuple(tabs), self._dense, wide, rules=rules, opening=opening)
        label = "" if cell.header or cell.column == self._columns[0] else self._labels.get(cell.column, "")
        left = self._inset
        if label:
            left += round(LABEL_SHARE * self._width)
        elif before is not None:
            left += round(self._measure(GAP, False))
        return Cell("", left, left, dense=self._dense, label=label, rules=rules, opening=opening)

    # -- rules ---------------------------------------------------------------------------------------

    def _rules(self, row: int) -> tuple[Stretch, ...]:
        """Return the stretches of the rule above a row; none crosses a cell that spans down."""
        while self._free[0] < row:
            self._free = next(self._above)
        free = self._free[1]
        if not self._starts or len(free) == len(self._columns):
            return (self._across,)
        stretches: list[Stretch] = []
        for index in free:
            begin, end = self._extent(index)
            if stretches and stretches[-1][1] >= begin:
                begin = stretches.pop()[0]
            stretches.append((begin, end))
        return tuple(stretches)

    def _extent(self, index: int) -> Stretch:
        begins = [self._starts[column] for column in self._columns]
        end = begins[index + 1] if index + 1 < len(begins) else self._right
        return begins[index], end

    @property
    def _across(self) -> Stretch:
        return self._inset, self._right

    # -- columns -------------------------------------------------------------------------------------

    def _fit(
        self, widths: dict[tuple[int, int], float], scale: float, *, sideways: bool = False
    ) -> Steps[dict[int, int]]:
        """Return the start of each column in pixels; empty if the columns do not fit."""
        index_of = {column: index for index, column in enumerate(self._columns)}
        columns = [0.0] * len(self._columns)
        # cells that span columns: first column, column after the last, width
        wide: list[tuple[int, int, float]] = []
        for cell in stepwise(self._cells, SEEN):
            if cell is None:
                yield
                continue
            first, behind = index_of[cell.column], index_of[cell.column] + 1
            while behind < len(columns) and self._columns[behind] < cell.column + cell.column_span:
                behind += 1
            needs = scale * widths[cell.row, cell.column]
            if behind - first == 1 and cell.row not in self._alone:
                columns[first] = max(columns[first], needs)
            elif (
                behind < len(columns) or sideways
            ) and cell.row not in self._alone:  # otherwise it may wrap at the right edge
                wide.append((first, behind, needs))
        gap = scale * self._measure(GAP, False)
        for first, behind, needs in sorted(wide, key=lambda each: each[1] - each[0]):
            lacking = needs - sum(columns[first:behind]) - gap * (behind - first - 1)
            columns[behind - 1] += max(lacking, 0.0)
        starts = [float(self._inset)]
        for column_width in columns[:-1]:
            starts.append(starts[-1] + column_width + gap)
        room = self._inset + self._width - starts[-1]
        if sideways:
            end = starts[-1] + columns[-1]
            if max(columns) > WIDEST_COLUMN * self._width or end > self._inset + WIDEST * self._width:
                return {}
            self._right = max(self._right, round(end))
        elif columns[-1] > room and room < LAST_COLUMN_AT_LEAST * self._width:
            return {}
        return {column: round(start) for column, start in zip(self._columns, starts, strict=True)}


def _widths(
    cells: Iterable[Block], text: str, width: int, measure: TextMeasure
) -> Steps[dict[tuple[int, int], float]]:
    widths: dict[tuple[int, int], float] = {}
    for cell in stepwise(cells, MEASURED):
        if cell is None:
            yield
            continue
        words = " ".join(text[cell.start : cell.end][: LONGEST_MEASURED + 1].split())
        found = measure(words, cell.header) if len(words) <= LONGEST_MEASURED else 2.0 * width
        key = (cell.row, cell.column)
        widths[key] = widths.get(key, 0.0) + found
    return widths


def _alone_in_row(cells: Iterable[Block]) -> set[int]:
    """Return the rows with only one cell, which may extend to the right edge."""
    first: dict[int, int] = {}
    several = {cell.row for cell in cells if first.setdefault(cell.row, cell.column) != cell.column}
    return set(first) - several


def _labels(cells: Iterable[Block], text: str) -> dict[int, str]:
    """Return the label of each column: its heading cell, of several the lowest above the data."""
    labels: dict[int, str] = {}
    heading_row: dict[int, int] = {}
    first_column = min((cell.column for cell in cells), default=0)
    for cell in cells:
        if not cell.header:
            if cell.column != first_column:
                break
            continue
        words = " ".join(text[cell.start : cell.end].split())
        for column in range(cell.column, cell.column + cell.column_span):
            same = heading_row.get(column) == cell.row
            labels[column] = f"{labels[column]} {words}" if same else words
            heading_row[column] = cell.row
    return labels


def _stretches_above(cells: Iterable[Block], columns: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
    """Yield, for each row, the indices of the columns that no cell from above spans into."""
    reaching: list[Block] = []
    every = list(range(len(columns)))
    for row, group in groupby(cells, key=lambda cell: cell.row):
        reaching = [cell for cell in reaching if cell.row + cell.row_span > row]
        taken: set[int] = set()
        for cell in reaching:
            behind = bisect_left(columns, cell.column + cell.column_span)
            taken.update(range(bisect_left(columns, cell.column), behind))
        yield row, [index for index in every if index not in taken] if taken else every
        reaching.extend(cell for cell in group if cell.row_span > 1)
        del reaching[MOST_REACHING:]


# From blocks to the pieces that Qt shows, and the display of white space.
#
# White space in XML is collapsible: a line break is a space, and of several spaces only one is visible. The
# text must still keep every character at its offset. Therefore each character is replaced by exactly one
# other of the same width in UTF-16, a superfluous space by one without width.

HIDDEN = "\u200b"  # zero width space, shown for a superfluous space

BETWEEN_FACTS = "\u2003"  # em space, between facts of one kind on one line

LONGEST_LINE = 2_000  # characters of facts on one line
MOST_PICTURES = 24  # pictures at one place

_BLANKS = " \t\n\r"
_RUN = re.compile(r"[ \t\n\r]{2,}")
_ODD = re.compile("[\t\n\r\u2029\ufdd0\ufdd1\ufffc]|  ")
_LINE_SEPARATOR = "\u2028"
# Characters that would start a paragraph, a frame or an object in Qt, or jump like a tab.
_ALIKE = {
    0x2029: _LINE_SEPARATOR,
    0xFDD0: "\ufffd",
    0xFDD1: "\ufffd",
    0xFFFC: "\ufffd",
    0x09: " ",
}
_COLLAPSED = str.maketrans({**_ALIKE, 0x0A: " ", 0x0D: " "})
_KEPT = str.maketrans({**_ALIKE, 0x0A: _LINE_SEPARATOR, 0x0D: HIDDEN, 0x20: "\u00a0"})


@dataclass(frozen=True, slots=True)
class Piece:
    """A block as Qt shows it: a paragraph, or a part of a line.

    ``tight`` and ``followed_tightly`` are true if no space separates it from the block before or after it,
    ``in_series`` if a block of its kind follows. ``joint`` is the character that joins it to the line of the
    piece before, "" if it starts a paragraph. ``cell`` is its layout in a table and ``row`` its row (from 0).
    ``box`` is the number of its panel, of which it may be the first or last piece. ``pictures`` are above it,
    ``pictures_after`` below. ``behind`` is the kind of the previous piece if that needs space, and
    ``behind_box`` is true if that piece ends another panel.
    """

    start: int
    end: int
    kind: BlockKind
    level: int = 0
    marker: str = ""
    tight: bool = False
    followed_tightly: bool = False
    in_series: bool = False
    cell: Cell | None = None
    row: int = -1
    header: bool = False
    joint: str = ""
    box: int = -1
    opens_box: bool = False
    closes_box: bool = False
    pictures: tuple[Picture, ...] = ()
    pictures_after: tuple[Picture, ...] = ()
    behind: BlockKind | None = None
    behind_box: bool = False

    @property
    def has_icons(self) -> bool:
        pictures = self.pictures or self.pictures_after
        return bool(pictures) and all(picture.small for picture in pictures)

    @property
    def join(self) -> str:
        """The one character between this piece and the one before, "" if this piece starts a paragraph."""
        return self.joint if self.cell is None else self.cell.join


def pieces(document: Document, width: int, measure: TextMeasure, inset: int = 0) -> Iterator[Piece | None]:
    """Yield the pieces of a document in order; they cover its text, and none is empty.

    They are yielded one by one, so that the first screen of a long article appears early. Nones come between,
    one after each step of examining a long table. ``width`` is the width of the reading column, ``measure``
    returns the width of a cell's text (bold or not), ``inset`` is the padding of a panel on both sides, all
    in pixels.
    """
    return _furnished(_plain(document, width, measure, inset), document.blocks.pictures_after)


def _plain(document: Document, width: int, measure: TextMeasure, inset: int) -> Iterator[Piece | None]:
    for (in_table, box), blocks in groupby(document.blocks, key=lambda block: (block.table >= 0, block.box)):
        if not in_table:
            yield from _paragraphs(blocks)
            continue
        cells = []
        for block in stepwise(blocks, SEEN):
            if block is None:
                yield None
            else:
                cells.append(block)
        within = 0 if box < 0 else inset
        yield from _rows(cells, document.text, width - 2 * within, measure, within)


def shown(text: str, piece: Piece) -> str:
    """Return the text that a piece shows: the same number of characters, each as wide in UTF-16."""
    stretch = text[piece.start : piece.end]
    if piece.kind is BlockKind.PREFORMATTED:
        body = stretch.rstrip("\r\n")
        return body.translate(_KEPT) + HIDDEN * (len(stretch) - len(body))
    body = stretch.lstrip(_BLANKS)
    before = len(stretch) - len(body)
    body = body.rstrip(_BLANKS)
    after = len(stretch) - before - len(body)
    if _ODD.search(body):  # translating is slow, and most text needs none
        body = _RUN.sub(lambda run: " " + HIDDEN * (len(run.group()) - 1), body).translate(_COLLAPSED)
    return HIDDEN * before + body + HIDDEN * after


def _paragraphs(blocks: Iterable[Block]) -> Iterator[Piece]:
    before: Block | None = None
    joint = ""  # joint of the block before
    line = 0  # start of the current paragraph
    for block in blocks:
        following = "" if before is None or block.end - line > LONGEST_LINE else _joint(before, block)
        line = line if following else block.start
        if before is not None:
            tightly = block.tight or following != ""
            yield _paragraph(before, joint, followed_tightly=tightly, in_series=before.kind is block.kind)
        before, joint = block, following
    if before is not None:
        yield _paragraph(before, joint)


def _paragraph(block: Block, joint: str, *, followed_tightly: bool = False, in_series: bool = False) -> Piece:
    return Piece(
        block.start, block.end, block.kind, block.level, block.marker,
        block.tight, followed_tightly, in_series,
        header=block.header, joint=joint, box=block.box, pictures=block.pictures,
    )  # fmt: skip


def _joint(before: Block, block: Block) -> str:
    """Return the character that joins a block to the line of the one before, "" for a new paragraph."""
    if block.kind is not before.kind:
        return ""
    if block.kind is BlockKind.CAPTION:
        return " " if before.header and not block.header and not block.pictures else ""
    if block.kind is BlockKind.FIELD or block.kind is BlockKind.META:
        return "" if block.marker or block.pictures or block.tight else BETWEEN_FACTS
    return ""


def _rows(
    blocks: Sequence[Block], text: str, width: int, measure: TextMeasure, inset: int
) -> Iterator[Piece | None]:
    row: list[tuple[Block, Cell]] = []  # the cells of the current line
    following = iter(blocks)
    for cell in set_tables(blocks, text, width, measure, inset):
        if cell is None:
            yield None
            continue
        if row and not cell.join:
            yield from _row(row)
            row = []
        row.append((next(following), cell))
    yield from _row(row)


def _row(row: Sequence[tuple[Block, Cell]]) -> Iterator[Piece]:
    """Yield the pieces of one line of a table; its pictures are above it."""
    above = [picture for block, _ in row for picture in block.pictures]
    ends_table = row[-1][1].closing is not None
    for block, cell in row:
        yield Piece(
            block.start, block.end, BlockKind.CELL,
            marker=cell.label, followed_tightly=not ends_table,
            cell=cell, row=block.row, header=block.header, box=block.box, pictures=tuple(above),
        )  # fmt: skip
        above = []


def _furnished(plain: Iterable[Piece | None], pictures_after: tuple[Picture, ...]) -> Iterator[Piece | None]:
    """Set the attributes of pieces at starts of paragraphs that depend on their neighbours."""
    kind: BlockKind | None = None  # of the piece before
    box = -1
    for line, following in _with_next(_lines(plain)):
        if not line:
            yield None
            continue
        closes = following is None or following[0].box != line[0].box
        if line[0].box != box and closes and line[0].kind is BlockKind.FIELD:
            line = [replace(piece, box=-1) for piece in line]  # a single fact needs no panel
        first = line[0]
        if len(line) > 1:
            first = replace(first, followed_tightly=line[-1].followed_tightly, in_series=line[-1].in_series)
        if first.box >= 0:
            first = replace(first, opens_box=first.box != box, closes_box=closes)
        if first.pictures or first.opens_box:
            first = replace(
                first,
                pictures=_at_most(first.pictures),
                behind=kind,
                behind_box=box >= 0 and box != first.box,
            )
        if following is None and pictures_after:
            first = replace(first, pictures_after=_at_most(pictures_after))
        yield first
        if len(line) > 1:
            yield from line[1:]
        kind, box = line[-1].kind, first.box


def _at_most(pictures: tuple[Picture, ...]) -> tuple[Picture, ...]:
    """Return at most :data:`MOST_PICTURES` pictures; the last one counts the missing ones."""
    if len(pictures) <= MOST_PICTURES:
        return pictures
    kept = pictures[: MOST_PICTURES - 1]
    return (*kept, replace(pictures[-1], name=f"and {len(pictures) - len(kept):,} more"))


def _lines(plain: Iterable[Piece | None]) -> Iterator[list[Piece]]:
    """Yield the pieces paragraph by paragraph, and an empty list after a step without a piece."""
    line: list[Piece] = []
    for piece in plain:
        if piece is None:
            if line:
                yield line  # a piece after a step starts a line
                line = []
            yield []
            continue
        if line and not piece.join:
            yield line
            line = []
        line.append(piece)
    if line:
        yield line


def _with_next(lines: Iterable[list[Piece]]) -> Iterator[tuple[list[Piece], list[Piece] | None]]:
    before: list[Piece] | None = None
    for line in lines:
        if not line:
            yield line, None
            continue
        if before is not None:
            yield before, line
        before = line
    if before is not None:
        yield before, None


# Size, weight, family and position of each kind of block; lengths in em of the reading size.

CODE_FAMILIES = ("Noto Sans Mono", "DejaVu Sans Mono", "monospace")

INDENT_EM = 1.5  # indentation per level of a list
ROW_PADDING_EM = 0.28
BOX_INSET_EM = 0.95  # padding of a panel
BOX_PADDING_EM = 0.7
BELOW_BOX_EM = 0.9
_IN_BOX = 0.84  # size of running text in a panel
LABEL_EM = 8.2  # width of the label to the left of a fact
LONE_LABEL_EM = 7.3  # the same outside a panel: wide enough for "conversion warning" at every reading size
PICTURE_EM = (14.0, 7.5)  # width and height of the frame of a picture
SMALL_PICTURE_EM = (7.0, 4.0)  # the same in a table or panel
PICTURE_GAP_EM = 0.55


@dataclass(frozen=True, slots=True)
class BlockTypography:
    """The typography of one kind of block."""

    size: float = 1.0
    bold: bool = False
    italic: bool = False
    muted: bool = False
    centred: bool = False
    families: tuple[str, ...] = READING_FAMILIES
    leading: float = 1.6
    above: float = 0.0  # the larger of this and the space below the previous block counts
    below: float = 0.82
    between: float | None = None  # space below if another block of its kind follows
    indent: float = 0.0
    right: float = 0.0  # distance of its right end from that of the column


PARAGRAPH = BlockTypography()
_HEADINGS = (
    BlockTypography(size=1.24, bold=True, leading=1.35, above=1.5, below=0.5),
    BlockTypography(size=1.1, bold=True, leading=1.35, above=1.3, below=0.4),
    BlockTypography(bold=True, leading=1.4, above=1.1, below=0.3),
    BlockTypography(size=0.94, bold=True, italic=True, leading=1.4, above=1.0, below=0.2),
)
_SETTINGS = {
    # space for the subtitle below the title
    BlockKind.TITLE: BlockTypography(size=1.76, bold=True, leading=1.25, above=0.6, below=2.6),
    BlockKind.ITEM: BlockTypography(between=0.35),
    BlockKind.TERM: BlockTypography(bold=True, leading=1.5, above=0.2, below=0.05, between=0.0),
    BlockKind.DEFINITION: BlockTypography(between=0.35),
    BlockKind.REFERENCE: BlockTypography(size=0.88, leading=1.5, between=0.3, indent=2.6),
    BlockKind.CAPTION: BlockTypography(size=0.84, italic=True, muted=True, leading=1.5),
    BlockKind.CELL: BlockTypography(size=0.9, leading=1.45, below=0.9),
    BlockKind.FIELD: BlockTypography(
        size=0.76, families=INTERFACE_FAMILIES, leading=1.55, below=0.6, between=0.1, indent=LABEL_EM
    ),
    BlockKind.MATH: BlockTypography(centred=True, above=0.4),
    BlockKind.BYLINE: BlockTypography(leading=1.5, below=0.9, between=0.1),
    BlockKind.ABSTRACT: BlockTypography(size=0.92, leading=1.55, between=0.5, indent=1.6, right=1.6),
    BlockKind.NOTE: BlockTypography(size=0.84, leading=1.5, below=0.7, between=0.4, indent=1.2),
    BlockKind.META: BlockTypography(
        size=0.72, muted=True, families=INTERFACE_FAMILIES, leading=1.5, below=0.8, between=0.05
    ),
    BlockKind.PREFORMATTED: BlockTypography(size=0.82, families=CODE_FAMILIES, leading=1.5, indent=1.0),
}
_RUNNING_TEXT = (BlockKind.PARAGRAPH, BlockKind.ITEM, BlockKind.TERM, BlockKind.DEFINITION, BlockKind.CAPTION)
# Kinds that are indented with their list.
_LISTED = {
    BlockKind.PARAGRAPH: 1,
    BlockKind.DEFINITION: 1,
    BlockKind.TERM: 0,
    BlockKind.MATH: 1,
    BlockKind.PREFORMATTED: 1,
}


_AFFILIATION = BlockTypography(size=0.86, italic=True, muted=True, leading=1.5, below=0.9, between=0.1)
# A fact outside a panel, such as an article's number or a conversion warning, which few people read.
_LONE_FACT = replace(
    _SETTINGS[BlockKind.FIELD], size=0.68, muted=True, leading=1.35, below=0.4, indent=LONE_LABEL_EM
)
_BOX_HEADING = BlockTypography(size=0.88, bold=True, leading=1.4, below=0.3)
_BOXED = {kind: replace(_SETTINGS.get(kind, PARAGRAPH), size=_IN_BOX, below=0.4) for kind in _RUNNING_TEXT}


def setting_of(kind: BlockKind, level: int, *, boxed: bool = False) -> BlockTypography:
    """Return the typography of a kind of block at a level (heading depth from 1), in a panel or not."""
    if kind is BlockKind.HEADING:
        return _BOX_HEADING if boxed else _HEADINGS[min(max(level, 1), len(_HEADINGS)) - 1]
    if kind is BlockKind.BYLINE and level:
        return _AFFILIATION
    if kind is BlockKind.FIELD and not boxed:
        return _LONE_FACT
    if boxed and kind in _BOXED:
        return _BOXED[kind]
    return _SETTINGS.get(kind, PARAGRAPH)


def depth_of(kind: BlockKind, level: int) -> int:
    """Return the depth of lists by which a block is indented; a term is aligned with the list's text."""
    if kind is BlockKind.TERM:
        return max(level - 1, 0)
    return max(1, level) if kind is BlockKind.ITEM else _LISTED.get(kind, 0) * level


# The reader's choice of column width, typeface and line spacing.

LOOK_SETTINGS = (LINE_WIDTH, LINE_SPACING, TYPEFACE)


@dataclass(frozen=True, slots=True)
class ReadingLook:
    """Column width and line spacing as factors of the defaults; ``sans`` sets text without serifs."""

    width: float = 1.0
    spacing: float = 1.0
    sans: bool = False

    @classmethod
    def of(cls, settings: Settings) -> ReadingLook:
        return cls(
            settings.get(LINE_WIDTH) / 100, settings.get(LINE_SPACING) / 100, settings.get(TYPEFACE) == "sans"
        )

    def families(self, families: tuple[str, ...]) -> tuple[str, ...]:
        """Return the typefaces for text that is set in ``families`` by default."""
        return INTERFACE_FAMILIES if self.sans and families is READING_FAMILIES else families


# The Qt formats of an article: fonts, margins and colours from typography and theme.

COLUMN_EM = 35.5  # about 70 characters of running text to a line
PADDING = 14  # pixels on both sides of the text that belong to its mouse area
MUTED_SHARE = 0.6
NOTE_GAP_EM = 0.28  # between a word and a note after it
_OF_LEVELS = (BlockKind.HEADING, BlockKind.BYLINE)
_MONOSPACED = {InlineStyle.CODE, InlineStyle.MATH}


USUAL = ReadingLook()


class Styles:
    """The Qt formats of one theme at one reading size in pixels, cached."""

    def __init__(self, theme: Theme, reading_size: float, look: ReadingLook = USUAL) -> None:
        self.theme = theme
        self.look = look
        self.size = reading_size
        self._blocks: dict[tuple[object, ...], QTextBlockFormat] = {}
        self._characters: dict[tuple[object, ...], QTextCharFormat] = {}

    @property
    def column(self) -> int:
        return round(COLUMN_EM * self.look.width * self.size) + 2 * PADDING

    @property
    def box_inset(self) -> int:
        """The padding of a panel in pixels."""
        return round(BOX_INSET_EM * self.size)

    def font(self, setting: BlockTypography = PARAGRAPH, *, size: float | None = None) -> QFont:
        font = QFont()
        font.setFamilies(list(self.look.families(setting.families)))
        font.setPixelSize(max(6, round(self.size * (setting.size if size is None else size))))
        font.setBold(setting.bold)
        font.setItalic(setting.italic)
        font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        return font

    def interface_font(self, pixels: float, *, bold: bool = False) -> QFont:
        """Return the font of painted labels: markers, flags, the subtitle."""
        font = self.font(BlockTypography(families=INTERFACE_FAMILIES, bold=bold))
        font.setPixelSize(max(6, round(pixels * self.size / 17)))
        return font

    def block_format(self, piece: Piece, *, leftward: bool = False) -> QTextBlockFormat:
        """Return a piece's format; text from right to left is indented from the right."""
        cell = piece.cell
        key = (
            piece.kind, piece.level, piece.tight, piece.followed_tightly, piece.in_series,
            piece.box >= 0, piece.opens_box, piece.closes_box, len(piece.pictures), len(piece.pictures_after),
            piece.has_icons,
            piece.behind, piece.behind_box,
            None if cell is None else (cell.left, cell.hanging, cell.tabs, cell.dense, cell.wide),
            leftward,
        )  # fmt: skip
        cached = self._blocks.get(key)
        if cached is None:
            cached = self._blocks[key] = self._make_block_format(piece)
            if leftward and cell is None and piece.kind is not BlockKind.FIELD:
                left = cached.leftMargin()
                cached.setLeftMargin(cached.rightMargin())
                cached.setRightMargin(left)
            if cell is not None and cell.tabs:  # in any direction
                cached.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        return cached

    def char_format(self, piece: Piece, styles: frozenset[InlineStyle] = frozenset()) -> QTextCharFormat:
        dense = piece.cell is not None and piece.cell.dense
        level = piece.level if piece.kind in _OF_LEVELS else 0
        key = (piece.kind, level, piece.header, piece.box >= 0, dense, styles)
        cached = self._characters.get(key)
        if cached is None:
            cached = self._characters[key] = self._make_char_format(piece, styles, DENSE if dense else 1.0)
        return cached

    def spaced(self, form: QTextCharFormat) -> QTextCharFormat:
        """Return a format with some space behind its letters."""
        made = QTextCharFormat(form)
        made.setFontLetterSpacingType(QFont.SpacingType.AbsoluteSpacing)
        made.setFontLetterSpacing(NOTE_GAP_EM * self.size)
        return made

    def indent(self, piece: Piece) -> float:
        depth = depth_of(piece.kind, piece.level)
        within = self.box_inset if piece.box >= 0 else 0
        setting = setting_of(piece.kind, piece.level, boxed=piece.box >= 0)
        return within + (setting.indent + depth * INDENT_EM) * self.size

    def measure_cell(self, text: str, bold: bool) -> float:
        return self._cell_metrics[bold].horizontalAdvance(text)

    # -- pictures ------------------------------------------------------------------------------------

    def picture_size(self, piece: Piece) -> tuple[float, float]:
        small = piece.cell is not None or piece.box >= 0 or piece.has_icons
        wide, high = SMALL_PICTURE_EM if small else PICTURE_EM
        return wide * self.size, high * self.size

    def pictures_in_row(self, piece: Piece) -> int:
        room = self.column - 2 * PADDING - (2 * self.box_inset if piece.box >= 0 else 0)
        gap = PICTURE_GAP_EM * self.size
        return max(1, int((room + gap) / (self.picture_size(piece)[0] + gap)))

    def picture_room(self, piece: Piece, count: int) -> float:
        """Return the height in pixels of a piece's pictures, with the gap to its text."""
        rows = -(-count // self.pictures_in_row(piece))
        high, gap = self.picture_size(piece)[1], PICTURE_GAP_EM * self.size
        return rows * (high + gap) - gap + self._picture_gap(piece)

    def _picture_gap(self, piece: Piece) -> float:
        """Return the gap between pictures and the text below them, which is small for captions."""
        if piece.kind in (BlockKind.CAPTION, BlockKind.FIELD, BlockKind.CELL):
            return PICTURE_GAP_EM * self.size
        return max(PARAGRAPH.below, setting_of(piece.kind, piece.level).above) * self.size

    # -- formats -------------------------------------------------------------------------------------

    @cached_property
    def _cell_metrics(self) -> tuple[QFontMetricsF, QFontMetricsF]:
        setting = setting_of(BlockKind.CELL, 0)
        return QFontMetricsF(self.font(setting)), QFontMetricsF(self.font(replace(setting, bold=True)))

    @cached_property
    def muted(self) -> QColor:
        """A muted colour that is also readable on the background of marks (contrast of at least 4.5)."""
        return mixed(self.theme.muted, self.theme.text, MUTED_SHARE)

    def _make_block_format(self, piece: Piece) -> QTextBlockFormat:
        setting = setting_of(piece.kind, piece.level, boxed=piece.box >= 0)
        made = QTextBlockFormat()
        size = setting.size * (DENSE if piece.cell is not None and piece.cell.dense else 1.0)
        height = round(self.size * size * setting.leading * self.look.spacing)
        made.setLineHeight(height, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        between = setting.below if setting.between is None else setting.between
        below = 0.0 if piece.followed_tightly else between if piece.in_series else setting.below
        if piece.closes_box:
            below = max(below, BELOW_BOX_EM)
        above = 0.0 if piece.tight or piece.pictures else setting.above
        made.setLeftMargin(round(self.indent(piece)))
        made.setRightMargin(round(setting.right * self.size) + (self.box_inset if piece.box >= 0 else 0))
        if setting.centred:
            made.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        if piece.kind is BlockKind.TITLE:
            made.setHeadingLevel(1)  # for screen readers
        elif piece.kind is BlockKind.HEADING:
            made.setHeadingLevel(min(max(piece.level, 1) + 1, 6))
        elif piece.cell is not None:
            above, below = above + ROW_PADDING_EM, below + ROW_PADDING_EM
            stops = [
                stop - piece.cell.left for stop in piece.cell.tabs
            ]  # Qt counts from the start of the line
            made.setNonBreakableLines(piece.cell.wide)
            made.setLeftMargin(piece.cell.hanging)
            made.setTextIndent(piece.cell.left - piece.cell.hanging)
            made.setTabPositions([QTextOption.Tab(stop, QTextOption.TabType.LeftTab) for stop in stops])
        made.setTopMargin(round(above * self.size + self._room_above(piece)))
        room = BOX_PADDING_EM * self.size if piece.closes_box else 0.0
        made.setBottomMargin(
            round(
                below * self.size
                + (
                    room
                    + (self.picture_room(piece, len(piece.pictures_after)) if piece.pictures_after else 0.0)
                )
            )
        )
        return made

    def _room_above(self, piece: Piece) -> float:
        """Return the height that a panel or pictures need above a piece, in pixels."""
        room = 0.0
        if piece.opens_box:
            room += BOX_PADDING_EM * self.size * (2 if piece.behind_box else 1)
        if piece.pictures:
            room += self.picture_room(piece, len(piece.pictures))
        # the space that the previous piece has below it does not count then
        if room and piece.behind is not None:
            below = setting_of(piece.behind, 2).below
            room += max(below, BELOW_BOX_EM if piece.behind_box else 0.0) * self.size
        return room

    def _make_char_format(
        self, piece: Piece, styles: frozenset[InlineStyle], scale: float
    ) -> QTextCharFormat:
        setting = setting_of(piece.kind, piece.level, boxed=piece.box >= 0)
        reference = InlineStyle.REFERENCE in styles
        font = self.font(setting, size=setting.size * scale * (0.84 if reference else 1.0))
        if InlineStyle.BOLD in styles or piece.header:
            font.setBold(True)
        # lines under text are reserved for runs
        if InlineStyle.ITALIC in styles or InlineStyle.UNDERLINE in styles:
            font.setItalic(not setting.italic)
        if not _MONOSPACED.isdisjoint(styles):
            font.setFamilies(list(CODE_FAMILIES))
            font.setItalic(False)
            font.setPixelSize(max(6, round(font.pixelSize() * 0.88)))
        if InlineStyle.SMALL_CAPITALS in styles:
            font.setCapitalization(QFont.Capitalization.SmallCaps)
        made = QTextCharFormat()
        made.setFont(font, QTextCharFormat.FontPropertiesInheritanceBehavior.FontPropertiesAll)
        if InlineStyle.SUBSCRIPT in styles:
            made.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignSubScript)
        elif InlineStyle.SUPERSCRIPT in styles:
            made.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignSuperScript)
        if setting.muted or reference:
            made.setForeground(self.muted)
        return made
