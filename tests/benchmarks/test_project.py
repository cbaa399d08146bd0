"""A mark until it is on the disk, and opening a project in which much was done.

``pytest tests/benchmarks/test_project.py --benchmark-only``
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.judgements.topics import Topic
from inexview.core.project.document_state import ActionKind, JudgingAction
from inexview.core.project.import_judgements import make_ready
from inexview.core.project.journal import Journal, JournalEntry
from inexview.core.project.project import Project
from inexview.core.project.reviews import note_opened
from inexview.core.text.spans import EMPTY, Spans
from inexview.gui.services.session import import_steps
from tests.projects import OTHER_TOPIC, TEXT, TOPIC, make_collection, make_project

LENGTH = 44_000
ACTIONS = 100_000


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Project.open(make_project(tmp_path)) as project:
        note_opened(project, TOPIC, "d1", text=("Paper is a felt of fibres. " * LENGTH)[:LENGTH])
        yield project


@pytest.mark.parametrize("spans", [0, 50, 1_500])
def test_a_mark_durable_on_disk(
    benchmark: BenchmarkFixture, project: Project, spans: int, timed: bool
) -> None:
    """With the quote of the passage that it makes."""
    step = LENGTH // (spans + 1)
    marked = tuple((at * step, at * step + step // 2) for at in range(spans))
    project.do(TOPIC, "d1", JudgingAction(ActionKind.MARK, marked))
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
            JournalEntry(
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
        return sum(len(opened[0].histories.states(topic.id)) for topic in opened[0].topics)

    assert benchmark.pedantic(fold, setup=setup, rounds=5) == 1_000
    opened.pop().close()


JUDGEMENTS, TOPICS = 50_000, 100


@pytest.fixture(scope="module")
def many_judgements(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Topic], Qrels]:
    """Return a collection, topics, and judgements of each document for each, a third of them relevant."""
    folder = make_collection(tmp_path_factory.mktemp("many") / "articles", JUDGEMENTS // TOPICS)
    topics = [Topic(str(number), "a topic") for number in range(TOPICS)]
    marks = Spans([(2, 9), (12, 17)])
    qrels = Qrels.from_judgements(
        Judgement(topic.id, f"d{number}", marks.size, len(TEXT), 2, marks)
        if number % 3 == 0
        else Judgement(topic.id, f"d{number}", 0, len(TEXT), None, EMPTY)
        for topic in topics
        for number in range(1, JUDGEMENTS // TOPICS + 1)
    )
    return folder, topics, qrels


@pytest.mark.long
def test_an_import_of_judgements(
    benchmark: BenchmarkFixture, many_judgements: tuple[Path, list[Topic], Qrels], tmp_path: Path
) -> None:
    """All of it as the window does it: made ready, then written in steps; the longest step is noted."""
    folder, topics, qrels = many_judgements
    made = iter(range(100))
    longest = 0.0

    def setup() -> tuple[tuple[Project], dict[str, object]]:
        path = tmp_path / f"{next(made)}.inexview"
        return (Project.create(path, collection=folder, topics=topics),), {}

    def take(project: Project) -> None:
        nonlocal longest
        collection = project.collection
        known = {topic.id for topic in topics}
        ready = make_ready(qrels, known, project.convention, lambda id: collection.scan(id).text)
        begun = perf_counter()
        for _ in import_steps(project, ready):
            now = perf_counter()
            longest, begun = max(longest, now - begun), now
        project.close()

    benchmark.pedantic(take, setup=setup, rounds=3)
    benchmark.extra_info["longest step (ms)"] = round(longest * 1_000, 1)
