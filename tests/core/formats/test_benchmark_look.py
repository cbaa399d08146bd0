"""What is told of a folder before anything is made of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inexview.core.benchmarks.bundle import Bundle
from inexview.core.errors import DataError
from inexview.core.formats import benchmark_look
from inexview.core.formats.benchmark_look import FoundTexts, check_passages, files_beside, look_at
from inexview.core.formats.bundle_files import BenchmarkReading
from inexview.core.project.import_judgements import create_from_benchmark
from inexview.core.project.inspection import inspect_benchmark, read_again
from inexview.core.text.counting import Convention, Unit
from tests.opened import opened

TEXT = "🌒 The moon has no air."
RUN = "moon-0 Q0 moon 1 2.0 mine\n"


@pytest.fixture
def moon(tmp_path) -> Path:
    folder = tmp_path / "moon"
    (folder / "corpus").mkdir(parents=True)
    (folder / "benchmarks").mkdir()
    (folder / "corpus" / "moon.txt").write_text(TEXT, encoding="utf-8")
    start = TEXT.index("no air") + 1  # as JavaScript counts
    snippet = {"file_path": "moon.txt", "span": [start, start + 6], "answer": "no air"}
    tests = {"tests": [{"query": "What is missing?", "snippets": [snippet]}]}
    (folder / "benchmarks" / "moon.json").write_text(json.dumps(tests), encoding="utf-8")
    return folder


def bundle_at(path: Path) -> Bundle:
    read = look_at(path)
    assert isinstance(read, Bundle)
    return read


def test_runs_are_found_in_the_folder_and_unread_files_named(moon):
    for name in ("one.trec", "results/two.trec"):
        (moon / name).parent.mkdir(exist_ok=True)
        (moon / name).write_text(RUN, encoding="utf-8")
    for name in ("README.md", "LICENSE", ".hidden"):
        (moon / name).write_text("words and words", encoding="utf-8")
    found = files_beside(bundle_at(moon))
    assert [path.name for path in found.used] == ["moon.json"]
    assert [path.name for path in found.runs] == ["one.trec", "two.trec"]
    assert found.unread == ("LICENSE", "README.md")


def test_many_files_and_loops_of_links_take_no_time_and_break_nothing(moon, monkeypatch):
    (moon / "loop").symlink_to(moon, target_is_directory=True)
    (moon / "run.trec").symlink_to(moon / "run.trec")
    for number in range(60):
        (moon / f"part-{number:03}.bin").write_bytes(b"\0")
    opened_files = []
    recognise = benchmark_look.format_of
    monkeypatch.setattr(benchmark_look, "MOST_OPENED", 10)
    monkeypatch.setattr(benchmark_look, "MOST_NAMES", 40)
    monkeypatch.setattr(
        benchmark_look, "format_of", lambda path: opened_files.append(path) or recognise(path)
    )
    found = files_beside(bundle_at(moon))
    assert len(opened_files) == 10
    assert found.runs == ()
    assert len(found.unread) <= 40


def test_offsets_are_code_points_unless_another_way_is_chosen(moon, tmp_path):
    bundle = bundle_at(moon)
    look = check_passages(bundle)
    assert look.texts == FoundTexts(1, 1, len(TEXT), len(TEXT))
    better = look.better_way
    assert (look.reading.way, better) == (Convention(), Convention(Unit.UTF16_UNITS))
    for way, reads in ((Convention(), "o air."), (better, "no air")):
        reading = BenchmarkReading(way=way)
        assert check_passages(bundle, reading).check.misread == (way == Convention())
        path = tmp_path / f"{reads[0]}.inexview"
        project, _ = create_from_benchmark(path, moon, reading=reading)
        with project:
            ((start, end),) = project.state("moon-0", "moon").marks
            assert TEXT[start:end] == reads


def test_an_inspection_is_read_again_in_the_same_way(moon, tmp_path):
    reading = BenchmarkReading(way=Convention())
    inspection = inspect_benchmark(moon, tmp_path, reading)
    assert any("0 of 1 passage" in said for said in inspection.lacking)
    again = read_again(inspection, opened(moon / "corpus"))
    assert again.starts.tolist() == inspection.qrels.starts.tolist() == [TEXT.index("no air") + 1]


def test_a_named_format_is_used_and_a_wrong_one_refused(moon):
    file = moon / "benchmarks" / "moon.json"
    assert isinstance(look_at(file, BenchmarkReading(form="legalbench-rag")), Bundle)
    with pytest.raises(DataError, match="moon"):
        look_at(file, BenchmarkReading(form="squad"))


def test_a_folder_of_texts_alone_is_a_collection(moon):
    assert look_at(moon / "corpus") == moon / "corpus"
