"""The offset doctor: reading articles and trying every convention on them.

``pytest tests/benchmarks/test_doctor.py --benchmark-only`` prints the medians.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from inexview.core.collection.collection import Collection
from inexview.core.offset_check.examine import examine, suspicion
from inexview.core.text.counting import UTF8_BYTES
from tests.miscounted import articles, counted_in, judgements
from tests.opened import opened

ARTICLES = 100


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Collection, dict[str, str]]]:
    """Return a collection of articles of some 500 characters, and their texts."""
    place = tmp_path_factory.mktemp("articles")
    texts = articles(place, ARTICLES)
    with closing(Collection.open(place)) as collection:
        collection.prepare()
        yield collection, texts


@pytest.mark.parametrize("look", [examine, suspicion], ids=["all-100", "quick-look"])
def test_qrels_over_small_articles(benchmark: BenchmarkFixture, small, look) -> None:
    collection, texts = small
    qrels = counted_in(UTF8_BYTES, judgements(texts), texts)
    found = benchmark(look, qrels, collection)
    assert found is not None


@pytest.mark.shared
def test_qrels_over_real_articles(benchmark: BenchmarkFixture, shared: Path) -> None:
    """20 articles of 32,000 characters on average."""
    collection = opened(shared / "data" / "wikipedia-2006")
    collection.prepare()
    texts = {id: collection.load(id).text for id in collection.ids()}
    qrels = counted_in(UTF8_BYTES, judgements(texts), texts)
    assert benchmark(examine, qrels, collection).best == UTF8_BYTES
