"""Collections whose documents are records of a file: lines of JSON or a table, SGML, a benchmark's texts.

A record is found by its place in the file, which is stored in the collection's index; a packed file is read
through its store.  Lines are read one at a time, so that memory is bounded for files of any size; JSON that
is one list, or indented, is read as a whole.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from inexview.core.article.document import Scan
from inexview.core.article.plain_documents import DocumentKind, decoded_text, scan_plain, universal
from inexview.core.benchmarks.bundle import Bundle
from inexview.core.benchmarks.span_benchmarks import joined
from inexview.core.collection.listing import (
    ArticleSource,
    BlockTable,
    CollectionFile,
    DataStream,
    KeptListing,
    Listing,
    PackedFile,
    PackedFiles,
    archive_stamp,
    explained,
    refuse_large,
)
from inexview.core.collection.record_keys import USUAL_KEYS, RecordKeys
from inexview.core.errors import DataError, DocumentError, InexviewError
from inexview.core.files import packing_of
from inexview.core.progress import Progress
from inexview.core.text.counting import Written
from inexview.core.text.json_values import MOST_BYTES, refuse_constant, without_repeats
from inexview.core.text.xml import MAX_BYTES

IDS = ("_id", "id", "docid", "doc_id", "docno", "document_id", "pid", "passage_id", "uuid")
TEXTS = ("text", "body", "segment", "passage", "contents", "content", "abstract")
"""Names of the fields that contain a record's id and its text, the most likely first."""

_ID = re.compile(
    rb'\s*\{\s*"(?:' + "|".join(IDS).encode() + rb')"\s*:\s*(?:"((?:[^"\\\x00-\x1f]|\\.)*)"|(-?\d+))'
)
_SMALL = 1 << 20  # bytes
_CHUNK = 1 << 18
_LOOK = 1000  # records between two progress reports
LONGEST_ID = 1000  # characters


@dataclass(frozen=True, eq=False)
class RecordForm:
    """How to split a file into records, find the id of each, and turn one into a text."""

    name: str
    id_of: Callable[[bytes], str]
    """Returns the id in a record; raises ValueError with a message if there is none."""
    scan: Callable[[bytes, str], Scan]
    sgml: bool = False
    header: bytes = b""
    """The header line of a table; empty without one."""


# JSON.


def parsed_record(data: bytes) -> dict[str, Any]:
    """Return the object of a record; raises ValueError with a message."""
    try:
        values = json.loads(data, object_pairs_hook=without_repeats, parse_constant=refuse_constant)
    except json.JSONDecodeError as error:
        raise ValueError(f"is not valid JSON: {error.msg} (character {error.pos + 1})") from error
    except RecursionError as error:
        raise ValueError("is nested too deeply") from error
    except UnicodeDecodeError as error:
        raise ValueError(f"is not UTF-8 (byte {error.start + 1})") from error
    if not isinstance(values, dict):
        raise ValueError("is not an object {…}")
    return values


def id_of_json(data: bytes) -> str:
    """Return the id of a record, reading only its beginning if the id is the first field."""
    if (found := _ID.match(data)) is not None and (found[1] is None or b"\\" not in found[1]):
        return (found[1] if found[1] is not None else found[2]).decode()
    values = parsed_record(data)
    for name in IDS:
        value = values.get(name)
        if isinstance(value, str | int) and not isinstance(value, bool) and str(value):
            return str(value)
    raise ValueError(f"has no id in a field of one of the names {', '.join(IDS)}")


def text_of_record(values: Mapping[str, Any]) -> tuple[str, list[tuple[int, int]]]:
    """Return the text of a record, and the places of its sentences if it is a list of them."""
    for name in TEXTS:
        value = values.get(name)
        if isinstance(value, str):
            return value, []
        if isinstance(value, list) and all(isinstance(one, str) for one in value):
            return joined(value, " ")
    raise ValueError(f"has no text in a field of one of the names {', '.join(TEXTS)}")


