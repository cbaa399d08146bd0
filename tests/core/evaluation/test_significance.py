"""The tests of a difference against scipy, against every choice of signs, and on equal runs."""

from __future__ import annotations

import math
from itertools import permutations, product
from statistics import NormalDist

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given
from hypothesis import strategies as st

from inexview.core.evaluation import significance
from inexview.core.evaluation.significance import t_two_tailed
from inexview.core.evaluation.testing import PairTest

# Student's tail against scipy (an oracle here, never needed at run time) and against closed forms.


@pytest.mark.parametrize("df", [1, 2, 3, 10, 49, 67, 113, 199, 200, 201, 203, 500, 1000, 10_000])
@pytest.mark.parametrize("t", [0.0, 1e-3, 0.1, 0.5, 1.0, 1.7, -2.0, 3.0, -5.0, 10.0, 40.0, 1e4])
def test_students_tail_is_scipys_to_a_relative_1e_12(t, df):
    assert t_two_tailed(t, df) == pytest.approx(2 * scipy.stats.t.sf(abs(t), df), rel=1e-12, abs=1e-300)


@pytest.mark.parametrize("t", [1e-9, 1e-4, 0.3, 1.0, 7.0, 1e5])
def test_students_tail_with_one_and_two_degrees_of_freedom_is_the_closed_form(t):
    assert t_two_tailed(t, 1) == pytest.approx(math.atan2(1, t) * 2 / math.pi, rel=1e-13)
    # 1 − t/√(2+t²), written so that nothing cancels
    closed = 2 / (math.sqrt(2 + t * t) * (math.sqrt(2 + t * t) + t))
    assert t_two_tailed(t, 2) == pytest.approx(closed, rel=1e-13)


def test_students_tail_is_nan_for_nan_and_0_for_infinity():
    assert math.isnan(t_two_tailed(math.nan, 3))
    assert t_two_tailed(-math.inf, 3) == 0.0


def test_students_tail_needs_a_degree_of_freedom():
    with pytest.raises(ValueError, match="at least 1, not 0"):
        t_two_tailed(1.0, 0)


SCORES = st.integers(0, 20).map(lambda n: n / 20)  # few values, so that ties are met


def paired(min_size=2, max_size=25):
    return st.lists(st.tuples(SCORES, SCORES), min_size=min_size, max_size=max_size).map(
        lambda rows: tuple(np.array(rows).T)
    )


@given(paired())
def test_the_t_test_is_scipys(scores):
    left, right = scores
    assume(np.ptp(left - right) > 1e-9)  # scipy divides by a variance that is rounding noise
    wanted = scipy.stats.ttest_rel(left, right)
    p, t, *_ = significance.t_test([left - right])
    assert t[0] == pytest.approx(wanted.statistic, rel=1e-11, abs=1e-12)
    assert p[0] == pytest.approx(wanted.pvalue, rel=1e-10, abs=1e-12)


def test_the_t_test_without_variance():
    p, t, *_ = significance.t_test([[0.0, 0.0], [0.25, 0.25], [-0.25, -0.25]])
    assert t.tolist() == [0, math.inf, -math.inf]
    assert p.tolist() == [1, 0, 0]
    assert np.isnan(significance.t_test([[0.25]]).p).all()


def test_differences_have_a_row_for_each_pair():
    for test in (significance.t_test, significance.randomisation, significance.bootstrap):
        with pytest.raises(ValueError, match="shape"):
            test([0.1, 0.2])


@given(paired(min_size=1, max_size=8))
def test_few_topics_are_tested_with_every_choice_of_signs(scores):
    differences = scores[0] - scores[1]
    seen = abs(differences.sum()) - 1e-9
    far = [abs(np.dot(signs, differences)) >= seen for signs in product((1, -1), repeat=len(differences))]
    assert significance.randomisation([differences]).p[0] == pytest.approx(np.mean(far))


def test_exact_randomisation_is_scipys_permutation_test():
    rng = np.random.default_rng(3)
    left, right = rng.random(13), rng.random(13)
    wanted = scipy.stats.permutation_test(
        (left, right), lambda a, b: np.mean(a - b), permutation_type="samples", n_resamples=10**6
    )
    assert significance.randomisation([left - right]).p[0] == pytest.approx(wanted.pvalue)


