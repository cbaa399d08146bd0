"""The find bar of the article, and the strip under it with tools, units and the element under the mouse."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QSizePolicy,
    QToolButton,
    QToolTip,
    QWidget,
)

from inexview.core.article.document import Document
from inexview.core.article.granularity import Granularity
from inexview.core.errors import InexviewError
from inexview.core.text.search import SearchedText, TextQuery
from inexview.core.text.spans import EMPTY, Offsets
from inexview.core.wording import counted, percent
from inexview.gui.article.overlays import Outlined, Tool
from inexview.gui.article.pen import PenState
from inexview.gui.article.text_area import TextArea
from inexview.gui.look.theme import Themed, tinted
from inexview.gui.look.widgets import (
    LEFT,
    RIGHT,
    PaintedWidget,
    in_row,
    key_text,
    label,
    timer,
    with_key,
    write,
)

SCREENFUL = 6_000  # characters that fill any screen
ABOVE = 8  # pixels of page above a line that is brought to the top


class Align(Enum):
    """Where to put a revealed place on the screen."""

    NEAREST = "nearest"  # does not scroll if the place is visible
    CENTER = "center"
    TOP = "top"


class Places:
    """The caret and scroll position of a text area, as offsets; it scrolls once the text is laid out."""

    def __init__(self, text_area: TextArea, jumped: Callable[[int, int], object]) -> None:
        """``jumped`` is called with start and end whenever the view scrolls by more than a screen."""
        self._area = text_area
        self._jumped = jumped
        self._pending: tuple[int, int, Align | float] | None = None
        self._pending_caret: int | None = None

    @property
    def caret(self) -> int:
        """The offset of the caret, after any pending scroll."""
        return self._area.caret() if self._pending_caret is None else self._pending_caret

    def caret_at_hand(self) -> int:
        """Return the start for keyboard steps: the caret or, if it is off screen, the top of the view."""
        if self._pending is not None and self._pending_caret is None:
            return self._pending[0]  # the pending scroll
        self._area.bring_caret()
        return self.caret

    def forget(self) -> None:
        self._pending = self._pending_caret = None

    def place_caret(self, offset: int) -> None:
        if self._area.builder is not None:
            self._pending_caret = offset
            self.settle()

    def reveal(self, start: int, end: int, align: Align | float) -> None:
        """Bring characters into view; a number is the height of the middle of their first line, in pixels.

        A span that fits the view is shown whole.
        """
        if self._area.builder is not None:
            self._pending = (start, end, align)
            self.settle()

    def show_from(self, offset: float) -> None:
        """Scroll an offset to the very top, even within a line, once it is laid out."""
        builder = self._area.builder
        if builder is None:
            return
        self._pending = None
        if not builder.complete and builder.map.end <= offset + SCREENFUL:
            self.reveal(int(offset), int(offset), Align.TOP)
        else:
            self._area.scroll_to(self._area.height_of(offset) if offset > 0 else 0)

    def reveal_some(self, start: int, end: int) -> bool:
        """Scroll characters into view unless a line of them is fully visible; return whether it was."""
        height = self._area.visible_height()
        whole = (line for line in self._area.lines() if line.top >= 0 and line.bottom <= height)
        seen = any(line.start <= start < line.end or start < line.start < end for line in whole)
        if not seen:
            self.reveal(start, end, Align.NEAREST)
        return seen

    def settle(self) -> None:
        """Scroll to the pending place once it and the following screen are laid out."""
        builder = self._area.builder
        if builder is None:
            return
        if self._pending_caret is not None and (builder.complete or builder.map.end > self._pending_caret):
            caret, self._pending_caret = self._pending_caret, None
            self._area.place_caret(caret, select=False)
        if self._pending is None:
            return
        start, end, align = self._pending
        if builder.complete or builder.map.end > end + SCREENFUL:
            self._pending = None
            veiled, self._area.veiled = self._area.veiled, False
            before = self._area.top_line.offset
            scrolled = self._area.verticalScrollBar().value()
            self._scroll_to(start, end, align)
            if align is Align.TOP:
                self._area.top_line.keep(start)
            elif abs(self._area.verticalScrollBar().value() - scrolled) > self._area.visible_height():
                self._jumped(before, start)
            self._area.viewport().update()
            if veiled:  # any scrolling was signalled; the margins were painted without lines
                self._area.viewport_moved.emit(None)

    def reading_position(self) -> int:
        """Return the offset of the first fully visible line; 0 at the very top."""
        return self._area.top_line.offset if self._pending is None else self._pending[0]

    def _scroll_to(self, start: int, end: int, align: Align | float) -> None:
        first, last = self._area.place_of(start), self._area.place_of(max(start, end - 1))
        if first is None or last is None:
            return
        height = self._area.visible_height()
        scrolled = self._area.verticalScrollBar().value()
        top, bottom = first[0], last[1]
        if align is Align.NEAREST and top >= scrolled and bottom <= scrolled + height:
            return
        if align is Align.TOP:
            self._area.scroll_to(0 if start == 0 else top - ABOVE)
        elif not isinstance(align, Align):
            wanted = (first[0] + first[1]) / 2 - align
            self._area.scroll_to(
                wanted if bottom - top + ABOVE > height else max(wanted, bottom + ABOVE - height)
            )
        elif bottom - top > height * 0.8:  # too long to be centred: show its start
            self._area.scroll_to(top - height * 0.1)
        else:
            self._area.scroll_to((top + bottom - height) / 2)


TYPING_PAUSE = 80  # milliseconds
PATIENCE = 0.4  # seconds for one search: the window waits for it
FROM_RIGHT = 44
FROM_TOP = 10
LEAST, WIDEST = 70, 210  # pixels of the field
BUTTON, TIGHT = 32, 26  # pixels of a button, and with the narrowest field
_REFUSED = "cannot be sought"
_LONGEST = (_REFUSED, "8,888 of 8,888")  # fixed width, so that messages move nothing


@dataclass(frozen=True, slots=True, eq=False)
class SearchHits:
    """All places of the words: ``starts`` and ``ends`` of shape (n,); ``current`` is an index or None."""

    starts: Offsets
    ends: Offsets
    current: int | None


NOTHING = SearchHits(EMPTY.starts, EMPTY.ends, None)


def searched(document: Document | None) -> SearchedText:
    """Return the searched text of an article; paragraph ends separate words."""
    return SearchedText("") if document is None else SearchedText(document.text, document.blocks.starts)


class FindBar(QFrame):
    """Finds while you type; Return goes to the next match, Shift+Return to the previous one, Esc closes.

    It floats in the upper right corner of the article, or in the lower one if it would hide a match.
    """

    found_changed = Signal(object)  # SearchHits

    def __init__(self, view: QWidget, text_area: TextArea, places: Places) -> None:
        super().__init__(view)
        self._view, self._area, self._places = view, text_area, places
        self._left: tuple[int, tuple[int, int], int] | None = None  # caret, selection and top line before
        self.hits = NOTHING
        self._low = False  # in the lower corner
        self.setObjectName("popup")  # the look of the style sheet
        self.setAccessibleName("Find in the article")
        self._text = SearchedText("")
        self._asked: TextQuery | None = None  # the query of self.hits
        self._problem = ""  # the reason for a failed query
        self._from = 0  # start of the search
        self._field = QLineEdit(self)
        self._field.setPlaceholderText("Find in this article")
        self._field.setAccessibleName("Words to find")
        self._field.installEventFilter(self)
        self._count = label("", "muted")
        self._count.setMinimumWidth(max(map(self._count.fontMetrics().horizontalAdvance, _LONGEST)) + 8)
        self._count.setAlignment(Qt.AlignmentFlag.AlignCenter)
        row = in_row(self._field, on=self, margins=(8, 6, 6, 6), spacing=2)
        self._case = self._option("Aa", "Capital letters matter")
        self._whole = self._option("ab", "Whole words only")
        self._expression = self._option(".*", "Search by regular expression")
        for option in (self._case, self._whole, self._expression):
            row.addWidget(option)
        row.addWidget(self._count)
        row.addWidget(self._button("↑", "Find the place before", lambda: self._go(-1)))
        row.addWidget(self._button("↓", "Find the next place", lambda: self._go(1)))
        row.addWidget(self._button("✕", "Close", self.close_bar))
        self._pause = timer(self, self._find, TYPING_PAUSE)
        self._field.textEdited.connect(lambda: self._pause.start())
        view.installEventFilter(self)
        text_area.pen.pressed.connect(self._stay)
        self.hide()

    def _button(self, sign: str, name: str, action: object) -> QToolButton:
        made = QToolButton(self)
        made.setText(sign)
        made.setToolTip(name)
        made.setAccessibleName(name)
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        made.setFixedWidth(BUTTON)
        made.clicked.connect(action)
        return made

    def _option(self, sign: str, name: str) -> QToolButton:
        option = self._button(sign, name, lambda: None)
        option.setCheckable(True)
        option.toggled.connect(lambda _on: self._find())
        return option

    # -- actions -------------------------------------------------------------------------------------

    def set_document(self, document: Document | None, position: int) -> None:
        """Search another article without scrolling it; the previous matches are dropped."""
        self._left = None
        self._text, self._from = searched(document), position
        self._asked = None
        self._show(self._found_now() if self.isVisible() else NOTHING)

    def open(self) -> None:
        """Show the bar and find the selected text, if any, from the caret."""
        area, document = self._area, self._area.source
        (start, end), caret, top = area.selected(), self._places.caret, self._places.reading_position()
        if not self.isVisible():
            self._left = caret, (start, end), top
        at = start if any(line.start <= caret <= line.end for line in area.lines()) else top
        words = "" if document is None else " ".join(document.text[start:end].split())
        if words and len(words) <= 200:
            self._field.setText(words)
        self._from = at
        self._low = self._low and self.isVisible()
        self.show()
        self.raise_()
        self._place()
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._field.selectAll()
        found = self._found_now()
        index = int(found.starts.searchsorted(at))
        selected = bool(words) and index < len(found.starts) and found.starts[index] == at
        self._show(SearchHits(found.starts, found.ends, index if selected else None))

    def seek(self, words: str) -> None:
        """Find words as if they had been typed."""
        self._field.setText(words)
        self._find()

    def close_bar(self) -> None:
        self._pause.stop()
        self.hide()
        self._asked = None
        self._show(NOTHING)
        self._area.setFocus()

    def next(self) -> None:
        self._go(1, self._places.caret)

    def previous(self) -> None:
        self._go(-1, self._places.caret)

    def dismiss(self) -> bool:
        """Close the bar and return to the start of the search; return whether it was open."""
        if not self.isVisible():
            return False
        self.close_bar()
        if self._left is not None:
            caret, selected, top = self._left
            if selected[0] < selected[1]:
                self._area.select(*selected)
            else:
                self._places.place_caret(caret)
            self._places.reveal(top, top, Align.TOP)
        return True

    def _stay(self, _: object) -> None:
        """Keep the current position, because the reader works there."""
        self._left = None

    def _go(self, step: int, caret: int | None = None) -> None:
        """Go to the next (1) or previous (-1) match from the current one or the caret, wrapping around."""
        self._pause.stop()
        if self._query() != self._asked:
            self._show(self._found_now())
        count = len(self.hits.starts)
        if not count:
            return
        current = self.hits.current
        if current is None:
            behind = int(self.hits.starts.searchsorted(self._from if caret is None else caret))
            current = behind if step > 0 else behind - 1
        else:
            current += step
        self._go_to(current % count)

    def announce(self) -> None:
        self._area.layers.show_found(self.hits.starts, self.hits.ends, self.hits.current)
        self.found_changed.emit(self.hits)

    # -- how -----------------------------------------------------------------------------------------

    def _find(self) -> None:
        self._show(self._found_now())
        if count := len(self.hits.starts):
            self._go_to(int(self.hits.starts.searchsorted(self._from)) % count)

    def _found_now(self) -> SearchHits:
        self._asked = self._query()
        self._problem = ""
        try:
            return SearchHits(*self._text.find(self._asked, PATIENCE), None)
        except InexviewError as error:
            self._problem = str(error)
            return NOTHING

    def _query(self) -> TextQuery:
        options = (self._case, self._whole, self._expression)
        return TextQuery(self._field.text(), *(option.isChecked() for option in options))

    def _go_to(self, index: int) -> None:
        self._show(SearchHits(self.hits.starts, self.hits.ends, index))
        start, end = int(self.hits.starts[index]), int(self.hits.ends[index])
        self._places.place_caret(start)
        self._places.reveal(start, end, Align.NEAREST)
        if any(map(self.geometry().intersects, self._seen(start, end))):
            self._low = not self._low
            self._place()

    def _seen(self, start: int, end: int) -> Iterator[QRect]:
        corner = self._area.viewport().mapTo(self._view, QPoint(0, 0))
        for line in self._area.lines():
            if line.start < end and start < line.end:
                for left, right in line.stretches(max(start, line.start), min(end, line.end)):
                    box = QRectF(left, line.top, right - left, line.bottom - line.top).toAlignedRect()
                    yield box.translated(corner)

    def _show(self, found: SearchHits) -> None:
        self.hits = found
        count = len(found.starts)
        self._count.setToolTip(self._problem)
        if not self._field.text().strip():
            self._count.setText("")
        elif self._problem:
            self._count.setText(_REFUSED)
        elif not count:
            self._count.setText("not found")
        elif found.current is None:
            self._count.setText(counted(count, "place"))
        else:
            self._count.setText(f"{found.current + 1:,} of {count:,}")
        self.announce()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay in the corner, and handle the keys of the field."""
        if watched is self._view and event.type() is QEvent.Type.Resize:
            self._place()
        elif watched is self._field and event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
                self._go(-1 if back else 1)
                return True
            return False
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        """Move to the corner; in a narrow view, shrink field and buttons first, then the margin."""
        buttons = self.findChildren(QToolButton)
        for wide in (BUTTON, TIGHT):
            for one in buttons:
                one.setFixedWidth(wide)
            self._field.setFixedWidth(WIDEST)
            room = self._view.width() - (self.sizeHint().width() - WIDEST)
            if room >= WIDEST:
                break
        self._field.setFixedWidth(max(LEAST, min(WIDEST, room)))
        self.adjustSize()
        over = self._area.geometry()
        top = over.bottom() - self.height() - FROM_TOP if self._low else over.top() + FROM_TOP
        self.move(max(0, self._view.width() - self.width() - FROM_RIGHT), top)


