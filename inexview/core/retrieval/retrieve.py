"""Topics × a collection → a run, by a model on an engine or a search server; and the fusion of runs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field, replace
from itertools import zip_longest
from math import fsum, log
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from zlib import crc32

import numpy as np

from inexview.core.errors import InexviewError
from inexview.core.files import write_complete
from inexview.core.judgements.qrels import Pool, PooledDocument, Qrels
from inexview.core.judgements.runs import NO_LENGTH, UNKNOWN, Result, Run, Task
from inexview.core.judgements.topics import Topic
from inexview.core.progress import Progress, unwatched
from inexview.core.retrieval.engines import ShardEngine
from inexview.core.retrieval.models import (
    NEEDS_TRAINING,
    TOGETHER,
    ModelParameters,
    QueryWords,
    RetrievalSettings,
    arranged,
    candidates,
    model_of,
    query_warnings,
    topic_query,
    topic_text,
    unit_of,
    weighed_queries,
)
from inexview.core.retrieval.shards import (
    CollectionCounts,
    Shard,
    ShardScores,
    UnitRanking,
    Units,
    best_units,
    merged,
)
from inexview.core.text.spans import Floats, Ints, Mask, Names
from inexview.core.word_index.word_index import VERSION, WordIndex
from inexview.core.wording import counted, some_named

# Learns from judged documents of other topics to separate relevant text from the rest by a plane.
#
# The method is that of Wade and Allan (CIIR IR-396, 2005, section 3.4): documents stand for their passages,
# and the relevant documents of the other topics are trained against as many others drawn at random. The
# resulting plane finds further relevant ones among the rest; with these and the drawn ones a second plane is
# trained, which ranks.

# A linear support vector machine: the plane between two classes with the widest margin.
#
# The squared hinge loss makes the problem smooth, and Newton's method solves it exactly in a few steps
# (Chapelle, *Training a Support Vector Machine in the Primal*, Neural Computation 19, 2007).
#
# scikit-learn would need scipy, 140 MB of disk, for six features; the tests compare with scipy's minimum.

_STEPS = 100
_CLOSE = 1e-12  # of the gradient, relative to the number of examples


class Plane(NamedTuple):
    """A plane: a vector x scores ``weights`` · x + ``offset``, positive on one side of it."""

    weights: tuple[float, ...]
    offset: float

    def scores(self, features: Floats) -> Floats:
        """Return the scores of n vectors, shape (n, k) → (n,)."""
        scored = np.full(len(features), self.offset)
        for column, weight in enumerate(self.weights):  # the same order of sums for every n
            scored += weight * features[:, column]
        return scored


def separating_plane(features: Floats, positive: Mask, cost: float) -> Plane:
    """Return the plane that minimises ½|w|² + cost · Σ max(0, 1 − y·(w·x + b))², y being ±1.

    ``features`` (n, k) are standardised to mean 0 and deviation 1 first, and the plane is converted back;
    ``positive`` (n,) are the examples of the class with positive scores.
    """
    mean, deviation = features.mean(axis=0), features.std(axis=0)
    deviation = np.where(deviation > 0, deviation, 1.0)
    x = np.column_stack(((features - mean) / deviation, np.ones(len(features))))
    found = _minimum(x, np.where(positive, 1.0, -1.0), cost)
    weights = found[:-1] / deviation
    return Plane(tuple(weights.tolist()), float(found[-1] - weights @ mean))


def _minimum(x: Floats, y: Floats, cost: float) -> Floats:
    """Return w and b (k+1,); the last column of x is 1, and b is not penalised."""
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


# The features of a unit for a support vector machine: six sums over its words that are in R*.
#
# Nallapati, *Discriminative Models for Information Retrieval*, SIGIR 2004, table 1; each word with its weight
# in R*, as in Wade and Allan, Passage Retrieval and Evaluation, CIIR IR-396, 2005, section 3.4.

FEATURES = 6


def term_features(
    shard: Shard, query: Mapping[str, float], counts: CollectionCounts, units: Units, lengths: Ints
) -> tuple[Floats, Mask]:
    """Return the features of units, shape (u, 6), and which of them have a word of the query, (u,).

    c is the count of a word in a unit, len the number of words of the unit, c_C and |C| the same for the
    collection, and idf (documents + 1)/(0.5 + documents with the word): Σ R*(w) · log c, log(1 + c/len), log
    idf, log(|C|/c_C), log(1 + c·idf/len), log(1 + c·|C|/(c_C·len)).
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


