"""What a pool is: the documents that are to be judged for each topic."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class PooledDocument:
    """A document to judge, with what the pooled systems returned of it.

    ``paths`` are element paths, ``passages`` (start, end) points, as the pool file has them; ``found_by``
    says which runs returned it, and as which of their documents (from 1).
    """

    document: str
    paths: tuple[str, ...] = ()
    passages: tuple[tuple[str, str], ...] = ()
    found_by: tuple[tuple[str, int], ...] = ()

    def joined(self, other: PooledDocument) -> PooledDocument:
        """Return what both say of the document."""
        return PooledDocument(
            self.document,
            tuple(dict.fromkeys((*self.paths, *other.paths))),
            tuple(dict.fromkeys((*self.passages, *other.passages))),
            tuple((dict(self.found_by) | dict(other.found_by)).items()),
        )


@dataclass(frozen=True, slots=True)
class Pool:
    """The documents to judge per topic, each once, in the order in which an assessor shall see them."""

    topics: Mapping[str, tuple[PooledDocument, ...]] = field(default_factory=dict)
    warnings: tuple[str, ...] = field(default=(), compare=False)

    def documents(self, topic: str) -> tuple[str, ...]:
        """Return the ids of a topic's documents; empty where the topic is not pooled."""
        return tuple(pooled.document for pooled in self.topics.get(topic, ()))


def pool_from_rankings(rankings: Iterable[Mapping[str, Iterable[str]]], depth: int) -> Pool:
    """Pool runs to a depth: the documents at the first ``depth`` ranks of each run, without doubles.

    ``rankings`` has one mapping per run, topic → documents in rank order (a document may be there for
    several results; it takes one rank).  The pool is round-robin: what any run has at rank 1 comes before
    what any has at rank 2, so that its order does not favour the run named first.
    """
    if depth < 1:
        raise ValueError("a pool's depth is at least 1")
    columns: dict[str, list[list[str]]] = {}
    for ranking in rankings:
        for topic, documents in ranking.items():
            columns.setdefault(topic, []).append(list(dict.fromkeys(documents))[:depth])
    return Pool({topic: _round_robin(lists, depth) for topic, lists in columns.items()})


def _round_robin(lists: list[list[str]], depth: int) -> tuple[PooledDocument, ...]:
    ranked = (documents[rank] for rank in range(depth) for documents in lists if rank < len(documents))
    return tuple(PooledDocument(document) for document in dict.fromkeys(ranked))
