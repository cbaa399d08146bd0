"""Text files as they lie on the disk or packed by gzip, as TREC's qrels and runs often are."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from inexview.core.errors import DataError

MAGIC = b"\x1f\x8b"
_MUCH = 1 << 28
_RATIO = 200  # runs and qrels pack to a tenth; what unpacks to so much more is no text table


class UnpackedFile:
    """Reads a file, unpacked where it is packed, into memory that is given.

    Raises DataError for what is cut off or damaged, and for what unpacks to more than 256 MB and 200 times
    its size.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: BinaryIO = path.open("rb", buffering=0)
        self._packed_size = 0
        self._read = 0
        try:
            if self._file.read(len(MAGIC)) == MAGIC:
                self._packed_size = path.stat().st_size
            self._file.seek(0)
        except OSError:
            self._file.close()
            raise
        self._unpacked = gzip.GzipFile(fileobj=self._file) if self._packed_size else None

    def __enter__(self) -> UnpackedFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._unpacked is not None:
            self._unpacked.close()
        self._file.close()

    def readinto(self, room: memoryview) -> int:
        """Fill the memory as far as the file gives at once; return how many bytes, 0 at its end."""
        if self._unpacked is None:
            return self._file.readinto(room) or 0  # type: ignore[attr-defined]
        try:
            read = self._unpacked.readinto(room)
        except (EOFError, zlib.error, gzip.BadGzipFile) as problem:
            raise DataError(f"cannot be unpacked: {str(problem).lower()}", path=self._path) from problem
        self._read += read
        if self._read > max(_MUCH, _RATIO * self._packed_size):
            raise DataError(
                f"unpacks to more than {_RATIO} times its size: this is not a text table", path=self._path
            )
        return read
