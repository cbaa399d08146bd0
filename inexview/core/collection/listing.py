"""Packed tars are kept unpacked in blocks that can each be read alone, so that any place is reached quickly.

None of them can be entered cheaply in the middle: gzip needs the 32 kB before any place, most .xz files are
one block, and a block of bzip2 takes 30 to 50 ms to unpack.  While such an archive is listed for the first
time, its data are therefore written to a file in the cache folder (the *store*).  The store consists of
blocks of ``BLOCK_BYTES``, each a zlib stream with zlib's check sum; a :class:`BlockTable` gives the block of
each place.  Articles take about 27 % of their size there.

Interrupted work continues after the last block in the table; the archive is unpacked up to there again.
"""

from __future__ import annotations

import json
import os
import sqlite3
import unicodedata
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import cached_property, partial
from hashlib import blake2b, sha256
from io import BytesIO
from itertools import accumulate
from pathlib import Path
from shutil import disk_usage
from stat import S_ISLNK, S_ISREG
from threading import RLock
from time import monotonic, time_ns
from typing import IO, Any, NamedTuple, Protocol

from inexview.core.article.plain_documents import KINDS, XML, DocumentKind, kind_of
from inexview.core.errors import DataError, DocumentError, reported
from inexview.core.files import packing_of, unpacker, unpacking_errors
from inexview.core.progress import Progress
from inexview.core.text.search import PLACEHOLDER
from inexview.core.text.xml import MAX_BYTES
from inexview.core.wording import counted

BLOCK_BYTES = 1 << 18
SPARED_BYTES = 512 << 20  # bytes of disk space that the store leaves free for others
_KEPT = 4  # blocks that stay unpacked, because neighbours are often read together
_LEVEL = 1  # zlib's; 6 would save a fifth of the space and take four times as long
_LOOK = 256  # blocks between two checks of the free space

# Data that unpack further than any text are a bomb.
_BOMB_RATIO = 250
_BOMB_FREE = 256 << 20


DAMAGED = (sqlite3.DatabaseError, UnicodeDecodeError)
"""The errors of SQLite for a damaged file; UnicodeDecodeError if the error message itself is damaged."""


