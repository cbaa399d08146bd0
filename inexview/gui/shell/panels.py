"""The panels beside the article, as wide as the user left them, and the palette over all.

In a narrow window the list of documents gives way to the text: only its edge is seen, and one panel at a time
is open, the list for as long as it has the keyboard.  Where no text is shown, both panels stay.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QRect, QSignalBlocker, QSize
from PySide6.QtGui import QAction, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QSizePolicy, QSplitter, QWidget

from inexview.core.errors import InexviewError
from inexview.core.project.document_list import PoolProgress
from inexview.core.text.counting import CONVENTIONS, Convention
from inexview.core.wording import counted
from inexview.gui.look.layouts import PageStack, add_page
from inexview.gui.look.panels import Popup, PopupEntry
from inexview.gui.look.widgets import RIGHT, explain, key_text, with_key
from inexview.gui.services.actions import GO, JUDGE, ActionBook
from inexview.gui.services.document_record import OpenDocument
from inexview.gui.services.messages import Messages
from inexview.gui.services.session import Session
from inexview.gui.services.settings import PANELS, Settings

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


STANDARD = {"assess": [292, 820, 328], "inspect": [372, 758, 310], "adjudicate": [318, 786, 336]}
GROWING, LARGEST = ("inspect",), 1.5
"""The modes whose panels are as much wider as the window is than the standard's, up to so much."""
MOST = 0.3  # of the window, for one panel: the article keeps at least as much as both
LEAST = (230, 250)  # pixels, left and right
LEAST_FIGURES = (280, 250)  # in Adjudicate, for the figures of agreement side by side
ARTICLE = 480  # pixels that the text has before panels are wider than that, where no one chose so
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
        """Show what is beside the article in a mode, as wide as it was left."""
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

    def open_list(self) -> None:
        """Show the list, for the keyboard to go there."""
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
        self._right.setVisible(self._beside and (folded or not self._narrow))
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


class TextAlone:
    """Takes panels and bars away; every key stays, and so does the line under the text."""

    def __init__(self, panels: Panels, bars: Sequence[QWidget], messages: Messages, book: ActionBook) -> None:
        self._panels = panels
        self._bars = tuple(bars)
        self._messages = messages
        self._book = book
        self._told = ""

    def toggle(self) -> None:
        """Leave the text alone, or show what is around it."""
        alone = self._book["toggle-panels"].isChecked()
        self._panels.show_sides(not alone)
        for bar in self._bars:
            bar.setVisible(not alone)
        key, current = self._book.key_text("toggle-panels"), self._messages.current
        if alone and key:
            self._told = f"{key} brings panels and bars back."
            self._messages.info(self._told)
        elif current is not None and current.text == self._told:
            self._messages.withdraw(current)


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
        self._popup.open("Find a command, document…", entries, further=further, remark=self._remark)

    def choose_topic(self) -> None:
        entries, current = topics(self._session)
        self._popup.open("Go to topic…", entries, current)

    def _open_document(self, document_id: str) -> None:
        self._session.open_document(document_id)
        self._show_document()

    def commands(self) -> list[PopupEntry]:
        """Return all that makes sense here, first what one does to documents."""
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
        """Yield the documents of the pool whose title or id holds every word and that are not offered yet."""
        session = self._session
        for name in session.pool.matching(words, session.catalogue.all_known):
            if name not in offered:
                yield self._entry(name, name)

    def _remark(self) -> str:
        """Say which titles cannot be found yet."""
        unknown = self._session.titles.unknown(self._session.pool, self._session.catalogue)
        return f"{counted(unknown, 'title')} not read yet" if unknown else ""

    def _note(self, opened: OpenDocument) -> None:
        here = (opened.topic.id, opened.document.id)
        self._recent = [here, *(one for one in self._recent if one != here)][:KEPT_RECENT]

    def choose_convention(self) -> None:
        """Offer the ways in which qrels may count."""
        entries, current = conventions(self._session.project.convention, self._use_convention)
        self._popup.open("How the offsets of qrels count…", entries, current)

    def _use_convention(self, convention: Convention) -> None:
        try:
            self._session.use_convention(convention)
        except InexviewError as error:
            self._session.saving.failed(error)


def conventions(current: Convention, use: Callable[[Convention], object]) -> tuple[list[PopupEntry], int]:
    """Return the ways in which qrels may count, and which of them is in use."""
    entries = [
        PopupEntry(convention.name, convention.key, partial(use, convention)) for convention in CONVENTIONS
    ]
    return entries, CONVENTIONS.index(current)


def topics(session: Session) -> tuple[list[PopupEntry], int]:
    """Return the topics with how far each is, and which of them is open."""
    entries, current = [], 0
    for row, topic in enumerate(session.project.topics):
        progress = PoolProgress.of_topic(session.project, topic.id)
        note = f"{progress.finished:,} of {progress.documents:,} finished"
        choose = partial(session.open_topic, topic.id)
        words = f"{topic.description} {topic.narrative}"
        entries.append(
            PopupEntry(f"{topic.id}  {topic.title}", note if progress.documents else "no pool", choose, words)
        )
        current = row if topic == session.topic else current
    return entries, current
