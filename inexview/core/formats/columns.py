"""Text tables to numpy columns: fields separated by white space, read a block of bytes at a time.

A run has 10⁵ to 10⁷ lines, so no Python code runs per line. Each block of the file is cut at its white space
into :class:`LineFields`, and a :class:`Column` of fields becomes names or numbers as a whole.

Measured on an FOL run of 172,500 lines (processor, median of 7): 59 ms here, with checks of each field that
name its line; polars 2.1 takes 36 ms to its own columns and 90 ms to numpy's, unchecked, and 182 MB of disk;
csv takes 923 ms.
"""

from __future__ import annotations

from collections.abc import Sequence, Sized
from dataclasses import dataclass
from math import isfinite, nan
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from inexview.core.errors import DataError, DataErrors
from inexview.core.judgements.qrels import NO_BEP, Qrels
from inexview.core.judgements.tables import LARGEST, LONGEST_NAME
from inexview.core.text.spans import Bytes, Floats, Ints, Mask, Names, Words

if TYPE_CHECKING:
    from inexview.core.judgements.elements import ElementPlaces


# Numbers: up to 8 digits of a field are packed into one machine word, and every operation is one numpy call
# on a whole column (SWAR). A field's digits are moved to the top of its word, the last one in the highest
# byte, each as its value 0 … 9; lower bytes are 0, like leading zeros. Other fields (signs, exponents, more
# than 15 digits) are read by Python, and as exact.

_ZEROS = np.uint64(0x3030303030303030)
_NOT_A_DIGIT = np.uint64(0x7676767676767676)
_HIGH_BITS = np.uint64(0x8080808080808080)
_ONES = np.uint64(0x0101010101010101)
_DOTS = np.uint64(0x1E1E1E1E1E1E1E1E)  # "." after the shift that turns digits into 0 … 9
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
        value, good = _value(_digits(load(data, starts), lengths))
        return value.view(np.int64), good & (lengths > 0)
    high, low = _two_words(data, starts, ends, lengths)
    high_value, high_good = _value(high)
    low_value, low_good = _value(low)
    values = high_value * _EIGHT_DIGITS + low_value
    return values.view(np.int64), high_good & low_good & (lengths > 0) & (lengths <= 16)


def parse_floats(data: Bytes, starts: Ints, ends: Ints) -> tuple[Floats, Mask]:
    """Return the values of the fields, correctly rounded, and which of them are numbers.

    Up to 15 digits give an exact double, and so does the power of ten of the point: one division rounds once.
    Python reads all other fields.
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
    """Return the values of digits with at most one point, which have one, and which have this form."""
    if int(lengths.max(initial=0)) <= 8:
        low, fraction, dotted = _without_point(_digits(load(data, starts), lengths))
        mantissa, good = _value(low)
        return mantissa / _POWERS[fraction], dotted, good & (lengths > 0)
    high, low = _two_words(data, starts, ends, lengths)
    low, fraction, dotted = _without_point(low)
    # A point among the last eight digits leaves a gap, which the last digit of the others fills.
    low = np.where(dotted, low | high >> np.uint64(56), low)
    high = np.where(dotted, high << np.uint64(8), high)
    high, high_fraction, high_dotted = _without_point(high)
    high_value, high_good = _value(high)
    low_value, low_good = _value(low)
    fraction = np.where(high_dotted, high_fraction + 8, fraction)
    mantissa = high_value * _EIGHT_DIGITS + low_value
    good = high_good & low_good & ~(dotted & high_dotted) & (lengths > 0) & (lengths <= 16)
    return mantissa / _POWERS[fraction], dotted | high_dotted, good


def _without_point(digits: Words) -> tuple[Words, Ints, Mask]:
    """Remove the first point from each word; return the result, the digits after it, and its positions."""
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
    """Do the same if all fields have as many digits after the point, as in most runs; else return None.

    Values common to all fields are returned as arrays of no dimension.
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

MARGIN = 32  # bytes around a block, because words may be read before or after any field


