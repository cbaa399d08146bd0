"""A collection: the documents that a pool, a qrels file or a run can name.

The id of an article in XML is its file's name without ``.xml`` if that is a number (the Wikipedia
collections, in any folders), and otherwise its path below the root without ``.xml`` (IEEE:
``co/2000/r7108``).  The id of texts, Markdown and HTML is the path, without the suffix if all have the same
suffix; in a collection with articles in XML they are ignored.  Records of a file contain their ids. If the
archive consists of one folder with the archive's own name, that folder is not part of the path.  Ids are
case-sensitive.  If two files have the same id, the one nearer the root is used, then the first by path, and a
warning is given.

Collections of millions of articles are listed once; the list, the *index*, is kept in the user's cache folder
(:mod:`inexview.core.collection.collection_index`) as long as the collection is unchanged.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import RLock
from time import monotonic
from typing import Any, Generic, TypeVar
from weakref import finalize

from inexview.core.article.blocks import BEGINNING
from inexview.core.article.document import Document, Scan
from inexview.core.article.plain_documents import PLAIN_KINDS, kind_of
from inexview.core.collection.collection_index import CachePlace, CollectionIndex, kept_index, make_index
from inexview.core.collection.kinds import open_named, open_source
from inexview.core.collection.listing import (
    PAUSE,
    ArticleSource,
    BrokenIndexError,
    CollectionFile,
    PlaceholderSource,
    is_article,
)
from inexview.core.collection.record_keys import USUAL_KEYS, RecordKeys
from inexview.core.errors import DataError, InexviewError
from inexview.core.files import is_there
from inexview.core.progress import Progress, unwatched
from inexview.core.text.counting import Characters
from inexview.core.wording import counted

# Facts about documents, one value each, found when they were read and remembered for the next time.
#
# A note is valid for an unchanged file: in a folder the file's size and modification time are noted too,
# and a changed archive starts without notes. Notes are written a few hundred at a time; if they cannot be
# written, work continues without them.

VERSION = 2
_NOTED_TOGETHER = 500

_TABLES = """
CREATE TABLE IF NOT EXISTS facts (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS notes (
    id TEXT PRIMARY KEY, value NOT NULL, size INTEGER NOT NULL, changed INTEGER NOT NULL
) WITHOUT ROWID;
"""

Mark = tuple[int, int]
"""A file's size and modification time; zeros in an archive, whose own stamp is used instead."""

Value = TypeVar("Value", bound=int | str)


class Notes(Generic[Value]):
    """The notes of one kind on one collection; several threads and processes may read and write."""

    def __init__(self, kind: type[Value], path: Path | None, stamp: str) -> None:
        """Open the notes of one ``kind`` at a path; None keeps them in memory for this session only."""
        self._kind = kind
        self._path = path
        self._stamp = stamp
        self._lock = RLock()
        self._waiting: dict[str, tuple[Value, Mark]] = {}
        self._connection: sqlite3.Connection | None = None

    def get(self, id: str, mark: Mark) -> Value | None:
        """Return the note on a document, None if there is none or its file has changed."""
        with self._lock:
            if id in self._waiting:
                value, noted = self._waiting[id]
                return value if noted == mark else None
            if self._path is None and self._connection is None:
                return None  # nothing was written in this session
            with suppress(sqlite3.Error, UnicodeError):
                row = (
                    self._opened()
                    .execute("SELECT value FROM notes WHERE id = ? AND size = ? AND changed = ?", (id, *mark))
                    .fetchone()
                )
                return row[0] if row and isinstance(row[0], self._kind) else None
            return None

    def of_many(self, ids: Sequence[str]) -> dict[str, Value]:
        """Return the notes on documents, much faster than one by one, even if their files changed."""
        with self._lock:
            self.save()
            marks = ", ".join("?" * len(ids))
            with suppress(sqlite3.Error, UnicodeError):
                rows: list[tuple[str, Any]] = (
                    self._opened()
                    .execute(f"SELECT id, value FROM notes WHERE id IN ({marks})", tuple(ids))
                    .fetchall()
                )
                return {id: value for id, value in rows if isinstance(value, self._kind)}
            return {}

    def note(self, id: str, value: Value, mark: Mark) -> None:
        with self._lock:
            self._waiting[id] = value, mark
            if len(self._waiting) >= _NOTED_TOGETHER:
                self.save()

    def save(self) -> None:
        with self._lock:
            rows = [(id, value, *mark) for id, (value, mark) in self._waiting.items()]
            if not rows:
                return
            self._waiting.clear()
            with suppress(sqlite3.Error, UnicodeError), self._opened() as connection:
                connection.executemany("INSERT OR REPLACE INTO notes VALUES (?, ?, ?, ?)", rows)

    def count(self) -> int:
        with self._lock:
            self.save()
            with suppress(sqlite3.Error, UnicodeError):
                return int(self._opened().execute("SELECT count(*) FROM notes").fetchone()[0])
            return 0

    def close(self) -> None:
        with self._lock:
            if self._path is not None:
                self.save()
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            try:
                self._connection = self._begun()
            except (sqlite3.DatabaseError, UnicodeDecodeError):
                if self._path is None:
                    raise
                with suppress(OSError):
                    self._path.unlink(missing_ok=True)
                self._connection = self._begun()
        return self._connection

    def _begun(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path or ":memory:", timeout=5, check_same_thread=False)
        try:
            connection.execute("PRAGMA synchronous = OFF")
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            connection.executescript(_TABLES)
            said = connection.execute("SELECT value FROM facts WHERE key = 'stamp'").fetchone()
            if version != VERSION or said != (self._stamp,):
                with connection:
                    connection.execute("DROP TABLE IF EXISTS lengths")  # of version 1
                    connection.execute("DELETE FROM notes")
                    connection.execute("INSERT OR REPLACE INTO facts VALUES ('stamp', ?)", (self._stamp,))
                connection.execute(f"PRAGMA user_version = {VERSION}")
        except BaseException:
            connection.close()
            raise
        return connection


def other_ids(id: str) -> list[str]:
    """Return alternative ids of a document: with or without a suffix, or with other composed letters."""
    plain = id if id.isascii() else unicodedata.normalize("NFC", id)
    kind = kind_of(plain)
    others = [plain[: plain.rfind(".")]] if kind is not None else []
    suffixes = [suffix for one in PLAIN_KINDS for suffix in one.suffixes] if "." not in plain[-9:] else []
    return [*([plain] if plain != id else []), *others, *(plain + suffix for suffix in suffixes)]


_TOGETHER = 500  # titles that are looked up at once

Answer = TypeVar("Answer")


def _remove(path: Path) -> None:
    """Remove a file that was made for a collection, with all that is stored for it."""
    CachePlace(path, small=False).forget_all()
    shutil.rmtree(path.parent, ignore_errors=True)


class Collection:
    """Documents by id; several threads may read at once.  A collection that was opened has to be closed.

    Opening lists nothing.  ``prepare`` makes the index or finds the one made before.  Without it, the first
    question that needs the index waits for it.
    """

    def __init__(self, path: Path, source: ArticleSource, keys: RecordKeys = USUAL_KEYS) -> None:
        self.path = path
        self.keys = keys
        """The names of the fields of its records, if given."""
        self._source = source
        self._lock = RLock()
        self._own_place: CachePlace | None = None
        self._index: CollectionIndex | None = None
        self._listed_as: str | None = None  # the stamp of the index
        self._noted: dict[str, Notes[Any]] = {}
        self._checked = False  # whether the index was verified

    @classmethod
    def open(cls, path: str | Path, keys: RecordKeys = USUAL_KEYS) -> Collection:
        """Open a folder tree, a .zip or a .tar(.gz, .bz2, .xz) of articles, or a file of records.

        ``keys`` name the fields of records.  Raises DataError if the path is missing or none of these, and
        InexviewError for keys that the records do not have.
        """
        path = Path(path)
        return cls(path, open_named(path, keys) if keys else open_source(path), keys)

    @classmethod
    def of(cls, texts: Mapping[str, str]) -> Collection:
        """Make a collection of texts by their ids.

        They are written to a file that is deleted with the collection.  Raises InexviewError for invalid ids
        or texts, and if there are none.
        """
        for id, text in texts.items():
            if not (isinstance(id, str) and id.strip() and isinstance(text, str)):
                raise InexviewError(
                    f"a collection needs a dictionary of ids and texts; the entry {id!r} does not fit"
                )
        if not texts:
            raise InexviewError("a collection needs at least one text")
        folder = Path(tempfile.mkdtemp(prefix="inexview-"))
        path = folder / "texts.jsonl"
        lines = (json.dumps({"id": id, "text": text}) for id, text in texts.items())
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        collection = cls.open(path)
        finalize(collection, _remove, path)
        return collection

    def close(self) -> None:
        """Save the noted lengths and titles, and close all files."""
        with self._lock:
            for opened in (*self._noted.values(), self._index, self._source):
                if opened is not None:
                    opened.close()
            self._noted.clear()
            self._index = None

    @property
    def lacks_text(self) -> bool:
        """Whether its documents are placeholders, because the articles are missing."""
        return isinstance(self._source, PlaceholderSource)

    @property
    def ready(self) -> bool:
        """Whether the index exists, so that no question takes long."""
        return self._index is not None

    def at_hand(self, id: str) -> bool:
        """Return whether a document can be read at once: its place is known, or its id gives it."""
        return self.ready or self._direct(id) is not None

    @property
    def place(self) -> CachePlace:
        """The place of its index and lengths."""
        with self._lock:
            if self._own_place is None:
                self._own_place = CachePlace(self.path, small=self._source.small())
            return self._own_place

    def prepare(self, progress: Progress = unwatched) -> None:
        """Make the index, or find the one made before.

        If the work is stopped, the next attempt continues from there.  Raises DataError if the archive is
        damaged, Cancelled.
        """
        self._prepared(progress)

    def require_articles(self, progress: Progress = unwatched, *, listed: bool = True) -> None:
        """Raise DataError, listing the files found, if no file of the collection is an article.

        Unless ``listed``, an archive that is not listed yet is assumed to hold some: listing takes time.
        """
        kinds: Counter[str] = Counter()
        if self._source.files and self._source.path.is_dir():
            for _, _, names in os.walk(self._source.path):
                if any(map(is_article, names)):
                    return
                kinds.update(Path(name).suffix.lower() or "no suffix" for name in names)
        elif not (listed or self.ready):
            return
        else:
            self.prepare(progress)
            if len(self):
                return
        others = ", ".join(f"{counted(count, 'file')} with {kind}" for kind, count in kinds.most_common(3))
        problem = "holds no document: each is a file that ends in .xml, .txt, .md or .html"
        raise DataError(f"{problem} (here: {others})" if others else problem, path=self.path)

    def check(self, progress: Progress = unwatched) -> None:
        """Verify the index before it is used for something lasting, and make a damaged one again.

        Raises the errors of ``prepare``.
        """
        with self._lock:
            if not self._prepared(progress).sound():
                self._forget_index()
                self._prepared(progress)

    def rebuild(self, progress: Progress = unwatched) -> None:
        """Make the index again in any case; raises the errors of ``prepare``."""
        with self._lock:
            self._forget_index()
            self._prepared(progress)

    def ids(self) -> Sequence[str]:
        """Return the ids of all documents: numbers in their order, then the others by name."""
        return self._ask(CollectionIndex.ids)

    def ids_as_stored(self) -> Iterator[str]:
        """Yield all ids in the order in which reading all documents is fastest."""
        return self._ask(CollectionIndex.ids_as_stored)

    @property
    def warnings(self) -> tuple[str, ...]:
        """The problems in the list of documents, in sentences."""
        said = self._ask(CollectionIndex.warnings)
        return said if self.place.warning is None else (self.place.warning, *said)

    def __len__(self) -> int:
        return self._ask(len)

    def __contains__(self, id: object) -> bool:
        return isinstance(id, str) and self._entry_or_none(id) is not None

    def holding(self, ids: Sequence[str]) -> set[str]:
        """Return which of some ids it contains, much faster than asking for one at a time."""
        if self._index is None:
            return {id for id in ids if id in self}
        held = self._ask(lambda index: index.holding(ids))
        if self._source.files and len(held) < len(ids):
            held |= {id for id in ids if id not in held and other_ids(id) and id in self}
        return held

    def lacking(self, ids: Iterable[str]) -> list[str]:
        """Return which of some ids it lacks, each once and in their order."""
        asked = list(dict.fromkeys(ids))
        held = self.holding(asked)
        return [id for id in asked if id not in held]

    def load(self, id: str) -> Document:
        """Read a document; raises DataError if it is missing, DocumentError if it is not XML."""
        entry = self._entry(id)
        mark = self._mark(id, entry)
        document = Document(id, self._scanned(self.read(id), entry))
        self._lengths.note(id, document.length, mark)
        return document

    def scan(self, id: str) -> Scan:
        """Read a document's text and elements in half the time of ``load``; raises the same errors."""
        return self._scanned(*self._read_with_entry(id))

    def text(self, id: str) -> str:
        """Read only the text of a document, without its elements; raises the errors of ``load``."""
        content, entry = self._read_with_entry(id)
        read = self._source.kind_of(entry).text
        return self._scanned(content, entry).text if read is None else read(content, entry.name)

    def characters(self, id: str) -> tuple[Characters, Scan]:
        """Read a document to count its characters, with its scan; raises the errors of ``load``."""
        content, entry = self._read_with_entry(id)
        found, name = self._scanned(content, entry), str(self.path / entry.name)
        written = self._source.kind_of(entry).written
        return Characters(found.text, lambda: written(content, found, name)), found

    def _scanned(self, content: bytes, entry: CollectionFile) -> Scan:
        return self._source.kind_of(entry).scan(content, str(self.path / entry.name))

    def read(self, id: str, limit: int | None = None) -> bytes:
        """Return a document's file, or its first bytes; raises DataError if it is missing or unreadable."""
        return self._read_with_entry(id, limit)[0]

    def length(self, id: str) -> int:
        """Return a document's length in code points, remembered after the first reading.

        Raises the errors of ``load``.
        """
        entry = self._entry(id)
        mark = self._mark(id, entry)
        known = self._lengths.get(id, mark)
        if known is None:
            known = len(self.text(id))
            self._lengths.note(id, known, mark)
        return known

    def noted_lengths(self, ids: Sequence[str]) -> dict[str, int]:
        """Return the lengths of those of some documents that were read before."""
        noted: dict[str, int] = {}
        for first in range(0, len(ids), _TOGETHER):
            noted.update(self._lengths.of_many(ids[first : first + _TOGETHER]))
        return noted

    def as_they_lie(self, ids: Sequence[str]) -> Sequence[str]:
        """Return these ids in the order in which an archive is read fastest; in a folder the order is the
        same.

        Ids that it does not contain come first.
        """
        if self.path.is_dir():
            return ids
        entries = {id: self._entry_or_none(id) for id in ids}
        places = {id: -1 if entry is None else entry.place for id, entry in entries.items()}
        return sorted(ids, key=places.__getitem__)

    def title(self, id: str) -> str:
        """Return a document's title from the first 8 kB of its file; its id if there is no title.

        The title is remembered.  Raises DataError if the document is missing or unreadable.
        """
        entry = self._entry(id)
        mark = self._mark(id, entry)
        title = self._titles.get(id, mark)
        if title is None:
            title = (
                self._source.kind_of(entry).title(self.read(id, BEGINNING), str(self.path / entry.name)) or id
            )
            self._titles.note(id, title, mark)
        return title

    def titles(self, ids: Sequence[str], progress: Progress = unwatched) -> Iterator[str]:
        """Yield the titles of documents, reading those not read before; the id if reading fails.

        Raises Cancelled.
        """
        for first in range(0, len(ids), _TOGETHER):
            some = ids[first : first + _TOGETHER]
            known = self._titles.of_many(some)
            for at, id in enumerate(some):
                progress("titles", first + at, len(ids))
                if id not in known:
                    try:
                        known[id] = self.title(id)
                    except DataError:
                        known[id] = id
                yield known[id]

    def fingerprint(self) -> str:
        """Return a fingerprint that changes with any document; in a folder all files are checked."""
        return self._source.fingerprint()

    def replaced(self) -> bool:
        """Return whether the archive has been replaced since it was listed; reading uses the old one then."""
        try:
            return self._listed_as is not None and self._source.stamp() != self._listed_as
        except DataError:  # missing, or cannot be checked
            return False

    def file_of(self, id: str) -> Path | None:
        """Return the file that a document is read from, the archive or its own; None if unknown."""
        entry = self._entry_or_none(id)
        return None if entry is None else self._source.file_of(entry)

    def mark(self, id: str) -> tuple[int, int]:
        """Return a mark that changes with a document's file in a folder; raises DataError if missing."""
        return self._mark(id, self._entry(id))

    @property
    def lengths_known(self) -> int:
        return self._lengths.count()

    def _read_with_entry(self, id: str, limit: int | None = None) -> tuple[bytes, CollectionFile]:
        try:
            return self._read_once(id, limit)
        except BrokenIndexError:
            self._forget_index()
            return self._read_once(id, limit)

    def _read_once(self, id: str, limit: int | None) -> tuple[bytes, CollectionFile]:
        entry, index = self._entry(id), self._index
        try:
            return self._source.read(entry, None if index is None else index.blocks, limit), entry
        except KeyError as error:
            raise self._missing(id) from error

    def _mark(self, id: str, entry: CollectionFile) -> tuple[int, int]:
        try:
            return self._source.mark(entry)
        except KeyError as error:
            raise self._missing(id) from error

    def _entry(self, id: str) -> CollectionFile:
        entry = self._entry_or_none(id) or self._entry_after_all(id)
        if entry is None:
            raise self._missing(id)
        return entry

    def _entry_after_all(self, id: str) -> CollectionFile | None:
        """Verify the index once before the first id is reported as missing: it may be damaged."""
        with self._lock:
            index, checked = self._index, self._checked
            self._checked = True
            if index is None or checked or index.rightly_lacks(id):
                return None
            self._forget_index()
        return self._entry_or_none(id)

    def _entry_or_none(self, id: str) -> CollectionFile | None:
        found = self._direct(id) or self._ask(lambda index: index.entry(id))
        if found is None and self._source.files:
            named = other_ids(id)
            found = self._ask(lambda index: next((hit for one in named if (hit := index.entry(one))), None))
        return found

    def _direct(self, id: str) -> CollectionFile | None:
        """Find a document at the place that its id gives, without listing millions of others."""
        return self._source.find(id) if self._index is None else None

    def _missing(self, id: str) -> DataError:
        if not is_there(self.path):
            return DataError(
                f"the articles are missing, including {id!r}: restore them, or choose their new folder",
                path=self.path,
            )
        if not os.access(self.path, os.R_OK | os.X_OK * self.path.is_dir()):
            return DataError("the articles cannot be read (permission denied)", path=self.path)
        there = f"has {len(self):,} others" if len(self) else "has no documents"
        return DataError(
            f"the collection has no document {id!r} (it {there}); check that pool, runs and collection "
            "belong together",
            path=self.path,
        )

    def _ask(self, question: Callable[[CollectionIndex], Answer]) -> Answer:
        """Ask the index; a damaged one is made again, once."""
        for _ in range(2):
            try:
                return question(self._prepared(unwatched))
            except BrokenIndexError:
                self._forget_index()
        raise DataError("the list of its articles was damaged repeatedly; check the disk", path=self.path)

    def _prepared(self, progress: Progress) -> CollectionIndex:
        began = monotonic()
        while not self._lock.acquire(timeout=PAUSE):
            progress("seconds waited for the list of articles", int(monotonic() - began), None)
        try:
            if self._index is None:
                self._listed_as = self._source.stamp()
                self._index = kept_index(self._source, self.place)
            if self._index is None:
                self._index = make_index(self._source, self.place, progress)
            return self._index
        finally:
            self._lock.release()

    def _forget_index(self) -> None:
        with self._lock:
            if self._index is not None:
                self._index.close()
                self._index = None
            self._source.close()
            self.place.forget()

    @property
    def _lengths(self) -> Notes[int]:
        return self._notes("lengths", int)

    @property
    def _titles(self) -> Notes[str]:
        return self._notes("titles", str)

    def _notes(self, name: str, kind: type[Value]) -> Notes[Value]:
        with self._lock:
            if name not in self._noted:
                path = None if self.place.small else self.place.file(name)
                self._noted[name] = Notes(kind, path, self._source.stamp())
            return self._noted[name]
