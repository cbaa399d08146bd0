"""The rankings of runs: rows of documents, what each document costs, and where runs retrieve in one."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from inexview.core.evaluation.explain import Cost
from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.judgements.runs import UNKNOWN, Result, Run, Task
from inexview.core.measures.in_context import (
    ReadingEffort,
)
from inexview.core.measures.measure import Parameters
from inexview.core.open_runs.rankings import (
    DocumentFaults,
    Gains,
    RankingCosts,
    Retrieved,
    document_value,
    gains_of,
    ranking_costs,
    retrieved_texts,
)
from inexview.core.open_runs.scoring import are_same
from inexview.core.project.document_list import CatalogueEntry
from inexview.core.project.document_state import DocumentState
from inexview.core.text.spans import EMPTY, Spans
from inexview.gui.article.margins import heat_of
from inexview.gui.article.overlays import Heat, Lane
from inexview.gui.inspect.run_scoring import RunScoring
from inexview.gui.look.theme import RelevanceState
from inexview.gui.services.session import Session
from inexview.gui.services.tasks import BackgroundTask, Tasks


class RankedKey(Enum):
    """A figure of a ranked document, by which the list can be sorted."""

    RANK = "rank"
    TITLE = "document"
    SCORE = "S(d)"
    SO_FAR = "so far"
    GAIN = "gain"
    THERE = "rank there"
    CHANGE = "left out"
    SIZE = "size"
    RSIZE = "rsize"


@dataclass(frozen=True, slots=True)
class OtherRanking:
    """What the run that is compared with made of a document: no rank where it did not find it."""

    rank: int | None
    score: float | None


@dataclass(frozen=True, slots=True)
class RankedDocument:
    """One document of a run's ranking.

    ``rank`` is None for a relevant document that the run does not hold; ``score`` is F(d) or s(x,b), None
    where the document is unjudged; ``length`` the document's in characters, None where not known;
    ``first_start`` where the run's first passage in it starts.
    """

    rank: int | None
    document: str
    title: str
    state: RelevanceState
    score: float | None = None
    length: int | None = None
    judged: Spans = EMPTY
    retrieved: Spans = EMPTY
    first_start: int | None = None
    other: OtherRanking | None = None
    was: int | None = None
    """The rank in the run that this is a scratch copy of, 0 where it was not found; None outside what-if."""

    @property
    def dropped(self) -> bool:
        """Whether the run had found it, and its scratch copy does not."""
        return self.rank is None and bool(self.was)

    @property
    def place(self) -> str:
        """The rank, and before it that of the run where the scratch copy has another: ``4 → 3``."""
        ranks = [self.was or 0, self.rank or 0] if self.was is not None else [self.rank or 0]
        return " → ".join(str(rank or "–") for rank in dict.fromkeys(ranks))

    @property
    def gained(self) -> float | None:
        """The score less that of the other run, None where there is none to compare with."""
        if self.other is None or self.other.score is None or self.score is None:
            return None
        return self.score - self.other.score


class Filter(Enum):
    """Which of the documents are shown."""

    ALL = "All"
    MISSES = "Misses"
    FALSE_ALARMS = "False alarms"
    UNJUDGED = "Unjudged"


@dataclass(frozen=True, slots=True)
class Rows:
    """A ranking's documents, which become rows when they are looked at, those of a page together."""

    documents: Sequence[str] = ()
    make: Callable[[Sequence[str]], Iterable[RankedDocument]] = field(default=lambda _names: ())
    judged: Mapping[str, DocumentFaults] = field(default_factory=dict)
    """What is at fault with those of which anything is judged."""


def judged(state: DocumentState) -> RelevanceState:
    if state.finished:
        return RelevanceState.RELEVANT if state.relevant else RelevanceState.NOT_RELEVANT
    return RelevanceState.UNJUDGED if state.untouched else RelevanceState.BEGUN


def ranked_row(
    retrieved: Retrieved,
    state: DocumentState,
    about: CatalogueEntry,
    parameters: Parameters,
    judgement: Judgement | None,
    *,
    other: Retrieved | None = None,
    task: Task | None = None,
) -> RankedDocument:
    """Make the row of one document, scored by what the task takes for S(d).

    ``judgement`` is what it is scored by; an unjudged one has none, and no score.  ``other`` is what the run
    that is compared with retrieved of it.
    """
    where = RelevanceState.ABSENT if about.missing and state.untouched else judged(state)

    def valued(found: Retrieved) -> float | None:
        return None if judgement is None else document_value(judgement, found, parameters, task)

    value = valued(retrieved)
    return RankedDocument(
        rank=retrieved.rank or None,
        document=retrieved.document,
        title=about.title,
        state=where,
        score=value,
        length=about.length or None,
        judged=state.marks,
        retrieved=retrieved.passages,
        first_start=retrieved.entry,
        other=None if other is None else OtherRanking(other.rank or None, valued(other)),
    )


def reading_subtitle(effort: ReadingEffort, tolerance: int) -> str:
    """Say in a line what a reader reads of a document, and what T2I is."""
    until = "read to the end" if effort.stop is None else "patience ends at ]"
    figure = f"{effort.score:.4f} · {effort.relevant:,} relevant of {effort.read.size:,} read"
    return f"T2I[{tolerance}] = {figure} · {until}"


KEPT = 64  # rankings of which the costs are remembered


class Key(NamedTuple):
    """What the costs of a ranking depend on."""

    run: Run
    topic: str
    qrels: Qrels
    task: Task
    settings: str
    measure: str


