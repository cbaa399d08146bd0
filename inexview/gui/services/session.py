"""The session of a window: the open project, topic and document, and the runs shown over it.

The session turns user actions into commands on the project, and signals the new state to the views.
An action is in the project file before its signal is sent.  Views hold no state of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import TypeVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from inexview.core.article.document import Document
from inexview.core.errors import DataError, InexviewError
from inexview.core.judgements.qrels import Qrels, Records
from inexview.core.judgements.runs import Run, RunFindings
from inexview.core.judgements.subsets import Variations
from inexview.core.judgements.topics import Topic
from inexview.core.progress import Progress, leave_out_again, uncollected
from inexview.core.project import reviews
from inexview.core.project.document_list import UNREADABLE, Documents
from inexview.core.project.document_state import DocumentState
from inexview.core.project.history import REDO, UNDO, History, Step
from inexview.core.project.import_judgements import Imported, Ready, absent_of, make_ready, only_there, take
from inexview.core.project.journal_rows import NO_REMARKS, BulkStep, Remarks
from inexview.core.project.project import Project, not_relevant_too, turn_too
from inexview.core.project.text_changes import Reader
from inexview.core.text.counting import Convention
from inexview.core.text.search import Quote, Span
from inexview.gui.services.document_record import (
    Attention,
    Judging,
    OpenDocument,
    SaveWatch,
    StateChanged,
)
from inexview.gui.services.messages import Message, MessageKind, Messages
from inexview.gui.services.opening import (
    Catalogue,
    DocumentProblem,
    Opening,
    Preparation,
    TitleReading,
    TopicReader,
)
from inexview.gui.services.tasks import LongTask, News, Portions, Tasks, once_free

AT_ONCE = 250  # documents; they take about 30 ms
FEWEST = 250  # per turn of the event loop, even on a busy processor
READ_OF_POOL, READ_OF_RUN = 40, 2_000  # titles of a pool as long as a collection, and of a run
READ_FIRST = 2_000  # documents that are read before judging in bulk; takes about 6 s
Pooled = TypeVar("Pooled")
Command = Callable[[Project, str, str], None]
Then = Callable[[Sequence[str], Sequence[str]], object]
Write = Callable[[Sequence[str]], Sequence[str]]


class BulkJudging(QObject):
    """Judges many documents as one step, in portions, so that the window keeps responding.

    Documents that are judged individually in the meantime keep that judgement.  If the step is cancelled or
    the program dies, the finished portions are a step of fewer documents, which one undo reverts.
    """

    def __init__(self, session: Session, tasks: Tasks, messages: Messages) -> None:
        super().__init__(session)
        self._session, self._tasks, self._messages = session, tasks, messages
        self._task: LongTask | None = None
        self._since: set[tuple[str, str]] = set()
        self._last: Sequence[str] = ()  # documents that the last portion changed
        self._error: InexviewError | None = None
        session.state_changed.connect(self._note)

    def takes(self, documents: Sequence[str]) -> bool:
        """Return whether to judge these in portions: they are many, or such a step is running."""
        return len(documents) > (AT_ONCE if self._task is None else 1)

    def stop(self) -> None:
        """Stop without a message, because the project is closing."""
        if self._task is not None:
            self._task.cancel()

    def not_relevant(self, topic: str, documents: Sequence[str], then: Then) -> bool:
        """Finish documents without marks in one step; call ``then`` with finished and unreadable ones.

        Unless they are very many, documents are read first, and unreadable ones are left out, because they
        may be relevant.  Shows a message and returns False if another step is running.
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
        """Undo or redo a step in all documents in which it is the next one."""
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
        """Start the step; show a message and return False if another one is running."""
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
        leave_out_again()  # all of it stays; a check of every document took 200 ms
        return changed

    def _note(self, change: StateChanged) -> None:
        if self._task is not None:
            self._since.update((change.topic_id, name) for name in change.documents)

    def _tell(self, topic: str) -> None:
        """Emit the final ``part_judged``, so that views refresh in portions."""
        session = self._session
        if self._last and session.topic is not None and session.topic.id == topic:
            first, *others = self._last
            told = StateChanged(topic, first, session.project.state(topic, first), tuple(others))
            session.part_judged.emit(told)


