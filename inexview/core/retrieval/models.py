"""Retrieval models: settings of a run, queries of topics, and scores of the units of a shard."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import reduce
from itertools import chain
from math import exp, fsum, inf, log
from operator import add
from typing import Any, NamedTuple

import numpy as np

from inexview.core.errors import InexviewError
from inexview.core.judgements.runs import Task
from inexview.core.judgements.topics import Topic, cas_targets, cas_words, without_excluded
from inexview.core.progress import Progress
from inexview.core.retrieval.engines import ShardEngine
from inexview.core.retrieval.shards import (
    NO_COUNTS,
    CollectionCounts,
    DisjointUnits,
    Shard,
    ShardScores,
    UnitKind,
    UnitRanking,
    Units,
    WordForms,
)
from inexview.core.text.spans import Floats, Ints
from inexview.core.word_index.segment import Int32
from inexview.core.word_index.word_index import bm25_idf, bm25_part
from inexview.core.wording import counted, some_named

# Settings; and rankings as the tasks of INEX require: without overlaps, grouped by document, or one entry a
# document.

CANDIDATES = 4
"""How many times the depth is ranked before results are left out."""


def candidates(depth: int, task: Task | None) -> int:
    """Return how many units to rank for a ranking of so many results."""
    return depth * CANDIDATES if task in _ARRANGED else depth


def arranged(ranking: UnitRanking, task: Task | None, depth: int) -> UnitRanking:
    """Return the first ``depth`` results as the task requires.

    Focused: results that overlap a better one of their document are left out.  Relevant in context: the same,
    with the results of each document together, documents in the order of their best ones.  Best in context:
    the best result of each document.  Other tasks keep the ranking.
    """
    arrange = _ARRANGED.get(task) if task is not None else None
    return ranking.take(np.arange(len(ranking))[:depth] if arrange is None else arrange(ranking, depth))


def _without_overlaps(ranking: UnitRanking, depth: int) -> Ints:
    kept: list[int] = []
    held: dict[int, list[tuple[int, int]]] = {}
    columns = zip(ranking.number.tolist(), ranking.start.tolist(), ranking.end.tolist(), strict=True)
    for at, (document, start, end) in enumerate(columns):
        own = held.setdefault(document, [])
        place = bisect_left(own, (end, 0))
        if place == 0 or own[place - 1][1] <= start:
            insort(own, (start, end))
            kept.append(at)
            if len(kept) == depth:
                break
    return np.array(kept, np.int64)


def _grouped(ranking: UnitRanking, depth: int) -> Ints:
    kept = _without_overlaps(ranking, depth)
    _, first, of = np.unique(ranking.number[kept], return_index=True, return_inverse=True)
    return kept[np.argsort(first[of], kind="stable")]


def _entries(ranking: UnitRanking, depth: int) -> Ints:
    first: Ints = np.unique(ranking.number, return_index=True)[1]
    return np.sort(first)[:depth]


_ARRANGED: dict[Task, Callable[[UnitRanking, int], Ints]] = {
    Task.FOCUSED: _without_overlaps,
    Task.RELEVANT_IN_CONTEXT: _grouped,
    Task.BEST_IN_CONTEXT: _entries,
}
ARRANGED_TASKS = tuple(_ARRANGED)
TASKS_TOLD = (
    "focused: no overlaps; relevant-in-context: also grouped by document; best-in-context: one result of "
    "each document"
)


FIELDS = ("title", "description", "narrative", "castitle", "phrasetitle", "keywords")
DEPTH = 1500
PASSAGES = UnitKind(100, 50)


@dataclass(frozen=True, slots=True)
class ModelParameters:
    """Numbers of the models, named as on the command line; those without a printed value can be tuned."""

    collection_weight: float = 0.8
    """λ1 of MM, and Jelinek–Mercer's λ of QL, RMP and RMD; above 0."""
    document_weight: float = 0.1
    """λ2 of MM and QWD."""
    passage_weight: float = 0.1
    """λ3 of MM and QWD."""
    mu: float = 1000.0
    """Dirichlet's prior of QL-DIRICHLET, in words."""
    feedback_documents: int = 20
    feedback_terms: int = 100
    least_probability: float = 0.001
    """Terms of the relevance model with a lower probability are left out."""
    feedback_smoothing: float = 0.1
    """The weight of the collection in the relevance model."""
    query_weight: float = 0.5
    """The weight of the query in R*."""
    window: int = 20
    """QWD: how many words to either side the heaviest term marks."""
    shortest: int = 400
    """QWD: characters of the shortest passage."""
    cost: float = 1.0
    """SVM: the penalty for an example on the wrong side."""
    k1: float = 0.9
    b: float = 0.4

    def __post_init__(self) -> None:
        for name, (low, high) in _LIMITS.items():
            value = getattr(self, name)
            if not low <= value <= high:
                raise InexviewError(f"{name} = {value:g}: it must be from {low:g} to {high:g}")

    def changed(self, changes: Mapping[str, Any]) -> ModelParameters:
        """Return these parameters with some changed; raises InexviewError for invalid names or values."""
        kinds = {one.name: type(getattr(self, one.name)) for one in fields(self)}
        said: dict[str, float] = {}
        for name, value in changes.items():
            if name not in kinds:
                raise InexviewError(f"parameter = {name!r}: it must be one of {', '.join(kinds)}")
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise InexviewError(f"{name} = {value!r}: it must be a number")
            said[name] = inf if abs(value) > _HUGE else float(value)
            if kinds[name] is int and not said[name].is_integer():
                raise InexviewError(f"{name} = {said[name]:g}: it must be a whole number")
        return replace(self, **{name: kinds[name](value) for name, value in said.items()})


