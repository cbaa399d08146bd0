"""The in-context tasks: documents are ranked, and each is scored by the text shown.

Source: [M07] equations 4–13; Kamps, Lalmas, Pehcevski, *Evaluating Relevant in Context*, SIGIR 2007.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, overload

import numpy as np

from inexview.core.judgements.qrels import NO_BEP
from inexview.core.judgements.runs import Task
from inexview.core.measures.joined import (
    UNKNOWN_SIZE,
    Joined,
    at_rank,
    new_characters,
    ranges,
    ranks_by_topic,
    ratio,
    running,
    running_by_topic,
    totals,
)
from inexview.core.measures.measure import INEX_2007, M07, RANKS, Parameters, Rank, measure
from inexview.core.text.spans import EMPTY, Floats, Ints, Mask, Spans

# The scores of one document: precision, recall and F of its characters, and the nearness of the entry point.
#
# Source: Kamps, Pehcevski, Kazai, Lalmas, Robertson, *INEX 2007 Evaluation Measures*, equations 4–10. These
# scores follow the pen: `score_document` runs on every movement of the mouse.


@dataclass(frozen=True, slots=True)
class DocumentScores:
    """The scores of one document and the counts of characters for them."""

    hits: int
    """Characters retrieved and relevant: the numerator of precision and of recall."""
    retrieved: int
    """Characters retrieved: the denominator of precision."""
    relevant: int
    """Relevant characters of the document, its rsize: the denominator of recall."""
    precision: float
    recall: float
    f: float
    distance: int | None
    """Characters between the run's entry point and the best one; None if either is missing."""
    s: float
    """Score of the entry point, 0 … 1."""


def score_document(
    judged: Spans,
    rsize: int | None,
    retrieved: Spans,
    length: int,
    bep: int | None,
    entry: int | None,
    parameters: Parameters = INEX_2007,
    *,
    nowhere: int = 0,
) -> DocumentScores:
    """Score the retrieved text of a document by its judgement.

    ``rsize`` is the qrels' own count of relevant characters (None: count ``judged``), ``length`` the
    document's in characters, ``bep`` the best entry point and ``entry`` the run's.  ``nowhere`` counts the
    characters of results beyond the article.  A document without relevant characters scores 0 throughout.

    >>> judged = Spans([(100, 300), (500, 600)])
    >>> a = score_document(judged, None, Spans([(50, 200), (450, 650)]), 1000, bep=120, entry=50)
    >>> a.hits, a.retrieved, a.relevant
    (200, 350, 300)
    >>> round(a.precision, 6), round(a.recall, 6), round(a.f, 6), round(a.s, 6)
    (0.571429, 0.666667, 0.615385, 0.588235)
    >>> own = Parameters(beta=0.25)
    >>> b = score_document(judged, None, Spans([(50, 200), (450, 650)]), 1000, 120, 50, own)
    >>> round(b.f, 6)
    0.576271
    """
    relevant = judged.size if rsize is None else rsize
    size = retrieved.size + nowhere
    hits = int(judged.overlap(retrieved.starts, retrieved.ends).sum()) if relevant else 0
    precision = hits / size if size else 0.0
    recall = hits / relevant if relevant else 0.0
    distance = None if bep is None or entry is None else abs(entry - bep)
    s = 0.0 if distance is None or not relevant else entry_score(distance, length, parameters)
    return DocumentScores(
        hits, size, relevant, precision, recall, f_score(precision, recall, parameters.beta), distance, s
    )


@overload
def f_score(precision: float, recall: float, beta: float) -> float: ...
@overload
def f_score(precision: Floats, recall: Floats, beta: float) -> Floats: ...
def f_score(precision: float | Floats, recall: float | Floats, beta: float) -> float | Floats:
    """Return (1+β²)·P·R / (β²·P + R), 0 if P·R = 0 (equation 6); scalars or arrays of one shape."""
    product = precision * recall
    weight = beta * beta
    if isinstance(product, np.ndarray):
        below = np.where(product > 0, weight * precision + recall, 1.0)
        weighed: Floats = (1 + weight) * product / below
        return weighed
    return (1 + weight) * product / (weight * precision + recall) if product > 0 else 0.0


