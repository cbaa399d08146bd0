"""Files dropped onto a window: projects open, and anything else is taken for a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from inexview.core.project_name import PROJECT_SUFFIX


class Drops(QObject):
    """Takes files that are dragged from the desktop onto a window."""

    projects = Signal(object)  # tuple[Path, ...]
    others = Signal(object)  # tuple[Path, ...]

    def __init__(self, window: QWidget, *, only_projects: bool = False) -> None:
        super().__init__(window)
        self._only_projects = only_projects
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Welcome files that can be opened here, and open them."""
        if isinstance(event, QDragEnterEvent | QDragMoveEvent) and self._wanted(event):
            event.acceptProposedAction()
            return True
        if isinstance(event, QDropEvent) and event.type() is QEvent.Type.Drop:
            self._take(self._wanted(event))
            event.acceptProposedAction()
            return True
        return super().eventFilter(watched, event)

    def _wanted(self, event: QDropEvent) -> tuple[Path, ...]:
        paths = (Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile())
        return tuple(path for path in paths if not self._only_projects or path.suffix == PROJECT_SUFFIX)

    def _take(self, paths: Sequence[Path]) -> None:
        projects = tuple(path for path in paths if path.suffix == PROJECT_SUFFIX)
        others = tuple(path for path in paths if path.suffix != PROJECT_SUFFIX)
        if projects:
            self.projects.emit(projects)
        if others:
            self.others.emit(others)
