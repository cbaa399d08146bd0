"""The scores of the open document, each with its formula and numbers, and their panel."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial

from PySide6.QtCore import QEvent, QPoint, QRectF, QRegularExpression, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import (
    QFontMetrics,
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QRegularExpressionValidator,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from inexview.core.evaluation.explain import Explanation, Ratio, closeness, f_ratio
from inexview.core.judgements.runs import Task
from inexview.core.measures.in_context import DocumentScores, ReadingEffort
from inexview.core.measures.measure import M07, Parameters, Preset
from inexview.core.measures.measure import PRESETS as ALL_PRESETS
from inexview.core.report import count, exact, parameter, short
from inexview.gui.inspect.costs import CostList
from inexview.gui.inspect.run_scoring import FigureAsked, FigureClicks, FigureLevel
from inexview.gui.look.panels import MenuButton, add_choice
from inexview.gui.look.theme import Themed
from inexview.gui.look.widgets import (
    INSET,
    LEFT,
    MARGIN,
    RIGHT,
    Caption,
    ElidedLabel,
    button,
    derived,
    in_column,
    in_row,
    label,
    paint_focus,
    still,
    write,
)

PRESETS = {
    preset.name: preset.parameters for preset in ALL_PRESETS.values() if Task.BEST_IN_CONTEXT in preset.tasks
}
"""The parameters of presets with entry points, for the score of one document."""


def preset_of(parameters: Parameters) -> str | None:
    """Return the name of the preset that scores a document with the same β, A or n, and T2I."""
    return next(
        (name for name, preset in PRESETS.items() if _of_document(preset) == _of_document(parameters)), None
    )


def _of_document(parameters: Parameters) -> tuple[float, float | None, int | None, str, int]:
    return parameters.beta, parameters.a, parameters.n, parameters.score, parameters.tolerance


def shown(parameters: Parameters) -> str:
    """Return the parameters that score a document: ``β = 1, A = 0.1``, for T2I also its t."""
    form = f"A = {parameter(parameters.a or 0)}" if parameters.n is None else f"n = {parameter(parameters.n)}"
    reading = f", T2I[{parameters.tolerance}]" if parameters.score == "T2I" else ""
    return f"β = {parameter(parameters.beta)}, {form}{reading}"


class NumberField(QLineEdit):
    """A field for a number: type it and press Enter or leave the field, or step with ↑ and ↓."""

    changed = Signal(object)  # float

    def __init__(self, name: str) -> None:
        super().__init__()
        self._value = self._low = self._high = self._step = 1.0
        self.setAccessibleName(name)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setValidator(QRegularExpressionValidator(QRegularExpression("[0-9]*[.,]?[0-9]*"), self))
        self.setFixedWidth(self.fontMetrics().horizontalAdvance("000,000") + 16)
        self.editingFinished.connect(self._take)

    def set_limits(self, low: float, high: float, step: float) -> None:
        """Set the limits of the number, and the step of one key press."""
        self._low, self._high, self._step = low, high, step

    def show_value(self, value: float) -> None:
        """Show a number without a signal."""
        self._value = value
        self.setText(f"{value:.10g}")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Up: self._step, Qt.Key.Key_Down: -self._step}
        if event.key() in steps:
            stepped = math.floor(self._value / self._step + 1e-9) * self._step + steps[Qt.Key(event.key())]
            self._set(round(stepped if stepped > 0 else self._low, 10))
        elif event.key() != Qt.Key.Key_Escape or not self.dismiss():  # if the window has no shortcut for it
            super().keyPressEvent(event)

    def dismiss(self) -> bool:
        """Discard typed text; return whether there was any."""
        typed = self.isModified()
        if typed:
            self.show_value(self._value)
        return typed

    def _take(self) -> None:
        try:
            typed = float(self.text().replace(",", "."))
        except ValueError:
            typed = self._value
        self._set(typed)

    def _set(self, value: float) -> None:
        kept = min(max(value, self._low), self._high)
        different = kept != self._value
        self.show_value(kept)
        if different:
            self.changed.emit(kept)


class LogSlider(QSlider):
    """A slider over several powers of ten, on which each step multiplies."""

    STEPS = 200
    moved = Signal(object)  # float

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        still(self)
        self.setRange(0, self.STEPS)
        self.setPageStep(20)
        self._low, self._high = 0.01, 1.0
        self.valueChanged.connect(lambda at: self.moved.emit(self._value(at)))

    def set_limits(self, low: float, high: float) -> None:
        """Set the values of the two ends."""
        self._low, self._high = low, high

    def show_value(self, value: float) -> None:
        """Move to a value without a signal; values beyond the ends move to the end."""
        part = math.log(min(max(value, self._low), self._high) / self._low) / math.log(self._high / self._low)
        with QSignalBlocker(self):
            self.setValue(round(part * self.STEPS))

    def _value(self, at: int) -> float:
        value = self._low * (self._high / self._low) ** (at / self.STEPS)
        return float(f"{value:.2g}")


class FieldControl(QWidget):
    """β [1]: a letter, the field of its number, and a note."""

    def __init__(self, letter: str, meaning: str, limits: tuple[float, float, float], tip: str) -> None:
        super().__init__()
        named = QLabel(letter)
        self.field = NumberField(f"{letter}, {meaning}")
        self.field.set_limits(*limits)
        self.field.setToolTip(tip)
        named.setBuddy(self.field)
        self.note = ElidedLabel(role="muted")
        in_row(named, self.field, (self.note, 1), on=self, margins=0)


class EntryControl(QWidget):
    """A [0.1] ──●──── ☐ window n: the form of s(x,b) and its one parameter."""

    changed = Signal(object)  # tuple[float | None, int | None]: a, n

    A_LIMITS = (0.01, 1.0)
    N_LIMITS = (10, 10_000)

    def __init__(self) -> None:
        super().__init__()
        self._a, self._n = 0.1, 1000
        self.label = QLabel("A")
        self.field = NumberField("A")
        self.slider = LogSlider()
        self.window_form = QCheckBox("window n")
        self.window_form.setToolTip("Score by a window of n characters around the best entry point, not by A")
        self.label.setBuddy(self.field)
        self.slider.setMinimumWidth(24)
        in_row(self.label, self.field, (self.slider, 1), self.window_form, on=self, margins=0)
        self.field.changed.connect(self._take)
        self.slider.moved.connect(self._take)
        self.window_form.toggled.connect(self._on_form)
        self.show_values(0.1, None)

    def show_values(self, a: float | None, n: int | None) -> None:
        """Show values without a signal; the unused form keeps its value for later."""
        self._a = self._a if a is None else a
        self._n = self._n if n is None else n
        with QSignalBlocker(self.window_form):
            self.window_form.setChecked(n is not None)
        self._show()

    def values(self) -> tuple[float | None, int | None]:
        """Return A and n, one of them None."""
        return (None, self._n) if self.window_form.isChecked() else (self._a, None)

    def _on_form(self) -> None:
        self._show()
        self.changed.emit(self.values())

    def _take(self, value: float) -> None:
        if self.window_form.isChecked():
            self._n = max(round(value), 1)
        else:
            self._a = value
        self._show()
        self.changed.emit(self.values())

    def _show(self) -> None:
        windowed = self.window_form.isChecked()
        name = "n" if windowed else "A"
        meaning = (
            "n, characters around the best entry point"
            if windowed
            else "A, how far from the best entry point counts"
        )
        self.label.setText(name)
        for widget in (self.field, self.slider):
            widget.setAccessibleName(meaning)
            widget.setToolTip(meaning)
        self.field.set_limits(*((1, 10_000_000, 100) if windowed else (0.0001, 100, 0.05)))
        self.field.show_value(self._n if windowed else self._a)
        self.slider.set_limits(*(self.N_LIMITS if windowed else self.A_LIMITS))
        self.slider.show_value(self._n if windowed else self._a)


F_FORMULA = "F = (1 + β²)·hits / (β²·relevant + retrieved)"
A_FORMULA = "s = A·L / (A·L + |x − b|)"
WINDOW_FORMULA = "s = (n − |x − b|) / n, at least 0"
READING_FORMULA = "T2I = relevant / read, until t irrelevant"


Filled = tuple[str, str]
"""A formula with its numbers, and its value; the value is "" if the numbers state it."""


def filled_f(scores: DocumentScores, parameters: Parameters) -> Filled:
    weight = parameters.beta**2
    left = f"{parameter(1 + weight)}·{count(scores.hits)}"
    relevant = count(scores.relevant) if weight == 1 else f"{parameter(weight)}·{count(scores.relevant)}"
    return f"= {left} / ({relevant} + {count(scores.retrieved)})", short(scores.f)


def filled_s(scores: DocumentScores, parameters: Parameters, length: int) -> Filled:
    """Return s(x,b) with this document's characters, or why an entry point is missing."""
    if not scores.relevant:
        return "= 0, not relevant", ""
    if scores.distance is None:
        return "= 0, no entry point", ""
    distance = count(scores.distance)
    if parameters.n is not None:
        n = count(parameters.n)
        within = scores.distance <= parameters.n
        return f"= ({n} − {distance}) / {n}" if within else f"= 0, as {distance} > {n}", short(scores.s)
    a = parameters.a or 0.0
    return f"= {parameter(a)}·{count(length)} / ({count(a * length)} + {distance})", short(scores.s)


