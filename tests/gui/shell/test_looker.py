"""Judgements and runs that are brought to the start window: shown in Inspect, and nothing is kept."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog

from inexview.core.evaluation.evaluate import evaluate
from inexview.core.files import resource
from inexview.core.judgements.runs import Task
from inexview.core.project.inspection import NOT_HERE
from inexview.core.project.project import Project
from inexview.core.project.sample import create_sample_project
from inexview.gui.commands.dialogs import NewProjectDialog
from inexview.gui.services.settings import RECENT, STATES
from inexview.gui.shell.benchmark_window import BenchmarkWindow
from inexview.gui.shell.main_window import Mode
from tests.gui.driving import drop, file_named


@pytest.fixture
def files(tmp_path) -> Path:
    """Return a folder with the sample's judgements and runs, and nothing else."""
    folder = tmp_path / "campaign"
    folder.mkdir()
    for name in ("judgements.txt", "topics.xml"):
        shutil.copy(resource("sample") / name, folder)
    shutil.copytree(resource("sample") / "runs", folder / "runs")
    return folder


RUNS = sorted(path.name for path in (resource("sample") / "runs").glob("*.txt"))


def shown(application, qtbot, runs: int = len(RUNS)):
    qtbot.waitUntil(lambda: bool(application.windows))
    (window,) = application.windows
    qtbot.waitUntil(lambda: len(window.session.runs) == runs)
    qtbot.waitUntil(lambda: window.session.document is not None)
    return window


def active(application, qtbot):
    start = application.show_start()
    with qtbot.waitActive(start):
        start.activateWindow()
    return start


def test_judgements_and_runs_are_enough_and_nothing_is_kept(application, qtbot, files):
    before = sorted(files.rglob("*"))
    assert drop(application.show_start(), files / "judgements.txt", files / "runs")
    window = shown(application, qtbot)
    assert window.mode is Mode.INSPECT
    assert window.session.project.read_only
    assert window.messages.current is not None
    assert NOT_HERE in window.messages.current.text
    made = window.session.project.path
    assert made.exists()
    assert application.settings.get(RECENT) == []
    window.close()
    assert not made.exists()
    assert application.settings.get(STATES) == {}
    assert sorted(files.rglob("*")) == before


def test_their_figures_are_those_of_eval(application, qtbot, files):
    assert drop(application.show_start(), files / "judgements.txt", files / "runs")
    window = shown(application, qtbot)
    board = window.inspect.board
    board.choose(replace(board.choice, task=Task.RELEVANT_IN_CONTEXT))
    table = window.inspect.runs.table.model()
    scored = evaluate(files / "judgements.txt", [files / "runs" / name for name in RUNS], task=board.task)
    figure = f"{scored['LM-passages'].mean['MAgP']:.4f}"
    qtbot.waitUntil(lambda: figure in [table.index(0, at).data() for at in range(table.columnCount())])


@pytest.mark.parametrize("near", [True, False], ids=["beside", "brought"])
def test_texts_in_the_same_folder_or_drop_are_shown(application, qtbot, files, near):
    articles = files / "articles" if near else files.parent / "elsewhere"
    shutil.copytree(resource("sample") / "articles", articles)
    brought = [files / "judgements.txt", files / "runs", files / "topics.xml"]
    assert drop(application.show_start(), *brought, *([] if near else [articles]))
    window = shown(application, qtbot)
    assert window.session.document.text.strip("·. \n")
    assert {topic.title for topic in window.session.project.topics} != {""}


def test_unrelated_texts_in_the_same_folder_are_ignored(application, qtbot, files):
    (files / "articles").mkdir()
    (files / "articles" / "other.txt").write_text("Nothing of it.", encoding="utf-8")
    assert drop(application.show_start(), files / "judgements.txt", files / "runs")
    window = shown(application, qtbot)
    assert NOT_HERE in window.messages.current.text


