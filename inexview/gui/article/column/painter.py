"""Draws what lies over the text, line by line, for the visible lines only; ``mark_looks`` says how."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen

from inexview.core.text.spans import Offsets, Spans
from inexview.core.text.text_quotes import Span
from inexview.gui.article.column.mark_ends import MarkEnd
from inexview.gui.article.column.word_layer import WordPlaces
from inexview.gui.article.mark_looks import DrawnPlace, MarkLooks
from inexview.gui.article.overlays import Channels, Contest, Overlay, Stroke, SuggestionGhost, Tool
from inexview.gui.article.typesetting.lines import Line, line_of
from inexview.gui.look.symbols import run_color
from inexview.gui.look.theme import Theme

Draw = Callable[[Sequence[DrawnPlace]], None]

HATCH = 0.3  # of a suggestion's colour, where a key would take it
BAND = 6  # pixels of the current place's ground above and below its lines
HATCHED = 0.45  # opacity of the lines over what the eraser would take
UNREAD = 0.55  # how far the text fades that is not read


class OverlayPainter:
    """Draws on one painter, in one theme; lengths grow with ``scale`` (1 at a reading size of 17 pixels)."""

    def __init__(self, painter: QPainter, theme: Theme, scale: float, lines: Sequence[Line]) -> None:
        self._painter = painter
        self._theme = theme
        self._scale = scale
        self._lines = lines
        self._looks = MarkLooks(painter, theme, scale)

    # -- under the text ------------------------------------------------------------------------------

    def backgrounds(self, channels: Channels) -> None:
        """Draw the judged text, and how the run, or two assessors, did on it."""
        if channels.overlay.contest is not None:
            self._ground(channels.overlay.contest)
        looks, run = self._looks, run_color(self._theme, channels.overlay.style)
        self._each(channels.judged, looks.marked)
        self._each(channels.hits, partial(looks.hit, run=run))
        self._each(channels.misses, looks.missed)
        self._each(channels.unjudged, partial(looks.unjudged, run=run))
        self.suggestions(channels.overlay.beside.suggested)
        if channels.overlay.contest is not None:
            self._contest(channels.overlay.contest, channels.judged)

    def suggestions(self, ghosts: Sequence[SuggestionGhost]) -> None:
        """Draw brackets around suggested passages, and hatching over the one that a key takes."""
        color = self._theme.color("suggested")
        self._painter.save()
        for ghost in ghosts:
            spans = Spans([ghost.span])
            places = [place[1:] for place in self._segments(spans.starts, spans.ends)]
            if ghost.current:
                hatch = QColor(color)
                hatch.setAlphaF(HATCH)
                for line, left, right in places:
                    box = QRectF(left, line.top, right - left, line.bottom - line.top)
                    self._painter.setBrushOrigin(box.topLeft())  # it moves with the text
                    self._painter.fillRect(box, QBrush(hatch, Qt.BrushStyle.FDiagPattern))
            self._painter.setPen(QPen(color, 2.5 if ghost.current else 1.5))
            for line, left, right in places:
                if line.start <= ghost.span[0] < line.end:
                    self._bracket(left - 2, line, 5)
                if line.start < ghost.span[1] <= line.end:
                    self._bracket(right + 1, line, -5)
        self._painter.restore()

    def _bracket(self, x: float, line: Line, arm: int) -> None:
        top, bottom = round(line.top) - 1, round(line.bottom) + 2
        self._painter.drawPolyline(
            [QPointF(x + arm, top), QPointF(x, top), QPointF(x, bottom), QPointF(x + arm, bottom)]
        )

    def _ground(self, contest: Contest) -> None:
        """Draw a band across the page where the current place lies."""
        if contest.current is not None and (band := band_of(self._lines, contest.current)):
            place = QRect(0, band[0], self._painter.window().width(), band[1] - band[0])
            self._painter.fillRect(place, self._theme.color("selected"))

    def _contest(self, contest: Contest, third: Spans) -> None:
        """Underline what one assessor marked, or two of three did, as long as that is open."""
        shown = contest.open - third
        for layer in range(len(contest.layers)):
            self._each(contest.only(layer) & shown, partial(self._looks.layer, number=layer))
        if len(contest.layers) > 2:
            self._each(contest.several & shown, partial(self._looks.double, token="muted"))

    def found(self, starts: Offsets, ends: Offsets, current: int | None) -> None:
        """Draw the places that Find found, the current one (an index) with an outline."""
        color, outline = self._theme.color("found"), self._theme.color("finished")
        for index, line, left, right in self._segments(starts, ends):
            place = QRectF(left - 1, line.top + 1, right - left + 2, line.bottom - line.top - 1)
            self._painter.fillRect(place, color)
            if index == current:
                self._painter.setPen(QPen(outline, 2))
                self._painter.setBrush(Qt.BrushStyle.NoBrush)  # not what marks were painted with
                self._painter.drawRect(place)

    def words(self, words: Sequence[WordPlaces]) -> None:
        """Draw a dotted line, in its colour, under every place of a word."""
        thick = max(1.5, 1.5 * self._scale)
        for word in words:
            color = QColor(self._theme.words[word.style % len(self._theme.words)])
            pen = QPen(color, thick, Qt.PenStyle.CustomDashLine, Qt.PenCapStyle.FlatCap)
            pen.setDashPattern([1, 1.1])
            self._painter.setPen(pen)
            for _, line, left, right in self._segments(word.starts, word.ends):
                y = line.baseline + 3.5 * self._scale
                self._painter.drawLine(QPointF(left, y), QPointF(right, y))

    def preview(self, stroke: Stroke) -> None:
        """Draw what the pen would do: a light background in a dashed outline."""
        erasing = stroke.tool is Tool.ERASE
        fill = self._theme.color("erase" if erasing else "preview")
        pen = QPen(
            self._theme.color("erase_edge" if erasing else "preview_edge"), 1, Qt.PenStyle.CustomDashLine
        )
        pen.setDashPattern([4, 3])
        self._painter.save()
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._painter.setPen(pen)
        self._painter.setBrush(fill)
        for _, line, left, right in self._segments(*_one(stroke)):
            box = QRectF(
                round(left) - 1.5,
                round(line.top) + 0.5,
                round(right - left) + 3,
                round(line.bottom - line.top),
            )
            self._painter.drawRoundedRect(box, 3, 3)
        self._painter.restore()

    # -- over the text -------------------------------------------------------------------------------

    def false_alarms(self, channels: Channels) -> None:
        """Underline the text of false alarms, which is read as any other."""
        self._each(channels.false_alarms, self._looks.false_alarm)

    def before(self, spans: Spans, color: QColor) -> None:
        """Frame with dashes what was retrieved before, and is no more."""
        pen = QPen(color, 1.2, Qt.PenStyle.CustomDashLine)
        pen.setDashPattern([4, 3])

        def draw(places: Sequence[DrawnPlace]) -> None:
            self._painter.setPen(pen)
            self._painter.setBrush(Qt.BrushStyle.NoBrush)
            for line, left, right in places:
                self._painter.drawRoundedRect(
                    QRectF(left - 1, line.top, right - left + 2, line.bottom - line.top + 1), 3, 3
                )

        self._each(spans, draw)

    def not_read(self, overlay: Overlay) -> None:
        """Draw what a run retrieved before, what a reader does not come to, and where reading stops."""
        self.before(overlay.before, run_color(self._theme, overlay.style))
        self.unread(overlay.unread)
        if overlay.stop is not None:
            self.stop(overlay.stop)

    def unread(self, spans: Spans) -> None:
        """Let the text that a reader does not come to step back."""
        self._each(spans, partial(self._looks.wash, strength=UNREAD))

    def stop(self, offset: int) -> None:
        """Draw a bar with two feet behind the character at which a reader stops."""
        line = line_of(self._lines, offset - 1)
        if line is None:
            return
        x, foot = round(line.x(offset, at_end=True)) + 1.0, max(3.0, 4 * self._scale)
        self._painter.setPen(
            QPen(self._theme.color("text"), 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap)
        )
        self._painter.drawLine(QPointF(x, line.top - 2), QPointF(x, line.bottom + 2))
        for y in (line.top - 2, line.bottom + 2):
            self._painter.drawLine(QPointF(x - foot, y), QPointF(x + 1, y))

    def hatched(self, stroke: Stroke) -> None:
        color = self._theme.color("erase_edge")
        color.setAlphaF(HATCHED)
        for _, line, left, right in self._segments(*_one(stroke)):
            room = QRectF(left, line.top, right - left, line.bottom - line.top)
            self._painter.fillRect(room, QBrush(color, Qt.BrushStyle.BDiagPattern))

    def tick(self, offset: int, color: QColor, *, dashed: bool = False) -> None:
        """Draw a thin upright line at the very character of an entry point."""
        line = line_of(self._lines, offset)
        if line is None:
            return
        x = round(line.x(offset)) - 1.0
        pen = QPen(color, 2, Qt.PenStyle.CustomDashLine if dashed else Qt.PenStyle.SolidLine)
        if dashed:
            pen.setDashPattern([1.5, 1])
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        self._painter.setPen(pen)
        self._painter.drawLine(QPointF(x, line.top - 2), QPointF(x, line.bottom + 2))

    def handle(self, end: MarkEnd) -> None:
        """Draw the end of a mark that is held."""
        self._knob(end, self._theme.color("mark_edge"), filled=end.at_end)

    def handles(self, spans: Spans, color: QColor) -> None:
        """Draw both ends of every span as what can be dragged."""
        for row in spans.sharing(self._lines[0].start, self._lines[-1].end) if self._lines else ():
            start, end = int(spans.starts[row]), int(spans.ends[row])
            for at_end in (False, True):
                self._knob(MarkEnd(start, end, at_end), color, filled=False)

    def _knob(self, end: MarkEnd, color: QColor, *, filled: bool) -> None:
        """Draw an end as a bar with a knob."""
        line = line_of(self._lines, end.end - 1 if end.at_end else end.start)
        if line is None:
            return
        x = round(line.x(end.offset, at_end=end.at_end))
        self._painter.save()
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._painter.setPen(QPen(color, 2))
        self._painter.drawLine(QPointF(x, line.top), QPointF(x, line.bottom + 1))
        self._painter.setBrush(color if filled else self._theme.color("page"))
        self._painter.drawEllipse(QPointF(x, line.bottom + 3 if end.at_end else line.top - 3), 3.5, 3.5)
        self._painter.restore()

    # -- from spans to segments ----------------------------------------------------------------------

    def _each(self, spans: Spans, *draws: Draw) -> None:
        if not spans:
            return
        places = [(line, left, right) for _, line, left, right in self._segments(spans.starts, spans.ends)]
        for draw in draws:
            draw(places)

    def _segments(self, starts: Offsets, ends: Offsets) -> Iterator[tuple[int, Line, float, float]]:
        """Yield (index of the span, line, left, right) for every piece of a span on a visible line.

        The spans, shape (n,), are sorted and do not overlap; the visible ones are found by binary search.
        """
        if not self._lines:
            return
        index = int(np.searchsorted(ends, self._lines[0].start, side="right"))
        stop = int(np.searchsorted(starts, self._lines[-1].end, side="left"))
        visible = list(zip(starts[index:stop].tolist(), ends[index:stop].tolist(), strict=True))
        at = 0
        for line in self._lines:
            while at < len(visible) and visible[at][1] <= line.start:
                at += 1
            following = at
            while following < len(visible) and visible[following][0] < line.end:
                start, end = visible[following]
                for left, right in line.stretches(max(start, line.start), min(end, line.end)):
                    if right > left:
                        yield index + following, line, left, right
                following += 1


def band_of(lines: Sequence[Line], span: Span) -> tuple[int, int] | None:
    """Return top and bottom of the visible lines of a passage, None where none is seen."""
    held = [line for line in lines if line.start < span[1] and span[0] < line.end]
    return (round(held[0].top) - BAND, round(held[-1].bottom) + BAND) if held else None


def changed_band(lines: Sequence[Line], before: Spans, after: Spans) -> tuple[int, int] | None:
    """Return top and bottom of the visible lines in which marks changed, None where none is seen."""
    if not lines:
        return None
    before, after = (marks.clip(lines[0].start, lines[-1].end) for marks in (before, after))
    changed = before ^ after
    if not changed:
        return None
    overlap = changed.overlap([line.start for line in lines], [line.end for line in lines])
    held = [lines[at] for at in np.flatnonzero(overlap).tolist()]
    return (round(held[0].top) - BAND, round(held[-1].bottom) + BAND) if held else None


def _one(stroke: Stroke) -> tuple[Offsets, Offsets]:
    return np.array([stroke.start], np.int64), np.array([stroke.end], np.int64)