_SEED = 2004


@dataclass(frozen=True, eq=False)
class TrainingSet:
    """Judged topics to learn from."""

    topics: Sequence[Topic]
    qrels: Qrels


@dataclass(frozen=True, slots=True)
class FeatureQuestion:
    """Asks a shard for the features of its documents, for each of some queries with ids of documents."""

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
    """Random documents that are not relevant, as many as relevant ones."""


def _rows(topic: str, qrels: Qrels) -> Ints:
    return np.flatnonzero(qrels.topic == qrels.topics.index(topic))


def topic_examples(topic: str, qrels: Qrels, found: Mapping[str, Floats]) -> TopicExamples:
    """Return the examples of a topic; ``found`` are the features of its documents in the collection."""
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
    """Return the plane learned from examples; raises InexviewError if all are of one class."""
    features = np.concatenate([np.empty((0, FEATURES)), *(one.features for one in examples)])
    relevant, drawn = (
        np.concatenate([np.empty(0, bool), *columns])
        for columns in ([one.relevant for one in examples], [one.drawn for one in examples])
    )
    if not relevant.any() or not drawn.any():
        raise InexviewError(
            "SVM is trained on other topics: at least two need judged documents of the collection, both "
            "relevant and not relevant"
        )
    taught = relevant | drawn
    first = separating_plane(features[taught], relevant[taught], cost)
    taught |= first.scores(features) > 0  # includes those classified as relevant in error
    return separating_plane(features[taught], relevant[taught], cost)


class Teaching:
    """The training examples of judged topics; each topic is ranked without its own."""

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
        """Ask the shards for the features of judged documents; raises InexviewError if none are judged."""
        if training is None:
            raise InexviewError(NEEDS_TRAINING)
        qrels = training.qrels
        judged = [topic for topic in training.topics if topic.id in qrels.topics]
        examples: dict[str, TopicExamples] = {}
        for first in range(0, len(judged), TOGETHER):
            some = [topic_query(topic, settings) for topic in judged[first : first + TOGETHER]]
            weighed = weighed_queries(some, engine, settings, progress)
            asked = FeatureQuestion(
                tuple(
                    (terms, frozenset(qrels.document.take(_rows(query.topic, qrels)).strings()))
                    for query, terms in zip(weighed.queries, weighed.terms, strict=True)
                ),
                weighed.counts,
            )
            answers = engine.ask(asked, settings.forms, unit_of(settings), progress)
            for query, found in zip(weighed.queries, zip(*answers, strict=True), strict=True):
                known = {id: features for shard in found for id, features in shard.items()}
                examples[query.topic] = topic_examples(query.topic, qrels, known)
        return cls(examples, settings.parameters.cost)

    def plane_for(self, topic: str) -> Plane:
        return learned_plane([own for id, own in self._examples.items() if id != topic], self._cost)


class AskedQuery(NamedTuple):
    """A query's words with their weights, the tags it asks for, and the plane of models that learn."""

    terms: dict[str, float]
    targets: tuple[str, ...]
    plane: Plane | None


@dataclass(frozen=True, slots=True)
class RankQuestion:
    """Asks a shard for its best units, for each of some queries."""

    queries: tuple[AskedQuery, ...]
    model: str
    parameters: ModelParameters
    counts: CollectionCounts
    depth: int

    def __call__(self, shard: Shard) -> list[UnitRanking]:
        return [
            best_units(shard, self._scored(shard, query), self.depth, query.targets) for query in self.queries
        ]

    def _scored(self, shard: Shard, query: AskedQuery) -> ShardScores:
        if query.plane is not None:
            features, has = term_features(shard, query.terms, self.counts, shard.units, shard.unit_lengths)
            return ShardScores(shard.units, query.plane.scores(features), has)
        model = model_of(RetrievalSettings(self.model))
        return model.score(shard, query.terms, self.parameters, self.counts)


