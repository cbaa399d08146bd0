"""The words to look for while reading, from the topic or added by the assessor, and their panel."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QColor,
    QContextMenuEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QLineEdit, QMenu, QPushButton, QWidget

from inexview.core.article.document import Document
from inexview.core.errors import InexviewError
from inexview.core.judgements.topics import query_words, words_left_to_phrases
from inexview.core.text.search import SearchedText, TextQuery, check_query
from inexview.core.text.spans import EMPTY, Offsets, in_text_order
from inexview.gui.article.article_view import Context, Controller
from inexview.gui.article.bars import searched
from inexview.gui.article.text_layers import WordPlaces
from inexview.gui.look.panels import add_choice
from inexview.gui.look.theme import Themed, paint_run_shape
from inexview.gui.look.widgets import (
    Caption,
    Filler,
    FlowLayout,
    KeySign,
    WhenSeen,
    button,
    in_column,
    in_row,
    label,
    set_tip,
    timer,
)
from inexview.gui.services.settings import WORDS
from inexview.gui.services.tasks import BackgroundTask, Slices

MOST = 24  # words at once
AWAY = "TAKEN_AWAY"  # a setting keeps a removed word of the topic as a row of three with this
SELDOM = 5  # phrases with fewer places in a document also have their single words looked for
Places = tuple[Offsets, Offsets]  # starts and ends of a word
_ESCAPED = re.compile(r"\\.")
AFTER_PAINTING = 20  # milliseconds, so that the text is painted before the counts


class WordMatch(Enum):
    """How a word is matched in the text; the value is the label."""

    FORMS = "All forms of it"
    WHOLE = "The whole word"
    ANYWHERE = "Anywhere in words"
    EXPRESSION = "Regular expression"


@dataclass(frozen=True, slots=True)
class ReadingWord:
    """A word to look for."""

    text: str
    match: WordMatch = WordMatch.FORMS
    left: bool = False
    """Whether it is looked for only in documents in which its phrase is rare."""

    def is_in(self, phrase: ReadingWord) -> bool:
        words = phrase.text.casefold().split()
        return len(words) > 1 and self.text.casefold() in words

    @property
    def query(self) -> TextQuery:
        """The query that finds it; case-sensitive if a regular expression has capitals."""
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
    """A word and its number of places in the open document; None if unknown or not to be found."""

    word: ReadingWord
    count: int | None
    problem: str = ""
    awaited: bool = False  # whether it will be counted


class ReadingWords(Controller):
    """Finds the words of the topic in the open document, in a background thread, and colours them."""

    changed = Signal(object)  # tuple[CountedWord, ...]

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.words: tuple[ReadingWord, ...] = ()
        self._left: tuple[ReadingWord, ...] = ()  # words of phrases of the topic, without the removed ones
        self._sought: tuple[ReadingWord, ...] = ()  # the words looked for in the open document
        self._places: tuple[WordPlaces, ...] = ()
        self._looking: BackgroundTask | None = None
        self._first = True  # the first time modules are loaded, which waits until the window is painted
        self._counting = Slices(self, seconds=0, pause=AFTER_PAINTING)
        self._active = True
        self._looked = False  # whether the open document was searched; only while the words are shown
        self._stepped = False  # whether the user has stepped from word to word in this document
        context.session.topic_changed.connect(lambda _topic: self._load())
        for shown in (
            context.session.document_opened,
            context.session.document_awaited,
            context.session.document_failed,
        ):
            shown.connect(lambda _what: self._look())

    # -- the list of words ---------------------------------------------------------------------------

    def add(self, word: ReadingWord) -> bool:
        """Colour another word; show a message and return False if it cannot be coloured."""
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
            self._messages.warn(f"At most {MOST} words can be coloured at once: remove one first.")
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
        self.words = (
            (() if self._session.topic is None else tuple(map(ReadingWord, query_words(self._session.topic))))
            if own is None
            else own
        )
        away = (
            set()
            if topic is None or own is None
            else {row[0] for row in kept[topic.id] if len(row) == 3 and row[1] == AWAY}
        )
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
            path = self._session.project.path
            of_topics = self._settings.get(WORDS).get(str(path), {})
            self._settings.remember(WORDS, path, {**of_topics, topic.id: listed})
        self._look()

    # -- their places --------------------------------------------------------------------------------

    def set_active(self, active: bool) -> None:
        """Colour the words, or leave the text to the marks of a run."""
        self._active = active
        self._article.set_words(self._places if active else ())
        self._article.set_word_ticks(self._places if active else ())
        if active and not self._looked:
            self._look()

    def step(self, step: int, word: ReadingWord | None = None) -> None:
        """Go to the next (1) or previous (-1) place of a word, or of any word, wrapping at the ends."""
        places = [self._places_of(one) for one in ([word] if word is not None else self._sought)]
        starts, ends = in_text_order(places)
        if not len(starts):
            return
        caret = self._article.caret_at_hand()
        at = int(starts.searchsorted(caret, side="right" if step > 0 else "left")) - (step < 0)
        if step > 0 and not self._stepped and int(starts[0]) == caret:
            at = 0  # the caret is there because the document was opened, not because the user moved it
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
        """Show the ticks after the text is painted, and let them be painted before the rest is counted."""
        yield  # the pause may end in the turn of the event loop that paints
        self._article.set_word_ticks(self._places if self._active else ())
        yield

    def _show(self, places: tuple[WordPlaces, ...]) -> None:
        self._places = places
        if self._active:
            self._article.set_words(places)

    def _tell(self) -> None:
        """Show the words without counts, before they are counted or if the document cannot be read."""
        awaited = self._session.failed is None and self._session.document_id is not None
        self.changed.emit(tuple(CountedWord(word, None, awaited=awaited) for word in self.words))


def look_for(
    document: Document, words: Sequence[ReadingWord], left: Sequence[ReadingWord] = ()
) -> dict[ReadingWord, Places | str]:
    """Return starts and ends of each word in a document, or a sentence why it cannot be found.

    Words in ``left`` come last, and only if the document rarely has their phrase.
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