@dataclass(frozen=True, slots=True)
class RemarkStep:
    """A change of a document's notes, grades or flag; ``last`` is the step of judging before it."""

    label: str
    place: tuple[str, str]  # topic and document
    before: Remarks
    after: Remarks
    last: tuple[str, str]


class DocumentRecord(QObject):
    """Writes notes, grades, flags, reading times and positions of the session's documents to the project.

    Undo reverts the remarks of this window in order with the steps of judging.
    """

    remarks_changed = Signal(object)  # id of the document whose note, grade or flag changed
    leaving = Signal()  # last chance to write changes of the open document

    def __init__(self, session: Session, window: QWidget) -> None:
        super().__init__(session)
        self._session = session
        self._steps: list[RemarkStep] = []
        self._undone: list[RemarkStep] = []
        self._noted: int | None = None  # last recorded position in the open document
        self._left: dict[tuple[str, str], int] = {}  # last positions in the documents of this window
        self._last: dict[str, str] = {}  # topic → its last open document
        self.attention = Attention(window)
        self.attention.away.connect(self.note_away)
        self.attention.back.connect(self.note_back)

    @property
    def remarks(self) -> Remarks:
        return NO_REMARKS if self._open is None else self._remarks_of(self._open)

    def _remarks_of(self, place: tuple[str, str]) -> Remarks:
        return self._session.project.histories.log(*place).remarks

    def set_note(self, note: str, span: Span | None = None, of: tuple[str, str] | None = None) -> bool:
        """Set the note of a document (default: the open one) or passage; an empty text removes it."""
        return self._remark("note", partial(reviews.set_note, note=note, span=span), of)

    def set_flag(self, *, on: bool, of: tuple[str, str] | None = None) -> bool:
        return self._remark("flag", partial(reviews.set_flag, on=on), of)

    def set_grade(self, grade: str, span: Span | None = None) -> bool:
        """Grade the open document or one of its passages on the project's scale; empty removes the grade."""
        return self._remark("grade", partial(reviews.set_grade, grade=grade, span=span))

    def answer(self, document: str, question: str, *, on: bool) -> bool:
        """Mark a finding of the quality report as correct, or remove that mark."""
        topic = self._session.topic
        command = partial(reviews.set_answer, question=question, on=on)
        return topic is not None and self._write(command, (topic.id, document))

    # -- taking back ---------------------------------------------------------------------------------

    @contextmanager
    def one_step(self) -> Iterator[None]:
        """Group all remarks made within into one undo step."""
        count = len(self._steps)
        yield
        made = self._steps[count:]
        if len(made) > 1:
            first, last = made[0], made[-1]
            self._steps[count:] = [replace(last, before=first.before)]

    @property
    def to_undo(self) -> str:
        """The remark that undo would revert; "" if the last change of the open document was another one."""
        return self._next(self._steps, undoes=True)

    @property
    def to_redo(self) -> str:
        """The remark that redo would restore, worded like ``to_undo``."""
        return self._next(self._undone, undoes=False)

    def undo(self) -> bool:
        return self._turn(self._steps, self._undone, undoes=True)

    def redo(self) -> bool:
        return self._turn(self._undone, self._steps, undoes=False)

    def _next(self, steps: list[RemarkStep], *, undoes: bool) -> str:
        step = steps[-1] if steps else None
        if step is None or step.place != self._open or step.last != self._session.last_done(*step.place):
            return ""
        return step.label if self.remarks == (step.after if undoes else step.before) else ""

    def _turn(self, steps: list[RemarkStep], others: list[RemarkStep], *, undoes: bool) -> bool:
        step = steps[-1]
        wanted = step.before if undoes else step.after
        if not self._write(partial(reviews.restore_remarks, wanted=wanted), step.place):
            return False
        others.append(steps.pop())
        self.remarks_changed.emit(step.place[1])
        return True

    # -- where documents are left --------------------------------------------------------------------
    #
    # Positions are written after a pause in scrolling, or with the next judgement: never while scrolling.

    def last_of(self, topic: str) -> str | None:
        """Return the last open document of a topic; None if none was opened yet."""
        return self._last.get(topic)

    def note_opened(self, topic: str, document: Document) -> int | None:
        """Record that a document is on the screen, and return its last position."""
        self._last[topic] = document.id
        self._write_opened(topic, document.id, document.text)
        before = self._session.project.histories.log(topic, document.id).reading.position
        self._noted = self._left.get((topic, document.id), before)
        return self._noted

    def note_left(self, topic: str, document: str, position: int | None) -> None:
        if position is None or self._session.project.read_only:
            return
        self._left[topic, document] = position
        reviews.note_left(self._session.project, topic, document, position, soon=True)
        self._session.saving.write_soon()

    def note_place(self, topic: str, document: str, position: int | None) -> None:
        """Record the reading position of the open document if it changed."""
        if position not in (None, self._noted):
            self._noted = position
            self.note_left(topic, document, position)
            self._write_opened(topic, document)

    def _write_opened(self, topic: str, document: str, text: str | None = None) -> None:
        project = self._session.project
        if not project.read_only:
            note = partial(reviews.note_opened, project, topic, document, text=text, soon=True)
            self._session.saving.write(note, "place", soon=True)

    # -- observation ---------------------------------------------------------------------------------

    def note_away(self, idle: float) -> None:
        """Record that the open document was left unattended, after ``idle`` seconds without input."""
        self._observe(partial(reviews.note_away, idle=idle))

    def note_back(self) -> None:
        """Record that the document is being read again."""
        self._observe(reviews.note_back)

    def note_inspected(self) -> None:
        """Record that runs were shown over a document that is not finished."""
        runs = [run.id for run in self._session.runs]
        if runs and not self._session.state.finished:
            self._observe(partial(reviews.note_inspected, runs=runs, soon=True), soon=True)

    def close(self) -> None:
        self.attention.close()

    @property
    def _open(self) -> tuple[str, str] | None:
        session = self._session
        if session.topic is None or session.document is None:
            return None
        return session.topic.id, session.document.id

    def _remark(self, label: str, command: Command, of: tuple[str, str] | None = None) -> bool:
        place, topic = of or self._open, self._session.topic
        before = NO_REMARKS if place is None else self._remarks_of(place)
        done = self._write(command, place)
        if done and place is not None and (after := self._remarks_of(place)) != before:
            self._steps.append(RemarkStep(label, place, before, after, self._session.last_done(*place)))
            self._undone.clear()
        if done and place is not None and topic is not None and topic.id == place[0]:
            self.remarks_changed.emit(place[1])
        return done

    def _observe(self, command: Command, *, soon: bool = False) -> None:
        """Write an automatic record, if the project is writable."""
        if not self._session.project.read_only:
            self._write(command, self._open, soon=soon)

    def _write(self, command: Command, place: tuple[str, str] | None, *, soon: bool = False) -> bool:
        """Write a record about a document; show a message and return False if that fails."""
        session = self._session
        return place is not None and session.saving.write(lambda: command(session.project, *place), soon=soon)