@overload
def entry_score(distance: int, length: int, parameters: Parameters) -> float: ...


@overload
def entry_score(distance: Ints, length: Ints, parameters: Parameters) -> Floats: ...


def entry_score(distance: int | Ints, length: int | Ints, parameters: Parameters) -> float | Floats:
    """Return s(x,b) for ``distance`` = |x−b|; scalars or arrays of one shape."""
    above, below = entry_fraction(distance, length, parameters)
    scored: Floats = above / below
    return scored if isinstance(distance, np.ndarray) else float(scored)


def entry_fraction(distance: int | Ints, length: int | Ints, parameters: Parameters) -> tuple[Any, Any]:
    """Return numerator and denominator of s(x,b): equation 9 (window form) with n, else equation 8.

    At distance 0 they are equal, also in a document of length 0: 1 / 1.
    """
    if parameters.n is not None:
        return np.maximum(parameters.n - np.asarray(distance), 0), parameters.n
    reach = (parameters.a or 0.0) * np.asarray(length)
    total = reach + distance
    return np.where(total > 0, reach, 1.0), np.where(total > 0, total, 1.0)


# Tolerance to irrelevance, T2I: the text of an article that a reader reads before giving up (INEX 2010).
#
# Source: Arvola, Kekäläinen, Junkkari, *Expected reading effort in focused retrieval evaluation*, Information
# Retrieval 13, 2010.  The reader reads the retrieved passages of the article in document order, then the rest
# of the article in document order, and stops at the t-th irrelevant character.

ARVOLA = "Arvola, Kekäläinen, Junkkari, Expected reading effort in focused retrieval evaluation, IR 13, 2010"


@dataclass(frozen=True, slots=True)
class ReadingEffort:
    """The text read of one article: ``read`` contains ``relevant`` and ``irrelevant`` characters."""

    read: Spans
    relevant: int
    irrelevant: int
    stop: int | None = None
    """The place after the character at which reading stopped; None if all of the article was read."""

    @property
    def score(self) -> float:
        """The relevant share of the text read; 0 if none was relevant."""
        return self.relevant / (self.relevant + self.irrelevant) if self.relevant else 0.0


def reading_effort(
    judged: Spans, retrieved: Spans, *, length: int, tolerance: int, already: int = 0
) -> ReadingEffort:
    """Return the text read of an article of ``length`` characters with a ``tolerance`` of at least 1.

    ``already`` is how many irrelevant characters were read before.

    >>> judged, retrieved = Spans([(0, 10), (30, 40)]), Spans([(25, 35)])
    >>> effort = reading_effort(judged, retrieved, length=100, tolerance=12)
    >>> list(effort.read), effort.relevant, effort.irrelevant, round(effort.score, 6)
    ([(0, 17), (25, 35)], 15, 12, 0.555556)
    >>> effort.stop
    17
    """
    whole = max(length, *(int(spans.ends[-1]) for spans in (judged, retrieved) if spans), 0)
    rest = retrieved.complement(0, whole)
    pieces = _Pieces(
        judged,
        np.concatenate((retrieved.starts, rest.starts)),
        np.concatenate((retrieved.ends, rest.ends)),
        np.array([0, len(retrieved) + len(rest)]),
    )
    ends = pieces.read_until(np.array([max(tolerance - already, 0)]))
    read = Spans.from_arrays(pieces.starts, ends) if len(ends) else EMPTY
    relevant = int(judged.overlap(pieces.starts, ends).sum())
    irrelevant = already + read.size - relevant
    last = np.flatnonzero(ends > pieces.starts)[-1:]
    stop = int(ends[last[0]]) if irrelevant >= tolerance and len(last) else None
    return ReadingEffort(read, relevant, irrelevant, stop)


