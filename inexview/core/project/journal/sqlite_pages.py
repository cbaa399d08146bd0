"""The records in a database file, page by page, however damaged the file is.

SQLite finds a row by way of the pages above it and gives up where one of them is damaged; here each page is
looked at by itself, as "Database File Format" (sqlite.org/fileformat2.html, sections 1.6 and 2) describes it.
What is read is any number of values that may be wrong: who asks checks them.
"""

from __future__ import annotations

import contextlib
import errno
import shutil
import sqlite3
import stat
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from inexview.core.errors import ProjectError

# What SQLite raises, as errors with a sentence for the user.

_BESIDE = 1 << 16  # bytes that the index of a write-ahead log takes at least


class ReadOnlyError(ProjectError):
    """The project can be read, but this user cannot write to it here."""


class DiskFullError(ProjectError):
    """There is no room for what was to be written."""


class BusyError(ProjectError):
    """Another program writes to the project file now, so that nothing was written."""


class DamagedFileError(ProjectError):
    """A project file that is not as inexview wrote it: cut off, overwritten, or changed by something else."""


class NewerFormatError(ProjectError):
    """A project file that says it is of a newer inexview: it may be, or its first bytes are damaged."""


@contextlib.contextmanager
def explaining(path: Path) -> Iterator[None]:
    """Turn what SQLite and the system raise into ProjectErrors, save for misuse, a defect of ours."""
    try:
        yield
    except sqlite3.ProgrammingError:
        raise
    except (sqlite3.Error, UnicodeDecodeError) as error:  # the second of what SQLite would say
        raise _explained(error, path) from error
    except OSError as error:  # what was there a moment ago
        raise ProjectError(f"{path}: the project file cannot be used ({reason_of(error)})") from error


@contextlib.contextmanager
def making(path: Path, part: Path) -> Iterator[None]:
    """Name the new file in what goes wrong, and not the part that it is written to first."""
    try:
        yield
    except DiskFullError as error:
        raise DiskFullError(f"{path}: the disk is full; free some space and try again") from error
    except ProjectError as error:
        raise type(error)(str(error).replace(str(part), str(path))) from error


def _is_full(path: Path) -> bool:
    """Tell whether there is no room for the files that SQLite puts beside a database."""
    try:
        return shutil.disk_usage(path.parent).free < _BESIDE
    except OSError:
        return False


def reason_of(error: OSError) -> str:
    """Return why the system refused something, to be put in brackets."""
    return (error.strerror or str(error)).lower()


