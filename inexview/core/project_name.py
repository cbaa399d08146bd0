"""How a project file is called: by its suffix the system and this program's dialogs find it."""

from __future__ import annotations

from pathlib import Path

PROJECT_SUFFIX = ".inexview"


def project_path(path: Path) -> Path:
    """Return a path with the suffix of projects, added where it has another or none."""
    return path if path.suffix == PROJECT_SUFFIX else path.with_name(path.name + PROJECT_SUFFIX)
