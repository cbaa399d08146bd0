"""Copies of a project, and recovery of damaged projects.

Copies are in the user's data folder, ``copies/ID``, where ID is the id of the project's first row, so that a
renamed or moved project finds them.  The last ten of each path are kept, and older ones with actions that
exist nowhere else.  Each copy is a complete project.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from hashlib import blake2b
from pathlib import Path

import platformdirs

from inexview.core.errors import ProjectError
from inexview.core.files import put_in_place, remove_abandoned, replace_file
from inexview.core.progress import Progress, unwatched
from inexview.core.project.answer_record import ANSWER_ROWS, AnswerRecord
from inexview.core.project.contents import Contents
from inexview.core.project.history import QUOTES, DocumentLog, LateQuotes
from inexview.core.project.journal import (
    INSERT,
    Journal,
    JournalEntry,
    check_folder,
    connect_beside,
    connect_unchanged,
    file_safe,
    make_file,
    remove_file,
    text_without_places,
)
from inexview.core.project.journal_rows import (
    START,
    DamagedFileError,
    Record,
    Row,
    SqliteValue,
    StoredRow,
    explaining,
    making,
    reason_of,
    records,
    row_digest,
)
from inexview.core.project.judge_record import JUDGE_ROWS, JudgeRecord
from inexview.core.project.nugget_record import NUGGET_ROWS, NuggetRecord
from inexview.core.wording import counted

KEPT = 10
_COMPARED = 2  # copies after the tenth that are compared with all others
_TIME = "%Y%m%dT%H%M%S.%fZ"
QUIET = ("session", "opened", "left", "away", "back", "quotes")
"""Actions that change no judgement; if only these are new, no further copy is needed."""
_MARKS = ", ".join("?" * len(QUIET))


def copies_folder() -> Path:
    return Path(platformdirs.user_data_dir("inexview", appauthor=False)) / "copies"


@dataclass(frozen=True, slots=True)
class ProjectCopy:
    """A copy of a project: its path, and its time (UTC)."""

    path: Path
    time: datetime


@dataclass(frozen=True, slots=True)
class NewerCopy:
    """A copy with actions that the project file lacks, for instance after restoring an older file."""

    copy: ProjectCopy
    actions: int

    def __str__(self) -> str:
        actions = counted(self.actions, "action")
        made = f"{self.copy.time.astimezone():%Y-%m-%d %H:%M:%S}"
        return f"the copy of {made} has {actions} missing from the file"


def keep_copy(path: Path) -> Path | None:
    """Make and check a copy of a sound project, and remove the oldest; may be called in any thread.

    Returns its path; None if the newest copy has the same content.  Raises ProjectError.
    """
    connection, _version = connect_unchanged(path, read_only=True)
    with contextlib.closing(connection):
        return keep_copy_of(path, connection)


def keep_copy_of(path: Path, connection: sqlite3.Connection) -> Path | None:
    """Copy an open project like ``keep_copy``, even if its file is gone."""
    with explaining(path):
        try:
            return _keep(path, connection)
        except OSError as error:  # of the copies, not of the project
            raise ProjectError(f"{copies_folder()}: copies cannot be saved ({reason_of(error)})") from error


def newer_copy(path: Path) -> NewerCopy | None:
    """Return the newest copy with actions that a project file lacks; may be called in any thread.

    None if the file was used since, because a later copy has those actions.  Searches the copies made at this
    path, or all copies if there are none.  Raises ProjectError.
    """
    with contextlib.closing(connect_beside(path)) as connection, explaining(path):
        return newer_copy_of(path, connection)


def newer_copy_of(path: Path, connection: sqlite3.Connection) -> NewerCopy | None:
    """Return the newest copy with actions that an open project lacks, like ``newer_copy``."""
    name = _name_of(path)
    first = _first_id(connection)
    folder = copies_folder() / file_safe(first)
    # If a damaged file lost its first row, only the path identifies the copies of this project.
    copies = _copies_in(folder, name) or _copies_in(folder) if first else _made_at(name)
    last_known = 0  # row of the project that a later copy has
    for copy in copies:
        try:
            with contextlib.closing(connect_beside(copy.path)) as other:
                last = _last_row(other)
                if _holds(connection, last):
                    last_known = max(last_known, last[0])
                    continue
                lacking = _actions_in(other) - _actions_in(connection)
                fork = _common_rows(connection, other)
        except (ProjectError, sqlite3.Error):
            continue  # a damaged copy
        if lacking and not _actions_in(connection, after=fork, until=last_known):
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
        # Copies have the same read permission as the project.
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
    """Return whether all actions of a copy are in the project or in another copy."""
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
    """Return the copies of a project, newest first; if its file is unreadable, those made at its path."""
    identifier = _identifier_of(path)
    listed = _copies_in(copies_folder() / file_safe(identifier)) if identifier else []
    return _newest_first(listed or _made_at(_name_of(path)))


def was_made_at(path: Path, copy: ProjectCopy) -> bool:
    """Return whether a copy was made of a file at this path."""
    return copy.path.stem.endswith(f"-{_name_of(path)}")


def _made_at(name: str) -> list[ProjectCopy]:
    """Return the copies made at a path, of any project."""
    folders = copies_folder().iterdir() if copies_folder().is_dir() else ()
    return [copy for folder in folders for copy in _copies_in(folder, name)]


def _newest_first(copies: Iterable[ProjectCopy]) -> list[ProjectCopy]:
    """Sort copies; those from the future, made with a wrong clock, come last."""
    now = datetime.now(UTC)
    return sorted(copies, key=lambda copy: (copy.time <= now, copy.time), reverse=True)


def _says_the_same(connection: sqlite3.Connection, copy: Path) -> bool:
    """Return whether nothing was judged after a copy was made."""
    try:
        with contextlib.closing(connect_beside(copy)) as other:
            last = _last_row(other)
    except (ProjectError, sqlite3.Error):
        return False
    return _holds(connection, last) and not _actions_in(connection, after=last[0])


# A journal has one writer, who appends: if two files share a row, all rows before it are equal.

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


def _actions_in(connection: sqlite3.Connection, *, after: int = 0, until: int = sys.maxsize) -> set[str]:
    """Return the ids of the rows that record actions."""
    listed = connection.execute(
        f"SELECT id FROM journal WHERE seq > ? AND seq <= ? AND action NOT IN ({_MARKS})",
        (after, until, *QUIET),
    )
    return {identifier for (identifier,) in listed}


def _common_rows(connection: sqlite3.Connection, other: sqlite3.Connection) -> int:
    """Return the number of common first rows of two files."""
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
    """Return a project's id, even of a damaged file; empty if its first row is lost."""
    try:
        connection, _version = connect_unchanged(path, read_only=True)
        with contextlib.closing(connection), explaining(path):
            if identifier := _first_id(connection):
                return identifier
    except ProjectError:
        pass

    try:
        rows: Sequence[Row] = salvaged(path)[0][:1]
    except ProjectError:
        return ""
    return rows[0].id if rows and rows[0].seq == 1 else ""


