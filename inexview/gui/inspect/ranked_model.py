"""A run's ranked documents for one topic: rows, what each has missed or taken wrongly, and filters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from inexview.core.spans import EMPTY, Spans
from inexview.gui.inspect.figures import NOTHING, count, exact, short
from inexview.gui.inspect.symbols import Judged

Index = QModelIndex | QPersistentModelIndex
ROW_ROLE = Qt.ItemDataRole.UserRole


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
    state: Judged
    score: float | None = None
    length: int | None = None
    judged: Spans = EMPTY
    retrieved: Spans = EMPTY
    first_start: int | None = None


class Filter(Enum):
    """Which of the documents are shown."""

    ALL = "All"
    MISSES = "Misses"
    FALSE_ALARMS = "False alarms"
    UNJUDGED = "Unjudged"


class RankedModel(QAbstractListModel):
    """Shows the rows that pass the filter.

    What has to be reckoned from the spans of every row is reckoned when a filter first asks for it: a
    ranking of 1,500 documents is shown at once.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[RankedDocument] = []
        self._unjudged: NDArray[np.bool_] = np.empty(0, bool)
        self._faults: dict[Filter, NDArray[np.bool_]] = {}
        self._shown: NDArray[np.int64] = np.empty(0, np.int64)
        self.filter = Filter.ALL

    def set_rows(self, rows: Sequence[RankedDocument]) -> None:
        """Show another ranking."""
        self.beginResetModel()
        self._rows = list(rows)
        self._unjudged = np.array([row.state is Judged.UNJUDGED for row in self._rows], bool)
        self._faults = {}
        self._shown = np.flatnonzero(self._passing(self.filter))
        self.endResetModel()

    def set_filter(self, kind: Filter) -> None:
        """Show only the documents of one kind."""
        self.beginResetModel()
        self.filter = kind
        self._shown = np.flatnonzero(self._passing(kind))
        self.endResetModel()

    def update_row(self, row: RankedDocument) -> None:
        """Show one document anew.

        It stays in the list even where it no longer passes the filter: what is being worked on does not
        vanish from under the hand.
        """
        at = next((at for at, kept in enumerate(self._rows) if kept.document == row.document), None)
        if at is None:
            return
        self._rows[at] = row
        self._unjudged[at] = row.state is Judged.UNJUDGED
        if self._faults:
            missed, false_alarm = _faults(row)
            self._faults[Filter.MISSES][at] = missed
            self._faults[Filter.FALSE_ALARMS][at] = false_alarm
        shown = int(np.searchsorted(self._shown, at))
        if shown < len(self._shown) and self._shown[shown] == at:
            index = self.index(shown)
            self.dataChanged.emit(index, index)

    def how_many(self, kind: Filter) -> int:
        """Count the documents of one kind."""
        return int(self._passing(kind).sum())

    def _passing(self, kind: Filter) -> NDArray[np.bool_]:
        """Tell for each row whether it is of this kind."""
        if kind is Filter.ALL:
            return np.ones(len(self._rows), bool)
        if kind is Filter.UNJUDGED:
            return self._unjudged
        if not self._faults:
            faults = np.array([_faults(row) for row in self._rows], bool).reshape(-1, 2)
            self._faults = {Filter.MISSES: faults[:, 0], Filter.FALSE_ALARMS: faults[:, 1]}
        return self._faults[kind]

    def at(self, index: Index) -> RankedDocument:
        """Return the document of an index."""
        return self._rows[int(self._shown[index.row()])]

    def index_of(self, document: str) -> QModelIndex:
        """Return the index of a document, an invalid one where it is not shown."""
        for shown, at in enumerate(self._shown.tolist()):
            if self._rows[at].document == document:
                return self.index(shown)
        return QModelIndex()

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
            return f"{rank}, {row.title or row.document}, {row.state.value}, score {short(row.score)}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return _tooltip(row)
        return None


def _faults(row: RankedDocument) -> tuple[bool, bool]:
    """Tell whether the run missed relevant text here, and whether it took text that is judged irrelevant."""
    hits = int(row.judged.overlap(row.retrieved.starts, row.retrieved.ends).sum())
    return hits < row.judged.size, row.state is not Judged.UNJUDGED and hits < row.retrieved.size


def _tooltip(row: RankedDocument) -> str:
    hits = (row.judged & row.retrieved).size
    score = NOTHING if row.score is None else exact(row.score)
    lines = [
        f"{row.title} ({row.document})" if row.title else row.document,
        f"{row.state.value}, score {score}",
    ]
    if row.state is not Judged.UNJUDGED:
        lines.append(
            f"{count(hits)} characters hit, {count(row.judged.size - hits)} missed, "
            f"{count(row.retrieved.size - hits)} false alarm"
        )
    return "\n".join(lines)
