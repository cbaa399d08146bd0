"""Notices and questions of the window: the collection, articles that changed, a project file that is gone."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QWidget

from inexview.core.collection.archives.listing import archive_stamp
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError, InexviewError, ProjectError
from inexview.core.files import folder_is_there, project_path
from inexview.core.judgements.topics import Topic
from inexview.core.progress import Progress
from inexview.core.project.document_list import NOT_THERE
from inexview.core.project.journal.journal import ProjectGoneError
from inexview.core.project.project_parts import check_collection, some_documents
from inexview.core.project.recovery.copies import NewerCopy, newer_copy
from inexview.gui.article.article_view import ArticleView
from inexview.gui.services.actions import ActionBook
from inexview.gui.services.file_choice import PROJECTS
from inexview.gui.services.messages import Message, MessageKind, Messages, as_sentence, ask_which, sentence
from inexview.gui.services.save_state import FileWatch
from inexview.gui.services.session import Session
from inexview.gui.services.tasks import Tasks

if TYPE_CHECKING:
    from inexview.gui.dialogs.projects import RestoreDialog


class _File(NamedTuple):
    """The file that a document was read from, as it is now."""

    path: Path | None = None
    stamp: str | None = None
    replaced: bool = False
    """Whether it is an archive, and another one than was listed."""
    changed: bool = False
    """Whether it is a document's own, and another one than was read."""

    @classmethod
    def of(cls, collection: Collection, document: str, mark: tuple[int, int] | None) -> _File:
        """Look at the file of a document that was read with this mark; None says that it was not read."""
        path, stamp, changed = None, None, False
        with suppress(DataError):  # it is gone: what was read of it is there
            path = collection.file_of(document)
            changed = mark is not None and collection.mark(document) != mark
            stamp = None if path is None else archive_stamp(path)
        return cls(path, stamp, collection.replaced(), changed)


NOTHING = _File()


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
        self._file = NOTHING  # of which it was told
        self._asking = False
        self._ask_again: Callable[[_File], None] | None = None
        self._watch = FileWatch(self)
        self._watch.changed.connect(self._look_again)
        session.preparation.changed.connect(self._follow)
        session.document_opened.connect(self._follow)
        session.document_failed.connect(self._follow)
        session.topic_changed.connect(self._forget)
        action.setEnabled(False)
        self._follow()

    def _follow(self, _news: object = None) -> None:
        self._ask(self._take)

    def _take(self, file: _File) -> None:
        """Watch the file of what is shown now, and say if it has changed."""
        self._watch.watch([file.path])
        if not file.replaced:
            self._withdraw()  # it was of the article before
        if self._told is None:
            self._tell(file)

    def _forget(self, _topic: object) -> None:
        """Say it again in another topic: one may have overlooked it."""
        self._told = None
        self._file = NOTHING
        self._action.setEnabled(False)

    def _ask(self, take: Callable[[_File], None]) -> None:
        """Look at the file that what is shown was read from, off this thread: its place may not answer."""
        session = self._session
        here, collection = session.document_id, session.preparation.collection
        if not session.preparation.ready or here is None or self._asking:
            self._ask_again = take if self._asking else None
            return
        mark = None if session.document is None else session.opening.mark_of(here)

        def look() -> _File:
            return _File.of(collection, here, mark)

        def have(file: _File) -> None:
            self._asking = False
            again, self._ask_again = self._ask_again, None
            if again is not None:
                self._ask(again)
            elif self._session.document_id == here:
                take(file)

        self._asking = True
        self._tasks.run(look, have, of_articles=True)

    def _look_again(self, _paths: object) -> None:
        self._ask(self._take_again)

    def _take_again(self, file: _File) -> None:
        """Say it again where it changed once more, and no longer where it is as it was."""
        if self._file.stamp == file.stamp:
            return  # it is said already
        self._withdraw()
        failed = self._session.failed
        if failed is not None:
            self._session.opening.open(failed.document_id)
        self._tell(file)

    def _withdraw(self) -> None:
        self._messages.withdraw(self._told)
        self._told = None
        self._file = NOTHING
        self._action.setEnabled(False)

    def _tell(self, file: _File) -> None:
        if file.path is not None and (file.replaced or file.changed):
            self._offer(file, MessageKind.WARNING, f"{file.path.name} has changed on disk.")

    def _offer(self, file: _File, kind: MessageKind, why: str) -> None:
        told = f"{why} What is shown is still the old text."
        self._told = Message(kind, told, "Load the new one", self.load)
        self._file = file
        self._action.setEnabled(True)
        self._messages.say(self._told)

    def load(self) -> None:
        """Look whether the new articles can be read; by then another document may be open."""
        project, here, file = self._session.project, self._session.document_id, self._file
        if file.path is None or here is None:
            return
        collection, wanted = project.collection, some_documents(project)

        def check(progress: Progress) -> None:
            if collection.path.is_file():
                check_collection(collection.path, wanted, progress)
            else:
                collection.scan(here)

        self._tasks.run_long(
            f"Looking through {file.path.name}",
            check,
            lambda _nothing: self.reopen_wanted.emit(),
            lambda error: self._offer(file, MessageKind.ERROR, sentence(error)),
        )


