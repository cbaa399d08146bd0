"""Names at the ends of lines: moved apart where they would meet, and left out where there is no room."""

from __future__ import annotations

from collections.abc import Callable, Sequence


def kept_ends(matters: Sequence[bool], room: int) -> list[int]:
    """Return which of the names are written where there is room for so many: first those that matter.

    >>> kept_ends([False, True, False, False], 2)
    [0, 1]
    """
    order = sorted(range(len(matters)), key=lambda at: not matters[at])
    return sorted(order[: max(room, 0)])


def named_ends(matters: Sequence[bool], room: int) -> tuple[list[int], int]:
    """Return which names are written, and how many are not; a line is left to say that there are more.

    >>> named_ends([False, True, False], 3)
    ([0, 1, 2], 0)
    >>> named_ends([False, True, False], 2)
    ([1], 2)
    """
    kept = kept_ends(matters, room if len(matters) <= room else room - 1)
    return kept, len(matters) - len(kept)


def left_out(more: int, room: float, width: Callable[[str], float]) -> str:
    """Return how many names are not written, in the longest words for which there is room.

    >>> [left_out(56, room, len) for room in (11, 8, 3)]
    ['and 56 more', '56 more', '+56']
    """
    said = (f"and {more} more", f"{more} more", f"+{more}")
    return next((words for words in said if width(words) <= room), said[-1])


def apart(places: Sequence[float], height: float, low: float) -> list[float]:
    """Return places from the top at least a height apart, and none below ``low`` if they fit above it.

    >>> apart([10.0, 12.0, 40.0], 10.0, 100.0)
    [10.0, 20.0, 40.0]
    >>> apart([95.0, 99.0], 10.0, 100.0)
    [90.0, 100.0]
    """
    moved: list[float] = []
    for place in places:
        moved.append(max(place, moved[-1] + height) if moved else place)
    for at in reversed(range(len(moved))):
        moved[at] = min(moved[at], low)
        low = moved[at] - height
    return moved
