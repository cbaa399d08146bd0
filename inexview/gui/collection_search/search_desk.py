"""Searches the collection off the window's thread, and opens what is chosen at the place that was found."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event

from PySide6.QtCore import QObject, Signal

from inexview.core.collection.collection import Collection
from inexview.core.progress import Cancelled, Progress, unwatched
from inexview.core.project.judging.standing import standing
from inexview.core.word_index.full_text_search import FoundDocument, SearchResult, search
from inexview.core.word_index.word_index import OutdatedIndexError, WordIndex, word_index
from inexview.core.wording import counted
from inexview.gui.collection_search.result_list import ResultRow
from inexview.gui.collection_search.search_page import SearchPage
from inexview.gui.look.layouts import LatePart
from inexview.gui.services.actions import Room
from inexview.gui.services.messages import Messages, as_sentence, sentence
from inexview.gui.services.session import Session
from inexview.gui.services.tasks import BackgroundTask, LongTask, Tasks

MOST = 50  # documents shown
PAGE = 12  # of them at first: as many as are seen
Titled = Sequence[tuple[FoundDocument, str]]
"""Documents and their titles."""
NO_INDEX = (
    "The words of the collection are not indexed yet. That is done once, in the background; it can be given "
    "up, and goes on where it was stopped."
)


class SearchDesk(QObject):
    """Shows the page while one is there; the index is looked for when one first comes."""

    room = Room.SEARCH
    wanted = Signal(object)  # bool: be on the page, or go back
    place_wanted = Signal(object)  # (document id, (start, end))

    def __init__(self, session: Session, tasks: Tasks, messages: Messages) -> None:
        super().__init__(session)
        self._session = session
        self._tasks = tasks
        self._messages = messages
        self.active = False
        self._index: WordIndex | None = None
        self._indexing: LongTask | None = None
        self._searching: BackgroundTask | None = None
        self._given_up = Event()  # somebody types something else: it need not be searched to its end
        self._page = LatePart(self._make_page)
        self.set_theme = self._page.set_theme

    @property
    def page(self) -> SearchPage:
        return self._page()

    def _make_page(self) -> SearchPage:
        page = SearchPage()
        page.typed.connect(self._search)
        page.chosen.connect(self._open)
        page.index_wanted.connect(self._make_index)
        return page

    def toggle(self) -> None:
        """Ask for the page, or to leave it."""
        self.wanted.emit(not self.active)

    def set_active(self, active: bool) -> None:
        self.active = active
        if not active:
            self.page.opens_best = False
            return
        self.page.field.setFocus()
        self.page.field.selectAll()
        if self._index is None and self._indexing is None:
            collection = self._session.project.collection
            self.page.tell("Looking for the index of words…")
            why: list[str] = []
            self._tasks.run(
                lambda: WordIndex.kept(collection, why.append),
                lambda index: self._use(index, *map(as_sentence, why)),
                self._fail,
            )

    def let_go(self) -> bool:
        """Ask to leave the page; False where one is elsewhere."""
        if self.active:
            self.wanted.emit(False)
            return True
        return False

    # -- the index -----------------------------------------------------------------------------------

    def _use(self, index: WordIndex | None, why: str = NO_INDEX) -> None:
        """Search an index from now on; None: say why there is none."""
        self._index = index
        if index is None:
            self.page.tell(why, lacks_index=True)
            return
        self.page.tell(f"{counted(index.documents, 'document')}.")
        if self.active:
            self.page.field.setFocus()
        if self.page.field.text():
            self._search(self.page.field.text())

    def _make_index(self) -> None:
        if self._indexing is not None:
            return
        collection = self._session.project.collection
        self.page.make_index.setEnabled(False)
        self._indexing = self._tasks.run_long(
            f"Indexing the words of {collection.path.name}",
            lambda progress: word_index(collection, progress),
            self._made,
            self._not_made,
            given_up=lambda: self._not_made(Cancelled()),
        )

    def _made(self, index: WordIndex) -> None:
        self._indexing = None
        self.page.make_index.setEnabled(True)
        self._use(index)

    def _not_made(self, error: Exception) -> None:
        self._indexing = None
        self.page.make_index.setEnabled(True)
        self.page.tell(NO_INDEX, lacks_index=True)
        if not isinstance(error, Cancelled):
            self._messages.error(error)

    # -- searching -----------------------------------------------------------------------------------

    def _search(self, typed: str) -> None:
        index, collection = self._index, self._session.project.collection
        if self._searching is not None:
            self._searching.cancel()
        self._given_up.set()
        given_up = self._given_up = Event()
        if index is None:
            self.page.opens_best = False  # once there is an index, one may be doing something else
            return

        def hear(what: str, done: int, total: int | None) -> None:
            if given_up.is_set():
                raise Cancelled

        if not typed.strip():
            self.page.show_found(())
            self.page.tell(f"{counted(index.documents, 'document')}.")
            return
        self._searching = self._tasks.run(
            lambda: first_page(index, collection, typed, hear),
            lambda found: self._show(*found),
            self._fail,
        )

    def _show(self, result: SearchResult, documents: Titled) -> None:
        self._searching = None
        told = counted(result.found, "document") if result.found else "No document holds all of this"
        if result.found > result.listed:
            told += f", the best {result.listed} are shown"
        if result.unknown:
            told += f" · in no document: {', '.join(result.unknown)}"
        self.page.tell(told)
        self.page.show_found(self._rows(documents))
        if result.listed > PAGE:
            collection = self._session.project.collection
            self._searching = self._tasks.run(
                lambda: titled(collection, result.documents(PAGE)), self._show_more, self._fail
            )

    def _show_more(self, documents: Titled) -> None:
        self._searching = None
        self.page.model.add_rows(self._rows(documents))

    def _rows(self, documents: Titled) -> list[ResultRow]:
        return [ResultRow(one, title, self._stands(one.id)) for one, title in documents]

    def _fail(self, error: Exception) -> None:
        self._searching = None
        self.page.show_found(())
        outdated = isinstance(error, OutdatedIndexError)
        if outdated:
            self._index = None
        self.page.tell(sentence(error), lacks_index=outdated)

    def _stands(self, document: str) -> str:
        """Say how a document is judged for the open topic, or that the pool does not have it."""
        state = self._session.state_of(document)
        if state.untouched and document not in self._session.pool:
            return "outside the pool"
        return standing(state).value

    def _open(self, row: ResultRow) -> None:
        self.wanted.emit(False)
        self.place_wanted.emit((row.found.id, row.found.place))


def first_page(
    index: WordIndex,
    collection: Collection,
    typed: str,
    progress: Progress = unwatched,
) -> tuple[SearchResult, Titled]:
    """Return what was found, and the documents that are seen at first.

    Raises InexviewError for what cannot be searched, Cancelled where it is given up.
    """
    result = search(index, collection, typed, MOST, progress)
    return result, titled(collection, result.documents(0, PAGE))


def titled(collection: Collection, documents: Sequence[FoundDocument]) -> Titled:
    return list(zip(documents, collection.titles([one.id for one in documents]), strict=True))
