"""The documents of a topic's pool as a list model, with the filters of the panel."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer

from inexview.core.project.judging_actions import DocumentState
from inexview.gui.assess.pool_progress import PoolProgress, Standing, standing
from inexview.gui.services.catalogue import CatalogueEntry
from inexview.gui.services.document_list import Documents, Rows

RowRole = int(Qt.ItemDataRole.UserRole)
LEARNT = 150  # milliseconds: titles come in by the dozen, and a filter looks at all of them
LONG = 20_000  # documents from which a filter waits for the end of a word
Index = QModelIndex | QPersistentModelIndex


class Shown(Enum):
    """Which documents of the pool are shown."""

    ALL = "All"
    TO_DO = "To do"
    RELEVANT = "Relevant"
    NOT_RELEVANT = "Not"

    def admits(self, where: Standing) -> bool:
        """Whether a document that stands there is shown."""
        if self is Shown.RELEVANT:
            return where is Standing.RELEVANT
        if self is Shown.NOT_RELEVANT:
            return where is Standing.NOT_RELEVANT
        return self is Shown.ALL or where is Standing.TO_DO or where is Standing.BEGUN


@dataclass(frozen=True, slots=True)
class PoolRow:
    """What the list shows of one document."""

    document_id: str
    about: CatalogueEntry
    state: DocumentState
    standing: Standing
    current: bool


class PoolModel(QAbstractListModel):
    """The pool of one topic, filtered.

    A pool can be as long as the collection: nothing but a filter looks at all of it, and the state of a
    document is asked for only when it is shown or was worked on.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = Documents()
        self._state: Callable[[str], DocumentState] = lambda _document: DocumentState()
        self._touched: Callable[[], Iterable[str]] = lambda: ()
        self._standings: dict[str, Standing] | None = None  # of the pool's documents that were worked on
        self.read = True  # whether it is known how all documents stand
        self._about: dict[str, CatalogueEntry] = {}
        self._visible: Rows | None = None  # rows of the pool that the filter lets through; None: all
        self._current: str | None = None
        self.shown = Shown.ALL
        self.words = ""
        self._words: list[str] = []
        self._refill_soon = QTimer(self, singleShot=True, interval=LEARNT)
        self._refill_soon.timeout.connect(self._refill)

    def set_pool(
        self,
        pool: Sequence[str],
        state: Callable[[str], DocumentState],
        touched: Callable[[], Iterable[str]] | None = None,
        *,
        read: bool = True,
    ) -> None:
        """Show another pool.

        ``state`` says how a document is judged, ``touched`` which were ever worked on (without it, all may
        have been).  Where it would take long to ask for all of them, they are not ``read``: until
        ``set_read`` documents are shown however they stand.
        """
        self.read = read
        self._pool = pool if isinstance(pool, Documents) else Documents(pool)
        self._state = state
        self._touched = touched or (lambda: pool)
        self._standings = None
        self._about = {}
        self._current = None
        self._refill()

    def set_read(self) -> None:
        """Count and filter from now on: all states can be asked for in no time."""
        self.read = True
        self._standings = None
        if self.shown is not Shown.ALL:
            self._refill()

    def set_about(self, about: Mapping[str, CatalogueEntry]) -> None:
        """Learn titles and lengths, as they are read in the background."""
        self._about.update(about)
        if self.words and not self._refill_soon.isActive():
            self._refill_soon.start()
        elif rows := self.rowCount():
            self.dataChanged.emit(self.index(0), self.index(rows - 1))

    def set_filter(self, shown: Shown, words: str) -> None:
        """Show only documents that stand so, and whose title or id holds the words."""
        self.shown, self.words = shown, words
        self._words = words.casefold().split()
        self._refill()

    def set_current(self, document_id: str | None) -> None:
        """Tell which document is on the screen; it stays in the list whatever the filter says."""
        before, self._current = self._current, document_id
        if document_id is not None and self.row_of(document_id) < 0 and document_id in self._pool:
            self._refill()
        elif before is not None and self.row_of(before) >= 0 and not self._admits(before):
            self._remove(before)
        self._touch(before)
        self._touch(document_id)

    def update_states(self, documents: Iterable[str]) -> None:
        """Show that documents are judged otherwise now."""
        for document_id in documents:
            if self._standings is not None and document_id in self._pool:
                self._standings[document_id] = standing(self._state(document_id))
            self._touch(document_id)

    def progress(self) -> PoolProgress:
        """Count the whole pool, whatever is shown of it."""
        counted = Counter(self._worked_on().values())
        return PoolProgress(len(self._pool), counted[Standing.RELEVANT], counted[Standing.NOT_RELEVANT])

    def row_of(self, document_id: str) -> int:
        """Return the row of a document, -1 where it is not shown."""
        at = self._pool.row(document_id)
        if at < 0 or self._visible is None:
            return at
        row = int(np.searchsorted(self._visible, at))
        return row if row < len(self._visible) and self._visible[row] == at else -1

    def document_at(self, row: int) -> str:
        """Return the document of a row."""
        return self._pool[row if self._visible is None else int(self._visible[row])]

    @property
    def current(self) -> str | None:
        """The document on the screen."""
        return self._current

    @property
    def long(self) -> bool:
        """Whether the pool is so long that a filter is felt."""
        return len(self._pool) > LONG

    def about(self, document_id: str) -> CatalogueEntry:
        """What is known of a document."""
        return self._about.get(document_id, CatalogueEntry(document_id))

    def rowCount(self, parent: Index | None = None) -> int:
        """Return how many documents are shown."""
        if parent is not None and parent.isValid():
            return 0
        return len(self._pool) if self._visible is None else len(self._visible)

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
        told = "not in the collection" if row.about.missing else row.standing.value
        return f"{row.about.title} · {document_id} · {told}"

    def _row(self, document_id: str) -> PoolRow:
        state = self._state(document_id)
        return PoolRow(
            document_id, self.about(document_id), state, standing(state), document_id == self._current
        )

    def _worked_on(self) -> dict[str, Standing]:
        if self._standings is None:
            touched = (document for document in self._touched() if document in self._pool)
            self._standings = {document: standing(self._state(document)) for document in touched}
        return self._standings

    def _refill(self) -> None:
        self.beginResetModel()
        self._visible = self._admitted()
        self.endResetModel()

    def _admitted(self) -> Rows | None:
        """Return the rows of the pool that the filter lets through; None for all."""
        shown = self.shown if self.read else Shown.ALL
        if shown is Shown.ALL and not self._words:
            return None
        mask = self._pool.holding(self._words, self._about)
        if shown is not Shown.ALL:
            stands = np.full(len(self._pool), shown.admits(Standing.TO_DO))
            for document_id, where in self._worked_on().items():
                stands[self._pool.row(document_id)] = shown.admits(where)
            mask &= stands
        if (current := self._pool.row(self._current)) >= 0:
            mask[current] = True
        return np.flatnonzero(mask)

    def _remove(self, document_id: str) -> None:
        """Let a document go that the filter no longer admits, without losing the place in the list."""
        row = self.row_of(document_id)
        if self._visible is not None:
            self.beginRemoveRows(QModelIndex(), row, row)
            self._visible = np.delete(self._visible, row)
            self.endRemoveRows()

    def _admits(self, document_id: str) -> bool:
        """Whether the filter lets a document through that is not on the screen."""
        text = f"{self.about(document_id).title} {document_id}".casefold()
        return all(word in text for word in self._words) and self.shown.admits(
            standing(self._state(document_id))
        )

    def _touch(self, document_id: str | None) -> None:
        row = self.row_of(document_id) if document_id is not None else -1
        if row >= 0:
            self.dataChanged.emit(self.index(row), self.index(row))
