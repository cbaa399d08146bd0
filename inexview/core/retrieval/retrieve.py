"""Topics × a collection → a run, by any model on any engine, which says how it was made."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from inexview.core.durable import write_complete
from inexview.core.judgements.runs import Run, Task
from inexview.core.judgements.topics import Topic
from inexview.core.progress import Progress, unwatched
from inexview.core.retrieval.engines import ShardEngine
from inexview.core.retrieval.models import model_of, unit_of
from inexview.core.retrieval.retrieval_settings import (
    ModelParameters,
    RetrievalSettings,
    TopicQuery,
    arranged,
    candidates,
    topic_query,
)
from inexview.core.retrieval.shard import (
    CollectionCounts,
    Shard,
    ShardScores,
    UnitRanking,
    best_units,
    merged,
)
from inexview.core.retrieval.svm_training import Plane, Teaching, TrainingSet, plane_scores
from inexview.core.retrieval.weighted_queries import TOGETHER, QueryWords, query_warnings, weighed_queries
from inexview.core.text.id_columns import Names
from inexview.core.word_index.word_index import VERSION, WordIndex


class AskedQuery(NamedTuple):
    """A query's words with their weights, the elements asked for, and the plane of models that learn."""

    terms: dict[str, float]
    targets: tuple[str, ...]
    plane: Plane | None


@dataclass(frozen=True, slots=True)
class RankQuestion:
    """Which units of a shard are best, for each of some queries."""

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
            return plane_scores(shard, query.terms, query.plane, self.counts)
        model = model_of(RetrievalSettings(self.model))
        return model.score(shard, query.terms, self.parameters, self.counts)


@dataclass(frozen=True, slots=True)
class RetrievedRankings:
    """The rankings of topics, what the queries became, and what looks wrong."""

    rankings: dict[str, UnitRanking]
    queries: dict[str, dict[str, float]]
    """The words of each topic with their weights: R* of models with feedback."""
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

    A model that learns does so from the topics in ``training`` but the one that is ranked.  Words that no
    document has are left out; a topic without others has an empty ranking and a warning.  ``progress`` hears
    of "topics searched".  Raises InexviewError for settings that cannot be, Cancelled.
    """
    model = model_of(settings)
    taught = None if not model.trained else Teaching.of(training, engine, settings, progress)
    rankings: dict[str, UnitRanking] = {}
    queries: dict[str, dict[str, float]] = {}
    words: list[QueryWords] = []
    for first in range(0, len(topics), TOGETHER):
        progress("topics searched", first, len(topics))
        some = [topic_query(topic, settings) for topic in topics[first : first + TOGETHER]]
        found, expanded = _ranked(some, taught, engine, settings, progress, words)
        rankings |= found
        queries |= expanded
    return RetrievedRankings(rankings, queries, query_warnings(words))


def _ranked(
    queries: Sequence[TopicQuery],
    taught: Teaching | None,
    engine: ShardEngine,
    settings: RetrievalSettings,
    progress: Progress,
    words: list[QueryWords],
) -> tuple[dict[str, UnitRanking], dict[str, dict[str, float]]]:
    weighed = weighed_queries(queries, engine, settings, progress)
    words += weighed.words
    asked = tuple(
        AskedQuery(terms, query.targets, None if taught is None else taught.plane_for(query.topic))
        for query, terms in zip(weighed.queries, weighed.terms, strict=True)
    )
    wide = candidates(settings.depth, settings.task)
    question = RankQuestion(asked, model_of(settings).name, settings.parameters, weighed.counts, wide)
    answers_of = engine.ask(question, settings.forms, unit_of(settings), progress) if asked else []
    rankings = {query.topic: merged([], settings.depth) for query in queries}
    for query, found in zip(weighed.queries, zip(*answers_of, strict=True), strict=True):
        rankings[query.topic] = arranged(merged(found, wide), settings.task, settings.depth)
    return rankings, {query.topic: terms for query, terms in zip(weighed.queries, weighed.terms, strict=True)}


def run_of(retrieved: RetrievedRankings, settings: RetrievalSettings, id: str) -> Run:
    """Return rankings as a run; topics without results are not in it."""
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


# What a run says of how it was made, so that it can be made again.


def run_description(
    settings: RetrievalSettings,
    collection: Path,
    index: WordIndex | None,
    training: TrainingSet | None = None,
) -> dict[str, Any]:
    """Return model, parameters, unit, collection, index (None on a cluster), and what it learned from."""
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
        described["index"] = {
            "version": VERSION,
            "documents": index.documents,
            "words": index.words,
        }
    return described


def in_words(described: dict[str, Any]) -> str:
    """Return a description in one line, for a submission."""
    return json.dumps(described, ensure_ascii=False)


def usual_id(settings: RetrievalSettings) -> str:
    """Return what a run is called that is given no name: "MM-passage-100-50"."""
    model = model_of(settings)
    unit = "" if model.own_units else f"-{unit_of(settings)}"
    task = "" if settings.task is None else f"-{settings.task}"
    return (model.name + unit + task).replace(":", "-").replace("/", "-").replace(",", "-")


def description_path(run: Path) -> Path:
    """Return where it is said how a run's file was made: RUN.json."""
    return run.with_name(f"{run.name}.json")


def write_description(described: Mapping[str, Any], run: Path) -> None:
    """Write beside a run, as RUN.json, how it was made; raises OSError where that fails."""
    said = json.dumps(described, ensure_ascii=False, indent=1) + "\n"
    write_complete(description_path(run), lambda part: part.write_text(said, encoding="utf-8"))