@dataclass(frozen=True, slots=True)
class LineFields:
    """The fields of a block of n lines that are not blank.

    Field f of line i is in the bytes ``data[before[k] + 1:ends[k]]`` with k = ``first[i] + f``; ``first`` has
    shape (n + 1,), and ``number`` (n,) gives the lines' numbers in the file, from 1.
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
        """Number of fields of each line, shape (n,)."""
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
        """Return which fields begin with a digit."""
        return self.data[self.starts] - ord("0") <= 9  # bytes wrap around

    def integers(self) -> tuple[Ints, Mask]:
        """Return the fields' values, and which of them are nothing but 1 to 16 digits."""
        return parse_integers(self.data, self.starts, self.ends)

    def floats(self) -> tuple[Floats, Mask]:
        """Return the fields' values, correctly rounded, and which of them are numbers."""
        return parse_floats(self.data, self.starts, self.ends)


_KEEP = np.array([(1 << (8 * length)) - 1 for length in range(9)], dtype=np.uint64)


# Problems of a file: errors up to a limit, warnings summed up, and suspicious qrels.

LIMIT = 20
_MOST_KINDS = 50  # of warnings; some files have thousands, with a name in each
_LONGEST_DETAIL = 240  # characters


class Problems:
    """Collects the errors and warnings of one file while it is read."""

    def __init__(self, path: str | Path) -> None:
        self.path = path
        self._errors: list[DataError] = []
        self._warnings: dict[str, list[str]] = {}
        self._counts: dict[str, int] = {}
        self._widths: dict[str, tuple[int, int]] = {}

    def error(
        self, problem: str, *, line: int | None, field: str | None = None, value: str | None = None
    ) -> None:
        """Record an error; the first ``LIMIT`` by line are reported."""
        self._errors.append(DataError(problem, path=self.path, line=line, field=field, value=value))

    def number(self, text: str, problem: str, *, line: int, field: str) -> int | None:
        """Return the number of characters in a text; record an error if it is none, or too large."""
        number = whole_number(text)
        if number is not None and number <= LARGEST:
            return number
        self.error(problem, line=line, field=field, value=text)
        return None

    def score(self, text: str, *, line: int, field: str) -> float:
        """Return the score in a text; record an error if it is none."""
        try:
            score = float(text) if text.isascii() and "_" not in text else nan
        except ValueError:
            score = nan
        if not isfinite(score):
            self.error("is not a finite number", line=line, field=field, value=text)
        return score

    def fields(self, problem: str, field: str, bad: Mask, column: Column, lines: Ints) -> None:
        """Record an error for each field of the column that is marked ``bad``; all of shape (n,)."""
        for row in np.flatnonzero(bad)[: LIMIT + 1].tolist():
            self.error(problem, line=int(lines[row]), field=field, value=column.text(row))

    def warn(self, kind: str, lines: Ints | list[int], details: list[str] | None = None) -> None:
        """Record a warning of a ``kind`` for each of these lines; the first few are listed.

        ``details`` adds a detail for each line. Line 0 stands for no file.
        """
        if not len(lines):
            return
        if kind not in self._warnings and len(self._warnings) >= _MOST_KINDS:
            kind = "this line has further errors"
        listed = self._warnings.setdefault(kind, [])
        self._counts[kind] = self._counts.get(kind, 0) + len(lines)
        for at, line in enumerate(lines[: max(0, 3 - len(listed))]):
            detail = f" ({shortened(details[at])})" if details else ""
            where = f"{self.path}:{int(line)}" if line else f"{self.path}"
            listed.append(f"{where}: {kind}{detail}")

    def note(self, warning: str) -> None:
        """Record a warning that is a complete sentence with the file."""
        self._warnings[warning], self._counts[warning] = [warning], 1

    def widest(self, field: str, longest: int, lines: int) -> bool:
        """Record the longest name of further lines; return whether a column of all names is too large."""
        before, rows = self._widths.get(field, (0, 0))
        width, rows = max(before, longest), rows + lines
        self._widths[field] = width, rows
        return width > _USUAL_NAME and width * rows > _MOST_ROOM

    @property
    def full(self) -> bool:
        """Whether there are more errors than are reported, so that reading can stop."""
        return len(self._errors) > LIMIT

    def check(self) -> None:
        if self._errors:
            self._errors.sort(key=lambda error: error.line or 0)
            raise DataErrors(self._errors[:LIMIT], more=self.full)

    def check_holds(self, content: Sized, what: str) -> None:
        """Raise DataErrors if there were errors, or if the file has no ``content``."""
        self.check()
        if not len(content):
            self.error(f"holds no {what}: the file is empty", line=None)
            self.check()

    @property
    def warnings(self) -> tuple[str, ...]:
        """The warnings: the first of each kind with file and line, and the number of others."""
        sentences = []
        for kind, listed in self._warnings.items():
            sentences += listed
            if self._counts[kind] > len(listed):
                such = "such" if listed[0].startswith(f"{self.path}: ") else "such lines"
                sentences.append(f"{self.path}: {kind}: {self._counts[kind] - len(listed)} more {such}")
        return tuple(sentences)


