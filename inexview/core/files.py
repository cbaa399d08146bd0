"""Files named by users: whether they exist, how they are opened, unpacked, written, named and linked."""

from __future__ import annotations

import contextlib
import csv
import io
import os
import re
import shutil
import stat
import time
import zlib
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import IO, Any
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

import platformdirs

from inexview.core.errors import DataError, InexviewError, reported

PROJECT_SUFFIX = ".inexview"


def project_path(path: Path) -> Path:
    """Return a path with the suffix of projects, added if it has another or none."""
    return path if path.suffix == PROJECT_SUFFIX else path.with_name(path.name + PROJECT_SUFFIX)


# Whether a path exists, and a folder that is private to this user.
#
# Path's own methods raise errors for a name that is too long, for a folder that may not be read, and on a
# drive that has been removed (before Python 3.14). Callers here want the answer that nothing exists.


def is_there(path: Path) -> bool:
    """Return whether a file or a folder exists and can be reached."""
    return os.path.exists(path)  # noqa: PTH110 - see above


def is_same_file(path: Path, other: Path) -> bool:
    """Return whether two paths name the same file, even through links, or would if it existed."""
    if os.path.realpath(path) == os.path.realpath(other):
        return True
    try:
        return os.path.samefile(path, other)  # noqa: PTH121 - see above
    except (OSError, ValueError):
        return False


def shown_path(path: Path) -> str:
    """Return a path for display: paths in the home folder begin with ``~``."""
    home = Path.home()
    if path == home:
        return "~"
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)


def folder_is_there(path: Path) -> bool:
    """Return whether a folder exists and can be reached."""
    return os.path.isdir(path)  # noqa: PTH112 - see above


LONGEST_FOLDER = 72  # bytes: the path of a socket in it has 107 at most


def private_folder() -> Path | None:
    """Return a folder that no other user may enter, for sockets and locks; None if there is none.

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


# Opens files named by users, and unpacks gzip, bzip2, xz and Zstandard.
#
# All readers of judgements, runs, topics, pools and small texts open their files here, with the same formats
# and the same protection against bombs.

TARS = (".tar", ".tgz", ".tbz", ".tbz2", ".txz", ".tar.gz", ".tar.bz2", ".tar.xz")
ARCHIVES = (".zip", *TARS)
_MUCH = 1 << 28
_RATIO = 200  # runs and qrels pack to a tenth; a file that unpacks to so much more is not a text table
_LONGEST_MAGIC = 6
_BLOCK = 1 << 16


class UnpackedFile(io.RawIOBase):
    """The bytes of a file, unpacked if it is packed.

    Raises DataError for a pipe, for truncated or damaged data, and for a file that unpacks to more than 256
    MB and 200 times its size; OSError for a file that cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self._opened = ExitStack()
        kind = path.stat()
        if not (stat.S_ISREG(kind.st_mode) or stat.S_ISDIR(kind.st_mode)):  # a file is read more than once
            raise DataError("is a pipe or a device: save its output to a file first", path=path)
        self._file = self._opened.enter_context(path.open("rb", buffering=0))  # gives the error for a folder
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
        """Fill the memory as far as the file allows at once; return the number of bytes, 0 at its end."""
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
    """Return the packing of a file that begins with these bytes; None if it is not packed."""
    return next((name for magic, name in _PACKINGS.items() if data.startswith(magic)), None)


def read_beginning(path: Path, most: int) -> bytes:
    """Return the first bytes of a file, unpacked.  Raises DataError if it cannot be read."""
    with reported(path, "cannot be read: {}", OSError), io.BufferedReader(UnpackedFile(path), _BLOCK) as file:
        return file.read(most)


def open_lines(path: Path) -> io.BufferedReader:
    """Open a file to be read line by line.  Raises OSError and, also while reading, DataError."""
    return io.BufferedReader(UnpackedFile(path), _BLOCK)


_PACKINGS = {
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\0": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
}


def unpacker(packing: str, file: IO[bytes]) -> Any:
    """Return the unpacker of an open file; each library is loaded only for files of its kind."""
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
    """Return the errors of the libraries for truncated or damaged data."""
    import lzma

    errors: tuple[type[Exception], ...] = (EOFError, OSError, ValueError, zlib.error, lzma.LZMAError)
    try:
        return (*errors, _zstd().ZstdError)
    except ImportError:  # then it has not unpacked anything
        return errors


def _zstd() -> Any:
    """Return Python's module for Zstandard, or before 3.14 the package that provides it."""
    from importlib import import_module

    try:
        return import_module("compression.zstd")
    except ModuleNotFoundError:
        return import_module("backports.zstd")


def is_archive(path: Path) -> bool:
    """Return whether the name of a file is that of a possible collection."""
    return path.name.lower().endswith(ARCHIVES)


