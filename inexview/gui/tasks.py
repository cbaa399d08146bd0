"""The one way to run work off the window's thread and to come back.

``tasks.run(work, done)`` calls ``work()`` in a worker thread and then ``done(result)`` in the window's
thread.  An error goes to ``failed`` (or to the messages), never to the user as a traceback.  Work must not
touch widgets; ``done`` may.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from PySide6.QtCore import QObject, QRunnable, Qt, QThreadPool, Signal

T = TypeVar("T")
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Outcome:
    task: Task
    result: Any = None
    error: Exception | None = None


class Task:
    """Work under way; ``cancel`` makes its outcome unwanted (work already running runs to its end)."""

    def __init__(
        self,
        work: Callable[[], Any],
        done: Callable[[Any], None],
        failed: Callable[[Exception], None],
    ) -> None:
        self.work = work
        self.done = done
        self.failed = failed
        self.cancelled = False

    def cancel(self) -> None:
        """Make sure that neither ``done`` nor ``failed`` is called any more."""
        self.cancelled = True


class _Job(QRunnable):
    def __init__(self, task: Task, finished: Callable[[_Outcome], None]) -> None:
        super().__init__()
        self._task = task
        self._finished = finished

    def run(self) -> None:
        task = self._task
        if task.cancelled:
            self._finished(_Outcome(task))
            return
        try:
            outcome = _Outcome(task, result=task.work())
        except Exception as error:  # noqa: BLE001 - the task runner hands every error to the window's thread
            outcome = _Outcome(task, error=error)
        self._finished(outcome)


class Tasks(QObject):
    """Runs work in a small pool of threads and brings results back to the thread that owns this object."""

    _finished = Signal(object)

    def __init__(self, failed: Callable[[Exception], None], parent: QObject | None = None) -> None:
        """``failed`` is told every error for which a task brought no ``failed`` of its own."""
        super().__init__(parent)
        self._failed = failed
        self._under_way: set[Task] = set()
        # What somebody waits for never queues behind what nobody does.
        self._pool, self._idle = QThreadPool(self), QThreadPool(self)
        self._pool.setMaxThreadCount(2)
        self._idle.setMaxThreadCount(2)
        self._finished.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def run(
        self,
        work: Callable[[], T],
        done: Callable[[T], None],
        failed: Callable[[Exception], None] | None = None,
        *,
        urgent: bool = True,
    ) -> Task:
        """Start ``work``; what is not urgent (reading titles) leaves the way free for what is."""
        task = Task(work, done, failed or self._failed)
        self._under_way.add(task)
        (self._pool if urgent else self._idle).start(_Job(task, self._finished.emit))
        return task

    def close(self) -> None:
        """Give up what waits, and wait for what runs."""
        for task in self._under_way:
            task.cancel()
        for pool in (self._pool, self._idle):
            pool.clear()
            pool.waitForDone()
        self._under_way.clear()

    def _deliver(self, outcome: _Outcome) -> None:
        task = outcome.task
        self._under_way.discard(task)
        if task.cancelled:
            return
        if outcome.error is not None:
            task.failed(outcome.error)
        else:
            task.done(outcome.result)
