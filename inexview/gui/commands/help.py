"""The user guide of ``resources/guide`` in a window, key maps, and the lists of keys."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QSize, Qt, QUrl, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QImage,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QShortcut,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextTable,
)
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QFileDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QKeySequenceEdit,
    QLineEdit,
    QListWidget,
    QPushButton,
    QScrollArea,
    QTableWidget,
    QTableWidgetItem,
    QTextBrowser,
    QTextEdit,
    QWidget,
)
from shiboken6 import isValid

from inexview.core.errors import DataError, InexviewError
from inexview.core.files import is_there, read_small_text, resource, write_complete
from inexview.core.formats.conversion import check_free
from inexview.core.wording import counted
from inexview.gui.look.theme import Theme
from inexview.gui.look.widgets import (
    Caption,
    Dialog,
    Filler,
    KeySign,
    Recolored,
    SideWindow,
    fit_to_screen,
    in_column,
    in_row,
    label,
)
from inexview.gui.services.actions import (
    DRAWING,
    EDIT,
    FILE,
    GO,
    HELP,
    JUDGE,
    MENUS,
    VIEW,
    Action,
    ActionBook,
    Room,
)
from inexview.gui.services.messages import sentence
from inexview.gui.services.settings import choose_new_file

FIRST = "index.md"
KEYS_PAGE = "keys.md"
PAGE_MARGIN = 34  # pixels around a page
BAR = 24  # pixels for a possible scroll bar
ORDER = (
    FIRST,
    "first-project.md",
    "assess.md",
    "nuggets.md",
    "adjudicate.md",
    "inspect.md",
    "files.md",
    "your-own-collection.md",
    "benchmarks-and-chunks.md",
    "chunkers-compared.md",
    "answer.md",
    "annotation-tools.md",
    "command-line.md",
    "python.md",
    "sweeps.md",
    "report.md",
)  # others follow by name


def pages_in_order() -> list[str]:
    """Return the names of the guide's files in the order of the list, the page of keys last."""
    there = {path.name for path in resource("guide").glob("*.md")}
    return [*(name for name in ORDER if name in there), *sorted(there - {*ORDER}), KEYS_PAGE]


def keys_page(actions: Sequence[Action[Any]], keys: Callable[[Action[Any]], Sequence[str]]) -> str:
    """Return a Markdown page of all actions by menu, with their keys."""
    lines = ["# All keys", "", "Every key can be changed under Help ▸ All keys.", ""]
    for menu in MENUS:
        lines += [f"## {menu.replace('&', '')}", ""]
        for action in (action for action in actions if action.menu == menu):
            listed = ", ".join(f"`{key}`" for key in keys(action)) or "–"
            lines.append(f"- {listed} **{action.text.rstrip('…')}**: {action.tip}")
        lines.append("")
    return "\n".join(lines)


class _Page(QTextBrowser):
    """Shows Markdown files of the guide, and the generated page of keys."""

    def __init__(self, book: ActionBook) -> None:
        super().__init__()
        self._book = book
        self.setOpenExternalLinks(False)
        self.setSearchPaths([str(resource("guide"))])
        self.document().setDocumentMargin(PAGE_MARGIN)

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Return the page of keys, or a file of the guide's folder."""
        if kind == QTextDocument.ResourceType.MarkdownResource and QUrl(name).fileName() == KEYS_PAGE:
            return self.text(KEYS_PAGE)
        found = super().loadResource(kind, name)
        if kind == QTextDocument.ResourceType.ImageResource and isinstance(found, QByteArray):
            return self._fitting(QImage.fromData(found))
        return found

    def text(self, name: str) -> str:
        """Return the Markdown text of a page."""
        if name == KEYS_PAGE:
            return keys_page(self._book.records, lambda record: self._book.keys(record.id))
        return (resource("guide") / name).read_text(encoding="utf-8")

    def _fitting(self, picture: QImage) -> QImage:
        """Return a picture no wider than the page, sharp on high-resolution screens."""
        scale = self.devicePixelRatioF()
        room = max(int((self.viewport().width() - 2 * PAGE_MARGIN - BAR) * scale), 1)
        if picture.width() > room:
            picture = picture.scaledToWidth(room, Qt.TransformationMode.SmoothTransformation)
            picture.setDevicePixelRatio(scale)
        return picture


