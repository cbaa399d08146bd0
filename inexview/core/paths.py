"""Element paths and points in the XML of an article, to offsets in its text and back.

A path names an element with every position, ``/article[1]/bdy[1]/sec[3]`` (a missing position is 1).  A point
is a path, or ``path/text()[n].offset``: so many characters into the n-th text node of an element.  Text nodes
are parted by child elements, comments and processing instructions; white-space-only ones count unless a file
says ``whitespace-text-node="strip"``.

The articles of 2009 wrap header and body in semantic elements (``<person wordnetid=…>``) that the paths of
many runs leave out.  So a path is resolved strictly, and where that gives nothing once more as if the
wrappers were not there; the answer says which.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from inexview.core.document import Document
from inexview.core.elements import Elements, Numbers

_STEP = re.compile(r"/([^/\[\]\s]+)(?:\[(\d{1,9})\])?")
_TEXT_STEP = re.compile(r"/text\(\)(?:\[(\d{1,9})\])?\.(\d{1,9})\Z")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a path or a point leads: the characters ``[start, end)``, none for a point within text.

    ``skipping``: it was found only as if the semantic wrappers were not there.
    """

    start: int
    end: int
    skipping: bool = False


class Paths:
    """Resolves the paths and points of one article, and names them.

    ``strip``: text nodes of nothing but white space are not counted.
    """

    def __init__(self, document: Document, *, strip: bool = False) -> None:
        self._text = document.text
        self._strip = strip
        self._strict = _Tree(document.elements)

    def element(self, path: str) -> Place | None:
        """Return what an element path names, or None where there is no such element."""
        for tree, skipping in self._trees():
            index = tree.find(path.strip())
            if index is not None:
                return Place(int(tree.elements.starts[index]), int(tree.elements.ends[index]), skipping)
        return None

    def point(self, point: str) -> Place | None:
        """Return where a point lies: an element's span, or one offset twice; None where there is none."""
        point = point.strip()
        within = _TEXT_STEP.search(point)
        if within is None:
            return self.element(point)
        number, offset = int(within[1] or 1), int(within[2])
        for tree, skipping in self._trees():
            index = tree.find(point[: within.start()])
            if index is None:
                continue
            nodes = self._text_nodes(tree, index)
            if 1 <= number <= len(nodes) and offset <= nodes[number - 1][1] - nodes[number - 1][0]:
                at = nodes[number - 1][0] + offset
                return Place(at, at, skipping)
        return None

    def passage(self, start: str, end: str) -> Place | None:
        """Return the passage between two points.

        A start point that is an element means its first character, an end point its last; an offset in a
        text node is exclusive at the end.  None where either leads nowhere, or they are in the wrong order.
        """
        first, last = self.point(start), self.point(end)
        if first is None or last is None or first.start > last.end:
            return None
        return Place(first.start, last.end, first.skipping or last.skipping)

    def point_at(self, offset: int, *, end: bool = False) -> str:
        """Name an offset: the start of a passage, or with ``end`` its (exclusive) end.

        Where white-space-only nodes are not counted, an offset in one is named by the nearest character
        within the passage.  A text without characters has only its root to name.
        """
        text, elements = self._text, self._strict.elements
        character = min(max(offset - 1 if end else offset, 0), len(text) - 1)
        step = -1 if end else 1
        while 0 <= character < len(text):
            index = elements.around(character, character + 1)
            for number, (first, last) in enumerate(self._text_nodes(self._strict, index), start=1):
                if first <= character < last:
                    inside = min(max(offset, first), last)
                    return f"{elements.path(index)}/text()[{number}].{inside - first}"
            character += step
        return elements.path(0)

    def _trees(self) -> Iterator[tuple[_Tree, bool]]:
        yield self._strict, False
        if self._strict.elements.wrappers:
            yield self._unwrapped, True

    @cached_property
    def _unwrapped(self) -> _Tree:
        return _Tree(self._strict.elements, skip_wrappers=True)

    def _text_nodes(self, tree: _Tree, index: int) -> list[tuple[int, int]]:
        nodes = tree.text_nodes(index)
        return [node for node in nodes if self._text[slice(*node)].strip()] if self._strip else nodes


class _Tree:
    """The elements of an article, with or without its semantic wrappers, to be walked from the root."""

    def __init__(self, elements: Elements, *, skip_wrappers: bool = False) -> None:
        self.elements = elements
        self._there: NDArray[np.bool_] = np.ones(len(elements), bool)
        self._parents: Numbers = elements.parents
        if skip_wrappers:
            self._there[elements.wrappers] = False
            self._there[0] = True  # whatever it is, it is the root
            self._parents = _nearest(elements.parents, self._there)

    def find(self, path: str) -> int | None:
        """Return the index of the element that a path names."""
        index = -1
        position = 0
        for step in _STEP.finditer(path):
            if step.start() != position:
                return None
            position = step.end()
            child = self._children.get((index, step[1], int(step[2] or 1)))
            if child is None:
                return None
            index = child
        return index if index >= 0 and position == len(path) else None

    def text_nodes(self, index: int) -> list[tuple[int, int]]:
        """Return the spans of an element's own text nodes, none of them empty."""
        elements = self.elements
        below = slice(index + 1, int(elements.nexts[index]))
        inner = np.flatnonzero((self._parents[below] == index) & self._there[below]) + index + 1
        edges: list[int] = [int(elements.starts[index])]
        for child in inner.tolist():
            edges += (int(elements.starts[child]), int(elements.ends[child]))
        edges.append(int(elements.ends[index]))
        nodes = []
        for first, last in zip(edges[0::2], edges[1::2], strict=True):
            cuts = sorted(cut for cut, parent in elements.cuts if parent == index and first < cut < last)
            nodes += [(a, b) for a, b in pairwise([first, *cuts, last]) if a < b]
        return nodes

    @cached_property
    def _children(self) -> dict[tuple[int, str, int], int]:
        """The index of each element by (parent, tag, position)."""
        chosen = np.flatnonzero(self._there)
        # Elements that are not there must not be counted: they get a parent of their own.
        parents = np.where(self._there, self._parents, np.int32(len(self.elements)))
        positions = self.elements.positions_below(parents)
        tags = self.elements.tags
        keys = zip(self._parents[chosen].tolist(), chosen.tolist(), positions[chosen].tolist(), strict=True)
        return {(parent, tags[index], position): index for parent, index, position in keys}


def _nearest(parents: Numbers, there: NDArray[np.bool_]) -> Numbers:
    """Return for each element its nearest ancestor that is there, -1 for the root; shape (n,)."""
    nearest = parents.copy()
    while len(gone := np.flatnonzero((nearest >= 0) & ~there[np.maximum(nearest, 0)])):
        nearest[gone] = parents[nearest[gone]]
    return nearest
