"""Small widgets, layouts and timers, and helpers of painted widgets: fonts, focus frames, texts."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QAction,
    QColor,
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QFont,
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAccessibleWidget,
    QApplication,
    QBoxLayout,
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLayoutItem,
    QMainWindow,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QStyle,
    QVBoxLayout,
    QWidget,
)

from inexview.core.files import PROJECT_SUFFIX
from inexview.core.wording import unturned, with_whole_numbers
from inexview.gui.look.theme import Theme, Themed, paint_run_shape, run_color

# Layouts, pages, timers, and widgets that are made or filled only when they are shown.


class Filler(int):
    """Empty space with this stretch factor."""


Item = QWidget | QLayout
Part = Item | int | tuple[Item, int] | tuple[Item, int, Qt.AlignmentFlag]
"""A part of a layout with its stretch factor and alignment; or pixels or a filler between parts."""
Margins = int | tuple[int, int, int, int]
"""Pixels around all parts: on every side, or left, top, right and bottom."""
Box = TypeVar("Box", bound=QBoxLayout)


def in_column(
    *parts: Part, on: QWidget | None = None, margins: Margins | None = None, spacing: int | None = None
) -> QVBoxLayout:
    """Return a layout of parts below each other, of a widget (``on``) or for another layout.

    Margins and spacing are by default those of the style.
    """
    return _filled(QVBoxLayout() if on is None else QVBoxLayout(on), parts, margins, spacing)


def in_row(
    *parts: Part, on: QWidget | None = None, margins: Margins | None = None, spacing: int | None = None
) -> QHBoxLayout:
    """Return a layout of parts next to each other; see ``in_column``."""
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
    """Widgets next to each other, or below each other if they do not fit."""

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
    """Arranges widgets like the words of a paragraph."""

    def __init__(self, gap: int = 6, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._gap = gap
        self._items: list[QLayoutItem] = []
        # height by width, cached until something changes, because layouts ask repeatedly
        self._heights: dict[int, int] = {}
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
        """Drop the cache, because a widget was shown, hidden or resized."""
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
        """Arrange the lines, and return their total height."""
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
    """A stack whose size depends on the shown page only."""

    def __init__(self) -> None:
        super().__init__()
        self.currentChanged.connect(lambda _page: self.updateGeometry())

    def minimumSizeHint(self) -> QSize:
        current = self.currentWidget()
        return current.minimumSizeHint() if current is not None else super().minimumSizeHint()


class Pages(QWidget):
    """A stack of pages, with space for bars above and below it."""

    def __init__(self, *pages: QWidget) -> None:
        super().__init__()
        self._stack = PageStack()
        self._column = in_column((self._stack, 1), on=self, margins=0, spacing=0)
        for page in pages:
            self.add(page)

    def add(self, page: QWidget) -> None:
        self._stack.addWidget(page)

    def show_below(self, widget: QWidget) -> None:
        self._column.addWidget(widget)

    def show_above(self, widget: QWidget) -> None:
        self._column.insertWidget(0, widget)

    def show_page(self, page: QWidget) -> None:
        self._stack.setCurrentWidget(page)

    @property
    def shown(self) -> QWidget | None:
        return self._stack.currentWidget()


def add_page(pages: QStackedWidget, page: QWidget) -> None:
    """Add a page after the others in the tab order."""
    last = _stops(pages)[-1:]
    pages.addWidget(page)
    for before, after in pairwise([*last, *_stops(page)]):
        QWidget.setTabOrder(before, after)


def _stops(part: QWidget) -> list[QWidget]:
    """Return the widgets of a part in tab order, that of its layout; popup lists of boxes are windows."""
    found = (one for one in part.findChildren(QWidget) if one.window() is part.window())
    return [one for one in found if one.focusPolicy() & Qt.FocusPolicy.TabFocus]


def timer(parent: QObject, call: Callable[[], object], milliseconds: int, *, repeats: bool = False) -> QTimer:
    """Return a timer that calls a function once after each start, or repeatedly.

    Qt's own keyword ``interval`` is never used: in a Turkish locale PySide does not find names that start
    with i.
    """
    made = QTimer(parent)
    made.setSingleShot(not repeats)
    made.setInterval(milliseconds)
    made.timeout.connect(call)
    return made


class OwnTurn(QObject):
    """Signals once after a delay since the last start, in a turn of the event loop of its own.

    A plain timer that becomes due during painting is handled in the same turn, which makes that turn long.
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


PAINTED = 40  # milliseconds for painting other changes


