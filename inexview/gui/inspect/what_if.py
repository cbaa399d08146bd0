"""What-if: the scratch copies of the open runs, what the pen does to them, and what they score then."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from PySide6.QtCore import QObject, Signal

from inexview.core.article.document import Document
from inexview.core.article.granularity import Granularity
from inexview.core.errors import InexviewError
from inexview.core.evaluation.scratch_run import (
    RunChange,
    RunStep,
    ScratchRun,
    WhatIfScorer,
    enter,
    erase,
    mark,
    move,
    results_of,
)
from inexview.core.judgements.runs import Run, Task
from inexview.core.open_runs.rankings import Ranking, Retrieved, score
from inexview.core.open_runs.scoring import PlacedRun, key_of, placed_runs
from inexview.core.wording import counted
from inexview.gui.article.article_view import ArticleView
from inexview.gui.article.overlays import Stroke, Tool
from inexview.gui.inspect.run_scoring import NEEDS_CHARACTERS, RunScoring, scored_judgement
from inexview.gui.services.messages import Message, MessageKind, Messages, sentence
from inexview.gui.services.session import Session

MOST_MEASURES = 4


@dataclass(frozen=True, slots=True)
class BeforeAfter:
    """One figure of the run and of its scratch copy; None where there is none."""

    name: str
    before: float | None
    after: float | None


@dataclass(frozen=True, slots=True)
class WhatIfFigures:
    """What follows the changes: document, topic and run, and the run's place among the runs."""

    document: tuple[BeforeAfter, ...] = ()
    topic: tuple[BeforeAfter, ...] = ()
    run: tuple[BeforeAfter, ...] = ()
    topics: tuple[int, int] = (0, 0)
    """How many the run's means are over, before and after: a topic without a result is left out of them."""
    place: tuple[int, int] = (0, 0)
    """Before and after, from 1."""
    runs: int = 0
    around: tuple[PlacedRun, ...] = ()
    missing: str = ""
    """Why topic and run have no figures."""


@dataclass(eq=False)
class ScratchCopy:
    """A scratch run with what each of its changes did to the topic, by the measure that decides."""

    scratch: ScratchRun
    effects: list[float | None] = field(default_factory=list)
    saved: tuple[RunChange, ...] = ()
    """The changes that are in a file."""

    @property
    def unsaved(self) -> bool:
        """Whether it has changes that are in no file."""
        return bool(self.scratch.changes) and self.scratch.changes != self.saved


