"""The start window: recent projects, a new one, or the sample."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QFocusEvent,
    QFont,
    QIcon,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QMenuBar,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionMenuItem,
    QStyleOptionViewItem,
    QToolButton,
    QWidget,
)

from inexview.core.files import is_there, resource, shown_path
from inexview.gui.look.theme import Theme, Themed, set_look
from inexview.gui.look.widgets import (
    RIGHT,
    Caption,
    ElidedLabel,
    Filler,
    KeySign,
    Recolored,
    explain,
    fit_to_screen,
    in_column,
    in_row,
    label,
    write,
)
from inexview.gui.services.actions import FILE, HELP, Action, ActionBook
from inexview.gui.services.messages import Activity, Messages
from inexview.gui.services.settings import RECENT, Settings
from inexview.gui.services.tasks import Tasks

if TYPE_CHECKING:
    from inexview.core.judgements.topics import Topic
    from inexview.gui.look.panels import Index


# The bar along the top: menus, where one is, Assess or Inspect, and the way to everything by typing.

SEARCH = (124, 270)  # pixels: least and most that the search field takes
SEARCH_MARGIN = 8  # pixels beside its key
SEARCH_FOR = "Find a command, document…"
FIND = "Find…"
SEARCH_AROUND = 32  # pixels beside the words and the key
LONGEST_PROJECT = 200  # pixels: the rest is the topic's
NAMED, BRANDED = 1100, 900  # pixels from which the bar shows the project's name too, and its own
OVER = (QEvent.Type.MouseButtonPress, QEvent.Type.WindowDeactivate, QEvent.Type.FocusOut)


def brand(theme: Theme) -> str:
    return f'<b>inex<span style="color:{theme.mark_edge}">view</span></b>'


class SegmentButton(QPushButton):
    """One part of the Assess | Adjudicate | Inspect switch; shows an action and its state."""

    def __init__(self, book: ActionBook, action_id: str, side: str) -> None:
        super().__init__(book[action_id].text())
        self.setCheckable(True)
        self.setProperty("role", "segment")
        self.setProperty("side", side)
        action = book[action_id]
        explain(self, action)
        self.clicked.connect(action.trigger)
        action.toggled.connect(self.setChecked)


class Crumb(QPushButton):
    """The topic, shortened to the room that the bar has for it."""

    LONGEST, SHORTEST, AROUND = 340, 72, 40  # pixels; what padding and the arrow take

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "crumb")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._full = ""
        self.set_text("No topic")

    def set_text(self, text: str) -> None:
        self._full = text
        self.setAccessibleName(f"Topic {text}")
        self._elide()
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        self.ensurePolished()  # the style sheet makes the font bold
        wanted = self.fontMetrics().horizontalAdvance(self._full) + self.AROUND + 2  # rounded down
        return QSize(min(wanted, self.LONGEST), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(self.SHORTEST, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        metrics, room = self.fontMetrics(), max(self.width(), self.SHORTEST) - self.AROUND
        self.setText(metrics.elidedText(self._full, Qt.TextElideMode.ElideRight, room) + "  ▾")


class SearchField(QPushButton):
    """Opens the palette; says what one finds there as far as there is room beside its key, or nothing."""

    def __init__(self, palette: QAction) -> None:
        super().__init__(SEARCH_FOR)
        self._alone = False
        self.setProperty("role", "search")
        explain(self, palette)
        self.setAccessibleName(SEARCH_FOR)
        self.clicked.connect(palette.trigger)
        self._key = KeySign(palette)
        middle = Qt.AlignmentFlag.AlignVCenter
        in_row(Filler(0), (self._key, 0, middle), on=self, margins=(0, 0, SEARCH_MARGIN, 0))
        palette.changed.connect(self._fit)  # after the sign
        self._fit()

    def show_key_alone(self, *, alone: bool) -> None:
        """Leave the room to what is beside it, or take it again."""
        self._alone = alone
        self._fit()

    def _fit(self) -> None:
        key = self._key.sizeHint().width() + 2 * SEARCH_MARGIN
        least, most = (key, key) if self._alone and self._key.text() else SEARCH
        self.setMinimumWidth(least)
        self.setMaximumWidth(most)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Say less where there is less room."""
        super().resizeEvent(event)
        room = self.width() - self._key.sizeHint().width() - SEARCH_AROUND
        needs = self.fontMetrics().horizontalAdvance
        self.setText(next((text for text in (SEARCH_FOR, FIND) if needs(text) <= room), ""))


