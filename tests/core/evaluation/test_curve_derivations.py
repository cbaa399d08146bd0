"""Points of curves, τ and ρ: what is derived is what is drawn, and its rows make it up."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from inexview import Task
from inexview.core.evaluation.derivations import derive_prepared
from inexview.core.evaluation.evaluate import prepare, score_run
from inexview.core.evaluation.orderings import kendall_tau, spearman_rho
from inexview.core.evaluation.run_derivations import (
    RHO,
    TAU,
    derive_mean_point,
    derive_orderings,
    derive_point,
    measure_of_point,
)
from inexview.core.evaluation.scores import CurveKind, ScoringSettings
from inexview.core.measures.measure import parse
from tests.core.scored_cases import cases
from tests.core.strategies import qrels_of, run_of

KINDS = [kind for kind in CurveKind if kind is not CurveKind.INTERPOLATED]


@settings(max_examples=60)
@given(cases(), st.sampled_from(list(CurveKind)), st.data())
def test_a_point_is_derived_to_what_is_drawn(case, kind, data):
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
        told, without = derive_mean_point(scores, at)
        assert told.value == pytest.approx(float(mean[at]))
        assert without.shape == (len(scores.topics),)
        if kind is not CurveKind.EFFORT:
            assert sum(row.adds for row in told.rows) / len(scores.topics) == pytest.approx(told.value)
    assume(len(y))
    at = data.draw(st.integers(0, len(y) - 1))
    measure = measure_of_point(scores, kind, at, float(x[at]))
    prepared = prepare(qrels, run, own)
    if measure:
        (told,) = derive_prepared(prepare(qrels, run, ScoringSettings(
            task=task, measures=(parse(measure),), **given_settings)), topic)  # fmt: skip
    else:
        told = derive_point(prepared, kind, topic, at)
        assert kind is not CurveKind.ROC or derive_point(prepared, kind, topic, 10_000) is None
    if told is None:
        assert task in (Task.THOROUGH, Task.FETCH_BROWSE)
        return
    assert told.value == pytest.approx(float(y[at]))
    if kind is CurveKind.EFFORT and not math.isinf(told.value):
        assert sum(row.adds for row in told.rows) == told.value
    if told.fraction is not None and not told.filled[0].startswith("= 0, as"):
        assert told.fraction.value == pytest.approx(told.value)


def test_of_a_topic_that_the_run_lacks_nothing_is_read():
    qrels = qrels_of({topic: {"a": (5, 10, 0, range(5))} for topic in "12"})
    prepared = prepare(qrels, run_of({"1": [("a", 0, 5)]}), ScoringSettings(task=Task.FOCUSED, complete=True))
    told = derive_point(prepared, CurveKind.EFFORT, "2", 3)
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
