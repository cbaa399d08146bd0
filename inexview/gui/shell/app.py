"""The application: its windows, opening and creating projects, links, and reporting of defects.

The start window needs none of the modules that read, show or judge articles, which load more slowly than the
window itself: they are imported with the first project, some of them ahead while the start window is open.
"""

from __future__ import annotations

import hashlib
import logging
import os
import signal
import socket
import struct
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from importlib import import_module
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSocketNotifier, Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtNetwork import QLocalServer, QLocalSocket
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget

from inexview.core.errors import DataError, InexviewError
from inexview.core.files import (
    LONGEST_LINK,
    LinkedPlace,
    is_same_file,
    is_there,
    private_folder,
    resource,
    version,
)
from inexview.core.progress import Progress, look_seldom, uncollected
from inexview.core.wording import counted
from inexview.gui.look.theme import load_fonts
from inexview.gui.look.widgets import bring_forward, name_charts, timer
from inexview.gui.services.messages import Message, MessageKind, Messages, as_sentence, ask, sentence
from inexview.gui.services.settings import (
    LAYERS,
    PACKED,
    PROJECTS,
    RUNS,
    SCALE,
    SCORING,
    Appearance,
    Settings,
    ask_collection,
    choose_file,
    log_folder,
    sample_path,
    settings_path,
)
from inexview.gui.services.tasks import LongTask, Tasks
from inexview.gui.shell.looker import Looker, tell_oddities
from inexview.gui.shell.start_window import StartWindow

if TYPE_CHECKING:
    from inexview.core.collection.collection import Collection
    from inexview.core.files import LinkedPlace
    from inexview.core.judgements.qrels import Pool
    from inexview.core.judgements.topics import Topics
    from inexview.core.project.contents import PooledText
    from inexview.core.project.inspection import Inspection
    from inexview.core.project.project import NewProject, Parts, Project
    from inexview.gui.services.document_record import OpenDocument
    from inexview.gui.shell.main_window import MainWindow


# One window per project: a second process passes its request to the window that has the project open.
#
# Each window listens on a local socket, named after its project file, in a folder of this user only. A second
# process passes its link on and ends; without an answer in time it opens the project itself. Both ends check
# that the other process belongs to this user.

CONNECTED_WITHIN = 500  # milliseconds
ANSWERED_WITHIN = 2000  # milliseconds: a window that needs more hangs
TAKEN = b"taken\n"
ACTIVATION = "XDG_ACTIVATION_TOKEN"
"""The variable by which Wayland lets a window come to the front after an action elsewhere."""


def hand_over(place: LinkedPlace) -> bool:
    """Pass a link to the window that has the project open; return False if none answers."""
    if place.run is not None and is_there(Path(place.run)):  # the other process has another working folder
        place = replace(place, run=str(Path(place.run).absolute()))
    name = _socket_name(place.project)
    if name is None:
        return False
    window = QLocalSocket()
    window.connectToServer(name)
    if not window.waitForConnected(CONNECTED_WITHIN) or not _is_of_this_user(window):
        window.abort()
        return False
    window.write(f"{place.link} {os.environ.get(ACTIVATION, '')}\n".encode())
    answered = window.waitForBytesWritten(CONNECTED_WITHIN) and window.waitForReadyRead(ANSWERED_WITHIN)
    taken = answered and bytes(window.readAll().data()) == TAKEN
    window.abort()
    return taken


