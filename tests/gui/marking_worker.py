"""Windows that are marked in with real mouse events until they are killed; see test_kill.py.

For each line ``SEED`` on stdin a fork of this process, in which Qt has not begun, opens a window.  It prints
``pid N`` and, after each stroke, when the screen shows it, a line of JSON: what is marked and what could be
undone.  When it is dead, ``dead`` is printed.
"""

from __future__ import annotations

import json
import os
import random
import sys
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from inexview.gui.article.text_document import Line
from inexview.gui.services.settings import Settings
from inexview.gui.shell.app import Application
from inexview.gui.shell.main_window import MainWindow
from tests.gui.driving import LEFT, RIGHT, drag, key, text_area


def work(project: Path, seed: int) -> None:
    """Open the project and mark, erase and undo in its first document until killed."""
    chance = random.Random(seed)
    qt = QApplication([])
    window = Application(qt, Settings(project.with_suffix(".ini"))).open_project(project)
    window.resize(1400, 900)  # its screen is small, and so would be its lines
    while not (lines := long_lines(window)):
        QTest.qWait(10)
    topic, document = window.session.topic.id, window.session.document.id
    window.session.state_changed.connect(lambda change: say(window, change))
    say(window, None)
    while True:
        line = chance.choice(lines[:8])
        if chance.random() < 0.3 and window.session.project.can_undo(topic, document):
            key(window.article, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        else:
            start = chance.randrange(line.start, line.end - 12)
            drag(window.article, start, start + 10, button=chance.choice([LEFT, LEFT, RIGHT]))


def long_lines(window: MainWindow) -> list[Line]:
    """Return the lines in which there is room for a stroke."""
    return [line for line in text_area(window.article).visible().lines if line.end - line.start > 30]


def say(window: object, change: object) -> None:
    """Tell what the screen shows, past all buffers."""
    session = window.session
    at = session.topic.id, session.document.id
    told = [list(session.state.marks), session.project.can_undo(*at), session.project.can_redo(*at)]
    os.write(1, json.dumps(told).encode() + b"\n")


def main(project: Path) -> None:
    """Fork a window for each seed that is asked for."""
    for line in sys.stdin:
        worker = os.fork()
        if not worker:
            os.write(1, b"pid %d\n" % os.getpid())
            work(project, int(line))
        os.waitpid(worker, 0)
        os.write(1, b"\ndead\n")  # the report may have been cut short


if __name__ == "__main__":
    main(Path(sys.argv[1]))
