"""Progress and cancellation of long work; and suspension of Python's garbage collection.

The caller of long work passes a :class:`Progress`; the work calls it after each step (an article, for
example), and a call that raises :class:`Cancelled` ends it.  The caller decides how much of this to show. The
work itself uses neither threads nor windows.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from inexview.core.errors import InexviewError


class Cancelled(InexviewError):  # noqa: N818  # a wish, not an error
    """Long work was cancelled by the user; completed parts are kept if they help a second attempt."""

    def __init__(self) -> None:
        super().__init__("cancelled; nothing was changed")


class Progress(Protocol):
    """Receives the progress of long work."""

    def __call__(self, what: str, done: int, total: int | None) -> None:
        """Report that ``done`` of ``total`` (None: unknown) are done.

        ``what`` names the unit for users: "articles listed".  Raises Cancelled if the work should stop.
        """


Tell = Callable[[str], None]
"""Takes a sentence for the user who waits for the work; called in the thread of the work."""


def untold(sentence: str) -> None:
    """Ignore a sentence."""


def unwatched(what: str, done: int, total: int | None) -> None:
    """Ignore the progress, for work that is not watched."""


# Python's garbage collection, which is suspended while permanent objects are made.

SELDOM = 100  # young collections before a full one; Python's default is ten


@contextmanager
def uncollected() -> Iterator[None]:
    """Suspend garbage collection, which saves an eighth of a start and a fifth of a journal."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def look_seldom() -> None:
    """Exempt existing objects from garbage collection for good, and collect the rest a tenth as often.

    Each full collection stops every thread: up to 90 ms for the modules, 120 for the judgements of 68 topics.
    """
    gc.freeze()
    gc.set_threshold(*gc.get_threshold()[:2], SELDOM)


def leave_out_again() -> None:
    """Exempt objects made since, if objects were exempted before."""
    # counting the exempted objects would take longer than collecting them
    if gc.get_threshold()[2] == SELDOM:
        gc.freeze()
