"""JSON as tools write it: lines, one list, one object, or values one after the other, packed or not."""

from __future__ import annotations

import codecs
import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn

from inexview.core.errors import DataError
from inexview.core.files import read_beginning

MOST_BYTES = 1 << 29  # all of them are in memory while they are read

_SPACE = re.compile(r"\s*")
BEGINNING = 1 << 16
"""The bytes by which a file is recognised."""

JSON = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:\{\s*[\"}]|\[\s*[\[{\"\]])")
"""The beginning of a JSON file; no table may begin so."""
_JSON_MARKS = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[\]{},]', re.DOTALL)
_CLOSING = {"{": "}", "[": "]"}
_MAY_BE_HALF = re.compile(r"\\u[dD][89a-fA-F]")


def json_values(text: str, path: Path) -> Iterator[tuple[Any, int]]:
    """Yield the values of JSON, in lines or one after the other, each with its first line.

    Raises DataError, with the line, for invalid JSON, repeated names, deep nesting or half a surrogate pair.
    """
    decoder = json.JSONDecoder(object_pairs_hook=without_repeats, parse_constant=refuse_constant)
    at, line = _SPACE.match(text).end(), 1  # type: ignore[union-attr]  # always matches
    line += text.count("\n", 0, at)
    while at < len(text):
        try:
            value, end = decoder.raw_decode(text, at)
        except json.JSONDecodeError as error:
            raise DataError(f"is not valid JSON: {error.msg}", path=path, line=error.lineno) from error
        except (ValueError, RecursionError) as error:
            problem = "is nested too deeply" if isinstance(error, RecursionError) else str(error)
            raise DataError(problem, path=path, line=line) from error
        if _MAY_BE_HALF.search(text, at, end) and not _is_whole(value):
            raise DataError("holds half a character (a lone surrogate)", path=path, line=line)
        yield value, line
        end = _SPACE.match(text, end).end()  # type: ignore[union-attr]
        line += text.count("\n", at, end)
        at = end


def _is_whole(value: Any) -> bool:
    """Return whether all texts of a value can be written; lone surrogates cannot."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of its fields; raises ValueError if a name is given twice."""
    values = dict(pairs)
    if len(values) < len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise ValueError(f"gives '{name[:60]}' twice")
            seen.add(name)
    return values


def refuse_constant(name: str) -> NoReturn:
    """Refuse NaN and the infinities, which are not JSON."""
    raise ValueError(f"is not a line of JSON: {name} is not a number")


def whole_file(path: Path) -> bytes:
    """Return the bytes of a file, unpacked; raises DataError if it is missing or too large."""
    data = read_beginning(path, MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise DataError(f"is larger than {MOST_BYTES >> 20} MB; split it", path=path)
    return data


def text_of_file(path: Path) -> str:
    """Return a whole text file; raises the errors of ``whole_file``, and DataError if it is not UTF-8."""
    data = whole_file(path)
    try:
        return data.removeprefix(codecs.BOM_UTF8).decode()
    except UnicodeDecodeError as error:
        line = 1 + data.count(b"\n", 0, error.start)
        problem = f"byte 0x{data[error.start]:02x} is not UTF-8: save the file as UTF-8"
        raise DataError(problem, path=path, line=line) from None


def objects_of(path: Path) -> Iterator[tuple[dict[str, Any], int]]:
    """Yield the objects of a JSON file of any shape and the members of lists, each with its line.

    Raises DataError for other values, and the errors of ``json_values`` and ``text_of_file``.
    """
    for value, line in json_values(text_of_file(path), path):
        for member in value if isinstance(value, list) else (value,):
            if not isinstance(member, dict):
                raise DataError(f"is not an object {{…}}: {json.dumps(member)[:60]}", path=path, line=line)
            yield member, line


def csv_rows(path: Path, *, alone: bool = False) -> Iterator[tuple[dict[str, str], int]]:
    """Yield the rows of a CSV file with a header, each with its last line; the length of fields is unlimited.

    ``alone`` leaves out rows of one field, as Quepid writes queries without ratings.  Raises DataError for
    another row with more or fewer fields than the header, and the errors of ``text_of_file``.
    """
    text = text_of_file(path)
    csv.field_size_limit(MOST_BYTES)
    reader = csv.reader(io.StringIO(text, newline=""))
    try:
        header = [name.strip() for name in next(reader, [])]
        for fields in reader:
            if not fields or (alone and len(fields) == 1):
                continue
            if len(fields) != len(header):
                problem = f"has {len(fields)} fields where the header has {len(header)}"
                raise DataError(problem, path=path, line=reader.line_num)
            yield dict(zip(header, fields, strict=True)), reader.line_num
    except csv.Error as error:
        raise DataError(f"is not valid CSV: {error}", path=path, line=reader.line_num) from error


def first_value(data: bytes) -> Any:
    """Return the first JSON value from the first bytes of a file, even if cut off; None if it is not JSON."""
    text = data.decode("utf-8-sig", "ignore").lstrip()
    decoder = json.JSONDecoder()
    try:
        return decoder.raw_decode(text)[0]
    except (ValueError, RecursionError):
        pass
    marks = list(_JSON_MARKS.finditer(text))
    while marks and marks[-1][0] != ",":
        marks.pop()
    ends: list[str] = []
    for match in marks:
        mark = match[0]
        if mark in _CLOSING:
            ends.append(_CLOSING[mark])
        elif mark in "]}" and ends:
            ends.pop()
    whole = text[: marks[-1].start()] + "".join(reversed(ends)) if marks else ""
    try:
        return decoder.raw_decode(whole)[0] if len(data) == BEGINNING else None
    except (ValueError, RecursionError):
        return None


def plain_key(name: str) -> str:
    """Return the name of a field in plain spelling: "corpus-id" and "Corpus_ID" become "corpus_id"."""
    return name.strip().lower().replace("-", "_").replace(" ", "_")


def written_like(values: Sequence[Any], like: str) -> str:
    """Write JSON values in the layout of a file: one value indented in the same way, several in lines."""
    end = "\n" * like.endswith("\n")
    if len(values) == 1:
        return like_it(values[0], like) + end
    ascii_only = like.isascii() and "\\u" in like
    return "\n".join(json.dumps(value, ensure_ascii=ascii_only) for value in values) + end


def rewritten(path: Path, change: Callable[[dict[str, Any]], None]) -> str:
    """Return a JSON file of objects, each changed in place, in the same layout.

    Raises the errors of ``json_values`` and ``text_of_file``.
    """
    like = text_of_file(path)
    values = [value for value, _ in json_values(like, path)]
    for value in values:
        for member in value if isinstance(value, list) else (value,):
            change(member)
    return written_like(values, like)


def like_it(values: Any, like: str) -> str:
    """Write JSON in the layout of a file: one object a line, or with the same indentation."""
    indent = re.search(r"\n( +|\t+)\S", like[:2000]) if like.lstrip()[:1] in "[{" else None
    wide: int | str | None = None
    if indent is not None:
        wide = len(indent[1]) if indent[1][0] == " " else indent[1]
    ascii_only = like.isascii() and "\\u" in like
    return json.dumps(values, ensure_ascii=ascii_only, indent=wide)
