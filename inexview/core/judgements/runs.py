"""Runs: the results of a system, topic by topic, in rank order.

:class:`Run` stores its results as columns in rank order and returns them as :class:`Result` values.  A
:class:`Submission` is a run as written by its author, with elements and points by name.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from inexview.core.errors import DataError, InexviewError
from inexview.core.judgements.qrels import PooledDocument
from inexview.core.judgements.tables import RANK, Coded, Column, axes_of, frame_of, html_of, read_table
from inexview.core.text.spans import Floats, Ints, Names, coded
from inexview.core.wording import counted

UNKNOWN = -1
"""The start of a passage that is not in the collection."""
NO_LENGTH = -1
"""The size of a result that is only an entry point."""


class Task(StrEnum):
    """The task of a run, which determines its results."""

    FOCUSED = "focused"
    RELEVANT_IN_CONTEXT = "relevant-in-context"
    BEST_IN_CONTEXT = "best-in-context"
    RESTRICTED_FOCUSED = "restricted-focused"
    RESTRICTED_RELEVANT_IN_CONTEXT = "restricted-relevant-in-context"
    THOROUGH = "thorough"
    EFFICIENCY = "efficiency"
    FETCH_BROWSE = "fetch-browse"
    PASSAGES = "passages"
    CHUNKS = "chunks"
    ASPECTS = "aspects"
    DOCUMENTS = "documents"

    @classmethod
    def named(cls, name: str) -> Task:
        """Return the task with this name.  Raises InexviewError with a list of all tasks."""
        try:
            return cls(name)
        except ValueError:
            raise InexviewError(f"there is no task {name!r}; there are {', '.join(cls)}") from None


TASK_MEANINGS = {
    Task.FOCUSED: "the best passages or elements first, without overlaps",
    Task.RELEVANT_IN_CONTEXT: "the relevant documents, each with all its relevant passages",
    Task.BEST_IN_CONTEXT: "one entry point for each document",
    Task.RESTRICTED_FOCUSED: "at most 1,000 characters for each topic",
    Task.RESTRICTED_RELEVANT_IN_CONTEXT: "at most 500 characters of each document",
    Task.THOROUGH: "all relevant elements, even if they overlap",
    Task.EFFICIENCY: "as in thorough, for measuring the speed of systems (INEX 2010)",
    Task.FETCH_BROWSE: "documents first, then the elements of each",
    Task.PASSAGES: "passages of any length (HARD track)",
    Task.CHUNKS: "chunks for the context of a language model",
    Task.ASPECTS: "passages that cover the aspects of a question (Genomics track)",
    Task.DOCUMENTS: "whole documents",
}
"""What a run of a task returns."""


IN_CONTEXT = (
    Task.RELEVANT_IN_CONTEXT,
    Task.RESTRICTED_RELEVANT_IN_CONTEXT,
    Task.BEST_IN_CONTEXT,
    Task.FETCH_BROWSE,
)
"""Tasks whose results are shown document by document."""


@dataclass(frozen=True, slots=True)
class Result:
    """One result of a run: a passage of a document, or only an entry point into it."""

    topic: str
    document: str
    rank: int
    """Its place in the topic's ranking, from 1."""
    score: float | None
    """The score by the system; None if the file has none."""
    start: int
    end: int
    """The passage ``[start, end)``; equal for an entry point; −1 and −1 for an unknown passage."""

    @property
    def known(self) -> bool:
        """Whether this passage is in the collection."""
        return self.start != UNKNOWN

    @property
    def query_id(self) -> str:
        """The topic, under the name that other tools use."""
        return self.topic

    @property
    def doc_id(self) -> str:
        """The document, under the name that other tools use."""
        return self.document


class ScoredDocument(NamedTuple):
    """A document of a ranking in the form of ir_measures."""

    query_id: str
    doc_id: str
    score: float


