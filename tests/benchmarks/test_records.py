"""Collections and benchmarks of today: passages as lines of JSON, and contracts with judged passages.

    INEXVIEW_PASSAGES=8800000 pytest tests/benchmarks/test_records.py --benchmark-only

As many passages as MS MARCO has are 3 GB, beside which 0.5 GB are kept of them; without the variable there
are fewer.  The contracts are as long as those of LegalBench-RAG, 80 million characters in all.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication
from pytest_benchmark.fixture import BenchmarkFixture

from inexview.cli import main
from inexview.core.collection.collection import Collection
from inexview.core.project.inspection import inspect_benchmark
from inexview.gui.look.theme import load_fonts
from inexview.gui.services.settings import Settings
from inexview.gui.shell.app import Application
from tests.benchmarks.conftest import end_windows
from tests.benchmarks.test_collection import measured

pytestmark = pytest.mark.long

PASSAGES = int(os.environ.get("INEXVIEW_PASSAGES") or 200_000)
CONTRACTS, CHARACTERS, QUESTIONS = 714, 112_000, 4_400
WORDS = 3_000


def sentences(chance: random.Random, number: int) -> list[str]:
    """Return made-up sentences of some twelve words, a few of them with letters beyond ASCII."""
    letters = "etaoinshrdlucmfwypvbgkjqxz"
    words = ["".join(chance.choices(letters, range(26, 0, -1), k=chance.randint(2, 9))) for _ in range(WORDS)]
    words += ["naïve", "Größe", "café", "🚢"]
    return [" ".join(chance.choices(words, k=12)).capitalize() + "." for _ in range(number)]


def write_passages(path: Path, number: int) -> None:
    """Write passages of some 330 characters, a line each."""
    chance = random.Random(8)
    listed = sentences(chance, 2_000)
    texts = [json.dumps(" ".join(chance.choices(listed, k=5)), ensure_ascii=False) for _ in range(5_000)]
    with path.open("w", encoding="utf-8") as file:
        for begin in range(0, number, 10_000):
            rows = range(begin, min(begin + 10_000, number))
            file.writelines(f'{{"id": "{row}", "contents": {texts[row * 7919 % 5_000]}}}\n' for row in rows)


@pytest.fixture(scope="module")
def passages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = Path(os.environ.get("INEXVIEW_BENCHMARKS") or tmp_path_factory.mktemp("passages"))
    path = folder / f"passages{PASSAGES}.jsonl"
    write_passages(path, PASSAGES)
    yield path
    path.unlink()


@pytest.fixture
def kept_cache(monkeypatch: pytest.MonkeyPatch, passages: Path) -> None:
    """Keep the index beside the passages: the first benchmark makes what the other opens."""
    monkeypatch.setenv("INEXVIEW_CACHE", str(passages.parent / "cache"))


@pytest.mark.usefixtures("kept_cache")
def test_records_listed_for_the_first_time(
    benchmark: BenchmarkFixture, checkout: Path, passages: Path
) -> None:
    found: dict[str, Any] = benchmark.pedantic(measured, (checkout, "index", passages), rounds=1)
    assert found["articles"] == PASSAGES
    benchmark.extra_info["passages"] = PASSAGES
    benchmark.extra_info["MB of the file"] = passages.stat().st_size >> 20
    benchmark.extra_info["index"] = f"{found['index']:,.0f} MB"
    benchmark.extra_info["resident"] = f"{found['memory']:,.0f} MB"


@pytest.mark.usefixtures("kept_cache")
def test_a_random_record_from_its_id_to_the_document(benchmark: BenchmarkFixture, passages: Path) -> None:
    chance = random.Random(11)
    with closing(Collection.open(passages)) as collection:
        collection.prepare()
        document = benchmark.pedantic(
            collection.load, setup=lambda: ((str(chance.randrange(PASSAGES)),), {}), rounds=300
        )
    assert document.length > 200


# Contracts with questions about them, as LegalBench-RAG has them.


@pytest.fixture(scope="module")
def contracts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    chance = random.Random(9)
    folder = tmp_path_factory.mktemp("contracts")
    (folder / "corpus" / "cuad").mkdir(parents=True)
    (folder / "benchmarks").mkdir()
    listed, texts = sentences(chance, 2_000), []
    for number in range(CONTRACTS):
        text = ""
        while len(text) < CHARACTERS:
            text += " ".join(chance.choices(listed, k=200)) + "\n\n"
        texts.append(text)
        (folder / "corpus" / "cuad" / f"{number}.txt").write_text(text, encoding="utf-8")
    tests = []
    for at in range(QUESTIONS):
        number = at % CONTRACTS
        start = chance.randrange(len(texts[number]) - 400)
        answer = texts[number][start : start + 300]
        snippet = {"file_path": f"cuad/{number}.txt", "span": [start, start + 300], "answer": answer}
        tests.append({"query": f"What about {at}?", "snippets": [snippet]})
    (folder / "benchmarks" / "cuad.json").write_text(json.dumps({"tests": tests}), encoding="utf-8")
    return folder


def test_contracts_of_80_million_characters_checked(
    benchmark: BenchmarkFixture, capsys: pytest.CaptureFixture[str], contracts: Path
) -> None:
    assert benchmark.pedantic(main, (["check", str(contracts)],), rounds=1) == 0
    assert f"{QUESTIONS:,} of {QUESTIONS:,} passages read as their texts" in capsys.readouterr().out
    benchmark.extra_info["million characters"] = round(
        sum(path.stat().st_size for path in contracts.rglob("*.txt")) / 1e6
    )


def test_contracts_looked_at_until_they_are_painted(
    benchmark: BenchmarkFixture, qapp: QApplication, tmp_path: Path, contracts: Path, timed: bool
) -> None:
    """From *Look at it* to the first contract on the screen; the program is there, and no other window."""
    load_fonts(qapp)
    application = Application(qapp, Settings(tmp_path / "settings.ini"))
    painted: list[object] = []

    def close_windows() -> None:
        end_windows(application.windows[:])

    def look() -> None:
        folder = tmp_path / str(len(painted))
        folder.mkdir()
        window = application.open_inspection(inspect_benchmark(contracts, folder))
        number = len(painted)
        window.article.first_painted.connect(painted.append)
        while len(painted) == number:
            QCoreApplication.processEvents()

    rounds = 7 if timed else 1
    benchmark.pedantic(look, setup=close_windows, rounds=rounds, warmup_rounds=1)
    close_windows()
    application.tasks.close()
