"""The beginning of a file, as far as it tells the format: its first lines, or its first XML tags."""

from __future__ import annotations

import codecs
import json
import os
import re
from dataclasses import dataclass
from functools import cached_property
from heapq import nsmallest
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from inexview.core.errors import DataError
from inexview.core.formats.tables.byte_blocks import first_lines
from inexview.core.formats.tables.text_encoding import refuse_beginning
from inexview.core.packed_files import read_beginning
from inexview.core.xml.tag_names import plain_name

_ENOUGH = 1 << 16
_TAGS = 400  # first tags looked at: a long topic may be before the first judgement
_LINES = 100
JSON = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:\{\s*[\"}]|\[\s*[\[{\"\]])")
"""How a file of JSON begins, which a table may not."""
_JSON_MARKS = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[\]{},]', re.DOTALL)
_CLOSING = {"{": "}", "[": "]"}
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Tag(NamedTuple):
    """A start tag; its name is plain, whatever case and namespace it is in."""

    name: str
    attributes: dict[str, str]


@dataclass(frozen=True)
class Beginning:
    """The first tags of an XML file, or else the first lines of a text that are not blank.

    Of JSON it also has the first value, as far as the first bytes of the file hold it.
    """

    path: Path
    lines: tuple[bytes, ...] = ()
    tags: tuple[Tag, ...] = ()
    xml: bool = False
    json: Any = None

    @cached_property
    def first_object(self) -> dict[str, Any]:
        """The first JSON object, of a list the first member; empty where there is none."""
        first = self.json[0] if isinstance(self.json, list) and self.json else self.json
        return first if isinstance(first, dict) else {}

    @cached_property
    def keys(self) -> frozenset[str]:
        """The names of the first object's fields, or of the columns of a header, in plain spelling."""
        names = list(self.first_object) or [name.decode("utf-8", "replace") for name in self.header]
        return frozenset(map(plain_key, names))

    @property
    def header(self) -> list[bytes]:
        """The fields of the first line, as commas, semicolons or tabs part them."""
        first = self.lines[0] if self.lines else b""
        return [field.strip(b' "') for field in re.split(rb"[,;\t]", first)]

    @property
    def root(self) -> str:
        """The name of the root, "" where there is none."""
        return self.tags[0].name if self.tags else ""

    def matching(self, line: re.Pattern[bytes]) -> int:
        """Return how many of the lines are wholly of a form, fields one blank apart."""
        return sum(line.fullmatch(text) is not None for text in self._even_lines)

    def all_match(self, line: re.Pattern[bytes]) -> bool:
        return self.matching(line) == len(self.lines)

    @property
    def width(self) -> int:
        """How many fields most of the lines have; 0 where there is no line."""
        widths = [len(line.split()) for line in self.lines]
        return max(set(widths), key=widths.count, default=0)

    @cached_property
    def _even_lines(self) -> list[bytes]:
        return [b" ".join(text.split()) for text in self.lines]

    def first(self, *names: str) -> Tag | None:
        return next((tag for tag in self.tags if tag.name in names), None)


def beginning_of(path: str | Path) -> Beginning:
    """Look at the beginning of a file.

    Raises DataError where it cannot be read, or is neither XML nor a text table.
    """
    file = Path(path)
    data = _first_bytes(file)
    if JSON.match(data) and (first := first_value(data)) is not None:
        lines = tuple(filter(None, map(bytes.strip, data.removeprefix(codecs.BOM_UTF8).split(b"\n"))))
        return Beginning(file, lines=lines[:_LINES], json=first)
    if not looks_like_xml(data):
        refuse_beginning(data, file)
        lines = tuple(first_lines(file))
        return Beginning(file, lines=lines)
    if len(data) == _ENOUGH:  # never in the midst of a character, for encodings that are decoded as a whole
        data = data[: data.rfind(b">") + 1] or data
    return Beginning(file, tags=tuple(_first_tags(data)), xml=True)


def first_value(data: bytes) -> Any:
    """Return the first JSON value of a file, cut off where its first bytes end; None for what is no JSON."""
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
        return decoder.raw_decode(whole)[0] if len(data) == _ENOUGH else None
    except (ValueError, RecursionError):
        return None


def plain_key(name: str) -> str:
    """Return the name of a field as all spell it: "corpus-id" and "Corpus_ID" are "corpus_id"."""
    return name.strip().lower().replace("-", "_").replace(" ", "_")


def files_in(folder: Path, first: int | None = None, *, every: bool = False) -> list[Path]:
    """Return the XML files of a folder, or where it has none all its files, by name; hidden ones are none.

    ``every`` file whether XML or not, and no more than the ``first`` few, if that is asked for.  Raises
    DataError where the folder cannot be read.
    """
    try:
        with os.scandir(folder) as entries:
            names = [one.name for one in entries if not one.name.startswith(".") and one.is_file()]
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror or error}", path=folder) from error
    named = names if every else [name for name in names if name.lower().endswith(".xml")] or names
    chosen = sorted(named) if first is None else nsmallest(first, named)
    return [folder / name for name in chosen]


def _first_bytes(file: Path) -> bytes:
    """Return the first 64 kB, or nothing of what is no file: reading lines says what is wrong with it."""
    if not file.is_file():
        return b""
    return read_beginning(file, _ENOUGH)


def looks_like_xml(data: bytes) -> bool:
    """Tell whether the first bytes of a file are XML in any of its encodings."""
    for mark in _MARKS:
        data = data.removeprefix(mark)
    return data.lstrip(b" \t\r\n\0").startswith(b"<")


def _first_tags(data: bytes) -> list[Tag]:
    """Return the first start tags; entities are left alone, and what is not well-formed is for the reader."""
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
