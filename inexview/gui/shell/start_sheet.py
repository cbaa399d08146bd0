"""The contents of the start window: the ways to start, the drop area, and recent projects."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, QUrl, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QDesktopServices,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QMenu,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from inexview.core.files import is_there, shown_path
from inexview.core.wording import day_named
from inexview.gui.look.panels import Index
from inexview.gui.look.theme import Themed, set_look
from inexview.gui.look.widgets import (
    RIGHT,
    ElidedLabel,
    Filler,
    KeySign,
    PaintedWidget,
    button,
    derived,
    explain,
    in_column,
    in_row,
    label,
    with_key,
    write,
)
from inexview.gui.services.actions import ActionBook
from inexview.gui.services.settings import STATES, Settings
from inexview.gui.services.tasks import Tasks

DROP_HERE, LET_GO = "Drop a file or folder here", "Drop it to see what it is"
WELCOME = "Texts, topics, judgements, runs, chunks, a whole benchmark"
PathRole, GoneRole, SaidRole, WhenRole = (int(Qt.ItemDataRole.UserRole) + at for at in range(4))
ROW = 58  # height of a project's row in pixels
SEEN = 6  # projects that are visible without scrolling
FIND, REMOVE = "Find…", "Remove"
GAP = 14  # pixels between the two


class Way(QPushButton):
    """A button with a way to start: its purpose, what it needs, and its key."""

    entered = Signal(object)  # this
    stepped = Signal(object)  # int: move the focus to the next (1) or previous (-1) way

    def __init__(self, book: ActionBook, action_id: str, about: str) -> None:
        super().__init__()
        action = book[action_id]
        self.way = action_id
        self.setProperty("role", "way")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(76)
        heading, said = label(action.text(), "heading"), ElidedLabel(about, role="muted")
        for part in (heading, said):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        sign = KeySign(action)
        words = in_column(Filler(1), heading, said, Filler(1), spacing=4)
        in_row((words, 1), (sign, 0, Qt.AlignmentFlag.AlignVCenter), on=self, margins=(17, 0, 17, 0))
        self.clicked.connect(action.trigger)
        explain(self, action)
        self.setAccessibleName(with_key(action.text(), sign.text()))
        self.setAccessibleDescription(about)

    def event(self, event: QEvent) -> bool:
        """Signal that it got the focus: Tab stops at only one of the ways."""
        if event.type() is QEvent.Type.FocusIn:
            self.entered.emit(self)
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move between the ways with the arrow keys; Qt would go to any button."""
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}
        step = steps.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self.stepped.emit(step)


class DropArea(PaintedWidget):
    """Invites to drop files anywhere in the window, and reports problems with dropped files."""

    def __init__(self, book: ActionBook, action_id: str, help_id: str) -> None:
        super().__init__()
        self._over = False
        self.setMinimumHeight(112)
        self.heading = label(DROP_HERE, "value")
        self.said = label(WELCOME, "muted", wrap=True)
        for part in (self.heading, self.said):
            part.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.browse, self.help = button("Browse…", "link"), button("What can be opened", "link")
        self.browse.clicked.connect(book[action_id].trigger)
        self.help.clicked.connect(book[help_id].trigger)
        explain(self.browse, book[action_id])
        self.help.hide()
        ways = in_row(
            Filler(1), self.help, label("or", "muted"), self.browse, KeySign(book[action_id]), Filler(1),
            spacing=6,
        )  # fmt: skip
        in_column(
            Filler(1), self.heading, self.said, ways, Filler(1), on=self, margins=(16, 10, 16, 10), spacing=4
        )

    def show_over(self, *, over: bool) -> None:
        """Show what dropping does, while something is dragged over the window."""
        self._over = over
        self.heading.setText(LET_GO if over else DROP_HERE)
        set_look(self.heading, "over", over)
        self.update()

    def show_problem(self, problem: str) -> None:
        """Show why files cannot be opened; "" removes the message."""
        self.said.setText(problem or WELCOME)
        set_look(self.said, "role", "warning" if problem else "muted")
        self.help.setVisible(bool(problem))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(self.theme.color("accent" if self._over else "handle"), 2 if self._over else 1)
        pen.setDashPattern([4, 3])
        painter.setPen(pen)
        painter.setBrush(self.theme.color("selected") if self._over else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 10, 10)


