"""One process at a time makes what is kept of a collection; the others wait and use it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic

from inexview.core.collection.archives.source import PAUSE
from inexview.core.progress import Progress


@contextmanager
def locked(path: Path, what: str, progress: Progress) -> Iterator[None]:
    """Hold a lock that the system frees when the process dies; say how long one waits for it.

    ``what`` is made meanwhile ("list").  Raises Cancelled.
    """
    from filelock import FileLock

    lock = FileLock(path)
    began = monotonic()
    while True:
        with suppress(TimeoutError):
            lock.acquire(timeout=PAUSE)
            break
        progress(
            f"seconds waited for another inexview, which makes the same {what}",
            int(monotonic() - began),
            None,
        )
    try:
        yield
    finally:
        lock.release()
