"""What lies over the text: marks, runs, words, outlines, what the pen is about to do; and its painting.

Each part repaints only the lines in which it changed, and none touches the document.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPointF, QRectF
from PySide6.QtGui import QKeyEvent, QPainter, QPen

from inexview.core.article.granularity import Granularity, Snapper
from inexview.core.text.spans import Offsets
from inexview.gui.article.column.decorations import paint_decorations
from inexview.gui.article.column.frames import paint_ground
from inexview.gui.article.column.outline_painter import OutlineLevel, levels, paint_outlines, stretch
from inexview.gui.article.column.painter import OverlayPainter, changed_band
from inexview.gui.article.overlays import Channels, Stroke, Tool
from inexview.gui.article.typesetting.lines import Line
from inexview.gui.look.symbols import run_color
from inexview.gui.look.theme import Theme

if TYPE_CHECKING:
    from inexview.gui.article.column.text_area import TextArea

NOTHING = np.empty(0, np.int64)
AROUND = 8  # pixels above and below its lines that an overlay may reach
FAINT, FOOT = 0.55, 3.0  # of the edges of units: opacity; pixels of the hook at a beginning


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
        if overlay.pen_on_run and self._area.hand.tool is Tool.MARK:
            overlays.handles(overlay.drawn, run_color(theme, overlay.style))
        if (held := self._area.ends.held) is not None:
            overlays.handle(held)
        if self._ghost is not None:
            own = run_color(theme, overlay.style) if overlay.pen_on_run else theme.color("bep")
            overlays.tick(self._ghost, own, dashed=True)

    def _overlays(self, painter: QPainter, lines: list[Line]) -> OverlayPainter:
        styles = self._area.styles
        return OverlayPainter(painter, styles.theme, styles.size / 17, lines)


class UnitEdges(QObject):
    """Shows where the units in the hand begin, for as long as the key that chose them is held.

    It watches the keys of the text area; a unit that was chosen with the mouse shows no edges.
    """

    def __init__(self, text_area: TextArea, parent: QObject) -> None:
        super().__init__(parent)
        self._text_area = text_area
        self._down = False  # a key is held
        self._shown = False
        text_area.installEventFilter(self)
        text_area.hand.changed.connect(lambda _: self._show())

    @property
    def starts(self) -> list[int]:
        """Where units begin on the visible lines, as far as edges are shown."""
        hand, lines = self._text_area.hand, self._text_area.lines()
        return unit_starts(hand.snapper, lines, hand.unit) if self._shown and hand.snapper is not None else []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take note of a key on its way to a shortcut, and of one that is let go."""
        if event.type() is QEvent.Type.ShortcutOverride:
            self._down = True
        elif event.type() is QEvent.Type.FocusOut:
            self._down = False
            self._show()
        elif isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyRelease:
            self._down = self._down and event.isAutoRepeat()
            self._show()
        return super().eventFilter(watched, event)

    def _show(self) -> None:
        shown = self._down and self._text_area.hand.holds and self._text_area.hand.live
        if shown or shown is not self._shown:
            self._shown = shown
            self._text_area.viewport().update()

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Draw a thin hook where each unit begins."""
        starts = self.starts
        if not starts:
            return
        color = theme.color("accent")
        color.setAlphaF(FAINT)
        painter.setPen(QPen(color, 1))
        for line in self._text_area.lines():
            way = -FOOT if line.leftward else FOOT
            for start in starts:
                if line.start <= start < line.end:
                    x = line.x(start) - way / 3
                    corners = ((way, line.top), (0.0, line.top), (0.0, line.bottom), (way, line.bottom))
                    painter.drawPolyline([QPointF(x + aside, y) for aside, y in corners])


def unit_starts(snapper: Snapper, lines: Sequence[Line], unit: Granularity) -> list[int]:
    """Return where units begin on some lines; none for characters, which begin everywhere."""
    if not lines or unit is Granularity.CHARACTER:
        return []
    first, end = lines[0].start, lines[-1].end
    starts = [at] if (at := snapper.grow(first, first + 1, unit)[0]) >= first else []
    while (at := snapper.start_after(at, unit)) < end and (not starts or at > starts[-1]):
        if at >= first:
            starts.append(at)
    return starts