@dataclass(frozen=True, slots=True)
class RetrievedRankings:
    """The rankings of topics, the weighted queries, and warnings."""

    rankings: dict[str, UnitRanking]
    queries: dict[str, dict[str, float]]
    """The words of each topic with their weights: R* for models with feedback."""
    warnings: tuple[str, ...] = field(default=())


def retrieve(
    topics: Sequence[Topic],
    engine: ShardEngine,
    settings: RetrievalSettings,
    progress: Progress = unwatched,
    *,
    training: TrainingSet | None = None,
) -> RetrievedRankings:
    """Rank the units of a collection for each topic.

    A model that learns uses the topics in ``training`` other than the one that is ranked.  Words that no
    document contains are left out; a topic without others has an empty ranking and a warning. ``progress``
    counts "topics searched". Raises InexviewError for invalid settings, Cancelled.
    """
    model = model_of(settings)
    taught = None if not model.trained else Teaching.of(training, engine, settings, progress)
    rankings: dict[str, UnitRanking] = {}
    queries: dict[str, dict[str, float]] = {}
    words: list[QueryWords] = []
    wide = candidates(settings.depth, settings.task)
    for first in range(0, len(topics), TOGETHER):
        progress("topics searched", first, len(topics))
        some = [topic_query(topic, settings) for topic in topics[first : first + TOGETHER]]
        weighed = weighed_queries(some, engine, settings, progress)
        words += weighed.words
        asked = tuple(
            AskedQuery(terms, query.targets, None if taught is None else taught.plane_for(query.topic))
            for query, terms in zip(weighed.queries, weighed.terms, strict=True)
        )
        question = RankQuestion(asked, model.name, settings.parameters, weighed.counts, wide)
        answers = engine.ask(question, settings.forms, unit_of(settings), progress) if asked else []
        rankings |= {query.topic: merged([], settings.depth) for query in some}
        for query, found in zip(weighed.queries, zip(*answers, strict=True), strict=True):
            rankings[query.topic] = arranged(merged(found, wide), settings.task, settings.depth)
        queries |= {query.topic: one.terms for query, one in zip(weighed.queries, asked, strict=True)}
    return RetrievedRankings(rankings, queries, query_warnings(words))


def run_of(retrieved: RetrievedRankings, settings: RetrievalSettings, id: str) -> Run:
    """Return rankings as a run, without topics that have no results."""
    filled = {topic: ranking for topic, ranking in retrieved.rankings.items() if len(ranking)}
    columns = list(filled.values())
    none = np.empty(0, np.int64)
    start = np.concatenate([none, *(one.start for one in columns)])
    end = np.concatenate([none, *(one.end for one in columns)])
    return Run(
        id=id,
        topics=tuple(filled),
        ptr=np.cumsum([0, *map(len, columns)], dtype=np.int64),
        document=Names.of(id for one in columns for id in one.id),
        start=start,
        size=end - start,
        score=np.concatenate([np.empty(0), *(one.scores for one in columns)]),
        line=np.zeros(len(start), np.int64),
        task=retrieval_task(settings),
        warnings=retrieved.warnings,
    )


def retrieval_task(settings: RetrievalSettings) -> Task:
    if settings.task is not None:
        return settings.task
    unit = unit_of(settings)
    if model_of(settings).own_units or unit.size:
        return Task.PASSAGES
    return Task.THOROUGH if unit.tags else Task.DOCUMENTS


# The description of a run, from which it can be made again.


