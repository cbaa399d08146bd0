"""Builds the QTextDocument of an article in slices, and shows it in a QTextEdit that is read only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise

from PySide6.QtCore import QEvent, QMimeData, QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QTextCursor,
    QTextDocument,
    QTextLine,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QTextEdit, QWidget

from inexview.core.article.document import Document, Inline
from inexview.core.article.element_roles import InlineStyle
from inexview.gui.article.lines import OffsetMap, begins_leftward
from inexview.gui.article.pieces import HIDDEN, Piece, pieces, shown
from inexview.gui.article.styles import PADDING, Styles
from inexview.gui.look.layouts import timer
from inexview.gui.services.tasks import Slices

# Builds the QTextDocument of an article in slices from the event loop, so that nothing ever waits for it.
#
# The first slice is built while Qt has not yet laid the document out, and is just enough to fill a screen.
# Each further one is laid out at once: left to itself Qt lays out ever larger steps and stalls the window.

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


# A QTextEdit that is read but never edited, and speaks of offsets: Qt's positions stay in here.
#
# Being a QTextEdit it keeps what an own widget would lose: screen readers, a caret, selecting and copying
# from the keyboard.

_MOVES_BACK = {Qt.Key.Key_Left, Qt.Key.Key_Up, Qt.Key.Key_Home, Qt.Key.Key_PageUp}
_MOVES_ON = {Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_End, Qt.Key.Key_PageDown}
MOVES = _MOVES_BACK | _MOVES_ON
EMPTY_AFTER = 100  # milliseconds


class ReadingEdit(QTextEdit):
    """Shows the document of a Builder; ``builder`` is None while there is none to be shown."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.builder: Builder | None = None
        self._beyond: tuple[int, int] | None = None  # anchor and caret, where the text is not built so far
        self._held: Builder | None = None  # whose document Qt has, also where nothing of it is shown any more
        self._empty = QTextDocument()  # without a parent: setDocument deletes a document that it owns
        self._emptying = timer(self, lambda: self._hold(None), EMPTY_AFTER)
        self.setReadOnly(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByKeyboard | Qt.TextInteractionFlag.TextSelectableByMouse
        )
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setLineWrapMode(QTextEdit.LineWrapMode.FixedPixelWidth)
        self.setCursorWidth(2)
        self.cursorPositionChanged.connect(self._forget_beyond)
        self.selectionChanged.connect(self._forget_beyond)

    @property
    def source(self) -> Document | None:
        return None if self.builder is None else self.builder.document

    def show_document(self, builder: Builder | None) -> None:
        """Show what a builder builds from its beginning, or nothing; the old builder is let go."""
        self.builder = builder
        self._beyond = None
        if builder is not None:
            builder.grew.connect(self._reach_beyond)
        if builder is None and self._held is not None:
            self._emptying.start()  # mostly the next one comes before: then Qt need not lay out an empty page
        elif builder is not None:
            self._hold(builder)
        self.verticalScrollBar().setValue(0)
        self.viewport().update()

    def _hold(self, builder: Builder | None) -> None:
        """Give Qt the document of a builder, or an empty one."""
        self._emptying.stop()
        gone, self._held = self._held, builder
        self.setDocument(self._empty if builder is None else builder.text_document)
        if gone is not None:
            gone.deleteLater()

    # -- the caret and what is selected --------------------------------------------------------------

    def caret(self) -> int:
        if self._beyond is not None:
            return self._beyond[1]
        return 0 if self.builder is None else self.builder.map.to_offset(self.textCursor().position())

    def character_at_caret(self) -> int:
        """Return the offset of the character behind the caret; at a paragraph's end of that before it."""
        cursor = self.textCursor()
        caret = self.caret()
        return caret - 1 if cursor.atBlockEnd() and not cursor.atBlockStart() else caret

    def selected(self) -> tuple[int, int]:
        """Return the offsets of what is selected; start and end are equal where nothing is."""
        cursor = self.textCursor()
        if self.builder is None:
            return 0, 0
        if self._beyond is not None:
            return min(self._beyond), max(self._beyond)
        offsets = self.builder.map
        return offsets.to_offset(cursor.selectionStart()), offsets.to_offset(cursor.selectionEnd())

    def place_caret(self, offset: int, *, select: bool) -> None:
        """Put the caret somewhere without scrolling; ``select`` keeps where the selection began."""
        self._set_cursor(self._anchor() if select else None, offset, at_end=False)

    def select(self, start: int, end: int) -> None:
        """Select characters without scrolling; the caret is at the end."""
        if self.builder is not None:
            self._set_cursor(start, end, at_end=end > start)

    def _anchor(self) -> int:
        """Return the offset where the selection began."""
        if self._beyond is not None or self.builder is None:
            return self._beyond[0] if self._beyond is not None else 0
        return self.builder.map.to_offset(self.textCursor().anchor())

    def _set_cursor(self, anchor: int | None, offset: int, *, at_end: bool) -> None:
        """Put caret and anchor at offsets; what is not built yet counts as selected all the same."""
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
        """Select what is wanted, as far as it is built now."""
        if self._beyond is not None and builder is self.builder:
            anchor, offset = self._beyond
            self._beyond = None
            self._set_cursor(anchor, offset, at_end=offset > anchor)

    def _forget_beyond(self) -> None:
        """Let go of what was wanted: the caret was put elsewhere, and not moved along by text that came."""
        if self.builder is None or not self.builder.inserting:
            self._beyond = None

    @contextmanager
    def _held_still(self) -> Iterator[None]:
        """Undo the scrolling that Qt adds to whatever moves the caret."""
        bar = self.verticalScrollBar()
        value = bar.value()
        yield
        bar.setValue(value)

    # -- from the keyboard ---------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Leave moving with Ctrl to the window's shortcuts: QTextEdit would keep it to itself."""
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
        """Copy and move the caret as everywhere, but past what has no width."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
            return
        super().keyPressEvent(event)
        if event.key() in _MOVES_BACK:
            self._leave_hidden(-1)
        elif event.key() in _MOVES_ON:
            self._leave_hidden(1)

    def _leave_hidden(self, step: int) -> None:
        """Move the caret out of characters that are not seen, so that each key press shows."""
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
        """Copy the characters of the article, not those that stand in for them on the screen.

        As text, which makes Qt's own object: one of Python's may outlive Python in a clipboard of Qt's
        (that of the offscreen platform), and ends the program with a crash.
        """
        if self._selected_text():
            QGuiApplication.clipboard().setText(self._selected_text())

    def createMimeDataFromSelection(self) -> QMimeData:
        """Give what is dragged, or selected for the middle button, the characters of the article too."""
        data = QMimeData()
        data.setText(self._selected_text())
        return data

    def _selected_text(self) -> str:
        if self.source is None:
            return ""
        start, end = self.selected()
        return self.source.text[start:end]

    def _scrolled(self) -> QPointF:
        return QPointF(self.horizontalScrollBar().value(), self.verticalScrollBar().value())

    # -- scrolling -----------------------------------------------------------------------------------

    def scroll_by(self, pixels: int) -> None:
        self.verticalScrollBar().setValue(self.verticalScrollBar().value() + pixels)

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
        """Return the height, in pixels of the document, of an offset that may be between two characters.

        The characters of a line share its height, as they do in a strip that stands for the whole text.
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
        """Return where the paragraph of a character is, its line there, and its position in the paragraph."""
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
        """Put a height of the document at the top of the viewport."""
        self.verticalScrollBar().setValue(round(y))


def modifier_of(event: QKeyEvent) -> Qt.KeyboardModifier:
    """Return the modifier that a key is: Qt does not count it on its press, and still does on its release."""
    is_alt = event.key() == Qt.Key.Key_Alt
    return Qt.KeyboardModifier.AltModifier if is_alt else Qt.KeyboardModifier.NoModifier
