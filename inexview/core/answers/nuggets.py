"""Nuggets: the facts that an answer to a topic should contain, their importance, and their places.

Source of the recall measures: Pradeep et al., *The Great Nugget Recall* (SIGIR 2025), and its AutoNuggetizer.
A nugget may also have places: each set of places is one way in which a document states it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from inexview.core.answers.support import FULL, NONE, PARTIAL
from inexview.core.judgements.qrels import AspectQrels, GoldPassage, Judgement, Qrels
from inexview.core.judgements.runs import Run
from inexview.core.text.counting import Convention
from inexview.core.text.spans import EMPTY, Spans


class Importance(StrEnum):
    """The importance of a nugget; one that a model could not weigh counts among all, but not as vital."""

    VITAL = "vital"
    OKAY = "okay"
    FAILED = "failed"


class NuggetPlace(NamedTuple):
    """A place where a document states a nugget: possibly separate characters; none: anywhere in it."""

    document: str
    spans: Spans
    quote: str | None = None
    quotes: tuple[str | None, ...] = ()
    """The words of each part, for separate characters, if the file has them."""

    @property
    def parts(self) -> list[tuple[int, int, str | None]]:
        """The parts with their words; without characters, the place of its words."""
        if len(self.spans) < 2:
            start, end = next(iter(self.spans), (-1, -1))
            return [(start, end, self.quote)]
        quotes = self.quotes or (None,) * len(self.spans)
        return [(start, end, quote) for (start, end), quote in zip(self.spans, quotes, strict=True)]


@dataclass(frozen=True, slots=True)
class Nugget:
    """One fact, with its places, any one of which states it."""

    text: str
    importance: Importance = Importance.VITAL
    places: tuple[NuggetPlace, ...] = ()
    question: str = ""
    """The question that it answers, if it is one of several answers to it."""
    all_of: bool = False
    """Whether an answer needs all answers to its question (AND), or one of them is enough (OR)."""


@dataclass(frozen=True, slots=True)
class TopicNuggets:
    """The nuggets of a topic and, if the file has them, the degrees to which an answer has each."""

    topic: str
    nuggets: tuple[Nugget, ...]
    run: str = ""
    """The answer that they were assigned to; empty for nuggets alone."""
    assigned: tuple[Fraction | None, ...] = ()
    """1 support, ½ partial support, 0 none, None if not assigned; as many as nuggets, or none."""
    question: str = ""
    line: int = 0


@dataclass(frozen=True, eq=False)
class NuggetFile:
    """The content of a file of nuggets."""

    topics: tuple[TopicNuggets, ...]
    path: Path | None = None
    warnings: tuple[str, ...] = ()
    way: Convention | None = None
    """How the file's offsets count, if it states that."""

    def places(self) -> Iterator[NuggetPlace]:
        """Yield the places of all nuggets."""
        for topic in self.topics:
            for nugget in topic.nuggets:
                yield from nugget.places

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

    def of(self, nuggets: Sequence[Nugget], assigned: Sequence[Fraction | None]) -> float:
        """Return Σ weight · support / Σ weight; 0 without weights.  None counts as no support."""
        above, below = self.sums(nuggets, assigned)
        return float(above / below) if below else 0.0

    def sums(
        self, nuggets: Sequence[Nugget], assigned: Sequence[Fraction | None]
    ) -> tuple[Fraction, Fraction]:
        """Return Σ weight · support and Σ weight.

        The answers to one question have one common weight, that of the most important: for alternatives (OR)
        the best counts, for parts (AND) their mean, or the lowest if only full support counts.
        """
        had = [NONE if one is None or (self.strict and one < FULL) else one for one in assigned]
        questions: dict[tuple[str, int], list[int]] = {}
        for at, nugget in enumerate(nuggets):
            questions.setdefault((nugget.question, -1 if nugget.question else at), []).append(at)
        above = below = NONE
        for rows in questions.values():
            weight = max(self.weight(nuggets[at].importance) for at in rows)
            values = [had[at] for at in rows]
            if not nuggets[rows[0]].all_of:
                value = max(values)
            else:
                value = min(values) if self.strict else sum(values, NONE) / len(values)
            above, below = above + weight * value, below + weight
        return above, below


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
    """Return one of the RECALLS of an answer."""
    return RECALLS[name].of(nuggets.nuggets, nuggets.assigned or (None,) * len(nuggets.nuggets))