class WhenSeen(QObject):
    """Updates a widget when it is visible, once for all changes while it was hidden."""

    def __init__(self, widget: QWidget, make: Callable[[], None]) -> None:
        super().__init__(widget)
        self._widget = widget
        self._make = make
        self._stale = False
        self._soon = OwnTurn(self, PAINTED)
        self._soon.come.connect(self.refresh)
        widget.installEventFilter(self)

    def refresh_after_others(self) -> None:
        """Update soon, after other widgets: all updates in one turn would make it long."""
        self._soon.start()

    def refresh(self) -> None:
        """Update now, or when the widget is next shown."""
        self._soon.stop()
        self._stale = not self._widget.isVisible()
        if not self._stale:
            self._make()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Make a pending update when the widget is shown."""
        if self._stale and event.type() is QEvent.Type.Show:
            self.refresh()
        return False


MARGIN = 14  # between a panel's edge and its contents
LEAST_RIGHT = 3  # minimum pixels between a row's figure and a scroll bar
INSET = 4  # of this, the space of a row's focus frame
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
CUT = Qt.TextElideMode.ElideRight


def derived(font: QFont, *, factor: float = 1.0, bold: bool = False) -> QFont:
    """Return a font with tabular figures, scaled relative to another one.

    Rows request the same few fonts at every repaint, so they are cached and must not be modified.
    """
    known = _fonts.setdefault((factor, bold), [])
    for own, made in known:  # comparing the few fonts takes a tenth of the time of building a font's key
        if own == font:
            return made
    made = QFont(font)
    if font.pixelSize() > 0:
        made.setPixelSize(max(round(font.pixelSize() * factor), 9))
    else:
        made.setPointSizeF(font.pointSizeF() * factor)
    made.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    made.setFeature(QFont.Tag("tnum"), 1)
    if not any(_fonts.values()) and (application := QGuiApplication.instance()) is not None:
        application.aboutToQuit.connect(_fonts.clear)  # fonts must not outlive it
    known.append((QFont(font), made))
    return made


_fonts: dict[tuple[float, bool], list[tuple[QFont, QFont]]] = {}


def paint_focus(painter: QPainter, rect: QRectF, theme: Theme) -> None:
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("accent"), 2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), 4, 4)
    painter.restore()


def write(
    painter: QPainter,
    room: QRect | QRectF,
    text: str,
    font: QFont,
    color: QColor,
    side: Qt.AlignmentFlag = LEFT,
    shorten: Qt.TextElideMode = Qt.TextElideMode.ElideNone,
) -> None:
    """Write a line in a rectangle; with ``shorten`` it is elided if it does not fit."""
    painter.setFont(font)
    painter.setPen(color)
    text = unturned(text)
    shown = QFontMetricsF(font).elidedText(text, shorten, room.width())
    painter.drawText(QRectF(room), side, with_whole_numbers(text, shown))


def beside_scroll_bar(view: QWidget, margin: int) -> int:
    """Return the margin at the right of a row, reduced by the width of a scroll bar.

    Figures then end where those above the list do, and do not move when the scroll bar appears.
    """
    taken = view.width() - view.viewport().width() if isinstance(view, QAbstractItemView) else 0
    return max(margin - taken, LEAST_RIGHT)


def fair_share(widths: Sequence[float], at: int, room: float) -> float:
    """Return the width for one of several texts: its share, and what the others leave of theirs."""
    others = sum(widths) - widths[at]
    return max(room - others, room / len(widths))


# Only for scripts with spaces between words: others break anywhere, and some join their letters.
_SPACED = r"[!-\u058f\u1e00-\u2dff]"
_LONG_WORD = re.compile(rf"({_SPACED}{{12}})(?=\w{_SPACED}{{11}})")


def breakable(text: str) -> str:
    """Return a text whose long words and addresses can wrap, so that a label need not be as wide."""
    return _LONG_WORD.sub("\\1\u200b", text)


class PlainLabel(QLabel):
    """A label in which a name with another writing direction does not reorder the other words."""

    def setText(self, text: str) -> None:
        super().setText(unturned(text))


def label(text: str = "", role: str = "", *, wrap: bool = False) -> QLabel:
    made = PlainLabel()
    made.setText(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setWordWrap(wrap)
    if role:
        made.setProperty("role", role)
    return made


def rule(*, upright: bool = False) -> QFrame:
    """Return a thin line between two parts of a panel."""
    line = QFrame()
    line.setProperty("role", "upright" if upright else "rule")
    return line


class PaintedWidget(Themed, QWidget):
    """Base of widgets that paint themselves in the current theme."""


class Recolored(Themed):
    """Base of widgets with colours in texts or icons, which ``recolor`` renews after a change of theme."""

    _worn: Theme | None = None

    @abstractmethod
    def recolor(self) -> None:
        """Renew texts and icons in the colours of the theme."""

    def wear(self) -> None:
        """Apply the colours; call this once when all parts exist."""
        self._worn = self.theme
        self.recolor()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)  # type: ignore[misc]
        if event.type() is QEvent.Type.PaletteChange and self._worn not in (None, self.theme):
            self.wear()


class ElidedLabel(QLabel):
    """A label of one line that is shortened if space is short, with the full text as tooltip.

    It shows the first of its texts, longest first, that fits, or elides the last one.
    """

    def __init__(
        self,
        text: str = "",
        *,
        role: str = "",
        parent: QWidget | None = None,
        shorten: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._shorten = shorten
        self._full = ""
        self._briefer: tuple[str, ...] = ()
        self.tip = ""
        """A tooltip in addition to the text."""
        self._elided_in = QFont()
        if role:
            self.setProperty("role", role)
        self.set_text(text)

    @property
    def full_text(self) -> str:
        return self._full

    def set_text(self, text: str, *, briefer: Sequence[str] = ()) -> None:
        """Set the text, and shorter ones to use if space is short."""
        if (text, *briefer) != (self._full, *self._briefer):
            self._full, self._briefer = text, tuple(briefer)
            self.setAccessibleName(text)
            self._elide()
            self.updateGeometry()  # the required width may change although the shown text is the same

    def minimumSizeHint(self) -> QSize:
        return QSize(self.fontMetrics().averageCharWidth() * 4, super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        room = self.fontMetrics().horizontalAdvance(self._full) + 2
        return QSize(room, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if self.font() != self._elided_in:
            self._elide()

    def _elide(self) -> None:
        metrics, self._elided_in = self.fontMetrics(), self.font()
        room, texts = self.contentsRect().width(), [*map(unturned, (self._full, *self._briefer))]
        fitting = (text for text in texts if metrics.horizontalAdvance(text) <= room)
        shown = next(fitting, None)
        if shown is None:
            shown = with_whole_numbers(texts[-1], metrics.elidedText(texts[-1], self._shorten, room))
        whole = texts[0] if shown != texts[0] else ""
        set_tip(self, "\n".join(filter(None, (whole, self.tip))))
        if shown != self.text():
            self.setText(shown)


ARROWS = {"Left": "←", "Right": "→", "Up": "↑", "Down": "↓"}


class Caption(ElidedLabel):
    """The small heading of a section: shown in capitals, but read aloud and saved as written."""

    def __init__(self, text: str, *, briefer: Sequence[str] = ()) -> None:
        super().__init__(role="caption")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.set_text(text, briefer=briefer)

    def set_text(self, text: str, about: str = "", *, briefer: Sequence[str] = ()) -> None:
        """Set the heading; ``about`` follows it unchanged, for names of measures and runs."""
        self._written = " · ".join(part for part in (text, about) if part)
        shown = " · ".join(part for part in (text.upper(), about) if part)
        super().set_text(shown, briefer=[brief.upper() for brief in briefer])
        self.setAccessibleName(self._written)

    @property
    def full_text(self) -> str:
        return self._written


def key_text(action: QAction) -> str:
    return action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)


def with_key(text: str, key: str) -> str:
    return f"{text} ({key})" if key else text


class KeySign(QLabel):
    """A small sign with the current key of an action.

    ``otherwise`` is the key shown for an action without one.
    """

    def __init__(self, action: QAction, otherwise: str = "") -> None:
        super().__init__()
        self._otherwise = otherwise
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", "key")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.action = action
        action.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        key = key_text(self.action) or self._otherwise
        self.setText("+".join(ARROWS.get(part, part) for part in key.split("+")))
        if self.parentWidget() is not None or not key:  # without a parent it would become the active window
            self.setVisible(bool(key))


def key_label(text: str) -> QLabel:
    """Return the sign of a key that belongs to no action, such as Enter."""
    sign = label(text, "key")
    sign.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    return sign


def set_tip(widget: QWidget, text: str) -> None:
    """Set a tooltip, without events if it does not change."""
    if (shown := unturned(text)) != widget.toolTip():
        widget.setToolTip(shown)


def explain(widget: QWidget, action: QAction) -> None:
    """Give a widget the tooltip of an action, with its current key."""
    widget.setToolTip(action.toolTip())
    action.changed.connect(lambda: widget.setToolTip(action.toolTip()))


class KeyButton(QPushButton):
    """A button for an action that shows its key at the right end, as in ``Finish, next      F``.

    It is as wide as possible, or as its text if ``small``. With a ``sign``, the text is below sign and key.
    """

    def __init__(
        self,
        text: str,
        action: QAction,
        *,
        primary: bool = False,
        small: bool = False,
        key: str = "",
        sign: QWidget | None = None,
        briefer: Sequence[str] = (),
    ) -> None:
        super().__init__()
        if primary or small:
            self.setProperty("role", "primary" if primary else "small")
        wide = QSizePolicy.Policy.Fixed if small else QSizePolicy.Policy.Expanding
        self.setSizePolicy(wide, QSizePolicy.Policy.Fixed)
        self._least = QSize(0, 24 if small else 36 if sign is None else 50)
        self.setMinimumHeight(self._least.height())
        self._text = ElidedLabel(role="value")
        self._text.set_text(text, briefer=briefer)
        self._key = KeySign(action, key)
        middle = Qt.AlignmentFlag.AlignVCenter
        self._row: QLayout
        if sign is None:
            self._row = in_row((self._text, 1), (self._key, 0, middle), on=self, margins=(11, 0, 8, 0))
        else:
            above = in_row((sign, 0, middle), Filler(1), self._key)
            self._row = in_column(above, self._text, on=self, margins=(9, 5, 7, 5), spacing=1)
            sign.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._text.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.clicked.connect(action.trigger)
        action.changed.connect(self._name)  # connected after the sign
        self._name()

    def set_text(self, text: str) -> None:
        """Set the text; the key stays."""
        self._text.set_text(text)
        self._name()

    def _name(self) -> None:
        """Set the accessible name from text and key."""
        text, key = self._text.full_text, self._key.text()
        self.setAccessibleName(with_key(text, key))

    def sizeHint(self) -> QSize:
        return self._row.sizeHint().expandedTo(self._least)


def fit_to_screen(window: QWidget) -> None:
    """Limit a window to its screen, in size and position.

    A window without a position gets one from the desktop or Qt when it is shown.
    """
    there = window.screen().availableGeometry()
    frame = window.frameGeometry().size() - window.size()
    if frame.isEmpty():  # without its title bar until it is shown
        frame.setHeight(window.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight))
    window.resize(window.size().boundedTo(there.size() - frame))
    if not window.testAttribute(Qt.WidgetAttribute.WA_Moved):
        return
    place = QRect(window.pos(), window.size() + frame)
    place.moveRight(min(place.right(), there.right()))
    place.moveBottom(min(place.bottom(), there.bottom()))
    window.move(max(place.left(), there.left()), max(place.top(), there.top()))


def bring_forward(window: QWidget) -> None:
    """Bring a window to the front; if the desktop refuses, the window requests attention."""
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.show()
    window.raise_()
    window.activateWindow()
    QApplication.alert(window)


class PlainButton(QPushButton):
    """A button in which a name with another writing direction does not reorder the other words."""

    def setText(self, text: str) -> None:
        super().setText(unturned(text))


def button(text: str, role: str) -> QPushButton:
    made = PlainButton()
    made.setText(text)
    made.setProperty("role", role)
    return made


Field = TypeVar("Field", bound=QWidget)


class WheelLeft(QObject):
    """Passes the wheel over an unfocused field to its surroundings."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is not QEvent.Type.Wheel or not isinstance(watched, QWidget) or watched.hasFocus():
            return False
        event.ignore()
        return True


