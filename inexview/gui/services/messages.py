"""All messages and questions to the user.

A message is a sentence in a bar under the text; it blocks and covers nothing, and information disappears
after a few seconds.  A warning or an error stays until it is closed; later messages are shown before it for
a while.  A message about a document or step disappears with it.  A question is a dialog; use one only
before an action that cannot be undone.
"""

from __future__ import annotations

import errno
import logging
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum
from math import ceil
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QKeyEvent, QResizeEvent
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
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from inexview.core.errors import InexviewError, JudgementError
from inexview.core.wording import counted, unturned
from inexview.gui.look.theme import set_look
from inexview.gui.look.widgets import (
    Dialog,
    ElidedLabel,
    PlainLabel,
    ThinBar,
    button,
    in_column,
    in_row,
    label,
    timer,
)
from inexview.gui.services.tasks import LongTask, News, Tasks

if TYPE_CHECKING:
    from inexview.core.project.document_state import DocumentState


# Announcements of a screen reader: actions whose effect is outside the focus.


def announce(widget: QWidget, text: str) -> None:
    """Announce a text by the screen reader, after its current sentence."""
    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))


def state_in_words(state: DocumentState) -> str:
    """Return the judgement of a document in words, for a screen reader."""
    passages = len(state.marks)
    said = [
        f"{counted(passages, 'passage')}, {counted(state.size, 'character')}"
        if passages
        else "nothing marked"
    ]
    if state.relevant:
        said.append("no best entry point" if state.bep is None else f"best entry point at {state.bep:,}")
    if state.finished:
        said.append("finished")
    return "; ".join(said)


log = logging.getLogger(__name__)


class MessageKind(Enum):
    """The severity of a message; it decides colour, symbol and duration."""

    INFO = "info"
    WARNING = "warning"
    REFUSED = "refused"  # a rule forbids the action; the next action removes the message
    ERROR = "error"


SYMBOLS = {MessageKind.INFO: "✓", MessageKind.WARNING: "!", MessageKind.REFUSED: "!", MessageKind.ERROR: "✕"}
STAYS = {  # milliseconds; 0: until closed
    MessageKind.INFO: 5_000,
    MessageKind.WARNING: 0,
    MessageKind.REFUSED: 12_000,
    MessageKind.ERROR: 0,
}
TO_ACT = 12_000  # minimum milliseconds of a message with a button


KEPT = 500  # messages in the list of messages
WIDTH = 620
LISTED = 4  # visible lines of a list; a button shows the others
BESIDE = 420  # pixels of width from which buttons are beside the text
ABOVE = 14  # pixels between the bar and the bottom of its parent


def _always() -> bool:
    return True


class Offer(NamedTuple):
    """A button of a message, and its action."""

    button: str
    action: Callable[[], object]


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence to the user, with optional buttons."""

    kind: MessageKind
    text: str
    button: str = ""
    action: Callable[[], object] | None = None
    lines: tuple[str, ...] = ()
    """The whole list, if the text names only some of its items."""
    holds: bool = False
    """Whether the message stays true until it is withdrawn; successes do not replace it."""
    more: tuple[Offer, ...] = ()
    """Further buttons."""
    stands: Callable[[], bool] = _always
    """Whether the message still applies: its document is open, or its step was not undone."""

    @property
    def offers(self) -> tuple[Offer, ...]:
        first = () if self.action is None else (Offer(self.button, self.action),)
        return (*first, *self.more)

    @property
    def is_offer(self) -> bool:
        """Whether it reports a success, with a button to undo it or to go on."""
        return self.kind is MessageKind.INFO and bool(self.offers)

    @classmethod
    def listing(cls, kind: MessageKind, text: str, lines: Sequence[str]) -> Message:
        """Make a message that ends in a list; a button shows the whole of a long one."""
        if len(lines) <= LISTED:
            return cls(kind, "\n".join([text, *lines]))
        some = [text, *lines[: LISTED - 1], f"… and {len(lines) - LISTED + 1:,} more"]
        return cls(kind, "\n".join(some), "Show all", lambda: show_lines(text, lines), (text, *lines))

    @classmethod
    def together(cls, text: str, messages: Sequence[Message]) -> Message:
        """Combine messages into one with the highest severity, so that none hides another.

        Each has a line or more; a button is kept if it is the only one.
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
        """Return the message as an item of a list, or its items if it is a list with this heading."""
        first, *others = self.lines or self.text.splitlines()
        return others if first == heading else [f"• {first}", *(f"   {line}" for line in others)]


_ROOM = "Free some space, or choose another disk."
REMEDIES = {errno.ENOSPC: _ROOM, errno.EDQUOT: _ROOM, errno.EROFS: "Choose another disk."}
"""Advice if the system refuses to write a file."""


