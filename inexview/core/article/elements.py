"""The elements of an article as columns, and as objects where somebody asks for one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload

import numpy as np
from numpy.typing import NDArray

from inexview.core.errors import DocumentError
from inexview.core.text.spans import Offsets
from inexview.core.xml.parser import MAX_DEPTH

Numbers = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Element:
    """One element: its characters are ``[start, end)``, markup not counted.

    ``path`` gives every position (``/article[1]/bdy[1]/p[3]``); ``tag`` is written as in the file, prefix
    included; ``depth`` of the root is 1; ``parent`` is an index in the table, -1 for the root.
    """

    path: str
    tag: str
    start: int
    end: int
    depth: int
    parent: int


class Elements(Sequence[Element]):
    """The element table of an article, in document order.

    Columns of shape (n,): ``tags`` (list of str), ``starts`` and ``ends`` (int64 code points), ``parents``
    (index, -1 for the root), ``depths`` (1 for the root) and ``nexts`` (the index behind the last
    descendant).  ``coded`` are the tags as numbers, of shape (n,), and the tag of each number.
    ``attributes`` holds those of the few elements whose attributes change how they are shown; ``cuts`` are
    the places where a comment or processing instruction parts two text nodes, as (offset, index of the
    parent).  What ``wrappers`` gives when it is called is asked for once, if at all.
    """

    def __init__(
        self,
        coded: tuple[Numbers, list[str]],
        starts: Offsets,
        ends: Offsets,
        parents: Numbers,
        depths: Numbers,
        nexts: Numbers,
        attributes: Mapping[int, Mapping[str, str]],
        cuts: Sequence[tuple[int, int]],
        wrappers: Callable[[], Sequence[int]],
    ) -> None:
        self.coded = coded
        self.starts = starts
        self.ends = ends
        self.parents = parents
        self.depths = depths
        self.nexts = nexts
        self.attributes = attributes
        self.cuts = cuts
        self._find_wrappers = wrappers

    def __len__(self) -> int:
        return len(self.starts)

    @overload
    def __getitem__(self, index: int) -> Element: ...
    @overload
    def __getitem__(self, index: slice) -> list[Element]: ...
    def __getitem__(self, index: int | slice) -> Element | list[Element]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError("element index out of range")
        return Element(
            self.path(index),
            self.tags[index],
            int(self.starts[index]),
            int(self.ends[index]),
            int(self.depths[index]),
            int(self.parents[index]),
        )

    def path(self, index: int) -> str:
        """Return the path of an element, with every position."""
        steps = []
        while index >= 0:
            steps.append(f"/{self.tags[index]}[{self.positions[index]}]")
            index = int(self.parents[index])
        return "".join(reversed(steps))

    def around(self, start: int, end: int) -> int:
        """Return the index of the innermost element that holds all of ``[start, end)``; of several of the
        same extent the innermost, and the root where none does.

        Takes a binary search and as many steps as the element there is deep.
        """
        # Document order is depth-first: whatever holds the start is the last element that begins there or
        # before, or one of its ancestors.
        index = int(self.starts.searchsorted(start, side="right")) - 1
        while index > 0 and self.ends[index] < end:
            index = int(self.parents[index])
        return max(index, 0)

    def holding(self, start: int, end: int) -> list[int]:
        """Return the indices of the elements that hold all of ``[start, end)``, innermost first.

        Of several of the same extent it is only the innermost.
        """
        found: list[int] = []
        index = self.around(start, end)
        while index >= 0:
            known = found[-1] if found else index
            alike = self.starts[known] == self.starts[index] and self.ends[known] == self.ends[index]
            if not found or not alike:
                found.append(index)
            index = int(self.parents[index])
        return found

    def having(self, says: Callable[[str], bool]) -> NDArray[np.bool_]:
        """Return, of shape (n,), for which elements the tag is one that ``says`` accepts."""
        codes, vocabulary = self.coded
        accepted = np.fromiter((says(tag) for tag in vocabulary), bool, len(vocabulary))
        chosen: NDArray[np.bool_] = accepted[codes]
        return chosen

    @cached_property
    def wrappers(self) -> Sequence[int]:
        """The indices of the semantic elements of 2009 (``<person wordnetid=…>``), in document order."""
        return self._find_wrappers()

    @cached_property
    def tags(self) -> list[str]:
        """The tag of each element, as written in the file."""
        codes, vocabulary = self.coded
        tags: list[str] = np.array(vocabulary, object)[codes].tolist()
        return tags

    @cached_property
    def positions(self) -> Numbers:
        """The 1-based position of each element among the siblings of its tag, of shape (n,)."""
        return self.positions_below(self.parents)

    def positions_below(self, parents: Numbers) -> Numbers:
        """Return the 1-based positions, of shape (n,), that elements with these parents would have."""
        codes, vocabulary = self.coded
        family = parents.astype(np.int64) * len(vocabulary) + codes
        order = np.argsort(family, kind="stable")
        ranked = family[order]
        first = np.flatnonzero(np.append(True, ranked[1:] != ranked[:-1]))
        sizes = np.diff(np.append(first, len(ranked)))
        positions = np.empty(len(ranked), np.int32)
        positions[order] = np.arange(len(ranked)) - np.repeat(first, sizes) + 1
        return positions

    @cached_property
    def gaps(self) -> tuple[Offsets, Offsets]:
        """Where the text before and after each element, between it and its siblings, starts and ends.

        Both of shape (n,): the end of the sibling before (or the parent's start), the start of the sibling
        after (or the parent's end).
        """
        inner = np.maximum(self.parents, 0)
        before, after = self.starts[inner], self.ends[inner]
        followed = np.flatnonzero(self.nexts < len(self))
        followed = followed[self.parents[followed] == self.parents[self.nexts[followed]]]
        siblings = self.nexts[followed]
        before[siblings] = self.ends[followed]
        after[followed] = self.starts[siblings]
        return before, after


class _Codes(dict[str, int]):
    """Numbers tags in the order in which they come."""

    def __missing__(self, tag: str) -> int:
        self[tag] = code = len(self)
        return code


def coded(tags: Sequence[str]) -> tuple[Numbers, list[str]]:
    """Return tags as numbers, of shape (n,), and the tag of each number."""
    codes = _Codes()
    return np.fromiter(map(codes.__getitem__, tags), np.int32, len(tags)), list(codes)


@dataclass(frozen=True, slots=True)
class Nesting:
    """How elements nest: columns of shape (n,) in document order.

    ``starts_at`` and ``ends_at`` say where in the edges an element starts and ends; the others are columns
    of :class:`Elements`.
    """

    starts_at: NDArray[np.intp]
    ends_at: NDArray[np.intp]
    parents: Numbers
    depths: Numbers
    nexts: Numbers


def nest(opens: NDArray[np.bool_], name: str) -> Nesting:
    """Match the start and end edges of elements without a loop over them.

    ``opens``, of shape (2n,), says in document order which edges are starts.  Raises DocumentError, which
    calls the article ``name``, where elements are nested too deep.
    """
    started = opens.cumsum(dtype=np.int32)
    # As deep as there are elements open, the one that ends included.
    depths = 2 * started - opens - np.arange(len(opens), dtype=np.int32)
    if (deepest := int(depths.max())) > MAX_DEPTH:
        raise DocumentError(
            f"elements are nested {deepest} deep; more than {MAX_DEPTH} are not read", path=name
        )
    # On one depth start and end tags take turns, so that sorting by depth puts the pairs side by side.
    order = depths.astype(np.int16).argsort(kind="stable")
    starting = order[0::2]
    level_by_level = started[starting] - 1
    count = len(level_by_level)
    starts_at, ends_at = np.empty((2, count), np.intp)
    starts_at[level_by_level] = starting
    ends_at[level_by_level] = order[1::2]
    # A first child starts right behind the start of its parent; on its level, its siblings follow until the
    # next one.  Nothing starts before the root, and opens[-1] is where that ends.
    first_of_family = np.maximum.accumulate(np.arange(count) * opens[starting - 1])
    parents = np.empty(count, np.int32)
    parents[level_by_level] = level_by_level[first_of_family] - 1
    return Nesting(starts_at, ends_at, parents, depths[starts_at], nexts=started[ends_at])