# Small text files written by users: lists of words or topics, experiments, maps of keys.

_MOST = 1 << 20  # bytes


def read_small_text(path: Path, what: str) -> str:
    """Return a text in UTF-8 of 1 MB at most, from a file or a pipe.

    ``what`` is its content, such as "a list of topics", for errors.  Raises DataError if it cannot be read.
    """
    try:
        with path.open("rb") as file:  # a pipe can be read only once
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


def read_small_table(path: Path, what: str) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """Return the headings of a table, CSV or TSV of 1 MB at most, and its rows with their line numbers.

    Lines without a value are left out.  Raises DataError if it is not such a table.
    """
    lines = read_small_text(path, what).splitlines()
    if not lines:
        raise DataError("is empty: it needs a header line", path=path)
    reader = csv.reader(lines, delimiter="\t" if "\t" in lines[0] else ",")
    try:
        head, *rows = reader
    except csv.Error as error:
        raise DataError(f"is not a table: {error}", path=path, line=reader.line_num) from error
    head = [name.strip() for name in head]
    if len(head) < 2 or len({*head}) < len(head) or not all(head):
        raise DataError("needs a header line with at least two different names", path=path, line=1)
    for line, row in enumerate(rows, 2):
        if any(cell.strip() for cell in row) and len(row) != len(head):
            problem = (
                f"has {len(row)} {'value' if len(row) == 1 else 'values'}, and the headings are {len(head)}"
            )
            raise DataError(problem, path=path, line=line)
    return head, [(line, row) for line, row in enumerate(rows, 2) if any(cell.strip() for cell in row)]


# Writes files so that they appear under their names only when they are complete and on the disk.

_LONGEST_NAME = 255  # bytes, on nearly every file system
_NUMBERS = 20  # bytes: the number of the process, and of the write in it
_LONGEST_SUFFIX = 100  # bytes: a longer one is not that of a format
_ABANDONED = 3600  # seconds without a write: the process may be on another machine that shares the folder
_FORGOTTEN = 24 * _ABANDONED  # after which a process with this number is another one
_turns = count()


def write_complete(path: Path, write: Callable[[Path], object]) -> None:
    """Call ``write`` to make a file or folder next to a path, with its suffix, and move it there in one step.

    On failure, nothing is left behind and the old content stays.  Raises DataError if the path is a device or
    invalid, the errors of ``write`` with the path, and OSError.
    """
    if not path.name:
        raise DataError("name a file to write", path=path)
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise DataError("is a device; name a file", path=path)
    folder = path.absolute().parent
    if folder.is_file():
        raise DataError(f"{folder.name} is a file, not a folder; name another folder", path=path)
    before, after = _halves(path)
    part = path.with_name(f"{before}.{os.getpid()}.{next(_turns)}{after}")
    _sweep(path)
    try:
        write(part)
        replace_file(part, path)
    except DataError as error:
        where = None if error.path is None else error.path.replace(str(part), str(path))
        problem, line = error.problem, error.line
        raise DataError(problem, path=where, line=line, field=error.field, value=error.value) from error
    except OSError as error:  # a full disk does not name a file
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        _remove(part)


def _halves(path: Path) -> tuple[str, str]:
    """Return the parts of a temporary name before and after its numbers: hidden, and not too long."""
    after = f".part{path.suffix if len(os.fsencode(path.suffix)) < _LONGEST_SUFFIX else ''}"
    room = _LONGEST_NAME - len(os.fsencode(f".{after}")) - _NUMBERS
    return f".{os.fsencode(path.stem)[:room].decode(errors='ignore')}", after


def _sweep(path: Path) -> None:
    """Remove temporary files of killed processes that wrote to the same path."""
    left = re.compile(r"{}\.(\d+)\.\d+{}".format(*map(re.escape, _halves(path))))
    with contextlib.suppress(OSError):  # the folder may not be listable
        for name in os.listdir(path.absolute().parent):  # noqa: PTH208 - a third of the time
            found, there = left.fullmatch(name), path.with_name(name)
            if not found:
                continue
            idle = time.time() - there.lstat().st_mtime
            if idle > _FORGOTTEN or (idle > _ABANDONED and not _lives(int(found[1]))):
                _remove(there)


def _lives(process: int) -> bool:
    """Return whether a process with this number exists, or may exist if that is unknown."""
    if os.name != "posix":  # elsewhere asking would end it
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # it is another user's
        return True
    return True


def _remove(part: Path) -> None:
    """Remove a file or folder, if it exists."""
    if part.is_dir():
        shutil.rmtree(part, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):  # a read-only disk refuses even to remove missing files
            part.unlink(missing_ok=True)