class BrokenIndexError(DataError):
    """The index, or the store, cannot be read and has to be made again."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            "the stored index of the collection is damaged; open the collection again to rebuild it",
            path=path,
        )


class PackedBlock(NamedTuple):
    """``size`` bytes of the unpacked data from ``offset`` on, stored at ``[start, stop)`` of the store."""

    offset: int
    size: int
    start: int
    stop: int

    @property
    def end(self) -> int:
        """The position of the next block in the unpacked data."""
        return self.offset + self.size


class BlockTable:
    """The blocks of a packed archive, in the SQLite file of its listing or index; data in ``store``."""

    def __init__(self, connection: sqlite3.Connection, lock: RLock, store: Path) -> None:
        self._connection = connection
        self._lock = lock
        self.store = store

    def at(self, place: int) -> PackedBlock | None:
        """Return the block that holds a place of the unpacked data, or the last block before that place."""
        try:
            with self._lock:
                row = self._connection.execute(
                    "SELECT offset, size, start, stop FROM blocks WHERE offset <= ? "
                    "ORDER BY offset DESC LIMIT 1",
                    (place,),
                ).fetchone()
        except DAMAGED as error:
            raise BrokenIndexError(self.store) from error
        if row and not all(isinstance(number, int) for number in row):
            raise BrokenIndexError(self.store)
        return PackedBlock(*row) if row else None

    def last(self) -> PackedBlock | None:
        return self.at((1 << 63) - 1)

    def holds(self) -> bool:
        """Return whether the store exists and is as long as the blocks require."""
        last = self.last()
        return last is None or (self.store.exists() and self.store.stat().st_size >= last.stop)

    def add(self, block: PackedBlock) -> None:
        with self._lock:
            self._connection.execute("INSERT INTO blocks VALUES (?, ?, ?, ?)", block)

    def clear(self) -> None:
        with self._lock:
            self._connection.execute("DELETE FROM blocks")


class PackedFile:
    """A packed file that is read through its store, by several threads if needed."""

    def __init__(self, path: Path, packing: str) -> None:
        self._path = path
        self._packing = packing
        self._lock = RLock()
        self._store: IO[bytes] | None = None
        self._kept: dict[PackedBlock, bytes] = {}
        self.taken = 0
        """Bytes of the packed file that were unpacked."""

    def unpacked(
        self, place: int, table: BlockTable, pause: Callable[[], None]
    ) -> Generator[bytes, None, None]:
        """Yield the unpacked data from a place on, and add missing blocks to the store.

        ``pause`` is called after each block has been added to the table.  Raises OSError, EOFError, … for the
        packed file, ValueError for a bomb, DataError if the store cannot be written.
        """
        self.close()
        if not table.holds():
            table.clear()
        last = table.last()
        offset, known, stop = 0, last.end if last else 0, last.stop if last else 0
        problem = "the archive cannot be kept unpacked here ({}); is the disk full?"
        # an error of the store: the archive is unchanged
        reporting = partial(reported, table.store, problem, OSError)
        with reporting():
            table.store.touch()
        with self._opened() as (file, taken), table.store.open("r+b") as store:
            with reporting():
                store.truncate(stop)
                store.seek(stop)
            while data := file.read(min(BLOCK_BYTES, known - offset) if offset < known else BLOCK_BYTES):
                self.taken = taken()
                if offset + len(data) > _BOMB_FREE + _BOMB_RATIO * self.taken:
                    raise ValueError(
                        f"it unpacks to more than {_BOMB_RATIO} times its size, which no text does"
                    )
                if offset >= known:
                    folder = table.store.parent
                    if offset // BLOCK_BYTES % _LOOK == 0 and disk_usage(folder).free < SPARED_BYTES:
                        raise DataError(
                            f"there is not enough space to unpack it in {folder}; free some, or unpack it "
                            "yourself and choose the folder",
                            path=self._path,
                        )
                    packed = zlib.compress(data, _LEVEL)
                    with reporting():
                        store.write(packed)
                        store.flush()
                    table.add(PackedBlock(offset, len(data), stop, stop + len(packed)))
                    stop += len(packed)
                offset += len(data)
                pause()
                if offset > place:
                    yield data[max(place - offset + len(data), 0) :]

    @contextmanager
    def _opened(self) -> Iterator[tuple[Any, Callable[[], int]]]:
        """Open the unpacked data; the function yielded with them returns how many packed bytes were read."""
        with self._path.open("rb") as raw, unpacker(self._packing, raw) as file:
            yield file, raw.tell

    def read(self, place: int, size: int, table: BlockTable) -> bytes:
        """Return ``size`` unpacked bytes from a place on, fewer at the end."""
        pieces = []
        while size > 0 and (block := table.at(place)) is not None and place < block.end:
            start = place - block.offset
            piece = self._block(block, table.store)[start : start + size]
            if not piece:
                raise BrokenIndexError(table.store)
            pieces.append(piece)
            place += len(piece)
            size -= len(piece)
        return b"".join(pieces)

    def close(self) -> None:
        with self._lock:
            self._kept.clear()
            if self._store is not None:
                self._store.close()
                self._store = None

    def _block(self, block: PackedBlock, store: Path) -> bytes:
        with self._lock:
            data = self._kept.pop(block, None)
            if data is None:
                try:
                    if self._store is None:
                        self._store = store.open("rb")
                    self._store.seek(block.start)
                    data = zlib.decompress(self._store.read(block.stop - block.start), bufsize=block.size)
                except (OSError, ValueError, zlib.error) as error:
                    raise BrokenIndexError(store) from error
            self._kept[block] = data
            if len(self._kept) > _KEPT:
                del self._kept[next(iter(self._kept))]
            return data


class PackedFiles(PackedFile):
    """Files, packed or not, read one after the other, with a line end after each."""

    def __init__(self, path: Path, files: Sequence[Path]) -> None:
        super().__init__(path, "")
        self._files = files

    @contextmanager
    def _opened(self) -> Iterator[tuple[Any, Callable[[], int]]]:
        done = 0

        def pieces() -> Generator[bytes, None, None]:
            nonlocal done
            for path in self._files:
                with path.open("rb") as raw:
                    packing = packing_of(raw.peek(8))
                    file = raw if packing is None else unpacker(packing, raw)
                    last = b""
                    while data := file.read(BLOCK_BYTES):
                        yield data
                        last = data[-1:]
                    done += raw.tell()
                if last != b"\n":
                    yield b"\n"

        with closing(pieces()) as chained:
            yield DataStream(chained, 0), lambda: done


class DataStream:
    """Data that arrive in pieces, read once from a place on."""

    def __init__(self, pieces: Iterator[bytes], place: int) -> None:
        self.place = place
        self._pieces = pieces
        self._piece = BytesIO()

    def read(self, size: int) -> bytes:
        """Return the next bytes, fewer at the end."""
        data = self._piece.read(size)
        while len(data) < size and (piece := next(self._pieces, b"")):
            self._piece = BytesIO(piece)
            data += self._piece.read(size - len(data))
        self.place += len(data)
        return data

    def skip(self, size: int) -> bool:
        """Skip bytes; return whether there were that many."""
        while size > 0 and (data := self.read(min(size, BLOCK_BYTES))):
            size -= len(data)
        return size == 0


# The files of a folder, and what each kind of archive offers to a collection: entries, blocks, the list.

# Names are paths below the root with "/" on every system. Nothing is unpacked to the path that a name gives,
# symbolic links are not followed, and no file yields more than MAX_BYTES, whatever size an archive states.

MAX_NAME = 4096  # characters


class CollectionFile(NamedTuple):
    """A file of a collection, with all that is needed to read it."""

    name: str
    place: int = 0
    """In a tar, the start of the file in bytes of the unpacked tar; in a zip, the start of its header."""
    size: int | None = None
    """Bytes; None in a folder, where the file system is asked when needed."""
    packed: int = 0
    """Bytes in the zip."""
    method: int = 0
    """The compression method in the zip; see :mod:`inexview.core.collection.archives`."""
    check: int = 0
    """The zip's CRC-32."""


