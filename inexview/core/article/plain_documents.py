"""Texts, Markdown, HTML pages and records as articles: their unchanged characters, with elements.

The text of a file is its characters in universal newlines, nothing stripped: in Markdown the marks count too.
The text of a page is the result of a fixed extraction: the text nodes in document order, without scripts,
styles and the head, with references decoded; line breaks and ends of blocks do not count.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

import numpy as np

from inexview.core.article.blocks import peek_title
from inexview.core.article.document import Scan, scan, scan_of, written
from inexview.core.errors import DocumentError
from inexview.core.text.counting import UTF8_BYTES, Characters, Written, scale_of
from inexview.core.text.spans import Offsets
from inexview.core.text.xml import from_windows_1252

if TYPE_CHECKING:
    from markdown_it.token import Token

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark is the beginning of this one
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_READ_SO = "the file is not UTF-8; it was read as Windows-1252 (Latin-1)"
_LINE_END = re.compile("\r\n?")


def decoded_text(data: bytes, name: str) -> tuple[str, tuple[str, ...]]:
    """Return the characters of a text file with unchanged line ends, and warnings.

    A byte order mark is not a character.  Raises DocumentError if the encoding is unknown.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            try:
                return data[len(mark) :].decode(encoding), ()
            except UnicodeDecodeError as error:
                problem = f"begins as {encoding.upper()} does, and is not in it throughout"
                raise DocumentError(problem, path=name) from error
    try:
        return data.decode(), ()
    except UnicodeDecodeError:
        return from_windows_1252(data).decode(), (f"{name}: {_READ_SO}",)


def universal(text: str) -> str:
    """Return a text with line feeds for all its line ends."""
    return _LINE_END.sub("\n", text) if "\r" in text else text


def _written_as(source: str, text: str) -> Written:
    """Return how a text is written in its file, which differs in its line ends."""
    nodes = np.array([0], np.int64), np.array([len(text)], np.int64)
    ends: Offsets
    if source == text:
        starts = np.arange(len(text), dtype=np.int64)
        return Written(*nodes, source, starts, starts + 1)
    sizes = np.ones(len(text), np.int64)
    at = shift = 0
    for found in _LINE_END.finditer(source):
        at = found.start() - shift
        sizes[at] = len(found[0])
        shift += len(found[0]) - 1
    ends = np.cumsum(sizes)
    return Written(*nodes, source, ends - sizes, ends)


# Elements over a plain text.


@dataclass
class _Laid:
    """Elements over a text, in document order, as edges."""

    tags: list[str] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    opens: bytearray = field(default_factory=bytearray)

    def start(self, tag: str, place: int) -> None:
        self.tags.append(tag)
        self.places.append(place)
        self.opens.append(True)

    def end(self, place: int) -> None:
        self.places.append(place)
        self.opens.append(False)

    def leaf(self, tag: str, start: int, end: int) -> None:
        self.start(tag, start)
        self.end(end)

    def made(self, text: str, name: str, warnings: Sequence[str], title: str = "") -> Scan:
        return scan_of(text, self.tags, self.places, bytes(self.opens), name, tuple(warnings), title)


def paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """Yield the paragraphs of a text, ``[start, end)``: consecutive lines that are not blank."""
    at, begun = 0, -1
    for line in text.split("\n"):
        if begun < 0 and line.strip():
            begun = at
        elif begun >= 0 and not line.strip():
            yield begun, at - 1
            begun = -1
        at += len(line) + 1
    if begun >= 0:
        yield begun, len(text)


def plain_text(data: bytes, name: str) -> str:
    """Return the text of a file of text or Markdown; raises DocumentError."""
    return universal(decoded_text(data, name)[0])


def scan_text(data: bytes, name: str) -> Scan:
    """Read a text file; raises DocumentError."""
    source, warnings = decoded_text(data, name)
    return scan_plain(universal(source), name, warnings)


