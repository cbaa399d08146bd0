"""The right button offers for a row of a list what its keys do."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QMenu

from inexview.core.judgements.topics import Topic
from inexview.core.project.reviews import set_scale
from inexview.gui.assess.assess_controller import FLAG, UNFLAG
from tests.gui.driving import LEFT, RIGHT, finished, shown_window
from tests.projects import article, project_of

NONE, CTRL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def window(qapp, qtbot, tmp_path):
    articles = {str(number): article(f"Lamp {number}", "It burns. It glows.") for number in range(9)}
    with shown_window(qapp, project_of(tmp_path, articles, Topic("7", "lamps")), (1440, 900)) as shown:
        qtbot.waitUntil(lambda: shown.session.document is not None and shown.article.document is not None)
        yield shown


def ask(qtbot, view, row, *, by_key=False):
    """Press the right button on a row as a desktop does, or the key for menus; return the menu."""
    viewport, place = view.viewport(), view.visualRect(row).center()
    before = {*view.window().findChildren(QMenu)}
    reason = QContextMenuEvent.Reason.Keyboard if by_key else QContextMenuEvent.Reason.Mouse
    if not by_key:
        qtbot.mousePress(viewport, RIGHT, pos=place)
    QApplication.sendEvent(viewport, QContextMenuEvent(reason, place, viewport.mapToGlobal(place)))
    if not by_key:
        qtbot.mouseRelease(viewport, RIGHT, pos=place)
    (menu,) = {*view.window().findChildren(QMenu)} - before
    qtbot.waitUntil(menu.isVisible)
    return menu


def texts(menu):
    return [action.text() for action in menu.actions() if not action.isSeparator()]


def choose(qtbot, menu, text):
    (action,) = (action for action in menu.actions() if action.text() == text)
    qtbot.mouseClick(menu, LEFT, pos=menu.actionGeometry(action).center())


def of_pool(window, document):
    view = window.assess.pool.view
    return view, window.assess.pool.model.index(window.assess.pool.model.row_of(document))


def test_the_menu_of_another_document_acts_on_that_alone(window, qtbot):
    menu = ask(qtbot, *of_pool(window, "4"))
    assert window.session.document_id == "0", "it does not open"
    assert texts(menu) == ["Open", "Not relevant, next", FLAG, "Withdraw from the pool"]
    choose(qtbot, menu, FLAG)
    log = window.session.project.histories.log
    assert [name for name in map(str, range(9)) if log("7", name).remarks.come_back] == ["4"]
    menu = ask(qtbot, *of_pool(window, "4"))
    assert UNFLAG in texts(menu)
    choose(qtbot, menu, "Not relevant, next")
    qtbot.waitUntil(lambda: finished(window) == ["4"])
    choose(qtbot, ask(qtbot, *of_pool(window, "6")), "Open")
    qtbot.waitUntil(lambda: window.session.document_id == "6")


def test_the_menu_of_the_open_document_and_of_several(window, qtbot):
    view, row = of_pool(window, "0")
    menu = ask(qtbot, view, row)
    assert texts(menu) == ["Not relevant, next", FLAG, "Withdraw from the pool"]
    qtbot.keyClick(menu, Qt.Key.Key_Escape)
    for document in ("2", "3"):
        view, row = of_pool(window, document)
        qtbot.mouseClick(view.viewport(), LEFT, CTRL, view.visualRect(row).center())
    menu = ask(qtbot, view, row, by_key=True)
    assert texts(menu) == ["Not relevant, next", FLAG, "Withdraw from the pool"]
    choose(qtbot, menu, "Withdraw from the pool")
    assert [*window.session.pool] == ["1", "4", "5", "6", "7", "8"]


def test_the_menu_of_a_passage_goes_there_and_erases_it(window, qtbot):
    session, view = window.session, window.assess.panel.passages
    session.mark(2, 6)
    session.mark(10, 14)
    menu = ask(qtbot, view, view.passages.index(1))
    assert texts(menu) == ["Erase passage", "Note…"]
    assert window.article.caret == 10
    choose(qtbot, menu, "Note…")
    qtbot.waitUntil(window.assess.panel.note.field.hasFocus)
    choose(qtbot, ask(qtbot, view, view.passages.index(0)), "Erase passage")
    assert list(session.state.marks) == [(10, 14)]
    set_scale(session.project, ("okay", "vital"))
    choose(qtbot, ask(qtbot, view, view.passages.index(0)), "Grade higher")
    assert session.record.remarks.grade_in((10, 14)) == "okay"
