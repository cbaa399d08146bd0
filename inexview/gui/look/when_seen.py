"""Work for somebody's eyes: done at once where a widget is seen, and else not before it is shown."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget


class WhenSeen(QObject):
    """Makes what a widget shows, once for all that has changed while no one saw it."""

    def __init__(self, widget: QWidget, make: Callable[[], None]) -> None:
        super().__init__(widget)
        self._widget = widget
        self._make = make
        self._stale = False
        widget.installEventFilter(self)

    def refresh(self) -> None:
        """Make it again: now, or when the widget is next shown."""
        self._stale = not self._widget.isVisible()
        if not self._stale:
            self._make()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Make what was left undone as soon as somebody looks."""
        if self._stale and event.type() is QEvent.Type.Show:
            self.refresh()
        return False
