"""What commands that read or write files have in common: whom they ask, and how they read a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from inexview.core.progress import Progress
from inexview.gui.services.messages import Messages
from inexview.gui.services.session import Session
from inexview.gui.services.settings import Settings
from inexview.gui.services.tasks import Tasks

Content = TypeVar("Content")


class FileCommand(QObject):
    """Asks for files over its window, and reads and writes them off the window's thread."""

    def __init__(
        self, window: QWidget, session: Session, messages: Messages, tasks: Tasks, settings: Settings
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._messages = messages
        self._tasks = tasks
        self._settings = settings

    def _read_file(
        self, path: Path, read: Callable[[Progress], Content], take: Callable[[Content], None]
    ) -> None:
        """Read a file that speaks of articles, once the collection is indexed."""
        self._session.preparation.when_ready(
            lambda: self._tasks.run_long(f"Reading {path.name}", read, take),
            lambda: self._messages.warn(f"{path.name} cannot be read: the collection is not indexed."),
        )
