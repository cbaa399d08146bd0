"""What is dropped on the start window and made to harm: a sentence there, and the window goes on."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from inexview.gui.commands.dialogs import NewProjectDialog
from inexview.gui.shell.benchmark_window import BenchmarkWindow
from tests.core.benchmarks.test_hostile_files import JSON
from tests.gui.driving import drop


def pipe(path: Path) -> None:
    os.mkfifo(path)


def pipes(path: Path) -> None:
    path.mkdir()
    for name in ("corpus.jsonl", "queries.jsonl", "a.ann", "a.txt"):
        os.mkfifo(path / name)


def circle(path: Path) -> None:
    path.mkdir()
    (path / "again").symlink_to(path)


def half_packed(path: Path) -> None:
    path.write_bytes(gzip.compress(b'{"id": 1, "text": "x", "label": []}' * 9999)[:-20])


def nothing(path: Path) -> None:
    path.symlink_to("nowhere")


def json(name: str) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(JSON[name])


DROPPED = {
    "pipe": pipe, "pipes": pipes, "circle": circle, "half packed": half_packed, "nothing": nothing,
    **{name: json(name) for name in ("nested lists", "a name twice", "half a character", "a bracket")},
}  # fmt: skip


@pytest.mark.parametrize("name", DROPPED)
def test_hostile_files_are_reported_in_the_window(application, qtbot, tmp_path, name):
    path = tmp_path / os.fsdecode(b"hostile \xff <b>.json")
    DROPPED[name](path)
    start = application.show_start()
    dialogs: list[str] = []

    def close_dialog() -> None:
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, NewProjectDialog | BenchmarkWindow):
            dialogs.append(dialog.windowTitle())
            dialog.reject()

    looking = QTimer(interval=20)
    looking.timeout.connect(close_dialog)
    looking.start()
    assert drop(start, path)
    qtbot.waitUntil(lambda: start.area.said.property("role") == "warning" or bool(dialogs))
    looking.stop()
    assert start.isVisible()
    if not dialogs:
        assert "hostile" in start.area.said.text()
