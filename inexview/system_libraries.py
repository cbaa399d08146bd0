"""The system libraries that Qt loads: the missing ones, and the command that installs them.

Only the standard library is used: dev.py runs this before any installation, the program before loading Qt.
"""

from __future__ import annotations

import ctypes
import re
import socket
import sys
from collections.abc import Mapping

QT_MODULES = ("QtCore", "QtGui", "QtWidgets", "QtSvg", "QtNetwork")  # imported by inexview

# The libraries that these load, and the Debian or Ubuntu packages with them, newest name first.
QT_LIBRARIES = {
    "libglib-2.0.so.0": ("libglib2.0-0t64", "libglib2.0-0"),
    "libGL.so.1": ("libgl1",),
    "libEGL.so.1": ("libegl1",),
    "libdbus-1.so.3": ("libdbus-1-3",),
    "libxkbcommon.so.0": ("libxkbcommon0",),
    "libfontconfig.so.1": ("libfontconfig1",),
    "libgssapi_krb5.so.2": ("libgssapi-krb5-2",),
}
# Further libraries for a window on a screen, X or Wayland.
SCREEN_LIBRARIES = {
    "libxcb-cursor.so.0": ("libxcb-cursor0",),
    "libxcb-icccm.so.4": ("libxcb-icccm4",),
    "libxcb-keysyms.so.1": ("libxcb-keysyms1",),
    "libxcb-shape.so.0": ("libxcb-shape0",),
    "libxkbcommon-x11.so.0": ("libxkbcommon-x11-0",),
    "libwayland-cursor.so.0": ("libwayland-cursor0",),
}

SOCKETS = "/tmp/.X11-unix/X"  # sockets of the X servers of this machine, each with its number
PATIENCE = 2.0  # seconds for an X server of this machine to accept a connection


def loads(library: str) -> bool:
    """Return whether the system's loader finds a library."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def opens_on_screen(environment: Mapping[str, str]) -> bool:
    """Return whether Qt will open its windows on X or Wayland, and not off screen or on another platform."""
    platform = environment.get("QT_QPA_PLATFORM", "")
    return not platform or platform.startswith(("xcb", "wayland"))


def has_screen(environment: Mapping[str, str]) -> bool:
    """Return whether a window can open, or the user has chosen a platform that needs no screen."""
    if sys.platform in ("win32", "darwin") or not opens_on_screen(environment):
        return True
    return any(environment.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def answers(display: str) -> bool:
    """Return whether this machine's X server named by DISPLAY accepts a connection; True for others."""
    local = re.fullmatch(r"(?:unix)?:(\d+)(?:\.\d+)?", display)
    if local is None:
        return True
    path = SOCKETS + local[1]
    for address in ("\0" + path, path):
        with socket.socket(socket.AF_UNIX) as end:
            end.settimeout(PATIENCE)
            if end.connect_ex(address) == 0:
                return True
    return False


def why_no_window(environment: Mapping[str, str]) -> str | None:
    """Return a sentence or two on why Qt cannot open a window here; None if it can.

    Qt itself ends the process if it cannot.
    """
    if not sys.platform.startswith("linux"):
        return None
    needed = QT_LIBRARIES | (SCREEN_LIBRARIES if opens_on_screen(environment) else {})
    missing = [library for library in needed if not loads(library)]
    if missing:
        line = " ".join(needed[library][-1] for library in missing)
        install = f"apt-get update && apt-get install -y --no-install-recommends {line}"
        return (
            f"the window needs libraries that this system lacks: {', '.join(missing)}. "
            f"On Debian or Ubuntu, as root:\n\n    {install}\n"
        )
    if not has_screen(environment):
        return (
            "there is no screen here (neither DISPLAY nor WAYLAND_DISPLAY is set), so no window can open; "
            "the commands work without one (inexview -h)"
        )
    display = environment.get("DISPLAY", "")
    if opens_on_screen(environment) and not environment.get("WAYLAND_DISPLAY") and not answers(display):
        return (
            f"the screen that DISPLAY names, {display!r}, does not answer, so no window can open; "
            "the commands work without one (inexview -h)"
        )
    return None
