"""A collection: the articles that a pool, a qrels file or a run can name.

The id of a document is its file's name without ``.xml`` where that is a number (the Wikipedia collections,
whatever folders hold them), and otherwise its path below the root without ``.xml`` (IEEE: ``co/2000/r7108``).
A folder that holds everything else in an archive and has the archive's own name is not counted as a part of
the path.  Ids are case-sensitive.  Of two files with one id the one nearer the root is meant, then the first
by path, and a warning says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from threading import RLock

from inexview.core.document import Document
from inexview.core.errors import DataError
from inexview.core.progress import Progress, unwatched
from inexview.core.sources import Source, open_source
from inexview.core.titles import BEGINNING, peek_title


class Collection:
    """Documents by id, listed when somebody first asks for the list; several threads may read at once."""

    def __init__(self, path: Path, source: Source) -> None:
        self.path = path
        self._source = source
        self._lock = RLock()
        self._names: dict[str, str] | None = None  # id -> name in the source, in the order of ids()
        self._ids: tuple[str, ...] = ()
        self._warnings: tuple[str, ...] = ()
        self._titles: dict[str, str] = {}

    @classmethod
    def open(cls, path: str | Path) -> Collection:
        """Open a folder tree, a .zip or a .tar(.gz, .bz2, .xz) of articles.

        Raises DataError where there is none, or where it is none of these.
        """
        path = Path(path)
        return cls(path, open_source(path))

    def close(self) -> None:
        """Let go of the archive, if it is one."""
        self._source.close()

    @property
    def ready(self) -> bool:
        """Whether no long work is ahead, whatever is asked for."""
        return self._names is not None

    def prepare(self, progress: Progress = unwatched) -> None:
        """Find out which documents there are; raises Cancelled where ``progress`` does."""
        progress("articles listed", 0, None)
        progress("articles listed", len(self), None)

    def at_hand(self, id: str) -> bool:
        """Whether a document can be read without long work: its place is known, or its id says it."""
        return self.ready or self._direct(id) is not None

    def ids(self) -> Sequence[str]:
        """Return the ids of all documents: numbers in their order, then the others by name."""
        self._listed()
        return self._ids

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is not as it should be in the list of documents, in sentences."""
        self._listed()
        return self._warnings

    def __len__(self) -> int:
        return len(self.ids())

    def __contains__(self, id: object) -> bool:
        return isinstance(id, str) and (self._direct(id) is not None or id in self._listed())

    def load(self, id: str) -> Document:
        """Read a document; raises DataError where it is missing, DocumentError where it is no XML."""
        return Document.from_bytes(self.read(id), name=str(self.path / self._name(id)), id=id)

    def read(self, id: str) -> bytes:
        """Return the file of a document; raises DataError where it is missing or unreadable."""
        return self._read(id)

    def title(self, id: str) -> str:
        """Return what a person would call a document, from the first 8 kB of its file; its id if need be.

        Raises DataError where it is missing or unreadable.
        """
        title = self._titles.get(id)
        if title is None:
            beginning = self._read(id, BEGINNING)
            title = self._titles[id] = peek_title(beginning, str(self.path / self._name(id))) or id
        return title

    def _read(self, id: str, limit: int | None = None) -> bytes:
        name = self._name(id)
        try:
            return self._source.read(name, limit)
        except KeyError as error:
            raise self._missing(id) from error

    def _name(self, id: str) -> str:
        name = self._direct(id) or self._listed().get(id)
        if name is None:
            raise self._missing(id)
        return name

    def _direct(self, id: str) -> str | None:
        """Find a document where its id says that it lies, without listing millions of others."""
        name = f"{id}.xml"
        found = self._names is None and document_id(name) == id and self._source.has(name)
        return name if found else None

    def _missing(self, id: str) -> DataError:
        there = f"has {len(self.ids()):,} others" if self.ids() else "holds no XML files at all"
        return DataError(
            f"the collection has no document {id!r} (it {there}); check that pool, runs and collection "
            "belong together",
            path=self.path,
        )

    def _listed(self) -> dict[str, str]:
        with self._lock:
            if self._names is None:
                self._list()
            assert self._names is not None
            return self._names

    def _list(self) -> None:
        names = sorted(self._source.names(), key=lambda name: (name.count("/"), name))
        own = f"{self.path.name.split('.')[0]}/"
        skipped = (
            len(own) if names and not self.path.is_dir() and all(n.startswith(own) for n in names) else 0
        )
        listed: dict[str, str] = {}
        doubles = []
        for name in names:
            id = document_id(name[skipped:])
            if listed.setdefault(id, name) != name:
                doubles.append(f"{name} has the same id as {listed[id]}; only the latter is read")
        self._ids = tuple(sorted(listed, key=_reading_order))
        self._warnings = tuple(doubles)
        self._names = listed


def document_id(name: str) -> str:
    """Return the id of the document in a file, whose name is its path below the root with "/"."""
    path = name[:-4] if name.lower().endswith(".xml") else name
    last = path.rsplit("/", 1)[-1]
    return last if last.isascii() and last.isdigit() else path


def _reading_order(id: str) -> tuple[bool, int, str]:
    number = id.isascii() and id.isdigit()
    return not number, int(id) if number and len(id) < 20 else 0, id