# From characters: a nugget is read if one of its places is.


WHOLE = Spans([(0, 1 << 60)])
"""All characters of a document of any length."""


def read_nuggets(
    nuggets: Sequence[Nugget], read: Mapping[str, Spans], share: float = 1.0
) -> tuple[Fraction, ...]:
    """Return which nuggets the text ``read`` of each document states: 1 or 0.

    A nugget is stated if at least a ``share`` of one of its places, and not nothing, is read; one without
    characters is stated if anything of its document is read.
    """
    return tuple(Fraction(any(_is_read(place, read, share) for place in nugget.places)) for nugget in nuggets)


def _is_read(place: NuggetPlace, read: Mapping[str, Spans], share: float) -> bool:
    own = read.get(place.document)
    if own is None or not place.spans:
        return own is not None
    there = (place.spans & own).size
    return there > 0 and there >= share * place.spans.size - 1e-9


def text_read(passages: Iterable[tuple[str, int, int]]) -> dict[str, Spans]:
    """Return the characters of each document in passages; a passage without characters names its document."""
    listed: dict[str, list[tuple[int, int]]] = {}
    for document, start, end in passages:
        listed.setdefault(document, []).extend([(start, end)] if 0 <= start < end else ())
    return {document: Spans(own) if own else EMPTY for document, own in listed.items()}


FIRST_RESULTS = 20
"""The default number of results of a ranking that count as retrieved."""


def text_of_results(run: Run, topic: str, first: int = FIRST_RESULTS) -> dict[str, Spans]:
    """Return the characters in the first results of a topic by document; all of a whole document."""
    read: dict[str, Spans] = {}
    for result in islice(run.results(topic), first):
        held = Spans([(result.start, result.end)]) if 0 <= result.start < result.end else WHOLE
        read[result.document] = read.get(result.document, EMPTY) | held
    return read


# Rankings: the places of nuggets as judgements, of documents and of characters.


@dataclass(frozen=True, eq=False)
class NuggetQrels(AspectQrels):
    """Qrels from the places of nuggets: a document's relevant characters are those of all its places."""

    nuggets: Mapping[str, tuple[Nugget, ...]] = field(default_factory=dict)
    """By topic; including those that no document states."""
    share: float = 1.0
    """The share of a place that must be retrieved for its nugget to count."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, NuggetQrels):
            return False if isinstance(other, Qrels) else NotImplemented
        return (self.share, self.nuggets) == (other.share, other.nuggets) and super().__eq__(other) is True

    __hash__ = object.__hash__

    @classmethod
    def of_nuggets(cls, file: NuggetFile, share: float = 1.0) -> NuggetQrels:
        """Make qrels of nuggets with places in code points; aspects are their numbers in the topic.

        Nuggets that were assigned to several answers count once.  A place without characters makes its whole
        document relevant.
        """
        topics: dict[str, tuple[Nugget, ...]] = {}
        for one in file.topics:
            topics[one.topic] = _joined_nuggets((*topics.get(one.topic, ()), *one.nuggets))
        gold: dict[tuple[str, str], list[GoldPassage]] = {}
        for topic, nuggets in topics.items():
            for number, nugget in enumerate(nuggets):
                for place in nugget.places:
                    own = gold.setdefault((topic, place.document), [])
                    told = frozenset((str(number),))
                    own += [
                        GoldPassage(topic, place.document, *span, told) for span in place.spans or ((0, 0),)
                    ]
        qrels = Qrels.from_judgements(
            Judgement(topic, document, spans.size or 1, 0, None, spans)
            for (topic, document), own in gold.items()
            for spans in [Spans((passage.start, passage.end) for passage in own)]
        )
        listed = tuple(map(tuple, gold.values()))
        about: dict[str, object] = {"path": file.path, "warnings": file.warnings, "nuggets": topics}
        made = cls.over(qrels, listed, **about, share=share)
        assert isinstance(made, NuggetQrels)
        return made


def _joined_nuggets(nuggets: Iterable[Nugget]) -> tuple[Nugget, ...]:
    """Merge nuggets with the same words and question, with the places of all."""
    joined: dict[tuple[str, str], Nugget] = {}
    for one in nuggets:
        known = joined.get((one.question, one.text))
        places = one.places if known is None else (*known.places, *one.places)
        joined[one.question, one.text] = replace(known or one, places=tuple(dict.fromkeys(places)))
    return tuple(joined.values())