class Session(QObject):
    """The open project with its current topic, document and runs."""

    topic_changed = Signal(object)  # Topic
    topic_read = Signal()  # the states of all documents of the topic are known
    pool_changed = Signal()  # the pool of the topic changed: the collection has been listed
    document_awaited = Signal(object)  # id of a document that waits for the collection
    document_opened = Signal(object)  # OpenDocument
    document_failed = Signal(object)  # DocumentProblem
    state_changed = Signal(object)  # StateChanged
    part_judged = Signal(object)  # StateChanged: a portion of a long step, which ends with state_changed
    judgements_changed = Signal()  # of any topic, from any source
    runs_coming = Signal()  # what shows them is to be there
    runs_changed = Signal(object)  # tuple[Run, ...]
    run_selected = Signal(object)  # Run | None
    convention_changed = Signal(object)  # Convention: the unit of offsets in imported and exported qrels

    def __init__(
        self,
        project: Project,
        tasks: Tasks,
        messages: Messages,
        parent: QWidget,
        reading_position: Callable[[], int | None],
    ) -> None:
        super().__init__(parent)
        self.project = project
        self.judging: Judging = project
        self.topic: Topic | None = None
        self.document: Document | None = None
        self.failed: DocumentProblem | None = None  # instead of the document, if it cannot be read
        self.runs: tuple[Run, ...] = ()
        self.variations = Variations()
        self.queries: dict[str, str] = {}
        """The query that is shown of each topic with several."""
        self.run: Run | None = None
        self.findings: RunFindings = {}  # retrieved documents of the open topic; empty while judging blind
        self._reader: tuple[Document, Reader] | None = None
        self._reading_position = reading_position
        self._first_listed: Callable[[], str | None] = lambda: None
        self._chooses_first: Callable[[], bool] = lambda: False
        self._chosen_elsewhere = False  # chooses the first document of the open topic
        self._tasks, self._messages = tasks, messages
        self._pool = Documents()
        self.saving = SaveWatch(project, tasks, messages, self)
        self.saving.followed.connect(self._on_followed)
        self.record = DocumentRecord(self, parent)
        self.bulk = BulkJudging(self, tasks, messages)
        self.reading = TopicReader(project, messages.error, self)
        self.reading.finished.connect(self._on_read)
        self.preparation = Preparation(project.collection, tasks, self)
        self.opening = Opening(self.preparation, tasks, self)
        self.opening.opened.connect(self._show)
        self.opening.failed.connect(self._fail)
        self.opening.awaited.connect(self._await)
        self.preparation.changed.connect(self._on_preparing)
        self.catalogue = Catalogue(project.collection, tasks, self)
        self.catalogue.hold(not self.preparation.ready)
        self.titles = TitleReading(project.collection, tasks, self)

    def close(self) -> None:
        self.leave()
        self.opening.stop()
        self.record.close()
        self.bulk.stop()
        self.saving.close()
        self.catalogue.close()
        self.reading.leave()

    # -- current place -------------------------------------------------------------------------------

    @property
    def pool_is_known(self) -> bool:
        """Whether the documents are known; without a pool, this needs the index of the collection."""
        return self.project.contents.has_pool or self.preparation.ready

    @property
    def pool(self) -> Documents:
        """The documents of the topic in pool order; empty while they are unknown."""
        known = self.pool_is_known
        ids: Sequence[str] = self.project.pool(self.topic.id) if self.topic is not None and known else ()
        if ids is not self._pool.ids:
            self._pool = Documents(ids)
        return self._pool

    def in_pool_order(self, documents: Iterable[str]) -> list[str]:
        """Return these documents in pool order, without those that are not in the pool."""
        pool = self.pool
        return [pool[row] for row in sorted(map(pool.row, documents)) if row >= 0]

    @property
    def document_id(self) -> str | None:
        """The current document, even if it cannot be read."""
        if self.failed is not None:
            return self.failed.document_id
        return None if self.document is None else self.document.id

    def while_here(self) -> Callable[[], bool]:
        """Return a function that tests whether the current topic and document are still open."""
        topic, document = self.topic, self.document_id
        return lambda: (self.topic, self.document_id) == (topic, document)

    @property
    def state(self) -> DocumentState:
        if self.topic is None or self.document is None:
            return DocumentState()
        return self.judging.state(self.topic.id, self.document.id)

    @property
    def last_step(self) -> str | None:
        """The id of the next step to undo in the open document."""
        if self.topic is None or self.document is None:
            return None
        step = self.history_of(self.topic.id, self.document.id).to_undo
        return None if step is None else step.id

    def last_done(self, topic: str, document: str) -> tuple[str, str]:
        """Return the ids of the next undo steps of a document, for judging and for nuggets, or ""."""
        judged = self.history_of(topic, document).to_undo
        nuggets = self.project.nuggets.of(topic).to_undo(document)
        return "" if judged is None else judged.id, "" if nuggets is None else nuggets.id

    @property
    def adjudicates(self) -> bool:
        """Whether actions are rulings of the third layer, not judgements of the assessor."""
        return self.judging is not self.project

    def history_of(self, topic: str, document: str) -> History:
        return self.project.histories.layer(topic, document, third=self.adjudicates)

    @property
    def drifted(self) -> Mapping[Span, Quote]:
        """The passages of the open document whose text changed, with their text when marked."""
        document = self.document
        if self.topic is None or document is None:
            return {}
        if self._reader is None or self._reader[0] is not document:
            self._reader = document, Reader(document.text)
        return self._reader[1].drifted(self.project.histories.quotes(self.topic.id, document.id))

    def state_of(self, document_id: str) -> DocumentState:
        return DocumentState() if self.topic is None else self.project.state(self.topic.id, document_id)

    def open_topic(self, topic_id: str, document_id: str | None = None) -> None:
        """Open a topic and a document of it: the given one, else the last open one, else the first.

        A view may choose another one (``let_begin``).
        """
        topic = next((topic for topic in self.project.topics if topic.id == topic_id), None)
        if topic is None or topic == self.topic:
            return
        self._tasks.settling.unsettle()
        self.leave()
        self.topic = topic
        self.catalogue.forget_unreadable()
        self.opening.stop()
        self.document = self.failed = None
        self.reading.leave()
        self._chosen_elsewhere = document_id is None and self._chooses_first()
        self.topic_changed.emit(topic)
        if not self._chosen_elsewhere:
            document_id = document_id or self.record.last_of(topic_id)
        if document_id is not None:
            self.open_document(document_id)
        self.reading.read(topic.id, self.pool)

    def reload(self) -> None:
        """Reload the topic and its open or loading document after changes from outside."""
        if self.topic is None:
            return
        self.leave()
        here, self.document, self.failed = self.document_id, None, None
        self.reading.leave()
        self.topic_changed.emit(self.topic)
        if here is not None and self.opening.wanted is None:
            self.open_document(here)
        self.reading.read(self.topic.id, self.pool)
        self.judgements_changed.emit()

    def _on_read(self) -> None:
        """Continue the work that needed the states of all documents."""
        self._tasks.settling.wait(self._read_about)
        self.topic_read.emit()
        if self.document is not None:
            self.opening.read_ahead(self.unfinished_after(self.document.id))
        elif self.failed is None and self.opening.wanted is None and not self._chosen_elsewhere:
            self.open_first()

    def let_begin(self, first_listed: Callable[[], str | None], chooses_first: Callable[[], bool]) -> None:
        """Let a view choose the first document of a topic, or open one itself."""
        self._first_listed, self._chooses_first = first_listed, chooses_first

    def await_choice(self) -> None:
        """Open no document automatically, because a view opens one."""
        self._chosen_elsewhere = True
        self.opening.stop()

    def open_first(self) -> None:
        """Open the first document of a view's list, else the first to do, else the first of the pool."""
        if self.document is None:
            first = self._first_listed() or self.unfinished_after(None) or next(iter(self.pool), None)
            if first is not None:
                self.open_document(first)

    def step_topic(self, step: int) -> None:
        ids = [topic.id for topic in self.project.topics]
        if self.topic is not None and 0 <= (at := ids.index(self.topic.id) + step) < len(ids):
            self.open_topic(ids[at])

    def open_document(self, document_id: str) -> None:
        """Read a document in a background thread and open it; retry if that failed before."""
        shown = None if self.document is None else self.document.id
        if self.topic is not None and document_id != (self.opening.wanted or shown):
            self.opening.open(document_id)

    def unfinished_after(self, document_id: str | None, without: Sequence[str] = ()) -> str | None:
        """Return the next readable document of the pool that is not finished, wrapping around."""
        passed = self.catalogue.unreadable.union(without)
        following = (name for name in self.pool.after(document_id) if name not in passed)
        if self.topic is None:
            return next(following, None)
        return self.project.histories.first_unfinished(self.topic.id, following)

    def leave(self) -> None:
        """Record the position in the open document for the next time it opens."""
        if self.topic is not None and self.document is not None:
            self.record.leaving.emit()
            self.record.note_left(self.topic.id, self.document.id, self._reading_position())

    def note_position(self) -> None:
        """Record the reading position, in case the program is killed."""
        if self.topic is not None and self.document is not None:
            self.record.note_place(self.topic.id, self.document.id, self._reading_position())

    def _show(self, document: Document) -> None:
        if self.topic is None:
            return
        self.leave()
        self.catalogue.note(document)
        self.document, self.failed = document, None
        position = self.record.note_opened(self.topic.id, document)
        self.document_opened.emit(OpenDocument(self.topic, document, position))
        if self.reading.ready:
            self.opening.read_ahead(self.unfinished_after(document.id))

    def _fail(self, problem: DocumentProblem) -> None:
        """Make an unreadable document the current one, with the reason."""
        self.leave()
        if self.preparation.ready and not problem.silent:
            self.catalogue.note_unreadable([problem.document_id], UNREADABLE)
        self.document, self.failed = None, problem
        self.document_failed.emit(problem)

    def _await(self, document_id: str) -> None:
        """Open no document until the collection is ready."""
        self.leave()
        self.document = self.failed = None
        self.document_awaited.emit(document_id)

    def change_pool(self, change: Callable[[Project, str], Pooled]) -> Pooled | None:
        """Change the pool of the open topic; show a message and return None if that fails."""
        if self.topic is None:
            return None
        try:
            changed = change(self.project, self.topic.id)
        except InexviewError as error:
            self.saving.failed(error)
            return None
        self.saving.done()
        self.pool_changed.emit()
        return changed

    def _on_preparing(self) -> None:
        """Continue the work that waited for the collection."""
        self.catalogue.hold(not self.preparation.ready)
        if not self.preparation.ready or self.topic is None:
            return
        if not self.project.contents.has_pool:
            self._tasks.run(self.pool.get_ready, lambda _nothing: None, urgent=False)
            self.reading.leave()
            self.pool_changed.emit()
            self.reading.read(self.topic.id, self.pool)
        elif self.reading.ready:
            self._on_read()
        if self.failed is not None and self.opening.wanted is None:
            here, self.failed = self.failed.document_id, None
            self.open_document(here)

    def _on_followed(self, changed: Sequence[tuple[str, str]]) -> None:
        """Show the judgements of another window."""
        names = [name for topic, name in changed if self.topic is not None and topic == self.topic.id]
        if self.topic is not None and names:
            first, *others = names
            state = self.project.state(self.topic.id, first)
            self.state_changed.emit(StateChanged(self.topic.id, first, state, tuple(others)))
        self.judgements_changed.emit()

    def use_convention(self, convention: Convention) -> None:
        """Set the unit of offsets in qrels; raises ProjectError if it cannot be saved."""
        self.project.set_convention(convention)
        self.convention_changed.emit(convention)

    # -- judging -------------------------------------------------------------------------------------

    def mark(self, start: int, end: int) -> bool:
        return self.judge(lambda topic, document: self.judging.mark(topic, document, start, end))

    def erase(self, start: int, end: int) -> bool:
        return self.judge(lambda topic, document: self.judging.erase(topic, document, start, end))

    def set_entry_point(self, offset: int | None) -> bool:
        return self.judge(lambda topic, document: self.judging.set_bep(topic, document, offset))

    def finish(self, document_id: str | None = None, topic_id: str | None = None) -> bool:
        """Finish a document (default: the open one); return False if the rules do not allow it."""
        return self.judge(self.project.finish, document_id, topic_id=topic_id)

    def reopen(self) -> bool:
        return self.judge(self.project.reopen)

    def not_relevant(self) -> bool:
        """Finish the open document without marks, in one step."""
        return self.judge(self.project.not_relevant)

    def clear(self) -> bool:
        return self.judge(self.project.clear)

    def undo(self, document_id: str | None = None) -> bool:
        """Undo the last step in a document (default: the open one); a bulk step in all its documents."""
        return self._turn(UNDO, document_id)

    def redo(self) -> bool:
        return self._turn(REDO, None)

    def _turn(self, action: str, document_id: str | None) -> bool:
        here, of, undoes = document_id or self.document_id, self.project.histories, action == UNDO
        if self.topic is None or here is None:
            return False
        history = self.history_of(self.topic.id, here)
        step = history.to_turn(action)
        if step is not None and self.bulk.takes(of.documents_of(step)):
            return self.bulk.turn(action, self.topic.id, step)
        third = self.adjudicates
        reached = of.turned_by(action, self.topic.id, here, third=third)
        command = partial(self.project.undo if undoes else self.project.redo, third=third)
        return self.judge(command, document_id, reached, turned=step)

    def judge(
        self,
        command: Callable[[str, str], DocumentState],
        document_id: str | None = None,
        reached: Sequence[str] = (),
        topic_id: str | None = None,
        turned: Step | None = None,
    ) -> bool:
        """Change a document (default: the open one); ``reached`` are all documents that change."""
        if document_id is None:
            document_id = None if self.document is None else self.document.id
        if self.topic is None or document_id is None:
            return False
        topic_id = topic_id or self.topic.id
        outside = self.project.contents.has_pool and document_id not in self.pool
        last = self.project.journal.last
        try:
            state = command(topic_id, document_id)
        except InexviewError as error:
            self.saving.failed(error)
            return False
        if self.project.journal.last != last:  # else nothing changed, and it may be impossible
            self.saving.done()
        self._messages.settle()
        others = tuple(name for name in reached if name != document_id)
        if outside and document_id in self.pool:
            self.pool_changed.emit()  # it was added to the pool
        if topic_id == self.topic.id:
            self.state_changed.emit(StateChanged(topic_id, document_id, state, others, turned))
        self.judgements_changed.emit()
        return True

    # -- runs ----------------------------------------------------------------------------------------

    def add_run(self, *runs: Run) -> list[Run]:
        """Open runs, the first as the current one; a run of the same file replaces the older one.

        Return the runs as they are open: of topics with several queries, each shows one.
        """
        self.runs_coming.emit()
        topics = [topic.id for topic in self.project.topics]
        shown = [self.variations.shown(run, topics, self.queries) for run in runs]
        self.runs = tuple({run.path: run for run in (*self.runs, *shown)}.values())
        self.runs_changed.emit(self.runs)
        self.select_run(shown[0])
        return shown

    def replace_runs(self, renewed: Mapping[Run, Run]) -> None:
        """Replace runs by the same ones with other queries shown."""
        self.runs = tuple(renewed.get(run, run) for run in self.runs)
        self.runs_changed.emit(self.runs)
        self.select_run(None if self.run is None else renewed.get(self.run, self.run))

    def close_run(self, run: Run | None = None) -> None:
        gone = run or self.run
        self.runs = tuple(kept for kept in self.runs if kept is not gone)
        self.runs_changed.emit(self.runs)
        if self.run is gone:
            self.select_run(self.runs[-1] if self.runs else None)

    def select_run(self, run: Run | None) -> None:
        self.run = run
        self._tasks.settling.wait(self._read_about)
        self.run_selected.emit(run)

    def use_findings(self, findings: RunFindings) -> None:
        """Compute which runs retrieved the documents of the topic, if the assessor asked for it."""
        self.findings = findings

    # -- facts about documents -----------------------------------------------------------------------

    def look_at(self, documents: Sequence[str]) -> None:
        if self.topic is not None:
            self.catalogue.want_first(documents, self._to_measure(self.topic.id, documents))

    def _read_about(self) -> None:
        """Read titles for the visible lists."""
        if self.topic is not None and self.reading.ready and self.preparation.ready:
            self.titles.read(self.pool)
        if self.topic is not None and self.reading.ready:
            if self.project.contents.has_pool and self.pool.long:
                self._tasks.run(self.pool.get_ready, lambda _nothing: None, urgent=False)
            topic, pool = self.topic.id, self.pool  # only the beginning of a long list: see TitleReading
            of_run = [] if self.run is None else self.run.documents(topic, READ_OF_RUN)
            wanted = list(dict.fromkeys((*(pool[:READ_OF_POOL] if pool.long else pool), *of_run)))
            self.catalogue.want(wanted, self._to_measure(topic, wanted))

    def _to_measure(self, topic: str, documents: Iterable[str]) -> list[str]:
        """Return the relevant documents of unknown length; in a large pool, few were opened."""
        touched = set(self.project.touched(topic))
        unknown = (name for name in documents if name in touched and not self.catalogue.about(name).length)
        return [name for name in unknown if self.project.state(topic, name).relevant]


