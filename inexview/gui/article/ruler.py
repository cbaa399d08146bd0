"""The article's scroll bar and overview in one: ticks show what lies where, and the view is the handle.

A height on it is an offset, not pixels of a layout that may still be going on, so that it looks like the
strips in the lists of documents and never jumps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHideEvent, QImage, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QScrollBar, QWidget

from inexview.core.text.spans import EMPTY, Offsets, Spans
from inexview.gui.article.overlays import Channels
from inexview.gui.article.text_layers import WordPlaces
from inexview.gui.look.theme import LAYER_LOOKS, Theme, run_color

WIDTH = 24
TOP = 6  # pixels of page above and below the strip
TickColumn = tuple[int, int]  # x and width
# What is judged, what a run retrieved (or what is suggested), finds or words.
JUDGED, RUN, FOUND = (4, 7), (12, 4), (17, 4)
SUGGESTED = (13, 2)
ASSESSORS, SETTLED = ((3, 3), (12, 2), (15, 2)), (7, 4)  # between the first and the others what is settled
LEAST = 2  # pixels: the smallest mark must be seen
REACH = 3  # pixels beside a tick that still mean it


@dataclass(frozen=True, slots=True)
class TextHeights:
    """Where the characters of a text are on a strip of ``height`` pixels, from its top to its bottom."""

    height: int
    length: int

    @property
    def room(self) -> int:
        return max(1, self.height - 2 * TOP)

    def y(self, offset: float) -> float:
        return TOP + offset * self.room / max(1, self.length)

    def offset(self, y: float) -> float:
        """Return what is at a height, also beyond the ends of the text."""
        return (y - TOP) * self.length / self.room


def _nearest(starts: Offsets, ends: Offsets, at: float) -> int:
    """Return the character of sorted spans, of which there are some, that is nearest to an offset."""
    behind = int(starts.searchsorted(at, "right"))
    beside = range(max(0, behind - 1), min(behind + 1, len(starts)))
    clamped = (min(max(round(at), int(starts[one])), int(ends[one]) - 1) for one in beside)
    return min(clamped, key=lambda offset: abs(offset - at))


LEAST_HANDLE = 24  # pixels
REPEAT_AFTER, REPEAT = 500, 50  # milliseconds for which the button is held, as Qt's own
FILLS = {"rest": 0.13, "hover": 0.22, "held": 0.32}  # of the accent in the handle
_PAGE_UP, _PAGE_DOWN = QScrollBar.SliderAction.SliderPageStepSub, QScrollBar.SliderAction.SliderPageStepAdd
_NO_ACTION = QScrollBar.SliderAction.SliderNoAction


class Ruler(QScrollBar):
    """Shows where everything lies in the text, and scrolls it.

    The handle is dragged; beside it a press turns pages towards the mouse for as long as it lasts, on a tick
    it goes there, and with Shift or the middle button it goes to any height.
    """

    wanted = Signal(object)  # int: the offset to be brought to the middle of the viewport
    dragged = Signal(object)  # float: the offset to be at its top, which may be within a line

    def __init__(self, theme: Theme, parent: QWidget | None) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self.setObjectName("article-ruler")
        self.setAccessibleName("Overview of the whole text")
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)  # its heights are Qt's
        self.setMouseTracking(True)
        self._theme = theme
        self._length = 0
        self._channels = Channels()
        self._found: tuple[Offsets, Offsets] = (EMPTY.starts, EMPTY.ends)
        self._words: tuple[WordPlaces, ...] = ()
        self._ticks: QImage | None = None
        self._view = (0.0, 0.0)  # the offsets that are seen
        self._over = False  # the mouse is over the handle
        self._button = Qt.MouseButton.NoButton  # the one that was pressed
        self._grasp: float | None = None  # pixels from the top of the handle to where it was taken
        self._held_top = 0.0  # where the mouse has the handle meanwhile
        self._began = 0.0  # the offset at the top when it was taken
        self._pressed_y = 0.0  # to which pages are turned

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, 200)

    # -- what is shown -------------------------------------------------------------------------------

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._draw_again()

    def set_length(self, length: int) -> None:
        """Stand for another text; a handle that is held is let go."""
        self._release()
        self._length, self._view = length, (0.0, 0.0)
        self._draw_again()

    def set_channels(self, channels: Channels) -> None:
        self._channels = channels
        self._draw_again()

    def set_found(self, starts: Offsets, ends: Offsets) -> None:
        """Show other finds; sorted, shape (n,)."""
        self._found = (starts, ends)
        self._draw_again()

    def set_words(self, words: Sequence[WordPlaces]) -> None:
        self._words = tuple(words)
        self._draw_again()

    def _draw_again(self) -> None:
        self._ticks = None
        self.update()

    def set_view(self, start: float, end: float) -> None:
        """Let the handle stand for these offsets, which are seen."""
        if (start, end) != self._view:
            self._view = (start, end)
            self.update()
        if self.repeatAction() is not _NO_ACTION and self._reached():
            self.setRepeatAction(_NO_ACTION)

    # -- the ticks -----------------------------------------------------------------------------------

    def _image(self) -> QImage:
        """Return the ticks on nothing, in the screen's own pixels."""
        ratio = self.devicePixelRatioF()
        size = max(1, round(self.height() * ratio)), round(self.width() * ratio)
        if self._ticks is None or (self._ticks.height(), self._ticks.width()) != size:
            pixels = np.zeros(size, np.uint32)
            if found := Spans.from_arrays(*self._found):
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
        """Yield what is judged and retrieved, in the order of painting."""
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
        """Draw the places of words where finds are drawn otherwise, the first word over the others.

        Looked for are the rows of pixels in which a place begins: a word may have 100,000 places.
        """
        ratio = self.devicePixelRatioF()
        rows, top = max(1, round(self._heights().room * ratio)), round(TOP * ratio)
        bounds = -(-np.arange(rows + 1) * self._length // rows)  # the offset at which each row begins
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
        # The last row that a span reaches, and at least as many as can be seen.
        first = spans.starts * rows // self._length
        last = np.maximum(spans.ends * rows // self._length, first + round(LEAST * ratio))
        depth = np.zeros(rows + round(LEAST * ratio) + 2, np.int64)
        np.add.at(depth, first, 1)
        np.add.at(depth, last, -1)
        filled: NDArray[np.int64] = np.flatnonzero(np.cumsum(depth)) + round(TOP * ratio)
        return filled

    def _tick_at(self, x: float, y: float) -> int | None:
        """Return the offset that a tick at a point means: in it what is nearest to the point's height."""
        heights = self._heights()
        at = heights.offset(y)
        reach = REACH * self._length / heights.room
        near = (_nearest(starts, ends, at) for starts, ends in self._spans_at(x) if len(starts))
        best = min(near, key=lambda offset: abs(offset - at), default=None)
        return best if best is not None and abs(best - at) <= reach else None

    def _spans_at(self, x: float) -> Iterator[tuple[Offsets, Offsets]]:
        """Yield starts and ends of all that is drawn at an x."""
        for spans, _, (left, wide) in self._columns():
            if left - 1 <= x <= left + wide:
                yield spans.starts, spans.ends
        if x >= FOUND[0] - 1:
            words = ((word.starts, word.ends) for word in self._words)
            yield from (self._found,) if len(self._found[0]) else words
        overlay = self._channels.overlay
        for entry in (overlay.bep, overlay.entry):
            if entry is not None:
                yield np.array([entry]), np.array([entry + 1])

    # -- where the handle is -------------------------------------------------------------------------

    def handle(self) -> QRectF | None:
        """Return the handle; None where all of the text is seen."""
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
        """Return how far through the text a view is that begins there, from 0 to 1."""
        return min(1.0, start / max(1.0, self._length - (self._view[1] - self._view[0])))

    def _offset_under(self, top: float) -> float:
        """Return the offset that is at the top of the view where the handle's top is at a height."""
        start, end = self._view
        heights = self._heights()
        least = min(LEAST_HANDLE, heights.room)
        if heights.y(end) - heights.y(start) >= least:
            return heights.offset(top)
        share = (top - TOP) / max(1, heights.room - least)
        return share * (self._length - (end - start)) if share < 1 else float(self._length)

    def _reached(self) -> bool:
        """Tell whether turning pages has come to where the mouse is pressed."""
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
        """Hold the handle where it is taken, or at its nearest end."""
        handle = self.handle()
        if handle is not None:
            self._grasp = min(max(y - handle.top(), 0.0), handle.height())
            self._held_top, self._began = handle.top(), self._view[0]
            self.setSliderDown(True)
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if not event.buttons() and self._button is not Qt.MouseButton.NoButton:
            self._release()  # it was let go where no one heard of it
        if self._grasp is None:
            self._pressed_y = at.y()
            self._show_pointed(at.x(), at.y())
        elif at.y() - self._grasp != self._held_top:
            self._held_top = at.y() - self._grasp
            self.dragged.emit(self._offset_under(self._held_top))
            self.update()

    def _show_pointed(self, x: float, y: float) -> None:
        """Show what a press would do."""
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

    def let_go(self) -> bool:
        """Give the handle back and go where it was taken; False where it is not held."""
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
