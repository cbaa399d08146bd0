"""Text tables as files: encoding, blocks of whole lines, columns of runs, and writing.

Memory is bounded for files of any size, packed or not. Pipes, binary files and archives, UTF-16 and lines
without an end are refused with a sentence. Lines that begin with # are comments.
"""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from heapq import nsmallest
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from inexview.core.errors import DataError, reported
from inexview.core.files import UnpackedFile, read_beginning
from inexview.core.formats.columns import (
    LIMIT,
    MARGIN,
    Column,
    LineFields,
    Problems,
    read_names,
)
from inexview.core.judgements.runs import Run, Task
from inexview.core.judgements.tables import LONGEST_NAME
from inexview.core.progress import Progress, unwatched
from inexview.core.text.json_values import BEGINNING, JSON, first_value, plain_key
from inexview.core.text.spans import Bytes, Floats, Ints, Mask, Names, coded
from inexview.core.text.xml import from_windows_1252, has_a_byte_for_each, plain_name
from inexview.core.wording import counted

_READ_SO = "the file is not UTF-8; it was read as Windows-1252 (Latin-1)"
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_ZIP = b"PK\3\4"
_SQLITE = b"SQLite format 3\0"
_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f]")


class TextEncoding:
    """Decodes a file, piece by piece.

    A file whose first bytes beyond ASCII are not UTF-8 is read as Windows-1252, with a warning.  A file
    with both encodings is refused: it is damaged, and names in it would be read wrongly.
    """

    def __init__(self, problems: Problems) -> None:
        self._problems = problems
        self._utf8 = self._bytewise = False  # seen beyond ASCII

    def utf8(self, data: bytes, line: int) -> bytes:
        """Return a piece, which begins on a line, in UTF-8.  Raises DataError if it cannot be read."""
        if self._bytewise:
            return from_windows_1252(data)
        try:
            data.decode()
        except UnicodeDecodeError as error:
            line += data.count(b"\n", 0, error.start)
            if self._utf8 or not has_a_byte_for_each(data):
                problem = (
                    f"byte 0x{data[error.start]:02x} is not UTF-8, but the rest of the file is: save the "
                    "whole file as UTF-8"
                )
                raise DataError(problem, path=self._problems.path, line=line) from None
            self._bytewise = True
            self._problems.warn(_READ_SO, [line])
            return from_windows_1252(data)
        self._utf8 = self._utf8 or not data.isascii()
        return data


def refuse_beginning(data: bytes | bytearray, path: Path, at: int = 0) -> None:
    """Refuse a file whose first bytes cannot begin a text in UTF-8."""
    if data.startswith(_UTF16, at):
        raise DataError("is in UTF-16: save it as UTF-8", path=path, line=1)
    if data.startswith(_ZIP, at):
        raise DataError("is a zip archive: unpack it first", path=path, line=1)
    if data.startswith(_SQLITE, at):
        export = "is a database: if it is a project, `inexview export` writes its judgements to a file"
        raise DataError(export, path=path)


def text_of_list(data: bytes, path: Path, warnings: list[str]) -> bytes:
    """Return a whole list of topics or documents in UTF-8.  Raises DataError for what is no text."""
    refuse_beginning(data, path)
    problems = Problems(path)
    text = TextEncoding(problems).utf8(data, 1).removeprefix(codecs.BOM_UTF8)
    if binary := _BINARY.search(text):
        problem = f"holds the byte 0x{binary[0][0]:02x}: this is a binary file, not a list"
        raise DataError(problem, path=path, line=1 + text.count(b"\n", 0, binary.start()))
    warnings.extend(problems.warnings)
    return text


# Writing: names that can be in a column, and scores.

_NO_NAME = re.compile("[\x00-\x20]|\\A\ufeff|\\A\\Z")
_NO_COLUMN = re.compile("[\x00-\x20]|\\A[\ufeff#<]")
_ESCAPED = re.compile("[\x00-\x20%]|\\A[\ufeff#<]")
_BLANKS = re.compile("[\x00-\x20]+")


