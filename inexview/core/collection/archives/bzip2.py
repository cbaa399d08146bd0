"""bzip2: read anywhere with nothing but the standard library.

A bzip2 file is a row of blocks of at most 900,000 bytes before packing, each a unit of its own: a mark of 48
bits, at any bit of the file, begins it.  A block that is moved to a byte's edge and given the head and the
foot of a stream is a small bzip2 file, which the bz2 module unpacks and checks.  Blocks are found by their
marks, unpacked by several threads (the bz2 module lets go of the interpreter), and given in order; a mark
that is inside a block by chance (once in thousands of large files) is tried and passed over.

The libraries for this were tried first (rapidgzip 0.16.1, indexed_bzip2 1.7.0): a random article took them
50 to 133 ms where this takes 23 to 29, truncated gzip files passed for whole ones in 3 runs of 6, a gzip bomb
of 1 MB took 1.1 GB, and a file left open at exit ended the process with an abort.
"""

from __future__ import annotations

import bz2
import os
import re
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from threading import RLock
from typing import NamedTuple

from inexview.core.collection.archives.packed_blocks import PackedBlock, refuse_bomb

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
