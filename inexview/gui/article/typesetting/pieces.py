"""How the blocks of a document become the pieces that Qt shows, and how their white space looks.

White space of XML is collapsible: a line break is a space, and of several blanks only one is seen.  The text
must keep every character all the same, each at its own place, so nothing is taken away: each character is
exchanged for exactly one other of the same width in UTF-16, a superfluous blank for one without width.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from inexview.core.article.blocks import Block, BlockKind, Picture
from inexview.core.article.document import Document
from inexview.gui.article.typesetting.steps import stepwise
from inexview.gui.article.typesetting.table_layout import SEEN, Cell, TextMeasure, set_tables

HIDDEN = "\u200b"  # zero width space: what a superfluous blank is shown as

BETWEEN_FACTS = "\u2003"  # em space: between facts of one kind on one line

LONGEST_LINE = 2_000  # characters of facts on one line
MOST_PICTURES = 24  # at one place

_BLANKS = " \t\n\r"
_RUN = re.compile(r"[ \t\n\r]{2,}")
_ODD = re.compile("[\t\n\r\u2029\ufdd0\ufdd1\ufffc]|  ")
_LINE_SEPARATOR = "\u2028"
# What would start a paragraph, a frame or an object in Qt, or jump as a tab does.
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
    """A block as Qt shows it: as one paragraph, or as a part of one line.

    ``tight`` and ``followed_tightly`` tell that no space parts it from the block before or after it;
    ``in_series`` that one of its kind follows; ``joint`` is the character that joins it to the line of the
    piece before, "" where a paragraph begins.  ``cell`` is how it lies in a table, ``row`` (0-based) in
    which of its rows.  ``box`` is the panel that it is in, of which it may be the first or last;
    ``pictures`` are above it, ``pictures_after`` below.  ``behind`` is the kind of the piece before, where
    that needs room, ``behind_box`` that it ends another panel.
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
        """Whether all of its pictures are small ones."""
        pictures = self.pictures or self.pictures_after
        return bool(pictures) and all(picture.small for picture in pictures)

    @property
    def join(self) -> str:
        """The one character between this piece and the one before, or "" where a paragraph begins."""
        return self.joint if self.cell is None else self.cell.join


def pieces(document: Document, width: int, measure: TextMeasure, inset: int = 0) -> Iterator[Piece | None]:
    """Yield the pieces of a document in order; they tile its text and none is empty.

    Yielded one by one, so that the first screen of a long article need not wait for its end.  Where a long
    table has to be looked through before its first piece, Nones come between, one after each step of that.
    ``width`` is that of the reading column, ``measure`` that of a cell's text (bold or not), ``inset`` what a
    panel keeps free on both sides, all in pixels.
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
    """Return what is on the screen for a piece: as many characters, each as wide in UTF-16."""
    stretch = text[piece.start : piece.end]
    if piece.kind is BlockKind.PREFORMATTED:
        body = stretch.rstrip("\r\n")
        return body.translate(_KEPT) + HIDDEN * (len(stretch) - len(body))
    body = stretch.lstrip(_BLANKS)
    before = len(stretch) - len(body)
    body = body.rstrip(_BLANKS)
    after = len(stretch) - before - len(body)
    if _ODD.search(body):  # translating is slow, and most text has nothing to translate
        body = _RUN.sub(_first_only, body).translate(_COLLAPSED)
    return HIDDEN * before + body + HIDDEN * after


def _first_only(run: re.Match[str]) -> str:
    return " " + HIDDEN * (len(run.group()) - 1)


def _paragraphs(blocks: Iterable[Block]) -> Iterator[Piece]:
    before: Block | None = None
    joint = ""  # of the block before
    line = 0  # where the paragraph begins that is put together
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
    """Return what joins a block to the line of the one before: a caption to its number, facts of a kind."""
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
    row: list[tuple[Block, Cell]] = []  # what is on one line
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
    """Tell the pieces that begin a paragraph what they need to know of their neighbours."""
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
    """Return no more pictures than a reader would look at; the last one says how many are missing."""
    if len(pictures) <= MOST_PICTURES:
        return pictures
    kept = pictures[: MOST_PICTURES - 1]
    return (*kept, replace(pictures[-1], name=f"and {len(pictures) - len(kept):,} more"))


def _lines(plain: Iterable[Piece | None]) -> Iterator[list[Piece]]:
    """Yield the pieces paragraph by paragraph, and an empty one after a step without a piece."""
    line: list[Piece] = []
    for piece in plain:
        if piece is None:
            if line:
                yield line  # what is looked through begins a line of its own
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
