"""The project file: an append-only journal of actions in one SQLite database.

Rows are added and never changed; triggers refuse anything else, and each row carries a digest that covers the
row before it, so that opening a project finds every change that something else has made.  While it is open
for writing the file is in WAL mode with ``synchronous=EXTRA``, and what is committed is moved into the file
itself at once: when ``append`` returns, the file that the path names holds the rows, survives SIGKILL and a
power cut, and can be copied, renamed or replaced with no log beside it that belongs to another file.  Readers
in other windows are never in the way.

A connection belongs to the thread that opened it; SQLite's module refuses any other.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from operator import itemgetter
from pathlib import Path
from threading import get_ident
from typing import Any

from inexview.core.errors import ProjectError
from inexview.core.progress import Progress, unwatched
from inexview.core.project.journal.file_identity import FileIdentity, gone, written_at
from inexview.core.project.journal.journal_file import connect, connect_beside
from inexview.core.project.journal.journal_rows import (
    COLUMNS,
    START,
    BulkStep,
    Identifiers,
    Row,
    StoredRow,
    as_json,
    as_row,
    checked_rows,
    row_digest,
)
from inexview.core.project.journal.remarks import NOT_JUDGING, REMARKS
from inexview.core.project.journal.schema import INSERT, lay_out
from inexview.core.project.journal.sqlite_errors import DamagedFileError, explaining, reason_of

_PATIENT, _HASTY = 3000, 250  # milliseconds to wait for another program
_AT_ONCE = 500  # rows asked for in one statement


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """Something to be written to the journal."""

    action: str
    content: dict[str, Any] = field(default_factory=dict)
    topic: str | None = None
    document: str | None = None
    time: str | None = None
    """When it was, in ISO format; None: when it is written."""


def now() -> str:
    """Return the time as a row of the journal says it."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