def filled_reading(effort: ReadingEffort | None) -> Filled:
    """Return T2I with what is read of this document; None if nothing is marked or retrieved."""
    if effort is None or not effort.relevant:
        return "= 0, nothing relevant is read", ""
    return f"= {count(effort.relevant)} / {count(effort.read.size)}", short(effort.score)


class FormulaLine(Themed, QWidget):
    """One line of a formula; if space is short, its value is dropped first, then its end."""

    def __init__(self, name: str, text: str = "") -> None:
        """A line with a fixed ``text`` is the formula, and muted."""
        super().__init__()
        self._name = name
        self._muted = bool(text)
        self.text = self._numbers = ""
        self.show_text(text)

    def show_text(self, numbers: str, value: str = "") -> None:
        text = " = ".join(filter(None, (numbers, value)))
        if text != self.text:
            self.text, self._numbers = text, numbers
            self.setAccessibleName(f"{self._name} {text}")
            self.setToolTip(text)
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
            text = metrics.elidedText(self._numbers, Qt.TextElideMode.ElideRight, self.width())
        painter.setFont(font)
        painter.setPen(self.theme.color("muted" if self._muted else "text"))
        painter.drawText(self.rect(), LEFT, text)


BAR_HEIGHT = 7
LEAST_BAR = 24
MOST_BAR = 120
PREVIEW_STRENGTH = 0.45


