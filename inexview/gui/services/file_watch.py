"""Tells when files that are open have changed on disk."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, Signal

from inexview.core.file_presence import is_there
from inexview.gui.look.layouts import timer

QUIET = 500  # milliseconds without a further change: who writes a file writes it in pieces


class FileWatch(QObject):
    """Watches some files, and waits until who writes them is done; one that is gone may come again."""

    changed = Signal(object)  # tuple[Path, ...]: as they were given, and they are still there
    gone = Signal(object)  # tuple[Path, ...]: as they were given, and they are there no more

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._paths: dict[str, Path] = {}
        self._touched: set[str] = set()
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self._note)
        self._watcher.directoryChanged.connect(lambda _folder: self._look())
        self._quiet = timer(self, self._tell, QUIET)

    @property
    def watched(self) -> tuple[Path, ...]:
        return tuple(self._paths.values())

    def watch(self, paths: Iterable[Path | None]) -> None:
        self._paths = {os.path.realpath(path): path for path in paths if path is not None}
        self._follow()

    def _follow(self) -> None:
        """Watch the files that can be read, and the folders of those that cannot."""
        there = {name for name in self._paths if os.access(name, os.R_OK)}
        folders = {os.path.dirname(name) for name in self._paths.keys() - there}  # noqa: PTH120
        wanted = there | {folder for folder in folders if os.access(folder, os.R_OK)}
        watched = {*self._watcher.files(), *self._watcher.directories()}
        if gone := watched - wanted:
            self._watcher.removePaths(sorted(gone))
        if new := wanted - watched:
            self._watcher.addPaths(sorted(new))

    def _look(self) -> None:
        """Note files that were gone and are there again."""
        for name in self._paths.keys() - {*self._watcher.files()}:
            if is_there(self._paths[name]):
                self._note(name)

    def _note(self, path: str) -> None:
        self._touched.add(path)
        self._quiet.start()

    def _tell(self) -> None:
        """Tell what changed; a file that was replaced is another one, and must be watched again."""
        paths = [self._paths[name] for name in sorted(self._touched & {*self._paths})]
        self._touched.clear()
        there = tuple(path for path in paths if is_there(path))
        gone = tuple(path for path in paths if path not in there)
        self._follow()
        if there:
            self.changed.emit(there)
        if gone:
            self.gone.emit(gone)
