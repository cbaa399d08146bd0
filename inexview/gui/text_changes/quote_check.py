"""Compares marks with their articles in the background, and has the quotes noted that are lacking."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from PySide6.QtCore import QObject, Qt, Signal

from inexview.core.errors import InexviewError
from inexview.core.progress import Progress
from inexview.core.project.judging.action_quotes import Late, Quoted
from inexview.core.project.text_changes import TextComparison, check, each_quoted, note_quotes
from inexview.gui.services.session import Session
from inexview.gui.services.tasks import LongTask, News, Slices, Tasks

TopicDocument = tuple[str, str]  # topic, document


@dataclass(frozen=True, slots=True)
class _Found:
    """Quotes that somebody has to write, and the task that found them (known once it has been started)."""

    late: Sequence[Late] = ()
    by: list[LongTask] = field(default_factory=list)


class DriftCheck(QObject):
    """Looks up what is quoted a few documents at a time, and reads the articles off the window's thread."""

    _found = Signal(object)  # _Found, from the thread that reads

    def __init__(self, session: Session, tasks: Tasks, failed: Callable[[Exception], None]) -> None:
        super().__init__(session)
        self._session = session
        self._tasks = tasks
        self._failed = failed
        self._compared: dict[TopicDocument, str] = {}  # the last step of each document when it was compared
        self._waiting: deque[_Found] = deque()
        self._noting = Slices(self, seconds=0, settling=tasks.settling)
        session.saving.closing.connect(self._noting.stop)
        self._found.connect(self._take, Qt.ConnectionType.QueuedConnection)

    def everything(self) -> Iterator[Quoted | None]:
        """Yield what is quoted of each document that was worked on; None where nothing is marked in it."""
        return each_quoted(self._session.project)

    def everything_new(self) -> Iterator[Quoted | None]:
        """Yield the same; None also for what was compared already, and in which nothing was done since."""
        for quoted in self.everything():
            known = quoted is not None and self._compared.get((quoted.topic, quoted.document)) == quoted.step
            yield None if known else quoted

    def look_up(self, listed: Iterable[Quoted | None], done: Callable[[list[Quoted]], None]) -> None:
        """Go through what is to be compared as far as the window has time, and hand it on."""
        self._tasks.run_here("Looking up marks", _look_up(listed), done)

    def look_for_quotes(self, found: Callable[[], None]) -> None:
        """Go through all documents as far as the window has time, until one has a quote."""

        def tell(any_quotes: bool) -> None:
            if any_quotes:
                found()

        self._tasks.run_here("Looking up marks", _any_quotes(self.everything()), tell)

    def compare(self, listed: Sequence[Quoted], done: Callable[[TextComparison], None]) -> None:
        """Compare documents that are looked up."""
        project, found = self._session.project, _Found()
        collection = project.collection
        read_only = project.read_only
        steps = {(quoted.topic, quoted.document): quoted.step for quoted in listed}
        told = self._found  # so that the thread that reads does not keep this object alive

        def note(late: Sequence[Late]) -> None:
            told.emit(replace(found, late=late))

        def work(progress: Progress) -> TextComparison:
            return check(listed, collection, progress, None if read_only else note)

        def tell(checked: TextComparison) -> None:
            self._compared.update(steps)
            done(checked)

        found.by.append(self._tasks.run_long("Checking marks", work, tell))

    def _take(self, found: _Found) -> None:
        """Note these in a turn of their own, each waits for the disk: none while the window has to paint."""
        self._waiting.append(found)
        if not self._noting.active:
            self._noting.start(self._noted())

    def _noted(self) -> Generator[None, None, None]:
        while self._waiting:
            self._note(self._waiting.popleft())
            yield

    def _note(self, found: _Found) -> None:
        if any(task.cancelled for task in found.by):  # the project is closed by now
            return
        try:
            project = self._session.project
            note_quotes(project, found.late, soon=project.untouched)  # to look at one writes nothing
        except InexviewError as error:  # they are found again at the next check
            self._failed(error)


def _look_up(listed: Iterable[Quoted | None]) -> Generator[News, None, list[Quoted]]:
    found: list[Quoted] = []
    for done, quoted in enumerate(listed, 1):
        if quoted is not None:
            found.append(quoted)
        yield News("documents looked up", done, None)
    return found


def _any_quotes(listed: Iterable[Quoted | None]) -> Generator[News, None, bool]:
    for done, quoted in enumerate(listed, 1):
        if quoted is not None and quoted.quotes:
            return True
        yield News("documents looked up", done, None)
    return False
