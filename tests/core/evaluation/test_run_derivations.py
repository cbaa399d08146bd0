"""Points of curves, τ and ρ: what is derived is what is drawn, and its rows make it up."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from inexview.core.evaluation.agreement import kendall_tau, spearman_rho
from inexview.core.evaluation.comparison import compare
from inexview.core.evaluation.derivations import derive_prepared
from inexview.core.evaluation.evaluate import evaluate, prepare, score_run
from inexview.core.evaluation.explain import (
    derive_characters,
    derive_cost,
    derive_document,
    derive_place,
    explain,
)
from inexview.core.evaluation.run_derivations import (
    BETTER,
    FROM,
    P_CORRECTED,
    RHO,
    TAU,
    TO,
    P,
    derive_compared_mean,
    derive_difference,
    derive_mean_point,
    derive_means,
    derive_orderings,
    derive_pair,
    derive_point,
    derive_rank,
    measure_of_point,
)
from inexview.core.evaluation.scores import CurveKind, ScoringSettings
from inexview.core.evaluation.testing import IntervalKind
from inexview.core.evaluation.testing import Testing as PairTesting
from inexview.core.judgements.runs import Task
from inexview.core.measures.in_context import reading_effort, score_document
from inexview.core.measures.measure import Parameters, parse
from inexview.core.text.spans import Spans
from tests.core.evaluation.test_derivation import MEASURES
from tests.core.scored_cases import cases, scored
from tests.core.strategies import judged_documents, qrels_of, rankings, run_of, together

KINDS = [kind for kind in CurveKind if kind is not CurveKind.INTERPOLATED]


@settings(max_examples=60)
@given(cases(), st.sampled_from(list(CurveKind)), st.data())
def test_a_derived_point_equals_the_drawn_one(case, kind, data):
    task, judged, ranked, given_settings = case
    qrels, run = qrels_of(judged), run_of(ranked)
    own = ScoringSettings(task=task, curve=kind, **given_settings)
    scores = score_run(qrels, run, own)
    assume(scores.topics)
    topic = data.draw(st.sampled_from(scores.topics))
    if kind is CurveKind.INTERPOLATED:
        assume(scores.curve is not None)
        x, y = scores.levels, scores.curve[scores.topics.index(topic)]
        mean = scores.mean_curve
    else:
        x, y = scores.points[topic]
        mean = scores.mean_points[1] if kind.averages else np.empty(0)
    if len(mean):
        at = data.draw(st.integers(0, len(mean) - 1))
        told = derive_mean_point(scores, at)
        assert told.value == pytest.approx(float(mean[at]))
        if kind is not CurveKind.EFFORT:
            assert len(told.without) == len(scores.topics)
            assert sum(row.adds for row in told.rows) / len(scores.topics) == pytest.approx(told.value)
    assume(len(y))
    at = data.draw(st.integers(0, len(y) - 1))
    measure = measure_of_point(scores, kind, at, float(x[at]))
    prepared = prepare(qrels, run, own)
    if measure:
        (told,) = derive_prepared(prepare(qrels, run, ScoringSettings(
            task=task, measures=(parse(measure),), **given_settings)), topic)  # fmt: skip
    else:
        told = derive_point(prepared, topic, kind, at)
        assert kind is not CurveKind.ROC or derive_point(prepared, topic, kind, 10_000) is None
    if told is None:
        assert task in (Task.THOROUGH, Task.FETCH_BROWSE, Task.CHUNKS)
        return
    assert told.value == pytest.approx(float(y[at]))
    if kind is CurveKind.EFFORT and not math.isinf(told.value):
        assert sum(row.adds for row in told.rows) == told.value
    if told.fraction is not None and not told.filled[0].startswith("= 0, as"):
        assert told.fraction.value == pytest.approx(told.value)


def test_of_a_topic_that_the_run_lacks_nothing_is_read():
    qrels = qrels_of({topic: {"a": (5, 10, 0, range(5))} for topic in "12"})
    prepared = prepare(qrels, run_of({"1": [("a", 0, 5)]}), ScoringSettings(task=Task.FOCUSED, complete=True))
    told = derive_point(prepared, "2", CurveKind.EFFORT, 3)
    assert (told.value, told.rows) == (math.inf, ())
    assert told.said[-1] == "= ∞: the run finds 0 of them in 0 characters"


SCORES = st.lists(st.sampled_from([0.0, 0.1, 0.2, 0.5]), min_size=2, max_size=6)


@given(SCORES, st.randoms(use_true_random=False))
def test_tau_and_rho_are_made_up_by_their_runs(first, random):
    second = random.sample(first, len(first))
    x, y = np.array(first), np.array(second)
    runs = [f"run{at}" for at in range(len(first))]
    told = derive_orderings(runs, ("MAP", x), ("P@5", y))
    if not np.ptp(x):
        assert not told
        return
    assert told[TAU].value == kendall_tau(x, y)
    assert told[RHO].value == spearman_rho(x, y)
    for one in told.values():
        assert one.fraction.value == pytest.approx(one.value)
        assert sorted(row.document for row in one.rows) == runs


# A difference is what its rows add, and what is said of a pair is what the comparison says.

NAMES = "one", "other"


def adds_up(derivation, first, second):
    assert derivation.value == first.value - second.value
    assert all(len(row.figures) == 2 for row in derivation.rows)
    if first.fraction is not None and second.fraction is not None:
        assert derivation.fraction.value == pytest.approx(derivation.value, abs=1e-12)
        total = sum(row.adds for row in derivation.rows)
        assert derivation.fraction.numerator == pytest.approx(total, abs=1e-12)
    places = [
        Counter((row.document, row.start, row.end, row.element) for row in one.rows)
        for one in (derivation, first, second)
    ]
    assert places[0] == places[1] | places[2]
    if second is first:
        assert all(math.isnan(rest) or abs(rest) < 1e-12 for rest in derivation.without)


@settings(max_examples=60)
@given(st.sampled_from(list(MEASURES)), judged_documents(), rankings(repeats=False), rankings(repeats=False))
def test_documents_and_passages_add_up_to_the_difference_of_a_topic(task, judged, one, other):
    rankings_of_both = [together(ranking)[:6] for ranking in (one, other)]
    own = ScoringSettings(task=task, measures=tuple(map(parse, MEASURES[task])), overlap="allow")
    qrels = qrels_of({"1": judged})
    first, second = (
        derive_prepared(prepare(qrels, run_of({"1": ranking}), own), "1") for ranking in rankings_of_both
    )
    for left, right in zip(first, second, strict=True):
        adds_up(derive_difference(left, right, NAMES), left, right)


@settings(max_examples=40)
@given(cases())
def test_topics_add_up_to_the_difference_of_means(case):
    task, judged, ranked, given_settings = case
    told = derive_means(scored(qrels_of(judged), run_of(ranked), task, given_settings))
    for left in told.values():
        adds_up(derive_difference(left, left, NAMES), left, left)


values = st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.9]), min_size=4, max_size=4)


@pytest.mark.parametrize("geometric", [False, True])
@settings(max_examples=20)
@given(st.lists(values, min_size=2, max_size=3), st.sampled_from([0.0, 0.2]))
def test_figures_of_a_pair_equal_the_comparison(geometric, table, tie):
    scores = [fixed_scores(f"run{at}", own, geometric) for at, own in enumerate(table)]
    how = PairTesting(tie=tie, interval=IntervalKind.BCA)
    comparison = compare(scores, "AP", how)
    pair = comparison.pairs[0]
    for first, second in ((pair.better, pair.worse), (pair.worse, pair.better)):
        told = derive_pair(comparison.difference(first, second))
        sign = 1 if first == pair.better else -1
        wins = pair.wins if sign > 0 else pair.losses
        assert told[BETTER].value == wins == sum(row.adds for row in told[BETTER].rows)
        assert told[P].value == pair.p
        assert told[P_CORRECTED].value == pair.p_corrected
        ends = (pair.low, pair.high) if sign > 0 else (-pair.high, -pair.low)
        assert (told[FROM].value, told[TO].value) == ends
        moved = f"z₀ = {sign * pair.bias:.4f}, acceleration a = {sign * pair.acceleration:.4f}"
        assert moved.replace("-", "−") in " ".join(told[FROM].filled)
        # every choice of signs, from the rows that are shown
        gained = [row.adds for row in told[P].rows]
        reached = abs(sum(gained)) - 1e-12 * sum(map(abs, gained))
        sums = [abs(float(np.dot(signs, gained))) for signs in product((1, -1), repeat=4)]
        assert sum(one >= reached for one in sums) / len(sums) == pytest.approx(pair.p)
        corrected = [row.adds for row in told[P_CORRECTED].rows]
        assert corrected == sorted(corrected)
        means = [
            derive_compared_mean(comparison.difference(*both), "AP")
            for both in ((first, second), (second, first))
        ]
        assert means[0].value - means[1].value == pytest.approx(sign * pair.difference, abs=1e-12)


def fixed_scores(name, own, geometric):
    """The scores of a run on four topics."""
    judged = {"d": (1, 40, None, {0})}
    scores = evaluate(qrels_of({"0": judged}), run_of({"0": [("d", 0, 1)]}), task=Task.FOCUSED)[0]
    label = "gmAP" if geometric else "MAP"
    return replace(
        scores,
        id=name,
        topics=("0", "1", "2", "3"),
        names=("AP",),
        mean_names=(label,),
        values=np.array([own]),
        geometric=frozenset([label]) if geometric else frozenset(),
    )


def test_a_rank_is_one_more_than_the_runs_above():
    told = derive_rank(["a", "b", "c"], [0.1, 0.4, 0.4], 0, "MAP")
    assert told.value == 3 == 1 + sum(row.adds for row in told.rows)
    assert [row.document for row in told.rows] == ["b", "c", "a"]
    assert derive_rank(["a", "b", "c"], [0.1, 0.4, 0.4], 2, "MAP").value == 1


# Means and the figures of a document are derived from their parts, and come out as evaluation has them.

some_spans = st.lists(st.tuples(st.integers(0, 80), st.integers(1, 20)).map(lambda at: (at[0], sum(at)))).map(
    Spans
)
points = st.none() | st.integers(0, 100)


@settings(max_examples=60)
@given(cases())
def test_a_mean_is_the_sum_of_its_topics_and_can_leave_one_out(case):
    task, judged, ranked, given_settings = case
    scores = scored(qrels_of(judged), run_of(ranked), task, given_settings)
    told = derive_means(scores)
    assert [*told] == [*scores.mean_names]
    for one in told.values():
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
                assert one.without[place] == pytest.approx(mean, abs=1e-12, nan_ok=True)


forms = st.sampled_from([{"a": 0.1}, {"n": 12}])


@given(
    some_spans,
    some_spans,
    points,
    points,
    st.sampled_from([0.25, 1.0]),
    st.sampled_from([{"a": 0.1}, {"n": 12}]),
)
def test_the_figures_of_a_document_are_sums_over_its_passages(judged, retrieved, bep, entry, beta, form):
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
