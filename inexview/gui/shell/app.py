"""The application: which windows there are, what opens them, and what happens when something goes wrong.

The start window needs none of the modules that read articles, show or judge them, which take longer to load
than itself: they are imported where the first project is opened or made, some of them ahead, while one
looks at the start window.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import cached_property, partial
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget

from inexview.core.errors import DataError, InexviewError
from inexview.core.files import is_same_file, is_there
from inexview.core.progress import Progress, uncollected
from inexview.core.resources import resource, version
from inexview.gui.look.layouts import timer
from inexview.gui.look.theme import load_fonts
from inexview.gui.look.widgets import Drops, bring_forward
from inexview.gui.services.file_choice import PROJECTS, choose_file
from inexview.gui.services.messages import Message, MessageKind, Messages, as_sentence, sentence
from inexview.gui.services.settings import SCORING, Appearance, Settings, sample_path, settings_path
from inexview.gui.services.tasks import LongTask, Tasks
from inexview.gui.shell.start_window import StartWindow

if TYPE_CHECKING:
    from inexview.core.collection.collection import Collection
    from inexview.core.judgements.qrels import Pool
    from inexview.core.judgements.topics import Topics
    from inexview.core.project.contents import PooledText
    from inexview.core.project.inspection import Inspection
    from inexview.core.project.linked_place import LinkedPlace
    from inexview.core.project.project import Project
    from inexview.core.project.project_parts import NewProject, Parts
    from inexview.gui.shell.main_window import MainWindow
    from inexview.gui.shell.project_reopener import ProjectReopener

log = logging.getLogger(__name__)
LOOKED_AT = 300  # milliseconds: the start window is on the screen, and no one has chosen anything yet
SOON = 0.5  # seconds for which the window waits for a project that is opened: hardly any takes as long
SWITCH = 0.001  # seconds; by Python's 5 ms a window that paints beside a busy thread takes half as long again


def _nothing(_opened: object) -> None:
    """Do nothing with what was opened."""


def _opened(
    path: Path,
    read_only: bool | str,
    change: Callable[[Project], object],
    salvage: bool,
    progress: Progress,
) -> Project:
    """Open a project file, and the place of its articles if that is there; raises Cancelled."""
    from inexview.core.project.project import Project

    project = Project.open(path, read_only=read_only, copy=False, salvage=salvage, progress=progress)
    with ExitStack() as refused:
        refused.enter_context(project)
        change(project)
        progress("parts opened: waiting for its articles", 1, 2)
        with suppress(DataError):  # which is told when it is shown
            project.collection  # noqa: B018 - opened here: a drive may never answer
        progress("parts opened", 2, 2)  # raises Cancelled where it was given up meanwhile
        refused.pop_all()
    return project


class Application(QObject):
    """Owns the windows of one running inexview."""

    _defect = Signal(str)  # a sentence, said when control is back in the event loop

    def __init__(
        self,
        application: QApplication,
        settings: Settings | None = None,
        *,
        loaded: Callable[[], object] = lambda: None,
    ) -> None:
        """``loaded`` is called once, when all modules are there and no project's window yet."""
        super().__init__(application)
        self._loaded: Callable[[], object] | None = loaded
        application.setApplicationName("inexview")
        application.setStyle("Fusion")
        application.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # as its words are
        application.setWindowIcon(QIcon(str(resource("icons") / "inexview.svg")))
        load_fonts(application)
        self.settings = settings or Settings(parent=self)
        self.appearance = Appearance(application, self.settings)
        self.tasks = Tasks(lambda error: self.front_messages().error(error), self)
        application.aboutToQuit.connect(self.tasks.close)
        self.windows: list[MainWindow] = []
        self.start: StartWindow | None = None
        self._ahead = timer(self, self._load_ahead, LOOKED_AT)
        self._defect.connect(self._say_defect, Qt.ConnectionType.QueuedConnection)
        sys.excepthook = self._on_defect
        sys.setswitchinterval(SWITCH)

    # -- windows -------------------------------------------------------------------------------------

    def show_start(self) -> StartWindow:
        if self.start is None:
            start = StartWindow(self.settings, self.tasks)
            start.project_chosen.connect(self.open_project)
            asked = {**self._without_project(), "guide": self._open_guide}
            start.asked.connect(lambda action_id: asked[action_id]())
            Drops(start, only_projects=True).projects.connect(self._open_all)
            self.start = start
            self._ahead.start()
        self.start.refresh()
        self.start.show()
        self.start.raise_()
        return self.start

    def _load_ahead(self) -> None:
        """Import what the first project will need, as far as that can be done off this thread: without Qt."""
        self.tasks.run(
            lambda: import_module("inexview.core.project.exchange.import_judgements"),
            lambda _module: None,
            urgent=False,
        )

    @cached_property
    def reopener(self) -> ProjectReopener:
        # here: the start window needs none of it
        from inexview.gui.shell.project_reopener import ProjectReopener

        return ProjectReopener(self)

    def open_project(
        self, path: Path, *, read_only: bool = False, then: Callable[[MainWindow], object] = _nothing
    ) -> MainWindow | None:
        """Open a project in a window of its own, or bring its window to the front.

        Returns None where it cannot be opened, which a message explains, and where that takes longer than
        ``SOON``.  ``then`` is called once the window is there.
        """
        for window in self.windows:
            if is_same_file(window.session.project.path, path):
                bring_forward(window)
                then(window)
                return window
        return self.open_file(path, read_only=read_only, then=then)

    @uncollected()  # all that is loaded and made stays
    def open_file(
        self,
        path: Path,
        *,
        read_only: bool | str = False,
        change: Callable[[Project], object] = _nothing,
        then: Callable[[MainWindow], object] = _nothing,
    ) -> MainWindow | None:
        """Open a project file in a new window, as ``open_project`` does; ``change`` it before it is shown.

        The file and the place of the articles are touched off this thread: a drive may never answer.
        """
        from inexview.core.project.journal.sqlite_pages import DamagedFileError

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
            self.show_start()  # with how far it is
        return next(iter(entered), None)

    @uncollected()
    def open_inspection(self, inspection: Inspection) -> MainWindow:
        """Show qrels and runs in Inspect, to be read only; nothing of it is remembered."""
        from inexview.core.project.inspection import ONLY_READ
        from inexview.core.project.project import Project
        from inexview.gui.inspect.run_scoring import InspectedQrels
        from inexview.gui.shell.main_window import Mode

        window = self._show(Project.open(inspection.project, read_only=ONLY_READ), inspection)
        board = window.inspect.board
        InspectedQrels(inspection, window.session, board, window.messages, window.tasks)
        board.choose(replace(board.choice, task=inspection.task, preset=inspection.preset))
        inspect = partial(window.set_mode, Mode.INSPECT)
        inspect()
        window.files.lay(inspection.runs, inspection.lacking, inspection.run_options, inspect)
        return window

    def open_place(self, place: LinkedPlace) -> None:
        """Open a project, or bring it to the front, at a place."""

        def go(window: MainWindow) -> None:
            if place.topic or place.document or place.run or place.at is not None:
                from inexview.gui.shell.project_reopener import LinkOpener

                LinkOpener(window, place).go()

        self.open_project(place.project, then=go)

    def enter(self, project: Project) -> MainWindow | None:
        """Show a project, unless its articles are gone: then it is told, and they can be looked for."""
        try:
            project.collection  # noqa: B018 - opened here, so that the window can rely on it
        except DataError as error:
            project.close()
            self.reopener.offer_finding(project, error)
            return None
        self.settings.remember_project(project.path)
        return self._show(project)

    def _show(self, project: Project, inspection: Inspection | None = None) -> MainWindow:
        from inexview.gui.shell.handover import Handover
        from inexview.gui.shell.main_window import MainWindow

        if self._loaded is not None:
            self._loaded()
            self._loaded = None
        window = MainWindow(project, self.settings, self.appearance)
        window.closed.connect(self._forget)
        window.asked.connect(partial(self._answer, window))
        window.drops.projects.connect(self._open_all)
        window.files.project_wanted.connect(self.ask_new_project)
        window.collection_notices.replaced.reopen_wanted.connect(
            partial(self.reopener.again, window, inspection)
        )
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
        """Go on with another project file in place of a window's own, which is gone."""
        if window.close():
            self.open_project(path)

    def refuse(self, path: Path, error: Exception) -> None:
        from inexview.core.project.access import ProjectInUseError
        from inexview.core.project.journal.sqlite_pages import DamagedFileError, NewerFormatError

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
        from inexview.gui.commands.notices import ask_restore

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

    # -- what is asked for ---------------------------------------------------------------------------

    def _open_all(self, paths: Sequence[Path]) -> None:
        for path in paths:
            self.open_project(path)

    def _without_project(self) -> dict[str, Callable[[], object]]:
        return {
            "new-project": lambda: self.ask_new_project(),
            "open-project": self.ask_project,
            "open-sample": self.open_sample,
        }

    def _answer(self, window: MainWindow, action_id: str) -> None:
        {
            **self._without_project(),
            "start-window": self.show_start,
            "find-collection": lambda: self.reopener.find_collection(window.session.project),
            "add-topics": lambda: self.reopener.add_topics(window),
            "about": self._about,
        }[action_id]()

    def ask_project(self) -> None:
        path = choose_file(self.front(), "Open project", PROJECTS, self.settings)
        if path is not None:
            self.open_project(path)

    def ask_new_project(self, parts: Parts | NewProject | None = None) -> None:
        """Ask for the parts of a project, make it and open it; ``parts`` are there already."""
        from inexview.core.project.project_parts import Parts
        from inexview.gui.dialogs.projects import NewProjectDialog

        dialog = NewProjectDialog(self.settings, self.front(), parts or Parts())
        if dialog.exec():
            self.create_project(dialog.chosen())
        dialog.deleteLater()

    def create_project(self, wanted: NewProject) -> None:
        """Make a project and open it; says why where that cannot be."""
        from inexview.core.project.project_parts import read_parts

        self.front_tasks().run_long(
            f"Making {wanted.path.name}",
            lambda _progress: read_parts(wanted),
            partial(self._create, wanted),
            partial(self._tell_not_made, wanted),
        )

    def _tell_not_made(self, wanted: NewProject, error: Exception) -> None:
        """Say why a project could not be made, and offer to go on with what was told of it."""
        first, *others = sentence(error).splitlines()
        said = Message.listing(MessageKind.ERROR, first, others)
        if said.action is None:  # a long list is shown whole instead
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
            _tell_oddities(window, topics.warnings)
        else:
            window.session.preparation.when_ready(partial(self._tell_misfits, window, topics, pool))

    def _tell_misfits(self, window: MainWindow, topics: Topics, pool: Pool) -> None:
        """Tell what looks wrong about a new project's topics and pool, and what does not fit.

        Which texts the pooled documents have is noted, so that other texts are told later.
        """
        from inexview.core.project.project_actions import read_texts, unread_texts
        from inexview.core.project.project_parts import unfitting

        project = window.session.project
        collection, unread = project.collection, unread_texts(project)
        window.tasks.run_long(
            "Looking for the pool",
            lambda progress: unfitting(topics, pool, collection, progress),
            partial(_tell_oddities, window),
        )
        window.tasks.run_long(
            "Reading the pool",
            lambda progress: read_texts(collection, unread, progress),
            partial(_note_texts, window),
        )

    def open_sample(self) -> MainWindow | None:
        """Open the sample project, made in the user's own folder the first time."""
        from inexview.core.judgements.runs import Task
        from inexview.core.project.exchange.import_judgements import create_sample_project, sample_runs

        path = sample_path()
        made = not is_there(path)
        try:
            if made:
                create_sample_project(path)
        except (InexviewError, OSError) as error:
            self.front_messages().error(error)
            return None
        if str(path.resolve()) not in self.settings.get(SCORING):
            self.settings.remember(SCORING, path.resolve(), {"task": Task.RELEVANT_IN_CONTEXT.value})

        def open_runs(window: MainWindow) -> None:
            if made:
                window.files.open_runs(sample_runs(path))

        return self.open_project(path, then=open_runs)

    def _open_guide(self) -> None:
        from inexview.gui.dialogs.guide import open_guide

        if self.start is not None:
            open_guide(self.start, self.start.book, "index.md")

    def _about(self) -> None:
        QMessageBox.about(
            self.front(),
            "About inexview",
            f"<b>inexview {version()}</b><p>Judge what is relevant, passage by passage, and see "
            "why a retrieval system scores what it scores.</p>"
            f"<p>MIT licence. Settings: {settings_path()}</p>",
        )

    # -- when something goes wrong -------------------------------------------------------------------

    def _on_defect(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        """Log a defect and say so in the window: the top-level hook, the last to see an error."""
        if not isinstance(error, Exception):  # Ctrl+C in the terminal
            QApplication.quit()
        else:
            text = sentence(error)  # which logs it
            print(f"inexview: {text}", file=sys.stderr)  # before there is a window, the only way to say it
            self._defect.emit(text)

    def _say_defect(self, text: str) -> None:
        self.front_messages().say(Message(MessageKind.ERROR, text))


def _note_texts(window: MainWindow, texts: Mapping[str, PooledText]) -> None:
    """Note which texts the documents of a new project have."""
    from inexview.core.project.project_actions import note_texts

    try:
        note_texts(window.session.project, texts)
    except InexviewError as error:
        window.messages.error(error)


def _tell_oddities(window: MainWindow, said: Sequence[str]) -> None:
    """Tell what looks wrong about a new project, if anything is."""
    if said:
        first, *others = [as_sentence(one) for one in said]
        window.messages.say(Message.listing(MessageKind.WARNING, first, others))
