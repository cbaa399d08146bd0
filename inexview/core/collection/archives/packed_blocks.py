"""Packed tars, kept unpacked in blocks of which each can be read alone, so that any place in them is near.

None of them can be entered cheaply in the middle: gzip needs the 32 kB before any place, most .xz files are
one block, and a block of bzip2 takes 30 to 50 ms to unpack.  While such an archive is listed for the first
time its data are therefore written to a file in the cache folder (the *store*), in blocks of
``BLOCK_BYTES``, each of them a zlib stream of its own with zlib's check sum; nothing else is in the file,
and a :class:`BlockTable` says which block holds a place.  Articles take about 27 % of their size there.
Work that was cut short goes on after the last block in the table; the archive itself has then to be
unpacked up to there again.
"""

from __future__ import annotations

import shutil
import sqlite3
import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from threading import RLock
from typing import IO, NamedTuple

from inexview.core.errors import DataError
from inexview.core.files import unpacker

BLOCK_BYTES = 1 << 18
SPARED_BYTES = 512 << 20  # of the disk, which the store leaves to others
_KEPT = 4  # blocks that stay unpacked: neighbours are often read together
_LEVEL = 1  # zlib's; 6 would save a fifth of the space and take four times as long
_LOOK = 256  # blocks between two looks at the free space

# What unpacks further than any text is a bomb.
_BOMB_RATIO = 250
_BOMB_FREE = 256 << 20


DAMAGED = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What SQLite raises for a file that is damaged, the second where the damage is in what it would say."""


class BrokenIndexError(DataError):
    """The index, or what was packed again, cannot be read: it is to be made again."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            "what was kept of the collection is damaged; open the collection again, and it is made again",
            path=path,
        )


class PackedBlock(NamedTuple):
    """``size`` bytes of the unpacked data from ``offset`` on, at ``[start, stop)`` of the store."""

    offset: int
    size: int
    start: int
    stop: int

    @property
    def end(self) -> int:
        """Where the next block begins in the unpacked data."""
        return self.offset + self.size


class BlockTable:
    """The blocks of a packed archive, in the SQLite file of its list or index; ``store`` holds the data."""

    def __init__(self, connection: sqlite3.Connection, lock: RLock, store: Path) -> None:
        self._connection = connection
        self._lock = lock
        self.store = store

    def at(self, place: int) -> PackedBlock | None:
        """Return the block that holds a place of the unpacked data, or the last one before it."""
        try:
            with self._lock:
                row = self._connection.execute(
                    "SELECT offset, size, start, stop FROM blocks WHERE offset <= ? "
                    "ORDER BY offset DESC LIMIT 1",
                    (place,),
                ).fetchone()
        except DAMAGED as error:
            raise BrokenIndexError(self.store) from error
        if row and not all(isinstance(number, int) for number in row):
            raise BrokenIndexError(self.store)
        return PackedBlock(*row) if row else None

    def last(self) -> PackedBlock | None:
        return self.at((1 << 63) - 1)

    def holds(self) -> bool:
        """Say whether the store is there, and as long as the blocks say."""
        last = self.last()
        return last is None or (self.store.exists() and self.store.stat().st_size >= last.stop)

    def add(self, block: PackedBlock) -> None:
        with self._lock:
            self._connection.execute("INSERT INTO blocks VALUES (?, ?, ?, ?)", block)

    def clear(self) -> None:
        """Forget all blocks."""
        with self._lock:
            self._connection.execute("DELETE FROM blocks")


