"""Files that appear under their names when they are complete and on the disk, and not before."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

from inexview.core.errors import DataError

_LONGEST_NAME = 255  # bytes, on nearly every file system
_NUMBERS = 20  # bytes: of the process, and of the write in it
_LONGEST_SUFFIX = 100  # bytes: a longer one names no format
_ABANDONED = 3600  # seconds without a write: the process may be on another machine that shares the folder
_FORGOTTEN = 24 * _ABANDONED  # after which a process of this number is another one
_turns = count()


def write_complete(path: Path, write: Callable[[Path], object]) -> None:
    """Have ``write`` make a file or folder beside a path, with its suffix, and move it there in one step.

    Where that fails, nothing is left behind and what was there stays.  Raises DataError where the path is a
    device or names nothing, what ``write`` raises, about the path, and OSError.
    """
    if not path.name:
        raise DataError("name a file to write", path=path)
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise DataError("is a device and no file; name a file", path=path)
    before, after = _halves(path)
    part = path.with_name(f"{before}.{os.getpid()}.{next(_turns)}{after}")
    _sweep(path)
    try:
        write(part)
        replace(part, path)
    except DataError as error:
        where = None if error.path is None else error.path.replace(str(part), str(path))
        problem, line = error.problem, error.line
        raise DataError(problem, path=where, line=line, field=error.field, value=error.value) from error
    except OSError as error:  # a full disk names no file
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        _remove(part)


def _halves(path: Path) -> tuple[str, str]:
    """Return how parts of a path are called, up to their numbers and after: hidden, and not too long."""
    after = f".part{path.suffix if len(os.fsencode(path.suffix)) < _LONGEST_SUFFIX else ''}"
    room = _LONGEST_NAME - len(os.fsencode(f".{after}")) - _NUMBERS
    return f".{os.fsencode(path.stem)[:room].decode(errors='ignore')}", after


def _sweep(path: Path) -> None:
    """Remove what processes that were killed have left of writing to the same path."""
    left = re.compile(r"{}\.(\d+)\.\d+{}".format(*map(re.escape, _halves(path))))
    with contextlib.suppress(OSError):  # a folder may be one that cannot be listed
        for name in os.listdir(path.absolute().parent):  # noqa: PTH208 - a third of the time
            found, there = left.fullmatch(name), path.with_name(name)
            if not found:
                continue
            idle = time.time() - there.lstat().st_mtime
            if idle > _FORGOTTEN or (idle > _ABANDONED and not _lives(int(found[1]))):
                _remove(there)


def _lives(process: int) -> bool:
    """Tell whether there is a process of this number; where that cannot be asked there may be."""
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
    """Remove a file or folder, if it is there."""
    if part.is_dir():
        shutil.rmtree(part, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):  # a disk that is only read refuses even what is not there
            part.unlink(missing_ok=True)


def remove_abandoned(part: Path) -> None:
    """Remove what a process that was killed has left, if it is not there to be written: after an hour."""
    with contextlib.suppress(OSError):
        if part.stat().st_mtime < time.time() - _ABANDONED:
            _remove(part)


def replace(part: Path, path: Path) -> None:
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
    """Have all of a file on the disk; raises OSError."""
    with path.open("r+b") as file:
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Have the names in a folder on the disk, where the system can do that."""
    with contextlib.suppress(OSError):  # Windows opens no folders
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
