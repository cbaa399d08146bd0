"""The panels beside the article, as wide as the user left them, and the palette over all.

In a narrow window the list of documents gives way to the text: only its edge is seen, and one panel at a time
is open, the list for as long as it has the keyboard.  Where no text is shown, both panels stay.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QRect, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QAction, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from inexview.core.judgements.topics import Topic
from inexview.core.project.document_list import PoolProgress, topics_by_work
from inexview.core.text.counting import CONVENTIONS, Convention
from inexview.core.wording import PERCENT, counted
from inexview.gui.article.overlays import Tool
from inexview.gui.article.pen import PenState
from inexview.gui.commands.help import SIGNS, words_of
from inexview.gui.look.panels import Popup, PopupEntry
from inexview.gui.look.theme import set_look
from inexview.gui.look.widgets import (
    ARROWS,
    RIGHT,
    Caption,
    ElidedLabel,
    Filler,
    KeySign,
    PageStack,
    add_page,
    button,
    derived,
    explain,
    in_column,
    in_row,
    key_text,
    label,
    set_tip,
    with_key,
)
from inexview.gui.services.actions import DRAWING, GO, JUDGE, SETTING, ActionBook, Room
from inexview.gui.services.document_record import OpenDocument, SaveState, SaveWatch
from inexview.gui.services.session import Session
from inexview.gui.services.settings import PANELS, Settings
from inexview.gui.shell.top_bar import ToolStrip

_FONT = 12  # pixels


class ListEdge(QAbstractButton):
    """Says from below to above what is behind it, and its key."""

    WIDTH = 26  # pixels

    def __init__(self) -> None:
        super().__init__()
        self.setText("Documents")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        font = self.font()
        font.setPixelSize(_FONT)
        self.setFont(font)
        self._key = ""

    def bind(self, action: QAction) -> None:
        """Do what an action does, and show its key, whatever it is now."""
        self.clicked.connect(action.trigger)
        explain(self, action)
        action.changed.connect(lambda: self._name(action))
        self._name(action)

    def _name(self, action: QAction) -> None:
        self._key = key_text(action)
        self.setAccessibleName(with_key(self.text(), self._key))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self.WIDTH, 120)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, palette = QPainter(self), self.palette()
        if self.hasFocus() or self.underMouse():
            painter.fillRect(self.rect(), palette.color(QPalette.ColorRole.AlternateBase))
        if self.hasFocus():
            painter.setPen(palette.color(QPalette.ColorRole.Highlight))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.translate(0, self.height())
        painter.rotate(-90)
        room = QRect(0, 0, self.height() - 14, self.width())
        painter.setPen(palette.color(QPalette.ColorRole.PlaceholderText))
        words = f"{self._key}   {self.text()}" if self._key else self.text()
        painter.drawText(room, int(RIGHT), words)


STANDARD = {
    "assess": [292, 820, 328],
    "inspect": [372, 758, 310],
    "adjudicate": [318, 786, 336],
    "answer": [384, 726, 330],
    "judges": [286, 812, 342],
}
GROWING, LARGEST = ("inspect",), 1.5
"""The modes whose panels are as much wider as the window is than the standard's, up to so much."""
MOST = 0.3  # of the window, for one panel: the article keeps at least as much as both
LEAST = (230, 250)  # pixels, left and right
LEAST_FIGURES = (280, 250)  # in Adjudicate, for the figures of agreement side by side
ARTICLE = 480  # pixels that the text has before panels are wider than that, where no one chose so
ALONE = 1250  # pixels of window, below which a page in place of the article has no panel on the right
NARROW = 880  # pixels of window, below which the list gives way