def check_names(field: str, names: Iterable[str], path: Path) -> None:
    """Refuse names that would be read differently: with blanks, empty, too long, or a topic like a comment.

    Raises DataError.
    """
    for name in names:
        if _NO_NAME.search(name):
            problem = "is empty or has white space, which text columns cannot hold: choose XML or JSON lines"
            raise DataError(problem, path=path, field=field, value=name)
        if field == "topic" and name.startswith("#"):
            problem = "begins with #, like a comment, and cannot begin a line: choose XML or JSON lines"
            raise DataError(problem, path=path, field=field, value=name)
        if len(name) * 4 > LONGEST_NAME and len(name.encode()) > LONGEST_NAME:
            raise DataError(f"is longer than {LONGEST_NAME} bytes", path=path, field=field, value=name)


def write_lines(
    path: str | Path, lines: Iterable[str], topics: Iterable[str] = (), documents: Iterable[str] = ()
) -> None:
    """Write lines of text. Raises DataError for topics and documents that would be read differently."""
    check_names("topic", topics, Path(path))
    check_names("document", documents, Path(path))
    with Path(path).open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(lines)


def column_id(name: str) -> str:
    """Return an id for a column: blanks, and what begins a comment, are escaped with per cent signs."""
    if not _NO_COLUMN.search(name):
        return name
    return _ESCAPED.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), name)


def run_name(name: str) -> str:
    """Return the name of a run in a column: blanks become underscores."""
    return _BLANKS.sub("_", name.removeprefix("\ufeff").strip()) or "run"


def written_score(score: float, left: int) -> str:
    """Return a score as text; for none (NaN) the number of results that are ``left``."""
    return str(left) if score != score else repr(score).removesuffix(".0")


# Blocks of whole lines, cut into fields.

BLOCK = 1 << 20  # fits into the processor's cache
LONGEST_LINE = 1 << 24
_WIDEST = 1000  # maximum fields per line for `cut`
_TAB, _NEWLINE, _RETURN, _BLANK = 9, 10, 13, 32


def read_blocks(problems: Problems, *, block: int = BLOCK) -> Iterator[tuple[Bytes, int]]:
    """Read the file of the problems in blocks of about ``block`` bytes, each valid until the next.

    Each block holds whole lines in UTF-8 between two MARGINs, and comes with the number of its first line.
    Its last byte is a newline. The first margin is blank; the second one is not part of the block. Bytes that
    are not UTF-8 are read as Windows-1252, with a warning. Raises DataError if the file is missing,
    unreadable, binary or in mixed encodings.
    """
    path = Path(problems.path)
    encoding = TextEncoding(problems)
    number = 1
    for data in _read_blocks(path, block):
        if data.max() > 127:
            data = _in_utf8(data, number, path, encoding)
        yield data, number
        number += int(np.count_nonzero(data[:-MARGIN] == _NEWLINE))


def read_fields(problems: Problems, *, block: int = BLOCK) -> Iterator[LineFields]:
    """Read a text table in such blocks; each yields its fields, valid until the next."""
    for data, number in read_blocks(problems, block=block):
        fields = cut(data, number) or cut_carefully(data, number, problems.path)
        if len(fields):
            yield fields


def first_lines(path: str | Path) -> list[bytes]:
    """Return the first 100 lines that are not blank, of the first 64 kB."""
    for data in _read_blocks(Path(path), 1 << 16):
        lines = data[MARGIN:-MARGIN].tobytes().split(b"\n")
        return list(islice(filter(None, map(bytes.strip, lines)), 100))
    return []


