"""A run's ranked documents for one topic: which of them are shown, and in which order."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QModelIndex, QObject, QStringListModel, Qt

from inexview.core.report import NOTHING
from inexview.core.wording import counted
from inexview.gui.inspect.figures.figures import count, exact, short
from inexview.gui.inspect.scoring.ranked_rows import (
    DocumentFaults,
    Filter,
    RankedDocument,
    RankedKey,
    RankingCosts,
    Rows,
)
from inexview.gui.look.lists import Index
from inexview.gui.look.theme import RelevanceState

ROW_ROLE = Qt.ItemDataRole.UserRole

_FAULT_OF = {
    Filter.MISSES: DocumentFaults.MISSED,
    Filter.FALSE_ALARMS: DocumentFaults.FALSE_ALARM,
    Filter.UNJUDGED: DocumentFaults.UNJUDGED,
}


class RankedModel(QStringListModel):
    """Shows the rows that pass the filter.

    A row is made when it is first shown: a ranking of thousands of documents is there at once.  Qt counts the
    rows twice for each of them when it lays a list out, and so counts ids that it holds itself.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows = Rows()
        self._made: dict[str, RankedDocument] = {}
        self._place: dict[str, int] = {}
        self._faults: NDArray[np.uint8] = np.empty(0, np.uint8)  # DocumentFaults
        self._shown: NDArray[np.int64] = np.empty(0, np.int64)
        self._at: NDArray[np.int64] = np.empty(0, np.int64)  # where each is shown, −1: nowhere
        self.filter = Filter.ALL
        self.key = RankedKey.RANK
        self.descending = False
        self.costs = RankingCosts()

    def set_rows(self, rows: Rows) -> None:
        """Show another ranking, in the same order; what it costs is not known yet."""
        self._rows = rows
        self._made = {}
        self.costs = RankingCosts()
        self._place = {name: at for at, name in enumerate(rows.documents)}
        self._faults = np.full(len(rows.documents), DocumentFaults.UNJUDGED, np.uint8)
        for name, fault in rows.judged.items():
            self._faults[self._place[name]] = fault
        self._order()

    def set_filter(self, kind: Filter) -> None:
        self.filter = kind
        self._order()

    def sort_by(self, key: RankedKey, *, descending: bool) -> None:
        self.key, self.descending = key, descending
        self._order()

    def set_costs(self, costs: RankingCosts) -> None:
        self.costs = costs
        if self.key in (RankedKey.SO_FAR, RankedKey.CHANGE):
            self.sort_by(self.key, descending=self.descending)

    def renew(self, documents: Iterable[str] | None = None) -> None:
        """Make the rows of these documents, or all, again when they are next shown; their faults stay."""
        if documents is None:
            self._made = {}
        else:
            for document in documents:
                self._made.pop(document, None)

    def score_again(self) -> None:
        """Make rows again that other parameters change; without relevant text a score is 0 by all of them."""
        self._made = {name: row for name, row in self._made.items() if not row.judged}

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

    def preview(self, document: str, row: RankedDocument | None) -> RankingCosts:
        """Show a document as it would be, None: as it is; return the costs with gP as it would be."""
        self._made.pop(document, None)
        if row is None or document not in self._place:  # or the topic is still being read
            return self.costs
        self._made[document] = row
        if row.rank is None or self.costs.so_far_name != "gP":
            return self.costs
        (before,) = self._rows.make([document])
        gain = (row.score or 0.0) - (before.score or 0.0)
        below = enumerate(self._rows.documents[row.rank - 1 :], row.rank)
        so_far = self.costs.so_far
        moved = {name: so_far[name] + gain / rank for rank, name in below if name in so_far}
        return replace(self.costs, so_far={**so_far, **moved})  # gP[r] = Σ S(d) / r

    def how_many(self, kind: Filter) -> int:
        return int(self._passing(kind).sum())

    def _passing(self, kind: Filter) -> NDArray[np.bool_]:
        """Tell for each row whether it is of this kind."""
        if kind is Filter.ALL:
            return np.ones(len(self._faults), bool)
        passing: NDArray[np.bool_] = (self._faults & _FAULT_OF[kind]) != 0
        return passing

    def _order(self) -> None:
        """Sort what passes the filter; what has no such figure comes last, else rank decides."""
        shown = np.flatnonzero(self._passing(self.filter))
        if self.key not in (RankedKey.RANK, RankedKey.SO_FAR, RankedKey.CHANGE):
            self._make(self._named(shown))
        if self.key is RankedKey.TITLE:
            named = sorted(shown.tolist(), key=self._title, reverse=self.descending)
            shown = np.array(named, np.int64)
        elif self.key is not RankedKey.RANK or self.descending:
            figures = np.array([self._figure(at) for at in shown.tolist()], np.float64)
            shown = shown[np.argsort(-figures if self.descending else figures, kind="stable")]
        self._shown = shown
        self._at = np.full(len(self._faults), -1)
        self._at[shown] = np.arange(len(shown))
        self.setStringList(self._named(shown))

    def _named(self, rows: NDArray[np.int64]) -> list[str]:
        return [self._rows.documents[at] for at in rows.tolist()]

    def _title(self, at: int) -> str:
        row = self._row(self._rows.documents[at])
        return (row.title or row.document).casefold()

    def _figure(self, at: int) -> float:
        """Return what a row is sorted by, NaN where it has none."""
        name = self._rows.documents[at]
        match self.key:
            case RankedKey.SO_FAR:
                return self.costs.so_far.get(name, math.nan)
            case RankedKey.CHANGE:
                change = self.costs.change(name)
            case RankedKey.SCORE:
                change = self._row(name).score
            case RankedKey.GAIN:
                change = self._row(name).gained
            case RankedKey.THERE:
                other = self._row(name).other
                change = None if other is None else other.rank
            case RankedKey.SIZE:
                change = self._row(name).retrieved.size
            case RankedKey.RSIZE:
                row = self._row(name)
                change = (row.judged & row.retrieved).size
            case _:
                change = self._row(name).rank
        return math.nan if change is None else float(change)

    def _row(self, name: str) -> RankedDocument:
        if name not in self._made:
            self._make([name])
        return self._made[name]

    def _make(self, names: Sequence[str]) -> None:
        """Make rows that are not made yet, all at once."""
        lacking = [name for name in names if name not in self._made]
        if lacking:
            self._made.update(zip(lacking, self._rows.make(lacking), strict=True))

    def make_shown(self, rows: range) -> None:
        """Make what is about to be looked at."""
        self._make(self._named(self._shown[rows.start : rows.stop]))

    def at(self, index: Index) -> RankedDocument:
        return self._row(self._rows.documents[int(self._shown[index.row()])])

    def index_of(self, document: str | None) -> QModelIndex:
        """Return the index of a document, an invalid one where it is not shown."""
        at = None if document is None else self._place.get(document)
        shown = -1 if at is None else int(self._at[at])
        return QModelIndex() if shown < 0 else self.index(shown)

    def flags(self, index: Index) -> Qt.ItemFlag:
        return Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemNeverHasChildren

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Tell a title, a sentence for screen readers, a tooltip, or the row itself."""
        row = self.at(index)
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title or row.document
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.AccessibleTextRole:
            rank = "not retrieved" if row.rank is None else f"rank {row.rank}"
            rank += f", before {row.was or 'not retrieved'}" if row.was not in (None, row.rank or 0) else ""
            said = f"{rank}, {row.title or row.document}, {row.state.value}, score {short(row.score)}"
            return said if row.gained is None else f"{said}, {row.gained:+.3f} against the baseline"
        if role == Qt.ItemDataRole.ToolTipRole:
            return _tooltip(row, self.costs)
        return None


def _tooltip(row: RankedDocument, costs: RankingCosts) -> str:
    hits = (row.judged & row.retrieved).size
    score = NOTHING if row.score is None else exact(row.score)
    lines = [
        f"{row.title} ({row.document})" if row.title else row.document,
        f"{row.state.value}, score {score}",
    ]
    if row.state is RelevanceState.BEGUN:
        lines.append("Not finished: no measure counts it.")
    if row.state not in (RelevanceState.UNJUDGED, RelevanceState.ABSENT):
        lines.append(
            f"{counted(hits, 'character')} hit, {count(row.judged.size - hits)} missed, "
            f"{count(row.retrieved.size - hits)} false alarm"
        )
    so_far, change = costs.so_far.get(row.document), costs.change(row.document)
    if so_far is not None:
        lines.append(f"{costs.so_far_name}[{row.rank}] = {exact(so_far)}")
    if change is not None:
        when = "without this document" if row.rank is not None else "had the run found it, after all else"
        lines.append(f"{costs.measure} = {exact(costs.value)}; {exact(costs.value + change)} {when}")
    return "\n".join(lines)
