"""What the window says of the collection: that it is indexed, how to go on, what it lacks of a pool."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt

from inexview.core.judgements.topics import Topic
from inexview.core.project.document_list import NOT_THERE
from inexview.gui.article.article_view import ArticleView
from inexview.gui.commands.replaced_articles import ReplacedArticles
from inexview.gui.services.actions import ActionBook
from inexview.gui.services.messages import Message, MessageKind, Messages, as_sentence
from inexview.gui.services.session import Session
from inexview.gui.services.tasks import Tasks

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
