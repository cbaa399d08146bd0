"""A difference is what its rows add, and what is said of a pair is what the comparison says."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inexview.core.evaluation.comparison import IntervalKind, compare
from inexview.core.evaluation.comparison import Testing as PairTesting
from inexview.core.evaluation.derivations import derive_prepared
from inexview.core.evaluation.evaluate import evaluate, prepare
from inexview.core.evaluation.run_derivations import (
    BETTER,
    FROM,
    P_CORRECTED,
    TO,
    P,
    derive_compared_mean,
    derive_difference,
    derive_means,
    derive_pair,
    derive_rank,
)
from inexview.core.evaluation.scores import ScoringSettings
from inexview.core.judgements.runs import Task
from inexview.core.measures.measure import parse
from tests.core.evaluation.test_derivation import MEASURES
from tests.core.scored_cases import cases, scored
from tests.core.strategies import judged_documents, qrels_of, rankings, run_of, together

NAMES = "one", "other"


def adds_up(told, first, second):
    derivation = told.derivation
    assert derivation.value == first.value - second.value
    assert len(told.pairs) == len(derivation.rows)
    assert all(len(row.figures) == 2 for row in derivation.rows)
    if first.fraction is not None and second.fraction is not None:
        assert derivation.fraction.value == pytest.approx(derivation.value, abs=1e-12)
        total = sum(row.adds for row in derivation.rows)
        assert derivation.fraction.numerator == pytest.approx(total, abs=1e-12)
    listed = [row for pair in told.pairs for row in pair if row is not None]
    assert sorted(map(repr, listed)) == sorted(map(repr, (*first.rows, *second.rows)))


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
    told, _ = derive_means(scored(qrels_of(judged), run_of(ranked), task, given_settings))
    for left in told:
        adds_up(derive_difference(left, left, NAMES), left, left)


values = st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.9]), min_size=4, max_size=4)


@pytest.mark.parametrize("geometric", [False, True])
@settings(max_examples=20)
@given(st.lists(values, min_size=2, max_size=3), st.sampled_from([0.0, 0.2]))
def test_what_is_said_of_a_pair_is_what_the_comparison_says(geometric, table, tie):
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