def _explained(error: Exception, path: Path) -> ProjectError:
    """Say in a sentence what SQLite says in its own words."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and _is_full(path)):
        return DiskFullError(
            f"{path}: the disk is full; what was done before is kept, free some space and try again"
        )
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return ReadOnlyError(f"{path}: the project cannot be written to here")
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return DamagedFileError(f"{path}: the project file is damaged (cut off or overwritten)")
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return BusyError(f"{path}: another program is busy with the project file; try again")
    if code == sqlite3.SQLITE_IOERR:
        problem = f"the disk cannot be read or written to ({error}); what was done before is kept, try again"
    elif code == sqlite3.SQLITE_CONSTRAINT:
        problem = "another program has written to the project; open it again"
    else:
        problem = f"the project file cannot be used ({error})"
    return ProjectError(f"{path}: {problem}")


TABLE_LEAF, INDEX_LEAF, INDEX_INTERIOR = 0x0D, 0x0A, 0x02
_OTHER_KNOWN = (INDEX_LEAF, INDEX_INTERIOR, 0x05)
_PAGE_SIZES = [1 << power for power in range(9, 17)]
_USUAL = 4096
_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}  # serial type → bytes
_SMALLEST = 12  # bytes that a record of a project takes at least, with its pointer
_LOG_HEADER, _FRAME_HEADER = 32, 24

SqliteValue = int | bytes | None
_Pages = dict[int, bytes]


class Record(NamedTuple):
    """A record: its row's number (None: of an index) and its values; text is bytes.

    It is ``moved`` where its page would be if bytes had been put in, or taken out, before it.
    """

    number: int | None
    values: list[SqliteValue]
    moved: bool = False


def records(path: Path) -> Iterator[Record]:
    """Yield every record that can be read in a database file and the log beside it; raises OSError."""
    if stat.S_ISCHR(mode := path.stat().st_mode) or stat.S_ISFIFO(mode):  # which may never end
        raise OSError(errno.EINVAL, "it is a pipe or a device")
    data = path.read_bytes()
    said = int.from_bytes(data[16:18], "big")
    size = said if said in _PAGE_SIZES else 1 << 16 if said == 1 else _USUAL
    pages = {at // size + 1: data[at : at + size] for at in range(0, len(data), size)}
    yield from _Reader(pages, size).records()
    for moved in _moved_pages(data, size):
        for record in _Reader(moved, size).records():
            yield record._replace(moved=True)
    log = path.with_name(path.name + "-wal")
    if log.exists():
        logged = dict(_logged(log.read_bytes(), size))
        if logged:
            yield from _Reader({**pages, **logged}, size).records(only=logged)


def _moved_pages(data: bytes, size: int) -> Iterator[_Pages]:
    """Yield the pages of a file into which bytes were put, or from which some were taken: they are no whole
    number of pages from its beginning any more, but from its end.

    Of the page in which that happened the beginning is at its place, and the cells behind are not: all pages
    are given so too.
    """
    told = int.from_bytes(data[28:32], "big")  # pages
    shift = len(data) - told * size
    if -(len(data) << 4) < shift <= -size:  # the end was cut off
        return
    if abs(shift) >= size:
        shift = (len(data) + size // 2) % size - size // 2
    if not shift:
        return
    count = (len(data) - shift) // size
    places = [(number, (number - 1) * size) for number in range(1, count + 1)]
    yield {number: data[max(at + shift, 0) : at + shift + size] for number, at in places}
    mixed: _Pages = {}
    for number, at in places:
        page, start = data[at : at + size], 100 if number == 1 else 0
        cells = int.from_bytes(page[start + 3 : start + 5], "big")
        head = min(start + 12 + 2 * cells, size)
        mixed[number] = page[:head] + data[max(at + shift + head, 0) : at + shift + size]
    yield mixed


def _logged(log: bytes, size: int) -> Iterator[tuple[int, bytes]]:
    """Yield number and content of the pages in a write-ahead log, those of its present round."""
    salts = log[16:24]
    for at in range(_LOG_HEADER, len(log) - size - _FRAME_HEADER + 1, size + _FRAME_HEADER):
        if log[at + 8 : at + 16] == salts:
            begin = at + _FRAME_HEADER
            yield int.from_bytes(log[at : at + 4], "big"), log[begin : begin + size]


class _Reader:
    """Reads the records of some pages."""

    def __init__(self, pages: _Pages, size: int) -> None:
        self._pages, self._size = pages, size
        self._left = 4 * sum(map(len, pages.values())) + (1 << 20)  # bytes that further pages may bring

    def records(self, only: _Pages | None = None) -> Iterator[Record]:
        for number in sorted(self._pages if only is None else only):
            page = self._pages[number]
            start = 100 if number == 1 else 0
            kind = page[start] if len(page) > start else 0
            # A page of an unknown kind may be a leaf whose first byte is damaged.
            yield from self._of_page(page, start, kind if kind in _OTHER_KNOWN else TABLE_LEAF)

    def _of_page(self, page: bytes, start: int, kind: int) -> Iterator[Record]:
        header = 12 if kind == INDEX_INTERIOR else 8
        place = start + header
        last = place + 2 * (self._size // _SMALLEST)
        counted = place + 2 * int.from_bytes(page[start + 3 : start + 5], "big")
        seen = set[int]()  # no two cells begin at one place
        # As many pointers as the header counts, and further ones as long as they make sense.
        while place + 2 <= min(len(page), last):
            at = int.from_bytes(page[place : place + 2], "big")
            place += 2
            if place <= counted:
                at &= self._size - 1  # as SQLite takes them
            if not place <= at < self._size:
                if place > counted:
                    return
                continue
            if at in seen:
                continue
            seen.add(at)
            try:
                yield self._cell(page, at, kind)
            except (IndexError, KeyError, ValueError, struct.error):
                continue

    def _cell(self, page: bytes, at: int, kind: int) -> Record:
        if kind == INDEX_INTERIOR:
            at += 4
        length, at = _varint(page, at)
        number = None
        if kind == TABLE_LEAF:
            number, at = _varint(page, at)
        return Record(number, _values(self._payload(page, at, length, kind)))

    def _payload(self, page: bytes, at: int, length: int, kind: int) -> bytes:
        length = min(length, len(self._pages) * self._size)
        most = self._size - 35 if kind == TABLE_LEAF else (self._size - 12) * 64 // 255 - 23
        local = length
        if length > most:
            least = (self._size - 12) * 32 // 255 - 23
            local = least + (length - least) % (self._size - 4)
            local = local if local <= most else least
        self._left -= length - local
        if self._left < 0:  # chains that are larger than the file many times are crafted, or no chains
            length = local
        payload = bytearray(page[at : at + local])
        following = int.from_bytes(page[at + local : at + local + 4], "big") if local < length else 0
        while len(payload) < length and following in self._pages:
            further = self._pages[following]
            payload += further[4 : 4 + length - len(payload)]
            if len(further) < self._size:
                break
            following = int.from_bytes(further[:4], "big")
        return bytes(payload)


def _values(payload: bytes) -> list[SqliteValue]:
    """Return the values of a record, the first of them where the rest is damaged."""
    header, at = _varint(payload, 0)
    place = header
    values: list[SqliteValue] = []
    while at < header:
        if at >= len(payload):
            break
        type, at = _varint(payload, at)
        if type == 0:
            values.append(None)
            continue
        if type in (8, 9):
            values.append(type - 8)
            continue
        size = _INTEGERS[type] if type in _INTEGERS else (type - 12) // 2
        if size < 0 or place + size > len(payload):
            break
        part = payload[place : place + size]
        values.append(int.from_bytes(part, "big", signed=True) if type in _INTEGERS else part)
        place += size
    return values


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return a whole number of one to nine bytes, and where it ends."""
    value = 0
    for _ in range(8):
        byte = data[at]
        at += 1
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at
    return value << 8 | data[at], at + 1