_TINY, _HUGE = 1e-9, 1e300
_LIMITS = {
    "collection_weight": (_TINY, 1.0),
    "document_weight": (0.0, 1.0),
    "passage_weight": (0.0, 1.0),
    "mu": (_TINY, 1e9),
    "feedback_documents": (1, 10_000),
    "feedback_terms": (1, 10_000),
    "least_probability": (0.0, 1.0),
    "feedback_smoothing": (0.0, 1.0),
    "query_weight": (0.0, 1.0),
    "window": (0, 10_000),
    "shortest": (0, 1_000_000),
    "cost": (1e-6, 1e6),
    "k1": (0.0, 1000.0),
    "b": (0.0, 1.0),
}


@dataclass(frozen=True, slots=True)
class RetrievalSettings:
    """A model with its parameters, the units and number of results, and the fields of topics it uses."""

    model: str = "MM"
    unit: UnitKind = PASSAGES
    depth: int = DEPTH
    fields: tuple[str, ...] = ("title",)
    structure: bool = False
    """Whether the CAS title's structure filters what is retrieved."""
    forms: WordForms = field(default_factory=WordForms.named)
    parameters: ModelParameters = ModelParameters()
    task: Task | None = None
    """The task for which results are grouped or left out; None keeps the ranking."""

    def __post_init__(self) -> None:
        if self.depth < 1:
            raise InexviewError(f"depth = {self.depth}: it must be at least 1")
        if self.task is not None and self.task not in ARRANGED_TASKS:
            listed = ", ".join(ARRANGED_TASKS)
            raise InexviewError(f"task = {self.task.value!r}: runs are made for {listed}, or for none")
        unknown = [name for name in self.fields if name not in FIELDS]
        if unknown or not self.fields:
            raise InexviewError(f"fields = {', '.join(unknown)!r}: they must be among {', '.join(FIELDS)}")


# Queries: the terms of a topic's fields, and the elements that it asks for.


@dataclass(frozen=True, slots=True)
class TopicQuery:
    """A topic's terms with their counts in it, and the tags that it asks for (none: all)."""

    topic: str
    terms: dict[str, int]
    targets: tuple[str, ...] = ()


def topic_text(topic: Topic, settings: RetrievalSettings) -> str:
    """Return the words of the chosen fields, without those that a topic excludes."""
    said = ((field, str(getattr(topic, field))) for field in settings.fields)
    return " ".join(
        without_excluded(cas_words(text) if field == "castitle" else text) for field, text in said
    )


