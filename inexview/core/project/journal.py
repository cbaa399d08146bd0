"""The project file: an append-only journal of actions in one SQLite database.

Rows are added and never changed; triggers refuse anything else.  While it is open for writing the file is in
WAL mode with ``synchronous=FULL``: a transaction is one append and one fsync, survives SIGKILL and a power
cut, and readers in other windows are never in the way.  On closing it goes back to rollback mode, so that a
project at rest is a single file, which also opens from a read-only folder.

A connection belongs to the thread that opened it; SQLite's module refuses any other.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from inexview.core.errors import ProjectError
from inexview.core.project.action_ids import Identifiers
from inexview.core.project.damage import DamagedRowError

APPLICATION_ID = 0x494E5856  # "INXV"
VERSION = 1

_SCHEMA = """
CREATE TABLE journal (
    seq INTEGER PRIMARY KEY,    -- 1, 2, 3 … without gaps: the order of things
    id TEXT NOT NULL UNIQUE,    -- UUID version 7: tells rows of several projects apart when they are merged
    time TEXT NOT NULL,         -- UTC, ISO 8601
    assessor TEXT NOT NULL,
    topic TEXT,                 -- NULL: about the project as a whole
    document TEXT,              -- NULL: about the topic as a whole
    action TEXT NOT NULL,
    step TEXT,                  -- the id of the first row of the bulk step this row is part of
    content TEXT NOT NULL       -- a JSON object
) STRICT;
CREATE INDEX journal_documents ON journal (topic, document, action) WHERE document IS NOT NULL;
CREATE INDEX journal_steps ON journal (step) WHERE step IS NOT NULL;
CREATE TRIGGER journal_keeps_rows BEFORE UPDATE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER journal_loses_no_rows BEFORE DELETE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
"""

_DAMAGED = (
    "the project file is damaged (cut off or overwritten); it was left as it is, go back to a copy of it"
)
_INTERRUPTED = "making this project was interrupted, delete it and make it anew"
_DECODER = json.JSONDecoder()


class ReadOnlyError(ProjectError):
    """The project can be read, but this user cannot write to it here."""


class DiskFullError(ProjectError):
    """There is no room for what was to be written."""


class Row(NamedTuple):
    """A row of the journal as it stands there; ``content`` is JSON text, ``seq`` counts from 1."""

    seq: int
    id: str
    time: str
    assessor: str
    topic: str | None
    document: str | None
    action: str
    step: str | None
    content: str

    def values(self) -> dict[str, Any]:
        """Return the content; raises ProjectError where it is not a JSON object."""
        try:
            values, end = _DECODER.raw_decode(self.content)  # half the time of json.loads, 100,000 times over
        except (ValueError, RecursionError) as error:
            raise self.damaged("its content is not JSON") from error
        if not isinstance(values, dict) or end != len(self.content):
            raise self.damaged("its content is not a JSON object")
        return values

    def damaged(self, problem: str) -> DamagedRowError:
        """Make the error that says that this row makes no sense."""
        return DamagedRowError(
            f"the project is damaged: row {self.seq} ({self.action}) cannot be read, {problem}; "
            "nothing was changed, go back to a copy of it, or take it to somebody who knows SQLite"
        )


def values_of(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the content of each row; raises ProjectError where one is not a JSON object."""
    listed: list[dict[str, Any]] = []
    with contextlib.suppress(ValueError, RecursionError):
        listed = json.loads(f"[{','.join([row.content for row in rows])}]")  # half the time of one by one
    if len(listed) == len(rows) and all(isinstance(values, dict) for values in listed):
        return listed
    return [row.values() for row in rows]


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """Something to be written to the journal."""

    action: str
    content: dict[str, Any] = field(default_factory=dict)
    topic: str | None = None
    document: str | None = None


