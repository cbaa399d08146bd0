"""`inexview links`: register this program for ``inexview://`` links on the desktop.

A desktop learns which program opens a scheme from files of applications: Desktop Entry Specification 1.5, and
MIME Applications Associations 1.0.1 (freedesktop.org).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from inexview.cli.common import FINE, PROBLEMS, complain
from inexview.core.errors import InexviewError
from inexview.core.files import SCHEME, write_complete
from inexview.core.progress import uncollected
from inexview.system_libraries import why_no_window

if TYPE_CHECKING:
    from inexview.core.files import LinkedPlace
    from inexview.core.project.inspection import Inspection


NAME = "inexview-links.desktop"
TYPE = f"x-scheme-handler/{SCHEME}"
UNDO = "inexview links --undo"
_TOOL_SECONDS = 20
ELSEWHERE = {
    "darwin": "On macOS only application bundles can open links, and inexview is not one",
    "win32": "On Windows inexview does not change the registry",
}


def links_parser(subparsers: _SubParsersAction[ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "links",
        description=f"Show whether the desktop opens {SCHEME}:// links with this program, or register it "
        f"(Linux and similar systems only). --register writes one file, {NAME} in applications/ of your data "
        "folder (XDG_DATA_HOME); --undo deletes it. A link into an open project is then shown in its window.",
        epilog="exit status: 0 links are registered (after --undo: removed), 1 links are not registered, 2 "
        "not done",
    )
    wish = parser.add_mutually_exclusive_group()
    wish.add_argument("--register", action="store_true", help="register this inexview for the links")
    wish.add_argument("--undo", action="store_true", help="remove the registration")
    parser.set_defaults(run=_run_links)


def _run_links(arguments: Namespace) -> int:
    if (why_not := ELSEWHERE.get(sys.platform)) is not None:
        raise InexviewError(f"{why_not}: open a link with `inexview LINK`.")
    entry = data_folder() / "applications" / NAME
    if arguments.register:
        return _register(entry)
    if arguments.undo:
        there = entry.exists()
        entry.unlink(missing_ok=True)
        call_tool("update-desktop-database", str(entry.parent))
        print(f"Deleted {entry}." if there else f"Links were not registered: {entry} does not exist.")
        return FINE
    if not entry.exists():
        print("Links are not registered. To register them: `inexview links --register`")
        return PROBLEMS
    print(f"Links are registered in {entry}. To remove it: `{UNDO}`")
    return FINE


def _register(entry: Path) -> int:
    entry.parent.mkdir(parents=True, exist_ok=True)
    said = desktop_entry([sys.executable, "-m", "inexview"])
    write_complete(entry, partial(Path.write_text, data=said, encoding="utf-8"))
    print(f"Registered links in {entry}. To remove it: `{UNDO}`")
    call_tool("update-desktop-database", str(entry.parent))
    if not call_tool("xdg-mime", "default", NAME, TYPE):
        complain(
            "xdg-mime is missing or failed. If a link does not open, choose inexview as its program once."
        )
    return FINE


def desktop_entry(command: list[str]) -> str:
    words = " ".join(map(quoted, command))
    return (
        "[Desktop Entry]\n"
        "Type=Application\n"
        "Version=1.5\n"
        "Name=inexview\n"
        "Comment=Opens links to places in projects\n"
        f"Exec={words} %u\n"
        "Terminal=false\n"
        "NoDisplay=true\n"
        f"MimeType={TYPE};\n"
    )


def quoted(word: str) -> str:
    """Return a word of Exec: quoted as a word, then escaped as a value of the file."""
    if "\n" in word:
        raise InexviewError(f"{word!r} cannot be written to a desktop entry: it contains a line break")
    inner = "".join(f"\\{one}" if one in '"`$\\' else one for one in word.replace("%", "%%"))
    return f'"{inner}"'.replace("\\", "\\\\")


def data_folder() -> Path:
    """Return the folder in which desktops look for a user's own data."""
    named = os.environ.get("XDG_DATA_HOME", "")
    return Path(named) if Path(named).is_absolute() else Path.home() / ".local" / "share"


def call_tool(tool: str, *arguments: str) -> bool:
    """Run a tool of the desktop; return False if it is missing or fails."""
    found = shutil.which(tool)
    if found is None:
        return False
    try:
        done = subprocess.run([found, *arguments], capture_output=True, timeout=_TOOL_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


# Starting the window from the command line.


def require_window() -> None:
    """Raise InexviewError if no window can be opened here, before any file is read for it."""
    if (problem := why_no_window(os.environ)) is not None:
        raise InexviewError(problem)


def leave(status: int) -> int:
    """Return an exit status, or end the process with it: Python would wait for a drive that never answers."""
    from inexview.gui.services.tasks import reads_on

    if reads_on():
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    return status


def open_window(
    place: LinkedPlace | None = None,
    *,
    sample: bool = False,
    inspection: Inspection | None = None,
    brought: Sequence[Path] = (),
) -> int:
    """Run the window until it is closed, and return the exit status."""
    require_window()
    with uncollected():  # all loaded objects are permanent
        from inexview.gui.shell.app import run
    return run(place, sample=sample, inspection=inspection, brought=brought)