class ScoreMeasure(Enum):
    """A row: name, colour token, meaning, and definition with source."""

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
    """The content of a row: a value with its ratio, or the reason why there is none.

    A value of 0 by definition, where the denominator is 0, has a reason too.
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
        """The whole content, with three decimals."""
        return f"{self.fraction} = {short(self.value)}" if self.value is not None else f"{self.reason} –"


def readings(
    scores: DocumentScores | None, parameters: Parameters, length: int, reason: str
) -> tuple[ScoreValue, ...]:
    """Return the contents of the four rows, in the order of :class:`ScoreMeasure`.

    ``reason`` says why there are no scores. A document that is not relevant scores 0 by definition, and so
    does an entry point if either is missing.
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


class FigureLabel(Themed, QLabel):  # a label, because screen readers treat it as text
    """A figure. Ctrl+C copies it with six decimals; a click or Enter shows its derivation."""

    asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    @property
    @abstractmethod
    def exact(self) -> str:
        """The figure with its measure and six decimals."""

    def event(self, event: QEvent) -> bool:
        """Handle the copy key here; otherwise the window would copy the selected text."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.ShortcutOverride:
            event.setAccepted(event.matches(QKeySequence.StandardKey.Copy))
            return event.isAccepted()
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy, or move to the neighbouring row with the arrow keys."""
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.exact)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.asked.emit()
        elif event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self.focusNextPrevChild(event.key() == Qt.Key.Key_Down)
        else:
            super().keyPressEvent(event)


