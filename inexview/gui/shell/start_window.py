"""The start window: recent projects, a new one, or the sample."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QFont, QIcon, QKeyEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from inexview.core.files import is_there
from inexview.core.resources import resource
from inexview.gui.look.layouts import Filler, in_column, in_row
from inexview.gui.look.theme import Themed
from inexview.gui.look.widgets import RIGHT, Caption, Recolored, explain, fit_to_screen, label, write
from inexview.gui.services.actions import FILE, HELP, Action, ActionBook
from inexview.gui.services.messages import Activity, Messages
from inexview.gui.services.settings import RECENT, Settings
from inexview.gui.services.tasks import Tasks
from inexview.gui.shell.top_bar import brand

# The actions that need no project: all of the start window, and in the File menu of every other.

NEW: Action[Any] = Action(
    "new-project", FILE, "New project…", "Make a project of articles, topics and a pool",
    lambda w: partial(w.asked.emit, "new-project"), ("Ctrl+N",),
)  # fmt: skip
OPEN: Action[Any] = Action(
    "open-project", FILE, "Open project…", "Open a project file",
    lambda w: partial(w.asked.emit, "open-project"), ("Ctrl+O",),
)  # fmt: skip
SAMPLE: Action[Any] = Action(
    "open-sample", FILE, "Open the sample project", "Try everything on articles made for it",
    lambda w: partial(w.asked.emit, "open-sample"),
)  # fmt: skip
QUIT: Action[Any] = Action(
    "quit", FILE, "Quit", "Leave inexview; everything is saved", lambda w: w.close, ("Ctrl+Q",),
    starts_group=True,
)  # fmt: skip
GUIDE: Action[Any] = Action(
    "guide", HELP, "User guide", "What inexview does, and how",
    lambda w: partial(w.asked.emit, "guide"), ("F1",),
)  # fmt: skip


ROOMY = 620, 440  # pixels from which there is room for more than buttons and projects
GoneRole = int(Qt.ItemDataRole.UserRole) + 1


class RecentDelegate(Themed, QStyledItemDelegate):
    """Paints a project: its name, below it its folder, and whether it is still there."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(100, 52)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        path: Path = index.data(Qt.ItemDataRole.UserRole)
        gone: bool = index.data(GoneRole)
        theme, rect = self.theme, option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        focused = selected and bool(option.state & QStyle.StateFlag.State_HasFocus)
        painter.setPen(QPen(theme.color("accent"), 2) if focused else Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("selected") if selected else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), 7, 7)
        line = rect.adjusted(12, 8, -12, 0)
        line.setHeight(18)
        bold, middle = QFont(option.font), Qt.TextElideMode.ElideMiddle
        bold.setWeight(QFont.Weight.DemiBold)
        if gone:
            write(painter, line, "not there now", option.font, theme.color("warning"), RIGHT)
            line.setRight(line.right() - 100)
        write(painter, line, path.stem, bold, theme.color("muted" if gone else "text"), shorten=middle)
        below = QRect(rect.left() + 12, rect.top() + 27, rect.width() - 24, 18)
        write(painter, below, _short(path.parent), option.font, theme.color("muted"), shorten=middle)
        painter.restore()


class RecentList(QListWidget):
    """Projects opened before; Return or a click opens one, Delete takes it off the list."""

    chosen = Signal(object)  # Path
    removed = Signal(object)  # Path

    def __init__(self, tasks: Tasks) -> None:
        super().__init__()
        self._tasks = tasks
        self.setAccessibleName("Recent projects")
        self.setProperty("role", "ringed")  # its rows show where the keyboard is
        self.setSpacing(1)
        self.delegate = RecentDelegate(self)
        self.setItemDelegate(self.delegate)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.itemClicked.connect(lambda item: self.chosen.emit(item.data(Qt.ItemDataRole.UserRole)))

    def fill(self, paths: list[Path]) -> None:
        self.clear()
        for path in paths:
            item = QListWidgetItem()
            item.setData(Qt.ItemDataRole.UserRole, path)
            item.setToolTip(str(path))
            self._show(item, gone=False)
            self.addItem(item)
            self._look(path)
        self.setCurrentRow(0)

    def _look(self, path: Path) -> None:
        """Ask off this thread: a drive in the network may let one wait for minutes."""

        def told(there: bool) -> None:
            for row in range(self.count()):
                if self.item(row).data(Qt.ItemDataRole.UserRole) == path:
                    self._show(self.item(row), gone=not there)

        self._tasks.run(lambda: is_there(path), told, urgent=False)

    def _show(self, item: QListWidgetItem, *, gone: bool) -> None:
        path: Path = item.data(Qt.ItemDataRole.UserRole)
        item.setText(f"{path.stem}{'   (not there now)' * gone}\n{_short(path.parent)}")
        item.setData(GoneRole, gone)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        item = self.currentItem()
        if item is not None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.chosen.emit(item.data(Qt.ItemDataRole.UserRole))
        elif item is not None and event.key() == Qt.Key.Key_Delete:
            self.removed.emit(item.data(Qt.ItemDataRole.UserRole))
        else:
            super().keyPressEvent(event)


