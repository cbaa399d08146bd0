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
LEARNT = 150  # milliseconds: titles arrive by the dozen, and a filter looks at all of them
FEW = 50  # documents whose rows are repainted one by one


@dataclass(frozen=True, slots=True)
class PoolRow:
    """The values of a document's row; ``figure`` is the formatted value by which the list is sorted."""

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
    """Number of nuggets that it states; −1 if the topic or the document has none."""

    @property
    def problem(self) -> str:
        """Why it cannot be judged, in two words."""
        return {NOT_THERE: "not there", UNREADABLE: "unreadable"}.get(self.about.problem, "")


class PoolModel(QAbstractListModel):
    """The pool of one topic, filtered and sorted.

    A pool can be as long as the collection: filters and sorting work on arrays, and the state of a document
    is read only if it is shown or was worked on.
    """

    refilled = Signal()  # the documents or their order changed
    unreadable_noted = Signal()  # the number of unreadable documents changed

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = Documents()
        self._state: Callable[[str], DocumentState] = lambda _document: DocumentState()
        self._seconds: Callable[[str], float] = lambda _document: 0.0
        self._signs = Signs()
        self._columns = Columns(self._pool, self._state, lambda: (), self._seconds, self._signs)
        self.read = True  # whether the states of all documents are known
        self._about: dict[str, CatalogueEntry] = {}
        self._rows = ShownRows(self._pool)
        self.current: str | None = None  # the open document
        self.shown = Shown.ALL
        self.order = Order.POOL
        self._words: list[str] = []
        self._noted = False  # whether states have changed that no row shows yet
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

        ``state`` returns the state of a document, ``seconds`` the time spent on it, ``touched`` the documents
        ever worked on (all by default). If reading all states would take long, ``read`` is false and no state
        is filtered until ``set_read``.
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
        """Count, filter and sort by state from now on, because all states can be read at once."""
        self.read = True
        self._columns.read()
        self._sort()

    def set_about(self, about: Mapping[str, CatalogueEntry]) -> None:
        """Add titles and lengths as they are read in the background."""
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
        """Repaint all rows, because many of them changed."""
        if rows := self.rowCount():
            self.dataChanged.emit(self.index(0), self.index(rows - 1))

    def show_times(self) -> None:
        """Repaint all rows if they show the time spent, which is known once it is saved."""
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
        """Show only documents in a state whose title or id contains the words."""
        self.shown = shown
        self._words = words.casefold().split()
        self.refill()

    def set_order(self, order: Order) -> None:
        """Change the order; a judgement moves no row until the next sort."""
        self.order = order
        self._sort()

    def set_current(self, document_id: str | None) -> None:
        before, self.current = self.current, document_id
        self._touch(before)
        self._touch(document_id)

    def update_states(self, documents: Iterable[str]) -> bool:
        """Update the states of documents, and remove those that the filter no longer shows.

        Return whether the counts changed.
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
        """Record that documents of a long step were judged; the end of the step shows them."""
        self._noted |= self.read and self._columns.update(documents)

    # -- contents ------------------------------------------------------------------------------------

    def progress(self) -> PoolProgress:
        """Return the progress in the whole pool, whatever the filter shows."""
        counted = self._columns.count(None)
        judged = counted[Standing.RELEVANT], counted[Standing.NOT_RELEVANT]
        return PoolProgress(len(self._pool), *judged, self._columns.count_unreadable(None))

    def counts(self) -> dict[Shown, int]:
        """Return the number of documents of each filter, for the typed words.

        Unreadable documents are listed under "to do" but not counted, because they cannot be finished.
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
        """Return the shown document after (1) or before (-1) a start, by default the open document.

        While the list shows only what is to do, the document just finished still counts, so that you can go
        back to it.
        """
        shown = Shown.ALL if self.shown is Shown.TO_DO else self.shown
        return self._pool.beside(start or self.current, step, self._columns.mask(self._standing(shown)))

    @property
    def has_nuggets(self) -> bool:
        """Whether the topic has nuggets, whose number the rows then show."""
        return bool(self._pool) and self._signs.nuggets(self._pool[0]) >= 0

    @property
    def long(self) -> bool:
        return self._pool.long

    @property
    def needs_titles(self) -> bool:
        """Whether the filter or the order depends on titles."""
        return bool(self._words) or self.order is Order.TITLE

    def about(self, document_id: str) -> CatalogueEntry:
        return self._about.get(document_id, CatalogueEntry(document_id))

    def rowCount(self, parent: Index | None = None) -> int:
        if parent is not None and parent.isValid():
            return 0
        return len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the row (RowRole), the title, or the text for screen readers."""
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
        """Apply filter and order again, with the titles known now."""
        self._refill_soon.stop()
        self.beginResetModel()
        self._pool.held = self._pool.holding(self._words, self._about) if self._words else None
        self._rows = ShownRows(self._pool, self._columns.mask(self._standing(self.shown)))
        self.endResetModel()
        self.refilled.emit()

    def _standing(self, shown: Shown) -> Shown:
        """Return the filter by state; all documents as long as states are unknown."""
        return shown if self.read else Shown.ALL

    def _remove(self, row: int) -> None:
        """Remove a row that the filter no longer shows, keeping the scroll position."""
        if not self._rows.all:
            self.beginRemoveRows(QModelIndex(), row, row)
            self._rows.remove(row)
            self.endRemoveRows()

    def _touch(self, document_id: str | None) -> None:
        row = self.row_of(document_id) if document_id is not None else -1
        if row >= 0:
            self.dataChanged.emit(self.index(row), self.index(row))
