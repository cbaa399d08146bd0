"""Work in the window's own thread: a slice in each turn of the event loop."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QObject

from inexview.gui.services.tasks import Settling, Slices


@pytest.fixture
def owner(qapp):
    made = QObject()
    yield made
    made.deleteLater()


def counting(done, to=3):
    for number in range(to):
        done.append(number)
        yield
    return "counted"


def test_work_continues_in_the_event_loop_and_passes_on_its_result(owner, qtbot):
    done, results = [], []
    slices = Slices(owner, seconds=0)
    slices.start(counting(done), results.append)
    assert not done
    slices.take_turn()
    assert done == [0], "no time is a single step"
    qtbot.waitUntil(lambda: results == ["counted"])
    assert done == [0, 1, 2]
    assert not slices.active


def test_a_slice_with_time_takes_many_steps(owner):
    done = []
    slices = Slices(owner, seconds=60)
    slices.start(counting(done, 1000))
    slices.take_turn()
    assert len(done) == 1000
    assert not slices.active


def test_no_slice_is_taken_while_the_window_has_something_to_paint(owner, qtbot):
    done, settling = [], Settling(owner)
    slices = Slices(owner, seconds=60, settling=settling)
    slices.start(counting(done))
    settling.unsettle()
    slices.take_turn()
    assert not done
    qtbot.waitUntil(lambda: not slices.active)
    assert done == [0, 1, 2]
    assert settling.settled


def test_new_work_replaces_running_work(owner, qtbot):
    old, new, results = [], [], []
    slices = Slices(owner, seconds=0)
    slices.start(counting(old), results.append)
    slices.take_turn()
    slices.start(counting(new, 1), results.append)
    qtbot.waitUntil(lambda: bool(results))
    assert (old, new, results) == ([0], [0], ["counted"])


def test_work_that_is_stopped_from_within_does_no_more(owner):
    slices = Slices(owner, seconds=60)
    done = []

    def steps():
        yield
        slices.stop()
        yield
        done.append("too much")
        yield

    slices.start(steps(), done.append)
    slices.take_turn()
    slices.take_turn()
    assert not done


def test_an_error_ends_the_work_and_goes_on_up(owner):
    def steps():
        yield
        raise ValueError("broken")

    slices = Slices(owner, seconds=60)
    slices.start(steps())
    with pytest.raises(ValueError, match="broken"):
        slices.take_turn()
    assert not slices.active


def test_work_can_be_kept_waiting(owner, qtbot):
    done = []
    slices = Slices(owner, seconds=0)
    slices.wait(5)
    assert not slices.active, "there is nothing that could go on"
    slices.start(counting(done))
    slices.wait(60_000)
    qtbot.wait(20)
    assert not done
    slices.wait(0)
    qtbot.waitUntil(lambda: not slices.active)
    assert done == [0, 1, 2]
