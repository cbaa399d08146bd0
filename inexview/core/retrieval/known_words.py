"""Which words of topics the collection has, and what is said of those that it does not have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from inexview.core.retrieval.shard import CollectionCounts
from inexview.core.retrieval.topic_queries import TopicQuery
from inexview.core.wording import counted, some_named


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