def _name_of(path: Path) -> str:
    return blake2b(os.fsencode(os.path.realpath(path)), digest_size=4).hexdigest()


# Reading a damaged project file, and reporting its lost or doubtful rows.
#
# Rows with a correct digest are as they were written. A changed but readable row is used if no sound one is
# found, and reported. Rows that are in no page are lost; an index shows their topic and document, and a copy
# of the project may still have them.

_VALUES = len(Row._fields)
_LARGEST = 1 << 40  # no journal has as many rows
_FURTHEST = 10_000  # rows that may be lost together
_SOME = 6  # documents or rows named in a sentence
RowPlace = tuple[str | None, str | None]  # topic, document


@dataclass(frozen=True, slots=True)
class Found:
    """A row that was found; it is ``sound`` if its digest is correct."""

    row: Row
    before: bytes
    digest: bytes
    sound: bool
    copied: bool = False
    """Whether it comes from a copy."""


@dataclass(frozen=True, slots=True)
class Damage:
    """The damage of a project file: its lost or changed rows, with their topics and documents."""

    path: Path
    lost: tuple[int, ...]
    changed: tuple[int, ...]
    about: Mapping[int, RowPlace]
    """Topic and document of all these rows, if known."""
    rows: int
    """The number of readable rows, sound and changed."""
    senseless: tuple[int, ...] = ()
    """Rows that are invalid, alone or without the lost ones; they are left out."""
    certain: bool = True
    """Whether topic and document of all these rows are known."""
    complete: bool = True
    """Whether the original number of rows is known."""
    copied: tuple[int, ...] = ()
    """Rows from copies that the file no longer has."""
    copy: NewerCopy | None = None
    """A copy with actions that the file lacks."""

    @property
    def documents(self) -> tuple[tuple[str, str], ...]:
        """The (topic, document) pairs whose judgements may have changed."""
        found = dict.fromkeys(self.about[seq] for seq in self._seqs if seq in self.about)
        return tuple((topic, name) for topic, name in found if topic is not None and name is not None)

    @property
    def of_project(self) -> bool:
        """Whether the damage may concern more than single documents: topics, pools, the collection."""
        places = [self.about.get(seq) for seq in self._seqs]
        return any(place is None or place[1] is None for place in places)

    @property
    def _seqs(self) -> list[int]:
        return sorted({*self.lost, *self.changed, *self.senseless})

    @property
    def lines(self) -> tuple[str, ...]:
        """The lost or changed rows, a line for each document or topic."""
        of_place: dict[RowPlace | None, dict[str, list[int]]] = {}
        for what, seqs in (("lost", self.lost), ("changed", self.changed), ("without sense", self.senseless)):
            for seq in seqs:
                of_place.setdefault(self.about.get(seq), {}).setdefault(what, []).append(seq)
        return tuple(
            f"{_place(place)}: {', '.join(f'{_rows(seqs)} {what}' for what, seqs in told.items())}"
            for place, told in of_place.items()
        )

    def __str__(self) -> str:
        """Return a sentence with the damage and advice."""
        if not self._seqs and not self.complete:
            what = f"{counted(self.rows, 'row')} can be read; the original number is unknown"
        elif not self._seqs:
            what = "no judgement is lost"
        else:
            gone = len(self.lost) + len(self.senseless)
            some = "; ".join(self.lines[:_SOME]) + ("; …" if len(self.lines) > _SOME else "")
            what = f"{self.rows:,} of {self.rows + gone:,} rows can be read ({some})"
            if not self.certain:
                what += ", and further documents may be affected"
        if self.copy is not None:
            what += f"; {self.copy}"
        return (
            f"{self.path}: the project file is damaged; {what}. It was opened read-only and not changed: "
            "File ▸ Restore… and `inexview restore` list its copies and save the readable part to a new file"
        )


