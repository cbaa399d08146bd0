"""What SQLite raises, as errors with a sentence for the user."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from inexview.core.errors import ProjectError

_BESIDE = 1 << 16  # bytes that the index of a write-ahead log takes at least


class ReadOnlyError(ProjectError):
    """The project can be read, but this user cannot write to it here."""


class DiskFullError(ProjectError):
    """There is no room for what was to be written."""


class BusyError(ProjectError):
    """Another program writes to the project file now, so that nothing was written."""


class DamagedFileError(ProjectError):
    """A project file that is not as inexview wrote it: cut off, overwritten, or changed by something else."""


class NewerFormatError(ProjectError):
    """A project file that says it is of a newer inexview: it may be, or its first bytes are damaged."""


@contextlib.contextmanager
def explaining(path: Path) -> Iterator[None]:
    """Turn what SQLite and the system raise into ProjectErrors, save for misuse, a defect of ours."""
    try:
        yield
    except sqlite3.ProgrammingError:
        raise
    except (sqlite3.Error, UnicodeDecodeError) as error:  # the second of what SQLite would say
        raise _explained(error, path) from error
    except OSError as error:  # what was there a moment ago
        raise ProjectError(f"{path}: the project file cannot be used ({reason_of(error)})") from error


@contextlib.contextmanager
def making(path: Path, part: Path) -> Iterator[None]:
    """Name the new file in what goes wrong, and not the part that it is written to first."""
    try:
        yield
    except DiskFullError as error:
        raise DiskFullError(f"{path}: the disk is full; free some space and try again") from error
    except ProjectError as error:
        raise type(error)(str(error).replace(str(part), str(path))) from error


def _is_full(path: Path) -> bool:
    """Tell whether there is no room for the files that SQLite puts beside a database."""
    try:
        return shutil.disk_usage(path.parent).free < _BESIDE
    except OSError:
        return False


def reason_of(error: OSError) -> str:
    """Return why the system refused something, to be put in brackets."""
    return (error.strerror or str(error)).lower()


def _explained(error: Exception, path: Path) -> ProjectError:
    """Say in a sentence what SQLite says in its own words."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and _is_full(path)):
        return DiskFullError(
            f"{path}: the disk is full; what was done before is kept, free some space and try again"
        )
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return ReadOnlyError(f"{path}: the project cannot be written to here")
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return DamagedFileError(f"{path}: the project file is damaged (cut off or overwritten)")
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return BusyError(f"{path}: another program is busy with the project file; try again")
    if code == sqlite3.SQLITE_IOERR:
        problem = f"the disk cannot be read or written to ({error}); what was done before is kept, try again"
    elif code == sqlite3.SQLITE_CONSTRAINT:
        problem = "another program has written to the project; open it again"
    else:
        problem = f"the project file cannot be used ({error})"
    return ProjectError(f"{path}: {problem}")
