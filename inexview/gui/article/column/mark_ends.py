"""The ends of marks as handles: held and moved by keys, or dragged, one unit further or back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPointF, Signal

from inexview.core.article.granularity import Granularity, Snapper
from inexview.core.text.spans import Spans
from inexview.core.text.text_quotes import Span
from inexview.gui.article.column.hand import Hand
from inexview.gui.article.overlays import Stroke, Tool

if TYPE_CHECKING:
    from inexview.gui.article.column.text_area import TextArea

NEAR = 4.0  # pixels: so near the mouse takes an end


@dataclass(frozen=True, slots=True)
class MarkEnd:
    """The end of the mark ``[start, end)``, or its start."""

    start: int
    end: int
    at_end: bool

    @property
    def offset(self) -> int:
        return self.end if self.at_end else self.start

    def moved(self, step: int, snapper: Snapper, unit: Granularity, marks: Spans) -> Stroke | None:
        """Return the stroke that moves it a unit on (1) or back (-1) in the text; one unit always stays."""
        if self.at_end and step > 0:
            reach = snapper.grow(self.end - 1, self.end, unit)[1]  # the rest of that which it ends within
            if reach <= self.end:
                following = snapper.start_after(self.end - 1, unit)
                reach = snapper.grow(following, following + 1, unit)[1]
            return Stroke(Tool.MARK, self.end, reach) if reach > self.end else None
        if not self.at_end and step < 0:
            before = snapper.start_before(self.start, unit)
            return Stroke(Tool.MARK, before, self.start) if before < self.start else None
        if self.at_end:
            last = snapper.grow(self.end - 1, self.end, unit)[0]
            cut = snapper.cleared(last, self.end, marks)[0]
            return Stroke(Tool.ERASE, cut, self.end) if last > self.start else None
        first = snapper.grow(self.start, self.start + 1, unit)[1]
        cut = snapper.cleared(self.start, first, marks)[1]
        return Stroke(Tool.ERASE, self.start, cut) if first < self.end else None

    def dragged(self, here: int, snapper: Snapper, unit: Granularity) -> Stroke | None:
        """Return the stroke that moves it to the unit that a place lies in, which stays or becomes marked."""
        if self.at_end:
            to = snapper.grow(max(here, self.start + 1) - 1, max(here, self.start + 1), unit)[1]
            edges = (self.end, to) if to > self.end else (to, self.end)
            tool = Tool.MARK if to > self.end else Tool.ERASE
        else:
            to = snapper.grow(min(here, self.end - 1), min(here, self.end - 1) + 1, unit)[0]
            edges = (to, self.start) if to < self.start else (self.start, to)
            tool = Tool.MARK if to < self.start else Tool.ERASE
        return Stroke(tool, *edges) if edges[0] < edges[1] else None


@dataclass(frozen=True, slots=True)
class Stuck:
    """A mark that cannot be a unit longer (1) or shorter (-1) at its end; None: there are no marks."""

    mark: Span | None
    step: int


class MarkEnds(QObject):
    """Holds one end of a mark at a time; it changes nothing itself."""

    changed = Signal(object)  # MarkEnd | None: what is held now
    finished = Signal(object)  # Stroke
    went = Signal(object)  # int: a character at the end that a key holds now
    stuck = Signal(object)  # Stuck

    def __init__(self, surface: TextArea, hand: Hand, parent: QObject) -> None:
        super().__init__(parent)
        self.held: MarkEnd | None = None
        self._surface = surface
        self._hand = hand

    @property
    def offer(self) -> Stroke | None:
        """The stroke that takes one unit more at the end that is held."""
        return None if self.held is None else self._moved(self.held, 1 if self.held.at_end else -1)

    def hold_next(self, step: int) -> bool:
        """Hold the next end (1) or the one before (-1), first that of the mark at the caret.

        Return False where there are no marks.
        An end comes before its start: it is moved more often.
        """
        if not self._hand.marks or not self._hand.live:
            return False
        ends = [MarkEnd(start, end, at_end) for start, end in self._hand.marks for at_end in (True, False)]
        if self.held in ends:
            at = ends.index(self.held) + step
        else:
            self._surface.bring_caret()
            caret = self._surface.caret()
            at = next((index for index, end in enumerate(ends) if end.end >= caret), len(ends) - 2)
        held = ends[at % len(ends)]
        self._hold(held)
        self.went.emit(held.end - 1 if held.at_end else held.start)
        return True

    def let_go(self) -> bool:
        """Hold no end; False where none is held."""
        held = self.held is not None
        self._hold(None)
        return held

    def move(self, step: int) -> None:
        """Move the end that is held a unit on (1) or back (-1) in the text."""
        if self.held is not None:
            self._stroke(self.held, step)

    def move_nearest(self, step: int) -> None:
        """Move the end that is held, else that of the mark at the caret or of the last one before it.

        Where the caret is out of sight, it is that of the first mark that is seen, if any is.
        """
        if self.held is not None:
            self._stroke(self.held, step if self.held.at_end else -step)
        elif self._hand.marks and self._hand.live:
            self._stroke(MarkEnd(*self._nearest(), at_end=True), step)
        elif self._hand.live:
            self.stuck.emit(Stuck(None, step))

    def _nearest(self) -> Span:
        marks, lines = list(self._hand.marks), self._surface.lines()
        if self._surface.bring_caret():
            seen = (mark for mark in marks if mark[0] < lines[-1].end and lines[0].start < mark[1])
            if (first := next(seen, None)) is not None:
                return first
        caret = self._surface.caret()
        return next((mark for mark in reversed(marks) if mark[0] <= caret), marks[0])

    def erase(self, mark: Span) -> None:
        """Take a whole mark away."""
        self.finished.emit(Stroke(Tool.ERASE, *mark))

    def sync(self) -> None:
        """Follow the end that is held after the marks have changed."""
        if self.held is not None:
            held = self.held
            near = [mark for mark in self._hand.marks if mark[0] <= held.end and mark[1] >= held.start]
            mark = (near[-1] if held.at_end else near[0]) if near else None
            self._hold(None if mark is None else MarkEnd(*mark, held.at_end))

    def at(self, point: QPointF) -> MarkEnd | None:
        """Return the end of a mark that the mouse is at, while the pen is in the hand."""
        hand = self._hand
        line = self._surface.line_near(point.y()) if hand.live and hand.tool is Tool.MARK else None
        if line is None or not line.top <= point.y() <= line.bottom:
            return None
        for row in hand.marks.sharing(line.start, line.end):
            start, end = int(hand.marks.starts[row]), int(hand.marks.ends[row])
            for offset, at_end in ((end, True), (start, False)):
                shown = line.start <= offset <= line.end
                if shown and abs(line.x(offset, at_end=at_end) - point.x()) <= NEAR:
                    return MarkEnd(start, end, at_end)
        return None

    def _stroke(self, end: MarkEnd, step: int) -> None:
        stroke = self._moved(end, step)
        if stroke is not None:
            self.finished.emit(stroke)
        else:
            self.stuck.emit(Stuck((end.start, end.end), step if end.at_end else -step))

    def _moved(self, end: MarkEnd, step: int) -> Stroke | None:
        snapper = self._hand.snapper
        return None if snapper is None else end.moved(step, snapper, self._hand.unit, self._hand.marks)

    def _hold(self, end: MarkEnd | None) -> None:
        if end != self.held:
            self.held = end
            self.changed.emit(end)
