"""Actions: declared once, reachable by menu and key, and every key can be changed."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QMenuBar, QVBoxLayout, QWidget

from inexview.gui.services.actions import MENUS, SUBMENUS, ActionBook, Room
from inexview.gui.services.settings import KEYS
from inexview.gui.shell.menus import ACTIONS


@pytest.fixture
def window(qtbot):
    made = QWidget()
    made.setLayout(QVBoxLayout())
    qtbot.addWidget(made)
    return made


@pytest.fixture
def book(window, settings):
    return ActionBook(window, settings, ACTIONS)


@pytest.fixture
def done(window, settings):
    """Return what the only action of a window has done."""
    done = []
    finish = next(record for record in ACTIONS if record.id == "finish")
    book = ActionBook(window, settings, [replace(finish, does=lambda _: lambda: done.append("finish"))])
    book.bind(window)
    return done


def test_names_are_unique_and_no_two_actions_of_a_room_share_a_key():
    names = [record.id for record in ACTIONS]
    assert len(set(names)) == len(names)
    for room in Room:
        keys = [key for record in ACTIONS if room in record.rooms for key in record.keys]
        assert len(set(keys)) == len(keys), room
    assert all(record.tip and record.menu in MENUS for record in ACTIONS)


def test_the_keys_of_inex_own_tool_are_kept():
    keys = {record.id: record.keys for record in ACTIONS}
    assert keys["mark"] == ("H",)
    assert keys["erase"] == ("U",)
    assert keys["entry-point"] == ("B",)
    assert keys["remove-entry-point"] == ("Shift+B",)
    assert keys["finish"] == ("F",)
    assert "Ctrl+S" in keys["save"]
    assert keys["redo"] == ("Ctrl+Y", "Ctrl+Shift+Z")


def test_every_action_is_in_a_menu(book, window):
    bar = QMenuBar(window)
    book.fill_menu_bar(bar)
    listed = {action.objectName() for action in _entries(bar)}
    assert {record.id for record in ACTIONS} <= listed
    assert {action for actions in SUBMENUS.values() for action in actions.split()} <= {
        one.id for one in ACTIONS
    }


def _entries(menu):
    """Return the entries of a menu and of those in it."""
    for action in menu.actions():
        yield from _entries(action.menu()) if action.menu() is not None else [action]


@pytest.mark.parametrize("room", Room)
def test_no_menu_is_longer_than_a_low_screen(book, window, room):
    """A screen 540 pixels high has room for 17 entries with their separators."""
    bar = QMenuBar(window)
    book.fill_menu_bar(bar)
    book.set_room(room)
    for entry in bar.actions():
        shown = [
            action for action in entry.menu().actions() if action.isVisible() and not action.isSeparator()
        ]
        assert len(shown) <= 17, entry.text()
        for action in shown:
            assert action.menu() is None or any(one.isVisible() for one in action.menu().actions()), (
                action.text()
            )


def test_a_key_triggers_its_action(done, window, qtbot):
    window.show()
    window.setFocus()
    qtbot.waitUntil(window.hasFocus)
    qtbot.keyClick(window, Qt.Key.Key_F)
    assert done == ["finish"]


def test_letters_typed_in_a_field_are_text_and_no_commands(done, window, qtbot):
    field = QLineEdit()
    window.layout().addWidget(field)
    window.show()
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    qtbot.keyClicks(field, "fun")
    assert field.text() == "fun"
    assert done == []


def test_a_changed_key_is_kept_taken_from_the_other_action_and_shown(book, window, settings):
    book.set_keys("not-relevant", ["F"])
    assert book.keys("not-relevant") == ["F"]
    assert book.keys("finish") == []
    again = ActionBook(window, settings, ACTIONS)
    assert again.keys("not-relevant") == ["F"]
    assert again["not-relevant"].toolTip().endswith("(F)")
    again.reset_keys()
    assert again.keys("finish") == ["F"]
    assert settings.get(KEYS) == {}


def test_a_key_that_is_changed_in_one_window_is_changed_in_all(book, window, settings, qtbot):
    other = QWidget()
    qtbot.addWidget(other)
    there = ActionBook(other, settings, ACTIONS)
    book.set_keys("not-relevant", ["F"])
    assert there.keys("not-relevant") == ["F"]
    assert there.keys("finish") == []


def test_listeners_see_the_changed_keys(book, settings):
    heard = []
    settings.changed.connect(lambda _change: heard.append(book.key_text("finish")))
    book.set_keys("finish", ["Z"])
    assert heard == ["Z"]


def test_a_window_in_which_an_action_does_nothing_does_not_start(book, window):
    with pytest.raises(LookupError, match="'new-project' has no handler"):
        book.bind(window)
