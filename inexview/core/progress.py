"""How long work says how far it has come, and how it is told to stop; and no search for garbage meanwhile.

The caller of long work hands it a :class:`Progress`; the work calls it as often as it gets on (after each
article, say), and a call that raises :class:`Cancelled` ends it.  How much of this is shown is decided where
it is shown.  The work itself knows neither threads nor windows.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from inexview.core.errors import InexviewError


class Cancelled(InexviewError):  # noqa: N818  # no mistake, but a wish
    """Somebody gave long work up; what had been done by then is kept where that helps a second attempt."""

    def __init__(self) -> None:
        super().__init__("given up before it was done; nothing was changed")


class Progress(Protocol):
    """Takes news of long work."""

    def __call__(self, what: str, done: int, total: int | None) -> None:
        """Hear that ``done`` of ``total`` (None: no one knows) are done.

        ``what`` says of what, for a person: "articles listed", "articles read".  Raises Cancelled where the
        work shall stop.
        """


Tell = Callable[[str], None]
"""Takes a sentence for the person who waits for the work; called in the thread of the work."""


def untold(sentence: str) -> None:
    """Take a sentence and do nothing."""


def unwatched(what: str, done: int, total: int | None) -> None:
    """Take the news and do nothing: for work that no one waits for."""


# Python's search for garbage, left out while objects are made that all stay.

SELDOM = 100  # searches of what is younger, of which Python makes ten before it looks through everything


@contextmanager
def uncollected() -> Iterator[None]:
    """Keep Python from looking for garbage, an eighth of a start and a fifth of a journal."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def look_seldom() -> None:
    """Leave out what is there now for good, and look through all that comes a tenth as often.

    Each such look stops every thread: up to 90 ms for the modules alone, 120 for the judgements of 68 topics.
    """
    gc.freeze()
    gc.set_threshold(*gc.get_threshold()[:2], SELDOM)


def leave_out_again() -> None:
    """Leave out what was loaded and made since, where it was left out before."""
    if gc.get_threshold()[2] == SELDOM:  # to count what is left out would take longer than to look through it
        gc.freeze()