def still(field: Field) -> Field:
    """Return the field, made to ignore the wheel unless it has the focus."""
    field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    field.installEventFilter(WheelLeft(field))
    return field


STEP = 0.04  # of the bar: the step of the moving piece per progress report, if the total is unknown
SEGMENT = 0.22  # of the bar: the width of that piece


class ThinBar(QWidget):
    """A thin bar: a share of the whole, or a moving piece if the total is unknown."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(4)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._share: float | None = None
        self._at = 0.0

    def show_share(self, share: float | None) -> None:
        self._share = share
        if share is None:
            self._at = (self._at + STEP) % 1
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.palette().color(QPalette.ColorRole.Mid))
        painter.drawRoundedRect(self.rect(), 2, 2)
        painter.setBrush(self.palette().color(QPalette.ColorRole.Accent))
        width = self.width()
        if self._share is None:
            left = self._at * (1 + SEGMENT) - SEGMENT
            start, end = max(left, 0.0) * width, min(left + SEGMENT, 1.0) * width
        else:
            start, end = 0.0, self._share * width
        painter.drawRoundedRect(QRectF(start, 0, end - start, self.height()), 2, 2)


class PaintedChart(PaintedWidget):
    """A chart; its accessible description says in words what it shows."""


def name_charts() -> None:
    """Report charts as charts to screen readers, to which painted widgets are empty."""
    QAccessible.installFactory(_made)


def _made(_class_name: str, thing: QObject) -> QAccessibleWidget | None:
    return QAccessibleWidget(thing, QAccessible.Role.Chart) if isinstance(thing, PaintedChart) else None


class SideWindow(QMainWindow):
    """A window that closes with Esc, like dialogs."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)


