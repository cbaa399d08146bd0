"""The keys that matter here, grouped, on a card that one takes in at a glance; changing them comes after."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QWidget,
)

from inexview.gui.dialogs.key_sheet import KeySheet
from inexview.gui.look.layouts import Filler, in_column, in_row
from inexview.gui.look.widgets import Caption, KeySign, fit_to_screen, label
from inexview.gui.services.actions import DRAWING, EDIT, FILE, GO, HELP, JUDGE, VIEW, ActionBook, Room

TOGETHER = (
    ("Mark, erase", "mark", "erase"),
    ("Longer, shorter mark", "end-more", "end-less"),
    ("Mark, erase whole element", "mark-element", "erase-element"),
    (
        "Characters … elements",
        "unit-character",
        "unit-word",
        "unit-sentence",
        "unit-paragraph",
        "unit-element",
    ),
    ("Best entry point", "entry-point", "entry-point-caret"),
    ("… at first mark, none", "entry-point-first", "remove-entry-point"),
    ("One rank up, down", "rank-up", "rank-down"),
    ("Next, previous document", "next-document", "previous-document"),
    ("Next, previous sentence", "next-unit", "previous-unit"),
    ("Next, previous paragraph", "next-paragraph", "previous-paragraph"),
    ("Back, forward", "back", "forward"),
    ("Next, previous topic", "next-topic", "previous-topic"),
    ("Next, previous passage", "next-passage", "previous-passage"),
    ("Next, previous word", "next-word", "previous-word"),
    ("Run 1 … 9 to the front", *(f"run-{number}" for number in range(1, 10))),
    ("Next, previous hit", "next-hit", "previous-hit"),
    ("Next, previous miss", "next-miss", "previous-miss"),
    ("Next, previous false alarm", "next-false-alarm", "previous-false-alarm"),
    ("Next, previous entry point", "next-entry", "previous-entry"),
    ("Next, previous difference", "next-place", "previous-place"),
    ("To the list, to the article", "focus-pool", "focus-article"),
    ("Undo, redo", "undo", "redo"),
    ("Copy element path, span", "copy-path", "copy-span"),
    ("Find next, previous", "find-next", "find-previous"),
    ("Assess, Inspect", "assess", "inspect"),
    ("Text larger, smaller, normal", "zoom-in", "zoom-out", "zoom-reset"),
    ("Outline outward, inward", "element-outward", "element-inward"),
    ("Outline next, previous", "element-next", "element-previous"),
    ("Only the article, full screen", "toggle-panels", "full-screen"),
    ("New, open project", "new-project", "open-project"),
)
"""Actions that share a line where all of them are at hand."""
SIGNS = 3  # keys on a line; of more, only the first and the last
MOUSE = (
    ("Drag", "Mark, sentence by sentence"),
    ("Alt + drag", "Mark exact characters"),
    ("Right drag", "Erase"),
    ("Double click", "Mark a sentence; right: erase"),
)
COLUMNS = 3
AROUND = 8  # pixels between the keys and the frame that shows that they have the keyboard
FRAME = 1  # pixels around the keys, as the style sheet says
BESIDE = 2 * 16  # pixels of the card beside them


class KeyCard(QDialog):
    """One key of each action that makes sense in a room; the same key, or Esc, puts the card away."""

    def __init__(self, book: ActionBook, room: Room, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Keys")
        self._book, self._window = book, parent
        change = QPushButton("Change keys…")
        change.setAutoDefault(False)
        change.clicked.connect(self._change)
        foot = in_row(
            (label("Letters work in the article, never while you type in a field.", "muted"), 1), change
        )
        area = self._area(room)
        in_column(area, foot, on=self, margins=(BESIDE // 2, 12, BESIDE // 2, 12), spacing=8)
        self.resize(self.sizeHint())
        fit_to_screen(self)

    def _area(self, room: Room) -> _Area:
        """Return the keys in as many columns as the screen is wide."""
        width = self.screen().availableGeometry().width() - BESIDE
        for most in range(COLUMNS, 1, -1):
            area = _Area(self._columns(room, most))
            if area.sizeHint().width() <= width:
                return area
        return _Area(self._columns(room, 1))

    def _columns(self, room: Room, most: int) -> QWidget:
        inside = QWidget()
        columns = QHBoxLayout(inside)
        columns.setContentsMargins(AROUND, AROUND, AROUND, AROUND)
        columns.setSpacing(30)
        for groups in in_columns(self._groups(room), most):
            columns.addLayout(in_column(*groups, Filler(1), spacing=10))
        return inside

    def _groups(self, room: Room) -> list[QGridLayout]:
        """Return each menu's lines under its name."""
        groups = []
        for menu in (JUDGE, GO, HELP, EDIT, VIEW, FILE):
            there = [
                one.id for one in self._book.of_menu(menu) if one.at_hand(room) and self._book.keys(one.id)
            ]
            grid = _group(menu)
            for words, ids in self._lines(there):
                signs = in_row(Filler(1), spacing=3)
                for at in ids if len(ids) <= SIGNS else (ids[0], "", ids[-1]):
                    signs.addWidget(KeySign(self._book[at]) if at else label("…", "muted"))
                row = grid.rowCount()
                grid.addWidget(label(words), row, 0)
                grid.addLayout(signs, row, 1)
            if there:
                groups.append(grid)
            if menu == JUDGE and room in DRAWING:
                groups.append(_mouse())
        return groups

    def _lines(self, there: Sequence[str]) -> list[tuple[str, tuple[str, ...]]]:
        """Return the words of each line, and the actions whose keys are on it."""
        shared = {ids[0]: tuple(ids) for _, *ids in TOGETHER if {*ids} <= {*there}}
        later = {name for ids in shared.values() for name in ids[1:]}
        lines = [shared.get(name, (name,)) for name in there if name not in later]
        return [(words_of(self._book, ids), ids) for ids in lines]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go with the key that brought the card."""
        own = [*self._book.keys("keys"), *self._book.keys("all-keys")]
        if event.text() in own or QKeySequence(event.keyCombination()).toString() in own:
            self.accept()
        else:
            super().keyPressEvent(event)

    def _change(self) -> None:
        """Put the card away and show the sheet on which keys are changed."""
        sheet = KeySheet(self._book, self._window)
        self.accept()
        sheet.open()


class _Area(QScrollArea):
    """Asks for all the room that what it shows needs; scrolls on a screen that has less."""

    def __init__(self, inside: QWidget) -> None:
        super().__init__()
        self.setAccessibleName("All keys")
        self.setProperty("role", "framed")  # where it has the keyboard
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setWidget(inside)
        self._inside = inside

    def sizeHint(self) -> QSize:
        beside = self.verticalScrollBar().sizeHint().width()
        return self._inside.sizeHint() + QSize(beside + 2 * FRAME, 2 * FRAME)


def words_of(book: ActionBook, ids: tuple[str, ...]) -> str:
    """Return what the actions of a line do: in words for all of them, or the text of the only one."""
    shared = {tuple(ids): words for words, *ids in TOGETHER}
    return shared.get(ids) or book[ids[0]].text().rstrip("…")


def in_columns(groups: Sequence[QGridLayout], most: int) -> list[Sequence[QGridLayout]]:
    """Part groups, in their order, into columns of which the longest is as short as can be."""

    def length(ends: tuple[int, ...]) -> int:
        return max(sum(group.rowCount() + 1 for group in part) for part in _parted(groups, ends))

    cuts = combinations(range(1, len(groups)), min(most, len(groups)) - 1)
    return _parted(groups, min(cuts, key=length))


def _parted(groups: Sequence[QGridLayout], ends: tuple[int, ...]) -> list[Sequence[QGridLayout]]:
    return [groups[start:end] for start, end in zip((0, *ends), (*ends, len(groups)), strict=True)]


def _group(name: str) -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(12)
    grid.setVerticalSpacing(1)
    grid.setColumnStretch(0, 1)
    grid.addWidget(Caption(name), 0, 0, 1, 2)
    grid.setRowMinimumHeight(0, 22)
    return grid


def _mouse() -> QGridLayout:
    grid = _group("Mouse")
    for row, (gesture, does) in enumerate(MOUSE, 1):
        grid.addWidget(label(gesture), row, 0)
        grid.addWidget(label(does, "muted"), row, 1)
    return grid
