"""Actions: what one is, and the book in which a window has all of its own.

One :class:`Action` makes the menu entry, the key, the tooltip, the row of the key sheet and the line in
the command palette, and says what does it.
Single letters are safe: a text field takes them before they become shortcuts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from inexview.gui.services.held_keys import HeldKeys
from inexview.gui.services.key_places import KeyPlaces
from inexview.gui.services.room import INSPECTING, Room
from inexview.gui.services.settings import KEYS, SettingChanged, Settings

W = TypeVar("W")
"""The window that has the actions."""

EVERYWHERE = tuple(Room)


@dataclass(frozen=True)
class Action(Generic[W]):
    """One thing a person can do, as menus, keys, tooltips, palette and help tell it, and what does it."""

    id: str
    menu: str
    text: str
    tip: str
    does: Callable[[W], Callable[[], object]]
    """Gives, for a window, what is called when somebody asks for it."""
    keys: tuple[str, ...] = ()
    checkable: bool = False
    starts_group: bool = False
    rooms: tuple[Room, ...] = EVERYWHERE
    """Where it makes sense; elsewhere it is neither offered nor has its keys."""
    judges: bool = False
    """Whether it changes what is judged: a key that is held does it once, and a guard may refuse it."""
    anywhere: bool = False
    """Whether it needs no article, although those of its menu do."""

    def at_hand(self, room: Room) -> bool:
        """Tell whether it makes sense in a room: where there is no article, only what needs none."""
        own = self.rooms != EVERYWHERE
        return room in self.rooms and (room.has_article or own or self.menu in (FILE, HELP) or self.anywhere)

    def meets(self, other: Action[W]) -> bool:
        """Tell whether both are at hand in some room, so that they cannot share a key."""
        return bool({*self.rooms} & {*other.rooms})

    @property
    def inspects(self) -> bool:
        """Whether it makes sense only where one looks at runs."""
        return {*self.rooms} <= {*INSPECTING}

    @property
    def repeats(self) -> bool:
        """Whether a key that is held does it again and again; steps back and forth are seen one by one."""
        return not self.judges or self.menu == EDIT


FILE, EDIT, JUDGE, GO, VIEW, HELP = "File", "Edit", "Judge", "Go", "View", "Help"
MENUS = (FILE, EDIT, JUDGE, GO, VIEW, HELP)


class ActionBook(QObject):
    """The QActions of a window, made of their records, with the user's own keys.

    They do nothing before ``bind``: what does it may be made after the buttons that ask for it.
    """

    keys_changed = Signal()  # they are the actions' keys already
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
        self.room = Room.ASSESS
        """What the window is used for now."""
        for record in self.records:
            action = QAction(record.text, window)
            action.setObjectName(record.id)
            action.setCheckable(record.checkable)
            action.setAutoRepeat(record.repeats)
            self._actions[record.id] = action
        self._apply_keys()
        self.set_room(self.room)
        KeyPlaces(window, lambda: [*self._actions.values()])  # a child of the window
        window.addActions([*self._actions.values()])  # now: it hears of all that is set later
        settings.changed.connect(self._on_setting)  # in whichever window a key was changed

    def __getitem__(self, action_id: str) -> QAction:
        return self._actions[action_id]

    def record(self, action_id: str) -> Action[Any]:
        return next(record for record in self.records if record.id == action_id)

    def of_menu(self, menu: str) -> list[Action[Any]]:
        return [record for record in self.records if record.menu == menu]

    def bind(self, window: object, *, inspects: bool = False) -> None:
        """Look up what does each action, those of Inspect or all others.

        Raises LookupError where one would do nothing.
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
        """Let an action call a slot; one that judges only if every guard allows it."""

        def do() -> None:
            if not self._held.ahead and (not record.judges or all(allows(record) for allows in self._guards)):
                self._held.act()
                slot()

        self._actions[record.id].triggered.connect(do)

    def guard(self, allows: Callable[[Action[Any]], bool]) -> None:
        """Ask before each action that judges; a guard that refuses says why itself."""
        self._guards.append(allows)

    @property
    def key_is_held(self) -> bool:
        """Whether the key that asks now was not pressed again, but held."""
        return self._held.repeated

    def note_shown(self) -> None:
        """Take note that another document is on the screen: keys that are down now do not judge it."""
        self._held.outlive()

    def set_room(self, room: Room) -> None:
        """Offer what makes sense in a room, and nothing else."""
        self.room = room
        for record in self.records:
            self._actions[record.id].setVisible(record.at_hand(room))
        self.room_changed.emit()

    def keys(self, action_id: str) -> list[str]:
        """Return the keys of an action, as text that can be kept and shown."""
        return [key.toString() for key in self._actions[action_id].shortcuts()]

    def key_text(self, action_id: str) -> str:
        """Return the first key of an action as the desktop writes it, or an empty text."""
        return self._actions[action_id].shortcut().toString(QKeySequence.SequenceFormat.NativeText)

    def set_keys(self, action_id: str, keys: list[str]) -> None:
        """Give an action other keys, and take them from the action that had them in the same room."""
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
        """Give every action the keys of a key map, which has no clashes."""
        standard = {record.id: _normal(record.keys) for record in self.records}
        self._settings.set(KEYS, {name: given for name, given in keys.items() if given != standard[name]})

    def clashes(self, action_id: str, keys: list[str]) -> list[Action[Any]]:
        """Return the actions that would lose one of these keys to an action."""
        own = self.record(action_id)
        return [
            record
            for record in self.records
            if record.id != action_id and record.meets(own) and {*keys} & {*self.keys(record.id)}
        ]

    def reset_keys(self) -> None:
        self._settings.set(KEYS, {})

    def fill_menu_bar(self, bar: QMenuBar) -> None:
        for name in MENUS:
            self._fill(bar.addMenu(f"&{name}"), name)

    def _fill(self, menu: QMenu, name: str) -> None:
        menu.setToolTipsVisible(True)
        for record in self.of_menu(name):
            if record.starts_group:
                menu.addSeparator()
            menu.addAction(self._actions[record.id])

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


def _normal(keys: tuple[str, ...]) -> list[str]:
    return [QKeySequence(key).toString() for key in keys]
