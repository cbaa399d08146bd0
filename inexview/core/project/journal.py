"""The journal of a project: the schemas of its file, the file itself, its connections, and its rows.

The schema of a file is compared with that of its version before anything is read: views, triggers and other
tables of a crafted file could do anything.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import sqlite3
import stat
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from operator import itemgetter
from pathlib import Path
from threading import get_ident
from typing import Any

import platformdirs

from inexview.core.errors import ProjectError
from inexview.core.files import folder_is_there, is_there, write_complete
from inexview.core.judgements.topics import Topic
from inexview.core.progress import Progress, unwatched
from inexview.core.project.journal_rows import (
    COLUMNS,
    NOT_JUDGING,
    REMARKS,
    START,
    BulkStep,
    DamagedFileError,
    Identifiers,
    NewerFormatError,
    Row,
    StoredRow,
    as_json,
    as_row,
    checked_rows,
    explaining,
    reason_of,
    row_digest,
)

# The folder of a project's articles on this computer, stored in the user's settings and in no row.
#
# A project may be sent to anyone, and the digest of a row covers the rows before it, so that private paths in
# a row could never be removed. Rows therefore hold names only; the folder is stored in the settings as
# `places/ID`, where ID is the id of the project's first row.

_TELLING = frozenset(("session", "collection", "import", "salvage", "suggestions"))


def places_folder() -> Path:
    return Path(platformdirs.user_config_dir("inexview", appauthor=False)) / "places"


def place_of(project: str) -> Path | None:
    """Return the folder of a project's articles if this computer knows it; ``project`` is its id."""
    with contextlib.suppress(OSError, ValueError):  # no such file, or not text
        return Path((places_folder() / file_safe(project)).read_text(encoding="utf-8"))
    return None


def remember_place(project: str, articles: Path) -> None:
    """Store the folder of a project's articles; raises ProjectError."""
    place = places_folder() / file_safe(project)

    def write(part: Path) -> None:
        part.write_text(str(articles), encoding="utf-8")

    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        write_complete(place, write)
    except (OSError, ValueError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else str(error)
        raise ProjectError(
            f"{place}: the place of the articles cannot be saved for the next time ({reason})"
        ) from error


def remember_first(project: str, articles: Path) -> None:
    """Store the folder that a project of an earlier version names, unless one is known; ignore failures."""
    if place_of(project) is None:
        with contextlib.suppress(ProjectError):
            remember_place(project, articles)


def file_safe(identifier: str) -> str:
    """Return an id as a file name, even if a crafted project has an id that is none."""
    return "".join(letter for letter in identifier if letter.isalnum() or letter == "-")[:40] or "unknown"


def last_name(path: str) -> str:
    """Return the last part of a path of any operating system."""
    return re.split(r"[\\/]", path.rstrip("\\/"))[-1]


def without_places(action: str, content: dict[str, Any]) -> dict[str, Any]:
    """Return the content of a row without the paths, process and machine that earlier versions recorded."""
    if action == "session":
        return {}
    if action == "collection" and isinstance(content.get("absolute"), str):
        return {"name": last_name(content["absolute"]), "relative": content.get("relative")}
    named = {"import": "source", "salvage": "from"}.get(action, "")
    if isinstance(content.get(named), str):
        return {**content, named: last_name(content[named])}
    if action == "suggestions":
        return {name: value for name, value in content.items() if name != "path"}
    return content


def text_without_places(action: str, text: str) -> str:
    """Return the content of a row, as JSON text, without places; unchanged if it is invalid."""
    if action not in _TELLING:
        return text
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if not isinstance(content, dict) or (kept := without_places(action, content)) == content:
        return text
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))


APPLICATION_ID = 0x494E5856  # "INXV"

