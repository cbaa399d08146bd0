"""Where the articles of projects are on this machine: in the user's settings, and in no row of a project.

A project goes wherever it is sent, and each row is covered by the digests of those after it: what is private,
or of one machine, could never be left out again.  So rows hold names, and the place is a file in the folder
of settings, ``places/ID``, where ID is that of the project's first row.
"""

from __future__ import annotations

import contextlib
import json
import re
from pathlib import Path
from typing import Any

import platformdirs

from inexview.core import durable
from inexview.core.errors import ProjectError
from inexview.core.project.journal.sqlite_errors import reason_of

_TELLING = frozenset(("session", "collection", "import", "salvage", "suggestions"))


def places_folder() -> Path:
    return Path(platformdirs.user_config_dir("inexview", appauthor=False)) / "places"


def place_of(project: str) -> Path | None:
    """Return where the articles of a project are, as far as this machine knows; ``project`` is its id."""
    with contextlib.suppress(OSError, ValueError):  # there is none, or no text
        return Path((places_folder() / file_safe(project)).read_text(encoding="utf-8"))
    return None


def remember_place(project: str, articles: Path) -> None:
    """Keep where the articles of a project are; raises ProjectError."""
    place = places_folder() / file_safe(project)

    def write(part: Path) -> None:
        part.write_text(str(articles), encoding="utf-8")

    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        durable.write_complete(place, write)
    except (OSError, ValueError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else str(error)
        raise ProjectError(
            f"{place}: where the articles are cannot be kept for the next time ({reason})"
        ) from error


def remember_first(project: str, articles: Path) -> None:
    """Keep a place that a project of an earlier version tells, unless one is known or none can be kept."""
    if place_of(project) is None:
        with contextlib.suppress(ProjectError):
            remember_place(project, articles)


def file_safe(identifier: str) -> str:
    """Return an id as the name of a file, also where a project brings one that is none."""
    return "".join(letter for letter in identifier if letter.isalnum() or letter == "-")[:40] or "unknown"


def last_name(path: str) -> str:
    """Return the last part of a path of any system."""
    return re.split(r"[\\/]", path.rstrip("\\/"))[-1]


def without_places(action: str, content: dict[str, Any]) -> dict[str, Any]:
    """Return what a row holds without the places, the process and the machine that earlier versions told."""
    if action == "session":
        return {}
    if action == "collection" and isinstance(content.get("absolute"), str):
        return {"name": last_name(content["absolute"]), "relative": content.get("relative")}
    named = {"import": "source", "salvage": "from"}.get(action, "")
    if isinstance(content.get(named), str):
        return {**content, named: last_name(content[named])}
    if action == "suggestions":
        return {name: value for name, value in content.items() if name != "path"}
    return content


def text_without_places(action: str, text: str) -> str:
    """Return the content of a row, as JSON text, without them; as it is where it makes no sense."""
    if action not in _TELLING:
        return text
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if not isinstance(content, dict) or (kept := without_places(action, content)) == content:
        return text
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))
