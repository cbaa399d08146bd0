"""Another time in the tests of the window: INEXVIEW_DISTURBED finds those that wait for too little.

A test that fails then would fail one day on a machine that is busy, or quick.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from time import sleep

import pytest
from PySide6.QtCore import QObject, QTimerEvent

from inexview.gui.services import tasks

SLOW, STALL, QUICK = 0.4, 0.2, 0.4  # seconds at most
TURNS = (0, 1, 2, 5, 9, 15, 30, 60)  # milliseconds between two turns of the event loop that may stall


def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have work beside the window begin and end late, and work within it take many turns."""
    outcome, make = tasks._outcome, tasks.Slices.__init__

    def late(task):
        sleep(SLOW * random.random() ** 2)
        done = outcome(task)
        sleep(SLOW * random.random() ** 2)
        return done

    def with_pauses(self, parent, *, seconds=None, pause=0, settling=None):
        make(self, parent, seconds=seconds, pause=max(pause, 5), settling=settling)

    monkeypatch.setattr(tasks, "_outcome", late)
    monkeypatch.setattr(tasks.Slices, "__init__", with_pauses)
    monkeypatch.setattr(tasks, "SLICE", 0)
    monkeypatch.setattr(tasks, "SETTLED", 300)


def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have work beside the window be done before whoever asked for it goes on."""
    submit = ThreadPoolExecutor.submit

    def at_once(self, *work):
        future = submit(self, *work)
        with suppress(TimeoutError):
            future.result(QUICK)
        return future

    monkeypatch.setattr(
        tasks, "ThreadPoolExecutor", type("AtOnce", (ThreadPoolExecutor,), {"submit": at_once})
    )


class _Stalling(QObject):
    """Holds the window's thread up, now and then."""

    def timerEvent(self, event: QTimerEvent) -> None:
        self.killTimer(event.timerId())
        if random.random() < 0.25:
            sleep(STALL * random.random())
        self.startTimer(random.choice(TURNS))


def stalled(_monkeypatch: pytest.MonkeyPatch) -> QObject:
    """Hold the window's thread up between turns of its event loop, as another program would."""
    stalling = _Stalling()
    stalling.startTimer(0)
    return stalling


WAYS: dict[str, Callable[[pytest.MonkeyPatch], object]] = {
    one.__name__: one for one in (slow, quick, stalled)
}
