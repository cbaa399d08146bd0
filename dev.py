#!/usr/bin/env python3
"""From a fresh checkout to a running inexview, or to its tests, with nothing but Python 3.11.

    python3 dev.py run [ARGUMENT…]     set everything up, then start inexview (on the sample project)
    python3 dev.py test [ARGUMENT…]    set everything up, then run the tests (arguments go to pytest)

Set up means: the system libraries that Qt loads, where apt can install them; a virtual environment in
``.venv``; inexview and what it needs in it.  What is there already is left alone, so that a second call
starts at once.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from inexview.system_libraries import (
    QT_LIBRARIES,
    QT_MODULES,
    SCREEN_LIBRARIES,
    has_screen,
    loads,
    opens_on_screen,
)

CHECKOUT = Path(__file__).resolve().parent
VENV = CHECKOUT / ".venv"
STAMP = VENV / "inexview-installed"  # what was installed, so that the second call need not look
WINDOWS = sys.platform == "win32"
PYTHON = VENV / ("Scripts/python.exe" if WINDOWS else "bin/python")

# For characters that the shipped typefaces lack (emoji, Chinese, …); welcome, but nothing fails without.
FONT_PACKAGES = ("fonts-noto-color-emoji", "fonts-droid-fallback")

# One test more at once than there are cores, since tests of the window wait for a sixth of their time; what
# the caller says after it counts.
AT_ONCE = min(8, 1 + (os.cpu_count() or 1))
ON_EVERY_CORE = ("-n", str(AT_ONCE), "--dist", "worksteal")

NO_SCREEN = (
    "There is no screen here (neither DISPLAY nor WAYLAND_DISPLAY is set), so no window can open. "
    "Everything is installed: start it from a desktop, or as  xvfb-run python3 dev.py run  on a virtual "
    "screen, or with QT_QPA_PLATFORM=offscreen to start it unseen."
)


class SetupError(Exception):
    """Why the set-up stopped, in words for the user."""


def main(arguments: Sequence[str]) -> int:
    """Run one of the two commands and return its exit status."""
    if not arguments or arguments[0] not in ("run", "test"):
        print(__doc__, file=sys.stderr)
        return 2
    command, rest = arguments[0], list(arguments[1:])
    try:
        set_up(command, os.environ)
        if command == "run" and not has_screen(os.environ):
            raise SetupError(NO_SCREEN)
    except SetupError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    if command == "test":
        os.chdir(CHECKOUT)
        return hand_over([str(PYTHON), "-m", "pytest", *ON_EVERY_CORE, *rest])
    return hand_over([str(PYTHON), "-m", "inexview", *(rest or ["--sample"])])


def set_up(command: str, environment: Mapping[str, str]) -> None:
    """Install what the command needs and does not have; raises SetupError where that cannot be done."""
    if sys.version_info < (3, 11):  # noqa: UP036 - this file runs before anything has checked the version
        raise SetupError(f"inexview needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
    installed = is_installed(command)
    makes_venv = not installed and not venv_works()
    on_screen = command == "run" and opens_on_screen(environment)
    install_system_packages(on_screen=on_screen, makes_venv=makes_venv)
    if installed:
        return
    if makes_venv:
        say(f"making a virtual environment in {VENV}")
        call(
            [sys.executable, "-m", "venv", "--clear", str(VENV)], "The virtual environment could not be made."
        )
    say("installing inexview and what it needs (some minutes the first time)")
    extra = "[test]" if command == "test" else ""
    call(
        [str(PYTHON), "-m", "pip", "install", "--disable-pip-version-check", "-e", f"{CHECKOUT}{extra}"],
        "pip could not install inexview; what it says above is the reason (is the network there?).",
    )
    call(
        [str(PYTHON), "-c", f"from PySide6 import {', '.join(QT_MODULES)}"],
        "Qt is installed but does not load: the library named above is missing from this system.",
    )
    STAMP.write_text(fingerprint(command), encoding="utf-8")


# -- what is there -----------------------------------------------------------------------------------


def is_installed(command: str) -> bool:
    """Tell whether an earlier call installed all this one needs; the tests' set holds the program's."""
    if not (STAMP.is_file() and PYTHON.exists()):
        return False
    installed = STAMP.read_text(encoding="utf-8")
    return installed in {fingerprint(command), fingerprint("test")}


def fingerprint(command: str) -> str:
    """Name what is installed for a command: changes with pyproject.toml, Python and the place."""
    python = str(sys.version_info[:2])  # no finer: apt may bring a patched Python in the same call
    parts = ((CHECKOUT / "pyproject.toml").read_bytes(), python.encode(), str(CHECKOUT).encode())
    return f"{command} {hashlib.sha256(b'|'.join(parts)).hexdigest()}"


def venv_works() -> bool:
    """Tell whether ``.venv`` has a Python that starts and has pip (a moved or half-made one has not)."""
    try:
        return subprocess.call([str(PYTHON), "-c", "import pip"], stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False


def can_make_venv() -> bool:
    """Tell whether this Python can put pip into a virtual environment; Debian keeps that in a package."""
    return importlib.util.find_spec("ensurepip") is not None


# -- system packages ---------------------------------------------------------------------------------


def install_system_packages(*, on_screen: bool, makes_venv: bool) -> None:
    """Install the missing Qt libraries with apt, or raise SetupError with the line that does it."""
    if not sys.platform.startswith("linux"):
        return
    needed = QT_LIBRARIES | (SCREEN_LIBRARIES if on_screen else {})
    missing = [library for library in needed if not loads(library)]
    no_venv = makes_venv and not can_make_venv()
    if not missing and not no_venv:
        return
    if not shutil.which("apt-get"):
        what = [*missing, *(["Python's ensurepip module"] if no_venv else [])]
        raise SetupError(f"Please install with this system's package manager: {', '.join(what)}.")
    root = as_root()
    if root is None:
        packages = wanted_packages(missing, no_venv=no_venv)
        line = f"apt-get update && apt-get install -y --no-install-recommends {' '.join(packages)}"
        raise SetupError(
            f"System packages are missing. As root, run this line and start again:\n\n    {line}\n"
        )
    say("installing the system packages that Qt needs")
    subprocess.call([*root, "apt-get", "update"])  # an old or partly failed list may do all the same
    packages = wanted_packages(missing, no_venv=no_venv)
    line = f"apt-get install -y --no-install-recommends {' '.join(packages)}"
    if apt_install(root, [*packages, *FONT_PACKAGES]) != 0 and apt_install(root, packages) != 0:
        raise SetupError(f"apt could not install what Qt needs; the line was:\n\n    {line}\n")


def wanted_packages(missing: Sequence[str], *, no_venv: bool) -> list[str]:
    """Return the packages that hold the missing libraries (and Python's venv), as this system names them."""
    known = QT_LIBRARIES | SCREEN_LIBRARIES
    packages = [next(filter(apt_knows, known[library][:-1]), known[library][-1]) for library in missing]
    if no_venv:
        packages.insert(0, f"python3.{sys.version_info.minor}-venv")
    return packages


def apt_knows(package: str) -> bool:
    """Tell whether apt's lists hold a package of this name."""
    command = ["apt-cache", "show", "--quiet", package]
    return subprocess.call(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0


def as_root() -> list[str] | None:
    """Return what to put before a command for root to run it, or None where this user may not."""
    if os.geteuid() == 0:
        return []
    sudo = shutil.which("sudo")
    if sudo and subprocess.call([sudo, "-n", "true"], stderr=subprocess.DEVNULL) == 0:
        return [sudo, "-n"]
    return None


def apt_install(root: Sequence[str], packages: Sequence[str]) -> int:
    """Install packages without questions; wait for another apt that is at work."""
    quiet = ["env", "DEBIAN_FRONTEND=noninteractive"]
    options = ["-y", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300"]
    return subprocess.call([*root, *quiet, "apt-get", "install", *options, *packages])


# -- running things ----------------------------------------------------------------------------------


def call(command: Sequence[str], problem: str) -> None:
    """Run a command, its output left to the user; raises SetupError where it fails."""
    if subprocess.call(command) != 0:
        raise SetupError(f"{problem}\nThe command was: {shlex.join(command)}")


def hand_over(command: list[str]) -> int:
    """Become the command, so that signals reach it and not this script; Windows can only run it."""
    if not WINDOWS:
        os.execv(command[0], command)
    return subprocess.call(command)


def say(what: str) -> None:
    """Tell what is being done; on stderr, for stdout is the program's."""
    print(f"dev.py: {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
