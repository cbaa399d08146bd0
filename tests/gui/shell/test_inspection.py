"""Files inspected without a project: straight into Inspect, with the figures of `inexview eval`."""

import sys
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from inexview.core.evaluation.evaluate import ScoringSettings, score_run
from inexview.core.formats.readers import read_qrels, read_run
from inexview.core.judgements.runs import Task
from inexview.core.project.inspection import create_inspection
from inexview.core.resources import resource
from inexview.gui.services.settings import RECENT, RUNS, Settings
from inexview.gui.shell.app import Application
from inexview.gui.shell.main_window import Mode

SAMPLE = resource("sample")


@pytest.fixture
def application(qapp, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    made = Application(qapp, Settings(tmp_path / "settings.ini"))
    yield made
    for window in [*made.windows]:
        window.close()
    made.tasks.close()
    made.deleteLater()


def test_it_opens_over_the_topics_and_shows_what_eval_prints(application, qtbot, tmp_path):
    qrels = read_qrels(SAMPLE / "judgements.txt")
    runs = [read_run(path) for path in sorted((SAMPLE / "runs").glob("*.txt"))]
    inspection = create_inspection(
        tmp_path / "judgements.inexview", collection=SAMPLE / "articles", qrels=qrels, runs=runs
    )
    window = application.open_inspection(replace(inspection, task=Task.RELEVANT_IN_CONTEXT))
    board = window.inspect.board
    assert window.mode is Mode.INSPECT
    qtbot.waitUntil(lambda: window.inspect.stage.over_topics)
    assert [run.id for run in window.session.runs] == [run.id for run in runs]
    qtbot.waitUntil(lambda: not board.stale and bool(board.scored()))
    settings = ScoringSettings(task=Task.RELEVANT_IN_CONTEXT)
    for run in runs:
        scores = score_run(qrels, run, settings)
        assert dict(board.figures.of(run)).items() <= scores.mean.items()
    window.inspect.stage.open_topic("2026001")
    window.session.open_document("2041")
    qtbot.waitUntil(lambda: window.session.document is not None and window.session.document.id == "2041")
    before = window.session.state
    window.book["edit-judgements"].trigger()
    window.session.mark(0, 40)
    assert window.session.state == before
    assert "only read" in window.messages.current.text
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    window.close()
    assert application.settings.get(RECENT) == []
    assert application.settings.get(RUNS).keys() <= {str(inspection.project)}
