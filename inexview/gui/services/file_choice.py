"""Asks for files to open; the dialog starts in the folder where files were chosen last, wherever that was."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from inexview.gui.services.settings import FOLDER, Settings


def choose_file(parent: QWidget | None, title: str, kinds: str, settings: Settings) -> Path | None:
    """Return a file that is there; None where one thought better of it.  ``kinds`` are Qt's name filters."""
    name, _ = QFileDialog.getOpenFileName(parent, title, settings.get(FOLDER), kinds)
    return _remembered([name], settings)[0] if name else None


def choose_files(parent: QWidget | None, title: str, kinds: str, settings: Settings) -> list[Path]:
    """Return files that are there, none where one thought better of it."""
    names, _ = QFileDialog.getOpenFileNames(parent, title, settings.get(FOLDER), kinds)
    return _remembered(names, settings)


def _remembered(names: list[str], settings: Settings) -> list[Path]:
    """Return the files, whose folder is the one to start in from now on."""
    paths = [Path(name) for name in names]
    if paths:
        settings.set(FOLDER, str(paths[0].parent))
    return paths
