"""The line along the foot: that all is saved, the keys one needs, how qrels count, the size of the text."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from inexview.core.text.counting import Convention
from inexview.gui.look.widgets import ElidedLabel, label
from inexview.gui.services.actions import ActionBook, Room
from inexview.gui.shell.top_bar import ToolStrip

_JUDGING = (
    ("mark", "mark"), ("erase", "erase"), ("entry-point", "entry point"), ("next-document", "next"),
    ("keys", "all keys"),
)  # fmt: skip
KEYS_OF = {
    Room.ASSESS: _JUDGING,
    Room.EDIT: _JUDGING,
    Room.INSPECT: (
        ("next-document", "next"), ("next-miss", "miss"), ("next-false-alarm", "false alarm"),
        ("keys", "all keys"),
    ),
}  # fmt: skip
"""The keys that are named along the foot, and what they do, in few words."""


class StatusBar(QWidget):
    """Says quietly what is so; a click on a figure changes it."""

    def __init__(self, book: ActionBook) -> None:
        super().__init__()
        self.setObjectName("status-bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(28)
        self._book = book
        self._saved = label("● every action saved", "saved")
        self._locked = label("", "status")
        self._room = Room.ASSESS
        self._keys = ElidedLabel(role="status")
        self._note = ElidedLabel(role="status")
        self._hidden = label("", "status")
        self._counting = ToolStrip(book, "choose-convention")
        self._zoom = ToolStrip(book, "zoom-reset")
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 0, 8, 0)
        row.setSpacing(20)
        row.addWidget(self._saved)
        row.addWidget(self._locked)
        row.addWidget(self._keys)
        row.addStretch(1)
        row.addWidget(self._note)
        row.addWidget(self._hidden)
        row.addWidget(self._counting)
        row.addWidget(self._zoom)
        self.show_room(self._room)

    def show_room(self, room: Room) -> None:
        """Say what can change here: in Inspect nothing, until one says otherwise."""
        self._room = room
        reading = room is Room.INSPECT
        self._locked.setVisible(reading)
        self.show_keys()

    def show_keys(self) -> None:
        """Show the keys one needs most, as they are set."""
        book = self._book
        self._locked.setText(f"Read-only · {book.key_text('edit-judgements')} edit judgements")
        shown = KEYS_OF[self._room]
        self._keys.set_text(" · ".join(f"{self._book.key_text(name)} {text}" for name, text in shown))

    def show_saved(self) -> None:
        """Say that the last action is on disk, and since when."""
        self._saved.setText(f"● every action saved · {datetime.now():%H:%M:%S}")

    def show_read_only(self, reason: str) -> None:
        """Say that nothing can be judged here, and why."""
        self._saved.setText("○ open for reading only")
        self._saved.setToolTip(reason)

    def show_note(self, text: str) -> None:
        """Say something about what is open."""
        self._note.set_text(text)

    def show_hidden_runs(self, runs: int) -> None:
        """Say that runs are open but not shown, so that nobody judges by what a system found."""
        told = "Run hidden while you judge" if runs == 1 else f"{runs:,} runs hidden while you judge"
        self._hidden.setText(told if runs else "")
        self._hidden.setVisible(bool(runs))

    def show_convention(self, convention: Convention) -> None:
        """Say how the offsets of qrels count that come in and go out."""
        self._counting.setText(f"qrels in {convention.name}")

    def show_zoom(self, percent: int) -> None:
        """Show how large the article's text is."""
        self._zoom.setText(f"{percent} %")
