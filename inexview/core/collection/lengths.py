"""How many characters documents have, noted when they are read and remembered for the next time.

A note holds for a file that is as it was then: of a folder's file its size and time of change are noted too,
and an archive that has changed begins with no notes.  Notes are written a few hundred at a time; whoever
cannot write them goes on without.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from pathlib import Path
from threading import RLock

VERSION = 1
_TOGETHER = 500

_TABLES = """
CREATE TABLE IF NOT EXISTS facts (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS lengths (
    id TEXT PRIMARY KEY, characters INTEGER NOT NULL, size INTEGER NOT NULL, changed INTEGER NOT NULL
) WITHOUT ROWID;
"""

Mark = tuple[int, int]
"""A file's size and time of change; zeros in an archive, whose own stamp tells."""


class Lengths:
    """The notes of one collection; several threads and processes may read and write."""

    def __init__(self, path: Path | None, stamp: str) -> None:
        """Open the notes at a path, None for notes of this session only."""
        self._path = path
        self._stamp = stamp
        self._lock = RLock()
        self._waiting: dict[str, tuple[int, Mark]] = {}
        self._connection: sqlite3.Connection | None = None

    def get(self, id: str, mark: Mark) -> int | None:
        """Return a document's length in characters (code points), None where nobody noted it."""
        with self._lock:
            if id in self._waiting:
                characters, noted = self._waiting[id]
                return characters if noted == mark else None
            with suppress(sqlite3.Error, UnicodeError):
                row = self._opened().execute(
                    "SELECT characters FROM lengths WHERE id = ? AND size = ? AND changed = ?", (id, *mark)
                )
                found = row.fetchone()
                return int(found[0]) if found else None
            return None

    def note(self, id: str, characters: int, mark: Mark) -> None:
        """Note a document's length."""
        with self._lock:
            self._waiting[id] = characters, mark
            if len(self._waiting) >= _TOGETHER:
                self.save()

    def save(self) -> None:
        """Write what was noted, as far as it can be written."""
        with self._lock:
            rows = [(id, characters, *mark) for id, (characters, mark) in self._waiting.items()]
            if not rows:
                return
            self._waiting.clear()
            with suppress(sqlite3.Error, UnicodeError), self._opened() as connection:
                connection.executemany("INSERT OR REPLACE INTO lengths VALUES (?, ?, ?, ?)", rows)

    def count(self) -> int:
        """Return how many lengths are noted."""
        with self._lock:
            self.save()
            with suppress(sqlite3.Error, UnicodeError):
                return int(self._opened().execute("SELECT count(*) FROM lengths").fetchone()[0])
            return 0

    def close(self) -> None:
        """Write what was noted, and let go of the file."""
        with self._lock:
            self.save()
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            try:
                self._connection = self._begun()
            except (sqlite3.DatabaseError, UnicodeDecodeError):
                if self._path is None:
                    raise
                with suppress(OSError):
                    self._path.unlink(missing_ok=True)
                self._connection = self._begun()
        return self._connection

    def _begun(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path or ":memory:", timeout=5, check_same_thread=False)
        try:
            connection.execute("PRAGMA synchronous = OFF")
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            connection.executescript(_TABLES)
            said = connection.execute("SELECT value FROM facts WHERE key = 'stamp'").fetchone()
            if version != VERSION or said != (self._stamp,):
                with connection:
                    connection.execute("DELETE FROM lengths")
                    connection.execute("INSERT OR REPLACE INTO facts VALUES ('stamp', ?)", (self._stamp,))
                connection.execute(f"PRAGMA user_version = {VERSION}")
        except BaseException:
            connection.close()
            raise
        return connection