def offering_undo(
    session: Session,
    messages: Messages,
    told: str,
    document: str,
    then: Callable[[], object] = lambda: None,
) -> Message:
    """Return a message with a button that undoes the last step of a document, and then calls ``then``.

    A bulk step is undone in those of its documents that were not judged since.  If there are none, or if
    another topic is open, the button only reports this.  The message disappears once the step is undone.
    """
    topic, histories = session.topic, session.project.histories
    assert topic is not None  # it was changed since
    history_of = histories.third if session.adjudicates else histories.of
    step = history_of(topic.id, document).to_undo
    changed = (step and histories.documents_of(step)) or (document,)

    def comes_next(name: str) -> bool:
        last = history_of(topic.id, name).to_undo
        return step is not None and last is not None and last.id == step.id

    def undo() -> None:
        left = next(filter(comes_next, changed), None)
        if session.topic != topic:
            messages.info(f"That action was in topic {topic.id}: undo it there.")
        elif left is None:
            where = "that document" if len(changed) == 1 else "those documents"
            messages.info(f"Something else was done in {where} since: undo that first.")
        elif session.undo(left):
            then()

    def is_done(name: str) -> bool:
        return step is None or any(done.id == step.id for done in history_of(topic.id, name).done)

    return Message(MessageKind.INFO, told, "Undo", undo, stands=lambda: any(map(is_done, changed)))


