"""Positions of characters: code points, positions in a QTextDocument, and lines in pixels of the viewport."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple
from unicodedata import bidirectional

import numpy as np
from PySide6.QtCore import QEvent, QMimeData, QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QTextBlock,
    QTextCursor,
    QTextDocument,
    QTextLine,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QTextEdit, QWidget

from inexview.core.article.document import Document, Inline
from inexview.core.article.element_roles import InlineStyle
from inexview.core.text.spans import Offsets
from inexview.gui.article.styles import HIDDEN, PADDING, Piece, Styles, pieces, shown
from inexview.gui.look.widgets import timer
from inexview.gui.services.tasks import Slices

# Code points ↔ positions in a QTextDocument: only this module of the window handles UTF-16.
#
# The core counts code points. Qt counts UTF-16 units, of which characters beyond U+FFFF take two, and adds
# one position between two paragraphs. The article view inserts the text in *pieces* (one per paragraph or
# table cell), unchanged, with exactly one Qt character between neighbours, so that
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
    """Maps offsets of one text to Qt positions; it grows as pieces are inserted into the Qt document.

    Pieces cover the text from offset 0 in order. The end of a piece is the start of the next one: ``at_end``
    chooses the position at the end of the earlier piece.
    """

    def __init__(self, text: str, piece_starts: Iterable[int] = ()) -> None:
        self._wide: list[int] = wide_offsets(text).tolist()
        # UTF-16 index of each wide character: its offset plus the number of wide characters before it.
        self._wide_units: list[int] = [offset + index for index, offset in enumerate(self._wide)]
        self._starts: list[int] = []
        self._positions: list[int] = []
        self.end = 0
        self.extend(piece_starts, len(text))

    def extend(self, piece_starts: Iterable[int], end: int) -> None:
        """Add pieces up to the offset ``end``; the first must start where the map ended."""
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

        With ``at_end`` the offset is the end of a span. If a piece starts there, the result is the position
        behind the last character of the previous piece.
        """
        offset = min(max(offset, 0), self.end)
        piece = self.piece_at(offset - 1 if at_end and offset > 0 else offset)
        return self._units(offset) + piece

    def to_offset(self, position: int) -> int:
        """Return the offset of the character behind a Qt position.

        A position inside a surrogate pair, which Qt accepts, gives the offset of the whole character.
        """
        piece = max(0, bisect_right(self._positions, position) - 1)
        units = max(0, position - piece)
        offset = units - bisect_left(self._wide_units, units)
        return min(offset, self.end)

    def _units(self, offset: int) -> int:
        return offset + bisect_left(self._wide, offset)


# Positions of characters on the screen: the visible lines of text, in pixels of the viewport.
#
# A QTextLine points into the layout of its block. It must be dropped when that block is laid out again, which
# happens if the width of the column or the document changes, but not if text is appended.