class Handover(QObject):
    """Receives links for one project while its window is open."""

    taken = Signal(object)  # LinkedPlace

    def __init__(self, project: Path, parent: QObject) -> None:
        super().__init__(parent)
        self._project = project
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._connect)
        name = _socket_name(project)
        if name is None:  # a second process then opens the project itself, and finds it locked
            return
        if not self._server.listen(name) and not _answers(name):
            QLocalServer.removeServer(name)  # left by a killed program
            self._server.listen(name)

    def close(self) -> None:
        self._server.close()

    def _connect(self) -> None:
        while (guest := self._server.nextPendingConnection()) is not None:
            guest.disconnected.connect(guest.deleteLater)
            if not _is_of_this_user(guest):
                guest.abort()
                continue
            guest.setReadBufferSize(2 * LONGEST_LINK)
            guest.readyRead.connect(lambda guest=guest: self._read(guest))
            self._read(guest)

    def _read(self, guest: QLocalSocket) -> None:
        """Accept a link once it is complete; disconnect after any other data."""
        if not guest.canReadLine():
            if guest.bytesAvailable() >= 2 * LONGEST_LINK:
                guest.abort()
            return
        link, _, token = bytes(guest.readLine().data()).decode(errors="replace").strip().partition(" ")
        try:
            place = LinkedPlace.parse(link)
        except InexviewError:
            guest.abort()
            return
        if os.path.realpath(place.project) != os.path.realpath(self._project):
            guest.abort()
            return
        guest.write(TAKEN)
        guest.flush()
        if token:
            os.environ[ACTIVATION] = token
        self.taken.emit(place)


def _answers(name: str) -> bool:
    asking = QLocalSocket()
    asking.connectToServer(name)
    there = asking.waitForConnected(CONNECTED_WITHIN)
    asking.abort()
    return there


_CREDENTIALS = struct.Struct("3i")  # Linux: process, user and group of the other end


