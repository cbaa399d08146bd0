"""Small projects for tests: a collection, topics and a pool on disk."""

from __future__ import annotations

from pathlib import Path

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
