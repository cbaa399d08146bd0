"""An article: its text, its elements, the display blocks, and their inline styles.

Offsets are half-open spans of code points in ``Document.text``, which is all text below the root element
("INEX counts in Unicode characters excluding XML tags").
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from inexview.core.article.blocks import Blocks, build_blocks
from inexview.core.article.element_roles import INLINE_STYLES, InlineStyle, element_roles, title_element
from inexview.core.article.elements import (
    SHOWN,
    Elements,
    MadeSequence,
    TagAttributes,
    TextNodes,
    coded,
    completed,
    nest,
)
from inexview.core.errors import DocumentError
from inexview.core.text.counting import Written
from inexview.core.text.spans import Offsets
from inexview.core.text.xml import MAX_ELEMENTS, Scanner, decoded, entity_text, read_bytes

# The places of the tags of a plain article in the file and in its text, found all at once.
#
# Nearly all articles are plain: after their first lines they have no comment, CDATA section, processing
# instruction or entity of their own, and no bare ">". Then every "<" begins a tag and every ">" ends one, and
# numpy finds them without a step for each. Nothing is validated here: expat reads the same bytes, and refuses
# malformed XML.

_PROLOG = re.compile(
    rb"""(?>\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE(?>[^\["'<>]+|"[^"]*"|'[^']*')*+>)*+""", re.DOTALL
)
_REFERENCE = re.compile(rb"&([^;&<>]*+);")
_GREATER, _SLASH = b">/"
_TELLS_APART = ord(">") - ord("<")  # the bit in which "<" differs from ">"
_MOST_REFERENCES = 100_000  # each costs a step here; for more, a step for each element is cheaper
_MOST_BRACKETS = 4 * 1_000_000  # two for each tag; places of more would take more memory than the file
_CHUNK = 1 << 20  # bytes that are searched at once, so that the matches of a large file are not all in memory


@dataclass(frozen=True, slots=True)
class Tags:
    """The tags of an article, and their places in its text.

    ``opens`` and ``places``, of shape (2n,) for n elements, in document order: whether an edge is the start
    of an element, and its place in the text, in code points.  ``begins``, of shape (n,): where in the bytes
    each start tag begins.
    """

    opens: NDArray[np.bool_]
    places: Offsets
    begins: Offsets


def plain_tags(source: bytes) -> Tags | None:
    """Find the tags of an article in UTF-8; None if it is not plain.

    The result is undefined for malformed XML.
    """
    characters = np.frombuffer(source, np.uint8)
    is_bracket = (characters | _TELLS_APART) == _GREATER
    if np.count_nonzero(is_bracket) > _MOST_BRACKETS:
        return None
    brackets = is_bracket.nonzero()[0]
    if prolog := _PROLOG.match(source):
        brackets = brackets[brackets.searchsorted(prolog.end()) :]
    if not len(brackets) or characters[brackets].tobytes() != b"<>" * (len(brackets) // 2):
        return None
    begins, lasts = brackets[0::2], brackets[1::2]
    seconds = characters[begins + 1]
    kinds = seconds.tobytes()
    if b"!" in kinds or b"?" in kinds or (b"&" in source and source.count(b"&") > _MOST_REFERENCES):
        return None
    opens = seconds != _SLASH
    is_empty = opens & (characters[lasts - 1] == _SLASH)
    points = _in_points(source, characters, brackets)
    begins_at, lasts_at = points[0::2], points[1::2]
    places: Offsets = (
        lasts_at - (lasts_at - begins_at).cumsum()
    )  # a tag is longer by one than from "<" to ">" …
    places -= np.arange(begins_at[0], begins_at[0] + len(places))  # … and the text begins with the first
    starts = begins[opens]
    if is_empty.any():  # their tags are two edges
        counts = 1 + is_empty
        places, opens = places.repeat(counts), opens.repeat(counts)
        opens[(counts.cumsum() - 1)[is_empty]] = False
    return Tags(opens, places, starts)


def _in_points(source: bytes, characters: NDArray[np.uint8], brackets: Offsets) -> Offsets:
    """Return the code point at each bracket; the content of the prolog may be counted as bytes.

    The bytes that do not count are all but one of each character and reference, and the CR of each CR LF.
    """
    points = brackets
    if not source.isascii():
        points = points - _continuing(characters.view(np.int8), brackets)
    if b"\r" in source:
        returns = ((characters[:-1] == ord("\r")) & (characters[1:] == ord("\n"))).nonzero()[0]
        points = points - returns.searchsorted(brackets)
    if b"&" in source:
        points = points - _of_references(source, brackets)
    return points


def _continuing(characters: NDArray[np.int8], places: Offsets) -> Offsets:
    """Return how many bytes before each of ``places`` continue a character of UTF-8."""
    if len(characters) <= _CHUNK:
        return (characters < -64).nonzero()[0].searchsorted(places)  # 0x80 to 0xBF
    counts = np.zeros(len(places), np.int64)
    before = 0
    for begin in range(0, len(characters), _CHUNK):
        continuing = (characters[begin : begin + _CHUNK] < -64).nonzero()[0]
        first, last = places.searchsorted((begin, begin + _CHUNK))
        counts[first:last] = continuing.searchsorted(places[first:last] - begin) + before
        before += len(continuing)
    return counts


def _of_references(source: bytes, brackets: Offsets) -> Offsets:
    """Return how many bytes references before each bracket have in excess of their text."""
    starts, shrunk = [], [0]
    at = source.find(b"&", int(brackets[0]))
    while at >= 0:
        if found := _REFERENCE.match(source, at):
            starts.append(at)
            shrunk.append(shrunk[-1] + _shrinks_by(found[1]))
        at = source.find(b"&", at + 1)
    return np.array(shrunk)[np.array(starts, np.int64).searchsorted(brackets)]


@lru_cache(4096)
def _shrinks_by(name: bytes) -> int:
    """Return how many bytes a reference has more than its text has code points."""
    if name.startswith(b"#"):
        return len(name) + 1
    characters = entity_text(name.decode("utf-8", "replace"))
    return 0 if characters is None else len(name) + 2 - len(characters)  # unknown: shown as it is written


# From the bytes of an article to its text and its elements, in one pass.

_WRAPPER_ATTRIBUTE = "wordnetid"


@dataclass(frozen=True, slots=True)
class Scan:
    """The result of one pass over an article."""

    text: str
    elements: Elements
    warnings: tuple[str, ...]
    title: str = ""
    """The title, if it is not in the text; empty if an element contains it."""


def scan_of(
    text: str,
    tags: list[str],
    places: list[int],
    opens: bytes,
    name: str,
    warnings: tuple[str, ...] = (),
    title: str = "",
) -> Scan:
    """Return a text with elements over it.

    ``tags`` are those of the elements in document order; ``places`` and ``opens``, two for each, are their
    edges in document order.  Raises DocumentError, which names the document ``name``, if elements are too
    many or nested too deeply.
    """
    if len(tags) > MAX_ELEMENTS:
        raise DocumentError(
            f"it has more than {MAX_ELEMENTS:,} parts; it was refused as a possible attack", path=name
        )
    nesting = nest(np.frombuffer(opens, bool), name)
    elements = Elements(coded(tags), np.array(places, np.int64), nesting, {}, [], lambda: ())
    return Scan(text, elements, warnings, title)


def scan(data: bytes, name: str) -> Scan:
    """Read an article; raises DocumentError with file, line and column.

    The text is all text below the root in code points; comments and processing instructions do not count,
    references count as their expansions.
    """
    scanner = Scanner(data, name)
    tags = plain_tags(scanner.source)
    return _scan_any(scanner) if tags is None else _scan_plain(scanner, tags)


def _scan_plain(scanner: Scanner, tags: Tags) -> Scan:
    """Read an article whose tags are known: expat reads their names, and the text, entirely in C."""
    names: list[str] = []  # of the elements, in the order of their ends
    pieces: list[str] = []
    scanner.parser.EndElementHandler = names.append
    scanner.parser.CharacterDataHandler = pieces.append
    scanner.run()
    nesting = nest(tags.opens, scanner.name)
    codes, vocabulary = coded(names)
    codes = codes[nesting.ends_at - nesting.nexts]  # as many end before as edges that are not starts
    attributes = TagAttributes(scanner.source, (codes, vocabulary), tags.begins)
    coded_tags = codes, vocabulary
    elements = Elements(
        coded_tags, tags.places, nesting, attributes, [], lambda: attributes.naming(_WRAPPER_ATTRIBUTE)
    )
    return Scan("".join(pieces), elements, tuple(scanner.warnings))


def _scan_any(scanner: Scanner) -> Scan:
    """Read an article with any content, step by step."""
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
            raise scanner.error(
                f"the file has more than {MAX_ELEMENTS:,} elements; it was refused as a possible attack"
            )
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
    within: list[tuple[int, int]] = []
    # the element that is open after each edge: the one that starts, or the parent of the one that ends
    if cuts:
        opened = np.empty(2 * len(nesting.depths), np.int32)
        opened[nesting.starts_at] = np.arange(len(nesting.depths))
        opened[nesting.ends_at] = nesting.parents
        edges = ((place, int(opened[before - 1])) for place, before in cuts if before > 0)
        within = [(place, parent) for place, parent in edges if parent >= 0]
    at = np.array(places, np.int64)
    elements = Elements(coded(tags), at, nesting, attributes, within, lambda: wrappers)
    return Scan(text, elements, tuple(scanner.warnings))


_MARKUP = re.compile(
    r"""<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)|<!\[CDATA\[(?P<data>.*?)(?:\]\]>|\Z)
    |<!DOCTYPE(?:[^\["'<>]|"[^"]*"|'[^']*'|\[(?:[^\]"'<]|"[^"]*"|'[^']*'|<!--.*?-->|<)*+\])*+>
    |<(?P<tag>[^"'<>]*+(?:"[^"]*"[^"'<>]*+|'[^']*'[^"'<>]*+)*+)>
    |&(?P<reference>[^;&<>]{1,80});|(?P<line_end>\r\n?)""",
    re.DOTALL | re.VERBOSE,
)


def written(data: bytes, read: Scan, name: str) -> Written:
    """Return how the text of an article is written in its file; without the source if that is unclear.

    Entities that the article declares itself are unclear.  Raises the errors of ``scan``.
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
    """Return the pieces of text in a source, and the start and end of each in the source."""
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
    """Return the text of a reference, the reference itself if unknown."""
    number = re.fullmatch(r"#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}))", name)
    if number is None:
        known = entity_text(name)
        return f"&{name};" if known is None else known
    point = int(number[1], 16) if number[1] else int(number[2])
    return chr(point) if point < 0x110000 else ""


LONGEST_NUMBER = 4  # characters of the number of a footnote
_PARTS_NUMBERS = ("", *" \t\n\r\u00a0[(,–-")  # a number after one of these is part of the text

_STYLES = list(InlineStyle)
_NUMBERS = {style: number for number, style in enumerate(_STYLES)}


@lru_cache(maxsize=4096)
def _two_styles(tag: str) -> tuple[int, int]:
    """Return the styles of a tag as indices in ``list(InlineStyle)``, -1 for none; no tag has three."""
    first, second, *_ = *(_NUMBERS[style] for style in INLINE_STYLES.get(tag, ())), -1, -1
    return first, second


@dataclass(frozen=True, slots=True)
class Inline:
    """Characters ``[start, end)`` with an inline style; may cross blocks, and nest."""

    start: int
    end: int
    style: InlineStyle


class Inlines(MadeSequence[Inline]):
    """The inline styles of an article, sorted by start.

    ``starts``, ``ends`` (int64) and ``styles`` (indices in ``list(InlineStyle)``), all of shape (n,).
    """

    def __init__(self, text: str, elements: Elements) -> None:
        codes, vocabulary = elements.coded
        filled = elements.ends > elements.starts
        firsts, seconds = zip(*map(_two_styles, vocabulary), strict=True)
        styles = np.array(firsts, np.int8)[codes]
        chosen = (filled & (styles >= 0)).nonzero()[0]
        styles = styles[chosen]
        if max(seconds) >= 0:
            more = np.array(seconds, np.int8)[codes]
            twice = (filled & (more >= 0)).nonzero()[0]
            chosen = np.concatenate((chosen, twice))
            order = chosen.argsort(kind="stable")
            chosen, styles = chosen[order], np.concatenate((styles, more[twice]))[order]
        self.starts: Offsets = elements.starts[chosen]
        self.ends: Offsets = elements.ends[chosen]
        self.styles: NDArray[np.int8] = styles
        # Footnotes within a sentence are distinguished from their numbers, and from the citations of IEEE
        # ("in [3]").
        references = self.styles == _NUMBERS[InlineStyle.REFERENCE]
        if "fm" in vocabulary:
            self.styles[references] = _NUMBERS[InlineStyle.LINK]
            return
        for at in np.flatnonzero(references).tolist():
            start, end = int(self.starts[at]), int(self.ends[at])
            if end - start <= LONGEST_NUMBER and text[start - 1 : start] not in _PARTS_NUMBERS:
                self.styles[at] = _NUMBERS[InlineStyle.SUPERSCRIPT]

    def __len__(self) -> int:
        return len(self.starts)

    def made(self, index: int) -> Inline:
        return Inline(int(self.starts[index]), int(self.ends[index]), _STYLES[self.styles[index]])


class Document:
    """One article, read once and never changed.

    ``id`` is its name in the collection, ``title`` the name shown to readers, ``text`` its characters;
    ``elements`` (document order), ``blocks`` (which cover the text) and ``inlines`` are sequences over
    columns; ``warnings`` are sentences about problems in the file.
    """

    __slots__ = ("blocks", "elements", "id", "inlines", "text", "title", "warnings")

    def __init__(self, id: str, read: Scan) -> None:
        text, elements = read.text, read.elements
        self.id = id
        self.text = text
        self.elements = elements
        roles = element_roles(text, elements)
        self.blocks: Blocks = build_blocks(text, elements, roles)
        self.inlines = Inlines(text, elements)
        self.warnings = read.warnings
        named = title_element(elements, roles)
        words = [] if named is None else text[elements.starts[named] : elements.ends[named]].split()
        self.title = read.title or " ".join(words) or id

    @classmethod
    def from_file(cls, path: str | Path, *, id: str | None = None) -> Document:
        """Read an article; its id is the file's name without ``.xml`` unless given.

        Raises DocumentError with file, line and column.
        """
        path = Path(path)
        name = path.name.removesuffix(".xml") if id is None else id
        return cls(name, scan(read_bytes(path), str(path)))

    @classmethod
    def from_bytes(cls, data: bytes, *, name: str = "document", id: str | None = None) -> Document:
        """Read an article from memory; ``name`` is its name in errors, and its id unless that is given.

        Raises DocumentError with line and column.
        """
        return cls(name if id is None else id, scan(data, name))

    @classmethod
    def from_text(cls, text: str, *, id: str = "document", title: str = "") -> Document:
        """Make an article of a plain text, without any change; blank lines separate its paragraphs."""
        from inexview.core.article.plain_documents import scan_plain  # imports this module

        return cls(id, scan_plain(text, id, (), title))

    @property
    def length(self) -> int:
        return len(self.text)

    def _repr_html_(self) -> str:
        """Return the title and the blocks as paragraphs, for a notebook."""
        blocks = (
            self.text[start:end].strip()
            for start, end in zip(self.blocks.starts, self.blocks.ends, strict=True)
        )
        return f"<h2>{escape(self.title)}</h2>{''.join(f'<p>{escape(text)}</p>' for text in blocks if text)}"

    def __repr__(self) -> str:
        return f"<Document {self.id!r}: {self.length} characters, {len(self.elements)} elements>"
