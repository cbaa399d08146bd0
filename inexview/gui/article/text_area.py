"""The reading column: text with overlays, and mouse and keys for pen and outlines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QCursor,
    QFocusEvent,
    QHideEvent,
    QImage,
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
from PySide6.QtWidgets import QScrollBar, QWidget

from inexview.core.text.spans import EMPTY, Offsets, Spans
from inexview.gui.article.overlays import Channels, Outlines, Tool
from inexview.gui.article.pen import MarkEnds, Pen, PenState
from inexview.gui.article.styles import Styles
from inexview.gui.article.text_document import MOVES, Builder, ReadingEdit, modifier_of
from inexview.gui.article.text_layers import AROUND, NOTHING, TextLayers, WordPlaces
from inexview.gui.look.theme import LAYER_LOOKS, Theme, run_color

WIDTH = 24
TOP = 6  # pixels of page above and below the strip
TickColumn = tuple[int, int]  # x and width
# Columns for marks, retrieved or suggested text, and found places or words.
JUDGED, RUN, FOUND = (4, 7), (12, 4), (17, 4)
SUGGESTED = (13, 2)
# first assessor and others; the settled marks are between them
ASSESSORS, SETTLED = ((3, 3), (12, 2), (15, 2)), (7, 4)
LEAST = 2  # pixels, so that the smallest mark is visible
REACH = 3  # pixels around a tick that belong to it


@dataclass(frozen=True, slots=True)
class TextHeights:
    """Maps characters of a text to heights on a strip of ``height`` pixels."""

    height: int
    length: int

    @property
    def room(self) -> int:
        return max(1, self.height - 2 * TOP)

    def y(self, offset: float) -> float:
        return TOP + offset * self.room / max(1, self.length)

    def offset(self, y: float) -> float:
        """Return the offset at a height, which may be beyond the ends of the text."""
        return (y - TOP) * self.length / self.room


def _nearest(starts: Offsets, ends: Offsets, at: float) -> int:
    """Return the character of non-empty sorted spans that is nearest to an offset."""
    behind = int(starts.searchsorted(at, "right"))
    beside = range(max(0, behind - 1), min(behind + 1, len(starts)))
    clamped = (min(max(round(at), int(starts[one])), int(ends[one]) - 1) for one in beside)
    return min(clamped, key=lambda offset: abs(offset - at))


LEAST_HANDLE = 24  # pixels
REPEAT_AFTER, REPEAT = 500, 50  # milliseconds for which the button is held, as in Qt
FILLS = {"rest": 0.13, "hover": 0.22, "held": 0.32}  # opacity of the accent in the handle
_PAGE_UP, _PAGE_DOWN = QScrollBar.SliderAction.SliderPageStepSub, QScrollBar.SliderAction.SliderPageStepAdd
_NO_ACTION = QScrollBar.SliderAction.SliderNoAction


class Ruler(QScrollBar):
    """The article's scroll bar and overview: ticks show the overlays, and the handle is the view.

    Heights correspond to offsets, not to pixels of a layout that may be in progress. So the bar looks like
    the strips in lists of documents, and never jumps.

    The handle can be dragged. Next to it, a press scrolls by pages towards the mouse; on a tick it goes to
    the tick, and with Shift or the middle button to any height.
    """

    wanted = Signal(object)  # int: the offset to scroll to the middle of the viewport
    dragged = Signal(object)  # float: the offset to scroll to its top, possibly within a line

    def __init__(self, theme: Theme, parent: QWidget | None) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self.setObjectName("article-ruler")
        self.setAccessibleName("Overview of the whole text")
        # Qt's menu assumes heights in pixels
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.setMouseTracking(True)
        self._theme = theme
        self._length = 0
        self._channels = Channels()
        self._search_hits: tuple[Offsets, Offsets] = (EMPTY.starts, EMPTY.ends)
        self._words: tuple[WordPlaces, ...] = ()
        self._ticks: QImage | None = None
        self._view = (0.0, 0.0)  # the visible offsets
        self._over = False  # whether the mouse is over the handle
        self._button = Qt.MouseButton.NoButton  # the pressed button
        self._grasp: float | None = None  # pixels from the top of the handle to the grasped point
        self._held_top = 0.0  # the top of the handle during a drag
        self._began = 0.0  # the offset at the top before the drag
        self._pressed_y = 0.0  # the target of scrolling by pages

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, 200)

    # -- contents ------------------------------------------------------------------------------------

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._draw_again()

    def set_length(self, length: int) -> None:
        """Switch to another text, and release the handle."""
        self._release()
        self._length, self._view = length, (0.0, 0.0)
        self._draw_again()

    def set_channels(self, channels: Channels) -> None:
        self._channels = channels
        self._draw_again()

    def set_found(self, starts: Offsets, ends: Offsets) -> None:
        self._search_hits = (starts, ends)
        self._draw_again()

    def set_words(self, words: Sequence[WordPlaces]) -> None:
        self._words = tuple(words)
        self._draw_again()

    def _draw_again(self) -> None:
        self._ticks = None
        self.update()

    def set_view(self, start: float, end: float) -> None:
        """Set the visible offsets, which the handle represents."""
        if (start, end) != self._view:
            self._view = (start, end)
            self.update()
        if self.repeatAction() is not _NO_ACTION and self._reached():
            self.setRepeatAction(_NO_ACTION)

    # -- the ticks -----------------------------------------------------------------------------------

    def _image(self) -> QImage:
        ratio = self.devicePixelRatioF()
        size = max(1, round(self.height() * ratio)), round(self.width() * ratio)
        if self._ticks is None or (self._ticks.height(), self._ticks.width()) != size:
            pixels = np.zeros(size, np.uint32)
            if found := Spans.from_arrays(*self._search_hits):
                self._draw_spans(pixels, found, self._theme.color("finished"), FOUND)
            else:
                self._draw_words(pixels)
            for spans, color, column in self._columns():
                self._draw_spans(pixels, spans, color, column)
            form = QImage.Format.Format_ARGB32_Premultiplied
            self._ticks = QImage(pixels.data, size[1], size[0], 4 * size[1], form).copy()
            self._ticks.setDevicePixelRatio(ratio)
        return self._ticks

    def _columns(self) -> Iterator[tuple[Spans, QColor, TickColumn]]:
        """Yield marks and retrieved text in the order of painting."""
        channels, color = self._channels, self._theme.color
        overlay = channels.overlay
        run = run_color(self._theme, overlay.style)
        layers = () if overlay.contest is None else overlay.contest.layers
        for spans, look, column in zip(layers, LAYER_LOOKS, ASSESSORS, strict=False):
            yield spans, color(look.token), column
        yield channels.judged, color("mark_edge"), SETTLED if layers else JUDGED
        yield channels.hits, color("mark_edge"), JUDGED
        yield channels.misses, color("miss"), JUDGED
        yield channels.false_alarms, color("false_alarm"), RUN
        yield channels.hits, run, RUN
        yield channels.unjudged, run, RUN
        if overlay.beside.suggested:
            yield Spans(ghost.span for ghost in overlay.beside.suggested), color("suggested"), SUGGESTED

    def _draw_spans(
        self, pixels: NDArray[np.uint32], spans: Spans, color: QColor, column: TickColumn
    ) -> None:
        if not spans:
            return
        rows = self._rows(spans)
        pixels[rows[rows < len(pixels)], self._across(column)] = color.rgb()

    def _draw_words(self, pixels: NDArray[np.uint32]) -> None:
        """Draw the places of words if no found places are drawn, the first word on top.

        Only the pixel rows in which a place starts are computed: a word may have 100,000 places.
        """
        ratio = self.devicePixelRatioF()
        rows, top = max(1, round(self._heights().room * ratio)), round(TOP * ratio)
        bounds = -(-np.arange(rows + 1) * self._length // rows)  # the offset at which each row starts
        colors = np.zeros(len(pixels) + round(LEAST * ratio), np.uint32)
        for word in reversed(self._words):
            held = np.flatnonzero(np.diff(word.starts.searchsorted(bounds))) + top
            for more in range(round(LEAST * ratio)):
                colors[held + more] = QColor(self._theme.words[word.style % len(self._theme.words)]).rgb()
        drawn = np.flatnonzero(colors[: len(pixels)])
        pixels[drawn, self._across(FOUND)] = colors[drawn, None]

    def _across(self, column: TickColumn) -> slice:
        (left, wide), ratio = column, self.devicePixelRatioF()
        return slice(round(left * ratio), round((left + wide) * ratio))

    def _rows(self, spans: Spans) -> NDArray[np.int64]:
        """Return the rows of pixels, shape (n,), that show a character of the spans."""
        if not spans or not self._length:
            return np.empty(0, np.int64)
        ratio = self.devicePixelRatioF()
        rows = round(self._heights().room * ratio)
        # The last row that a span reaches, and at least the visible minimum.
        first = spans.starts * rows // self._length
        last = np.maximum(spans.ends * rows // self._length, first + round(LEAST * ratio))
        depth = np.zeros(rows + round(LEAST * ratio) + 2, np.int64)
        np.add.at(depth, first, 1)
        np.add.at(depth, last, -1)
        filled: NDArray[np.int64] = np.flatnonzero(np.cumsum(depth)) + round(TOP * ratio)
        return filled

    def _tick_at(self, x: float, y: float) -> int | None:
        """Return the offset of the tick at a point, the character nearest to the point's height."""
        heights = self._heights()
        at = heights.offset(y)
        reach = REACH * self._length / heights.room
        near = (_nearest(starts, ends, at) for starts, ends in self._spans_at(x) if len(starts))
        best = min(near, key=lambda offset: abs(offset - at), default=None)
        return best if best is not None and abs(best - at) <= reach else None

    def _spans_at(self, x: float) -> Iterator[tuple[Offsets, Offsets]]:
        """Yield starts and ends of everything drawn at an x."""
        for spans, _, (left, wide) in self._columns():
            if left - 1 <= x <= left + wide:
                yield spans.starts, spans.ends
        if x >= FOUND[0] - 1:
            words = ((word.starts, word.ends) for word in self._words)
            yield from (self._search_hits,) if len(self._search_hits[0]) else words
        overlay = self._channels.overlay
        for entry in (overlay.bep, overlay.entry):
            if entry is not None:
                yield np.array([entry]), np.array([entry + 1])

    # -- the handle ----------------------------------------------------------------------------------

    def handle(self) -> QRectF | None:
        """Return the rectangle of the handle; None if the whole text is visible."""
        start, end = self._view
        if not self._length or end <= start or not (self.maximum() or end - start < self._length):
            return None
        heights = self._heights()
        top, bottom = heights.y(start), heights.y(end)
        least = min(LEAST_HANDLE, heights.room)
        if bottom - top < least:
            top = TOP + self._share(start) * (heights.room - least)
            bottom = top + least
        if self._grasp is not None:
            height = bottom - top
            top = min(max(self._held_top, float(TOP)), TOP + heights.room - height)
            bottom = top + height
        return QRectF(2, round(top), WIDTH - 4, round(bottom) - round(top))

    def _heights(self) -> TextHeights:
        return TextHeights(self.height(), self._length)

    def _share(self, start: float) -> float:
        """Return the position of a view in the text from its first offset, from 0 to 1."""
        return min(1.0, start / max(1.0, self._length - (self._view[1] - self._view[0])))

    def _offset_under(self, top: float) -> float:
        """Return the offset at the top of the view for a height of the handle's top."""
        start, end = self._view
        heights = self._heights()
        least = min(LEAST_HANDLE, heights.room)
        if heights.y(end) - heights.y(start) >= least:
            return heights.offset(top)
        share = (top - TOP) / max(1, heights.room - least)
        return share * (self._length - (end - start)) if share < 1 else float(self._length)

    def _reached(self) -> bool:
        """Return whether scrolling by pages has reached the mouse."""
        handle = self.handle()
        if handle is None:
            return True
        down = self.repeatAction() is _PAGE_DOWN
        return handle.bottom() >= self._pressed_y if down else handle.top() <= self._pressed_y

    # -- painting ------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("window"))
        painter.fillRect(0, 0, 1, self.height(), self._theme.color("line"))
        handle = self.handle()
        if handle is not None:
            self._draw_handle(painter, handle)
        painter.drawImage(QPoint(0, 0), self._image())
        if self._length:
            overlay, heights = self._channels.overlay, self._heights()
            if overlay.entry is not None:
                y = int(heights.y(overlay.entry))
                painter.setPen(QPen(run_color(self._theme, overlay.style), 2, Qt.PenStyle.DotLine))
                painter.drawLine(2, y, WIDTH - 2, y)
            if overlay.chosen is not None:
                top, bottom = (int(heights.y(at)) for at in overlay.chosen)
                painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
                painter.setPen(QPen(self._theme.color("text"), 1))
                right, arm = WIDTH - 2, 4
                painter.drawPolyline([QPoint(right - arm, top), QPoint(right, top), QPoint(right, bottom),
                                      QPoint(right - arm, bottom)])  # fmt: skip
            if overlay.bep is not None:
                y = int(heights.y(overlay.bep))
                painter.fillRect(QRect(1, y - 1, WIDTH - 1, 2), self._theme.color("bep"))

    def _draw_handle(self, painter: QPainter, handle: QRectF) -> None:
        held = self._grasp is not None
        fill = self._theme.color("accent")
        fill.setAlphaF(FILLS["held" if held else "hover" if self._over else "rest"])
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(fill)
        wide = 2 if held or self._over else 1
        painter.setPen(QPen(self._theme.color("accent"), wide))
        inset = wide / 2
        painter.drawRoundedRect(handle.adjusted(inset, inset, -inset, -inset), 3, 3)

    # -- the mouse -----------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        left, shift = event.button() is Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier
        if self._button is not Qt.MouseButton.NoButton:
            return
        at, handle = event.position(), self.handle()
        if event.button() is Qt.MouseButton.MiddleButton or (left and event.modifiers() & shift):
            self._button = event.button()
            self.wanted.emit(self._clamped(self._heights().offset(at.y())))
            self._take(at.y())
        elif left:
            self._button = event.button()
            tick = self._tick_at(at.x(), at.y())
            if handle is not None and handle.top() <= at.y() < handle.bottom():
                self._take(at.y())
            elif tick is not None:
                self.wanted.emit(self._clamped(tick))
            elif handle is not None:
                action = _PAGE_UP if at.y() < handle.top() else _PAGE_DOWN
                self._pressed_y = at.y()
                self.triggerAction(action)
                self.setRepeatAction(action, REPEAT_AFTER, REPEAT)

    def _clamped(self, offset: float) -> int:
        return min(max(round(offset), 0), self._length)

    def _take(self, y: float) -> None:
        """Grasp the handle at a height, or at its nearest end."""
        handle = self.handle()
        if handle is not None:
            self._grasp = min(max(y - handle.top(), 0.0), handle.height())
            self._held_top, self._began = handle.top(), self._view[0]
            self.setSliderDown(True)
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if not event.buttons() and self._button is not Qt.MouseButton.NoButton:
            self._release()  # the release went elsewhere
        if self._grasp is None:
            self._pressed_y = at.y()
            self._show_pointed(at.x(), at.y())
        elif at.y() - self._grasp != self._held_top:
            self._held_top = at.y() - self._grasp
            self.dragged.emit(self._offset_under(self._held_top))
            self.update()

    def _show_pointed(self, x: float, y: float) -> None:
        handle = self.handle()
        over = handle is not None and handle.top() <= y < handle.bottom()
        pen_state = not over and self._tick_at(x, y) is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if pen_state else Qt.CursorShape.ArrowCursor)
        if over is not self._over:
            self._over = over
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is self._button:
            self._release()
            self._show_pointed(event.position().x(), event.position().y())

    def dismiss(self) -> bool:
        """Release the handle and scroll back to the start of the drag; return False if it is not held."""
        held = self._grasp is not None
        self._release()
        if held:
            self.dragged.emit(self._began)
        return held

    def _release(self) -> None:
        self.setRepeatAction(_NO_ACTION)
        self._button, self._grasp = Qt.MouseButton.NoButton, None
        self.setSliderDown(False)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._over = False
        self.update()

    def hideEvent(self, event: QHideEvent) -> None:
        self._release()
        super().hideEvent(event)


