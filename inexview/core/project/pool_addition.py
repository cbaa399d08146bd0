"""A pool of runs added to the pool that a project has: what is new comes last, and what is judged stays."""

from __future__ import annotations

from dataclasses import dataclass

from inexview.core.errors import ProjectError
from inexview.core.judgements.pools import Pool
from inexview.core.project.contents import pool_entry
from inexview.core.project.project import Project


@dataclass(frozen=True, slots=True)
class PoolAdded:
    """How many documents came to the pool, how many it had already, and topics that the project has not."""

    documents: int
    pooled_before: int
    unknown_topics: tuple[str, ...]


def add_pool(project: Project, pool: Pool) -> PoolAdded:
    """Add documents to a project's pool, in one transaction; of those it has, note which runs found them.

    Raises ProjectError where the project has no pool, since then the whole collection is to be judged.
    """
    contents = project.contents
    if not contents.has_pool:
        raise ProjectError(f"{project.path}: has no pool: the whole collection is to be judged already")
    topics = {topic.id for topic in contents.topics}
    entries, new, before = [], 0, 0
    for topic, documents in pool.topics.items():
        if topic not in topics:
            continue
        known = {pooled.document: pooled for pooled in contents.pooled(topic)}
        told = []
        for document in documents:
            own = known.get(document.document)
            new, before = new + (own is None), before + (own is not None)
            if own is None or own.joined(document) != own:
                told.append(document)
        if told:
            entries.append(pool_entry(topic, told))
    project.append(entries)
    return PoolAdded(new, before, tuple(topic for topic in pool.topics if topic not in topics))
