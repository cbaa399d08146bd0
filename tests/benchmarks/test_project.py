"""A mark until it is on the disk, and opening a project in which much was done.

``pytest tests/benchmarks/test_project.py --benchmark-only``
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from inexview.core.journal import Entry, Journal
from inexview.core.project import Project
from inexview.core.spans import Spans
from tests.projects import OTHER_TOPIC, TOPIC, make_project

LENGTH = 44_000
ACTIONS = 100_000


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Project.open(make_project(tmp_path)) as project:
        project.opened(TOPIC, "d1", text=("Paper is a felt of fibres. " * LENGTH)[:LENGTH])
        yield project


@pytest.mark.parametrize("spans", [0, 50, 1_500])
def test_a_mark_durable_on_disk(
    benchmark: BenchmarkFixture, project: Project, spans: int, timed: bool
) -> None:
    """With the quote of the passage that it makes."""
    step = LENGTH // (spans + 1)
    project.mark_spans(TOPIC, "d1", Spans((at * step, at * step + step // 2) for at in range(spans)))
    marks = iter(range(LENGTH - 2_001, LENGTH))

    def mark() -> None:
        at = next(marks)
        project.mark(TOPIC, "d1", at, at + 1)

    benchmark.pedantic(mark, rounds=1_000 if timed else 1)


@pytest.fixture(scope="module")
def long_worked_on(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a project in which 100,000 things were done to 1,000 documents."""
    path = make_project(tmp_path_factory.mktemp("long"))
    chance = random.Random(1)
    entries = []
    for _ in range(ACTIONS):
        start = chance.randrange(LENGTH)
        entries.append(
            Entry(
                chance.choice(["mark", "mark", "erase"]),
                {"spans": [[start, start + chance.randrange(1, 300)]]},
                chance.choice([TOPIC, OTHER_TOPIC]),
                f"d{chance.randrange(500)}",
            )
        )
    journal = Journal.open(path, read_only=False)
    journal.start_writing()
    journal.append(entries, "ada")
    journal.close()
    return path


@pytest.mark.long
def test_opening_a_project_with_100_000_actions(benchmark: BenchmarkFixture, long_worked_on: Path) -> None:
    opened: list[Project] = []

    def setup() -> None:
        while opened:
            opened.pop().close()

    def open_project() -> None:
        opened.append(Project.open(long_worked_on))

    benchmark.pedantic(open_project, setup=setup, rounds=9)
    opened.pop().close()


@pytest.mark.long
def test_the_states_of_all_documents_after_100_000_actions(
    benchmark: BenchmarkFixture, long_worked_on: Path
) -> None:
    opened: list[Project] = []

    def setup() -> None:
        while opened:
            opened.pop().close()
        opened.append(Project.open(long_worked_on, read_only=True))

    def fold() -> int:
        return sum(len(opened[0].states(topic.id)) for topic in opened[0].topics)

    assert benchmark.pedantic(fold, setup=setup, rounds=5) == 1_000
    opened.pop().close()