@dataclass(frozen=True, eq=False)
class Run:
    """Results as columns; row i is one result, topics are contiguous and in rank order.

    ``ptr`` (T+1,) bounds the rows of each of ``topics``; ``document`` contains the n ids; ``start`` (−1:
    unknown passage), ``size`` (−1: only an entry point) and ``line`` (0: none) are int64 of shape (n,),
    ``score`` is float64 of shape (n,), NaN if missing.
    """

    id: str
    topics: tuple[str, ...]
    ptr: Ints
    document: Names
    start: Ints
    size: Ints
    score: Floats
    line: Ints
    task: Task | None = None
    path: Path | None = None
    warnings: tuple[str, ...] = ()
    by_score: bool = False
    """Whether the ranking was made from the scores (TREC) instead of read from the file."""
    unknown_task: str = ""
    """The name of the task in the file, if it is not one of :class:`Task`."""
    gathered: bool = False
    """Whether the results of each document were moved to its best rank."""
    queries: Mapping[str, str] = field(default_factory=dict)
    """For each topic with several queries, the query whose results are returned for the topic."""

    @classmethod
    def from_results(cls, results: Iterable[Result], *, id: str = "run", task: Task | None = None) -> Run:
        """Make a run of results; within a topic, their order is the ranking."""
        groups: dict[str, list[Result]] = {}
        for result in results:
            groups.setdefault(result.topic, []).append(result)
        rows = [result for group in groups.values() for result in group]
        return cls(
            id=id,
            topics=tuple(groups),
            ptr=np.cumsum([0, *map(len, groups.values())], dtype=np.int64),
            document=Names.of(row.document for row in rows),
            start=np.array([row.start for row in rows], dtype=np.int64),
            size=np.array([row.end - row.start for row in rows], dtype=np.int64),
            score=np.array([np.nan if row.score is None else row.score for row in rows], dtype=np.float64),
            line=np.zeros(len(rows), dtype=np.int64),
            task=task,
        )

    @classmethod
    def of(cls, data: object, *, id: str = "", task: Task | str | None = None) -> Run:
        """Make a run of the data of a script: a dict, rows, columns, or a data frame.

        ``data`` is ``{topic: {document: score}}``; or has the columns ``query_id`` and ``doc_id`` (or names
        used by other tools: ``qid``, ``docno`` …), ``score`` and ``rank``, and for passages ``start`` and
        ``end``, half-open code points.  Columns can be a dict of them, a pandas or polars frame, or rows:
        named tuples, dicts, objects, or tuples in that order (without the rank).

        Documents are ranked by their scores, as trec_eval ranks; without scores by ``rank``, and else in the
        given order.  Passages are ranked by ``rank``, or else by score.  A start of −1 is an unknown passage.
        ``id`` is by default the run's name in the data, or "run"; the task of documents without passages is
        ``documents``.  Raises DataError with the row and the column.
        """
        if isinstance(data, Run):
            return data
        table = read_table(data, "run", "score")
        documents, score = table.names("doc_id"), table.floats("score")
        start, end = table.whole("start", UNKNOWN), table.whole("end", UNKNOWN)
        rank = table.whole(RANK, 0)
        topics, code = coded(table.names("query_id"))
        if (start is None) != (end is None):
            raise DataError("has passages with only one end: give both start and end", path="run")
        nothing = np.zeros(len(documents), dtype=np.int64)
        size = nothing + NO_LENGTH if end is None or start is None else end - start
        if start is not None and np.any(wrong := (size < 0) | (start < UNKNOWN)):
            row = int(np.argmax(wrong))
            raise table.problem(f"is before the start, {start[row]}", row, "end", start[row] + size[row])
        keys: list[Ints | Floats] = [code]
        if rank is not None and (score is None or start is not None):
            keys.insert(0, rank)
        elif score is not None and start is not None:
            keys.insert(0, -score)
        order = np.lexsort(keys)
        named = sorted(set(table.texts("run_id")))
        made = cls(
            id=id or (named[0] if len(named) == 1 else "run"),
            topics=topics,
            ptr=np.append(0, np.cumsum(np.bincount(code, minlength=len(topics)))),
            document=documents.take(order),
            start=(nothing if start is None else start)[order],
            size=size[order],
            score=np.full(len(order), np.nan) if score is None else score[order],
            line=nothing,
            task=Task.named(task) if task else Task.DOCUMENTS if start is None else None,
        )
        return by_score(made) if score is not None and start is None else made

    def __len__(self) -> int:
        return len(self.document)

    def __iter__(self) -> Iterator[Result]:
        """Yield the results, topic by topic in rank order."""
        for topic in self.topics:
            yield from self.results(topic)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Run):
            return NotImplemented
        return self is other or (
            (self.id, self.task, self.topics, len(self)) == (other.id, other.task, other.topics, len(other))
            and np.array_equal(self.ptr, other.ptr)
            and np.array_equal(self.start, other.start)
            and np.array_equal(self._retrieved, other._retrieved)
            and np.array_equal(self.score, other.score, equal_nan=True)
            and self.document.same_as(other.document)
        )

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"<Run {self.id!r} of {len(self.topics)} topics and {len(self)} results>"

    def _repr_html_(self) -> str:
        """Return the first results as a table, for a notebook."""
        rows = ((one.topic, one.rank, one.document, one.score, one.start, one.end) for one in self)
        heading = ("query_id", "rank", "doc_id", "score", "start", "end")
        return html_of(repr(self)[1:-1], heading, rows, len(self))

    def frame(self, library: str = "") -> Any:
        """Return the results as a data frame, one row each, in rank order.

        Its columns are ``query_id``, ``doc_id``, ``rank`` (from 1), ``score`` (NaN: none) and, unless all
        results are whole documents, ``start`` and ``end`` (code points; −1: unknown).  ``library`` is
        ``"pandas"`` or ``"polars"``; by default the first that is installed.  ``Run.of`` reads it back.
        """
        rank = np.arange(1, len(self) + 1)
        rank -= np.repeat(self.ptr[:-1], np.diff(self.ptr))
        columns: dict[str, Column] = {
            "query_id": Coded(self.topics, self.topic),
            "doc_id": self.document,
            "rank": rank,
            "score": self.score,
        }
        if np.any(self.size != NO_LENGTH) or np.any(self.start):
            columns["start"] = self.start
            end = np.maximum(self.size, 0)
            end += self.start
            end[self.start == UNKNOWN] = UNKNOWN
            columns["end"] = end
        return frame_of(columns, library)

    def plot(self, topic: str = "", ax: Any = None) -> Any:
        """Plot the scores over the ranks, of one topic or of all; returns matplotlib's axes.

        Raises InexviewError if matplotlib is not installed.
        """
        axes = axes_of(ax)
        for own in [topic] if topic else self.topics:
            rows = self.rows(own)
            axes.plot(np.arange(1, len(rows) + 1), self.score[rows.start : rows.stop], label=own)
        axes.set_xlabel("rank")
        axes.set_ylabel("score")
        return axes

    columns = ScoredDocument._fields
    """The fields of ``itertuples``, so that ir_measures can use a run like a frame."""

    def itertuples(self) -> Iterator[ScoredDocument]:
        """Yield each document at the place of its first result, with a score that produces this ranking."""
        for topic, document, _, score in ranked_documents(self):
            yield ScoredDocument(topic, document, score)

    @property
    def _retrieved(self) -> Ints:
        """The known characters of each result, 0 if it has only a beginning; shape (n,)."""
        return np.where(self.start == UNKNOWN, 0, np.maximum(self.size, 0))

    @cached_property
    def topic(self) -> Ints:
        """The index in ``topics`` of each row, shape (n,)."""
        return np.repeat(np.arange(len(self.topics)), np.diff(self.ptr))

    @property
    def compared_score(self) -> Floats | NDArray[np.float32]:
        """The scores as compared in rankings: those for trec_eval rankings as 32-bit floats; shape (n,)."""
        if not self.by_score:
            return self.score
        with np.errstate(over="ignore"):  # a finite double beyond a float's range compares as infinite
            return self.score.astype(np.float32)

    def take(self, rows: Ints) -> Run:
        """Return the run with its rows in another order, with the same number for each topic."""
        return replace(
            self,
            document=self.document.take(rows),
            start=self.start[rows],
            size=self.size[rows],
            score=self.score[rows],
            line=self.line[rows],
        )

    def together(self, task: Task | None) -> Run:
        """Return the run as a task in context requires; unchanged for any other task.

        The results of each document are moved to its best rank, in their order; for tasks with one entry
        point per document, only the best result is kept.
        """
        if task not in IN_CONTEXT:
            return self
        _, code = coded(self.document)
        _, first, own = np.unique(
            self.topic * (int(code.max(initial=0)) + 1) + code, return_index=True, return_inverse=True
        )
        if task is Task.BEST_IN_CONTEXT:
            return replace(self.only(np.sort(first)), gathered=True)
        order = np.lexsort((np.arange(len(self)), first[own.ravel()]))
        return replace(self.take(order), by_score=False, gathered=True)

    def only(self, kept: Ints) -> Run:
        """Return the run with only these rows (ascending numbers), and their topics."""
        counts = np.bincount(self.topic[kept], minlength=len(self.topics))
        there = np.flatnonzero(counts)
        return replace(
            self.take(kept),
            topics=tuple(self.topics[at] for at in there.tolist()),
            ptr=np.append(0, np.cumsum(counts[there])),
        )

    def results(self, topic: str) -> list[Result]:
        """Return a topic's results in rank order; empty for a topic that the run does not have."""
        rows = self.rows(topic)
        return [self._result(topic, row, rows.start) for row in rows]

    def documents(self, topic: str, most: int) -> list[str]:
        """Return the documents of a topic's first ``most`` results, with repetitions."""
        rows = self.rows(topic)[:most]
        return self.document.take(slice(rows.start, rows.stop)).strings()

    def passages(self, topic: str, document: str) -> list[Result]:
        """Return a topic's results in one document, in rank order."""
        first = self.rows(topic).start
        return [self._result(topic, row, first) for row in self.rows_in(topic, document).tolist()]

    def rows_in(self, topic: str, document: str) -> Ints:
        """Return the rows of a topic's results in one document, in rank order, shape (n,)."""
        rows = self.rows(topic)
        return rows.start + np.flatnonzero(self.document.take(slice(rows.start, rows.stop)).are(document))

    def rows(self, topic: str) -> range:
        """Return the rows of a topic, or of its shown query; empty if the run does not have it."""
        topic = self.queries.get(topic, topic)
        if topic not in self.topics:
            return range(0)
        at = self.topics.index(topic)
        return range(int(self.ptr[at]), int(self.ptr[at + 1]))

    def _result(self, topic: str, row: int, first: int) -> Result:
        start, size = int(self.start[row]), int(self.size[row])
        known = start != UNKNOWN
        score = float(self.score[row])
        return Result(
            topic=topic,
            document=self.document[row],
            rank=row - first + 1,
            score=None if np.isnan(score) else score,
            start=start,
            end=start + max(size, 0) if known else UNKNOWN,
        )


