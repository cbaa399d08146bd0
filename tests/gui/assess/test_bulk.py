"""Several documents at once: select them in the pool, say that they are not relevant, take it back."""

import pytest
from PySide6.QtCore import Qt

from inexview.core.judgements.topics import Topic
from inexview.core.project.document_list import Shown
from inexview.core.project.history import UNDO
from inexview.core.project.journal import Journal
from inexview.core.project.project import Project
from inexview.gui.services import session, tasks
from tests.gui.driving import finished, shown_window, text_area, told
from tests.projects import article, make_project, project_of

LEFT = Qt.MouseButton.LeftButton
SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
MANY = 60


@pytest.fixture
def window(qtbot, qapp, tmp_path):
    articles = {str(number): article(f"Lamp {number}", "It burns. It glows.") for number in range(MANY)}
    path = project_of(tmp_path, articles, Topic("7", "lamps"), pool=[*articles, "404"])
    with shown_window(qapp, path, (1300, 700)) as shown:
        qtbot.waitUntil(lambda: shown.session.document is not None)
        qtbot.waitUntil(lambda: shown.session.catalogue.about("404").missing)
        told(qtbot, shown.messages, "404")  # else it may come over a later message
        yield shown


def click(qtbot, window, document, modifiers=Qt.KeyboardModifier.NoModifier):
    view, model = window.assess.pool.view, window.assess.pool.model
    place = view.visualRect(model.index(model.row_of(document))).center()
    qtbot.mouseClick(view.viewport(), LEFT, modifiers, place)


def show_all(window):
    window.assess.pool._chips.buttons()[list(Shown).index(Shown.ALL)].click()


def press(qtbot, window, name, modifiers=Qt.KeyboardModifier.NoModifier):
    qtbot.keyClick(window.assess.pool.view, name, modifiers)


def refuse(qtbot, window, expected):
    """Say that what is selected is not relevant; the documents are read before that is done."""
    press(qtbot, window, Qt.Key.Key_N)
    qtbot.waitUntil(lambda: finished(window) == expected)


def test_shift_selects_a_stretch_and_n_finishes_it_in_one_step(window, qtbot):
    click(qtbot, window, "2", SHIFT)
    assert window.session.document.id == "0"
    assert window.assess.pool._status.text() == "3 documents selected"
    refuse(qtbot, window, ["0", "1", "2"])
    qtbot.waitUntil(lambda: window.session.document_id == "3")
    assert window.assess.pool.view.selected() == ()
    assert "3 finished" in window.assess.pool._status.text()
    assert window.session.project.histories.of("7", "1").to_undo.documents == 3


def test_undo_in_one_of_them_undoes_it_in_all_and_the_list_shows_it(window, qtbot):
    click(qtbot, window, "2", SHIFT)
    refuse(qtbot, window, ["0", "1", "2"])
    show_all(window)
    click(qtbot, window, "1")
    qtbot.waitUntil(lambda: window.session.document_id == "1")
    qtbot.keyClick(text_area(window.article), Qt.Key.Key_Z, CTRL)
    assert finished(window) == []
    assert "0 finished" in window.assess.pool._status.text()
    qtbot.keyClick(text_area(window.article), Qt.Key.Key_Y, CTRL)
    assert finished(window) == ["0", "1", "2"]


def test_ctrl_selects_single_ones_and_the_message_undoes_it(window, qtbot):
    window.session.open_document("5")
    qtbot.waitUntil(lambda: window.session.document_id == "5")
    click(qtbot, window, "2", CTRL)
    click(qtbot, window, "8", CTRL)
    click(qtbot, window, "5", CTRL)
    refuse(qtbot, window, ["2", "8"])
    assert window.session.document.id == "5"
    told(qtbot, window.messages, "2 documents are not relevant")  # once the step is at its end
    qtbot.mouseClick(window.messages._button, LEFT)
    assert finished(window) == []


def test_marks_among_them_are_cleared_and_come_back(window, qtbot):
    window.session.mark(0, 6)
    click(qtbot, window, "1", SHIFT)
    press(qtbot, window, Qt.Key.Key_N)
    assert window.messages.current.text == (
        "1 of 2 selected documents has marks. Not relevant removes 1 passage."
    )
    assert window.session.project.state("7", "0").relevant
    qtbot.mouseClick(window.messages._button, LEFT)
    qtbot.waitUntil(lambda: finished(window) == ["0", "1"])
    assert not window.session.project.state("7", "0").relevant
    told(qtbot, window.messages, "2 documents are not relevant; 1 passage removed.")
    qtbot.mouseClick(window.messages._button, LEFT)
    assert window.session.project.state("7", "0").marks.size == 6


def test_unreadable_documents_are_left_out_with_a_message(window, qtbot):
    folder = window.session.project.collection.path
    for name in ("1", "2"):
        (folder / f"{name}.xml").write_text("<article><p>no end", encoding="utf-8")
    click(qtbot, window, "3", SHIFT)
    refuse(qtbot, window, ["0", "3"])
    told(qtbot, window.messages, "2 documents are not relevant")
    assert "2 documents cannot be read and stay as they are: 1, 2." in window.messages.current.text