def salvaged(
    path: Path, copies: Iterable[Path] = (), progress: Progress = unwatched
) -> tuple[list[Row], Damage]:
    """Return the valid rows of a damaged file, in order, and its damage.

    ``copies`` of the same project, the best first, supply rows that the file lacks, even after its last one.
    Raises ProjectError if nothing can be read, and Cancelled.
    """
    sheet = _read(path, progress)
    certain = sheet.certain and sheet.ends  # before other files' rows are among its own
    last = sheet.last
    last = _reached(last, _add_copied(sheet.found, copies, progress))
    if not sheet.found:
        raise DamagedFileError(
            f"{path}: the project file is damaged, and no row of it can be read; `inexview restore` lists "
            "its copies"
        )
    chosen = _chosen({seq: listed for seq, listed in sheet.found.items() if listed and seq <= last})
    about = {seq: place for seq in range(1, last + 1) if (place := sheet.doubted(chosen.get(seq), seq))}
    for seq, (topic, document) in about.items():
        if seq in chosen:
            row = chosen[seq].row._replace(topic=topic, document=document)
            chosen[seq] = replace(chosen[seq], row=row)
    lost = tuple(seq for seq in range(1, last + 1) if seq not in chosen)
    changed = tuple(seq for seq, one in chosen.items() if not one.sound)
    # Rows of earlier versions and their copies hold file paths, which are removed.
    placeless = [
        one.row._replace(content=text_without_places(one.row.action, one.row.content))
        for one in chosen.values()
    ]
    rows, senseless = _with_sense(path, placeless, progress)
    for seq in senseless:
        about.setdefault(seq, (chosen[seq].row.topic, chosen[seq].row.document))
    changed = tuple(seq for seq in changed if seq not in senseless)
    copied = tuple(seq for seq, one in chosen.items() if one.copied)
    return rows, Damage(path, lost, changed, about, len(rows), tuple(senseless), certain, sheet.ends, copied)


