"""The overview ruler: the whole text as a strip, with marks, the run, entry points, finds and the viewport.

A height on the ruler stands for an offset, not for pixels of a layout that may still be going on, so that it
looks like the strips in the lists of documents and never jumps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from inexview.core.text.spans import EMPTY, Offsets, Spans
from inexview.gui.article.overlays import Channels
from inexview.gui.article.word_layer import WordPlaces
from inexview.gui.look.layer_looks import LAYER_LOOKS
from inexview.gui.look.symbols import run_color
from inexview.gui.look.theme import Theme

WIDTH = 22
TOP = 6  # pixels of page above and below the strip
# x and width of the three columns: judgement, run, finds.
JUDGED = (4, 6)
RUN = (12, 4)
FOUND = (17, 4)
ASSESSORS, SETTLED = ((3, 3), (12, 2), (15, 2)), (7, 4)  # between the first and the others what is settled
SUGGESTED = (13, 2)  # where otherwise a run is
LEAST = 2  # pixels: the smallest mark must be seen


@dataclass(frozen=True, slots=True)
class VisibleOffsets:
    """The offsets that the viewport shows, ``[start, end)``."""

    start: int
    end: int


class Ruler(QWidget):
    """Shows where everything lies in the text; a click or drag goes there."""

    wanted = Signal(object)  # int: the offset to be brought to the middle of the viewport

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("article-ruler")
        self.setAccessibleName("Overview of the whole text")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self._theme = theme
        self._length = 0
        self._channels = Channels()
        self._found: tuple[Offsets, Offsets] = (EMPTY.starts, EMPTY.ends)
        self._words: tuple[WordPlaces, ...] = ()
        self._view = VisibleOffsets(0, 0)
        self._picture: QImage | None = None
        self._picture_of: tuple[QSize, float] = (QSize(), 0.0)
        self._ground: NDArray[np.uint32] | None = None  # of the picture: all but what is judged and retrieved

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, 200)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._redraw()

    def set_length(self, length: int) -> None:
        self._length = length
        self._redraw()

    def set_channels(self, channels: Channels) -> None:
        self._channels, self._picture = channels, None
        self.update()

    def set_found(self, starts: Offsets, ends: Offsets) -> None:
        """Show other finds; sorted, shape (n,)."""
        self._found = (starts, ends)
        self._redraw()

    def set_words(self, words: Sequence[WordPlaces]) -> None:
        self._words = tuple(words)
        self._redraw()

    def set_view(self, start: int, end: int) -> None:
        """Move the frame that stands for the viewport."""
        view = VisibleOffsets(start, end)
        if view != self._view:
            self._view = view
            self.update()

    def _redraw(self) -> None:
        self._picture = self._ground = None
        self.update()

    # -- painting ------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._picture is None or self._picture_of != (self.size(), self.devicePixelRatioF()):
            if self._picture_of != (self.size(), self.devicePixelRatioF()):
                self._picture_of, self._ground = (self.size(), self.devicePixelRatioF()), None
            self._picture = self._draw(self.devicePixelRatioF())
        painter = QPainter(self)
        painter.drawImage(QPoint(0, 0), self._picture)
        if not self._length:
            return
        self._draw_entry_points(painter)
        if self._view.end > self._view.start:
            self._draw_frame(painter)

    def _draw(self, ratio: float) -> QImage:
        """Draw the columns, row by row of the screen's own pixels, as an array."""
        if self._ground is None:
            self._ground = self._draw_ground(ratio)
        pixels = self._ground.copy()
        height, width = pixels.shape
        channels, color = self._channels, self._theme.color
        run = run_color(self._theme, channels.overlay.style)
        contest = channels.overlay.contest
        layers = () if contest is None else contest.layers
        for spans, shown, (left, wide) in (
            *(
                (spans, color(look.token), place)
                for spans, look, place in zip(layers, LAYER_LOOKS, ASSESSORS, strict=False)
            ),
            (channels.judged, color("mark_edge"), SETTLED if layers else JUDGED),
            (channels.hits, color("mark_edge"), JUDGED),
            (channels.misses, color("miss"), JUDGED),
            (channels.false_alarms, color("false_alarm"), RUN),
            (channels.hits, run, RUN),
            (channels.unjudged, run, RUN),
            (Spans(ghost.span for ghost in channels.overlay.beside.suggested), color("suggested"), SUGGESTED),
        ):
            self._draw_spans(pixels, spans, shown, ratio, (left, wide))
        image = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGB32).copy()
        image.setDevicePixelRatio(ratio)
        return image

    def _draw_ground(self, ratio: float) -> NDArray[np.uint32]:
        """Draw what stays while one judges: the page, finds or words."""
        height, width = max(1, round(self.height() * ratio)), round(self.width() * ratio)
        pixels = np.full((height, width), self._theme.color("window").rgb(), np.uint32)
        pixels[:, : max(1, round(ratio))] = self._theme.color("line").rgb()
        if found := Spans.from_arrays(*self._found):
            self._draw_spans(pixels, found, self._theme.color("finished"), ratio, FOUND)
        else:
            self._draw_words(pixels, ratio)
        return pixels

    def _draw_spans(
        self, pixels: NDArray[np.uint32], spans: Spans, color: QColor, ratio: float, place: tuple[int, int]
    ) -> None:
        left, wide = place
        rows = self._rows(spans, ratio)
        columns = slice(round(left * ratio), round((left + wide) * ratio))
        pixels[rows[rows < len(pixels)], columns] = color.rgb()

    def _draw_words(self, pixels: NDArray[np.uint32], ratio: float) -> None:
        """Draw the places of words where finds are drawn otherwise, the first word over the others.

        Looked for are the rows of pixels in which a place begins: a word may have 100,000 places.
        """
        rows, top = max(1, round(self._height() * ratio)), round(TOP * ratio)
        bounds = -(-np.arange(rows + 1) * self._length // rows)  # the offset at which each row begins
        colors = np.zeros(len(pixels) + round(LEAST * ratio), np.uint32)
        for word in reversed(self._words):
            held = np.flatnonzero(np.diff(word.starts.searchsorted(bounds))) + top
            for more in range(round(LEAST * ratio)):
                colors[held + more] = QColor(self._theme.words[word.style % len(self._theme.words)]).rgb()
        drawn, (left, wide) = np.flatnonzero(colors[: len(pixels)]), FOUND
        pixels[drawn, round(left * ratio) : round((left + wide) * ratio)] = colors[drawn, None]

    def _rows(self, spans: Spans, ratio: float) -> NDArray[np.int64]:
        """Return the rows of pixels, shape (n,), that show a character of the spans."""
        if not spans or not self._length:
            return np.empty(0, np.int64)
        rows = round(self._height() * ratio)
        # The last row that a span reaches, and at least as many as can be seen.
        first = spans.starts * rows // self._length
        last = np.maximum(spans.ends * rows // self._length, first + round(LEAST * ratio))
        depth = np.zeros(rows + round(LEAST * ratio) + 2, np.int64)
        np.add.at(depth, first, 1)
        np.add.at(depth, last, -1)
        filled: NDArray[np.int64] = np.flatnonzero(np.cumsum(depth)) + round(TOP * ratio)
        return filled

    def _draw_entry_points(self, painter: QPainter) -> None:
        overlay = self._channels.overlay
        if overlay.entry is not None:
            y = self._y(overlay.entry)
            painter.setPen(QPen(run_color(self._theme, overlay.style), 2, Qt.PenStyle.DotLine))
            painter.drawLine(2, y, WIDTH - 2, y)
        if overlay.bep is not None:
            painter.fillRect(QRect(1, self._y(overlay.bep) - 1, WIDTH - 1, 2), self._theme.color("bep"))

    def _draw_frame(self, painter: QPainter) -> None:
        top, bottom = self._y(self._view.start), self._y(self._view.end)
        frame = QRect(2, top, WIDTH - 4, max(8, bottom - top))
        fill = self._theme.color("accent")
        fill.setAlphaF(0.13)
        painter.fillRect(frame, fill)
        painter.setPen(QPen(self._theme.color("accent"), 1))
        painter.drawRect(frame.adjusted(0, 0, -1, -1))

    def _height(self) -> int:
        return max(1, self.height() - 2 * TOP)

    def _y(self, offset: int) -> int:
        return TOP + offset * self._height() // max(1, self._length)

    # -- the mouse -----------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._go_to(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._go_to(event)

    def _go_to(self, event: QMouseEvent) -> None:
        share = (event.position().y() - TOP) / self._height()
        self.wanted.emit(round(min(max(share, 0.0), 1.0) * self._length))