def test_a_missing_document_is_left_out(window, qtbot, monkeypatch):
    gone, read = [], []
    window.assess.pool.model.rowsRemoved.connect(lambda *_rows: gone.append(1))
    select = Journal._select
    monkeypatch.setattr(Journal, "_select", lambda *asked: read.append(1) or select(*asked))
    press(qtbot, window, Qt.Key.Key_A, CTRL)
    press(qtbot, window, Qt.Key.Key_N)
    qtbot.waitUntil(lambda: len(finished(window)) == MANY)
    assert (gone, read) == ([], []), "a row at a time, 100,000 take more than a minute"
    assert "404" not in finished(window)


def test_many_documents_are_judged_in_cancellable_parts_as_one_step(window, qtbot, monkeypatch):
    monkeypatch.setattr(session, "AT_ONCE", 20)
    monkeypatch.setattr(session, "FEWEST", 10)
    monkeypatch.setattr(tasks, "STEP", 0.0)
    bulk, project = window.session.bulk, window.session.project
    parts, judged, ends = [], [], []
    window.session.part_judged.connect(lambda change: judged.append(len(change.documents)))
    window.session.state_changed.connect(lambda change: ends.append(change.documents))

    def meanwhile(task):
        if task.what != "Not relevant":
            return  # an index may be built meanwhile
        parts.append(len(finished(window)))
        if len(parts) == 1:
            press(qtbot, window, Qt.Key.Key_A, CTRL)
            press(qtbot, window, Qt.Key.Key_N)
            assert "still under way" in window.messages.current.text
            window.session.judge(lambda topic, name: project.mark(topic, name, 0, 4), "35")
        if len(parts) == 4:
            task.give_up()

    monkeypatch.setattr(tasks, "AT_MOST_EVERY", 0.0)
    bulk._tasks.progressed.connect(meanwhile)
    press(qtbot, window, Qt.Key.Key_A, CTRL)
    press(qtbot, window, Qt.Key.Key_N)
    told(qtbot, window.messages, "not relevant")
    assert (parts, len(finished(window))) == ([10, 20, 30, 39], 39)
    assert judged == [10, 10, 10, 9], "no turn asks about all of them"
    assert [len(documents) for documents in ends] == [1, 10]
    assert (ends[1][0], window.assess.pool.model.progress().finished) == ("0", 39)
    assert project.state("7", "35").relevant, "it was marked meanwhile"
    assert window.messages.current.text == "39 documents are not relevant."
    assert project.can_undo("7", "0") == "not relevant, 39 documents"
    with Project.open(project.path, read_only=True) as again:
        assert again.histories.turned_by(UNDO, "7", "0", third=False) == tuple(finished(window))
    qtbot.mouseClick(window.messages._button, LEFT)
    qtbot.waitUntil(lambda: finished(window) == [])
    qtbot.waitUntil(lambda: "0 finished" in window.assess.pool._status.text())
    window.session.open_document("1")
    qtbot.waitUntil(lambda: window.session.document_id == "1")
    assert window.session.redo()
    qtbot.waitUntil(lambda: len(finished(window)) == 39)


def test_a_single_remaining_document_is_reported_in_the_singular(window, qtbot):
    press(qtbot, window, Qt.Key.Key_End)
    press(qtbot, window, Qt.Key.Key_Up, SHIFT)
    assert len(window.assess.pool.view.selected()) == 2
    refuse(qtbot, window, [str(MANY - 1)])
    qtbot.waitUntil(lambda: window.messages.current.text == "1 document is not relevant.")


def test_escape_and_opening_another_document_end_the_selection(window, qtbot):
    click(qtbot, window, "2", SHIFT)
    press(qtbot, window, Qt.Key.Key_Escape)
    assert window.assess.pool.view.selected() == ()
    click(qtbot, window, "4", SHIFT)
    press(qtbot, window, Qt.Key.Key_J)
    qtbot.waitUntil(lambda: window.session.document_id == "1")
    assert window.assess.pool.view.selected() == ()


def test_finished_documents_leave_the_list_and_the_next_one_is_visible(window, qtbot):
    chips = window.assess.pool._chips.buttons()
    qtbot.mouseClick(chips[list(Shown).index(Shown.TO_DO)], LEFT)
    area, view, model = text_area(window.article), window.assess.pool.view, window.assess.pool.model
    for number in range(20):
        qtbot.keyClick(area, Qt.Key.Key_N)
        qtbot.waitUntil(lambda wanted=str(number + 1): window.session.document.id == wanted)
    assert model.row_of("19") == -1
    assert model.rowCount() == MANY + 1 - 20
    for _ in range(20):
        qtbot.keyClick(area, Qt.Key.Key_J)
        qtbot.wait(2)
    qtbot.waitUntil(lambda: window.session.document_id == "40")
    room = view.viewport().rect()
    assert room.contains(view.visualRect(model.index(model.row_of("40"))))
    assert view.visualRect(model.index(model.row_of("41"))).bottom() <= room.bottom() + 1


