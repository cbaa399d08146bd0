"""The lanes of runs in the article's margin, with their signs above, and the lane of how many runs agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from inexview.core.text.spans import Floats, Spans
from inexview.gui.article.overlays import HEAT, Heat, Lane, Overlay
from inexview.gui.article.typesetting.lines import Line
from inexview.gui.look.panel_parts import LEFT, derived
from inexview.gui.look.symbols import lane_color, paint_run_shape, run_color
from inexview.gui.look.theme import Theme

LANE_WIDTH, OTHER_WIDTH = 6.0, 4.0  # of the run in the foreground, and of the others
LANE_STEP = 8.0
HEAT_WIDTH = 11.0  # where all runs agree
HEAT_LEAST = 3.0
HEAT_GAP = 3.0
HEAD = 15.0  # pixels for the signs, which stay as the text scrolls
SIGN = 7.0
OVER_HEAT = 14.0  # right of the lane of how many runs agree, for the words above it


@dataclass(frozen=True, slots=True)
class Pointed:
    """The characters ``[start, end)`` are pointed at: in the text (``lane`` is None), or beside it.

    ``lane`` is the number of a lane, or :data:`HEAT`.
    """

    start: int
    end: int
    lane: int | None = None


def lanes_width(overlay: Overlay) -> float:
    """Return the room that the lanes take, in pixels."""
    heat = HEAT_WIDTH + HEAT_GAP if overlay.heat is not None else 0.0
    return LANE_STEP * len(overlay.lanes) + heat


def lane_at(x: float, right: float, overlay: Overlay) -> int | None:
    """Return which lane is at ``x``; the first ends at ``right``, and the others are left of it."""
    if overlay.heat is not None:
        if right - HEAT_WIDTH - HEAT_GAP <= x < right + 1:
            return HEAT
        right -= HEAT_WIDTH + HEAT_GAP
    at = int((right - x) // LANE_STEP)
    return at if x < right and at < len(overlay.lanes) else None


def paint_lanes(
    painter: QPainter, lines: Sequence[Line], overlay: Overlay, theme: Theme, right: float
) -> None:
    """Paint the lanes, the first ending at ``right``, beside the lines that their runs retrieved."""
    painter.setPen(Qt.PenStyle.NoPen)
    if overlay.heat is not None:
        _paint_heat(painter, lines, overlay.heat, theme, right)
        right -= HEAT_WIDTH + HEAT_GAP
    middles = [right - LANE_STEP * (at + 0.5) for at in range(len(overlay.lanes))]
    starts, ends = [line.start for line in lines], [line.end for line in lines]
    for middle, lane in zip(middles, overlay.lanes, strict=True):
        color = lane_color(theme, lane.color)
        wide = LANE_WIDTH if lane.color == overlay.style else OTHER_WIDTH
        painter.setBrush(Qt.BrushStyle.NoBrush if lane.hollow else color)
        painter.setPen(QPen(color, 1.4) if lane.hollow else Qt.PenStyle.NoPen)
        for top, bottom in line_bars(lines, lane.spans, starts, ends):
            painter.drawRoundedRect(QRectF(middle - wide / 2, top, wide, bottom - top), 2, 2)
    over = right + HEAT_GAP + HEAT_WIDTH + OVER_HEAT
    painter.fillRect(QRectF(0, 0, over, HEAD), theme.color("page"))
    for middle, lane in zip(middles, overlay.lanes, strict=True):
        sign = QRectF(middle - SIGN / 2, (HEAD - SIGN) / 2, SIGN, SIGN)
        paint_run_shape(painter, lane.color, sign, run_color(theme, lane.color), hollow=lane.hollow)
    if overlay.heat is not None:
        _paint_runs_of(painter, overlay.heat.runs, theme, QRectF(right + 2, 0, over - right - 2, HEAD))


def _paint_runs_of(painter: QPainter, runs: int, theme: Theme, room: QRectF) -> None:
    """Say above the heat of how many runs it is; of hundreds only the number has room."""
    painter.save()
    painter.setPen(theme.color("muted"))
    painter.setFont(derived(painter.font(), factor=0.75))
    words = f"of {runs}"
    fits = painter.fontMetrics().horizontalAdvance(words) <= room.width()
    painter.drawText(room, LEFT, words if fits else str(runs))
    painter.restore()


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
    """Return width and colour of what this share of the runs retrieved."""
    color = theme.color("muted")
    color.setAlphaF(0.25 + 0.65 * share)
    return HEAT_LEAST + (HEAT_WIDTH - HEAT_LEAST) * share, color


def heat_of_lines(lines: Sequence[Line], heat: Heat) -> Floats:
    """Return of each line the share of the runs that retrieved it, each by as much as it has, shape (n,)."""
    edges = np.array([(line.start, line.end) for line in lines], np.float64).reshape(-1, 2)
    sums = np.append(0.0, np.cumsum(np.diff(heat.edges) * heat.counts))
    covered = np.interp(edges, heat.edges, sums)
    sizes = np.maximum(edges[:, 1] - edges[:, 0], 1)
    share: Floats = (covered[:, 1] - covered[:, 0]) / sizes / max(heat.runs, 1)
    return share


def heat_of(lanes: Sequence[Lane]) -> Heat:
    """Return how many of these lanes' runs retrieved each part of a text."""
    starts = np.concatenate([lane.spans.starts for lane in lanes])
    ends = np.concatenate([lane.spans.ends for lane in lanes])
    places = np.concatenate([starts, ends])
    change = np.concatenate([np.ones(len(starts), np.int64), -np.ones(len(ends), np.int64)])
    edges, where = np.unique(np.append(places, 0), return_inverse=True)
    steps = np.bincount(where[:-1], weights=change, minlength=len(edges)).astype(np.int64)
    return Heat(edges.astype(np.int64), np.cumsum(steps)[:-1], len(lanes))


def line_bars(
    lines: Sequence[Line], spans: Spans, starts: Sequence[int], ends: Sequence[int]
) -> list[tuple[float, float]]:
    """Return (top, bottom) of what spans cover of the visible lines, one bar for lines in a row."""
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
        # The next line goes on with this bar if the span does.
        grown = line.end in spans and line.end - 1 in spans
    return bars