# Rankings by scores, as trec_eval makes them.


def by_score(run: Run) -> Run:
    scored = replace(run, by_score=True)
    return scored.take(_ranking(scored))


def _ranking(run: Run) -> Ints:
    """Return the rows in the order of trec_eval's ranking.

    Most files are already in the order of the scores, with few ties: only the rest is sorted.
    """
    order = np.arange(len(run))
    score, topic = run.compared_score, run.topic
    if np.any((score[1:] > score[:-1]) & (topic[1:] == topic[:-1])):
        order = np.lexsort((-score, topic))
        score = score[order]  # the topics keep their places
    tied = np.append(False, (score[1:] == score[:-1]) & (topic[1:] == topic[:-1]))
    places = np.flatnonzero(tied | np.append(tied[1:], False))
    stretch = np.cumsum(~tied)[places]
    rows = order[places]
    # A word's bytes, most significant first, compare as its text does; the complement reverses the order.
    words = [~word for word in run.document.words[rows].byteswap().T[::-1]]
    order[places] = rows[np.lexsort((*words, stretch))]
    return order


def ranked_documents(run: Run) -> Iterator[tuple[str, str, int, float]]:
    """Yield topic, document, rank and score of each document of a run, at the place of its first result.

    The scores are the run's if they produce this ranking, else descending ranks.
    """
    documents, scores = run.document.strings(), run.score.tolist()
    for topic, first, last in zip(run.topics, run.ptr[:-1].tolist(), run.ptr[1:].tolist(), strict=True):
        firsts: dict[str, float] = {}
        for row in range(first, last):
            firsts.setdefault(documents[row], scores[row])
        own = ranks_by_score(list(firsts), list(firsts.values()))
        for rank, (document, score) in enumerate(firsts.items(), 1):
            yield topic, document, rank, score if own else float(len(firsts) + 1 - rank)


