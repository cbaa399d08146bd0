"""The one place that speaks to the user.

A message is a sentence in a quiet bar under the text; it blocks and covers nothing, and goes away by itself
when nothing is at stake.  A warning or an error stays until it is read: what is said meanwhile goes before it
for a while.  What is about a document or a step goes when that does.  A question (something is at
stake) is a dialog, and is asked here too.
"""

from __future__ import annotations

import errno
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QLabel,
    QMessageBox,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
    QWidget,
)

from inexview.core.errors import InexviewError, JudgementError
from inexview.gui.look.layouts import in_column, in_row
from inexview.gui.look.theme import set_look
from inexview.gui.services.announce import announce

log = logging.getLogger(__name__)


class MessageKind(Enum):
    """How much a message matters; decides colour, symbol and how long it stays."""

    INFO = "info"
    WARNING = "warning"
    REFUSED = "refused"  # a rule stands in the way; matters no longer once something else is done
    ERROR = "error"


SYMBOLS = {MessageKind.INFO: "✓", MessageKind.WARNING: "!", MessageKind.REFUSED: "!", MessageKind.ERROR: "✕"}
STAYS = {  # milliseconds; 0: until it is closed
    MessageKind.INFO: 5_000,
    MessageKind.WARNING: 0,
    MessageKind.REFUSED: 12_000,
    MessageKind.ERROR: 0,
}
TO_ACT = 12_000  # milliseconds at least, where there is something to click


WIDTH = 620
LISTED = 4  # lines of a list; the others are behind a button
BESIDE = 420  # pixels from which what can be done is beside what is said
ABOVE = 14  # pixels between the bar and the foot of what it floats over


def _always() -> bool:
    return True


