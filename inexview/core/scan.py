"""From the bytes of an article to its text and its elements, in one pass."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from inexview.core.elements import Elements, nest
from inexview.core.errors import DocumentError
from inexview.core.xml import MAX_DEPTH, Scanner

# Attributes that change how an element is shown; no others are kept.
_SHOWN_ATTRIBUTES = {"entry", "list", "item", "td", "th", "col", "header"}


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
    parts = scanner.parts
    tags: list[str] = []
    edges: list[int] = []  # a start tag leaves the number of parts before it, an end tag its complement
    attributes: dict[int, dict[str, str]] = {}
    wrappers: list[int] = []
    cuts: list[tuple[int, int]] = []  # (number of parts, number of edges) at each comment

    def start(tag: str, found: dict[str, str]) -> None:
        if found:
            if tag in _SHOWN_ATTRIBUTES:
                attributes[len(tags)] = found
            if "wordnetid" in found:
                wrappers.append(len(tags))
        tags.append(tag)
        edges.append(len(parts))

    def end(_tag: str) -> None:
        edges.append(~len(parts))

    def cut(*_content: str) -> None:
        cuts.append((len(parts), len(edges)))

    parser = scanner.parser
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CommentHandler = cut
    parser.ProcessingInstructionHandler = cut
    text = scanner.run()

    edge_array = np.array(edges, np.int64)
    deepest = int(np.cumsum(np.where(edge_array >= 0, 1, -1)).max())
    if deepest > MAX_DEPTH:
        raise DocumentError(
            f"elements are nested {deepest} deep; more than {MAX_DEPTH} are not read", path=name
        )
    nesting = nest(edge_array)
    offsets = np.zeros(len(parts) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, parts), np.int64, len(parts)), out=offsets[1:])
    # Which element is open after each edge: the one that starts, or the parent of the one that ends.
    opened = np.empty(len(edge_array), np.int32)
    opened[nesting.starts_at] = np.arange(len(tags))
    opened[nesting.ends_at] = nesting.parents
    elements = Elements(
        tags=tags,
        starts=offsets[edge_array[nesting.starts_at]],
        ends=offsets[~edge_array[nesting.ends_at]],
        parents=nesting.parents,
        depths=nesting.depths,
        nexts=nesting.nexts,
        attributes=attributes,
        wrappers=wrappers,
        cuts=[
            (int(offsets[part]), int(opened[edge - 1]))
            for part, edge in cuts
            if edge > 0 and opened[edge - 1] >= 0
        ],
    )
    return Scan(text, elements, tuple(scanner.warnings))
