"""The documents that a list shows, in its order: by row, by id, and by words in title or id.

A pool has some hundreds, but without a pool it is the collection, and that may hold 2,666,190.  Nothing here
looks at all of them one by one in Python more than once, and never before it has to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import overload

import numpy as np
from numpy.typing import NDArray

from inexview.core.collection.collection_index import Ids
from inexview.core.text.id_columns import Rows
from inexview.gui.services.catalogue import CatalogueEntry
from inexview.gui.services.haystack import Haystack

PAGE, PAGES = 256, 32  # ids that are asked for together, and how many such helpings are kept
FOUND = 100_000  # rows of documents that are kept, once they were looked for
LONG = 20_000  # documents from which titles are searched in arrays, and a filter waits for the end of a word


class Documents(Sequence[str]):
    """Ids in order, with a quick way back from an id to its row."""

    def __init__(self, ids: Sequence[str] = ()) -> None:
        self.ids = ids
        self._page = lru_cache(PAGES)(self._read_page)
        self._found = lru_cache(FOUND)(self._find)
        self._titles: Haystack | None = None
        self._title_ranks: Rows | None = None
        self.order: Rows | None = None  # rows in the order in which one follows another; None: as they are
        self.held: NDArray[np.bool_] | None = None  # rows with the words that one filters by; None: all

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, row: int) -> str: ...
    @overload
    def __getitem__(self, row: slice) -> Sequence[str]: ...
    def __getitem__(self, row: int | slice) -> str | Sequence[str]:
        if isinstance(row, slice) or isinstance(self.ids, tuple):
            return self.ids[row]
        page, at = divmod(range(len(self))[row], PAGE)
        return self._page(page)[at]  # what is on the screen is asked for again and again

    def _read_page(self, page: int) -> Sequence[str]:
        return self.ids[page * PAGE : (page + 1) * PAGE]

    def __iter__(self) -> Iterator[str]:
        return iter(self.ids)

    def __contains__(self, id: object) -> bool:
        return isinstance(id, str) and self.row(id) >= 0

    def row(self, id: str | None) -> int:
        """Return where a document is, -1 where it is not in the list."""
        if id is None:
            return -1
        if isinstance(self.ids, tuple):
            return self._rows.get(id, -1)
        return self._found(id)  # of what was worked on, asked for again and again

    def _find(self, id: str) -> int:
        try:
            return self.ids.index(id)  # a collection finds it in its index
        except ValueError:
            return -1

    @property
    def long(self) -> bool:
        """Whether there are so many that they are searched in arrays."""
        return len(self) > LONG

    def after(self, id: str | None) -> Iterator[str]:
        """Yield all documents once, in the list's order, from the one after this round to itself.

        While one filters by words, those that hold them come before all others.
        """
        here = self._place(self.row(id)) + 1
        if self.held is None:
            listed: Sequence[int] | Rows = range(len(self)) if self.order is None else self.order
            parts: Sequence[Sequence[int] | Rows] = (listed[here:], listed[:here])
        else:
            places = np.roll(np.arange(len(self)) if self.order is None else self.order, -here)
            first = self.held[places]
            parts = places[first], places[~first]
        for part in parts:
            for at in range(0, len(part), PAGE):
                yield from self.of_rows(part[at : at + PAGE])

    def of_rows(self, rows: Sequence[int] | Rows) -> Iterable[str]:
        """Return the ids in some rows."""
        listed = rows.tolist() if isinstance(rows, np.ndarray) else rows
        return map(self.ids.__getitem__ if isinstance(self.ids, tuple) else self.__getitem__, listed)

    def beside(self, id: str | None, step: int, among: NDArray[np.bool_] | None = None) -> str | None:
        """Return the document after one (1) or before it (-1) in the list's order, ``among`` some rows."""
        here = self._place(self.row(id))
        if here < 0:
            return None
        places = range(here + 1, len(self)) if step > 0 else range(here - 1, -1, -1)
        for first in range(0, len(places), PAGE):  # it is near, mostly, and there may be a million
            some = places[first : first + PAGE]
            rows = np.arange(some.start, some.stop, some.step)
            rows = rows if self.order is None else self.order[rows]
            rows = rows if among is None else rows[among[rows]]
            if len(rows):
                return self[int(rows[0])]
        return None

    def _place(self, row: int) -> int:
        """Return where in the order a row comes, -1 for none."""
        return row if row < 0 or self.order is None else int(np.flatnonzero(self.order == row)[0])

    # -- by words ------------------------------------------------------------------------------------

    def holding(self, words: Sequence[str], known: Mapping[str, CatalogueEntry]) -> NDArray[np.bool_]:
        """Tell for each row whether its title or id holds every word (casefolded), as a mask.

        ``known`` are the titles that are known by now; a document without one is found by its id.
        """
        mask = np.ones(len(self), dtype=np.bool_)
        for word in words:
            mask &= (self._titles or self._haystack).holding(word)
        for id, about in known.items() if words and self._titles is None else ():
            text = f"{about.title} {id}".casefold()
            if all(word in text for word in words) and (row := self.row(id)) >= 0:
                mask[row] = True
        return mask

    @property
    def titled(self) -> bool:
        """Whether all titles are at hand to be searched and sorted in arrays."""
        return self._titles is not None

    def use_titles(self, titles: Haystack, ranks: Rows) -> None:
        """Search title and id in ``titles`` from now on; ``ranks`` are the rows' places by title."""
        self._titles, self._title_ranks = titles, ranks

    def title_ranks(self, known: Mapping[str, CatalogueEntry]) -> Rows:
        """Return each row's place in the order of titles, as far as they are known, shape (n,)."""
        if self._title_ranks is not None:
            return self._title_ranks
        if self.long:
            return np.arange(len(self))
        titles = [(known[id].title if id in known else id).casefold() for id in self.ids]
        ranks = np.empty(len(self), np.int64)
        ranks[sorted(range(len(self)), key=titles.__getitem__)] = np.arange(len(self))
        return ranks

    def get_ready(self) -> None:
        """Do now what the first search would have to do, a second's work for a whole collection."""
        if self._titles is None:
            self._haystack.holding("0")

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {id: row for row, id in enumerate(self.ids)}

    @cached_property
    def _haystack(self) -> Haystack:
        joined = self.ids.lines() if isinstance(self.ids, Ids) else "\n".join(self.ids)
        if joined.count("\n") != max(len(self) - 1, 0):  # a file name may hold anything
            return Haystack.of(self.ids, len(self))
        return Haystack(joined, len(self))
