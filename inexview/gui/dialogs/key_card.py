"""The keys that matter here, grouped, on a card that one takes in at a glance; changing them comes after."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from inexview.gui.dialogs.key_sheet import KeySheet
from inexview.gui.look.widgets import KeySign, caption, label
from inexview.gui.services.actions import EDIT, FILE, GO, HELP, JUDGE, VIEW, ActionBook, records
from inexview.gui.services.room import Room

COLUMNS = ((JUDGE,), (GO, HELP), (EDIT, VIEW, FILE))
MOUSE = (
    ("Drag", "mark, sentence by sentence"),
    ("Alt + drag", "mark exact characters"),
    ("Right drag", "erase"),
    ("Double click", "mark a sentence; right: erase"),
)


class KeyCard(QDialog):
    """One key of each action that makes sense in a room; the same key, or Esc, puts the card away."""

    def __init__(self, book: ActionBook, room: Room, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Keys")
        self._book, self._window = book, parent
        columns = QHBoxLayout()
        columns.setSpacing(34)
        for menus in COLUMNS:
            columns.addLayout(self._column(menus, room))
        change = QPushButton("Change keys…")
        change.setAutoDefault(False)
        change.clicked.connect(self._change)
        foot = QHBoxLayout()
        foot.addWidget(label("Letters work in the article, never while you type in a field.", "muted"), 1)
        foot.addWidget(change)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 18)
        column.setSpacing(16)
        column.addLayout(columns)
        column.addLayout(foot)

    def _column(self, menus: tuple[str, ...], room: Room) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(6)
        for menu in menus:
            shown = [one for one in records(menu) if room in one.rooms and self._book.keys(one.id)]
            if not shown:
                continue
            grid = QGridLayout()
            grid.setHorizontalSpacing(14)
            grid.setVerticalSpacing(1)
            grid.setColumnStretch(0, 1)
            for row, record in enumerate(shown):
                grid.addWidget(label(record.text.rstrip("…")), row, 0)
                grid.addWidget(KeySign(self._book[record.id]), row, 1, Qt.AlignmentFlag.AlignRight)
            column.addWidget(caption(menu))
            column.addLayout(grid)
            column.addSpacing(8)
        if JUDGE in menus and room is not Room.INSPECT:
            column.addWidget(caption("Mouse"))
            grid = QGridLayout()
            grid.setHorizontalSpacing(14)
            grid.setVerticalSpacing(1)
            for row, (gesture, does) in enumerate(MOUSE):
                grid.addWidget(label(gesture), row, 0)
                grid.addWidget(label(does, "muted"), row, 1)
            column.addLayout(grid)
        column.addStretch(1)
        return column

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go with the key that brought the card."""
        own = self._book.keys("keys")
        if event.text() in own or QKeySequence(event.keyCombination()).toString() in own:
            self.accept()
        else:
            super().keyPressEvent(event)

    def _change(self) -> None:
        """Put the card away and show the sheet on which keys are changed."""
        sheet = KeySheet(self._book, self._window)
        self.accept()
        sheet.open()
