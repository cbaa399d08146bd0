"""Retrieval on several machines: shards of the collection on the workers of a Dask cluster.

Dask does the rest: a worker that is lost costs its shards' work again, on another worker, and nothing else.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import metadata
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError, InexviewError
from inexview.core.progress import Progress
from inexview.core.retrieval.engines import LOST_AGAIN, SHARDS_EACH
from inexview.core.retrieval.shard import Shard, ShardRange, open_shard, shard_ranges
from inexview.core.retrieval.units import UnitKind, WordForms

Answer = TypeVar("Answer")

_PATIENCE = 10  # seconds to find a cluster, and a worker where the last one was lost
_LOOK_EVERY = 1.0  # seconds
_NO_WORKER = "the cluster has no worker; start one with: dask worker ADDRESS"
_SAME = "install the same inexview on the scheduler, on every worker and here"
_GONE = "the cluster is not there or has gone away"
_LOSSES = 20  # workers that may be lost with the same shard


class DaskEngine:
    """Asks the shards on the workers of a cluster."""

    def __init__(self, client: Any, ranges: list[ShardRange]) -> None:
        """Take a connected ``distributed.Client``."""
        self._client = client
        self.ranges = ranges

    def ask(
        self, question: Callable[[Shard], Answer], forms: WordForms, kind: UnitKind, progress: Progress
    ) -> list[Answer]:
        """Ask all shards at once, and give their answers in order."""
        version = metadata.version("inexview")
        futures = [
            self._client.submit(_answer, question, range, forms, kind, version, pure=False)
            for range in self.ranges
        ]
        try:
            with _told():
                self._wait(futures, progress)
                answers: list[Answer] = self._client.gather(futures)
                return answers
        finally:
            self._client.cancel(futures)

    def _wait(self, futures: list[Any], progress: Progress) -> None:
        """Tell how many have answered until all have; gives up where no worker is left for a while."""
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
    """Have an engine at hand on the cluster at an address.

    Raises InexviewError where Dask is not installed, or no one answers at the address.
    """
    try:
        import dask
        from distributed import Client
    except ImportError:
        raise InexviewError("Dask is not installed; get it with: pip install 'inexview[cluster]'") from None
    _check_address(address)
    with (
        _quiet(),
        dask.config.set({"distributed.scheduler.allowed-failures": _LOSSES}),
        _told(),
        Client(address, timeout=_PATIENCE, set_as_default=False) as client,
    ):
        yield DaskEngine(client, shard_ranges(collection, _shards(client, shards)))


def _check_address(address: str) -> None:
    from distributed.comm import get_address_host_port

    if address.startswith("inproc://"):  # of a cluster in this process: it has no port
        return
    try:
        host, port = get_address_host_port(address)
    except ValueError:
        host, port = "", 0
    if not host or not 0 < port < 65536:
        raise InexviewError(f"{address!r} is no address of a scheduler: write it like tcp://10.0.0.1:8786")


def _shards(client: Any, wanted: int | None) -> int:
    """Return into how many shards a collection is cut.

    Raises InexviewError where no worker is, or one has no inexview or another one.
    """
    workers = _workers(client)
    if not workers:
        raise InexviewError(_NO_WORKER)
    _check_versions(client)
    return wanted or SHARDS_EACH * workers


def _check_versions(client: Any) -> None:
    """Ask scheduler and workers by means that they have without inexview.

    A worker that comes later says with its answer which it has.
    """
    version = metadata.version("inexview")
    found = client.run(metadata.version, "inexview", on_error="return")
    asked = {f"the worker {address}": answer for address, answer in found.items()}
    try:
        asked["the scheduler"] = client.run_on_scheduler(metadata.version, "inexview")
    except metadata.PackageNotFoundError as error:
        asked["the scheduler"] = error
    for who, answer in asked.items():
        if isinstance(answer, metadata.PackageNotFoundError):
            raise InexviewError(f"{who} has no inexview; {_SAME}")
        if isinstance(answer, str) and answer != version:
            raise InexviewError(f"{who} has inexview {answer}, and this is {version}; {_SAME}")


def _workers(client: Any) -> int:
    return len(client.scheduler_info(n_workers=-1)["workers"])


def _answer(
    question: Callable[[Shard], Answer], range: ShardRange, forms: WordForms, kind: UnitKind, version: str
) -> Answer:
    own = metadata.version("inexview")
    if own != version:
        raise InexviewError(f"a worker has inexview {own}, and this is {version}; {_SAME}")
    try:
        return question(open_shard(range, forms, kind))
    except DataError as error:
        raise InexviewError(f"on a worker: {error}") from error


@contextmanager
def _quiet() -> Iterator[None]:
    """Let Dask log nothing here: what it has to say of a lost connection is a traceback."""
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
def _told() -> Iterator[None]:
    """Say in a sentence what is wrong with the cluster."""
    from concurrent.futures import CancelledError

    from distributed import KilledWorker

    try:
        yield
    except KilledWorker as error:
        raise InexviewError(LOST_AGAIN) from error
    except ImportError as error:  # its own, while it unpacked the question
        raise InexviewError(f"a worker does not understand what it is asked ({error}); {_SAME}") from error
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
