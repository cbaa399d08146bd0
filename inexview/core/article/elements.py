"""The elements of an article: table, attributes, text nodes; conversion between paths, points and offsets."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Protocol, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from inexview.core.errors import DocumentError
from inexview.core.text.spans import Offsets
from inexview.core.text.xml import MAX_DEPTH, entity_text

Numbers = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Element:
    """One element: its characters are ``[start, end)``, without markup.

    ``path`` gives every position (``/article[1]/bdy[1]/p[3]``); ``tag`` is written as in the file, including
    the prefix; ``depth`` of the root is 1; ``parent`` is an index in the table, -1 for the root.
    """

    path: str
    tag: str
    start: int
    end: int
    depth: int
    parent: int


Thing = TypeVar("Thing")


class MadeSequence(Sequence[Thing]):
    """A sequence over columns, whose members are made on demand."""

    @abstractmethod
    def made(self, index: int) -> Thing:
        """Return a member, counted from 0."""

    @overload
    def __getitem__(self, index: int) -> Thing: ...
    @overload
    def __getitem__(self, index: slice) -> list[Thing]: ...
    def __getitem__(self, index: int | slice) -> Thing | list[Thing]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError(f"{type(self).__name__} index out of range")
        return self.made(index)


class Elements(MadeSequence[Element]):
    """The element table of an article, in document order.

    Columns of shape (n,): ``tags`` (list of str), ``starts`` and ``ends`` (int64 code points), ``parents``
    (index, -1 for the root), ``depths`` (1 for the root) and ``nexts`` (the index after the last descendant).
    ``coded`` are the tags as numbers, of shape (n,), and the tag of each number. ``attributes`` contains
    those of the few elements whose attributes affect their display; ``cuts`` are the places where a comment
    or processing instruction separates two text nodes, as (offset, index of the parent).  ``wrappers`` is
    called at most once, when needed.
    """

    def __init__(
        self,
        coded: tuple[Numbers, list[str]],
        places: Offsets,
        nesting: Nesting,
        attributes: Mapping[int, Mapping[str, str]],
        cuts: Sequence[tuple[int, int]],
        wrappers: Callable[[], Sequence[int]],
    ) -> None:
        """Take the places of all edges in the text, shape (2n,), and the nesting of the elements."""
        self.coded = coded
        self.starts, self.ends = places[nesting.starts_at], places[nesting.ends_at]
        self.parents, self.depths, self.nexts = nesting.parents, nesting.depths, nesting.nexts
        self.attributes = attributes
        self.cuts = cuts
        self._find_wrappers = wrappers

    def __len__(self) -> int:
        return len(self.starts)

    def made(self, index: int) -> Element:
        return Element(
            self.path(index),
            self.tags[index],
            int(self.starts[index]),
            int(self.ends[index]),
            int(self.depths[index]),
            int(self.parents[index]),
        )

    def path(self, index: int) -> str:
        steps = []
        while index >= 0:
            steps.append(f"/{self.tags[index]}[{self.positions[index]}]")
            index = int(self.parents[index])
        return "".join(reversed(steps))

    def around(self, start: int, end: int) -> int:
        """Return the index of the innermost element that contains ``[start, end)``, or the root.

        Of several with the same extent, it is the innermost.  Takes a binary search and as many steps as the
        element there is deep.
        """
        # Document order is depth-first: an element containing the start is the last that begins at or before
        # it, or one of its ancestors.
        index = int(self.starts.searchsorted(start, side="right")) - 1
        while index > 0 and self.ends[index] < end:
            index = int(self.parents[index])
        return max(index, 0)

    def holding(self, start: int, end: int) -> list[int]:
        """Return the indices of the elements that contain ``[start, end)``, innermost first.

        Of several with the same extent, only the innermost is included.
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
        """Return for which elements ``says`` accepts the tag, shape (n,)."""
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
        """The 1-based position of each element among its siblings with the same tag, of shape (n,)."""
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
        """The extent of the text before and after each element, between it and its siblings.

        Both of shape (n,): the end of the previous sibling (or the parent's start), the start of the next
        sibling (or the parent's end).
        """
        inner = np.maximum(self.parents, 0)
        before, after = self.starts[inner], self.ends[inner]
        followed = np.flatnonzero(self.nexts < len(self))
        followed = followed[self.parents[followed] == self.parents[self.nexts[followed]]]
        siblings = self.nexts[followed]
        before[siblings] = self.ends[followed]
        after[followed] = self.starts[siblings]
        return before, after


