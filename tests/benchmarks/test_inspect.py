"""Inspect with 20 and with 100 runs of 1,500 results a topic at 1440 × 900: driven, and all of it painted.

    OPENBLAS_NUM_THREADS=1 python -m pytest tests/benchmarks/test_inspect.py --benchmark-only

The number of threads is what the program itself tells numpy, before that is loaded.
What the window's own thread computes is counted (``besides``), since the machine may be busy with others.
The 100 runs are of 68 topics: they take a minute to be made and scored, and 0.8 GB.
"""

from __future__ import annotations

import gc
import resource
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QSlider, QStyle, QStyleOptionSlider
from pytestqt.qtbot import QtBot

from inexview.core.collection.collection import Collection
from inexview.core.evaluation.evaluate import prepare
from inexview.core.evaluation.scores import ScoringSettings
from inexview.core.evaluation.variants import leave_out_of
from inexview.core.judgements.runs import Run, Task
from inexview.core.progress import look_seldom
from inexview.core.project.judgement_export import finished_judgements
from inexview.core.project.project import Project
from inexview.gui.article.text_area import TextArea
from inexview.gui.look.theme import load_fonts
from inexview.gui.services.actions import Room
from inexview.gui.services.session import Session
from inexview.gui.services.settings import APPEARANCE, Appearance, Settings
from inexview.gui.shell.app import SWITCH
from inexview.gui.shell.main_window import MainWindow, Mode
from tests.benchmarks.campaign import entry_points, make_campaign
from tests.benchmarks.conftest import end_windows
from tests.benchmarks.test_article_view import send

pytestmark = pytest.mark.long

SIZES = {"20 runs": (20, 8), "100 runs": (100, 68)}  # runs, topics
SWITCHES, STEPS, WARM = 12, 60, 2
PATIENCE = 600  # seconds
TOPIC, DOCUMENT = "2009001", "20"
MEASURES = (("MAgP", "gP[5]"), ("gP[10]", "MAgP"), ("gP[5]", "MAgP"))


@pytest.fixture(scope="module", params=SIZES.values(), ids=SIZES)
def campaign(request, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Run]]:
    runs, topics = request.param
    return make_campaign(tmp_path_factory.mktemp("campaign"), runs=runs, topics=topics)


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return Settings(tmp_path_factory.mktemp("settings") / "settings.ini")


@pytest.fixture(scope="module")
def scored(qapp, settings: Settings, campaign: tuple[Path, list[Run]]):
    load_fonts(qapp)
    gc.collect()
    often, interval = gc.get_threshold(), sys.getswitchinterval()
    look_seldom()  # as the program does before its first window
    sys.setswitchinterval(SWITCH)
    path, runs = campaign
    made = MainWindow(Project.open(path), settings, Appearance(qapp, settings))
    made.resize(1440, 900)
    made.show()
    made.session.add_run(*(replace(run, path=path.with_name(f"{run.id}.txt")) for run in runs))
    made.set_mode(Mode.INSPECT)
    turns_until(lambda: is_tested(made))
    yield made
    end_windows([made])
    gc.unfreeze()
    gc.set_threshold(*often)
    sys.setswitchinterval(interval)


@pytest.fixture
def window(qtbot: QtBot, scored: MainWindow) -> MainWindow:
    """The window at the document where each of these begins."""
    scored.inspect.open_topic(TOPIC)
    scored.session.open_document(DOCUMENT)
    turns_until(lambda: scored.session.document is not None and scored.session.document.id == DOCUMENT)
    turns_until(lambda: is_tested(scored))
    qtbot.wait(500)
    return scored


def is_tested(window: MainWindow) -> bool:
    """Tell whether all runs have figures of now, and all pairs of them were tested."""
    board = window.inspect.board
    if board.stale or len(board.figures.scores) < len(board.runs):
        return False
    return all(one.tested for one in board.pairs.differences().values())


def turns_until(done: Callable[[], bool]) -> float:
    """Let the window work until something is so; return its longest turn, in milliseconds of its thread."""
    longest, end = 0.0, time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < end
        begun = time.thread_time()
        QCoreApplication.processEvents()
        longest = max(longest, time.thread_time() - begun)
        time.sleep(0.002)
    return 1000 * longest


def wait_for_document(session: Session) -> None:
    """Let the window work until the document on its way is there, waking up as the program does."""
    while session.opening.wanted is not None:
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)


