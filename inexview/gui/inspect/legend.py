"""The legend under the text: the marks over the text and the signs in its margin."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QSizePolicy

from inexview.core.report import count
from inexview.gui.article.lanes import LANE_WIDTH, heat_look
from inexview.gui.article.overlays import DrawnPlace, MarkLooks, Overlay, SignLine
from inexview.gui.look.theme import lane_color, run_color
from inexview.gui.look.widgets import PaintedWidget, derived, write

EDGE, GAP = 14, 18  # pixels at both ends of the line, and between two entries
PADDING, SIGN_GAP = 4, 6  # pixels around words above a sign, and between a sign and its words
ARROW, STEP, BOX = 9, 6, 22  # widths of signs in pixels
SHARES = (0.2, 0.6, 1.0)  # shares of the runs for which the grey bar is shown
ROOM = 13  # pixels above and below the words
SMALLER = 2 / 3  # of the size over the text
CUT_MEANS = "a chunk’s border cuts a passage"


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """A sign and its meaning; ``paint`` draws the sign into a rectangle."""

    words: str
    paint: Callable[[QPainter, QRectF], None]
    wide: float = 0.0
    """Pixels of the sign to the left of the words; 0 if it is below them."""
    at_right: bool = False

    def width(self, metrics: QFontMetricsF) -> float:
        beside = self.wide + SIGN_GAP if self.wide else 2 * PADDING
        return metrics.horizontalAdvance(self.words) + beside


class Legend(PaintedWidget):
    """The legend of hits, misses, false alarms, entry points and margin signs; the first ones that fit."""

    def __init__(self) -> None:
        super().__init__()
        self._overlay = Overlay()
        self._reading = False
        self._described: tuple[str, int | None] | None = None  # everything that determines what is painted
        self.setObjectName("legend")
        self.setAccessibleName("Legend")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._describe()

    def show_overlay(self, overlay: Overlay) -> None:
        """Describe the marks over the text, in the colour of their run."""
        self._overlay = overlay
        self._describe()

    def set_reading(self, on: bool) -> None:
        """Show or hide the description of where the reader stops."""
        self._reading = on
        self._describe()

    @property
    def entry_text(self) -> str:
        """The words at the sign of the entry point."""
        distance = self._overlay.distance
        if distance is None:
            return "entry point of the run"
        if distance == 0:
            return "entry point, at the BEP"
        return f"entry point, {count(abs(distance))} {'before' if distance < 0 else 'after'}"

    def shown(self) -> list[str]:
        """Return the words of the entries that fit."""
        return [entry.words for entry, _ in self._places()]

    def _describe(self) -> None:
        heat = self._overlay.heat
        told = (
            "Hit: marked and underlined. Missed: marked, dotted underline. False alarm: double underline."
            + self._entry_points_told()
            + (" Bar with feet: the reader stops here; unread text is dimmed." if self._reading else "")
            + (f" Bar with feet on both sides: {CUT_MEANS}." if self._overlay.cuts else "")
            + (" Bar in the margin: a run's passage." if self._overlay.lanes else "")
            + (
                " Dashed frame: retrieved before. Bar with a knob: drag an end."
                if self._overlay.pen_on_run
                else ""
            )
            + ("" if heat is None else f" Grey bar: by how many of {heat.runs} runs.")
        )
        looks = told, self._overlay.style
        if looks != self._described:  # most documents have the legend of the previous one
            self._described = looks
            self.setAccessibleDescription(told)
            self._tell_what_gives_way()
            self.update()

    def _entry_points_told(self) -> str:
        if not self._has_entry_points:
            return ""
        return f" Filled triangle: best entry point. Open triangle: {self.entry_text}."

    @property
    def _has_entry_points(self) -> bool:
        return self._overlay.bep is not None or self._overlay.entry is not None

    def _tell_what_gives_way(self) -> None:
        whole = len(self._places()) == len(self._entries())
        self.setToolTip("" if whole else self.accessibleDescription())

    def _entries(self) -> list[LegendEntry]:
        """Return all entries, the most important first."""
        overlay, run = self._overlay, run_color(self.theme, self._overlay.style)

        def looks(painter: QPainter) -> MarkLooks:
            return MarkLooks(painter, self.theme, SMALLER)

        entries = [
            LegendEntry("hit", lambda painter, sign: looks(painter).hit(_drawn(sign), run)),
            LegendEntry("missed", lambda painter, sign: looks(painter).missed(_drawn(sign))),
            LegendEntry("false alarm", lambda painter, sign: looks(painter).false_alarm(_drawn(sign))),
        ]
        if self._has_entry_points:
            best = partial(_paint_arrow, self.theme.color("bep"), filled=True)
            entries.append(LegendEntry("BEP", best, ARROW))
            entries.append(LegendEntry(self.entry_text, partial(_paint_arrow, run, filled=False), ARROW))
        if self._reading:
            entries.append(LegendEntry("reader stops; faded: not read", self._paint_stop, ARROW))
        if overlay.pen_on_run:
            entries.append(LegendEntry("retrieved before", self._paint_before, BOX, at_right=True))
            entries.append(LegendEntry("drag an end", self._paint_end, ARROW, at_right=True))
        if overlay.lanes:
            chunks = any(lane.chunks for lane in overlay.lanes)
            told = "a chunk, with its rank" if chunks else "a run’s passage"
            entries.append(LegendEntry(told, self._paint_lane, LANE_WIDTH, at_right=True))
            if any(bar.of > 1 for lane in overlay.lanes for bar in lane.chunks):
                entries.append(LegendEntry("two share the text", self._paint_shared, ARROW, at_right=True))
        if overlay.cuts:
            entries.append(LegendEntry(CUT_MEANS, self._paint_cut, ARROW, at_right=True))
        if overlay.heat is not None:
            told = f"by how many of {overlay.heat.runs} runs"
            entries.append(LegendEntry(told, self._paint_heat, STEP * len(SHARES), at_right=True))
        return entries

    def _places(self) -> list[tuple[LegendEntry, QRectF]]:
        """Return the entries that fit with their rectangles; margin and scratch copy are at the right."""
        metrics = QFontMetricsF(self._letters())
        placed: list[tuple[LegendEntry, QRectF]] = []
        x, right = float(EDGE), self.width() - EDGE
        for entry in self._entries():
            wide = entry.width(metrics)
            if x + wide > right:
                break
            placed.append((entry, QRectF(x, (self.height() - metrics.height()) / 2, wide, metrics.height())))
            x += wide + GAP
        for entry, place in placed:
            if entry.at_right:
                place.translate(right + GAP - x, 0)
        return placed

    def _letters(self) -> QFont:
        return derived(self.font(), factor=0.92)

    def sizeHint(self) -> QSize:
        return QSize(280, round(QFontMetricsF(self._letters()).height()) + ROOM)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._tell_what_gives_way()

    # -- painting ------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self.theme.color("window"))
        painter.fillRect(0, 0, self.width(), 1, self.theme.color("line"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for entry, place in self._places():
            sign, words = QRectF(place), place.adjusted(PADDING, 0, 0, 0)
            if entry.wide:
                sign.setWidth(entry.wide)
                words.setLeft(sign.right() + SIGN_GAP)
            entry.paint(painter, sign)
            write(painter, words, entry.words, self._letters(), self.theme.color("text"))

    def _paint_stop(self, painter: QPainter, sign: QRectF) -> None:
        x, (top, bottom) = sign.left() + 5, (sign.top() + 2, sign.bottom() - 1)
        painter.setPen(QPen(self.theme.color("text"), 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
        painter.drawLine(QPointF(x, top), QPointF(x, bottom))
        for y in (top, bottom):
            painter.drawLine(QPointF(x - 4, y), QPointF(x + 1, y))

    def _paint_before(self, painter: QPainter, sign: QRectF) -> None:
        pen = QPen(run_color(self.theme, self._overlay.style), 1.2, Qt.PenStyle.CustomDashLine)
        pen.setDashPattern([3, 2])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(sign.adjusted(0, 2, 0, -1), 3, 3)

    def _paint_end(self, painter: QPainter, sign: QRectF) -> None:
        x, foot = sign.left() + ARROW / 2, sign.bottom() - 4
        painter.setPen(QPen(run_color(self.theme, self._overlay.style), 1.6))
        painter.setBrush(self.theme.color("window"))
        painter.drawLine(QPointF(x, sign.top()), QPointF(x, foot))
        painter.drawEllipse(QPointF(x, foot), 2.8, 2.8)

    def _paint_cut(self, painter: QPainter, sign: QRectF) -> None:
        x, (top, bottom) = sign.center().x(), (sign.top() + 1, sign.bottom() - 1)
        painter.setPen(QPen(self.theme.color("miss"), 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
        painter.drawLine(QPointF(x, top), QPointF(x, bottom))
        for y in (top, bottom):
            painter.drawLine(QPointF(x - 4, y), QPointF(x + 4, y))

    def _paint_shared(self, painter: QPainter, sign: QRectF) -> None:
        """Paint a bar that gives half of its width to another one from its middle on."""
        color, half = lane_color(self.theme, self._overlay.style), (sign.width() - 1) / 2
        painter.fillRect(QRectF(sign.left(), sign.top(), half, sign.height()), color)
        painter.fillRect(QRectF(sign.left(), sign.top(), sign.width(), sign.height() / 3), color)
        lower = QRectF(sign.right() - half, sign.top() + sign.height() / 3 + 1, half, sign.height() / 2)
        painter.fillRect(lower, color)

    def _paint_lane(self, painter: QPainter, sign: QRectF) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(lane_color(self.theme, self._overlay.style))
        painter.drawRoundedRect(sign, 2, 2)

    def _paint_heat(self, painter: QPainter, sign: QRectF) -> None:
        """Paint the scale of the lane horizontally."""
        for at, share in enumerate(SHARES):
            high, color = heat_look(self.theme, share)
            painter.fillRect(QRectF(sign.left() + STEP * at, sign.center().y() - high / 2, STEP, high), color)


def _paint_arrow(color: QColor, painter: QPainter, sign: QRectF, *, filled: bool) -> None:
    x, y = sign.left() + 1, sign.center().y()
    painter.setPen(QPen(color, 1.2))
    painter.setBrush(color if filled else Qt.BrushStyle.NoBrush)
    painter.drawPolygon(QPolygonF([QPointF(x, y - 4.5), QPointF(x + 8, y), QPointF(x, y + 4.5)]))


def _drawn(sign: QRectF) -> list[DrawnPlace]:
    return [(SignLine(sign.top(), sign.bottom() + 1), sign.left(), sign.right())]
