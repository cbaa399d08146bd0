"""Judging blind: before one sees what runs found in a document that is not finished, one is asked."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject

from inexview.core.judgements.runs import Run
from inexview.gui.article.article_view import ArticleView
from inexview.gui.services.actions import ActionBook
from inexview.gui.services.messages import Message, MessageKind, Messages
from inexview.gui.services.session import Session
from inexview.gui.services.settings import sample_path


class BlindJudging(QObject):
    """Asks on the way to Inspect, once for each document; that one was there is noted by who shows it.

    The question has a bar of its own: what is wrong with a run that was just opened is said beside it.
    """

    def __init__(self, session: Session, article: ArticleView, book: ActionBook) -> None:
        super().__init__(article)
        self._session = session
        self._book = book
        self._agreed: set[tuple[str, str]] = set()
        self.question = Messages(article, floating=False)
        article.show_under_text(self.question)
        for past in (session.document_opened, session.state_changed):
            past.connect(lambda _told: self.question.clear())
        session.runs_changed.connect(self._follow_runs)

    def asks(self, *, answered: bool = True) -> bool:
        """Tell whether one has to be asked before runs are seen; who asks for them again has ``answered``."""
        session = self._session
        project = session.project
        if session.topic is None or session.document is None or project.read_only:
            return False
        if project.path == sample_path().resolve():  # which is there to be tried out
            return False
        here = (session.topic.id, session.document.id)
        if not session.runs or session.state.finished or here[1] not in session.pool:
            return False
        if self.let_go() and answered:
            self._agreed.add(here)
        return here not in self._agreed

    def ask(self) -> None:
        document = self._session.document
        assert document is not None
        asked = (
            f"{document.title or document.id} is not finished. "
            "Inspect shows what runs found in it, and the journal keeps that."
        )
        self.question.say(Message(MessageKind.REFUSED, asked, "Inspect all the same", self._agree))

    def let_go(self) -> bool:
        """Take the question back; False where none is asked."""
        asked = self.question.current is not None
        self.question.clear()
        return asked

    def _follow_runs(self, runs: Sequence[Run]) -> None:
        """Go on asking where other runs are there to be seen."""
        if not runs:
            self.question.clear()

    def _agree(self) -> None:
        topic, document = self._session.topic, self._session.document
        if topic is not None and document is not None:
            self._agreed.add((topic.id, document.id))
        self._book["inspect"].trigger()
