"""Tells when files that are open have changed on disk."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from inexview.core.file_presence import is_there

QUIET = 500  # milliseconds without a further change: who writes a file writes it in pieces


class FileWatch(QObject):
    """Watches some files, and waits until who writes them is done."""

    changed = Signal(object)  # tuple[Path, ...]: as they were given, and they are still there

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._paths: dict[str, Path] = {}
        self._touched: set[str] = set()
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self._note)
        self._quiet = QTimer(self, singleShot=True, interval=QUIET)
        self._quiet.timeout.connect(self._tell)

    @property
    def watched(self) -> tuple[Path, ...]:
        return tuple(self._paths.values())

    def watch(self, paths: Iterable[Path | None]) -> None:
        self._paths = {os.path.realpath(path): path for path in paths if path is not None and is_there(path)}
        watched = {*self._watcher.files()}
        if gone := watched - {*self._paths}:
            self._watcher.removePaths(sorted(gone))
        if new := {*self._paths} - watched:
            self._watcher.addPaths(sorted(new))

    def _note(self, path: str) -> None:
        self._touched.add(path)
        self._quiet.start()

    def _tell(self) -> None:
        """Tell what changed; a file that was replaced is another one, and must be watched again."""
        paths = tuple(self._paths[name] for name in sorted(self._touched & {*self._paths}))
        self._touched.clear()
        there = tuple(path for path in paths if is_there(path))
        self.watch(self.watched)
        if there:
            self.changed.emit(there)
