"""The pen: what the mouse does to the text.

Left drag marks, or erases while the eraser is in the hand; right drag always erases.  The stroke grows
outward to the unit in the hand, or stays exact while Alt is held.  Double click strokes the unit (right
button: erases it), each further click the next wider one in its place, and after the widest the narrowest; a
plain click only places the caret, Shift selects as anywhere else.  Esc gives a stroke up.

A hand that is not live draws nothing: dragging selects, two clicks select a word, three the paragraph.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, QObject, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QMouseEvent

from inexview.core.article.granularity import Granularity
from inexview.gui.article.column.hand import Hand
from inexview.gui.article.column.mark_ends import MarkEnd, MarkEnds
from inexview.gui.article.column.target_cycle import TargetCycle
from inexview.gui.article.overlays import Stroke, Tool
from inexview.gui.article.typesetting.lines import StrokeEnd

if TYPE_CHECKING:
    from inexview.gui.article.column.text_area import TextArea

# Pixels: a drag, not a click by a hand that shakes.  Exact strokes may be as short as an "i".
DRAG = 5
EXACT_DRAG = 2
EDGE = 8  # pixels: this near to the viewport's edge a drag scrolls
TICK = 25  # milliseconds between two steps of scrolling
FASTEST = 60  # pixels in one step


class _Doing(Enum):
    NOTHING = auto()
    PRESSED = auto()  # not yet moved far enough to be a stroke
    STROKING = auto()
    SELECTING = auto()
    CHOOSING = auto()  # the next click chooses the entry point
    CARRYING = auto()  # the entry point is set where its flag is let go


class Pen(QObject):
    """Turns mouse events into strokes and entry points; it changes nothing itself."""

    previewed = Signal(object)  # Stroke | None
    pressed = Signal(object)  # None: the mouse was pressed in the text
    finished = Signal(object)  # Stroke
    ghosted = Signal(object)  # int | None: where a click would set the entry point
    chosen = Signal(object)  # int: the entry point
    clicked_right = Signal(object)  # QPoint on the screen: no stroke was drawn
    mode_changed = Signal(object)  # None

    def __init__(self, surface: TextArea, hand: Hand, ends: MarkEnds, parent: QObject) -> None:
        super().__init__(parent)
        self._hand = hand
        self._ends = ends
        self._end: MarkEnd | None = None  # that is dragged
        self._surface = surface
        self._doing = _Doing.NOTHING
        self._button = Qt.MouseButton.NoButton
        self._stroke_tool = Tool.MARK
        self._pressed_at = QPointF()
        self._last_point = QPointF()
        self._anchor: StrokeEnd | None = None
        self._anchor_character = 0
        self._stroke: Stroke | None = None
        self._ghost: int | None = None
        self._cycle = TargetCycle(hand)
        self._since_double = QElapsedTimer()
        hand.changed.connect(lambda _: self._since_double.invalidate())  # a new gesture
        self._scroller = QTimer(self)
        self._scroller.setInterval(TICK)
        self._scroller.timeout.connect(self._scroll)

    # -- what it is doing ----------------------------------------------------------------------------

    @property
    def choosing(self) -> bool:
        """Whether the next click chooses the entry point."""
        return self._doing is _Doing.CHOOSING

    @property
    def carrying(self) -> bool:
        """Whether the entry point's flag is being moved."""
        return self._doing is _Doing.CARRYING

    @property
    def busy(self) -> bool:
        """Whether there is something that Esc would give up."""
        return self._doing in (_Doing.STROKING, _Doing.CHOOSING, _Doing.CARRYING)

    @property
    def point(self) -> QPointF:
        """Where the mouse was last, in pixels of the viewport."""
        return self._last_point

    @property
    def stroke(self) -> Stroke | None:
        return self._stroke

    @property
    def ghost(self) -> int | None:
        """Where the entry point would be set now."""
        return self._ghost

    def choose_entry_point(self, point: QPointF | None) -> None:
        """Let the next click choose the entry point; the ghost shows at once if the mouse is there."""
        if self._hand.snapper is None or not self._hand.live:
            return
        self.give_up()
        self._set_doing(_Doing.CHOOSING)
        if point is not None:
            self._last_point = point
            self._follow(QGuiApplication.keyboardModifiers())

    def carry_entry_point(self, point: QPointF) -> None:
        """Let the entry point be moved for as long as the left button is down."""
        if self._hand.snapper is None or not self._hand.live:
            return
        self.give_up()
        self._button = Qt.MouseButton.LeftButton
        self._set_doing(_Doing.CARRYING)
        self._last_point = point
        self._follow(QGuiApplication.keyboardModifiers())

    def give_up(self) -> None:
        """Forget the stroke or the choice that was begun."""
        self._scroller.stop()
        self._preview(None)
        self._show_ghost(None)
        self._set_doing(_Doing.NOTHING)

    # -- mouse events, in pixels of the viewport -----------------------------------------------------

    def press(self, event: QMouseEvent) -> None:
        if self._hand.snapper is None or self._doing in (_Doing.PRESSED, _Doing.STROKING):
            return
        point = self._last_point = event.position()
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
        self._ends.let_go()
        self._end = self._ends.at(point) if self._button is Qt.MouseButton.LeftButton else None
        if self._button is Qt.MouseButton.LeftButton:
            select = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._surface.place_caret(self._surface.boundary_at(point), select=select)
            self._doing = _Doing.PRESSED if self._hand.live and not select else _Doing.SELECTING
        elif self._hand.live:
            self._doing = _Doing.PRESSED
        self._stroke_tool = self._hand.tool if self._button is Qt.MouseButton.LeftButton else Tool.ERASE
        self._anchor = self._surface.stroke_end(point)
        self._anchor_character = self._surface.character_at(point)

    def move(self, event: QMouseEvent) -> None:
        self._last_point = event.position()
        if self._doing not in (_Doing.NOTHING, _Doing.CHOOSING) and not event.buttons() & self._button:
            self.give_up()  # it was let go where no one heard of it, as while the window was minimised
        if self._doing is _Doing.PRESSED:
            far = (self._last_point - self._pressed_at).manhattanLength()
            if far >= (EXACT_DRAG if self._unit(event.modifiers()) is Granularity.CHARACTER else DRAG):
                self._doing = _Doing.STROKING
        if self._doing is _Doing.SELECTING:
            self._surface.place_caret(self._surface.boundary_at(self._last_point), select=True)
        self._follow(event.modifiers())
        self._scroll_if_at_edge()

    def release(self, event: QMouseEvent) -> None:
        """End it: a stroke is finished where the button is let go."""
        if event.button() is not self._button or self.choosing:
            return
        if self._doing is _Doing.CARRYING:
            self._choose(event)
            return
        self._scroller.stop()
        stroke = self._stroke if self._doing is _Doing.STROKING else None
        if self._doing is _Doing.PRESSED and self._button is Qt.MouseButton.RightButton:
            self.clicked_right.emit(event.globalPosition().toPoint())
        self._doing = _Doing.NOTHING
        self._button = Qt.MouseButton.NoButton
        self._preview(None)
        if stroke is not None:
            self.finished.emit(stroke)

    def double_click(self, event: QMouseEvent) -> None:
        """Stroke a whole unit, select a word where the hand is not live, or choose the entry point."""
        if self._hand.snapper is None:
            return
        self.pressed.emit(None)
        if self.choosing:
            self._choose(event)
        elif event.button() is Qt.MouseButton.LeftButton and self._is_further_click(event.position()):
            self._take_next(event.position())
        elif event.button() is Qt.MouseButton.LeftButton:
            self._pressed_at = event.position()
            self._since_double.start()
            self._take_whole(event.position(), self._whole_unit(), self._hand.tool)
        elif event.button() is Qt.MouseButton.RightButton and self._hand.live:
            self._take_whole(event.position(), self._whole_unit(), Tool.ERASE)

    def _whole_unit(self) -> Granularity:
        """Return what a double click takes: a word at least."""
        fine = self._hand.unit is Granularity.CHARACTER
        return self._hand.unit if self._hand.live and not fine else Granularity.WORD

    def modifiers_changed(self, modifiers: Qt.KeyboardModifier) -> None:
        """Show what Alt changes although the mouse stands still."""
        self._follow(modifiers)

    # -- how it comes about --------------------------------------------------------------------------

    def _follow(self, modifiers: Qt.KeyboardModifier) -> None:
        unit = self._unit(modifiers)
        if self._doing is _Doing.STROKING:
            self._preview(self._stroke_to(self._last_point, unit))
        elif self._doing in (_Doing.CHOOSING, _Doing.CARRYING):
            self._show_ghost(self._entry_point_at(self._last_point, unit))

    def _unit(self, modifiers: Qt.KeyboardModifier) -> Granularity:
        exact = bool(modifiers & Qt.KeyboardModifier.AltModifier)
        return Granularity.CHARACTER if exact else self._hand.unit

    def _stroke_to(self, point: QPointF, unit: Granularity) -> Stroke | None:
        if self._end is not None and self._hand.snapper is not None:
            return self._end.dragged(self._surface.boundary_at(point), self._hand.snapper, unit)
        start, end = (0, 0) if self._anchor is None else self._surface.stroked(self._anchor, point)
        if start == end and unit is not Granularity.CHARACTER:
            start, end = self._anchor_character, self._anchor_character + 1
        return self._hand.stroke(self._stroke_tool, start, end, unit)

    def _entry_point_at(self, point: QPointF, unit: Granularity) -> int:
        assert self._hand.snapper is not None
        if unit is Granularity.CHARACTER:
            return self._surface.boundary_at(point)
        return self._hand.snapper.entry_point_at(self._surface.character_at(point))

    def _take_whole(self, point: QPointF, unit: Granularity, tool: Tool) -> None:
        at = self._surface.character_at(point)
        self._doing = _Doing.NOTHING
        if not self._hand.live and self._hand.snapper is not None:
            self._surface.select(*self._hand.snapper.grow(at, at + 1, unit))
        elif stroke := self._cycle.begin(at, unit, tool):
            self.finished.emit(stroke)

    def _take_next(self, point: QPointF) -> None:
        """Take what another click at the same place means."""
        if not self._hand.live:
            self._take_whole(point, Granularity.PARAGRAPH, self._hand.tool)
            return
        self._doing = _Doing.NOTHING
        self._since_double.start()
        if stroke := self._cycle.go_on(self._hand.tool):
            self.finished.emit(stroke)

    def _choose(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton:
            self.give_up()
            return
        self._last_point = event.position()
        self._follow(event.modifiers())
        chosen = self._ghost
        self.give_up()
        if chosen is not None:
            self.chosen.emit(chosen)

    def _is_further_click(self, point: QPointF) -> bool:
        """Tell whether a click goes on with a double click, at its place and soon enough."""
        hints = QGuiApplication.styleHints()
        if (
            not self._since_double.isValid()
            or self._since_double.elapsed() > hints.mouseDoubleClickInterval()
        ):
            return False
        self._since_double.invalidate()
        return (point - self._pressed_at).manhattanLength() < hints.mouseDoubleClickDistance() * 2

    def _preview(self, stroke: Stroke | None) -> None:
        if stroke != self._stroke:
            self._stroke = stroke
            self.previewed.emit(stroke)

    def _show_ghost(self, offset: int | None) -> None:
        if offset != self._ghost:
            self._ghost = offset
            self.ghosted.emit(offset)

    def _set_doing(self, doing: _Doing) -> None:
        if doing is not self._doing:
            self._doing = doing
            self.mode_changed.emit(None)

    # -- scrolling at the edge -----------------------------------------------------------------------

    def _beyond_edge(self) -> float:
        y = self._last_point.y()
        bottom = self._surface.visible_height() - EDGE
        return y - EDGE if y < EDGE else max(0.0, y - bottom)

    def _scroll_if_at_edge(self) -> None:
        dragging = self._doing in (_Doing.STROKING, _Doing.SELECTING, _Doing.CARRYING)
        wanted = dragging and self._beyond_edge() != 0
        if wanted and not self._scroller.isActive():
            self._scroller.start()
        elif not wanted:
            self._scroller.stop()

    def _scroll(self) -> None:
        beyond = self._beyond_edge()
        step = min(FASTEST, 2 + abs(beyond) / 3)
        self._surface.scroll_by(round(step if beyond > 0 else -step))
        if self._doing is _Doing.SELECTING:
            self._surface.place_caret(self._surface.boundary_at(self._last_point), select=True)
        self._follow(QGuiApplication.keyboardModifiers())
