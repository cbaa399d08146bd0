"""Opening and creating project files: for writing, or only for reading, with the reason."""

from __future__ import annotations

import contextlib
import getpass
import os
import socket
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import BaseFileLock, FileLock, Timeout

from inexview.core.errors import DiskFullError, ProjectError
from inexview.core.files import is_same_file, private_folder, put_in_place
from inexview.core.progress import Progress, unwatched
from inexview.core.project.journal import (
    VERSION,
    Journal,
    JournalEntry,
    check_folder,
    check_header,
    make_file,
    now,
    remove_file,
)
from inexview.core.project.journal_rows import DamagedFileError, ReadOnlyError, Row, making, reason_of
from inexview.core.project.recovery import QUIET, keep_copy, keep_copy_of, newer_copy_of

if TYPE_CHECKING:
    from inexview.core.project.recovery import Damage

SESSION = "session"


class ProjectInUseError(ProjectError):
    """The project is open for writing elsewhere; it can still be opened read-only."""


class ProjectLock:
    """The lock for writing to a project; the system releases it when its holder ends in any way.

    The lock is on an empty hidden file next to the project, never on the project itself: closing any
    descriptor of a file drops SQLite's locks on it. A project with several names (hard links) has one more
    lock for all names, in a folder that only this user can enter.
    """

    def __init__(self, project: Path) -> None:
        self._project = project
        self._locks: list[BaseFileLock] = []

    def take(self) -> bool:
        """Take the lock; return False if another window or program holds it.

        Raises OSError if the folder cannot be written to.
        """
        try:
            self._lock(self._path)
            self._lock_all_names()
        except Timeout:
            self.release()
            return False
        return True

    def _lock_all_names(self) -> None:
        try:
            for path in _of_all_names(self._project):
                self._lock(path)
        except Timeout:
            raise
        except OSError:
            pass  # no such folder for us; the journal checks its file anyway

    def _lock(self, path: Path) -> None:
        lock = FileLock(path, timeout=0, thread_local=False)  # a project may be opened in another thread
        lock.acquire()
        self._locks.append(lock)

    def name_holder(self, assessor: str) -> None:
        """Write the name of the holder into the lock, for others who find it taken."""
        since = now()[:16].replace("T", " ")
        holder = f"process {os.getpid()} on {socket.gethostname()}, {assessor}, since {since} UTC"
        with contextlib.suppress(OSError):  # on Windows no other handle may read or write it
            self._path.write_text(holder[:_LONGEST_HOLDER], encoding="utf-8", errors="replace")

    @property
    def holder(self) -> str:
        """The holder of the lock, "" if unknown."""
        try:
            with self._path.open(encoding="utf-8", errors="replace") as file:
                told = file.read(_LONGEST_HOLDER)
        except OSError:
            return ""
        return "".join(letter for letter in told if letter.isprintable())

    @property
    def _path(self) -> Path:
        return self._project.with_name(f".{self._project.name}.lock")

    def release(self) -> None:
        """Release the lock and remove its file."""
        while self._locks:
            lock = self._locks.pop()
            with contextlib.suppress(OSError):  # on Windows an open file stays, for the next writer
                Path(lock.lock_file).unlink()
            lock.release()


def _of_all_names(project: Path) -> list[Path]:
    """Return the lock for all names of a file, identified by its device and number."""
    try:
        status = project.stat()
    except FileNotFoundError:  # it is about to be created
        return []
    if status.st_nlink < 2:
        return []
    folder = private_folder() if hasattr(os, "getuid") else Path(tempfile.gettempdir())
    return [] if folder is None else [folder / f"inexview-{status.st_dev:x}-{status.st_ino:x}.lock"]


_LONGEST_HOLDER = 300
_ACTION = Row._fields.index("action")
# File names have up to 255 bytes, and SQLite uses .NAME.new-journal during creation.
_LONGEST_NAME = 255 - len("..new-journal")


@dataclass(frozen=True, slots=True)
class Access:
    """An open journal, its assessor, and the lock for writing; or why it is only read, as a sentence."""

    journal: Journal
    assessor: str
    lock: ProjectLock | None = None
    read_only_reason: str = ""
    damage: Damage | None = None

    def close(self, *, copy: bool = True) -> None:
        """Keep a copy of the changes, close the journal and release the lock."""
        if copy and any(stored[_ACTION] not in QUIET for stored in self.journal.written):
            with contextlib.suppress(ProjectError):  # everything is in the file
                keep_copy_of(self.journal.path, self.journal.connection)
        self.journal.close()
        if self.lock is not None:
            self.lock.release()


def create(path: Path, entries: Sequence[JournalEntry], assessor: str | None) -> Access:
    """Create a project file with these entries; it gets its name when it is complete."""
    lock, _project = _new_file(path, entries, assessor)
    with _released_on_error(lock):
        return _to_write(path, lock, assessor)


def make(path: Path, entries: Sequence[JournalEntry]) -> str:
    """Create a project file like ``create``, without opening or copying it; return the project's id."""
    lock, project = _new_file(path, entries, None)
    lock.release()
    return project


def _new_file(path: Path, entries: Sequence[JournalEntry], assessor: str | None) -> tuple[ProjectLock, str]:
    """Create a project file; return the lock for writing, and the project's id."""
    if len(os.fsencode(path.name)) > _LONGEST_NAME:
        raise ProjectError(f"{path}: the name is longer than {_LONGEST_NAME} bytes; choose a shorter one")
    check_folder(path)  # the lock would create it
    lock = _taken_lock(path)
    with _released_on_error(lock):
        _clear_remains(path.parent)
        if path.exists():
            raise ProjectError(f"{path}: a file of this name already exists; choose another name")
        part = _part_of(path)
        try:
            with making(path, part):
                project = _make(part, [*entries, session_entry()], assessor or _login_name())
            put_in_place(part, path)
        except FileExistsError as error:
            raise ProjectError(f"{path}: a file of this name already exists; choose another name") from error
        except OSError as error:
            raise ProjectError(f"{path}: a project cannot be created here ({reason_of(error)})") from error
        finally:
            remove_file(part)
    return lock, project


