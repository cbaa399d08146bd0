"""The parts of a new project, their checks, and whether a collection is the project's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError, InexviewError
from inexview.core.files import folder_is_there
from inexview.core.formats.topic_files import read_pool, read_topics
from inexview.core.judgements.qrels import Pool
from inexview.core.judgements.topics import Topics
from inexview.core.progress import Progress
from inexview.core.project.contents import absent_documents, misfits, unknown_topics
from inexview.core.project.project import Project

LOOKED_FOR = 200  # documents of each pool; enough to recognise a collection


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


def last_place(project: Project) -> tuple[Path, Path]:
    """Return where a project's collection was last, and the nearest folder that is there."""
    was = project.contents.collection_path
    return was, next((folder for folder in was.parents if folder_is_there(folder)), project.path.parent)


def some_documents(project: Project) -> list[str]:
    """Return documents that a project's collection must hold some of: pooled or, without a pool, judged."""
    listed = project.pool if project.contents.has_pool else project.touched
    return [name for topic in project.topics for name in listed(topic.id)[:LOOKED_FOR]]


def check_collection(path: Path, wanted: Sequence[str], progress: Progress) -> None:
    """Make sure that a collection is there and can be read, and holds what is to be judged.

    Raises DataError where that is not so, and Cancelled.
    """
    collection = Collection.open(path)
    try:
        if any(collection.at_hand(name) for name in wanted):
            return
        collection.prepare(progress)
        if not len(collection):
            raise DataError("holds no XML files at all", path=path)
        if wanted and not any(name in collection for name in wanted):
            problem = f"none of the project's documents is in it, neither {wanted[0]} nor any other"
            raise DataError(problem, path=path)
    finally:
        collection.close()
