"""A window in which somebody marks a sentence, and which is killed then; see test_scripted_day.py.

``python -m tests.gui.killed_window PROJECT DOCUMENT`` prints what is marked as JSON when the screen shows it,
and goes on until it is killed.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from time import monotonic

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from inexview.gui.services.settings import Settings
from inexview.gui.shell.app import Application
from tests.gui.driving import key, text_area

PATIENCE = 60.0  # seconds until the document is there


def main(project: Path, document: str) -> None:
    """Mark the first sentence below the title in the document where one left off."""
    qt = QApplication([])
    window = Application(qt, Settings(project.parent / "settings.ini")).open_project(project)
    assert window is not None
    window.resize(900, 640)
    end = monotonic() + PATIENCE
    while window.session.document_id != document or not text_area(window.article).visible().lines:
        assert monotonic() < end, "the document does not come"
        QTest.qWait(10)
    key(window.article, Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier)
    key(window.article, Qt.Key.Key_S)
    assert not window.grab().isNull()
    print(json.dumps(list(window.session.state.marks)), flush=True)
    qt.exec()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
