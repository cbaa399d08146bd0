"""Reads in idle moments what was judged before, so that nobody waits for it when it is all wanted at once.

A project reads what was done to a document when it is first asked for.  The topic list, the figures of runs
and the export ask for all documents of all topics; a campaign has tens of thousands.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

from PySide6.QtCore import QObject, QTimer, Signal

from inexview.core.errors import InexviewError
from inexview.core.project.project import Project

EVERY = 25  # milliseconds
AT_ONCE = 0.005  # seconds


class Warming(QObject):
    """Asks a project for the states of its documents, a few at a time, until all are known."""

    finished = Signal()  # all states are known

    def __init__(self, project: Project, parent: QObject) -> None:
        super().__init__(parent)
        self._states = _states(project)
        self._timer = QTimer(self, interval=EVERY)
        self._timer.timeout.connect(self._go_on)
        self._timer.start()

    @property
    def done(self) -> bool:
        """Whether there is nothing left to read."""
        return not self._timer.isActive()

    def stop(self) -> None:
        """Read no more."""
        self._timer.stop()

    def _go_on(self) -> None:
        end = perf_counter() + AT_ONCE
        try:
            while perf_counter() < end:
                next(self._states)
        except InexviewError:  # who asks for a damaged document is told then
            self.stop()
        except StopIteration:
            self.stop()
            self.finished.emit()


def _states(project: Project) -> Iterator[object]:
    for topic in project.topics:
        for document in project.touched(topic.id):
            yield project.state(topic.id, document)