def scan_json(data: bytes, name: str) -> Scan:
    """Read a record of JSON; its title is shown but not counted as text.  Raises DocumentError."""
    try:
        values = parsed_record(data)
        text, sentences = text_of_record(values)
    except ValueError as error:
        raise DocumentError(str(error), path=name) from error
    if not text.isascii():
        text = text.encode("utf-8", "replace").decode() if _is_half(text) else text
    title = values.get("title")
    title = " ".join(title.split()) if isinstance(title, str) else ""
    return scan_plain(text, name, (), title, sentences)


def _is_half(text: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in text)


JSON_RECORDS = RecordForm("JSON lines", id_of_json, scan_json)


# Fields named by the user, if records have other names for their id and their text.


def _field(values: Mapping[str, Any], key: str) -> Any:
    """Return a field of an object, or None; a dot leads into a nested object."""
    if key in values or "." not in key:
        return values.get(key)
    first, _, rest = key.partition(".")
    inner = values.get(first)
    return _field(inner, rest) if isinstance(inner, dict) else None


def json_form(keys: RecordKeys) -> RecordForm:
    """Return how to read records in JSON with the given field names."""

    def id_of(data: bytes) -> str:
        if not keys.id:
            return id_of_json(data)
        value = _field(parsed_record(data), keys.id)
        if isinstance(value, str | int) and not isinstance(value, bool) and str(value):
            return str(value)
        raise ValueError(f"has no id in a field {keys.id}")

    def scan(data: bytes, name: str) -> Scan:
        try:
            values = parsed_record(data)
        except ValueError as error:
            raise DocumentError(str(error), path=name) from error
        told = {TEXTS[0]: _field(values, keys.text)} if keys.text else dict(values)
        told["title"] = _field(values, keys.title or "title")
        if keys.text and not isinstance(told[TEXTS[0]], str | list):
            raise DocumentError(f"has no text in a field {keys.text}", path=name)
        return scan_json(json.dumps(told).encode(), name)

    return RecordForm("JSON lines", id_of, scan)


def table_form(keys: RecordKeys, first: bytes) -> RecordForm:
    """Return how to read rows with columns given by number, or by name in the first line.

    Raises InexviewError for a missing column.
    """
    names = [name.strip() for name in first.decode("utf-8-sig", "replace").rstrip("\r\n").split("\t")]
    columns: dict[str, int] = {}
    for name, key in keys.content().items():
        if key in names:
            columns[name] = names.index(key)
        elif key.isdecimal() and 0 < int(key[:9]) <= len(names):
            columns[name] = int(key) - 1
        else:
            raise InexviewError(f"there is no column {key!r}; the first line has {', '.join(names)[:200]}")
    headed = any(key in names for key in keys.content().values())

    def fields_of(data: bytes) -> list[str]:
        return data.decode("utf-8", "replace").rstrip("\r\n").removeprefix("\ufeff").split("\t")

    def id_of(data: bytes) -> str:
        fields, at = fields_of(data), columns.get("id", 0)
        if at >= len(fields) or not fields[at].strip():
            raise ValueError(f"has no id in column {at + 1}")
        return fields[at].strip()

    def scan(data: bytes, name: str) -> Scan:
        row, warnings = decoded_text(data, name)
        fields = row.rstrip("\r\n").split("\t")
        text, title = columns.get("text", len(fields) - 1), columns.get("title", -1)
        if text >= len(fields):
            raise DocumentError(f"has no text in column {text + 1}", path=name)
        shown = fields[title] if 0 <= title < len(fields) else ""
        return scan_plain(fields[text], name, warnings, " ".join(shown.split()))

    return RecordForm("TSV", id_of, scan, header=first.strip() if headed else b"")


# Tables: an id and a text, sometimes with an address and a title between them (MS MARCO).


def id_of_row(data: bytes) -> str:
    id, tab, _ = data.partition(b"\t")
    if not tab or not id.strip():
        raise ValueError("has no id and text with a tab between them")
    return id.decode("utf-8", "replace").strip().removeprefix("\ufeff")


