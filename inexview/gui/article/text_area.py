"""The reading column: a QTextEdit that is read and written on with a pen, but never edited.

Being a QTextEdit it keeps what an own widget would lose: screen readers, a caret, selecting and copying from
the keyboard.  What lies over the text is painted beneath and above it and never touches the document.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from PySide6.QtCore import QEvent, QMimeData, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QFrame, QTextEdit, QWidget

from inexview.core.document import Document
from inexview.core.spans import Offsets
from inexview.gui.article.build import Builder
from inexview.gui.article.decorations import paint_decorations
from inexview.gui.article.lines import NO_LINES, Line, Lines, visible_lines
from inexview.gui.article.overlays import Channels, Stroke, Tool
from inexview.gui.article.painter import OverlayPainter
from inexview.gui.article.pen import Pen
from inexview.gui.article.pieces import HIDDEN
from inexview.gui.article.styles import PADDING, Styles

GUTTER = 92  # pixels at least, left of the column
RIGHT_MARGIN = 10
_NONE = np.empty(0, np.int64)
_MOVES_BACK = {Qt.Key.Key_Left, Qt.Key.Key_Up, Qt.Key.Key_Home, Qt.Key.Key_PageUp}
_MOVES_ON = {Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_End, Qt.Key.Key_PageDown}


class TextArea(QTextEdit):
    """Shows one document; knows offsets only, all positions of Qt stay in here."""

    first_painted = Signal(object)  # Document
    viewport_moved = Signal(object)  # None: scrolled, resized or grown

    def __init__(self, styles: Styles, parent: QWidget) -> None:
        super().__init__(parent)
        self.styles = styles
        self.pen = Pen(self, self)
        self.veiled = False  # nothing is shown until the place to be shown is built
        self._builder: Builder | None = None
        self._awaiting_paint = False
        self._channels = Channels()
        self._preview: Stroke | None = None
        self._ghost: int | None = None
        self._found: tuple[Offsets, Offsets, int | None] = (_NONE, _NONE, None)
        self._subtitle = ""
        self._lines = NO_LINES
        self._lines_key: tuple[object, ...] = ()
        self._empty = QTextDocument()  # without a parent: setDocument deletes a document that it owns
        self._set_up()
        self.pen.previewed.connect(self._show_preview)
        self.pen.ghosted.connect(self._show_ghost)
        self.pen.mode_changed.connect(self._show_mode)

    def _set_up(self) -> None:
        self.setObjectName("article-text")
        self.setAccessibleName(self.tr("Article text"))
        self.setReadOnly(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByKeyboard | Qt.TextInteractionFlag.TextSelectableByMouse
        )
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setLineWrapMode(QTextEdit.LineWrapMode.FixedPixelWidth)
        self.setCursorWidth(2)
        self.setAutoFillBackground(True)  # the margins are page, too
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.viewport().setMouseTracking(True)
        self.verticalScrollBar().valueChanged.connect(self._on_moved)
        self.set_styles(self.styles)

    # -- what is shown -------------------------------------------------------------------------------

    @property
    def source(self) -> Document | None:
        """The article that is shown."""
        return None if self._builder is None else self._builder.document

    @property
    def builder(self) -> Builder | None:
        """What builds, or has built, the shown article."""
        return self._builder

    def set_styles(self, styles: Styles) -> None:
        """Take on a theme and a reading size; a document already shown keeps the formats that it has."""
        self.styles = styles
        palette = QPalette(self.palette())
        for role, token in (
            (QPalette.ColorRole.Base, "page"),
            (QPalette.ColorRole.Window, "page"),
            (QPalette.ColorRole.Text, "text"),
            (QPalette.ColorRole.Highlight, "selection"),
            (QPalette.ColorRole.HighlightedText, "text"),
        ):
            palette.setColor(role, styles.theme.color(token))
        self.setPalette(palette)
        self._centre_column()
        self.viewport().update()

    def show_builder(self, builder: Builder | None, *, veiled: bool) -> None:
        """Show the document of a builder, whose first slice is there, or none; the old one is let go."""
        self.pen.give_up()
        self._builder = builder
        self._lines, self._lines_key = NO_LINES, ()
        self._found = (_NONE, _NONE, None)
        self.veiled = veiled
        self._awaiting_paint = builder is not None
        self.setDocument(self._empty if builder is None else builder.text_document)
        self.verticalScrollBar().setValue(0)
        self.viewport().update()

    def grow(self) -> None:
        """Take note that the builder has appended text: it is seen only where the viewport had room left."""
        if not self._lines.filled:
            self._on_moved()

    def set_channels(self, channels: Channels) -> None:
        """Lay marks and a run over the text; neither scrolls nor lays out anything."""
        self._channels = channels
        self.viewport().update()

    def set_found(self, starts: Offsets, ends: Offsets, current: int | None) -> None:
        """Show the places that Find found; ``current`` is the index of the one the reader is at."""
        self._found = (starts, ends, current)
        self.viewport().update()

    def set_subtitle(self, subtitle: str) -> None:
        """Write a line under the title that is not part of the text."""
        self._subtitle = subtitle
        self.viewport().update()

    # -- places --------------------------------------------------------------------------------------

    def visible(self) -> Lines:
        """Return the lines that are visible; they are kept until something moves them."""
        if self._builder is None or self.veiled:
            return NO_LINES
        scrolled, height = self._scrolled(), self.viewport().height()
        key = (self._builder, scrolled.x(), scrolled.y(), height, self.lineWrapColumnOrWidth())
        if key != self._lines_key or not self._lines.filled:
            self._lines = visible_lines(self.document(), self._builder.map, height, scrolled)
            self._lines_key = key
        return self._lines

    def lines(self) -> list[Line]:
        """Return the lines that are visible, from top to bottom."""
        return self.visible().lines

    def boundary_at(self, point: QPointF) -> int:
        """Return the offset of the place between two characters that is nearest to a point."""
        line = self._line_near(point.y())
        return 0 if line is None else line.boundary_at(point.x())

    def character_at(self, point: QPointF) -> int:
        """Return the offset of the character at, or nearest to, a point."""
        line = self._line_near(point.y())
        return 0 if line is None else line.character_at(point.x())

    def _line_near(self, y: float) -> Line | None:
        lines = self.lines()
        return min(lines, key=lambda line: max(line.top - y, y - line.bottom, 0.0), default=None)

    def caret(self) -> int:
        """Return the offset of the caret."""
        return 0 if self._builder is None else self._builder.map.to_offset(self.textCursor().position())

    def character_at_caret(self) -> int:
        """Return the offset of the character behind the caret; at a paragraph's end of that before it."""
        cursor = self.textCursor()
        caret = self.caret()
        return caret - 1 if cursor.atBlockEnd() and not cursor.atBlockStart() else caret

    def selected(self) -> tuple[int, int]:
        """Return the offsets of what is selected; start and end are equal where nothing is."""
        cursor = self.textCursor()
        if self._builder is None:
            return 0, 0
        offsets = self._builder.map
        return offsets.to_offset(cursor.selectionStart()), offsets.to_offset(cursor.selectionEnd())

    def place_caret(self, offset: int, *, select: bool) -> None:
        """Put the caret somewhere without scrolling; ``select`` keeps where the selection began."""
        anchor = self.textCursor().anchor() if select else None
        self._set_cursor(anchor, offset, at_end=False)

    def select(self, start: int, end: int) -> None:
        """Select characters without scrolling; the caret stands at the end."""
        if self._builder is not None:
            self._set_cursor(self._builder.map.to_position(start), end, at_end=end > start)

    def _set_cursor(self, anchor: int | None, offset: int, *, at_end: bool) -> None:
        if self._builder is None:
            return
        position = self._builder.map.to_position(offset, at_end=at_end)
        cursor = QTextCursor(self.document())
        cursor.setPosition(position if anchor is None else anchor)
        cursor.setPosition(position, QTextCursor.MoveMode.KeepAnchor)
        with self._held_still():
            self.setTextCursor(cursor)

    @contextmanager
    def _held_still(self) -> Iterator[None]:
        """Undo the scrolling that Qt adds to whatever moves the caret."""
        bar = self.verticalScrollBar()
        value = bar.value()
        yield
        bar.setValue(value)

    def _scrolled(self) -> QPointF:
        return QPointF(self.horizontalScrollBar().value(), self.verticalScrollBar().value())

    # -- scrolling -----------------------------------------------------------------------------------

    def scroll_by(self, pixels: int) -> None:
        """Scroll down by so many pixels."""
        self.verticalScrollBar().setValue(self.verticalScrollBar().value() + pixels)

    def visible_height(self) -> int:
        """Return the height of the viewport in pixels."""
        return self.viewport().height()

    def place_of(self, offset: int) -> tuple[float, float] | None:
        """Return top and bottom, in pixels of the document, of the line that holds a character."""
        if self._builder is None or not self._builder.map.pieces:
            return None
        position = self._builder.map.to_position(offset)
        block = self.document().findBlock(position)
        if not block.isValid():
            return None
        rect = self.document().documentLayout().blockBoundingRect(block)
        line = block.layout().lineForTextPosition(position - block.position())
        if not line.isValid():
            return rect.top(), rect.bottom()
        return rect.top() + line.y(), rect.top() + line.y() + line.height()

    def scroll_to(self, y: float) -> None:
        """Put a height of the document at the top of the viewport."""
        self.verticalScrollBar().setValue(round(y))

    # -- painting ------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the page, what lies under the text, the text, and what lies over it."""
        dirty = event.rect()
        painter = QPainter(self.viewport())
        painter.fillRect(dirty, self.styles.theme.color("page"))
        if self._builder is None or self.veiled:
            return
        lines = self.visible().between(dirty.top() - 6, dirty.bottom() + 6)
        painter.setClipRect(dirty)
        overlays = OverlayPainter(painter, self.styles.theme, self.styles.size / 17, lines)
        overlays.backgrounds(self._channels)
        overlays.found(*self._found)
        if self._preview is not None:
            overlays.preview(self._preview)
        paint_decorations(painter, self, lines, self._subtitle)
        painter.end()
        super().paintEvent(event)
        self._paint_over(dirty, lines)
        if self._awaiting_paint:
            self._awaiting_paint = False
            self.first_painted.emit(self._builder.document)

    def _paint_over(self, dirty: QRect, lines: list[Line]) -> None:
        painter = QPainter(self.viewport())
        painter.setClipRect(dirty)
        overlays = OverlayPainter(painter, self.styles.theme, self.styles.size / 17, lines)
        overlays.false_alarms(self._channels)
        if self._preview is not None and self._preview.tool is Tool.ERASE:
            overlays.struck(self._preview)
        overlay = self._channels.overlay
        if overlay.entry is not None:
            overlays.tick(overlay.entry, "hit", dashed=True)
        if overlay.bep is not None:
            overlays.tick(overlay.bep, "bep")
        if self._ghost is not None:
            overlays.tick(self._ghost, "bep", dashed=True)
        painter.end()

    def _show_preview(self, stroke: Stroke | None) -> None:
        old, self._preview = self._preview, stroke
        self._update_lines([edge for edge in (old, stroke) if edge is not None], old, stroke)

    def _update_lines(self, strokes: list[Stroke], old: Stroke | None, new: Stroke | None) -> None:
        """Repaint only the lines in which a preview changed."""
        start = min(stroke.start for stroke in strokes)
        end = max(stroke.end for stroke in strokes)
        if old is not None and new is not None and old.tool is new.tool:
            if old.start == new.start:
                start = min(old.end, new.end)
            elif old.end == new.end:
                end = max(old.start, new.start)
        lines = [line for line in self.lines() if line.start <= end and line.end >= start]
        if lines:
            top = min(line.top for line in lines) - 6
            bottom = max(line.bottom for line in lines) + 6
            self.viewport().update(QRectF(0, top, self.viewport().width(), bottom - top).toAlignedRect())

    def _show_ghost(self, offset: int | None) -> None:
        self._ghost = offset
        self.viewport().update()

    def _show_mode(self, _: object = None) -> None:
        shape = Qt.CursorShape.PointingHandCursor if self.pen.choosing else Qt.CursorShape.IBeamCursor
        self.viewport().setCursor(shape)

    def _on_moved(self, *_: object) -> None:
        self.viewport_moved.emit(None)

    # -- events --------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Give it to the pen: Qt would begin to drag selected text."""
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self.pen.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Give it to the pen."""
        self.pen.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Give it to the pen."""
        self.pen.release(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Give it to the pen."""
        self.pen.double_click(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Show no menu: the right button erases."""
        event.ignore()

    def event(self, event: QEvent) -> bool:
        """Keep Esc from the window's shortcuts while there is something to give up."""
        if (
            event.type() is QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
            and self.pen.busy
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the caret as everywhere, past what has no width; Esc gives up what was begun."""
        if event.key() == Qt.Key.Key_Escape and self.pen.busy:
            self.pen.give_up()
            return
        self.pen.modifiers_changed(event.modifiers() | _modifier_of(event))
        super().keyPressEvent(event)
        if event.key() in _MOVES_BACK:
            self._leave_hidden(-1)
        elif event.key() in _MOVES_ON:
            self._leave_hidden(1)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Tell the pen that Alt was let go."""
        self.pen.modifiers_changed(event.modifiers() & ~_modifier_of(event))
        super().keyReleaseEvent(event)

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

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy the characters of the article, not those that stand in for them on the screen."""
        data = QMimeData()
        if self.source is not None:
            start, end = self.selected()
            data.setText(self.source.text[start:end])
        return data

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the column in the middle."""
        super().resizeEvent(event)
        self._centre_column()
        self.viewport_moved.emit(None)

    def _centre_column(self) -> None:
        """Set the margins so that the column stands in the middle; lay out again only if it must shrink."""
        available = self.width() - self.verticalScrollBar().sizeHint().width()
        column = max(120, min(self.styles.column, available - GUTTER - RIGHT_MARGIN))
        left = max(GUTTER, (available - column) // 2)
        self.setViewportMargins(left, 0, max(0, available - left - column), 0)
        if self.lineWrapColumnOrWidth() != column:
            self.setLineWrapColumnOrWidth(column)

    @property
    def column_width(self) -> int:
        """The width in pixels that the text may take."""
        return self.lineWrapColumnOrWidth() - 2 * PADDING


def _modifier_of(event: QKeyEvent) -> Qt.KeyboardModifier:
    """Return the modifier that a key is: Qt does not count it on its press, and still does on its release."""
    is_alt = event.key() == Qt.Key.Key_Alt
    return Qt.KeyboardModifier.AltModifier if is_alt else Qt.KeyboardModifier.NoModifier
