"""Fetch and browse (INEX 2005): articles are ranked, and within each its elements or passages.

Each article's results are scored alone by HiXEval's precision and recall, as if the article were the whole
collection, and these are averaged over the first k articles of the ranking.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from inexview.core.measures.element_ranks import ElementRanks, relevant_size
from inexview.core.measures.hixeval import HI, RVAL, ResultValues
from inexview.core.measures.joined import Joined
from inexview.core.measures.measure import Rank
from inexview.core.measures.parameters import Parameters
from inexview.core.measures.registry import measure
from inexview.core.measures.segments import at_rank, harmonic_mean, ratio, running_floats, totals
from inexview.core.text.offset_arrays import Floats, Ints


class ArticleClusters:
    """The m articles that a run ranks, over T topics, and what is shown of each.

    ``ptr`` (T+1,) bounds each topic's articles; ``precision`` and ``recall`` (m,) are those of the results in
    the article, Σ rval/size over their number and Σ rval over its relevant characters.
    """

    def __init__(self, joined: Joined | ElementRanks, parameters: Parameters) -> None:
        values = ResultValues(joined, parameters)
        document, relevant = _articles(joined)
        new = np.ones(len(document), dtype=bool)
        new[1:] = document[1:] != document[:-1]
        new[joined.ptr[:-1][np.diff(joined.ptr) > 0]] = True
        first = np.flatnonzero(new)
        self.ptr: Ints = np.searchsorted(first, joined.ptr)
        bounds = np.append(first, len(document))
        self.precision: Floats = ratio(totals(ratio(values.rval, values.size), bounds), np.diff(bounds))
        self.recall: Floats = ratio(totals(values.rval, bounds), relevant[first])


def _articles(joined: Joined | ElementRanks) -> tuple[Ints, Ints]:
    """Return a number for the article of each result, and its relevant characters, shape (n,) both."""
    if isinstance(joined, Joined):
        return joined.document, np.where(joined.relevant, joined.qrels.rsize[joined.row], 0)
    numbers: dict[tuple[int, str], int] = {}
    document, relevant = [], []
    for topic, (ranking, judged) in enumerate(zip(joined.rankings, joined.documents, strict=True)):
        for own, _ in ranking:
            document.append(numbers.setdefault((topic, own), len(numbers)))
            relevant.append(relevant_size(judged.get(own, {})))
    return np.array(document, dtype=np.int64), np.array(relevant, dtype=np.int64)


_CUTOFFS = Rank((1, 5, 10, 25, 50))
_measure = partial(
    measure, citation=HI, view=ArticleClusters, at=_CUTOFFS, brackets="@", uses=("alpha", "seen")
)


@_measure(
    "clusterP",
    title="precision within articles",
    formula="mean over the first k articles of (1/results) Σ rval/size",
    note=f"{RVAL}; k divides also where fewer articles are retrieved",
)
def precision(clusters: ArticleClusters, k: int) -> Floats:
    return at_rank(running_floats(clusters.precision, clusters.ptr), clusters.ptr, k) / k


@_measure(
    "clusterR",
    title="recall within articles",
    formula="mean over the first k articles of Σ rval / relevant characters of the article",
    note="an article without relevant text adds 0",
    range=(0.0, float("inf")),
)
def recall(clusters: ArticleClusters, k: int) -> Floats:
    return at_rank(running_floats(clusters.recall, clusters.ptr), clusters.ptr, k) / k


@_measure(
    "clusterF",
    title="F within articles",
    formula="2·clusterP@k·clusterR@k / (clusterP@k + clusterR@k)",
    range=(0.0, 2.0),
)
def f(clusters: ArticleClusters, k: int) -> Floats:
    return harmonic_mean(precision(clusters, k), recall(clusters, k))
