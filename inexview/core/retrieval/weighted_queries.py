"""The words of queries with their weights: how often a query has them, or R* of models with feedback."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import NamedTuple

from inexview.core.errors import InexviewError
from inexview.core.progress import Progress
from inexview.core.retrieval.engines import ShardEngine
from inexview.core.retrieval.models import (
    FeedbackDocument,
    LikelyDocument,
    best_documents,
    document_words,
    expanded_query,
    likely_documents,
    model_of,
    relevance_model,
    unit_of,
)
from inexview.core.retrieval.retrieval_settings import ModelParameters, RetrievalSettings, TopicQuery
from inexview.core.retrieval.shard import NO_COUNTS, CollectionCounts, Shard
from inexview.core.wording import counted, some_named

# Which words of topics the collection has, and what is said of those that it does not have.


class QueryWords(NamedTuple):
    """A topic's terms that the collection has, each with how often the topic has it, and the others."""

    topic: str
    known: dict[str, int]
    unknown: tuple[str, ...]


def known_words(query: TopicQuery, counts: CollectionCounts) -> QueryWords:
    known = {term: often for term, often in query.terms.items() if counts.terms[term].occurrences}
    return QueryWords(query.topic, known, tuple(term for term in query.terms if term not in known))


def query_warnings(queries: Sequence[QueryWords]) -> tuple[str, ...]:
    """Say which topics have no words, none that a document has, or some that none has: each in one line."""
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
"""Topics of one question to the shards."""


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

    def __call__(self, shard: Shard) -> list[list[LikelyDocument]]:
        """Find them in a shard."""
        return [likely_documents(shard, query, self.parameters, self.counts) for query in self.queries]


@dataclass(frozen=True, slots=True)
class WordsQuestion:
    """Which words these documents of the collection have, by their numbers."""

    documents: frozenset[int]

    def __call__(self, shard: Shard) -> dict[int, dict[str, int]]:
        """Return the words of those that are in the shard."""
        first = shard.first_document
        stop = first + shard.segment.facts.documents
        own = sorted(number for number in self.documents if first <= number < stop)
        return {number: document_words(shard, number - first) for number in own}


@dataclass(frozen=True, eq=False)
class WeighedQueries:
    """Queries that have words of the collection, these with their weights, and what was counted of them."""

    queries: tuple[TopicQuery, ...]
    terms: tuple[dict[str, float], ...]
    counts: CollectionCounts
    words: tuple[QueryWords, ...]
    """Of all queries, also of those that have no word of the collection."""


def weighed_queries(
    queries: Sequence[TopicQuery],
    engine: ShardEngine,
    settings: RetrievalSettings,
    progress: Progress,
) -> WeighedQueries:
    """Give the words of queries their weights: how often they are in them, or R* of models with feedback."""
    model = model_of(settings)

    def ask_counts(terms: frozenset[str]) -> CollectionCounts:
        asked = CountQuestion(terms, model.spread)
        return reduce(add, engine.ask(asked, settings.forms, unit_of(settings), progress), NO_COUNTS)

    counts = ask_counts(frozenset(term for query in queries for term in query.terms))
    if not counts.words:
        raise InexviewError("the collection has no words to search, or all of them are stop words")
    if not counts.units:
        raise InexviewError(f"the collection has nothing to retrieve: unit = '{unit_of(settings)}'")
    words = tuple(known_words(query, counts) for query in queries)
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
    return WeighedQueries(tuple(query for query, _ in usable), tuple(weighted), counts, words)


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
    best = [best_documents(found, settings.parameters) for found in zip(*answers, strict=True)]
    wanted = WordsQuestion(frozenset(document.number for documents in best for document in documents))
    words: dict[int, dict[str, int]] = {}
    for found in engine.ask(wanted, settings.forms, unit, progress):
        words |= found
    return [
        [FeedbackDocument(document.likelihood, words[document.number]) for document in documents]
        for documents in best
    ]
