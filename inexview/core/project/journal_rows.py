"""The rows of the journal: their values and digests, and reading of damaged files."""

from __future__ import annotations

import contextlib
import errno
import json
import secrets
import shutil
import sqlite3
import stat
import struct
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from inexview.core.errors import BusyError, DiskFullError, ProjectError
from inexview.core.text.search import Quote, Span
from inexview.core.text.spans import Spans

# Strict reading of a row's values: a value of another kind raises ValueError with a sentence.
#
# A project may come from anywhere, and is not trusted more than any other file.

NO_MORE = Quote("", "")[3:]
Quotes = tuple[tuple[int, int, Quote], ...]  # start, end, text
LARGEST = 1 << 62  # offsets are stored in arrays of 64 bits
_MOST = sys.float_info.max


def spans_from(listed: Iterable[Any]) -> tuple[Span, ...]:
    spans = []
    for start, end in listed:
        if type(start) is not int or type(end) is not int or not 0 <= start <= end <= LARGEST:
            raise ValueError(f"[{start!r}, {end!r}) is not a passage")
        spans.append((start, end))
    return tuple(spans)


def whole(value: object, name: str) -> int:
    """Return a whole number from 0 on."""
    if type(value) is not int or not 0 <= value <= LARGEST:
        raise ValueError(f"{name} is {value!r}, and no whole number")
    return value


def whole_or_none(value: object, name: str) -> int | None:
    """Return a whole number from 0 on, or None."""
    return None if value is None else whole(value, name)


def truth(value: object, name: str) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{name} is {value!r}, and neither true nor false")
    return value


def number(value: object, name: str) -> float:
    """Return a finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not -_MOST <= value <= _MOST:
        raise ValueError(f"{name} is {value!r:.40}, and no number")
    return value


def text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{name} is {value!r}, and no text")
    return value


def text_or_none(value: object, name: str) -> str | None:
    return None if value is None else text(value, name)


def quotes_content(quotes: Quotes) -> dict[str, Any]:
    """Return the row content of quotes; fields that older programs do not know are separate."""
    content: dict[str, Any] = {
        "quotes": [[start, end, quote.first, quote.last] for start, end, quote in quotes]
    }
    if any(quote.digest for _, _, quote in quotes):
        content["digests"] = [quote.digest for _, _, quote in quotes]
    if any(quote[3:] != NO_MORE for _, _, quote in quotes):
        content["places"] = [quote[3:] for _, _, quote in quotes]
    return content


def quotes_from(content: Mapping[str, Any]) -> Quotes:
    """Return the quotes of a row's content; those of older projects lack digests, or places."""
    listed = content["quotes"]
    digests = content.get("digests") or [""] * len(listed)
    places = content.get("places") or [NO_MORE] * len(listed)
    quotes = []
    for (start, end, first, last), digest, (others, lead, trail) in zip(listed, digests, places, strict=True):
        if not (isinstance(first, str) and isinstance(last, str) and isinstance(digest, str)):
            raise ValueError(f"[{start!r}, {end!r}) is quoted with something that is not a text")
        if not all(
            type(count) is int and count >= least for count, least in ((others, -1), (lead, 0), (trail, 0))
        ):
            raise ValueError(f"[{start!r}, {end!r}) has places that are not numbers")
        quotes.append((start, end, Quote(first, last, digest, others, lead, trail)))
    spans_from((start, end) for start, end, _ in quotes)
    return tuple(quotes)


SIZE = 16
START = bytes(SIZE)
NULL, SEPARATOR = b"\x1e", b"\x1f"
_DECODER = json.JSONDecoder()
as_json: Callable[[Any], str] = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
"""Writes the content of a row; ``json.dumps`` would make an encoder for each."""


