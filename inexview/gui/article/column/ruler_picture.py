"""The whole text as a strip of ticks: marks and what a run retrieved, finds or words, entry points.

A height on it is an offset, not pixels of a layout that may still be going on, so that it looks like the
strips in the lists of documents and never jumps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from inexview.core.text.spans import EMPTY, Offsets, Spans
from inexview.gui.article.column.word_layer import WordPlaces
from inexview.gui.article.overlays import Channels
from inexview.gui.look.layer_looks import LAYER_LOOKS
from inexview.gui.look.symbols import run_color
from inexview.gui.look.theme import Theme

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


class RulerPicture:
    """Draws the ticks, as an array of the screen's own pixels, and tells which one is at a point."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._length = 0
        self._channels = Channels()
        self._found: tuple[Offsets, Offsets] = (EMPTY.starts, EMPTY.ends)
        self._words: tuple[WordPlaces, ...] = ()
        self._image: QImage | None = None
        self._image_of: tuple[QSize, float] = (QSize(), 0.0)
        self._ground: NDArray[np.uint32] | None = None  # of the image: all but what is judged and retrieved

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._forget()

    def set_length(self, length: int) -> None:
        self._length = length
        self._forget()

    def set_channels(self, channels: Channels) -> None:
        self._channels, self._image = channels, None

    def set_found(self, starts: Offsets, ends: Offsets) -> None:
        """Show other finds; sorted, shape (n,)."""
        self._found = (starts, ends)
        self._forget()

    def set_words(self, words: Sequence[WordPlaces]) -> None:
        self._words = tuple(words)
        self._forget()

    def _forget(self) -> None:
        self._image = self._ground = None

    # -- drawing -------------------------------------------------------------------------------------

    def image(self, size: QSize, ratio: float) -> QImage:
        """Return the ticks on nothing, for a strip of that size on a screen of that pixel ratio."""
        if self._image_of != (size, ratio):
            self._image_of = (size, ratio)
            self._forget()
        if self._image is None:
            self._image = self._draw()
        return self._image

    def _draw(self) -> QImage:
        if self._ground is None:
            self._ground = self._draw_ground()
        pixels = self._ground.copy()
        for spans, color, column in self._columns():
            self._draw_spans(pixels, spans, color, column)
        height, width = pixels.shape
        form = QImage.Format.Format_ARGB32_Premultiplied
        image = QImage(pixels.data, width, height, 4 * width, form).copy()
        image.setDevicePixelRatio(self._image_of[1])
        return image

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

    def _draw_ground(self) -> NDArray[np.uint32]:
        """Draw what stays while one judges: finds or words."""
        size, ratio = self._image_of
        pixels = np.zeros((max(1, round(size.height() * ratio)), round(size.width() * ratio)), np.uint32)
        if found := Spans.from_arrays(*self._found):
            self._draw_spans(pixels, found, self._theme.color("finished"), FOUND)
        else:
            self._draw_words(pixels)
        return pixels

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
        ratio = self._image_of[1]
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
        (left, wide), ratio = column, self._image_of[1]
        return slice(round(left * ratio), round((left + wide) * ratio))

    def _rows(self, spans: Spans) -> NDArray[np.int64]:
        """Return the rows of pixels, shape (n,), that show a character of the spans."""
        if not spans or not self._length:
            return np.empty(0, np.int64)
        ratio = self._image_of[1]
        rows = round(self._heights().room * ratio)
        # The last row that a span reaches, and at least as many as can be seen.
        first = spans.starts * rows // self._length
        last = np.maximum(spans.ends * rows // self._length, first + round(LEAST * ratio))
        depth = np.zeros(rows + round(LEAST * ratio) + 2, np.int64)
        np.add.at(depth, first, 1)
        np.add.at(depth, last, -1)
        filled: NDArray[np.int64] = np.flatnonzero(np.cumsum(depth)) + round(TOP * ratio)
        return filled

    def _heights(self) -> TextHeights:
        return TextHeights(self._image_of[0].height(), self._length)

    def draw_entry_points(self, painter: QPainter) -> None:
        """Draw them across the strip, over everything."""
        overlay, heights = self._channels.overlay, self._heights()
        if overlay.entry is not None:
            y = int(heights.y(overlay.entry))
            painter.setPen(QPen(run_color(self._theme, overlay.style), 2, Qt.PenStyle.DotLine))
            painter.drawLine(2, y, WIDTH - 2, y)
        if overlay.bep is not None:
            y = int(heights.y(overlay.bep))
            painter.fillRect(QRect(1, y - 1, WIDTH - 1, 2), self._theme.color("bep"))

    # -- pointing ------------------------------------------------------------------------------------

    def tick_at(self, x: float, y: float) -> int | None:
        """Return the offset that a tick at a point means: in it what is nearest to the point's height."""
        heights = self._heights()
        at = heights.offset(y)
        reach = REACH * self._length / heights.room
        near = (_nearest(starts, ends, at) for starts, ends in self._ticks_at(x) if len(starts))
        best = min(near, key=lambda offset: abs(offset - at), default=None)
        return best if best is not None and abs(best - at) <= reach else None

    def _ticks_at(self, x: float) -> Iterator[tuple[Offsets, Offsets]]:
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


def _nearest(starts: Offsets, ends: Offsets, at: float) -> int:
    """Return the character of sorted spans, of which there are some, that is nearest to an offset."""
    behind = int(starts.searchsorted(at, "right"))
    beside = range(max(0, behind - 1), min(behind + 1, len(starts)))
    clamped = (min(max(round(at), int(starts[one])), int(ends[one]) - 1) for one in beside)
    return min(clamped, key=lambda offset: abs(offset - at))
