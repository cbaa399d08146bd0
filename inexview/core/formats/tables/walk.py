"""The lines of a block walked along field by field, all lines at once: the quick way through plain runs.

Plain are lines whose fields are one blank apart, each line with as many, and that end at once.  Most runs
are, and most of their fields repeat the line before (topic, Q0, run id) or are a few digits: a field is read
from the machine words at its start, its end is the first blank in them, and no list of all blanks is made.
Whatever is not plain is for :mod:`~inexview.core.formats.tables.columns`, which also says what is wrong
with it.

Kept because it was measured: 172,500 results of an FOL run are read in 131 ms instead of 168 (median of 9),
and reading is more than half of what evaluating a hundred runs takes.
"""

from __future__ import annotations

import numpy as np

from inexview.core.errors import InexviewError
from inexview.core.formats.tables.columns import MARGIN
from inexview.core.formats.tables.numbers import parse_floats, short_floats, short_integers
from inexview.core.text.id_columns import Names
from inexview.core.text.spans import Bytes, Floats, Ints, Words

WINDOW = MARGIN  # bytes kept at hand from where a field of uncertain length ended
_ONE = np.uint64(1)
_ONES = np.uint64(0x0101010101010101)
_FIRST_VISIBLE = np.uint64(0x2121212121212121)
_HIGH_BITS = np.uint64(0x8080808080808080)
_LOWEST_BYTE = np.uint64(0xFF)
_BLANK, _ZERO, _NINE, _MINUS = (np.uint64(code) for code in (0x20, 0x30, 9, 0x2D))


class NotPlainError(InexviewError):
    """The lines are not plain: nothing is known yet of whether they are right."""


class Walk:
    """Stands before a field of each of n lines; what reads a field goes on to the next one.

    Every method raises NotPlainError where it cannot go on.  What was read is only right if
    :meth:`finish`, at last, does not.
    """

    def __init__(self, data: Bytes, starts: Ints, ends: Ints) -> None:
        """Take lines ``data[starts[i]:ends[i]]``, each with a newline after it; WINDOW bytes must follow."""
        self._data = data
        self._from_each_byte = np.ndarray((len(data) - WINDOW + 1,), f"S{WINDOW}", data, strides=(1,))
        self._at = starts
        self._ends = ends
        self._window = self._from_each_byte[starts]
        self._shift = 0  # how far into the window the next field starts, on every line

    def same(self, lines: Ints) -> tuple[Names, Ints]:
        """Read a field that seldom changes; return its names where it does, and which of ``lines`` these are.

        It must be as long on every line.
        """
        length = len(self._first_field())
        if not 0 < length < WINDOW:
            raise NotPlainError
        changed = np.zeros(len(self._at) - 1, dtype=bool)
        for at in range(0, length + 1, 8):  # with the blank: a longer name is another one
            word = self._word(at) & np.uint64((1 << 8 * min(length + 1 - at, 8)) - 1)
            changed |= word[1:] != word[:-1]
        rows = np.append(0, np.flatnonzero(changed) + 1)
        starts = (self._at[rows] + self._shift).tolist()
        texts = [self._data[start : start + length + 1].tobytes() for start in starts]
        if any(text.find(b" ") != length for text in texts):
            raise NotPlainError
        self._shift += length + 1
        return Names.of(text[:-1].decode() for text in texts), lines[rows]

    def names(self) -> Names:
        """Read a field of names of up to 23 bytes."""
        words, _ = self._field()
        return Names(np.stack(words, axis=1) if len(words) > 1 else words[0].reshape(-1, 1))

    def rank(self) -> None:
        """Pass by a field that starts with a digit."""
        words, _ = self._field()
        if not ((words[0] & _LOWEST_BYTE) - _ZERO <= _NINE).all():  # what lies below wraps around
            raise NotPlainError

    def integers(self) -> Ints:
        """Read a field of 1 to 8 digits."""
        words, lengths = self._field()
        values, good = short_integers(words[0], lengths)
        if len(words) > 1 or not good.all():
            raise NotPlainError
        return values

    def floats(self) -> Floats:
        """Read a field of finite numbers."""
        words, lengths = self._field()
        if len(words) == 1 and not ((words[0] & _LOWEST_BYTE) == _MINUS).any():
            values, good = short_floats(words[0], lengths)
        else:
            ends = self._at + (self._shift - 1)
            values, good = parse_floats(self._data, ends - lengths, ends)
        if not (good.all() and np.isfinite(values).all()):
            raise NotPlainError
        return values

    def finish(self) -> None:
        """Make sure that every line ends here: then each blank passed by was one blank, and on its line."""
        if not np.array_equal(self._at + (self._shift - 1), self._ends):
            raise NotPlainError

    def _first_field(self) -> bytes:
        """Return the field on the first line."""
        start = int(self._at[0]) + self._shift
        return self._data[start : int(self._ends[0])].tobytes().partition(b" ")[0]

    def _field(self) -> tuple[list[Words], Ints]:
        """Read a field of up to 23 bytes: the words that hold it, zero behind its end, and its length."""
        word, length = _until_blank(self._word(0))
        words = [word]
        if not length.all():
            raise NotPlainError
        while int(length.max()) == 8 * len(words):
            word = self._word(8 * len(words))
            goes_on = (length == 8 * len(words)) & ((word & _LOWEST_BYTE) > _BLANK)
            if not goes_on.any():
                break
            word, more = _until_blank(word)
            words.append(word * goes_on)
            length = length + more * goes_on
        least, most = int(length.min()), int(length.max())
        if least == most:
            self._shift += most + 1
        else:
            self._open_window(self._shift + length + 1)
        return words, length

    def _word(self, at: int) -> Words:
        """Return the eight bytes of each line that are so far into the field."""
        if self._shift + at > WINDOW - 8:
            if at > WINDOW - 16:  # the field is no name
                raise NotPlainError
            self._open_window(self._shift)
        column = np.ndarray((len(self._at),), "<u8", self._window, offset=self._shift + at, strides=(WINDOW,))
        return column.copy()

    def _open_window(self, further: Ints | int) -> None:
        """Open the window again, so far from where it was on each line."""
        self._at = self._at + further
        if int(self._at.max()) > len(self._data) - WINDOW:
            raise NotPlainError
        self._window = self._from_each_byte[self._at]
        self._shift = 0


def _until_blank(words: Words) -> tuple[Words, Ints]:
    """Return the bytes before the first blank of each word, 0 for the others, and how many they are.

    Of the marks that the subtraction leaves, the lowest is always right; the bytes below it are kept.
    """
    marked = (words - _FIRST_VISIBLE) & ~words & _HIGH_BITS
    lowest = marked & (~marked + _ONE)
    kept = (lowest >> np.uint64(7)) - _ONE  # all bits where there is no blank
    count = (kept & _ONES) * _ONES >> np.uint64(56)
    return words & kept, count.view(np.int64)
