"""The index of a collection: the place of each document, and the order in which documents are read.

It is one SQLite file, written whole and then only read, so that a collection of millions of articles opens at
once and takes no memory.  A damaged file, or one of another version, is ignored.
"""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import tempfile
import unicodedata
import weakref
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from threading import RLock
from time import monotonic
from typing import Any, overload
from urllib.parse import quote

from platformdirs import user_cache_path

from inexview.core.collection.listing import (
    DAMAGED,
    PAUSE,
    ArticleSource,
    BlockTable,
    BrokenIndexError,
    CollectionFile,
    Listing,
    delete_listing,
    document_id,
)
from inexview.core.errors import DataError, reported
from inexview.core.progress import Cancelled, Progress

# The place of everything stored for a collection: its list, its lengths, its repacked data.
#
# It is in the user's cache folder, under a name made of the collection's absolute path, and can be deleted
# at any time. For small collections, which are listed in no time, nothing is stored.

ELSEWHERE = "INEXVIEW_CACHE"  # the environment variable that names another cache folder


class _Kept:
    """A file or folder that is stored for a collection, by its kind."""

    def __init__(self, kind: str) -> None:
        self._kind = kind

    def __get__(self, place: CachePlace, owner: type[CachePlace]) -> Path:
        return place.file(self._kind)


