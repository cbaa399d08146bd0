"""Ranked documents: the classic measures; a document is relevant if any of its text is.

Precision, recall, AP and nDCG; the rank of the first relevant document (RR, success, RBP); measures for
incomplete judgements (bpref, infAP); the false-positive rate.  Equal to trec_eval's to 1e-9; a document's
rank is that of its first result.
"""

from __future__ import annotations

from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from inexview.core.errors import InexviewError
from inexview.core.measures.joined import (
    Joined,
    at_rank,
    harmonic_mean,
    per_topic,
    ranks_by_topic,
    ratio,
    running_by_topic,
    totals,
)
from inexview.core.measures.measure import Level, Parameters, Rank, measure
from inexview.core.text.spans import Floats, Ints, Mask

IIR = "Manning, Raghavan, Schütze, Introduction to Information Retrieval, ch. 8"
CUTOFFS = Rank((5, 10, 20, 100))
_HIGHEST_GRADE = 60  # 2^60 is exact in a double
RECALL_LEVELS = Level(tuple(level / 10 for level in range(11)))


class RankedDocuments:
    """The m documents that a run retrieves, each once, over T topics.

    Columns of shape (m,): ``row``, the document's row in the qrels (−1: unjudged); ``relevant``; ``topic``;
    ``rank``, from 1; ``found``, the relevant documents up to that rank.  ``ptr`` (T+1,) bounds each topic's
    documents; ``nrel`` (T,) is its relevant documents.
    """

    family = "ranked"

    def __init__(self, joined: Joined, parameters: Parameters) -> None:
        self.joined = joined
        self.parameters = parameters
        is_relevant = joined.qrels.rsize >= parameters.relevant_from
        self.nrel: Ints = per_topic(joined.qrels, is_relevant)[joined.code]
        first = joined.firsts
        self.ptr: Ints = np.searchsorted(first, joined.ptr)
        self.row: Ints = joined.row[first]
        self.relevant: NDArray[np.bool_] = (self.row >= 0) & is_relevant[self.row]
        self.topic: Ints = joined.topic[first]
        self.rank = ranks_by_topic(self.ptr)
        self.found: Ints = running_by_topic(self.relevant.astype(np.int64), self.ptr)

    @cached_property
    def hits(self) -> Ints:
        """Which of the m documents are relevant, as row numbers."""
        return np.flatnonzero(self.relevant)

    @cached_property
    def hit_ptr(self) -> Ints:
        """The bounds of each topic's ``hits``, shape (T+1,)."""
        return np.searchsorted(self.hits, self.ptr)

    @cached_property
    def hit_precision(self) -> Floats:
        """The precision at the rank of each of the ``hits``."""
        return self.found[self.hits] / self.rank[self.hits]

    @cached_property
    def interpolated(self) -> Floats:
        """iprec[0.0] … iprec[1.0], shape (T, 11)."""
        return np.column_stack([interpolated_precision(self, level) for level in RECALL_LEVELS.usual])

    @cached_property
    def sizes(self) -> DocumentGains:
        """The relevant characters of a document as its gain; its grade in TREC qrels."""
        qrels = self.joined.qrels
        if self.parameters.gain == "linear":
            return DocumentGains(self, qrels.rsize)
        if not qrels.graded:
            raise InexviewError("an exponential gain needs grades: characters would gain 2^rsize")
        return DocumentGains(self, np.exp2(np.minimum(qrels.rsize, _HIGHEST_GRADE)) - 1)

    @cached_property
    def specificities(self) -> DocumentGains:
        """The relevant share of a document's characters as its gain."""
        return DocumentGains(self, ratio(self.joined.qrels.rsize, self.joined.qrels.length))


