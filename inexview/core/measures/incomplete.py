"""Measures for incomplete judgements: bpref and inferred AP, as trec_eval computes them."""

from __future__ import annotations

from functools import cached_property, partial

import numpy as np

from inexview.core.measures.joined import per_topic
from inexview.core.measures.ranked import RankedDocuments
from inexview.core.measures.registry import measure
from inexview.core.measures.segments import ratio, running, totals
from inexview.core.text.offset_arrays import Floats, Ints, Mask

BV04 = "Buckley, Voorhees, Retrieval Evaluation with Incomplete Information, SIGIR 2004"
YA06 = "Yilmaz, Aslam, Estimating Average Precision with Incomplete and Imperfect Judgments, CIKM 2006"
_EPSILON = 0.00001  # trec_eval's INFAP_EPSILON


class JudgedDocuments(RankedDocuments):
    """The ranking with the judged and the unjudged documents told apart."""

    @cached_property
    def _nonrelevant_rows(self) -> Mask:
        """Which rows of the qrels are judged and not relevant; one that was only pooled is neither."""
        qrels = self.joined.qrels
        others = qrels.rsize < self.parameters.relevant_from
        return others if qrels.unsampled is None else others & ~qrels.unsampled

    @cached_property
    def nonrelevant(self) -> Ints:
        """How many judged non-relevant documents there are, shape (T,)."""
        return per_topic(self.joined.qrels, self._nonrelevant_rows)[self.joined.code]

    @cached_property
    def nonrelevant_above(self) -> Ints:
        """How many judged non-relevant documents are at or above each of the m documents, shape (m,)."""
        judged = (self.row >= 0) & self._nonrelevant_rows[self.row]
        return running(judged.astype(np.int64), self.ptr)

    @cached_property
    def unjudged_above(self) -> Ints:
        """How many unjudged documents are at or above each of the m documents, shape (m,)."""
        return running((self.row < 0).astype(np.int64), self.ptr)


_measure = partial(measure, view=JudgedDocuments, uses=("relevant_from",))


@_measure(
    "bpref",
    title="binary preference",
    formula="(1/R) Σ over relevant documents found of 1 − min(n, R) / min(R, N), n of N non-relevant above",
    citation=BV04,
    note="only judged documents count, which those with a grade below 0 are not; 1 for a relevant document "
    "with no non-relevant one above",
)
def binary_preference(ranked: JudgedDocuments) -> Floats:
    hits = ranked.hits
    topic = ranked.topic[hits]
    relevant, others = ranked.nrel[topic], ranked.nonrelevant[topic]
    above = np.minimum(ranked.nonrelevant_above[hits], relevant)
    preferred = 1 - ratio(above, np.minimum(relevant, others))
    return ratio(totals(preferred, ranked.hit_ptr), ranked.nrel)


@_measure(
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