class PackedFile:
    """A packed file, read through its store; several threads may read."""

    def __init__(self, path: Path, packing: str) -> None:
        self._path = path
        self._packing = packing
        self._lock = RLock()
        self._store: IO[bytes] | None = None
        self._kept: dict[PackedBlock, bytes] = {}
        self.taken = 0
        """Bytes of the packed file that were unpacked."""

    def unpacked(
        self, place: int, table: BlockTable, pause: Callable[[], None]
    ) -> Generator[bytes, None, None]:
        """Yield the unpacked data from a place on, keeping what is not kept yet.

        ``pause`` is called after each block, by which time it is in the table.  Raises OSError, EOFError, …
        for the packed file, ValueError for a bomb, DataError where the store cannot be written.
        """
        self.close()
        if not table.holds():
            table.clear()
        last = table.last()
        offset, known, stop = 0, last.end if last else 0, last.stop if last else 0
        with _told_of_the_cache(table.store):
            table.store.touch()
        with (
            self._path.open("rb") as raw,
            unpacker(self._packing, raw) as file,
            table.store.open("r+b") as store,
        ):
            with _told_of_the_cache(table.store):
                store.truncate(stop)
                store.seek(stop)
            while data := file.read(min(BLOCK_BYTES, known - offset) if offset < known else BLOCK_BYTES):
                self.taken = raw.tell()
                if offset + len(data) > _BOMB_FREE + _BOMB_RATIO * self.taken:
                    raise ValueError(f"it unpacks to more than {_BOMB_RATIO} times its size, as no text does")
                if offset >= known:
                    if offset // BLOCK_BYTES % _LOOK == 0:
                        self._refuse_full_disk(table.store)
                    packed = zlib.compress(data, _LEVEL)
                    with _told_of_the_cache(table.store):
                        store.write(packed)
                        store.flush()
                    table.add(PackedBlock(offset, len(data), stop, stop + len(packed)))
                    stop += len(packed)
                offset += len(data)
                pause()
                if offset > place:
                    yield data[max(place - offset + len(data), 0) :]

    def read(self, place: int, size: int, table: BlockTable) -> bytes:
        """Return ``size`` unpacked bytes from a place on, fewer at the end."""
        pieces = []
        while size > 0 and (block := table.at(place)) is not None and place < block.end:
            start = place - block.offset
            piece = self._block(block, table.store)[start : start + size]
            if not piece:
                raise BrokenIndexError(table.store)
            pieces.append(piece)
            place += len(piece)
            size -= len(piece)
        return b"".join(pieces)

    def close(self) -> None:
        """Let go of the store."""
        with self._lock:
            self._kept.clear()
            if self._store is not None:
                self._store.close()
                self._store = None

    def _block(self, block: PackedBlock, store: Path) -> bytes:
        with self._lock:
            data = self._kept.pop(block, None)
            if data is None:
                try:
                    if self._store is None:
                        self._store = store.open("rb")
                    self._store.seek(block.start)
                    data = zlib.decompress(self._store.read(block.stop - block.start), bufsize=block.size)
                except (OSError, ValueError, zlib.error) as error:
                    raise BrokenIndexError(store) from error
            self._kept[block] = data
            if len(self._kept) > _KEPT:
                del self._kept[next(iter(self._kept))]
            return data

    def _refuse_full_disk(self, store: Path) -> None:
        if shutil.disk_usage(store.parent).free < SPARED_BYTES:
            raise DataError(
                f"there is no room to keep it unpacked in {store.parent}; make some, or unpack it to a "
                "folder and choose the folder",
                path=self._path,
            )


@contextmanager
def _told_of_the_cache(store: Path) -> Iterator[None]:
    """Say of what cannot be written that it is the store: the archive is as it was."""
    try:
        yield
    except OSError as error:
        raise DataError(
            f"the archive cannot be kept unpacked here ({error.strerror or error}); is the disk full?",
            path=store,
        ) from error


class DataStream:
    """Data that come in pieces, read from a place on, once."""

    def __init__(self, pieces: Iterator[bytes], place: int) -> None:
        self.place = place
        self._pieces = pieces
        self._piece = BytesIO()

    def read(self, size: int) -> bytes:
        """Return the next bytes, fewer at the end."""
        data = self._piece.read(size)
        while len(data) < size and (piece := next(self._pieces, b"")):
            self._piece = BytesIO(piece)
            data += self._piece.read(size - len(data))
        self.place += len(data)
        return data

    def skip(self, size: int) -> bool:
        """Pass over bytes, and say whether there were so many."""
        while size > 0 and (data := self.read(min(size, BLOCK_BYTES))):
            size -= len(data)
        return size == 0
