"""The retrieval models by name: what each is, where it comes from, and how it scores the units of a shard."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import log

import numpy as np

from inexview.core.errors import InexviewError
from inexview.core.retrieval.language_models import MixtureWeights, dirichlet, entropy, mixture
from inexview.core.retrieval.retrieval_settings import ModelParameters, RetrievalSettings
from inexview.core.retrieval.shard import CollectionCounts, Shard, ShardScores
from inexview.core.retrieval.units import DisjointUnits, UnitKind, Units
from inexview.core.word_index.full_text_search import bm25_idf, bm25_part
from inexview.core.word_index.segment import Int32

Score = Callable[[Shard, Mapping[str, float], ModelParameters, CollectionCounts], ShardScores]


def tfidf(shard: Shard, query: Mapping[str, float], counts: CollectionCounts) -> ShardScores:
    """Score units by Σ_t TF(t,p)·IDF(t) · TF(t,q)·IDF(t), document frequencies over documents.

    Wade and Allan, Passage Retrieval and Evaluation, CIIR IR-396, 2005, eq. 4–6.
    """
    scores, retrieved = np.zeros(len(shard.units)), np.zeros(len(shard.units), bool)
    average = counts.unit_words / counts.units
    for term, often in query.items():
        idf = log((counts.documents + 1) / (0.5 + counts.terms[term].documents))
        where, inside = shard.in_units(term)
        frequency = inside / (shard.unit_lengths[where] / (2 * average) + 0.5 + inside)
        scores[where] += frequency * idf * (often / (often + 1)) * idf
        retrieved[where] = True
    return ShardScores(shard.units, scores, retrieved)


def bm25(
    shard: Shard, query: Mapping[str, float], k1: float, b: float, counts: CollectionCounts
) -> ShardScores:
    """Score units by BM25 as Lucene has it since version 8, document frequencies over units."""
    scores, retrieved = np.zeros(len(shard.units)), np.zeros(len(shard.units), bool)
    average = counts.unit_words / counts.units
    for term, often in query.items():
        idf = bm25_idf(counts.terms[term].units, counts.units)
        where, inside = shard.in_units(term)
        scores[where] += often * idf * bm25_part(inside, shard.unit_lengths[where] / average, k1, b)
        retrieved[where] = True
    return ShardScores(shard.units, scores, retrieved)


@dataclass(frozen=True, slots=True)
class RetrievalModel:
    """A model: ``score`` takes a query's words with their counts, or R* where there is ``feedback``."""

    name: str
    title: str
    score: Score
    tunable: tuple[str, ...]
    """The parameters that it has, those that can be tuned first."""
    feedback: bool = False
    unit: UnitKind | None = None
    """What it retrieves whatever is asked for; None leaves the choice."""
    spread: bool = False
    """Whether it needs to know how many documents or units have a word."""
    own_units: bool = False
    """Whether it makes passages of its own."""
    trained: bool = False
    """Whether it learns from judged topics, and is given a plane for each query."""


_FEEDBACK = (
    "query_weight",
    "feedback_smoothing",
    "feedback_documents",
    "feedback_terms",
    "least_probability",
)


def _jelinek_mercer(parameters: ModelParameters) -> MixtureWeights:
    part = parameters.collection_weight
    return MixtureWeights(part, 0.0, 1 - part)


def _weights(parameters: ModelParameters) -> MixtureWeights:
    return MixtureWeights(parameters.collection_weight, parameters.document_weight, parameters.passage_weight)


def _divergence(
    shard: Shard,
    query: Mapping[str, float],
    counts: CollectionCounts,
    weights: MixtureWeights,
    units: Units | None = None,
) -> ShardScores:
    """Score units by how little R* differs from a mixture, −KL(R* ‖ mixture)."""
    found = mixture(shard, query, weights, counts, units)
    return replace(found, scores=found.scores - entropy(query))


def _untrained(
    shard: Shard, query: Mapping[str, float], parameters: ModelParameters, counts: CollectionCounts
) -> ShardScores:
    raise InexviewError(NEEDS_TRAINING)