def remove_abandoned(part: Path) -> None:
    """Remove a temporary file of a killed process, if it is not being written: after an hour."""
    with contextlib.suppress(OSError):
        if part.stat().st_mtime < time.time() - _ABANDONED:
            _remove(part)


def replace_file(part: Path, path: Path) -> None:
    """Move a complete file or folder of files to its name; a power cut leaves the old one or the new one.

    Raises OSError.
    """
    for written in sorted(part.rglob("*")) if part.is_dir() else [part]:
        if written.is_file():
            sync_file(written)
    if part.is_dir():
        sync_folder(part)
    part.replace(path)
    sync_folder(path.absolute().parent)


def put_in_place(part: Path, path: Path) -> None:
    """Move a complete file to a name that must be free; raises FileExistsError, and other OSErrors."""
    sync_file(part)
    try:
        os.link(part, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if path.exists():
            raise FileExistsError(str(path)) from None
        part.rename(path)
    else:
        part.unlink()
    sync_folder(path.absolute().parent)


def sync_file(path: Path) -> None:
    """Wait until all of a file is on the disk; raises OSError."""
    with path.open("r+b") as file:
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk, if the system supports it."""
    with contextlib.suppress(OSError):  # Windows does not open folders
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


# The places of files that come with the program: sample, fonts, icons, the guide.
#
# In a checkout (and an editable install) they are in `resources/` next to the package; a wheel contains them
# inside the package, as `inexview/_data`.  Only this module depends on it.

PACKAGE = Path(__file__).resolve().parent.parent


def resource(name: str, *, package: Path = PACKAGE) -> Path:
    """Return the file or folder ``name``, a path with forward slashes such as ``"fonts/README.md"``.

    ``package`` is the folder of the installed package.  Raises InexviewError if the file is missing.
    """
    folders = (package / "_data", package.parent / "resources")
    for folder in folders:
        if (folder / name).exists():
            return folder / name
    raise InexviewError(
        f"This installation of inexview is incomplete: {name} is neither in {folders[0]} nor in "
        f"{folders[1]}. Please install inexview again."
    )


def digest_of_file(path: Path) -> str:
    """Return the BLAKE2b digest of 16 bytes of a file as hexadecimal; "" if there is no such file."""
    from hashlib import blake2b, file_digest  # needed by the report only

    try:
        with path.open("rb") as file:
            return file_digest(file, lambda: blake2b(digest_size=16)).hexdigest()
    except OSError:
        return ""


def version() -> str:
    from importlib import metadata  # takes 30 ms, which other commands should not wait for

    return metadata.version("inexview")


# Links to a place in a project: `inexview:///home/ada/olive.inexview?topic=7&doc=12&at=340`.

SCHEME = "inexview"
LONGEST_LINK = 10_000  # characters of a link


@dataclass(frozen=True, slots=True)
class LinkedPlace:
    """A project, and the parts of it to open; None keeps the last state."""

    project: Path
    topic: str | None = None
    document: str | None = None
    run: str | None = None
    """The id of an open run, or the path of a run."""
    at: int | None = None
    """An offset in the document, in code points."""

    @classmethod
    def parse(cls, link: str) -> LinkedPlace:
        """Read a link.  Raises InexviewError if it is invalid, or has unknown parts."""
        no_link = f"{link[:200]!r} is not a link to a project: {SCHEME}:///path?topic=…&doc=…"
        try:
            parts = urlsplit(link[:LONGEST_LINK])
        except ValueError as error:  # a bracket where a host would be
            raise InexviewError(no_link) from error
        path = unquote(parts.path)
        given = dict(parse_qsl(parts.query))
        crafted = "\0" in path or any("\0" in value for value in given.values())
        if parts.scheme != SCHEME or parts.netloc or not path.strip("/") or crafted:
            raise InexviewError(no_link)
        unknown = given.keys() - {"topic", "doc", "run", "at"}
        at = given.get("at")
        if unknown or (at is not None and not (at.isascii() and at.isdigit() and len(at) < 13)):
            wrong = f"{sorted(unknown)[0]} is not known" if unknown else f"at = {at!r} is not an offset"
            raise InexviewError(f"{link[:200]!r}: {wrong}; a link names topic, doc, run and at")
        offset = None if at is None else int(at)
        return cls(Path(path), given.get("topic"), given.get("doc"), given.get("run"), offset)

    @property
    def link(self) -> str:
        at = None if self.at is None else str(self.at)
        named = {"topic": self.topic, "doc": self.document, "run": self.run, "at": at}
        query = urlencode(
            {name: value for name, value in named.items() if value is not None}, quote_via=quote, safe=""
        )
        path = quote(self.project.absolute().as_posix())
        return f"{SCHEME}://{'' if path.startswith('/') else '/'}{path}{'?' if query else ''}{query}"
