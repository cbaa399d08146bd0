"""Tables of rows from scripts, as arrays: dicts, rows with names, columns, data frames.

A table has a row for each judged document or passage, or for each result.  Its columns are recognised by the
names in various tools (``qid``, ``query_id``, ``docno``, ``corpus-id`` …).  Ids become :class:`Names`,
numbers arrays, so that no row is a Python object.  Frames are made by pandas or polars, through Arrow if
pyarrow is installed.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib import import_module
from itertools import chain, islice
from typing import Any, NamedTuple

import numpy as np

from inexview.core.errors import DataError, InexviewError
from inexview.core.text.json_values import plain_key
from inexview.core.text.spans import Bytes, Floats, Ints, Names, Words

TOPIC = (
    "query_id", "qid", "q_id", "queryid", "topic_id", "topicid", "topic", "narrative_id", "request_id",
    "query",
)  # fmt: skip
DOCUMENT = (
    "doc_id", "docno", "docid", "document_id", "documentid", "document", "corpus_id", "passage_id", "pid",
    "did", "doc", "id",
)  # fmt: skip
GRADE = ("relevance", "rel", "label", "grade", "judgment", "judgement", "rating", "relevant")
SCORE = ("score", "rsv", "similarity", "sim")
RUN = ("run_id", "run", "tag", "system", "runid")
RANK = "rank"
FIELDS = {
    "query_id": TOPIC,
    "doc_id": DOCUMENT,
    "relevance": GRADE,
    "score": SCORE,
    "rank": (RANK,),
    "run_id": RUN,
    "start": ("start", "start_char", "begin", "offset"),
    "end": ("end", "end_char", "stop"),
    "length": ("length", "doc_length"),
    "bep": ("bep", "best_entry_point"),
}
"""The possible names of each column, in plain spelling: the first name is ours."""
LIBRARIES = ("pandas", "polars")
LONGEST_NAME = 1 << 12  # bytes
LARGEST = 10**12
"""No offset or length may be larger: a document of 10¹² characters is an error."""
MISSING = -1
"""The start and the end in frames if a document has no passage."""
_BLOCK = 1 << 20  # rows of names that are converted at once, to keep intermediate data small
_SHOWN = 5  # rows shown in a notebook


class Coded(NamedTuple):
    """A column of n repeating texts: ``codes``, shape (n,), index ``names``."""

    names: Sequence[str]
    codes: Ints

    def strings(self) -> list[str]:
        return [self.names[code] for code in self.codes.tolist()]


Column = Names | Coded | Ints | Floats


@dataclass(frozen=True)
class RowTable:
    """The data of a script: ``columns`` by our names, unchanged; ``what`` is its name in errors."""

    what: str
    columns: Mapping[str, Any]
    count: int

    def names(self, field: str) -> Names:
        """Return a column of n ids.  Raises DataError if one is missing, empty or invalid."""
        if field not in self.columns:
            raise DataError(
                f"has no column {field!r}: name one {', '.join(FIELDS[field][:4])} …", path=self.what
            )
        values = self.columns[field]
        if isinstance(values, Coded):
            return (
                RowTable(self.what, {field: values.names}, len(values.names)).names(field).take(values.codes)
            )
        arrow = _as_arrow(values)
        if arrow is not None:
            return self._checked(_names_of_arrow(arrow), field)
        given = _listed(values)
        listed = [text.strip() for text in given] if {*map(type, given)} == {str} else []
        if not all(listed) or not listed or "\0" in "".join(listed):
            listed = [self._id(row, value, field) for row, value in enumerate(given)]
        longest = max(map(len, listed), default=0)
        if longest > LONGEST_NAME:
            at = next(at for at, name in enumerate(listed) if len(name) == longest)
            raise self.problem(f"is longer than {LONGEST_NAME} bytes", at, field, listed[at])
        try:
            return Names.of(listed)
        except UnicodeEncodeError as error:
            raise DataError(
                "is not a text: it holds half of a character", path=self.what, field=field
            ) from error

    def _checked(self, names: Names, field: str) -> Names:
        empty = np.flatnonzero(names.words[:, 0] == 0)
        if len(empty):
            raise self.problem("is missing", int(empty[0]), field, "")
        return names

    def _id(self, row: int, value: object, field: str) -> str:
        """Return an id as text; a whole number is valid too, as pandas reads a column of numbers."""
        if type(value) is not str:
            if isinstance(value, float | np.floating) and value.is_integer():
                value = int(value)
            if isinstance(value, bool) or not isinstance(value, str | int | np.integer):
                missing = value is None or (isinstance(value, float) and math.isnan(value))
                raise self.problem(
                    "is missing" if missing else "is not an id", row, field, "" if missing else value
                )
            value = str(value)
        text = value.strip()
        if not text or "\0" in text:
            raise self.problem("is not an id" if text else "is missing", row, field, value)
        return text

    def floats(self, field: str) -> Floats | None:
        """Return a column of n finite numbers; None if there is none, or no row has one.

        Raises DataError if only some rows have a number.
        """
        if field not in self.columns:
            return None
        numbers = self._numbers(field)
        bad = ~np.isfinite(numbers)
        if not bad.any():
            return numbers
        row = int(np.argmax(bad))
        value = _listed(self.columns[field])[row]
        missing = value is None or value == "" or bool(np.isnan(numbers[row]))
        if missing and np.isnan(numbers).all():
            return None
        raise self.problem("is missing" if missing else "is not a finite number", row, field, value)

    def whole(self, field: str, missing: int) -> Ints | None:
        """Return a column of n whole numbers, ``missing`` if a row has none; None without the column."""
        if field not in self.columns:
            return None
        numbers = self._numbers(field)
        numbers = np.where(np.isnan(numbers), missing, numbers)
        bad = (np.abs(numbers) > LARGEST) | (numbers != np.floor(numbers))
        if bad.any():
            row = int(np.argmax(bad))
            raise self.problem("is not a whole number", row, field, _listed(self.columns[field])[row])
        return numbers.astype(np.int64)

    def _numbers(self, field: str) -> Floats:
        """Return a column as float64, NaN for missing values.  Raises DataError for anything but numbers."""
        values = self.columns[field]
        array = values if isinstance(values, np.ndarray) else None
        if array is None and hasattr(values, "to_numpy") and not hasattr(values, "to_pylist"):
            array = values.to_numpy()
        if array is not None and array.dtype.kind in "iufb":
            return array.astype(np.float64)
        listed = _listed(values)
        try:
            return np.array([math.nan if _is_nothing(one) else float(one) for one in listed])
        except (TypeError, ValueError, OverflowError):
            row = next(row for row, one in enumerate(listed) if not _is_number(one))
            raise self.problem("is not a number", row, field, listed[row]) from None

    def texts(self, field: str) -> list[str]:
        """Return a column of n texts; empty if there is none."""
        return [str(value) for value in _listed(self.columns[field])] if field in self.columns else []

    def problem(self, problem: str, row: int, field: str, value: object) -> DataError:
        return DataError(problem, path=self.what, line=row + 1, field=field, value=str(value))


def read_table(data: object, what: str, number: str) -> RowTable:
    """Read the data of a script; ``number`` is the column for the numbers of a dict of dicts.

    ``data`` is ``{topic: {document: number}}``, a dict of columns, a frame or another table with named
    columns (pandas, polars, Arrow, data sets), or rows: named tuples, dicts, objects with attributes, or
    tuples in the order topic, document, number, start, end.  Raises DataError.
    """
    if isinstance(data, Mapping) and data and all(isinstance(own, Mapping) for own in data.values()):
        topics = Coded(list(data), np.repeat(np.arange(len(data)), [len(own) for own in data.values()]))
        documents = list(chain.from_iterable(data.values()))
        numbers = [value for own in data.values() for value in own.values()]
        named: Mapping[str, Any] = {"query_id": topics, "doc_id": documents, number: numbers}
    elif isinstance(data, Mapping):
        named = data
    elif hasattr(data, "collect"):  # a lazy frame of polars
        return read_table(data.collect(), what, number)
    elif (names := _columns_of(data)) is not None:
        twice = [name for name, often in Counter(map(str, names)).items() if often > 1]
        if twice:
            raise DataError(f"has several columns {twice[0]!r}", path=what)
        named = {str(name): data[name] for name in names}  # type: ignore[index]
    elif isinstance(data, Iterable) and not isinstance(data, str | bytes):
        named = _of_rows(list(data), what, number)
    else:
        raise DataError(
            f"is {type(data).__name__}, and neither a dict, a frame nor rows with names", path=what
        )
    plain = {plain_key(str(name)): column for name, column in named.items()}
    columns = {field: plain[name] for field, names in FIELDS.items() for name in names[::-1] if name in plain}
    lengths = {_length(column) for column in columns.values()}
    if len(lengths) > 1:
        told = ", ".join(f"{field} {_length(column):,}" for field, column in columns.items())
        raise DataError(f"has columns of several lengths: {told}", path=what)
    if lengths in (set(), {0}):
        raise DataError("holds no row", path=what)
    return RowTable(what, columns, lengths.pop())


def _of_rows(rows: list[Any], what: str, number: str) -> Mapping[str, Any]:
    """Return the columns of rows."""
    first = rows[0] if rows else ()
    if isinstance(first, Mapping):
        names = dict.fromkeys(name for row in rows for name in row)
        return {name: [row.get(name) for row in rows] for name in names}
    named = getattr(first, "_fields", None) or getattr(first, "__dataclass_fields__", None)
    if named:
        return {name: [getattr(row, name) for row in rows] for name in named}
    if not isinstance(first, Sequence) or isinstance(first, str):
        raise DataError(f"has rows without names, such as {first!r:.60}", path=what, line=1)
    order = ("query_id", "doc_id", number, "start", "end")[: len(first)]
    if any(len(row) != len(order) for row in rows):
        row = next(at for at, row in enumerate(rows) if len(row) != len(order))
        raise DataError(
            f"has {len(rows[row])} values, where others have {len(order)}", path=what, line=row + 1
        )
    return dict(zip(order, zip(*rows, strict=True), strict=True))


def _columns_of(data: object) -> list[Any] | None:
    """Return the names of a table's columns; None for other data."""
    names = getattr(data, "column_names", None) or getattr(data, "columns", None)
    return list(names) if names is not None and hasattr(data, "__getitem__") else None


