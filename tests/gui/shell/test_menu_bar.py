"""Alt goes to the menus, alone or with a letter, as the desktop's own programs do it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.gui.driving import ALT, drag, shown_window, text_area
from tests.projects import make_project

ESCAPE = Qt.Key.Key_Escape


def look(window):
    """Return what the bar shows now."""
    return window.top.menus.grab().toImage()


def test_alt_alone_and_alt_with_a_letter_open_the_menus(qapp, qtbot, tmp_path):
    with shown_window(qapp, make_project(tmp_path / "study")) as window:
        qtbot.waitUntil(lambda: window.session.document is not None)
        window.activateWindow()
        area, menus = text_area(window.article), window.top.menus
        area.setFocus()
        keys = window.windowHandle()
        plain = look(window)
        QTest.keyPress(keys, Qt.Key.Key_Alt)
        assert look(window) != plain
        drag(window.article, 10, 19, modifiers=ALT)  # exact characters, and no way to the menus
        QTest.keyRelease(keys, Qt.Key.Key_Alt)
        assert menus.activeAction() is None
        assert look(window) == plain
        assert list(window.session.state.marks) == [(10, 19)]
        QTest.keyClick(keys, Qt.Key.Key_Left, ALT)  # back: a key like others
        assert look(window) == plain
        QTest.keyClick(keys, Qt.Key.Key_Alt)
        assert menus.activeAction().text() == "&File"
        QTest.keyClick(keys, ESCAPE)
        assert qapp.focusWidget() is area
        assert look(window) == plain
        opened = []
        for letter in "FEJGVH":
            QTest.keyClick(keys, letter, ALT)
            opened.append(QApplication.activePopupWidget().title())
            QTest.keyClick(QApplication.activePopupWidget(), ESCAPE)
            QTest.keyClick(keys, ESCAPE)
        assert opened == ["&File", "&Edit", "&Judge", "&Go", "&View", "&Help"]
        assert qapp.focusWidget() is area
