"""Element paths and points in the XML of an article, to offsets in its text and back.

A path names an element with every position, ``/article[1]/bdy[1]/sec[3]`` (a missing position is 1), tags
written as in the file.  A point is a path, or ``path/text()[n].offset``: so many characters into the n-th
text node of an element (without an offset: all of that node).  Text nodes are those of XPath (see
:mod:`~inexview.core.text_nodes`); those of nothing but white space count unless a file says
``whitespace-text-node="strip"``.

The articles of 2009 wrap header and body in semantic elements (``<person wordnetid=…>``) that the paths of
many runs leave out.  So a path is resolved strictly, and where that gives nothing once more as if the
wrappers' tags were not in the file: their children count among those of the element around them, and text
that only their tags part is one text node.  The answer says which.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Protocol

import numpy as np

from inexview.core.elements import Elements
from inexview.core.spans import Offsets
from inexview.core.text_nodes import TextNodes

_STEP = re.compile(r"([^/\[\]\s]+)(?:\[([0-9]{1,9})\])?")
_WITHIN = re.compile(r"(?:\[([0-9]{1,9})\])?(?:\.([0-9]{1,12}))?")  # behind /text()


class Article(Protocol):
    """What paths are resolved in: a :class:`~inexview.core.scan.Scan` is enough, a Document will do."""

    @property
    def text(self) -> str:
        """All characters below the root."""

    @property
    def elements(self) -> Elements:
        """The element table."""


@dataclass(frozen=True, slots=True)
class Place:
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
        self._strict = _Tree(article, (), strip)
        self._elements = article.elements
        self._article = article
        self._strip = strip

    def element(self, path: str) -> Place | None:
        """Return what an element path names, or None where there is no such element."""
        path = path.strip()
        for tree, skipping in self._trees():
            index = tree.find(path)
            if index is not None:
                return self._place(index, skipping)
        return None

    def point(self, point: str) -> Place | None:
        """Return where a point lies: the span of an element or a text node, or one offset twice; None where
        there is none."""
        point = point.strip()
        path, text, rest = point.rpartition("/text()")
        within = _WITHIN.fullmatch(rest) if text else None
        if within is None:
            return self.element(point)
        for tree, skipping in self._trees():
            index = tree.find(path)
            node = None if index is None else tree.text_nodes.find(index, int(within[1] or 1))
            if node is None:
                continue
            if within[2] is None:
                return Place(*node, skipping)
            at = node[0] + int(within[2])
            if at <= node[1]:
                return Place(at, at, skipping)
        return None

    def passage(self, start: str, end: str) -> Place | None:
        """Return the passage between two points.

        A start point that is an element means its first character, an end point its last; an offset in a
        text node is exclusive at the end.  None where either leads nowhere, or they are in the wrong order.
        """
        first = self.point(start)
        last = first if end == start else self.point(end)
        if first is None or last is None or first.start > last.end:
            return None
        return Place(first.start, last.end, first.skipping or last.skipping)

    def element_at(self, start: int, end: int) -> str | None:
        """Return the path of the element that is exactly ``[start, end)``, or None.

        Of several it is the first in document order that is no semantic wrapper: the paragraph and not the
        link that fills it.
        """
        index = self._by_span.get((start, end))
        return None if index is None else self._name(index)

    def range_at(self, start: int, end: int) -> tuple[str, str] | None:
        """Return the paths of the first and the last of neighbouring elements that are ``[start, end)``.

        They have one parent, and of several such ranges it is the outermost.  None where there is none.
        """
        parents, ends = self._elements.parents, self._elements.ends
        for first in self._starting.get(start, ()):
            for last in self._ending.get(end, ()):
                if first < last and parents[first] == parents[last] and ends[first] <= end:
                    return self._name(first), self._name(last)
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
        nodes = self._strict.text_nodes
        if not len(nodes):
            return [self._name(0)] * len(offsets)
        chosen = nodes.ending(offsets) if end else nodes.starting(offsets)
        inside = np.clip(offsets, nodes.starts[chosen], nodes.ends[chosen]) - nodes.starts[chosen]
        columns = (nodes.parents[chosen].tolist(), nodes.numbers[chosen].tolist(), inside.tolist())
        return [
            f"{self._name(parent)}/text()[{number}].{within}"
            for parent, number, within in zip(*columns, strict=True)
        ]

    def _trees(self) -> Iterator[tuple[_Tree, bool]]:
        yield self._strict, False
        if self._elements.wrappers:
            yield self._unwrapped, True

    @cached_property
    def _unwrapped(self) -> _Tree:
        return _Tree(self._article, self._elements.wrappers, self._strip)

    def _place(self, index: int, skipping: bool) -> Place:
        return Place(int(self._elements.starts[index]), int(self._elements.ends[index]), skipping)

    def _name(self, index: int) -> str:
        name = self._names.get(index)
        if name is None:
            name = self._names[index] = self._elements.path(index)
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


class _Tree:
    """The elements of an article, with or without its semantic wrappers, to be walked from the root.

    Only the children of elements that a path passes are ever looked at, and once: most runs ask for a few
    paths in each of very many articles.
    """

    def __init__(self, article: Article, skipped: Sequence[int], strip: bool) -> None:
        self._article = article
        self._skipped = set(skipped) - {0}  # whatever it is, it is the root
        self._strip = strip
        self._tags = article.elements.tags
        self._families: dict[int, dict[str, list[int]]] = {-1: {self._tags[0]: [0]}}
        self._found: dict[str, int] = {}  # −1: no such element

    def find(self, path: str) -> int | None:
        """Return the index of the element that a path names."""
        index = self._found.get(path)
        if index is None:
            index = self._found[path] = self._walk(path)
        return index if index >= 0 else None

    def _walk(self, path: str) -> int:
        outside, *steps = path.split("/")
        if outside or not steps:
            return -1
        index = -1
        for step in steps:
            tag, position = _parsed(step)
            family = self._families.get(index) or self._children(index)
            children = family.get(tag, ())
            if not 1 <= position <= len(children):
                return -1
            index = children[position - 1]
        return index

    @cached_property
    def text_nodes(self) -> TextNodes:
        """The text nodes that are counted."""
        article = self._article
        return TextNodes(article.text, article.elements, skipped=self._skipped, strip=self._strip)

    def _children(self, parent: int) -> dict[str, list[int]]:
        """Return the indices of an element's children by their tags."""
        family = self._families[parent] = {}
        tags, nexts, skipped = self._tags, self._nexts, self._skipped
        child, behind = parent + 1, nexts[parent]
        while child < behind:
            if skipped and child in skipped:
                child += 1  # to its own first child, or past it
            else:
                family.setdefault(tags[child], []).append(child)
                child = nexts[child]
        return family

    @cached_property
    def _nexts(self) -> list[int]:
        nexts: list[int] = self._article.elements.nexts.tolist()
        return nexts


@lru_cache(1 << 12)
def _parsed(step: str) -> tuple[str, int]:
    """Return the tag and the position that a step names; position 0, which no element has, for no step."""
    found = _STEP.fullmatch(step)
    return ("", 0) if found is None else (found[1], int(found[2] or 1))
