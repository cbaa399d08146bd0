"""The keys one needs most here, on a card over the right panel: it stays while one works."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from inexview.gui.article.overlays import Tool
from inexview.gui.article.pen import Hand
from inexview.gui.dialogs.keys import SIGNS, words_of
from inexview.gui.look.layouts import in_column, in_row
from inexview.gui.look.theme import set_look
from inexview.gui.look.widgets import ARROWS, Caption, ElidedLabel, KeySign, button, label
from inexview.gui.services.actions import DRAWING, ActionBook, Room

EDGE = 6  # pixels between the card and the panel below it
FOOT = 98  # pixels of the panel that stay free: its two buttons
_UNITS = ("unit-character", "unit-word", "unit-sentence", "unit-paragraph", "unit-element")
_RUNS = tuple(f"run-{number}" for number in range(1, 10))
FIXED = {
    "right-drag": ("Right drag", "Erase, whatever is held"),
    "alt-drag": ("Alt + drag", "Exact characters"),
    "to-end": ("Tab", "To an end of the mark"),
    "move-end": ("→  ←", "Move that end"),
}
"""What the hand does in the text besides the actions; no key of these can be changed."""
GROUPS: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...] = (
    ("In your hand", (("mark",), ("erase",), ("mark-sentence",), ("mark-element",), ("right-drag",))),
    ("Snap to", (_UNITS, ("alt-drag",))),
    ("Ends of a mark", (("end-more", "end-less"), ("to-end",), ("move-end",), ("erase-passage",))),
    ("Best entry point", (("entry-point-first",), ("entry-point",), ("remove-entry-point",))),
    ("Decide", (("take-a",), ("take-b",), ("take-union",), ("take-intersection",), ("settle",))),
    ("Judge and go on", (("finish",), ("not-relevant",), ("come-back",), ("undo", "redo"))),
    (
        "The run",
        (_RUNS, ("swap-runs",), ("derive",), ("dearest",), ("edit-judgements",), ("what-if",), ("charts",)),
    ),
    ("The scratch copy", (("rank-up", "rank-down"), ("undo-scratch",), ("save-scratch",))),
    (
        "Find your way",
        (
            ("next-document", "previous-document"),
            ("next-todo",),
            ("next-hit", "previous-hit"),
            ("next-miss", "previous-miss"),
            ("next-false-alarm", "previous-false-alarm"),
            ("next-entry", "previous-entry"),
            ("next-place", "previous-place"),
            ("next-passage", "previous-passage"),
            ("next-word", "previous-word"),
            ("element-outward", "element-inward"),
            ("find",),
            ("palette",),
        ),
    ),
)
"""Captions, and below each the actions of its lines; what is not at hand in a room is left out there."""


class KeyPanel(QFrame):
    """Lies over a panel, but not over its foot; the keyboard stays with the text."""

    def __init__(self, book: ActionBook, hand: Hand, under: QWidget) -> None:
        super().__init__(under)
        self.setProperty("role", "key-panel")
        self.setAccessibleName("Keys")
        self._book, self._hand, self._under = book, hand, under
        self._inside = QWidget()
        self._lines: dict[tuple[str, ...], QWidget] = {}
        self._area = QScrollArea()
        self._area.setWidget(self._inside)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setWidgetResizable(True)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        in_column(self._head(), (self._area, 1), self._foot(), on=self, margins=8, spacing=4)
        book.keys_changed.connect(self._fill_if_shown)
        book.room_changed.connect(self._fill_if_shown)
        hand.changed.connect(self._show_hand)
        under.installEventFilter(self)
        self.hide()

    def toggle(self) -> None:
        """Show the card, or put it away; where there is no panel beside an article, show all keys."""
        if self.isVisible():
            self.hide()
        elif self._under.isVisible() and self._book.room.has_article:
            self._fill()
            self.show()
            self.raise_()
            self._place()
        else:
            self._book["all-keys"].trigger()

    def let_go(self) -> bool:
        """Put the card away; False where it is away."""
        shown = self.isVisible()
        self.hide()
        return shown

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return False

    def _head(self) -> QHBoxLayout:
        close = QToolButton()
        close.setText("×")
        close.setAccessibleName("Put the keys away")
        close.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        close.clicked.connect(self.hide)
        told = ElidedLabel(role="note")
        told.set_text("stay while you work", briefer=("stay",))
        return in_row(
            label("Keys", "heading"),
            (told, 1),
            KeySign(self._book["keys"]),
            close,
            margins=(8, 0, 0, 0),
        )

    def _foot(self) -> QPushButton:
        said = ElidedLabel()
        said.set_text("All keys, and changing them", briefer=("All keys",))
        said.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        every = button("", "plain")
        every.setAccessibleName(said.full_text)
        every.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        every.clicked.connect(self._book["all-keys"].trigger)
        in_row(
            (said, 1),
            (KeySign(self._book["all-keys"]), 0, Qt.AlignmentFlag.AlignVCenter),
            on=every,
            margins=(8, 0, 8, 0),
        )
        return every

    def _fill_if_shown(self) -> None:
        if not self._book.room.has_article:
            self.hide()
        if self.isVisible():
            self._fill()
            self.raise_()  # the page of another mode came up above it
            self._place()

    def _fill(self) -> None:
        """Write the lines of this room, with the keys as they are now."""
        room, inside = self._book.room, QWidget()
        self._inside = inside
        inside.setProperty("role", "inside")
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._lines.clear()
        for name, lines in GROUPS:
            there = [ids for ids in lines if self._is_there(ids, room)]
            if any(ids[0] not in FIXED for ids in there):
                head = Caption(name)
                head.setContentsMargins(8, 8, 8, 2)
                column.addWidget(head)
                for ids in there:
                    self._lines[ids] = self._line(ids)
                    column.addWidget(self._lines[ids])
        column.addStretch(1)
        self._area.setWidget(inside)
        self._show_hand()

    def _is_there(self, ids: tuple[str, ...], room: Room) -> bool:
        if ids[0] in FIXED:
            return room in DRAWING
        return all(self._book.record(name).at_hand(room) and self._book.keys(name) for name in ids)

    def _line(self, ids: tuple[str, ...]) -> QWidget:
        line = QFrame()
        line.setProperty("role", "key-line")
        grid = QGridLayout(line)
        grid.setContentsMargins(5, 2, 8, 2)
        grid.setHorizontalSpacing(10)
        grid.setColumnMinimumWidth(0, 86)
        grid.setColumnStretch(1, 1)
        keys, words = FIXED.get(ids[0]) or (self._keys(ids), words_of(self._book, ids))
        grid.addWidget(label(keys, "value"), 0, 0)
        grid.addWidget(label(words, wrap=True), 0, 1)
        return line

    def _keys(self, ids: tuple[str, ...]) -> str:
        """Write the first keys of actions side by side: "J K", "1 … 5"."""
        texts = [self._book.key_text(name) for name in ids]
        shown = texts if len(texts) <= SIGNS else [texts[0], "…", texts[-1]]
        return "  ".join("+".join(ARROWS.get(part, part) for part in text.split("+")) for text in shown)

    def _show_hand(self, _: object = None) -> None:
        held = (("mark",), Tool.MARK), (("erase",), Tool.ERASE)
        for ids, tool in held:
            if (line := self._lines.get(ids)) is not None:
                now = self._hand.live and self._hand.tool is tool
                set_look(line, "now", tool.name.lower() if now else "", *line.findChildren(QLabel))

    def _place(self) -> None:
        """Lie over the whole panel but its foot: whatever shows below is not cut."""
        under = self._under
        self.setGeometry(EDGE, EDGE, under.width() - 2 * EDGE, under.height() - EDGE - FOOT)
