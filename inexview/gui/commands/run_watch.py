"""Reads runs again when their files change on disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer

from inexview.core.judgements.runs import Run
from inexview.gui.services.session import Session

QUIET = 500  # milliseconds without a further change: who writes a run writes it in pieces


class RunWatch(QObject):
    """Watches the files of the runs that are open."""

    def __init__(self, session: Session, read_again: Callable[[list[Path]], object], parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._read_again = read_again
        self._changed: set[str] = set()
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self._note)
        self._quiet = QTimer(self, singleShot=True, interval=QUIET)
        self._quiet.timeout.connect(self._read)
        session.runs_changed.connect(self._watch)

    def _watch(self, runs: tuple[Run, ...]) -> None:
        wanted = {str(run.path.resolve()) for run in runs if run.path is not None and run.path.exists()}
        watched = {*self._watcher.files()}
        if gone := watched - wanted:
            self._watcher.removePaths(sorted(gone))
        if new := wanted - watched:
            self._watcher.addPaths(sorted(new))

    def _note(self, path: str) -> None:
        self._changed.add(path)
        self._quiet.start()

    def _read(self) -> None:
        """Read what changed; a file that was replaced is another one, and watched again when it is open."""
        changed = [run.path for run in self._session.runs if self._has_changed(run)]
        self._changed.clear()
        if paths := [path for path in changed if path is not None]:
            self._read_again(paths)

    def _has_changed(self, run: Run) -> bool:
        return run.path is not None and str(run.path.resolve()) in self._changed and run.path.exists()