def tolerance_scores(
    marked: Spans,
    base: Ints,
    length: Ints,
    starts: Ints,
    ends: Ints,
    *,
    tolerance: int,
    already: Ints,
) -> Floats:
    """Return T2I of D articles at once, shape (D,).

    The articles are placed on one axis, article d at ``base[d]``, ``length[d]`` characters long, and do not
    touch; ``marked`` is the relevant text there.  The retrieved passages are ``[starts, ends)`` on the axis,
    each within an article, in any order, and may overlap.  ``already`` (D,) is how many irrelevant characters
    were read of each article before.
    """
    count = len(base)
    retrieved = Spans.from_arrays(starts, ends)
    own = np.searchsorted(base, retrieved.starts, side="right") - 1
    # The rest of each article is the text between its passages, its beginning and its end.
    edges = np.sort(np.concatenate((retrieved.starts, retrieved.ends, base, base + length)))
    rest_starts, rest_ends = edges[0::2], edges[1::2]
    rest_own = np.searchsorted(base, rest_starts, side="right") - 1
    document = np.concatenate((own, rest_own))
    order = np.argsort(document, kind="stable")  # the passages of each article first, then the rest
    pieces = _Pieces(
        marked,
        np.concatenate((retrieved.starts, rest_starts))[order],
        np.concatenate((retrieved.ends, rest_ends))[order],
        np.searchsorted(document[order], np.arange(count + 1)),
    )
    stops = pieces.read_until(np.maximum(tolerance - already, 0))
    relevant = totals(marked.overlap(pieces.starts, stops), pieces.ptr)
    return ratio(relevant, totals(stops - pieces.starts, pieces.ptr) + already)


class _Pieces:
    """The text of D articles in reading order, that of article d at ``ptr[d]:ptr[d+1]``."""

    def __init__(self, marked: Spans, starts: Ints, ends: Ints, ptr: Ints) -> None:
        self.marked = marked
        self.starts = starts
        self.ends = ends
        self.ptr = ptr

    def read_until(self, tolerance: Ints) -> Ints:
        """Return where reading stops in each piece, shape (pieces,); at its start if it is not read."""
        irrelevant = self.ends - self.starts - self.marked.overlap(self.starts, self.ends)
        before = running(irrelevant, self.ptr) - irrelevant
        left = np.repeat(tolerance, np.diff(self.ptr)) - before
        stops = np.where(left > 0, self.ends, self.starts)
        within = np.flatnonzero((left > 0) & (left <= irrelevant))
        stops[within] = self._after_irrelevant(self.starts[within], left[within])
        return stops

    def _after_irrelevant(self, starts: Ints, count: Ints) -> Ints:
        """Return the places after ``count`` irrelevant characters from each start."""
        below = self.marked.below(starts)
        wanted = starts - below + count  # so many irrelevant characters of the axis are before the place
        sizes = self.marked.ends - self.marked.starts
        relevant = np.append(0, np.cumsum(sizes))
        irrelevant_before = self.marked.starts - relevant[:-1]
        places: Ints = wanted + relevant[np.searchsorted(irrelevant_before, wanted, side="left")]
        return places


LEVELS = 11


def relevant_documents(joined: Joined) -> Mask:
    """Return which of m documents are relevant, shape (m,)."""
    return joined.relevant[joined.firsts]


def document_scores(joined: Joined, parameters: Parameters) -> Floats:
    """Return S(d) of m documents: s(x,b) for best-in-context, else F(d) (equations 4–9) or T2I, shape (m,).

    A document's results are adjacent.
    """
    scores = np.zeros(len(joined.firsts))
    relevant = np.flatnonzero(relevant_documents(joined))
    row = joined.row[joined.firsts[relevant]]
    if joined.task is Task.BEST_IN_CONTEXT:
        bep = joined.qrels.bep[row]
        distance = np.abs(joined.start[joined.firsts[relevant]] - bep)
        entered = entry_score(distance, joined.qrels.length[row], parameters)
        scores[relevant] = np.where(bep == NO_BEP, 0.0, entered)
    elif parameters.reads(joined.task):
        scores[relevant] = _tolerance_scores(joined, relevant, row, parameters.tolerance)
    else:
        bounds = np.append(joined.firsts, len(joined))
        size, rsize = (totals(column, bounds)[relevant] for column in new_characters(joined))
        recall = ratio(rsize, joined.qrels.rsize[row])
        scores[relevant] = f_score(ratio(rsize, size), recall, parameters.beta)
    return scores