def breathe(document: QTextDocument, theme: Theme) -> None:
    """Add spacing to a page made from Markdown, and light rules to its tables."""
    cursor = QTextCursor(document)
    cursor.beginEditBlock()  # otherwise each paragraph would cause a new layout
    for frame in document.rootFrame().childFrames():
        if isinstance(frame, QTextTable):
            table = frame.format()
            table.setBorderBrush(theme.color("line"))
            table.setBorderCollapse(True)
            table.setBorder(1)
            table.setCellPadding(6)
            frame.setFormat(table)
    block = document.begin()
    while block.isValid():
        form = block.blockFormat()
        heading = form.headingLevel()
        code = form.hasProperty(QTextFormat.Property.BlockCodeFence)
        form.setTopMargin(20 if heading else 0)
        form.setBottomMargin(0 if code else 8 if not block.textList() else 4)
        if not code:
            form.setLineHeight(140, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.setPosition(block.position())
        cursor.setBlockFormat(form)
        block = block.next()
    cursor.endEditBlock()


AROUND_TITLE = 64  # pixels in the list of pages, with its scroll bar


class GuideWindow(Recolored, SideWindow):
    """The list of pages on the left, the page on the right, and a search field that filters pages."""

    def __init__(self, book: ActionBook, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("inexview guide")
        self.resize(980, 720)
        fit_to_screen(self)
        self._words: list[str] = []
        self._places: list[int] = []  # places of the words on the shown page
        self.page = _Page(book)
        self.field = QLineEdit(clearButtonEnabled=True, placeholderText="Search the guide")
        self.field.setAccessibleName("Search the guide")
        self.found = label("", role="muted")
        self.found.hide()
        self.list = QListWidget()
        self.list.setAccessibleName("Pages of the guide")
        self._names = pages_in_order()
        self.list.addItems([_title(name) for name in self._names])
        for row in range(self.list.count()):
            self.list.item(row).setSizeHint(QSize(0, 30))
        self.list.currentRowChanged.connect(self._show)
        self.field.textChanged.connect(self._search)
        self.field.returnPressed.connect(self._next)
        QShortcut(QKeySequence.StandardKey.Find, self, self.field.setFocus)
        self.page.sourceChanged.connect(self._follow)
        book.keys_changed.connect(self._reload_keys)
        body, self._pages = QWidget(), QWidget()
        in_column(self.field, self.found, (self.list, 1), on=self._pages, spacing=6)
        in_row(self._pages, (self.page, 1), on=body, margins=(10, 10, 0, 0))
        self.setCentralWidget(body)
        self.list.setCurrentRow(0)
        self.wear()

    def go_to(self, page: str) -> None:
        """Show a page, clearing the search."""
        self.field.clear()
        self.list.setCurrentRow(self._names.index(page))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show whole titles; in a narrow window the page needs the space."""
        titles = (self.list.item(row).text() for row in range(self.list.count()))
        widest = max(map(self.list.fontMetrics().horizontalAdvance, titles)) + AROUND_TITLE
        self._pages.setFixedWidth(min(widest, max(150, round(0.3 * self.width()))))
        super().resizeEvent(event)

    def recolor(self) -> None:
        self._reload()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Clear the field with Esc first."""
        if event.key() == Qt.Key.Key_Escape and self.field.text():
            self.field.clear()
        else:
            super().keyPressEvent(event)

    def _search(self, typed: str) -> None:
        self._words = typed.casefold().split()
        having = [row for row in range(self.list.count()) if self._has_all(row)]
        for row in range(self.list.count()):
            self.list.item(row).setHidden(row not in having)
        self.found.setText(f"on {counted(len(having), 'page')}" if having else "on no page")
        self.found.setVisible(bool(self._words))
        if having and self.list.currentRow() not in having:
            self.list.setCurrentRow(having[0])
        else:
            self._mark_words()

    def _has_all(self, row: int) -> bool:
        text = self.page.text(self._names[row]).casefold()
        return all(word in text for word in self._words)

    def _mark_words(self) -> None:
        """Highlight the searched words, and scroll to the first."""
        colored = []
        for word in self._words:
            at = self.page.document().find(word)
            while not at.isNull():
                place = QTextEdit.ExtraSelection()
                place.cursor, place.format = at, QTextCharFormat()
                place.format.setBackground(self.theme.color("mark"))
                colored.append(place)
                at = self.page.document().find(word, at)
        self._places = sorted({one.cursor.selectionStart() for one in colored})
        self.page.setExtraSelections(colored)
        if self._places:
            self._go(self._places[0])

    def _go(self, place: int) -> None:
        cursor = self.page.textCursor()
        cursor.setPosition(place)
        self.page.setTextCursor(cursor)
        self.page.ensureCursorVisible()

    def _next(self) -> None:
        """Go to the next place on this page, or to the next page with the words."""
        at = self.page.textCursor().position()
        if later := [place for place in self._places if place > at]:
            self._go(later[0])
            return
        row, rows = self.list.currentRow(), range(self.list.count())
        shown = [one for one in rows if not self.list.item(one).isHidden()]
        if self._words and shown:
            after = next((one for one in shown if one > row), shown[0])
            if after == row:
                self._go(self._places[0])
            self.list.setCurrentRow(after)

    def _reload_keys(self) -> None:
        if self.page.source().fileName() == KEYS_PAGE:
            self._reload()

    def _reload(self) -> None:
        bar = self.page.verticalScrollBar()
        place = bar.value()
        self.page.reload()
        breathe(self.page.document(), self.theme)
        self._mark_words()
        bar.setValue(place)

    def _show(self, row: int) -> None:
        self.page.setSource(QUrl(self._names[row]), QTextDocument.ResourceType.MarkdownResource)
        breathe(self.page.document(), self.theme)
        self._mark_words()

    def _follow(self, source: QUrl) -> None:
        if source.fileName() in self._names:
            self.list.setCurrentRow(self._names.index(source.fileName()))


def open_guide(window: QWidget, book: ActionBook, page: str = "") -> None:
    """Show the guide of a window, one at a time, at a page, by default the last one."""
    guide = window.findChild(GuideWindow)
    if guide is None:
        guide = GuideWindow(book, window)
    if page:
        guide.go_to(page)
    guide.show()
    guide.raise_()
    guide.activateWindow()


def _title(name: str) -> str:
    if name == KEYS_PAGE:
        return "All keys"
    for line in (resource("guide") / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            return line[2:].strip()
    return name.removesuffix(".md")


# Key maps as JSON files: the keys of each action by id, to copy to another computer.

KeyMap = Mapping[str, Sequence[str]]  # id of an action → its keys in Qt's portable notation
KIND, VERSION = "inexview-keys", 1
MOST = 10  # keys of one action
KEPT = ("Left", "Right", "Up", "Down", "Space", "Tab", "Return", "Enter", "Esc")
"""Keys that text, lists and buttons need; an action keeps one only if it is its standard key."""


def write_key_map(keys: KeyMap, path: Path) -> None:
    """Write a key map; raises DataError, also for the name of a project, and OSError."""
    check_free(path, overwrite=True)
    held = {KIND: VERSION, "keys": {name: list(given) for name, given in keys.items()}}
    said = json.dumps(held, indent=1, ensure_ascii=False) + "\n"
    write_complete(path, lambda part: part.write_text(said, encoding="utf-8"))


def read_key_map(path: Path, actions: Sequence[Action[Any]]) -> tuple[dict[str, list[str]], list[str]]:
    """Read a key map; also return names that are no actions here, but may be in another version.

    Missing actions get their standard keys. Raises DataError for files that are no key maps, for unknown or
    reserved keys, and for keys that two actions of a room share.
    """
    held = _read(path)
    if not isinstance(held, dict) or KIND not in held or not isinstance(held.get("keys"), dict):
        raise DataError("this is not a key map of inexview", path=path)
    if held[KIND] != VERSION:
        told = f"written by another version of inexview; this one reads key maps of version {VERSION}"
        raise DataError(told, path=path, field=KIND, value=str(held[KIND])[:20])
    known = {record.id: record for record in actions}
    keys = {record.id: normal(record.keys) for record in actions}
    unknown = [name for name in held["keys"] if name not in known]
    for name, given in held["keys"].items():
        if name in unknown:
            continue
        if not isinstance(given, list) or len(given) > MOST or not all(map(_is_key, given)):
            value = str(given)[:80]
            raise DataError("expected a list of keys such as Ctrl+J", path=path, field=name, value=value)
        keys[name] = normal(given)
        if kept := kept_in(keys[name], known[name]):
            told = "text and lists need this key: give the action another"
            raise DataError(told, path=path, field=name, value=kept[0])
    if clashes := clashes_in(keys, actions):
        raise DataError(f"{'; '.join(clashes)}. No key was changed", path=path)
    return keys, unknown


def clashes_in(keys: KeyMap, actions: Sequence[Action[Any]]) -> list[str]:
    holders: dict[str, list[Action[Any]]] = {}
    for record in actions:
        for key in keys.get(record.id, ()):
            holders.setdefault(key, []).append(record)
    return [
        f"{key} is the key of “{one.text.rstrip('…')}” and of “{other.text.rstrip('…')}”"
        for key, records in holders.items()
        for one, other in combinations(records, 2)
        if one.meets(other)
    ]


def normal(keys: Sequence[str]) -> list[str]:
    """Return keys in Qt's portable notation."""
    return [QKeySequence(key).toString() for key in keys]


def kept_in(keys: Sequence[str], action: Action[Any]) -> list[str]:
    """Return the keys of an action that text, lists and buttons need."""
    return [key for key in keys if key in KEPT and key not in normal(action.keys)]


def _is_key(key: object) -> bool:
    if not isinstance(key, str):
        return False
    sequence = QKeySequence(key)
    return sequence.count() == 1 and "Unknown" not in sequence.toString() and bool(sequence.toString())


def _read(path: Path) -> Any:
    if is_there(path) and not path.is_file():  # reading from a pipe would block the window
        raise DataError("this is not a file", path=path)
    try:
        return json.loads(read_small_text(path, "a key map"))
    except (ValueError, RecursionError) as error:
        raise DataError("this is not valid JSON", path=path) from error


# The keys: a card of those of the current page, and a sheet of all, which can be changed.

ABOUT = (
    "Letters work in the article, never while you type in a field. Click a key, or go there with Tab, and "
    "press another; Backspace removes it."
)

FILES = "Key maps (*.json);;All files (*)"
NO_KEY = "no key"
NATIVE = QKeySequence.SequenceFormat.NativeText
NAMED = 5  # maximum number of unknown actions that are named


class KeyEdit(QKeySequenceEdit):
    """Takes one key combination for an action; Backspace removes it, Esc belongs to the window.

    If the action has more keys, the next one is shown then.
    """

    reached = Signal()  # got the focus by keyboard

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
        self.known = key
        self.setKeySequence(QKeySequence(key))
        self._say()

    def _say(self, _: object = None) -> None:
        """Set our own placeholder, because Qt writes its own after each change."""
        # Qt finishes the editing once more when the sheet closes.
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
    """Shows whose key was typed, and offers to take it or not."""

    settled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.status = label("", wrap=True)
        self.take, self.leave = QPushButton("Take it"), QPushButton("Leave it")
        in_row((self.status, 1), self.leave, self.take, on=self, margins=(14, 8, 10, 8))
        self._give: Callable[[], None] = lambda: None
        for button in (self.take, self.leave):
            button.setAutoDefault(False)
        self.take.clicked.connect(lambda: self._give())
        for button in (self.take, self.leave):
            button.clicked.connect(self.hide)
            button.clicked.connect(self.settled)
        self.hide()

    def ask(self, book: ActionBook, action_id: str, keys: list[str], others: Sequence[Action[Any]]) -> None:
        """Ask whether to take keys that other actions have."""
        names = " and ".join(f"“{one.text.rstrip('…')}”" for one in others)
        own = book.record(action_id)
        key = QKeySequence(keys[0]).toString(NATIVE)
        self.status.setText(f"{key} is the key of {names}. Take it for “{own.text.rstrip('…')}”?")
        self._give = lambda: book.set_keys(action_id, keys)
        self.show()
        self.take.setFocus()


class KeySheet(Dialog):
    """The sheet of all keys: type to filter, click a key to change it."""

    def __init__(self, book: ActionBook, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Change keys")
        self.resize(900, 640)  # wide enough for the descriptions
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
        self.status = label("", "note", wrap=True)
        self.status.hide()
        buttons.rejected.connect(self.reject)
        in_column(
            label("Change keys", "heading"),
            label(ABOUT, "muted", wrap=True),
            self.field,
            (self.table, 1),
            self.clash,
            self.status,
            buttons,
            on=self,
            margins=(22, 20, 22, 18),
            spacing=12,
        )
        self._fill()
        self.field.setFocus()

    def _edit(self, row: int, record: Action[Any]) -> KeyEdit:
        """Make the row of an action, and return the field of its key."""
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
        for edit in self._edits:
            keys = self._book.keys(edit.action_id)
            edit.show_key(keys[0] if keys else "")
            edit.setToolTip("Also: " + ", ".join(keys[1:]) if keys[1:] else "")

    def _on_settled(self) -> None:
        """Return the focus to the key in question."""
        self._fill()
        self._last.setFocus()

    def _change(self, edit: KeyEdit) -> None:
        key = edit.keySequence().toString()
        if key == edit.known:  # only the focus moved, perhaps because the sheet closes
            return
        self._last = edit
        keys = self._book.keys(edit.action_id)
        wanted = list(dict.fromkeys(one for one in (key, *keys[1:]) if one))
        others = self._book.clashes(edit.action_id, wanted)
        self.clash.hide()  # the question about another key is dropped
        self.status.hide()
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
        self.status.setText(told)
        self.status.show()

    def _narrow(self, typed: str) -> None:
        words = typed.casefold().split()
        for row, record in enumerate(self._book.records):
            text = f"{record.text} {record.tip} {' '.join(self._book.keys(record.id))}".casefold()
            self.table.setRowHidden(row, not all(word in text for word in words))


def _table(rows: int) -> QTableWidget:
    """Return a table of actions, which takes no focus: its fields have it."""
    table = QTableWidget(rows, 3)
    table.setHorizontalHeaderLabels(["Action", "What it does", "Key"])
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(36)
    table.setShowGrid(False)
    table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
    table.setSelectionMode(QTableWidget.SelectionMode.NoSelection)
    table.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    table.setTabKeyNavigation(False)  # it would stop Tab three times per row
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
    ("Bring run 1 … 9 forward", *(f"run-{number}" for number in range(1, 10))),
    ("Fewer, more chunks", "fewer-chunks", "more-chunks"),
    ("Sweep, swap its axes", "sweep", "swap-axes"),
    ("Why this figure, and the costliest faults", "derive", "dearest"),
    ("Next, previous hit", "next-hit", "previous-hit"),
    ("Next, previous miss", "next-miss", "previous-miss"),
    ("Next, previous false alarm", "next-false-alarm", "previous-false-alarm"),
    ("Next, previous entry point", "next-entry", "previous-entry"),
    ("Next, previous difference", "next-place", "previous-place"),
    ("File under a nugget", *(f"nugget-{number}" for number in (*range(1, 10), 0))),
    ("File under the selected, copy it", "file-selected", "take-nugget"),
    ("New nugget, vital or okay", "new-nugget", "weigh-nugget"),
    ("Reword, delete nugget", "reword-nugget", "delete-nugget"),
    ("Next, previous nugget", "next-nugget", "previous-nugget"),
    ("Next, previous place of it", "next-nugget-place", "previous-nugget-place"),
    ("Larger, smaller unit", "wider-unit", "narrower-unit"),
    ("To the list, to the article", "focus-pool", "focus-article"),
    ("Undo, redo", "undo", "redo"),
    ("Copy element path, span", "copy-path", "copy-span"),
    ("Find next, previous", "find-next", "find-previous"),
    ("Assess, Inspect", "assess", "inspect"),
    ("Adjudicate, Answer, Judges", "adjudicate", "answer", "judges"),
    ("Quote 1 … 9 of the model", *(f"quote-{number}" for number in range(1, 10))),
    ("Text larger, smaller, normal", "zoom-in", "zoom-out", "zoom-reset"),
    ("Outline outward, inward", "element-outward", "element-inward"),
    ("Outline next, previous", "element-next", "element-previous"),
    ("Only the article, full screen", "toggle-panels", "full-screen"),
    ("New, open project", "new-project", "open-project"),
    ("Save evidence, a table", "save-evidence", "save-table"),
)
"""Actions that share a line if all of them are available."""
SIGNS = 3  # keys on a line; of more, only the first and the last are shown
MOUSE = (
    ("Drag", "Mark, sentence by sentence"),
    ("Alt + drag", "Mark exact characters"),
    ("Right drag", "Erase"),
    ("Double click", "Mark a sentence; right: erase"),
)
COLUMNS = 3
AROUND = 8  # pixels between the keys and their focus frame
FRAME = 1  # pixels around the keys, as in the style sheet
BESIDE = 2 * 16  # pixels next to them in the card


class KeyCard(Dialog):
    """The keys of the actions in a room; the same key, or Esc, closes the card."""

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

    def _area(self, room: Room) -> _Area:
        """Return the keys in as many columns as fit on the screen."""
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
        """Return the text of each line, and the actions whose keys it shows."""
        shared = {ids[0]: tuple(ids) for _, *ids in TOGETHER if {*ids} <= {*there}}
        later = {name for ids in shared.values() for name in ids[1:]}
        lines = [shared.get(name, (name,)) for name in there if name not in later]
        return [(words_of(self._book, ids), ids) for ids in lines]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close with the key that opened the card."""
        own = [*self._book.keys("keys"), *self._book.keys("all-keys")]
        if event.text() in own or QKeySequence(event.keyCombination()).toString() in own:
            self.accept()
        else:
            super().keyPressEvent(event)

    def _change(self) -> None:
        sheet = KeySheet(self._book, self._window)
        self.accept()
        sheet.open()


class _Area(QScrollArea):
    """Requests the full size of its contents; scrolls on a smaller screen."""

    def __init__(self, inside: QWidget) -> None:
        super().__init__()
        self.setAccessibleName("All keys")
        self.setProperty("role", "framed")  # shows the focus
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setWidget(inside)
        self._inside = inside

    def sizeHint(self) -> QSize:
        beside = self.verticalScrollBar().sizeHint().width()
        return self._inside.sizeHint() + QSize(beside + 2 * FRAME, 2 * FRAME)


def words_of(book: ActionBook, ids: tuple[str, ...]) -> str:
    """Return the text of a line: common words for all its actions, or the text of the only one."""
    shared = {tuple(ids): words for words, *ids in TOGETHER}
    return shared.get(ids) or book[ids[0]].text().rstrip("…")


def in_columns(groups: Sequence[QGridLayout], most: int) -> list[Sequence[QGridLayout]]:
    """Distribute groups in order over columns, so that the longest column is as short as possible."""

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
