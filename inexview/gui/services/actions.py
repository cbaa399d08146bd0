"""Actions, and the book in which a window keeps all of its actions.

One :class:`Action` record makes the menu entry, key, tooltip, row of the key sheet and line of the command
palette, and names the method that carries it out. Single letters are safe as keys: text fields handle them
before shortcuts do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QMenu, QMenuBar, QWidget

from inexview.gui.services.settings import KEYS, SettingChanged, Settings

# The rooms of the window: its pages and modes.


class Room(Enum):
    """A page or mode of the window; an action may belong to some of them only."""

    ASSESS = "assess"
    NUGGETS = "nuggets"  # Assess with the nuggets of the topic, under which digits file
    ADJUDICATE = "adjudicate"  # a third layer is made where two assessors differ
    ANSWER = "answer"  # judging how far passages support the sentences that cite them
    INSPECT = "inspect"  # read-only
    EDIT = "edit"  # Inspect with the pen: judgements change while a run is shown
    WHAT_IF = "what-if"  # Inspect with the pen on a scratch copy of the run
    JUDGES = "judges"  # whether models may judge instead of a person
    QUOTES = "quotes"  # the article at a quote of a model
    REPORT = "report"  # the quality report
    SEARCH = "search"  # search in the documents of the collection

    @property
    def has_article(self) -> bool:
        return self not in (Room.JUDGES, Room.REPORT, Room.SEARCH)

    @property
    def guide(self) -> str:
        """The page of the guide that explains it."""
        return f"{_EXPLAINED_IN.get(self, self).value}.md"


_EXPLAINED_IN = {
    Room.EDIT: Room.INSPECT,
    Room.WHAT_IF: Room.INSPECT,
    Room.JUDGES: Room.ANSWER,
    Room.QUOTES: Room.ANSWER,
    Room.REPORT: Room.ASSESS,
    Room.SEARCH: Room.ASSESS,
}

ASSESSING = (Room.ASSESS, Room.NUGGETS)
JUDGING = (*ASSESSING, Room.EDIT)
SETTING = (*JUDGING, Room.ADJUDICATE)
"""Rooms in which the project's judgements change."""
DRAWING = (*SETTING, Room.WHAT_IF)
UNITS = (Room.ASSESS, Room.EDIT, Room.WHAT_IF)
"""Rooms in which digits choose the unit that strokes grow to; elsewhere digits have other meanings."""
INSPECTING = (Room.INSPECT, Room.EDIT, Room.WHAT_IF)
OUTLINING = tuple(room for room in Room if room.has_article and room is not Room.NUGGETS)
"""Rooms in which keys go to an element's parent and back; elsewhere they change the unit."""


# Held keys: a key pressed before a document was shown must not judge that document.
#
# A held key repeats only when its last effect is painted. Otherwise repetitions would queue up while the
# window works, and continue after the key is released.

BOUNCE = 10  # milliseconds: on some desktops a held key repeats as a release and a press within this time


class HeldKeys(QObject):
    """Tracks the keys pressed in a window, whichever widget has the focus."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._down: set[int] = set()
        self._released: dict[
            int, int
        ] = {}  # key → time of its release by the desktop's clock, in milliseconds
        self._outlived: set[int] = set()
        self._last = 0
        self._repeated = self._unpainted = self._bounced = False
        window.installEventFilter(self)

    @property
    def fresh(self) -> bool:
        """Whether the last key, if still down, was pressed for the current contents."""
        return not self._bounced and not self.stale

    @property
    def stale(self) -> bool:
        """Whether the last key is still down, and was pressed for the previous contents."""
        return self._last in self._outlived & self._down

    @property
    def repeated(self) -> bool:
        return self._repeated or self._bounced

    @property
    def ahead(self) -> bool:
        """Whether the last key is only held, and its effect is not painted yet."""
        return self._repeated and self._unpainted

    def act(self) -> None:
        """Record that a key or another input has had an effect."""
        self._unpainted = True

    def outlive(self) -> None:
        """Record that the contents have changed."""
        self._outlived = self._down | self._released.keys()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Record key presses before they reach shortcuts, and releases."""
        kind = event.type()
        if kind is QEvent.Type.UpdateRequest:
            self._unpainted = False
        elif kind is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            key, now = event.key(), event.timestamp()
            released = self._released.pop(key, None)
            self._bounced = released is not None and 0 < now <= released + BOUNCE
            if not self._bounced and key not in self._down:
                self._outlived.discard(key)
            self._last, self._repeated = key, event.isAutoRepeat()
            self._down.add(key)
        elif kind is QEvent.Type.KeyRelease and isinstance(event, QKeyEvent) and not event.isAutoRepeat():
            self._down.discard(event.key())
            self._released[event.key()] = event.timestamp()
            self._repeated = self._bounced = False
        elif kind is QEvent.Type.WindowDeactivate:  # its release will go to another window
            self._repeated = self._bounced = False
            self._down.clear()
            self._outlived.clear()
        return False