class RecentDelegate(Themed, QStyledItemDelegate):
    """Paints a project: name, kind, progress and last use, or that it is missing."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(100, ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        path: Path = index.data(PathRole)
        gone: bool = index.data(GoneRole)
        theme, rect = self.theme, option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        focused = bool(option.state & QStyle.StateFlag.State_Selected) and bool(
            option.state & QStyle.StateFlag.State_HasFocus
        )
        painter.setPen(QPen(theme.color("accent"), 2) if focused else Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("selected") if hovered or focused else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(rect.adjusted(1, 1, -1, -2), 7, 7)
        painter.setPen(QPen(theme.color("line"), 1))
        painter.drawLine(rect.left(), rect.bottom(), rect.right(), rect.bottom())
        small, bold = derived(option.font, factor=0.93), derived(option.font, bold=True)
        line = rect.adjusted(10, 10, -10, 0)
        line.setHeight(18)
        taken = 0
        if gone:
            for text, place in links(rect, small).items():
                write(painter, place, text, small, theme.color("accent"))
                taken = max(taken, rect.right() - place.left())
        elif when := index.data(WhenRole):
            write(painter, line, when, small, theme.color("muted"), RIGHT)
            taken = QFontMetrics(small).horizontalAdvance(when) + 12
        middle = Qt.TextElideMode.ElideMiddle
        name = line.adjusted(0, 0, -taken, 0)
        write(painter, name, path.stem, bold, theme.color("muted" if gone else "text"), shorten=middle)
        below = QRect(line.left(), line.bottom() + 4, line.width(), 18)
        if gone:
            write(painter, below, NOT_THERE, small, theme.color("warning"))
            below.setLeft(below.left() + QFontMetrics(small).horizontalAdvance(f"{NOT_THERE} "))
        said: str = shown_path(path) if gone else index.data(SaidRole)
        write(painter, below, said, small, theme.color("muted"), shorten=middle)
        painter.restore()


NOT_THERE = "Not there now:"


def links(row: QRect, font: QFont) -> dict[str, QRect]:
    """Return the areas of *Find…* and *Remove* in the row of a missing project."""
    metrics = QFontMetrics(font)
    right, places = row.right() - 10, {}
    for text in (REMOVE, FIND):
        wide = metrics.horizontalAdvance(text)
        places[text] = QRect(right - wide, row.top() + 10, wide + 2, 18)
        right -= wide + GAP
    return places


class RecentList(QListWidget):
    """Recent projects; Enter or a click opens one, Delete removes it from the list.

    Missing projects stay, with *Find…* (Enter) and *Remove* (Delete).
    """

    chosen = Signal(object)  # Path
    removed = Signal(object)  # Path
    sought = Signal(object)  # Path: a missing project that the user wants to find

    def __init__(self, tasks: Tasks, settings: Settings) -> None:
        super().__init__()
        self._tasks, self._settings = tasks, settings
        self.setAccessibleName("Recent projects")
        self.setProperty("role", "ringed")  # its rows show the focus
        self.setMouseTracking(True)
        self.delegate = RecentDelegate(self)
        self.setItemDelegate(self.delegate)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)

    def fill(self, paths: list[Path]) -> None:
        self.clear()
        states = self._settings.get(STATES)
        now = datetime.now().astimezone()
        for path in paths:
            said, when = (*states.get(str(path), []), "", "")[:2]
            item = QListWidgetItem()
            item.setData(PathRole, path)
            item.setData(SaidRole, said or shown_path(path.parent))
            item.setData(WhenRole, day_named(when, now))
            item.setToolTip(str(path))
            self._show(item, gone=False)
            self.addItem(item)
        self.setCurrentRow(0)
        self.updateGeometry()
        self.look_again()

    def look_again(self) -> None:
        """Check which projects exist: a drive may have been connected or removed."""
        for row in range(self.count()):
            self._look(self.item(row).data(PathRole))

    def _look(self, path: Path) -> None:
        """Check in a background thread, because a network drive may take minutes to answer."""

        def told(there: bool) -> None:
            for row in range(self.count()):
                if self.item(row).data(PathRole) == path:
                    self._show(self.item(row), gone=not there)

        self._tasks.run(lambda: is_there(path), told, urgent=False)

    def _show(self, item: QListWidgetItem, *, gone: bool) -> None:
        path: Path = item.data(PathRole)
        said = f"{NOT_THERE} {shown_path(path)}" if gone else item.data(SaidRole)
        item.setText(f"{path.stem}\n{said}")
        item.setData(GoneRole, gone)

    def sizeHint(self) -> QSize:
        return QSize(300, min(max(self.count(), 1), SEEN) * ROW + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, min(max(self.count(), 1), 2) * ROW + 4)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        item = self.itemAt(event.position().toPoint())
        if item is not None and event.button() is Qt.MouseButton.LeftButton:
            self._press(item, event.position().toPoint())

    def _press(self, item: QListWidgetItem, at: QPoint) -> None:
        path: Path = item.data(PathRole)
        if not item.data(GoneRole):
            self.chosen.emit(path)
            return
        places = links(self.visualItemRect(item), derived(self.font(), factor=0.93))
        pressed = next((text for text, place in places.items() if place.contains(at)), None)
        if pressed == FIND:
            self.sought.emit(path)
        elif pressed == REMOVE:
            self.removed.emit(path)
        else:
            self._look(path)  # it may be back

    def keyPressEvent(self, event: QKeyEvent) -> None:
        item = self.currentItem()
        if item is None or event.isAutoRepeat():
            super().keyPressEvent(event)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            (self.sought if item.data(GoneRole) else self.chosen).emit(item.data(PathRole))
        elif event.key() == Qt.Key.Key_Delete:
            self.removed.emit(item.data(PathRole))
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        item = (
            self.itemAt(event.pos())
            if event.reason() is QContextMenuEvent.Reason.Mouse
            else self.currentItem()
        )
        if item is None:
            return
        path: Path = item.data(PathRole)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if item.data(GoneRole):
            menu.addAction(FIND).triggered.connect(lambda: self.sought.emit(path))
        else:
            folder = QUrl.fromLocalFile(str(path.parent))
            menu.addAction("Show folder").triggered.connect(lambda: QDesktopServices.openUrl(folder))
        menu.addAction("Remove from this list").triggered.connect(lambda: self.removed.emit(path))
        menu.popup(self.viewport().mapToGlobal(self.visualItemRect(item).bottomLeft()))
