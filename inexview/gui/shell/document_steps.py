"""Going from document to document, by the list of the room that one is in."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from inexview.core.project.document_list import PoolProgress
from inexview.core.project.remark_actions import last_opened
from inexview.gui.adjudicate.adjudicate_desk import AdjudicateDesk
from inexview.gui.assess.assess_desk import AssessDesk
from inexview.gui.services.actions import ActionBook
from inexview.gui.services.session import Session
from inexview.gui.shell.late_inspect import LateInspect


class DocumentSteps(QObject):
    """Does what the keys for the next document, the next to do, the list and its filter say."""

    list_wanted = Signal(object)  # None: the keyboard goes there

    def __init__(
        self,
        session: Session,
        assess: AssessDesk,
        inspect: LateInspect,
        adjudicate: AdjudicateDesk,
        book: ActionBook,
    ) -> None:
        super().__init__(assess)
        self._session = session
        self._assess = assess
        self._inspect = inspect
        self._adjudicate = adjudicate
        self._book = book

    def open_where_left(self) -> None:
        """Go on with the document that was open last; at the first time, with what is not finished."""
        project = self._session.project
        last = last_opened(project)
        if last is not None:
            self._session.open_topic(*last)
            return
        # Where nothing can be judged no topic is searched for what is left to do, which takes long.
        topics = () if project.read_only else project.topics
        left = (topic.id for topic in topics if PoolProgress.of_topic(project, topic.id).to_do)
        self._session.open_topic(next(left, project.topics[0].id))

    def step(self, step: int) -> None:
        """Open the next document of the list (1) or the one before (-1)."""
        if self._adjudicate.active:
            self._adjudicate.walk.step(step)
        elif self._inspect.active and self._session.run is not None:
            self._inspect().step(step)
        else:
            self._assess.topic_pool.step(step)

    def open_next_to_do(self) -> None:
        following = self._session.unfinished_after(self._session.document_id)
        if following is not None:
            self._session.open_document(following)
        elif self._session.pool:
            self._assess.tell_end()

    def focus_list(self) -> None:
        self.list_wanted.emit(None)
        if self._inspect.active:
            self._inspect().stage.take_keyboard()
        else:
            (self._adjudicate.left.view if self._adjudicate.active else self._assess.pool.view).setFocus()

    def filter(self) -> None:
        """Ask for what the titles of the documents, or over all topics the topics, shall hold."""
        if self._inspect.active and self._inspect().stage.over_topics:
            field = self._inspect().stage.topics.filter
            field.setFocus()
            field.selectAll()
            return
        if self._adjudicate.active or self._inspect.active:
            self._book["assess"].trigger()
        self.list_wanted.emit(None)
        self._assess.pool.filter.setFocus()
        self._assess.pool.filter.selectAll()
