"""Restoring a copy, and saving what the window knows where the project file is gone."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from inexview.core.errors import InexviewError, ProjectError
from inexview.core.file_presence import folder_is_there
from inexview.core.project.journal.file_identity import ProjectGoneError
from inexview.core.project.recovery.copies import NewerCopy, newer_copy
from inexview.core.project_name import project_path
from inexview.gui.services.file_choice import PROJECTS
from inexview.gui.services.messages import Message, MessageKind, Messages, as_sentence, ask_which
from inexview.gui.services.session import Session
from inexview.gui.services.tasks import Tasks

if TYPE_CHECKING:
    from inexview.gui.dialogs.restore_dialog import RestoreDialog

log = logging.getLogger(__name__)
SAVE, CLOSE = "Save elsewhere…", "Close without saving"


class ProjectRescue(QObject):
    """Writes new project files; the one that is open stays as it is."""

    open_wanted = Signal(object)  # Path of a project to open beside this window
    open_instead = Signal(object)  # Path of a project to open in place of this window

    def __init__(self, window: QWidget, session: Session, messages: Messages, tasks: Tasks) -> None:
        super().__init__(window)
        self._window, self._project = window, session.project
        session.saving.save_elsewhere = self.save_elsewhere
        self._messages, self._tasks = messages, tasks
        self._saved = False  # elsewhere

    def compare_with_copies(self) -> None:
        """Warn if a copy has actions that the file lacks, because an older file was put back."""
        path = self._project.path
        if self._project.damage is None:  # which tells that too
            self._tasks.run(lambda: newer_copy(path), self._tell_newer_copy, urgent=False)

    def _tell_newer_copy(self, newer: NewerCopy | None) -> None:
        if newer is not None:
            text = as_sentence(f"{newer}. Was an older file put back? Restoring the copy writes a new file")
            self._messages.say(Message(MessageKind.WARNING, text, "Restore…", self.restore, holds=True))

    def tell_read_only(self) -> None:
        """Say why nothing can be judged in a project that is only read, and what can be done."""
        project = self._project
        if project.read_only:
            said = as_sentence(project.read_only_reason)
            offer = ("Restore…", self.restore) if project.damage is not None else ("", None)
            self._messages.say(Message(MessageKind.WARNING, said, *offer))

    def restore(self) -> None:
        """List the copies, and restore one of them as a new file."""
        ask_restore(self._window, self._project.path, self._tasks, self.open_wanted.emit)

    def save_elsewhere(self) -> None:
        """Ask for another file, write there all that was done, and go on with it."""
        path = self._save()
        if path is not None:
            self.open_instead.emit(path)

    def may_close(self) -> bool:
        """Offer to save elsewhere where the project file is gone; False where the window shall stay."""
        if self._saved:
            return True
        try:
            self._project.check_file()
        except ProjectGoneError as error:
            question = "Save all that was done to another file?"
            detail = f"{error}. Without that it may be lost when this window is closed."
            answer = ask_which(self._window, question, detail, SAVE, CLOSE)
            return self._save() is not None if answer == SAVE else answer == CLOSE
        except ProjectError as error:  # another program has written to it since: what is there stays
            log.warning("%s", error)
        return True

    def _save(self) -> Path | None:
        """Write all that was done to another file, and return where; None where that was not done."""
        path = ask_new_file(self._window, self._project.path, "Save all that was done to another file")
        if path is None:
            return None
        from inexview.core.project.recovery.rescue import save_elsewhere  # here: hardly anybody needs it

        try:
            save_elsewhere(self._project.journal, path)
        except InexviewError as error:
            self._messages.error(error)
            return None
        self._saved = True
        return path


def ask_restore(
    parent: QWidget | None, path: Path, tasks: Tasks, opened: Callable[[Path], object]
) -> RestoreDialog:
    """Show the copies of a project; what is restored is handed to ``opened``."""

    def write(how: Callable[[Path], object]) -> None:
        target = ask_new_file(parent, path, "Restore as a new file")
        if target is None:
            return

        def show(_written: object) -> None:
            opened(target)

        tasks.run(lambda: how(target), show, saves=True)

    from inexview.gui.dialogs.restore_dialog import RestoreDialog  # here: hardly anybody needs it

    dialog = RestoreDialog(path, tasks, parent)
    dialog.chosen.connect(write)
    dialog.open()
    return dialog


def ask_new_file(parent: QWidget | None, near: Path, title: str) -> Path | None:
    suggested = near.with_name(f"{near.stem}-restored{near.suffix}")
    folder = suggested if folder_is_there(suggested.parent) else Path.home() / suggested.name
    name, _ = QFileDialog.getSaveFileName(parent, title, str(folder), PROJECTS)
    return project_path(Path(name)) if name else None
