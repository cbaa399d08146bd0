"""What if: the measures of a topic if the results of one document were different, all else unchanged.

A variant of a ranking has other results of one document: a result or the document is left out, missed text is
retrieved, or a fault is corrected.  All variants of a topic are scored together, by the ordinary measures, as
separate topics.  Each figure equals that of a full evaluation of the changed run; figures of several changes
do not add up.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property, partial
from itertools import chain
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from inexview.core.errors import InexviewError
from inexview.core.evaluation.evaluate import PreparedRun, WantedMeasure, compute, prepare, values_of
from inexview.core.evaluation.scores import RunScores, ScoringSettings, TopicScores
from inexview.core.judgements.elements import ElementQrels, ElementRun, RankedElements
from inexview.core.judgements.qrels import NO_BEP, Judgement, Qrels
from inexview.core.judgements.runs import NO_LENGTH, UNKNOWN, Run, Task
from inexview.core.judgements.subsets import Subset
from inexview.core.measures.elements import ElementRanks
from inexview.core.measures.joined import FloatsOrMask, Joined, Sightings, as_counted, ranges
from inexview.core.measures.measure import Parameters
from inexview.core.progress import Progress, unwatched
from inexview.core.report import difference_text
from inexview.core.text.spans import Floats, Ints, Keys, Mask, Names, Spans

# A scratch copy of a run: its changes, and its scores with them.
#
# A ranking is a run of a single topic, which may become empty. The functions return another ranking and leave
# their argument unchanged. Scores belong to ranks here: the result at a rank has the score of that rank, so
# that a format that ranks by scores can store the changed run.


def ranking_of(run: Run, topic: str) -> Run:
    """Return a run's ranking of one topic; empty for a topic that the run does not have."""
    rows = np.array(run.rows(topic), np.int64)
    return replace(_of_rows(run, rows), topics=(topic,), by_score=False)


def move(ranking: Run, document: str, by: int) -> Run:
    """Return a ranking with a document ``by`` documents further down, with its results together.

    A negative number moves it up, at most to the top.  The others keep their order.
    """
    names = ranking.document.strings()
    listed = list(dict.fromkeys(names))
    if document not in listed:
        return ranking
    at = listed.index(document)
    to = min(max(at + by, 0), len(listed) - 1)
    if to == at:
        return ranking
    others = [other for other in listed if other != document]
    before = names.index(others[to]) if to < len(others) else len(names)
    own = ranking.document.are(document)
    rows = np.arange(len(names))
    first, last = rows[~own & (rows < before)], rows[~own & (rows >= before)]
    return replace(ranking.take(np.concatenate([first, rows[own], last])), score=ranking.score)


def mark(ranking: Run, document: str, start: int, end: int) -> Run:
    """Return a ranking with the characters [start, end) of a document retrieved.

    Passages that they overlap or touch merge with them, at the rank of the first.  Without such passages they
    follow the document's results, or come last.
    """
    own = results_of(ranking, document)
    return retrieved(ranking, document, retrieving(own, start, end, last=len(ranking)))


def erase(ranking: Run, document: str, start: int, end: int) -> Run:
    """Return a ranking without the characters [start, end) of a document; a passage may become two."""
    return retrieved(ranking, document, erasing(results_of(ranking, document), start, end))


def enter(ranking: Run, document: str, at: int, length: int, least: int | None = None) -> Run:
    """Return a ranking in which a document of ``length`` characters is entered at an offset.

    The document's first passage moves there.  A document without results is added at the end, with the
    characters up to ``least`` or, without it, with an entry point only.
    """
    own = results_of(ranking, document)
    if not own and least is not None and at < least:
        return mark(ranking, document, at, least)
    return retrieved(ranking, document, moved_to(own, at, length=length, last=len(ranking)))


def results_of(ranking: Run, document: str) -> list[PlacedResult]:
    """Return the results of a document in rank order."""
    rows = np.flatnonzero(ranking.document.are(document))
    columns = rows.tolist(), ranking.start[rows].tolist(), ranking.size[rows].tolist()
    return list(map(PlacedResult, *columns))


def results_by_document(ranking: Run, documents: Collection[str]) -> dict[str, list[PlacedResult]]:
    """Return the results of several documents, each in rank order."""
    results: dict[str, list[PlacedResult]] = {document: [] for document in documents}
    columns = ranking.document.strings(), ranking.start.tolist(), ranking.size.tolist()
    for row, (document, start, size) in enumerate(zip(*columns, strict=True)):
        if document in results:
            results[document].append(PlacedResult(row, start, size))
    return results