class ScoreRow(FigureLabel):
    """One measure of the open document."""

    def __init__(self, measure: ScoreMeasure) -> None:
        super().__init__()
        self.measure = measure
        self.reading = ScoreValue(None)
        self.preview = False
        self.figures_width = 0.0
        self.setAccessibleName(measure.title)

    def show_reading(self, reading: ScoreValue, *, preview: bool) -> None:
        if reading == self.reading and preview == self.preview:
            return
        self.reading = reading
        self.preview = preview
        self.setAccessibleName(f"{self.measure.title} {'preview ' if preview else ''}{reading.text}")
        self.update()

    def needed_width(self) -> float:
        """Return the width of fraction and value."""
        metrics = QFontMetricsF(derived(self.font(), factor=0.95))
        return metrics.horizontalAdvance(self.reading.fraction + " = ") + self._value_width()

    def _value_width(self) -> float:
        return QFontMetricsF(derived(self.font(), bold=True)).horizontalAdvance("0.000")

    def sizeHint(self) -> QSize:
        return QSize(280, self.fontMetrics().height() + 10)

    def minimumSizeHint(self) -> QSize:
        return QSize(180, self.sizeHint().height())

    def event(self, event: QEvent) -> bool:
        """Set the tooltip only when it is requested: values change with every move of the mouse."""
        if event.type() == QEvent.Type.ToolTip:
            self.setToolTip(self._explanation())
        return super().event(event)

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
        bar = bar if bar >= LEAST_BAR else -10.0  # figures take precedence
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
            return  # the tooltip has it: a cut number would be wrong
        color = self.theme.color("text" if self.reading.ratio else "muted")
        write(painter, rest, fraction + equals, plain, color, RIGHT)

    @property
    def exact(self) -> str:
        reading = self.reading
        if reading.value is None:
            return f"{self.measure.title}: {reading.reason}"
        return f"{self.measure.title} = {reading.fraction} = {exact(reading.value)}"

    def _explanation(self) -> str:
        lines = [self.exact, self.measure.meaning, self.measure.definition]
        if self.reading.value is not None and self.reading.reason:
            lines.insert(1, f"0 by definition: {self.reading.reason}")
        return "\n".join(lines)


class ScoreRows(QWidget):
    """The four rows, with their figures in one column."""

    def __init__(self) -> None:
        super().__init__()
        self.rows = tuple(ScoreRow(measure) for measure in ScoreMeasure)
        self._shown: tuple[tuple[ScoreValue, ...], bool] | None = None
        in_column(*self.rows, on=self, margins=0, spacing=0)

    def show_readings(self, shown: tuple[ScoreValue, ...], *, preview: bool) -> None:
        """Show other values; all bars keep the same length."""
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


NO_RUN = "no run is open"
HEAD = 26  # pixels, with any of the buttons
LOW_WITH_READING = 640  # pixels of height below which T2I replaces s(x,b), which its tasks do not score
BETWEEN = 2  # pixels between the lines of the formulas
LOW = 525  # pixels of height below which the formulas are hidden; tooltips have them


