"""Engines ask all shards of a collection, here or on a Dask cluster, and return answers in order."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, connection, get_context, parent_process
from multiprocessing.process import BaseProcess
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Protocol, TypeVar

from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError, InexviewError
from inexview.core.progress import Progress
from inexview.core.retrieval.shards import (
    MOST_HITS,
    Shard,
    ShardRange,
    UnitKind,
    WordForms,
    open_shard,
    shard_ranges,
)
from inexview.core.word_index.segment import Segment
from inexview.core.word_index.word_index import WordIndex

Answer = TypeVar("Answer")

SHARDS_EACH = 4  # per worker, unless a number is given
LOST_AGAIN = (
    "the same part of the collection failed repeatedly with its worker, perhaps because memory ran out: try "
    "more --shards"
)
_HELD = 8  # segments whose pages stay in memory: some 1 GB
_LOSSES = 20  # processes that may be lost without an answer in between
_LOOK_EVERY = 1.0  # seconds


class ShardEngine(Protocol):
    """Asks all shards."""

    def ask(
        self, question: Callable[[Shard], Answer], forms: WordForms, kind: UnitKind, progress: Progress
    ) -> Sequence[Answer]:
        """Return the answers of all shards, in the order of the collection.

        Questions and answers must be picklable.  Raises InexviewError if the engine is lost, Cancelled.
        """


class LocalEngine:
    """Asks the segments of an index in this process."""

    def __init__(self, index: WordIndex) -> None:
        self.index = index
        self._shards: dict[tuple[WordForms, UnitKind], list[Shard]] = {}

    def ask(
        self, question: Callable[[Shard], Answer], forms: WordForms, kind: UnitKind, progress: Progress
    ) -> list[Answer]:
        shards = self._shards.get((forms, kind))
        if shards is None:
            shards = []
            segments = self.index.segments
            most_hits = MOST_HITS * _HELD // max(len(segments), _HELD)
            for segment, first in zip(segments, self.index.first_documents.tolist(), strict=False):
                shards.append(Shard(segment, forms, kind, first, most_hits))
                self._release(segment)
            self._shards = {(forms, kind): shards}
        answers = []
        for done, shard in enumerate(shards):
            progress("parts of the collection searched", done, len(shards))
            answers.append(question(shard))
            self._release(shard.segment)
        return answers

    def _release(self, segment: Segment) -> None:
        """Keep only the segment being asked of a large index in memory."""
        if len(self.index.segments) > _HELD:
            segment.release_pages()


class ProcessEngine:
    """Asks shards in processes of this machine, through pipes: no port is opened that others could reach."""

    def __init__(self, ranges: list[ShardRange], processes: int) -> None:
        self.ranges = ranges
        self.workers: list[BaseProcess] = []
        self._processes = processes
        self._others: list[BaseProcess] = []
        self._pool: ProcessPoolExecutor | None = None

    def ask(
        self, question: Callable[[Shard], Answer], forms: WordForms, kind: UnitKind, progress: Progress
    ) -> list[Answer]:
        """Ask all shards; if a process is lost, the shards without an answer are asked again."""
        answers: dict[int, Answer] = {}
        losses = 0
        while len(answers) < len(self.ranges):
            before = len(answers)
            if self._pool is None:
                self._others = active_children()
                self._pool = ProcessPoolExecutor(self._processes, get_context("spawn"), _serve)
            waiting: set[Future[Answer]] = set()
            try:
                futures = {
                    self._pool.submit(_answer, question, shard, forms, kind): at
                    for at, shard in enumerate(self.ranges)
                    if at not in answers
                }
                self.workers = [child for child in active_children() if child not in self._others]
                waiting = set(futures)
                while waiting:
                    progress("parts of the collection searched", len(answers), len(self.ranges))
                    ended, waiting = wait(waiting, _LOOK_EVERY, FIRST_COMPLETED)
                    answers.update({futures[future]: future.result() for future in ended})
            except BrokenProcessPool:
                self.close()
                losses = losses + 1 if len(answers) == before else 0
                if losses == _LOSSES:
                    raise InexviewError(LOST_AGAIN) from None
            finally:
                for future in waiting:
                    future.cancel()
        return [answers[at] for at in range(len(self.ranges))]

    def close(self) -> None:
        """End the processes, even during a question."""
        if self._pool is not None:
            for worker in self.workers:
                worker.terminate()
            self._pool.shutdown(cancel_futures=True)
            self._pool = None


@contextmanager
def process_engine(collection: Collection, shards: int | None) -> Iterator[ProcessEngine]:
    """Yield an engine with a process for each processor of this machine."""
    processes = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    engine = ProcessEngine(shard_ranges(collection, shards or SHARDS_EACH * processes), processes)
    try:
        yield engine
    finally:
        engine.close()


def _serve() -> None:
    """Prepare a process: it ignores Ctrl+C, and ends when the program that started it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        Thread(target=_end_after, args=(parent.sentinel,), daemon=True).start()


