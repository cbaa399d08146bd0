"""Reads how all documents of a topic are judged, a few at a time, so that no window waits for thousands."""

from __future__ import annotations

from collections.abc import Callable, Generator

from PySide6.QtCore import QObject, Signal

from inexview.core.errors import InexviewError
from inexview.core.project.document_list import Documents
from inexview.core.project.project import Project
from inexview.core.project.remark_actions import remarked
from inexview.gui.services.slices import Slices


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
