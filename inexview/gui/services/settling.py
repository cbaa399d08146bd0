"""When a window has settled: what was chosen last is painted, and for a moment nothing else was chosen.

What can wait begins then.  Beside a window that paints it would take Python's lock from it, turn by turn.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from inexview.gui.look.layouts import OwnTurn

SETTLED = 60  # milliseconds in which what was chosen is painted, and another key of a held one comes


class Settling(QObject):
    """Holds back what can wait; what chooses or paints something says so by :meth:`unsettle`."""

    unsettled = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.settled = True
        """May be read in any thread."""
        self._waiting: dict[Callable[[], object], None] = {}
        self._soon = OwnTurn(self, SETTLED)
        self._soon.come.connect(self._settle)

    def unsettle(self) -> None:
        """Note that something was chosen, or painted: all that waits does so for another moment."""
        self.settled = False
        self._soon.start()
        self.unsettled.emit()

    def wait(self, work: Callable[[], object]) -> None:
        """Do something once the window has settled, in a moment at the earliest; asked twice, once."""
        self._waiting[work] = None
        if not self._soon.active:
            self._soon.start()

    def forget(self, work: Callable[[], object]) -> None:
        """Do something not at all that waits."""
        self._waiting.pop(work, None)

    def close(self) -> None:
        """Do nothing more."""
        self._soon.stop()
        self._waiting.clear()

    def _settle(self) -> None:
        self.settled = True
        waiting, self._waiting = self._waiting, {}
        for work in waiting:
            work()