def _length(column: Any) -> int:
    return len(column.codes if isinstance(column, Coded) else column)


def _listed(values: Any) -> list[Any]:
    for name in ("to_list", "to_pylist"):  # a series, an array of Arrow
        if hasattr(values, name):
            return list(getattr(values, name)())
    return list(values.tolist() if isinstance(values, np.ndarray) else values)


def _is_nothing(value: object) -> bool:
    return value is None or value == "" or type(value).__name__ in ("NAType", "NaTType")


def _is_number(value: Any) -> bool:
    try:
        float(0 if _is_nothing(value) else value)
    except (TypeError, ValueError, OverflowError):
        return False
    return True


# Columns of names and Arrow's columns of text.


def _arrow() -> Any:
    """Return pyarrow; None if it is not installed."""
    try:
        return import_module("pyarrow")
    except ImportError:
        return None


def _as_arrow(values: Any) -> Any:
    """Return a series of text as an Arrow array of large strings; None for anything else."""
    text = str(getattr(values, "dtype", getattr(values, "type", ""))).lower()
    arrow = _arrow() if text.startswith("str") or "string" in text else None
    if arrow is None:
        return None
    given = values.to_arrow() if hasattr(values, "to_arrow") else values
    if not isinstance(given, arrow.Array | arrow.ChunkedArray):
        given = arrow.array(given)
    whole = given.combine_chunks() if isinstance(given, arrow.ChunkedArray) else given
    return whole.cast(arrow.large_string()).fill_null("")