def retrieved(ranking: Run, document: str, results: Sequence[PlacedResult]) -> Run:
    """Return a ranking with these results of a document instead of its own.

    Results at the same row share its score, and the first of them its line; those past the end come last.
    """
    others, last = np.flatnonzero(~ranking.document.are(document)), len(ranking)
    placed = np.array(results, np.int64).reshape(-1, 3)
    rows = np.concatenate([others, placed[:, 0]])
    order = np.argsort(rows, kind="stable")
    rows, new = rows[order], order >= len(others)
    near = np.minimum(rows, last - 1)  # rows past the end use the last one's score
    again = (np.diff(rows, prepend=-1) == 0) | (rows == last)
    return replace(
        ranking,
        ptr=np.array([0, len(rows)]),
        document=Names.joined([ranking.document, Names.of([document])]).take(np.where(new, last, rows)),
        start=np.concatenate([ranking.start[others], placed[:, 1]])[order],
        size=np.concatenate([ranking.size[others], placed[:, 2]])[order],
        score=ranking.score[near] if last else np.full(len(rows), np.nan),
        line=np.where(again, 0, ranking.line[near] if last else 0),
    )


# The results of a ranking in one document, in rank order; new ones are at the row of the one that they
# follow.


class PlacedResult(NamedTuple):
    """A result at a row of a ranking, written as in :class:`~inexview.core.judgements.runs.Run`."""

    row: int
    start: int
    size: int

    @property
    def end(self) -> int:
        return self.start + self.size

    @property
    def is_passage(self) -> bool:
        """Whether its characters are known."""
        return self.start != UNKNOWN and self.size != NO_LENGTH


def retrieving(own: Sequence[PlacedResult], start: int, end: int, *, last: int) -> list[PlacedResult]:
    """Return the results of a document with the characters [start, end) retrieved.

    Passages that they overlap or touch merge with them, at the row of the first.  Without such passages they
    follow the document's results, or are at the row ``last``.
    """
    met = [one for one in own if one.is_passage and one.start <= end and start <= one.end]
    if not met:
        return [*own, PlacedResult(own[-1].row if own else last, start, end - start)]
    low, high = min(start, *(one.start for one in met)), max(end, *(one.end for one in met))
    grown = met[0]._replace(start=low, size=high - low)
    return [grown if one is met[0] else one for one in own if one is met[0] or one not in met]


def erasing(own: Sequence[PlacedResult], start: int, end: int) -> list[PlacedResult]:
    """Return the results of a document without the characters [start, end); a passage may become two."""
    left = []
    for one in own:
        row, first, size = one
        last = first + size
        if first == UNKNOWN or size == NO_LENGTH or last <= start or end <= first:
            left.append(one)
            continue
        if first < start:
            left.append(PlacedResult(row, first, start - first))
        if end < last:
            left.append(PlacedResult(row, end, last - end))
    return left


def entering(own: Sequence[PlacedResult], at: int, *, last: int) -> list[PlacedResult]:
    """Return the results of a document entered at an offset; a new one is at the row ``last``."""
    first, *others = own or [PlacedResult(last, at, NO_LENGTH)]
    return [first._replace(start=at, size=NO_LENGTH), *others]


def moved_to(own: Sequence[PlacedResult], at: int, *, length: int, last: int) -> list[PlacedResult]:
    """Return the results of a document of ``length`` characters, the first of them moved to an offset.

    A passage keeps its size unless the document ends, and others make room for it.  A document without
    results gets an entry point at the row ``last``.
    """
    if not own or not own[0].is_passage:
        return entering(own, at, last=last)
    first, *others = own
    end = min(at + first.size, length)
    if end <= at:
        return list(own)
    return [first._replace(start=at, size=end - at), *erasing(others, at, end)]


RunStep = Callable[[Run], Run]


@dataclass(frozen=True, eq=False)
class RunChange:
    """One change of a scratch run: its description, document and topic, and the previous ranking."""

    topic: str
    document: str
    done: str
    before: Run
    after: Run
    step: RunStep