class Panels(QSplitter):
    """Left panel, article, right panel; each mode of the window has its own pages and its own widths."""

    def __init__(self, article: QWidget, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._mode = next(iter(STANDARD))
        self._left, self._right = PageStack(), PageStack()
        self.edge = ListEdge()
        self._left.addWidget(self.edge)
        self._list: QWidget = self.edge  # of the mode
        self._listing = False  # in a narrow window the list is open, and not the panel on the right
        self._beside = True  # there is anything beside the article
        self._text = True  # the article is in the middle, and no table
        self._alone = False  # a page is in the middle that gives way to no panel on the right
        self._needed: list[object] = []  # the room of each part when they were laid out last
        self._parts = (self._left, article, self._right)
        for part in self._parts:
            self.addWidget(part)
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        self.setStretchFactor(1, 1)
        self._right.setMinimumWidth(LEAST[1])
        self.splitterMoved.connect(self._keep)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._follow_keyboard)

    @property
    def right(self) -> QWidget:
        return self._right

    def hold_left(self, page: QWidget) -> None:
        """Take a page in, where it is not here already; Tab comes to it as it is seen."""
        if self._left.indexOf(page) < 0:
            add_page(self._left, page)

    def hold_right(self, page: QWidget) -> None:
        if self._right.indexOf(page) < 0:
            add_page(self._right, page)

    def show_mode(self, mode: str, left: QWidget, right: QWidget) -> None:
        self._mode, self._list, self._listing = mode, left, False
        self.hold_left(left)
        self.hold_right(right)
        self._right.setCurrentWidget(right)
        self._fit()

    def show_sides(self, shown: bool) -> None:
        self._beside = shown
        self._fit()

    def show_text(self, shown: bool) -> None:
        """Note whether the article is in the middle: to a table the list does not give way."""
        if shown != self._text:
            self._text = shown
            self._follow_width()

    def set_alone(self, alone: bool) -> None:
        """Note whether a page is in the middle beside which the right panel is only where there is room."""
        if alone != self._alone:
            self._alone = alone
            self._follow_width()

    def open_list(self) -> None:
        self._listing = True
        self._fit()

    def event(self, event: QEvent) -> bool:
        """Lay the parts out again only where one needs other room.

        Each text that changes in a panel asks for it, and the whole window would be laid out for a figure.
        """
        if event.type() is QEvent.Type.LayoutRequest:
            before, self._needed = (
                self._needed,
                [
                    (part.isHidden(), part.minimumSizeHint(), part.minimumSize(), part.maximumSize())
                    for part in self._parts
                ],
            )
            if self._needed == before:
                return True
        return super().event(event)

    @property
    def _narrow(self) -> bool:
        return self.width() < NARROW and self._text

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give way to the article in a narrow window, and take the room back in a wide one."""
        super().resizeEvent(event)
        self._follow_width()

    def _follow_width(self) -> None:
        """Let the list give way where it has to, but not while it has the keyboard."""
        keyboard = QApplication.focusWidget()
        self._listing = self._listing or (keyboard is not None and self._list.isAncestorOf(keyboard))
        self._fit()

    def _follow_keyboard(self, _before: QWidget | None, now: QWidget | None) -> None:
        """Let the list give way again when the keyboard goes elsewhere in the window."""
        elsewhere = now is not None and now.window() == self.window() and not self._left.isAncestorOf(now)
        if self._listing and elsewhere:
            self._listing = False
            self._fit()

    def _fit(self) -> None:
        folded = self._narrow and not self._listing
        self._left.setCurrentWidget(self.edge if folded else self._list)
        least = LEAST_FIGURES if self._mode == "adjudicate" else LEAST
        self._left.setMinimumWidth(self.edge.WIDTH if folded else least[0])
        self._left.setMaximumWidth(self.edge.WIDTH if folded else self.maximumWidth())
        self._left.setVisible(self._beside)
        tucked = self._alone and self.width() < ALONE
        self._right.setVisible(self._beside and not tucked and (folded or not self._narrow))
        chosen = self._settings.get(PANELS).get(self._mode)
        article = ARTICLE if chosen is None and self._mode == "assess" else 0
        wanted = chosen or self._standard()
        left, middle, right = fitted(wanted, self.width(), article, least)
        if self._narrow:  # the article is as wide with either
            left, middle = self.edge.WIDTH, left + middle - self.edge.WIDTH
            left, right = (left, right) if folded else (left + right, 0)
        with QSignalBlocker(self):
            self.setSizes([left, middle, right])

    def _standard(self) -> list[int]:
        """Return the widths of a mode where no one chose any: names have more room in a wide window."""
        standard = STANDARD[self._mode]
        if self._mode not in GROWING:
            return standard
        factor = min(max(self.width() / sum(standard), 1.0), LARGEST)
        return [round(part * factor) for part in standard]

    def _keep(self) -> None:
        """Remember what the user chose; what only the window's size made is not a choice."""
        if self._left.isVisible() and not self._narrow:
            kept: dict[str, list[int]] = self._settings.get(PANELS)
            self._settings.set(PANELS, {**kept, self._mode: self.sizes()})