_APPEND_ONLY = """
CREATE TRIGGER journal_keeps_rows BEFORE UPDATE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER journal_loses_no_rows BEFORE DELETE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
"""
_FIRST = f"""
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
{_APPEND_ONLY}
"""
_WITH_DIGESTS = f"""
CREATE TABLE journal (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, -- 1, 2, 3 … without gaps; SQLite keeps the last in sqlite_sequence
    id TEXT NOT NULL,           -- UUID version 7: tells rows of several projects apart when they are merged
    time TEXT NOT NULL,         -- UTC, ISO 8601
    assessor TEXT NOT NULL,
    topic TEXT,                 -- NULL: about the project as a whole
    document TEXT,              -- NULL: about the topic as a whole
    action TEXT NOT NULL,
    step TEXT,                  -- the id of the first row of the bulk step this row is part of
    content TEXT NOT NULL,      -- a JSON object
    before BLOB NOT NULL,       -- the digest of the row before
    digest BLOB NOT NULL        -- of that and of this row, see journal_rows.py
) STRICT;
-- Nothing is read by this index: where a row is lost, it tells what the row was about.
CREATE INDEX journal_documents ON journal (topic, document, action) WHERE document IS NOT NULL;
{_APPEND_ONLY}
"""
# Rows of this version hold no paths. Only the name of the index differs from the version before.
_WITHOUT_PLACES = _WITH_DIGESTS.replace("journal_documents", "journal_of_documents")
SCHEMAS = {1: _FIRST, 2: _WITH_DIGESTS, 3: _WITHOUT_PLACES}
"""The SQL of each version; no two are equal, so a file with a damaged version number is still recognised."""
VERSION = max(SCHEMAS)


def _without_places(row: tuple[Any, ...]) -> tuple[Any, ...]:
    *before, action, step, text = row
    return (*before, action, step, text_without_places(action, text))


def _rewrite_rows(
    connection: sqlite3.Connection, version: int, change: Callable[[tuple[Any, ...]], tuple[Any, ...]]
) -> None:
    """Create the tables of a version with all rows, each changed by ``change``, and compute new digests."""
    stored = connection.execute(f"SELECT {', '.join(Row._fields)} FROM journal ORDER BY seq").fetchall()
    for name, kind in connection.execute(
        "SELECT name, type FROM sqlite_master WHERE type IN ('trigger', 'index') AND sql IS NOT NULL"
    ).fetchall():
        connection.execute(f"DROP {kind} {name}")
    connection.execute("DROP TABLE journal")
    lay_out(connection, version)
    before = START
    for row in map(change, stored):
        digest = row_digest(before, row)
        connection.execute(INSERT, (*row, before, digest))
        before = digest


