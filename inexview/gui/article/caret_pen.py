"""The pen from the keyboard: strokes what is selected, or what the caret or the outline is at."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from inexview.core.article.granularity import Granularity, Snapper
from inexview.core.text.spans import EMPTY, Spans
from inexview.gui.article.overlays import Stroke, Tool
from inexview.gui.article.text_area import TextArea


class CaretPen(QObject):
    """Turns commands into strokes, entry points and selections; like the pen, it changes nothing itself."""

    finished = Signal(object)  # Stroke
    chosen = Signal(object)  # int: the entry point
    refused = Signal(object)  # None: the pen is not live

    def __init__(self, text_area: TextArea) -> None:
        super().__init__(text_area)
        self.marks: Spans = EMPTY  # what is marked already
        self._text_area = text_area

    @property
    def _snapper(self) -> Snapper | None:
        return self._text_area.pen.snapper

    def _draw(self, stroke: Stroke) -> None:
        if self._text_area.pen.live:
            self.finished.emit(stroke)
        else:
            self.refused.emit(None)

    # -- strokes -------------------------------------------------------------------------------------

    def mark(self) -> None:
        """Mark what is selected, grown to sentences; without a selection the sentence at the caret."""
        self._stroke_selection(Tool.MARK)

    def erase(self) -> None:
        """Erase what is selected, grown to sentences; without a selection the sentence at the caret."""
        self._stroke_selection(Tool.ERASE)

    def _stroke_selection(self, tool: Tool) -> None:
        if self._snapper is None:
            return
        start, end = self._text_area.selected()
        exact = not self._text_area.pen.snap and start < end
        if start == end:
            start = self._text_area.character_at_caret()
            end = start + 1
        if not exact:
            start, end = self._snapper.grow(start, end, Granularity.SENTENCE)
        if start < end:
            self._text_area.place_caret(self._text_area.caret(), select=False)
            self._draw(Stroke(tool, start, end))

    def erase_passage(self) -> None:
        """Erase the whole marked passage that the caret is in, if it is in one."""
        caret = self._text_area.character_at_caret()
        for start, end in self.marks:
            if start <= caret < end:
                self._draw(Stroke(Tool.ERASE, start, end))

    def stroke_element(self, tool: Tool) -> None:
        """Mark or erase all of the outlined element; while none is outlined, of that at the caret."""
        outlined = self._text_area.outlines.at_hand()
        if outlined is not None and outlined.size:
            self._draw(Stroke(tool, outlined.element.start, outlined.element.end))

    # -- the best entry point ------------------------------------------------------------------------

    def choose_entry_point(self) -> None:
        """Choose the beginning of the sentence at the caret, or the caret itself while nothing snaps."""
        if self._snapper is None:
            return
        if not self._text_area.pen.live:
            self.refused.emit(None)
            return
        self._text_area.pen.give_up()
        at = self._text_area.character_at_caret()
        snaps = self._text_area.pen.snap
        self.chosen.emit(self._snapper.entry_point_at(at) if snaps else self._text_area.caret())

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

    def select_element(self) -> None:
        """Select all of the outlined element; while none is outlined, of that at the caret."""
        outlined = self._text_area.outlines.at_hand()
        if outlined is not None:
            self._text_area.select(outlined.element.start, outlined.element.end)
