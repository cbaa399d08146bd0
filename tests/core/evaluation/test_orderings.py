"""How alike two orderings are, against scipy, every order, and the definition of τ_AP."""

from __future__ import annotations

import math
from itertools import combinations, permutations
from statistics import fmean, geometric_mean

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.errors import InexviewError
from inexview.core.evaluation.agreement import (
    BINS,
    PERMUTATIONS,
    kendall_tau,
    likeness,
    spearman_rho,
    stability,
)
from inexview.core.evaluation.significance import SEED

SCORES = st.integers(0, 20).map(lambda n: n / 20)  # few values, so that ties are met
PAIRED = st.lists(st.tuples(SCORES, SCORES), min_size=2, max_size=12).map(
    lambda rows: tuple(np.array(rows).T)
)


@given(PAIRED)
def test_tau_b_and_rho_are_scipys_and_nan_where_one_side_is_all_ties(scores):
    left, right = scores
    tau, rho = kendall_tau(left, right), spearman_rho(left, right)
    if np.ptp(left) == 0 or np.ptp(right) == 0:
        assert math.isnan(tau)
        assert math.isnan(rho)
        return
    assert tau == pytest.approx(scipy.stats.kendalltau(left, right).statistic, abs=1e-12)
    assert rho == pytest.approx(scipy.stats.spearmanr(left, right).statistic, abs=1e-12)


@pytest.mark.parametrize("n", [3, 4, 7, 20, 33])
def test_the_probability_of_tau_is_scipys(n):
    rng = np.random.default_rng(n)
    left, right = rng.random(n), rng.random(n)
    wanted = scipy.stats.kendalltau(left, right, method="exact").pvalue
    assert likeness(left, right).tau_p == pytest.approx(wanted, rel=1e-9)
    tied = np.round(left, 1), np.round(right, 1)
    wanted = scipy.stats.kendalltau(*tied, method="asymptotic").pvalue
    if len(set(tied[0])) < n or len(set(tied[1])) < n:
        assert likeness(*tied).tau_p == pytest.approx(wanted, rel=1e-9)


@given(st.permutations(range(6)))
def test_without_ties_tau_counts_concordant_less_discordant_pairs(order):
    signs = [1 if order[i] < order[j] else -1 for i, j in combinations(range(6), 2)]
    found = likeness(range(6), order)
    assert found.tau == found.tau_b == pytest.approx(sum(signs) / len(signs))


def tau_ap(first, second):
    ranking = sorted(range(len(first)), key=lambda run: -first[run])
    rest = ranking[1:]
    right = [
        sum(second[above] > second[run] for above in ranking[:rank]) / rank
        for rank, run in enumerate(rest, 1)
    ]
    return 2 * sum(right) / len(rest) - 1


@given(st.permutations(range(7)), st.permutations(range(7)))
def test_tau_ap_weighs_the_top_as_its_definition_says(first, second):
    assert likeness(first, second).tau_ap == pytest.approx(tau_ap(first, second))


def test_an_error_at_the_top_costs_tau_ap_more():
    best_first = [5, 4, 3, 2, 1]
    top, bottom = [4, 5, 3, 2, 1], [5, 4, 3, 1, 2]
    assert likeness(best_first, top).tau == likeness(best_first, bottom).tau
    assert likeness(best_first, top).tau_ap < likeness(best_first, bottom).tau_ap


def test_an_order_that_no_permutation_reaches_counts_as_one_of_all():
    found = likeness(range(12), range(12))
    assert found.tau_ap == found.rho == 1
    assert found.tau_ap_p == found.rho_p == 1 / (PERMUTATIONS + 1)


def test_the_probabilities_of_tau_ap_and_rho_tend_to_the_share_of_all_orders():
    first, second = [5, 4, 3, 2, 1, 0], [4, 5, 3, 1, 2, 0]
    found = likeness(first, second)
    orders = list(permutations(second))
    far_rho = [abs(spearman_rho(first, order)) >= abs(found.rho) - 1e-9 for order in orders]
    far_tau = [abs(tau_ap(first, order)) >= abs(found.tau_ap) - 1e-9 for order in orders]
    assert found.rho_p == pytest.approx(np.mean(far_rho), abs=0.01)
    assert found.tau_ap_p == pytest.approx(np.mean(far_tau), abs=0.01)


def test_a_single_run_has_no_ordering_and_scorings_must_be_of_the_same_runs():
    assert math.isnan(likeness([1.0], [2.0]).tau)
    with pytest.raises(ValueError, match="equal length"):
        likeness([1, 2], [1, 2, 3])


# Swaps between two sets of topics, one draw after another.


def test_runs_that_never_change_places_are_never_swapped():
    scores = np.array([np.full(10, value) for value in (0.3, 0.2, 0.1)])
    assert not stability("MAP", scores, splits=20).rates.any()


@pytest.mark.parametrize("geometric", [False, True])
def test_the_rate_is_the_share_of_swapped_pairs_over_all_draws(geometric):
    scores = np.random.default_rng(1).random((4, 12))
    found = stability("MAP", scores, splits=200, seed=5, geometric=geometric)
    assert found.sizes.tolist() == [1, 2, 3, 4, 5, 6]
    order = np.random.default_rng(5).permuted(np.tile(np.arange(12), (200, 1)), axis=1)
    mean = geometric_mean if geometric else fmean
    compared, swapped = np.zeros(len(BINS), int), np.zeros(len(BINS), int)
    for topics in order:
        one, other = ([mean(own) for own in scores[:, half]] for half in (topics[:6], topics[6:]))
        for left, right in combinations(range(4), 2):
            place = sum(abs(one[left] - one[right]) >= begin for begin in BINS) - 1
            compared[place] += 1
            swapped[place] += (one[left] - one[right]) * (other[left] - other[right]) < 0
    assert found.compared.tolist() == compared.tolist()
    assert found.swapped.tolist() == swapped.tolist()
    assert found.rates[-1] == swapped.sum() / compared.sum()


def test_means_that_only_rounding_tells_apart_are_no_swap():
    scores = np.array([[0.1, 0.2, 0.0, 0.0], [0.3, 0.0, 0.5, 0.0]])  # 0.1 + 0.2 is more than 0.3
    found = stability("MAP", scores, splits=500)
    order = np.random.default_rng(SEED).permuted(np.tile(np.arange(4), (500, 1)), axis=1)
    tenths = np.rint(10 * (scores[0] - scores[1])).astype(int)
    one, other = tenths[order[:, :2]].sum(axis=1), tenths[order[:, 2:]].sum(axis=1)
    assert found.rates[-1] == np.mean(one * other < 0)


def test_an_odd_topic_is_left_out_of_both_halves():
    scores = np.random.default_rng(2).random((2, 41))
    assert stability("MAP", scores[:, :7], splits=5).sizes.tolist() == [1, 2, 3]
    assert stability("MAP", scores, splits=5).sizes.tolist() == [1, 3, 5, 7, 9, 12, 14, 16, 18, 20]


def test_it_needs_two_runs_and_two_topics():
    with pytest.raises(InexviewError, match="two runs and two topics"):
        stability("MAP", np.ones((1, 9)))
