"""What the commands on the best entry point do: choose, set, take the proposed one, remove, go there."""

from __future__ import annotations

from PySide6.QtCore import QObject

from inexview.gui.article.article_view import ArticleView
from inexview.gui.services.actions import ActionBook
from inexview.gui.services.messages import Messages
from inexview.gui.services.session import Session


class EntryPoints(QObject):
    """Sets the entry point of the open document; the proposed one only where a key takes it."""

    def __init__(self, session: Session, article: ArticleView, messages: Messages, book: ActionBook) -> None:
        super().__init__(article)
        self._session = session
        self._article = article
        self._messages = messages
        self._book = book
        self.draws = True  # here, and not on a run
        article.entry_point_chosen.connect(self._set)
        book.keys_changed.connect(self._name_key)
        book.room_changed.connect(self._name_key)
        self._name_key()

    def _set(self, at: int) -> None:
        if self.draws:
            self._session.set_entry_point(at)

    def _name_key(self) -> None:
        takes = self._book["entry-point-first"].isVisible() and not self._session.project.read_only
        self._article.set_proposal_key(self._book.key_text("entry-point-first") if takes else "")

    def choose(self) -> None:
        """Wait for a click; the key pressed once more takes the caret."""
        if self._article.choosing_entry_point:
            self._article.caret_pen.choose_entry_point()
        else:
            self._article.begin_entry_point()

    def take_first_mark(self) -> None:
        if self._session.state.relevant:
            self._session.set_entry_point(int(self._session.state.marks.starts[0]))
        else:
            self._messages.info(
                "Nothing is marked yet: mark first, or set the best entry point with a click.",
                self._session.while_here(),
            )

    def remove(self) -> None:
        if self._session.state.bep is not None:
            self._session.set_entry_point(None)

    def go(self) -> None:
        if self._session.state.bep is not None:
            self._article.reveal(self._session.state.bep)
