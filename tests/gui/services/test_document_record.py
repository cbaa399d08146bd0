"""Time on a document counts with somebody there, remarks and looking at runs are recorded."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from inexview.core.judgements.runs import Result, Run
from inexview.core.project import journal
from inexview.core.project.journal_rows import AWAY, READING, ReadingHistory, Row
from inexview.gui.assess import assess_controller
from inexview.gui.services import document_record
from tests.gui.driving import key, shown_window
from tests.projects import TOPIC, make_project


@pytest.fixture
def window(qapp, qtbot, tmp_path):
    with shown_window(qapp, make_project(tmp_path / "study")) as window:
        qtbot.waitUntil(lambda: window.session.document is not None and window.isActiveWindow())
        yield window


def actions(window) -> list[str]:
    return [row.action for row in window.session.project.journal.rows()]


def test_a_minute_without_key_or_mouse_is_no_time_on_the_document(window, qtbot, monkeypatch) -> None:
    assert window.session.mark(0, 4), "nothing is written before the first action"
    watch = window.session.record.attention
    window.assess.panel.facts.show_time(59)
    monkeypatch.setattr(document_record, "monotonic", lambda: watch._acted + 75)
    qtbot.waitUntil(lambda: actions(window)[-1] == "away")
    *_, row = window.session.project.journal.rows()
    assert row.values() == {"idle": 75}
    assert window.assess.panel.facts.value("Time") == "0 s"
    session = window.session
    assert session.project.histories.log(session.topic.id, session.document.id).reading.seconds == 0
    monkeypatch.undo()
    key(window.article, Qt.Key.Key_Down)
    assert actions(window)[-1] == "back"
    assert watch.present


def test_a_command_key_counts_as_activity(window, qtbot) -> None:
    watch = window.session.record.attention
    before = watch._acted = watch._acted - 50
    watch._look()
    document = window.session.document_id
    key(window.article, Qt.Key.Key_N)
    qtbot.waitUntil(lambda: window.session.document_id != document)
    assert watch._acted > before + 45


def test_a_night_in_which_the_machine_slept_is_no_time_on_the_document(window, monkeypatch) -> None:
    """The steady clock stands still meanwhile; the first that happens then is a key."""
    assert window.session.mark(0, 4), "nothing is written before the first action"
    session, night = window.session, document_record.time() + 8 * 3600
    watch = session.record.attention
    watch._look()
    monkeypatch.setattr(document_record, "time", lambda: night)
    monkeypatch.setattr(journal, "now", lambda: datetime.fromtimestamp(night, UTC).isoformat())
    key(window.article, Qt.Key.Key_F)
    assert "away" in actions(window)
    assert session.project.histories.log(session.topic.id, session.document.id).reading.seconds < 60


def test_a_window_that_is_left_for_another_program_is_away(window, qapp, monkeypatch) -> None:
    assert window.session.mark(0, 4), "nothing is written before the first action"
    monkeypatch.setattr(QApplication, "activeWindow", lambda: None)
    qapp.focusWindowChanged.emit(None)
    assert actions(window)[-1] == "away"
    monkeypatch.undo()
    qapp.focusWindowChanged.emit(window.windowHandle())
    assert actions(window)[-1] == "back"


def test_of_two_projects_time_counts_for_the_one_in_front(window, qapp, qtbot, tmp_path) -> None:
    assert window.session.mark(0, 4), "nothing is written before the first action"
    window.book["settings"].trigger()  # a dialog of the window is the window
    qtbot.waitUntil(lambda: not window.isActiveWindow())
    assert "away" not in actions(window)
    QApplication.activeWindow().close()
    with shown_window(qapp, make_project(tmp_path / "other")) as other:
        other.activateWindow()
        qtbot.waitUntil(lambda: other.isActiveWindow() and other.session.document is not None)
        assert actions(window)[-1] == "away"
        window.session.record.attention._look()  # it would note what is done from now on
        key(other.article, Qt.Key.Key_Down)
        assert actions(window)[-1] == "away"
        qtbot.waitUntil(lambda: other.session.mark(0, 4))  # once its document is there
        window.activateWindow()
        qtbot.waitUntil(lambda: actions(window)[-1] == "back")
        assert actions(other)[-1] == "away"


def test_what_may_turn_out_to_be_idled_is_not_shown_as_time(window, qtbot, monkeypatch) -> None:
    facts, watch, session = window.assess.panel.facts, window.session.record.attention, window.session
    session.mark(0, 5)
    opened = session.project.histories.log(TOPIC, session.document_id).reading._opened
    seconds = [25.0]
    clock = SimpleNamespace(now=lambda _zone: opened + timedelta(seconds=seconds[0]))
    monkeypatch.setattr(assess_controller, "datetime", clock)
    monkeypatch.setattr(document_record, "monotonic", lambda: acted + seconds[0] - 25)
    acted = watch._acted
    qtbot.waitUntil(lambda: facts.value("Time") == "25 s")
    seconds[0] = 75.0  # 50 s without key or mouse
    session.record.attention.ticked.emit()
    assert facts.value("Time") == "25 s"
    watch._acted = acted + 50
    session.record.attention.ticked.emit()
    assert facts.value("Time") == "1 min 15 s", "somebody read"


def test_the_clock_ticks(window, qtbot, monkeypatch) -> None:
    record, project, facts = window.session.record, window.session.project, window.assess.panel.facts
    document = window.session.document.id
    opened = project.opening_that_waits(TOPIC, document)
    assert opened is not None, "no row is written of a project that is only looked at"
    clock = SimpleNamespace(now=lambda _zone: opened + timedelta(seconds=25))
    monkeypatch.setattr(assess_controller, "datetime", clock)
    monkeypatch.setattr(document_record.Attention, "quiet", 0.0)
    with qtbot.waitSignal(record.attention.ticked):
        pass
    qtbot.waitUntil(lambda: facts.value("Time") == "25 s")
    assert window.session.mark(0, 4)
    assert project.opening_that_waits(TOPIC, document) is None
    with qtbot.waitSignal(record.attention.ticked):
        pass
    qtbot.waitUntil(lambda: facts.value("Time") == "25 s")


def test_the_time_never_runs_back_while_something_waits_or_a_clock_is_put_back(
    window, qtbot, monkeypatch
) -> None:
    project, facts, session = window.session.project, window.assess.panel.facts, window.session
    document = session.document_id
    session.mark(0, 5)  # with it the opening is written
    opened = project.histories.log(TOPIC, document).reading._opened
    seconds = [25.0]
    clock = SimpleNamespace(now=lambda _zone: opened + timedelta(seconds=seconds[0]))
    monkeypatch.setattr(assess_controller, "datetime", clock)
    monkeypatch.setattr(document_record.Attention, "quiet", 0.0)
    qtbot.waitUntil(lambda: facts.value("Time") == "25 s")
    session.leave()  # as scrolling does: the place waits to be written
    session.record.attention.ticked.emit()
    assert facts.value("Time") == "25 s"
    seconds[0] = 7.0  # the clock is put back
    project.write_waiting()
    session.record.attention.ticked.emit()
    assert facts.value("Time") == "25 s"
    key(window.article, Qt.Key.Key_J)
    qtbot.waitUntil(lambda: session.document_id != document)
    assert facts.value("Time") != "25 s", "another document has its own"
    key(window.article, Qt.Key.Key_K)
    qtbot.waitUntil(lambda: session.document_id == document)
    assert facts.value("Time") == "25 s"


@given(st.lists(st.tuples(st.sampled_from([*sorted(READING - {AWAY}), "mark"]), st.integers(-500, 500))))
def test_no_row_takes_time_from_a_document_but_that_one_was_away(steps) -> None:
    history, at, before = ReadingHistory(), datetime(2026, 1, 1, tzinfo=UTC), 0.0
    for action, later in steps:
        at += timedelta(seconds=later)
        history.take(Row(1, "r", at.isoformat(), "ada", TOPIC, "d1", action, None, "{}"))
        assert history.seconds >= before
        before = history.seconds


def test_remarks_are_signalled(window, qtbot) -> None:
    record = window.session.record
    with qtbot.waitSignal(record.remarks_changed) as told:
        assert record.set_note("Ask Ada.")
    assert told.args == [window.session.document.id]
    assert record.set_flag(on=True)
    assert (record.remarks.note, record.remarks.come_back) == ("Ask Ada.", True)
    assert not record.set_grade("vital")


def test_inspecting_an_unfinished_document_is_recorded(window, qtbot) -> None:
    session = window.session
    window.set_mode(type(window.mode).INSPECT)
    assert "inspected" not in actions(window)
    session.add_run(Run.from_results([Result(TOPIC, "d1", 1, 1.0, 0, 5)], id="mine"))
    window.set_mode(type(window.mode).ASSESS)
    window.set_mode(type(window.mode).INSPECT)
    qtbot.waitUntil(lambda: "inspected" in actions(window))
