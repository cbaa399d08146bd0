"""What one document scores, against counting, and at its corners."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview import Spans, score_document
from inexview.core.measures.measure import Parameters
from tests.core.oracles import entry_score, f

PAIRS = st.lists(
    st.tuples(st.integers(0, 50), st.integers(0, 12)).map(lambda p: (p[0], p[0] + p[1])), max_size=6
)


@given(
    PAIRS,
    PAIRS,
    st.none() | st.integers(0, 60),
    st.none() | st.integers(0, 60),
    st.sampled_from([0.25, 1, 3]),
)
def test_scores_are_those_of_counting_characters(marked, shown, bep, entry, beta):
    judged, retrieved = Spans(marked), Spans(shown)
    inside = {at for start, end in marked for at in range(start, end)}
    seen = {at for start, end in shown for at in range(start, end)}
    scores = score_document(judged, None, retrieved, 60, bep, entry, Parameters(beta=beta))
    hits = len(inside & seen)
    assert (scores.hits, scores.retrieved, scores.relevant) == (hits, len(seen), len(inside))
    precision = hits / len(seen) if seen else 0
    recall = hits / len(inside) if inside else 0
    assert (scores.precision, scores.recall) == (precision, recall)
    assert scores.f == pytest.approx(f(precision, recall, beta), abs=1e-15)
    scored = inside and bep is not None and entry is not None
    assert scores.s == (pytest.approx(entry_score(abs(bep - entry), 60, 0.1, None)) if scored else 0)


def test_the_recall_base_is_the_rsize_of_the_qrels():
    scores = score_document(Spans([(0, 10)]), 40, Spans([(0, 10)]), 100, None, None)
    assert (scores.relevant, scores.recall) == (40, 0.25)


def test_a_document_that_is_not_relevant_scores_0():
    scores = score_document(Spans(), None, Spans([(0, 10)]), 100, 5, 5)
    assert (scores.precision, scores.recall, scores.f, scores.s) == (0, 0, 0, 0)


@pytest.mark.parametrize(("distance", "s"), [(0, 1), (1, 0.999), (1000, 0), (1001, 0), (10_000, 0)])
def test_the_window_form_falls_to_0_within_n_characters(distance, s):
    window = Parameters(a=None, n=1000)
    scores = score_document(Spans([(0, 10)]), None, Spans([(0, 10)]), 100, 0, distance, window)
    assert (scores.distance, scores.s) == (distance, s)


def test_without_an_entry_point_there_is_no_distance():
    scores = score_document(Spans([(0, 10)]), None, Spans(), 100, 3, None)
    assert (scores.distance, scores.s) == (None, 0)


def test_a_document_of_no_length_scores_its_exact_entry_point_only():
    judged = Spans([(0, 10)])
    assert score_document(judged, None, judged, 0, 3, 3).s == 1
    assert score_document(judged, None, judged, 0, 3, 4).s == 0
