"""The common parts of all commands: exit statuses, errors, and output to the terminal."""

from __future__ import annotations

import os
import signal
import sys
from argparse import ArgumentParser, Namespace, _ActionsContainer
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from threading import Lock
from time import monotonic
from types import TracebackType
from typing import Any, Self, TextIO, TypeVar

from inexview.core.collection.record_keys import USUAL_KEYS, RecordKeys
from inexview.core.errors import DataError, InexviewError
from inexview.core.wording import visible

FINE = 0
PROBLEMS = 1
BAD_INPUT = 2
# The status that a shell reports for a command ended by a signal.
INTERRUPTED = 128 + 2
_PIPE_CLOSED = 128 + 13

_DASH = Path("-")
_WRITTEN = {
    "chart", "corrected", "curve", "intersection", "into", "out", "output", "project", "stability_chart",
    "union",
}  # fmt: skip
"""The arguments of all commands that name files to write, or projects, which cannot be pipes."""
_MOST = 4 << 30  # bytes of a pipe: an endless one is stopped before it fills the disk
_PIECE = 1 << 20

# Names in errors for paths that users do not know.
_NAMES: dict[str, str] = {}


def guarded(command: Callable[[], int]) -> int:
    """Run a command and return its exit status; errors caused by users are printed as sentences on stderr."""
    try:
        status = command()
        sys.stdout.flush()
    except InexviewError as error:
        complain(str(error))
        return BAD_INPUT
    except BrokenPipeError:  # the reader of our output has read enough
        _give_up(sys.stdout)
        return _PIPE_CLOSED
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        complain(f"{where}{(error.strerror or str(error)).lower()}")
        _give_up(sys.stdout)
        return BAD_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        _give_up(sys.stderr)
    return status


def _give_up(stream: TextIO) -> None:
    """Discard unwritten output of a stream: at exit Python would try again, and change the exit status."""
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def complain(sentence: str) -> None:
    """Print a sentence on stderr; if that fails, only the exit status reports it."""
    for path, name in _NAMES.items():
        sentence = sentence.replace(path, name)
    with suppress(OSError):
        print(f"inexview: {visible(sentence)}", file=sys.stderr)


def add_collection_argument(parser: ArgumentParser, help: str, *, required: bool = False) -> None:
    parser.add_argument("-C", "--collection", type=Path, required=required, metavar="COLLECTION", help=help)


def add_keys_argument(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--keys",
        default="",
        metavar="KEYS",
        help="names of the fields in the collection's records: id=uuid,text=body,title=headline; for a "
        "table, the column names in its first line, or column numbers from 1",
    )


def keys_of(arguments: Namespace) -> RecordKeys:
    """Return the names of the fields of records; raises InexviewError."""
    written = getattr(arguments, "keys", "")
    return RecordKeys.parse(written) if written else USUAL_KEYS


def name_path(path: Path, name: str) -> None:
    """Use ``name`` in errors instead of a path that users do not know."""
    _NAMES[str(path)] = name


@contextmanager
def standard_input(arguments: Namespace) -> Iterator[None]:
    """Replace ``-`` among the files that a command reads by a file with the content of standard input.

    Raises InexviewError if two of them are ``-``, and if standard input is closed or does not end.
    """
    named = [(name, value) for name, value in vars(arguments).items() if name not in _WRITTEN]
    places = sum((value if isinstance(value, list) else [value]).count(_DASH) for _, value in named)
    if not places:
        yield
        return
    if places > 1:
        raise InexviewError("standard input (-) can be used only once")
    if sys.stdin is None:  # the shell closed it: <&-
        raise InexviewError("standard input (-) is closed: name a file")
    import tempfile  # rarely needed

    with tempfile.TemporaryDirectory(prefix="inexview-") as folder:
        spool = Path(folder, "input")
        name_path(spool, "standard input")
        with spool.open("wb") as file:
            while piece := sys.stdin.buffer.read(_PIECE):
                file.write(piece)
                if file.tell() > _MOST:
                    raise InexviewError("standard input (-) gives more than 4 GB: save it to a file first")
        for name, value in named:
            if isinstance(value, list):
                value = [spool if one == _DASH else one for one in value]
            setattr(arguments, name, spool if value == _DASH else value)
        yield


