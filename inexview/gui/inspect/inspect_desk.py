"""Inspect at work: lays the chosen run over the article, scores it as the pen moves, lists its ranking."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from inexview.core.article.document import Document
from inexview.core.evaluation.explain import explain
from inexview.core.judgements.runs import Run, Task
from inexview.core.judgements.topics import Topic
from inexview.core.measures.parameters import Parameters
from inexview.core.project.judging_actions import DocumentState
from inexview.core.text.spans import Spans
from inexview.gui.article.article_view import ArticleView
from inexview.gui.article.overlays import Lane, Overlay, Stroke
from inexview.gui.inspect.charting import Charting, curves_of
from inexview.gui.inspect.costs import SpanWanted
from inexview.gui.inspect.editing import Editing
from inexview.gui.inspect.inspect_stage import InspectStage
from inexview.gui.inspect.live_figures import LiveFigures, live_figures
from inexview.gui.inspect.ranked_list import DocumentChosen, DocumentFaults, RankedDocument, RankedList, Rows
from inexview.gui.inspect.rankings import Ranking, Retrieved, faults, ranked_row, score, subtitle
from inexview.gui.inspect.run_board import RunBoard
from inexview.gui.inspect.runs_panel import RunsPanel
from inexview.gui.inspect.score_panel import ScorePanel
from inexview.gui.inspect.scratch_panel import ScratchPanel
from inexview.gui.inspect.scratching import Scratching
from inexview.gui.inspect.text_steps import PassageKind, TextSteps
from inexview.gui.look.pages import Pages
from inexview.gui.look.theme import Theme
from inexview.gui.look.widgets import ElidedLabel, KeyButton
from inexview.gui.services.actions import ActionBook
from inexview.gui.services.announce import announce
from inexview.gui.services.messages import Messages
from inexview.gui.services.opening import DocumentProblem
from inexview.gui.services.session import Session
from inexview.gui.services.session_events import OpenDocument, StateChanged
from inexview.gui.services.settings import Settings
from inexview.gui.services.tasks import Tasks

MOST_COSTS = 50


class InspectDesk(QObject):
    """Keeps ranked list, score panel and the run's overlay true."""

    scored = Signal(object)  # LiveFigures, while they are shown beside the judging

    def __init__(
        self,
        session: Session,
        article: ArticleView,
        pages: Pages,
        tasks: Tasks,
        messages: Messages,
        settings: Settings,
        book: ActionBook,
    ) -> None:
        super().__init__(article)
        self._article = article
        self._messages = messages
        self._told: set[str] = set()
        self._session = session
        self._active = False
        self._beside = False
        self._ranking: Ranking | None = None
        self._other: Ranking | None = None  # of the baseline
        self._compared_with: tuple[Run, str] | None = None
        self._stale = False  # the list is not as it should be, while no one looks
        self._scored_by: tuple[Task | None, Parameters] | None = None
        self._wanted_start: tuple[str, int] | None = None
        self._steps = TextSteps()
        self._stepped = ElidedLabel(role="note")
        self.editing = Editing(session, messages, self)
        self.ranked = RankedList()
        self.scores = ScorePanel()
        self.board = RunBoard(session, tasks, settings, self)
        self.runs = RunsPanel(session, self.board, self.editing)
        panels = (self.runs, self.ranked, self.scores)
        self.stage = InspectStage(session, self.board, pages, article, messages, tasks, panels, book)
        self.charting = Charting(session, self.board, article)
        self.scratching = Scratching(session, self.board, article, messages, book)
        self.scratch_panel = ScratchPanel(self.scratching, book)
        self.stage.right.add(self.scratch_panel)
        self.left, self.right = self.stage.left, self.stage.right
        self.documents = self.ranked.view
        self._build(book)
        self._connect(book)
        self._follow(session)

    def _build(self, book: ActionBook) -> None:
        footer = QWidget()
        column = QVBoxLayout(footer)
        column.setContentsMargins(14, 6, 14, 14)
        column.addWidget(self._stepped)
        row = QHBoxLayout()
        column.addLayout(row)
        row.setSpacing(8)
        for action_id in ("next-miss", "next-false-alarm"):
            row.addWidget(KeyButton(book[action_id].text(), book[action_id]))
        self.scores.add_footer(footer)

    def _connect(self, book: ActionBook) -> None:
        self.runs.wanted.connect(lambda _wanted: book["open-run"].trigger())
        self.board.figured.connect(self._show_figures)
        self.ranked.chosen.connect(self._choose_document)
        self.scores.reveal.connect(self._reveal)
        self.scores.parameters_changed.connect(self.board.set_parameters)
        self._article.stroke_previewed.connect(self._preview)
        self.scratching.changed.connect(self._show_scratch)
        for kind, name in (
            (PassageKind.HIT, "hit"),
            (PassageKind.MISS, "miss"),
            (PassageKind.FALSE_ALARM, "false-alarm"),
        ):
            book.on(f"next-{name}", partial(self._step_passage, kind, 1))
            book.on(f"previous-{name}", partial(self._step_passage, kind, -1))
        self.stage.derivation.chosen.connect(self._choose_document)
        book.on("charts", self.charting.open)

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of a theme."""
        for part in (self.runs, self.stage, self.ranked, self.scores, self.charting):
            part.set_theme(theme)

    def _follow(self, session: Session) -> None:
        session.topic_changed.connect(self._show_topic)
        session.document_opened.connect(self._show_document)
        session.document_failed.connect(self._show_problem)
        session.state_changed.connect(self._show_state)
        session.catalogue.learned.connect(self.ranked.make_anew)
        session.run_selected.connect(self._show_run)
        session.topic_read.connect(self._rank_if_stale)

    def set_active(self, active: bool) -> None:
        """Show the run over the article, or hide it (while one judges, runs are hidden)."""
        self._active = active
        self._rank_if_stale()
        self.show_overlay()
        self.board.set_active(active)
        self.stage.set_active(active)

    def show_beside(self, on: bool) -> None:
        """Tell what the run scores also while one judges, as somebody asked to see runs there."""
        self._beside = on
        self.show_overlay()
        if not on:
            self.scored.emit(LiveFigures())

    # -- what is open --------------------------------------------------------------------------------

    def _here(self) -> Retrieved | None:
        """What the run retrieved of the open document; nothing at all is an empty set of passages."""
        session = self._session
        if session.document is None or session.run is None:
            return None
        return None if self._ranking is None else self._ranking.retrieved(session.document.id)

    def _show_topic(self, topic: Topic) -> None:
        self._compare()
        self._rank()

    def _show_run(self, run: Run | None) -> None:
        self._rank()
        self.show_overlay()

    def _show_document(self, opened: OpenDocument) -> None:
        self.ranked.set_current(opened.document.id)
        self.show_overlay()
        if self._wanted_start is not None and self._wanted_start[0] == opened.document.id:
            start = self._wanted_start[1]
            self._article.reveal(start)
            self._article.place_caret(start)
        self._wanted_start = None

    def _show_state(self, change: StateChanged) -> None:
        if self._ranking is not None:
            states = {name: self._session.state_of(name) for name in change.documents}
            for document, fault in self._ranking.faults(states).items():
                self.ranked.judge(document, fault)

    def _show_problem(self, problem: DocumentProblem) -> None:
        self.ranked.set_current(problem.document_id)
        self.scores.set_scores(None, reason="not readable")
        self.scores.set_explanation(None)

    def _rank(self) -> None:
        """List the run's documents for the topic, and after them what it does not hold; once one looks."""
        session = self._session
        was_listed, self._stale = not self._stale, not self._active or not self._is_read()
        if session.topic is None or session.run is None:
            self._ranking = None
            self.ranked.set_documents(None)
            return
        topic, ranking = session.topic, self._ranking
        scratch = self.scratching.ranking(topic.id)
        run = session.run if scratch is None else scratch
        if ranking is None or ranking.run is not run or ranking.topic != topic.id:
            ranking = self._ranking = Ranking(run, topic.id)
        elif was_listed:
            return
        if self._stale:
            if self._active:
                self.ranked.set_documents(None)  # not those of another topic
            return
        states = {name: session.state_of(name) for name in session.project.touched(topic.id)}
        relevant = (name for name, state in states.items() if state.finished and state.relevant)
        missed = session.in_pool_order(name for name in relevant if name not in ranking)
        judged = {**ranking.faults(states), **dict.fromkeys(missed, DocumentFaults.MISSED)}
        rows = Rows([*ranking.documents, *missed], self._row, judged)
        heading = self._heading(session.run, topic)
        self.ranked.set_documents(rows, run_style=self.board.style(run), heading=heading)
        if session.document_id is not None:
            self.ranked.set_current(session.document_id)

    def _show_scratch(self) -> None:
        """Show the scratch copy while one is in what-if, or again the run."""
        self.stage.show_scratch(self.scratch_panel if self.scratching.active else None)
        self._rank()
        self.show_overlay()

    def _rank_if_stale(self) -> None:
        if self._active and self._stale:
            self._rank()

    def _is_read(self) -> bool:
        """Whether it is known how the documents of the topic stand."""
        return self._session.reading.ready

    def _show_figures(self) -> None:
        """Show what the runs score now, and the documents with the parameters that are used."""
        session, board = self._session, self.board
        curves, current = curves_of(board)
        self.stage.pair.chart.set_curves(curves, current=current, nothing=board.figures.nothing)
        self._compare()
        if session.run is not None and session.topic is not None:
            self.ranked.heading.set_text(self._heading(session.run, session.topic))
        scored_by = (board.task, board.parameters)
        if scored_by != self._scored_by:
            self._scored_by = scored_by
            preset = None if board.task is None else board.choice.preset_of(board.task)
            self.scores.set_parameters(board.parameters, preset)
            self.ranked.make_anew()
            self.show_overlay()

    def _compare(self) -> None:
        """List beside each document what the baseline made of it."""
        topic, other = self._session.topic, self.board.baseline
        alone = topic is None or other is None or other is self._session.run
        wanted = None if alone or topic is None or other is None else (other, topic.id)
        if wanted != self._compared_with:
            self._compared_with = wanted
            self._other = None if wanted is None else Ranking(*wanted)
            self.ranked.compare_with(None if other is None or wanted is None else self.board.style(other))

    def _heading(self, run: Run, topic: Topic) -> str:
        figures = self.board.figures
        value = figures.of_topics(run, figures.deciding).get(topic.id)
        told = "" if value is None or self.scratching.active else f"{figures.topic_name} {value:.4f}"
        if self.board.stale:
            told = "computing…"
        return " · ".join(part for part in (f"TOPIC {topic.id}", told, run.id) if part)

    def _row(self, document: str) -> RankedDocument:
        session, ranking = self._session, self._ranking
        assert ranking is not None, "there are rows"
        return ranked_row(
            ranking.retrieved(document),
            session.state_of(document),
            session.catalogue.about(document),
            self.board.parameters,
            other=None if self._other is None else self._other.retrieved(document),
            task=self.board.task,
        )

    # -- over the article ----------------------------------------------------------------------------

    def show_overlay(self) -> None:
        """Show what is judged and, while one inspects, what the run retrieved; then the scores."""
        session = self._session
        if session.document is None:
            return
        state, here, document = session.state, self._here(), session.document
        if not self._active or here is None or session.run is None:
            self._article.set_overlay(Overlay(state.marks, state.bep))
            self._article.set_subtitle(f"{document.id} · {document.length:,} characters")
        else:
            self._article.set_subtitle(subtitle(session.run.id, here, state, document.length))
            self._tell_faults(session.run, document)
            shown = here.passages.clip(0, document.length)
            overlay = Overlay(
                state.marks,
                state.bep,
                shown,
                here.entry,
                self._lanes(),
                judged=not state.untouched,
                style=self.board.style(session.run),
                pen_on_run=self.scratching.active,
            )
            self._article.set_overlay(overlay)
        self._show_scores(state, preview=False)
        self._explain(state)

    def _tell_faults(self, run: Run, document: Document) -> None:
        """Say once what is wrong with a run's passages of a document."""
        session = self._session
        if session.topic is None:
            return
        told = faults(run, session.topic.id, document.id, document.length)
        if told and told not in self._told:
            self._told.add(told)
            self._messages.warn(told)

    def _lanes(self) -> tuple[Lane, ...]:
        """Return the other runs' passages of the open document, one lane each; the chosen run comes first."""
        session = self._session
        if session.topic is None or session.document is None or len(session.runs) < 2:
            return ()
        topic, document = session.topic.id, session.document.id
        return tuple(
            Lane(
                run.id,
                self.board.style(run),
                Spans((one.start, one.end) for one in run.passages(topic, document) if one.known),
            )
            for run in session.runs
        )

    def _preview(self, stroke: Stroke | None) -> None:
        session = self._session
        if session.document is None:
            return
        if self.scratching.active:
            self.scratching.preview(stroke)
            return
        state = session.state
        if stroke is not None:
            state = DocumentState.of(stroke.applied_to(state.marks), state.bep)
        self._show_scores(state, preview=stroke is not None)

    def _show_scores(self, state: DocumentState, *, preview: bool) -> None:
        session, here = self._session, self._here()
        if session.document is None or not (self._active or self._beside):
            return
        length, scores, reason = session.document.length, None, ""
        if here is None or session.run is None:
            reason = "no run is open"
        elif state.untouched and not preview:
            reason = "not judged yet"
        else:
            scores = score(state, here, length, self.board.parameters)
        if self._active:
            self.scores.set_scores(scores, length=length, preview=preview, reason=reason)
        if self._beside:
            self.scored.emit(live_figures("" if session.run is None else session.run.id, scores, reason))

    def _explain(self, state: DocumentState) -> None:
        session, here = self._session, self._here()
        if not self._active:
            return
        if session.document is None or here is None or state.untouched:
            self.scores.set_explanation(None)
            return
        parameters = self.board.parameters
        explanation = explain(
            state.marks,
            here.passages,
            length=session.document.length,
            bep=state.bep,
            entry=here.entry,
            parameters=parameters,
            most=MOST_COSTS,
        )
        self.scores.set_explanation(explanation, session.document.text)

    # -- what is asked for ---------------------------------------------------------------------------

    def step(self, by: int) -> None:
        """Go to the next document of the ranking (1) or the one before (-1)."""
        self.ranked.step(by)

    def _choose_document(self, chosen: DocumentChosen) -> None:
        session = self._session
        if session.document is not None and session.document.id == chosen.document:
            if chosen.start is not None:
                self._article.reveal(chosen.start)
            return
        self._wanted_start = None if chosen.start is None else (chosen.document, chosen.start)
        session.open_document(chosen.document)

    def _reveal(self, wanted: SpanWanted) -> None:
        self._article.reveal(wanted.start, wanted.end)
        self._article.place_caret(wanted.start)

    def _step_passage(self, kind: PassageKind, by: int) -> None:
        """Go to the next passage of a kind, or the one before, and say which of how many it is."""
        here = self._here()
        if here is None:
            return
        passages = kind.among(self._session.state.marks, here.passages)
        target, said = self._steps.step(kind, passages, self._article.caret, by)
        self._stepped.set_text(said)
        announce(self._article, said)
        if target is not None:
            self._article.place_caret(target[0])
            self._article.reveal(*target)