# Keys of layouts that lack a letter or digit act like the key at the same place of a US keyboard.
#
# Qt finds Latin letters only if a Latin layout is installed besides a Russian, Greek or Hebrew one; otherwise
# no letter would judge, nor would `Ctrl` with a letter. In Hebrew layouts Shift types Latin capitals: Qt
# matches such a key both with and without Shift, and does nothing or the wrong thing.

_ROWS = {10: "1234567890-=", 24: "QWERTYUIOP[]", 38: "ASDFGHJKL;", 52: "ZXCVBNM,./"}
PLACES = {first + at: ord(key) for first, row in _ROWS.items() for at, key in enumerate(row)}
"""Key number on X11 and Wayland → Qt key on a US keyboard."""
NUMBERED = ("xcb", "wayland", "offscreen")  # platforms with these key numbers
_MODIFIERS = (
    Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
)


class KeyPlaces(QObject):
    """Tracks the keys pressed in a window, and triggers actions whose keys the layout lacks."""

    def __init__(self, window: QWidget, actions: Callable[[], list[QAction]]) -> None:
        super().__init__(window)
        self._actions = actions
        self._wanted: tuple[QAction, int, int] | None = None  # with the number of the key and its time
        if QGuiApplication.platformName() in NUMBERED:
            window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Examine keys that no text field uses, and act when they are pressed."""
        kind = event.type()
        if watched is self.parent() and kind is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            self._look(event)
            if self._is_doubtful(event):
                event.accept()  # Qt must not look for a shortcut
                return True
        elif self._wanted is not None and kind is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            action, *press = self._wanted
            self._stop_waiting()
            if press == [event.nativeScanCode(), event.timestamp()]:
                action.trigger()
                return True
        return False

    def _look(self, event: QKeyEvent) -> None:
        if not event.nativeScanCode():
            return  # not from a keyboard
        self._stop_waiting()
        action = self._action_of(event)
        application = QApplication.instance()
        if action is not None and application is not None:
            self._wanted = action, event.nativeScanCode(), event.timestamp()
            application.installEventFilter(self)  # the press itself goes to the focused widget

    def _stop_waiting(self) -> None:
        application = QApplication.instance()
        if self._wanted is not None and application is not None:
            self._wanted = None
            application.removeEventFilter(self)

    def _action_of(self, event: QKeyEvent) -> QAction | None:
        """Return the action of a key that the layout lacks; None if the layout has a key for it."""
        key, place = event.key(), PLACES.get(event.nativeScanCode())
        if place is None or _is_typed(event) or key >= Qt.Key.Key_Escape:
            return None
        held = (event.modifiers() & _MODIFIERS).value
        found = self._offered(held | key)
        if _is_latin(key):
            found = found if self._is_doubtful(event) else None
        else:
            found = self._offered(held | place) if found is None else None
        return None if found is None or (event.isAutoRepeat() and not found.autoRepeat()) else found

    def _is_doubtful(self, event: QKeyEvent) -> bool:
        """Return whether Qt might match a capital with the shortcut of the letter without Shift."""
        held, shift = (event.modifiers() & _MODIFIERS).value, Qt.KeyboardModifier.ShiftModifier.value
        letter = _is_latin(event.key()) and chr(event.key()).isalpha()
        capital = letter and bool(held & shift) and event.nativeScanCode() in PLACES
        return capital and not _is_typed(event) and self._offered(held & ~shift | event.key()) is not None

    def _offered(self, key: int) -> QAction | None:
        wanted = QKeySequence(key)
        offered = (one for one in self._actions() if one.isEnabled() and one.isVisible())
        return next((action for action in offered if wanted in action.shortcuts()), None)


def _is_typed(event: QKeyEvent) -> bool:
    """Return whether a key types into a field, or with AltGr a character of the layout."""
    focus = QApplication.focusWidget()
    field = focus is not None and focus.testAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)
    return field or bool(event.modifiers() & Qt.KeyboardModifier.GroupSwitchModifier)


def _is_latin(key: int) -> bool:
    return key < 128 and chr(key).isalnum()


W = TypeVar("W")
"""The window that has the actions."""

EVERYWHERE = tuple(Room)


@dataclass(frozen=True)
class Action(Generic[W]):
    """An action of the user: its texts in menus, keys, tooltips, palette and help, and its function."""

    id: str
    menu: str
    text: str
    tip: str
    does: Callable[[W], Callable[[], object]]
    """Returns, for a window, the function to call."""
    keys: tuple[str, ...] = ()
    checkable: bool = False
    starts_group: bool = False
    rooms: tuple[Room, ...] = EVERYWHERE
    """Rooms in which it is available; elsewhere it is hidden and its keys do nothing."""
    judges: bool = False
    """Whether it changes judgements: a held key does it only once, and a guard may refuse it."""
    anywhere: bool = False
    """Whether it needs no article, unlike other actions of its menu."""

    def at_hand(self, room: Room) -> bool:
        """Return whether it is available in a room; without an article, only if it needs none."""
        own = self.rooms != EVERYWHERE
        return room in self.rooms and (room.has_article or own or self.menu in (FILE, HELP) or self.anywhere)

    def meets(self, other: Action[W]) -> bool:
        """Return whether both are available in the same room, so that they cannot share a key."""
        return bool({*self.rooms} & {*other.rooms})

    @property
    def inspects(self) -> bool:
        """Whether it is available only where runs are shown."""
        return {*self.rooms} <= {*INSPECTING}

    @property
    def repeats(self) -> bool:
        """Whether a held key repeats it; steps back and forth are painted one by one."""
        return not self.judges or self.menu == EDIT


FILE, EDIT, JUDGE, GO, VIEW, HELP = "File", "Edit", "Judge", "Go", "View", "Help"
MENUS = (FILE, EDIT, JUDGE, GO, VIEW, HELP)


SUBMENUS = {
    "Runs": "open-run close-run report save-evidence save-table compare-judgements run-parameters retrieve",
    "Judgements": "import-qrels export-qrels choose-convention choose-grades open-answers open-models "
    "suggest-quotes ask-of-models remove-model open-nuggets export-nuggets open-layer close-layers "
    "open-suggestions close-suggestions",
    "Collection": "find-collection index-collection load-articles check-offsets check-marks",
    "Marks": "mark-sentence erase-passage end-more end-less grow-selection clear",
    "Grade": "grade-higher grade-lower",
    "Snap to": "unit-character unit-word unit-sentence unit-paragraph unit-element",
    "Best entry point": "entry-point entry-point-caret entry-point-first remove-entry-point",
    "Text that has changed": "keep-drifted move-drifted remove-drifted",
    "Suggestions": "take-suggestion change-suggestion refuse-suggestion next-suggestion previous-suggestion",
    "All places left": "rest-a rest-b rest-union rest-intersection rest-c rest-majority",
    "Nuggets": "nugget-1 nugget-2 nugget-3 nugget-4 nugget-5 nugget-6 nugget-7 nugget-8 nugget-9 nugget-0 "
    "file-selected new-nugget weigh-nugget reword-nugget delete-nugget take-nugget wider-unit narrower-unit",
    "Quotes": "quote-1 quote-2 quote-3 quote-4 quote-5 quote-6 quote-7 quote-8 quote-9",
    "Topics": "choose-topic next-topic previous-topic all-topics open-chosen-topic",
    "Passages": "next-passage previous-passage next-drifted go-entry-point",
    "Compared runs": "swap-runs run-1 run-2 run-3 run-4 run-5 run-6 run-7 run-8 run-9 filter-runs",
    "Hits and misses": "next-hit previous-hit next-miss previous-miss next-false-alarm previous-false-alarm "
    "next-entry previous-entry",
    "Sentences and paragraphs": "next-unit previous-unit next-paragraph previous-paragraph same-sentence",
    "Keyboard": "context-menu focus-pool focus-article filter",
    "Sweep": "sweep swap-axes compare-best",
    "Chunks": "turn-reading fewer-chunks more-chunks",
    "Words": "next-word previous-word add-word",
    "Elements": "outlines element-outward element-inward element-next element-previous mark-element "
    "erase-element select-element",
    "Text size": "zoom-in zoom-out zoom-reset",
    "Theme": "theme-system theme-light theme-dark",
}
"""Actions in submenus, by submenu, so that menus fit a low screen."""
_WITHIN = {action: name for name, actions in SUBMENUS.items() for action in actions.split()}


def submenu_of(action_id: str) -> str:
    """Return the submenu of an action, "" if it is directly in its menu."""
    return _WITHIN.get(action_id, "")


def menu_path(record: Action[Any]) -> str:
    """Return the path of an action as in the guide: ``File ▸ Runs ▸ Open run``."""
    text = record.text.rstrip("…")
    return " ▸ ".join(filter(None, (record.menu, submenu_of(record.id), text)))


class ActionBook(QObject):
    """The QActions of a window, made from their records, with the user's keys.

    They do nothing until ``bind``, so that their functions may be made after the buttons.
    """

    keys_changed = Signal()  # the actions have their new keys already
    room_changed = Signal()

    def __init__(self, window: QWidget, settings: Settings, records: Sequence[Action[Any]]) -> None:
        super().__init__(window)
        self.records = records
        self._settings = settings
        self._held = HeldKeys(window)
        self._guards: list[Callable[[Action[Any]], bool]] = [
            lambda record: not self._held.stale if record.repeats else self._held.fresh
        ]
        self._actions: dict[str, QAction] = {}
        self._submenus: list[QMenu] = []
        self.room = Room.ASSESS
        """The current room of the window."""
        for record in self.records:
            action = QAction(record.text, window)
            action.setObjectName(record.id)
            action.setCheckable(record.checkable)
            action.setAutoRepeat(record.repeats)
            self._actions[record.id] = action
        self._apply_keys()
        self.set_room(self.room)
        KeyPlaces(window, lambda: [*self._actions.values()])  # owned by the window
        window.addActions([*self._actions.values()])  # added now, so that the window notices later changes
        settings.changed.connect(self._on_setting)  # also if a key was changed in another window

    def __getitem__(self, action_id: str) -> QAction:
        return self._actions[action_id]

    def record(self, action_id: str) -> Action[Any]:
        return next(record for record in self.records if record.id == action_id)

    def of_menu(self, menu: str) -> list[Action[Any]]:
        return [record for record in self.records if record.menu == menu]

    def bind(self, window: object, *, inspects: bool = False) -> None:
        """Look up the functions of the actions, either those of Inspect or all others.

        Raises LookupError if an action has no function.
        """
        for record in self.records:
            if record.inspects is not inspects:
                continue
            try:
                slot = record.does(window)
            except AttributeError as error:
                raise LookupError(f"the action '{record.id}' has no handler: {error}") from error
            self._connect(record, slot)

    def _connect(self, record: Action[Any], slot: Callable[[], object]) -> None:
        """Connect an action to a function; if it judges, it runs only if every guard allows it."""

        def do() -> None:
            if not self._held.ahead and (not record.judges or all(allows(record) for allows in self._guards)):
                self._held.act()
                slot()

        self._actions[record.id].triggered.connect(do)

    def guard(self, allows: Callable[[Action[Any]], bool]) -> None:
        """Add a guard that is asked before each judging action; a guard that refuses shows why."""
        self._guards.append(allows)

    @property
    def key_is_held(self) -> bool:
        """Whether the current key press is a repetition of a held key."""
        return self._held.repeated

    def note_shown(self) -> None:
        """Record that another document is shown: keys that are down now do not judge it."""
        self._held.outlive()

    def set_room(self, room: Room) -> None:
        """Make the actions of a room available, and no others."""
        self.room = room
        for record in self.records:
            self._actions[record.id].setVisible(record.at_hand(room))
        self.room_changed.emit()

    def keys(self, action_id: str) -> list[str]:
        return [key.toString() for key in self._actions[action_id].shortcuts()]

    def key_text(self, action_id: str) -> str:
        """Return the first key of an action in the desktop's notation, or ""."""
        return self._actions[action_id].shortcut().toString(QKeySequence.SequenceFormat.NativeText)

    def set_keys(self, action_id: str, keys: list[str]) -> None:
        """Set the keys of an action, and remove them from actions that share a room with it."""
        kept_keys: dict[str, list[str]] = self._settings.get(KEYS)
        changed = dict(kept_keys)
        own = self.record(action_id)
        for record in self.records:
            kept = [key for key in self.keys(record.id) if key not in keys]
            if record.id != action_id and record.meets(own) and kept != self.keys(record.id):
                changed[record.id] = kept
        changed[action_id] = keys
        self.use_keys(changed)

    def all_keys(self) -> dict[str, list[str]]:
        return {record.id: self.keys(record.id) for record in self.records}

    def use_keys(self, keys: Mapping[str, list[str]]) -> None:
        """Set the keys of all actions from a key map without conflicts."""
        standard = {
            record.id: [QKeySequence(key).toString() for key in record.keys] for record in self.records
        }
        self._settings.set(KEYS, {name: given for name, given in keys.items() if given != standard[name]})

    def clashes(self, action_id: str, keys: list[str]) -> list[Action[Any]]:
        own = self.record(action_id)
        return [
            record
            for record in self.records
            if record.id != action_id and record.meets(own) and {*keys} & {*self.keys(record.id)}
        ]

    def reset_keys(self) -> None:
        self._settings.set(KEYS, {})

    def fill_menu_bar(self, bar: QMenuBar) -> None:
        """Fill the menus; a submenu is visible if any of its actions is available."""
        for name in MENUS:
            menu = bar.addMenu(f"&{name}")
            menu.setToolTipsVisible(True)
            within: dict[str, QMenu] = {}
            before = ""
            for record in self.of_menu(name):
                into = submenu_of(record.id)
                if record.starts_group and not (into and before):  # submenus form a group of their own
                    menu.addSeparator()
                before = into
                if into and into not in within:
                    within[into] = menu.addMenu(into)
                    within[into].setToolTipsVisible(True)
                (within[into] if into else menu).addAction(self._actions[record.id])
            self._submenus += within.values()
        self._show_submenus()
        self.room_changed.connect(self._show_submenus)

    def _show_submenus(self) -> None:
        for menu in self._submenus:
            menu.menuAction().setVisible(any(action.isVisible() for action in menu.actions()))

    def _on_setting(self, change: SettingChanged) -> None:
        if change.setting is KEYS:
            self._apply_keys()
            self.keys_changed.emit()

    def _apply_keys(self) -> None:
        own = self._settings.get(KEYS)
        for record in self.records:
            action = self._actions[record.id]
            action.setShortcuts([QKeySequence(key) for key in own.get(record.id, record.keys)])
            key = self.key_text(record.id)
            action.setToolTip(f"{record.tip} ({key})" if key else record.tip)
            action.setStatusTip(record.tip)
