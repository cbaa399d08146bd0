"""The documents of a topic's pool as a list model, with the filters of the panel."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer

from inexview.core.judging import DocumentState
from inexview.gui.assess.progress import Progress, Standing, standing
from inexview.gui.catalogue import About

RowRole = int(Qt.ItemDataRole.UserRole)
LEARNT = 150  # milliseconds: titles come in by the dozen, and a filter looks at all of them
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
    about: About
    state: DocumentState
    standing: Standing
    current: bool


class PoolModel(QAbstractListModel):
    """The pool of one topic, filtered.

    A pool can be long: nothing but a filter looks at all of it, and the state of a document is asked for only
    when it is shown or was worked on.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool: Sequence[str] = ()
        self._state: Callable[[str], DocumentState] = lambda _document: DocumentState()
        self._touched: Callable[[], Iterable[str]] = lambda: ()
        self._about: dict[str, About] = {}
        self._visible: list[str] = []
        self._rows: dict[str, int] = {}
        self._current: str | None = None
        self.shown = Shown.ALL
        self.words = ""
        self._words: list[str] = []
        self._members: frozenset[str] = frozenset()
        self._refill_soon = QTimer(self, singleShot=True, interval=LEARNT)
        self._refill_soon.timeout.connect(self._refill)

    def set_pool(
        self,
        pool: Sequence[str],
        state: Callable[[str], DocumentState],
        touched: Callable[[], Iterable[str]] | None = None,
    ) -> None:
        """Show another pool.

        ``state`` says how a document is judged, ``touched`` which were ever worked on (without it, all may
        have been).
        """
        self._pool, self._state = pool, state
        self._members = frozenset(pool)
        self._touched = touched or (lambda: pool)
        self._about = {}
        self._current = None
        self._refill()

    def set_about(self, about: Mapping[str, About]) -> None:
        """Learn titles and lengths, as they are read in the background."""
        self._about.update(about)
        if self.words and not self._refill_soon.isActive():
            self._refill_soon.start()
        elif self._visible:
            self.dataChanged.emit(self.index(0), self.index(len(self._visible) - 1))

    def set_filter(self, shown: Shown, words: str) -> None:
        """Show only documents that stand so, and whose title or id holds the words."""
        self.shown, self.words = shown, words
        self._words = words.casefold().split()
        self._refill()

    def set_current(self, document_id: str | None) -> None:
        """Tell which document is on the screen; it stays in the list whatever the filter says."""
        before, self._current = self._current, document_id
        if document_id is not None and document_id not in self._rows and document_id in self._members:
            self._refill()
        elif before is not None and before in self._rows and not self._admits(before):
            self._remove(before)
        self._touch(before)
        self._touch(document_id)

    def update_states(self, documents: Iterable[str]) -> None:
        """Show that documents are judged otherwise now."""
        for document_id in documents:
            self._touch(document_id)

    def progress(self) -> Progress:
        """Count the whole pool, whatever is shown of it."""
        counted = Progress.of(self._state(name) for name in self._touched() if name in self._members)
        return Progress(len(self._pool), counted.relevant, counted.not_relevant)

    def row_of(self, document_id: str) -> int:
        """Return the row of a document, -1 where it is not shown."""
        return self._rows.get(document_id, -1)

    @property
    def current(self) -> str | None:
        """The document on the screen."""
        return self._current

    def about(self, document_id: str) -> About:
        """What is known of a document."""
        return self._about.get(document_id, About(document_id))

    def rowCount(self, parent: Index | None = None) -> int:
        """Return how many documents are shown."""
        return 0 if parent is not None and parent.isValid() else len(self._visible)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the row (RowRole), the title, or what a screen reader should say."""
        if not index.isValid():
            return None
        document_id = self._visible[index.row()]
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

    def _refill(self) -> None:
        self.beginResetModel()
        if self.shown is Shown.ALL and not self._words:
            self._visible = list(self._pool)
        else:
            touched = frozenset(self._touched())
            self._visible = [name for name in self._pool if self._admits(name, touched=name in touched)]
        self._number()
        self.endResetModel()

    def _number(self) -> None:
        self._rows = {document_id: row for row, document_id in enumerate(self._visible)}

    def _remove(self, document_id: str) -> None:
        """Let a document go that the filter no longer admits, without losing the place in the list."""
        row = self._rows[document_id]
        self.beginRemoveRows(QModelIndex(), row, row)
        del self._visible[row]
        self._number()
        self.endRemoveRows()

    def _admits(self, document_id: str, *, touched: bool = True) -> bool:
        if document_id == self._current:
            return True
        if self._words:
            text = f"{self.about(document_id).title} {document_id}".casefold()
            if not all(word in text for word in self._words):
                return False
        if self.shown is Shown.ALL:
            return True
        return self.shown.admits(standing(self._state(document_id)) if touched else Standing.TO_DO)

    def _touch(self, document_id: str | None) -> None:
        row = self._rows.get(document_id, -1) if document_id is not None else -1
        if row >= 0:
            self.dataChanged.emit(self.index(row), self.index(row))
