"""Notices articles that were replaced or changed while they are open, and offers to load them again.

The offer is a message, which goes by itself, and an entry of the menu, which stays as long as they differ.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction

from inexview.core.collection.archives.listing import archive_stamp
from inexview.core.errors import DataError
from inexview.core.progress import Progress
from inexview.gui.dialogs.collection_finder import check_collection, some_documents
from inexview.gui.services.file_watch import FileWatch
from inexview.gui.services.messages import Message, MessageKind, Messages, sentence
from inexview.gui.services.session import Session
from inexview.gui.services.tasks import Tasks


class ReplacedArticles(QObject):
    """Looks at the archive, or at the file of the open article, and says once a topic that it has changed.

    What is shown stays until one wants the new text, and also then where that cannot be read.
    """

    reopen_wanted = Signal()  # the new articles can be read

    def __init__(self, session: Session, tasks: Tasks, messages: Messages, action: QAction) -> None:
        super().__init__(session)
        self._session = session
        self._tasks = tasks
        self._messages = messages
        self._action = action
        self._told: Message | None = None
        self._stamp: str | None = None  # of the file of which it was told
        self._watch = FileWatch(self)
        self._watch.changed.connect(self._look_again)
        session.preparation.changed.connect(self._follow)
        session.document_opened.connect(self._follow)
        session.document_failed.connect(self._follow)
        session.topic_changed.connect(self._forget)
        action.setEnabled(False)
        self._follow()

    def _follow(self, _news: object = None) -> None:
        if self._session.preparation.ready:
            self._watch.watch([self._path()])
            if not self._session.preparation.collection.replaced():
                self._withdraw()  # it was of the article before
            if self._told is None:
                self._look()

    def _forget(self, _topic: object) -> None:
        """Say it again in another topic: one may have overlooked it."""
        self._told = self._stamp = None
        self._action.setEnabled(False)

    def _path(self) -> Path | None:
        """Return the file that what is shown was read from; None while no one knows."""
        here, preparation = self._session.document_id, self._session.preparation
        return None if here is None or not preparation.ready else preparation.collection.file_of(here)

    def _stamp_now(self) -> str | None:
        path = self._path()
        try:
            return None if path is None else archive_stamp(path)
        except DataError:  # it is gone again
            return None

    def _look_again(self, _paths: object) -> None:
        """Say it again where it changed once more, and no longer where it is as it was."""
        if self._stamp == self._stamp_now():
            return  # it is said already
        self._withdraw()
        failed = self._session.failed
        if failed is not None:
            self._session.opening.open(failed.document_id)
        self._look()

    def _withdraw(self) -> None:
        self._messages.withdraw(self._told)
        self._told = self._stamp = None
        self._action.setEnabled(False)

    def _look(self) -> None:
        session, path = self._session, self._path()
        read = session.document is None or session.opening.is_as_read(session.document.id)
        if path is not None and (not read or session.preparation.collection.replaced()):
            self._offer(MessageKind.WARNING, f"{path.name} has changed on disk.")

    def _offer(self, kind: MessageKind, why: str) -> None:
        told = f"{why} What is shown is still the old text."
        self._told = Message(kind, told, "Load the new one", self.load)
        self._stamp = self._stamp_now()
        self._action.setEnabled(True)
        self._messages.say(self._told)

    def load(self) -> None:
        """Look whether the new articles can be read; by then another document may be open."""
        project, here, path = self._session.project, self._session.document_id, self._path()
        if path is None or here is None:
            return
        collection, wanted = project.collection, some_documents(project)

        def check(progress: Progress) -> None:
            if collection.path.is_file():
                check_collection(collection.path, wanted, progress)
            else:
                collection.scan(here)

        self._tasks.run_long(
            f"Looking through {path.name}",
            check,
            lambda _nothing: self.reopen_wanted.emit(),
            lambda error: self._offer(MessageKind.ERROR, sentence(error)),
        )