def start_import(
    tasks: Tasks,
    project: Project,
    judged: Qrels | Records,
    name: str,
    done: Callable[[Imported], None],
    given_up: Callable[[], None],
    agree: Callable[[Ready, Sequence[str]], bool] = lambda _ready, _absent: True,
) -> None:
    """Read in a background thread, then write to the project in the window's thread.

    Documents that neither collection nor pool has are left out, if ``agree`` says so; else nothing is done.
    """
    topics, convention = {topic.id for topic in project.topics}, project.convention
    collection = project.collection

    def read(progress: Progress) -> tuple[Ready, list[str]]:
        ready = make_ready(judged, topics, convention, lambda id: collection.text(id), progress)
        ready = replace(ready, taken=tuple(sorted(ready.taken, key=lambda one: one.judgement.topic)))
        return ready, absent_of(ready, topics, collection)

    def write(found: tuple[Ready, list[str]]) -> None:
        ready, absent = only_there(project, *found)
        if not absent or agree(ready, absent):
            tasks.run_here(f"Importing {name}", import_steps(project, ready), done, given_up)

    tasks.run_long(f"Reading for {name}", read, write, given_up=given_up)


def import_steps(project: Project, ready: Ready) -> Generator[News, None, Imported]:
    """Import judgements, each step in one transaction; cancelling keeps the steps that are done.

    Raises what ``Project.take`` raises.
    """
    total = len(ready.taken)
    done = documents = unchanged = 0
    warnings = dict.fromkeys(ready.warnings)
    portions = Portions()
    while done < total:
        part = replace(ready, taken=ready.taken[done : done + portions.size], warnings=())
        begun = perf_counter()
        taken = yield from once_free(partial(take, project, part), News("judgements imported", done, total))
        took = perf_counter() - begun
        documents += taken.documents
        unchanged += taken.unchanged
        warnings.update(dict.fromkeys(taken.warnings))
        done = min(done + portions.size, total)
        portions.note(took)
        yield News("judgements imported", done, total)
    return Imported(documents, unchanged, tuple(warnings))
