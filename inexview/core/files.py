"""The files that people name: whether they are there, opened and unpacked, and how a project is called."""

from __future__ import annotations

import io
import os
import stat
import zlib
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

import platformdirs

from inexview.core.errors import DataError

PROJECT_SUFFIX = ".inexview"


def project_path(path: Path) -> Path:
    """Return a path with the suffix of projects, added where it has another or none."""
    return path if path.suffix == PROJECT_SUFFIX else path.with_name(path.name + PROJECT_SUFFIX)


# Whether something lies under a path, and a folder that is this user's alone.
#
# Path's own questions raise for a name that is too long, for a folder that may not be read, and on a drive
# that has been taken away (before Python 3.14). What asks wants to hear that nothing is there.


def is_there(path: Path) -> bool:
    """Tell whether a file or a folder can be reached under a path."""
    return os.path.exists(path)  # noqa: PTH110 - see above


def is_same_file(path: Path, other: Path) -> bool:
    """Tell whether two paths name one file, also by links of any kind, or would if it were there."""
    if os.path.realpath(path) == os.path.realpath(other):
        return True
    try:
        return os.path.samefile(path, other)  # noqa: PTH121 - see above
    except (OSError, ValueError):
        return False


def folder_is_there(path: Path) -> bool:
    """Tell whether a folder can be reached under a path."""
    return os.path.isdir(path)  # noqa: PTH112 - see above


LONGEST_FOLDER = 72  # bytes: the path of a socket in it has 107 at most


def private_folder() -> Path | None:
    """Return a folder that no other user may enter, for sockets and locks; None where there is none.

    It is the desktop's own, or one in the user's cache.
    """
    given = os.environ.get("XDG_RUNTIME_DIR", "")
    own = Path(platformdirs.user_cache_dir("inexview", appauthor=False))
    for folder in (*([Path(given)] if given else []), own):
        try:
            if folder == own:
                folder.mkdir(0o700, parents=True, exist_ok=True)
                folder.chmod(0o700)
            about = folder.stat()
        except OSError:
            continue
        private = about.st_uid == os.getuid() and not about.st_mode & 0o077
        if private and len(os.fsencode(folder)) <= LONGEST_FOLDER:
            return folder
    return None


# Opens the files that people name: unpacked if gzip, bzip2, xz or Zstandard packed them.
#
# Every reader of judgements, runs, topics, pools and small texts opens its file here: each of them reads
# the same kinds of files and refuses the same bombs.

TARS = (".tar", ".tgz", ".tbz", ".tbz2", ".txz", ".tar.gz", ".tar.bz2", ".tar.xz")
ARCHIVES = (".zip", *TARS)
_MUCH = 1 << 28
_RATIO = 200  # runs and qrels pack to a tenth; what unpacks to so much more is no text table
_LONGEST_MAGIC = 6
_BLOCK = 1 << 16


class UnpackedFile(io.RawIOBase):
    """The bytes of a file, unpacked if it is packed.

    Raises DataError for a pipe, for data that are cut off or damaged, and for what unpacks to more than
    256 MB and 200 times its size; OSError for a file that cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self._opened = ExitStack()
        kind = path.stat()
        if not (stat.S_ISREG(kind.st_mode) or stat.S_ISDIR(kind.st_mode)):  # a file is read more than once
            raise DataError("is a pipe or a device: save what it gives to a file first", path=path)
        self._file = self._opened.enter_context(
            path.open("rb", buffering=0)
        )  # of a folder, it says what is wrong
        try:
            packing = packing_of(self._file.read(_LONGEST_MAGIC))
            self._file.seek(0)
            self._most = max(_MUCH, _RATIO * kind.st_size)
            self._unpacked = None if packing is None else unpacker(packing, self._file)
        except BaseException:
            self.close()
            raise
        if self._unpacked is not None:
            self._opened.callback(self._unpacked.close)
        self._given = 0

    def readable(self) -> bool:
        return True

    def readinto(self, room: Any) -> int:
        """Fill the memory as far as the file gives at once; return how many bytes, 0 at its end."""
        if self._unpacked is None:
            return self._file.readinto(room) or 0
        try:
            given: int = self._unpacked.readinto(room)
        except unpacking_errors() as problem:
            raise DataError(f"cannot be unpacked: {str(problem).lower()}", path=self._path) from problem
        self._given += given
        if self._given > self._most:
            raise DataError(
                f"unpacks to more than {_RATIO} times its size: this is not a text table", path=self._path
            )
        return given

    def close(self) -> None:
        self._opened.close()
        super().close()


def packing_of(data: bytes) -> str | None:
    """Return what packed a file that begins with these bytes; None for a file that nothing packed."""
    return next((name for magic, name in _PACKINGS.items() if data.startswith(magic)), None)


def read_beginning(path: Path, most: int) -> bytes:
    """Return the first bytes of a file, unpacked.  Raises DataError where it cannot be read."""
    try:
        with io.BufferedReader(UnpackedFile(path), _BLOCK) as file:
            return file.read(most)
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror or error}", path=path) from error


def open_lines(path: Path) -> io.BufferedReader:
    """Open a file to be read line by line.  Raises OSError and, as it is read too, DataError."""
    return io.BufferedReader(UnpackedFile(path), _BLOCK)


_PACKINGS = {
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\0": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
}


def unpacker(packing: str, file: IO[bytes]) -> Any:
    """Return what unpacks an open file; each of the libraries is loaded only for a file of its kind."""
    if packing == "gzip":
        import gzip

        return gzip.GzipFile(fileobj=file)
    if packing == "bzip2":
        import bz2

        return bz2.BZ2File(file)
    if packing == "xz":
        import lzma

        return lzma.LZMAFile(file)
    return _zstd().ZstdFile(file)


def unpacking_errors() -> tuple[type[Exception], ...]:
    """Return what the libraries raise for data that are cut off or damaged."""
    import lzma

    errors: tuple[type[Exception], ...] = (EOFError, OSError, ValueError, zlib.error, lzma.LZMAError)
    try:
        return (*errors, _zstd().ZstdError)
    except ImportError:  # then nothing was unpacked by it
        return errors


def _zstd() -> Any:
    """Return Python's module for Zstandard, or before 3.14 the package that brings it."""
    from importlib import import_module

    try:
        return import_module("compression.zstd")
    except ModuleNotFoundError:
        return import_module("backports.zstd")


def is_archive(path: Path) -> bool:
    """Tell by its name whether a file may be a collection."""
    return path.name.lower().endswith(ARCHIVES)


# Small files of text that people write: lists of words or topics, experiments, maps of keys.

_MOST = 1 << 20  # bytes


def read_small_text(path: Path, what: str) -> str:
    """Return a text in UTF-8 of 1 MB at most, from a file or a pipe.

    ``what`` is what it is read as, such as "a list of topics".  Raises DataError where it cannot be.
    """
    try:
        with path.open("rb") as file:  # a pipe may be read too, and only once
            data = file.read(_MOST + 1)
        if packing_of(data):
            data = read_beginning(path, _MOST + 1)
        if len(data) <= _MOST:
            return data.decode("utf-8-sig")
        problem = "it is larger than 1 MB"
    except OSError as error:
        problem = error.strerror or str(error)
    except UnicodeDecodeError:
        problem = "it is not UTF-8"
    raise DataError(f"cannot be read as {what} ({problem})", path=path)
