"""All figures of answers: of judged support, of judged characters, and of nuggets."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from inexview.core.answers.answers import Answer, Reference
from inexview.core.answers.nuggets import (
    RECALLS,
    WHOLE,
    NuggetFile,
    nugget_recall,
    read_nuggets,
    text_read,
)
from inexview.core.answers.support import (
    FIGURES,
    NOTHING,
    MeanFigure,
    SupportJudgements,
    citation_hits,
)
from inexview.core.judgements.qrels import Qrels
from inexview.core.text.spans import Spans

CITED = "cited_"
"""Before the name of a nugget recall: of what the cited passages state, which an answer could have said."""


@dataclass(frozen=True, slots=True)
class AnswerFigure:
    """One figure of an answer: its value and bounds, and how many citations or sentences are open."""

    name: str
    value: float
    low: float
    high: float
    unjudged: int = 0
    derivation: str = ""


@dataclass(frozen=True, eq=False)
class Judged:
    """What answers are held against; each may be missing."""

    support: Mapping[tuple[str, str], SupportJudgements] | None = None
    """By run and topic."""
    qrels: Qrels | None = None
    nuggets: NuggetFile | None = None
    share: float = 1.0
    """How much of a place must be read for its nugget to count."""


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
            found[name] = AnswerFigure(name, value, value, value)
    placed = next((one for one in own if any(nugget.places for nugget in one.nuggets)), None)
    if placed is not None:
        stated = read_nuggets(placed.nuggets, cited_text(answer, references), judged.share)
        for name, recall in RECALLS.items():
            value = recall.of(placed.nuggets, stated)
            found[CITED + name] = AnswerFigure(CITED + name, value, value, value)
    return found


def cited_text(answer: Answer, references: Sequence[Reference]) -> dict[str, Spans]:
    """Return the characters of each document that an answer cites; all of one that it cites as a whole.

    Of a passage that is given by its words, and was not found in the texts, only the document is known.
    """
    cited = [references[at] for at in answer.cited]
    read = text_read((one.document, one.start, one.end) for one in cited)
    whole = {one.document: WHOLE for one in cited if not one.placed and one.quote is None}
    return {**read, **whole}


def means_of(figures: Sequence[Mapping[str, AnswerFigure]]) -> dict[str, MeanFigure]:
    """Return the mean of each figure over answers, each of which counts the same.

    Answers of which a figure is not known at all are left out of its mean.
    """
    names = dict.fromkeys(name for own in figures for name in own)
    means = {}
    for name in names:
        own = [one[name] for one in figures if name in one]
        values = [one.value for one in own if not math.isnan(one.value)]
        mean = math.fsum(values) / len(values) if values else math.nan
        means[name] = MeanFigure(mean, len(values), sum(one.unjudged for one in own))
    return means
