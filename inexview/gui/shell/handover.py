"""One window for each project: what is opened a second time is handed to the window that has it open.

Each window listens on a local socket whose name follows from its project file.  A second process hands its
place over and ends; where no answer comes in time it goes on by itself.
"""

from __future__ import annotations

import getpass
import hashlib
import os
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from inexview.core.errors import InexviewError
from inexview.core.file_presence import is_there
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
    socket = QLocalSocket()
    socket.connectToServer(_name(place.project))
    if not socket.waitForConnected(CONNECTED_WITHIN):
        return False
    socket.write(f"{place.link} {os.environ.get(ACTIVATION, '')}\n".encode())
    answered = socket.waitForBytesWritten(CONNECTED_WITHIN) and socket.waitForReadyRead(ANSWERED_WITHIN)
    taken = answered and bytes(socket.readAll().data()) == TAKEN
    socket.abort()
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
        if not self._server.listen(name) and not _answers(name):
            QLocalServer.removeServer(name)  # left by a process that was killed
            self._server.listen(name)

    def close(self) -> None:
        self._server.close()

    def _connect(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            socket.setReadBufferSize(2 * LONGEST_LINK)
            socket.readyRead.connect(lambda socket=socket: self._read(socket))
            socket.disconnected.connect(socket.deleteLater)
            self._read(socket)

    def _read(self, socket: QLocalSocket) -> None:
        """Take a place once all of it is there; who sends anything else is disconnected."""
        if not socket.canReadLine():
            if socket.bytesAvailable() >= 2 * LONGEST_LINK:
                socket.abort()
            return
        link, _, token = bytes(socket.readLine().data()).decode(errors="replace").strip().partition(" ")
        try:
            place = LinkedPlace.parse(link)
        except InexviewError:
            socket.abort()
            return
        if os.path.realpath(place.project) != os.path.realpath(self._project):
            socket.abort()
            return
        socket.write(TAKEN)
        socket.flush()
        if token:
            os.environ[ACTIVATION] = token
        self.taken.emit(place)


def _answers(name: str) -> bool:
    """Tell whether a process listens under a name."""
    socket = QLocalSocket()
    socket.connectToServer(name)
    there = socket.waitForConnected(CONNECTED_WITHIN)
    socket.abort()
    return there


def _name(project: Path) -> str:
    """Return the name of the socket: of this user, and of the file, by whatever path it is called."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # a user id without a name, as in many containers
        user = ""
    whose = f"{user}\0{os.path.realpath(project)}"
    return f"inexview-{hashlib.sha256(whose.encode(errors='surrogateescape')).hexdigest()[:24]}"
