"""Buttons in the looks of the style sheet, and menus of what can be chosen."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QPushButton, QSizePolicy

from inexview.gui.look.panel_parts import derived


def button(text: str, role: str) -> QPushButton:
    made = QPushButton(text)
    made.setProperty("role", role)
    return made


def chip_button(text: str, *, filled: bool = False) -> QPushButton:
    """Make a small button that stays pressed; a ``filled`` one is seen to be a button before it is."""
    made = button(text, "chip")
    made.setFont(derived(made.font()))  # a count as wide as another moves no chip beside it
    made.setProperty("filled", filled)
    made.setCheckable(True)
    return made


def add_choice(
    menu: QMenu, text: str, choose: Callable[[], object], *, on: bool, group: QActionGroup | None = None
) -> None:
    """Offer one thing that is chosen or not; of a ``group`` only one is."""
    action = menu.addAction(text)
    action.setCheckable(True)
    action.setChecked(on)
    action.triggered.connect(lambda _on: choose())
    if group is not None:
        group.addAction(action)


class MenuButton(QPushButton):
    """Says what is chosen, and opens a menu of what may be."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self.setProperty("role", "chooser")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.choices = QMenu(self)
        self.clicked.connect(lambda: self.choices.popup(self.mapToGlobal(QPoint(0, self.height() + 2))))

    def show_choice(self, text: str) -> None:
        self.setText(f"{text} ▾")
        self.setAccessibleName(f"{self._name}: {text}")

    def begin(self) -> QActionGroup:
        """Empty the menu, and return a group for what is put into it."""
        self.choices.clear()
        return QActionGroup(self.choices)
