"""The section of the runs: which are open, their figures, and what there is to say of these."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import QCheckBox, QLabel, QVBoxLayout, QWidget

from inexview.core.judgements.runs import Task
from inexview.gui.inspect.runs.run_model import RunModel, RunRow
from inexview.gui.inspect.runs.run_table import RunTable
from inexview.gui.inspect.scoring.task_words import TASK_WORDS
from inexview.gui.look.layouts import FlowLayout, in_column, in_row
from inexview.gui.look.theme import Theme
from inexview.gui.look.widgets import MARGIN, Caption, button, label

ASK = "These runs do not say for which task they are. Score them for:"
COMPLETE = "Count missing topics as 0"


class RunList(QWidget):
    """Heading, table, the switch for missing topics, notes; and what to do while there is no run."""

    chosen = Signal(object)  # the key of a run
    removed = Signal(object)  # the key of a run
    baselined = Signal(object)  # the key of a run
    wanted = Signal()  # one more run
    task_chosen = Signal(object)  # Task
    completed = Signal(object)  # bool

    def __init__(self) -> None:
        super().__init__()
        self._quiet = False
        self._shown: tuple[tuple[RunRow, ...], tuple[str, ...]] | None = None
        self.heading = Caption("Runs")
        self.heading.tip = "The runs that are open: the rows below"
        self.add = button("+ Open…", "plain")
        self.add.setToolTip("Open another run")
        self.add.setAccessibleName("Open a run")
        self.model = RunModel(self)
        self.table = RunTable(self.model)
        self.empty = _note("No run is open. Open one, or drop its file here.")
        self.ask = QWidget()
        self.complete = QCheckBox(COMPLETE)
        self.complete.setToolTip("Average over every judged topic, as eval --complete does")
        self.note = _note("")
        self.lacking = _note("")
        """Which runs lack topics; of a single one a click derives its figure with these as 0."""
        self._lay_out()
        self._connect()
        self.set_runs(())
        self.ask_for_task(False)

    def _lay_out(self) -> None:
        head = in_row((self.heading, 1), self.add, margins=(MARGIN, 6, MARGIN - 6, 0))
        asked = QVBoxLayout(self.ask)
        asked.setContentsMargins(MARGIN, 2, MARGIN, 8)
        question = _note(ASK)
        question.setContentsMargins(0, 0, 0, 2)
        asked.addWidget(question)
        tasks = FlowLayout()
        for task in Task:
            offer = button(TASK_WORDS[task], "small")
            offer.clicked.connect(lambda _checked=False, task=task: self.task_chosen.emit(task))
            tasks.addWidget(offer)
        asked.addLayout(tasks)
        in_column(
            head,
            self.empty,
            self.ask,
            self.table,
            in_row(self.complete, margins=(MARGIN, 4, MARGIN, 0)),
            self.note,
            self.lacking,
            on=self,
            margins=0,
            spacing=2,
        )

    def _connect(self) -> None:
        rows = self.model
        self.add.clicked.connect(lambda: self.wanted.emit())
        self.table.removed.connect(lambda row: self.removed.emit(rows.rows[row].key))
        self.table.baselined.connect(lambda row: self.baselined.emit(rows.rows[row].key))
        self.table.selectionModel().currentRowChanged.connect(self._on_current)
        self.complete.clicked.connect(lambda: self.completed.emit(self.complete.isChecked()))
        self.model.modelAboutToBeReset.connect(self._remember)
        self.model.modelReset.connect(self._restore)

    def set_theme(self, theme: Theme) -> None:
        self.table.set_theme(theme)

    def set_heading(self, said: str, *, stale: bool = False) -> None:
        """Say of the runs what is shown; ``stale`` figures are those of before, while others are computed."""
        self.heading.set_text(" · ".join(filter(None, ("Runs", said))))
        self.table.set_stale(stale)

    def set_runs(self, rows: Sequence[RunRow], measures: Sequence[str] = ()) -> None:
        """Show these runs and these of their figures; the current run stays current."""
        if self._shown == (tuple(rows), tuple(measures)):
            return
        self._shown = (tuple(rows), tuple(measures))
        self.model.set_rows(rows, measures)
        self.table.fit()  # before it is shown, which resizes it
        self.table.setVisible(bool(rows))
        self.complete.setVisible(bool(rows))
        self.empty.setVisible(not rows)

    def ask_for_task(self, asked: bool) -> None:
        """Ask for which task the runs shall be scored, or do not."""
        self.ask.setVisible(asked)

    def show_notes(self, notes: Sequence[str], lacking: str, *, complete: bool) -> None:
        """Say what there is to say of the figures, and which runs lack topics."""
        self.complete.setChecked(complete)
        self.note.setText("\n".join(notes))
        self.lacking.setText(lacking)
        self.lacking.setVisible(bool(lacking))
        self.note.setVisible(bool(notes))

    @property
    def current_key(self) -> str | None:
        index = self.table.currentIndex()
        return self.model.rows[index.row()].key if index.isValid() else None

    def set_current(self, key: str | None) -> None:
        """Show which run is chosen, without telling anybody."""
        at = next((at for at, row in enumerate(self.model.rows) if row.key == key), None)
        self._quiet = True
        if at is None:
            self.table.clearSelection()
            self.table.setCurrentIndex(QModelIndex())
        else:
            self.table.selectRow(at)
        self._quiet = False

    def _remember(self) -> None:
        self._kept = self.current_key
        self._quiet = True

    def _restore(self) -> None:
        self._quiet = False
        self.set_current(self._kept)

    def _on_current(self, current: QModelIndex) -> None:
        if current.isValid() and not self._quiet:
            self.chosen.emit(self.model.rows[current.row()].key)


def _note(text: str) -> QLabel:
    made = label(text, "note", wrap=True)
    made.setContentsMargins(MARGIN, 2, MARGIN, 4)
    return made
