"""What an assessor waits for all day: marks among a thousand others, the next document, a project opened .

    python -m pytest tests/benchmarks/test_workday.py --benchmark-only

The figures are of wall-clock time; "CPU" besides is what this process itself worked, on a loaded machine too.
"""

from __future__ import annotations

import gc
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import process_time, thread_time

import pytest
from PySide6.QtCore import QCoreApplication, QEventLoop, Qt
from PySide6.QtTest import QTest
from pytest_benchmark.fixture import BenchmarkFixture

from inexview.core.judgements.qrels import Pool, PooledDocument
from inexview.core.judgements.topics import Topic
from inexview.core.progress import look_seldom
from inexview.core.project.document_state import ActionKind, JudgingAction
from inexview.core.project.journal import Journal, JournalEntry
from inexview.core.project.project import Project
from inexview.gui.article.text_area import TextArea
from inexview.gui.assess.words import ReadingWord
from inexview.gui.look.theme import load_fonts
from inexview.gui.services.settings import Appearance, Settings
from inexview.gui.shell.app import SWITCH
from inexview.gui.shell.main_window import MainWindow
from tests.benchmarks.conftest import end_windows
from tests.benchmarks.generate import article
from tests.benchmarks.test_article_view import spans
from tests.gui.driving import build_all

SIZE, MARKS, ACTIONS, DOCUMENTS = 44_000, 1_000, 10_000, 30
# The words of which the made-up articles have the most.
WORDS = "li fra ne an ve ka as sul ci or da em bo mi qui hal gru ter tho pe".split()  # noqa: SIM905


@pytest.fixture
def open_window(qtbot, qapp, tmp_path: Path) -> Iterator[Callable[[int, int], MainWindow]]:
    """Return a function that opens a window on so many articles of a size.

    Python looks for garbage, and goes from thread to thread, as it does in the program.
    """
    windows: list[MainWindow] = []
    thresholds, interval = gc.get_threshold(), sys.getswitchinterval()
    look_seldom()
    sys.setswitchinterval(SWITCH)

    def opened(documents: int, size: int) -> MainWindow:
        load_fonts(qapp)
        folder = tmp_path / "articles"
        folder.mkdir()
        for number in range(documents):
            (folder / f"{number}.xml").write_bytes(article(size))
        pool = Pool({"1": tuple(PooledDocument(str(number)) for number in range(documents))})
        path = tmp_path / "work.inexview"
        project = Project.create(
            path, collection=folder, topics=[Topic("1", "all")], pool=pool, assessor="Ada"
        )
        settings = Settings(tmp_path / "settings.ini")
        window = MainWindow(project, settings, Appearance(qapp, settings))
        window.resize(1440, 900)
        window.show()
        windows.append(window)
        qtbot.waitUntil(lambda: window.session.document is not None, timeout=20_000)
        build_all(window.findChild(TextArea).builder)
        qtbot.waitUntil(lambda: window.late_inspect.controller is not None, timeout=20_000)
        qtbot.wait(300)
        return window

    yield opened
    end_windows(windows)
    gc.unfreeze()
    gc.set_threshold(*thresholds)
    sys.setswitchinterval(interval)


class ProcessorTime:
    """How long this process itself worked on each of several rounds, in milliseconds."""

    def __init__(self) -> None:
        self.taken: list[float] = []

    def of(self, work: Callable[[], object]) -> None:
        """Do one round."""
        begun = process_time()
        work()
        self.taken.append((process_time() - begun) * 1000)

    def told(self) -> str:
        """Return median and worst."""
        return f"CPU ms {median(self.taken):.1f}, worst {max(self.taken):.1f}"


@pytest.mark.long
@pytest.mark.parametrize("what", ["mark", "erase", "undo"])
def test_a_step_among_a_thousand_marks(benchmark: BenchmarkFixture, open_window, timed: bool, what: str):
    """Until the window shows it."""
    window = open_window(1, SIZE)
    session, length = window.session, window.session.document.length
    session.project.do("1", "0", JudgingAction(ActionKind.MARK, tuple(spans(length, MARKS, 1))))
    session.mark(0, 1)
    chance, worked = random.Random(4), ProcessorTime()

    def setup() -> None:
        if what == "undo":
            start = chance.randrange(length - 100)
            session.mark(start, start + 90)

    def step() -> None:
        start = chance.randrange(length - 100)
        if what == "undo":
            session.undo()
        else:
            (session.mark if what == "mark" else session.erase)(start, start + 30)
        QCoreApplication.processEvents()

    benchmark.pedantic(lambda: worked.of(step), setup=setup, rounds=50 if timed else 2)
    benchmark.extra_info["besides"] = worked.told()


@pytest.mark.long
def test_from_a_key_to_the_next_document_painted(
    benchmark: BenchmarkFixture, open_window, qtbot, timed: bool
):
    window = open_window(DOCUMENTS, SIZE)
    worked = ProcessorTime()
    painted: list[str] = []
    window.article.first_painted.connect(lambda document: painted.append(document.id))

    def step() -> None:
        before = len(painted)
        QTest.keyClick(window.article, Qt.Key.Key_J)
        while len(painted) == before:
            QCoreApplication.processEvents()

    benchmark.pedantic(lambda: worked.of(step), setup=lambda: qtbot.wait(400), rounds=20 if timed else 1)
    benchmark.extra_info["besides"] = worked.told()


@pytest.mark.long
def test_twenty_words_coloured_in_two_million_characters(benchmark: BenchmarkFixture, open_window, qtbot):
    """The longest turn of the event loop, in processor time of the window's thread, is told besides."""
    window = open_window(1, 2_000_000)
    words = window.word_help.words
    longest = 0.0
    done: list[object] = []
    failed: list[str] = []
    words.changed.connect(lambda counted: done.append(all(one.count is not None for one in counted)))
    words.changed.connect(lambda counted: failed.extend(one.problem for one in counted if one.problem))

    def colour() -> None:
        nonlocal longest
        words._use(tuple(map(ReadingWord, WORDS)))
        painting = 5  # turns after they are known
        while painting:
            assert not failed
            painting -= bool(done and done[-1])
            begun = thread_time()
            # As the program does: a loop that never waits leaves no time to the thread that looks for them.
            QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
            longest = max(longest, (thread_time() - begun) * 1000)

    benchmark.pedantic(colour, rounds=1)
    benchmark.extra_info["besides"] = f"longest turn, CPU ms {longest:.1f}"


@pytest.mark.long
def test_a_day_of_10_000_actions_opened(benchmark: BenchmarkFixture, open_window, tmp_path: Path):
    window = open_window(600, 400)
    path = window.session.project.path
    window.close()
    chance = random.Random(1)
    kinds = ("mark", "mark", "erase")
    entries = []
    for _ in range(ACTIONS):
        start = chance.randrange(300)
        content = {"spans": [[start, start + chance.randrange(1, 60)]]}
        entries.append(JournalEntry(chance.choice(kinds), content, "1", str(chance.randrange(600))))
    journal = Journal.open(path, read_only=False)
    journal.start_writing()
    journal.append(entries, "Ada")
    journal.close()
    worked = ProcessorTime()

    def open_project() -> None:
        with Project.open(path) as project:
            assert len(project.histories.states("1")) > 500

    benchmark.pedantic(lambda: worked.of(open_project), rounds=5)
    benchmark.extra_info["besides"] = worked.told()