class FormulaBox(Themed, QWidget):
    """The formulas with their numbers and parameters; T2I if it scores documents."""

    def __init__(self) -> None:
        super().__init__()
        self.f_formula = FormulaLine("F(d)", F_FORMULA)
        self.f_filled = FormulaLine("F(d) in numbers")
        self.s_formula = FormulaLine("s(x,b)", A_FORMULA)
        self.s_filled = FormulaLine("s(x,b) in numbers")
        self.t2i_formula = FormulaLine("T2I", READING_FORMULA)
        self.t2i_filled = FormulaLine("T2I in numbers")
        beta = "weight of recall against precision in F(d)"
        tip = "β = 1 weighs precision and recall alike; below 1 precision counts more"
        self.beta = FieldControl("β", beta, (0.01, 100, 0.25), tip)
        self.entry = EntryControl()
        tolerance = "irrelevant characters after which the reader of T2I stops"
        tip = "The reader of T2I stops at the t-th irrelevant character"
        self.tolerance = FieldControl("t", tolerance, (1, 10_000_000, 100), tip)
        self.tolerance.note.set_text("irrelevant characters")
        self.formulas = self.f_formula, self.f_filled, self.s_formula, self.s_filled
        self.closeness = _below_one_another(self.s_formula, self.s_filled, self.entry)
        self.reading = _below_one_another(self.t2i_formula, self.t2i_filled, self.tolerance)
        self.reading.hide()
        in_column(
            self.f_formula,
            self.f_filled,
            self.beta,
            self.closeness,
            self.reading,
            on=self,
            margins=(10, 8, 10, 8),
            spacing=BETWEEN,
        )

    def show_numbers(
        self,
        scores: DocumentScores | None,
        parameters: Parameters,
        length: int,
        effort: ReadingEffort | None,
    ) -> None:
        self.s_formula.show_text(A_FORMULA if parameters.n is None else WINDOW_FORMULA)
        if scores is None:
            for line in (self.f_filled, self.s_filled, self.t2i_filled):
                line.show_text("= –")
            return
        self.t2i_filled.show_text(*filled_reading(effort))
        self.f_filled.show_text(*filled_f(scores, parameters))
        self.s_filled.show_text(*filled_s(scores, parameters, length))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.theme.color("track"))
        painter.drawRoundedRect(QRectF(self.rect()), 8, 8)