def _is_of_this_user(connected: QLocalSocket) -> bool:
    """Return whether the other process is this user's; if unknown, rely on the folder."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True
    with socket.socket(fileno=os.dup(int(connected.socketDescriptor()))) as end:
        told = end.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    _process, user, _group = _CREDENTIALS.unpack(told)
    return bool(user == os.getuid())


def _socket_name(project: Path) -> str | None:
    """Return the name of the socket from the file, not its path; None without a safe folder."""
    file = hashlib.sha256(os.path.realpath(project).encode(errors="surrogateescape")).hexdigest()[:24]
    if not hasattr(os, "getuid"):
        return f"inexview-{file}"  # Windows: a pipe that only its user may open
    folder = private_folder()
    return None if folder is None else str(folder / f"inexview-{file}")


# Opening a project again in place of its window, and going to a place of a link or command.

PLACE_SOON = 0.3  # seconds; dialogs do not start in a folder that does not answer by then


# Going to the place of a link or the command line: topic, document, run, offset.


class LinkOpener(QObject):
    """Opens a place in a window step by step, as its parts become available, and reports missing ones."""

    def __init__(self, window: MainWindow, place: LinkedPlace) -> None:
        super().__init__(window)
        self._window = window
        self._place = place
        self._lacking: list[str] = []

    def go(self) -> None:
        """Start, and continue when documents are loaded."""
        window, place, session = self._window, self._place, self._window.session
        if place.topic is not None and place.topic not in {topic.id for topic in session.project.topics}:
            window.messages.warn(
                f"The project has no topic {place.topic}: the link opens the topic where you left off."
            )
            return
        session.document_opened.connect(self._shown)
        session.document_failed.connect(self._end)
        if place.topic is not None or place.document is not None:
            window.inspect.stay_in_topic()
        if place.run is not None:
            self._lay(place.run)
        here = session.topic is None or place.topic in (None, session.topic.id)
        if not here and place.topic is not None:
            session.open_topic(place.topic, place.document)
        elif place.document is not None and (
            session.document is None or session.document.id != place.document
        ):
            session.open_document(place.document)
        elif session.opening.wanted is None:
            self._reveal()

    def _lay(self, run: str) -> None:
        """Show an open run by its id, or open it as a file."""
        window = self._window
        path = os.path.realpath(run)
        opened = next(
            (
                one
                for one in window.session.runs
                if one.id == run or (one.path is not None and os.path.realpath(one.path) == path)
            ),
            None,
        )
        if opened is not None:
            window.session.select_run(opened)
            window.book["inspect"].trigger()
        elif is_there(Path(run)):
            window.open_run(Path(run))
        else:
            self._warn(f"The run {run} is not open, and there is no file of this name.")

    def _warn(self, told: str) -> None:
        """Show what is missing, together with earlier messages."""
        self._lacking.append(told)
        self._window.messages.warn("\n".join(self._lacking))

    def _shown(self, opened: OpenDocument) -> None:
        if self._place.document in (None, opened.document.id):
            self._reveal()

    def _reveal(self) -> None:
        document = self._window.session.document
        at = self._place.at
        if at is not None and document is not None:
            if at > document.length:
                self._warn(
                    f"{document.id} has {document.length:,} characters: its end is shown, not offset {at:,}."
                )
            from inexview.gui.article.bars import Align

            self._window.article.reveal(min(at, document.length), align=Align.TOP)
        self._end()

    def _end(self, _problem: object = None) -> None:
        """Stop, so that documents opened later are not affected."""
        session = self._window.session
        session.document_opened.disconnect(self._shown)
        session.document_failed.disconnect(self._end)
        self.deleteLater()


TOPICS = f"Topics (*.xml *.txt *.tsv *.jsonl {PACKED});;All files (*)"
POOLS = f"Pools (*.xml *.txt {PACKED});;All files (*)"


log = logging.getLogger(__name__)
LOOKED_AT = 300  # milliseconds until the start window is on the screen, before anything is chosen
SOON = 0.5  # seconds for which the window waits for a project; hardly any takes longer
# seconds; with Python's default of 5 ms, painting next to a busy thread takes half as long again
SWITCH = 0.001


def _nothing(_opened: object) -> None:
    """Do nothing with an opened window."""


def _opened(
    path: Path,
    read_only: bool | str,
    change: Callable[[Project], object],
    salvage: bool,
    progress: Progress,
) -> Project:
    """Open a project file, and the folder of its articles if it exists; raises Cancelled."""
    from inexview.core.project.project import Project

    project = Project.open(path, read_only=read_only, copy=False, salvage=salvage, progress=progress)
    with ExitStack() as refused:
        refused.enter_context(project)
        change(project)
        progress("parts opened: waiting for its articles", 1, 2)
        with suppress(DataError):  # reported when the project is shown
            project.collection  # noqa: B018 - opened here: a drive may never answer
        progress("parts opened", 2, 2)  # raises Cancelled if it was cancelled meanwhile
        refused.pop_all()
    return project


class Application(QObject):
    """Owns the windows of a running inexview."""

    _defect = Signal(str)  # a sentence, shown in the next turn of the event loop

    def __init__(
        self,
        application: QApplication,
        settings: Settings | None = None,
        *,
        loaded: Callable[[], object] = lambda: None,
    ) -> None:
        """``loaded`` is called once all modules are loaded, before the first project window."""
        super().__init__(application)
        self._loaded: Callable[[], object] | None = loaded
        application.setApplicationName("inexview")
        application.setDesktopFileName("inexview")  # by which a desktop finds its entry and icon
        application.setStyle("Fusion")
        # its texts are written from left to right
        application.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        application.setWindowIcon(QIcon(str(resource("icons") / "inexview.svg")))
        load_fonts(application)
        self.settings = settings or Settings(parent=self)
        self.appearance = Appearance(application, self.settings)
        self.tasks = Tasks(lambda error: self.front_messages().error(error), self)
        application.aboutToQuit.connect(self.tasks.close)
        self.windows: list[MainWindow] = []
        self.start: StartWindow | None = None
        self.looker = Looker(self)
        self._ahead = timer(
            self,
            lambda: self.tasks.run(
                lambda: import_module("inexview.core.project.import_judgements"),
                lambda _module: None,
                urgent=False,
            ),
            LOOKED_AT,
        )
        self._defect.connect(
            lambda text: self.front_messages().say(Message(MessageKind.ERROR, text)),
            Qt.ConnectionType.QueuedConnection,
        )
        sys.excepthook = self._on_defect
        sys.setswitchinterval(SWITCH)

    # -- windows -------------------------------------------------------------------------------------

    def show_start(self) -> StartWindow:
        if self.start is None:
            start = StartWindow(self.settings, self.tasks)
            start.project_chosen.connect(self.open_project)
            asked: dict[str, Callable[[], object]] = {
                **self._without_project(),
                "browse": self.looker.ask_other,
                "settings": self._open_settings,
                "guide": self._open_guide,
                "what-can-be-opened": partial(self._open_guide, "files.md"),
            }
            start.asked.connect(lambda action_id: asked[action_id]())
            start.project_sought.connect(self.find_project)
            start.drops.projects.connect(self._open_all)
            start.drops.others.connect(self.looker.open_brought)
            self.start = start
            self._ahead.start()
        self.start.refresh()
        self.start.show()
        self.start.raise_()
        return self.start

    def open_project(
        self, path: Path, *, read_only: bool = False, then: Callable[[MainWindow], object] = _nothing
    ) -> MainWindow | None:
        """Open a project in its own window, or bring its window to the front.

        Returns None if it cannot be opened, with a message, or if that takes longer than ``SOON``. ``then``
        is called once the window exists.
        """
        for window in self.windows:
            if is_same_file(window.session.project.path, path):
                bring_forward(window)
                then(window)
                return window
        return self.open_file(path, read_only=read_only, then=then)

    @uncollected()  # everything that is loaded and made stays
    def open_file(
        self,
        path: Path,
        *,
        read_only: bool | str = False,
        change: Callable[[Project], object] = _nothing,
        then: Callable[[MainWindow], object] = _nothing,
    ) -> MainWindow | None:
        """Open a project file in a new window, like ``open_project``; apply ``change`` before showing it.

        The file and the folder of the articles are opened in a background thread: a drive may never answer.
        """
        from inexview.core.project.journal_rows import DamagedFileError

        entered: list[MainWindow] = []

        def show(project: Project) -> None:
            project.work_here()
            window = self.enter(project)
            if window is not None:
                entered.append(window)
                then(window)

        def fail(error: Exception) -> None:
            if isinstance(error, DamagedFileError):
                self.show_start() if not self.windows else None
                begin(f"Reading what is left of {path.name}", salvage=True)
            else:
                self.refuse(path, error)

        def refuse(error: Exception) -> None:
            self.refuse(path, error)

        def begin(what: str, *, salvage: bool) -> LongTask:
            work = partial(_opened, path, read_only, change, salvage)
            return self.front_tasks().run_long(what, work, show, refuse if salvage else fail)

        opening = begin(f"Opening {path.name}", salvage=False)
        self.front_tasks().wait_for(opening, SOON)
        if not self.windows and opening in self.tasks.long:
            self.show_start()  # which shows the progress
        return next(iter(entered), None)

    @uncollected()
    def open_inspection(self, inspection: Inspection) -> MainWindow:
        """Show qrels and runs in Inspect, read-only; nothing is stored."""
        from inexview.core.judgements.runs import Task
        from inexview.core.project.inspection import ONLY_READ
        from inexview.core.project.project import Project
        from inexview.gui.inspect.run_scoring import InspectedQrels
        from inexview.gui.shell.main_window import Mode

        window = self._show(Project.open(inspection.project, read_only=ONLY_READ), inspection)
        board = window.inspect.board
        InspectedQrels(inspection, window.session, board, window.messages, window.tasks)
        window.session.variations = inspection.variations
        task, judgements = inspection.task, inspection.qrels_path
        if judgements is not None:
            if task is None and not any(run.task for run in inspection.runs):
                task = next((one for one in Task if one == self.settings.learnt_task(judgements)), None)
            window.inspect.runs.ask.chosen.connect(partial(self.settings.learn_task, judgements))
        board.choose(replace(board.choice, task=task, preset=inspection.preset))
        inspect = partial(window.set_mode, Mode.INSPECT)
        inspect()
        window.files.lay(inspection.runs, inspection.lacking, inspection.run_options, inspect)
        if inspection.parameters is not None:
            board.read_parameters(inspection.parameters)
        return window

    def open_place(self, place: LinkedPlace) -> None:
        def go(window: MainWindow) -> None:
            if place.topic or place.document or place.run or place.at is not None:
                LinkOpener(window, place).go()

        self.open_project(place.project, then=go)

    def enter(self, project: Project) -> MainWindow | None:
        """Show a project; if its articles are missing, offer to look for them."""
        try:
            project.collection  # noqa: B018 - opened here, so that the window can rely on it
        except DataError as error:
            project.close()
            self.offer_finding(project, error)
            return None
        self.settings.remember_project(project.path)
        return self._show(project)

    def _show(self, project: Project, inspection: Inspection | None = None) -> MainWindow:
        from inexview.gui.shell.main_window import MainWindow

        if self._loaded is not None:
            self._loaded()
            self._loaded = None
        window = MainWindow(project, self.settings, self.appearance)
        window.closed.connect(self._forget)
        window.asked.connect(partial(self._answer, window))
        window.drops.projects.connect(self._open_all)
        window.files.project_wanted.connect(self.ask_new_project)
        window.collection_notices.replaced.reopen_wanted.connect(partial(self.open_again, window, inspection))
        handover = Handover(project.path, window)
        handover.taken.connect(self.open_place)
        window.closed.connect(lambda _window: handover.close())
        window.project_rescue.open_wanted.connect(self.open_project)
        window.project_rescue.open_instead.connect(partial(self._open_instead, window))
        self.windows.append(window)
        window.show()
        if self.start is not None:
            self.start.close()
        return window

    def _open_instead(self, window: MainWindow, path: Path) -> None:
        """Open another project file in place of a window whose file is gone."""
        if window.close():
            self.open_project(path)

    def refuse(self, path: Path, error: Exception) -> None:
        from inexview.core.project.access import ProjectInUseError
        from inexview.core.project.journal_rows import DamagedFileError, NewerFormatError

        messages = self.front_messages()
        if isinstance(error, ProjectInUseError):

            def read() -> None:
                self.open_project(path, read_only=True)

            messages.say(Message(MessageKind.ERROR, str(error), "Open to read", read))
        elif isinstance(error, DamagedFileError | NewerFormatError):
            messages.say(
                Message(MessageKind.ERROR, as_sentence(str(error)), "Restore…", partial(self._restore, path))
            )
        else:
            messages.error(error)

    def _restore(self, path: Path) -> None:
        from inexview.gui.commands.files import ask_restore

        ask_restore(self.front(), path, self.front_tasks(), self.open_project)

    def front_messages(self) -> Messages:
        return self.windows[-1].messages if self.windows else self.show_start().messages

    def front_tasks(self) -> Tasks:
        return self.windows[-1].tasks if self.windows else self.tasks

    def front(self) -> QWidget | None:
        return self.windows[-1] if self.windows else self.start

    def _forget(self, window: MainWindow) -> None:
        self.windows.remove(window)
        window.deleteLater()

    # -- actions -------------------------------------------------------------------------------------

    def _open_all(self, paths: Sequence[Path]) -> None:
        for path in paths:
            self.open_project(path)

    def _without_project(self) -> dict[str, Callable[[], object]]:
        return {
            "new-project": lambda: self.ask_new_project(),
            "open-project": self.ask_project,
            "open-sample": self.open_sample,
            "open-other": self.looker.ask_other,
            "look-at-runs": self.looker.ask_runs,
        }

    def _answer(self, window: MainWindow, action_id: str) -> None:
        {
            **self._without_project(),
            "start-window": self.show_start,
            "find-collection": lambda: self.find_collection(window.session.project),
            "add-topics": lambda: self.add_topics(window),
            "about": self._about,
            "kept-places": self._show_places,
            "fresh-sample": self.start_sample_afresh,
        }[action_id]()

    def ask_project(self) -> None:
        path = choose_file(self.front(), "Open project", PROJECTS, self.settings)
        if path is not None:
            self.open_project(path)

    def find_project(self, path: Path) -> None:
        """Ask for the new place of a recent project, and open it."""
        chosen = choose_file(self.front(), f"Where is {path.stem} now?", PROJECTS, self.settings)
        if chosen is not None:
            self.settings.forget_project(path)
            self.open_project(chosen)

    def ask_new_project(self, parts: Parts | NewProject | None = None) -> None:
        """Ask for the parts of a new project, create and open it; some ``parts`` may be given."""
        from inexview.core.project.project import Parts
        from inexview.gui.commands.dialogs import NewProjectDialog

        dialog = NewProjectDialog(self.settings, self.front(), parts or Parts())
        if dialog.exec():
            self.create_project(dialog.chosen())
        dialog.deleteLater()

    def create_project(self, wanted: NewProject) -> None:
        from inexview.core.project.project import read_parts

        self.front_tasks().run_long(
            f"Making {wanted.path.name}",
            lambda _progress: read_parts(wanted),
            partial(self._create, wanted),
            partial(self._tell_not_made, wanted),
        )

    def _tell_not_made(self, wanted: NewProject, error: Exception) -> None:
        """Report why a project could not be created, and offer to return to the dialog."""
        first, *others = sentence(error).splitlines()
        said = Message.listing(MessageKind.ERROR, first, others)
        if said.action is None:  # a long list has its own button
            said = replace(said, button="New project…", action=partial(self.ask_new_project, wanted))
        self.front_messages().say(said)

    def _create(self, wanted: NewProject, parts: tuple[Collection, Topics, Pool | None]) -> None:
        from inexview.core.project.project import Project

        collection, topics, pool = parts
        try:
            project = Project.create(
                wanted.path,
                collection=collection,
                topics=topics,
                pool=pool,
                assessor=wanted.assessor,
                grades=wanted.grades,
            )
        except (InexviewError, OSError) as error:
            collection.close()
            self._tell_not_made(wanted, error)
            return
        self.settings.remember_project(project.path)
        window = self._show(project)
        if pool is None:
            tell_oddities(window, topics.warnings)
        else:
            window.session.preparation.when_ready(partial(self._tell_misfits, window, topics, pool))

    def _tell_misfits(self, window: MainWindow, topics: Topics, pool: Pool) -> None:
        """Report problems with a new project's topics and pool.

        The texts of the pooled documents are recorded, so that changed texts are noticed later.
        """
        from inexview.core.project.project import read_texts, unfitting, unread_texts

        project = window.session.project
        collection, unread = project.collection, unread_texts(project)
        window.tasks.run_long(
            "Looking for the pool",
            lambda progress: unfitting(topics, pool, collection, progress),
            partial(tell_oddities, window),
        )
        window.tasks.run_long(
            "Reading the pool",
            lambda progress: read_texts(collection, unread, progress),
            partial(_note_texts, window),
        )

    def offer_finding(self, project: Project, error: Exception) -> None:
        """Report that the articles of a project are missing, and offer to look for them."""
        safe = f"The judgements are safe in {project.path.name}: where are the articles now?"
        text = f"{sentence(error)} {safe}"
        self.front_messages().say(
            Message(MessageKind.ERROR, text, "Find them…", lambda: self.find_collection(project))
        )

    def find_collection(self, project: Project) -> None:
        """Ask for the new place of a project's articles, and open the project."""
        from inexview.core.project.project import check_collection, last_place, some_documents

        found: list[tuple[Path, Path]] = []
        tasks = self.front_tasks()
        tasks.wait_for(tasks.run(lambda: last_place(project), found.append), PLACE_SOON)
        was, near = found[0] if found else (Path("the collection"), project.path.parent)
        chosen = ask_collection(self.front(), was, near)
        if chosen is None:
            return
        wanted = some_documents(project)
        window = next((window for window in self.windows if window.session.project is project), None)
        self.front_tasks().run_long(
            f"Looking through {chosen.name}",
            lambda progress: check_collection(chosen, wanted, progress, project.contents.keys),
            lambda _nothing: self.move(project, window, chosen),
            None if window is not None else lambda error: self.offer_finding(project, error),
        )

    def move(self, project: Project, window: MainWindow | None, path: Path) -> None:
        if window is None or window.close():
            self._reopen(
                project, lambda moved: moved.drifting.offer(), lambda opened: opened.set_collection(path)
            )

    def add_topics(self, window: MainWindow) -> None:
        """Ask for topics and their pool, add them to a window's project, and reload it."""
        settings = self.settings
        from inexview.core.formats.topic_files import (
            read_pool,  # imported here to open a project quickly
            read_topics,
        )

        topics = choose_file(window, "Add topics", TOPICS, settings)
        if topics is None:
            return
        pool = None
        if window.session.project.contents.has_pool:
            pool = choose_file(window, "Pool of these topics", POOLS, settings)
            if pool is None:
                window.messages.info("No topic was added: this project needs the pool of its documents.")
                return
        window.tasks.run_long(
            f"Reading {topics.name}",
            lambda _progress: (read_topics(topics), None if pool is None else read_pool(pool)),
            lambda read: self._add(window, *read),
        )

    def _add(self, window: MainWindow, topics: Topics, pool: Pool | None) -> None:
        from inexview.core.project.project import add_topics

        try:
            added = add_topics(window.session.project, topics, pool)
        except InexviewError as error:
            window.session.saving.failed(error, "topics")
            return
        if added.topics:
            window.session.saving.done()
            self.open_again(window, None)
        messages = self.front_messages()
        number = f"{counted(len(added.topics), 'topic')} added"
        warnings = [*topics.warnings, *(() if pool is None else pool.warnings), *added.warnings]
        if warnings:
            messages.say(Message.listing(MessageKind.WARNING, f"{number}. Look at these:", warnings))
        else:
            messages.info(f"{number}, {counted(added.documents, 'document')} to judge.")

    def open_again(self, window: MainWindow, inspection: Inspection | None) -> None:
        """Open the project of a window again, at the same place and page."""
        session, mode = window.session, window.mode
        topic, here = session.topic, session.document_id
        if not window.close():
            return
        if inspection is not None:
            self.open_inspection(inspection)
            return

        from inexview.gui.shell.main_window import Mode

        def go_back(opened: MainWindow) -> None:
            if topic is None:
                return
            # a project that is only read does not store the last place
            opened.session.open_topic(topic.id, here)
            if here is not None:
                opened.session.open_document(here)
            if mode is not Mode.ASSESS:
                opened.set_mode(mode)

        self._reopen(session.project, go_back)

    def _reopen(
        self,
        project: Project,
        then: Callable[[MainWindow], object],
        change: Callable[[Project], object] = _nothing,
    ) -> None:
        """Open a project in place of its window, with nothing left of the old window's state."""
        self.open_file(project.path, read_only=project.read_only_reason or False, change=change, then=then)

    def open_sample(self) -> MainWindow | None:
        """Open the sample project, copied to the user's folder the first time."""
        from inexview.core.judgements.runs import Task
        from inexview.core.project.sample import create_sample_project, sample_layers, sample_runs

        path = sample_path()
        made = not is_there(path)
        try:
            if made:
                create_sample_project(path)
                layers = [str(layer.resolve()) for layer in sample_layers(path)]
                self.settings.remember(LAYERS, path.resolve(), layers)
                self.settings.remember(RUNS, path.resolve(), [])
        except (InexviewError, OSError) as error:
            self.front_messages().error(error)
            return None
        if str(path.resolve()) not in self.settings.get(SCORING):
            self.settings.remember(SCORING, path.resolve(), {"task": Task.RELEVANT_IN_CONTEXT.value})

        def open_runs(window: MainWindow) -> None:
            if made:
                window.files.open_runs(sample_runs(path))

        return self.open_project(path, then=open_runs)

    def start_sample_afresh(self) -> None:
        """Open a new copy of the sample; the old one is renamed after confirmation."""
        from inexview.core.project.sample import aside, set_aside

        path = sample_path()
        if is_there(path):
            kept = aside(path)
            detail = f"The sample opens as it came. Your work in it stays in {kept.name}, in {path.parent}."
            if not ask(self.front(), "Start the sample afresh?", detail, "Start afresh"):
                return
            for window in [one for one in self.windows if is_same_file(one.session.project.path, path)]:
                if not window.close():
                    return
            try:
                set_aside(path, kept)
            except (InexviewError, OSError) as error:
                self.front_messages().error(error)
                return
        self.open_sample()

    def _open_guide(self, page: str = "index.md") -> None:
        from inexview.gui.commands.help import open_guide

        if self.start is not None:
            open_guide(self.start, self.start.book, page)

    def _open_settings(self) -> None:
        from inexview.gui.commands.dialogs import Preferences

        if self.start is not None:
            Preferences(self.settings, self.start).open()

    def _about(self) -> None:
        QMessageBox.about(
            self.front(),
            "About inexview",
            f"<b>inexview {version()}</b><p>Judge what is relevant, passage by passage, and see "
            "why a retrieval system scores what it scores.</p>"
            f"<p>MIT licence. Settings: {settings_path()}</p>",
        )

    def _show_places(self) -> None:
        from inexview.gui.commands.kept_places import KeptPlaces

        KeptPlaces(self.front_tasks(), self.front()).open()

    # -- defects -------------------------------------------------------------------------------------

    def _on_defect(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        """Log a defect and show a message: the top-level hook, which sees otherwise uncaught errors."""
        if not isinstance(error, Exception):  # Ctrl+C in the terminal
            QApplication.quit()
        else:
            text = sentence(error)  # which logs the error
            print(f"inexview: {text}", file=sys.stderr)  # before a window exists, the only output
            self._defect.emit(text)


def _note_texts(window: MainWindow, texts: Mapping[str, PooledText]) -> None:
    from inexview.core.project.project import note_texts

    try:
        note_texts(window.session.project, texts)
    except InexviewError as error:
        window.messages.error(error)


# Start and end of the program: the log, the first window, the event loop, and signals.

_ASKING = {getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)}


