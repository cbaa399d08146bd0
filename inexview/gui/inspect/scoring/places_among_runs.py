"""Where a scratch copy comes among the runs: the runs around it by their means, and where each was."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy

from inexview.gui.look.theme import paint_run_shape, run_color
from inexview.gui.look.widgets import LEFT, RIGHT, PaintedWidget, derived, write

MOST, SOME = 5, 3  # runs; those around the copy
ROOM = 7  # pixels around the text of a row
SHAPE = 9.0


@dataclass(frozen=True, slots=True)
class PlacedRun:
    """A run by its mean, and its place among the runs, from 1, before the changes of the copy and after."""

    name: str
    style: int
    value: float
    before: int
    after: int
    scratch: bool = False

    @property
    def said(self) -> str:
        named = f"{self.name} scratch" if self.scratch else self.name
        was = "" if self.before == self.after else f", was {self.before}"
        return f"{self.after}. {named}{was}, {self.value:.4f}"


def placed_runs(
    others: Sequence[tuple[str, int, float]], copy: tuple[str, int], before: float, after: float
) -> tuple[PlacedRun, ...]:
    """Place the other runs (name, style, mean) and a copy whose mean was ``before`` and is ``after``.

    A run's place is one more than the number of runs that score more.  At most :data:`MOST` are returned,
    those around the copy.
    """
    negated = sorted(-value for _, _, value in others)  # the best first, among which one can bisect
    first, then = [*negated], [*negated]
    insort(first, -before)
    insort(then, -after)

    def placed(name: str, style: int, was: float, value: float, *, scratch: bool) -> PlacedRun:
        places = 1 + bisect_left(first, -was), 1 + bisect_left(then, -value)
        return PlacedRun(name, style, value, *places, scratch)

    rows = [placed(*copy, before, after, scratch=True)]
    rows += [placed(name, style, value, value, scratch=False) for name, style, value in others]
    rows.sort(key=lambda one: one.after)  # the copy first among equals
    return around(rows, MOST)


def around(rows: Sequence[PlacedRun], most: int) -> tuple[PlacedRun, ...]:
    """Return at most so many of some rows, those nearest to the copy's."""
    own = next((at for at, one in enumerate(rows) if one.scratch), 0)
    top = max(min(own - most // 2, len(rows) - most), 0)
    return tuple(rows[top : top + most])


class PlacesAmongRuns(PaintedWidget):
    """A row for each run around the copy, best first."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple[PlacedRun, ...] = ()
        self._most = MOST
        self.setAccessibleName("Places among the runs")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_runs(self, rows: tuple[PlacedRun, ...]) -> None:
        if rows != self.rows:
            higher, self.rows = len(rows) != len(self.rows), rows
            self.setAccessibleDescription(". ".join(row.said for row in rows))
            self.set_most(self._most)
            if higher:
                self.updateGeometry()
            self.update()

    def set_most(self, most: int) -> None:
        """Show so many of the rows, the nearest to the copy, where what is below needs the room."""
        if most != self._most:
            self._most = most
            self.updateGeometry()
        self.setVisible(bool(most) and len(self.rows) > 1)

    def shown(self) -> tuple[PlacedRun, ...]:
        """Return the rows that are shown."""
        return around(self.rows, self._most)

    def _line(self) -> int:
        return self.fontMetrics().height() + ROOM

    def sizeHint(self) -> QSize:
        return QSize(240, len(self.shown()) * self._line())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for at, row in enumerate(self.shown()):
            self._paint_row(painter, row, QRectF(0, at * self._line(), self.width(), self._line()))

    def _paint_row(self, painter: QPainter, row: PlacedRun, rect: QRectF) -> None:
        theme, color = self.theme, run_color(self.theme, row.style)
        if row.scratch:
            painter.fillRect(rect, theme.color("selected"))
        plain, bold = derived(self.font(), factor=0.95), derived(self.font(), factor=0.95, bold=True)
        text, muted = theme.color("text"), theme.color("muted")
        metrics, wide = QFontMetricsF(plain), QFontMetricsF(bold)
        rank = metrics.horizontalAdvance("00") + 4
        right = metrics.horizontalAdvance("0.0000") + 12
        write(painter, QRectF(2, rect.top(), rank, rect.height()), str(row.after), plain, muted, RIGHT)
        write(painter, rect.adjusted(0, 0, -2, 0), f"{row.value:.4f}", plain, text, RIGHT)
        was = "" if row.before == row.after else f"was {row.before}"
        write(painter, rect.adjusted(0, 0, -right, 0), was, plain, muted, RIGHT)
        shape = QRectF(rank + 12, rect.center().y() - SHAPE / 2, SHAPE, SHAPE)
        paint_run_shape(painter, row.style, shape, color, hollow=row.scratch)
        room = rect.adjusted(rank + 28, 0, -right - metrics.horizontalAdvance("was 00") - 6, 0)
        scratch = " scratch" if row.scratch else ""
        own = room.adjusted(0, 0, -metrics.horizontalAdvance(scratch), 0)
        write(painter, own, row.name, bold, color, LEFT, Qt.TextElideMode.ElideMiddle)
        named = min(wide.horizontalAdvance(row.name), own.width())
        write(painter, room.adjusted(named, 0, 0, 0), scratch, plain, muted)
