"""The text nodes of an article, as XPath counts them.

Start and end tags, comments and processing instructions part them; the edges of a CDATA section and
references do not.  Together they tile the text, so that every character lies in exactly one of them.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from inexview.core.article.elements import Elements
from inexview.core.text.spans import Offsets

BLANKS = " \t\r\n"
"""What XML calls white space; a no-break space is none."""


class TextNodes:
    """Columns of shape (m,), in document order; no node is empty.

    ``starts`` and ``ends`` are int64 code points, ``parents`` the indices of the elements that hold the
    nodes.
    """

    def __init__(
        self, text: str, elements: Elements, *, skipped: Collection[int] = (), strip: bool = False
    ) -> None:
        """List the text nodes.

        Elements that are ``skipped`` are as if their tags were not there: what their tags part is one node.
        With ``strip``, nodes of nothing but white space are left out and not counted.
        """
        starts, ends, parents = _parted_by_tags(elements, skipped)
        if elements.cuts and len(starts):
            cuts = np.array([place for place, _ in elements.cuts], np.int64)
            edges = np.unique(np.concatenate((starts, cuts[cuts < ends[-1]])))
            parents = parents[starts.searchsorted(edges, "right") - 1]
            starts, ends = edges, np.append(edges[1:], ends[-1])
        if strip:
            spans = zip(starts.tolist(), ends.tolist(), strict=True)
            counted = np.array([bool(text[start:end].strip(BLANKS)) for start, end in spans], bool)
            starts, ends, parents = starts[counted], ends[counted], parents[counted]
        self.starts: Offsets = starts
        self.ends: Offsets = ends
        self.parents = parents
        self._order = parents.argsort(kind="stable")
        self._families = parents[self._order]

    def __len__(self) -> int:
        return len(self.starts)

    @cached_property
    def numbers(self) -> NDArray[np.int64]:
        """The 1-based positions of the nodes among those of their element."""
        families = self._families
        first = np.flatnonzero(np.append(True, families[1:] != families[:-1])[: len(self)])
        sizes = np.diff(np.append(first, len(self)))
        numbers = np.empty(len(self), np.int64)
        numbers[self._order] = np.arange(len(self)) - np.repeat(first, sizes) + 1
        return numbers

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


def _parted_by_tags(
    elements: Elements, skipped: Collection[int]
) -> tuple[Offsets, Offsets, NDArray[np.int64]]:
    """Return the text between tags: where it starts and ends, and the element it is in."""
    count = len(elements)
    numbers = np.arange(count)
    kept = numbers.copy()
    for index in sorted(skipped):  # the outer ones first
        kept[index] = kept[elements.parents[index]]
    # All tags in document order: where each is in the text, and which element is open behind it.
    starting = 2 * numbers - elements.depths + 1
    ending = 2 * elements.nexts - elements.depths
    places = np.empty(2 * count, np.int64)
    places[starting], places[ending] = elements.starts, elements.ends
    inside = np.empty(2 * count, np.int64)
    inside[starting], inside[ending] = kept, kept[elements.parents]  # nothing is behind the root
    if skipped:
        tags = np.ones(2 * count, bool)
        gone = list(skipped)
        tags[starting[gone]] = tags[ending[gone]] = False
        places, inside = places[tags], inside[tags]
    filled = np.flatnonzero(places[1:] > places[:-1])
    return places[filled], places[filled + 1], inside[filled]
