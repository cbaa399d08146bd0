"""The article's scroll bar and overview in one: ticks show what lies where, and the view is the handle.

It is a QScrollBar, so that wheel, keys and screen readers find what they know.  Only its looks and its mouse
are its own: a height on it is an offset, where Qt takes pixels of a layout that may still be going on.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHideEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QScrollBar, QWidget

from inexview.core.text.spans import Offsets
from inexview.gui.article.column.ruler_picture import TOP, WIDTH, RulerPicture, TextHeights
from inexview.gui.article.column.word_layer import WordPlaces
from inexview.gui.article.overlays import Channels
from inexview.gui.look.theme import Theme

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
        self.picture = RulerPicture(theme)
        self._length = 0
        self._view = (0.0, 0.0)  # the offsets that are seen
        self._over = False  # the mouse is over the handle
        self._button = Qt.MouseButton.NoButton  # the one that was pressed
        self._grasp: float | None = None  # pixels from the top of the handle to where it was taken
        self._held_top = 0.0  # where the mouse has the handle meanwhile
        self._began = 0.0  # the offset at the top when it was taken
        self._pressed_y = 0.0  # to which pages are turned

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, 200)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.picture.set_theme(theme)
        self.update()

    def set_length(self, length: int) -> None:
        """Stand for another text; a handle that is held is let go."""
        self._release()
        self._length, self._view = length, (0.0, 0.0)
        self.picture.set_length(length)
        self.update()

    def set_channels(self, channels: Channels) -> None:
        self.picture.set_channels(channels)
        self.update()

    def set_found(self, starts: Offsets, ends: Offsets) -> None:
        """Show other finds; sorted, shape (n,)."""
        self.picture.set_found(starts, ends)
        self.update()

    def set_words(self, words: Sequence[WordPlaces]) -> None:
        self.picture.set_words(words)
        self.update()

    def set_view(self, start: float, end: float) -> None:
        """Let the handle stand for these offsets, which are seen."""
        if (start, end) != self._view:
            self._view = (start, end)
            self.update()
        if self.repeatAction() is not _NO_ACTION and self._reached():
            self.setRepeatAction(_NO_ACTION)

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
        ticks = self.picture.image(self.size(), self.devicePixelRatioF())
        painter.drawImage(QPoint(0, 0), ticks)
        if self._length:
            self.picture.draw_entry_points(painter)

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
            tick = self.picture.tick_at(at.x(), at.y())
            if handle is not None and handle.top() <= at.y() < handle.bottom():
                self._take(at.y())
            elif tick is not None:
                self.wanted.emit(self._clamped(tick))
            elif handle is not None:
                self._turn_pages(_PAGE_UP if at.y() < handle.top() else _PAGE_DOWN, at.y())

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

    def _turn_pages(self, action: QScrollBar.SliderAction, y: float) -> None:
        self._pressed_y = y
        self.triggerAction(action)
        self.setRepeatAction(action, REPEAT_AFTER, REPEAT)

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
        hand = not over and self.picture.tick_at(x, y) is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if hand else Qt.CursorShape.ArrowCursor)
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
