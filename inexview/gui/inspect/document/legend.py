"""What the signs over the text mean: the same as in the article, small, in one line that never scrolls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QSizePolicy

from inexview.gui.article.margin_signs import LANE_WIDTH, heat_look
from inexview.gui.article.overlays import DrawnPlace, MarkLooks, Overlay, SignLine
from inexview.gui.inspect.figures.figures import count
from inexview.gui.look.theme import lane_color, run_color
from inexview.gui.look.widgets import PaintedWidget, derived, write

EDGE, GAP = 14, 18  # pixels at both ends of the line, and between two entries
PADDING, SIGN_GAP = 4, 6  # around words that a sign is under, and between a sign and its words
ARROW, STEP, BOX = 9, 6, 22  # pixels that signs are wide
SHARES = (0.2, 0.6, 1.0)  # of the runs, of which the grey bar is shown
ROOM = 13  # pixels above and below the words
SMALLER = 2 / 3  # than over the text


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """A sign and what it means; ``paint`` draws the sign into a rectangle."""

    words: str
    paint: Callable[[QPainter, QRectF], None]
    wide: float = 0.0
    """Pixels that the sign takes left of the words; 0 where it is under them."""
    at_right: bool = False

    def width(self, metrics: QFontMetricsF) -> float:
        beside = self.wide + SIGN_GAP if self.wide else 2 * PADDING
        return metrics.horizontalAdvance(self.words) + beside


class Legend(PaintedWidget):
    """hit, missed, false alarm, BEP, entry point, what is in the margin; in little room the first of them."""

    def __init__(self) -> None:
        super().__init__()
        self._overlay = Overlay()
        self._reading = False
        self._described: tuple[str, int | None] | None = None  # all that decides what is painted
        self.setObjectName("legend")
        self.setAccessibleName("Legend")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._describe()

    def show_overlay(self, overlay: Overlay) -> None:
        """Name what lies over the text, in the colour of its run."""
        self._overlay = overlay
        self._describe()

    def set_reading(self, on: bool) -> None:
        """Name also where a reader's patience ends, or no longer."""
        self._reading = on
        self._describe()

    @property
    def _changing(self) -> bool:
        """Whether the pen changes a scratch copy of the run."""
        return self._overlay.pen_on_run

    @property
    def entry_text(self) -> str:
        """The words at the entry point's sign."""
        distance = self._overlay.distance
        if distance is None:
            return "entry point of the run"
        if distance == 0:
            return "entry point, at the BEP"
        return f"entry point, {count(abs(distance))} {'before' if distance < 0 else 'after'}"

    def shown(self) -> list[str]:
        """Return the words of the entries that there is room for."""
        return [entry.words for entry, _ in self._places()]

    def _describe(self) -> None:
        heat = self._overlay.heat
        told = (
            "Hit: marked and underlined. Missed: marked, dotted underline. False alarm: double underline. "
            f"Filled triangle: best entry point. Open triangle: {self.entry_text}."
            + (" Bar with feet: patience ends; what is not read steps back." if self._reading else "")
            + (" Bar in the margin: a run's passage." if self._overlay.lanes else "")
            + (" Dashed frame: retrieved before. Bar with a knob: drag an end." if self._changing else "")
            + ("" if heat is None else f" Grey bar: by how many of {heat.runs} runs.")
        )
        looks = told, self._overlay.style
        if looks != self._described:  # most documents have the legend of the one before
            self._described = looks
            self.setAccessibleDescription(told)
            self._tell_what_gives_way()
            self.update()

    def _tell_what_gives_way(self) -> None:
        whole = len(self._places()) == len(self._entries())
        self.setToolTip("" if whole else self.accessibleDescription())

    def _entries(self) -> list[LegendEntry]:
        """Return all of them, the most telling first."""
        overlay = self._overlay
        entries = [
            LegendEntry("hit", self._paint_hit),
            LegendEntry("missed", self._paint_missed),
            LegendEntry("false alarm", self._paint_false_alarm),
            LegendEntry("BEP", self._paint_bep, ARROW),
            LegendEntry(self.entry_text, self._paint_entry, ARROW),
        ]
        if self._reading:
            entries.append(LegendEntry("patience ends; faded: not read", self._paint_stop, ARROW))
        if self._changing:
            entries.append(LegendEntry("retrieved before", self._paint_before, BOX, at_right=True))
            entries.append(LegendEntry("drag an end", self._paint_end, ARROW, at_right=True))
        if overlay.lanes:
            entries.append(LegendEntry("a run’s passage", self._paint_lane, LANE_WIDTH, at_right=True))
        if overlay.heat is not None:
            told = f"by how many of {overlay.heat.runs} runs"
            entries.append(LegendEntry(told, self._paint_heat, STEP * len(SHARES), at_right=True))
        return entries

    def _places(self) -> list[tuple[LegendEntry, QRectF]]:
        """Return what there is room for, and where; what is said of margin and copy is at the right end."""
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

    def _run(self) -> QColor:
        return run_color(self.theme, self._overlay.style)

    def _looks(self, painter: QPainter) -> MarkLooks:
        return MarkLooks(painter, self.theme, SMALLER)

    def _paint_hit(self, painter: QPainter, sign: QRectF) -> None:
        self._looks(painter).hit(_drawn(sign), self._run())

    def _paint_missed(self, painter: QPainter, sign: QRectF) -> None:
        self._looks(painter).missed(_drawn(sign))

    def _paint_false_alarm(self, painter: QPainter, sign: QRectF) -> None:
        self._looks(painter).false_alarm(_drawn(sign))

    def _paint_bep(self, painter: QPainter, sign: QRectF) -> None:
        self._paint_arrow(painter, sign, self.theme.color("bep"), filled=True)

    def _paint_entry(self, painter: QPainter, sign: QRectF) -> None:
        self._paint_arrow(painter, sign, self._run(), filled=False)

    def _paint_arrow(self, painter: QPainter, sign: QRectF, color: QColor, *, filled: bool) -> None:
        x, y = sign.left() + 1, sign.center().y()
        painter.setPen(QPen(color, 1.2))
        painter.setBrush(color if filled else Qt.BrushStyle.NoBrush)
        painter.drawPolygon(QPolygonF([QPointF(x, y - 4.5), QPointF(x + 8, y), QPointF(x, y + 4.5)]))

    def _paint_stop(self, painter: QPainter, sign: QRectF) -> None:
        x, (top, bottom) = sign.left() + 5, (sign.top() + 2, sign.bottom() - 1)
        painter.setPen(QPen(self.theme.color("text"), 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
        painter.drawLine(QPointF(x, top), QPointF(x, bottom))
        for y in (top, bottom):
            painter.drawLine(QPointF(x - 4, y), QPointF(x + 1, y))

    def _paint_before(self, painter: QPainter, sign: QRectF) -> None:
        pen = QPen(self._run(), 1.2, Qt.PenStyle.CustomDashLine)
        pen.setDashPattern([3, 2])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(sign.adjusted(0, 2, 0, -1), 3, 3)

    def _paint_end(self, painter: QPainter, sign: QRectF) -> None:
        x, foot = sign.left() + ARROW / 2, sign.bottom() - 4
        painter.setPen(QPen(self._run(), 1.6))
        painter.setBrush(self.theme.color("window"))
        painter.drawLine(QPointF(x, sign.top()), QPointF(x, foot))
        painter.drawEllipse(QPointF(x, foot), 2.8, 2.8)

    def _paint_lane(self, painter: QPainter, sign: QRectF) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(lane_color(self.theme, self._overlay.style))
        painter.drawRoundedRect(sign, 2, 2)

    def _paint_heat(self, painter: QPainter, sign: QRectF) -> None:
        """Paint the lane as it grows, lying on its side."""
        for at, share in enumerate(SHARES):
            high, color = heat_look(self.theme, share)
            painter.fillRect(QRectF(sign.left() + STEP * at, sign.center().y() - high / 2, STEP, high), color)


def _drawn(sign: QRectF) -> list[DrawnPlace]:
    return [(SignLine(sign.top(), sign.bottom() + 1), sign.left(), sign.right())]