def _end_after(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(1)


def _answer(
    question: Callable[[Shard], Answer], shard: ShardRange, forms: WordForms, kind: UnitKind
) -> Answer:
    return question(open_shard(shard, forms, kind))


# Several machines: shards on the workers of a Dask cluster, which moves those of a lost worker to another.

_PATIENCE = 10  # seconds to find a cluster, and to find a worker after the last one was lost
_NO_WORKER = "the cluster has no worker; start one with: dask worker ADDRESS"
_SAME = "install the same inexview on the scheduler, on every worker and here"
_GONE = "the cluster cannot be reached or has stopped"
_LOST_WORKERS = 20  # workers that may be lost with the same shard


class DaskEngine:
    """Asks the shards on the workers of a cluster."""

    def __init__(self, client: Any, ranges: list[ShardRange]) -> None:
        """Take a connected ``distributed.Client``."""
        self._client = client
        self.ranges = ranges

    def ask(
        self, question: Callable[[Shard], Answer], forms: WordForms, kind: UnitKind, progress: Progress
    ) -> list[Answer]:
        version = _version()
        futures = [
            self._client.submit(_answer_there, question, range, forms, kind, version, pure=False)
            for range in self.ranges
        ]
        try:
            with _explained():
                self._wait(futures, progress)
                answers: list[Answer] = self._client.gather(futures)
                return answers
        finally:
            self._client.cancel(futures)

    def _wait(self, futures: list[Any], progress: Progress) -> None:
        """Report how many have answered until all have; fail if there is no worker for a while."""
        ended: SimpleQueue[Any] = SimpleQueue()
        for future in futures:
            future.add_done_callback(ended.put)
        done, alone = 0, 0.0
        while done < len(futures):
            progress("parts of the collection searched", done, len(futures))
            try:
                ended.get(timeout=_LOOK_EVERY)
                done, alone = done + 1, 0.0
            except Empty:
                alone = 0.0 if _workers(self._client) else alone + _LOOK_EVERY
                if alone >= _PATIENCE:
                    raise InexviewError(_NO_WORKER) from None


@contextmanager
def dask_engine(collection: Collection, address: str, shards: int | None) -> Iterator[DaskEngine]:
    """Yield an engine on the cluster at an address.

    Raises InexviewError if Dask is not installed, or there is no answer at the address.
    """
    try:
        import dask
        from distributed import Client
    except ImportError:
        raise InexviewError("Dask is not installed; get it with: pip install 'inexview[cluster]'") from None
    _check_address(address)
    with (
        _quiet(),
        dask.config.set({"distributed.scheduler.allowed-failures": _LOST_WORKERS}),
        _explained(),
        Client(address, timeout=_PATIENCE, set_as_default=False) as client,
    ):
        yield DaskEngine(client, shard_ranges(collection, _shards(client, shards)))


def _check_address(address: str) -> None:
    from distributed.comm import get_address_host_port

    if address.startswith("inproc://"):  # a cluster in this process has no port
        return
    try:
        host, port = get_address_host_port(address)
    except ValueError:
        host, port = "", 0
    if not host or not 0 < port < 65536:
        raise InexviewError(
            f"{address!r} is not an address of a scheduler: write it like tcp://10.0.0.1:8786"
        )


def _shards(client: Any, wanted: int | None) -> int:
    """Return the number of shards of a collection.

    Scheduler and workers are asked by means that work without inexview; a worker that joins later reports its
    version with its answer.  Raises InexviewError if there is no worker, or one lacks the same inexview.
    """
    from importlib import metadata  # other engines do not need it

    workers = _workers(client)
    if not workers:
        raise InexviewError(_NO_WORKER)
    version = metadata.version("inexview")
    answers = client.run(metadata.version, "inexview", on_error="return")
    asked = {f"the worker {address}": answer for address, answer in answers.items()}
    try:
        asked["the scheduler"] = client.run_on_scheduler(metadata.version, "inexview")
    except metadata.PackageNotFoundError as error:
        asked["the scheduler"] = error
    for who, answer in asked.items():
        if isinstance(answer, metadata.PackageNotFoundError):
            raise InexviewError(f"{who} has no inexview; {_SAME}")
        if isinstance(answer, str) and answer != version:
            raise InexviewError(f"{who} has inexview {answer}, and this is {version}; {_SAME}")
    return wanted or SHARDS_EACH * workers


def _workers(client: Any) -> int:
    return len(client.scheduler_info(n_workers=-1)["workers"])


def _version() -> str:
    from importlib import metadata

    return metadata.version("inexview")


def _answer_there(
    question: Callable[[Shard], Answer], range: ShardRange, forms: WordForms, kind: UnitKind, version: str
) -> Answer:
    own = _version()
    if own != version:
        raise InexviewError(f"a worker has inexview {own}, and this is {version}; {_SAME}")
    try:
        return question(open_shard(range, forms, kind))
    except DataError as error:
        raise InexviewError(f"on a worker: {error}") from error


@contextmanager
def _quiet() -> Iterator[None]:
    """Suppress Dask's log here: its messages about a lost connection are tracebacks."""
    levels = {
        logger: logger.level
        for name, logger in logging.root.manager.loggerDict.items()
        if name.partition(".")[0] == "distributed" and isinstance(logger, logging.Logger)
    }
    for logger in levels:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in levels.items():
            logger.setLevel(level)


@contextmanager
def _explained() -> Iterator[None]:
    """Convert errors of the cluster into InexviewError."""
    from concurrent.futures import CancelledError

    from distributed import KilledWorker

    try:
        yield
    except KilledWorker as error:
        raise InexviewError(LOST_AGAIN) from error
    except ImportError as error:  # the worker's import error while it unpacked the question
        raise InexviewError(f"a worker does not understand the request ({error}); {_SAME}") from error
    except RuntimeError as error:
        if "deserialization" not in str(error):
            raise
        raise InexviewError(
            "scheduler, workers and this program do not understand each other: install the same versions of "
            "Python, dask and inexview on all"
        ) from error
    except CancelledError as error:
        raise InexviewError(_GONE) from error
    except (OSError, TimeoutError) as error:
        raise InexviewError(f"{_GONE} ({error})") from error
