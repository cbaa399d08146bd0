"""Hits, misses, false alarms and costs, against sets of characters and the worked example."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.errors import InexviewError
from inexview.core.evaluation.explain import closeness, explain
from inexview.core.evaluation.variants import Fault, faults_that_count
from inexview.core.judgements.runs import Task
from inexview.core.measures.in_context import entry_score, score_document
from inexview.core.measures.measure import Parameters
from inexview.core.text.spans import EMPTY, Spans

LENGTH = 80
edges = st.tuples(st.integers(0, LENGTH), st.integers(0, LENGTH)).map(sorted).map(tuple)
some_spans = st.lists(edges, max_size=6).map(Spans)
betas = st.sampled_from([0.25, 0.5, 1.0, 2.0])


def characters(spans: Spans) -> set[int]:
    return {offset for start, end in spans for offset in range(start, end)}


def f_of_sets(judged: set[int], retrieved: set[int], beta: float) -> float:
    hits = len(judged & retrieved)
    if not hits:
        return 0.0
    precision, recall = hits / len(retrieved), hits / len(judged)
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


@given(some_spans, some_spans, betas)
def test_the_three_kinds_of_characters_and_p_r_f_are_those_of_sets(judged, retrieved, beta):
    told = explain(judged, retrieved, length=LENGTH, parameters=Parameters(beta=beta))
    j, r = characters(judged), characters(retrieved)
    assert characters(told.hits) == j & r
    assert characters(told.misses) == j - r
    assert characters(told.false_alarms) == r - j
    assert told.precision.value == (len(j & r) / len(r) if r else 0)
    assert told.recall.value == (len(j & r) / len(j) if j else 0)
    assert told.f.value == pytest.approx(f_of_sets(j, r, beta), abs=1e-12)


@given(some_spans, some_spans, betas)
def test_each_cost_is_what_f_gains_when_that_passage_alone_is_mended(judged, retrieved, beta):
    told = explain(judged, retrieved, length=LENGTH, parameters=Parameters(beta=beta))
    j, r = characters(judged), characters(retrieved)
    assert len(told.costs) == len(told.misses) + len(told.false_alarms)
    for cost in told.costs:
        passage = set(range(cost.start, cost.end))
        mended = r | passage if cost.fault is Fault.MISSED else r - passage
        assert passage <= (j - r if cost.fault is Fault.MISSED else r - j)
        assert cost.after.value == pytest.approx(f_of_sets(j, mended, beta), abs=1e-12)
        assert cost.loss == pytest.approx(f_of_sets(j, mended, beta) - f_of_sets(j, r, beta), abs=1e-12)


@given(some_spans, some_spans, betas, st.integers(0, LENGTH), st.integers(0, LENGTH), st.integers(0, 4))
def test_the_costliest_come_first_and_a_limit_keeps_the_costliest(judged, retrieved, beta, bep, entry, most):
    every = explain(judged, retrieved, length=LENGTH, parameters=Parameters(beta=beta), bep=bep, entry=entry)
    losses = [cost.loss for cost in every.costs]
    assert losses == sorted(losses, reverse=True)
    form = Parameters(beta=beta)
    few = explain(judged, retrieved, length=LENGTH, parameters=form, bep=bep, entry=entry, most=most)
    assert few.costs == every.costs[:most]


@given(
    some_spans,
    some_spans,
    betas,
    st.integers(0, LENGTH) | st.none(),
    st.integers(0, LENGTH) | st.none(),
    st.sampled_from([(0.1, None), (0.5, None), (None, 20)]),
)
def test_the_fractions_are_the_values_that_scoring_gives(judged, retrieved, beta, bep, entry, form):
    a, n = form
    told = explain(judged, retrieved, length=LENGTH, bep=bep, entry=entry, parameters=Parameters(beta, a, n))
    scores = score_document(judged, None, retrieved, LENGTH, bep, entry, parameters=Parameters(beta, a, n))
    assert (told.precision.value, told.recall.value) == (scores.precision, scores.recall)
    assert told.f.value == pytest.approx(scores.f, abs=1e-12)
    assert (told.s.value if told.s else 0) == pytest.approx(scores.s, abs=1e-12)
    assert told.distance is None or abs(told.distance) == scores.distance


def test_document_a_of_the_worked_example():
    judged, retrieved = Spans([(100, 300), (500, 600)]), Spans([(50, 200), (450, 650)])
    told = explain(judged, retrieved, length=1000, bep=120, entry=50)
    assert (told.precision.numerator, told.precision.denominator) == (200, 350)
    assert (told.recall.numerator, told.recall.denominator) == (200, 300)
    assert told.f.value == pytest.approx(0.615385, abs=5e-7)
    assert told.distance == -70
    assert told.s is not None
    assert told.s.value == 100 / 170
    quarter = explain(judged, retrieved, length=1000, parameters=Parameters(beta=0.25))
    assert quarter.f.value == pytest.approx(0.576271, abs=5e-7)


@pytest.mark.parametrize(
    ("distance", "n", "expected"),
    [(30, 1000, 0.97), (700, 1000, 0.30), (30, 500, 0.94), (700, 500, 0.0), (500, 500, 0.0)],
)
def test_the_window_form_of_s_as_in_the_worked_example(distance, n, expected):
    assert closeness(distance, 1000, Parameters(a=None, n=n)).value == pytest.approx(expected)


def test_at_the_best_entry_point_of_a_document_without_length_s_is_1_as_in_the_measures():
    assert closeness(0, 0, Parameters()).value == 1 == entry_score(0, 0, Parameters())
    assert closeness(1, 0, Parameters()).value == 0 == entry_score(1, 0, Parameters())


def test_neither_a_nor_n_is_refused():
    with pytest.raises(InexviewError, match="either A or n"):
        Parameters(a=None, n=None)


def test_the_entry_point_costs_what_s_lacks_of_one_and_spans_the_text_in_between():
    told = explain(Spans([(100, 200)]), Spans([(40, 200)]), length=1000, bep=100, entry=40)
    cost = next(cost for cost in told.costs if cost.fault is Fault.ENTRY_POINT)
    assert (cost.start, cost.end, cost.measure) == (40, 100, "s(x,b)")
    assert cost.loss == pytest.approx(1 - 100 / 160)


@pytest.mark.parametrize(
    ("judged", "bep", "entry"), [(EMPTY, 10, 3), (Spans([(0, 9)]), None, 3), (Spans([(0, 9)]), 4, None)]
)
def test_without_relevance_or_either_entry_point_there_is_no_s(judged, bep, entry):
    told = explain(judged, Spans([(3, 12)]), length=50, bep=bep, entry=entry)
    assert (told.s, told.distance) == (None, None)
    assert all(cost.fault is not Fault.ENTRY_POINT for cost in told.costs)


def test_in_a_document_that_is_not_relevant_mending_changes_nothing():
    told = explain(EMPTY, Spans([(3, 12), (20, 30)]), length=50)
    assert told.f.value == 0
    assert [cost.loss for cost in told.costs] == [0, 0]
    assert [cost.start for cost in told.costs] == [20, 3]  # the larger first


def test_the_size_that_the_qrels_state_is_the_denominator_of_recall():
    told = explain(Spans([(0, 10)]), Spans([(0, 5)]), length=50, rsize=20)
    assert (told.recall.numerator, told.recall.denominator) == (5, 20)
    assert told.f.value == pytest.approx(2 * 5 / (20 + 5))


def test_only_faults_that_a_task_counts_cost_anything():
    judged, retrieved = Spans([(0, 10)]), Spans([(5, 30)])
    by_task = {
        Task.RELEVANT_IN_CONTEXT: {Fault.MISSED, Fault.FALSE_ALARM},
        Task.BEST_IN_CONTEXT: {Fault.ENTRY_POINT},
        Task.DOCUMENTS: set(),
    }
    for task, faults in by_task.items():
        told = explain(judged, retrieved, length=50, bep=0, entry=5, counted=faults_that_count(task))
        assert {cost.fault for cost in told.costs} == faults
        assert told.distance == 5
