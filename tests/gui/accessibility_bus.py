"""A small client of D-Bus, as much as AT-SPI needs.

PySide cannot take answers with parts apart, and a process for each question took most of a test's time.
"""

from __future__ import annotations

import os
import socket
import struct
from itertools import count
from types import TracebackType

Value = object
CALL, RETURN, ERROR = 1, 2, 3
PATH, INTERFACE, MEMBER, REPLY, DESTINATION, SIGNATURE = 1, 2, 3, 5, 6, 8  # fields of a message's head
PATIENCE = 60.0  # seconds for an answer
NUMBERS = {"y": "B", "n": "h", "q": "H", "i": "i", "u": "I", "x": "q", "t": "Q", "d": "d", "b": "I", "h": "I"}


class BusError(Exception):
    """What was asked has no answer."""


class Connection:
    """One connection to a bus, by its address (``unix:path=…``)."""

    def __init__(self, address: str) -> None:
        parts = dict(part.split("=", 1) for part in address.split(":", 1)[1].split(","))
        path = parts.get("path") or "\0" + parts["abstract"]
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(PATIENCE)
        self._socket.connect(path)
        self._serials = count(1)
        user = str(os.getuid()).encode().hex()
        self._socket.sendall(f"\0AUTH EXTERNAL {user}\r\n".encode())
        if not self._socket.recv(1024).startswith(b"OK"):
            raise BusError("the bus does not let this user in")
        self._socket.sendall(b"BEGIN\r\n")
        self.ask("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello")

    def __enter__(self) -> Connection:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._socket.close()

    def ask(self, name: str, path: str, interface: str, member: str, *given: str | int) -> Value:
        """Call a method with texts and int32s; return its one value.  Raises BusError."""
        return self._answer(self.send(name, path, interface, member, *given))

    def send(self, name: str, path: str, interface: str, member: str, *given: str | int) -> int:
        """Call a method, and return the number of the call: a dialog may hold its answer back."""
        serial = next(self._serials)
        signature = "".join("s" if isinstance(one, str) else "i" for one in given)
        body = Packed()
        for one in given:
            body.add("s" if isinstance(one, str) else "i", one)
        head = Packed()
        for value in (b"l"[0], CALL, 0, 1):
            head.add("y", value)
        head.add("u", len(body.data))
        head.add("u", serial)
        fields = [
            (PATH, "o", path),
            (INTERFACE, "s", interface),
            (MEMBER, "s", member),
            (DESTINATION, "s", name),
        ]
        fields += [(SIGNATURE, "g", signature)] if given else []
        inside = Packed(offset=16)
        for code, kind, text in fields:
            inside.align(8)
            inside.add("y", code)
            inside.add("g", kind)
            inside.add(kind, text)
        head.add("u", len(inside.data))
        head.data += inside.data
        head.align(8)
        self._socket.sendall(head.data + body.data)
        return serial

    def _answer(self, serial: int) -> Value:
        """Return what answers a call; what else comes (signals) is passed over."""
        while True:
            start = self._receive(16)
            length, _, inside = struct.unpack("<III", start[4:])
            rest = self._receive(-(-inside // 8) * 8 + length)
            fields = dict(Unpacked(start[12:] + rest, shift=12).value("a(yv)"))
            if start[1] in (RETURN, ERROR) and fields.get(REPLY) == serial:
                break
        if start[1] == ERROR:
            raise BusError(str(fields))
        body = Unpacked(rest[len(rest) - length :])
        signature = str(fields.get(SIGNATURE, ""))
        return body.value(signature) if signature else None

    def _receive(self, size: int) -> bytes:
        received = b""
        while len(received) < size:
            part = self._socket.recv(size - len(received))
            if not part:
                raise BusError("the bus has closed the connection")
            received += part
        return received


class Packed:
    """Values as the wire has them; ``offset`` is where the first is in its message."""

    def __init__(self, offset: int = 0) -> None:
        self.data = b""
        self._offset = offset

    def align(self, size: int) -> None:
        self.data += bytes(-(len(self.data) + self._offset) % size)

    def add(self, kind: str, value: str | int) -> None:
        if isinstance(value, str):
            encoded = value.encode()
            if kind != "g":
                self.align(4)
            self.data += struct.pack("<B" if kind == "g" else "<I", len(encoded)) + encoded + b"\0"
            return
        letter = NUMBERS[kind]
        self.align(struct.calcsize(letter))
        self.data += struct.pack(f"<{letter}", value)


class Unpacked:
    """Reads values from what came over the wire; ``shift`` is where it begins in its message."""

    def __init__(self, data: bytes, shift: int = 0) -> None:
        self._data, self._at, self._shift = data, 0, shift

    def _align(self, size: int) -> None:
        self._at += -(self._at + self._shift) % size

    def _number(self, kind: str) -> int:
        letter = NUMBERS[kind]
        size = struct.calcsize(letter)
        self._align(size)
        (value,) = struct.unpack_from(f"<{letter}", self._data, self._at)
        self._at += size
        return value

    def value(self, signature: str) -> Value:
        """Read one value: of a basic kind, ``v``, an array ``a…`` or a structure ``(…)``."""
        kind = signature[0]
        if kind in NUMBERS:
            return self._number(kind)
        if kind in "sog":
            size = self._number("y" if kind == "g" else "u")
            text = self._data[self._at : self._at + size].decode()
            self._at += size + 1
            return text
        if kind == "v":
            return self.value(str(self.value("g")))
        if kind in "({":
            self._align(8)
            return tuple(self.value(part) for part in parts_of(signature[1:-1]))
        size = self._number("u")
        inside = parts_of(signature[1:])[0]
        self._align(8 if inside[0] in "({xtd" else 4 if inside[0] in "soaiub" else 1)
        end, values = self._at + size, []
        while self._at < end:
            values.append(self.value(inside))
        return values


def parts_of(signature: str) -> list[str]:
    """Return the signatures of single values that follow each other in one."""
    parts: list[str] = []
    rest = signature
    while rest:
        depth = end = 0
        while rest[end] == "a":
            end += 1
        if rest[end] in "({":
            for at in range(end, len(rest)):
                depth += (rest[at] in "({") - (rest[at] in ")}")
                if not depth:
                    end = at
                    break
        parts.append(rest[: end + 1])
        rest = rest[end + 1 :]
    return parts
