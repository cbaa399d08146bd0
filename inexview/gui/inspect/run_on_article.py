"""A run over the open article: overlay and legend, steps between passages, and the line under the text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property

from PySide6.QtCore import QObject, QPoint, Signal

from inexview.core.article.document import Document
from inexview.core.evaluation.derivations import RANK
from inexview.core.evaluation.explain import CHARACTERS, LENGTH, Cost, Explanation, explain
from inexview.core.evaluation.variants import Fault, RankingFault, change_text, faults_that_count
from inexview.core.judgements.qrels import Judgement
from inexview.core.judgements.runs import UNKNOWN, Result, Run, Task
from inexview.core.measures.in_context import (
    DocumentScores,
    ReadingEffort,
    reading_effort,
)
from inexview.core.open_runs.chunk_ranking import ChunkRanking, RankedChunk
from inexview.core.open_runs.rankings import (
    ChunkBar,
    Gains,
    RankingCosts,
    Retrieved,
    chunk_bars,
    faults,
    gains_of,
    reading_of,
    retrieved_texts,
    score,
    subtitle,
)
from inexview.core.open_runs.scoring import are_same, key_of
from inexview.core.project.document_state import DocumentState
from inexview.core.report import count, difference_text, short
from inexview.core.text.search import quoted
from inexview.core.text.spans import EMPTY, Spans
from inexview.core.wording import counted
from inexview.gui.article.article_view import ArticleView, show_judged
from inexview.gui.article.bars import crumbs
from inexview.gui.article.lanes import MOST_RANKED, Pointed, heat_of
from inexview.gui.article.margins import NumberedPlace
from inexview.gui.article.overlays import HEAT, Heat, Lane, Overlay, Stroke
from inexview.gui.inspect.chunk_list import TopicChunks
from inexview.gui.inspect.legend import Legend
from inexview.gui.inspect.ranked_list import CostsOfRanking, TopicRanking
from inexview.gui.inspect.run_scoring import (
    FigureAsked,
    FigureClicks,
    FigureLevel,
    FigureOf,
    RunScoring,
    scored_judgement,
)
from inexview.gui.inspect.scores import ScorePanel
from inexview.gui.inspect.what_if import ScratchCopies
from inexview.gui.look.widgets import WhenSeen
from inexview.gui.services.messages import Messages
from inexview.gui.services.session import Session
from inexview.gui.services.tasks import BackgroundTask, Tasks


class DocumentCosts(QObject):
    """The gains of the open document's faults; empty while its scores do not match what is shown."""

    known = Signal()

    def __init__(self, session: Session, board: RunScoring, tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._board = board
        self._tasks = tasks
        self._task: BackgroundTask | None = None
        self._asked: tuple[object, ...] = ()
        self.gains: Gains = {}
        self.measure = ""

    def ask(self, run: Run, costs: Sequence[Cost]) -> None:
        """Compute the costs of a run's faults, costliest first, and forget those computed before."""
        board, session = self._board, self._session
        qrels, task, document, topic = board.qrels, board.task, session.document, session.topic
        decides = board.figures.deciding
        value = board.figures.of_topic(run, topic.id) if costs and topic is not None else None
        if qrels is None or task is None or document is None or topic is None or value is None:
            self._forget(())
            return
        name, own = document.id, topic.id
        settings = board.settings_for(task, decides)
        asked = run, qrels, own, name, repr(settings), value, tuple(costs)
        if asked == self._asked:
            return
        self._forget(asked)
        judged = qrels.judgement(own, name)
        if board.stale or judged is None or judged.passages != session.state.marks:
            self._asked = ()  # its scores do not match what is shown
            return
        self.measure = board.figures.topic_name
        self._task = self._tasks.run(
            lambda: gains_of(qrels, run, settings, own, name, costs, value), self._take, when_settled=True
        )

    def _forget(self, asked: tuple[object, ...]) -> None:
        self._asked, self.gains, self.measure = asked, {}, ""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def _take(self, gains: Gains) -> None:
        self._task, self.gains = None, gains
        self.known.emit()


MOST_LANES = 8


@dataclass(frozen=True, eq=False)
class RunResults:
    """A run's lane next to a document, and the results that it shows."""

    run: Run
    topic: str
    document: str
    lane: Lane
    most: int | None = None
    """Number of results of the topic that count; None for all."""

    @cached_property
    def results(self) -> tuple[Result, ...]:
        """The results of the run in the document, in rank order; computed on demand."""
        found = self.run.passages(self.topic, self.document)
        return tuple(one for one in found if self.most is None or one.rank <= self.most)

    def at(self, start: int, end: int, rank: int | None = None) -> Result | None:
        """Return the best result that shares a character with ``[start, end)``; a point counts as one.

        With a ``rank``, return the result at that rank.
        """
        if rank is not None:
            return next((one for one in self.results if one.rank == rank), None)
        known = (one for one in self.results if one.start != UNKNOWN and one.start < end)
        return next((one for one in known if start < max(one.end, one.start + 1)), None)


class DocumentLanes:
    """Looks up the results of all runs once per document."""

    def __init__(self, session: Session, board: RunScoring) -> None:
        self._session = session
        self._board = board
        self._texts: tuple[tuple[object, ...], list[Spans]] = ((), [])
        self._made: tuple[tuple[object, ...], tuple[RunResults, ...]] = ((), ())
        self._heat: tuple[tuple[RunResults, ...], Heat] | None = None
        self._most: int | None = None

    def all(self) -> tuple[RunResults, ...]:
        session = self._session
        if session.topic is None or session.document is None or not session.runs:
            return ()
        topic, document, runs, board = session.topic.id, session.document.id, session.runs, self._board
        if board.most != self._most:
            self._most, self._texts, self._made = board.most, ((), []), ((), ())
        most, place = self._most, (session.topic, session.document, runs)
        if not are_same(self._texts[0], place):
            self._texts = place, retrieved_texts(runs, topic, document, most)
        # the current run and the baseline have styles of their own
        made_of = *place, board.task, board.current, board.baseline
        if not are_same(self._made[0], made_of):
            name, styles, texts = board.name, map(board.style, runs), self._texts[1]
            self._made = (
                made_of,
                tuple(
                    RunResults(
                        run, topic, document, Lane(name(run), style, text, chunks=self._chunks_of(run)), most
                    )
                    for run, style, text in zip(runs, styles, texts, strict=True)
                ),
            )
        return self._made[1]

    def _chunks_of(self, run: Run) -> tuple[ChunkBar, ...]:
        """Return each chunk of the open document as a bar, for runs that have a lane of chunks."""
        session, board = self._session, self._board
        laned = len(session.runs) <= MOST_RANKED or run in {board.current, board.baseline}
        if board.task is not Task.CHUNKS or session.topic is None or session.document is None or not laned:
            return ()
        chunks = run.passages(session.topic.id, session.document.id)
        return chunk_bars([one for one in chunks if one.rank <= board.choice.reading.k])

    def shown(self) -> tuple[RunResults, ...]:
        """Return the runs with a lane: none if one run is open, the compared ones if there are many."""
        every = self.all()
        of_chunks = any(one.lane.chunks for one in every)
        if len(every) < 2 and not of_chunks:
            return ()
        if len(every) <= (MOST_RANKED if of_chunks else MOST_LANES):
            return every
        return tuple(one for one in every if one.run in {self._board.current, self._board.baseline})

    def heat(self) -> Heat | None:
        """Return how many runs agree, if there are too many runs for lanes."""
        every = self.all()
        if len(every) <= MOST_LANES:
            return None
        if self._heat is None or self._heat[0] is not every:
            self._heat = every, heat_of([one.lane for one in every])
        return self._heat[1]


def reading_subtitle(effort: ReadingEffort, tolerance: int) -> str:
    """Return a line with the figures of T2I: the score, and what a reader reads of a document."""
    until = "read to the end" if effort.stop is None else "reader stops at ]"
    figure = f"{effort.score:.4f} · {effort.relevant:,} relevant of {effort.read.size:,} read"
    return f"T2I[{tolerance}] = {figure} · {until}"


class PassageKind(Enum):
    """A kind of passage that a run makes of a judged document: hit, missed and so on."""

    HIT = "hit"
    MISS = "miss"
    FALSE_ALARM = "false alarm"
    ENTRY_POINT = "entry point"

    def among(self, marks: Spans, retrieved: Spans) -> Spans:
        """Return the passages of this kind; entry points have none."""
        if self is PassageKind.ENTRY_POINT:
            return EMPTY
        if self is PassageKind.HIT:
            return marks & retrieved
        return marks - retrieved if self is PassageKind.MISS else retrieved - marks


class TextSteps:
    """Steps through the passages of a kind.

    At the last one a step first shows a message and stays; another step continues at the first.
    """

    def __init__(self) -> None:
        self._at_end: tuple[PassageKind, int] | None = None

    def step(
        self, kind: PassageKind, passages: Iterable[tuple[int, int]], caret: int, by: int
    ) -> tuple[tuple[int, int] | None, str]:
        """Return the passage to go to, None to stay, and the message to show."""
        spans = list(passages)
        if not spans:
            self._at_end = None
            return None, f"no {kind.value} in this document"
        starts = [start for start, _ in spans]
        if by > 0:
            at = next((place for place, start in enumerate(starts) if start > caret), None)
        else:
            at = next((place for place in reversed(range(len(starts))) if starts[place] < caret), None)
        wrapped = ""
        if at is None:
            if self._at_end != (kind, by):
                self._at_end = kind, by
                which = "last" if by > 0 else "first"
                where = "first" if by > 0 else "last"
                return None, f"this was the {which} {kind.value} of {len(spans)}; once more for the {where}"
            at = 0 if by > 0 else len(spans) - 1
            wrapped = ", from the other end"
        self._at_end = None
        start, end = spans[at]
        size = f" · {counted(end - start, 'character')}" if end > start else ""
        said = f"{kind.value} {at + 1} of {len(spans)}{size}{wrapped}"
        return (start, end), said


def entry_points(bep: int | None, entry: int | None) -> list[tuple[int, int]]:
    """Return the entry points of the assessor and of the run, as empty spans in order of the text."""
    return [(at, at) for at in sorted({at for at in (bep, entry) if at is not None})]


MOST_COSTS = 50
NOT_JUDGED = "not judged"


def live_figures(scores: DocumentScores) -> str:
    """Return a line with precision, recall, F and s(x,b); a dash if an entry point is missing."""
    s = None if scores.distance is None else scores.s
    shown = (("P", scores.precision), ("R", scores.recall), ("F", scores.f), ("s", s))
    return "   ".join(f"{name} {short(value)}" for name, value in shown)


class RunOnArticle(QObject):
    """Draws the run over the article in Inspect, and reports its scores for the document."""

    # the run's name ("" without a run), and its figures or why there are none
    scored = Signal(object, object)

    def __init__(
        self,
        session: Session,
        article: ArticleView,
        board: RunScoring,
        scratch_copies: ScratchCopies,
        ranking: TopicRanking,
        chunks: TopicChunks,
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
        self._chunks = chunks
        self._messages = messages
        self._told: set[str] = set()
        self._beside = self._reading = False
        self._run: Run | None = None  # the shown run
        self._laned: tuple[RunResults, ...] = ()  # the runs whose lanes are shown, as of the last update
        self._weighed: tuple[tuple[object, ...], tuple[Cost, ...]] = ((), ())
        self.lanes = DocumentLanes(session, board)
        self._seen = WhenSeen(article, self._show)
        self._explained = WhenSeen(self.scores, self._explain)
        article.pen.previewed.connect(self._preview)
        article.pen.ghosted.connect(self._preview_entry)
        self.scores.costs.numbered.connect(self._number_faults)
        chunks.known.connect(self.show)
        chunks.changed.connect(self.show)
        board.figured.connect(self._follow_board)

    def set_beside(self, on: bool) -> None:
        """Report the scores of the run in Assess too, or stop."""
        self._beside = on
        self.show()
        if not on:
            self.scored.emit("", "")

    def show(self) -> None:
        """Show the marks, in Inspect also what the run retrieved, and then the scores."""
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
            most = self._board.most
            self._article.set_subtitle(subtitle(name, here, state, document.length, judged, most))
            self._tell_faults(session.run, document)
            shown = here.passages.clip(0, document.length)
            effort = self._effort(here, state, document.length)
            if effort is not None:
                self._article.set_subtitle(reading_subtitle(effort, self._board.parameters.tolerance))
            overlay = Overlay(
                state.marks,
                state.bep,
                shown,
                None if self._board.task is Task.CHUNKS else here.entry,
                self._lanes(here),
                judged=not state.untouched,
                style=self._board.style(session.run),
                unread=EMPTY if effort is None else effort.read.complement(0, document.length),
                stop=None if effort is None else effort.stop,
                heat=self.lanes.heat(),
                pen_on_run=self._scratch_copies.active,
                before=self._before(here).clip(0, document.length),
                cuts=self._cuts(document),
                chosen=self._chosen(document),
            )
            self._article.set_overlay(overlay)
        self.legend.show_overlay(self._article.overlay)
        self._show_scores(state, preview=False)
        self._explained.refresh()

    def _cuts(self, document: Document) -> tuple[int, ...]:
        """Return the chunk borders that cut a passage which no chunk contains whole."""
        ranking = self._chunks.ranking()
        return () if ranking is None else ranking.cuts(document.id, self._chunks.k)

    def _chosen(self, document: Document) -> tuple[int, int] | None:
        """Return the span of the selected chunk if it lies in the open document."""
        chunk = self._chunks.chunk
        if chunk is None or chunk.document != document.id or chunk.start is None or chunk.end is None:
            return None
        return chunk.start, min(chunk.end, document.length)

    def score_again(self) -> None:
        """Show the scores with new parameters; the text only if it shows what a reader reads.

        The explanation follows the board by itself.
        """
        if self._reading or not self._article.isVisible():
            self.show()
        elif self._session.document is not None:
            self._show_scores(self._session.state, preview=False)

    def _not_judged(self) -> str:
        """Return why a document without marks has none."""
        board, session = self._board, self._session
        if session.topic is None or session.document is None:
            return NOT_JUDGED
        if session.document.id not in board.judged_as_wholes(session.topic.id):
            return NOT_JUDGED
        return "relevant, no passage is marked" if board.elements is None else "elements judged"

    def toggle_reading(self) -> None:
        """Show or hide the text read until the reader stops."""
        self._reading = not self._reading
        self.legend.set_reading(self._reading)
        self.show()

    def _effort(self, here: Retrieved, state: DocumentState, length: int) -> ReadingEffort | None:
        """Return what a reader of the run's passages reads of the judged document, if that is shown."""
        if not self._reading or state.untouched or not here.passages:
            return None
        tolerance = self._board.parameters.tolerance
        return reading_effort(
            state.marks, here.passages, length=length, tolerance=tolerance, already=here.nowhere
        )

    def _tell_faults(self, run: Run, document: Document) -> None:
        """Report once what is wrong with a run's passages in a document."""
        session = self._session
        if session.topic is None:
            return
        told = faults(run, session.topic.id, document.id, document.length, self._board.task)
        if told and told not in self._told:
            self._told.add(told)
            self._messages.warn(told, session.while_here())

    def _lanes(self, here: Retrieved) -> tuple[Lane, ...]:
        """Return the lanes; in what-if the lane of the scratch copy is hollow and shows its passages."""
        lanes, run = self.lanes.shown(), self._session.run
        if not self._scratch_copies.active:
            return tuple(one.lane for one in lanes)
        return tuple(
            replace(one.lane, spans=here.passages, hollow=True) if one.run is run else one.lane
            for one in lanes
        )

    def _before(self, here: Retrieved) -> Spans:
        """Return what the run retrieves in the document and its scratch copy does not."""
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
            self.scored.emit(name, live_figures(scores) if scores is not None else name and reason)

    def _judged(self, document: Document, state: DocumentState) -> Judgement | None:
        """Return the judgement by which the open document would be scored in this state."""
        return scored_judgement(self._session, self._board.given, document.id, state, document.length)

    def _follow_board(self) -> None:
        """Update explanation and lanes; another run in the foreground is shown by a signal of its own."""
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
        """Explain the open document with the costliest of these faults; None if it is not judged."""
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
        """Return all costs of the open document, computed once."""
        session = self._session
        of = (session.document_id, session.state, self._ranking.here(), self._board.parameters)
        if of != self._weighed[0]:
            told = self.explanation()
            self._weighed = (of, () if told is None else told.costs)
        return self._weighed[1]

    def _number_faults(self, places: tuple[NumberedPlace, ...]) -> None:
        if not self._chunks.active:  # chunks have faults of their own
            self._article.margin.set_numbers(places)

    def _show_gains(self) -> None:
        self.scores.costs.show_gains(self.costs.measure, self.costs.gains)


WORDS = 70  # code points of a passage to quote
READOUT_GAP = "  ·  "


class Readout(QObject):
    """Describes, in the line under the text, what the mouse points at in Inspect."""

    def __init__(
        self,
        session: Session,
        article: ArticleView,
        shown: RunOnArticle,
        costs: CostsOfRanking,
        chunks: TopicChunks,
    ) -> None:
        super().__init__(article)
        self.active = False
        self.scratched = False
        """Whether a scratch copy is shown, which the line does not describe."""
        self._session = session
        self._article = article
        self._on_article = shown
        self._lanes = shown.lanes
        self._costs = costs
        self._chunks = chunks
        self._shown: tuple[RunResults, Result] | None = None
        self._missed: Cost | None = None
        self._pointed: Pointed | None = None
        shown.costs.known.connect(self._learn_gains)
        costs.known.connect(self._learn)
        for others in (session.document_opened, session.document_failed, session.run_selected):
            # the pointed passage belongs to what was shown before
            others.connect(lambda _shown: self._point(None))
        chunks.changed.connect(lambda: self._point(None))
        chunks.known.connect(lambda: self._point(self._pointed))
        chunks.list.view.pointed.connect(self._point_at_rank)
        article.gutter.chunk_chosen.connect(self._choose_chunk)
        article.gutter.pointed.connect(self._point)
        article.outlines.hovered.connect(lambda offset: self._point(Pointed(offset, offset + 1)))

    def set_active(self, active: bool) -> None:
        """Describe runs in Inspect only."""
        self.active = active
        self._point(None)

    def offer_figures(self, clicks: FigureClicks) -> None:
        ground, gutter = self._article.under_title.ground, self._article.gutter
        clicks.watch(ground, self._figure_at, clicked_at=self._clicked_at, menu=False)
        clicks.watch(gutter, lambda _at: self._figure(), clicked_at=lambda _at: None, menu=False)
        clicks.watch(self._article.strip.readout, lambda _at: self._figure())

    def _clicked_at(self, at: QPoint) -> FigureAsked | None:
        """Return the figure under the title that is clicked, unless the pen is active there."""
        line = self._article.under_title
        return None if self._article.pen_state.live else self._of_part(line.part_at(at))

    def _figure_at(self, at: QPoint) -> FigureAsked | None:
        return self._of_part(self._article.under_title.part_at(at)) or self._figure()

    def _of_part(self, part: str) -> FigureAsked | None:
        """Return the figure that a part of the line under the title shows."""
        if not self.active or not part:
            return None
        of = FigureOf.SCRATCH if self.scratched else FigureOf.RUN
        named = next((name for name in (RANK, *CHARACTERS) if part.startswith(f"{name} ")), "")
        if part.endswith(f" {LENGTH}"):
            named = LENGTH
        elif part.startswith("T2I[") or " relevant of " in part:
            named = self._article.subtitle.partition(" ")[0]
        return FigureAsked(FigureLevel.DOCUMENT, named, of=of) if named else None

    def _figure(self) -> FigureAsked | None:
        """Return the figure of the passage under the mouse: its effect on the topic."""
        document, shown, missed = self._session.document_id, self._shown, self._missed
        if not self.active or document is None:
            return None
        if shown is not None:
            one, result = shown
            return FigureAsked(FigureLevel.TOPIC, "", document, run=key_of(one.run), start=result.start)
        if missed is not None and not self.scratched:
            place = RankingFault(document, missed.fault, missed.start, missed.end)
            return FigureAsked(FigureLevel.TOPIC, "", document, FigureOf.CORRECTED, corrected_fault=place)
        return None

    def _point(self, pointed: Pointed | None) -> None:
        """Describe what is pointed at; otherwise the strip shows the element again."""
        document, said = self._session.document, ""
        self._shown = self._missed = None
        self._pointed = pointed
        if self.active and pointed is not None and document is not None:
            said = self._agreeing(pointed) if pointed.lane == HEAT else self._of_run(pointed, document)
        self._article.strip.show_readout(said or self._of_chosen())

    def _of_chosen(self) -> str:
        """Describe the selected chunk as long as nothing is pointed at."""
        if not self.active or self._article.strip.holds_legend:
            return ""  # in a low window the legend has the line
        return self._of_chunk(self._chunks.ranking(), self._chunks.chunk)

    def _point_at_rank(self, rank: int | None) -> None:
        """Describe a chunk of the list."""
        ranking = self._chunks.ranking()
        chunk = None if ranking is None or rank is None else ranking.chunk(rank)
        self._shown = self._missed = None
        said = self._of_chunk(ranking, chunk) if self.active else ""
        self._article.strip.show_readout(said or self._of_chosen())

    def _of_chunk(self, ranking: ChunkRanking | None, chunk: RankedChunk | None, run: str = "") -> str:
        if ranking is None or chunk is None or not self._chunks.active:
            return ""
        title = self._session.catalogue.about(chunk.document).title or chunk.document
        where = "" if chunk.document == self._session.document_id else title
        return READOUT_GAP.join(filter(None, (run, *ranking.in_words(chunk, self._chunks.k), where)))

    def _choose_chunk(self, lane: int, rank: int) -> None:
        """Select a chunk whose bar was clicked, and bring its run to the foreground."""
        run = self._lanes.shown()[lane].run
        if run is not self._session.run:
            self._session.select_run(run)
        self._chunks.choose(rank)

    def _agreeing(self, pointed: Pointed) -> str:
        every = self._lanes.all()
        there = [one.lane.name for one in every if one.at(pointed.start, pointed.end) is not None]
        return READOUT_GAP.join(
            filter(None, (f"{len(there)} of {len(every)} runs retrieved this", ", ".join(there)))
        )

    def _of_run(self, pointed: Pointed, document: Document) -> str:
        current = self._session.run
        if pointed.lane is None:
            one = next((one for one in self._lanes.all() if one.run is current), None)
        else:
            one = self._lanes.shown()[pointed.lane]
        if self.scratched and one is not None and one.run is current:
            return ""
        result = None if one is None else one.at(pointed.start, pointed.end, pointed.rank)
        if one is not None and result is None and pointed.lane is None:
            return self._of_missed(pointed, document)
        if one is None or result is None:
            return "" if pointed.lane is None or one is None else f"{one.lane.name}{READOUT_GAP}nothing here"
        self._shown = one, result
        if self._chunks.active:
            ranking = self._chunks.of(one.run)
            name = "" if one.run is current else one.lane.name
            chunk = None if ranking is None else ranking.chunk(result.rank)
            return self._of_chunk(ranking, chunk, name)
        self._costs.want(one.run, result.topic)
        costs = self._costs.known_of(one.run, result.topic)
        return describe(one.lane.name, result, document, self._session.state.marks, costs)

    def _of_missed(self, pointed: Pointed, document: Document) -> str:
        """Describe relevant text that the run missed: its cost, and which runs retrieved it."""
        costs = () if pointed.start not in self._session.state.marks else self._on_article.every_cost()
        self._missed = next(
            (one for one in costs if one.fault is Fault.MISSED and one.start <= pointed.start < one.end), None
        )
        if self._missed is None:
            return ""
        every = [one for one in self._lanes.all() if one.run is not self._session.run]
        found = sum(one.at(self._missed.start, self._missed.end) is not None for one in every)
        by_others = f"retrieved by {found} of {len(every)} others" if every else ""
        known = self._on_article.costs
        return describe_missed(
            self._missed, document, by_others, known.measure, known.gains.get(self._missed)
        )

    def _learn_gains(self) -> None:
        document, missed = self._session.document, self._missed
        if missed is not None and document is not None:
            self._article.strip.show_readout(self._of_missed(Pointed(missed.start, missed.end), document))

    def _learn(self, run: Run, topic: str) -> None:
        """Show the cost once it is computed."""
        document, shown = self._session.document, self._shown
        if shown is None or document is None or (shown[0].run, shown[1].topic) != (run, topic):
            return
        name, marks, costs = shown[0].lane.name, self._session.state.marks, self._costs.known_of(run, topic)
        self._article.strip.show_readout(describe(name, shown[1], document, marks, costs))


def describe_missed(cost: Cost, document: Document, others: str, measure: str, gain: float | None) -> str:
    """Return a line on missed text: its cost in the document and, if known, in the topic."""
    size = cost.end - cost.start
    of_topic = "" if gain is None else f"{difference_text(-gain, 4)} {measure}"
    told = (
        "missed",
        f"{cost.start}:{size}",
        f"{difference_text(-cost.loss, 4)} {cost.measure}",
        of_topic,
        others,
        quoted(document.text, cost.start, cost.end, WORDS),
        crumbs(document.elements[document.elements.around(cost.start, cost.end)].path),
    )
    return READOUT_GAP.join(part for part in told if part)


def describe(run: str, result: Result, document: Document, marks: Spans, costs: RankingCosts | None) -> str:
    """Return a line on one result, the most decisive facts first."""
    size = result.end - result.start
    relevant = (marks & Spans([(result.start, result.end)])).size if size else 0
    score = "" if result.score is None else f"score {result.score:g}"
    change = None if costs is None else costs.results.get(result.rank)
    effect = ""
    if costs is not None and change is not None:
        effect = f"{costs.measure} {change_text(change)} without it"
    element = document.elements[document.elements.around(result.start, max(result.end, result.start + 1))]
    told = (
        run,
        f"rank {result.rank}",
        score,
        f"{result.start}:{size}" if size else f"enters at {result.start}",
        f"size {count(size)}" if size else "",
        f"rsize {count(relevant)}" if size else "",
        effect,
        quoted(document.text, result.start, result.end, WORDS),
        crumbs(element.path),
    )
    return READOUT_GAP.join(part for part in told if part)