NEEDS_TRAINING = "SVM learns from other topics: give judgements (--qrels)"
_LISTED = (
    RetrievalModel(
        "TFIDF", "TF·IDF (Wade and Allan eq. 4–6)", lambda s, q, p, c: tfidf(s, q, c), tunable=(), spread=True
    ),
    RetrievalModel(
        "QL",
        "query likelihood, Jelinek–Mercer (eq. 7–8)",
        lambda s, q, p, c: mixture(s, q, _jelinek_mercer(p), c),
        tunable=("collection_weight",),
    ),
    RetrievalModel(
        "QL-DIRICHLET",
        "query likelihood, Dirichlet",
        lambda s, q, p, c: dirichlet(s, q, p.mu, c),
        tunable=("mu",),
    ),
    RetrievalModel(
        "RMP",
        "relevance model against the passage (eq. 12)",
        lambda s, q, p, c: _divergence(s, q, c, _jelinek_mercer(p)),
        tunable=("collection_weight", *_FEEDBACK),
        feedback=True,
    ),
    RetrievalModel(
        "RMD",
        "relevance model against the document; whole articles",
        lambda s, q, p, c: _divergence(
            s, q, c, MixtureWeights(p.collection_weight, 1 - p.collection_weight, 0.0)
        ),
        tunable=("collection_weight", *_FEEDBACK),
        feedback=True,
        unit=UnitKind(),
    ),
    RetrievalModel(
        "MM",
        "relevance model against a mixture of passage, document and collection (eq. 14–15)",
        lambda s, q, p, c: _divergence(s, q, c, _weights(p)),
        tunable=("collection_weight", "document_weight", "passage_weight", *_FEEDBACK),
        feedback=True,
    ),
    RetrievalModel(
        "QWD",
        "stretches that the relevance model marks, ranked by MM (section 3.6)",
        lambda s, q, p, c: _divergence(s, q, c, _weights(p), marked_stretches(s, q, p.window, p.shortest)),
        tunable=("window", "shortest", "collection_weight", "document_weight", "passage_weight", *_FEEDBACK),
        feedback=True,
        own_units=True,
    ),
    RetrievalModel(
        "SVM",
        "linear support vector machine that learns from judged topics (section 3.4)",
        _untrained,
        tunable=("cost", *_FEEDBACK),
        feedback=True,
        spread=True,
        trained=True,
    ),
    RetrievalModel(
        "BM25",
        "BM25 as Lucene has it",
        lambda s, q, p, c: bm25(s, q, p.k1, p.b, c),
        tunable=("k1", "b"),
        spread=True,
    ),
)
MODELS = {model.name: model for model in _LISTED}


def model_of(settings: RetrievalSettings) -> RetrievalModel:
    """Return the model that settings name, in upper or lower case; raises InexviewError for others."""
    model = MODELS.get(settings.model.upper())
    if model is None:
        raise InexviewError(f"model = {settings.model!r}: it must be one of {', '.join(MODELS)}")
    return model


def unit_of(settings: RetrievalSettings) -> UnitKind:
    """Return what is retrieved: what the model insists on, or what the settings say."""
    return model_of(settings).unit or settings.unit


def marked_stretches(shard: Shard, query: Mapping[str, float], window: int, shortest: int) -> Units:
    """Return the stretches that the words of a query mark, of at least ``shortest`` characters.

    They are the passages of query-weighted document expansion (Wade and Allan, CIIR IR-396, 2005,
    section 3.6).

    Each occurrence of a word marks itself and so many words to either side as its weight says, scaled so that
    the heaviest word marks ``window``; stretches end with their documents, and those that touch are one.
    """
    segment = shard.segment
    heaviest = max(query.values(), default=0.0)
    firsts, stops = [np.empty(0, np.int32)], [np.empty(0, np.int32)]
    for term, weight in query.items():
        words, documents = shard.places(term)
        within = documents.astype(np.intp)
        reach = round(window * weight / heaviest)
        firsts.append(np.maximum(words - reach, segment.documents[within]))
        stops.append(np.minimum(words + reach + 1, segment.documents[within + 1]))
    first, stop = _joined(np.concatenate(firsts), np.concatenate(stops), segment.documents)
    counts = np.diff(first.searchsorted(segment.documents))
    stretches = DisjointUnits(np.repeat(np.arange(len(counts)), counts), first, stop)
    spans = stretches.characters(segment, np.arange(len(stretches)))
    long = spans[:, 1] - spans[:, 0] >= shortest
    return DisjointUnits(stretches.document[long], stretches.first[long], stretches.stop[long])


def _joined(first: Int32, stop: Int32, documents: Int32) -> tuple[Int32, Int32]:
    """Join stretches that overlap or touch, but not across the border of two documents."""
    first, stop = _sorted_together(first, stop)
    reach = np.maximum.accumulate(stop)
    new = np.ones(len(first) + 1, bool)  # and one behind the last
    np.greater(first[1:], reach[:-1], out=new[1:-1])
    new[first.searchsorted(documents)] = True  # of each document the first
    return first[new[:-1]], reach[new[1:]]


def _sorted_together(first: Int32, stop: Int32) -> tuple[Int32, Int32]:
    """Sort stretches by where they begin: as one number each, which is several times as fast."""
    bits = int((stop - first).max(initial=0)).bit_length()
    packed = first.astype(np.int64) << bits | (stop - first)
    packed.sort()
    first = (packed >> bits).astype(np.int32)
    return first, first + (packed & ((1 << bits) - 1)).astype(np.int32)