def test_many_topics_are_drawn_and_p_is_never_0():
    rng = np.random.default_rng(4)
    differences = np.array([np.full(30, 0.1), rng.normal(0.2, 1, 30), np.zeros(30)])
    p = significance.randomisation(differences, draws=9999).p
    assert p[0] == 1 / 10_000
    exact = significance.t_test(differences[1:2]).p[0]
    assert p[1] == pytest.approx(exact, abs=0.03)
    assert p[2] == 1
    assert significance.randomisation(differences, draws=9999).p.tolist() == p.tolist()
    assert significance.randomisation(differences, draws=9999, seed=1).p[1] != p[1]


def test_pairs_are_tested_as_they_would_be_alone():
    differences = np.random.default_rng(5).normal(0.1, 1, (7, 25))
    for test in (significance.randomisation, significance.bootstrap):
        alone = [test(differences[at : at + 1]).p[0] for at in range(7)]
        assert test(differences).p.tolist() == pytest.approx(alone)


def test_the_bootstrap_is_one_tailed_and_its_p_never_0():
    rng = np.random.default_rng(6)
    differences = np.array([rng.normal(3, 1, 20), rng.normal(-3, 1, 20), np.full(20, 0.5), np.zeros(20)])
    p = significance.bootstrap(differences, resamples=1000).p
    assert p.tolist() == [1 / 1001, 1, 1 / 1001, 1]
    assert np.isnan(significance.bootstrap([[0.3]]).p[0])


def test_the_bootstrap_is_the_share_of_resampled_ts():
    differences = np.random.default_rng(7).normal(0.3, 1, 12)
    centred = differences - differences.mean()
    weights = significance.resampled(12, resamples=1000)
    samples = [np.repeat(centred, row.astype(int)) for row in weights]
    ts = [sample.mean() / sample.std() for sample in samples]
    seen = differences.mean() / differences.std()
    share = (sum(t >= seen for t in ts) + 1) / 1001
    assert significance.bootstrap([differences]).p[0] == pytest.approx(share)


def test_each_resample_draws_as_many_topics_as_there_are():
    weights = significance.resampled(7, resamples=50)
    assert weights.shape == (50, 7)
    assert (weights.sum(axis=1) == 7).all()
    with pytest.raises(ValueError, match="at least one topic"):
        significance.resampled(0, resamples=5)


@pytest.mark.parametrize("seed", range(4))
def test_the_interval_is_scipys(seed, monkeypatch):
    monkeypatch.setattr(significance, "INTERVAL_RESAMPLES", 50_000)
    differences = np.random.default_rng(seed).gamma(1.5, size=30) - 1
    low, high, bias, acceleration = significance.bca_interval([differences])
    wanted = scipy.stats.bootstrap(
        (differences,), np.mean, n_resamples=50_000, method="BCa", rng=np.random.default_rng(seed)
    ).confidence_interval
    assert (low[0], high[0]) == pytest.approx((wanted.low, wanted.high), abs=0.012)
    # by the book: z0 from the share below the mean, a from the jackknife, both ends as plain quantiles
    means = significance.resampled(30, resamples=50_000) @ differences / 30
    assert NormalDist().cdf(bias[0]) == pytest.approx(np.mean(means < differences.mean()), abs=1e-4)
    without = np.array([np.delete(differences, at).mean() for at in range(30)])
    away = without.mean() - without
    assert acceleration[0] == pytest.approx((away**3).sum() / (6 * (away**2).sum() ** 1.5))
    levels = [significance.accelerated_level(tail, bias[0], acceleration[0]) for tail in (0.025, 0.975)]
    assert (low[0], high[0]) == pytest.approx(np.quantile(means, levels))


def test_the_interval_of_geometric_means_is_scipys():
    rng = np.random.default_rng(6)
    left, right = np.log(rng.uniform(0.1, 1, (2, 40)))
    wanted = scipy.stats.bootstrap(
        (left, right),
        lambda a, b, axis=-1: np.exp(a.mean(axis=axis)) - np.exp(b.mean(axis=axis)),
        paired=True,
        n_resamples=10_000,
        method="BCa",
        rng=7,
    ).confidence_interval
    low, high, *_ = significance.bca_interval_of_geometric_means([left], [right])
    assert (low[0], high[0]) == pytest.approx((wanted.low, wanted.high), abs=0.01)
    same = significance.bca_interval_of_geometric_means([left], [left])
    assert (same[0][0], same[1][0]) == (0, 0)
    assert np.isnan(significance.bca_interval_of_geometric_means([[0.0]], [[0.0]])).all()


