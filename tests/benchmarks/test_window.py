"""The whole window: a cold start, and the pen with score panel, ruler and figures following it.

    python -m pytest tests/benchmarks/test_window.py --benchmark-only

The moves of the pen are those of a hand: near one another, over text of which half is marked and retrieved.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPointF

from inexview.core.collection.collection import Collection
from inexview.core.judgements.runs import Result, Run
from inexview.core.judgements.topics import Topic
from inexview.core.project.document_state import ActionKind, JudgingAction
from inexview.core.project.project import Project
from inexview.core.project.sample import create_sample_project
from inexview.gui.article.text_area import TextArea
from inexview.gui.look.theme import load_fonts
from inexview.gui.services.settings import Appearance, Settings
from inexview.gui.shell.main_window import MainWindow, Mode
from tests.benchmarks.conftest import end_windows
from tests.benchmarks.generate import article
from tests.benchmarks.test_article_view import MOVES, SIZES, SPANS, percentile, send, spans
from tests.gui.driving import build_all

pytestmark = pytest.mark.long

START = """
import sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
from inexview.gui.shell.app import Application
from inexview.gui.services.settings import Settings
qt = QApplication([])
application = Application(qt, Settings(Path(sys.argv[1])))
if len(sys.argv) > 2:
    def quit_once_painted(window):
        window.article.first_painted.connect(lambda _document: qt.quit())
    application.open_project(Path(sys.argv[2]), then=quit_once_painted)
else:
    window = application.show_start()
    qt.processEvents()
    sys.exit()
qt.exec()
"""


@pytest.mark.parametrize("what", ["start window", "project"])
def test_a_cold_start_until_the_window_is_painted(benchmark, tmp_path: Path, timed: bool, what: str):
    """A new process each time, Python's own start included; the project's window with its first article.

    The modules are compiled, as those of an installed program are.
    """
    arguments = [sys.executable, "-c", START, str(tmp_path / "settings.ini")]
    if what == "project":
        arguments.append(str(create_sample_project(tmp_path / "sample.inexview")))
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHONPYCACHEPREFIX": str(tmp_path / "bytecode"),
        "OPENBLAS_NUM_THREADS": "1",  # as inexview.cli says
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)

    def start() -> None:
        subprocess.run(arguments, env=environment, check=True, stderr=subprocess.DEVNULL)

    benchmark.pedantic(start, rounds=10 if timed else 1, warmup_rounds=1)


@pytest.fixture
def open_inspected(qtbot, qapp, tmp_path: Path):
    """Return a function that opens a window on one article with marks and a run over it."""
    windows = []

    def opened(size: int, count: int) -> MainWindow:
        load_fonts(qapp)
        folder = tmp_path / "articles"
        folder.mkdir()
        (folder / "1.xml").write_bytes(article(size))
        with closing(Collection.open(folder)) as collection:
            length = collection.load("1").length
        project = Project.create(
            tmp_path / "one.inexview", collection=folder, topics=[Topic("1", "all")], assessor="Ada"
        )
        if count:
            project.do("1", "1", JudgingAction(ActionKind.MARK, tuple(spans(length, count, 1))))
            project.set_bep("1", "1", length // 3)
        retrieved = spans(length, max(count, 1), 2)
        run = Run.from_results(Result("1", "1", rank, None, *span) for rank, span in enumerate(retrieved, 1))
        settings = Settings(tmp_path / "settings.ini")
        window = MainWindow(project, settings, Appearance(qapp, settings))
        window.show()
        windows.append(window)
        qtbot.waitUntil(lambda: window.session.document is not None, timeout=20_000)
        build_all(window.findChild(TextArea).builder)
        window.session.add_run(run)
        window.set_mode(Mode.INSPECT)
        qtbot.wait(500)  # figures and curves are there
        build_all(window.findChild(TextArea).builder)  # again: tables have another width there
        return window

    yield opened
    end_windows(windows)


@pytest.mark.parametrize("count", SPANS)
@pytest.mark.parametrize("size", SIZES)
def test_from_a_mouse_move_to_the_painted_window(benchmark, open_inspected, timed, size, count):
    window = open_inspected(size, count)
    area = window.findChild(TextArea)
    chance = random.Random(3)
    place = [300.0, 300.0]
    send(area.viewport(), QEvent.Type.MouseButtonPress, QPointF(100, 150))

    def move() -> None:
        for axis, (low, high) in enumerate(((20, 560), (20, 760))):
            place[axis] = min(max(place[axis] + chance.uniform(-60, 60), low), high)
        send(area.viewport(), QEvent.Type.MouseMove, QPointF(*place))
        QCoreApplication.processEvents()

    benchmark.pedantic(move, rounds=MOVES if timed else 3, warmup_rounds=3)
    area.pen.give_up()
    benchmark.extra_info["p99 ms"] = percentile(benchmark, 99)


@pytest.mark.parametrize("size", SIZES)
def test_a_mark_until_the_window_shows_it(benchmark, open_inspected, timed, size):
    """From letting the pen go: the rules, the journal on disk, panels, overlay and scores."""
    window = open_inspected(size, 50)
    length = window.session.document.length
    chance = random.Random(4)

    def mark() -> None:
        start = chance.randrange(length - 100)
        act = window.session.mark if chance.random() < 0.5 else window.session.erase
        act(start, start + 90)
        QCoreApplication.processEvents()

    benchmark.pedantic(mark, rounds=100 if timed else 2, warmup_rounds=2)
    benchmark.extra_info["p99 ms"] = percentile(benchmark, 99)
