"""File to document: one pass over the XML, elements, display blocks, inline styles, title.

``pytest tests/benchmarks/test_document.py --benchmark-only`` prints the medians.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from statistics import median
from time import thread_time

import pytest
from lxml import etree
from pytest_benchmark.fixture import BenchmarkFixture

from inexview.core.article.document import Document, scan
from inexview.core.article.granularity import Granularity, Snapper
from inexview.core.collection.collection import Collection
from tests.benchmarks.generate import Markup, article

SIZES = (44_000, 250_000, 2_000_000)


@pytest.mark.parametrize("markup", ["2006", "2009", "ieee"])
@pytest.mark.parametrize("characters", SIZES)
def test_file_to_document(
    benchmark: BenchmarkFixture, tmp_path: Path, characters: int, markup: Markup
) -> None:
    path = tmp_path / "1.xml"
    path.write_bytes(article(characters, markup))
    document = benchmark(Document.from_file, path)
    assert abs(document.length - characters) < 0.1 * characters


@pytest.mark.shared
def test_file_to_document_of_the_forty_real_articles(benchmark: BenchmarkFixture, shared: Path) -> None:
    paths = sorted((shared / "data").glob("wikipedia-20*/*.xml"))
    documents = benchmark(lambda: [Document.from_file(path) for path in paths])
    assert len(documents) == 40


@pytest.mark.shared
def test_xml_to_document_next_to_bare_lxml(benchmark: BenchmarkFixture, shared: Path) -> None:
    """The aim is three times lxml's time.

    Both take turns, and what is compared is the processor's time, so that both have the same luck and
    neighbours on the machine count little.
    """
    paths = sorted((shared / "data").glob("wikipedia-20*/*.xml"))
    bare: list[float] = []
    whole: list[float] = []

    def parse_with_lxml() -> None:
        begin = thread_time()
        for path in paths:
            etree.parse(path)
        bare.append(thread_time() - begin)

    def read() -> int:
        begin = thread_time()
        length = sum(Document.from_file(path).length for path in paths)
        whole.append(thread_time() - begin)
        return length

    assert benchmark.pedantic(read, setup=parse_with_lxml, rounds=60, warmup_rounds=3) > 1_000_000
    if benchmark.stats:
        megabytes = sum(path.stat().st_size for path in paths) / 1e6
        ours, theirs = median(whole), median(bare)
        benchmark.extra_info |= {
            "MB/s": round(megabytes / ours, 1),
            "MB/s of lxml": round(megabytes / theirs, 1),
            "times lxml": round(ours / theirs, 2),
        }


@pytest.mark.shared
def test_xml_to_text_and_elements(benchmark: BenchmarkFixture, shared: Path) -> None:
    articles = [path.read_bytes() for path in sorted((shared / "data").glob("wikipedia-20*/*.xml"))]
    found = benchmark(lambda: [len(scan(data, "x.xml").elements) for data in articles])
    assert sum(found) > 10_000


@pytest.mark.parametrize("characters", SIZES)
def test_a_drag_that_grows_over_a_whole_article(benchmark: BenchmarkFixture, characters: int) -> None:
    document = Document.from_bytes(article(characters))
    snapper = Snapper(document)
    steps = range(0, document.length, max(document.length // 1000, 1))
    for end in steps:  # the first touch of each block is measured below
        snapper.grow(end, end, Granularity.SENTENCE)
    moves = iter(steps)

    def move() -> tuple[int, int]:
        nonlocal moves
        end = next(moves, None)
        if end is None:
            moves, end = iter(steps), 0
        return snapper.grow(document.length // 3, end, Granularity.SENTENCE)

    start, end = benchmark(move)
    assert start < end


def test_the_first_touch_of_a_paragraph(benchmark: BenchmarkFixture) -> None:
    document = Document.from_bytes(article(44_000))
    longest = max(document.blocks, key=lambda block: block.end - block.start)
    Snapper(document).sentence_at(0)  # nupunkt's own loading is not meant

    def touch() -> tuple[int, int]:
        return Snapper(document).sentence_at(longest.start)

    assert benchmark(touch)[0] == longest.start


def test_the_title_of_a_long_article_without_reading_it(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    (tmp_path / "1.xml").write_bytes(article(2_000_000))

    def title() -> str:
        with closing(Collection.open(tmp_path)) as collection:
            return collection.title("1")

    assert benchmark(title).startswith("Annals of")
