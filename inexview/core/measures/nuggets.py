"""Rankings over nuggets: the facts of a topic that the first k results state, by their characters.

A nugget is found once the first results together contain one of its places: all of its characters, or the
share that the judgements require.  A document that is retrieved whole contains all of its places.

Sources: Pradeep et al., *The Great Nugget Recall* (SIGIR 2025), with recall applied to retrieved text instead
of an answer; Clarke et al. (SIGIR 2008) and Zhai et al. (SIGIR 2003) for novelty.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import numpy as np

from inexview.core.answers.nuggets import RECALLS, WHOLE, Nugget, NuggetQrels, read_nuggets
from inexview.core.errors import InexviewError
from inexview.core.judgements.runs import Task
from inexview.core.measures.joined import Joined
from inexview.core.measures.measure import Parameters, Rank, measure
from inexview.core.measures.subtopics import Subtopics, alpha_ndcg, subtopic_recall
from inexview.core.text.spans import EMPTY, Floats, Ints, Spans

_RANKS = Rank((5, 10, 20))
_ALL = 10**12
WEIGHED = {
    "nugget_rec": "nugget_strict",
    "nugget_vital": "nugget_vital_strict",
    "nugget_weighted": "nugget_weighted_strict",
}
"""The recalls of rankings, and those of answers that weigh nuggets in the same way."""


class NuggetRanking(Subtopics):
    """The nuggets in the results of a run, over T topics: in each result, and in the first k together."""

    family = "nuggets"

    def __init__(self, joined: Joined, parameters: Parameters) -> None:
        qrels = joined.qrels
        if not isinstance(qrels, NuggetQrels):
            raise InexviewError("these measures need nuggets with passages: give a NuggetBank as QRELS")
        self.joined, self.kept = joined, 1 - parameters.alpha
        self.by_document = joined.task is Task.DOCUMENTS
        rows = joined.firsts if self.by_document else np.arange(len(joined))
        self.rows: Ints = rows
        """The results that count (for a run of documents the first of each), in rank order."""
        self.nuggets = [qrels.nuggets.get(qrels.topics[code], ()) for code in joined.code.tolist()]
        documents = joined.keys.names.take(rows).strings()
        bounds = np.searchsorted(rows, joined.ptr).tolist()
        places = list(zip(documents, joined.start[rows].tolist(), joined.end[rows].tolist(), strict=True))
        self.ranked, self.reached = [], []
        for nuggets, low, high in zip(self.nuggets, bounds, bounds[1:], strict=False):
            alone, first = self._stated(nuggets, places[low:high], qrels.share)
            self.ranked.append(alone)
            self.reached.append(first)
        self.judged = [_by_document(nuggets) for nuggets in self.nuggets]

    reached: list[list[int]]
    """The rank at which each nugget of a topic is found, 0 if it is not."""

    def _stated(
        self, nuggets: tuple[Nugget, ...], results: list[tuple[str, int, int]], share: float
    ) -> tuple[list[frozenset[str]], list[int]]:
        """Return which nuggets each result states alone, and at which rank each nugget is found."""
        of_document: dict[str, list[int]] = {}
        for number, nugget in enumerate(nuggets):
            for document in dict.fromkeys(place.document for place in nugget.places):
                of_document.setdefault(document, []).append(number)
        held: dict[str, Spans] = {}
        alone, first = [], [0] * len(nuggets)
        for rank, (document, start, end) in enumerate(results, 1):
            numbers = of_document.get(document, [])
            own = WHOLE if self.by_document else Spans([(start, end)]) if start < end else EMPTY
            asked = [nuggets[number] for number in numbers]
            told = read_nuggets(asked, {document: own}, share) if numbers else ()
            alone.append(frozenset(str(number) for number, one in zip(numbers, told, strict=True) if one))
            if numbers:
                held[document] = held.get(document, EMPTY) | own
                together = read_nuggets(asked, {document: held[document]}, share)
                for number, one in zip(numbers, together, strict=True):
                    first[number] = first[number] or (rank if one else 0)
        return alone, first

    def found(self, topic: int, k: int) -> list[Fraction]:
        """Return for each nugget of a topic whether the first k results state it, 1 or 0."""
        return [Fraction(0 < rank <= k) for rank in self.reached[topic]]

    def sums(self, topic: int, name: str, k: int) -> tuple[Fraction, Fraction]:
        """Return Σ weight of the nuggets found, and Σ weight of all, for a measure of WEIGHED."""
        return RECALLS[WEIGHED[name]].sums(self.nuggets[topic], self.found(topic, k))

    def recall(self, name: str, k: int | None) -> Floats:
        """Return a measure of WEIGHED at k results, all without one, shape (T,); 0 without weights."""
        sums = (self.sums(topic, name, k or _ALL) for topic in range(len(self.nuggets)))
        return np.array([float(above / below) if below else 0.0 for above, below in sums], np.float64)


def _by_document(nuggets: tuple[Nugget, ...]) -> list[frozenset[str]]:
    """Return the nuggets in each document, the highest id first, as the ideal ranking prefers it."""
    told: dict[str, set[str]] = {}
    for number, nugget in enumerate(nuggets):
        for place in nugget.places:
            told.setdefault(place.document, set()).add(str(number))
    return [frozenset(told[document]) for document in sorted(told, reverse=True)]


_recall = partial(
    measure,
    view=NuggetRanking,
    at=_RANKS,
    optional=True,
    brackets="@",
    citation="Pradeep et al., The Great Nugget Recall (SIGIR 2025), for retrieved text",
    note="a nugget is found if the first k results together contain one of its places",
)


@_recall("nugget_vital", title="vital nugget recall", formula="vital nuggets found / vital nuggets")
def vital_nugget_recall(view: NuggetRanking, k: int | None) -> Floats:
    return view.recall("nugget_vital", k)


@_recall("nugget_rec", title="nugget recall", formula="nuggets found / nuggets")
def nugget_recall_of_results(view: NuggetRanking, k: int | None) -> Floats:
    return view.recall("nugget_rec", k)


@_recall(
    "nugget_weighted",
    title="weighted nugget recall",
    formula="(vital nuggets found + ½ · okay nuggets found) / (vital nuggets + ½ · okay nuggets)",
)
def weighted_nugget_recall(view: NuggetRanking, k: int | None) -> Floats:
    return view.recall("nugget_weighted", k)


measure(
    "alpha_nDCG",
    title="α-nDCG over nuggets",
    formula="Σ gain/log2(1 + r) over the same of the ideal ranking, r up to k",
    citation="Clarke et al., Novelty and Diversity in Information Retrieval Evaluation (SIGIR 2008)",
    note="each repetition of a nugget gains (1 − α) times the previous gain; the ideal ranks whole documents",
    view=NuggetRanking,
    at=_RANKS,
    brackets="@",
    uses=("alpha",),
)(alpha_ndcg)
measure(
    "strec",
    title="subtopic recall over nuggets",
    formula="nuggets within a single one of the first k results / nuggets within any document",
    citation="Zhai et al., Beyond Independent Relevance (SIGIR 2003)",
    view=NuggetRanking,
    at=_RANKS,
    brackets="@",
)(subtopic_recall)
