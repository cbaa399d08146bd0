"""From the bytes of an article to its text and its elements, in one pass."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from inexview.core.article.attributes import SHOWN, TagAttributes, completed
from inexview.core.article.elements import Elements, Nesting, Numbers, coded, nest
from inexview.core.article.start_tags import Tags, plain_tags
from inexview.core.article.text_nodes import TextNodes
from inexview.core.text.counting import Written
from inexview.core.text.spans import Offsets
from inexview.core.xml.encodings import decoded
from inexview.core.xml.parser import MAX_ELEMENTS, Scanner, entity_text

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
    """Read an article whose tags are found: expat says what they are called, and the text, in C alone."""
    names: list[str] = []  # of the elements, in the order in which they end
    pieces: list[str] = []
    scanner.parser.EndElementHandler = names.append
    scanner.parser.CharacterDataHandler = pieces.append
    scanner.run()
    nesting = nest(tags.opens, scanner.name)
    codes, vocabulary = coded(names)
    codes = codes[nesting.ends_at - nesting.nexts]  # as many end before as edges that are no starts
    attributes = TagAttributes(scanner.source, (codes, vocabulary), tags.begins)
    elements = _elements(
        (codes, vocabulary),
        tags.places,
        nesting,
        attributes,
        [],
        lambda: attributes.naming(_WRAPPER_ATTRIBUTE),
    )
    return Scan("".join(pieces), elements, tuple(scanner.warnings))


def _scan_any(scanner: Scanner) -> Scan:
    """Read an article with whatever it holds, step by step."""
    tell = scanner.tell
    has_references = b"&" in scanner.source
    tags: list[str] = []
    places: list[int] = []  # in the text, of each start tag and each end tag
    opens = bytearray()  # whether it is a start tag
    attributes: dict[int, dict[str, str]] = {}
    wrappers: list[int] = []
    cuts: list[tuple[int, int]] = []  # (place in the text, number of edges) at each comment

    def whole(found: dict[str, str]) -> dict[str, str]:
        if not has_references:
            return found
        return completed(found, scanner.source, scanner.parser.CurrentByteIndex, scanner.declared)

    def start(tag: str, found: dict[str, str]) -> None:
        if found:
            if tag in SHOWN:
                attributes[len(tags)] = whole(found)
            if _WRAPPER_ATTRIBUTE in found:
                wrappers.append(len(tags))
        if len(tags) == MAX_ELEMENTS:
            raise scanner.error(f"the file has more than {MAX_ELEMENTS:,} elements; it is refused as a bomb")
        tags.append(tag)
        opens.append(True)
        places.append(tell())

    def end(_tag: str) -> None:
        opens.append(False)
        places.append(tell())

    def cut(*_content: str) -> None:
        cuts.append((tell(), len(opens)))

    parser = scanner.parser
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CommentHandler = cut
    parser.ProcessingInstructionHandler = cut
    text = scanner.run()

    nesting = nest(np.frombuffer(opens, bool), scanner.name)
    within = _within_elements(cuts, nesting) if cuts else []
    elements = _elements(
        coded(tags), np.array(places, np.int64), nesting, attributes, within, lambda: wrappers
    )
    return Scan(text, elements, tuple(scanner.warnings))


def _elements(
    tags: tuple[Numbers, list[str]],
    places: Offsets,
    nesting: Nesting,
    attributes: Mapping[int, Mapping[str, str]],
    cuts: Sequence[tuple[int, int]],
    wrappers: Callable[[], Sequence[int]],
) -> Elements:
    return Elements(
        tags,
        starts=places[nesting.starts_at],
        ends=places[nesting.ends_at],
        parents=nesting.parents,
        depths=nesting.depths,
        nexts=nesting.nexts,
        attributes=attributes,
        cuts=cuts,
        wrappers=wrappers,
    )


def _within_elements(cuts: list[tuple[int, int]], nesting: Nesting) -> list[tuple[int, int]]:
    """Turn (place, number of edges before it) to (place, index of the element that holds it)."""
    # Which element is open after each edge: the one that starts, or the parent of the one that ends.
    opened = np.empty(2 * len(nesting.depths), np.int32)
    opened[nesting.starts_at] = np.arange(len(nesting.depths))
    opened[nesting.ends_at] = nesting.parents
    return [(place, int(opened[edges - 1])) for place, edges in cuts if edges > 0 and opened[edges - 1] >= 0]


_MARKUP = re.compile(
    r"""<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)|<!\[CDATA\[(?P<data>.*?)(?:\]\]>|\Z)
    |<!DOCTYPE(?:[^\["'<>]|"[^"]*"|'[^']*'|\[(?:[^\]"'<]|"[^"]*"|'[^']*'|<!--.*?-->|<)*+\])*+>
    |<(?P<tag>[^"'<>]*+(?:"[^"]*"[^"'<>]*+|'[^']*'[^"'<>]*+)*+)>
    |&(?P<reference>[^;&<>]{1,80});|(?P<line_end>\r\n?)""",
    re.DOTALL | re.VERBOSE,
)


def written(data: bytes, read: Scan, name: str) -> Written:
    """Return how the text of an article is written in its file; without the source where that is unclear.

    Unclear are entities that the article declares itself.  Raises DocumentError as ``scan`` does.
    """
    nodes = TextNodes(read.text, read.elements)
    source = decoded(data, name).source.decode("utf-8", "surrogatepass")
    pieces = _pieces(source)
    text = "".join(text for text, _, _ in pieces)
    begin = text.find(read.text)
    if begin < 0 or text[:begin].strip() or text[begin + len(read.text) :].strip():
        return Written(nodes.starts, nodes.ends)
    starts, ends = np.empty(len(text), np.int64), np.empty(len(text), np.int64)
    at = 0
    for piece, start, end in pieces:
        stop = at + len(piece)
        if len(piece) == end - start:
            starts[at:stop] = np.arange(start, end)
            ends[at:stop] = starts[at:stop] + 1
        else:  # a reference or a line end
            starts[at:stop], ends[at:stop] = start, end
        at = stop
    told = slice(begin, begin + len(read.text))
    return Written(nodes.starts, nodes.ends, source, starts[told], ends[told])


def _pieces(source: str) -> list[tuple[str, int, int]]:
    """Return the pieces of text in a source, and from where to where each of them is written."""
    pieces: list[tuple[str, int, int]] = []

    def add(text: str, start: int, end: int) -> None:
        if text:
            pieces.append((text, start, end))

    behind = 0
    for markup in _MARKUP.finditer(source):
        start, end = markup.span()
        add(source[behind:start], behind, start)
        behind = end
        if markup["line_end"]:
            add("\n", start, end)
        elif markup["reference"]:
            add(_referred(markup["reference"]), start, end)
        elif markup["data"]:
            first = markup.start("data")
            for line in markup["data"].splitlines(keepends=True):
                told = line.replace("\r\n", "\n") if line.endswith("\r\n") else line
                body = len(told) - (told != line)
                add(told[:body], first, first + body)
                add(told[body:], first + body, first + len(line))
                first += len(line)
    add(source[behind:], behind, len(source))
    return pieces


def _referred(name: str) -> str:
    """Return what a reference stands for, the reference itself if that is unknown."""
    number = re.fullmatch(r"#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}))", name)
    if number is None:
        known = entity_text(name)
        return f"&{name};" if known is None else known
    point = int(number[1], 16) if number[1] else int(number[2])
    return chr(point) if point < 0x110000 else ""
