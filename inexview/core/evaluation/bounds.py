"""What measures could be if the unjudged documents were judged: their lowest and highest values.

As in Manning, Raghavan, Schütze, *Introduction to Information Retrieval*, exercise 8.9 f–h.  Unjudged are the
retrieved documents that the qrels do not name, or name with a grade below 0; those neither retrieved nor
judged are left aside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from inexview.core.evaluation.topic_means import topic_means
from inexview.core.measures.in_context import DocumentRanks
from inexview.core.measures.joined import Joined, at_rank, ratio, running
from inexview.core.measures.measure import Cutoff, MeasureRecord, Parameters
from inexview.core.measures.ranked import RankedDocuments
from inexview.core.text.spans import Floats, Ints, Mask


@dataclass(frozen=True, eq=False)
class Bounds:
    """The lowest and the highest value of a measure for each of T topics, shape (T,) both."""

    low: Floats
    high: Floats
    geometric: bool = False
    """Whether the measure's mean is the geometric one."""

    @property
    def mean(self) -> tuple[float, float]:
        """The bounds of the mean; 0 without a topic."""
        low, high = (topic_means(own, geometric=self.geometric) for own in (self.low, self.high))
        return float(low), float(high)


def bounds_of(
    joined: Joined, parameters: Parameters, wanted: Sequence[tuple[MeasureRecord, Cutoff | None]]
) -> Mapping[str, Bounds]:
    """Return the bounds of P@k, AP, gmAP and gP[k] where they are wanted, by their names for a topic."""
    found = {}
    for record, cutoff in wanted:
        averaged = record.name in ("AP", "gmAP") and cutoff is None
        if record.view is RankedDocuments and (record.name == "P" or averaged):
            ranked: RankedDocuments = record.seen_by(joined, parameters)
            own = _of_average_precision(ranked) if cutoff is None else _of_precision(ranked, int(cutoff))
        elif record.view is DocumentRanks and record.name == "gP" and cutoff is not None:
            own = _of_generalised_precision(DocumentRanks(joined, parameters), int(cutoff))
        else:
            continue
        found[record.label(cutoff)] = replace(own, geometric=record.geometric)
    return found


def _unjudged(ranked: RankedDocuments) -> Mask:
    return ~ranked.joined.judged[ranked.joined.firsts]


def _of_precision(ranked: RankedDocuments, k: int) -> Bounds:
    """Return the bounds of P@k: each unjudged document in the first k may be relevant or not."""
    unjudged = running(_unjudged(ranked).astype(np.int64), ranked.ptr)
    low = at_rank(ranked.found, ranked.ptr, k) / k
    return Bounds(low, low + at_rank(unjudged, ranked.ptr, k) / k)


def _of_generalised_precision(documents: DocumentRanks, k: int) -> Bounds:
    """Return the bounds of gP[k]: S(d) of an unjudged document may be anything from 0 to 1."""
    unjudged: Ints = running((documents.row < 0).astype(np.int64), documents.ptr)
    low = at_rank(documents.precision, documents.ptr, k)
    read = np.minimum(np.diff(documents.ptr), k)
    return Bounds(low, low + ratio(at_rank(unjudged, documents.ptr, k), read))


def _of_average_precision(ranked: RankedDocuments) -> Bounds:
    low, high = np.zeros(len(ranked.nrel)), np.zeros(len(ranked.nrel))
    unjudged = _unjudged(ranked)
    for topic in range(len(ranked.nrel)):
        own = slice(int(ranked.ptr[topic]), int(ranked.ptr[topic + 1]))
        low[topic], high[topic] = average_precision_bounds(
            ranked.relevant[own], unjudged[own], int(ranked.nrel[topic])
        )
    return Bounds(low, high)


def average_precision_bounds(
    relevant: Mask, unjudged: Mask, nrel: int, *, hidden: int | None = None
) -> tuple[float, float]:
    """Return the lowest and highest AP of a ranking of n documents.

    ``relevant`` and ``unjudged`` have shape (n,), ``nrel`` is how many documents were judged relevant.  As
    many of the unjudged are relevant as ``hidden`` says, or any number of them.  Of m relevant ones AP is
    highest where they are the first m of the unjudged, and lowest where they are the last.
    """
    places = np.flatnonzero(unjudged)
    numbers = range(len(places) + 1) if hidden is None else [min(hidden, len(places))]
    lows, highs = [], []
    for m in numbers:
        total = nrel + (m if hidden is None else hidden)
        lows.append(_average_precision(relevant, places[len(places) - m :], total))
        highs.append(_average_precision(relevant, places[:m], total))
    return min(lows), max(highs)


def _average_precision(relevant: Mask, more: Ints, nrel: int) -> float:
    ranks = np.sort(np.concatenate((np.flatnonzero(relevant), more))) + 1
    return float((np.arange(1, len(ranks) + 1) / ranks).sum()) / nrel if nrel else 0.0
