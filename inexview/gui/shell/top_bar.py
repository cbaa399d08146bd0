"""The bar along the top of a project's window: menus, topic, modes, and the search field."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QAction, QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QMenuBar,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionMenuItem,
    QToolButton,
    QWidget,
)

from inexview.core.wording import unturned
from inexview.gui.look.theme import Theme, set_look
from inexview.gui.look.widgets import (
    ElidedLabel,
    Filler,
    KeySign,
    Recolored,
    explain,
    in_row,
)
from inexview.gui.services.actions import ActionBook

if TYPE_CHECKING:
    from inexview.core.judgements.topics import Topic

SEARCH = (124, 270)  # minimum and maximum width of the search field in pixels
SEARCH_MARGIN = 8  # pixels next to its key
SEARCH_FOR = "Find a command, document…"
FIND = "Find…"
SEARCH_AROUND = 32  # pixels around the text and the key
LONGEST_PROJECT = 200  # maximum width in pixels; the topic gets the rest
NAMED, BRANDED = 1100, 900  # widths in pixels from which the bar shows the project's name, and the brand
OVER = (QEvent.Type.MouseButtonPress, QEvent.Type.WindowDeactivate, QEvent.Type.FocusOut)


def brand(theme: Theme) -> str:
    return f'<b>inex<span style="color:{theme.mark_edge}">view</span></b>'


class SegmentButton(QPushButton):
    """One part of the switch Assess | Adjudicate | Inspect; it shows an action and its state."""

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
    """The topic, shortened to fit into the bar."""

    LONGEST, SHORTEST, AROUND = 340, 72, 40  # pixels; padding and arrow

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "crumb")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._full = ""
        self.set_text("No topic")

    def set_text(self, text: str) -> None:
        self._full = unturned(text)
        self.setAccessibleName(f"Topic {text}")
        self._elide()
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        self.ensurePolished()  # the style sheet makes the font bold
        wanted = self.fontMetrics().horizontalAdvance(self._full) + self.AROUND + 2  # widths are rounded down
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
    """Opens the palette; shows as much of its prompt as fits next to its key."""

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
        palette.changed.connect(self._fit)  # connected after the sign
        self._fit()

    def show_key_alone(self, *, alone: bool) -> None:
        """Show only the key if space is short, or the prompt again."""
        self._alone = alone
        self._fit()

    def _fit(self) -> None:
        key = self._key.sizeHint().width() + 2 * SEARCH_MARGIN
        least, most = (key, key) if self._alone and self._key.text() else SEARCH
        self.setMinimumWidth(least)
        self.setMaximumWidth(most)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shorten the prompt if space is short."""
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
        self._answer = SegmentButton(book, "answer", "middle")
        assess, inspect = SegmentButton(book, "assess", "left"), SegmentButton(book, "inspect", "right")
        self._segments = (assess, self._adjudicate, self._answer, inspect)
        adjudicate, answer = book["adjudicate"], book["answer"]  # visible only if there is something for them
        adjudicate.changed.connect(lambda: self._adjudicate.setVisible(adjudicate.isEnabled()))
        answer.changed.connect(lambda: self._answer.setVisible(answer.isEnabled()))
        book["judges"].toggled.connect(  # a page of Adjudicate
            lambda on: self._adjudicate.setChecked(on or adjudicate.isChecked())
        )
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
            self.topic.set_text(
                f"{topic.id} · {topic.title}" if topic.title not in ("", topic.id) else topic.id
            )

    def event(self, event: QEvent) -> bool:
        """Hide names that do not fit; the window's title has them."""
        handled = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            further = [one for one in (self._adjudicate, self._answer) if one.isVisibleTo(self)]
            third = sum(one.sizeHint().width() for one in further)
            self._project.setVisible(self.width() >= NAMED + 2 * third)
            self._tighten(tight=self.width() < BRANDED + third)
        return handled

    def _tighten(self, *, tight: bool) -> None:
        """Give the topic as much space as possible, or normal space again."""
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
    """A flat button of the status bar that shows and triggers an action."""

    def __init__(self, book: ActionBook, action_id: str) -> None:
        super().__init__()
        self._action, self._shown = book[action_id], ""
        explain(self, self._action)
        self._action.changed.connect(self._name)
        self.clicked.connect(self._action.trigger)
        self._name()

    def show_value(self, text: str) -> None:
        """Show the current value; for screen readers, add what a click does."""
        self._shown = text
        self.setText(text)
        self._name()

    def _name(self) -> None:
        does = self._action.text()
        self.setAccessibleName(f"{does.rstrip('…')}: {self._shown}" if self._shown else does)


class MenuBar(QMenuBar):
    """Paints the menus; Qt opens them by Alt and letters."""

    def __init__(self) -> None:
        super().__init__()
        self.setNativeMenuBar(False)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.underlined = False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Notice Alt in the window before Qt handles it."""
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
