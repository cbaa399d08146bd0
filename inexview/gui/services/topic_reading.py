"""Reads how all documents of a topic stand judged, a few at a time, so that no window waits for thousands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter

from PySide6.QtCore import QObject, QTimer, Signal

from inexview.core.errors import InexviewError
from inexview.core.project.project import Project
from inexview.gui.services.document_list import Documents

SLICE = 0.012  # seconds between two turns of the window


class TopicReading(QObject):
    """Asks a project for the states of a topic's documents; those of a few hundred are read at once.

    Project and pool keep what they were asked for, so that afterwards all can be asked for in no time.
    """

    finished = Signal()  # all states of the topic are read; also while ``read`` is called, where they are few

    def __init__(self, project: Project, failed: Callable[[InexviewError], None], parent: QObject) -> None:
        super().__init__(parent)
        self._project = project
        self._failed = failed
        self.ready = False
        self._asked: Iterator[None] = iter(())
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._go_on)

    def leave(self) -> None:
        """Read no more of the topic read last, which nobody looks at any longer."""
        self._timer.stop()
        self.ready = False

    def read(self, topic: str, pool: Documents) -> None:
        """Read all of a topic, or what was added to it, and where it stands in the pool."""
        self.leave()
        self._asked = _each(self._project, topic, pool)
        self._timer.start()
        self._go_on()

    def _go_on(self) -> None:
        end = perf_counter() + SLICE
        try:
            next(self._asked)
            while perf_counter() < end:
                next(self._asked)
        except InexviewError as error:  # a damaged row: nothing can be counted, but all others can be opened
            self._timer.stop()
            self._failed(error)
        except StopIteration:
            self._timer.stop()
            self.ready = True
            self.finished.emit()


def _each(project: Project, topic: str, pool: Documents) -> Iterator[None]:
    for document in project.touched(topic):
        project.state(topic, document)
        pool.row(document)
        yield
