"""Projects written to new files: what a window knows whose file is gone, copies, what damage has left."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path

from inexview.core import durable
from inexview.core.errors import ProjectError
from inexview.core.project.journal.journal import Journal, JournalEntry
from inexview.core.project.journal.journal_file import check_folder, make_file, remove_file
from inexview.core.project.journal.journal_rows import START, Row, StoredRow, row_digest
from inexview.core.project.journal.schema import INSERT
from inexview.core.project.journal.sqlite_errors import explaining, making, reason_of
from inexview.core.project.judging.history import DocumentLog
from inexview.core.project.recovery.copies import copies_of, was_made_at
from inexview.core.project.recovery.salvage import Damage, salvaged

SALVAGE = "salvage"


def save_elsewhere(journal: Journal, path: Path) -> None:
    """Write all that was ever acknowledged by an open journal to a new file, row for row the same.

    The file it was opened from may be gone: rows come from the handle that is still open, from what was
    written since it was opened, and from the copies.  Raises ProjectError.
    """
    path = Path(os.path.realpath(path))
    found: dict[int, list[StoredRow]] = {}
    with contextlib.suppress(ProjectError):
        _collect(found, journal.stored())
    _collect(found, journal.written)
    if not _is_whole(journal, found):
        for copy in copies_of(journal.path):
            with contextlib.suppress(ProjectError), contextlib.closing(_opened(copy.path)) as other:
                _collect(found, other.stored())
    _write(path, _chain(journal, found))


def restore_copy(copy: Path, path: Path) -> None:
    """Write a copy to a new file; raises ProjectError."""
    with contextlib.closing(_opened(copy)) as journal:
        _write(path, list(journal.stored()))


def save_salvaged(damaged: Path, path: Path) -> Damage:
    """Write what can be read of a damaged file to a new one, with the rows that copies still have.

    Those made at its path are asked first: a file given to somebody else may have gone on otherwise.  What is
    lost is noted there, and documents whose judgements may not be as they were are open again.
    Returns what is lost.  Raises ProjectError.
    """
    copies = sorted(copies_of(damaged), key=lambda copy: not was_made_at(damaged, copy))
    rows, damage = salvaged(damaged, [copy.path for copy in copies])
    stored, before = [], START
    for seq, row in enumerate(rows, 1):
        numbered = row._replace(seq=seq)
        digest = row_digest(before, numbered)
        stored.append((*numbered, before, digest))
        before = digest
    content = {
        "lost": list(damage.lost),
        "changed": list(damage.changed),
        "senseless": list(damage.senseless),
    }
    noted = [JournalEntry(SALVAGE, {"from": damaged.name, **content}), *_reopened(rows, damage)]
    _write(path, stored, noted if any(content.values()) else [], rows[-1].assessor if rows else "")
    return damage


def _reopened(rows: Sequence[Row], damage: Damage) -> list[JournalEntry]:
    doubtful = set(damage.documents)
    of_document: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        if row.topic is not None and row.document is not None and (row.topic, row.document) in doubtful:
            of_document.setdefault((row.topic, row.document), []).append(row)
    return [
        JournalEntry("reopen", {}, topic, document)
        for (topic, document), listed in of_document.items()
        if DocumentLog(listed).open.state.finished
    ]


def _opened(path: Path) -> Journal:
    return Journal.open(path, read_only=True)


def _collect(found: dict[int, list[StoredRow]], rows: Iterable[StoredRow]) -> None:
    for row in rows:
        found.setdefault(row[0], []).append(row)


def _is_whole(journal: Journal, found: dict[int, list[StoredRow]]) -> bool:
    try:
        _chain(journal, found)
    except ProjectError:
        return False
    return True


def _chain(journal: Journal, found: dict[int, list[StoredRow]]) -> list[StoredRow]:
    """Return the rows that lead to the journal's last one; raises ProjectError where one is nowhere."""
    chain: list[StoredRow] = []
    wanted = journal.digest
    for seq in range(journal.last, 0, -1):
        row = next((row for row in found.get(seq, ()) if row[-1] == wanted and _is_sound(row)), None)
        if row is None:
            raise ProjectError(
                f"{journal.path}: row {seq} is neither in the file that was open nor in a copy; `inexview "
                "restore` lists the copies there are"
            )
        chain.append(row)
        wanted = row[-2]
    return chain[::-1]


def _is_sound(stored: StoredRow) -> bool:
    *values, before, digest = stored
    return bool(row_digest(before, tuple(values)) == digest)


def _write(
    path: Path, rows: Sequence[StoredRow], noted: Sequence[JournalEntry] = (), assessor: str = ""
) -> None:
    """Write rows to a new file, which appears when it is complete and checked."""
    check_folder(path)
    part = path.with_name(f".{path.name}.new")
    try:
        if path.exists():
            raise FileExistsError(str(path))
        remove_file(part)
        with making(path, part):
            with contextlib.closing(make_file(part)) as connection, explaining(path):
                connection.execute("BEGIN")
                connection.executemany(INSERT, rows)
                connection.execute("COMMIT")
            with contextlib.closing(Journal.open(part, read_only=False)) as journal:
                if noted:
                    journal.start_writing()
                    journal.append(noted, assessor)
        durable.put_in_place(part, path)
    except FileExistsError as error:
        raise ProjectError(f"{path}: there is a file of this name already; choose another") from error
    except (OSError, sqlite3.Error) as error:
        reason = reason_of(error) if isinstance(error, OSError) else str(error)
        raise ProjectError(f"{path}: no project can be made here ({reason})") from error
    finally:
        with contextlib.suppress(OSError):
            remove_file(part)
