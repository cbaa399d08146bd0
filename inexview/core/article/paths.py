"""Element paths and points in the XML of an article, to offsets in its text and back.

A path names an element with every position, ``/article[1]/bdy[1]/sec[3]`` (a missing position is 1), tags
written as in the file.  A point is a path, or ``path/text()[n].offset``: so many characters into the n-th
text node of an element (without an offset: all of that node).  Text nodes are those of XPath (see
:mod:`~inexview.core.article.text_nodes`); those of nothing but white space count unless a file says
``whitespace-text-node="strip"``.

The articles of 2009 wrap header and body in semantic elements (``<person wordnetid=…>``) that the paths of
many runs leave out.  So a path is resolved strictly, and where that gives nothing once more as if the
wrappers' tags were not in the file: their children count among those of the element around them, and text
that only their tags part is one text node.  Where that gives nothing either, the path may name some wrappers
and leave out others: then each step may be one or the other (`path_trees.py` says in which order they are
tried).  The answer says whether wrappers were left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from inexview.core.article.path_trees import Article, PathTree, PathTrees
from inexview.core.errors import DocumentError
from inexview.core.text.spans import Offsets

LONGEST_PATH = 20_000  # characters: each passage has two points, and a deep article half as long a path
_WITHIN = re.compile(r"(?:\[([0-9]{1,9})\])?(?:\.([0-9]{1,12}))?")  # behind /text()


@dataclass(frozen=True, slots=True)
class PathTarget:
    """Where a path or a point leads: the characters ``[start, end)``, none for a point within text.

    ``skipping``: it was found only as if the semantic wrappers were not there.
    """

    start: int
    end: int
    skipping: bool = False


class Paths:
    """Resolves the paths and points of one article, of ``length`` characters, and names them.

    ``strip``: text nodes of nothing but white space are not counted.  Any number of questions takes time in
    proportion to them and to the article.
    """

    def __init__(self, article: Article, *, strip: bool = False) -> None:
        self.length = len(article.text)
        self._trees = PathTrees(article, strip=strip)
        self._elements = article.elements

    def element(self, path: str) -> PathTarget | None:
        """Return what an element path names, or None where there is no such element."""
        path = path.strip()
        for tree, skipping in self._trees.plain():
            index = tree.find(path)
            if index is not None:
                return self._place(index, skipping=skipping)
        index = next(self._trees.matching(path), None)
        return None if index is None else self._place(index, skipping=True)

    def point(self, point: str) -> PathTarget | None:
        """Return where a point lies: the span of an element or a text node, or one offset twice; None where
        there is none."""
        point = point.strip()
        path, text, rest = point.rpartition("/text()")
        within = _WITHIN.fullmatch(rest) if text else None
        if within is None:
            return self.element(point)
        number, offset = int(within[1] or 1), int(within[2]) if within[2] else None
        found = False  # such a text node: then an offset past its end leads to no other element
        for tree, skipping in self._trees.plain():
            index = tree.find(path)
            if index is None:
                continue
            place = _within(tree, index, number, offset, skipping=skipping)
            if place is not None:
                return place
            found = found or _within(tree, index, number, None, skipping=skipping) is not None
        for index in () if found else self._trees.matching(path):
            for tree in self._trees.around(index):
                place = _within(tree, index, number, offset, skipping=True)
                if place is not None:
                    return place
        return None

    def passage(self, start: str, end: str) -> PathTarget | None:
        """Return the passage between two points.

        A start point that is an element means its first character, an end point its last; an offset in a
        text node is exclusive at the end.  None where either leads nowhere, or they are in the wrong order.
        """
        first = self.point(start)
        last = first if end == start else self.point(end)
        if first is None or last is None or first.start > last.end:
            return None
        return PathTarget(first.start, last.end, first.skipping or last.skipping)

    def element_at(self, start: int, end: int) -> str | None:
        """Return the path of the element that is exactly ``[start, end)``, or None.

        Of several it is the first in document order that is no semantic wrapper: the paragraph and not the
        link that fills it.
        """
        index = self._by_span.get((start, end))
        return None if index is None else self.name(index)

    def range_at(self, start: int, end: int) -> tuple[str, str] | None:
        """Return the paths of the first and the last of neighbouring elements that are ``[start, end)``.

        They have one parent, and of several such ranges it is the outermost.  None where there is none.
        """
        parents, ends = self._elements.parents, self._elements.ends
        for first in self._starting.get(start, ()):
            for last in self._ending.get(end, ()):
                if first < last and parents[first] == parents[last] and ends[first] <= end:
                    return self.name(first), self.name(last)
        return None

    def point_at(self, offset: int, *, end: bool = False) -> str:
        """Name an offset: the start of a passage, or with ``end`` its (exclusive) end.

        Where white-space-only nodes are not counted, an offset in one is named by the nearest character
        within the passage, and where none is left there by the nearest before or after it.  A text without
        characters has only its root to name.
        """
        return self.points_at(np.array([offset], np.int64), end=end)[0]

    def points_at(self, offsets: Offsets, *, end: bool = False) -> list[str]:
        """Name offsets of shape (k,), each as :meth:`point_at` does."""
        nodes = self._trees.strict.text_nodes
        if not len(nodes):
            return [self.name(0)] * len(offsets)
        chosen = nodes.ending(offsets) if end else nodes.starting(offsets)
        inside = np.clip(offsets, nodes.starts[chosen], nodes.ends[chosen]) - nodes.starts[chosen]
        columns = (nodes.parents[chosen].tolist(), nodes.numbers[chosen].tolist(), inside.tolist())
        return [
            f"{self.name(parent)}/text()[{number}].{within}"
            for parent, number, within in zip(*columns, strict=True)
        ]

    def _place(self, index: int, *, skipping: bool) -> PathTarget:
        return PathTarget(int(self._elements.starts[index]), int(self._elements.ends[index]), skipping)

    def name(self, index: int) -> str:
        """Return the path of an element; raises DocumentError if it is too long to be written often."""
        name = self._names.get(index)
        if name is None:
            name = self._names[index] = self._elements.path(index)
        if len(name) > LONGEST_PATH:
            raise DocumentError(
                f"the path of an element has {len(name):,} characters; "
                f"more than {LONGEST_PATH:,} are not written"
            )
        return name

    @cached_property
    def _names(self) -> dict[int, str]:
        return {}

    @cached_property
    def _starting(self) -> dict[int, list[int]]:
        """The elements by where they start, the outermost first; none without characters."""
        return self._by_edge(self._elements.starts.tolist())

    @cached_property
    def _ending(self) -> dict[int, list[int]]:
        """The elements by where they end, the outermost first; none without characters."""
        return self._by_edge(self._elements.ends.tolist())

    def _by_edge(self, edges: list[int]) -> dict[int, list[int]]:
        filled = (self._elements.starts < self._elements.ends).tolist()
        found: dict[int, list[int]] = {}
        for index, edge in enumerate(edges):
            if filled[index]:
                found.setdefault(edge, []).append(index)
        return found

    @cached_property
    def _by_span(self) -> dict[tuple[int, int], int]:
        """The index of the element to be named for each span."""
        elements = self._elements
        spans = list(zip(elements.starts.tolist(), elements.ends.tolist(), strict=True))
        # The last one stays.
        chosen = {spans[index]: index for index in reversed(elements.wrappers)}
        wrappers = set(elements.wrappers)
        chosen |= {spans[i]: i for i in range(len(spans) - 1, -1, -1) if i not in wrappers}
        return chosen


def _within(
    tree: PathTree, index: int, number: int, offset: int | None, *, skipping: bool
) -> PathTarget | None:
    """Return the place in a text node of an element, or all of the node; None where it has not so much."""
    node = tree.text_nodes.find(index, number)
    if node is None:
        return None
    if offset is None:
        return PathTarget(*node, skipping)
    at = node[0] + offset
    return PathTarget(at, at, skipping) if at <= node[1] else None
