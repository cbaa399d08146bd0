"""The words of queries with their weights: how often a query has them, or R* of models with feedback."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add

from inexview.core.errors import InexviewError
from inexview.core.progress import Progress
from inexview.core.retrieval.engines import ShardEngine
from inexview.core.retrieval.models import model_of, unit_of
from inexview.core.retrieval.relevance_model import (
    FeedbackDocument,
    best_documents,
    expanded_query,
    feedback_documents,
    relevance_model,
)
from inexview.core.retrieval.retrieval_settings import ModelParameters, RetrievalSettings
from inexview.core.retrieval.shard import CollectionCounts, Shard
from inexview.core.retrieval.topic_queries import TopicQuery
from inexview.core.wording import counted

TOGETHER = 20
"""Topics of one question to the shards."""
_TOLD = 5


@dataclass(frozen=True, slots=True)
class CountQuestion:
    """What a shard counts for the whole collection."""

    terms: frozenset[str]
    spread: bool
    """Whether also documents and units are counted that have a term."""

    def __call__(self, shard: Shard) -> CollectionCounts:
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


@dataclass(frozen=True, eq=False)
class WeighedQueries:
    """Queries that have words of the collection, these with their weights, and what was counted of them."""

    queries: tuple[TopicQuery, ...]
    terms: tuple[dict[str, float], ...]
    counts: CollectionCounts


def weighed_queries(
    queries: Sequence[TopicQuery],
    engine: ShardEngine,
    settings: RetrievalSettings,
    progress: Progress,
    warnings: list[str],
) -> WeighedQueries:
    """Give the words of queries their weights: how often they are in them, or R* of models with feedback."""
    model = model_of(settings)

    def ask_counts(terms: frozenset[str]) -> CollectionCounts:
        return reduce(
            add,
            engine.ask(CountQuestion(terms, model.spread), settings.forms, unit_of(settings), progress),
        )

    counts = ask_counts(frozenset(term for query in queries for term in query.terms))
    if not counts.words:
        raise InexviewError("the collection has no words to search, or all of them are stop words")
    if not counts.units:
        raise InexviewError(f"the collection has nothing to retrieve: unit = '{unit_of(settings)}'")
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
    return WeighedQueries(tuple(query for query, _ in usable), tuple(weighted), counts)


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
