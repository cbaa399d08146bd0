"""Engines put questions to all shards of a collection, wherever they are, and give the answers in order."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, connection, get_context, parent_process
from multiprocessing.process import BaseProcess
from threading import Thread
from typing import Protocol, TypeVar

from inexview.core.collection.collection import Collection
from inexview.core.errors import InexviewError
from inexview.core.progress import Progress
from inexview.core.retrieval.shard import MOST_HITS, Shard, ShardRange, open_shard, shard_ranges
from inexview.core.retrieval.units import UnitKind, WordForms
from inexview.core.word_index.segment import Segment
from inexview.core.word_index.word_index import WordIndex

Answer = TypeVar("Answer")

SHARDS_EACH = 4  # for each worker, unless a number is given
LOST_AGAIN = (
    "the same part of the collection was lost with its worker again and again, perhaps for want of memory: "
    "try more --shards"
)
_HELD = 8  # segments whose pages stay: some 1 GB
_LOSSES = 20  # processes that may be lost without an answer in between
_LOOK_EVERY = 1.0  # seconds


class ShardEngine(Protocol):
    """Asks all shards."""

    def ask(
        self, question: Callable[[Shard], Answer], forms: WordForms, kind: UnitKind, progress: Progress
    ) -> Sequence[Answer]:
        """Return the answers of all shards, in the order of the collection.

        The question and its answers can be sent from one process to another.  Raises InexviewError where
        the engine is lost, Cancelled.
        """


class LocalEngine:
    """Asks the segments of an index in this process."""

    def __init__(self, index: WordIndex) -> None:
        self.index = index
        self._shards: dict[tuple[WordForms, UnitKind], list[Shard]] = {}

    def ask(
        self, question: Callable[[Shard], Answer], forms: WordForms, kind: UnitKind, progress: Progress
    ) -> list[Answer]:
        """Ask one shard after the other; what was prepared for a question serves the next."""
        shards = self._shards.get((forms, kind))
        if shards is None:
            shards = self._shards_of(forms, kind)
            self._shards = {(forms, kind): shards}
        answers = []
        for done, shard in enumerate(shards):
            progress("parts of the collection searched", done, len(shards))
            answers.append(question(shard))
            self._let_go(shard.segment)
        return answers

    def _shards_of(self, forms: WordForms, kind: UnitKind) -> list[Shard]:
        shards = []
        segments = self.index.segments
        most_hits = MOST_HITS * _HELD // max(len(segments), _HELD)
        for segment, first in zip(segments, self.index.first_documents.tolist(), strict=False):
            shards.append(Shard(segment, forms, kind, first, most_hits))
            self._let_go(segment)
        return shards

    def _let_go(self, segment: Segment) -> None:
        """Keep no more of a large index in memory than the segment that is asked."""
        if len(self.index.segments) > _HELD:
            segment.let_go()


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
        """Ask all shards; where a process is lost, the shards without an answer are asked again."""
        answers: dict[int, Answer] = {}
        losses = 0
        while len(answers) < len(self.ranges):
            before = len(answers)
            try:
                self._ask_others(answers, question, forms, kind, progress)
            except BrokenProcessPool:
                self.close()
                losses = losses + 1 if len(answers) == before else 0
                if losses == _LOSSES:
                    raise InexviewError(LOST_AGAIN) from None
        return [answers[at] for at in range(len(self.ranges))]

    def _ask_others(
        self,
        answers: dict[int, Answer],
        question: Callable[[Shard], Answer],
        forms: WordForms,
        kind: UnitKind,
        progress: Progress,
    ) -> None:
        """Add the answers that are missing."""
        pool = self._pool or self._start()
        futures: dict[Future[Answer], int] = {
            pool.submit(_answer, question, shard, forms, kind): at
            for at, shard in enumerate(self.ranges)
            if at not in answers
        }
        self.workers = [child for child in active_children() if child not in self._others]
        waiting = set(futures)
        try:
            while waiting:
                progress("parts of the collection searched", len(answers), len(self.ranges))
                ended, waiting = wait(waiting, _LOOK_EVERY, FIRST_COMPLETED)
                answers.update({futures[future]: future.result() for future in ended})
        finally:
            for future in waiting:
                future.cancel()

    def _start(self) -> ProcessPoolExecutor:
        self._others = active_children()
        self._pool = ProcessPoolExecutor(self._processes, get_context("spawn"), _serve)
        return self._pool

    def close(self) -> None:
        """End the processes, also in the midst of a question."""
        if self._pool is not None:
            for worker in self.workers:
                worker.terminate()
            self._pool.shutdown(cancel_futures=True)
            self._pool = None


@contextmanager
def process_engine(collection: Collection, shards: int | None) -> Iterator[ProcessEngine]:
    """Have an engine at hand with a process for each processor of this machine."""
    processes = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    engine = ProcessEngine(shard_ranges(collection, shards or SHARDS_EACH * processes), processes)
    try:
        yield engine
    finally:
        engine.close()


def _serve() -> None:
    """Prepare a process: Ctrl+C is for the program that started it, and it ends when that does."""
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
