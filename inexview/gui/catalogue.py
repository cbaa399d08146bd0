"""What is known of documents without opening them: titles and lengths, read in the background."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal

from inexview.core.collection import Collection
from inexview.core.document import Document
from inexview.core.errors import InexviewError
from inexview.gui.tasks import Task, Tasks

AT_ONCE = 40  # documents read before the views learn of them
PAUSE = 25  # milliseconds between two helpings: Python's threads take turns, and the window comes first


@dataclass(frozen=True, slots=True)
class About:
    """What is known of a document without opening it; length 0 where it is not known."""

    title: str
    length: int = 0
    missing: bool = False


class Catalogue(QObject):
    """Titles and lengths of the documents that views asked for."""

    learned = Signal(object)  # dict[str, About]

    def __init__(self, collection: Collection, tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self._collection = collection
        self._tasks = tasks
        self._known: dict[str, About] = {}
        self._wanted: deque[str] = deque()
        self._measured: frozenset[str] = frozenset()
        self._reading: Task | None = None
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self._go_on)

    def about(self, document_id: str) -> About:
        """What is known of a document by now."""
        return self._known.get(document_id, About(document_id))

    def known(self, names: Iterable[str]) -> dict[str, About]:
        """What is known by now of those of the documents of which anything is known."""
        return {name: self._known[name] for name in names if name in self._known} if self._known else {}

    def note(self, document: Document) -> None:
        """Learn of a document that was opened."""
        self._learn({document.id: About(document.title or document.id, document.length)})

    def want(self, names: Iterable[str], measured: Iterable[str] = ()) -> None:
        """Read what is not known yet; the length too of those to be measured.  Drops what waited before."""
        self._measured = lengths = frozenset(measured)
        self._wanted = deque(name for name in dict.fromkeys(names) if self._lacks(name, name in lengths))
        if self._reading is None:
            self._go_on()

    def close(self) -> None:
        """Read no more."""
        self._wanted.clear()
        self._pause.stop()

    def _go_on(self) -> None:
        """Read the next few."""
        if self._reading is not None:
            return
        names = [self._wanted.popleft() for _ in range(min(AT_ONCE, len(self._wanted)))]
        if names:
            self._reading = self._read(names, self._measured)

    def _take(self, about: dict[str, About]) -> None:
        self._reading = None
        self._learn(about)
        self._pause.start()

    def _lacks(self, name: str, measured: bool) -> bool:
        about = self._known.get(name)
        return about is None or (measured and not about.length and not about.missing)

    def _read(self, names: Sequence[str], lengths: frozenset[str]) -> Task:
        collection = self._collection

        def read() -> dict[str, About]:
            return {name: read_about(collection, name, measured=name in lengths) for name in names}

        return self._tasks.run(read, self._take, urgent=False)

    def _learn(self, about: dict[str, About]) -> None:
        """Take what is news: a title read alone does not take a length away that is known."""
        news = {name: one for name, one in about.items() if one.length or not self.about(name).length}
        self._known.update(news)
        self.learned.emit(news)


def read_about(collection: Collection, document_id: str, *, measured: bool) -> About:
    """Read the title of a document, and its length if wanted; says so where it cannot be read."""
    try:
        if measured:
            document = collection.load(document_id)
            return About(document.title or document_id, document.length)
        return About(collection.title(document_id) or document_id)
    except InexviewError:
        return About(document_id, missing=True)
