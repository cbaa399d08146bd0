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

BLOCK = 1 << 19  # what the processor keeps at hand
LONGEST_LINE = 1 << 24
_WIDEST = 1000  # fields that a line may have to be looked at by `cut`
_BLANKS = b" " * MARGIN
_TAB, _NEWLINE, _RETURN, _BLANK = 9, 10, 13, 32

Bytes = NDArray[np.uint8]


def read_fields(path: str | Path, *, block: int = BLOCK) -> Iterator[Fields]:
    """Read a text table in blocks of about ``block`` bytes; yield the fields of each.

    Raises DataError for a file that is missing, unreadable, binary or not UTF-8.
    """
    number = 1
    for text in _read_blocks(Path(path), block):
        data = np.frombuffer(b"".join((_BLANKS, text, _BLANKS)), dtype=np.uint8)
        _check_encoding(text, number, path)
        fields = cut(data, number)
        careful = fields is None
        if fields is None:
            fields = cut_carefully(data, number, path)
        if len(fields):
            yield fields
        number += text.count(b"\n") if careful else len(fields)


def first_lines(path: str | Path, limit: int = 100) -> list[bytes]:
    """Return the first lines that are not blank, as far as 64 kB reach."""
    try:
        with Path(path).open("rb") as file:
            start = _without_mark(file.read(1 << 16), Path(path))
    except OSError as problem:
        raise DataError(f"cannot be read: {problem.strerror or problem}", path=path) from problem
    whole, newline, rest = start.rpartition(b"\n")
    lines = (whole if newline else rest).split(b"\n")
    return [line.strip() for line in lines if line.strip()][:limit]


def first_line(path: str | Path) -> bytes:
    """Return the first line that is not blank; nothing where there is none."""
    return next(iter(first_lines(path, 1)), b"")


def cut(data: Bytes, number: int) -> Fields | None:
    """Cut a block whose fields are one blank apart and whose lines end at once; None if they are not.

    No two separators touch, and no control byte but newlines is anywhere: the tests together leave no
    other case.
    """
    inner = data[:-MARGIN]
    separators = np.flatnonzero(inner <= _BLANK)[MARGIN - 1 :]
    before, ends = separators[:-1], separators[1:]
    if int((ends - before).min(initial=2)) < 2:
        return None
    width: int | None = 1 + int((inner[ends[:_WIDEST]] == _NEWLINE).argmax())
    lines, odd = divmod(len(ends), width)
    if not odd and (inner[ends[width - 1 :: width]] == _NEWLINE).all():
        first = np.arange(0, len(ends) + 1, width)
    else:
        newlines = np.flatnonzero(inner[ends] == _NEWLINE)
        lines, width, first = len(newlines), None, np.append(0, newlines + 1)
    if np.count_nonzero(inner < _BLANK) != lines:
        return None
    return Fields(data, before, ends, first, number + np.arange(lines), width)


def cut_carefully(data: Bytes, number: int, path: str | Path) -> Fields:
    """Cut a block of any lines: runs of white space of any kind, blank lines, lines of several widths."""
    inner = data[:-MARGIN]
    control = (inner < _BLANK) & ((inner < _TAB) | (inner > _RETURN))
    if control.any():
        at = int(control.argmax())
        raise DataError(
            f"holds the byte 0x{inner[at]:02x}: this is a binary file, not a text table",
            path=path,
            line=number + int(np.count_nonzero(inner[:at] == _NEWLINE)),
        )
    blank = inner <= _BLANK
    edges = np.flatnonzero(blank[1:] != blank[:-1])
    before, ends = edges[0::2], edges[1::2] + 1
    newlines = np.flatnonzero(inner == _NEWLINE)
    first = np.append(0, np.searchsorted(before, newlines))
    filled = np.diff(first) > 0
    kept = np.append(filled, True)
    return Fields(data, before, ends, first[kept], number + np.flatnonzero(filled))


def _read_blocks(path: Path, block: int) -> Iterator[bytes]:
    """Yield whole lines, each block ending in a newline."""
    carried, started = b"", False
    try:
        with path.open("rb") as file:
            while chunk := file.read(block):
                if not started:
                    chunk, started = _without_mark(chunk, path), True
                whole, newline, rest = chunk.rpartition(b"\n")
                if newline:
                    yield b"".join((carried, whole, newline))
                    carried = rest
                elif len(carried) > LONGEST_LINE:
                    raise DataError("has a line longer than 16 MB: this is not a text table", path=path)
                else:
                    carried += chunk
    except OSError as problem:
        raise DataError(f"cannot be read: {problem.strerror or problem}", path=path) from problem
    if carried:
        yield carried + b"\n"


def _without_mark(chunk: bytes, path: Path) -> bytes:
    """Take the byte order mark off the start of a file."""
    if chunk.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise DataError("is in UTF-16: save it as UTF-8", path=path, line=1)
    return chunk.removeprefix(codecs.BOM_UTF8)


def _check_encoding(text: bytes, number: int, path: str | Path) -> None:
    """Refuse bytes that are not UTF-8."""
    if text.isascii():
        return
    try:
        text.decode()
    except UnicodeDecodeError as problem:
        line = number + text.count(b"\n", 0, problem.start)
        raise DataError(f"byte 0x{text[problem.start]:02x} is not UTF-8", path=path, line=line) from None
