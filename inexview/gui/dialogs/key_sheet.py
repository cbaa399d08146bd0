"""All actions and their keys on one sheet, group by group; each key can be changed where it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFrame,
    QHeaderView,
    QKeySequenceEdit,
    QLineEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)
from shiboken6 import isValid

from inexview.core.errors import InexviewError
from inexview.gui.look.layouts import in_column, in_row
from inexview.gui.look.widgets import fit_to_screen, label
from inexview.gui.services.actions import Action, ActionBook
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
