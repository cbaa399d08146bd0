"""Background work and its results in the window's thread.

``tasks.run(work, done)`` calls ``work()`` in a worker thread and then ``done(result)`` in the window's
thread.  ``tasks.run_long(what, work, done)`` is for work that may take minutes: ``work(progress)`` reports
progress and can be cancelled; listeners of ``begun`` show it.  An error goes to ``failed`` or to the
messages, never to the user as a traceback.  Work must not touch widgets; ``done`` may.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import partial
from threading import Event
from time import perf_counter
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from shiboken6 import isValid

from inexview.core.errors import BusyError
from inexview.core.progress import Cancelled, Progress
from inexview.gui.look.widgets import OwnTurn

# A window has settled when the last choice is painted and no other choice followed for a moment.
#
# Work that can wait starts then; earlier, it would compete with painting for Python's lock.

SETTLED = 60  # milliseconds to paint a choice, and for the next repeat of a held key


class Settling(QObject):
    """Delays work that can wait; every choice and painting calls :meth:`unsettle`."""

    unsettled = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.settled = True
        """May be read in any thread."""
        self._waiting: dict[Callable[[], object], None] = {}
        self._soon = OwnTurn(self, SETTLED)
        self._soon.come.connect(self._settle)

    def unsettle(self) -> None:
        """Restart the delay after a choice or painting."""
        self.settled = False
        self._soon.start()
        self.unsettled.emit()

    def wait(self, work: Callable[[], object]) -> None:
        """Call a function once when the window has settled, never immediately; duplicates are dropped."""
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


# Work in the window's thread: a slice in each turn of the event loop.
#
# Objects of this thread (a project, a text document) are processed by a generator that yields every few
# milliseconds. It runs for `seconds` at a time, and the window handles events in between.

SLICE = 0.012  # seconds


class Slices(QObject):
    """Runs one generator at a time, step by step; an error ends it and is raised."""

    def __init__(
        self,
        parent: QObject,
        *,
        seconds: float | None = None,
        pause: int = 0,
        settling: Settling | None = None,
    ) -> None:
        """``seconds``: duration of a slice, 0 for a single step; ``pause``: milliseconds between slices.

        With ``settling``, slices wait until that window has painted.
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
        """Start in the next turn, replacing the current steps; ``done`` gets the result of ``steps``."""
        self._steps, self._done = steps, done
        self._timer.start(self._pause)

    def wait(self, milliseconds: int) -> None:
        """Continue after ``milliseconds``, and then as before."""
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

AT_MOST_EVERY = 0.1  # seconds between progress reports of a long task
THREADS = "inexview-tasks"  # prefix of the threads' names
PATIENCE = 2.0  # seconds for which closing waits for reading tasks: a drive may never answer
OF_ARTICLES = 3  # threads that access articles; a drive may never answer, and other work must not wait for it
AT_ONCE = 4  # concurrent long tasks; they mostly wait for files


@dataclass(frozen=True, slots=True)
class News:
    """The progress of a long task: ``done`` of ``total`` (None: unknown), and its unit."""

    what: str
    done: int
    total: int | None


class BackgroundTask:
    """A task; ``cancel`` drops its result, but running work runs to its end."""

    def __init__(
        self,
        work: Callable[[], Any],
        done: Callable[[Any], object],
        failed: Callable[[Exception], None],
        *,
        saves: bool = False,
    ) -> None:
        """``saves``: the task writes user data, and runs to its end even when the window closes."""
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
        """Run the work in the calling thread."""
        if not self.cancelled:
            try:
                self.result = self.work()
            except Exception as error:  # noqa: BLE001 - every error is handed to the window's thread
                self.error = error
        self.over = True

    def cancel(self) -> None:
        """Prevent later calls of ``done`` and ``failed``."""
        self.cancelled = True


class LongTask(BackgroundTask):
    """A long task with its name, progress and cancellation."""

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
        """Whether it was cancelled; the worker notices at its next progress report."""
        return self._stop.is_set()

    def give_up(self) -> None:
        self._stop.set()

    def cancel(self) -> None:
        """Stop the work without calling ``done`` or ``failed``."""
        super().cancel()
        self._stop.set()

    def hear(self, what: str, done: int, total: int | None) -> None:
        """Report progress from the worker; only some reports reach the window, to limit their rate.

        Raises Cancelled if the task was cancelled.
        """
        if self._stop.is_set():
            raise Cancelled
        now = perf_counter()
        if now - self._last_news >= AT_MOST_EVERY:
            self._last_news = now
            self._tell((self, News(what, done, total)))


