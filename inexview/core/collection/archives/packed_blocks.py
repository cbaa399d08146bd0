"""Packed data as a row of blocks that can each be unpacked alone, so that any place in it is near.

A :class:`BlockTable` says which block holds a place.  bzip2 has such blocks; gzip and xz are packed again.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import re
import shutil
import sqlite3
import zlib
from collections import OrderedDict, deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from io import BufferedIOBase
from pathlib import Path
from threading import RLock
from typing import IO, NamedTuple, Protocol

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


# bzip2: read anywhere with nothing but the standard library.
#
# A bzip2 file is a row of blocks of at most 900,000 bytes before packing, each a unit of its own: a mark of
# 48 bits, at any bit of the file, begins it. A block that is moved to a byte's edge and given the head and
# the foot of a stream is a small bzip2 file, which the bz2 module unpacks and checks. Blocks are found by
# their marks, unpacked by several threads (the bz2 module lets go of the interpreter), and given in order;
# a mark that is inside a block by chance (once in thousands of large files) is tried and passed over.
#
# The libraries for this were tried first (rapidgzip 0.16.1, indexed_bzip2 1.7.0): a random article took
# them 50 to 133 ms where this takes 23 to 29, truncated gzip files passed for whole ones in 3 runs of 6, a
# gzip bomb of 1 MB took 1.1 GB, and a file left open at exit ended the process with an abort.

_BLOCK, _FOOT = 0x314159265359, 0x177245385090  # how blocks and the ends of streams begin
_MARK, _CHECK, _HEAD = 48, 32, 32  # bits of a mark, of a check sum, and of "BZh9"
_LONGEST = 8 * 1_300_000  # bits of a packed block: what cannot be packed grows by some per cent at most
_CHANCES = 3  # marks at which a block may end: all but one of them are there by chance
_PIECE = 1 << 20
_THREADS = min(4, os.cpu_count() or 1)


class _Mark(NamedTuple):
    bit: int
    kind: int


def _inner_bytes() -> list[tuple[int, int, bytes]]:
    """Return, of each mark at each bit of a byte, the bytes that it fills wholly."""
    return [
        (kind, shift, (kind << (8 - shift)).to_bytes(7, "big")[bool(shift) : 6])
        for kind in (_BLOCK, _FOOT)
        for shift in range(8)
    ]


_INNER = _inner_bytes()


class Bzip2:
    """A .bz2 file of one stream or several; ``start`` and ``stop`` of its blocks are bits."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb", buffering=0)
        self._size = os.fstat(self._file.fileno()).st_size
        self._lock = RLock()
        self.taken = 0

    def blocks_after(
        self, last: PackedBlock | None, pause: Callable[[], None]
    ) -> Generator[tuple[PackedBlock, bytes], None, None]:
        """Find the blocks after one, and unpack each; raises OSError, ValueError or EOFError."""
        offset = last.end if last else 0
        expected = last.stop if last else self._stream_at(0)
        with ThreadPoolExecutor(_THREADS) as threads:
            ahead = _Ahead(self._marks(expected or 0), self._unpack, threads)
            while expected is not None:
                mark = ahead.first()
                if mark.bit != expected:
                    raise ValueError(f"no block begins at byte {expected // 8:,}")
                if mark.kind == _FOOT:
                    ahead.leave(mark.bit + 1)
                    expected = self._stream_at(-(-(mark.bit + _MARK + _CHECK) // 8))
                    continue
                expected, data = ahead.unpacked()
                ahead.leave(expected)
                self.taken = expected // 8
                refuse_bomb(self.taken, offset + len(data))
                yield PackedBlock(offset, len(data), mark.bit, expected), data
                offset += len(data)

    def opened(self, block: PackedBlock) -> _Begun:
        """Begin to unpack one block."""
        return _Begun(self._stream(block.start, block.stop))

    def close(self) -> None:
        self._file.close()

    def _stream_at(self, byte: int) -> int | None:
        """Return the bit at which the first block of a stream is, None where no stream begins."""
        head = self._read(byte, 4)
        if re.fullmatch(rb"BZh[1-9]", head):
            return 8 * byte + _HEAD
        if byte == 0:
            raise ValueError("this is not bzip2")
        if byte > self._size:
            raise EOFError("the file ends too early")
        return None  # the end, or what other programs pass over too

    def _unpack(self, start: int, stop: int) -> bytes:
        return bz2.decompress(self._stream(start, stop))

    def _stream(self, start: int, stop: int) -> bytes:
        if not _MARK + _CHECK < stop - start < _LONGEST:
            raise ValueError(f"the block at byte {start // 8:,} is damaged")
        first, after = start // 8, -(-stop // 8)
        packed = self._read(first, after - first)
        if len(packed) < after - first:
            raise EOFError("the file ends too early")
        return _as_stream(packed, start % 8, stop - start)

    def _read(self, place: int, size: int) -> bytes:
        with self._lock:
            self._file.seek(place)
            pieces = []
            while size and (piece := self._file.read(size)):
                pieces.append(piece)
                size -= len(piece)
            return b"".join(pieces)

    def _marks(self, start: int) -> Iterator[_Mark]:
        """Yield what looks like a mark, in order, from a bit on."""
        place = start // 8
        data = b""
        while piece := self._read(place + len(data), _PIECE):
            data += piece
            found = sorted(_marks_in(data, 8 * place))
            for mark in found:
                if mark.bit >= start:
                    yield mark
                    start = mark.bit + 1
            place += len(data) - 6
            data = data[-6:]


class _Begun:
    """A block that is unpacked as far as somebody has asked: on average half of the work of its last step."""

    def __init__(self, stream: bytes) -> None:
        self._lock = RLock()
        self._unpacker = bz2.BZ2Decompressor()
        self._rest = stream
        self._data = bytearray()

    def between(self, start: int, stop: int) -> bytes:
        """Return what is at ``[start, stop)`` of the block's unpacked data."""
        with self._lock:
            while len(self._data) < stop and not self._unpacker.eof:
                more = self._unpacker.decompress(self._rest, stop - len(self._data))
                self._rest = b""
                if not more and self._unpacker.needs_input:
                    raise EOFError("a block ends too early")
                self._data += more
            return bytes(self._data[start:stop])


class _Ahead:
    """The marks that come next, and the blocks between them, which threads unpack meanwhile."""

    def __init__(
        self, marks: Iterator[_Mark], unpack: Callable[[int, int], bytes], threads: ThreadPoolExecutor
    ) -> None:
        self._coming = marks
        self._unpack = unpack
        self._threads = threads
        self._marks: deque[_Mark] = deque()
        self._begun: dict[int, Future[bytes]] = {}  # by the bit at which the block begins
        self._fill()

    def first(self) -> _Mark:
        """Return the mark that comes next."""
        if not self._marks:
            raise EOFError("the file ends too early")
        return self._marks[0]

    def unpacked(self) -> tuple[int, bytes]:
        """Unpack the block at the first mark, and return the bit where it ends, and its data."""
        start = self._marks[0].bit
        ends = [mark.bit for mark in list(self._marks)[1 : 1 + _CHANCES]]
        if not ends:
            raise EOFError("the file ends too early")
        for tried, end in enumerate(ends, 1):
            try:
                return end, self._begun[start].result() if tried == 1 else self._unpack(start, end)
            except (OSError, ValueError):
                if tried == len(ends):
                    raise
        raise AssertionError

    def leave(self, bit: int) -> None:
        """Forget the marks before a bit."""
        while self._marks and self._marks[0].bit < bit:
            self._begun.pop(self._marks.popleft().bit, None)
        self._fill()

    def _fill(self) -> None:
        while len(self._marks) <= max(_CHANCES, _THREADS) and (mark := next(self._coming, None)):
            if self._marks and self._marks[-1].kind == _BLOCK:
                before = self._marks[-1].bit
                self._begun[before] = self._threads.submit(self._unpack, before, mark.bit)
            self._marks.append(mark)


def _marks_in(data: bytes, first_bit: int) -> Iterator[_Mark]:
    for kind, shift, inner in _INNER:
        at = data.find(inner)
        while at >= 0:
            byte = at - bool(shift)
            whole = int.from_bytes(data[byte : byte + 7].ljust(7, b"\0"), "big") if byte >= 0 else 0
            if (whole >> (8 - shift)) & ((1 << _MARK) - 1) == kind:
                yield _Mark(first_bit + 8 * byte + shift, kind)
            at = data.find(inner, at + 1)


def _as_stream(packed: bytes, shift: int, bits: int) -> bytes:
    """Return a block, which begins at a bit of the first byte, as a bzip2 file of its own."""
    block = int.from_bytes(packed, "big") >> (8 * len(packed) - shift - bits) & ((1 << bits) - 1)
    check = block >> (bits - _MARK - _CHECK) & ((1 << _CHECK) - 1)
    stream = ((block << _MARK | _FOOT) << _CHECK) | check
    bits += _MARK + _CHECK
    return b"BZh9" + (stream << -bits % 8).to_bytes(-(-bits // 8), "big")


# gzip and xz: packed again, once, into blocks that can each be read alone.
#
# Neither can be entered in the middle: a gzip stream needs the 32 kB before any place of it, and most .xz
# files are one block. While such an archive is listed for the first time its data are therefore written to
# a file in the cache folder (the *store*), in blocks of BLOCK_BYTES, each of them a zlib stream of its own
# with zlib's check sum; nothing else is in the file, and the table of blocks is in the index. Articles take
# about 27 % of their size there. Work that was cut short goes on after the last block in the table; the
# archive itself has then to be unpacked up to there again, which is several times as fast as listing it.

BLOCK_BYTES = 1 << 18
SPARED_BYTES = 512 << 20  # of the disk, which the store leaves to others
_LEVEL = 1  # zlib's; 6 would save a fifth of the space and take four times as long
_LOOK = 256  # blocks between two looks at the free space

Opener = Callable[[IO[bytes]], BufferedIOBase]
OPENERS: dict[bytes, Opener] = {
    b"\x1f\x8b": lambda file: gzip.GzipFile(fileobj=file),
    b"\xfd7zXZ\x00": lzma.LZMAFile,
}


class Reblocked:
    """A packed file and its store; ``start`` and ``stop`` of the blocks are bytes of the store."""

    def __init__(self, path: Path, opener: Opener, store: Path) -> None:
        self._path = path
        self._opener = opener
        self._store = store
        self._lock = RLock()
        self._reading: IO[bytes] | None = None
        self.taken = 0

    def blocks_after(
        self, last: PackedBlock | None, pause: Callable[[], None]
    ) -> Generator[tuple[PackedBlock, bytes], None, None]:
        """Unpack the archive after a block, and write it to the store.

        Raises OSError, EOFError, … for the archive, DataError where the store cannot be written.
        """
        offset, start = (last.end, last.stop) if last else (0, 0)
        with self._told_of_the_cache():
            self._store.touch()
        with self._path.open("rb") as raw, self._opener(raw) as file, self._store.open("r+b") as store:
            for passed in _passed_over(file, offset):
                self.taken = raw.tell()
                refuse_bomb(self.taken, passed)
                pause()
            with self._told_of_the_cache():
                store.truncate(start)
                store.seek(start)
            number = 0
            while data := _whole_read(file, BLOCK_BYTES):
                self.taken = raw.tell()
                refuse_bomb(self.taken, offset + len(data))
                if number % _LOOK == 0:
                    self._refuse_full_disk()
                packed = zlib.compress(data, _LEVEL)
                with self._told_of_the_cache():
                    store.write(packed)
                    store.flush()
                yield PackedBlock(offset, len(data), start, start + len(packed)), data
                offset += len(data)
                start += len(packed)
                number += 1

    def opened(self, block: PackedBlock) -> Whole:
        try:
            with self._lock:
                if self._reading is None:
                    self._reading = self._store.open("rb")
                self._reading.seek(block.start)
                packed = self._reading.read(block.stop - block.start)
            return Whole(zlib.decompress(packed, bufsize=block.size))
        except (OSError, zlib.error) as error:
            raise BrokenIndexError(self._store) from error

    def close(self) -> None:
        if self._reading is not None:
            self._reading.close()
            self._reading = None

    @contextmanager
    def _told_of_the_cache(self) -> Iterator[None]:
        """Say of what cannot be written that it is the store: the archive is as it was."""
        try:
            yield
        except OSError as error:
            raise DataError(
                f"the archive cannot be kept unpacked here ({error.strerror or error}); is the disk full?",
                path=self._store,
            ) from error

    def _refuse_full_disk(self) -> None:
        if shutil.disk_usage(self._store.parent).free < SPARED_BYTES:
            raise DataError(
                f"there is no room to keep it unpacked in {self._store.parent}; make some, or unpack it to a "
                "folder and choose the folder",
                path=self._path,
            )


def _whole_read(file: BufferedIOBase, size: int) -> bytes:
    """Read as many bytes as asked: a packed file may give fewer before its end."""
    pieces = []
    while size and (piece := file.read(size)):
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def _passed_over(file: BufferedIOBase, size: int) -> Iterator[int]:
    """Pass over bytes, and yield now and then how many."""
    passed = 0
    while passed < size:
        piece = file.read(min(size - passed, 1 << 20))
        if not piece:
            raise EOFError("it is shorter than it was")
        passed += len(piece)
        yield passed