def fitted(wanted: list[int], width: int, article: int = 0, least: tuple[int, int] = LEAST) -> list[int]:
    """Return the widths of the three parts in a window of this width.

    Panels are as narrow as they can be before the text has less room than ``article``.

    >>> fitted([292, 820, 328], 1440)
    [292, 820, 328]
    >>> fitted([372, 758, 310], 1000)
    [300, 400, 300]
    >>> fitted([292, 820, 328], 1000, 480)
    [252, 480, 268]
    """
    left, right = (
        max(low, min(side, round(width * MOST)))
        for side, low in zip((wanted[0], wanted[-1]), least, strict=True)
    )
    lacking, given = article - (width - left - right), left + right - sum(least)
    if lacking > 0 and given > 0:
        share = min(lacking / given, 1.0)
        left -= round(share * (left - least[0]))
        right -= round(share * (right - least[1]))
    return [left, max(width - left - right, 0), right]


# The palette: recent documents, what can be done here, and any document of the pool, by typing.

MOST_RECENT = 5  # documents that it begins with
KEPT_RECENT = 50

# What makes sense only of some documents, or with a run; everything else makes sense wherever it is enabled.
_SENSE: dict[str, Callable[[Session], bool]] = {
    "close-run": lambda session: bool(session.runs),
    "next-miss": lambda session: session.run is not None,
    "next-false-alarm": lambda session: session.run is not None,
    "erase": lambda session: session.state.relevant,
    "erase-passage": lambda session: session.state.relevant,
    "erase-element": lambda session: session.state.relevant,
    "clear": lambda session: not session.state.untouched,
    "entry-point-first": lambda session: session.state.relevant,
    "remove-entry-point": lambda session: session.state.bep is not None,
    "go-entry-point": lambda session: session.state.bep is not None,
    "next-passage": lambda session: session.state.relevant,
    "previous-passage": lambda session: session.state.relevant,
    "keep-drifted": lambda session: bool(session.drifted),
    "move-drifted": lambda session: bool(session.drifted),
    "remove-drifted": lambda session: bool(session.drifted),
    "next-drifted": lambda session: bool(session.drifted),
    "next-topic": lambda session: len(session.project.topics) > 1,
    "previous-topic": lambda session: len(session.project.topics) > 1,
}