class ScratchRun:
    """A copy of a run that can be changed; the run itself stays unchanged."""

    def __init__(self, base: Run) -> None:
        self.base = base
        self._rankings: dict[str, Run] = {}
        self.changes: tuple[RunChange, ...] = ()

    def ranking(self, topic: str) -> Run:
        """Return the current ranking of a topic; the same object until it changes."""
        if topic not in self._rankings:
            self._rankings[topic] = ranking_of(self.base, topic)
        return self._rankings[topic]

    def change(self, topic: str, document: str, done: str, step: RunStep) -> bool:
        """Make a change that can be undone; return whether the step changed anything."""
        before = self.ranking(topic)
        after = step(before)
        if _same(before, after):
            return False
        self._rankings[topic] = after
        self.changes = (*self.changes, RunChange(topic, document, done, before, after, step))
        return True

    def trying(self, topic: str, step: RunStep) -> ScratchRun:
        """Return another scratch run with a further change; this one stays unchanged."""
        other = ScratchRun(self.base)
        other._rankings, other.changes = dict(self._rankings), self.changes
        other.change(topic, "", "", step)
        return other

    def undo(self, at: int = -1) -> RunChange | None:
        """Undo a change, by default the last, and return it; None if there is none.

        Later changes are made again on the result; those that no longer change anything are dropped.
        """
        if not self.changes:
            return None
        gone = self.changes[at]
        again = self.on(self.base, [change for change in self.changes if change is not gone])
        self._rankings, self.changes = again._rankings, again.changes
        return gone

    def on(self, base: Run, changes: Sequence[RunChange] | None = None) -> ScratchRun:
        """Return a scratch copy of another run with the same changes, or the given ones."""
        other = ScratchRun(base)
        for change in self.changes if changes is None else changes:
            other.change(change.topic, change.document, change.done, change.step)
        return other

    @property
    def changed_topics(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(change.topic for change in self.changes))

    def run(self, id: str | None = None) -> Run:
        """Return the run in its current state, without empty topics."""
        changed = self.changed_topics
        if not changed:
            return self.base if id is None else replace(self.base, id=id)
        topics = tuple(dict.fromkeys((*self.base.topics, *changed)))
        parts = [ranking for ranking in map(self.ranking, topics) if len(ranking)]
        empty = ranking_of(self.base, "")
        return replace(
            self.base,
            id=self.base.id if id is None else id,
            topics=tuple(part.topics[0] for part in parts),
            ptr=np.cumsum([0, *map(len, parts)], dtype=np.int64),
            document=Names.joined([part.document for part in parts]) if parts else empty.document,
            start=np.concatenate([empty.start, *(part.start for part in parts)]),
            size=np.concatenate([empty.size, *(part.size for part in parts)]),
            score=np.concatenate([empty.score, *(part.score for part in parts)]),
            line=np.concatenate([empty.line, *(part.line for part in parts)]),
            path=None,
            by_score=False,
        )


class WhatIfScorer:
    """Scores a scratch run; only changed topics are computed, once for each change."""

    def __init__(self, qrels: Qrels, scores: RunScores, settings: ScoringSettings) -> None:
        """Take the scores of the unchanged run by these qrels and settings."""
        self._qrels = qrels
        self._settings = replace(settings, task=scores.task)
        self._base = scores
        self._judged: dict[str, Qrels] = {}
        self._known: dict[str, tuple[Run, Floats | None]] = {}

    def score(self, scratch: ScratchRun) -> TopicScores:
        """Return the current scores of the run, its topics in the qrels' order.

        Raises the errors of :func:`~inexview.core.evaluation.evaluate.evaluate` for a run that breaks a rule.
        """
        base = self._base
        columns: dict[str, Floats | None] = {
            topic: base.values[:, at] for at, topic in enumerate(base.topics)
        }
        for topic in scratch.changed_topics:
            if topic in self._qrels.topics:
                columns[topic] = self._column(topic, scratch.ranking(topic))
        scored = [
            (topic, column) for topic in self._qrels.topics if (column := columns.get(topic)) is not None
        ]
        values = np.array([column for _, column in scored]).reshape(len(scored), len(base.names)).T
        # in the layout of a whole evaluation, so that sums agree in every digit
        return base.with_values(np.ascontiguousarray(values), tuple(topic for topic, _ in scored))

    def of_ranking(self, topic: str, ranking: Run) -> dict[str, float]:
        """Return the measures of a topic by name if it had this ranking; empty if it is not scored."""
        column = self._column(topic, ranking) if topic in self._qrels.topics else None
        return {} if column is None else dict(zip(self._base.names, column.tolist(), strict=True))

    def _column(self, topic: str, ranking: Run) -> Floats | None:
        """Return the measures of a topic, shape (M,); None for an empty topic that is not scored."""
        known = self._known.get(topic)
        if known is not None and known[0] is ranking:
            return known[1]
        if topic not in self._judged:
            self._judged[topic] = Subset(topics=frozenset((topic,))).of_qrels(self._qrels)
        run = ranking if len(ranking) else replace(ranking, topics=(), ptr=np.zeros(1, dtype=np.int64))
        prepared = prepare(self._judged[topic], run, self._settings)
        if prepared.names != self._base.names:
            raise InexviewError("these scores use other measures than the settings")
        column: Floats | None = None
        if prepared.joined.topics:
            column = compute(prepared.joined, prepared.parameters, prepared.wanted)[0][:, 0]
        self._known[topic] = ranking, column
        return column


