"""Rankings of documents over subtopics: measures of novelty and diversity.

A document covers the subtopics for which it is relevant.  Each repetition of a subtopic is worth (1 − α)
times the previous one, as in ndeval of the TREC Web Track.

Sources: Clarke et al., *Novelty and Diversity in Information Retrieval Evaluation* (SIGIR 2008): α-nDCG;
Chapelle et al., *Expected Reciprocal Rank for Graded Relevance* (CIKM 2009): ERR-IA; Zhai et al., *Beyond
Independent Relevance* (SIGIR 2003): subtopic recall.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import pairwise

import numpy as np

from inexview.core.errors import InexviewError
from inexview.core.judgements.qrels import AspectQrels
from inexview.core.measures.joined import Joined
from inexview.core.measures.measure import Parameters, Rank, measure
from inexview.core.text.spans import Floats

_RANKS = Rank((5, 10, 20))
_Told = frozenset[str]


class Subtopics:
    """The subtopics in each document of the rankings of T topics, and in the judged documents."""

    family = "subtopics"

    def __init__(self, joined: Joined, parameters: Parameters) -> None:
        qrels = joined.qrels
        if not isinstance(qrels, AspectQrels):
            raise InexviewError("these measures need judgements of subtopics: --preset diversity reads them")
        self.joined, self.kept = joined, 1 - parameters.alpha
        covered, names = qrels.aspects, qrels.document.strings()
        bounds = np.searchsorted(joined.firsts, joined.ptr).tolist()
        rows = joined.row[joined.firsts].tolist()
        self.ranked: list[list[_Told]] = [
            [covered[row] if row >= 0 else frozenset() for row in rows[low:high]]
            for low, high in pairwise(bounds)
        ]
        """The subtopics in each document of the ranking, best rank first."""
        self.judged: list[list[_Told]] = [
            [covered[row] for row in sorted(rows, key=names.__getitem__, reverse=True) if covered[row]]
            for code in joined.code.tolist()
            for rows in [np.flatnonzero(qrels.topic == code).tolist()]
        ]
        """The subtopics in each topic's judged documents, the highest id first, as ndeval breaks ties."""

    @cached_property
    def subtopics(self) -> list[int]:
        """The number of subtopics of each topic that occur in some document."""
        return [len(frozenset[str]().union(*own)) for own in self.judged]

    def gains(self, documents: Iterable[_Told]) -> Iterator[float]:
        """Yield the gain of each document of a ranking: Σ over its subtopics of (1 − α)^repetitions."""
        times: Counter[str] = Counter()
        for covered in documents:
            yield sum(self.kept ** times[one] for one in covered)
            times.update(covered)

    def ideal(self, topic: int, k: int) -> list[float]:
        """Return the gains of the best ranking of the judged documents, chosen greedily."""
        left, times, gains = list(self.judged[topic]), Counter[str](), list[float]()
        while left and len(gains) < k:
            worth = [sum(self.kept ** times[one] for one in covered) for covered in left]
            best = max(range(len(left)), key=worth.__getitem__)
            gains.append(worth[best])
            times.update(left.pop(best))
        return gains

    def most(self, k: int) -> float:
        """Return Σ gain / rank over k documents that all cover the same single subtopic."""
        return sum(self.kept ** (rank - 1) * reciprocal(rank) for rank in range(1, k + 1))

    def discounted(self, k: int, discount: Callable[[int], float], *, ideal: bool) -> Floats:
        """Return Σ gain · discount of rank over the first k documents, or those of the ideal, shape (T,)."""
        weights = [discount(rank) for rank in range(1, k + 1)]
        sums = []
        for topic, ranked in enumerate(self.ranked):
            gains = self.ideal(topic, k) if ideal else list(self.gains(ranked[:k]))
            sums.append(sum(gain * weight for gain, weight in zip(gains, weights, strict=False)))
        return np.array(sums, dtype=np.float64)


def log_discount(rank: int) -> float:
    return 1 / float(np.log2(rank + 1))


def reciprocal(rank: int) -> float:
    return 1 / rank


def _share(above: Floats, below: Floats) -> Floats:
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)


@measure(
    "alpha_nDCG",
    title="α-nDCG over subtopics",
    formula="Σ gain/log2(1 + r) over the same of the ideal ranking, r up to k",
    citation="Clarke et al., Novelty and Diversity in Information Retrieval Evaluation (SIGIR 2008)",
    note="each repetition of a subtopic gains (1 − α) times the previous gain; the ideal is chosen greedily",
    view=Subtopics,
    at=_RANKS,
    brackets="@",
    uses=("alpha",),
)
def alpha_ndcg(view: Subtopics, k: int) -> Floats:
    return _share(view.discounted(k, log_discount, ideal=False), view.discounted(k, log_discount, ideal=True))


@measure(
    "ERR_IA",
    title="intent-aware expected reciprocal rank",
    formula="Σ gain/r over (subtopics · Σ (1 − α)^(r − 1)/r), r up to k",
    citation="Chapelle et al., Expected Reciprocal Rank for Graded Relevance (CIKM 2009); ndeval",
    note="1 means that every document covers every subtopic, as in ndeval",
    view=Subtopics,
    at=_RANKS,
    brackets="@",
    uses=("alpha",),
)
def err_ia(view: Subtopics, k: int) -> Floats:
    return _share(
        view.discounted(k, reciprocal, ideal=False), view.most(k) * np.array(view.subtopics, np.float64)
    )


@measure(
    "strec",
    title="subtopic recall",
    formula="subtopics in the first k documents / subtopics",
    citation="Zhai et al., Beyond Independent Relevance (SIGIR 2003)",
    view=Subtopics,
    at=_RANKS,
    brackets="@",
)
def subtopic_recall(view: Subtopics, k: int) -> Floats:
    covered = [len(frozenset[str]().union(*ranked[:k])) for ranked in view.ranked]
    return _share(np.array(covered, np.float64), np.array(view.subtopics, np.float64))