def _with_own_kind(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a row of version 1, which recorded moves, removals and confirmations as imports or marks."""
    *before, action, step, text = row
    try:
        content = json.loads(text) if action in ("import", "mark", "bep") else None
    except (ValueError, RecursionError):
        return row
    if not isinstance(content, dict):
        return row
    for sign, kind in (("moved", "move"), ("removed", "remove"), ("kept", "keep")):
        if sign in content:
            passages = content.pop(sign)
            held = {name: value for name, value in content.items() if name in ROW_SCHEMAS[kind]}
            if kind != "keep":
                held["passages"] = passages
            return (*before, kind, step, json.dumps(held, ensure_ascii=False, separators=(",", ":")))
    return row


_QUOTED = ("quotes", "digests", "places")
ROW_SCHEMAS: dict[str, frozenset[str]] = {
    action: frozenset(names)
    for action, *names in (
        ("create", "convention", "entry_points"),
        ("session",),
        ("collection", "name", "relative", "keys"),
        ("convention", "convention"),
        ("grades", "scale"),
        ("parameters", "preset", "beta", "a", "n", "tolerance"),
        ("topic", *(field.name for field in fields(Topic))),
        ("pool", "documents", "added", "texts"),
        ("withdrawn", "documents", "why"),
        ("quotes", "documents"),
        ("salvage", "from", "lost", "changed", "senseless"),
        ("opened", "length", "digest"),
        ("left", "offset"),
        ("away", "idle"),
        ("back",),
        ("inspected", "runs"),
        ("suggestions", "source", "passages", "on"),
        ("suggested", "source", "passages"),
        ("mark", "spans", *_QUOTED),
        ("erase", "spans", *_QUOTED),
        ("bep", "bep", *_QUOTED),
        ("finish", "length", "entryless"),
        ("reopen",),
        ("not-relevant", "length"),
        ("clear",),
        (
            "import",
            "spans",
            "bep",
            "finished",
            "source",
            "length",
            "entryless",
            "origins",
            "suggestions",
            *_QUOTED,
        ),
        ("move", "spans", "bep", "passages", *_QUOTED),
        ("keep", "spans", "bep", *_QUOTED),
        ("remove", "spans", "bep", "passages"),
        ("settle", "spans", "bep", "finished", "length", "entryless", "settled", "apart", *_QUOTED),
        ("take-suggestion", "spans", "suggestion", *_QUOTED),
        ("refuse-suggestion", "suggestion"),
        ("undo", "of"),
        ("redo", "of"),
        ("note", "text", "span"),
        ("grade", "text", "span"),
        ("flag", "on"),
        ("answer", "question", "on"),
        ("answer-given", "run", "question", "references", "sentences"),
        ("support", "run", "what", "sentence", "reference", "value"),
        ("support-undo", "run"),
        ("support-redo", "run"),
        ("model-labels", "model", "source", "labels"),
        ("model-kept", "model", "on"),
        ("model-asked", "kappa", "tau", "measure"),
        (
            "nugget",
            "what",
            "document",
            "nugget",
            "number",
            "text",
            "importance",
            "spans",
            "brought",
            "source",
            "assigned",
        ),
        ("nugget-undo", "of"),
        ("nugget-redo", "of"),
    )
}
"""The keys that the content of each action's rows may have, and "documents" if a step changes several."""


def check_content(action: str, content: Mapping[str, object]) -> None:
    """Raise ValueError if a row to be written has keys that its schema lacks, which is a defect."""
    strange = content.keys() - ROW_SCHEMAS.get(action, frozenset()) - {"documents"}
    if action not in ROW_SCHEMAS or strange:
        raise ValueError(f"no row of a project is made so: {action} with {sorted(strange)}")


MIGRATIONS: tuple[tuple[int, Callable[[sqlite3.Connection], None]], ...] = (
    # Each row gets a digest that covers the row before; actions on passages whose text has changed become
    # kinds of their own.
    (2, lambda connection: _rewrite_rows(connection, 2, _with_own_kind)),
    # Rows keep names instead of paths, and no process and machine.
    (3, lambda connection: _rewrite_rows(connection, 3, _without_places)),
)
"""The migration from each version to the next, keyed by the version that it leads to."""
INSERT = f"INSERT INTO journal VALUES ({', '.join('?' * 11)})"


def lay_out(connection: sqlite3.Connection, version: int = VERSION) -> None:
    """Create the tables of a version in an empty database, within a transaction that is under way."""
    for statement in _statements(SCHEMAS[version]):
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version={version}")


def migrate(connection: sqlite3.Connection, version: int) -> None:
    """Migrate a file of an earlier version to the current one, in one transaction; raises sqlite3.Error."""
    connection.execute("PRAGMA secure_delete=ON")  # what the migration removes is overwritten in the file
    connection.execute("BEGIN IMMEDIATE")
    try:
        for reached, change in MIGRATIONS:
            if reached > version:
                change(connection)
                connection.execute(f"PRAGMA user_version={reached}")
        connection.execute("COMMIT")
    except sqlite3.Error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def schema_differences(connection: sqlite3.Connection, version: int) -> list[str]:
    """Return the names of what the schemas of a file and of its version do not share."""
    return sorted({name for name, _ in _objects(connection) ^ _known_objects(version)})


def resembles(connection: sqlite3.Connection, version: int) -> bool:
    """Return whether a file shares anything with the schema of a version, however damaged it is."""
    shared = _objects(connection) & _known_objects(version)
    return any(not name.startswith("sqlite_") for name, _ in shared)  # those are in every database


def _known_objects(version: int) -> set[tuple[str, str]]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as model:
        lay_out(model, version)
        return _objects(model)


def _objects(connection: sqlite3.Connection) -> set[tuple[str, str]]:
    """Return name and definition of everything in the schema; a file has few, a crafted one any number."""
    listed = connection.execute(
        "SELECT name, type || ' ' || tbl_name || ' ' || coalesce(substr(sql, 1, 4000), '') "
        "FROM sqlite_master LIMIT 50"
    )
    return {(name, " ".join(re.sub(r"--[^\n]*", "", said).split())) for name, said in listed}


def _statements(script: str) -> list[str]:
    """Return the statements of a script, of which only triggers contain semicolons."""
    statements = [""]
    for line in re.sub(r"--[^\n]*", "", script).splitlines():
        statements[-1] += line.rstrip() + "\n"
        if line.endswith(";") and sqlite3.complete_statement(statements[-1]):
            statements.append("")
    return [statement.strip() for statement in statements if statement.strip()]


# The project file: an append-only journal of actions in one SQLite database.
#
# Rows are added and never changed. Triggers refuse anything else, and each row carries a digest that covers
# the row before it, so that opening a project detects changes by other programs. While it is open for
# writing, the file is in WAL mode with `synchronous=EXTRA`, and commits are moved into the file itself at
# once. When `append` returns, the file at the path holds the rows, survives SIGKILL and a power cut, and can
# be copied, renamed or replaced without a log that belongs to it. Readers in other windows never block it.
#
# A connection belongs to the thread that opened it; SQLite's module refuses any other.
#

# The identity of the file at a path.
#
# A sync client, a restore or a file manager may replace, rename, delete or overwrite the file, and a drive
# may be disconnected: SQLite would go on writing to a file that can no longer be found.


class ProjectGoneError(ProjectError):
    """The project file is no longer at its path, so that nothing can be saved there."""


@dataclass(frozen=True, slots=True)
class FileIdentity:
    """The identity of a file: device and inode, on Windows volume and file number."""

    device: int
    inode: int

    @classmethod
    def of(cls, path: Path) -> FileIdentity:
        """Return the identity of the file at a path; raises OSError if there is none."""
        found = os.stat(path)  # noqa: PTH116 - before and after every action
        return cls(found.st_dev, found.st_ino)

    def check(self, path: Path) -> None:
        """Raise ProjectGoneError with the reason if the path no longer names this file."""
        try:
            there = FileIdentity.of(path)
        except FileNotFoundError as error:
            raise gone(path, "was deleted, renamed or moved away") from error
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise gone(path, f"cannot be reached any more ({reason})") from error
        if there != self:
            raise gone(path, "was replaced by another file")


def gone(path: Path, happened: str) -> ProjectGoneError:
    """Return the error about what happened to a project file while it was open."""
    return ProjectGoneError(
        f"{path}: the project file {happened} while it was open, and can no longer be saved. Your earlier "
        "work is kept: save it to another file"
    )


def written_at(path: Path) -> tuple[int, int]:
    """Return the time of the last change and the size of a file, (0, 0) if there is none."""
    try:
        found = os.stat(path)  # noqa: PTH116
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


# Connections to project files; files that are no project, too new, damaged or crafted are refused.

MAGIC = b"SQLite format 3\0"
BESIDE = ("-wal", "-shm", "-journal")
"""Suffixes of the files that SQLite creates next to an open database."""
_EMPTY = "this file contains no action: it is damaged, or its creation was interrupted"
_SEARCHED = 1 << 16  # bytes at the start of a file that name its tables
_TABLE = b"CREATE TABLE journal"
_UNLIKELY = 1_000  # higher than any version will be: a bit of the number is damaged
_BUSY = "PRAGMA busy_timeout=3000"


def connect(path: Path, *, read_only: bool) -> sqlite3.Connection:
    """Check the schema of a project file and connect to it.

    A file of an earlier version is migrated: in the file, or in memory if it is ``read_only``. Raises
    DamagedFileError, and ProjectError for other files.
    """
    connection, version = connect_unchanged(path, read_only=read_only)
    if version == VERSION:
        return connection
    try:
        with explaining(path):
            _remember_place(connection)
            if read_only:
                memory = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
                connection, stored = memory, connection
                with contextlib.closing(stored):
                    stored.backup(connection)
            migrate(connection, version)
    except ProjectError:
        connection.close()
        raise
    return connection


def _remember_place(connection: sqlite3.Connection) -> None:
    """Store the folder of the articles on this computer; only projects of earlier versions name it."""
    (project,) = connection.execute("SELECT id FROM journal WHERE seq = 1").fetchone() or ("",)
    told = connection.execute(
        "SELECT content FROM journal WHERE action = 'collection' ORDER BY seq DESC"
    ).fetchone()
    # invalid rows are reported later, when they are read
    with contextlib.suppress(ValueError, TypeError, KeyError, RecursionError):
        remember_first(project, Path(json.loads(told[0])["absolute"]))


def connect_unchanged(path: Path, *, read_only: bool) -> tuple[sqlite3.Connection, int]:
    """Check the schema of a project file and connect without migrating; also return its version."""
    connection = _connect(path, read_only=read_only)
    try:
        with explaining(path):
            connection.execute(_BUSY)
            connection.execute("PRAGMA trusted_schema=OFF")
            return connection, _checked_version(path, connection)
    except ProjectError:
        connection.close()
        raise


def connect_beside(path: Path) -> sqlite3.Connection:
    """Connect again, for reading, to a project that this process has opened and checked."""
    with explaining(path):
        connection = _connect(path, read_only=True)
        connection.execute(_BUSY)
    return connection


def check_folder(path: Path) -> None:
    """Raise ProjectError if the folder of a new project file does not exist."""
    if not folder_is_there(path.absolute().parent):
        raise ProjectError(f"{path}: its folder does not exist; make it, or name another")


def make_file(path: Path, rows: sqlite3.Connection | None = None) -> sqlite3.Connection:
    """Create a database file, with an empty journal or with the rows of another, and connect to it."""
    with explaining(path):
        connection = sqlite3.connect(path, isolation_level=None)
    try:
        with explaining(path):
            if rows is not None:
                rows.backup(connection)
            else:
                connection.execute("BEGIN")
                lay_out(connection)
                connection.execute("COMMIT")
    except ProjectError:
        connection.close()
        raise
    return connection


def remove_file(path: Path) -> None:
    """Remove a database file and the files that SQLite has created next to it."""
    for suffix in ("", *BESIDE):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def check_header(path: Path) -> int:
    """Refuse a file that is no database before SQLite opens it; return the version in its header."""
    _check_kind(path)
    try:
        with path.open("rb") as file:
            begin = file.read(_SEARCHED)
    except OSError as error:
        raise ProjectError(f"{path}: the project cannot be opened ({reason_of(error)})") from error
    if not begin:
        raise DamagedFileError(f"{path}: this is not an inexview project: it is empty; {_EMPTY}")
    if not begin.startswith(MAGIC):
        if _TABLE in begin:
            raise DamagedFileError(f"{path}: the project file is damaged in its first bytes")
        raise ProjectError(f"{path}: this is not an inexview project")
    return int.from_bytes(begin[60:64], "big")


def _check_kind(path: Path) -> None:
    """Refuse pipes and devices, which would block; for anything else opening reports the problem."""
    kind = path.stat().st_mode if is_there(path) else stat.S_IFREG
    if not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)):
        raise ProjectError(f"{path}: this is not an inexview project: it is a pipe or a device")