def _of_rows(run: Run, rows: Ints) -> Run:
    return replace(run.take(rows), ptr=np.array([0, len(rows)]))


def _same(one: Run, other: Run) -> bool:
    return len(one) == len(other) and all(
        (
            np.array_equal(one.start, other.start),
            np.array_equal(one.size, other.size),
            one.document.strings() == other.document.strings(),
        )
    )


class Fault(Enum):
    """The faults of a run at a place of a document."""

    MISSED = "missed"
    FALSE_ALARM = "false alarm"
    ENTRY_POINT = "entry point"


def faults_that_count(task: Task) -> frozenset[Fault]:
    """Return the faults within a document that affect a task's measures."""
    if task is Task.DOCUMENTS:
        return frozenset()
    if task is Task.BEST_IN_CONTEXT:
        return frozenset((Fault.ENTRY_POINT,))
    return frozenset((Fault.MISSED, Fault.FALSE_ALARM))


ROWS = 80_000
"""How many results are scored at a time."""
ELEMENT_ROWS = 100_000
"""The same for elements, each of which is an object."""


class DocumentChange(NamedTuple):
    """A document, and the results that replace its own."""

    document: str
    results: Sequence[PlacedResult]


class Stack:
    """The n results of a topic and, below them, the r results of k changes that replace others.

    ``base`` are the former; ``others`` the latter, as those of k separate topics.  ``row`` and ``names``,
    shape (n + r,), are those of each result's document.  Intermediate columns of measures are cached.
    """

    def __init__(self, base: Joined, others: Joined, row: Ints, names: Names) -> None:
        self.base = base
        self.others = others
        self.row = row
        self.names = names
        self._columns: dict[str, Any] = {}
        self._computed: dict[object, Any] = {}

    def column(self, name: str) -> Any:
        """Return a column of :class:`Joined`, shape (n + r,)."""
        if name not in self._columns:
            parts = getattr(self.base, name), getattr(self.others, name)
            self._columns[name] = self.row if name == "row" else np.concatenate(parts)
        return self._columns[name]

    @cached_property
    def firsts(self) -> Mask:
        """Which results are the first of their document, shape (n + r,)."""
        first = np.zeros(len(self.row), bool)
        first[self.base.firsts] = first[len(self.base) + self.others.firsts] = True
        return first

    @cached_property
    def sightings(self) -> Sightings:
        base, others = self.base.sightings, self.others.sightings
        pairs = (base.before, others.before), (base.size, others.size)
        result = np.concatenate((base.result, len(self.base) + others.result))
        return Sightings(result, *map(np.concatenate, pairs))

    def of_results(self, columns: Callable[[Joined], tuple[Ints, ...]]) -> tuple[Ints, ...]:
        """Return columns of the results, shape (n + r,) each."""
        if columns not in self._computed:
            pairs = zip(columns(self.base), columns(self.others), strict=True)
            self._computed[columns] = tuple(map(np.concatenate, pairs))
        computed: tuple[Ints, ...] = self._computed[columns]
        return computed

    def of_documents(self, column: Callable[[Joined], Any]) -> Any:
        """Return a column of the documents at their first results, shape (n + r,)."""
        key = (column.func, *column.keywords.values()) if isinstance(column, partial) else column
        if key not in self._computed:
            values = np.concatenate((column(self.base), column(self.others)))
            self._computed[key] = np.empty(len(self.row), values.dtype)
            self._computed[key][self.firsts] = values
        return self._computed[key]


