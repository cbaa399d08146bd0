"""How topics × runs look: shaded values, the best in bold, and a bar that says for whom a topic speaks."""

from __future__ import annotations

import math
from collections import defaultdict
from functools import lru_cache

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter

from inexview.core.report import difference_text
from inexview.gui.inspect.topics.topic_model import TopicModel, TopicSheet
from inexview.gui.look.lists import PaintedPlaces, RowCells
from inexview.gui.look.theme import Theme, run_color
from inexview.gui.look.widgets import CUT, LEFT, RIGHT, derived

FIGURE = 52  # of the last column, for the number
BARS_LEFT, BARS_RIGHT = 14, 4  # pixels of room beside the bars, before the figures of both sides
PAIR_GAP = 7  # between the columns of the pair and those of other runs
LEAST_BAR = 14  # pixels to each side of zero
STRONGEST = 0.30  # how much of its shade the highest value takes
CENTER = Qt.AlignmentFlag.AlignCenter


class TopicCells(RowCells):
    """Paints topics, values, and differences with their bars."""

    def __init__(self, model: TopicModel) -> None:
        super().__init__()
        self._model = model

    def paint(self, painter: QPainter, places: PaintedPlaces) -> None:
        sheet = self._model.sheet
        places.paint_selected(painter, self.theme)
        self._paint_topics(painter, places)
        self._paint_values(painter, places)
        if sheet.paired:
            self._paint_differences(painter, places)
        self._paint_shares(painter, places)
        places.paint_lines(painter, self.theme)

    def _paint_topics(self, painter: QPainter, places: PaintedPlaces) -> None:
        small = derived(places.font, factor=0.92)
        plain, bold = (derived(places.font, factor=0.95, bold=bold) for bold in (False, True))
        rows, measured, titled = self._model.sheet.rows, QFontMetricsF(small), QFontMetricsF(plain)
        rooms = [places.cell(row, 0).adjusted(8, 0, -6, 0) for row in places.rows]
        painter.setFont(small)
        painter.setPen(self.theme.color("muted"))
        for row, room in zip(places.rows, rooms, strict=True):
            painter.drawText(room, LEFT, rows[row].topic)
            room.setLeft(room.left() + measured.horizontalAdvance(rows[row].topic) + 7)
        painter.setPen(self.theme.color("text"))
        for row, room in zip(places.rows, rooms, strict=True):
            selected = row in places.selected
            painter.setFont(bold if selected else plain)
            metrics = QFontMetricsF(bold) if selected else titled
            painter.drawText(room, LEFT, metrics.elidedText(rows[row].title, CUT, room.width()))

    def _paint_values(self, painter: QPainter, places: PaintedPlaces) -> None:
        """Paint all shades first and then all figures, those of one font and colour together."""
        sheet = self._model.sheet
        figures: dict[tuple[bool, bool], list[tuple[QRectF, str]]] = defaultdict(list)
        hatched = QBrush(self.theme.color("line"), Qt.BrushStyle.BDiagPattern)
        for column in range(1, len(sheet.columns) + 1):
            gap = after_pair(sheet, column)
            for row in places.rows:
                value = self._model.value(row, column)
                cell = places.cell(row, column).adjusted(gap, 0, 0, 0)
                known = not math.isnan(value)
                if not known:
                    painter.fillRect(cell, hatched)
                elif row not in places.selected:
                    painter.fillRect(cell, shade(self.theme, value / sheet.highest))
                look = self._model.is_best(row, column), known and not self.stale
                figures[look].append((cell, self._model.text(row, column)))
        for (best, fresh), cells in figures.items():
            painter.setFont(derived(places.font, factor=0.95, bold=best))
            painter.setPen(self.theme.color("text" if fresh else "muted"))
            for cell, said in cells:
                painter.drawText(cell, CENTER, said)

    def _paint_differences(self, painter: QPainter, places: PaintedPlaces) -> None:
        sheet, column = self._model.sheet, len(self._model.sheet.columns) + 1
        painter.setFont(derived(places.font, factor=0.95))
        painter.setPen(self.theme.color("muted" if self.stale else "text"))
        cells = [(places.cell(row, column), sheet.rows[row].difference) for row in places.rows]
        for cell, value in cells:
            painter.drawText(cell.adjusted(0, 0, -6, 0), RIGHT, difference_text(value))
        half = half_of_bars(places.columns[column][1])
        largest, handle = self._model.largest, self.theme.color("handle")
        if half < LEAST_BAR or not largest:  # there is room for the figures only
            return
        for cell, value in cells:
            if math.isnan(value):
                continue
            middle = cell.left() + BARS_LEFT + half
            painter.fillRect(QRectF(middle, cell.top(), 1, cell.height()), handle)
            width = abs(value) / largest * half
            bar = QRectF(middle if value >= 0 else middle - width, cell.center().y() - 5, width, 10)
            fill_difference(painter, bar, value, self.theme, sheet.columns[0].style, sheet.columns[1].style)

    def _paint_shares(self, painter: QPainter, places: PaintedPlaces) -> None:
        """Paint the shares of judged documents, quietly: they say how far the figures can be relied on."""
        sheet = self._model.sheet
        painter.setFont(derived(places.font, factor=0.95))
        painter.setPen(self.theme.color("muted"))
        for column in range(len(sheet.keys) - len(sheet.shares), len(sheet.keys)):
            for row in places.rows:
                room = places.cell(row, column).adjusted(0, 0, -6, 0)
                painter.drawText(room, RIGHT, self._model.text(row, column))


def after_pair(sheet: TopicSheet, column: int) -> int:
    """Return the gap at the left of a column, which the first run after the pair has."""
    return PAIR_GAP if sheet.paired and column == 3 and column <= len(sheet.columns) else 0


def half_of_bars(width: float) -> float:
    """Return the room for bars to each side of zero in a column of differences."""
    return (width - FIGURE - BARS_LEFT - BARS_RIGHT) / 2


def shade(theme: Theme, share: float) -> QColor:
    """Return the quiet grey-blue behind a value: the stronger, the nearer it is to the highest."""
    return _shade(theme.accent, theme.muted, round(255 * STRONGEST * min(max(share, 0.0), 1.0)))


@lru_cache(maxsize=256)
def _shade(one: str, other: str, alpha: int) -> QColor:
    """Return the colour half way between two, this opaque."""
    red, green, blue = ((a + b) // 2 for a, b in zip(_rgb(QColor(one)), _rgb(QColor(other)), strict=True))
    return QColor(red, green, blue, alpha)


def _rgb(color: QColor) -> tuple[int, int, int]:
    return color.red(), color.green(), color.blue()


def fill_difference(
    painter: QPainter, bar: QRectF, value: float, theme: Theme, first: int, second: int
) -> None:
    """Fill the bar of a difference: solid in the first run's colour, or hatched in the other's."""
    if value >= 0:
        painter.fillRect(bar, run_color(theme, first))
        return
    light = run_color(theme, second)
    light.setAlphaF(0.35)
    painter.fillRect(bar, light)
    painter.fillRect(bar, QBrush(run_color(theme, second), Qt.BrushStyle.BDiagPattern))