class Palette(QObject):
    """Opens the popup over the window with what there is to choose; remembers which documents were open."""

    def __init__(
        self, popup: Popup, session: Session, book: ActionBook, show_document: Callable[[], object]
    ) -> None:
        """``show_document`` shows the open one where something else is in its place."""
        super().__init__(popup)
        self._popup = popup
        self._session = session
        self._book = book
        self._show_document = show_document
        self._recent: list[tuple[str, str]] = []  # topic and document, the newest first
        session.document_opened.connect(self._note)

    def open(self) -> None:
        """Offer recent documents, commands and, for what is typed, the documents of the pool."""
        recent = self._recent_documents()
        entries = [self._entry(name, "recent") for name in recent] + self.commands()
        further = partial(self._further, frozenset(recent))
        self._popup.open("Find a command, document, topic…", entries, further=further, remark=self._remark)

    def choose_topic(self) -> None:
        """Offer the topics, those with work first; those without a pool are behind a line, or typed."""
        topics, apart = topics_by_work(self._session.project, self._session.topic)
        entries = [self._topic_entry(topic) for topic in topics]
        if apart:
            told = f"{counted(len(apart), 'topic')} without a pool…"
            entries.append(PopupEntry(told, "", self._choose_unpooled))
        current = next((row for row, topic in enumerate(topics) if topic == self._session.topic), 0)
        further = partial(self._further_topics, apart)
        self._popup.open("Go to topic…", entries, current, further=further)

    def _choose_unpooled(self) -> None:
        topics, apart = topics_by_work(self._session.project, self._session.topic)
        entries = [self._topic_entry(topic) for topic in (*topics, *apart)]
        self._popup.open("Go to topic…", entries, len(topics))

    def _further_topics(self, apart: Sequence[Topic], words: Sequence[str]) -> Iterator[PopupEntry]:
        """Yield those of the topics that hold every word, once words are typed."""
        for topic in apart if words else ():
            entry = self._topic_entry(topic)
            if all(word in f"{entry.text} {entry.words}".casefold() for word in words):
                yield entry

    def _topic_entry(self, topic: Topic) -> PopupEntry:
        progress = PoolProgress.of_topic(self._session.project, topic.id)
        finished = f"{progress.finished:,} of {progress.documents:,} finished"
        note = finished if progress.documents else "no pool"
        choose = partial(self._session.open_topic, topic.id)
        return PopupEntry(
            f"{topic.id}  {topic.title}", note, choose, f"{topic.description} {topic.narrative}"
        )

    def _open_document(self, document_id: str) -> None:
        self._session.open_document(document_id)
        self._show_document()

    def commands(self) -> list[PopupEntry]:
        sensible = [record for record in self._book.records if self._makes_sense(record.id)]
        sensible.sort(key=lambda record: record.menu not in (JUDGE, GO))
        key_text, action = self._book.key_text, self._book.__getitem__
        return [
            PopupEntry(record.text.rstrip("…"), key_text(record.id), action(record.id).trigger, record.tip)
            for record in sensible
        ]

    def _makes_sense(self, action_id: str) -> bool:
        if not self._book[action_id].isEnabled() or action_id in ("palette", "let-go"):
            return False
        sense = _SENSE.get(action_id)
        return sense is None or sense(self._session)

    def _recent_documents(self) -> list[str]:
        """Return the documents of the topic that were on the screen before the one that is there now."""
        session = self._session
        topic = None if session.topic is None else session.topic.id
        names = [name for of, name in self._recent if of == topic and name != session.document_id]
        return names[:MOST_RECENT]

    def _entry(self, name: str, note: str) -> PopupEntry:
        title = self._session.catalogue.about(name).title
        return PopupEntry(title, note, partial(self._open_document, name), name)

    def _further(self, offered: Container[str], words: Sequence[str]) -> Iterator[PopupEntry]:
        """Yield the topics, then the documents of the pool, whose title or id holds every word.

        What is ``offered`` already is left out.
        """
        session = self._session
        for topic in session.project.topics if words else ():
            if all(word in f"{topic.id} {topic.title}".casefold() for word in words):
                yield self._topic_entry(topic)
        for name in session.pool.matching(words, session.catalogue.entries):
            if name not in offered:
                yield self._entry(name, name)

    def _remark(self) -> str:
        """Say which titles cannot be found yet."""
        unknown = self._session.titles.unknown(self._session.pool, self._session.catalogue)
        return f"{counted(unknown, 'title')} not read yet" if unknown else ""

    def _note(self, opened: OpenDocument) -> None:
        here = (opened.topic.id, opened.document.id)
        self._recent = [here, *(one for one in self._recent if one != here)][:KEPT_RECENT]

    def choose_among(self, prompt: str, names: Sequence[str], choose: Callable[[str], object]) -> None:
        """Offer names, such as those of models."""
        self._popup.open(prompt, [PopupEntry(name, "", partial(choose, name), "") for name in names])

    def choose_convention(self) -> None:
        """Offer the ways in which qrels may count."""
        entries, current = conventions(self._session.project.convention, self._use_convention)
        self._popup.open("How the offsets of qrels count…", entries, current)

    def _use_convention(self, convention: Convention) -> None:
        self._session.saving.write(lambda: self._session.use_convention(convention))


def conventions(current: Convention, use: Callable[[Convention], object]) -> tuple[list[PopupEntry], int]:
    """Return the ways in which qrels may count, and which of them is in use."""
    entries = [
        PopupEntry(convention.name, convention.key, partial(use, convention)) for convention in CONVENTIONS
    ]
    return entries, CONVENTIONS.index(current)