def cut(data: Bytes, number: int) -> LineFields | None:
    """Cut a block whose fields are one blank apart, without blanks at line ends; None for other blocks.

    No two separators touch, and newline is the only control byte: together the tests exclude all other cases.
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
    """Cut a block of any lines: with repeated white space, blank lines, lines of several widths."""
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
    with reported(path, "cannot be read: {}", OSError), UnpackedFile(path) as file:
        while True:
            if filled + MARGIN + 1 == len(memory):  # a line longer than a block
                if len(memory) > LONGEST_LINE:
                    problem = "has a line longer than 16 MB: this is not a text table"
                    raise DataError(problem, path=path)
                memory = memory + b" " * len(memory)
            with memoryview(memory) as room:
                read = file.readinto(room[filled : len(memory) - MARGIN - 1])
            filled += read
            if at_start:
                refuse_beginning(memory, path, MARGIN)
                if memory.startswith(codecs.BOM_UTF8, MARGIN):
                    memory[MARGIN : MARGIN + len(codecs.BOM_UTF8)] = b" " * len(codecs.BOM_UTF8)
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


def _blank_comments(memory: bytearray, end: int) -> None:
    if memory.find(b"#", MARGIN, end) < 0:
        return
    at = MARGIN if memory.startswith(b"#", MARGIN) else memory.find(b"\n#", MARGIN, end) + 1
    while at:
        stop = memory.index(b"\n", at)
        memory[at:stop] = b" " * (stop - at)
        at = memory.find(b"\n#", stop, end) + 1


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


# Runs: the columns of each block, put together.

_LONG = 16  # megabytes: less is read in a tenth of a second


def stacked(blocks: Sequence[tuple[Any, ...]]) -> list[Any]:
    """Return columns of names and numbers, joined from the blocks of a file."""
    return [
        Names.joined(list(parts)) if isinstance(parts[0], Names) else np.concatenate(parts)
        for parts in zip(*blocks, strict=True)
    ]


class RunBlock(NamedTuple):
    """The columns of a run from one block of its file, of shape (n,)."""

    topic: Names
    run: Names
    document: Names
    score: Floats
    start: Ints
    size: Ints
    line: Ints


def read_run_blocks(
    path: str | Path,
    read_block: Callable[[LineFields, Problems], RunBlock],
    *,
    task: Task | None = None,
    progress: Progress = unwatched,
) -> Run:
    """Read a run block by block. Raises DataErrors with file, line and field.

    Long files report progress.
    """
    problems = Problems(path)
    blocks = []
    read = size = 0
    with suppress(OSError):  # reading it will report the error
        size = Path(path).stat().st_size >> 20
    for fields in read_fields(problems):
        if size >= _LONG:
            progress("MB read", read >> 20, size)
        read += len(fields.data)
        blocks.append(read_block(fields, problems))
        if problems.full:
            break
    problems.check_holds(blocks, "result")
    return _assembled(blocks, Path(path), problems, task)


def lines_of(
    wanted: int, what: str, fields: LineFields, problems: Problems, *, more: bool = False
) -> Ints | slice:
    """Return the lines with the wanted number of fields; note the others as errors.

    With ``more``, further fields are ignored with a warning.
    """
    good = fields.counts == wanted
    if more and not good.all():
        longer = fields.counts > wanted
        problems.warn(f"fields after {wanted} are ignored", fields.number[longer])
        good |= longer
    return lines_that_fit(good, f"{what} has {wanted}", fields, problems)


def lines_that_fit(good: Mask, wanted: str, fields: LineFields, problems: Problems) -> Ints | slice:
    """Return the lines that are good; note the others as errors, with the number of fields ``wanted``."""
    if good.all():
        return slice(None)
    for at in np.flatnonzero(~good)[: LIMIT + 1].tolist():
        problems.error(
            f"has {counted(int(fields.counts[at]), 'field')} where {wanted}", line=int(fields.number[at])
        )
    return np.flatnonzero(good)


def read_columns(
    fields: LineFields, rows: Ints | slice, start: Ints, size: Ints, problems: Problems, *, score: str = "rsv"
) -> RunBlock:
    """Read the columns of all run formats, ``topic Q0 document rank score run-id``, of n rows.

    ``start`` and ``size`` (n,) were read from the fields after them; ``score`` is the field's name.
    """
    line = fields.number[rows]
    return RunBlock(
        topic=read_names("topic", fields.column(0, rows), line, problems),
        run=read_names("run-id", fields.column(5, rows), line, problems),
        document=read_names("document", fields.column(2, rows), line, problems),
        score=read_scores(score, fields.column(4, rows), line, problems),
        start=start,
        size=size,
        line=line,
    )


def read_scores(field: str, column: Column, line: Ints, problems: Problems) -> Floats:
    """Read a column of scores, which must be finite."""
    scores, good = column.floats()
    problems.fields("is not a number", field, ~good, column, line)
    problems.fields("is not a finite number", field, good & ~np.isfinite(scores), column, line)
    return scores


def _assembled(blocks: list[RunBlock], path: Path, problems: Problems, task: Task | None) -> Run:
    """Put the blocks together, each topic's results side by side and in the order of the file."""
    topic, ids, document, score, start, size, line = stacked(blocks)
    topics, code = coded(topic)
    ptr = np.append(0, np.cumsum(np.bincount(code, minlength=len(topics))))
    run = Run(ids[0], topics, ptr, document, start, size, score, line, task, path)
    problems.warn(f"the run id differs from {run.id} on the first line", run.line[~ids.are(run.id)])
    back = code[1:] < code[:-1]
    problems.warn("a topic continues here after others; the file order is kept", run.line[1:][back])
    if back.any():
        run = run.take(np.argsort(code, kind="stable"))
    return replace(run, warnings=problems.warnings)


