"""What cost a whole run most: the topics, documents and places by which its mean would gain most.

A topic gains what leaving it out does to the mean.  A document that was retrieved gains by leaving it out,
one that was missed by retrieving its relevant text after everything else.  A place gains by mending its
fault: retrieving what was missed, leaving out a false alarm, moving an entry point.  Each figure is that of a
full evaluation of the changed run, all else as it is, and a topic of which nothing is left counts as 0; gains
of several do not add up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from heapq import nlargest
from operator import attrgetter
from typing import TypeVar

import numpy as np

from inexview.core.evaluation.evaluate import RunScores, ScoringSettings, lay, score_run
from inexview.core.evaluation.explain import Cost, Fault, explain
from inexview.core.evaluation.leave_one_out import leave_out_of, means_without
from inexview.core.evaluation.mended import mended_faults, missed_documents
from inexview.core.evaluation.topic_means import topic_means
from inexview.core.evaluation.what_if import ranking_of
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import UNKNOWN, Run, Task
from inexview.core.judgements.subsets import Subset
from inexview.core.measures.parameters import Parameters
from inexview.core.progress import Progress, unwatched
from inexview.core.text.offset_arrays import Floats
from inexview.core.text.spans import Spans

MOST = 200
ROUNDING = 1e-13
T = TypeVar("T")


class Dear(Enum):
    """What cost something."""

    PLACE = "place"
    DOCUMENT = "document"
    TOPIC = "topic"


@dataclass(frozen=True, slots=True)
class DearPart:
    """A part of a run, and how much the run's mean would ``gain`` without its fault, or without it.

    ``[start, end)`` is where to look in the document, None where that is not known.  ``fault`` is that of a
    place; a document that was missed has MISSED, one that was retrieved has none.
    """

    kind: Dear
    gain: float
    topic: str
    document: str = ""
    fault: Fault | None = None
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, eq=False)
class Dearest:
    """What cost a run most of the mean ``value`` of a measure, each kind dearest first."""

    run: str
    measure: str
    value: float
    parts: Mapping[Dear, tuple[DearPart, ...]]


def dearest_parts(
    qrels: Qrels, run: Run, settings: ScoringSettings, *, most: int = MOST, progress: Progress = unwatched
) -> Dearest:
    """Find what cost a run most, up to ``most`` of each kind; the settings want one measure.

    Raises what :func:`~inexview.core.evaluation.evaluate.evaluate` raises, and Cancelled.
    """
    scores = score_run(qrels, run, settings)
    settings = replace(settings, task=scores.task)
    measure = scores.mean_names[0]
    gainers: dict[Dear, list[DearPart]] = {kind: [] for kind in Dear}
    for at in range(len(scores.topics)):
        progress("topics", at, len(scores.topics))
        for part in _of_topic(qrels, run, settings, scores, at):
            gainers[part.kind].append(part)
        for kind, found in gainers.items():
            gainers[kind] = nlargest(most, found, key=attrgetter("gain"))
    value = scores.mean[measure]
    without = means_without(scores.values[:1], np.arange(int(scores.is_geometric(measure))))[0]
    topics = [
        DearPart(Dear.TOPIC, gain, topic)
        for topic, gain in zip(scores.topics, (without - value).tolist(), strict=True)
        if gain > ROUNDING and len(scores.topics) > 1
    ]
    gainers[Dear.TOPIC] = nlargest(most, topics, key=attrgetter("gain"))
    return Dearest(run.id, measure, value, {kind: tuple(found) for kind, found in gainers.items()})


def _of_topic(
    qrels: Qrels, run: Run, settings: ScoringSettings, scores: RunScores, at: int
) -> Iterator[DearPart]:
    """Yield the documents and places of one topic by which the mean would gain."""
    topic = scores.topics[at]
    judged, ranking = Subset(topics=frozenset((topic,))).of_qrels(qrels), ranking_of(run, topic)
    laid = lay(judged, ranking, settings)
    begins = _first_rows(ranking)
    if len(laid.joined):
        without = leave_out_of(laid, topic)
        gains = _gains(scores, at, without.without_document[0])
        for document, gain in _gaining(without.documents, gains):
            yield DearPart(Dear.DOCUMENT, gain, topic, document, start=begins.get(document))
    missed = missed_documents(judged, ranking, settings)
    for document, gain in _gaining(missed.documents, _gains(scores, at, missed.found[0])):
        judgement = judged.judgement(topic, document)
        start = int(judgement.passages.starts[0]) if judgement is not None and judgement.passages else None
        yield DearPart(Dear.DOCUMENT, gain, topic, document, Fault.MISSED, start)
    faults = list(_faults(judged, ranking, scores.task, scores.parameters))
    if faults:
        _, mended = mended_faults(judged, ranking, settings, faults)
        for (document, cost), gain in _gaining(faults, _gains(scores, at, mended[0])):
            yield DearPart(Dear.PLACE, gain, topic, document, cost.fault, cost.start, cost.end)


def _gains(scores: RunScores, at: int, changed: Floats) -> Floats:
    """Return how the mean changes where a topic's value is one of those changed, shape (k,)."""
    values = np.tile(scores.values[0], (len(changed), 1))
    values[:, at] = changed
    geometric = scores.is_geometric(scores.mean_names[0])
    gains: Floats = topic_means(values, geometric=geometric) - topic_means(
        scores.values[0], geometric=geometric
    )
    return gains


def _gaining(parts: Sequence[T], gains: Floats) -> Iterator[tuple[T, float]]:
    """Yield the parts that gain something which is no mere rounding."""
    for at in np.flatnonzero(gains > ROUNDING).tolist():
        yield parts[at], float(gains[at])


def _first_rows(ranking: Run) -> dict[str, int]:
    """Return where the first result of each document starts, of those of which that is known."""
    starts = zip(ranking.document.strings(), ranking.start.tolist(), strict=True)
    found: dict[str, int] = {}
    for document, start in starts:
        if start != UNKNOWN:
            found.setdefault(document, start)
    return found


def _faults(judged: Qrels, ranking: Run, task: Task, parameters: Parameters) -> Iterator[tuple[str, Cost]]:
    """Yield the faults, as far as the task looks at them, in the relevant documents of a ranking."""
    retrieved: dict[str, list[tuple[int, int]]] = {}
    columns = ranking.document.strings(), ranking.start.tolist(), ranking.size.tolist()
    for document, start, size in zip(*columns, strict=True):
        if start != UNKNOWN:
            retrieved.setdefault(document, []).append((start, start + max(size, 0)))
    for row in np.flatnonzero(judged.rsize > 0).tolist():
        judgement = judged.at(row)
        spans = retrieved.get(judgement.document)
        if spans is None or not judgement.passages:
            continue
        told = explain(
            judgement.passages,
            Spans(spans),
            length=judgement.length,
            bep=judgement.bep,
            entry=spans[0][0],
            parameters=parameters,
            rsize=judgement.rsize,
        )
        for cost in told.costs:
            if (cost.fault is Fault.ENTRY_POINT) is (task is Task.BEST_IN_CONTEXT):
                yield judgement.document, cost