def topic_query(topic: Topic, settings: RetrievalSettings) -> TopicQuery:
    """Return the query of a topic; it has no terms if the fields contain only stop words."""
    terms = Counter(settings.forms.terms(topic_text(topic, settings)))
    return TopicQuery(topic.id, dict(terms), cas_targets(topic.castitle) if settings.structure else ())


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

    With R* as the query this is −KL (eq. 14) up to a constant; with the counts of a query's words and λ2 = 0
    it is query likelihood with Jelinek–Mercer smoothing (eq. 7–8); with λ3 = 0 it is RMD, with λ2 = 0 RMP.  A
    unit is retrieved if it (λ3 > 0) or its document (λ2 > 0) contains a word of the query. All words in
    ``query`` must occur in the collection.
    """
    own = units is None
    units = shard.units if units is None else units
    lengths = shard.unit_lengths if own else shard.lengths(units)
    unit_sizes, document_sizes = lengths.astype(np.float64), shard.document_lengths.astype(np.float64)
    of_documents, of_units = np.zeros(len(document_sizes)), np.zeros(len(units))
    has_documents, has_units = np.zeros(len(of_documents), bool), np.zeros(len(units), bool)
    around_all = np.zeros(len(of_documents))  # the context of each unit, in documents with the present term
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
            rows = where.astype(np.intp)  # once: each use as an index would convert it again
            if weights.document > 0:
                around = around_all.take(units.document.take(rows))
            else:
                has_units[rows] = True  # otherwise its document has the term, too
            found = _smoothed(often, unit_sizes.take(rows), weights.passage, around)
            found /= around  # in place from here: these arrays are the longest
            np.log(found, out=found)
            found *= weight
            np.add.at(of_units, rows, found)  # twice as fast as +=
    retrieved = has_documents[units.document] if weights.document > 0 else has_units
    scores = (of_documents[units.document] + of_units) + always
    return ShardScores(units, scores, retrieved & (lengths > 0))


def _smoothed(often: Ints | Int32, sizes: Floats, share: float, around: Floats | float) -> Floats:
    """Return share · often/size + around, shape (n,), in one array."""
    found: Floats = often / sizes
    found *= share
    found += around
    return found


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


# The relevance model: the words of relevant text, estimated from the best documents.
#
# Lavrenko and Croft, Relevance-based language models, SIGIR 2001, as Wade and Allan use it (CIIR IR-396,
# 2005, eq. 9–11): P(w|R) ∝ Σ_D P(D) P(w|D) Π P(q_i|D) over the best documents by query likelihood, with P(D)
# uniform.


LikelyDocument = tuple[float, int]
"""A document found first: its query likelihood, as a logarithm, and its number in the collection."""


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
        (score, shard.first_document + number)
        for number, score in zip(best.tolist(), found.scores[best].tolist(), strict=True)
    ]


def relevance_model(documents: Sequence[FeedbackDocument], parameters: ModelParameters) -> dict[str, float]:
    """Return P(w|R) of the most probable words, which add up to 1; empty without documents.

    All sums are rounded once: the choice of words depends neither on the order of the documents nor on the
    version of Python, whose own ``sum`` rounds differently since 3.12.
    """
    best = max((document.likelihood for document in documents), default=0.0)
    weights = [exp(document.likelihood - best) for document in documents]
    parts: dict[str, list[float]] = {}
    for document, weight in zip(documents, weights, strict=True):
        length = sum(document.words.values())
        for word in sorted(document.words):
            parts.setdefault(word, []).append(weight * (document.words[word] / length))
    probabilities = _normalised({word: fsum(own) for word, own in parts.items()})
    likely = [(word, value) for word, value in probabilities.items() if value >= parameters.least_probability]
    likely.sort(key=lambda pair: (-pair[1], pair[0]))
    return _normalised(dict(likely[: parameters.feedback_terms]))


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
    """Score units by BM25 as in Lucene since version 8, document frequencies over units."""
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
    """A model: ``score`` takes a query's words with their counts, or R* if it has ``feedback``."""

    name: str
    title: str
    score: Score
    tunable: tuple[str, ...]
    """Its parameters, those that can be tuned first."""
    feedback: bool = False
    unit: UnitKind | None = None
    """The only unit that it retrieves; None leaves the choice."""
    spread: bool = False
    """Whether it needs the number of documents or units that contain a word."""
    own_units: bool = False
    """Whether it makes its own passages."""
    trained: bool = False
    """Whether it learns from judged topics, and takes a plane for each query."""


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


