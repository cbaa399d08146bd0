"""What a ranking retrieves of one document, changed: characters retrieved or no longer, another entry point.

The results of a document are listed in rank order, each with the row of the ranking at which it stands; new
ones share the row of the one that they follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from inexview.core.judgements.runs import NO_LENGTH, UNKNOWN


class PlacedResult(NamedTuple):
    """A result at a row of a ranking, written as in :class:`~inexview.core.judgements.runs.Run`."""

    row: int
    start: int
    size: int

    @property
    def end(self) -> int:
        return self.start + self.size

    @property
    def is_passage(self) -> bool:
        """Whether it is known which characters it is."""
        return self.start != UNKNOWN and self.size != NO_LENGTH


def retrieving(own: Sequence[PlacedResult], start: int, end: int, *, last: int) -> list[PlacedResult]:
    """Return the results of a document with the characters [start, end) retrieved.

    Passages that they overlap or touch become one with them, where the first of these stood.  Where there is
    none they come after the document's results, or at the row ``last``.
    """
    met = [one for one in own if one.is_passage and one.start <= end and start <= one.end]
    if not met:
        return [*own, PlacedResult(own[-1].row if own else last, start, end - start)]
    low, high = min(start, *(one.start for one in met)), max(end, *(one.end for one in met))
    grown = met[0]._replace(start=low, size=high - low)
    return [grown if one is met[0] else one for one in own if one is met[0] or one not in met]


def erasing(own: Sequence[PlacedResult], start: int, end: int) -> list[PlacedResult]:
    """Return the results of a document without the characters [start, end); a passage may become two."""
    left = []
    for one in own:
        row, first, size = one
        last = first + size
        if first == UNKNOWN or size == NO_LENGTH or last <= start or end <= first:
            left.append(one)
            continue
        if first < start:
            left.append(PlacedResult(row, first, start - first))
        if end < last:
            left.append(PlacedResult(row, end, last - end))
    return left


def entering(own: Sequence[PlacedResult], at: int, *, last: int) -> list[PlacedResult]:
    """Return the results of a document entered at an offset; of one without any the only one is ``last``."""
    first, *others = own or [PlacedResult(last, at, NO_LENGTH)]
    return [first._replace(start=at, size=NO_LENGTH), *others]


def moved_to(own: Sequence[PlacedResult], at: int, *, length: int, last: int) -> list[PlacedResult]:
    """Return the results of a document of ``length`` characters, the first of them moved to an offset.

    A passage keeps its size where the document is long enough, and others make room for it.  A document
    without results gets a point at the row ``last``.
    """
    if not own or not own[0].is_passage:
        return entering(own, at, last=last)
    first, *others = own
    end = min(at + first.size, length)
    if end <= at:
        return list(own)
    return [first._replace(start=at, size=end - at), *erasing(others, at, end)]