def ranks_by_score(documents: Sequence[str], scores: Sequence[float]) -> bool:
    """Return whether trec_eval ranks documents in this order by these scores (NaN: none)."""
    if any(map(math.isnan, scores)):
        return False
    with np.errstate(over="ignore"):
        compared = np.array(scores, dtype=np.float64).astype(np.float32).tolist()
    keys = zip(compared, map(str.encode, documents), strict=True)
    return all(above > below for above, below in pairwise(keys))


# Submissions: a run as its author wrote it, with elements and points named as in the file.
#
# A `Run` gives the retrieved characters; a `Submission` gives paths, points or offsets, as the file does, and
# keeps the metadata of the file.  It is read and written without articles.


class ResultType(StrEnum):
    """How the results of a submission are named."""

    ELEMENT = "element"
    RANGE = "range-of-elements"
    PASSAGE = "passage"
    FOL = "fol"

    @classmethod
    def named(cls, name: str) -> ResultType:
        """Return the type with this name.  Raises InexviewError with a list of all types."""
        try:
            return cls(name)
        except ValueError:
            raise InexviewError(f"there is no result type {name!r}; there are {', '.join(cls)}") from None


class Submitted(NamedTuple):
    """One result: an element (``first``), the text from ``first`` to ``last``, or an offset and a length."""

    document: str
    first: str = ""
    last: str = ""
    """The end point; empty if it equals the first one: for an element, and for an entry point."""
    offset: int = -1
    length: int = -1
    score: float | None = None

    @property
    def type(self) -> ResultType:
        if not self.first:
            return ResultType.FOL
        if "text()" in self.first + self.last:
            return ResultType.PASSAGE
        return ResultType.RANGE if self.last else ResultType.ELEMENT


