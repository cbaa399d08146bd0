"""Sentences of the open document that were judged elsewhere in the topic: a tick in the margin, a way there.

Documents are read and split off the window's thread; like sentences are looked up a slice at a time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence

from PySide6.QtCore import QObject

from inexview.core.article.document import Document
from inexview.core.collection.collection import Collection
from inexview.core.errors import InexviewError
from inexview.core.project.judging.repeated_sentences import is_marked
from inexview.core.project.judging.sentence_index import (
    ComparedSentence,
    LikeSentence,
    SentenceIndex,
    compared_sentences,
)
from inexview.core.text.text_quotes import Span
from inexview.core.wording import counted
from inexview.gui.article.article_view import ArticleView
from inexview.gui.article.margin_signs import Tick
from inexview.gui.look.symbols import RelevanceState
from inexview.gui.services.catalogue import CatalogueEntry
from inexview.gui.services.messages import Messages
from inexview.gui.services.session import Session
from inexview.gui.services.session_events import OpenDocument, StateChanged
from inexview.gui.services.slices import Slices
from inexview.gui.services.tasks import BackgroundTask, Tasks

TOGETHER = 4  # documents read in one task: others' work comes between
SHORT = 0.003  # seconds: it is not waited for, and the same turn may paint
AT_ONCE = 50  # sentences taken in before the window may have its turn
Split = list[tuple[str, list[ComparedSentence]]]


class JudgedSentences(QObject):
    """Keeps the ticks of the open document true, and goes where a sentence was judged."""

    def __init__(
        self,
        session: Session,
        article: ArticleView,
        tasks: Tasks,
        messages: Messages,
        go: Callable[[str, Span], None],
    ) -> None:
        """``go`` opens a document at a place."""
        super().__init__(article)
        self._session = session
        self._article = article
        self._tasks = tasks
        self._messages = messages
        self._go = go
        self._index = SentenceIndex()
        self._known: set[str] = set()  # the documents that are in it, or wait to be
        self._waiting: deque[tuple[str, list[ComparedSentence]]] = deque()
        self._here: tuple[str, list[ComparedSentence]] | None = None  # the open document, and its sentences
        self._like: list[tuple[ComparedSentence, list[LikeSentence]]] = []
        self._untitled: set[str] = set()  # documents that ticks name by their ids
        self._reading: BackgroundTask | None = None
        self._splitting: BackgroundTask | None = None
        self._active = True
        self._looking = Slices(self, seconds=SHORT)
        self._telling = Slices(self, seconds=SHORT)
        session.topic_changed.connect(lambda _topic: self._forget())
        session.topic_read.connect(self._read_soon)
        session.document_opened.connect(self._on_opened)
        session.state_changed.connect(self._on_judged)
        session.catalogue.learned.connect(self._on_learned)
        for end in (self._stop_reading, self._show_none):
            session.saving.closing.connect(end)
        article.first_painted.connect(self._on_painted)
        article.margin.tick_chosen.connect(lambda tick: self._follow(tick.span))
        article.margin.unroomed.connect(article.strip.show_readout)

    def set_active(self, active: bool) -> None:
        """Read and show what is needed for ticks, or leave text and processor to what a run did."""
        if active is self._active:
            return
        self._active = active
        if not active:
            self._stop_reading()
            self._show_none()
        elif self._session.topic is not None:
            self._read_soon()
            if (document := self._session.document) is not None:
                self._split(document)

    # -- reading -------------------------------------------------------------------------------------

    def _stop_reading(self) -> None:
        for task in (self._reading, self._splitting):
            if task is not None:
                task.cancel()
        self._tasks.settling.forget(self._read_judged)

    def _forget(self) -> None:
        self._stop_reading()
        self._index = SentenceIndex()
        self._known.clear()
        self._waiting.clear()
        self._show_none()

    def _read_soon(self) -> None:
        self._tasks.settling.wait(self._read_judged)  # once the topic is painted

    def _read_judged(self) -> None:
        """Take in the documents of the topic that are judged already, a few at a time."""
        session = self._session
        if session.topic is None or not session.preparation.ready or not self._active:
            return
        touched = session.project.touched(session.topic.id)
        self._read([name for name in touched if name not in self._known and _is_judged(session, name)])

    def _read(self, names: Sequence[str]) -> None:
        if self._reading is not None:
            self._reading.cancel()
        collection, some = self._session.project.collection, names[:TOGETHER]
        if some:
            self._reading = self._tasks.run(
                lambda: split(collection, some), lambda read: self._take(read, names), urgent=False
            )

    def _take(self, read: Split, names: Sequence[str]) -> None:
        self._reading = None
        for name, compared in read:
            self._put(name, compared)
        rest = names[TOGETHER:]
        self._read(rest)
        if not rest:
            self._look()

    def _on_opened(self, _opened: OpenDocument) -> None:
        self._show_none()
        if self._splitting is not None:
            self._splitting.cancel()

    def _on_painted(self, document: Document) -> None:
        """Split what is seen now; before, that would take time from its painting."""
        if self._active and self._session.document is document and self._here is None:
            self._split(document)

    def _split(self, document: Document) -> None:
        self._splitting = self._tasks.run(
            lambda: compared_sentences(document),
            lambda compared: self._take_open(document, compared),
            urgent=False,
            when_settled=True,
        )

    def _take_open(self, document: Document, compared: list[ComparedSentence]) -> None:
        self._splitting = None
        self._here = document.id, compared
        self._put(document.id, compared)
        self._look()

    def _put(self, name: str, compared: list[ComparedSentence]) -> None:
        if name not in self._known:
            self._known.add(name)
            self._waiting += [(name, compared[at : at + AT_ONCE]) for at in range(0, len(compared), AT_ONCE)]

    # -- what is like it -----------------------------------------------------------------------------

    def _look(self) -> None:
        if self._here is not None:
            self._looking.start(self._like_here(*self._here), self._take_like)

    def _like_here(
        self, document: str, compared: Sequence[ComparedSentence]
    ) -> Generator[None, None, list[tuple[ComparedSentence, list[LikeSentence]]]]:
        """Return the sentences of a document that have like ones elsewhere, after all were taken in."""
        while self._waiting:
            self._index.put(*self._waiting.popleft())
            yield
        found = []
        for sentence in compared:
            if like := self._index.like(sentence, document):
                found.append((sentence, like))
            yield
        return found

    def _take_like(self, like: list[tuple[ComparedSentence, list[LikeSentence]]]) -> None:
        self._like = like
        self._show()

    def _on_judged(self, change: StateChanged) -> None:
        if change.documents != (self._session.document_id,):
            self._show()

    def _on_learned(self, about: Mapping[str, CatalogueEntry]) -> None:
        if not self._untitled.isdisjoint(about):
            self._show()

    def _show_none(self) -> None:
        self._looking.stop()
        self._telling.stop()
        self._here, self._like = None, []
        self._untitled.clear()
        self._article.margin.set_ticks(())

    def _show(self) -> None:
        self._telling.start(self._ticks(), self._article.margin.set_ticks)

    def _ticks(self) -> Generator[None, None, list[Tick]]:
        """Return the ticks, a step for each sentence: it may be in hundreds of documents."""
        ticks = []
        self._untitled.clear()
        for sentence, like in self._like:
            judged = [(one, state) for one in like if (state := self._judged(one)) is not None]
            if judged:
                ticks.append(self._tick(sentence, judged))
            yield
        self._session.catalogue.want_first(self._untitled)
        return ticks

    def _judged(self, like: LikeSentence) -> RelevanceState | None:
        """Return how a sentence is judged in another document, None where it is not."""
        state = self._session.state_of(like.document)
        if is_marked(state.edges, like.start, like.end):
            return RelevanceState.RELEVANT
        return RelevanceState.NOT_RELEVANT if state.finished else None

    def _tick(
        self, sentence: ComparedSentence, judged: Sequence[tuple[LikeSentence, RelevanceState]]
    ) -> Tick:
        told, catalogue = [], self._session.catalogue
        for state in (RelevanceState.RELEVANT, RelevanceState.NOT_RELEVANT):
            names = list(dict.fromkeys(like.document for like, one in judged if one is state))
            if len(names) == 1:
                told.append(f"{state.value} in {catalogue.about(names[0]).title}")
                if catalogue.unknown(names):
                    self._untitled.update(names)
            elif names:
                told.append(f"{state.value} in {counted(len(names), 'document')}")
        same = all(like.same for like, _ in judged)
        states = tuple(dict.fromkeys(state for _, state in judged))
        said = f"{'' if same else 'nearly the same: '}judged {', '.join(told)}"
        return Tick((sentence.start, sentence.end), same, states, said)

    # -- going there ---------------------------------------------------------------------------------

    def follow_caret(self) -> None:
        """Go to where the sentence at the caret was judged, too."""
        tick = self._article.margin.tick_at_caret()
        if tick is None:
            self._messages.info(
                "The sentence at the caret was not judged elsewhere in this topic.",
                self._session.while_here(),
            )
        else:
            self._follow(tick.span)

    def _follow(self, span: Span) -> None:
        """Go to the sentence in the next document of the pool that has it, and round."""
        like = next((like for one, like in self._like if (one.start, one.end) == span), [])
        judged = [one for one in like if self._judged(one) is not None]
        if judged:
            row = self._session.pool.row
            here = row(self._session.document_id)
            target = min(judged, key=lambda one: (row(one.document) < here, row(one.document), one.start))
            self._go(target.document, (target.start, target.end))


def split(collection: Collection, names: Sequence[str]) -> Split:
    """Return the sentences of documents; those that cannot be read are passed over."""
    read: Split = []
    for name in names:
        try:
            read.append((name, compared_sentences(collection.load(name))))
        except InexviewError:
            continue
    return read


def _is_judged(session: Session, name: str) -> bool:
    state = session.state_of(name)
    return state.finished or state.relevant
