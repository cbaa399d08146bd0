"""Why a figure is what it is: the formula, its numbers, the rows, and what leaving one out does."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QResizeEvent
from PySide6.QtWidgets import QWidget

from inexview.core.evaluation.derivations import RANK, Derivation, DerivationRow, shown
from inexview.core.evaluation.explain import CHARACTERS, LENGTH
from inexview.core.evaluation.run_derivations import BETTER, FROM, P_CORRECTED, RHO, TAU, TO, TOPICS
from inexview.core.report import MINUS, difference_text
from inexview.core.text.text_quotes import WHITE_SPACE, first_words
from inexview.gui.charts.small_charts import RankCurve
from inexview.gui.inspect.derivation.derivation_model import ADDS, DerivationModel
from inexview.gui.inspect.derivation.derivation_table import DerivationTable
from inexview.gui.inspect.derivation.document_gives import DocumentGives
from inexview.gui.inspect.derivation.figure_explainer import FigureExplainer
from inexview.gui.inspect.document.costs import SpanWanted
from inexview.gui.inspect.document.score_panel import HEAD
from inexview.gui.inspect.document.score_rows import ScoreRows
from inexview.gui.inspect.figures.explained_figures import Explained
from inexview.gui.inspect.figures.figure_asked import FigureAsked, FigureLevel, FigureOf
from inexview.gui.inspect.figures.figure_clicks import FigureClicks
from inexview.gui.inspect.figures.figures import subscripted, unbroken
from inexview.gui.inspect.ranking.ranked_list import DocumentChosen
from inexview.gui.inspect.scoring.run_board import RunBoard
from inexview.gui.inspect.scoring.run_keys import are_same
from inexview.gui.look.layouts import in_column, in_row
from inexview.gui.look.theme import Theme
from inexview.gui.look.widgets import (
    INSET,
    MARGIN,
    Caption,
    ElidedLabel,
    KeySign,
    MenuButton,
    add_choice,
    button,
    label,
)
from inexview.gui.services.session import Session

COMPUTING = "computing…"
PRECISIONS = ("gP[r]", "P@r")  # the columns that are drawn over the ranks
CURVE_OF = 5  # this part of the height is the curve's, at most
ROOMY = 700  # pixels of height from which the scores of the document stay above
WORDS = 60  # code points of a passage that name it
NOT_SCORED = {
    FigureLevel.RUN: "This run has no figures.",
    FigureLevel.TOPIC: "This topic has no figure for this run.",
    FigureLevel.DOCUMENT: "This document is not judged, or no run is open.",
}
OF_WHAT = {FigureLevel.RUN: "topic", FigureLevel.TOPIC: "document", FigureLevel.DOCUMENT: "passage"}
OTHER_ROWS = {RANK: "run", P_CORRECTED: "pair of runs", TAU: "run", RHO: "run"}
COUNTS = (BETTER, RANK, TOPICS, *CHARACTERS, LENGTH)
LEAVING_OUT = "left out: how the figure changes without this row; these do not add up."


class DerivationPanel(QWidget):
    """Derives figures of the run in the foreground: its means, those of the topic, those of the document."""

    closed = Signal()
    chosen = Signal(object)  # DocumentChosen
    topic_chosen = Signal(object)  # topic
    passage_chosen = Signal(object)  # SpanWanted

    def __init__(
        self, session: Session, board: RunBoard, explainer: FigureExplainer, let_go: QAction
    ) -> None:
        super().__init__()
        self._session = session
        self._board = board
        self._explainer = explainer
        self._explained: Explained | None = None
        self._of: tuple[object, ...] = ()  # run and topic
        self.asked = FigureAsked(FigureLevel.TOPIC)
        self.setProperty("role", "chrome")
        self.title = ElidedLabel(role="heading")
        self.measures = MenuButton("Figure that is derived")
        self.close_button = button("close", "link")
        self._close_key = KeySign(let_go)
        self.formula = label("", "muted", wrap=True)
        self.filled = label("", "", wrap=True)
        self.note = label("", "note", wrap=True)
        self.model = DerivationModel(self._title, self)
        self.curve = RankCurve(self._row_text)
        self._without = label(LEAVING_OUT, "note", wrap=True)
        self.gives = DocumentGives()
        self.rows = DerivationTable(self.model)
        self._above = QWidget()
        self.bars = ScoreRows()
        """The scores of the open document, which stay in sight; :class:`ScorePanel` fills them."""
        self._lay_out()
        self.close_button.clicked.connect(self.closed)
        self.rows.clicked.connect(self._choose)
        self.rows.activated.connect(self._choose)
        self.curve.chosen.connect(lambda row: self._choose(self.model.index(row, 0)))
        board.figured.connect(self.follow)
        session.topic_changed.connect(lambda _topic: self.follow())
        session.document_opened.connect(lambda _opened: self.follow())
        session.document_failed.connect(lambda _problem: self.follow())

    def _lay_out(self) -> None:
        inside = in_column(
            in_row((self.title, 1), self.measures, self.close_button, self._close_key, spacing=4),
            self.formula,
            self.filled,
            self.curve,
            self.note,
            self.gives,
            (self.rows, 1),
            self._without,
            margins=(MARGIN, 10, MARGIN, MARGIN),
            spacing=8,
        )
        head = in_row(Caption("This document"), margins=(INSET, 0, 0, 0))
        head.addStrut(HEAD)  # so that the scores are where they were
        in_column(head, self.bars, on=self._above, margins=(MARGIN - INSET, 8, MARGIN - INSET, 0), spacing=6)
        in_column(self._above, (inside, 1), on=self, margins=0, spacing=0)
        self.filled.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

    def set_theme(self, theme: Theme) -> None:
        self.rows.set_theme(theme)
        self.curve.set_theme(theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the rows their room in a low window."""
        super().resizeEvent(event)
        self.curve.setMaximumHeight(self.height() // CURVE_OF)
        self._show_bars()

    def _show_bars(self) -> None:
        in_topic = self.asked.level is not FigureLevel.RUN
        self._above.setVisible(in_topic and self.height() >= ROOMY)

    def open(self, asked: FigureAsked) -> None:
        """Derive a figure; what was derived before goes away at once."""
        self.asked = asked
        self._show_bars()
        self._clear()
        self._explainer.explain(asked, self._show)

    def _clear(self) -> None:
        """Show nothing of before while a figure of this run and topic is computed."""
        self._of = self._session.run, self._session.topic
        self._explained = None
        self.model.show(None, "")
        self.title.set_text(COMPUTING)
        self._say_nothing()

    def follow(self) -> None:
        """Derive again while one looks: run, topic, document or figures may be others."""
        if not self.isVisible():
            return
        if not are_same(self._of, (self._session.run, self._session.topic)):
            self._clear()
        elif self._waits and self._explained is not None:
            self.note.setText(self._board.why_stale)  # what is below is of before
            self.note.show()
            return
        self._explainer.explain(self.asked, self._show)

    @property
    def _waits(self) -> bool:
        """Whether the judgements by which a run or topic is derived are still to be read."""
        board, of_document = self._board, self.asked.level is FigureLevel.DOCUMENT
        return board.stale and board.qrels is None and board.elements is None and not of_document

    def _show(self, explained: Explained | None) -> None:
        self._explained = explained
        self._show_measure(self.asked.measure or self._explainer.deciding(self.asked.level))

    def _show_measure(self, measure: str) -> None:
        explained, asked = self._explained, replace(self.asked, measure=measure)
        self.asked = asked
        signed = asked.of.difference and measure not in (*COUNTS, P_CORRECTED)
        of_what = self._of_what(measure)
        adds = P_CORRECTED if measure == P_CORRECTED else ADDS
        self.model.show(explained, measure, of_what, adds=adds, signed=signed)
        derivation = self.model.derivation
        self._without.setVisible(self.model.leaves_out)
        run = self._session.run
        self._draw_ranks(0 if run is None else self._board.style(run))
        self._fill_measures(explained)
        if explained is None or derivation is None:
            self.title.set_text(self._board.why_stale if self._waits else "No figure")
            self._say_nothing()
            self.note.setText("" if self._waits else NOT_SCORED[asked.level])
            self.note.show()
            return
        value = self._value(derivation)
        self.title.set_text(f"{derivation.measure} {value}", briefer=[value])
        self.formula.setText(subscripted(derivation.formula))
        self.formula.setToolTip(f"{derivation.title}\n{derivation.citation}".strip())
        self.filled.setText(unbroken(subscripted("\n".join(derivation.filled))))
        whose = f"Of the {asked.of.value}." if asked.of is FigureOf.SCRATCH else ""
        without = f"Without topic {asked.without}." if asked.without else ""
        self.note.setText("\n".join(filter(None, (whose, without, derivation.note))))
        self.note.setVisible(bool(self.note.text()))
        self._fit()

    def _of_what(self, measure: str) -> str:
        """Return what the rows of a figure are."""
        level = self.asked.level
        if level is FigureLevel.DOCUMENT:
            return "document" if measure == RANK else OF_WHAT[level]
        named = measure if measure == P_CORRECTED else measure.partition("(")[0]
        return OTHER_ROWS.get(named, OF_WHAT[level])

    def _say_nothing(self) -> None:
        for part in (self.formula, self.filled, self.note):
            part.setText("")
        self.gives.hide()

    def _value(self, derivation: Derivation) -> str:
        if derivation.measure in COUNTS:
            return f"{derivation.value:,.0f}"
        signed = derivation.measure in (FROM, TO) or derivation.measure.startswith("Δ")
        value = derivation.value
        if signed:
            return difference_text(value, 4)
        whole = value > 1 or derivation.measure.startswith("characters")
        return (shown(value) if whole else f"{value:.4f}").replace("-", MINUS)

    def _fit(self) -> None:
        """Give rows and columns their sizes, and bring the row into sight that was asked for."""
        self.rows.fit(left_out=self.model.leaves_out)
        run = self._session.run
        of_run = self.asked.level is FigureLevel.RUN and self.asked.measure == RANK
        wanted = self._board.name(run) if of_run and run is not None else self.asked.document
        passages = self.model.of_what == "passage" and self.asked.start is None
        at = None if passages else self.model.place_of(wanted, self.asked.start)
        if at is not None:
            self.rows.selectRow(at)
        document = self._session.document
        if self.asked.level is not FigureLevel.TOPIC or document is None:
            self.gives.hide()
            return
        self.curve.set_current(self.model.place_of(document.id))
        self.gives.setVisible(not self.asked.of.difference)
        if not self.asked.of.difference:
            scores = self._board.scores(run) if self.asked.of is FigureOf.RUN else None
            self.gives.show_of(self.model, document.id, scores)

    def _draw_ranks(self, style: int) -> None:
        """Draw the precision at the ranks of the rows, where they have it."""
        column = next((name for name in PRECISIONS if name in self.model.columns), "")
        rows = self.model.rows if column else ()
        at = self.model.columns.index(column) if rows else 0
        values = [row.figures[at] for row in rows]
        adds = [place for place, row in enumerate(rows) if row.adds]
        self.curve.set_values([row.rank for row in rows], values, adds, column, style)

    def _row_text(self, row: int) -> str:
        return f"rank {self.model.rows[row].rank}: {self.model.data(self.model.index(row, 1))}"

    def _fill_measures(self, explained: Explained | None) -> None:
        """Offer the other figures of what is explained, and those of others."""
        group, menu = self.measures.begin(), self.measures.choices
        for name in () if explained is None else explained.derivations:
            choose = partial(self._show_measure, name)
            add_choice(menu, name, choose, on=name == self.asked.measure, group=group)
        whose, choices = QActionGroup(menu), () if self.asked.made else self._explainer.choices()
        if len(choices) > 1:
            menu.addSection("Of the")
        for of in choices if len(choices) > 1 else ():
            add_choice(menu, of.value, partial(self._choose_whose, of), on=of is self.asked.of, group=whose)
        self.measures.show_choice(self.asked.measure)
        self.measures.setVisible(len(menu.actions()) > 1)

    def _choose_whose(self, of: FigureOf) -> None:
        there = self._explainer.deciding(self.asked.level)
        known = self.asked.measure if self.asked.level is not FigureLevel.RUN else there
        self.open(FigureAsked(self.asked.level, known, self.asked.document, of))

    def offer_figures(self, clicks: FigureClicks) -> None:
        """Let what a row adds be asked for: the value of its topic, or what its document scores."""
        clicks.watch(self.rows.viewport(), self._figure_at, clicked_at=lambda _at: None)

    def _figure_at(self, at: QPoint) -> FigureAsked | None:
        index, asked = self.rows.indexAt(at), self.asked
        if not index.isValid():
            return None
        row = self.model.rows[index.row()]
        if self.model.of_what == "topic" and self._is_topic(row.document):
            return FigureAsked(FigureLevel.TOPIC, of=asked.of, topic=row.document, mending=asked.mending)
        if asked.level is FigureLevel.TOPIC and self.model.of_what == "document":
            measure = self._board.parameters.of_document(self._board.task)
            return FigureAsked(FigureLevel.DOCUMENT, measure, row.document, asked.of, mending=asked.mending)
        return None

    def _is_topic(self, name: str) -> bool:
        return any(topic.id == name for topic in self._session.project.topics)

    def _choose(self, index: QModelIndex) -> None:
        """Go to what a row is: a topic, a document, or a passage of the open one."""
        row = self.model.rows[index.row()]
        if self.asked.level is FigureLevel.RUN:
            if self._is_topic(row.document):
                self.topic_chosen.emit(row.document)
        elif self.asked.level is FigureLevel.TOPIC:
            self.chosen.emit(DocumentChosen(row.document, row.rank, row.start))
        elif row.start is not None and row.end is not None:
            self.passage_chosen.emit(SpanWanted(row.start, row.end))
        else:
            self.chosen.emit(DocumentChosen(row.document, row.rank, None))

    def _title(self, row: DerivationRow) -> str:
        """Return what a row is called: by its topic, its document, or its words."""
        session = self._session
        if self.asked.level is FigureLevel.RUN:
            return next((one.title for one in session.project.topics if one.id == row.document), row.document)
        if self.asked.level is FigureLevel.TOPIC:
            return session.catalogue.about(row.document).title
        if session.document is None or row.start is None:
            return session.catalogue.about(row.document).title or row.document
        end = row.start + WORDS if row.end in (None, row.start) else row.end  # of an entry point what follows
        return first_words(session.document.text, row.start, end, WORDS) or WHITE_SPACE
