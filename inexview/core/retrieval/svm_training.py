"""Learns from judged documents which side of a plane relevant text lies on, for topics that are another's.

As Wade and Allan (CIIR IR-396, 2005, section 3.4): documents stand for their passages, the relevant ones of
the other topics against as many others drawn at random; the plane that this gives calls some of the others
relevant, and with these beside the drawn ones a second plane is made, which counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import NamedTuple
from zlib import crc32

import numpy as np

from inexview.core.errors import InexviewError
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.topics import Topic
from inexview.core.progress import Progress
from inexview.core.retrieval.engines import ShardEngine
from inexview.core.retrieval.models import (
    NEEDS_TRAINING,
    TOGETHER,
    RetrievalSettings,
    topic_query,
    unit_of,
    weighed_queries,
)
from inexview.core.retrieval.shards import CollectionCounts, Shard, ShardScores, Units
from inexview.core.text.spans import Floats, Ints, Mask

# A linear support vector machine: the plane that lies between two classes with the widest margin.
#
# The squared hinge loss makes the problem smooth, and Newton's method solves it exactly in a few steps
# (Chapelle, *Training a Support Vector Machine in the Primal*, Neural Computation 19, 2007).
#
# scikit-learn would bring scipy, 140 MB of disk, for six features; the tests hold this against scipy's
# minimum.

_STEPS = 100
_CLOSE = 1e-12  # of the gradient, beside the number of examples


class Plane(NamedTuple):
    """A vector x scores ``weights`` · x + ``offset``: above 0 on the one side, below on the other."""

    weights: tuple[float, ...]
    offset: float

    def scores(self, features: Floats) -> Floats:
        """Return the scores of n vectors, shape (n, k) → (n,)."""
        scored = np.full(len(features), self.offset)
        for column, weight in enumerate(self.weights):  # added up alike whatever n is
            scored += weight * features[:, column]
        return scored


def separating_plane(features: Floats, positive: Mask, cost: float) -> Plane:
    """Return the plane that minimises ½|w|² + cost · Σ max(0, 1 − y·(w·x + b))², y being ±1.

    ``features`` (n, k) are first brought to mean 0 and deviation 1 each, which the plane takes back;
    ``positive`` (n,) are the examples of the class that scores above 0.
    """
    mean, deviation = features.mean(axis=0), features.std(axis=0)
    deviation = np.where(deviation > 0, deviation, 1.0)
    x = np.column_stack(((features - mean) / deviation, np.ones(len(features))))
    found = _minimum(x, np.where(positive, 1.0, -1.0), cost)
    weights = found[:-1] / deviation
    return Plane(tuple(weights.tolist()), float(found[-1] - weights @ mean))


def _minimum(x: Floats, y: Floats, cost: float) -> Floats:
    """Return w and b (k+1,); the last column of x is 1, and b is not held small."""
    shrunk = np.ones(x.shape[1])
    shrunk[-1] = 0.0
    at = np.zeros(x.shape[1])
    value = _objective(at, x, y, cost, shrunk)
    for _ in range(_STEPS):
        short = np.maximum(1 - y * (x @ at), 0.0)
        gradient = shrunk * at - 2 * cost * ((short * y) @ x)
        if np.abs(gradient).max() <= _CLOSE * (1 + cost) * len(x):
            break
        inside = x[short > 0]
        curvature = np.diag(shrunk) + 2 * cost * inside.T @ inside
        step = np.linalg.lstsq(curvature, -gradient, rcond=None)[0]
        length = 1.0
        while length > _CLOSE and (tried := _objective(at + length * step, x, y, cost, shrunk)) > value:
            length /= 2
        if length <= _CLOSE:
            break
        at, value = at + length * step, tried
    return at


def _objective(at: Floats, x: Floats, y: Floats, cost: float, shrunk: Floats) -> float:
    short = np.maximum(1 - y * (x @ at), 0.0)
    return float((shrunk * at) @ at / 2 + cost * (short @ short))


# What a support vector machine sees of a unit: six sums over the words of R* that it has.
#
# Nallapati, *Discriminative Models for Information Retrieval*, SIGIR 2004, table 1; each word with its weight
# in R*, as in Wade and Allan, Passage Retrieval and Evaluation, CIIR IR-396, 2005, section 3.4.

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


_SEED = 2004


@dataclass(frozen=True, eq=False)
class TrainingSet:
    """Judged topics to learn from."""

    topics: Sequence[Topic]
    qrels: Qrels


@dataclass(frozen=True, slots=True)
class FeatureQuestion:
    """What a shard's documents are like, for each of some queries with the ids of the documents."""

    queries: tuple[tuple[dict[str, float], frozenset[str]], ...]
    counts: CollectionCounts

    def __call__(self, shard: Shard) -> list[dict[str, Floats]]:
        """Return for each query the features (6,) of its documents that are in the shard."""
        starts, ids = shard.segment.documents, shard.segment.ids
        documents = Units(np.arange(len(starts) - 1), starts[:-1], starts[1:])
        found = []
        for terms, wanted in self.queries:
            features, _ = term_features(shard, terms, self.counts, documents, shard.document_lengths)
            rows = [(id, row) for row, id in enumerate(ids) if id in wanted]
            found.append({id: features[row] for id, row in rows})
        return found


