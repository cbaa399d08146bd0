"""However the program ends, it ends in order: Qt's objects go in an order that does not crash."""

import os
import subprocess
import sys

import pytest

from inexview.core.project.sample import create_sample_project

PROGRAM = """
import sys
from pathlib import Path
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from inexview.gui.shell.app import Application
from inexview.gui.article.text_area import TextArea
from inexview.gui.services.settings import Settings
qt = QApplication([])
application = Application(qt, Settings(Path(sys.argv[1]).with_suffix(".ini")))
window = application.open_project(Path(sys.argv[1]))
if sys.argv[2] == "quit":
    QTimer.singleShot(300, window.book["quit"].trigger)
    sys.exit(qt.exec())
while window.session.document is None:
    qt.processEvents()
if sys.argv[2] == "copied":
    area = window.article.findChild(TextArea)
    area.select(10, 30)
    QTest.keyClick(area, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert qt.clipboard().text() == window.session.document.text[10:30]
if sys.argv[2] == "closed":
    window.close()
    application.windows.clear()
"""


@pytest.mark.parametrize("how", ["quit", "closed", "left open", "copied"])
def test_the_program_ends_without_a_crash(tmp_path, how):
    project = create_sample_project(tmp_path / "sample.inexview")
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    arguments = [sys.executable, "-c", PROGRAM, str(project), how]
    assert subprocess.run(arguments, env=environment, capture_output=True, timeout=60).returncode == 0


FONTS = """
from PySide6.QtCore import QTimer
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication
from inexview.gui.look import panel_parts
qt = QApplication([])
assert panel_parts.derived(QFont(), bold=True) is panel_parts.derived(QFont(), bold=True)
QTimer.singleShot(0, qt.quit)
qt.exec()
assert not panel_parts._fonts, "kept beyond the application"
"""


def test_no_font_outlives_the_application_that_knows_its_families():
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    subprocess.run([sys.executable, "-c", FONTS], env=environment, check=True, timeout=60)
