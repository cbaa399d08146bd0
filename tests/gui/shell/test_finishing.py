"""Finishing a document and going on to the next, and taking back what was done too fast."""

from functools import partial

from PySide6.QtCore import Qt

from inexview.core.errors import DataError
from inexview.core.judgements.topics import Topic
from inexview.core.project.project import Project
from inexview.gui.services.session import offering_undo
from tests.gui.driving import (
    LEFT,
    key,
    marked,
    told,
)
from tests.gui.shell.lenses import drag_over, find, go_to
from tests.projects import OTHER_TOPIC, article, make_project, project_of


def test_not_relevant_takes_one_key_clears_marks_and_is_one_step(window, qtbot):
    go_to(qtbot, window, "13")
    drag_over(window, "lathe")
    key(window.article, Qt.Key.Key_N)
    qtbot.waitUntil(lambda: window.session.document_id not in (None, "13"))
    state = window.session.project.state("7", "13")
    assert (state.finished, state.relevant, state.bep) == (True, False, None)
    go_to(qtbot, window, "13")
    key(window.article, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert marked(window) == ["A lathe turns."]


def test_any_edit_un_finishes(window, qtbot):
    go_to(qtbot, window, "13")
    key(window.article, Qt.Key.Key_N)
    go_to(qtbot, window, "13")
    assert window.session.state.finished
    drag_over(window, "lathe")
    assert not window.session.state.finished


def test_without_its_entry_point_a_document_is_not_finished_and_one_click_mends_that(window, qtbot):
    go_to(qtbot, window, "12")
    drag_over(window, "lamps burn")
    key(window.article, Qt.Key.Key_F)
    assert not window.session.state.finished
    qtbot.mouseClick(window.messages._button, LEFT)
    assert window.session.state.bep == find(window, "Its lamps")
    assert window.messages.current is None
    key(window.article, Qt.Key.Key_F)
    assert window.session.project.state("7", "12").finished


def test_finishing_all_documents_is_announced(window, qtbot):
    for document_id in ("11", "12", "13"):
        go_to(qtbot, window, document_id)
        key(window.article, Qt.Key.Key_N)
        qtbot.wait(5)
    assert "All documents" in window.messages.current.text


def test_pressing_j_fast_skips_as_many_documents_as_it_is_pressed(window, qtbot):
    go_to(qtbot, window, "11")
    key(window.article, Qt.Key.Key_J)
    key(window.article, Qt.Key.Key_J)
    qtbot.waitUntil(lambda: window.session.document_id == "13")


def test_a_hasty_finish_can_be_undone_with_one_click(window, qtbot):
    go_to(qtbot, window, "11")
    drag_over(window, "was ground")
    key(window.article, Qt.Key.Key_N)
    qtbot.waitUntil(lambda: window.session.document_id == "12")
    assert "1 passage was removed" in window.messages.current.text
    qtbot.mouseClick(window.messages._button, LEFT)
    qtbot.waitUntil(lambda: window.session.document_id == "11")
    assert marked(window) == ["Glass was ground for weeks."]


def test_the_undo_of_a_message_does_not_undo_later_steps(window, qtbot):
    go_to(qtbot, window, "11")
    drag_over(window, "was ground")
    key(window.article, Qt.Key.Key_N)
    qtbot.waitUntil(lambda: window.session.document_id == "12")
    go_to(qtbot, window, "11")
    drag_over(window, "was ground")
    assert "1 passage was removed" in window.messages.current.text
    qtbot.mouseClick(window.messages._button, LEFT)
    assert marked(window) == ["Glass was ground for weeks."]
    assert "Something else was done in that document since" in window.messages.current.text


def test_an_undo_message_disappears_after_undo_by_key(window, qtbot):
    go_to(qtbot, window, "11")
    drag_over(window, "was ground")
    key(window.article, Qt.Key.Key_N)
    qtbot.waitUntil(lambda: window.session.document_id == "12")
    told(qtbot, window.messages, "1 passage was removed")
    key(window.article, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.session.document_id == "11")
    assert marked(window) == ["Glass was ground for weeks."]
    assert window.messages.current is None or "removed" not in window.messages.current.text


def test_an_error_stays_over_the_next_document_until_read(window, qtbot):
    window.messages.error(DataError("cannot be read", path="run.txt"))
    key(window.article, Qt.Key.Key_J)
    qtbot.waitUntil(lambda: window.session.document_id == "12")
    assert "run.txt" in window.messages.current.text
    key(window.article, Qt.Key.Key_Escape)
    assert window.messages.current is None


def test_the_undo_of_a_bulk_step_keeps_later_judgements(window, qtbot):
    session = window.session
    assert session.topic is not None
    offered = partial(offering_undo, session, window.messages, "3 documents are not relevant.", "11")
    go_to(qtbot, window, "11")
    refused = partial(session.project.not_relevant, "7", "11", "12", "13")
    assert session.judge(lambda _topic, _document: refused(), "11", ["12", "13"])
    window.messages.say(offered())
    assert session.judge(session.project.reopen, "11")
    qtbot.mouseClick(window.messages._button, LEFT)
    assert [session.state_of(name).finished for name in ("11", "12", "13")] == [False, False, False]
    assert session.judge(lambda _topic, _document: refused(), "11", ["12", "13"])
    window.messages.say(offered())
    for name in ("11", "12", "13"):
        assert session.judge(session.project.reopen, name)
    qtbot.mouseClick(window.messages._button, LEFT)
    assert "Something else was done in those documents since" in window.messages.current.text


def test_an_undo_message_stays_in_its_topic(open_window, tmp_path, qtbot):
    (tmp_path / "two").mkdir()
    window = open_window(make_project(tmp_path / "two"))
    go_to(qtbot, window, "d1")
    window.session.mark(0, 5)
    key(window.article, Qt.Key.Key_N)
    assert window.messages._button.text() == "Undo"
    key(
        window.article, Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
    )
    qtbot.waitUntil(lambda: window.session.topic.id == OTHER_TOPIC)
    assert window.messages.current is None


def test_erasing_a_mark_is_not_offered_in_the_next_document(window, qtbot):
    go_to(qtbot, window, "11")
    drag_over(window, "was ground")
    key(window.article, Qt.Key.Key_Comma)
    assert window.messages._button.text() == "Erase it"
    key(window.article, Qt.Key.Key_J)
    qtbot.waitUntil(lambda: window.session.document_id == "12")
    assert window.messages.current is None


def test_undo_goes_back_over_the_documents_judged_in_a_row(window, qtbot):
    go_to(qtbot, window, "11")
    for following in ("12", "13"):
        key(window.article, Qt.Key.Key_N)
        qtbot.waitUntil(lambda wanted=following: window.session.document.id == wanted)
    for before in ("12", "11"):
        key(window.article, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        qtbot.waitUntil(lambda wanted=before: window.session.document.id == wanted)
        assert not window.session.state.finished
    assert "Undone in Lens" in window.messages.current.text
    assert not window.book["undo"].isEnabled()


def test_undo_prefers_steps_in_the_open_document(window, qtbot):
    go_to(qtbot, window, "13")
    drag_over(window, "needs a")
    go_to(qtbot, window, "11")
    drag_over(window, "was ground")
    go_to(qtbot, window, "13")
    key(window.article, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.session.document.id == "13"
    assert marked(window) == []
    assert window.book["undo"].text().startswith("Undo mark 27 characters in ")
    key(window.article, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert "Press again to undo “mark 27 characters” in " in window.messages.current.text
    assert window.session.document_id == "13"
    key(window.article, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.session.document_id == "11")
    assert marked(window) == []


def test_undo_reaches_steps_of_an_earlier_day_last(open_window, project_path, qtbot):
    with Project.open(project_path) as project:
        project.mark("7", "12", 5, 20)
    window = open_window(project_path)
    go_to(qtbot, window, "11")
    key(window.article, Qt.Key.Key_N)
    qtbot.waitUntil(lambda: window.session.document_id == "12")
    key(window.article, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.session.document_id == "11")
    assert not window.session.state.finished
    assert window.session.project.state("7", "12").relevant
    go_to(qtbot, window, "12")
    key(window.article, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert not window.session.state.relevant


def test_the_last_document_judged_too_soon_is_undone_with_one_click_too(window, qtbot):
    for document_id in ("11", "12"):
        go_to(qtbot, window, document_id)
        key(window.article, Qt.Key.Key_N)
    go_to(qtbot, window, "13")
    drag_over(window, "needs a")
    key(window.article, Qt.Key.Key_N)
    said = window.messages.current.text
    assert "1 passage was removed" in said
    assert "All documents of this topic are finished" in said
    qtbot.mouseClick(window.messages._button, LEFT)
    assert marked(window) == ["It needs a steady hand."]


def test_missing_documents_are_reported_after_the_undo_message(open_window, tmp_path, qtbot):
    articles = {"d1": article("One", "Some text."), "d2": article("Two", "Some text.")}
    path = project_of(tmp_path, articles, Topic("7", "text"), pool=("d1", "d2", "lost"))
    window = open_window(path)
    qtbot.waitUntil(lambda: window.messages.current is not None)
    assert window.messages.current.text.endswith("\nlost")
    go_to(qtbot, window, "d1")
    window.session.mark(0, 3)
    key(window.article, Qt.Key.Key_N)
    assert window.messages._button.text() == "Undo"
    looked = []
    window.session.preparation.changed.emit()
    window.tasks.run(lambda: None, looked.append, urgent=False)
    qtbot.waitUntil(lambda: looked == [None])
    assert window.messages._button.text() == "Undo"
    key(window.article, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.messages.current is not None)
    assert window.messages.current.text.endswith("\nlost")
