"""The documents that a list shows, in its order: by row, by id, and by words in title or id.

A pool has some hundreds, but without a pool it is the collection, and that may hold 2,666,190.  Nothing here
looks at all of them one by one in Python more than once, and never before it has to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import overload

import numpy as np
from numpy.typing import NDArray

from inexview.core.collection.collection_index import Ids
from inexview.gui.services.catalogue import CatalogueEntry

Rows = NDArray[np.int64]
PAGE, PAGES = 256, 32  # ids that are asked for together, and how many such helpings are kept
FOUND = 100_000  # rows of documents that are kept, once they were looked for
BREAK = 10  # the line feed between two ids in the haystack; a word typed holds none


class Documents(Sequence[str]):
    """Ids in order, with a quick way back from an id to its row."""

    def __init__(self, ids: Sequence[str] = ()) -> None:
        self.ids = ids
        self._page = lru_cache(PAGES)(self._read_page)
        self._found = lru_cache(FOUND)(self._find)

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
        """Return where a document stands, -1 where it is not in the list."""
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

    def from_row(self, row: int) -> Iterator[str]:
        """Yield all documents once, from a row to the end and then from the beginning."""
        for at in range(row, len(self.ids)):
            yield self[at]
        for at in range(min(row, len(self.ids))):
            yield self[at]

    def holding(self, words: Sequence[str], known: Mapping[str, CatalogueEntry]) -> NDArray[np.bool_]:
        """Tell for each row whether its title or id holds every word (casefolded), as a mask.

        ``known`` are the titles that are known by now; a document without one is found by its id.
        """
        mask = np.ones(len(self), dtype=np.bool_)
        for word in words:
            mask &= self._with_id(word)
        for id, about in known.items() if words else ():
            text = f"{about.title} {id}".casefold()
            if all(word in text for word in words) and (row := self.row(id)) >= 0:
                mask[row] = True
        return mask

    def get_ready(self) -> None:
        """Do now what the first search would have to do, a second's work for a whole collection."""
        _ = self._haystack

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {id: row for row, id in enumerate(self.ids)}

    @cached_property
    def _haystack(self) -> tuple[NDArray[np.uint8], Rows]:
        """All ids as one text, and where each begins in it."""
        joined = self.ids.lines() if isinstance(self.ids, Ids) else "\n".join(self.ids)
        if joined.count("\n") != max(len(self) - 1, 0):  # a file name may hold anything
            joined = "\n".join(id.replace("\n", " ") for id in self.ids)
        letters = np.frombuffer(joined.casefold().encode("utf-8", "surrogatepass"), dtype=np.uint8)
        return letters, np.concatenate(([0], np.flatnonzero(letters == BREAK) + 1))

    def _with_id(self, word: str) -> NDArray[np.bool_]:
        letters, begins = self._haystack
        wanted = word.encode("utf-8", "surrogatepass")
        mask = np.zeros(len(self), dtype=np.bool_)
        room = len(letters) - len(wanted) + 1
        if room > 0 and len(self):
            found = letters[:room] == wanted[0]
            for at, letter in enumerate(wanted[1:], 1):
                found &= letters[at : at + room] == letter
            mask[np.searchsorted(begins, np.flatnonzero(found), "right") - 1] = True
        return mask
