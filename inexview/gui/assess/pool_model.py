"""The documents of a topic's pool as a list model, with the filters of the panel."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from inexview.core.judging import DocumentState
from inexview.gui.assess.progress import Progress, Standing, standing
from inexview.gui.catalogue import About

RowRole = int(Qt.ItemDataRole.UserRole)
Index = QModelIndex | QPersistentModelIndex


class Shown(Enum):
    """Which documents of the pool are shown."""

    ALL = "All"
    TO_DO = "To do"
    RELEVANT = "Relevant"
    NOT_RELEVANT = "Not"

    def admits(self, where: Standing) -> bool:
        """Whether a document that stands there is shown."""
        return {
            Shown.ALL: True,
            Shown.TO_DO: where in (Standing.TO_DO, Standing.BEGUN),
            Shown.RELEVANT: where is Standing.RELEVANT,
            Shown.NOT_RELEVANT: where is Standing.NOT_RELEVANT,
        }[self]


@dataclass(frozen=True, slots=True)
class PoolRow:
    """What the list shows of one document."""

    document_id: str
    about: About
    state: DocumentState
    standing: Standing
    current: bool


class PoolModel(QAbstractListModel):
    """The pool of one topic, filtered; asks for the state of a document only when it is shown."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool: Sequence[str] = ()
        self._state: Callable[[str], DocumentState] = lambda _document: DocumentState()
        self._about: dict[str, About] = {}
        self._visible: list[str] = []
        self._current: str | None = None
        self.shown = Shown.ALL
        self.words = ""

    def set_pool(self, pool: Sequence[str], state: Callable[[str], DocumentState]) -> None:
        """Show another pool; ``state`` says how a document is judged."""
        self._pool, self._state = pool, state
        self._about = {}
        self._current = None
        self._refill()

    def set_about(self, about: Mapping[str, About]) -> None:
        """Learn titles and lengths, as they are read in the background."""
        self._about.update(about)
        if self.words:
            self._refill()
        elif self._visible:
            self.dataChanged.emit(self.index(0), self.index(len(self._visible) - 1))

    def set_filter(self, shown: Shown, words: str) -> None:
        """Show only documents that stand so, and whose title or id holds the words."""
        self.shown, self.words = shown, words
        self._refill()

    def set_current(self, document_id: str | None) -> None:
        """Tell which document is on the screen; it stays in the list whatever the filter says."""
        before, self._current = self._current, document_id
        if document_id is not None and document_id not in self._visible:
            self._refill()
        self._touch(before)
        self._touch(document_id)

    def update_state(self, document_id: str) -> None:
        """Show that a document is judged otherwise now."""
        self._touch(document_id)

    def progress(self) -> Progress:
        """Count the whole pool, whatever is shown of it."""
        return Progress.of(self._state(document_id) for document_id in self._pool)

    def row_of(self, document_id: str) -> int:
        """Return the row of a document, -1 where it is not shown."""
        return self._visible.index(document_id) if document_id in self._visible else -1

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
        words = self.words.casefold().split()
        self._visible = [document_id for document_id in self._pool if self._admits(document_id, words)]
        self.endResetModel()

    def _admits(self, document_id: str, words: list[str]) -> bool:
        if document_id == self._current:
            return True
        if words:
            text = f"{self.about(document_id).title} {document_id}".casefold()
            if not all(word in text for word in words):
                return False
        return self.shown is Shown.ALL or self.shown.admits(standing(self._state(document_id)))

    def _touch(self, document_id: str | None) -> None:
        if document_id is not None and (row := self.row_of(document_id)) >= 0:
            self.dataChanged.emit(self.index(row), self.index(row))
