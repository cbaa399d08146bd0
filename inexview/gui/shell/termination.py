"""Being asked to end by the system: at the end of a session, or when a terminal is closed."""

from __future__ import annotations

import signal
import socket

from PySide6.QtCore import QObject, QSocketNotifier, Signal

_ASKING = {getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)}


class Termination(QObject):
    """Hears signals in the event loop, which Python alone leaves waiting until there is an event.

    One for each process, made in its first thread.
    """

    asked = Signal(object)  # int, the signal

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._heard, self._told = socket.socketpair()
        for end in (self._heard, self._told):
            end.setblocking(False)
        signal.set_wakeup_fd(self._told.fileno(), warn_on_full_buffer=False)
        for asking in _ASKING:
            signal.signal(asking, lambda *_signal: None)  # Python writes to the socket what has a handler
        notifier = QSocketNotifier(self._heard.fileno(), QSocketNotifier.Type.Read, self)
        notifier.activated.connect(self._hear)

    def _hear(self) -> None:
        for number in self._heard.recv(64):
            if number in _ASKING:
                self.asked.emit(number)
