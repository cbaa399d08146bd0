"""Layouts, pages, timers, and widgets that are made or filled only when they are shown."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TypeVar

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QLayout,
    QLayoutItem,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)


class Filler(int):
    """Empty room that grows by this factor."""


Item = QWidget | QLayout
Part = Item | int | tuple[Item, int] | tuple[Item, int, Qt.AlignmentFlag]
"""What is laid out, with its factor of growth and its side; or so many pixels, or a filler, between."""
Margins = int | tuple[int, int, int, int]
"""Pixels around all parts: on every side, or left, top, right and bottom."""
Box = TypeVar("Box", bound=QBoxLayout)


def in_column(
    *parts: Part, on: QWidget | None = None, margins: Margins | None = None, spacing: int | None = None
) -> QVBoxLayout:
    """Lay parts below each other, ``on`` a widget or for another layout; what is None, the style says."""
    return _filled(QVBoxLayout() if on is None else QVBoxLayout(on), parts, margins, spacing)


def in_row(
    *parts: Part, on: QWidget | None = None, margins: Margins | None = None, spacing: int | None = None
) -> QHBoxLayout:
    """Lay parts beside each other, as ``in_column`` lays them below."""
    return _filled(QHBoxLayout() if on is None else QHBoxLayout(on), parts, margins, spacing)


def _filled(layout: Box, parts: tuple[Part, ...], margins: Margins | None, spacing: int | None) -> Box:
    if margins is not None:
        layout.setContentsMargins(*((margins,) * 4 if isinstance(margins, int) else margins))
    if spacing is not None:
        layout.setSpacing(spacing)
    for part in parts:
        if isinstance(part, Filler):
            layout.addStretch(part)
        elif isinstance(part, int):
            layout.addSpacing(part)
        else:
            item, growth, *side = part if isinstance(part, tuple) else (part, 0)
            if isinstance(item, QWidget):
                layout.addWidget(item, growth, *side)
            else:
                layout.addLayout(item, growth)
    return layout


class SideBySide(QWidget):
    """Widgets side by side, or below one another where they would not have the room they ask for."""

    def __init__(self, *widgets: QWidget, gap: int = 8) -> None:
        super().__init__()
        self._widgets = widgets
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(gap)
        for widget in widgets:
            self._row.addWidget(widget)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wanted = [widget.sizeHint().width() for widget in self._widgets]
        fits = sum(wanted) + self._row.spacing() * (len(wanted) - 1) <= self.width()
        down, across = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        self._row.setDirection(across if fits else down)


class FlowLayout(QLayout):
    """Lays its widgets out as words are laid out in a paragraph."""

    def __init__(self, gap: int = 6, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._gap = gap
        self._items: list[QLayoutItem] = []
        self._heights: dict[int, int] = {}  # at a width, until something changes: others ask again and again
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)
        self._heights.clear()

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        self._heights.clear()
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def invalidate(self) -> None:
        """Ask all widgets again: one of them is shown, hidden or has another size."""
        self._heights.clear()
        super().invalidate()

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        if width not in self._heights:
            self._heights[width] = self._arrange(QRect(0, 0, width, 0), move=False)
        return self._heights[width]

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._arrange(rect, move=True)

    def sizeHint(self) -> QSize:
        sizes = [item.sizeHint() for item in self._items]
        width = sum(size.width() for size in sizes) + self._gap * max(len(sizes) - 1, 0)
        return QSize(width, max((size.height() for size in sizes), default=0))

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _arrange(self, rect: QRect, *, move: bool) -> int:
        """Go through the lines, and return the height of all of them."""
        x, y, line = rect.x(), rect.y(), 0
        for item in self._items:
            if item.isEmpty():  # hidden
                continue
            size = item.sizeHint()
            if x > rect.x() and x + size.width() > rect.x() + rect.width():
                x, y, line = rect.x(), y + line + self._gap, 0
            if move:
                item.setGeometry(QRect(QPoint(x, y), size))
            x += size.width() + self._gap
            line = max(line, size.height())
        return y + line - rect.y()


class PageStack(QStackedWidget):
    """A stack that needs no more room than the page that is shown: the others make no window larger."""

    def __init__(self) -> None:
        super().__init__()
        self.currentChanged.connect(lambda _page: self.updateGeometry())

    def minimumSizeHint(self) -> QSize:
        current = self.currentWidget()
        return current.minimumSizeHint() if current is not None else super().minimumSizeHint()


class Pages(QWidget):
    """A stack of pages."""

    def __init__(self, *pages: QWidget) -> None:
        super().__init__()
        self._stack = QStackedWidget()
        self._column = in_column((self._stack, 1), on=self, margins=0, spacing=0)
        self._pages = list(pages)
        for page in pages:
            self._stack.addWidget(page)
        self._ask_for_room()

    def add(self, page: QWidget) -> None:
        self._pages.append(page)
        self._stack.addWidget(page)
        self._ask_for_room()

    def show_below(self, widget: QWidget) -> None:
        self._column.addWidget(widget)

    def show_above(self, widget: QWidget) -> None:
        self._column.insertWidget(0, widget)

    def show_page(self, page: QWidget) -> None:
        self._stack.setCurrentWidget(page)
        self._ask_for_room()

    def _ask_for_room(self) -> None:
        """Need the room of the page that is seen, and not that of the largest."""
        for page in self._pages:
            policy = QSizePolicy.Policy.Preferred if page is self.shown else QSizePolicy.Policy.Ignored
            page.setSizePolicy(policy, policy)

    @property
    def shown(self) -> QWidget | None:
        return self._stack.currentWidget()


def add_page(pages: QStackedWidget, page: QWidget) -> None:
    """Add a page, and let Tab come to it after the pages that are there."""
    last = _stops(pages)[-1:]
    pages.addWidget(page)
    for before, after in pairwise([*last, *_stops(page)]):
        QWidget.setTabOrder(before, after)


def _stops(part: QWidget) -> list[QWidget]:
    """Return what of a part Tab comes to, in the order of its layout; lists of boxes are windows."""
    found = (one for one in part.findChildren(QWidget) if one.window() is part.window())
    return [one for one in found if one.focusPolicy() & Qt.FocusPolicy.TabFocus]


def timer(parent: QObject, call: Callable[[], object], milliseconds: int, *, repeats: bool = False) -> QTimer:
    """Return a timer that calls once, so many milliseconds after each start, or again and again.

    Qt's own keyword ``interval`` is never used: in a Turkish locale PySide does not find what begins with i.
    """
    made = QTimer(parent)
    made.setSingleShot(not repeats)
    made.setInterval(milliseconds)
    made.timeout.connect(call)
    return made


class OwnTurn(QObject):
    """Tells once that so many milliseconds have passed since the last start, in a turn of its own.

    A plain timer that was due while something was painted is told in the very turn of that painting, which it
    makes a long one.
    """

    come = Signal()

    def __init__(self, parent: QObject, milliseconds: int) -> None:
        super().__init__(parent)
        self._next = timer(self, self.come.emit, 0)
        self._passing = timer(self, self._next.start, milliseconds)

    @property
    def active(self) -> bool:
        return self._passing.isActive() or self._next.isActive()

    def start(self) -> None:
        self._next.stop()
        self._passing.start()

    def stop(self) -> None:
        self._passing.stop()
        self._next.stop()


PAINTED = 40  # milliseconds in which what has changed besides is painted


class WhenSeen(QObject):
    """Makes what a widget shows, once for all that has changed while no one saw it."""

    def __init__(self, widget: QWidget, make: Callable[[], None]) -> None:
        super().__init__(widget)
        self._widget = widget
        self._make = make
        self._stale = False
        self._soon = OwnTurn(self, PAINTED)
        self._soon.come.connect(self.refresh)
        widget.installEventFilter(self)

    def refresh_after_others(self) -> None:
        """Make it again soon, after what else has changed: all in one turn would be a long one."""
        self._soon.start()

    def refresh(self) -> None:
        """Make it again: now, or when the widget is next shown."""
        self._soon.stop()
        self._stale = not self._widget.isVisible()
        if not self._stale:
            self._make()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Make what was left undone as soon as somebody looks."""
        if self._stale and event.type() is QEvent.Type.Show:
            self.refresh()
        return False
