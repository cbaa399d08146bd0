"""What a session tells, and what is recorded of the open document beside its judgements: remarks, time,
looking at runs, and where one was.

Time counts while somebody looks at it: the window is active, and a key or the mouse was used in the last
minute.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from time import monotonic, time
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QEvent, QFileSystemWatcher, QObject, QTimer, Signal
from PySide6.QtGui import QInputEvent
from PySide6.QtWidgets import QApplication, QWidget

from inexview.core.article.document import Document
from inexview.core.errors import BusyError, DiskFullError, InexviewError, ProjectError
from inexview.core.files import is_there
from inexview.core.judgements.topics import Topic
from inexview.core.project import reviews
from inexview.core.project.document_state import DocumentState
from inexview.core.project.history import Step
from inexview.core.project.journal import ProjectGoneError
from inexview.core.project.journal_rows import NO_REMARKS, Remarks
from inexview.core.project.project import Project
from inexview.core.project.recovery import keep_copy
from inexview.core.project.reviews import note_left, note_opened
from inexview.core.text.search import Span
from inexview.gui.look.widgets import timer
from inexview.gui.services.messages import Message, MessageKind, Messages, as_sentence
from inexview.gui.services.tasks import Tasks

if TYPE_CHECKING:
    from inexview.gui.services.session import Session


# Whether what is done is in the project file: told after each action, and looked at every two seconds.
#
# A write that failed stays told until one succeeds. Copies are made of a project that is written to, when
# it is opened and every ten minutes in which something was done; one that is only read follows what others
# write.

SAVED = "Every action is saved as it is done; there is nothing left to save."
LOOK_EVERY = 2_000  # milliseconds
COPY_EVERY = 600_000
WRITE_AFTER = 400  # of rest, for who goes through many documents shall not wait for the disk


@dataclass(frozen=True, slots=True)
class SaveState:
    """Since when all is saved or read, and what could not be saved; ``gone``: the file is."""

    time: datetime | None = None
    problem: str = ""
    """A sentence, empty where all is saved."""
    short: str = ""
    """That in a few words."""
    gone: bool = False
    no_copy: str = ""
    """Why no copy could be made."""
    read_only: str = ""
    """Why it is only read; empty where it is written to."""
    damaged: bool = False


class SaveWatch(QObject):
    """Watches over one project."""

    changed = Signal(object)  # SavingState
    closing = Signal()  # what waits to be written has to be now
    elsewhere_wanted = Signal()  # somebody wants what is done saved to another file
    followed = Signal(object)  # list[tuple[str, str]]: (topic, document) that another window has judged

    def __init__(self, project: Project, tasks: Tasks, messages: Messages, parent: QObject) -> None:
        super().__init__(parent)
        self.state = SaveState(
            datetime.now() if project.read_only else None,
            read_only=project.read_only_reason,
            damaged=project.damage is not None,
        )
        self._project, self._tasks, self._messages = project, tasks, messages
        self._said: Message | None = None  # why something is not saved
        self._unwritten = ""  # why what was seen could not be written
        self._copied = self._done = 0
        self._soon = QTimer(self, singleShot=True)
        self._soon.timeout.connect(self._write)
        self._watch = timer(self, self.look, LOOK_EVERY, repeats=True)
        self._watch.start()
        self._copying = timer(self, self.copy, COPY_EVERY, repeats=True)
        if not project.read_only:
            project.journal.hasten()
            self._copying.start()
            self._done = 1  # the state in which it was opened is worth a copy
            self.copy()

    def done(self) -> None:
        """Tell that something is in the project file."""
        self._done += 1
        self._unwritten = ""
        self._messages.withdraw(self._said)
        self._tell(replace(self.state, time=datetime.now(), problem="", gone=False))

    def save(self) -> None:
        """Say that all is saved, or again what could not be; nothing waits to be saved."""
        self.look()
        if self.state.problem and self._said is not None:
            self._messages.say(self._said)
        elif self.state.read_only:
            self._messages.info(f"There is nothing to save. {as_sentence(self.state.read_only)}")
        else:
            self._messages.info(SAVED)

    def write_soon(self) -> None:
        """Have written what waits, after a moment in which nothing more came to wait."""
        self._soon.start(WRITE_AFTER)

    def failed(self, error: InexviewError, what: str = "") -> None:
        """Say why something was not done; that ``what`` could not be saved stays told."""
        if isinstance(error, ProjectGoneError):
            self._tell_gone(error)
            return
        self._messages.error(error)
        if isinstance(error, ProjectError) and not self.state.read_only:
            if self._messages.current is not None:
                self._messages.say(replace(self._messages.current, holds=True))
            self._said = self._messages.current
            short = f"{what} not saved: {_few_words(error)}".lstrip()
            self._tell(replace(self.state, problem=as_sentence(str(error)), short=short))

    def look(self) -> None:
        """See whether the file is still there, and what others have written to it."""
        try:
            if self._project.read_only:
                parameters = self._project.parameters
                changed = self._project.follow()
                if changed or self._project.parameters != parameters:
                    self._tell(replace(self.state, time=datetime.now()))
                    self.followed.emit(changed)
            else:
                self._project.check_file()
                if self.state.gone:  # it has come back
                    self._tell(replace(self.state, problem="", gone=False))
                    self._messages.withdraw(self._said)
        except ProjectGoneError as error:
            if not self.state.gone:
                self._tell_gone(error)
        except ProjectError as error:
            self.failed(error)

    def copy(self) -> None:
        """Make a copy off the window's thread, where something was done since the last."""
        if self._done != self._copied and not self.state.gone:
            self._copied, path = self._done, self._project.path
            self._tasks.run(
                lambda: keep_copy(path),
                lambda _copy: self._tell_copy(""),
                lambda error: self._tell_copy(as_sentence(str(error))),
                urgent=False,
            )

    def close(self) -> None:
        """Write what waits, and stop watching the file."""
        self.closing.emit()
        self._soon.stop()
        self._watch.stop()
        self._copying.stop()

    def _write(self) -> None:
        try:
            self._project.write_waiting()
        except InexviewError as error:
            if str(error) != self._unwritten:
                self._unwritten = str(error)
                self.failed(error, "place")
            self._soon.start(LOOK_EVERY)
        else:
            self.done()

    def _tell_copy(self, problem: str) -> None:
        """Say once that no copy can be made; the status bar says so until one can."""
        if problem and not self.state.no_copy:
            self._messages.warn(f"{problem} Judging is saved in the project file; only the copy is lacking.")
        if problem != self.state.no_copy:
            self._tell(replace(self.state, no_copy=problem))

    def _tell_gone(self, error: ProjectGoneError) -> None:
        said = as_sentence(str(error))
        self._tell(replace(self.state, problem=said, short="not saved: the file is gone", gone=True))
        self._said = Message(
            MessageKind.ERROR, said, "Save elsewhere…", self.elsewhere_wanted.emit, holds=True
        )
        self._messages.say(self._said)

    def _tell(self, state: SaveState) -> None:
        self.state = state
        self.changed.emit(state)


