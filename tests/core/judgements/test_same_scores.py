"""A run by elements as in 2006, between points as in 2007, as text as in 2009 and as FOL: the same scores."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from lxml import etree

from inexview import Judgement, Qrels, Run, Spans, Task, evaluate, read_run
from inexview.core.collection.collection import Collection
from inexview.core.files import resource
from tests.core import xml_trees
from tests.opened import opened_locator

TOPICS = ("414", "415", "416")
NAMES = {
    Task.FOCUSED: "Focused",
    Task.RELEVANT_IN_CONTEXT: "RelevantInContext",
    Task.BEST_IN_CONTEXT: "BestInContext",
    Task.THOROUGH: "COS.Thorough",
}


class Chosen(NamedTuple):
    """A result: an element, and where lxml finds it."""

    topic: str
    document: str
    path: str
    start: int
    end: int


class Articles:
    """The articles of a collection as lxml reads them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.elements: dict[str, list[tuple[str, int, int]]] = {}
        with closing(Collection.open(folder)) as collection:
            files = {id: collection.read(id) for id in collection.ids()}
        for id, xml in files.items():
            if b"<article" not in xml:
                continue  # a DTD, topics
            root = etree.fromstring(xml)
            names, spans = xml_trees.paths(root), xml_trees.spans(root)
            self.elements[id] = [(names[e], *span) for e, span in spans.items() if span[0] < span[1]]

    def length(self, id: str) -> int:
        return self.elements[id][0][2]


@pytest.fixture(scope="module", params=["sample", pytest.param("shared", marks=pytest.mark.shared)])
def articles(request: pytest.FixtureRequest) -> Articles:
    if request.param == "sample":
        return Articles(resource("sample") / "articles")
    shared: Path = request.getfixturevalue("shared")
    return Articles(shared / "data")


def chosen(articles: Articles, task: Task, chance: random.Random) -> list[Chosen]:
    """Choose results as the rules of the task ask for them, best first."""
    results = []
    for topic in TOPICS:
        for document in chance.sample(sorted(articles.elements), min(12, len(articles.elements))):
            taken: list[tuple[str, int, int]] = []
            for path, start, end in chance.choices(articles.elements[document], k=8):
                if task is Task.THOROUGH or all(end <= a or b <= start for _, a, b in taken):
                    taken.append((path, start, end))
            once = task in (Task.BEST_IN_CONTEXT, Task.DOCUMENTS)
            results += [Chosen(topic, document, *element) for element in taken[: 1 if once else None]]
    return results


def judged(articles: Articles, chance: random.Random) -> Qrels:
    """Judge some of the articles at random."""
    judgements = []
    for topic in TOPICS:
        for document in sorted(articles.elements):
            length = articles.length(document)
            edges = sorted(chance.sample(range(length), 2 * chance.randrange(4)))
            spans = Spans(zip(edges[0::2], edges[1::2], strict=True))
            bep = edges[0] if edges else None
            judgements.append(Judgement(topic, document, spans.size, length, bep, spans))
    return Qrels.from_judgements(judgements)


def submission(task: Task, results: list[Chosen], inside: Callable[[int, Chosen], str], kind: str) -> str:
    lines = [
        f'<inex-submission participant-id="19" run-id="R" task="{NAMES.get(task, "")}" result-type="{kind}">'
    ]
    for topic in TOPICS:
        lines.append(f'<topic topic-id="{topic}">')
        written = [
            f"<result><file>{result.document}</file>{inside(at, result)}<rank>{at}</rank></result>"
            for at, result in enumerate(results)
            if result.topic == topic
        ]
        lines += [*reversed(written), "</topic>"]  # the ranks say what is first
    return "\n".join([*lines, "</inex-submission>"])


def text(results: list[Chosen], last: Callable[[Chosen], str]) -> str:
    return "".join(f"{r.topic} Q0 {r.document} 1 {1 / n:.4f} R {last(r)}\n" for n, r in enumerate(results, 1))


@pytest.mark.parametrize("task", [task for task in Task if task is not Task.ASPECTS])
def test_a_submission_by_elements_and_the_same_run_as_fol_have_the_same_scores(
    articles: Articles, tmp_path: Path, task: Task
) -> None:
    chance = random.Random(f"{task}")
    results = chosen(articles, task, chance)
    locator = opened_locator(articles.folder)
    points = locator.points(
        [result.document for result in results],
        np.array([result.start for result in results]),
        np.array([result.end for result in results]),
    )
    forms = {
        "fol.txt": text(results, lambda r: f"{r.start} {r.end - r.start}"),
        "elements.txt": text(results, lambda r: r.path),
        "elements.xml": submission(task, results, lambda _, r: f"<path>{r.path}</path>", "element"),
        "points.xml": submission(
            task,
            results,
            lambda at, _: f'<passage start="{points.first[at]}" end="{points.last[at]}"/>',
            "passage",
        ),
        "fol.xml": submission(
            task, results, lambda _, r: f'<fol offset="{r.start}" length="{r.end - r.start}"/>', "fol"
        ),
    }
    runs: dict[str, Run] = {}
    for name, written in forms.items():
        (tmp_path / name).write_text(written, encoding="utf-8")
        runs[name] = read_run(tmp_path / name, locate=locator)
    qrels = judged(articles, chance)
    scored = {name: evaluate(qrels, run, task=task)[0] for name, run in runs.items()}
    wanted = scored["fol.txt"]
    assert wanted.topics == TOPICS
    assert np.count_nonzero(wanted.values) > 3
    for name, scores in scored.items():
        assert runs[name].warnings == ()
        assert runs[name].task in (None, task)
        for topic in TOPICS:
            found = [(r.document, r.start, r.end) for r in runs[name].results(topic)]
            assert found == [(r.document, r.start, r.end) for r in results if r.topic == topic]
        assert scores.names == wanted.names
        assert np.array_equal(scores.values, wanted.values)