def run_description(
    settings: RetrievalSettings,
    collection: Path,
    index: WordIndex | None,
    training: TrainingSet | None = None,
) -> dict[str, Any]:
    """Return the model, parameters, unit, collection, index (None on a cluster) and training data."""
    model, parameters = model_of(settings), asdict(settings.parameters)
    described: dict[str, Any] = {
        "model": model.name,
        "parameters": {name: parameters[name] for name in model.tunable},
        "unit": "stretches" if model.own_units else str(unit_of(settings)),
        "depth": settings.depth,
        "task": "" if settings.task is None else settings.task.value,
        "fields": list(settings.fields),
        "structure": settings.structure,
        "stop words": settings.forms.stop_list,
        "stemmer": settings.forms.stemmer,
        "collection": str(collection),
    }
    if model.trained and training is not None:
        described["learned from"] = {
            "judgements": str(training.qrels.path or ""),
            "topics": [topic.id for topic in training.topics if topic.id in training.qrels.topics],
        }
    if index is not None:
        described["index"] = {"version": VERSION, "documents": index.documents, "words": index.words}
    return described


def in_words(described: dict[str, Any]) -> str:
    return json.dumps(described, ensure_ascii=False)


def usual_id(settings: RetrievalSettings) -> str:
    """Return the default id of a run: "MM-passage-100-50"."""
    model = model_of(settings)
    unit = "" if model.own_units else f"-{unit_of(settings)}"
    task = "" if settings.task is None else f"-{settings.task}"
    return (model.name + unit + task).replace(":", "-").replace("/", "-").replace(",", "-")


def description_path(run: Path) -> Path:
    """Return the path of the file that describes how a run was made: RUN.json."""
    return run.with_name(f"{run.name}.json")


def write_description(described: Mapping[str, Any], run: Path) -> None:
    """Write the description of a run next to it, as RUN.json; raises OSError if that fails."""
    said = json.dumps(described, ensure_ascii=False, indent=1) + "\n"
    write_complete(description_path(run), lambda part: part.write_text(said, encoding="utf-8"))


# Several runs as one: their pool, and their fusion with merged passages.
#
# The passages of all runs cut a document into stretches; each stretch gets from each run the best result that
# contains it, and the fused score of these. Neighbouring stretches of the same results are merged. So no
# character is retrieved twice, and text on which several runs agree comes first. Results without a length
# (entry points, documents) are fused if they are equal.

# In a pool a document's rank in a run is that of its first result among the run's documents.

RRF_CONSTANT = 60
"""Cormack, Clarke and Büttcher, Reciprocal rank fusion, SIGIR 2009."""


@dataclass(frozen=True, slots=True)
class PoolRanking:
    """A topic's documents in one run, best first, with scores in [0, 1] and their passages."""

    run: str
    documents: tuple[str, ...]
    scores: Mapping[str, float]
    passages: Mapping[str, Sequence[tuple[int, int]]]


PoolOrdering = Callable[[Sequence[PoolRanking], Set[str]], list[str]]
"""Sorts the documents of a topic; the set contains those known to be relevant."""


def pool_runs(
    runs: Sequence[Run],
    depth: int,
    *,
    method: str = "rank",
    per_topic: int | None = None,
    qrels: Qrels | None = None,
) -> Pool:
    """Pool the first ``depth`` documents of each run, at most ``per_topic`` a topic, in a method's order.

    The pool records the ranks of each document in the runs.  ``qrels`` give move-to-front the relevant
    documents. Raises InexviewError for an unknown method.
    """
    topics = dict.fromkeys(topic for run in runs for topic in run.topics)
    rankings = {topic: [ranked_documents(run, topic, depth) for run in runs] for topic in topics}
    return pool_rankings(rankings, method=method, per_topic=per_topic, qrels=qrels)


