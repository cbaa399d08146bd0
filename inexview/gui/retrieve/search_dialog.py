"""The dialog that searches the collection: a query, a model, what was found, and runs and pools of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QGridLayout,
    QLineEdit,
    QPushButton,
    QWidget,
)

from inexview.core.judgements.runs import Task
from inexview.core.retrieval.models import MODELS
from inexview.core.retrieval.retrieval_settings import PASSAGES, RetrievalSettings
from inexview.core.retrieval.units import UnitKind
from inexview.gui.look.layouts import Filler, in_column, in_row
from inexview.gui.look.widgets import Caption, label, still
from inexview.gui.retrieve.found_list import FoundList, FoundPassage

UNITS = {
    "Passages of 100 words": PASSAGES,
    "Paragraphs": UnitKind(tags=("p", "p1", "p2", "p3", "ip1", "ip2")),
    "Sections": UnitKind(tags=("section", "sec", "ss1", "ss2", "ss3")),
    "Whole articles": UnitKind(),
}
TASKS = {
    "As they are ranked": None,
    "Focused: no overlaps": Task.FOCUSED,
    "Relevant in context: grouped": Task.RELEVANT_IN_CONTEXT,
    "Best in context: one of each": Task.BEST_IN_CONTEXT,
}
SHOWN = 100
FRAME = 64  # pixels that the desktop may put around it
DOES = "The passages of the collection that a model ranks first for these words."


@dataclass(frozen=True, slots=True)
class WantedSearch:
    """What shall be searched for, and how."""

    query: str
    settings: RetrievalSettings


class SearchDialog(QDialog):
    """Asks, and shows what was found; the work is done elsewhere."""

    wanted = Signal(object)  # WantedSearch
    opened = Signal(object)  # FoundPassage
    run_wanted = Signal(object)  # RetrievalSettings
    pool_wanted = Signal(object)  # RetrievalSettings

    def __init__(self, query: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Retrieve passages")
        self.resize(720, min(720, max(parent.height() - FRAME, 480)))
        self.query = QLineEdit(query)
        self.query.setPlaceholderText("What the passages shall be about")
        self.query.setAccessibleName("What the passages shall be about")
        self.query.selectAll()
        self.model = still(QComboBox())
        for name, model in MODELS.items():
            self.model.addItem(name, name)
            self.model.setItemData(self.model.count() - 1, model.title, Qt.ItemDataRole.ToolTipRole)
        self.model.setCurrentText("MM")
        self.unit = still(QComboBox())
        for text, kind in UNITS.items():
            self.unit.addItem(text, kind)
        self.task = still(QComboBox())
        for text, task in TASKS.items():
            self.task.addItem(text, task)
        self.search = QPushButton("Retrieve")
        self.search.setDefault(True)
        self.search.setMinimumWidth(92)
        self.told = label(DOES, "muted", wrap=True)
        self.told.setMinimumHeight(2 * self.told.fontMetrics().lineSpacing())
        self.list = FoundList(self)
        self.make_run = QPushButton("Make a run of all topics…")
        self.make_pool = QPushButton("Make a pool of all topics…")
        for button in (self.make_run, self.make_pool):
            button.setAutoDefault(False)
        self._build()
        self._connect()
        self._show_model()

    @property
    def settings(self) -> RetrievalSettings:
        model, unit = self.model.currentData(), self.unit.currentData()
        return RetrievalSettings(model, unit, task=TASKS[self.task.currentText()])

    def show_found(self, found: Sequence[FoundPassage], told: str) -> None:
        self.list.found.set_rows(found)
        if found:
            self.list.setCurrentIndex(self.list.found.index(0))
        self.tell(told)

    def tell(self, text: str) -> None:
        self.told.setText(text)

    def set_busy(self, busy: bool) -> None:
        """Take no other search, or take one again."""
        for button in (self.search, self.make_run, self.make_pool):
            button.setEnabled(not busy)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down and self.query.hasFocus():
            self.list.setFocus()
            return
        super().keyPressEvent(event)

    def _build(self) -> None:
        column = in_column(
            label("Retrieve passages", "heading"), on=self, margins=(24, 22, 24, 20), spacing=12
        )
        words = in_row((self.query, 1), self.search)
        column.addLayout(words)
        how = QGridLayout()
        how.setHorizontalSpacing(12)
        how.setVerticalSpacing(4)
        for at, (name, box) in enumerate(
            (("Model", self.model), ("Units", self.unit), ("Results", self.task))
        ):
            how.addWidget(Caption(name), 0, at)
            how.addWidget(box, 1, at)
            how.setColumnStretch(at, 1)
        column.addLayout(how)
        column.addWidget(self.told)
        column.addWidget(self.list, 1)
        below = in_row(self.make_run, self.make_pool, Filler(0))
        column.addLayout(below)

    def _connect(self) -> None:
        self.search.clicked.connect(self._search)
        self.list.opened.connect(self.opened)
        self.model.currentIndexChanged.connect(self._show_model)
        self.make_run.clicked.connect(lambda: self.run_wanted.emit(self.settings))
        self.make_pool.clicked.connect(lambda: self.pool_wanted.emit(self.settings))

    def _search(self) -> None:
        if self.query.text().strip():
            self.wanted.emit(WantedSearch(self.query.text(), replace(self.settings, depth=SHOWN)))

    def _show_model(self) -> None:
        """Say what the model is; some choose themselves what they retrieve."""
        model = MODELS[self.model.currentData()]
        self.unit.setEnabled(model.unit is None and not model.own_units)
        self.model.setToolTip(model.title)
