"""Text tables to numpy columns: fields separated by white space, read a block of bytes at a time.

A run has 10⁵ to 10⁷ lines, so nothing here is done per line in Python.  Each block of the file is cut at its
white space into :class:`LineFields`, and a :class:`Column` of fields becomes names or numbers as a whole.
Blocks of plain lines are read field by field instead (:class:`Walk`).

Measured on an FOL run of 172,500 lines (processor, median of 7): 59 ms here, each field checked and named by
its line; polars 2.1 takes 36 ms to its own columns and 90 to numpy's, unchecked, and 182 MB of disk; csv 923.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from inexview.core.errors import InexviewError
from inexview.core.text.id_columns import Names
from inexview.core.text.spans import Bytes, Floats, Ints, Mask, Words

# Numbers: the up to 8 digits of a field lie side by side in one machine word, and every operation is one
# numpy call on a whole column (SWAR).  A field's digits are moved to the top of its word, the last one in the
# highest byte, each as its value 0 … 9; bytes below are 0, as leading zeros.  What does not fit (signs,
# exponents, more than 15 digits) is read by Python, and so is as exact.

_ZEROS = np.uint64(0x3030303030303030)
_NOT_A_DIGIT = np.uint64(0x7676767676767676)
_HIGH_BITS = np.uint64(0x8080808080808080)
_ONES = np.uint64(0x0101010101010101)
_DOTS = np.uint64(0x1E1E1E1E1E1E1E1E)  # "." as it looks where digits look like 0 … 9
_TWOS = np.uint64(0x00FF00FF00FF00FF)
_FOURS = np.uint64(0x0000FFFF0000FFFF)
_TO_FRACTION = np.uint64(0x0706050403020100)
_EIGHT_DIGITS = np.uint64(10**8)
_MINUS = ord("-")
_POWERS = 10.0 ** np.arange(16)


def load(data: Bytes, starts: Ints) -> Words:
    """Return the 8 bytes from each start as a word, the first byte lowest."""
    at_every_byte = np.ndarray((len(data) - 7,), "S8", data, strides=(1,))
    return at_every_byte[starts].view("<u8")


def parse_integers(data: Bytes, starts: Ints, ends: Ints) -> tuple[Ints, Mask]:
    """Return the values of the fields, and which of them are nothing but 1 to 16 digits."""
    lengths = ends - starts
    if int(lengths.max(initial=0)) <= 8:
        return short_integers(load(data, starts), lengths)
    high, low = _two_words(data, starts, ends, lengths)
    high_value, high_good = _value(high)
    low_value, low_good = _value(low)
    values = high_value * _EIGHT_DIGITS + low_value
    return values.view(np.int64), high_good & low_good & (lengths > 0) & (lengths <= 16)


def short_integers(words: Words, lengths: Ints) -> tuple[Ints, Mask]:
    """Return the values of fields of up to 8 characters at the start of words, and which are digits."""
    value, good = _value(_digits(words, lengths))
    return value.view(np.int64), good & (lengths > 0)


def short_floats(words: Words, lengths: Ints) -> tuple[Floats, Mask]:
    """Return the values of fields of up to 8 characters, and which are digits with at most one point."""
    values, dotted, good = _short_decimals(words, lengths)
    return values, good & (lengths > dotted)


def parse_floats(data: Bytes, starts: Ints, ends: Ints) -> tuple[Floats, Mask]:
    """Return the values of the fields, correctly rounded, and which of them are numbers.

    Up to 15 digits make an exact double, and so does the power of ten that the point stands for: one
    division rounds once.  Fields of any other form are left to Python.
    """
    negative = data[starts] == _MINUS
    lengths = ends - starts - negative
    values, dotted, good = _decimals(data, starts + negative, ends, lengths)
    good &= (lengths - dotted >= 1) & (lengths - dotted <= 15)
    np.negative(values, out=values, where=negative)
    other = np.flatnonzero(~good)
    if len(other):
        values[other], good[other] = _read_by_python(data, starts[other], ends[other])
    return values, good


def _digits(words: Words, lengths: Ints) -> Words:
    """Move the first ``lengths`` (1 … 8) characters to the top of their words, as digits."""
    return (words ^ _ZEROS) << ((8 - lengths) * 8 & 63).astype(np.uint64)


def _two_words(data: Bytes, starts: Ints, ends: Ints, lengths: Ints) -> tuple[Words, Words]:
    """Return the digits of fields of up to 16 characters: those before the last eight, and the last eight."""
    first = load(data, starts)
    long = lengths > 8
    low = np.where(long, load(data, ends - 8) ^ _ZEROS, _digits(first, np.minimum(lengths, 8)))
    high = np.where(long, _digits(first, np.clip(lengths - 8, 1, 8)), np.uint64(0))
    return high, low


def _value(digits: Words) -> tuple[Words, Mask]:
    """Return the numbers that eight digits make, and where they are digits."""
    good = (((digits + _NOT_A_DIGIT) | digits) & _HIGH_BITS) == 0
    digits = (digits * np.uint64(10 << 8 | 1)) >> np.uint64(8) & _TWOS
    digits = (digits * np.uint64(100 << 16 | 1)) >> np.uint64(16) & _FOURS
    return (digits * np.uint64(10000 << 32 | 1)) >> np.uint64(32), good


def _decimals(data: Bytes, starts: Ints, ends: Ints, lengths: Ints) -> tuple[Floats, Mask, Mask]:
    """Return the values of digits with at most one point, which have one, and which are of that form."""
    if int(lengths.max(initial=0)) <= 8:
        return _short_decimals(load(data, starts), lengths)
    high, low = _two_words(data, starts, ends, lengths)
    low, fraction, dotted = _without_point(low)
    # A point among the last eight leaves a gap, which the last of the others fills.
    low = np.where(dotted, low | high >> np.uint64(56), low)
    high = np.where(dotted, high << np.uint64(8), high)
    high, high_fraction, high_dotted = _without_point(high)
    high_value, high_good = _value(high)
    low_value, low_good = _value(low)
    fraction = np.where(high_dotted, high_fraction + 8, fraction)
    mantissa = high_value * _EIGHT_DIGITS + low_value
    good = high_good & low_good & ~(dotted & high_dotted) & (lengths > 0) & (lengths <= 16)
    return mantissa / _POWERS[fraction], dotted | high_dotted, good


def _short_decimals(words: Words, lengths: Ints) -> tuple[Floats, Mask, Mask]:
    """Do the same for fields of up to 8 characters, at the start of words."""
    low, fraction, dotted = _without_point(_digits(words, lengths))
    mantissa, good = _value(low)
    return mantissa / _POWERS[fraction], dotted, good & (lengths > 0)


def _without_point(digits: Words) -> tuple[Words, Ints, Mask]:
    """Take the first point out of each word; return what is left, the digits after it, and where it was."""
    same = _without_point_at_one_place(digits)
    if same is not None:
        return same
    marked = digits ^ _DOTS
    zero_bytes = (marked - _ONES) & ~marked & _HIGH_BITS
    point = zero_bytes & (~zero_bytes + np.uint64(1))  # the lowest one, which is always right
    below = (point >> np.uint64(7)) - np.uint64(1)
    above = ~((point << np.uint64(1)) - np.uint64(1))
    dotted = point != 0
    closed = np.where(dotted, (digits & below) << np.uint64(8) | digits & above, digits)
    return closed, ((point >> np.uint64(7)) * _TO_FRACTION >> np.uint64(56)).view(np.int64), dotted


def _without_point_at_one_place(digits: Words) -> tuple[Words, Ints, Mask] | None:
    """Do the same where all fields have as many digits after the point, as in most runs; else return None.

    What is the same for all comes in arrays of no dimension.
    """
    place = digits[:1].tobytes().find(0x1E)
    if place < 0 or not ((digits >> np.uint64(8 * place) & np.uint64(0xFF)) == 0x1E).all():
        return None
    below = np.uint64((1 << 8 * place) - 1)
    above = np.uint64((1 << 64) - (1 << 8 * place + 8))
    closed = (digits & below) << np.uint64(8) | digits & above
    return closed, np.array(7 - place), np.array(True)


def _read_by_python(data: Bytes, starts: Ints, ends: Ints) -> tuple[Floats, Mask]:
    values = np.full(len(starts), np.nan)
    good = np.zeros(len(starts), dtype=bool)
    for at, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
        text = bytes(data[start:end])
        try:
            values[at] = float(text)
        except ValueError:
            continue
        good[at] = text.isascii() and b"_" not in text
    return values, good


# Fields.

MARGIN = 32  # bytes around a block: words may be read before or after any field


@dataclass(frozen=True, slots=True)
class LineFields:
    """The fields of a block of n lines that are not blank.

    Field f of line i holds the bytes ``data[before[k] + 1:ends[k]]`` with k = ``first[i] + f``; ``first``
    has shape (n + 1,) and ``number`` (n,) gives the lines' numbers in the file, from 1.
    """

    data: Bytes
    before: Ints
    ends: Ints
    first: Ints
    number: Ints
    width: int | None = None
    """The number of fields of every line, if all have equally many."""

    def __len__(self) -> int:
        return len(self.number)

    @property
    def counts(self) -> Ints:
        """How many fields each line has, shape (n,)."""
        return np.diff(self.first)

    def column(self, at: int, lines: Ints | slice = slice(None)) -> Column:
        """Return field ``at`` of the given lines, each of which must have it."""
        if self.width is not None and isinstance(lines, slice):
            own = slice(at, None, self.width)
            return Column(self.data, self.before[own][lines] + 1, self.ends[own][lines])
        return self.fields(self.first[:-1][lines] + at)

    def fields(self, places: Ints) -> Column:
        """Return any fields, by their index among all fields of the block."""
        return Column(self.data, self.before[places] + 1, self.ends[places])


@dataclass(frozen=True, slots=True)
class Column:
    """n fields of a block, at ``data[starts[i]:ends[i]]``."""

    data: Bytes
    starts: Ints
    ends: Ints

    def __len__(self) -> int:
        return len(self.starts)

    def text(self, at: int) -> str:
        return bytes(self.data[self.starts[at] : self.ends[at]]).decode("utf-8", "replace")

    def texts(self) -> list[str]:
        """Return all fields as they are in the file."""
        data = self.data.tobytes()
        edges = zip(self.starts.tolist(), self.ends.tolist(), strict=True)
        return [data[start:end].decode("utf-8", "replace") for start, end in edges]

    def take(self, rows: Ints | Mask) -> Column:
        return Column(self.data, self.starts[rows], self.ends[rows])

    def equals(self, text: bytes) -> Mask:
        """Return which fields equal this text of at most 8 bytes."""
        word = np.frombuffer(text.ljust(8, b"\0"), "<u8")[0]
        length = self.ends - self.starts
        same: Mask = load(self.data, self.starts) & _KEEP[len(text)] == word
        same &= length == len(text)
        return same

    def names(self) -> Names:
        lengths = self.ends - self.starts
        longest = int(lengths.max(initial=1))
        if int(lengths.min(initial=longest)) == longest <= 8:
            return Names((load(self.data, self.starts) & _KEEP[longest]).reshape(-1, 1))
        width = -(-longest // 8)
        words = np.empty((len(self), width), dtype=np.uint64)
        for at in range(width):
            kept = lengths if width == 1 else np.clip(lengths - 8 * at, 0, 8)
            words[:, at] = load(self.data, np.minimum(self.starts + 8 * at, self.ends)) & _KEEP[kept]
        return Names(words)

    def digits_first(self) -> Mask:
        """Tell which fields begin with a digit."""
        return self.data[self.starts] - ord("0") <= 9  # bytes wrap around

    def integers(self) -> tuple[Ints, Mask]:
        """Return the fields' values, and which of them are nothing but 1 to 16 digits."""
        return parse_integers(self.data, self.starts, self.ends)

    def floats(self) -> tuple[Floats, Mask]:
        """Return the fields' values, correctly rounded, and which of them are numbers."""
        return parse_floats(self.data, self.starts, self.ends)


