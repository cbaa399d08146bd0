"""The chosen run over the open article: its passages, the other runs', and the scores as the pen moves."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal

from inexview.core.article.document import Document
from inexview.core.evaluation.explain import Cost, Explanation, explain
from inexview.core.evaluation.variants import Fault, faults_that_count
from inexview.core.judgements.qrels import Judgement
from inexview.core.judgements.runs import Run
from inexview.core.measures.in_context import DocumentScores, ReadingEffort, reading_effort
from inexview.core.project.judging.document_state import DocumentState
from inexview.core.text.spans import EMPTY, Spans
from inexview.gui.article.article_view import ArticleView, show_judged
from inexview.gui.article.overlays import Lane, Overlay, Stroke
from inexview.gui.inspect.document.legend import Legend
from inexview.gui.inspect.document.score_panel import ScorePanel
from inexview.gui.inspect.figures.figures import short
from inexview.gui.inspect.ranking.topic_ranking import TopicRanking
from inexview.gui.inspect.scoring.document_costs import DocumentCosts
from inexview.gui.inspect.scoring.document_lanes import DocumentLanes, RunResults
from inexview.gui.inspect.scoring.rankings import (
    Retrieved,
    faults,
    reading_of,
    reading_subtitle,
    score,
    subtitle,
)
from inexview.gui.inspect.scoring.run_board import RunBoard
from inexview.gui.inspect.scoring.scored_judgement import scored_judgement
from inexview.gui.inspect.scoring.scratch_copies import ScratchCopies
from inexview.gui.look.layouts import WhenSeen
from inexview.gui.services.messages import Messages
from inexview.gui.services.session import Session
from inexview.gui.services.tasks import Tasks

MOST_COSTS = 50
NOT_JUDGED = "not judged"


@dataclass(frozen=True, slots=True)
class LiveFigures:
    """A run by its name, and its figures or why there are none; the name is empty where nothing is shown."""

    run: str = ""
    said: str = ""


def live_figures(run: str, scores: DocumentScores | None, reason: str) -> LiveFigures:
    """Say precision, recall, F and s(x,b); the last is a dash where an entry point is missing."""
    if scores is None:
        return LiveFigures(run, reason if run else "")
    s = None if scores.distance is None else scores.s
    shown = (("P", scores.precision), ("R", scores.recall), ("F", scores.f), ("s", s))
    return LiveFigures(run, "   ".join(f"{name} {short(value)}" for name, value in shown))


class RunOnArticle(QObject):
    """Draws the run over the article while one inspects, and tells what it scores there."""

    scored = Signal(object)  # LiveFigures, while they are shown beside the judging

    def __init__(
        self,
        session: Session,
        article: ArticleView,
        board: RunBoard,
        scratch_copies: ScratchCopies,
        ranking: TopicRanking,
        messages: Messages,
        tasks: Tasks,
    ) -> None:
        super().__init__(article)
        self.active = False
        self.scores = ScorePanel()
        self.legend = Legend()
        self.legend.hide()
        article.show_legend(self.legend)
        self.costs = DocumentCosts(session, board, tasks, self)
        self.costs.known.connect(self._show_gains)
        self._session = session
        self._article = article
        self._board = board
        self._scratch_copies = scratch_copies
        self._ranking = ranking
        self._messages = messages
        self._told: set[str] = set()
        self._beside = self._reading = False
        self._run: Run | None = None  # the one that is shown
        self._laned: tuple[RunResults, ...] = ()  # the runs whose lanes are shown, as they were then
        self._weighed: tuple[tuple[object, ...], tuple[Cost, ...]] = ((), ())
        self.lanes = DocumentLanes(session, board)
        self._seen = WhenSeen(article, self._show)
        self._explained = WhenSeen(self.scores, self._explain)
        article.stroke_previewed.connect(self._preview)
        article.entry_point_previewed.connect(self._preview_entry)
        self.scores.costs.numbered.connect(article.margin.set_numbers)
        article.margin.number_chosen.connect(lambda place: self.scores.costs.choose(place.number))
        board.figured.connect(self._follow_board)

    def set_beside(self, on: bool) -> None:
        """Tell what the run scores also while one judges, or stop."""
        self._beside = on
        self.show()
        if not on:
            self.scored.emit(LiveFigures())

    def show(self) -> None:
        """Show what is judged and, while one inspects, what the run retrieved; then the scores."""
        self._seen.refresh()

    def _show(self) -> None:
        session = self._session
        self._run = session.run
        self.legend.setVisible(self.active and session.run is not None)
        if session.document is None:
            return
        state, here, document = session.state, self._ranking.here(), session.document
        if not self.active or here is None or session.run is None:
            show_judged(self._article, session)
        else:
            self._laned = self.lanes.all()
            judged, name = self._not_judged(), self._board.name(session.run)
            self._article.set_subtitle(subtitle(name, here, state, document.length, judged))
            self._tell_faults(session.run, document)
            shown = here.passages.clip(0, document.length)
            effort = self._effort(here, state, document.length)
            if effort is not None:
                self._article.set_subtitle(reading_subtitle(effort, self._board.parameters.tolerance))
            overlay = Overlay(
                state.marks,
                state.bep,
                shown,
                here.entry,
                self._lanes(here),
                judged=not state.untouched,
                style=self._board.style(session.run),
                unread=EMPTY if effort is None else effort.read.complement(0, document.length),
                stop=None if effort is None else effort.stop,
                heat=self.lanes.heat(),
                pen_on_run=self._scratch_copies.active,
                before=self._before(here).clip(0, document.length),
            )
            self._article.set_overlay(overlay)
        self.legend.show_overlay(self._article.overlay)
        self._show_scores(state, preview=False)
        self._explained.refresh()

    def score_again(self) -> None:
        """Show the scores by other parameters; the text only where it shows what they have one read.

        What explains them follows the board by itself.
        """
        if self._reading or not self._article.isVisible():
            self.show()
        elif self._session.document is not None:
            self._show_scores(self._session.state, preview=False)

    def _not_judged(self) -> str:
        """Say of a document without a mark why it has none."""
        board, session = self._board, self._session
        if session.topic is None or session.document is None:
            return NOT_JUDGED
        if session.document.id not in board.judged_as_wholes(session.topic.id):
            return NOT_JUDGED
        return "relevant, no passage says where" if board.elements is None else "elements judged"

    def toggle_reading(self) -> None:
        """Show what a reader reads until patience ends, or stop."""
        self._reading = not self._reading
        self.legend.set_reading(self._reading)
        self.show()

    def _effort(self, here: Retrieved, state: DocumentState, length: int) -> ReadingEffort | None:
        """Return what a reader of the run's passages reads of the judged document, where that is shown."""
        if not self._reading or state.untouched or not here.passages:
            return None
        tolerance = self._board.parameters.tolerance
        return reading_effort(
            state.marks, here.passages, length=length, tolerance=tolerance, already=here.nowhere
        )

    def _tell_faults(self, run: Run, document: Document) -> None:
        """Say once what is wrong with a run's passages of a document."""
        session = self._session
        if session.topic is None:
            return
        told = faults(run, session.topic.id, document.id, document.length, self._board.task)
        if told and told not in self._told:
            self._told.add(told)
            self._messages.warn(told, session.while_here())

    def _lanes(self, here: Retrieved) -> tuple[Lane, ...]:
        """Return the lanes; in what-if the scratch copy's is hollow, and shows what that retrieves."""
        lanes, run = self.lanes.shown(), self._session.run
        if not self._scratch_copies.active:
            return tuple(one.lane for one in lanes)
        return tuple(
            replace(one.lane, spans=here.passages, hollow=True) if one.run is run else one.lane
            for one in lanes
        )

    def _before(self, here: Retrieved) -> Spans:
        """Return what the run retrieves of the document and its scratch copy does not."""
        run = self._session.run
        if not self._scratch_copies.active or run is None:
            return EMPTY
        own = next((one.lane.spans for one in self.lanes.all() if one.run is run), EMPTY)
        return own - here.passages

    def _preview_entry(self, at: int | None) -> None:
        if self._session.document is not None and self._scratch_copies.active:
            self._preview_scratch(at)

    def _preview_scratch(self, drawn: Stroke | int | None) -> None:
        tried = self._scratch_copies.preview(drawn)
        self._ranking.preview(None if tried is None else self._session.state, tried)

    def _preview(self, stroke: Stroke | None) -> None:
        session = self._session
        if session.document is None:
            return
        if self._scratch_copies.active:
            self._preview_scratch(stroke)
            return
        state = session.state
        if stroke is not None:
            state = DocumentState.of(stroke.applied_to(state.marks), state.bep)
        self._ranking.preview(None if stroke is None else state)
        self._show_scores(state, preview=stroke is not None)

    def _show_scores(self, state: DocumentState, *, preview: bool) -> None:
        session, here = self._session, self._ranking.here()
        if session.document is None or not (self.active or self._beside):
            return
        task, parameters = self._board.task, self._board.parameters
        length, scores, reason, effort = session.document.length, None, "", None
        judged = self._judged(session.document, state)
        if here is None or session.run is None:
            reason = "no run is open"
        elif judged is None or (state.untouched and not preview):
            told = self._not_judged()
            reason = f"{told} yet" if told == NOT_JUDGED and self._board.elements is None else told
        else:
            length, scores = judged.length, score(judged, here, parameters)
            if task is not None and parameters.reads(task):
                effort = reading_of(judged, here, parameters)
        if self.active:
            self.scores.set_scores(scores, length=length, effort=effort, preview=preview, reason=reason)
        if self._beside:
            name = "" if session.run is None else self._board.name(session.run)
            self.scored.emit(live_figures(name, scores, reason))

    def _judged(self, document: Document, state: DocumentState) -> Judgement | None:
        """Return by what the open document is scored, were it judged so."""
        return scored_judgement(self._session, self._board.given, document.id, state, document.length)

    def _follow_board(self) -> None:
        """Explain by other figures, and lay out other lanes; a run that comes forward is shown by itself."""
        if self._session.run is not self._run:
            return
        if self.active and self.lanes.all() is not self._laned:
            self.show()
        else:
            self._explained.refresh()

    def _explain(self) -> None:
        session, run = self._session, self._session.run
        if not self.active:
            return
        task = self._board.task
        counted = frozenset(Fault) if task is None else faults_that_count(task)
        explanation = self.explanation(counted, MOST_COSTS)
        if explanation is None or session.document is None or run is None:
            self.scores.set_explanation(None)
            return
        self.costs.ask(run, [] if self._scratch_copies.active else explanation.costs)
        self.scores.set_explanation(explanation, session.document.text, self._board.task)
        self._show_gains()

    def explanation(
        self, counted: frozenset[Fault] = frozenset(Fault), most: int | None = None
    ) -> Explanation | None:
        """Explain the open document with the costliest of these faults; None where it is not judged."""
        session, here = self._session, self._ranking.here()
        state = session.state
        if session.document is None or here is None or state.untouched:
            return None
        judged = self._judged(session.document, state)
        if judged is None:
            return None
        return explain(
            judged.passages,
            here.passages,
            length=judged.length,
            bep=judged.bep,
            entry=here.scored_entry,
            parameters=self._board.parameters,
            rsize=judged.rsize,
            nowhere=here.nowhere,
            counted=counted,
            most=most,
        )

    def every_cost(self) -> tuple[Cost, ...]:
        """Return all costs of the open document; weighed once, whatever is pointed at in it."""
        session = self._session
        of = (session.document_id, session.state, self._ranking.here(), self._board.parameters)
        if of != self._weighed[0]:
            told = self.explanation()
            self._weighed = (of, () if told is None else told.costs)
        return self._weighed[1]

    def _show_gains(self) -> None:
        self.scores.costs.show_gains(self.costs.measure, self.costs.gains)
