"""Text files, read a block of whole lines at a time and cut into fields.

Bounded memory whatever the file's size, packed or not; clear refusals of what is not a
text table: pipes, binary files and archives, UTF-16, lines without an end.  Lines that begin with
# are comments, and passed over.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path

import numpy as np

from inexview.core.errors import DataError
from inexview.core.formats.problems import Problems
from inexview.core.formats.tables.columns import MARGIN, LineFields
from inexview.core.formats.tables.text_encoding import TextEncoding, refuse_beginning
from inexview.core.formats.tables.walk import Walk
from inexview.core.packed_files import UnpackedFile
from inexview.core.text.spans import Bytes, Ints

BLOCK = 1 << 20  # what the processor keeps at hand
LONGEST_LINE = 1 << 24
_WIDEST = 1000  # fields that a line may have to be looked at by `cut`
_TAB, _NEWLINE, _RETURN, _BLANK = 9, 10, 13, 32


@dataclass(frozen=True)
class LineBlock:
    """Whole lines of a file in UTF-8, of which ``number`` is the first, between two MARGINs.

    The last byte of the block is a newline.  The first margin is blank; what is in the second one is
    not part of the block.
    """

    data: Bytes
    number: int
    path: Path

    @cached_property
    def newlines(self) -> Ints:
        """Where the lines end, shape (n,)."""
        return np.flatnonzero(self.data[:-MARGIN] == _NEWLINE)

    @property
    def numbers(self) -> Ints:
        """The numbers of the lines in the file, from 1, shape (n,)."""
        return self.number + np.arange(len(self.newlines))

    def fields(self) -> LineFields:
        """Return the fields of the lines, whatever they look like."""
        return cut(self.data, self.number) or cut_carefully(self.data, self.number, self.path)

    def walk(self) -> Walk | None:
        """Return a walk along the lines, None where there is white space other than blanks and newlines."""
        controls = np.count_nonzero(self.data[:-MARGIN] < _BLANK)
        if controls != len(self.newlines):
            return None
        starts = np.append(MARGIN, self.newlines[:-1] + 1)
        return Walk(self.data, starts, self.newlines)


def read_blocks(problems: Problems, *, block: int = BLOCK) -> Iterator[LineBlock]:
    """Read the file that the problems are of in blocks of about ``block`` bytes, each valid until the next.

    Bytes that are not UTF-8 are read as Windows-1252, with a warning.  Raises DataError for a file that is
    missing, unreadable, binary or in no one encoding.
    """
    path = Path(problems.path)
    encoding = TextEncoding(problems)
    number = 1
    for data in _read_blocks(path, block):
        if data.max() > 127:
            data = _in_utf8(data, number, path, encoding)
        lines = LineBlock(data, number, path)
        yield lines
        number += len(lines.newlines)


def read_fields(problems: Problems, *, block: int = BLOCK) -> Iterator[LineFields]:
    """Read a text table in such blocks; each yields its fields, valid until the next."""
    for lines in read_blocks(problems, block=block):
        fields = lines.fields()
        if len(fields):
            yield fields


def first_lines(path: str | Path) -> list[bytes]:
    """Return the first 100 lines that are not blank, as far as 64 kB reach."""
    for data in _read_blocks(Path(path), 1 << 16):
        lines = data[MARGIN:-MARGIN].tobytes().split(b"\n")
        return list(islice(filter(None, map(bytes.strip, lines)), 100))
    return []


def cut(data: Bytes, number: int) -> LineFields | None:
    """Cut a block whose fields are one blank apart and whose lines end at once; None if they are not.

    No two separators touch, and no control byte but newlines is anywhere: the tests together leave no
    other case.
    """
    inner = data[:-MARGIN]
    blank = inner <= _BLANK
    if np.any(blank[MARGIN:] & blank[MARGIN - 1 : -1]):
        return None
    separators = np.flatnonzero(blank)[MARGIN - 1 :]
    before, ends = separators[:-1], separators[1:]
    width = 1 + int((inner[ends[:_WIDEST]] == _NEWLINE).argmax())
    lines, odd = divmod(len(ends), width)
    alike = not odd and bool((inner[ends[width - 1 :: width]] == _NEWLINE).all())
    if alike:
        first = np.arange(0, len(ends) + 1, width)
    else:
        newlines = np.flatnonzero(inner[ends] == _NEWLINE)
        lines, first = len(newlines), np.append(0, newlines + 1)
    if np.count_nonzero(inner < _BLANK) != lines:
        return None
    return LineFields(data, before, ends, first, number + np.arange(lines), width if alike else None)


def cut_carefully(data: Bytes, number: int, path: str | Path) -> LineFields:
    """Cut a block of any lines: runs of white space of any kind, blank lines, lines of several widths."""
    inner = data[:-MARGIN]
    _check_controls(inner, number, path)
    blank = inner <= _BLANK
    edges = np.flatnonzero(blank[1:] != blank[:-1])
    before, ends = edges[0::2], edges[1::2] + 1
    newlines = np.flatnonzero(inner == _NEWLINE)
    first = np.append(0, np.searchsorted(before, newlines))
    filled = np.diff(first) > 0
    kept = np.append(filled, True)
    return LineFields(data, before, ends, first[kept], number + np.flatnonzero(filled))


def _read_blocks(path: Path, block: int) -> Iterator[Bytes]:
    """Yield the data of blocks, each time in the same memory."""
    memory = bytearray(b" " * (block + 2 * MARGIN + 1))
    filled, at_start = MARGIN, True
    try:
        with UnpackedFile(path) as file:
            while True:
                if filled + MARGIN + 1 == len(memory):
                    memory = _longer(memory, path)
                with memoryview(memory) as room:
                    read = file.readinto(room[filled : len(memory) - MARGIN - 1])
                filled += read
                if at_start:
                    _check_beginning(memory, path)
                    at_start = False
                if not read and filled > MARGIN:  # the last line may lack its newline
                    memory[filled] = _NEWLINE
                    filled += 1
                end = memory.rfind(b"\n", MARGIN, filled) + 1
                if end:
                    _blank_comments(memory, end)
                    yield np.frombuffer(memory, np.uint8, end + MARGIN)
                    memory[MARGIN : MARGIN + filled - end] = memory[end:filled]
                    filled += MARGIN - end
                if not read:
                    return
    except OSError as problem:
        raise DataError(f"cannot be read: {problem.strerror or problem}", path=path) from problem


def _blank_comments(memory: bytearray, end: int) -> None:
    """Make blank lines of those that begin with #."""
    if memory.find(b"#", MARGIN, end) < 0:
        return
    at = MARGIN if memory.startswith(b"#", MARGIN) else memory.find(b"\n#", MARGIN, end) + 1
    while at:
        stop = memory.index(b"\n", at)
        memory[at:stop] = b" " * (stop - at)
        at = memory.find(b"\n#", stop, end) + 1