OPENS_LATER = (
    "opens as soon as it is known where in the collection it lies. This is found out once, and kept for the "
    "next time. Lists, topics and runs can be looked at meanwhile."
)
HOW_TO = "File ▸ Index the collection finds out which articles there are, and where each of them lies."


class CollectionNotices(QObject):
    """Keeps article, message and menu true while a collection is indexed, and where that was given up."""

    def __init__(
        self, session: Session, article: ArticleView, tasks: Tasks, messages: Messages, book: ActionBook
    ) -> None:
        super().__init__(article)
        self._session = session
        self._preparation = session.preparation
        self._article = article
        self._messages = messages
        self.replaced = ReplacedArticles(session, tasks, messages, book["load-articles"])
        self._action = book["index-collection"]
        self._preparation.changed.connect(self._show)
        self._preparation.warned.connect(self._warn)
        session.document_awaited.connect(self._show_awaited)

    def start(self) -> None:
        self._preparation.start()
        self._show()

    def _show(self) -> None:
        preparation = self._preparation
        self._action.setEnabled(not preparation.ready and not preparation.under_way)
        if preparation.problem:
            told = (
                f"{preparation.name} is not indexed, so its articles cannot be opened. {preparation.problem}"
            )
            self._messages.say(Message(MessageKind.WARNING, told, "Index the collection", preparation.start))
        self.show_page()

    def _warn(self, warnings: Sequence[str]) -> None:
        first, *others = [as_sentence(warning) for warning in warnings]
        self._messages.say(Message.listing(MessageKind.WARNING, first, others))

    def show_page(self) -> None:
        """Say why there is nothing to list, and nothing to open: the pool, or that there is no index yet."""
        session, preparation = self._session, self._preparation
        if session.pool or session.document_id is not None:
            return
        if session.pool_is_known:
            if session.topic is not None:
                told = f"The pool has no documents for topic {session.topic.id}."
                self._article.show_notice("Nothing to judge", told)
        elif preparation.under_way:
            self._article.show_notice(f"Indexing {preparation.name}", f"The first article {OPENS_LATER}")
        else:
            self._article.show_notice(f"{preparation.name} is not indexed", HOW_TO)

    def _show_awaited(self, document_id: str) -> None:
        self._article.show_notice(
            f"Indexing {self._preparation.name}", f"Document {document_id} {OPENS_LATER}"
        )


