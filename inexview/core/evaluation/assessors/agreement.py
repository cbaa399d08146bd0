"""How far two assessors of the same topics agree: ∩/∪ of what each calls relevant, and Cohen's κ.

Source: [Hi] Pehcevski, Thom, *HiXEval: Highlighting XML Retrieval Evaluation*, INEX 2005, section 2.2,
where the agreement on documents, elements, and each grade of exhaustivity and specificity is the number
that both assessors give it to, over the number that either does.  Compared are the documents that both
judged: one that a single assessor saw says nothing about agreement, and is counted apart.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from inexview.core.evaluation.assessors.grade_agreement import GradePairs
from inexview.core.judgements.elements import ElementJudgement, ElementQrels
from inexview.core.judgements.qrels import Judgement, Qrels

Item = TypeVar("Item")  # a document, or an element of one

EXHAUSTIVITY_GRADES = ("E?", "E1", "E2")
GRADES_OF_2003 = ("E1", "E2", "E3")
SCALE = 3
"""The grades of specificity that INEX 2005 made of the share of relevant text."""


@dataclass(frozen=True, slots=True)
class Contingency:
    """Of some items, how many both assessors chose, only one of them, and neither.

    ``neither`` is None where the items that no one chose were not listed; κ is then unknown.
    """

    both: int
    only_a: int
    only_b: int
    neither: int | None = None

    @property
    def either(self) -> int:
        """The items that at least one assessor chose."""
        return self.both + self.only_a + self.only_b

    @property
    def overlap(self) -> float:
        """∩/∪, 0 … 1; NaN where no one chose anything."""
        return self.both / self.either if self.either else math.nan

    @property
    def kappa(self) -> float:
        """Cohen's κ, at most 1; NaN where it is not defined, as when both chose all or nothing."""
        if self.neither is None:
            return math.nan
        total = self.either + self.neither
        a, b = self.both + self.only_a, self.both + self.only_b
        # (observed − expected)/(1 − expected), times total²: whole numbers until the division
        expected = a * b + (total - a) * (total - b)
        observed = (self.both + self.neither) * total
        return (observed - expected) / (total**2 - expected) if total**2 != expected else math.nan

    def __add__(self, other: Contingency) -> Contingency:
        neither = None if self.neither is None or other.neither is None else self.neither + other.neither
        return Contingency(
            self.both + other.both, self.only_a + other.only_a, self.only_b + other.only_b, neither
        )


@dataclass(frozen=True, slots=True)
class TopicAgreement:
    """The agreement on one topic (or on all, as topic "all")."""

    topic: str
    judged: Contingency
    """Documents that both judged, or only one of them."""
    compared: Mapping[str, Contingency]
    """"documents" and "characters", or "elements", then each grade: "S1", "E2", …"""
    graded: Mapping[str, GradePairs] = field(default_factory=dict)
    """The grades that both assessors gave to what both judged: "grade", or "S" and "E", by name."""
    entry_distances: tuple[int, ...] = ()
    """Characters between the two best entry points, of each document where both set one."""
    unlocated: int = 0
    """Documents left out of the characters: called relevant without saying where."""

    @property
    def median_entry_distance(self) -> float:
        """The median of ``entry_distances``; NaN where there is none."""
        ordered = sorted(self.entry_distances)
        if not ordered:
            return math.nan
        return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of two assessors on each topic that both judged, and over all of them."""

    topics: tuple[TopicAgreement, ...]
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]
    overall: TopicAgreement = field(init=False)
    """All topics' items put together, so that a topic weighs by how much there was to agree on."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "overall", _together(self.topics))

    def mean(self, name: str) -> tuple[float, float]:
        """Return the means over the topics of ∩/∪ and of κ, each over those where it is defined, or NaN.

        ``overall`` pools the topics; here each counts alike.
        """
        own = [topic.compared[name] for topic in self.topics if name in topic.compared]
        return mean_where_defined(one.overlap for one in own), mean_where_defined(one.kappa for one in own)


