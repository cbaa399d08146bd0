"""Where characters are: code points and positions in a QTextDocument, lines and pixels of the viewport."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from unicodedata import bidirectional

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QTextBlock, QTextDocument, QTextLine

from inexview.core.text.spans import Offsets

# Code points ↔ positions in a QTextDocument: the only place in the window that knows UTF-16.
#
# The core counts code points.  Qt counts UTF-16 units, in which the characters beyond U+FFFF take two, and
# adds one position of its own between two paragraphs.  The article view inserts the text in *pieces* (one
# per paragraph, or per table cell), one to one, with exactly one Qt character between neighbours, so that
#
#     position(offset) = offset + (characters beyond U+FFFF before it) + (index of its piece)
#
# Only the offsets of the characters beyond U+FFFF and the starts of the pieces are stored.

LAST_OF_PLANE_0 = 0xFFFF


def wide_offsets(text: str) -> Offsets:
    """Return the sorted offsets, shape (n,), of the characters that take two UTF-16 units."""
    if text.isascii():
        return np.empty(0, np.int64)
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    return np.flatnonzero(points > LAST_OF_PLANE_0).astype(np.int64)


class OffsetMap:
    """The map of one text; it grows as pieces are inserted into the Qt document.

    Pieces tile the text from offset 0 in order.  Offsets run from 0 to the end of the last piece; that
    end, and the end of each piece, is where the next piece starts: ``at_end`` says which side is meant.
    """

    def __init__(self, text: str, piece_starts: Iterable[int] = ()) -> None:
        self._wide: list[int] = wide_offsets(text).tolist()
        # UTF-16 index of each wide character: its offset and one more for each wide one before it.
        self._wide_units: list[int] = [offset + index for index, offset in enumerate(self._wide)]
        self._starts: list[int] = []
        self._positions: list[int] = []
        self.end = 0
        self.extend(piece_starts, len(text))

    def extend(self, piece_starts: Iterable[int], end: int) -> None:
        """Add pieces, of which the last ends at ``end``; the first must start where the map ended."""
        for start in piece_starts:
            self._positions.append(self._units(start) + len(self._starts))
            self._starts.append(start)
        if self._starts:
            self.end = end

    @property
    def pieces(self) -> int:
        return len(self._starts)

    def piece_at(self, offset: int) -> int:
        """Return the index of the piece that holds the character at the offset (clipped to the map)."""
        return max(0, bisect_right(self._starts, offset) - 1)

    def to_position(self, offset: int, *, at_end: bool = False) -> int:
        """Return the Qt position before the character at ``offset``.

        With ``at_end`` the offset is the end of a span: where a piece starts there, the answer is the
        place behind the last character of the piece before, not the place before its own first.
        """
        offset = min(max(offset, 0), self.end)
        piece = self.piece_at(offset - 1 if at_end and offset > 0 else offset)
        return self._units(offset) + piece

    def to_offset(self, position: int) -> int:
        """Return the offset of the character behind a Qt position.

        A position inside a surrogate pair, which Qt accepts, is the offset of the whole character.
        """
        piece = max(0, bisect_right(self._positions, position) - 1)
        units = max(0, position - piece)
        offset = units - bisect_left(self._wide_units, units)
        return min(offset, self.end)

    def _units(self, offset: int) -> int:
        """Return the UTF-16 units of the text before an offset."""
        return offset + bisect_left(self._wide, offset)


# Where the characters are on the screen: the visible lines of text, in pixels of the viewport.
#
# A QTextLine points into the layout of its block: lines must be let go when that block is laid out again,
# which happens when the column's width or the document changes, never because something is appended behind
# it.

# Hebrew, Arabic and their kin, and what turns the direction of writing.
_LEFTWARD = re.compile(
    "[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)

_LETTER = re.compile(r"[^\W\d_]")
_TO_THE_RIGHT, _TO_THE_LEFT = (
    ("L", "EN", "AN"),
    ("R", "AL"),
)  # how letters and digits go on, wherever they are


class SeenCharacter(NamedTuple):
    """A character of a line with words in both directions, and where it is seen."""

    offset: int
    left: float
    right: float
    leftward: bool

    @property
    def center(self) -> float:
        return (self.left + self.right) / 2


class StrokeEnd(NamedTuple):
    """A place of the mouse in a line: what a stroke takes from there depends on where its other end is."""

    line: int
    """The offset at which the line begins."""
    x: float
    boundary: int
    """The place between two characters that is nearest."""
    below: int
    """Where a stroke begins that ends in a line below."""
    above: int
    """Where a stroke ends that ends in a line above."""


def begins_leftward(text: str) -> bool:
    """Tell whether a paragraph is written from right to left: its first letter says so."""
    letter = _LETTER.search(text)
    return letter is not None and _LEFTWARD.match(letter[0]) is not None


@dataclass(slots=True)
class Line:
    """One line of text; ``start`` and ``end`` are offsets, ``piece`` the index of the piece it begins with,
    all else pixels of the viewport.

    ``top`` and ``bottom`` enclose the letters, not the leading; ``left`` and ``right`` what is seen of them.
    """

    start: int
    end: int
    piece: int
    top: float
    bottom: float
    baseline: float
    left: float
    right: float
    first_in_block: bool
    leftward: bool  # Arabic, Hebrew: the line begins at its right
    mixed: bool  # is in a paragraph with words that are written from right to left
    _line: QTextLine
    _text: str  # of the block
    _block_position: int
    _block_x: float
    _map: OffsetMap
    _covered: dict[tuple[int, int], list[tuple[float, float]]] = field(default_factory=dict)  # asked before
    _cells: list[SeenCharacter] | None = None  # of a mixed line, once asked for

    def offset_at(self, y: float) -> float:
        """Return how far the text has come at a height: the line's characters share its height."""
        share = (y - self.top) / max(1.0, self.bottom - self.top)
        return self.start + (self.end - self.start) * min(max(share, 0.0), 1.0)

    def x(self, offset: int, *, at_end: bool = False) -> float:
        """Return where the character at an offset begins; with ``at_end`` where the one before it ends."""
        if offset <= self.start:
            return self.right if self.leftward else self.left
        if offset >= self.end:
            return self.left if self.leftward else self.right
        position = self._map.to_position(offset, at_end=at_end) - self._block_position
        at: float = self._line.cursorToX(position)[0]  # type: ignore[index]  # the stubs say object
        return min(max(self._block_x + at, self.left), self.right)

    def extent(self, start: int, end: int) -> tuple[float, float]:
        """Return the left and right edge of the characters ``[start, end)`` of this line."""
        if self.mixed and (covered := self.stretches(start, end)):
            return covered[0][0], covered[-1][1]
        one, other = self.x(start), self.x(end, at_end=True)
        return (one, other) if one <= other else (other, one)

    def stretches(self, start: int, end: int) -> list[tuple[float, float]]:
        """Return left and right of what the characters ``[start, end)`` of this line cover.

        That is one stretch, but where the line mixes directions of writing.  Each painting asks,
        and the answer is the same for as long as the line stays.
        """
        covered = self._covered.get((start, end))
        if covered is None:
            covered = self._covered[start, end] = self._stretches(start, end)
        return covered

    def _stretches(self, start: int, end: int) -> list[tuple[float, float]]:
        if not self.mixed:
            return [self.extent(start, end)]
        if start <= self.start and end >= self.end:
            return [(self.left, self.right)]
        return self._glyphs(start, end)

    def _glyphs(self, start: int, end: int) -> list[tuple[float, float]]:
        """Return left and right of the glyphs of some characters of this line, from left to right."""
        first = self._map.to_position(start) - self._block_position
        behind = self._map.to_position(end, at_end=True) - self._block_position
        boxes = [run.boundingRect() for run in self._line.glyphRuns(first, behind - first)]
        covered: list[tuple[float, float]] = []
        for left, right in sorted((self._block_x + box.left(), self._block_x + box.right()) for box in boxes):
            if covered and left <= covered[-1][1] + 0.5:
                before = covered.pop()
                left, right = before[0], max(before[1], right)
            covered.append((max(left, self.left), min(right, self.right)))
        return covered

    def character_at(self, x: float) -> int:
        """Return the offset of the character of this line that lies at, or nearest to, an x."""
        if (cell := self._cell_at(x)) is not None:
            return cell.offset
        offset = self._offset_at(x, QTextLine.CursorPosition.CursorOnCharacter)
        return min(max(offset, self.start), max(self.start, self.end - 1))

    def boundary_at(self, x: float) -> int:
        """Return the offset of the place between two characters of this line that is nearest to an x."""
        if (cell := self._cell_at(x)) is not None:
            return cell.offset + (cell.leftward is (x <= cell.center))
        return min(
            max(self._offset_at(x, QTextLine.CursorPosition.CursorBetweenCharacters), self.start), self.end
        )

    def stroke_end(self, x: float) -> StrokeEnd:
        """Return what a stroke takes that begins or ends at an x."""
        boundary = self.boundary_at(x)
        if not (cells := self.cells()):
            return StrokeEnd(self.start, x, boundary, boundary, boundary)
        onward = [cell.offset for cell in cells if (cell.center <= x) is self.leftward]
        before = [cell.offset + 1 for cell in cells if (cell.center <= x) is not self.leftward]
        below, above = min(onward, default=self.end), max(before, default=self.start)
        return StrokeEnd(self.start, x, boundary, below, above)

    def seen_between(self, one: float, other: float) -> tuple[int, int] | None:
        """Return the least span with the characters of a mixed line that are seen between two x.

        None where there is none, or the line is not mixed.
        """
        low, high = min(one, other), max(one, other)
        seen = [cell.offset for cell in self.cells() if low <= cell.center <= high]
        return (min(seen), max(seen) + 1) if seen else None

    def cells(self) -> list[SeenCharacter]:
        """Return the characters of a mixed line with where they are seen; of any other line nothing.

        By their glyphs: a cursor at the border of two directions is at two places, and Qt says one of them.
        """
        if self._cells is None:
            self._cells = [*self._found_cells()] if self.mixed else []
        return self._cells

    def _found_cells(self) -> Iterator[SeenCharacter]:
        before: SeenCharacter | None = None
        units = self._text.encode("utf-16-le", "surrogatepass")
        for offset in range(self.start, self.end):
            covered = self._glyphs(offset, offset + 1)
            if covered:
                at = self._map.to_position(offset) - self._block_position
                letter = units[2 * at : 2 * at + 2].decode(
                    "utf-16-le", "replace"
                )  # half of a wide one: neither
                kind = bidirectional(letter)
                leftward = kind in _TO_THE_LEFT or (self.leftward and kind not in _TO_THE_RIGHT)
                before = SeenCharacter(offset, covered[0][0], covered[-1][1], leftward)
                yield before
            elif before is not None:  # joined with the one before, or a sign over it
                yield before._replace(offset=offset)

    def _cell_at(self, x: float) -> SeenCharacter | None:
        """Return the character at, or nearest to, an x of a mixed line."""
        return min(self.cells(), key=lambda cell: max(cell.left - x, x - cell.right, 0.0), default=None)

    def _offset_at(self, x: float, kind: QTextLine.CursorPosition) -> int:
        position = self._line.xToCursor(x - self._block_x, kind)
        end = self._line.textStart() + self._line.textLength()
        if position >= end and x < self.right - 1 and not (self.leftward or self.mixed):
            position = self._nearest(x - self._block_x, kind)
        return self._map.to_offset(self._block_position + position)

    def _nearest(self, x: float, kind: QTextLine.CursorPosition) -> int:
        """Return the position at an x, from left to right: Qt says the end behind a mark of another font."""
        start = self._line.textStart()
        edges: list[float] = [
            self._line.cursorToX(at)[0]  # type: ignore[index]  # the stubs say object
            for at in range(start, start + self._line.textLength() + 1)
        ]
        at = max(bisect_right(edges, x) - 1, 0)
        if kind is QTextLine.CursorPosition.CursorBetweenCharacters and at + 1 < len(edges):
            at += edges[at + 1] - x < x - edges[at]
        return start + at


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of one viewport, from top to bottom; ``filled`` tells that there is text below them.

    ``around`` are these and what else the paragraphs have that begin or end there, and one line more: what is
    painted around text may be seen where the text itself is not.
    """

    lines: list[Line]
    filled: bool
    around: list[Line]

    def span(self, height: float) -> tuple[float, float]:
        """Return the offsets at the viewport's top and bottom, which has lines; within one that is cut."""
        return self.lines[0].offset_at(0), self.lines[-1].offset_at(height)

    def between(self, top: float, bottom: float) -> list[Line]:
        """Return the lines that reach into a stretch of the viewport, or of what is right above and below."""
        return [line for line in self.around if line.bottom >= top and line.top <= bottom]


