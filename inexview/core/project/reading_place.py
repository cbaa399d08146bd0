"""Where an assessor stopped reading a document, and how long it was open."""

from __future__ import annotations

from datetime import datetime

from inexview.core.project.journal_rows import Row

OPENED = "opened"
LEFT = "left"


class ReadingHistory:
    """How one document was read for one topic, folded from all rows about it.

    The time counts from "opened" to "left" or, where the program died, to the last thing done.
    """

    __slots__ = ("_ended", "_left", "_opened", "_seen")

    def __init__(self) -> None:
        self._ended = 0.0
        self._opened = ""
        self._seen = ""
        self._left: Row | None = None

    def take(self, row: Row) -> None:
        """Add the next row about the document."""
        if row.action == OPENED:
            self._end()
            self._opened = row.time
        self._seen = row.time
        if row.action == LEFT:
            self._left = row
            self._end()

    @property
    def position(self) -> int | None:
        """The offset at which the document was left last, None where it was not."""
        offset = None if self._left is None else self._left.values().get("offset")
        return offset if isinstance(offset, int) else None

    @property
    def seconds(self) -> float:
        """How long the document was open, up to the last thing done in it."""
        if not self._opened:
            return self._ended
        elapsed = datetime.fromisoformat(self._seen) - datetime.fromisoformat(self._opened)
        return self._ended + max(elapsed.total_seconds(), 0.0)

    def _end(self) -> None:
        self._ended = self.seconds
        self._opened = ""
