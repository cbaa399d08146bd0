"""The reading column with the pen on it and everything that lies over the text.

What lies over the text is painted beneath and above it and never touches the document.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from inexview.core.text.spans import Offsets
from inexview.gui.article.decorations import Subtitle, paint_decorations
from inexview.gui.article.eraser_cursor import eraser_cursor
from inexview.gui.article.frames import paint_ground
from inexview.gui.article.hand import Hand
from inexview.gui.article.lines import NO_LINES, Line, Lines, visible_lines
from inexview.gui.article.mark_ends import MarkEnds
from inexview.gui.article.outline_painter import OutlineLevel, levels, paint_outlines, stretch
from inexview.gui.article.outlines import Outlines
from inexview.gui.article.overlays import Channels, Stroke, Tool
from inexview.gui.article.painter import OverlayPainter, changed_band
from inexview.gui.article.pen import Pen
from inexview.gui.article.reading_edit import MOVES, ReadingEdit, modifier_of
from inexview.gui.article.styles import PADDING, Styles
from inexview.gui.article.text_builder import Builder
from inexview.gui.article.top_line import TopLine
from inexview.gui.article.unit_edges import UnitEdges
from inexview.gui.article.word_layer import WordLayer, WordPlaces
from inexview.gui.look.symbols import run_color

GUTTER = 92  # pixels at least, left of the column
RIGHT_MARGIN = 36  # so that the signs of notes and ticks have room
_NONE = np.empty(0, np.int64)
_SIDEWAYS = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}


class TextArea(ReadingEdit):
    """Shows one document with what lies over it, and hands the mouse to the pen."""

    first_painted = Signal(object)  # Document
    viewport_moved = Signal(object)  # None: scrolled, resized or grown
    column_changed = Signal(object)  # None: text has another width now
    got_keyboard = Signal(object)  # None
    menu_wanted = Signal(object)  # QPoint on the screen

    def __init__(self, styles: Styles, parent: QWidget) -> None:
        super().__init__(parent)
        self.styles = styles
        self.top_line = TopLine(self)
        self.hand = Hand(self)
        self.ends = MarkEnds(self, self.hand, self)
        self.pen = Pen(self, self.hand, self.ends, self)
        self.outlines = Outlines(self, self)
        self.words = WordLayer(self)
        self._edges = UnitEdges(self, self)
        self.veiled = False  # nothing is shown until the place to be shown is built
        self._awaiting_paint = False
        self._over_end = False  # the mouse is at the end of a mark
        self._channels = Channels()
        self._preview: Stroke | None = None
        self._ghost: int | None = None
        self._outlined: list[OutlineLevel] = []
        self._found: tuple[Offsets, Offsets, int | None] = (_NONE, _NONE, None)
        self.subtitle = Subtitle(self)
        self._lines = NO_LINES
        self._lines_key: tuple[object, ...] = ()
        self._set_up()
        self.pen.previewed.connect(self._show_preview)
        self.pen.ghosted.connect(self._show_ghost)
        self.pen.mode_changed.connect(self._show_mode)
        self.hand.changed.connect(self._show_mode)
        self.ends.changed.connect(lambda _: self.viewport().update())
        self.outlines.moved.connect(self._show_outlines)
        self.cursorPositionChanged.connect(self.outlines.caret_moved)
        self.viewport_moved.connect(self._show_words)

    def _set_up(self) -> None:
        self.setObjectName("article-text")
        self.setAccessibleName("Article text")
        self.setAutoFillBackground(True)  # the margins are page, too
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.viewport().setMouseTracking(True)
        self.verticalScrollBar().valueChanged.connect(self._on_moved)
        self.set_styles(self.styles)

    # -- what is shown -------------------------------------------------------------------------------

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
        self._show_mode()
        self.viewport().update()

    def show_builder(self, builder: Builder | None, *, veiled: bool) -> None:
        """Show the document of a builder, whose first slice is there, or none; the old one is let go."""
        self.pen.give_up()
        self._lines, self._lines_key = NO_LINES, ()
        self._found = (_NONE, _NONE, None)
        self.setExtraSelections([])
        self.veiled = veiled
        self._awaiting_paint = builder is not None
        self.show_document(builder)

    def grow(self) -> None:
        """Take note that the builder has appended text: it is seen only where the viewport had room left."""
        if not self._lines.filled:
            self._on_moved()

    def set_channels(self, channels: Channels) -> None:
        """Lay marks and a run over the text; neither scrolls nor lays out anything."""
        before, self._channels = self._channels.overlay, channels
        self.words.set_marks(channels.overlay.marks)
        self._show_words()
        if not channels.overlay.differs_by_marks(before):
            self.viewport().update()
        elif band := changed_band(self.lines(), before.marks, channels.overlay.marks):
            self._update_between(*band)

    def set_words(self, words: Sequence[WordPlaces]) -> None:
        """Colour words in the text; neither scrolls nor lays out anything."""
        self.words.set_words(words)
        self._show_words()
        self.viewport().update()

    def _show_words(self, _: object = None) -> None:
        self.words.show(self.lines(), self.builder, self.styles.theme)

    def set_found(self, starts: Offsets, ends: Offsets, current: int | None) -> None:
        """Show the places that Find found; ``current`` is the index of the one the reader is at."""
        self._found = (starts, ends, current)
        self.viewport().update()

    # -- places --------------------------------------------------------------------------------------

    def visible(self) -> Lines:
        """Return the lines that are visible; they are kept until something moves them."""
        if self.builder is None or self.veiled:
            return NO_LINES
        scrolled, height = self._scrolled(), self.viewport().height()
        key = (self.builder, scrolled.x(), scrolled.y(), height, self.lineWrapColumnOrWidth())
        if key != self._lines_key or not self._lines.filled:
            self._lines = visible_lines(self.document(), self.builder.map, height, scrolled)
            self._lines_key = key
        return self._lines

    def lines(self) -> list[Line]:
        """Return the lines that are visible, from top to bottom."""
        return self.visible().lines

    def boundary_at(self, point: QPointF) -> int:
        """Return the offset of the place between two characters that is nearest to a point."""
        line = self.line_near(point.y())
        return 0 if line is None else line.boundary_at(point.x())

    def character_at(self, point: QPointF) -> int:
        """Return the offset of the character at, or nearest to, a point."""
        line = self.line_near(point.y())
        return 0 if line is None else line.character_at(point.x())

    def bring_caret(self) -> bool:
        """Put a caret that is out of sight where the view begins; True where it was out of sight.

        Keys then go on from what is seen, and never back to where the caret was left.
        """
        lines, caret = self.lines(), self.caret()
        if not lines or lines[0].start <= caret <= lines[-1].end:
            return False
        self.place_caret(next((line.start for line in lines if line.top >= 0), lines[0].start), select=False)
        return True

    def line_near(self, y: float) -> Line | None:
        """Return the visible line that is nearest to a height."""
        lines = self.lines()
        return min(lines, key=lambda line: max(line.top - y, y - line.bottom, 0.0), default=None)

    # -- painting ------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        dirty = event.rect()
        painter = QPainter(self.viewport())
        painter.fillRect(dirty, self.styles.theme.color("page"))
        if self.builder is None or self.veiled:
            return
        lines = self.visible().between(dirty.top() - 6, dirty.bottom() + 6)
        painter.setClipRect(dirty)
        overlays = OverlayPainter(painter, self.styles.theme, self.styles.size / 17, lines)
        paint_ground(painter, self)
        overlays.backgrounds(self._channels)
        overlays.found(*self._found)
        if (preview := self._preview or self.ends.offer) is not None:
            overlays.preview(preview)
        overlays.words(self.words.words)
        paint_decorations(painter, self, lines, self.subtitle)
        paint_outlines(painter, self.styles.theme, self.column_width, self.lines(), self.outlines)
        painter.end()
        super().paintEvent(event)
        self._paint_over(dirty, lines)
        if self._awaiting_paint:
            self._awaiting_paint = False
            self._show_words()  # of a document that is built again no line was seen before
            self.first_painted.emit(self.builder.document)

    def _paint_over(self, dirty: QRect, lines: list[Line]) -> None:
        painter = QPainter(self.viewport())
        painter.setClipRect(dirty)
        overlays = OverlayPainter(painter, self.styles.theme, self.styles.size / 17, lines)
        overlays.false_alarms(self._channels)
        if self._preview is not None and self._preview.tool is Tool.ERASE:
            overlays.hatched(self._preview)
        overlay = self._channels.overlay
        overlays.not_read(overlay)
        self._edges.paint(painter, self.styles.theme)
        if overlay.entry is not None:
            overlays.tick(overlay.entry, run_color(self.styles.theme, overlay.style), dashed=True)
        if overlay.bep is not None:
            overlays.tick(overlay.bep, self.styles.theme.color("bep"))
        if self.ends.held is not None:
            overlays.handle(self.ends.held)
        if self._ghost is not None:
            overlays.tick(self._ghost, self.styles.theme.color("bep"), dashed=True)
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
            self._update_between(min(line.top for line in lines) - 6, max(line.bottom for line in lines) + 6)

    def _show_outlines(self, _: object) -> None:
        """Repaint only the lines in which an outline changed."""
        old, self._outlined = self._outlined, levels(self.outlines)
        if old == self._outlined:
            return
        if not old or not self._outlined:
            self.viewport().update()
        elif found := stretch(self.lines(), self.outlines, {*old} ^ {*self._outlined}):
            self._update_between(*found)

    def _update_between(self, top: float, bottom: float) -> None:
        self.viewport().update(QRectF(0, top, self.viewport().width(), bottom - top).toAlignedRect())

    def _show_ghost(self, offset: int | None) -> None:
        self._ghost = offset
        self.viewport().update()

    def _show_mode(self, _: object = None) -> None:
        """Show with the mouse's cursor what is in the hand."""
        if self.pen.choosing:
            self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        elif self._over_end:
            self.viewport().setCursor(Qt.CursorShape.SizeHorCursor)
        elif self.hand.live and self.hand.tool is Tool.ERASE:
            self.viewport().setCursor(eraser_cursor(self.styles.theme))
        else:
            self.viewport().setCursor(Qt.CursorShape.IBeamCursor)

    def _on_moved(self, *_: object) -> None:
        self.outlines.scrolled()
        self.viewport_moved.emit(None)

    # -- events --------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Give it to the pen: Qt would begin to drag selected text."""
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self.pen.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.pen.move(event)
        self.outlines.hover(event.position())
        over_end = not event.buttons() and not self.pen.busy and self.ends.at(event.position()) is not None
        if over_end is not self._over_end:
            self._over_end = over_end
            self._show_mode()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.pen.release(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.pen.double_click(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.got_keyboard.emit(None)

    def leaveEvent(self, event: QEvent) -> None:
        """Keep the outline where it is: the mouse is on its way to a menu."""
        super().leaveEvent(event)
        self.outlines.mouse_left()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll; with Alt, go outward or inward in the outlined elements."""
        turned = event.angleDelta().y() or event.angleDelta().x()  # Alt makes some desktops turn it sideways
        if event.modifiers() & Qt.KeyboardModifier.AltModifier:
            if turned:
                (self.outlines.outward if turned > 0 else self.outlines.inward)()
            event.accept()
        else:
            super().wheelEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer a menu where a key asks for it; the right button has its own way to it."""
        if event.reason() is not QContextMenuEvent.Reason.Mouse:
            self.menu_wanted.emit(event.globalPos())

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Hold the next end of a mark with Tab; without marks, give the keyboard to what comes next."""
        return self.ends.hold_next(1 if forward else -1) or super().focusNextPrevChild(forward)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Tell the pen that Alt is down, and leave Esc to the view."""
        if event.key() == Qt.Key.Key_Escape:
            event.ignore()
            return
        self.pen.modifiers_changed(event.modifiers() | modifier_of(event))
        if self.ends.held is not None and event.key() in _SIDEWAYS and not event.modifiers():
            if not event.isAutoRepeat():
                self.ends.move(_SIDEWAYS[Qt.Key(event.key())])
            return
        if event.key() in MOVES:
            self.ends.let_go()
            self.bring_caret()
        super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        self.pen.modifiers_changed(event.modifiers() & ~modifier_of(event))
        if not event.isAutoRepeat() and not modifier_of(event):
            self.hand.let_up()
        super().keyReleaseEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        with self.top_line.held():
            super().resizeEvent(event)
            self._centre_column()
        self.viewport_moved.emit(None)

    def _centre_column(self) -> None:
        """Set the margins so that the column is in the middle; lay out again only if it must shrink."""
        available = self.width() - self.verticalScrollBar().sizeHint().width()
        column = max(120, min(self.styles.column, available - GUTTER - RIGHT_MARGIN))
        left = max(GUTTER, (available - column) // 2)
        self.setViewportMargins(left, 0, max(0, available - left - column), 0)
        if self.lineWrapColumnOrWidth() != column:
            self.setLineWrapColumnOrWidth(column)
            self.column_changed.emit(None)

    @property
    def column_width(self) -> int:
        """The width in pixels that the text may take."""
        return self.lineWrapColumnOrWidth() - 2 * PADDING