def _divergence(
    shard: Shard,
    query: Mapping[str, float],
    parameters: ModelParameters,
    counts: CollectionCounts,
    weights: MixtureWeights | None = None,
    units: Units | None = None,
) -> ShardScores:
    """Score units by the similarity of R* to a mixture, −KL(R* ‖ mixture), of all three unless given."""
    p = parameters
    weights = weights or MixtureWeights(p.collection_weight, p.document_weight, p.passage_weight)
    found = mixture(shard, query, weights, counts, units)
    entropy = fsum(weight * float(np.log(weight)) for weight in query.values())
    return replace(found, scores=found.scores - entropy)


def _untrained(*_asked: object) -> ShardScores:
    raise InexviewError(NEEDS_TRAINING)


NEEDS_TRAINING = "SVM is trained on other topics: give their judgements (--qrels)"
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
        lambda s, q, p, c: _divergence(s, q, p, c, _jelinek_mercer(p)),
        tunable=("collection_weight", *_FEEDBACK),
        feedback=True,
    ),
    RetrievalModel(
        "RMD",
        "relevance model against the document; whole articles",
        lambda s, q, p, c: _divergence(
            s, q, p, c, MixtureWeights(p.collection_weight, 1 - p.collection_weight, 0.0)
        ),
        tunable=("collection_weight", *_FEEDBACK),
        feedback=True,
        unit=UnitKind(),
    ),
    RetrievalModel(
        "MM",
        "relevance model against a mixture of passage, document and collection (eq. 14–15)",
        _divergence,
        tunable=("collection_weight", "document_weight", "passage_weight", *_FEEDBACK),
        feedback=True,
    ),
    RetrievalModel(
        "QWD",
        "passages that the relevance model marks, ranked by MM (section 3.6)",
        lambda s, q, p, c: _divergence(s, q, p, c, units=marked_stretches(s, q, p.window, p.shortest)),
        tunable=("window", "shortest", "collection_weight", "document_weight", "passage_weight", *_FEEDBACK),
        feedback=True,
        own_units=True,
    ),
    RetrievalModel(
        "SVM",
        "linear support vector machine, trained on judged topics (section 3.4)",
        _untrained,
        tunable=("cost", *_FEEDBACK),
        feedback=True,
        spread=True,
        trained=True,
    ),
    RetrievalModel(
        "BM25",
        "BM25 as in Lucene",
        lambda s, q, p, c: bm25(s, q, p.k1, p.b, c),
        tunable=("k1", "b"),
        spread=True,
    ),
)
MODELS = {model.name: model for model in _LISTED}


def model_of(settings: RetrievalSettings) -> RetrievalModel:
    """Return the model that settings name, in any case; raises InexviewError for unknown names."""
    model = MODELS.get(settings.model.upper())
    if model is None:
        raise InexviewError(f"model = {settings.model!r}: it must be one of {', '.join(MODELS)}")
    return model


def unit_of(settings: RetrievalSettings) -> UnitKind:
    """Return the unit of retrieval: that of the model if it has only one, or that of the settings."""
    return model_of(settings).unit or settings.unit


