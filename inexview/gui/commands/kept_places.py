"""The dialog of all data that inexview stores on this computer, with sizes, to show or delete."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QDialogButtonBox, QGridLayout, QLabel, QPushButton, QWidget

from inexview.core.collection.collection_index import cache_folder
from inexview.core.project.journal import places_folder
from inexview.core.project.project import size
from inexview.core.project.recovery import copies_folder
from inexview.gui.look.widgets import LEFT, RIGHT, Dialog, ElidedLabel, in_column, label
from inexview.gui.services.messages import ask, sentence
from inexview.gui.services.settings import log_folder, sample_path, settings_path
from inexview.gui.services.tasks import Tasks


@dataclass(frozen=True, slots=True)
class KeptPlace:
    """A folder or file of the program: its contents, and what is lost if it is deleted."""

    name: str
    path: Path
    lost: str

    @property
    def size(self) -> int | None:
        """The size in bytes; None if it does not exist."""
        if self.path.is_file():
            return self.path.stat().st_size
        files = [path for path in self.path.rglob("*") if path.is_file() and not path.is_symlink()]
        return sum(path.stat().st_size for path in files) if files else None

    def delete(self) -> Path:
        """Delete it without following links, and return what was deleted. Raises OSError."""
        if self.path.is_file():
            self.path.unlink()
        elif self.path.exists():
            shutil.rmtree(self.path)
        return self.path


def kept_places() -> tuple[KeptPlace, ...]:
    """Return the folders and files of this user."""
    return (
        KeptPlace("Settings", settings_path(), "Settings and keys return to their defaults."),
        KeptPlace("Places", places_folder(), "inexview asks again where the articles of each project are."),
        KeptPlace(
            "Copies of projects",
            copies_folder(),
            "You can no longer repair a damaged project from these copies.",
        ),
        KeptPlace(
            "Lists of collections", cache_folder(), "Each collection is listed again when you open it."
        ),
        KeptPlace("Log", log_folder(), "The record of earlier errors is lost."),
        KeptPlace(
            "Sample", sample_path().parent, "Your work in the sample is lost. You can open the sample again."
        ),
    )


class KeptPlaces(Dialog):
    """A row for each folder."""

    def __init__(
        self, tasks: Tasks, parent: QWidget | None, places: Sequence[KeptPlace] | None = None
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Where things are")
        self._tasks = tasks
        self.places = tuple(kept_places() if places is None else places)
        self.sizes = [QLabel() for _ in self.places]
        self.deletes = [QPushButton("Delete…") for _ in self.places]
        self.shows = [QPushButton("Show") for _ in self.places]
        self.told = label("", "note", wrap=True)
        grid = QGridLayout()
        grid.setHorizontalSpacing(14)
        grid.setColumnStretch(1, 1)
        for row, place in enumerate(self.places):
            where = ElidedLabel(str(place.path), role="muted")
            where.setMinimumWidth(260)
            where.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            grid.addWidget(label(place.name, "value"), row, 0, LEFT)
            grid.addWidget(where, row, 1)
            room = self.sizes[row].fontMetrics().horizontalAdvance("nothing yet")
            self.sizes[row].setMinimumWidth(room)  # they are not known yet
            self.sizes[row].setAlignment(RIGHT)
            grid.addWidget(self.sizes[row], row, 2, RIGHT)
            for column, (button, does) in enumerate(
                ((self.shows[row], self._show), (self.deletes[row], self._ask)), 3
            ):
                button.setAccessibleName(f"{button.text().rstrip('…')}: {place.name}")
                button.setAutoDefault(False)
                button.clicked.connect(partial(self._call, does, row))
                grid.addWidget(button, row, column)
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close.rejected.connect(self.reject)
        in_column(
            label("Where things are", "heading"),
            label("Your projects are not in these folders, only copies of them.", "note", wrap=True),
            grid,
            self.told,
            close,
            on=self,
            margins=(24, 20, 24, 18),
            spacing=12,
        )
        self._measure()

    @staticmethod
    def _call(does: Callable[[int], None], row: int, _checked: bool = False) -> None:
        does(row)

    def _measure(self) -> None:
        """Compute the sizes in a background thread: a cache may have very many files."""
        reading = self._tasks.run(lambda: [place.size for place in self.places], self._take)
        self.finished.connect(lambda _result: reading.cancel())

    def _take(self, sizes: Sequence[int | None]) -> None:
        for count, shown, delete, show in zip(sizes, self.sizes, self.deletes, self.shows, strict=True):
            shown.setText("nothing yet" if count is None else size(count))
            delete.setEnabled(count is not None)
            show.setEnabled(count is not None)

    def _show(self, row: int) -> None:
        path = self.places[row].path
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.parent if path.is_file() else path)))

    def _ask(self, row: int) -> None:
        place = self.places[row]
        if ask(self, f"Delete {place.path}?", place.lost, "Delete"):
            self._tasks.run(place.delete, self._deleted, self._failed, saves=True)

    def _deleted(self, path: Path) -> None:
        self.told.setText(f"{path} is deleted.")
        self._measure()

    def _failed(self, error: Exception) -> None:
        self.told.setText(sentence(error))
        self._measure()