class Dialog(QDialog):
    """A dialog that is never larger than its screen; contents that do not fit are scrolled."""

    def showEvent(self, event: QShowEvent) -> None:
        """Fit before it is shown; contents scroll only if their minimum size does not fit."""
        room = self.screen().availableGeometry().size()
        room.setHeight(room.height() - self.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight))
        least = self.minimumSizeHint().expandedTo(self.minimumSize())
        if least != least.boundedTo(room):
            self._scroll()
            least.setWidth(least.width() + self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent))
            self.resize(least.expandedTo(self.size()))
        fit_to_screen(self)
        super().showEvent(event)

    def event(self, event: QEvent) -> bool:
        """Grow when texts need more lines, up to the size of the screen."""
        handled = super().event(event)
        if event.type() is QEvent.Type.LayoutRequest and self.isVisible():
            needed = self.heightForWidth(self.width())
            if needed > self.height():
                self.resize(self.width(), needed)
                fit_to_screen(self)
        return handled

    def _scroll(self) -> None:
        """Make everything but the last line, with the buttons, scroll."""
        contents = self.layout()
        if not isinstance(contents, QVBoxLayout):
            return
        body, area = QWidget(), QScrollArea(widgetResizable=True)
        body.setLayout(contents)  # which takes the contents from the dialog
        area.setWidget(body)
        around, last = contents.contentsMargins(), contents.takeAt(contents.count() - 1)
        foot = None if last is None else last.widget() or last.layout()
        assert foot is not None
        foot.setParent(None)  # a layout with a parent cannot be added to another
        beside = around.left(), 6, around.right(), around.bottom()
        in_column((area, 1), in_row((foot, 1), margins=beside), on=self, margins=(0, 0, 0, 0), spacing=0)
        self.setMinimumSize(0, 0)


