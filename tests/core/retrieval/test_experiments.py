"""Coordinate search, grid search and cross-validation, on scores that are known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

import pytest

from inexview.core.collection.collection import Collection
from inexview.core.errors import InexviewError
from inexview.core.evaluation.evaluate import evaluate
from inexview.core.evaluation.scores import ScoringSettings
from inexview.core.files import resource
from inexview.core.formats.readers import read_qrels
from inexview.core.formats.topic_files import read_topics
from inexview.core.judgements.runs import Task
from inexview.core.measures.measure import parse
from inexview.core.retrieval.engines import LocalEngine
from inexview.core.retrieval.experiments import (
    GRIDS,
    SEARCHES,
    Tuning,
    coordinate_search,
    grid_search,
    mean_over,
    tuned,
)
from inexview.core.retrieval.models import ModelParameters, RetrievalSettings
from inexview.core.retrieval.retrieve import TrainingSet, retrieve, run_of
from inexview.core.word_index.word_index import word_index

START = ModelParameters()


def hill(parameters: ModelParameters) -> Mapping[str, float]:
    """Score best at k1 = 2 and b = 0.6; topic 2 does not care for b."""
    one = -abs(parameters.k1 - 2.0) - abs(parameters.b - 0.6)
    return {"1": one, "2": -abs(parameters.k1 - 2.0)}


@pytest.mark.parametrize("search", SEARCHES.values())
def test_the_search_finds_the_top(search) -> None:
    assert search(START, ["k1", "b"], hill, ["1", "2"], mean_over) == START.changed({"k1": 2.0, "b": 0.6})


@pytest.mark.parametrize("search", SEARCHES.values())
def test_the_search_stays_where_nothing_is_better(search) -> None:
    assert search(START, ["k1", "b"], lambda _: {"1": 0.5}, ["1"], mean_over) == START
    assert search(START, ["b"], hill, ["2"], mean_over) == START


def test_a_grid_finds_what_lies_behind_a_valley() -> None:
    def two_tops(parameters: ModelParameters) -> Mapping[str, float]:
        return {"1": 1.0 if (parameters.k1, parameters.b) in {(0.5, 0.9), (0.9, 0.4)} else 0.0} | {
            "2": float((parameters.k1, parameters.b) == (0.5, 0.9))
        }

    names, topics = ["k1", "b"], ["1", "2"]
    assert coordinate_search(START, names, two_tops, topics, mean_over) == START
    assert grid_search(START, names, two_tops, topics, mean_over) == START.changed({"k1": 0.5, "b": 0.9})


SCORING = ScoringSettings(task=Task.PASSAGES, measures=(parse("charBpref[12000]"),))


@pytest.fixture
def engine() -> Iterator[LocalEngine]:
    with closing(Collection.open(resource("sample") / "articles")) as collection:
        yield LocalEngine(word_index(collection))


@pytest.mark.parametrize("search", SEARCHES)
def test_tuning_on_the_sample_finds_the_best_parameters(search: str, engine: LocalEngine) -> None:
    topics = list(read_topics(resource("sample") / "topics.xml"))
    qrels = read_qrels(resource("sample") / "judgements.txt")
    settings = RetrievalSettings("QL")
    found = tuned(TrainingSet(topics, qrels), engine, settings, Tuning(SCORING, search=search))
    means = {}
    for value in (START.collection_weight, *GRIDS["collection_weight"]):
        parameters = START.changed({"collection_weight": value})
        asked = RetrievalSettings("QL", parameters=parameters)
        run = run_of(retrieve(topics, engine, asked), asked, "run")
        means[value] = evaluate(qrels, run, task="passages")[0].mean["charBpref[12000]"]
    assert found.trained == pytest.approx(max(means.values()))
    assert means[found.parameters.collection_weight] == max(means.values())
    assert found.tried == len(GRIDS["collection_weight"])
    assert found.validated <= found.trained + 1e-12


def test_impossible_tuning_is_reported(engine: LocalEngine, tmp_path: Path) -> None:
    topics = list(read_topics(resource("sample") / "topics.xml"))
    qrels = read_qrels(resource("sample") / "judgements.txt")
    training, tuning = TrainingSet(topics, qrels), Tuning(SCORING)
    with pytest.raises(InexviewError, match="at least two training topics must be judged"):
        tuned(TrainingSet(topics[:1], qrels), engine, RetrievalSettings("QL"), tuning)
    with pytest.raises(InexviewError, match="TFIDF has no parameter to choose"):
        tuned(training, engine, RetrievalSettings("TFIDF"), tuning)
    with pytest.raises(InexviewError, match="folds = 1: cross-validation needs at least 2"):
        tuned(training, engine, RetrievalSettings("QL"), Tuning(SCORING, folds=1))
    with pytest.raises(InexviewError, match="parameter = 'mu': of BM25 are chosen k1, b"):
        tuned(training, engine, RetrievalSettings("BM25"), Tuning(SCORING, vary=["mu"]))
    with pytest.raises(InexviewError, match="has 6,720 settings; name fewer parameters with --vary"):
        tuned(training, engine, RetrievalSettings("MM"), Tuning(SCORING, search="grid"))
