"""Many short texts as one, searched and sorted in arrays: the ids or titles of a whole collection.

Nothing here holds Python's lock for long, so that all of it may run beside the window.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from inexview.core.text.id_columns import Rows

BREAK = 10  # the line feed between two texts; a word typed holds none
PREFIX = 24  # bytes by which texts are put in order


class Haystack:
    """Texts in their order, without regard to case."""

    def __init__(self, lines: str, count: int) -> None:
        """Take ``count`` texts, one a line."""
        self._count = count
        self._letters = np.frombuffer(lines.casefold().encode("utf-8", "surrogatepass"), dtype=np.uint8)
        self._begins: Rows = np.concatenate(([0], np.flatnonzero(self._letters == BREAK) + 1))[:count]

    @classmethod
    def of(cls, texts: Iterable[str], count: int) -> Haystack:
        """Take ``count`` texts, which may hold anything."""
        return cls("\n".join(text.replace("\n", " ") for text in texts), count)

    def holding(self, word: str) -> NDArray[np.bool_]:
        """Tell for each text whether it holds a word (casefolded), as a mask of shape (n,)."""
        letters, wanted = self._letters, word.encode("utf-8", "surrogatepass")
        mask = np.zeros(self._count, dtype=np.bool_)
        room = len(letters) - len(wanted) + 1
        if room > 0 and self._count:
            # From the rarest letter on, so that few places are left to look at for the others.
            order = sorted(range(len(wanted)), key=lambda at: self._frequency[wanted[at]])
            found = np.flatnonzero(letters[order[0] : order[0] + room] == wanted[order[0]])
            for at in order[1:]:
                found = found[letters[found + at] == wanted[at]]
            mask[np.searchsorted(self._begins, found, "right") - 1] = True
        return mask

    @cached_property
    def _frequency(self) -> Rows:
        """How often each byte occurs, shape (256,)."""
        return np.bincount(self._letters, minlength=256)

    def ranks(self) -> Rows:
        """Return, for each text, its place in the order of their first letters, shape (n,)."""
        padded = np.concatenate((self._letters, np.zeros(PREFIX, np.uint8)))
        ends = np.append(self._begins[1:] - 1, len(self._letters))
        prefixes = np.zeros((self._count, PREFIX), np.uint8)
        for at in range(PREFIX):
            place = self._begins + at
            prefixes[:, at] = np.where(place < ends, padded[place], 0)
        order = np.argsort(prefixes.view(f"S{PREFIX}").ravel(), kind="stable")
        ranks = np.empty(self._count, np.int64)
        ranks[order] = np.arange(self._count)
        return ranks
