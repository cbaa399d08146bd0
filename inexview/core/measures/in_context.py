"""The in-context tasks: documents are the ranks, and each counts for what was shown of it.

Source: [M07] equations 4–13; Kamps, Lalmas, Pehcevski, *Evaluating Relevant in Context*, SIGIR 2007.
"""

from __future__ import annotations

from functools import cached_property, partial

import numpy as np

from inexview.core.judgements.qrels import NO_BEP
from inexview.core.judgements.runs import Task
from inexview.core.measures import segments
from inexview.core.measures.joined import UNKNOWN_SIZE, Joined
from inexview.core.measures.measure import RANKS, Rank
from inexview.core.measures.novelty import new_characters
from inexview.core.measures.one_document import entry_score, f_score
from inexview.core.measures.parameters import Parameters
from inexview.core.measures.registry import M07, measure
from inexview.core.measures.tolerance import tolerance_scores
from inexview.core.text.offset_arrays import Floats, Ints
from inexview.core.text.spans import Spans

LEVELS = 11


class DocumentRanks:
    """The m documents that a run retrieves, in rank order, over T topics, and what each is worth.

    ``first`` (m,) is the first result of each document, ``ptr`` (T+1,) bounds each topic's documents.
    A document's results are side by side.
    """

    def __init__(self, joined: Joined, parameters: Parameters) -> None:
        self.joined = joined
        self.parameters = parameters
        new = np.ones(len(joined), dtype=bool)
        new[1:] = joined.document[1:] != joined.document[:-1]
        self.first: Ints = np.flatnonzero(new)
        self.ptr: Ints = np.searchsorted(self.first, joined.ptr)
        self.row: Ints = joined.row[self.first]
        self.relevant = joined.relevant[self.first]
        self.found: Ints = segments.running(self.relevant.astype(np.int64), self.ptr)

    @cached_property
    def score(self) -> Floats:
        """S(d), shape (m,): s(x,b) for best-in-context, else F(d) (equations 4–9) or T2I."""
        if self.joined.task is Task.BEST_IN_CONTEXT:
            scored = self._entry_scores()
        else:
            scored = self._tolerance_scores() if self.parameters.reads(self.joined.task) else self._f_scores()
        return np.where(self.relevant, scored, 0.0)

    def _f_scores(self) -> Floats:
        bounds = np.append(self.first, len(self.joined))
        size, rsize = new_characters(self.joined)
        hits, retrieved = segments.totals(rsize, bounds), segments.totals(size, bounds)
        precision = segments.ratio(hits, retrieved)
        recall = segments.ratio(hits, np.where(self.relevant, self.joined.qrels.rsize[self.row], 0))
        return f_score(precision, recall, self.parameters.beta)

    def _tolerance_scores(self) -> Floats:
        """Return T2I of the relevant documents, 0 of the others, shape (m,)."""
        joined, qrels = self.joined, self.joined.qrels
        bounds = np.append(self.first, len(joined))
        told = np.flatnonzero(self.relevant)
        scores = np.zeros(len(self.first))
        counts = np.diff(bounds)[told]
        results = np.repeat(bounds[told] - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())
        article = np.repeat(np.arange(len(told)), counts)
        known = joined.known[results]
        # A passage that the collection does not hold is read first, for it is before the article [T].
        unknown = np.bincount(article[~known], minlength=len(told)) * UNKNOWN_SIZE
        shown = known & (joined.size[results] > 0)  # an empty one past the end makes no article longer
        results, article = results[shown], article[shown]
        row = self.row[told]
        length = np.maximum(qrels.length[row], qrels.highlights.extent[row])
        np.maximum.at(length, article, joined.end[results])
        base = np.cumsum(length + 1) - length - 1
        passages = qrels.take(row)
        own = np.repeat(np.arange(len(told)), np.diff(passages.ptr))
        scores[told] = tolerance_scores(
            Spans.from_arrays(base[own] + passages.starts, base[own] + passages.ends),
            base,
            length,
            base[article] + joined.start[results],
            base[article] + joined.end[results],
            tolerance=self.parameters.tolerance,
            already=unknown,
        )
        return scores

    def _entry_scores(self) -> Floats:
        bep = self.joined.qrels.bep[self.row]
        distance = np.abs(self.joined.start[self.first] - bep)
        length = self.joined.qrels.length[self.row]
        scored = entry_score(distance, length, self.parameters)
        return np.where(bep == NO_BEP, 0.0, scored)

    @cached_property
    def precision(self) -> Floats:
        """gP[r] (equation 11), shape (m,)."""
        rank = np.arange(len(self.first)) - np.repeat(self.ptr[:-1], np.diff(self.ptr)) + 1
        return segments.running_floats(self.score, self.ptr) / rank

    @cached_property
    def recall(self) -> Floats:
        """gR[r] (equation 12), shape (m,)."""
        return segments.ratio(self.found, np.repeat(self.joined.nrel, np.diff(self.ptr)))

    @cached_property
    def interpolated(self) -> Floats:
        """The highest gP where gR has reached 0.0, 0.1, … 1.0, shape (T, 11)."""
        best = np.zeros((len(self.joined.topics), LEVELS))
        topic = np.repeat(np.arange(len(self.joined.topics)), np.diff(self.ptr))
        level = np.floor(10 * self.recall).astype(np.int64)
        np.maximum.at(best, (topic, level), self.precision)
        return np.maximum.accumulate(best[:, ::-1], axis=1)[:, ::-1]


_measure = partial(measure, citation=M07, view=DocumentRanks)


@_measure(
    "gP",
    title="generalised precision after r documents",
    citation=f"{M07}, eq. 11",
    formula="gP[r] = Σ S(d) / r, over the first r documents",
    at=Rank(RANKS),
    uses=("score", "beta", "tolerance", "a", "n"),
)
def generalised_precision(documents: DocumentRanks, rank: int) -> Floats:
    """Return gP[r] of each topic; past the last rank its last value."""
    return segments.at_rank(documents.precision, documents.ptr, rank)


@_measure(
    "gR",
    title="generalised recall after r documents",
    citation=f"{M07}, eq. 12",
    formula="gR[r] = relevant documents among the first r / Nrel",
    at=Rank(RANKS),
)
def generalised_recall(documents: DocumentRanks, rank: int) -> Floats:
    """Return gR[r] of each topic; past the last rank its last value."""
    return segments.at_rank(documents.recall, documents.ptr, rank)


@_measure(
    "AgP",
    title="average generalised precision",
    citation=f"{M07}, eq. 13",
    formula="AgP = Σ gP[r] / Nrel, over the ranks r of relevant documents",
    mean="MAgP",
    uses=("score", "beta", "tolerance", "a", "n"),
)
def average_generalised_precision(documents: DocumentRanks) -> Floats:
    """Return AgP of each topic (equation 13)."""
    gained = segments.totals(np.where(documents.relevant, documents.precision, 0.0), documents.ptr)
    return segments.ratio(gained, documents.joined.nrel)
