"""What cost a whole run most: the topics, documents and passages by which its mean would gain most.

A topic gains what leaving it out does to the mean.  A document that was retrieved gains by leaving it out,
one that was missed by retrieving its relevant text after everything else.  A passage gains by putting its
fault right: retrieving what was missed, leaving out a false alarm, moving an entry point.  A topic of which
nothing is left counts as 0; gains of several do not add up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from heapq import nlargest
from operator import attrgetter
from typing import Any

import numpy as np

from inexview.core.evaluation.evaluate import score_run
from inexview.core.evaluation.explain import Fault, faults_that_count
from inexview.core.evaluation.laid_run import lay
from inexview.core.evaluation.run_scores import RunScores
from inexview.core.evaluation.score_lines import HEAD, head_of
from inexview.core.evaluation.scoring_settings import ScoringSettings
from inexview.core.evaluation.scratch_run import ranking_of
from inexview.core.evaluation.topic_means import means_without, topic_means
from inexview.core.evaluation.variants import (
    ChangedTopic,
    RankingFault,
    changes_of,
    faults_of,
    missed_documents,
)
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import UNKNOWN, Run, Task
from inexview.core.judgements.subsets import Subset
from inexview.core.measures.measure import Measure, parse
from inexview.core.progress import Progress, unwatched
from inexview.core.report import PrintedLine

MOST = 200
ROUNDING = 1e-13
COST_HEAD = (*HEAD, "measure", "part", "topic", "document", "fault", "offset", "length", "gain")
RETRIEVED = "retrieved"
ALONE = "Each by itself: gains do not add up."


class CostKind(Enum):
    """What cost something."""

    PLACE = "passage"
    DOCUMENT = "document"
    TOPIC = "topic"

    @property
    def change(self) -> str:
        """What is changed for the gain."""
        return {
            CostKind.PLACE: "were the missed text retrieved, the false alarm left out, the entry point moved",
            CostKind.DOCUMENT: "were the document left out or, where it was missed, retrieved last",
            CostKind.TOPIC: "without the topic",
        }[self]


def kinds_of(task: Task) -> tuple[CostKind, ...]:
    """Return what can cost something in a task: no passage where documents are ranked as wholes."""
    return tuple(kind for kind in CostKind if kind is not CostKind.PLACE or faults_that_count(task))


@dataclass(frozen=True, slots=True)
class CostlyPart:
    """A part of a run, and how much the run's mean would ``gain`` without its fault, or without it.

    ``[start, end)`` is where to look in the document, None where that is not known.  ``fault`` is that of a
    passage; a document that was missed has MISSED, one that was retrieved has none.
    """

    kind: CostKind
    gain: float
    topic: str
    document: str = ""
    fault: Fault | None = None
    start: int | None = None
    end: int | None = None

    @property
    def said(self) -> str:
        """What the run did wrong there; nothing of a topic."""
        if self.kind is CostKind.TOPIC:
            return ""
        return RETRIEVED if self.fault is None else self.fault.value


@dataclass(frozen=True, eq=False)
class RunCosts:
    """What cost a run most of its mean of the one measure that was scored, each kind costliest first."""

    scores: RunScores
    parts: Mapping[CostKind, tuple[CostlyPart, ...]]

    @property
    def run(self) -> str:
        return self.scores.id

    @property
    def measure(self) -> str:
        return self.scores.mean_names[0]

    @property
    def value(self) -> float:
        return self.scores.mean[self.measure]


def costs_of_run(
    qrels: Qrels,
    run: Run,
    *,
    task: Task | str | None = None,
    preset: str | None = None,
    complete: bool = False,
    overlap: str | None = None,
    measure: Measure | str | None = None,
    most: int = MOST,
    **changes: Any,
) -> RunCosts:
    """Find the passages, documents and topics that cost a run most by a measure, up to ``most`` of each.

    The settings are those of :func:`~inexview.core.evaluation.evaluate.evaluate`; without a ``measure`` it is
    the main one of the preset.  Raises what that raises.
    """
    wanted = None if measure is None else (measure,)
    settings = ScoringSettings.given(
        task, wanted, preset=preset, changes=changes, complete=complete, overlap=overlap
    )
    return costliest_parts(qrels, run, settings, most=most)


def costliest_parts(
    qrels: Qrels, run: Run, settings: ScoringSettings, *, most: int = MOST, progress: Progress = unwatched
) -> RunCosts:
    """Find what cost a run most, up to ``most`` of each kind, by the first measure that the settings want.

    Where they want none, it is the main one of the preset.  Raises what
    :func:`~inexview.core.evaluation.evaluate.evaluate` raises, and Cancelled.
    """
    wanted = settings.measures[:1] or (parse(score_run(qrels, run, settings).main),)
    settings = replace(settings, measures=wanted)
    scores = score_run(qrels, run, settings)
    settings = replace(settings, task=scores.task)
    count = len(scores.topics)
    costliest: dict[CostKind, list[CostlyPart]] = {kind: [] for kind in CostKind}
    for at in range(count):

        def alive(what: str, done: int, total: int | None, at: int = at) -> None:
            """Report how many topics are done, whatever is done within one."""
            progress("topics", at, count)

        alive("", 0, None)
        least = {kind: parts[-1].gain if len(parts) == most else 0.0 for kind, parts in costliest.items()}
        for part in _of_topic(qrels, run, settings, scores, at, least, alive):
            costliest[part.kind].append(part)
        for kind, parts in costliest.items():
            costliest[kind] = nlargest(most, parts, key=attrgetter("gain"))
    geometric = np.arange(int(scores.is_geometric(scores.mean_names[0])))
    gains = means_without(scores.values[:1], geometric)[0] - scores.mean[scores.mean_names[0]]
    topics = [
        CostlyPart(CostKind.TOPIC, gain, topic)
        for topic, gain in zip(scores.topics, gains.tolist(), strict=True)
        if gain > ROUNDING and count > 1
    ]
    costliest[CostKind.TOPIC] = nlargest(most, topics, key=attrgetter("gain"))
    return RunCosts(scores, {kind: tuple(parts) for kind, parts in costliest.items()})


def cost_lines(costs: RunCosts, kinds: Iterable[CostKind] = CostKind) -> Iterator[PrintedLine]:
    """Yield what cost a run most under COST_HEAD, with all digits."""
    for part in (part for kind in kinds for part in costs.parts[kind]):
        size: int | str = "" if part.start is None or part.end is None else part.end - part.start
        start: int | str = "" if part.start is None or size == "" else part.start
        named = (costs.measure, part.kind.value, part.topic, part.document, part.said)
        yield [*head_of(costs.scores), *named, start, size, part.gain]


def _of_topic(
    qrels: Qrels,
    run: Run,
    settings: ScoringSettings,
    scores: RunScores,
    at: int,
    least: Mapping[CostKind, float],
    progress: Progress,
) -> Iterator[CostlyPart]:
    """Yield the documents and passages of one topic by which the mean would gain more than so much."""
    topic, measure = scores.topics[at], scores.mean_names[0]
    judged, ranking = Subset(topics=frozenset((topic,))).of_qrels(qrels), ranking_of(run, topic)
    laid = lay(judged, ranking, replace(settings, complete=True))
    retrieved = [RankingFault(document, None) for document in dict.fromkeys(laid.joined.keys.names.strings())]
    missed = missed_documents(judged, ranking)
    faults = [*retrieved, *missed, *faults_of(judged, ranking, scores.task)]
    changed = ChangedTopic(laid).score(changes_of(judged, ranking, scores.task, faults), progress)[0]
    values = np.tile(scores.values[0], (len(faults), 1))
    values[:, at] = changed
    gains = topic_means(values, geometric=scores.is_geometric(measure)) - scores.mean[measure]
    begins = _first_rows(ranking)
    for place in np.flatnonzero(gains > ROUNDING).tolist():
        fault, gain = faults[place], float(gains[place])
        kind = CostKind.PLACE if fault.end else CostKind.DOCUMENT
        if gain <= least[kind]:
            continue
        if fault.end:
            yield CostlyPart(kind, gain, topic, fault.document, fault.fault, fault.start, fault.end)
        elif fault.fault is None:
            yield CostlyPart(kind, gain, topic, fault.document, start=begins.get(fault.document))
        else:
            judgement = judged.judgement(topic, fault.document)
            passages = None if judgement is None else judgement.passages
            start = int(passages.starts[0]) if passages else None
            yield CostlyPart(kind, gain, topic, fault.document, fault.fault, start)


def _first_rows(ranking: Run) -> dict[str, int]:
    """Return where the first result of each document starts, of those of which that is known."""
    starts = zip(ranking.document.strings(), ranking.start.tolist(), strict=True)
    found: dict[str, int] = {}
    for document, start in starts:
        if start != UNKNOWN:
            found.setdefault(document, start)
    return found
