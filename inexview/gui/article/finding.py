"""Finding in the article: begins at the caret's place, and Esc brings back to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QToolButton, QWidget

from inexview.core.article.document import Document
from inexview.core.errors import InexviewError
from inexview.core.text.search import SearchedText, TextQuery
from inexview.core.text.spans import EMPTY, Offsets
from inexview.core.wording import counted
from inexview.gui.article.text_area import TextArea
from inexview.gui.look.widgets import in_row, label, timer

# Where in the text one is, and going elsewhere: a place is gone to as soon as the text is built so far.

SCREENFUL = 6_000  # characters that surely fill a screen
ABOVE = 8  # pixels of page above a line that is brought to the top


class Align(Enum):
    """Where a place that is revealed shall be."""

    NEAREST = "nearest"  # not moved if it is seen already
    CENTER = "center"
    TOP = "top"


class Places:
    """The caret and the view of one text area, by offsets."""

    def __init__(self, text_area: TextArea, jumped: Callable[[int, int], object]) -> None:
        """``jumped`` is told from where to where, whenever the view goes further than a screen."""
        self._area = text_area
        self._jumped = jumped
        self._pending: tuple[int, int, Align] | None = None
        self._pending_caret: int | None = None

    @property
    def caret(self) -> int:
        """The offset of the caret, or where it will be."""
        return self._area.caret() if self._pending_caret is None else self._pending_caret

    def caret_at_hand(self) -> int:
        """Return where keys go on from: the caret or, where it is out of sight, where the view begins."""
        if self._pending is not None and self._pending_caret is None:
            return self._pending[0]  # the view that is waited for
        self._area.bring_caret()
        return self.caret

    def forget(self) -> None:
        """Give up the place that is waited for."""
        self._pending = self._pending_caret = None

    def place_caret(self, offset: int) -> None:
        """Put the caret somewhere without moving the view."""
        if self._area.builder is not None:
            self._pending_caret = offset
            self.settle()

    def reveal(self, start: int, end: int, align: Align) -> None:
        if self._area.builder is not None:
            self._pending = (start, end, align)
            self.settle()

    def show_from(self, offset: float) -> None:
        """Put an offset at the very top, also one within a line, as soon as that is built."""
        builder = self._area.builder
        if builder is None:
            return
        self._pending = None
        if not builder.complete and builder.map.end <= offset + SCREENFUL:
            self.reveal(int(offset), int(offset), Align.TOP)
        else:
            self._area.scroll_to(self._area.height_of(offset) if offset > 0 else 0)

    def reveal_some(self, start: int, end: int) -> bool:
        """Bring characters into view unless a line of them is seen whole already; True where it is."""
        height = self._area.visible_height()
        whole = (line for line in self._area.lines() if line.top >= 0 and line.bottom <= height)
        seen = any(line.start <= start < line.end or start < line.start < end for line in whole)
        if not seen:
            self.reveal(start, end, Align.NEAREST)
        return seen

    def settle(self) -> None:
        """Go to the place that is waited for, as soon as it and the screen after it are built."""
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
            if veiled:  # scrolling, if there was any, has told of it; margins were painted without lines
                self._area.viewport_moved.emit(None)

    def reading_position(self) -> int:
        """Return the offset of the first line that is wholly seen, 0 at the very top."""
        return self._area.top_line.offset if self._pending is None else self._pending[0]

    def _scroll_to(self, start: int, end: int, align: Align) -> None:
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
        elif bottom - top > height * 0.8:  # too long for the middle: show where it begins
            self._area.scroll_to(top - height * 0.1)
        else:
            self._area.scroll_to((top + bottom - height) / 2)


# The find bar: floats over a corner of the article, so that nothing moves when it opens.
#
# That is the upper right one, but where the place that was found lies beneath it.

TYPING_PAUSE = 80  # milliseconds
PATIENCE = 0.4  # seconds for one search: the window waits for it
FROM_RIGHT = 44
FROM_TOP = 10
LEAST, WIDEST = 70, 210  # pixels of the field
BUTTON, TIGHT = 32, 26  # pixels of a button, and where the field has least
_REFUSED = "cannot be sought"
_LONGEST = (_REFUSED, "8,888 of 8,888")  # what is said beside the field has room, and moves nothing


@dataclass(frozen=True, slots=True, eq=False)
class SearchHits:
    """All places of the words: ``starts`` and ``ends`` of shape (n,); ``current`` is an index or None."""

    starts: Offsets
    ends: Offsets
    current: int | None


NOTHING = SearchHits(EMPTY.starts, EMPTY.ends, None)


def searched(document: Document | None) -> SearchedText:
    """Return the text of an article to be searched: words end where paragraphs do."""
    return SearchedText("") if document is None else SearchedText(document.text, document.blocks.starts)


class FindBar(QFrame):
    """Finds while one types; Return goes on, Shift+Return back, Esc closes."""

    found_changed = Signal(object)  # SearchHits
    went_to = Signal(object)  # (start, end): a place that the reader asked to see
    closed = Signal()

    def __init__(self, parent: QWidget, over: QWidget) -> None:
        """``over`` is the part of its parent that it lies over."""
        super().__init__(parent)
        self._over = over
        self._low = False  # in the lower corner
        self.setObjectName("popup")  # the look of the style sheet
        self.setAccessibleName("Find in the article")
        self._view = parent
        self._text = SearchedText("")
        self._asked: TextQuery | None = None  # what self._found is the answer to
        self._problem = ""  # why it cannot be answered
        self._from = 0  # where finding begins
        self._found = NOTHING
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
        self._expression = self._option(".*", "What is typed is a regular expression")
        for option in (self._case, self._whole, self._expression):
            row.addWidget(option)
        row.addWidget(self._count)
        row.addWidget(self._button("↑", "Find the place before", lambda: self.go(-1)))
        row.addWidget(self._button("↓", "Find the next place", lambda: self.go(1)))
        row.addWidget(self._button("✕", "Close", self.close_bar))
        self._pause = timer(self, self._find, TYPING_PAUSE)
        self._field.textEdited.connect(lambda: self._pause.start())
        parent.installEventFilter(self)
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

    # -- what it does --------------------------------------------------------------------------------

    @property
    def found(self) -> SearchHits:
        return self._found

    def set_text(self, text: SearchedText, at: int = 0) -> None:
        """Search another text from now on, from an offset; what was asked for stays asked for."""
        self._text, self._from = text, at
        self._asked = None
        self._show(self._found_now() if self.isVisible() else NOTHING)

    def open(self, words: str, at: int) -> None:
        """Show the bar and find the words, if there are any, which were selected at an offset.

        Finding begins there.
        """
        words = " ".join(words.split())
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
        """Find other words, as if they had been typed."""
        self._field.setText(words)
        self._find()

    def close_bar(self) -> None:
        self._pause.stop()
        self.hide()
        self._asked = None
        self._show(NOTHING)
        self.closed.emit()

    def go(self, step: int, caret: int | None = None) -> None:
        """Go to the next (1) or previous (-1) place, from the current one, else from the caret, and round."""
        self._pause.stop()
        if self._query() != self._asked:
            self._show(self._found_now())
        count = len(self._found.starts)
        if not count:
            return
        current = self._found.current
        if current is None:
            behind = int(self._found.starts.searchsorted(self._from if caret is None else caret))
            current = behind if step > 0 else behind - 1
        else:
            current += step
        self._go_to(current % count)

    def announce(self) -> None:
        """Tell once more what is found."""
        self.found_changed.emit(self._found)

    # -- how -----------------------------------------------------------------------------------------

    def _find(self) -> None:
        self._show(self._found_now())
        if count := len(self._found.starts):
            self._go_to(int(self._found.starts.searchsorted(self._from)) % count)

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
        self._show(SearchHits(self._found.starts, self._found.ends, index))
        self.went_to.emit((int(self._found.starts[index]), int(self._found.ends[index])))

    def _show(self, found: SearchHits) -> None:
        self._found = found
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
        self.found_changed.emit(found)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep to the corner, and take the field's keys."""
        if watched is self._view and event.type() is QEvent.Type.Resize:
            self._place()
        elif watched is self._field and event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
                self.go(-1 if back else 1)
                return True
            return False
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        """Lie in the corner; in a narrow view field and buttons give way, then the distance from the edge."""
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
        over = self._over.geometry()
        top = over.bottom() - self.height() - FROM_TOP if self._low else over.top() + FROM_TOP
        self.move(max(0, self._view.width() - self.width() - FROM_RIGHT), top)


