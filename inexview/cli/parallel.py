"""The same work for many things, on more than one processor: in copies of the process, or in threads."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from inexview.core.errors import InexviewError

Thing = TypeVar("Thing")
Result = TypeVar("Result")

_WORTH_IT = 16  # fewer runs, or handfuls of articles, are done before other processes have started

_work: Callable[[Any], Any]
_is_copy = False


def in_order(
    work: Callable[[Thing], Result], things: Sequence[Thing], jobs: int | None, *, at_once: bool = False
) -> Iterator[Result]:
    """Yield ``work(thing)`` for each thing, in their order.

    ``jobs`` processes share the work, which must not raise what cannot be pickled; None takes one per
    processor where it is worth it.  Copies of this process inherit everything, nothing is sent to them; what
    they do is not shared any further.  Where one process does it all, two threads share it if both may do it
    ``at_once``.  Raises InexviewError where the system has killed one of the processes.
    """
    if jobs is None:
        jobs = _processors() if len(things) >= _WORTH_IT else 1
    if min(jobs, len(things)) <= 1 or _is_copy or sys.platform not in ("linux", "freebsd"):
        yield from _in_threads(work, things) if at_once and len(things) >= _WORTH_IT else map(work, things)
        return
    # 20 ms, which a single run should not wait for.  Where they are defined: what Python 3.15 imports lazily
    # stays unresolved in a function once PySide6 6.12 is imported.
    import multiprocessing
    from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor

    copies = multiprocessing.get_context("fork")
    pool = ProcessPoolExecutor(min(jobs, len(things)), copies, _adopt, (work,))
    try:
        yield from pool.map(_do, things, chunksize=max(1, min(8, len(things) // (4 * jobs))))
    except BrokenProcessPool:
        raise InexviewError(
            "a process that shared the work was killed, perhaps for want of memory: try --jobs 1"
        ) from None
    finally:
        pool.shutdown(cancel_futures=True)


def _in_threads(work: Callable[[Thing], Result], things: Sequence[Thing]) -> Iterator[Result]:
    """Have two threads share the work: while numpy computes for one of them, the other goes on.

    A hundred runs take 3.0 s instead of 4.2.  A third thread brings nothing: all wait for Python's lock then.
    """
    from concurrent.futures.thread import ThreadPoolExecutor

    threads = ThreadPoolExecutor(2)
    try:
        yield from threads.map(work, things)
    finally:
        threads.shutdown(cancel_futures=True)


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def _adopt(work: Callable[[Any], Any]) -> None:
    """Keep, in a new process, what it is to do."""
    global _work, _is_copy
    _work, _is_copy = work, True
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C ends the first process, which ends this one


def _do(thing: Any) -> Any:
    return _work(thing)
