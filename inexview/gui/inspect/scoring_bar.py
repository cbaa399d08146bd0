"""What runs are scored for: the question for their task, and the menus of task, measures and preset."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from inexview.core.evaluation.chunkers import Same, budgets_with
from inexview.core.judgements.runs import TASK_MEANINGS, Run, Task, likely_tasks
from inexview.core.measures.measure import Preset
from inexview.core.open_runs.scoring import TASK_WORDS, presets_for
from inexview.gui.inspect.run_scoring import RunScoring
from inexview.gui.look.panels import FittingArea, MenuButton, add_choice
from inexview.gui.look.widgets import MARGIN, Filler, FlowLayout, button, in_column, in_row, label
from inexview.gui.services.messages import as_sentence

ASK = "These runs do not declare a task. Score them for:"


class TaskQuestion(QWidget):
    """Asks for the task of runs: likely tasks come first, each with what its runs return."""

    chosen = Signal(object)  # Task

    def __init__(self) -> None:
        super().__init__()
        self._order = tuple(Task)
        self._offers = QWidget()
        self._lines = in_column(on=self._offers, margins=0, spacing=7)
        question = label(ASK, "note", wrap=True)
        in_column(question, FittingArea(self._offers), on=self, margins=(MARGIN, 2, MARGIN, 8), spacing=5)
        self._made = {task: self._offer(task) for task in Task}
        for made in self._made.values():
            self._lines.addWidget(made)

    def ask_about(self, runs: Sequence[Run]) -> None:
        """Ask about runs; without runs, hide."""
        self.setVisible(bool(runs))
        order = tuple(dict.fromkeys((*likely_tasks(runs[0]), *Task))) if runs else self._order
        if order != self._order:
            self._order = order
            for task in order:
                self._lines.removeWidget(self._made[task])
                self._lines.addWidget(self._made[task])

    def _offer(self, task: Task) -> QWidget:
        name, made = button(TASK_WORDS[task], "small"), QWidget()
        name.clicked.connect(lambda: self.chosen.emit(task))
        meaning = label(as_sentence(TASK_MEANINGS[task]), "note", wrap=True)
        name.setAccessibleDescription(meaning.text())
        in_column(in_row(name, Filler(0)), meaning, on=made, margins=0, spacing=1)
        return made


OWN_TASK = "Each run’s own task"
DEPTHS = (1, 2, 3, 5, 10, 20, 50)
MANY = 12  # measures in a menu; further ones are in a submenu


class ScoringBar(QWidget):
    """The menus of task, measures and preset."""

    def __init__(self, board: RunScoring) -> None:
        super().__init__()
        self._board = board
        self._shown: tuple[object, ...] = ()
        self.task, self.measure, self.preset = map(MenuButton, ("Task", "Measure", "Preset"))
        self.chunks = MenuButton("Chunks that count")
        choosers = FlowLayout()
        for chooser in (self.task, self.measure, self.chunks, self.preset):
            choosers.addWidget(chooser)
        in_column(choosers, on=self, margins=(MARGIN, 8, MARGIN, 2))

    def choose_task(self, task: Task | None) -> None:
        """Score for a task; None for the task of each run."""
        self._board.choose(replace(self._board.choice, task=task))

    def show_all(self) -> None:
        board, task, choice = self._board, self._board.task, self._board.choice
        declared = [task for task in map(choice.own_task, board.runs) if task is not None]
        preset, changed = None, False
        measures: tuple[tuple[str, ...], tuple[str, ...]] = (), ()
        if task is not None:
            preset, measures = choice.preset_of(task), (choice.shown(task), choice.available(task))
            changed = choice.parameters(task) != preset.parameters
        there = bool(board.runs), board.further_presets
        shown = choice.task, task, declared, there, preset, changed, measures, choice.reading
        if shown == self._shown:
            return
        self._shown = shown
        self.setVisible(bool(board.runs))
        self._show_tasks(choice.task, task, declared)
        if task is None or preset is None:
            self.preset.hide()
        else:
            self._show_presets(task, preset, changed=changed)
        self._show_measures(*measures)
        self._show_depths(task)

    def _show_depths(self, task: Task | None) -> None:
        """Offer the depths of reading: numbers of chunks or of characters."""
        group, menu, reading = self.chunks.begin(), self.chunks.choices, self._board.choice.reading
        for same, most in ((Same.K, sorted({*DEPTHS, reading.k})), (Same.CHARACTERS, budgets_with(reading))):
            for number in most:
                named = f"k = {number}" if same is Same.K else f"{number:,} characters"
                far = {"k": number} if same is Same.K else {"characters": number}
                chosen = reading.same is same and number in (reading.k, reading.characters)
                choose = partial(self._board.read_as_far, **far, by=same)
                add_choice(menu, named, choose, on=chosen, group=group)
                if chosen:
                    self.chunks.show_choice(named)
            menu.addSeparator()
        self.chunks.setVisible(task is Task.CHUNKS)

    def _show_tasks(self, chosen: Task | None, shown: Task | None, declared: Sequence[Task]) -> None:
        """Offer every task; ``declared`` are the tasks that runs declare."""
        group, menu = self.task.begin(), self.task.choices
        if declared:
            own = partial(self.choose_task, None)
            add_choice(menu, OWN_TASK, own, on=chosen is None, group=group)
            menu.addSeparator()
        for task in Task:
            runs = sum(one is task for one in declared)
            said = f"   declared by {runs}" if runs else ""
            choose = partial(self.choose_task, task)
            add_choice(menu, f"{TASK_WORDS[task]}{said}", choose, on=chosen is task, group=group)
        self.task.show_choice("Task…" if shown is None else TASK_WORDS[shown])

    def _show_presets(self, task: Task, chosen: Preset, *, changed: bool) -> None:
        """Offer the presets of a task; ``changed`` is true if other parameters are in use."""
        group, menu = self.preset.begin(), self.preset.choices
        presets = presets_for(task, self._board.further_presets)
        for preset in presets:
            text = f"{preset.name}   {preset.parameters.said_for(task)}".rstrip()
            choose = partial(self._choose_preset, preset.name)
            add_choice(menu, text, choose, on=preset is chosen and not changed, group=group)
        self.preset.setVisible(changed or len(presets) > 1)
        self.preset.show_choice(f"{chosen.name}{' changed' if changed else ''}")
        self.preset.setToolTip("Other parameters than the preset’s: choose it to go back" if changed else "")

    def _show_measures(self, shown: Sequence[str], every: Sequence[str]) -> None:
        """Offer the deciding measure and the other shown measures."""
        group, menu = self.measure.begin(), self.measure.choices
        first = list(dict.fromkeys([*shown, *every]))
        further = menu if len(first) <= MANY else menu.addMenu("Further measures")
        for at, name in enumerate(first):
            choose = partial(self._choose_measures, (name, *(other for other in shown if other != name)))
            add_choice(menu if at < MANY else further, name, choose, on=name == shown[0], group=group)
        columns = menu.addMenu("Columns")
        for name in every:
            action = columns.addAction(name)
            action.setCheckable(True)
            action.setChecked(name in shown)
            action.setEnabled(name != shown[0])
            others = tuple(other for other in shown if other != name)
            action.toggled.connect(
                lambda on, name=name, others=others: self._choose_measures((*others, name) if on else others)
            )
        self.measure.setVisible(bool(shown))
        if shown:
            of_chunks = self._board.task is Task.CHUNKS  # the menu of chunks shows how far they are read
            named = self._board.choice.reading.plain(shown[0]) if of_chunks else shown[0]
            self.measure.show_choice(named)

    def _choose_preset(self, name: str) -> None:
        if self._board.task is not None:
            self._board.choose(self._board.choice.with_preset(name, self._board.task))

    def _choose_measures(self, names: tuple[str, ...]) -> None:
        if self._board.task is not None:
            self._board.choose(self._board.choice.show(self._board.task, names))
