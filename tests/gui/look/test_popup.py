"""The palette: narrows as one types, chooses with Return, gives the keyboard back."""

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QLineEdit, QWidget

from inexview.gui.look.panels import Popup, PopupEntry


@pytest.fixture
def window(qtbot):
    made = QWidget()
    made.resize(900, 600)
    qtbot.addWidget(made)
    made.before = QLineEdit(made)
    made.popup = Popup(made)
    made.show()
    made.before.setFocus()
    qtbot.waitUntil(made.before.hasFocus)
    return made


def entries(chosen):
    texts = ("Finish, next", "Find in article", "Not relevant, next")
    return [PopupEntry(text, "", lambda text=text: chosen.append(text), "judge") for text in texts]


def test_typing_and_return_choose_and_the_keyboard_goes_back(window, qtbot):
    chosen = []
    window.popup.open("Find…", entries(chosen))
    qtbot.keyClicks(window.popup.field, "next fin")
    qtbot.keyClick(window.popup.field, Qt.Key.Key_Return)
    assert chosen == ["Finish, next"]
    assert not window.popup.isVisible()
    qtbot.waitUntil(window.before.hasFocus)


def test_arrows_move_and_stop_at_the_ends(window, qtbot):
    chosen = []
    window.popup.open("Find…", entries(chosen))
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_PageDown, Qt.Key.Key_Return):
        qtbot.keyClick(window.popup.field, key)
    assert chosen == ["Not relevant, next"]


def test_what_begins_with_the_word_comes_first(window, qtbot):
    window.popup.open("Find…", entries([]))
    qtbot.keyClicks(window.popup.field, "not")
    assert window.popup.view.currentIndex().data() == "Not relevant, next"


def test_a_word_that_begins_so_comes_before_one_that_holds_it(window, qtbot):
    texts = ("Export qrels", "Copy element path", "Elements")
    window.popup.open("Find…", [PopupEntry(text, "", lambda: None, "go") for text in texts])
    qtbot.keyClicks(window.popup.field, "el")
    model = window.popup.view.model()
    shown = [model.index(row, 0).data() for row in range(model.rowCount())]
    assert shown == ["Elements", "Copy element path", "Export qrels"]


def test_esc_closes_and_chooses_nothing(window, qtbot):
    chosen = []
    window.popup.open("Find…", entries(chosen))
    qtbot.keyClick(window.popup.field, Qt.Key.Key_Escape)
    assert chosen == []
    assert not window.popup.isVisible()


def test_an_empty_search_is_reported_with_pending_results(window, qtbot):
    window.popup.open("Find…", entries([]), remark=lambda: "3 titles not read yet")
    assert not window.popup._below.isVisible()
    qtbot.keyClicks(window.popup.field, "next")
    assert window.popup._below.text() == "3 titles not read yet"
    qtbot.keyClicks(window.popup.field, "xyz")
    assert window.popup._below.text() == "Nothing found · 3 titles not read yet"
    assert window.popup._below.isVisible()
    qtbot.keyClick(window.popup.field, Qt.Key.Key_Return)
    assert window.popup.isVisible(), "there is nothing to choose"
    window.popup.dismiss()


def test_a_click_chooses(window, qtbot):
    chosen = []
    window.popup.open("Find…", entries(chosen))
    place = window.popup.view.visualRect(window.popup.view.model().index(1)).center()
    qtbot.mouseClick(window.popup.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert chosen == ["Find in article"]


def test_where_the_keyboard_was_may_be_gone_when_it_closes(window, qtbot):
    window.popup.open("Find…", entries([]))
    window.before.deleteLater()
    QCoreApplication.sendPostedEvents(window.before, QEvent.Type.DeferredDelete)
    qtbot.keyClick(window.popup.field, Qt.Key.Key_Escape)
    assert not window.popup.isVisible()


def test_in_a_low_window_the_list_ends_above_its_foot(window, qtbot):
    window.resize(700, 300)
    window.popup.open("Find…", [PopupEntry(f"Action {at}", "", lambda: None) for at in range(40)])
    assert window.popup.geometry().bottom() < window.height()
    assert window.popup.view.height() > 0