def scan_row(data: bytes, name: str) -> Scan:
    """Read a row: the last field is the text; of four the third is the title."""
    row, warnings = decoded_text(data, name)
    fields = row.rstrip("\r\n").split("\t", 3)
    title = fields[2] if len(fields) == 4 else ""
    text = fields[-1] if len(fields) != 3 else "\t".join(fields[1:])
    return scan_plain(text, name, warnings, " ".join(title.split()))


ROWS = RecordForm("TSV", id_of_row, scan_row)


# TREC: <DOC> with its <DOCNO>.

_DOCNO = re.compile(rb"<DOCNO>", re.IGNORECASE)
_TITLE = re.compile(r"<(TITLE|HEADLINE|HL)>", re.IGNORECASE)
# An unclosed tag extends to the end: searching an end after each beginning would take quadratic time.
_HEAD = re.compile(r"<(DOCNO|DOCID|DOCHDR|FILEID)>.*?(?:</\1>|\Z)", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"</?([A-Za-z][\w.-]*)(?:\s[^<>]*)?>|<!--.*?(?:-->|\Z)", re.DOTALL)
DOC_START, DOC_END = re.compile(rb"<DOC>", re.IGNORECASE), re.compile(rb"</DOC>", re.IGNORECASE)


def id_of_sgml(data: bytes) -> str:
    start = _DOCNO.search(data)
    end = data.find(b"</", start.end()) if start else -1
    id = data[start.end() : end].strip() if start and end >= 0 else b""
    if not id:
        raise ValueError("has no <DOCNO>")
    return id.decode("utf-8", "replace")


def scan_sgml(data: bytes, name: str) -> Scan:
    """Read a document of TREC: all text outside its tags, except its number and its header."""
    from html import unescape

    source, warnings = decoded_text(data, name)
    title = _title(source)
    body = _HEAD.sub("", universal(source))
    text = unescape(_TAG.sub("", body)).strip("\n")
    return scan_plain(text, name, warnings, " ".join(unescape(_TAG.sub("", title)).split()))


def _title(source: str) -> str:
    """Return the content of the first title tag, up to its end."""
    start = _TITLE.search(source)
    if start is None:
        return ""
    end = re.compile(f"</{start[1]}>", re.IGNORECASE).search(source, start.end())
    return source[start.end() : end.start()] if end else ""


SGML = RecordForm("TREC SGML", id_of_sgml, scan_sgml, sgml=True)


def _unwritten(_data: bytes, read: Scan, _name: str) -> Written:
    return Written(np.array([0], np.int64), np.array([len(read.text)], np.int64))


def _kind(form: RecordForm) -> DocumentKind:
    def title(data: bytes, name: str) -> str | None:
        return form.scan(data, name).title or None

    return DocumentKind(form.name, (), form.scan, _unwritten, title)


SHARD = re.compile(r"[^.].*\.(?:jsonl?|ndjson)(?:\.(?:gz|bz2|xz|zst))?", re.IGNORECASE)
"""The name of one of several files of records in a folder."""


def shards_in(folder: Path) -> list[os.DirEntry[str]]:
    """Return the files of records in a folder, by name; links are not followed."""
    with explained(folder, "the folder"), os.scandir(folder) as entries:
        listed = [one for one in entries if SHARD.fullmatch(one.name) and one.is_file(follow_symlinks=False)]
    return sorted(listed, key=lambda one: one.name)


