"""Goes back and forward through documents and places, and notes where one reads."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QMouseEvent

from inexview.gui.article.article_view import ArticleView
from inexview.gui.article.finding import Align
from inexview.gui.look.layouts import timer
from inexview.gui.services.document_record import OpenDocument
from inexview.gui.services.session import Session

NOTED_AFTER = 1_500  # milliseconds: a program that is killed has forgotten no more of the scrolling
STEPS = {Qt.MouseButton.BackButton: -1, Qt.MouseButton.ForwardButton: 1}
_PRESSES = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)
MOST = 200  # places that are remembered


@dataclass(frozen=True, slots=True)
class VisitedPlace:
    """A document of a topic; ``offset`` is None where it is shown as it was left."""

    topic: str
    document: str
    offset: int | None = None


class VisitedPlaces:
    """The places in order; going back and then elsewhere forgets what was ahead."""

    def __init__(self) -> None:
        self._places: list[VisitedPlace] = []
        self._at = -1

    @property
    def here(self) -> VisitedPlace | None:
        return self._places[self._at] if self._places else None

    def visit(self, place: VisitedPlace) -> None:
        here = self.here
        same = here is not None and (here.topic, here.document) == (place.topic, place.document)
        if same and (place.offset is None or place == here):
            return
        self._places = [*self._places[: self._at + 1], place][-MOST:]
        self._at = len(self._places) - 1

    def mark(self, offset: int) -> None:
        """Remember where in the document one was before one jumps from it."""
        if (here := self.here) is not None:
            self._places[self._at] = VisitedPlace(here.topic, here.document, offset)

    def go(self, step: int) -> VisitedPlace | None:
        """Go back (-1) or forward (1); None where there is nothing."""
        if not 0 <= self._at + step < len(self._places):
            return None
        self._at += step
        return self._places[self._at]


class BackAndForward(QObject):
    """Follows the session and the article view, and does what Back and Forward say, also of a mouse."""

    def __init__(self, session: Session, article: ArticleView) -> None:
        super().__init__(article)
        self._session = session
        self._article = article
        self._places = VisitedPlaces()
        self._goal: VisitedPlace | None = None  # what is opened because one went there
        self._note_soon = timer(self, session.note_position, NOTED_AFTER)
        session.document_opened.connect(self._on_opened)
        article.jumped.connect(self._on_jumped)
        article.moved.connect(self._on_moved)
        article.window().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Hear of the mouse's own buttons where nothing else takes them."""
        if event.type() in _PRESSES and isinstance(event, QMouseEvent):
            step = STEPS.get(event.button())
            if step is not None:
                self.go(step)
                return True
        return False

    def _on_moved(self, _: object) -> None:
        if not self._note_soon.isActive():
            self._note_soon.start()

    def stop(self) -> None:
        """Stop noting places."""
        self._note_soon.stop()

    def _on_opened(self, opened: OpenDocument) -> None:
        goal, self._goal = self._goal, None
        here = VisitedPlace(opened.topic.id, opened.document.id)
        if goal is None or (goal.topic, goal.document) != (here.topic, here.document):
            self._places.visit(here)
        elif goal.offset is not None:
            self._article.reveal(goal.offset, align=Align.TOP)

    def _on_jumped(self, places: tuple[int, int]) -> None:
        before, after = places
        here = self._places.here
        if here is not None and here.document == self._session.document_id:
            self._places.mark(before)
            self._places.visit(VisitedPlace(here.topic, here.document, after))

    def go(self, step: int) -> None:
        """Go back (-1) or forward (1) among the places one has been at."""
        session, place = self._session, self._places.go(step)
        if place is None or session.topic is None:
            return
        if (place.topic, place.document) != (session.topic.id, session.document_id):
            self._goal = place
            if place.topic != session.topic.id:
                session.open_topic(place.topic, place.document)
            else:
                session.open_document(place.document)
        elif place.offset is not None:
            self._article.reveal(place.offset, align=Align.TOP)