_FONT = 12  # pixels
_ROOM = 7  # pixels left and right of the text
_ICON, _GAP = 14, 5  # pixels of a tool's icon, and between icon, word and key
_WIDE = 760  # pixels of strip from which all units show their names
_BESIDE = 60  # pixels of gaps, and of the strip's margins


class StripButton(Themed, QAbstractButton):
    """A unit with its key and name; the current one has an accent bar above."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.setText(text)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCheckable(True)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self._key = ""
        self._short = self._least = False
        self._widths: dict[tuple[str, bool, str], int] = {}  # of a word or a key, in a font
        self.accent = "accent"  # a token of the theme

    def bind(self, action: QAction) -> None:
        self.clicked.connect(action.trigger)
        action.changed.connect(lambda: self._show(action))
        self._show(action)

    def _show(self, action: QAction) -> None:
        key = key_text(action)
        self._key = key if action.isVisible() else ""  # on other pages the key does something else
        self.setToolTip(action.toolTip() if self._key else action.statusTip())
        self.setAccessibleName(with_key(self.text(), self._key))
        self.updateGeometry()
        self.update()

    def say(self, text: str) -> None:
        if text != self.text():
            self.setText(text)
            self.setAccessibleName(with_key(text, self._key))
            self.updateGeometry()

    def shorten(self, *, short: bool, least: bool = False) -> None:
        """Show only the key if space is scarce; with ``least``, also for the current one."""
        if (short, least) != (self._short, self._least):
            self._short, self._least = short, least
            self.updateGeometry()
            self.update()

    def _font(self, *, key: bool) -> QFont:
        font = QFont(self.font())
        font.setPixelSize(_FONT - 1 if key else _FONT)
        font.setBold(self.isChecked() and not key)
        return font

    def _words(self) -> str:
        brief = self._short and (self._least or not self.isChecked())
        return "" if brief and self._key else self.text()

    def _width(self, text: str, *, key: bool) -> int:
        asked = text, key, self.font().key()
        if asked not in self._widths:  # each outlined element needs the same few
            font = self._font(key=key)
            font.setBold(not key)  # so that changing the choice moves nothing
            self._widths[asked] = math.ceil(QFontMetricsF(font).horizontalAdvance(text)) if text else 0
        return self._widths[asked]

    def sizeHint(self) -> QSize:
        word, key = self._width(self._words(), key=False), self._width(self._key, key=True)
        return QSize(word + key + 2 * _ROOM + (_GAP if key and word else 0), 22)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self.theme
        color = theme.color(self.accent if self.isChecked() or self.underMouse() else "muted")
        at = self.rect().adjusted(_ROOM, 0, 0, 0)
        write(painter, at, self._key, self._font(key=True), theme.color("muted"))
        if self._key:
            at.setLeft(at.left() + self._width(self._key, key=True) + _GAP)
        write(painter, at, self._words(), self._font(key=False), color)
        if self.isChecked():
            painter.fillRect(QRectF(2, 0, self.width() - 4, 2), color)


class ToolButton(StripButton):
    """A tool with its icon, name and key; the current one has the background of its effect on text."""

    def __init__(self, text: str, icon: str, *, ground: str, edge: str, ink: str) -> None:
        """``icon`` is one of ``resources/icons``; the rest are colour tokens for the current tool."""
        super().__init__(text)
        self._icon, self._ground, self._edge, self._ink = icon, ground, edge, ink

    def _words(self) -> str:
        return "" if self._least else self.text()

    def sizeHint(self) -> QSize:
        parts = self._width(self._words(), key=False), self._width(self._key, key=True)
        return QSize(_ICON + sum(_GAP + part for part in parts if part) + 2 * _ROOM, 22)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self.theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ink = self._ink if self.isChecked() else self._edge if self.underMouse() else "muted"
        if self.isChecked():
            self._draw_ground(painter)
        at = QRectF(self.rect()).adjusted(_ROOM, 0, 0, 0)
        icon = tinted(self._icon, getattr(theme, ink), _ICON)
        painter.drawImage(QPointF(at.left(), round(at.center().y() - _ICON / 2)), icon)
        at.setLeft(at.left() + _ICON + _GAP)
        if words := self._words():
            write(painter, at, words, self._font(key=False), theme.color(ink))
            at.setLeft(at.left() + self._width(words, key=False) + _GAP)
        write(painter, at, self._key, self._font(key=True), theme.color(ink))

    def _draw_ground(self, painter: QPainter) -> None:
        box = QRectF(self.rect()).adjusted(0, 2, 0, -2)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.theme.color(self._edge))
        painter.drawRoundedRect(box, 5, 5)
        painter.setBrush(self.theme.color(self._ground))
        painter.drawRoundedRect(box.adjusted(0, 0, 0, -2), 5, 5)


class PenStrip(QWidget):
    """Two tools and five units; a click chooses, as do their keys."""

    def __init__(self, pen_state: PenState, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName("In the hand")
        self._pen_state = pen_state
        self._selected = False
        self._room: int | None = None  # width of the last layout
        edge = "erase_edge"
        self.tools = {
            Tool.MARK: ToolButton("Pen", "pen", ground="mark", edge="mark_edge", ink="text"),
            Tool.ERASE: ToolButton("Eraser", "eraser", ground=edge, edge=edge, ink="page"),
        }
        self.units = {unit: StripButton(unit.value) for unit in Granularity}
        self._step = label("", "note")  # the keys that step through the units
        in_row(*self.tools.values(), 10, *self.units.values(), 6, self._step, on=self, margins=0, spacing=2)
        self._step.hide()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        pen_state.changed.connect(self._show)
        self._show()

    def bind(self, tools: Mapping[Tool, QAction], units: Mapping[Granularity, QAction]) -> None:
        for tool, action in tools.items():
            self.tools[tool].bind(action)
        for unit, action in units.items():
            self.units[unit].bind(action)

    def show_step(self, keys: str) -> None:
        """Show the keys that step through the units; "" if each unit has its own key."""
        self._step.setText(keys)
        self._step.setVisible(bool(keys))
        if self._room is not None:
            self.fit(self._room)

    def set_selected(self, selected: bool) -> None:
        """Update the effect shown for the tools' keys: with a selection, they apply to it."""
        if selected is not self._selected:
            self._selected = selected
            self._show()

    def fit(self, width: int) -> None:
        self._room = width
        buttons: list[StripButton] = [*self.tools.values(), *self.units.values()]
        for button in buttons:
            button.shorten(short=button in self.units.values() and width < _WIDE)
        needed = sum(button.sizeHint().width() for button in buttons)
        for unit, button in self.units.items():
            button.setVisible(needed + _BESIDE <= width or unit is self._pen_state.unit)
        wide = sum(button.sizeHint().width() for button in buttons if not button.isHidden())
        self._step.setVisible(bool(self._step.text()) and wide + _STEP <= width)
        if wide > width:
            for button in buttons:
                button.shorten(short=True, least=True)
        self.updateGeometry()  # now, before its own layout runs

    def _show(self, _: object = None) -> None:
        pen_state = self._pen_state
        button: StripButton
        words = ("Mark selection", "Erase selection") if self._selected else ("Pen", "Eraser")
        for (tool, button), word in zip(self.tools.items(), words, strict=True):
            button.say(word)
            button.setChecked(tool is pen_state.tool and not self._selected)
        for unit, button in self.units.items():
            button.accent = "erase_edge" if pen_state.tool is Tool.ERASE else "accent"
            button.setChecked(unit is pen_state.unit)
        for button in (*self.tools.values(), *self.units.values()):
            button.updateGeometry()
            button.update()
        self.setVisible(pen_state.live)
        if self._room is not None:
            self.fit(self._room)