def mean_where_defined(values: Iterable[float]) -> float:
    """Return the mean of the values that are not NaN, or NaN where there is none."""
    defined = [value for value in values if not math.isnan(value)]
    return math.fsum(defined) / len(defined) if defined else math.nan


def _together(topics: Iterable[TopicAgreement]) -> TopicAgreement:
    judged = Contingency(0, 0, 0)
    compared: dict[str, Contingency] = {}
    graded: dict[str, GradePairs] = {}
    distances: list[int] = []
    unlocated = 0
    for topic in topics:
        judged += topic.judged
        for name, counted in topic.compared.items():
            compared[name] = compared[name] + counted if name in compared else counted
        for name, pairs in topic.graded.items():
            graded[name] = graded[name] + pairs if name in graded else pairs
        distances.extend(topic.entry_distances)
        unlocated += topic.unlocated
    return TopicAgreement("all", judged, compared, graded, tuple(distances), unlocated)


def specificity_level(rsize: int, size: int, scale: int = SCALE) -> int:
    """Return which of ``scale`` equal parts of 0 … 1 the share of relevant text is in, from 1; 0 for none.

    Of three, 1 is a specificity of at most 1/3, 2 of at most 2/3.
    """
    if rsize <= 0:
        return 0
    return min(-(-scale * rsize // size), scale) if size > 0 else scale


def specificity_grade(rsize: int, size: int, scale: int = SCALE) -> str | None:
    """Return S1, S2 … of the scale; None where nothing is relevant."""
    level = specificity_level(rsize, size, scale)
    return f"S{level}" if level else None


def specificity_grades(scale: int = SCALE) -> tuple[str, ...]:
    """Return the names of the grades of a scale: S1, S2, S3."""
    return tuple(f"S{level}" for level in range(1, scale + 1))


def exhaustivity_grade(element: ElementJudgement) -> str:
    """Return E2, E1, or E? for an element too small to say; E3, E2 or E1 of the scale of 2002–04."""
    return f"E{element.exhaustivity}" if element.graded else EXHAUSTIVITY_GRADES[element.exhaustivity]


# -- passages -----------------------------------------------------------------------------------------


def agree(a: Qrels, b: Qrels, *, scale: int = SCALE) -> Agreement:
    """Compare two assessors' passages: documents, grades of their specificity, characters, entry points.

    κ over characters takes the documents' own lengths as what there was to choose from.  ``scale`` is how
    many grades of specificity are told apart; of TREC qrels, the grades of relevance are compared.
    """
    return _by_topic(a.topics, b.topics, lambda topic: _agree_on_topic(topic, a, b, scale))


def _agree_on_topic(topic: str, a: Qrels, b: Qrels, scale: int) -> TopicAgreement:
    left = {judgement.document: judgement for judgement in a.judgements(topic)}
    right = {judgement.document: judgement for judgement in b.judgements(topic)}
    common = [document for document in left if document in right]
    pairs = [(left[document], right[document]) for document in common]
    located = [pair for pair in pairs if all(j.rsize <= 0 or j.passages for j in pair)]
    relevant_a = {j.document for j, _ in pairs if j.rsize > 0}
    relevant_b = {j.document for _, j in pairs if j.rsize > 0}
    compared = {"documents": _contingency(relevant_a, relevant_b, universe=len(common))}
    if a.graded and b.graded:
        levels = [(left.rsize, right.rsize) for left, right in pairs]
        graded = {"grade": GradePairs.of(levels)}
        return TopicAgreement(topic, _contingency(set(left), set(right)), compared, graded)
    compared |= _graded(
        specificity_grades(scale),
        {j.document: specificity_grade(j.rsize, j.length, scale) for j, _ in pairs},
        {j.document: specificity_grade(j.rsize, j.length, scale) for _, j in pairs},
    )
    graded = {
        "S": GradePairs.of(
            (specificity_level(x.rsize, x.length, scale), specificity_level(y.rsize, y.length, scale))
            for x, y in pairs
        )
    }
    compared["characters"] = sum((_characters(*pair) for pair in located), Contingency(0, 0, 0, 0))
    distances = tuple(abs(x.bep - y.bep) for x, y in pairs if x.bep is not None and y.bep is not None)
    return TopicAgreement(
        topic, _contingency(set(left), set(right)), compared, graded, distances, len(pairs) - len(located)
    )


def _characters(a: Judgement, b: Judgement) -> Contingency:
    marks, others = a.relevant_text, b.relevant_text
    both = int(marks.overlap(others.starts, others.ends).sum())
    only_a, only_b = marks.size - both, others.size - both
    # Qrels in the wild count past the end: what is marked is there, whatever the length says.
    length = max(a.length, b.length, both + only_a + only_b)
    return Contingency(both, only_a, only_b, length - both - only_a - only_b)


# -- elements -----------------------------------------------------------------------------------------


def agree_on_elements(a: ElementQrels, b: ElementQrels, *, scale: int = SCALE) -> Agreement:
    """Compare two assessors' elements: documents, elements, grades of exhaustivity and of specificity.

    The grades are compared over all elements that either judged relevant, and ("both: E2") over exactly those
    that both did, as in [Hi] table 3.
    """
    return _by_topic(a.topics, b.topics, lambda topic: _agree_on_elements_of(topic, a, b, scale))


def _agree_on_elements_of(topic: str, a: ElementQrels, b: ElementQrels, scale: int) -> TopicAgreement:
    left, right = a.documents(topic), b.documents(topic)
    common = [document for document in left if document in right]
    in_a = {(document, path): e for document in common for path, e in left[document].items()}
    in_b = {(document, path): e for document in common for path, e in right[document].items()}
    compared = {
        "documents": _contingency({d for d, _ in in_a}, {d for d, _ in in_b}, universe=len(common)),
        "elements": _contingency(set(in_a), set(in_b)),
    }
    told = GRADES_OF_2003 if a.graded or b.graded else EXHAUSTIVITY_GRADES
    for grades, grade in (
        (told, exhaustivity_grade),
        (specificity_grades(scale), lambda element: specificity_grade(element.rsize, element.size, scale)),
    ):
        graded_a = {item: grade(element) for item, element in in_a.items()}
        graded_b = {item: grade(element) for item, element in in_b.items()}
        compared |= _graded(grades, graded_a, graded_b)
        shared = graded_a.keys() & graded_b.keys()
        both = _graded(
            grades,
            {item: graded_a[item] for item in shared},
            {item: graded_b[item] for item in shared},
            universe=len(shared),
        )
        compared |= {f"both: {name}": own for name, own in both.items()}
    pairs = [(in_a[item], in_b[item]) for item in in_a if item in in_b]
    graded = {
        "E": GradePairs.of((x.exhaustivity, y.exhaustivity) for x, y in pairs),
        "S": GradePairs.of(
            (specificity_level(x.rsize, x.size, scale), specificity_level(y.rsize, y.size, scale))
            for x, y in pairs
        ),
    }
    return TopicAgreement(topic, _contingency(set(left), set(right)), compared, graded)


# -- counting -----------------------------------------------------------------------------------------


def _by_topic(
    in_a: tuple[str, ...], in_b: tuple[str, ...], compare: Callable[[str], TopicAgreement]
) -> Agreement:
    return Agreement(
        tuple(compare(topic) for topic in in_a if topic in in_b),
        only_a=tuple(topic for topic in in_a if topic not in in_b),
        only_b=tuple(topic for topic in in_b if topic not in in_a),
    )


def _contingency(a: set[Item], b: set[Item], *, universe: int | None = None) -> Contingency:
    neither = None if universe is None else universe - len(a | b)
    return Contingency(len(a & b), len(a - b), len(b - a), neither)


def _graded(
    grades: tuple[str, ...],
    in_a: Mapping[Item, str | None],
    in_b: Mapping[Item, str | None],
    *,
    universe: int | None = None,
) -> dict[str, Contingency]:
    """Compare, grade by grade, the items that each assessor gives it to."""
    return {
        grade: _contingency(
            {item for item, given in in_a.items() if given == grade},
            {item for item, given in in_b.items() if given == grade},
            universe=universe,
        )
        for grade in grades
    }