def read_words(kept: object) -> tuple[ReadingWord, ...] | None:
    """Return the words stored in the settings; None if there are none or they are invalid."""
    if not isinstance(kept, list):
        return None
    pairs = [pair for pair in kept if isinstance(pair, list) and len(pair) == 2]
    return tuple(
        ReadingWord(str(text), WordMatch[match]) for text, match in pairs if match in WordMatch.__members__
    )


# The words as chips with colour, shape and number of places.

CHIP_HEIGHT, AROUND, LONGEST, GAP = 24, 10, 150, 5  # pixels
ROWS = 2  # visible lines of chips; a menu has the other words
AT_ONCE = 3  # chips made per turn of the event loop, because each has to be styled
TAKE_AWAY = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)
SLASHED = "/"  # encloses a regular expression


def shown_word(counted: CountedWord) -> str:
    mark = SLASHED if counted.word.match is WordMatch.EXPRESSION else ""
    return f"{mark}{counted.word.text}{mark}"


def shown_count(counted: CountedWord) -> str:
    """Return the number of places as the chip shows it."""
    if counted.problem:
        return "!"
    return f"{counted.count:,}" if counted.count is not None else "…" if counted.awaited else ""


def count_in_words(counted: CountedWord) -> str:
    count = shown_count(counted)
    found = f"{shown_word(counted)}, {count} in this document" if count else shown_word(counted)
    return counted.problem or found