@dataclass(frozen=True, eq=False)
class TopicExamples:
    """A topic's judged documents: ``features`` (n, 6), and which are ``relevant`` and which ``drawn``."""

    features: Floats
    relevant: Mask
    drawn: Mask
    """Those that are not relevant and were drawn at random, as many as are relevant."""


def judged_documents(topic: str, qrels: Qrels) -> frozenset[str]:
    return frozenset(qrels.document.take(_rows(topic, qrels)).strings())


def _rows(topic: str, qrels: Qrels) -> Ints:
    return np.flatnonzero(qrels.topic == qrels.topics.index(topic))


def topic_examples(topic: str, qrels: Qrels, found: Mapping[str, Floats]) -> TopicExamples:
    """Return what a topic teaches; ``found`` are the features of its documents that the collection has."""
    rows = _rows(topic, qrels)
    names = qrels.document.take(rows).strings()
    known = [at for at, name in enumerate(names) if name in found]
    features = np.array([found[names[at]] for at in known]).reshape(-1, FEATURES)
    relevant = qrels.rsize[rows[known]] > 0
    others = np.flatnonzero(~relevant)
    chance = np.random.default_rng([_SEED, crc32(topic.encode())])
    drawn = np.zeros(len(known), bool)
    drawn[chance.permutation(others)[: np.count_nonzero(relevant)]] = True
    return TopicExamples(features, relevant, drawn)


def learned_plane(examples: Sequence[TopicExamples], cost: float) -> Plane:
    """Return the plane that examples teach; raises InexviewError where they are all of one kind."""
    features = np.concatenate([np.empty((0, FEATURES)), *(one.features for one in examples)])
    relevant, drawn = (
        np.concatenate([np.empty(0, bool), *columns])
        for columns in ([one.relevant for one in examples], [one.drawn for one in examples])
    )
    if not relevant.any() or not drawn.any():
        raise InexviewError(
            "SVM learns from other topics: of two at least, documents of the collection must be judged, some "
            "relevant and some not"
        )
    taught = relevant | drawn
    first = separating_plane(features[taught], relevant[taught], cost)
    taught |= first.scores(features) > 0  # also what is called relevant in error
    return separating_plane(features[taught], relevant[taught], cost)


class Teaching:
    """What judged topics teach, each of them left out for itself."""

    def __init__(self, examples: dict[str, TopicExamples], cost: float) -> None:
        self._examples = examples
        self._cost = cost

    @classmethod
    def of(
        cls,
        training: TrainingSet | None,
        engine: ShardEngine,
        settings: RetrievalSettings,
        progress: Progress,
    ) -> Teaching:
        """Ask the shards what the judged documents are like; raises InexviewError where none are judged."""
        if training is None:
            raise InexviewError(NEEDS_TRAINING)
        judged = [topic for topic in training.topics if topic.id in training.qrels.topics]
        examples: dict[str, TopicExamples] = {}
        for first in range(0, len(judged), TOGETHER):
            some = [topic_query(topic, settings) for topic in judged[first : first + TOGETHER]]
            weighed = weighed_queries(some, engine, settings, progress)
            asked = FeatureQuestion(
                tuple(
                    (terms, judged_documents(query.topic, training.qrels))
                    for query, terms in zip(weighed.queries, weighed.terms, strict=True)
                ),
                weighed.counts,
            )
            answers = engine.ask(asked, settings.forms, unit_of(settings), progress)
            for query, found in zip(weighed.queries, zip(*answers, strict=True), strict=True):
                known = {id: features for shard in found for id, features in shard.items()}
                examples[query.topic] = topic_examples(query.topic, training.qrels, known)
        return cls(examples, settings.parameters.cost)

    def plane_for(self, topic: str) -> Plane:
        """Return what the other topics teach."""
        return learned_plane([own for id, own in self._examples.items() if id != topic], self._cost)