class RecordSource(ArticleSource):
    """The records of a file, or of all files of a folder one after the other, packed or not."""

    files = False

    def __init__(self, path: Path, form: RecordForm, keys: RecordKeys = USUAL_KEYS) -> None:
        super().__init__(path)
        self._form, self._keys = form, keys
        self._packed: PackedFile | None = None
        if path.is_dir():
            self._packed = PackedFiles(path, [Path(one.path) for one in shards_in(path)])
        else:
            with explained(path, "the file"), path.open("rb") as file:
                packing = packing_of(file.read(8))
            if packing:
                self._packed = PackedFile(path, packing)
        self._document_kind = _kind(form)

    def stamp(self) -> str:
        """Return a stamp that changes with the file, or with any file of the folder."""
        named = "".join(f" {name}={key}" for name, key in self._keys.content().items())
        if not self.path.is_dir():
            return super().stamp() + named
        marks = [named]
        for one in shards_in(self.path):
            status = one.stat(follow_symlinks=False)
            marks.append(f"{one.name}\0{status.st_size}\0{status.st_mtime_ns}")
        return sha256("\n".join(marks).encode("utf-8", "surrogateescape")).hexdigest()

    def small(self) -> bool:
        with explained(self.path, "the file"):
            return self._packed is None and self.path.stat().st_size < _SMALL

    def fits(self, index: KeptListing) -> bool:
        return self._packed is None or index.blocks.holds()

    def kind_of(self, entry: CollectionFile) -> DocumentKind:
        return self._document_kind

    def list(self, listing: Listing, progress: Progress) -> None:
        """Write the places of all records to the listing; invalid records are skipped with a warning."""
        with explained(self.path, "the file"):
            place, total = listing.reached(), 0 if self.path.is_dir() else self.path.stat().st_size
            try:
                if self._packed is not None:
                    packed = self._packed

                    def pause() -> None:
                        progress("MB of the file listed", packed.taken >> 20, max(total, packed.taken) >> 20)
                        listing.save_in_time()

                    pieces = packed.unpacked(place, listing.blocks, pause)
                    with closing(pieces):
                        self._list(DataStream(pieces, place), listing, lambda _place: None)
                else:

                    def look(place: int) -> None:
                        progress("MB of the file listed", place >> 20, total >> 20)
                        listing.save_in_time()

                    with self.path.open("rb", buffering=0) as file:
                        file.seek(place)
                        self._list(DataStream(iter(lambda: file.read(_CHUNK), b""), place), listing, look)
            finally:
                listing.save()

    def _list(self, stream: DataStream, listing: Listing, look: Callable[[int], None]) -> None:
        for number, (place, data) in enumerate(_records(stream, self._form, self.path)):
            if self._form.header and data.strip() == self._form.header:
                continue
            try:
                id = self._form.id_of(data)
                if len(id) > LONGEST_ID:
                    raise ValueError(f"has an id of more than {LONGEST_ID} characters")
            except ValueError as error:
                listing.warn("records cannot be read; they were skipped", f"byte {place:,} {error}")
                continue
            listing.add(CollectionFile(id, place, len(data)), id)
            listing.reach(place + len(data))
            if number % _LOOK == 0:
                look(place)

    def read(self, entry: CollectionFile, blocks: BlockTable | None, limit: int | None = None) -> bytes:
        size = entry.size or 0  # a record is always read whole
        refuse_large(size, self.path)
        with explained(self.path, "the file"):
            if self._packed is not None:
                assert blocks is not None
                return self._packed.read(entry.place, size, blocks)
            return self.read_at(entry.place, size)

    def close(self) -> None:
        super().close()
        if self._packed is not None:
            self._packed.close()


