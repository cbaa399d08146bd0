"""A line of progress for long work, on a terminal only."""

from __future__ import annotations

import sys
from time import monotonic
from types import TracebackType

_PATIENCE = 0.5  # seconds before the first line: short work shows none
_PAUSE = 0.1


class Progress:
    """Counts steps; shows how many are done where stderr is a terminal."""

    def __init__(self, things: str, total: int) -> None:
        self._things = things
        self._total = total
        self._done = 0
        self._shown = False
        self._next = monotonic() + _PATIENCE

    def __enter__(self) -> Progress:
        return self

    def step(self) -> None:
        """Count one step."""
        self._done += 1
        if monotonic() >= self._next and sys.stderr.isatty():
            self._next = monotonic() + _PAUSE
            self._shown = True
            print(f"\r{self._done} of {self._total} {self._things}", end="", file=sys.stderr, flush=True)

    def hide(self) -> None:
        """Blank the line, so that something else can be said; a later step shows it again."""
        if self._shown:
            self._shown = False
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.hide()
