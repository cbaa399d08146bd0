"""The ranking of a run in a topic: the text retrieved from each document, and the cost of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntFlag
from heapq import heappop, heappush
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np

from inexview.core.errors import InexviewError
from inexview.core.evaluation.evaluate import PreparedRun, prepare
from inexview.core.evaluation.explain import Cost
from inexview.core.evaluation.scores import RankSteps, ScoringSettings
from inexview.core.evaluation.variants import (
    ROUNDING,
    RankingFault,
    TopicWithout,
    effects_of_faults,
    leave_out_of,
    missed_documents,
    ranking_of,
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
from inexview.core.measures.joined import UNKNOWN_ENTRY, as_counted
from inexview.core.measures.measure import Parameters
from inexview.core.measures.ranked import RankedDocuments
from inexview.core.project.document_state import DocumentState
from inexview.core.text.spans import EMPTY, Floats, Keys, Names, Offsets, Spans


class DocumentFaults(IntFlag):
    """The faults of a run in a document, or that they are unknown."""

    NONE = 0
    MISSED = 1
    FALSE_ALARM = 2
    UNJUDGED = 4


@dataclass(frozen=True, eq=False)
class RankingCosts:
    """The effects of the documents of a ranking on a measure of the topic, each by its id.

    ``so_far`` is precision (``so_far_name``) down to a document; ``left_out`` the change in the measure
    without it; ``found`` the change if the run had found it, ranked after everything else.
    """

    measure: str = ""
    value: float = 0.0
    so_far_name: str = "gP"
    so_far: Mapping[str, float] = field(default_factory=dict)
    left_out: Mapping[str, float] = field(default_factory=dict)
    found: Mapping[str, float] = field(default_factory=dict)
    results: Mapping[int, float] = field(default_factory=dict)
    """The change in the measure without the result at a rank of the run, from 1."""

    def change(self, document: str) -> float | None:
        """Return the change in the measure if this document's fault is corrected; None if unknown."""
        return self.left_out.get(document, self.found.get(document))

    def gaining(self, documents: Sequence[str], rank: int, gain: float) -> RankingCosts:
        """Return the costs with S(d) of the document at a rank increased by a gain: gP[r] = Σ S(d) / r."""
        below = enumerate(documents[rank - 1 :], rank)
        so_far = self.so_far
        moved = {name: so_far[name] + gain / at for at, name in below if name in so_far}
        return replace(self, so_far={**so_far, **moved})

    def costliest(self, may_be: Callable[[str], bool]) -> str | None:
        """Return the costliest document among those that ``may_be``; None if none costs anything."""
        costs = {name: cost for name, cost in {**self.found, **self.left_out}.items() if cost > 0}
        ranked = sorted(costs, key=lambda name: -costs[name])
        return next(filter(may_be, ranked), None)


FAULTS = tuple(map(DocumentFaults, range(2 * DocumentFaults.UNJUDGED)))


@dataclass(frozen=True, slots=True)
class Retrieved:
    """The text that a run retrieved from one document; ``entry`` is the start of its first result or None.

    ``nowhere`` counts the characters of results beyond the document.
    """

    document: str
    rank: int
    passages: Spans
    entry: int | None
    nowhere: int = 0

    @property
    def scored_entry(self) -> int | None:
        """The entry of the run as measures see it: far before a document without the place."""
        return UNKNOWN_ENTRY if self.entry is None and self.nowhere else self.entry


