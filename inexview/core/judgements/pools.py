"""What a pool is: the documents that are to be judged for each topic."""

from __future__ import annotations

from collections.abc import Mapping
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
