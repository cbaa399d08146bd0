"""From the bytes of an article to its text and its elements, in one pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from inexview.core.attributes import TagAttributes
from inexview.core.elements import Elements, Nesting, Numbers, coded, depths_of_edges, nest
from inexview.core.errors import DocumentError
from inexview.core.spans import Offsets
from inexview.core.tags import Tags, plain_tags
from inexview.core.xml import MAX_DEPTH, MAX_ELEMENTS, Scanner

# Attributes that change how an element is shown; no others are kept.
_SHOWN_ATTRIBUTES = {
    *("entry", "list", "item", "td", "th", "col", "cell", "header"),
    *("image", "figure", "fig", "art", "link", "weblink", "math"),
    *("table", "colspec", "spanspec", "indent", "picture", "img"),
    *("template", "template_parameter", "parameter", "param", "field", "property"),
}
_WRAPPER_ATTRIBUTE = "wordnetid"


@dataclass(frozen=True, slots=True)
class Scan:
    """What one pass over an article yields."""

    text: str
    elements: Elements
    warnings: tuple[str, ...]


def scan(data: bytes, name: str) -> Scan:
    """Read an article; raises DocumentError with file, line and column.

    The text is all text below the root in code points; comments and processing instructions count nothing,
    references count what they expand to.
    """
    scanner = Scanner(data, name)
    tags = plain_tags(scanner.source)
    return _scan_any(scanner) if tags is None else _scan_plain(scanner, tags)


def _scan_plain(scanner: Scanner, tags: Tags) -> Scan:
    """Read an article whose tags have been found: expat says what they are called, in C alone."""
    names: list[str] = []  # of the elements, in the order in which they end
    scanner.parser.EndElementHandler = names.append
    text = scanner.run()
    nesting = _nested(tags.edges, scanner)
    codes, vocabulary = coded(names)
    codes = codes[nesting.ends_at - nesting.nexts]  # as many end before as edges that are no starts
    lengths = np.array([len(tag.encode()) for tag in vocabulary])
    shown = np.array([tag in _SHOWN_ATTRIBUTES for tag in vocabulary])
    says_more = tags.stops - tags.begins > lengths[codes] + len("< />")
    attributes = TagAttributes(scanner.source, tags.begins, tags.stops, shown[codes] & says_more)
    elements = _elements(
        tags.edges, nesting, (codes, vocabulary), attributes, attributes.naming(_WRAPPER_ATTRIBUTE), []
    )
    return Scan(text, elements, tuple(scanner.warnings))


def _scan_any(scanner: Scanner) -> Scan:
    """Read an article with whatever it holds, step by step."""
    tell = scanner.tell
    tags: list[str] = []
    edges: list[int] = []  # a start tag leaves its place in the text, an end tag the complement of it
    attributes: dict[int, dict[str, str]] = {}
    wrappers: list[int] = []
    cuts: list[tuple[int, int]] = []  # (place in the text, number of edges) at each comment

    def start(tag: str, found: dict[str, str]) -> None:
        if found:
            if tag in _SHOWN_ATTRIBUTES:
                attributes[len(tags)] = found
            if _WRAPPER_ATTRIBUTE in found:
                wrappers.append(len(tags))
        if len(tags) == MAX_ELEMENTS:
            raise scanner.error(f"the file has more than {MAX_ELEMENTS:,} elements; it is refused as a bomb")
        tags.append(tag)
        edges.append(tell())

    def end(_tag: str) -> None:
        edges.append(~tell())

    def cut(*_content: str) -> None:
        cuts.append((tell(), len(edges)))

    parser = scanner.parser
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CommentHandler = cut
    parser.ProcessingInstructionHandler = cut
    text = scanner.run()

    places = np.array(edges, np.int64)
    nesting = _nested(places, scanner)
    within = _within_elements(cuts, nesting) if cuts else []
    elements = _elements(places, nesting, coded(tags), attributes, wrappers, within)
    return Scan(text, elements, tuple(scanner.warnings))


def _nested(edges: Offsets, scanner: Scanner) -> Nesting:
    """Match the edges of elements; raises DocumentError where they are nested too deep."""
    depths = depths_of_edges(edges)
    deepest = int(depths.max())
    if deepest > MAX_DEPTH:
        raise DocumentError(
            f"elements are nested {deepest} deep; more than {MAX_DEPTH} are not read", path=scanner.name
        )
    return nest(edges, depths)


def _elements(
    edges: Offsets,
    nesting: Nesting,
    tags: tuple[Numbers, list[str]],
    attributes: Mapping[int, Mapping[str, str]],
    wrappers: Sequence[int],
    cuts: Sequence[tuple[int, int]],
) -> Elements:
    return Elements(
        tags,
        starts=edges[nesting.starts_at],
        ends=~edges[nesting.ends_at],
        parents=nesting.parents,
        depths=nesting.depths,
        nexts=nesting.nexts,
        attributes=attributes,
        wrappers=wrappers,
        cuts=cuts,
    )


def _within_elements(cuts: list[tuple[int, int]], nesting: Nesting) -> list[tuple[int, int]]:
    """Turn (place, number of edges before it) to (place, index of the element that holds it)."""
    # Which element is open after each edge: the one that starts, or the parent of the one that ends.
    opened = np.empty(2 * len(nesting.depths), np.int32)
    opened[nesting.starts_at] = np.arange(len(nesting.depths))
    opened[nesting.ends_at] = nesting.parents
    return [(place, int(opened[edges - 1])) for place, edges in cuts if edges > 0 and opened[edges - 1] >= 0]
