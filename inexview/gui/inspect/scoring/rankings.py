"""From a run and a project's judgements to the rows of the ranked list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np

from inexview.core.judgements.qrels import Judgement
from inexview.core.judgements.runs import UNKNOWN, Run, Task
from inexview.core.measures.in_context import DocumentScores, ReadingEffort, reading_effort, score_document
from inexview.core.measures.joined import UNKNOWN_ENTRY, UNKNOWN_SIZE
from inexview.core.measures.measure import Parameters
from inexview.core.project.document_list import CatalogueEntry
from inexview.core.project.judging.document_state import DocumentState
from inexview.core.text.id_columns import Keys
from inexview.core.text.spans import EMPTY, Offsets, Spans
from inexview.gui.inspect.scoring.ranked_rows import DocumentFaults, OtherRanking, RankedDocument
from inexview.gui.look.theme import RelevanceState

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

        All are computed at once, laid end to end on one axis.
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
