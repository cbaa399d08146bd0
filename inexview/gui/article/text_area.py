"""The reading column: the text with what lies over it, and mouse and keys for pen and outlines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QCursor,
    QFocusEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QPixmap,
    QPolygonF,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from inexview.gui.article.outlines import Outlines
from inexview.gui.article.overlays import Channels, Tool
from inexview.gui.article.pen import MarkEnds, Pen, PenState
from inexview.gui.article.ruler import Ruler
from inexview.gui.article.styles import Styles
from inexview.gui.article.text_document import (
    MOVES,
    Builder,
    ReadingEdit,
    modifier_of,
)
from inexview.gui.article.text_layers import AROUND, NOTHING, TextLayers, WordPlaces
from inexview.gui.look.theme import Theme

# The line at the top of the viewport, which stays there when the text gets another width or size.
#
# What is kept is an offset, not pixels; it is forgotten as soon as one scrolls.


class TopLine:
    """Knows the first line that is wholly seen, and brings it back."""

    def __init__(self, area: TextArea) -> None:
        self._area = area
        self._kept: tuple[int, float] | None = None  # offset, and pixels between it and the viewport's top
        self._moving = False
        area.verticalScrollBar().valueChanged.connect(self._on_scrolled)

    @property
    def offset(self) -> int:
        """Where the line begins, 0 at the very top."""
        return self._now()[0]

    def keep(self, offset: int) -> None:
        """Let the line that holds an offset be it, where it is now, until one scrolls."""
        place = self._area.place_of(offset)
        if place is not None:
            self._kept = (offset, place[0] - self._area.verticalScrollBar().value())

    @contextmanager
    def held(self) -> Iterator[None]:
        """Bring the line back to its height after whatever lays the text out in another way."""
        offset, y = self._kept = self._now()
        self._moving = True
        yield
        place = self._area.place_of(offset)
        if place is not None:
            self._area.scroll_to(0 if offset == 0 else place[0] - y)
        self._moving = False

    def _now(self) -> tuple[int, float]:
        if self._kept is not None:
            return self._kept
        lines = self._area.lines()
        if not lines or self._area.verticalScrollBar().value() == 0:
            return 0, 0.0
        line = next((line for line in lines if line.top >= 0), lines[0])
        place = self._area.place_of(line.start)
        return line.start, 0.0 if place is None else place[0] - self._area.verticalScrollBar().value()

    def _on_scrolled(self, _value: int) -> None:
        if not self._moving:
            self._kept = None


GUTTER = 92  # pixels at least, left of the column
RIGHT_MARGIN = 36  # so that the signs of notes and ticks have room
ERASER, TIP = 24, (3, 17)  # pixels; where in it the corner that erases is
_WHOLE = ((3, 15), (14, 3), (21, 9), (10, 21), (6, 21), (3, 18))
_RUBBER = ((3, 15), (6.5, 11.2), (13.5, 17.2), (10, 21), (6, 21), (3, 18))
_ONWARD = {Qt.Key.Key_Tab: True, Qt.Key.Key_Backtab: False}
_SIDEWAYS = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}
_NOTCH = 120  # of the wheel, in eighths of a degree
_BACK_AND_FORWARD = (Qt.MouseButton.BackButton, Qt.MouseButton.ForwardButton)


class TextArea(ReadingEdit):
    """Shows one document with what lies over it, and hands the mouse to the pen."""

    first_painted = Signal(object)  # Document
    viewport_moved = Signal(object)  # None: scrolled, resized or grown
    column_changed = Signal(object)  # None: text has another width now
    got_keyboard = Signal(object)  # None
    end_wanted = Signal()  # the end of the document shall be seen, which is not built so far
    menu_wanted = Signal(object)  # QPoint on the screen
    larger_wanted = Signal(object)  # bool: larger text, or smaller

    def __init__(self, styles: Styles, parent: QWidget) -> None:
        super().__init__(styles, parent)
        self.ruler = Ruler(styles.theme, self)
        self.setVerticalScrollBar(self.ruler)
        self.top_line = TopLine(self)
        self.pen_state = PenState(self)
        self.ends = MarkEnds(self, self.pen_state, self)
        self.pen = Pen(self, self.pen_state, self.ends, self)
        self.outlines = Outlines(self, self)
        self.layers = TextLayers(self, self.pen_state, self.ends, self.outlines)
        self._before: QPixmap | None = None  # what is shown meanwhile, where the same text is built again
        self._awaiting_paint = False
        self._turned = 0  # by how much the wheel was turned with Ctrl since the size was changed
        self._over_end = False  # the mouse is at the end of a mark
        self.setObjectName("article-text")
        self.setAccessibleName("Article text")
        self.setAutoFillBackground(True)  # the margins are page, too
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.viewport().setMouseTracking(True)
        self.ruler.valueChanged.connect(self._on_moved)
        self.set_styles(self.styles)
        self.pen.previewed.connect(self.layers.show_preview)
        self.pen.ghosted.connect(self.layers.show_ghost)
        self.pen.mode_changed.connect(self._show_mode)
        self.pen_state.changed.connect(self._show_mode)
        self.ends.changed.connect(lambda _: self.viewport().update())
        self.outlines.moved.connect(lambda _: self.layers.show_outlines())
        self.cursorPositionChanged.connect(self.outlines.caret_moved)
        self.viewport_moved.connect(self._show_words)

    # -- what is shown -------------------------------------------------------------------------------

    def set_styles(self, styles: Styles) -> None:
        """Take on a theme and a reading size; a document already shown keeps the formats that it has."""
        self.styles = styles
        self.ruler.set_theme(styles.theme)
        self._centre_column()
        self._show_mode()
        self.viewport().update()

    def show_builder(self, builder: Builder | None, *, veiled: bool) -> None:
        """Show the document of a builder, whose first slice is there, or none; the old one is let go."""
        self.pen.give_up()
        self.layers.show_found(NOTHING, NOTHING, None)
        self.setExtraSelections([])
        if not veiled or self.source is not (builder and builder.document):
            self._before = None
        self.veiled = veiled
        self._awaiting_paint = builder is not None
        self.show_document(builder)

    def keep_seen(self, theme: Theme) -> None:
        """Keep what is seen, in the same colours, to be shown until the same text is built again so far."""
        if theme is not self.styles.theme:
            self._before = None
        elif self.builder is not None and not self.veiled and not self._awaiting_paint:
            self._before = self.viewport().grab()

    def grow(self) -> None:
        """Take note that the builder has appended text: it is seen only where the viewport had room left."""
        if not self._lines.filled:
            self._on_moved()

    def set_channels(self, channels: Channels) -> None:
        """Lay marks and a run over the text; neither scrolls nor lays out anything."""
        self.layers.words.set_marks(channels.overlay.marks)
        self._show_words()
        self.layers.show_channels(channels)

    def set_words(self, words: Sequence[WordPlaces]) -> None:
        """Colour words in the text; neither scrolls nor lays out anything."""
        self.layers.words.set_words(words)
        self._show_words()
        self.viewport().update()

    def _show_words(self, _: object = None) -> None:
        self.layers.words.show(self.lines(), self.builder, self.styles.theme)

    # -- painting ------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        dirty = event.rect()
        painter = QPainter(self.viewport())
        painter.fillRect(dirty, self.styles.theme.color("page"))
        if self.builder is None or self.veiled:
            if self._before is not None:
                painter.drawPixmap(0, 0, self._before)
            return
        self._before = None
        lines = self.visible().between(dirty.top() - AROUND, dirty.bottom() + AROUND)
        painter.setClipRect(dirty)
        self.layers.paint_beneath(painter, lines)
        painter.end()
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        painter.setClipRect(dirty)
        self.layers.paint_above(painter, lines)
        painter.end()
        if self._awaiting_paint:
            self._awaiting_paint = False
            self._show_words()  # of a document that is built again no line was seen before
            self.first_painted.emit(self.builder.document)

    def _show_mode(self, _: object = None) -> None:
        """Show with the mouse's cursor what is in the hand, and which ends can be dragged."""
        if self.layers.channels.overlay.pen_on_run:
            self.viewport().update()
        if self.pen.choosing:
            self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        elif self._over_end:
            self.viewport().setCursor(Qt.CursorShape.SizeHorCursor)
        elif self.pen_state.live and self.pen_state.tool is Tool.ERASE:
            self.viewport().setCursor(eraser_cursor(self.styles.theme))
        else:
            self.viewport().setCursor(Qt.CursorShape.IBeamCursor)

    def _on_moved(self, *_: object) -> None:
        self.outlines.scrolled()
        self.viewport_moved.emit(None)

    # -- events --------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Give it to the pen: Qt would begin to drag selected text; what goes back is the window's."""
        if event.button() in _BACK_AND_FORWARD:
            event.ignore()
            return
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
        if event.button() in _BACK_AND_FORWARD:
            event.ignore()
        else:
            self.pen.double_click(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.got_keyboard.emit(None)

    def leaveEvent(self, event: QEvent) -> None:
        """Keep the outline where it is: the mouse is on its way to a menu."""
        super().leaveEvent(event)
        self.outlines.mouse_left()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll; with Alt, go outward or inward in the outlined elements; with Ctrl, change the size."""
        turned = event.angleDelta().y() or event.angleDelta().x()  # Alt makes some desktops turn it sideways
        if event.modifiers() & Qt.KeyboardModifier.AltModifier:
            if turned:
                (self.outlines.outward if turned > 0 else self.outlines.inward)()
            event.accept()
        elif event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._turned += turned
            if abs(self._turned) >= _NOTCH:
                self.larger_wanted.emit(self._turned > 0)
                self._turned = 0
            event.accept()
        else:
            super().wheelEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer a menu where a key asks for it; the right button has its own way to it."""
        if event.reason() is not QContextMenuEvent.Reason.Mouse:
            self.menu_wanted.emit(event.globalPos())

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Hold the next end of a mark with Tab; without marks, or with Ctrl, the keyboard goes on."""
        return self.ends.hold_next(1 if forward else -1) or super().focusNextPrevChild(forward)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Tell the pen that Alt is down, and leave Esc to the view."""
        if event.key() == Qt.Key.Key_Escape:
            event.ignore()
            return
        self.pen.modifiers_changed(event.modifiers() | modifier_of(event))
        if event.key() in _ONWARD and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            super().focusNextPrevChild(_ONWARD[Qt.Key(event.key())])
            return
        if self.ends.held is not None and event.key() in _SIDEWAYS and not event.modifiers():
            if not event.isAutoRepeat():
                end = self.ends.held
                inside = end.end - 1 if end.at_end else end.start
                self.ends.move(_SIDEWAYS[Qt.Key(event.key())] * self.onward(inside))
            return
        if self.builder is not None and not self.builder.complete and self._reaches_end(event):
            return
        if event.key() in MOVES:
            self.ends.let_go()
            self.bring_caret(selecting=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        super().keyPressEvent(event)

    def _reaches_end(self, event: QKeyEvent) -> bool:
        """Go to the end of a document that is not built so far, or select to it; False for other keys."""
        keys = QKeySequence.StandardKey
        document = self.source
        if document is None:
            return False
        if event.matches(keys.SelectAll):
            self.select(0, document.length)
        elif event.matches(keys.MoveToEndOfDocument) or event.matches(keys.SelectEndOfDocument):
            self.ends.let_go()
            self.place_caret(document.length, select=event.matches(keys.SelectEndOfDocument))
            self.end_wanted.emit()
        else:
            return False
        return True

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        self.pen.modifiers_changed(event.modifiers() & ~modifier_of(event))
        if not event.isAutoRepeat() and not modifier_of(event):
            self.pen_state.let_up()
        super().keyReleaseEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        with self.top_line.held():
            super().resizeEvent(event)
            self._centre_column()
        self.viewport_moved.emit(None)

    def _centre_column(self) -> None:
        """Set the margins so that the column is in the middle; lay out again only if it must shrink."""
        available = self.width() - self.ruler.sizeHint().width()
        column = max(120, min(self.styles.column, available - GUTTER - RIGHT_MARGIN))
        left = max(GUTTER, (available - column) // 2)
        self.setViewportMargins(left, 0, max(0, available - left - column), 0)
        if self.lineWrapColumnOrWidth() != column:
            self.setLineWrapColumnOrWidth(column)
            self.column_changed.emit(None)


@cache
def eraser_cursor(theme: Theme) -> QCursor:
    """Return the mouse's cursor while the eraser is in the hand."""
    picture = QPixmap(ERASER, ERASER)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("text"), 1.6, j=Qt.PenJoinStyle.RoundJoin))
    for corners, token in ((_WHOLE, "page"), (_RUBBER, "erase_edge")):
        painter.setBrush(theme.color(token))
        painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in corners]))
    painter.end()
    return QCursor(picture, *TIP)