class Numbering(dict[str, int]):
    """Numbers names in their order of appearance."""

    def __missing__(self, tag: str) -> int:
        self[tag] = code = len(self)
        return code


def coded(tags: Sequence[str]) -> tuple[Numbers, list[str]]:
    """Return tags as numbers, of shape (n,), and the tag of each number."""
    codes = Numbering()
    return np.fromiter(map(codes.__getitem__, tags), np.int32, len(tags)), list(codes)


@dataclass(frozen=True, slots=True)
class Nesting:
    """The nesting of elements: columns of shape (n,) in document order.

    ``starts_at`` and ``ends_at`` are the indices of an element's start and end among the edges; the others
    are columns of :class:`Elements`.
    """

    starts_at: NDArray[np.intp]
    ends_at: NDArray[np.intp]
    parents: Numbers
    depths: Numbers
    nexts: Numbers


def nest(opens: NDArray[np.bool_], name: str) -> Nesting:
    """Match the start and end edges of elements without a loop over them.

    ``opens``, of shape (2n,), gives in document order which edges are starts.  Raises DocumentError, which
    names the article ``name``, if elements are nested too deeply.
    """
    started = opens.cumsum(dtype=np.int32)
    # The number of open elements, including the one that ends.
    depths = 2 * started - opens - np.arange(len(opens), dtype=np.int32)
    if (deepest := int(depths.max())) > MAX_DEPTH:
        raise DocumentError(
            f"elements are nested {deepest} deep; more than {MAX_DEPTH} are not read", path=name
        )
    # At one depth start and end tags alternate, so that sorting by depth makes the pairs adjacent.
    order = depths.astype(np.int16).argsort(kind="stable")
    starting = order[0::2]
    level_by_level = started[starting] - 1
    count = len(level_by_level)
    starts_at, ends_at = np.empty((2, count), np.intp)
    starts_at[level_by_level] = starting
    ends_at[level_by_level] = order[1::2]
    # A first child starts right after its parent; on its level, its siblings follow until the next one.
    # Nothing starts before the root, and opens[-1] is its end.
    first_of_family = np.maximum.accumulate(np.arange(count) * opens[starting - 1])
    parents = np.empty(count, np.int32)
    parents[level_by_level] = level_by_level[first_of_family] - 1
    return Nesting(starts_at, ends_at, parents, depths[starts_at], nexts=started[ends_at])


# The attributes of an article's elements, read from the start tags on demand.

