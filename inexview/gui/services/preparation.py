"""Makes a collection ready: finds out where each of its articles lies, once, while what needs that waits.

A folder or archive of millions of articles takes minutes the first time.  The window is usable meanwhile;
what was given up is taken up again where somebody asks for it.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from inexview.core.collection.collection import Collection
from inexview.core.progress import Progress, unwatched
from inexview.gui.services.messages import sentence
from inexview.gui.services.tasks import BackgroundTask, Tasks

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