def careful_output() -> None:
    """Ensure that stdout exists and accepts every character, and escape control characters on a terminal."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the program that started this one
            nowhere = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 (until the end)
            setattr(sys, name, nowhere)
    out = sys.stdout
    if isinstance(out, TextIOWrapper):
        out.reconfigure(errors="backslashreplace")
        if out.isatty() and not isinstance(out, _Terminal):
            sys.stdout = _Terminal(out.buffer, out.encoding, "backslashreplace", line_buffering=True)


class _Terminal(TextIOWrapper):
    def write(self, text: str, /) -> int:
        """Write a text with control characters escaped."""
        super().write(visible(text))
        return len(text)


# Files that a command writes: their names, and protection against replacing existing files.


def add_output_argument(parser: _ActionsContainer, file: str, help: str, *, required: bool = False) -> None:
    names = ("-o", "--out", "--output")
    parser.add_argument(*names, type=Path, required=required, metavar=file, help=help)


def add_overwrite_argument(parser: ArgumentParser, file: str) -> None:
    parser.add_argument("--overwrite", action="store_true", help=f"replace {file} if it exists")


def check_outputs(
    outputs: Iterable[Path | None], sources: Sequence[Path | None], *, overwrite: bool, folder: bool = False
) -> None:
    """Refuse, before any work, to overwrite an input, another output, or (without permission) any file.

    Raises DataError.
    """
    wanted = [path for path in outputs if path is not None]
    if wanted:
        from inexview.core.formats.conversion import check_free  # imported only when needed
    for at, path in enumerate(wanted):
        if os.path.realpath(path) in map(os.path.realpath, wanted[:at]):
            raise DataError("is given as two output files: give each its own name", path=path)
        check_free(path, sources, overwrite=overwrite, folder=folder)


# A line of progress for long work, on a terminal only.

_PATIENCE = 0.5  # seconds before the first line: short work shows none
_PAUSE = 0.1


class Watch:
    """Shows progress of long work, as an `inexview.core.progress.Progress`; the last report stays visible.

    Threads may report at the same time.  Copies of the process are silent, because their lines would mix.
    """

    def __init__(self) -> None:
        self._shown = False
        self._next = monotonic() + _PATIENCE
        self._process = os.getpid()
        self._lock = Lock()  # otherwise lines of different threads would mix

    def __enter__(self) -> Self:
        return self

    def __call__(self, what: str, done: int, total: int | None) -> None:
        """Show that ``done`` of ``total`` are done, if stderr is a terminal and a new report is due."""
        if monotonic() < self._next or not sys.stderr.isatty() or os.getpid() != self._process:
            return
        with self._lock:
            self._next = monotonic() + _PAUSE
            self._shown = True
            of = "" if total is None else f" of {total:,}"
            print(f"\r\x1b[K{done:,}{of} {what}", end="", file=sys.stderr, flush=True)

    def hide(self) -> None:
        """Clear the line, so that something else can be printed; the next report shows it again."""
        with self._lock:
            self._hide()

    def say(self, sentence: str) -> None:
        """Print a sentence during the work."""
        with self._lock:
            self._hide()
            complain(sentence)

    def _hide(self) -> None:
        if self._shown:
            self._shown = False
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.hide()


class RunCounter(Watch):
    """Counts finished runs, after the progress of the current one."""

    def __init__(self, total: int) -> None:
        super().__init__()
        self._total = total
        self._done = 0

    def step(self) -> None:
        self._done += 1
        super().__call__("runs", self._done, self._total)

    def __call__(self, what: str, done: int, total: int | None) -> None:
        """Show the progress of the current step, and the number of finished runs if there are several."""
        steps = f" (of runs, {self._done} of {self._total})" if self._total > 1 else ""
        super().__call__(f"{what}{steps}", done, total)


# The same work for many things, on several processors: in copies of the process, or in threads.

Thing = TypeVar("Thing")
Result = TypeVar("Result")

_WORTH_IT = 16  # fewer runs, or batches of articles, are finished before other processes have started

_work: Callable[[Any], Any]
_is_copy = False


def in_order(
    work: Callable[[Thing], Result], things: Sequence[Thing], jobs: int | None, *, at_once: bool = False
) -> Iterator[Result]:
    """Yield ``work(thing)`` for each thing, in their order.

    ``jobs`` processes share the work, whose errors must be picklable; None uses one per processor if it is
    worth it.  Copies of this process inherit everything, and nothing is sent to them; their work is not
    shared any further.  If one process does all of it, two threads share it if they may work ``at_once``.
    Raises InexviewError if the system has killed one of the processes.
    """
    if jobs is None:
        jobs = _processors() if len(things) >= _WORTH_IT else 1
    if min(jobs, len(things)) <= 1 or _is_copy or sys.platform not in ("linux", "freebsd"):
        yield from _in_threads(work, things) if at_once and len(things) >= _WORTH_IT else map(work, things)
        return
    # 20 ms, which a single run should not wait for.  Imported where they are defined: modules that Python
    # 3.15 imports lazily stay unresolved in a function once PySide6 6.12 is imported.
    import multiprocessing
    from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor

    copies = multiprocessing.get_context("fork")
    pool = ProcessPoolExecutor(min(jobs, len(things)), copies, _adopt, (work,))
    try:
        yield from pool.map(_do, things, chunksize=max(1, min(8, len(things) // (4 * jobs))))
    except BrokenProcessPool:
        raise InexviewError(
            "a worker process was killed, perhaps because memory ran out: try --jobs 1"
        ) from None
    finally:
        pool.shutdown(cancel_futures=True)


def _in_threads(work: Callable[[Thing], Result], things: Sequence[Thing]) -> Iterator[Result]:
    """Share the work between two threads: while numpy computes for one of them, the other continues.

    A hundred runs take 3.0 s instead of 4.2.  A third thread does not help: all then wait for Python's lock.
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
    """Store the work in a new process."""
    global _work, _is_copy
    _work, _is_copy = work, True
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C ends the first process, which ends this one


def _do(thing: Any) -> Any:
    return _work(thing)
