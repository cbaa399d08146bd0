"""What a support vector machine sees of a unit: six sums over the words of R* that it has.

Nallapati, *Discriminative Models for Information Retrieval*, SIGIR 2004, table 1; each word with its weight
in R*, as in Wade and Allan, Passage Retrieval and Evaluation, CIIR IR-396, 2005, section 3.4.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log

import numpy as np

from inexview.core.retrieval.linear_svm import Plane
from inexview.core.retrieval.shard import CollectionCounts, Shard, ShardScores
from inexview.core.retrieval.units import Units
from inexview.core.text.spans import Floats, Ints, Mask

FEATURES = 6


def term_features(
    shard: Shard, query: Mapping[str, float], counts: CollectionCounts, units: Units, lengths: Ints
) -> tuple[Floats, Mask]:
    """Return the features of units, shape (u, 6), and which of them have a word of the query, (u,).

    c is how often a unit has a word, len the words it has, c_C and |C| the same of the collection, and idf
    (documents + 1)/(0.5 + documents with the word): Σ R*(w) · log c, log(1 + c/len), log idf, log(|C|/c_C),
    log(1 + c·idf/len), log(1 + c·|C|/(c_C·len)).
    """
    features = np.zeros((len(units), FEATURES))
    has = np.zeros(len(units), bool)
    for term, weight in query.items():
        idf = (counts.documents + 1) / (0.5 + counts.terms[term].documents)
        rarity = 1 / counts.probability(term)
        where, often = shard.in_units(term, units)
        share = often / lengths[where]
        constants = np.full((2, len(where)), [[log(idf)], [log(rarity)]])
        features[where] += weight * np.stack(
            (np.log(often), np.log1p(share), *constants, np.log1p(share * idf), np.log1p(share * rarity)),
            axis=1,
        )
        has[where] = True
    return features, has


def plane_scores(
    shard: Shard, query: Mapping[str, float], plane: Plane, counts: CollectionCounts
) -> ShardScores:
    """Score units by how far on the relevant side of a plane they lie."""
    features, has = term_features(shard, query, counts, shard.units, shard.unit_lengths)
    return ShardScores(shard.units, plane.scores(features), has)
