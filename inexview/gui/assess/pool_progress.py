"""What became of a document in the judging of its topic, how far the topic is, and how long it will take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from statistics import median

from inexview.core.project.judging.document_state import DocumentState
from inexview.core.project.judging.standing import Standing, standing
from inexview.core.project.project import Project
from inexview.core.wording import duration

RECENT_TIMES = 25  # one's pace now, not that of last week

SHORT = 90  # seconds: below this each counts
FEW_TIMES = 3  # documents from whose times a pace is told


@dataclass(frozen=True, slots=True)
class PoolProgress:
    """How many documents of a pool are finished, and how."""

    documents: int
    relevant: int
    not_relevant: int
    unreadable: int = 0
    """Documents that are not finished, and that no one can judge: they cannot be read, or are not there."""

    @property
    def finished(self) -> int:
        return self.relevant + self.not_relevant

    @property
    def to_do(self) -> int:
        """How many documents are left that one can judge."""
        return self.documents - self.finished - self.unreadable

    @classmethod
    def of(cls, states: Iterable[DocumentState]) -> PoolProgress:
        counted = Counter(standing(state) for state in states)
        return cls(counted.total(), counted[Standing.RELEVANT], counted[Standing.NOT_RELEVANT])

    @classmethod
    def of_topic(cls, project: Project, topic_id: str) -> PoolProgress:
        """Count a topic's pool; asks only for the states of documents that were worked on."""
        touched: Iterable[str] = project.touched(topic_id)
        if project.contents.has_pool:
            touched = (name for name in touched if project.contents.is_pooled(topic_id, name))
        elif project.collection.ready:  # without a pool its documents are, and imports may judge others
            touched = project.collection.holding(list(touched))
        counted = cls.of(project.state(topic_id, name) for name in touched)
        known = (
            project.contents.has_pool or project.collection.ready
        )  # a collection is not listed just to be counted
        documents = len(project.pool(topic_id)) if known else counted.documents
        return cls(documents, counted.relevant, counted.not_relevant)

    def sentence(self) -> str:
        """Say how far it is."""
        if not self.documents:
            return "No documents in this pool."
        if not self.to_do and not self.unreadable:
            return f"All {self.documents:,} finished"
        apart = f", {self.unreadable:,} cannot be read" if self.unreadable else ""
        return f"{self.finished:,} finished, {self.to_do:,} to go{apart}"

    def pace(self, seconds: Sequence[float]) -> str:
        """Say how long a document takes and all others will; ``seconds`` are the times finished ones took."""
        if len(seconds) < FEW_TIMES:
            return ""
        each = float(median(seconds))
        left = f" · about {duration(_roughly(self.to_do * each))} left" if self.to_do else ""
        told = f"{round(each)} s" if each < SHORT else duration(_roughly(each))
        return f"{told} each{left}"


def _roughly(seconds: float) -> float:
    """Return a length of time in round numbers, so that it stays short and seldom changes."""
    step = 600 if seconds >= 3600 else 60 if seconds >= SHORT else 1
    return round(seconds / step) * step


def finishing_times(project: Project, topic_id: str) -> list[float]:
    """Return the seconds that the documents finished last took, to tell how long the rest will take."""
    touched = project.touched(topic_id)
    done = (name for name in reversed(touched) if project.state(topic_id, name).finished)
    finished = islice(done, RECENT_TIMES)  # a pool may be a collection
    times = (project.histories.log(topic_id, name).reading.seconds for name in finished)
    return [seconds for seconds in times if seconds > 0]
