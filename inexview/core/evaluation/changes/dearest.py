"""What cost a whole run most: the topics, documents and places by which its mean would gain most.

A topic gains what leaving it out does to the mean.  A document that was retrieved gains by leaving it out,
one that was missed by retrieving its relevant text after everything else.  A place gains by mending its
fault: retrieving what was missed, leaving out a false alarm, moving an entry point.  Each figure is that of a
full evaluation of the changed run, all else as it is, and a topic of which nothing is left counts as 0; gains
of several do not add up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from heapq import nlargest
from operator import attrgetter
from typing import Any, TypeVar

import numpy as np

from inexview.core.evaluation.changes.leave_one_out import leave_out_of, means_without
from inexview.core.evaluation.changes.mended import faults_mended, missed_retrieved, score_changes
from inexview.core.evaluation.changes.ranking_faults import faults_of
from inexview.core.evaluation.changes.what_if import ranking_of
from inexview.core.evaluation.evaluate import score_run
from inexview.core.evaluation.explain import Fault, faults_that_count
from inexview.core.evaluation.laid_run import lay
from inexview.core.evaluation.run_scores import RunScores
from inexview.core.evaluation.score_lines import HEAD, head_of
from inexview.core.evaluation.scoring_settings import ScoringSettings
from inexview.core.evaluation.topic_means import topic_means
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import UNKNOWN, Run, Task
from inexview.core.judgements.subsets import Subset
from inexview.core.measures.measure import Measure, parse
from inexview.core.progress import Progress, unwatched
from inexview.core.report import PrintedLine
from inexview.core.text.spans import Floats

MOST = 200
ROUNDING = 1e-13
DEAR_HEAD = (*HEAD, "measure", "part", "topic", "document", "fault", "offset", "length", "gain")
RETRIEVED = "retrieved"
ALONE = "Each by itself: gains do not add up."
T = TypeVar("T")


class Dear(Enum):
    """What cost something."""

    PLACE = "passage"
    DOCUMENT = "document"
    TOPIC = "topic"

    @property
    def change(self) -> str:
        """What is changed for the gain."""
        return {
            Dear.PLACE: "were the missed text retrieved, the false alarm left out, the entry point moved",
            Dear.DOCUMENT: "were the document left out or, where it was missed, retrieved last",
            Dear.TOPIC: "without the topic",
        }[self]


def kinds_of(task: Task) -> tuple[Dear, ...]:
    """Return what can cost something in a task: no passage where documents are ranked as wholes."""
    return tuple(kind for kind in Dear if kind is not Dear.PLACE or faults_that_count(task))


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

    @property
    def said(self) -> str:
        """What the run did wrong there; nothing of a topic."""
        if self.kind is Dear.TOPIC:
            return ""
        return RETRIEVED if self.fault is None else self.fault.value


@dataclass(frozen=True, eq=False)
class Dearest:
    """What cost a run most of its mean of the one measure that was scored, each kind dearest first."""

    scores: RunScores
    parts: Mapping[Dear, tuple[DearPart, ...]]

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
) -> Dearest:
    """Find the passages, documents and topics that cost a run most by a measure, up to ``most`` of each.

    The settings are those of :func:`~inexview.core.evaluation.evaluate.evaluate`; without a ``measure`` it is
    the main one of the preset.  Raises what that raises.
    """
    wanted = None if measure is None else (measure,)
    settings = ScoringSettings.given(
        task, wanted, preset=preset, changes=changes, complete=complete, overlap=overlap
    )
    return dearest_parts(qrels, run, settings, most=most)


def dearest_parts(
    qrels: Qrels, run: Run, settings: ScoringSettings, *, most: int = MOST, progress: Progress = unwatched
) -> Dearest:
    """Find what cost a run most, up to ``most`` of each kind, by the first measure that the settings want.

    Where they want none, it is the main one of the preset.  Raises what
    :func:`~inexview.core.evaluation.evaluate.evaluate` raises, and Cancelled.
    """
    wanted = settings.measures[:1] or (parse(score_run(qrels, run, settings).main),)
    settings = replace(settings, measures=wanted)
    scores = score_run(qrels, run, settings)
    settings = replace(settings, task=scores.task)
    measure, count = scores.mean_names[0], len(scores.topics)
    gainers: dict[Dear, list[DearPart]] = {kind: [] for kind in Dear}
    for at in range(count):
        alive = _topics_told(progress, at, count)
        alive("", 0, None)
        least = {kind: found[-1].gain if len(found) == most else 0.0 for kind, found in gainers.items()}
        for part in _of_topic(qrels, run, settings, scores, at, least, alive):
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
    return Dearest(scores, {kind: tuple(found) for kind, found in gainers.items()})


def dear_lines(found: Dearest, kinds: Iterable[Dear] = Dear) -> Iterator[PrintedLine]:
    """Yield what cost a run most under DEAR_HEAD, with all digits."""
    for part in (part for kind in kinds for part in found.parts[kind]):
        size: int | str = "" if part.start is None or part.end is None else part.end - part.start
        start: int | str = "" if part.start is None or size == "" else part.start
        named = (found.measure, part.kind.value, part.topic, part.document, part.said)
        yield [*head_of(found.scores), *named, start, size, part.gain]


def _of_topic(
    qrels: Qrels,
    run: Run,
    settings: ScoringSettings,
    scores: RunScores,
    at: int,
    least: Mapping[Dear, float],
    progress: Progress,
) -> Iterator[DearPart]:
    """Yield the documents and places of one topic by which the mean would gain more than so much."""
    topic = scores.topics[at]
    judged, ranking = Subset(topics=frozenset((topic,))).of_qrels(qrels), ranking_of(run, topic)
    laid = lay(judged, ranking, settings)
    begins = _first_rows(ranking)
    if len(laid.joined):
        without = leave_out_of(laid, topic, each_result=False)
        gains = _gains(scores, at, without.without_document[0])
        for document, gain in _gaining(without.documents, gains, least[Dear.DOCUMENT]):
            yield DearPart(Dear.DOCUMENT, gain, topic, document, start=begins.get(document))
    missed = missed_retrieved(judged, ranking, scores.task)
    faults = faults_of(judged, ranking, scores.task)
    changes = [*missed, *faults_mended(ranking, faults, scores.task)]
    changed = score_changes(judged, ranking, settings, changes, progress=progress)[1][0, 1:]
    of_missed, of_faults = np.split(_gains(scores, at, changed), [len(missed)])
    for (document, _), gain in _gaining(missed, of_missed, least[Dear.DOCUMENT]):
        judgement = judged.judgement(topic, document)
        start = int(judgement.passages.starts[0]) if judgement is not None and judgement.passages else None
        yield DearPart(Dear.DOCUMENT, gain, topic, document, Fault.MISSED, start)
    for one, gain in _gaining(faults, of_faults, least[Dear.PLACE]):
        yield DearPart(Dear.PLACE, gain, topic, one.document, one.fault, one.start, one.end)


def _topics_told(progress: Progress, at: int, count: int) -> Progress:
    """Return what takes news of one topic's work, and tells how many topics are done."""

    def tell(what: str, done: int, total: int | None) -> None:
        progress("topics", at, count)

    return tell


def _gains(scores: RunScores, at: int, changed: Floats) -> Floats:
    """Return how the mean changes where a topic's value is one of those changed, shape (k,)."""
    values = np.tile(scores.values[0], (len(changed), 1))
    values[:, at] = changed
    geometric = scores.is_geometric(scores.mean_names[0])
    gains: Floats = topic_means(values, geometric=geometric) - topic_means(
        scores.values[0], geometric=geometric
    )
    return gains


def _gaining(parts: Sequence[T], gains: Floats, least: float) -> Iterator[tuple[T, float]]:
    """Yield the parts that gain more than so much, and something which is no mere rounding."""
    for at in np.flatnonzero(gains > max(least, ROUNDING)).tolist():
        yield parts[at], float(gains[at])


def _first_rows(ranking: Run) -> dict[str, int]:
    """Return where the first result of each document starts, of those of which that is known."""
    starts = zip(ranking.document.strings(), ranking.start.tolist(), strict=True)
    found: dict[str, int] = {}
    for document, start in starts:
        if start != UNKNOWN:
            found.setdefault(document, start)
    return found