class CachePlace:
    """The files stored for one collection; ``warning`` describes a problem with their folder."""

    index = _Kept("index")
    listing = _Kept("listing")
    """The files listed so far, and the folders of a folder."""
    name = _Kept("name")
    """The path of the collection in a file: the names of the other files are a hash of that path."""
    lengths = _Kept("lengths")
    titles = _Kept("titles")
    lock = _Kept("lock")
    """The lock of the process that makes the index."""
    store = _Kept("blocks")
    """The repacked data of a packed tar; for a small one, in a temporary folder."""
    words = _Kept("words")
    shards = _Kept("shards")
    """The folder of the words of parts of the collection, which this machine searched for a cluster."""

    def __init__(self, collection: Path, *, small: bool) -> None:
        self.collection = collection
        self.small = small
        self.warning: str | None = None
        path = os.path.realpath(collection)
        self._name = sha256(os.fsencode(path)).hexdigest()[:24]
        self._folder = cache_folder()
        if small:
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self._folder):
                pass
            files = (self.index, self.listing, self.lengths, self.titles, self.lock, self.store, self.name)
            for file in files:
                if file.is_symlink():  # it would be written to another place
                    file.unlink()
        except OSError as error:
            self.warning = (
                f"{self._folder}: the list of articles cannot be kept there "
                f"({(error.strerror or str(error)).lower()}), so it is made again each time; set "
                f"${ELSEWHERE} to another folder"
            )
            self._use_temporary_folder()

    def note_name(self) -> None:
        """Write down the path of the collection, so that these files can be listed."""
        with suppress(OSError):  # a full disk is reported when something is lost by it
            self.name.write_bytes(os.fsencode(os.path.realpath(self.collection)))

    def bytes_kept(self) -> int:
        files = [self.index, self.listing, self.lengths, self.titles, self.store, *self._of_words()]
        return sum(file.stat().st_size for file in files if file.exists())

    def bytes_of_words(self) -> int:
        return sum(file.stat().st_size for file in self._of_words())

    def _of_words(self) -> list[Path]:
        return [*self.words.glob("*/*"), *self.shards.glob("*/*")]

    def forget(self) -> None:
        """Delete all but lengths, titles and words, which stay valid while files do not change."""
        for file in (self.index, self.listing, self.store):
            file.unlink(missing_ok=True)

    def forget_words(self) -> None:
        """Delete the index of words, and those of parts of the collection."""
        for folder in (self.words, self.shards):
            shutil.rmtree(folder, ignore_errors=True)

    def forget_all(self) -> int:
        """Delete everything except the lock, which is empty; return how many bytes were freed."""
        freed = self.bytes_kept()
        self.forget()
        self.forget_words()
        for file in (self.lengths, self.titles, self.name):
            file.unlink(missing_ok=True)
        return freed

    def file(self, kind: str) -> Path:
        if self.small and self._folder == cache_folder():
            self._use_temporary_folder()
        return self._folder / f"{self._name}.{kind}"

    def _use_temporary_folder(self) -> None:
        folder = tempfile.mkdtemp(prefix="inexview-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self._folder = Path(folder)


@dataclass(frozen=True, slots=True)
class CachedIndex:
    """The files stored for one collection: their size, and whether the collection still exists."""

    place: CachePlace
    size: int

    @property
    def there(self) -> bool:
        return self.place.collection.exists()

    @property
    def gone(self) -> bool:
        """Whether it was deleted: its folder has other contents, but not the collection.

        If a collection's drive is not mounted, the folder is missing too, or empty.
        """
        folder = self.place.collection.parent
        try:
            return not self.there and any(folder.iterdir())
        except OSError:
            return False


def kept() -> list[CachedIndex]:
    """Return the stored files of all collections with known names, in the order of their paths."""
    found = []
    for file in cache_folder().glob("*.name"):
        place = CachePlace(Path(os.fsdecode(file.read_bytes())), small=False)
        if place.name == file:
            found.append(CachedIndex(place, place.bytes_kept()))
    return sorted(found, key=lambda one: one.place.collection)


def cache_folder() -> Path:
    elsewhere = os.environ.get(ELSEWHERE)
    return Path(elsewhere) if elsewhere else user_cache_path("inexview") / "collections"


# One process at a time makes the files of a collection; the others wait and use them.


@contextmanager
def locked(path: Path, what: str, progress: Progress) -> Iterator[None]:
    """Hold a lock that the system frees when the process dies, and report how long it waits for it.

    ``what`` names the thing being made, such as "list".  Raises Cancelled.
    """
    from filelock import FileLock

    lock = FileLock(path)
    began = monotonic()
    while True:
        with suppress(TimeoutError):
            lock.acquire(timeout=PAUSE)
            break
        progress(
            f"seconds waited for another inexview, which makes the same {what}",
            int(monotonic() - began),
            None,
        )
    try:
        yield
    finally:
        lock.release()


VERSION = 3
_ROWS = 1000  # rows that are read at once
_TOGETHER = 500  # ids that are looked up at once


class CollectionIndex:
    """An index open for reading by several threads."""

    def __init__(self, connection: sqlite3.Connection, store: Path, path: Path | None = None) -> None:
        """Take an open index; ``path`` is its file, which is deleted if it is damaged."""
        self._connection = connection
        self._path = path
        self._lock = RLock()
        self.blocks = BlockTable(connection, self._lock, store)
        self._count: int = self._ask("SELECT count(*) FROM documents")[0][0]

    @classmethod
    def open(cls, path: Path, store: Path, stamp: str) -> CollectionIndex | None:
        """Open an index; None if there is none for the archive as it is now, or if it is damaged."""
        if not path.exists():
            return None
        try:
            connection = sqlite3.connect(
                f"file:{quote(str(path))}?mode=ro", uri=True, check_same_thread=False, isolation_level=None
            )
        except sqlite3.DatabaseError:  # a folder, or a file without permission to read
            return None
        index = None
        try:
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            said = dict(connection.execute("SELECT key, value FROM facts"))
            if version == VERSION and said.get("stamp") == stamp:
                made = cls(connection, store, path)
                index = made if said.get("count") == len(made) else None
        except (*DAMAGED, BrokenIndexError):
            return None
        finally:
            if index is None:
                connection.close()
        return index

    def __len__(self) -> int:
        return self._count

    def entry(self, id: str) -> CollectionFile | None:
        rows = self._ask("SELECT name, place, size, packed, method, crc FROM documents WHERE id = ?", (id,))
        if not rows:
            return None
        name, place, size, *numbers = rows[0]
        whole = all(isinstance(number, int) for number in (place, *numbers))
        if not (whole and isinstance(name, str) and (size is None or isinstance(size, int))):
            raise self._broken()
        return CollectionFile(*rows[0])

    def holding(self, ids: Sequence[str]) -> set[str]:
        held = set[str]()
        for at in range(0, len(ids), _TOGETHER):
            some = tuple(ids[at : at + _TOGETHER])
            asked = ", ".join("?" * len(some))
            held.update(id for (id,) in self._ask(f"SELECT id FROM documents WHERE id IN ({asked})", some))
        return held

    def rightly_lacks(self, id: str) -> bool:
        """Verify the whole file: whether it is well-formed and really lacks an id that was not found."""
        try:
            well_formed = self._ask("PRAGMA quick_check(1)") == [("ok",)]
            return well_formed and not self._ask("SELECT 1 FROM documents NOT INDEXED WHERE id = ?", (id,))
        except BrokenIndexError:
            return False

    def sound(self) -> bool:
        """Return whether each id finds exactly one entry; 2 s for 660,000 articles, ten times as long."""
        try:
            return self._ask("PRAGMA integrity_check(1)") == [("ok",)]
        except BrokenIndexError:
            return False

    def ids(self) -> Sequence[str]:
        """Return the ids of all documents: numbers in their order, then the others by name."""
        return Ids(self)

    def position(self, id: str) -> int | None:
        """Return the position of a document in the reading order."""
        rows = self._ask("SELECT position FROM documents WHERE id = ?", (id,))
        return int(rows[0][0]) if rows else None

    def ids_between(self, start: int, stop: int) -> list[str]:
        rows = self._ask(
            "SELECT id FROM documents WHERE position >= ? AND position < ? ORDER BY position", (start, stop)
        )
        return [id for (id,) in rows]

    def lines(self) -> str:
        """Return all ids in reading order, one per line, much faster than one at a time.

        Other threads may query meanwhile.
        """
        query = "SELECT group_concat(id, char(10)) FROM (SELECT id FROM documents ORDER BY position)"
        (_, _, file), *_ = self._ask("PRAGMA database_list")
        if not file:  # in memory, because it is small
            return str(self._ask(query)[0][0] or "")
        try:
            with closing(sqlite3.connect(f"file:{quote(file)}?mode=ro", uri=True)) as own:
                return str(own.execute(query).fetchone()[0] or "")
        except DAMAGED as error:
            raise self._broken() from error

    def ids_as_stored(self) -> Iterator[str]:
        """Yield all ids in the order of their files in the archive, or in the folders."""
        positions = array(
            "q", (row[0] for row in self._ask("SELECT position FROM documents ORDER BY place, name"))
        )
        for position in positions:
            yield from self.ids_between(position, position + 1)

    def warnings(self) -> tuple[str, ...]:
        return tuple(text for (text,) in self._ask("SELECT text FROM warnings ORDER BY rowid"))

    def folders(self) -> Iterator[tuple[str, int | None]]:
        """Yield the listed folders, each with the time of its last change at that time."""
        return iter(self._ask("SELECT name, changed FROM folders"))

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def _ask(self, query: str, values: tuple[object, ...] = ()) -> list[Any]:
        try:
            with self._lock:
                return self._connection.execute(query, values).fetchall()
        except UnicodeEncodeError:  # half a surrogate pair, which is in no index
            return []
        except DAMAGED as error:
            raise self._broken() from error

    def _broken(self) -> BrokenIndexError:
        """Delete the file, so that the next process that opens the collection makes it again."""
        if self._path is not None:
            with suppress(OSError):
                self._path.unlink(missing_ok=True)
        return BrokenIndexError(self.blocks.store)


class Ids(Sequence[str]):
    """All ids in order, read from the index when needed."""

    def __init__(self, index: CollectionIndex) -> None:
        self._index = index

    def __len__(self) -> int:
        return len(self._index)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        if isinstance(at, slice):
            places = range(len(self))[at]
            if not places:
                return []
            low, high = min(places[0], places[-1]), max(places[0], places[-1])
            ids = self._index.ids_between(low, high + 1)
            return [ids[place - low] for place in places]
        return self._index.ids_between(range(len(self))[at], range(len(self))[at] + 1)[0]

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self), _ROWS):
            yield from self._index.ids_between(start, start + _ROWS)

    def __contains__(self, id: object) -> bool:
        return isinstance(id, str) and self._index.position(id) is not None

    def lines(self) -> str:
        return self._index.lines()

    def index(self, value: str, start: int = 0, stop: int | None = None) -> int:
        """Return the position of an id; raises ValueError if it is missing."""
        position = self._index.position(value)
        if position is None or position not in range(len(self))[start:stop]:
            raise ValueError(value)
        return position

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # like a list