class DocumentGains:
    """The gains of judged documents: ``gain`` (n,) over the rows of the qrels.

    ``rows`` are the relevant documents, topic by topic, the highest gain first; ``ptr`` bounds each of the
    qrels' topics in them, ``rank`` is their place in the best possible ranking, from 1.
    """

    def __init__(self, ranked: RankedDocuments, gain: Ints | Floats) -> None:
        qrels = ranked.joined.qrels
        self._ranked = ranked
        self._gain = gain
        rows = np.flatnonzero(qrels.rsize > 0)
        self.rows: Ints = rows[np.lexsort((-gain[rows], qrels.topic[rows]))]
        self.ptr: Ints = np.searchsorted(qrels.topic[self.rows], np.arange(len(qrels.topics) + 1))
        self.rank = ranks_by_topic(self.ptr)

    def ndcg(self, k: int | None) -> Floats:
        """Return the discounted gain of the first k documents (None: all) over the best possible, (T,)."""
        ranked = self._ranked
        gaining = np.flatnonzero((ranked.row >= 0) & (ranked.joined.qrels.rsize[ranked.row] > 0))
        bounds = np.searchsorted(gaining, ranked.ptr)
        run = _discounted(self._gain[ranked.row[gaining]], ranked.rank[gaining], bounds, k)
        best = _discounted(self._gain[self.rows], self.rank, self.ptr, k)
        return ratio(run, best[ranked.joined.code])


_measure = partial(measure, citation=IIR, view=RankedDocuments, uses=("relevant_from",))


@_measure("P", title="precision", formula="relevant documents in the first k / k", at=CUTOFFS, brackets="@")
def precision(ranked: RankedDocuments, k: int) -> Floats:
    """Return P@k, shape (T,); it divides by k even if fewer are retrieved."""
    return at_rank(ranked.found, ranked.ptr, k) / k


@_measure("R", title="recall", formula="relevant documents in the first k / Nrel", at=CUTOFFS, brackets="@")
def recall(ranked: RankedDocuments, k: int) -> Floats:
    return ratio(at_rank(ranked.found, ranked.ptr, k), ranked.nrel)


@_measure("F", title="F of precision and recall", formula="2·P@k·R@k/(P@k + R@k)", at=CUTOFFS, brackets="@")
def f(ranked: RankedDocuments, k: int) -> Floats:
    return harmonic_mean(precision(ranked, k), recall(ranked, k))


@_measure(
    "AP",
    title="average precision",
    formula="mean over the relevant documents of the precision at their ranks, 0 for those not retrieved",
    mean="MAP",
    at=Rank(()),
    brackets="@",
    optional=True,
    note="with a cut-off, documents beyond it count as not retrieved",
)
def average_precision(ranked: RankedDocuments, k: int | None = None) -> Floats:
    """Return AP of the first k documents (None: of all), shape (T,)."""
    within = (
        ranked.hit_precision
        if k is None
        else np.where(ranked.rank[ranked.hits] <= k, ranked.hit_precision, 0.0)
    )
    return ratio(totals(within, ranked.hit_ptr), ranked.nrel)


@_measure(
    "gmAP",
    title="average precision, averaged geometrically",
    formula="AP; the mean over topics is exp(mean of ln max(AP, 0.00001))",
    mean="GMAP",
    geometric=True,
)
def average_precision_for_geometric_mean(ranked: RankedDocuments) -> Floats:
    return average_precision(ranked)


@_measure(
    "AP11",
    title="11-point average precision",
    formula="mean of iprec[0.0], iprec[0.1], … iprec[1.0]",
    mean="MAP11",
)
def eleven_point_average(ranked: RankedDocuments) -> Floats:
    """Return the mean of the interpolated precision at eleven levels, shape (T,)."""
    average: Floats = ranked.interpolated.mean(axis=1)
    return average


@_measure("maxF", title="best F over the ranking", formula="max over k of F@k")
def best_f(ranked: RankedDocuments) -> Floats:
    """Return the highest F@k of any rank k, shape (T,): 2·found / (k + Nrel), highest at a relevant one."""
    at_hits = (
        2 * ranked.found[ranked.hits] / (ranked.rank[ranked.hits] + ranked.nrel[ranked.topic[ranked.hits]])
    )
    best = np.zeros(len(ranked.nrel))
    np.maximum.at(best, ranked.topic[ranked.hits], at_hits)
    return best


