"""Where the files of a collection lie: a folder tree, a zip, a tar.

A source lists the names of its XML files and reads one of them, whole or its beginning.  Names are paths
below the root with "/" on every system.  Nothing is ever unpacked to where a name points, symbolic links are
not followed, and no file gives more than MAX_BYTES, whatever an archive says of its size.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BufferedIOBase
from pathlib import Path
from threading import RLock
from typing import IO, Protocol

from inexview.core.errors import DataError, DocumentError
from inexview.core.xml import MAX_BYTES

MAX_UNPACKED = 4 << 30  # bytes of a compressed tar, which has to be unpacked to be read out of order

_UNREADABLE = (
    OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, tarfile.TarError, NotImplementedError,
    RuntimeError,  # how zipfile says that a password is wanted
)  # fmt: skip


class Source(Protocol):
    """What :class:`inexview.core.collection.Collection` asks of a folder or an archive."""

    def names(self) -> Iterator[str]:
        """Yield the names of the XML files, in any order."""

    def has(self, name: str) -> bool:
        """Say, without listing a folder, whether there is such a file."""

    def read(self, name: str, limit: int | None = None) -> bytes:
        """Return a file, or its first ``limit`` bytes.

        Raises DocumentError where it cannot be read, KeyError where there is no such file.
        """

    def close(self) -> None:
        """Let go of open files."""


def open_source(path: Path) -> Source:
    """Open a folder, a .zip or a .tar(.gz, .bz2, .xz); raises DataError for anything else."""
    if path.is_dir():
        return FolderSource(path)
    if not path.exists():
        raise DataError("there is no such folder or archive; choose where the collection lies now", path=path)
    with _explained(path, "the archive"):
        if zipfile.is_zipfile(path):
            return ZipSource(path)
        if path.name.lower().endswith((".tar", ".tgz", ".tbz2", ".txz", ".tar.gz", ".tar.bz2", ".tar.xz")):
            return TarSource(path)
    raise DataError(
        "a collection is a folder, a .zip or a .tar(.gz, .bz2, .xz) of XML files; choose one of these",
        path=path,
    )


class FolderSource:
    """The XML files below a folder."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def names(self) -> Iterator[str]:
        """Yield the names of all XML files, folder by folder; links to elsewhere are passed over."""
        for folder, folders, files in os.walk(self._root):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            below = Path(folder).relative_to(self._root).as_posix()
            for name in files:
                if is_article(name) and not Path(folder, name).is_symlink():
                    yield name if below == "." else f"{below}/{name}"

    def has(self, name: str) -> bool:
        """Say whether there is such a file in the folder itself, and no link to another."""
        path = self._root / name
        inside = ".." not in path.parts and path.is_relative_to(self._root)
        try:
            return inside and path.is_file() and not path.is_symlink()
        except (OSError, ValueError):  # too long for a name, or no name at all
            return False

    def read(self, name: str, limit: int | None = None) -> bytes:
        """Return a file or its beginning; a name that leads out of the folder is a KeyError."""
        if not self.has(name):
            raise KeyError(name)
        path = self._root / name
        with _explained(path, "the file"), path.open("rb") as file:
            return _limited(file, path, limit)

    def close(self) -> None:
        """Do nothing: a folder holds no file open."""


class ZipSource:
    """The XML files of a zip archive."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = RLock()
        self._archive = zipfile.ZipFile(path)

    def names(self) -> Iterator[str]:
        """Yield the names of all XML files."""
        return filter(is_article, self._archive.namelist())

    def has(self, name: str) -> bool:
        """Say whether there is such a file."""
        return name in self._archive.NameToInfo

    def read(self, name: str, limit: int | None = None) -> bytes:
        """Return a file or its beginning."""
        place = self._path / name
        with self._lock, _explained(place, "the file"), self._archive.open(name) as file:
            return _limited(file, place, limit)

    def close(self) -> None:
        """Close the archive."""
        self._archive.close()


class TarSource:
    """The XML files of a tar archive; a compressed one is unpacked once, to a file without a name."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = RLock()
        self._file: IO[bytes] = _plain_tar(path)
        try:
            self._archive = tarfile.open(fileobj=self._file)  # noqa: SIM115  # read from until closed
        except tarfile.TarError:
            self._file.close()
            raise
        self._members: dict[str, tarfile.TarInfo] | None = None

    def names(self) -> Iterator[str]:
        """Yield the names of all XML files; links and devices are passed over."""
        return filter(is_article, self._listed())

    def has(self, name: str) -> bool:
        """Say whether there is such a file."""
        return name in self._listed()

    def read(self, name: str, limit: int | None = None) -> bytes:
        """Return a file or its beginning."""
        place = self._path / name
        member = self._listed()[name]
        with self._lock, _explained(place, "the file"):
            file = self._archive.extractfile(member)
            return _limited(file, place, limit) if file else b""

    def close(self) -> None:
        """Close the archive, and the unpacked copy if there is one."""
        self._archive.close()
        self._file.close()

    def __del__(self) -> None:
        if "_file" in self.__dict__:
            self._file.close()

    def _listed(self) -> dict[str, tarfile.TarInfo]:
        with self._lock, _explained(self._path, "the archive"):
            if self._members is None:
                members = filter(tarfile.TarInfo.isreg, self._archive)
                self._members = {member.name.removeprefix("./"): member for member in members}
            return self._members


def is_article(name: str) -> bool:
    """Say whether a file's name is that of an article: ``.xml``, and not hidden."""
    last = name.rsplit("/", 1)[-1]
    return last.lower().endswith(".xml") and not last.startswith(".") and not name.startswith("__MACOSX/")


def _plain_tar(path: Path) -> IO[bytes]:
    with path.open("rb") as file:
        beginning = file.read(6)
    for mark, opener in _PACKERS.items():
        if beginning.startswith(mark):
            with opener(path) as packed:
                return _unpacked(packed, path)
    return path.open("rb")


_PACKERS: dict[bytes, Callable[[Path], BufferedIOBase]] = {
    b"\x1f\x8b": gzip.GzipFile,
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ\x00": lzma.LZMAFile,
}


def _unpacked(packed: BufferedIOBase, path: Path) -> IO[bytes]:
    plain = tempfile.TemporaryFile()  # noqa: SIM115  # TarSource closes it
    try:
        while chunk := packed.read(1 << 20):
            if plain.tell() + len(chunk) > MAX_UNPACKED:
                raise DataError(
                    f"unpacked, the archive is larger than {MAX_UNPACKED >> 30} GB; unpack it to a folder "
                    "and choose the folder",
                    path=path,
                )
            plain.write(chunk)
        plain.seek(0)
    except BaseException:
        plain.close()
        raise
    return plain


def _limited(file: IO[bytes], path: Path, limit: int | None) -> bytes:
    if limit is not None:
        return file.read(limit)
    data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise DocumentError(f"the file is larger than {MAX_BYTES >> 20} MB, and is not read", path=path)
    return data


@contextmanager
def _explained(path: Path, what: str) -> Iterator[None]:
    """Turn whatever goes wrong inside files and archives into a sentence."""
    try:
        yield
    except _UNREADABLE as error:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise DocumentError(f"{what} cannot be read ({reason}); is it complete?", path=path) from error
