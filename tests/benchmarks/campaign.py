"""A project as Inspect meets it: many runs of many results over topics that are judged."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from inexview.core.collection.collection import Collection
from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.judgements.runs import Run, Task
from inexview.core.judgements.topics import Topic
from inexview.core.project.import_judgements import import_judgements
from inexview.core.project.project import Project
from inexview.core.text.spans import Ints, Names, Spans
from tests.benchmarks.generate import article

ARTICLES, LONG = 240, 12
JUDGED, RELEVANT = 200, 60
EACH = 3  # passages of a document
RANKED = 500  # documents of a ranking, of which ARTICLES at most are in the collection


def make_campaign(folder: Path, topics: int = 8, runs: int = 20, seed: int = 1) -> tuple[Path, list[Run]]:
    """Make a judged project and runs of 1,500 results a topic, three passages in each document."""
    chance = np.random.default_rng(seed)
    articles = folder / "articles"
    articles.mkdir()
    for name in range(1, ARTICLES + 1):
        size = 40_000 if name <= LONG else 4_000
        (articles / f"{name}.xml").write_bytes(article(size, seed=name))
    collection = Collection.open(articles)
    lengths = {str(name): collection.load(str(name)).length for name in range(1, ARTICLES + 1)}
    collection.close()
    names = [str(2009001 + at) for at in range(topics)]
    path = folder / "campaign.inexview"
    judged = [
        judgement(chance, topic, document, lengths[document], relevant=place < RELEVANT)
        for topic in names
        for place, document in enumerate(chance.permutation(sorted(lengths))[:JUDGED].tolist())
    ]
    listed = [Topic(name, f"topic {name}") for name in names]
    with Project.create(path, collection=articles, topics=listed, assessor="Ada") as project:
        import_judgements(project, Qrels.from_judgements(judged))
    return path, [make_run(chance, at, names, lengths) for at in range(runs)]


def judgement(
    chance: np.random.Generator, topic: str, document: str, length: int, *, relevant: bool
) -> Judgement:
    """Make a judgement of three passages, or of none."""
    spans = passages(chance, length) if relevant else Spans()
    bep = int(spans.starts[0]) if relevant else None
    return Judgement(topic, document, spans.size, length, bep, spans)


def make_run(chance: np.random.Generator, at: int, topics: list[str], lengths: dict[str, int]) -> Run:
    """Make a run of relevant in context; as arrays, since a hundred runs have ten million results."""
    names = [*sorted(lengths), *(f"x{name}" for name in range(RANKED - len(lengths)))]
    length = np.array([lengths.get(name, 4_000) for name in names])
    ranked = np.concatenate([chance.permutation(len(names)) for _ in topics])
    cuts = cut(chance, length[ranked])
    rows = len(ranked) * EACH
    return Run(
        id=f"run{at:02}",
        topics=tuple(topics),
        ptr=np.arange(len(topics) + 1) * len(names) * EACH,
        document=Names.of(names).take(np.repeat(ranked, EACH)),
        start=cuts[:, ::2].ravel(),
        size=(cuts[:, 1::2] - cuts[:, ::2]).ravel(),
        score=np.full(rows, np.nan),
        line=np.zeros(rows, np.int64),
        task=Task.RELEVANT_IN_CONTEXT,
    )


def entry_points(run: Run) -> Run:
    """Make a run of best in context of another: of each document its first passage alone."""
    return replace(
        run,
        id=f"{run.id}-entry",
        ptr=run.ptr // EACH,
        document=run.document.take(slice(None, None, EACH)),
        start=run.start[::EACH],
        size=run.size[::EACH],
        score=run.score[::EACH],
        line=run.line[::EACH],
        task=Task.BEST_IN_CONTEXT,
    )


def passages(chance: np.random.Generator, length: int) -> Spans:
    """Return three passages in a document of this length."""
    (cuts,) = cut(chance, np.array([length]))
    return Spans.from_arrays(cuts[::2], cuts[1::2])


def cut(chance: np.random.Generator, lengths: Ints) -> Ints:
    """Return rising offsets in each document, two for each passage, shape (n, 2 · EACH)."""
    places: Ints = np.sort(
        chance.integers(0, lengths[:, None] - 5, (len(lengths), 2 * EACH)), axis=1
    ) + np.arange(2 * EACH)
    return places