@_measure(
    "Rprec",
    title="R-precision",
    formula="relevant documents in the first Nrel / Nrel",
    note="the break-even point: at this rank precision and recall are equal",
)
def r_precision(ranked: RankedDocuments) -> Floats:
    within = ranked.rank[ranked.hits] <= ranked.nrel[ranked.topic[ranked.hits]]
    return ratio(totals(within.astype(np.int64), ranked.hit_ptr), ranked.nrel)


@_measure(
    "iprec",
    title="interpolated precision at a level of recall",
    formula="the highest precision at a rank where recall has reached x, 0 if none has",
    at=RECALL_LEVELS,
)
def interpolated_precision(ranked: RankedDocuments, level: float) -> Floats:
    """Return iprec[x], shape (T,).

    Recall has reached x when floor(x·Nrel + 0.9) relevant documents are found, in IEEE doubles, as in
    trec_eval's ``iprec_at_recall``.
    """
    needed = np.maximum(np.floor(level * ranked.nrel + 0.9).astype(np.int64), 1)
    first, after = ranked.hit_ptr[:-1] + needed - 1, ranked.hit_ptr[1:]
    reached = np.flatnonzero(first < after)
    best = np.zeros(len(needed))
    if len(reached):
        bounds = np.column_stack((first[reached], after[reached])).ravel()
        best[reached] = np.maximum.reduceat(np.append(ranked.hit_precision, 0.0), bounds)[::2]
    return best


def _discounted(gains: Ints | Floats, rank: Ints, ptr: Ints, k: int | None) -> Floats:
    """Return Σ gain/log2(1 + rank) over the documents of each segment up to rank k, or over all."""
    counted = gains / np.log2(1.0 + rank)
    summed: Floats = totals(counted if k is None else np.where(rank <= k, counted, 0.0), ptr)
    return summed


@_measure(
    "nDCG",
    title="normalised discounted cumulated gain",
    formula="Σ rsize/log2(1 + rank) of the first k documents, over the same of the best possible ranking",
    at=CUTOFFS,
    brackets="@",
    optional=True,
    uses=("gain",),
    note="TREC qrels: the gain is the grade, or 2^grade − 1; without a cut-off over all documents",
)
def ndcg(ranked: RankedDocuments, k: int | None = None) -> Floats:
    return ranked.sizes.ndcg(k)


@_measure(
    "nDCGspec",
    title="normalised discounted cumulated gain, specificity as gain",
    formula="Σ (rsize/size)/log2(1 + rank) of the first k documents, over the same of the best ranking",
    at=CUTOFFS,
    brackets="@",
    uses=(),
    note="size is the document's length; TREC qrels have none, and score 0",
)
def ndcg_of_specificity(ranked: RankedDocuments, k: int) -> Floats:
    """Return nDCG@k with specificities as gains, shape (T,)."""
    return ranked.specificities.ndcg(k)


@_measure(
    "ROC",
    title="area under the ROC curve",
    formula="share of the (relevant, non-relevant) pairs of documents that are ranked the right way round",
    note="over the judged and the retrieved documents; pairs of unretrieved ones count half; "
    "1 if no document is non-relevant",
)
def roc_area(ranked: RankedDocuments) -> Floats:
    """Return the area under the points of :func:`roc_points`, shape (T,)."""
    others = not_relevant(ranked)
    above = ranked.rank[ranked.hits] - ranked.found[ranked.hits]
    below = totals(others[ranked.topic[ranked.hits]] - above, ranked.hit_ptr)
    hits, retrieved = np.diff(ranked.hit_ptr), np.diff(ranked.ptr)
    unranked = (ranked.nrel - hits) * (others - (retrieved - hits)) / 2
    return np.where(others > 0, ratio(below + unranked, ranked.nrel * others), (ranked.nrel > 0) * 1.0)


