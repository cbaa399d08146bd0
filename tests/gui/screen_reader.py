"""What a screen reader is told of the program, asked over AT-SPI; see test_screen_reader.py.

To be run under a session bus of its own:
``dbus-run-session -- python -m tests.gui.screen_reader STEPS ARGUMENT…``.
It starts an X server without a screen and the program on it with these arguments.  STEPS is a list in JSON of
what is pressed, by its name ("" for nothing), and what is awaited then: for each the tree that the program
gives the accessibility bus is walked until something of that name is there, and printed in one list of JSON.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass

from tests.gui.accessibility_bus import BusError, Connection

PATIENCE = 90.0  # seconds until the program is there
MOST = 16  # children of a node that are looked at: lists have as many as documents
Place = tuple[str, str]
"""Where a node is: the program's name on the bus, and a path."""
ROOT = ("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")
ACCESSIBLE, ACTION, TEXT = (f"org.a11y.atspi.{name}" for name in ("Accessible", "Action", "Text"))
PRESSED = ("push button", "check box", "radio button", "button menu")
CHECKED, FOCUSABLE, SHOWING = 4, 11, 25  # bits of a node's states


@dataclass(frozen=True)
class Node:
    """What is said of one thing in the window; ``text`` is the beginning of the article's."""

    role: str
    name: str
    about: str
    states: int
    text: str = ""


class Bus:
    """The accessibility bus."""

    def __init__(self) -> None:
        with Connection(os.environ["DBUS_SESSION_BUS_ADDRESS"]) as session:
            address = session.ask("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress")
        self._connection = Connection(str(address))

    def ask(self, place: Place, interface: str, method: str, *given: str | int) -> object:
        """Call a method; None where it has no answer: what was there may be gone."""
        try:
            return self._connection.ask(*place, interface, method, *given)
        except BusError:
            return None

    def own(self, place: Place, name: str) -> object:
        """Return a property of a node."""
        return self.ask(place, "org.freedesktop.DBus.Properties", "Get", ACCESSIBLE, name)

    def children(self, place: Place, most: int | None = MOST) -> list[Place]:
        """Return the first children of a node."""
        return list(self.ask(place, ACCESSIBLE, "GetChildren") or ())[:most]  # type: ignore[call-overload]

    def states(self, place: Place) -> int:
        """Return the bits of a node's states."""
        words = self.ask(place, ACCESSIBLE, "GetState") or ()
        return sum(word << 32 * at for at, word in enumerate(words))  # type: ignore[arg-type, var-annotated]

    def look(self, place: Place, states: int) -> Node:
        """Return what is said of a node."""
        name = str(self.own(place, "Name") or "")
        text = self.ask(place, TEXT, "GetText", 0, 40) if name == "Article text" else ""
        role = str(self.ask(place, ACCESSIBLE, "GetRoleName"))
        return Node(role, name, str(self.own(place, "Description") or ""), states, str(text or ""))

    def walk(self, place: Place) -> Iterator[Node]:
        """Yield a node that is on the screen, and all below it."""
        states = self.states(place)
        if states >> SHOWING & 1:
            yield self.look(place, states)
            for child in self.children(place):
                yield from self.walk(child)

    def press(self, name: str) -> None:
        """Do what a button or an entry of the menus does."""
        pressed = next(self._called(name, ROOT), None)
        if pressed is None:
            sys.exit(f"nothing is called {name}")
        self._connection.send(*pressed, ACTION, "DoAction", 0)

    def _called(self, name: str, place: Place, *, in_menu: bool = False) -> Iterator[Place]:
        """Yield the buttons and entries of menus of a name; menus are not on the screen."""
        if not (in_menu or place == ROOT or self.states(place) >> SHOWING & 1):
            return
        role = str(self.ask(place, ACCESSIBLE, "GetRoleName"))
        in_menu = in_menu or role == "menu bar"
        if (in_menu or role in PRESSED) and self.own(place, "Name") == name:
            yield place
        if role not in PRESSED:
            for child in self.children(place, None if in_menu else MOST):
                yield from self._called(name, child, in_menu=in_menu)


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


def nodes_with(awaited: str, bus: Bus, program: subprocess.Popen[bytes]) -> list[Node]:
    """Walk the program's windows until what is awaited is there."""
    nodes: list[Node] = []
    end = time.monotonic() + PATIENCE
    while not is_there(awaited, nodes) and time.monotonic() < end:
        if program.poll() is not None:
            sys.exit("the program ended: the libraries of X that Qt wants may not be there")
        time.sleep(0.2)
        nodes = [node for window in bus.children(ROOT) for node in bus.walk(window)]
    return nodes


def main(steps: str, *arguments: str) -> None:
    """Print the nodes of the program's windows after each step."""
    bus = Bus()
    there, given = os.pipe()
    server = ["Xvfb", "-displayfd", str(given), "-screen", "0", "1440x900x24", "-nolisten", "tcp"]
    with running(server, pass_fds=(given,), stderr=subprocess.DEVNULL):
        os.close(given)
        display = os.read(there, 10).decode().strip()
        told = {"DISPLAY": f":{display}", "QT_QPA_PLATFORM": "xcb", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"}
        with running([sys.executable, "-m", "inexview", *arguments], env=os.environ | told) as program:
            seen = []
            for pressed, awaited in json.loads(steps):
                if pressed:
                    bus.press(pressed)
                seen.append([asdict(node) for node in nodes_with(awaited, bus, program)])
            print(json.dumps(seen))


if __name__ == "__main__":
    main(*sys.argv[1:])