def _add_copied(found: dict[int, list[Found]], copies: Iterable[Path], progress: Progress) -> set[int]:
    """Add the sound rows of copies, the best first, to those of a file; return their numbers.

    A copy made after an older file was restored supplies only the rows from before that.
    """
    ids = {seq: one.row.id for seq, listed in found.items() for one in listed if one.sound}
    given = set[int]()
    for copy in copies:
        try:
            read = _read(copy, progress).found
        except ProjectError:
            continue
        theirs = {seq: one for seq, listed in read.items() for one in listed if one.sound}
        shared = {seq: one.row.id == ids[seq] for seq, one in theirs.items() if seq in ids}
        fork = min((seq for seq, same in shared.items() if not same), default=_LARGEST)
        same = [seq for seq in shared if seq < fork]
        until = fork if fork == _LARGEST else max(same, default=0)
        for seq, one in theirs.items():
            if seq <= until:
                found.setdefault(seq, []).append(replace(one, copied=True))
                ids.setdefault(seq, one.row.id)
                given.add(seq)
    return given


def _with_sense(path: Path, rows: Sequence[Row], progress: Progress) -> tuple[list[Row], list[int]]:
    """Return the rows that form a valid sequence, and the numbers of the others."""
    contents, late, logs = Contents(path), LateQuotes(), defaultdict[RowPlace, DocumentLog](DocumentLog)
    records = {
        action: record
        for actions, record in (
            (ANSWER_ROWS, AnswerRecord()),
            (JUDGE_ROWS, JudgeRecord()),
            (NUGGET_ROWS, NuggetRecord()),
        )
        for action in actions
    }
    kept, senseless = [], []
    for done, row in enumerate(rows):
        progress("rows compared", done, len(rows))
        try:
            if row.document is not None:
                logs[row.topic, row.document].take(row)
            elif row.action == QUOTES:
                late.take(row)
                late.of(row.topic or "", "")
            else:
                records.get(row.action, contents).take(row)
        except ProjectError:
            senseless.append(row.seq)
        else:
            kept.append(row)
    return kept, senseless


@dataclass(frozen=True)
class _Sheet:
    """The content of a file's pages: rows by number, and the entries of its index and counters."""

    found: dict[int, list[Found]]
    about: dict[int, RowPlace]
    counted: int

    @cached_property
    def placing(self) -> bool:
        """Whether the index agrees with all sound rows, and can be trusted for others."""
        return all(
            self.about.get(seq) == _own(one)
            for seq, one in self._rows()
            if one.sound and one.row.document is not None
        )

    @cached_property
    def certain(self) -> bool:
        """Whether the index shows no damage in its entries of changed or missing rows."""
        return self.placing and not any(
            self._strange(one, self.about.get(seq)) for seq, one in self._rows() if not one.sound
        )

    def _strange(self, one: Found, entry: RowPlace | None) -> bool:
        if entry is None:
            return one.row.document is not None
        return entry != _own(one) and entry not in self._known

    def doubted(self, one: Found | None, seq: int) -> RowPlace | None:
        """Return the topic and document of a lost or changed row; None if it is sound or they are unknown."""
        if one is not None and one.sound:
            return None
        own, entry = None if one is None else _own(one), self.about.get(seq)
        if not self.placing:
            return own or entry
        if own in self._known and entry not in self._known:
            return own
        # Rows without an index entry concern no document.
        return entry or (None if one is None else one.row.topic, None)

    @cached_property
    def _known(self) -> set[RowPlace]:
        """Topic and document of the sound rows."""
        return {_own(one) for _, one in self._rows() if one.sound}

    def _rows(self) -> Iterator[tuple[int, Found]]:
        return ((seq, one) for seq, listed in self.found.items() for one in listed)

    @cached_property
    def last(self) -> int:
        """The number of the original last row, as far as it can be derived from possibly damaged numbers."""
        if self.ends:
            return self.counted
        return _reached(self._last_sound, {*self.found, *self.about})

    @cached_property
    def ends(self) -> bool:
        """Whether the row counter exists and is plausible."""
        return self._last_sound <= self.counted <= self._last_sound + _FURTHEST and self.counted > 0

    @cached_property
    def _last_sound(self) -> int:
        return _reached(0, (seq for seq, one in self._rows() if one.sound))


def _own(one: Found) -> RowPlace:
    return one.row.topic, one.row.document


