"""Who may write to a project: one window at a time, and a name to say who it is."""

from __future__ import annotations

import contextlib
import getpass
import os
import socket
from pathlib import Path

from filelock import FileLock, Timeout

from inexview.core.errors import ProjectError
from inexview.core.journal import Entry, Journal, ReadOnlyError

SESSION = "session"


class ProjectInUseError(ProjectError):
    """The project is open for writing elsewhere; it can still be opened read-only."""

    can_read = True


class ProjectLock:
    """The right to write to a project; the system frees it when its holder dies, however that dies.

    The lock is on an empty hidden file beside the project, never on the project itself: closing any
    descriptor of a file drops the locks that SQLite holds on it.
    """

    def __init__(self, project: Path) -> None:
        self._path = project.with_name(f".{project.name}.lock")
        self._lock = FileLock(self._path, timeout=0)

    def take(self) -> bool:
        """Take the lock; False where another window or program holds it.

        Raises OSError where the folder cannot be written to.
        """
        try:
            self._lock.acquire()
        except Timeout:
            return False
        return True

    def release(self) -> None:
        """Give the lock back and leave nothing behind."""
        with contextlib.suppress(OSError):  # on Windows an open file stays; the next writer uses it again
            self._path.unlink()
        self._lock.release()


def take_lock(path: Path) -> ProjectLock:
    """Return the lock of a project, taken.

    Raises ProjectInUseError, which names the holder, and ReadOnlyError where the folder cannot be written to.
    """
    lock = ProjectLock(path)
    try:
        taken = lock.take()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ReadOnlyError(f"{path}: nothing can be written in its folder ({reason})") from error
    if not taken:
        raise ProjectInUseError(
            f"{path} is open in another window{_holder(path)}; it can be opened read-only"
        )
    return lock


def session_entry() -> Entry:
    """Return what a window writes to the journal when it opens a project for writing."""
    return Entry(SESSION, {"pid": os.getpid(), "host": socket.gethostname()})


def login_name() -> str:
    """Return the name of who is logged in, for want of an assessor's own."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a user id without a name, as in many containers
        return "assessor"


def _holder(path: Path) -> str:
    """Say who holds a project, as far as its journal tells."""
    try:
        journal = Journal.open(path, read_only=True)
    except ProjectError:
        return ""
    try:
        row = journal.last_of(SESSION)
        if row is None:
            return ""
        about = row.values()
        since = row.time[:16].replace("T", " ")
        return f" (process {about.get('pid')} on {about.get('host')}, {row.assessor}, since {since} UTC)"
    except ProjectError:
        return ""
    finally:
        journal.close()