def _few_words(error: ProjectError) -> str:
    if isinstance(error, DiskFullError):
        return "the disk is full"
    return "the file is in use" if isinstance(error, BusyError) else "the file cannot be written to"


# Tells when files that are open have changed on disk.

QUIET = 500  # milliseconds without a further change: who writes a file writes it in pieces


class FileWatch(QObject):
    """Watches some files, and waits until who writes them is done; one that is gone may come again."""

    changed = Signal(object)  # tuple[Path, ...]: as they were given, and they are still there
    gone = Signal(object)  # tuple[Path, ...]: as they were given, and they are there no more

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._paths: dict[str, Path] = {}
        self._touched: set[str] = set()
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self._note)
        self._watcher.directoryChanged.connect(lambda _folder: self._look())
        self._quiet = timer(self, self._tell, QUIET)

    @property
    def watched(self) -> tuple[Path, ...]:
        return tuple(self._paths.values())

    def watch(self, paths: Iterable[Path | None]) -> None:
        self._paths = {os.path.realpath(path): path for path in paths if path is not None}
        self._follow()

    def _follow(self) -> None:
        """Watch the files that can be read, and the folders of those that cannot."""
        there = {name for name in self._paths if os.access(name, os.R_OK)}
        folders = {os.path.dirname(name) for name in self._paths.keys() - there}  # noqa: PTH120
        wanted = there | {folder for folder in folders if os.access(folder, os.R_OK)}
        watched = {*self._watcher.files(), *self._watcher.directories()}
        if gone := watched - wanted:
            self._watcher.removePaths(sorted(gone))
        if new := wanted - watched:
            self._watcher.addPaths(sorted(new))

    def _look(self) -> None:
        """Note files that were gone and are there again."""
        for name in self._paths.keys() - {*self._watcher.files()}:
            if is_there(self._paths[name]):
                self._note(name)

    def _note(self, path: str) -> None:
        self._touched.add(path)
        self._quiet.start()

    def _tell(self) -> None:
        """Tell what changed; a file that was replaced is another one, and must be watched again."""
        paths = [self._paths[name] for name in sorted(self._touched & {*self._paths})]
        self._touched.clear()
        there = tuple(path for path in paths if is_there(path))
        gone = tuple(path for path in paths if path not in there)
        self._follow()
        if there:
            self.changed.emit(there)
        if gone:
            self.gone.emit(gone)


