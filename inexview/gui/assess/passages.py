"""The panel of the open document: its passages with notes, and its sentences judged elsewhere."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import NamedTuple

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QMimeData,
    QModelIndex,
    QObject,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QFocusEvent,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QTextCursor,
)
from PySide6.QtWidgets import (
    QHeaderView,
    QPlainTextEdit,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from inexview.core.article.document import Document
from inexview.core.collection.collection import Collection
from inexview.core.errors import InexviewError
from inexview.core.project.document_list import CatalogueEntry
from inexview.core.project.quality_report import (
    ComparedSentence,
    LikeSentence,
    SentenceIndex,
    compared_sentences,
    is_marked,
)
from inexview.core.text.search import Quote, Span
from inexview.core.text.spans import EMPTY, Spans
from inexview.core.wording import counted, left_unturned
from inexview.gui.article.article_view import Context, Controller
from inexview.gui.article.margins import Tick
from inexview.gui.look.panels import Index, asked_row, set_up_rows
from inexview.gui.look.theme import RelevanceState, Themed, tinted
from inexview.gui.look.widgets import (
    CUT,
    LEFT,
    RIGHT,
    Caption,
    KeySign,
    in_column,
    in_row,
    paint_focus,
    timer,
    write,
)
from inexview.gui.services.actions import ASSESSING
from inexview.gui.services.document_record import OpenDocument, StateChanged
from inexview.gui.services.tasks import BackgroundTask, Slices

DRIFTED = "⚠"  # before a passage whose text has changed
SHOWN = 60  # characters of a passage that are shown
SIGN = 13  # pixels of the sign at a passage with a note
BETWEEN = 4  # pixels that a row is higher than its letters
GAP = 9  # pixels between the columns
MOST_SEEN = 200  # rows
_TOLD_APART = (
    QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver | QStyle.StateFlag.State_HasFocus
)
"""Row states with a background or frame; the style paints only these."""


class PassageParts(NamedTuple):
    """The texts of a row, by column."""

    number: str
    start: str
    said: str
    """The grade, if any, and the beginning of the passage."""
    size: str


class PassagesModel(QAbstractListModel):
    """Rows ``1  1,712  Evidence from …  379``: number, offset, beginning and size of each mark.

    A passage whose text has changed begins with a sign, and shows its old text.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document: Document | None = None
        self.marks: Spans = EMPTY
        self._drifted: Mapping[Span, Quote] = {}
        self._notes: Mapping[Span, str] = {}
        self._grades: Mapping[Span, str] = {}

    def set_marks(
        self, document: Document | None, marks: Spans, drifted: Mapping[Span, Quote] | None = None
    ) -> None:
        """Show the passages of a document, with the old text of those that changed."""
        drifted = drifted or {}
        if document is self._document and marks == self.marks and drifted == self._drifted:
            return
        if document is not self._document or drifted != self._drifted:
            self.beginResetModel()
            self._document, self.marks, self._drifted = document, marks, drifted
            self.endResetModel()
            return
        before, fewer = self.marks, min(len(self.marks), len(marks))
        changed = (before.starts[:fewer] != marks.starts[:fewer]) | (
            before.ends[:fewer] != marks.ends[:fewer]
        )
        first = int(changed.argmax()) if changed.any() else fewer
        if len(marks) < len(before):
            self.beginRemoveRows(QModelIndex(), first, first + len(before) - len(marks) - 1)
            self.marks = marks
            self.endRemoveRows()
        elif len(marks) > len(before):
            self.beginInsertRows(QModelIndex(), first, first + len(marks) - len(before) - 1)
            self.marks = marks
            self.endInsertRows()
        self.marks = marks
        if first < len(marks):
            self.dataChanged.emit(self.index(first), self.index(len(marks) - 1))

    def set_notes(self, notes: Mapping[Span, str]) -> None:
        before, self._notes = self._notes, notes
        self._show_again(before, notes)

    def set_grades(self, grades: Mapping[Span, str]) -> None:
        before, self._grades = self._grades, grades
        self._show_again(before, grades)

    def _show_again(self, before: Mapping[Span, str], after: Mapping[Span, str]) -> None:
        """Repaint only the passages whose note or grade changed."""
        for start, end in {span for span, _ in before.items() ^ after.items()}:
            for row in self.marks.sharing(start, end):
                self.dataChanged.emit(self.index(row), self.index(row))

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.marks)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == Qt.ItemDataRole.DisplayRole:
            parts = self.parts(index.row())
            start, end = self.passage(index.row())
            return f"{parts.number} · {parts.start}, {counted(end - start, 'character')}   {parts.said}"
        if role != Qt.ItemDataRole.ToolTipRole:
            return None
        start, end = self.passage(index.row())
        said, note = self._drifted.get((start, end)), self._notes.get((start, end))
        told = f"{counted(end - start, 'character')} from {start:,} to {end:,}"
        drifted = "" if said is None else f"\nWhen it was marked, it was “{said.text}”"
        return told + drifted + (f"\nNote: {note}" if note else "")

    def passage(self, row: int) -> Span:
        return int(self.marks.starts[row]), int(self.marks.ends[row])

    def note(self, row: int) -> str:
        return self._notes.get(self.passage(row), "")

    def parts(self, row: int) -> PassageParts:
        start, end = self.passage(row)
        text = self._document.text if self._document is not None else ""
        begin = left_unturned(" ".join(text[start : min(end, start + SHOWN)].split()))
        grade = self._grades.get((start, end))
        said = f"{grade} · {begin}" if grade else begin
        shown = f"{DRIFTED} {said}" if (start, end) in self._drifted else said
        return PassageParts(f"{row + 1}", f"{start:,}", shown, f"{end - start:,}")