def _checked_version(path: Path, connection: sqlite3.Connection) -> int:
    """Return the version of a file; raise an error unless its schema is exactly that of the version."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    supposed = version if version in SCHEMAS else VERSION
    strange = schema_differences(connection, supposed)
    if application != APPLICATION_ID and not resembles(connection, supposed):
        raise ProjectError(f"{path}: this is a database, but not an inexview project")
    # an unlikely or damaged number would come with the schema of a known version
    if VERSION < version < _UNLIKELY and strange:
        raise NewerFormatError(
            f"{path}: this project was made by a newer inexview (format {version}; this program reads up to "
            f"{VERSION}): update inexview to open it. Otherwise the file is damaged: `inexview restore` "
            "lists its copies and recovers the readable part"
        )
    if connection.execute("SELECT 1 FROM sqlite_master").fetchone() is None:
        raise DamagedFileError(f"{path}: {_EMPTY}")
    if strange:
        raise DamagedFileError(
            f"{path}: the project file is damaged, or another program changed it: {', '.join(strange)} is "
            "not as inexview made it"
        )
    if application != APPLICATION_ID or version not in SCHEMAS:
        raise DamagedFileError(f"{path}: the project file is damaged in its first bytes")
    if _is_cut_off(path, connection) or connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
        raise DamagedFileError(f"{path}: the project file is damaged (cut off or overwritten)")
    if connection.execute("SELECT 1 FROM journal").fetchone() is None:
        raise DamagedFileError(f"{path}: {_EMPTY}")
    return int(version)


def _is_cut_off(path: Path, connection: sqlite3.Connection) -> bool:
    """Return whether the file is shorter than its header says, which SQLite detects only on reading."""
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    (page_size,) = connection.execute("PRAGMA page_size").fetchone()
    log = path.with_name(path.name + "-wal")
    in_log = log.exists() and log.stat().st_size > 0  # the missing pages may be there
    return not in_log and path.stat().st_size < pages * page_size


def _connect(path: Path, *, read_only: bool) -> sqlite3.Connection:
    address = f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rw'}"
    with explaining(path):
        _check_kind(path)
        # A project may be opened in another thread than the one that works with it.
        connection = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)
        try:
            if read_only:
                connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            connection.close()
            if not isinstance(error, sqlite3.OperationalError):
                raise
            return _recovered_copy(path)  # SQLite would have to write next to the file, and cannot
    return connection


def _recovered_copy(path: Path) -> sqlite3.Connection:
    """Return a copy in memory of a database in a folder that cannot be written to.

    A write-ahead log or rollback journal left by a killed program is applied.
    """
    copy = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    with tempfile.TemporaryDirectory(prefix="inexview-") as folder, explaining(path):
        for suffix in ("", "-wal", "-journal"):
            beside = path.with_name(path.name + suffix)
            if beside.exists():
                shutil.copyfile(beside, Path(folder, beside.name))
        with contextlib.closing(sqlite3.connect(Path(folder, path.name))) as recovered:
            recovered.backup(copy)
    return copy


_PATIENT, _HASTY = 3000, 250  # milliseconds to wait for a lock of another program
_AT_ONCE = 500  # rows read by one statement


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """An entry to be written to the journal."""

    action: str
    content: dict[str, Any] = field(default_factory=dict)
    topic: str | None = None
    document: str | None = None
    time: str | None = None
    """Its time in ISO format; None means the time of writing."""


def now() -> str:
    """Return the current time in the format of the journal."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


