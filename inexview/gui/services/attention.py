"""Whether somebody looks at the window: it is active, and a key or the mouse was used in the last minute."""

from __future__ import annotations

from time import monotonic

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication, QWidget

IDLE = 60.0  # seconds without key or mouse after which no one looks
_LOOK_EVERY = 1_000  # milliseconds
_ACTS = {
    QEvent.Type.KeyPress,
    QEvent.Type.MouseButtonPress,
    QEvent.Type.MouseMove,
    QEvent.Type.Wheel,
    QEvent.Type.TabletMove,
    QEvent.Type.TouchUpdate,
}


class Attention(QObject):
    """Watches over one window."""

    away = Signal(float)  # no one looks any more, since so many seconds
    back = Signal()
    ticked = Signal()  # every second while somebody looks

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._acted = monotonic()
        self.present = True
        self._timer = QTimer(self, interval=_LOOK_EVERY)
        self._timer.timeout.connect(self._look)
        self._timer.start()
        application = QApplication.instance()
        if application is not None:
            application.installEventFilter(self)

    def close(self) -> None:
        """Watch no more."""
        self._timer.stop()
        application = QApplication.instance()
        if application is not None:
            application.removeEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Note that something was done, or that another window has become the active one."""
        kind = event.type()
        if kind in _ACTS:
            self._acted = monotonic()
            if not self.present:
                self._return()
        elif watched is self._window:
            if kind == QEvent.Type.WindowDeactivate and self.present and not QApplication.activeWindow():
                self._leave(0.0)
            elif kind == QEvent.Type.WindowActivate and not self.present:
                self._acted = monotonic()
                self._return()
        return False

    def _look(self) -> None:
        idle = monotonic() - self._acted
        if self.present and idle >= IDLE:
            self._leave(idle)
        elif self.present:
            self.ticked.emit()

    def _leave(self, idle: float) -> None:
        self.present = False
        self.away.emit(idle)

    def _return(self) -> None:
        self.present = True
        self.back.emit()