def shortened(detail: str) -> str:
    """Return a text from a file, or its beginning and end if it is too long for a message."""
    half = _LONGEST_DETAIL // 2
    return detail if len(detail) <= _LONGEST_DETAIL else f"{detail[: half - 1]}…{detail[-half:]}"


def whole_number(text: str) -> int | None:
    """Return the number in a text of 1 to 16 digits, None for any other text."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 16 else None


_USUAL_NAME = 255
_MOST_ROOM = 1 << 29  # bytes of a column, which is as wide as its longest name


def read_names(field: str, column: Column, lines: Ints, problems: Problems) -> Names:
    """Read a column of names; record an error for each that is too long."""
    length = column.ends - column.starts
    longest = int(length.max(initial=0))
    if problems.widest(field, longest, len(lines)):
        row = int(length.argmax())
        problem = f"is {longest} bytes long, too long for an id in such a large file"
        problems.error(problem, line=int(lines[row]), field=field, value=column.text(row))
        column = Column(column.data, column.starts, np.minimum(column.ends, column.starts + _USUAL_NAME))
    if longest > LONGEST_NAME:
        problems.fields(f"is longer than {LONGEST_NAME} bytes", field, length > LONGEST_NAME, column, lines)
        column = Column(column.data, column.starts, np.minimum(column.ends, column.starts + LONGEST_NAME))
    return column.names()


def check_counts(
    field: str, column: Column, values: Ints, good: Mask, lines: Ints, problems: Problems
) -> None:
    """Record an error for each field that is not a count of characters; all arrays of shape (n,)."""
    if not good.all():
        problems.fields("is not a whole number of characters", field, ~good, column, lines)
    if values.max(initial=0) > LARGEST:
        problems.fields(
            f"is larger than any document ({LARGEST})", field, good & (values > LARGEST), column, lines
        )


# Suspicious qrels are read with a warning.

BARE_ENTRY = "there is a best entry point, but no passage"
ENTRY_BEYOND = "the best entry point lies past the end of the document"
OTHER_SIZE = "rsize is not the sum of the passages' lengths"
OVERLAP = "passages overlap"
LARGER_SIZE = "rsize is larger than the document's length"
PASSAGE_BEYOND = "a passage runs past the end of the document"


def without_repeats(qrels: Qrels, problems: Problems) -> Qrels:
    """Drop repeated judgements; refuse those that contradict an earlier one."""
    first = qrels.keys.first_equal()
    again = np.flatnonzero(first != np.arange(len(qrels)))
    if not len(again):
        return qrels
    for row in again.tolist():
        if qrels.at(row) != qrels.at(int(first[row])):
            line = int(qrels.line[first[row]])
            problems.error(
                f"document {qrels.document[row]} of topic {qrels.topics[qrels.topic[row]]} "
                f"was judged differently on line {line}",
                line=int(qrels.line[row]),
            )
            if problems.full:
                break
    problems.check()
    problems.warn("this judgement is repeated", qrels.line[again])
    return qrels.take(np.flatnonzero(first == np.arange(len(qrels))))


def warn_of_sizes(qrels: Qrels, problems: Problems) -> None:
    """Warn if rsize, the passages' lengths and the document's length do not agree."""
    sums = np.append(0, np.cumsum(qrels.ends - qrels.starts))
    listed = sums[qrels.ptr[1:]] - sums[qrels.ptr[:-1]]
    bare = (qrels.bep != NO_BEP) & (qrels.ptr[1:] == qrels.ptr[:-1])
    problems.warn(BARE_ENTRY, qrels.line[bare])
    wrong = np.flatnonzero((qrels.rsize != listed) & ~bare)
    details = [f"{qrels.rsize[row]} and {listed[row]}" for row in wrong[:3].tolist()]
    problems.warn(OTHER_SIZE, qrels.line[wrong], details)
    large = np.flatnonzero(qrels.rsize > qrels.length)
    details = [f"{qrels.rsize[row]} and {qrels.length[row]}" for row in large[:3].tolist()]
    problems.warn(LARGER_SIZE, qrels.line[large], details)


def warn_of_passages(qrels: Qrels, problems: Problems) -> None:
    """Warn of passages that overlap, and of places past the end of their document."""
    late = (qrels.length > 0) & (qrels.bep >= qrels.length)
    problems.warn(ENTRY_BEYOND, qrels.line[late])
    row = np.repeat(np.arange(len(qrels)), np.diff(qrels.ptr))
    beyond = np.zeros(len(qrels), dtype=bool)
    beyond[row[qrels.ends > qrels.length[row]]] = True
    problems.warn(PASSAGE_BEYOND, qrels.line[beyond])
    starts, ends = qrels.starts, qrels.ends
    empty = ends == starts
    if empty.any():
        problems.warn("a passage of length 0: ignored", qrels.line[np.unique(row[empty])])
        starts, ends, row = starts[~empty], ends[~empty], row[~empty]
    if np.any((row[1:] == row[:-1]) & (starts[1:] < ends[:-1])):  # they overlap, or are not in order
        order = np.lexsort((starts, row))
        starts, ends, row = starts[order], ends[order], row[order]
        overlaps = np.zeros(len(qrels), dtype=bool)
        overlaps[row[1:][(row[1:] == row[:-1]) & (starts[1:] < ends[:-1])]] = True
        problems.warn(OVERLAP, qrels.line[overlaps])


# Elements and points that runs name: located, with a warning for each that does not exist.

NEEDS_ARTICLES = "names elements: give the articles with --collection"
"""The error of a run of elements that is read without a collection."""


class Locate(Protocol):
    """Finds elements and points: a :class:`~inexview.core.judgements.elements.Locator`."""

    def places(
        self, documents: Sequence[str], firsts: Sequence[str], lasts: Sequence[str], *, strip: bool = False
    ) -> ElementPlaces:
        """Return the places between n pairs of points, each in its document."""


def located(
    locate: Locate,
    documents: Sequence[str],
    firsts: Sequence[str],
    lasts: Sequence[str],
    lines: Ints,
    problems: Problems,
    *,
    strip: bool = False,
) -> tuple[Ints, Ints]:
    """Return the starts and lengths of n passages between two points, each of shape (n,).

    ``strip``: points do not count text nodes of white space only.

    A path that does not exist is an unknown passage, with a warning that names its line; so are all results
    in an article that cannot be read, with one warning for the article.
    """
    places = locate.places(documents, firsts, lasts, strip=strip)

    def written(row: int) -> str:
        between = firsts[row] if firsts[row] == lasts[row] else f"{firsts[row]} … {lasts[row]}"
        return f"{documents[row]} {between}"

    lost: list[int] = []
    of_article: dict[str, int] = {}
    for row in np.flatnonzero(~places.found).tolist():
        if documents[row] in places.unreadable:
            of_article.setdefault(documents[row], row)
        else:
            lost.append(row)
    problems.warn(
        "an article cannot be read; its passages are unknown",
        lines[list(of_article.values())],
        [places.unreadable[document] for document in of_article],
    )
    nothing = "a path matches nothing in the article: an unknown passage"
    problems.warn(nothing, lines[lost], list(map(written, lost)))
    skipping = np.flatnonzero(places.skipping)
    without = "a path matched only after skipping the semantic elements of 2009"
    problems.warn(without, lines[skipping], list(map(written, skipping.tolist())))
    return places.start, places.size
