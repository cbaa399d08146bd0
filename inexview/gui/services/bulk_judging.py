"""Judges so many documents that the window would stand still: some in each turn, and all as one step.

What was done when it is given up, or when the program dies, is a step of fewer documents, which one undo
takes back.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from inexview.core.errors import DataError, InexviewError
from inexview.core.garbage import leave_out_again, uncollected
from inexview.core.progress import Progress
from inexview.core.project.bulk_steps import not_relevant_too, turn_too
from inexview.core.project.journal.journal_rows import BulkStep
from inexview.core.project.judging.undo_history import Step
from inexview.gui.services.messages import Messages
from inexview.gui.services.portions import Portions, once_free
from inexview.gui.services.session_events import StateChanged
from inexview.gui.services.tasks import LongTask, News, Tasks

if TYPE_CHECKING:
    from inexview.gui.services.session import Session

AT_ONCE = 250  # documents, which take some 30 ms
FEWEST = 250  # in a turn, also where others keep the processor busy
READ_FIRST = 2_000  # documents that are read before they are judged unseen, which takes some 6 s
Then = Callable[[Sequence[str], Sequence[str]], object]
Write = Callable[[Sequence[str]], Sequence[str]]


class BulkJudging(QObject):
    """One bulk step at a time; documents that are judged by themselves meanwhile stay as they are then."""

    def __init__(self, session: Session, tasks: Tasks, messages: Messages) -> None:
        super().__init__(session)
        self._session, self._tasks, self._messages = session, tasks, messages
        self._task: LongTask | None = None
        self._since: set[tuple[str, str]] = set()
        self._last: Sequence[str] = ()  # what the last part has changed
        self._error: InexviewError | None = None
        session.state_changed.connect(self._note)

    def takes(self, documents: Sequence[str]) -> bool:
        """Tell whether these are not to be judged at once: they are many, or such a step is under way."""
        return len(documents) > (AT_ONCE if self._task is None else 1)

    def stop(self) -> None:
        """Stop without a word: the project is closed."""
        if self._task is not None:
            self._task.cancel()

    def not_relevant(self, topic: str, documents: Sequence[str], then: Then) -> bool:
        """Finish documents without marks, in one step; ``then`` is told which were, and which are unreadable.

        Documents are read first, unless they are very many: an unreadable one may be
        relevant, and is left out.  False if other work is under way, which is said.
        """
        if self._is_busy():
            return False
        if len(documents) > READ_FIRST:
            self._finish(topic, documents, then, set())
            return True
        collection = self._session.project.collection

        def read(progress: Progress) -> set[str]:
            unreadable = set()
            for at, name in enumerate(documents):
                progress("documents", at, len(documents))
                try:
                    collection.scan(name)
                except DataError:
                    unreadable.add(name)
            return unreadable

        def end(unreadable: set[str] | None = None) -> None:
            self._task = None
            if unreadable is not None:
                self._finish(topic, documents, then, unreadable)

        self._task = self._tasks.run_long("Reading the selected documents", read, end, given_up=end)
        return True

    def _finish(self, topic: str, documents: Sequence[str], then: Then, unreadable: set[str]) -> None:
        left_out = [name for name in documents if name in unreadable]
        there = [name for name in documents if name not in unreadable]
        if not there:
            then([], left_out)
            return
        write = partial(not_relevant_too, self._session.project, topic, BulkStep(len(there)))
        self._start("Not relevant", topic, there, write, then=lambda done: then(done, left_out))

    def turn(self, action: str, topic: str, turned: Step) -> bool:
        """Undo a step, or do it again (UNDO, REDO), in all documents in which it is the next one."""
        documents = self._session.project.histories.documents_of(turned)
        step = BulkStep(len(documents))
        write = partial(turn_too, self._session.project, topic, step, action, turned.id)
        return self._start(f"{action.title()} {turned.action.label}", topic, documents, write, turned=turned)

    def _start(
        self,
        what: str,
        topic: str,
        documents: Sequence[str],
        write: Write,
        *,
        then: Callable[[Sequence[str]], object] = lambda _done: None,
        turned: Step | None = None,
    ) -> bool:
        """Begin, unless another is under way: that is said, and False returned."""
        if self._is_busy():
            return False
        done: list[str] = []
        self._last, self._error = (), None
        self._since.clear()

        def end(_nothing: object = None) -> None:
            self._task = None
            if done:
                state = self._session.project.state
                self._session.judge(state, done[0], self._last, topic_id=topic, turned=turned)
            if self._error is not None:
                self._session.saving.failed(self._error)
            elif done:
                then(done)

        self._task = self._tasks.run_here(what, self._steps(topic, documents, write, done), end, end)
        return True

    def _is_busy(self) -> bool:
        if self._task is None:
            return False
        self._messages.info(f"“{self._task.what}” is still under way. Cancel along the foot stops it.")
        return True

    def _steps(
        self, topic: str, documents: Sequence[str], write: Write, done: list[str]
    ) -> Generator[News, None, None]:
        """Write to the project, each step in one transaction, and list in ``done`` what was written."""
        portions, at = Portions(FEWEST), 0
        while at < len(documents):
            begun, news = perf_counter(), News("documents", at, len(documents))
            part = documents[at : at + portions.size]
            at += portions.size
            try:
                self._last = yield from once_free(partial(self._write, topic, part, write), news)
            except InexviewError as error:
                self._error = error
                return
            done += self._last
            self._tell(topic)
            portions.note(perf_counter() - begun)
            yield News("documents", min(at, len(documents)), len(documents))

    @uncollected()
    def _write(self, topic: str, part: Sequence[str], write: Write) -> Sequence[str]:
        changed = write([name for name in part if (topic, name) not in self._since])
        leave_out_again()  # all of it stays; looking through it took a turn of 200 ms
        return changed

    def _note(self, change: StateChanged) -> None:
        if self._task is not None:
            self._since.update((change.topic_id, name) for name in change.documents)

    def _tell(self, topic: str) -> None:
        """Tell of the last part, so that not all documents are asked about in the turn in which it ends."""
        session = self._session
        if self._last and session.topic is not None and session.topic.id == topic:
            first, *others = self._last
            told = StateChanged(topic, first, session.project.state(topic, first), tuple(others))
            session.part_judged.emit(told)
