"""What the tests of Inspect share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inexview.core.judgements.runs import Task
from inexview.core.open_runs.scoring import ScoringChoice
from inexview.gui.shell.main_window import MainWindow, Mode
from tests.gui.driving import shown_window
from tests.gui.inspect.lamps import RUNS, make_campaign


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    return make_campaign(tmp_path)


@pytest.fixture
def window(qapp: QApplication, qtbot: QtBot, campaign: Path) -> Iterator[MainWindow]:
    """The window in Inspect with the three runs, once they are scored."""
    with shown_window(qapp, campaign) as made:
        made.resize(1440, 900)
        made.inspect.board.choose(ScoringChoice(task=Task.RELEVANT_IN_CONTEXT))
        made.files.open_runs([campaign.with_name(f"{name}.txt") for name in RUNS])
        qtbot.waitUntil(lambda: len(made.session.runs) == 3)
        made.set_mode(Mode.INSPECT)
        qtbot.waitUntil(lambda: len(made.inspect.board.figures.scores) == 3 and not made.inspect.board.stale)
        yield made
