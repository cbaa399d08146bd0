"""Round numbers along an axis."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.gui.charts.chart_painter import LEAST, log_ticks, ticks, ticks_between


def test_an_axis_of_one_value_names_it():
    """As that of ranks, of a run with one result: painting it had ended the program."""
    assert ticks_between(1.0, 1.0) == (1.0,)


@given(st.floats(1e-6, 1e9), st.floats(1.01, 1e6), st.integers(2, 6))
def test_there_are_three_numbers_on_every_axis(low, factor, about):
    high = low * factor
    for found in (ticks_between(low, high, about=about), ticks(high, about=about), log_ticks(low, high)):
        assert len(found) >= LEAST
        assert all(one < other for one, other in pairwise(found))
        assert found[-1] <= high * (1 + 1e-9)
    assert ticks_between(low, high, about=about)[0] >= low * (1 - 1e-9)


@pytest.mark.parametrize("high", [0.72, 0.51, 1.0, 0.299, 3])
def test_a_low_chart_has_three_numbers(high):
    assert LEAST <= len(ticks(high, about=3)) <= 6
