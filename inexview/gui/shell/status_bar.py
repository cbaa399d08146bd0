"""The line along the foot: that all is saved, the keys one needs, how qrels count, the size of the text."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QWidget

from inexview.core.text.counting import Convention
from inexview.core.wording import PERCENT
from inexview.gui.look.layouts import Filler, in_row
from inexview.gui.look.widgets import ElidedLabel, derived, label, set_tip
from inexview.gui.services.actions import SETTING, ActionBook, Room
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
