"""The panels next to the article, with the user's widths; the palette, the status bar and the key card.

In a narrow window the list of documents is reduced to an edge, and one panel is open at a time: the list
while it has the focus. If no text is shown, both panels stay.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QRect, QSignalBlocker, QSize, Qt, Signal
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
    """The edge of the hidden list, with its name and key from bottom to top."""

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
        """Trigger an action, and show its current key."""
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
"""Modes whose panels grow with the window, up to this factor."""
MOST = 0.3  # maximum share of the window for one panel: the article gets at least as much as both
LEAST = (230, 250)  # minimum widths in pixels, left and right
LEAST_FIGURES = (280, 250)  # in Adjudicate, for the figures of agreement next to each other
ARTICLE = 480  # width of the text in pixels before panels get more, unless the user chose widths
ALONE = 1250  # window width in pixels below which a page instead of the article has no right panel
NARROW = 880  # window width in pixels below which the list is hidden
FOLDED, ANSWER_NARROW = 1200, 950  # in Answer, below which the right panel and the list are folded


class Panels(QSplitter):
    """Left panel, article, right panel; each mode of the window has its own pages and widths."""

    folded = Signal(bool, bool)  # in Answer, whether the right panel and the list are folded

    def __init__(self, article: QWidget, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._mode = next(iter(STANDARD))
        self._left, self._right = PageStack(), PageStack()
        self.edge = ListEdge()
        self._left.addWidget(self.edge)
        self._list: QWidget = self.edge  # the list of the mode
        self._listing = False  # in a narrow window, whether the list is open instead of the right panel
        self._beside = True  # whether there are panels next to the article
        self._text = True  # whether the article is in the middle, not a table
        self._alone = False  # whether the page in the middle may hide the right panel
        self._folded = (False, False)
        self._needed: list[object] = []  # widths that the parts needed at the last layout
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
        """Add a page, unless it is there, in the tab order of its position."""
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
        """Set whether the article is in the middle; next to a table the list is never hidden."""
        if shown != self._text:
            self._text = shown
            self._follow_width()

    def set_alone(self, alone: bool) -> None:
        """Set whether a page is in the middle that has a right panel only if it fits."""
        if alone != self._alone:
            self._alone = alone
            self._follow_width()

    def open_list(self) -> None:
        self._listing = True
        self._fit()

    def event(self, event: QEvent) -> bool:
        """Lay the parts out again only if one needs another size.

        Every changed text in a panel requests a layout, which would include the whole window.
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
        return self.width() < (ANSWER_NARROW if self._mode == "answer" else NARROW) and self._text

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the list in a narrow window, and show it in a wide one."""
        super().resizeEvent(event)
        self._follow_width()

    def _follow_width(self) -> None:
        """Hide the list if necessary, but not while it has the focus."""
        keyboard = QApplication.focusWidget()
        self._listing = self._listing or (keyboard is not None and self._list.isAncestorOf(keyboard))
        self._fit()

    def _follow_keyboard(self, _before: QWidget | None, now: QWidget | None) -> None:
        """Hide the list again when the focus moves elsewhere in the window."""
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
        answers = self._mode == "answer" and self._beside and self._text
        tucked = self.width() < (FOLDED if answers else ALONE if self._alone else 0)
        self._right.setVisible(self._beside and not tucked and (folded or not self._narrow))
        chosen = self._settings.get(PANELS).get(self._mode)
        article = ARTICLE if chosen is None and self._mode == "assess" else 0
        wanted = chosen or self._standard()
        left, middle, right = fitted(wanted, self.width(), article, least)
        if self._narrow:  # the article has the same width with either
            left, middle = self.edge.WIDTH, left + middle - self.edge.WIDTH
            left, right = (left, right) if folded else (left + right, 0)
        with QSignalBlocker(self):
            self.setSizes([left, middle, right])
        if self._folded != (now := (answers and tucked, answers and folded)):
            self._folded = now
            self.folded.emit(*now)

    def _standard(self) -> list[int]:
        """Return the default widths of a mode: in a wide window names get more space."""
        standard = STANDARD[self._mode]
        if self._mode not in GROWING:
            return standard
        factor = min(max(self.width() / sum(standard), 1.0), LARGEST)
        return [round(part * factor) for part in standard]

    def _keep(self) -> None:
        """Store the widths that the user chose, not those that result from the window's size."""
        if self._left.isVisible() and not self._narrow:
            kept: dict[str, list[int]] = self._settings.get(PANELS)
            self._settings.set(PANELS, {**kept, self._mode: self.sizes()})