_HEIGHT = 26
_STEP = 320  # pixels for the keys of the units, and a path beside them
_SIZE, _UNITS = 340, 370  # pixels for an outlined element's size and path, and the current unit
_BESIDE_LEGEND = 120  # pixels of the path
_AROUND = 100  # pixels of an outlined path at least, and of gaps and margins
_MARGINS = (10, 2, 14, 0)  # keeps the line above it whole
_ROOMY, _NARROW = 1100, 640  # pixels of strip with room for the span beside an outlined path, or any path


class HoverLine(QWidget):
    """A line of text that changes with each move of the mouse.

    It is painted, because a label would lay out the whole window and repaint its background each time.
    Its width grows with its texts and never shrinks, so that nothing jumps.
    """

    clicked = Signal(object)  # None

    def __init__(
        self,
        *,
        elided: bool = False,
        right: bool = False,
        copied: bool = False,
        stressed: str = "",
        shown: Callable[[str], str] = str,
    ) -> None:
        """``elided``: shortened to fit at its left, or ``right``, end; ``copied``: a click copies it.

        ``stressed`` is a separator: the last part is emphasised, and shortening removes whole parts.
        ``shown`` turns the text into the displayed one.
        """
        super().__init__()
        self.full_text = ""
        self.shown_text = ""  # shortened to fit
        self._elided, self._right, self._copied, self._shown = elided, right, copied, shown
        self._stressed = stressed
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        font = self.font()
        font.setPixelSize(_FONT)
        self.setFont(font)
        wide = QSizePolicy.Policy.Ignored if elided else QSizePolicy.Policy.Fixed
        self.setSizePolicy(wide, QSizePolicy.Policy.Expanding)
        if copied:
            self.setCursor(Qt.CursorShape.PointingHandCursor)

    def set_text(self, text: str) -> None:
        if text == self.full_text:
            return
        self.full_text = text
        self.setAccessibleName(text)
        if not self._elided:
            self.setMinimumWidth(max(self.fontMetrics().horizontalAdvance(text) + 2, self.minimumWidth()))
        self._shorten()

    def _shorten(self) -> None:
        self.shown_text = self._shown(self.full_text)
        if self._elided:
            left = Qt.TextElideMode.ElideLeft  # the innermost parts matter most
            mode = Qt.TextElideMode.ElideRight if self._right else left
            last, metrics = self._last(), self.fontMetrics()
            more = self._wide(last, bold=True) - self._wide(last, bold=False) if last else 0
            room = self.width() - more
            parts = self.shown_text.split(self._stressed) if self._stressed else [self.shown_text]
            without = bisect_left(
                range(len(parts)),
                True,
                key=lambda many: metrics.horizontalAdvance(self._briefer(parts, many)) <= room,
            )
            if without < len(parts):
                self.shown_text = self._briefer(parts, without)
            else:
                self.shown_text = metrics.elidedText(self.shown_text, mode, room)
        self.update()

    def _briefer(self, parts: Sequence[str], without: int) -> str:
        """Return the text without its first parts; no part is cut."""
        return self._stressed.join(["…", *parts[without:]]) if without else self.shown_text

    def _last(self) -> str:
        """Return the emphasised end of the text."""
        return self.shown_text.rpartition(self._stressed)[2] if self._stressed else ""

    def _font(self, *, bold: bool) -> QFont:
        font = QFont(self.font())
        font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
        font.setUnderline(self._copied and self.underMouse())
        return font

    def _wide(self, text: str, *, bold: bool) -> int:
        return QFontMetrics(self._font(bold=bold)).horizontalAdvance(text)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._shorten()

    def sizeHint(self) -> QSize:
        return QSize(self.minimumWidth(), _HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the text in a muted colour; copyable text is underlined under the mouse."""
        painter = QPainter(self)
        palette = QGuiApplication.palette()
        painter.fillRect(event.rect(), palette.color(QPalette.ColorRole.Window))
        side = RIGHT if self._elided and not self._right else LEFT
        muted, last = palette.color(QPalette.ColorRole.PlaceholderText), self._last()
        at = self.rect()
        if last:
            strong = palette.color(QPalette.ColorRole.WindowText)
            write(painter, at, last, self._font(bold=True), strong, side)
            at.setRight(at.right() - self._wide(last, bold=True))
        write(painter, at, self.shown_text.removesuffix(last), self._font(bold=False), muted, side)

    def event(self, event: QEvent) -> bool:
        """Show the whole of a shortened text and the effect of a click in the tool tip."""
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self._tip(), self)
            return True
        if event.type() in (QEvent.Type.Enter, QEvent.Type.Leave):
            self.update()
        return super().event(event)

    def _tip(self) -> str:
        whole = self.full_text if self.shown_text != self.full_text else ""
        return "\n".join(filter(None, (whole, "Click to copy" if self._copied else "")))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        inside = self.rect().contains(event.position().toPoint())
        if self._copied and inside and event.button() is Qt.MouseButton.LeftButton:
            self.clicked.emit(None)


class ElementStrip(PaintedWidget):
    """Shows the current tool and the element under the mouse; a click on path or span copies it."""

    path_wanted = Signal(object)  # None
    span_wanted = Signal(object)  # None

    def __init__(self, pen_state: PenState, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("element-strip")
        self.setAccessibleName("Current tool and unit, and the element under the mouse")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._pen_state = pen_state
        self._whole = False  # an element is outlined
        self._shown: tuple[Outlined | None, bool] = None, False
        self._named = ("", False)
        self._legend: QWidget | None = None
        self._ground = QWidget()  # of the legend, while it is in this line
        self._on_ground = in_row(on=self._ground, margins=0)
        self._ground.hide()
        self.pen_state = PenStrip(pen_state, self)
        self.path = HoverLine(elided=True, copied=True, stressed=" › ", shown=crumbs)
        self.span = HoverLine(copied=True)
        self.facts = HoverLine()
        self.readout = HoverLine(elided=True, right=True)
        self.readout.hide()
        self.path.clicked.connect(self.path_wanted)
        self.span.clicked.connect(self.span_wanted)
        row = self._row = QHBoxLayout(self)
        row.setContentsMargins(*_MARGINS)
        row.setSpacing(16)
        row.setSizeConstraint(QHBoxLayout.SizeConstraint.SetNoConstraint)  # the article may be narrower
        row.addWidget(self._ground, 1)
        row.addWidget(self.pen_state)
        row.addWidget(self.path, 1)
        row.addWidget(self.span)
        row.addWidget(self.facts)
        row.addWidget(self.readout, 1)
        pen_state.changed.connect(lambda _: self.update())

    @property
    def holds_legend(self) -> bool:
        return self._legend is not None

    def hold(self, legend: QWidget | None) -> None:
        """Show a legend in this line, or none; the element under the mouse replaces it."""
        if self._legend is not None:
            self._legend.removeEventFilter(self)
            self._legend.setMinimumHeight(0)
            self._legend.setMaximumHeight(self.maximumWidth())
        self._legend = legend
        if legend is not None:
            legend.setFixedHeight(_HEIGHT)
            shown = not legend.isHidden()
            self._on_ground.addWidget(legend)
            legend.setVisible(shown)  # now, not in the next turn of the event loop
            legend.installEventFilter(self)
        self._fit()
        for layout in (self._row, self._on_ground):
            layout.activate()  # before anything is painted

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Release the legend's space when it is hidden."""
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self._fit()
        return super().eventFilter(watched, event)

    def show_element(self, outlined: Outlined | None, *, whole: bool) -> None:
        """Show an element; ``whole`` adds its size and relevant share."""
        if (outlined, whole) == self._shown:
            return
        self._shown = outlined, whole
        element = None if outlined is None else outlined.element
        path = "" if element is None else element.path
        self.path.set_text(path)
        if self._whole and not whole:
            self.span.setMinimumWidth(0)  # no second span: the path gets its space
        other, self._named = (path, whole) != self._named, (path, whole)
        self._whole = whole
        if outlined is None or element is None:
            self.span.set_text("")
        elif whole:
            self.span.set_text(f"{outlined.span}  [{element.start}, {element.end})")
            self.facts.set_text(facts(outlined))
        else:
            self.span.set_text(outlined.span)
        if other:
            self._fit()

    def _fit(self) -> None:
        """Make space for the path in a narrow window; hide an outlined element's span before its size."""
        reading, least = not self.readout.isHidden(), _ROOMY if self._whole else _NARROW
        held = self._legend is not None and not self._legend.isHidden() and not reading
        self._ground.setVisible(held)
        self._row.setContentsMargins(*((0, 0, *_MARGINS[2:]) if held else _MARGINS))
        self.path.setMaximumWidth(_BESIDE_LEGEND if held else self.maximumWidth())
        self.facts.setVisible(self._whole)
        self.span.setHidden(reading or held or self.width() < least)
        beside = self.width() - self.facts.minimumWidth() - _AROUND
        self.pen_state.fit(max(self.width() - _SIZE, min(beside, _UNITS)) if self._whole else self.width())

    def show_readout(self, text: str) -> None:
        """Show a description instead of the element; empty shows the element again."""
        self.readout.set_text(text)
        if bool(text) is self.readout.isHidden():
            self.path.setHidden(bool(text))
            self.readout.setVisible(bool(text))
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
        self._row.activate()  # before anything is painted

    def paintEvent(self, event: QPaintEvent) -> None:
        erasing = self._pen_state.live and self._pen_state.tool is Tool.ERASE
        painter = QPainter(self)
        painter.fillRect(event.rect(), self.theme.color("window"))
        color = self.theme.color("erase_edge" if erasing else "line")
        painter.fillRect(0, 0, self.width(), 2 if erasing else 1, color)


def crumbs(path: str) -> str:
    """Return an element's path for display, with the position of an element that is not the first.

    >>> crumbs("/article[1]/sec[2]/p[1]")
    'article › sec[2] › p'
    """
    return path.strip("/").replace("[1]", "").replace("/", " › ")


def facts(outlined: Outlined) -> str:
    """Return the size and the relevant share of an element in words."""
    if outlined.specificity is None:
        return "size 0"
    return f"size {outlined.size:,} · rsize {outlined.rsize:,} ({percent(outlined.specificity, 1)})"