def pool_rankings(
    rankings: Mapping[str, Sequence[PoolRanking]],
    *,
    method: str = "rank",
    per_topic: int | None = None,
    qrels: Qrels | None = None,
) -> Pool:
    """Pool the documents of each topic's rankings, as :func:`pool_runs` does."""
    if method not in METHODS:
        raise InexviewError(f"method = {method!r}: it must be one of {', '.join(METHODS)}")
    pools = {}
    for topic, ranked in rankings.items():
        relevant: Set[str] = frozenset()
        if qrels is not None and topic in qrels.topics:
            rows = _rows(topic, qrels)
            relevant = frozenset(qrels.document.take(rows[qrels.rsize[rows] > 0]).strings())
        order = METHODS[method](ranked, relevant)[:per_topic]
        ranks = _ranks(ranked)
        pools[topic] = tuple(
            PooledDocument(
                document,
                found_by=tuple(
                    (one.run, own[document])
                    for one, own in zip(ranked, ranks, strict=True)
                    if document in own
                ),
            )
            for document in order
        )
    return Pool(pools)


def ranked_documents(run: Run, topic: str, depth: int) -> PoolRanking:
    """Return a topic's first ``depth`` documents of a run; the passages are those ranked before the next."""
    passages: dict[str, list[tuple[int, int]]] = {}
    firsts: dict[str, float | None] = {}
    for result in run.results(topic):
        if result.document not in firsts:
            if len(firsts) == depth:
                break
            firsts[result.document] = result.score
        if result.known:
            passages.setdefault(result.document, []).append((result.start, result.end))
    return PoolRanking(
        run.id, tuple(firsts), dict(zip(firsts, _normalised([*firsts.values()]), strict=True)), passages
    )


def _normalised(scores: Sequence[float | None]) -> list[float]:
    """Return scores scaled from 1, the best, to 0; by rank if a result has no score."""
    values = [score for score in scores if score is not None]
    low, high = min(values, default=0.0), max(values, default=0.0)
    if len(values) < len(scores) or low == high:
        return [1 - rank / len(scores) for rank in range(len(scores))]
    return [(score - low) / (high - low) for score in values]


def _ranks(ranked: Sequence[PoolRanking]) -> list[dict[str, int]]:
    """Return the rank of each document in each run, from 1."""
    return [{document: rank for rank, document in enumerate(one.documents, 1)} for one in ranked]


def _by_rank(ranked: Sequence[PoolRanking], _relevant: Set[str]) -> list[str]:
    """Documents at rank 1 of any run precede those at rank 2: the order of the runs does not matter."""
    rounds = zip_longest(*(one.documents for one in ranked))
    return list(dict.fromkeys(document for round in rounds for document in round if document is not None))


def _by_combmnz(ranked: Sequence[PoolRanking], relevant: Set[str]) -> list[str]:
    """Sum of normalised scores times the number of runs (Fox and Shaw, TREC-2, 1994)."""

    def score(document: str) -> float:
        own = [one.scores[document] for one in ranked if document in one.scores]
        return fsum(own) * len(own)

    return sorted(_by_rank(ranked, relevant), key=score, reverse=True)


def _by_rrf(ranked: Sequence[PoolRanking], relevant: Set[str]) -> list[str]:
    ranks = _ranks(ranked)

    def score(document: str) -> float:
        return fsum(1 / (RRF_CONSTANT + own[document]) for own in ranks if document in own)

    return sorted(_by_rank(ranked, relevant), key=score, reverse=True)


def _by_overlap(ranked: Sequence[PoolRanking], relevant: Set[str]) -> list[str]:
    """First the documents with most runs at one place, then those with most shared characters."""
    return sorted(_by_rank(ranked, relevant), key=lambda document: _shared(ranked, document), reverse=True)


def _shared(ranked: Sequence[PoolRanking], document: str) -> tuple[int, int]:
    """Return the largest number of runs that share a character, and how many characters they share."""
    edges: dict[int, int] = {}
    for one in ranked:
        reach = -1
        for start, end in sorted(one.passages.get(document, ())):  # a run counts once for each character
            first = max(start, reach)
            if end > first:
                edges[first] = edges.get(first, 0) + 1
                edges[end] = edges.get(end, 0) - 1
                reach = end
    most = characters = runs = 0
    before = 0
    for place in sorted(edges):
        if runs > most:
            most, characters = runs, 0
        if runs == most and runs:
            characters += place - before
        runs, before = runs + edges[place], place
    return most, characters


