"""Tells which documents of a topic's pool are not in the collection, without keeping anybody waiting."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject

from inexview.core.judgements.topics import Topic
from inexview.gui.services.messages import Message, MessageKind, Messages
from inexview.gui.services.session import Session
from inexview.gui.services.tasks import Tasks


class MissingDocuments(QObject):
    """Looks whenever another topic is opened, or the collection has been listed."""

    def __init__(self, session: Session, tasks: Tasks, messages: Messages) -> None:
        super().__init__(session)
        self._session = session
        self._tasks = tasks
        self._messages = messages
        session.topic_changed.connect(lambda _topic: self._look())
        session.preparing.changed.connect(self._look)

    def _look(self) -> None:
        project, topic = self._session.project, self._session.topic
        if project.contents.has_pool and self._session.preparing.ready:
            pool, collection = self._session.pool, project.collection
            self._tasks.run(
                lambda: [name for name in pool if name not in collection],
                lambda missing: self._tell(topic, missing),
                urgent=False,
            )

    def _tell(self, topic: Topic | None, missing: Sequence[str]) -> None:
        current = self._messages.current
        unread = current is not None and current.kind is not MessageKind.INFO
        if missing and topic is not None and topic == self._session.topic and not unread:
            told = f"Topic {topic.id}: not in the collection, so that no one can judge them:"
            self._messages.say(Message.listing(MessageKind.WARNING, told, missing))