class DamagedRowError(ProjectError):
    """An invalid row of a journal; it knows its number, but not its file."""


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Add the file to errors about damaged rows."""
    try:
        yield
    except DamagedRowError as error:
        raise ProjectError(f"{path}: {error}") from error


class Row(NamedTuple):
    """A stored row of the journal; ``content`` is JSON text, ``seq`` counts from 1."""

    seq: int
    id: str
    time: str
    assessor: str
    topic: str | None
    document: str | None
    action: str
    step: str | None
    content: str

    def values(self) -> dict[str, Any]:
        """Return the content; raises ProjectError if it is not a JSON object."""
        try:
            values, end = _DECODER.raw_decode(self.content)  # half the time of json.loads, 100,000 times
        except (ValueError, RecursionError) as error:
            raise self.damaged("its content is not JSON") from error
        if not isinstance(values, dict) or end != len(self.content):
            raise self.damaged("its content is not a JSON object")
        return values

    def damaged(self, problem: str) -> DamagedRowError:
        """Return the error that this row is invalid."""
        return DamagedRowError(
            f"the project is damaged: row {self.seq} ({self.action}) cannot be read, {problem}; "
            "nothing was changed; `inexview restore` lists the copies of the project"
        )


as_row: Callable[[Sequence[Any]], Row] = partial(tuple.__new__, Row)
"""Makes a row of its nine values in a third of the time of ``Row._make``: opening makes all of them."""

StoredRow = tuple[Any, ...]
"""The stored values of a row, the digest of the row before, and its own digest."""
NotedRow = tuple[int, str | None, str | None, str, str | None, bytes]
"""Number, topic, document, action and step of a row, and its digest."""
COLUMNS = ", ".join((*Row._fields, "before", "digest"))


def values_of(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the content of each row; raises ProjectError if one is not a JSON object."""
    listed: list[dict[str, Any]] = []
    with contextlib.suppress(ValueError, RecursionError):
        listed = json.loads(f"[{','.join([row.content for row in rows])}]")  # half the time of one by one
    if len(listed) == len(rows) and all(isinstance(values, dict) for values in listed):
        return listed
    return [row.values() for row in rows]


@dataclass(slots=True)
class BulkStep:
    """A step of several documents, perhaps written in parts, whose rows share its ``id``."""

    documents: int
    """The number of documents at its start."""
    id: str = ""

    def content(self) -> dict[str, int]:
        """Return the content about the step in each of its rows."""
        return {"documents": self.documents} if self.documents > 1 else {}

    def named(self, identifiers: Sequence[str]) -> str | None:
        """Return the step's id for the rows with these identifiers; None for a single document."""
        if not self.id and self.documents > 1:
            self.id = identifiers[0]
        return self.id or None


