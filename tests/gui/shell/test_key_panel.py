"""What the window says beside one's work: keys, what is lacking, what was done last."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea, QToolButton

from inexview.core.project.sample import create_sample_project
from inexview.gui.article.overlays import Tool
from inexview.gui.commands.help import KeyCard
from inexview.gui.shell.main_window import Mode
from inexview.gui.shell.menus import ACTIONS
from inexview.gui.shell.panels import FIXED, GROUPS
from tests.gui.driving import key, shown_window


@pytest.fixture
def window(qapp, qtbot, tmp_path):
    with shown_window(qapp, create_sample_project(tmp_path / "sample.inexview")) as made:
        qtbot.waitUntil(lambda: made.session.document is not None)
        yield made


def words(panel):
    return {one.text() for one in panel.findChildren(QLabel)}


def shown_whole(panel):
    QApplication.processEvents()
    (area,) = panel.findChildren(QScrollArea)
    return area.verticalScrollBar().maximum() == 0


def test_every_line_names_actions_that_there_are():
    named = {name for _, lines in GROUPS for ids in lines for name in ids}
    assert named - {one.id for one in ACTIONS} == {*FIXED}


def test_work_continues_while_the_keys_are_shown(window, qtbot):
    panel, article = window.key_panel, window.article
    panel.ensurePolished()
    panel.layout().activate()  # as a change of style does, before there is anything to show
    key(article, "?")
    assert panel.isVisible()
    assert {"Finish, next", "F", "Right drag", "To an end of the mark"} <= words(panel)
    finish = window.assess.panel.finish
    assert (
        panel.mapTo(window, panel.rect().bottomLeft()).y() < finish.mapTo(window, finish.rect().topLeft()).y()
    )
    assert shown_whole(panel)
    window.resize(1600, 1000)
    QApplication.processEvents()
    gap = (
        finish.mapTo(window, finish.rect().topLeft()).y() - panel.mapTo(window, panel.rect().bottomLeft()).y()
    )
    assert 0 < gap < 30, "no line of the panel shows below, cut in two"
    key(article, Qt.Key.Key_S)
    assert window.session.state.relevant
    key(article, Qt.Key.Key_U)
    assert article.pen_state.tool is Tool.ERASE
    key(article, Qt.Key.Key_Escape)
    assert article.pen_state.tool is Tool.MARK
    assert panel.isVisible()
    window.book.set_keys("finish", ["Z"])
    assert "Z" in words(panel)
    key(article, Qt.Key.Key_Escape)
    assert not panel.isVisible()


def test_the_keys_are_those_of_the_room(window, qtbot):
    key(window.article, "?")
    window.set_mode(Mode.INSPECT)
    panel = window.key_panel
    assert "Finish, next" not in words(panel)
    assert "Next, previous miss" in words(panel)
    assert shown_whole(panel)
    there = panel.parentWidget().childAt(panel.geometry().center())
    assert panel.isAncestorOf(there)  # not below the page that came up
    window.set_mode(Mode.ASSESS)
    window.book["quality-report"].trigger()
    assert not panel.isVisible()


def test_with_the_article_alone_all_keys_are_shown(window, qtbot):
    window.book["toggle-panels"].trigger()
    key(window.article, "?")
    assert not window.key_panel.isVisible()
    (card,) = window.findChildren(KeyCard)
    QTest.keyClick(card, "?")
    assert not card.isVisible()
    around = (window.top, window.status, window.assess.pool, window.assess.panel)
    assert not any(part.isVisible() for part in around)
    assert window.messages.current.text.startswith("F9 brings")
    key(window.article, Qt.Key.Key_S)
    key(window.article, Qt.Key.Key_F9)
    assert all(part.isVisible() for part in around)
    assert window.messages.current is None, "that is known now"
    assert window.session.state.relevant


def test_the_last_action_is_in_the_status_bar_and_a_click_undoes_it(window, qtbot):
    key(window.article, Qt.Key.Key_C)  # since when all is saved is said from now on
    for _ in range(2):
        key(window.article, Qt.Key.Key_Q, Qt.KeyboardModifier.AltModifier)  # to the report and back
        QApplication.processEvents()
    before = window.status.keys.x()
    key(window.article, Qt.Key.Key_S)
    size = window.session.state.marks.size
    (done,) = (one for one in window.status.findChildren(QToolButton) if one.text().startswith("↶"))
    assert done.isVisible()
    assert window.status.keys.x() == before, "the keys stay where they are"
    assert done.text() == f"↶ mark {size} characters"
    qtbot.mouseClick(done, Qt.MouseButton.LeftButton)
    assert not window.session.state.relevant
    QApplication.processEvents()
    assert done.text() == "↶ flag"
    qtbot.mouseClick(done, Qt.MouseButton.LeftButton)
    QApplication.processEvents()
    assert not done.isVisible()


def test_missing_parts_are_reported_before_finishing(window, qtbot):
    panel = window.assess.panel
    assert panel.facts.value("Best entry point") == "–"
    assert panel.lacks.full_text == "Nothing is marked: N judges it not relevant"
    key(window.article, Qt.Key.Key_S)
    first = int(window.session.state.marks.starts[0])
    assert panel.facts.value("Best entry point") == f"none yet · first mark {first:,}"
    assert panel.lacks.full_text == "An entry point is needed: Alt+B takes the first mark"
    assert panel.lacks.isVisible()
    assert panel.lacks.geometry().bottom() < panel.finish.geometry().top()
    window.book.set_keys("entry-point-first", ["Alt+1"])
    assert panel.lacks.full_text == "An entry point is needed: Alt+1 takes the first mark"
    key(window.article, Qt.Key.Key_1, Qt.KeyboardModifier.AltModifier)
    assert panel.facts.value("Best entry point").endswith("first mark")
    assert panel.lacks.full_text == ""
    window.session.set_entry_point(window.session.document.length - 1)
    assert panel.lacks.full_text == "The entry point is outside every mark"
