"""Curves of a ranking, topic by topic: over ranks, over recall, ROC, and over the text that has to be read.

Saw-tooth and ROC: Manning, Raghavan, Schütze, *Introduction to Information Retrieval*, 8.4.  What is read is
the text that the run retrieved, result by result, each from its beginning to its end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

import numpy as np

from inexview.core.measures.characters import CharacterRanking
from inexview.core.measures.elements import ResultValues
from inexview.core.measures.focused import NewText, Ranks
from inexview.core.measures.in_context import DocumentRanks
from inexview.core.measures.joined import Joined, ratio, running
from inexview.core.measures.measure import Parameters
from inexview.core.measures.ranked import RankedDocuments, roc_points
from inexview.core.text.spans import Floats, Ints

EFFORT_LEVELS = 11
CurvePoints = Mapping[str, tuple[Floats, Floats]]
"""Of each topic x and y, shape (k,) each."""


class CurveKind(StrEnum):
    """The curves of a ranking."""

    INTERPOLATED = "interpolated"
    SAW_TOOTH = "saw-tooth"
    ROC = "roc"
    PRECISION = "precision-by-rank"
    RECALL = "recall-by-rank"
    EFFORT = "effort"

    @property
    def axes(self) -> tuple[str, str]:
        return _AXES[self]

    @property
    def averages(self) -> bool:
        """Whether it has a mean over topics: its points are at the same places in all of them."""
        return self in (CurveKind.INTERPOLATED, CurveKind.PRECISION, CurveKind.RECALL, CurveKind.EFFORT)


_AXES = {
    CurveKind.INTERPOLATED: ("recall", "precision"),
    CurveKind.SAW_TOOTH: ("recall", "precision"),
    CurveKind.ROC: ("false-positive rate", "true-positive rate"),
    CurveKind.PRECISION: ("rank", "precision"),
    CurveKind.RECALL: ("rank", "recall"),
    CurveKind.EFFORT: ("share found", "characters read"),
}


@dataclass(frozen=True, eq=False)
class RankSteps:
    """Precision and recall after each of the ranks of T topics, shape (m,); ``ptr`` (T+1,) bounds them."""

    precision: Floats
    recall: Floats
    ptr: Ints

    @classmethod
    def of(cls, joined: Joined, parameters: Parameters, view: type[object]) -> RankSteps:
        """Return the steps as the measures of a family count them, whose view is given."""
        if issubclass(view, DocumentRanks):
            documents = view(joined, parameters)
            return cls(documents.precision, documents.recall, documents.ptr)
        if issubclass(view, RankedDocuments):
            ranked = view(joined, parameters)
            recall = ratio(ranked.found, ranked.nrel[ranked.topic])
            return cls(ranked.found / ranked.rank, recall, ranked.ptr)
        if issubclass(view, ResultValues):
            values = view(joined, parameters)
            return cls(values.precision, ratio(values.found, values.trel[joined.topic]), values.ptr)
        if issubclass(view, CharacterRanking):
            hits = view(joined, parameters).relevant_so_far
            read = running(joined.size, joined.ptr)
            recall = ratio(hits, joined.trel[joined.topic])
            return cls(ratio(hits, read), recall, joined.ptr)
        # Families without precision at a rank count text that is retrieved again once, as sets of text do.
        ranks = (view if issubclass(view, Ranks) else NewText)(joined, parameters)
        recall = ratio(ranks.hits, joined.trel[joined.topic])
        return cls(ratio(ranks.hits, ranks.retrieved), recall, ranks.ptr)

    def topic(self, at: int) -> slice:
        return slice(int(self.ptr[at]), int(self.ptr[at + 1]))


@lru_cache(maxsize=8)
def even_levels(count: int) -> Floats:
    """Return so many levels of recall, evenly from 0 to 1, shape (count,)."""
    levels: Floats = np.linspace(0, 1, count)
    levels.flags.writeable = False
    return levels


def curve_points(joined: Joined, parameters: Parameters, kind: CurveKind, view: type[object]) -> CurvePoints:
    """Return the points of each topic's curve; none for the interpolated one, which comes with the measures.

    ``view`` is that of the family by which the task is scored: precision and recall are its own.
    """
    if kind is CurveKind.INTERPOLATED:
        return {}
    if kind is CurveKind.ROC:
        ranked = RankedDocuments(joined, parameters)
        return {topic: roc_points(ranked, at) for at, topic in enumerate(joined.topics)}
    if kind is CurveKind.EFFORT:
        return dict(zip(joined.topics, _effort(joined), strict=True))
    steps = RankSteps.of(joined, parameters, view)
    points: dict[str, tuple[Floats, Floats]] = {}
    for at, topic in enumerate(joined.topics):
        own = steps.topic(at)
        y = steps.recall[own] if kind is CurveKind.RECALL else steps.precision[own]
        x = steps.recall[own] if kind is CurveKind.SAW_TOOTH else np.arange(1.0, len(y) + 1)
        points[topic] = x, y
    return points


def mean_points(points: CurvePoints, kind: CurveKind) -> tuple[Floats, Floats]:
    """Return the curve over all topics, x and y, shape (k,) each; empty without topics.

    Over ranks it is the mean, a topic that has no more ranks keeping its last value (0 without any).  Of the
    text that is read it is the median, so that a topic in which a share is never found counts as infinity.
    """
    curves = [y for _, y in points.values()]
    if not curves:
        return np.empty(0), np.empty(0)
    longest = max(points.values(), key=lambda point: len(point[0]))[0]
    table = np.zeros((len(curves), len(longest)))
    for row, y in zip(table, curves, strict=True):
        if len(y):
            row[: len(y)] = y
            row[len(y) :] = y[-1]
    return longest, _medians(table) if kind is CurveKind.EFFORT else table.mean(axis=0)


def _medians(values: Floats) -> Floats:
    """Return the lower median of each column of (T, k): of an even number the smaller one of the middle."""
    middle: Floats = np.sort(values, axis=0)[(len(values) - 1) // 2]
    return middle


def _effort(joined: Joined) -> Iterable[tuple[Floats, Floats]]:
    """Yield for each topic the shares of its relevant text, and the characters read until each is found.

    The shares are 0 (the first relevant character), 0.1, … 1; what is never found is infinity.  Text that
    is retrieved again is read again, and found once.
    """
    shown = joined.sightings
    read_before = (running(joined.size, joined.ptr) - joined.size)[shown.result] + shown.before
    ptr = np.searchsorted(shown.result, joined.ptr)
    found = running(shown.size, ptr)
    shares = np.linspace(0.0, 1.0, EFFORT_LEVELS)
    for at, total in enumerate(joined.trel.tolist()):
        own = slice(int(ptr[at]), int(ptr[at + 1]))
        needed = np.maximum(np.ceil(shares * total - 1e-9).astype(np.int64), 1)
        piece = own.start + np.searchsorted(found[own], needed)
        characters = np.full(len(shares), np.inf)
        told = np.flatnonzero(piece < own.stop)
        piece = piece[told]
        characters[told] = read_before[piece] + needed[told] - (found[piece] - shown.size[piece])
        yield shares, characters