class ScratchCopies(QObject):
    """Keeps a scratch copy of each run until the window closes; nothing of the judgements changes."""

    changed = Signal()  # another copy, other changes, or other figures before them
    previewed = Signal(object)  # WhatIfFigures while a stroke is drawn

    def __init__(self, session: Session, board: RunScoring, article: ArticleView, messages: Messages) -> None:
        super().__init__(article)
        self.active = False
        self._session = session
        self._board = board
        self._messages = messages
        self._article = article
        self._copies: dict[str, ScratchCopy] = {}  # by the key of the run, which may be closed or read again
        self._open: tuple[str, ...] = ()
        self._scorer: tuple[tuple[object, ...], WhatIfScorer] | None = None
        self._scored_by: tuple[WhatIfScorer | None, str] = (None, "")  # as the effects were: by which measure
        article.stroke_finished.connect(self.stroke)
        article.entry_point_chosen.connect(self.enter)
        session.run_selected.connect(lambda _run: self._tell())
        session.topic_changed.connect(lambda _topic: self._tell())
        session.document_opened.connect(lambda _opened: self._tell())
        board.figured.connect(self._tell)
        session.runs_changed.connect(self._follow_runs)

    def set_active(self, active: bool) -> None:
        """Be in what-if, or not."""
        if active is not self.active:
            self.active = active
            self.changed.emit()

    @property
    def copy(self) -> ScratchCopy | None:
        run = self._session.run
        if run is None:
            return None
        copy = self._copies.setdefault(key_of(run), ScratchCopy(ScratchRun(run)))
        if copy.scratch.base is not run:  # it was read again, or closed and opened
            copy = self._copies[key_of(run)] = self._made_again(copy, run)
        return copy

    def _made_again(self, copy: ScratchCopy, run: Run) -> ScratchCopy:
        """Return a copy of a run that was read again, and say which changes are made in that too."""
        again = ScratchCopy(copy.scratch.on(run))
        made = len(again.scratch.changes)
        lost = len(copy.scratch.changes) - made
        if lost:
            told = (
                f"{run.id} was read again, and {counted(lost, 'change')} of its scratch copy fit it no more."
            )
            self._messages.say(Message(MessageKind.WARNING, told))
        elif made:
            told = f"{run.id} was read again, with the {counted(made, 'change')} made to it here."
            self._messages.info(told)
        if not copy.unsaved:
            again.saved = again.scratch.changes
        return again

    @property
    def unsaved(self) -> list[ScratchCopy]:
        """The scratch copies with changes that are in no file, also those of runs that are closed."""
        return [copy for copy in self._copies.values() if copy.unsaved]

    def note_saved(self, copy: ScratchCopy, changes: tuple[RunChange, ...]) -> None:
        """Note that a copy is in a file, with these changes."""
        copy.saved = changes
        self.changed.emit()

    def discard(self) -> None:
        """Let all scratch copies go."""
        changed = any(copy.scratch.changes for copy in self._copies.values())
        self._copies.clear()
        if changed:
            self.changed.emit()

    def _follow_runs(self, runs: tuple[Run, ...]) -> None:
        """Say of a run that is closed with changes that these are kept, and where they went."""
        there = tuple(map(key_of, runs))
        for key in self._open:
            copy = self._copies.get(key)
            if key not in there and copy is not None and copy.scratch.changes:
                changes = counted(len(copy.scratch.changes), "change")
                told = f"{copy.scratch.base.id} is closed. Opened again here, it has its {changes} again."
                self._messages.say(Message(MessageKind.WARNING, told))
        self._open = there

    def ranking(self, topic: str) -> Run | None:
        """Return the scratch copy's ranking of a topic; None while one is not in what-if."""
        copy = self.copy
        return copy.scratch.ranking(topic) if self.active and copy is not None else None

    @property
    def said(self) -> str:
        copied = self._copied
        return copied and f"{copied}  ·  the run file and the judgements stay as they are"

    @property
    def shown_as(self) -> str:
        """What lies over the text: the run by its name, or in what-if its copy with so many changes."""
        run = self._session.run
        return self._copied if self.active else "" if run is None else self._board.name(run)

    @property
    def _copied(self) -> str:
        copy = self.copy
        if copy is None:
            return ""
        changes = counted(len(copy.scratch.changes), "change")
        if copy.scratch.changes:
            changes += ", in no file yet" if copy.unsaved else ", saved"
        return f"scratch copy of {self._board.name(copy.scratch.base)}  ·  {changes}"

    @property
    def style(self) -> int | None:
        """The style of the run of which there is a scratch copy."""
        return None if self.copy is None else self._board.style(self.copy.scratch.base)

    # -- changing ------------------------------------------------------------------------------------

    def stroke(self, stroke: Stroke) -> None:
        """Retrieve what the pen drew over, or no more what the eraser did."""
        if self.active and (document := self._session.document) is not None:
            if (entry := self.entered_by(stroke)) is not None:
                self.enter(entry)
                return
            said = "retrieved" if stroke.tool is Tool.MARK else "dropped"
            self._change(f"{said} {stroke.start:,}–{stroke.end:,}", self._step(stroke, document))

    def entered_by(self, stroke: Stroke) -> int | None:
        """Return where a stroke lets the run enter: in best-in-context, which has one result of a document.

        One that begins or ends where the passage does moves that end, there too.
        """
        document, topic = self._session.document_id, self._session.topic
        best = stroke.tool is Tool.MARK and self._board.task is Task.BEST_IN_CONTEXT
        ranking = None if topic is None else self.ranking(topic.id)
        if not best or document is None or ranking is None:
            return None
        own = [(one.start, one.end) for one in results_of(ranking, document) if one.is_passage]
        moves_end = any(stroke.start == end or stroke.end == start for start, end in own)
        return None if moves_end else stroke.start

    def enter(self, at: int) -> None:
        """Let the run enter the open document there."""
        if self.active and self._session.document is not None:
            self._change(f"entered at {at:,}", self._step(at, self._session.document))

    def move(self, by: int) -> None:
        """Move the open document down the ranking (1) or up (-1)."""
        if (document := self._session.document_id) is not None:
            up = "one rank up" if by < 0 else "one rank down"
            self._change(up, lambda ranking: move(ranking, document, by))

    def undo(self, at: int = -1) -> None:
        """Take a change back, the last one if none is named."""
        copy = self.copy
        if copy is not None and copy.scratch.undo(at) is not None:
            del copy.effects[at:]  # what came after it was made once more
            self.changed.emit()

    def undo_all(self) -> None:
        copy = self.copy
        while copy is not None and copy.scratch.undo() is not None:
            copy.effects.clear()
        self.changed.emit()

    def effects(self) -> list[float | None]:
        """Return what each change did to its topic, by the measure that decides; None where no one knows."""
        copy = self.copy
        if copy is None:
            return []
        changes = copy.scratch.changes
        scored_by = self.scorer(), self._board.figures.topic_name
        if scored_by != self._scored_by:
            self._scored_by = scored_by
            copy.effects.clear()
        for change in changes[len(copy.effects) :]:
            before, after = (self._of_ranking(change.topic, one) for one in (change.before, change.after))
            copy.effects.append(None if before is None or after is None else after - before)
        return copy.effects

    def preview(self, drawn: Stroke | int | None) -> Retrieved | None:
        """Tell what a stroke would do that is being drawn, or another entry point; None: it is over.

        Returns what the copy would retrieve of the open document.
        """
        copy, topic, document = self.copy, self._session.topic, self._session.document
        if copy is None or topic is None or document is None:
            return None
        scratch = copy.scratch
        if isinstance(drawn, Stroke) and (entry := self.entered_by(drawn)) is not None:
            drawn = entry
        if drawn is not None:
            scratch = scratch.trying(topic.id, self._step(drawn, document))
        self.previewed.emit(self.figures(scratch))
        return None if drawn is None else Ranking(scratch.ranking(topic.id), topic.id).retrieved(document.id)

    def _step(self, drawn: Stroke | int, document: Document) -> RunStep:
        if isinstance(drawn, int):
            end = self._least_end(drawn)
            return partial(enter, document=document.id, at=drawn, length=document.length, least=end)
        if drawn.tool is Tool.ERASE:
            return partial(erase, document=document.id, start=drawn.start, end=drawn.end)
        return partial(mark, document=document.id, start=drawn.start, end=drawn.end)

    def _least_end(self, at: int) -> int | None:
        """Return where the first passage of a document ends that begins there; None: a point is enough."""
        snapper = self._article.pen_state.snapper
        if snapper is None or self._board.task is Task.BEST_IN_CONTEXT:
            return None
        return snapper.grow(at, at + 1, Granularity.SENTENCE)[1]

    def _change(self, done: str, step: RunStep) -> None:
        """Change the copy, unless that would break a rule of the task."""
        copy, topic, document = self.copy, self._session.topic, self._session.document_id
        if copy is None or topic is None or document is None:
            return
        try:
            if (scorer := self.scorer()) is not None:
                scorer.of_ranking(topic.id, copy.scratch.trying(topic.id, step).ranking(topic.id))
        except InexviewError as error:
            self._messages.say(Message(MessageKind.REFUSED, sentence(error)))
            return
        if copy.scratch.change(topic.id, document, done, step):
            self.changed.emit()

    # -- figures -------------------------------------------------------------------------------------

    def figures(self, scratch: ScratchRun) -> WhatIfFigures:
        """Return what a copy scores beside its run."""
        board, topic = self._board, self._session.topic
        scorer, scores = self.scorer(), board.scores(scratch.base)
        document = self._of_document(scratch)
        if scorer is None or scores is None or topic is None:
            return WhatIfFigures(document, missing=self._missing())
        try:
            after = scorer.score(scratch)
        except InexviewError as error:
            return WhatIfFigures(document, missing=sentence(error))
        was, now = (one.topic(topic.id) if topic.id in one.topics else {} for one in (scores, after))
        means, new_means = scores.mean, after.mean
        shown = board.figures.measures[:MOST_MEASURES]
        named = [scores.names[scores.mean_names.index(name)] for name in shown]
        deciding = board.figures.deciding
        others = [
            (board.name(run), board.style(run), board.figures.of(run)[deciding])
            for run in board.scored()
            if run is not scratch.base
        ]
        copy = board.name(scratch.base), board.style(scratch.base)
        around = placed_runs(others, copy, means[deciding], new_means[deciding])
        own = next(one for one in around if one.scratch)
        return WhatIfFigures(
            document,
            tuple(BeforeAfter(name, was.get(name), now.get(name)) for name in named),
            tuple(BeforeAfter(name, means[name], new_means[name]) for name in shown),
            (len(scores.topics), len(after.topics)),
            (own.before, own.after),
            len(others) + 1,
            around,
        )

    def title_of(self, document: str) -> str:
        return self._session.catalogue.about(document).title or document

    def _missing(self) -> str:
        board = self._board
        if board.task is None:
            return "Choose a task to see what topic and run score."
        if board.elements is not None:
            return NEEDS_CHARACTERS
        return board.why_stale if board.stale else board.figures.nothing or "This run has no figures."

    def _of_document(self, scratch: ScratchRun) -> tuple[BeforeAfter, ...]:
        session = self._session
        if session.document is None or session.topic is None:
            return ()
        topic, document, parameters = session.topic.id, session.document, self._board.parameters
        judged = scored_judgement(session, self._board.given, document.id, session.state, document.length)
        if judged is None:
            return ()
        before, after = (
            score(judged, ranking.retrieved(document.id), parameters)
            for ranking in (Ranking(scratch.base, topic), Ranking(scratch.ranking(topic), topic))
        )
        return (
            BeforeAfter("P(d)", before.precision, after.precision),
            BeforeAfter("R(d)", before.recall, after.recall),
            BeforeAfter("F(d)", before.f, after.f),
            BeforeAfter("s(x,b)", before.s, after.s),
        )

    def _of_ranking(self, topic: str, ranking: Run) -> float | None:
        """Return what a ranking scores by the measure that decides; None where it breaks a rule."""
        scorer, measure = self._scored_by
        try:
            scored = {} if scorer is None else scorer.of_ranking(topic, ranking)
        except InexviewError:
            return None
        return scored.get(measure)

    def scorer(self) -> WhatIfScorer | None:
        """Return what scores copies of the run now; None where the run itself has no figures."""
        board, run = self._board, self._session.run
        scores, task = board.scores(run), board.figures.task
        if scores is None or board.qrels is None or task is None or board.stale:
            return None
        made_of = scores, board.qrels
        if self._scorer is None or self._scorer[0] != made_of:
            self._scorer = made_of, WhatIfScorer(board.qrels, scores, board.choice.settings(task))
        return self._scorer[1]

    def _tell(self) -> None:
        if self.active:
            self.changed.emit()
