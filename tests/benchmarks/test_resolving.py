"""Looking up what a run names: 102,000 elements and points in a collection, as a user waits for it.

    pytest tests/benchmarks/test_resolving.py --benchmark-only

68 topics × 1,500 results, three each in 500 of 12,000 articles that topics come back to; the articles are
1,000 different ones of 1,000 to 100,000 characters (their mean is 9,000), each under twelve numbers.  Times
per 1,000 articles and results and the peak memory are in each benchmark's extra info.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from inexview import Run, read_run
from inexview.cli.common import in_order
from inexview.core.article.document import Scan, scan
from inexview.core.article.elements import Paths
from inexview.core.judgements.elements import Locator
from tests.benchmarks.generate import article
from tests.benchmarks.test_eval import peak_megabytes
from tests.opened import opened_locator

pytestmark = pytest.mark.long

TOPICS, DOCUMENTS, EACH = 68, 500, 3
ARTICLES, DIFFERENT = 12_000, 1_000


def sizes(count: int) -> list[int]:
    """Return lengths of articles as a collection has them: most are short, a few long."""
    chance = random.Random(3)
    return [min(max(int(chance.lognormvariate(8.6, 1)), 1000), 100_000) for _ in range(count)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the collection and three runs of the same results: as XPath, as text, as points."""
    folder = tmp_path_factory.mktemp("resolving")
    articles = folder / "articles"
    scans: list[tuple[Scan, Paths]] = []
    for number, size in enumerate(sizes(DIFFERENT)):
        data = article(size, ("2006", "2009")[number % 2], seed=number)
        found = scan(data, "article")
        scans.append((found, Paths(found)))
        for again in range(number, ARTICLES, DIFFERENT):
            place = articles / f"{again % 100:02d}"
            place.mkdir(parents=True, exist_ok=True)
            (place / f"{again}.xml").write_bytes(data)
    chance = random.Random(5)
    text, elements, passages = [], [], []
    for topic in range(TOPICS):
        ranked = [at for at in chance.sample(range(ARTICLES), DOCUMENTS) for _ in range(EACH)]
        chance.shuffle(ranked)
        own_elements, own_passages = [], []
        for rank, number in enumerate(ranked, 1):
            found, paths = scans[number % DIFFERENT]
            index = chance.randrange(len(found.elements))
            path = found.elements.path(index)
            first = paths.point_at(int(found.elements.starts[index]))
            last = paths.point_at(int(found.elements.ends[index]), end=True)
            head, foot = f"<result><file>{number}</file>", f"<rank>{rank}</rank></result>\n"
            text.append(f"{topic} Q0 {number} {rank} {1 / rank:.4f} R {path}\n")
            own_elements.append(f"{head}<path>{path}</path>{foot}")
            own_passages.append(f'{head}<passage start="{first}" end="{last}"/>{foot}')
        elements.append(f'<topic topic-id="{topic}">\n{"".join(own_elements)}</topic>\n')
        passages.append(f'<topic topic-id="{topic}">\n{"".join(own_passages)}</topic>\n')
    frame = '<inex-submission run-id="R" task="Thorough">\n{}</inex-submission>\n'
    (folder / "elements.txt").write_text("".join(text))
    (folder / "elements.xml").write_text(frame.format("".join(elements)))
    (folder / "points.xml").write_text(frame.format("".join(passages)))
    return folder


def note(benchmark: BenchmarkFixture, run: Run) -> None:
    """Note what a thousand articles, and results, took."""
    assert len(run) == TOPICS * DOCUMENTS * EACH
    assert not run.warnings
    articles = len(set(run.document.strings()))
    milliseconds = 1000 * benchmark.stats.stats.median if benchmark.stats else 0
    benchmark.extra_info["articles"] = articles
    benchmark.extra_info["ms per 1000 articles"] = round(1000 * milliseconds / articles)
    benchmark.extra_info["ms per 1000 results"] = round(1000 * milliseconds / len(run))


@pytest.mark.parametrize(
    ("name", "processes"), [("elements.txt", 1), ("elements.txt", 2), ("elements.xml", 1), ("points.xml", 1)]
)
def test_reading_a_run_and_looking_up_its_results(
    benchmark: BenchmarkFixture, folder: Path, name: str, processes: int
) -> None:
    def read() -> Run:
        share = partial(in_order, jobs=processes)
        return read_run(folder / name, locate=Locator(folder / "articles", share=share))

    run = benchmark.pedantic(read, rounds=3)
    note(benchmark, run)
    script = (
        "import sys; from inexview import read_run; "
        "from inexview.core.judgements.elements import Locator; "
        "read_run(sys.argv[1], locate=Locator(sys.argv[2]))"
    )
    if processes == 1:
        paths = (str(folder / name), str(folder / "articles"))
        benchmark.extra_info["peak MB"] = peak_megabytes("-c", script, *paths)


def test_naming_the_elements_and_points_of_a_run(benchmark: BenchmarkFixture, folder: Path) -> None:
    locator = opened_locator(folder / "articles")
    run = read_run(folder / "elements.txt", locate=locator)
    documents = run.document.strings()
    name: Callable[[], object] = partial(locator.points, documents, run.start, run.start + run.size)
    benchmark.pedantic(name, rounds=3)
    note(benchmark, run)
