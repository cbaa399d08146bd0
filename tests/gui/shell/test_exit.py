"""However the program ends, it ends in order: Qt's objects go in an order that does not crash."""

import os
import subprocess
import sys

import pytest

from tests.projects import make_project

PROGRAM = """
import os, sys
from pathlib import Path
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
import inexview.gui.shell.main_window
from inexview.gui.shell.app import Application
from inexview.gui.article.text_area import TextArea
from inexview.gui.services.settings import Settings

folder, *ways = sys.argv[1:]
for how in ways:  # each in a process of its own, where one can be split off without importing all again
    if len(ways) > 1 and (child := os.fork()):
        print(how, os.waitpid(child, 0)[1], flush=True)
    else:
        break
else:
    sys.exit()
project = Path(folder, how, "test.inexview")
qt = QApplication([])
application = Application(qt, Settings(project.with_suffix(".ini")))
window = application.open_project(project)
if how == "quit":
    QTimer.singleShot(300, window.book["quit"].trigger)
    sys.exit(qt.exec())
while window.session.document is None:
    qt.processEvents()
if how == "copied":
    area = window.article.findChild(TextArea)
    area.select(10, 30)
    QTest.keyClick(area, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert qt.clipboard().text() == window.session.document.text[10:30]
if how == "closed":
    window.close()
    application.windows.clear()
"""
WAYS = ("quit", "closed", "left-open", "copied")


@pytest.mark.parametrize("ways", [WAYS] if hasattr(os, "fork") else [(how,) for how in WAYS])
def test_the_program_ends_without_a_crash(tmp_path, ways):
    for how in ways:
        (tmp_path / how).mkdir()
        make_project(tmp_path / how)
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    arguments = [sys.executable, "-c", PROGRAM, str(tmp_path), *ways]
    ended = subprocess.run(arguments, env=environment, capture_output=True, timeout=120, text=True)
    assert ended.returncode == 0
    if len(ways) > 1:
        assert ended.stdout.splitlines() == [f"{how} 0" for how in ways], ended.stderr


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
