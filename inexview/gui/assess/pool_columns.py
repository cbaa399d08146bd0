"""What a list of documents is filtered and sorted by, as arrays over the pool."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from inexview.core.judgements.runs import RunFindings
from inexview.core.project.judging.document_state import DocumentState
from inexview.core.project.judging.standing import Standing, standing
from inexview.core.text.id_columns import Rows
from inexview.gui.services.catalogue import CatalogueEntry
from inexview.gui.services.document_list import Documents

STANDINGS = tuple(Standing)


class Shown(Enum):
    """Which documents of the pool are shown, in the order of the chips."""

    TO_DO = "To do"
    RELEVANT = "Relevant"
    NOT_RELEVANT = "Not"
    COME_BACK = "Come back"
    ALL = "All"

    @property
    def standings(self) -> tuple[Standing, ...]:
        """How those are judged that are shown."""
        return _SHOWN[self]


_SHOWN = {
    Shown.TO_DO: (Standing.TO_DO, Standing.BEGUN),
    Shown.RELEVANT: (Standing.RELEVANT,),
    Shown.NOT_RELEVANT: (Standing.NOT_RELEVANT,),
    Shown.COME_BACK: STANDINGS,
    Shown.ALL: STANDINGS,
}


@dataclass(frozen=True, slots=True)
class Signs:
    """Which documents carry a sign beside their title."""

    come_back: Callable[[str], bool] = lambda _document: False
    added: Callable[[str], bool] = lambda _document: False
    """Whether an assessor added it from outside the pool."""
    grade: Callable[[str], str] = lambda _document: ""
    suggested: Callable[[str], int] = lambda _document: 0
    """How many passages are suggested and not decided about, while suggestions are on."""


class Order(Enum):
    """What the list is sorted by; where that is equal, the pool's own order counts."""

    POOL = "Pool order"
    STATE = "State"
    TITLE = "Title"
    MARKED = "Marked characters"
    TIME = "Time spent"
    RUNS = "Runs that found it"
    RANK = "Best rank"

    @property
    def of_runs(self) -> bool:
        """Whether it tells what runs found, which one who judges blind must not see."""
        return self in (Order.RUNS, Order.RANK)

    @property
    def figure(self) -> str:
        """What the figures are that the list shows in this order."""
        if self.of_runs:
            return "runs · best rank"
        return "time" if self is Order.TIME else "marked"


class Columns:
    """The documents of a pool as columns of shape (n,); only those worked on are asked for their state."""

    def __init__(
        self,
        pool: Documents,
        state: Callable[[str], DocumentState],
        touched: Callable[[], Iterable[str]],
        seconds: Callable[[str], float],
        signs: Signs,
    ) -> None:
        self.pool = pool
        self._state = state
        self._touched = touched
        self._seconds = seconds
        self._signs = signs
        self.come_back: NDArray[np.bool_] = np.zeros(len(pool), np.bool_)
        self.standing: NDArray[np.int8] = np.zeros(len(pool), np.int8)
        self.unreadable: NDArray[np.bool_] = np.zeros(len(pool), np.bool_)
        self.found: RunFindings = {}
        """In which runs documents are, and at which rank among a run's documents."""

    def read(self) -> None:
        """Ask how the documents are judged that were worked on."""
        self.standing[:] = 0
        self.come_back[:] = False
        self.update(self._touched())

    def update(self, documents: Iterable[str]) -> bool:
        """Ask how some documents are judged now; say whether any of them counts otherwise than before."""
        changed = False
        for document in documents:
            if (row := self.pool.row(document)) >= 0:
                now = STANDINGS.index(standing(self._state(document))), self._signs.come_back(document)
                changed |= now != (self.standing[row], self.come_back[row])
                self.standing[row], self.come_back[row] = now
        return changed

    def note_unreadable(self, about: Mapping[str, CatalogueEntry]) -> bool:
        """Learn which documents no one can judge; say whether that is another number than before."""
        changed, some = False, bool(self.unreadable.any())
        for document, entry in about.items():
            if (entry.missing or some) and (row := self.pool.row(document)) >= 0:
                changed |= bool(self.unreadable[row]) is not entry.missing
                self.unreadable[row] = entry.missing
        return changed

    def count_unreadable(self) -> int:
        """Count the documents that are not finished and that no one can judge."""
        to_do = self.shown(Shown.TO_DO)
        return int(np.count_nonzero(self.unreadable if to_do is None else self.unreadable & to_do))

    def admits(self, shown: Shown, document: str) -> bool:
        """Tell whether a chip shows a document."""
        if shown is Shown.COME_BACK:
            return self._signs.come_back(document)
        return standing(self._state(document)) in shown.standings

    def count_come_back(self, mask: NDArray[np.bool_] | None) -> int:
        """Count the flagged documents, those of a mask of shape (n,) or all."""
        return int(np.count_nonzero(self.come_back if mask is None else self.come_back & mask))

    def count(self, mask: NDArray[np.bool_] | None) -> dict[Standing, int]:
        """Count how the documents are judged, those of a mask of shape (n,) or all."""
        counted = {}
        for at, one in enumerate(STANDINGS):  # bytes compared: a tenth of the time that np.bincount takes
            stand = self.standing == at
            counted[one] = int(np.count_nonzero(stand if mask is None else stand & mask))
        return counted

    def shown(self, shown: Shown) -> NDArray[np.bool_] | None:
        """Return the mask of the documents that a chip shows, None for all of them."""
        if shown is Shown.ALL:
            return None
        if shown is Shown.COME_BACK:
            return self.come_back
        admitted = np.zeros(len(self.standing), np.bool_)
        for one in shown.standings:
            admitted |= self.standing == STANDINGS.index(one)
        return admitted

    def sorted(self, order: Order, known: Mapping[str, CatalogueEntry]) -> Rows | None:
        """Return the rows in an order, None where that is the pool's own."""
        if order is Order.POOL:
            return None
        if order is Order.TITLE:
            ranks = self.pool.title_ranks(known)
            rows = np.empty_like(ranks)
            rows[ranks] = np.arange(len(ranks))
            return rows
        if order is Order.STATE:
            places = np.array([_BY_STATE.index(one) for one in STANDINGS], np.int8)
            return np.argsort(places[self.standing], kind="stable")
        return self._first(self._amounts(order))

    def _amounts(self, order: Order) -> dict[str, float]:
        """Return by what documents are sorted, the least first, of those of which anything is to be said."""
        if order is Order.RUNS:
            return {document: -len(ranks) for document, ranks in self.found.items()}
        if order is Order.RANK:
            return {document: min(ranks.values()) for document, ranks in self.found.items()}
        if order is Order.TIME:
            return {document: -self._seconds(document) for document in self._touched()}
        return {document: -self._state(document).size for document in self._touched()}

    def _first(self, amounts: Mapping[str, float]) -> Rows:
        """Return all rows, shape (n,), those first of which there is an amount."""
        listed = [
            (row, amount) for name, amount in amounts.items() if amount and (row := self.pool.row(name)) >= 0
        ]
        rows = np.array([row for row, _ in listed], np.int64)
        rest = np.ones(len(self.pool), np.bool_)
        rest[rows] = False
        order = np.lexsort((rows, np.array([amount for _, amount in listed])))
        return np.concatenate((rows[order], np.flatnonzero(rest)))


_BY_STATE = (Standing.BEGUN, Standing.TO_DO, Standing.RELEVANT, Standing.NOT_RELEVANT)
