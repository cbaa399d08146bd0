"""Reads documents off the window's thread: at once where they are at hand, otherwise once that is known.

The last few stay in memory, so that going back and forth costs nothing.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from inexview.core.article.document import Document
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.progress import Progress, unwatched
from inexview.gui.services.messages import sentence
from inexview.gui.services.tasks import BackgroundTask, Tasks

# Makes a collection ready: finds out where each of its articles lies, once, while what needs that waits.
#
# A folder or archive of millions of articles takes minutes the first time.  The window is usable meanwhile;
# what was given up is taken up again where somebody asks for it.

GIVEN_UP = "Its indexing was given up"


class Preparation(QObject):
    """The indexing of one collection."""

    changed = Signal()  # begun, ready, or stopped; ``problem`` then says why
    warned = Signal(object)  # tuple of sentences: what is not as it should be in the collection that is ready

    def __init__(self, collection: Collection, tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self.collection = collection
        self.problem = ""  # why the collection is not ready and no one works on it
        self._tasks = tasks
        self._task: BackgroundTask | None = None
        self._waiting: list[tuple[Callable[[], object], Callable[[], object]]] = []

    @property
    def ready(self) -> bool:
        """Whether any article can be read without long work."""
        return self._task is None and self.collection.ready

    @property
    def under_way(self) -> bool:
        return self._task is not None

    @property
    def name(self) -> str:
        return self.collection.path.name

    def start(self) -> None:
        """Make the collection ready, unless it is, or somebody is at it."""
        if self.collection.ready or self._task is not None:
            return
        self.problem = ""

        def fail(error: Exception) -> None:
            self._end(sentence(error))

        if self.collection.lacks_text:  # there are no articles to index, and nothing to tell of
            self._task = self._tasks.run(lambda: self._prepare(unwatched), self._finish, fail)
        else:
            self._task = self._tasks.run_long(
                f"Indexing {self.name}",
                self._prepare,
                self._finish,
                fail,
                lambda: self._end(f"{GIVEN_UP}."),
            )
        self.changed.emit()

    def when_ready(self, then: Callable[[], object], otherwise: Callable[[], object] = lambda: None) -> None:
        """Do something as soon as the collection is ready; something else where that comes to nothing."""
        if self.ready:
            then()
            return
        self._waiting.append((then, otherwise))
        self.start()

    def _prepare(self, progress: Progress) -> tuple[str, ...]:
        self.collection.prepare(progress)
        return self.collection.warnings

    def _finish(self, warnings: tuple[str, ...]) -> None:
        self._end()
        if warnings:
            self.warned.emit(warnings)

    def _end(self, problem: str = "") -> None:
        self._task, self.problem = None, problem
        waiting, self._waiting = self._waiting, []
        self.changed.emit()
        for then, otherwise in waiting:
            otherwise() if problem else then()


KEPT_DOCUMENTS = 6  # parsed articles kept in memory: the open one, its neighbours, and the last few read


@dataclass(frozen=True, slots=True)
class DocumentProblem:
    """A document that could not be opened, and the sentence that says why."""

    document_id: str
    text: str


class _Read(NamedTuple):
    """A document, and the mark of its file just before it was read."""

    document: Document
    mark: tuple[int, int]


class Opening(QObject):
    """Opens one document at a time; who asks for another one no longer wants the one before."""

    begun = Signal(object)  # id of a document that is on its way
    opened = Signal(object)  # Document
    failed = Signal(object)  # DocumentProblem
    awaited = Signal(object)  # id of a document that cannot be read before the collection is ready

    def __init__(self, preparation: Preparation, tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self.wanted: str | None = None  # the document on its way
        self._preparation = preparation
        self._tasks = tasks
        self._loaded: OrderedDict[str, _Read] = OrderedDict()
        self._loading: BackgroundTask | None = None
        self._ahead: set[str] = set()  # documents that are being read, although no one asked yet
        self._next: str | None = None  # the one to be read so once the open one is painted
        preparation.changed.connect(self._go_on)

    def open(self, document_id: str) -> None:
        """Open a document; one of the signals follows."""
        self.stop()
        self._tasks.settling.unsettle()
        if document_id in self._loaded and self.is_as_read(document_id):
            self._take(self._loaded[document_id])
            return
        self.wanted = document_id
        self.begun.emit(document_id)
        if document_id in self._ahead:
            return  # it is opened as soon as it is read
        if self._can_read(document_id):
            self._loading = self._tasks.run(
                lambda: self._read(document_id),
                self._take,
                lambda error: self._fail(document_id, sentence(error)),
            )
        else:
            self._wait(document_id)

    def stop(self) -> None:
        self._tasks.settling.forget(self._read_next)
        if self._loading is not None:
            self._loading.cancel()
        self._loading = self.wanted = None

    def read_ahead(self, document_id: str | None) -> None:
        """Read a document that is likely to be wanted next, when the open one has been painted."""
        self._next = document_id
        self._tasks.settling.wait(self._read_next)

    def _read_next(self) -> None:
        document_id = self._next
        if document_id is None or document_id in self._loaded or document_id in self._ahead:
            return
        if self._can_read(document_id):
            self._ahead.add(document_id)
            self._tasks.run(
                lambda: self._read(document_id), self._have, lambda _error: self._lack(document_id)
            )

    def _read(self, document_id: str) -> _Read:
        """Read a document, in a worker's thread."""
        collection = self._preparation.collection
        mark = collection.mark(document_id)
        return _Read(collection.load(document_id), mark)

    def is_as_read(self, document_id: str) -> bool:
        """Tell whether the file of a document in memory is as it was read, where no time is needed to ask."""
        try:
            read = self._loaded[document_id]
            return (
                not self._can_read(document_id) or self._preparation.collection.mark(document_id) == read.mark
            )
        except DataError:  # the articles are away: what was read of them is there
            return True

    def _have(self, read: _Read) -> None:
        """Keep what was read ahead, or open it where it is wanted by now."""
        self._ahead.discard(read.document.id)
        if read.document.id == self.wanted and self._loading is None:
            self._take(read)
        else:
            self._keep(read)

    def _lack(self, document_id: str) -> None:
        """Read once more what could not be read ahead where it is wanted by now, and say why."""
        self._ahead.discard(document_id)
        if document_id == self.wanted and self._loading is None:
            self.open(document_id)

    def _can_read(self, document_id: str) -> bool:
        return self._preparation.ready or self._preparation.collection.at_hand(document_id)

    def _go_on(self) -> None:
        """Open what waited for the collection, or say that it cannot be opened."""
        if self.wanted is not None and self._loading is None:
            self.open(self.wanted)

    def _wait(self, document_id: str) -> None:
        if self._preparation.under_way:
            self.awaited.emit(document_id)
        else:
            unknown = f"No one knows yet where in {self._preparation.name} it lies."
            self._fail(document_id, f"{unknown} {self._preparation.problem}".strip())

    def _take(self, read: _Read) -> None:
        self._loading = self.wanted = None
        self._tasks.settling.unsettle()
        self._keep(read)
        self.opened.emit(read.document)

    def _fail(self, document_id: str, text: str) -> None:
        self._loading = self.wanted = None
        self.failed.emit(DocumentProblem(document_id, text))

    def _keep(self, read: _Read) -> None:
        self._loaded[read.document.id] = read
        self._loaded.move_to_end(read.document.id)
        while len(self._loaded) > KEPT_DOCUMENTS:
            self._loaded.popitem(last=False)
