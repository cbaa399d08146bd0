"""Copies of a project, made while one works, by which lost work is found again.

They are in the user's data folder, ``copies/ID``, where ID is that of the project's first row: a project that
was renamed or moved finds them again.  The last ten of each path are kept, and older ones with actions that
are nowhere else; each is a project by itself.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path

import platformdirs

from inexview.core.errors import ProjectError
from inexview.core.files import remove_abandoned, replace_file
from inexview.core.project.journal.journal import (
    Journal,
    connect_beside,
    connect_unchanged,
    make_file,
    remove_file,
)
from inexview.core.project.journal.journal_rows import Row
from inexview.core.project.journal.schema import file_safe
from inexview.core.project.journal.sqlite_pages import explaining, reason_of
from inexview.core.wording import counted

KEPT = 10
_COMPARED = 2  # copies past the tenth that are compared with all others
_TIME = "%Y%m%dT%H%M%S.%fZ"
QUIET = ("session", "opened", "left", "away", "back", "quotes")
"""Actions that change nothing that is judged: with no more than these, a further copy would be the same."""
_MARKS = ", ".join("?" * len(QUIET))


def copies_folder() -> Path:
    return Path(platformdirs.user_data_dir("inexview", appauthor=False)) / "copies"


@dataclass(frozen=True, slots=True)
class ProjectCopy:
    """A copy of a project: where it is, and when it was made (UTC)."""

    path: Path
    time: datetime


@dataclass(frozen=True, slots=True)
class NewerCopy:
    """A copy of a project with actions that its file lacks, as after an older file was put back."""

    copy: ProjectCopy
    actions: int

    def __str__(self) -> str:
        actions = counted(self.actions, "action")
        made = f"{self.copy.time.astimezone():%Y-%m-%d %H:%M:%S}"
        return f"the copy of {made} has {actions} that the file lacks"


def keep_copy(path: Path) -> Path | None:
    """Make a copy of a sound project, check it, and forget the oldest; may be called in any thread.

    Returns where it is, None where the newest copy says the same already.  Raises ProjectError.
    """
    connection, _version = connect_unchanged(path, read_only=True)
    with contextlib.closing(connection):
        return keep_copy_of(path, connection)


def keep_copy_of(path: Path, connection: sqlite3.Connection) -> Path | None:
    """Make a copy of an open project, as ``keep_copy`` does, also where its file is gone."""
    with explaining(path):
        try:
            return _keep(path, connection)
        except OSError as error:  # of the copies, not of the project
            raise ProjectError(f"{copies_folder()}: no copy can be made ({reason_of(error)})") from error


def newer_copy(path: Path) -> NewerCopy | None:
    """Return the newest copy that has actions which a project file lacks; may be called in any thread.

    None too where somebody went on with the file since: a later copy has what was done then.
    Copies made at this path are asked, or all where none was made here.  Raises ProjectError.
    """
    with contextlib.closing(connect_beside(path)) as connection, explaining(path):
        return newer_copy_of(path, connection)


def newer_copy_of(path: Path, connection: sqlite3.Connection) -> NewerCopy | None:
    """Return the newest copy that has actions which an open project lacks, as ``newer_copy`` does."""
    name = _name_of(path)
    first = _first_id(connection)
    folder = copies_folder() / file_safe(first)
    # Without its first row, of a damaged file, nothing else tells which copies are of this project.
    copies = _copies_in(folder, name) or _copies_in(folder) if first else _made_at(name)
    last_known = 0  # row of the project that a later copy has
    for copy in copies:
        try:
            with contextlib.closing(connect_beside(copy.path)) as other:
                last = _last_row(other)
                if _holds(connection, last):
                    last_known = max(last_known, last[0])
                    continue
                lacking = _actions(other) - _actions(connection)
                fork = _common_rows(connection, other)
        except (ProjectError, sqlite3.Error):
            continue  # a damaged copy
        if lacking and not _actions(connection, after=fork, until=last_known):
            return NewerCopy(copy, len(lacking))
    return None


def _keep(path: Path, connection: sqlite3.Connection) -> Path | None:
    folder, name = copies_folder() / file_safe(_first_id(connection)), _name_of(path)
    there = _copies_in(folder, name)
    if there and _says_the_same(connection, there[0].path):
        return None
    target = folder / f"{datetime.now(UTC).strftime(_TIME)}-{name}.inexview"
    part = target.with_suffix(".part")
    folder.mkdir(parents=True, exist_ok=True)
    for left in folder.glob(f"*-{name}.part*"):
        remove_abandoned(left)
    try:
        make_file(part, connection).close()
        # Who may not read the project may not read its copies.
        part.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o600)
        Journal.open(part, read_only=True).close()
        replace_file(part, target)
    finally:
        remove_file(part)
    _forget_oldest(connection, there)
    return target


def _forget_oldest(connection: sqlite3.Connection, earlier: Sequence[ProjectCopy]) -> None:
    """Remove copies, newest first, that are too many now: those whose actions are all in the project,
    of which there is a copy now, or in a copy that stays.

    Those that stayed before are not compared with one another again, as there may be hundreds.
    """
    kept, old = list(earlier[: KEPT - 1]), earlier[KEPT - 1 :]
    for position, copy in enumerate(old):
        others = [*kept, *old[position + 1 :]] if position < _COMPARED else []
        if _has_nothing_else(connection, copy.path, (other.path for other in others)):
            remove_file(copy.path)
        else:
            kept.append(copy)


def _has_nothing_else(connection: sqlite3.Connection, copy: Path, others: Iterable[Path]) -> bool:
    """Tell whether all actions of a copy are in the project or in another copy."""
    try:
        with contextlib.closing(connect_beside(copy)) as opened:
            last: _PlacedId | None = opened.execute(
                f"SELECT seq, id FROM journal WHERE action NOT IN ({_MARKS}) ORDER BY seq DESC LIMIT 1", QUIET
            ).fetchone()
    except (ProjectError, sqlite3.Error):
        return True  # it cannot be read
    if last is None or _holds(connection, last):
        return True
    for other in others:
        with (
            contextlib.suppress(ProjectError, sqlite3.Error),
            contextlib.closing(connect_beside(other)) as there,
        ):
            if _holds(there, last):
                return True
    return False


def copies_of(path: Path) -> list[ProjectCopy]:
    """Return the copies of a project, newest first; those made at this path where its file is unreadable."""
    identifier = _identifier_of(path)
    listed = _copies_in(copies_folder() / file_safe(identifier)) if identifier else []
    return _newest_first(listed or _made_at(_name_of(path)))


def was_made_at(path: Path, copy: ProjectCopy) -> bool:
    """Tell whether a copy was made of a file at this path."""
    return copy.path.stem.endswith(f"-{_name_of(path)}")


def _made_at(name: str) -> list[ProjectCopy]:
    """Return the copies made at a path, of whatever project."""
    folders = copies_folder().iterdir() if copies_folder().is_dir() else ()
    return [copy for folder in folders for copy in _copies_in(folder, name)]


def _newest_first(copies: Iterable[ProjectCopy]) -> list[ProjectCopy]:
    """Put copies in order; those from the future, made while a clock was wrong, are the last."""
    now = datetime.now(UTC)
    return sorted(copies, key=lambda copy: (copy.time <= now, copy.time), reverse=True)


def _says_the_same(connection: sqlite3.Connection, copy: Path) -> bool:
    """Tell whether nothing was judged since a copy was made."""
    try:
        with contextlib.closing(connect_beside(copy)) as other:
            last = _last_row(other)
    except (ProjectError, sqlite3.Error):
        return False
    return _holds(connection, last) and not _actions(connection, after=last[0])


# A journal has one writer, who appends: where two files have the same row, all before it is the same.

_PlacedId = tuple[int, str]  # number and id of a row


def _first_id(connection: sqlite3.Connection) -> str:
    (identifier,) = connection.execute("SELECT id FROM journal WHERE seq = 1").fetchone() or ("",)
    return str(identifier)


def _last_row(connection: sqlite3.Connection) -> _PlacedId:
    last: _PlacedId | None = connection.execute(
        "SELECT seq, id FROM journal ORDER BY seq DESC LIMIT 1"
    ).fetchone()
    return last or (0, "")


def _holds(connection: sqlite3.Connection, row: _PlacedId) -> bool:
    found = connection.execute("SELECT 1 FROM journal WHERE seq = ? AND id = ?", row).fetchone()
    return found is not None


def _actions(connection: sqlite3.Connection, *, after: int = 0, until: int = sys.maxsize) -> set[str]:
    """Return the ids of rows that say what was done."""
    listed = connection.execute(
        f"SELECT id FROM journal WHERE seq > ? AND seq <= ? AND action NOT IN ({_MARKS})",
        (after, until, *QUIET),
    )
    return {identifier for (identifier,) in listed}


def _common_rows(connection: sqlite3.Connection, other: sqlite3.Connection) -> int:
    """Return how many rows two files begin with in common."""
    same, differ = 0, _last_row(connection)[0] + 1
    while differ - same > 1:
        middle = (same + differ) // 2
        row = other.execute("SELECT seq, id FROM journal WHERE seq = ?", (middle,)).fetchone()
        if row is not None and _holds(connection, row):
            same = middle
        else:
            differ = middle
    return same


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
            if identifier := _first_id(connection):
                return identifier
    except ProjectError:
        pass
    from inexview.core.project.recovery.salvage import salvaged  # here: hardly any project needs it

    try:
        rows: Sequence[Row] = salvaged(path)[0][:1]
    except ProjectError:
        return ""
    return rows[0].id if rows and rows[0].seq == 1 else ""


def _name_of(path: Path) -> str:
    return blake2b(os.fsencode(os.path.realpath(path)), digest_size=4).hexdigest()