def test_the_second_way_asks_for_files(application, qtbot, files, monkeypatch):
    chosen = [str(files / "judgements.txt"), *map(str, (files / "runs").glob("*.txt"))]
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: (chosen, ""))
    QTest.keyClick(active(application, qtbot), Qt.Key.Key_2)
    assert shown(application, qtbot).mode is Mode.INSPECT


def test_runs_alone_are_shown_as_they_are(application, qtbot, files):
    assert drop(application.show_start(), files / "runs")
    window = shown(application, qtbot)
    assert "not scored" in window.messages.current.text


def test_two_files_of_judgements_are_refused_in_a_sentence(application, qtbot, files):
    shutil.copy(files / "judgements.txt", files / "others.txt")
    start = application.show_start()
    assert drop(start, files / "judgements.txt", files / "others.txt")
    qtbot.waitUntil(lambda: "choose one" in start.area.said.text())
    assert not application.windows
    assert drop(start, files / "judgements.txt", files / "runs")
    shown(application, qtbot)


def test_a_broken_file_is_reported_until_the_next_drop(application, qtbot, files):
    (files / "judgements.txt").write_text("1 Q0 a 12 x\n1 Q0 b 5 5 0 0:5\n", encoding="utf-8")
    start = application.show_start()
    assert drop(start, files / "judgements.txt")
    qtbot.waitUntil(lambda: "judgements.txt" in start.area.said.text())
    start.refresh()
    assert start.area.said.property("role") == "muted"


def test_the_third_way_takes_a_folder_or_a_file_by_the_same_question(application, qtbot, files, monkeypatch):
    asked: list[str] = []
    monkeypatch.setattr(NewProjectDialog, "exec", lambda own: asked.append(own.collection.line.text()))
    shutil.copytree(resource("sample") / "articles", files / "texts")
    start = active(application, qtbot)
    with file_named(start, files / "texts"):
        QTest.keyClick(start, Qt.Key.Key_3)
    qtbot.waitUntil(lambda: asked == [str(files / "texts")])
    active(application, qtbot)
    with file_named(start, files / "judgements.txt"):
        QTest.keyClick(start, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    shown(application, qtbot, runs=0)


def test_two_benchmarks_are_looked_at_side_by_side_and_esc_closes_each(application, qtbot, tmp_path):
    for name in "ab":
        context = {"context": f"Oil {name} is pressed.", "qas": []}
        data = {"data": [{"title": name, "paragraphs": [context]}], "version": "2"}
        (tmp_path / f"{name}.json").write_text(json.dumps(data), encoding="utf-8")
        application.show_start()
        application.looker.open_benchmark(tmp_path / f"{name}.json")

    def open_now():
        tops = QApplication.topLevelWidgets()
        return [one for one in tops if isinstance(one, BenchmarkWindow) and one.isVisible()]

    qtbot.waitUntil(lambda: len(open_now()) == 2 and all(one.look is not None for one in open_now()))
    first, second = open_now()
    QTest.keyClick(first, Qt.Key.Key_Escape)
    assert second.isVisible()
    QTest.keyClick(second, Qt.Key.Key_Escape)
    assert open_now() == []
    start = application.start
    QTest.keyClick(start, Qt.Key.Key_Escape)
    assert start.isVisible()


def test_browse_opens_a_project_too(application, qtbot, tmp_path):
    project = create_sample_project(tmp_path / "mine.inexview")
    start = application.show_start()
    with file_named(start, project):
        QTest.mouseClick(start.area.browse, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(application.windows))
    assert application.windows[0].session.project.path == project


def test_how_far_a_project_is_is_kept_for_the_list(application, qtbot, tmp_path):
    project = create_sample_project(tmp_path / "mine.inexview")
    application.show_start()
    window = application.open_project(project)
    qtbot.waitUntil(lambda: window.session.document is not None)
    window.close()
    start = application.show_start()
    with Project.open(project, read_only=True) as made:
        pooled = sum(len(made.pool(topic.id)) for topic in made.topics)
        done = pooled - len(made.pool("2026003"))
    said = f"mine\nJudging · 11 topics · {done} of {pooled} documents finished"
    assert start.recent.item(0).text() == said
    assert QApplication.activeModalWidget() is None