def scan_plain(
    text: str,
    name: str,
    warnings: Sequence[str] = (),
    title: str = "",
    sentences: Sequence[tuple[int, int]] = (),
) -> Scan:
    """Divide a text into paragraphs, and one with ``sentences`` into these."""
    laid = _Laid()
    laid.start("article", 0)
    if sentences:
        laid.start("p", 0)
        for start, end in sentences:
            laid.leaf("s", start, end)
        laid.end(len(text))
    else:
        for start, end in paragraphs(text):
            laid.leaf("p", start, end)
    laid.end(len(text))
    return laid.made(text, name, warnings, title)


def written_text(data: bytes, read: Scan, name: str) -> Written:
    """Return how the text of a file is written in it."""
    return _written_as(decoded_text(data, name)[0], read.text)


def title_of_text(data: bytes, name: str) -> str:
    """Return the first non-blank line of a text, from the first bytes of its file."""
    text = decoded_text(data, name)[0] if data.startswith(tuple(mark for mark, _ in _MARKS)) else ""
    text = text or data.decode("utf-8", "replace")
    line = next((line for line in universal(text).split("\n") if line.strip()), "")
    return " ".join(line.split())[:_LONGEST_TITLE]


_LONGEST_TITLE = 120


# Markdown: the parser gives the lines of a block; within them marks are found in the order of its pieces.

_HEADINGS = {"h1": "h1", "h2": "h2", "h3": "h3", "h4": "h4", "h5": "h4", "h6": "h4"}
_BLOCKS = {
    "bullet_list_open": "ul",
    "ordered_list_open": "ol",
    "list_item_open": "li",
    "blockquote_open": "blockquote",
    "table_open": "table",
    "tr_open": "tr",
}
_SPANS = {"strong_open": "strong", "em_open": "em", "s_open": "del", "link_open": "a"}


MOST_MARKDOWN = 4 << 20  # characters


def scan_markdown(data: bytes, name: str) -> Scan:
    """Read Markdown: sections, headings, paragraphs, lists, tables, code and emphasis over its characters.

    Longer files than MOST_MARKDOWN are read as plain text with a warning: the parser takes seconds per MB.
    """
    source, warnings = decoded_text(data, name)
    text = universal(source)
    if len(text) > MOST_MARKDOWN:
        said = f"{name}: is longer than {MOST_MARKDOWN >> 20} MB, and is shown as text, without its headings"
        return scan_plain(text, name, (*warnings, said))
    return _Markdown(text).scan(name, warnings)


