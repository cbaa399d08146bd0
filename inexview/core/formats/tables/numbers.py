"""Columns of numbers, parsed as machine words: the up to 8 digits of a field lie side by side in one.

Every operation here is one numpy call on a whole column (SWAR).  A field's digits are moved to the top of
its word, the last one in the highest byte, each as its value 0 … 9; bytes below are 0, as leading zeros.
What does not fit (signs, exponents, more than 15 digits) is read by Python, and so is as exact.
"""

from __future__ import annotations

import numpy as np

from inexview.core.text.spans import Bytes, Floats, Ints, Mask, Words

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