class Ranking:
    """A run's documents for a topic, ranked by their first result.

    The text of each is looked up on demand, so that a ranking of thousands is made at once.
    """

    def __init__(self, run: Run, topic: str) -> None:
        self.run = run
        self.topic = topic
        rows = run.rows(topic)
        names = run.document.take(slice(rows.start, rows.stop))
        order, new = Keys(np.zeros(len(names), np.int64), names).side_by_side()
        begins = np.flatnonzero(np.append(new, True))
        by_rank = np.argsort(order[begins[:-1]])
        self._rows = rows.start + order  # those of each document together, in rank order
        self._begins, self._ends = begins[:-1][by_rank], begins[1:][by_rank]
        self.documents = names.take(order[self._begins]).strings()
        self._rank = {name: rank for rank, name in enumerate(self.documents)}

    def __contains__(self, document: str) -> bool:
        return document in self._rank

    def rank(self, document: str) -> int:
        """Return the rank of a document, 0 if the run does not retrieve it."""
        return self._rank.get(document, -1) + 1

    def retrieved(self, document: str) -> Retrieved:
        """Join the results in a document; no passages at rank 0 if the run does not retrieve it."""
        return self.retrieved_of([document])[0]

    def retrieved_of(self, documents: Sequence[str]) -> list[Retrieved]:
        """Join the results in each of some documents; all at once take as long as a few one by one."""
        held = [name for name in documents if name in self._rank]
        of, starts, ends = self._results_in(held)
        known = starts != UNKNOWN
        passages = Spans.several(of[known], starts[known], ends[known], len(held))
        _, sizes, _ = as_counted(starts, ends - starts, self.run.task)
        nowhere = np.bincount(of[~known], sizes[~known], minlength=len(held)).astype(np.int64).tolist()
        firsts = starts[np.searchsorted(of, np.arange(len(held)))].tolist()
        found = {
            name: Retrieved(name, self.rank(name), spans, None if first == UNKNOWN else first, lost)
            for name, spans, first, lost in zip(held, passages, firsts, nowhere, strict=True)
        }
        return [found.get(name) or Retrieved(name, 0, EMPTY, None) for name in documents]

    def _results_in(self, documents: Sequence[str]) -> tuple[Offsets, Offsets, Offsets]:
        """Return the n results in documents of the ranking, document by document and each in rank order.

        For each, the number of its document, from 0, its start, and its end, shape (n,) each.
        """
        at = np.array([self._rank[name] for name in documents], np.int64)
        counts = self._ends[at] - self._begins[at]
        of = np.repeat(np.arange(len(at)), counts)
        within = np.arange(len(of)) - np.repeat(np.cumsum(counts) - counts, counts)
        rows = self._rows[self._begins[at][of] + within]
        starts = self.run.start[rows]
        return of, starts, starts + np.maximum(self.run.size[rows], 0)

    def faults(self, states: Mapping[str, DocumentState]) -> dict[str, DocumentFaults]:
        """Return for documents of the ranking what the run missed or retrieved wrongly.

        All are computed at once, placed end to end on one axis.
        """
        named = [name for name in states if name in self._rank]
        place, starts, ends = self._results_in(named)
        known = starts != UNKNOWN
        edges = [states[name].edges for name in named]
        marked = np.repeat(np.arange(len(named)), [len(one) // 2 for one in edges])
        marks = np.array([*chain.from_iterable(edges)], np.int64).reshape(-1, 2)
        each = 1 + int(max(ends.max(initial=0), marks.max(initial=0)))  # more than the length of any of them
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
    """Return what a reader of the retrieved passages reads; None if nothing is marked or retrieved."""
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
    """Return S(d): s(x,b) in best-in-context, T2I if the task and the parameters ask for it, else F(d)."""
    if task is not None and parameters.reads(task):
        effort = reading_of(judgement, retrieved, parameters)
        return 0.0 if effort is None else effort.score
    scores = score(judgement, retrieved, parameters)
    return scores.s if task is Task.BEST_IN_CONTEXT else scores.f


def subtitle(
    run: str,
    retrieved: Retrieved,
    state: DocumentState,
    length: int,
    untouched: str = "not judged",
    most: int | None = None,
) -> str:
    """Return a line with the rank and amount of text that a run retrieved from a document, in characters.

    For a run of chunks only the first ``most`` count.
    """
    found = "not retrieved" if most is None else f"no chunk of the first {most:,} is from here"
    found = f"rank {retrieved.rank}" if retrieved.rank else found
    if state.untouched:
        did = [untouched, f"{length:,} characters"]
    else:
        both = (state.marks & retrieved.passages).size
        missed, wrong = state.marks.size - both, retrieved.passages.size - both
        did = [f"hits {both:,}", f"misses {missed:,}", f"false alarms {wrong:,}"]
    return " · ".join([found, *did, retrieved.document, run])  # parts also shown elsewhere come last


def faults(run: Run, topic: str, document: str, length: int, task: Task | None) -> str:
    """Return which results of a run in a document overlap or extend past its end; "" if none does.

    In the thorough task elements may be nested, which is not a fault.
    """
    spans = sorted((one.start, one.end) for one in run.passages(topic, document) if one.known)
    overlapping = 0 if task in (Task.THOROUGH, Task.CHUNKS) else sum(b[0] < a[1] for a, b in pairwise(spans))
    past = sum(end > length for _, end in spans)
    said = []
    if overlapping:
        said.append(f"{overlapping:,} of its {len(spans):,} results here overlap others, and count once")
    if past:
        said.append(f"{past:,} end past the article's {length:,} characters, and are shown up to there")
    return f"{run.path or run.id}, topic {topic}, {document}: {'; '.join(said)}." if said else ""


NONE = RankingCosts()


def ranking_costs(qrels: Qrels, run: Run, settings: ScoringSettings, topic: str) -> RankingCosts:
    """Return the effect of each document on the one measure of the settings; empty for an unscored topic."""
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
    """Return the change in the measure without each part; rounding errors count as 0."""
    changes = without[0] - values[0]
    found: list[float] = np.where(np.abs(changes) < ROUNDING, 0.0, changes).tolist()
    return found


def precision_so_far(prepared: PreparedRun, without: TopicWithout) -> tuple[str, Floats]:
    """Return precision down to each of d documents of one topic, shape (d,), and its name.

    It is that of the curve over ranks, if the task ranks results at a document's last one.
    """
    joined = prepared.joined
    precision = RankSteps.of(joined, prepared.parameters, prepared.view).precision
    if issubclass(prepared.view, DocumentRanks | RankedDocuments):
        return "gP" if issubclass(prepared.view, DocumentRanks) else "P", precision
    last = np.zeros(len(without.documents), np.int64)
    np.maximum.at(last, without.document, np.arange(len(joined)))
    return "P", precision[last]


Gains = Mapping[Cost, float]
"""The gain in the topic's measure if each of these faults is corrected."""


def gains_of(
    qrels: Qrels,
    run: Run,
    settings: ScoringSettings,
    topic: str,
    document: str,
    costs: Sequence[Cost],
    before: float,
) -> Gains:
    """Return the gain in the one measure of the settings if each fault of a document is corrected."""
    try:
        faults = [RankingFault(document, cost.fault, cost.start, cost.end) for cost in costs]
        effects = effects_of_faults(qrels, ranking_of(run, topic), settings, faults)
    except InexviewError:
        return {}
    return {cost: value - before for cost, value in zip(costs, effects.right[0].tolist(), strict=True)}


def first_of(run: Run, topic: str, most: int) -> Run:
    """Return a run's ranking of one topic with at most the first ``most`` results."""
    rows = run.rows(topic)
    return run.only(np.arange(rows.start, min(rows.stop, rows.start + most)))


def retrieved_texts(runs: Sequence[Run], topic: str, document: str, most: int | None = None) -> list[Spans]:
    """Return the characters of a document that each run retrieved, where their places are known.

    Only the first ``most`` results of each run count.  All runs are processed at once: for a hundred, the
    overhead of single calls of numpy would be noticeable.
    """
    bounds = [(rows.start, rows.stop) for rows in (run.rows(topic) for run in runs)]
    parts = [slice(start, stop if most is None else min(stop, start + most)) for start, stop in bounds]
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


class ChunkBar(NamedTuple):
    """A part ``[start, end)`` of a chunk, which is the ``place``-th of ``of`` chunks that share the text.

    ``first`` is whether the chunk of this ``rank`` begins with it.
    """

    start: int
    end: int
    rank: int
    place: int
    of: int
    first: bool


MOST_BESIDE = 4


def chunk_bars(chunks: Sequence[Result]) -> tuple[ChunkBar, ...]:
    """Return the chunks of one document as bars next to its text, in text order.

    Chunks that share text share the width there, each in a fixed column; of more than :data:`MOST_BESIDE`
    that share it the later ones, in text order, are left out.
    """
    columns: dict[int, Result | None] = dict.fromkeys(range(MOST_BESIDE))
    known = sorted((one for one in chunks if one.known and one.end > one.start), key=_text_order)
    bars: list[ChunkBar] = []
    ends: list[tuple[int, int]] = []  # of the open chunks, with their columns
    at = 0

    def go_to(edge: int) -> None:
        nonlocal at
        beside = [one for one in columns.values() if one is not None]
        if at < edge:
            bars.extend(
                ChunkBar(at, edge, one.rank, place, len(beside), one.start == at)
                for place, one in enumerate(beside)
            )
        at = edge

    for chunk in known:
        while ends and ends[0][0] <= chunk.start:
            end, column = heappop(ends)
            go_to(end)
            columns[column] = None
        go_to(chunk.start)
        free = next((column for column, one in columns.items() if one is None), None)
        if free is not None:
            columns[free] = chunk
            heappush(ends, (chunk.end, free))
    while ends:
        end, column = heappop(ends)
        go_to(end)
        columns[column] = None
    return tuple(bars)


def _text_order(result: Result) -> tuple[int, int, int]:
    return result.start, result.end, result.rank
