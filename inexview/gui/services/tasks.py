"""The one way to run work off the window's thread and to come back.

``tasks.run(work, done)`` calls ``work()`` in a worker thread and then ``done(result)`` in the window's
thread.  ``tasks.run_long(what, work, done)`` does so with work that may take minutes: ``work(progress)`` says
how far it is and can be told to stop, and what listens to ``begun`` shows it.  An error goes to ``failed``
(or to the messages), never to the user as a traceback.  Work must not touch widgets; ``done`` may.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from threading import Event
from time import perf_counter
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from inexview.core.errors import BusyError
from inexview.core.progress import Cancelled, Progress
from inexview.gui.look.widgets import OwnTurn

# When a window has settled: what was chosen last is painted, and for a moment nothing else was chosen.
#
# What can wait begins then.  Beside a window that paints it would take Python's lock from it, turn by turn.

SETTLED = 60  # milliseconds in which what was chosen is painted, and another key of a held one comes


class Settling(QObject):
    """Holds back what can wait; what chooses or paints something says so by :meth:`unsettle`."""

    unsettled = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.settled = True
        """May be read in any thread."""
        self._waiting: dict[Callable[[], object], None] = {}
        self._soon = OwnTurn(self, SETTLED)
        self._soon.come.connect(self._settle)

    def unsettle(self) -> None:
        """Note that something was chosen, or painted: all that waits does so for another moment."""
        self.settled = False
        self._soon.start()
        self.unsettled.emit()

    def wait(self, work: Callable[[], object]) -> None:
        """Do something once the window has settled, in a moment at the earliest; asked twice, once."""
        self._waiting[work] = None
        if not self._soon.active:
            self._soon.start()

    def forget(self, work: Callable[[], object]) -> None:
        self._waiting.pop(work, None)

    def close(self) -> None:
        self._soon.stop()
        self._waiting.clear()

    def _settle(self) -> None:
        self.settled = True
        waiting, self._waiting = self._waiting, {}
        for work in waiting:
            work()


# The one way to do work in the window's own thread: a slice of it in each turn of the event loop.
#
# What belongs to this thread (a project, a text document) is worked on by a generator that yields after
# every few milliseconds. It is asked to go on for `seconds` at a time, and in between the window has its
# turn.

SLICE = 0.012  # seconds


class Slices(QObject):
    """Works through the steps of one generator at a time; an error that it raises ends it and goes on up."""

    def __init__(
        self,
        parent: QObject,
        *,
        seconds: float | None = None,
        pause: int = 0,
        settling: Settling | None = None,
    ) -> None:
        """``seconds``: how long a slice is, 0 for a single step; ``pause``: milliseconds between two.

        With ``settling`` none is taken while that window has something to paint.
        """
        super().__init__(parent)
        self._seconds = seconds
        self._pause = pause
        self._settling = settling
        self._steps: Iterator[object] | None = None
        self._done: Callable[[Any], object] = lambda result: None
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.take_turn)

    @property
    def active(self) -> bool:
        return self._steps is not None

    def start(self, steps: Iterator[object], done: Callable[[Any], object] = lambda result: None) -> None:
        """Begin in the next turn, in place of what was under way; ``done`` gets what ``steps`` returns."""
        self._steps, self._done = steps, done
        self._timer.start(self._pause)

    def wait(self, milliseconds: int) -> None:
        """Go on in so many milliseconds, and then as before."""
        if self.active:
            self._timer.start(milliseconds)

    def stop(self) -> None:
        self._steps = None
        self._timer.stop()

    def take_turn(self) -> None:
        steps = self._steps
        if steps is None:
            return
        if self._settling is not None and not self._settling.settled:
            self._timer.start(SETTLED)
            return
        if self._timer.interval() != self._pause:
            self._timer.setInterval(self._pause)
        end = perf_counter() + (SLICE if self._seconds is None else self._seconds)
        try:
            next(steps)
            while self._steps is steps and perf_counter() < end:
                next(steps)
        except StopIteration as stop:
            if self._steps is steps:
                self.stop()
                self._done(stop.value)
        except BaseException:
            self.stop()
            raise


T = TypeVar("T")
log = logging.getLogger(__name__)

AT_MOST_EVERY = 0.1  # seconds between two pieces of news of long work
THREADS = "inexview-tasks"  # what the threads' names begin with
PATIENCE = 2.0  # seconds for which closing waits for what only reads: a drive may never answer
OF_ARTICLES = 3  # as many threads touch articles; their place may never answer, and nothing else waits for it
AT_ONCE = 4  # long works that run side by side; they wait for one another's files rather than compute


@dataclass(frozen=True, slots=True)
class News:
    """How far long work is: ``done`` of ``total`` (None: no one knows), and of what."""

    what: str
    done: int
    total: int | None


class BackgroundTask:
    """Work under way; ``cancel`` makes its outcome unwanted (work already running runs to its end)."""

    def __init__(
        self,
        work: Callable[[], Any],
        done: Callable[[Any], object],
        failed: Callable[[Exception], None],
        *,
        saves: bool = False,
    ) -> None:
        """``saves``: it writes what somebody wants to have, and goes on to its end when all is closed."""
        self.work = work
        self.done = done
        self.failed = failed
        self.saves = saves
        self.cancelled = False
        self.running: Future[None] | None = None
        self.result: Any = None
        self.error: Exception | None = None
        self.over = self.handed_on = False

    def do(self) -> None:
        """Do the work, in whichever thread this is called."""
        if not self.cancelled:
            try:
                self.result = self.work()
            except Exception as error:  # noqa: BLE001 - every error is handed to the window's thread
                self.error = error
        self.over = True

    def cancel(self) -> None:
        """Make sure that neither ``done`` nor ``failed`` is called any more."""
        self.cancelled = True


class LongTask(BackgroundTask):
    """Long work under way: what it is, how far it is, and the wish that it stop."""

    def __init__(
        self,
        what: str,
        work: Callable[[Progress], Any],
        done: Callable[[Any], object],
        failed: Callable[[Exception], None],
        given_up: Callable[[], None],
        tell: Callable[[tuple[LongTask, News]], None],
        *,
        saves: bool = False,
    ) -> None:
        super().__init__(lambda: work(self.hear), done, failed, saves=saves)
        self.what = what
        self.given_up = given_up
        self.news: News | None = None
        self._tell = tell
        self._stop = Event()
        self._last_news = 0.0

    @property
    def stopping(self) -> bool:
        """Whether somebody gave it up; the worker notices at its next piece of news."""
        return self._stop.is_set()

    def give_up(self) -> None:
        self._stop.set()

    def cancel(self) -> None:
        """Have the work stop, and call no one."""
        super().cancel()
        self._stop.set()

    def hear(self, what: str, done: int, total: int | None) -> None:
        """Take news where the work is done, and pass some of it on: the window needs no thousand a second.

        Raises Cancelled where the work was given up.
        """
        if self._stop.is_set():
            raise Cancelled
        now = perf_counter()
        if now - self._last_news >= AT_MOST_EVERY:
            self._last_news = now
            self._tell((self, News(what, done, total)))


def _close(result: Any) -> None:
    """Close what a task opened and no one takes any more."""
    if callable(close := getattr(result, "close", None)):
        close()


_reading_on: list[tuple[Tasks, list[Future[None]]]] = []


def reads_on() -> bool:
    """Tell whether something reads still whose window is closed: a drive may never answer."""
    return any(not future.done() for _tasks, left in _reading_on for future in left)


class Tasks(QObject):
    """Runs work in a small pool of threads and brings results back to the thread that owns this object."""

    begun = Signal(object)  # LongTask
    progressed = Signal(object)  # LongTask, whose news are newer
    ended = Signal(object)  # LongTask, before its outcome is handed on
    _finished = Signal(object)
    _news = Signal(object)  # tuple[LongTask, News]

    def __init__(self, failed: Callable[[Exception], None], parent: QObject | None = None) -> None:
        """``failed`` is told every error for which a task brought no ``failed`` of its own."""
        super().__init__(parent)
        self._failed = failed
        self.settling = Settling(self)
        self._under_way: set[BackgroundTask] = set()
        self._here: dict[LongTask, Slices] = {}  # what goes on in this thread
        self._closed = False
        # What somebody waits for never queues behind what no one does, nor behind what takes minutes.
        # Python's threads: a QRunnable that ends at once is now and then kept for good, with all it holds.
        self._soon, self._idle, self._articles, self._long = (
            ThreadPoolExecutor(threads, THREADS) for threads in (2, 2, OF_ARTICLES, AT_ONCE)
        )
        self._finished.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        self._news.connect(self._hear, Qt.ConnectionType.QueuedConnection)

    def run(
        self,
        work: Callable[[], T],
        done: Callable[[T], object],
        failed: Callable[[Exception], None] | None = None,
        *,
        urgent: bool = True,
        of_articles: bool = False,
        when_settled: bool = False,
        saves: bool = False,
    ) -> BackgroundTask:
        """Start ``work``; what is not urgent (reading titles) leaves the way free for what is.

        What is ``of_articles`` touches their place for who waits for one: it has threads of its own.

        It may start only ``when_settled``, and then not at all where it is cancelled before: so it takes no
        time from a window that is to be painted, nor from who goes on.  What ``saves`` is never given up.
        """
        task = BackgroundTask(work, done, failed or self._failed, saves=saves)
        pool = self._articles if of_articles else self._soon if urgent else self._idle
        if when_settled:
            self.settling.wait(lambda: None if task.cancelled else self._start(pool, task))
        else:
            self._start(pool, task)
        return task

    def run_long(
        self,
        what: str,
        work: Callable[[Progress], T],
        done: Callable[[T], object],
        failed: Callable[[Exception], None] | None = None,
        given_up: Callable[[], None] = lambda: None,
        *,
        saves: bool = False,
    ) -> LongTask:
        """Start work that tells how far it is; ``what`` says for a person what it does ("Indexing x.zip").

        Where it is given up, ``given_up`` is called in place of ``done``, and nothing is an error.  What
        ``saves`` is given up by a person alone.
        """
        task = LongTask(what, work, done, failed or self._failed, given_up, self._news.emit, saves=saves)
        self._start(self._long, task)
        self.begun.emit(task)
        return task

    def wait_for(self, task: BackgroundTask, seconds: float) -> None:
        """Wait for a task that is done in a moment as a rule, and hand on its outcome if it is."""
        if task.running is not None and wait([task.running], seconds).done and task.over:
            self._deliver(task)

    @property
    def long(self) -> list[LongTask]:
        return [task for task in self._under_way if isinstance(task, LongTask)]

    def run_here(
        self,
        what: str,
        steps: Generator[News, None, T],
        done: Callable[[T], object],
        given_up: Callable[[], None] = lambda: None,
    ) -> LongTask:
        """Do long work that belongs to the window's thread, as all of a project does: a few steps at a time.

        ``steps`` yields its news after each of them (some 10 ms of work) and returns the result.
        """
        task = LongTask(what, lambda _progress: None, done, self._failed, given_up, self._hear)
        self._under_way.add(task)
        self._here[task] = Slices(self)
        self.begun.emit(task)
        self._here[task].start(self._stoppable(task, steps), self._deliver)
        return task

    def _stoppable(
        self, task: LongTask, steps: Generator[News, None, Any]
    ) -> Generator[None, None, LongTask]:
        """Go through steps until they end or are given up."""
        try:
            while not task.stopping:
                news = next(steps)
                task.hear(news.what, news.done, news.total)
                yield
            task.error = Cancelled()
        except StopIteration as stop:
            task.result = stop.value
        except Exception as error:  # noqa: BLE001 - as in BackgroundTask.do
            task.error = error
        return task

    def close(self, when_read: Callable[[], object] = lambda: None) -> bool:
        """Give up what waits, tell long work to stop, and wait for what runs; nothing starts after this.

        What saves something is done to its end.  What only reads is waited for a moment, and then left alone.
        Returns whether all has ended; if not, ``when_read`` is called, in some thread, as soon as it has.
        """
        self._closed = True
        self.settling.close()
        for slices in self._here.values():
            slices.stop()
        self._here.clear()
        reading = [task for task in self._under_way if not task.saves]
        for task in reading:
            task.cancel()
        wait([task.running for task in self._under_way if task.saves and task.running is not None])
        self._under_way.clear()
        left = [task.running for task in reading if task.running is not None and not task.running.cancel()]
        all_ended = not wait(left, PATIENCE).not_done
        for pool in (self._soon, self._idle, self._articles, self._long):
            pool.shutdown(wait=all_ended)
        if not all_ended:
            self.setParent(None)  # it is told what they find
            _reading_on.append((self, left))
            for future in left:
                future.add_done_callback(lambda _one: when_read() if all(map(Future.done, left)) else None)
        return all_ended

    def _start(self, pool: ThreadPoolExecutor, task: BackgroundTask) -> None:
        if self._closed:
            return
        self._under_way.add(task)
        finished = self._finished  # so that the worker does not keep this object alive

        def work() -> None:
            task.do()
            finished.emit(task)

        task.running = pool.submit(work)

    def _hear(self, told: tuple[LongTask, News]) -> None:
        task, news = told
        if task in self._under_way:
            task.news = news
            self.progressed.emit(task)

    def _deliver(self, task: BackgroundTask) -> None:
        if task.handed_on:  # to who waited for it
            return
        task.handed_on = True
        result, error = task.result, task.error
        task.result = task.error = None  # an error's frames hold the task, and all that the work had open
        wanted = task in self._under_way  # not after closing
        self._under_way.discard(task)
        if wanted and isinstance(task, LongTask):
            if (slices := self._here.pop(task, None)) is not None:
                slices.deleteLater()
            self.ended.emit(task)
        if not wanted or task.cancelled:
            _close(result)
        elif isinstance(task, LongTask) and isinstance(error, Cancelled):
            task.given_up()
        elif error is not None:
            task.failed(error)
        else:
            task.done(result)


# How much is written to a project at a time in the window's thread: what the disk takes in a moment.

FEWEST, MOST = 50, 1_000  # rows in a step: most of what a slow disk takes is the same for one as for 50
STEP = 0.02  # seconds that a step should take, most of them for the disk
PORTIONS_PATIENCE = 10.0  # seconds for which another program may be busy with the file


class Portions:
    """The size of the next step, by how long the last one took."""

    def __init__(self, fewest: int = FEWEST) -> None:
        self.size = self._fewest = fewest

    def note(self, seconds: float) -> None:
        self.size = min(max(int(self.size * STEP / seconds), self._fewest), 2 * self.size, MOST)


def once_free(write: Callable[[], T], news: News) -> Generator[News, None, T]:
    """Write to a project, again and again while another program is busy with its file; return the result.

    Raises what ``write`` raises, BusyError after some seconds.
    """
    end = perf_counter() + PORTIONS_PATIENCE
    while True:
        try:
            return write()
        except BusyError:
            if perf_counter() > end:
                raise
        yield news
