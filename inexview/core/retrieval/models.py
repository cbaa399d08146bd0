"""The retrieval models by name: what each is, where it comes from, and how it scores the units of a shard."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, fsum, log
from typing import NamedTuple

import numpy as np

from inexview.core.errors import InexviewError
from inexview.core.retrieval.retrieval_settings import ModelParameters, RetrievalSettings
from inexview.core.retrieval.shard import CollectionCounts, Shard, ShardScores
from inexview.core.retrieval.units import DisjointUnits, UnitKind, Units
from inexview.core.text.spans import Floats, Ints
from inexview.core.word_index.full_text_search import bm25_idf, bm25_part
from inexview.core.word_index.segment import Int32

# Query likelihood and the mixtures of passage, document and collection.
#
# Equations are those of Wade and Allan, Passage Retrieval and Evaluation, CIIR IR-396, 2005.


@dataclass(frozen=True, slots=True)
class MixtureWeights:
    """λ1, λ2 and λ3 of eq. 15."""

    collection: float
    document: float
    passage: float


def mixture(
    shard: Shard,
    query: Mapping[str, float],
    weights: MixtureWeights,
    counts: CollectionCounts,
    units: Units | None = None,
) -> ShardScores:
    """Score units by Σ_w query(w) · log(λ1·P(w|C) + λ2·P(w|D) + λ3·P(w|p)).

    With R* as the query this is −KL (eq. 14) but for a constant; with the counts of a query's words and
    λ2 = 0 it is query likelihood with Jelinek–Mercer smoothing (eq. 7–8), with λ3 = 0 it is RMD, with λ2 = 0
    RMP.  A unit is retrieved where it (λ3 > 0) or its document (λ2 > 0) has a word of the query.
    ``query`` holds only words that the collection has.
    """
    own = units is None
    units = shard.units if units is None else units
    lengths = shard.unit_lengths if own else shard.lengths(units)
    unit_sizes, document_sizes = lengths.astype(np.float64), shard.document_lengths.astype(np.float64)
    of_documents, of_units = np.zeros(len(document_sizes)), np.zeros(len(units))
    has_documents, has_units = np.zeros(len(of_documents), bool), np.zeros(len(units), bool)
    around_all = np.zeros(len(of_documents))  # what is around a unit, in documents with the present term
    always = 0.0
    for term, weight in query.items():
        base = weights.collection * counts.probability(term)
        always += weight * float(np.log(base))
        around: Floats | float = base
        if weights.document > 0:
            where, often = shard.in_documents(term)
            rows = where.astype(np.intp)
            smoothed = _smoothed(often, document_sizes[rows], weights.document, base)
            has_documents[rows] = True
            of_documents[rows] += weight * np.log(smoothed / base)
            around_all[rows] = smoothed
        if weights.passage > 0:
            where, often = shard.in_units(term, None if own else units)
            rows = where.astype(np.intp)  # once: every use as an index would do so again
            if weights.document > 0:
                around = around_all.take(units.document.take(rows))
            else:
                has_units[rows] = True  # else its document has the term, too
            found = _smoothed(often, unit_sizes.take(rows), weights.passage, around)
            found /= around  # in place from here: these arrays are the longest
            np.log(found, out=found)
            found *= weight
            np.add.at(of_units, rows, found)  # half the time of +=
    retrieved = has_documents[units.document] if weights.document > 0 else has_units
    scores = (of_documents[units.document] + of_units) + always
    return ShardScores(units, scores, retrieved & (lengths > 0))


def _smoothed(often: Ints | Int32, sizes: Floats, share: float, around: Floats | float) -> Floats:
    """Return share · often/size + around, shape (n,), in one array."""
    found: Floats = often / sizes
    found *= share
    found += around
    return found


def entropy(query: Mapping[str, float]) -> float:
    """Return Σ_w R*(w) · log R*(w): what is missing from a mixture's score to be −KL."""
    return fsum(weight * float(np.log(weight)) for weight in query.values())


def dirichlet(shard: Shard, query: Mapping[str, float], mu: float, counts: CollectionCounts) -> ShardScores:
    """Score units by Σ_w query(w) · log((c(w,p) + μ·P(w|C)) / (|p| + μ)).

    Zhai and Lafferty, A study of smoothing methods for language models, TOIS 22(2), 2004, table I.
    """
    found, retrieved = np.zeros(len(shard.units)), np.zeros(len(shard.units), bool)
    always = 0.0
    for term, weight in query.items():
        prior = mu * counts.probability(term)
        always += weight * float(np.log(prior))
        where, often = shard.in_units(term)
        found[where] += weight * (np.log(often + prior) - np.log(prior))
        retrieved[where] = True
    lengths = np.log(shard.unit_lengths + mu) * fsum(query.values())
    return ShardScores(shard.units, found + always - lengths, retrieved)