class Variants(Joined):
    """k variants of one topic's ranking, as topics that share its judgements.

    Every column is gathered from a stack on demand, by ``order``: the places of each variant's results.
    """

    stack: Stack
    order: Ints

    def __init__(self, stack: Stack, order: Ints, ptr: Ints) -> None:
        base, count = stack.base, len(ptr) - 1
        self.__dict__.update(
            stack=stack,
            order=order,
            qrels=base.qrels,
            run=base.run,
            task=base.task,
            topics=tuple(map(str, range(count))),
            ptr=ptr,
            **{name: np.repeat(getattr(base, name), count) for name in ("code", "trel", "nrel", "passages")},
        )

    def __len__(self) -> int:
        return len(self.order)

    def __getattr__(self, name: str) -> Any:
        """Gather a column when it is first used."""
        if name.startswith("_"):
            raise AttributeError(name)
        column: Any
        if name == "keys":
            column = Keys(self.topic, self.stack.names.take(self.order))
        else:
            column = self.stack.column(name)[self.order]
        self.__dict__[name] = column
        return column

    @cached_property
    def firsts(self) -> Ints:
        return np.flatnonzero(self.stack.firsts[self.order])

    @cached_property
    def _documents(self) -> Ints:
        """The place in the stack of each document's first result, shape (d,)."""
        return self.order[self.firsts]

    @cached_property
    def sightings(self) -> Sightings:
        shown = self.stack.sightings
        bounds = np.searchsorted(shown.result, np.arange(len(self.stack.row) + 1))
        begins, ends = bounds[self.order], bounds[self.order + 1]
        pieces = ranges(begins, ends)
        result = np.repeat(np.arange(len(self)), ends - begins)
        return Sightings(result, shown.before[pieces], shown.size[pieces])

    def of_results(self, columns: Callable[[Joined], tuple[Ints, ...]]) -> tuple[Ints, ...]:
        return tuple(column[self.order] for column in self.stack.of_results(columns))

    def of_documents(self, column: Callable[[Joined], FloatsOrMask]) -> FloatsOrMask:
        gathered: FloatsOrMask = self.stack.of_documents(column)[self._documents]
        return gathered

    def take(self, kept: Ints) -> Joined:
        """Return only these results, for a measure that cuts each ranking."""
        return self.apart().take(kept)

    def apart(self) -> Joined:
        """Return the variants with a copy of the judgements for each, so that the ranking can be cut."""
        count, qrels = len(self.topics), self.qrels
        judged = np.flatnonzero(qrels.topic == self.stack.base.code[0])
        copies = replace(
            qrels.take(np.tile(judged, count)),
            topics=self.topics,
            topic=np.repeat(np.arange(count), len(judged)),
        )
        row = np.searchsorted(judged, self.row) + self.topic * len(judged)
        columns = {name: getattr(self, name) for name in Joined.__dataclass_fields__}
        columns |= {"qrels": copies, "code": np.arange(count), "row": np.where(self.row < 0, -1, row)}
        return Joined(**columns)