def _close(result: Any) -> None:
    """Close the result of a task that was cancelled."""
    if callable(close := getattr(result, "close", None)):
        close()


_reading_on: list[tuple[Tasks, list[Future[None]]]] = []


def reads_on() -> bool:
    """Return whether tasks of closed windows are still reading: a drive may never answer."""
    return any(not future.done() for _tasks, left in _reading_on for future in left)


class Tasks(QObject):
    """Runs work in a small pool of threads and brings results back to the thread that owns this object."""

    begun = Signal(object)  # LongTask
    progressed = Signal(object)  # LongTask with new progress
    ended = Signal(object)  # LongTask, before its result is delivered
    _finished = Signal(object)
    _news = Signal(object)  # tuple[LongTask, News]

    def __init__(self, failed: Callable[[Exception], None], parent: QObject | None = None) -> None:
        """``failed`` gets the errors of tasks without their own ``failed``."""
        super().__init__(parent)
        self._failed = failed
        self.settling = Settling(self)
        self._under_way: set[BackgroundTask] = set()
        self._here: dict[LongTask, Slices] = {}  # work in this thread
        self._closed = False
        # Urgent tasks never queue behind background or long tasks.
        # Python's threads: a QRunnable that ends at once sometimes leaks, with all its references.
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
        """Start ``work``; tasks that are not ``urgent`` (reading titles) give way to urgent ones.

        Tasks ``of_articles`` read an article that the user waits for, in their own threads.

        With ``when_settled`` a task starts after the window has painted, and never if it is cancelled before
        that.  A task that ``saves`` is never cancelled.
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
        """Start work that reports progress; ``what`` is its name on the screen ("Indexing x.zip").

        If it is cancelled, ``given_up`` is called instead of ``done``, without an error.  Only the user can
        cancel a task that ``saves``.
        """
        task = LongTask(what, work, done, failed or self._failed, given_up, self._news.emit, saves=saves)
        self._start(self._long, task)
        self.begun.emit(task)
        return task

    def wait_for(self, task: BackgroundTask, seconds: float) -> None:
        """Wait briefly for a short task, and deliver its result if it is done."""
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
        """Run a long task in the window's thread, as projects need, a few steps at a time.

        ``steps`` yields its progress after each step (about 10 ms of work) and returns the result.
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
        """Run the steps until they end or are cancelled."""
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
        """Cancel waiting and long tasks, and wait for running ones; nothing starts after this.

        Tasks that save run to their end.  Reading tasks get a moment to end.  Returns whether all have ended;
        if not, ``when_read`` is called later, in any thread, when they have.
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
        finished = self._finished  # the worker must not keep this object alive

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
        task.result = task.error = None  # the frames of an error reference the task and its open files
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
            (self._failed if _is_gone(task.failed) else task.failed)(error)
        elif _is_gone(task.done):
            _close(result)
        else:
            task.done(result)


def _is_gone(callback: Callable[..., object]) -> bool:
    """Return whether a callback is a method of a dialog or window that was deleted during the task."""
    method = callback.func if isinstance(callback, partial) else callback
    owner = getattr(method, "__self__", None)
    return isinstance(owner, QObject) and not isValid(owner)


# The size of a write to a project in the window's thread, so that the disk needs only a moment.

FEWEST, MOST = 50, 1_000  # rows in a step: a slow disk takes almost the same time for one row as for 50
STEP = 0.02  # target seconds of a step, mostly for the disk
PORTIONS_PATIENCE = 10.0  # seconds for which another program may be busy with the file


class Portions:
    """The size of the next step, from the duration of the last one."""

    def __init__(self, fewest: int = FEWEST) -> None:
        self.size = self._fewest = fewest

    def note(self, seconds: float) -> None:
        self.size = min(max(int(self.size * STEP / seconds), self._fewest), 2 * self.size, MOST)


def once_free(write: Callable[[], T], news: News) -> Generator[News, None, T]:
    """Write to a project, retrying while another program locks its file; return the result.

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