def document_id(name: str) -> str:
    """Return the id of the document in a file, from the file's path below the root with "/".

    The id is the path without its suffix; for an article in XML named by a number, the number alone.
    Composed and decomposed letters give the same id, however the file system writes them.
    """
    path = name[: name.rfind(".")] if kind_of(name) is not None else name
    if not path.isascii():
        path = unicodedata.normalize("NFC", path)
    last = path.rsplit("/", 1)[-1]
    return last if kind_of(name) is XML and last.isascii() and last.isdigit() else path


def is_article(name: str) -> bool:
    """Return whether a file name is that of a document: by its suffix, and not hidden."""
    last = name.rsplit("/", 1)[-1]
    return kind_of(name) is not None and not last.startswith(".") and not name.startswith("__MACOSX/")


def archive_stamp(path: Path) -> str:
    """Return a stamp that changes with the file: its size and modification time."""
    with explained(path, "the archive"):
        status = path.stat()
    return f"{status.st_size} {status.st_mtime_ns}"


def refuse_large(size: int, path: Path) -> None:
    """Raise DocumentError if a file is too large to be an article."""
    if size > MAX_BYTES:
        raise DocumentError(f"the file is larger than {MAX_BYTES >> 20} MB; it is skipped", path=path)


@contextmanager
def explained(path: Path | str | os.PathLike[str], what: str) -> Iterator[None]:
    """Turn any error inside files and archives into a DataError with a readable message."""
    try:
        yield
    except unpacking_errors() as error:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise DocumentError(
            f"{what} cannot be read ({reason}); is it complete?", path=os.fspath(path)
        ) from error


# The files found in a collection so far: a SQLite file that survives a kill.
#
# A source adds entries, blocks and folders and reports its position; `save` commits them together. The next
# attempt continues from the last save. When everything is listed, `write_index` sorts it.

VERSION = 2
_NOTED = 1000  # warnings of one kind that are kept; the rest are counted
_SAID = 5

_TABLES = """
CREATE TABLE IF NOT EXISTS facts (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS found (
    id TEXT NOT NULL, rank, depth INTEGER NOT NULL, name TEXT NOT NULL, place INTEGER NOT NULL,
    size INTEGER, packed INTEGER NOT NULL, method INTEGER NOT NULL, crc INTEGER NOT NULL,
    folder INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS found_in ON found (folder) WHERE folder <> 0;
CREATE TABLE IF NOT EXISTS blocks (
    offset INTEGER PRIMARY KEY, size INTEGER NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS folders (
    number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, parent INTEGER, changed INTEGER,
    files INTEGER NOT NULL, print INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS folders_below ON folders (parent);
CREATE TABLE IF NOT EXISTS warnings (folder INTEGER NOT NULL, kind TEXT NOT NULL, about TEXT NOT NULL);
"""