def score_changes(
    prepared: PreparedRun, changes: Sequence[DocumentChange], progress: Progress = unwatched
) -> Floats:
    """Return the M measures of a prepared run of one topic with each of k changes, shape (M, k)."""
    base = prepared.before if prepared.cut_at is not None else prepared.joined
    judged, firsts, n = np.flatnonzero(base.qrels.topic == base.code[0]), base.firsts, len(base)
    rows = dict(zip(base.qrels.document.take(judged).strings(), judged.tolist(), strict=True))
    retrieved = dict(zip(base.keys.names.take(firsts).strings(), firsts.tolist(), strict=True))
    first = np.array([retrieved.get(change.document, n) for change in changes], np.int64)
    row = np.array([rows.get(change.document, -1) for change in changes], np.int64)
    names = Names.of(change.document for change in changes)
    others = _other_results(prepared, base, changes, row, names)
    stack = Stack(
        base,
        others,
        np.concatenate((base.row, row[others.topic])),
        Names.joined([base.keys.names, names.take(others.topic)]),
    )
    pieces, counts = _pieces(base, first, others)
    together = max(1, ROWS // (n + 1))
    values = [np.empty((len(prepared.wanted), 0))]
    for begin in range(0, len(changes), together):
        progress("rankings", begin, len(changes))
        order = np.concatenate([*chain.from_iterable(pieces[begin : begin + together])])
        variants = Variants(stack, order, np.append(0, np.cumsum(counts[begin : begin + together])))
        cut = prepared.cut_at is not None
        counted = prepared.counted(variants.apart()) if cut else variants
        values.append(values_of(counted, prepared.parameters, prepared.wanted))
    return np.concatenate(values, axis=1)


def _other_results(
    prepared: PreparedRun, base: Joined, changes: Sequence[DocumentChange], row: Ints, names: Names
) -> Joined:
    """Return the results of k changes that count, as those of topics with a single document each."""
    count = len(changes)
    numbers = chain.from_iterable(chain.from_iterable(change.results for change in changes))
    placed = np.fromiter(numbers, np.int64).reshape(-1, 3)  # an array of records takes three times as long
    change = np.repeat(np.arange(count), [len(change.results) for change in changes])
    topics = tuple(map(str, range(count)))
    qrels = replace(base.qrels.take(np.maximum(row, 0)), topics=topics, topic=np.arange(count))
    judged = np.where(row >= 0, np.arange(count), -1)[change]
    start, size, known = as_counted(placed[:, 1], placed[:, 2], base.task)
    relevant = (judged >= 0) & (qrels.rsize[judged] > 0)
    joined = replace(
        base,
        qrels=qrels,
        topics=topics,
        code=np.arange(count),
        ptr=np.searchsorted(change, np.arange(count + 1)),
        row=judged,
        start=start,
        end=start + size,
        size=size,
        rsize=qrels.highlights.overlap(np.where(relevant, judged, -1), start, start + size),
        known=known,
        source=placed[:, 0],
        keys=Keys(change, names.take(change)),
        trel=np.repeat(base.trel, count),
        nrel=np.repeat(base.nrel, count),
        passages=np.repeat(base.passages, count),
    )
    return joined if prepared.cut_at is not None else prepared.counted(joined)


def _pieces(base: Joined, first: Ints, others: Joined) -> tuple[list[list[Ints]], Ints]:
    """Return the places in the stack of each variant's results, in rank order and in pieces, and their
    number.

    ``first`` (k,) is the first result of each changed document (n: it has none).
    """
    n = len(base)
    grouped = np.argsort(base.document, kind="stable")
    begins, ends = (np.searchsorted(base.document[grouped], first, side) for side in ("left", "right"))
    places, gone = np.searchsorted(base.source, others.source).tolist(), grouped.tolist()
    whole, new = np.arange(n), n + np.arange(len(others))
    variants = []
    for begin, end, low, high in zip(
        begins.tolist(), ends.tolist(), others.ptr[:-1].tolist(), others.ptr[1:].tolist(), strict=True
    ):
        edits = [(row, 1, 0) for row in gone[begin:end]]
        if high > low:
            edits = sorted([*edits, *((places[at], 0, at) for at in range(low, high))])
        pieces, done = [], 0
        for row, leaves, at in edits:
            pieces += [whole[done:row]] if leaves else [whole[done:row], new[at : at + 1]]
            done = row + leaves
        variants.append([*pieces, whole[done:]])
    return variants, n - (ends - begins) + np.diff(others.ptr)


# Leaving parts out.


@dataclass(frozen=True, eq=False)
class TopicWithout:
    """The M measures of one topic, unchanged and without each document or result.

    ``values`` has shape (M,); ``without_document`` (M, d) for its d documents and ``without_result`` (M, n)
    for its n results, both in rank order.  ``document`` (n,) is the index of each result's document in the
    ``documents``, ``source`` (n,) its row in the run.
    """

    topic: str
    names: tuple[str, ...]
    values: Floats
    documents: tuple[str, ...]
    document: Ints
    source: Ints
    without_document: Floats
    without_result: Floats

    def of(self, name: str) -> int:
        """Return the index of a measure.  Raises KeyError for one that was not computed."""
        if name not in self.names:
            raise KeyError(name)
        return self.names.index(name)


def leave_out_of(prepared: PreparedRun, topic: str) -> TopicWithout:
    """Return the measures of a topic without each of its documents and results.

    Raises InexviewError for a topic that was not scored.
    """
    prepared = prepared.of_topic(topic)
    joined, before = prepared.joined, prepared.before
    names = joined.keys.names.strings()
    documents = tuple(names[first] for first in joined.firsts.tolist())
    results = defaultdict[str, list[PlacedResult]](list)
    rows = before.source.tolist(), before.run.start[before.source].tolist()
    columns = before.keys.names.strings(), *rows, before.run.size[before.source].tolist()
    for name, row, start, size in zip(*columns, strict=True):
        results[name].append(PlacedResult(row, start, size))
    changes = [DocumentChange(name, ()) for name in documents]
    column = []  # for a document's only result it is that of the document
    document = np.searchsorted(joined.firsts, joined.document)
    for name, place, row in zip(names, document.tolist(), joined.source.tolist(), strict=True):
        alone = len(results[name]) == 1
        column.append(place if alone else len(changes))
        if not alone:
            changes.append(DocumentChange(name, [one for one in results[name] if one.row != row]))
    values = score_changes(prepared, changes)
    return TopicWithout(
        topic=topic,
        names=prepared.names,
        values=values_of(joined, prepared.parameters, prepared.wanted)[:, 0],
        documents=documents,
        document=document,
        source=joined.source,
        without_document=values[:, : len(documents)],
        without_result=values[:, np.array(column, np.int64)],
    )


def leave_elements_out(
    qrels: ElementQrels,
    ranking: RankedElements,
    topic: str,
    parameters: Parameters,
    wanted: Sequence[WantedMeasure],
    *,
    progress: Progress = unwatched,
) -> Floats:
    """Return the M measures of a topic without each of the n elements retrieved, shape (M, n)."""
    rankings = [(*ranking[:at], *ranking[at + 1 :]) for at in range(len(ranking))]
    together = max(1, ELEMENT_ROWS // max(1, len(ranking)))
    blocks = [np.empty((len(wanted), 0))]
    for begin in range(0, len(rankings), together):
        names = tuple(map(str, range(begin, min(begin + together, len(rankings)))))
        run = ElementRun("", {name: rankings[int(name)] for name in names})
        ranks = ElementRanks(qrels.copies(topic, names), run, complete=True)
        blocks.append(values_of(ranks, parameters, wanted))
        progress("rankings", begin + len(names), len(rankings))
    return np.concatenate(blocks, axis=1)


# Faults of a ranking: missed and falsely retrieved text in the documents that it retrieved.


@dataclass(frozen=True, slots=True)
class RankingFault:
    """A fault in a document, at ``[start, end)`` of it: the passage, or the text between two entry points.

    Without an ``end`` it concerns the whole document, which was missed or, without a ``fault``, retrieved.
    """

    document: str
    fault: Fault | None
    start: int = 0
    end: int = 0

    def results(
        self, own: Sequence[PlacedResult], judged: Judgement | None, task: Task | None, last: int
    ) -> Sequence[PlacedResult]:
        """Return the results of the document with the fault corrected, if the task has this kind of fault.

        New results of a document without any are at the row ``last``.
        """
        if self.fault is None:
            return ()
        if self.fault is Fault.MISSED and not self.end:
            return own if own or judged is None else relevant_results(judged, task, last)
        if (self.fault is Fault.ENTRY_POINT) is not (task is Task.BEST_IN_CONTEXT):
            return own
        if self.fault is Fault.MISSED:
            return retrieving(own, self.start, self.end, last=last)
        if self.fault is Fault.FALSE_ALARM:
            return erasing(own, self.start, self.end)
        return entering(own, self.end if own and self.start == own[0].start else self.start, last=last)

    def corrected(self, ranking: Run, qrels: Qrels, task: Task | None) -> Run:
        (topic,) = ranking.topics
        judged = qrels.judgement(topic, self.document)
        own = results_of(ranking, self.document)
        return retrieved(ranking, self.document, self.results(own, judged, task, len(ranking)))


def relevant_results(judged: Judgement, task: Task | None, last: int) -> list[PlacedResult]:
    """Return results that retrieve the relevant text of a document, at the row ``last``.

    In best-in-context it is the best entry point; a document without known passages is retrieved whole.
    """
    if task is Task.BEST_IN_CONTEXT:
        return [PlacedResult(last, judged.bep or 0, NO_LENGTH)]
    passages = judged.passages or [(0, judged.length)]
    return [PlacedResult(last, int(start), int(end) - int(start)) for start, end in passages]


@dataclass(frozen=True, eq=False)
class FaultEffects:
    """The M measures of a topic, ``values`` (M,), and those with each of k faults corrected, (M, k)."""

    names: tuple[str, ...]
    values: Floats
    faults: tuple[RankingFault, ...]
    right: Floats

    def gains(self, name: str) -> dict[RankingFault, float]:
        """Return a measure's gain by correcting each fault.  Raises ValueError for an unknown measure."""
        at = self.names.index(name)
        return dict(zip(self.faults, (self.right[at] - self.values[at]).tolist(), strict=True))


def effects_of_faults(
    qrels: Qrels, ranking: Run, settings: ScoringSettings, faults: Sequence[RankingFault]
) -> FaultEffects:
    """Return the scores of one topic's ranking with each fault corrected.

    An empty ranking scores 0.  Raises the errors of :func:`~inexview.core.evaluation.evaluate.evaluate`.
    """
    (topic,) = ranking.topics
    judged = Subset(topics=frozenset((topic,))).of_qrels(qrels)
    prepared = prepare(judged, ranking, replace(settings, complete=True))
    right = score_changes(prepared, changes_of(judged, ranking, prepared.joined.task, faults))
    return FaultEffects(
        prepared.names,
        values_of(prepared.joined, prepared.parameters, prepared.wanted)[:, 0],
        tuple(faults),
        right,
    )


def changes_of(
    qrels: Qrels, ranking: Run, task: Task, faults: Sequence[RankingFault]
) -> list[DocumentChange]:
    """Return the change that corrects each fault; ``qrels`` are of the ranking's topic only."""
    own = results_by_document(ranking, {fault.document for fault in faults})
    rows = {document: row for row, document in enumerate(qrels.document.strings())}
    changes = []
    for fault in faults:
        whole = fault.fault is Fault.MISSED and not fault.end
        judged = qrels.at(rows[fault.document]) if whole and fault.document in rows else None
        results = fault.results(own[fault.document], judged, task, len(ranking))
        changes.append(DocumentChange(fault.document, results))
    return changes


def missed_documents(qrels: Qrels, ranking: Run) -> list[RankingFault]:
    """Return the relevant documents that one topic's ranking lacks; ``qrels`` are of that topic only."""
    there = {*ranking.document.strings()}
    relevant = qrels.document.take(np.flatnonzero(qrels.rsize > 0)).strings()
    return [RankingFault(document, Fault.MISSED) for document in relevant if document not in there]


def faults_of(judged: Qrels, ranking: Run, task: Task) -> list[RankingFault]:
    """Return the faults that count in the task, in the documents of one topic's ranking.

    Only relevant documents with known passages have faults, and only results with known places.
    """
    counted = faults_that_count(task)
    if not counted:
        return []
    rows = np.flatnonzero((judged.rsize > 0) & (np.diff(judged.ptr) > 0))
    names = judged.document.take(rows).strings()
    places = {name: at for at, name in enumerate(names)}
    place = np.array([places.get(name, -1) for name in ranking.document.strings()], np.int64)
    known = np.flatnonzero((place >= 0) & (ranking.start != UNKNOWN))
    place, start = place[known], ranking.start[known]
    if Fault.ENTRY_POINT in counted:
        return _entry_faults(names, judged.bep[rows], place, start)
    return _passage_faults(names, judged.take(rows), place, start, start + np.maximum(ranking.size[known], 0))


def _entry_faults(names: list[str], bep: Ints, place: Ints, start: Ints) -> list[RankingFault]:
    """Return the documents that are not entered at their best entry point."""
    retrieved, first = np.unique(place, return_index=True)
    best, entry = bep[retrieved], start[first]
    wrong = np.flatnonzero((best != NO_BEP) & (best != entry))
    low, high = np.minimum(best, entry)[wrong].tolist(), np.maximum(best, entry)[wrong].tolist()
    return [
        RankingFault(names[at], Fault.ENTRY_POINT, *ends)
        for at, *ends in zip(retrieved[wrong].tolist(), low, high, strict=True)
    ]


def _passage_faults(
    names: list[str], judged: Qrels, place: Ints, start: Ints, end: Ints
) -> list[RankingFault]:
    """Return misses and false alarms, computed with all documents placed end to end on one axis."""
    each = 1 + int(max(end.max(initial=0), judged.ends.max(initial=0)))
    retrieved = np.zeros(len(names), bool)
    retrieved[place] = True
    marked = np.repeat(np.arange(len(names)), np.diff(judged.ptr))
    kept = retrieved[marked]
    base = marked[kept] * each
    right = Spans.from_arrays(base + judged.starts[kept], base + judged.ends[kept])
    took = Spans.from_arrays(place * each + start, place * each + end)
    faults = [
        (start, end, fault)
        for fault, spans in ((Fault.MISSED, right - took), (Fault.FALSE_ALARM, took - right))
        for start, end in spans
    ]
    return [
        RankingFault(names[start // each], fault, start % each, start % each + end - start)
        for start, end, fault in sorted(faults, key=itemgetter(0))
    ]


ROUNDING, SMALL = 1e-13, 0.00005  # rounding errors of changes, and changes that four decimals do not show


def change_text(change: float) -> str:
    """Format a change of a measure; a change too small for the digits has no sign, and no change is 0."""
    if abs(change) < ROUNDING:
        return "0"
    return difference_text(change, 4) if abs(change) >= SMALL else "0.0000"
