"""The pen: current tool and unit, strokes by mouse, and handles at the ends of marks."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from math import copysign

from PySide6.QtCore import QElapsedTimer, QObject, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QMouseEvent

from inexview.core.article.granularity import Granularity, Snapper, Target
from inexview.core.text.search import Span
from inexview.core.text.spans import EMPTY, Spans
from inexview.gui.article.overlays import Stroke, Tool, which
from inexview.gui.article.text_document import ReadingEdit, StrokeEnd


class PenState(QObject):
    """Current tool, and the unit that its strokes grow to; if not ``live``, only selecting is possible."""

    changed = Signal(object)  # None: tool, unit or live changed

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.tool = Tool.MARK
        self.unit = Granularity.SENTENCE
        self.live = True
        self.snapper: Snapper | None = None
        self.marks: Spans = EMPTY  # the current marks
        self._before: Granularity | None = None  # the unit before a key that is still down
        self._used = False

    def take(self, tool: Tool) -> None:
        if tool is not self.tool:
            self.tool = tool
            self.changed.emit(None)

    def choose(self, unit: Granularity) -> None:
        """Choose the unit of strokes; a stroke made while the key is down makes the choice temporary.

        Repetitions of a held key are ignored.
        """
        if self.holds and unit is self.unit:
            return
        self._before, self._used = self.unit, False
        self.unit = unit
        self.changed.emit(None)

    @property
    def holds(self) -> bool:
        """Whether the key that chose the unit may still be down."""
        return self._before is not None

    def let_up(self) -> None:
        """Handle the release of a key: a temporary unit ends."""
        if self._before is not None and self._used and self._before is not self.unit:
            self.unit = self._before
            self.changed.emit(None)
        self._before = None

    def set_live(self, live: bool) -> None:
        if live is not self.live:
            self.live = live
            self.changed.emit(None)

    def stroke(
        self,
        tool: Tool,
        start: int,
        end: int,
        unit: Granularity,
        *,
        widens: bool = False,
        told: str = "",
        among: Spans | None = None,
    ) -> Stroke | None:
        """Return the stroke from what was pointed at, grown to a unit, or None if it is empty.

        Units are joined to their neighbours over white space, and leave none at a mark's end; characters stay
        exact. ``among`` are the marks to join, by default the current ones.
        """
        if self.snapper is None:
            return None
        self._used = True
        start, end = self.snapper.grow(start, end, unit)
        if start == end:
            return None
        if unit is not Granularity.CHARACTER:
            start, end = self.settled(tool, start, end, self.marks if among is None else among)
        return Stroke(tool, start, end, widens, told)

    def settled(self, tool: Tool, start: int, end: int, among: Spans) -> tuple[int, int]:
        """Return a unit with the white space that joins it to marks, or that erasing it would leave."""
        if self.snapper is None:
            return start, end
        settle = self.snapper.joined if tool is Tool.MARK else self.snapper.cleared
        return settle(start, end, among)


# The ends of marks as handles, moved by keys or mouse, one unit forward or back.

NEAR = 4.0  # pixels within which the mouse grasps an end


@dataclass(frozen=True, slots=True)
class MarkEnd:
    """The end, or the start, of the mark ``[start, end)``."""

    start: int
    end: int
    at_end: bool

    @property
    def offset(self) -> int:
        return self.end if self.at_end else self.start

    def moved(self, step: int, snapper: Snapper, unit: Granularity, marks: Spans) -> Stroke | None:
        """Return the stroke that moves it forward (1) or back (-1) by a unit, leaving at least one."""
        if self.at_end and step > 0:
            reach = snapper.grow(self.end - 1, self.end, unit)[1]  # the rest of the unit in which it ends
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
        """Return the stroke that moves it to the unit at an offset, which stays or becomes marked."""
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
    """A mark that cannot grow (1) or shrink (-1) by a unit at its end; None if there are no marks."""

    mark: Span | None
    step: int


class MarkEnds(QObject):
    """Holds one end of a mark at a time, and signals strokes."""

    changed = Signal(object)  # MarkEnd | None: the held end
    finished = Signal(object)  # Stroke
    went = Signal(object)  # int: a character at the newly held end
    stuck = Signal(object)  # Stuck

    def __init__(self, surface: ReadingEdit, pen_state: PenState, parent: QObject) -> None:
        super().__init__(parent)
        self.held: MarkEnd | None = None
        self.hovered: MarkEnd | None = None
        """The end under the mouse, which a drag would move."""
        self._surface = surface
        self._pen_state = pen_state

    @property
    def offer(self) -> Stroke | None:
        """The stroke that extends the mark by a unit at the held end."""
        return None if self.held is None else self._moved(self.held, 1 if self.held.at_end else -1)

    def hold_next(self, step: int) -> bool:
        """Hold the next (1) or previous (-1) end, first that of the mark at the caret.

        Returns False if there are no marks. Ends come before starts, because they are moved more often.
        """
        if not self._pen_state.marks or not self._pen_state.live:
            return False
        ends = [
            MarkEnd(start, end, at_end) for start, end in self._pen_state.marks for at_end in (True, False)
        ]
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

    def dismiss(self) -> bool:
        held = self.held is not None
        self._hold(None)
        return held

    def move(self, step: int) -> None:
        """Move the held end forward (1) or back (-1) in the text by a unit."""
        if self.held is not None:
            self._stroke(self.held, step)

    def move_nearest(self, step: int) -> None:
        """Move the held end, else that of the mark at or before the caret.

        If the caret is out of view, move that of the first visible mark, if any.
        """
        if self.held is not None:
            self._stroke(self.held, step if self.held.at_end else -step)
        elif self._pen_state.marks and self._pen_state.live:
            self._stroke(MarkEnd(*self._nearest(), at_end=True), step)
        elif self._pen_state.live:
            self.stuck.emit(Stuck(None, step))

    def _nearest(self) -> Span:
        marks, lines = list(self._pen_state.marks), self._surface.lines()
        if self._surface.bring_caret():
            seen = (mark for mark in marks if mark[0] < lines[-1].end and lines[0].start < mark[1])
            if (first := next(seen, None)) is not None:
                return first
        caret = self._surface.caret()
        return next((mark for mark in reversed(marks) if mark[0] <= caret), marks[0])

    def erase(self, mark: Span) -> None:
        self.finished.emit(Stroke(Tool.ERASE, *mark))

    def hover(self, end: MarkEnd | None) -> bool:
        """Record the end under the mouse; return whether it changed."""
        before, self.hovered = self.hovered, end
        return end != before

    def sync(self) -> None:
        self.hovered = None  # it may have moved away from the mouse
        if self.held is not None:
            held = self.held
            near = [mark for mark in self._pen_state.marks if mark[0] <= held.end and mark[1] >= held.start]
            mark = (near[-1] if held.at_end else near[0]) if near else None
            self._hold(None if mark is None else MarkEnd(*mark, held.at_end))

    def at(self, point: QPointF) -> MarkEnd | None:
        """Return the end of a mark under the mouse, while the pen is the current tool."""
        pen_state = self._pen_state
        line = self._surface.line_near(point.y()) if pen_state.live and pen_state.tool is Tool.MARK else None
        if line is None or not line.top <= point.y() <= line.bottom:
            return None
        for row in pen_state.marks.sharing(line.start, line.end):
            start, end = int(pen_state.marks.starts[row]), int(pen_state.marks.ends[row])
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
        snapper = self._pen_state.snapper
        return (
            None if snapper is None else end.moved(step, snapper, self._pen_state.unit, self._pen_state.marks)
        )

    def _hold(self, end: MarkEnd | None) -> None:
        if end != self.held:
            self.held = end
            self.changed.emit(end)


class TargetCycle:
    """The strokes of repeated clicks at one place, each replacing the one before."""

    def __init__(self, pen_state: PenState) -> None:
        self._pen_state = pen_state
        self._targets: list[Target] = []
        self._at = 0
        self._before = EMPTY  # the marks before the first stroke

    def begin(self, offset: int, unit: Granularity, tool: Tool) -> Stroke | None:
        snapper = self._pen_state.snapper
        if snapper is None:
            return None
        self._targets = snapper.targets(offset, unit)
        taken = snapper.grow(offset, offset + 1, unit)
        spans = [(target.start, target.end) for target in self._targets]
        self._at = spans.index(taken) if taken in spans else 0
        self._before = self._pen_state.marks
        return self._pen_state.stroke(tool, offset, offset + 1, unit)

    def go_on(self, tool: Tool) -> Stroke | None:
        """Return the stroke over the next wider target; after the widest the narrowest."""
        if not self._targets:
            return None
        self._at = (self._at + 1) % len(self._targets)
        target = self._targets[self._at]
        told = which(target.name, self._at, len(self._targets))
        return self._pen_state.stroke(
            tool, target.start, target.end, target.unit, widens=True, told=told, among=self._before
        )


# pixels: more than the trembling of a hand; exact strokes may be as short as an "i"
DRAG = 5
EXACT_DRAG = 2
EDGE = 8  # distance in pixels from the viewport's edge within which a drag scrolls
TICK = 25  # milliseconds between two steps of scrolling
FASTEST = 60  # pixels in one step


class _Doing(Enum):
    NOTHING = auto()
    PRESSED = auto()  # not moved far enough to be a stroke
    STROKING = auto()
    SELECTING = auto()
    CHOOSING = auto()  # the next click sets the entry point
    CARRYING = auto()  # the entry point is set where its flag is dropped


class Pen(QObject):
    """Turns mouse events into strokes and entry points, and signals them.

    A left drag marks, or erases with the eraser; a right drag always erases. The stroke grows to the current
    unit, or stays exact while Alt is held. A double click strokes the unit (right button: erases it), each
    further click the next wider one instead, and after the widest the narrowest. A plain click only places
    the caret, Shift extends the selection. Esc cancels a stroke.

    If the pen is not live, dragging selects, two clicks select a word, three the paragraph.
    """

    previewed = Signal(object)  # Stroke | None
    pressed = Signal(object)  # None: the mouse was pressed in the text
    finished = Signal(object)  # Stroke
    ghosted = Signal(object)  # int | None: where a click would set the entry point
    chosen = Signal(object)  # int: the entry point
    clicked_right = Signal(object)  # QPoint on the screen: a right click without a stroke
    mode_changed = Signal(object)  # None

    def __init__(self, surface: ReadingEdit, pen_state: PenState, ends: MarkEnds, parent: QObject) -> None:
        super().__init__(parent)
        self._pen_state = pen_state
        self._ends = ends
        self._end: MarkEnd | None = None  # the end being dragged
        self._surface = surface
        self._doing = _Doing.NOTHING
        self._button = Qt.MouseButton.NoButton
        self._stroke_tool = Tool.MARK
        self._pressed_at = QPointF()
        self.point = QPointF()  # last position of the mouse, in pixels of the viewport
        self._anchor: StrokeEnd | None = None
        self._anchor_character = 0
        self.stroke: Stroke | None = None
        self.ghost: int | None = None  # where the entry point would be set
        self._cycle = TargetCycle(pen_state)
        self._since_double = QElapsedTimer()
        pen_state.changed.connect(lambda _: self._since_double.invalidate())  # a new gesture
        self._scroller = QTimer(self)
        self._scroller.setInterval(TICK)
        self._scroller.timeout.connect(self._scroll)

    # -- states --------------------------------------------------------------------------------------

    @property
    def choosing(self) -> bool:
        return self._doing is _Doing.CHOOSING

    @property
    def carrying(self) -> bool:
        return self._doing is _Doing.CARRYING

    @property
    def busy(self) -> bool:
        """Whether Esc has something to cancel."""
        return self._doing in (_Doing.STROKING, _Doing.CHOOSING, _Doing.CARRYING)

    def choose_entry_point(self, point: QPointF | None) -> None:
        """Set the entry point with the next click; show the ghost at once if the mouse is over the text."""
        if self._pen_state.snapper is None or not self._pen_state.live:
            return
        self.give_up()
        self._set_doing(_Doing.CHOOSING)
        if point is not None:
            self.point = point
            self._follow(QGuiApplication.keyboardModifiers())

    def carry_entry_point(self, point: QPointF) -> None:
        """Move the entry point as long as the left button is down."""
        if self._pen_state.snapper is None or not self._pen_state.live:
            return
        self.give_up()
        self._button = Qt.MouseButton.LeftButton
        self._set_doing(_Doing.CARRYING)
        self.point = point
        self._follow(QGuiApplication.keyboardModifiers())

    def give_up(self) -> None:
        self._scroller.stop()
        self._preview(None)
        self._show_ghost(None)
        self._set_doing(_Doing.NOTHING)

    # -- mouse events, in pixels of the viewport -----------------------------------------------------

    def press(self, event: QMouseEvent) -> None:
        if self._pen_state.snapper is None or self._doing in (_Doing.PRESSED, _Doing.STROKING):
            return
        point = self.point = event.position()
        self.pressed.emit(None)
        if self.choosing:
            self._choose(event)
            return
        self._button = event.button()
        if self._button not in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton):
            return
        if self._button is Qt.MouseButton.LeftButton and self._is_further_click(point):
            self._take_next(point)
            return
        self._pressed_at = point
        self._ends.dismiss()
        self._end = self._ends.at(point) if self._button is Qt.MouseButton.LeftButton else None
        if self._button is Qt.MouseButton.LeftButton:
            select = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._surface.place_caret(self._surface.boundary_at(point), select=select)
            self._doing = _Doing.PRESSED if self._pen_state.live and not select else _Doing.SELECTING
        elif self._pen_state.live:
            self._doing = _Doing.PRESSED
        self._stroke_tool = self._pen_state.tool if self._button is Qt.MouseButton.LeftButton else Tool.ERASE
        self._anchor = self._surface.stroke_end(point)
        self._anchor_character = self._surface.character_at(point)

    def move(self, event: QMouseEvent) -> None:
        self.point = event.position()
        if self._doing not in (_Doing.NOTHING, _Doing.CHOOSING) and not event.buttons() & self._button:
            self.give_up()  # the release went elsewhere, for example while the window was minimised
        if self._doing is _Doing.PRESSED:
            far = (self.point - self._pressed_at).manhattanLength()
            if far >= (EXACT_DRAG if self._unit(event.modifiers()) is Granularity.CHARACTER else DRAG):
                self._doing = _Doing.STROKING
        if self._doing is _Doing.SELECTING:
            self._surface.place_caret(self._surface.boundary_at(self.point), select=True)
        self._follow(event.modifiers())
        dragging = self._doing in (_Doing.STROKING, _Doing.SELECTING, _Doing.CARRYING)
        wanted = dragging and not self._beyond_edge().isNull()
        if wanted and not self._scroller.isActive():
            self._scroller.start()
        elif not wanted:
            self._scroller.stop()

    def release(self, event: QMouseEvent) -> None:
        """Finish the stroke, or what else the button had started."""
        if event.button() is not self._button or self.choosing:
            return
        if self._doing is _Doing.CARRYING:
            self._choose(event)
            return
        self._scroller.stop()
        stroke = self.stroke if self._doing is _Doing.STROKING else None
        if self._doing is _Doing.PRESSED and self._button is Qt.MouseButton.RightButton:
            self.clicked_right.emit(event.globalPosition().toPoint())
        self._doing = _Doing.NOTHING
        self._button = Qt.MouseButton.NoButton
        self._preview(None)
        if stroke is not None:
            self.finished.emit(stroke)

    def double_click(self, event: QMouseEvent) -> None:
        """Stroke a unit, select a word if the pen is not live, or set the entry point."""
        if self._pen_state.snapper is None:
            return
        self.pressed.emit(None)
        if self.choosing:
            self._choose(event)
        elif event.button() is Qt.MouseButton.LeftButton and self._is_further_click(event.position()):
            self._take_next(event.position())
        elif event.button() is Qt.MouseButton.LeftButton:
            self._pressed_at = event.position()
            self._since_double.start()
            self._take_whole(event.position(), self._whole_unit(), self._pen_state.tool)
        elif event.button() is Qt.MouseButton.RightButton and self._pen_state.live:
            self._take_whole(event.position(), self._whole_unit(), Tool.ERASE)

    def _whole_unit(self) -> Granularity:
        """Return the unit of a double click, at least a word."""
        fine = self._pen_state.unit is Granularity.CHARACTER
        return self._pen_state.unit if self._pen_state.live and not fine else Granularity.WORD

    def modifiers_changed(self, modifiers: Qt.KeyboardModifier) -> None:
        """Update the preview when Alt changes while the mouse does not move."""
        self._follow(modifiers)

    # -- strokes -------------------------------------------------------------------------------------

    def _follow(self, modifiers: Qt.KeyboardModifier) -> None:
        unit = self._unit(modifiers)
        if self._doing is _Doing.STROKING:
            self._preview(self._stroke_to(self.point, unit))
        elif self._doing in (_Doing.CHOOSING, _Doing.CARRYING):
            self._show_ghost(self._entry_point_at(self.point, unit))

    def _unit(self, modifiers: Qt.KeyboardModifier) -> Granularity:
        exact = bool(modifiers & Qt.KeyboardModifier.AltModifier)
        return Granularity.CHARACTER if exact else self._pen_state.unit

    def _stroke_to(self, point: QPointF, unit: Granularity) -> Stroke | None:
        if self._end is not None and self._pen_state.snapper is not None:
            return self._end.dragged(self._surface.boundary_at(point), self._pen_state.snapper, unit)
        start, end = (0, 0) if self._anchor is None else self._surface.stroked(self._anchor, point)
        if start == end and unit is not Granularity.CHARACTER:
            start, end = self._anchor_character, self._anchor_character + 1
        return self._pen_state.stroke(self._stroke_tool, start, end, unit)

    def _entry_point_at(self, point: QPointF, unit: Granularity) -> int:
        assert self._pen_state.snapper is not None
        if unit is Granularity.CHARACTER:
            return self._surface.boundary_at(point)
        return self._pen_state.snapper.entry_point_at(self._surface.character_at(point))

    def _take_whole(self, point: QPointF, unit: Granularity, tool: Tool) -> None:
        at = self._surface.character_at(point)
        self._doing = _Doing.NOTHING
        if not self._pen_state.live and self._pen_state.snapper is not None:
            self._surface.select(*self._pen_state.snapper.grow(at, at + 1, unit))
        elif stroke := self._cycle.begin(at, unit, tool):
            self.finished.emit(stroke)

    def _take_next(self, point: QPointF) -> None:
        """Stroke the next target of repeated clicks."""
        if not self._pen_state.live:
            self._take_whole(point, Granularity.PARAGRAPH, self._pen_state.tool)
            return
        self._doing = _Doing.NOTHING
        self._since_double.start()
        if stroke := self._cycle.go_on(self._pen_state.tool):
            self.finished.emit(stroke)

    def _choose(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton:
            self.give_up()
            return
        self.point = event.position()
        self._follow(event.modifiers())
        chosen = self.ghost
        self.give_up()
        if chosen is not None:
            self.chosen.emit(chosen)

    def _is_further_click(self, point: QPointF) -> bool:
        """Return whether a click continues a double click, in place and time."""
        hints = QGuiApplication.styleHints()
        if (
            not self._since_double.isValid()
            or self._since_double.elapsed() > hints.mouseDoubleClickInterval()
        ):
            return False
        self._since_double.invalidate()
        return (point - self._pressed_at).manhattanLength() < hints.mouseDoubleClickDistance() * 2

    def _preview(self, stroke: Stroke | None) -> None:
        if stroke != self.stroke:
            self.stroke = stroke
            self.previewed.emit(stroke)

    def _show_ghost(self, offset: int | None) -> None:
        if offset != self.ghost:
            self.ghost = offset
            self.ghosted.emit(offset)

    def _set_doing(self, doing: _Doing) -> None:
        if doing is not self._doing:
            self._doing = doing
            self.mode_changed.emit(None)

    # -- scrolling at the edge -----------------------------------------------------------------------

    def _beyond_edge(self) -> QPointF:
        """Return by how many pixels the mouse is beyond the text; at top and bottom slightly earlier."""
        x, y, seen = self.point.x(), self.point.y(), self._surface.viewport().size()
        return QPointF(
            min(x, 0.0) or max(0.0, x - seen.width()),
            min(y - EDGE, 0.0) or max(0.0, y + EDGE - seen.height()),
        )

    def _scroll(self) -> None:
        beyond = self._beyond_edge()
        steps = (copysign(min(FASTEST, 2 + abs(by) / 3), by) if by else 0 for by in (beyond.x(), beyond.y()))
        self._surface.scroll_by(*map(round, steps))
        if self._doing is _Doing.SELECTING:
            self._surface.place_caret(self._surface.boundary_at(self.point), select=True)
        self._follow(QGuiApplication.keyboardModifiers())