class CostsUnderWay(NamedTuple):
    """Costs that are being computed, and who waits for them."""

    task: BackgroundTask
    waiting: list[Callable[[Run, RankingCosts], None]]


class CostsOfRanking(QObject):
    """Computes the costs of rankings, and remembers those that were asked for lately."""

    known = Signal(object)  # RankingCosts of the ranking that is listed

    def __init__(self, board: RunScoring, tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self._board = board
        self._tasks = tasks
        self._under_way: dict[Key, CostsUnderWay] = {}
        self._listed: Key | None = None
        self._kept: OrderedDict[Key, RankingCosts] = OrderedDict()

    def ask(self, run: Run, topic: str) -> bool:
        """List the costs of a run's ranking of a topic as the board scores now; tell if they are known."""
        self._listed = key = self._key(run, topic)
        kept = None if key is None else self._kept.get(key)
        if kept is not None:
            self.known.emit(kept)
        else:
            self.want(run, topic)
        return kept is not None

    def known_of(self, run: Run, topic: str) -> RankingCosts | None:
        """Return the costs of a ranking, None where they are not known yet."""
        key = self._key(run, topic)
        return None if key is None else self._kept.get(key)

    def want(self, run: Run, topic: str, learned: Callable[[Run, RankingCosts], None] | None = None) -> None:
        """Compute the costs of a ranking that are not known, and then tell them; the list's own it hears."""
        key, board = self._key(run, topic), self._board
        if key is None or key in self._kept:
            return
        if key in self._under_way:
            waiting = self._under_way[key].waiting
            waiting += [] if learned is None or learned in waiting else [learned]
            return
        settings = board.settings_for(key.task, board.figures.deciding)
        for other in [other for other in self._under_way if other != self._listed]:
            self._under_way.pop(other).task.cancel()

        def done(costs: RankingCosts) -> None:
            waiting = self._under_way.pop(key).waiting
            self._kept[key] = costs
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            if key == self._key(run, topic):
                for tell in waiting:
                    tell(run, costs)
            if key == self._listed:  # another may be listed by now, whose costs were known already
                self.known.emit(costs)

        task = self._tasks.run(
            lambda: ranking_costs(key.qrels, run, settings, topic), done, when_settled=True
        )
        self._under_way[key] = CostsUnderWay(task, [] if learned is None else [learned])

    def _key(self, run: Run, topic: str) -> Key | None:
        """Return what costs depend on; None where there are no figures now."""
        board = self._board
        qrels, task, measure = board.qrels, board.task, board.figures.deciding
        if qrels is None or task is None or not measure or board.stale or topic not in qrels.topics:
            return None
        return Key(run, topic, qrels, task, repr(board.choice.settings(task)), measure)


class DocumentCosts(QObject):
    """Knows the gains of the document that is shown; none where it is not scored as it is shown."""

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
        """Find out what the faults of a run cost, costliest first; what was known of others is forgotten."""
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
            self._asked = ()  # it is not scored as it is shown
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
    """A run's lane beside a document, and what lies behind it."""

    run: Run
    topic: str
    document: str
    lane: Lane

    @cached_property
    def results(self) -> tuple[Result, ...]:
        """The results of the run in the document, in rank order; made when one points at them."""
        return tuple(self.run.passages(self.topic, self.document))

    def at(self, start: int, end: int) -> Result | None:
        """Return the best result that has any of the characters ``[start, end)``; a point counts as one."""
        known = (one for one in self.results if one.start != UNKNOWN and one.start < end)
        return next((one for one in known if start < max(one.end, one.start + 1)), None)


class DocumentLanes:
    """Looks up the results of all runs once for each document."""

    def __init__(self, session: Session, board: RunScoring) -> None:
        self._session = session
        self._board = board
        self._texts: tuple[tuple[object, ...], list[Spans]] = ((), [])
        self._made: tuple[tuple[object, ...], tuple[RunResults, ...]] = ((), ())
        self._heat: tuple[tuple[RunResults, ...], Heat] | None = None

    def all(self) -> tuple[RunResults, ...]:
        session = self._session
        if session.topic is None or session.document is None or not session.runs:
            return ()
        topic, document, runs, board = session.topic.id, session.document.id, session.runs, self._board
        place = session.topic, session.document, runs
        if not are_same(self._texts[0], place):
            self._texts = place, retrieved_texts(runs, topic, document)
        made_of = *place, board.current, board.baseline  # which have styles of their own
        if not are_same(self._made[0], made_of):
            name, styles, texts = board.name, map(board.style, runs), self._texts[1]
            self._made = (
                made_of,
                tuple(
                    RunResults(run, topic, document, Lane(name(run), style, text))
                    for run, style, text in zip(runs, styles, texts, strict=True)
                ),
            )
        return self._made[1]

    def shown(self) -> tuple[RunResults, ...]:
        """Return the runs that have a lane: all, or of too many those that are compared; none of one run."""
        every = self.all()
        if len(every) < 2:
            return ()
        if len(every) <= MOST_LANES:
            return every
        return tuple(one for one in every if one.run in {self._board.current, self._board.baseline})

    def heat(self) -> Heat | None:
        """Return how many runs agree, where they have no lane each."""
        every = self.all()
        if len(every) <= MOST_LANES:
            return None
        if self._heat is None or self._heat[0] is not every:
            self._heat = every, heat_of([one.lane for one in every])
        return self._heat[1]