def _by_move_to_front(ranked: Sequence[PoolRanking], relevant: Set[str]) -> list[str]:
    """Take the next document of the run that did best lately (Cormack, Palmer and Clarke, SIGIR 1998).

    A run continues while its documents are relevant, and moves behind the others when one is not.
    """
    taken: dict[str, None] = {}
    waiting = [list(reversed(one.documents)) for one in ranked]
    order = list(range(len(ranked)))
    while order:
        run = order[0]
        while waiting[run]:
            document = waiting[run].pop()
            if document in taken:
                continue
            taken[document] = None
            if document not in relevant:
                break
        order = [*order[1:], run] if waiting[run] else order[1:]
    return list(taken)


METHODS: dict[str, PoolOrdering] = {
    "rank": _by_rank,
    "combmnz": _by_combmnz,
    "rrf": _by_rrf,
    "overlap": _by_overlap,
    "move-to-front": _by_move_to_front,
}


class Vote(NamedTuple):
    """The best result of one run that contains a stretch: its rank, from 1, and score, from 1 to 0."""

    rank: int
    score: float


_FusedPassage = tuple[int, int, Vote]
Fuse = Callable[[Sequence[Vote]], float]
FUSIONS: dict[str, Fuse] = {
    "combsum": lambda votes: fsum(vote.score for vote in votes),
    "combmnz": lambda votes: len(votes) * fsum(vote.score for vote in votes),
    "rrf": lambda votes: fsum(1 / (RRF_CONSTANT + vote.rank) for vote in votes),
}
"""Fox and Shaw, TREC-2, 1994; Cormack, Clarke and Büttcher, SIGIR 2009.

Sums are rounded once, so that neither the order of the runs nor the version of Python breaks ties.
"""


def fused_run(runs: Sequence[Run], method: str, depth: int, id: str, task: Task | None = None) -> Run:
    """Return the fusion of runs, at most ``depth`` results a topic, arranged as the task requires.

    The default task is that of the runs.  Scores are first scaled to 1 … 0 in each topic of a run; ranks are
    used if a result has no score.  Raises InexviewError for an unknown method of fusion.
    """
    if method not in FUSIONS:
        raise InexviewError(f"method = {method!r}: it must be one of {', '.join(FUSIONS)}")
    tasks = {run.task for run in runs} if task is None else {task}
    common = tasks.pop() if len(tasks) == 1 else None
    results: list[Result] = []
    for topic in dict.fromkeys(topic for run in runs for topic in run.topics):
        pieces = list(_pieces([run.results(topic) for run in runs], FUSIONS[method]))
        pieces.sort(key=lambda piece: (-piece[3], piece[0], piece[1], piece[2]))
        ranking = arranged(_ranking(pieces), common, depth)
        columns = (ranking.id, ranking.scores.tolist(), ranking.start.tolist(), ranking.end.tolist())
        results += [
            Result(topic, document, rank, score, start, end)
            for rank, (document, score, start, end) in enumerate(zip(*columns, strict=True), 1)
        ]
    fused = Run.from_results(results, id=id, task=common)
    without_length = (fused.size == 0) & (fused.start != UNKNOWN)
    return replace(fused, size=np.where(without_length, NO_LENGTH, fused.size))


def _ranking(pieces: Sequence[tuple[str, int, int, float]]) -> UnitRanking:
    """Return (document, start, end, score), best first, as a ranking; documents are numbered in order."""
    ids = [piece[0] for piece in pieces]
    numbers = {id: number for number, id in enumerate(dict.fromkeys(ids))}
    places = np.array([piece[1:3] for piece in pieces], np.int64).reshape(-1, 2)
    scores = np.array([piece[3] for piece in pieces], np.float64)
    return UnitRanking(
        scores, np.array([numbers[id] for id in ids], np.int64), ids, places[:, 0], places[:, 1]
    )


