"""The words that one looks for while reading: those of the topic and one's own, kept with each topic."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from PySide6.QtCore import QObject, Signal

from inexview.core.article.document import Document
from inexview.core.errors import InexviewError
from inexview.core.judgements.topics import query_words, words_left_to_phrases
from inexview.core.text.spans import EMPTY, Offsets
from inexview.core.text.text_search import SearchedText, TextQuery, check_query
from inexview.gui.article.article_view import ArticleView
from inexview.gui.article.finding import searched
from inexview.gui.article.text_layers import WordPlaces
from inexview.gui.services.messages import Messages
from inexview.gui.services.session import Session
from inexview.gui.services.settings import WORDS, Settings
from inexview.gui.services.slices import Slices
from inexview.gui.services.tasks import BackgroundTask, Tasks

MOST = 24  # words at once
AWAY = "TAKEN_AWAY"  # what the settings keep of a word of a phrase that is not wanted, in a row of three
SELDOM = 5  # places of a phrase in a document: where it has fewer, its words are looked for as well
Places = tuple[Offsets, Offsets]  # where a word begins, and where it ends
_ESCAPED = re.compile(r"\\.")
AFTER_PAINTING = 20  # milliseconds: the text is painted in one turn, and the counts in another


class WordMatch(Enum):
    """What of the text a word is found in; the value is what a person reads."""

    FORMS = "All forms of it"
    WHOLE = "The whole word"
    ANYWHERE = "Anywhere in words"
    EXPRESSION = "Regular expression"


@dataclass(frozen=True, slots=True)
class ReadingWord:
    """A word that one looks for."""

    text: str
    match: WordMatch = WordMatch.FORMS
    left: bool = False
    """Whether it is left to its phrase: looked for only in a document that has the phrase seldom."""

    def is_in(self, phrase: ReadingWord) -> bool:
        """Tell whether it is a word of a phrase that is looked for."""
        words = phrase.text.casefold().split()
        return len(words) > 1 and self.text.casefold() in words

    @property
    def query(self) -> TextQuery:
        """How it is found; capitals matter in an expression that has some."""
        match = self.match
        capitals = any(map(str.isupper, _ESCAPED.sub("", self.text)))
        return TextQuery(
            self.text,
            case=capitals and match is WordMatch.EXPRESSION,
            whole=match is WordMatch.WHOLE,
            stem=match is WordMatch.FORMS,
            expression=match is WordMatch.EXPRESSION,
        )


@dataclass(frozen=True, slots=True)
class CountedWord:
    """A word and how often it is in the open document; None: not known, or it cannot be found."""

    word: ReadingWord
    count: int | None
    problem: str = ""
    awaited: bool = False  # whether it is going to be counted


class ReadingWords(QObject):
    """Finds the words of the topic in the open document, off the window's thread, and colours them."""

    changed = Signal(object)  # tuple[CountedWord, ...]

    def __init__(
        self, article: ArticleView, session: Session, tasks: Tasks, settings: Settings, messages: Messages
    ) -> None:
        super().__init__(article)
        self._article = article
        self._session = session
        self._tasks = tasks
        self._settings = settings
        self._messages = messages
        self.words: tuple[ReadingWord, ...] = ()
        self._left: tuple[ReadingWord, ...] = ()  # to phrases of the topic, those that were taken away not
        self._sought: tuple[ReadingWord, ...] = ()  # in the open document
        self._places: tuple[WordPlaces, ...] = ()
        self._looking: BackgroundTask | None = None
        self._first = True  # modules are loaded then, and it waits until the window is painted
        self._counting = Slices(self, seconds=0, pause=AFTER_PAINTING)
        self._active = True
        self._looked = False  # for those that are shown; while they are not, no one does
        self._stepped = False  # whether one went from word to word in this document
        session.topic_changed.connect(lambda _topic: self._load())
        for shown in (session.document_opened, session.document_awaited, session.document_failed):
            shown.connect(lambda _what: self._look())

    # -- which words ---------------------------------------------------------------------------------

    def add(self, word: ReadingWord) -> bool:
        """Look for one more word; False where that cannot be, which is said."""
        word = ReadingWord(" ".join(word.text.split()), word.match)
        if word in self.words:
            return True
        if not word.text:
            return False
        try:
            check_query(word.query)
        except InexviewError as error:
            self._messages.error(error)
            return False
        if len(self.words) >= MOST:
            self._messages.warn(f"At most {MOST} words can be looked for at once: take one away first.")
            return False
        self._use((*self.words, word))
        return True

    def remove(self, word: ReadingWord) -> None:
        self._left = tuple(kept for kept in self._left if kept != word)
        self._use(tuple(kept for kept in self.words if kept != word))

    def change(self, word: ReadingWord, match: WordMatch) -> None:
        changed = ReadingWord(word.text, match)
        try:
            check_query(changed.query)
        except InexviewError as error:
            self._messages.error(error)
            return
        words = (*self.words, word) if word.left else self.words
        self._use(tuple(dict.fromkeys(changed if kept == word else kept for kept in words)))

    def _load(self) -> None:
        project, topic = self._session.project, self._session.topic
        kept = {} if topic is None else self._settings.get(WORDS).get(str(project.path), {})
        own = None if topic is None else read_words(kept.get(topic.id))
        self.words = topic_words(self._session) if own is None else own
        away = set() if topic is None or own is None else taken_away(kept[topic.id])
        left = () if topic is None else words_left_to_phrases(topic)
        self._left = tuple(ReadingWord(word, left=True) for word in left if word not in away)
        self._tell()

    def _use(self, words: tuple[ReadingWord, ...]) -> None:
        self.words = words
        topic = self._session.topic
        if topic is not None:
            listed = [[word.text, word.match.name] for word in words]
            kept = {word.text for word in self._left}
            listed += [[word, AWAY, ""] for word in words_left_to_phrases(topic) if word not in kept]
            self._settings.remember_words(self._session.project.path, topic.id, listed)
        self._look()

    # -- where they are ------------------------------------------------------------------------------

    def set_active(self, active: bool) -> None:
        """Colour them, or leave the text to what a run did."""
        self._active = active
        self._article.set_words(self._places if active else ())
        self._article.set_word_ticks(self._places if active else ())
        if active and not self._looked:
            self._look()

    def step(self, step: int, word: ReadingWord | None = None) -> None:
        """Go to the next place (1) or the one before (-1) of a word, or of any of them, and round."""
        places = [self._places_of(one) for one in ([word] if word is not None else self._sought)]
        starts = np.concatenate([EMPTY.starts, *(place[0] for place in places)])
        if not len(starts):
            return
        ends = np.concatenate([EMPTY.ends, *(place[1] for place in places)])
        order = np.argsort(starts, kind="stable")
        starts, ends = starts[order], ends[order]
        caret = self._article.caret_at_hand()
        at = int(starts.searchsorted(caret, side="right" if step > 0 else "left")) - (step < 0)
        if step > 0 and not self._stepped and int(starts[0]) == caret:
            at = 0  # the caret is there because the document was opened, not because one went there
        self._stepped = True
        if not 0 <= at < len(starts):
            at %= len(starts)
            self._messages.add(f"From the {'beginning' if step > 0 else 'end'} again.")
        self._article.place_caret(int(starts[at]))
        self._article.reveal(int(starts[at]), int(ends[at]))

    def _places_of(self, word: ReadingWord) -> tuple[Offsets, Offsets]:
        at = self._sought.index(word) if word in self._sought else -1
        found = next((places for places in self._places if places.style == at), None)
        return (EMPTY.starts, EMPTY.ends) if found is None else (found.starts, found.ends)

    def _look(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
        self._counting.stop()
        document, words, left = self._session.document, self.words, self._left
        self._stepped = False
        self._show(())
        self._article.set_word_ticks(())
        self._looked = self._active
        if document is None or not words or not self._active:
            self._tell()
            return
        self._looking = self._tasks.run(
            lambda: look_for(document, words, left),
            self._take,
            when_settled=self._first,
        )
        self._first = False

    def _take(self, found: Mapping[ReadingWord, Places | str]) -> None:
        self._looking = None
        self._sought = tuple(found)
        self._show(
            tuple(
                WordPlaces(at, *places)
                for at, places in enumerate(found.values())
                if not isinstance(places, str)
            )
        )
        counted = tuple(
            CountedWord(word, None, places) if isinstance(places, str) else CountedWord(word, len(places[0]))
            for word, places in found.items()
        )
        self._counting.start(self._show_ticks(), lambda _done: self.changed.emit(counted))

    def _show_ticks(self) -> Iterator[None]:
        """Show the ticks once the text is painted, and let them be painted before all is counted."""
        yield  # the pause may be over in the very turn that paints
        self._article.set_word_ticks(self._places if self._active else ())
        yield

    def _show(self, places: tuple[WordPlaces, ...]) -> None:
        self._places = places
        if self._active:
            self._article.set_words(places)

    def _tell(self) -> None:
        """Show the words, which no one has counted yet, nor can where the document cannot be read."""
        awaited = self._session.failed is None and self._session.document_id is not None
        self.changed.emit(tuple(CountedWord(word, None, awaited=awaited) for word in self.words))


def look_for(
    document: Document, words: Sequence[ReadingWord], left: Sequence[ReadingWord] = ()
) -> dict[ReadingWord, Places | str]:
    """Return starts and ends of each word in a document, or in a sentence why it cannot be found.

    Words that are ``left`` to a phrase come last, and only where the document has the phrase seldom.
    """
    text = searched(document)
    found = {word: _places(text, word) for word in words}
    often = {word: len(places[0]) for word, places in found.items() if not isinstance(places, str)}
    asked = {word.text.casefold() for word in words}
    for word in left:
        counts = [count for phrase, count in often.items() if word.is_in(phrase)]
        if counts and sum(counts) < SELDOM and word.text.casefold() not in asked:
            found[word] = _places(text, word)
    return found


def _places(text: SearchedText, word: ReadingWord) -> Places | str:
    try:
        return text.find(word.query)
    except InexviewError as error:
        return str(error)


def topic_words(session: Session) -> tuple[ReadingWord, ...]:
    return () if session.topic is None else tuple(map(ReadingWord, query_words(session.topic)))


def read_words(kept: object) -> tuple[ReadingWord, ...] | None:
    """Return words as the settings keep them; None where there are none, or no one can read them."""
    if not isinstance(kept, list):
        return None
    pairs = [pair for pair in kept if isinstance(pair, list) and len(pair) == 2]
    return tuple(
        ReadingWord(str(text), WordMatch[match]) for text, match in pairs if match in WordMatch.__members__
    )


def taken_away(kept: Sequence[Sequence[str]]) -> set[str]:
    """Return the words of phrases that the settings keep as not wanted."""
    return {row[0] for row in kept if len(row) == 3 and row[1] == AWAY}
