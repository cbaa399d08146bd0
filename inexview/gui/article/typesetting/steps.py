"""Long work in steps of about a millisecond, between which other work can be done."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

Steps = Generator[None, None, T]
"""Yields None after each step, and returns what came of it."""


def stepwise(things: Iterable[T], step: int) -> Iterator[T | None]:
    """Yield things, and None after each ``step`` of them."""
    for number, thing in enumerate(things, 1):
        yield thing
        if number % step == 0:
            yield None
