"""What the window itself does: opening, closing, the palette, menus, help and messages."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from inexview.core.project.project import Project
from inexview.gui.commands.help import GuideWindow
from inexview.gui.shell.main_window import Mode
from tests.gui.driving import (
    ALT,
    key,
    marked,
    text_area,
)
from tests.gui.shell.lenses import drag_over, go_to


def test_a_document_opens_where_it_was_left_with_its_history_after_a_restart(
    window, open_window, project_path, qtbot
):
    go_to(qtbot, window, "11")
    drag_over(window, "was ground")
    window.close()
    again = open_window(project_path)
    go_to(qtbot, again, "11")
    assert marked(again) == ["Glass was ground for weeks."]
    key(again.article, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert marked(again) == []


def test_a_window_is_closed_once_however_often_it_is_asked(window):
    told = []
    window.closed.connect(told.append)
    assert window.close()
    again = QCloseEvent()
    QApplication.sendEvent(window, again)
    assert again.isAccepted()
    assert told == [window]


def test_the_palette_opens_documents_and_does_commands(window, qtbot):
    qtbot.waitUntil(lambda: window.assess.pool.model.about("13").title == "On grinding")
    key(window.article, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(window.popup.field, "grinding")
    qtbot.keyClick(window.popup.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.session.document_id == "13")
    key(window.article, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(window.popup.field, "inspect")
    qtbot.keyClick(window.popup.field, Qt.Key.Key_Return)
    assert window.mode is Mode.INSPECT


def test_topics_are_chosen_from_a_list_with_their_progress(window, qtbot):
    key(window.article, Qt.Key.Key_T, Qt.KeyboardModifier.ControlModifier)
    entry = window.popup.view.model().rows[1]
    assert (entry.text, entry.note) == ("8  oil", "0 of 3 finished")
    qtbot.keyClick(window.popup.field, Qt.Key.Key_Down)
    qtbot.keyClick(window.popup.field, Qt.Key.Key_Return)
    assert window.session.topic.id == "8"
    assert "Anything on oil." in window.assess.panel.text.text()


def test_the_reason_for_a_read_only_project_is_shown(open_window, project_path, monkeypatch):
    real = Project.open
    monkeypatch.setattr(Project, "open", lambda path: real(path, read_only=True))
    window = open_window(project_path)
    assert window.messages.current.text.startswith(f"{project_path} was opened read-only")
    assert "read-only" in window.status._saved.toolTip()


def test_a_message_covers_neither_the_text_nor_the_strip_and_moves_no_line(window, qtbot):
    """The bar takes its room from below the text."""
    area, strip, bar = text_area(window.article), window.article.strip, window.messages
    first = area.lines()[0].start
    below = strip.geometry()
    window.messages.warn("Something that matters. " * 12)
    qtbot.waitUntil(lambda: bar.isVisible() and bar.height() > 30)
    qtbot.waitUntil(lambda: not bar.geometry().intersects(area.geometry()))
    assert not bar.geometry().intersects(strip.geometry())
    qtbot.waitUntil(lambda: strip.geometry() == below)
    assert area.lines()[0].start == first
    window.messages.clear()
    qtbot.waitUntil(lambda: area.geometry().bottom() + 1 == strip.geometry().top())
    assert area.lines()[0].start == first


def test_alt_opens_the_menus_and_each_has_its_letter(window, qtbot):
    QTest.keyClick(window, Qt.Key.Key_G, ALT)
    qtbot.waitUntil(lambda: QApplication.activePopupWidget() is not None)
    menu = QApplication.activePopupWidget()
    assert menu.title() == "&Go"
    menu.close()


def test_f1_opens_the_guide_page_of_the_current_view(window, qtbot):
    QTest.keyClick(text_area(window.article), Qt.Key.Key_F1)
    guide = window.findChild(GuideWindow)
    assert guide.page.source().fileName() == "assess.md"
    guide.close()