# What a session tells the views.


@dataclass(frozen=True, slots=True)
class OpenDocument:
    """The document on the screen, and where it was left (a code-point offset, None if never opened)."""

    topic: Topic
    document: Document
    position: int | None


@dataclass(frozen=True, slots=True)
class StateChanged:
    """A document has another state now; it is in the project file already.

    ``others`` are further documents that the same step changed, of a step in parts those of the last part;
    ``turned`` is the step, where one was undone or done again here.
    """

    topic_id: str
    document_id: str
    state: DocumentState
    others: tuple[str, ...] = ()
    turned: Step | None = None

    @property
    def documents(self) -> tuple[str, ...]:
        return (self.document_id, *self.others)


# What a stroke of the pen becomes: a judgement of the project's own, or a ruling between two assessors.


class Judging(Protocol):
    """What a session judges by; a project is one."""

    def state(self, topic: str, document: str) -> DocumentState:
        """Return how a document is judged."""

    def mark(self, topic: str, document: str, start: int, end: int) -> DocumentState:
        """Mark the code points ``[start, end)``."""

    def erase(self, topic: str, document: str, start: int, end: int) -> DocumentState:
        """Take marks away from them."""

    def set_bep(self, topic: str, document: str, offset: int | None) -> DocumentState:
        """Set or remove the best entry point."""


# Notes in the project which documents are opened, and where each is left, so that it opens there again.


class PlaceNotes:
    """Notes nothing where the project can only be read; what cannot be written is told by ``saving``.

    No one waits for the disk here: notes are written once one has come to rest, or with the next judgement.
    """

    def __init__(self, project: Project, saving: SaveWatch) -> None:
        self._project = project
        self._saving = saving
        self._noted: int | None = None  # the position noted last of the open document
        self._left: dict[tuple[str, str], int] = {}  # where documents were left in this window
        self._documents: dict[str, str] = {}  # topic → document that was open in it last

    def last_of(self, topic: str) -> str | None:
        """Return the document that was open last in a topic, None where none was yet."""
        return self._documents.get(topic)

    def open(self, topic: str, document: str, text: str) -> int | None:
        """Note that a document is on the screen now, and return the offset at which it was left."""
        self._documents[topic] = document
        self._write_opened(topic, document, text)
        before = self._project.histories.log(topic, document).reading.position
        self._noted = self._left.get((topic, document), before)
        return self._noted

    def leave(self, topic: str, document: str, position: int | None) -> None:
        """Note where a document is left."""
        if position is None or self._project.read_only:
            return
        self._left[topic, document] = position
        note_left(self._project, topic, document, position, soon=True)
        self._saving.write_soon()

    def stay(self, topic: str, document: str, position: int | None) -> None:
        """Note where a document is read that stays open, if that is another place."""
        if position not in (None, self._noted):
            self._noted = position
            self.leave(topic, document, position)
            self._write_opened(topic, document)

    def _write_opened(self, topic: str, document: str, text: str | None = None) -> None:
        if self._project.read_only:
            return
        try:
            note_opened(self._project, topic, document, text=text, soon=True)
        except InexviewError as error:
            self._saving.failed(error, "place")
        else:
            self._saving.write_soon()


