"""The focused task: precision of the characters retrieved, at levels of recall.

Source: [M07] equations 1–3, and INEX's own tool for when a level of recall has been reached.  Thorough (INEX
2009) counts only the new text in each result; the sets of text (INEX 2010) ignore the order.
"""

from __future__ import annotations

from dataclasses import fields
from functools import cached_property, partial

import numpy as np

from inexview.core.measures.joined import (
    Joined,
    at_rank,
    harmonic_mean,
    new_characters,
    ratio,
    running_by_topic,
    totals,
)
from inexview.core.measures.measure import (
    M07,
    RANKS,
    Level,
    MeasureRecord,
    Parameters,
    Rank,
    measure,
    registered,
)
from inexview.core.text.spans import Floats, Ints

LEVELS = 101


class Ranks:
    """Precision and recall after each of the n results of a run, over T topics."""

    family = "focused"

    def __init__(self, joined: Joined, parameters: Parameters) -> None:
        self.joined = joined
        self.ptr = joined.ptr
        self.size, self.rsize = self.counted(joined)
        self.retrieved: Ints = running_by_topic(self.size, joined.ptr)
        self.hits: Ints = running_by_topic(self.rsize, joined.ptr)

    def counted(self, joined: Joined) -> tuple[Ints, Ints]:
        """Return the characters of each result that count, and the relevant ones of them, (n,) each."""
        return joined.size, joined.rsize

    @cached_property
    def found(self) -> Ints:
        """The results that retrieve relevant text, at which alone P and R rise, shape (h,)."""
        return np.flatnonzero(self.rsize > 0)  # several times as fast for booleans

    @cached_property
    def topic(self) -> Ints:
        """The index of the topic of each of ``found``, shape (h,)."""
        return np.searchsorted(self.ptr, self.found, side="right") - 1

    @cached_property
    def precision(self) -> Floats:
        """P[r] (equation 1) at each of ``found``, shape (h,)."""
        return self.hits[self.found] / self.retrieved[self.found]

    @cached_property
    def recall(self) -> Floats:
        """R[r] (equation 2) at each of ``found``, shape (h,)."""
        return ratio(self.hits[self.found], self.joined.trel[self.topic])

    @cached_property
    def interpolated(self) -> Floats:
        """iP[0.00] … iP[1.00], shape (T, 101)."""
        return interpolate(self.precision, self.recall, self.topic, len(self.joined.topics))


def interpolate(precision: Floats, recall: Floats, topic: Ints, topics: int) -> Floats:
    """Return the highest precision at which recall has reached 0.00, 0.01, … 1.00, shape (topics, 101).

    ``precision``, ``recall`` and ``topic`` are those of h ranks, topic by topic; within a topic recall does
    not fall.  The level of a rank is computed as in INEX's tool: floor(100 * (rel / Trel)).
    """
    best = np.zeros(topics * LEVELS)
    level = np.minimum(np.floor(100 * recall).astype(np.int64), LEVELS - 1)
    cell = topic * LEVELS + level  # ascends with rank
    first = np.flatnonzero(np.append(True, cell[1:] != cell[:-1])[: len(cell)])
    if len(first):
        best[cell[first]] = np.maximum.reduceat(precision, first)
    by_level = best.reshape(-1, LEVELS)
    return np.maximum.accumulate(by_level[:, ::-1], axis=1)[:, ::-1]


_measure = partial(measure, citation=M07, view=Ranks)


@_measure(
    "iP",
    title="interpolated precision at a level of recall",
    formula="iP[x] = max { P[r] : R[r] ≥ x }, 0 where no rank reaches x",
    at=Level((0.0, 0.01, 0.05, 0.10)),
)
def interpolated_precision(ranks: Ranks, level: float) -> Floats:
    return ranks.interpolated[:, round(level * 100)]


@_measure(
    "AiP",
    title="average interpolated precision",
    formula="AiP = (1/101) Σ iP[x] over x = 0.00, 0.01, … 1.00",
    mean="MAiP",
)
def average_interpolated_precision(ranks: Ranks) -> Floats:
    average: Floats = ranks.interpolated.mean(axis=1)
    return average


@_measure(
    "AP",
    title="average precision over the ranks that retrieve relevant text",
    citation=f"{M07}, eq. 3",
    formula="AP = R[|R|] · mean P[r], over the ranks r with relevant text",
    mean="MAP",
)
def average_precision(ranks: Ranks) -> Floats:
    """Return AP of each topic (equation 3)."""
    bounds = np.searchsorted(ranks.found, ranks.ptr)
    mean = ratio(totals(ranks.precision, bounds), np.diff(bounds))
    recall = ratio(totals(ranks.rsize, ranks.ptr), ranks.joined.trel)
    return mean * recall


