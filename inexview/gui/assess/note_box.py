"""The note beside the text: a field of fixed height that says what it is about, and loses nothing."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMimeData, Qt, Signal
from PySide6.QtGui import QAction, QFocusEvent, QKeyEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget

from inexview.gui.look.layouts import Filler, in_column, in_row
from inexview.gui.look.timers import timer
from inexview.gui.look.widgets import Caption, KeySign

LINES = 2  # that are seen; further ones are scrolled to
AROUND = 14  # pixels of frame and padding; with less Qt finds no room for the last line
MOST = 100_000  # characters of a note that are pasted: a field lays out millions in seconds
PAUSE = 2_000  # milliseconds without a key before what was typed is saved


class NoteField(QPlainTextEdit):
    """Takes the note; Esc and Ctrl+Enter give the keyboard back."""

    done = Signal()  # one wants to go on with the article
    unfocused = Signal()
    shortened = Signal()  # what was pasted was too long

    def let_go(self) -> bool:
        """Give the keyboard back, before anything else is let go of."""
        self.done.emit()
        return True

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste as much as a note may have, in place of what is selected."""
        cursor = self.textCursor()
        stays = self.document().characterCount() - (cursor.selectionEnd() - cursor.selectionStart())
        text, room = source.text(), max(MOST - stays, 0)
        if len(text) > room:
            source = QMimeData()
            source.setText(text[:room])
            self.shortened.emit()
        super().insertFromMimeData(source)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.done.emit()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Tell that the keyboard went elsewhere, and show how the note begins."""
        super().focusOutEvent(event)
        if event.reason() not in (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason):
            self.verticalScrollBar().setValue(0)
        self.unfocused.emit()


class NoteBox(QWidget):
    """Shows the note of one subject, and tells when it was changed."""

    written = Signal(object)  # (subject, str): what the note about it says now
    done = Signal()  # the keyboard may go back to the article

    def __init__(self, action: QAction) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._subject: object = None
        self._of = ""  # in words
        self._lines = LINES
        self._known = ""
        self._about = Caption("Note")
        self.field = NoteField()
        self.field.document().setDocumentMargin(0)
        self.field.setTabChangesFocus(True)
        self.field.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.field.document().documentLayout().documentSizeChanged.connect(lambda _size: self._show_bar())
        aside = self.field.horizontalScrollBar()  # white space at the end of a full line would move all lines
        aside.rangeChanged.connect(lambda _least, _most: aside.setRange(0, 0))
        self._soon = timer(self, self.save, PAUSE)
        self.field.textChanged.connect(self._soon.start)
        self.field.unfocused.connect(self.save)
        self.field.done.connect(self.done)
        in_column(in_row(self._about, Filler(1), KeySign(action)), self.field, on=self, margins=0, spacing=6)
        self.set_lines(LINES)

    def set_lines(self, lines: int) -> None:
        self._lines = lines
        self.field.ensurePolished()
        self.field.setFixedHeight(lines * self.field.fontMetrics().lineSpacing() + AROUND)
        self._show_bar()

    def _show_bar(self) -> None:
        """Scroll only what has more lines than are seen; Qt gives the height of plain text in lines."""
        fits = self.field.document().size().height() <= self._lines
        bar = Qt.ScrollBarPolicy.ScrollBarAlwaysOff if fits else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.field.setVerticalScrollBarPolicy(bar)

    def changeEvent(self, event: QEvent) -> None:
        """Keep to the lines in another font."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.set_lines(self._lines)

    @property
    def about(self) -> str:
        """What the note is about, as the box says it."""
        return self._about.text()

    def show_note(self, subject: object, about: str, note: str, typed: str | None = None) -> None:
        """Show the note of a subject; what is typed about the same one and not saved yet stays.

        ``typed`` is what was typed about it before, and could not be saved.
        """
        if (subject, note, about, typed) == (self._subject, self._known, self._of, None):
            return
        self._of = about
        self._about.set_text(f"Note · {about}")
        self.field.setAccessibleName(f"Note about this {about}")
        self.field.setEnabled(True)
        typing = subject == self._subject and self._typed != self._known
        self._subject, self._known = subject, note
        shown = note if typed is None else typed
        if not typing and self._typed != shown:
            self.field.setPlainText(shown)
            self.field.verticalScrollBar().setValue(0)
        if self._typed == note:
            self._soon.stop()

    def show_nothing(self) -> None:
        self._subject, self._known = None, ""
        self._about.set_text("Note")
        self.field.clear()
        self.field.setEnabled(False)
        self._soon.stop()

    def begin(self) -> None:
        """Take the keyboard, behind what is written already."""
        self.field.setFocus()
        self.field.moveCursor(QTextCursor.MoveOperation.End)

    def save(self) -> None:
        """Tell what was typed, where that is something new."""
        self._soon.stop()
        if self.unsaved:
            self.written.emit((self._subject, self._typed))

    @property
    def unsaved(self) -> bool:
        """Whether something was typed that is not saved yet."""
        return self._typed != self._known

    @property
    def _typed(self) -> str:
        return self.field.toPlainText().strip()
