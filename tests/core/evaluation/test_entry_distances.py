"""Distances of entry points, against the documents one by one."""

import numpy as np
import pytest

from inexview import Judgement, Qrels, Result, Run, Spans, evaluate, read_qrels, read_run
from inexview.core.evaluation.evaluate import entry_distances
from inexview.core.measures.measure import Parameters
from inexview.core.resources import resource

QRELS = Qrels.from_judgements(
    [
        Judgement("1", "a", 10, 1000, 100, Spans([(100, 110)])),
        Judgement("1", "b", 10, 500, 0, Spans([(0, 10)])),
        Judgement("1", "c", 0, 800, None, Spans()),
        Judgement("1", "d", 5, 400, None, Spans([(0, 5)])),
        Judgement("1", "e", 1, 400, 7, Spans([(0, 1)])),
    ]
)


def test_each_relevant_document_has_its_distance_with_a_sign():
    starts = [("c", 3), ("a", 40), ("b", 90), ("a", 100), ("d", 0), ("z", 5)]
    results = [Result("1", name, rank, None, at, at + 10) for rank, (name, at) in enumerate(starts, 1)]
    found = entry_distances(QRELS, Run.from_results(results, id="r"), "1")
    assert found.documents == ("a", "b")
    assert found.rank.tolist() == [2, 3]
    assert found.distance.tolist() == [-60, 90]
    assert found.length.tolist() == [1000, 500]
    assert found.missed == 1
    assert found.scores(Parameters(a=0.1)).tolist() == pytest.approx([100 / 160, 50 / 140])
    assert found.scores(Parameters(a=None, n=80)).tolist() == pytest.approx([20 / 80, 0.0])
    nothing = entry_distances(QRELS, Run.from_results([Result("2", "a", 1, None, 0, 5)], id="r"), "1")
    assert (len(nothing.distance), nothing.missed) == (0, 4)
    not_judged = entry_distances(QRELS, Run.from_results(results, id="r"), "2")
    assert (len(not_judged.distance), not_judged.missed) == (0, 0)


def test_their_scores_are_those_of_best_in_context():
    sample = resource("sample")
    qrels, run = read_qrels(sample / "judgements.txt"), read_run(sample / "runs" / "LM-passages.txt")
    firsts = {}
    for topic in run.topics:
        for one in run.results(topic):
            firsts.setdefault((topic, one.document), one)
    entries = Run.from_results(firsts.values(), id="first")
    scores = evaluate(qrels, entries, task="best-in-context", measures=["gP@1000"])[0]
    for topic in scores.topics:
        found = entry_distances(qrels, run, topic)
        ranked = sum(own == topic for own, _ in firsts)
        assert np.sum(found.scores(Parameters())) / ranked == pytest.approx(scores.topic(topic)["gP@1000"])
        assert found.scores(Parameters()).tolist() == pytest.approx(
            entry_distances(qrels, entries, topic).scores(Parameters()).tolist()
        )