class ScorePanel(QWidget):
    """Scores, formulas with their parameters, and the costliest faults."""

    parameters_changed = Signal(object)  # Parameters

    def __init__(self) -> None:
        super().__init__()
        self._scores: DocumentScores | None = None
        self._effort: ReadingEffort | None = None
        self._length = 0
        self._reason = NO_RUN
        self._preview = self._wholes = False
        self._parameters = Parameters()
        self.preset = MenuButton("Preset")
        self.preset.setProperty("role", "plain")
        self.preset.choices.aboutToShow.connect(self._offer_presets)
        self.back = button("", "link")
        self._preset: Preset | None = None
        self.preview_mark = label("preview", "preview")
        self.preview_mark.setAccessibleName("Scores as they would be")
        policy = self.preview_mark.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # nothing next to it moves
        self.preview_mark.setSizePolicy(policy)
        self.preview_mark.hide()
        self.rows = ScoreRows()
        self.beside: ScoreRows | None = None
        """The same scores in another panel, when that replaces this one."""
        self.box = FormulaBox()
        self.costs = CostList()
        self._lay_out()
        self.back.clicked.connect(self._go_back)
        self.box.beta.field.changed.connect(lambda beta: self._use(replace(self._parameters, beta=beta)))
        self.box.entry.changed.connect(
            lambda form: self._use(replace(self._parameters, a=form[0], n=form[1]))
        )
        self.box.tolerance.field.changed.connect(
            lambda t: self._use(replace(self._parameters, tolerance=round(t)))
        )
        self._show_parameters()
        self.set_explanation(None)

    def _lay_out(self) -> None:
        self._column = QVBoxLayout()
        self._column.setContentsMargins(MARGIN - INSET, 8, MARGIN - INSET, MARGIN)
        self._column.setSpacing(6)
        head = QHBoxLayout()
        head.setContentsMargins(INSET, 0, 0, 0)
        head.setSpacing(4)
        head.addStrut(HEAD)
        head.addWidget(Caption("This document"))
        head.addWidget(self.preview_mark, 0, Qt.AlignmentFlag.AlignVCenter)
        head.addStretch(1)
        head.addWidget(self.back)
        head.addWidget(self.preset)
        self._column.addLayout(head)
        self._column.addWidget(self.rows)
        self._column.addLayout(_inset(self.box))
        self._column.addSpacing(6)
        costly = _inset(Caption("What cost most here"))
        costly.addWidget(self.costs.heading, 0, Qt.AlignmentFlag.AlignRight)
        self._column.addLayout(costly)
        self._column.addWidget(self.costs, 100)
        self._column.addStretch(1)
        self._outer = in_column((self._column, 1), on=self, margins=0, spacing=0)

    def _every_rows(self) -> list[ScoreRows]:
        return [self.rows] if self.beside is None else [self.rows, self.beside]

    def offer_figures(self, clicks: FigureClicks) -> None:
        for row in (row for rows in self._every_rows() for row in rows.rows):
            asked = FigureAsked(FigureLevel.DOCUMENT, row.measure.title)
            clicks.watch(row, asked)
            row.asked.connect(partial(clicks.asked.emit, asked))
        for name, lines in (
            ("F(d)", (self.box.f_formula, self.box.f_filled)),
            ("s(x,b)", (self.box.s_formula, self.box.s_filled)),
        ):
            for line in lines:
                clicks.watch(line, FigureAsked(FigureLevel.DOCUMENT, name))
        for line in (self.box.t2i_formula, self.box.t2i_filled):
            clicks.watch(line, self._reading_asked)
        clicks.watch(self.costs.view.viewport(), self.costs.figure_at, clicked_at=lambda _at: None)

    def _reading_asked(self, _at: QPoint) -> FigureAsked:
        return FigureAsked(FigureLevel.DOCUMENT, f"T2I[{self._parameters.tolerance}]")

    # -- contents ------------------------------------------------------------------------------------

    def set_scores(
        self,
        scores: DocumentScores | None,
        *,
        length: int = 0,
        effort: ReadingEffort | None = None,
        preview: bool = False,
        reason: str = NO_RUN,
    ) -> None:
        """Show the scores of the open document of ``length`` characters.

        ``preview`` marks scores of a stroke in progress. Without scores, ``reason`` says why; ``effort`` is
        what a reader reads of the document if T2I is shown. Fast enough for every move of the mouse.
        """
        self._scores, self._length, self._reason = scores, length, reason
        self._effort = effort
        self._preview = preview
        self.preview_mark.setVisible(preview)
        self._show()

    def set_explanation(
        self, explanation: Explanation | None, article: str = "", task: Task | None = None
    ) -> None:
        """Show the costliest faults in the document with this text, of those that a task counts.

        Without an explanation, show the reason, which is that of the missing scores.
        """
        costs = () if explanation is None else explanation.costs
        if explanation is None and self._reason != NO_RUN:
            nothing = f"No costs to show: {self._reason}."
        elif explanation is None:
            nothing = "Open a run to see its misses and false alarms."
        elif not explanation.recall.denominator:
            nothing = "Not relevant: anything retrieved here scores 0."
        elif task is Task.DOCUMENTS:
            nothing = "Documents are ranked as wholes: no passage costs anything."
        elif task is Task.BEST_IN_CONTEXT:
            nothing = "Nothing: the run enters at the best entry point, or there is none."
        else:
            nothing = "Nothing: every relevant character is retrieved, and no other."
        self.costs.show_costs(costs, article, nothing=nothing)

    @property
    def parameters(self) -> Parameters:
        return self._parameters

    def set_parameters(self, parameters: Parameters, preset: Preset | None = None) -> None:
        """Show other parameters without a signal, with a button back to the preset if they differ from it."""
        if (parameters, preset) != (self._parameters, self._preset):
            self._parameters, self._preset = parameters, preset
            self._show_parameters()

    def _show_parameters(self) -> None:
        parameters, preset = self._parameters, self._preset
        changed = preset is not None and preset.parameters != parameters and not self._wholes
        self.back.setVisible(changed)
        self.preset.setVisible(
            not changed and not self._wholes
        )  # there is space for one of them, and the bar on the left has all
        if preset is not None:
            self.back.setText(f"back to {preset.name}")
            self.back.setToolTip(f"{preset.name}: {shown(preset.parameters)}")
        name = preset_of(parameters) or "own parameters"
        self.preset.show_choice(name)
        self.preset.setToolTip(f"Parameters: {shown(parameters)}")
        self.preset.setAccessibleName(f"Preset {name}, {shown(parameters)}")
        self.box.beta.field.show_value(parameters.beta)
        weighs = "precision weighs more" if parameters.beta < 1 else "recall weighs more"
        self.box.beta.note.set_text("P and R weigh alike" if parameters.beta == 1 else weighs)
        self.box.entry.show_values(parameters.a, parameters.n)
        self.box.tolerance.field.show_value(parameters.tolerance)
        self._show()

    def _offer_presets(self) -> None:
        group, menu = self.preset.begin(), self.preset.choices
        for name, own in PRESETS.items():
            on = name == preset_of(self._parameters)
            add_choice(menu, f"{name}   {shown(own)}", partial(self._use, own), on=on, group=group)

    def show_parameters_of(self, task: Task | None) -> None:
        """Show the figures and parameters of a task: documents and chunks have no β, A or preset."""
        self._wholes = task in (Task.DOCUMENTS, Task.CHUNKS)
        self.box.setVisible(not self._wholes)
        for row in (row for rows in self._every_rows() for row in rows.rows):
            row.setVisible(not self._wholes or row.measure in (ScoreMeasure.P, ScoreMeasure.R))
        self._show_parameters()

    def show_reading(self, on: bool) -> None:
        """Show T2I and its t if they score documents."""
        self.box.reading.setVisible(on)
        self._make_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        """In a low window hide s(x,b) if T2I is shown, and in a lower one the formulas."""
        self.box.closeness.setVisible(self.box.reading.isHidden() or self.height() >= LOW_WITH_READING)
        for line in self.box.formulas:
            line.setVisible(self.height() >= LOW)

    def minimumSizeHint(self) -> QSize:
        """Return the minimum size without what can be hidden."""
        hint, box = super().minimumSizeHint(), self.box
        gives = not box.reading.isHidden() and not box.closeness.isHidden()
        given = box.closeness.minimumSizeHint().height() if gives else 0
        lines = box.formulas[:2] if gives else box.formulas  # the others have been hidden already
        given += sum(line.minimumSizeHint().height() + BETWEEN for line in lines if line.isVisibleTo(box))
        return QSize(hint.width(), hint.height() - given)

    def add_footer(self, widget: QWidget) -> None:
        """Add a widget at the bottom, which does not scroll."""
        self._outer.addWidget(widget)

    # -- changes -------------------------------------------------------------------------------------

    def _go_back(self) -> None:
        if self._preset is not None:
            self._use(self._preset.parameters)

    def _use(self, parameters: Parameters) -> None:
        self.set_parameters(parameters, self._preset)
        self.parameters_changed.emit(parameters)

    def _show(self) -> None:
        shown = readings(self._scores, self._parameters, self._length, self._reason)
        for rows in self._every_rows():
            rows.show_readings(shown, preview=self._preview)
        self.box.show_numbers(self._scores, self._parameters, self._length, self._effort)


def _below_one_another(*widgets: QWidget) -> QWidget:
    """Return a widget with other widgets below each other, and space above."""
    made = QWidget()
    in_column(*widgets, on=made, margins=(0, 8, 0, 0), spacing=BETWEEN)
    return made


def _inset(widget: QWidget) -> QHBoxLayout:
    """Align a widget with the text of the rows, which have space around them for the focus frame."""
    return in_row(widget, margins=(INSET, 0, INSET, 0))