# The line along the foot, and the card of the keys one needs most.
#
# The line says that all is saved, the keys of the moment, how qrels count, and the size of the text.

_JUDGING = (("entry-point", "entry point"), ("next-document", "next"), ("keys", "keys"))
_DONE, GAP = 230, 20  # pixels of what was done last; between the parts
_KEPT = 165  # pixels that what was done last keeps, so that the keys beside it do not move with each action
KEYS_OF = {
    Room.ASSESS: _JUDGING,
    Room.NUGGETS: (
        ("nugget-1", "to 9 file under a nugget, again: remove"), ("nugget-0", "then a digit: 10 to 19"),
        ("new-nugget", "new"), ("weigh-nugget", "vital or okay"), ("keys", "keys"),
    ),
    Room.EDIT: _JUDGING,
    Room.ADJUDICATE: (
        ("take-a", "A's"), ("take-b", "B's"), ("take-union", "∪"), ("take-intersection", "∩"),
        ("next-place", "next difference"), ("settle", "settled"), ("keys", "keys"),
    ),
    Room.ANSWER: (
        ("support-full", "full"), ("support-partial", "partial"), ("support-none", "none"),
        ("no-citation", "needs none"), ("together", "together"), ("next-citation", "citation"),
        ("keys", "keys"),
    ),
    Room.JUDGES: (
        ("quote-1", "its first quote"), ("grade-holds", "grade holds"), ("let-go", "back"), ("keys", "keys"),
    ),
    Room.QUOTES: (
        ("quote-1", "its first quote"), ("grade-holds", "grade holds"), ("next-document", "next"),
        ("back-to-judges", "back"), ("keys", "keys"),
    ),
    Room.WHAT_IF: (
        ("mark", "retrieve"), ("erase", "drop"), ("enter-elsewhere", "entry point"), ("rank-up", "rank up"),
        ("undo-scratch", "undo"),
        ("keys", "keys"),
    ),
    Room.SEARCH: (("search-collection", "back"), ("keys", "keys")),
    Room.REPORT: (("right-as-it-is", "right as it is"), ("quality-report", "back"), ("keys", "keys")),
    Room.INSPECT: (
        ("next-document", "next"), ("next-miss", "miss"), ("next-false-alarm", "false alarm"),
        ("keys", "keys"),
    ),
}  # fmt: skip
"""The keys that are named along the foot, and what they do, in few words."""
OVER_TOPICS = (
    ("open-chosen-topic", "open topic"), ("swap-runs", "swap"), ("dearest", "what cost most"),
    ("keys", "keys"),
)  # fmt: skip
"""Those of Inspect over all topics."""


