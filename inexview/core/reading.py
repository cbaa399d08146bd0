"""Where an assessor stopped reading each document, and how long it was open."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from inexview.core.journal import Row

OPENED = "opened"
LEFT = "left"


class ReadingPositions:
    """The last reading position of each document, from its "left" rows."""

    def __init__(self) -> None:
        self._left: dict[tuple[str | None, str | None], Row] = {}
        self.last_opened: tuple[str, str] | None = None

    def take(self, row: Row) -> None:
        """Add an "opened" or a "left" row."""
        if row.action == LEFT:
            self._left[row.topic, row.document] = row
        elif row.topic is not None and row.document is not None:
            self.last_opened = (row.topic, row.document)

    def last(self, topic: str, document: str) -> int | None:
        """Return the offset at which a document was left, None where it was not."""
        row = self._left.get((topic, document))
        if row is None:
            return None
        offset = row.values().get("offset")
        return offset if isinstance(offset, int) else None


def seconds_open(rows: Iterable[Row]) -> float:
    """Return how long a document was open, from all its rows in order.

    From "opened" to "left"; where the program ended without a "left", to the last thing done.
    """
    total = 0.0
    opened: datetime | None = None
    seen: datetime | None = None
    for row in rows:
        time = datetime.fromisoformat(row.time)
        if row.action == OPENED:
            if opened is not None and seen is not None:
                total += (seen - opened).total_seconds()
            opened = time
        seen = time
        if row.action == LEFT and opened is not None:
            total += (time - opened).total_seconds()
            opened = None
    if opened is not None and seen is not None:
        total += (seen - opened).total_seconds()
    return max(total, 0.0)