def test_the_interval_of_equal_differences_is_that_difference():
    low, high, *_ = significance.bca_interval([[0.25] * 6, [0.0] * 6])
    assert low.tolist() == high.tolist() == [0.25, 0]
    assert np.isnan(significance.bca_interval([[0.1]])).all()


@pytest.mark.parametrize("topics", [5, 50])
@pytest.mark.parametrize("test", list(PairTest))
def test_of_500_pairs_without_a_difference_one_in_twenty_is_called_significant(test, topics):
    """Between 3 % and 7 %; none by signs or ranks of 5 topics, where p cannot fall below 1/16."""
    rng = np.random.default_rng(2010)
    differences = rng.beta(0.7, 2, (500, topics)) - rng.beta(0.7, 2, (500, topics))
    probabilities = {
        PairTest.T_TEST: lambda: significance.t_test(differences).p,
        PairTest.BOOTSTRAP: lambda: significance.bootstrap(differences).p,
        PairTest.RANDOMISATION: lambda: significance.randomisation(differences).p,
        PairTest.WILCOXON: lambda: significance.wilcoxon(differences).p,
        PairTest.SIGN: lambda: significance.sign_test(differences).p,
    }
    share = np.mean(probabilities[test]() < significance.LEVEL)
    if topics == 5 and test not in (PairTest.T_TEST, PairTest.BOOTSTRAP):
        assert share == 0
        assert significance.least_p(5, 2000) == 1 / 16
    elif test is PairTest.SIGN:
        assert 0.01 <= share <= 0.05, "its steps are wide"
    else:
        assert 0.03 <= share <= 0.07


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


@given(st.integers(1, 300), st.floats(0, 1), st.integers(0, 100))
def test_a_quantile_of_sorted_values_is_numpys(count, level, seed):
    rising = np.sort(np.random.default_rng(seed).normal(size=count))
    assert significance._quantile(rising, level) == np.quantile(rising, level)


TESTS = {
    PairTest.T_TEST: significance.t_test,
    PairTest.WILCOXON: significance.wilcoxon,
    PairTest.SIGN: significance.sign_test,
    PairTest.RANDOMISATION: significance.randomisation,
    PairTest.BOOTSTRAP: significance.bootstrap,
}


@pytest.mark.parametrize("test", list(TESTS))
@given(paired(min_size=2, max_size=24))
def test_the_interval_holds_0_exactly_where_p_is_not_significant(test, scores):
    differences = scores[0] - scores[1]
    found = TESTS[test]([differences])
    p, low, high = found.p[0], found.low[0], found.high[0]
    if p < significance.LEVEL:
        assert low >= 0 or high <= 0
        assert low > 0 or high < 0 or not np.ptp(np.abs(differences)) or test is PairTest.WILCOXON
    else:
        assert low <= 1e-12  # an end that is 0 may be rounded to 6e-17
        assert high >= -1e-12
    assert low <= found.estimate[0] + 1e-12
    assert found.estimate[0] - 1e-12 <= high


@given(paired(min_size=6, max_size=9))
def test_the_interval_of_randomisation_ends_where_p_becomes_significant(scores):
    differences = scores[0] - scores[1]
    found = significance.randomisation([differences])
    for end, outwards in ((found.low[0], -1), (found.high[0], 1)):
        assert significance.randomisation([differences - end]).p[0] >= significance.LEVEL
        assert significance.randomisation([differences - end - outwards * 1e-6]).p[0] < significance.LEVEL


@given(paired(min_size=6, max_size=30))
def test_signed_ranks_and_signs_are_scipys(scores):
    differences = scores[0] - scores[1]
    uneven = differences[np.abs(differences) > 1e-9]
    assume(len(uneven) > 5)
    differences = np.where(np.abs(differences) > 1e-9, np.round(differences, 9), 0.0)
    wanted = scipy.stats.binomtest(int((uneven > 0).sum()), len(uneven)).pvalue
    assert significance.sign_test([differences]).p[0] == pytest.approx(wanted)
    if len({*np.abs(np.round(uneven, 9))}) == len(uneven):
        exact = scipy.stats.wilcoxon(uneven, method="exact").pvalue
        assert significance.wilcoxon([differences]).p[0] == pytest.approx(exact)