# Sorts the files found in a collection, and writes the index of them.

_TOLD = 20  # duplicate ids that are named in warnings
_STEPS = 20_000  # steps of SQLite, some milliseconds, between two checks of the clock

_TABLES = """
CREATE TABLE facts (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE documents (
    position INTEGER PRIMARY KEY, id TEXT NOT NULL, name TEXT NOT NULL, place INTEGER NOT NULL, size INTEGER,
    packed INTEGER NOT NULL, method INTEGER NOT NULL, crc INTEGER NOT NULL);
CREATE TABLE blocks (
    offset INTEGER PRIMARY KEY, size INTEGER NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL);
CREATE TABLE folders (name TEXT NOT NULL, changed INTEGER);
CREATE TABLE warnings (text TEXT NOT NULL);
"""

_ORDERED = """
SELECT id, name, place, size, packed, method, crc FROM found {}
ORDER BY rank, id, depth, name, rowid DESC
"""
_IS_XML = "WHERE name LIKE '%.xml'"


def write_index(
    listing: Listing,
    path: Path | None,
    *,
    stamp: str,
    own: str | None,
    files: bool = True,
    progress: Progress,
) -> sqlite3.Connection | None:
    """Sort a listing and write its index; return the open connection if ``path`` is None.

    Among ``files``, only articles in XML count if there are any.  ``own`` is the archive's own name: a single
    top folder of that name is not part of ids. Raises Cancelled, sqlite3.Error.
    """
    made = None if path is None else path.with_suffix(f".{os.getpid()}")
    if made is not None:
        made.unlink(missing_ok=True)
    connection = sqlite3.connect(
        ":memory:" if made is None else made, check_same_thread=False, isolation_level=None
    )
    try:
        connection.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + _TABLES)
        of_what = "" if not files or _only_plain(listing) else _IS_XML
        skipped = 0  # how many characters of each name belong to a single top folder with the archive's name
        if own is not None:
            without, least = listing.connection.execute(
                "SELECT sum(substr(name, 1, ?) <> ?), count(*) FROM found", (len(own) + 1, f"{own}/")
            ).fetchone()
            skipped = len(own) + 1 if least and not without else 0
        doubles = _Doubles(skipped)

        def speak() -> None:
            progress("articles put in order", doubles.passed, None)

        with _heard(connection, speak), _heard(listing.connection, speak):
            _fill(connection, listing, stamp, doubles, of_what)
        if made is None or path is None:
            return connection
    except BaseException:
        connection.close()
        if made is not None:
            made.unlink(missing_ok=True)
        raise
    connection.close()
    with made.open("rb+") as written:
        os.fsync(written.fileno())  # a power cut may come after the next line, and must not empty it
    made.replace(path)
    return None