def test_a_pool_that_names_missing_documents_says_which(window):
    assert "404" in window.messages.current.text


def test_going_on_with_ctrl_held_selects_nothing_more(window, qtbot):
    qtbot.keyPress(text_area(window.article), Qt.Key.Key_J, CTRL)  # and Ctrl stays down
    qtbot.waitUntil(lambda: window.session.document_id == "1")
    assert [index.row() for index in window.assess.pool.view.selectedIndexes()] == [1]
    qtbot.keyRelease(text_area(window.article), Qt.Key.Key_J)


def row_colour(window, document):
    """Return the colour of a row's ground, behind its title's end."""
    view, model = window.assess.pool.view, window.assess.pool.model
    rect = view.visualRect(model.index(model.row_of(document)))
    return view.viewport().grab().toImage().pixelColor(rect.right() - 30, rect.top() + 3)


def test_one_row_that_is_picked_with_ctrl_is_what_n_acts_on_and_looks_so(window, qtbot):
    plain = row_colour(window, "9")
    shown = row_colour(window, "0")
    assert shown != plain
    click(qtbot, window, "4", CTRL)
    click(qtbot, window, "0", CTRL)  # which is open, and no longer selected
    assert window.assess.pool.view.selected() == ("4",)
    assert window.assess.pool._status.text() == "1 document selected"
    qtbot.waitUntil(lambda: row_colour(window, "4") == shown)
    assert row_colour(window, "0") == plain, "no key acts on the open document now"
    refuse(qtbot, window, ["4"])
    assert window.session.document.id == "0"
    assert window.assess.pool.view.selected() == ()
    qtbot.waitUntil(lambda: row_colour(window, "0") == shown)


def test_c_flags_all_that_is_selected_and_takes_their_flags_away(window, qtbot):
    def flagged():
        log = window.session.project.histories.log
        return [name for name in map(str, range(MANY)) if log("7", name).remarks.come_back]

    click(qtbot, window, "2", SHIFT)
    press(qtbot, window, Qt.Key.Key_C)
    assert flagged() == ["0", "1", "2"]
    assert "3 documents are flagged to come back." in window.messages.current.text
    click(qtbot, window, "3", CTRL)
    press(qtbot, window, Qt.Key.Key_C)
    assert flagged() == ["0", "1", "2", "3"]
    press(qtbot, window, Qt.Key.Key_C)
    assert flagged() == []


def test_flagging_too_many_documents_is_refused_with_the_limit(window, qtbot, monkeypatch):
    monkeypatch.setattr("inexview.gui.assess.assess_controller.MOST_ROWS", 2)
    click(qtbot, window, "2", SHIFT)
    press(qtbot, window, Qt.Key.Key_C)
    assert "At most 2 documents can be flagged at once." in window.messages.current.text


@pytest.mark.parametrize("name", [Qt.Key.Key_S, Qt.Key.Key_H, Qt.Key.Key_F, Qt.Key.Key_R])
def test_a_key_for_one_document_does_nothing_while_others_are_selected_and_says_why(window, qtbot, name):
    rows = len(list(window.session.project.journal.rows()))
    click(qtbot, window, "2", SHIFT)
    press(qtbot, window, name)
    assert "3 documents are selected" in window.messages.current.text
    assert len(list(window.session.project.journal.rows())) == rows
    assert len(window.assess.pool.view.selected()) == 3
    press(qtbot, window, Qt.Key.Key_Escape)
    assert window.assess.pool.view.highlighted == "0", "the one that the next key acts on"


def test_withdrawn_documents_leave_the_list_and_keep_their_marks(window, qtbot):
    session, pool = window.session, window.assess.pool
    session.mark(0, 4)
    window.book["withdraw"].trigger()
    qtbot.waitUntil(lambda: session.document_id == "1")
    assert pool.model.row_of("0") == -1
    click(qtbot, window, "3", SHIFT)
    window.book["withdraw"].trigger()
    qtbot.waitUntil(lambda: session.document_id == "4")
    assert [pool.model.document_at(row) for row in range(2)] == ["4", "5"]
    assert window.messages.current.text == "3 documents removed from the pool; judgements stay."
    assert session.project.state("7", "0").relevant
    assert "56 to go" in pool._status.text()
    window.messages.current.action()
    assert pool.model.row_of("2") >= 0
    assert "59 to go" in pool._status.text()
    session.open_document("0")
    qtbot.waitUntil(lambda: session.document_id == "0")
    text_area(window.article).setFocus()
    window.book["withdraw"].trigger()
    assert window.messages.current.text == "Not in the pool: 0."


def test_nothing_is_withdrawn_where_the_whole_collection_is_judged(qtbot, qapp, tmp_path):
    with shown_window(qapp, make_project(tmp_path / "study", pooled=False)) as shown:
        qtbot.waitUntil(lambda: shown.session.document is not None)
        shown.book["withdraw"].trigger()
        assert "the whole collection is to be judged" in shown.messages.current.text
        assert shown.session.saving.state.problem == ""
