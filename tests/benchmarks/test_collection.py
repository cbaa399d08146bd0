"""Collections as large as the Wikipedia of 2006: listing one, opening it again, reading anywhere in it.

``pytest tests/benchmarks/test_collection.py --benchmark-only`` prints the medians.  The collections are made
up first (generate_collection.py), which takes a quarter of an hour, once.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from inexview.core.collection.collection import Collection
from tests.benchmarks.generate_collection import SOME, WIKIPEDIA_2006, id_of, made

pytestmark = pytest.mark.long

COLLECTIONS = [
    pytest.param(kind, count, id=f"{kind}-{count}")
    for kind, count in [
        ("tar.bz2", WIKIPEDIA_2006),
        ("folder", WIKIPEDIA_2006),
        ("tar.bz2", SOME),
        ("tar.gz", SOME),
        ("zip", SOME),
    ]
]
over_collections = pytest.mark.parametrize(("kind", "count"), COLLECTIONS)


@pytest.fixture(autouse=True)
def kept_cache(monkeypatch: pytest.MonkeyPatch, kind: str, count: int) -> None:
    """Keep the indexes beside the collections: the first benchmark makes what the others open."""
    monkeypatch.setenv("INEXVIEW_CACHE", str(made(kind, count).parent / "cache"))


def measured(checkout: Path, what: str, path: Path) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.benchmarks.indexing_worker", what, str(path)]
    done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@over_collections
def test_a_collection_listed_for_the_first_time(
    benchmark: BenchmarkFixture, checkout: Path, kind: str, count: int
) -> None:
    path = made(kind, count)
    found = benchmark.pedantic(measured, (checkout, "index", path), rounds=1)
    assert found["articles"] == count
    benchmark.extra_info["index"] = f"{found['index']:,.0f} MB"
    benchmark.extra_info["kept in all"] = f"{found['kept']:,.0f} MB"
    benchmark.extra_info["resident"] = f"{found['memory']:,.0f} MB"


@over_collections
def test_opening_to_the_first_article(
    benchmark: BenchmarkFixture, checkout: Path, kind: str, count: int
) -> None:
    path, chance = made(kind, count), random.Random(10)

    def read_one() -> int:
        collection = Collection.open(path)
        collection.prepare()
        length = collection.load(id_of(chance.randrange(count))).length
        collection.close()
        return length

    read_one()
    assert benchmark.pedantic(read_one, rounds=20) > 300
    found = measured(checkout, "open", path)
    benchmark.extra_info["resident"] = f"{found['memory']:,.0f} MB"
    benchmark.extra_info["before opening"] = f"{found['memory_before']:,.0f} MB"


@pytest.fixture
def opened(kind: str, count: int) -> Iterator[Collection]:
    collection = Collection.open(made(kind, count))
    collection.prepare()
    collection.load(id_of(0))
    yield collection
    collection.close()


@over_collections
def test_a_random_article_from_its_id_to_the_document(
    benchmark: BenchmarkFixture, opened: Collection, kind: str, count: int
) -> None:
    chance = random.Random(11)
    document = benchmark.pedantic(
        lambda id: opened.load(id), setup=lambda: ((id_of(chance.randrange(count)),), {}), rounds=300
    )
    assert document.length > 300
    benchmark.extra_info["characters"] = document.length


@over_collections
def test_whether_there_is_a_document(
    benchmark: BenchmarkFixture, opened: Collection, kind: str, count: int
) -> None:
    chance = random.Random(12)
    ids = [id_of(chance.randrange(count)) for _ in range(1000)]
    assert benchmark(lambda: sum(id in opened for id in ids)) == len(ids)
    benchmark.extra_info["documents"] = len(ids)