class TopLine:
    """Keeps the first fully visible line in place when the text changes its width or size.

    The line is stored as an offset, not in pixels, and forgotten after scrolling.
    """

    def __init__(self, area: TextArea) -> None:
        self._area = area
        self._kept: tuple[int, float] | None = None  # offset, and pixels between it and the viewport's top
        self._moving = False
        area.verticalScrollBar().valueChanged.connect(self._on_scrolled)

    @property
    def offset(self) -> int:
        """The offset of the line, 0 at the very top."""
        return self._now()[0]

    def keep(self, offset: int) -> None:
        """Keep the line of an offset at its current height until the next scrolling."""
        place = self._area.place_of(offset)
        if place is not None:
            self._kept = (offset, place[0] - self._area.verticalScrollBar().value())

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep the line at its height during a change of the layout."""
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


GUTTER = 92  # minimum pixels to the left of the column
RIGHT_MARGIN = 36  # pixels for the signs of notes and ticks
ERASER, TIP = 24, (3, 17)  # pixels: size, and the corner that erases
_WHOLE = ((3, 15), (14, 3), (21, 9), (10, 21), (6, 21), (3, 18))
_RUBBER = ((3, 15), (6.5, 11.2), (13.5, 17.2), (10, 21), (6, 21), (3, 18))
_ONWARD = {Qt.Key.Key_Tab: True, Qt.Key.Key_Backtab: False}
_SIDEWAYS = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}
_NOTCH = 120  # of the wheel, in eighths of a degree
_BACK_AND_FORWARD = (Qt.MouseButton.BackButton, Qt.MouseButton.ForwardButton)


class TextArea(ReadingEdit):
    """Shows one document with its overlays, and passes mouse events to the pen."""

    first_painted = Signal(object)  # Document
    viewport_moved = Signal(object)  # None: scrolled, resized or grown
    column_changed = Signal(object)  # None: the text has another width
    got_keyboard = Signal(object)  # None
    end_wanted = Signal()  # scroll to the end of the document, which is not built yet
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
        self._before: QPixmap | None = None  # shown while the same text is built again
        self._awaiting_paint = False
        self._turned = 0  # turns of the wheel with Ctrl since the last change of size
        self._over_end = False  # whether the mouse is over the end of a mark
        self.setObjectName("article-text")
        self.setAccessibleName("Article text")
        self.setAutoFillBackground(True)  # the margins belong to the page, too
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

    # -- contents ------------------------------------------------------------------------------------

    def set_styles(self, styles: Styles) -> None:
        """Use a theme and a reading size; the shown document keeps its formats."""
        self.styles = styles
        self.ruler.set_theme(styles.theme)
        self._centre_column()
        self._show_mode()
        self.viewport().update()

    def show_builder(self, builder: Builder | None, *, veiled: bool) -> None:
        """Show the document of a builder with its first slice, or none."""
        self.pen.give_up()
        self.layers.show_found(NOTHING, NOTHING, None)
        self.setExtraSelections([])
        if not veiled or self.source is not (builder and builder.document):
            self._before = None
        self.veiled = veiled
        self._awaiting_paint = builder is not None
        self.show_document(builder)

    def keep_seen(self, theme: Theme) -> None:
        """Keep a picture of the visible text, to be shown until the same text is built again."""
        if theme is not self.styles.theme:
            self._before = None
        elif self.builder is not None and not self.veiled and not self._awaiting_paint:
            self._before = self.viewport().grab()

    def grow(self) -> None:
        """Handle text appended by the builder, visible only if the viewport was not full."""
        if not self._lines.filled:
            self._on_moved()

    def set_channels(self, channels: Channels) -> None:
        """Show marks and a run over the text, without scrolling or layout."""
        self.layers.words.set_marks(channels.overlay.marks)
        self._show_words()
        self.layers.show_channels(channels)

    def set_words(self, words: Sequence[WordPlaces]) -> None:
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
            self._show_words()  # no line of a rebuilt document was visible before
            self.first_painted.emit(self.builder.document)

    def _show_mode(self, _: object = None) -> None:
        """Set the mouse cursor for the current tool and for ends that can be dragged."""
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
        """Pass the press to the pen, because Qt would drag selected text; back buttons go to the window."""
        if event.button() in _BACK_AND_FORWARD:
            event.ignore()
            return
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self.pen.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.pen.move(event)
        self.outlines.hover(event.position())
        free = not event.buttons() and not self.pen.busy
        over = self.ends.at(event.position()) if free else None
        if self.ends.hover(over):
            self.viewport().update()
        if (over is not None) is not self._over_end:
            self._over_end = over is not None
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
        """Keep the outline in place: the mouse is probably on its way to a menu."""
        super().leaveEvent(event)
        self.outlines.mouse_left()
        if self.ends.hover(None):
            self.viewport().update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll; with Alt go to parent or child of the outlined element; with Ctrl change the text size."""
        turned = event.angleDelta().y() or event.angleDelta().x()  # with Alt some desktops turn it sideways
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
        """Open a menu by key; the right button opens it elsewhere."""
        if event.reason() is not QContextMenuEvent.Reason.Mouse:
            self.menu_wanted.emit(event.globalPos())

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Hold the next end of a mark with Tab; without marks, or with Ctrl, move the focus."""
        return self.ends.hold_next(1 if forward else -1) or super().focusNextPrevChild(forward)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Notify the pen of Alt, and leave Esc to the view."""
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
            self.ends.dismiss()
            self.bring_caret(selecting=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        super().keyPressEvent(event)

    def _reaches_end(self, event: QKeyEvent) -> bool:
        """Go or select to the end of a document that is not built yet; return False for other keys."""
        keys = QKeySequence.StandardKey
        document = self.source
        if document is None:
            return False
        if event.matches(keys.SelectAll):
            self.select(0, document.length)
        elif event.matches(keys.MoveToEndOfDocument) or event.matches(keys.SelectEndOfDocument):
            self.ends.dismiss()
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
        """Set margins that centre the column; change the layout only if it must shrink."""
        available = self.width() - self.ruler.sizeHint().width()
        column = max(120, min(self.styles.column, available - GUTTER - RIGHT_MARGIN))
        left = max(GUTTER, (available - column) // 2)
        self.setViewportMargins(left, 0, max(0, available - left - column), 0)
        if self.lineWrapColumnOrWidth() != column:
            self.setLineWrapColumnOrWidth(column)
            self.column_changed.emit(None)


@cache
def eraser_cursor(theme: Theme) -> QCursor:
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
