"""The pen from the keyboard: strokes what is selected, or what the caret or the outline is at."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from inexview.core.article.granularity import Granularity, Snapper
from inexview.core.text.spans import EMPTY
from inexview.gui.article.column.text_area import TextArea
from inexview.gui.article.overlays import Stroke, Tool


class CaretPen(QObject):
    """Turns commands into strokes, entry points and selections; like the pen, it changes nothing itself."""

    finished = Signal(object)  # Stroke
    chosen = Signal(object)  # int: the entry point
    went = Signal(object)  # int: where a step led to
    refused = Signal(object)  # None: the pen is not live

    def __init__(self, text_area: TextArea) -> None:
        super().__init__(text_area)
        self._text_area = text_area
        self._stroked_element: tuple[Tool, int, int] | None = None  # the last one, and where one pointed
        self._before_element = EMPTY  # the marks that there were before it

    @property
    def _snapper(self) -> Snapper | None:
        return self._text_area.hand.snapper

    def _draw(self, stroke: Stroke) -> None:
        if self._text_area.hand.live:
            self.finished.emit(stroke)
        else:
            self.refused.emit(None)

    # -- strokes -------------------------------------------------------------------------------------

    def stroke_selection(self, tool: Tool) -> None:
        """Mark or erase what is selected, grown to the unit in the hand."""
        start, end = self._text_area.selected()
        if start < end:
            self._stroke(tool, start, end, self._text_area.hand.unit)

    def mark_sentence(self) -> None:
        """Mark the sentence at the caret, and go on to the next one; what is selected is marked instead."""
        start, end = self._text_area.selected()
        if start < end:
            self.stroke_selection(Tool.MARK)
            return
        if self._text_area.bring_caret():  # nothing is marked that is not seen
            return
        at = self._text_area.character_at_caret()
        self._stroke(Tool.MARK, at, at + 1, Granularity.SENTENCE)
        if self._text_area.hand.live:
            self.step(Granularity.SENTENCE, 1)

    # -- moving --------------------------------------------------------------------------------------

    def step(self, unit: Granularity, step: int, *, select: bool = False, sideways: bool = False) -> None:
        """Go to where the next unit begins (1) or the one before (-1); ``select`` takes what is between.

        With ``sideways`` to the right (1) or to the left (-1), which is onward in Arabic and Hebrew.
        """
        if self._snapper is not None:
            self._text_area.bring_caret(selecting=select)
            step *= self._text_area.onward(self._text_area.caret()) if sideways else 1
            onward = self._snapper.reach_after if select else self._snapper.stop_after
            back = self._snapper.start_before if select else self._snapper.stop_before
            to = (onward if step > 0 else back)(self._text_area.caret(), unit)
            self._text_area.place_caret(to, select=select)
            self.went.emit(to)

    def _stroke(self, tool: Tool, start: int, end: int, unit: Granularity) -> None:
        stroke = self._text_area.hand.stroke(tool, start, end, unit)
        if stroke is not None:
            self._text_area.place_caret(self._text_area.caret(), select=False)
            self._draw(stroke)

    def erase_passage(self) -> None:
        """Erase the whole passage whose end is held; else that which the caret is in, if it is in one."""
        if (held := self._text_area.ends.held) is not None:
            self._draw(Stroke(Tool.ERASE, held.start, held.end))
            return
        if self._text_area.bring_caret():
            return
        caret = self._text_area.character_at_caret()
        for start, end in self._text_area.hand.marks:
            if start <= caret < end:
                self._draw(Stroke(Tool.ERASE, start, end))

    def stroke_element(self, tool: Tool) -> None:
        """Mark or erase all of the outlined element; while none is outlined, of that at the caret.

        Once more at the same place it is the next wider one in its place, and after the widest the narrowest.
        """
        outlines, marks = self._text_area.outlines, self._text_area.hand.marks
        again = self._stroked_element == (tool, *outlines.pointed)
        stroke, told = self._over_outlined(tool), ""
        if again and stroke is not None and stroke.applied_to(marks) == marks:
            told = outlines.go_round()
            stroke = self._over_outlined(tool)
        else:
            self._before_element = marks
        if stroke is not None:
            self._stroked_element = (tool, *outlines.pointed)
            start, end = self._text_area.hand.settled(tool, stroke.start, stroke.end, self._before_element)
            self._draw(Stroke(tool, start, end, bool(told), told))

    def _over_outlined(self, tool: Tool) -> Stroke | None:
        outlined = self._text_area.outlines.at_hand()
        if outlined is None or not outlined.size:
            return None
        return Stroke(tool, outlined.element.start, outlined.element.end)

    # -- the best entry point ------------------------------------------------------------------------

    def choose_entry_point(self) -> None:
        """Choose the beginning of the sentence at the caret; with characters as the unit the caret itself."""
        if self._snapper is None:
            return
        if not self._text_area.hand.live:
            self.refused.emit(None)
            return
        self._text_area.pen.give_up()
        at = self._text_area.character_at_caret()
        exact = self._text_area.hand.unit is Granularity.CHARACTER
        self.chosen.emit(self._text_area.caret() if exact else self._snapper.entry_point_at(at))

    # -- selecting -----------------------------------------------------------------------------------

    def extend_selection(self, granularity: Granularity) -> None:
        """Grow the selection to whole words, sentences, paragraphs or elements; once whole, by one more."""
        snapper, document = self._snapper, self._text_area.source
        if snapper is None or document is None:
            return
        start, end = self._text_area.selected()
        if start == end:
            start = self._text_area.character_at_caret()
            end = start + 1
        wanted = snapper.grow(start, end, granularity)
        reach = end
        while wanted == (start, end) and reach < document.length:  # past what lies between two sentences
            reach += 1
            wanted = snapper.grow(start, reach, granularity)
        self._text_area.select(*wanted)

    def select(self, start: int, end: int) -> None:
        self._text_area.select(start, end)

    def select_element(self) -> None:
        """Select all of the outlined element; while none is outlined, of that at the caret."""
        outlined = self._text_area.outlines.at_hand()
        if outlined is not None:
            self._text_area.select(outlined.element.start, outlined.element.end)
