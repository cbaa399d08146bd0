"""The copies of a project, with what each has that the file has not: one is restored as a new file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QWidget,
)

from inexview.core.project.recovery.copy_contents import CopyContents, copy_contents
from inexview.core.project.recovery.rescue import restore_copy, save_salvaged
from inexview.gui.look.layouts import in_column
from inexview.gui.look.widgets import label
from inexview.gui.services.tasks import Tasks

NONE = (
    "There is no copy of this project yet. Copies are made when it is opened and closed, and every ten "
    "minutes of work."
)


class RestoreDialog(QDialog):
    """Lists copies, newest first; nothing that is there is changed."""

    chosen = Signal(object)  # Callable[[Path], object]: writes what was chosen to a new file

    def __init__(self, path: Path, tasks: Tasks, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Restore")
        self.resize(720, 420)
        self._path = path
        self._contents: Sequence[CopyContents] = ()
        self._told = label(f"Reading the copies of {path.name} …", wrap=True)
        self.copies = QListWidget()
        self.copies.setAccessibleName("Copies of the project, newest first")
        self.copies.setUniformItemSizes(True)
        self.copies.itemDoubleClicked.connect(self._restore)
        self.restore = QPushButton("Restore as a new file…")
        self.restore.setDefault(True)
        self.restore.setEnabled(False)
        self.restore.clicked.connect(self._restore)
        self.salvage = QPushButton("Save what can be read…")
        self.salvage.setToolTip("What the file itself still holds, and rows that only its copies still have")
        self.salvage.clicked.connect(self._salvage)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        buttons.addButton(self.restore, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(self.salvage, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        in_column(
            label("Restore", "heading"),
            self._told,
            (self.copies, 1),
            label("The file that is open is not changed.", "note"),
            buttons,
            on=self,
            margins=(24, 20, 24, 18),
            spacing=10,
        )
        reading = tasks.run(lambda: copy_contents(path), self._show)
        self.finished.connect(lambda _result: reading.cancel())

    def _show(self, contents: Sequence[CopyContents]) -> None:
        self._contents = contents
        self._told.setText(f"Copies of {self._path.name}, newest first:" if contents else NONE)
        for one in contents:
            QListWidgetItem(f"{one.copy.time.astimezone():%d %B %Y, %H:%M:%S}\n{one}", self.copies)
        with_more = (row for row, one in enumerate(contents) if one.not_in_file)
        self.copies.setCurrentRow(next(with_more, 0))
        self.restore.setEnabled(bool(contents))
        self.copies.setFocus()

    def _restore(self) -> None:
        row = self.copies.currentRow()
        if row >= 0:
            self.accept()
            self.chosen.emit(partial(restore_copy, self._contents[row].copy.path))

    def _salvage(self) -> None:
        self.accept()
        self.chosen.emit(partial(save_salvaged, self._path))
