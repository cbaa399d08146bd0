"""Query likelihood and the mixtures of passage, document and collection.

Equations are those of Wade and Allan, Passage Retrieval and Evaluation, CIIR IR-396, 2005.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import fsum

import numpy as np

from inexview.core.retrieval.shard import CollectionCounts, Shard, ShardScores
from inexview.core.retrieval.units import Units
from inexview.core.text.spans import Floats, Ints
from inexview.core.word_index.segment import Int32


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
