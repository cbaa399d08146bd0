"""Where an assessor stopped reading a document, and how long it was open."""

from __future__ import annotations

from datetime import UTC, datetime

from inexview.core.project.journal.journal_rows import Row
from inexview.core.project.journal.row_values import LARGEST

OPENED = "opened"
LEFT = "left"
AWAY = "away"
BACK = "back"
INSPECTED = "inspected"
SUGGESTED = "suggested"
READING = frozenset((OPENED, LEFT, AWAY, BACK, INSPECTED, SUGGESTED))
"""Actions that are about reading a document, and judge nothing."""
_NEVER = datetime.min.replace(tzinfo=UTC)


class ReadingHistory:
    """How one document was read for one topic, folded from all rows about it.

    The time counts from "opened" to "left" or, where the program died, to the last thing done.  It does not
    count from "away", and for the seconds that this names before itself, until "back" or the next action.
    """

    __slots__ = ("_away", "_ended", "_left", "_opened", "_seen")

    def __init__(self) -> None:
        self._away = False
        self._ended = 0.0
        self._opened: datetime | None = None
        self._seen = _NEVER
        self._left: Row | None = None

    def take(self, row: Row) -> None:
        """Add the next row about the document; raises DamagedRowError where it makes no sense."""
        time = _time(row)
        if not self._away and row.action not in READING:  # so are most, of which a day has 10,000
            self._see(time)
            return
        if row.action in (OPENED, BACK) or (self._away and row.action not in (LEFT, AWAY)):
            self._end()
            self._opened = self._seen = time
            self._away = False
        self._see(time)
        if row.action == LEFT:
            self._left, self._away = row, False
            self._end()
        elif row.action == AWAY and self._opened:
            idle = _idle(row)
            self._ended = max(self._ended, self.seconds - idle)
            self._opened, self._away = None, True

    @property
    def position(self) -> int | None:
        """The offset at which the document was left last, None where it was not."""
        offset = None if self._left is None else self._left.values().get("offset")
        return offset if isinstance(offset, int) else None

    @property
    def seconds(self) -> float:
        """How long the document was open, up to the last thing done in it."""
        return self.seconds_until(self._seen)

    def seconds_until(self, now: datetime) -> float:
        """Return how long it was open up to a time at which, if it is open, somebody still looks."""
        if self._opened is None:
            return self._ended
        return self._ended + max((now - self._opened).total_seconds(), 0.0)

    def _see(self, time: datetime) -> None:
        """Note that something was done; a clock that was put back meanwhile takes no time away."""
        if time > self._seen:
            self._seen = time

    def _end(self) -> None:
        self._ended = self.seconds
        self._opened = None


def _time(row: Row) -> datetime:
    try:
        time = datetime.fromisoformat(row.time)
    except ValueError as error:
        raise row.damaged(f"time is {row.time!r}, and no time") from error
    return time if time.tzinfo is not None else time.replace(tzinfo=UTC)


def _idle(row: Row) -> float:
    idle = row.values().get("idle", 0)
    if not isinstance(idle, int | float) or not 0 <= idle < LARGEST:
        raise row.damaged(f"idle is {idle!r}, and no number of seconds")
    return float(idle)
