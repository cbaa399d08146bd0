"""Python searches for garbage where it costs nobody a wait."""

import gc

import pytest

from inexview.core.progress import look_seldom, uncollected


@pytest.fixture
def as_before():
    """Let Python look as it did, for the tests that follow."""
    thresholds = gc.get_threshold()
    yield
    gc.set_threshold(*thresholds)


@pytest.mark.usefixtures("as_before")
def test_all_that_is_there_is_left_out_and_all_that_comes_is_looked_through_a_tenth_as_often():
    young, middle, every = gc.get_threshold()
    before, made = gc.get_freeze_count(), [[number] for number in range(10)]
    look_seldom()
    assert gc.get_freeze_count() >= before + len(made)
    assert gc.get_threshold()[:2] == (young, middle)
    assert gc.get_threshold()[2] in (10 * every, 0), "Python 3.14 has no third one"


def test_nothing_is_looked_for_while_all_that_is_made_stays():
    with uncollected():
        assert not gc.isenabled()
        with uncollected():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()
