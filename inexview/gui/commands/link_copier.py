"""Copies a link to the place that one looks at: topic, document, run and the line at the top."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from inexview.core.project.linked_place import LinkedPlace
from inexview.gui.article.article_view import ArticleView
from inexview.gui.services.actions import INSPECTING, ActionBook
from inexview.gui.services.messages import Messages
from inexview.gui.services.session import Session


class LinkCopier(QObject):
    """Knows the place as a link."""

    def __init__(self, session: Session, article: ArticleView, messages: Messages, book: ActionBook) -> None:
        super().__init__(article)
        self._session = session
        self._article = article
        self._messages = messages
        self._book = book

    def place(self) -> LinkedPlace:
        """Return where one is; the run only while one looks at runs."""
        session = self._session
        run = session.run if self._book.room in INSPECTING else None
        return LinkedPlace(
            session.project.path,
            None if session.topic is None else session.topic.id,
            session.document_id,
            None if run is None else str(run.path.resolve() if run.path is not None else run.id),
            None if session.document is None else self._article.reading_position(),
        )

    def copy(self) -> None:
        from inexview.core.project.inspection import ONLY_READ  # here: a cold start need not wait for it

        if self._session.project.read_only_reason == ONLY_READ:
            self._messages.warn("There is no link to files that are inspected: make a project of them first.")
            return
        QGuiApplication.clipboard().setText(self.place().link)
        self._messages.info("The link is copied: it opens this project at this place.")
