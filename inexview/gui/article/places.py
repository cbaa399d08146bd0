"""Where in the text one is, and going elsewhere: a place is gone to as soon as the text is built so far."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from inexview.gui.article.column.text_area import TextArea

SCREENFUL = 6_000  # characters that surely fill a screen
ABOVE = 8  # pixels of page above a line that is brought to the top


class Align(Enum):
    """Where a place that is revealed shall be."""

    NEAREST = "nearest"  # not moved if it is seen already
    CENTER = "center"
    TOP = "top"


class Places:
    """The caret and the view of one text area, by offsets."""

    def __init__(self, text_area: TextArea, jumped: Callable[[int, int], object]) -> None:
        """``jumped`` is told from where to where, whenever the view goes further than a screen."""
        self._area = text_area
        self._jumped = jumped
        self._pending: tuple[int, int, Align] | None = None
        self._pending_caret: int | None = None

    @property
    def caret(self) -> int:
        """The offset of the caret, or where it will be."""
        return self._area.caret() if self._pending_caret is None else self._pending_caret

    def caret_at_hand(self) -> int:
        """Return where keys go on from: the caret or, where it is out of sight, where the view begins."""
        if self._pending is not None and self._pending_caret is None:
            return self._pending[0]  # the view that is waited for
        self._area.bring_caret()
        return self.caret

    def forget(self) -> None:
        """Give up the place that is waited for."""
        self._pending = self._pending_caret = None

    def place_caret(self, offset: int) -> None:
        """Put the caret somewhere without moving the view."""
        if self._area.builder is not None:
            self._pending_caret = offset
            self.settle()

    def reveal(self, start: int, end: int, align: Align) -> None:
        if self._area.builder is not None:
            self._pending = (start, end, align)
            self.settle()

    def show_from(self, offset: float) -> None:
        """Put an offset at the very top, also one within a line, as soon as that is built."""
        builder = self._area.builder
        if builder is None:
            return
        self._pending = None
        if not builder.complete and builder.map.end <= offset + SCREENFUL:
            self.reveal(int(offset), int(offset), Align.TOP)
        else:
            self._area.scroll_to(self._area.height_of(offset) if offset > 0 else 0)

    def reveal_some(self, start: int, end: int) -> bool:
        """Bring characters into view unless a line of them is seen whole already; True where it is."""
        height = self._area.visible_height()
        whole = (line for line in self._area.lines() if line.top >= 0 and line.bottom <= height)
        seen = any(line.start <= start < line.end or start < line.start < end for line in whole)
        if not seen:
            self.reveal(start, end, Align.NEAREST)
        return seen

    def settle(self) -> None:
        """Go to the place that is waited for, as soon as it and the screen after it are built."""
        builder = self._area.builder
        if builder is None:
            return
        if self._pending_caret is not None and (builder.complete or builder.map.end > self._pending_caret):
            caret, self._pending_caret = self._pending_caret, None
            self._area.place_caret(caret, select=False)
        if self._pending is None:
            return
        start, end, align = self._pending
        if builder.complete or builder.map.end > end + SCREENFUL:
            self._pending = None
            veiled, self._area.veiled = self._area.veiled, False
            before = self._area.top_line.offset
            scrolled = self._area.verticalScrollBar().value()
            self._scroll_to(start, end, align)
            if align is Align.TOP:
                self._area.top_line.keep(start)
            elif abs(self._area.verticalScrollBar().value() - scrolled) > self._area.visible_height():
                self._jumped(before, start)
            self._area.viewport().update()
            if veiled:  # scrolling, if there was any, has told of it; margins were painted without lines
                self._area.viewport_moved.emit(None)

    def reading_position(self) -> int:
        """Return the offset of the first line that is wholly seen, 0 at the very top."""
        return self._area.top_line.offset if self._pending is None else self._pending[0]

    def _scroll_to(self, start: int, end: int, align: Align) -> None:
        first, last = self._area.place_of(start), self._area.place_of(max(start, end - 1))
        if first is None or last is None:
            return
        height = self._area.visible_height()
        scrolled = self._area.verticalScrollBar().value()
        top, bottom = first[0], last[1]
        if align is Align.NEAREST and top >= scrolled and bottom <= scrolled + height:
            return
        if align is Align.TOP:
            self._area.scroll_to(0 if start == 0 else top - ABOVE)
        elif bottom - top > height * 0.8:  # too long for the middle: show where it begins
            self._area.scroll_to(top - height * 0.1)
        else:
            self._area.scroll_to((top + bottom - height) / 2)
