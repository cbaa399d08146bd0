"""What a project is made of, and what can be said of it before it is made; nothing here is a widget."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from inexview.core.collection.collection import Collection
from inexview.core.errors import InexviewError
from inexview.core.file_presence import folder_is_there
from inexview.core.formats.pool_files import read_pool
from inexview.core.formats.topic_files import read_topics
from inexview.core.judgements.qrels import Pool
from inexview.core.judgements.topics import Topics
from inexview.core.progress import Progress
from inexview.core.project.documents import absent_documents, misfits, unknown_topics


@dataclass(frozen=True, slots=True)
class Parts:
    """What somebody brought for a new project, as far as they did."""

    collection: Path | None = None
    topics: Path | None = None
    pool: Path | None = None


@dataclass(frozen=True, slots=True)
class NewProject:
    """What the dialog was told."""

    path: Path
    collection: Path
    topics: Path
    pool: Path | None
    assessor: str
    grades: tuple[str, ...] = ()


def read_parts(wanted: NewProject) -> tuple[Collection, Topics, Pool | None]:
    """Open and read what a project is made of; raises DataError where that cannot be.

    An archive is not listed here: that takes its time, and is told of in the window of the project.
    """
    pool = read_pool(wanted.pool) if wanted.pool is not None else None
    topics = read_topics(wanted.topics)
    collection = Collection.open(wanted.collection)
    try:
        collection.require_articles(listed=False)
    except InexviewError:
        collection.close()
        raise
    return collection, topics, pool


def unfitting(topics: Topics, pool: Pool, collection: Collection, progress: Progress) -> tuple[str, ...]:
    """Say what looks wrong about topics, pool and collection, and what each lacks of the others."""
    unknown = unknown_topics(pool.topics, {topic.id for topic in topics})
    pools = {topic: pool.documents(topic) for topic in pool.topics if topic not in unknown}
    return (
        *topics.warnings,
        *pool.warnings,
        *misfits(unknown, absent_documents(pools, collection, progress)),
    )


def what_it_is(path: Path) -> str:
    """Say at once what kind of collection lies at a path, and how large an archive is."""
    if folder_is_there(path):
        return "folder"
    kind = "".join(path.suffixes[-2:]).lower() if ".tar" in path.suffixes else path.suffix.lower()
    kind = kind.lstrip(".") or "file"
    try:
        return f"{kind}, {size(path.stat().st_size)}"
    except OSError:  # it has just gone
        return kind


def size(count: float) -> str:
    """Write a number of bytes as a person would."""
    for unit in ("bytes", "kB", "MB"):
        if count < 1000:
            return f"{count:,.0f} {unit}" if unit == "bytes" or count >= 10 else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"
