"""Reads documents in background threads; documents of an unindexed collection wait for its index.

The last few stay in memory, so that going back and forth is instant. If a drive does not answer, as a network
drive may for minutes, a few threads wait, but never the window.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Container, Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from inexview.core.article.document import Document
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError, InexviewError
from inexview.core.progress import Progress, unwatched
from inexview.core.project.document_list import NOT_THERE, UNREADABLE, CatalogueEntry, Documents, Haystack
from inexview.core.project.project import Project
from inexview.core.project.reviews import remarked
from inexview.core.text.spans import Rows
from inexview.gui.look.widgets import timer
from inexview.gui.services.messages import sentence
from inexview.gui.services.tasks import BackgroundTask, LongTask, Slices, Tasks

GIVEN_UP = "Its indexing was cancelled"


class Preparation(QObject):
    """Prepares a collection: finds the location of each article once; tasks that need it wait.

    A folder or archive of millions of articles takes minutes the first time, and the window stays usable. A
    cancelled preparation is resumed on request.
    """

    changed = Signal()  # started, ready, or stopped; ``problem`` then has the reason
    warned = Signal(object)  # tuple of sentences: problems of the ready collection

    def __init__(self, collection: Collection, tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self.collection = collection
        self.problem = ""  # why the collection is not ready and is not being prepared
        self._tasks = tasks
        self._task: BackgroundTask | None = None
        self._waiting: list[tuple[Callable[[], object], Callable[[], object]]] = []

    @property
    def ready(self) -> bool:
        return self._task is None and self.collection.ready

    @property
    def under_way(self) -> bool:
        return self._task is not None

    @property
    def name(self) -> str:
        return self.collection.path.name

    def start(self) -> None:
        """Prepare the collection unless it is ready or being prepared."""
        if self.collection.ready or self._task is not None:
            return
        self.problem = ""

        def fail(error: Exception) -> None:
            self._end(sentence(error))

        if self.collection.lacks_text:  # there are no articles to index or to report on
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
        """Call ``then`` as soon as the collection is ready, or ``otherwise`` if preparing fails."""
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
AT_ONCE = 2  # documents that are read at the same time: the requested one, and one no longer requested
SILENCE = 5_000  # milliseconds without an answer before the page reports it
SOON = 0.1  # seconds for which the window waits to learn that a document in memory is unchanged
Mark = tuple[int, int]


@dataclass(frozen=True, slots=True)
class DocumentProblem:
    """A document that could not be opened, with the reason as a sentence."""

    document_id: str
    text: str
    silent: bool = False
    """Whether its drive has only not answered yet: it is opened as soon as it does."""


class _Read(NamedTuple):
    """A document, and the mark of its file just before it was read."""

    document: Document
    mark: Mark


class Opening(QObject):
    """Opens one document at a time; a new request replaces the previous one."""

    begun = Signal(object)  # id of the document that is being opened
    opened = Signal(object)  # Document
    failed = Signal(object)  # DocumentProblem
    awaited = Signal(object)  # id of a document that cannot be read until the collection is ready

    def __init__(self, preparation: Preparation, tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self.wanted: str | None = None  # the requested document
        self._preparation = preparation
        self._tasks = tasks
        self._loaded: OrderedDict[str, _Read] = OrderedDict()
        self._reading: set[str] = set()  # documents being read, including those not requested yet or any more
        self._shown: _Read | None = None  # the last document
        self._comparing = False
        self._next: str | None = None  # to be read when the open document is painted
        self._silence = timer(self, self._tell_silence, SILENCE)
        self._silent = False  # the page has reported it, and there was no answer since
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
        """Read a document that is likely to be next, when the open one is painted."""
        self._next = document_id
        self._tasks.settling.wait(self._read_next)

    def mark_of(self, document_id: str) -> Mark | None:
        """Return the mark of a document's file when it was read, None unless it is in memory."""
        return self._loaded[document_id].mark if document_id in self._loaded else None

    def _read_next(self) -> None:
        document_id = self._next
        if document_id is not None and document_id not in self._loaded:
            self._begin(document_id)

    def _read_wanted(self) -> None:
        if self.wanted is not None:
            self._begin(self.wanted)

    def _begin(self, document_id: str) -> None:
        """Read a document, unless it is being read; wait if too many others are."""
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
        """Wait for the collection if only its index knows the document's location."""
        self._answered(document_id)
        if document_id == self.wanted:
            self._silence.stop()
            if self._preparation.under_way:
                self.awaited.emit(document_id)
            else:
                unknown = f"It is not known yet where in {self._preparation.name} it lies."
                self._fail(document_id, f"{unknown} {self._preparation.problem}".strip())

    def _have(self, read: _Read) -> None:
        """Open a document that was read if it is still requested, or keep it."""
        self._answered(read.document.id)
        if read.document.id == self.wanted:
            self._take(read)
        else:
            self._keep(read)
            self._read_wanted()

    def _lack(self, document_id: str, error: Exception) -> None:
        """Report why a document cannot be read if it is still requested."""
        self._answered(document_id)
        if document_id == self.wanted:
            self._fail(document_id, sentence(error))
        else:
            self._read_wanted()

    def _answered(self, document_id: str) -> None:
        self._reading.discard(document_id)
        self._silent = False

    def _compare(self, read: _Read) -> None:
        """Drop a document from memory if its file has changed.

        If that takes too long because its drive does not answer, the document is shown, and read again when
        known.
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
            # the drive is gone, but the document in memory is still good
            if not isinstance(error, DataError):
                raise error

        self._tasks.wait_for(self._tasks.run(look, take, fail, of_articles=True), SOON)
        late = True

    def _tell_silence(self) -> None:
        if self.wanted is not None:
            self._silent = True
            place = self._preparation.collection.path
            opens = "The document opens as soon as it answers. Your judgements are safe."
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


TITLES_AT_ONCE = 40  # documents read before views are notified
# seconds after which views are notified of what has been read, because archives can be slow
TITLES_SOON = 0.15
# more than a pool that is read completely; scrolling through 600,000 rows drops the first
MOST_WAITING = 25_000
PAUSE = 25  # milliseconds between portions: Python's threads take turns, and the window comes first


class Catalogue(QObject):
    """Titles and lengths of requested documents, read in the background."""

    learned = Signal(object)  # dict[str, CatalogueEntry]

    def __init__(self, collection: Collection, tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self._collection = collection
        self._tasks = tasks
        self.entries: dict[str, CatalogueEntry] = {}  # entries known so far
        self.unreadable: set[str] = set()  # documents of these that cannot be judged
        self._wanted: deque[str] = deque()
        self._measured: set[str] = set()
        self._reading: BackgroundTask | None = None
        self._held = False
        self._pause = timer(self, self._go_on, PAUSE)

    def about(self, document_id: str) -> CatalogueEntry:
        return self.entries.get(document_id, CatalogueEntry(document_id))

    def unknown(self, among: Iterable[str]) -> int:
        return sum(name not in self.entries for name in among)

    def note(self, document: Document) -> None:
        """Add an opened document; if it was unreadable before, others may be readable again too."""
        if document.id in self.unreadable:
            self.want_first(self.forget_unreadable())
        self._learn({document.id: CatalogueEntry(document.title or document.id, document.length)})

    def forget_unreadable(self) -> set[str]:
        """Treat all documents as readable until proved otherwise; return those that were unreadable."""
        before, self.unreadable = self.unreadable, set()
        for name in before:
            del self.entries[name]
        return before

    def note_unreadable(self, documents: Iterable[str], problem: str) -> None:
        """Record that documents cannot be read, with the reason unless one is known."""
        self._learn(
            {
                name: replace(self.about(name), problem=problem)
                for name in documents
                if name not in self.unreadable
            }
        )

    def want(self, names: Iterable[str], measured: Iterable[str] = ()) -> None:
        """Read missing titles, and lengths of those ``measured``; drops earlier requests."""
        self._measured = set(measured)
        self._wanted = deque(name for name in dict.fromkeys(names) if self._lacks(name))
        if self._reading is None:
            self._go_on()

    def want_first(self, names: Iterable[str], measured: Iterable[str] = ()) -> None:
        """Read these before earlier requests, because they are visible."""
        self._measured.update(measured)
        self._wanted.extendleft([name for name in dict.fromkeys(names) if self._lacks(name)][::-1])
        while len(self._wanted) > MOST_WAITING:
            self._wanted.pop()
        if self._reading is None and not self._pause.isActive():
            self._go_on()

    def hold(self, held: bool) -> None:
        """Read nothing while the locations of articles are unknown; then continue."""
        self._held = held
        if not held:
            self._go_on()

    def close(self) -> None:
        self._held = True
        self._wanted.clear()
        self._pause.stop()
        self._tasks.settling.forget(self._go_on)

    def _go_on(self) -> None:
        """Read the next portion."""
        if self._reading is not None or self._held:
            return
        if not self._tasks.settling.settled:
            self._tasks.settling.wait(self._go_on)
            return
        names: list[str] = []
        while self._wanted and len(names) < TITLES_AT_ONCE:
            name = self._wanted.popleft()
            if self._lacks(name) and name not in names:
                names.append(name)
        if names:
            self._reading = self._read(names, self._measured.intersection(names))

    def _take(self, names: Sequence[str], about: dict[str, CatalogueEntry]) -> None:
        self._reading = None
        self._wanted.extendleft([name for name in names if name not in about][::-1])
        self._learn({name: entry for name, entry in about.items() if name not in self.unreadable})
        self._pause.start()

    def _fail(self, error: Exception) -> None:
        """Log a defect, and continue with the next titles."""
        sentence(error)
        self._reading = None
        self._pause.start()

    def _lacks(self, name: str) -> bool:
        about = self.entries.get(name)
        return about is None or (name in self._measured and not about.length and not about.missing)

    def _read(self, names: Sequence[str], lengths: Container[str]) -> BackgroundTask:
        collection, settling = self._collection, self._tasks.settling

        def read() -> dict[str, CatalogueEntry]:
            end, about = perf_counter() + TITLES_SOON, {}
            for name in names:
                about[name] = read_about(collection, name, measured=name in lengths)
                if perf_counter() > end or not settling.settled:
                    break
            return about

        return self._tasks.run(read, lambda about: self._take(names, about), self._fail, urgent=False)

    def _learn(self, about: dict[str, CatalogueEntry]) -> None:
        news = {name: one for name, one in about.items() if self._is_news(name, one)}
        self.entries.update(news)
        self.unreadable.difference_update(news)
        self.unreadable.update(name for name, entry in news.items() if entry.problem)
        if news:
            self.learned.emit(news)

    def _is_news(self, name: str, one: CatalogueEntry) -> bool:
        """Return whether an entry is new; a title read alone does not remove a known length."""
        known = self.entries.get(name)
        if known is None or known.problem != one.problem:
            return True
        return one != known and bool(one.length or not known.length)


def read_about(collection: Collection, document_id: str, *, measured: bool) -> CatalogueEntry:
    """Read the title of a document, and its length if ``measured``; the entry tells if it is unreadable."""
    try:
        length = collection.length(document_id) if measured else 0
        return CatalogueEntry(collection.title(document_id) or document_id, length)
    except InexviewError:
        return CatalogueEntry(document_id, problem=UNREADABLE if document_id in collection else NOT_THERE)


class TopicReader(QObject):
    """Reads the states of a topic's documents from a project, a few hundred at once, others in slices.

    Project and pool cache them, so that later requests are instant.
    """

    delayed = Signal()  # they are too many for one turn, or one is unreadable
    finished = Signal()  # all states of the topic are read; emitted during ``read`` if they are few

    def __init__(self, project: Project, failed: Callable[[InexviewError], None], parent: QObject) -> None:
        super().__init__(parent)
        self._project = project
        self._failed = failed
        self.ready = False
        self._slices = Slices(self)

    def leave(self) -> None:
        """Stop reading the previous topic."""
        self._slices.stop()
        self.ready = False

    def read(self, topic: str, pool: Documents) -> None:
        """Read the states of a topic, or of documents added to it, and their places in the pool."""
        self.leave()
        self._slices.start(_each(self._project, topic, pool), self._end)
        self._slices.take_turn()
        if not self.ready:
            self.delayed.emit()

    def _end(self, error: InexviewError | None) -> None:
        if error is not None:  # a damaged row prevents counting, but all other documents can be opened
            self._failed(error)
        else:
            self.ready = True
            self.finished.emit()


def _each(project: Project, topic: str, pool: Documents) -> Generator[None, None, InexviewError | None]:
    try:
        for document in project.touched(topic):
            project.state(topic, document)
            pool.row(document)
            yield
        remarked(project, topic)
    except InexviewError as error:
        return error
    return None


def read_ahead(project: Project) -> Generator[None, None, bool]:
    """Read the state of every document; return whether all could be read.

    A project reads the history of a document on request. The topic list, the figures of runs and the export
    need all of them, and a campaign has tens of thousands.
    """
    try:
        for topic in project.topics:
            for document in project.touched(topic.id):
                project.state(topic.id, document)
                yield
    except InexviewError:  # reported when the damaged document is requested
        return False
    return True


class TitleReading(QObject):
    """Reads the titles of a pool as long as a collection, in a background thread.

    They are stored once next to the collection's index, and searched there. Titles of a pool of some
    thousands are read into the catalogue, which all lists share.
    """

    finished = Signal()  # the titles of the pool can be searched and sorted

    def __init__(self, collection: Collection, tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self._collection = collection
        self._tasks = tasks
        self._task: LongTask | None = None
        self._pool: Documents | None = None

    def read(self, pool: Documents) -> None:
        """Read all titles of a pool, unless they are known or being read, or the pool is short."""
        if not pool.long or pool.titled or pool is self._pool:
            return
        self._pool = pool
        collection, ids = self._collection, pool.ids
        self._task = self._tasks.run_long(
            f"Reading the titles of {collection.path.name}",
            lambda progress: read_titles(collection, ids, progress),
            lambda read: self._take(pool, *read),
        )

    def unknown(self, pool: Documents, catalogue: Catalogue) -> int:
        if pool.titled:
            return 0
        if not pool.long:
            return catalogue.unknown(pool.ids)
        known = 0 if self._task is None or self._task.news is None else self._task.news.done
        return len(pool) - known

    def _take(self, pool: Documents, titles: Haystack, ranks: Rows) -> None:
        self._task = None
        pool.use_titles(titles, ranks)
        self.finished.emit()


def read_titles(collection: Collection, ids: Sequence[str], progress: Progress) -> tuple[Haystack, Rows]:
    """Return titles with ids for searching, and the order of the titles; raises Cancelled."""
    titles = collection.titles(ids, progress)
    haystack = Haystack.of((f"{title} {id}" for title, id in zip(titles, ids, strict=True)), len(ids))
    return haystack, haystack.ranks()
