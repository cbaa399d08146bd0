"""Sets of text (INEX 2010): all that a run retrieves of a topic, as one set of characters and of articles."""

from __future__ import annotations

from functools import partial

import numpy as np

from inexview.core.measures.joined import Joined
from inexview.core.measures.novelty import new_characters
from inexview.core.measures.parameters import Parameters
from inexview.core.measures.registry import measure
from inexview.core.measures.segments import harmonic_mean, ratio, totals
from inexview.core.text.offset_arrays import Floats, Ints

A10 = "Arvola, Geva, Kamps, Schenkel, Trotman, Vainio, Overview of the INEX 2010 Ad Hoc Track"


class RetrievedText:
    """What is retrieved of each of T topics: characters and articles, and the relevant ones, (T,) each."""

    def __init__(self, joined: Joined, parameters: Parameters) -> None:
        size, rsize = new_characters(joined)
        self.characters: Ints = totals(size, joined.ptr)
        self.relevant_characters: Ints = totals(rsize, joined.ptr)
        self.all_characters: Ints = joined.trel
        bounds = np.searchsorted(joined.firsts, joined.ptr)
        self.articles: Ints = np.diff(bounds)
        self.relevant_articles: Ints = totals(joined.relevant[joined.firsts].astype(np.int64), bounds)
        self.all_articles: Ints = joined.nrel


_measure = partial(measure, citation=A10, view=RetrievedText)


@_measure(
    "char_prec",
    title="precision of the retrieved text",
    formula="relevant characters retrieved / characters retrieved, each counted once",
)
def character_precision(text: RetrievedText) -> Floats:
    return ratio(text.relevant_characters, text.characters)


@_measure(
    "char_rec",
    title="recall of the retrieved text",
    formula="relevant characters retrieved / relevant characters",
)
def character_recall(text: RetrievedText) -> Floats:
    return ratio(text.relevant_characters, text.all_characters)


@_measure(
    "char_f1",
    title="F of the retrieved text",
    formula="2·char_prec·char_rec / (char_prec + char_rec), of each topic",
)
def character_f(text: RetrievedText) -> Floats:
    return harmonic_mean(character_precision(text), character_recall(text))


@_measure(
    "art_prec",
    title="precision of the retrieved articles",
    formula="relevant articles retrieved / articles retrieved",
)
def article_precision(text: RetrievedText) -> Floats:
    return ratio(text.relevant_articles, text.articles)


@_measure(
    "art_rec",
    title="recall of the retrieved articles",
    formula="relevant articles retrieved / relevant articles",
)
def article_recall(text: RetrievedText) -> Floats:
    return ratio(text.relevant_articles, text.all_articles)


@_measure(
    "art_f1",
    title="F of the retrieved articles",
    formula="2·art_prec·art_rec / (art_prec + art_rec), of each topic",
)
def article_f(text: RetrievedText) -> Floats:
    return harmonic_mean(article_precision(text), article_recall(text))
