"""Keys of layouts without Latin letters, as an X server tells them: by the number of their place."""

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from inexview.gui.services.actions import KeyPlaces

PLACE_OF_Q, PLACE_OF_1 = 24, 10
NONE, CTRL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
ALTGR = Qt.KeyboardModifier.GroupSwitchModifier


@pytest.fixture
def window(qtbot):
    window = QWidget()
    window.field, window.text = QLineEdit(), QWidget(focusPolicy=Qt.FocusPolicy.StrongFocus)
    layout = QVBoxLayout(window)
    layout.addWidget(window.field)
    layout.addWidget(window.text)
    window.done = []
    for keys in ("Q", "1", "Ctrl+Q", "Shift+Q", "Shift+W"):
        action = QAction(window, shortcut=keys)
        action.triggered.connect(lambda _checked=False, keys=keys: window.done.append(keys))
        window.addAction(action)
    KeyPlaces(window, window.actions)
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    window.text.setFocus()
    qtbot.waitUntil(window.text.hasFocus)
    return window


def press(widget, place, key, text, held=NONE):
    """Press a key as Qt tells it: it asks first who wants it for a shortcut."""
    for kind in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
        event = QKeyEvent(kind, key, held, place, 0, 0, text)
        event.ignore()
        QCoreApplication.sendEvent(widget, event)


@pytest.mark.parametrize(("place", "key", "text", "held", "done"), [
    (PLACE_OF_Q, 0x419, "й", NONE, ["Q"]),
    (PLACE_OF_Q, 0x419, "", CTRL, ["Ctrl+Q"]),
    (PLACE_OF_1, Qt.Key.Key_Ampersand, "&", NONE, ["1"]),  # in France
    (PLACE_OF_Q, Qt.Key.Key_At, "@", ALTGR, []),  # in Germany
    (PLACE_OF_Q, Qt.Key.Key_Q, "Q", SHIFT, ["Shift+Q"]),  # in Israel Qt might do what Q does
    (PLACE_OF_Q + 1, Qt.Key.Key_W, "W", SHIFT, ["Shift+W"]),  # Qt does this one rightly
    (PLACE_OF_Q, Qt.Key.Key_A, "a", NONE, []),  # in France: Latin letters act by what they are
    (PLACE_OF_Q + 1, 0x426, "ц", NONE, []),
])  # fmt: skip
def test_a_key_acts_by_its_place_where_its_layout_lacks_the_letter(window, place, key, text, held, done):
    press(window.text, place, key, text, held)
    assert window.done == done


def test_a_text_field_keeps_its_letters(window, qtbot):
    window.field.setFocus()
    qtbot.waitUntil(window.field.hasFocus)
    press(window.field, PLACE_OF_Q, 0x419, "й")
    assert (window.field.text(), window.done) == ("й", [])
