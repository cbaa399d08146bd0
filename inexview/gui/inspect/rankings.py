"""The rankings of runs: rows of documents, what each document costs, and where runs retrieve in one."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, IntFlag
from functools import cached_property
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QObject, Signal

from inexview.core.errors import InexviewError
from inexview.core.evaluation.evaluate import PreparedRun, prepare
from inexview.core.evaluation.explain import Cost
from inexview.core.evaluation.scores import RankSteps, ScoringSettings
from inexview.core.evaluation.scratch_run import ranking_of
from inexview.core.evaluation.variants import (
    ROUNDING,
    RankingFault,
    TopicWithout,
    effects_of_faults,
    leave_out_of,
    missed_documents,
)
from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.judgements.runs import UNKNOWN, Result, Run, Task
from inexview.core.judgements.subsets import Subset
from inexview.core.measures.in_context import (
    DocumentRanks,
    DocumentScores,
    ReadingEffort,
    reading_effort,
    score_document,
)
from inexview.core.measures.joined import UNKNOWN_ENTRY, UNKNOWN_SIZE
from inexview.core.measures.measure import Parameters
from inexview.core.measures.ranked import RankedDocuments
from inexview.core.project.document_list import CatalogueEntry
from inexview.core.project.judging.document_state import DocumentState
from inexview.core.text.id_columns import Keys, Names
from inexview.core.text.spans import EMPTY, Floats, Offsets, Spans
from inexview.gui.article.margin_signs import heat_of
from inexview.gui.article.overlays import Heat, Lane
from inexview.gui.inspect.run_board import RunBoard
from inexview.gui.inspect.scoring import are_same
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


class DocumentFaults(IntFlag):
    """What a run did wrong in a document, or that no one can say."""

    NONE = 0
    MISSED = 1
    FALSE_ALARM = 2
    UNJUDGED = 4


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


@dataclass(frozen=True, eq=False)
class RankingCosts:
    """What the documents of a ranking do to a measure of the topic, each by its id.

    ``so_far`` is precision (``so_far_name``) down to a document; ``left_out`` how the measure changes without
    it; ``found`` how it would change had the run found it, after everything else.
    """

    measure: str = ""
    value: float = 0.0
    so_far_name: str = "gP"
    so_far: Mapping[str, float] = field(default_factory=dict)
    left_out: Mapping[str, float] = field(default_factory=dict)
    found: Mapping[str, float] = field(default_factory=dict)
    results: Mapping[int, float] = field(default_factory=dict)
    """How the measure changes without the result at a rank of the run, from 1."""

    def change(self, document: str) -> float | None:
        """Return how the measure changes were this document not as it is; None where no one knows."""
        return self.left_out.get(document, self.found.get(document))

    def costliest(self, may_be: Callable[[str], bool]) -> str | None:
        """Return the document that costs most, of those that ``may_be``; None where none costs anything."""
        costs = {name: cost for name, cost in {**self.found, **self.left_out}.items() if cost > 0}
        ranked = sorted(costs, key=lambda name: -costs[name])
        return next(filter(may_be, ranked), None)


FAULTS = tuple(map(DocumentFaults, range(2 * DocumentFaults.UNJUDGED)))


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What a run retrieved of one document; ``entry`` is where its first result starts, None if unknown.

    ``nowhere`` counts the characters of the results that the document does not hold.
    """

    document: str
    rank: int
    passages: Spans
    entry: int | None
    nowhere: int = 0

    @property
    def scored_entry(self) -> int | None:
        """Where the run enters as the measures have it: far before a document without the place."""
        return UNKNOWN_ENTRY if self.entry is None and self.nowhere else self.entry


