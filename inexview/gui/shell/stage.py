"""What fills the window between its bars: the article with its panels, or a page that takes their place."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject

from inexview.core.article.document import Document
from inexview.core.text.text_quotes import Span
from inexview.gui.article.article_view import ArticleView
from inexview.gui.article.finding import Align
from inexview.gui.assess.passages import JudgedSentences
from inexview.gui.commands.reading import LinkCopier
from inexview.gui.look.layouts import LatePart, PageStack, add_page
from inexview.gui.look.theme import LIGHT, Theme
from inexview.gui.services.actions import ActionBook, Room
from inexview.gui.services.messages import Messages
from inexview.gui.services.session import Session
from inexview.gui.services.tasks import Tasks
from inexview.gui.shell.rooms import Rooms

if TYPE_CHECKING:
    from inexview.gui.collection_search import SearchDesk
    from inexview.gui.commands.saving import EvidenceSaver
    from inexview.gui.quality.quality_page import QualityDesk
    from inexview.gui.retrieve import RetrievalDesk

Desk = TypeVar("Desk", "QualityDesk", "SearchDesk")


class Stage(PageStack):
    """The rooms with an article first, then the quality report and the search of the collection."""

    def __init__(
        self,
        rooms: Rooms,
        article: ArticleView,
        session: Session,
        tasks: Tasks,
        messages: Messages,
        book: ActionBook,
    ) -> None:
        super().__init__()
        self._rooms = rooms
        self._article = article
        self._session = session
        self._tasks = tasks
        self._messages = messages
        self._book = book
        self._theme = LIGHT
        self._desks: list[QualityDesk | SearchDesk] = []  # those that were asked for
        self.opener = PlaceOpener(session, article)
        self.sentences = JudgedSentences(session, article, tasks, messages, self.opener.open)
        book.room_changed.connect(lambda: self.sentences.set_active(book.room is Room.ASSESS))
        self.links = LinkCopier(session, article, messages, book)
        self._evidence = LatePart(self._make_evidence)
        rooms.inspect.made.connect(lambda _desk: self.evidence)  # its tables offer to be saved
        self.addWidget(rooms.frame)

    @property
    def evidence(self) -> EvidenceSaver:
        return self._evidence()

    def _make_evidence(self) -> EvidenceSaver:
        from inexview.gui.commands.saving import EvidenceSaver  # with Inspect

        return EvidenceSaver(self.links, self._rooms.inspect(), self._article, self._session, self._messages)

    def save_evidence(self) -> None:
        self.evidence.ask()

    def save_table(self) -> None:
        self.evidence.offer_tables()

    def score_by_second_layer(self) -> None:
        self._rooms.inspect().chart_opener.second.ask()

    @cached_property
    def quality(self) -> QualityDesk:
        from inexview.gui.quality.quality_page import QualityDesk  # here: a cold start need not wait for it

        return self._joined(QualityDesk(self._session, self._tasks, self._book))

    @cached_property
    def search(self) -> SearchDesk:
        from inexview.gui.collection_search import SearchDesk  # here as well

        return self._joined(SearchDesk(self._session, self._tasks, self._messages))

    @cached_property
    def retrieval(self) -> RetrievalDesk:
        from inexview.gui.retrieve import RetrievalDesk  # here as well

        shown = self._session, self._article, self._tasks, self._messages, self.show_document
        return RetrievalDesk(self.window(), *shown)

    def _joined(self, desk: Desk) -> Desk:
        desk.wanted.connect(partial(self._on_wanted, desk))
        desk.place_wanted.connect(lambda place: self.opener.open(*place))
        desk.set_theme(self._theme)
        self._desks.append(desk)
        return desk

    def toggle_quality(self) -> None:
        self.quality.toggle()

    def open_finding(self) -> None:
        self.quality.open()

    def settle_finding(self) -> None:
        self.quality.settle()

    def toggle_search(self) -> None:
        self.search.toggle()

    def let_go(self) -> bool:
        """Go back to the article; False where one is there."""
        return any(desk.let_go() for desk in self._desks)

    def take_keyboard(self) -> None:
        """Give the keyboard to the article, or to the table of topics that takes its place."""
        inspect = self._rooms.inspect
        if inspect.active and inspect().stage.over_topics:
            inspect().stage.take_keyboard()
        else:
            self._article.setFocus()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._evidence.set_theme(theme)
        for desk in self._desks:
            desk.set_theme(theme)

    def show_article(self) -> None:
        """Go back to the article, wherever one is."""
        for desk in self._desks:
            if desk.active:
                desk.set_active(False)
                self.setCurrentIndex(0)
                self._rooms.enter(Room.ASSESS)
                self._article.setFocus()

    def show_document(self) -> None:
        """Show the open document, where a report, a search or all topics are in its place."""
        self.show_article()
        if self._rooms.inspect.active:
            self._rooms.inspect().stage.show_level(over_topics=False)

    def _on_wanted(self, desk: QualityDesk | SearchDesk, shown: bool) -> None:
        self.show_article()
        if shown:
            if self.indexOf(desk.page) < 0:
                add_page(self, desk.page)
            self.setCurrentWidget(desk.page)
            self._rooms.enter(desk.room)
            desk.set_active(True)


class PlaceOpener(QObject):
    """Goes to the place that was asked for last, as soon as its document has been painted."""

    def __init__(self, session: Session, article: ArticleView) -> None:
        super().__init__(article)
        self._session = session
        self._article = article
        self._wanted: tuple[str, Span] | None = None
        article.first_painted.connect(self._on_painted)
        session.document_failed.connect(self._forget)

    def open(self, document: str, span: Span) -> None:
        if document == self._session.document_id and self._session.document is not None:
            self._show(span)
        else:
            self._wanted = (document, span)
            self._session.open_document(document)

    def _on_painted(self, document: Document) -> None:
        if self._wanted is not None and self._wanted[0] == document.id:
            wanted, self._wanted = self._wanted, None
            self._show(wanted[1])

    def _forget(self, _problem: object) -> None:
        self._wanted = None

    def _show(self, span: Span) -> None:
        self._article.place_caret(span[0])
        self._article.reveal(*span, align=Align.CENTER)
