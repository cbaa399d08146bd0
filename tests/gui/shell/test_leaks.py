"""The watch of conftest.py is itself watched: it lets nothing through and blames no one wrongly."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

CASES = """
from PySide6.QtCore import QThread, QTimer
from PySide6.QtWidgets import QWidget
from inexview.gui.services.tasks import Tasks

import logging

kept = []

def test_a_defect_that_only_the_log_knows():
    logging.getLogger("inexview.gui.shell.app").error("unexpected")

def test_a_forgotten_window():
    kept.append(QWidget())

def test_a_forgotten_timer(qtbot):
    kept.append(QTimer())
    kept[-1].start(60_000)

def test_a_forgotten_thread(qtbot):
    kept.append(QThread())
    kept[-1].start()

def test_a_forgotten_worker(qtbot):
    got = []
    kept.append(Tasks(print))
    kept[-1].run(lambda: 1, got.append)
    qtbot.waitUntil(lambda: bool(got))

def test_a_window_with_a_timer_given_to_qtbot(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    QTimer(window).start(60_000)
    window.show()

def test_an_unreferenced_window_in_a_cycle(qtbot):
    window = QWidget()
    window.itself = window

def test_stop_what_runs():
    for it in kept:
        if isinstance(it, QThread):
            it.quit()
            it.wait()
        elif isinstance(it, Tasks):
            it.close()
"""


def test_a_test_that_leaves_objects_behind_fails(checkout: Path, tmp_path: Path) -> None:
    (tmp_path / "test_cases.py").write_text(CASES, encoding="utf-8")
    plugins = [
        "-p",
        "tests.conftest",
        "-p",
        "tests.gui.conftest",
        "-p",
        "no:randomly",
        "-p",
        "no:cacheprovider",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *plugins, "--rootdir", str(checkout), str(tmp_path), "-q", "-rE"],
        cwd=checkout,
        capture_output=True,
        text=True,
        check=False,
    )
    blamed = set(re.findall(r"^ERROR \S+::(\w+)", done.stdout, re.MULTILINE))
    forgotten = {f"test_a_forgotten_{what}" for what in ("window", "timer", "thread", "worker")}
    assert blamed == {*forgotten, "test_a_defect_that_only_the_log_knows"}, done.stdout
    for what in ("a top-level widget", "an active timer", "a running thread", "tasks that were not closed"):
        assert f"left behind: {what}" in done.stdout
    assert "8 passed, 5 errors" in done.stdout