class Drops(QObject):
    """Accepts files that are dragged from the desktop onto a window."""

    projects = Signal(object)  # tuple[Path, ...]
    others = Signal(object)  # tuple[Path, ...]
    over = Signal(object)  # bool: whether files are being dragged over it

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Accept files that can be opened, and signal them."""
        if isinstance(event, QDragEnterEvent | QDragMoveEvent) and self._wanted(event):
            event.acceptProposedAction()
            self.over.emit(True)
            return True
        if event.type() in (QEvent.Type.DragLeave, QEvent.Type.Drop):
            self.over.emit(False)
        if isinstance(event, QDropEvent) and event.type() is QEvent.Type.Drop:
            self._take(self._wanted(event))
            event.acceptProposedAction()
            return True
        return super().eventFilter(watched, event)

    def _wanted(self, event: QDropEvent) -> tuple[Path, ...]:
        return tuple(Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile())

    def _take(self, paths: Sequence[Path]) -> None:
        projects = tuple(path for path in paths if path.suffix == PROJECT_SUFFIX)
        others = tuple(path for path in paths if path.suffix != PROJECT_SUFFIX)
        if projects:
            self.projects.emit(projects)
        if others:
            self.others.emit(others)


MINUS_WORD = "minus"
SHAPE, BESIDE_SHAPE = 9, 5  # pixels: a run's shape, and the gap after it


class PairSides(PaintedWidget):
    """■ minus ▲: which run's figure is subtracted from which."""

    def __init__(self) -> None:
        super().__init__()
        self._styles = (0, 0)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_pair(self, first: int, second: int) -> None:
        self._styles = first, second
        self.update()

    def _font(self) -> QFont:
        return derived(self.font(), factor=0.92)

    def sizeHint(self) -> QSize:
        wide = QFontMetricsF(self._font()).horizontalAdvance(MINUS_WORD)
        return QSize(round(wide) + 2 * (SHAPE + BESIDE_SHAPE), self.fontMetrics().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, (first, second), top = QPainter(self), self._styles, (self.height() - SHAPE) / 2
        for style, left in ((first, 0.0), (second, self.width() - SHAPE)):
            paint_run_shape(painter, style, QRectF(left, top, SHAPE, SHAPE), run_color(self.theme, style))
        room = self.rect().toRectF()
        muted, center = self.theme.color("muted"), Qt.AlignmentFlag.AlignCenter
        write(painter, room, MINUS_WORD, self._font(), muted, center)
