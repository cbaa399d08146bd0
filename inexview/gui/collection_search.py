"""Search in the collection: the page with field and results, and searching in background threads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Event

from PySide6.QtCore import QEvent, QObject, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLineEdit,
    QListView,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from inexview.core.collection.collection import Collection
from inexview.core.progress import Cancelled, Progress, unwatched
from inexview.core.project.document_state import standing
from inexview.core.word_index.word_index import (
    FoundDocument,
    OutdatedIndexError,
    SearchResult,
    WordIndex,
    search,
    word_index,
)
from inexview.core.wording import counted
from inexview.gui.article.article_view import Context, Controller
from inexview.gui.article.text_document import OffsetMap
from inexview.gui.look.panels import Index, ListModel, RowRole
from inexview.gui.look.theme import Themed
from inexview.gui.look.widgets import (
    CUT,
    RIGHT,
    Caption,
    Filler,
    derived,
    in_column,
    in_row,
    label,
    timer,
    write,
)
from inexview.gui.services.actions import Room
from inexview.gui.services.messages import as_sentence, sentence
from inexview.gui.services.tasks import BackgroundTask, LongTask

HEIGHT, LEFT, MOST_LINES = 78, 16, 2


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A found document; ``stands`` is its state, or that it is not in the pool."""

    found: FoundDocument
    title: str
    stands: str

    def __str__(self) -> str:
        return f"{self.title} · {self.found.id} · {self.stands}: {self.found.snippet.text}"


