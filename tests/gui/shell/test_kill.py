"""Killed while somebody marks, the program reopens with everything that the screen had shown."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from inexview.core.project.history import DocumentLog
from inexview.core.project.journal import Journal
from inexview.core.project.journal_rows import Row
from inexview.core.project.project import Project
from inexview.core.project.sample import create_sample_project

KILLS = 5


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return create_sample_project(tmp_path / "sample.inexview")


@pytest.fixture
def windows(path: Path, checkout: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Start the process that forks a window for each seed it reads."""
    arguments = [sys.executable, "-m", "tests.gui.marking_worker", str(path)]
    with subprocess.Popen(
        arguments, cwd=checkout, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        yield process
        process.stdin.close()


def killed_while_marking(windows: subprocess.Popen[bytes]) -> list[object]:
    """Let somebody mark, kill the program at a random moment, and return what the screen had shown."""
    windows.stdin.write(b"%d\n" % random.randrange(10**6))
    windows.stdin.flush()
    worker = int(windows.stdout.readline().split()[1])
    said = [windows.stdout.readline() for _ in range(random.randrange(2, 9))]
    time.sleep(random.random() * 0.03)
    os.kill(worker, signal.SIGKILL)
    while (line := windows.stdout.readline()) != b"dead\n":
        said.append(line)
    return [json.loads(line) for line in said if line.endswith(b"]\n")]


def folded(rows: Sequence[Row]) -> list[object]:
    """Return what rows of one document lead to, as the worker tells it."""
    history = DocumentLog(rows).history
    steps = history.to_undo, history.to_redo
    return [[list(span) for span in history.state.marks], *(step and step.label for step in steps)]


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
def test_everything_shown_as_saved_survives_a_kill(path, windows):
    with Project.open(path) as project:
        topic = project.topics[2].id
        document = project.pool(topic)[0]
    shown = 0
    for _ in range(KILLS):
        told = killed_while_marking(windows)
        journal = Journal.open(path, read_only=True)
        rows = list(journal.rows_of(topic, document))
        journal.close()
        # The stroke under way may be on disk before the screen shows it; nothing else may differ.
        assert told[-1] in (folded(rows), folded(rows[:-1]))
        shown += len(told)
    assert shown > 2 * KILLS
