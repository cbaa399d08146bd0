"""Work for somebody's eyes: done at once where a widget is seen, and else not before it is shown."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

from inexview.gui.look.timers import OwnTurn

PAINTED = 40  # milliseconds in which what has changed besides is painted


class WhenSeen(QObject):
    """Makes what a widget shows, once for all that has changed while no one saw it."""

    def __init__(self, widget: QWidget, make: Callable[[], None]) -> None:
        super().__init__(widget)
        self._widget = widget
        self._make = make
        self._stale = False
        self._soon = OwnTurn(self, PAINTED)
        self._soon.come.connect(self.refresh)
        widget.installEventFilter(self)

    def refresh_after_others(self) -> None:
        """Make it again soon, after what else has changed: all in one turn would be a long one."""
        self._soon.start()

    def refresh(self) -> None:
        """Make it again: now, or when the widget is next shown."""
        self._soon.stop()
        self._stale = not self._widget.isVisible()
        if not self._stale:
            self._make()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Make what was left undone as soon as somebody looks."""
        if self._stale and event.type() is QEvent.Type.Show:
            self.refresh()
        return False
