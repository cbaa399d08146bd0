"""Every action of the window, each declared once.

One :class:`Action` makes the menu entry, the key, the tooltip, the row of the key sheet and the line in
the command palette.  What it does is said once, where that is done: ``book.on("finish", slot)``.  A window
with an action that does nothing does not start.
Single letters are safe: a text field takes them before they become shortcuts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from inexview.gui.services.held_keys import HeldKeys
from inexview.gui.services.room import DRAWING, INSPECTING, JUDGING, Room
from inexview.gui.services.settings import KEYS, SettingChanged, Settings


@dataclass(frozen=True, slots=True)
class Action:
    """One thing a person can do, as menus, keys, tooltips, palette and help tell it."""

    id: str
    menu: str
    text: str
    tip: str
    keys: tuple[str, ...] = ()
    checkable: bool = False
    starts_group: bool = False
    rooms: tuple[Room, ...] = tuple(Room)
    """Where it makes sense; elsewhere it is neither offered nor has its keys."""

    def at_hand(self, room: Room) -> bool:
        """Tell whether it makes sense in a room: where there is no article, only what needs none."""
        own = self.rooms != tuple(Room)
        return room in self.rooms and (
            room.has_article or own or self.menu in (FILE, HELP) or self.id in _NO_ARTICLE
        )

    def meets(self, other: Action) -> bool:
        """Tell whether both are at hand in some room, so that they cannot share a key."""
        return bool({*self.rooms} & {*other.rooms})

    judges: bool = False
    """Whether it changes what is judged: a key that is held does it once, and a guard may refuse it."""

    @property
    def repeats(self) -> bool:
        """Whether a key that is held does it again and again; steps back and forth are seen one by one."""
        return not self.judges or self.menu == EDIT


FILE, EDIT, JUDGE, GO, VIEW, HELP = "File", "Edit", "Judge", "Go", "View", "Help"
_NO_ARTICLE = (
    "let-go",
    "palette",
    "choose-topic",
    "theme-system",
    "theme-light",
    "theme-dark",
    "full-screen",
)
MENUS = (FILE, EDIT, JUDGE, GO, VIEW, HELP)

ACTIONS: tuple[Action, ...] = (
    Action("new-project", FILE, "New project…", "Make a project of articles, topics and a pool", ("Ctrl+N",)),
    Action("open-project", FILE, "Open project…", "Open a project file", ("Ctrl+O",)),
    Action("open-sample", FILE, "Open the sample project", "Try everything on articles made for it"),
    Action("start-window", FILE, "Start window", "Recent projects, new project, sample"),
    Action("open-run", FILE, "Open run…", "Lay a run over the judged text", ("Ctrl+R",), starts_group=True),
    Action("close-run", FILE, "Close run", "Take the current run out of the window"),
    Action("import-qrels", FILE, "Import qrels…", "Take judgements from a qrels file into this project",
           starts_group=True),
    Action("export-qrels", FILE, "Export qrels…", "Write what is judged: qrels, assessments or JSON lines",
           ("Ctrl+E",)),
    Action("check-offsets", FILE, "Check offsets…",
           "See in which convention a run or qrels count, and write a corrected copy"),
    Action("find-collection", FILE, "Find the collection…", "Say where the articles are, if they were moved"),
    Action("index-collection", FILE, "Index the collection",
           "Find out where each article lies, if that was given up"),
    Action("check-marks", FILE, "Check marks against the articles…",
           "List the marks whose text no longer reads as when they were made"),
    Action("retrieve", FILE, "Search the collection…",
           "Rank passages by the retrieval models; make runs and pools of them", ("Ctrl+Alt+F",)),
    Action("choose-convention", FILE, "How qrels count…", "Say which characters the offsets of qrels count"),
    Action("choose-grades", FILE, "Grades…", "Say which grades documents and passages may have"),
    Action("restore", FILE, "Restore…", "List the copies of this project, and restore one as a new file",
           starts_group=True),
    Action("save-elsewhere", FILE, "Save to another file…",
           "Write all that was done to another project file, and go on with that"),
    Action("save", FILE, "Save", "Nothing to do: every action is saved as it is done", ("Ctrl+S",)),
    Action("quit", FILE, "Quit", "Leave inexview; everything is saved", ("Ctrl+Q",), starts_group=True),
    Action("undo", EDIT, "Undo", "Take back the last action in this document", ("Ctrl+Z",), rooms=JUDGING,
           judges=True),
    Action("redo", EDIT, "Redo", "Do again what was taken back", ("Ctrl+Y", "Ctrl+Shift+Z"), rooms=JUDGING,
           judges=True),
    Action("let-go", EDIT, "Let go", "Give up what was begun last: a list, a stroke, the eraser, a selection",
           ("Esc",)),
    Action("copy", EDIT, "Copy", "Copy the selected text", ("Ctrl+C",), starts_group=True),
    Action("copy-link", EDIT, "Copy link to this place", "A link that opens topic, document, run and line",
           ("Ctrl+Shift+L",)),
    Action("copy-path", EDIT, "Copy element path", "The path of the outlined element, or that at the caret",
           ("Ctrl+Shift+C",)),
    Action("copy-span", EDIT, "Copy element span", "Copy offset:length of that element", ("Ctrl+Alt+C",)),
    Action("find", EDIT, "Find in article…", "Find text in this article", ("Ctrl+F",)),
    Action("find-next", EDIT, "Find next", "Go to the next place found", ("F3",)),
    Action("find-previous", EDIT, "Find previous", "Go to the place found before", ("Shift+F3",)),
    Action("mark", JUDGE, "Mark relevant", "Mark the selection; without one, take the marker pen", ("H",),
           rooms=DRAWING, judges=True),
    Action("erase", JUDGE, "Erase mark", "Erase the selection; without one, take the eraser", ("U",),
           rooms=DRAWING, judges=True),
    Action("mark-sentence", JUDGE, "Mark sentence, go on", "The sentence at the caret; then to the next one",
           ("S",), rooms=DRAWING, judges=True),
    Action("erase-passage", JUDGE, "Erase passage at caret", "Erase the whole marked passage at the caret",
           ("Del",), rooms=DRAWING, judges=True),
    Action("end-more", JUDGE, "One more", "Take one sentence (the unit in the hand) more at the mark's end",
           (".",), rooms=DRAWING, judges=True),
    Action("end-less", JUDGE, "One less", "Give one sentence (the unit in the hand) back at the mark's end",
           (",",), rooms=DRAWING, judges=True),
    Action("grow-selection", JUDGE, "Select by sentence", "Sentence at the caret, then one more",
           ("E",), rooms=JUDGING),
    Action("mark-element", JUDGE, "Mark whole element", "Mark the outlined element, or that at the caret",
           ("Shift+H",), rooms=DRAWING, judges=True),
    Action("erase-element", JUDGE, "Erase whole element", "Erase all marks within that element",
           ("Shift+U",), rooms=DRAWING, judges=True),
    Action("select-element", JUDGE, "Select whole element", "The outlined element, or that at the caret",
           ("Shift+E",)),
    Action("unit-character", JUDGE, "Exact characters", "Strokes take what is dragged over", ("1", "X"),
           checkable=True, rooms=DRAWING, starts_group=True),
    Action("unit-word", JUDGE, "Snap to words", "Strokes grow to words; held, only one", ("2",),
           checkable=True, rooms=DRAWING),
    Action("unit-sentence", JUDGE, "Snap to sentences", "Strokes grow to sentences; held, only one",
           ("3",), checkable=True, rooms=DRAWING),
    Action("unit-paragraph", JUDGE, "Snap to paragraphs", "Strokes grow to paragraphs; held, only one",
           ("4",), checkable=True, rooms=DRAWING),
    Action("unit-element", JUDGE, "Snap to elements", "Strokes grow to elements; held, only one",
           ("5",), checkable=True, rooms=DRAWING),
    Action("entry-point", JUDGE, "Set best entry point", "Then click, or press it again for the caret",
           ("B",), starts_group=True, rooms=JUDGING),
    Action("entry-point-caret", JUDGE, "Best entry point at caret", "Set the best entry point at the caret",
           ("Ctrl+B",), rooms=JUDGING, judges=True),
    Action("entry-point-first", JUDGE, "Best entry point at first mark",
           "Set the best entry point at the first marked character", ("Alt+B",), rooms=JUDGING, judges=True),
    Action("remove-entry-point", JUDGE, "Remove best entry point", "Take it away", ("Shift+B",),
           rooms=JUDGING, judges=True),
    Action("finish", JUDGE, "Finish, next", "Judged completely: what is not marked is not relevant", ("F",),
           starts_group=True, rooms=JUDGING, judges=True),
    Action("not-relevant", JUDGE, "Not relevant, next",
           "Finish without marks; all that is selected in the list", ("N",), rooms=JUDGING, judges=True),
    Action("reopen", JUDGE, "Reopen", "Go back to judging this finished document", ("Shift+F",),
           rooms=JUDGING, judges=True),
    Action("come-back", JUDGE, "Flag to come back", "Flag this document, or take its flag away", ("C",),
           rooms=JUDGING, judges=True),
    Action("note", JUDGE, "Note…", "Note something about the passage at the caret, or the document",
           ("Alt+N",), rooms=(Room.ASSESS,)),
    Action("grade-higher", JUDGE, "Grade higher", "The passage at the caret, or else the document", ("R",),
           rooms=JUDGING, judges=True),
    Action("grade-lower", JUDGE, "Grade lower", "The passage at the caret, or else the document",
           ("Shift+R",), rooms=JUDGING, judges=True),
    Action("clear", JUDGE, "Erase all marks", "Erase all marks and the best entry point of this document",
           ("Ctrl+Shift+Del",), rooms=JUDGING, judges=True),
    Action("keep-drifted", JUDGE, "Keep as it reads now",
           "Leave a mark that reads differently where it is, and remember how it reads now",
           starts_group=True, rooms=JUDGING, judges=True),
    Action("move-drifted", JUDGE, "Mark where it is now",
           "Move a mark that reads differently to where its text is now, and the best entry point in it",
           rooms=JUDGING, judges=True),
    Action("remove-drifted", JUDGE, "Remove the drifted mark",
           "Take a mark that reads differently away, and the best entry point in it", rooms=JUDGING,
           judges=True),
    Action("edit-judgements", JUDGE, "Edit judgements", "Take the pen under the run; the figures follow it",
           ("E",), starts_group=True, rooms=(Room.INSPECT,)),
    Action("leave-editing", JUDGE, "Leave editing", "Put the pen away: judgements cannot change any more",
           rooms=(Room.EDIT,)),
    Action("finish-again", JUDGE, "Finish changed documents again",
           "Those that were finished before they were changed here", rooms=(Room.INSPECT, Room.EDIT)),
    Action("what-if", JUDGE, "What if…", "Change a scratch copy of the run; the figures follow it", ("W",),
           rooms=(Room.INSPECT,)),
    Action("leave-what-if", JUDGE, "Leave what-if", "The scratch copy stays until the window closes",
           rooms=(Room.WHAT_IF,)),
    Action("undo-scratch", JUDGE, "Undo change", "Take the last change of the scratch copy back", ("Ctrl+Z",),
           rooms=(Room.WHAT_IF,)),
    Action("rank-up", JUDGE, "One rank up", "Move the document up in the scratch copy", ("Shift+K",),
           rooms=(Room.WHAT_IF,)),
    Action("rank-down", JUDGE, "One rank down", "Move the document down in the scratch copy", ("Shift+J",),
           rooms=(Room.WHAT_IF,)),
    Action("save-scratch", JUDGE, "Save as run…", "Write the scratch copy as a run file", ("Ctrl+Shift+S",),
           rooms=(Room.WHAT_IF,)),
    Action("next-document", GO, "Next document", "Open the next document of the list", ("J", "Ctrl+PgDown")),
    Action("previous-document", GO, "Previous document", "Open the document before", ("K", "Ctrl+PgUp")),
    Action("next-todo", GO, "Next document to do", "The next one that is not finished", ("Ctrl+J",)),
    Action("next-unit", GO, "Next sentence", "Or other unit in the hand; with Shift, select to there",
           ("Ctrl+Right", "Ctrl+Shift+Right"), starts_group=True),
    Action("previous-unit", GO, "Sentence before", "Or other unit in the hand; with Shift, select to there",
           ("Ctrl+Left", "Ctrl+Shift+Left")),
    Action("next-paragraph", GO, "Next paragraph", "The caret goes there; with Shift, select to there",
           ("Ctrl+Down", "Ctrl+Shift+Down")),
    Action("previous-paragraph", GO, "Paragraph before", "The caret goes there; with Shift, select to there",
           ("Ctrl+Up", "Ctrl+Shift+Up")),
    Action("context-menu", GO, "Menu at the caret", "What one can do there", ("Shift+F10",)),
    Action("back", GO, "Back", "To the document or place before this one", ("Alt+Left",), starts_group=True),
    Action("forward", GO, "Forward", "To where you went back from", ("Alt+Right",)),
    Action("search-collection", GO, "Find in the collection…",
           "Search the full text of all documents, also of those outside the pool", ("Ctrl+Shift+F",),
           rooms=(Room.ASSESS, Room.REPORT, Room.SEARCH)),
    Action("quality-report", GO, "Quality report", "See which places may be worth a second look", ("Alt+Q",),
           rooms=(Room.ASSESS, Room.REPORT, Room.SEARCH), starts_group=True),
    Action("open-finding", GO, "Open there", "Open the place that is asked about", rooms=(Room.REPORT,)),
    Action("right-as-it-is", GO, "Right as it is, next", "Answer the question, and go to the next one",
           ("Y",), rooms=(Room.REPORT,)),
    Action("choose-topic", GO, "Choose topic…", "Show the topics and how far each one is", ("Ctrl+T",),
           starts_group=True),
    Action("next-topic", GO, "Next topic", "Go to the next topic", ("Ctrl+Alt+Down",)),
    Action("previous-topic", GO, "Previous topic", "Go to the topic before", ("Ctrl+Alt+Up",)),
    Action("next-passage", GO, "Next passage", "Go to the next marked passage", ("]",), starts_group=True),
    Action("previous-passage", GO, "Previous passage", "Go to the marked passage before", ("[",)),
    Action("next-drifted", GO, "Next mark that reads differently",
           "Go to the next mark of this document whose text is no longer what it was", ("D",)),
    Action("same-sentence", GO, "Same sentence elsewhere", "To where that at the caret was judged, too",
           ("=",), rooms=(Room.ASSESS,)),
    Action("next-word", GO, "Next word", "Go to the next place of a word that you look for", ("W",),
           rooms=(Room.ASSESS,)),
    Action("previous-word", GO, "Previous word", "Go to the place before of a word that you look for",
           ("Shift+W",), rooms=(Room.ASSESS,)),
    Action("add-word", GO, "Look for a word…", "Colour a word, or what is selected, wherever it occurs",
           ("Alt+W",), rooms=(Room.ASSESS,)),
    Action("go-entry-point", GO, "Go to best entry point", "Show the best entry point", ("G",)),
    Action("all-topics", GO, "All topics", "Topics × runs: who is better on which topics", ("T",),
           starts_group=True, rooms=(Room.INSPECT, Room.EDIT)),
    Action("open-chosen-topic", GO, "Open topic", "Go into the topic that is chosen in the table",
           rooms=(Room.INSPECT,)),
    Action("swap-runs", GO, "Swap run and baseline", "Exchange the two runs that are compared", ("X",),
           rooms=(Room.INSPECT,)),
    *(Action(f"run-{number}", GO, f"Run {number} to the front", "Lay another run over the text",
             (str(number),), rooms=(Room.INSPECT,)) for number in range(1, 10)),
    Action("next-hit", GO, "Next hit", "Go to the next relevant text that the run found", ("H",),
           starts_group=True, rooms=(Room.INSPECT,)),
    Action("previous-hit", GO, "Previous hit", "Go to the hit before", ("Shift+H",), rooms=(Room.INSPECT,)),
    Action("next-miss", GO, "Next miss", "Go to the next relevant text that the run missed", ("M",),
           rooms=INSPECTING),
    Action("previous-miss", GO, "Previous miss", "Go to the miss before", ("Shift+M",), rooms=INSPECTING),
    Action("next-false-alarm", GO, "Next false alarm", "Go to the next text that the run took wrongly",
           ("A",), rooms=INSPECTING),
    Action("previous-false-alarm", GO, "Previous false alarm", "Go to the false alarm before", ("Shift+A",),
           rooms=INSPECTING),
    Action("next-entry", GO, "Next entry point", "Go to where the run, or the best reader, begins to read",
           ("P",), rooms=INSPECTING),
    Action("previous-entry", GO, "Previous entry point", "Go to the entry point before", ("Shift+P",),
           rooms=INSPECTING),
    Action("derive", GO, "Why this figure", "Formula, numbers, rows, and what leaving one out does", ("Y",),
           rooms=(Room.INSPECT,)),
    Action("focus-pool", GO, "To the document list", "Put the keyboard on the list of documents", ("F6",),
           starts_group=True),
    Action("focus-article", GO, "To the article", "Put the keyboard on the article", ("F7",)),
    Action("filter", GO, "Filter documents", "Show only documents whose title holds some text", ("/",)),
    Action("assess", VIEW, "Assess", "Judge: mark the relevant text of the pool's documents", ("Ctrl+1",),
           checkable=True),
    Action("inspect", VIEW, "Inspect", "See a run over the judged text, and its scores", ("Ctrl+2",),
           checkable=True),
    Action("palette", VIEW, "Find a command or document…", "Type what you want to do or read", ("Ctrl+K",),
           starts_group=True),
    Action("reader", VIEW, "What a reader reads", "T2I: passages first, then the rest, until patience ends",
           ("R",), checkable=True, starts_group=True, rooms=(Room.INSPECT,)),
    Action("charts", VIEW, "Charts…", "Charts of the open runs, to read off and to save", ("Ctrl+G",),
           rooms=INSPECTING),
    Action("zoom-in", VIEW, "Larger text", "Larger text in the article", ("Ctrl++", "Ctrl+=")),
    Action("zoom-out", VIEW, "Smaller text", "Smaller text in the article", ("Ctrl+-",)),
    Action("zoom-reset", VIEW, "Normal text size", "Text in the article as it was made", ("Ctrl+0",)),
    Action("outlines", VIEW, "Outline elements", "Outline and name the element under the mouse or the caret",
           ("O",), checkable=True, starts_group=True),
    Action("element-outward", VIEW, "Outline what holds it", "Go to the parent of the outlined element",
           ("Alt+Up",)),
    Action("element-inward", VIEW, "Outline what it holds", "Go to a child of the outlined element",
           ("Alt+Down",)),
    Action("element-next", VIEW, "Outline the next element", "Go to the next element with the same parent",
           ("Alt+Shift+Right",)),
    Action("element-previous", VIEW, "Outline the element before",
           "Go to the element before with the same parent", ("Alt+Shift+Left",)),
    Action("theme-system", VIEW, "Follow the desktop", "Light or dark as the desktop is", checkable=True,
           starts_group=True),
    Action("theme-light", VIEW, "Light", "Dark text on light paper", checkable=True),
    Action("theme-dark", VIEW, "Dark", "Light text on dark paper", checkable=True),
    Action("toggle-panels", VIEW, "Only the article", "Hide or show the panels beside the article", ("F9",),
           checkable=True, starts_group=True),
    Action("full-screen", VIEW, "Full screen", "Use the whole screen", ("F11",), checkable=True),
    Action("guide", HELP, "User guide", "The page of the guide about what one does here", ("F1",)),
    Action("keys", HELP, "Keys…", "The keys that matter here on one card; each can be changed",
           ("?", "Ctrl+F1")),
    Action("settings", HELP, "Settings…", "Assessor, appearance, what finishing does", ("Ctrl+,",)),
    Action("about", HELP, "About inexview", "Version, licence, where your files are"),
)  # fmt: skip


class ActionBook(QObject):
    """The QActions made of :data:`ACTIONS`, with the user's own keys."""

    keys_changed = Signal()  # they are the actions' keys already

    def __init__(self, window: QWidget, settings: Settings) -> None:
        super().__init__(window)
        self._settings = settings
        self._held = HeldKeys(window)
        self._guards: list[Callable[[Action], bool]] = [lambda record: record.repeats or self._held.fresh]
        self._actions: dict[str, QAction] = {}
        self._bound: set[str] = set()
        self.room = Room.ASSESS
        """What the window is used for now."""
        for record in ACTIONS:
            action = QAction(record.text, window)
            action.setObjectName(record.id)
            action.setCheckable(record.checkable)
            action.setAutoRepeat(record.repeats)
            self._actions[record.id] = action
            window.addAction(action)
        self._apply_keys()
        settings.changed.connect(self._on_setting)  # in whichever window a key was changed

    def __getitem__(self, action_id: str) -> QAction:
        return self._actions[action_id]

    def on(self, action_id: str, slot: Callable[[], object]) -> None:
        """Say what an action does; one that judges does it only if every guard allows it."""
        action = self._bind(action_id)
        record = next(record for record in ACTIONS if record.id == action_id)

        def do() -> None:
            if not record.judges or all(allows(record) for allows in self._guards):
                slot()

        action.triggered.connect(do)

    def guard(self, allows: Callable[[Action], bool]) -> None:
        """Ask before each action that judges; a guard that refuses says why itself."""
        self._guards.append(allows)

    def note_shown(self) -> None:
        """Take note that another document is on the screen: keys that are down now do not judge it."""
        self._held.outlive()

    def on_toggled(self, action_id: str, slot: Callable[[bool], object]) -> None:
        """Say what follows an action that is on or off, by hand or by the program."""
        self._bind(action_id).toggled.connect(slot)

    def _bind(self, action_id: str) -> QAction:
        if action_id in self._bound:
            raise ValueError(f"the action '{action_id}' does something already")
        action = self._actions[action_id]
        self._bound.add(action_id)
        return action

    def require_handlers(self) -> None:
        """Raise LookupError where an action of the menus would do nothing."""
        if unbound := [record.id for record in ACTIONS if record.id not in self._bound]:
            raise LookupError(f"actions without a handler: {', '.join(unbound)}")

    def set_room(self, room: Room) -> None:
        """Offer what makes sense in a room, and nothing else."""
        self.room = room
        for record in ACTIONS:
            self._actions[record.id].setVisible(record.at_hand(room))

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
        own = next(record for record in ACTIONS if record.id == action_id)
        for record in ACTIONS:
            kept = [key for key in self.keys(record.id) if key not in keys]
            if record.id != action_id and record.meets(own) and kept != self.keys(record.id):
                changed[record.id] = kept
        changed[action_id] = keys
        standard = {record.id: _normal(record.keys) for record in ACTIONS}
        differing = {name: keys for name, keys in changed.items() if keys != standard[name]}
        self._settings.set(KEYS, differing)

    def clashes(self, action_id: str, keys: list[str]) -> list[Action]:
        """Return the actions that would lose one of these keys to an action."""
        own = next(record for record in ACTIONS if record.id == action_id)
        return [
            record
            for record in ACTIONS
            if record.id != action_id and record.meets(own) and {*keys} & {*self.keys(record.id)}
        ]

    def reset_keys(self) -> None:
        """Give every action its standard keys again."""
        self._settings.set(KEYS, {})

    def fill_menu_bar(self, bar: QMenuBar) -> None:
        """Put every action into its menu."""
        for name in MENUS:
            self._fill(bar.addMenu(f"&{name}"), name)

    def _fill(self, menu: QMenu, name: str) -> None:
        menu.setToolTipsVisible(True)
        for record in records(name):
            if record.starts_group:
                menu.addSeparator()
            menu.addAction(self._actions[record.id])

    def _on_setting(self, change: SettingChanged) -> None:
        if change.setting is KEYS:
            self._apply_keys()
            self.keys_changed.emit()

    def _apply_keys(self) -> None:
        own = self._settings.get(KEYS)
        for record in ACTIONS:
            action = self._actions[record.id]
            action.setShortcuts([QKeySequence(key) for key in own.get(record.id, record.keys)])
            key = self.key_text(record.id)
            action.setToolTip(f"{record.tip} ({key})" if key else record.tip)
            action.setStatusTip(record.tip)


def records(menu: str) -> Iterator[Action]:
    """Yield the actions of one menu, in order."""
    return (record for record in ACTIONS if record.menu == menu)


def _normal(keys: tuple[str, ...]) -> list[str]:
    return [QKeySequence(key).toString() for key in keys]
