"""The formulas of F(d), s(x,b) and T2I, once in letters and once with the numbers of this document."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from inexview.core.measures.in_context import DocumentScores, ReadingEffort
from inexview.core.measures.measure import Parameters
from inexview.gui.inspect.figures.figures import count, parameter, short
from inexview.gui.look.theme import LIGHT
from inexview.gui.look.widgets import LEFT, derived

F_FORMULA = "F = (1 + β²)·hits / (β²·relevant + retrieved)"
A_FORMULA = "s = A·L / (A·L + |x − b|)"
WINDOW_FORMULA = "s = (n − |x − b|) / n, at least 0"
READING_FORMULA = "T2I = relevant / read, until t irrelevant"


@dataclass(frozen=True, slots=True)
class Filled:
    """A formula with its numbers, and the value that it gives."""

    numbers: str
    value: str

    def __str__(self) -> str:
        return f"{self.numbers} = {self.value}"


def filled_f(scores: DocumentScores, parameters: Parameters) -> Filled:
    """Write F(d) with this document's characters."""
    weight = parameters.beta**2
    left = f"{parameter(1 + weight)}·{count(scores.hits)}"
    relevant = count(scores.relevant) if weight == 1 else f"{parameter(weight)}·{count(scores.relevant)}"
    return Filled(f"= {left} / ({relevant} + {count(scores.retrieved)})", short(scores.f))


def filled_s(scores: DocumentScores, parameters: Parameters, length: int) -> Filled | None:
    """Write s(x,b) with this document's characters; None where an entry point is missing."""
    if scores.distance is None or not scores.relevant:
        return None
    distance = count(scores.distance)
    if parameters.n is not None:
        n = count(parameters.n)
        within = scores.distance <= parameters.n
        return Filled(
            f"= ({n} − {distance}) / {n}" if within else f"= 0, as {distance} > {n}", short(scores.s)
        )
    a = parameters.a or 0.0
    top = f"{parameter(a)}·{count(length)}"
    return Filled(f"= {top} / ({count(a * length)} + {distance})", short(scores.s))


def filled_reading(effort: ReadingEffort | None) -> Filled:
    """Write T2I with what is read of this document; None: nothing is marked, or nothing retrieved."""
    if effort is None or not effort.relevant:
        return Filled("= 0, nothing relevant is read", "")
    return Filled(f"= {count(effort.relevant)} / {count(effort.read.size)}", short(effort.score))


class FormulaLine(QWidget):
    """One line of a formula; where room is short the value goes first (its bar shows it), then the end."""

    def __init__(self, name: str, *, muted: bool = False) -> None:
        super().__init__()
        self._name = name
        self._muted = muted
        self._filled = Filled("", "")
        self.theme = LIGHT

    @property
    def text(self) -> str:
        return str(self._filled) if self._filled.value else self._filled.numbers

    def show_text(self, filled: Filled | str) -> None:
        shown = Filled(filled, "") if isinstance(filled, str) else filled
        if shown != self._filled:
            self._filled = shown
            self.setAccessibleName(f"{self._name} {self.text}")
            self.setToolTip(self.text)
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(120, self.fontMetrics().height() + 2)

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        font = derived(self.font(), factor=0.95)
        metrics = QFontMetrics(font)
        text = self.text
        if metrics.horizontalAdvance(text) > self.width():
            text = metrics.elidedText(self._filled.numbers, Qt.TextElideMode.ElideRight, self.width())
        painter.setFont(font)
        painter.setPen(self.theme.color("muted" if self._muted else "text"))
        painter.drawText(self.rect(), LEFT, text)
