"""What the tests of the program's windows share."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from inexview.core.project.project import Project
from inexview.gui.services.settings import Appearance, Settings
from inexview.gui.shell.app import Application
from inexview.gui.shell.main_window import MainWindow
from tests.gui.shell.lenses import make_project, settle


@pytest.fixture
def application(
    qapp: QApplication, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Application]:
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    made = Application(qapp, settings)
    yield made
    for window in [*made.windows]:
        window.close()
    if made.start is not None:
        made.start.close()
        made.start.deleteLater()
    made.tasks.close()
    made.deleteLater()


@pytest.fixture
def project_path(tmp_path):
    return make_project(tmp_path)


@pytest.fixture
def open_window(qtbot, qapp, settings):
    opened = []

    def open_project(path: Path) -> MainWindow:
        window = MainWindow(Project.open(path), settings, Appearance(qapp, settings))
        window.resize(1300, 900)
        window.show()
        opened.append(window)
        qtbot.waitUntil(lambda: window.session.document is not None)
        settle(qtbot, window)
        return window

    yield open_project
    for window in opened:
        window.close()
        window.deleteLater()


@pytest.fixture
def window(open_window, project_path):
    return open_window(project_path)