def test_signed_ranks_of_many_topics_are_scipys_and_ties_have_their_exact_p():
    rng = np.random.default_rng(12)
    differences = rng.normal(0.1, 1, 80)
    wanted = scipy.stats.wilcoxon(differences, method="approx", correction=False).pvalue
    assert significance.wilcoxon([differences]).p[0] == pytest.approx(wanted)
    tied = np.array([1.0, 1, 2, 2, 2, -1, 3, -2])
    ranks = scipy.stats.rankdata(np.abs(tied))
    lower = min(ranks[tied > 0].sum(), ranks[tied < 0].sum())
    sums = [np.dot(chosen, ranks) for chosen in product((0, 1), repeat=8)]
    assert significance.wilcoxon([tied]).p[0] == pytest.approx(2 * np.mean([one <= lower for one in sums]))
    walsh = [(a + b) / 2 for at, a in enumerate(tied) for b in tied[at:]]
    assert significance.wilcoxon([tied]).estimate[0] == pytest.approx(np.median(walsh))


def test_the_tail_is_that_of_every_choice_of_signs(monkeypatch):
    rng = np.random.default_rng(15)
    differences = rng.normal(0.9, 1, (12, 18)) * rng.choice([0.0, 1.0, 1.0], (12, 18))
    lattice = rng.choice([0.2, 0.2, 0.4, 0.6, 0.0, -0.2], (6, 18))
    exact = significance.randomisation([*differences, *lattice]).p
    monkeypatch.setattr(significance, "EXACT_TOPICS", 0)
    found = significance.randomisation([*differences, *lattice]).p
    assert exact.min() < 3e-4
    assert found == pytest.approx(exact, rel=0.3)
    assert found[exact < 0.002] == pytest.approx(exact[exact < 0.002], rel=0.12)


def test_topics_that_are_missing_change_nothing_but_themselves():
    rng = np.random.default_rng(16)
    whole = rng.normal(0.2, 1, (3, 40))
    few = np.where(rng.random((3, 40)) < 0.2, math.nan, whole)
    for name, test in TESTS.items():
        found = test(few)
        for at, row in enumerate(few):
            keys = np.flatnonzero(~np.isnan(row)).tolist()
            more = {"keys": keys} if name is PairTest.RANDOMISATION else {}
            alone = test([row[~np.isnan(row)]], **more)
            assert [column[at] for column in found] == pytest.approx(
                [column[0] for column in alone], nan_ok=True
            )


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_benjamini_hochberg_is_scipys(p):
    wanted = scipy.stats.false_discovery_control(p)
    assert significance.benjamini_hochberg(p) == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("lacking", [False, True])
def test_tukeys_hsd_is_the_share_of_all_deals_of_the_scores(lacking):
    scores = np.array([[0.9, 0.8, 0.7, 0.9], [0.5, 0.6, 0.4, 0.5], [0.5, 0.1, 0.3, 0.2]])
    if lacking:
        scores[2, 3] = math.nan
    pairs = [(0, 1), (0, 2), (1, 2)]

    def apart(table):
        found = []
        for i, j in pairs:
            gained = [a - b for a, b in zip(table[i], table[j], strict=True) if not math.isnan(a - b)]
            found.append(abs(sum(gained)) / math.sqrt(len(gained)))
        return found

    deals = []
    for topic in scores.T:
        there = [at for at in range(3) if not math.isnan(topic[at])]
        columns = []
        for order in permutations(topic[there]):
            column = np.full(3, math.nan)
            column[there] = order
            columns.append(column)
        deals.append(columns)
    farthest = [max(apart(np.array(table).T)) for table in product(*deals)]
    wanted = [np.mean([far >= seen - 1e-12 for far in farthest]) for seen in apart(scores)]
    better, worse = np.array(pairs).T
    found = significance.honest_differences(scores, better, worse, draws=20_000).p
    assert found == pytest.approx(wanted, abs=0.015)
