"""Nuggets: the facts that an answer to a topic should have, how much they matter, and where they stand.

Source of the recall measures: Pradeep et al., *The Great Nugget Recall* (SIGIR 2025), and its AutoNuggetizer.
A nugget may also have places: each set of places is one way in which a document states it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from inexview.core.answers.support import FULL, NONE, PARTIAL
from inexview.core.text.spans import Spans


class Importance(StrEnum):
    """How much a nugget matters; one that a model could not weigh counts among all, and never as vital."""

    VITAL = "vital"
    OKAY = "okay"
    FAILED = "failed"


class NuggetPlace(NamedTuple):
    """Where a document states a nugget: characters, which may lie apart."""

    document: str
    spans: Spans
    quote: str | None = None


@dataclass(frozen=True, slots=True)
class Nugget:
    """One fact, with the places that state it: each of them alone does."""

    text: str
    importance: Importance = Importance.VITAL
    places: tuple[NuggetPlace, ...] = ()
    question: str = ""
    """The question that it answers, where it is one of several answers to it."""
    all_of: bool = False
    """Whether an answer needs it beside the others to its question (AND), or one of them is enough (OR)."""


@dataclass(frozen=True, slots=True)
class TopicNuggets:
    """The nuggets of a topic and, where a file says it, how far an answer has each of them."""

    topic: str
    nuggets: tuple[Nugget, ...]
    run: str = ""
    """The answer that they were assigned to; empty for nuggets alone."""
    assigned: tuple[Fraction | None, ...] = ()
    """1 support, ½ partial support, 0 none, None where nothing is said; as many as nuggets, or none."""
    question: str = ""
    line: int = 0


@dataclass(frozen=True, eq=False)
class NuggetFile:
    """What a file of nuggets holds."""

    topics: tuple[TopicNuggets, ...]
    path: Path | None = None
    warnings: tuple[str, ...] = ()

    def of_answers(self) -> tuple[TopicNuggets, ...]:
        """Return those that were assigned to an answer."""
        return tuple(one for one in self.topics if one.assigned)


Weight = Callable[[Importance], Fraction]


def _vital(importance: Importance) -> Fraction:
    return Fraction(importance is Importance.VITAL)


def _all(importance: Importance) -> Fraction:
    return Fraction(1)


def _weighted(importance: Importance) -> Fraction:
    halves = {Importance.VITAL: FULL, Importance.OKAY: PARTIAL, Importance.FAILED: NONE}
    return halves[importance]


class NuggetRecall(NamedTuple):
    """How one nugget recall weighs nuggets, and whether only full support counts."""

    title: str
    weight: Weight
    strict: bool

    def of(self, importances: Sequence[Importance], assigned: Sequence[Fraction | None]) -> float:
        """Return Σ weight · support / Σ weight; 0 where nothing has a weight.  None counts as no support."""
        weights = [self.weight(one) for one in importances]
        total = sum(weights, NONE)
        had = (NONE if one is None or (self.strict and one < FULL) else one for one in assigned)
        return (
            float(sum((w * one for w, one in zip(weights, had, strict=True)), NONE) / total) if total else 0.0
        )


RECALLS: Mapping[str, NuggetRecall] = {
    "nugget_vital_strict": NuggetRecall("strict vital nugget recall", _vital, strict=True),
    "nugget_strict": NuggetRecall("strict nugget recall", _all, strict=True),
    "nugget_vital": NuggetRecall("vital nugget recall", _vital, strict=False),
    "nugget_all": NuggetRecall("nugget recall", _all, strict=False),
    "nugget_weighted": NuggetRecall("weighted nugget recall", _weighted, strict=False),
    "nugget_weighted_strict": NuggetRecall("weighted strict nugget recall", _weighted, strict=True),
}
"""The recalls by name; the first is the official one of TREC RAG 2024."""


def nugget_recall(name: str, nuggets: TopicNuggets) -> float:
    """Return a recall of RECALLS of an answer."""
    importances = [nugget.importance for nugget in nuggets.nuggets]
    return RECALLS[name].of(importances, nuggets.assigned or (None,) * len(importances))


# From characters: a nugget is read where one of its places is.


def read_nuggets(
    nuggets: Sequence[Nugget], read: Mapping[str, Spans], share: float = 1.0
) -> tuple[Fraction, ...]:
    """Return which nuggets the text that is ``read`` of each document states: 1 or 0.

    One does where at least a ``share`` of one of its places is read, and some of it.
    """
    return tuple(Fraction(any(_is_read(place, read, share) for place in nugget.places)) for nugget in nuggets)


def _is_read(place: NuggetPlace, read: Mapping[str, Spans], share: float) -> bool:
    there = (place.spans & read[place.document]).size if place.document in read else 0
    return there > 0 and there >= share * place.spans.size - 1e-9


def text_read(passages: Iterable[tuple[str, int, int]]) -> dict[str, Spans]:
    """Return the characters of each document that passages hold."""
    listed: dict[str, list[tuple[int, int]]] = {}
    for document, start, end in passages:
        if 0 <= start < end:
            listed.setdefault(document, []).append((start, end))
    return {document: Spans(own) for document, own in listed.items()}
