"""The index of a collection: a document's id to its place, and the order in which documents are read.

One SQLite file, written whole and then only read, so that a collection of millions of articles opens at once
and takes no memory.  A file that is damaged, or of another version, is as good as none.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from threading import RLock
from typing import Any, overload
from urllib.parse import quote

from inexview.core.collection.archives.members import CollectionFile
from inexview.core.collection.archives.packed_blocks import DAMAGED, BlockTable, BrokenIndexError

VERSION = 2
_ROWS = 1000  # that are read at once
_TOGETHER = 500  # that are looked up at once


class CollectionIndex:
    """An index that is read; several threads may."""

    def __init__(self, connection: sqlite3.Connection, store: Path, path: Path | None = None) -> None:
        """Take an open index; ``path`` is its file, which is deleted where it turns out to be damaged."""
        self._connection = connection
        self._path = path
        self._lock = RLock()
        self.blocks = BlockTable(connection, self._lock, store)
        self._count: int = self._ask("SELECT count(*) FROM documents")[0][0]

    @classmethod
    def open(cls, path: Path, store: Path, stamp: str) -> CollectionIndex | None:
        """Open an index; None where there is none of the archive as it is now, or it is damaged."""
        if not path.exists():
            return None
        try:
            connection = sqlite3.connect(
                f"file:{quote(str(path))}?mode=ro", uri=True, check_same_thread=False, isolation_level=None
            )
        except sqlite3.DatabaseError:  # a folder, or a file that no one may read
            return None
        index = None
        try:
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            said = dict(connection.execute("SELECT key, value FROM facts"))
            if version == VERSION and said.get("stamp") == stamp:
                made = cls(connection, store, path)
                index = made if said.get("count") == len(made) else None
        except (*DAMAGED, BrokenIndexError):
            return None
        finally:
            if index is None:
                connection.close()
        return index

    def __len__(self) -> int:
        return self._count

    def entry(self, id: str) -> CollectionFile | None:
        rows = self._ask("SELECT name, place, size, packed, method, crc FROM documents WHERE id = ?", (id,))
        if rows and not _is_entry(rows[0]):
            raise self._broken()
        return CollectionFile(*rows[0]) if rows else None

    def holding(self, ids: Sequence[str]) -> set[str]:
        """Return those of some ids that are listed."""
        held = set[str]()
        for at in range(0, len(ids), _TOGETHER):
            some = tuple(ids[at : at + _TOGETHER])
            asked = ", ".join("?" * len(some))
            held.update(id for (id,) in self._ask(f"SELECT id FROM documents WHERE id IN ({asked})", some))
        return held

    def rightly_lacks(self, id: str) -> bool:
        """Look through the whole file, whether it is well-formed and an id that is not found is not there."""
        try:
            well_formed = self._ask("PRAGMA quick_check(1)") == [("ok",)]
            return well_formed and not self._ask("SELECT 1 FROM documents NOT INDEXED WHERE id = ?", (id,))
        except BrokenIndexError:
            return False

    def sound(self) -> bool:
        """Say whether each id is found, and by nothing else; 2 s for 660,000 articles, ten times as long."""
        try:
            return self._ask("PRAGMA integrity_check(1)") == [("ok",)]
        except BrokenIndexError:
            return False

    def ids(self) -> Sequence[str]:
        """Return the ids of all documents: numbers in their order, then the others by name."""
        return Ids(self)

    def position(self, id: str) -> int | None:
        """Return which document this is in the order of reading."""
        rows = self._ask("SELECT position FROM documents WHERE id = ?", (id,))
        return int(rows[0][0]) if rows else None

    def ids_between(self, start: int, stop: int) -> list[str]:
        rows = self._ask(
            "SELECT id FROM documents WHERE position >= ? AND position < ? ORDER BY position", (start, stop)
        )
        return [id for (id,) in rows]

    def lines(self) -> str:
        """Return all ids in the order of reading, one a line, much sooner than one by one.

        Others may ask meanwhile.
        """
        query = "SELECT group_concat(id, char(10)) FROM (SELECT id FROM documents ORDER BY position)"
        (_, _, file), *_ = self._ask("PRAGMA database_list")
        if not file:  # in memory, because it is small
            return str(self._ask(query)[0][0] or "")
        try:
            with closing(sqlite3.connect(f"file:{quote(file)}?mode=ro", uri=True)) as own:
                return str(own.execute(query).fetchone()[0] or "")
        except DAMAGED as error:
            raise self._broken() from error

    def ids_as_stored(self) -> Iterator[str]:
        """Yield all ids in the order in which the files lie in the archive, or in the folders."""
        positions = array(
            "q", (row[0] for row in self._ask("SELECT position FROM documents ORDER BY place, name"))
        )
        for position in positions:
            yield from self.ids_between(position, position + 1)

    def warnings(self) -> tuple[str, ...]:
        """Return what looks wrong about the collection, in sentences."""
        return tuple(text for (text,) in self._ask("SELECT text FROM warnings ORDER BY rowid"))

    def folders(self) -> Iterator[tuple[str, int | None]]:
        """Yield the folders that were listed, and when each was last changed then."""
        return iter(self._ask("SELECT name, changed FROM folders"))

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def _ask(self, query: str, values: tuple[object, ...] = ()) -> list[Any]:
        try:
            with self._lock:
                return self._connection.execute(query, values).fetchall()
        except UnicodeEncodeError:  # half a character pair, which is in no index
            return []
        except DAMAGED as error:
            raise self._broken() from error

    def _broken(self) -> BrokenIndexError:
        """Delete the file: the next one that opens the collection makes it again."""
        if self._path is not None:
            with suppress(OSError):
                self._path.unlink(missing_ok=True)
        return BrokenIndexError(self.blocks.store)


def _is_entry(row: tuple[object, ...]) -> bool:
    name, place, size, *numbers = row
    whole = all(isinstance(number, int) for number in (place, *numbers))
    return whole and isinstance(name, str) and (size is None or isinstance(size, int))


class Ids(Sequence[str]):
    """All ids in order, read from the index as they are asked for."""

    def __init__(self, index: CollectionIndex) -> None:
        self._index = index

    def __len__(self) -> int:
        return len(self._index)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        if isinstance(at, slice):
            places = range(len(self))[at]
            if not places:
                return []
            low, high = min(places[0], places[-1]), max(places[0], places[-1])
            ids = self._index.ids_between(low, high + 1)
            return [ids[place - low] for place in places]
        return self._index.ids_between(range(len(self))[at], range(len(self))[at] + 1)[0]

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self), _ROWS):
            yield from self._index.ids_between(start, start + _ROWS)

    def __contains__(self, id: object) -> bool:
        return isinstance(id, str) and self._index.position(id) is not None

    def lines(self) -> str:
        """Return all of them, one a line."""
        return self._index.lines()

    def index(self, value: str, start: int = 0, stop: int | None = None) -> int:
        """Return the position of an id; raises ValueError where there is none."""
        position = self._index.position(value)
        if position is None or position not in range(len(self))[start:stop]:
            raise ValueError(value)
        return position

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # like a list
