"""Of which documents titles are read: of the whole pool, once; lengths too where marks are shown to scale.

A pool of some thousands is read into the catalogue, which every list shares.  One that is as long as a
collection is read, once and for all, into the notes beside the collection's index, and searched from there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QObject, Signal

from inexview.core.collection.collection import Collection
from inexview.core.judgements.runs import Run
from inexview.core.progress import Progress
from inexview.core.project.document_list import Documents, Haystack
from inexview.core.project.project import Project
from inexview.core.text.id_columns import Rows
from inexview.gui.services.catalogue import Catalogue
from inexview.gui.services.tasks import LongTask, Tasks

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
