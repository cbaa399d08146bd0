"""The statistics against scipy (an oracle here, never needed at run time) and against definitions."""

import math
from itertools import combinations, product

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given
from hypothesis import strategies as st

from inexview.core.evaluation import significance

SCORES = st.integers(0, 20).map(lambda n: n / 20)  # few values, so that ties are met


def paired(min_size=2, max_size=25):
    return st.lists(st.tuples(SCORES, SCORES), min_size=min_size, max_size=max_size).map(
        lambda rows: tuple(np.array(rows).T)
    )


@pytest.mark.parametrize("df", [1, 2, 3, 10, 49, 67, 113, 199, 200, 201, 203, 500, 1000, 10_000])
@pytest.mark.parametrize("t", [0.0, 1e-3, 0.1, 0.5, 1.0, 1.7, -2.0, 3.0, -5.0, 10.0, 40.0, 1e4])
def test_students_tail_is_scipys_to_a_relative_1e_12(t, df):
    assert significance.t_two_tailed(t, df) == pytest.approx(
        2 * scipy.stats.t.sf(abs(t), df), rel=1e-12, abs=1e-300
    )


@pytest.mark.parametrize("t", [1e-9, 1e-4, 0.3, 1.0, 7.0, 1e5])
def test_students_tail_with_one_and_two_degrees_of_freedom_is_the_closed_form(t):
    assert significance.t_two_tailed(t, 1) == pytest.approx(math.atan2(1, t) * 2 / math.pi, rel=1e-13)
    # 1 − t/√(2+t²), written so that nothing cancels
    closed = 2 / (math.sqrt(2 + t * t) * (math.sqrt(2 + t * t) + t))
    assert significance.t_two_tailed(t, 2) == pytest.approx(closed, rel=1e-13)


def test_students_tail_of_what_is_no_number_is_none_and_of_the_infinite_is_0():
    assert math.isnan(significance.t_two_tailed(math.nan, 3))
    assert significance.t_two_tailed(-math.inf, 3) == 0.0


def test_students_tail_needs_a_degree_of_freedom():
    with pytest.raises(ValueError, match="at least 1, not 0"):
        significance.t_two_tailed(1.0, 0)


@given(paired())
def test_the_t_test_is_scipys(scores):
    left, right = scores
    assume(np.ptp(left - right) > 1e-9)  # scipy divides by a variance that is rounding noise
    wanted = scipy.stats.ttest_rel(left, right)
    got = significance.t_test(left, right)
    assert got.t == pytest.approx(wanted.statistic, rel=1e-11, abs=1e-12)
    assert got.p == pytest.approx(wanted.pvalue, rel=1e-10, abs=1e-12)
    assert got.df == len(left) - 1


def test_the_t_test_says_what_it_can_where_there_is_no_variance():
    assert significance.t_test([0.3, 0.4], [0.3, 0.4]) == significance.TTest(0.0, 1, 1.0)
    assert significance.t_test([0.5, 0.75], [0.25, 0.5]) == significance.TTest(math.inf, 1, 0.0)
    assert significance.t_test([0.25, 0.5], [0.5, 0.75]) == significance.TTest(-math.inf, 1, 0.0)
    assert math.isnan(significance.t_test([0.5], [0.25]).p)


def test_scores_must_be_paired():
    with pytest.raises(ValueError, match="equal length"):
        significance.t_test([1.0, 2.0], [1.0])


def test_the_bootstrap_tends_to_the_exact_share_over_all_resamples():
    gains = np.array([0.5, -0.25, 0.125, 0.25, -0.5])
    exact = np.mean([sum(drawn) <= 0 for drawn in product(gains, repeat=len(gains))])
    got = significance.paired_bootstrap(gains, np.zeros(5), resamples=200_000)
    assert got == pytest.approx(exact, abs=5 * math.sqrt(0.25 / 200_000))


@given(paired(min_size=1))
def test_the_bootstrap_is_seeded_steps_by_a_thousandth_and_its_two_tails_cover_everything(scores):
    left, right = scores
    p = significance.paired_bootstrap(left, right)
    assert p == significance.paired_bootstrap(left, right)
    assert p * 1000 == pytest.approx(round(p * 1000), abs=1e-9)
    assert p + significance.paired_bootstrap(right, left) >= 1  # ties count against both
    if np.all(left > right):
        assert p == 0
    if np.all(left <= right):
        assert p == 1


def test_differences_that_cancel_count_as_no_difference_whatever_the_rounding():
    # three topics worse by 0.1 against one better by 0.3: 0.3 − 3·0.1 is 5.6e-17 in doubles
    weights = np.array([[1.0, 3.0]])
    assert significance.paired_bootstrap([0.3, 0.0], [0.0, 0.1], weights=weights) == 1.0


def test_each_resample_draws_as_many_topics_as_there_are():
    weights = significance.bootstrap_weights(7, resamples=50)
    assert weights.shape == (50, 7)
    assert np.all(weights.sum(axis=1) == 7)
    assert not np.array_equal(weights, significance.bootstrap_weights(7, resamples=50, seed=1))


def test_the_bootstrap_needs_a_topic():
    with pytest.raises(ValueError, match="at least one topic"):
        significance.paired_bootstrap([], [])


def test_improvement_is_in_percent_of_the_worse_mean():
    assert significance.improvement(0.3, 0.25) == pytest.approx(20)
    assert significance.improvement(0.25, 0.5) == -50
    assert math.isnan(significance.improvement(0.3, 0.0))


def test_holms_correction_on_a_hand_worked_example():
    # sorted 0.01 0.02 0.03 0.04 → ×4 ×3 ×2 ×1 = 0.04 0.06 0.06 0.04, never falling: 0.04 0.06 0.06 0.06
    assert significance.holm([0.03, 0.01, 0.04, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert significance.holm([0.9, 0.6]) == pytest.approx([1.0, 1.0])
    corrected = significance.holm([math.nan, 0.01, 0.02])
    assert math.isnan(corrected[0])
    assert corrected[1:] == pytest.approx([0.02, 0.02])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8), st.sampled_from([0.01, 0.05, 0.2]))
def test_holms_correction_rejects_what_his_step_down_procedure_rejects(p, level):
    rejected = set()
    for step, at in enumerate(sorted(range(len(p)), key=lambda i: p[i])):
        if p[at] * (len(p) - step) > level:
            break
        rejected.add(at)
    assert {i for i, q in enumerate(significance.holm(p)) if q <= level} == rejected


@given(paired())
def test_tau_b_and_rho_are_scipys_and_nan_where_one_side_is_all_ties(scores):
    left, right = scores
    tau, rho = significance.kendall_tau(left, right), significance.spearman_rho(left, right)
    if np.ptp(left) == 0 or np.ptp(right) == 0:
        assert math.isnan(tau)
        assert math.isnan(rho)
        return
    assert tau == pytest.approx(scipy.stats.kendalltau(left, right).statistic, abs=1e-12)
    assert rho == pytest.approx(scipy.stats.spearmanr(left, right).statistic, abs=1e-12)


@given(st.permutations(range(6)))
def test_without_ties_tau_counts_concordant_less_discordant_pairs(order):
    signs = [1 if order[i] < order[j] else -1 for i, j in combinations(range(6), 2)]
    assert significance.kendall_tau(range(6), order) == pytest.approx(sum(signs) / len(signs))
