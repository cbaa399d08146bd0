"""Inspect: its two levels (all topics, one topic over an article), and the controller of its parts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtWidgets import QFileDialog, QPushButton, QWidget

from inexview.core.evaluation.explain import CostlyPart
from inexview.core.judgements.runs import Run, Task
from inexview.core.judgements.topics import Topic
from inexview.core.measures.measure import Parameters
from inexview.core.open_runs.rankings import NONE, Ranking
from inexview.core.open_runs.scoring import are_same
from inexview.core.text.search import first_words
from inexview.gui.article.article_view import ArticleView
from inexview.gui.article.bars import Align
from inexview.gui.article.margins import NumberedPlace
from inexview.gui.article.overlays import Overlay
from inexview.gui.charts.chart_painter import NO_CURVE_OF_TASK
from inexview.gui.inspect.charts import ChartOpener, curves_of
from inexview.gui.inspect.chunk_list import TopicChunks
from inexview.gui.inspect.chunk_panel import ChunkPanel
from inexview.gui.inspect.chunkers import ChunkerPairs, ChunkersPanel, ChunkersTables, ReadingSwitch
from inexview.gui.inspect.costs import CostliestPanel, SpanWanted
from inexview.gui.inspect.derivation import DerivationPanel, FigureExplainer
from inexview.gui.inspect.ranked_list import DocumentChosen, TopicRanking
from inexview.gui.inspect.run_on_article import PassageKind, Readout, RunOnArticle, TextSteps, entry_points
from inexview.gui.inspect.run_picker import QueryChooser, RunPicker
from inexview.gui.inspect.run_scoring import FigureAsked, FigureClicks, FigureLevel, FigureOf, RunScoring
from inexview.gui.inspect.runs import JUDGED, EditMode, RunsPanel
from inexview.gui.inspect.sweep import SweepFinder, SweepPage, SweepPanel
from inexview.gui.inspect.topics import PairMatrix, PairPanel, TopicsPage
from inexview.gui.inspect.what_if import ScratchCopies, ScratchPanel, StepsFooter, StrokeEffect
from inexview.gui.look.widgets import (
    MARGIN,
    Caption,
    Filler,
    Pages,
    WhenSeen,
    explain,
    in_column,
    in_row,
    label,
)
from inexview.gui.services.actions import ActionBook
from inexview.gui.services.document_record import OpenDocument
from inexview.gui.services.messages import Message, MessageKind, Messages, announce
from inexview.gui.services.opening import DocumentProblem
from inexview.gui.services.session import Session
from inexview.gui.services.settings import Settings
from inexview.gui.services.tasks import Tasks

TABLES = "Tables (*.csv *.tsv *.txt);;All files (*)"
LONGEST_QUESTION = 300  # code points that are shown


class InspectController(QObject):
    """Connects the parts of Inspect, and switches between all topics and one topic over an article."""

    changed = Signal()  # the level changed

    def __init__(
        self, session: Session, article: ArticleView, messages: Messages, book: ActionBook, editing: EditMode
    ) -> None:
        """Store the services; :meth:`build` makes the widgets."""
        super().__init__(article)
        self._article = article
        self._session = session
        self._messages = messages
        self._book = book
        self.editing = editing
        self.over_topics = False
        self._active = self._been_over_topics = self.sweeping = False
        self._unopened = False  # whether all topics were opened before any document
        self._deriving = self._listing_costliest = False
        self._scratch: QWidget | None = None
        self._scored_by: tuple[Task | None, Parameters] | None = None
        self._documents_by: tuple[object, ...] = ()  # the settings that determine S(d)
        self._curves_of: tuple[object, ...] = ()
        self._wanted: tuple[str, SpanWanted] | None = None
        self._entered = False  # whether to open the costliest document of the topic once it is known
        # topic and run with which runs were last shown over documents
        self._seen_in: tuple[str, Run | None] | None = None
        self._steps = TextSteps()

    def build(self, pages: Pages, tasks: Tasks, settings: Settings) -> Iterator[None]:
        """Make all widgets, one part per step, while the user can already judge."""
        session, article, messages, book = self._session, self._article, self._messages, self._book
        self._pages = pages
        board = self.board = RunScoring(session, tasks, settings, self)
        self.runs = RunsPanel(session, board, self.editing)
        yield
        self.scratch_copies = ScratchCopies(session, board, article, messages)
        self.ranking = TopicRanking(session, board, self.scratch_copies, tasks, settings, self)
        yield
        self.chunks = TopicChunks(session, board, self.scratch_copies, tasks, self)
        yield
        self.chunk_panel = ChunkPanel(session, board, self.chunks, tasks, book)
        yield
        self.on_article = RunOnArticle(
            session, article, board, self.scratch_copies, self.ranking, self.chunks, messages, tasks
        )
        self.readout = Readout(session, article, self.on_article, self.ranking.costs, self.chunks)
        self.ranked, self.scores = self.ranking.list, self.on_article.scores
        self.documents = self.ranked.view
        yield
        self.chunkers = ChunkerPairs(board, tasks, self)
        switch = ReadingSwitch(board, self.chunkers, book["turn-reading"])
        self.topics = TopicsPage(session, board, switch, book["swap-runs"], book["save-table"], book["sweep"])
        pages.add(self.topics)
        yield
        self.sweep_finder = SweepFinder(board, tasks, self)
        self.sweep = SweepPage(session, self.sweep_finder, book["sweep"], book["swap-axes"])
        self.sweep_panel = SweepPanel(self.sweep_finder, book["compare-best"])
        pages.add(self.sweep)
        yield
        both_ways = ChunkersPanel(board, self.chunkers)
        self.pair = PairPanel(board, both_ways, book["open-chosen-topic"], book["dearest"], book["charts"])
        yield
        self._paired = WhenSeen(self.pair, self._show_pair)
        self._curves = WhenSeen(self.pair.chart, self._show_curves)
        self.matrix = PairMatrix(board)
        self.both_ways = ChunkersTables(board, self.chunkers)
        self.picker, self.query = RunPicker(board), QueryChooser(session, board)
        self.costliest = CostliestPanel(session, board, tasks, book["let-go"])
        explainer = FigureExplainer(session, board, self.scratch_copies, tasks, self)
        self.derivation = DerivationPanel(session, board, explainer, book["let-go"])
        self.scores.beside = self.derivation.bars
        self.clicks = FigureClicks(self)
        yield
        self.scratch_panel = ScratchPanel(self.scratch_copies, book)
        self.stroke_effect = StrokeEffect(article, self.scratch_copies)
        self.chart_opener = ChartOpener(session, board, tasks, article, self.open_topic, self._go_to)
        self.left = QWidget()
        self.right = Pages(self.scores, self.chunk_panel, self.pair, self.derivation, self.costliest,
                           self.scratch_panel, self.sweep_panel)  # fmt: skip
        footers = [StepsFooter(book, (MARGIN, 4, MARGIN, 10)) for _ in range(2)]
        self._steps_footers = *footers, self.scratch_panel.steps
        self.scores.add_footer(footers[0])
        self.chunk_panel.add_footer(footers[1])
        yield
        self._lay_out(book)
        yield
        self._connect(book)
        self._follow(session)
        session.let_begin(self.first_listed, self.chooses_first)
        self._arrange()
        if session.topic is not None:  # opened before the widgets were made
            self._ask(session.topic)
            self.ranking.list_again()
            self.picker.show_topic(session.topic.id)
        if session.document_id is not None:
            self.ranked.set_current(session.document_id)
        if session.failed is not None:
            self._show_problem(session.failed)

    def _lay_out(self, book: ActionBook) -> None:
        self._above = QWidget()  # the picker with its heading
        self.question = label(wrap=True)
        """The statement of the topic, if chunks answer it."""
        self.question.setContentsMargins(MARGIN, 6, MARGIN, 2)
        self._rest = QWidget()
        self._heading = Caption("In this topic")
        self.note = label(role="note", wrap=True)
        self.note.setContentsMargins(MARGIN, 0, MARGIN, 4)
        self.up, self.why = QPushButton("all topics"), QPushButton("why?")
        self.left.setProperty("role", "chrome")
        self.right.setProperty("role", "chrome")
        for link, name in ((self.up, "all-topics"), (self.why, "derive")):
            link.setProperty("role", "link")
            explain(link, book[name])
        self.up.clicked.connect(book["all-topics"].trigger)
        in_column(
            in_row((self._heading, 1), self.why, self.up, margins=(MARGIN, 6, MARGIN, 2)),
            self.picker,
            self.note,
            on=self._above,
            margins=0,
            spacing=2,
        )
        self.note.hide()
        in_column(self.both_ways, Filler(1), on=self._rest, margins=0)
        self._query = QWidget()
        in_row(self.query, Filler(1), on=self._query, margins=(MARGIN, 6, MARGIN, 0))
        in_column(
            self.runs.bar,
            self.runs,
            self.matrix,
            self.question,
            self._query,
            self._above,
            (self.ranked, 1),
            (self.chunks.list, 1),
            (self._rest, 1),
            on=self.left,
            margins=(0, 2, 0, 0),
            spacing=0,
        )

    def _connect(self, book: ActionBook) -> None:
        board, session, derivation, runs = self.board, self._session, self.derivation, self.runs
        board.figured.connect(self._show_figures)
        board.figured.connect(self._open_costliest)
        self.ranking.costs.known.connect(lambda _run, _topic: self._open_costliest())
        board.moving = self.scores.box.entry.slider.isSliderDown
        self.editing.changed.connect(self._show_notes)
        self.topics.table.opened.connect(self.open_topic)
        self.topics.table.went_to.connect(self.pair.show_topic)
        self.sweep.table.opened.connect(self.open_topic)
        runs.filtered.connect(lambda: self.sweep.chart.show_listed(runs.hidden))
        self.sweep.chart.chosen.connect(lambda run: session.select_run(self.sweep_finder.runs[run]))
        self.sweep.chart.baselined.connect(lambda run: board.compare_with(self.sweep_finder.runs[run]))
        self.picker.chosen.connect(session.select_run)
        self.picker.baselined.connect(board.compare_with)
        self.matrix.chosen.connect(lambda pair: self._compare(*pair))
        derivation.close_button.clicked.connect(lambda: self.derive(None))
        derivation.topic_chosen.connect(self.open_topic)
        derivation.chosen.connect(self._choose_document)
        derivation.passage_chosen.connect(self._reveal)
        self.costliest.close_button.clicked.connect(self.toggle_costliest)
        self.costliest.chosen.connect(self._go_to_part)
        runs.table.entered.connect(self.open_chosen_topic)
        runs.task_chosen.connect(self.take_keyboard)  # the question about the task had the focus
        runs.add.clicked.connect(book["open-run"].trigger)
        self.ranked.chosen.connect(self._choose_document)
        self.chunks.opened.connect(self._choose_document)
        self.chunks.entered.connect(partial(self._choose_document, align=Align.TOP))
        for wanted in (self.scores.costs.wanted, self.chunk_panel.wanted):
            wanted.connect(self._reveal)
        self.chunk_panel.opened.connect(self._choose_document)
        self.chunk_panel.costs.numbered.connect(self._number_faults)
        self._article.margin.number_chosen.connect(self._choose_fault)
        self.scores.parameters_changed.connect(board.set_parameters)
        self.scratch_copies.changed.connect(self._show_scratch)
        self.scratch_panel.valued.connect(lambda value: self.picker.show_scratch((value,)))
        self.why.clicked.connect(book["derive"].trigger)
        self.clicks.asked.connect(self.derive)
        self.chart_opener.asked.connect(self.derive)
        for part in (self.topics, self.pair, self.matrix, self.picker, runs.table, self.ranked, self.scores,
                     derivation, self.costliest, self.runs, self.scratch_panel, self.readout,
                     self.chunk_panel):  # fmt: skip
            part.offer_figures(self.clicks)
        for heading in (self.ranked.heading, self.chunks.list.heading):
            self.clicks.watch(heading, self._heading_at)
        chart = self.pair.chart
        self.clicks.watch(chart, partial(self.chart_opener.read_off, chart))

    def _follow(self, session: Session) -> None:
        session.topic_changed.connect(self._show_topic)
        session.document_opened.connect(lambda _opened: self._on_document())
        session.runs_changed.connect(lambda _runs: self._begin())
        # so that the list is not painted with the previous selection
        session.opening.begun.connect(self.ranked.set_current)
        session.opening.begun.connect(self._leave_choice)
        session.document_opened.connect(self._show_document)
        session.document_failed.connect(self._show_problem)
        session.run_selected.connect(self._show_run)
        session.topic_read.connect(self.ranking.show)
        session.topic_read.connect(self._open_costliest)
        session.reading.delayed.connect(self.ranking.show)

    def set_active(self, active: bool) -> None:
        """Show the run over the article, or hide it; in Assess runs are hidden."""
        self.on_article.active = self._active = active
        self.readout.set_active(active)
        self.on_article.show()
        self.board.set_active(active)
        self._begin()
        self._arrange()
        if active and self.over_topics:
            self.take_keyboard()  # the window has given the focus to the article
        if active:
            self._begin_inspection()
        self._note_seen()

    def _begin(self) -> None:
        """Show all topics when Inspect is opened for the first time with several runs."""
        if self._active and len(self.board.runs) > 1 and not self._been_over_topics:
            self.show_level(over_topics=True)

    def _on_document(self) -> None:
        """Go to the level of a document that the user opened, not of the one opened at the start."""
        if self._active and not self._unopened:
            self.show_level(over_topics=False)
        self._unopened = False

    def open_topic(self, topic: str | None) -> None:
        if topic is None:
            return
        was_open, came = self._session.topic is not None and self._session.topic.id == topic, self.over_topics
        if not was_open:
            self._session.open_topic(topic)
        self.show_level(over_topics=False)
        self.take_keyboard()
        if (
            was_open
            and came
            and self._seen_in != (topic, self._session.run)
            and self._session.run is not None
        ):
            self._entered = True  # the costliest document, not the one that was open with another run
            self._open_costliest()

    def show_level(self, *, over_topics: bool) -> None:
        """Switch to all topics or to the open topic, the latter also before Inspect is opened."""
        if over_topics == self.over_topics or (over_topics and not self._active):
            return
        self.over_topics = over_topics
        if over_topics == (self.derivation.asked.level is not FigureLevel.RUN):
            self._deriving = False  # derivations belong to the other level
        self._unopened = self._session.document is None and self._session.failed is None
        self._been_over_topics |= over_topics
        self._arrange()
        if over_topics:
            if self._session.topic is not None:
                self.topics.show_topic(self._session.topic.id)
            self.pair.show_topic(self.topics.chosen)
            self.take_keyboard()
        self.changed.emit()

    def take_keyboard(self) -> None:
        """Focus the list: topics, or the documents of one topic."""
        if self.over_topics:
            (self.sweep if self.sweeping else self.topics).take_keyboard()
        else:
            (self.chunks.list.view if self.chunks.active else self.ranked.view).setFocus()

    def stay_in_topic(self) -> None:
        """Show the open topic instead of all topics, because a place in it was requested."""
        self._been_over_topics = True
        self.show_level(over_topics=False)

    def filter_runs(self) -> None:
        """Focus the filter of the listed runs."""
        self.show_level(over_topics=True)
        self.runs.filter.focus()

    def ask_parameters(self) -> None:
        """Ask for a table with the parameters of the runs."""
        window = self._article.window()
        name, _ = QFileDialog.getOpenFileName(window, "Parameters of runs", "", TABLES)
        if name:
            self.board.read_parameters(Path(name), self._tell_parameters)

    def _tell_parameters(self) -> None:
        said = f"The parameters of the runs are those in {Path(self.board.choice.table).name}."
        by_ids = partial(self.board.use_parameters, None)
        self._messages.say(Message(MessageKind.INFO, said, "Read run ids", by_ids))

    def open_chosen_topic(self) -> None:
        self.open_topic(self.sweep.table.chosen if self.sweeping else self.topics.chosen)

    def toggle_sweep(self) -> None:
        """Show the runs as a sweep over parameters, or as pairs."""
        if not self.sweeping and not self.sweep_finder.offered:
            self._messages.warn(self.sweep_finder.lacking)
            return
        self.sweeping = not (self.sweeping and self.over_topics)
        self.show_level(over_topics=True)
        self._arrange()
        self.take_keyboard()

    def compare_best(self) -> None:
        """Compare the best run of the sweep with the baseline, topic by topic."""
        found = self.sweep_finder.found
        if found is not None and self.sweeping:
            self._session.select_run(self.sweep_finder.runs[found.best])
            self.toggle_sweep()

    def derive(self, asked: FigureAsked | None) -> None:
        """Show the derivation of a figure next to its subject; None hides it."""
        self._deriving = False
        if asked is not None:
            self._bring_forward(asked)
            if asked.level is not FigureLevel.RUN:
                self.show_level(over_topics=False)
            self._deriving = True
            self.derivation.open(asked)
        self._arrange()

    def _bring_forward(self, asked: FigureAsked) -> None:
        """Open the subject of a figure: its run, baseline, topic and document."""
        board, session = self.board, self._session
        run, baseline = board.by_key(asked.run), board.by_key(asked.baseline)
        if run is not None and run is not session.run:
            session.select_run(run)
        if baseline is not None:
            board.compare_with(baseline)
        if asked.topic and asked.level is not FigureLevel.RUN:
            self.open_topic(asked.topic)
        if asked.level is FigureLevel.DOCUMENT and asked.document not in ("", session.document_id):
            session.open_document(asked.document)

    def toggle_derivation(self) -> None:
        """Show the derivation of the figure under the mouse, else of the topic or mean; or close it."""
        pointed, level = self.clicks.pointed, FigureLevel.RUN if self.over_topics else FigureLevel.TOPIC
        of = FigureOf.RUN if self._scratch is None else FigureOf.SCRATCH
        if pointed is not None:
            self.derive(pointed)
        else:
            self.derive(None if self._deriving else FigureAsked(level, of=of))

    def toggle_costliest(self) -> None:
        """Open or close the list of the costliest faults of the run in the foreground."""
        self._listing_costliest = not self._listing_costliest or self._deriving
        self._deriving = False
        (self.costliest.open if self._listing_costliest else self.costliest.leave)()
        self._arrange()

    def dismiss(self) -> bool:
        """Close the derivation, else the costliest faults, else the filter; return whether one was open."""
        shown = self.right.shown
        if self.over_topics and self.runs.filter.leave():
            self.runs.table.setFocus()
            return True
        if self.over_topics and shown is self.sweep_panel:
            self.toggle_sweep()
            return True
        if self.over_topics and shown is self.pair and self.topics.filter.text():
            self.topics.filter.clear()
            return True
        if shown is self.derivation:
            self.derive(None)
        elif shown is self.costliest:
            self.toggle_costliest()
        return shown in (self.derivation, self.costliest)

    def _heading_at(self, _at: QPoint) -> FigureAsked | None:
        return FigureAsked(FigureLevel.TOPIC) if self.board.figures.deciding else None

    def _arrange(self) -> None:
        over, several = self.over_topics and self._active, len(self.board.runs) > 1
        self.sweeping = self.sweeping and self.sweep_finder.offered
        of_all: QWidget = self.sweep if self.sweeping else self.topics
        if over or self._pages.shown in (self.topics, self.sweep):  # other views may have pages of their own
            self._pages.show_page(of_all if over else self._article)
            self._move_messages(over=over)
        costliest = self.costliest if self._listing_costliest and self._scratch is None else None
        of_topic = self.chunk_panel if self.chunks.active else self.scores
        beside: QWidget = self.derivation if self._deriving else self._scratch or costliest or of_topic
        means = self._deriving and self.derivation.asked.level is FigureLevel.RUN
        of_runs = self.sweep_panel if self.sweeping else self.pair
        self.right.show_page((self.derivation if means else costliest or of_runs) if over else beside)
        self.runs.setVisible(over or not several)
        if over:
            self._show_topics()
        self.matrix.setVisible(over and self.matrix.worth_showing)
        self._above.setVisible(not over and several)
        self._show_query()
        of_chunks = self.chunks.active
        self._show_question()
        self.ranked.setVisible(not over and not of_chunks)
        self.chunks.list.setVisible(not over and of_chunks)
        self._rest.setVisible(over)

    def _show_query(self) -> None:
        self.query.show_all()
        self._query.setVisible(self.query.offered and not (self.over_topics and self._active))

    def _move_messages(self, *, over: bool) -> None:
        """Show messages below the topics, or under the text."""
        if over == (self._messages.parentWidget() is self._pages):
            return
        (self._pages.show_below if over else self._article.show_under_text)(self._messages)
        self._messages.setVisible(self._messages.current is not None)

    def _show_topics(self) -> None:
        """Update the level of all topics; nothing is made while it is hidden."""
        if self.sweeping:
            self.sweep.show_all()
            self.sweep_panel.show_all()
            return
        self.topics.sweep.setVisible(self.sweep_finder.offered)
        self.topics.show_all()
        self.matrix.show_all()
        (self._paired.refresh_after_others if self.board.arriving else self._paired.refresh)()

    def pair_now(self) -> PairPanel:
        """Return the panel of the pair, up to date even if it is hidden."""
        self._show_pair()
        return self.pair

    def _show_pair(self) -> None:
        self.pair.show_pair({topic.id: topic.title for topic in self._session.project.topics})
        self.pair.show_topic(self.topics.chosen)

    def _compare(self, first: Run, second: Run) -> None:
        self._session.select_run(first)
        self.board.compare_with(second)

    def bring_forward(self, number: int) -> None:
        """Show the run with this number over the text."""
        run = self.picker.nth(number)
        if run is not None:
            self._session.select_run(run)

    def first_listed(self) -> str | None:
        """Return the first judged document in the list of the current run, in Inspect only.

        Over documents that are still to be judged, runs are shown only on request.
        """
        session = self._session
        if not self.on_article.active or session.run is None or session.topic is None:
            return None
        ranked = Ranking(session.run, session.topic.id).documents
        judged = (name for name in ranked if name in session.pool and session.state_of(name).finished)
        return next(judged, None)

    def chooses_first(self) -> bool:
        """Return whether a topic will be opened at its costliest document."""
        self._entered = self.on_article.active and self._session.run is not None
        return self._entered

    def _begin_inspection(self) -> None:
        """Open the costliest document at the start if files are inspected and nothing is judged."""
        board, first = self.board, self._seen_in is None or self._seen_in[1] is None
        inspected = board.given is not None or board.elements is not None
        if first and inspected and self._session.run is not None and not self.over_topics:
            self._session.await_choice()
            self._entered = True
            self._open_costliest()

    def _open_costliest(self) -> None:
        """Open the document with the highest cost in the topic's measure as soon as it is known."""
        session, board = self._session, self.board
        topic, run = session.topic, session.run
        if not self._entered or topic is None or not session.reading.ready:
            return
        costs = NONE
        if run is not None and topic.id in board.figures.topics and board.scores(run) is not None:
            known = self.ranking.costs.known_of(run, topic.id)
            if known is None:
                if not board.stale:
                    self.ranking.costs.want(run, topic.id)
                return
            costs = known
        elif board.stale and run is not None:
            return  # the board reports when its figures are up to date
        self._entered = False
        first = costs.costliest(self._may_be_seen) or self.first_listed()
        if first is None:
            session.open_first()
        else:
            session.open_document(first)

    def _may_be_seen(self, document: str) -> bool:
        """Return whether a run may be shown over a document without request: it needs no more judging."""
        session = self._session
        done = session.project.read_only or session.state_of(document).finished
        return done or document not in session.pool

    def _note_seen(self) -> None:
        """Record that runs are visible over a document that is still to be judged."""
        if self.on_article.active:
            self._session.record.note_inspected()
            topic, document = self._session.topic, self._session.document
            if topic is not None and document is not None and not self.over_topics:
                self._seen_in = topic.id, self._session.run

    # -- contents ------------------------------------------------------------------------------------

    def _show_topic(self, topic: Topic) -> None:
        self.picker.show_topic(topic.id)
        self._show_query()
        self._ask(topic)
        self.chunks.show()
        self.ranking.outdate()  # shown once the judgements are known, or after a moment

    def _ask(self, topic: Topic) -> None:
        """Show the whole question; a topic without a statement has none."""
        words = "" if topic.title == topic.id else topic.title
        self.question.setText(first_words(words, 0, len(words), LONGEST_QUESTION))
        self.question.setToolTip(words if len(words) > LONGEST_QUESTION else "")
        self._show_question()

    def _show_question(self) -> None:
        over = self.over_topics and self._active
        self.question.setVisible(not over and self.chunks.active and bool(self.question.text()))

    def _show_run(self, run: Run | None) -> None:
        self._begin_steps()
        self._note_seen()
        self.on_article.show()  # the board has already updated the other widgets

    def _leave_choice(self, _document: str = "") -> None:
        """Stop waiting to open a document, because the user has opened one."""
        self._entered = False

    def _show_document(self, opened: OpenDocument) -> None:
        self._leave_choice()
        self._begin_steps()
        self.ranked.set_current(opened.document.id)
        self._note_seen()
        self.derivation.follow()
        wanted, self._wanted = self._wanted, None
        if wanted is not None and wanted[0] == opened.document.id:
            self._reveal(wanted[1])

    def _show_problem(self, problem: DocumentProblem) -> None:
        self.ranked.set_current(problem.document_id)
        self.scores.set_scores(None, reason="not readable")
        self.scores.set_explanation(None)
        self.on_article.legend.show_overlay(Overlay())

    def _show_scratch(self) -> None:
        """Show the scratch copy and its panel in what-if, else the run."""
        active = self.readout.scratched = self.scratch_copies.active
        panel = self.scratch_panel if active else None
        if panel is not self._scratch:
            self._scratch, self._deriving = panel, False
            self.ranked.scratched = active
            self.up.setVisible(not active)  # scratch copies are not shown over all topics
            self._arrange()
        elif active:
            self.derivation.follow()
        if not active:
            self.picker.show_scratch(None)
        self.ranking.show()
        self.on_article.show()

    def _show_figures(self) -> None:
        board, figures = self.board, self.board.figures
        part = "query" if board.choice.variations is not None else "topic"
        self._heading.set_text(f"In this {part}", figures.topic_name)
        self.up.setText(f"all {len(figures.topics)} topics" if len(figures.topics) > 1 else "all topics")
        self._arrange()
        self._show_notes()
        (self._curves.refresh_after_others if board.arriving else self._curves.refresh)()
        self.ranking.show()
        scored_by = (board.task, board.parameters)
        if scored_by != self._scored_by:
            self._scored_by = scored_by
            preset = None if board.task is None else board.choice.preset_of(board.task)
            self.scores.set_parameters(board.parameters, preset)
            self.scores.show_parameters_of(board.task)
            self.scores.show_reading(board.task is not None and board.parameters.reads(board.task))
            self.ranked.document_measure = board.parameters.of_document(board.task)
            self.on_article.score_again()
        documents_by = (
            board.task,
            board.parameters.of_document(board.task),
            *board.parameters.read_by_document(board.task),
        )
        if documents_by != self._documents_by:
            self._documents_by = documents_by
            self.ranked.score_again()

    def _show_notes(self) -> None:
        """Show which documents the topic's figures leave out, and whose judgements they use."""
        by = self.board.judged_by
        self.note.setText("\n".join(filter(None, (by and JUDGED.format(by), self.editing.said))))
        self.note.setVisible(bool(self.note.text()))

    def _show_curves(self) -> None:
        board = self.board
        made_of = board.figures, board.current, board.baseline, *board.runs
        if are_same(made_of, self._curves_of):
            return
        self._curves_of = made_of
        curves, current = curves_of(board)
        other = None if board.baseline is None else board.style(board.baseline)
        chart = self.pair.chart
        nothing = board.figures.nothing or (NO_CURVE_OF_TASK if board.scored() else "")
        chart.set_curves(curves, current=current, other=other, nothing=nothing)

    # -- requests ------------------------------------------------------------------------------------

    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) document of the ranking, or to the next chunk."""
        (self.chunks if self.chunks.active else self.ranked).step(by)

    def change_k(self, by: int) -> None:
        """Increase or decrease the number of chunks that count."""
        if self.chunks.active:
            self.chunks.set_k(self.chunks.k + by)

    def _choose_document(self, chosen: DocumentChosen, *, align: Align = Align.NEAREST) -> None:
        session = self._session
        if session.document is not None and session.document.id == chosen.document:
            if chosen.start is not None:
                self._article.reveal(chosen.start, align=align)
            return
        self._want(chosen.document, chosen.start, chosen.start)
        session.open_document(chosen.document)

    def _want(self, document: str, start: int | None, end: int | None) -> None:
        """Go to a place of a document as soon as the document is shown."""
        there = None if start is None else SpanWanted(start, start if end is None else end)
        self._wanted = None if there is None else (document, there)

    def _reveal(self, wanted: SpanWanted) -> None:
        if wanted.start == wanted.end:
            self._article.reveal(wanted.start)
            self._article.place_caret(wanted.start)
            return
        self._article.reveal(wanted.start, wanted.end)
        self._article.place_caret(wanted.start)
        self._article.flash.begin(wanted.start, wanted.end)

    def _go_to_part(self, part: CostlyPart) -> None:
        if part.document:
            self._go_to(part.topic, part.document, part.start, part.end)
        else:
            self.open_topic(part.topic)

    def _go_to(self, topic: str, document: str, start: int | None, end: int | None = None) -> None:
        session = self._session
        self._want(document, start, end)
        self.show_level(over_topics=False)
        if session.topic is None or session.topic.id != topic:
            session.open_topic(topic, document)
        elif session.document is None or session.document.id != document:
            session.open_document(document)
        elif self._wanted is not None:
            self._reveal(self._wanted[1])
            self._wanted = None

    def _number_faults(self, places: tuple[NumberedPlace, ...]) -> None:
        """Number the costliest faults in the text; for runs of chunks, the faults of chunks."""
        if self.chunks.active:
            self._article.margin.set_numbers(places)

    def _choose_fault(self, place: NumberedPlace) -> None:
        (self.chunk_panel if self.chunks.active else self.scores).costs.choose(place.number)

    def _begin_steps(self) -> None:
        """Reset the text about the last step."""
        self._steps = TextSteps()
        self._tell_step("")

    def _tell_step(self, said: str) -> None:
        for footer in self._steps_footers:
            footer.said.set_text(said)

    @property
    def stepped(self) -> str:
        return self._steps_footers[0].said.full_text

    def step_passage(self, name: str, by: int) -> None:
        """Go to the next or previous passage of a kind, and show its number."""
        here, kind = self.ranking.here(), PassageKind(name)
        if here is None:
            return
        if kind is PassageKind.ENTRY_POINT:
            passages = entry_points(self._session.state.bep, here.entry)
        else:
            passages = [*kind.among(self._session.state.marks, here.passages)]
        target, said = self._steps.step(kind, passages, self._article.caret_at_hand(), by)
        self._tell_step(said)
        announce(self._article, said)
        if target is not None:
            self._article.place_caret(target[0])
            self._article.reveal(*target)
            self._article.flash.begin(*target)