class StatusBar(QWidget):
    """Says quietly what is so; a click on a figure changes it."""

    def __init__(self, book: ActionBook) -> None:
        super().__init__()
        self.setObjectName("status-bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(28)
        self._book = book
        self._over_topics = False
        self._saved = label("● every action saved", "saved")
        self._saved.setFont(derived(self._saved.font()))  # its digits are as wide at every second
        self._locked = label("", "status")
        self._undo = ToolStrip(book, "undo")
        self._undo.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self._done = QWidget()
        in_row(self._undo, Filler(1), on=self._done, margins=0)
        book["undo"].changed.connect(self._show_done)
        self._only_read = False
        self._saving = SaveState()
        self.keys = ElidedLabel(role="status")
        self._note = ElidedLabel(role="status")
        self._blind = label("", "status")
        self._counting = ToolStrip(book, "choose-convention")
        self._zoom = ToolStrip(book, "zoom-reset")
        in_row(
            self._saved,
            self._done,
            self._locked,
            self.keys,
            Filler(1),
            self._note,
            self._blind,
            self._counting,
            self._zoom,
            on=self,
            margins=(14, 0, 8, 0),
            spacing=GAP,
        )
        self._show_room()
        book.room_changed.connect(self._show_room)

    def minimumSizeHint(self) -> QSize:
        """Need no room for what gives way."""
        given = [one for one in (self._counting, self._zoom) if one.isVisibleTo(self)]
        return super().minimumSizeHint() - QSize(sum(one.sizeHint().width() + GAP for one in given), 0)

    def event(self, event: QEvent) -> bool:
        """Show how qrels count, and the size of the text, where there is room beside what is done."""
        handled = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            left = self.width() - self.minimumSizeHint().width()
            for one in (self._zoom, self._counting):
                left -= one.sizeHint().width() + GAP
                one.setVisible(left >= 0)
        return handled

    def _show_room(self) -> None:
        """Say what can change here: in Inspect nothing, until one says otherwise."""
        self._show_done()
        self._locked.setVisible(self._book.room is Room.INSPECT)
        self.show_keys()
        self._show_saving(self._saving)

    def set_over_topics(self, over_topics: bool) -> None:
        """Name the keys of Inspect over all topics, or those of an article."""
        if over_topics != self._over_topics:
            self._over_topics = over_topics
            self.show_keys()

    def show_keys(self) -> None:
        """Show the keys one needs most, as they are set."""
        book = self._book
        opens = [] if self._only_read else [f"{book.key_text('edit-judgements')} edit judgements"]
        self._locked.setText(" · ".join(["Read-only", *opens, f"{book.key_text('what-if')} what if"]))
        keys = OVER_TOPICS if self._over_topics else KEYS_OF[book.room]
        there = [(name, text) for name, text in keys if book.record(name).at_hand(book.room)]
        *first, last = (f"{book.key_text(name) or 'Enter'} {text}" for name, text in there)
        told, *briefer = (" · ".join([*first[:count], last]) for count in range(len(first), -1, -1))
        self.keys.set_text(told, briefer=[*briefer, ""])

    def _show_done(self) -> None:
        """Show what was done last to the document; a click takes it back."""
        action = self._book["undo"]
        _, _, done = action.text().partition(" ")
        offered = action.isVisible() and action.isEnabled() and not self._only_read
        self._undo.setVisible(bool(done) and offered)
        elided = self._undo.fontMetrics().elidedText(done, Qt.TextElideMode.ElideRight, _DONE)
        self._undo.setText(f"↶ {elided}")
        judging = self._book.room in SETTING and not self._only_read
        self._done.setMinimumWidth(_KEPT if judging else 0)

    def follow(self, saving: SaveWatch) -> None:
        saving.changed.connect(self._show_saving)
        self._show_saving(saving.state)

    def _show_saving(self, state: SaveState) -> None:
        """Say that all is on disk, and since when, or what was not saved; a scratch copy says it above."""
        self._saving = state
        time = "" if state.time is None else f" · {state.time:%H:%M:%S}"
        if state.problem:
            text = f"✕ {state.short}"
        elif state.read_only:
            text = f"○ {'damaged, ' if state.damaged else ''}open for reading only{time}"
        elif self._book.room is Room.WHAT_IF:
            text = "○ judgements are read-only here"
        else:
            text = f"● every action saved{time}"
        if state.no_copy and not state.problem:
            text += ", but not copied"
        if self._only_read != bool(state.read_only):
            self._only_read = bool(state.read_only)
            self.show_keys()
            self._show_done()
        self._saved.setText(text)
        set_tip(self._saved, state.problem or state.no_copy or state.read_only)
        wrong = bool(state.problem or state.no_copy or state.damaged)
        if self._saved.property("wrong") != wrong:
            self._saved.setProperty("wrong", wrong)
            self._saved.style().polish(self._saved)

    def show_note(self, text: str) -> None:
        self._note.set_text(text)

    def show_blind(self, runs: int, *, shown: bool) -> None:
        """Say whether one judges without what these open runs found, or asked to see that."""
        opened = "Run" if runs == 1 else f"{runs:,} runs"
        self._blind.setText(f"{opened} shown: not blind" if shown else f"{opened} hidden while you judge")
        self._blind.setVisible(bool(runs))

    def show_names(self, shown: bool, *, before: bool) -> None:
        """Show whether the names of the runs that wrote the answers are hidden, or were shown ``before``."""
        hidden = "Names of runs seen before: not blind" if before else "Names of runs hidden"
        self._blind.setText("Names of runs shown: not blind" if shown else hidden)
        self._blind.show()

    def show_convention(self, convention: Convention) -> None:
        self._counting.show_value(f"qrels in {convention.name}")

    def show_zoom(self, percent: int) -> None:
        self._zoom.show_value(f"{percent}{PERCENT}")


# The keys one needs most here, on a card over the right panel: it stays while one works.

EDGE = 6  # pixels between the card and the panel below it
FOOT = 98  # pixels of the panel that stay free: its two buttons
_UNITS = ("unit-character", "unit-word", "unit-sentence", "unit-paragraph", "unit-element")
_RUNS = tuple(f"run-{number}" for number in range(1, 10))
_DIGITS = tuple(f"nugget-{number}" for number in (*range(1, 10), 0))
_QUOTES = tuple(f"quote-{number}" for number in range(1, 10))
FIXED = {
    "right-drag": ("Right drag", "Erase, whatever is held"),
    "alt-drag": ("Alt + drag", "Exact characters"),
    "to-end": ("Tab", "To an end of the mark"),
    "move-end": ("→  ←", "Move that end"),
}
"""What the hand does in the text besides the actions; no key of these can be changed."""
GROUPS: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...] = (
    ("In your hand", (("mark",), ("erase",), ("mark-sentence",), ("mark-element",), ("right-drag",))),
    ("Snap to", (_UNITS, ("alt-drag",))),
    (
        "Nuggets",
        (
            _DIGITS,
            ("file-selected",),
            ("new-nugget", "weigh-nugget"),
            ("reword-nugget", "delete-nugget"),
            ("next-nugget", "previous-nugget"),
            ("next-nugget-place", "previous-nugget-place"),
            ("wider-unit", "narrower-unit"),
        ),
    ),
    ("Ends of a mark", (("end-more", "end-less"), ("to-end",), ("move-end",), ("erase-passage",))),
    ("Best entry point", (("entry-point-first",), ("entry-point",), ("remove-entry-point",))),
    ("Decide", (("take-a",), ("take-b",), ("take-union",), ("take-intersection",), ("settle",))),
    ("Judge and go on", (("finish",), ("not-relevant",), ("come-back",), ("undo", "redo"))),
    (
        "The run",
        (
            _RUNS,
            ("swap-runs",),
            ("fewer-chunks", "more-chunks"),
            ("derive",),
            ("dearest",),
            ("edit-judgements",),
            ("what-if",),
            ("charts",),
        ),
    ),
    ("The model", (_QUOTES, ("grade-holds",), ("back-to-judges",))),
    ("The scratch copy", (("rank-up", "rank-down"), ("undo-scratch",), ("save-scratch",))),
    (
        "Find your way",
        (
            ("next-document", "previous-document"),
            ("next-todo",),
            ("next-hit", "previous-hit"),
            ("next-miss", "previous-miss"),
            ("next-false-alarm", "previous-false-alarm"),
            ("next-entry", "previous-entry"),
            ("next-place", "previous-place"),
            ("next-passage", "previous-passage"),
            ("next-word", "previous-word"),
            ("element-outward", "element-inward"),
            ("find",),
            ("palette",),
        ),
    ),
)
"""Captions, and below each the actions of its lines; what is not at hand in a room is left out there."""