# Hebrew, Arabic and related scripts, and the control characters that change the direction of writing.
_LEFTWARD = re.compile(
    "[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)

_LETTER = re.compile(r"[^\W\d_]")
_TO_THE_RIGHT, _TO_THE_LEFT = (
    ("L", "EN", "AN"),
    ("R", "AL"),
)  # bidirectional classes of letters and digits


class SeenCharacter(NamedTuple):
    """A character of a line with both directions of writing, and its position on the screen."""

    offset: int
    left: float
    right: float
    leftward: bool

    @property
    def center(self) -> float:
        return (self.left + self.right) / 2


class StrokeEnd(NamedTuple):
    """A position of the mouse in a line; what a stroke covers from there depends on its other end."""

    line: int
    """The offset at which the line starts."""
    x: float
    boundary: int
    """The nearest boundary between two characters."""
    below: int
    """The start of a stroke that ends in a line below."""
    above: int
    """The end of a stroke that ends in a line above."""


def begins_leftward(text: str) -> bool:
    """Return whether a paragraph is written from right to left, judged by its first letter."""
    letter = _LETTER.search(text)
    return letter is not None and _LEFTWARD.match(letter[0]) is not None


@dataclass(slots=True)
class Line:
    """One line of text: ``start`` and ``end`` are offsets, ``piece`` is the index of its first piece, the
    other numbers are pixels of the viewport.

    ``top`` and ``bottom`` enclose the letters without the leading; ``left`` and ``right`` enclose the text.
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
    leftward: bool  # Arabic, Hebrew: the line starts at its right
    mixed: bool  # whether the paragraph has words that are written from right to left
    _line: QTextLine
    _text: str  # text of the block
    _block_position: int
    _block_x: float
    _map: OffsetMap
    # results by span
    _covered: dict[tuple[int, int], list[tuple[float, float]]] = field(default_factory=dict)
    _cells: list[SeenCharacter] | None = None  # characters of a mixed line, computed on demand

    def offset_at(self, y: float) -> float:
        """Return the offset at a height: the characters of the line are spread evenly over its height."""
        share = (y - self.top) / max(1.0, self.bottom - self.top)
        return self.start + (self.end - self.start) * min(max(share, 0.0), 1.0)

    def x(self, offset: int, *, at_end: bool = False) -> float:
        """Return the x at which a character starts; with ``at_end`` where the character before it ends."""
        if offset <= self.start:
            return self.right if self.leftward else self.left
        if offset >= self.end:
            return self.left if self.leftward else self.right
        position = self._map.to_position(offset, at_end=at_end) - self._block_position
        at: float = self._line.cursorToX(position)[0]  # type: ignore[index]  # the stubs say object
        return min(max(self._block_x + at, self.left), self.right)

    def extent(self, start: int, end: int) -> tuple[float, float]:
        """Return the left and right edge of the characters ``[start, end)`` of this line, in pixels."""
        if self.mixed and (covered := self.stretches(start, end)):
            return covered[0][0], covered[-1][1]
        one, other = self.x(start), self.x(end, at_end=True)
        return (one, other) if one <= other else (other, one)

    def stretches(self, start: int, end: int) -> list[tuple[float, float]]:
        """Return the left and right edges, in pixels, of the stretches that ``[start, end)`` covers in this
        line.

        There is one stretch unless the line mixes directions of writing. Results are kept, because every
        repaint asks for them.
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
        """Return the left and right edges of the glyphs of the given characters, from left to right."""
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
        """Return the offset of the character of this line at, or nearest to, an x."""
        if (cell := self._cell_at(x)) is not None:
            return cell.offset
        offset = self._offset_at(x, QTextLine.CursorPosition.CursorOnCharacter)
        return min(max(offset, self.start), max(self.start, self.end - 1))

    def boundary_at(self, x: float) -> int:
        """Return the offset of the boundary between two characters of this line that is nearest to an x."""
        if (cell := self._cell_at(x)) is not None:
            return cell.offset + (cell.leftward is (x <= cell.center))
        return min(
            max(self._offset_at(x, QTextLine.CursorPosition.CursorBetweenCharacters), self.start), self.end
        )

    def stroke_end(self, x: float) -> StrokeEnd:
        """Return what a stroke covers that starts or ends at an x."""
        boundary = self.boundary_at(x)
        if not (cells := self.cells()):
            return StrokeEnd(self.start, x, boundary, boundary, boundary)
        onward = [cell.offset for cell in cells if (cell.center <= x) is self.leftward]
        before = [cell.offset + 1 for cell in cells if (cell.center <= x) is not self.leftward]
        below, above = min(onward, default=self.end), max(before, default=self.start)
        return StrokeEnd(self.start, x, boundary, below, above)

    def seen_between(self, one: float, other: float) -> tuple[int, int] | None:
        """Return the smallest span that holds the characters of a mixed line between two x.

        None if there are none, or if the line is not mixed.
        """
        low, high = min(one, other), max(one, other)
        seen = [cell.offset for cell in self.cells() if low <= cell.center <= high]
        return (min(seen), max(seen) + 1) if seen else None

    def cells(self) -> list[SeenCharacter]:
        """Return the characters of a mixed line with their positions; empty for other lines.

        Positions come from the glyphs: at a border of two directions a cursor has two, and Qt reports only
        one.
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
                )  # half of a surrogate pair has neither direction
                kind = bidirectional(letter)
                leftward = kind in _TO_THE_LEFT or (self.leftward and kind not in _TO_THE_RIGHT)
                before = SeenCharacter(offset, covered[0][0], covered[-1][1], leftward)
                yield before
            elif before is not None:  # joined with the previous character, or a mark above it
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
        """Return the cursor position at an x by comparing all edges.

        Qt returns the end of the line behind a character of another font.
        """
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
    """The lines of one viewport, from top to bottom; ``filled`` is true if more text follows below.

    ``around`` also has the other lines of the first and last paragraphs and one more line, because what is
    painted around a text may be visible when the text is not.
    """

    lines: list[Line]
    filled: bool
    around: list[Line]

    def span(self, height: float) -> tuple[float, float]:
        """Return the offsets at the top and bottom of the viewport, which must have lines."""
        return self.lines[0].offset_at(0), self.lines[-1].offset_at(height)

    def between(self, top: float, bottom: float) -> list[Line]:
        """Return the lines that touch a vertical stretch of the viewport or lie right above or below it."""
        return [line for line in self.around if line.bottom >= top and line.top <= bottom]


NO_LINES = Lines([], False, [])


def visible_lines(document: QTextDocument, offsets: OffsetMap, height: float, scrolled: QPointF) -> Lines:
    """Return the lines in a viewport of the given height.

    ``scrolled`` is the point of the document in the viewport's top left corner.
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
    """Return the last block that starts above a height of the document, or the first block.

    QAbstractTextDocumentLayout.hitTest is not used: it walks through all blocks if it hits a margin.
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
    """Return the line that holds the character at an offset, or None if no line does."""
    for line in lines:
        if line.start <= offset < line.end:
            return line
    if lines and offset == lines[-1].end:
        return lines[-1]
    return None


# Work is counted in characters; a piece costs about as much as 60 of them.
PIECE_COST = 60
FIRST_SLICE = 6_000
SCREENFUL = 1.5  # letters per square em of a screen; a screen has fewer
LEAST_SLICE, SLICE = 2_000, 9_000
# The cost of a step that yields no piece, of which a long table has many; the first ones may take longer.
STEP_COST, FIRST_STEP_COST = 560, 150
_NOTE, _RAISED = {InlineStyle.REFERENCE}, {InlineStyle.SUPERSCRIPT}
ABOVE_EM = 1.2  # space above the title
BELOW_EM = 5.0  # space below the last line, so that it need not be read at the edge of the screen


class Builder(QObject):
    """Fills one QTextDocument with one article, in slices from the event loop, so that the window stays
    responsive.

    The first slice is inserted before Qt lays the document out, and just fills a screen. Each further slice
    is laid out at once: otherwise Qt lays out ever larger steps and blocks the window. ``pieces[i]`` is piece
    i of the map.
    """

    grew = Signal(object)  # the Builder, after each slice
    finished = Signal(object)  # the Builder

    def __init__(
        self, document: Document, styles: Styles, parent: QObject | None = None, width: int | None = None
    ) -> None:
        """``width`` is the space for tables in pixels; by default the width of the reading column."""
        super().__init__(parent)
        self.document = document
        self.styles = styles
        self.text_document = _empty_document(styles, self)
        self.map = OffsetMap(document.text)
        self.pieces: list[Piece] = []
        self.complete = False
        self.inserting = False
        self.width = styles.column - 2 * PADDING if width is None else width
        self.tabular = False  # whether there is a table, whose layout depends on the width
        self._source: Iterator[Piece | None] = pieces(
            document, self.width, styles.measure_cell, styles.box_inset
        )
        self._inlines = _InlineRuns(document)
        self._cursor = QTextCursor(self.text_document)
        # A slice is measured in characters, because its cost is known only after Qt has laid it out.
        self._slices = Slices(self, seconds=0)

    def start(self, height: int | None = None) -> None:
        """Build the first slice at once; the rest follows from the event loop.

        The slice fills at most a page of ``height`` pixels, if that is given.
        """
        budget = FIRST_SLICE
        if height is not None:
            budget = max(round(SCREENFUL * self.width * height / self.styles.size**2), LEAST_SLICE)
        self._insert(budget, FIRST_STEP_COST)

    def go_on(self, delay: int = 0) -> None:
        """Build the rest slice by slice, starting after a delay in milliseconds."""
        if not self._slices.active and not self.complete:
            self._slices.start(self.rest())
        self._slices.wait(delay)

    def stop(self) -> None:
        self._slices.stop()

    def rest(self) -> Iterator[None]:
        while not self.complete:
            self._next_slice()
            yield

    def _next_slice(self) -> None:
        self._insert(SLICE)
        # Asking for the position of the last block makes Qt lay out everything before it.
        self.text_document.documentLayout().blockBoundingRect(self.text_document.lastBlock())
        self.grew.emit(self)
        if self.complete:
            self.finished.emit(self)

    def _insert(self, budget: int, step_cost: int = STEP_COST) -> None:
        added: list[Piece] = []
        self.inserting = True
        self._cursor.beginEditBlock()
        while budget > 0:
            try:
                piece = next(self._source)
            except StopIteration:
                self.complete = True
                break
            if piece is None:
                budget -= step_cost
                continue
            self._insert_piece(piece, first=not self.pieces and not added)
            added.append(piece)
            budget -= piece.end - piece.start + PIECE_COST
        self._cursor.endEditBlock()
        self.inserting = False
        if added:
            self.map.extend((piece.start for piece in added), added[-1].end)
            self.pieces.extend(added)

    def _insert_piece(self, piece: Piece, *, first: bool) -> None:
        self.tabular = self.tabular or piece.cell is not None
        plain = self.styles.char_format(piece)
        visible = shown(self.document.text, piece)
        block_format = self.styles.block_format(piece, leftward=begins_leftward(visible))
        if piece.join:
            self._cursor.insertText(piece.join, plain)
        elif first:
            self._cursor.setBlockFormat(block_format)
            self._cursor.setBlockCharFormat(plain)
        else:
            self._cursor.insertBlock(block_format, plain)
        runs = self._inlines.within(piece.start, piece.end)
        for (start, end, styles), following in zip(runs, [*runs[1:], None], strict=True):
            form = self.styles.char_format(piece, styles) if styles else plain
            text = visible[start - piece.start : end - piece.start]
            if following is not None and following[2] - styles >= _NOTE and not following[2] & _RAISED:
                self._cursor.insertText(text[:-1], form)
                # otherwise the note sticks to the word before it
                text, form = text[-1:], self.styles.spaced(form)
            self._cursor.insertText(text, form)


def _empty_document(styles: Styles, owner: QObject) -> QTextDocument:
    # It has an owner, because PySide lets a QTextEdit keep a reference to every document that it was given.
    made = QTextDocument(owner)
    made.setUndoRedoEnabled(False)
    made.setDefaultFont(styles.font())
    made.setDocumentMargin(PADDING)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    made.setDefaultTextOption(option)
    frame = made.rootFrame().frameFormat()
    frame.setTopMargin(round(styles.size * ABOVE_EM))
    frame.setBottomMargin(round(styles.size * BELOW_EM))
    made.rootFrame().setFrameFormat(frame)
    return made


class _InlineRuns:
    """Yields, piece by piece, the stretches over which the inline styles do not change."""

    _PLAIN: frozenset[InlineStyle] = frozenset()

    def __init__(self, document: Document) -> None:
        self._inlines = iter(document.inlines)
        self._next: Inline | None = next(self._inlines, None)
        self._open: dict[InlineStyle, int] = {}  # styles that continue in the next piece, and where they end

    def within(self, start: int, end: int) -> list[tuple[int, int, frozenset[InlineStyle]]]:
        """Return (start, end, styles) tuples that cover ``[start, end)``; to be called in order."""
        there = [(start, until, style) for style, until in self._open.items()]
        while self._next is not None and self._next.start < end:
            if self._next.style is not InlineStyle.LINK:  # a link reads like the text around it
                there.append((self._next.start, self._next.end, self._next.style))
            self._next = next(self._inlines, None)
        if not there:
            return [(start, end, self._PLAIN)]
        changes: dict[int, Counter[InlineStyle]] = {start: Counter(), end: Counter()}
        self._open = {}
        for begin, until, style in there:
            changes.setdefault(begin, Counter())[style] += 1
            changes.setdefault(min(until, end), Counter())[style] -= 1
            if until > end:
                self._open[style] = max(until, self._open.get(style, end))
        open_now: Counter[InlineStyle] = Counter()
        runs = []
        for first, last in pairwise(sorted(changes)):
            open_now.update(changes[first])
            runs.append((first, last, frozenset(style for style, count in open_now.items() if count)))
        return runs


_MOVES_BACK = {Qt.Key.Key_Left, Qt.Key.Key_Up, Qt.Key.Key_Home, Qt.Key.Key_PageUp}
_MOVES_ON = {Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_End, Qt.Key.Key_PageDown}
MOVES = _MOVES_BACK | _MOVES_ON
EMPTY_AFTER = 100  # milliseconds


class ReadingEdit(QTextEdit):
    """Shows the document of a Builder, or nothing, and works with offsets instead of Qt's positions.

    A QTextEdit brings what a custom widget would lose: support for screen readers, a caret, and selecting and
    copying from the keyboard.
    """

    def __init__(self, styles: Styles, parent: QWidget) -> None:
        super().__init__(parent)
        self.styles = styles
        self.builder: Builder | None = None
        self.veiled = False  # nothing is painted until the requested position is built
        self._lines = NO_LINES
        self._lines_key: tuple[object, ...] = ()
        self._beyond: tuple[int, int] | None = None  # anchor and caret in text that is not built yet
        # the builder whose document Qt holds, even if nothing of it is shown
        self._held: Builder | None = None
        self._empty = QTextDocument()  # without a parent: setDocument deletes a document that the editor owns
        self._emptying = timer(self, lambda: self._hold(None), EMPTY_AFTER)
        self.setReadOnly(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByKeyboard | Qt.TextInteractionFlag.TextSelectableByMouse
        )
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        # If a wide table is scrolled sideways, some of what is drawn must stay where it is.
        self.horizontalScrollBar().valueChanged.connect(lambda _: self.viewport().update())
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setLineWrapMode(QTextEdit.LineWrapMode.FixedPixelWidth)
        self.setCursorWidth(2)
        self.cursorPositionChanged.connect(self._forget_beyond)
        self.selectionChanged.connect(self._forget_beyond)

    @property
    def source(self) -> Document | None:
        return None if self.builder is None else self.builder.document

    def show_document(self, builder: Builder | None) -> None:
        """Show the document of a builder from its start, or nothing."""
        self.builder = builder
        self._beyond = None
        self._lines, self._lines_key = NO_LINES, ()
        if builder is not None:
            builder.grew.connect(self._reach_beyond)
        if builder is None and self._held is not None:
            # usually the next document comes first, and Qt need not lay out an empty page
            self._emptying.start()
        elif builder is not None:
            self._hold(builder)
        for bar in (self.horizontalScrollBar(), self.verticalScrollBar()):
            bar.setValue(0)
        self.viewport().update()

    def _hold(self, builder: Builder | None) -> None:
        """Give Qt the document of a builder, or an empty one, and delete the previous builder."""
        self._emptying.stop()
        gone, self._held = self._held, builder
        self.setDocument(self._empty if builder is None else builder.text_document)
        if gone is not None:
            gone.deleteLater()

    # -- places --------------------------------------------------------------------------------------

    def visible(self) -> Lines:
        """Return the visible lines; they are cached until the view moves or changes."""
        if self.builder is None or self.veiled:
            return NO_LINES
        height = self.viewport().height()
        scrolled = QPointF(self.horizontalScrollBar().value(), self.verticalScrollBar().value())
        key = (self.builder, scrolled.x(), scrolled.y(), height, self.lineWrapColumnOrWidth())
        if key != self._lines_key or not self._lines.filled:
            self._lines = visible_lines(self.document(), self.builder.map, height, scrolled)
            self._lines_key = key
        return self._lines

    def lines(self) -> list[Line]:
        return self.visible().lines

    def boundary_at(self, point: QPointF) -> int:
        """Return the offset of the boundary between two characters that is nearest to a point."""
        line = self.line_near(point.y())
        return 0 if line is None else line.boundary_at(point.x())

    def stroke_end(self, point: QPointF) -> StrokeEnd | None:
        """Return what a stroke covers that starts or ends at a point; None if there is no text."""
        line = self.line_near(point.y())
        return None if line is None else line.stroke_end(point.x())

    def stroked(self, begun: StrokeEnd, point: QPointF) -> tuple[int, int]:
        """Return the span of the characters that are seen between the start of a stroke and a point.

        In words of the other direction of writing it can differ from the span between the two offsets.
        """
        line, here = self.line_near(point.y()), self.stroke_end(point)
        if line is None or here is None:
            return begun.boundary, begun.boundary
        if here.line == begun.line:
            one, other = sorted((begun.boundary, here.boundary))
            if not line.mixed:
                return one, other
            return line.seen_between(begun.x, here.x) or (begun.boundary, begun.boundary)
        first, last = (begun, here) if here.line > begun.line else (here, begun)
        return min(first.below, last.above), max(first.below, last.above)

    def character_at(self, point: QPointF) -> int:
        line = self.line_near(point.y())
        return 0 if line is None else line.character_at(point.x())

    def bring_caret(self, *, selecting: bool = False) -> bool:
        """Move a caret that is out of view to the start of the view; return whether it was out of view.

        Keys then continue from what is visible. With ``selecting`` the caret stays at the end of a selection
        that is partly visible.
        """
        lines, caret = self.lines(), self.caret()
        if not lines or lines[0].start <= caret <= lines[-1].end:
            return False
        start, end = self.selected() if selecting else (caret, caret)
        if start < end and start < lines[-1].end and lines[0].start < end:
            return False
        self.place_caret(next((line.start for line in lines if line.top >= 0), lines[0].start), select=False)
        return True

    def line_near(self, y: float) -> Line | None:
        lines = self.lines()
        return min(lines, key=lambda line: max(line.top - y, y - line.bottom, 0.0), default=None)

    def onward(self, offset: int) -> int:
        """Return 1 if the text at an offset runs to the right, -1 if it runs to the left."""
        if self.builder is None:
            return 1
        block = self.document().findBlock(self.builder.map.to_position(offset))
        return -1 if block.textDirection() is Qt.LayoutDirection.RightToLeft else 1

    @property
    def column_width(self) -> int:
        return self.lineWrapColumnOrWidth() - 2 * PADDING

    # -- caret and selection ------------------------------------------------------------------------

    def caret(self) -> int:
        if self._beyond is not None:
            return self._beyond[1]
        return 0 if self.builder is None else self.builder.map.to_offset(self.textCursor().position())

    def character_at_caret(self) -> int:
        """Return the offset of the character behind the caret, at the end of a paragraph before it."""
        cursor = self.textCursor()
        caret = self.caret()
        return caret - 1 if cursor.atBlockEnd() and not cursor.atBlockStart() else caret

    def selected(self) -> tuple[int, int]:
        """Return the offsets of the selection; start and end are equal if nothing is selected."""
        cursor = self.textCursor()
        if self.builder is None:
            return 0, 0
        if self._beyond is not None:
            return min(self._beyond), max(self._beyond)
        offsets = self.builder.map
        return offsets.to_offset(cursor.selectionStart()), offsets.to_offset(cursor.selectionEnd())

    def place_caret(self, offset: int, *, select: bool) -> None:
        """Place the caret without scrolling; ``select`` keeps the start of the selection."""
        self._set_cursor(self._anchor() if select else None, offset, at_end=False)

    def select(self, start: int, end: int) -> None:
        if self.builder is not None:
            self._set_cursor(start, end, at_end=end > start)

    def _anchor(self) -> int:
        if self._beyond is not None or self.builder is None:
            return self._beyond[0] if self._beyond is not None else 0
        return self.builder.map.to_offset(self.textCursor().anchor())

    def _set_cursor(self, anchor: int | None, offset: int, *, at_end: bool) -> None:
        """Set anchor and caret; offsets in text that is not built yet are selected once it is."""
        if self.builder is None:
            return
        offsets, kept = self.builder.map, offset if anchor is None else anchor
        position = offsets.to_position(offset, at_end=at_end)
        cursor = QTextCursor(self.document())
        cursor.setPosition(position if anchor is None else offsets.to_position(anchor))
        cursor.setPosition(position, QTextCursor.MoveMode.KeepAnchor)
        with self._held_still():
            self.setTextCursor(cursor)
        if not self.builder.complete and max(kept, offset) > offsets.end:
            self._beyond = kept, offset

    def _reach_beyond(self, builder: Builder) -> None:
        """Extend the selection over the text that has been built since."""
        if self._beyond is not None and builder is self.builder:
            anchor, offset = self._beyond
            self._beyond = None
            self._set_cursor(anchor, offset, at_end=offset > anchor)

    def _forget_beyond(self) -> None:
        """Forget a selection in unbuilt text if the caret was moved by something other than an insertion."""
        if self.builder is None or not self.builder.inserting:
            self._beyond = None

    @contextmanager
    def _held_still(self) -> Iterator[None]:
        """Undo the scrolling that Qt adds when the caret moves."""
        bar = self.verticalScrollBar()
        value = bar.value()
        yield
        bar.setValue(value)

    # -- from the keyboard ---------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Leave moves with Ctrl to the window's shortcuts, which QTextEdit would consume."""
        if (
            isinstance(event, QKeyEvent)
            and event.type() is QEvent.Type.ShortcutOverride
            and event.key() in MOVES
            and event.modifiers() & Qt.KeyboardModifier.ControlModifier
        ):
            event.ignore()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy, or move the caret past characters that have no width."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
            return
        super().keyPressEvent(event)
        if event.key() in _MOVES_BACK:
            self._leave_hidden(-1)
        elif event.key() in _MOVES_ON:
            self._leave_hidden(1)

    def _leave_hidden(self, step: int) -> None:
        """Move the caret out of hidden characters, so that each key press has a visible effect."""
        document: QTextDocument = self.document()
        cursor = self.textCursor()
        position = cursor.position()
        while document.characterAt(position) == HIDDEN and position + step >= 0:
            position += step
        if position != cursor.position():
            kept = cursor.anchor() if cursor.hasSelection() else position
            cursor.setPosition(kept)
            cursor.setPosition(position, QTextCursor.MoveMode.KeepAnchor)
            self.setTextCursor(cursor)

    def copy(self) -> None:
        """Copy the characters of the article, not their substitutes on the screen.

        Text makes Qt create its own object: an object of Python may outlive Python in Qt's clipboard (on the
        offscreen platform), which crashes at exit.
        """
        if self._selected_text():
            QGuiApplication.clipboard().setText(self._selected_text())

    def createMimeDataFromSelection(self) -> QMimeData:
        """Return the selected characters of the article, for dragging and the middle button."""
        data = QMimeData()
        data.setText(self._selected_text())
        return data

    def _selected_text(self) -> str:
        if self.source is None:
            return ""
        start, end = self.selected()
        return self.source.text[start:end]

    # -- scrolling -----------------------------------------------------------------------------------

    @property
    def left_edge(self) -> int:
        """The x at which the text starts, in pixels of the viewport; negative if scrolled sideways."""
        return PADDING - self.horizontalScrollBar().value()

    def scroll_by(self, across: int, down: int) -> None:
        """Scroll by pixels; sideways only as far as a wide table reaches."""
        for bar, pixels in ((self.horizontalScrollBar(), across), (self.verticalScrollBar(), down)):
            bar.setValue(bar.value() + pixels)

    def visible_height(self) -> int:
        return self.viewport().height()

    def place_of(self, offset: int) -> tuple[float, float] | None:
        """Return top and bottom, in pixels of the document, of the line that holds a character."""
        held = self._line_of(offset)
        if held is None:
            return None
        block, line, _ = held
        if not line.isValid():
            return block.top(), block.bottom()
        return block.top() + line.y(), block.top() + line.y() + line.height()

    def height_of(self, offset: float) -> float:
        """Return the height, in pixels of the document, of an offset, which may be fractional.

        The characters of a line are spread evenly over its height, as in a strip of the whole text.
        """
        held = self._line_of(int(offset))
        if held is None:
            return 0.0
        block, line, position = held
        if not line.isValid():
            return block.top()
        before = position - line.textStart() + offset - int(offset)
        return block.top() + line.y() + line.height() * min(1.0, before / max(1, line.textLength()))

    def _line_of(self, offset: int) -> tuple[QRectF, QTextLine, int] | None:
        """Return the rectangle of a character's paragraph, its line, and its position in the paragraph."""
        if self.builder is None or not self.builder.map.pieces:
            return None
        position = self.builder.map.to_position(offset)
        block = self.document().findBlock(position)
        if not block.isValid():
            return None
        rect = self.document().documentLayout().blockBoundingRect(block)
        position -= block.position()
        return rect, block.layout().lineForTextPosition(position), position

    def scroll_to(self, y: float) -> None:
        self.verticalScrollBar().setValue(round(y))


def modifier_of(event: QKeyEvent) -> Qt.KeyboardModifier:
    """Return the modifier of a key itself: Qt omits it from the press, but not from the release."""
    is_alt = event.key() == Qt.Key.Key_Alt
    return Qt.KeyboardModifier.AltModifier if is_alt else Qt.KeyboardModifier.NoModifier
