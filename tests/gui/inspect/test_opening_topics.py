"""Coming into a topic: with Enter from wherever the keyboard is, at the document that costs most."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QToolButton

from inexview.core.judgements.runs import Task
from inexview.core.open_runs.rankings import ranking_costs
from inexview.gui.shell.main_window import Mode
from tests.gui.inspect.lamps import RUNS


def opened(window, qtbot, topic):
    """Wait until a document of a topic is open."""
    session, stage = window.session, window.inspect
    qtbot.waitUntil(lambda: not stage.over_topics and session.topic.id == topic and bool(session.document))
    return session.document.id


def costliest(window, topic):
    """Return the document that a brute force says costs most."""
    board, session = window.inspect.board, window.session
    settings = board.settings_for(Task.RELEVANT_IN_CONTEXT, board.figures.deciding)
    costs = ranking_costs(board.qrels, session.run, settings, topic)
    gains = {**costs.found, **costs.left_out}
    return max(gains, key=gains.get)


@pytest.mark.parametrize("holder", ["table", "message", "runs", "choice", "swap", "nothing"])
def test_enter_opens_the_topic_that_the_button_names(window, qtbot, holder):
    stage = window.inspect
    qtbot.waitUntil(lambda: stage.over_topics)
    window.messages.warn("Something is not as it should be.")
    holders = {
        "table": stage.topics.table,
        "message": window.messages.findChild(QToolButton),
        "runs": window.inspect.runs.table,
        "choice": window.inspect.runs.complete,
        "swap": next(one for one in stage.topics.findChildren(QPushButton) if one.text() == "swap"),
        "nothing": window,
    }
    holders[holder].setFocus()
    if holder == "nothing":
        QApplication.focusWidget().clearFocus()
    QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Down)
    assert stage.pair.open.accessibleName().startswith(f"Open topic {stage.topics.chosen}")
    QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Return)
    opened(window, qtbot, stage.topics.chosen)


def test_a_topic_opens_at_the_document_that_costs_most(window, qtbot):
    stage, session = window.inspect, window.session
    for topic in ("2", "3", "1"):
        stage.show_level(over_topics=True)
        stage.topics.show_topic(topic)
        QTest.keyClick(stage.topics.table, Qt.Key.Key_Return)
        assert opened(window, qtbot, topic) == costliest(window, topic) == "d2"
    # who comes back to a topic finds the document that was open
    session.open_document("d1")
    qtbot.waitUntil(lambda: session.document is not None and session.document.id == "d1")
    stage.show_level(over_topics=True)
    QTest.keyClick(stage.topics.table, Qt.Key.Key_Return)
    assert opened(window, qtbot, "1") == "d1"
    # but not with another run
    stage.show_level(over_topics=True)
    session.select_run(next(run for run in session.runs if run is not session.run))
    stage.topics.show_topic("1")
    QTest.keyClick(stage.topics.table, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: opened(window, qtbot, "1") == costliest(window, "1"))


def test_a_run_that_is_opened_in_inspect_leaves_one_there(window, qtbot, campaign):
    session = window.session
    session.project.reopen("1", "d2")
    window.inspect.open_topic("1")
    session.open_document("d2")
    qtbot.waitUntil(lambda: session.document is not None and session.document.id == "d2")
    further = campaign.with_name("delta.txt")
    further.write_bytes(
        campaign.with_name(f"{next(iter(RUNS))}.txt").read_bytes().replace(b"alpha", b"delta")
    )
    window.open_run(further)
    qtbot.waitUntil(lambda: len(session.runs) == 4)
    assert window.mode is Mode.INSPECT
    assert window.blind.question.current is None
    assert window.book["inspect"].isChecked()