NO_LINES = Lines([], False, [])


def visible_lines(document: QTextDocument, offsets: OffsetMap, height: float, scrolled: QPointF) -> Lines:
    """Return the lines in a viewport of so many pixels.

    ``scrolled`` is the place of the document that is in the viewport's corner.
    """
    if not offsets.pieces:
        return NO_LINES
    layout = document.documentLayout()
    block = _block_at(document, scrolled.y())
    found: list[Line] = []
    while block.isValid():
        rect = layout.blockBoundingRect(block)
        found.extend(_lines_of(block, offsets, rect.topLeft() - scrolled))
        if rect.top() - scrolled.y() > height:
            break
        block = block.next()
    seen = [line for line in found if line.bottom >= 0 and line.top <= height]
    return Lines(seen, block.isValid(), found)


def _block_at(document: QTextDocument, y: float) -> QTextBlock:
    """Return the last block that begins above a height of the document, or the first one.

    Not by QAbstractTextDocumentLayout.hitTest, which walks through all blocks where it hits a margin.
    """
    layout = document.documentLayout()

    def top(number: int) -> float:
        return layout.blockBoundingRect(document.findBlockByNumber(number)).top()

    behind = bisect_right(range(document.blockCount()), y, key=top)
    return document.findBlockByNumber(max(0, behind - 1))


