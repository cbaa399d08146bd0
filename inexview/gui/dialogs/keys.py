"""The keys: a card of those that matter here, and a sheet of all, where each can be changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QKeySequenceEdit,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)
from shiboken6 import isValid

from inexview.core.errors import InexviewError
from inexview.gui.look.layouts import Filler, in_column, in_row
from inexview.gui.look.widgets import Caption, KeySign, fit_to_screen, label
from inexview.gui.services.actions import DRAWING, EDIT, FILE, GO, HELP, JUDGE, VIEW, Action, ActionBook, Room
from inexview.gui.services.file_choice import choose_new_file
from inexview.gui.services.key_map import kept_in, read_key_map, write_key_map
from inexview.gui.services.messages import sentence

ABOUT = (
    "Letters work in the article, never while you type in a field. Click a key, or go there with Tab, and "
    "press another; Backspace takes it away."
)

FILES = "Key maps (*.json);;All files (*)"
NO_KEY = "no key"
NATIVE = QKeySequence.SequenceFormat.NativeText
NAMED = 5  # actions of another version, at most


class KeyEdit(QKeySequenceEdit):
    """Takes one key combination for one action; Backspace takes it away, and Esc is the window's.

    Where the action has further keys, the next of them is shown then.
    """

    reached = Signal()  # by the keyboard

    def __init__(self, action_id: str) -> None:
        super().__init__()
        self.action_id = action_id
        self.known = ""
        self.setMaximumSequenceLength(1)
        self.setClearButtonEnabled(True)
        self.line = self.findChild(QLineEdit)
        self.keySequenceChanged.connect(self._say)
        self.editingFinished.connect(self._say)

    def show_key(self, key: str) -> None:
        """Show the key that the action has now."""
        self.known = key
        self.setKeySequence(QKeySequence(key))
        self._say()

    def _say(self, _: object = None) -> None:
        """Say in our words that there is no key: Qt writes its own again with each change."""
        # Qt ends the editing once more as it takes the sheet down.
        if self.line is not None and isValid(self.line):
            self.line.setPlaceholderText(NO_KEY)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.reached.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.modifiers() or event.key() not in (Qt.Key.Key_Backspace, Qt.Key.Key_Escape):
            super().keyPressEvent(event)
        elif event.key() == Qt.Key.Key_Backspace:
            self.clear()
            self.editingFinished.emit()
        else:
            event.ignore()


class KeyClash(QFrame):
    """Says whose key was typed, and lets one take it or leave it."""

    settled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.told = label("", wrap=True)
        self.take, self.leave = QPushButton("Take it"), QPushButton("Leave it")
        in_row((self.told, 1), self.leave, self.take, on=self, margins=(14, 8, 10, 8))
        self._give: Callable[[], None] = lambda: None
        for button in (self.take, self.leave):
            button.setAutoDefault(False)
        self.take.clicked.connect(lambda: self._give())
        for button in (self.take, self.leave):
            button.clicked.connect(self.hide)
            button.clicked.connect(self.settled)
        self.hide()

    def ask(self, book: ActionBook, action_id: str, keys: list[str], others: Sequence[Action[Any]]) -> None:
        """Ask whether an action shall have keys that these others have."""
        names = " and ".join(f"“{one.text.rstrip('…')}”" for one in others)
        own = book.record(action_id)
        key = QKeySequence(keys[0]).toString(NATIVE)
        self.told.setText(f"{key} is the key of {names}. Take it for “{own.text.rstrip('…')}”?")
        self._give = lambda: book.set_keys(action_id, keys)
        self.show()
        self.take.setFocus()


class KeySheet(QDialog):
    """Type to narrow, click a key to change it; one of another action is taken only if one says so."""

    def __init__(self, book: ActionBook, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Change keys")
        self.resize(900, 640)  # so that what actions do is not cut
        fit_to_screen(self)
        self._book = book
        self.field = QLineEdit(placeholderText="Narrow: an action, a key…", clearButtonEnabled=True)
        self.field.textChanged.connect(self._narrow)
        self.table = _table(len(book.records))
        self._edits = [self._edit(row, record) for row, record in enumerate(book.records)]
        self._last = self._edits[0]  # the key that was changed last
        self.clash = KeyClash()
        self.clash.settled.connect(self._on_settled)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        for text, does in (
            ("Standard keys", self._reset),
            ("Save key map…", self._save),
            ("Open key map…", self._open),
        ):
            button = buttons.addButton(text, QDialogButtonBox.ButtonRole.ResetRole)
            button.setAutoDefault(False)
            button.clicked.connect(does)
        self.told = label("", "note", wrap=True)
        self.told.hide()
        buttons.rejected.connect(self.reject)
        in_column(
            label("Change keys", "heading"),
            label(ABOUT, "muted", wrap=True),
            self.field,
            (self.table, 1),
            self.clash,
            self.told,
            buttons,
            on=self,
            margins=(22, 20, 22, 18),
            spacing=12,
        )
        self._fill()
        self.field.setFocus()

    def _edit(self, row: int, record: Action[Any]) -> KeyEdit:
        """Write the row of an action, and return where its key is."""
        self.table.setItem(row, 0, QTableWidgetItem(record.text.rstrip("…")))
        what = QTableWidgetItem(record.tip)
        what.setToolTip(record.tip)
        self.table.setItem(row, 1, what)
        edit = KeyEdit(record.id)
        edit.setAccessibleName(f"Key of {record.text}")
        edit.editingFinished.connect(lambda: self._change(edit))
        edit.reached.connect(lambda: self.table.scrollTo(self.table.model().index(row, 2)))
        self.table.setCellWidget(row, 2, edit)
        return edit

    def _fill(self) -> None:
        """Show the keys as they are now."""
        for edit in self._edits:
            keys = self._book.keys(edit.action_id)
            edit.show_key(keys[0] if keys else "")
            edit.setToolTip("Also: " + ", ".join(keys[1:]) if keys[1:] else "")

    def _on_settled(self) -> None:
        """Give the keyboard back to the key that was asked about."""
        self._fill()
        self._last.setFocus()

    def _change(self, edit: KeyEdit) -> None:
        key = edit.keySequence().toString()
        if key == edit.known:  # the keyboard only went elsewhere, perhaps because all is closed
            return
        self._last = edit
        keys = self._book.keys(edit.action_id)
        wanted = list(dict.fromkeys(one for one in (key, *keys[1:]) if one))
        others = self._book.clashes(edit.action_id, wanted)
        self.clash.hide()  # what was asked about another key is left as it was
        self.told.hide()
        if kept_in([key], self._book.record(edit.action_id)):
            self._tell(f"Text and lists need {edit.keySequence().toString(NATIVE)}: press another key.")
            self._fill()
        elif others:
            self.clash.ask(self._book, edit.action_id, wanted, others)
        else:
            self._book.set_keys(edit.action_id, wanted)
            self._fill()

    def _reset(self) -> None:
        self.clash.hide()
        self._book.reset_keys()
        self._fill()

    def _save(self) -> None:
        path = choose_new_file(self, "Save key map", Path("inexview-keys.json"), FILES)
        if path is None:
            return
        try:
            write_key_map(self._book.all_keys(), path)
        except (InexviewError, OSError) as error:
            self._tell(sentence(error))
        else:
            self._tell(f"The keys of all actions are in {path}.")

    def _open(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self, "Open key map", "", FILES)
        if not name:
            return
        try:
            keys, unknown = read_key_map(Path(name), self._book.records)
            self._book.use_keys(keys)
        except InexviewError as error:
            self._tell(str(error))
        else:
            self.clash.hide()
            self._fill()
            passed = f"  No action here is called {', '.join(unknown[:NAMED])}." if unknown else ""
            self._tell(f"The keys are those of {name}.{passed}")

    def _tell(self, told: str) -> None:
        self.told.setText(told)
        self.told.show()

    def _narrow(self, typed: str) -> None:
        words = typed.casefold().split()
        for row, record in enumerate(self._book.records):
            text = f"{record.text} {record.tip} {' '.join(self._book.keys(record.id))}".casefold()
            self.table.setRowHidden(row, not all(word in text for word in words))


def _table(rows: int) -> QTableWidget:
    """Return a table of actions, without focus of its own: its keys have it."""
    table = QTableWidget(rows, 3)
    table.setHorizontalHeaderLabels(["Action", "What it does", "Key"])
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(36)
    table.setShowGrid(False)
    table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
    table.setSelectionMode(QTableWidget.SelectionMode.NoSelection)
    table.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    table.setTabKeyNavigation(False)  # it would take each Tab for itself, three times a row
    header = table.horizontalHeader()
    header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
    header.setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
    header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
    header.resizeSection(2, 150)
    return table


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