def _reached(last: int, seqs: Iterable[int]) -> int:
    """Return the last number before a large gap."""
    for seq in sorted(seqs):
        if seq > last + _FURTHEST:
            break
        last = max(last, seq)
    return last


def _read(path: Path, progress: Progress) -> _Sheet:
    """Read the readable parts of a file; raises ProjectError, Cancelled."""
    rows: list[Found] = []
    about: dict[int, RowPlace] = {}
    counter = 0
    try:
        for record in records(path):
            progress(f"rows found in {path.name}", len(rows), None)
            values = record.values
            if (one := _as_row(record)) is not None:
                if one.sound or not record.moved:
                    rows.append(one)
            elif record.number is None and (entry := _as_entry(values)) is not None:
                about[entry[0]] = about.get(entry[0], entry[1]) if record.moved else entry[1]
            elif len(values) == 2 and values[0] == b"journal" and isinstance(values[1], int):
                counter = max(counter, values[1])
    except OSError as error:
        raise ProjectError(f"{path}: the project cannot be read ({error.strerror or error})") from error
    found: dict[int, list[Found]] = {}
    first_version = not any(one.digest for one in rows)  # whose rows have none
    for one in rows:
        found.setdefault(one.row.seq, []).append(replace(one, sound=one.sound or first_version))
    _mend(found, about)
    return _Sheet(found, about, counter)


def _as_row(record: Record) -> Found | None:
    """Return a record as a row; None if it is something else."""
    values = record.values
    if record.number is None or not 0 < record.number < _LARGEST or len(values) < _VALUES:
        return None
    texts = [_text(value) for value in values[1:_VALUES]]
    id, time, assessor, topic, document, action, step, content = texts
    if id is None or time is None or assessor is None or action is None or content is None:
        return None
    row = Row(record.number, id, time, assessor, topic, document, action, step, content)
    if len(values) == _VALUES:
        return Found(row, b"", b"", sound=False)
    before, digest = (value if isinstance(value, bytes) else b"?" for value in (*values[_VALUES:], None)[:2])
    return Found(row, before, digest, sound=row_digest(before, row) == digest)


def _as_entry(values: Sequence[SqliteValue]) -> tuple[int, RowPlace] | None:
    """Return an entry of the document index: a row's number, topic and document."""
    if len(values) != 4 or not isinstance(values[3], int) or not 0 < values[3] < _LARGEST:
        return None
    return values[3], (_text(values[0]), _text(values[1]))


def _text(value: SqliteValue) -> str | None:
    return value.decode(errors="replace") if isinstance(value, bytes) else None


def _mend(found: dict[int, list[Found]], about: Mapping[int, RowPlace]) -> None:
    """Repair rows of which only the number, or topic and document, is damaged; the digest verifies it.

    The number follows from the row before; topic and document come from the index.
    """
    seq_of = {one.digest: seq for seq, listed in found.items() for one in listed if one.sound}
    for seq in list(found):
        for one in [one for one in found[seq] if not one.sound and one.digest]:
            follows = 1 if one.before == START else seq_of.get(one.before, seq - 1) + 1
            topic, document = about.get(seq, (one.row.topic, one.row.document))
            for row in (one.row._replace(seq=follows), one.row._replace(topic=topic, document=document)):
                if row_digest(one.before, row) == one.digest:
                    found[seq].remove(one)
                    found.setdefault(row.seq, []).append(Found(row, one.before, one.digest, sound=True))
                    break
        if not found[seq]:
            del found[seq]


def _chosen(found: Mapping[int, Sequence[Found]]) -> dict[int, Found]:
    """Return one row for each number; prefer sound rows, then rows that follow their predecessor."""
    chosen: dict[int, Found] = {}
    before = START
    for seq in sorted(found):
        best = max(found[seq], key=lambda one: (one.sound, one.before == before, not one.copied))
        chosen[seq] = best
        before = best.digest
    return chosen


def _place(place: RowPlace | None) -> str:
    if place is None:
        return "of unknown topics and documents"
    topic, document = place
    if topic is None:
        return "about the project"
    return f"topic {topic}" if document is None else f"topic {topic}, document {document}"


