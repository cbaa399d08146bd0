"""A project of three topics judged in two articles, and three runs beside it."""

from __future__ import annotations

from pathlib import Path

from inexview.core.judgements.topics import Topic
from inexview.core.project.project import Project

WORDS = "A lamp burns oil all night and in the morning it is empty again."
TOPICS = {"1": (0, 20), "2": (10, 40), "3": (30, 60)}
RUNS = {
    "alpha": {"1": (0, 20), "2": (0, 30), "3": (0, 31)},
    "beta": {"1": (10, 30), "2": (10, 40), "3": (30, 50)},
    "gamma": {"1": (15, 45), "2": (30, 50)},
}


def make_campaign(folder: Path) -> Path:
    """Write articles, project and runs into a folder, and return the path of the project."""
    articles = folder / "articles"
    articles.mkdir()
    for name in ("d1", "d2"):
        (articles / f"{name}.xml").write_text(f"<article><p>{WORDS}</p></article>")
    path = folder / "lamps.inexview"
    topics = [Topic(topic, f"topic {topic}") for topic in TOPICS]
    with Project.create(path, collection=articles, topics=topics, assessor="ada") as project:
        for topic, (start, end) in TOPICS.items():
            project.mark(topic, "d1", start, end)
            project.set_bep(topic, "d1", start)
            project.finish(topic, "d1")
            project.not_relevant(topic, "d2")
    for name, passages in RUNS.items():
        lines = []
        for topic, (start, end) in passages.items():
            lines += [
                f"{topic} Q0 d2 1 2 {name} 0 5",
                f"{topic} Q0 d1 2 1 {name} {start} {end - start}",
            ]
        (folder / f"{name}.txt").write_text("\n".join(lines) + "\n")
    return path