def note_folders(listing: Listing, path: Path) -> bool:
    """Write the times of the last changes of its folders into an index; return whether the index exists."""
    if not path.exists():
        return False
    with suppress(sqlite3.DatabaseError), closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM folders")
        connection.executemany(
            "INSERT INTO folders VALUES (?, ?)", _rows(listing, "folders", "name, changed")
        )
        return True
    return False


def _rows(listing: Listing, table: str, columns: str) -> sqlite3.Cursor:
    return listing.connection.execute(f"SELECT {columns} FROM {table}")


def _only_plain(listing: Listing) -> bool:
    """Return whether no file is an article in XML; if so, several suffixes become parts of ids."""
    ask = listing.connection.execute
    if ask(f"SELECT EXISTS(SELECT 1 FROM found {_IS_XML})").fetchone()[0]:
        return False
    listing.connection.create_function("suffix", 1, lambda name: name[name.rfind(".") :].lower())
    listing.connection.create_function("plain_id", 1, document_id)
    several = ask("SELECT count(DISTINCT suffix(name)) > 1 FROM found").fetchone()[0]
    listing.connection.create_function("nfc", 1, lambda name: unicodedata.normalize("NFC", name))
    ask(f"UPDATE found SET id = {'nfc(name)' if several else 'plain_id(name)'}, rank = x''")
    return True


