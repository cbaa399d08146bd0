"""What the small XML files of INEX share: trees of them, what is not used of them, and how XML is written.

XML is written as strings: a submission of 100,000 results takes a fifth of the time that a tree takes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from pathlib import Path

from lxml import etree

from inexview.core.errors import DataError
from inexview.core.formats.problems import shortened
from inexview.core.wording import counted
from inexview.core.xml.encodings import TreeLines
from inexview.core.xml.parser import parse_tree, read_bytes
from inexview.core.xml.tag_names import plain_name

_TAGS = {
    "assessments", "file", "best-entry-point", "passage", "element", "pool", "path", "topic", "inex_topic",
    "inex-topic", "title", "castitle", "phrasetitle", "description", "narrative", "keywords", "query",
}  # fmt: skip
"""The tags that readers look for; any other tag keeps its case."""


def read_tree(file: Path, warnings: list[str]) -> tuple[etree._Element, TreeLines]:
    """Read a file; tags have no namespaces, and known ones are in lower case.

    A wrong declaration of the encoding adds a warning to ``warnings``.  Raises DataError.
    """
    data = read_bytes(file)
    root = parse_tree(data, file, warnings)
    for element in root.iter(etree.Element):
        tag = str(element.tag)
        if tag not in _TAGS:
            name = plain_name(tag)
            element.tag = name if name in _TAGS else tag.rpartition("}")[2]
    return root, TreeLines(root, data)


# What a file says that is not used: one sentence for each kind, with its first line.

_MOST_KINDS = 20  # a file that gives a name to each thing has thousands

Known = Mapping[str, frozenset[str]]
"""The tags that are used, each with its used attributes."""


class UnusedKinds:
    """The kinds of unused things in a file: the number of each, and its first line."""

    def __init__(self, path: str | Path) -> None:
        self.path = path
        self._kinds: dict[str, tuple[int, int]] = {}

    def add(self, kind: str, line: int, count: int = 1) -> None:
        """Count things of a kind from a line on."""
        first, before = self._kinds.get(kind, (line, 0))
        self._kinds[kind] = min(first, line), before + count

    def add_attributes(self, tag: str, written: Iterable[str], used: Iterable[str], line: int) -> None:
        for name in sorted(set(written) - set(used)):
            self.add(f"the attribute {shortened(name)!r} of <{shortened(tag)}>", line)

    def sentences(self) -> Iterator[str]:
        """Yield a sentence for each kind, in order."""
        for place, (kind, (line, count)) in enumerate(self._kinds.items()):
            if place == _MOST_KINDS:
                more = counted(len(self._kinds) - place, "more kind")
                yield f"{self.path}:{line}: {more} of things are not used, from this line on"
                return
            times = "" if count == 1 else f" ({count:,} times)"
            yield f"{self.path}:{line}: {kind} is not used{times}"


def _around(root: etree._Element, known: Known) -> set[etree._Element]:
    """Return the ancestors of known elements."""
    around: set[etree._Element] = set()
    for one in root.iter(*known):
        for above in one.iterancestors():
            if above in around:
                break
            around.add(above)
    return around


def unused_in(
    root: etree._Element, lines: TreeLines, path: Path, known: Known, whole: frozenset[str] = frozenset()
) -> list[str]:
    """Return sentences on the unused tags and attributes of a tree.

    Ancestors of known tags are ignored; within a tag of ``whole`` everything is used.
    """
    kinds = UnusedKinds(path)
    around = _around(root, known)
    waiting = [root]
    while waiting:
        element = waiting.pop()
        tag = str(element.tag)
        if tag in known:
            kinds.add_attributes(tag, map(str, element.attrib), known[tag], lines.of(element))
        elif element not in around:
            kinds.add(f"<{shortened(tag)}>", lines.of(element))
            continue
        if tag not in whole:
            waiting.extend(element.iterchildren(etree.Element, reversed=True))
    return list(kinds.sentences())


# Writing.

# Not by xml.sax.saxutils, which loads HTTP and mail with it: 40 ms of every start.
_IN_ATTRIBUTES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}
)
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
_IMPOSSIBLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def attributes(pairs: Iterable[tuple[str, object]]) -> str:
    """Return attributes, each after a blank: `` name="value"``."""
    return "".join(f' {name}="{str(value).translate(_IN_ATTRIBUTES)}"' for name, value in pairs)


def text(content: str) -> str:
    """Return escaped text; a carriage return would be read back as a line feed."""
    return escape(content, quote=False).replace("\r", "&#13;")


def document_name(name: str) -> str:
    """Return a document's id as a file's name, from which readers remove one ``.xml``."""
    return f"{name}.xml" if name.endswith(".xml") else name


def check_xml(content: str, path: Path | None = None) -> None:
    """Raise DataError if a character of a text cannot be written in XML."""
    impossible = _IMPOSSIBLE.search(content)
    if impossible is not None:
        line = content[max(0, impossible.start() - 40) : impossible.start()]
        raise DataError(
            f"the character {impossible[0]!r} after {line!r} cannot be written in XML; choose a text format",
            path=path,
        )


def write_xml(parts: Iterable[str], path: Path) -> None:
    """Write an XML file; raises DataError for characters that XML cannot hold."""
    whole = "".join((DECLARATION, *parts))
    check_xml(whole, path)
    path.write_text(whole, encoding="utf-8", newline="\n")