def measured(benchmark, qtbot: QtBot, act: Callable[[int], None], rounds: int, *, rest: int = 150) -> None:
    """Time ``act`` until the window is painted; between two of them all else comes to its end."""
    spent: list[float] = []

    def once() -> None:
        begun = time.thread_time()
        act(len(spent))
        QCoreApplication.processEvents()
        spent.append(1000 * (time.thread_time() - begun))

    benchmark.pedantic(
        once, setup=lambda: qtbot.wait(rest) if rest else None, rounds=rounds, warmup_rounds=WARM
    )
    benchmark.extra_info["thread ms"] = round(statistics.median(spent[-rounds:]), 1)
    benchmark.extra_info["most"] = round(max(spent[-rounds:]), 1)


@pytest.mark.parametrize("what", ["run", "topic", "document", "measure", "theme"])
def test_switching_until_the_window_is_painted(benchmark, qtbot, window, settings, timed, what):
    session, board = window.session, window.inspect.board
    topics = [topic.id for topic in session.project.topics]

    def switch(at: int) -> None:
        match what:
            case "run":
                session.select_run(session.runs[at * 7 % len(session.runs)])
            case "topic":
                session.open_topic(topics[(at + 1) % len(topics)])
                wait_for_document(session)
            case "document":
                session.open_document(str(30 + at))
                wait_for_document(session)
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
    window.article.dismiss()
    window.rooms.enter(Room.INSPECT)


@pytest.mark.parametrize("which", ["A", "beta", "A of best in context"])
def test_a_step_of_a_parameter_with_the_figures_of_its_run(benchmark, qtbot, window, timed, which):
    """A at the slider, as a hand drags it, or β by its keys; in best in context A makes the measure."""
    session, box = window.session, window.inspect.scores.box
    own, before = None, session.run
    if which.endswith("context"):
        own = entry_points(session.runs[0])
        session.add_run(replace(own, path=Path(f"{own.id}.txt")))
        session.select_run(session.runs[-1])
        turns_until(lambda: not window.inspect.board.stale)
    slider, field = box.entry.slider, box.beta.field
    middle = slider.height() / 2
    if which != "beta":
        send(slider, QEvent.Type.MouseButtonPress, QPointF(handle_of(slider), middle))
    else:
        field.setFocus()

    def step(at: int) -> None:
        if which == "beta":
            QTest.keyClick(field, (Qt.Key.Key_Up, Qt.Key.Key_Down)[at // 10 % 2])
        else:
            send(slider, QEvent.Type.MouseMove, QPointF(8 + at * 7 % (slider.width() - 16), middle))

    measured(benchmark, qtbot, step, STEPS if timed else 2, rest=0)
    if which != "beta":
        send(slider, QEvent.Type.MouseButtonRelease, QPointF(8, middle))
    if own is not None:
        session.close_run(session.run)
        session.select_run(before)
    turns_until(lambda: is_tested(window))


def handle_of(slider: QSlider) -> float:
    """Return where the handle of a slider is, from its left."""
    option = QStyleOptionSlider()
    slider.initStyleOption(option)
    part = QStyle.SubControl.SC_SliderHandle
    return slider.style().subControlRect(QStyle.ComplexControl.CC_Slider, option, part, slider).center().x()


def test_scoring_all_runs_and_testing_all_pairs(benchmark, window):
    """From another β, until each run and pair has its figures, in the background."""
    turns: list[float] = []
    board = window.inspect.board
    before = board.parameters

    def score() -> None:
        board.set_parameters(replace(before, beta=2 * before.beta))
        turns.append(turns_until(lambda: is_tested(window)))

    benchmark.pedantic(score, rounds=1)
    benchmark.extra_info["longest turn ms"] = round(max(turns), 1)
    benchmark.extra_info["peak MB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    board.set_parameters(before)
    turns_until(lambda: is_tested(window))


def test_leaving_each_part_of_a_topic_out(benchmark, campaign, timed):
    path, (run, *_) = campaign
    collection = Collection.open(path.parent / "articles")
    qrels = finished_judgements(path, collection)
    collection.close()
    settings = ScoringSettings(task=Task.RELEVANT_IN_CONTEXT)
    benchmark.pedantic(
        lambda: leave_out_of(prepare(qrels, run, settings), run.topics[0]), rounds=10 if timed else 1
    )