def _fill(
    connection: sqlite3.Connection, listing: Listing, stamp: str, doubles: _Doubles, of_what: str
) -> None:
    connection.execute("BEGIN")
    connection.executemany(
        "INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        doubles.passed_over(listing.connection.execute(_ORDERED.format(of_what))),
    )
    connection.execute("CREATE UNIQUE INDEX documents_by_id ON documents (id)")
    for table, columns in (("blocks", "offset, size, start, stop"), ("folders", "name, changed")):
        marks = ", ".join("?" for _ in columns.split(","))
        connection.executemany(f"INSERT INTO {table} VALUES ({marks})", _rows(listing, table, columns))
    said = [*listing.warnings(), *doubles.warnings()]
    connection.executemany("INSERT INTO warnings VALUES (?)", ((sentence,) for sentence in said))
    connection.execute("INSERT INTO facts VALUES ('stamp', ?), ('count', ?)", (stamp, doubles.passed))
    connection.execute("COMMIT")
    connection.execute(f"PRAGMA user_version = {VERSION}")


class _Doubles:
    """Skips files with the same id as one nearer the root or earlier by path."""

    def __init__(self, skipped: int) -> None:
        self._skipped = skipped
        self._told: list[str] = []
        self._count = 0
        self.passed = 0
        """Number of documents that were not skipped."""

    def passed_over(self, rows: Iterator[tuple[str, str, int]]) -> Iterator[tuple[object, ...]]:
        """Yield the rows of documents, which arrive sorted, with their positions and final ids."""
        last_id, last_name = None, ""
        for id, name, *rest in rows:
            if id == last_id:
                self._count += 1
                if len(self._told) < _TOLD:
                    self._told.append(
                        f"{_shown(name)} is in the archive twice; only the later one is read"
                        if name == last_name
                        else f"{_shown(name)} has the same id as {_shown(last_name)}; only the latter is read"
                    )
                continue
            last_id, last_name = id, name
            number = id.isascii() and id.isdigit()
            yield (self.passed, id if number else id[self._skipped :], name, *rest)
            self.passed += 1

    def warnings(self) -> list[str]:
        """Return which files are not read, the first of them by name."""
        more = self._count - len(self._told)
        return self._told + ([f"{more:,} more files share an id with another file"] if more else [])


def _shown(name: str) -> str:
    return repr(name)[1:-1]  # line ends and control characters are escaped


@contextmanager
def _heard(connection: sqlite3.Connection, speak: Callable[[], None]) -> Iterator[None]:
    """Call ``speak`` now and then while SQLite takes one long step; it may raise Cancelled."""
    stopped: list[Cancelled] = []

    def hear() -> int:
        try:
            speak()
        except Cancelled as wish:
            stopped.append(wish)
            return 1
        return 0

    connection.set_progress_handler(hear, _STEPS)
    try:
        yield
    except sqlite3.OperationalError:
        if stopped:
            raise stopped[0] from None
        raise
    finally:
        connection.set_progress_handler(None, 0)