def _pieces(rankings: Sequence[Sequence[Result]], fuse: Fuse) -> Iterator[tuple[str, int, int, float]]:
    """Yield document, start, end and fused score of each stretch."""
    by_document: dict[str, list[list[_FusedPassage]]] = {}
    for run, ranking in enumerate(rankings):
        scores = _normalised([result.score for result in ranking])
        for rank, (result, score) in enumerate(zip(ranking, scores, strict=True), 1):
            runs = by_document.setdefault(result.document, [[] for _ in rankings])
            runs[run].append((result.start, result.end, Vote(rank, score)))
    for document, runs in by_document.items():
        for start, end, votes in _stretches(runs):
            yield document, start, end, fuse(votes)


def _stretches(runs: Sequence[Sequence[_FusedPassage]]) -> Iterator[tuple[int, int, list[Vote]]]:
    """Yield the stretches of a document with the votes of the runs that have them; n log n in its results."""
    points: dict[int, dict[int, Vote]] = {}
    for run, passages in enumerate(runs):
        for start, end, vote in passages:
            if end == start:
                points.setdefault(start, {}).setdefault(run, vote)
    for point, votes in sorted(points.items()):
        yield point, point, list(votes.values())
    edges = sorted({edge for passages in runs for one in passages if one[1] > one[0] for edge in one[:2]})
    painted = [_painted(passages, edges) for passages in runs]
    opened, before = 0, list[Vote | None]()
    for at in range(len(edges)):
        votes_here = [own[at] for own in painted]  # none after the last edge
        if votes_here != before:
            if any(before):
                yield edges[opened], edges[at], [vote for vote in before if vote is not None]
            opened, before = at, votes_here


def _painted(passages: Sequence[_FusedPassage], edges: Sequence[int]) -> list[Vote | None]:
    """Return, for the stretch after each edge, the vote of the first passage that contains it."""
    numbers = {edge: number for number, edge in enumerate(edges)}
    votes: list[Vote | None] = [None] * len(edges)
    free = list(range(len(edges) + 1))  # the next stretch without a vote, with shortcuts
    for start, end, vote in passages:
        if end > start:
            at = _free_from(free, numbers[start])
            while at < numbers[end]:
                votes[at], free[at] = vote, at + 1
                at = _free_from(free, at)
    return votes


def _free_from(free: list[int], at: int) -> int:
    while free[at] != at:
        free[at] = free[free[at]]
        at = free[at]
    return at


# Runs from an existing index of an OpenSearch or Elasticsearch server, ranked by that server.
#
# The server analyses the words of a topic and scores by the similarity of its index: BM25, or LM
# Jelinek–Mercer if the index is set up so. Each entry is an article, or a passage if it has `start` and `end`
# (or `length`), code points of the article's text; `document` names the article, or else the id of the entry
# does. This was tested without a server, with answers in the documented form of OpenSearch.

_OTHER_SHAPES = (AttributeError, OverflowError)  # a list instead of an object, or too large a number
_PATIENCE = 30  # seconds to wait for an answer
_MOST = 10_000  # results that a server returns at once unless its index is set up otherwise


@dataclass(frozen=True, slots=True)
class SearchedIndex:
    """An index on a server: ``http://localhost:9200/wikipedia``, and the field that contains the text."""

    url: str
    text_field: str = "text"

    def parts(self) -> tuple[str, str]:
        """Return the address of the server and the name of the index; raises InexviewError without both."""
        try:
            split = urlsplit(self.url)
            there = split.scheme in ("http", "https") and split.hostname and split.port != 0
        except ValueError:  # a bracket, or an invalid port
            there = False
        name = split.path.strip("/") if there else ""
        if not name or "/" in name:
            raise InexviewError(f"url = {self.url!r}: write it like http://localhost:9200/INDEX")
        return f"{split.scheme}://{split.netloc}", name


