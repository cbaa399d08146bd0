"""The legend under the text in Inspect: what it says, and what gives way."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from inexview.core.text.spans import Spans
from inexview.gui.article.overlays import Heat, Lane, Overlay
from inexview.gui.inspect.run_on_article import Legend

TEXT = ["hit", "missed", "false alarm", "BEP", "entry point of the run"]
MARGIN = ["a run’s passage", "by how many of 20 runs"]
LANE = Lane("alpha", 1, Spans([(0, 9)]))
HEAT = Heat(np.array([0, 9]), np.array([3]), 20)


@pytest.fixture
def legend(qtbot) -> Legend:
    made = Legend()
    qtbot.addWidget(made)
    made.resize(1000, made.sizeHint().height())
    made.show()
    return made


@pytest.mark.parametrize(
    ("bep", "entry", "said"),
    [
        (100, 30, "entry point, 70 before"),
        (100, 1910, "entry point, 1,810 after"),
        (100, 100, "entry point, at the BEP"),
        (100, None, "entry point of the run"),
        (None, 30, "entry point of the run"),
    ],
)
def test_it_says_how_far_the_entry_point_is(legend, bep, entry, said):
    legend.show_overlay(Overlay(bep=bep, entry=entry))
    assert said in legend.shown()
    assert said in legend.accessibleDescription()


def test_the_margin_is_explained_where_there_is_something_in_it(legend):
    assert legend.shown() == TEXT
    legend.show_overlay(Overlay(lanes=(LANE,)))
    assert legend.shown() == [*TEXT, MARGIN[0]]
    legend.show_overlay(Overlay(lanes=(LANE,), heat=HEAT))
    assert legend.shown() == [*TEXT, *MARGIN]
    legend.set_reading(True)
    assert legend.shown() == [*TEXT, "patience ends; faded: not read", *MARGIN]
    legend.show_overlay(Overlay())
    legend.set_reading(False)
    assert legend.shown() == TEXT


def test_in_little_room_the_last_entries_give_way_and_the_tooltip_has_them(legend):
    legend.show_overlay(Overlay(lanes=(LANE,), heat=HEAT))
    every, before = [*TEXT, *MARGIN], 99
    for width in range(900, 0, -20):
        legend.resize(width, legend.height())
        QApplication.processEvents()
        shown = legend.shown()
        assert shown == every[: len(shown)]
        assert len(shown) <= before
        assert bool(legend.toolTip()) == (len(shown) < len(every))
        before = len(shown)
    assert before == 0


def test_what_is_said_of_the_margin_is_at_the_right_end(legend):
    legend.show_overlay(Overlay(lanes=(LANE,), heat=HEAT))
    for width in (900, 1000, 1400):
        legend.resize(width, legend.height())
        places = [place for _, place in legend._places()]
        assert width - 20 < places[-1].right() < width
        assert all(one.right() < other.left() for one, other in pairwise(places))
