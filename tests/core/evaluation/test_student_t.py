"""Student's tail against scipy (an oracle here, never needed at run time) and against closed forms."""

import math

import pytest
import scipy.stats

from inexview.core.evaluation.significance import t_two_tailed


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


def test_students_tail_of_what_is_no_number_is_none_and_of_the_infinite_is_0():
    assert math.isnan(t_two_tailed(math.nan, 3))
    assert t_two_tailed(-math.inf, 3) == 0.0


def test_students_tail_needs_a_degree_of_freedom():
    with pytest.raises(ValueError, match="at least 1, not 0"):
        t_two_tailed(1.0, 0)
