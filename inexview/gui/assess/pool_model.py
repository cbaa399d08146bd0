"""The documents of a topic's pool as a list model, filtered and sorted as the panel asks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt, Signal

from inexview.core.judgements.runs import RunFindings, found_in_words
from inexview.core.project.document_list import (
    NOT_THERE,
    UNREADABLE,
    CatalogueEntry,
    Columns,
    Documents,
    Order,
    PoolProgress,
    Shown,
    ShownRows,
    Signs,
)
from inexview.core.project.document_state import DocumentState, Standing, standing
from inexview.core.wording import counted, duration
from inexview.gui.look.panels import Index
from inexview.gui.look.widgets import timer

RowRole = int(Qt.ItemDataRole.UserRole)
LEARNT = 150  # milliseconds: titles come in by the dozen, and a filter looks at all of them
FEW = 50  # documents whose rows are painted again one by one


@dataclass(frozen=True, slots=True)
class PoolRow:
    """What the list shows of one document; ``figure`` is what the list is sorted by, in figures."""

    document_id: str
    about: CatalogueEntry
    state: DocumentState
    standing: Standing
    current: bool
    figure: str = ""
    come_back: bool = False
    added: bool = False
    grade: str = ""
    suggested: int = 0
    nuggets: int = -1
    """How many nuggets it states; −1: the topic has none, or the document none."""

    @property
    def problem(self) -> str:
        """Why no one can judge it, in two words."""
        return {NOT_THERE: "not there", UNREADABLE: "unreadable"}.get(self.about.problem, "")


class PoolModel(QAbstractListModel):
    """The pool of one topic, filtered and sorted.

    A pool can be as long as the collection: a filter or a sort looks at arrays, and the state of a document
    is asked for only when it is shown or was worked on.
    """

    refilled = Signal()  # other documents are shown, or in another order
    unreadable_noted = Signal()  # another number of documents cannot be judged

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = Documents()
        self._state: Callable[[str], DocumentState] = lambda _document: DocumentState()
        self._seconds: Callable[[str], float] = lambda _document: 0.0
        self._signs = Signs()
        self._columns = Columns(self._pool, self._state, lambda: (), self._seconds, self._signs)
        self.read = True  # whether it is known how all documents are judged
        self._about: dict[str, CatalogueEntry] = {}
        self._rows = ShownRows(self._pool)
        self.current: str | None = None  # the document on the screen
        self.shown = Shown.ALL
        self.order = Order.POOL
        self._words: list[str] = []
        self._noted = False  # something is known by now that no row shows
        self._refill_soon = timer(self, self.refill, LEARNT)

    def set_pool(
        self,
        pool: Sequence[str],
        state: Callable[[str], DocumentState],
        touched: Callable[[], Iterable[str]] | None = None,
        seconds: Callable[[str], float] = lambda _document: 0.0,
        *,
        signs: Signs | None = None,
        read: bool = True,
    ) -> None:
        """Show another pool.

        ``state`` says how a document is judged, ``seconds`` how long that took, ``touched`` which were ever
        worked on (without it, all may have been).  Where it would take long to ask for all of them, they are
        not ``read``: until ``set_read`` documents are shown however they are judged.
        """
        self.read = read
        self._pool = pool if isinstance(pool, Documents) else Documents(pool)
        self._state, self._seconds, self._signs = state, seconds, signs or Signs()
        self._columns = Columns(self._pool, state, touched or (lambda: pool), seconds, self._signs)
        if read:
            self._columns.read()
        self._about = {}
        self.current = None
        self._sort()

    def set_read(self) -> None:
        """Count, filter and sort from now on: all states can be asked for in no time."""
        self.read = True
        self._columns.read()
        self._sort()

    def set_about(self, about: Mapping[str, CatalogueEntry]) -> None:
        """Learn titles and lengths, as they are read in the background."""
        news = [document for document, entry in about.items() if self._about.get(document) != entry]
        self._about.update(about)
        if self._columns.note_unreadable(about) and self.read:
            self.unreadable_noted.emit()
        if self._words and news and not self._refill_soon.isActive():
            self._refill_soon.start()
        elif len(news) <= FEW:
            for document in news:
                self._touch(document)
        else:
            self.touch_all()

    def touch_all(self) -> None:
        """Show all rows again: something about many of them is another."""
        if rows := self.rowCount():
            self.dataChanged.emit(self.index(0), self.index(rows - 1))

    def show_times(self) -> None:
        """Show all rows again where they tell the time spent: it is known once that is written."""
        if self.order is Order.TIME:
            self.touch_all()

    def set_findings(self, found: RunFindings) -> None:
        nothing_new = not found and not self._columns.found
        self._columns.found = found
        if not found and self.order.of_runs:
            self.order = Order.POOL
        elif nothing_new:
            return
        if self.read:
            self._sort()

    def set_filter(self, shown: Shown, words: str) -> None:
        """Show only documents in this state, and whose title or id holds the words."""
        self.shown = shown
        self._words = words.casefold().split()
        self.refill()

    def set_order(self, order: Order) -> None:
        """Sort by something else; judging moves no row, sorting again does."""
        self.order = order
        self._sort()

    def set_current(self, document_id: str | None) -> None:
        before, self.current = self.current, document_id
        self._touch(before)
        self._touch(document_id)

    def update_states(self, documents: Iterable[str]) -> bool:
        """Show how documents are judged now; those that a chip no longer shows go from the list.

        Return whether other numbers of documents are to be told.
        """
        documents = list(documents)
        changed = (self.read and self._columns.update(documents)) or self._noted
        if self.read and (len(documents) > FEW or self._noted):
            self._noted = False
            self.refill()
            return changed
        for document in documents:
            row = self.row_of(document)
            stands = self._columns.admits(self.shown, document)
            if row >= 0 and not stands and self.read:
                self._remove(row)
            elif row < 0 and stands and document in self._pool:
                self.refill()
            else:
                self._touch(document)
        return changed

    def note_part(self, documents: Iterable[str]) -> None:
        """Know how some documents of a long step are judged now; its end shows them."""
        self._noted |= self.read and self._columns.update(documents)

    # -- what there is -------------------------------------------------------------------------------

    def progress(self) -> PoolProgress:
        """Count the whole pool, whatever is shown of it."""
        counted = self._columns.count(None)
        judged = counted[Standing.RELEVANT], counted[Standing.NOT_RELEVANT]
        return PoolProgress(len(self._pool), *judged, self._columns.count_unreadable(None))

    def counts(self) -> dict[Shown, int]:
        """Return how many documents each chip counts, with the words that are typed.

        What cannot be read is listed with what is to do, and not counted: it cannot be finished.
        """
        counted = self._columns.count(self._pool.held)
        chips = {shown: sum(counted[one] for one in shown.standings) for shown in Shown}
        chips[Shown.TO_DO] -= self._columns.count_unreadable(self._pool.held)
        return {**chips, Shown.COME_BACK: self._columns.count_come_back(self._pool.held)}

    def row_of(self, document_id: str) -> int:
        return self._rows.row_of(document_id)

    def documents_at(self, rows: slice) -> Iterable[str]:
        return self._rows.documents_at(rows)

    def document_at(self, row: int) -> str:
        return self._rows.document_at(row)

    def neighbour(self, step: int, start: str | None = None) -> str | None:
        """Return the document after (1) or before (-1) a start, of those that are shown.

        The start is the document on the screen unless said otherwise.

        While one works through what is to do, what was just finished is one of them: one goes back to it.
        """
        shown = Shown.ALL if self.shown is Shown.TO_DO else self.shown
        return self._pool.beside(start or self.current, step, self._columns.mask(self._standing(shown)))

    @property
    def has_nuggets(self) -> bool:
        """Whether the topic has nuggets, so that the list says how many a document states."""
        return bool(self._pool) and self._signs.nuggets(self._pool[0]) >= 0

    @property
    def long(self) -> bool:
        return self._pool.long

    @property
    def needs_titles(self) -> bool:
        """Whether titles say which documents are shown, or in which order."""
        return bool(self._words) or self.order is Order.TITLE

    def about(self, document_id: str) -> CatalogueEntry:
        return self._about.get(document_id, CatalogueEntry(document_id))

    def rowCount(self, parent: Index | None = None) -> int:
        if parent is not None and parent.isValid():
            return 0
        return len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the row (RowRole), the title, or what a screen reader should say."""
        if not index.isValid():
            return None
        document_id = self.document_at(index.row())
        if role == Qt.ItemDataRole.DisplayRole:
            return self.about(document_id).title
        if role not in (RowRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return None
        row = self._row(document_id)
        if role == RowRole:
            return row
        told = [row.about.problem or row.standing.value]
        if row.state.relevant:
            told.append(f"{counted(row.state.size, 'character')} marked")
        told += ["flagged to come back"] * row.come_back + ["added from outside the pool"] * row.added
        told += [f"graded {row.grade}"] * bool(row.grade)
        told += [f"{counted(row.suggested, 'passage')} suggested"] * bool(row.suggested)
        told += [f"{counted(row.nuggets, 'nugget')}"] * (row.nuggets > 0)
        if (ranks := self._columns.found.get(document_id)) is not None:
            told.append(found_in_words(ranks))
        return " · ".join([row.about.title, document_id, *told])

    def _row(self, document_id: str) -> PoolRow:
        state = self._state(document_id)
        current = document_id == self.current
        figure = self._figure(document_id, state)
        signs = self._signs
        told = signs.come_back(document_id), signs.added(document_id), signs.grade(document_id)
        shown = PoolRow(document_id, self.about(document_id), state, standing(state), current, figure, *told)
        suggested, nuggets = signs.suggested(document_id), signs.nuggets(document_id)
        return replace(shown, suggested=suggested, nuggets=nuggets) if suggested or nuggets >= 0 else shown

    def _figure(self, document_id: str, state: DocumentState) -> str:
        if self.order.of_runs:
            ranks = self._columns.found.get(document_id)
            return f"{len(ranks)} · {min(ranks.values()):>3}" if ranks else ""
        if self.order is Order.NUGGETS:
            brought = self._signs.brought().get(document_id)
            return "" if brought is None else f"+{brought:,}"
        if self.order is Order.TIME:
            seconds = self._seconds(document_id)
            return duration(seconds) if seconds else ""
        return f"{state.size:,}" if state.relevant else ""

    # -- filtering and sorting -----------------------------------------------------------------------

    def _sort(self) -> None:
        self._pool.order = self._columns.sorted(self.order, self._about) if self.read else None
        self.refill()

    def refill(self) -> None:
        """Filter again, with the titles that are known now."""
        self._refill_soon.stop()
        self.beginResetModel()
        self._pool.held = self._pool.holding(self._words, self._about) if self._words else None
        self._rows = ShownRows(self._pool, self._columns.mask(self._standing(self.shown)))
        self.endResetModel()
        self.refilled.emit()

    def _standing(self, shown: Shown) -> Shown:
        """Return the chip by which the list is filtered; all, as long as no one knows how they are judged."""
        return shown if self.read else Shown.ALL

    def _remove(self, row: int) -> None:
        """Let a document go that the filter no longer admits, without losing the place in the list."""
        if not self._rows.all:
            self.beginRemoveRows(QModelIndex(), row, row)
            self._rows.remove(row)
            self.endRemoveRows()

    def _touch(self, document_id: str | None) -> None:
        row = self.row_of(document_id) if document_id is not None else -1
        if row >= 0:
            self.dataChanged.emit(self.index(row), self.index(row))