class Journal:
    """An open journal.  Each ``append`` is durable, or has not happened, when it returns or raises."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._of_any_thread = connection
        self._thread = get_ident()
        self._writing, self._wait = False, _PATIENT
        self._identity: FileIdentity | None = None
        self._written_at = (0, 0)
        self._identifiers = Identifiers()
        self._last, self._digest = 0, START
        self._seqs: dict[tuple[str, str], list[int]] = defaultdict(list)
        self._judged: dict[tuple[str, str], None] = {}
        self._remarked: dict[tuple[str, str], None] = {}
        self._steps: dict[str, list[str]] = {}
        self._newest: dict[str, int] = {}  # action → the last row of it
        self._about_project: list[int] = []
        self._written: list[StoredRow] = []  # since it was opened
        self._strayed = False

    # -- opening and closing -------------------------------------------------------------------------

    @classmethod
    def open(cls, path: Path, *, read_only: bool) -> Journal:
        """Open a project file, to be read; ``start_writing`` makes it writable unless ``read_only``.

        Every row is read once and compared with its digest.  Raises DamagedFileError where the file is not
        as inexview wrote it, and ProjectError with a sentence for everything else that can be wrong with it.
        """
        try:
            identity = FileIdentity.of(path)
        except OSError as error:
            raise ProjectError(f"{path}: the project cannot be opened ({reason_of(error)})") from error
        connection = connect(path, read_only=read_only)
        journal = cls(path, connection)
        try:
            with explaining(path):
                journal._read_all()
            identity.check(path)
        except ProjectError:
            connection.close()
            raise
        journal._identity, journal._written_at = identity, written_at(path)
        return journal

    @classmethod
    def beside(cls, path: Path) -> Journal:
        """Open a journal to be read that this very process has open, and has checked, already.

        Nothing but SQLite may touch the file then: closing any descriptor of it drops the locks on it.
        """
        connection = connect_beside(path)
        journal = cls(path, connection)
        try:
            with explaining(path):
                journal._read_all()
        except ProjectError:
            connection.close()
            raise
        return journal

    @classmethod
    def of_rows(cls, path: Path, rows: Sequence[Row], progress: Progress = unwatched) -> Journal:
        """Return a journal in memory of rows that were saved from a damaged file; some may be missing."""
        connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        lay_out(connection)
        journal = cls(path, connection)
        for done, row in enumerate(rows):
            progress("rows taken over", done, len(rows))
            connection.execute(INSERT, (*row, START, START))
            journal._note_row(row)
        return journal

    def start_writing(self) -> None:
        """Make ready to append; raises ReadOnlyError where the file cannot be written to."""
        connection = self._connection
        with explaining(self.path):
            connection.execute("PRAGMA journal_mode=WAL").fetchone()
            # A commit is on the disk when it returns.  (EXTRA rather than FULL for file systems without
            # shared memory, where SQLite stays in rollback mode: it then syncs the folder too.)
            connection.execute("PRAGMA synchronous=EXTRA")
        self._writing, self._written_at = True, written_at(self.path)

    def work_here(self) -> None:
        """Belong to the thread that calls this, after another one has opened it."""
        self._thread = get_ident()

    @property
    def _connection(self) -> sqlite3.Connection:
        """The connection, for the thread that works with it; raises ProgrammingError in others."""
        if get_ident() != self._thread:
            raise sqlite3.ProgrammingError(f"{self.path} is used from two threads")
        return self._of_any_thread

    def hasten(self) -> None:
        """Wait only a moment for another program from now on; without a log readers are waited for too."""
        if self._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",):
            self._wait = _HASTY
            self._connection.execute(f"PRAGMA busy_timeout={_HASTY}")

    def close(self) -> None:
        """Close; a journal that was written to becomes a single file again."""
        if self._writing:
            # Where another window reads the file, SQLite keeps WAL mode: the next writer's close will do.
            with contextlib.suppress(sqlite3.Error):
                self._move_into_file()
                self._connection.execute("PRAGMA journal_mode=DELETE")
        self._connection.close()
        self._written = []

    # -- reading -------------------------------------------------------------------------------------

    @property
    def last(self) -> int:
        return self._last

    @property
    def digest(self) -> bytes:
        return self._digest

    @property
    def written(self) -> Sequence[StoredRow]:
        return self._written

    @property
    def connection(self) -> sqlite3.Connection:
        """What the rows are read from, also where the file is gone."""
        return self._connection

    def stored(self) -> Iterator[StoredRow]:
        """Yield all rows with their digests, as they are in the file that was opened."""
        with explaining(self.path):
            yield from self._connection.execute(f"SELECT {COLUMNS} FROM journal ORDER BY seq")

    def rows(self) -> Iterator[Row]:
        """Yield all rows in the order in which they were written, as all that yield rows do."""
        return self._select("ORDER BY seq")

    def rows_of_project(self) -> Iterator[Row]:
        """Yield the rows that are about no single document."""
        return self._rows(self._about_project)

    def rows_of(self, topic: str, document: str) -> Iterator[Row]:
        return self._rows(self._seqs.get((topic, document), ()))

    def is_first(self, row: Row) -> bool:
        """Tell whether a row is the only one about its document."""
        return row.document is not None and self._seqs.get((row.topic or "", row.document)) == [row.seq]

    def rows_of_topic(self, topic: str) -> Iterator[Row]:
        """Yield the rows about a topic's documents: those of each together, in the order of writing."""
        rows = self._select("WHERE topic = ? AND document IS NOT NULL ORDER BY seq", topic)
        return iter(sorted(rows, key=itemgetter(Row._fields.index("document"))))

    def newest(self, action: str) -> Row | None:
        return next(self._rows([self._newest[action]]), None) if action in self._newest else None

    def judged(self) -> Iterable[tuple[str, str]]:
        """Return the (topic, document) pairs that were ever judged, in the order of their first row."""
        return self._judged.keys()

    def remarked(self) -> Iterable[tuple[str, str]]:
        """Return the (topic, document) pairs that anything was ever remarked about."""
        return self._remarked.keys()

    def documents_of_step(self, step: str) -> Sequence[str]:
        """Return the documents of a bulk step."""
        return self._steps.get(step, ())

    def read_on(self) -> list[Row]:
        """Return the rows that another window has written since; raises ProjectGoneError."""
        self.check_place()
        known = self._last
        with explaining(self.path):
            whole = self._follow()
        if not whole:
            raise gone(self.path, "was written over by something else")
        return list(self._select(f"WHERE seq > {known} AND seq <= {self._last} ORDER BY seq"))

    def _read_all(self) -> None:
        """Read every row once, compare it with its digest, and note what it is about.

        All of it is read as it was at one moment: somebody may be writing.
        """
        self._connection.execute("BEGIN")
        try:
            if not self._follow():
                raise DamagedFileError(
                    f"{self.path}: the project file is damaged: what follows row {self._last} is not as "
                    "inexview wrote it"
                )
            counted = "SELECT seq FROM sqlite_sequence WHERE name = 'journal'"
            found = self._connection.execute(counted).fetchone()
        finally:
            self._connection.execute("ROLLBACK")
        if found is not None and found != (self._last,):
            raise DamagedFileError(
                f"{self.path}: the project file is damaged: it ends with row {self._last}, and {found[0]} "
                "were written"
            )

    def _follow(self) -> bool:
        """Note the rows after the last one; False where one does not follow it, as its digest says."""
        for about in checked_rows(self._connection, self._last, self._digest):
            if about is None:
                return False
            seq, topic, document, action, step, self._digest = about
            self._note(seq, topic, document, action, step)
        return True

    def _note_row(self, row: Row) -> None:
        self._note(row.seq, row.topic, row.document, row.action, row.step)

    def _note(self, seq: int, topic: str | None, document: str | None, action: str, step: str | None) -> None:
        """Note what a row is about."""
        self._last = self._newest[action] = seq
        if document is None or topic is None:
            self._about_project.append(seq)
        else:
            place = topic, document
            self._seqs[place].append(seq)
            if action not in NOT_JUDGING:
                self._judged[place] = None
            elif action in REMARKS:
                self._remarked[place] = None
            if step is not None:
                self._steps.setdefault(step, []).append(document)

    def _rows(self, seqs: Sequence[int]) -> Iterator[Row]:
        for at in range(0, len(seqs), _AT_ONCE):
            part = seqs[at : at + _AT_ONCE]
            yield from self._select(f"WHERE seq IN ({','.join(map(str, part))}) ORDER BY seq")

    def _select(self, clauses: str, *values: str) -> Iterator[Row]:
        with explaining(self.path):
            found = self._connection.execute(
                f"SELECT {', '.join(Row._fields)} FROM journal NOT INDEXED {clauses}", values
            )
            yield from map(as_row, found)

    # -- writing -------------------------------------------------------------------------------------

    def append(
        self,
        entries: Sequence[JournalEntry],
        assessor: str,
        *,
        step: BulkStep | None = None,
        before: Sequence[JournalEntry] = (),
    ) -> list[Row]:
        """Write entries in one transaction and return their rows; all of them are durable, or none.

        They are part of the ``step``, if any; those ``before`` them are not.  When it returns, the rows are
        in the file that the path names.  Raises ProjectGoneError where that is another file by now,
        and ProjectError; nothing has changed then.
        """
        self.check_place()
        rows = self._rows_for(before, assessor, after=self._last)
        rows += self._rows_for(entries, assessor, after=self._last + len(rows), step=step)
        stored, digest = [], self._digest
        for row in rows:
            try:
                last, digest = digest, row_digest(digest, row)
            except UnicodeEncodeError as error:  # a name of a file, or what a terminal has sent
                said = error.object[max(error.start - 40, 0) : error.end + 20]
                raise ProjectError(
                    f"{self.path}: nothing was written: {said!a} is no UTF-8; choose another name"
                ) from error
            stored.append((*row, last, digest))
        with explaining(self.path), self._transaction():
            self._connection.executemany(INSERT, stored)
        self._move_into_file()
        try:
            self._check_identity()
        except ProjectError:
            self._strayed = True  # they are in a file that no one will find, and count as not written
            raise
        self._written_at = written_at(self.path)
        self._written += stored
        for row in rows:
            self._note_row(row)
        self._digest = digest
        return rows

    def check_place(self) -> None:
        """Raise ProjectGoneError where the path no longer names the file that was opened, as it was left."""
        if self._strayed:
            raise gone(self.path, "was replaced or moved away")
        self._check_identity()
        if self._writing and written_at(self.path) != self._written_at:
            self._check_content()

    def _check_identity(self) -> None:
        if self._identity is not None:
            self._identity.check(self.path)

    def _check_content(self) -> None:
        """Look whether something has written over the file, or has only touched it."""
        now = written_at(self.path)
        try:
            with contextlib.closing(connect_beside(self.path)) as other:
                there = Journal(self.path, other)
                there._read_all()
        except (ProjectError, sqlite3.Error, UnicodeError) as error:
            raise gone(self.path, "was written over by something else") from error
        if there._last > self._last:
            raise ProjectError(f"{self.path}: another program has written to the project; open it again")
        if (there._last, there._digest) != (self._last, self._digest):
            raise gone(self.path, "was written over by something else")
        self._written_at = now

    def _move_into_file(self) -> None:
        """Move what is committed from the log into the file, and empty the log.

        Where that cannot be now (somebody reads, the disk is full) the log keeps it, and it is as durable.
        """
        self._connection.execute("PRAGMA busy_timeout=0")
        with contextlib.suppress(sqlite3.Error):
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        self._connection.execute(f"PRAGMA busy_timeout={self._wait}")

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

    def _rows_for(
        self, entries: Sequence[JournalEntry], assessor: str, *, after: int, step: BulkStep | None = None
    ) -> list[Row]:
        written = now()
        identifiers = [self._identifiers.new() for _ in entries]
        named = None if step is None else step.named(identifiers)
        return [
            Row(
                after + number,
                identifier,
                entry.time or written,
                assessor,
                entry.topic,
                entry.document,
                entry.action,
                named,
                as_json(entry.content),
            )
            for number, (identifier, entry) in enumerate(zip(identifiers, entries, strict=True), 1)
        ]
