"""The strip at the foot that shows long work: what it is, how far it is, and how to stop it.

Each work has a line of its own.  What is done in a moment is never shown; what was given up says so before
its line goes.
"""

from __future__ import annotations

from math import ceil
from time import perf_counter

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inexview.gui.look.layouts import in_row, timer
from inexview.gui.look.widgets import ElidedLabel, ThinBar, button, label
from inexview.gui.services.announce import announce
from inexview.gui.services.tasks import LongTask, News, Tasks

SHOWN_AFTER = 300  # milliseconds: what is done by then needs no words
STAYS = 2_500  # milliseconds for which a line says that its work was given up
LOOKS = 50  # milliseconds between two looks at which of the two is due
SHARE = 0.5  # of a bar's width that work lies over
TELLING = 4.0  # seconds of news after which the rest can be foretold


class WorkLine(QWidget):
    """One long work: its name, its news, a bar, and a button that gives it up (so does Esc)."""

    def __init__(self, task: LongTask) -> None:
        super().__init__()
        self.task = task
        self.due = perf_counter() + SHOWN_AFTER / 1000  # when it is shown, and once given up, when it goes
        self.ended = False
        self._first: tuple[float, News] | None = None  # the first news of the part that it is at, and when
        self._what = label(task.what, "value")
        self._news = ElidedLabel("", role="muted")
        self._bar = ThinBar()
        self.button = button("Cancel", "small")
        self.button.setAccessibleName(f"Cancel: {task.what}")
        self.button.setToolTip("Stop this; what is open and what is judged stays as it is (Esc)")
        self.button.clicked.connect(self.give_up)
        self.button.installEventFilter(self)
        in_row(
            self._what,
            (self._news, 3),
            (self._bar, 2),
            self.button,
            on=self,
            margins=(14, 1, 8, 1),
            spacing=14,
        )
        self.setAccessibleName(task.what)

    @property
    def text(self) -> str:
        """What the line says after the name of the work."""
        return self._news.full_text

    def show_news(self) -> None:
        news = self.task.news
        if news is None or self.task.stopping:
            return
        now = perf_counter()
        if self._first is None or self._first[1].what != news.what:
            self._first = (now, news)
        self._bar.show_share(min(news.done / news.total, 1.0) if news.total else None)
        self._news.set_text(sentence(news, _left(news, self._first[1], now - self._first[0])))
        self._bar.setAccessibleName(self._news.full_text)

    def give_up(self) -> None:
        self.task.give_up()
        self.button.setEnabled(False)
        self._news.set_text("stopping…")

    def show_given_up(self) -> None:
        """Say that it stopped, without a bar or a button, for a while."""
        self.due = perf_counter() + STAYS / 1000
        self.ended = True
        self._bar.hide()
        self.button.hide()
        self._news.set_text("given up")
        announce(self, f"{self.task.what}: given up")

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
    """The long works under way, one line each; not there while there is none."""

    def __init__(self, *all_tasks: Tasks) -> None:
        super().__init__()
        self.setObjectName("activity")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.lines: list[WorkLine] = []
        self._over: tuple[QWidget, QWidget] | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 1, 0, 1)
        self._column.setSpacing(0)
        # One timer of its own: a single shot with a line as its context crashes where the line goes first.
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
        """Lie over the right part of the bar along the foot of a window's body, several lines higher than it.

        So nothing else moves when work begins or ends.
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
        """Show what has taken long enough, and let go what has said long enough that it was given up."""
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


def sentence(news: News, left: float | None = None) -> str:
    """Say how far work is, and how many seconds it will still take where that can be told."""
    told = (
        f"{news.done:,} {news.what}" if news.total is None else f"{news.done:,} of {news.total:,} {news.what}"
    )
    if left is None:
        return told
    minutes = ceil(left / 60)
    return f"{told} · " + ("less than a minute left" if minutes <= 1 else f"about {minutes} min left")


def _left(news: News, first: News, seconds: float) -> float | None:
    """Foretell how many seconds are left from how fast it went so far; None where that says nothing yet."""
    gone = news.done - first.done
    if news.total is None or seconds < TELLING or gone <= 0:
        return None
    return max(news.total - news.done, 0) * seconds / gone
