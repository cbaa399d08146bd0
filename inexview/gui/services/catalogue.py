"""What is known of documents without opening them: titles and lengths, read in the background."""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from time import perf_counter

from PySide6.QtCore import QObject, Signal

from inexview.core.article.document import Document
from inexview.core.collection.collection import Collection
from inexview.core.errors import InexviewError
from inexview.core.project.document_list import NOT_THERE, UNREADABLE, CatalogueEntry
from inexview.gui.look.layouts import timer
from inexview.gui.services.messages import sentence
from inexview.gui.services.tasks import BackgroundTask, Tasks

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
