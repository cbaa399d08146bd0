"""ARCHITECTURE.md and CONTRIBUTING.md say what is so."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

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
    for file in re.findall(r"[\w/]+\.py\b", text):
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
