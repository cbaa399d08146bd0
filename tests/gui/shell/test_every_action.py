"""Every action of the menus, given with runs open and answered with Esc: no defect is logged."""

import sys

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QDialog, QMenu

from inexview.core.project.sample import create_sample_project, sample_runs
from inexview.gui.services.actions import Room
from inexview.gui.services.settings import Settings
from inexview.gui.shell.app import Application
from inexview.gui.shell.main_window import Mode
from inexview.gui.shell.menus import ACTIONS

# Tested elsewhere: what ends the program, opens a second window, or dresses all of it again.
ELSEWHERE = {"quit", "open-sample", "theme-light", "theme-dark"}


@pytest.fixture
def application(qapp, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    made = Application(qapp, Settings(tmp_path / "settings.ini"))
    yield made
    for window in [*made.windows]:
        window.inspect.scratch_copies.discard()  # or it would ask
        window.close()
    if made.start is not None:
        made.start.close()
        made.start.deleteLater()
    made.tasks.close()
    made.deleteLater()


def dismiss():
    """Close what waits for an answer, as Esc does."""
    waiting = QApplication.activePopupWidget() or QApplication.activeModalWidget()
    if isinstance(waiting, QDialog):
        waiting.reject()
    elif isinstance(waiting, QMenu):
        waiting.close()


def test_every_action_can_be_given(application, qtbot, tmp_path):
    path = create_sample_project(tmp_path / "sample.inexview")
    window = application.open_project(path)
    qtbot.waitUntil(lambda: window.session.document is not None)
    window.files.open_runs(sample_runs(path))
    qtbot.waitUntil(lambda: len(window.session.runs) == len(sample_runs(path)))
    answering = QTimer(window, interval=1)
    answering.timeout.connect(dismiss)
    answering.start()
    for record in ACTIONS:
        if record.id not in ELSEWHERE:
            window.set_mode(Mode.ASSESS if record.at_hand(Room.ASSESS) else Mode.INSPECT)
            window.book[record.id].trigger()
    qtbot.waitUntil(lambda: QApplication.activeModalWidget() is None)
    answering.stop()