# The beginning of a file: its first lines or XML tags; and files of other tools that are not read.

_TAGS = 400  # first tags looked at: a long topic may be before the first judgement
_LINES = 100
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Tag(NamedTuple):
    """A start tag; its name is in lower case, without a namespace."""

    name: str
    attributes: dict[str, str]


@dataclass(frozen=True)
class Beginning:
    """The first tags of an XML file, or else the first lines of a text that are not blank.

    Of JSON it also has the first value, as far as it is in the first bytes of the file.
    """

    path: Path
    lines: tuple[bytes, ...] = ()
    tags: tuple[Tag, ...] = ()
    xml: bool = False
    json: Any = None

    @cached_property
    def first_object(self) -> dict[str, Any]:
        """The first JSON object, or the first member of a list; empty without one."""
        first = self.json[0] if isinstance(self.json, list) and self.json else self.json
        return first if isinstance(first, dict) else {}

    @cached_property
    def keys(self) -> frozenset[str]:
        """The names of the first object's fields, or of the columns of a header, in plain spelling."""
        names = list(self.first_object) or [name.decode("utf-8", "replace") for name in self.header]
        return frozenset(map(plain_key, names))

    @property
    def header(self) -> list[bytes]:
        """The fields of the first line, separated by commas, semicolons or tabs."""
        first = self.lines[0] if self.lines else b""
        return [field.strip(b' "') for field in re.split(rb"[,;\t]", first)]

    @property
    def root(self) -> str:
        """The name of the root, "" without one."""
        return self.tags[0].name if self.tags else ""

    def matching(self, line: re.Pattern[bytes]) -> int:
        """Return the number of lines that match a pattern, with fields one blank apart."""
        return sum(line.fullmatch(text) is not None for text in self._even_lines)

    def all_match(self, line: re.Pattern[bytes]) -> bool:
        return self.matching(line) == len(self.lines)

    @property
    def width(self) -> int:
        """The number of fields of most lines; 0 without a line."""
        widths = [len(line.split()) for line in self.lines]
        return max(set(widths), key=widths.count, default=0)

    @cached_property
    def _even_lines(self) -> list[bytes]:
        return [b" ".join(text.split()) for text in self.lines]

    def first(self, *names: str) -> Tag | None:
        return next((tag for tag in self.tags if tag.name in names), None)


def beginning_of(path: str | Path) -> Beginning:
    """Look at the beginning of a file.

    Raises DataError if it cannot be read, or is neither XML nor a text table.
    """
    file = Path(path)
    data = read_beginning(file, BEGINNING) if file.is_file() else b""  # reading lines reports the error
    if JSON.match(data) and (first := first_value(data)) is not None:
        lines = tuple(filter(None, map(bytes.strip, data.removeprefix(codecs.BOM_UTF8).split(b"\n"))))
        return Beginning(file, lines=lines[:_LINES], json=first)
    if not looks_like_xml(data):
        refuse_beginning(data, file)
        lines = tuple(first_lines(file))
        return Beginning(file, lines=lines)
    # never in the middle of a character, for encodings that are decoded as a whole
    if len(data) == BEGINNING:
        data = data[: data.rfind(b">") + 1] or data
    return Beginning(file, tags=tuple(_first_tags(data)), xml=True)


