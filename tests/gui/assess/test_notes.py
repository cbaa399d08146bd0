"""Notes, with real keys: about the passage at the caret or the document, saved when one leaves the box."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from inexview.core.project.project import Project
from inexview.gui.article.margins import MarginSigns
from inexview.gui.assess import topic_panel
from inexview.gui.assess.passages import MOST
from inexview.gui.shell.top_bar import ToolStrip
from tests.gui.driving import LEFT, key, shown_window, text_area
from tests.projects import TOPIC, make_project

Key, CTRL, ALT = Qt.Key, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier


@pytest.fixture
def path(tmp_path):
    return make_project(tmp_path / "study")


@pytest.fixture
def window(qapp, qtbot, path):
    with shown_window(qapp, path) as window:
        window.resize(1440, 900)
        window.activateWindow()
        qtbot.waitUntil(lambda: window.session.document is not None)
        qtbot.waitUntil(lambda: bool(text_area(window.article).visible().lines))
        window.article.setFocus()
        yield window


def box(window):
    return window.assess.panel.note


def typed(window, text):
    QTest.keyClick(window.article, Key.Key_N, ALT)
    assert box(window).field.hasFocus()
    QTest.keyClicks(box(window).field, text)


def noted(window):
    return [row.values() for row in window.session.project.journal.rows() if row.action == "note"]


def test_ctrl_enter_saves_and_gives_the_keyboard_back(window) -> None:
    assert box(window).about == "NOTE · DOCUMENT"
    typed(window, "nfsuc1 Ask Ada")
    assert window.session.state.untouched
    assert noted(window) == []
    QTest.keyClick(box(window).field, Key.Key_Return, CTRL)
    assert text_area(window.article).hasFocus()
    assert noted(window) == [{"text": "nfsuc1 Ask Ada"}]


def test_a_long_text_is_cut_when_pasted_into_a_note_with_a_message(window) -> None:
    typed(window, "Ask ")
    QApplication.clipboard().setText("x" * 3 * MOST)
    QTest.keySequence(box(window).field, QKeySequence.StandardKey.Paste)
    assert box(window).field.toPlainText() == "Ask " + "x" * (MOST - 5)
    assert "the end was not pasted" in window.messages.current.text
    QTest.keySequence(box(window).field, QKeySequence.StandardKey.Paste)
    assert len(box(window).field.toPlainText()) < MOST
    QApplication.clipboard().setText("In place of all that.")
    QTest.keySequence(box(window).field, QKeySequence.StandardKey.SelectAll)
    QTest.keySequence(box(window).field, QKeySequence.StandardKey.Paste)
    assert box(window).field.toPlainText() == "In place of all that."


def test_a_long_note_is_seen_from_its_beginning_also_in_a_low_window(window, qtbot) -> None:
    note, field = box(window), box(window).field
    window.resize(800, 500)
    qtbot.waitUntil(lambda: note._lines == 1)
    long = "The cause, and what followed: is it the acid or the wood?" * 3
    moved: list[int] = []
    field.horizontalScrollBar().valueChanged.connect(moved.append)
    typed(window, "Is the sentence about lamps relevant? " * 7)
    assert moved == [], "white space at the end of a full line moves no line"
    field.clear()
    typed(window, long)
    QTest.keyClick(field, Key.Key_Return, CTRL)
    bar = field.verticalScrollBar()
    assert bar.value() == 0
    assert bar.isVisible()
    note.show_note(None, "document", "")
    assert not bar.isVisible()
    note.show_note(None, "document", long)
    assert bar.value() == 0
    assert field.firstVisibleBlock().isValid()
    assert bar.pageStep() == 1, "the last line can be scrolled to, and not further"


def test_esc_saves_and_lets_go_of_nothing_else(window) -> None:
    window.assess.pool.filter.setText("A title")
    typed(window, "Later")
    QTest.keyClick(box(window).field, Key.Key_Escape)
    assert text_area(window.article).hasFocus()
    assert window.assess.pool.filter.text() == "A title"
    assert noted(window) == [{"text": "Later"}]
    typed(window, "")
    QTest.keyClick(box(window).field, Key.Key_Escape)
    assert len(noted(window)) == 1


def test_a_click_elsewhere_saves(window, qtbot) -> None:
    typed(window, "Elsewhere")
    qtbot.mouseClick(text_area(window.article).viewport(), LEFT)
    assert noted(window) == [{"text": "Elsewhere"}]


def test_a_pause_saves_the_typed_note(window, qtbot) -> None:
    typed(window, "Slowly")
    qtbot.waitUntil(lambda: noted(window) == [{"text": "Slowly"}])
    assert box(window).field.hasFocus()


def test_a_note_is_about_the_passage_at_the_caret(window) -> None:
    window.session.mark(10, 20)
    window.session.mark(30, 40)
    window.article.place_caret(33)
    assert box(window).about == "NOTE · PASSAGE 2"
    typed(window, "Claim?")
    QTest.keyClick(box(window).field, Key.Key_Escape)
    assert noted(window) == [{"text": "Claim?", "span": [30, 40]}]
    passages = window.assess.panel.passages.passages
    assert [passages.note(row) for row in range(2)] == ["", "Claim?"]
    window.article.place_caret(25)
    assert box(window).about == "NOTE · DOCUMENT"
    assert box(window).field.toPlainText() == ""


def test_a_note_belongs_to_the_passage_that_the_caret_leaves(window) -> None:
    window.session.mark(10, 20)
    window.session.mark(30, 40)
    window.article.place_caret(33)
    typed(window, "Second")
    window.article.place_caret(12)  # as a menu does, while the keyboard is in the box
    assert noted(window) == [{"text": "Second", "span": [30, 40]}]
    assert (box(window).about, box(window).field.toPlainText()) == ("NOTE · PASSAGE 1", "")
    QTest.keyClicks(box(window).field, "First")
    QTest.keyClick(box(window).field, Key.Key_Escape)
    assert noted(window)[1:] == [{"text": "First", "span": [10, 20]}]


def test_notes_of_passages_that_become_one_stay_and_are_one_once_changed(window) -> None:
    session = window.session
    session.mark(10, 20)
    session.mark(30, 40)
    session.record.set_note("One", (10, 20))
    session.record.set_note("Two", (30, 40))
    session.mark(20, 30)
    window.article.place_caret(15)
    assert box(window).field.toPlainText() == "One\nTwo"
    typed(window, "!")
    QTest.keyClick(box(window).field, Key.Key_Escape)
    assert dict(session.record.remarks.notes) == {(10, 40): "One\nTwo!"}


def test_a_note_belongs_to_the_document_being_left(window, qtbot) -> None:
    first = window.session.document.id
    typed(window, "Of the first")
    QTest.keyClick(box(window).field, Key.Key_PageDown, CTRL)
    qtbot.waitUntil(lambda: window.session.document_id not in (None, first))
    assert window.session.project.histories.log(TOPIC, first).remarks.note == "Of the first"
    assert box(window).field.toPlainText() == ""
    assert window.session.record.remarks.note == ""


def test_what_could_not_be_saved_is_kept_and_saved_once_there_is_room(window, qtbot) -> None:
    first, note = window.session.document.id, "Not in vain. " * 5_000
    connection = window.session.project.journal.connection
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages + 1}")
    typed(window, "")
    box(window).field.insertPlainText(note)
    QTest.keyClick(box(window).field, Key.Key_PageDown, CTRL)
    qtbot.waitUntil(lambda: window.session.document_id not in (None, first))
    assert (noted(window), box(window).field.toPlainText()) == ([], "")
    window.session.open_document(first)
    qtbot.waitUntil(lambda: box(window).field.toPlainText() == note.strip())
    QTest.keyClick(window.article, Key.Key_PageDown, CTRL)
    qtbot.waitUntil(lambda: window.session.document_id not in (None, first))
    connection.execute("PRAGMA max_page_count = 1000000")
    assert window.session.mark(0, 5)
    assert window.session.project.histories.log(TOPIC, first).remarks.note == note.strip()
    assert len(noted(window)) == 1


def test_a_window_closes_without_a_note_that_cannot_be_written_only_if_one_says_so(
    window, monkeypatch
) -> None:
    answers = [False, True]
    monkeypatch.setattr(topic_panel, "ask", lambda *_question: answers.pop(0))
    connection = window.session.project.journal.connection
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages + 1}")
    typed(window, "")
    box(window).field.insertPlainText("Not in vain. " * 5_000)
    assert not window.close()
    assert box(window).field.toPlainText().startswith("Not in vain.")
    assert window.close()
    assert answers == []


def test_where_nothing_can_be_saved_no_note_is_typed_and_a_flag_says_why(qapp, qtbot, path) -> None:
    with Project.open(path) as project:
        project.mark(TOPIC, project.pool(TOPIC)[0], 10, 20)
    with shown_window(qapp, path, read_only=True) as window:
        qtbot.waitUntil(lambda: window.session.document is not None)
        panel = window.assess.panel
        assert (panel.lacks.text(), panel.finish.isEnabled()) == ("Open for reading only", False)
        assert window.book["undo"].text() == "Undo mark 10 characters"
        assert window.article.gutter.proposed is None, "no key could take it"
        offered = [one for one in window.status.findChildren(ToolStrip) if one.isVisible()]
        assert [one for one in offered if "Undo" in one.accessibleName()] == []
        window.article.setFocus()
        typed(window, "Lost")
        assert box(window).field.toPlainText() == ""
        assert not window.session.record.set_flag(on=True)
        assert "read-only" in window.messages.current.text


def test_a_note_is_saved_when_the_window_closes(qapp, qtbot, path) -> None:
    with shown_window(qapp, path) as window:
        qtbot.waitUntil(lambda: window.session.document is not None)
        window.article.setFocus()
        typed(window, "Last words")
    with shown_window(qapp, path) as window:
        qtbot.waitUntil(lambda: window.session.document is not None)
        assert box(window).field.toPlainText() == "Last words"


def test_the_sign_in_the_margin_goes_to_its_passage(window, qtbot) -> None:
    window.session.mark(10, 20)
    window.session.record.set_note("Here", (10, 20))
    key(window.article, Key.Key_End)
    margin = window.article.findChild(MarginSigns)
    (sign,) = margin.signs()
    assert sign.span == (10, 20)
    qtbot.mouseClick(margin, LEFT, pos=sign.place.center().toPoint())
    assert window.article.caret == 10
    assert box(window).field.toPlainText() == "Here"


def test_no_word_of_a_note_in_the_margin_is_cut(window) -> None:
    window.session.mark(10, 20)
    window.session.record.set_note("Claim or evidence?", (10, 20))
    margin = window.article.margin
    told = set()
    for wide in range(30, 300, 5):
        margin.resize(wide, margin.height())
        told.add(margin.words_of(margin.signs()[0]))
    assert told == {"", "Claim…", "Claim or…", "Claim or evidence?"}


def test_the_buttons_stay_where_they_are(window) -> None:
    panel = window.assess.panel
    before = panel.finish.geometry(), panel.note.geometry()
    window.session.mark(10, 20)
    window.session.record.set_note("A\nB\nC\nD\nE", (10, 20))
    window.article.place_caret(12)
    settle(panel)
    assert (panel.finish.geometry(), panel.note.geometry()) == before
    foot, session, places = window.status, window.session, []
    for act in (partial(session.erase, 10, 20), session.undo, partial(session.mark, 1, 9)):
        act()
        settle(foot)
        places.append(foot.keys.x())
    assert len(set(places)) == 1, "the keys along the foot stay beside whatever was done last"


def settle(panel):
    """Lay the panel out as it would be at the next turn."""
    panel.layout().activate()


def note_of(window):
    return window.session.record.remarks.note


def test_undo_takes_back_an_edit_and_the_removal_of_a_note(window) -> None:
    for text in ("first", " and second"):
        typed(window, text)
        QTest.keyClick(box(window).field, Key.Key_Return, CTRL)
    QTest.keyClick(window.article, Key.Key_N, ALT)
    box(window).field.selectAll()
    QTest.keyClick(box(window).field, Key.Key_Delete)
    QTest.keyClick(box(window).field, Key.Key_Return, CTRL)
    assert note_of(window) == ""
    for note in ("first and second", "first", ""):
        assert window.book["undo"].text() == "Undo note"
        key(window.article, Key.Key_Z, CTRL)
        assert note_of(window) == note
        assert box(window).field.toPlainText() == note
    for note in ("first", "first and second", ""):
        key(window.article, Key.Key_Y, CTRL)
        assert note_of(window) == note


def test_undo_takes_remarks_and_marks_back_in_the_order_in_which_they_were_made(window) -> None:
    window.session.mark(0, 5)
    typed(window, "about the mark")
    QTest.keyClick(box(window).field, Key.Key_Return, CTRL)
    window.session.mark(8, 12)
    assert len(window.session.state.marks) == 2
    labels = []
    while window.book["undo"].isEnabled():
        labels.append(window.book["undo"].text())
        key(window.article, Key.Key_Z, CTRL)
    assert labels == ["Undo mark 4 characters", "Undo note", "Undo mark 5 characters"]
    assert window.session.state.untouched
    assert (note_of(window), dict(window.session.record.remarks.notes)) == ("", {})
