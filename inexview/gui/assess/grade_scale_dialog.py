"""The small window in which a project's grades are written, and seen as they will be."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QWidget

from inexview.core.errors import JudgementError
from inexview.core.project.judging.grades import grade_numbers, read_grades
from inexview.core.wording import counted
from inexview.gui.look.buttons import button
from inexview.gui.look.layouts import in_column, in_row
from inexview.gui.look.style import set_role
from inexview.gui.look.widgets import label

ABOUT = "For documents and passages, lowest first. Those given before stay as they are."
KNOWN = ("okay, vital", "0–3")  # scales of TREC tracks, to be taken by a click


class GradeScaleDialog(QDialog):
    """One line to write in; below it what it means."""

    chosen = Signal(object)  # tuple[str, ...]: the grades

    def __init__(self, grades: Sequence[str], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Grades")
        self.setMinimumWidth(420)
        self.field = QLineEdit(", ".join(grades))
        self.field.setPlaceholderText("No grades")
        self.field.setAccessibleName("Grades, lowest first, with commas between them")
        self.told = label("", "note", wrap=True)
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        self.buttons.accepted.connect(self._choose)
        self.buttons.rejected.connect(self.reject)
        examples = in_row((self.told, 1), spacing=6)
        for scale in KNOWN:
            example = button(scale, "small")
            example.setAutoDefault(False)
            example.clicked.connect(lambda _on, scale=scale: self.field.setText(scale))
            examples.addWidget(example)
        in_column(
            label("Grades", "heading"),
            label(ABOUT, "muted", wrap=True),
            self.field,
            examples,
            6,
            self.buttons,
            on=self,
            margins=(24, 20, 24, 18),
            spacing=10,
        )
        self.field.textChanged.connect(self._show)
        self._show(self.field.text())
        self.field.selectAll()

    def _show(self, written: str) -> None:
        """Say which grades these are and how they are exported, or why they are none."""
        ok = self.buttons.button(QDialogButtonBox.StandardButton.Ok)
        try:
            grades = grade_numbers(read_grades(written))
        except JudgementError as error:
            told, right = str(error), False
        else:
            listed = " · ".join(name if name == str(at) else f"{at} {name}" for name, at in grades.items())
            told, right = (f"{counted(len(grades), 'grade')}: {listed}" if grades else "No grades"), True
        self.told.setText(told)
        self.field.setAccessibleDescription(told)
        set_role(self.told, "note" if right else "warning")
        ok.setEnabled(right)

    def _choose(self) -> None:
        grades = read_grades(self.field.text())
        self.accept()
        self.chosen.emit(grades)
