"""What the tests of the program's windows share."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from inexview.gui.services.settings import Settings
from inexview.gui.shell.app import Application


@pytest.fixture
def application(
    qapp: QApplication, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Application]:
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    made = Application(qapp, settings)
    yield made
    for window in [*made.windows]:
        window.close()
    made.tasks.close()
    made.deleteLater()
