"""How soon a ranking pleases: reciprocal rank, success, and rank-biased precision; and what is judged."""

from __future__ import annotations

from functools import partial

import numpy as np

from inexview.core.measures.measure import Rank
from inexview.core.measures.ranked import IIR, RankedDocuments
from inexview.core.measures.registry import measure
from inexview.core.measures.segments import at_rank, ratio, running, totals
from inexview.core.text.offset_arrays import Floats

MZ08 = "Moffat, Zobel, Rank-Biased Precision for Measurement of Retrieval Effectiveness, TOIS 27(1) 2008"


class HitRanks(RankedDocuments):
    """The ranks at which relevant documents are."""


_measure = partial(measure, view=HitRanks, uses=("relevant_from",))


@_measure(
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
    # Written from the last to the first, so that the first rank stays.
    first[ranked.topic[hits][::-1]] = ranked.rank[hits][::-1]
    counts = (first > 0) if k is None else (first > 0) & (first <= k)
    return ratio(counts.astype(np.int64), first)


@_measure(
    "success",
    title="success",
    formula="1 where one of the first k documents is relevant, else 0",
    citation=IIR,
    at=Rank((1, 5, 10)),
    brackets="@",
)
def success(ranked: HitRanks, k: int) -> Floats:
    return (at_rank(ranked.found, ranked.ptr, k) > 0).astype(np.float64)


@_measure(
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


@_measure(
    "Judged",
    title="judged share",
    formula="judged documents in the first k / k",
    citation=IIR,
    at=Rank((10,)),
    brackets="@",
    uses=(),
    note="k divides also where fewer are retrieved; grades below 0 are pooled, not judged",
)
def judged(ranked: HitRanks, k: int) -> Floats:
    """Return Judged@k, shape (T,)."""
    known = running(ranked.joined.judged[ranked.joined.firsts].astype(np.int64), ranked.ptr)
    return at_rank(known, ranked.ptr, k) / k