class MissingDocuments(QObject):
    """Looks whenever another topic is opened, or the collection has been listed."""

    def __init__(self, session: Session, tasks: Tasks, messages: Messages) -> None:
        super().__init__(session)
        self._session = session
        self._tasks = tasks
        self._messages = messages
        self._untold: tuple[Topic | None, Sequence[str]] | None = None
        session.topic_changed.connect(lambda _topic: self._look())
        session.preparation.changed.connect(self._look)
        messages.cleared.connect(self._tell, Qt.ConnectionType.QueuedConnection)

    def _look(self) -> None:
        project, topic = self._session.project, self._session.topic
        if project.contents.has_pool and self._session.preparation.ready:
            pool, collection = self._session.pool, project.collection
            self._tasks.run(
                lambda: [name for name in pool if name not in collection],
                lambda missing: self._note(topic, missing),
                urgent=False,
            )

    def _note(self, topic: Topic | None, missing: Sequence[str]) -> None:
        self._session.catalogue.note_unreadable(missing, NOT_THERE)
        self._untold = (topic, missing) if missing else None
        self._tell()

    def _tell(self, _: object = None) -> None:
        """Tell of them, once what is said already has been read or can no longer be taken back there."""
        current = self._messages.current
        unread = current is not None and (current.kind is not MessageKind.INFO or current.is_offer)
        if self._untold is None or unread:
            return
        (topic, missing), self._untold = self._untold, None
        if topic is not None and topic == self._session.topic:
            told = f"Topic {topic.id}: not in the collection, so that no one can judge them:"
            self._messages.say(Message.listing(MessageKind.WARNING, told, missing))


log = logging.getLogger(__name__)
SAVE_ELSEWHERE, CLOSE = "Save elsewhere…", "Close without saving"


class ProjectRescue(QObject):
    """Writes new project files; the one that is open stays as it is."""

    open_wanted = Signal(object)  # Path of a project to open beside this window
    open_instead = Signal(object)  # Path of a project to open in place of this window

    def __init__(self, window: QWidget, session: Session, messages: Messages, tasks: Tasks) -> None:
        super().__init__(window)
        self._window, self._project = window, session.project
        session.saving.elsewhere_wanted.connect(self.save_elsewhere)
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
        damaged = self._project.damage is not None
        ask_restore(self._window, self._project.path, self._tasks, self.open_wanted.emit, damaged=damaged)

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
            answer = ask_which(self._window, question, detail, SAVE_ELSEWHERE, CLOSE)
            return self._save() is not None if answer == SAVE_ELSEWHERE else answer == CLOSE
        except ProjectError as error:  # another program has written to it since: what is there stays
            log.warning("%s", error)
        return True

    def _save(self) -> Path | None:
        """Write all that was done to another file, and return where; None where that was not done."""
        path = ask_new_file(self._window, self._project.path, "Save all that was done to another file")
        if path is None:
            return None
        from inexview.core.project.recovery.salvage import save_elsewhere  # here: hardly anybody needs it

        try:
            save_elsewhere(self._project.journal, path)
        except InexviewError as error:
            self._messages.error(error)
            return None
        self._saved = True
        return path


def ask_restore(
    parent: QWidget | None,
    path: Path,
    tasks: Tasks,
    opened: Callable[[Path], object],
    *,
    damaged: bool = True,
) -> RestoreDialog:
    """Show the copies of a project; what is restored is handed to ``opened``.

    Of a file that is not ``damaged`` nothing is offered to be saved.
    """

    def write(how: Callable[[Path], object]) -> None:
        target = ask_new_file(parent, path, "Restore as a new file")
        if target is None:
            return

        def show(_written: object) -> None:
            opened(target)

        tasks.run(lambda: how(target), show, saves=True)

    from inexview.gui.dialogs.projects import RestoreDialog  # here: hardly anybody needs it

    dialog = RestoreDialog(path, tasks, parent, damaged=damaged)
    dialog.chosen.connect(write)
    dialog.open()
    return dialog


def ask_new_file(parent: QWidget | None, near: Path, title: str) -> Path | None:
    suggested = near.with_name(f"{near.stem}-restored{near.suffix}")
    folder = suggested if folder_is_there(suggested.parent) else Path.home() / suggested.name
    name, _ = QFileDialog.getSaveFileName(parent, title, str(folder), PROJECTS)
    return project_path(Path(name)) if name else None