_KEEP = np.array([(1 << (8 * length)) - 1 for length in range(9)], dtype=np.uint64)


# Plain lines, walked along field by field, all lines at once.
#
# Plain are lines whose fields are one blank apart, each line with as many, and that end at once. Most runs
# are, and most of their fields repeat the line before (topic, Q0, run id) or are a few digits: a field is
# read from the machine words at its start, its end is the first blank in them, and no list of all blanks is
# made. All other lines are for `LineFields`, which also names their errors.
#
# 172,500 results of an FOL run are read in 131 ms instead of 168 (median of 9), and reading is more than half
# of what evaluating a hundred runs takes.

WINDOW = MARGIN  # bytes kept at hand from where a field of uncertain length ended
_ONE = np.uint64(1)
_FIRST_VISIBLE = np.uint64(0x2121212121212121)
_LOWEST_BYTE = np.uint64(0xFF)
_BLANK, _ZERO, _NINE, _MINUS_BYTE = (np.uint64(code) for code in (0x20, 0x30, 9, 0x2D))


class NotPlainError(InexviewError):
    """The lines are not plain; they may still be right."""


class Walk:
    """Reads n lines field by field, all at once.

    A method raises NotPlainError if it cannot read the field.  The fields are right only if :meth:`finish`
    does not raise it.
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
        """Read a field that seldom changes; return its names where it changes, and those of ``lines``.

        It must have the same length on every line.
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
        """Skip a field that starts with a digit."""
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
        if len(words) == 1 and not ((words[0] & _LOWEST_BYTE) == _MINUS_BYTE).any():
            values, good = short_floats(words[0], lengths)
        else:
            ends = self._at + (self._shift - 1)
            values, good = parse_floats(self._data, ends - lengths, ends)
        if not (good.all() and np.isfinite(values).all()):
            raise NotPlainError
        return values

    def finish(self) -> None:
        """Check that every line ends here: then all fields were separated by one blank, on the same line."""
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
        """Return eight bytes of each line, from the byte ``at`` of the field."""
        if self._shift + at > WINDOW - 8:
            if at > WINDOW - 16:  # the field is no name
                raise NotPlainError
            self._open_window(self._shift)
        column = np.ndarray((len(self._at),), "<u8", self._window, offset=self._shift + at, strides=(WINDOW,))
        return column.copy()

    def _open_window(self, further: Ints | int) -> None:
        """Move the window of each line ``further``."""
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