def _records(stream: DataStream, form: RecordForm, path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the records from the stream's place on, each with its own place."""
    if form.sgml:
        yield from _documents(stream)
        return
    begin = stream.place
    lines = _lines(stream)
    first = next(lines, None)
    if first is None:
        return
    if form.name == JSON_RECORDS.name and begin == 0 and not _is_record(first[1]):
        yield from _values(b"".join((first[1], *(line for _, line in lines))), path)
        return
    for place, line in chain((first,), lines):
        if line.strip():
            yield place, line


def _is_record(line: bytes) -> bool:
    try:
        parsed_record(line.removeprefix(b"\xef\xbb\xbf"))
    except ValueError:
        return False
    return True


def _lines(stream: DataStream) -> Iterator[tuple[int, bytes]]:
    """Yield lines with their places; a line longer than any document is skipped."""
    place, left, size = stream.place, list[bytes](), 0
    while chunk := stream.read(_CHUNK):
        at = 0
        while (end := chunk.find(b"\n", at)) >= 0:
            line = b"".join((*left, chunk[at : end + 1]))
            yield place, line
            place, left, size, at = place + len(line), [], 0, end + 1
        left.append(chunk[at:])
        size += len(chunk) - at
        if size > MOST_BYTES:
            raise ValueError("a line is longer than any document")
    if size:
        yield place, b"".join(left)


def _documents(stream: DataStream) -> Iterator[tuple[int, bytes]]:
    place, left, looked = stream.place, bytearray(), 0
    while chunk := stream.read(_CHUNK):
        left += chunk
        at = 0
        while (start := DOC_START.search(left, at)) and (
            end := DOC_END.search(left, max(start.end(), looked))
        ):
            yield place + start.start(), bytes(left[start.start() : end.end()])
            at = end.end()
        kept = start.start() if start else max(len(left) - len(b"</DOC>"), at)
        del left[:kept]
        place, looked = place + kept, len(left) - len(b"</DOC>")  # the end tag may be cut in two
        if len(left) > MAX_BYTES:
            raise ValueError("a document has no </DOC>")


def _values(data: bytes, path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the objects of JSON that is one list, indented, or several values without line breaks."""
    if len(data) > MOST_BYTES:
        raise DataError(
            f"is not JSON lines, and is larger than {MOST_BYTES >> 20} MB: write one object per line",
            path=path,
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError("is not UTF-8", path=path, line=1 + data.count(b"\n", 0, error.start)) from error
    decoder = json.JSONDecoder(parse_constant=refuse_constant)
    at, place, counted = 0, len(data) - len(text.encode()), 0
    space = re.compile(r"[\s,\[\]]*")
    while True:
        at = space.match(text, at).end()  # type: ignore[union-attr]  # which always matches
        if at == len(text):
            return
        try:
            _, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            line = 1 + text.count("\n", 0, at)
            raise DataError("is not a JSON object from here on", path=path, line=line) from error
        place += len(text[counted:at].encode())
        record = text[at:end].encode()
        yield place, record
        place, counted, at = place + len(record), end, end


# The texts of a benchmark or an annotation tool, kept in memory while the collection is open.


class TextSource(ArticleSource):
    """Texts by their ids, read from a file as a whole when first needed."""

    files = False

    def __init__(self, path: Path, read: Callable[[], Bundle]) -> None:
        super().__init__(path)
        self._read = read
        self._bundle: Bundle | None = None

    @property
    def _held(self) -> Bundle:
        with self._lock:
            if self._bundle is None:
                self._bundle = self._read()
            return self._bundle

    def small(self) -> bool:
        return True

    def stamp(self) -> str:
        return archive_stamp(self.path) if self.path.is_file() else f"{len(self._held.texts)} texts"

    def list(self, listing: Listing, progress: Progress) -> None:
        texts = self._held.texts
        for done, id in enumerate(texts):
            progress("texts", done, len(texts))
            listing.add(CollectionFile(id), id)
        listing.save()

    def find(self, id: str) -> CollectionFile | None:
        return CollectionFile(id) if id in self._held.texts else None

    def read(self, entry: CollectionFile, blocks: BlockTable | None, limit: int | None = None) -> bytes:
        text = self._held.texts.get(entry.name)
        if text is None:
            raise KeyError(entry.name)
        return text.encode("utf-8", "surrogatepass")

    def kind_of(self, entry: CollectionFile) -> DocumentKind:
        title = self._held.titles.get(entry.name, "")

        def scan(data: bytes, name: str) -> Scan:
            return scan_plain(data.decode("utf-8", "replace"), name, (), title)

        return DocumentKind("text", (), scan, _unwritten, lambda _data, _name: title or None)
