"""The lanes next to the text: what each run retrieved, chunk by chunk, and how many runs agree."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from inexview.core.text.spans import Floats, Spans, depths
from inexview.gui.article.overlays import HEAT, Heat, Lane, Overlay
from inexview.gui.article.text_document import Line
from inexview.gui.look.theme import Theme, lane_color, paint_run_shape, run_color
from inexview.gui.look.widgets import LEFT, RIGHT, derived

if TYPE_CHECKING:
    from inexview.core.open_runs.rankings import ChunkBar

LANE_WIDTH, OTHER_WIDTH = 6.0, 4.0  # pixels of the run in the foreground, and of the others
LANE_STEP = 8.0
CHUNK_WIDTH, CHUNK_STEP = 12.0, 30.0  # of a lane of chunks, each with its rank to the left
MOST_RANKED = 3  # maximum number of lanes of chunks that get this width
HEAT_WIDTH = 11.0  # pixels if all runs agree
HEAT_LEAST = 3.0
HEAT_GAP = 3.0
HEAD = 15.0  # pixels for the signs, which stay as the text scrolls
LANE_SIGN = 7.0
OVER_HEAT = 14.0  # pixels to the right of the lane of agreement, for the words above it


@dataclass(frozen=True, slots=True)
class Pointed:
    """The characters ``[start, end)`` under the mouse: in the text (``lane`` is None), or next to it.

    ``lane`` is the index of a lane, or :data:`HEAT`; ``rank`` is the rank of a chunk in the lane, if any.
    """

    start: int
    end: int
    lane: int | None = None
    rank: int | None = None


def lane_step(overlay: Overlay) -> float:
    """Return the distance between lanes, in pixels."""
    ranked = len(overlay.lanes) <= MOST_RANKED and any(lane.chunks for lane in overlay.lanes)
    return CHUNK_STEP if ranked else LANE_STEP


def lane_at(x: float, right: float, overlay: Overlay) -> int | None:
    """Return the lane at ``x``; the first ends at ``right``, the others are to the left of it."""
    if overlay.heat is not None:
        if right - HEAT_WIDTH - HEAT_GAP <= x < right + 1:
            return HEAT
        right -= HEAT_WIDTH + HEAT_GAP
    at = int((right - x) // lane_step(overlay))
    return at if x < right and at < len(overlay.lanes) else None


def paint_lanes(
    painter: QPainter, lines: Sequence[Line], overlay: Overlay, theme: Theme, right: float
) -> None:
    """Paint the lanes, the first ending at ``right``, next to the retrieved lines."""
    painter.setPen(Qt.PenStyle.NoPen)
    if overlay.heat is not None:
        _paint_heat(painter, lines, overlay.heat, theme, right)
        right -= HEAT_WIDTH + HEAT_GAP
    step = lane_step(overlay)
    middles = [right - step * at - LANE_STEP / 2 for at in range(len(overlay.lanes))]
    starts, ends = [line.start for line in lines], [line.end for line in lines]
    for middle, lane in zip(middles, overlay.lanes, strict=True):
        color = lane_color(theme, lane.color)
        own = lane.color == overlay.style
        if lane.chunks and step == CHUNK_STEP:
            painter.setBrush(color)
            painter.setPen(Qt.PenStyle.NoPen)
            _paint_chunks(
                painter, lines, lane.chunks, middle + LANE_STEP / 2, CHUNK_WIDTH if own else LANE_WIDTH
            )
            continue
        wide = LANE_WIDTH if own else OTHER_WIDTH
        painter.setBrush(Qt.BrushStyle.NoBrush if lane.hollow else color)
        painter.setPen(QPen(color, 1.4) if lane.hollow else Qt.PenStyle.NoPen)
        for top, bottom in line_bars(lines, lane.spans, starts, ends):
            painter.drawRoundedRect(QRectF(middle - wide / 2, top, wide, bottom - top), 2, 2)
    over = right + HEAT_GAP + HEAT_WIDTH + OVER_HEAT
    painter.fillRect(QRectF(0, 0, over, HEAD), theme.color("page"))
    for middle, lane in zip(middles, overlay.lanes, strict=True):
        sign = QRectF(middle - LANE_SIGN / 2, (HEAD - LANE_SIGN) / 2, LANE_SIGN, LANE_SIGN)
        paint_run_shape(painter, lane.color, sign, run_color(theme, lane.color), hollow=lane.hollow)
    if overlay.heat is not None:
        room = QRectF(right + 2, 0, over - right - 2, HEAD)
        painter.save()
        painter.setPen(theme.color("muted"))
        painter.setFont(derived(painter.font(), factor=0.75))
        words = f"of {overlay.heat.runs}"
        fits = painter.fontMetrics().horizontalAdvance(words) <= room.width()
        painter.drawText(room, LEFT, words if fits else str(overlay.heat.runs))
        painter.restore()


def _paint_chunks(
    painter: QPainter, lines: Sequence[Line], chunks: Sequence[ChunkBar], right: float, wide: float
) -> None:
    """Paint each chunk as a bar, with its rank at its start; overlapping chunks share the width."""
    if not lines:
        return
    color, font = painter.brush().color(), derived(painter.font(), factor=0.8, bold=wide == CHUNK_WIDTH)
    for chunk, bar in chunk_boxes(lines, chunks, right, wide):
        painter.fillRect(bar.adjusted(0.5, 0.5, -0.5, -0.5), color)
        if chunk.first and chunk.start >= lines[0].start:
            painter.save()
            painter.setFont(font)
            painter.setPen(color)
            high, room = painter.fontMetrics().height(), CHUNK_STEP - wide - 3
            painter.drawText(QRectF(right - CHUNK_STEP, bar.top(), room, high), RIGHT, str(chunk.rank))
            painter.restore()


def chunk_boxes(
    lines: Sequence[Line], chunks: Sequence[ChunkBar], right: float, wide: float
) -> Iterator[tuple[ChunkBar, QRectF]]:
    """Yield chunks with their bars next to visible lines, in a lane that ends at ``right``."""
    for chunk in chunks:
        if chunk.end > lines[0].start and chunk.start < lines[-1].end:
            top, bottom = height_of(lines, chunk.start), height_of(lines, chunk.end)
            share = wide / chunk.of
            yield chunk, QRectF(right - wide + share * chunk.place, top, share, bottom - top)


def chunk_at(lines: Sequence[Line], overlay: Overlay, number: int, right: float, at: QPointF) -> int | None:
    """Return the rank of the chunk at a point of a lane, or just to its left; None if none."""
    lane = overlay.lanes[number]
    if not lines or lane_step(overlay) != CHUNK_STEP:
        return None
    end = right - (HEAT_WIDTH + HEAT_GAP if overlay.heat is not None else 0) - CHUNK_STEP * number
    wide = CHUNK_WIDTH if lane.color == overlay.style else LANE_WIDTH
    x = max(at.x(), end - wide + 0.5)  # the rank is to the left of the bar
    boxes = chunk_boxes(lines, lane.chunks, end, wide)
    return next((chunk.rank for chunk, box in boxes if box.contains(QPointF(x, at.y()))), None)


def height_of(lines: Sequence[Line], at: int) -> float:
    """Return the y of a character if the lines are stacked without gaps."""
    line = lines[max(bisect_right(lines, at, key=attrgetter("start")) - 1, 0)]
    share = (at - line.start) / max(line.end - line.start, 1)
    return line.top + min(max(share, 0.0), 1.0) * (line.bottom - line.top)


def _paint_heat(painter: QPainter, lines: Sequence[Line], heat: Heat, theme: Theme, right: float) -> None:
    """Paint how many runs retrieved each line: the more, the wider and the darker."""
    shares = heat_of_lines(lines, heat).tolist()
    for line, below, share in zip(lines, [*lines[1:], None], shares, strict=True):
        if not share:
            continue
        follows = below is not None and below.start == line.end
        bottom = below.top if below is not None and follows else line.bottom
        width, color = heat_look(theme, share)
        painter.fillRect(QRectF(right - width, line.top, width, bottom - line.top), color)


def heat_look(theme: Theme, share: float) -> tuple[float, QColor]:
    color = theme.color("muted")
    color.setAlphaF(0.25 + 0.65 * share)
    return HEAT_LEAST + (HEAT_WIDTH - HEAT_LEAST) * share, color


def heat_of_lines(lines: Sequence[Line], heat: Heat) -> Floats:
    """Return the mean share of runs that retrieved the characters of each line, shape (n,)."""
    edges = np.array([(line.start, line.end) for line in lines], np.float64).reshape(-1, 2)
    sums = np.append(0.0, np.cumsum(np.diff(heat.edges) * heat.counts))
    covered = np.interp(edges, heat.edges, sums)
    sizes = np.maximum(edges[:, 1] - edges[:, 0], 1)
    share: Floats = (covered[:, 1] - covered[:, 0]) / sizes / max(heat.runs, 1)
    return share


def heat_of(lanes: Sequence[Lane]) -> Heat:
    return Heat(*depths([lane.spans for lane in lanes]), len(lanes))


def line_bars(
    lines: Sequence[Line], spans: Spans, starts: Sequence[int], ends: Sequence[int]
) -> list[tuple[float, float]]:
    """Return (top, bottom) of what spans cover of the visible lines, with bars of adjacent lines joined."""
    bars: list[tuple[float, float]] = []
    if not lines or not spans:
        return bars
    grown = False
    for line, overlap in zip(lines, spans.overlap(starts, ends).tolist(), strict=True):
        if not overlap:
            grown = False
            continue
        top = bars.pop()[0] if grown else line.top
        bars.append((top, line.bottom))
        # The next line continues this bar if the span does.
        grown = line.end in spans and line.end - 1 in spans
    return bars
