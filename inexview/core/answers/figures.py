"""All figures of answers: from judged support, judged characters, and nuggets."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from inexview.core.answers.answers import Answer, Reference
from inexview.core.answers.nuggets import (
    RECALLS,
    WHOLE,
    Importance,
    Nugget,
    NuggetFile,
    TopicNuggets,
    nugget_recall,
    read_nuggets,
    text_read,
)
from inexview.core.answers.support import (
    FIGURES,
    FULL,
    NOTHING,
    Figure,
    Known,
    MeanFigure,
    SupportJudgements,
    citation_hits,
)
from inexview.core.judgements.qrels import Qrels
from inexview.core.text.spans import Spans
from inexview.core.wording import some_named

CITED, RETRIEVED = "cited_", "retrieved_"
"""Prefixes of nugget recalls: for the cited passages, and for the first results of a ranking."""
OFFICIAL = "nugget_vital_strict"
NAMED = 60  # characters of a nugget that is named
LOST_IN_WRITING, BEYOND_CITED, LOST_IN_CITING = "lost_in_writing", "beyond_cited", "lost_in_citing"
NUGGET_TITLES = {
    OFFICIAL: "vital nuggets said",
    CITED + OFFICIAL: "vital nuggets cited",
    LOST_IN_WRITING: "lost in writing",
    RETRIEVED + OFFICIAL: "vital nuggets retrieved",
    LOST_IN_CITING: "lost in citing",
}
"""The figures of nuggets that are shown with those of support."""


@dataclass(frozen=True, slots=True)
class AnswerFigure:
    """One figure of an answer: its value and bounds, and the number of open citations or sentences."""

    name: str
    value: float
    low: float
    high: float
    unjudged: int = 0
    derivation: str = ""


@dataclass(frozen=True, eq=False)
class Judged:
    """The judgements for answers; each may be missing."""

    support: Mapping[tuple[str, str], SupportJudgements] | None = None
    """By run and topic."""
    qrels: Qrels | None = None
    nuggets: NuggetFile | None = None
    share: float = 1.0
    """The share of a place that must be read for its nugget to count."""
    retrieved: Mapping[str, Mapping[str, Spans]] | None = None
    """The characters in the first results of a ranking, by document and topic: see ``text_of_results``."""


def figures_of(
    answer: Answer, judged: Judged, references: Sequence[Reference] | None = None
) -> dict[str, AnswerFigure]:
    """Return the figures of an answer by name; ``references`` are its own with their places."""
    found: dict[str, AnswerFigure] = {}
    figures = []
    if judged.support is not None:
        own = judged.support.get((answer.run, answer.topic), NOTHING)
        figures += [of(answer, own) for of in FIGURES.values()]
    if judged.qrels is not None and answer.topic in judged.qrels.topics:
        figures.append(citation_hits(answer, judged.qrels, references))
    for one in figures:
        found[one.name] = AnswerFigure(one.name, one.value, *one.bounds, one.unjudged, one.derivation)
    if judged.nuggets is not None:
        found |= _of_nuggets(answer, judged, references or answer.references)
    return found


def _of_nuggets(answer: Answer, judged: Judged, references: Sequence[Reference]) -> dict[str, AnswerFigure]:
    found: dict[str, AnswerFigure] = {}
    topics = () if judged.nuggets is None else judged.nuggets.topics
    own = [one for one in topics if one.topic == answer.topic]
    assigned = next((one for one in own if one.assigned and one.run in (answer.run, "")), None)
    if assigned is not None:
        for name in RECALLS:
            value = nugget_recall(name, assigned)
            derived = _taken_apart(name, assigned.nuggets, assigned.assigned)
            found[name] = AnswerFigure(name, value, value, value, derivation=derived)
    placed = next((one for one in own if any(nugget.places for nugget in one.nuggets)), None)
    if placed is not None:
        stated = read_nuggets(placed.nuggets, cited_text(answer, references), judged.share)
        found |= _recalls(CITED, placed.nuggets, stated)
        if assigned is not None:
            found |= _written(placed.nuggets, stated, assigned)
        held = None if judged.retrieved is None else judged.retrieved.get(answer.topic, {})
        if held is not None:
            retrieved = read_nuggets(placed.nuggets, held, judged.share)
            found |= _recalls(RETRIEVED, placed.nuggets, retrieved)
            found |= _loss(LOST_IN_CITING, placed.nuggets, retrieved, stated)
    return found


def _recalls(before: str, nuggets: Sequence[Nugget], stated: Sequence[Fraction]) -> dict[str, AnswerFigure]:
    found = {}
    for name, recall in RECALLS.items():
        value, derived = recall.of(nuggets, stated), _taken_apart(name, nuggets, stated)
        found[before + name] = AnswerFigure(before + name, value, value, value, derivation=derived)
    return found


def _taken_apart(name: str, nuggets: Sequence[Nugget], assigned: Sequence[Fraction | None]) -> str:
    """Return ``3.5 / 5 = 0.700``: the weight of the nuggets found, and of all."""
    above, below = RECALLS[name].sums(nuggets, assigned)
    if not below:
        return "no nugget has a weight"
    return f"{float(above):g} / {float(below):g} = {float(above / below):.3f}"


def _written(
    nuggets: Sequence[Nugget], stated: Sequence[Fraction], assigned: TopicNuggets
) -> dict[str, AnswerFigure]:
    """Return the vital nuggets in the cited passages but not in the answer, and the reverse."""
    said = dict(zip((_words(one) for one in assigned.nuggets), assigned.assigned, strict=True))
    whole = [Fraction((said[_words(one)] or 0) >= FULL) if _words(one) in said else None for one in nuggets]
    return {**_loss(LOST_IN_WRITING, nuggets, stated, whole), **_loss(BEYOND_CITED, nuggets, whole, stated)}


def _words(nugget: Nugget) -> str:
    return " ".join(nugget.text.split()).lower()


def _loss(
    name: str,
    nuggets: Sequence[Nugget],
    first: Sequence[Fraction | None],
    second: Sequence[Fraction | None],
) -> dict[str, AnswerFigure]:
    """Return vital nuggets that are in the first and not in the second / vital nuggets.

    None means unknown, for a nugget that is not assigned.
    """
    values, lost = [], []
    for nugget, one, other in zip(nuggets, first, second, strict=True):
        if nugget.importance is Importance.VITAL:
            low = one is not None and other is not None and one > other
            high = (one is None or one > 0) and (other is None or other < FULL)
            values.append(Known(Fraction(low), Fraction(high)))
            lost += [nugget.text if len(nugget.text) <= NAMED else f"{nugget.text[:NAMED]}…"] if low else []
    figure = Figure(name, tuple(values))
    named = f": {some_named(lost)}" if lost else ""
    derived = f"{figure.derivation}{named}"
    return {name: AnswerFigure(name, figure.value, *figure.bounds, figure.unjudged, derived)}


def cited_text(answer: Answer, references: Sequence[Reference]) -> dict[str, Spans]:
    """Return the characters of each document that an answer cites; all of one that it cites as a whole.

    For a passage given by its words that was not found in the texts, only the document is known.
    """
    cited = [references[at] for at in answer.cited]
    read = text_read((one.document, one.start, one.end) for one in cited)
    whole = {one.document: WHOLE for one in cited if not one.placed and one.quote is None}
    return {**read, **whole}


def means_of(figures: Sequence[Mapping[str, AnswerFigure]]) -> dict[str, MeanFigure]:
    """Return the mean of each figure over answers, with equal weights.

    Answers without a known figure are left out of its mean.
    """
    names = dict.fromkeys(name for own in figures for name in own)
    means = {}
    for name in names:
        own = [one[name] for one in figures if name in one]
        values = [one.value for one in own if not math.isnan(one.value)]
        mean = math.fsum(values) / len(values) if values else math.nan
        means[name] = MeanFigure(mean, len(values), sum(one.unjudged for one in own))
    return means
