"""All that says how a run is made: the record that command line, window, experiments and engines pass on.

Among it are the terms of a topic's fields, and rankings as the tasks of INEX want them.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from math import inf
from typing import Any

import numpy as np

from inexview.core.errors import InexviewError
from inexview.core.judgements.runs import Task
from inexview.core.judgements.topics import Topic, cas_targets, cas_words, without_excluded
from inexview.core.retrieval.shard import UnitRanking
from inexview.core.retrieval.units import UnitKind, WordForms
from inexview.core.text.spans import Ints

# Rankings as the tasks of INEX want them: without overlaps, grouped by document, or one entry a document.

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


FIELDS = ("title", "description", "narrative", "castitle", "phrasetitle", "keywords")
DEPTH = 1500
PASSAGES = UnitKind(100, 50)


@dataclass(frozen=True, slots=True)
class ModelParameters:
    """Numbers of the models, named as on the command line; those without a printed value can be tuned."""

    collection_weight: float = 0.8
    """λ1 of MM, and Jelinek–Mercer's λ of QL, RMP and RMD; above 0."""
    document_weight: float = 0.1
    """λ2 of MM and QWD."""
    passage_weight: float = 0.1
    """λ3 of MM and QWD."""
    mu: float = 1000.0
    """Dirichlet's prior of QL-DIRICHLET, in words."""
    feedback_documents: int = 20
    feedback_terms: int = 100
    least_probability: float = 0.001
    """Terms of the relevance model that are less probable are left out."""
    feedback_smoothing: float = 0.1
    """The part of the collection in the relevance model."""
    query_weight: float = 0.5
    """The part of the query in R*."""
    window: int = 20
    """QWD: how many words to either side the heaviest term marks."""
    shortest: int = 400
    """QWD: characters of the shortest passage."""
    cost: float = 1.0
    """SVM: what an example on the wrong side costs."""
    k1: float = 0.9
    b: float = 0.4

    def __post_init__(self) -> None:
        for name, (low, high) in _LIMITS.items():
            value = getattr(self, name)
            if not low <= value <= high:
                raise InexviewError(f"{name} = {value:g}: it must be from {low:g} to {high:g}")

    def changed(self, changes: Mapping[str, Any]) -> ModelParameters:
        """Return these parameters with some of them changed; raises InexviewError for what they cannot be."""
        kinds = {one.name: type(getattr(self, one.name)) for one in fields(self)}
        said: dict[str, float] = {}
        for name, value in changes.items():
            if name not in kinds:
                raise InexviewError(f"parameter = {name!r}: it must be one of {', '.join(kinds)}")
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise InexviewError(f"{name} = {value!r}: it must be a number")
            said[name] = inf if abs(value) > _HUGE else float(value)
            if kinds[name] is int and not said[name].is_integer():
                raise InexviewError(f"{name} = {said[name]:g}: it must be a whole number")
        return replace(self, **{name: kinds[name](value) for name, value in said.items()})


_TINY, _HUGE = 1e-9, 1e300
_LIMITS = {
    "collection_weight": (_TINY, 1.0),
    "document_weight": (0.0, 1.0),
    "passage_weight": (0.0, 1.0),
    "mu": (_TINY, 1e9),
    "feedback_documents": (1, 10_000),
    "feedback_terms": (1, 10_000),
    "least_probability": (0.0, 1.0),
    "feedback_smoothing": (0.0, 1.0),
    "query_weight": (0.0, 1.0),
    "window": (0, 10_000),
    "shortest": (0, 1_000_000),
    "cost": (1e-6, 1e6),
    "k1": (0.0, 1000.0),
    "b": (0.0, 1.0),
}


@dataclass(frozen=True, slots=True)
class RetrievalSettings:
    """A model with its parameters, what it retrieves, and how much, and what it takes of a topic."""

    model: str = "MM"
    unit: UnitKind = PASSAGES
    depth: int = DEPTH
    fields: tuple[str, ...] = ("title",)
    structure: bool = False
    """Whether the CAS title's structure filters what is retrieved."""
    forms: WordForms = field(default_factory=WordForms.named)
    parameters: ModelParameters = ModelParameters()
    task: Task | None = None
    """For which task results are grouped or left out; None takes the ranking as it is."""

    def __post_init__(self) -> None:
        if self.depth < 1:
            raise InexviewError(f"depth = {self.depth}: it must be at least 1")
        if self.task is not None and self.task not in ARRANGED_TASKS:
            listed = ", ".join(ARRANGED_TASKS)
            raise InexviewError(f"task = {self.task.value!r}: runs are made for {listed}, or for none")
        unknown = [name for name in self.fields if name not in FIELDS]
        if unknown or not self.fields:
            raise InexviewError(f"fields = {', '.join(unknown)!r}: they must be among {', '.join(FIELDS)}")


# From a topic to a query: the terms of the fields that are chosen, and the elements that are asked for.


@dataclass(frozen=True, slots=True)
class TopicQuery:
    """A topic's terms, each with how often the topic has it, and the tags that are asked for (none: all)."""

    topic: str
    terms: dict[str, int]
    targets: tuple[str, ...] = ()


def topic_text(topic: Topic, settings: RetrievalSettings) -> str:
    """Return the words of the chosen fields, without those that a topic excludes."""
    said = ((field, str(getattr(topic, field))) for field in settings.fields)
    return " ".join(
        without_excluded(cas_words(text) if field == "castitle" else text) for field, text in said
    )


def topic_query(topic: Topic, settings: RetrievalSettings) -> TopicQuery:
    """Return the query of a topic; it has no term where the fields have none that is no stop word."""
    terms = Counter(settings.forms.terms(topic_text(topic, settings)))
    return TopicQuery(topic.id, dict(terms), cas_targets(topic.castitle) if settings.structure else ())
