"""How much is written to a project at a time in the window's thread: what the disk takes in a moment."""

from __future__ import annotations

from collections.abc import Callable, Generator
from time import perf_counter
from typing import TypeVar

from inexview.core.project.journal.sqlite_errors import BusyError
from inexview.gui.services.tasks import News

T = TypeVar("T")

FEWEST, MOST = 50, 1_000  # rows in a step: most of what a slow disk takes is the same for one as for 50
STEP = 0.02  # seconds that a step should take, most of them for the disk
PATIENCE = 10.0  # seconds for which another program may be busy with the file


class Portions:
    """The size of the next step, by how long the last one took."""

    def __init__(self, fewest: int = FEWEST) -> None:
        self.size = self._fewest = fewest

    def note(self, seconds: float) -> None:
        """Take note that a step took so long."""
        self.size = min(max(int(self.size * STEP / seconds), self._fewest), 2 * self.size, MOST)


def once_free(write: Callable[[], T], news: News) -> Generator[News, None, T]:
    """Write to a project, again and again while another program is busy with its file; return the result.

    Raises what ``write`` raises, BusyError after some seconds.
    """
    end = perf_counter() + PATIENCE
    while True:
        try:
            return write()
        except BusyError:
            if perf_counter() > end:
                raise
        yield news