def roc_points(ranked: RankedDocuments, topic: int) -> tuple[Floats, Floats]:
    """Return a topic's false and true positive rates after 0, 1, … retrieved documents, and after all.

    Both have shape (documents + 2,).  The documents that are not retrieved come last and all at once.
    """
    own = slice(int(ranked.ptr[topic]), int(ranked.ptr[topic + 1]))
    nrel, others = int(ranked.nrel[topic]), int(not_relevant(ranked)[topic])
    found = ranked.found[own]
    hits = np.concatenate(([0], found, [nrel]))
    false_alarms = np.concatenate(([0], ranked.rank[own] - found, [others]))
    return false_alarms / max(others, 1), hits / max(nrel, 1)


def not_relevant(ranked: RankedDocuments) -> Ints:
    """Return how many of the judged and retrieved documents are not relevant, shape (T,)."""
    qrels = ranked.joined.qrels
    judged = np.bincount(qrels.topic, minlength=len(qrels.topics))[ranked.joined.code]
    unjudged = totals((ranked.row < 0).astype(np.int64), ranked.ptr)
    others: Ints = judged - ranked.nrel + unjudged.astype(np.int64)
    return others


# The ranks of relevant documents: reciprocal rank, success, and rank-biased precision; and the judged share.

MZ08 = "Moffat, Zobel, Rank-Biased Precision for Measurement of Retrieval Effectiveness, TOIS 27(1) 2008"


class HitRanks(RankedDocuments):
    """The ranks of the relevant documents."""

    family = "first-hits"


_hit_measure = partial(measure, view=HitRanks, uses=("relevant_from",))


@_hit_measure(
    "RR",
    title="reciprocal rank",
    formula="1 / rank of the first relevant document, 0 without one",
    citation=IIR,
    mean="MRR",
    at=Rank(()),
    brackets="@",
    optional=True,
    note="with a cut-off, 0 if the first relevant document is beyond it",
)
def reciprocal_rank(ranked: HitRanks, k: int | None = None) -> Floats:
    """Return 1 / rank of the first relevant document within k (None: anywhere), shape (T,)."""
    first = np.full(len(ranked.nrel), 0)
    hits = ranked.hits
    # Written from the last to the first, so that the first rank remains.
    first[ranked.topic[hits][::-1]] = ranked.rank[hits][::-1]
    counts = (first > 0) if k is None else (first > 0) & (first <= k)
    return ratio(counts.astype(np.int64), first)


@_hit_measure(
    "success",
    title="success",
    formula="1 if one of the first k documents is relevant, else 0",
    citation=IIR,
    at=Rank((1, 5, 10)),
    brackets="@",
)
def success(ranked: HitRanks, k: int) -> Floats:
    return (at_rank(ranked.found, ranked.ptr, k) > 0).astype(np.float64)


@_hit_measure(
    "RBP",
    title="rank-biased precision",
    formula="(1 − p) Σ p^(i−1) over the ranks i of relevant documents",
    citation=MZ08,
    uses=("persistence", "relevant_from"),
)
def rank_biased_precision(ranked: HitRanks) -> Floats:
    p = ranked.parameters.persistence
    weights = (1 - p) * np.power(p, ranked.rank[ranked.hits] - 1.0)
    return totals(weights, ranked.hit_ptr)


@_hit_measure(
    "Judged",
    title="judged share",
    formula="judged documents in the first k / k",
    citation=IIR,
    at=Rank((10,)),
    brackets="@",
    uses=(),
    note="divides by k even if fewer are retrieved; grades below 0 mean pooled, not judged",
)
def judged(ranked: HitRanks, k: int) -> Floats:
    """Return Judged@k, shape (T,)."""
    known = running_by_topic(ranked.joined.judged[ranked.joined.firsts].astype(np.int64), ranked.ptr)
    return at_rank(known, ranked.ptr, k) / k


# Measures for incomplete judgements: bpref and inferred AP, as trec_eval computes them.

BV04 = "Buckley, Voorhees, Retrieval Evaluation with Incomplete Information, SIGIR 2004"
YA06 = "Yilmaz, Aslam, Estimating Average Precision with Incomplete and Imperfect Judgments, CIKM 2006"
_EPSILON = 0.00001  # trec_eval's INFAP_EPSILON


