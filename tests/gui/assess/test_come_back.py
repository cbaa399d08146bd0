"""The flag "come back", with real keys: in the row, on its chip, in the journal, and after reopening."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from inexview.core.project.document_list import Shown
from inexview.gui.assess.pool_model import RowRole
from tests.gui.driving import LEFT, NONE, key, shown_window, text_area
from tests.projects import make_project


@pytest.fixture
def path(tmp_path):
    return make_project(tmp_path / "study")


@pytest.fixture
def window(qapp, qtbot, path):
    with shown_window(qapp, path) as window:
        qtbot.waitUntil(lambda: window.session.document is not None and window.assess.pool.model.read)
        yield window


def chip(window):
    return window.assess.pool._chips.buttons()[list(Shown).index(Shown.COME_BACK)]


def listed(window):
    model = window.assess.pool.model
    return [model.document_at(row) for row in range(model.rowCount())]


def row(window, document):
    model = window.assess.pool.model
    return model.index(model.row_of(document)).data(RowRole)


def test_c_flags_the_document_and_takes_the_flag_away(window) -> None:
    document = window.session.document.id
    key(window.article, Qt.Key.Key_C)
    assert row(window, document).come_back
    assert chip(window).text() == "1"
    assert chip(window).accessibleName() == "Come back 1"
    assert window.book["come-back"].text() == "Take the flag away"
    key(window.article, Qt.Key.Key_C)
    assert not row(window, document).come_back
    assert chip(window).text() == "0"
    flags = [row.values() for row in window.session.project.journal.rows() if row.action == "flag"]
    assert flags == [{"on": True}, {"on": False}]
    assert window.session.state.untouched


def test_a_held_c_flags_once(window) -> None:
    area = text_area(window.article)
    QTest.simulateEvent(area, True, Qt.Key.Key_C, NONE, "c", False)
    for _ in range(5):
        QTest.simulateEvent(area, True, Qt.Key.Key_C, NONE, "c", True)
    assert window.session.record.remarks.come_back


def test_a_c_that_some_desktops_repeat_by_letting_it_go_flags_once(window) -> None:
    area, now = text_area(window.article), 1000
    for kind in (QEvent.Type.KeyPress, *(QEvent.Type.KeyRelease, QEvent.Type.KeyPress) * 3):
        event = QKeyEvent(kind, Qt.Key.Key_C, NONE, "c")
        event.setTimestamp(now)
        QApplication.sendEvent(area, event)
        now += 40 * (kind is QEvent.Type.KeyPress)  # it is let go and pressed in the same millisecond
    assert window.session.record.remarks.come_back
    flags = [row.values() for row in window.session.project.journal.rows() if row.action == "flag"]
    assert flags == [{"on": True}]
    QTest.keyRelease(area, Qt.Key.Key_C)


def test_the_chip_lists_flagged_documents_in_any_state(window, qtbot) -> None:
    first = window.session.document.id
    key(window.article, Qt.Key.Key_C)
    key(window.article, Qt.Key.Key_N)
    qtbot.waitUntil(lambda: window.session.document_id not in (None, first))
    assert window.book["come-back"].text() == "Flag to come back"
    qtbot.mouseClick(chip(window), LEFT)
    assert listed(window) == [first]
    window.session.open_document(first)
    qtbot.waitUntil(lambda: window.session.document_id == first)
    key(window.article, Qt.Key.Key_C)
    assert listed(window) == []


def test_flags_are_there_after_reopening(qapp, qtbot, path) -> None:
    with shown_window(qapp, path) as window:
        qtbot.waitUntil(lambda: window.session.document is not None)
        document = window.session.document.id
        key(window.article, Qt.Key.Key_C)
    with shown_window(qapp, path) as window:
        qtbot.waitUntil(lambda: window.session.document is not None and window.assess.pool.model.read)
        assert chip(window).text() == "1"
        assert row(window, document).come_back


def test_a_document_from_outside_the_pool_carries_a_sign(window, qtbot) -> None:
    pooled = listed(window)
    window.session.open_document("d5")
    qtbot.waitUntil(lambda: window.session.document_id == "d5")
    key(window.article, Qt.Key.Key_N)
    assert "d5" not in pooled
    qtbot.mouseClick(window.assess.pool._chips.buttons()[list(Shown).index(Shown.ALL)], LEFT)
    assert [document for document in listed(window) if row(window, document).added] == ["d5"]
    model = window.assess.pool.model
    told = model.index(model.row_of("d5")).data(Qt.ItemDataRole.AccessibleTextRole)
    assert told.endswith("added from outside the pool")


def test_the_time_goes_on_with_the_clock_of_whoever_looks(window) -> None:
    facts = window.assess.panel.facts
    facts.show_time(0)
    shown = facts.value("Time")
    facts.show_time(7200)
    window.session.record.attention.ticked.emit()
    assert facts.value("Time") == shown


def test_undo_takes_a_flag_back_and_redo_brings_it_again(window) -> None:
    key(window.article, Qt.Key.Key_C)
    assert window.session.record.remarks.come_back
    assert window.book["undo"].text() == "Undo flag"
    key(window.article, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert not window.session.record.remarks.come_back
    assert window.book["redo"].text() == "Redo flag"
    key(window.article, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert window.session.record.remarks.come_back
