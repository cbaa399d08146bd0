"""P(d), R(d), F(d) and s(x,b) as rows: a bar, numerator / denominator = value."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QLabel, QWidget

from inexview.core.evaluation.explain import Ratio, closeness, f_ratio
from inexview.core.measures.in_context import DocumentScores
from inexview.core.measures.measure import M07, Parameters
from inexview.gui.inspect.figures.figures import count, exact, short
from inexview.gui.look.layouts import in_column
from inexview.gui.look.theme import LIGHT, Theme
from inexview.gui.look.widgets import INSET, RIGHT, derived, paint_focus, write

BAR_HEIGHT = 7
LEAST_BAR = 24
MOST_BAR = 120
PREVIEW_STRENGTH = 0.45


class ScoreMeasure(Enum):
    """A row: its name, the token of its colour, what it says, and its definition with source."""

    P = (
        "P(d)",
        "hit",
        "Precision: the part of the retrieved characters that is relevant",
        f"hits / retrieved\n{M07}, eq. 4",
    )
    R = (
        "R(d)",
        "hit",
        "Recall: the part of the relevant characters that is retrieved",
        f"hits / relevant\n{M07}, eq. 5",
    )
    F = (
        "F(d)",
        "accent",
        "Precision and recall in one figure, weighed by β",
        f"(1 + β²)·P·R / (β²·P + R)\n{M07}, eq. 6",
    )
    S = (
        "s(x,b)",
        "bep",
        "How near the run’s entry point x is to the best entry point b",
        f"A·L / (A·L + |x − b|), eq. 8, or (n − |x − b|) / n, eq. 9\n{M07}",
    )

    def __init__(self, title: str, token: str, meaning: str, definition: str) -> None:
        self.title = title
        self.token = token
        self.meaning = meaning
        self.definition = definition


@dataclass(frozen=True, slots=True)
class ScoreValue:
    """What a row shows: a value with its ratio, or the reason why there is none.

    A value may have a reason too: 0 by definition, where there is nothing to divide by.
    """

    value: float | None
    ratio: Ratio | None = None
    reason: str = ""

    @property
    def fraction(self) -> str:
        """Numerator and denominator, or the reason."""
        if self.ratio is None:
            return self.reason
        return f"{count(self.ratio.numerator)} / {count(self.ratio.denominator)}"

    @property
    def text(self) -> str:
        """Everything, with three decimals."""
        return f"{self.fraction} = {short(self.value)}" if self.value is not None else f"{self.reason} –"


def readings(
    scores: DocumentScores | None, parameters: Parameters, length: int, reason: str
) -> tuple[ScoreValue, ...]:
    """Return what the four rows show, in the order of :class:`ScoreMeasure`.

    ``reason`` says why there are no scores at all.  A document that is not relevant scores 0 by
    definition, as does an entry point where either is missing.
    """
    if scores is None:
        return (ScoreValue(None, reason=reason),) * 4
    if not scores.relevant:
        return (ScoreValue(0.0, reason="not relevant"),) * 4
    if not scores.retrieved:
        nothing = ScoreValue(0.0, reason="nothing retrieved")
        recall = ScoreValue(0.0, Ratio(0, scores.relevant))
        return nothing, recall, ScoreValue(0.0, f_ratio(0, 0, scores.relevant, parameters.beta)), nothing
    if scores.distance is None:
        entry = ScoreValue(0.0, reason="no best entry point")
    else:
        entry = ScoreValue(scores.s, closeness(scores.distance, length, parameters))
    return (
        ScoreValue(scores.precision, Ratio(scores.hits, scores.retrieved)),
        ScoreValue(scores.recall, Ratio(scores.hits, scores.relevant)),
        ScoreValue(scores.f, f_ratio(scores.hits, scores.retrieved, scores.relevant, parameters.beta)),
        entry,
    )


class ScoreRow(QLabel):  # which screen readers take for a text
    """One measure.  Ctrl+C copies it, with six decimals; a click or Enter tells how it comes about."""

    asked = Signal()

    def __init__(self, measure: ScoreMeasure) -> None:
        super().__init__()
        self.measure = measure
        self.reading = ScoreValue(None)
        self.preview = False
        self.theme = LIGHT
        self.figures_width = 0.0
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(measure.title)

    def show_reading(self, reading: ScoreValue, *, preview: bool) -> None:
        if reading == self.reading and preview == self.preview:
            return
        self.reading = reading
        self.preview = preview
        self.setAccessibleName(f"{self.measure.title} {'preview ' if preview else ''}{reading.text}")
        self.update()

    def needed_width(self) -> float:
        """Return the room that fraction and value take."""
        metrics = QFontMetricsF(derived(self.font(), factor=0.95))
        return metrics.horizontalAdvance(self.reading.fraction + " = ") + self._value_width()

    def _value_width(self) -> float:
        return QFontMetricsF(derived(self.font(), bold=True)).horizontalAdvance("0.000")

    def sizeHint(self) -> QSize:
        return QSize(280, self.fontMetrics().height() + 10)

    def minimumSizeHint(self) -> QSize:
        return QSize(180, self.sizeHint().height())

    def event(self, event: QEvent) -> bool:
        """Write the tooltip only when it is asked for: values change with every move of the mouse."""
        if event.type() == QEvent.Type.ToolTip:
            self.setToolTip(self._explanation())
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy, and go to the neighbouring row with the arrow keys."""
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self._exact())
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.asked.emit()
        elif event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self.focusNextPrevChild(event.key() == Qt.Key.Key_Down)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(self.rect())
        if self.hasFocus():
            paint_focus(painter, rect, self.theme)
        rect.adjust(INSET, 0, -INSET, 0)
        bold = derived(self.font(), bold=True)
        name = QFontMetricsF(bold).horizontalAdvance("s(x,b)") + 10
        named = QRectF(rect.left(), 0, name, rect.height())
        write(painter, named, self.measure.title, bold, self.theme.color("text"))
        room = rect.width() - name
        bar = min(room - self.figures_width - 10, MOST_BAR)
        bar = bar if bar >= LEAST_BAR else -10.0  # figures come first
        if bar > 0:
            place = QRectF(rect.left() + name, rect.center().y() - BAR_HEIGHT / 2, bar, BAR_HEIGHT)
            self._paint_bar(painter, place)
        self._paint_figures(painter, rect.adjusted(name + bar + 10, 0, 0, 0))

    def _paint_bar(self, painter: QPainter, rect: QRectF) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.theme.color("track"))
        painter.drawRoundedRect(rect, 3, 3)
        if not self.reading.value:
            return
        filled = QRectF(
            rect.left(), rect.top(), max(rect.width() * min(self.reading.value, 1.0), 3), rect.height()
        )
        color = self.theme.color(self.measure.token)
        color.setAlphaF(PREVIEW_STRENGTH if self.preview else 1.0)
        painter.setBrush(color)
        painter.drawRoundedRect(filled, 3, 3)

    def _paint_figures(self, painter: QPainter, rect: QRectF) -> None:
        bold, plain = derived(self.font(), bold=True), derived(self.font(), factor=0.95)
        value = self._value_width()
        color = self.theme.color("accent" if self.preview else "text")
        write(painter, rect, short(self.reading.value), bold, color, RIGHT)
        rest = rect.adjusted(0, 0, -value, 0)
        metrics = QFontMetricsF(plain)
        equals = " = " if self.reading.value is not None else "  "
        room = rest.width() - metrics.horizontalAdvance(equals)
        fraction = self.reading.fraction
        if self.reading.ratio is None:
            fraction = metrics.elidedText(fraction, Qt.TextElideMode.ElideRight, room)
        elif metrics.horizontalAdvance(fraction) > room:
            return  # the tooltip has it: half a number would be another one
        color = self.theme.color("text" if self.reading.ratio else "muted")
        write(painter, rest, fraction + equals, plain, color, RIGHT)

    def _exact(self) -> str:
        reading = self.reading
        if reading.value is None:
            return f"{self.measure.title}: {reading.reason}"
        return f"{self.measure.title} = {reading.fraction} = {exact(reading.value)}"

    def _explanation(self) -> str:
        lines = [self._exact(), self.measure.meaning, self.measure.definition]
        if self.reading.value is not None and self.reading.reason:
            lines.insert(1, f"0 by definition: {self.reading.reason}")
        return "\n".join(lines)


class ScoreRows(QWidget):
    """The four rows, their figures in one column."""

    def __init__(self) -> None:
        super().__init__()
        self.rows = tuple(ScoreRow(measure) for measure in ScoreMeasure)
        self._shown: tuple[tuple[ScoreValue, ...], bool] | None = None
        in_column(*self.rows, on=self, margins=0, spacing=0)

    def set_theme(self, theme: Theme) -> None:
        for row in self.rows:
            row.theme = theme
            row.update()

    def show_readings(self, shown: tuple[ScoreValue, ...], *, preview: bool) -> None:
        """Show other values; all bars keep one length."""
        if (shown, preview) == self._shown:
            return
        self._shown = shown, preview
        for row, reading in zip(self.rows, shown, strict=True):
            row.show_reading(reading, preview=preview)
        width = max(row.needed_width() for row in self.rows)
        for row in self.rows:
            if row.figures_width != width:
                row.figures_width = width
                row.update()
