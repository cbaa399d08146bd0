"""What is counted of a run, topic by topic and in all, against counting by hand."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from inexview import Result, Run, evaluate
from tests.core.strategies import TOPICS, qrels_of, run_of

JUDGED = {"a": (4, 100, 10, {10, 11, 12, 13}), "b": (0, 50, None, set())}
RANKING = [("a", 10, 20), ("b", 0, 5), ("z", 0, 7)]


@given(st.lists(st.lists(st.sampled_from([3.0, 2.0, 1.0]), min_size=1, max_size=5), min_size=1, max_size=3))
def test_ties_are_results_with_the_score_of_the_one_before_them_in_their_topic(scores):
    """The first of a topic has none before it, also where the last of the topic before has its score."""
    own = dict(zip(TOPICS, (sorted(of_topic, reverse=True) for of_topic in scores), strict=False))
    results = [
        Result(topic, f"d{rank}", rank, score, 0, 1)
        for topic, of_topic in own.items()
        for rank, score in enumerate(of_topic, 1)
    ]
    qrels = qrels_of(dict.fromkeys(own, JUDGED))
    counts = evaluate(qrels, Run.from_results(results), task="focused")[0].counts
    ties = {topic: sum(one == other for one, other in pairwise(of_topic)) for topic, of_topic in own.items()}
    assert {topic: counted.ties for topic, counted in counts.topics.items()} == ties
    assert counts.total.ties == sum(ties.values())


def test_characters_are_counted_except_where_results_are_points():
    qrels, run = qrels_of({"1": JUDGED}), run_of({"1": RANKING})
    for task, sizes in (("focused", (32, 4, 4)), ("best-in-context", (0, 4, 0))):
        counts = evaluate(qrels, run, task=task)[0].counts
        for counted in (counts.total, counts.topics["1"]):
            assert (counted.ret_size, counted.rel_size, counted.rel_ret_size) == sizes
            assert (counted.num_ret, counted.num_rel, counted.num_rel_ret) == (3, 1, 1)
            assert (counted.results, counted.unjudged, counted.unknown) == (3, 1, 0)


def test_grades_of_documents_are_no_characters():
    qrels = replace(qrels_of({"1": JUDGED}), graded=True)
    counts = evaluate(qrels, run_of({"1": RANKING}), task="documents")[0].counts
    assert [counted.rel_size for counted in (counts.total, counts.topics["1"])] == [0, 0]


def test_what_there_is_to_find_is_summed_over_every_judged_topic():
    qrels = qrels_of({"1": JUDGED, "2": JUDGED})
    counts = evaluate(qrels, run_of({"2": RANKING}), task="focused")[0].counts
    assert (counts.total.num_rel, counts.total.rel_size) == (2, 8)
    assert (counts.total.num_rel_ret, counts.total.rel_ret_size) == (1, 4)
    assert list(counts.topics) == ["2"]


@given(st.lists(st.lists(st.sampled_from("abcdefghijklmnop"), max_size=30), min_size=1, max_size=3))
def test_judged_at_ten_counts_the_first_ten_documents(rankings):
    judged = {name: (0, 50, None, set()) for name in "acegikm"}
    own = {topic: ranking for topic, ranking in zip(TOPICS, rankings, strict=False) if ranking}
    places = {topic: [(name, at, at + 1) for at, name in enumerate(of)] for topic, of in own.items()}
    if not own:
        return
    qrels, run = qrels_of(dict.fromkeys(own, judged)), run_of(places)
    counts = evaluate(qrels, run, task="focused", overlap="allow")[0].counts
    first = {topic: list(dict.fromkeys(of))[:10] for topic, of in own.items()}
    assert counts.judged_at == {topic: sum(name in judged for name in of) / 10 for topic, of in first.items()}
