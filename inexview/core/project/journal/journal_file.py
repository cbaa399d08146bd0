"""Connections to project files: what is no project, too new, damaged or crafted is refused unread."""

from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
import stat
import tempfile
from pathlib import Path

from inexview.core.errors import ProjectError
from inexview.core.file_presence import folder_is_there, is_there
from inexview.core.project.journal.places import remember_first
from inexview.core.project.journal.schema import (
    APPLICATION_ID,
    SCHEMAS,
    VERSION,
    lay_out,
    migrate,
    resembles,
    schema_differences,
)
from inexview.core.project.journal.sqlite_errors import (
    DamagedFileError,
    NewerFormatError,
    explaining,
    reason_of,
)

MAGIC = b"SQLite format 3\0"
BESIDE = ("-wal", "-shm", "-journal")
"""What SQLite puts beside a database while it is open."""
_EMPTY = "there is no action in this file: it is damaged, or making it was interrupted"
_SEARCHED = 1 << 16  # bytes in which a file says what tables it has
_TABLE = b"CREATE TABLE journal"
_UNLIKELY = 1_000  # no format will have such a number: a bit of it is wrong
_BUSY = "PRAGMA busy_timeout=3000"


def connect(path: Path, *, read_only: bool) -> sqlite3.Connection:
    """Connect to a project file of the present version, after having looked at its schema.

    A file of an earlier version is brought to the present one: in the file, or to be read in memory.  Raises
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
    """Keep on this machine where the articles of a project are, which only earlier versions tell."""
    (project,) = connection.execute("SELECT id FROM journal WHERE seq = 1").fetchone() or ("",)
    told = connection.execute(
        "SELECT content FROM journal WHERE action = 'collection' ORDER BY seq DESC"
    ).fetchone()
    with contextlib.suppress(ValueError, TypeError, KeyError, RecursionError):  # it is read, and said, later
        remember_first(project, Path(json.loads(told[0])["absolute"]))


def connect_unchanged(path: Path, *, read_only: bool) -> tuple[sqlite3.Connection, int]:
    """Connect to a project file as it is, after having looked at its schema; also returns its version."""
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
    """Connect once more to a project that this process has open, and has checked, to read it."""
    with explaining(path):
        connection = _connect(path, read_only=True)
        connection.execute(_BUSY)
    return connection


def check_folder(path: Path) -> None:
    """Raise ProjectError where there is no folder for a new project file."""
    if not folder_is_there(path.absolute().parent):
        raise ProjectError(f"{path}: the folder that it shall be in does not exist; make it, or name another")


def make_file(path: Path, rows: sqlite3.Connection | None = None) -> sqlite3.Connection:
    """Make a database file with an empty journal, or with all of another one, and connect to it."""
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
    """Remove a database file and what SQLite has put beside it."""
    for suffix in ("", *BESIDE):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def check_header(path: Path) -> int:
    """Refuse what is not a database before SQLite touches it; return the version that the file says."""
    _check_kind(path)
    try:
        with path.open("rb") as file:
            begin = file.read(_SEARCHED)
    except OSError as error:
        raise ProjectError(f"{path}: the project cannot be opened ({reason_of(error)})") from error
    if not begin:
        raise DamagedFileError(f"{path}: this is not a project of inexview: it is empty; {_EMPTY}")
    if not begin.startswith(MAGIC):
        if _TABLE in begin:
            raise DamagedFileError(f"{path}: the project file is damaged in its first bytes")
        raise ProjectError(f"{path}: this is not a project of inexview")
    return int.from_bytes(begin[60:64], "big")


def _check_kind(path: Path) -> None:
    """Refuse pipes and devices, for which one would wait; of all else opening it says what is wrong."""
    kind = path.stat().st_mode if is_there(path) else stat.S_IFREG
    if not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)):
        raise ProjectError(f"{path}: this is not a project of inexview: it is a pipe or a device")


def _checked_version(path: Path, connection: sqlite3.Connection) -> int:
    """Return the version of a file whose schema is that of its version, and nothing else."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    supposed = version if version in SCHEMAS else VERSION
    strange = schema_differences(connection, supposed)
    if application != APPLICATION_ID and not resembles(connection, supposed):
        raise ProjectError(f"{path}: this is a database, but not a project of inexview")
    if VERSION < version < _UNLIKELY and strange:  # with this very schema the number must be damaged
        raise NewerFormatError(
            f"{path}: a newer inexview made this project (its format is {version}, this program "
            f"reads up to {VERSION}); update inexview to open it. If no newer one did, the file is damaged: "
            "`inexview restore` lists its copies, and saves what can be read"
        )
    if connection.execute("SELECT 1 FROM sqlite_master").fetchone() is None:
        raise DamagedFileError(f"{path}: {_EMPTY}")
    if strange:
        raise DamagedFileError(
            f"{path}: the project file is damaged, or something else has changed it: "
            f"{', '.join(strange)} is not as inexview makes it"
        )
    if application != APPLICATION_ID or version not in SCHEMAS:
        raise DamagedFileError(f"{path}: the project file is damaged in its first bytes")
    if _is_cut_off(path, connection) or connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
        raise DamagedFileError(f"{path}: the project file is damaged (cut off or overwritten)")
    if connection.execute("SELECT 1 FROM journal").fetchone() is None:
        raise DamagedFileError(f"{path}: {_EMPTY}")
    return int(version)


def _is_cut_off(path: Path, connection: sqlite3.Connection) -> bool:
    """Tell whether the file is shorter than its header says, which SQLite notices only where it reads."""
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    (page_size,) = connection.execute("PRAGMA page_size").fetchone()
    log = path.with_name(path.name + "-wal")
    in_log = log.exists() and log.stat().st_size > 0  # what is missing may be there
    return not in_log and path.stat().st_size < pages * page_size


def _connect(path: Path, *, read_only: bool) -> sqlite3.Connection:
    address = f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rw'}"
    with explaining(path):
        _check_kind(path)
        # A project may be opened in another thread than that which works with it.
        connection = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)
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
    copy = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    with tempfile.TemporaryDirectory(prefix="inexview-") as folder, explaining(path):
        for suffix in ("", "-wal", "-journal"):
            beside = path.with_name(path.name + suffix)
            if beside.exists():
                shutil.copyfile(beside, Path(folder, beside.name))
        with contextlib.closing(sqlite3.connect(Path(folder, path.name))) as recovered:
            recovered.backup(copy)
    return copy
