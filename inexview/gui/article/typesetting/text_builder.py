"""Builds the QTextDocument of an article in slices from the event loop, so that nothing ever waits for it.

The first slice is built while Qt has not yet laid the document out, and is just enough to fill a screen.
Each further one is laid out at once: left to itself Qt lays out ever larger steps and stalls the window.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QTextCursor, QTextDocument, QTextOption

from inexview.core.article.document import Document, Inline
from inexview.core.article.element_roles import InlineStyle
from inexview.gui.article.typesetting.lines import begins_leftward
from inexview.gui.article.typesetting.pieces import Piece, pieces, shown
from inexview.gui.article.typesetting.styles import PADDING, Styles
from inexview.gui.article.typesetting.text_positions import OffsetMap
from inexview.gui.services.slices import Slices

# Work is counted in characters; a piece costs about as much as so many of them.
PIECE_COST = 60
FIRST_SLICE = 6_000
SCREENFUL = 1.5  # letters in each em by em of a screen, more than there are
LEAST_SLICE, SLICE = 2_000, 9_000
# And so much of it a step without a piece, of which a long table takes many; at first they may take longer.
STEP_COST, FIRST_STEP_COST = 560, 150
_NOTE, _RAISED = {InlineStyle.REFERENCE}, {InlineStyle.SUPERSCRIPT}
ABOVE_EM = 1.2  # page above the title
BELOW_EM = 5.0  # and below the last line, which need not be read at the very edge


class Builder(QObject):
    """Fills one QTextDocument with one article; ``pieces[i]`` is the piece of the map's i-th."""

    grew = Signal(object)  # the Builder, after each slice
    finished = Signal(object)  # the Builder

    def __init__(
        self, document: Document, styles: Styles, parent: QObject | None = None, width: int | None = None
    ) -> None:
        """``width`` is what tables have room for, in pixels; that of the whole reading column if not said."""
        super().__init__(parent)
        self.document = document
        self.styles = styles
        self.text_document = _empty_document(styles, self)
        self.map = OffsetMap(document.text)
        self.pieces: list[Piece] = []
        self.complete = False
        self.inserting = False
        self.width = styles.column - 2 * PADDING if width is None else width
        self.tabular = False  # whether there is a table, which would stand otherwise at another width
        self._source: Iterator[Piece | None] = pieces(
            document, self.width, styles.measure_cell, styles.box_inset
        )
        self._inlines = _InlineRuns(document)
        self._cursor = QTextCursor(self.text_document)
        # A slice is counted in characters: what it costs is only known once Qt has laid it out.
        self._slices = Slices(self, seconds=0)

    def start(self, height: int | None = None) -> None:
        """Build the first slice at once; the rest follows from the event loop.

        It is no more than fills a page of ``height`` pixels, if that is known.
        """
        budget = FIRST_SLICE
        if height is not None:
            budget = max(round(SCREENFUL * self.width * height / self.styles.size**2), LEAST_SLICE)
        self._insert(budget, FIRST_STEP_COST)

    def go_on(self, delay: int = 0) -> None:
        """Build the rest, slice by slice, beginning in so many milliseconds."""
        if not self._slices.active and not self.complete:
            self._slices.start(self.rest())
        self._slices.wait(delay)

    def stop(self) -> None:
        self._slices.stop()

    def rest(self) -> Iterator[None]:
        """Build what is missing, a slice for each step."""
        while not self.complete:
            self._next_slice()
            yield

    def _next_slice(self) -> None:
        self._insert(SLICE)
        # Asking for the last block's place makes Qt lay out everything before it.
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
                text, form = text[-1:], self.styles.spaced(form)  # else a note sticks to the word before it
            self._cursor.insertText(text, form)


def _empty_document(styles: Styles, owner: QObject) -> QTextDocument:
    # Owned, because PySide lets a QTextEdit keep a reference to every document that it was ever given.
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
    """Hands out, piece after piece, the stretches over which the inline styles do not change."""

    _PLAIN: frozenset[InlineStyle] = frozenset()

    def __init__(self, document: Document) -> None:
        self._inlines = iter(document.inlines)
        self._next: Inline | None = next(self._inlines, None)
        self._open: dict[InlineStyle, int] = {}  # styles that go on in the next piece, and where they end

    def within(self, start: int, end: int) -> list[tuple[int, int, frozenset[InlineStyle]]]:
        """Return (start, end, styles) that tile ``[start, end)``; to be asked in order."""
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