class Listing:
    """The files found in a collection so far; used by one thread of one process at a time."""

    def __init__(self, path: Path | None, store: Path, stamp: str) -> None:
        """Open the listing of this version of an archive, or begin one; in memory if the path is None."""
        self.lock = RLock()
        self.connection = _opened(path, stamp)
        self.blocks = BlockTable(self.connection, self.lock, store)
        self._kinds: dict[str, int] = {}  # how often each warning was given
        self._folder = 0  # the folder being listed
        self._changed = False
        self._reached: int | None = None  # the source's own count, once it has reported a position
        self._saved = monotonic()

    def add(self, entry: CollectionFile, id: str | None = None) -> None:
        """Add a document; its id is derived from its file name unless given."""
        self._touch()
        name = entry.name
        id = document_id(name) if id is None else id
        self.connection.execute(
            "INSERT INTO found VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (id, _rank(id), name.count("/"), *entry, self._folder),
        )

    def warn(self, kind: str, about: str = "") -> None:
        """Record a warning; thousands of one kind become one sentence."""
        count = self._kinds[kind] = self._kinds.get(kind, 0) + 1
        if count <= _NOTED:
            self.connection.execute("INSERT INTO warnings VALUES (?, ?, ?)", (self._folder, kind, about))

    def reached(self) -> int:
        """Return the position that the source reported, in its own count; 0 at the beginning."""
        reached = self._fact("reached")
        return reached if isinstance(reached, int) else 0

    def reach(self, place: int) -> None:
        self._reached = place

    def save(self) -> None:
        """Commit everything recorded so far."""
        if self._reached is not None:
            self.connection.execute("INSERT OR REPLACE INTO facts VALUES ('reached', ?)", (self._reached,))
        self.connection.commit()
        self._saved = monotonic()

    def save_in_time(self) -> None:
        """Save if a kill would now lose much work."""
        if monotonic() - self._saved > SAVED:
            self.save()

    def folders(self) -> Folders:
        return Folders(self)

    @property
    def indexed(self) -> bool:
        """Whether an index has been made of exactly the contents of the listing."""
        return not self._changed and self._fact("indexed") is not None

    def note_indexed(self) -> None:
        self._changed = False
        self.connection.execute("INSERT OR REPLACE INTO facts VALUES ('indexed', 1)")
        self.save()

    def replace_files(
        self, folder: Folder, files: Iterable[str], before: tuple[int, int] | None
    ) -> tuple[int, int]:
        """Replace the files of a folder; return their number and a fingerprint of their names.

        If both equal ``before``, nothing has changed.
        """
        ask = self.connection.execute
        was_changed, was_warned = self._changed, sum(self._kinds.values())
        ask("SAVEPOINT look")
        self._touch()
        for table in ("found", "warnings"):
            ask(f"UPDATE {table} SET folder = -1 WHERE folder = ?", (folder.number,))
        count = print_ = 0
        self._folder = folder.number
        try:
            for file in files:
                count += 1
                self.add(CollectionFile(file))
                fingerprint = int.from_bytes(blake2b(file.encode(), digest_size=7).digest(), "big")
                print_ = print_ + fingerprint & (1 << 62) - 1
        finally:
            self._folder = 0
        print_ += sum(self._kinds.values()) - was_warned
        if (count, print_) == before:
            ask("ROLLBACK TO look")
            self._changed = was_changed
        else:
            for table in ("found", "warnings"):
                ask(f"DELETE FROM {table} WHERE folder = -1")
        ask("RELEASE look")
        return count, print_

    def warnings(self) -> list[str]:
        rows = self.connection.execute(
            "SELECT DISTINCT kind, about FROM warnings ORDER BY kind, about"
        ).fetchall()
        kinds: dict[str, list[str]] = {}
        for kind, about in rows:
            kinds.setdefault(kind, []).append(about)
        return [_sentence(kind, abouts, self._kinds.get(kind, 0)) for kind, abouts in kinds.items()]

    def close(self) -> None:
        """Close the listing; unsaved entries are lost."""
        self.connection.close()

    def _touch(self) -> None:
        if not self._changed:
            self._changed = True
            self.connection.execute("DELETE FROM facts WHERE key = 'indexed'")

    def _fact(self, key: str) -> object:
        row = self.connection.execute("SELECT value FROM facts WHERE key = ?", (key,)).fetchone()
        return row[0] if row else None


