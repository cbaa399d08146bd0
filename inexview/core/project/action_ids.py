"""Identifiers of journal rows: unique everywhere, and sorted by the time they were made (UUID version 7)."""

from __future__ import annotations

import secrets
import time
import uuid


class Identifiers:
    """Makes identifiers, each greater than the one before, also when the clock is set back."""

    def __init__(self) -> None:
        self._last = 0

    def new(self) -> str:
        """Return a new identifier, 36 characters: RFC 9562, section 6.2, method 3 (12 bits below the ms)."""
        nanoseconds = time.time_ns()
        milliseconds, rest = divmod(nanoseconds, 1_000_000)
        ticks = max(milliseconds << 12 | (rest << 12) // 1_000_000, self._last + 1)
        self._last = ticks
        bits = (ticks >> 12) << 80 | 0x7 << 76 | (ticks & 0xFFF) << 64 | 0b10 << 62 | secrets.randbits(62)
        return str(uuid.UUID(int=bits))
