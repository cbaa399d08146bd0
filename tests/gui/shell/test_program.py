"""What is decided before there is a window: how large everything is."""

import os
import subprocess
import sys

import pytest

from inexview.gui.services.settings import SCALE, Settings
from inexview.gui.shell.app import scale_window

SCALED = """
from PySide6.QtWidgets import QApplication
from inexview.gui.services.settings import SCALE, Settings
from inexview.gui.shell.app import scale_window
settings = Settings()
settings.set(SCALE, 200)
scale_window(settings)
print(QApplication([]).primaryScreen().devicePixelRatio())
"""


def test_everything_is_twice_as_large_from_the_next_start(monkeypatch):
    monkeypatch.delenv("QT_SCALE_FACTOR", raising=False)
    told = subprocess.run([sys.executable, "-c", SCALED], capture_output=True, text=True, check=True)
    assert told.stdout == "2.0\n"


@pytest.mark.parametrize(("before", "after"), [(None, "1.5"), ("1.25", "1.25")])
def test_qts_own_environment_variable_takes_precedence(monkeypatch, tmp_path, before, after):
    monkeypatch.delenv("QT_SCALE_FACTOR", raising=False)
    if before:
        monkeypatch.setenv("QT_SCALE_FACTOR", before)
    settings = Settings(tmp_path / "settings.ini")
    settings.set(SCALE, 150)
    scale_window(settings)
    assert os.environ.pop("QT_SCALE_FACTOR") == after