class Folder(NamedTuple):
    """A listed folder; ``changed`` is the time of its last change, None if it has to be listed again."""

    number: int
    name: str
    changed: int | None
    files: int


class Folders:
    """The folders of a listing, each with the files found in it."""

    def __init__(self, listing: Listing) -> None:
        self._listing = listing
        self._ask = listing.connection.execute

    def of(self, name: str) -> Folder | None:
        """Return a folder by its name, "" for the root."""
        row = self._ask("SELECT number, name, changed, files FROM folders WHERE name = ?", (name,)).fetchone()
        return Folder(*row) if row else None

    def below(self, folder: Folder) -> list[str]:
        return [name for (name,) in self._ask("SELECT name FROM folders WHERE parent = ?", (folder.number,))]

    def listed_again(self, name: str, files: Iterable[str], folders: list[str]) -> Folder:
        """Replace the contents of a folder; ``folders`` is read after ``files`` are exhausted."""
        known = self._ask("SELECT number, files, print FROM folders WHERE name = ?", (name,)).fetchone()
        if known is None:
            self._ask("INSERT INTO folders VALUES (NULL, ?, NULL, NULL, -1, 0)", (name,))
            known = self._ask("SELECT number, files, print FROM folders WHERE name = ?", (name,)).fetchone()
        folder = Folder(known[0], name, None, 0)
        count, print_ = self._listing.replace_files(folder, files, known[1:])
        self._ask("UPDATE folders SET files = ?, print = ? WHERE number = ?", (count, print_, folder.number))
        before, names = set(self.below(folder)), set(folders)
        for gone in before - names:
            self._forget(gone)
        self._listing.connection.executemany(
            "INSERT INTO folders VALUES (NULL, ?, ?, NULL, -1, 0)",
            ((new, folder.number) for new in names - before),
        )
        return folder._replace(files=count)

    def note_change(self, folder: Folder, changed: int | None) -> None:
        """Record when a folder that was just listed last changed, None if that is uncertain."""
        self._ask("UPDATE folders SET changed = ? WHERE number = ?", (changed, folder.number))

    def _forget(self, name: str) -> None:
        waiting = [name]
        while waiting:
            folder = self.of(waiting.pop())
            if folder is not None:
                waiting += self.below(folder)
                self._listing.replace_files(folder, (), None)
                self._ask("DELETE FROM folders WHERE number = ?", (folder.number,))


def _opened(path: Path | None, stamp: str) -> sqlite3.Connection:
    """Open a listing's file; a damaged one, or one of another version or archive, is started again."""
    if path is None:
        return _prepared(sqlite3.connect(":memory:", check_same_thread=False), stamp)
    for attempt in range(2):
        connection = sqlite3.connect(path, check_same_thread=False)
        try:
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            known = "SELECT value FROM facts WHERE key = 'stamp'"
            if attempt or (version == VERSION and connection.execute(known).fetchone() == (stamp,)):
                return _prepared(connection, stamp)
        except DAMAGED:
            if attempt:
                raise
        connection.close()
        delete_listing(path)
    raise AssertionError


def delete_listing(path: Path) -> None:
    for left in (path, path.with_name(path.name + "-wal")):
        left.unlink(missing_ok=True)


def _prepared(connection: sqlite3.Connection, stamp: str) -> sqlite3.Connection:
    # The writer holds the lock of the index.  With a write-ahead log, saving does not wait for the disk, and
    # neither a kill nor a power cut leaves half of a save.
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.executescript(_TABLES)
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("PRAGMA cache_size = -16000")
    connection.execute("INSERT OR REPLACE INTO facts VALUES ('stamp', ?)", (stamp,))
    connection.commit()
    return connection


def _rank(id: str) -> int | str | bytes:
    """Return a key by which SQLite sorts documents in reading order: numbers by value, then names."""
    if not (id.isascii() and id.isdigit()):
        return b""
    digits = id.lstrip("0") or "0"
    return int(digits) if len(digits) < 19 else f"{len(digits):06}{digits}"