class TopBar(Recolored, QWidget):
    """Brand, menus, project ▸ topic, the switch, and the search field that opens the palette."""

    def __init__(self, book: ActionBook) -> None:
        super().__init__()
        self.setProperty("role", "bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(44)
        self._brand = QLabel()
        self.menus = MenuBar()
        self._project = ElidedLabel(role="muted", shorten=Qt.TextElideMode.ElideMiddle)
        self._project.setMaximumWidth(LONGEST_PROJECT)
        self.topic = Crumb()
        explain(self.topic, book["choose-topic"])
        self.topic.clicked.connect(book["choose-topic"].trigger)
        self.search = SearchField(book["palette"])
        self._build(book)

    def _build(self, book: ActionBook) -> None:
        self._adjudicate = SegmentButton(book, "adjudicate", "middle")
        assess, inspect = SegmentButton(book, "assess", "left"), SegmentButton(book, "inspect", "right")
        self._segments = (assess, self._adjudicate, inspect)
        adjudicate = book["adjudicate"]  # offered only while there is a second layer
        adjudicate.changed.connect(lambda: self._adjudicate.setVisible(adjudicate.isEnabled()))
        in_row(
            self._brand,
            6,
            (self.menus, 0, Qt.AlignmentFlag.AlignVCenter),
            10,
            self._project,
            self.topic,
            10,
            *self._segments,
            10,
            Filler(1),
            (self.search, 2),
            on=self,
            margins=(14, 0, 14, 0),
            spacing=0,
        )
        self.wear()

    def recolor(self) -> None:
        self._brand.setText(brand(self.theme))

    def set_project(self, name: str) -> None:
        self._project.set_text(f"{name} ▸")

    def show_topic(self, topic: Topic | None, *, over_topics: bool) -> None:
        if over_topics:
            self.topic.set_text("all topics")
        elif topic is not None:
            self.topic.set_text(f"{topic.id} · {topic.title}" if topic.title else topic.id)

    def event(self, event: QEvent) -> bool:
        """Leave names to the window's title where there is no room for them."""
        handled = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            third = self._adjudicate.sizeHint().width() if self._adjudicate.isVisibleTo(self) else 0
            self._project.setVisible(self.width() >= NAMED + 2 * third)
            self._tighten(tight=self.width() < BRANDED + third)
        return handled

    def _tighten(self, *, tight: bool) -> None:
        """Leave as much as can be to the topic, or take it again."""
        if tight == self._brand.isHidden():
            return
        self._brand.setVisible(not tight)
        self.search.show_key_alone(alone=tight)
        for part in (self.menus, *self._segments):
            set_look(part, "tight", tight)
            QApplication.sendEvent(part, QEvent(QEvent.Type.StyleChange))

    def minimumSizeHint(self) -> QSize:
        named = [name for name in (self._project, self._brand) if name.isVisibleTo(self)]
        return super().minimumSizeHint() - QSize(sum(name.minimumSizeHint().width() for name in named), 0)


class ToolStrip(QToolButton):
    """A quiet button of the status bar that shows and triggers an action."""

    def __init__(self, book: ActionBook, action_id: str) -> None:
        super().__init__()
        self._action, self._shown = book[action_id], ""
        explain(self, self._action)
        self._action.changed.connect(self._name)
        self.clicked.connect(self._action.trigger)
        self._name()

    def show_value(self, text: str) -> None:
        """Show what is so now; who hears it is told what a click does, too."""
        self._shown = text
        self.setText(text)
        self._name()

    def _name(self) -> None:
        does = self._action.text()
        self.setAccessibleName(f"{does.rstrip('…')}: {self._shown}" if self._shown else does)


class MenuBar(QMenuBar):
    """Alt goes to the menus, Alt with a letter opens one: Qt does that; this paints them."""

    def __init__(self) -> None:
        super().__init__()
        self.setNativeMenuBar(False)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.underlined = False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """See Alt in the window, before Qt acts on it."""
        kind = event.type()
        if isinstance(event, QKeyEvent) and kind is QEvent.Type.ShortcutOverride:
            self._underline(on=event.key() == Qt.Key.Key_Alt)
        elif self.underlined and kind in OVER:
            self._underline(on=self.activeAction() is not None)
        return super().eventFilter(watched, event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() is not Qt.FocusReason.PopupFocusReason:
            self._underline(on=False)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, style = QPainter(self), self.style()
        for action in self.actions():
            option = QStyleOptionMenuItem()
            self.initStyleOption(option, action)
            option.rect = self.actionGeometry(action)
            if not self.underlined:
                option.text = option.text.replace("&", "")
            style.drawControl(QStyle.ControlElement.CE_MenuBarItem, option, painter, self)

    def _underline(self, *, on: bool) -> None:
        if on != self.underlined:
            self.underlined = on
            self.update()


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
BENCHMARK: Action[Any] = Action(
    "open-benchmark", FILE, "Open a benchmark’s folder…",
    "See what a folder of texts, questions and passages holds, before anything is made",
    lambda w: partial(w.asked.emit, "open-benchmark"),
)  # fmt: skip
BENCHMARK_FILE: Action[Any] = Action(
    "open-benchmark-file", FILE, "Open a benchmark’s file…",
    "See what a file of a benchmark or an annotation tool holds, before anything is made",
    lambda w: partial(w.asked.emit, "open-benchmark-file"),
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

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(100, 52)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
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
        write(painter, below, shown_path(path.parent), option.font, theme.color("muted"), shorten=middle)
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
        item.setText(f"{path.stem}{'   (not there now)' * gone}\n{shown_path(path.parent)}")
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
        self.book = ActionBook(self, settings, (SAMPLE, NEW, OPEN, BENCHMARK, BENCHMARK_FILE, GUIDE, QUIT))
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
        self.benchmark, self.benchmark_file = map(self._button, (BENCHMARK, BENCHMARK_FILE))
        self.benchmark.setText("Benchmark folder…")
        self.benchmark_file.setText("File…")
        left.addLayout(in_row((self.benchmark, 3), (self.benchmark_file, 1)))
        told = "Or drop a project, a benchmark or an annotation tool’s file here."
        left.addWidget(label(told, "note", wrap=True))
        left.addStretch()
        right = in_column(Caption("Recent projects"), self._nothing, (self.recent, 1), Filler(0), spacing=10)
        self._parts = in_row((left, 4), (right, 6))
        self._lay_out()
        in_column((self._parts, 1), self.activity, on=self, margins=0, spacing=0)

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