class Journal:
    """An open journal. When ``append`` returns, its rows are durable; when it raises, nothing has changed."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._of_any_thread = connection
        self._thread = get_ident()
        self._writing, self._wait = False, _PATIENT
        self._identity: FileIdentity | None = None
        self._written_at = (0, 0)
        self._identifiers = Identifiers()
        self.last, self.digest = 0, START  # number and digest of the last row
        self._seqs: dict[tuple[str, str], list[int]] = defaultdict(list)
        self._judged: dict[tuple[str, str], None] = {}
        self._remarked: dict[tuple[str, str], None] = {}
        self._steps: dict[str, list[str]] = {}
        self._newest: dict[str, int] = {}  # sequence number of the newest row of each action
        self._about_project: list[int] = []
        self.written: list[StoredRow] = []  # rows written since the journal was opened
        self._strayed = False

    # -- opening and closing -------------------------------------------------------------------------

    @classmethod
    def open(cls, path: Path, *, read_only: bool) -> Journal:
        """Open a project file for reading; ``start_writing`` makes it writable unless it is ``read_only``.

        Every row is read once and compared with its digest. Raises DamagedFileError if the file is not as
        inexview wrote it, and ProjectError for anything else.
        """
        try:
            identity = FileIdentity.of(path)
        except OSError as error:
            raise ProjectError(f"{path}: the project cannot be opened ({reason_of(error)})") from error
        return cls._of(path, connect(path, read_only=read_only), identity)

    @classmethod
    def beside(cls, path: Path) -> Journal:
        """Open, for reading, a journal that this process has already opened and checked.

        Only SQLite may open the file then: closing any other descriptor of it drops SQLite's locks.
        """
        return cls._of(path, connect_beside(path))

    @classmethod
    def _of(cls, path: Path, connection: sqlite3.Connection, identity: FileIdentity | None = None) -> Journal:
        """Read all rows of the file with this identity; on ProjectError the connection is closed."""
        journal = cls(path, connection)
        try:
            with explaining(path):
                journal._read_all()
            if identity is not None:
                identity.check(path)
                journal._identity, journal._written_at = identity, written_at(path)
        except ProjectError:
            connection.close()
            raise
        return journal

    @classmethod
    def of_rows(cls, path: Path, rows: Sequence[Row], progress: Progress = unwatched) -> Journal:
        """Return a journal in memory with rows recovered from a damaged file; some may be missing."""
        connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        lay_out(connection)
        journal = cls(path, connection)
        for done, row in enumerate(rows):
            progress("rows imported", done, len(rows))
            connection.execute(INSERT, (*row, START, START))
            journal._note_row(row)
        return journal

    def start_writing(self) -> None:
        """Prepare to append; raises ReadOnlyError if the file cannot be written to."""
        connection = self.connection
        with explaining(self.path):
            connection.execute("PRAGMA journal_mode=WAL").fetchone()
            # A commit is on the disk when it returns. (EXTRA instead of FULL for file systems without shared
            # memory, where SQLite stays in rollback mode: it then syncs the folder too.)
            connection.execute("PRAGMA synchronous=EXTRA")
        self._writing, self._written_at = True, written_at(self.path)

    def work_here(self) -> None:
        """Make the calling thread the owner of a journal that another thread has opened."""
        self._thread = get_ident()

    @property
    def connection(self) -> sqlite3.Connection:
        """The connection, even if the file is gone; raises ProgrammingError in another thread."""
        if get_ident() != self._thread:
            raise sqlite3.ProgrammingError(f"{self.path} is used from two threads")
        return self._of_any_thread

    def hasten(self) -> None:
        """Wait only briefly for other programs from now on, unless the journal is not in WAL mode."""
        if self.connection.execute("PRAGMA journal_mode").fetchone() == ("wal",):
            self._wait = _HASTY
            self.connection.execute(f"PRAGMA busy_timeout={_HASTY}")

    def close(self) -> None:
        """Close the journal; a journal that was written to becomes a single file again."""
        if self._writing:
            # If another window reads the file, SQLite keeps WAL mode until the next writer closes it.
            with contextlib.suppress(sqlite3.Error):
                self._move_into_file()
                self.connection.execute("PRAGMA journal_mode=DELETE")
        self.connection.close()
        self.written = []

    # -- reading -------------------------------------------------------------------------------------

    def stored(self) -> Iterator[StoredRow]:
        """Yield all rows with their digests, as stored in the file that was opened."""
        with explaining(self.path):
            yield from self.connection.execute(f"SELECT {COLUMNS} FROM journal ORDER BY seq")

    def rows(self) -> Iterator[Row]:
        """Yield all rows in the order of writing, as all methods that yield rows do."""
        return self._select("ORDER BY seq")

    def rows_of_project(self) -> Iterator[Row]:
        """Yield the rows that are not about a single document."""
        return self._rows(self._about_project)

    def rows_of(self, topic: str, document: str) -> Iterator[Row]:
        return self._rows(self._seqs.get((topic, document), ()))

    def is_first(self, row: Row) -> bool:
        """Return whether a row is the only one about its document."""
        return row.document is not None and self._seqs.get((row.topic or "", row.document)) == [row.seq]

    def rows_of_topic(self, topic: str) -> Iterator[Row]:
        """Yield the rows about a topic's documents, grouped by document, in the order of writing."""
        rows = self._select("WHERE topic = ? AND document IS NOT NULL ORDER BY seq", topic)
        return iter(sorted(rows, key=itemgetter(Row._fields.index("document"))))

    def newest(self, action: str) -> Row | None:
        return next(self._rows([self._newest[action]]), None) if action in self._newest else None

    def judged(self) -> Iterable[tuple[str, str]]:
        """Return the (topic, document) pairs that were ever judged, in order of their first row."""
        return self._judged.keys()

    def remarked(self) -> Iterable[tuple[str, str]]:
        """Return the (topic, document) pairs that ever had a note, flag or grade."""
        return self._remarked.keys()

    def documents_of_step(self, step: str) -> Sequence[str]:
        """Return the documents of a bulk step."""
        return self._steps.get(step, ())

    def read_on(self) -> list[Row]:
        """Return the rows that another window has written since; raises ProjectGoneError."""
        self.check_place()
        known = self.last
        with explaining(self.path):
            whole = self._follow()
        if not whole:
            raise gone(self.path, "was written over by something else")
        return list(self._select(f"WHERE seq > {known} AND seq <= {self.last} ORDER BY seq"))

    def _read_all(self) -> None:
        """Read every row once, compare it with its digest, and index it.

        All rows are read in one transaction, because another process may be writing.
        """
        self.connection.execute("BEGIN")
        try:
            if not self._follow():
                raise DamagedFileError(
                    f"{self.path}: the project file is damaged: the rows after row {self.last} are not as "
                    "inexview wrote them"
                )
            counted = "SELECT seq FROM sqlite_sequence WHERE name = 'journal'"
            found = self.connection.execute(counted).fetchone()
        finally:
            self.connection.execute("ROLLBACK")
        if found is not None and found != (self.last,):
            raise DamagedFileError(
                f"{self.path}: the project file is damaged: it ends with row {self.last}, but {found[0]} "
                "rows were written"
            )

    def _follow(self) -> bool:
        """Index the rows after the last one; return False if the digest of one does not match."""
        for about in checked_rows(self.connection, self.last, self.digest):
            if about is None:
                return False
            seq, topic, document, action, step, self.digest = about
            self._note(seq, topic, document, action, step)
        return True

    def _note_row(self, row: Row) -> None:
        self._note(row.seq, row.topic, row.document, row.action, row.step)

    def _note(self, seq: int, topic: str | None, document: str | None, action: str, step: str | None) -> None:
        """Index a row by its subject and action."""
        self.last = self._newest[action] = seq
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
            found = self.connection.execute(
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
        """Write entries in one transaction and return their rows; either all are durable or none.

        ``entries`` are part of the ``step``, if any; the entries in ``before`` are not. When it returns, the
        rows are in the file at the path. Raises ProjectGoneError if that is another file by now, and
        ProjectError; nothing has changed then.
        """
        self.check_place()
        rows = self._rows_for(before, assessor, after=self.last)
        rows += self._rows_for(entries, assessor, after=self.last + len(rows), step=step)
        stored, digest = [], self.digest
        for row in rows:
            try:
                last, digest = digest, row_digest(digest, row)
            except UnicodeEncodeError as error:  # in a name of a file, or in input from a terminal
                said = error.object[max(error.start - 40, 0) : error.end + 20]
                raise ProjectError(
                    f"{self.path}: nothing was written: {said!a} is not valid UTF-8; choose another name"
                ) from error
            stored.append((*row, last, digest))
        with explaining(self.path), self._transaction():
            self.connection.executemany(INSERT, stored)
        self._move_into_file()
        try:
            self._check_identity()
        except ProjectError:
            self._strayed = True  # the rows are in a file that cannot be found, and count as not written
            raise
        self._written_at = written_at(self.path)
        self.written += stored
        for row in rows:
            self._note_row(row)
        self.digest = digest
        return rows

    def check_place(self) -> None:
        """Raise ProjectGoneError unless the path names the file that was opened, unchanged by others."""
        if self._strayed:
            raise gone(self.path, "was replaced or moved away")
        self._check_identity()
        if self._writing and written_at(self.path) != self._written_at:
            self._check_content()

    def _check_identity(self) -> None:
        if self._identity is not None:
            self._identity.check(self.path)

    def _check_content(self) -> None:
        """Check whether another program has overwritten the file or only touched it."""
        now = written_at(self.path)
        try:
            with contextlib.closing(connect_beside(self.path)) as other:
                there = Journal(self.path, other)
                there._read_all()
        except (ProjectError, sqlite3.Error, UnicodeError) as error:
            raise gone(self.path, "was written over by something else") from error
        if there.last > self.last:
            raise ProjectError(f"{self.path}: another program has changed the project; open it again")
        if (there.last, there.digest) != (self.last, self.digest):
            raise gone(self.path, "was written over by something else")
        self._written_at = now

    def _move_into_file(self) -> None:
        """Move commits from the write-ahead log into the file, and empty the log.

        If that is impossible now (another reader, a full disk), the log keeps them, which is as durable.
        """
        self.connection.execute("PRAGMA busy_timeout=0")
        with contextlib.suppress(sqlite3.Error):
            self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        self.connection.execute(f"PRAGMA busy_timeout={self._wait}")

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.connection.execute("COMMIT")
        except sqlite3.Error:
            with contextlib.suppress(sqlite3.Error):
                self.connection.execute("ROLLBACK")
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
