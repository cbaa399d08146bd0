"""Topics × a collection → a run, by any model on any engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import add

import numpy as np

from inexview.core.errors import InexviewError
from inexview.core.judgements.runs import Run, Task
from inexview.core.judgements.topics import Topic
from inexview.core.progress import Progress, unwatched
from inexview.core.retrieval.engines import ShardEngine
from inexview.core.retrieval.models import RetrievalModel, model_of, unit_of
from inexview.core.retrieval.relevance_model import (
    FeedbackDocument,
    best_documents,
    expanded_query,
    feedback_documents,
    relevance_model,
)
from inexview.core.retrieval.retrieval_settings import ModelParameters, RetrievalSettings
from inexview.core.retrieval.shard import CollectionCounts, Shard
from inexview.core.retrieval.task_rankings import arranged, candidates
from inexview.core.retrieval.topic_queries import TopicQuery, topic_query
from inexview.core.retrieval.unit_ranking import UnitRanking, best_units, merged
from inexview.core.text.id_columns import Names
from inexview.core.wording import counted

_TOGETHER = 20  # topics of one question to the shards
_TOLD = 5


@dataclass(frozen=True, slots=True)
class CountQuestion:
    """What a shard counts for the whole collection."""

    terms: frozenset[str]
    spread: bool
    """Whether also documents and units are counted that have a term."""

    def __call__(self, shard: Shard) -> CollectionCounts:
        """Count in a shard."""
        return shard.counts(sorted(self.terms), spread=self.spread)


@dataclass(frozen=True, slots=True)
class FeedbackQuestion:
    """Which documents of a shard are best by query likelihood, for each of some queries."""

    queries: tuple[dict[str, int], ...]
    parameters: ModelParameters
    counts: CollectionCounts

    def __call__(self, shard: Shard) -> list[list[FeedbackDocument]]:
        """Find them in a shard."""
        return [feedback_documents(shard, query, self.parameters, self.counts) for query in self.queries]


@dataclass(frozen=True, slots=True)
class RankQuestion:
    """Which units of a shard are best, for each of some queries; a query's elements are those asked for."""

    queries: tuple[tuple[dict[str, float], tuple[str, ...]], ...]
    model: str
    parameters: ModelParameters
    counts: CollectionCounts
    depth: int

    def __call__(self, shard: Shard) -> list[UnitRanking]:
        """Rank the units of a shard."""
        model = model_of(RetrievalSettings(self.model))
        return [
            best_units(shard, model.score(shard, query, self.parameters, self.counts), self.depth, targets)
            for query, targets in self.queries
        ]


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
) -> RetrievedRankings:
    """Rank the units of a collection for each topic.

    Words that no document has are left out; a topic without others has an empty ranking and a warning.
    ``progress`` hears of "topics searched".  Raises InexviewError for settings that cannot be, Cancelled.
    """
    model = model_of(settings)
    rankings: dict[str, UnitRanking] = {}
    queries: dict[str, dict[str, float]] = {}
    warnings: list[str] = []
    for first in range(0, len(topics), _TOGETHER):
        progress("topics searched", first, len(topics))
        some = [topic_query(topic, settings) for topic in topics[first : first + _TOGETHER]]
        found, expanded = _ranked(some, model, engine, settings, progress, warnings)
        rankings |= found
        queries |= expanded
    return RetrievedRankings(rankings, queries, tuple(warnings))


def _ranked(
    queries: Sequence[TopicQuery],
    model: RetrievalModel,
    engine: ShardEngine,
    settings: RetrievalSettings,
    progress: Progress,
    warnings: list[str],
) -> tuple[dict[str, UnitRanking], dict[str, dict[str, float]]]:
    def ask_counts(terms: frozenset[str]) -> CollectionCounts:
        return reduce(
            add,
            engine.ask(CountQuestion(terms, model.spread), settings.forms, unit_of(settings), progress),
        )

    counts = ask_counts(frozenset(term for query in queries for term in query.terms))
    if not counts.words:
        raise InexviewError("the collection has no words to search, or all of them are stop words")
    known = [_known(query, counts, warnings) for query in queries]
    usable = [(query, terms) for query, terms in zip(queries, known, strict=True) if terms]
    weighted: list[dict[str, float]] = [dict(terms) for _, terms in usable]
    if model.feedback and usable:
        feedback = FeedbackQuestion(tuple(terms for _, terms in usable), settings.parameters, counts)
        answers = engine.ask(feedback, settings.forms, unit_of(settings), progress)
        models = [
            relevance_model(best_documents(found, settings.parameters), settings.parameters)
            for found in zip(*answers, strict=True)
        ]
        counts = ask_counts(frozenset(counts.terms) | {term for one in models for term in one})
        weighted = [
            expanded_query(terms, one, settings.parameters, counts)
            for terms, one in zip(weighted, models, strict=True)
        ]
    asked = tuple((terms, query.targets) for (query, _), terms in zip(usable, weighted, strict=True))
    wide = candidates(settings.depth, settings.task)
    question = RankQuestion(asked, model.name, settings.parameters, counts, wide)
    answers_of = engine.ask(question, settings.forms, unit_of(settings), progress) if asked else []
    rankings = {query.topic: merged([], settings.depth) for query in queries}
    for (query, _), found in zip(usable, zip(*answers_of, strict=True), strict=True):
        rankings[query.topic] = arranged(merged(found, wide), settings.task, settings.depth)
    return rankings, {query.topic: terms for (query, _), terms in zip(usable, weighted, strict=True)}


def _known(query: TopicQuery, counts: CollectionCounts, warnings: list[str]) -> dict[str, int]:
    """Return the terms of a query that the collection has, and warn of the others."""
    known = {term: often for term, often in query.terms.items() if counts.terms[term].occurrences}
    unknown = [term for term in query.terms if term not in known]
    if not query.terms:
        warnings.append(f"topic {query.topic}: has no word to search for in these fields; it has no results")
    elif not known:
        warnings.append(f"topic {query.topic}: no document has any of its words; it has no results")
    elif unknown:
        named = ", ".join(unknown[:_TOLD]) + (" …" if len(unknown) > _TOLD else "")
        warnings.append(f"topic {query.topic}: {counted(len(unknown), 'word')} in no document: {named}")
    return known


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
        task=task_of(settings),
        warnings=retrieved.warnings,
    )


def task_of(settings: RetrievalSettings) -> Task:
    """Return what kind of run settings make."""
    if settings.task is not None:
        return settings.task
    unit = unit_of(settings)
    if model_of(settings).own_units or unit.size:
        return Task.PASSAGES
    return Task.THOROUGH if unit.tags else Task.DOCUMENTS
