"""Reading and writing 102,000 results and 40,800 judgements: what `inexview convert` waits for.

pytest tests/benchmarks/test_formats.py --benchmark-only
"""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from inexview import read_qrels, read_run
from inexview.core.formats.format import Options, format_named
from inexview.core.formats.readers import format_of
from inexview.core.formats.submission_xml import submit
from tests.benchmarks.generate_runs import generate

pytestmark = pytest.mark.long

OPTIONS = Options()


@pytest.fixture(scope="module")
def contents(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    folder = tmp_path_factory.mktemp("formats")
    generate(folder, runs=1)
    (folder / "trec").mkdir()
    generate(folder / "trec", runs=1, documents=True)
    run = read_run(folder / "run000.txt")
    return {
        "fol-qrels": read_qrels(folder / "qrels.txt"),
        "fol-run": run,
        "trec-run": read_run(folder / "trec" / "run000.txt"),
        "submission": submit(run).submission,
    }


@pytest.mark.parametrize("name", ["fol-qrels", "fol-run", "trec-run", "submission"])
def test_writing_a_format(
    benchmark: BenchmarkFixture, contents: dict[str, object], tmp_path: Path, name: str
) -> None:
    benchmark.pedantic(
        lambda: format_named(name).write(contents[name], tmp_path / "out", OPTIONS), rounds=5, warmup_rounds=1
    )
    assert format_of(tmp_path / "out").name == name


@pytest.mark.parametrize("name", ["fol-qrels", "fol-run", "trec-run", "submission"])
def test_reading_a_format(
    benchmark: BenchmarkFixture, contents: dict[str, object], tmp_path: Path, name: str
) -> None:
    format = format_named(name)
    format.write(contents[name], tmp_path / "in", OPTIONS)
    read = benchmark.pedantic(lambda: format.read(tmp_path / "in", OPTIONS), rounds=5, warmup_rounds=1)
    assert read == contents[name]


def test_recognising_a_format(
    benchmark: BenchmarkFixture, contents: dict[str, object], tmp_path: Path
) -> None:
    format_named("submission").write(contents["submission"], tmp_path / "in", OPTIONS)
    assert benchmark(lambda: format_of(tmp_path / "in")).name == "submission"