class Journal:
    """An open journal.  Each ``append`` is durable, or has not happened, when it returns or raises."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        self._writing = False
        self._identifiers = Identifiers()
        self._last = 0

    @classmethod
    def create(cls, path: Path) -> Journal:
        """Make a new project file; raises ProjectError where there is something already."""
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o666))
        except FileExistsError as error:
            raise ProjectError(f"{path}: there is a file of this name already; choose another") from error
        except OSError as error:
            raise ProjectError(f"{path}: no project can be made here ({_reason(error)})") from error
        connection = sqlite3.connect(path, isolation_level=None)
        journal = cls(path, connection)
        try:
            with _explaining(path):
                connection.executescript(
                    f"PRAGMA application_id={APPLICATION_ID}; PRAGMA user_version={VERSION}; {_SCHEMA}"
                )
            journal.start_writing()
        except ProjectError:
            journal.abandon()
            raise
        return journal

    @classmethod
    def open(cls, path: Path, *, read_only: bool) -> Journal:
        """Open a project file, to be read; ``start_writing`` makes it writable unless ``read_only``.

        Raises ProjectError with a sentence for everything that can be wrong with it.
        """
        check_header(path)
        connection = _connect(path, read_only=read_only)
        journal = cls(path, connection)
        try:
            journal._check()
        except ProjectError:
            connection.close()
            raise
        return journal

    @classmethod
    def beside(cls, path: Path) -> Journal:
        """Open a journal to be read that this very process has open, and has checked, already.

        Nothing but SQLite may touch the file then: closing any descriptor of it drops the locks on it.
        """
        with _explaining(path):
            connection = _connect(path, read_only=True)
            connection.execute("PRAGMA busy_timeout=3000")
        return cls(path, connection)

    def rows(self) -> Iterator[Row]:
        """Yield all rows in the order in which they were written, as all that yield rows do."""
        return self._select("ORDER BY seq")

    def rows_of_project(self) -> Iterator[Row]:
        """Yield the rows that are about no single document."""
        return self._select("WHERE document IS NULL ORDER BY seq")

    def rows_of(self, topic: str, document: str) -> Iterator[Row]:
        """Yield the rows about a document."""
        return self._select("WHERE topic = ? AND document = ? ORDER BY seq", topic, document)

    def rows_of_topic(self, topic: str) -> Iterator[Row]:
        """Yield the rows about a topic's documents: those of each together, in the order of writing."""
        return self._select("WHERE topic = ? AND document IS NOT NULL ORDER BY document, seq", topic)

    def last_of(self, action: str) -> Row | None:
        """Return the newest row of an action."""
        return next(self._select("WHERE action = ? ORDER BY seq DESC LIMIT 1", action), None)

    def documents(self, *but_not: str) -> list[tuple[str, str]]:
        """Return the (topic, document) pairs that rows are about, in the order of their first row.

        Rows of the actions ``but_not`` do not count.
        """
        query = (
            "SELECT topic, document FROM journal WHERE document IS NOT NULL "
            f"AND action NOT IN ({', '.join('?' * len(but_not))}) GROUP BY topic, document ORDER BY min(seq)"
        )
        with _explaining(self.path):
            return self._connection.execute(query, but_not).fetchall()

    def documents_of_step(self, step: str) -> list[str]:
        """Return the documents of a bulk step."""
        with _explaining(self.path):
            found = self._connection.execute(
                "SELECT document FROM journal WHERE step = ? ORDER BY seq", (step,)
            )
            return [document for (document,) in found]

    def _select(self, clauses: str, *values: str) -> Iterator[Row]:
        columns = ", ".join(Row._fields)
        with _explaining(self.path):
            found = self._connection.execute(f"SELECT {columns} FROM journal {clauses}", values)
            yield from map(Row._make, found)

    def start_writing(self) -> None:
        """Make ready to append; raises ReadOnlyError where the file cannot be written to."""
        connection = self._connection
        with _explaining(self.path):
            connection.execute("PRAGMA journal_mode=WAL").fetchone()
            # A commit is on the disk when it returns.  (EXTRA rather than FULL for file systems without
            # shared memory, where SQLite stays in rollback mode: it then syncs the folder too.)
            connection.execute("PRAGMA synchronous=EXTRA")
            # Soon into the file itself, for whoever copies that alone: about every thirty actions.
            connection.execute("PRAGMA wal_autocheckpoint=100")
            self._last = connection.execute("SELECT coalesce(max(seq), 0) FROM journal").fetchone()[0]
        self._writing = True

    def append(self, entries: Sequence[JournalEntry], assessor: str, *, one_step: bool = False) -> list[Row]:
        """Write entries in one transaction and return their rows; all of them are durable, or none.

        ``one_step`` makes them one bulk step.  Raises ProjectError, after which nothing has changed.
        """
        rows = self._rows_for(entries, assessor, one_step=one_step)
        with _explaining(self.path), self._transaction():
            self._connection.executemany(
                f"INSERT INTO journal VALUES ({', '.join('?' * len(Row._fields))})", rows
            )
        self._last += len(rows)
        return rows

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except sqlite3.Error:
            with contextlib.suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            raise

    def _rows_for(self, entries: Sequence[JournalEntry], assessor: str, *, one_step: bool) -> list[Row]:
        time = datetime.now(UTC).isoformat(timespec="microseconds")
        identifiers = [self._identifiers.new() for _ in entries]
        step = identifiers[0] if one_step and len(entries) > 1 else None
        return [
            Row(
                self._last + number,
                identifier,
                time,
                assessor,
                entry.topic,
                entry.document,
                entry.action,
                step,
                json.dumps(entry.content, ensure_ascii=False, separators=(",", ":")),
            )
            for number, (identifier, entry) in enumerate(zip(identifiers, entries, strict=True), 1)
        ]

    def close(self) -> None:
        """Close; a journal that was written to becomes a single file again."""
        if self._writing:
            # Where another window reads the file, SQLite keeps WAL mode: the next writer's close will do.
            with contextlib.suppress(sqlite3.Error):
                self._connection.execute("PRAGMA wal_checkpoint")
                self._connection.execute("PRAGMA journal_mode=DELETE")
        self._connection.close()

    def abandon(self) -> None:
        """Close and remove a project that could not be made."""
        self._connection.close()
        for suffix in ("", "-wal", "-shm", "-journal"):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)

    def _check(self) -> None:
        connection = self._connection
        with _explaining(self.path):
            connection.execute("PRAGMA busy_timeout=3000")
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if application != APPLICATION_ID:
                raise ProjectError(f"{self.path}: this is a database, but not a project of inexview")
            if version > VERSION:
                raise ProjectError(
                    f"{self.path}: a newer inexview made this project (its format is {version}, this program "
                    f"reads up to {VERSION}); update inexview to open it"
                )
            if self._is_cut_off() or connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                raise ProjectError(f"{self.path}: {_DAMAGED}")
            tables = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'journal'").fetchone()
            if tables is None or connection.execute("SELECT 1 FROM journal").fetchone() is None:
                raise ProjectError(f"{self.path}: {_INTERRUPTED}")

    def _is_cut_off(self) -> bool:
        """Tell whether the file is shorter than its header says, which SQLite notices only where it reads."""
        (pages,) = self._connection.execute("PRAGMA page_count").fetchone()
        (page_size,) = self._connection.execute("PRAGMA page_size").fetchone()
        log = self.path.with_name(self.path.name + "-wal")
        in_log = log.exists() and log.stat().st_size > 0  # what is missing may be there
        return not in_log and self.path.stat().st_size < pages * page_size