@_measure(
    "P",
    title="precision after r results",
    citation=f"{M07}, eq. 1",
    formula="P[r] = Σ rsize / Σ size, over the first r results",
    at=Rank(RANKS),
)
def precision_at(ranks: Ranks, rank: int) -> Floats:
    """Return P[r] of each topic; after the last rank its last value."""
    hits = at_rank(ranks.hits, ranks.ptr, rank)
    return ratio(hits, at_rank(ranks.retrieved, ranks.ptr, rank))


@_measure(
    "R",
    title="recall after r results",
    citation=f"{M07}, eq. 2",
    formula="R[r] = Σ rsize / Trel, over the first r results",
    at=Rank(RANKS),
)
def recall_at(ranks: Ranks, rank: int) -> Floats:
    """Return R[r] of each topic; after the last rank its last value."""
    return ratio(at_rank(ranks.hits, ranks.ptr, rank), ranks.joined.trel)


# Thorough over text (INEX 2009, efficiency 2010): results may overlap, and only new text in each counts.
#
# The measures are those of the focused task, on the characters that no earlier result of the topic has shown.


class NewText(Ranks):
    """Precision and recall after each result, counting each character once."""

    family = "thorough"

    def counted(self, joined: Joined) -> tuple[Ints, Ints]:
        """Return the new characters of each result, and the relevant ones of them."""
        size, rsize = joined.of_results(new_characters)
        return size, rsize


ONLY_NEW = "rsize and size of a result are those of its new characters"
_OWN = ("name", "family", "view", "compute", "note")
_SAME = tuple(field.name for field in fields(MeasureRecord) if field.name not in _OWN)
for _record in registered(Ranks.family):
    _given = {name: getattr(_record, name) for name in _SAME}
    measure(_record.name, view=NewText, note=ONLY_NEW, **_given)(_record.compute)


# Sets of text (INEX 2010): all that a run retrieves of a topic, as one set of characters and of articles.

A10 = "Arvola, Geva, Kamps, Schenkel, Trotman, Vainio, Overview of the INEX 2010 Ad Hoc Track"


class RetrievedText:
    """The retrieved characters and articles of each of T topics, and the relevant ones, (T,) each."""

    family = "text-sets"

    def __init__(self, joined: Joined, parameters: Parameters) -> None:
        size, rsize = joined.of_results(new_characters)
        self.characters: Ints = totals(size, joined.ptr)
        self.relevant_characters: Ints = totals(rsize, joined.ptr)
        self.all_characters: Ints = joined.trel
        bounds = np.searchsorted(joined.firsts, joined.ptr)
        self.articles: Ints = np.diff(bounds)
        self.relevant_articles: Ints = totals(joined.relevant[joined.firsts].astype(np.int64), bounds)
        self.all_articles: Ints = joined.nrel


_set_measure = partial(measure, citation=A10, view=RetrievedText)


@_set_measure(
    "char_prec",
    title="precision of the retrieved text",
    formula="relevant characters retrieved / characters retrieved, each counted once",
)
def character_precision(text: RetrievedText) -> Floats:
    return ratio(text.relevant_characters, text.characters)


@_set_measure(
    "char_rec",
    title="recall of the retrieved text",
    formula="relevant characters retrieved / relevant characters",
)
def character_recall(text: RetrievedText) -> Floats:
    return ratio(text.relevant_characters, text.all_characters)


@_set_measure(
    "char_f1",
    title="F of the retrieved text",
    formula="2·char_prec·char_rec / (char_prec + char_rec), of each topic",
)
def character_f(text: RetrievedText) -> Floats:
    return harmonic_mean(character_precision(text), character_recall(text))


@_set_measure(
    "art_prec",
    title="precision of the retrieved articles",
    formula="relevant articles retrieved / articles retrieved",
)
def article_precision(text: RetrievedText) -> Floats:
    return ratio(text.relevant_articles, text.articles)


@_set_measure(
    "art_rec",
    title="recall of the retrieved articles",
    formula="relevant articles retrieved / relevant articles",
)
def article_recall(text: RetrievedText) -> Floats:
    return ratio(text.relevant_articles, text.all_articles)


@_set_measure(
    "art_f1",
    title="F of the retrieved articles",
    formula="2·art_prec·art_rec / (art_prec + art_rec), of each topic",
)
def article_f(text: RetrievedText) -> Floats:
    return harmonic_mean(article_precision(text), article_recall(text))
