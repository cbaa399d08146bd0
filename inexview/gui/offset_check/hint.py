"""What the doctor's window shows while there is nothing found: what it is for, or how far the work is."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from inexview.gui.look.layouts import Filler, in_column
from inexview.gui.look.widgets import ThinBar, label
from inexview.gui.services.tasks import LongTask

ABOUT = (
    "inexview counts the characters of an article as Unicode code points. Other programs counted bytes, or "
    "white space otherwise; then passages are shifted. Here the lengths and passages of a file are compared "
    "with the articles themselves."
)


class Hint(QWidget):
    """A sentence, below it what the window is for, and what to do first."""

    def __init__(self) -> None:
        super().__init__()
        self.told = label("", "value", wrap=True)
        self._about = label(ABOUT, "muted", wrap=True)
        self.choose = QPushButton("Choose a file…", autoDefault=False)
        self.choose.setProperty("role", "primary")
        column = in_column(Filler(0), on=self, spacing=12)
        for told in (self.told, self._about):
            told.setAlignment(Qt.AlignmentFlag.AlignCenter)
            told.setMaximumWidth(560)
            row = QHBoxLayout()
            row.addWidget(told)
            column.addLayout(row)
        column.addSpacing(6)
        column.addWidget(self.choose, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch()

    def tell(self, text: str, *, wrong: bool = False) -> None:
        """Say something; with ``wrong`` that a file could not be examined, and nothing besides."""
        self.told.setText(text)
        self._about.setVisible(not wrong)
        self.choose.setText("Choose another file…" if wrong else "Choose a file…")


class Working(QWidget):
    """How far the work is, and a button that gives it up."""

    def __init__(self) -> None:
        super().__init__()
        self.told = label("", "muted")
        self.cancel = QPushButton("Cancel", autoDefault=False)
        self._bar = ThinBar()
        self._bar.setFixedWidth(320)
        column = in_column(Filler(0), on=self, spacing=12)
        for widget in (self.told, self._bar, self.cancel):
            column.addWidget(widget, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch()

    def begin(self, text: str) -> None:
        """Say what has begun; no one knows yet how far it is."""
        self.told.setText(text)
        self._bar.show_share(None)

    def show_news(self, task: LongTask) -> None:
        if task.news is not None:
            done, total = task.news.done, task.news.total
            of = "" if total is None else f" of {total:,}"
            self.told.setText(f"{done:,}{of} {task.news.what}")
            self._bar.show_share(done / total if total else None)