class Offer(NamedTuple):
    """A button of a message, and what it does."""

    button: str
    action: Callable[[], object]


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence to the user, and optionally one thing to do about it."""

    kind: MessageKind
    text: str
    button: str = ""
    action: Callable[[], object] | None = None
    lines: tuple[str, ...] = ()
    """All that it says where its text names only some of it."""
    holds: bool = False
    """Whether it is true until it is withdrawn: nothing that went well takes its place."""
    more: tuple[Offer, ...] = ()
    """Other things to do, each with a button of its own."""
    stands: Callable[[], bool] = _always
    """Whether it still is about what one sees: the document that was open, a step that was not undone."""

    @property
    def offers(self) -> tuple[Offer, ...]:
        """All that one can do about it, in the order of the buttons."""
        first = () if self.action is None else (Offer(self.button, self.action),)
        return (*first, *self.more)

    @property
    def is_grave(self) -> bool:
        """Whether it stays until it is read."""
        return not STAYS[self.kind]

    @property
    def is_offer(self) -> bool:
        """Whether it says what went well, and offers to take that back or to go on."""
        return self.kind is MessageKind.INFO and bool(self.offers)

    @classmethod
    def listing(cls, kind: MessageKind, text: str, lines: Sequence[str]) -> Message:
        """Make a message that ends in a list; where it is long, a button shows all of it."""
        if len(lines) <= LISTED:
            return cls(kind, "\n".join([text, *lines]))
        some = [text, *lines[: LISTED - 1], f"… and {len(lines) - LISTED + 1:,} more"]
        return cls(kind, "\n".join(some), "Show all", lambda: show_lines(text, lines), (text, *lines))

    @classmethod
    def together(cls, text: str, messages: Sequence[Message]) -> Message:
        """Make one message of several, so that none hides another: as grave as the gravest of them.

        Each has a line or more; of buttons the only one is kept.
        """
        if len(messages) == 1:
            return messages[0]
        listed = cls.listing(
            max((message.kind for message in messages), key=list(MessageKind).index),
            text,
            [line for message in messages for line in message._as_items(text)],
        )
        offers = [message for message in messages if message.offers and not message.lines]
        if len(offers) == 1 and not listed.offers:
            first, *more = offers[0].offers
            return replace(listed, button=first.button, action=first.action, more=tuple(more))
        return listed

    def _as_items(self, heading: str) -> list[str]:
        """Return all that it says as an item of a list; as its items where it is one with this heading."""
        first, *others = self.lines or self.text.splitlines()
        return others if first == heading else [f"• {first}", *(f"   {line}" for line in others)]


_ROOM = "Free some space, or choose another disk."
REMEDIES = {errno.ENOSPC: _ROOM, errno.EDQUOT: _ROOM, errno.EROFS: "Choose another disk."}
"""What can be done where the system refuses to write a file."""


def sentence(error: Exception) -> str:
    """Return what the user is told of an error; a defect of ours is logged with its traceback."""
    if isinstance(error, InexviewError):
        return as_sentence(str(error))
    if isinstance(error, OSError):
        told = f"{error.filename or 'The file'}: {error.strerror or error}."
        return " ".join(filter(None, (told, REMEDIES.get(error.errno or 0))))
    log.error("unexpected error", exc_info=error)
    return (
        f"That did not work, and it is inexview's fault ({type(error).__name__}). Your judgements are saved."
    )


def as_sentence(text: str) -> str:
    """Begin with a capital and end with a stop; what begins with the name of a file stays as it is."""
    first = text.split(maxsplit=1)[0] if text.strip() else ""
    begun = text[0].upper() + text[1:] if first.isalpha() else text
    return begun if begun.endswith((".", "!", "?", "…")) else f"{begun}."


class Messages(QFrame):
    """The bar that shows messages, one at a time; warnings and errors that were not read come again.

    It floats at the foot of its parent widget or, where it is not ``floating``, is where a layout has
    put it, so that it covers nothing.
    """

    cleared = Signal(object)  # None: there is room for what could wait

    def __init__(self, parent: QWidget, *, floating: bool = True) -> None:
        super().__init__(parent)
        self._area = parent
        self._floating = floating
        self.setProperty("floating", floating)
        self.setObjectName("messages")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.current: Message | None = None
        self._unread: list[Message] = []  # what comes again once the message before it is gone
        self._symbol = QLabel()
        self._symbol.setObjectName("symbol")
        self._text = QLabel(wordWrap=True, textInteractionFlags=Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._choices = in_row(spacing=8)
        self._buttons: list[QPushButton] = []
        self._button = self._add_button()
        close = QToolButton()
        close.setText("×")
        close.setToolTip("Close this message")
        close.setAccessibleName("Close this message")
        close.clicked.connect(self.close_message)
        said = in_row(self._symbol, (self._text, 1), spacing=10)
        self._said = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._said.addLayout(said, 1)
        self._said.addLayout(self._choices)
        self._row = in_row((self._said, 1), close, on=self, margins=(14, 9, 8, 9), spacing=10)
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.close_message)
        parent.installEventFilter(self)
        self.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Have what can be done below what is said, where there is little room beside it."""
        super().resizeEvent(event)
        directions = QBoxLayout.Direction
        beside = self.width() >= BESIDE
        self._said.setDirection(directions.LeftToRight if beside else directions.TopToBottom)

    def say(self, message: Message) -> None:
        """Show a message before all others, unless one holds and this one says what went well."""
        before = self.current
        if message.kind is MessageKind.INFO and before is not None and before.holds:
            return
        if before is not None and before.is_grave:
            self._unread.append(before)
        self._unread = [unread for unread in self._unread if unread.text != message.text]
        self._show(message)

    def _show(self, message: Message) -> None:
        self.current = message
        self._symbol.setText(SYMBOLS[message.kind])
        set_look(self, "kind", message.kind.value, self._symbol)
        self._text.setText(message.text)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._show_offers(message)
        self.setAccessibleName(message.text)
        announce(self, message.text)
        self._place()
        self.show()
        self.raise_()
        self._timer.stop()
        if stays := STAYS[message.kind]:
            self._timer.start(max(stays, TO_ACT) if message.offers else stays)

    def _show_offers(self, message: Message) -> None:
        """Have a button for each thing that one can do about a message."""
        offers = message.offers
        while len(self._buttons) < len(offers):
            self._add_button()
        for at, button in enumerate(self._buttons):
            if at < len(offers):
                button.setText(offers[at].button)
                button.setAccessibleDescription(message.text)
            button.setVisible(at < len(offers))

    def _add_button(self) -> QPushButton:
        button, at = QPushButton(), len(self._buttons)
        button.clicked.connect(lambda _checked: self._act(at))
        self._buttons.append(button)
        self._choices.addWidget(button)
        return button

    def say_all(self, messages: Sequence[Message]) -> None:
        """Say all that there is to say of files that were brought together, in one message."""
        if messages:
            if any(message is self.current for message in messages):
                self.current = None  # it comes with the others
            self.say(Message.together("Not all is as it should be:", messages))

    def say_also(self, message: Message) -> None:
        """Say something together with what went wrong before and is not read yet."""
        before = self.current
        unread = before is not None and before.kind is not MessageKind.INFO
        self.say_all([before, message] if before is not None and unread else [message])

    def info(self, text: str, stands: Callable[[], bool] = _always) -> None:
        """Say what went well, or how something is; about a document as long as ``stands``."""
        self.say(Message(MessageKind.INFO, text, stands=stands))

    def add(self, text: str, *offers: Offer) -> None:
        """Say it beside what went well and can be undone still, with its own offers; else alone."""
        current = self.current
        if current is None or not current.is_offer:
            self.say(Message(MessageKind.INFO, text, more=offers))
        elif text in current.text:
            self.say(current)
        else:
            self.say(replace(current, text=f"{current.text} {text}", more=(*current.more, *offers)))

    def warn(self, text: str, stands: Callable[[], bool] = _always) -> None:
        """Warn; about a document as long as ``stands``."""
        self.say(Message(MessageKind.WARNING, text, stands=stands))

    def error(self, error: Exception) -> None:
        """Say what went wrong, as a sentence or as a list of them."""
        kind = MessageKind.REFUSED if isinstance(error, JudgementError) else MessageKind.ERROR
        first, *others = sentence(error).split("\n")
        self.say(Message.listing(kind, first, others))

    def settle(self) -> None:
        """Take away what was refused: something else has been done since."""
        if self.current is not None and self.current.kind is MessageKind.REFUSED:
            self.close_message()

    def look_again(self) -> None:
        """Take away what is about a document or a step that is no longer there."""
        self._unread = [message for message in self._unread if message.stands()]
        if self.current is not None and not self.current.stands():
            self.close_message()

    def leave(self) -> None:
        """Take away what went well or was refused where one was: elsewhere it is about nothing one sees."""
        if self.current is not None and self.current.kind in (MessageKind.INFO, MessageKind.REFUSED):
            self.close_message()

    def withdraw(self, message: Message | None) -> None:
        """Take this message away, if it is still there: it is not true any more."""
        self._unread = [unread for unread in self._unread if unread is not message]
        if message is not None and self.current is message:
            self.close_message()

    def clear(self) -> None:
        """Take away the message that is shown, and all that were not read."""
        self._unread.clear()
        self.close_message()

    def close_message(self) -> None:
        """Take away the message that is shown; one that was not read comes again."""
        self.current = None
        self._timer.stop()
        while self._unread and self.current is None:
            if (unread := self._unread.pop()).stands():
                self._show(unread)
        if self.current is None:
            self.hide()
            self.cleared.emit(None)

    def _act(self, at: int) -> None:
        offers = () if self.current is None else self.current.offers
        self.close_message()
        if at < len(offers):
            offers[at].action()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._area and event.type() == QEvent.Type.Resize and self.isVisibleTo(self._area):
            self._place()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        if not self._floating:
            return
        area = self._area.size()
        width = min(WIDTH, area.width() - 32)
        height = max(self._row.totalHeightForWidth(width), self.minimumSizeHint().height())
        self.setGeometry((area.width() - width) // 2, area.height() - height - ABOVE, width, height)


def show_lines(heading: str, lines: Sequence[str]) -> QDialog:
    """Show a long list in a window of its own, to read, to search and to copy."""
    dialog = QDialog(QApplication.activeWindow())
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle("inexview")
    dialog.resize(620, 460)
    told = QLabel(heading, wordWrap=True, textFormat=Qt.TextFormat.PlainText)
    text = QPlainTextEdit("\n".join(lines), readOnly=True)
    text.setAccessibleName(heading)
    close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    close.rejected.connect(dialog.reject)
    in_column(told, text, close, on=dialog, margins=(18, 16, 18, 14))
    dialog.open()
    return dialog


def ask(parent: QWidget, question: str, detail: str, yes: str, no: str = "Cancel") -> bool:
    """Ask before something that cannot be taken back; True where the answer is ``yes``."""
    return ask_which(parent, question, detail, yes, no=no) == yes


def ask_which(parent: QWidget, question: str, detail: str, *answers: str, no: str = "Cancel") -> str:
    """Ask which of some ways to take, the first of which is at hand; ``no`` and Esc take none of them."""
    box = QMessageBox(QMessageBox.Icon.Question, "inexview", question, parent=parent)
    box.setInformativeText(detail)
    buttons = [(box.addButton(answer, QMessageBox.ButtonRole.AcceptRole), answer) for answer in answers]
    box.addButton(no, QMessageBox.ButtonRole.RejectRole)
    box.exec()
    clicked = box.clickedButton()  # not its text: some desktops write a letter's sign into that
    return next((answer for button, answer in buttons if button is clicked), no)
