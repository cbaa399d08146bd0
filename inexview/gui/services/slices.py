"""The one way to do work in the window's own thread: a slice of it in each turn of the event loop.

What belongs to this thread (a project, a text document) is worked on by a generator that yields after every
few milliseconds.  It is asked to go on for ``seconds`` at a time, and in between the window has its turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

from PySide6.QtCore import QObject, QTimer

from inexview.gui.services.settling import SETTLED, Settling

SLICE = 0.012  # seconds


class Slices(QObject):
    """Works through the steps of one generator at a time; an error that it raises ends it and goes on up."""

    def __init__(
        self,
        parent: QObject,
        *,
        seconds: float | None = None,
        pause: int = 0,
        settling: Settling | None = None,
    ) -> None:
        """``seconds``: how long a slice is, 0 for a single step; ``pause``: milliseconds between two.

        With ``settling`` none is taken while that window has something to paint.
        """
        super().__init__(parent)
        self._seconds = seconds
        self._pause = pause
        self._settling = settling
        self._steps: Iterator[object] | None = None
        self._done: Callable[[Any], object] = lambda result: None
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.take_turn)

    @property
    def active(self) -> bool:
        return self._steps is not None

    def start(self, steps: Iterator[object], done: Callable[[Any], object] = lambda result: None) -> None:
        """Begin in the next turn, in place of what was under way; ``done`` gets what ``steps`` returns."""
        self._steps, self._done = steps, done
        self._timer.start(self._pause)

    def wait(self, milliseconds: int) -> None:
        """Go on in so many milliseconds, and then as before."""
        if self.active:
            self._timer.start(milliseconds)

    def stop(self) -> None:
        self._steps = None
        self._timer.stop()

    def take_turn(self) -> None:
        steps = self._steps
        if steps is None:
            return
        if self._settling is not None and not self._settling.settled:
            self._timer.start(SETTLED)
            return
        if self._timer.interval() != self._pause:
            self._timer.setInterval(self._pause)
        end = perf_counter() + (SLICE if self._seconds is None else self._seconds)
        try:
            next(steps)
            while self._steps is steps and perf_counter() < end:
                next(steps)
        except StopIteration as stop:
            if self._steps is steps:
                self.stop()
                self._done(stop.value)
        except BaseException:
            self.stop()
            raise
