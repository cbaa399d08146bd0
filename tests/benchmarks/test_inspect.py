"""Inspect with 20 runs of 1,500 results a topic at 1440 × 900: the window is driven and all of it painted.

    python -m pytest tests/benchmarks/test_inspect.py --benchmark-only

What the window's own thread computes is counted (``besides``), since the machine may be busy with others.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPointF
from pytestqt.qtbot import QtBot

from inexview.core.collection.collection import Collection
from inexview.core.evaluation.evaluate import ScoringSettings, lay
from inexview.core.evaluation.leave_one_out import leave_out_of
from inexview.core.judgements.runs import Run, Task
from inexview.core.project.judged_documents import finished_judgements
from inexview.core.project.project import Project
from inexview.gui.article.text_area import TextArea
from inexview.gui.look.style import load_fonts
from inexview.gui.services.appearance import Appearance
from inexview.gui.services.settings import APPEARANCE, Settings
from inexview.gui.shell.main_window import MainWindow, Mode
from tests.benchmarks.campaign import make_campaign
from tests.benchmarks.test_article_view import send

pytestmark = pytest.mark.long

RUNS, SWITCHES, STEPS = 20, 12, 60
TOPIC, DOCUMENT = "2009001", "20"
MEASURES = (("MAgP", "gP[5]"), ("gP[10]", "MAgP"), ("gP[5]", "MAgP"))


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Run]]:
    return make_campaign(tmp_path_factory.mktemp("campaign"), runs=RUNS)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path / "settings.ini")


@pytest.fixture
def window(qtbot: QtBot, qapp, tmp_path: Path, settings: Settings, campaign: tuple[Path, list[Run]]):
    load_fonts(qapp)
    path, runs = campaign
    made = MainWindow(Project.open(path), settings, Appearance(qapp, settings))
    made.resize(1440, 900)
    made.show()
    for run in runs:
        made.session.add_run(replace(run, path=tmp_path / f"{run.id}.txt"))
    made.set_mode(Mode.INSPECT)
    board = made.inspect.board
    qtbot.waitUntil(lambda: len(board.figures.scores) == RUNS and not board.stale, timeout=60_000)
    made.inspect.stage.open_topic(TOPIC)
    made.session.open_document(DOCUMENT)
    qtbot.waitUntil(lambda: made.session.document is not None and made.session.document.id == DOCUMENT)
    qtbot.wait(500)
    yield made
    made.close()


def measured(benchmark, qtbot: QtBot, act: Callable[[int], None], rounds: int, *, rest: int = 150) -> None:
    """Time ``act`` until the window is painted; between two of them all else comes to its end."""
    spent: list[float] = []

    def once() -> None:
        begun = time.thread_time()
        act(len(spent))
        QCoreApplication.processEvents()
        spent.append(1000 * (time.thread_time() - begun))

    benchmark.pedantic(once, setup=lambda: qtbot.wait(rest) if rest else None, rounds=rounds, warmup_rounds=2)
    benchmark.extra_info["thread ms"] = round(statistics.median(spent), 1)


@pytest.mark.parametrize("what", ["run", "topic", "document", "measure", "theme"])
def test_switching_until_the_window_is_painted(benchmark, qtbot, window, settings, timed, what):
    session, board = window.session, window.inspect.board
    topics = [topic.id for topic in session.project.topics]

    def switch(at: int) -> None:
        match what:
            case "run":
                session.select_run(session.runs[at * 7 % RUNS])
            case "topic":
                session.open_topic(topics[(at + 1) % len(topics)])
            case "document":
                session.open_document(str(30 + at))
            case "measure":
                shown = MEASURES[at % len(MEASURES)]
                board.choose(board.choice.show(Task.RELEVANT_IN_CONTEXT, shown))
            case "theme":
                settings.set(APPEARANCE, ("dark", "light")[at % 2])

    measured(benchmark, qtbot, switch, SWITCHES if timed else 1)


@pytest.mark.parametrize("what_if", [False, True], ids=["judgements", "what-if"])
def test_a_step_of_a_drag_with_all_figures(benchmark, qtbot, window, timed, what_if):
    window.book["what-if" if what_if else "edit-judgements"].trigger()
    qtbot.wait(300)
    viewport = window.article.findChild(TextArea).viewport()
    send(viewport, QEvent.Type.MouseButtonPress, QPointF(120, 150))

    def move(at: int) -> None:
        send(viewport, QEvent.Type.MouseMove, QPointF(150 + at * 5 % 300, 160 + at * 9 % 300))

    measured(benchmark, qtbot, move, STEPS if timed else 2, rest=0)
    window.article.let_go()


def test_leaving_each_part_of_a_topic_out(benchmark, campaign, timed):
    path, (run, *_) = campaign
    collection = Collection.open(path.parent / "articles")
    qrels = finished_judgements(path, collection)
    collection.close()
    settings = ScoringSettings(task=Task.RELEVANT_IN_CONTEXT)
    benchmark.pedantic(
        lambda: leave_out_of(lay(qrels, run, settings), run.topics[0]), rounds=10 if timed else 1
    )
