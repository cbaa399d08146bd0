"""Saving of the project, changes of open files, reading time, and the protocol of judging.

Reading time counts while the window is active and a key or the mouse was used in the last minute.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from time import monotonic, time
from typing import Protocol

from PySide6.QtCore import QEvent, QFileSystemWatcher, QObject, QTimer, Signal
from PySide6.QtGui import QInputEvent
from PySide6.QtWidgets import QApplication, QWidget

from inexview.core.article.document import Document
from inexview.core.errors import BusyError, DiskFullError, InexviewError, ProjectError
from inexview.core.files import is_there
from inexview.core.judgements.topics import Topic
from inexview.core.project.document_state import DocumentState
from inexview.core.project.history import Step
from inexview.core.project.journal import ProjectGoneError
from inexview.core.project.project import Project
from inexview.core.project.recovery import keep_copy
from inexview.gui.look.widgets import timer
from inexview.gui.services.messages import Message, MessageKind, Messages, as_sentence
from inexview.gui.services.tasks import Tasks

# The state of saving: reported after each action, and checked every two seconds.
#
# A failed write stays reported until one succeeds. A copy of a writable project is made when it is opened and
# every ten minutes with changes. A project that is only read follows what others write.

SAVED = "Every action is saved at once. There is nothing left to save."
LOOK_EVERY = 2_000  # milliseconds
COPY_EVERY = 600_000
WRITE_AFTER = 400  # milliseconds of rest, so that leafing through documents does not wait for the disk


@dataclass(frozen=True, slots=True)
class SaveState:
    """When the last write was, and what could not be saved; ``gone`` if the file is missing."""

    time: datetime | None = None
    problem: str = ""
    """A sentence, "" if everything is saved."""
    short: str = ""
    """The problem in a few words."""
    gone: bool = False
    no_copy: str = ""
    """Why no copy could be made."""
    read_only: str = ""
    """Why the project is read-only, "" if it is writable."""
    damaged: bool = False


class SaveWatch(QObject):
    """Watches the saving of one project."""

    changed = Signal(object)  # SavingState
    closing = Signal()  # pending writes must be done now
    elsewhere_wanted = Signal()  # the user wants to save to another file
    followed = Signal(object)  # list[tuple[str, str]]: (topic, document) judged in another window

    def __init__(self, project: Project, tasks: Tasks, messages: Messages, parent: QObject) -> None:
        super().__init__(parent)
        self.state = SaveState(
            datetime.now() if project.read_only else None,
            read_only=project.read_only_reason,
            damaged=project.damage is not None,
        )
        self._project, self._tasks, self._messages = project, tasks, messages
        self._message: Message | None = None  # the message about a failed write
        self._unwritten = ""  # why an observation could not be written
        self._copied = self._done = 0
        self._soon = QTimer(self, singleShot=True)
        self._soon.timeout.connect(self._write)
        self._watch = timer(self, self.look, LOOK_EVERY, repeats=True)
        self._watch.start()
        self._copying = timer(self, self.copy, COPY_EVERY, repeats=True)
        if not project.read_only:
            project.journal.hasten()
            self._copying.start()
            self._done = 1  # the state at opening is worth a copy
            self.copy()

    def done(self) -> None:
        self._done += 1
        self._unwritten = ""
        self._messages.withdraw(self._message)
        self._tell(replace(self.state, time=datetime.now(), problem="", gone=False))

    def write(self, command: Callable[[], object], what: str = "", *, soon: bool = False) -> bool:
        """Run a command that writes to the project; show a message and return False if it fails."""
        try:
            command()
        except InexviewError as error:
            self.failed(error, what)
            return False
        (self.write_soon if soon else self.done)()
        return True

    def save(self) -> None:
        """Report that everything is saved, or again what could not be; nothing is pending."""
        self.look()
        if self.state.problem and self._message is not None:
            self._messages.say(self._message)
        elif self.state.read_only:
            self._messages.info(f"There is nothing to save. {as_sentence(self.state.read_only)}")
        else:
            self._messages.info(SAVED)

    def write_soon(self) -> None:
        """Write pending observations after a moment without new ones."""
        self._soon.start(WRITE_AFTER)

    def failed(self, error: InexviewError, what: str = "") -> None:
        """Report why a write failed; that ``what`` is not saved stays reported."""
        if isinstance(error, ProjectGoneError):
            self._tell_gone(error)
            return
        self._messages.error(error)
        if isinstance(error, ProjectError) and not self.state.read_only:
            if self._messages.current is not None:
                self._messages.say(replace(self._messages.current, holds=True))
            self._message = self._messages.current
            short = f"{what} not saved: {_few_words(error)}".lstrip()
            self._tell(replace(self.state, problem=as_sentence(str(error)), short=short))

    def look(self) -> None:
        """Check that the file is still there, and read what others have written to it."""
        try:
            if self._project.read_only:
                parameters = self._project.parameters
                changed = self._project.follow()
                if changed or self._project.parameters != parameters:
                    self._tell(replace(self.state, time=datetime.now()))
                    self.followed.emit(changed)
            else:
                self._project.check_file()
                if self.state.gone:  # it is back
                    self._tell(replace(self.state, problem="", gone=False))
                    self._messages.withdraw(self._message)
        except ProjectGoneError as error:
            if not self.state.gone:
                self._tell_gone(error)
        except ProjectError as error:
            self.failed(error)

    def copy(self) -> None:
        """Make a copy in a background thread if something changed since the last one."""
        if self._done != self._copied and not self.state.gone:
            self._copied, path = self._done, self._project.path
            self._tasks.run(
                lambda: keep_copy(path),
                lambda _copy: self._tell_copy(""),
                lambda error: self._tell_copy(as_sentence(str(error))),
                urgent=False,
            )

    def close(self) -> None:
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
        """Report once that no copy can be made; the status bar shows it until one can."""
        if problem and not self.state.no_copy:
            self._messages.warn(f"{problem} Judging is saved in the project file; only the copy is lacking.")
        if problem != self.state.no_copy:
            self._tell(replace(self.state, no_copy=problem))

    def _tell_gone(self, error: ProjectGoneError) -> None:
        said = as_sentence(str(error))
        self._tell(replace(self.state, problem=said, short="not saved: the file is gone", gone=True))
        self._message = Message(
            MessageKind.ERROR, said, "Save elsewhere…", self.elsewhere_wanted.emit, holds=True
        )
        self._messages.say(self._message)

    def _tell(self, state: SaveState) -> None:
        self.state = state
        self.changed.emit(state)


def _few_words(error: ProjectError) -> str:
    if isinstance(error, DiskFullError):
        return "the disk is full"
    return "the file is in use" if isinstance(error, BusyError) else "the file cannot be written to"


# Notification of changes of open files on disk.

QUIET = 500  # milliseconds without another change, because files are written in parts


class FileWatch(QObject):
    """Watches files, and waits until a change is complete; missing files may reappear."""

    changed = Signal(object)  # tuple[Path, ...]: changed files that exist, as given to ``watch``
    gone = Signal(object)  # tuple[Path, ...]: files that no longer exist, as given to ``watch``

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
        """Record files that were missing and have reappeared."""
        for name in self._paths.keys() - {*self._watcher.files()}:
            if is_there(self._paths[name]):
                self._note(name)

    def _note(self, path: str) -> None:
        self._touched.add(path)
        self._quiet.start()

    def _tell(self) -> None:
        """Signal the changes; a replaced file is a new one, and must be watched again."""
        paths = [self._paths[name] for name in sorted(self._touched & {*self._paths})]
        self._touched.clear()
        there = tuple(path for path in paths if is_there(path))
        gone = tuple(path for path in paths if path not in there)
        self._follow()
        if there:
            self.changed.emit(there)
        if gone:
            self.gone.emit(gone)


# Values that a session sends to views.


@dataclass(frozen=True, slots=True)
class OpenDocument:
    """The open document, and its last reading position (code-point offset, None if never opened)."""

    topic: Topic
    document: Document
    position: int | None


@dataclass(frozen=True, slots=True)
class StateChanged:
    """A document has a new state, which is already saved.

    ``others`` are further documents changed by the same step; of a step in parts, those of the last part.
    ``turned`` is the step that was undone or redone.
    """

    topic_id: str
    document_id: str
    state: DocumentState
    others: tuple[str, ...] = ()
    turned: Step | None = None

    @property
    def documents(self) -> tuple[str, ...]:
        return (self.document_id, *self.others)


# Receivers of strokes: the project, for judgements, or the third layer, for rulings.


class Judging(Protocol):
    """What a session judges with; a project is one."""

    def state(self, topic: str, document: str) -> DocumentState:
        """Return the state of a document."""

    def mark(self, topic: str, document: str, start: int, end: int) -> DocumentState:
        """Mark the code points ``[start, end)``."""

    def erase(self, topic: str, document: str, start: int, end: int) -> DocumentState:
        """Erase the marks in ``[start, end)``."""

    def set_bep(self, topic: str, document: str, offset: int | None) -> DocumentState:
        """Set or remove the best entry point."""


IDLE = 60.0  # seconds without key or mouse after which the assessor counts as away
_LOOK_EVERY = 1_000  # milliseconds; only the first input between two checks is recorded
_ACTS = {
    QEvent.Type.ShortcutOverride,  # precedes each KeyPress, and comes alone if the key is a command
    QEvent.Type.MouseButtonPress,
    QEvent.Type.MouseMove,
    QEvent.Type.Wheel,
    QEvent.Type.TabletMove,
    QEvent.Type.TouchUpdate,
}


class Attention(QObject):
    """Measures the attention of the user to one window."""

    away = Signal(float)  # the user stopped reading so many seconds ago
    back = Signal()
    ticked = Signal()  # every second while somebody reads, and once when they stop

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
        if isinstance(event, QInputEvent) and event.type() in _ACTS and self._is_active():
            self._act()
        return False

    def _act(self) -> None:
        """Record that the user is there, after recording the absence: the computer may have slept."""
        self._leave_idle()
        self._acted, self._acted_at = monotonic(), time()
        self._watch_acts(on=False)
        if not self.present:
            self.present = True
            self.back.emit()

    def _follow_focus(self, _window: object) -> None:
        """Count the user as away while another window is active, of any program."""
        if not self._is_active():
            if self.present:
                self._leave(self._idle())
        elif not self.present:
            self._act()

    def _is_active(self) -> bool:
        """Return whether this window or one of its dialogs is active."""
        active = QApplication.activeWindow()
        while active is not None and active is not self._window:
            active = active.parentWidget()
        return active is not None

    def _watch_acts(self, *, on: bool) -> None:
        """Filter every event of the program, which is costly, until one is a user input."""
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
        """Seconds without user input: whether that was reading time is known at the next input."""
        return max(monotonic() - self._acted, 0.0) if self.present else 0.0

    def _leave_idle(self) -> None:
        """Signal that the assessor is away if there was no input for too long."""
        if self.present and self._idle():
            self._leave(self._idle())

    def _idle(self) -> float:
        """Return the seconds without input, 0 if that is short enough for reading.

        The monotonic clock stops while a computer sleeps, and the system clock may be set back.
        """
        idle = max(monotonic() - self._acted, time() - self._acted_at)
        return idle if idle >= IDLE else 0.0

    def _leave(self, idle: float) -> None:
        self.present = False
        self.away.emit(idle)
        self.ticked.emit()  # idle time does not count
