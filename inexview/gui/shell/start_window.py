"""The start window: three ways to start, recent projects, and the sample."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QIcon, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QFrame,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QWidget,
)

from inexview.core.files import resource, version
from inexview.gui.look.widgets import (
    Caption,
    Drops,
    ElidedLabel,
    Filler,
    KeyButton,
    KeySign,
    Recolored,
    button,
    fit_to_screen,
    in_column,
    in_row,
    key_label,
    label,
)
from inexview.gui.services.actions import FILE, HELP, Action, ActionBook
from inexview.gui.services.messages import Activity, Messages
from inexview.gui.services.settings import RECENT, WAY, Settings
from inexview.gui.services.tasks import Tasks
from inexview.gui.shell.start_sheet import DropArea, RecentList, Way
from inexview.gui.shell.top_bar import brand

# The actions that need no project, in the File menu of every window; the start window has its own buttons.

NEW: Action[Any] = Action(
    "new-project", FILE, "New project…", "Make a project of articles, topics and a pool",
    lambda w: partial(w.asked.emit, "new-project"), ("Ctrl+N",),
)  # fmt: skip
OPEN: Action[Any] = Action(
    "open-project", FILE, "Open project…", "Open a project file",
    lambda w: partial(w.asked.emit, "open-project"), ("Ctrl+O",),
)  # fmt: skip
SAMPLE: Action[Any] = Action(
    "open-sample", FILE, "Open the sample project", "Try everything on articles written for it",
    lambda w: partial(w.asked.emit, "open-sample"),
)  # fmt: skip
LOOK_AT_RUNS: Action[Any] = Action(
    "look-at-runs", FILE, "Look at runs…", "Open judgements and runs in Inspect, without a project",
    lambda w: partial(w.asked.emit, "look-at-runs"),
)  # fmt: skip
OTHER: Action[Any] = Action(
    "open-other", FILE, "Open a benchmark or collection…",
    "Check what a file or folder holds before you make a project of it",
    lambda w: partial(w.asked.emit, "open-other"),
)  # fmt: skip
QUIT: Action[Any] = Action(
    "quit", FILE, "Quit", "Leave inexview; everything is saved", lambda w: w.close, ("Ctrl+Q",),
    starts_group=True,
)  # fmt: skip
GUIDE: Action[Any] = Action(
    "guide", HELP, "User guide", "Open the user guide",
    lambda w: partial(w.asked.emit, "guide"), ("F1",),
)  # fmt: skip


JUDGE: Action[Any] = Action(
    "way-judge", FILE, "Judge", NEW.tip, lambda w: partial(w.enter, "way-judge", "new-project"), ("1",)
)
LOOK: Action[Any] = Action(
    "way-look",
    FILE,
    "Look at runs",
    LOOK_AT_RUNS.tip,
    lambda w: partial(w.enter, "way-look", "look-at-runs"),
    ("2",),
)
SEE: Action[Any] = Action(
    "way-see", FILE, "Open a benchmark or collection", OTHER.tip,
    lambda w: partial(w.enter, "way-see", "open-other"), ("3",),
)  # fmt: skip
BROWSE: Action[Any] = replace(
    OPEN, text="Browse…", tip="Choose a project, or anything else that can be opened: files or a folder",
    does=lambda w: partial(w.asked.emit, "browse"),
)  # fmt: skip
PREFERENCES: Action[Any] = Action(
    "settings", FILE, "Settings", "Assessor, appearance, behaviour of Finish",
    lambda w: partial(w.asked.emit, "settings"), ("Ctrl+,",),
)  # fmt: skip
HELPFUL: Action[Any] = Action(
    "what-can-be-opened", HELP, "What can be opened", "The files that inexview reads",
    lambda w: partial(w.asked.emit, "what-can-be-opened"),
)  # fmt: skip
WAYS = (
    (JUDGE, "Mark relevant passages and export the judgements."),
    (LOOK, "Open judgements and runs, without a project."),
    (SEE, "Check what it is before you make a project of it."),
)
ABOUT = "Judge what is relevant. See, character by character,\nwhy a system scores what it scores."
OF_SAMPLE = "The sample: 11 topics, 10 of them judged, 56 articles, 5 runs. Change what you like."
PROJECT_WAY = "project"

SIZE = (1160, 780)
BESIDE = 1000  # pixels from which the projects are next to the ways to start instead of below them
COLUMN = 500  # maximum width of each of the two in pixels


class StartWindow(Recolored, QWidget):
    """The window that is shown while no project is open."""

    project_chosen = Signal(object)  # Path
    project_sought = Signal(object)  # Path of a missing project
    asked = Signal(object)  # str: the id of an action

    def __init__(self, settings: Settings, tasks: Tasks) -> None:
        super().__init__()
        self.setWindowTitle("inexview")
        self.setProperty("role", "page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.resize(*SIZE)
        fit_to_screen(self)
        self._settings = settings
        ways = tuple(record for record, _ in WAYS)
        sample = replace(SAMPLE, keys=("S",))
        self.book = ActionBook(
            self, settings, (*ways, sample, NEW, BROWSE, PREFERENCES, HELPFUL, GUIDE, QUIT)
        )
        self.recent = RecentList(tasks, settings)
        self.recent.chosen.connect(self._choose)
        self.recent.removed.connect(self._forget)
        self.recent.sought.connect(self.project_sought)
        self.messages = Messages(self)
        self.activity = Activity(tasks)
        self.drops = Drops(self)
        self._build()
        self.book.bind(self)
        self.drops.over.connect(lambda over: self.area.show_over(over=over))
        self.wear()
        self.refresh()

    def _build(self) -> None:
        top = Qt.AlignmentFlag.AlignTop
        self._parts = in_row((self._left(), 1, top), (self._right(), 1, top), spacing=62)
        sheet = QWidget()
        sheet.setProperty("role", "page")
        self._row = in_row(Filler(1), (self._parts, 100), Filler(1), spacing=0)
        self._sheet = in_column(Filler(2), self._row, Filler(3), on=sheet)
        self._scrolled = QScrollArea()
        self._scrolled.setFrameShape(QFrame.Shape.NoFrame)
        self._scrolled.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scrolled.setWidgetResizable(True)
        self._scrolled.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scrolled.setWidget(sheet)
        in_column((self._scrolled, 1), self.activity, self._foot(), on=self, margins=0, spacing=0)
        self._lay_out()

    def _left(self) -> QWidget:
        left, mark = QWidget(), QLabel()
        mark.setPixmap(QIcon(str(resource("icons") / "inexview.svg")).pixmap(52, 52))
        self._brand = label("", "title")
        self._brand.setTextFormat(Qt.TextFormat.RichText)
        said = label(ABOUT, "muted")
        self.ways = [Way(self.book, record.id, about) for record, about in WAYS]
        for way in self.ways:
            way.entered.connect(self._come_to)
            way.stepped.connect(partial(self._step, way))
        self.area = DropArea(self.book, BROWSE.id, HELPFUL.id)
        in_column(
            in_row(mark, self._brand, Filler(1), spacing=18), 6, said, 22, *self.ways, 12, self.area,
            on=left, margins=0, spacing=12,
        )  # fmt: skip
        left.setMaximumWidth(COLUMN)
        left.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        return left

    def _right(self) -> QWidget:
        right = QWidget()
        self._recent_caption = Caption("Recent projects")
        self._new_caption = Caption("New here?")
        said = label(OF_SAMPLE, "muted", wrap=True)
        self.sample = KeyButton("Open the sample", self.book[SAMPLE.id])
        self.sample.setFixedWidth(222)
        self._projects = in_column(self._recent_caption, 8, self.recent, 30, spacing=0)
        news = self._new_caption, 4, said, 8, self.sample
        in_column(self._projects, *news, Filler(1), on=right, margins=0, spacing=4)
        right.setMaximumWidth(COLUMN)
        right.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        return right

    def _foot(self) -> QWidget:
        foot = QWidget()
        foot.setObjectName("status-bar")
        foot.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        foot.setFixedHeight(30)
        self.hints = QWidget()
        hints = (("↑", "↓"), "choose"), (("Tab",), "to the projects"), (("Enter",), "open")
        parts = [
            in_row(*(key_label(key) for key in keys), label(does, "status"), spacing=5)
            for keys, does in hints
        ]
        in_row(*parts, on=self.hints, margins=0, spacing=20)
        about = [self._of_foot(record) for record in (PREFERENCES, GUIDE)]
        in_row(
            ElidedLabel(f"inexview {version()}", role="status"), self.hints, Filler(1), *about,
            on=foot, margins=(14, 0, 14, 0), spacing=20,
        )  # fmt: skip
        return foot

    def _of_foot(self, record: Action[Any]) -> QBoxLayout:
        pressed = button("Guide" if record is GUIDE else record.text, "link")
        pressed.clicked.connect(self.book[record.id].trigger)
        return in_row(pressed, KeySign(self.book[record.id]), spacing=2)

    def _lay_out(self) -> None:
        """Place the projects below the ways to start if the window is narrow."""
        beside, low = self.width() >= BESIDE, self.height() < 760
        directions = QBoxLayout.Direction
        self._parts.setDirection(directions.LeftToRight if beside else directions.TopToBottom)
        self._parts.setSpacing(62 if beside else 30)
        side = 40 if self.width() >= 620 else 16
        self._sheet.setContentsMargins(side, 16 if low else 40, side, 16)
        self.hints.setVisible(self.width() >= 760)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    # -- contents ------------------------------------------------------------------------------------

    def refresh(self) -> None:
        paths = [Path(name) for name in self._settings.get(RECENT)]
        self.recent.fill(paths)
        for part in (self._recent_caption, self.recent):
            part.setVisible(bool(paths))
        self.area.show_problem("")
        self._ring(paths)

    def _ring(self, paths: list[Path]) -> None:
        """Focus the way that was used last, at the very first start the sample."""
        last = self._settings.get(WAY)
        way = next((way for way in self.ways if way.way == last), None)
        if way is not None:
            self._come_to(way)
            way.setFocus()
        else:
            self._come_to(self.ways[0])
            (self.recent if paths else self.sample).setFocus()

    def recolor(self) -> None:
        self._brand.setText(brand(self.theme))

    def show_problem(self, problem: str) -> None:
        """Show as a sentence why files cannot be opened."""
        self.area.show_problem(problem)
        self._scrolled.ensureWidgetVisible(self.area)

    # -- ways to start -------------------------------------------------------------------------------

    def enter(self, way: str, action_id: str) -> None:
        """Start in one way, and focus it the next time."""
        self._settings.set(WAY, way)
        self.area.show_problem("")
        self.asked.emit(action_id)

    def _choose(self, path: Path) -> None:
        self._settings.set(WAY, PROJECT_WAY)
        self.project_chosen.emit(path)

    def _come_to(self, here: Way) -> None:
        """Let Tab stop at one of the ways, from which arrow keys go to the others."""
        for way in self.ways:
            way.setFocusPolicy(Qt.FocusPolicy.StrongFocus if way is here else Qt.FocusPolicy.ClickFocus)

    def _step(self, way: Way, by: int) -> None:
        self.ways[(self.ways.index(way) + by) % len(self.ways)].setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press the focused button with Enter, once for each press."""
        focused = self.focusWidget()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if isinstance(focused, QAbstractButton) and not event.isAutoRepeat():
                focused.click()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Discard the message when the window closes."""
        self.messages.clear()
        super().closeEvent(event)

    def _forget(self, path: Path) -> None:
        self._settings.forget_project(path)
        self.refresh()
