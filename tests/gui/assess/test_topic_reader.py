"""How a topic's documents stand is read between two turns of the window, and counted once it is known."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from inexview.core.project.document_list import PoolProgress, Shown
from inexview.core.project.project import Project
from inexview.core.project.reviews import note_opened
from inexview.gui.services import tasks
from inexview.gui.services.settings import Appearance, Settings
from inexview.gui.shell.main_window import MainWindow
from tests.gui.driving import LEFT
from tests.projects import OTHER_TOPIC, TOPIC, make_project

DOCUMENTS = 30
FINISHED = [f"d{number}" for number in range(1, DOCUMENTS)]
CTRL_ALT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
READING = "Reading what is judged…"
ALL_READ = PoolProgress(DOCUMENTS, 0, len(FINISHED))


@pytest.fixture
def path(tmp_path) -> Path:
    """Return a project in which all documents but the last are finished, none of which was opened."""
    path = make_project(tmp_path, pooled=False, documents=DOCUMENTS)
    with Project.open(path) as project:
        project.not_relevant(TOPIC, *FINISHED)
        project.not_relevant(OTHER_TOPIC, "d2")
        note_opened(project, TOPIC, "d1")
    return path


@pytest.fixture
def opened(qtbot, qapp, tmp_path, path, monkeypatch):
    """Return a function that opens the window; with ``slowly``, it reads one document at each turn."""
    windows = []

    def open_window(*, slowly: bool) -> MainWindow:
        monkeypatch.setattr(tasks, "SLICE", 0 if slowly else 60)  # seconds: all at once, however slow that is
        settings = Settings(tmp_path / "settings.ini")
        window = MainWindow(Project.open(path), settings, Appearance(qapp, settings))
        windows.append(window)
        window.resize(1300, 900)
        with qtbot.waitActive(window):
            window.show()
            window.activateWindow()
        return window

    yield open_window
    for window in windows:
        window.close()
        window.deleteLater()


def told(window: MainWindow) -> str:
    return window.assess.pool._status.text()


def chip(window: MainWindow, shown: Shown) -> QPushButton:
    chips = window.assess.pool.findChildren(QPushButton)
    return next(button for button in chips if button.property("shown") is shown)


def go_back_to_reading(qtbot, window: MainWindow) -> None:
    """Wait until everything is read, and begin again."""
    qtbot.waitUntil(lambda: window.session.preparation.ready and window.session.reading.ready)
    window.session.reload()
    assert not window.session.reading.ready


def test_a_short_topic_is_read_as_it_opens(qtbot, opened):
    window = opened(slowly=False)
    qtbot.waitUntil(lambda: window.session.preparation.ready)
    assert window.session.reading.ready
    assert window.assess.pool.model.progress() == ALL_READ


def test_a_long_topic_is_counted_once_it_is_read_and_nothing_is_counted_before(qtbot, opened):
    window = opened(slowly=True)
    go_back_to_reading(qtbot, window)
    assert told(window) == READING
    assert chip(window, Shown.TO_DO).text() == "To do"
    qtbot.waitUntil(lambda: window.session.reading.ready)
    assert window.assess.pool.model.progress() == ALL_READ
    assert told(window).startswith("29 finished, 1 to go")
    assert chip(window, Shown.TO_DO).text() == "To do 1"


def test_a_topic_without_a_document_to_go_back_to_opens_at_the_first_to_do_once_that_is_known(
    qtbot, opened, path
):
    with Project.open(path) as project:
        note_opened(project, OTHER_TOPIC, "d1")
    window = opened(slowly=True)
    qtbot.waitUntil(lambda: window.session.preparation.ready and window.session.reading.ready)
    assert window.session.topic.id == OTHER_TOPIC
    window.session.open_topic(TOPIC)
    assert window.session.opening.wanted is None
    qtbot.waitUntil(lambda: window.session.document_id == f"d{DOCUMENTS}")


def test_a_filter_chosen_during_reading_applies_afterwards(qtbot, opened):
    window = opened(slowly=True)
    go_back_to_reading(qtbot, window)
    QTest.mouseClick(chip(window, Shown.TO_DO), LEFT)
    model = window.assess.pool.model
    assert model.rowCount() == DOCUMENTS
    qtbot.waitUntil(lambda: window.session.reading.ready)
    assert [model.document_at(row) for row in range(model.rowCount())] == [f"d{DOCUMENTS}"]


def test_results_for_a_left_topic_are_discarded(qtbot, opened):
    window = opened(slowly=True)
    go_back_to_reading(qtbot, window)
    QTest.keyClick(window, Qt.Key.Key_Down, CTRL_ALT)
    assert window.session.topic.id == OTHER_TOPIC
    qtbot.waitUntil(lambda: window.session.reading.ready)
    assert window.assess.pool.model.progress() == PoolProgress(DOCUMENTS, 0, 1)


def test_a_window_closed_meanwhile_reads_no_more_of_its_project(qtbot, opened):
    window = opened(slowly=True)
    go_back_to_reading(qtbot, window)
    window.close()
    qtbot.wait(30)
    assert not window.session.reading.ready


def test_a_topic_shown_again_keeps_the_document_being_read(qtbot, opened):
    window = opened(slowly=False)
    qtbot.waitUntil(lambda: window.session.preparation.ready and window.session.document is not None)
    window.session.open_document("d3")
    assert window.session.document_id != "d3", "it is being read"
    window.session.reload()
    qtbot.waitUntil(lambda: window.session.document_id == "d3")
    assert window.article.document.id == "d3"
