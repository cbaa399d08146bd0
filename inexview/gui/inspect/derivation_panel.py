"""Why a figure is what it is: the formula, its numbers, the rows, and what leaving one out does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from inexview.core.evaluation.derivation import Derivation, DerivationRow
from inexview.core.measures.measure import parse
from inexview.gui.inspect.costs import SpanWanted
from inexview.gui.inspect.derivation_model import (
    DerivationModel,
    Explained,
    ExplainedDocument,
    ExplainedRun,
    ExplainedTopic,
    FigureAsked,
    FigureLevel,
)
from inexview.gui.inspect.derivation_table import DerivationTable
from inexview.gui.inspect.ranked_list import DocumentChosen
from inexview.gui.inspect.run_board import RunBoard
from inexview.gui.inspect.scoring_bar import MenuButton
from inexview.gui.look.panel_parts import MARGIN
from inexview.gui.look.theme import Theme
from inexview.gui.look.widgets import ElidedLabel, label
from inexview.gui.services.session import Session
from inexview.gui.services.tasks import BackgroundTask, Tasks

COMPUTING = "computing…"
WORDS = 60  # code points of a passage that name it
NOT_SCORED = {
    FigureLevel.RUN: "This run has no figures.",
    FigureLevel.TOPIC: "This topic has no figure for this run.",
    FigureLevel.DOCUMENT: "This document is not judged, or no run is open.",
}
OF_WHAT = {FigureLevel.RUN: "topic", FigureLevel.TOPIC: "document", FigureLevel.DOCUMENT: "passage"}
LEAVING_OUT = "left out: how the figure changes without this row; these do not add up."


class DerivationPanel(QWidget):
    """Derives figures of the run in the foreground: its means, those of the topic, those of the document."""

    closed = Signal()
    chosen = Signal(object)  # DocumentChosen
    topic_chosen = Signal(object)  # topic
    passage_chosen = Signal(object)  # SpanWanted

    def __init__(self, session: Session, board: RunBoard, tasks: Tasks) -> None:
        super().__init__()
        self._session = session
        self._board = board
        self._tasks = tasks
        self._task: BackgroundTask | None = None
        self._explained: Explained | None = None
        self.asked = FigureAsked(FigureLevel.TOPIC)
        self.of_document: Callable[[], Sequence[Derivation]] = lambda: ()
        """Derives the figures of the open document, none where it has none."""
        self.setProperty("role", "chrome")
        self.title = ElidedLabel(role="heading")
        self.measures = MenuButton("Measure that is derived")
        self.close_button = QPushButton("close")
        self.close_button.setProperty("role", "link")
        self.formula = label("", "muted", wrap=True)
        self.filled = label("", "", wrap=True)
        self.note = label("", "note", wrap=True)
        self.model = DerivationModel(self._title, self)
        self._without = label(LEAVING_OUT, "note", wrap=True)
        self.rows = DerivationTable(self.model)
        self._lay_out()
        self.close_button.clicked.connect(self.closed)
        self.rows.clicked.connect(self._choose)
        self.rows.activated.connect(self._choose)
        board.figured.connect(self.follow)
        session.topic_changed.connect(lambda _topic: self.follow())

    def _lay_out(self) -> None:
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
        column.addWidget(self.rows, 1)
        column.addWidget(self._without)
        self.filled.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

    def set_theme(self, theme: Theme) -> None:
        """Use other colours."""
        self.rows.set_theme(theme)

    def open(self, asked: FigureAsked) -> None:
        """Derive a figure; what was derived before goes away at once."""
        self.asked = asked
        self._explained = None
        self.model.show(None, "")
        self.title.set_text(COMPUTING)
        self._explain()

    def follow(self) -> None:
        """Derive again while one looks: run, topic, document or figures may be others."""
        if self.isVisible():
            self._explain()

    def _explain(self) -> None:
        board, topic = self._board, self._session.topic
        if self._task is not None:
            self._task.cancel()
            self._task = None
        if self.asked.level is FigureLevel.DOCUMENT:
            told = self.of_document()
            self._show(ExplainedDocument({one.measure: one for one in told}) if told else None)
            return
        run, task, qrels = board.current, board.task, board.qrels
        if run is None or task is None or qrels is None or topic is None:
            self._show(None)
        elif self.asked.level is FigureLevel.RUN:
            scores = board.scores(run)
            self._show(None if scores is None else ExplainedRun.of(scores))
        else:
            settings, measure = board.choice.settings(task), self.asked.measure
            scores = board.scores(run)
            if measure and scores is not None and measure not in scores.names:
                settings = replace(settings, measures=(parse(board.figures.deciding), parse(measure)))
            self._task = self._tasks.run(
                lambda: ExplainedTopic.of(qrels, run, settings, topic.id), self._show, urgent=False
            )

    def _show(self, explained: Explained | None) -> None:
        self._task, self._explained = None, explained
        self._show_measure(self.asked.measure or self._decides())

    def _decides(self) -> str:
        figures = self._board.figures
        if self.asked.level is FigureLevel.DOCUMENT:
            return "F(d)"
        return figures.deciding if self.asked.level is FigureLevel.RUN else figures.topic_name

    def _show_measure(self, measure: str) -> None:
        explained = self._explained
        self.asked = replace(self.asked, measure=measure)
        self.model.show(explained, measure, OF_WHAT[self.asked.level])
        derivation = self.model.derivation
        self.measures.setVisible(derivation is not None)
        self._without.setVisible(derivation is not None and self.asked.level is not FigureLevel.DOCUMENT)
        if explained is None or derivation is None:
            self.title.set_text(NOT_SCORED[self.asked.level])
            for part in (self.formula, self.filled, self.note):
                part.setText("")
            return
        self._fill_measures(explained)
        self.title.set_text(f"{derivation.measure} {derivation.value:.4f} derived")
        self.formula.setText(derivation.formula)
        self.formula.setToolTip(f"{derivation.title}\n{derivation.citation}".strip())
        self.filled.setText("\n".join(derivation.filled))
        self.note.setText(derivation.note)
        self.note.setVisible(bool(derivation.note))
        self._fit()

    def _fit(self) -> None:
        """Give rows and columns their sizes, and bring the row into sight that was asked for."""
        self.rows.fit(left_out=self.asked.level is not FigureLevel.DOCUMENT)
        at = (
            self.model.place_of(self.asked.document) if self.asked.level is not FigureLevel.DOCUMENT else None
        )
        if at is not None:
            self.rows.selectRow(at)

    def _fill_measures(self, explained: Explained) -> None:
        group = self.measures.begin()
        for name in explained.derivations:
            action = self.measures.choices.addAction(name)
            action.setCheckable(True)
            action.setChecked(name == self.asked.measure)
            action.triggered.connect(lambda _on=False, name=name: self._show_measure(name))
            group.addAction(action)
        self.measures.show_choice(self.asked.measure)

    def _choose(self, index: QModelIndex) -> None:
        """Go to what a row is: a topic, a document, or a passage of the open one."""
        row = self.model.row(index.row())
        if self.asked.level is FigureLevel.RUN:
            self.topic_chosen.emit(row.document)
        elif self.asked.level is FigureLevel.TOPIC:
            self.chosen.emit(DocumentChosen(row.document, row.rank, row.start))
        elif row.start is not None and row.end is not None:
            self.passage_chosen.emit(SpanWanted(row.start, row.end))

    def _title(self, row: DerivationRow) -> str:
        """Return what a row is called: by its topic, its document, or its words."""
        session = self._session
        if self.asked.level is FigureLevel.RUN:
            return next((one.title for one in session.project.topics if one.id == row.document), row.document)
        if self.asked.level is FigureLevel.TOPIC:
            return session.catalogue.about(row.document).title
        if session.document is None or row.start is None:
            return row.document
        return " ".join(session.document.text[row.start : row.start + WORDS].split())
