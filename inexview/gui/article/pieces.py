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

from inexview.core.document import Block, BlockKind, Document
from inexview.gui.article.tables import Cell, Measure, set_table

HIDDEN = "\u200b"  # zero width space: what a superfluous blank is shown as

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
    """A block as Qt shows it: as one paragraph, or as a part of one line of a table.

    ``tight`` and ``followed_tightly`` tell that no space parts it from the block before or after it;
    ``in_series`` that one of its kind follows; ``cell`` is how it stands in a table, ``row`` (0-based)
    in which of its rows.
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

    @property
    def join(self) -> str:
        """The one character between this piece and the one before, or "" where a paragraph begins."""
        return "" if self.cell is None else self.cell.join


def pieces(document: Document, width: int, measure: Measure) -> Iterator[Piece]:
    """Yield the pieces of a document in order; they tile its text and none is empty.

    Yielded one by one, so that the first screen of a long article need not wait for its end.  ``width`` is
    that of the reading column, ``measure`` that of a cell's text (bold or not), both in pixels.
    """
    for table, blocks in groupby(document.blocks, key=lambda block: block.table):
        if table < 0:
            yield from _paragraphs(blocks)
        else:
            yield from _rows(list(blocks), document.text, width, measure)


def shown(text: str, piece: Piece) -> str:
    """Return what stands on the screen for a piece: as many characters, each as wide in UTF-16."""
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
    before: Piece | None = None
    for block in blocks:
        if before is not None:
            yield replace(before, followed_tightly=block.tight, in_series=before.kind is block.kind)
        before = Piece(block.start, block.end, block.kind, block.level, block.marker, block.tight)
    if before is not None:
        yield before


def _rows(blocks: Sequence[Block], text: str, width: int, measure: Measure) -> Iterator[Piece]:
    last_row = blocks[-1].row
    for block, cell in zip(blocks, set_table(blocks, text, width, measure), strict=True):
        yield Piece(
            block.start,
            block.end,
            BlockKind.CELL,
            followed_tightly=block is not blocks[-1] and not (cell.tabs and block.row == last_row),
            cell=cell,
            row=block.row,
            header=block.header,
        )
