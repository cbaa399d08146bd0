"""The project file as one window has it: opened for writing by one at a time, or read-only, and why."""

from __future__ import annotations

import contextlib
import getpass
import os
import socket
from collections.abc import Iterator, Sequence
from pathlib import Path

from filelock import FileLock, Timeout

from inexview.core.errors import ProjectError
from inexview.core.project.journal import (
    DiskFullError,
    Journal,
    JournalEntry,
    ReadOnlyError,
    Row,
    check_header,
)
from inexview.core.project.reading_place import LEFT, OPENED

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


class ProjectFile:
    """A journal and the right to write to it, if there is one: ``create`` or ``open``, and ``close``."""

    def __init__(self, journal: Journal, lock: ProjectLock | None, assessor: str, reason: str = "") -> None:
        self.path = journal.path
        self.assessor = assessor
        self.read_only_reason = reason
        """Why nothing can be written, a sentence; empty where it can."""
        self._journal = journal
        self._lock = lock

    @classmethod
    def create(cls, path: Path, entries: Sequence[JournalEntry], assessor: str | None) -> ProjectFile:
        """Make a project file that begins with these entries; on errors nothing is left of it."""
        lock = _taken_lock(path)
        with _released_on_error(lock):
            journal = Journal.create(path)
            file = cls(journal, lock, assessor or _login_name())
            try:
                file.append([*entries, _session_entry()])
            except ProjectError:
                journal.abandon()
                raise
        return file

    @classmethod
    def open(cls, path: Path, *, read_only: bool, assessor: str | None) -> ProjectFile:
        """Open a project file, read-only where it cannot be written to; see ``Project.open``."""
        check_header(path)
        if read_only:
            return cls._open_read_only(path, f"{path} was opened read-only")
        try:
            return cls._open_to_write(path, assessor)
        except (ReadOnlyError, DiskFullError) as error:
            return cls._open_read_only(path, str(error))

    @classmethod
    def _open_to_write(cls, path: Path, assessor: str | None) -> ProjectFile:
        lock = _taken_lock(path)
        with _released_on_error(lock):
            journal = Journal.open(path, read_only=False)
            file = cls(journal, lock, assessor or _last_assessor(journal))
            try:
                journal.start_writing()
                file.append([_session_entry()])
            except ProjectError:
                journal.close()
                raise
        return file

    @classmethod
    def _open_read_only(cls, path: Path, reason: str) -> ProjectFile:
        journal = Journal.open(path, read_only=True)
        return cls(journal, None, _last_assessor(journal), reason)

    @classmethod
    def beside(cls, path: Path) -> ProjectFile:
        """Open a project file to be read that this very process has open; see ``Project.beside``."""
        journal = Journal.beside(path)
        return cls(journal, None, _last_assessor(journal), f"{path} was opened beside its window")

    def rows_of_project(self) -> Iterator[Row]:
        """Yield the rows that are about no single document, in order."""
        return self._journal.rows_of_project()

    def rows_of(self, topic: str, document: str) -> Iterator[Row]:
        """Yield the rows about a document, in order."""
        return self._journal.rows_of(topic, document)

    def rows_of_topic(self, topic: str) -> Iterator[Row]:
        """Yield the rows about a topic's documents: those of each together, in order."""
        return self._journal.rows_of_topic(topic)

    def judged(self) -> list[tuple[str, str]]:
        """Return the (topic, document) pairs that were ever judged, in the order of their first row."""
        return self._journal.documents(OPENED, LEFT)

    def documents_of_step(self, step: str) -> list[str]:
        """Return the documents that a bulk step changed."""
        return self._journal.documents_of_step(step)

    def last_opened(self) -> tuple[str, str] | None:
        """Return the topic and document that were on the screen last."""
        row = self._journal.last_of(OPENED)
        return None if row is None or row.topic is None or row.document is None else (row.topic, row.document)

    def append(self, entries: Sequence[JournalEntry], *, one_step: bool = False) -> list[Row]:
        """Write entries, all or none, and return their rows; raises ProjectError where that cannot be."""
        if self.read_only_reason:
            raise ReadOnlyError(f"nothing was changed: {self.read_only_reason}")
        return self._journal.append(entries, self.assessor, one_step=one_step) if entries else []

    def close(self) -> None:
        """Close the file and let others write to it."""
        self._journal.close()
        if self._lock is not None:
            self._lock.release()
            self._lock = None


def _taken_lock(path: Path) -> ProjectLock:
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


@contextlib.contextmanager
def _released_on_error(lock: ProjectLock) -> Iterator[None]:
    try:
        yield
    except ProjectError:
        lock.release()
        raise


def _session_entry() -> JournalEntry:
    """Return what is written to the journal when a project is opened for writing: who has it from now on."""
    return JournalEntry(SESSION, {"pid": os.getpid(), "host": socket.gethostname()})


def _last_assessor(journal: Journal) -> str:
    session = journal.last_of(SESSION)
    return _login_name() if session is None else session.assessor


def _login_name() -> str:
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