def _sentence(kind: str, abouts: list[str], count: int) -> str:
    count = max(count, len(abouts))
    if abouts == [""]:
        return kind
    some = ", ".join(abouts[:_SAID]) + (", …" if count > _SAID else "")
    return f"{count:,} {kind}: {some}"


# The interface of folders and all kinds of archive to a collection, and the names of listed files.

PAUSE = 0.2  # seconds between two checks of a lock
SAVED = 1.0  # seconds of listing that a kill may lose


class KeptListing(Protocol):
    """The facts of a stored index other than its documents."""

    blocks: BlockTable

    def folders(self) -> Iterator[tuple[str, int | None]]:
        """Yield the listed folders, each with the time of its last change at that time."""


class ArticleSource(ABC):
    """The interface of a folder or an archive to :class:`inexview.core.collection.collection.Collection`.

    The defaults are those of an archive: it is one file, and changes as a whole.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = RLock()
        self._file: IO[bytes] | None = None

    @abstractmethod
    def small(self) -> bool:
        """Return whether listing takes no time, so that no list has to be stored."""

    @abstractmethod
    def list(self, listing: Listing, progress: Progress) -> None:
        """Write the XML files to a listing, continuing where it ends.

        Raises DataError if the archive is damaged, Cancelled; everything listed until then is kept.
        """

    @abstractmethod
    def read(self, entry: CollectionFile, blocks: BlockTable | None, limit: int | None = None) -> bytes:
        """Return a file, or its first ``limit`` bytes.

        Raises DocumentError if it cannot be read, KeyError if it no longer exists.
        """

    def stamp(self) -> str:
        """Return a stamp that changes with the archive; "" for a folder, whose folders are checked."""
        return archive_stamp(self.path)

    def fits(self, index: KeptListing) -> bool:
        """Return whether an index made with this stamp matches the collection as it is now."""
        return True

    files = True
    """Whether each document is a file, whose name gives the format."""

    def find(self, id: str) -> CollectionFile | None:
        """Find a document whose id gives its place, without any listing; None if the id does not."""
        return None

    def kind_of(self, entry: CollectionFile) -> DocumentKind:
        """Return the format in which a document is read, by the suffix of its file."""
        return kind_of(entry.name) or XML

    def file_of(self, entry: CollectionFile) -> Path:
        """Return the file on disk that contains this one."""
        return self.path

    def mark(self, entry: CollectionFile) -> tuple[int, int]:
        """Return a mark that changes with the file; raises KeyError if it no longer exists."""
        return 0, 0

    def fingerprint(self) -> str:
        """Return a fingerprint that changes with any file; in a folder the times of all files are checked."""
        return self.stamp()

    def read_at(self, place: int, size: int) -> bytes:
        """Read ``size`` bytes of the archive, fewer at its end; several threads may read."""
        with self._lock:
            if self._file is None:
                self._file = self.path.open("rb")
            self._file.seek(place)
            return self._file.read(size)

    def close(self) -> None:
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file = None

    def __del__(self) -> None:
        self.close()


def member_name(name: str, listing: Listing) -> str | None:
    """Return the name under which an archive's member is listed; None if it is not an article.

    Names that do not lead down from the root are skipped with a warning.
    """
    if not is_article(name):
        return None
    if len(name) > MAX_NAME:
        listing.warn("names are longer than any file system allows; they were skipped", name[:60] + "…")
        return None
    if "\0" in name or ".." in name.split("/"):
        listing.warn("names lead out of the archive; they were skipped", repr(name)[1:-1])
        return None
    name = name.lstrip("/")
    return name.removeprefix("./") if name.startswith("./") else name


# Placeholders for missing articles: the id and the number of characters of each document.
#
# Judgements and runs alone determine the scores of a run. A placeholder has as many characters as the
# article, so that passages keep their offsets. Each of its paragraphs begins with its own offset.
PLACEHOLDERS = ".placeholders"
"""The end of the name of a file of placeholders."""
_PARAGRAPH, _WORD = 1_000, f"{PLACEHOLDER * 9} "
_LONGEST = MAX_BYTES // 3  # characters: a dot has two bytes, and tags take some more


class PlaceholderSource(ArticleSource):
    """The documents of a file that lists ids and lengths."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._known: Mapping[str, int] | None = None

    def small(self) -> bool:
        return True

    def list(self, listing: Listing, progress: Progress) -> None:
        for place, id in enumerate(self._lengths):
            progress("documents", place, len(self._lengths))
            listing.add(CollectionFile(f"{id}.xml"), id)
        listing.save()

    def find(self, id: str) -> CollectionFile | None:
        return CollectionFile(f"{id}.xml") if id in self._lengths else None

    def read(self, entry: CollectionFile, blocks: BlockTable | None, limit: int | None = None) -> bytes:
        length = self._lengths[entry.name.removesuffix(".xml")]
        if length > _LONGEST:
            problem = f"{length:,} characters are more than the {_LONGEST:,} that can be shown"
            raise DocumentError(problem, path=self.path)
        marked = "".join(f"<p>{paragraph}</p>" for paragraph in _paragraphs(length))
        return f"<article><bdy>{marked}</bdy></article>".encode()[:limit]

    @property
    def _lengths(self) -> Mapping[str, int]:
        if self._known is None:
            with explained(self.path, "the file"):
                self._known = json.loads(self.path.read_text(encoding="utf-8"))
        return self._known


