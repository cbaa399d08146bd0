"""The right panel of what-if: each figure before and after, and the list of changes."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QListWidget, QVBoxLayout, QWidget

from inexview.gui.inspect.scratching import BeforeAfter, Scratching, WhatIfFigures
from inexview.gui.look.panel_parts import MARGIN
from inexview.gui.look.widgets import KeyButton, caption, label
from inexview.gui.services.actions import ActionBook

NO_P = "No p here: a copy tuned on the judgements is to learn from, not to report."


class FigureGrid(QWidget):
    """Rows of a name, the figure before, the figure after, and the change."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 6)
        self._grid.setVerticalSpacing(6)
        self._grid.setHorizontalSpacing(14)
        self._grid.setColumnStretch(0, 1)
        self.caption = caption(name)
        self._grid.addWidget(self.caption, 0, 0)
        for at, text in enumerate(("before", "after", "change"), 1):
            self._grid.addWidget(label(text, "muted"), 0, at, Qt.AlignmentFlag.AlignRight)
        self.rows: list[tuple[QLabel, QLabel, QLabel, QLabel]] = []

    def show_rows(self, rows: Sequence[tuple[str, str, str, str]]) -> None:
        """Show these texts."""
        while len(self.rows) < len(rows):
            cells = label("", "strong"), label("", "muted"), label("", "strong"), label("", "")
            for at, cell in enumerate(cells):
                side = Qt.AlignmentFlag.AlignLeft if at == 0 else Qt.AlignmentFlag.AlignRight
                self._grid.addWidget(cell, len(self.rows) + 1, at, side)
            self.rows.append(cells)
        for at, cells in enumerate(self.rows):
            for cell, text in zip(cells, rows[at] if at < len(rows) else [""] * 4, strict=True):
                cell.setText(text)
                cell.setVisible(at < len(rows))
        self.setVisible(bool(rows))


class ScratchPanel(QWidget):
    """Shows what the changes do to document, topic and run."""

    def __init__(self, scratching: Scratching, book: ActionBook) -> None:
        super().__init__()
        self.setProperty("role", "chrome")
        self._scratching = scratching
        self.document, self.topic, self.run = FigureGrid("Document"), FigureGrid("Topic"), FigureGrid("Run")
        self.missing = label("", "note", wrap=True)
        self._title = caption("Changes")
        self.changes = QListWidget()
        self.changes.setAccessibleName("Changes")
        self.changes.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.changes.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, 12, MARGIN, MARGIN)
        column.setSpacing(8)
        for part in (self.document, self.topic, self.run, self.missing, label(NO_P, "note", wrap=True)):
            column.addWidget(part)
        column.addWidget(self._title)
        column.addWidget(self.changes, 1)
        for name in ("undo-scratch", "save-scratch"):
            column.addWidget(KeyButton(book[name].text(), book[name]))
        scratching.changed.connect(self.show_all)
        scratching.previewed.connect(self.show_figures)

    def show_all(self) -> None:
        """Show figures and changes as they are now."""
        copy = self._scratching.copy
        if not self._scratching.active or copy is None:
            return
        self.show_figures(self._scratching.figures(copy.scratch))
        changes, decides = copy.scratch.changes, self.topic.rows[0][0].text() if self.topic.rows else ""
        self._title.set_text(f"CHANGES · {len(changes)}")
        self.changes.clear()
        for number, (change, effect) in reversed([*enumerate(zip(changes, copy.effects, strict=True), 1)]):
            told = "" if effect is None else f"  ·  {decides} {_signed(effect)}"
            self.changes.addItem(f"{number}   {change.topic} · {change.document}\n{change.done}{told}")

    def show_figures(self, figures: WhatIfFigures) -> None:
        """Show figures before and after."""
        self.document.show_rows([_row(one) for one in figures.document])
        self.topic.show_rows([_row(one) for one in figures.topic])
        before, after = figures.place
        place = ("rank among runs", f"{before}", f"{after}", _moved(before, after))
        placed = [place] if figures.runs > 1 else []
        self.run.show_rows([*(_row(one) for one in figures.run), *placed])
        self.run.caption.set_text(f"RUN · {figures.topics} TOPICS")
        self.missing.setText(figures.missing)
        self.missing.setVisible(bool(figures.missing))


def _row(one: BeforeAfter) -> tuple[str, str, str, str]:
    change = "" if one.before is None or one.after is None else _signed(one.after - one.before)
    return one.name, _figure(one.before), _figure(one.after), change


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def _signed(value: float) -> str:
    return f"{value:+.4f}".replace("-", "−") if value else "0"


def _moved(before: int, after: int) -> str:
    if before == after:
        return "0"
    return f"{abs(before - after)} {'up' if after < before else 'down'}"
