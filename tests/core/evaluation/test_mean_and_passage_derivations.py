"""Means and the figures of a document are derived from their parts, and come out as evaluation has them."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inexview.core.evaluation.mean_derivations import derive_means
from inexview.core.evaluation.passage_derivations import derive_document
from inexview.core.measures.one_document import score_document
from inexview.core.measures.parameters import Parameters
from inexview.core.measures.tolerance import reading_effort
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
        assert one.value == scores.mean[one.measure]
        assert [row.document for row in one.rows] == [*scores.topics]
        if one.fraction is None:
            mean = math.exp(sum(row.adds for row in one.rows) / len(one.rows)) if one.rows else 0.0
            assert one.value == pytest.approx(mean, abs=1e-12)
        else:
            assert one.fraction.value == pytest.approx(one.value, abs=1e-12)
            for place, row in enumerate(one.rows):
                rest = [other.adds for other in one.rows if other is not row]
                assert without[at, place] == pytest.approx(sum(rest) / len(rest) if rest else 0.0, abs=1e-12)


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
    read = derive_document("d", judged, retrieved, **own | {"parameters": parameters.changed(score="T2I")})[
        -1
    ]
    effort = reading_effort(judged, retrieved, length=100, tolerance=300)
    assert (read.measure, read.value) == ("T2I[300]", effort.score)
    assert sum(row.adds for row in read.rows) == effort.relevant
    assert [(row.start, row.end) for row in read.rows] == list(effort.read)
    assert [(row.start, row.end) for row in told["P(d)"].rows] == list(retrieved)
    assert [(row.start, row.end) for row in told["R(d)"].rows] == list(judged)
    if entry is not None and own["bep"] is not None:
        assert told["s(x,b)"].filled[-1].endswith(f"= {scores.s:.4f}")
