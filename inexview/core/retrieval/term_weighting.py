"""Scores that add up a weight for each word of the query: TF·IDF and BM25."""

from __future__ import annotations

from collections.abc import Mapping
from math import log

import numpy as np

from inexview.core.retrieval.shard import CollectionCounts, Shard, ShardScores
from inexview.core.word_index.bm25 import bm25_idf, bm25_part


def tfidf(shard: Shard, query: Mapping[str, float], counts: CollectionCounts) -> ShardScores:
    """Score units by Σ_t TF(t,p)·IDF(t) · TF(t,q)·IDF(t), document frequencies over documents.

    Wade and Allan, Passage Retrieval and Evaluation, CIIR IR-396, 2005, eq. 4–6.
    """
    scores, retrieved = np.zeros(len(shard.units)), np.zeros(len(shard.units), bool)
    average = counts.unit_words / counts.units
    for term, often in query.items():
        idf = log((counts.documents + 1) / (0.5 + counts.terms[term].documents))
        where, inside = shard.in_units(shard.places(term))
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
        where, inside = shard.in_units(shard.places(term))
        scores[where] += often * idf * bm25_part(inside, shard.unit_lengths[where] / average, k1, b)
        retrieved[where] = True
    return ShardScores(shard.units, scores, retrieved)