class StartWindow(Recolored, QWidget):
    """What one sees when no project is open."""

    project_chosen = Signal(object)  # Path
    asked = Signal(object)  # str: the id of an action

    def __init__(self, settings: Settings, tasks: Tasks) -> None:
        super().__init__()
        self.setWindowTitle("inexview")
        self.setProperty("role", "page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.resize(860, 560)
        fit_to_screen(self)
        self._settings = settings
        self.book = ActionBook(self, settings, (SAMPLE, NEW, OPEN, GUIDE, QUIT))
        self.book.bind(self)
        self._brand = QLabel()
        self._brand.setProperty("role", "title")
        self._nothing = label(
            "Projects you open appear here. The sample is a good place to begin: three topics, "
            "two of them judged, and two runs to inspect.",
            "muted",
            wrap=True,
        )
        self.recent = RecentList(tasks)
        self.recent.chosen.connect(self.project_chosen)
        self.recent.removed.connect(self._forget)
        self.messages = Messages(self)
        self.activity = Activity(tasks)
        self._build()
        self.wear()
        self.refresh()

    def _build(self) -> None:
        mark = QLabel()
        mark.setPixmap(QIcon(str(resource("icons") / "inexview.svg")).pixmap(64, 64))
        said = label("Judge what is relevant, passage by passage. See why a system scores what it scores, "
                     "character by character.", "muted", wrap=True)  # fmt: skip
        self._decoration = mark, said
        left = in_column(mark, self._brand, said, 14, spacing=10)
        self.sample, self.new, self.open = (self._button(action) for action in (SAMPLE, NEW, OPEN))
        self.sample.setProperty("role", "primary")
        for button in (self.sample, self.new, self.open):
            left.addWidget(button)
        left.addStretch()
        right = in_column(Caption("Recent projects"), self._nothing, (self.recent, 1), Filler(0), spacing=10)
        self._parts = in_row((left, 4), (right, 6))
        self._lay_out()
        in_column(
            (self._parts, 1),
            self.activity,
            on=self,
            margins=0,
            spacing=0,
        )

    def _lay_out(self) -> None:
        """Have what was opened below what can be done, and nothing else, where there is little room."""
        roomy = self.width() >= ROOMY[0] and self.height() >= ROOMY[1]
        beside = self.width() >= ROOMY[0]
        directions = QBoxLayout.Direction
        self._parts.setDirection(directions.LeftToRight if beside else directions.TopToBottom)
        self._parts.setContentsMargins(*((48, 48, 40, 40) if roomy else (20, 16, 20, 16)))
        self._parts.setSpacing(48 if roomy else 16)
        for part in self._decoration:
            part.setVisible(roomy)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def _button(self, record: Action[Any]) -> QPushButton:
        button, action = QPushButton(record.text), self.book[record.id]
        button.clicked.connect(action.trigger)
        explain(button, action)
        return button

    def refresh(self) -> None:
        paths = [Path(name) for name in self._settings.get(RECENT)]
        self.recent.fill(paths)
        self.recent.setVisible(bool(paths))
        self._nothing.setVisible(not paths)
        (self.recent if paths else self.sample).setFocus()  # people go on with a project

    def recolor(self) -> None:
        self._brand.setText(brand(self.theme))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press the button that has the focus with Return, too."""
        focused = self.focusWidget()
        if isinstance(focused, QPushButton) and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            focused.click()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Take a message along when the window goes."""
        self.messages.clear()
        super().closeEvent(event)

    def _forget(self, path: Path) -> None:
        self._settings.forget_project(path)
        self.refresh()


def _short(folder: Path) -> str:
    home = Path.home()
    if folder == home:
        return "~"
    return f"~/{folder.relative_to(home)}" if folder.is_relative_to(home) else str(folder)
