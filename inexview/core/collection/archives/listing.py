"""The files of a collection as they are found: a SQLite file that a kill leaves whole.

A source adds entries, blocks and folders and says how far it is; ``save`` makes all of it last together.  The
next attempt goes on from what was saved.  When everything is listed, :func:`write_index` puts it in order.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from threading import RLock
from typing import NamedTuple

from inexview.core.collection.archives.members import CollectionFile, document_id
from inexview.core.collection.archives.packed_blocks import DAMAGED, BlockTable

VERSION = 1
_NOTED = 1000  # warnings of one kind that are kept; the others are counted
_SAID = 5

_TABLES = """
CREATE TABLE IF NOT EXISTS facts (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS found (
    id TEXT NOT NULL, rank, depth INTEGER NOT NULL, name TEXT NOT NULL, place INTEGER NOT NULL,
    size INTEGER, packed INTEGER NOT NULL, method INTEGER NOT NULL, crc INTEGER NOT NULL,
    folder INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS found_in ON found (folder) WHERE folder <> 0;
CREATE TABLE IF NOT EXISTS blocks (
    offset INTEGER PRIMARY KEY, size INTEGER NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS folders (
    number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, parent INTEGER, changed INTEGER,
    files INTEGER NOT NULL, print INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS folders_below ON folders (parent);
CREATE TABLE IF NOT EXISTS warnings (folder INTEGER NOT NULL, kind TEXT NOT NULL, about TEXT NOT NULL);
"""


class Listing:
    """What was found of a collection so far; used by one thread of one process at a time."""

    def __init__(self, path: Path | None, store: Path, stamp: str) -> None:
        """Open a listing, or begin it where there is none of this archive as it is now; None: in memory."""
        self.lock = RLock()
        self.connection = _opened(path, stamp)
        self.blocks = BlockTable(self.connection, self.lock, store)
        self._kinds: dict[str, int] = {}  # how often each warning was given
        self._folder = 0  # the one that is looked into
        self._changed = False

    def add(self, entry: CollectionFile) -> None:
        self._touch()
        name = entry.name
        id = document_id(name)
        self.connection.execute(
            "INSERT INTO found VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (id, _rank(id), name.count("/"), *entry, self._folder),
        )

    def warn(self, kind: str, about: str = "") -> None:
        """Note what looks wrong; thousands of one kind become one sentence."""
        count = self._kinds[kind] = self._kinds.get(kind, 0) + 1
        if count <= _NOTED:
            self.connection.execute("INSERT INTO warnings VALUES (?, ?, ?)", (self._folder, kind, about))

    def reached(self) -> int:
        """Return how far the source said that it was, in its own count; 0 at the beginning."""
        reached = self._fact("reached")
        return reached if isinstance(reached, int) else 0

    def reach(self, place: int) -> None:
        """Note how far the source is."""
        self.connection.execute("INSERT OR REPLACE INTO facts VALUES ('reached', ?)", (place,))

    def save(self) -> None:
        """Make everything last that was noted until now."""
        self.connection.commit()

    def folders(self) -> Folders:
        return Folders(self)

    @property
    def indexed(self) -> bool:
        """Whether an index has been made of exactly what is in the listing."""
        return not self._changed and self._fact("indexed") is not None

    def note_indexed(self) -> None:
        self._changed = False
        self.connection.execute("INSERT OR REPLACE INTO facts VALUES ('indexed', 1)")
        self.save()

    def replace_files(
        self, folder: Folder, files: Iterable[str], before: tuple[int, int] | None
    ) -> tuple[int, int]:
        """Replace the files of a folder, and return how many there are and a fingerprint of their names.

        Where both are what they were ``before``, nothing has changed.
        """
        ask = self.connection.execute
        was_changed, was_warned = self._changed, sum(self._kinds.values())
        ask("SAVEPOINT look")
        self._touch()
        for table in ("found", "warnings"):
            ask(f"UPDATE {table} SET folder = -1 WHERE folder = ?", (folder.number,))
        count = print_ = 0
        self._folder = folder.number
        try:
            for file in files:
                count += 1
                self.add(CollectionFile(file))
                print_ = print_ + _fingerprint(file) & (1 << 62) - 1
        finally:
            self._folder = 0
        print_ += sum(self._kinds.values()) - was_warned
        if (count, print_) == before:
            ask("ROLLBACK TO look")
            self._changed = was_changed
        else:
            for table in ("found", "warnings"):
                ask(f"DELETE FROM {table} WHERE folder = -1")
        ask("RELEASE look")
        return count, print_

    def warnings(self) -> list[str]:
        """Return what looks wrong, a sentence for each kind."""
        rows = self.connection.execute(
            "SELECT DISTINCT kind, about FROM warnings ORDER BY kind, about"
        ).fetchall()
        kinds: dict[str, list[str]] = {}
        for kind, about in rows:
            kinds.setdefault(kind, []).append(about)
        return [_sentence(kind, abouts, self._kinds.get(kind, 0)) for kind, abouts in kinds.items()]

    def close(self) -> None:
        """Close it; what was not saved is gone."""
        self.connection.close()

    def _touch(self) -> None:
        if not self._changed:
            self._changed = True
            self.connection.execute("DELETE FROM facts WHERE key = 'indexed'")

    def _fact(self, key: str) -> object:
        row = self.connection.execute("SELECT value FROM facts WHERE key = ?", (key,)).fetchone()
        return row[0] if row else None


class Folder(NamedTuple):
    """A folder that was listed: ``changed`` is its time of last change, None where it is to be listed."""

    number: int
    name: str
    changed: int | None
    files: int


class Folders:
    """The folders of a listing, each with the files that were found in it."""

    def __init__(self, listing: Listing) -> None:
        self._listing = listing
        self._ask = listing.connection.execute

    def of(self, name: str) -> Folder | None:
        """Return a folder by its name, "" for the root."""
        row = self._ask("SELECT number, name, changed, files FROM folders WHERE name = ?", (name,)).fetchone()
        return Folder(*row) if row else None

    def below(self, folder: Folder) -> list[str]:
        return [name for (name,) in self._ask("SELECT name FROM folders WHERE parent = ?", (folder.number,))]

    def listed_again(self, name: str, files: Iterable[str], folders: list[str]) -> Folder:
        """Replace what is known of a folder; ``folders`` is read when ``files`` are exhausted."""
        known = self._ask("SELECT number, files, print FROM folders WHERE name = ?", (name,)).fetchone()
        if known is None:
            self._ask("INSERT INTO folders VALUES (NULL, ?, NULL, NULL, -1, 0)", (name,))
            known = self._ask("SELECT number, files, print FROM folders WHERE name = ?", (name,)).fetchone()
        folder = Folder(known[0], name, None, 0)
        count, print_ = self._listing.replace_files(folder, files, known[1:])
        self._ask("UPDATE folders SET files = ?, print = ? WHERE number = ?", (count, print_, folder.number))
        self._replace_below(folder, set(folders))
        return folder._replace(files=count)

    def note_change(self, folder: Folder, changed: int | None) -> None:
        """Note when a folder that was just listed was last changed, None where that is not sure."""
        self._ask("UPDATE folders SET changed = ? WHERE number = ?", (changed, folder.number))

    def _replace_below(self, folder: Folder, names: set[str]) -> None:
        before = set(self.below(folder))
        for name in before - names:
            self._forget(name)
        self._listing.connection.executemany(
            "INSERT INTO folders VALUES (NULL, ?, ?, NULL, -1, 0)",
            ((name, folder.number) for name in names - before),
        )

    def _forget(self, name: str) -> None:
        waiting = [name]
        while waiting:
            folder = self.of(waiting.pop())
            if folder is not None:
                waiting += self.below(folder)
                self._listing.replace_files(folder, (), None)
                self._ask("DELETE FROM folders WHERE number = ?", (folder.number,))


def _opened(path: Path | None, stamp: str) -> sqlite3.Connection:
    """Open a listing's file; one that is damaged, of another version or of another archive is begun again."""
    if path is None:
        return _prepared(sqlite3.connect(":memory:", check_same_thread=False), stamp)
    for attempt in range(2):
        connection = sqlite3.connect(path, check_same_thread=False)
        try:
            if _is_of(connection, stamp) or attempt:
                return _prepared(connection, stamp)
        except DAMAGED:
            if attempt:
                raise
        connection.close()
        delete_listing(path)
    raise AssertionError


def delete_listing(path: Path) -> None:
    """Delete a listing and its log."""
    for left in (path, path.with_name(path.name + "-wal")):
        left.unlink(missing_ok=True)


def _is_of(connection: sqlite3.Connection, stamp: str) -> bool:
    if connection.execute("PRAGMA user_version").fetchone()[0] != VERSION:
        return False
    row = connection.execute("SELECT value FROM facts WHERE key = 'stamp'").fetchone()
    return bool(row == (stamp,))


def _prepared(connection: sqlite3.Connection, stamp: str) -> sqlite3.Connection:
    # The writer holds the lock of the index.  With a write-ahead log saving waits for no disk, and
    # neither a kill nor a power cut leaves half of what was saved together.
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.executescript(_TABLES)
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("PRAGMA cache_size = -16000")
    connection.execute("INSERT OR REPLACE INTO facts VALUES ('stamp', ?)", (stamp,))
    connection.commit()
    return connection


def _rank(id: str) -> int | str | bytes:
    """Return what SQLite sorts as documents are read: numbers by value (of any length), then names."""
    if not (id.isascii() and id.isdigit()):
        return b""
    digits = id.lstrip("0") or "0"
    return int(digits) if len(digits) < 19 else f"{len(digits):06}{digits}"


def _fingerprint(name: str) -> int:
    return int.from_bytes(blake2b(name.encode(), digest_size=7).digest(), "big")


def _sentence(kind: str, abouts: list[str], count: int) -> str:
    count = max(count, len(abouts))
    if abouts == [""]:
        return kind
    some = ", ".join(abouts[:_SAID]) + (", …" if count > _SAID else "")
    return f"{count:,} {kind}: {some}"
