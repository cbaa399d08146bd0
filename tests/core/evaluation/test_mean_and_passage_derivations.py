"""Means and the figures of a document are derived from their parts, and come out as evaluation has them."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inexview.core.evaluation.explain import (
    derive_characters,
    derive_cost,
    derive_document,
    derive_place,
    explain,
)
from inexview.core.evaluation.run_derivations import derive_means
from inexview.core.measures.in_context import reading_effort, score_document
from inexview.core.measures.measure import Parameters
from inexview.core.text.spans import Spans
from tests.core.scored_cases import cases, scored
from tests.core.strategies import qrels_of, run_of

some_spans = st.lists(st.tuples(st.integers(0, 80), st.integers(1, 20)).map(lambda at: (at[0], sum(at)))).map(
    Spans
)
points = st.none() | st.integers(0, 100)


@settings(max_examples=60)
@given(cases())
def test_a_mean_is_what_its_topics_add_and_without_one_that_of_the_others(case):
    task, judged, ranked, given_settings = case
    scores = scored(qrels_of(judged), run_of(ranked), task, given_settings)
    told, without = derive_means(scores)
    assert [one.measure for one in told] == [*scores.mean_names]
    for at, one in enumerate(told):
        assert one.value == pytest.approx(scores.mean[one.measure], nan_ok=True, rel=0, abs=0)
        assert [row.document for row in one.rows] == [*scores.topics]
        if one.fraction is None:
            mean = math.exp(sum(row.adds for row in one.rows) / len(one.rows)) if one.rows else math.nan
            assert one.value == pytest.approx(mean, abs=1e-12, nan_ok=True)
        else:
            if one.rows:
                assert one.fraction.value == pytest.approx(one.value, abs=1e-12)
            for place, row in enumerate(one.rows):
                rest = [other.adds for other in one.rows if other is not row]
                mean = sum(rest) / len(rest) if rest else math.nan
                assert without[at, place] == pytest.approx(mean, abs=1e-12, nan_ok=True)


forms = st.sampled_from([{"a": 0.1}, {"n": 12}])


@given(
    some_spans,
    some_spans,
    points,
    points,
    st.sampled_from([0.25, 1.0]),
    st.sampled_from([{"a": 0.1}, {"n": 12}]),
)
def test_the_figures_of_a_document_are_what_its_passages_add(judged, retrieved, bep, entry, beta, form):
    parameters = Parameters(beta=beta, **{"a": None, "n": None, **form})
    own = {"length": 100, "bep": bep if judged else None, "entry": entry, "parameters": parameters}
    told = {one.measure: one for one in derive_document("d", judged, retrieved, **own)}
    scores = score_document(judged, None, retrieved, 100, own["bep"], entry, parameters)
    expected = {"P(d)": scores.precision, "R(d)": scores.recall, "F(d)": scores.f, "s(x,b)": scores.s}
    for name, value in expected.items():
        assert told[name].value == value
        if told[name].fraction is not None:
            assert told[name].fraction.value == pytest.approx(value, abs=1e-12)
            assert sum(row.adds for row in told[name].rows) == pytest.approx(told[name].fraction.numerator)
    read = told["T2I[300]"]
    effort = reading_effort(judged, retrieved, length=100, tolerance=300)
    assert read.value == effort.score
    assert sum(row.adds for row in read.rows) == effort.relevant
    assert [(row.start, row.end) for row in read.rows] == list(effort.read)
    assert [(row.start, row.end) for row in told["P(d)"].rows] == list(retrieved)
    assert [(row.start, row.end) for row in told["R(d)"].rows] == list(judged)
    if entry is not None and own["bep"] is not None:
        assert told["s(x,b)"].filled[-1].endswith(f"= {scores.s:.4f}")


@given(some_spans, some_spans, st.booleans())
def test_the_characters_of_a_document_are_those_of_their_passages(judged, retrieved, known):
    told = {
        one.measure: one for one in derive_characters("d", judged if known else None, retrieved, length=100)
    }
    hits = judged & retrieved
    spans = {"size": retrieved, "characters": Spans([(0, 100)])}
    if known:
        spans |= {"hits": hits, "misses": judged - retrieved, "false alarms": retrieved - judged}
    assert told.keys() == spans.keys()
    for name, own in spans.items():
        assert told[name].value == own.size == sum(row.adds for row in told[name].rows)
        assert [(row.start, row.end) for row in told[name].rows] == list(own)
        assert told[name].filled[-1] == f"= {own.size:,}"


def test_a_rank_counts_the_documents_above_and_a_cost_is_after_less_before():
    told = derive_place("c", ["a", "b", "c", "d"])
    assert (told.value, told.filled) == (3, ("= 1 + 2 = 3",))
    assert [(row.document, row.adds) for row in told.rows] == [("a", 1.0), ("b", 1.0), ("c", 0.0)]
    assert derive_place("x", ["a"]) is None
    cost = explain(Spans([(0, 10)]), Spans([(5, 20)]), length=50).costs[0]
    told = derive_cost("d", cost)
    assert told.value == cost.loss
    assert told.filled[0].startswith(f"{cost.measure} = ")
    assert (told.rows[0].start, told.rows[0].end) == (cost.start, cost.end)
