"""Task, measure and preset, always in sight: they decide every number below them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inexview.core.judgements.runs import Task
from inexview.core.measures.presets import Preset
from inexview.gui.inspect.scoring.task_words import TASK_WORDS
from inexview.gui.look.layouts import FlowLayout
from inexview.gui.look.widgets import MARGIN, MenuButton, add_choice

OWN_TASK = "Each run’s own task"
MANY = 12  # measures in a menu; further ones are in one of their own


class ScoringBar(QWidget):
    """The three choosers."""

    task_chosen = Signal(object)  # Task | None: each run's own
    measures_chosen = Signal(object)  # tuple of names, the deciding one first
    preset_chosen = Signal(object)  # name

    def __init__(self) -> None:
        super().__init__()
        self.task, self.measure, self.preset = map(MenuButton, ("Task", "Measure", "Preset"))
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, 8, MARGIN, 2)
        choosers = FlowLayout()
        for button in (self.task, self.measure, self.preset):
            choosers.addWidget(button)
        column.addLayout(choosers)

    def show_tasks(self, chosen: Task | None, shown: Task | None, declared: Sequence[Task]) -> None:
        """Offer every task; ``declared`` are those that runs say they are for."""
        group, menu = self.task.begin(), self.task.choices
        if declared:
            own = partial(self.task_chosen.emit, None)
            add_choice(menu, OWN_TASK, own, on=chosen is None, group=group)
            menu.addSeparator()
        for task in Task:
            runs = sum(one is task for one in declared)
            said = f"   declared by {runs}" if runs else ""
            choose = partial(self.task_chosen.emit, task)
            add_choice(menu, f"{TASK_WORDS[task]}{said}", choose, on=chosen is task, group=group)
        self.task.show_choice("Task…" if shown is None else TASK_WORDS[shown])

    def show_presets(self, task: Task, chosen: Preset, others: Sequence[Preset], *, changed: bool) -> None:
        """Offer the presets of a task; ``changed``: other parameters than its own are in use."""
        group, menu = self.preset.begin(), self.preset.choices
        for preset in others:
            text = f"{preset.name}   {preset.parameters.said_for(task)}".rstrip()
            choose = partial(self.preset_chosen.emit, preset.name)
            add_choice(menu, text, choose, on=preset is chosen and not changed, group=group)
        self.preset.show()
        self.preset.show_choice(f"{chosen.name}{' changed' if changed else ''}")
        self.preset.setToolTip("Other parameters than the preset’s: choose it to go back" if changed else "")

    def show_measures(self, shown: Sequence[str], every: Sequence[str]) -> None:
        """Offer the measures: which decides, and which are beside it."""
        group, menu = self.measure.begin(), self.measure.choices
        first = list(dict.fromkeys([*shown, *every]))
        further = menu if len(first) <= MANY else menu.addMenu("Further measures")
        for at, name in enumerate(first):
            choose = partial(self._decide_by, name, shown)
            add_choice(menu if at < MANY else further, name, choose, on=name == shown[0], group=group)
        columns = menu.addMenu("Columns")
        for name in every:
            action = columns.addAction(name)
            action.setCheckable(True)
            action.setChecked(name in shown)
            action.setEnabled(name != shown[0])
            action.toggled.connect(lambda on, name=name: self._toggle(name, shown, on=on))
        self.measure.setVisible(bool(shown))
        if shown:
            self.measure.show_choice(shown[0])

    def _decide_by(self, name: str, shown: Sequence[str]) -> None:
        self.measures_chosen.emit((name, *(other for other in shown if other != name)))

    def _toggle(self, name: str, shown: Sequence[str], *, on: bool) -> None:
        others = tuple(other for other in shown if other != name)
        self.measures_chosen.emit((*others, name) if on else others)