def marked_stretches(shard: Shard, query: Mapping[str, float], window: int, shortest: int) -> Units:
    """Return the stretches that the words of a query mark, of at least ``shortest`` characters.

    They are the passages of query-weighted document expansion (Wade and Allan, CIIR IR-396, 2005, section
    3.6).

    Each occurrence of a word marks itself and words to either side in proportion to its weight; the heaviest
    word marks ``window``.  Stretches end with their documents, and adjacent ones are joined.
    """
    segment = shard.segment
    heaviest = max(query.values(), default=0.0)
    firsts, stops = [np.empty(0, np.int32)], [np.empty(0, np.int32)]
    for term, weight in query.items():
        words, documents = shard.places(term)
        within = documents.astype(np.intp)
        # a half is rounded as a half whatever the last digit
        reach = round(round(window * weight / heaviest, 9))
        firsts.append(np.maximum(words - reach, segment.documents[within]))
        stops.append(np.minimum(words + reach + 1, segment.documents[within + 1]))
    first, stop = _joined(np.concatenate(firsts), np.concatenate(stops), segment.documents)
    counts = np.diff(first.searchsorted(segment.documents))
    stretches = DisjointUnits(np.repeat(np.arange(len(counts)), counts), first, stop)
    spans = stretches.characters(segment, np.arange(len(stretches)))
    long = spans[:, 1] - spans[:, 0] >= shortest
    return DisjointUnits(stretches.document[long], stretches.first[long], stretches.stop[long])


def _joined(first: Int32, stop: Int32, documents: Int32) -> tuple[Int32, Int32]:
    """Join stretches that overlap or touch within one document."""
    # Sorted as one number each, which is several times as fast.
    bits = int((stop - first).max(initial=0)).bit_length()
    packed = first.astype(np.int64) << bits | (stop - first)
    packed.sort()
    first = (packed >> bits).astype(np.int32)
    stop = first + (packed & ((1 << bits) - 1)).astype(np.int32)
    reach = np.maximum.accumulate(stop)
    new = np.ones(len(first) + 1, bool)  # and one after the last
    np.greater(first[1:], reach[:-1], out=new[1:-1])
    new[first.searchsorted(documents)] = True  # the first of each document
    return first[new[:-1]], reach[new[1:]]


# Weighted queries: the counts of a query's words, or R* for models with feedback; and words that the
# collection does not contain.


class QueryWords(NamedTuple):
    """A topic's terms that the collection contains, each with its count in the topic, and the others."""

    topic: str
    known: dict[str, int]
    unknown: tuple[str, ...]


def query_warnings(queries: Sequence[QueryWords]) -> tuple[str, ...]:
    """Return a line for each problem: topics without words, without known words, or with unknown words."""
    without = [query for query in queries if not query.known]
    wordless = [query.topic for query in without if not query.unknown]
    nowhere = [query.topic for query in without if query.unknown]
    partly = [query for query in queries if query.known and query.unknown]
    said = []
    if len(wordless) == 1:
        said.append(f"topic {wordless[0]}: has no word to search for in these fields; it has no results")
    elif wordless:
        number = counted(len(wordless), "topic")
        said.append(
            f"{number} have no word to search for in these fields, and no results: {some_named(wordless)}"
        )
    if len(nowhere) == 1:
        said.append(f"topic {nowhere[0]}: no document has any of its words; it has no results")
    elif nowhere:
        number = counted(len(nowhere), "topic")
        said.append(f"{number} have only words that no document has, and no results: {some_named(nowhere)}")
    if len(partly) == 1:
        (query,) = partly
        number = counted(len(query.unknown), "word")
        said.append(f"topic {query.topic}: {number} in no document: {some_named(query.unknown)}")
    elif partly:
        named = [f"{query.topic} ({some_named(query.unknown)})" for query in partly]
        said.append(f"{counted(len(partly), 'topic')} have words that no document has: {some_named(named)}")
    return tuple(said)


TOGETHER = 20
"""Topics per question to the shards."""


@dataclass(frozen=True, slots=True)
class CountQuestion:
    """Asks a shard for its counts, to be added up for the collection."""

    terms: frozenset[str]
    spread: bool
    """Whether to count documents and units with each term too."""

    def __call__(self, shard: Shard) -> CollectionCounts:
        return shard.counts(sorted(self.terms), spread=self.spread)


@dataclass(frozen=True, slots=True)
class FeedbackQuestion:
    """Asks a shard for its best documents by query likelihood, for each of some queries."""

    queries: tuple[dict[str, int], ...]
    parameters: ModelParameters
    counts: CollectionCounts

    def __call__(self, shard: Shard) -> list[list[LikelyDocument]]:
        return [likely_documents(shard, query, self.parameters, self.counts) for query in self.queries]


