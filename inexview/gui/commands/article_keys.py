"""What the keys and the menu of the article do: move by units, move ends of marks, offer what one can do."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from inexview.core.article.granularity import Granularity
from inexview.gui.article.article_view import ArticleView
from inexview.gui.look.layouts import timer
from inexview.gui.services.actions import ActionBook

# Milliseconds in which a second click of the right button erases, and no menu opens.
SECOND_CLICK = 260
NAME = "article-menu"
_ARROWS = {"Ctrl+Left", "Ctrl+Right"}
MENU = (
    ("mark-sentence", "mark-element"),
    ("end-more", "end-less", "erase-passage", "erase-element"),
    ("entry-point-caret", "entry-point-first", "remove-entry-point"),
    ("copy", "copy-path", "copy-span", "copy-link", "save-evidence"),
    ("find", "finish", "not-relevant"),
)
MENU_OF_SELECTION = (("mark", "erase"), ("copy", "save-evidence"), ("find",))


class ArticleKeys(QObject):
    """Joins actions with caret, ends and menu of the article view."""

    def __init__(self, article: ArticleView, book: ActionBook) -> None:
        super().__init__(article)
        self._article = article
        self._book = book
        self._at = QPoint()
        self._menu_soon = timer(self, lambda: self._open(self._at), SECOND_CLICK)
        article.clicked_right.connect(self._on_clicked)
        article.pressed.connect(lambda _: self._menu_soon.stop())
        article.menu_wanted.connect(self._open)
        article.first_painted.connect(lambda _: self._give_up())

    def open_at_caret(self) -> None:
        """Open the menu of what has the keyboard, where it has one, else that of the article."""
        widget = QApplication.focusWidget()
        if widget is None or widget is self._article.focusProxy() or not _offers(widget):
            self._open(self._article.caret_on_screen())

    def step(self, unit: Granularity | None, step: int) -> None:
        """Move the caret by units (None: that in the hand); with Shift, select to there.

        With an arrow key it goes where the arrow points, as it does by characters.
        """
        held = QGuiApplication.keyboardModifiers()
        select = bool(held & Qt.KeyboardModifier.ShiftModifier)
        pressed = unit is None and bool(held & Qt.KeyboardModifier.ControlModifier)
        sideways = pressed and _ARROWS.issubset(
            {*self._book.keys("next-unit"), *self._book.keys("previous-unit")}
        )
        self._article.caret_pen.step(unit or self._article.hand.unit, step, select=select, sideways=sideways)

    def _give_up(self) -> None:
        """Offer nothing that was meant for another document."""
        self._menu_soon.stop()
        menu = self._article.findChild(QMenu, NAME)
        if menu is not None:
            menu.close()

    def _on_clicked(self, at: QPoint) -> None:
        """Wait for a second click, which erases."""
        self._at = at
        self._menu_soon.start()

    def _open(self, at: QPoint) -> None:
        """Offer what can be done with the selection or, without one, at the place."""
        selected = self._article.selection_at_hand()
        if not selected:
            self._article.place_caret_on_screen(at)
        menu = QMenu(self._article)
        menu.setObjectName(NAME)
        menu.aboutToHide.connect(menu.deleteLater)
        for group in MENU_OF_SELECTION if selected else MENU:
            shown = [self._book[name] for name in group if self._book[name].isVisible()]
            menu.addActions([action for action in shown if action.isEnabled()])
            menu.addSeparator()
        menu.popup(at)


def _offers(widget: QWidget) -> bool:
    """Let a widget open its own menu, as the menu key does; False where it has none."""
    middle = widget.rect().center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, middle, widget.mapToGlobal(middle))
    QApplication.sendEvent(widget, event)
    return event.isAccepted()
