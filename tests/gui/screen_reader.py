"""What a screen reader is told of the program, asked over AT-SPI; see test_screen_reader.py.

To be run under a session bus of its own:
``dbus-run-session -- python -m tests.gui.screen_reader AWAITED ARGUMENT…``.
It starts an X server without a screen and the program on it with these arguments, walks the tree that the
program gives the accessibility bus until something of the awaited name is there, and prints it as JSON.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass

from PySide6.QtCore import QCoreApplication
from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusVariant

PATIENCE = 90.0  # seconds until the program is there
MOST = 12  # children of a node that are looked at: lists have as many as documents
ROOT = ("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")
ACCESSIBLE, TEXT = "org.a11y.atspi.Accessible", "org.a11y.atspi.Text"
FOCUSABLE, SHOWING = 11, 25  # bits of a node's states
REFERENCE = re.compile(r'string "([^"]+)"\s+object path "([^"]+)"')


@dataclass(frozen=True)
class Node:
    """What is said of one thing in the window; ``text`` is the beginning of the article's."""

    role: str
    name: str
    focusable: bool
    text: str = ""


class Bus:
    """The accessibility bus."""

    def __init__(self) -> None:
        session = QDBusConnection.sessionBus()
        message = QDBusMessage.createMethodCall("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress")
        self._address = session.call(message).arguments()[0]
        self._connection = QDBusConnection.connectToBus(self._address, "a11y")

    def ask(self, node: tuple[str, str], interface: str, method: str, *given: object) -> object:
        """Call a method whose answer is one plain value; None where it has none."""
        message = QDBusMessage.createMethodCall(*node, interface, method)
        message.setArguments(list(given))
        answer = self._connection.call(message, timeout=5000)
        if answer.type() is not QDBusMessage.MessageType.ReplyMessage:
            return None
        value = answer.arguments()[0]
        return value.variant() if isinstance(value, QDBusVariant) else value

    def own(self, node: tuple[str, str], name: str) -> object:
        """Return a property of a node."""
        return self.ask(node, "org.freedesktop.DBus.Properties", "Get", ACCESSIBLE, name)

    def told(self, node: tuple[str, str], method: str) -> str:
        """Call a method whose answer has parts, which PySide cannot take apart; return it as written."""
        called = ["dbus-send", f"--bus={self._address}", "--print-reply", f"--dest={node[0]}"]
        answer = subprocess.run(
            [*called, node[1], f"{ACCESSIBLE}.{method}"], capture_output=True, text=True, check=False
        )
        return answer.stdout

    def children(self, node: tuple[str, str]) -> list[tuple[str, str]]:
        """Return the first children of a node."""
        return (
            REFERENCE.findall(self.told(node, "GetChildren"))[:MOST] if self.own(node, "ChildCount") else []
        )

    def states(self, node: tuple[str, str]) -> int:
        """Return the states of a node, a bit for each."""
        words = re.findall(r"uint32 (\d+)", self.told(node, "GetState"))
        return sum(int(word) << 32 * at for at, word in enumerate(words))

    def walk(self, node: tuple[str, str]) -> Iterator[Node]:
        """Yield a node that is on the screen, and all below it."""
        states = self.states(node)
        if not states >> SHOWING & 1:
            return
        role, name = str(self.ask(node, ACCESSIBLE, "GetRoleName")), str(self.own(node, "Name") or "")
        text = self.ask(node, TEXT, "GetText", 0, 40) if name == "Article text" else ""
        yield Node(role, name, bool(states >> FOCUSABLE & 1), str(text or ""))
        for child in self.children(node):
            yield from self.walk(child)


@contextmanager
def running(command: list[str], **how: object) -> Iterator[subprocess.Popen[bytes]]:
    """Start a program, and end it."""
    process = subprocess.Popen(command, **how)  # type: ignore[call-overload]
    try:
        yield process
    finally:
        process.terminate()
        process.wait(20)


def is_there(awaited: str, nodes: list[Node]) -> bool:
    """Tell whether something of this name is on the screen, with its text where it is the article's."""
    return any(node.name == awaited and (node.text or awaited != "Article text") for node in nodes)


def main(awaited: str, *arguments: str) -> None:
    """Print the nodes of the program's window; of an article that is awaited its text is."""
    application = QCoreApplication([])
    bus = Bus()
    there, given = os.pipe()
    server = ["Xvfb", "-displayfd", str(given), "-screen", "0", "1440x900x24", "-nolisten", "tcp"]
    with running(server, pass_fds=(given,), stderr=subprocess.DEVNULL):
        os.close(given)
        display = os.read(there, 10).decode().strip()
        told = {"DISPLAY": f":{display}", "QT_QPA_PLATFORM": "xcb", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"}
        with running([sys.executable, "-m", "inexview", *arguments], env=os.environ | told) as program:
            nodes: list[Node] = []
            end = time.monotonic() + PATIENCE
            while not is_there(awaited, nodes) and time.monotonic() < end:
                if program.poll() is not None:
                    sys.exit("the program ended: the libraries of X that Qt wants may not be there")
                time.sleep(0.5)
                nodes = [node for window in bus.children(ROOT) for node in bus.walk(window)]
            print(json.dumps([asdict(node) for node in nodes]))
    del application


if __name__ == "__main__":
    main(*sys.argv[1:])
