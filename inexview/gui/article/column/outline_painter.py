"""Draws an element as the outline of its lines, as a text selection would be, and fainter what holds it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from inexview.gui.article.column.outlines import Outlines
from inexview.gui.article.typesetting.lines import Line
from inexview.gui.article.typesetting.styles import PADDING
from inexview.gui.look.theme import Theme

AROUND = 2.0  # pixels between the letters and the outline
STEP = 3.0  # and from one outline to that of the element around it
FADING = (0.55, 0.36, 0.22)  # opacity of the outlines around it, the nearest first
FILL = 0.07
BAR = 2.0  # pixels: what an element without characters is as wide as
BEYOND = 10_000.0  # pixels, outside any viewport: where an outline goes on that is not seen to end

OutlineLevel = tuple[int, int]  # index of an element, and how many elements further in the outlined one is


def paint_outlines(
    painter: QPainter, theme: Theme, column: float, lines: Sequence[Line], outlines: Outlines
) -> None:
    """Draw the outlined element and the nearest of those around it; ``column`` is as wide as text may be."""
    drawn = levels(outlines)
    if not drawn or not lines:
        return
    painter.save()
    color = theme.color("accent")
    chosen = outline(lines, *outlines.drawn_span(outlines.chosen), column, AROUND)
    painter.fillPath(chosen, _faded(color, FILL))
    for index, level in drawn[1:]:
        around = outline(lines, *outlines.drawn_span(index), column, AROUND + level * STEP)
        painter.strokePath(around, QPen(_faded(color, FADING[level - 1]), 1))
    painter.strokePath(chosen, QPen(color, 1.5))
    painter.restore()


def levels(outlines: Outlines) -> list[OutlineLevel]:
    """Return what is outlined as (index, level): the element at level 0, what holds it at 1, and so on."""
    elements = outlines.elements
    if elements is None or not outlines.drawn:
        return []
    drawn = [(outlines.chosen, 0)]
    while len(drawn) <= len(FADING) and (parent := int(elements.parents[drawn[-1][0]])) >= 0:
        drawn.append((parent, len(drawn)))
    return drawn


def stretch(
    lines: Sequence[Line], outlines: Outlines, drawn: Iterable[OutlineLevel]
) -> tuple[float, float] | None:
    """Return top and bottom of all of these outlines on the visible lines, None where none is seen."""
    spans = [outlines.drawn_span(index) for index, _ in drawn]
    touched = [line for line in lines if any(line.start <= end and line.end >= start for start, end in spans)]
    beyond = AROUND + STEP * len(FADING) + 2
    return (touched[0].top - beyond, touched[-1].bottom + beyond) if touched else None


def outline(lines: Sequence[Line], start: int, end: int, column: float, spread: float) -> QPainterPath:
    """Return the outline of the characters ``[start, end)`` on the visible lines, ``spread`` pixels around.

    Where they begin or end within a line, so does the outline; lines between are as wide as the widest, or as
    the column where not all of them are seen.
    """
    if start >= end:
        return _bar(lines, start, spread)
    touched = [line for line in lines if line.start < end and line.end > start]
    if not touched:
        return QPainterPath()
    if any(line.mixed and (line.start < start or line.end > end) for line in (touched[0], touched[-1])):
        return _pieced(lines, touched, start, end, column, spread)
    spans = [line.extent(max(start, line.start), min(end, line.end)) for line in touched]
    first_left, last_right = spans[0][0], spans[-1][1]
    whole = start >= lines[0].start and end <= lines[-1].end
    left, right = first_left, last_right
    if len(touched) > 1 or not whole:
        begins_within = first_left > touched[0].left + 1
        ends_within = last_right < touched[-1].right - 1
        left = min((edge for edge, _ in spans[begins_within:]), default=first_left) if whole else PADDING
        right = PADDING + column
        first_left = first_left if begins_within else left
        last_right = last_right if ends_within else right
    top = touched[0].top if start >= lines[0].start else -BEYOND
    bottom = touched[-1].bottom if end <= lines[-1].end else lines[-1].bottom + BEYOND
    between = [(one.bottom + other.top) / 2 for one, other in pairwise(touched)]
    # The first line, those between, and the last one.
    edges = [top - spread, *between[:1], *between[1:][-1:], bottom + spread]
    stripes = len(edges) - 1
    return _closed(
        [_snapped(edge - spread) for edge in [first_left, left, left][:stripes]],
        [_snapped(edge + spread) for edge in [right, right, last_right][-stripes:]],
        [_snapped(edge) for edge in edges],
    )


def _pieced(
    lines: Sequence[Line], touched: Sequence[Line], start: int, end: int, column: float, spread: float
) -> QPainterPath:
    """Return the outline where a line that is not all covered has words written from right to left.

    What is covered of such a line may lie at its right, or in several places.
    """
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    edges = [(one.bottom + other.top) / 2 for one, other in pairwise(touched)]
    tops = [touched[0].top - spread if start >= lines[0].start else -BEYOND, *edges]
    bottoms = [*edges, touched[-1].bottom + (spread if end <= lines[-1].end else BEYOND)]
    for line, top, bottom in zip(touched, tops, bottoms, strict=True):
        stretches = [(float(PADDING), PADDING + column)]
        if line.start < start or line.end > end:
            stretches = line.stretches(max(start, line.start), min(end, line.end))
        for left, right in stretches:
            corner, opposite = QPointF(left - spread, top), QPointF(right + spread, bottom)
            path.addRect(QRectF(_snapped_point(corner), _snapped_point(opposite)))
    return path.simplified()


def _closed(lefts: Sequence[float], rights: Sequence[float], edges: Sequence[float]) -> QPainterPath:
    """Return the outline of stripes, one under the other; stripe i lies between edges i and i + 1."""
    path = QPainterPath(QPointF(lefts[0], edges[0]))
    stripes = list(zip(lefts, rights, pairwise(edges), strict=True))
    for _, right, (top, bottom) in stripes:
        path.lineTo(right, top)
        path.lineTo(right, bottom)
    for left, _, (top, bottom) in reversed(stripes):
        path.lineTo(left, bottom)
        path.lineTo(left, top)
    path.closeSubpath()
    return path


def _bar(lines: Sequence[Line], offset: int, spread: float) -> QPainterPath:
    """Return a thin upright bar where an element without characters is."""
    path = QPainterPath()
    line = next((line for line in lines if line.start <= offset <= line.end), None)
    if line is not None:
        x = line.x(offset)
        path.addRect(QRectF(x - BAR / 2, line.top - spread, BAR, line.bottom - line.top + 2 * spread))
    return path


def _snapped(pixels: float) -> float:
    """Return the middle of a pixel, where a thin line is sharp."""
    return round(pixels) + 0.5


def _snapped_point(point: QPointF) -> QPointF:
    return QPointF(_snapped(point.x()), _snapped(point.y()))


def _faded(color: QColor, opacity: float) -> QColor:
    faded = QColor(color)
    faded.setAlphaF(opacity)
    return faded