Command = Callable[[Project, str, str], None]
IDLE = 60.0  # seconds without key or mouse after which no one looks
_LOOK_EVERY = 1_000  # milliseconds; of several acts between two looks the first is noted
_ACTS = {
    QEvent.Type.ShortcutOverride,  # comes before each KeyPress, and alone where the key is a command
    QEvent.Type.MouseButtonPress,
    QEvent.Type.MouseMove,
    QEvent.Type.Wheel,
    QEvent.Type.TabletMove,
    QEvent.Type.TouchUpdate,
}


class Attention(QObject):
    """Watches over one window."""

    away = Signal(float)  # no one looks any more, since so many seconds
    back = Signal()
    ticked = Signal()  # every second while somebody looks, and once when no one does any more

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._acted, self._acted_at = monotonic(), time()
        self.present = True
        self._timer = timer(self, self._look, _LOOK_EVERY, repeats=True)
        self._timer.start()
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusWindowChanged.connect(self._follow_focus)

    def close(self) -> None:
        self._timer.stop()
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusWindowChanged.disconnect(self._follow_focus)
        self._watch_acts(on=False)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Note that something was done."""
        if isinstance(event, QInputEvent) and event.type() in _ACTS and self._is_active():
            self._act()
        return False

    def _act(self) -> None:
        """Note that somebody is there, and before that how long no one was: the machine may have slept."""
        self._leave_idle()
        self._acted, self._acted_at = monotonic(), time()
        self._watch_acts(on=False)
        if not self.present:
            self.present = True
            self.back.emit()

    def _follow_focus(self, _window: object) -> None:
        """Be away while another window is the active one, whatever program it is of."""
        if not self._is_active():
            if self.present:
                self._leave(self._idle())
        elif not self.present:
            self._act()

    def _is_active(self) -> bool:
        """Tell whether the window or a dialog of it is the active one, not another project's."""
        active = QApplication.activeWindow()
        while active is not None and active is not self._window:
            active = active.parentWidget()
        return active is not None

    def _watch_acts(self, *, on: bool) -> None:
        """Look at every event of the program, which costs a call for each, until one is an act."""
        application = QApplication.instance()
        if application is None:
            return
        if on:
            application.installEventFilter(self)
        else:
            application.removeEventFilter(self)

    def _look(self) -> None:
        self._watch_acts(on=True)
        self._leave_idle()
        if self.present:
            self.ticked.emit()

    @property
    def quiet(self) -> float:
        """For how many seconds no one did anything: whether somebody reads is known at the next act."""
        return max(monotonic() - self._acted, 0.0) if self.present else 0.0

    def _leave_idle(self) -> None:
        """Say that no one looks where no one did anything."""
        if self.present and self._idle():
            self._leave(self._idle())

    def _idle(self) -> float:
        """Return for how many seconds no one did anything, 0 where that is no longer than one may read.

        The steady clock stands still while a machine sleeps, and that of the actions may be put back.
        """
        idle = max(monotonic() - self._acted, time() - self._acted_at)
        return idle if idle >= IDLE else 0.0

    def _leave(self, idle: float) -> None:
        self.present = False
        self.away.emit(idle)
        self.ticked.emit()  # what was idled is no time


@dataclass(frozen=True, slots=True)
class RemarkStep:
    """One change of notes, grades or the flag of a document; ``last`` was its last judging step then."""

    label: str
    place: tuple[str, str]  # topic and document
    before: Remarks
    after: Remarks
    last: str | None