@dataclass(frozen=True, slots=True)
class Submission:
    """The submitted results, topic by topic in rank order, and the metadata of the submission."""

    topics: Mapping[str, tuple[Submitted, ...]]
    run_id: str = ""
    task: str = ""
    """As written, in any case."""
    attributes: tuple[tuple[str, str], ...] = ()
    """Further attributes: participant-id, query, result-type…"""
    fields: tuple[tuple[str, str], ...] = ()
    """The topic's fields that were used, (title, yes)…"""
    description: str = ""
    collections: tuple[str, ...] = ()
    path: Path | None = field(default=None, compare=False)
    warnings: tuple[str, ...] = field(default=(), compare=False)

    def results(self) -> Iterator[Submitted]:
        for results in self.topics.values():
            yield from results

    @property
    def name(self) -> str:
        """The run's own name, or else that of its file."""
        return self.run_id.strip() or ("run" if self.path is None else self.path.stem)


# Runs with the end of a passage in the place of its length, as one known program wrote them.


@dataclass(frozen=True, slots=True)
class EndForLength:
    """Counts of ``results`` in documents of known length that extend past the end, and that would fit."""

    past: int
    fitting: int
    """Results that would be within their document if the length were the end."""
    results: int

    @property
    def likely(self) -> bool:
        """Whether more than a tenth extend past the end and nearly all would fit."""
        return self.past > 0.1 * self.results and self.fitting > 0.95 * self.results