def files_in(folder: Path, first: int | None = None, *, every: bool = False) -> list[Path]:
    """Return the XML files of a folder, or all its files if none is XML, by name and without hidden ones.

    With ``every`` all files are returned, with ``first`` only the first ones. Raises DataError if the folder
    cannot be read.
    """
    with reported(folder, "cannot be read: {}", OSError), os.scandir(folder) as entries:
        names = [one.name for one in entries if not one.name.startswith(".") and one.is_file()]
    named = names if every else [name for name in names if name.lower().endswith(".xml")] or names
    chosen = sorted(named) if first is None else nsmallest(first, named)
    return [folder / name for name in chosen]


def looks_like_xml(data: bytes) -> bool:
    """Return whether the first bytes of a file are XML in any of its encodings."""
    for mark in _MARKS:
        data = data.removeprefix(mark)
    return data.lstrip(b" \t\r\n\0").startswith(b"<")


def _first_tags(data: bytes) -> list[Tag]:
    """Return the first start tags; entities are ignored, and the reader reports what is not well-formed."""
    from lxml import etree  # which text does not need

    parser = etree.XMLPullParser(
        events=("start",), recover=True, resolve_entities=False, load_dtd=False, no_network=True
    )
    try:
        parser.feed(data)
        started = [element for _, element in islice(parser.read_events(), _TAGS)]
        return [
            Tag(plain_name(str(element.tag)), {str(k): str(v) for k, v in element.items()})
            for element in started
        ]
    except (etree.XMLSyntaxError, ValueError, LookupError):  # also names that are no UTF-8
        return []


# Files of other tools, reported by name, so that no reader misreads them.
#
# Each is recognised by what only its files have: names of fields or columns, the root of XML, the form of
# lines.

_Test = Callable[[Beginning], bool]


def foreign_name(beginning: Beginning) -> str | None:
    """Return the name of another tool's file with advice for the user; None for any other file."""
    inner = [value for value in beginning.first_object.values() if isinstance(value, dict)]
    numbers = all(isinstance(value, int | float) for values in inner for value in values.values())
    if inner and len(inner) == len(beginning.first_object) and numbers:  # a run or qrels by topics
        return None
    for name, advice, *tests in _FOREIGN:
        if any(test(beginning) for test in tests):
            return f"looks like {name}, which inexview does not read{advice}"
    return None


def _objects(*names: str) -> _Test:
    """Recognise JSON whose first object has all of these fields."""
    return lambda beginning: bool(beginning.first_object) and beginning.keys.issuperset(names)


def _fields(*names: str) -> _Test:
    """Recognise JSON, or CSV with a header, with all of these fields."""
    return lambda beginning: not beginning.xml and beginning.keys.issuperset(names)


def _collection(*names: str) -> _Test:
    """Recognise JSON whose first object has all of these fields and names no question."""
    asked = {"query", "query_id", "qid", "topic", "topic_id", "question"}
    return lambda beginning: _objects(*names)(beginning) and not beginning.keys & asked


def _root(*names: str) -> _Test:
    return lambda beginning: beginning.root in names


def _lines(pattern: bytes, some: Callable[[bytes], bool] = bool) -> _Test:
    """Recognise a text whose first lines all match the pattern, and ``some`` for one of them.

    Fields are one blank apart, unless the pattern has tabs.
    """
    compiled = re.compile(pattern)

    def fits(beginning: Beginning) -> bool:
        if beginning.xml or not beginning.lines:
            return False
        if rb"\t" in pattern:
            fitting = all(compiled.fullmatch(line) is not None for line in beginning.lines)
        else:
            fitting = beginning.all_match(compiled)
        return fitting and any(map(some, beginning.lines))

    return fits


_PROBABILITY = rb"(?:0?\.\d+(?:[eE]-?\d+)?|[01](?:\.0*)?|\d(?:\.\d+)?[eE]-\d+)"


