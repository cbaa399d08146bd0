"""Reads documents off the window's thread: at once where they are at hand, otherwise once that is known.

The last few stay in memory, so that going back and forth costs nothing.  A place that does not answer, as a
drive in the network may not for minutes, keeps a few threads waiting, and never the window.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from inexview.core.article.document import Document
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.progress import Progress, unwatched
from inexview.gui.look.layouts import timer
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
AT_ONCE = 2  # documents that are read side by side: the wanted one, and one that is no longer wanted
SILENCE = 5_000  # milliseconds without an answer, after which the page says so
SOON = 0.1  # seconds for which the window waits to hear that a document is at hand, and as it was
Mark = tuple[int, int]


@dataclass(frozen=True, slots=True)
class DocumentProblem:
    """A document that could not be opened, and the sentence that says why."""

    document_id: str
    text: str
    silent: bool = False
    """Whether its place has only not answered yet: it is opened as soon as that does."""


class _Read(NamedTuple):
    """A document, and the mark of its file just before it was read."""

    document: Document
    mark: Mark


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
        self._reading: set[str] = set()  # some of them although no one asked yet, or asks any more
        self._shown: _Read | None = None  # last
        self._comparing = False
        self._next: str | None = None  # the one to be read once the open one is painted
        self._silence = timer(self, self._tell_silence, SILENCE)
        self._silent = False  # the page has said so, and nothing was answered since
        preparation.changed.connect(self._read_wanted)

    def open(self, document_id: str) -> None:
        """Open a document; one of the signals follows."""
        self.stop()
        self._tasks.settling.unsettle()
        if document_id in self._loaded:
            self._compare(self._loaded[document_id])
        if document_id in self._loaded:
            self._take(self._loaded[document_id])
            return
        self.wanted = document_id
        self.begun.emit(document_id)
        self._read_wanted()
        if self._silent:
            self._tell_silence()
        else:
            self._silence.start()

    def stop(self) -> None:
        self._tasks.settling.forget(self._read_next)
        self._silence.stop()
        self.wanted = None

    def read_ahead(self, document_id: str | None) -> None:
        """Read a document that is likely to be wanted next, when the open one has been painted."""
        self._next = document_id
        self._tasks.settling.wait(self._read_next)

    def mark_of(self, document_id: str) -> Mark | None:
        """Return the mark of the file of a document in memory as it was read, None for others."""
        return self._loaded[document_id].mark if document_id in self._loaded else None

    def _read_next(self) -> None:
        document_id = self._next
        if document_id is not None and document_id not in self._loaded:
            self._begin(document_id)

    def _read_wanted(self) -> None:
        if self.wanted is not None:
            self._begin(self.wanted)

    def _begin(self, document_id: str) -> None:
        """Read a document, unless it is being read, or as many others are; then it comes after them."""
        if document_id in self._reading or len(self._reading) >= AT_ONCE:
            return
        self._reading.add(document_id)
        if self._preparation.ready:
            self._read(document_id)
            return
        collection = self._preparation.collection
        looking = self._tasks.run(
            lambda: collection.at_hand(document_id),
            lambda there: self._read(document_id) if there else self._await_collection(document_id),
            partial(self._lack, document_id),
            of_articles=True,
        )
        self._tasks.wait_for(looking, SOON)

    def _read(self, document_id: str) -> None:
        collection = self._preparation.collection

        def read() -> _Read:
            mark = collection.mark(document_id)
            return _Read(collection.load(document_id), mark)

        self._tasks.run(read, self._have, partial(self._lack, document_id), of_articles=True)

    def _await_collection(self, document_id: str) -> None:
        """Wait for the collection where a document is wanted whose place only that knows."""
        self._answered(document_id)
        if document_id == self.wanted:
            self._silence.stop()
            if self._preparation.under_way:
                self.awaited.emit(document_id)
            else:
                unknown = f"No one knows yet where in {self._preparation.name} it lies."
                self._fail(document_id, f"{unknown} {self._preparation.problem}".strip())

    def _have(self, read: _Read) -> None:
        """Open what was read where it is wanted by now, or keep it."""
        self._answered(read.document.id)
        if read.document.id == self.wanted:
            self._take(read)
        else:
            self._keep(read)
            self._read_wanted()

    def _lack(self, document_id: str, error: Exception) -> None:
        """Say why a document cannot be read where it is wanted by now."""
        self._answered(document_id)
        if document_id == self.wanted:
            self._fail(document_id, sentence(error))
        else:
            self._read_wanted()

    def _answered(self, document_id: str) -> None:
        self._reading.discard(document_id)
        self._silent = False

    def _compare(self, read: _Read) -> None:
        """Forget a document in memory if its file is another one by now.

        Where that is not known in a moment, since its place does not answer, the document is shown, and read
        again once it is known.
        """
        if self._comparing:
            return
        self._comparing, ready = True, self._preparation.ready
        collection, document_id = self._preparation.collection, read.document.id
        late = False

        def look() -> Mark:
            return collection.mark(document_id) if ready or collection.at_hand(document_id) else read.mark

        def take(mark: Mark) -> None:
            self._comparing = False
            if mark != read.mark and self._loaded.get(document_id) is read:
                del self._loaded[document_id]
                if late and self._shown is read and self.wanted is None:
                    self.open(document_id)

        def fail(error: Exception) -> None:
            self._comparing = False
            if not isinstance(error, DataError):  # the articles are away: what was read of them is there
                raise error

        self._tasks.wait_for(self._tasks.run(look, take, fail, of_articles=True), SOON)
        late = True

    def _tell_silence(self) -> None:
        if self.wanted is not None:
            self._silent = True
            place = self._preparation.collection.path
            opens = "The document opens as soon as it does. Your judgements are safe."
            text = f"{place} does not answer. {opens}"
            self.failed.emit(DocumentProblem(self.wanted, text, silent=True))

    def _take(self, read: _Read) -> None:
        self._silence.stop()
        self.wanted, self._shown = None, read
        self._tasks.settling.unsettle()
        self._keep(read)
        self.opened.emit(read.document)

    def _fail(self, document_id: str, text: str) -> None:
        self._silence.stop()
        self.wanted = None
        self.failed.emit(DocumentProblem(document_id, text))

    def _keep(self, read: _Read) -> None:
        self._loaded[read.document.id] = read
        self._loaded.move_to_end(read.document.id)
        while len(self._loaded) > KEPT_DOCUMENTS:
            self._loaded.popitem(last=False)
