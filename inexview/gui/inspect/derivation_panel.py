"""Why a topic's figure is what it is: the formula, its numbers, the rows, and what leaving one out does."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from inexview.gui.inspect.derivation_model import DerivationModel, ExplainedTopic
from inexview.gui.inspect.ranked_list import DocumentChosen
from inexview.gui.inspect.run_board import RunBoard
from inexview.gui.inspect.scoring_bar import MenuButton
from inexview.gui.look.panel_parts import MARGIN
from inexview.gui.look.widgets import ElidedLabel, label
from inexview.gui.services.session import Session
from inexview.gui.services.tasks import BackgroundTask, Tasks

TITLE_WIDTH = 120
NOT_SCORED = "This topic has no figure for this run."
LEAVING_OUT = "left out: how the figure changes without this document or passage; these do not add up."


class DerivationPanel(QWidget):
    """Derives the measures of the open topic for the run in the foreground, off the window's thread."""

    closed = Signal()
    chosen = Signal(object)  # DocumentChosen

    def __init__(self, session: Session, board: RunBoard, tasks: Tasks) -> None:
        super().__init__()
        self._session = session
        self._board = board
        self._tasks = tasks
        self._task: BackgroundTask | None = None
        self._explained: ExplainedTopic | None = None
        self._measure = ""
        self.setProperty("role", "chrome")
        self.title = ElidedLabel(role="heading")
        self.measures = MenuButton("Measure that is derived")
        self.close_button = QPushButton("close")
        self.close_button.setProperty("role", "link")
        self.formula = label("", "muted", wrap=True)
        self.filled = label("", "", wrap=True)
        self.note = label("", "note", wrap=True)
        self.model = DerivationModel(lambda name: session.catalogue.about(name).title, self)
        self.rows = QTableView()
        self._lay_out()
        self.close_button.clicked.connect(self.closed)
        self.rows.clicked.connect(self._choose)
        self.rows.activated.connect(self._choose)
        board.figured.connect(self._follow)
        session.topic_changed.connect(lambda _topic: self._follow())

    def _lay_out(self) -> None:
        rows = self.rows
        rows.setAccessibleName("What went into the figure")
        rows.setModel(self.model)
        rows.setShowGrid(False)
        rows.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        rows.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        rows.setTabKeyNavigation(False)
        rows.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        rows.verticalHeader().hide()
        rows.verticalHeader().setDefaultSectionSize(26)
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(self.measures)
        head.addWidget(self.close_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, 10, MARGIN, MARGIN)
        column.setSpacing(8)
        column.addLayout(head)
        for part in (self.formula, self.filled, self.note):
            column.addWidget(part)
        column.addWidget(rows, 1)
        column.addWidget(label(LEAVING_OUT, "note", wrap=True))
        self.filled.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

    def open(self) -> None:
        """Derive the figure that decides."""
        self._measure = self._board.figures.topic_name
        self._explain()

    def _follow(self) -> None:
        """Derive again while one looks: the run, the topic or the figures may be others."""
        if self.isVisible():
            self._explain()

    def _explain(self) -> None:
        board, topic = self._board, self._session.topic
        run, task, qrels = board.current, board.task, board.qrels
        if self._task is not None:
            self._task.cancel()
            self._task = None
        if run is None or task is None or qrels is None or topic is None:
            self._show(None)
            return
        settings = board.choice.settings(task)
        self._task = self._tasks.run(
            lambda: ExplainedTopic.of(qrels, run, settings, topic.id), self._show, urgent=False
        )

    def _show(self, explained: ExplainedTopic | None) -> None:
        self._task, self._explained = None, explained
        self._show_measure(self._measure)

    def _show_measure(self, measure: str) -> None:
        explained = self._explained
        self._measure = measure
        self.model.show(explained, measure)
        derivation = self.model.derivation
        self.measures.setVisible(derivation is not None)
        if explained is None or derivation is None:
            self.title.set_text(NOT_SCORED)
            for part in (self.formula, self.filled, self.note):
                part.setText("")
            return
        self._fill_measures(explained)
        self.title.set_text(f"{derivation.measure} {derivation.value:.4f} derived")
        self.formula.setText(derivation.formula)
        self.formula.setToolTip(f"{derivation.title}\n{derivation.citation}")
        self.filled.setText("\n".join(derivation.filled))
        self.note.setText(derivation.note)
        self.note.setVisible(bool(derivation.note))
        header = self.rows.horizontalHeader()
        for column in range(self.model.columnCount()):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        header.setMinimumSectionSize(28)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(1, TITLE_WIDTH)

    def _fill_measures(self, explained: ExplainedTopic) -> None:
        group = self.measures.begin()
        for name in explained.derivations:
            action = self.measures.choices.addAction(name)
            action.setCheckable(True)
            action.setChecked(name == self._measure)
            action.triggered.connect(lambda _on=False, name=name: self._show_measure(name))
            group.addAction(action)
        self.measures.show_choice(self._measure)

    def _choose(self, index: QModelIndex) -> None:
        row = self.model.row(index.row())
        self.chosen.emit(DocumentChosen(row.document, row.rank, row.start))