_ATTRIBUTE = re.compile(r"""\s([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_START_TAG = re.compile(rb"""<(?>[^"'<>]+|"[^"]*"|'[^']*')*+>""")
_GREATER = ord(">")
_REFERENCE = re.compile("&(#x?)?([^;&]*);")
_PREDEFINED = {"amp", "lt", "gt", "quot", "apos"}
_BLANK = re.compile(r"\r\n|[\t\n\r]")


# Elements whose attributes affect their display.
SHOWN = {
    *("entry", "list", "item", "td", "th", "col", "cell", "header", "l1", "l2", "l3", "l4", "l5"),
    *("image", "figure", "fig", "art", "link", "weblink", "math"),
    *("table", "colspec", "spanspec", "indent", "picture", "img"),
    *("template", "template_parameter", "parameter", "param", "field", "property"),
}


class TagAttributes(Mapping[int, Mapping[str, str]]):
    """The attributes in start tags by the index of the element in document order; without DTD entities.

    The mapping contains only elements with tags in ``SHOWN`` that have attributes.  ``coded`` are the tags of
    all as numbers and the tag of each number; ``begins``, of shape (n,), is where in ``source`` the start
    tags begin, in which ">" is only the last character.
    """

    def __init__(self, source: bytes, coded: tuple[Numbers, list[str]], begins: Offsets) -> None:
        self._source, self._begins = source, begins
        self._codes, self._vocabulary = coded

    def __getitem__(self, index: int) -> Mapping[str, str]:
        if index not in self:
            raise KeyError(index)
        return self.read(index)

    def get(self, index: int, default: Any = None) -> Any:
        """Return the attributes of an element in the mapping; twice as fast as Mapping's own."""
        return self.read(index) if index in self else default

    def __contains__(self, index: object) -> bool:
        if not isinstance(index, int) or not 0 <= index < len(self._codes):
            return False
        tag = self._vocabulary[self._codes.item(index)]
        # Most have no attributes: their tag ends after the name.
        return tag in SHOWN and self._source[self._begins.item(index) + len("<") + len(tag)] != _GREATER

    def __iter__(self) -> Iterator[int]:
        return filter(self.__contains__, range(len(self._codes)))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def read(self, index: int) -> dict[str, str]:
        """Return the attributes of any element, in the mapping or not.

        References become their characters; undeclared entities stay as they are written.
        """
        begin = self._begins.item(index)
        text = self._source[begin : self._source.index(_GREATER, begin)].decode()
        return {name: _value(double or single) for name, double, single in _ATTRIBUTE.findall(text)}

    def naming(self, name: str) -> list[int]:
        """Return the indices of all elements with an attribute, in the mapping or not."""
        places = [at.start() for at in re.finditer(re.escape(name.encode()), self._source)]
        indices = np.unique(self._begins.searchsorted(places, side="right") - 1)
        return [index for index in indices[indices >= 0].tolist() if name in self.read(index)]


def completed(found: dict[str, str], source: bytes, begin: int, declared: Collection[str]) -> dict[str, str]:
    """Insert undeclared entities into attributes found by expat, which omits them silently.

    ``begin`` is where the start tag begins in ``source``, or the reference to the entity that contains it,
    whose text is left unchanged.  So is a value that also contains one of the ``declared`` entities.
    """
    tag = _START_TAG.match(source, begin)
    if tag is None or b"&" not in tag[0]:
        return found
    whole = dict(found)
    for name, double, single in _ATTRIBUTE.findall(tag[0].decode()):
        entities = {entity for number, entity in _REFERENCE.findall(double or single) if not number}
        entities -= _PREDEFINED
        if name in found and entities and entities.isdisjoint(declared):
            whole[name] = _value(double or single)
    return whole


def _value(written: str) -> str:
    def character(reference: re.Match[str]) -> str:
        number, name = reference.groups()
        if number:  # int() does not accept thousands of zeros
            return chr(int(name.lstrip("0"), 16 if number == "#x" else 10))
        return entity_text(name) or reference[0]

    return _REFERENCE.sub(character, _BLANK.sub(" ", written))


# The text nodes of an article, as XPath counts them.
#
# Start and end tags, comments and processing instructions separate them; the edges of a CDATA section and
# references do not.  Together they cover the text, so that every character is in exactly one of them.

BLANKS = " \t\r\n"
"""White space as defined by XML; a no-break space is not included."""


class TextNodes:
    """Columns of shape (m,), in document order; no node is empty.

    ``starts`` and ``ends`` are int64 code points, ``parents`` the indices of their elements.
    """

    def __init__(
        self, text: str, elements: Elements, *, skipped: Collection[int] = (), strip: bool = False
    ) -> None:
        """List the text nodes.

        The tags of ``skipped`` elements are ignored: text that they separate is one node. With ``strip``,
        nodes of white space only are left out and not counted.
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
        """Return the span of the ``number``-th text node of an element, None if it has fewer."""
        at = int(self._families.searchsorted(parent)) + number - 1
        if number < 1 or at >= len(self) or self._families[at] != parent:
            return None
        node = self._order[at]
        return int(self.starts[node]), int(self.ends[node])

    def starting(self, offsets: Offsets) -> NDArray[np.intp]:
        """Return the node in which a passage from each of these offsets begins: that of the next character.

        At the end of the text, it is the last node.  There must be a node; shapes (k,).
        """
        return np.minimum(self.ends.searchsorted(offsets, "right"), len(self) - 1)

    def ending(self, offsets: Offsets) -> NDArray[np.intp]:
        """Return the node in which a passage to each of these offsets ends: that of the previous character.

        At the start of the text, it is the first node.  There must be a node; shapes (k,).
        """
        return np.maximum(self.starts.searchsorted(offsets, "left") - 1, 0)


def _parted_by_tags(
    elements: Elements, skipped: Collection[int]
) -> tuple[Offsets, Offsets, NDArray[np.int64]]:
    """Return the text between tags: its starts and ends, and the elements that contain it."""
    count = len(elements)
    numbers = np.arange(count)
    kept = numbers.copy()
    for index in sorted(skipped):  # the outer ones first
        kept[index] = kept[elements.parents[index]]
    # All tags in document order: the place of each in the text, and the element that is open after it.
    starting = 2 * numbers - elements.depths + 1
    ending = 2 * elements.nexts - elements.depths
    places = np.empty(2 * count, np.int64)
    places[starting], places[ending] = elements.starts, elements.ends
    inside = np.empty(2 * count, np.int64)
    inside[starting], inside[ending] = kept, kept[elements.parents]  # nothing is after the root
    if skipped:
        tags = np.ones(2 * count, bool)
        gone = list(skipped)
        tags[starting[gone]] = tags[ending[gone]] = False
        places, inside = places[tags], inside[tags]
    filled = np.flatnonzero(places[1:] > places[:-1])
    return places[filled], places[filled + 1], inside[filled]


# The elements of an article for resolving paths: with all, some or none of the semantic wrappers of 2009.

_STEP = re.compile(r"([^/\[\]\s]+)(?:\[([0-9]{1,9})\])?")
_OUTSIDE = -1  # the root's parent
LONGEST_SEARCH = 10_000  # steps that are tried for one path; real ones take some tens


class Article(Protocol):
    """The part of a Scan or a Document that is needed to resolve paths."""

    @property
    def text(self) -> str:
        """All characters below the root."""

    @property
    def elements(self) -> Elements:
        """The element table."""


class PathTree:
    """The elements of an article, some of them skipped, for descending from the root.

    Only the children of elements on the path are examined, and once: most runs need a few paths in each of
    very many articles.
    """

    def __init__(self, article: Article, skipped: Sequence[int], *, strip: bool) -> None:
        self._article = article
        self._skipped = set(skipped) - {0}  # the root is always kept
        self._strip = strip
        self._tags = article.elements.tags
        self._families: dict[int, dict[str, list[int]]] = {_OUTSIDE: {self._tags[0]: [0]}}
        self._found: dict[str, int] = {}  # −1: no such element

    def find(self, path: str) -> int | None:
        index = self._found.get(path)
        if index is None:
            index = self._found[path] = self._walk(path)
        return index if index >= 0 else None

    def child(self, parent: int, tag: str, position: int) -> int | None:
        """Return the index of the ``position``-th child with a tag, None if there are fewer."""
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
    """Return the tag and the position in a step; position 0, which no element has, for an invalid step."""
    found = _STEP.fullmatch(step)
    return ("", 0) if found is None else (found[1], int(found[2] or 1))


# Element paths and points in the XML of an article, to offsets in its text and back.
#
# A path names an element with every position, `/article[1]/bdy[1]/sec[3]` (a missing position is 1), with
# tags as in the file.  A point is a path, or `path/text()[n].offset`: so many characters into the n-th text
# node of an element (without an offset: all of that node).  Text nodes are those of XPath (see `TextNodes`);
# those of white space only count unless a file specifies `whitespace-text-node="strip"`.
#
# The articles of 2009 wrap header and body in semantic elements (`<person wordnetid=…>`) that the paths of
# many runs leave out. So a path is first resolved strictly; if that fails, as if the wrappers' tags were not
# in the file: their children count among those of the element around them, and text that only their tags
# separate is one text node. If that fails too, the path may name some wrappers and leave out others: then
# each step may be either (`PathTree` describes the order of attempts). The result includes whether wrappers
# were left out.

LONGEST_PATH = 20_000  # characters: each passage has two points, and a deep article half as long a path
_WITHIN = re.compile(r"(?:\[([0-9]{1,9})\])?(?:\.([0-9]{1,12}))?")  # after /text()


@dataclass(frozen=True, slots=True)
class PathTarget:
    """The target of a path or a point: the characters ``[start, end)``, empty for a point within text.

    ``skipping``: it was found only by ignoring the semantic wrappers.
    """

    start: int
    end: int
    skipping: bool = False


class Paths:
    """Resolves the paths and points of one article, of ``length`` characters, and names them.

    ``strip``: text nodes of white space only are not counted.  The time for any number of questions is
    proportional to them and to the article.
    """

    def __init__(self, article: Article, *, strip: bool = False) -> None:
        self.length = len(article.text)
        self._article = article
        self._elements = article.elements
        self._strip = strip
        self._strict = PathTree(article, (), strip=strip)
        self._keeping: dict[str, PathTree] = {}  # the article with the wrappers of one tag
        self._names: dict[int, str] = {}

    def element(self, path: str) -> PathTarget | None:
        """Return the target of an element path, or None if there is no such element."""
        path = path.strip()
        for tree, skipping in self._plain():
            index = tree.find(path)
            if index is not None:
                return self._place(index, skipping=skipping)
        index = next(self._matching(path), None)
        return None if index is None else self._place(index, skipping=True)

    def point(self, point: str) -> PathTarget | None:
        """Return the place of a point: the span of an element or text node, or one offset twice; or None."""
        point = point.strip()
        path, text, rest = point.rpartition("/text()")
        within = _WITHIN.fullmatch(rest) if text else None
        if within is None:
            return self.element(point)
        number, offset = int(within[1] or 1), int(within[2]) if within[2] else None
        # whether the text node exists: if so, an offset past its end is not looked for in another element
        found = False
        for tree, skipping in self._plain():
            index = tree.find(path)
            if index is None:
                continue
            place = _within(tree, index, number, offset, skipping=skipping)
            if place is not None:
                return place
            found = found or _within(tree, index, number, None, skipping=skipping) is not None
        for index in () if found else self._matching(path):
            for tree in self._around(index):
                place = _within(tree, index, number, offset, skipping=True)
                if place is not None:
                    return place
        return None

    def passage(self, start: str, end: str) -> PathTarget | None:
        """Return the passage between two points.

        A start point that is an element means its first character, an end point its last; an offset in a text
        node is exclusive at the end.  None if either does not exist, or they are in the wrong order.
        """
        first = self.point(start)
        last = first if end == start else self.point(end)
        if first is None or last is None or first.start > last.end:
            return None
        return PathTarget(first.start, last.end, first.skipping or last.skipping)

    def element_at(self, start: int, end: int) -> str | None:
        """Return the path of the element that is exactly ``[start, end)``, or None.

        Of several it is the first in document order other than semantic wrappers: the paragraph and not the
        link that fills it.
        """
        index = self._by_span.get((start, end))
        return None if index is None else self.name(index)

    def range_at(self, start: int, end: int) -> tuple[str, str] | None:
        """Return the paths of the first and the last of neighbouring elements that cover ``[start, end)``.

        They have the same parent, and of several such ranges it is the outermost.  None if there is none.
        """
        parents, ends = self._elements.parents, self._elements.ends
        for first in self._starting.get(start, ()):
            for last in self._ending.get(end, ()):
                if first < last and parents[first] == parents[last] and ends[first] <= end:
                    return self.name(first), self.name(last)
        return None

    def point_at(self, offset: int, *, end: bool = False) -> str:
        """Return the point of an offset: the start of a passage, or with ``end`` its (exclusive) end.

        If nodes of white space only are not counted, an offset in one is named by the nearest character
        within the passage, or else by the nearest before or after it.  An empty text is named by its root.
        """
        return self.points_at(np.array([offset], np.int64), end=end)[0]

    def points_at(self, offsets: Offsets, *, end: bool = False) -> list[str]:
        """Return the points of offsets of shape (k,), each as :meth:`point_at` does."""
        nodes = self._strict.text_nodes
        if not len(nodes):
            return [self.name(0)] * len(offsets)
        chosen = nodes.ending(offsets) if end else nodes.starting(offsets)
        inside = np.clip(offsets, nodes.starts[chosen], nodes.ends[chosen]) - nodes.starts[chosen]
        columns = (nodes.parents[chosen].tolist(), nodes.numbers[chosen].tolist(), inside.tolist())
        return [
            f"{self.name(parent)}/text()[{number}].{within}"
            for parent, number, within in zip(*columns, strict=True)
        ]

    def _plain(self) -> Iterator[tuple[PathTree, bool]]:
        """Yield the article as it is and, if it has wrappers, without them; with whether they are ignored."""
        yield self._strict, False
        if self._elements.wrappers:
            yield self._unwrapped, True

    def _matching(self, path: str) -> Iterator[int]:
        """Yield the elements that a path may name if it leaves out any wrappers; the preferred one first.

        At each step, the candidates are the child that the step names in the file; the one that it names
        without wrappers other than those with the step's tag; and the one without any wrappers. If one does
        not lead to the path's end, the next is tried, up to LONGEST_SEARCH of them.
        """
        outside, *steps = path.split("/")
        if outside or not steps or not self._elements.wrappers:
            return
        waiting = [(_OUTSIDE, 0)]
        seen: set[tuple[int, int]] = set()
        while waiting and len(seen) < LONGEST_SEARCH:
            index, at = waiting.pop()
            if at == len(steps):
                yield index
                continue
            tag, position = _parsed(steps[at])
            trees = (self._strict, self._with(tag), self._unwrapped)
            children = dict.fromkeys(tree.child(index, tag, position) for tree in trees)
            new = [(child, at + 1) for child in children if child is not None]
            waiting += [state for state in reversed(new) if state not in seen]
            seen.update(new)

    def _around(self, index: int) -> tuple[PathTree, PathTree, PathTree]:
        """Return the trees in which an element may have the text of a point, the preferred first."""
        return self._strict, self._with(self._elements.tags[index]), self._unwrapped

    def _with(self, tag: str) -> PathTree:
        """Return the article without its wrappers, except those with one tag."""
        if tag not in self._wrapper_tags:
            return self._unwrapped
        if tag not in self._keeping:
            elements = self._elements
            skipped = [index for index in elements.wrappers if elements.tags[index] != tag]
            self._keeping[tag] = PathTree(self._article, skipped, strip=self._strip)
        return self._keeping[tag]

    @cached_property
    def _wrapper_tags(self) -> set[str]:
        elements = self._elements
        return {elements.tags[index] for index in elements.wrappers}

    @cached_property
    def _unwrapped(self) -> PathTree:
        return PathTree(self._article, self._elements.wrappers, strip=self._strip)

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
    def _starting(self) -> dict[int, list[int]]:
        """The elements by their starts, the outermost first; without empty ones."""
        return self._by_edge(self._elements.starts.tolist())

    @cached_property
    def _ending(self) -> dict[int, list[int]]:
        """The elements by their ends, the outermost first; without empty ones."""
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
        """The index of the element that names each span."""
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
    """Return the place in a text node of an element, or all of the node; None if it is shorter."""
    node = tree.text_nodes.find(index, number)
    if node is None:
        return None
    if offset is None:
        return PathTarget(*node, skipping)
    at = node[0] + offset
    return PathTarget(at, at, skipping) if at <= node[1] else None