class JudgedDocuments(RankedDocuments):
    """The ranking with its judged and unjudged documents distinguished."""

    family = "incomplete"

    @cached_property
    def _nonrelevant_rows(self) -> Mask:
        """Which rows of the qrels are judged and not relevant; merely pooled documents are not judged."""
        qrels = self.joined.qrels
        others = qrels.rsize < self.parameters.relevant_from
        return others if qrels.unsampled is None else others & ~qrels.unsampled

    @cached_property
    def nonrelevant(self) -> Ints:
        """The number of judged non-relevant documents, shape (T,)."""
        return per_topic(self.joined.qrels, self._nonrelevant_rows)[self.joined.code]

    @cached_property
    def nonrelevant_above(self) -> Ints:
        """The number of judged non-relevant documents at or above each of the m documents, shape (m,)."""
        judged = (self.row >= 0) & self._nonrelevant_rows[self.row]
        return running_by_topic(judged.astype(np.int64), self.ptr)

    @cached_property
    def unjudged_above(self) -> Ints:
        """The number of unjudged documents at or above each of the m documents, shape (m,)."""
        return running_by_topic((self.row < 0).astype(np.int64), self.ptr)


_judged_measure = partial(measure, view=JudgedDocuments, uses=("relevant_from",))


@_judged_measure(
    "bpref",
    title="binary preference",
    formula="(1/R) Σ over relevant documents found of 1 − min(n, R) / min(R, N), n of N non-relevant above",
    citation=BV04,
    note="only judged documents count (a grade below 0 means not judged); a relevant document with no "
    "non-relevant one above counts 1",
)
def binary_preference(ranked: JudgedDocuments) -> Floats:
    hits = ranked.hits
    topic = ranked.topic[hits]
    relevant, others = ranked.nrel[topic], ranked.nonrelevant[topic]
    above = np.minimum(ranked.nonrelevant_above[hits], relevant)
    preferred = 1 - ratio(above, np.minimum(relevant, others))
    return ratio(totals(preferred, ranked.hit_ptr), ranked.nrel)


@_judged_measure(
    "infAP",
    title="inferred average precision",
    formula="(1/R) Σ over retrieved relevant documents of the precision expected at their rank k: "
    "1/k + (k−1)/k · judged above/(k−1) · (relevant + ε)/(relevant + non-relevant + 2ε)",
    citation=YA06,
    note="documents that are not in the qrels count as outside the pool",
    range=(0.0, 1.0 + 1e-9),
)
def inferred_average_precision(ranked: JudgedDocuments) -> Floats:
    hits = ranked.hits
    above = ranked.rank[hits] - 1
    relevant = ranked.found[hits] - 1 + _EPSILON
    likely = relevant / (relevant + ranked.nonrelevant_above[hits] + _EPSILON)
    pooled = ratio(above - ranked.unjudged_above[hits], above)
    expected = (1 + above * pooled * likely) / (above + 1)
    return ratio(totals(expected, ranked.hit_ptr), ranked.nrel)


# False alarms: the false-positive rate and specificity after k documents.


class FalseAlarms(RankedDocuments):
    """The documents that are not relevant, including unjudged ones."""

    family = "false-alarms"


_alarm_measure = partial(
    measure, citation=IIR, view=FalseAlarms, at=CUTOFFS, brackets="@", uses=("relevant_from",)
)


@_alarm_measure(
    "FPR",
    title="false-positive rate",
    formula="non-relevant documents in the first k / non-relevant documents",
    note="over the judged and the retrieved documents; 0 if no document is non-relevant",
)
def false_positive_rate(ranked: FalseAlarms, k: int) -> Floats:
    shown = np.minimum(np.diff(ranked.ptr), k) - at_rank(ranked.found, ranked.ptr, k)
    return ratio(shown, not_relevant(ranked))


@_alarm_measure(
    "specificity", title="specificity", formula="1 − FPR@k", note="1 if no document is non-relevant"
)
def specificity(ranked: FalseAlarms, k: int) -> Floats:
    return 1 - false_positive_rate(ranked, k)