def _longer(memory: bytearray, path: Path) -> bytearray:
    """Return twice as much memory with the same beginning, for a line that is longer than a block."""
    if len(memory) > LONGEST_LINE:
        raise DataError("has a line longer than 16 MB: this is not a text table", path=path)
    return memory + b" " * len(memory)


def _check_beginning(memory: bytearray, path: Path) -> None:
    """Refuse what begins as no text table does; blank the byte order mark at the start of a file."""
    refuse_beginning(memory, path, MARGIN)
    if memory.startswith(codecs.BOM_UTF8, MARGIN):
        memory[MARGIN : MARGIN + len(codecs.BOM_UTF8)] = b" " * len(codecs.BOM_UTF8)


def _in_utf8(data: Bytes, number: int, path: str | Path, encoding: TextEncoding) -> Bytes:
    """Return a block in UTF-8, with its margins."""
    text = data[MARGIN:-MARGIN].tobytes()
    try:
        utf8 = encoding.utf8(text, number)
    except DataError:
        _check_controls(data[:-MARGIN], number, path)
        raise
    if utf8 is text:
        return data
    _check_controls(data[:-MARGIN], number, path)
    margin = b" " * MARGIN
    return np.frombuffer(b"".join((margin, utf8, margin)), np.uint8)


def _check_controls(inner: Bytes, number: int, path: str | Path) -> None:
    """Refuse control bytes other than white space."""
    control = (inner < _BLANK) & ((inner < _TAB) | (inner > _RETURN))
    if control.any():
        at = int(control.argmax())
        raise DataError(
            f"holds the byte 0x{inner[at]:02x}: this is a binary file, not a text table",
            path=path,
            line=number + int(np.count_nonzero(inner[:at] == _NEWLINE)),
        )
