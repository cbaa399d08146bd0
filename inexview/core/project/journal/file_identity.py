"""Whether the file that a path names is still the one that was opened.

A sync client, a restore or a file manager may put another file in its place, rename it, delete it, or write
over it, and a drive may go away: SQLite goes on writing to what no one will find again.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from inexview.core.errors import ProjectError


class ProjectGoneError(ProjectError):
    """The project file is no longer where it was opened, so that nothing can be saved there."""


@dataclass(frozen=True, slots=True)
class FileIdentity:
    """Which file a path names: device and inode, on Windows the volume and the file's number on it."""

    device: int
    inode: int

    @classmethod
    def of(cls, path: Path) -> FileIdentity:
        """Return the identity of the file at a path; raises OSError where there is none."""
        found = os.stat(path)  # noqa: PTH116 - before and after every action
        return cls(found.st_dev, found.st_ino)

    def check(self, path: Path) -> None:
        """Raise ProjectGoneError, which says what happened, where the path names this file no more."""
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
    """Make the error that says what happened to a project file while it was open."""
    return ProjectGoneError(
        f"{path}: the project file {happened} while it was open; nothing more is saved there. All that was "
        "done before is kept: save it to another file"
    )


def written_at(path: Path) -> tuple[int, int]:
    """Return the time of the last change and the size of a file, (0, 0) where there is none."""
    try:
        found = os.stat(path)  # noqa: PTH116
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size
