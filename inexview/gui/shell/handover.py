"""One window for each project: what is opened a second time is handed to the window that has it open.

Each window listens on a local socket whose name follows from its project file, in a folder of this user's
alone.  A second process hands its place over and ends; where no answer comes in time it goes on by itself.
Both look whose process is at the other end: only this user's is spoken to.
"""

from __future__ import annotations

import hashlib
import os
import socket
import struct
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from inexview.core.errors import InexviewError
from inexview.core.files import is_there, private_folder
from inexview.core.project.linked_place import LONGEST_LINK, LinkedPlace

CONNECTED_WITHIN = 500  # milliseconds
ANSWERED_WITHIN = 2000  # milliseconds: a window that takes longer hangs
TAKEN = b"taken\n"
ACTIVATION = "XDG_ACTIVATION_TOKEN"
"""By this, Wayland lets a window come to the front for what somebody did elsewhere."""


def hand_over(place: LinkedPlace) -> bool:
    """Have the window that has the project open show a place; False where there is none that answers."""
    if place.run is not None and is_there(Path(place.run)):  # the other process is in another folder
        place = replace(place, run=str(Path(place.run).absolute()))
    name = _name(place.project)
    if name is None:
        return False
    window = QLocalSocket()
    window.connectToServer(name)
    if not window.waitForConnected(CONNECTED_WITHIN) or not _is_of_this_user(window):
        window.abort()
        return False
    window.write(f"{place.link} {os.environ.get(ACTIVATION, '')}\n".encode())
    answered = window.waitForBytesWritten(CONNECTED_WITHIN) and window.waitForReadyRead(ANSWERED_WITHIN)
    taken = answered and bytes(window.readAll().data()) == TAKEN
    window.abort()
    return taken


class Handover(QObject):
    """Takes places for one project for as long as its window is open."""

    taken = Signal(object)  # LinkedPlace

    def __init__(self, project: Path, parent: QObject) -> None:
        super().__init__(parent)
        self._project = project
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._connect)
        name = _name(project)
        if name is None:  # then a second process opens the project by itself, and is told that it is open
            return
        if not self._server.listen(name) and not _answers(name):
            QLocalServer.removeServer(name)  # left by a process that was killed
            self._server.listen(name)

    def close(self) -> None:
        self._server.close()

    def _connect(self) -> None:
        while (guest := self._server.nextPendingConnection()) is not None:
            guest.disconnected.connect(guest.deleteLater)
            if not _is_of_this_user(guest):
                guest.abort()
                continue
            guest.setReadBufferSize(2 * LONGEST_LINK)
            guest.readyRead.connect(lambda guest=guest: self._read(guest))
            self._read(guest)

    def _read(self, guest: QLocalSocket) -> None:
        """Take a place once all of it is there; who sends anything else is disconnected."""
        if not guest.canReadLine():
            if guest.bytesAvailable() >= 2 * LONGEST_LINK:
                guest.abort()
            return
        link, _, token = bytes(guest.readLine().data()).decode(errors="replace").strip().partition(" ")
        try:
            place = LinkedPlace.parse(link)
        except InexviewError:
            guest.abort()
            return
        if os.path.realpath(place.project) != os.path.realpath(self._project):
            guest.abort()
            return
        guest.write(TAKEN)
        guest.flush()
        if token:
            os.environ[ACTIVATION] = token
        self.taken.emit(place)


def _answers(name: str) -> bool:
    """Tell whether a process listens under a name."""
    asking = QLocalSocket()
    asking.connectToServer(name)
    there = asking.waitForConnected(CONNECTED_WITHIN)
    asking.abort()
    return there


_CREDENTIALS = struct.Struct("3i")  # Linux: process, user and group of the other end


def _is_of_this_user(connected: QLocalSocket) -> bool:
    """Tell whether the process at the other end is this user's; where that is unknown, trust the folder."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True
    with socket.socket(fileno=os.dup(int(connected.socketDescriptor()))) as end:
        told = end.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    _process, user, _group = _CREDENTIALS.unpack(told)
    return bool(user == os.getuid())


def _name(project: Path) -> str | None:
    """Return the name of the socket, by the file and not by its path; None without a safe folder."""
    file = hashlib.sha256(os.path.realpath(project).encode(errors="surrogateescape")).hexdigest()[:24]
    if not hasattr(os, "getuid"):
        return f"inexview-{file}"  # Windows: a pipe that only its user may open
    folder = private_folder()
    return None if folder is None else str(folder / f"inexview-{file}")
