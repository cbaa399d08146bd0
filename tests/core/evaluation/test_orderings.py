"""How alike two orderings are, against scipy, every order, and the definition of τ_AP."""

import math
from itertools import combinations, permutations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.evaluation.orderings import PERMUTATIONS, kendall_tau, likeness, spearman_rho

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


def test_what_no_permutation_reaches_has_the_probability_of_one_among_all():
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
