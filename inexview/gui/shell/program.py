"""The program from its start to its end: the log, the first window, the event loop; and signals."""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
from functools import partial
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs
from PySide6.QtCore import QObject, QSocketNotifier, Signal
from PySide6.QtWidgets import QApplication

from inexview.core.progress import look_seldom
from inexview.gui.look.widgets import name_charts
from inexview.gui.services.settings import SCALE, Settings
from inexview.gui.shell.app import Application

_ASKING = {getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)}


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


if TYPE_CHECKING:
    from inexview.core.project.inspection import Inspection
    from inexview.core.project.linked_place import LinkedPlace


def start_log() -> None:
    """Write defects to a file in the user's log folder; without such a folder, nowhere."""
    folder = Path(platformdirs.user_log_dir("inexview", appauthor=False))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(
            folder / "inexview.log", maxBytes=1_000_000, backupCount=1, encoding="utf-8", delay=True
        )
    except OSError:
        return
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.getLogger("inexview").addHandler(handler)


def scale_window(settings: Settings) -> None:
    """Have Qt make everything larger, as the settings say; call it before there is a QApplication.

    Who has set Qt's own variable knows better.
    """
    os.environ.setdefault("QT_SCALE_FACTOR", str(settings.get(SCALE) / 100))


def run(
    place: LinkedPlace | None = None, *, sample: bool = False, inspection: Inspection | None = None
) -> int:
    """Start the program: in a project, on the sample, inspecting files, or with the start window.

    A project that has a window already is shown there, at the place.  Returns the exit status.
    """
    start_log()
    settings = Settings()
    scale_window(settings)
    qt = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(qt, QApplication)
    name_charts()
    if place is not None:
        from inexview.gui.shell.handover import hand_over

        if hand_over(place):
            return 0
    application = Application(qt, settings, loaded=look_seldom)
    Termination(application).asked.connect(partial(_end, application))
    if sample:
        application.open_sample()
    elif inspection is not None:
        application.open_inspection(inspection)
    elif place is not None:
        application.open_place(place)
    if not application.windows:
        application.show_start()
    status = qt.exec()
    settings.write()
    return status


def _end(application: Application, number: int) -> None:
    """End the program as a signal asks, with what was typed last written; no question is asked."""
    try:
        for window in tuple(application.windows):
            window.end()
    finally:
        QApplication.exit(128 + number)
