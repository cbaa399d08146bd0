"""The in-context measures against the oracle, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview import DataError, evaluate
from tests.core import oracles
from tests.core.strategies import TOPICS, judged_documents, qrels_of, rankings, run_of, together

BETAS = st.sampled_from([0.0, 0.25, 1.0, 2.0])
RANKS = (1, 2, 3, 5, 10, 25, 50)


def agrees(scores, judged, ranked, score_of):
    for at, topic in enumerate(scores.topics):
        ours = scores.topic(topic)
        precision, recall, curve, average = oracles.in_context(
            judged[topic], ranked[topic], score_of(judged[topic])
        )
        for rank in RANKS:
            last = min(rank, len(precision)) - 1
            assert ours[f"gP[{rank}]"] == pytest.approx(precision[last], abs=1e-14)
            assert ours[f"gR[{rank}]"] == pytest.approx(recall[last], abs=1e-14)
        assert scores.curve[at].tolist() == pytest.approx(curve, abs=1e-14)
        assert ours["AgP"] == pytest.approx(average, abs=1e-14)


@given(
    st.dictionaries(st.sampled_from(TOPICS), judged_documents(), min_size=1),
    st.dictionaries(st.sampled_from(TOPICS), rankings().map(together), min_size=1),
    BETAS,
)
def test_relevant_in_context_is_that_of_the_oracle(judged, ranked, beta):
    scores = evaluate(
        qrels_of(judged), run_of(ranked), task="relevant-in-context", beta=beta, overlap="allow"
    )[0]
    agrees(scores, judged, ranked, lambda own: oracles.f_of_document(own, beta))


@given(
    st.dictionaries(st.sampled_from(TOPICS), judged_documents(), min_size=1),
    st.dictionaries(st.sampled_from(TOPICS), rankings(repeats=False), min_size=1),
    st.sampled_from([{"n": 1}, {"n": 10}, {"n": 500}, {"a": 0.1}, {"a": 2.0}, {"a": 0.0}]),
)
def test_best_in_context_is_that_of_the_oracle(judged, ranked, form):
    scores = evaluate(qrels_of(judged), run_of(ranked), task="best-in-context", **form)[0]
    agrees(scores, judged, ranked, lambda own: oracles.entry_of_document(own, form.get("a"), form.get("n")))


@given(
    st.dictionaries(st.sampled_from(TOPICS), judged_documents(), min_size=1),
    st.dictionaries(st.sampled_from(TOPICS), rankings(repeats=False), min_size=1),
)
def test_complete_averages_over_every_judged_topic(judged, ranked):
    qrels, run = qrels_of(judged), run_of(ranked)
    some = evaluate(qrels, run, task="best-in-context")[0]
    every = evaluate(qrels, run, task="best-in-context", complete=True)[0]
    assert every.topics == tuple(judged)
    for name, mean in every.mean.items():
        total = some.mean[name] * len(some.topics) if some.topics else 0.0
        assert mean == pytest.approx(total / len(judged), abs=1e-15)


def test_a_document_whose_results_stand_apart_is_refused_with_its_line():
    run = run_of({"1": [("a", 0, 2), ("b", 0, 2), ("a", 5, 2)]})
    with pytest.raises(DataError, match="document a is not next to the other results"):
        evaluate(qrels_of({"1": {"a": (2, 9, 0, {0, 1})}}), run, task="relevant-in-context")


def test_overlapping_results_are_refused_or_dropped_for_they_would_score_above_1():
    qrels = qrels_of({"1": {"a": (2, 9, 0, {0, 1})}})
    run = run_of({"1": [("a", 0, 2), ("a", 1, 1)]})
    with pytest.raises(DataError, match=r"^result 2 of topic 1 in document a overlaps the result at rank 1"):
        evaluate(qrels, run, task="relevant-in-context")
    assert evaluate(qrels, run, task="relevant-in-context", overlap="drop")[0].mean["MAgP"] == 1


def test_a_document_that_comes_twice_is_refused_in_best_in_context():
    run = run_of({"1": [("a", 0, 2), ("a", 5, 2)]})
    with pytest.raises(DataError, match="retrieves the same document"):
        evaluate(qrels_of({"1": {"a": (2, 9, 0, {0, 1})}}), run, task="best-in-context")


def test_the_same_document_may_come_in_two_topics():
    judged = {"a": (2, 9, 0, {0, 1})}
    run = run_of({"1": [("a", 0, 2)], "2": [("a", 0, 2)]})
    assert evaluate(qrels_of({"1": judged, "2": judged}), run, task="best-in-context")[0].mean["MAgP"] == 1
