"""The overview ruler: the whole text as a strip, with marks, the run, entry points, finds and the viewport.

A height on the ruler stands for an offset, not for pixels of a layout that may still be going on, so that it
looks like the strips in the lists of documents and never jumps.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from inexview.core.spans import EMPTY, Offsets, Spans
from inexview.gui.article.overlays import Channels
from inexview.gui.theme import Theme

WIDTH = 22
TOP = 6  # pixels of page above and below the strip
# x and width of the three columns: judgement, run, finds.
JUDGED = (4, 6)
RUN = (12, 4)
FOUND = (17, 4)
LEAST = 2  # pixels: the smallest mark must be seen


@dataclass(frozen=True, slots=True)
class View:
    """The offsets that the viewport shows, ``[start, end)``."""

    start: int
    end: int


class Ruler(QWidget):
    """Shows where everything lies in the text; a click or drag goes there."""

    wanted = Signal(object)  # int: the offset to be brought to the middle of the viewport

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("article-ruler")
        self.setAccessibleName(self.tr("Overview of the whole text"))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self._theme = theme
        self._length = 0
        self._channels = Channels()
        self._found: tuple[Offsets, Offsets] = (EMPTY.starts, EMPTY.ends)
        self._view = View(0, 0)
        self._picture: QPixmap | None = None

    def sizeHint(self) -> QSize:
        """Be narrow, and as high as there is room."""
        return QSize(WIDTH, 200)

    def set_theme(self, theme: Theme) -> None:
        """Take on a theme."""
        self._theme = theme
        self._redraw()

    def set_length(self, length: int) -> None:
        """Show a text of so many characters."""
        self._length = length
        self._redraw()

    def set_channels(self, channels: Channels) -> None:
        """Show other marks."""
        self._channels = channels
        self._redraw()

    def set_found(self, starts: Offsets, ends: Offsets) -> None:
        """Show other finds; sorted, shape (n,)."""
        self._found = (starts, ends)
        self._redraw()

    def set_view(self, start: int, end: int) -> None:
        """Move the frame that stands for the viewport."""
        view = View(start, end)
        if view != self._view:
            self._view = view
            self.update()

    def _redraw(self) -> None:
        self._picture = None
        self.update()

    # -- painting ------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the strip from its picture, and the viewport's frame on it."""
        ratio = self.devicePixelRatioF()
        size = self.size() * ratio
        if self._picture is None or self._picture.size() != size:
            self._picture = QPixmap(size)
            self._picture.setDevicePixelRatio(ratio)
            self._draw(self._picture)
        painter = QPainter(self)
        painter.drawPixmap(QPoint(0, 0), self._picture)
        if self._length and self._view.end > self._view.start:
            self._draw_frame(painter)

    def _draw(self, picture: QPixmap) -> None:
        painter = QPainter(picture)
        theme, channels = self._theme, self._channels
        painter.fillRect(self.rect(), theme.color("window"))
        painter.fillRect(0, 0, 1, self.height(), theme.color("line"))
        if not self._length:
            return
        self._column(painter, channels.judged, "mark_edge", *JUDGED)
        self._column(painter, channels.hits, "mark_edge", *JUDGED)
        self._column(painter, channels.misses, "miss", *JUDGED)
        self._column(painter, channels.false_alarms, "false_alarm", *RUN)
        self._column(painter, channels.hits, "hit", *RUN)
        self._column(painter, Spans.from_arrays(*self._found), "finished", *FOUND)
        overlay = channels.overlay
        if overlay.entry is not None:
            y = self._y(overlay.entry)
            painter.setPen(QPen(theme.color("hit"), 2, Qt.PenStyle.DotLine))
            painter.drawLine(2, y, WIDTH - 2, y)
        if overlay.bep is not None:
            painter.fillRect(QRect(1, self._y(overlay.bep) - 1, WIDTH - 1, 2), theme.color("bep"))

    def _column(self, painter: QPainter, spans: Spans, token: str, x: int, width: int) -> None:
        color = self._theme.color(token)
        for top, bottom in self._rows(spans):
            painter.fillRect(QRect(x, top, width, max(LEAST, bottom - top)), color)

    def _rows(self, spans: Spans) -> Iterator[tuple[int, int]]:
        """Yield the stretches of pixel rows in which there is a character of the spans."""
        if not spans:
            return
        height = self._height()
        edges = np.arange(height + 1, dtype=np.int64) * self._length // height
        filled = spans.overlap(edges[:-1], edges[1:]) > 0
        if height > self._length:  # several rows to a character: some rows stand for none of their own
            filled = np.isin(edges[:-1], edges[:-1][filled])
        changes = np.flatnonzero(np.diff(np.concatenate(([False], filled, [False]))))
        for top, bottom in changes.reshape(-1, 2).tolist():
            yield TOP + top, TOP + bottom

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
        """Go where it is pressed."""
        self._go_to(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Go where it is dragged."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._go_to(event)

    def _go_to(self, event: QMouseEvent) -> None:
        share = (event.position().y() - TOP) / self._height()
        self.wanted.emit(round(min(max(share, 0.0), 1.0) * self._length))
