"""The application: which windows there are, what opens them, and what happens when something goes wrong."""

from __future__ import annotations

import logging
import sys
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType

import platformdirs
from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QWidget

import inexview
from inexview.core.collection import Collection
from inexview.core.errors import InexviewError
from inexview.core.formats.pools import read_pool
from inexview.core.formats.topics import read_topics
from inexview.core.project import Project
from inexview.core.project_access import ProjectInUseError
from inexview.core.resources import resource
from inexview.core.sample import create_sample_project, sample_runs
from inexview.gui.main_window import MainWindow
from inexview.gui.messages import Kind, Message, Messages, sentence
from inexview.gui.new_project import NewProject, NewProjectDialog
from inexview.gui.settings import FOLDER, Settings, settings_path
from inexview.gui.start_window import StartWindow
from inexview.gui.style import Appearance, WindowStyle, load_fonts

log = logging.getLogger(__name__)
SAMPLE = "sample"


class Application(QObject):
    """Owns the windows of one running inexview."""

    def __init__(self, application: QApplication, settings: Settings | None = None) -> None:
        super().__init__(application)
        application.setApplicationName("inexview")
        application.setStyle(WindowStyle())
        application.setWindowIcon(QIcon(str(resource("icons") / "inexview.svg")))
        load_fonts(application)
        self.settings = settings or Settings(parent=self)
        self.appearance = Appearance(application, self.settings)
        self.windows: list[MainWindow] = []
        self.start: StartWindow | None = None
        sys.excepthook = self._on_defect

    # -- windows -------------------------------------------------------------------------------------

    def show_start(self) -> StartWindow:
        """Show the start window."""
        if self.start is None:
            start = StartWindow(self.settings, self.appearance.theme)
            start.project_chosen.connect(self.open_project)
            start.new_asked.connect(self.ask_new_project)
            start.open_asked.connect(self.ask_project)
            start.sample_asked.connect(self.open_sample)
            self.appearance.changed.connect(start.set_theme)
            self.start = start
        self.start.refresh()
        self.start.show()
        self.start.raise_()
        return self.start

    def open_project(self, path: Path, *, read_only: bool = False) -> MainWindow | None:
        """Open a project in a window of its own; says why where that cannot be."""
        for window in self.windows:
            if window.session.project.path == path.resolve():
                window.raise_()
                window.activateWindow()
                return window
        try:
            project = Project.open(path, read_only=read_only)
        except InexviewError as error:
            self._refuse(path, error)
            return None
        self.settings.remember_project(project.path)
        return self._show(project)

    def _show(self, project: Project) -> MainWindow:
        window = MainWindow(project, self.settings, self.appearance)
        window.closed.connect(self._forget)
        window.asked.connect(self._answer)
        self.windows.append(window)
        window.show()
        if self.start is not None:
            self.start.close()
        return window

    def _refuse(self, path: Path, error: InexviewError) -> None:
        messages = self._messages()
        if isinstance(error, ProjectInUseError):

            def read() -> None:
                self.open_project(path, read_only=True)

            messages.say(Message(Kind.ERROR, str(error), "Open to read", read))
        else:
            messages.error(error)

    def _messages(self) -> Messages:
        return self.windows[-1].messages if self.windows else self.show_start().messages

    def _parent(self) -> QWidget | None:
        return self.windows[-1] if self.windows else self.start

    def _forget(self, window: MainWindow) -> None:
        self.windows.remove(window)
        window.deleteLater()

    # -- what is asked for ---------------------------------------------------------------------------

    def _answer(self, action_id: str) -> None:
        {
            "new-project": self.ask_new_project,
            "open-project": self.ask_project,
            "open-sample": self.open_sample,
            "start-window": self.show_start,
            "about": self._about,
        }[action_id]()

    def ask_project(self) -> None:
        """Ask for a project file and open it."""
        name, _ = QFileDialog.getOpenFileName(
            self._parent(), "Open project", self.settings.get(FOLDER), "inexview projects (*.inexview)"
        )
        if name:
            self.settings.set(FOLDER, str(Path(name).parent))
            self.open_project(Path(name))

    def ask_new_project(self) -> None:
        """Ask for the parts of a project, make it and open it."""
        dialog = NewProjectDialog(self.settings, self._parent())
        if dialog.exec():
            self.create_project(dialog.chosen())
        dialog.deleteLater()

    def create_project(self, wanted: NewProject) -> MainWindow | None:
        """Make a project and open it; says why where that cannot be."""
        try:
            project = Project.create(
                wanted.path,
                collection=Collection.open(wanted.collection),
                topics=read_topics(wanted.topics),
                pool=read_pool(wanted.pool) if wanted.pool is not None else None,
                assessor=wanted.assessor,
            )
        except (InexviewError, OSError) as error:
            self._messages().error(error)
            return None
        self.settings.remember_project(project.path)
        return self._show(project)

    def open_sample(self) -> MainWindow | None:
        """Open the sample project, made in the user's own folder the first time."""
        path = Path(platformdirs.user_data_dir("inexview", appauthor=False)) / SAMPLE / "sample.inexview"
        made = not path.exists()
        try:
            if made:
                create_sample_project(path)
        except (InexviewError, OSError) as error:
            self._messages().error(error)
            return None
        window = self.open_project(path)
        if window is not None and made:
            window.files.open_runs(sample_runs(path))
        return window

    def _about(self) -> None:
        QMessageBox.about(
            self._parent(),
            "About inexview",
            f"<b>inexview {inexview.__version__}</b><p>Judge what is relevant, passage by passage, and see "
            "why a retrieval system scores what it scores.</p>"
            f"<p>MIT licence. Settings: {settings_path()}</p>",
        )

    # -- when something goes wrong -------------------------------------------------------------------

    def _on_defect(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        """Log a defect and say so in the window: the top-level hook, the last to see an error."""
        log.error("unexpected error", exc_info=(kind, error, trace))
        if isinstance(error, Exception):
            text = sentence(error)
            QTimer.singleShot(0, self, lambda: self._messages().say(Message(Kind.ERROR, text)))


def start_log() -> None:
    """Write defects to a file in the user's log folder; without such a folder, nowhere."""
    folder = Path(platformdirs.user_log_dir("inexview", appauthor=False))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(folder / "inexview.log", maxBytes=1_000_000, backupCount=1, delay=True)
    except OSError:
        return
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.getLogger("inexview").addHandler(handler)


def run(path: Path | None = None, *, sample: bool = False) -> int:
    """Start the program: on a project, on the sample, or with the start window; returns the exit status."""
    start_log()
    qt = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(qt, QApplication)
    application = Application(qt)
    if sample:
        application.open_sample()
    elif path is not None:
        application.open_project(path)
    if not application.windows:
        application.show_start()
    return qt.exec()
