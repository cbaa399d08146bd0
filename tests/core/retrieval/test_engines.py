"""Retrieval in several processes of one machine, of which some are killed, and what listens meanwhile."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from inexview.core.collection.collection import Collection
from inexview.core.errors import InexviewError
from inexview.core.files import resource
from inexview.core.formats.passage_lines import write_fol_run
from inexview.core.formats.readers import read_qrels
from inexview.core.formats.topic_files import read_topics
from inexview.core.progress import Cancelled, Progress, unwatched
from inexview.core.retrieval import engines
from inexview.core.retrieval.engines import LocalEngine, ShardEngine, process_engine
from inexview.core.retrieval.models import MODELS, RetrievalSettings
from inexview.core.retrieval.retrieve import TrainingSet, retrieve, run_of
from inexview.core.word_index.word_index import word_index
from tests.listening import listening_sockets

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")


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


def test_every_model_gives_the_same_bytes_in_processes(sample: Collection, tmp_path: Path) -> None:
    local = LocalEngine(word_index(sample))
    with process_engine(sample, 5) as engine:
        assert len(engine.ranges) == 5
        for model in MODELS:
            expected = written(local, model, tmp_path / "alone.txt")
            assert written(engine, model, tmp_path / "together.txt") == expected


def test_processes_that_are_killed_change_nothing(sample: Collection, tmp_path: Path) -> None:
    alone = written(LocalEngine(word_index(sample)), "MM", tmp_path / "alone.txt")
    killed: list[int] = []
    with process_engine(sample, 9) as engine:

        def kill(_what: str, done: int, _total: int | None) -> None:
            if len(killed) < 2 and done in (1, 2):
                pid = next(worker.pid for worker in engine.workers if worker.is_alive())
                assert pid is not None
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)

        assert written(engine, "MM", tmp_path / "together.txt", kill) == alone
    assert len(killed) == 2


def test_a_repeatedly_lost_part_is_reported(
    sample: Collection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "_LOSSES", 2)

    def kill(_what: str, _done: int, _total: int | None) -> None:
        for worker in engine.workers:
            worker.kill()

    with process_engine(sample, 1) as engine, pytest.raises(InexviewError, match="try more --shards"):
        written(engine, "QL", tmp_path / "run.txt", kill)


def test_a_search_in_processes_can_be_cancelled(sample: Collection, tmp_path: Path) -> None:
    def stop(_what: str, done: int, _total: int | None) -> None:
        if done:
            raise Cancelled

    with process_engine(sample, 3) as engine:
        with pytest.raises(Cancelled):
            written(engine, "MM", tmp_path / "run.txt", stop)
        workers = engine.workers
        assert workers
    assert not any(worker.is_alive() for worker in workers)


@linux
def test_the_processes_end_with_the_program_that_is_killed() -> None:
    script = (
        "import sys, time\n"
        "from inexview.core.collection.collection import Collection\n"
        "from inexview.core.files import resource\n"
        "from inexview.core.retrieval.engines import process_engine\n"
        "from inexview.core.retrieval.shards import UnitKind\n"
        "from inexview.core.retrieval.shards import WordForms\n"
        "def tell(what, done, total):\n"
        "    print(*(worker.pid for worker in engine.workers), flush=True)\n"
        "    time.sleep(600)\n"
        "if __name__ == '__main__':\n"
        "    with process_engine(Collection.open(resource('sample') / 'articles'), 2) as engine:\n"
        "        engine.ask(repr, WordForms(), UnitKind.parse('article'), tell)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as program:
        assert program.stdout is not None
        workers = [int(pid) for pid in program.stdout.readline().split()]
        program.kill()
    assert workers
    while any(Path(f"/proc/{pid}/fd").exists() and _runs(pid) for pid in workers):
        time.sleep(0.01)


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@linux
@pytest.mark.parametrize("name", ["local", "processes"])
def test_nothing_listens_while_an_engine_of_this_machine_searches(
    name: str, sample: Collection, tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)):
        assert listening_sockets()
    before, seen = listening_sockets(), []

    def look(_what: str, _done: int, _total: int | None) -> None:
        seen.append(listening_sockets() - before)

    if name == "local":
        written(LocalEngine(word_index(sample)), "MM", tmp_path / "run.txt", look)
    else:
        with process_engine(sample, 4) as engine:
            written(engine, "MM", tmp_path / "run.txt", look)
    assert seen
    assert not any(seen)
