"""A timer whose turn of the event loop is its own."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal


class OwnTurn(QObject):
    """Tells once that so many milliseconds have passed since the last start, in a turn of its own.

    A plain timer that was due while something was painted is told in the very turn of that painting, which it
    makes a long one.
    """

    come = Signal()

    def __init__(self, parent: QObject, milliseconds: int) -> None:
        super().__init__(parent)
        self._passing = QTimer(self, singleShot=True, interval=milliseconds)
        self._next = QTimer(self, singleShot=True, interval=0)
        self._passing.timeout.connect(self._next.start)
        self._next.timeout.connect(self.come)

    @property
    def active(self) -> bool:
        return self._passing.isActive() or self._next.isActive()

    def start(self) -> None:
        self._next.stop()
        self._passing.start()

    def stop(self) -> None:
        self._passing.stop()
        self._next.stop()
