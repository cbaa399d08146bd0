"""Puts what was found of a collection in order, and writes the index of it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from inexview.core.collection.archives.listing import Listing
from inexview.core.collection.collection_index import VERSION
from inexview.core.progress import Cancelled, Progress

_TOLD = 20  # files with an id that another has already
_STEPS = 20_000  # of SQLite, some milliseconds, between two looks at the clock

_TABLES = """
CREATE TABLE facts (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE documents (
    position INTEGER PRIMARY KEY, id TEXT NOT NULL, name TEXT NOT NULL, place INTEGER NOT NULL, size INTEGER,
    packed INTEGER NOT NULL, method INTEGER NOT NULL, crc INTEGER NOT NULL);
CREATE TABLE blocks (
    offset INTEGER PRIMARY KEY, size INTEGER NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL);
CREATE TABLE folders (name TEXT NOT NULL, changed INTEGER);
CREATE TABLE warnings (text TEXT NOT NULL);
"""

_ORDERED = """
SELECT id, name, place, size, packed, method, crc FROM found
ORDER BY rank, id, depth, name, rowid DESC
"""


def write_index(
    listing: Listing, path: Path | None, *, stamp: str, own: str | None, progress: Progress
) -> sqlite3.Connection | None:
    """Put a listing in order and write its index; returns the open connection where ``path`` is None.

    ``own`` is the archive's own name: a folder of that name that holds everything else is not part of ids.
    Raises Cancelled, sqlite3.Error.
    """
    made = None if path is None else path.with_suffix(f".{os.getpid()}")
    if made is not None:
        made.unlink(missing_ok=True)
    connection = sqlite3.connect(
        ":memory:" if made is None else made, check_same_thread=False, isolation_level=None
    )
    try:
        connection.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + _TABLES)
        doubles = _Doubles(_characters_to_skip(listing, own))

        def speak() -> None:
            progress("articles put in order", doubles.passed, None)

        with _heard(connection, speak), _heard(listing.connection, speak):
            _fill(connection, listing, stamp, doubles)
        if made is None or path is None:
            return connection
    except BaseException:
        connection.close()
        if made is not None:
            made.unlink(missing_ok=True)
        raise
    connection.close()
    with made.open("rb+") as written:
        os.fsync(written.fileno())  # a power cut may come after the next line, and must not empty it
    made.replace(path)
    return None


def delete_unfinished(path: Path) -> None:
    """Delete what killed processes left of an index; the caller holds its lock."""
    for left in path.parent.glob(f"{path.stem}.*"):
        if left.suffix[1:].isdecimal():
            left.unlink(missing_ok=True)


def note_folders(listing: Listing, path: Path) -> bool:
    """Note in an index when its folders last changed, and say whether it is there to be noted in."""
    if not path.exists():
        return False
    with suppress(sqlite3.DatabaseError), closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM folders")
        connection.executemany(
            "INSERT INTO folders VALUES (?, ?)", _rows(listing, "folders", "name, changed")
        )
        return True
    return False


def _rows(listing: Listing, table: str, columns: str) -> sqlite3.Cursor:
    return listing.connection.execute(f"SELECT {columns} FROM {table}")


def _fill(connection: sqlite3.Connection, listing: Listing, stamp: str, doubles: _Doubles) -> None:
    connection.execute("BEGIN")
    connection.executemany(
        "INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        doubles.passed_over(listing.connection.execute(_ORDERED)),
    )
    connection.execute("CREATE UNIQUE INDEX documents_by_id ON documents (id)")
    for table, columns in (("blocks", "offset, size, start, stop"), ("folders", "name, changed")):
        marks = ", ".join("?" for _ in columns.split(","))
        connection.executemany(f"INSERT INTO {table} VALUES ({marks})", _rows(listing, table, columns))
    said = [*listing.warnings(), *doubles.warnings()]
    connection.executemany("INSERT INTO warnings VALUES (?)", ((sentence,) for sentence in said))
    connection.execute("INSERT INTO facts VALUES ('stamp', ?), ('count', ?)", (stamp, doubles.passed))
    connection.execute("COMMIT")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def _characters_to_skip(listing: Listing, own: str | None) -> int:
    """Return how much of each name is the folder that holds everything and has the archive's name."""
    if own is None:
        return 0
    without, least = listing.connection.execute(
        "SELECT sum(substr(name, 1, ?) <> ?), count(*) FROM found", (len(own) + 1, f"{own}/")
    ).fetchone()
    return len(own) + 1 if least and not without else 0


class _Doubles:
    """Passes over files whose id another has, which is nearer the root or the first by path."""

    def __init__(self, skipped: int) -> None:
        self._skipped = skipped
        self._told: list[str] = []
        self._count = 0
        self.passed = 0
        """How many documents were given on."""

    def passed_over(self, rows: Iterator[tuple[str, str, int]]) -> Iterator[tuple[object, ...]]:
        """Yield the rows of documents, which come in their order, with their positions and final ids."""
        last_id, last_name = None, ""
        for id, name, *rest in rows:
            if id == last_id:
                self._tell(name, last_name)
                continue
            last_id, last_name = id, name
            number = id.isascii() and id.isdigit()
            yield (self.passed, id if number else id[self._skipped :], name, *rest)
            self.passed += 1

    def warnings(self) -> list[str]:
        """Say which files are not read, the first of them one by one."""
        more = self._count - len(self._told)
        return self._told + ([f"{more:,} more files have an id that another has already"] if more else [])

    def _tell(self, name: str, read: str) -> None:
        self._count += 1
        if len(self._told) < _TOLD:
            self._told.append(
                f"{_shown(name)} is in the archive twice; only the later one is read"
                if name == read
                else f"{_shown(name)} has the same id as {_shown(read)}; only the latter is read"
            )


def _shown(name: str) -> str:
    return repr(name)[1:-1]  # line ends and what commands a terminal are spelt out


@contextmanager
def _heard(connection: sqlite3.Connection, speak: Callable[[], None]) -> Iterator[None]:
    """Call ``speak`` now and then while SQLite takes one long step; it may raise Cancelled."""
    stopped: list[Cancelled] = []

    def hear() -> int:
        try:
            speak()
        except Cancelled as wish:
            stopped.append(wish)
            return 1
        return 0

    connection.set_progress_handler(hear, _STEPS)
    try:
        yield
    except sqlite3.OperationalError:
        if stopped:
            raise stopped[0] from None
        raise
    finally:
        connection.set_progress_handler(None, 0)
