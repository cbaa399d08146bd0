"""All that says how a run is made: the record that command line, window, experiments and engines pass on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from math import inf
from typing import Any

from inexview.core.errors import InexviewError
from inexview.core.judgements.runs import Task
from inexview.core.retrieval.task_rankings import ARRANGED_TASKS
from inexview.core.retrieval.units import UnitKind
from inexview.core.retrieval.word_forms import WordForms

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
