"""What is known of documents without opening them: titles and lengths, read in the background."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from inexview.core.collection import Collection
from inexview.core.document import Document
from inexview.core.errors import InexviewError
from inexview.gui.tasks import Task, Tasks

AT_ONCE = 40  # documents read before the views learn of them


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
        self._waiting: list[Task] = []

    def about(self, document_id: str) -> About:
        """What is known of a document by now."""
        return self._known.get(document_id, About(document_id))

    def note(self, document: Document) -> None:
        """Learn of a document that was opened."""
        self._learn({document.id: About(document.title or document.id, document.length)})

    def want(self, names: Iterable[str], measured: Iterable[str] = ()) -> None:
        """Read what is not known yet; the length too of those to be measured.  Drops what waited before."""
        for task in self._waiting:
            task.cancel()
        lengths = frozenset(measured)
        missing = [name for name in dict.fromkeys(names) if self._lacks(name, name in lengths)]
        self._waiting = [
            self._read(missing[at : at + AT_ONCE], lengths) for at in range(0, len(missing), AT_ONCE)
        ]

    def _lacks(self, name: str, measured: bool) -> bool:
        about = self._known.get(name)
        return about is None or (measured and not about.length and not about.missing)

    def _read(self, names: Sequence[str], lengths: frozenset[str]) -> Task:
        collection = self._collection

        def read() -> dict[str, About]:
            return {name: read_about(collection, name, measured=name in lengths) for name in names}

        return self._tasks.run(read, self._learn, urgent=False)

    def _learn(self, about: dict[str, About]) -> None:
        self._known.update(about)
        self.learned.emit(about)


def read_about(collection: Collection, document_id: str, *, measured: bool) -> About:
    """Read the title of a document, and its length if wanted; says so where it cannot be read."""
    try:
        if measured:
            document = collection.load(document_id)
            return About(document.title or document_id, document.length)
        return About(collection.title(document_id) or document_id)
    except InexviewError:
        return About(document_id, missing=True)