class Finding(QObject):
    """Joins the find bar with the text."""

    found_changed = Signal(object)  # SearchHits

    def __init__(self, text_area: TextArea, places: Places, view: QWidget) -> None:
        super().__init__(view)
        self.bar = FindBar(view, text_area)
        self._view = view
        self._area = text_area
        self._places = places
        # Caret, selection and top line where it began.
        self._from: tuple[int, tuple[int, int], int] | None = None
        self.bar.found_changed.connect(self._show)
        self.bar.went_to.connect(self._go_to)
        self.bar.closed.connect(text_area.setFocus)
        text_area.pen.pressed.connect(self._stay)

    def open(self) -> None:
        """Open the find bar, with what is selected to begin with."""
        start, end = self._area.selected()
        document, caret, top = self._area.source, self._places.caret, self._places.reading_position()
        if not self.bar.isVisible():
            self._from = (caret, (start, end), top)
        seen = any(line.start <= caret <= line.end for line in self._area.lines())
        self.bar.open("" if document is None else document.text[start:end], start if seen else top)

    def set_document(self, document: Document | None, position: int) -> None:
        """Find in another article, which is left where it is: places of the one before mean nothing in it."""
        self._from = None
        self.bar.set_text(searched(document), position)

    def next(self) -> None:
        self.bar.go(1, self._places.caret)

    def previous(self) -> None:
        self.bar.go(-1, self._places.caret)

    def let_go(self) -> bool:
        """Close the bar and go back to where finding began; False where it is not open."""
        open_ = self.bar.isVisible()
        if open_:
            self.bar.close_bar()
            if self._from is not None:
                caret, selected, top = self._from
                if selected[0] < selected[1]:
                    self._area.select(*selected)
                else:
                    self._places.place_caret(caret)
                self._places.reveal(top, top, Align.TOP)
        return open_

    def _stay(self, _: object) -> None:
        """Stay where finding led to: the reader works there."""
        self._from = None

    def _show(self, found: SearchHits) -> None:
        self._area.layers.show_found(found.starts, found.ends, found.current)
        self.found_changed.emit(found)

    def _go_to(self, place: tuple[int, int]) -> None:
        start, end = place
        self._places.place_caret(start)
        self._places.reveal(start, end, Align.NEAREST)
        if any(map(self.bar.geometry().intersects, self._seen(start, end))):
            self.bar._low = not self.bar._low
            self.bar._place()

    def _seen(self, start: int, end: int) -> Iterator[QRect]:
        """Yield where characters are seen, in pixels of the view."""
        corner = self._area.viewport().mapTo(self._view, QPoint(0, 0))
        for line in self._area.lines():
            if line.start < end and start < line.end:
                for left, right in line.stretches(max(start, line.start), min(end, line.end)):
                    box = QRectF(left, line.top, right - left, line.bottom - line.top).toAlignedRect()
                    yield box.translated(corner)