def retrieve_from_server(
    topics: Sequence[Topic],
    index: SearchedIndex,
    settings: RetrievalSettings,
    id: str,
    progress: Progress = unwatched,
) -> tuple[Run, str]:
    """Return a run of a server's results for each topic, and the similarity that ranks them.

    Raises InexviewError if the server cannot be reached or refuses, Cancelled.
    """
    if settings.structure:
        raise InexviewError("a search server does not know the elements of articles: omit --structure")
    wide = min(candidates(settings.depth, settings.task), max(_MOST, settings.depth))
    rankings: dict[str, UnitRanking] = {}
    without: list[str] = []
    with _client(index) as (client, name):
        similarity = _similarity(
            client.indices.get_settings(index=name), client.indices.get_mapping(index=name), index
        )
        for done, topic in enumerate(topics):
            progress("topics searched", done, len(topics))
            text = topic_text(topic, settings)
            asked = {"query": {"match": {index.text_field: text}}, "size": wide, "track_total_hits": False}
            hits = client.search(index=name, body=asked)["hits"]["hits"] if text.strip() else []
            if not hits:
                without.append(topic.id)
            rankings[topic.id] = arranged(_ranking_of_hits(hits), settings.task, settings.depth)
    run = run_of(RetrievedRankings(rankings, {}, _warnings(without)), settings, id)
    whole = run.size == 0
    if whole.all():
        run = replace(run, size=np.full(len(run), NO_LENGTH, np.int64), task=Task.DOCUMENTS)
    return run, similarity


def _warnings(without: Sequence[str]) -> tuple[str, ...]:
    """Return warnings of topics without results."""
    if len(without) == 1:
        return (f"topic {without[0]}: the server found nothing, so it has no results",)
    number = counted(len(without), "topic")
    return (
        (f"{number} have no results, because the server found nothing: {some_named(without)}",)
        if without
        else ()
    )


@contextmanager
def _client(index: SearchedIndex) -> Iterator[tuple[Any, str]]:
    """Yield a client; errors of the server become InexviewError."""
    try:
        from opensearchpy import OpenSearch, exceptions
    except ImportError:
        raise InexviewError(
            "the client of OpenSearch is not installed; get it with: pip install 'inexview[opensearch]'"
        ) from None
    address, name = index.parts()
    with closing(OpenSearch(address, timeout=_PATIENCE, max_retries=1)) as client:
        try:
            yield client, name
        except exceptions.ConnectionError as error:
            raise InexviewError(f"{address}: no search server answers ({error.error})") from error
        except exceptions.TransportError as error:
            raise InexviewError(
                f"{index.url}: the server refused the request ({error.status_code}: {error.error})"
            ) from error
        except (exceptions.OpenSearchException, LookupError, TypeError, ValueError, *_OTHER_SHAPES) as error:
            raise InexviewError(f"{index.url}: the response is not from a search server ({error})") from error


def _ranking_of_hits(hits: Sequence[dict[str, Any]]) -> UnitRanking:
    """Return a server's results, in its order."""
    pieces = []
    for hit in hits:
        said = hit.get("_source") or {}
        document = str(said.get("document", hit["_id"]))
        start = int(said.get("start", 0))
        end = int(said["end"]) if "end" in said else start + int(said.get("length", 0))
        if not 0 <= start <= end:
            raise ValueError(f"a passage from {start} to {end} of {document}")
        pieces.append((document, start, end, float(hit["_score"])))
    return _ranking(pieces)


def _similarity(settings: dict[str, Any], mapping: dict[str, Any], index: SearchedIndex) -> str:
    """Return how the field is ranked: the name of its similarity, and its settings in the index."""
    (about,) = settings.values()
    (fields,) = mapping.values()
    field = fields["mappings"].get("properties", {}).get(index.text_field)
    if field is None:
        raise InexviewError(
            f"{index.url}: the index has no field {index.text_field!r}; name it with --text-field"
        )
    name = field.get("similarity", "BM25")
    said = about["settings"]["index"].get("similarity", {}).get(name, {})
    details = ", ".join(f"{key} {value}" for key, value in said.items())
    return f"{name} ({details})" if details else str(name)
