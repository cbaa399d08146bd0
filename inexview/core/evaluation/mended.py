"""Mend one fault of a ranking at a time: what each measure of the topic would be, all else as it is.

A document that a run missed is mended by retrieving its relevant text after everything else.  The figures
are those of a full evaluation of the mended ranking; many rankings are evaluated together, as topics of
their own with judgements of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from inexview.core.evaluation.evaluate import ScoringSettings, compute, lay
from inexview.core.evaluation.explain import Cost, Fault
from inexview.core.evaluation.what_if import enter, erase, mark
from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.judgements.runs import NO_LENGTH, Run, Task
from inexview.core.judgements.subsets import Subset
from inexview.core.progress import Progress, unwatched
from inexview.core.text.id_columns import Names
from inexview.core.text.offset_arrays import Floats

ROWS = 300_000
"""How many results and judgements are evaluated at a time."""


@dataclass(frozen=True, eq=False)
class Missed:
    """What M measures of a topic would be with each of m documents that the run missed.

    ``values`` has shape (M,) and ``found`` shape (M, m), in the order of ``documents``.
    """

    names: tuple[str, ...]
    values: Floats
    documents: tuple[str, ...]
    found: Floats

    def gains(self, name: str) -> dict[str, float]:
        """Return what a measure would gain with each document.  Raises ValueError for an unknown measure."""
        at = self.names.index(name)
        return dict(zip(self.documents, (self.found[at] - self.values[at]).tolist(), strict=True))


def missed_documents(
    qrels: Qrels, ranking: Run, settings: ScoringSettings, *, progress: Progress = unwatched
) -> Missed:
    """Return what the ranking of one topic would score with each relevant document that it has not."""
    (topic,) = ranking.topics
    task = settings.task or ranking.task
    retrieved = {*ranking.document.strings()}
    there = Subset(topics=frozenset((topic,))).of_qrels(qrels)
    rows = [row for row in np.flatnonzero(there.rsize > 0).tolist() if there.document[row] not in retrieved]
    judged = [there.at(row) for row in rows]
    names, values = score_rankings(
        there, [ranking, *(with_document(ranking, one, task) for one in judged)], settings, progress=progress
    )
    return Missed(names, values[:, 0], tuple(one.document for one in judged), values[:, 1:])


def with_document(ranking: Run, judged: Judgement, task: Task | None) -> Run:
    """Return a ranking with the relevant text of a document after everything else.

    Where a task asks for entry points it enters at the best one; a document of which no passage is known
    is returned whole.
    """
    if task is Task.BEST_IN_CONTEXT:
        starts, sizes = [judged.bep or 0], [NO_LENGTH]
    elif judged.passages:
        starts = judged.passages.starts.tolist()
        sizes = (judged.passages.ends - judged.passages.starts).tolist()
    else:
        starts, sizes = [0], [judged.length]
    count, last = len(starts), ranking.score[-1:]
    return replace(
        ranking,
        ptr=np.array([0, len(ranking) + count]),
        document=Names.joined([ranking.document, Names.of([judged.document] * count)]),
        start=np.append(ranking.start, starts),
        size=np.append(ranking.size, sizes),
        score=np.append(ranking.score, np.full(count, last[0] if len(last) else np.nan)),
        line=np.append(ranking.line, np.zeros(count, np.int64)),
    )


def mended_costs(
    qrels: Qrels, ranking: Run, settings: ScoringSettings, document: str, costs: Sequence[Cost]
) -> tuple[tuple[str, ...], Floats]:
    """Return the M measures of a topic with each of k faults in a document mended, shape (M, k)."""
    return mended_faults(qrels, ranking, settings, [(document, cost) for cost in costs])


def mended_faults(
    qrels: Qrels,
    ranking: Run,
    settings: ScoringSettings,
    faults: Sequence[tuple[str, Cost]],
    *,
    progress: Progress = unwatched,
) -> tuple[tuple[str, ...], Floats]:
    """Do what :func:`mended_costs` does with k faults that are in any documents, named with each."""
    (topic,) = ranking.topics
    task = settings.task or ranking.task
    there = Subset(topics=frozenset((topic,))).of_qrels(qrels)
    mended = []
    for done, (document, cost) in enumerate(faults):
        progress("faults", done, len(faults))
        mended.append(without_fault(ranking, document, cost, task))
    return score_rankings(there, mended, settings, progress=progress)


def without_fault(ranking: Run, document: str, cost: Cost, task: Task | None) -> Run:
    """Return a ranking with one fault in a document mended, as far as its task looks at such faults."""
    if (cost.fault is Fault.ENTRY_POINT) is not (task is Task.BEST_IN_CONTEXT):
        return ranking
    if cost.fault is Fault.MISSED:
        return mark(ranking, document, cost.start, cost.end)
    if cost.fault is Fault.FALSE_ALARM:
        return erase(ranking, document, cost.start, cost.end)
    first = int(np.flatnonzero(ranking.document.are(document))[0])
    entered = cost.start == int(ranking.start[first])
    return enter(ranking, document, cost.end if entered else cost.start)


def score_rankings(
    qrels: Qrels, rankings: Sequence[Run], settings: ScoringSettings, *, progress: Progress = unwatched
) -> tuple[tuple[str, ...], Floats]:
    """Return the M measures of k rankings of one topic, shape (M, k); ``qrels`` are of that topic only.

    A ranking that is empty scores as a missing topic that is counted.  Raises what
    :func:`~inexview.core.evaluation.evaluate.evaluate` raises, and Cancelled.
    """
    each = max(1, max(len(one) for one in rankings) + len(qrels))
    together = max(1, ROWS // each)
    names: tuple[str, ...] = ()
    found = []
    for begin in range(0, len(rankings), together):
        progress("rankings", begin, len(rankings))
        some = rankings[begin : begin + together]
        laid = lay(_copies(qrels, len(some)), _as_topics(some), replace(settings, complete=True))
        names = laid.names
        found.append(compute(laid.joined, laid.parameters, laid.wanted)[0])
    return names, np.concatenate(found, axis=1)


def _copies(qrels: Qrels, count: int) -> Qrels:
    rows = np.tile(np.arange(len(qrels)), count)
    return replace(
        qrels.take(rows),
        topics=tuple(map(str, range(count))),
        topic=np.repeat(np.arange(count), len(qrels)),
    )


def _as_topics(rankings: Sequence[Run]) -> Run:
    """Return the rankings as those of a topic each; one of which nothing is left has no topic."""
    there = [(str(at), one) for at, one in enumerate(rankings) if len(one)]
    first = rankings[0]
    if not there:
        return replace(first, topics=(), ptr=np.zeros(1, np.int64))
    return replace(
        first,
        topics=tuple(name for name, _ in there),
        ptr=np.cumsum([0, *(len(one) for _, one in there)], dtype=np.int64),
        document=Names.joined([one.document for _, one in there]),
        start=np.concatenate([one.start for _, one in there]),
        size=np.concatenate([one.size for _, one in there]),
        score=np.concatenate([one.score for _, one in there]),
        line=np.concatenate([one.line for _, one in there]),
    )