def write_placeholders(path: Path, lengths: Mapping[str, int]) -> None:
    """Write a file of placeholders for documents of these lengths in code points."""
    path.write_text(json.dumps({id: int(length) for id, length in lengths.items()}), encoding="utf-8")


def _paragraphs(length: int) -> Iterator[str]:
    """Yield the paragraphs of a placeholder, ``length`` code points in total."""
    for start in range(0, length, _PARAGRAPH):
        size = min(_PARAGRAPH, length - start)
        yield f"{start:,} {_WORD * (_PARAGRAPH // len(_WORD) + 1)}"[:size]


# The XML files below a folder, listed folder by folder; an unchanged folder is not listed again.

# more folders, with articles in fewer than one of ten, are a disk and not a collection
MOST_FOLDERS, SPARSE = 20_000, 10
_SMALL = 2000  # files and folders that are listed in no time

# A folder that changed shortly before it was listed may have changed again, unseen, within the same tick of
# the file system's clock; it is listed again next time.
_TICK = 2_500_000_000


class FolderSource(ArticleSource):
    """The XML files below a folder."""

    def small(self) -> bool:
        """Count files and folders until there are too many."""
        seen, folders = 0, [self.path]
        while folders and seen <= _SMALL:
            try:
                with os.scandir(folders.pop()) as there:
                    for entry in there:
                        seen += 1
                        if seen > _SMALL:
                            return False
                        if entry.is_dir(follow_symlinks=False):
                            folders.append(Path(entry.path))
            except OSError:
                continue
        return seen <= _SMALL

    def stamp(self) -> str:
        return ""

    def fits(self, index: KeptListing) -> bool:
        return all(
            changed is not None and _changed(self.path / name) == changed for name, changed in index.folders()
        )

    def list(self, listing: Listing, progress: Progress) -> None:
        """Write all XML files to the listing, folder by folder; links to other places are skipped."""
        known = listing.folders()
        looked_at = listed = 0
        waiting = [""]
        try:
            while waiting:
                name = waiting.pop()
                looked, changed = time_ns(), _changed(self.path / name)
                folder = known.of(name)
                if folder is None or folder.changed is None or folder.changed != changed:
                    look = _Look(self.path, name, listing)
                    folder = known.listed_again(name, look.files(), look.folders)
                    fresh = changed is None or changed > looked - _TICK
                    known.note_change(folder, None if fresh or not look.readable else changed)
                looked_at, listed = looked_at + 1, listed + folder.files
                if looked_at >= MOST_FOLDERS and SPARSE * listed < looked_at:
                    raise DataError(
                        f"holds only {counted(listed, 'article')} in the first {looked_at:,} folders; "
                        "name the folder that holds the articles",
                        path=self.path,
                    )
                waiting += sorted(known.below(folder), reverse=True)
                progress("articles listed", listed, None)
                listing.save_in_time()
        finally:
            listing.save()

    def find(self, id: str) -> CollectionFile | None:
        """Find a document whose id is its path, among files of the format that the folder holds."""
        name = f"{id}.xml"
        if document_id(name) == id and (found := self.direct(name)) is not None:
            return found
        if self._has_articles:
            return None
        names = (id, *(f"{id}{suffix}" for kind in KINDS for suffix in kind.suffixes))
        return next((found for name in names if kind_of(name) and (found := self.direct(name))), None)

    @cached_property
    def _has_articles(self) -> bool:
        """Whether there are articles in XML near the root, or too many files to check."""
        seen, folders = 0, [self.path]
        while folders:
            try:
                with os.scandir(folders.pop()) as there:
                    for entry in there:
                        seen += 1
                        if seen > _SMALL or kind_of(entry.name) is XML:
                            return True
                        if entry.is_dir(follow_symlinks=False):
                            folders.append(Path(entry.path))
            except OSError:
                continue
        return False

    def direct(self, name: str) -> CollectionFile | None:
        """Find a file in the folder itself that is not a link to another."""
        drive, place = os.path.splitdrive(name)
        steps = place.replace(os.sep, "/").split("/")
        if drive or not steps[0] or ".." in steps:  # the path leads out of the folder
            return None
        try:
            # Called several times for each document of a run: a path object would take most of the time.
            there = S_ISREG(os.lstat(f"{self.path}{os.sep}{name}").st_mode)
            # A link on the way may lead anywhere; listing follows none.
            folders = accumulate(steps[:-1], "{}/{}".format)
            linked = any(S_ISLNK(os.lstat(f"{self.path}{os.sep}{one}").st_mode) for one in folders if there)
        except (OSError, ValueError):  # missing, too long for a name, or not a name
            return None
        return CollectionFile(name) if there and not linked else None

    def read(self, entry: CollectionFile, blocks: BlockTable | None, limit: int | None = None) -> bytes:
        """Return a file or its beginning; a name that leads out of the folder raises KeyError."""
        if self.direct(entry.name) is None:
            raise KeyError(entry.name)
        path = self.path / entry.name
        with explained(path, "the file"), path.open("rb") as file:
            if limit is not None:
                return file.read(limit)
            # The buffer is as long as the file: one of MAX_BYTES takes three times as long.
            refuse_large(os.fstat(file.fileno()).st_size, path)
            return file.read()

    def file_of(self, entry: CollectionFile) -> Path:
        return self.path / entry.name

    def mark(self, entry: CollectionFile) -> tuple[int, int]:
        if self.direct(entry.name) is None:
            raise KeyError(entry.name)
        path = self.path / entry.name
        with explained(path, "the file"):
            status = path.stat()
        return status.st_size, status.st_mtime_ns

    def fingerprint(self) -> str:
        """Return a sum over the names, sizes and modification times of all files (3 µs each)."""
        marks, waiting = [], [str(self.path)]
        while waiting:
            try:
                with os.scandir(waiting.pop()) as there:
                    for entry in there:
                        if entry.is_dir(follow_symlinks=False):
                            if not entry.name.startswith("."):
                                waiting.append(entry.path)
                        elif is_article(entry.name) and entry.is_file(follow_symlinks=False):
                            status = entry.stat(follow_symlinks=False)
                            marks.append(f"{entry.path}\0{status.st_size}\0{status.st_mtime_ns}")
            except OSError:  # treated as without articles; listing it gives a warning
                continue
        return sha256("\n".join(sorted(marks)).encode("utf-8", "surrogateescape")).hexdigest()


class _Look:
    """One pass over a folder: its articles one by one, then its subfolders."""

    def __init__(self, root: Path, name: str, listing: Listing) -> None:
        self._root = root
        self._name = name
        self._listing = listing
        self.folders: list[str] = []
        self.readable = True

    def files(self) -> Iterator[str]:
        """Yield the names of the articles; unreadable ones are skipped with a warning."""
        before = f"{self._name}/" if self._name else ""
        try:
            with os.scandir(self._root / self._name) as there:
                for entry in there:
                    name = before + entry.name
                    if any("\ud800" <= character <= "\udfff" for character in entry.name):
                        self._listing.warn("names are not UTF-8; they were skipped", repr(name)[1:-1])
                    elif entry.is_dir(follow_symlinks=False):
                        if not entry.name.startswith("."):
                            self.folders.append(name)
                    elif is_article(name) and entry.is_file(follow_symlinks=False):
                        yield name
        except OSError as error:
            self.readable = False
            self._listing.warn("folders cannot be read", f"{self._name or self._root} ({error.strerror})")


def _changed(folder: Path) -> int | None:
    try:
        return folder.stat().st_mtime_ns
    except OSError:
        return None
