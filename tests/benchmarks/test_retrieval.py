"""The index of words and the retrieval models on made-up articles of some 1,300 characters each.

``pytest tests/benchmarks/test_retrieval.py --benchmark-only`` prints the medians.  The collection is made up
first (generate_collection.py); the index is kept beside it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from inexview.core.collection.collection import Collection
from inexview.core.collection.collection_index import CachePlace
from inexview.core.judgements.topics import Topic
from inexview.core.retrieval.engines import LocalEngine
from inexview.core.retrieval.models import MODELS, RetrievalSettings
from inexview.core.retrieval.retrieve import retrieve
from inexview.core.word_index.segment import Segment
from inexview.core.word_index.word_index import WordIndex, word_index
from inexview.gui.collection_search import first_page
from tests.benchmarks.generate_collection import made

pytestmark = pytest.mark.long
ARTICLES = 50_000
QUERY = 5  # words
COMMON, RARE = 50, 3000  # of the vocabulary by document frequency: what queries are made of


@pytest.fixture(scope="module")
def collection() -> Iterator[Collection]:
    path = made("zip", ARTICLES)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("INEXVIEW_CACHE", str(path.parent / "cache"))
        with closing(Collection.open(path)) as collection:
            collection.prepare()
            yield collection


@pytest.fixture(scope="module")
def index(collection: Collection) -> WordIndex:
    return word_index(collection)


def words(segment: Segment, count: int, seed: int) -> list[str]:
    """Return words that neither every document has nor hardly any."""
    usual = np.argsort(-segment.document_counts)[COMMON:RARE].tolist()
    return [segment.word(term) for term in random.Random(seed).sample(usual, count)]


def test_the_words_of_a_collection_indexed(benchmark: BenchmarkFixture, collection: Collection) -> None:
    made = benchmark.pedantic(word_index, (collection,), {"rebuild": True}, rounds=1)
    characters = sum(int(segment.characters.sum()) for segment in made.segments)
    size = CachePlace(collection.path, small=False).bytes_of_words()
    benchmark.extra_info["index"] = f"{size / 1e6:,.0f} MB of {characters / 1e6:,.0f} MB of text"


def test_an_index_of_words_opened_and_checked(benchmark: BenchmarkFixture, collection: Collection) -> None:
    word_index(collection)
    assert benchmark(WordIndex.kept, collection) is not None


@pytest.mark.parametrize("model", [name for name, own in MODELS.items() if not own.trained])
def test_a_query(benchmark: BenchmarkFixture, index: WordIndex, model: str) -> None:
    engine, settings = LocalEngine(index), RetrievalSettings(model)
    topics = [Topic(str(seed), " ".join(words(index.segments[0], QUERY, seed))) for seed in range(11)]
    retrieve(topics[:1], engine, settings)  # the units are cut once for a run
    rest = iter(topics[1:])
    found = benchmark.pedantic(lambda: retrieve([next(rest)], engine, settings), rounds=len(topics) - 1)
    assert len(next(iter(found.rankings.values()))) == settings.depth


def test_a_full_text_search(benchmark: BenchmarkFixture, index: WordIndex, collection: Collection) -> None:
    """The first page of the 50 best, with its titles."""
    typed = " ".join(words(index.segments[0], 2, 1))
    result, page = benchmark(first_page, index, collection, typed)
    assert result.found
    assert page


def test_the_postings_of_a_term(benchmark: BenchmarkFixture, index: WordIndex) -> None:
    segment = index.segments[0]
    (word,) = words(segment, 1, 2)

    def postings() -> int:
        term = segment.term(word)
        assert term is not None
        return int(segment.documents_of(segment.postings(range(term, term + 1))).sum())

    assert benchmark(postings)


def test_the_same_query_by_bm25s(benchmark: BenchmarkFixture, index: WordIndex) -> None:
    bm25s = pytest.importorskip("bm25s")
    segment = index.segments[0]
    passages = [
        [str(term) for term in segment.terms[first : min(first + 100, stop)].tolist()]
        for start, stop in zip(segment.documents[:-1].tolist(), segment.documents[1:].tolist(), strict=True)
        for first in range(start, max(stop - 50, start + 1), 50)
    ]
    own = bm25s.BM25(k1=0.9, b=0.4)
    own.index(passages, show_progress=False)
    query = [[str(segment.term(word)) for word in words(segment, QUERY, 1)]]
    benchmark(own.retrieve, query, k=1500, show_progress=False)
    benchmark.extra_info["passages"] = f"{len(passages):,}"