# The relevance model: which words relevant text has, estimated from the documents found first.
#
# Lavrenko and Croft, Relevance-based language models, SIGIR 2001, as Wade and Allan use it (CIIR IR-396,
# 2005, eq. 9–11): P(w|R) ∝ Σ_D P(D) P(w|D) Π P(q_i|D) over the best documents by query likelihood, with
# P(D) uniform.


class LikelyDocument(NamedTuple):
    """A document that is found first: its number in the collection, and its query likelihood."""

    number: int
    likelihood: float
    """log Π P(q_i|D)."""


@dataclass(frozen=True, slots=True)
class FeedbackDocument:
    """A document found first: its query likelihood, as a logarithm, and its words."""

    likelihood: float
    words: Mapping[str, int]


def likely_documents(
    shard: Shard, query: Mapping[str, float], parameters: ModelParameters, counts: CollectionCounts
) -> list[LikelyDocument]:
    """Return a shard's best documents by query likelihood with Jelinek–Mercer, the best first."""
    collection = parameters.collection_weight
    starts = shard.segment.documents
    numbers = np.arange(len(starts) - 1)
    documents = Units(numbers, starts[:-1], starts[1:])
    found = mixture(shard, query, MixtureWeights(collection, 1 - collection, 0.0), counts, documents)
    chosen = np.flatnonzero(found.retrieved)
    order = np.lexsort((chosen, -found.scores[chosen]))[: parameters.feedback_documents]
    best = chosen[order]
    return [
        LikelyDocument(shard.first_document + number, score)
        for number, score in zip(best.tolist(), found.scores[best].tolist(), strict=True)
    ]


def best_documents(
    found: Sequence[Sequence[LikelyDocument]], parameters: ModelParameters
) -> list[LikelyDocument]:
    """Return the best of the best documents of all shards."""
    documents = [document for shard in found for document in shard]
    documents.sort(key=lambda document: (-document.likelihood, document.number))
    return documents[: parameters.feedback_documents]


def document_words(shard: Shard, document: int) -> dict[str, int]:
    """Return how often a document of a shard, by its number there, has each of its terms."""
    low, high = shard.segment.documents[document : document + 2]
    numbers, counts = np.unique(shard.segment.terms[low:high], return_counts=True)
    words: dict[str, int] = {}
    for term, count in zip(map(shard.term_of, numbers.tolist()), counts.tolist(), strict=True):
        if term is not None:
            words[term] = words.get(term, 0) + count
    return words


def relevance_model(documents: Sequence[FeedbackDocument], parameters: ModelParameters) -> dict[str, float]:
    """Return P(w|R) of the most probable words, which add up to 1; empty where there is no document.

    All sums are rounded once: which words are probable enough depends neither on the order of the documents
    nor on the version of Python, whose own ``sum`` rounds otherwise since 3.12.
    """
    best = max((document.likelihood for document in documents), default=0.0)
    weights = [exp(document.likelihood - best) for document in documents]
    parts: dict[str, list[float]] = {}
    for document, weight in zip(documents, weights, strict=True):
        length = sum(document.words.values())
        for word in sorted(document.words):
            parts.setdefault(word, []).append(weight * (document.words[word] / length))
    probabilities = _normalised({word: fsum(own) for word, own in parts.items()})
    return _normalised(_most_probable(probabilities, parameters))


def _most_probable(probabilities: Mapping[str, float], parameters: ModelParameters) -> dict[str, float]:
    likely = [(word, value) for word, value in probabilities.items() if value >= parameters.least_probability]
    likely.sort(key=lambda pair: (-pair[1], pair[0]))
    return dict(likely[: parameters.feedback_terms])


def expanded_query(
    query: Mapping[str, float],
    model: Mapping[str, float],
    parameters: ModelParameters,
    counts: CollectionCounts,
) -> dict[str, float]:
    """Return R* = λ·P(w|q) + (1 − λ)·P(w|R), P(w|R) smoothed with the collection over its own words.

    The words of the query come first, then the others by their probability.
    """
    part = parameters.feedback_smoothing
    smoothed = _normalised(
        {word: (1 - part) * value + part * counts.probability(word) for word, value in model.items()}
    )
    said = _normalised(query)
    weight = parameters.query_weight
    mixed = {
        word: weight * said.get(word, 0.0) + (1 - weight) * smoothed.get(word, 0.0)
        for word in [*said, *smoothed]
    }
    return _normalised({word: value for word, value in mixed.items() if value > 0})


def _normalised(values: Mapping[str, float]) -> dict[str, float]:
    total = fsum(values.values())
    return {word: value / total for word, value in values.items()}


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
