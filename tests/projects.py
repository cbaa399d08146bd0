"""Small projects for tests: a collection, topics and a pool on disk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from inexview.core.judgements.topics import Topic
from inexview.core.project.project import Project

TOPIC = "2009001"
OTHER_TOPIC = "2009002"
TEXT = "A title. The quick 🦊 jumps over it, twice."  # 42 code points, 43 UTF-16 units


def make_collection(folder: Path, documents: int = 5) -> Path:
    """Write d1.xml, d2.xml … with the same text."""
    folder.mkdir(parents=True)
    for number in range(1, documents + 1):
        text = f"<article><name>{TEXT[:8]}</name><p>{TEXT[8:]}</p></article>"
        (folder / f"d{number}.xml").write_text(text, encoding="utf-8")
    return folder


def make_topics(path: Path) -> Path:
    """Write two topics."""
    path.write_text(
        f'<inex-topic-file><topic id="{TOPIC}"><title>foxes</title><narrative>Any fox.</narrative></topic>'
        f'<topic id="{OTHER_TOPIC}"><title>titles</title></topic></inex-topic-file>',
        encoding="utf-8",
    )
    return path


def make_pool(path: Path) -> Path:
    """Pool d3, d1 and d2 for the first topic, in this order, and d1 for the other."""
    path.write_text(f"{TOPIC} d3\n{TOPIC} d1\n{TOPIC} d2\n{OTHER_TOPIC} d1\n", encoding="utf-8")
    return path


def make_project(folder: Path, *, pooled: bool = True, documents: int = 5) -> Path:
    """Make a project in an empty folder and return its path."""
    path = folder / "test.inexview"
    Project.create(
        path,
        collection=make_collection(folder / "articles", documents),
        topics=make_topics(folder / "topics.xml"),
        pool=make_pool(folder / "pool.txt") if pooled else None,
        assessor="ada",
    ).close()
    return path


def article(name: str, *paragraphs: str) -> str:
    """Return a small article in the words of Wikipedia 2006."""
    body = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    return f"<article><name>{name}</name><body>{body}</body></article>"


def project_of(
    folder: Path, articles: Mapping[str, str], *topics: Topic, pool: Iterable[str] | None = None
) -> Path:
    """Make a project of these articles in an empty folder; all, or those of ``pool``, are each topic's."""
    collection = folder / "articles"
    collection.mkdir()
    for document, xml in articles.items():
        (collection / f"{document}.xml").write_text(xml, encoding="utf-8")
    pooled = [*(articles if pool is None else pool)]
    lines = (f"{topic.id} {document}\n" for topic in topics for document in pooled)
    (folder / "pool.txt").write_text("".join(lines))
    path = folder / "small.inexview"
    Project.create(
        path, collection=collection, topics=topics, pool=folder / "pool.txt", assessor="ada"
    ).close()
    return path
