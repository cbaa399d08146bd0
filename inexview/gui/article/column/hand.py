"""What is in the hand: pen or eraser, and the unit that its strokes grow to."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from inexview.core.article.granularity import Granularity, Snapper
from inexview.core.text.spans import EMPTY, Spans
from inexview.gui.article.overlays import Stroke, Tool


class Hand(QObject):
    """Makes strokes of what mouse and keys point at; a hand that is not ``live`` may only select."""

    changed = Signal(object)  # None: another tool, another unit, or live or not

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.tool = Tool.MARK
        self.unit = Granularity.SENTENCE
        self.live = True
        self.snapper: Snapper | None = None
        self.marks: Spans = EMPTY  # what is marked already
        self._before: Granularity | None = None  # the unit before a key that is still down
        self._used = False

    def take(self, tool: Tool) -> None:
        if tool is not self.tool:
            self.tool = tool
            self.changed.emit(None)

    def choose(self, unit: Granularity) -> None:
        """Let strokes grow to another unit; if one is made before the key is let go, only that one.

        A key that repeats because it is held chooses nothing more.
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
        """Take note that a key was let go: a unit that was held for a stroke is over."""
        if self._before is not None and self._used:
            self._set_unit(self._before)
        self._before = None

    def _set_unit(self, unit: Granularity) -> None:
        if unit is not self.unit:
            self.unit = unit
            self.changed.emit(None)

    def set_live(self, live: bool) -> None:
        """Let it mark, or only select."""
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
        """Return the stroke over what was pointed at, grown to a unit, or None where there is nothing.

        Units join their neighbours over the white space between them, and leave none behind at a mark's end;
        characters stay as exact as they were pointed at.  ``among`` are the marks that there will be without
        it, where those of now are not.
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
        """Return a whole unit with the white space that joins it to marks, or that it would leave of them."""
        if self.snapper is None:
            return start, end
        settle = self.snapper.joined if tool is Tool.MARK else self.snapper.cleared
        return settle(start, end, among)