def attempt(
    path: Path,
    *,
    read_only: bool | str,
    assessor: str | None,
    copy: bool,
    salvage: bool = True,
    progress: Progress = unwatched,
) -> Access:
    """Open a project file for writing, or for reading if it is not writable or damaged.

    ``read_only`` may be a sentence with the reason. ``copy`` keeps a copy of it first, as is always done
    before migrating a file. Without ``salvage`` a damaged file raises DamagedFileError. Raises
    ProjectInUseError if it is open for writing elsewhere, ProjectError for a file that is no project, and
    Cancelled.
    """
    try:
        return _attempt(path, read_only=read_only, assessor=assessor, copy=copy)
    except DamagedFileError as error:
        if not salvage:
            raise
        return _damaged(path, error, progress)


def _attempt(path: Path, *, read_only: bool | str, assessor: str | None, copy: bool) -> Access:
    """Open a sound project file; raises DamagedFileError, and the errors of ``attempt``."""
    copy = check_header(path) < VERSION or copy
    reason = read_only if isinstance(read_only, str) else f"{path} was opened read-only"
    if not read_only:
        try:
            return _locked(path, assessor, copy=copy)
        except (ReadOnlyError, DiskFullError) as error:
            reason = str(error)
    journal = Journal.open(path, read_only=True)
    return Access(journal, _last_assessor(journal), read_only_reason=reason)


def beside(path: Path) -> Access:
    """Open, for reading, a project file that this process has open; see ``Project.beside``."""
    journal = Journal.beside(path)
    return Access(journal, _last_assessor(journal), read_only_reason=f"{path} was opened beside its window")


def _locked(path: Path, assessor: str | None, *, copy: bool) -> Access:
    lock = _taken_lock(path)
    with _released_on_error(lock):
        if copy:
            try:
                keep_copy(path)
            except DamagedFileError:
                raise
            except ProjectError:
                pass  # judging works without a copy
        return _to_write(path, lock, assessor)


def _to_write(path: Path, lock: ProjectLock, assessor: str | None) -> Access:
    journal = Journal.open(path, read_only=False)
    try:
        journal.start_writing()
    except ProjectError:
        journal.close()
        raise
    access = Access(journal, assessor or _last_assessor(journal), lock)
    lock.name_holder(access.assessor)
    return access


def _damaged(path: Path, error: DamagedFileError, progress: Progress) -> Access:
    """Open the readable part of a damaged file; raises DamagedFileError if there is none."""
    from inexview.core.project.recovery import salvaged  # imported here, because it is rarely needed

    try:
        rows, damage = salvaged(path, (), progress)
    except DamagedFileError:
        copies = "no row of it can be read; `inexview restore` lists its copies"
        raise DamagedFileError(f"{error}; {copies}") from None
    journal = Journal.of_rows(path, rows, progress)
    damage = replace(damage, copy=newer_copy_of(path, journal.connection))
    return Access(journal, _last_assessor(journal), read_only_reason=str(damage), damage=damage)


def _make(path: Path, entries: Sequence[JournalEntry], assessor: str) -> str:
    """Make a file of these entries; return the id of the first row, which is the project's."""
    remove_file(path)
    journal = Journal(path, make_file(path))
    try:
        # A file of a killed program is not kept; a complete one is on the disk before it gets its name.
        journal.connection.execute("PRAGMA synchronous=OFF")
        return journal.append(entries, assessor)[0].id
    finally:
        journal.close()


def _part_of(path: Path) -> Path:
    """Return the path at which a project is made before it gets its name."""
    return path.with_name(f".{path.name}.new")


def _clear_remains(folder: Path) -> None:
    """Remove what a killed inexview has left in a folder while creating a project."""
    for remains in [*folder.glob(".*.inexview.new"), *folder.glob(".*.inexview.lock")]:
        project = remains.with_name(remains.stem[1:])
        lock = ProjectLock(project)
        done = is_same_file(remains, project)  # only its first name is left
        if (done or not project.exists()) and lock.take():
            remove_file(_part_of(project))
            lock.release()


def _taken_lock(path: Path) -> ProjectLock:
    """Return the lock of a project, taken.

    Raises ProjectInUseError with the holder, and ReadOnlyError if the folder cannot be written to.
    """
    lock = ProjectLock(path)
    try:
        taken = lock.take()
    except OSError as error:
        raise ReadOnlyError(f"{path}: its folder is not writable ({reason_of(error)})") from error
    if not taken:
        raise ProjectInUseError(
            f"{path} is open in another window{f' ({lock.holder})' if lock.holder else ''}; close it there, "
            "or open it read-only"
        )
    return lock


@contextlib.contextmanager
def _released_on_error(lock: ProjectLock) -> Iterator[None]:
    try:
        yield
    except BaseException:
        lock.release()
        raise


def session_entry() -> JournalEntry:
    """Return the entry before the first action in an opened project: the current assessor."""
    return JournalEntry(SESSION, {})


def _last_assessor(journal: Journal) -> str:
    session = journal.newest(SESSION)
    return _login_name() if session is None else session.assessor


def _login_name() -> str:
    """Return the login name, if the user has not set an assessor's name."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a user id without a name, as in many containers
        return "assessor"