def _tolerance_scores(joined: Joined, relevant: Ints, row: Ints, tolerance: int) -> Floats:
    """Return T2I of relevant documents, given by their places and by their rows in the qrels."""
    qrels = joined.qrels
    bounds = np.append(joined.firsts, len(joined))
    results = ranges(bounds[relevant], bounds[relevant + 1])
    article = np.repeat(np.arange(len(relevant)), np.diff(bounds)[relevant])
    known = joined.known[results]
    # A passage that is not in the collection is read first, because its place is before the article [T].
    unknown = np.bincount(article[~known], minlength=len(relevant)) * UNKNOWN_SIZE
    shown = known & (joined.size[results] > 0)  # an empty one past the end does not extend the article
    results, article = results[shown], article[shown]
    length = np.maximum(qrels.length[row], qrels.highlights.extent[row])
    np.maximum.at(length, article, joined.end[results])
    base = np.cumsum(length + 1) - length - 1
    passages = qrels.take(row)
    own = np.repeat(np.arange(len(relevant)), np.diff(passages.ptr))
    return tolerance_scores(
        Spans.from_arrays(base[own] + passages.starts, base[own] + passages.ends),
        base,
        length,
        base[article] + joined.start[results],
        base[article] + joined.end[results],
        tolerance=tolerance,
        already=unknown,
    )


class DocumentRanks:
    """The m documents that a run retrieves, in rank order, over T topics, with their scores.

    ``first`` (m,) is the first result of each document, ``ptr`` (T+1,) bounds each topic's documents.
    """

    family = "in-context"

    def __init__(self, joined: Joined, parameters: Parameters) -> None:
        self.joined = joined
        self.parameters = parameters
        self.first = joined.firsts
        self.ptr: Ints = np.searchsorted(self.first, joined.ptr)
        self.relevant = joined.of_documents(relevant_documents)

    @cached_property
    def found(self) -> Ints:
        """Relevant documents up to each rank, shape (m,)."""
        return running_by_topic(self.relevant.astype(np.int64), self.ptr)

    @cached_property
    def score(self) -> Floats:
        """S(d), shape (m,)."""
        return self.joined.of_documents(partial(document_scores, parameters=self.parameters))

    @cached_property
    def gained(self) -> Floats:
        """Σ S(d) up to each rank, shape (m,)."""
        return running_by_topic(self.score, self.ptr)

    @cached_property
    def precision(self) -> Floats:
        """gP[r] (equation 11), shape (m,)."""
        return self.gained / ranks_by_topic(self.ptr)

    @cached_property
    def recall(self) -> Floats:
        """gR[r] (equation 12), shape (m,)."""
        return ratio(self.found, np.repeat(self.joined.nrel, np.diff(self.ptr)))

    @cached_property
    def interpolated(self) -> Floats:
        """The highest gP at which gR has reached 0.0, 0.1, … 1.0, shape (T, 11)."""
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
    """Return gP[r] of each topic; after the last rank its last value."""
    return at_rank(documents.precision, documents.ptr, rank)


@_measure(
    "gR",
    title="generalised recall after r documents",
    citation=f"{M07}, eq. 12",
    formula="gR[r] = relevant documents among the first r / Nrel",
    at=Rank(RANKS),
)
def generalised_recall(documents: DocumentRanks, rank: int) -> Floats:
    """Return gR[r] of each topic; after the last rank its last value."""
    return at_rank(documents.recall, documents.ptr, rank)


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

    hits = np.flatnonzero(documents.relevant)
    first = documents.ptr[np.searchsorted(documents.ptr, hits, side="right") - 1]
    precision = np.zeros(len(documents.relevant))
    precision[hits] = documents.gained[hits] / (hits - first + 1)
    return ratio(totals(precision, documents.ptr), documents.joined.nrel)