# Ensures that there is an index of a collection as it is now; the first process makes it.

_CORRUPT = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_FULL = (errno.ENOSPC, errno.EDQUOT)


def kept_index(source: ArticleSource, place: CachePlace) -> CollectionIndex | None:
    """Return the index made before, None if there is none or the collection has changed since."""
    if place.small:
        return None
    index = CollectionIndex.open(place.index, place.store, source.stamp())
    try:
        fits = index is not None and source.fits(index)
    except BaseException:
        if index is not None:
            index.close()
        raise
    if index is not None and not fits:
        index.close()
        return None
    if index is not None and not place.name.exists():
        place.note_name()
    return index


def make_index(source: ArticleSource, place: CachePlace, progress: Progress) -> CollectionIndex:
    """Make an index, continuing an earlier attempt; waits while another process makes it.

    Raises DataError if the collection cannot be read or the disk is full, Cancelled.
    """
    problem = "the list of articles cannot be written ({}); is the disk full?"
    with reported(place.index, problem, sqlite3.Error, OSError):
        if place.small:
            return _make(source, place, None, progress)
        with locked(place.lock, "list", progress):
            place.note_name()
            index = kept_index(source, place)  # another process may have made it meanwhile
            if index is not None:
                return index
            for left in place.index.parent.glob(f"{place.index.stem}.*"):  # of killed processes
                if left.suffix[1:].isdecimal():
                    left.unlink(missing_ok=True)
            with _emptied_when_full(source, place):
                try:
                    return _make(source, place, place.listing, progress)
                except DAMAGED as error:
                    if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) not in _CORRUPT:
                        raise
                delete_listing(place.listing)  # the remains of an earlier attempt are damaged: start again
                return _make(source, place, place.listing, progress)


def _make(
    source: ArticleSource, place: CachePlace, listed: Path | None, progress: Progress
) -> CollectionIndex:
    stamp = source.stamp()
    listing = Listing(listed, place.store, stamp)
    own = None
    if not source.path.is_dir():  # names in archives are always UTF-8
        own = source.path.name.split(".")[0].encode("utf-8", "replace").decode()
    try:
        problem = "the articles cannot be listed ({}); is everything still there?"
        with reported(source.path, problem, OSError):
            source.list(listing, progress)
        path = None if listed is None else place.index
        connection = None
        if path is None or not (listing.indexed and note_folders(listing, path) and _opens(place, stamp)):
            connection = write_index(
                listing, path, stamp=stamp, own=own, files=source.files, progress=progress
            )
            listing.note_indexed()
    finally:
        listing.close()
    if connection is not None:
        return CollectionIndex(connection, place.store)
    if listed is not None and stamp:  # for a folder it tells next time which subfolders have changed
        listed.unlink(missing_ok=True)
    index = CollectionIndex.open(place.index, place.store, stamp)
    if index is None:
        raise DataError("the new list of articles is damaged; check the disk", path=place.index)
    return index


def _opens(place: CachePlace, stamp: str) -> bool:
    index = CollectionIndex.open(place.index, place.store, stamp)
    if index is not None:
        index.close()
    return index is not None


@contextmanager
def _emptied_when_full(source: ArticleSource, place: CachePlace) -> Iterator[None]:
    """Delete unfinished work that has filled the disk; the caller holds its lock.

    Continuing would need still more space, which others may need first.
    """
    try:
        yield
    except (sqlite3.Error, OSError, DataError) as error:
        if _is_full(error):
            source.close()  # it may have the store open
            with suppress(OSError):
                delete_listing(place.listing)
                place.store.unlink(missing_ok=True)
        raise


def _is_full(error: Exception) -> bool:
    """Return whether the disk was full, even if the error was already wrapped in a message."""
    reason = error.__cause__ if isinstance(error, DataError) else error
    if isinstance(reason, OSError):
        return reason.errno in _FULL
    return getattr(reason, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
