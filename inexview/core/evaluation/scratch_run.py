"""A scratch copy of a run: its changes, and what it scores then.

A ranking is a run of a single topic, of which nothing may be left.  The functions return another ranking
and leave the one they are given alone.  Scores belong to ranks here: whatever comes to a rank has its score,
so that a format that ranks by scores can hold the changed run.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from inexview.core.errors import InexviewError
from inexview.core.evaluation.evaluate import compute, prepare
from inexview.core.evaluation.scores import RunScores, ScoringSettings, TopicScores
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import NO_LENGTH, UNKNOWN, Run
from inexview.core.judgements.subsets import Subset
from inexview.core.text.spans import Floats, Ints, Names


def ranking_of(run: Run, topic: str) -> Run:
    """Return a run's ranking of one topic; empty for a topic that the run does not have."""
    at = run.topics.index(topic) if topic in run.topics else None
    rows = np.arange(0) if at is None else np.arange(int(run.ptr[at]), int(run.ptr[at + 1]))
    return replace(_of_rows(run, rows), topics=(topic,), by_score=False)


def move(ranking: Run, document: str, by: int) -> Run:
    """Return a ranking with a document ``by`` documents further down, its results side by side.

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

    The document's first passage moves there.  A document without results comes last, with the characters up
    to ``least`` or, without it, with an entry point only.
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
    near = np.minimum(rows, last - 1)  # where no result is, the last one's score is taken
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


# What a ranking retrieves of one document: its results in rank order, new ones at the row of the one that
# they follow.


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
    """One change of a scratch run: what was done to a document of a topic, and the ranking before it."""

    topic: str
    document: str
    done: str
    before: Run
    after: Run
    step: RunStep


class ScratchRun:
    """A copy of a run that can be changed; the run itself stays as it is."""

    def __init__(self, base: Run) -> None:
        self.base = base
        self._rankings: dict[str, Run] = {}
        self.changes: tuple[RunChange, ...] = ()

    def ranking(self, topic: str) -> Run:
        """Return the ranking of a topic as it is now; one object until it changes."""
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
        """Return another scratch run with a further change; this one stays as it is."""
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
        """The topics of the changes, in order."""
        return tuple(dict.fromkeys(change.topic for change in self.changes))

    def run(self, id: str | None = None) -> Run:
        """Return the run as it is now, without topics that have no result left."""
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
        """Return the scores of the run as it is now, its topics in the qrels' order.

        Raises what :func:`~inexview.core.evaluation.evaluate.evaluate` raises for a run that breaks a rule.
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
        # laid out as a whole evaluation lays it out, for sums to the last digit
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
            raise InexviewError("these scores are of other measures than the settings name")
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
