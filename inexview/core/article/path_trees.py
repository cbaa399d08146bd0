"""The elements of an article as paths walk them: with the semantic wrappers of 2009, without, with some."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Protocol

from inexview.core.article.elements import Elements
from inexview.core.article.text_nodes import TextNodes

_STEP = re.compile(r"([^/\[\]\s]+)(?:\[([0-9]{1,9})\])?")
_OUTSIDE = -1  # the root's parent
LONGEST_SEARCH = 10_000  # steps that are tried for one path; real ones take some tens


class Article(Protocol):
    """What paths are resolved in: a Scan is enough, a Document will do."""

    @property
    def text(self) -> str:
        """All characters below the root."""

    @property
    def elements(self) -> Elements:
        """The element table."""


class PathTrees:
    """The trees of one article, each made when it is asked for first."""

    def __init__(self, article: Article, *, strip: bool) -> None:
        self.strict = PathTree(article, (), strip=strip)
        self._article = article
        self._strip = strip
        self._keeping: dict[str, PathTree] = {}

    def plain(self) -> Iterator[tuple[PathTree, bool]]:
        """Yield the article as it is and, if it has wrappers, without them; tell which is which."""
        yield self.strict, False
        if self._article.elements.wrappers:
            yield self.unwrapped, True

    def matching(self, path: str) -> Iterator[int]:
        """Yield the elements that a path names if it may leave out any wrappers; the preferred one first.

        At each step, the child is the one that the step names in the file; else the one that it names
        if no wrappers were there but those of the step's tag; else the one if there were none at all.  Where
        one does not lead to the path's end, the next is tried, up to LONGEST_SEARCH of them.
        """
        outside, *steps = path.split("/")
        if outside or not steps or not self._article.elements.wrappers:
            return
        waiting = [(_OUTSIDE, 0)]
        seen: set[tuple[int, int]] = set()
        while waiting and len(seen) < LONGEST_SEARCH:
            index, at = waiting.pop()
            if at == len(steps):
                yield index
                continue
            tag, position = _parsed(steps[at])
            trees = (self.strict, self._with(tag), self.unwrapped)
            children = dict.fromkeys(tree.child(index, tag, position) for tree in trees)
            new = [(child, at + 1) for child in children if child is not None]
            waiting += [state for state in reversed(new) if state not in seen]
            seen.update(new)

    def around(self, index: int) -> tuple[PathTree, PathTree, PathTree]:
        """Return the trees in which an element may have the text that a point means, the preferred first."""
        return self.strict, self._with(self._article.elements.tags[index]), self.unwrapped

    def _with(self, tag: str) -> PathTree:
        """Return the article without its wrappers, but with those of one tag."""
        if tag not in self._wrapper_tags:
            return self.unwrapped
        if tag not in self._keeping:
            elements = self._article.elements
            skipped = [index for index in elements.wrappers if elements.tags[index] != tag]
            self._keeping[tag] = PathTree(self._article, skipped, strip=self._strip)
        return self._keeping[tag]

    @cached_property
    def _wrapper_tags(self) -> set[str]:
        elements = self._article.elements
        return {elements.tags[index] for index in elements.wrappers}

    @cached_property
    def unwrapped(self) -> PathTree:
        """The article without its wrappers."""
        return PathTree(self._article, self._article.elements.wrappers, strip=self._strip)


class PathTree:
    """The elements of an article, some of them skipped, to be walked from the root.

    Only the children of elements that a path passes are ever looked at, and once: most runs ask for a few
    paths in each of very many articles.
    """

    def __init__(self, article: Article, skipped: Sequence[int], *, strip: bool) -> None:
        self._article = article
        self._skipped = set(skipped) - {0}  # whatever it is, it is the root
        self._strip = strip
        self._tags = article.elements.tags
        self._families: dict[int, dict[str, list[int]]] = {_OUTSIDE: {self._tags[0]: [0]}}
        self._found: dict[str, int] = {}  # −1: no such element

    def find(self, path: str) -> int | None:
        """Return the index of the element that a path names."""
        index = self._found.get(path)
        if index is None:
            index = self._found[path] = self._walk(path)
        return index if index >= 0 else None

    def child(self, parent: int, tag: str, position: int) -> int | None:
        """Return the index of the ``position``-th child of a tag, None where there are not so many."""
        family = self._families.get(parent) or self._children(parent)
        children = family.get(tag, ())
        return children[position - 1] if 1 <= position <= len(children) else None

    @cached_property
    def text_nodes(self) -> TextNodes:
        article = self._article
        return TextNodes(article.text, article.elements, skipped=self._skipped, strip=self._strip)

    def _walk(self, path: str) -> int:
        outside, *steps = path.split("/")
        if outside or not steps:
            return -1
        index = _OUTSIDE
        for step in steps:
            tag, position = _parsed(step)
            family = self._families.get(index) or self._children(index)
            children = family.get(tag, ())
            if not 1 <= position <= len(children):
                return -1
            index = children[position - 1]
        return index

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
