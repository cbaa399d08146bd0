"""The right to write to a project, which one window or program has at a time."""

from __future__ import annotations

import contextlib
from pathlib import Path

from filelock import FileLock, Timeout

from inexview.core.errors import ProjectError


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
