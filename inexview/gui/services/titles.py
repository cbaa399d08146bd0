"""What is known of documents without opening them, read in the background: titles, lengths and states."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Generator, Iterable, Mapping, Sequence
from dataclasses import replace
from time import perf_counter

from PySide6.QtCore import QObject, Signal

from inexview.core.article.document import Document
from inexview.core.collection.collection import Collection
from inexview.core.errors import InexviewError
from inexview.core.judgements.runs import Run
from inexview.core.progress import Progress
from inexview.core.project.document_list import NOT_THERE, UNREADABLE, CatalogueEntry, Documents, Haystack
from inexview.core.project.project import Project
from inexview.core.project.remark_actions import remarked
from inexview.core.text.id_columns import Rows
from inexview.gui.look.layouts import timer
from inexview.gui.services.messages import sentence
from inexview.gui.services.tasks import BackgroundTask, LongTask, Slices, Tasks

AT_ONCE = 40  # documents read before the views learn of them,
SOON = 0.15  # seconds after which they learn of what has been read: archives can be slow
MOST_WAITING = 25_000  # more than a pool read whole; who scrolls through 600,000 rows forgets the first
PAUSE = 25  # milliseconds between two helpings: Python's threads take turns, and the window comes first


class Catalogue(QObject):
    """Titles and lengths of the documents that views asked for."""

    learned = Signal(object)  # dict[str, CatalogueEntry]

    def __init__(self, collection: Collection, tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self._collection = collection
        self._tasks = tasks
        self._known: dict[str, CatalogueEntry] = {}
        self.unreadable: set[str] = set()  # of what is known, what no one can judge
        self._wanted: deque[str] = deque()
        self._measured: set[str] = set()
        self._reading: BackgroundTask | None = None
        self._held = False
        self._pause = timer(self, self._go_on, PAUSE)

    def about(self, document_id: str) -> CatalogueEntry:
        return self._known.get(document_id, CatalogueEntry(document_id))

    @property
    def all_known(self) -> Mapping[str, CatalogueEntry]:
        return self._known

    def known(self, among: Container[str]) -> dict[str, CatalogueEntry]:
        """What is known by now of documents, of those of which anything is known."""
        return {name: about for name, about in self._known.items() if name in among}

    def unknown(self, among: Iterable[str]) -> int:
        """Return of how many documents nothing is known yet."""
        return sum(name not in self._known for name in among)

    def note(self, document: Document) -> None:
        """Learn of a document that was opened; if it could not be read before, others may be back too."""
        if document.id in self.unreadable:
            self.want_first(self.forget_unreadable())
        self._learn({document.id: CatalogueEntry(document.title or document.id, document.length)})

    def forget_unreadable(self) -> set[str]:
        """Take all documents for readable until one sees that they are not; return those that were not."""
        before, self.unreadable = self.unreadable, set()
        for name in before:
            del self._known[name]
        return before

    def note_unreadable(self, documents: Iterable[str], problem: str) -> None:
        """Learn that documents cannot be judged; why, where that is not known yet."""
        self._learn(
            {
                name: replace(self.about(name), problem=problem)
                for name in documents
                if name not in self.unreadable
            }
        )

    def want(self, names: Iterable[str], measured: Iterable[str] = ()) -> None:
        """Read what is not known yet; the length too of those to be measured.  Drops what waited before."""
        self._measured = set(measured)
        self._wanted = deque(name for name in dict.fromkeys(names) if self._lacks(name))
        if self._reading is None:
            self._go_on()

    def want_first(self, names: Iterable[str], measured: Iterable[str] = ()) -> None:
        """Read these before what waits already: somebody looks at them."""
        self._measured.update(measured)
        self._wanted.extendleft([name for name in dict.fromkeys(names) if self._lacks(name)][::-1])
        while len(self._wanted) > MOST_WAITING:
            self._wanted.pop()
        if self._reading is None and not self._pause.isActive():
            self._go_on()

    def hold(self, held: bool) -> None:
        """Read nothing as long as no one knows where articles lie; then go on."""
        self._held = held
        if not held:
            self._go_on()

    def close(self) -> None:
        self._held = True
        self._wanted.clear()
        self._pause.stop()
        self._tasks.settling.forget(self._go_on)

    def _go_on(self) -> None:
        """Read the next few."""
        if self._reading is not None or self._held:
            return
        if not self._tasks.settling.settled:
            self._tasks.settling.wait(self._go_on)
            return
        names: list[str] = []
        while self._wanted and len(names) < AT_ONCE:
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
        """Log a defect, and go on with the titles that come after."""
        sentence(error)
        self._reading = None
        self._pause.start()

    def _lacks(self, name: str) -> bool:
        about = self._known.get(name)
        return about is None or (name in self._measured and not about.length and not about.missing)

    def _read(self, names: Sequence[str], lengths: Container[str]) -> BackgroundTask:
        collection, settling = self._collection, self._tasks.settling

        def read() -> dict[str, CatalogueEntry]:
            end, about = perf_counter() + SOON, {}
            for name in names:
                about[name] = read_about(collection, name, measured=name in lengths)
                if perf_counter() > end or not settling.settled:
                    break
            return about

        return self._tasks.run(read, lambda about: self._take(names, about), self._fail, urgent=False)

    def _learn(self, about: dict[str, CatalogueEntry]) -> None:
        news = {name: one for name, one in about.items() if self._is_news(name, one)}
        self._known.update(news)
        self.unreadable.difference_update(news)
        self.unreadable.update(name for name, entry in news.items() if entry.problem)
        if news:
            self.learned.emit(news)

    def _is_news(self, name: str, one: CatalogueEntry) -> bool:
        """Tell what was not known; a title read alone does not take a length away that is."""
        known = self._known.get(name)
        if known is None or known.problem != one.problem:
            return True
        return one != known and bool(one.length or not known.length)


def read_about(collection: Collection, document_id: str, *, measured: bool) -> CatalogueEntry:
    """Read the title of a document, and its length if wanted; says so where it cannot be read."""
    try:
        length = collection.length(document_id) if measured else 0
        return CatalogueEntry(collection.title(document_id) or document_id, length)
    except InexviewError:
        return CatalogueEntry(document_id, problem=UNREADABLE if document_id in collection else NOT_THERE)


# Reads how all documents of a topic are judged, a few at a time, so that no window waits for thousands.


class TopicReader(QObject):
    """Asks a project for the states of a topic's documents; those of a few hundred are read at once.

    Project and pool keep what they were asked for, so that afterwards all can be asked for in no time.
    """

    delayed = Signal()  # they are too many for one turn, or one cannot be read
    finished = Signal()  # all states of the topic are read; also while ``read`` is called, where they are few

    def __init__(self, project: Project, failed: Callable[[InexviewError], None], parent: QObject) -> None:
        super().__init__(parent)
        self._project = project
        self._failed = failed
        self.ready = False
        self._slices = Slices(self)

    def leave(self) -> None:
        """Read no more of the topic read last, which no one looks at any longer."""
        self._slices.stop()
        self.ready = False

    def read(self, topic: str, pool: Documents) -> None:
        """Read all of a topic, or what was added to it, and where it is in the pool."""
        self.leave()
        self._slices.start(_each(self._project, topic, pool), self._end)
        self._slices.take_turn()
        if not self.ready:
            self.delayed.emit()

    def _end(self, error: InexviewError | None) -> None:
        if error is not None:  # a damaged row: nothing can be counted, but all others can be opened
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
    """Read how every document is judged, and return whether all could be read.

    A project reads what was done to a document when it is first asked for.  The topic list, the figures of
    runs and the export ask for all of them, and a campaign has tens of thousands.
    """
    try:
        for topic in project.topics:
            for document in project.touched(topic.id):
                project.state(topic.id, document)
                yield
    except InexviewError:  # who asks for a damaged document is told then
        return False
    return True


# Of which documents titles are read: of the whole pool, once; lengths too where marks are shown to scale.
#
# A pool of some thousands is read into the catalogue, which every list shares. One that is as long as a
# collection is read, once and for all, into the notes beside the collection's index, and searched from
# there.

READ_FIRST, READ_OF_RUN = 40, 2_000  # of a pool as long as a collection, and of what a run found


class TitleReading(QObject):
    """Reads the titles of a pool as long as a collection, off the window's thread."""

    finished = Signal()  # the titles of the pool can be searched and sorted

    def __init__(self, collection: Collection, tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self._collection = collection
        self._tasks = tasks
        self._task: LongTask | None = None
        self._pool: Documents | None = None

    def read(self, pool: Documents) -> None:
        """Read all titles of a pool, unless they are known, or being read, or the pool is short."""
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
        """Return how many titles of a pool are not known yet."""
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
    """Return titles with ids to be searched, and the order of the titles; raises Cancelled."""
    titles = collection.titles(ids, progress)
    haystack = Haystack.of((f"{title} {id}" for title, id in zip(titles, ids, strict=True)), len(ids))
    return haystack, haystack.ranks()


def want_titles(catalogue: Catalogue, project: Project, topic: str, pool: Documents, run: Run | None) -> None:
    """Have titles read of a topic's pool and of what a run found for it.

    Of a pool as long as a collection only the beginning: see :class:`TitleReading`.
    """
    found = [] if run is None else run.documents(topic, READ_OF_RUN)
    wanted = list(dict.fromkeys((*(pool[:READ_FIRST] if pool.long else pool), *found)))
    catalogue.want(wanted, _to_measure(catalogue, project, topic, wanted))


def want_seen(catalogue: Catalogue, project: Project, topic: str, documents: Sequence[str]) -> None:
    """Have titles read of what a list shows now, before those of all others."""
    catalogue.want_first(documents, _to_measure(catalogue, project, topic, documents))


def _to_measure(catalogue: Catalogue, project: Project, topic: str, documents: Iterable[str]) -> list[str]:
    """Return the relevant ones whose length is not known; few of many documents were ever worked on."""
    touched = set(project.touched(topic))
    unknown = (name for name in documents if name in touched and not catalogue.about(name).length)
    return [name for name in unknown if project.state(topic, name).relevant]