def check_header(path: Path) -> None:
    """Refuse what is not a database before SQLite touches it."""
    try:
        with path.open("rb") as file:
            header = file.read(16)
    except OSError as error:
        raise ProjectError(f"{path}: the project cannot be opened ({_reason(error)})") from error
    if not header:
        raise ProjectError(f"{path}: this is not a project of inexview: it is empty; if {_INTERRUPTED}")
    if header != b"SQLite format 3\0":
        raise ProjectError(f"{path}: this is not a project of inexview")


def _connect(path: Path, *, read_only: bool) -> sqlite3.Connection:
    address = f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rw'}"
    with _explaining(path):
        connection = sqlite3.connect(address, uri=True, isolation_level=None)
        try:
            if read_only:
                connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            connection.close()
            if not isinstance(error, sqlite3.OperationalError):
                raise
            return _recovered_copy(path)  # SQLite would have to write beside the file, and must not
    return connection


def _recovered_copy(path: Path) -> sqlite3.Connection:
    """Return a copy in memory of a database in a folder that cannot be written to.

    What a program that was killed has left beside it (a write-ahead log, a rollback journal) counts.
    """
    copy = sqlite3.connect(":memory:", isolation_level=None)
    with tempfile.TemporaryDirectory(prefix="inexview-") as folder, _explaining(path):
        for suffix in ("", "-wal", "-journal"):
            beside = path.with_name(path.name + suffix)
            if beside.exists():
                shutil.copyfile(beside, Path(folder, beside.name))
        with contextlib.closing(sqlite3.connect(Path(folder, path.name))) as recovered:
            recovered.backup(copy)
    return copy


@contextlib.contextmanager
def _explaining(path: Path) -> Iterator[None]:
    """Turn what SQLite raises into ProjectErrors, save for misuse, which is a defect of ours."""
    try:
        yield
    except sqlite3.ProgrammingError:
        raise
    except (sqlite3.Error, UnicodeDecodeError) as error:  # the second of what SQLite would say
        raise _explained(error, path) from error


def _explained(error: Exception, path: Path) -> ProjectError:
    """Say in a sentence what SQLite says in its own words."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return DiskFullError(
            f"{path}: the disk is full; what was done before is kept, free some space and try again"
        )
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return ReadOnlyError(f"{path}: the project cannot be written to here")
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        problem = _DAMAGED
    elif code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        problem = "another program is busy with the project file; try again"
    elif code == sqlite3.SQLITE_IOERR:
        problem = f"the disk cannot be read or written to ({error}); what was done before is kept, try again"
    elif code == sqlite3.SQLITE_CONSTRAINT:
        problem = "another program has written to the project; open it again"
    else:
        problem = f"the project file cannot be used ({error}); go back to a copy of it"
    return ProjectError(f"{path}: {problem}")


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
