"""However the program ends, it ends in order: Qt's objects go in an order that does not crash."""

import os
import signal
import subprocess
import sys

import pytest

from inexview.core.project.project import Project
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


TYPING = """
import os, signal, sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from inexview.core.files import LinkedPlace
from inexview.gui.assess.passages import NoteBox
from inexview.gui.shell.main_window import MainWindow
from inexview.gui.shell.app import run

def type_and_be_ended():
    windows = [window for window in qt.topLevelWidgets() if isinstance(window, MainWindow)]
    if windows and windows[0].session.document is not None:
        looking.stop()
        box = windows[0].findChild(NoteBox)
        QTest.keyClicks(box.field, "come back")
        os.kill(os.getpid(), getattr(signal, sys.argv[2]))

qt = QApplication([])
looking = QTimer(interval=20)
looking.timeout.connect(type_and_be_ended)
looking.start()
sys.exit(run(LinkedPlace(Path(sys.argv[1]))))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="SIGTERM ends a process there at once")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_unsaved_text_is_saved_when_a_signal_ends_the_program(tmp_path, name):
    path = make_project(tmp_path)
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    arguments = [sys.executable, "-c", TYPING, str(path), name]
    ended = subprocess.run(arguments, env=environment, capture_output=True, timeout=120, text=True)
    assert ended.returncode == 128 + getattr(signal, name), ended.stderr
    assert "Error" not in ended.stderr
    with Project.open(path) as project:
        topic = project.topics[0].id
        assert project.histories.log(topic, project.pool(topic)[0]).remarks.note == "come back"


STUCK = """
import sys, threading
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from inexview.cli import main
from inexview.core.collection.collection import Collection
from inexview.gui.services import tasks
from inexview.gui.shell.main_window import MainWindow

tasks.PATIENCE = 0.1
reading = threading.Event()

def never_answer(collection, _id):
    with collection._lock:
        reading.set()
        threading.Event().wait()

def close():
    windows = [window for window in qt.topLevelWidgets() if isinstance(window, MainWindow)]
    if windows and reading.is_set():
        windows[0].close()

Collection.load = never_answer
qt = QApplication([])
looking = QTimer(interval=20)
looking.timeout.connect(close)
looking.start()
sys.exit(main(sys.argv[1:]))
"""


def test_a_drive_that_never_answers_keeps_no_window_and_no_process(tmp_path):
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    arguments = [sys.executable, "-c", STUCK, str(make_project(tmp_path))]
    ended = subprocess.run(arguments, env=environment, capture_output=True, timeout=120, text=True)
    assert ended.returncode == 0, ended.stderr
    assert "Error" not in ended.stderr


FONTS = """
from PySide6.QtCore import QTimer
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication
from inexview.gui.look import widgets
qt = QApplication([])
assert widgets.derived(QFont(), bold=True) is widgets.derived(QFont(), bold=True)
QTimer.singleShot(0, qt.quit)
qt.exec()
assert not widgets._fonts, "kept beyond the application"
"""


def test_no_font_outlives_the_application_that_knows_its_families():
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    subprocess.run([sys.executable, "-c", FONTS], env=environment, check=True, timeout=60)
