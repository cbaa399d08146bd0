"""Retrieval on a real Dask scheduler with worker processes, of which some are killed."""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from inexview.core.collection.collection import Collection
from inexview.core.errors import InexviewError
from inexview.core.files import resource
from inexview.core.formats.passage_lines import write_fol_run
from inexview.core.formats.readers import read_qrels
from inexview.core.formats.topic_files import read_topics
from inexview.core.progress import Cancelled, Progress, unwatched
from inexview.core.retrieval.engines import LocalEngine, ShardEngine, dask_engine
from inexview.core.retrieval.models import MODELS, RetrievalSettings
from inexview.core.retrieval.retrieve import TrainingSet, retrieve, run_of
from inexview.core.word_index.word_index import word_index
from tests.listening import listening_sockets

distributed = pytest.importorskip("distributed")
WORKERS = 4


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    import dask

    cache = str(tmp_path_factory.mktemp("cache"))
    with (
        dask.config.set({"distributed.nanny.environ.INEXVIEW_CACHE": cache}),
        distributed.LocalCluster(
            n_workers=WORKERS, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as cluster,
    ):
        yield cluster


@pytest.fixture(scope="module")
def sample() -> Iterator[Collection]:
    with closing(Collection.open(resource("sample") / "articles")) as collection:
        yield collection


def written(engine: ShardEngine, model: str, out: Path, progress: Progress = unwatched) -> bytes:
    topics, settings = read_topics(resource("sample") / "topics.xml"), RetrievalSettings(model)
    training = TrainingSet(topics, read_qrels(resource("sample") / "judgements.txt"))
    retrieved = retrieve(topics, engine, settings, progress, training=training)
    write_fol_run(run_of(retrieved, settings, "run"), out)
    return out.read_bytes()


def test_two_workers_killed_in_turn_change_nothing(cluster: Any, sample: Collection, tmp_path: Path) -> None:
    alone = written(LocalEngine(word_index(sample)), "MM", tmp_path / "alone.txt")
    killed: set[int] = set()
    with dask_engine(sample, cluster.scheduler_address, 9) as engine:

        def kill(_what: str, done: int, _total: int | None) -> None:
            if done == len(killed) + 2 and len(killed) < 2:
                running = [one.pid for one in cluster.workers.values() if one.pid and one.pid not in killed]
                os.kill(running[0], signal.SIGKILL)
                killed.add(running[0])

        assert written(engine, "MM", tmp_path / "together.txt", kill) == alone
    assert len(killed) == 2


@pytest.mark.parametrize("shards", [1, 5])
def test_every_model_gives_the_same_bytes_however_many_shards_there_are(
    shards: int, cluster: Any, sample: Collection, tmp_path: Path
) -> None:
    local = LocalEngine(word_index(sample))
    with dask_engine(sample, cluster.scheduler_address, shards) as engine:
        assert len(engine.ranges) == shards
        for model in MODELS:
            expected = written(local, model, tmp_path / "alone.txt")
            assert written(engine, model, tmp_path / "together.txt") == expected


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_nothing_listens_but_the_cluster_that_was_named(
    cluster: Any, sample: Collection, tmp_path: Path
) -> None:
    with distributed.Client(cluster.scheduler_address) as client:
        client.wait_for_workers(WORKERS)  # those that a test killed come again, and listen
    before, seen = listening_sockets(), []
    assert before

    def look(_what: str, _done: int, _total: int | None) -> None:
        seen.append(listening_sockets() - before)

    with dask_engine(sample, cluster.scheduler_address, 4) as engine:
        written(engine, "QL", tmp_path / "run.txt", look)
    assert seen
    assert not any(seen)


def test_a_search_on_a_cluster_can_be_cancelled(cluster: Any, sample: Collection, tmp_path: Path) -> None:
    def stop(_what: str, done: int, _total: int | None) -> None:
        if done:
            raise Cancelled

    with dask_engine(sample, cluster.scheduler_address, 3) as engine, pytest.raises(Cancelled):
        written(engine, "MM", tmp_path / "run.txt", stop)


def test_a_different_collection_on_the_workers_is_reported(
    cluster: Any, sample: Collection, tmp_path: Path
) -> None:
    with dask_engine(sample, cluster.scheduler_address, 2) as engine:
        engine.ranges = [replace(range, digest="another") for range in engine.ranges]
        with pytest.raises(InexviewError, match=r"on a worker: .*holds other articles here"):
            written(engine, "QL", tmp_path / "run.txt")
        engine.ranges = [replace(range, collection="/nowhere") for range in engine.ranges]
        with pytest.raises(InexviewError, match="on a worker: /nowhere: there is no such folder"):
            written(engine, "QL", tmp_path / "run.txt")


def test_a_worker_of_another_version_is_reported(
    cluster: Any, sample: Collection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inexview.core.retrieval.engines._version", lambda: "9.9")
    with (
        dask_engine(sample, cluster.scheduler_address, 2) as engine,
        pytest.raises(InexviewError, match=r"a worker has inexview .*, and this is 9\.9"),
    ):
        written(engine, "QL", tmp_path / "run.txt")


def test_a_missing_cluster_is_reported(sample: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inexview.core.retrieval.engines._PATIENCE", 0.5)
    with (
        pytest.raises(InexviewError, match="the cluster cannot be reached or has stopped"),
        dask_engine(sample, "tcp://127.0.0.1:9", None),
    ):
        pass


@pytest.mark.parametrize("address", ["nonsense", "foo://x:1", "tcp://127.0.0.1", "tcp://127.0.0.1:99999"])
def test_an_invalid_address_is_reported(sample: Collection, address: str) -> None:
    with (
        pytest.raises(InexviewError, match="not an address of a scheduler: write it like"),
        dask_engine(sample, address, None),
    ):
        pass


def test_a_lost_cluster_is_reported(sample: Collection, tmp_path: Path) -> None:
    with distributed.LocalCluster(1, processes=False, dashboard_address=":0") as short_lived:

        def close(_what: str, done: int, _total: int | None) -> None:
            if done == 1:
                short_lived.close()

        with (
            pytest.raises(InexviewError, match="the cluster cannot be reached or has stopped"),
            dask_engine(sample, short_lived.scheduler_address, 3) as engine,
        ):
            written(engine, "QL", tmp_path / "run.txt", close)


@pytest.mark.parametrize("shards", [None, 3])
def test_a_cluster_without_workers_is_reported(sample: Collection, shards: int | None) -> None:
    with (
        distributed.LocalCluster(
            n_workers=0, threads_per_worker=1, processes=False, dashboard_address=":0"
        ) as empty,
        pytest.raises(InexviewError, match="the cluster has no worker; start one"),
        dask_engine(sample, empty.scheduler_address, shards),
    ):
        pass


def test_the_loss_of_the_last_worker_is_reported(
    sample: Collection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        distributed.LocalCluster(1, processes=False, dashboard_address=":0") as cluster,
        dask_engine(sample, cluster.scheduler_address, 3) as engine,
    ):
        monkeypatch.setattr("inexview.core.retrieval.engines._PATIENCE", 0.2)
        monkeypatch.setattr("inexview.core.retrieval.engines._LOOK_EVERY", 0.1)
        cluster.scale(0)
        cluster.sync(cluster._correct_state)
        with pytest.raises(InexviewError, match="the cluster has no worker; start one"):
            written(engine, "QL", tmp_path / "run.txt")


@pytest.mark.parametrize(
    ("who", "answers", "said"),
    [
        ("the worker", "0.0.9", "the worker tcp://1 has inexview 0.0.9, and this is "),
        ("the worker", None, "the worker tcp://1 has no inexview; install the same"),
        ("the scheduler", None, "the scheduler has no inexview; install the same"),
    ],
)
def test_workers_without_the_same_inexview_are_named_first(
    who: str, answers: str | None, said: str, sample: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Workers and a scheduler of their own cannot be had here: what they answer is put in their mouths."""
    own, missing = metadata.version("inexview"), metadata.PackageNotFoundError("inexview")

    def run(client: Any, _asked: Any, _name: str, *, on_error: str) -> dict[str, Any]:
        return {"tcp://1": own if who == "the scheduler" else answers or missing, "tcp://2": OSError("gone")}

    def run_on_scheduler(client: Any, _asked: Any, _name: str) -> str:
        if who == "the scheduler":
            raise missing
        return own

    monkeypatch.setattr(distributed.Client, "run", run)
    monkeypatch.setattr(distributed.Client, "run_on_scheduler", run_on_scheduler)
    with (
        distributed.LocalCluster(1, processes=False, dashboard_address=":0") as cluster,
        pytest.raises(InexviewError, match=said),
        dask_engine(sample, cluster.scheduler_address, 3),
    ):
        pass


def test_dask_says_nothing_of_its_own_while_it_works(sample: Collection, tmp_path: Path) -> None:
    """What it logs of a lost connection is a traceback."""
    heard: list[bool] = []
    with distributed.LocalCluster(1, processes=False, dashboard_address=":0") as cluster:
        client = distributed.client.logger

        def listen(_what: str, _done: int, _total: int | None) -> None:
            heard.append(client.isEnabledFor(logging.CRITICAL))

        with dask_engine(sample, cluster.scheduler_address, 2) as engine:
            written(engine, "QL", tmp_path / "run.txt", listen)
    assert heard
    assert not any(heard)
    assert client.isEnabledFor(logging.WARNING)
