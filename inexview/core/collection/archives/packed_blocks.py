"""Packed data as a row of blocks that can each be unpacked alone, so that any place in it is near.

A :class:`BlockTable` says which block holds a place.  What a block is, and how it is unpacked, the packings
know: :mod:`inexview.core.collection.archives.bzip2` and :mod:`inexview.core.collection.archives.reblocked`.
"""

from __future__ import annotations

import sqlite3
from collections import OrderedDict
from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path
from threading import RLock
from typing import NamedTuple, Protocol

from inexview.core.errors import DataError

KEPT = 4  # blocks that stay open: each may hold a few MB

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


class BombError(ValueError):
    """Packed data that is nearly nothing and unpacks to nearly everything."""

    def __init__(self) -> None:
        super().__init__(f"it unpacks to more than {_BOMB_RATIO} times its size, as no text does")


def refuse_bomb(packed: int, unpacked: int) -> None:
    """Raise BombError where so many bytes cannot come of honest packing."""
    if unpacked > _BOMB_FREE + _BOMB_RATIO * packed:
        raise BombError


class PackedBlock(NamedTuple):
    """``size`` bytes of the unpacked data from ``offset`` on, packed at ``[start, stop)``."""

    offset: int
    size: int
    start: int
    stop: int

    @property
    def end(self) -> int:
        """Where the next block begins in the unpacked data."""
        return self.offset + self.size


class BlockTable:
    """The blocks of a packed archive, in the SQLite file of its list or index.

    ``store`` is the file in which a packing without blocks is kept again.
    """

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

    def add(self, block: PackedBlock) -> None:
        with self._lock:
            self._connection.execute("INSERT INTO blocks VALUES (?, ?, ?, ?)", block)


class Opened(Protocol):
    """A block that can be read; several threads may."""

    def between(self, start: int, stop: int) -> bytes:
        """Return what is at ``[start, stop)`` of the block's unpacked data."""


class Whole:
    """A block that has been unpacked to its end."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def between(self, start: int, stop: int) -> bytes:
        return self._data[start:stop]


class Packing(Protocol):
    """A way in which a tar is packed."""

    taken: int
    """Bytes of the archive that were read to find blocks."""

    def blocks_after(
        self, last: PackedBlock | None, pause: Callable[[], None]
    ) -> Generator[tuple[PackedBlock, bytes], None, None]:
        """Find the blocks after one, and unpack each, calling ``pause`` now and then.

        Raises ValueError, OSError or EOFError where the data are damaged or end too early.
        """

    def opened(self, block: PackedBlock) -> Opened:
        """Unpack one block, as far as will be asked for."""

    def close(self) -> None:
        """Let go of open files."""


class Unpacked:
    """Reads anywhere in packed data whose blocks are known; several threads may."""

    def __init__(self, packing: Packing) -> None:
        self._packing = packing
        self._lock = RLock()
        self._kept: OrderedDict[int, Opened] = OrderedDict()  # by offset: neighbours are often read together

    def read(self, table: BlockTable, place: int, size: int) -> bytes:
        """Return ``size`` bytes from ``place`` on, fewer at the end."""
        pieces = []
        while size > 0:
            block = table.at(place)
            if block is None or not block.offset <= place < block.end:
                break
            start = place - block.offset
            piece = self._opened(block).between(start, min(start + size, block.size))
            if not piece:
                raise ValueError("the archive is not as it was when it was listed")
            pieces.append(piece)
            place += len(piece)
            size -= len(piece)
        return b"".join(pieces)

    def _opened(self, block: PackedBlock) -> Opened:
        with self._lock:
            opened = self._kept.get(block.offset)
            if opened is not None:
                self._kept.move_to_end(block.offset)
                return opened
        opened = self._packing.opened(block)
        with self._lock:
            self._kept[block.offset] = opened
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return opened


class BlockStream:
    """The unpacked data from a place on, once, noting in the table the blocks that are new.

    ``pause`` is called now and then, by which time the blocks are noted whose data were given.
    """

    def __init__(self, packing: Packing, table: BlockTable, place: int, pause: Callable[[], None]) -> None:
        self.place = place
        self._chunks = _chunks(packing, table, place, pause)
        self._chunk = b""
        self._chunk_at = place  # where the chunk in hand begins

    def read(self, size: int) -> bytes:
        """Return the next bytes, fewer at the end."""
        at = self.place - self._chunk_at
        piece = self._chunk[at : at + size]
        self.place += len(piece)
        if len(piece) == size or not self._next_chunk():
            return piece
        pieces = [piece]
        size -= len(piece)
        while size:
            at = self.place - self._chunk_at
            piece = self._chunk[at : at + size]
            pieces.append(piece)
            self.place += len(piece)
            size -= len(piece)
            if size and not self._next_chunk():
                break
        return b"".join(pieces)

    def skip(self, size: int) -> bool:
        """Pass over bytes, and say whether there were so many."""
        target = self.place + size
        while target > self._chunk_at + len(self._chunk):
            if not self._next_chunk():
                return False
        self.place = target
        return True

    def _next_chunk(self) -> bool:
        self._chunk_at += len(self._chunk)
        self._chunk = next(self._chunks, b"")
        self.place = max(self.place, self._chunk_at)
        return bool(self._chunk)

    def close(self) -> None:
        self._chunks.close()


def _chunks(
    packing: Packing, table: BlockTable, start: int, pause: Callable[[], None]
) -> Generator[bytes, None, None]:
    """Yield what is in the blocks that are known, then in those that are not yet."""
    last = table.last()
    place = start
    while last is not None and place < last.end:
        block = table.at(place)
        if block is None or block.end <= place:
            raise ValueError("the list of its blocks has a gap")
        yield packing.opened(block).between(place - block.offset, block.size)
        place = block.end
    with closing(packing.blocks_after(last, pause)) as blocks:
        for block, data in blocks:
            table.add(block)
            pause()
            if block.end > start:
                yield data[max(start - block.offset, 0) :]
