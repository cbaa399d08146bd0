"""What is wrong with a file: errors up to a limit, warnings summed up, and what looks wrong in qrels."""

from __future__ import annotations

from collections.abc import Sequence, Sized
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from inexview.core.errors import DataError, DataErrors
from inexview.core.formats.columns import Column
from inexview.core.judgements.qrels import NO_BEP, Qrels
from inexview.core.text.id_columns import Names
from inexview.core.text.spans import Ints, Mask

if TYPE_CHECKING:
    from inexview.core.judgements.element_lookup import ElementPlaces


LIMIT = 20
_MOST_KINDS = 50  # of warnings; a file that gives a name to each has thousands
_LONGEST_DETAIL = 240  # characters
LARGEST = 10**12
"""No offset or length may be larger: a document of 10¹² characters is an error."""


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
        """Note an error; the first ``LIMIT`` by line are reported."""
        self._errors.append(DataError(problem, path=self.path, line=line, field=field, value=value))

    def fields(self, problem: str, field: str, bad: Mask, column: Column, lines: Ints) -> None:
        """Note an error for each field of the column that is marked ``bad``; all of shape (n,)."""
        for row in np.flatnonzero(bad)[: LIMIT + 1].tolist():
            self.error(problem, line=int(lines[row]), field=field, value=column.text(row))

    def warn(self, kind: str, lines: Ints | list[int], details: list[str] | None = None) -> None:
        """Note a warning that ``kind`` describes, for each of these lines; the first few are listed.

        ``details`` adds a detail for each line.  Line 0 means that it is from no file.
        """
        if not len(lines):
            return
        if kind not in self._warnings and len(self._warnings) >= _MOST_KINDS:
            kind = "more is wrong with this line, of other kinds"
        listed = self._warnings.setdefault(kind, [])
        self._counts[kind] = self._counts.get(kind, 0) + len(lines)
        for at, line in enumerate(lines[: max(0, 3 - len(listed))]):
            detail = f" ({shortened(details[at])})" if details else ""
            where = f"{self.path}:{int(line)}" if line else f"{self.path}"
            listed.append(f"{where}: {kind}{detail}")

    def note(self, warning: str) -> None:
        """Note a warning that is a sentence of its own, file included."""
        self._warnings[warning], self._counts[warning] = [warning], 1

    def widest(self, field: str, longest: int, lines: int) -> bool:
        """Note the longest name of further lines; return whether a column of all names is too large."""
        before, rows = self._widths.get(field, (0, 0))
        width, rows = max(before, longest), rows + lines
        self._widths[field] = width, rows
        return width > _USUAL_NAME and width * rows > _MOST_ROOM

    @property
    def full(self) -> bool:
        """Whether there are more errors than are reported, so that reading can stop."""
        return len(self._errors) > LIMIT

    def check(self) -> None:
        """Raise DataErrors if there were errors."""
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


LONGEST_NAME = 1 << 12  # bytes
_USUAL_NAME = 255
_MOST_ROOM = 1 << 29  # bytes of a column, which is as wide as its longest name


def read_names(field: str, column: Column, lines: Ints, problems: Problems) -> Names:
    """Read a column of names; note an error for each that is too long."""
    length = column.ends - column.starts
    longest = int(length.max(initial=0))
    if problems.widest(field, longest, len(lines)):
        row = int(length.argmax())
        problem = f"is {longest} bytes long, too long for an id of so large a file"
        problems.error(problem, line=int(lines[row]), field=field, value=column.text(row))
        column = Column(column.data, column.starts, np.minimum(column.ends, column.starts + _USUAL_NAME))
    if longest > LONGEST_NAME:
        problems.fields(f"is longer than {LONGEST_NAME} bytes", field, length > LONGEST_NAME, column, lines)
        column = Column(column.data, column.starts, np.minimum(column.ends, column.starts + LONGEST_NAME))
    return column.names()


def check_counts(
    field: str, column: Column, values: Ints, good: Mask, lines: Ints, problems: Problems
) -> None:
    """Note an error for each field that is not a count of characters; all arrays of shape (n,)."""
    if not good.all():
        problems.fields("is not a whole number of characters", field, ~good, column, lines)
    if values.max(initial=0) > LARGEST:
        problems.fields(
            f"is larger than any document ({LARGEST})", field, good & (values > LARGEST), column, lines
        )


# Qrels: what looks wrong is a warning, and is read all the same.

BARE_ENTRY = "a best entry point, and no passage"
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
    problems.warn("this judgement is in the file twice", qrels.line[again])
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
        problems.warn("a passage without characters", qrels.line[np.unique(row[empty])])
        starts, ends, row = starts[~empty], ends[~empty], row[~empty]
    if np.any((row[1:] == row[:-1]) & (starts[1:] < ends[:-1])):  # they overlap, or are not in order
        order = np.lexsort((starts, row))
        starts, ends, row = starts[order], ends[order], row[order]
        overlaps = np.zeros(len(qrels), dtype=bool)
        overlaps[row[1:][(row[1:] == row[:-1]) & (starts[1:] < ends[:-1])]] = True
        problems.warn(OVERLAP, qrels.line[overlaps])


# Elements and points that runs name: looked up, with a warning for each that leads to nothing.

NEEDS_ARTICLES = "names elements: give the articles with --collection"
"""The error of a run of elements that is read without a collection."""


class Locate(Protocol):
    """What finds elements and points: a :class:`~inexview.core.judgements.element_lookup.Locator`."""

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
    """Return where n passages between two points start and how long they are, each of shape (n,).

    ``strip``: points do not count text nodes of white space only.

    A path that leads to nothing is an unknown passage, with a warning that names its line; so are all results
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
        "an article cannot be read: an unknown passage each time that it is named",
        lines[list(of_article.values())],
        [places.unreadable[document] for document in of_article],
    )
    nothing = "a path leads to nothing in the article: an unknown passage"
    problems.warn(nothing, lines[lost], list(map(written, lost)))
    skipping = np.flatnonzero(places.skipping)
    without = "a path was found only by leaving out the semantic elements of 2009"
    problems.warn(without, lines[skipping], list(map(written, skipping.tolist())))
    return places.start, places.size