class _Markdown:
    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = [0, *(found.end() for found in re.finditer("\n", text)), len(text)]
        self._laid = _Laid()
        self._levels: list[int] = []  # of the open sections
        self._at = 0  # no edge may come before it
        self._open: list[tuple[str, int]] = []  # open blocks, with their ends
        self._title = ""

    def scan(self, name: str, warnings: Sequence[str]) -> Scan:
        from markdown_it import MarkdownIt  # not needed by other collections

        tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(self._text)
        self._start("article", 0, len(self._text))
        at = 0
        while at < len(tokens):
            at = self._take(tokens, at)
        for _ in self._levels:
            self._end(len(self._text))
        self._end(len(self._text))
        return self._laid.made(self._text, name, warnings, self._title)

    def _start(self, tag: str, start: int, end: int) -> None:
        self._at = max(start, self._at)
        self._laid.start(tag, self._at)
        self._open.append((tag, end))

    def _end(self, place: int | None = None) -> None:
        _, end = self._open.pop()
        self._at = max(end if place is None else place, self._at)
        self._laid.end(self._at)

    def _leaf(self, tag: str, start: int, end: int) -> None:
        start, end = max(start, self._at), max(end, self._at)
        self._laid.leaf(tag, start, end)
        self._at = end

    def _stretch(self, token: Token) -> tuple[int, int]:
        """Return the characters of a block's lines, without the line end of the last one."""
        first, last = token.map or [0, 0]
        start, end = self._lines[first], self._lines[min(last, len(self._lines) - 1)]
        while end > start and self._text[end - 1] in " \t\n":
            end -= 1
        return start, end

    def _take(self, tokens: list[Token], at: int) -> int:
        """Add one block, and return the place of the next token."""
        token = tokens[at]
        kind = token.type
        if kind == "heading_open":
            self._heading(token, tokens[at + 1])
            return at + 3
        if kind == "paragraph_open":
            self._words("p", token, tokens[at + 1])
            return at + 3
        if kind in _BLOCKS:
            self._start(_BLOCKS[kind], *self._stretch(token))
        elif kind in ("fence", "code_block", "html_block"):
            self._leaf("pre", *self._stretch(token))
        elif kind == "hr":
            self._leaf("p", *self._stretch(token))
        elif kind in ("th_open", "td_open"):
            self._cell("th" if kind == "th_open" else "td", tokens[at + 1])
            return at + 3
        elif kind.endswith("_close") and kind.replace("_close", "_open") in _BLOCKS:
            self._end()
        return at + 1

    def _heading(self, token: Token, inline: Token) -> None:
        level = int(token.tag[1])
        start, _ = self._stretch(token)
        within = any(tag in ("li", "blockquote") for tag, _ in self._open)
        if not within:  # a heading in a list does not begin a section
            while self._levels and self._levels[-1] >= level:
                self._levels.pop()
                self._end(start)
            self._levels.append(level)
            self._start("section", start, len(self._text))
        self._title = self._title or " ".join(inline.content.split())
        self._words(_HEADINGS[token.tag], token, inline)

    def _words(self, tag: str, token: Token, inline: Token) -> None:
        start, end = self._stretch(token)
        self._start(tag, start, end)
        self._inline(inline, end)
        self._end()

    def _cell(self, tag: str, inline: Token) -> None:
        """Add a cell at its words in the row, because the parser gives only the line."""
        end = self._open[-1][1]
        found = self._text.find(inline.content, self._at, end) if inline.content else -1
        start = found if found >= 0 else self._at
        self._start(tag, start, start + (len(inline.content) if found >= 0 else 0))
        self._inline(inline, self._open[-1][1])
        self._end()

    def _inline(self, inline: Token, end: int) -> None:
        """Add emphasis, code and links at their marks, which are in the text in the order of the pieces."""
        opened: list[str] = []
        at = self._at
        for piece in inline.children or ():
            if piece.type in _SPANS:
                mark = piece.markup if piece.type != "link_open" else "["
                mark = mark if mark not in ("autolink", "linkify") else "<"
                found = self._text.find(mark, at, end) if mark else -1
                if found < 0:
                    opened.append("")
                    continue
                opened.append(mark)
                self._start(_SPANS[piece.type], found, end)
                at = found + len(mark)
            elif piece.type.endswith("_close"):
                mark = opened.pop() if opened else ""
                if not mark:
                    continue
                closing = {"[": "]", "<": ">"}.get(mark, mark)
                found = self._text.find(closing, at, end)
                at = found + len(closing) if found >= 0 else at
                self._end(at)
            elif piece.type == "code_inline":
                start = self._text.find(piece.markup, at, end)
                stop = self._text.find(piece.markup, start + len(piece.markup), end) if start >= 0 else -1
                if stop >= 0:
                    at = stop + len(piece.markup)
                    self._leaf("code", start, at)
            elif piece.type == "text" and piece.content:
                found = self._text.find(piece.content, at, end)
                at = found + len(piece.content) if found >= 0 else at
        for mark in reversed(opened):
            if mark:
                self._end(at)


# HTML.