def _names_of_arrow(array: Any) -> Names:
    """Return a column of ids from an Arrow array of large strings."""
    _, offsets, text = array.buffers()
    bounds = np.frombuffer(offsets, np.int64)[array.offset : array.offset + len(array) + 1]
    data: Bytes = np.frombuffer(text, np.uint8) if text is not None else np.empty(0, np.uint8)
    if not data.all():
        raise InexviewError("an id holds a character 0")
    lengths = np.diff(bounds)
    width = -(-int(lengths.max(initial=1)) // 8) or 1
    if 8 * width > LONGEST_NAME:
        raise InexviewError(f"an id is longer than {LONGEST_NAME} bytes")
    padded = np.zeros((len(array), 8 * width), np.uint8)
    places = np.arange(8 * width)
    for first in range(0, len(array), _BLOCK):
        block = slice(first, first + _BLOCK)
        held = places < lengths[block, None]
        part = padded[block]
        part[held] = data[bounds[first] : bounds[min(first + _BLOCK, len(array))]]
    return Names(padded.view("<u8"))


def _arrow_of_names(names: Names, arrow: Any) -> Any:
    """Return an Arrow array of large strings from a column of ids."""
    words = np.ascontiguousarray(names.words)
    text = _of_one_length(words)
    if text is not None:
        offsets = np.arange(0, len(text) + 1, len(text) // len(words))
    else:
        bytes_of = words.view(np.uint8).reshape(len(words), 8 * words.shape[1])
        offsets, parts = np.zeros(len(words) + 1, np.int64), [np.empty(0, np.uint8)]
        for first in range(0, len(words), _BLOCK):
            part = bytes_of[first : first + _BLOCK]
            held = part != 0
            parts.append(part[held])
            offsets[first + 1 : first + 1 + len(part)] = held.sum(axis=1, dtype=np.int64)
        np.cumsum(offsets, out=offsets)
        text = np.concatenate(parts)
    buffers = [None, arrow.py_buffer(offsets), arrow.py_buffer(text)]
    return arrow.Array.from_buffers(arrow.large_string(), len(words), buffers)


def _of_one_length(words: Words) -> Bytes | None:
    """Return the concatenated bytes of ids of one length, the usual case; None for others."""
    length = int(np.count_nonzero(words[:1].view(np.uint8)))
    if not length:
        return None
    last, within = divmod(length, 8)
    cut: Bytes = words.view(f"S{8 * words.shape[1]}").ravel().astype(f"S{length}").view(np.uint8)
    beyond = [int(np.bitwise_or.reduce(column)) for column in words[:, last:].T]
    longer = any(beyond[1:]) or any(bits >> 8 * within for bits in beyond[:1])
    shorter = not cut[length - 1 :: length].all()  # no id contains a character 0
    return None if longer or shorter else cut


# Frames.


def frame_of(columns: Mapping[str, Column], library: str = "") -> Any:
    """Return a data frame of columns.

    ``library`` is ``"pandas"`` or ``"polars"``; by default the first of these that is installed.  Raises
    InexviewError if it is not installed.
    """
    if library and library not in LIBRARIES:
        raise InexviewError(f"there are no frames of {library!r}: name {' or '.join(LIBRARIES)}")
    for name in (library,) if library else LIBRARIES:
        try:
            made = import_module(name)
        except ImportError:
            continue
        return _made_by(name, made, columns)
    wanted = library or "pandas"
    raise InexviewError(f"{wanted} is not installed: pip install 'inexview[{wanted}]'")


def _made_by(name: str, library: Any, columns: Mapping[str, Column]) -> Any:
    arrow = _arrow()
    if arrow is None:
        plain = {key: own if isinstance(own, np.ndarray) else own.strings() for key, own in columns.items()}
        return library.DataFrame(plain)
    table = arrow.table({key: _arrow_column(own, arrow) for key, own in columns.items()})
    return table.to_pandas(split_blocks=True) if name == "pandas" else library.from_arrow(table)


def _arrow_column(column: Column, arrow: Any) -> Any:
    if isinstance(column, Names):
        return _arrow_of_names(column, arrow)
    if isinstance(column, Coded):
        return arrow.array(list(column.names), arrow.large_string()).take(arrow.array(column.codes))
    return arrow.array(column)


def html_of(title: str, heading: Sequence[str], rows: Iterable[Sequence[object]], count: int) -> str:
    """Return a title and the first rows of a table as HTML, for a notebook."""
    lines = [
        f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in row)}</tr>" for row in islice(rows, _SHOWN)
    ]
    head = "".join(f"<th>{escape(name)}</th>" for name in heading)
    more = f"<p>… {count - len(lines):,} more</p>" if count > len(lines) else ""
    return f"<p>{escape(title)}</p><table><tr>{head}</tr>{''.join(lines)}</table>{more}"


def axes_of(given: Any) -> Any:
    """Return matplotlib's axes, the given or new ones.  Raises InexviewError without matplotlib."""
    if given is not None:
        return given
    try:
        pyplot = import_module("matplotlib.pyplot")
    except ImportError:
        raise InexviewError("matplotlib is not installed: pip install 'inexview[plot]'") from None
    return pyplot.subplots()[1]
