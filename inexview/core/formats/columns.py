"""Text tables to numpy columns: fields separated by white space, read a block of bytes at a time.

A run has 10⁵ to 10⁷ lines, so nothing here is done per line in Python.  Each block of the file is cut at
its white space into :class:`Fields`; a field of up to 8 characters is one machine word, and whole columns
of words become integers, floats and names by a few operations on the words (SWAR: the digits of a number
side by side in one register).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from inexview.core.names import Names

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]
Words = NDArray[np.uint64]
Floats = NDArray[np.float64]

MARGIN = 16  # bytes of white space around a block: a word may be read before or after any field


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of a block of n lines that are not blank.

    Field f of line i holds the bytes ``data[starts[first[i] + f]:ends[first[i] + f]]``; ``first`` has
    shape (n + 1,) and ``number`` (n,) gives the lines' numbers in the file, from 1.
    """

    data: Bytes
    starts: Ints
    ends: Ints
    first: Ints
    number: Ints

    def __len__(self) -> int:
        return len(self.number)

    @property
    def counts(self) -> Ints:
        """How many fields each line has, shape (n,)."""
        return np.diff(self.first)

    def column(self, at: int, lines: Ints | slice = slice(None)) -> Column:
        """Return field ``at`` of the given lines, each of which must have it."""
        fields = self.first[:-1][lines] + at
        return Column(self.data, self.starts[fields], self.ends[fields])


@dataclass(frozen=True, slots=True)
class Column:
    """n fields of a block, at ``data[starts[i]:ends[i]]``."""

    data: Bytes
    starts: Ints
    ends: Ints

    def __len__(self) -> int:
        return len(self.starts)

    def text(self, at: int) -> str:
        """Return one field as it stands in the file."""
        return bytes(self.data[self.starts[at] : self.ends[at]]).decode("utf-8", "replace")

    def take(self, rows: Ints | Mask) -> Column:
        """Return these rows."""
        return Column(self.data, self.starts[rows], self.ends[rows])

    def equals(self, text: bytes) -> Mask:
        """Tell which fields are exactly this text of at most 8 bytes."""
        word = np.frombuffer(text.ljust(8, b"\0"), "<u8")[0]
        length = self.ends - self.starts
        same: Mask = _load(self.data, self.starts) & _KEEP[len(text)] == word
        same &= length == len(text)
        return same

    def names(self) -> Names:
        """Return the fields as names."""
        width = -(-int((self.ends - self.starts).max(initial=1)) // 8)
        words = np.empty((len(self), width), dtype=np.uint64)
        for at in range(width):
            left = self.ends - self.starts - 8 * at
            words[:, at] = _load(self.data, self.starts + 8 * at) & _KEEP[np.clip(left, 0, 8)]
        return Names(words)

    def floats(self) -> tuple[Floats, Mask]:
        """Return the fields' values, correctly rounded, and which of them are numbers."""
        return slow_floats(self)

    def integers(self) -> tuple[Ints, Mask]:
        """Return the fields' values and which of them are plain digits, at most 16."""
        lengths = self.ends - self.starts
        high = _load(self.data, self.starts)
        if int(lengths.max(initial=0)) <= 8:
            value, good = _digits(high, lengths)
            return value.view(np.int64), good
        low = _load(self.data, self.ends - 8)
        long = lengths > 8
        low_value, low_good = _digits(np.where(long, low, high), np.minimum(lengths, 8))
        high_value, high_good = _digits(high, np.clip(lengths - 8, 0, 8))
        values = np.where(long, high_value * np.uint64(10**8), np.uint64(0)) + low_value
        return values.view(np.int64), low_good & (high_good | ~long) & (lengths <= 16)


def _load(data: Bytes, starts: Ints) -> Words:
    """Return the 8 bytes from each start as a word, the first byte lowest."""
    at_every_byte = np.ndarray((len(data) - 7,), "S8", data, strides=(1,))
    return at_every_byte[starts].view("<u8")


def slow_floats(column: Column) -> tuple[Floats, Mask]:
    """Read floats as Python does, one by one."""
    values = np.full(len(column), np.nan)
    good = np.ones(len(column), dtype=bool)
    for row in range(len(column)):
        try:
            values[row] = float(column.text(row))
        except ValueError:
            good[row] = False
    return values, good


_KEEP = np.array([(1 << (8 * length)) - 1 for length in range(9)], dtype=np.uint64)
_ZEROS = np.uint64(0x3030303030303030)
_NOT_A_DIGIT = np.uint64(0x7676767676767676)
_HIGH_BITS = np.uint64(0x8080808080808080)
_TWOS = np.uint64(0x00FF00FF00FF00FF)
_FOURS = np.uint64(0x0000FFFF0000FFFF)


def _digits(words: Words, lengths: Ints) -> tuple[Words, Mask]:
    """Return the numbers that the first ``lengths`` (0 … 8) bytes of each word spell, and which do.

    The shift moves the digits to the top of the word and what follows them out of it.
    """
    digits = (words ^ _ZEROS) << ((8 - lengths) * 8 % 64).astype(np.uint64)
    good = ((((digits + _NOT_A_DIGIT) | digits) & _HIGH_BITS) == 0) & (lengths > 0)
    digits = (digits * np.uint64(10 << 8 | 1)) >> np.uint64(8) & _TWOS
    digits = (digits * np.uint64(100 << 16 | 1)) >> np.uint64(16) & _FOURS
    return (digits * np.uint64(10000 << 32 | 1)) >> np.uint64(32), good
