"""The support vector machine beside scipy's minimum, and its features beside dictionaries and loops."""

from __future__ import annotations

from dataclasses import replace
from math import log
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from inexview.core.collection.collection import Collection
from inexview.core.errors import InexviewError
from inexview.core.files import resource
from inexview.core.formats.readers import read_qrels
from inexview.core.formats.topic_files import read_topics
from inexview.core.judgements.topics import Topic
from inexview.core.retrieval.engines import LocalEngine
from inexview.core.retrieval.models import CountQuestion, RetrievalSettings
from inexview.core.retrieval.retrieve import (
    FeatureQuestion,
    Teaching,
    TrainingSet,
    learned_plane,
    retrieve,
    separating_plane,
)
from inexview.core.retrieval.shards import UnitKind
from inexview.core.word_index.word_index import word_index
from tests.core.retrieval import plain_models as plain
from tests.core.retrieval.test_models import FORMS, engine, queries, texts


@given(st.integers(0, 10_000), st.integers(2, 30), st.sampled_from([0.01, 1.0, 30.0]))
@settings(max_examples=25)
def test_the_plane_is_the_minimum(seed: int, count: int, cost: float) -> None:
    chance = np.random.default_rng(seed)
    x = chance.normal(size=(count, 3)) * [1, 20, 0.1] + [0, 5, 0]
    positive = np.arange(count) % 2 == 0
    x[positive] += [0.5, 10, 0]
    y = np.where(positive, 1.0, -1.0)
    plane = separating_plane(x, positive, cost)
    deviation = x.std(axis=0)

    def objective(at: np.ndarray) -> float:
        short = np.maximum(1 - y * (((x - x.mean(axis=0)) / deviation) @ at[:-1] + at[-1]), 0)
        return float(at[:-1] @ at[:-1] / 2 + cost * (short**2).sum())

    weights = np.array(plane.weights) * deviation
    own = objective(np.append(weights, plane.offset + np.array(plane.weights) @ x.mean(axis=0)))
    assert own <= objective(np.zeros(4)) + 1e-12
    assert own == pytest.approx(minimize(objective, np.zeros(4), tol=1e-10).fun, rel=1e-5, abs=1e-8)


@given(texts, queries)
@settings(max_examples=20)
def test_features_are_the_sums_of_the_paper(documents: list[list[str]], query: list[str]) -> None:
    collection = plain.PlainCollection({str(at): words for at, words in enumerate(documents)})
    weights = {word: 0.5 + often for word, often in plain.known(collection, query).items()}
    if not weights:
        return
    with engine(documents) as on:
        asked = RetrievalSettings("SVM", UnitKind(), forms=FORMS)
        counts = sum_of(on.ask(CountQuestion(frozenset(weights), spread=True), FORMS, asked.unit, unheard))
        question = FeatureQuestion(((weights, frozenset(collection.texts)),), counts)
        answers = on.ask(question, FORMS, asked.unit, unheard)
    found = {id: features for shard in answers for id, features in shard[0].items()}
    assert {*found} == {*collection.texts}
    for id, words in collection.documents.items():
        wanted = np.zeros(6)
        for word, weight in weights.items():
            c, length = words[word], words.total()
            having = sum(1 for other in collection.documents.values() if other[word])
            idf, rarity = (len(documents) + 1) / (0.5 + having), 1 / collection.p(word)
            if c:
                parts = log(c), log(1 + c / length), log(idf), log(rarity)
                wanted += weight * np.array([*parts, log(1 + c * idf / length), log(1 + c * rarity / length)])
        assert found[id] == pytest.approx(wanted, rel=1e-12)


def unheard(*_: object) -> None:
    """Take progress and do nothing."""


def sum_of(counts):
    total, *others = counts
    for one in others:
        total = total + one
    return total


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    """Return the sample's engine, its topics and what its two judged topics teach."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("INEXVIEW_CACHE", str(tmp_path_factory.mktemp("cache")))
        collection = Collection.open(resource("sample") / "articles")
        topics = list(read_topics(resource("sample") / "topics.xml"))[:3]
        yield (
            LocalEngine(word_index(collection)),
            topics,
            TrainingSet(topics, read_qrels(resource("sample") / "judgements.txt")),
        )
        collection.close()


def test_a_topic_learns_from_the_others_only(sample) -> None:
    on, topics, training = sample
    asked = RetrievalSettings("SVM", depth=50)
    taught = Teaching.of(training, on, asked, unheard)
    both = [taught._examples[topic.id] for topic in topics[:2]]
    assert [taught.plane_for(topic.id) for topic in topics] == [
        learned_plane(examples, 1.0) for examples in (both[1:], both[:1], both)
    ]
    ranking = retrieve(topics, on, asked, training=training).rankings
    without = TrainingSet([topics[1]], training.qrels)  # what the first topic is ranked by all the same
    alone = retrieve(topics[:1], on, asked, training=without).rankings[topics[0].id]
    assert alone.scores.tolist() == ranking[topics[0].id].scores.tolist()
    assert alone.id == ranking[topics[0].id].id


def test_shards_do_not_matter(sample, tmp_path: Path) -> None:
    on, topics, training = sample
    asked = RetrievalSettings("SVM", depth=100)
    whole = retrieve(topics, on, asked, training=training).rankings
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("inexview.core.word_index.word_index.SEGMENT_WORDS", 3000)
        patched.setenv("INEXVIEW_CACHE", str(tmp_path))
        collection = Collection.open(resource("sample") / "articles")
        cut = retrieve(topics, LocalEngine(word_index(collection)), asked, training=training).rankings
        collection.close()
    for topic, ranking in whole.items():
        assert cut[topic].id == ranking.id
        assert cut[topic].scores.tolist() == ranking.scores.tolist()  # to the last digit


def test_without_judgements_there_is_nothing_to_learn_from(sample) -> None:
    on, topics, training = sample
    with pytest.raises(InexviewError, match="is trained on other topics: give their judgements"):
        retrieve(topics, on, RetrievalSettings("SVM"))
    strange = replace(training, topics=[Topic("9", "olive oil")])
    with pytest.raises(InexviewError, match="at least two"):
        retrieve(topics, on, RetrievalSettings("SVM"), training=strange)
