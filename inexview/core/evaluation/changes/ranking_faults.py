"""The faults of a ranking: what it missed of the documents that it retrieved, and took wrongly in them."""

from __future__ import annotations

from operator import itemgetter
from typing import NamedTuple

import numpy as np

from inexview.core.evaluation.explain import Fault, faults_that_count
from inexview.core.judgements.qrels import NO_BEP, Qrels
from inexview.core.judgements.runs import UNKNOWN, Run, Task
from inexview.core.text.spans import Ints, Spans


class RankingFault(NamedTuple):
    """A fault in a document, at ``[start, end)`` of it: the passage, or the text between two entry points."""

    document: str
    fault: Fault
    start: int
    end: int


def faults_of(judged: Qrels, ranking: Run, task: Task) -> list[RankingFault]:
    """Return the faults of one topic's ranking, as far as the task looks at them, document by document.

    Looked at are relevant documents whose passages are known, with their results of which that is known.
    """
    counted = faults_that_count(task)
    if not counted:
        return []
    rows = np.flatnonzero((judged.rsize > 0) & (np.diff(judged.ptr) > 0))
    names = judged.document.take(rows).strings()
    places = {name: at for at, name in enumerate(names)}
    place = np.array([places.get(name, -1) for name in ranking.document.strings()], np.int64)
    known = np.flatnonzero((place >= 0) & (ranking.start != UNKNOWN))
    place, start = place[known], ranking.start[known]
    if Fault.ENTRY_POINT in counted:
        return _entry_faults(names, judged.bep[rows], place, start)
    return _passage_faults(names, judged.take(rows), place, start, start + np.maximum(ranking.size[known], 0))


def _entry_faults(names: list[str], bep: Ints, place: Ints, start: Ints) -> list[RankingFault]:
    """Return where documents are entered elsewhere than at their best entry point."""
    retrieved, first = np.unique(place, return_index=True)
    best, entry = bep[retrieved], start[first]
    wrong = np.flatnonzero((best != NO_BEP) & (best != entry))
    low, high = np.minimum(best, entry)[wrong].tolist(), np.maximum(best, entry)[wrong].tolist()
    return [
        RankingFault(names[at], Fault.ENTRY_POINT, *ends)
        for at, *ends in zip(retrieved[wrong].tolist(), low, high, strict=True)
    ]


def _passage_faults(
    names: list[str], judged: Qrels, place: Ints, start: Ints, end: Ints
) -> list[RankingFault]:
    """Return what is missed and what is a false alarm, all documents laid end to end on one axis."""
    each = 1 + int(max(end.max(initial=0), judged.ends.max(initial=0)))
    retrieved = np.zeros(len(names), bool)
    retrieved[place] = True
    marked = np.repeat(np.arange(len(names)), np.diff(judged.ptr))
    kept = retrieved[marked]
    base = marked[kept] * each
    right = Spans.from_arrays(base + judged.starts[kept], base + judged.ends[kept])
    took = Spans.from_arrays(place * each + start, place * each + end)
    faults = [
        (start, end, fault)
        for fault, spans in ((Fault.MISSED, right - took), (Fault.FALSE_ALARM, took - right))
        for start, end in spans
    ]
    return [
        RankingFault(names[start // each], fault, start % each, start % each + end - start)
        for start, end, fault in sorted(faults, key=itemgetter(0))
    ]
