"""Where an assessor stopped reading each document, and how long it was open."""

from __future__ import annotations

from datetime import datetime

from inexview.core.journal import Row

OPENED = "opened"
LEFT = "left"


class _Clock:
    """Adds up the time from "opened" to "left", or, where the program died, to the last thing done."""

    __slots__ = ("opened", "seen", "spent")

    def __init__(self) -> None:
        self.spent = 0.0
        self.opened = ""
        self.seen = ""

    def take(self, action: str, time: str) -> None:
        """Note a row about the document, of this UTC time."""
        if action == OPENED:
            self.stop()
            self.opened = time
        self.seen = time
        if action == LEFT:
            self.stop()

    def stop(self) -> None:
        """End a time of reading."""
        self.spent += self.running
        self.opened = ""

    @property
    def running(self) -> float:
        """Seconds from opening to the last thing done, 0 where the document is not open."""
        if not self.opened:
            return 0.0
        elapsed = datetime.fromisoformat(self.seen) - datetime.fromisoformat(self.opened)
        return max(elapsed.total_seconds(), 0.0)


class Reading:
    """Reading positions and times of all documents, folded from the rows about them."""

    def __init__(self) -> None:
        self._left: dict[tuple[str | None, str | None], Row] = {}
        self._clocks: dict[tuple[str | None, str | None], _Clock] = {}
        self.last_opened: tuple[str, str] | None = None

    def take(self, row: Row) -> None:
        """Add a row about a document."""
        key = (row.topic, row.document)
        clock = self._clocks.get(key)
        if clock is None:
            clock = self._clocks[key] = _Clock()
        clock.take(row.action, row.time)
        if row.action == LEFT:
            self._left[key] = row
        elif row.action == OPENED and row.topic is not None and row.document is not None:
            self.last_opened = (row.topic, row.document)

    def position(self, topic: str, document: str) -> int | None:
        """Return the offset at which a document was left, None where it was not."""
        row = self._left.get((topic, document))
        if row is None:
            return None
        offset = row.values().get("offset")
        return offset if isinstance(offset, int) else None

    def seconds(self, topic: str, document: str) -> float:
        """Return how long a document was open, up to the last thing done in it."""
        clock = self._clocks.get((topic, document))
        return 0.0 if clock is None else clock.spent + clock.running