def lengths_as_ends(start: Ints, size: Ints, length: Ints) -> EndForLength:
    """Count results by their start, size and the length of their document, shape (n,) each."""
    past = start + size > length
    fits = (size <= length) & (size > start)
    return EndForLength(int(np.count_nonzero(past)), int(np.count_nonzero(fits)), len(start))


# The runs that retrieved a document, with its rank among their documents.

_NAMED = 8  # runs, in words
RunFindings = Mapping[str, Mapping[str, int]]
"""For each document the ranks, from 1, in the runs that retrieved it, by run id."""


def findings(runs: Iterable[Run], topic: str, pooled: Iterable[PooledDocument] = ()) -> RunFindings:
    """Return the ranks of a topic's documents in the given runs, and in those recorded in a pool.

    Of several runs with the same id the later ones are numbered.
    """
    found: dict[str, dict[str, int]] = {}
    for document in pooled:
        for run_id, rank in document.found_by:
            found.setdefault(document.document, {})[run_id] = rank
    seen: Counter[str] = Counter()
    for run in runs:
        seen[run.id] += 1
        run_id = run.id if seen[run.id] == 1 else f"{run.id} ({seen[run.id]})"
        for rank, name in enumerate(dict.fromkeys(run.documents(topic, len(run))), 1):
            found.setdefault(name, {})[run_id] = rank
    return found


def found_briefly(ranks: Mapping[str, int]) -> str:
    """Return how many runs retrieved a document: "found by 9 runs, best at rank 2"; "" if none did."""
    return f"found by {counted(len(ranks), 'run')}, best at rank {min(ranks.values()):,}" if ranks else ""


def found_in_words(ranks: Mapping[str, int]) -> str:
    """Return which runs retrieved a document, the best rank first: "found by MM at 3, BM25 at 12"."""
    ordered = sorted(ranks.items(), key=lambda one: (one[1], one[0]))
    named = ", ".join(f"{run} at {rank}" for run, rank in ordered[:_NAMED])
    more = f" and {len(ordered) - _NAMED} more" if len(ordered) > _NAMED else ""
    return f"found by {named}{more}"


# Likely tasks of a run that does not declare one.

LOOKED_AT = 20, 50  # topics, and results of each


def likely_tasks(run: Run) -> tuple[Task, ...]:
    """Return the tasks that fit the results of a run, the likeliest first: for a question, not a decision."""
    topics, results = LOOKED_AT
    grouped = alone = True
    overlapping = False
    for first, end in zip(run.ptr[:topics].tolist(), run.ptr[1 : topics + 1].tolist(), strict=False):
        places: dict[str, list[tuple[int, int]]] = {}
        before = ""
        for row in range(first, min(end, first + results)):
            document, start, size = run.document[row], int(run.start[row]), int(run.size[row])
            grouped &= document == before or document not in places
            others = places.setdefault(document, [])
            alone &= not others
            overlapping |= any(start < ends and begins < start + size for begins, ends in others)
            others.append((start, start + size))
            before = document
    if np.all(run.size == NO_LENGTH):
        pointed = bool(np.any(run.start > 0))
        return (
            (Task.BEST_IN_CONTEXT, Task.FETCH_BROWSE) if pointed else (Task.DOCUMENTS, Task.BEST_IN_CONTEXT)
        )
    if overlapping:
        return Task.CHUNKS, Task.THOROUGH, Task.PASSAGES
    if alone:
        return Task.RELEVANT_IN_CONTEXT, Task.FOCUSED, Task.BEST_IN_CONTEXT
    if grouped:
        return Task.RELEVANT_IN_CONTEXT, Task.RESTRICTED_RELEVANT_IN_CONTEXT, Task.FOCUSED
    return Task.FOCUSED, Task.CHUNKS, Task.PASSAGES