class Ranking:
    """A run's documents for a topic, ranked by their first result.

    What was retrieved of one is looked up when it is asked for: a ranking of thousands is made in a moment.
    """

    def __init__(self, run: Run, topic: str) -> None:
        self.run = run
        self.topic = topic
        rows = run.rows(topic)
        names = run.document.take(slice(rows.start, rows.stop))
        order, new = Keys(np.zeros(len(names), np.int64), names).side_by_side()
        begins = np.flatnonzero(np.append(new, True))
        by_rank = np.argsort(order[begins[:-1]])
        self._rows = rows.start + order  # of each document side by side, in rank order
        self._begins, self._ends = begins[:-1][by_rank], begins[1:][by_rank]
        self.documents = names.take(order[self._begins]).strings()
        self._rank = {name: rank for rank, name in enumerate(self.documents)}

    def __contains__(self, document: str) -> bool:
        return document in self._rank

    def rank(self, document: str) -> int:
        """Return the rank of a document, 0 where the run does not hold it."""
        return self._rank.get(document, -1) + 1

    def retrieved(self, document: str) -> Retrieved:
        """Join the results in a document; where the run does not hold it, no passages at rank 0."""
        return self.retrieved_of([document])[0]

    def retrieved_of(self, documents: Sequence[str]) -> list[Retrieved]:
        """Join the results in each of some documents; all at once costs what a few would one by one."""
        held = [name for name in documents if name in self._rank]
        of, starts, ends = self._results_in(held)
        known = starts != UNKNOWN
        passages = Spans.several(of[known], starts[known], ends[known], len(held))
        nowhere = (np.bincount(of[~known], minlength=len(held)) * UNKNOWN_SIZE).tolist()
        firsts = starts[np.searchsorted(of, np.arange(len(held)))].tolist()
        found = {
            name: Retrieved(name, self.rank(name), spans, None if first == UNKNOWN else first, lost)
            for name, spans, first, lost in zip(held, passages, firsts, nowhere, strict=True)
        }
        return [found.get(name) or Retrieved(name, 0, EMPTY, None) for name in documents]

    def _results_in(self, documents: Sequence[str]) -> tuple[Offsets, Offsets, Offsets]:
        """Return the n results in documents of the ranking, document by document and each in rank order.

        Of each the number of its document, from 0, its start, and its end, shape (n,) each.
        """
        at = np.array([self._rank[name] for name in documents], np.int64)
        counts = self._ends[at] - self._begins[at]
        of = np.repeat(np.arange(len(at)), counts)
        within = np.arange(len(of)) - np.repeat(np.cumsum(counts) - counts, counts)
        rows = self._rows[self._begins[at][of] + within]
        starts = self.run.start[rows]
        return of, starts, starts + np.maximum(self.run.size[rows], 0)

    def faults(self, states: Mapping[str, DocumentState]) -> dict[str, DocumentFaults]:
        """Say of documents of the ranking what the run missed or took wrongly in them.

        All are computed at once, prepared end to end on one axis.
        """
        named = [name for name in states if name in self._rank]
        place, starts, ends = self._results_in(named)
        known = starts != UNKNOWN
        edges = [states[name].edges for name in named]
        marked = np.repeat(np.arange(len(named)), [len(one) // 2 for one in edges])
        marks = np.array([*chain.from_iterable(edges)], np.int64).reshape(-1, 2)
        each = 1 + int(max(ends.max(initial=0), marks.max(initial=0)))  # room for any of them
        found = Spans.from_arrays((place * each + starts)[known], (place * each + ends)[known])
        judged = Spans.from_arrays(*(marked * each + marks.T))
        bounds = np.arange(len(named) + 1) * each
        took, right, hits = (np.diff(spans.below(bounds)) for spans in (found, judged, found & judged))
        untouched = np.array([states[name].untouched for name in named], dtype=bool)
        said = np.where(hits < right, DocumentFaults.MISSED, 0) | np.where(
            hits < took, DocumentFaults.FALSE_ALARM, 0
        )
        said = np.where(untouched, DocumentFaults.UNJUDGED, said)
        return dict(zip(named, map(FAULTS.__getitem__, said.tolist()), strict=True))


def judged(state: DocumentState) -> RelevanceState:
    if state.finished:
        return RelevanceState.RELEVANT if state.relevant else RelevanceState.NOT_RELEVANT
    return RelevanceState.UNJUDGED if state.untouched else RelevanceState.BEGUN


def score(judgement: Judgement, retrieved: Retrieved, parameters: Parameters) -> DocumentScores:
    return score_document(
        judgement.passages,
        judgement.rsize,
        retrieved.passages,
        judgement.length,
        judgement.bep,
        retrieved.scored_entry,
        parameters,
        nowhere=retrieved.nowhere,
    )


def reading_of(judgement: Judgement, retrieved: Retrieved, parameters: Parameters) -> ReadingEffort | None:
    """Return what a reader of the retrieved passages reads; None where nothing is marked, or retrieved."""
    if not judgement.passages or not retrieved.rank:
        return None
    return reading_effort(
        judgement.passages,
        retrieved.passages,
        length=judgement.length,
        tolerance=parameters.tolerance,
        already=retrieved.nowhere,
    )


def document_value(
    judgement: Judgement, retrieved: Retrieved, parameters: Parameters, task: Task | None
) -> float:
    """Return S(d): s(x,b) in best-in-context, T2I where the task and the parameters say so, else F(d)."""
    if task is not None and parameters.reads(task):
        effort = reading_of(judgement, retrieved, parameters)
        return 0.0 if effort is None else effort.score
    scores = score(judgement, retrieved, parameters)
    return scores.s if task is Task.BEST_IN_CONTEXT else scores.f


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


def subtitle(
    run: str, retrieved: Retrieved, state: DocumentState, length: int, untouched: str = "not judged"
) -> str:
    """Say in a line how a run found a document, and what of it, in characters."""
    found = f"rank {retrieved.rank}" if retrieved.rank else "not retrieved"
    if state.untouched:
        did = [untouched, f"{length:,} characters"]
    else:
        both = (state.marks & retrieved.passages).size
        missed, wrong = state.marks.size - both, retrieved.passages.size - both
        did = [f"hits {both:,}", f"misses {missed:,}", f"false alarms {wrong:,}"]
    return " · ".join([found, *did, retrieved.document, run])  # what is elsewhere too comes last


def faults(run: Run, topic: str, document: str, length: int, task: Task | None) -> str:
    """Say which of a run's results in a document overlap or run past its end; empty where none does.

    In the thorough task elements lie in one another: that is no fault there.
    """
    spans = sorted((one.start, one.end) for one in run.passages(topic, document) if one.known)
    overlapping = 0 if task is Task.THOROUGH else sum(b[0] < a[1] for a, b in pairwise(spans))
    past = sum(end > length for _, end in spans)
    said = []
    if overlapping:
        said.append(f"{overlapping:,} of its {len(spans):,} results here overlap others, and count once")
    if past:
        said.append(f"{past:,} end past the article's {length:,} characters, and are shown up to there")
    return f"{run.path or run.id}, topic {topic}, {document}: {'; '.join(said)}." if said else ""


KEPT = 64  # rankings of which the costs are remembered
NONE = RankingCosts()


class Key(NamedTuple):
    """What costs depend on; run and qrels by their ``id()``, since only the same objects are the same."""

    run: int
    topic: str
    qrels: int
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

    def __init__(self, board: RunBoard, tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self._board = board
        self._tasks = tasks
        self._under_way: dict[Key, CostsUnderWay] = {}
        self._listed: Key | None = None
        self._kept: OrderedDict[Key, tuple[RankingCosts, Run, Qrels]] = OrderedDict()

    def ask(self, run: Run, topic: str) -> bool:
        """List the costs of a run's ranking of a topic as the board scores now; tell if they are known."""
        self._listed = key = self._key(run, topic)
        kept = None if key is None else self._kept.get(key)
        if kept is not None:
            self.known.emit(kept[0])
        else:
            self.want(run, topic)
        return kept is not None

    def known_of(self, run: Run, topic: str) -> RankingCosts | None:
        """Return the costs of a ranking, None where they are not known yet."""
        key = self._key(run, topic)
        kept = None if key is None else self._kept.get(key)
        return None if kept is None else kept[0]

    def want(self, run: Run, topic: str, learned: Callable[[Run, RankingCosts], None] | None = None) -> None:
        """Compute the costs of a ranking that are not known, and then tell them; the list's own it hears."""
        key, qrels, board = self._key(run, topic), self._board.qrels, self._board
        if key is None or qrels is None or key in self._kept:
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
            self._kept[key] = costs, run, qrels  # these stay, and so their ids stay theirs
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            if key == self._key(run, topic):
                for tell in waiting:
                    tell(run, costs)
            if key == self._listed:  # another may be listed by now, whose costs were known already
                self.known.emit(costs)

        task = self._tasks.run(lambda: ranking_costs(qrels, run, settings, topic), done, when_settled=True)
        self._under_way[key] = CostsUnderWay(task, [] if learned is None else [learned])

    def _key(self, run: Run, topic: str) -> Key | None:
        """Return what costs depend on; None where there are no figures now."""
        board = self._board
        qrels, task, measure = board.qrels, board.task, board.figures.deciding
        if qrels is None or task is None or not measure or board.stale or topic not in qrels.topics:
            return None
        return Key(id(run), topic, id(qrels), task, repr(board.choice.settings(task)), measure)


def ranking_costs(qrels: Qrels, run: Run, settings: ScoringSettings, topic: str) -> RankingCosts:
    """Return what each document does to the one measure of the settings; nothing of a topic not scored."""
    judged, ranking = Subset(topics=frozenset((topic,))).of_qrels(qrels), ranking_of(run, topic)
    try:
        prepared = prepare(judged, ranking, settings)
        if topic not in prepared.joined.topics or not len(prepared.joined):
            return NONE
        without = leave_out_of(prepared, topic)
        missed = effects_of_faults(judged, ranking, settings, missed_documents(judged, ranking))
    except InexviewError:
        return NONE
    name, so_far = precision_so_far(prepared, without)
    return RankingCosts(
        prepared.names[0],
        float(without.values[0]),
        name,
        dict(zip(without.documents, so_far.tolist(), strict=True)),
        dict(zip(without.documents, _changes(without.without_document, without.values), strict=True)),
        {fault.document: gain for fault, gain in missed.gains(prepared.names[0]).items()},
        {
            row + 1: change
            for row, change in zip(
                without.source.tolist(), _changes(without.without_result, without.values), strict=True
            )
        },
    )


def _changes(without: Floats, values: Floats) -> list[float]:
    """Return how the one measure changes without each part; what is only rounding is 0."""
    changes = without[0] - values[0]
    found: list[float] = np.where(np.abs(changes) < ROUNDING, 0.0, changes).tolist()
    return found


def precision_so_far(prepared: PreparedRun, without: TopicWithout) -> tuple[str, Floats]:
    """Return precision down to each of d documents of one topic, shape (d,), and what it is called.

    It is that of the curve over ranks, where the task ranks results at a document's last one.
    """
    joined = prepared.joined
    precision = RankSteps.of(joined, prepared.parameters, prepared.view).precision
    if issubclass(prepared.view, DocumentRanks | RankedDocuments):
        return "gP" if issubclass(prepared.view, DocumentRanks) else "P", precision
    last = np.zeros(len(without.documents), np.int64)
    np.maximum.at(last, without.document, np.arange(len(joined)))
    return "P", precision[last]


Gains = Mapping[Cost, float]
"""What the topic's measure would gain were each of these faults mended."""


class DocumentCosts(QObject):
    """Knows the gains of the document that is shown; none where it is not scored as it is shown."""

    known = Signal()

    def __init__(self, session: Session, board: RunBoard, tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._board = board
        self._tasks = tasks
        self._task: BackgroundTask | None = None
        self._asked: tuple[object, ...] = ()
        self._held: tuple[Run, Qrels] | None = None  # so that no others get their ids
        self.gains: Gains = {}
        self.measure = ""

    def ask(self, run: Run, costs: Sequence[Cost]) -> None:
        """Find out what the faults of a run cost, dearest first; what was known of others is forgotten."""
        board, session = self._board, self._session
        qrels, task, document, topic = board.qrels, board.task, session.document, session.topic
        decides = board.figures.deciding
        value = board.figures.of_topic(run, topic.id) if costs and topic is not None else None
        if qrels is None or task is None or document is None or topic is None or value is None:
            self._forget(())
            return
        name, own = document.id, topic.id
        settings = board.settings_for(task, decides)
        asked = id(run), id(qrels), own, name, repr(settings), value, tuple(costs)
        if asked == self._asked:
            return
        self._forget(asked)
        judged = qrels.judgement(own, name)
        if board.stale or judged is None or judged.passages != session.state.marks:
            self._asked = ()  # it is not scored as it is shown
            return
        self._held, self.measure = (run, qrels), board.figures.topic_name
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


def gains_of(
    qrels: Qrels,
    run: Run,
    settings: ScoringSettings,
    topic: str,
    document: str,
    costs: Sequence[Cost],
    before: float,
) -> Gains:
    """Return what the one measure of the settings gains in a topic were each fault mended."""
    try:
        faults = [RankingFault(document, cost.fault, cost.start, cost.end) for cost in costs]
        effects = effects_of_faults(qrels, ranking_of(run, topic), settings, faults)
    except InexviewError:
        return {}
    return {cost: value - before for cost, value in zip(costs, effects.right[0].tolist(), strict=True)}


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

    @cached_property
    def _bounds(self) -> tuple[Offsets, Offsets]:
        """Starts and ends (n,) of the results; a point counts as a character, an unknown place as none."""
        starts = np.array([one.start for one in self.results], np.int64)
        ends = np.array([one.end for one in self.results], np.int64)
        return starts, np.where(starts == UNKNOWN, starts, np.maximum(ends, starts + 1))

    def at(self, start: int, end: int) -> Result | None:
        """Return the best result that has any of the characters ``[start, end)``."""
        starts, ends = self._bounds
        met = np.flatnonzero((starts < end) & (start < ends))
        return self.results[int(met[0])] if len(met) else None


class DocumentLanes:
    """Looks up the results of all runs once for each document."""

    def __init__(self, session: Session, board: RunBoard) -> None:
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
            self._texts = place, _texts(runs, topic, document)
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
        pair = {id(self._board.current), id(self._board.baseline)}
        return tuple(one for one in every if id(one.run) in pair)

    def heat(self) -> Heat | None:
        """Return how many runs agree, where they have no lane each."""
        every = self.all()
        if len(every) <= MOST_LANES:
            return None
        if self._heat is None or self._heat[0] is not every:
            self._heat = every, heat_of([one.lane for one in every])
        return self._heat[1]


def _texts(runs: Sequence[Run], topic: str, document: str) -> list[Spans]:
    """Return the characters of a document that each run retrieved, as far as it says where they are.

    All runs are looked through at once: with a hundred, what numpy takes for each call would be seen.
    """
    parts = [slice(rows.start, rows.stop) for rows in (run.rows(topic) for run in runs)]
    names = Names.joined([run.document.take(part) for run, part in zip(runs, parts, strict=True)])
    rows = np.flatnonzero(names.are(document))
    of = np.repeat(np.arange(len(runs)), [part.stop - part.start for part in parts])[rows]
    starts, sizes = (
        np.concatenate([column[part] for column, part in zip(columns, parts, strict=True)])[rows]
        for columns in ([run.start for run in runs], [run.size for run in runs])
    )
    known = starts != UNKNOWN
    ends = starts + np.maximum(sizes, 0)
    return Spans.several(of[known], starts[known], ends[known], len(runs))
