"""Which keys are held: a key that went down before a document was shown says nothing about that document.

A held key goes on once what it did last is painted.  Were each repetition obeyed, those that come while the
window works would wait in line, and the window go on after the key is let go.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

BOUNCE = 10  # milliseconds: a key let go and pressed again within them was held; some desktops repeat so


class HeldKeys(QObject):
    """Follows the keys that are pressed in a window, in whatever part of it the keyboard is."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._down: set[int] = set()
        self._let_go: dict[int, int] = {}  # key → when, by the clock of the desktop, in milliseconds
        self._outlived: set[int] = set()
        self._last = 0
        self._repeated = self._unpainted = self._bounced = False
        window.installEventFilter(self)

    @property
    def fresh(self) -> bool:
        """Whether the key that was pressed last, if it is still down, was pressed for what is shown now."""
        return not self._bounced and not self.stale

    @property
    def stale(self) -> bool:
        """Whether the key that was pressed last is still down, and was pressed for what was shown before."""
        return self._last in self._outlived & self._down

    @property
    def repeated(self) -> bool:
        """Whether the key that was pressed last is only held on."""
        return self._repeated or self._bounced

    @property
    def ahead(self) -> bool:
        """Whether the key that was pressed last is only held on, and nothing was painted since it acted."""
        return self._repeated and self._unpainted

    def act(self) -> None:
        """Take note that a key, or something else, does what it is for."""
        self._unpainted = True

    def outlive(self) -> None:
        """Take note that something else is shown now."""
        self._outlived = self._down | self._let_go.keys()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take note of keys on their way to shortcuts, and of those let go."""
        kind = event.type()
        if kind is QEvent.Type.UpdateRequest:
            self._unpainted = False
        elif kind is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            self._press(event)
        elif kind is QEvent.Type.KeyRelease and isinstance(event, QKeyEvent) and not event.isAutoRepeat():
            self._down.discard(event.key())
            self._let_go[event.key()] = event.timestamp()
            self._repeated = self._bounced = False
        elif kind is QEvent.Type.WindowDeactivate:  # it would be let go elsewhere
            self._repeated = self._bounced = False
            self._down.clear()
            self._outlived.clear()
        return False

    def _press(self, event: QKeyEvent) -> None:
        key, now = event.key(), event.timestamp()
        let_go = self._let_go.pop(key, None)
        self._bounced = let_go is not None and 0 < now <= let_go + BOUNCE
        if not self._bounced and key not in self._down:
            self._outlived.discard(key)
        self._last, self._repeated = key, event.isAutoRepeat()
        self._down.add(key)
