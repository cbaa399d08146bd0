"""Round numbers along an axis."""

from inexview.gui.charts.ticks import ticks_between


def test_an_axis_of_one_value_names_it():
    """As that of ranks, of a run with one result: painting it had ended the program."""
    assert ticks_between(1.0, 1.0) == (1.0,)
