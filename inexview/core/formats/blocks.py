"""Text files, read a block of whole lines at a time and cut into fields.

Bounded memory whatever the file's size; clear refusals of what is not a text table: binary files, UTF-16,
bytes that are not UTF-8, lines without an end.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from inexview.core.errors import DataError
from inexview.core.formats.columns import MARGIN, Fields

BLOCK = 1 << 20
LONGEST_LINE = 1 << 24
_TAB, _NEWLINE, _RETURN, _BLANK = 9, 10, 13, 32

Bytes = NDArray[np.uint8]


def read_fields(path: str | Path, *, block: int = BLOCK) -> Iterator[Fields]:
    """Read a text table in blocks of about ``block`` bytes; yield the fields of each.

    Raises DataError for a file that is missing, unreadable, binary or not UTF-8.
    """
    number = 1
    for data in _read_blocks(Path(path), block):
        fields = cut(data, number) or _cut_carefully(data, number, path)
        if len(fields):
            yield fields
        number += int(np.count_nonzero(data == _NEWLINE))


def first_line(path: str | Path) -> bytes:
    """Return the first line that is not blank (at most 4 kB of it), without a byte order mark."""
    try:
        with Path(path).open("rb") as file:
            start = _without_mark(file.read(1 << 16), Path(path))
    except OSError as problem:
        raise DataError(f"cannot be read: {problem.strerror or problem}", path=path) from problem
    return start.lstrip().partition(b"\n")[0][:4096]


def cut(data: Bytes, number: int) -> Fields | None:
    """Cut a block whose lines are all alike, their fields apart by one blank or tab; None if they are not."""
    separators = np.flatnonzero(data[:-MARGIN] <= _BLANK)[MARGIN - 1 :]
    starts, ends = separators[:-1] + 1, separators[1:]
    kinds = data[ends]
    newlines = kinds == _NEWLINE
    width = int(newlines.argmax()) + 1
    lines, odd = divmod(len(kinds), width)
    if (
        odd
        or not newlines[width - 1 :: width].all()
        or np.count_nonzero(kinds == _BLANK) + np.count_nonzero(kinds == _TAB) != len(kinds) - lines
        or not (starts < ends).all()
    ):
        return None
    return Fields(data, starts, ends, np.arange(0, len(kinds) + 1, width), number + np.arange(lines), width)


def _cut_carefully(data: Bytes, number: int, path: str | Path) -> Fields:
    """Cut a block of any lines: runs of white space of any kind, blank lines, lines of several widths."""
    inner = data[:-MARGIN]
    control = (inner < _BLANK) & ((inner < _TAB) | (inner > _RETURN))
    if control.any():
        at = int(control.argmax())
        raise DataError(
            f"holds the byte 0x{inner[at]:02x}: this is a binary file, not a text table",
            path=path,
            line=_line_of(inner, at, number),
        )
    blank = inner <= _BLANK
    edges = np.flatnonzero(blank[1:] != blank[:-1]) + 1
    starts, ends = edges[0::2], edges[1::2]
    newlines = np.flatnonzero(inner == _NEWLINE)
    first = np.concatenate(([0], np.searchsorted(starts, newlines)))
    filled = np.diff(first) > 0
    kept = np.append(filled, True) if len(filled) else np.ones(1, dtype=bool)
    return Fields(data, starts, ends, first[kept], number + np.flatnonzero(filled))


def _line_of(data: Bytes, at: int, number: int) -> int:
    return number + int(np.count_nonzero(data[:at] == _NEWLINE))


def _read_blocks(path: Path, block: int) -> Iterator[Bytes]:
    """Yield whole lines, each block ending in a newline and with MARGIN blanks on either side."""
    margin = b" " * MARGIN
    carried, started, number = b"", False, 1
    try:
        with path.open("rb") as file:
            while chunk := file.read(block):
                if not started:
                    chunk, started = _without_mark(chunk, path), True
                whole, newline, rest = chunk.rpartition(b"\n")
                if newline:
                    yield _checked(b"".join((margin, carried, whole, newline, margin)), number, path)
                    number += carried.count(newline) + whole.count(newline) + 1
                    carried = rest
                elif len(carried) > LONGEST_LINE:
                    raise DataError(
                        "this line is longer than 16 MB: not a text table", path=path, line=number
                    )
                else:
                    carried += chunk
            if carried:
                yield _checked(b"".join((margin, carried, b"\n", margin)), number, path)
    except OSError as problem:
        raise DataError(f"cannot be read: {problem.strerror or problem}", path=path) from problem


def _without_mark(chunk: bytes, path: Path) -> bytes:
    """Take the byte order mark off the start of a file."""
    if chunk.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise DataError("is in UTF-16: save it as UTF-8", path=path, line=1)
    return chunk.removeprefix(codecs.BOM_UTF8)


def _checked(data: bytes, number: int, path: Path) -> Bytes:
    """Refuse bytes that are not UTF-8."""
    if not data.isascii():
        try:
            data.decode()
        except UnicodeDecodeError as problem:
            line = number + data.count(b"\n", 0, problem.start)
            raise DataError(f"byte 0x{data[problem.start]:02x} is not UTF-8", path=path, line=line) from None
    return np.frombuffer(data, dtype=np.uint8)