class PassageDelegate(Themed, QStyledItemDelegate):
    """Paints number, offset, beginning and size in columns, and a sign at passages with a note."""

    columns = (0, 0)
    """The widths of number and offset; every row uses the digits of the last one."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        if option.state & _TOLD_APART:
            self.initStyleOption(option, index)
            option.text = ""
            option.widget.style().drawControl(
                QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget
            )
        if option.state & QStyle.StateFlag.State_HasFocus:
            paint_focus(painter, QRectF(option.rect), self.theme)
        passages = index.model()
        assert isinstance(passages, PassagesModel)
        parts, plain = passages.parts(index.row()), QFontMetrics(option.font)
        at = option.rect.adjusted(5, 0, -3, 0)
        muted, text = self.theme.color("muted"), self.theme.color("text")
        painter.setLayoutDirection(
            Qt.LayoutDirection.LayoutDirectionAuto
        )  # in the writing direction of the text
        columns = (parts.number, option.font, muted, LEFT), (parts.start, _bold(option.font), text, RIGHT)
        for width, (written, font, color, side) in zip(self.columns, columns, strict=True):
            write(painter, QRect(at.left(), at.top(), width, at.height()), written, font, color, side)
            at.setLeft(at.left() + width + GAP)
        write(painter, at, parts.size, option.font, muted, RIGHT)
        at.setRight(at.right() - plain.horizontalAdvance(parts.size) - GAP)
        if passages.note(index.row()):
            place = QPointF(at.right() - SIGN, at.center().y() - SIGN / 2 + 1)
            painter.drawImage(place, tinted("note", self.theme.muted, SIGN))
            at.setRight(at.right() - SIGN - 4)
        write(painter, at, parts.said, option.font, muted, shorten=CUT)


def _bold(font: QFont) -> QFont:
    bold = QFont(font)
    bold.setWeight(QFont.Weight.DemiBold)
    return bold


class PassagesView(QTableView):
    """A click or Return shows a passage in the article.

    A table of one column: it places equal rows by counting, where QListView asks the model for each of them
    again after every mark.
    """

    chosen = Signal(object)  # (start, end)
    menu_wanted = Signal(object, object)  # (start, end), and QPoint on the screen

    def __init__(self) -> None:
        super().__init__()
        self.passages = PassagesModel(self)
        self.setModel(self.passages)
        self._delegate = PassageDelegate(self)
        self.setItemDelegate(self._delegate)
        set_up_rows(self, "Marked passages")
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrap(False)
        self.horizontalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setMinimumSectionSize(1)
        self._fit_rows()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        listed = self.passages
        for changed in (listed.rowsInserted, listed.rowsRemoved, listed.modelReset):
            changed.connect(self.updateGeometry)
        self.clicked.connect(self._choose)
        self.activated.connect(self._choose)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Select a row when the keyboard focuses the list; a click selects its own row without scrolling."""
        super().focusInEvent(event)
        clicked = event.reason() is Qt.FocusReason.MouseFocusReason
        if not clicked and not self.currentIndex().isValid():
            self.setCurrentIndex(self.passages.index(0, 0))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        row, at = asked_row(self, event)
        event.setAccepted(row.isValid())
        if row.isValid():
            self.menu_wanted.emit(self.passages.passage(row.row()), at)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit_rows()

    def _fit_rows(self) -> None:
        self.verticalHeader().setDefaultSectionSize(self.row_height)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Repaint all rows with the column widths of the last row."""
        if rows := self.passages.rowCount():
            last, bold = self.passages.parts(rows - 1), QFontMetrics(_bold(self.font()))
            number, start = (re.sub(r"\d", "0", text) for text in (last.number, last.start))  # 10 over 11
            columns = self.fontMetrics().horizontalAdvance(number), bold.horizontalAdvance(start)
            if columns != self._delegate.columns:
                self._delegate.columns = columns
                self.viewport().update()
        super().paintEvent(event)

    def sizeHint(self) -> QSize:
        rows = min(len(self.passages.marks), MOST_SEEN)
        return QSize(super().sizeHint().width(), rows * self.row_height + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self.row_height)

    @property
    def row_height(self) -> int:
        return self.fontMetrics().height() + BETWEEN

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid() and index.row() < len(self.passages.marks):
            self.chosen.emit(self.passages.passage(index.row()))


# Sentences of the open document that were judged elsewhere in the topic: a tick in the margin leads there.
#
# Documents are read and split in a background thread; equal sentences are looked up in slices.

TOGETHER = 4  # documents read in one task; other tasks may run in between
SHORT = 0.003  # seconds; nothing waits for it, and the same turn may paint
AT_ONCE = 50  # sentences added before the window may paint
Split = list[tuple[str, list[ComparedSentence]]]


class JudgedSentences(Controller):
    """Keeps the ticks of the open document up to date, and opens other judgements of a sentence."""

    def __init__(self, context: Context, go: Callable[[str, Span], None]) -> None:
        """``go`` opens a document at a place."""
        super().__init__(context)
        self._go = go
        self._index = SentenceIndex()
        self._known: set[str] = set()  # documents in the index, or queued for it
        self._waiting: deque[tuple[str, list[ComparedSentence]]] = deque()
        self._here: tuple[str, list[ComparedSentence]] | None = None  # the open document, and its sentences
        self._like: list[tuple[ComparedSentence, list[LikeSentence]]] = []
        self._untitled: set[str] = set()  # documents that ticks name by their ids
        self._reading: BackgroundTask | None = None
        self._splitting: BackgroundTask | None = None
        self._active = True
        self._looking = Slices(self, seconds=SHORT)
        self._telling = Slices(self, seconds=SHORT)
        book = context.book
        book.room_changed.connect(lambda: self.set_active(book.room in ASSESSING))
        context.session.topic_changed.connect(lambda _topic: self._forget())
        context.session.topic_read.connect(self._read_soon)
        context.session.document_opened.connect(self._on_opened)
        context.session.state_changed.connect(self._on_judged)
        context.session.catalogue.learned.connect(self._on_learned)
        for end in (self._stop_reading, self._show_none):
            context.session.saving.closing.connect(end)
        context.article.first_painted.connect(self._on_painted)
        context.article.margin.tick_chosen.connect(lambda tick: self._follow(tick.span))
        context.article.margin.unroomed.connect(context.article.strip.show_readout)

    def set_active(self, active: bool) -> None:
        """Read and show the ticks, or stop reading and hide them while runs are shown."""
        if active is self._active:
            return
        self._active = active
        if not active:
            self._stop_reading()
            self._show_none()
        elif self._session.topic is not None:
            self._read_soon()
            if (document := self._session.document) is not None:
                self._split(document)

    # -- reading -------------------------------------------------------------------------------------

    def _stop_reading(self) -> None:
        for task in (self._reading, self._splitting):
            if task is not None:
                task.cancel()
        self._tasks.settling.forget(self._read_judged)

    def _forget(self) -> None:
        self._stop_reading()
        self._index = SentenceIndex()
        self._known.clear()
        self._waiting.clear()
        self._show_none()

    def _read_soon(self) -> None:
        self._tasks.settling.wait(self._read_judged)  # after the topic is painted

    def _read_judged(self) -> None:
        """Add the judged documents of the topic to the index, a few at a time."""
        session = self._session
        if session.topic is None or not session.preparation.ready or not self._active:
            return
        unread = (name for name in session.project.touched(session.topic.id) if name not in self._known)
        states = {name: session.state_of(name) for name in unread}
        self._read([name for name, state in states.items() if state.finished or state.relevant])

    def _read(self, names: Sequence[str]) -> None:
        if self._reading is not None:
            self._reading.cancel()
        collection, some = self._session.project.collection, names[:TOGETHER]
        if some:
            self._reading = self._tasks.run(
                lambda: split(collection, some), lambda read: self._take(read, names), urgent=False
            )

    def _take(self, read: Split, names: Sequence[str]) -> None:
        self._reading = None
        for name, compared in read:
            self._put(name, compared)
        rest = names[TOGETHER:]
        self._read(rest)
        if not rest:
            self._look()

    def _on_opened(self, _opened: OpenDocument) -> None:
        self._show_none()
        if self._splitting is not None:
            self._splitting.cancel()

    def _on_painted(self, document: Document) -> None:
        """Split the open document now that it is painted."""
        if self._active and self._session.document is document and self._here is None:
            self._split(document)

    def _split(self, document: Document) -> None:
        self._splitting = self._tasks.run(
            lambda: compared_sentences(document),
            lambda compared: self._take_open(document, compared),
            urgent=False,
            when_settled=True,
        )

    def _take_open(self, document: Document, compared: list[ComparedSentence]) -> None:
        self._splitting = None
        self._here = document.id, compared
        self._put(document.id, compared)
        self._look()

    def _put(self, name: str, compared: list[ComparedSentence]) -> None:
        if name not in self._known:
            self._known.add(name)
            self._waiting += [(name, compared[at : at + AT_ONCE]) for at in range(0, len(compared), AT_ONCE)]

    # -- similar passages ----------------------------------------------------------------------------

    def _look(self) -> None:
        if self._here is not None:
            self._looking.start(self._like_here(*self._here), self._take_like)

    def _like_here(
        self, document: str, compared: Sequence[ComparedSentence]
    ) -> Generator[None, None, list[tuple[ComparedSentence, list[LikeSentence]]]]:
        """Return the sentences of a document that also occur elsewhere, once all are in the index."""
        while self._waiting:
            self._index.put(*self._waiting.popleft())
            yield
        found = []
        for sentence in compared:
            if like := self._index.like(sentence, document):
                found.append((sentence, like))
            yield
        return found

    def _take_like(self, like: list[tuple[ComparedSentence, list[LikeSentence]]]) -> None:
        self._like = like
        self._show()

    def _on_judged(self, change: StateChanged) -> None:
        if change.documents != (self._session.document_id,):
            self._show()

    def _on_learned(self, about: Mapping[str, CatalogueEntry]) -> None:
        if not self._untitled.isdisjoint(about):
            self._show()

    def _show_none(self) -> None:
        self._looking.stop()
        self._telling.stop()
        self._here, self._like = None, []
        self._untitled.clear()
        self._article.margin.set_ticks(())

    def _show(self) -> None:
        self._telling.start(self._ticks(), self._article.margin.set_ticks)

    def _ticks(self) -> Generator[None, None, list[Tick]]:
        """Return the ticks, one sentence per step, because it may be in hundreds of documents."""
        ticks = []
        self._untitled.clear()
        for sentence, like in self._like:
            judged = [(one, state) for one in like if (state := self._judged(one)) is not None]
            if judged:
                ticks.append(self._tick(sentence, judged))
            yield
        self._session.catalogue.want_first(self._untitled)
        return ticks

    def _judged(self, like: LikeSentence) -> RelevanceState | None:
        """Return the judgement of a sentence in another document; None if there is none."""
        state = self._session.state_of(like.document)
        if is_marked(state.edges, like.start, like.end):
            return RelevanceState.RELEVANT
        return RelevanceState.NOT_RELEVANT if state.finished else None

    def _tick(
        self, sentence: ComparedSentence, judged: Sequence[tuple[LikeSentence, RelevanceState]]
    ) -> Tick:
        told, catalogue = [], self._session.catalogue
        for state in (RelevanceState.RELEVANT, RelevanceState.NOT_RELEVANT):
            names = list(dict.fromkeys(like.document for like, one in judged if one is state))
            if len(names) == 1:
                told.append(f"{state.value} in {catalogue.about(names[0]).title}")
                if catalogue.unknown(names):
                    self._untitled.update(names)
            elif names:
                told.append(f"{state.value} in {counted(len(names), 'document')}")
        same = all(like.same for like, _ in judged)
        states = tuple(dict.fromkeys(state for _, state in judged))
        said = f"{'' if same else 'nearly the same: '}judged {', '.join(told)}"
        return Tick((sentence.start, sentence.end), same, states, said)

    # -- going there ---------------------------------------------------------------------------------

    def follow_caret(self) -> None:
        tick = self._article.margin.tick_at_caret()
        if tick is None:
            self._messages.info(
                "The sentence at the caret was not judged elsewhere in this topic.",
                self._session.while_here(),
            )
        else:
            self._follow(tick.span)

    def _follow(self, span: Span) -> None:
        """Go to the sentence in the next document of the pool that has it, wrapping around."""
        like = next((like for one, like in self._like if (one.start, one.end) == span), [])
        judged = [one for one in like if self._judged(one) is not None]
        if judged:
            row = self._session.pool.row
            here = row(self._session.document_id)
            target = min(judged, key=lambda one: (row(one.document) < here, row(one.document), one.start))
            self._go(target.document, (target.start, target.end))


def split(collection: Collection, names: Sequence[str]) -> Split:
    """Return the sentences of documents; unreadable documents are skipped."""
    read: Split = []
    for name in names:
        try:
            read.append((name, compared_sentences(collection.load(name))))
        except InexviewError:
            continue
    return read


# The note beside the text: a field of fixed height that names its subject and keeps unsaved text.

LINES = 2  # visible lines; further lines scroll
AROUND = 14  # pixels of frame and padding; with less Qt finds no room for the last line
MOST = 100_000  # maximum pasted characters: laying out millions takes seconds
PAUSE = 2_000  # milliseconds without a key press before the note is saved


class NoteField(QPlainTextEdit):
    """The field of the note; Esc and Ctrl+Enter return the focus to the article."""

    done = Signal()  # return to the article
    unfocused = Signal()
    shortened = Signal()  # the pasted text was too long

    def dismiss(self) -> bool:
        """Return the focus first, before Esc cancels anything else."""
        self.done.emit()
        return True

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste over the selection, up to the maximum length of a note."""
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
        """Signal the loss of focus, and scroll to the start of the note."""
        super().focusOutEvent(event)
        if event.reason() not in (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason):
            self.verticalScrollBar().setValue(0)
        self.unfocused.emit()


