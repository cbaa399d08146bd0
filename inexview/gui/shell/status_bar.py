"""The line along the foot, and the card of the keys one needs most.

The line says that all is saved, the keys of the moment, how qrels count, and the size of the text.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
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

from inexview.core.text.counting import Convention
from inexview.core.wording import PERCENT
from inexview.gui.article.overlays import Tool
from inexview.gui.article.pen import PenState
from inexview.gui.dialogs.keys import SIGNS, words_of
from inexview.gui.look.layouts import Filler, in_column, in_row
from inexview.gui.look.theme import set_look
from inexview.gui.look.widgets import ARROWS, Caption, ElidedLabel, KeySign, button, derived, label, set_tip
from inexview.gui.services.actions import DRAWING, SETTING, ActionBook, Room
from inexview.gui.services.save_state import SaveState, SaveWatch
from inexview.gui.shell.top_bar import ToolStrip

_JUDGING = (("entry-point", "entry point"), ("next-document", "next"), ("keys", "keys"))
_DONE, GAP = 230, 20  # pixels of what was done last; between the parts
_KEPT = 165  # pixels that what was done last keeps, so that the keys beside it do not move with each action
KEYS_OF = {
    Room.ASSESS: _JUDGING,
    Room.EDIT: _JUDGING,
    Room.ADJUDICATE: (
        ("take-a", "A's"), ("take-b", "B's"), ("take-union", "∪"), ("take-intersection", "∩"),
        ("next-place", "next difference"), ("settle", "settled"), ("keys", "keys"),
    ),
    Room.WHAT_IF: (
        ("mark", "retrieve"), ("erase", "drop"), ("enter-elsewhere", "entry point"), ("rank-up", "rank up"),
        ("undo-scratch", "undo"),
        ("keys", "keys"),
    ),
    Room.SEARCH: (("search-collection", "back"), ("keys", "keys")),
    Room.REPORT: (("right-as-it-is", "right as it is"), ("quality-report", "back"), ("keys", "keys")),
    Room.INSPECT: (
        ("next-document", "next"), ("next-miss", "miss"), ("next-false-alarm", "false alarm"),
        ("keys", "keys"),
    ),
}  # fmt: skip
"""The keys that are named along the foot, and what they do, in few words."""
OVER_TOPICS = (
    ("open-chosen-topic", "open topic"), ("swap-runs", "swap"), ("dearest", "what cost most"),
    ("keys", "keys"),
)  # fmt: skip
"""Those of Inspect over all topics."""


class StatusBar(QWidget):
    """Says quietly what is so; a click on a figure changes it."""

    def __init__(self, book: ActionBook) -> None:
        super().__init__()
        self.setObjectName("status-bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(28)
        self._book = book
        self._over_topics = False
        self._saved = label("● every action saved", "saved")
        self._saved.setFont(derived(self._saved.font()))  # its digits are as wide at every second
        self._locked = label("", "status")
        self._undo = ToolStrip(book, "undo")
        self._undo.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self._done = QWidget()
        in_row(self._undo, Filler(1), on=self._done, margins=0)
        book["undo"].changed.connect(self._show_done)
        self._room = Room.ASSESS
        self._only_read = False
        self._saving = SaveState()
        self.keys = ElidedLabel(role="status")
        self._note = ElidedLabel(role="status")
        self._blind = label("", "status")
        self._counting = ToolStrip(book, "choose-convention")
        self._zoom = ToolStrip(book, "zoom-reset")
        in_row(
            self._saved,
            self._done,
            self._locked,
            self.keys,
            Filler(1),
            self._note,
            self._blind,
            self._counting,
            self._zoom,
            on=self,
            margins=(14, 0, 8, 0),
            spacing=GAP,
        )
        self.show_room(self._room)
        self._show_done()

    def minimumSizeHint(self) -> QSize:
        """Need no room for what gives way."""
        given = [one for one in (self._counting, self._zoom) if one.isVisibleTo(self)]
        return super().minimumSizeHint() - QSize(sum(one.sizeHint().width() + GAP for one in given), 0)

    def event(self, event: QEvent) -> bool:
        """Show how qrels count, and the size of the text, where there is room beside what is done."""
        handled = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            left = self.width() - self.minimumSizeHint().width()
            for one in (self._zoom, self._counting):
                left -= one.sizeHint().width() + GAP
                one.setVisible(left >= 0)
        return handled

    def show_room(self, room: Room) -> None:
        """Say what can change here: in Inspect nothing, until one says otherwise."""
        self._room = room
        self._show_done()
        reading = room is Room.INSPECT
        self._locked.setVisible(reading)
        self.show_keys()
        self._show_saving(self._saving)

    def set_over_topics(self, over_topics: bool) -> None:
        """Name the keys of Inspect over all topics, or those of an article."""
        if over_topics != self._over_topics:
            self._over_topics = over_topics
            self.show_keys()

    def show_keys(self) -> None:
        """Show the keys one needs most, as they are set."""
        book = self._book
        opens = [] if self._only_read else [f"{book.key_text('edit-judgements')} edit judgements"]
        self._locked.setText(" · ".join(["Read-only", *opens, f"{book.key_text('what-if')} what if"]))
        keys = OVER_TOPICS if self._over_topics else KEYS_OF[self._room]
        there = [(name, text) for name, text in keys if book.record(name).at_hand(self._room)]
        *first, last = (f"{book.key_text(name) or 'Enter'} {text}" for name, text in there)
        told, *briefer = (" · ".join([*first[:count], last]) for count in range(len(first), -1, -1))
        self.keys.set_text(told, briefer=[*briefer, ""])

    def _show_done(self) -> None:
        """Show what was done last to the document; a click takes it back."""
        action = self._book["undo"]
        _, _, done = action.text().partition(" ")
        offered = action.isVisible() and action.isEnabled() and not self._only_read
        self._undo.setVisible(bool(done) and offered)
        elided = self._undo.fontMetrics().elidedText(done, Qt.TextElideMode.ElideRight, _DONE)
        self._undo.setText(f"↶ {elided}")
        judging = self._room in SETTING and not self._only_read
        self._done.setMinimumWidth(_KEPT if judging else 0)

    def follow(self, saving: SaveWatch) -> None:
        """Say from now on whether all is saved."""
        saving.changed.connect(self._show_saving)
        self._show_saving(saving.state)

    def _show_saving(self, state: SaveState) -> None:
        """Say that all is on disk, and since when, or what was not saved; a scratch copy says it above."""
        self._saving = state
        time = "" if state.time is None else f" · {state.time:%H:%M:%S}"
        if state.problem:
            text = f"✕ {state.short}"
        elif state.read_only:
            text = f"○ {'damaged, ' if state.damaged else ''}open for reading only{time}"
        elif self._room is Room.WHAT_IF:
            text = "○ judgements cannot change here"
        else:
            text = f"● every action saved{time}"
        if state.no_copy and not state.problem:
            text += ", but not copied"
        if self._only_read != bool(state.read_only):
            self._only_read = bool(state.read_only)
            self.show_keys()
            self._show_done()
        self._saved.setText(text)
        set_tip(self._saved, state.problem or state.no_copy or state.read_only)
        wrong = bool(state.problem or state.no_copy or state.damaged)
        if self._saved.property("wrong") != wrong:
            self._saved.setProperty("wrong", wrong)
            self._saved.style().polish(self._saved)

    def show_note(self, text: str) -> None:
        self._note.set_text(text)

    def show_blind(self, runs: int, *, shown: bool) -> None:
        """Say whether one judges without what these open runs found, or asked to see that."""
        opened = "Run" if runs == 1 else f"{runs:,} runs"
        self._blind.setText(f"{opened} shown: not blind" if shown else f"{opened} hidden while you judge")
        self._blind.setVisible(bool(runs))

    def show_convention(self, convention: Convention) -> None:
        """Say how the offsets of qrels count that come in and go out."""
        self._counting.show_value(f"qrels in {convention.name}")

    def show_zoom(self, percent: int) -> None:
        self._zoom.show_value(f"{percent}{PERCENT}")


# The keys one needs most here, on a card over the right panel: it stays while one works.

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

    def __init__(self, book: ActionBook, pen_state: PenState, under: QWidget) -> None:
        super().__init__(under)
        self.setProperty("role", "key-panel")
        self.setAccessibleName("Keys")
        self._book, self._pen_state, self._under = book, pen_state, under
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
        pen_state.changed.connect(self._show_hand)
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
                now = self._pen_state.live and self._pen_state.tool is tool
                set_look(line, "now", tool.name.lower() if now else "", *line.findChildren(QLabel))

    def _place(self) -> None:
        """Lie over the whole panel but its foot: whatever shows below is not cut."""
        under = self._under
        self.setGeometry(EDGE, EDGE, under.width() - 2 * EDGE, under.height() - EDGE - FOOT)
