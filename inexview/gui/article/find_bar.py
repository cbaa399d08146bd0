"""The find bar: floats over a corner of the article, so that nothing moves when it opens.

That is the upper right one, but where the place that was found lies beneath it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QToolButton, QWidget

from inexview.core.article.document import Document
from inexview.core.errors import InexviewError
from inexview.core.text.spans import EMPTY, Offsets
from inexview.core.text.text_search import SearchedText, TextQuery
from inexview.core.wording import counted
from inexview.gui.look.layouts import in_row
from inexview.gui.look.timers import timer
from inexview.gui.look.widgets import label

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

    def uncover(self, places: Iterable[QRect]) -> None:
        """Go to the other corner where one of these places, in the parent's pixels, lies beneath the bar."""
        if any(map(self.geometry().intersects, places)):
            self._low = not self._low
            self._place()

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
            return self._take_key(event)
        return super().eventFilter(watched, event)

    def _take_key(self, event: QKeyEvent) -> bool:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.go(-1 if back else 1)
            return True
        return False

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
