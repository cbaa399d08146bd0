"""Rankings as the tasks of INEX want them: without overlaps, grouped by document, or one entry a document."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable

import numpy as np

from inexview.core.judgements.runs import Task
from inexview.core.retrieval.unit_ranking import UnitRanking
from inexview.core.text.spans import Ints

CANDIDATES = 4
"""How many times the depth is ranked, from which results are left out."""


def candidates(depth: int, task: Task | None) -> int:
    """Return how many units are ranked for a ranking of so many results."""
    return depth * CANDIDATES if task in _ARRANGED else depth


def arranged(ranking: UnitRanking, task: Task | None, depth: int) -> UnitRanking:
    """Return the first ``depth`` results as the task wants them.

    Focused: what overlaps a better result of its document is left out.  Relevant in context: the same, the
    results of each document side by side, documents in the order of their best ones.  Best in context: the
    best result of each document.  Other tasks take a ranking as it is.
    """
    arrange = _ARRANGED.get(task) if task is not None else None
    return ranking.take(np.arange(len(ranking))[:depth] if arrange is None else arrange(ranking, depth))


def _without_overlaps(ranking: UnitRanking, depth: int) -> Ints:
    kept: list[int] = []
    held: dict[int, list[tuple[int, int]]] = {}
    columns = zip(ranking.number.tolist(), ranking.start.tolist(), ranking.end.tolist(), strict=True)
    for at, (document, start, end) in enumerate(columns):
        own = held.setdefault(document, [])
        place = bisect_left(own, (end, 0))
        if place == 0 or own[place - 1][1] <= start:
            insort(own, (start, end))
            kept.append(at)
            if len(kept) == depth:
                break
    return np.array(kept, np.int64)


def _grouped(ranking: UnitRanking, depth: int) -> Ints:
    kept = _without_overlaps(ranking, depth)
    _, first, of = np.unique(ranking.number[kept], return_index=True, return_inverse=True)
    return kept[np.argsort(first[of], kind="stable")]


def _entries(ranking: UnitRanking, depth: int) -> Ints:
    first: Ints = np.unique(ranking.number, return_index=True)[1]
    return np.sort(first)[:depth]


_ARRANGED: dict[Task, Callable[[UnitRanking, int], Ints]] = {
    Task.FOCUSED: _without_overlaps,
    Task.RELEVANT_IN_CONTEXT: _grouped,
    Task.BEST_IN_CONTEXT: _entries,
}
ARRANGED_TASKS = tuple(_ARRANGED)
TASKS_TOLD = (
    "focused: no overlaps; relevant-in-context: also grouped by document; best-in-context: one result of "
    "each document"
)
