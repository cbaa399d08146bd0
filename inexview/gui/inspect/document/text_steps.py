"""From hit to hit, miss to miss, false alarm to false alarm: which of how many, and no silent wrap."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from inexview.core.text.spans import EMPTY, Spans
from inexview.core.wording import counted


class PassageKind(Enum):
    """What a run did with a passage of a judged document."""

    HIT = "hit"
    MISS = "miss"
    FALSE_ALARM = "false alarm"
    ENTRY_POINT = "entry point"

    def among(self, marks: Spans, retrieved: Spans) -> Spans:
        """Return the passages of this kind; entry points are no passages."""
        if self is PassageKind.ENTRY_POINT:
            return EMPTY
        if self is PassageKind.HIT:
            return marks & retrieved
        return marks - retrieved if self is PassageKind.MISS else retrieved - marks


class TextSteps:
    """Goes through the passages of a kind.

    At the last one it says so and stays; asked once more it begins again, and says that too.
    """

    def __init__(self) -> None:
        self._at_end: tuple[PassageKind, int] | None = None

    def step(
        self, kind: PassageKind, passages: Iterable[tuple[int, int]], caret: int, by: int
    ) -> tuple[tuple[int, int] | None, str]:
        """Return the passage to go to, None to stay, and what to say of it."""
        spans = list(passages)
        if not spans:
            self._at_end = None
            return None, f"no {kind.value} in this document"
        starts = [start for start, _ in spans]
        if by > 0:
            at = next((place for place, start in enumerate(starts) if start > caret), None)
        else:
            at = next((place for place in reversed(range(len(starts))) if starts[place] < caret), None)
        wrapped = ""
        if at is None:
            if self._at_end != (kind, by):
                self._at_end = kind, by
                which = "last" if by > 0 else "first"
                where = "first" if by > 0 else "last"
                return None, f"this was the {which} {kind.value} of {len(spans)}; once more for the {where}"
            at = 0 if by > 0 else len(spans) - 1
            wrapped = ", from the other end"
        self._at_end = None
        start, end = spans[at]
        size = f" · {counted(end - start, 'character')}" if end > start else ""
        said = f"{kind.value} {at + 1} of {len(spans)}{size}{wrapped}"
        return (start, end), said


def entry_points(bep: int | None, entry: int | None) -> list[tuple[int, int]]:
    """Return the places where the best reader and the run begin, as empty passages in the text's order."""
    return [(at, at) for at in sorted({at for at in (bep, entry) if at is not None})]
