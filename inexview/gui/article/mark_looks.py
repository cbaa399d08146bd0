"""How judged and retrieved text looks, a way for each: over the article, and smaller in the legends.

Judgement and run use two channels: the background says what was judged relevant, the line under the text
says what the run did.  Each line has a shape of its own (solid, dotted, double), so that hit, miss and false
alarm are told apart without colour.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from inexview.gui.look.layer_looks import LAYER_LOOKS
from inexview.gui.look.theme import Theme


class TextLine(Protocol):
    """Where the letters of a line of text are, in pixels."""

    @property
    def top(self) -> float: ...
    @property
    def bottom(self) -> float: ...


class SignLine(NamedTuple):
    """The line of a sign in a legend."""

    top: float
    bottom: float


DrawnPlace = tuple[TextLine, float, float]  # a line, and left and right of what is drawn there


class MarkLooks:
    """Draws on one painter, in one theme; lengths grow with ``scale`` (1 at a reading size of 17 pixels)."""

    def __init__(self, painter: QPainter, theme: Theme, scale: float) -> None:
        self._painter = painter
        self._theme = theme
        self._scale = scale

    def marked(self, places: Sequence[DrawnPlace]) -> None:
        self._ground(places)
        self._line(places, self._theme.color("mark_edge"), 2)

    def hit(self, places: Sequence[DrawnPlace], run: QColor) -> None:
        self._ground(places)
        self._line(places, run, 3)

    def missed(self, places: Sequence[DrawnPlace]) -> None:
        self._ground(places)
        self._dashes(places, self._theme.color("miss"), max(2.0, round(3 * self._scale)), (1, 1))

    def unjudged(self, places: Sequence[DrawnPlace], run: QColor) -> None:
        self._line(places, run, 2)

    def false_alarm(self, places: Sequence[DrawnPlace]) -> None:
        self.double(places, "false_alarm")

    def layer(self, places: Sequence[DrawnPlace], number: int) -> None:
        """Underline what one assessor marked, A is 0."""
        look = LAYER_LOOKS[number]
        color = self._theme.color(look.token)
        if number == 0:
            self._line(places, color, 2)
        else:
            self._dashes(places, color, max(2.0, round(2 * self._scale)), look.dashes)

    def double(self, places: Sequence[DrawnPlace], token: str) -> None:
        thick = max(1.0, round(self._scale))
        for drop in (-2 * thick, thick):
            tops = [round(line.bottom + drop) for line, _, _ in places]
            edges = (
                (left, top, right, top + thick) for top, (_, left, right) in zip(tops, places, strict=True)
            )
            self._fill(edges, self._theme.color(token))

    def wash(self, places: Sequence[DrawnPlace], strength: float) -> None:
        """Let text step back into the page."""
        color = self._theme.color("page")
        color.setAlphaF(strength)
        self._fill(((left, line.top, right, line.bottom + 1) for line, left, right in places), color)

    def _ground(self, places: Sequence[DrawnPlace]) -> None:
        edges = ((left, line.top, right, line.bottom) for line, left, right in places)
        self._fill(edges, self._theme.color("mark"))

    def _line(self, places: Sequence[DrawnPlace], color: QColor, thickness: float) -> None:
        thick = max(1.0, round(thickness * self._scale))
        self._fill(
            ((left, line.bottom - 1, right, line.bottom - 1 + thick) for line, left, right in places), color
        )

    def _dashes(
        self, places: Sequence[DrawnPlace], color: QColor, thick: float, dashes: tuple[float, float]
    ) -> None:
        pen = QPen(color, thick, Qt.PenStyle.CustomDashLine, Qt.PenCapStyle.FlatCap)
        pen.setDashPattern(list(dashes))
        for line, left, right in places:
            y = line.bottom - 1 + thick / 2
            pen.setDashOffset(
                left / thick % sum(dashes)
            )  # dashes keep step where one stretch follows another
            self._painter.setPen(pen)
            self._painter.drawLine(QPointF(left, y), QPointF(right, y))

    def _fill(self, edges: Iterable[tuple[float, float, float, float]], color: QColor) -> None:
        """Fill rectangles (left, top, right, bottom), all at once: a screen may have hundreds of them."""
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(color)
        self._painter.drawRects(
            [
                QRect(QPoint(round(x), round(y)), QPoint(round(right) - 1, round(bottom) - 1))
                for x, y, right, bottom in edges
            ]
        )