def sentence(error: Exception) -> str:
    """Return the message for an error; an unexpected one is logged with its traceback."""
    if isinstance(error, InexviewError):
        return as_sentence(str(error))
    if isinstance(error, OSError):
        message = f"{error.filename or 'The file'}: {error.strerror or error}."
        return " ".join(filter(None, (message, REMEDIES.get(error.errno or 0))))
    log.error("unexpected error", exc_info=error)
    return (
        f"That did not work, and it is inexview's fault ({type(error).__name__}). Your judgements are saved."
    )


def as_sentence(text: str) -> str:
    """Return a text with a capital and a full stop; a leading file name stays unchanged."""
    first = text.split(maxsplit=1)[0] if text.strip() else ""
    begun = text[0].upper() + text[1:] if first.isalpha() else text
    return begun if begun.endswith((".", "!", "?", "…")) else f"{begun}."


class Messages(QFrame):
    """The bar that shows one message at a time; unread warnings and errors return after it.

    It floats at the bottom of its parent widget.  If it is not ``floating``, a layout places it, so that it
    covers nothing.
    """

    cleared = Signal(object)  # None: a less urgent message may be shown

    def __init__(self, parent: QWidget, *, floating: bool = True) -> None:
        super().__init__(parent)
        self._area = parent
        self._floating = floating
        self.setProperty("floating", floating)
        self.setObjectName("messages")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.current: Message | None = None
        self._unread: list[Message] = []  # unread messages, shown again after the current one
        self._said: deque[tuple[datetime, Message]] = deque(maxlen=KEPT)
        self._symbol = QLabel()
        self._symbol.setObjectName("symbol")
        self._text = PlainLabel(
            wordWrap=True, textInteractionFlags=Qt.TextInteractionFlag.TextSelectableByMouse
        )
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
        self._body = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._body.addLayout(said, 1)
        self._body.addLayout(self._choices)
        self._row = in_row((self._body, 1), close, on=self, margins=(14, 9, 8, 9), spacing=10)
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.close_message)
        parent.installEventFilter(self)
        self.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the buttons below the text if the bar is narrow."""
        super().resizeEvent(event)
        directions = QBoxLayout.Direction
        beside = self.width() >= BESIDE
        self._body.setDirection(directions.LeftToRight if beside else directions.TopToBottom)

    def say(self, message: Message) -> None:
        """Show a message before all others, unless one holds and this one reports a success."""
        before = self.current
        if message.kind is MessageKind.INFO and before is not None and before.holds:
            return
        if before is not None and (not STAYS[before.kind]):
            self._unread.append(before)
        self._unread = [unread for unread in self._unread if unread.text != message.text]
        if not self._said or self._said[-1][1].text != message.text:
            self._said.append((datetime.now(), message))
        self._show(message)

    def show_said(self) -> None:
        """Show all messages of this window, the last first, with all their lines."""
        lines: list[str] = []
        for when, message in reversed(self._said):
            first, *others = message.lines or message.text.splitlines()
            lines += [f"{when:%H:%M:%S} {SYMBOLS[message.kind]} {first}", *(f"    {line}" for line in others)]
        show_lines("Messages, the last first", lines or ["None yet."], self.window())

    def _show(self, message: Message) -> None:
        self.current = message
        self._symbol.setText(SYMBOLS[message.kind])
        set_look(self, "kind", message.kind.value, self._symbol)
        self._text.setText(message.text)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        offers = message.offers
        while len(self._buttons) < len(offers):
            self._add_button()
        for at, offered in enumerate(self._buttons):
            if at < len(offers):
                offered.setText(offers[at].button)
                offered.setAccessibleDescription(message.text)
            offered.setVisible(at < len(offers))
        self.setAccessibleName(message.text)
        announce(self, message.text)
        self._place()
        self.show()
        self.raise_()
        self._timer.stop()
        if stays := STAYS[message.kind]:
            self._timer.start(max(stays, TO_ACT) if message.offers else stays)

    def _add_button(self) -> QPushButton:
        button, at = QPushButton(), len(self._buttons)
        button.clicked.connect(lambda _checked: self._act(at))
        self._buttons.append(button)
        self._choices.addWidget(button)
        return button

    def say_all(self, messages: Sequence[Message]) -> None:
        """Collect the messages about files opened together into one."""
        if messages:
            if any(message is self.current for message in messages):
                self.current = None  # it is in the combined message
            self.say(Message.together("There are problems:", messages))

    def say_also(self, message: Message) -> None:
        """Show a message combined with unread warnings and errors."""
        before = self.current
        unread = before is not None and before.kind is not MessageKind.INFO
        self.say_all([before, message] if before is not None and unread else [message])

    def info(self, text: str, stands: Callable[[], bool] = _always) -> None:
        """Show information, as long as ``stands`` returns True."""
        self.say(Message(MessageKind.INFO, text, stands=stands))

    def add(self, text: str, *offers: Offer) -> None:
        """Add a message to a success that can be undone, with the buttons of both; else show it alone."""
        current = self.current
        if current is None or not current.is_offer:
            self.say(Message(MessageKind.INFO, text, more=offers))
        elif text in current.text:
            self.say(current)
        else:
            self.say(replace(current, text=f"{current.text} {text}", more=(*current.more, *offers)))

    def warn(self, text: str, stands: Callable[[], bool] = _always) -> None:
        """Show a warning, as long as ``stands`` returns True."""
        self.say(Message(MessageKind.WARNING, text, stands=stands))

    def error(self, error: Exception) -> None:
        kind = MessageKind.REFUSED if isinstance(error, JudgementError) else MessageKind.ERROR
        first, *others = sentence(error).split("\n")
        self.say(Message.listing(kind, first, others))

    def settle(self) -> None:
        """Remove a refusal after another action."""
        if self.current is not None and self.current.kind is MessageKind.REFUSED:
            self.close_message()

    def look_again(self) -> None:
        """Remove messages whose document or step no longer applies."""
        self._unread = [message for message in self._unread if message.stands()]
        if self.current is not None and not self.current.stands():
            self.close_message()

    def leave(self) -> None:
        """Remove successes and refusals of the page that was left."""
        if self.current is not None and self.current.kind in (MessageKind.INFO, MessageKind.REFUSED):
            self.close_message()

    def withdraw(self, message: Message | None) -> None:
        """Remove this message, which is no longer true, if it is still there."""
        self._unread = [unread for unread in self._unread if unread is not message]
        if message is not None and self.current is message:
            self.close_message()

    def clear(self) -> None:
        self._unread.clear()
        self.close_message()

    def close_message(self) -> None:
        """Remove the current message; then an unread one is shown again."""
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


def show_lines(heading: str, lines: Sequence[str], parent: QWidget | None = None) -> QDialog:
    """Show a long list in its own window, for reading, searching and copying."""
    dialog = Dialog(parent or QApplication.activeWindow())
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle("inexview")
    dialog.resize(620, 460)
    message = label(heading, wrap=True)
    text = QPlainTextEdit(unturned("\n".join(lines)), readOnly=True)
    text.setAccessibleName(heading)
    close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    close.rejected.connect(dialog.reject)
    in_column(message, text, close, on=dialog, margins=(18, 16, 18, 14))
    dialog.open()
    return dialog


def ask(parent: QWidget | None, question: str, detail: str, yes: str, no: str = "Cancel") -> bool:
    """Ask before an action that cannot be undone; return whether the answer is ``yes``."""
    return ask_which(parent, question, detail, yes, no=no) == yes


def ask_which(parent: QWidget | None, question: str, detail: str, *answers: str, no: str = "Cancel") -> str:
    """Ask which way to take; the first one is the default, and ``no`` and Esc choose none."""
    box = QMessageBox(QMessageBox.Icon.Question, "inexview", question, parent=parent)
    box.setInformativeText(detail)
    buttons = [(box.addButton(answer, QMessageBox.ButtonRole.AcceptRole), answer) for answer in answers]
    box.addButton(no, QMessageBox.ButtonRole.RejectRole)
    box.exec()
    if not isValid(box):  # its window was closed under it
        return no
    clicked = box.clickedButton()  # not by its text: some desktops add a mnemonic to it
    return next((answer for button, answer in buttons if button is clicked), no)


# The strip at the bottom for long tasks: name, progress, and a button to cancel.
#
# Each task has its own line. Short tasks are not shown; a cancelled task shows this before its line
# disappears.

SHOWN_AFTER = 300  # milliseconds before a task is shown
ACTIVITY_STAYS = 2_500  # milliseconds for which a line reports that its task was cancelled
LOOKS = 50  # milliseconds between checks of both
SHARE = 0.5  # share of the bar's width that tasks cover
TELLING = 4.0  # seconds of progress before the rest is estimated


class WorkLine(QWidget):
    """A long task: its name, its progress, a bar, and a button that cancels it (as does Esc)."""

    def __init__(self, task: LongTask) -> None:
        super().__init__()
        self.task = task
        self.due = perf_counter() + SHOWN_AFTER / 1000  # when it appears and, once cancelled, disappears
        self.ended = False
        self._first: tuple[float, News] | None = (
            None  # the first progress report of the current part, and its time
        )
        self._what = ElidedLabel(task.what, role="value")  # a long name must not widen the window
        self.news = ElidedLabel("", role="muted")
        self._bar = ThinBar()
        self.button = button("Cancel", "small")
        self.button.setAccessibleName(f"Cancel: {task.what}")
        self.button.setToolTip("Cancel this; open files and judgements do not change (Esc)")
        self.button.clicked.connect(self.give_up)
        self.button.installEventFilter(self)
        in_row(
            self._what,
            (self.news, 3),
            (self._bar, 2),
            self.button,
            on=self,
            margins=(14, 1, 8, 1),
            spacing=14,
        )
        self.setAccessibleName(task.what)

    def show_news(self) -> None:
        news = self.task.news
        if news is None or self.task.stopping:
            return
        now = perf_counter()
        if self._first is None or self._first[1].what != news.what:
            self._first = (now, news)
        self._bar.show_share(min(news.done / news.total, 1.0) if news.total else None)
        self.news.set_text(activity_sentence(news, _left(news, self._first[1], now - self._first[0])))
        self._bar.setAccessibleName(self.news.full_text)

    def give_up(self) -> None:
        self.task.give_up()
        self.button.setEnabled(False)
        self.news.set_text("stopping…")

    def show_given_up(self) -> None:
        """Report for a while that the task stopped, without bar and button."""
        self.due = perf_counter() + ACTIVITY_STAYS / 1000
        self.ended = True
        self._bar.hide()
        self.button.hide()
        self.news.set_text("cancelled")
        announce(self, f"{self.task.what}: cancelled")

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Escape:
                self.give_up()
                return True
        elif event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            event.setAccepted(event.key() == Qt.Key.Key_Escape)
            return event.isAccepted()
        return False


class Activity(QWidget):
    """The running long tasks, one line each; hidden without any."""

    def __init__(self, *all_tasks: Tasks) -> None:
        super().__init__()
        self.setObjectName("activity")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.lines: list[WorkLine] = []
        self._over: tuple[QWidget, QWidget] | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 1, 0, 1)
        self._column.setSpacing(0)
        # Its own timer: a single shot with a line as its context crashes if the line is deleted first.
        self._look_again = timer(self, self._look, LOOKS, repeats=True)
        for tasks in all_tasks:
            tasks.begun.connect(self._begin)
            tasks.progressed.connect(self._go_on)
            tasks.ended.connect(self._end)
        self.hide()
        for tasks in all_tasks:
            for task in tasks.long:
                self._begin(task)

    def lie_over(self, body: QWidget, bar: QWidget) -> None:
        """Cover the right part of the bottom bar; several lines extend above it.

        So nothing else moves when a task starts or ends.
        """
        self._over = body, bar
        self.setParent(body)
        body.installEventFilter(self)

    def _place(self) -> None:
        if self._over is not None:
            body, bar = self._over
            room, high = body.rect(), max(self.sizeHint().height(), bar.height())
            self.setGeometry(room.adjusted(round((1 - SHARE) * room.width()), room.height() - high, 0, 0))
            self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize:
            self._place()
        return False

    def _begin(self, task: LongTask) -> None:
        line = WorkLine(task)
        line.hide()
        self.lines.append(line)
        self._column.addWidget(line)
        self._look_again.start()

    def _look(self) -> None:
        """Show tasks that take long, and remove lines of cancelled tasks after a while."""
        now = perf_counter()
        for line in [line for line in self.lines if line.due <= now]:
            if line.isHidden():
                self._show(line)
            elif line.ended:
                self._remove(line)

    def _show(self, line: WorkLine) -> None:
        line.show_news()
        line.show()
        self._place()
        self.show()
        announce(line, line.task.what)

    def _go_on(self, task: LongTask) -> None:
        for line in self.lines:
            if line.task is task:
                line.show_news()

    def _end(self, task: LongTask) -> None:
        for line in [line for line in self.lines if line.task is task]:
            if task.stopping and line.isVisible():
                line.show_given_up()
            else:
                self._remove(line)

    def _remove(self, line: WorkLine) -> None:
        self.lines.remove(line)
        if not self.lines:
            self._look_again.stop()
        self._column.removeWidget(line)
        line.hide()
        line.deleteLater()
        self.setVisible(any(not other.isHidden() for other in self.lines))
        self._place()


def activity_sentence(news: News, left: float | None = None) -> str:
    """Return the progress in words, and the remaining seconds if they can be estimated."""
    message = (
        f"{news.done:,} {news.what}" if news.total is None else f"{news.done:,} of {news.total:,} {news.what}"
    )
    if left is None:
        return message
    minutes = ceil(left / 60)
    return f"{message} · " + ("less than a minute left" if minutes <= 1 else f"about {minutes} min left")


def _left(news: News, first: News, seconds: float) -> float | None:
    """Estimate the remaining seconds from the speed so far; None if it is too early."""
    gone = news.done - first.done
    if news.total is None or seconds < TELLING or gone <= 0:
        return None
    return max(news.total - news.done, 0) * seconds / gone
