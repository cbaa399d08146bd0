"""A run's ranked documents for one topic: rows, what each has missed or taken wrongly, and filters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, IntFlag

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from inexview.core.text.spans import EMPTY, Spans
from inexview.gui.inspect.figures import NOTHING, count, exact, short
from inexview.gui.look.symbols import RelevanceState

Index = QModelIndex | QPersistentModelIndex
ROW_ROLE = Qt.ItemDataRole.UserRole


@dataclass(frozen=True, slots=True)
class OtherRanking:
    """What the run that is compared with made of a document: no rank where it did not find it."""

    rank: int | None
    score: float | None


@dataclass(frozen=True, slots=True)
class RankedDocument:
    """One document of a run's ranking.

    ``rank`` is None for a relevant document that the run does not hold; ``score`` is F(d) or s(x,b), None
    where the document is unjudged; ``length`` the document's in characters, None where not known;
    ``first_start`` where the run's first passage in it starts.
    """

    rank: int | None
    document: str
    title: str
    state: RelevanceState
    score: float | None = None
    length: int | None = None
    judged: Spans = EMPTY
    retrieved: Spans = EMPTY
    first_start: int | None = None
    other: OtherRanking | None = None

    @property
    def gained(self) -> float | None:
        """The score less that of the other run, None where there is none to compare with."""
        if self.other is None or self.other.score is None or self.score is None:
            return None
        return self.score - self.other.score


class DocumentFaults(IntFlag):
    """What a run did wrong in a document, or that no one can say."""

    NONE = 0
    MISSED = 1
    FALSE_ALARM = 2
    UNJUDGED = 4


class Filter(Enum):
    """Which of the documents are shown."""

    ALL = "All"
    MISSES = "Misses"
    FALSE_ALARMS = "False alarms"
    UNJUDGED = "Unjudged"


@dataclass(frozen=True, slots=True)
class Rows:
    """A ranking's documents, each of which becomes a row when it is looked at."""

    documents: Sequence[str] = ()
    row: Callable[[str], RankedDocument] = field(
        default=lambda name: RankedDocument(None, name, "", RelevanceState.UNJUDGED)
    )
    judged: Mapping[str, DocumentFaults] = field(default_factory=dict)
    """What is at fault with those of which anything is judged."""


_FAULT_OF = {
    Filter.MISSES: DocumentFaults.MISSED,
    Filter.FALSE_ALARMS: DocumentFaults.FALSE_ALARM,
    Filter.UNJUDGED: DocumentFaults.UNJUDGED,
}


class RankedModel(QAbstractListModel):
    """Shows the rows that pass the filter.

    A row is made when it is first shown: a ranking of thousands of documents is there at once.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows = Rows()
        self._made: dict[str, RankedDocument] = {}
        self._place: dict[str, int] = {}
        self._faults: NDArray[np.uint8] = np.empty(0, np.uint8)  # DocumentFaults
        self._shown: NDArray[np.int64] = np.empty(0, np.int64)
        self.filter = Filter.ALL

    def set_rows(self, rows: Rows) -> None:
        """Show another ranking."""
        self.beginResetModel()
        self._rows = rows
        self._made = {}
        self._place = {name: at for at, name in enumerate(rows.documents)}
        self._faults = np.full(len(rows.documents), DocumentFaults.UNJUDGED, np.uint8)
        for name, fault in rows.judged.items():
            self._faults[self._place[name]] = fault
        self._shown = np.flatnonzero(self._passing(self.filter))
        self.endResetModel()

    def set_filter(self, kind: Filter) -> None:
        """Show only the documents of one kind."""
        self.beginResetModel()
        self.filter = kind
        self._shown = np.flatnonzero(self._passing(kind))
        self.endResetModel()

    def make_anew(self, documents: Iterable[str] | None = None) -> None:
        """Make the rows of these documents, or all, again when they are next shown; their faults stay."""
        if documents is None:
            self._made = {}
        else:
            for document in documents:
                self._made.pop(document, None)

    def judge(self, document: str, fault: DocumentFaults) -> None:
        """Show one document again that is judged differently.

        It stays in the list even where it no longer passes the filter: what is being worked on does not
        vanish from under the hand.
        """
        at = self._place.get(document)
        if at is None:
            return
        self._made.pop(document, None)
        self._faults[at] = fault
        index = self.index_of(document)
        if index.isValid():
            self.dataChanged.emit(index, index)

    def how_many(self, kind: Filter) -> int:
        """Count the documents of one kind."""
        return int(self._passing(kind).sum())

    def _passing(self, kind: Filter) -> NDArray[np.bool_]:
        """Tell for each row whether it is of this kind."""
        if kind is Filter.ALL:
            return np.ones(len(self._faults), bool)
        passing: NDArray[np.bool_] = (self._faults & _FAULT_OF[kind]) != 0
        return passing

    def at(self, index: Index) -> RankedDocument:
        """Return the document of an index."""
        name = self._rows.documents[int(self._shown[index.row()])]
        row = self._made.get(name)
        if row is None:
            row = self._made[name] = self._rows.row(name)
        return row

    def index_of(self, document: str) -> QModelIndex:
        """Return the index of a document, an invalid one where it is not shown."""
        at = self._place.get(document)
        if at is None:
            return QModelIndex()
        shown = int(np.searchsorted(self._shown, at))
        there = shown < len(self._shown) and self._shown[shown] == at
        return self.index(shown) if there else QModelIndex()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Count the documents shown."""
        return 0 if parent.isValid() else len(self._shown)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Tell a title, a sentence for screen readers, a tooltip, or the row itself."""
        row = self.at(index)
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title or row.document
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.AccessibleTextRole:
            rank = "not retrieved" if row.rank is None else f"rank {row.rank}"
            said = f"{rank}, {row.title or row.document}, {row.state.value}, score {short(row.score)}"
            return said if row.gained is None else f"{said}, {row.gained:+.3f} against the baseline"
        if role == Qt.ItemDataRole.ToolTipRole:
            return _tooltip(row)
        return None


def _tooltip(row: RankedDocument) -> str:
    hits = (row.judged & row.retrieved).size
    score = NOTHING if row.score is None else exact(row.score)
    lines = [
        f"{row.title} ({row.document})" if row.title else row.document,
        f"{row.state.value}, score {score}",
    ]
    if row.state is not RelevanceState.UNJUDGED:
        lines.append(
            f"{count(hits)} characters hit, {count(row.judged.size - hits)} missed, "
            f"{count(row.retrieved.size - hits)} false alarm"
        )
    return "\n".join(lines)
