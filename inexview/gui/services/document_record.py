"""What a session tells and watches: the project file, files that are open, and whether somebody looks.

Time counts while somebody looks at a document: the window is active, and a key or the mouse was used in the
last minute.
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

# Whether what is done is in the project file: told after each action, and looked at every two seconds.
#
# A write that failed stays told until one succeeds. Copies are made of a project that is written to, when
# it is opened and every ten minutes in which something was done; one that is only read follows what others
# write.

SAVED = "Every action is saved at once. There is nothing left to save."
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
        self._message: Message | None = None  # why something is not saved
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
        self._done += 1
        self._unwritten = ""
        self._messages.withdraw(self._message)
        self._tell(replace(self.state, time=datetime.now(), problem="", gone=False))

    def write(self, command: Callable[[], object], what: str = "", *, soon: bool = False) -> bool:
        """Have something written to the project; False, and why is said, where that is not possible."""
        try:
            command()
        except InexviewError as error:
            self.failed(error, what)
            return False
        (self.write_soon if soon else self.done)()
        return True

    def save(self) -> None:
        """Say that all is saved, or again what could not be; nothing waits to be saved."""
        self.look()
        if self.state.problem and self._message is not None:
            self._messages.say(self._message)
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
            self._message = self._messages.current
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
                    self._messages.withdraw(self._message)
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