class DocumentRecord(QObject):
    """Writes to the project what is remarked and observed of the session's document.

    Remarks made in this window are undone in turn with the steps of judging.
    """

    remarks_changed = Signal(object)  # id of a document of the topic whose note, grade or flag is another
    leaving = Signal()  # what is not written yet of the open document is written now or lost

    def __init__(self, session: Session, window: QWidget) -> None:
        super().__init__(session)
        self._session = session
        self._steps: list[RemarkStep] = []
        self._undone: list[RemarkStep] = []
        self.attention = Attention(window)
        self.attention.away.connect(self.note_away)
        self.attention.back.connect(self.note_back)

    @property
    def remarks(self) -> Remarks:
        """Notes, grades and the flag of the open document."""
        return NO_REMARKS if self._open is None else self._remarks_of(self._open)

    def _remarks_of(self, place: tuple[str, str]) -> Remarks:
        return self._session.project.histories.log(*place).remarks

    def set_note(self, note: str, span: Span | None = None, of: tuple[str, str] | None = None) -> bool:
        """Note something about the open document or another, or one of its passages; empty takes it away."""
        return self._remark("note", partial(reviews.set_note, note=note, span=span), of)

    def set_flag(self, *, on: bool, of: tuple[str, str] | None = None) -> bool:
        """Flag the open document or another to come back to, or no longer."""
        return self._remark("flag", partial(reviews.set_flag, on=on), of)

    def set_grade(self, grade: str, span: Span | None = None) -> bool:
        """Grade the open document, or one of its passages, on the project's scale; empty takes it away."""
        return self._remark("grade", partial(reviews.set_grade, grade=grade, span=span))

    def answer(self, document: str, question: str, *, on: bool) -> bool:
        """Note that what the quality report asks about a document is right as it is, or no longer."""
        topic = self._session.topic
        command = partial(reviews.set_answer, question=question, on=on)
        return topic is not None and self._write(command, (topic.id, document))

    # -- taking back ---------------------------------------------------------------------------------

    @contextmanager
    def one_step(self) -> Iterator[None]:
        """Have all that is remarked within undone at once."""
        count = len(self._steps)
        yield
        made = self._steps[count:]
        if len(made) > 1:
            first, last = made[0], made[-1]
            self._steps[count:] = [replace(last, before=first.before)]

    @property
    def to_undo(self) -> str:
        """What undo would take back if the last thing done in the open document was a remark, else ""."""
        return self._next(self._steps, undoes=True)

    @property
    def to_redo(self) -> str:
        """What redo would bring back, as ``to_undo`` says it."""
        return self._next(self._undone, undoes=False)

    def undo(self) -> bool:
        """Take the last remark back."""
        return self._turn(self._steps, self._undone, undoes=True)

    def redo(self) -> bool:
        """Make the remark again that was taken back last."""
        return self._turn(self._undone, self._steps, undoes=False)

    def _next(self, steps: list[RemarkStep], *, undoes: bool) -> str:
        step = steps[-1] if steps else None
        if step is None or step.place != self._open or step.last != self._session.last_step:
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

    # -- what is observed ----------------------------------------------------------------------------

    def note_away(self, idle: float) -> None:
        """Note that no one looks at the open document, since so many seconds."""
        self._observe(partial(reviews.note_away, idle=idle))

    def note_back(self) -> None:
        """Note that somebody looks at it again."""
        self._observe(reviews.note_back)

    def note_inspected(self) -> None:
        """Note that runs are looked at over a document that is not finished."""
        runs = [run.id for run in self._session.runs]
        if runs and not self._session.state.finished:
            self._observe(partial(reviews.note_inspected, runs=runs, soon=True), soon=True)

    def close(self) -> None:
        self.attention.close()

    @property
    def _open(self) -> tuple[str, str] | None:
        """The topic and the document that are open."""
        session = self._session
        if session.topic is None or session.document is None:
            return None
        return session.topic.id, session.document.id

    def _remark(self, label: str, command: Command, of: tuple[str, str] | None = None) -> bool:
        place, topic = of or self._open, self._session.topic
        before = NO_REMARKS if place is None else self._remarks_of(place)
        done = self._write(command, place)
        if done and place is not None and (after := self._remarks_of(place)) != before:
            last = self._session.history_of(*place).to_undo
            self._steps.append(RemarkStep(label, place, before, after, None if last is None else last.id))
            self._undone.clear()
        if done and place is not None and topic is not None and topic.id == place[0]:
            self.remarks_changed.emit(place[1])
        return done

    def _observe(self, command: Command, *, soon: bool = False) -> None:
        """Write what no one asked for, where anything is written at all."""
        if not self._session.project.read_only:
            self._write(command, self._open, soon=soon)

    def _write(self, command: Command, place: tuple[str, str] | None, *, soon: bool = False) -> bool:
        """Write about a document; False, and why is said, where that is not possible."""
        session = self._session
        if place is None:
            return False
        try:
            command(session.project, *place)
        except InexviewError as error:
            session.saving.failed(error)
            return False
        (session.saving.write_soon if soon else session.saving.done)()
        return True
