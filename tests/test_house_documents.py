"""ARCHITECTURE.md and CONTRIBUTING.md say what is so."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from inexview import evaluate, read_qrels, read_run
from inexview.core.errors import DataError
from tests.program_text import modules

NAMED = re.compile(r"`([\w/.]+/[\w.]*|[\w.]+\.(?:py|md|toml))`")
MOST_FILES = 4


def read(checkout: Path, name: str) -> str:
    return (checkout / name).read_text(encoding="utf-8")


def place_of(checkout: Path, named: str) -> Path | None:
    """Find a path as it is written: from the root, from the program, or from the core."""
    roots = (checkout, checkout / "inexview", checkout / "inexview" / "core")  # as ARCHITECTURE.md shortens
    return next((root / named for root in roots if (root / named).exists()), None)


@pytest.mark.parametrize("name", ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"])
def test_every_place_that_is_named_is_there(checkout: Path, name: str) -> None:
    named = {path for path in NAMED.findall(read(checkout, name)) if "/" in path.rstrip("/")}
    gone = [path for path in named if place_of(checkout, path) is None]
    assert named
    assert not gone


def test_every_module_that_a_module_names_is_there(checkout: Path) -> None:
    files = (*(module.path for module in modules()), *checkout.glob("*.py"))
    places = [file.with_suffix("").parts for file in files]
    gone = [
        f"{module.place}: {'/'.join(named)}"
        for module in modules()
        for named in _named_modules(module.text)
        if not any(place[-len(named) :] == named for place in places)
    ]
    assert not gone


def _named_modules(text: str) -> Iterator[tuple[str, ...]]:
    """Yield the ends of the paths of the modules that a text names as files or to Sphinx."""
    for file in re.findall(r"(?<![\w/])[\w/]+\.py\b", text):
        yield tuple(file.removesuffix(".py").split("/"))
    for name in re.findall(r":mod:`~?\.?([\w.]+)`", text):
        yield tuple(name.split("."))


def test_no_task_of_a_newcomer_takes_more_than_four_files(checkout: Path) -> None:
    table = read(checkout, "ARCHITECTURE.md").split("## Tasks")[1]
    tasks = [line for line in table.splitlines() if line.startswith("|")][2:]
    assert len(tasks) >= 10
    for task in tasks:
        files = [place_of(checkout, path) for path in NAMED.findall(task)]
        assert 1 <= len(files) <= MOST_FILES, task
        assert all(file is not None and file.is_file() for file in files), task


def test_the_rooms_that_are_described_are_those_of_the_contract(checkout: Path) -> None:
    contracts = tomllib.loads(read(checkout, "pyproject.toml"))["tool"]["importlinter"]["contracts"]
    (core,) = (one for one in contracts if one.get("containers") == ["inexview.core"])
    layers = {room for layer in core["layers"] for room in re.findall(r"(?<!\()\b\w+\b(?!\))", layer)}
    drawn = read(checkout, "ARCHITECTURE.md").split("```")[1]
    assert layers <= set(re.findall(r"\w+", drawn))


def test_the_layers_are_drawn_as_the_contract_has_them(checkout: Path) -> None:
    contracts = tomllib.loads(read(checkout, "pyproject.toml"))["tool"]["importlinter"]["contracts"]
    (core,) = (one for one in contracts if one.get("containers") == ["inexview.core"])
    drawn = [
        set(re.findall(r"\w+", line))
        for line in read(checkout, "ARCHITECTURE.md").split("```")[1].splitlines()
    ]
    wanted = [set(re.findall(r"\w+", layer)) for layer in core["layers"]]
    assert [rooms for rooms in drawn if rooms and not rooms & {"cli", "gui"}] == wanted


@pytest.mark.parametrize(
    ("text", "task", "file"),
    [
        ("<html></html>\n", "focused", "readers.py"),
        ("2026001 Q0 2041 1 0.9 X 12x 10\n", "focused", "passage_lines.py"),
        ("2026001 Q0 2041 1 0.9 X 1 9\n2026001 Q0 2041 2 0.8 X 5 9\n", "focused", "joined.py"),
        ("2026001 Q0 2041 1 0.9 X 1 9\n", None, "scores.py"),
    ],
)
def test_why_a_run_is_refused_is_in_the_file_that_the_task_names(
    checkout: Path, tmp_path: Path, text: str, task: str | None, file: str
) -> None:
    table = read(checkout, "ARCHITECTURE.md").split("## Tasks")[1]
    (row,) = (line for line in table.splitlines() if "run is refused" in line)
    named = {str(place_of(checkout, path)) for path in NAMED.findall(row)}
    run = tmp_path / "run.txt"
    run.write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as met:
        evaluate(read_qrels(checkout / "resources" / "sample" / "judgements.txt"), read_run(run), task=task)
    through = {str(frame.path) for frame in met.traceback} & named
    assert file in {Path(path).name for path in through}
