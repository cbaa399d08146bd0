"""The text nodes of an article, as XPath counts them.

Start and end tags, comments and processing instructions part them; the edges of a CDATA section and
references do not.  Together they tile the text, so that every character lies in exactly one of them.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from inexview.core.elements import Elements
from inexview.core.spans import Offsets

BLANKS = " \t\r\n"
"""What XML calls white space; a no-break space is none."""


class TextNodes:
    """Columns of shape (m,), in document order; no node is empty.

    ``starts`` and ``ends`` are int64 code points, ``parents`` the indices of the elements that hold the
    nodes, and ``numbers`` the 1-based positions of the nodes among those of their element.
    """

    def __init__(
        self, text: str, elements: Elements, *, skipped: Collection[int] = (), strip: bool = False
    ) -> None:
        """List the text nodes.

        Elements that are ``skipped`` are as if their tags were not there: what their tags part is one node.
        With ``strip``, nodes of nothing but white space are left out and not counted.
        """
        there = np.ones(len(elements), bool)
        there[list(skipped)] = False
        cuts = np.array([place for place, _ in elements.cuts], np.int64)
        edges = np.unique(np.concatenate((elements.starts[there], elements.ends[there], cuts)))
        starts, ends = edges[:-1], edges[1:]
        parents = _innermost(elements, skipped, starts)
        if strip:
            spans = zip(starts.tolist(), ends.tolist(), strict=True)
            counted = np.array([bool(text[start:end].strip(BLANKS)) for start, end in spans], bool)
            starts, ends, parents = starts[counted], ends[counted], parents[counted]
        self.starts: Offsets = starts
        self.ends: Offsets = ends
        self.parents = parents
        self._order = parents.argsort(kind="stable")
        self._families = parents[self._order]
        first = np.flatnonzero(np.append(True, self._families[1:] != self._families[:-1])[: len(parents)])
        sizes = np.diff(np.append(first, len(parents)))
        self.numbers = np.empty(len(parents), np.int64)
        self.numbers[self._order] = np.arange(len(parents)) - np.repeat(first, sizes) + 1

    def __len__(self) -> int:
        return len(self.starts)

    def find(self, parent: int, number: int) -> tuple[int, int] | None:
        """Return the span of the ``number``-th text node of an element, None where it has not so many."""
        at = int(self._families.searchsorted(parent)) + number - 1
        if number < 1 or at >= len(self) or self._families[at] != parent:
            return None
        node = self._order[at]
        return int(self.starts[node]), int(self.ends[node])

    def starting(self, offsets: Offsets) -> NDArray[np.intp]:
        """Return the node that a passage from each of these offsets begins in: that of the next character.

        The last one where no character follows.  There must be a node; shapes (k,).
        """
        return np.minimum(self.ends.searchsorted(offsets, "right"), len(self) - 1)

    def ending(self, offsets: Offsets) -> NDArray[np.intp]:
        """Return the node that a passage up to each of these offsets ends in: that of the character before.

        The first one where there is none before.  There must be a node; shapes (k,).
        """
        return np.maximum(self.starts.searchsorted(offsets, "left") - 1, 0)


def _innermost(elements: Elements, skipped: Collection[int], places: Offsets) -> NDArray[np.int64]:
    """Return for the character at each place the innermost element around it that is not skipped."""
    # Of all tags in document order the last one up to a place says what is open there: the element that it
    # starts, or the parent of the one that it ends.
    count = len(elements)
    starting = 2 * np.arange(count) - elements.depths + 1
    ending = 2 * elements.nexts - elements.depths
    offsets = np.empty(2 * count, np.int64)
    offsets[starting], offsets[ending] = elements.starts, elements.ends
    opened = np.empty(2 * count, np.int64)
    opened[starting], opened[ending] = np.arange(count), elements.parents
    innermost = opened[offsets.searchsorted(places, "right") - 1]
    kept = np.arange(count)
    for index in sorted(skipped):  # the outer ones first
        kept[index] = kept[elements.parents[index]]
    around: NDArray[np.int64] = kept[innermost]
    return around