class ResultDelegate(Themed, QStyledItemDelegate):
    """Paints a :class:`ResultRow`; found words stand out in colour and weight."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: ResultRow = index.data(RowRole)
        theme, rect = self.theme, option.rect
        painter.save()
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # each title in its own direction
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.color("selected"))
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), theme.color("accent"))
        line = QRect(rect.left() + LEFT, rect.top() + 8, rect.width() - 2 * LEFT, 20)
        note = f"{row.stands} · {len(row.found.spans):,}×"
        write(painter, line, note, derived(option.font, factor=0.92), theme.color("muted"), RIGHT)
        line.setRight(line.right() - painter.fontMetrics().horizontalAdvance(note) - 14)
        write(painter, line, row.title, derived(option.font, bold=True), theme.color("text"), shorten=CUT)
        self._snippet(painter, option, row, rect.adjusted(LEFT, 30, -LEFT, -4))
        painter.restore()

    def _snippet(self, painter: QPainter, option: QStyleOptionViewItem, row: ResultRow, room: QRect) -> None:
        text, spans = row.found.snippet
        layout = QTextLayout(text, derived(option.font))
        written = QTextOption(Qt.AlignmentFlag.AlignLeft)
        written.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        layout.setTextOption(written)
        places = OffsetMap(text, (0,))
        layout.setFormats([self._sought(*map(places.to_position, span)) for span in spans])
        layout.beginLayout()
        y = 0.0
        for _ in range(MOST_LINES):
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(room.width())
            line.setPosition(QPointF(0, y))
            y += line.height() + 2
        layout.endLayout()
        painter.setPen(self.theme.color("muted"))
        layout.draw(painter, room.topLeft())

    def _sought(self, start: int, end: int) -> QTextLayout.FormatRange:
        sought = QTextLayout.FormatRange()
        sought.start, sought.length = start, end - start
        look = QTextCharFormat()
        look.setForeground(self.theme.color("text"))
        look.setFontWeight(600)
        sought.format = look
        return sought


TYPING_PAUSE = 180  # milliseconds
WIDEST = 860
HOW = 'Words of the document; "a phrase", begin*, NEAR(two words, 5), -without'


class SearchPage(QWidget):
    """The page; it signals what is typed and chosen."""

    typed = Signal(object)  # str
    chosen = Signal(object)  # ResultRow

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.field = QLineEdit(placeholderText=HOW, clearButtonEnabled=True)
        self.field.setAccessibleName("Find in the collection")
        self.field.setAccessibleDescription(HOW)
        self.field.installEventFilter(self)
        self._pause = timer(self, lambda: self.typed.emit(self.field.text()), TYPING_PAUSE)
        self._stands = True  # whether the list belongs to the typed text
        self.opens_best = False
        """Whether to open the best document when found, because Enter was faster than the search."""
        self.field.textChanged.connect(self._on_typed)
        self._title = label("Find in the collection", "title")
        self.status = label("", "muted", wrap=True)
        self.make_index = QPushButton("Index the words of the collection")
        self.model = ListModel[ResultRow](self)
        self.view = QListView()
        self._delegate = ResultDelegate(self.view)
        self.view.setModel(self.model)
        self.view.setItemDelegate(self._delegate)
        self.view.setUniformItemSizes(True)
        self.view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setAccessibleName("Documents found")
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the field has the focus, and moves the selection
        self.view.clicked.connect(lambda index: self.chosen.emit(index.data(RowRole)))
        inside = QWidget()
        inside.setMaximumWidth(WIDEST)
        in_column(
            Caption("The whole collection"),
            self._title,
            self.field,
            self.status,
            (self.make_index, 0, Qt.AlignmentFlag.AlignLeft),
            (self.view, 1),
            on=inside,
            margins=(24, 20, 24, 10),
            spacing=10,
        )
        in_row(Filler(1), (inside, 100), Filler(1), on=self, margins=0)

    def tell(self, text: str, *, lacks_index: bool = False) -> None:
        """Show a summary of the results, or why nothing can be searched; typing is always possible."""
        self.status.setText(text)
        self.make_index.setVisible(lacks_index)

    def _on_typed(self, _text: str) -> None:
        self._stands = self.opens_best = False
        self._pause.start()

    def show_found(self, rows: Sequence[ResultRow]) -> None:
        """List the results for the typed text with the best selected; open it if Enter was pressed."""
        wanted, self.opens_best = self.opens_best, False
        self._stands = not self._pause.isActive()
        self.model.set_rows(rows)
        if rows:
            self.view.setCurrentIndex(self.model.index(0))
            if wanted:
                self._choose()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.field and event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 6, Qt.Key.Key_PageUp: -6}
            if event.key() in steps:
                row = self.view.currentIndex().row() + steps[Qt.Key(event.key())]
                last = self.model.rowCount() - 1
                self.view.setCurrentIndex(self.model.index(min(max(row, 0), last)))
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._choose()
                return True
        return super().eventFilter(watched, event)

    def _choose(self) -> None:
        """Open the selected document; without an index, build one."""
        if self.make_index.isVisible():
            self.make_index.click()
            return
        if not self._stands:
            self.opens_best = True
            if self._pause.isActive():
                self._pause.stop()
                self.typed.emit(self.field.text())
            return
        row: ResultRow | None = self.view.currentIndex().data(RowRole)
        if row is not None:
            self.chosen.emit(row)


MOST = 50  # documents shown
PAGE = 12  # documents shown at first: as many as are visible
Titled = Sequence[tuple[FoundDocument, str]]
"""Documents with their titles."""
NO_INDEX = (
    "The words of the collection are not indexed yet. This is done once, in the background. You can cancel "
    "it and continue later."
)


class SearchController(Controller):
    """Opens and closes the page, and searches; the index is loaded on first use."""

    room = Room.SEARCH
    wanted = Signal(object)  # bool: open or close the page
    place_wanted = Signal(object)  # (document id, (start, end))

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.active = False
        self._index: WordIndex | None = None
        self._indexing: LongTask | None = None
        self._searching: BackgroundTask | None = None
        self._given_up = Event()  # set when something else is typed, to cancel the search

    @cached_property
    def page(self) -> SearchPage:
        page = SearchPage()
        page.typed.connect(self._search)
        page.chosen.connect(self._open)
        page.make_index.clicked.connect(self._make_index)
        return page

    def toggle(self) -> None:
        self.wanted.emit(not self.active)

    def set_active(self, active: bool) -> None:
        self.active = active
        if not active:
            self.page.opens_best = False
            return
        self.page.field.setFocus()
        self.page.field.selectAll()
        if self._index is None and self._indexing is None:
            collection = self._session.project.collection
            self.page.tell("Looking for the index of words…")
            why: list[str] = []
            self._tasks.run(
                lambda: WordIndex.kept(collection, why.append),
                lambda index: self._use(index, *map(as_sentence, why)),
                self._fail,
            )

    def dismiss(self) -> bool:
        if self.active:
            self.wanted.emit(False)
            return True
        return False

    # -- the index -----------------------------------------------------------------------------------

    def _use(self, index: WordIndex | None, why: str = NO_INDEX) -> None:
        """Use an index from now on; for None, show why there is none."""
        self._index = index
        if index is None:
            self.page.tell(why, lacks_index=True)
            return
        self.page.tell(f"{counted(index.documents, 'document')}.")
        if self.active:
            self.page.field.setFocus()
        if self.page.field.text():
            self._search(self.page.field.text())

    def _make_index(self) -> None:
        if self._indexing is not None:
            return
        collection = self._session.project.collection
        self.page.make_index.setEnabled(False)
        self._indexing = self._tasks.run_long(
            f"Indexing the words of {collection.path.name}",
            lambda progress: word_index(collection, progress),
            self._made,
            self._not_made,
            given_up=lambda: self._not_made(Cancelled()),
        )

    def _made(self, index: WordIndex) -> None:
        self._indexing = None
        self.page.make_index.setEnabled(True)
        self._use(index)

    def _not_made(self, error: Exception) -> None:
        self._indexing = None
        self.page.make_index.setEnabled(True)
        self.page.tell(NO_INDEX, lacks_index=True)
        if not isinstance(error, Cancelled):
            self._messages.error(error)

    # -- searching -----------------------------------------------------------------------------------

    def _search(self, typed: str) -> None:
        index, collection = self._index, self._session.project.collection
        if self._searching is not None:
            self._searching.cancel()
        self._given_up.set()
        given_up = self._given_up = Event()
        if index is None:
            self.page.opens_best = False  # by the time an index exists, the user may be doing something else
            return

        def hear(what: str, done: int, total: int | None) -> None:
            if given_up.is_set():
                raise Cancelled

        if not typed.strip():
            self.page.show_found(())
            self.page.tell(f"{counted(index.documents, 'document')}.")
            return
        self._searching = self._tasks.run(
            lambda: first_page(index, collection, typed, hear),
            lambda found: self._show(*found),
            self._fail,
        )

    def _show(self, result: SearchResult, documents: Titled) -> None:
        self._searching = None
        told = counted(result.found, "document") if result.found else "No document has all of these"
        if result.found > result.listed:
            told += f", the best {result.listed} are shown"
        if result.unknown:
            told += f" · in no document: {', '.join(result.unknown)}"
        self.page.tell(told)
        self.page.show_found(self._rows(documents))
        if result.listed > PAGE:
            collection = self._session.project.collection
            self._searching = self._tasks.run(
                lambda: titled(collection, result.documents(PAGE)), self._show_more, self._fail
            )

    def _show_more(self, documents: Titled) -> None:
        self._searching = None
        self.page.model.add_rows(self._rows(documents))

    def _rows(self, documents: Titled) -> list[ResultRow]:
        return [ResultRow(one, title, self._stands(one.id)) for one, title in documents]

    def _fail(self, error: Exception) -> None:
        self._searching = None
        self.page.show_found(())
        outdated = isinstance(error, OutdatedIndexError)
        if outdated:
            self._index = None
        self.page.tell(sentence(error), lacks_index=outdated)

    def _stands(self, document: str) -> str:
        """Return the state of a document in the open topic, or that it is not in the pool."""
        state = self._session.state_of(document)
        if state.untouched and document not in self._session.pool:
            return "outside the pool"
        return standing(state).value

    def _open(self, row: ResultRow) -> None:
        self.wanted.emit(False)
        self.place_wanted.emit((row.found.id, row.found.place))


def first_page(
    index: WordIndex,
    collection: Collection,
    typed: str,
    progress: Progress = unwatched,
) -> tuple[SearchResult, Titled]:
    """Return the results, and the documents that are visible at first.

    Raises InexviewError for invalid queries, and Cancelled.
    """
    result = search(index, collection, typed, MOST, progress)
    return result, titled(collection, result.documents(0, PAGE))


def titled(collection: Collection, documents: Sequence[FoundDocument]) -> Titled:
    return list(zip(documents, collection.titles([one.id for one in documents]), strict=True))
