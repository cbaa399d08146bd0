"""gzip and xz: packed again, once, into blocks that can each be read alone.

Neither can be entered in the middle: a gzip stream needs the 32 kB before any place of it, and most .xz files
are one block.  While such an archive is listed for the first time its data are therefore written to a file in
the cache folder (the *store*), in blocks of BLOCK_BYTES, each of them a zlib stream of its own with zlib's
check sum; nothing else is in the file, and the table of blocks is in the index.  Articles take about 27 % of
their size there.  Work that was cut short goes on after the last block in the table; the archive itself has
then to be unpacked up to there again, which is several times as fast as listing it.
"""

from __future__ import annotations

import gzip
import lzma
import shutil
import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from io import BufferedIOBase
from pathlib import Path
from threading import RLock
from typing import IO

from inexview.core.collection.archives.packed_blocks import BrokenIndexError, PackedBlock, Whole, refuse_bomb
from inexview.core.errors import DataError

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
