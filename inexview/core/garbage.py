"""Python's search for garbage, left out while objects are made that all stay."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

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
