"""Keys of layouts that lack a letter or digit: what is at its place on a keyboard of the US does the same.

Qt finds Latin letters only where a layout with them is set up beside a Russian, Greek or Hebrew one; without
it no letter would judge anything, nor `Ctrl` with a letter.  In Hebrew layouts Shift types Latin capitals:
Qt takes such a key for the letter with Shift and for the one without it, and does nothing or the wrong one.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QWidget

_ROWS = {10: "1234567890-=", 24: "QWERTYUIOP[]", 38: "ASDFGHJKL;", 52: "ZXCVBNM,./"}
PLACES = {first + at: ord(key) for first, row in _ROWS.items() for at, key in enumerate(row)}
"""Number of a key, as X11 and Wayland count them → its Qt key in the US."""
NUMBERED = ("xcb", "wayland", "offscreen")  # platforms that count so
_MODIFIERS = (
    Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
)


class KeyPlaces(QObject):
    """Follows the keys that are pressed in a window, and triggers what no key of their own would."""

    def __init__(self, window: QWidget, actions: Callable[[], list[QAction]]) -> None:
        super().__init__(window)
        self._actions = actions
        self._wanted: tuple[QAction, int, int] | None = None  # with the number of the key, and when it came
        if QGuiApplication.platformName() in NUMBERED:
            window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Look at keys that no text field wants, and act when they are pressed indeed."""
        kind = event.type()
        if watched is self.parent() and kind is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            self._look(event)
            if self._is_doubtful(event):
                event.accept()  # Qt is not asked
                return True
        elif self._wanted is not None and kind is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            action, *press = self._wanted
            self._let_go()
            if press == [event.nativeScanCode(), event.timestamp()]:
                action.trigger()
                return True
        return False

    def _look(self, event: QKeyEvent) -> None:
        if not event.nativeScanCode():
            return  # it comes from no keyboard
        self._let_go()
        action = self._action_of(event)
        application = QApplication.instance()
        if action is not None and application is not None:
            self._wanted = action, event.nativeScanCode(), event.timestamp()
            application.installEventFilter(self)  # the press itself goes to whatever has the keyboard

    def _let_go(self) -> None:
        application = QApplication.instance()
        if self._wanted is not None and application is not None:
            self._wanted = None
            application.removeEventFilter(self)

    def _action_of(self, event: QKeyEvent) -> QAction | None:
        """Return what a key does that the layout does not have; None where it has one of its own."""
        key, place = event.key(), PLACES.get(event.nativeScanCode())
        if place is None or _is_typed(event) or key >= Qt.Key.Key_Escape:
            return None
        held = (event.modifiers() & _MODIFIERS).value
        found = self._offered(held | key)
        if _is_latin(key):
            found = found if self._is_doubtful(event) else None
        else:
            found = self._offered(held | place) if found is None else None
        return None if found is None or (event.isAutoRepeat() and not found.autoRepeat()) else found

    def _is_doubtful(self, event: QKeyEvent) -> bool:
        """Tell whether Qt might take a capital for the letter without Shift, which does something too."""
        held, shift = (event.modifiers() & _MODIFIERS).value, Qt.KeyboardModifier.ShiftModifier.value
        letter = _is_latin(event.key()) and chr(event.key()).isalpha()
        capital = letter and bool(held & shift) and event.nativeScanCode() in PLACES
        return capital and not _is_typed(event) and self._offered(held & ~shift | event.key()) is not None

    def _offered(self, key: int) -> QAction | None:
        """Return the action that a key with its modifiers does now."""
        wanted = QKeySequence(key)
        offered = (one for one in self._actions() if one.isEnabled() and one.isVisible())
        return next((action for action in offered if wanted in action.shortcuts()), None)


def _is_typed(event: QKeyEvent) -> bool:
    """Tell whether it writes into a field, or with AltGr a sign that the layout has there."""
    focus = QApplication.focusWidget()
    field = focus is not None and focus.testAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)
    return field or bool(event.modifiers() & Qt.KeyboardModifier.GroupSwitchModifier)


def _is_latin(key: int) -> bool:
    return key < 128 and chr(key).isalnum()
