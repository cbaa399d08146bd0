"""Copies of a project, made while one works, by which lost work is found again.

They are in the user's data folder, ``copies/ID``, where ID is that of the project's first row: a project that
was renamed or moved finds them again.  The last ten of each path are kept; each is a project by itself.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path

import platformdirs

from inexview.core import durable
from inexview.core.errors import ProjectError
from inexview.core.project.journal.journal import Journal
from inexview.core.project.journal.journal_file import (
    connect_beside,
    connect_unchanged,
    make_file,
    remove_file,
)
from inexview.core.project.journal.journal_rows import Row
from inexview.core.project.journal.sqlite_errors import explaining, reason_of

KEPT = 10
_TIME = "%Y%m%dT%H%M%S.%fZ"
QUIET = ("session", "opened", "left")
"""Actions that change nothing that is judged: with no more than these, a further copy would be the same."""


def copies_folder() -> Path:
    return Path(platformdirs.user_data_dir("inexview", appauthor=False)) / "copies"


@dataclass(frozen=True, slots=True)
class ProjectCopy:
    """A copy of a project: where it is, and when it was made (UTC)."""

    path: Path
    time: datetime


def keep_copy(path: Path) -> Path | None:
    """Make a copy of a sound project, check it, and forget the oldest; may be called in any thread.

    Returns where it is, None where the newest copy says the same already.  Raises ProjectError.
    """
    connection, _version = connect_unchanged(path, read_only=True)
    with contextlib.closing(connection), explaining(path):
        try:
            return _keep(path, connection)
        except OSError as error:  # of the copies, not of the project
            raise ProjectError(f"{copies_folder()}: no copy can be made ({reason_of(error)})") from error


def _keep(path: Path, connection: sqlite3.Connection) -> Path | None:
    (identifier,) = connection.execute("SELECT id FROM journal WHERE seq = 1").fetchone() or ("",)
    folder, name = copies_folder() / _safe(identifier), _name_of(path)
    there = _copies_in(folder, name)
    if there and _says_the_same(connection, there[0].path):
        return None
    target = folder / f"{datetime.now(UTC).strftime(_TIME)}-{name}.inexview"
    part = target.with_suffix(".part")
    folder.mkdir(parents=True, exist_ok=True)
    for left in folder.glob(f"*-{name}.part*"):
        durable.remove_abandoned(left)
    try:
        make_file(part, connection).close()
        part.chmod(path.stat().st_mode & 0o777)  # who may not read the project may not read its copies
        Journal.open(part, read_only=True).close()
        durable.replace(part, target)
    finally:
        remove_file(part)
    for old in there[KEPT - 1 :]:
        remove_file(old.path)
    return target


def copies_of(path: Path) -> list[ProjectCopy]:
    """Return the copies of a project, newest first; those made at this path where its file is unreadable."""
    identifier = _identifier_of(path)
    listed = _copies_in(copies_folder() / _safe(identifier)) if identifier else []
    if not listed and copies_folder().is_dir():
        listed = [copy for folder in copies_folder().iterdir() for copy in _copies_in(folder, _name_of(path))]
    return _newest_first(listed)


def _newest_first(copies: Iterable[ProjectCopy]) -> list[ProjectCopy]:
    """Put copies in order; those from the future, made while a clock was wrong, are the last."""
    now = datetime.now(UTC)
    return sorted(copies, key=lambda copy: (copy.time <= now, copy.time), reverse=True)


def _says_the_same(connection: sqlite3.Connection, copy: Path) -> bool:
    """Tell whether nothing was judged since a copy was made."""
    try:
        with contextlib.closing(connect_beside(copy)) as other:
            last = other.execute("SELECT seq, id FROM journal ORDER BY seq DESC LIMIT 1").fetchone()
    except (ProjectError, sqlite3.Error):
        return False
    if last is None:
        return False
    there = connection.execute("SELECT id FROM journal WHERE seq = ?", (last[0],)).fetchone()
    quiet = ", ".join("?" * len(QUIET))
    newer = connection.execute(
        f"SELECT 1 FROM journal WHERE seq > ? AND action NOT IN ({quiet})", (last[0], *QUIET)
    ).fetchone()
    return there == (last[1],) and newer is None


def _copies_in(folder: Path, name: str = "") -> list[ProjectCopy]:
    """Return the copies in a folder, newest first."""
    found = []
    for path in folder.glob(f"*-{name}*.inexview"):
        with contextlib.suppress(ValueError):
            made = datetime.strptime(path.name.split("-")[0], _TIME).replace(tzinfo=UTC)
            found.append(ProjectCopy(path, made))
    return _newest_first(found)


def _identifier_of(path: Path) -> str:
    """Return a project's id, also of a damaged file; empty where its first row is lost."""
    try:
        connection, _version = connect_unchanged(path, read_only=True)
        with contextlib.closing(connection), explaining(path):
            (identifier,) = connection.execute("SELECT id FROM journal WHERE seq = 1").fetchone()
            return str(identifier)
    except (ProjectError, TypeError):
        pass
    from inexview.core.project.recovery.salvage import salvaged  # here: hardly any project needs it

    try:
        rows: Sequence[Row] = salvaged(path)[0][:1]
    except ProjectError:
        return ""
    return rows[0].id if rows and rows[0].seq == 1 else ""


def _name_of(path: Path) -> str:
    return blake2b(os.fsencode(os.path.realpath(path)), digest_size=4).hexdigest()


def _safe(identifier: str) -> str:
    """Return an id as the name of a folder, also where a file brings one that is none."""
    return "".join(letter for letter in identifier if letter.isalnum() or letter == "-")[:40] or "unknown"