_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9._:-]{1,40})""", re.IGNORECASE)
_DROPPED = frozenset({"head", "script", "style", "template", "noscript"})
_MARKUP = re.compile(
    r"""<!--.*?(?:-->|\Z)
    |<[!?/]?[a-zA-Z][^<>"']*+(?:"[^"<]*"[^<>"']*+|'[^'<]*'[^<>"']*+)*+>
    |<[!?][^<>]*+>""",
    re.DOTALL | re.VERBOSE,
)


def decoded_page(data: bytes, name: str) -> tuple[str, tuple[str, ...]]:
    """Return the source of a page, decoded by byte order mark, by declaration, or else as any text."""
    declared = _CHARSET.search(data[:4096])
    if declared and not data.startswith(tuple(mark for mark, _ in _MARKS)):
        try:
            encoding = codecs.lookup(declared[1].decode("ascii"))
            if encoding.name not in ("utf-8", "ascii", "iso8859-1", "utf-16", "utf-32"):
                return data.decode(encoding.name), ()
        except (LookupError, UnicodeDecodeError):
            pass
    return decoded_text(data, name)


def scan_html(data: bytes, name: str) -> Scan:
    """Read a page in HTML by lxml; raises DocumentError if it has no text."""
    source, warnings = decoded_page(data, name)
    return _scan_page(universal(source), name, warnings)


def _scan_page(source: str, name: str, warnings: Sequence[str]) -> Scan:
    from lxml import etree

    parser = etree.HTMLParser(encoding="utf-8", no_network=True)
    try:
        read = etree.fromstring(source.replace("\0", "\ufffd").encode(), parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        if not source.strip():
            return scan_plain(source, name, warnings)
        raise DocumentError(f"is not a page that can be read ({error})", path=name) from error
    root = cast("etree._Element | None", read)
    if root is None:  # a page that is only <!DOCTYPE …>
        return scan_plain("", name, warnings)
    laid, pieces = _Laid(), list[str]()
    at, dropped, title = 0, 0, ""
    for event, element in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        plain = isinstance(element.tag, str)
        if event == "start" and plain:
            tag = str(element.tag)
            if tag in _DROPPED:
                dropped += 1
                if tag == "head":
                    title = " ".join("".join(element.xpath(".//title//text()")).split())
            elif not dropped:
                laid.start(_plain_tag(tag), at)
                if element.text:
                    pieces.append(element.text)
                    at += len(element.text)
        else:
            if plain and event == "end":
                if element.tag in _DROPPED:
                    dropped -= 1
                elif not dropped:
                    laid.end(at)
            if not dropped and element is not root and element.tail:
                pieces.append(element.tail)
                at += len(element.tail)
    return laid.made("".join(pieces), name, warnings, title)


_TAG = re.compile(r"[A-Za-z_][\w.-]*")


def _plain_tag(tag: str) -> str:
    return tag if _TAG.fullmatch(tag) else "span"


def written_html(data: bytes, read: Scan, name: str) -> Written:
    """Return how a page's text is written in its source: each node is searched after the previous one."""
    source = decoded_page(data, name)[0]
    starts, ends = places_in_source(universal(source), read.text)
    nodes = np.array([0], np.int64), np.array([len(read.text)], np.int64)
    if source != universal(source):
        edges = _written_as(source, universal(source))
        assert edges.starts is not None
        before = np.append(edges.starts, len(source))
        starts, ends = before[starts], before[ends]
    return Written(*nodes, source, starts, ends)


def places_in_source(source: str, text: str) -> tuple[Offsets, Offsets]:
    """Return where each character of a page's text starts and ends in its source, shape (n,) both.

    A character that is not found at its place (the parser made it) gets the place of the previous one.
    """
    starts, ends = np.zeros(len(text), np.int64), np.zeros(len(text), np.int64)
    at = 0  # in the text
    for start, end in _stretches_of_text(source):
        place = start
        while place < end and at < len(text):
            reference = _REFERENCE.match(source, place, end) if source[place] == "&" else None
            size = len(reference[0]) if reference else 1
            told = _referred(reference[0]) if reference else source[place]
            if told and text.startswith(told, at):
                for _ in told:
                    starts[at], ends[at] = place, place + size
                    at += 1
            place += size
    if at < len(text):
        starts[at:] = ends[at:] = ends[at - 1] if at else 0
    return starts, ends


_REFERENCE = re.compile(r"&(?:#[xX]?[0-9a-fA-F]{1,8}|[A-Za-z][A-Za-z0-9]{1,31});?")


def _referred(written: str) -> str:
    from html import unescape

    return unescape(written)


_SKIPPED = re.compile(r"<(head|script|style|template|noscript)\b", re.IGNORECASE)


def _stretches_of_text(source: str) -> Iterator[tuple[int, int]]:
    """Yield the stretches of a source outside markup and hidden elements."""
    at = 0
    for markup in _MARKUP.finditer(source):
        if markup.start() < at:
            continue
        if markup.start() > at:
            yield at, markup.start()
        at = markup.end()
        if skipped := _SKIPPED.match(markup[0]):
            closing = re.compile(rf"</{skipped[1]}\s*>", re.IGNORECASE).search(source, at)
            at = closing.end() if closing else len(source)
    if at < len(source):
        yield at, len(source)


def text_of_page(source: str, name: str) -> tuple[str, Callable[[int], int]]:
    """Return the text of a page, and a function from a byte of its UTF-8 source to a place in the text.

    Raises DocumentError if the page has no text.
    """
    lines = universal(source)
    text = _scan_page(lines, name, ()).text
    starts, _ = places_in_source(lines, text)
    if source != lines:
        edges = _written_as(source, lines)
        assert edges.starts is not None
        starts = np.append(edges.starts, len(source))[starts]
    bytes_of_source = scale_of(Characters(source), UTF8_BYTES)

    def place(at: int) -> int:
        return int(np.searchsorted(starts, int(bytes_of_source.to_code_points([at])[0])))

    return text, place


def title_of_page(data: bytes, name: str) -> str:
    """Return the title of a page, or its first heading, from the first bytes of its file."""
    for opening, closing in _TITLES:
        start = opening.search(data)
        end = closing.search(data, start.end()) if start else None
        if start and end:
            words = re.sub(r"<[^<>]*>", "", decoded_text(data[start.end() : end.start()], name)[0])
            return " ".join(_referred(words).split())[:_LONGEST_TITLE]
    return ""


_TITLES = (
    (re.compile(rb"<title[^<>]*>", re.IGNORECASE), re.compile(rb"</title", re.IGNORECASE)),
    (re.compile(rb"<h[12][^<>]*>", re.IGNORECASE), re.compile(rb"</h[12]", re.IGNORECASE)),
)


# The format of a file by its suffix.


@dataclass(frozen=True, eq=False)
class DocumentKind:
    """A format of documents: its name, and how its bytes become a text with elements."""

    name: str
    suffixes: tuple[str, ...]
    scan: Callable[[bytes, str], Scan]
    written: Callable[[bytes, Scan, str], Written]
    title: Callable[[bytes, str], str | None]
    """Returns the title of a document, from the first bytes of its file."""
    text: Callable[[bytes, str], str] | None = None
    """Returns the text of ``scan`` without its elements, if that is faster."""


XML = DocumentKind("XML", (".xml",), scan, written, peek_title)
TEXT = DocumentKind("text", (".txt", ".text"), scan_text, written_text, title_of_text, plain_text)


def title_of_markdown(data: bytes, name: str) -> str:
    """Return the first heading of Markdown, or its first line."""
    return title_of_text(data, name).lstrip("#").strip()


MARKDOWN = DocumentKind(
    "Markdown", (".md", ".markdown"), scan_markdown, written_text, title_of_markdown, plain_text
)
HTML = DocumentKind("HTML", (".html", ".htm", ".xhtml"), scan_html, written_html, title_of_page)
PLAIN_KINDS = (TEXT, MARKDOWN, HTML)
KINDS = (XML, *PLAIN_KINDS)
"""Formats of documents by the suffixes of their files."""


def kind_of(name: str) -> DocumentKind | None:
    """Return the format of a document by the name of its file; None for other files."""
    suffix = name[name.rfind(".") :].lower() if "." in name.rsplit("/", 1)[-1] else ""
    return _BY_SUFFIX.get(suffix)


_BY_SUFFIX = {suffix: kind for kind in KINDS for suffix in kind.suffixes}