class Termination(QObject):
    """Handles signals in the event loop; Python alone would handle them at the next event.

    Create one per process, in its main thread.
    """

    asked = Signal(object)  # int: number of the signal

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._heard, self._woken = socket.socketpair()
        for end in (self._heard, self._woken):
            end.setblocking(False)
        signal.set_wakeup_fd(self._woken.fileno(), warn_on_full_buffer=False)
        for asking in _ASKING:
            signal.signal(asking, lambda *_signal: None)  # Python writes signals with a handler to the socket
        notifier = QSocketNotifier(self._heard.fileno(), QSocketNotifier.Type.Read, self)
        notifier.activated.connect(self._hear)

    def _hear(self) -> None:
        for number in self._heard.recv(64):
            if number in _ASKING:
                self.asked.emit(number)


def start_log() -> None:
    """Log defects to a file in the user's log folder, or nowhere if there is no such folder."""
    folder = log_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(
            folder / "inexview.log", maxBytes=1_000_000, backupCount=1, encoding="utf-8", delay=True
        )
    except OSError:
        return
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.getLogger("inexview").addHandler(handler)


def scale_window(settings: Settings) -> None:
    """Set Qt's scale factor from the settings; call this before creating a QApplication.

    Qt's own environment variable takes precedence.
    """
    os.environ.setdefault("QT_SCALE_FACTOR", str(settings.get(SCALE) / 100))


def run(
    place: LinkedPlace | None = None,
    *,
    sample: bool = False,
    inspection: Inspection | None = None,
    brought: Sequence[Path] = (),
) -> int:
    """Start the program: with a project, the sample, files to inspect, or the start window.

    Files in ``brought`` are opened like dropped files. A project that is open already shows the place in its
    window. Returns the exit status.
    """
    start_log()
    settings = Settings()
    scale_window(settings)
    qt = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(qt, QApplication)
    name_charts()
    if place is not None and hand_over(place):
        return 0
    application = Application(qt, settings, loaded=look_seldom)
    Termination(application).asked.connect(partial(_end, application))
    if sample:
        application.open_sample()
    elif inspection is not None:
        application.open_inspection(inspection)
    elif place is not None:
        application.open_place(place)
    if not application.windows:
        application.show_start()
    if brought:
        application.looker.open_brought(brought)
    status = qt.exec()
    settings.write()
    return status


def _end(application: Application, number: int) -> None:
    """End the program on a signal, after writing what was typed; no question is asked."""
    try:
        for window in tuple(application.windows):
            window.end()
    finally:
        QApplication.exit(128 + number)
