"""What was found out about documents when they were read, one value each, remembered for the next time.

A note holds for a file that is as it was then: of a folder's file its size and time of change are noted too,
and an archive that has changed begins with no notes.  Notes are written a few hundred at a time;
where they cannot be written, the work goes on without.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import RLock
from typing import Any, Generic, TypeVar

VERSION = 2
_TOGETHER = 500

_TABLES = """
CREATE TABLE IF NOT EXISTS facts (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS notes (
    id TEXT PRIMARY KEY, value NOT NULL, size INTEGER NOT NULL, changed INTEGER NOT NULL
) WITHOUT ROWID;
"""

Mark = tuple[int, int]
"""A file's size and time of change; zeros in an archive, whose own stamp tells."""

Value = TypeVar("Value", bound=int | str)


class Notes(Generic[Value]):
    """The notes of one kind on one collection; several threads and processes may read and write."""

    def __init__(self, kind: type[Value], path: Path | None, stamp: str) -> None:
        """Open the notes at a path, None for notes of this session only; values are of one ``kind``."""
        self._kind = kind
        self._path = path
        self._stamp = stamp
        self._lock = RLock()
        self._waiting: dict[str, tuple[Value, Mark]] = {}
        self._connection: sqlite3.Connection | None = None

    def get(self, id: str, mark: Mark) -> Value | None:
        """Return what is noted of a document, None where nothing is, or its file has changed."""
        with self._lock:
            if id in self._waiting:
                value, noted = self._waiting[id]
                return value if noted == mark else None
            if self._path is None and self._connection is None:
                return None  # nothing was written in this session
            with suppress(sqlite3.Error, UnicodeError):
                row = (
                    self._opened()
                    .execute("SELECT value FROM notes WHERE id = ? AND size = ? AND changed = ?", (id, *mark))
                    .fetchone()
                )
                return row[0] if row and isinstance(row[0], self._kind) else None
            return None

    def of_many(self, ids: Sequence[str]) -> dict[str, Value]:
        """Return what is noted of documents, much sooner than one by one, whether or not files changed."""
        with self._lock:
            self.save()
            marks = ", ".join("?" * len(ids))
            with suppress(sqlite3.Error, UnicodeError):
                rows: list[tuple[str, Any]] = (
                    self._opened()
                    .execute(f"SELECT id, value FROM notes WHERE id IN ({marks})", tuple(ids))
                    .fetchall()
                )
                return {id: value for id, value in rows if isinstance(value, self._kind)}
            return {}

    def note(self, id: str, value: Value, mark: Mark) -> None:
        with self._lock:
            self._waiting[id] = value, mark
            if len(self._waiting) >= _TOGETHER:
                self.save()

    def save(self) -> None:
        """Write what was noted, as far as it can be written."""
        with self._lock:
            rows = [(id, value, *mark) for id, (value, mark) in self._waiting.items()]
            if not rows:
                return
            self._waiting.clear()
            with suppress(sqlite3.Error, UnicodeError), self._opened() as connection:
                connection.executemany("INSERT OR REPLACE INTO notes VALUES (?, ?, ?, ?)", rows)

    def count(self) -> int:
        with self._lock:
            self.save()
            with suppress(sqlite3.Error, UnicodeError):
                return int(self._opened().execute("SELECT count(*) FROM notes").fetchone()[0])
            return 0

    def close(self) -> None:
        """Write what was noted, and let go of the file."""
        with self._lock:
            if self._path is not None:
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
                    connection.execute("DROP TABLE IF EXISTS lengths")  # of version 1
                    connection.execute("DELETE FROM notes")
                    connection.execute("INSERT OR REPLACE INTO facts VALUES ('stamp', ?)", (self._stamp,))
                connection.execute(f"PRAGMA user_version = {VERSION}")
        except BaseException:
            connection.close()
            raise
        return connection
