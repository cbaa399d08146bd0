"""The commands that read and write files: runs and qrels in, qrels out; all off the window's thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QWidget

from inexview.core.errors import DataError, InexviewError
from inexview.core.formats.fol_qrels import write_fol_qrels
from inexview.core.formats.sniff import read_qrels, read_run
from inexview.core.qrels import Qrels
from inexview.core.runs import Run
from inexview.gui.messages import Kind, Message, Messages, sentence
from inexview.gui.session import Session
from inexview.gui.settings import FOLDER, Settings
from inexview.gui.tasks import Tasks


class Files(QObject):
    """Opens runs, imports and exports qrels of the session's project."""

    def __init__(self, window: QWidget, messages: Messages, tasks: Tasks, settings: Settings) -> None:
        super().__init__(window)
        self._window = window
        self._messages = messages
        self._tasks = tasks
        self._settings = settings
        self._session: Session | None = None
        self._reload: Callable[[], None] = lambda: None

    def set_session(self, session: Session, reload: Callable[[], None]) -> None:
        """Work on another project; ``reload`` shows anew what an import has changed."""
        self._session, self._reload = session, reload

    # -- runs ----------------------------------------------------------------------------------------

    def ask_runs(self, then: Callable[[], None]) -> None:
        """Ask for runs and open them; ``then`` is called when they are open."""
        kinds = "Runs (*.txt *.run *.xml *.res);;All files (*)"
        names, _ = QFileDialog.getOpenFileNames(self._window, "Open run", self._folder(), kinds)
        if names:
            self._settings.set(FOLDER, str(Path(names[0]).parent))
            self.open_runs([Path(name) for name in names], then)

    def open_runs(self, paths: Sequence[Path], then: Callable[[], None] = lambda: None) -> None:
        """Read runs off the window's thread and lay them over the text, the first of them on top."""
        self._tasks.run(lambda: [_read(path) for path in paths], lambda read: self._take_runs(read, then))

    def _take_runs(self, read: Sequence[Run | Qrels | DataError | OSError], then: Callable[[], None]) -> None:
        runs = [one for one in read if isinstance(one, Run)]
        for run in runs:
            self._take_run(run)
        if self._session is not None and runs:
            self._session.select_run(runs[0])
            then()
        for qrels in read:
            if isinstance(qrels, Qrels):
                self._offer_import(qrels)
        errors = [sentence(error) for error in read if isinstance(error, Exception)]
        if errors:
            first, *others = [line for error in errors for line in error.splitlines()]
            self._messages.say(Message.listing(Kind.ERROR, first, others))

    def _offer_import(self, qrels: Qrels) -> None:
        said = f"{qrels.path} is no run: it holds judgements, which can be taken into the project."
        self._messages.say(Message(Kind.WARNING, said, "Import", lambda: self._take_qrels(qrels)))

    def _take_run(self, run: Run) -> None:
        if self._session is None:
            return
        self._session.add_run(run)
        known = {topic.id for topic in self._session.project.topics}
        if not known & set(run.topics):
            self._messages.warn(
                f"{run.path}: none of its {len(run.topics):,} topics is in this project, "
                f"so there is nothing to show for {run.id}."
            )
        elif run.warnings:
            self._messages.say(Message.listing(Kind.WARNING, f"{run.id} is open, but look:", run.warnings))

    # -- qrels ---------------------------------------------------------------------------------------

    def ask_import(self) -> None:
        """Ask for a qrels file and take its judgements into the project."""
        name, _ = QFileDialog.getOpenFileName(
            self._window, "Import qrels", self._folder(), "Qrels (*.txt *.qrels);;All files (*)"
        )
        if name:
            self._settings.set(FOLDER, str(Path(name).parent))
            self._tasks.run(lambda: read_qrels(Path(name)), self._take_qrels)

    def _take_qrels(self, qrels: Qrels) -> None:
        if self._session is None:
            return
        try:
            taken = self._session.project.import_qrels(qrels)
        except InexviewError as error:
            self._messages.error(error)
            return
        self._reload()
        said = f"{taken.documents:,} judgements are in the project now; each can be undone in its document."
        if taken.warnings:
            self._messages.say(Message.listing(Kind.WARNING, said, taken.warnings))
        else:
            self._messages.info(said)

    def ask_export(self) -> None:
        """Ask where to, and write the finished documents as FOL qrels."""
        if self._session is None:
            return
        project = self._session.project
        start = str(Path(self._folder() or project.path.parent) / f"{project.path.stem}.qrels.txt")
        name, _ = QFileDialog.getSaveFileName(self._window, "Export qrels", start, "Qrels (*.txt *.qrels)")
        if name:
            self.export(Path(name))

    def export(self, path: Path) -> None:
        """Write the finished documents, and say which were left out."""
        if self._session is None:
            return
        try:
            exported = self._session.project.judgements()
            write_fol_qrels(exported.judgements, path)
        except (InexviewError, OSError) as error:
            self._messages.error(error)
            return
        said = f"{len(exported.judgements):,} finished documents are in {path}."
        if exported.left_out:
            said += f" Left out, because they are open: {len(exported.left_out):,}."
            left = [f"{topic} {document}" for topic, document in exported.left_out]
            self._messages.say(Message.listing(Kind.WARNING, said, left))
        else:
            self._messages.info(said)

    def _folder(self) -> str:
        return self._settings.get(FOLDER)


def _read(path: Path) -> Run | Qrels | DataError | OSError:
    """Read a run; qrels that somebody took for one are recognised."""
    try:
        return read_run(path)
    except (DataError, OSError) as error:
        problem = error
    try:
        return read_qrels(path)
    except (DataError, OSError):
        return problem
