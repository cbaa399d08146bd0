"""Swaps between two sets of topics, one draw after another."""

import numpy as np
import pytest

from inexview.core.errors import InexviewError
from inexview.core.evaluation.stability import stability


def test_runs_that_never_change_places_are_never_swapped():
    scores = np.array([np.full(10, value) for value in (0.3, 0.2, 0.1)])
    assert not stability("MAP", scores, splits=20).rates.any()


def test_the_rate_is_the_share_of_swapped_pairs_over_all_draws():
    scores = np.random.default_rng(1).random((4, 12))
    found = stability("MAP", scores, splits=200, seed=5)
    assert found.sizes.tolist() == [1, 2, 3, 4, 5, 6]
    order = np.random.default_rng(5).permuted(np.tile(np.arange(12), (200, 1)), axis=1)
    swaps = pairs = 0
    for topics in order:
        one, other = scores[:, topics[:6]].mean(axis=1), scores[:, topics[6:]].mean(axis=1)
        for left in range(4):
            for right in range(left + 1, 4):
                pairs += 1
                swaps += (one[left] - one[right]) * (other[left] - other[right]) < 0
    assert found.rates[-1] == swaps / pairs
    assert found.compared.sum() == pairs
    assert found.swapped.sum() == swaps
    assert found.rates[0] > found.rates[-1]


def test_an_odd_topic_is_left_out_of_both_halves():
    assert stability("MAP", np.random.default_rng(2).random((2, 7)), splits=5).sizes.tolist() == [1, 2, 3]


def test_it_needs_two_runs_and_two_topics():
    with pytest.raises(InexviewError, match="two runs and two topics"):
        stability("MAP", np.ones((1, 9)))
