"""Where the units in the hand begin, shown faintly for as long as the key that chose them is held."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPointF
from PySide6.QtGui import QKeyEvent, QPainter, QPen

from inexview.core.article.granularity import Granularity, Snapper
from inexview.gui.article.lines import Line
from inexview.gui.look.theme import Theme

if TYPE_CHECKING:
    from inexview.gui.article.text_area import TextArea

FAINT, FOOT = 0.55, 3.0  # opacity; pixels of the hook at a beginning


class UnitEdges(QObject):
    """Watches the keys of a text area; a unit that was chosen with the mouse shows no edges."""

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