class NoteBox(QWidget):
    """Shows the note of a subject, and signals its changes."""

    written = Signal(object)  # (subject, str): the new note
    done = Signal()  # the focus may return to the article

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
        aside = self.field.horizontalScrollBar()  # trailing white space would wrap and move all lines
        aside.rangeChanged.connect(lambda _least, _most: aside.setRange(0, 0))
        self._soon = timer(self, self.save, PAUSE)
        self.field.textChanged.connect(self._soon.start)
        self.field.unfocused.connect(self.save)
        self.field.done.connect(self.done)
        in_column(in_row((self._about, 1), KeySign(action)), self.field, on=self, margins=0, spacing=6)
        self.set_lines(LINES)

    def set_lines(self, lines: int) -> None:
        self._lines = lines
        self.field.ensurePolished()
        self.field.setFixedHeight(lines * self.field.fontMetrics().lineSpacing() + AROUND)
        self._show_bar()

    def _show_bar(self) -> None:
        """Scroll only if there are more lines than fit; Qt gives the height of plain text in lines."""
        fits = self.field.document().size().height() <= self._lines
        bar = Qt.ScrollBarPolicy.ScrollBarAlwaysOff if fits else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.field.setVerticalScrollBarPolicy(bar)

    def changeEvent(self, event: QEvent) -> None:
        """Keep the number of visible lines in another font."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.set_lines(self._lines)

    @property
    def about(self) -> str:
        return self._about.text()

    def show_note(self, subject: object, about: str, note: str, typed: str | None = None) -> None:
        """Show the note of a subject; unsaved text about the same subject stays.

        ``typed`` is earlier text about it that could not be saved.
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
        """Focus the field with the caret at its end."""
        self.show()
        self.field.setFocus()
        self.field.moveCursor(QTextCursor.MoveOperation.End)

    def save(self) -> None:
        """Signal the text if it changed."""
        self._soon.stop()
        if self.unsaved:
            self.written.emit((self._subject, self._typed))

    @property
    def holds(self) -> bool:
        """Whether the note has text or the focus."""
        return bool(self._known or self._typed) or self.field.hasFocus()

    @property
    def unsaved(self) -> bool:
        return self._typed != self._known

    @property
    def _typed(self) -> str:
        return self.field.toPlainText().strip()