def fitted(wanted: list[int], width: int, article: int = 0, least: tuple[int, int] = LEAST) -> list[int]:
    """Return the widths of the three parts in a window of this width.

    Panels shrink to their minimum before the text gets narrower than ``article``.

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


# The palette: recent documents, available commands, and any document of the pool.

MOST_RECENT = 5  # recent documents that are listed first
KEPT_RECENT = 50

# Actions that need certain documents, or a run; others are listed whenever they are enabled.
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
    """Opens the palette over the window, and remembers the documents that were open."""

    def __init__(
        self, popup: Popup, session: Session, book: ActionBook, show_document: Callable[[], object]
    ) -> None:
        """``show_document`` shows the open document if another page is shown."""
        super().__init__(popup)
        self._popup = popup
        self._session = session
        self._book = book
        self._show_document = show_document
        self._recent: list[tuple[str, str]] = []  # topic and document, the newest first
        session.document_opened.connect(self._note)

    def open(self) -> None:
        """Offer recent documents, commands and, after typing, the documents of the pool."""
        recent = self._recent_documents()
        entries = [self._entry(name, "recent") for name in recent] + self.commands()
        further = partial(self._further, frozenset(recent))
        self._popup.open("Find a command, document, topic…", entries, further=further, remark=self._remark)

    def choose_topic(self) -> None:
        """Offer the topics with a pool; the others are behind an entry, or found by typing."""
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
        """Yield the topics that contain every typed word."""
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
        """Return the documents of the topic that were open before the current one."""
        session = self._session
        topic = None if session.topic is None else session.topic.id
        names = [name for of, name in self._recent if of == topic and name != session.document_id]
        return names[:MOST_RECENT]

    def _entry(self, name: str, note: str) -> PopupEntry:
        title = self._session.catalogue.about(name).title
        return PopupEntry(title, note, partial(self._open_document, name), name)

    def _further(self, offered: Container[str], words: Sequence[str]) -> Iterator[PopupEntry]:
        """Yield the topics, then the documents of the pool, whose title or id contains every word.

        Entries that are ``offered`` already are left out.
        """
        session = self._session
        for topic in session.project.topics if words else ():
            if all(word in f"{topic.id} {topic.title}".casefold() for word in words):
                yield self._topic_entry(topic)
        for name in session.pool.matching(words, session.catalogue.entries):
            if name not in offered:
                yield self._entry(name, name)

    def _remark(self) -> str:
        """Return a note about titles that cannot be searched yet."""
        unknown = self._session.titles.unknown(self._session.pool, self._session.catalogue)
        return f"{counted(unknown, 'title')} not read yet" if unknown else ""

    def _note(self, opened: OpenDocument) -> None:
        here = (opened.topic.id, opened.document.id)
        self._recent = [here, *(one for one in self._recent if one != here)][:KEPT_RECENT]

    def choose_among(self, prompt: str, names: Sequence[str], choose: Callable[[str], object]) -> None:
        """Offer names, such as those of models."""
        self._popup.open(prompt, [PopupEntry(name, "", partial(choose, name), "") for name in names])

    def choose_convention(self) -> None:
        """Offer the ways of counting of qrels."""
        entries, current = conventions(self._session.project.convention, self._use_convention)
        self._popup.open("How the offsets of qrels count…", entries, current)

    def _use_convention(self, convention: Convention) -> None:
        self._session.saving.write(lambda: self._session.use_convention(convention))


def conventions(current: Convention, use: Callable[[Convention], object]) -> tuple[list[PopupEntry], int]:
    """Return the ways of counting of qrels, and the index of the current one."""
    entries = [
        PopupEntry(convention.name, convention.key, partial(use, convention)) for convention in CONVENTIONS
    ]
    return entries, CONVENTIONS.index(current)


# The status bar, and the card of the most important keys.
#
# The bar shows the state of saving, the keys of the moment, the way of counting of qrels, and the text size.

_JUDGING = (("entry-point", "entry point"), ("next-document", "next"), ("keys", "keys"))
_DONE, GAP = 230, 20  # pixels of the last action; gap between the parts
_KEPT = 165  # minimum pixels of the last action, so that the keys next to it do not move
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
"""The keys listed in the status bar by room, with short descriptions."""
OVER_TOPICS = (
    ("open-chosen-topic", "open topic"), ("swap-runs", "swap"), ("dearest", "what cost most"),
    ("keys", "keys"),
)  # fmt: skip
"""The keys of Inspect over all topics."""


class StatusBar(QWidget):
    """Shows the state of saving and other facts; a click on some of them changes a setting."""

    def __init__(self, book: ActionBook) -> None:
        super().__init__()
        self.setObjectName("status-bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(28)
        self._book = book
        self._over_topics = False
        self._saved = label("● every action saved", "saved")
        self._saved.setFont(derived(self._saved.font()))  # tabular digits, so that nothing moves every second
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
        """Need no width for parts that can be hidden."""
        given = [one for one in (self._counting, self._zoom) if one.isVisibleTo(self)]
        return super().minimumSizeHint() - QSize(sum(one.sizeHint().width() + GAP for one in given), 0)

    def event(self, event: QEvent) -> bool:
        """Show the way of counting and the text size if they fit next to the last action."""
        handled = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            left = self.width() - self.minimumSizeHint().width()
            for one in (self._zoom, self._counting):
                left -= one.sizeHint().width() + GAP
                one.setVisible(left >= 0)
        return handled

    def _show_room(self) -> None:
        """Show what can change on this page: in Inspect nothing by default."""
        self._show_done()
        self._locked.setVisible(self._book.room is Room.INSPECT)
        self.show_keys()
        self._show_saving(self._saving)

    def set_over_topics(self, over_topics: bool) -> None:
        """Show the keys of Inspect over all topics, or those of an article."""
        if over_topics != self._over_topics:
            self._over_topics = over_topics
            self.show_keys()

    def show_keys(self) -> None:
        """Show the most important keys, as configured."""
        book = self._book
        opens = [] if self._only_read else [f"{book.key_text('edit-judgements')} edit judgements"]
        self._locked.setText(" · ".join(["Read-only", *opens, f"{book.key_text('what-if')} what if"]))
        keys = OVER_TOPICS if self._over_topics else KEYS_OF[book.room]
        there = [(name, text) for name, text in keys if book.record(name).at_hand(book.room)]
        *first, last = (f"{book.key_text(name) or 'Enter'} {text}" for name, text in there)
        told, *briefer = (" · ".join([*first[:count], last]) for count in range(len(first), -1, -1))
        self.keys.set_text(told, briefer=[*briefer, ""])

    def _show_done(self) -> None:
        """Show the last action on the document; a click undoes it."""
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
        """Show whether everything is saved, and since when; a scratch copy shows that above."""
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
        """Show whether the counts of open runs are hidden while judging."""
        opened = "Run" if runs == 1 else f"{runs:,} runs"
        self._blind.setText(f"{opened} shown: not blind" if shown else f"{opened} hidden while you judge")
        self._blind.setVisible(bool(runs))

    def show_names(self, shown: bool, *, before: bool) -> None:
        """Show whether the names of the runs of answers are hidden, or were shown ``before``."""
        hidden = "Names of runs seen before: not blind" if before else "Names of runs hidden"
        self._blind.setText("Names of runs shown: not blind" if shown else hidden)
        self._blind.show()

    def show_convention(self, convention: Convention) -> None:
        self._counting.show_value(f"qrels in {convention.name}")

    def show_zoom(self, percent: int) -> None:
        self._zoom.show_value(f"{percent}{PERCENT}")


# The card of the most important keys over the right panel; it stays open during work.

EDGE = 6  # pixels between the card and the edge of the panel
FOOT = 98  # pixels of the panel that stay free, for its two buttons
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
"""Gestures in the text; their keys cannot be changed."""
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
"""Captions with the actions of their lines; actions that a room lacks are left out."""


class KeyPanel(QFrame):
    """The card, which covers a panel except its two buttons; the focus stays in the text."""

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
        """Show or hide the card; if there is no panel next to an article, show all keys."""
        if self.isVisible():
            self.hide()
        elif self._under.isVisible() and self._book.room.has_article:
            self._fill()
            self.show()
            self.raise_()
            self._place()
        else:
            self._book["all-keys"].trigger()

    def dismiss(self) -> bool:
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
        told.set_text("stay while you work", briefer=("",))
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
            self.raise_()  # the page of another mode was raised above it
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
        grid.addWidget(label(keys, "value"), 0, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(label(words, wrap=True), 0, 1)
        return line

    def _keys(self, ids: tuple[str, ...]) -> str:
        """Return the first keys of actions, for example "J K" or "1 … 5"."""
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