class KeyPanel(QFrame):
    """Lies over a panel, but not over its foot; the keyboard stays with the text."""

    def __init__(self, book: ActionBook, pen_state: PenState, under: QWidget) -> None:
        super().__init__(under)
        self.setProperty("role", "key-panel")
        self.setAccessibleName("Keys")
        self._book, self._pen_state, self._under = book, pen_state, under
        self._inside = QWidget()
        self._lines: dict[tuple[str, ...], QWidget] = {}
        self._area = QScrollArea()
        self._area.setWidget(self._inside)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setWidgetResizable(True)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        in_column(self._head(), (self._area, 1), self._foot(), on=self, margins=8, spacing=4)
        book.keys_changed.connect(self._fill_if_shown)
        book.room_changed.connect(self._fill_if_shown)
        pen_state.changed.connect(self._show_tool)
        under.installEventFilter(self)
        self.hide()

    def toggle(self) -> None:
        """Show the card, or put it away; where there is no panel beside an article, show all keys."""
        if self.isVisible():
            self.hide()
        elif self._under.isVisible() and self._book.room.has_article:
            self._fill()
            self.show()
            self.raise_()
            self._place()
        else:
            self._book["all-keys"].trigger()

    def let_go(self) -> bool:
        shown = self.isVisible()
        self.hide()
        return shown

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return False

    def _head(self) -> QHBoxLayout:
        close = QToolButton()
        close.setText("×")
        close.setAccessibleName("Put the keys away")
        close.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        close.clicked.connect(self.hide)
        told = ElidedLabel(role="note")
        told.set_text("stay while you work", briefer=("stay",))
        return in_row(
            label("Keys", "heading"),
            (told, 1),
            KeySign(self._book["keys"]),
            close,
            margins=(8, 0, 0, 0),
        )

    def _foot(self) -> QPushButton:
        said = ElidedLabel()
        said.set_text("Show and change all keys", briefer=("All keys",))
        said.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        every = button("", "plain")
        every.setAccessibleName(said.full_text)
        every.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        every.clicked.connect(self._book["all-keys"].trigger)
        in_row(
            (said, 1),
            (KeySign(self._book["all-keys"]), 0, Qt.AlignmentFlag.AlignVCenter),
            on=every,
            margins=(8, 0, 8, 0),
        )
        return every

    def _fill_if_shown(self) -> None:
        if not self._book.room.has_article:
            self.hide()
        if self.isVisible():
            self._fill()
            self.raise_()  # the page of another mode came up above it
            self._place()

    def _fill(self) -> None:
        room, inside = self._book.room, QWidget()
        self._inside = inside
        inside.setProperty("role", "inside")
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._lines.clear()
        for name, lines in GROUPS:
            there = [ids for ids in lines if self._is_there(ids, room)]
            if any(ids[0] not in FIXED for ids in there):
                head = Caption(name)
                head.setContentsMargins(8, 8, 8, 2)
                column.addWidget(head)
                for ids in there:
                    self._lines[ids] = self._line(ids)
                    column.addWidget(self._lines[ids])
        column.addStretch(1)
        self._area.setWidget(inside)
        self._show_tool()

    def _is_there(self, ids: tuple[str, ...], room: Room) -> bool:
        if ids[0] in FIXED:
            return room in DRAWING
        return all(self._book.record(name).at_hand(room) and self._book.keys(name) for name in ids)

    def _line(self, ids: tuple[str, ...]) -> QWidget:
        line = QFrame()
        line.setProperty("role", "key-line")
        grid = QGridLayout(line)
        grid.setContentsMargins(5, 2, 8, 2)
        grid.setHorizontalSpacing(10)
        grid.setColumnMinimumWidth(0, 86)
        grid.setColumnStretch(1, 1)
        keys, words = FIXED.get(ids[0]) or (self._keys(ids), words_of(self._book, ids))
        grid.addWidget(label(keys, "value"), 0, 0)
        grid.addWidget(label(words, wrap=True), 0, 1)
        return line

    def _keys(self, ids: tuple[str, ...]) -> str:
        """Write the first keys of actions side by side: "J K", "1 … 5"."""
        texts = [self._book.key_text(name) for name in ids]
        shown = texts if len(texts) <= SIGNS else [texts[0], "…", texts[-1]]
        return "  ".join("+".join(ARROWS.get(part, part) for part in text.split("+")) for text in shown)

    def _show_tool(self, _: object = None) -> None:
        held = (("mark",), Tool.MARK), (("erase",), Tool.ERASE)
        for ids, tool in held:
            if (line := self._lines.get(ids)) is not None:
                now = self._pen_state.live and self._pen_state.tool is tool
                set_look(line, "now", tool.name.lower() if now else "", *line.findChildren(QLabel))

    def _place(self) -> None:
        under = self._under
        self.setGeometry(EDGE, EDGE, under.width() - 2 * EDGE, under.height() - EDGE - FOOT)