@dataclass(frozen=True, slots=True)
class WordsQuestion:
    """Asks for the words of some documents of the collection, given by number."""

    documents: frozenset[int]

    def __call__(self, shard: Shard) -> dict[int, dict[str, int]]:
        first = shard.first_document
        stop = first + shard.segment.facts.documents
        segment, found = shard.segment, dict[int, dict[str, int]]()
        for number in sorted(number for number in self.documents if first <= number < stop):
            low, high = segment.documents[number - first : number - first + 2]
            terms, counts = np.unique(segment.terms[low:high], return_counts=True)
            words = found[number] = {}
            for term, count in zip(map(shard.term_of, terms.tolist()), counts.tolist(), strict=True):
                if term is not None:
                    words[term] = words.get(term, 0) + count
        return found


@dataclass(frozen=True, eq=False)
class WeighedQueries:
    """Queries with words of the collection, their weights, and the counts of those words."""

    queries: tuple[TopicQuery, ...]
    terms: tuple[dict[str, float], ...]
    counts: CollectionCounts
    words: tuple[QueryWords, ...]
    """The words of all queries, including queries without a word of the collection."""


def weighed_queries(
    queries: Sequence[TopicQuery], engine: ShardEngine, settings: RetrievalSettings, progress: Progress
) -> WeighedQueries:
    """Give the words of queries their weights: their counts, or R* for models with feedback."""
    model = model_of(settings)

    def ask_counts(terms: frozenset[str]) -> CollectionCounts:
        asked = CountQuestion(terms, model.spread)
        return reduce(add, engine.ask(asked, settings.forms, unit_of(settings), progress), NO_COUNTS)

    counts = ask_counts(frozenset(term for query in queries for term in query.terms))
    if not counts.words:
        raise InexviewError("the collection has no words to search, or all of them are stop words")
    if not counts.units:
        raise InexviewError(f"the collection has nothing to retrieve: unit = '{unit_of(settings)}'")
    words = []
    for query in queries:
        known = {term: often for term, often in query.terms.items() if counts.terms[term].occurrences}
        words.append(QueryWords(query.topic, known, tuple(term for term in query.terms if term not in known)))
    usable = [(query, own.known) for query, own in zip(queries, words, strict=True) if own.known]
    weighted: list[dict[str, float]] = [dict(terms) for _, terms in usable]
    if model.feedback and usable:
        models = [
            relevance_model(documents, settings.parameters)
            for documents in _feedback([terms for _, terms in usable], counts, engine, settings, progress)
        ]
        counts = ask_counts(frozenset(counts.terms) | {term for one in models for term in one})
        weighted = [
            expanded_query(terms, one, settings.parameters, counts)
            for terms, one in zip(weighted, models, strict=True)
        ]
    return WeighedQueries(tuple(query for query, _ in usable), tuple(weighted), counts, tuple(words))


def _feedback(
    queries: Sequence[dict[str, int]],
    counts: CollectionCounts,
    engine: ShardEngine,
    settings: RetrievalSettings,
    progress: Progress,
) -> list[list[FeedbackDocument]]:
    """Return the best documents of the collection for each query; only their words are looked up."""
    unit = unit_of(settings)
    asked = FeedbackQuestion(tuple(queries), settings.parameters, counts)
    answers = engine.ask(asked, settings.forms, unit, progress)
    best = [
        sorted(chain.from_iterable(found), key=lambda document: (-document[0], document[1]))[
            : settings.parameters.feedback_documents
        ]
        for found in zip(*answers, strict=True)
    ]
    wanted = WordsQuestion(frozenset(number for documents in best for _, number in documents))
    words: dict[int, dict[str, int]] = {}
    for found in engine.ask(wanted, settings.forms, unit, progress):
        words |= found
    return [
        [FeedbackDocument(likelihood, words[number]) for likelihood, number in documents]
        for documents in best
    ]
