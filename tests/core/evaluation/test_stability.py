"""Swaps between two sets of topics, one draw after another."""

from itertools import combinations
from statistics import fmean, geometric_mean

import numpy as np
import pytest

from inexview.core.errors import InexviewError
from inexview.core.evaluation.orderings import BINS, stability
from inexview.core.evaluation.significance import SEED


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