class Identifiers:
    """Makes identifiers (UUID version 7), each greater than the one before, even if the clock is set back."""

    def __init__(self) -> None:
        self._last = 0

    def new(self) -> str:
        """Return a new identifier, 36 characters: RFC 9562, section 6.2, method 3 (12 bits below the ms)."""
        nanoseconds = time.time_ns()
        milliseconds, rest = divmod(nanoseconds, 1_000_000)
        ticks = max(milliseconds << 12 | (rest << 12) // 1_000_000, self._last + 1)
        self._last = ticks
        bits = (ticks >> 12) << 80 | 0x7 << 76 | (ticks & 0xFFF) << 64 | 0b10 << 62 | secrets.randbits(62)
        said = f"{bits:032x}"  # half the time of a UUID, of which a bulk step makes 100,000
        return f"{said[:8]}-{said[8:12]}-{said[12:16]}-{said[16:20]}-{said[20:]}"


def row_digest(before: bytes, row: tuple[Any, ...]) -> bytes:
    """Return the digest of a row from that of the row before; raises UnicodeEncodeError.

    A digest is BLAKE2b over 16 bytes: of the digest before (16 zero bytes for the first row) and, as UTF-8,
    of the row's nine values joined by U+001F, with U+001E for NULL. Reading the journal once then detects a
    flipped bit, a missing row and an inserted row; each row can also be checked alone.
    """
    return encoded_digest(before, [NULL if value is None else str(value).encode() for value in row])


def encoded_digest(before: bytes, values: Iterable[bytes]) -> bytes:
    """Return the digest of a row of bytes, as SQLite gives them; raises UnicodeDecodeError."""
    said = SEPARATOR.join(values)
    said.decode()  # detects invalid text now instead of on reading
    return blake2b(before + said, digest_size=SIZE).digest()


class _Texts(dict[bytes | None, str | None]):
    """UTF-8 decoded with a cache, because the same few ids and names repeat."""

    def __missing__(self, encoded: bytes) -> str:
        text = self[encoded] = encoded.decode()
        return text


def checked_rows(connection: sqlite3.Connection, last: int, digest: bytes) -> Iterator[NotedRow | None]:
    """Yield the subject of each row after the last one, None for a row with a wrong digest.

    Each opening reads 100,000 rows like this: as bytes, of which only yielded values are decoded.
    """
    text = _Texts({None: None})
    connection.text_factory = bytes
    try:
        rows = connection.execute(f"SELECT {COLUMNS} FROM journal WHERE seq > ? ORDER BY seq", (last,))
        for seq, id, time, assessor, topic, document, action, step, content, before, own in rows:
            said = (
                b"%d" % seq,
                id,
                time,
                assessor,
                NULL if topic is None else topic,
                NULL if document is None else document,
                action,
                NULL if step is None else step,
                content,
            )
            if seq != last + 1 or before != digest or encoded_digest(before, said) != own:
                yield None
                return
            last, digest = seq, own
            yield seq, text[topic], text[document], action.decode(), text[step], own
    finally:
        connection.text_factory = str


# The reading of a document: where the assessor stopped, and how long it was open.

OPENED = "opened"
LEFT = "left"
AWAY = "away"
BACK = "back"
INSPECTED = "inspected"
SUGGESTED = "suggested"
READING = frozenset((OPENED, LEFT, AWAY, BACK, INSPECTED, SUGGESTED))
"""Actions that record reading of a document, and no judgement."""
_NEVER = datetime.min.replace(tzinfo=UTC)


class ReadingHistory:
    """The reading of one document for one topic, computed from all rows about it.

    Time counts from "opened" to "left" or, if the program died, to the last action. Time from "away" until
    "back" or the next action does not count, nor do the seconds before "away" that it names.
    """

    __slots__ = ("_away", "_ended", "_left", "_opened", "_seen")

    def __init__(self) -> None:
        self._away = False
        self._ended = 0.0
        self._opened: datetime | None = None
        self._seen = _NEVER
        self._left: Row | None = None

    def take(self, row: Row) -> None:
        """Apply the next row about the document; raises DamagedRowError if it is invalid."""
        time = _time(row)
        if not self._away and row.action not in READING:  # like most rows, of which a day has 10,000
            self._see(time)
            return
        if row.action in (OPENED, BACK) or (self._away and row.action not in (LEFT, AWAY)):
            self._end()
            self._opened = self._seen = time
            self._away = False
        self._see(time)
        if row.action == LEFT:
            self._left, self._away = row, False
            self._end()
        elif row.action == AWAY and self._opened:
            idle = _idle(row)
            self._ended = max(self._ended, self.seconds - idle)
            self._opened, self._away = None, True

    @property
    def position(self) -> int | None:
        """The last reading position, None if unknown."""
        offset = None if self._left is None else self._left.values().get("offset")
        return offset if isinstance(offset, int) else None

    @property
    def seconds(self) -> float:
        """The seconds for which the document was open, up to the last action in it."""
        return self.seconds_until(self._seen)

    def seconds_until(self, now: datetime) -> float:
        """Return the seconds up to a time at which the document, if open, is still being read."""
        if self._opened is None:
            return self._ended
        return self._ended + max((now - self._opened).total_seconds(), 0.0)

    def _see(self, time: datetime) -> None:
        """Record an action; a clock that was set back does not reduce the time."""
        if time > self._seen:
            self._seen = time

    def _end(self) -> None:
        self._ended = self.seconds
        self._opened = None


def _time(row: Row) -> datetime:
    try:
        time = datetime.fromisoformat(row.time)
    except ValueError as error:
        raise row.damaged(f"time is {row.time!r}, and no time") from error
    return time if time.tzinfo is not None else time.replace(tzinfo=UTC)


def _idle(row: Row) -> float:
    idle = row.values().get("idle", 0)
    if not isinstance(idle, int | float) or not 0 <= idle < LARGEST:
        raise row.damaged(f"idle is {idle!r}, and no number of seconds")
    return float(idle)


# Remarks on a document and its passages: notes, grades, the flag "come back", answers.
#
# They are no judging steps: undo ignores them, and a document with remarks only is not judged.

NOTE, FLAG, GRADE, ANSWER = "note", "flag", "grade", "answer"
REMARKS = frozenset((NOTE, FLAG, GRADE, ANSWER))
NOT_JUDGING = READING | REMARKS
"""Actions that are no judging steps."""


@dataclass(frozen=True, slots=True)
class Remarks:
    """The remarks on one document for one topic; those on passages by span."""

    note: str = ""
    come_back: bool = False
    grade: str = ""
    notes: Mapping[Span, str] = field(default_factory=dict)
    grades: Mapping[Span, str] = field(default_factory=dict)
    answered: frozenset[str] = frozenset()
    """The questions of the quality report that were answered with "right as it is"."""

    def noted_in(self, passage: Span) -> tuple[Span, ...]:
        """Return, in order, the spans with notes that share characters with a passage."""
        start, end = passage
        return tuple(sorted(span for span in self.notes if span[0] < end and start < span[1]))

    def note_in(self, passage: Span) -> str:
        """Return the notes on a passage, one per line; "" if none."""
        return "\n".join(self.notes[span] for span in self.noted_in(passage))

    def grade_in(self, passage: Span) -> str:
        """Return the grade of a passage, the first one if it grew over several; "" if none."""
        start, end = passage
        shared = (span for span in sorted(self.grades) if span[0] < end and start < span[1])
        return next((self.grades[span] for span in shared), "")

    def of_passages(self, passages: Spans) -> Remarks:
        """Return the remarks assigned to the current passages, which may have changed.

        Only passages with remarks are examined, because there may be a thousand passages.
        """
        if not self.notes and not self.grades:
            return self
        noted, graded = _sharing(passages, self.notes), _sharing(passages, self.grades)
        notes = {passage: "\n".join(map(self.notes.__getitem__, spans)) for passage, spans in noted.items()}
        grades = {passage: self.grades[spans[0]] for passage, spans in graded.items()}
        return replace(self, notes=notes, grades=grades)

    def after(self, row: Row) -> Remarks:
        """Return the remarks after a row; raises ProjectError if it is invalid."""
        content = row.values()
        try:
            if row.action == FLAG:
                return replace(self, come_back=truth(content["on"], "on"))
            if row.action == ANSWER:
                question = frozenset((text(content["question"], "question"),))
                on = truth(content["on"], "on")
                return replace(self, answered=self.answered | question if on else self.answered - question)
            said = text(content["text"], "text")
            span = spans_from([content["span"]])[0] if "span" in content else None
        except (KeyError, TypeError, ValueError) as error:
            raise row.damaged(str(error)) from error
        if span is None:
            return replace(self, note=said) if row.action == NOTE else replace(self, grade=said)
        if row.action == NOTE:
            return replace(self, notes=_with(self.notes, span, said))
        return replace(self, grades=_with(self.grades, span, said))


def _sharing(passages: Spans, spans: Iterable[Span]) -> dict[Span, list[Span]]:
    """Return, in order, the passages that share characters with some spans, and with which."""
    sharing = defaultdict[int, list[Span]](list)
    for span in sorted(spans):
        for row in passages.sharing(*span):
            sharing[row].append(span)
    return {(int(passages.starts[row]), int(passages.ends[row])): sharing[row] for row in sorted(sharing)}


NO_REMARKS = Remarks()


def remark_content(said: str, span: Span | None) -> dict[str, Any]:
    """Return the row content of a note or a grade; an empty one removes the previous one."""
    whole = said.encode(errors="replace").decode()  # lone surrogates cannot be written
    return {"text": whole} if span is None else {"text": whole, "span": list(span)}


def _with(known: Mapping[Span, str], span: Span, said: str) -> dict[Span, str]:
    left = {other: text for other, text in known.items() if other != span}
    return {**left, span: said} if said else left


# The records in a database file, page by page, however damaged the file is.
#
# SQLite finds a row through the pages above it, and gives up if one of them is damaged; here each page is
# examined by itself, following "Database File Format" (sqlite.org/fileformat2.html, sections 1.6 and 2). The
# values that are read may be wrong: callers check them.

# Errors of SQLite, as errors with a sentence for the user.

_BESIDE = 1 << 16  # minimum bytes of the index of a write-ahead log


class ReadOnlyError(ProjectError):
    """The project can be read, but this user cannot write to it here."""


class DamagedFileError(ProjectError):
    """A project file that is not as inexview wrote it: truncated, overwritten, or changed otherwise."""


class NewerFormatError(ProjectError):
    """A project file with the version of a newer inexview, or with damaged first bytes."""


@contextlib.contextmanager
def explaining(path: Path) -> Iterator[None]:
    """Convert errors of SQLite and the system to ProjectErrors, except misuse, a defect of ours."""
    try:
        yield
    except sqlite3.ProgrammingError:
        raise
    except (sqlite3.Error, UnicodeDecodeError) as error:  # the latter for text that is no UTF-8
        raise _explained(error, path) from error
    except OSError as error:  # a file that just disappeared
        raise ProjectError(f"{path}: the project file cannot be used ({reason_of(error)})") from error


@contextlib.contextmanager
def making(path: Path, part: Path) -> Iterator[None]:
    """Name the new file in errors, instead of the part that is written first."""
    try:
        yield
    except DiskFullError as error:
        raise DiskFullError(f"{path}: the disk is full; free some space and try again") from error
    except ProjectError as error:
        raise type(error)(str(error).replace(str(part), str(path))) from error


def _is_full(path: Path) -> bool:
    """Return whether there is no space for the files that SQLite creates next to a database."""
    try:
        return shutil.disk_usage(path.parent).free < _BESIDE
    except OSError:
        return False


def reason_of(error: OSError) -> str:
    """Return why the system refused something, for use in brackets."""
    return (error.strerror or str(error)).lower()


def _explained(error: Exception, path: Path) -> ProjectError:
    """Return an error with a sentence for SQLite's own message."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and _is_full(path)):
        return DiskFullError(
            f"{path}: the disk is full; your earlier work is kept; free some space and try again"
        )
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return ReadOnlyError(f"{path}: the project is not writable here")
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return DamagedFileError(f"{path}: the project file is damaged (cut off or overwritten)")
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return BusyError(f"{path}: another program is using the project file; try again")
    if code == sqlite3.SQLITE_IOERR:
        problem = f"the disk cannot be read or written to ({error}); your earlier work is kept; try again"
    elif code == sqlite3.SQLITE_CONSTRAINT:
        problem = "another program has changed the project; open it again"
    else:
        problem = f"the project file cannot be used ({error})"
    return ProjectError(f"{path}: {problem}")


TABLE_LEAF, INDEX_LEAF, INDEX_INTERIOR = 0x0D, 0x0A, 0x02
_OTHER_KNOWN = (INDEX_LEAF, INDEX_INTERIOR, 0x05)
_PAGE_SIZES = [1 << power for power in range(9, 17)]
_USUAL = 4096
_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}  # serial type → bytes
_SMALLEST = 12  # minimum bytes of a project's record, with its pointer
_LOG_HEADER, _FRAME_HEADER = 32, 24

SqliteValue = int | bytes | None
_Pages = dict[int, bytes]


class Record(NamedTuple):
    """A record: its row's number (None for an index) and its values; text is bytes.

    It is ``moved`` if its page is displaced by inserted or missing bytes.
    """

    number: int | None
    values: list[SqliteValue]
    moved: bool = False


def records(path: Path) -> Iterator[Record]:
    """Yield every readable record of a database file and of the log next to it; raises OSError."""
    if stat.S_ISCHR(mode := path.stat().st_mode) or stat.S_ISFIFO(mode):  # these may never end
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
    """Yield the pages of a file with inserted or missing bytes: they are no longer aligned with its start,
    but with its end.

    In the page concerned, the beginning is in place and the cells behind are not: all pages are therefore
    also yielded unaligned.
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
    """Yield number and content of the pages in a write-ahead log, those of its current round."""
    salts = log[16:24]
    for at in range(_LOG_HEADER, len(log) - size - _FRAME_HEADER + 1, size + _FRAME_HEADER):
        if log[at + 8 : at + 16] == salts:
            begin = at + _FRAME_HEADER
            yield int.from_bytes(log[at : at + 4], "big"), log[begin : begin + size]


class _Reader:
    """Reads the records of some pages."""

    def __init__(self, pages: _Pages, size: int) -> None:
        self._pages, self._size = pages, size
        self._left = 4 * sum(map(len, pages.values())) + (1 << 20)  # bytes that overflow pages may add

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
        seen = set[int]()  # no two cells start at one place
        # As many pointers as the header counts, and further plausible ones.
        while place + 2 <= min(len(page), last):
            at = int.from_bytes(page[place : place + 2], "big")
            place += 2
            if place <= counted:
                at &= self._size - 1  # as SQLite does
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
        if self._left < 0:  # chains many times larger than the file are crafted or no chains
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
    """Return the values of a record, only the first ones if the rest is damaged."""
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
    """Return a whole number of one to nine bytes, and its end."""
    value = 0
    for _ in range(8):
        byte = data[at]
        at += 1
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at
    return value << 8 | data[at], at + 1
