"""Timers of the window."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal


def timer(parent: QObject, call: Callable[[], object], milliseconds: int, *, repeats: bool = False) -> QTimer:
    """Return a timer that calls once, so many milliseconds after each start, or again and again.

    Qt's own keyword ``interval`` is never used: in a Turkish locale PySide does not find what begins with i.
    """
    made = QTimer(parent)
    made.setSingleShot(not repeats)
    made.setInterval(milliseconds)
    made.timeout.connect(call)
    return made


class OwnTurn(QObject):
    """Tells once that so many milliseconds have passed since the last start, in a turn of its own.

    A plain timer that was due while something was painted is told in the very turn of that painting, which it
    makes a long one.
    """

    come = Signal()

    def __init__(self, parent: QObject, milliseconds: int) -> None:
        super().__init__(parent)
        self._next = timer(self, self.come.emit, 0)
        self._passing = timer(self, self._next.start, milliseconds)

    @property
    def active(self) -> bool:
        return self._passing.isActive() or self._next.isActive()

    def start(self) -> None:
        self._next.stop()
        self._passing.start()

    def stop(self) -> None:
        self._passing.stop()
        self._next.stop()
