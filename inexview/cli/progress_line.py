"""A line of progress for long work, on a terminal only."""

from __future__ import annotations

import os
import sys
from threading import Lock
from time import monotonic
from types import TracebackType
from typing import Self

from inexview.cli.common import complain

_PATIENCE = 0.5  # seconds before the first line: short work shows none
_PAUSE = 0.1


class Watch:
    """Takes news of long work, as `inexview.core.progress.Progress` does, and shows the last of them.

    Threads may tell news at the same time.  Copies of the process keep silent: their lines would run into one
    another.
    """

    def __init__(self) -> None:
        self._shown = False
        self._next = monotonic() + _PATIENCE
        self._process = os.getpid()
        self._lock = Lock()  # else a line that one thread shows would run into what another one says

    def __enter__(self) -> Self:
        return self

    def __call__(self, what: str, done: int, total: int | None) -> None:
        """Show that ``done`` of ``total`` are done, where stderr is a terminal and it is time to."""
        if monotonic() < self._next or not sys.stderr.isatty() or os.getpid() != self._process:
            return
        with self._lock:
            self._next = monotonic() + _PAUSE
            self._shown = True
            of = "" if total is None else f" of {total:,}"
            print(f"\r\x1b[K{done:,}{of} {what}", end="", file=sys.stderr, flush=True)

    def hide(self) -> None:
        """Blank the line, so that something else can be said; later news show it again."""
        with self._lock:
            self._hide()

    def say(self, sentence: str) -> None:
        """Say something while the work goes on."""
        with self._lock:
            self._hide()
            complain(sentence)

    def _hide(self) -> None:
        if self._shown:
            self._shown = False
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.hide()


class RunCounter(Watch):
    """Counts the runs that are done, behind the news of the present one."""

    def __init__(self, total: int) -> None:
        super().__init__()
        self._total = total
        self._done = 0

    def step(self) -> None:
        self._done += 1
        super().__call__("runs", self._done, self._total)

    def __call__(self, what: str, done: int, total: int | None) -> None:
        """Show how much of the present step is done; of a single step that is all there is to know."""
        steps = f" (of runs, {self._done} of {self._total})" if self._total > 1 else ""
        super().__call__(f"{what}{steps}", done, total)