class WordChip(Themed, QPushButton):
    """A word; a click goes to its next place, Del removes it, a menu changes how it is matched."""

    removed = Signal(object)  # ReadingWord
    changed = Signal(object)  # (ReadingWord, WordMatch)

    def __init__(self, counted: CountedWord, style: int) -> None:
        super().__init__()
        self._style = style
        self.tell(counted)

    def tell(self, counted: CountedWord) -> None:
        """Show another word and its count; a new chip would have to be styled, which is slow."""
        self.word = counted.word
        self._count = shown_count(counted)
        room = LONGEST - 3 * AROUND - self.fontMetrics().horizontalAdvance(self._count)
        whole = shown_word(counted)
        self._text = self.fontMetrics().elidedText(whole, Qt.TextElideMode.ElideRight, room)
        way = f"{counted.word.match.value}; right click to change it"
        left = "\nShown because its phrase is rare in this document" if counted.word.left else ""
        set_tip(self, counted.problem or f"{whole}\n{way}{left}")
        self.setAccessibleName(count_in_words(counted))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance(self._text + self._count)
        return QSize(width + 3 * AROUND + 8, CHIP_HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, color = self.theme, QColor(self.theme.words[self._style % len(self.theme.words)])
        pen = QPen(theme.color("accent"), 2) if self.hasFocus() else QPen(Qt.PenStyle.NoPen)
        painter.setPen(pen)
        painter.setBrush(theme.color("line" if self.underMouse() else "track"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 11, 11)
        middle = self.height() / 2
        paint_run_shape(painter, self._style, QRectF(AROUND, middle - 3, 6, 6), color)
        painter.setPen(color)
        left = AROUND + 11
        baseline = middle + self.fontMetrics().ascent() / 2 - 2
        painter.drawText(QPointF(left, baseline), self._text)
        dots = QPen(color, 1.3, Qt.PenStyle.CustomDashLine, Qt.PenCapStyle.FlatCap)
        dots.setDashPattern([1, 1.1])
        painter.setPen(dots)
        right = left + self.fontMetrics().horizontalAdvance(self._text)
        painter.drawLine(QPointF(left, baseline + 3), QPointF(right, baseline + 3))
        painter.setPen(theme.color("muted"))
        painter.drawText(QPointF(right + 5, baseline), self._count)

    def event(self, event: QEvent) -> bool:
        """Keep Del from the window, where it erases passages."""
        if (
            event.type() is QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() in TAKE_AWAY
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in TAKE_AWAY:
            self.removed.emit(self.word)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Show the menu that changes how the word is matched or removes it."""
        menu = self.menu_of_ways()
        menu.exec(event.globalPos())
        menu.deleteLater()

    def menu_of_ways(self) -> QMenu:
        menu = QMenu(self)
        for match in WordMatch:
            change = partial(self.changed.emit, (self.word, match))
            add_choice(menu, match.value, change, on=match is self.word.match)
        menu.addSeparator()
        menu.addAction("Remove this word").triggered.connect(lambda: self.removed.emit(self.word))
        return menu


class WordPanel(QWidget):
    """The chips, and a field that adds a word."""

    chosen = Signal(object)  # ReadingWord: go to its next place
    added = Signal(object)  # ReadingWord
    removed = Signal(object)  # ReadingWord
    changed = Signal(object)  # (ReadingWord, WordMatch)

    def __init__(self, following: QAction) -> None:
        super().__init__()
        self.setAccessibleName("Coloured words")
        self._words: tuple[CountedWord, ...] = ()
        self._seen = WhenSeen(self, self._show)
        self._fit_soon = timer(self, self._fit, 0)
        self._rows = ROWS
        self._inside = QWidget()
        self._chips = FlowLayout(GAP, self._inside)
        self.further = button("", "chip")
        self.further.setParent(self._inside)
        self.further.clicked.connect(self._show_further)
        self.field = QLineEdit(placeholderText="Word, begin*, or /expression/")
        self.field.setAccessibleName("Word to look for")
        self.field.setFixedHeight(CHIP_HEIGHT + GAP)
        self.field.returnPressed.connect(self._add)
        self.field.installEventFilter(self)
        self.field.hide()
        self.add = button("+ add", "link")
        self.add.setAccessibleName("Colour another word")
        self.add.clicked.connect(self.begin)
        head = in_row(Caption("Words"), Filler(1), self.add, label("next", "note"), KeySign(following))
        self._place = QWidget()  # of the same height for chips and for the field
        self._place.setMinimumWidth(0)
        in_column((self._inside, 1), self.field, on=self._place, margins=0, spacing=0)
        in_column(head, self._place, on=self, margins=0, spacing=4)
        self.set_rows(ROWS)

    def set_rows(self, rows: int) -> None:
        """Set the number of lines for chips, however many there are."""
        self._rows = rows
        self._place.setFixedHeight(rows * (CHIP_HEIGHT + GAP))
        self._fit()

    def show_words(self, words: tuple[CountedWord, ...]) -> None:
        self._words = words
        self._seen.refresh()

    def _show(self) -> None:
        words, chips = self._words, self.chips()
        for chip, counted in zip(chips, words, strict=False):
            chip.tell(counted)
        for gone in chips[len(words) :]:
            self._chips.removeWidget(gone)
            gone.hide()
            gone.deleteLater()
        self._fit()

    def chips(self) -> list[WordChip]:
        items = (self._chips.itemAt(at) for at in range(self._chips.count()))
        return [chip for item in items if item is not None and isinstance(chip := item.widget(), WordChip)]

    def begin(self) -> None:
        """Show the field in place of the last line of chips, so that nothing else moves."""
        self.field.show()
        self._fit()
        self.field.setFocus()

    def dismiss(self) -> bool:
        asked = self.field.isVisible()
        self.field.clear()
        self.field.hide()
        self._fit()
        return asked

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Show as many chips as fit; the last one opens a menu of the others."""
        chips, rows = self.chips(), self._rows - (not self.field.isHidden())
        self._inside.setVisible(rows > 0)
        widths = [chip.sizeHint().width() for chip in chips]
        most = len(chips) + AT_ONCE
        while len(chips) < len(self._words) and self._lines(widths, 0) <= rows:
            if len(chips) == most:
                self._fit_soon.start()
                break
            chips.append(self._make(len(chips)))
            widths.append(chips[-1].sizeHint().width())
        shown = len(chips)
        while shown and self._lines(widths[:shown], len(self._words) - shown) > rows:
            shown -= 1
        for at, chip in enumerate(chips):
            chip.setVisible(at < shown)
        self.further.setVisible(shown < len(self._words))
        self._chips.invalidate()

    def _make(self, at: int) -> WordChip:
        """Make the chip of a word, behind the other words and before the chip of the menu."""
        chip = WordChip(self._words[at], at)
        chip.clicked.connect(lambda: self.chosen.emit(chip.word))
        chip.removed.connect(self.removed)
        chip.changed.connect(self.changed)
        self._chips.removeWidget(self.further)
        self._chips.addWidget(chip)
        self._chips.addWidget(self.further)
        QWidget.setTabOrder(self.chips()[-2] if at else self.add, chip)
        QWidget.setTabOrder(chip, self.further)
        return chip

    def _lines(self, widths: Sequence[int], further: int) -> int:
        """Return the number of lines for chips of these widths and the chip of the menu."""
        self.further.setText(f"{further} more ▾")
        lines, left = 1, self.width()
        for width in [*widths, self.further.sizeHint().width()] if further else widths:
            if width > left and left < self.width():
                lines, left = lines + 1, self.width()
            left -= width + GAP
        return lines

    def _show_further(self) -> None:
        menu = QMenu(self)
        away = QMenu("Take away", menu)
        shown = sum(not chip.isHidden() for chip in self.chips())
        for counted in self._words[shown:]:
            action = menu.addAction(count_in_words(counted))
            action.triggered.connect(partial(self._choose, counted.word))
            away.addAction(counted.word.text).triggered.connect(
                partial(lambda word, _checked=False: self.removed.emit(word), counted.word)
            )
        menu.addSeparator()
        menu.addMenu(away)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.further.mapToGlobal(QPoint(0, self.further.height())))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Close the field when it loses the focus, or with Esc."""
        if watched is self.field and event.type() is QEvent.Type.FocusOut:
            self.dismiss()
        return super().eventFilter(watched, event)

    def _choose(self, word: ReadingWord, _checked: bool = False) -> None:
        self.chosen.emit(word)

    def _add(self) -> None:
        text = self.field.text().strip()
        if len(text) > 2 and text.startswith(SLASHED) and text.endswith(SLASHED):
            word = ReadingWord(text[1:-1], WordMatch.EXPRESSION)
        else:
            word = ReadingWord(text)
        self.added.emit(word)