def _rows(seqs: Sequence[int]) -> str:
    """Return row numbers in words: "row 7", "rows 7–9, 12"."""
    ranges: list[list[int]] = []
    for seq in seqs:
        if ranges and seq == ranges[-1][1] + 1:
            ranges[-1][1] = seq
        else:
            ranges.append([seq, seq])
    if len(ranges) > _SOME:
        return counted(len(seqs), "row")
    said = ", ".join(f"{first}" if first == last else f"{first}–{last}" for first, last in ranges)
    return f"row {said}" if len(seqs) == 1 else f"rows {said}"


# Writing projects to new files: open projects whose file is gone, copies, recovered rows.

SALVAGE = "salvage"


def save_elsewhere(journal: Journal, path: Path) -> None:
    """Write all committed rows of an open journal to a new file, unchanged.

    Its file may be gone: rows come from the open handle, from the rows written since it was opened, and from
    the copies.  Raises ProjectError.
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
    """Write the readable rows of a damaged file to a new one, with the rows of its copies.

    Copies made at its path come first, because a shared file may have been continued elsewhere.  The new file
    records the losses, and documents whose judgements may have changed are reopened.
    Returns the damage.  Raises ProjectError.
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
    """Return the rows up to the journal's last one; raises ProjectError if one is missing."""
    chain: list[StoredRow] = []
    wanted = journal.digest
    for seq in range(journal.last, 0, -1):
        row = next(
            (
                row
                for row in found.get(seq, ())
                if row[-1] == wanted and row_digest(row[-2], row[:-2]) == wanted
            ),
            None,
        )
        if row is None:
            raise ProjectError(
                f"{journal.path}: row {seq} is neither in the open file nor in a copy; `inexview restore` "
                "lists the copies"
            )
        chain.append(row)
        wanted = row[-2]
    return chain[::-1]


def _write(
    path: Path, rows: Sequence[StoredRow], noted: Sequence[JournalEntry] = (), assessor: str = ""
) -> None:
    """Write rows to a new file; it appears once it is complete and checked."""
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
        put_in_place(part, path)
    except FileExistsError as error:
        raise ProjectError(f"{path}: a file of this name already exists; choose another name") from error
    except (OSError, sqlite3.Error) as error:
        reason = reason_of(error) if isinstance(error, OSError) else str(error)
        raise ProjectError(f"{path}: a project cannot be created here ({reason})") from error
    finally:
        with contextlib.suppress(OSError):
            remove_file(part)


# The contents of the copies of a project, compared with one another.


@dataclass(frozen=True, slots=True)
class CopyContents:
    """A copy, its number of actions, and their comparison with the project file."""

    copy: ProjectCopy
    actions: int
    documents: int
    """The number of judged documents."""
    not_in_file: int
    """Actions that the project file lacks."""
    lacking: int
    """Actions of the project file that the copy lacks."""
    only_here: int
    """Actions that exist only in this copy."""

    def __str__(self) -> str:
        said = [f"{counted(self.actions, 'action')} in {counted(self.documents, 'document')}"]
        if self.not_in_file:
            only = f", {self.only_here:,} of them in no other copy" if self.only_here else ""
            said.append(f"{self.not_in_file:,} that the file has not{only}")
        if self.lacking:
            said.append(f"lacks {self.lacking:,} of the file")
        return "; ".join(said) if len(said) > 1 else f"{said[0]}, the same as the file"


def copy_contents(path: Path) -> list[CopyContents]:
    """Return the contents of a project's copies, newest first; unreadable copies are left out."""
    here = {row.id for row in _actions(path)}
    listed = [(copy, rows) for copy in copies_of(path) if (rows := _actions(copy.path))]
    among = Counter(row.id for _, rows in listed for row in rows)
    contents = []
    for copy, rows in listed:
        ids = {row.id for row in rows}
        documents = {(row.topic, row.document) for row in rows if row.document is not None}
        only = sum(among[id] == 1 for id in ids - here)
        contents.append(CopyContents(copy, len(ids), len(documents), len(ids - here), len(here - ids), only))
    return contents


def _actions(path: Path) -> list[Row]:
    """Return the rows of a project that record actions, even of a damaged one."""
    try:
        with contextlib.closing(Journal.open(path, read_only=True)) as journal:
            rows = list(journal.rows())
    except ProjectError:
        try:
            rows, _ = salvaged(path)
        except ProjectError:
            return []
    return [row for row in rows if row.action not in QUIET]
