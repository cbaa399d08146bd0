"""The elements of an article as columns, and as objects where somebody asks for one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload

import numpy as np
from numpy.typing import NDArray

from inexview.core.spans import Offsets

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
    ``attributes`` holds those of the few elements whose attributes change how they are shown;
    ``wrappers`` are the indices of the semantic elements of 2009 (``<person wordnetid=…>``), and ``cuts``
    are the places where a comment or processing instruction parts two text nodes, as (offset, index
    of the parent).
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
        wrappers: Sequence[int],
        cuts: Sequence[tuple[int, int]],
    ) -> None:
        self.coded = coded
        self.starts = starts
        self.ends = ends
        self.parents = parents
        self.depths = depths
        self.nexts = nexts
        self.attributes = attributes
        self.wrappers = wrappers
        self.cuts = cuts

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

    def having(self, says: Callable[[str], bool]) -> NDArray[np.bool_]:
        """Return, of shape (n,), for which elements the tag is one that ``says`` accepts."""
        codes, vocabulary = self.coded
        accepted = np.fromiter((says(tag) for tag in vocabulary), bool, len(vocabulary))
        chosen: NDArray[np.bool_] = accepted[codes]
        return chosen

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


def coded(tags: list[str]) -> tuple[Numbers, list[str]]:
    """Return tags as numbers, of shape (n,), and the tag of each number."""
    codes = {tag: code for code, tag in enumerate(dict.fromkeys(tags))}
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


def depths_of_edges(edges: NDArray[np.int64]) -> Numbers:
    """Return, of shape (2n,), how deep the element stands that starts or ends at each edge (the root: 1).

    ``edges`` holds, in document order, something ≥ 0 for a start tag and < 0 for an end tag.
    """
    opens = edges >= 0
    started = opens.cumsum(dtype=np.int32)
    # As deep as there are elements open, the one that ends included.
    depths: Numbers = 2 * started - np.arange(len(edges), dtype=np.int32) - opens
    return depths


def nest(edges: NDArray[np.int64], edge_depths: Numbers) -> Nesting:
    """Match the start and end edges of elements without a loop over them.

    The arguments are as in :func:`depths_of_edges`; no depth is more than an int16 holds.
    """
    opens = edges >= 0
    starts_at = opens.nonzero()[0]
    started = opens.cumsum(dtype=np.int32)
    # On one depth start and end tags take turns, so that sorting by depth puts the pairs side by side.
    order = edge_depths.astype(np.int16).argsort(kind="stable")
    ends_at = np.empty_like(starts_at)
    ends_at[started[order[0::2]] - 1] = order[1::2]
    depths = edge_depths[starts_at]
    return Nesting(starts_at, ends_at, parents_of(depths), depths, nexts=started[ends_at])


def parents_of(depths: Numbers) -> Numbers:
    """Return for each of the elements, in document order, the last one before that is one level up, or -1.

    ``depths``, of shape (n,), begins with 1.
    """
    level_by_level = depths.astype(np.int16).argsort(kind="stable")
    # A first child stands right behind its parent; on its level, its siblings follow until the next one.
    is_first = np.ones(len(depths), bool)
    np.greater(depths[1:], depths[:-1], out=is_first[1:])
    first_of_family = np.maximum.accumulate(np.arange(len(depths)) * is_first[level_by_level])
    parents = np.empty(len(depths), np.int32)
    parents[level_by_level] = level_by_level[first_of_family] - 1
    return parents
