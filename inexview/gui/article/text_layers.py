"""What lies over the text: marks, runs, words, outlines, what the pen is about to do; and its painting.

Each part repaints only the lines in which it changed, and none touches the document.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from inexview.core.text.spans import Offsets
from inexview.gui.article.decorations import paint_decorations
from inexview.gui.article.frames import paint_ground
from inexview.gui.article.lines import Line
from inexview.gui.article.outline_painter import OutlineLevel, levels, paint_outlines, stretch
from inexview.gui.article.overlays import Channels, Stroke, Tool
from inexview.gui.article.painter import OverlayPainter, changed_band
from inexview.gui.article.unit_edges import UnitEdges
from inexview.gui.look.symbols import run_color

if TYPE_CHECKING:
    from inexview.gui.article.text_area import TextArea

NOTHING = np.empty(0, np.int64)
AROUND = 6  # pixels above and below its lines that an overlay may reach


class TextLayers:
    """Paints beneath and above the text of an area, and has it repainted where something changed."""

    def __init__(self, area: TextArea) -> None:
        self._area = area
        self.edges = UnitEdges(area, area)
        self.channels = Channels()
        self._preview: Stroke | None = None
        self._ghost: int | None = None
        self._outlined: list[OutlineLevel] = []
        self._found: tuple[Offsets, Offsets, int | None] = (NOTHING, NOTHING, None)

    # -- what is shown -------------------------------------------------------------------------------

    def show_channels(self, channels: Channels) -> None:
        before, self.channels = self.channels.overlay, channels
        if not channels.overlay.differs_by_marks(before):
            self._area.viewport().update()
        elif band := changed_band(self._area.lines(), before.marks, channels.overlay.marks):
            self._update_between(*band)

    def show_found(self, starts: Offsets, ends: Offsets, current: int | None) -> None:
        """Show the places that Find found; ``current`` is the index of the one the reader is at."""
        self._found = (starts, ends, current)
        self._area.viewport().update()

    def show_preview(self, stroke: Stroke | None) -> None:
        old, self._preview = self._preview, stroke
        strokes = [edge for edge in (old, stroke) if edge is not None]
        start = min(one.start for one in strokes)
        end = max(one.end for one in strokes)
        if old is not None and stroke is not None and old.tool is stroke.tool:
            if old.start == stroke.start:
                start = min(old.end, stroke.end)
            elif old.end == stroke.end:
                end = max(old.start, stroke.start)
        lines = [line for line in self._area.lines() if line.start <= end and line.end >= start]
        if lines:
            top, bottom = min(line.top for line in lines), max(line.bottom for line in lines)
            self._update_between(top - AROUND, bottom + AROUND)

    def show_ghost(self, offset: int | None) -> None:
        """Show where a click would set the entry point."""
        self._ghost = offset
        self._area.viewport().update()

    def show_outlines(self) -> None:
        area, old = self._area, self._outlined
        self._outlined = levels(area.outlines)
        if old == self._outlined:
            return
        if not old or not self._outlined:
            area.viewport().update()
        elif found := stretch(area.lines(), area.outlines, {*old} ^ {*self._outlined}):
            self._update_between(*found)

    def _update_between(self, top: float, bottom: float) -> None:
        viewport = self._area.viewport()
        viewport.update(QRectF(0, top, viewport.width(), bottom - top).toAlignedRect())

    # -- painting ------------------------------------------------------------------------------------

    def paint_beneath(self, painter: QPainter, lines: list[Line]) -> None:
        """Paint what is behind the letters of these lines."""
        area = self._area
        overlays = self._overlays(painter, lines)
        paint_ground(painter, area)
        overlays.backgrounds(self.channels)
        overlays.found(*self._found)
        if (preview := self._preview or area.ends.offer) is not None:
            overlays.preview(preview)
        overlays.words(area.words.words)
        paint_decorations(painter, area, lines, area.subtitle)
        paint_outlines(painter, area.styles.theme, area.column_width, area.lines(), area.outlines)

    def paint_above(self, painter: QPainter, lines: list[Line]) -> None:
        """Paint what is over the letters of these lines."""
        theme, overlay = self._area.styles.theme, self.channels.overlay
        overlays = self._overlays(painter, lines)
        overlays.false_alarms(self.channels)
        if self._preview is not None and self._preview.tool is Tool.ERASE:
            overlays.hatched(self._preview)
        overlays.not_read(overlay)
        self.edges.paint(painter, theme)
        if overlay.entry is not None:
            overlays.tick(overlay.entry, run_color(theme, overlay.style), dashed=True)
        if overlay.bep is not None:
            overlays.tick(overlay.bep, theme.color("bep"))
        if (held := self._area.ends.held) is not None:
            overlays.handle(held)
        if self._ghost is not None:
            overlays.tick(self._ghost, theme.color("bep"), dashed=True)

    def _overlays(self, painter: QPainter, lines: list[Line]) -> OverlayPainter:
        styles = self._area.styles
        return OverlayPainter(painter, styles.theme, styles.size / 17, lines)
