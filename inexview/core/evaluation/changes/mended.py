"""Mend one fault of a ranking at a time: what each measure of the topic would be, all else as it is.

A document that a run missed is mended by retrieving its relevant text after everything else.  The figures
are those of a full evaluation of the mended ranking.  Where a measure does not follow from sums that is what
they are made by; many rankings are evaluated together then, as topics of their own with judgements of their
own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from inexview.core.evaluation.changes.document_changes import DocumentChanges
from inexview.core.evaluation.changes.focused_changes import FocusedChanges
from inexview.core.evaluation.changes.in_context_parts import InContextChanges
from inexview.core.evaluation.changes.leave_one_out import ROWS
from inexview.core.evaluation.changes.ranking_faults import RankingFault
from inexview.core.evaluation.changes.result_edits import PlacedResult, entering, erasing, retrieving
from inexview.core.evaluation.changes.what_if import results_by_document, results_of, retrieved
from inexview.core.evaluation.explain import Cost, Fault
from inexview.core.evaluation.laid_run import Laid, lay
from inexview.core.evaluation.measure_values import compute
from inexview.core.evaluation.scoring_settings import ScoringSettings
from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.judgements.runs import NO_LENGTH, Run, Task
from inexview.core.judgements.subsets import Subset
from inexview.core.measures.focused import Ranks
from inexview.core.measures.in_context import DocumentRanks
from inexview.core.progress import Progress, unwatched
from inexview.core.text.id_columns import Names
from inexview.core.text.spans import Floats

DocumentChange = tuple[str, Sequence[PlacedResult]]
"""A document, and what is retrieved of it instead of its results."""


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


@dataclass(frozen=True, slots=True)
class Mending:
    """What is put right in a document of a ranking; without a ``fault`` the document is left out."""

    document: str
    fault: Fault | None
    start: int = 0
    end: int = 0

    def done_to(self, ranking: Run, qrels: Qrels, task: Task | None) -> Run:
        """Return the ranking of a topic as it is then; a missed document comes after everything else."""
        (topic,) = ranking.topics
        own, last = results_of(ranking, self.document), len(ranking)
        judged = None if own else qrels.judgement(topic, self.document)
        results: Sequence[PlacedResult] = ()
        if self.fault is Fault.MISSED and judged is not None:
            results = relevant_results(judged, task, last)
        elif self.fault is not None:
            results = mend(own, RankingFault(self.document, self.fault, self.start, self.end), task, last)
        return retrieved(ranking, self.document, results)


def missed_documents(qrels: Qrels, ranking: Run, settings: ScoringSettings) -> Missed:
    """Return what the ranking of one topic would score with each relevant document that it has not."""
    (topic,) = ranking.topics
    there = Subset(topics=frozenset((topic,))).of_qrels(qrels)
    changes = missed_retrieved(there, ranking, settings.task or ranking.task)
    names, values = score_changes(there, ranking, settings, changes)
    return Missed(names, values[:, 0], tuple(document for document, _ in changes), values[:, 1:])


def missed_retrieved(qrels: Qrels, ranking: Run, task: Task | None) -> list[DocumentChange]:
    """Return each relevant document that the ranking of one topic has not as it is retrieved after all else.

    ``qrels`` are of the topic only.
    """
    retrieved = {*ranking.document.strings()}
    names = qrels.document.strings()
    rows = [row for row in np.flatnonzero(qrels.rsize > 0).tolist() if names[row] not in retrieved]
    return [(names[row], relevant_results(qrels.at(row), task, len(ranking))) for row in rows]


def relevant_results(judged: Judgement, task: Task | None, last: int) -> list[PlacedResult]:
    """Return what would retrieve the relevant text of a document, at the row ``last``.

    Where a task asks for entry points it is the best one; a document of which no passage is known is
    retrieved whole.
    """
    if task is Task.BEST_IN_CONTEXT:
        return [PlacedResult(last, judged.bep or 0, NO_LENGTH)]
    passages = judged.passages or [(0, judged.length)]
    return [PlacedResult(last, int(start), int(end) - int(start)) for start, end in passages]


def mended_costs(
    qrels: Qrels, ranking: Run, settings: ScoringSettings, document: str, costs: Sequence[Cost]
) -> tuple[tuple[str, ...], Floats]:
    """Return the M measures of a topic with each of k faults in a document mended, shape (M, k)."""
    faults = [RankingFault(document, cost.fault, cost.start, cost.end) for cost in costs]
    return mended_faults(qrels, ranking, settings, faults)


def mended_faults(
    qrels: Qrels,
    ranking: Run,
    settings: ScoringSettings,
    faults: Sequence[RankingFault],
) -> tuple[tuple[str, ...], Floats]:
    """Do what :func:`mended_costs` does with k faults of any documents."""
    (topic,) = ranking.topics
    there = Subset(topics=frozenset((topic,))).of_qrels(qrels)
    changes = faults_mended(ranking, faults, settings.task or ranking.task)
    names, values = score_changes(there, ranking, settings, changes)
    return names, values[:, 1:]


def faults_mended(ranking: Run, faults: Sequence[RankingFault], task: Task | None) -> list[DocumentChange]:
    """Return the document of each fault as it is retrieved with that fault mended."""
    own = results_by_document(ranking, {one.document for one in faults})
    return [(one.document, mend(own[one.document], one, task, len(ranking))) for one in faults]


def mend(
    own: Sequence[PlacedResult], mended: RankingFault, task: Task | None, last: int
) -> Sequence[PlacedResult]:
    """Return the results of a document with one fault mended, as far as the task looks at such faults.

    What is new in a document without a result is at the row ``last``.
    """
    _, fault, start, end = mended
    if (fault is Fault.ENTRY_POINT) is not (task is Task.BEST_IN_CONTEXT):
        return own
    if fault is Fault.MISSED:
        return retrieving(own, start, end, last=last)
    if fault is Fault.FALSE_ALARM:
        return erasing(own, start, end)
    return entering(own, end if own and start == own[0].start else start, last=last)


def score_changes(
    qrels: Qrels,
    ranking: Run,
    settings: ScoringSettings,
    changes: Sequence[DocumentChange],
    *,
    progress: Progress = unwatched,
) -> tuple[tuple[str, ...], Floats]:
    """Return the M measures of a topic as it is and with each of k changes, shape (M, 1 + k).

    ``qrels`` are of the topic only.  Those measures of which :class:`InContextChanges` or
    :class:`FocusedChanges` know how they change follow from sums, as long as all results count whatever the
    change; each changed ranking is evaluated again for the others.
    """
    laid = lay(_copies(qrels, 1), _as_topics([ranking]), replace(settings, complete=True))
    values = np.empty((len(laid.wanted), 1 + len(changes)))
    values[:, 0] = compute(laid.joined, laid.parameters, laid.wanted)[0][:, 0]
    if not changes:
        return laid.names, values
    followed = _follow(laid, qrels, settings, changes)
    if any(one is None for one in followed):
        rankings = [retrieved(ranking, document, results) for document, results in changes]
        values[:, 1:] = score_rankings(qrels, rankings, settings, progress=progress)[1]
    for at, one in enumerate(followed):
        if one is not None:
            values[at, 1:] = one
    return laid.names, values


def _follow(
    laid: Laid, qrels: Qrels, settings: ScoringSettings, changes: Sequence[DocumentChange]
) -> list[Floats | None]:
    """Return each measure with the k changes as it follows from sums, None where that is not known."""
    dropped = len(laid.joined) < len(laid.joined.run)
    if settings.cut or (dropped and laid.overlap == "drop"):
        return [None] * len(laid.wanted)
    rows = {document: row for row, document in enumerate(qrels.document.strings())}
    placed = DocumentChanges.of(
        laid.joined, [rows[document] for document, _ in changes], [results for _, results in changes]
    )
    known: dict[type, InContextChanges | FocusedChanges] = {}
    found: list[Floats | None] = []
    for record, cutoff in laid.wanted:
        if record.view not in known:
            if record.view is DocumentRanks:
                known[record.view] = InContextChanges(placed, laid.parameters)
            elif issubclass(record.view, Ranks):
                known[record.view] = FocusedChanges(placed, record.view, laid.parameters)
        found.append(known[record.view].measure(record.name, cutoff) if record.view in known else None)
    return found


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
