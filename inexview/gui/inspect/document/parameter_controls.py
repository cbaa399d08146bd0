"""β of F(d), A or n of s(x,b), t of T2I: their values, the presets, and the controls that change them."""

from __future__ import annotations

import math

from PySide6.QtCore import QRegularExpression, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent, QRegularExpressionValidator
from PySide6.QtWidgets import QCheckBox, QLabel, QLineEdit, QSlider, QWidget

from inexview.core.judgements.runs import Task
from inexview.core.measures import presets
from inexview.core.measures.measure import Parameters
from inexview.gui.inspect.figures.figures import parameter
from inexview.gui.look.layouts import in_row
from inexview.gui.look.widgets import ElidedLabel, label, still

PRESETS = {
    preset.name: preset.parameters
    for preset in presets.PRESETS.values()
    if Task.BEST_IN_CONTEXT in preset.tasks
}
"""What the presets that know entry points say of one document's scores."""


def preset_of(parameters: Parameters) -> str | None:
    """Return the name of the preset that scores one document alike: by the same β, A or n, and T2I."""
    return next(
        (name for name, preset in PRESETS.items() if _of_document(preset) == _of_document(parameters)), None
    )


def _of_document(parameters: Parameters) -> tuple[float, float | None, int | None, str, int]:
    return parameters.beta, parameters.a, parameters.n, parameters.score, parameters.tolerance


def shown(parameters: Parameters) -> str:
    """Return what scores one document as people write it: ``β = 1, A = 0.1``, of T2I also its t."""
    form = f"A = {parameter(parameters.a or 0)}" if parameters.n is None else f"n = {parameter(parameters.n)}"
    reading = f", T2I[{parameters.tolerance}]" if parameters.score == "T2I" else ""
    return f"β = {parameter(parameters.beta)}, {form}{reading}"


class NumberField(QLineEdit):
    """A field for one number: typed and taken with Enter or on leaving, or stepped with ↑ and ↓."""

    changed = Signal(object)  # float

    def __init__(self, name: str) -> None:
        super().__init__()
        self._value = self._low = self._high = self._step = 1.0
        self.setAccessibleName(name)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setValidator(QRegularExpressionValidator(QRegularExpression("[0-9]*[.,]?[0-9]*"), self))
        self.setFixedWidth(self.fontMetrics().horizontalAdvance("000,000") + 16)
        self.editingFinished.connect(self._take)

    @property
    def value(self) -> float:
        """The number last taken."""
        return self._value

    def set_limits(self, low: float, high: float, step: float) -> None:
        """Say what may be typed, and how far one key press goes."""
        self._low, self._high, self._step = low, high, step

    def show_value(self, value: float) -> None:
        """Show a number without telling anybody."""
        self._value = value
        self.setText(f"{value:.10g}")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Up: self._step, Qt.Key.Key_Down: -self._step}
        if event.key() in steps:
            stepped = math.floor(self._value / self._step + 1e-9) * self._step + steps[Qt.Key(event.key())]
            self._set(round(stepped if stepped > 0 else self._low, 10))
        elif event.key() != Qt.Key.Key_Escape or not self.let_go():  # where no window has a shortcut for it
            super().keyPressEvent(event)

    def let_go(self) -> bool:
        """Take back what was typed; False where nothing was."""
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
    """A slider over several powers of ten: each step multiplies."""

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
        """Say what the two ends stand for."""
        self._low, self._high = low, high

    def show_value(self, value: float) -> None:
        """Move to a value without telling anybody; one beyond the ends goes to the end."""
        part = math.log(min(max(value, self._low), self._high) / self._low) / math.log(self._high / self._low)
        with QSignalBlocker(self):
            self.setValue(round(part * self.STEPS))

    def _value(self, at: int) -> float:
        value = self._low * (self._high / self._low) ** (at / self.STEPS)
        return float(f"{value:.2g}")


class BetaControl(QWidget):
    """β [1]."""

    changed = Signal(object)  # float

    def __init__(self) -> None:
        super().__init__()
        named = QLabel("β")
        self.field = NumberField("β, weight of recall against precision in F(d)")
        self.field.set_limits(0.01, 100, 0.25)
        self.field.setToolTip("β = 1 weighs precision and recall alike; below 1 precision counts more")
        named.setBuddy(self.field)
        self.note = ElidedLabel(role="muted")
        in_row(named, self.field, (self.note, 1), on=self, margins=0)
        self.field.changed.connect(self._on_changed)

    def show_value(self, beta: float) -> None:
        """Show a value without telling anybody."""
        self.field.show_value(beta)
        self._explain(beta)

    def _on_changed(self, beta: float) -> None:
        self._explain(beta)
        self.changed.emit(beta)

    def _explain(self, beta: float) -> None:
        if beta == 1:
            self.note.set_text("P and R weigh alike")
        else:
            self.note.set_text("precision weighs more" if beta < 1 else "recall weighs more")


class ToleranceControl(QWidget):
    """t [300]."""

    changed = Signal(object)  # int

    def __init__(self) -> None:
        super().__init__()
        named = QLabel("t")
        self.field = NumberField("t, irrelevant characters after which the reader of T2I stops")
        self.field.set_limits(1, 10_000_000, 100)
        self.field.setToolTip("The reader of T2I stops at the t-th irrelevant character")
        named.setBuddy(self.field)
        note = label("irrelevant characters", "muted")
        in_row(named, self.field, (note, 1), on=self, margins=0)
        self.field.changed.connect(lambda value: self.changed.emit(round(value)))

    def show_value(self, tolerance: int) -> None:
        """Show a value without telling anybody."""
        self.field.show_value(tolerance)


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
        """Show values without telling anybody; the form not in use keeps its value for later."""
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
