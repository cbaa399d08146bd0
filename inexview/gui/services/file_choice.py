"""Asks for files to open, in the folder where files were chosen last, and where to write new ones."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from inexview.core.files import ARCHIVES, is_archive, is_there
from inexview.gui.services.messages import ask
from inexview.gui.services.settings import FOLDER, Settings

PROJECTS = "inexview projects (*.inexview)"
PACKED = "*.gz *.bz2 *.xz *.zst"
JUDGEMENTS = f"Judgements (*.inexview *.txt *.qrels *.xml *.jsonl *.json *.csv *.tsv {PACKED});;All files (*)"
"""What dialogs call the files that they list."""


def choose_file(parent: QWidget | None, title: str, kinds: str, settings: Settings) -> Path | None:
    """Return a file that is there; None where one thought better of it.  ``kinds`` are Qt's name filters."""
    name, _ = QFileDialog.getOpenFileName(parent, title, settings.get(FOLDER), kinds)
    return _remembered([name], settings)[0] if name else None


def choose_files(parent: QWidget | None, title: str, kinds: str, settings: Settings) -> list[Path]:
    """Return files that are there, none where one thought better of it."""
    names, _ = QFileDialog.getOpenFileNames(parent, title, settings.get(FOLDER), kinds)
    return _remembered(names, settings)


def choose_new_file(parent: QWidget, title: str, proposed: Path, kinds: str) -> Path | None:
    """Return where to write, None where one thought better of it; a name without a suffix gets one."""
    chosen = choose_new_file_of_kind(parent, title, proposed, kinds)
    return None if chosen is None else chosen[0]


def choose_new_file_of_kind(
    parent: QWidget, title: str, proposed: Path, kinds: str
) -> tuple[Path, str] | None:
    """Return where to write, and which of the ``kinds`` was chosen; None where one thought better of it.

    A name without a suffix gets that of the kind that was chosen, at first the kind of what is ``proposed``.
    """
    first = next((kind for kind in kinds.split(";;") if f"*{proposed.suffix})" in kind), "")
    name, kind = QFileDialog.getSaveFileName(parent, title, str(proposed), kinds, first)
    if not name:
        return None
    path, suffix = Path(name), kind.rpartition("*")[2].rstrip(")") or proposed.suffix
    if path.suffix:
        return path, kind
    path = path.with_name(path.name + suffix)
    return (path, kind) if _may_replace(parent, path) else None


def archive_files() -> str:
    """Return the kinds of archives that may be collections, for a dialog that asks for a file."""
    return f"Archives ({' '.join(f'*{suffix}' for suffix in ARCHIVES)})"


def ask_collection(parent: QWidget | None, was: Path, near: Path) -> Path | None:
    """Ask where a collection is now: for a folder where it was one, otherwise for an archive."""
    title = f"Where is {was.name} now?"
    if is_archive(was):
        chosen, _ = QFileDialog.getOpenFileName(parent, title, str(near), archive_files())
    else:
        chosen = QFileDialog.getExistingDirectory(parent, title, str(near))
    return Path(chosen) if chosen else None


def file_name(title: str) -> str:
    """Return a title as the name of a file, without a suffix: what some system refuses in names is a dash."""
    return "".join(one if one.isalnum() or one in " -_." else "-" for one in title)[:80].strip()


def _may_replace(parent: QWidget, path: Path) -> bool:
    """Ask before a file is replaced whose name the file dialog has not seen."""
    if not is_there(path):
        return True
    return ask(parent, f"Replace {path.name}?", f"It is in {path.parent} already.", "Replace")


def _remembered(names: list[str], settings: Settings) -> list[Path]:
    """Return the files, whose folder is the one to start in from now on."""
    paths = [Path(name) for name in names]
    if paths:
        settings.set(FOLDER, str(paths[0].parent))
    return paths
