"""The relevance model: which words relevant text has, estimated from the documents found first.

Lavrenko and Croft, Relevance-based language models, SIGIR 2001, as Wade and Allan use it (CIIR IR-396, 2005,
eq. 9–11): P(w|R) ∝ Σ_D P(D) P(w|D) Π P(q_i|D) over the best documents by query likelihood, P(D) uniform.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, fsum
from typing import NamedTuple

import numpy as np

from inexview.core.retrieval.language_models import MixtureWeights, mixture
from inexview.core.retrieval.retrieval_settings import ModelParameters
from inexview.core.retrieval.shard import CollectionCounts, Shard
from inexview.core.retrieval.units import Units


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