_SPANS = ": convert its spans to qrels, or to JSON lines of inexview"
_QRELS = ": write its judgements as TREC qrels"
_RUN = ": write its ranking as a TREC run"
_ANSWERS = ": answers are not scored here"
_MODEL = ": `inexview agree QRELS --model FILE` compares a model's judgements with a person's"
_FOREIGN: tuple[tuple[str, str, *tuple[_Test, ...]], ...] = (
    ("a snippet submission of INEX", ": snippets are not scored here", _root("inex-snippet-submission")),
    ("a submission of answers (INEX)", _ANSWERS, _root("inex-qa-submission", "qa-submission")),
    ("XMI of UIMA (INCEpTION, cTAKES)", _SPANS, _root("xmi")),
    ("annotations of GATE", _SPANS, _root("gatedocument")),
    (
        "BioC",
        _SPANS,
        lambda beginning: beginning.root == "collection" and bool(beginning.first("infon", "offset")),
    ),
    (
        "prels of the Million Query track (topic, document, method, grade, probability)",
        ": its measures need the probabilities; plain qrels have neither method nor probability",
        _lines(rb"\S+ \S+ [0-3] -?\d " + _PROBABILITY, lambda line: not line.split()[4].isdigit()),
    ),
    (
        "preference judgements (topic, judge, sub-judge, document, preference)",
        ": give qrels",
        _lines(rb"\S+ \d+ \d+ \S+ -?\d+(?:\.\d+)?"),
    ),
    (
        "annotations of brat without their text",
        ": put the .txt of the same name in its folder",
        _lines(
            rb"T\d+\t\S+ \d+ \d+(?:;\d+ \d+)*(?:\t.*)?|[REAMN]\d+\t\S+[ \t].*|\*\t\S+ .*",
            lambda line: line.startswith(b"T"),
        ),
    ),
    ("WebAnno TSV (WebAnno, INCEpTION)", _SPANS, _lines(rb"#Text=.*|\d+-\d+\t\d+-\d+\t.*")),
    ("features for learning to rank (LETOR)", _QRELS, _lines(rb"\S+ qid:\S+(?: \d+:\S+)+(?: #.*)?")),
    (
        "candidates of MS MARCO with their texts (query id, passage id, query, passage)",
        _RUN,
        _lines(rb"[^\t ]+\t[^\t ]+\t[^\t]* [^\t]*\t[^\t]* [^\t]* [^\t]*"),
    ),
    ("annotations of Argilla", _SPANS, _objects("fields", "responses")),
    (
        "nuggets (AutoNuggetizer, NuggetBank)",
        ": `inexview answers ANSWERS --nuggets FILE` and `inexview import PROJECT FILE` read them",
        *map(_objects, ("nuggets", "nugget_bank", "claim_bank")),
    ),
    (
        "judgements of citation support",
        ": `inexview answers ANSWERS --support FILE` reads it; a window opens it as another assessor’s layer",
        *(_objects("run_id", "sentence", name) for name in ("support", "together", "needs_citation")),
    ),
    ("judgements of UMBRELA with their texts", _MODEL, _objects("query", "passage", "judgment")),
    (
        "a part of the MS MARCO 2.1 collection",
        "",
        _collection("docid", "segment"),
        _collection("docid", "body"),
    ),
    (
        "a collection of BEIR",
        ": give its queries or its qrels",
        lambda beginning: _objects("_id", "text")(beginning) and bool(beginning.first_object.get("title")),
    ),
    ("a collection of Anserini", "", _objects("id", "contents")),
    (
        "samples of Ragas",
        _MODEL,
        _fields("user_input", "retrieved_contexts"),
        _fields("question", "contexts"),
    ),
    ("test cases of DeepEval", _MODEL, _fields("input", "actual_output")),
    ("judgements of OpenSearch", _MODEL, _objects("judgmentratings")),
    ("a request of Elasticsearch's rank evaluation", _QRELS, _objects("requests")),
)
"""Name, advice and tests of foreign files; special forms come first, and one test must hold."""