def _lines_of(block: QTextBlock, offsets: OffsetMap, corner: QPointF) -> Iterator[Line]:
    layout = block.layout()
    first = block.position()
    leftward = block.textDirection() is Qt.LayoutDirection.RightToLeft
    text = block.text()
    mixed = _LEFTWARD.search(text) is not None
    for number in range(layout.lineCount()):
        line = layout.lineAt(number)
        begin = first + line.textStart()
        start = offsets.to_offset(begin)
        left = corner.x() + line.naturalTextRect().left()
        baseline = corner.y() + line.y() + line.ascent()
        yield Line(
            start=start,
            end=offsets.to_offset(begin + line.textLength()),
            piece=offsets.piece_at(start),
            top=baseline - line.ascent(),
            bottom=baseline + line.descent(),
            baseline=baseline,
            left=left,
            right=left + line.naturalTextWidth(),
            first_in_block=number == 0,
            leftward=leftward,
            mixed=mixed,
            _line=line,
            _text=text,
            _block_position=first,
            _block_x=corner.x(),
            _map=offsets,
        )


def line_of(lines: Sequence[Line], offset: int) -> Line | None:
    """Return the line that holds the character at an offset, or None where it is not among them."""
    for line in lines:
        if line.start <= offset < line.end:
            return line
    if lines and offset == lines[-1].end:
        return lines[-1]
    return None
